//! Figures, Sid Sackson's exchange game: two markers change places, and five of a colour make a figure. The sheet
//! carries no title; *Figures* is our working name.
//!
//! - [`Square`] and sets of squares are in `board`, [`Colour`] and bank stones in `colour`, the figures and their values
//!   in `shapes`;
//! - `exchange` says which markers may change places, `legal` what may be done now, and why something may not;
//! - `course` is how a game goes on;
//! - [`Action`], [`Options`] and [`View`] are what a game shows to the outside, `accessors` what it shows to a search.

mod accessors;
mod action;
mod board;
mod colour;
mod course;
mod exchange;
mod legal;
mod options;
mod refusal;
mod shapes;
#[cfg(test)]
mod tests;
mod view;

use quincunx_core::{Actor, Credits, Fold, Game, Outcome, Reason, Scratch, Seat, SetupError, Turn, Viewer};
use rand::Rng;

pub use self::{
    action::Action,
    board::Square,
    colour::Colour,
    options::{Layout, Options, Zigzag},
    refusal::Refusal,
    shapes::Figure,
    view::{FigureView, PhaseView, PlayerView, SideView, SquareView, ValueView, View},
};
use self::{board::Squares, colour::Stones, exchange::Exchanges, options::Settled, shapes::PointBoard};

/// Players of Figures are on two sides.
const SIDES: usize = 2;

/// A position of Figures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figures {
    /// The squares of the five markers of each colour.
    markers: [Squares; Colour::COUNT],
    /// The stones that each side holds.
    hands: [Stones; SIDES],
    point_board: PointBoard,
    /// The points of each seat.
    points: [u16; Seat::MAX as usize],
    /// Whole turns made so far, by all players together.
    turns: u16,
    /// Whether any exchange was made: the first may not create a figure.
    exchanged: bool,
    mover: Seat,
    phase: Phase,
    settled: Settled,
}

/// What the mover is to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Take,
    /// These are found when the second stone is taken, since without any the turn goes on to the return.
    Exchange(Exchanges),
    Return {
        allowed: Stones,
    },
    Over(Outcome),
}

impl Figures {
    /// The stones that nobody holds.
    #[inline]
    fn bank(&self) -> Stones {
        Stones::ALL.without(self.hands[0]).without(self.hands[1])
    }

    /// The stones of the side on turn.
    #[inline]
    fn hand(&self) -> Stones {
        self.hands[side_of(self.mover)]
    }

    /// The points of a side together.
    fn side_points(&self, side: usize) -> u16 {
        self.points[side] + self.points[side + SIDES]
    }
}

/// Seats 0 and 2 play against seats 1 and 3.
#[inline]
const fn side_of(seat: Seat) -> usize {
    seat.index() % SIDES
}

impl Game for Figures {
    const ID: &'static str = "figures";
    const TITLE: &'static str = "Figures";
    const CREDITS: Credits = Credits {
        by: "Sid Sackson, 1971, 1985",
        also: "German by Walter Luc Haas, back to English by Robbie Smith; our working title, the sheet has none",
    };
    const RULES: &'static str = include_str!("../../../../docs/rules/figures.md");
    const SEATS: &'static [u8] = &[2, 4];

    type Options = Options;
    type Action = Action;
    type View = View;
    type Refusal = Refusal;

    fn new(seats: u8, options: &Options) -> Result<Self, SetupError> {
        let mut markers = [Squares::EMPTY; Colour::COUNT];
        for (square, colour) in Square::all().zip(options.layout.colours()) {
            markers[colour as usize] = markers[colour as usize].or(Squares::of(square));
        }
        Ok(Self {
            markers,
            hands: [Stones::NONE; SIDES],
            point_board: PointBoard::default(),
            points: [0; 4],
            turns: 0,
            exchanged: false,
            mover: Seat::new(0),
            phase: Phase::Take,
            settled: options.settle(seats),
        })
    }

    #[inline]
    fn seats(&self) -> u8 {
        self.settled.seats
    }

    fn side(&self, seat: Seat) -> u8 {
        side_of(seat) as u8
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.phase {
            Phase::Take | Phase::Exchange(_) | Phase::Return { .. } => Turn::Seat(self.mover),
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
        self.points[seat.index()].into()
    }

    fn actions(&self, seat: Seat, out: &mut Vec<Action>) {
        if seat != self.mover {
            return;
        }
        match self.phase {
            Phase::Take => out.extend(self.bank().iter().map(Action::Take)),
            Phase::Exchange(legal) => {
                let (first, second) = self.in_play();
                out.extend(legal.pairs(first, second).map(|(low, high)| Action::Exchange(low, high)));
            }
            Phase::Return { allowed } => out.extend(allowed.iter().map(Action::Return)),
            Phase::Over(_) => {}
        }
    }

    fn check(&self, by: Actor, action: Action) -> Result<(), Reason> {
        self.admit(by, action)
    }

    #[inline]
    fn play(&mut self, _: Actor, action: Action) {
        match action {
            Action::Take(colour) => self.take(colour),
            Action::Exchange(low, high) => self.exchange(low, high),
            Action::Return(colour) => self.give_back(colour),
        }
    }

    /// # Panics
    /// If the game is over.
    #[inline]
    fn random<R: Rng + ?Sized>(&self, _: Actor, rng: &mut R, _: &mut Scratch<Action>) -> Action {
        match self.phase {
            Phase::Take => Action::Take(self.bank().any(rng)),
            Phase::Exchange(legal) => {
                let (first, second) = self.in_play();
                let (low, high) = legal.any(first, second, rng);
                Action::Exchange(low, high)
            }
            Phase::Return { allowed } => Action::Return(allowed.any(rng)),
            Phase::Over(_) => panic!("the game is over"),
        }
    }

    fn view(&self, _: Viewer) -> View {
        View::of(self)
    }

    /// Folded when asked for: a random game never asks, and the position is a few words. Legal exchanges follow from the
    /// markers and the hand.
    fn key(&self) -> u64 {
        let (phase, allowed) = match self.phase {
            Phase::Take => (0, 0),
            Phase::Exchange(_) => (1, 0),
            Phase::Return { allowed } => (2, allowed.bits()),
            Phase::Over(_) => (3, 0),
        };
        let [first, second] = self.hands.map(Stones::bits);
        let small = [first, second, self.mover.number(), phase, allowed, self.exchanged.into()];
        let points = self.points.into_iter().fold(0, |word, points| word << 16 | u64::from(points));
        Fold::default()
            .words(self.markers.map(|markers| markers.0.into()))
            .word(self.turns.into())
            .word(self.point_board.0)
            .word(points)
            .word(small.into_iter().fold(0, |word, byte| word << 8 | u64::from(byte)))
            .word(self.settled.word())
            .key()
    }
}
