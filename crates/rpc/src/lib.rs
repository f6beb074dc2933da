//! Positions over JSON-RPC 2.0: a line in, a line out, without a transport.
//!
//! [`Rpc`] holds the sessions and answers single lines; [`serve`] reads lines of bounded length from any input. The
//! command line, the browser engine and the Python package all speak through here, so they cannot differ.

mod lines;
mod message;
mod methods;
mod results;
#[cfg(feature = "tools")]
mod schema;

use std::{collections::HashMap, fmt};

use message::{Call, Error, Reply};
use quincunx_core::{DynSession, GameKind};
use quincunx_engine::{Budget, Clock, Engine, Level, Review, Thinker};
use rand::Rng;
use serde_json::{Value, json};

pub use lines::{MAX_LINE, serve};
pub use results::{Look, Progress};
#[cfg(feature = "tools")]
pub use schema::schema;

/// Sessions open at the same time. Each takes some kilobytes, so this bounds the memory a client can ask for.
pub const MAX_SESSIONS: usize = 65_536;

/// Calls in one batch: their answers are one line, which must not grow without bound either.
pub const MAX_BATCH: usize = 100;

/// A set of game sessions and the methods to play them.
pub struct Rpc {
    games: &'static [&'static dyn GameKind],
    sessions: HashMap<u64, Box<dyn DynSession>>,
    last_session: u64,
    /// Games that are being judged, by their session.
    reviews: HashMap<u64, Review>,
    engines: Engines,
    /// Bytes that an engine may use.
    memory: usize,
    /// For draws that the client leaves to chance (`"action": "?"`).
    rng: Box<dyn Rng + Send>,
    /// For the engines' thinking.
    clock: Box<dyn Clock>,
}

/// Who plays which game: gives a thinker of a level for the id of a game, if somebody plays it.
#[derive(Clone, Copy, Debug)]
pub struct Engines(pub fn(Level, &str) -> Option<Box<dyn Thinker>>);

impl Engines {
    /// The engines of the five games.
    pub const OURS: Self = Self(|level, game| Engine::Level(level).thinker(game));

    fn thinker(self, level: Level, game: &str) -> Option<Box<dyn Thinker>> {
        self.0(level, game)
    }
}

impl fmt::Debug for Rpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rpc").field("games", &self.games).field("sessions", &self.sessions).finish_non_exhaustive()
    }
}

impl Rpc {
    pub fn new(games: &'static [&'static dyn GameKind], rng: Box<dyn Rng + Send>, clock: Box<dyn Clock>) -> Self {
        let (sessions, reviews) = (HashMap::new(), HashMap::new());
        Self { games, sessions, last_session: 0, reviews, engines: Engines::OURS, memory: Budget::MEMORY, rng, clock }
    }

    /// Lets engines use this many bytes.
    #[must_use]
    pub fn with_memory(self, memory: usize) -> Self {
        Self { memory, ..self }
    }

    /// Lets other engines play.
    #[must_use]
    pub fn with_engines(self, engines: Engines) -> Self {
        Self { engines, ..self }
    }

    /// Answers one line: a call or a batch of calls. A line of notifications only (calls without an id) has no answer.
    pub fn line(&mut self, line: &str) -> Option<String> {
        let reply = match serde_json::from_str(line) {
            Err(error) => Some(Reply::error(Value::Null, Error::not_json(&error))),
            Ok(Value::Array(calls)) if !(1..=MAX_BATCH).contains(&calls.len()) => {
                let why = format!("a batch holds 1 to {MAX_BATCH} calls");
                Some(Reply::error(Value::Null, Error::invalid_request(&why)))
            }
            Ok(Value::Array(calls)) => {
                let replies: Vec<Value> = calls.into_iter().filter_map(|call| self.answer(call)).collect();
                (!replies.is_empty()).then_some(Value::Array(replies))
            }
            Ok(call) => self.answer(call),
        };
        reply.map(|reply| reply.to_string())
    }

    fn answer(&mut self, message: Value) -> Option<Value> {
        let call = match Call::read(message) {
            Ok(call) => call,
            Err((id, error)) => return Some(Reply::error(id, error)),
        };
        let result = self.call(&call.method, call.params);
        let id = call.id?;
        Some(match result {
            Ok(result) => Reply::result(id, result),
            Err(error) => Reply::error(id, error),
        })
    }

    fn session(&mut self, session: u64) -> Result<&mut Box<dyn DynSession>, Error> {
        self.sessions.get_mut(&session).ok_or_else(|| methods::no_session(session))
    }

    fn open(&mut self, table: Box<dyn DynSession>) -> Result<Value, Error> {
        if self.sessions.len() >= MAX_SESSIONS {
            return Err(Error::refused(format!("{MAX_SESSIONS} sessions are open; close one first")));
        }
        self.last_session += 1;
        let position = methods::everything(&*table);
        self.sessions.insert(self.last_session, table);
        Ok(json!({ "session": self.last_session, "position": position }))
    }
}
