//! What a record says about its table on a server beside the game, and how that is read again.

use quincunx_core::Record;
use quincunx_table::protocol::Listing;
use quincunx_table::{About, Millis, State, TableId};
use sha2::{Digest, Sha256};

use super::date;

const TABLE: &str = "Table";
const DATE: &str = "Date";
const TIME: &str = "Time";
const RATED: &str = "Rated";
const PRIVATE: &str = "Private";
const YES: &str = "yes";

/// The game of a table, everything shown, with what there is to say about it. Names are those of the listing, where deleted
/// users have lost theirs. Nothing for a table where no game has begun.
pub fn record(state: &State, listing: &Listing, now: Millis) -> Option<Record> {
    let mut record = state.record(now)?;
    let mut header = |name: &str, value: String| drop(record.headers.insert(name.to_owned(), value));
    header(TABLE, state.id.0.clone());
    if let Some((date, time)) = date::written(state.created) {
        header(DATE, date);
        header(TIME, time);
    }
    for (seat, sitting) in listing.seats.iter().enumerate() {
        if let Some(sitting) = sitting {
            header(&format!("Player {seat}"), sitting.name.clone());
        }
    }
    if state.setup.rated {
        header(RATED, YES.to_owned());
    }
    if !state.setup.public {
        header(PRIVATE, YES.to_owned());
    }
    Some(record)
}

/// What the headers of a record say, as far as it can be understood.
#[derive(Debug)]
pub(super) struct Headers {
    pub table: TableId,
    pub at: Option<Millis>,
    pub rated: bool,
    pub public: bool,
    pub about: About,
}

impl Headers {
    pub fn read(record: &Record) -> Result<Self, String> {
        let headers = &record.headers;
        let yes = |name: &str| headers.get(name).is_some_and(|value| value == YES);
        Ok(Self {
            table: headers.get(TABLE).filter(|id| plain(id)).map_or_else(|| hashed(record), |id| TableId(id.clone())),
            at: headers.get(DATE).and_then(|day| date::read(day, headers.get(TIME).map(String::as_str))),
            rated: yes(RATED),
            public: !yes(PRIVATE),
            about: About::read(record).map_err(|why| why.to_string())?,
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
