//! The methods, with their parameters.

use quincunx_core::{ActionError, Record, Seat, Table, Viewer, find, present};
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
        let Some(table) = sessions.get_mut(&params.session) else {
            return Err(Error::refused(format!("there is no session {}", params.session)));
        };
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
        self.session(params.session)?;
        if params.level.is_some() == params.millis.is_some() {
            return Err(Error::invalid_params("give either \"level\" or \"millis\""));
        }
        Err(Error::refused("bestmove is not available yet: this build has no engine"))
    }

    fn close(&mut self, params: OfSession) -> Result<Value, Error> {
        self.session(params.session)?;
        self.sessions.remove(&params.session);
        Ok(Value::Null)
    }
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
