//! A table: what was agreed, who sits there, the game, the clocks. All of it follows from the table's log.
//!
//! [`State`] is the log folded into a position: [`State::apply`] takes a line of the log, [`State::decide`] turns a command
//! into new lines or says why not. Neither knows of databases, connections or the time of day.

mod clock;
mod decide;
mod event;
mod rematch;
mod setup;
mod state;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use thiserror::Error;
use ts_rs::TS;
use utoipa::ToSchema;

pub use self::{
    clock::{ClockFace, Clocks},
    decide::{Decision, Request},
    event::Event,
    setup::{SeatPlan, Setup, TimeControl, UndoPolicy},
    state::{Ending, Seated, State, Undo, viewer},
};

/// What somebody wants to do at a table.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, TS, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Takes a seat. One for invited ones needs the invitation, and so does one at a private table that is not kept for
    /// who takes it.
    Sit {
        seat: u8,
        #[serde(default)]
        invitation: Option<String>,
    },
    /// Leaves the seat, before the game has begun.
    Leave,
    /// Gives the table up, before the game has begun.
    Abort,
    /// Makes an action. With `ply` only if so many were made before, so that a late action does not hit another position.
    Act {
        action: String,
        #[serde(default)]
        ply: Option<u64>,
    },
    OfferDraw,
    AnswerDraw {
        accept: bool,
    },
    Resign,
    /// Asks to take back one's own last move and what came after it.
    AskUndo,
    AnswerUndo {
        grant: bool,
    },
    /// After the game: plays again with the same people, everybody a seat further. Who asks sits down at the new table, and
    /// the game begins when all have asked.
    Rematch,
}

impl Command {
    /// The word for it on the wire.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Sit { .. } => "sit",
            Self::Leave => "leave",
            Self::Abort => "abort",
            Self::Act { .. } => "act",
            Self::OfferDraw => "offer_draw",
            Self::AnswerDraw { .. } => "answer_draw",
            Self::Resign => "resign",
            Self::AskUndo => "ask_undo",
            Self::AnswerUndo { .. } => "answer_undo",
            Self::Rematch => "rematch",
        }
    }
}

/// Why a command was refused, in a sentence for people.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// Who may not see a table does not learn that it exists.
    #[error("there is no such table")]
    NoSuchTable,
    #[error("{0}")]
    Setup(String),
    #[error("there is no seat {0} at this table")]
    NoSuchSeat(u8),
    #[error("seat {0} is taken")]
    SeatTaken(u8),
    #[error("seat {0} is kept for somebody else")]
    NotInvited(u8),
    #[error("guests cannot play rated games: make an account, or log in")]
    NoGuests,
    #[error("you sit at this table already")]
    SitsAlready,
    #[error("you do not play at this table")]
    NotAPlayer,
    #[error("only who has set up the table can do this")]
    NotTheHost,
    #[error("the game has not begun")]
    NotBegun,
    #[error("the game has begun")]
    Begun,
    #[error("the game is over")]
    Over,
    #[error("the time is up")]
    TimeIsUp,
    #[error("so much has happened at this table that only moves are still taken")]
    TooLong,
    #[error("the game is not over")]
    NotOver,
    #[error("the engine plays for you now, because your time was up or you have resigned")]
    TakenOver,
    #[error("{0}")]
    Illegal(String),
    #[error("the position has changed: {now} actions were made, not {then}")]
    Changed { now: usize, then: u64 },
    #[error("a draw can be agreed only between two sides")]
    NotTwoSides,
    #[error("your side has offered a draw already")]
    OfferedAlready,
    #[error("nobody has offered you a draw")]
    NoOffer,
    #[error("this table takes no move back")]
    NoUndo,
    #[error("there is no move of yours to take back")]
    NothingToUndo,
    #[error("your last move cannot be taken back, because something hidden has come to light since")]
    CameToLight,
    #[error("somebody has asked to take back a move already")]
    AskedAlready,
    #[error("nobody has asked you to take back a move")]
    NotAsked,
    #[error("a game can be played again when it was played to its end")]
    NotPlayed,
}

/// A log that cannot be what happened: it was damaged, or a newer version has written it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {seq} of the log does not fit: {why}")]
pub struct Corrupt {
    pub seq: u64,
    pub why: String,
}
