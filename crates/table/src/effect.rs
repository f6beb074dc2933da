//! What follows from a call to a host.

use crate::protocol::Message;
use crate::{Job, SeatPlan, TableId};

/// A connection of a host.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConnectionId(pub(crate) u64);

/// What follows from a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    Send {
        to: ConnectionId,
        message: Message,
    },
    /// An engine has to think; the answer goes to [`Host::answer`]. A new job for a table takes the place of the one before.
    Think(Box<Job>),
    /// Nobody waits for an engine at this table any more.
    Halt(TableId),
    /// A game as it is to be kept, and who goes on playing it. Nothing is to be kept of a table without a game.
    Keep {
        table: TableId,
        record: String,
        seats: Vec<SeatPlan>,
        ended: bool,
    },
}
