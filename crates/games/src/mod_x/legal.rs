//! What may be done now, and why something may not.

use quincunx_core::{Actor, Game, Reason, Seat, TurnReason};
use rand::{Rng, RngExt};

use super::{
    Action, ModX, Phase,
    board::{Square, Squares},
    patterns,
    refusal::Refusal,
};

/// The legal actions of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Legal {
    pub(super) place: Squares,
    pub(super) joker: Squares,
    pub(super) touch: Squares,
    pub(super) done: bool,
}

impl Legal {
    /// One of them, each with the same chance.
    ///
    /// # Panics
    /// If there is none.
    pub(super) fn any<R: Rng + ?Sized>(&self, rng: &mut R) -> Action {
        let [place, joker, touch] = [self.place, self.joker, self.touch].map(Squares::count);
        let pick = rng.random_range(0..place + joker + touch + u8::from(self.done));
        if pick < place {
            Action::Place(self.place.any(rng))
        } else if pick < place + joker {
            Action::Joker(self.joker.any(rng))
        } else if pick < place + joker + touch {
            Action::Touch(self.touch.any(rng))
        } else {
            Action::Done
        }
    }
}

impl ModX {
    pub(super) fn legal(&self, seat: Seat) -> Legal {
        let on_turn = self.turn().actor() == Some(Actor::Seat(seat));
        let mut legal = Legal::default();
        match self.phase {
            Phase::SetUp { .. } if on_turn => legal.joker = self.set_up_squares(),
            Phase::Place if on_turn => legal.place = self.free(),
            Phase::Claim => legal.done = on_turn,
            Phase::JokersBack { .. } if on_turn => legal.joker = self.joker_squares(),
            _ => {}
        }
        if self.may_claim(seat) {
            legal.touch = self.touchable();
        }
        legal
    }

    /// Where the next joker of the set-up may stand: next to no other.
    fn set_up_squares(&self) -> Squares {
        Squares::ALL - self.jokers.with_neighbours()
    }

    /// Where a lifted joker may be put back: on a free square where it completes no placement for any colour. One
    /// that completes an all-joker pattern wins, or is forbidden too.
    pub(super) fn joker_squares(&self) -> Squares {
        let free = self.free();
        let mut legal = free;
        for own in self.pieces {
            legal -= patterns::gaps(own | self.jokers);
        }
        if self.settled.joker_win {
            // The gaps of a colour and the jokers include those of the jokers alone.
            let all_jokers = patterns::gaps(self.jokers) & free;
            for square in all_jokers.iter().filter(|&square| !self.joker_completes(square)) {
                legal |= Squares::of(square);
            }
        }
        legal
    }

    /// Whether a joker on this square completes a placement for a colour.
    fn joker_completes(&self, square: Square) -> bool {
        let jokers = self.jokers | Squares::of(square);
        self.pieces.iter().any(|&own| {
            patterns::through(square).any(|placement| placement.within(own | jokers) && !(placement & own).is_empty())
        })
    }

    /// Whether it is the time for this seat to claim, if there is something to claim.
    pub(super) fn may_claim(&self, seat: Seat) -> bool {
        self.settled.manual
            && match self.phase {
                Phase::Place => seat.number() < self.settled.seats && self.said_done() != Some(seat),
                Phase::Claim => seat == self.mover,
                Phase::SetUp { .. } | Phase::JokersBack { .. } | Phase::Over(_) => false,
            }
    }

    /// With manual claims, before a placement: the seat whose `done` ended the turn before.
    fn said_done(&self) -> Option<Seat> {
        // The first placement leaves an X-piece or, claimed, a marker.
        let first_turn = (Squares::union(&self.pieces) | Squares::union(&self.tops)).is_empty();
        let seats = self.settled.seats;
        (!first_turn).then(|| Seat::new((self.mover.number() + seats - 1) % seats))
    }

    /// The pieces of complete placements.
    fn touchable(&self) -> Squares {
        Squares::union(&self.pieces.map(|own| patterns::complete(own | self.jokers)))
    }

    pub(super) fn admit(&self, by: Actor, action: Action) -> Result<(), Reason> {
        if let (Action::Touch(square), Phase::Place, true, Actor::Seat(seat)) =
            (action, self.phase, self.settled.manual, by)
        {
            return self.admit_claim(seat, square);
        }
        self.turn().admit(by)?;
        match (self.phase, action) {
            (Phase::SetUp { .. }, Action::Joker(square)) => self.admit_set_up(square),
            (Phase::SetUp { .. }, _) => Err(Refusal::JokersFirst.into()),
            (Phase::JokersBack { .. }, Action::Joker(square)) => self.admit_joker(square),
            (Phase::JokersBack { .. }, _) => Err(Refusal::JokersBackFirst.into()),
            (Phase::Place | Phase::Claim, Action::Joker(_)) => Err(Refusal::NoJokerInHand.into()),
            (Phase::Place, Action::Place(square)) => self.admit_free(square),
            (Phase::Claim, Action::Place(_)) => Err(Refusal::PiecePlaced.into()),
            (Phase::Claim, Action::Touch(square)) => self.admit_touch(square),
            (Phase::Claim, Action::Done) => Ok(()),
            (_, Action::Touch(_)) => Err(Refusal::ScoredWithoutClaim.into()),
            (_, Action::Done) if self.settled.manual => Err(Refusal::PieceFirst.into()),
            (_, Action::Done) => Err(Refusal::TurnEndsByItself.into()),
            (Phase::Over(_), _) => Err(TurnReason::Over.into()),
        }
    }

    fn admit_free(&self, square: Square) -> Result<(), Reason> {
        if self.free().contains(square) { Ok(()) } else { Err(Refusal::SquareTaken { square }.into()) }
    }

    fn admit_set_up(&self, square: Square) -> Result<(), Reason> {
        self.admit_free(square)?;
        if self.set_up_squares().contains(square) { Ok(()) } else { Err(Refusal::NextToJoker { square }.into()) }
    }

    fn admit_joker(&self, square: Square) -> Result<(), Reason> {
        self.admit_free(square)?;
        if self.joker_squares().contains(square) { Ok(()) } else { Err(Refusal::JokerCompletes { square }.into()) }
    }

    fn admit_claim(&self, seat: Seat, square: Square) -> Result<(), Reason> {
        if seat.number() >= self.settled.seats {
            return Err(Refusal::NoSeat { seat }.into());
        }
        if self.said_done() == Some(seat) {
            return Err(Refusal::SaidDone { seat }.into());
        }
        self.admit_touch(square)
    }

    fn admit_touch(&self, square: Square) -> Result<(), Reason> {
        if self.free().contains(square) {
            Err(Refusal::NoPiece { square }.into())
        } else if self.claimed_by_touching(square).is_empty() {
            Err(Refusal::NoPattern { square }.into())
        } else {
            Ok(())
        }
    }
}
