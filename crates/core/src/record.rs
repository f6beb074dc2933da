//! A game as a text file that people can read and mail.
//!
//! ```text
//! Game: castle-builders
//! Seats: 2
//! Options: {"heights":[1,1,1],"roofs":[4,5,7],"rows":[7]}
//! Date: 2026-11-15
//! Player 0: Ann
//! Scores: 23 0
//! Result: 0 castle-complete
//!
//! (+O); (+C); (+B); (+S)
//! 0: O3; (+R)
//! 1: S; (+O)          # a comment goes to the end of the line
//! 0: C1; (+O); O2
//! ```
//!
//! Headers come first; those that the program knows nothing about are kept. Then the actions in the order in which they
//! were made, separated by semicolons, with the acting seat at the head of the line. Chance outcomes stand in
//! parentheses. `Scores` and `Result` may be left out; if they are given, they must be what the actions lead to
//! (`Result: *` is a game that goes on, `Result: draw no-place` a draw).

mod error;

use std::{collections::BTreeMap, fmt, fmt::Write as _};

pub(crate) use error::RecordReason;
pub use error::{Place, RecordError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Actor, DynSession, GameKind, OutcomeJson, ReplayError, Seat, SetupError, Step, present, replay};

/// Header names and their values, without those that [`Record`] has fields for.
pub type Headers = BTreeMap<String, String>;

/// A game from its set-up to its last action.
#[derive(Clone, Debug)]
pub struct Record {
    pub game: String,
    pub seats: u8,
    /// The options that differ from the defaults.
    pub options: Map<String, Value>,
    /// Date, names of players and whatever else people wrote there.
    pub headers: Headers,
    pub result: Ending,
    /// Each seat's points after the last action; `None` where the record does not say.
    pub scores: Option<Vec<i32>>,
    pub steps: Vec<Step>,
    /// Where all that stands in the text, for error messages.
    pub(crate) places: Places,
}

/// What a record says about the end of its game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Ending {
    #[default]
    NotSaid,
    GoesOn,
    Ended(OutcomeJson),
}

impl From<Option<OutcomeJson>> for Ending {
    fn from(outcome: Option<OutcomeJson>) -> Self {
        outcome.map_or(Self::GoesOn, Self::Ended)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    game: Place,
    seats: Place,
    options: Place,
    scores: Place,
    result: Place,
    /// The line of each step; empty where the record was not read from text.
    steps: Vec<usize>,
}

/// The names that have fields of their own.
const KNOWN: [&str; 5] = ["Game", "Seats", "Options", "Scores", "Result"];

impl Record {
    /// No game that can be played to its end makes a longer record; what is longer is refused unread.
    pub const MAX_BYTES: usize = 8 << 20;
    const MAX_STEPS: usize = 1_000_000;

