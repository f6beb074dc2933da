//! The one JSON shape of a position.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Outcome, Seat, Turn};

/// A position as one viewer sees it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Position {
    pub game: &'static str,
    pub seats: u8,
    /// Actions made so far, chance outcomes included.
    pub ply: usize,
    pub turn: TurnJson,
    /// The legal actions: those of the asking seat, or of everybody where everything is shown.
    pub actions: Vec<ActionJson>,
    /// Each seat's own points.
    pub scores: Vec<i32>,
    pub outcome: Option<OutcomeJson>,
    /// What the asking viewer may see, per game.
    pub view: Value,
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum TurnJson {
    Seat { seat: u8 },
    Chance,
    Over,
}

impl From<Turn> for TurnJson {
    fn from(turn: Turn) -> Self {
        match turn {
            Turn::Seat(seat) => Self::Seat { seat: seat.number() },
            Turn::Chance => Self::Chance,
            Turn::Over => Self::Over,
        }
    }
}

/// An action with the seat that may take it, or a chance outcome with its weight.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ActionJson {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    pub action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<u32>,
}

/// Who won, and by what; a draw has no winner.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutcomeJson {
    pub winners: Vec<u8>,
    pub reason: String,
}

impl From<Outcome> for OutcomeJson {
    fn from(outcome: Outcome) -> Self {
        Self { winners: outcome.winners.iter().map(Seat::number).collect(), reason: outcome.reason.to_owned() }
    }
}
