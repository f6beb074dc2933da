//! Several processes that serve the same tables: what they tell each other.

use serde::{Deserialize, Serialize};

use crate::model::{Summary, TableId, UserId};
use crate::wire::Spoken;

/// What a process tells the others. A notice may be lost or come late: everything that matters is in the storage, and is read
/// from there at the next chance.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Notice {
    /// The log of a table has so many lines now.
    Grown {
        table: TableId,
        version: u64,
    },
    /// A table was set up, or lists show it differently.
    Listed {
        summary: Box<Summary>,
    },
    Said {
        table: TableId,
        remark: Spoken,
    },
    /// Who watches a table at this process.
    Present {
        process: String,
        table: TableId,
        seated: Vec<UserId>,
        others: u32,
    },
    /// A user may have lost a session: connections ask again whether theirs is good.
    LoggedOut {
        user: UserId,
    },
    /// A user wants to read what another one says, or not any more.
    Muted {
        user: UserId,
        other: UserId,
        muted: bool,
    },
}

/// The way to the other processes.
pub trait Bus: Send + Sync {
    /// Tells the others, without waiting for it.
    fn tell(&self, notice: Notice);
}

/// The bus of a process that has no others.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Bus for Alone {
    fn tell(&self, _: Notice) {}
}