    /// Reads the text form.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        check_length(text)?;
        let mut headers: BTreeMap<String, (usize, String)> = BTreeMap::new();
        let (mut steps, mut lines) = (Vec::new(), Vec::new());
        for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let number = number + 1;
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let error = |why: RecordReason| RecordError::at(Place::Line(number), why);
            if line.starts_with(|first: char| first.is_ascii_alphabetic()) {
                if !steps.is_empty() {
                    return Err(error(RecordReason::HeaderTooLate));
                }
                let (name, value) = parse_header(line).map_err(error)?;
                if let Some((earlier, _)) = headers.insert(name.to_owned(), (number, value.to_owned())) {
                    return Err(error(RecordReason::HeaderTwice { name: name.to_owned(), earlier }));
                }
            } else {
                parse_steps(line, &mut steps).map_err(error)?;
                lines.resize(steps.len(), number);
            }
        }
        Self::from_headers(headers, steps, lines)
    }

    fn from_headers(
        mut headers: BTreeMap<String, (usize, String)>,
        steps: Vec<Step>,
        lines: Vec<usize>,
    ) -> Result<Self, RecordError> {
        let mut take = |name: &str, place: &mut Place| {
            let (line, value) = headers.remove(name)?;
            *place = Place::Line(line);
            Some(value)
        };
        let mut places = Places { steps: lines, ..Places::default() };
        let missing = |name| RecordError::at(Place::Whole, RecordReason::HeaderMissing { name });
        let game = take("Game", &mut places.game).ok_or_else(|| missing("Game"))?;
        let seats = take("Seats", &mut places.seats).ok_or_else(|| missing("Seats"))?;
        let seats =
            canonical(&seats).ok_or_else(|| RecordError::at(places.seats, RecordReason::Seats { text: seats }))?;
        let options = take("Options", &mut places.options).map_or(Ok(Map::new()), |json| {
            serde_json::from_str(&json)
                .map_err(|error| RecordError::at(places.options, RecordReason::Options { said: error.to_string() }))
        })?;
        let scores = take("Scores", &mut places.scores).map(|text| {
            let scores: Option<Vec<i32>> = text.split(' ').map(canonical).collect();
            scores.ok_or_else(|| RecordError::at(places.scores, RecordReason::Scores))
        });
        let result = take("Result", &mut places.result).map_or(Ok(Ending::NotSaid), |text| {
            parse_result(&text).map_err(|why| RecordError::at(places.result, why))
        })?;
        let headers = headers.into_iter().map(|(name, (_, value))| (name, value)).collect();
        Ok(Self { game, seats, options, headers, result, scores: scores.transpose()?, steps, places })
    }

    /// Plays the record from its first action to its last on a table of one of these games, and compares what it
    /// says about the end.
    pub fn replay(&self, games: &[&'static dyn GameKind]) -> Result<Box<dyn DynSession>, RecordError> {
        let options = Value::Object(self.options.clone());
        let mut table = replay(games, &self.game, self.seats.into(), &options, &self.steps)
            .map_err(|error| RecordError::at(self.place_of(&error), error))?;
        let reached = Ending::from(table.outcome().map(OutcomeJson::from));
        if self.result != Ending::NotSaid && self.result != reached {
            return Err(contradiction(self.places.result, &self.result, &reached));
        }
        let scores = table.scores();
        if let Some(said) = self.scores.as_ref().filter(|said| **said != scores) {
            return Err(contradiction(self.places.scores, &scores_text(said), &scores_text(&scores)));
        }
        table.set_headers(self.headers.clone());
        Ok(table)
    }

    fn place_of(&self, error: &ReplayError) -> Place {
        match error {
            ReplayError::Setup(SetupError::Game { .. }) => self.places.game,
            ReplayError::Setup(SetupError::Seats { .. }) => self.places.seats,
            ReplayError::Setup(_) => self.places.options,
            ReplayError::Step { step, .. } => {
                self.places.steps.get(*step).map_or(Place::Action(*step), |&line| Place::Line(line))
            }
        }
    }

    /// Writes the text form.
    pub fn to_text(&self) -> String {
        let mut text = format!("Game: {}\nSeats: {}\n", self.game, self.seats);
        if !self.options.is_empty() {
            let options = Value::Object(self.options.clone());
            let _ = writeln!(text, "Options: {options}");
        }
        for (name, value) in &self.headers {
            // A value of several lines would break the form: it is written on one.
            let value = value.replace(['\r', '\n'], " ");
            let _ = writeln!(text, "{name}: {}", value.trim());
        }
        if let Some(scores) = &self.scores {
            let _ = writeln!(text, "Scores: {}", scores_text(scores));
        }
        if self.result != Ending::NotSaid {
            let _ = writeln!(text, "Result: {}", self.result);
        }
        text.push('\n');
        write_steps(&mut text, &self.steps);
        text
    }

    /// The JSON form.
    pub fn to_json(&self) -> Value {
        let json = RecordJson {
            game: self.game.clone(),
            seats: self.seats,
            options: self.options.clone(),
            headers: self.headers.clone(),
            result: match &self.result {
                Ending::NotSaid => None,
                Ending::GoesOn => Some(Value::Null),
                Ending::Ended(outcome) => Some(serde_json::to_value(outcome).expect("an outcome is plain data")),
            },
            scores: self.scores.clone(),
            actions: self.steps.clone(),
        };
        serde_json::to_value(json).expect("a record is plain data with text keys")
    }

    /// Reads the JSON form.
    pub fn from_json(text: &str) -> Result<Self, RecordError> {
        check_length(text)?;
        let json: RecordJson = serde_json::from_str(text).map_err(|error| {
            RecordError::at(Place::Line(error.line()), RecordReason::NotJson { said: error.to_string() })
        })?;
        for (name, value) in &json.headers {
            let line = format!("{name}: {value}");
            if KNOWN.contains(&name.as_str()) || parse_header(&line) != Ok((name, value)) || line.contains('\n') {
                return Err(RecordError::at(Place::Whole, RecordReason::HeaderNotOneLine { name: name.clone() }));
            }
        }
        let result = match json.result {
            None => Ending::NotSaid,
            Some(json) => Option::<OutcomeJson>::deserialize(json)
                .map_err(|error| RecordError::at(Place::Whole, RecordReason::JsonResult { said: error.to_string() }))?
                .into(),
        };
        Ok(Self {
            game: json.game,
            seats: json.seats,
            options: json.options,
            headers: json.headers,
            result,
            scores: json.scores,
            steps: json.actions,
            places: Places::default(),
        })
    }
}

