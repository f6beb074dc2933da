//! The JSON Schemas of what is answered.

use quincunx_core::{Position, Reason};
use quincunx_engine::Thought;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

use crate::results::{About, GameEntry, Look, Progress};

/// A new session, or one from a record.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Opened {
    session: u64,
    position: Position,
}

/// Everything that is answered.
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

/// The JSON Schemas of all results.
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    generator.root_schema_for::<Results>().to_value()
}
