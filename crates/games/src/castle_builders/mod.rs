//! Castle Builders: two builders fill the towers of a castle with counters from hidden hands of two. The topmost counter of
//! a tower and the majority of a row bring points.

mod accessors;
mod action;
mod castle;
mod counters;
mod options;
mod picture;
mod refusal;
#[cfg(test)]
mod tests;
mod view;

use quincunx_core::{Actor, Credits, Fold, Game, Outcome, Reason, Scratch, Seat, SetupError, Turn, Viewer};
use rand::{Rng, RngExt};

pub use self::{
    action::{Action, Building, Remover, Tower},
    counters::Kind,
    options::{Counters, Height, Number, Options, Value},
    refusal::Refusal,
    view::{Arrows, AwardView, Colour, CounterView, CountsView, PlayerView, RowView, TowerView, View},
};
use self::{castle::Castle, counters::Counts};

const YELLOW: Seat = Seat::new(0);
const GREEN: Seat = Seat::new(1);

/// How many counters each player draws before play.
const DEAL: u32 = 2;

/// A position of Castle Builders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CastleBuilders {
    castle: Castle,
    hands: [Counts; 2],
    piles: [Counts; 2],
    /// What lies face up beside the castle, by colour.
    discards: [Counts; 2],
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// This seat draws for the starting hand.
    Deal(Seat),
    /// This seat plays a counter.
    Play(Seat),
    /// After playing a counter, `seat` draws one; the next turn is that of `next`.
    Draw {
        seat: Seat,
        next: Seat,
    },
    Over(End),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    CastleComplete,
    OutOfCounters,
}

impl CastleBuilders {
    /// The seat that draws, at a chance turn.
    #[inline]
    const fn drawer(&self) -> Option<Seat> {
        match self.phase {
            Phase::Deal(seat) | Phase::Draw { seat, .. } => Some(seat),
            Phase::Play(_) | Phase::Over(_) => None,
        }
    }

    /// The ways a remove counter can be played: off any tower with a counter, or for nothing if all are empty.
    #[inline]
    fn removals(&self) -> u32 {
        self.castle.begun().count().max(1)
    }

    /// What follows a counter that was played, a building counter that fills the last space apart.
    #[inline]
    fn after_counter(&self, seat: Seat, continues: bool) -> Phase {
        let next = if continues { seat } else { seat.next(2) };
        if self.piles[seat.index()].is_empty() { self.turn_of(next) } else { Phase::Draw { seat, next } }
    }

    /// The turn of this seat. A player whose hand is empty is skipped; without any hands the game is over.
    #[inline]
    fn turn_of(&self, seat: Seat) -> Phase {
        if !self.hands[seat.index()].is_empty() {
            Phase::Play(seat)
        } else if !self.hands[seat.next(2).index()].is_empty() {
            Phase::Play(seat.next(2))
        } else {
            Phase::Over(End::OutOfCounters)
        }
    }

    #[inline]
    fn draw(&mut self, seat: Seat, kind: Kind) {
        self.piles[seat.index()].take(kind);
        self.hands[seat.index()].add(kind);
    }

    /// Goes on with the deal after a draw. A small pile gives what there is.
    fn after_deal(&self, seat: Seat) -> Phase {
        let dealt = self.hands[seat.index()].total() == DEAL || self.piles[seat.index()].is_empty();
        match (dealt, seat) {
            (false, _) => Phase::Deal(seat),
            (true, YELLOW) => Phase::Deal(GREEN),
            (true, _) => Phase::Play(YELLOW),
        }
    }

    fn check_counter(&self, seat: Seat, action: Action) -> Result<(), Reason> {
        let hand = self.hands[seat.index()];
        let hold = |kind: Kind| demand(hand.get(kind) > 0, || Refusal::NotInHand { kind, letter: kind.letter() });
        let find = |tower: Tower| {
            demand(self.castle.has_tower(tower), || match self.castle.number_of_towers() {
                1 => Refusal::OnlyOneTower { tower },
                towers => Refusal::NoSuchTower { tower, towers },
            })
        };
        match action {
            Action::Build { counter, tower } => {
                hold(counter.kind())?;
                find(tower)?;
                demand(self.castle.open().contains(tower), || Refusal::TowerFull { tower })
            }
            Action::Remove { counter, tower: Some(tower) } => {
                hold(counter.kind())?;
                find(tower)?;
                demand(self.castle.begun().contains(tower), || Refusal::TowerEmpty { tower })
            }
            Action::Remove { counter, tower: None } => {
                hold(counter.kind())?;
                match self.castle.begun().iter().next() {
                    Some(tower) => Err(Refusal::MustRemove { example: format!("{action}{tower}") }.into()),
                    None => Ok(()),
                }
            }
            Action::Stop => hold(Kind::Stop),
            Action::Draw(_) => Err(Refusal::PlayCounter.into()),
        }
    }