/// A record in JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordJson {
    game: String,
    seats: u8,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(default)]
    headers: Headers,
    /// Winners and reason; `null` for a game that goes on.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    scores: Option<Vec<i32>>,
    actions: Vec<Step>,
}

/// A number written in its one form: `+2`, `02` and `-0` are refused.
fn canonical<N: std::str::FromStr + ToString>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}

fn parse_header(line: &str) -> Result<(&str, &str), RecordReason> {
    let (name, value) = line.split_once(':').ok_or(RecordReason::NeitherHeaderNorActions)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == ' ' || c == '-';
    if name.len() > 40 || !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(plain) {
        return Err(RecordReason::HeaderName);
    }
    Ok((name.trim(), value.trim()))
}

/// Reads a line of actions: `0: O3; (+R)`.
fn parse_steps(line: &str, steps: &mut Vec<Step>) -> Result<(), RecordReason> {
    let comment = line.char_indices().find(|&(at, c)| c == '#' && line[..at].ends_with(char::is_whitespace));
    let line = comment.map_or(line, |(at, _)| &line[..at]);
    let (seat, actions) = match line.split_once(':') {
        Some((label, actions)) if label.bytes().all(|digit| digit.is_ascii_digit()) => {
            let seat = canonical::<u64>(label).and_then(|seat| Seat::at_table(seat, Seat::MAX));
            let seat = seat.ok_or_else(|| RecordReason::NoSeat { label: label.to_owned() })?;
            (Some(seat), actions)
        }
        _ => (None, line),
    };
    for action in actions.split(';').map(str::trim) {
        let chance = action.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let (by, text) = match (chance, seat) {
            (Some(outcome), _) => (Actor::Chance, outcome),
            (None, _) if action.is_empty() => return Err(RecordReason::ActionMissing),
            (None, Some(seat)) => (Actor::Seat(seat), action),
            (None, None) => return Err(RecordReason::SeatMissing),
        };
        if steps.len() == Record::MAX_STEPS {
            return Err(RecordReason::TooManyActions { most: Record::MAX_STEPS });
        }
        steps.push(Step { by, action: text.to_owned() });
    }
    Ok(())
}

/// Writes a line for each seat in turn, with the chance outcomes that follow its actions; long lines are broken.
fn write_steps(text: &mut String, steps: &[Step]) {
    const WIDTH: usize = 90;
    let mut line = String::new();
    let mut seat = None;
    for step in steps {
        let item = match step.by {
            Actor::Seat(_) => step.action.clone(),
            Actor::Chance => format!("({})", step.action),
        };
        let goes_on = step.by == Actor::Chance || seat == Some(step.by);
        if goes_on && !line.is_empty() && line.len() + item.len() < WIDTH {
            let _ = write!(line, "; {item}");
            continue;
        }
        if !line.is_empty() {
            let _ = writeln!(text, "{line}");
        }
        line.clear();
        seat = Some(step.by);
        if let Actor::Seat(seat) = step.by {
            let _ = write!(line, "{seat}: ");
        }
        line.push_str(&item);
    }
    if !line.is_empty() {
        let _ = writeln!(text, "{line}");
    }
}

fn parse_result(text: &str) -> Result<Ending, RecordReason> {
    if text == "*" {
        return Ok(Ending::GoesOn);
    }
    let (winners, reason) = text.split_once(' ').ok_or(RecordReason::Result)?;
    let winners = match winners {
        "draw" => Vec::new(),
        seats => seats.split(',').map(canonical).collect::<Option<_>>().ok_or(RecordReason::Result)?,
    };
    Ok(Ending::Ended(OutcomeJson { winners, reason: reason.to_owned() }))
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSaid => Ok(()),
            Self::GoesOn => f.write_str("*"),
            Self::Ended(outcome) if outcome.winners.is_empty() => write!(f, "draw {}", outcome.reason),
            Self::Ended(outcome) => write!(f, "{} {}", joined(&outcome.winners, ","), outcome.reason),
        }
    }
}

fn contradiction(place: Place, said: &impl ToString, reached: &impl ToString) -> RecordError {
    RecordError::at(place, RecordReason::Contradiction { said: said.to_string(), reached: reached.to_string() })
}

fn scores_text(scores: &[i32]) -> String {
    joined(scores, " ")
}

fn joined<T: ToString>(items: &[T], separator: &str) -> String {
    let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
    texts.join(separator)
}

fn check_length(text: &str) -> Result<(), RecordError> {
    if text.len() > Record::MAX_BYTES {
        let why = RecordReason::TooLong { mebibytes: Record::MAX_BYTES >> 20 };
        return Err(RecordError::at(Place::Whole, why));
    }
    Ok(())
}
