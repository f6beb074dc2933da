//! What a record says about its game beside the moves, and how that is read again.

use quincunx_core::Record;
use quincunx_core::record::Headers;
use sha2::{Digest, Sha256};

use super::date;
use crate::model::{Millis, Status, Summary, TableId};
use crate::table::{State, TimeControl};

const TABLE: &str = "Table";
const DATE: &str = "Date";
const TIME: &str = "Time";
const CLOCK: &str = "Clock";
const RATED: &str = "Rated";
const PRIVATE: &str = "Private";
/// How a game ended that is not over by its rules; `Result` is for those that are.
const ENDING: &str = "Ending";
const YES: &str = "yes";

fn player(seat: usize) -> String {
    format!("Player {seat}")
}

/// The game of a table, everything shown, with what there is to say about it. Names are those of the summary, where deleted
/// users have lost theirs. Nothing for a table where no game has begun.
pub fn record(state: &State, summary: &Summary) -> Option<Record> {
    if !matches!(state.status, Status::Playing | Status::Finished) {
        return None;
    }
    let mut record = state.game.record();
    let mut header = |name: &str, value: String| drop(record.headers.insert(name.to_owned(), value));
    header(TABLE, state.id.0.clone());
    if let Some((date, time)) = date::written(state.created) {
        header(DATE, date);
        header(TIME, time);
    }
    for (seat, sitter) in summary.seats.iter().enumerate() {
        if let Some(sitter) = sitter {
            header(&player(seat), sitter.name.clone());
        }
    }
    match state.setup.clock {
        TimeControl::None => {}
        TimeControl::RealTime { seconds, increment } => header(CLOCK, format!("{seconds}+{increment}")),
        TimeControl::Correspondence { days } => header(CLOCK, format!("{days} days")),
    }
    if state.setup.rated {
        header(RATED, YES.to_owned());
    }
    if !state.setup.public {
        header(PRIVATE, YES.to_owned());
    }
    if let Some(ending) = state.ending.as_ref().filter(|_| state.game.outcome().is_none()) {
        let winners: Vec<String> = ending.winners.iter().map(ToString::to_string).collect();
        let winners = if winners.is_empty() { "draw".to_owned() } else { winners.join(",") };
        header(ENDING, format!("{winners} {}", ending.reason));
    }
    Some(record)
}

/// What the headers of a record say, as far as it can be understood.
#[derive(Debug)]
pub(super) struct About {
    pub table: TableId,
    pub at: Option<Millis>,
    pub players: Vec<Option<String>>,
    pub clock: TimeControl,
    pub rated: bool,
    pub public: bool,
    /// Winners and reason of a game that is not over by its rules.
    pub ending: Option<(Vec<u8>, String)>,
}

impl About {
    pub fn read(record: &Record) -> Result<Self, String> {
        let headers = &record.headers;
        let yes = |name: &str| headers.get(name).is_some_and(|value| value == YES);
        Ok(Self {
            table: headers.get(TABLE).filter(|id| plain(id)).map_or_else(|| hashed(record), |id| TableId(id.clone())),
            at: headers.get(DATE).and_then(|day| date::read(day, headers.get(TIME).map(String::as_str))),
            players: (0..usize::from(record.seats)).map(|seat| headers.get(&player(seat)).cloned()).collect(),
            clock: clock(headers)?,
            rated: yes(RATED),
            public: !yes(PRIVATE),
            ending: headers.get(ENDING).map(|text| ending(text)).transpose()?,
        })
    }
}

/// Whether a text can be the id of a table: it becomes part of addresses and names of files.
pub(super) fn plain(id: &str) -> bool {
    (8..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// An id for a record that has none: the same record always has the same.
fn hashed(record: &Record) -> TableId {
    let hash = Sha256::digest(record.to_text());
    let hex: Vec<String> = hash[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    TableId(format!("record-{}", hex.concat()))
}

fn clock(headers: &Headers) -> Result<TimeControl, String> {
    let Some(text) = headers.get(CLOCK) else { return Ok(TimeControl::None) };
    let days = text.strip_suffix(" days").and_then(|days| days.parse().ok());
    let real_time = text.split_once('+').and_then(|(seconds, increment)| {
        Some(TimeControl::RealTime { seconds: seconds.parse().ok()?, increment: increment.parse().ok()? })
    });
    days.map(|days| TimeControl::Correspondence { days })
        .or(real_time)
        .ok_or_else(|| format!("{CLOCK} is written as 300+5 (seconds and increment) or 3 days"))
}

fn ending(text: &str) -> Result<(Vec<u8>, String), String> {
    let wrong = || format!("{ENDING} is written as \"0 resigned\", \"1,3 time\" or \"draw agreed\"");
    let (winners, reason) = text.split_once(' ').ok_or_else(wrong)?;
    let winners = match winners {
        "draw" => Vec::new(),
        seats => seats.split(',').map(|seat| seat.parse().map_err(|_| wrong())).collect::<Result<_, _>>()?,
    };
    Ok((winners, reason.to_owned()))
}
