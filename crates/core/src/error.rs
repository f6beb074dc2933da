//! What can be wrong with what comes from outside: sentences for people, [reasons](Reasons) for programs.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use crate::{Coord, Reason, Reasons, Seat};

/// A game that cannot be set up as asked.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum SetupError {
    #[error("there is no game {asked:?}; the games are {}", known.join(", "))]
    Game { asked: String, known: Vec<&'static str> },
    #[error("{game} is played by {} players, not {seats}", either(allowed))]
    Seats { game: &'static str, seats: u64, allowed: &'static [u8] },
    #[error("options are a JSON object such as {{}}, not {found}")]
    NotAnObject { found: JsonKind },
    #[error("option {name:?}: {why}")]
    Option { name: String, why: Reason },
    /// A value of the wrong type or out of range, in the words of the reader of its JSON.
    #[error("{said}")]
    Value { said: String },
}

impl SetupError {
    pub fn option(name: &str, why: impl Into<Reason>) -> Self {
        Self::Option { name: name.to_owned(), why: why.into() }
    }
}

impl Reasons for SetupError {
    const AREA: &'static str = "setup";
}

/// What a JSON value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JsonKind {
    Null,
    Boolean,
    Number,
    Text,
    List,
    Object,
}

impl fmt::Display for JsonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "true or false",
            Self::Number => "a number",
            Self::Text => "a text",
            Self::List => "a list",
            Self::Object => "an object",
        })
    }
}

/// Why somebody may not act now, whatever the action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum TurnReason {
    #[error("the game is over")]
    Over,
    #[error("something is drawn first: it is a chance turn")]
    Chance,
    #[error("it is the turn of seat {seat}")]
    Seat { seat: Seat },
}

impl Reasons for TurnReason {
    const AREA: &'static str = "turn";
}

/// Why a text is no square of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum SquareReason {
    #[error("a square is a letter for the column and a number for the row, such as c3")]
    Form,
    #[error("square {square}: the board has columns a to {last} and rows 1 to {size}")]
    Outside { square: Coord, last: char, size: u8 },
}

impl Reasons for SquareReason {
    const AREA: &'static str = "square";
}

/// Why an action that came as a text was refused. The position is as it was.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ActionError {
    #[error("{text:?} is not an action of this game: {why}")]
    Malformed { text: String, why: Reason },
    #[error("{text:?} is written {canonical:?}")]
    NotCanonical { text: String, canonical: String },
    #[error("{text:?} is not legal: {why}")]
    Illegal { text: String, why: Reason },
    #[error("there is no seat {seat}: this table has {seats} seats, counted from 0")]
    NoSuchSeat { seat: u64, seats: u8 },
    #[error("nothing is to be drawn now: it is not a chance turn")]
    NotAChanceTurn,
    #[error("the game is over")]
    Over,
}

impl Reasons for ActionError {
    const AREA: &'static str = "action";

    /// Who has tried an action knows which: the reason is the one of the rules.
    fn reason(&self) -> Reason {
        match self {
            Self::Illegal { why, .. } => why.clone(),
            _ => Reason::of(self),
        }
    }
}

/// Why actions cannot be taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum UndoError {
    #[error("cannot undo {asked} actions: only {made} were made")]
    TooMany { asked: u64, made: usize },
}

impl Reasons for UndoError {
    const AREA: &'static str = "undo";
}

/// Numbers to choose from: `2 or 3`.
fn either(numbers: &[u8]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(" or ")
}
