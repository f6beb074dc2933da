//! Why a record is refused, and where.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use crate::{Reason, Reasons};

/// A place in a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Place {
    /// A line of the text, counted from 1.
    Line(usize),
    /// An action of the JSON form, counted from 0.
    Action(usize),
    #[default]
    Whole,
}

/// Why a record was refused, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct RecordError {
    pub place: Place,
    pub why: Reason,
}

impl RecordError {
    pub(super) fn at(place: Place, why: impl Into<Reason>) -> Self {
        Self { place, why: why.into() }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Line(line) => write!(f, "line {line}: {}", self.why),
            Place::Action(index) => write!(f, "actions[{index}]: {}", self.why),
            Place::Whole => self.why.fmt(f),
        }
    }
}

impl From<RecordError> for Reason {
    fn from(error: RecordError) -> Self {
        let why = error.why;
        match error.place {
            Place::Line(line) => RecordReason::Line { line, why }.into(),
            Place::Action(index) => RecordReason::Action { index, why }.into(),
            Place::Whole => why,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub(crate) enum RecordReason {
    #[error("line {line}: {why}")]
    Line { line: usize, why: Reason },
    #[error("actions[{index}]: {why}")]
    Action { index: usize, why: Reason },
    #[error("a record is at most {mebibytes} MiB long")]
    TooLong { mebibytes: usize },
    #[error("a record holds at most {most} actions")]
    TooManyActions { most: usize },
    #[error("neither a header (\"Name: value\") nor actions (\"0: a1; b2\")")]
    NeitherHeaderNorActions,
    #[error("a header's name is up to 40 letters, digits, spaces and hyphens")]
    HeaderName,
    #[error("a header cannot follow the actions")]
    HeaderTooLate,
    #[error("{name} is given twice, first in line {earlier}")]
    HeaderTwice { name: String, earlier: usize },
    #[error("the header {name:?} is missing")]
    HeaderMissing { name: &'static str },
    #[error("headers: {name:?} cannot be a header of one line")]
    HeaderNotOneLine { name: String },
    #[error("Seats is a number such as 2, not {text:?}")]
    Seats { text: String },
    #[error("Options is a JSON object on one line such as {{}}: {said}")]
    Options { said: String },
    #[error("Scores is a number for each seat, such as 34 22")]
    Scores,
    #[error("Result is \"*\", or winners and a reason such as \"0,2 points\" or \"draw no-place\"")]
    Result,
    #[error("the record says {said}, but its actions lead to {reached}")]
    Contradiction { said: String, reached: String },
    #[error("there is no seat {label}: seats are counted from 0")]
    NoSeat { label: String },
    #[error("an action is missing beside a \";\" or \":\"")]
    ActionMissing,
    #[error("actions of a seat need the seat before them (\"0: a1; b2\")")]
    SeatMissing,
    #[error("not a record as JSON: {said}")]
    NotJson { said: String },
    #[error("result: {said}")]
    JsonResult { said: String },
}

impl Reasons for RecordReason {
    const AREA: &'static str = "record";
}
