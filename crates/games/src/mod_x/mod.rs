//! Mod X, by Mark and Joan Wilkinson: patterns of five X-pieces become score markers.
//!
//! - [`Square`] and sets of squares are in `board`, the patterns X, PLUS and FIVE in `patterns`;
//! - `course` is how a game goes on: scoring, jokers put back, the end;
//! - `legal` is what may be done now, and why something may not;
//! - [`Action`], [`Options`] and [`View`] are what a game shows to the outside.

mod action;
mod board;
mod course;
mod legal;
mod masks;
mod options;
mod patterns;
mod refusal;
#[cfg(test)]
mod tests;
mod view;

use quincunx_core::{Actor, Credits, Fold, Game, Outcome, Reason, Scratch, Seat, SetupError, Turn, Viewer};
use rand::Rng;

pub use self::{
    action::Action,
    board::Square,
    options::{Claims, Options},
    refusal::Refusal,
    view::{Colour, PhaseView, Piece, PlayerView, SquareView, View},
};
use self::{
    board::{AREA, Squares},
    options::Settled,
};

/// Jokers in the box.
const JOKERS: u8 = 5;

/// A position of Mod X.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModX {
    /// The X-pieces on the board, by the seat that owns them.
    pieces: [Squares; Seat::MAX as usize],
    /// The jokers on the board.
    jokers: Squares,
    /// The squares whose top marker is this seat's.
    tops: [Squares; Seat::MAX as usize],
    /// How many markers lie on each square. Only the top one counts, so the others are kept as a number.
    heights: [u8; AREA],
    /// X-pieces not on the board, by seat.
    supply: [u8; Seat::MAX as usize],
    /// Score markers not on the board, by seat.
    markers: [u8; Seat::MAX as usize],
    settled: Settled,
    /// Who sets the jokers up, or whose turn it is; a claim out of turn does not change it.
    mover: Seat,
    phase: Phase,
}

/// What is to be done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Seat 0 sets up the jokers.
    SetUp {
        left: u8,
    },
    /// The mover puts an X-piece on the board. With manual claims, others may still claim before that.
    Place,
    /// With manual claims: the mover has placed and may claim, or ends the turn.
    Claim,
    /// The scorer puts back the lifted jokers.
    JokersBack {
        by: Seat,
        left: u8,
        then: Then,
    },
    Over(Outcome),
}

/// Where play goes on after a scoring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Then {
    EndTurn,
    /// A claim before the mover's placement.
    Place,
    /// A claim of the mover after it.
    Claim,
}

impl ModX {
    /// The squares without a piece, whatever markers lie on them.
    #[inline]
    fn free(&self) -> Squares {
        Squares::ALL - Squares::union(&self.pieces) - self.jokers
    }

    /// The points that count for the target: a team adds its two up.
    fn points(&self, seat: Seat) -> u8 {
        let own = self.tops[seat.index()].count();
        if self.settled.teams { own + self.tops[seat.index() ^ 2].count() } else { own }
    }
}

impl Game for ModX {
    const ID: &'static str = "mod-x";
    const TITLE: &'static str = "Mod X";
    const CREDITS: Credits = Credits {
        by: "Mark & Joan Wilkinson",
        also: "licence White Castle, published by Cryptozoic Entertainment; ages 15+, 20 to 30 minutes",
    };
    const RULES: &'static str = include_str!("../../../../docs/rules/mod-x.md");
    const SEATS: &'static [u8] = &[2, 3, 4];

    type Options = Options;
    type Action = Action;
    type View = View;
    type Refusal = Refusal;

    fn new(seats: u8, options: &Options) -> Result<Self, SetupError> {
        let settled = options.settle(seats)?;
        let each = |count| std::array::from_fn(|seat| if seat < seats as usize { count } else { 0 });
        Ok(Self {
            pieces: [Squares::EMPTY; 4],
            jokers: Squares::EMPTY,
            tops: [Squares::EMPTY; 4],
            heights: [0; AREA],
            supply: each(settled.pieces),
            markers: each(settled.markers),
            settled,
            mover: Seat::new(0),
            phase: Phase::SetUp { left: JOKERS },
        })
    }

    #[inline]
    fn seats(&self) -> u8 {
        self.settled.seats
    }

    fn side(&self, seat: Seat) -> u8 {
        if self.settled.teams { seat.number() % 2 } else { seat.number() }
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.phase {
            Phase::SetUp { .. } | Phase::Place | Phase::Claim => Turn::Seat(self.mover),
            Phase::JokersBack { by, .. } => Turn::Seat(by),
            Phase::Over(_) => Turn::Over,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    fn score(&self, seat: Seat) -> i32 {
        self.tops[seat.index()].count().into()
    }

    fn actions(&self, seat: Seat, out: &mut Vec<Action>) {
        let legal = self.legal(seat);
        out.extend(legal.place.iter().map(Action::Place));
        out.extend(legal.joker.iter().map(Action::Joker));
        out.extend(legal.touch.iter().map(Action::Touch));
        out.extend(legal.done.then_some(Action::Done));
    }

    fn check(&self, by: Actor, action: Action) -> Result<(), Reason> {
        self.admit(by, action)
    }

    #[inline]
    fn play(&mut self, by: Actor, action: Action) {
        match action {
            Action::Place(square) => self.place(square),
            Action::Joker(square) => self.put_joker(square),
            Action::Touch(square) => match by {
                Actor::Seat(claimant) => self.claim(claimant, square),
                Actor::Chance => unreachable!("a claim is made by a seat"),
            },
            Action::Done => self.end_turn(),
        }
    }

    #[inline]
    fn random<R: Rng + ?Sized>(&self, by: Actor, rng: &mut R, _: &mut Scratch<Action>) -> Action {
        match (self.phase, by) {
            // By far the most frequent case: nothing but free squares.
            (Phase::Place, _) if !self.settled.manual => Action::Place(self.free().any(rng)),
            (_, Actor::Seat(seat)) => self.legal(seat).any(rng),
            (_, Actor::Chance) => unreachable!("nothing is drawn in Mod X"),
        }
    }

    /// An overlooked pattern is scored by whoever sees it.
    fn must_be_noticed(action: Action) -> bool {
        matches!(action, Action::Touch(_))
    }

    fn view(&self, _: Viewer) -> View {
        View::of(self)
    }

    /// Folded when asked for: a random game never asks, and a search pays little for the few words of a position.
    /// The X-pieces in supply follow from those on the board, and covered markers do not matter any more.
    fn key(&self) -> u64 {
        let seats = self.settled.seats as usize;
        let phase = match self.phase {
            Phase::SetUp { left } => [1, left, 0, 0],
            Phase::Place => [2, 0, 0, 0],
            Phase::Claim => [3, 0, 0, 0],
            Phase::JokersBack { by, left, then } => [4, left, by.number(), then as u8],
            Phase::Over(_) => [5, 0, 0, 0],
        };
        let boards = self.pieces[..seats].iter().chain(&self.tops[..seats]).chain([&self.jokers]);
        Fold::default()
            .words(boards.map(|squares| squares.0))
            .word(u32::from_le_bytes(self.markers).into())
            .word(u32::from_le_bytes(phase).into())
            .word(self.mover.number().into())
            .word(self.settled.word())
            .key()
    }
}
