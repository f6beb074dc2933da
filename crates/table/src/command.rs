//! What people ask for at a table, and why it may be refused.

use quincunx_core::{ActionError, Reason, Reasons, SetupError, record::RecordError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::protocol::Refused;

/// What somebody wants to do at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Takes a seat. One for invited people needs the invitation, and so does one at a private table that is not kept for
    /// the person.
    Sit {
        seat: u8,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        invitation: Option<String>,
    },
    /// Leaves the seat, before the game has begun.
    Leave,
    /// Does not take the seat that is kept for the person: it is open then or, at a private table, for invited people.
    Decline,
    /// Gives the table up, before the game has begun.
    Abort,
    /// Makes an action. With `ply` only if so many were made before, so that a late action does not hit another position.
    Act {
        action: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ply: Option<u64>,
    },
    OfferDraw,
    AnswerDraw {
        accept: bool,
    },
    Resign,
    /// Claims the win over those who have left a live game for a minute. Where partners of theirs are still there, and between
    /// more than two sides, the engine plays on for them instead.
    ClaimWin,
    /// Claims a draw with a side that has left a live game for a minute.
    ClaimDraw,
    /// Asks to take back one's own last moves, one if nothing else is said, and what came after them.
    AskUndo {
        #[serde(default = "one", skip_serializing_if = "is_one")]
        count: u32,
    },
    AnswerUndo {
        grant: bool,
    },
    /// After the game: plays again with the same people, everybody a seat further. A person who asks takes their seat at the
    /// new table, and the game begins when all have asked.
    Rematch,
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_one(count: &u32) -> bool {
    *count == 1
}

impl Command {
    /// The word for it on the wire.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Sit { .. } => "sit",
            Self::Leave => "leave",
            Self::Decline => "decline",
            Self::Abort => "abort",
            Self::Act { .. } => "act",
            Self::OfferDraw => "offer_draw",
            Self::AnswerDraw { .. } => "answer_draw",
            Self::Resign => "resign",
            Self::ClaimWin => "claim_win",
            Self::ClaimDraw => "claim_draw",
            Self::AskUndo { .. } => "ask_undo",
            Self::AnswerUndo { .. } => "answer_undo",
            Self::Rematch => "rematch",
        }
    }
}

/// Why a command was refused: a code with its arguments, and a sentence for people.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Refusal {
    /// A person who may not see a table does not learn that it exists.
    #[error("there is no such table")]
    NoSuchTable,
    /// The game cannot be set up like that.
    #[error("{why}")]
    Setup { why: Reason },
    #[error("a clock has 1 second to 24 hours, with up to an hour more a move")]
    ClockRange,
    #[error("a game by correspondence has 1 to 60 days a move")]
    DaysRange,
    #[error("the levels are {}", levels.join(", "))]
    NoSuchLevel { levels: Vec<&'static str> },
    #[error("at least one seat is for a person or a bot")]
    EnginesOnly,
    #[error("games against the engine are not rated")]
    RatedEngine,
    #[error("a rated game needs a clock")]
    RatedClock,
    #[error("a rated game is not for a person and their own bot, or for two bots of one owner: play unrated")]
    OwnBot,
    #[error("nobody can have two seats")]
    TwoSeats,
    #[error("people at one screen play at a table of that screen")]
    OneScreen,
    #[error("moves are taken back freely only where all people sit at one screen")]
    FreeUndo,
    #[error("the record is refused: {why}")]
    Record { why: Reason },
    #[error("Clock is written as 300+5 (seconds and increment) or 3 days")]
    ClockHeader,
    #[error("Left is a number of milliseconds for each seat, such as 298000 300000")]
    LeftHeader,
    #[error("Ending is written as \"0 resigned\", \"1,3 time\" or \"draw agreed\"")]
    EndingHeader,
    #[error("its Ending {ending:?} is none of resigned, time, agreed, left and unfinished")]
    NoSuchEnding { ending: String },
    #[error("its game is over by the rules, so it has no other Ending")]
    TwoEndings,
    #[error("it has {seats} seats, not {given}")]
    RecordSeats { seats: u8, given: usize },
    #[error("it does not fit: {said}")]
    Damaged { said: String },
    #[error("there is no seat {seat} at this table")]
    NoSuchSeat { seat: u8 },
    #[error("seat {seat} is taken")]
    SeatTaken { seat: u8 },
    #[error("seat {seat} is kept for somebody else")]
    NotInvited { seat: u8 },
    #[error("no seat is kept for you at this table")]
    NotKept,
    #[error("somebody at this table has blocked you")]
    Blocked,
    #[error("guests cannot play rated games: make an account, or log in")]
    NoGuests,
    #[error("rated games are for accounts: make one, or play unrated")]
    RatedGuest,
    #[error("you sit at this table already")]
    SitsAlready,
    #[error("you do not play at this table")]
    NotAPlayer,
    #[error("seat {seat} is not yours")]
    NotYourSeat { seat: u8 },
    #[error("only the person who has set up the table can do this")]
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
    #[error("the engine plays for you now, because your time was up, you have resigned or you had left")]
    TakenOver,
    /// The action is against the rules of the game.
    #[error("{said}")]
    Illegal { why: Reason, said: String },
    #[error("the position has changed: {now} actions were made, not {then}")]
    Changed { now: usize, then: u64 },
    #[error("{made} actions were made so far")]
    NoSuchPly { made: usize },
    #[error("nobody is here to talk to")]
    NobodyToTalkTo,
    #[error("a draw can be agreed only between two sides")]
    NotTwoSides,
    #[error("a win or a draw can be claimed only in a live game, one with a clock of minutes or hours")]
    NotLive,
    #[error("nobody whom you play against has been away for {seconds} seconds")]
    StillHere { seconds: u32 },
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

impl Reasons for Refusal {
    const AREA: &'static str = "table";

    /// What the rules refuse is said as they say it.
    fn reason(&self) -> Reason {
        match self {
            Self::Setup { why } | Self::Illegal { why, .. } => why.clone(),
            _ => Reason::of(self),
        }
    }
}

impl From<ActionError> for Refusal {
    fn from(error: ActionError) -> Self {
        Self::Illegal { said: error.to_string(), why: error.into() }
    }
}

impl From<RecordError> for Refusal {
    fn from(error: RecordError) -> Self {
        Self::Record { why: error.into() }
    }
}

impl From<SetupError> for Refusal {
    fn from(error: SetupError) -> Self {
        Self::Setup { why: error.into() }
    }
}

impl Refusal {
    pub const fn code(&self) -> Refused {
        match self {
            Self::NoSuchTable => Refused::NotFound,
            _ => Refused::NotAllowed,
        }
    }
}

/// A log that cannot be what happened: it was damaged, or a newer version has written it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {seq} of the log does not fit: {why}")]
pub struct Corrupt {
    pub seq: u64,
    pub why: String,
}
