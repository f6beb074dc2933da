//! A made-up game with a bit of everything: a secret letter for each seat, whole-number options, actions out of turn.

use std::{fmt, str::FromStr};

use quincunx_core::{Actor, Credits, Fold, Game, Outcome, Reason, Reasons, Seat, SetupError, Turn, Viewer, Within};
use rand::{Rng, RngExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Each seat gets a secret letter. Then, in turn, each adds 1 or 2 to a common total; whoever reaches the target wins.
/// Meanwhile every other seat may snap, once, for a point.
#[derive(Clone, PartialEq, Debug)]
pub struct Snap {
    target: u32,
    letters: Vec<char>,
    seats: u8,
    total: u32,
    turn: Seat,
    snapped: [bool; 4],
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    target: Within<1, 5000>,
}

impl Default for Options {
    fn default() -> Self {
        Self { target: Within::literal(10) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    Letter(char),
    Add(u32),
    Snap,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Letter(letter) => write!(f, "+{letter}"),
            Self::Add(number) => write!(f, "add {number}"),
            Self::Snap => f.write_str("snap"),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let add = || text.strip_prefix("add ")?.parse().ok().map(Self::Add);
        match text {
            "+a" | "+b" => Ok(Self::Letter(text.as_bytes()[1] as char)),
            "snap" => Ok(Self::Snap),
            _ => add().ok_or(Refusal::Form),
        }
    }
}

#[derive(PartialEq, Debug, thiserror::Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Refusal {
    #[error("an action is add 1, add 2 or snap")]
    Form,
    #[error("not now")]
    NotNow { total: u32 },
}

impl Reasons for Refusal {
    const AREA: &'static str = Snap::ID;
}

#[derive(Serialize, JsonSchema)]
pub struct View {
    letters: Vec<Option<char>>,
    total: u32,
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "total {}", self.total)
    }
}

impl Game for Snap {
    const ID: &'static str = "snap";
    const TITLE: &'static str = "Snap";
    const CREDITS: Credits = Credits { by: "the tests", also: "" };
    const RULES: &'static str = "# Snap";
    const SEATS: &'static [u8] = &[2, 3];
    type Options = Options;
    type Action = Action;
    type View = View;
    type Refusal = Refusal;

    fn new(seats: u8, options: &Options) -> Result<Self, SetupError> {
        let target = options.target.get();
        Ok(Self { target, letters: Vec::new(), seats, total: 0, turn: Seat::new(0), snapped: [false; 4] })
    }

    fn seats(&self) -> u8 {
        self.seats
    }

    fn turn(&self) -> Turn {
        if self.letters.len() < self.seats as usize {
            Turn::Chance
        } else if self.total >= self.target {
            Turn::Over
        } else {
            Turn::Seat(self.turn)
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let last = self.turn.clockwise(self.seats).last();
        (self.turn() == Turn::Over).then(|| Outcome::win(last, "target"))
    }

    fn score(&self, seat: Seat) -> i32 {
        i32::from(self.snapped[seat.index()])
    }

    fn actions(&self, seat: Seat, out: &mut Vec<Action>) {
        match self.turn() {
            Turn::Seat(turn) if turn == seat => out.extend([Action::Add(1), Action::Add(2)]),
            Turn::Seat(_) if !self.snapped[seat.index()] => out.push(Action::Snap),
            _ => {}
        }
    }

    fn chances(&self, out: &mut Vec<(Action, u32)>) {
        if self.turn() == Turn::Chance {
            out.extend([(Action::Letter('a'), 3), (Action::Letter('b'), 1)]);
        }
    }

    fn check(&self, by: Actor, action: Action) -> Result<(), Reason> {
        let mut legal = Vec::new();
        match by {
            Actor::Seat(seat) => self.actions(seat, &mut legal),
            Actor::Chance => {
                let mut outcomes = Vec::new();
                self.chances(&mut outcomes);
                legal.extend(outcomes.iter().map(|&(action, _)| action));
            }
        }
        if legal.contains(&action) {
            return Ok(());
        }
        self.turn().admit(by)?;
        Err(Refusal::NotNow { total: self.total }.into())
    }

    fn play(&mut self, by: Actor, action: Action) {
        match (by, action) {
            (_, Action::Letter(letter)) => self.letters.push(letter),
            (_, Action::Add(number)) => {
                self.total += number;
                self.turn = self.turn.next(self.seats);
            }
            (Actor::Seat(seat), Action::Snap) => self.snapped[seat.index()] = true,
            (Actor::Chance, Action::Snap) => unreachable!("chance does not snap"),
        }
    }

    fn must_be_noticed(action: Action) -> bool {
        action == Action::Snap
    }

    fn redacted(&self, _: Actor, action: Action, viewer: Viewer) -> Option<&'static str> {
        let drawer = Seat::new(self.letters.len().min(3) as u8);
        (matches!(action, Action::Letter(_)) && !viewer.sees_hand_of(drawer)).then_some("+?")
    }

    fn view(&self, viewer: Viewer) -> View {
        let letters = self.letters.iter().zip(Seat::all(self.seats));
        View {
            letters: letters.map(|(&letter, seat)| viewer.sees_hand_of(seat).then_some(letter)).collect(),
            total: self.total,
        }
    }

    fn sample<R: Rng + ?Sized>(&self, viewer: Viewer, rng: &mut R) -> Self {
        let mut sampled = self.clone();
        for (letter, seat) in sampled.letters.iter_mut().zip(Seat::all(self.seats)) {
            if !viewer.sees_hand_of(seat) {
                *letter = if rng.random_range(0..4) < 3 { 'a' } else { 'b' };
            }
        }
        sampled
    }

    fn key(&self) -> u64 {
        Fold::default().word(u64::from(self.total)).word(self.turn.index() as u64).key()
    }
}
