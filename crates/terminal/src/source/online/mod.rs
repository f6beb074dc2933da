//! A table on a server.
//!
//! All that talks to the server is done by a thread of its own, the [`keeper`], which keeps the connection and says again
//! what was not answered. Screens have a [`Link`] to it, and hear of what happens as [`News`].

mod keeper;
mod link;
mod place;
mod table;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
mod told;

use std::time::Duration;

pub use link::{Link, Wish};
pub use place::{Place, Visit, encoded, server_of, short};
pub use table::Online;
pub use told::{
    Created, Listing, Person, Present, Remark, SeatPlan, Seated, Setup, Sitting, Snapshot, Status, TimeControl,
};

/// What comes from a server.
#[derive(Debug)]
pub struct News {
    /// Over which [`Link`].
    pub link: u64,
    pub what: What,
}

/// What has happened at a server, or on the way to it.
#[derive(Debug)]
pub enum What {
    /// The connection is there, for the first time or again.
    Connected(Welcome),
    /// The connection is not there; when it is tried again.
    Lost {
        why: String,
        pause: Duration,
    },
    /// The server has not let somebody in, and says why.
    NotAdmitted(String),
    /// A table that is watched, as it is now.
    Table(Box<Snapshot>),
    /// A table cannot be watched.
    Denied {
        table: String,
        why: String,
    },
    Said {
        table: String,
        remarks: Vec<Remark>,
    },
    Present {
        table: String,
        present: Present,
    },
    /// What became of something that was to be done at a table.
    Answered {
        id: String,
        answer: Result<Done, String>,
    },
    /// What became of a table that was to be set up.
    SetUp {
        id: String,
        created: Result<Created, String>,
    },
    /// The tables of the lobby and mine, and those among them where it is my turn.
    Tables(Result<(Vec<Listing>, Vec<String>), String>),
    /// A table of the lobby or mine has changed.
    Listed(Box<Listing>),
}

/// How a server greets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Welcome {
    /// Who the server takes us for.
    pub user: Option<Person>,
    /// How much later it is on the server's clock than here, in milliseconds.
    pub ahead: i64,
    /// Whether it speaks another version of the protocol than this client.
    pub foreign: bool,
}

impl Welcome {
    pub fn id(&self) -> Option<i64> {
        self.user.as_ref().map(|user| user.id)
    }
}

/// Something was carried out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// The version that the table has at least.
    pub version: Option<u64>,
    /// After a rematch was asked for: where it is played.
    pub table: Option<String>,
}

/// A reason as a sentence: with a capital and a full stop.
pub fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return String::new() };
    let end = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), letters.as_str())
}
