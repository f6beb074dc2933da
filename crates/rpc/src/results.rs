//! What the methods beyond the protocol page answer. Their JSON Schemas become the types of the browser.

use quincunx_core::{Credits, Position, Step};
use quincunx_engine::Judged;
use schemars::JsonSchema;
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
    #[cfg(feature = "tools")]
    pub rules: &'static str,
    /// The JSON Schema of the `view` of its positions.
    #[cfg(feature = "tools")]
    pub view: Value,
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
