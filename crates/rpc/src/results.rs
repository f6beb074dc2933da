//! What the methods beyond the protocol page answer. Their JSON Schemas become the types of the browser.

use quincunx_core::{Actor, Credits, Position};
use quincunx_engine::Judged;
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
    pub log: Vec<Line>,
}

/// An action that was made; without a seat, by chance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Line {
    pub seat: Option<u8>,
    pub action: String,
}

/// What an engine thinks.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Thought {
    pub action: String,
    /// What each seat can expect, from 0 (lost) to 1 (won).
    pub expected: Vec<f32>,
    /// What it takes for the best play of all.
    pub line: Vec<Step>,
    /// How many positions it looked at.
    pub nodes: u64,
}

/// An action of an expected line; without a seat, by chance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Step {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    pub action: String,
}

impl From<&quincunx_engine::Thought<String>> for Thought {
    fn from(thought: &quincunx_engine::Thought<String>) -> Self {
        let step = |(actor, action): &(Actor, String)| Step {
            seat: match actor {
                Actor::Seat(seat) => Some(seat.number()),
                Actor::Chance => None,
            },
            action: action.clone(),
        };
        Self {
            action: thought.action.clone(),
            expected: thought.expected.clone(),
            line: thought.line.iter().map(step).collect(),
            nodes: thought.nodes,
        }
    }
}

/// How far the review of a game has come.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Progress {
    /// Actions that were looked at.
    pub done: usize,
    /// Actions of the game.
    pub of: usize,
    pub moves: Vec<Judgement>,
}

/// A seat's action and what the engine makes of it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Judgement {
    /// 1 for the first action of the game, with those of chance.
    pub ply: usize,
    pub seat: u8,
    pub action: String,
    /// What the engine would have played.
    pub better: String,
    /// What each seat could expect with that.
    pub expected: Vec<f32>,
    /// What the acting seat gave away.
    pub loss: f32,
    /// `mistake` or `blunder`.
    pub verdict: Option<&'static str>,
}

impl From<&Judged> for Judgement {
    fn from(judged: &Judged) -> Self {
        Self {
            ply: judged.ply,
            seat: judged.seat.number(),
            action: judged.action.clone(),
            better: judged.better.clone(),
            expected: judged.expected.clone(),
            loss: judged.loss,
            verdict: judged.verdict(),
        }
    }
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
}

pub(crate) fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    generator.root_schema_for::<Results>().to_value()
}
