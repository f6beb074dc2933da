//! A connection to tables: typed requests in, typed events out, whether a server carries them out or a host in this process.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quincunx_table::protocol::{Listing, Remark, Request, Snapshot};
use quincunx_table::{Command, Millis, Person, Setup, TableId, UserId};

use crate::random;

/// A connection. Copies lead to the same one, which ends with the last of them.
#[derive(Clone)]
pub struct Connection(Arc<Shared>);

struct Shared {
    number: u64,
    address: String,
    take: Box<dyn Fn(Order) + Send + Sync>,
    /// What the ids of this connection begin with: a command with an id that is known is not carried out again.
    prefix: u64,
    named: AtomicU64,
}

/// What is wanted of the other side.
#[derive(Clone, PartialEq)]
pub enum Order {
    Guest {
        name: String,
    },
    LogIn {
        name: String,
        password: String,
    },
    Register {
        name: String,
        password: String,
    },
    /// Tries at once to connect, without waiting any longer.
    Hurry,
    Watch {
        table: TableId,
        invitation: Option<String>,
    },
    Unwatch(TableId),
    WatchLobby(bool),
    /// Asks for the lists of tables.
    Tables,
    /// Sends a request until it is answered.
    Send(Box<Request>),
}

/// Passwords stay out of logs.
impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Guest { name } => write!(f, "Guest({name})"),
            Self::LogIn { name, .. } => write!(f, "LogIn({name})"),
            Self::Register { name, .. } => write!(f, "Register({name})"),
            Self::Hurry => write!(f, "Hurry"),
            Self::Watch { table, invitation } => write!(f, "Watch({}, {invitation:?})", table.0),
            Self::Unwatch(table) => write!(f, "Unwatch({})", table.0),
            Self::WatchLobby(yes) => write!(f, "WatchLobby({yes})"),
            Self::Tables => write!(f, "Tables"),
            Self::Send(request) => write!(f, "Send({request:?})"),
        }
    }
}

/// What has happened at the other side, or on the way to it.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The connection is there, for the first time or again.
    Connected(Welcome),
    /// The connection is not there; when it is tried again.
    Lost {
        why: String,
        pause: Duration,
    },
    /// Somebody was not let in, and why.
    NotAdmitted(String),
    /// A table that is watched, as it is now.
    Table(Box<Snapshot>),
    /// A table cannot be watched.
    Denied {
        table: TableId,
        why: String,
    },
    Said {
        table: TableId,
        remarks: Vec<Remark>,
    },
    /// Who watches a table now: those who play there, and how many others.
    Present {
        table: TableId,
        seated: Vec<UserId>,
        others: u32,
    },
    /// What became of a request.
    Answered {
        id: String,
        answer: Result<Done, String>,
    },
    /// The tables of the lobby and mine, and those among them where it is my turn.
    Tables(Result<(Vec<Listing>, Vec<TableId>), String>),
    /// A table of the lobby or mine has changed.
    Listed(Box<Listing>),
}

/// An event, and the connection that it comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct News {
    /// The [number](Connection::number) of the connection.
    pub connection: u64,
    pub event: Event,
}

/// How the other side greets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Welcome {
    /// Who we are taken for.
    pub user: Option<Person>,
    /// How much later it is on the clock of the other side than here.
    pub ahead: Millis,
    /// Whether it speaks another version of the protocol.
    pub foreign: bool,
}

impl Welcome {
    pub fn id(&self) -> Option<UserId> {
        self.user.as_ref().map(|user| user.id)
    }
}

/// Something was carried out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// The version that the table has at least.
    pub version: Option<u64>,
    /// The table that was set up, or where a game is played again.
    pub table: Option<TableId>,
}

impl Connection {
    /// A connection whose orders are carried out by a function; it is dropped with the last copy.
    pub fn over(address: &str, take: impl Fn(Order) + Send + Sync + 'static) -> Self {
        Self::numbered(next_number(), address, take)
    }

    pub(crate) fn numbered(number: u64, address: &str, take: impl Fn(Order) + Send + Sync + 'static) -> Self {
        let shared = Shared {
            number,
            address: address.to_owned(),
            take: Box::new(take),
            prefix: random(),
            named: AtomicU64::new(0),
        };
        Self(Arc::new(shared))
    }

    /// Tells the news of this connection from those of another one.
    pub fn number(&self) -> u64 {
        self.0.number
    }

    /// The address of the server.
    pub fn address(&self) -> &str {
        &self.0.address
    }

    pub fn order(&self, order: Order) {
        (self.0.take)(order);
    }

    /// An id that no other request has.
    pub fn new_id(&self) -> String {
        format!("{:x}-{}", self.0.prefix, self.0.named.fetch_add(1, Ordering::Relaxed))
    }

    pub fn watch(&self, table: &TableId, invitation: Option<&str>) {
        self.order(Order::Watch { table: table.clone(), invitation: invitation.map(str::to_owned) });
    }

    pub fn unwatch(&self, table: &TableId) {
        self.order(Order::Unwatch(table.clone()));
    }

    /// Does something at a table, for a seat or for the one that is meant; gives the id of the answer.
    pub fn command(&self, table: &TableId, seat: Option<u8>, command: Command) -> String {
        self.send(|id| Request::Command { id, table: table.clone(), seat, command })
    }

    /// The player of a seat has come to a screen that several share; gives the id of the answer.
    pub fn look(&self, table: &TableId, seat: u8) -> String {
        self.send(|id| Request::Look { id, table: table.clone(), seat })
    }

    /// Says something at a table; gives the id of the answer.
    pub fn say(&self, table: &TableId, text: &str) -> String {
        self.send(|id| Request::Say { id, table: table.clone(), text: text.to_owned() })
    }

    /// Sets up a table. With the same id it is one table, however often it is asked for.
    pub fn create(&self, id: &str, setup: Setup) {
        self.order(Order::Send(Box::new(Request::Create { id: id.to_owned(), setup: Box::new(setup) })));
    }

    fn send(&self, request: impl FnOnce(String) -> Request) -> String {
        let id = self.new_id();
        self.order(Order::Send(Box::new(request(id.clone()))));
        id
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("address", &self.0.address).finish_non_exhaustive()
    }
}

pub(crate) fn next_number() -> u64 {
    static NUMBERS: AtomicU64 = AtomicU64::new(0);
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

/// A reason as a sentence: with a full stop, and with a capital unless it begins with the notation of a game, such as a1b1.
pub fn sentence(text: &str) -> String {
    let text = text.trim();
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return String::new() };
    let end = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    let word = text.split(' ').next().unwrap_or_default().trim_end_matches([':', ',']);
    if word.chars().all(char::is_alphabetic) {
        format!("{}{}{end}", first.to_uppercase(), letters.as_str())
    } else {
        format!("{text}{end}")
    }
}