    fn check_draw(&self, seat: Seat, action: Action) -> Result<(), Reason> {
        match action {
            Action::Draw(kind) if self.piles[seat.index()].get(kind) > 0 => Ok(()),
            Action::Draw(kind) => Err(Refusal::NotInPile { kind, letter: kind.letter(), seat }.into()),
            _ => Err(Refusal::DrawFirst { seat }.into()),
        }
    }
}

fn demand(holds: bool, otherwise: impl FnOnce() -> Refusal) -> Result<(), Reason> {
    if holds { Ok(()) } else { Err(otherwise().into()) }
}

impl Game for CastleBuilders {
    const ID: &'static str = "castle-builders";
    const TITLE: &'static str = "Castle Builders";
    const CREDITS: Credits = Credits { by: "Björn Jansson, co-design Daniel Johansson", also: "Game-o-gram #1" };
    const RULES: &'static str = include_str!("../../../../docs/rules/castle-builders.md");
    const SEATS: &'static [u8] = &[2];
    const HIDDEN_INFORMATION: bool = true;

    type Options = Options;
    type Action = Action;
    type View = View;
    type Refusal = Refusal;

    fn new(_seats: u8, options: &Options) -> Result<Self, SetupError> {
        options.check()?;
        Ok(Self {
            castle: Castle::new(options),
            hands: [Counts::default(); 2],
            piles: [options.counters.counts(); 2],
            discards: [Counts::default(); 2],
            phase: Phase::Deal(YELLOW),
        })
    }

