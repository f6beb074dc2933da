//! What the methods beyond the protocol page answer. Their JSON Schemas become the types of the browser.

use quincunx_core::{Credits, Position, Reason, Step};
use quincunx_engine::{Judged, Thought};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value;

/// A game in the list of games.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct GameEntry {
    pub id: &'static str,
    pub title: &'static str,
    /// How many can play it.
    pub seats: &'static [u8],
    /// The JSON Schema of its options.
    pub options: Value,
}

/// What there is to know about a game before it is played.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct About {
    pub credits: Credits,
    /// Whether some see more than others.
    pub hidden: bool,
    /// Whether an engine plays it.
    pub engine: bool,
    /// The rules page, as Markdown.
    pub rules: &'static str,
    /// The JSON Schema of the `view` of its positions.
    pub view: Value,
}

/// A new session, or one from a record.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Opened {
    pub session: u64,
    pub position: Position,
}

/// A table as a person looks at it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Look {
    pub position: Position,
    /// The legal actions that may be offered to the asking seat: without those that a person has to notice.
    pub offers: Vec<String>,
    /// All that happened, also after the position that was asked for.
    pub log: Vec<Step>,
}

/// How far the review of a game has come.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Progress {
    /// Actions that were looked at.
    pub done: usize,
    /// Actions of the game.
    pub of: usize,
    pub moves: Vec<Judged>,
}

/// The JSON Schemas of everything here.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Results {
    games: Vec<GameEntry>,
    about: About,
    opened: Opened,
    look: Look,
    thought: Thought,
    progress: Progress,
    reason: Reason,
}

pub(crate) fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    generator.root_schema_for::<Results>().to_value()
}
