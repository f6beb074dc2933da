//! What can be wrong with what comes from outside, said so that a person understands it.

use std::borrow::Cow;

use thiserror::Error;

/// A game that cannot be set up as asked.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    #[error("{game} is played by {allowed} players, not {seats}")]
    Seats { game: &'static str, seats: u64, allowed: String },
    #[error("options are a JSON object such as {{}}, not {found}")]
    NotAnObject { found: &'static str },
    #[error("option {name:?}: {why}")]
    Option { name: String, why: String },
}

impl SetupError {
    pub fn option(name: &str, why: impl Into<String>) -> Self {
        Self::Option { name: name.to_owned(), why: why.into() }
    }
}

/// Why an action is not legal now. The text may use only what the acting seat knows.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct Illegal(pub Cow<'static, str>);

impl From<&'static str> for Illegal {
    fn from(why: &'static str) -> Self {
        Self(why.into())
    }
}

impl From<String> for Illegal {
    fn from(why: String) -> Self {
        Self(why.into())
    }
}

/// Why an action that came as a text was refused. The position is as it was.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ActionError {
    #[error("{text:?} is not an action of this game: {why}")]
    Malformed { text: String, why: String },
    #[error("{text:?} is written {canonical:?}")]
    NotCanonical { text: String, canonical: String },
    #[error("{text:?} is not legal: {why}")]
    Illegal { text: String, why: Illegal },
    #[error("there is no seat {seat}: this table has {seats} seats, counted from 0")]
    NoSuchSeat { seat: u64, seats: u8 },
    #[error("nothing is to be drawn now: it is not a chance turn")]
    NotAChanceTurn,
    #[error("the game is over")]
    Over,
}

/// More actions to take back than were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("cannot undo {asked} actions: only {made} were made")]
pub struct UndoError {
    pub asked: u64,
    pub made: usize,
}

/// An id that no game has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("there is no game {asked:?}; the games are {}", known.join(", "))]
pub struct UnknownGame {
    pub asked: String,
    pub known: Vec<&'static str>,
}