    fn seats(&self) -> u8 {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.phase {
            Phase::Play(seat) => Turn::Seat(seat),
            Phase::Deal(_) | Phase::Draw { .. } => Turn::Chance,
            Phase::Over(_) => Turn::Over,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let Phase::Over(end) = self.phase else { return None };
        let reason = match end {
            End::CastleComplete => "castle-complete",
            End::OutOfCounters => "out-of-counters",
        };
        let scores = self.castle.scores();
        Some(Outcome::most(2, Seat::number, |seat| scores[seat.index()], reason))
    }

    /// What the seat would get if the game ended now.
    fn score(&self, seat: Seat) -> i32 {
        self.castle.scores()[seat.index()]
    }

    fn actions(&self, seat: Seat, out: &mut Vec<Action>) {
        if self.turn() != Turn::Seat(seat) {
            return;
        }
        let (open, begun) = (self.castle.open(), self.castle.begun());
        let hand = self.hands[seat.index()];
        for counter in Building::ALL.into_iter().filter(|counter| hand.get(counter.kind()) > 0) {
            out.extend(open.iter().map(|tower| Action::Build { counter, tower }));
        }
        for counter in Remover::ALL.into_iter().filter(|counter| hand.get(counter.kind()) > 0) {
            if begun.is_empty() {
                out.push(Action::Remove { counter, tower: None });
            }
            out.extend(begun.iter().map(|tower| Action::Remove { counter, tower: Some(tower) }));
        }
        if hand.get(Kind::Stop) > 0 {
            out.push(Action::Stop);
        }
    }

    fn chances(&self, out: &mut Vec<(Action, u32)>) {
        if let Some(seat) = self.drawer() {
            let pile = self.piles[seat.index()];
            out.extend(pile.kinds().map(|kind| (Action::Draw(kind), pile.get(kind))));
        }
    }

    fn check(&self, by: Actor, action: Action) -> Result<(), Reason> {
        self.turn().admit(by)?;
        match self.phase {
            Phase::Play(seat) => self.check_counter(seat, action),
            Phase::Deal(seat) | Phase::Draw { seat, .. } => self.check_draw(seat, action),
            Phase::Over(_) => unreachable!("nobody is admitted when the game is over"),
        }
    }

    #[inline]
    fn play(&mut self, _by: Actor, action: Action) {
        self.phase = match (self.phase, action) {
            (Phase::Draw { seat, next }, Action::Draw(kind)) => {
                self.draw(seat, kind);
                self.turn_of(next)
            }
            (Phase::Deal(seat), Action::Draw(kind)) => {
                self.draw(seat, kind);
                self.after_deal(seat)
            }
            (Phase::Play(seat), Action::Build { counter, tower }) => {
                self.hands[seat.index()].take(counter.kind());
                self.castle.build(seat, counter, tower);
                if self.castle.is_complete() {
                    Phase::Over(End::CastleComplete)
                } else {
                    self.after_counter(seat, counter == Building::Continuation)
                }
            }
            (Phase::Play(seat), Action::Remove { counter, tower }) => {
                self.hands[seat.index()].take(counter.kind());
                self.discards[seat.index()].add(counter.kind());
                if let Some(tower) = tower {
                    let (owner, kind) = self.castle.remove(tower);
                    self.discards[owner.index()].add(kind);
                }
                self.after_counter(seat, counter == Remover::RemoveAndContinue)
            }
            (Phase::Play(seat), Action::Stop) => {
                self.hands[seat.index()].take(Kind::Stop);
                self.discards[seat.index()].add(Kind::Stop);
                self.after_counter(seat, false)
            }
            (phase, action) => unreachable!("{action} is not legal in {phase:?}"),
        };
    }

    #[inline]
    fn random<R: Rng + ?Sized>(&self, by: Actor, rng: &mut R, _scratch: &mut Scratch<Action>) -> Action {
        let seat = match by {
            Actor::Chance => {
                let pile = self.piles[self.drawer().expect("chance acts only at a draw").index()];
                return Action::Draw(pile.pick(rng.random_range(0..pile.total())).0);
            }
            Actor::Seat(seat) => seat,
        };
        let (open, begun) = (self.castle.open(), self.castle.begun());
        let ways = self.hands[seat.index()].ways(open.count(), self.removals());
        let (kind, way) = ways.pick(rng.random_range(0..ways.total()));
        let build = |counter, way| Action::Build { counter, tower: open.nth(way) };
        let remove = |counter| Action::Remove { counter, tower: (!begun.is_empty()).then(|| begun.nth(way)) };
        match kind {
            Kind::Ordinary => build(Building::Ordinary, way),
            Kind::Continuation => build(Building::Continuation, way),
            Kind::Bonus if way % 2 == 0 => build(Building::BonusVertical, way / 2),
            Kind::Bonus => build(Building::BonusHorizontal, way / 2),
            Kind::Remove => remove(Remover::Remove),
            Kind::RemoveAndContinue => remove(Remover::RemoveAndContinue),
            Kind::Stop => Action::Stop,
        }
    }

    /// Only the drawer sees what he draws.
    fn redacted(&self, _by: Actor, action: Action, viewer: Viewer) -> Option<&'static str> {
        match (action, self.drawer()) {
            (Action::Draw(_), Some(drawer)) if !viewer.sees_hand_of(drawer) => Some("+?"),
            _ => None,
        }
    }

    fn view(&self, viewer: Viewer) -> View {
        View::of(self, viewer)
    }

    /// What was played and discarded lies open, so that a player's hand and pile together are known to everybody: a
    /// hidden hand is drawn anew out of both.
    fn sample<R: Rng + ?Sized>(&self, viewer: Viewer, rng: &mut R) -> Self {
        let mut sample = self.clone();
        for seat in Seat::all(2).filter(|&seat| !viewer.sees_hand_of(seat)) {
            let hand = self.hands[seat.index()];
            sample.piles[seat.index()] = self.piles[seat.index()].plus(hand);
            sample.hands[seat.index()] = Counts::default();
            for _ in 0..hand.total() {
                let unseen = sample.piles[seat.index()];
                sample.draw(seat, unseen.pick(rng.random_range(0..unseen.total())).0);
            }
        }
        sample
    }

    /// The discard does not matter for how the game goes on.
    fn key(&self) -> u64 {
        let phase = match self.phase {
            Phase::Deal(seat) => u64::from(seat.number()),
            Phase::Play(seat) => 2 + u64::from(seat.number()),
            Phase::Draw { seat, next } => 4 + 2 * u64::from(seat.number()) + u64::from(next.number()),
            Phase::Over(End::CastleComplete) => 8,
            Phase::Over(End::OutOfCounters) => 9,
        };
        let counts = [self.hands, self.piles].into_iter().flatten().map(Counts::word);
        Fold::default().words(self.castle.words()).words(counts).word(phase).key()
    }
}
