//! What may be done now, and why something may not.

use quincunx_core::{Actor, Game, Illegal, Seat};
use rand::{Rng, RngExt};

use super::{
    Action, ModX, Phase,
    board::{Square, Squares},
    patterns,
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

    pub(super) fn admit(&self, by: Actor, action: Action) -> Result<(), Illegal> {
        if let (Action::Touch(square), Phase::Place, true, Actor::Seat(seat)) =
            (action, self.phase, self.settled.manual, by)
        {
            return self.admit_claim(seat, square);
        }
        self.turn().admit(by)?;
        match (self.phase, action) {
            (Phase::SetUp { .. }, Action::Joker(square)) => self.admit_set_up(square),
            (Phase::SetUp { .. }, _) => Err("first the jokers are set up, such as *c3".into()),
            (Phase::JokersBack { .. }, Action::Joker(square)) => self.admit_joker(square),
            (Phase::JokersBack { .. }, _) => Err("first the lifted jokers are put back, such as *c3".into()),
            (Phase::Place | Phase::Claim, Action::Joker(_)) => Err("there is no joker in hand".into()),
            (Phase::Place, Action::Place(square)) => self.admit_free(square),
            (Phase::Claim, Action::Place(_)) => Err("the piece of this turn is placed: touch one or say done".into()),
            (Phase::Claim, Action::Touch(square)) => self.admit_touch(square),
            (Phase::Claim, Action::Done) => Ok(()),
            (_, Action::Touch(_)) => Err("patterns are scored without a claim at this table".into()),
            (_, Action::Done) if self.settled.manual => Err("first an X-piece is placed, such as c3".into()),
            (_, Action::Done) => Err("a turn ends by itself at this table".into()),
            (Phase::Over(_), _) => Err("the game is over".into()),
        }
    }

    fn admit_free(&self, square: Square) -> Result<(), Illegal> {
        if self.free().contains(square) { Ok(()) } else { Err(format!("square {square} is taken").into()) }
    }

    fn admit_set_up(&self, square: Square) -> Result<(), Illegal> {
        self.admit_free(square)?;
        if self.set_up_squares().contains(square) {
            Ok(())
        } else {
            Err(format!("square {square} is next to a joker").into())
        }
    }

    fn admit_joker(&self, square: Square) -> Result<(), Illegal> {
        self.admit_free(square)?;
        if self.joker_squares().contains(square) {
            Ok(())
        } else {
            Err(format!("a joker on {square} would complete a pattern").into())
        }
    }

    fn admit_claim(&self, seat: Seat, square: Square) -> Result<(), Illegal> {
        if seat.number() >= self.settled.seats {
            return Err(format!("there is no seat {seat} at this table").into());
        }
        if self.said_done() == Some(seat) {
            return Err(format!("seat {seat} has just said done: the others may claim now").into());
        }
        self.admit_touch(square)
    }

    fn admit_touch(&self, square: Square) -> Result<(), Illegal> {
        if self.free().contains(square) {
            Err(format!("there is no piece on {square} to touch").into())
        } else if self.claimed_by_touching(square).is_empty() {
            Err(format!("the piece on {square} is in no complete pattern").into())
        } else {
            Ok(())
        }
    }
}
