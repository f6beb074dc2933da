//! What can happen at a table: the lines of its log.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Millis, Setup, TableId, UserId};

/// What happened. The log of a table begins with `Created`, and everything about the table follows from its log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    Created {
        host: UserId,
        setup: Box<Setup>,
        /// Whoever knows it may take the seats for invited people. Only the host is told.
        invitation: String,
    },
    /// A player takes a seat. During the game: they play on for an engine that cannot.
    Joined {
        seat: u8,
        user: UserId,
        name: String,
    },
    /// Somebody who is no user here sits on a seat, by name: in a game that was played elsewhere.
    Named {
        seat: u8,
        name: String,
    },
    Left {
        seat: u8,
    },
    /// The person for whom a seat was kept does not want it: it is open or, at a private table, for invited people.
    Declined {
        seat: u8,
    },
    /// All seats are taken. For each seat of the game, which seat of the set-up plays there.
    Started {
        order: Vec<u8>,
    },
    /// An action of a seat or, without one, of chance.
    Acted {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
        action: String,
        /// For how many milliseconds its messages were under way, which are given back to the seat's clock. Nobody is told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lag: Option<u32>,
    },
    DrawOffered {
        seat: u8,
    },
    DrawDeclined {
        seat: u8,
    },
    DrawAgreed,
    Resigned {
        seat: u8,
    },
    /// A seat asks to go back to the position after so many actions.
    UndoAsked {
        seat: u8,
        ply: u64,
    },
    UndoGranted {
        seat: u8,
    },
    UndoRefused {
        seat: u8,
    },
    /// All have granted it. The actions stay in the log.
    Undone {
        ply: u64,
    },
    FlagFell {
        seat: u8,
    },
    /// The player of this seat has left, and another side has claimed the win.
    Abandoned {
        seat: u8,
    },
    /// The players of the other side have left, and this seat has claimed a draw.
    DrawClaimed {
        seat: u8,
    },
    /// Nobody could play for a while, as the server was down or could not write: the running clock has counted until `from`, and
    /// goes on at `until`.
    Interrupted {
        from: Millis,
        until: Millis,
    },
    /// From now on the engine plays here.
    TakenOver {
        seat: u8,
    },
    Aborted,
    /// The game was given up unfinished: elsewhere, or because no person plays it any more.
    BrokenOff,
    /// The clocks show this: in a game that was interrupted and goes on.
    ClocksSet {
        left: Vec<Millis>,
    },
    /// The same people play on at another table.
    Rematch {
        table: TableId,
    },
}

impl Event {
    /// The event as those at the table are told of it.
    pub(crate) fn without_lag(&self) -> Self {
        let mut told = self.clone();
        if let Self::Acted { lag, .. } = &mut told {
            *lag = None;
        }
        told
    }

    /// Whether somebody, not chance, has made an action.
    pub fn is_move(&self) -> bool {
        matches!(self, Self::Acted { seat: Some(_), .. })
    }
}
