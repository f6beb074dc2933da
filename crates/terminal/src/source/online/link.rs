//! The way to a server that screens and tables share.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use quincunx_client::Client;
use rand::rngs::{StdRng, SysRng};
use rand::{Rng, SeedableRng};
use serde_json::Value;
use tokio::runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::keeper::Keeper;
use super::place::{Place, Visit, server_of};
use super::{News, Setup};
use crate::event::{self, Reporter};

/// The way to a server. Copies lead to the same connection, which ends with the last of them.
#[derive(Clone)]
pub struct Link(Arc<Shared>);

struct Shared {
    number: u64,
    server: String,
    wishes: UnboundedSender<Wish>,
    /// What the ids of this run begin with: a server does nothing twice that has the same id.
    run: u64,
    named: AtomicU64,
}

/// What is wanted from a server.
pub enum Wish {
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
    Watch(Place),
    /// Asks for a table with all that may be done there, once for each of its versions.
    Ask {
        place: Place,
        version: u64,
    },
    Unwatch {
        table: String,
    },
    WatchLobby {
        yes: bool,
    },
    /// Asks for the lists of tables.
    Tables,
    /// Sends a request of the live connection until it is answered.
    Send {
        id: String,
        request: Value,
    },
    SetUp {
        id: String,
        setup: Box<Setup>,
    },
    /// Somebody has been let in: from now on the connection is his.
    Become(Box<Client>),
    /// Nobody knows whether it was done: it is sent again.
    Again {
        id: String,
    },
    /// A table that could not be watched is tried again.
    LookAgain {
        table: String,
    },
}

/// Passwords stay out of logs.
impl fmt::Debug for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Guest { name } => write!(f, "Guest({name})"),
            Self::LogIn { name, .. } => write!(f, "LogIn({name})"),
            Self::Register { name, .. } => write!(f, "Register({name})"),
            Self::Hurry => write!(f, "Hurry"),
            Self::Watch(place) => write!(f, "Watch({place:?})"),
            Self::Ask { place, version } => write!(f, "Ask({}, {version})", place.table),
            Self::Unwatch { table } => write!(f, "Unwatch({table})"),
            Self::WatchLobby { yes } => write!(f, "WatchLobby({yes})"),
            Self::Tables => write!(f, "Tables"),
            Self::Send { request, .. } => write!(f, "Send({request})"),
            Self::SetUp { setup, .. } => write!(f, "SetUp({setup:?})"),
            Self::Become(client) => write!(f, "Become({client:?})"),
            Self::Again { id } => write!(f, "Again({id})"),
            Self::LookAgain { table } => write!(f, "LookAgain({table})"),
        }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("server", &self.0.server).finish_non_exhaustive()
    }
}

impl Link {
    /// Goes to a server, in a thread of its own. What comes of it is told to the reporter.
    pub fn to(visit: &Visit, reporter: Reporter) -> Result<Self, String> {
        let mut client = Client::new(server_of(&visit.server)).map_err(|error| error.to_string())?;
        if let Some(token) = &visit.token {
            client = client.with_token(token);
        }
        let system = |error: std::io::Error| format!("the connection cannot be prepared: {error}");
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(system)?;
        let (link, wishes) = Self::new(client.address())?;
        let (number, own) = (link.0.number, link.0.wishes.downgrade());
        let tell = move |what| reporter.tell(event::News::Online(News { link: number, what }));
        let keeper = Keeper::new(client, tell, own, random()?);
        let work = move || runtime.block_on(keeper.run(wishes));
        thread::Builder::new().name("server".to_owned()).spawn(work).map_err(system)?;
        Ok(link)
    }

    /// A link, and the other end of it.
    pub(crate) fn new(server: &str) -> Result<(Self, UnboundedReceiver<Wish>), String> {
        static LINKS: AtomicU64 = AtomicU64::new(0);
        let (wishes, other_end) = unbounded_channel();
        let shared = Shared {
            number: LINKS.fetch_add(1, Ordering::Relaxed),
            server: server.to_owned(),
            wishes,
            run: random()?.next_u64(),
            named: AtomicU64::new(0),
        };
        Ok((Self(Arc::new(shared)), other_end))
    }

    /// Tells the news of this link from those of another one.
    pub fn number(&self) -> u64 {
        self.0.number
    }

    /// The address of the server.
    pub fn server(&self) -> &str {
        &self.0.server
    }

    pub fn wish(&self, wish: Wish) {
        // The thread at the other end is there as long as a link is.
        let _ = self.0.wishes.send(wish);
    }

    /// An id that no other request has.
    pub fn new_id(&self) -> String {
        format!("{:x}-{}", self.0.run, self.0.named.fetch_add(1, Ordering::Relaxed))
    }

    /// Does something at a table; gives the id of the answer.
    pub fn command(&self, table: &str, command: Value) -> String {
        self.send(serde_json::json!({"type": "command", "table": table, "command": command}))
    }

    /// Says something at a table; gives the id of the answer.
    pub fn say(&self, table: &str, text: &str) -> String {
        self.send(serde_json::json!({"type": "say", "table": table, "text": text}))
    }

    fn send(&self, mut request: Value) -> String {
        let id = self.new_id();
        request["id"] = Value::String(id.clone());
        self.wish(Wish::Send { id: id.clone(), request });
        id
    }
}

fn random() -> Result<StdRng, String> {
    StdRng::try_from_rng(&mut SysRng).map_err(|error| format!("no random numbers: {error}"))
}
