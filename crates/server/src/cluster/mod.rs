//! Several processes that serve the same tables: what they tell each other, and who thinks for them.
//!
//! Without others the same traits are served in this process: by [`Alone`] and [`Local`]. With others both are [`Nats`].

mod fair;
mod handout;
mod local;
mod nats;
mod queue;
mod seal;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quincunx_core::find;
use quincunx_engine::{Budget, Clock, Engine};
use quincunx_games::GAMES;
use quincunx_table::protocol::{Listing, Remark};
use quincunx_table::{Answer, Job, JobKind, Thinking, Unanswered};
use quincunx_table::{Millis, TableId, UserId};
use serde::{Deserialize, Serialize};

pub use self::fair::Owner;
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

/// After how many actions of an analysis somebody hears how far it is.
const REPORTED: usize = 20;

/// Lets analyses stand behind moves: while all that may think at once think about moves, an analysis waits before its next
/// position. It does not wait for ever, so that it comes to its end also on a server that never rests.
#[derive(Debug)]
pub(crate) struct Gate {
    at_once: usize,
    moves: AtomicUsize,
}

impl Gate {
    /// How long an analysis waits before a position, and how often it looks whether it may go on.
    const WAITS: Duration = Duration::from_secs(1);
    const LOOKS: Duration = Duration::from_millis(10);

    pub fn new(at_once: usize) -> Self {
        Self { at_once, moves: AtomicUsize::new(0) }
    }

    /// Waits behind the moves, and gives for how long it has.
    fn stand_back(&self, stop: &AtomicBool) -> Duration {
        let since = Instant::now();
        while self.moves.load(Ordering::Relaxed) >= self.at_once
            && since.elapsed() < Self::WAITS
            && !stop.load(Ordering::Relaxed)
        {
            std::thread::sleep(Self::LOOKS);
        }
        since.elapsed()
    }
}

/// Counts a thought about a move for as long as it takes.
struct Passage<'a>(&'a Gate);

impl<'a> Passage<'a> {
    fn new(gate: &'a Gate) -> Self {
        gate.moves.fetch_add(1, Ordering::Relaxed);
        Self(gate)
    }
}

impl Drop for Passage<'_> {
    fn drop(&mut self) {
        self.0.moves.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Thinks about a job, which takes its time, and gives how long it thought. `progress` hears how many actions of an analysis are
/// done.
pub(crate) fn think(
    job: &Job,
    stop: &AtomicBool,
    gate: &Gate,
    mut progress: impl FnMut(usize),
) -> (Result<Answer, Unanswered>, Duration) {
    /// The memory for a thought about a position of an analysis: what can be filled in its time.
    const MEMORY: usize = 32 << 20;
    let clock = WallClock(Instant::now());
    let thinker = |level, game: &str| Engine::Level(level).thinker(game);
    if job.kind() == JobKind::Analysis {
        let mut waited = Duration::ZERO;
        let progress = |done| {
            progress(done);
            waited += gate.stand_back(stop);
        };
        let answer = job.think(Thinking { games: GAMES, thinker, clock: &clock, memory: MEMORY, stop }, progress);
        return (answer, clock.now().saturating_sub(waited));
    }
    let _passage = Passage::new(gate);
    let with = Thinking { games: GAMES, thinker, clock: &clock, memory: Budget::MEMORY, stop };
    let answer = job.think(with, progress);
    if let Ok(game) = find(GAMES, job.game()) {
        metrics::thought(game.id(), clock.now());
    }
    (answer, clock.now())
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
    Listed { summary: Box<Listing> },
    Said {
        table: TableId,
        remark: Remark,
        /// Those who play and must not read it before the end.
        #[serde(default)]
        kept_from: Vec<UserId>,
    },
    /// Who watches a table at this process.
    Present { process: String, table: TableId, seated: Vec<UserId>, others: u32 },
    /// A user may have lost a session: connections ask again whether theirs is good.
    LoggedOut { user: UserId },
    /// A user was deleted, and is not called by the name any more.
    Deleted { user: UserId },
    /// A user wants to read what another one says, or not any more.
    Muted { user: UserId, other: UserId, muted: bool },
    /// Notices were lost since a moment: what they were about has to be looked up.
    Missed { since: Millis },
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
    /// Takes a job for some people, without waiting for it. The answer is given to [`Hub::answer`], here or at another process;
    /// it may never come. Of several jobs for a table that wait the newest remains.
    fn ask(&self, job: Job, owners: Vec<Owner>, hub: &Hub);

    /// A table has gone on to this version, or its engines have said that they wait for it: nobody needs thoughts about what was
    /// before any more.
    fn gone_on(&self, table: &TableId, version: u64);

    /// Ends all thinking in this process.
    fn stop(&self);
}
