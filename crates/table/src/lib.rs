//! One table of any game, wherever it stands: what was agreed, who sits there, the game, the clocks, and who may see what.
//!
//! Everything about a table follows from its log, a list of [`Event`]s that only grows. [`State`] is the log folded: it takes
//! the lines of the log, and turns a [`Command`] into new lines or says why not. [`protocol`] is what connections and tables
//! say to each other; [`StateDigest`] and [`UpdateBuilder`] make the messages, each limited to what its viewer may see.
//! [`Host`] runs tables for the connections of one process.
//!
//! Nothing here knows a database, a network or the time of day: requests, moments and randomness come in, messages and
//! [`Job`]s for engines go out.

mod absence;
mod clock;
mod command;
mod decide;
mod effect;
mod event;
mod fold;
mod host;
mod ids;
mod patch;
pub mod protocol;
mod recent;
mod record;
mod rematch;
mod setup;
mod state;
mod subscription;
#[cfg(test)]
mod tests;
mod think;
mod undo;
mod update;

pub use absence::{AWAY, COME_BACK, Interruption};
pub use clock::{ClockFace, Clocks, MOST_LAG};
pub use command::{Command, Corrupt, Refusal};
pub use decide::{Connections, Decision, Request};
pub use effect::{ConnectionId, Effect};
pub use event::Event;
pub use fold::Gap;
pub use host::Host;
pub use ids::{Entry, Millis, Person, Status, TableId, UserId, UserKind};
pub use patch::merge;
pub use recent::{Missed, Recent};
pub use record::{About, events, written};
pub use setup::{SeatPlan, Setup, TimeControl, UndoPolicy};
pub use state::{Ending, Seated, State, Undo, viewer};
pub use subscription::Subscription;
pub use think::{Answer, Found, Job, JobKind, Thinking, Unanswered};
pub use update::{
    AppliedEvents, StateDigest, UpdateBuilder, ViewCache, apply_entries, first_snapshot, missed, position_at, snapshot,
};
