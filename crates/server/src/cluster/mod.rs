//! Several processes that serve the same tables: what they tell each other, and who thinks for them.
//!
//! Without others the same traits are served in this process: by [`Alone`] and [`Local`]. With others both are [`Nats`].

mod job;
mod local;
mod nats;
mod queue;
mod worker;

use serde::{Deserialize, Serialize};

pub use self::job::{Answer, Fate, Found, Job, Kind, Unanswered};
pub use self::local::Local;
pub use self::nats::{Nats, NatsError, PREFIX, Serving};
pub use self::worker::work;
use crate::hub::Hub;
use crate::model::{Millis, Summary, TableId, UserId};
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
        /// Whether a clock runs there or an engine is on turn: who looks after the clocks has to know the table.
        #[serde(default)]
        awaited: bool,
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
    /// A user was deleted, and is not called by the name any more.
    Deleted {
        user: UserId,
    },
    /// A user wants to read what another one says, or not any more.
    Muted {
        user: UserId,
        other: UserId,
        muted: bool,
    },
    /// Notices were lost since a moment: what they were about has to be looked up.
    Missed {
        since: Millis,
    },
}

impl Notice {
    /// The table that it is about.
    fn table(&self) -> Option<&TableId> {
        match self {
            Self::Grown { table, .. } | Self::Said { table, .. } | Self::Present { table, .. } => Some(table),
            Self::Listed { summary } => Some(&summary.id),
            Self::LoggedOut { .. } | Self::Deleted { .. } | Self::Muted { .. } | Self::Missed { .. } => None,
        }
    }

    /// Whether who has missed it finds out from the storage or from a later notice.
    fn can_be_made_up_for(&self) -> bool {
        !matches!(self, Self::LoggedOut { .. } | Self::Deleted { .. } | Self::Muted { .. })
    }
}

/// The way to the other processes.
pub trait Bus: Send + Sync {
    /// Tells the others, without waiting for it.
    fn tell(&self, notice: Notice);

    /// Whether there may be others.
    fn has_others(&self) -> bool;
}

/// The bus of a process that has no others.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Bus for Alone {
    fn tell(&self, _: Notice) {}

    fn has_others(&self) -> bool {
        false
    }
}

/// Those who think for the tables.
pub trait Thinkers: Send + Sync {
    /// Takes a job, without waiting for it. The answer is given to [`Hub::answer`], here or at another process; it may
    /// never come. Of several jobs for a table that wait the newest remains.
    fn ask(&self, job: Job, hub: &Hub);

    /// Ends all thinking in this process.
    fn stop(&self);
}
