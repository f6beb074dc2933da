//! The methods, with their parameters.

use std::{sync::atomic::AtomicBool, time::Duration};

use quincunx_core::{ActionError, Actor, Record, Seat, Table, Turn, Viewer, find, present};
use quincunx_engine::{Budget, Control, Engine, Level, Thought};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use crate::{Rpc, message::Error};

const METHODS: [&str; 9] = ["games", "new", "position", "apply", "undo", "record", "load", "bestmove", "close"];

impl Rpc {
    pub(crate) fn call(&mut self, method: &str, params: Map<String, Value>) -> Result<Value, Error> {
        match method {
            "games" => read(params).map(|Nothing {}| self.games()),
            "new" => self.new_session(read(params)?),
            "position" => self.position(read(params)?),
            "apply" => self.apply(read(params)?),
            "undo" => self.undo(read(params)?),
            "record" => self.record(read(params)?),
            "load" => self.load(&read(params)?),
            "bestmove" => self.best_move(&read(params)?),
            "close" => self.close(read(params)?),
            _ => Err(Error::unknown_method(method, &METHODS)),
        }
    }

    fn games(&self) -> Value {
        let game = |game: &&dyn quincunx_core::GameKind| {
            json!({
                "id": game.id(), "title": game.title(), "seats": game.seats(), "options": game.options_schema()
            })
        };
        self.games.iter().map(game).collect()
    }

    fn new_session(&mut self, params: New) -> Result<Value, Error> {
        let kind = find(self.games, &params.game).map_err(Error::refused)?;
        let options = params.options.unwrap_or_else(|| json!({}));
        let table = kind.start(params.seats, &options).map_err(Error::refused)?;
        self.open(table)
    }

    fn position(&mut self, params: Look) -> Result<Value, Error> {
        let table = self.session(params.session)?;
        let viewer = match params.seat {
            None => Viewer::Everything,
            Some(Value::String(word)) if word == "spectator" => Viewer::Spectator,
            Some(Value::Number(number)) => {
                let seats = table.seats();
                let seat = number.as_u64().and_then(|number| Seat::at_table(number, seats));
                let refuse = || Error::refused(format!("there is no seat {number}: seats are 0 to {}", seats - 1));
                Viewer::Seat(seat.ok_or_else(refuse)?)
            }
            Some(_) => return Err(Error::invalid_params("\"seat\" is a number or \"spectator\"")),
        };
        Ok(json!(table.position(viewer)))
    }

    fn apply(&mut self, params: Apply) -> Result<Value, Error> {
        let Self { sessions, rng, .. } = self;
        let table = sessions.get_mut(&params.session).ok_or_else(|| no_session(params.session))?;
        let done: Result<(), ActionError> = match (params.seat, params.action.as_str()) {
            (None, "?") => table.draw(rng).map(|_| ()),
            (seat, action) => table.apply(seat, action),
        };
        done.map_err(Error::refused)?;
        Ok(everything(&**table))
    }

    fn undo(&mut self, params: Undo) -> Result<Value, Error> {
        let table = self.session(params.session)?;
        table.undo(params.count.unwrap_or(1)).map_err(Error::refused)?;
        Ok(everything(&**table))
    }

    fn record(&mut self, params: OfSession) -> Result<Value, Error> {
        Ok(json!(self.session(params.session)?.record().to_text()))
    }

    fn load(&mut self, params: &Load) -> Result<Value, Error> {
        let record = Record::parse(&params.record).map_err(Error::refused)?;
        let table = record.replay(self.games).map_err(Error::refused)?;
        self.open(table)
    }

    fn best_move(&mut self, params: &BestMove) -> Result<Value, Error> {
        let Self { sessions, rng, clock, .. } = self;
        let table = sessions.get(&params.session).ok_or_else(|| no_session(params.session))?;
        let (level, budget) = match (&params.level, params.millis) {
            (Some(name), None) => {
                let level: Level = name.parse().map_err(|why: String| Error::invalid_params(why))?;
                (level, level.budget())
            }
            (None, Some(millis @ 1..=MAX_MILLIS)) => (Level::Master, Budget::time(Duration::from_millis(millis))),
            (None, Some(_)) => return Err(Error::invalid_params(format!("\"millis\" is 1 to {MAX_MILLIS}"))),
            _ => return Err(Error::invalid_params("give either \"level\" or \"millis\"")),
        };
        let seat = match table.turn() {
            Turn::Seat(seat) => seat,
            Turn::Chance => return Err(Error::refused("chance is next: there is nothing to think about")),
            Turn::Over => return Err(Error::refused("the game is over")),
        };
        let id = table.kind().id();
        let thinker = Engine::Level(level).thinker(id);
        let mut thinker = thinker.ok_or_else(|| Error::refused(format!("no engine plays {id}")))?;
        let never = AtomicBool::new(false);
        let control = Control::new(budget, rng.next_u64(), &**clock, &never);
        let thought = thinker.think(&**table, seat, &control).expect("who is on turn acts");
        Ok(thought_json(&thought))
    }

    fn close(&mut self, params: OfSession) -> Result<Value, Error> {
        self.session(params.session)?;
        self.sessions.remove(&params.session);
        Ok(Value::Null)
    }
}

/// The longest time that a client can let an engine think about a move.
const MAX_MILLIS: u64 = 600_000;

pub(crate) fn no_session(session: u64) -> Error {
    Error::refused(format!("there is no session {session}"))
}

/// What an engine thinks: `{action, expected, line, nodes}`.
pub fn thought_json(thought: &Thought<String>) -> Value {
    let step = |(actor, action): &(Actor, String)| match actor {
        Actor::Seat(seat) => json!({ "seat": seat.number(), "action": action }),
        Actor::Chance => json!({ "action": action }),
    };
    json!({
        "action": thought.action,
        "expected": thought.expected,
        "line": thought.line.iter().map(step).collect::<Vec<_>>(),
        "nodes": thought.nodes,
    })
}

/// The position with everything shown, as local sessions give it.
pub(crate) fn everything(table: &dyn Table) -> Value {
    json!(table.position(Viewer::Everything))
}

fn read<P: DeserializeOwned>(params: Map<String, Value>) -> Result<P, Error> {
    P::deserialize(Value::Object(params)).map_err(|error| Error::invalid_params(format!("params: {error}")))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct New {
    game: String,
    #[serde(default, deserialize_with = "present")]
    seats: Option<u64>,
    #[serde(default, deserialize_with = "present")]
    options: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfSession {
    session: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Look {
    session: u64,
    #[serde(default, deserialize_with = "present")]
    seat: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Apply {
    session: u64,
    action: String,
    #[serde(default, deserialize_with = "present")]
    seat: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Undo {
    session: u64,
    #[serde(default, deserialize_with = "present")]
    count: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Load {
    record: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BestMove {
    session: u64,
    #[serde(default, deserialize_with = "present")]
    level: Option<String>,
    #[serde(default, deserialize_with = "present")]
    millis: Option<u64>,
}
