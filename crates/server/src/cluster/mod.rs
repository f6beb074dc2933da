//! Several processes that serve the same tables: what they tell each other, and who thinks for them.
//!
//! Without others the same traits are served in this process: by [`Alone`] and [`Local`]. With others both are [`Nats`].

mod local;
mod nats;
mod queue;
mod worker;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use quincunx_core::find;
use quincunx_engine::{Budget, Clock, Engine};
use quincunx_games::GAMES;
use quincunx_table::protocol::{Listing, Remark};
use quincunx_table::{Answer, Job, JobKind, Thinking, Unanswered};
use quincunx_table::{Millis, TableId, UserId};
use serde::{Deserialize, Serialize};

pub use self::local::Local;
pub use self::nats::{Nats, NatsError, PREFIX, Serving};
pub use self::worker::work;
use crate::hub::Hub;
use crate::metrics;

/// What became of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// What follows from it is durable, or nobody waits for it any more: the job is done.
    Settled,
    /// It could not be taken now.
    Later,
}

/// Thinks about a job, which takes its time. `progress` hears how many actions of an analysis are done.
pub(crate) fn think(job: &Job, stop: &AtomicBool, progress: impl FnMut(usize)) -> Result<Answer, Unanswered> {
    /// The memory for a thought about a position of an analysis: what can be filled in its time.
    const MEMORY: usize = 32 << 20;
    let clock = WallClock(Instant::now());
    let memory = if job.kind() == JobKind::Analysis { MEMORY } else { Budget::MEMORY };
    let thinker = |level, game: &str| Engine::Level(level).thinker(game);
    let answer = job.think(Thinking { games: GAMES, thinker, clock: &clock, memory, stop }, progress);
    if let (JobKind::Move, Ok(game)) = (job.kind(), find(GAMES, job.game())) {
        metrics::thought(game.id(), clock.now());
    }
    answer
}

/// The clock of this machine.
struct WallClock(Instant);

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

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
        summary: Box<Listing>,
    },
    Said {
        table: TableId,
        remark: Remark,
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
            Self::Listed { summary } => Some(&summary.table),
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
