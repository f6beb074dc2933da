//! What clients are told of a table.

use quincunx_core::{Actor, LogLine, Position, TurnJson};
use serde::Serialize;
use serde_json::Value;

use crate::model::{Millis, Status, TableId};
use crate::table::{ClockFace, Ending, Event, Seated, Setup, Undo};

/// The first thing that somebody who watches a table gets, or what happened since he watched it last.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    Snapshot(Box<Snapshot>),
    Happened(Box<Happened>),
}

/// A table as one viewer may see it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Snapshot {
    pub table: TableId,
    pub setup: Setup,
    /// Only for the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    pub log: Vec<Line>,
    pub position: Position,
    #[serde(flatten)]
    pub now: Now,
}

/// What happened at a table: the lines of its log from `from` up to `version`, as one viewer may read them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Happened {
    pub from: u64,
    pub at: Millis,
    pub events: Vec<Event>,
    pub turn: TurnJson,
    pub scores: Vec<i32>,
    /// What the viewer may do, in games whose actions do not follow from what he sees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offers: Option<Vec<String>>,
    /// How the view has changed, in games with hidden information: a JSON merge patch (RFC 7396).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<Value>,
    #[serde(flatten)]
    pub now: Now,
}

/// How the table stands besides the position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Now {
    /// The number of lines of the log.
    pub version: u64,
    pub status: Status,
    pub seats: Vec<Seated>,
    pub clocks: Option<ClockFace>,
    /// The seat that has offered a draw.
    pub draw_offer: Option<u8>,
    pub undo: Option<Undo>,
    pub ending: Option<Ending>,
    pub rematch: Option<TableId>,
}

/// An action that was made; without a seat, by chance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    pub seat: Option<u8>,
    pub action: String,
}

impl From<LogLine> for Line {
    fn from(line: LogLine) -> Self {
        let seat = match line.by {
            Actor::Seat(seat) => Some(seat.number()),
            Actor::Chance => None,
        };
        Self { seat, action: line.text }
    }
}
