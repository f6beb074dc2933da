//! The methods, with their parameters.

use std::{sync::atomic::AtomicBool, time::Duration};

use quincunx_core::{ActionError, Actor, DynSession, GameKind, Reason, Record, Seat, Turn, Viewer, find, present};
use quincunx_engine::{Budget, Control, Level, Review, Thought};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Number, Value, json};

use crate::{
    Rpc,
    message::Error,
    results::{About, GameEntry, Look, Progress},
};

const METHODS: &[&str] = &[
    "games",
    "about",
    #[cfg(feature = "tools")]
    "schema",
    "new",
    "position",
    "look",
    "check",
    "apply",
    "undo",
    "record",
    "load",
    "bestmove",
    "review",
    "close",
];

impl Rpc {
    pub(crate) fn call(&mut self, method: &str, params: Map<String, Value>) -> Result<Value, Error> {
        match method {
            "games" => read(params).map(|Nothing {}| self.games()),
            "about" => self.about(&read(params)?),
            #[cfg(feature = "tools")]
            "schema" => read(params).map(|Nothing {}| crate::schema()),
            "new" => self.new_session(read(params)?),
            "position" => self.position(read(params)?),
            "look" => self.look(read(params)?),
            "check" => self.check(&read(params)?),
            "apply" => self.apply(read(params)?),
            "undo" => self.undo(read(params)?),
            "record" => self.record(read(params)?),
            "load" => self.load(&read(params)?),
            "bestmove" => self.best_move(&read(params)?),
            "review" => self.review(&read(params)?),
            "close" => self.close(read(params)?),
            _ => Err(Error::unknown_method(method, METHODS)),
        }
    }

    fn games(&self) -> Value {
        let entry = |game: &&dyn GameKind| GameEntry {
            id: game.id(),
            title: game.title(),
            seats: game.seats(),
            options: game.options_schema(),
        };
        json!(self.games.iter().map(entry).collect::<Vec<_>>())
    }

    fn new_session(&mut self, params: New) -> Result<Value, Error> {
        let kind = find(self.games, &params.game).map_err(Error::by_rules)?;
        let options = params.options.unwrap_or_else(|| json!({}));
        let table = kind.start(params.seats, &options).map_err(Error::by_rules)?;
        self.open(table)
    }

    fn about(&self, params: &OfGame) -> Result<Value, Error> {
        let kind = find(self.games, &params.game).map_err(Error::by_rules)?;
        Ok(json!(About {
            credits: kind.credits(),
            hidden: kind.hidden_information(),
            engine: self.engines.thinker(Level::Master, kind.id()).is_some(),
            #[cfg(feature = "tools")]
            rules: kind.rules(),
            #[cfg(feature = "tools")]
            view: kind.view_schema(),
        }))
    }

    fn position(&mut self, params: OfViewer) -> Result<Value, Error> {
        let table = self.session(params.session)?;
        let viewer = viewer(&**table, params.seat)?;
        Ok(json!(table.position(viewer)))
    }

    /// What a person at the table needs to see at once: the position, now or earlier, what may be offered, and the log.
    fn look(&mut self, params: LookAt) -> Result<Value, Error> {
        let table = self.session(params.session)?;
        let viewer = viewer(&**table, params.seat)?;
        let log = table.log(viewer);
        let mut earlier = None;
        if let Some(ply) = params.ply {
            let made = table.ply() as u64;
            let back = made.checked_sub(ply);
            let back = back.ok_or_else(|| Error::refused(format!("only {made} actions were made, not {ply}")))?;
            let copy = earlier.insert(table.boxed_clone());
            copy.undo(back).map_err(Error::by_rules)?;
        }
        let table = earlier.as_deref().unwrap_or(&**table);
        let offers = match viewer {
            Viewer::Seat(seat) if table.turn() != Turn::Chance => table.offers(seat),
            _ => Vec::new(),
        };
        Ok(json!(Look { position: table.position(viewer), offers, log }))
    }

    /// Why an action cannot be made; `null` if it can.
    fn check(&mut self, params: &Apply) -> Result<Value, Error> {
        let table = self.session(params.session)?;
        let seats = table.seats();
        let by = match params.seat {
            Some(number) => Actor::Seat(Seat::at_table(number, seats).ok_or_else(|| no_seat(&number.into(), seats))?),
            None => table.turn().actor().ok_or_else(|| Error::by_rules(ActionError::Over))?,
        };
        Ok(json!(table.check(by, &params.action).err().map(Reason::from)))
    }

    fn apply(&mut self, params: Apply) -> Result<Value, Error> {
        let Self { sessions, reviews, rng, .. } = self;
        let table = sessions.get_mut(&params.session).ok_or_else(|| no_session(params.session))?;
        let done: Result<(), ActionError> = match (params.seat, params.action.as_str()) {
            (None, "?") => table.draw(rng).map(|_| ()),
            (seat, action) => table.apply(seat, action),
        };
        done.map_err(Error::by_rules)?;
        // What was judged so far is no longer this game.
        reviews.remove(&params.session);
        Ok(everything(&**table))
    }

    fn undo(&mut self, params: Undo) -> Result<Value, Error> {
        let table = self.session(params.session)?;
        table.undo(params.count.unwrap_or(1)).map_err(Error::by_rules)?;
        let position = everything(&**table);
        self.reviews.remove(&params.session);
        Ok(position)
    }

    fn record(&mut self, params: OfSession) -> Result<Value, Error> {
        Ok(json!(self.session(params.session)?.record().to_text()))
    }

    fn load(&mut self, params: &Load) -> Result<Value, Error> {
        let record = Record::parse(&params.record).map_err(Error::by_rules)?;
        let table = record.replay(self.games).map_err(Error::by_rules)?;
        self.open(table)
    }

    fn best_move(&mut self, params: &BestMove) -> Result<Value, Error> {
        let table = self.sessions.get(&params.session).ok_or_else(|| no_session(params.session))?;
        let id = table.kind().id();
        let (level, budget) = match (&params.level, params.millis) {
            (Some(name), None) => {
                let level: Level = name.parse().map_err(|why: String| Error::invalid_params(why))?;
                (level, level.budget(id))
            }
            (None, Some(millis)) => (Level::Master, within(millis)?),
            _ => return Err(Error::invalid_params("give either \"level\" or \"millis\"")),
        };
        let seat = match (params.seat, table.turn()) {
            (_, Turn::Chance) => return Err(Error::refused("chance is next: there is nothing to think about")),
            (_, Turn::Over) => return Err(Error::by_rules(ActionError::Over)),
            (None, Turn::Seat(seat)) => seat,
            (Some(number), Turn::Seat(on_turn)) => {
                let seats = table.seats();
                let seat = Seat::at_table(number, seats).ok_or_else(|| no_seat(&number.into(), seats))?;
                if seat != on_turn && table.actions(seat).is_empty() {
                    return Ok(Value::Null);
                }
                seat
            }
        };
        let lines = params.lines.unwrap_or(1);
        if !(1..=MAX_LINES).contains(&lines) {
            return Err(Error::invalid_params(format!("\"lines\" is 1 to {MAX_LINES}")));
        }
        let mut thinker = self.engines.thinker(level, id).ok_or_else(|| no_engine(id))?;
        let never = AtomicBool::new(false);
        let budget = Budget { memory: self.memory, ..budget };
        let seed = params.seed.unwrap_or_else(|| self.rng.next_u64());
        let control = Control::new(budget, seed, &*self.clock, &never).with_lines(lines as usize);
        Ok(json!(thinker.think(&**table, seat, &control)))
    }

    /// Judges the next action of a game; a client asks until all are done, so that it can show how far the work is.
    fn review(&mut self, params: &StepOfReview) -> Result<Value, Error> {
        let Self { sessions, reviews, engines, rng, clock, memory, .. } = self;
        let table = sessions.get(&params.session).ok_or_else(|| no_session(params.session))?;
        let budget = Budget { memory: *memory, ..within(params.millis)? };
        let id = table.kind().id();
        let mut thinker = engines.thinker(Level::Master, id).ok_or_else(|| no_engine(id))?;
        let review = reviews.entry(params.session).or_insert_with(|| Review::of(&**table));
        let never = AtomicBool::new(false);
        let judge = |table: &dyn DynSession, action: &str| {
            thinker.judge(table, action, &Control::new(budget, rng.next_u64(), &**clock, &never))
        };
        if !review.step(judge) {
            // Asked again it would come no further, and a client that asks until all are done would never end.
            return Err(Error::refused("the engine has no opinion about a position of this game"));
        }
        let answer = json!(Progress { done: review.done(), of: review.of_actions(), moves: review.moves().to_vec() });
        if review.done() == review.of_actions() {
            reviews.remove(&params.session);
        }
        Ok(answer)
    }

    fn close(&mut self, params: OfSession) -> Result<Value, Error> {
        self.session(params.session)?;
        self.sessions.remove(&params.session);
        self.reviews.remove(&params.session);
        Ok(Value::Null)
    }
}

/// The most lines that a client can ask for.
const MAX_LINES: u64 = Thought::<String>::MOST_LINES as u64;

/// The longest time that a client can let an engine think about a move.
const MAX_MILLIS: u64 = 600_000;

fn within(millis: u64) -> Result<Budget, Error> {
    match millis {
        1..=MAX_MILLIS => Ok(Budget::time(Duration::from_millis(millis))),
        _ => Err(Error::invalid_params(format!("\"millis\" is 1 to {MAX_MILLIS}"))),
    }
}

/// Who looks: a seat, somebody who only watches or, if nothing is said, somebody who sees everything.
fn viewer(table: &dyn DynSession, seat: Option<Value>) -> Result<Viewer, Error> {
    match seat {
        None => Ok(Viewer::Everything),
        Some(Value::String(word)) if word == "spectator" => Ok(Viewer::Spectator),
        Some(Value::Number(number)) => {
            let seats = table.seats();
            let seat = number.as_u64().and_then(|number| Seat::at_table(number, seats));
            seat.map(Viewer::Seat).ok_or_else(|| no_seat(&number, seats))
        }
        Some(_) => Err(Error::invalid_params("\"seat\" is a number or \"spectator\"")),
    }
}

fn no_seat(number: &Number, seats: u8) -> Error {
    Error::refused(format!("there is no seat {number}: seats are 0 to {}", seats - 1))
}

fn no_engine(game: &str) -> Error {
    Error::refused(format!("no engine plays {game}"))
}

pub(crate) fn no_session(session: u64) -> Error {
    Error::refused(format!("there is no session {session}"))
}

/// The position with everything shown, as local sessions give it.
pub(crate) fn everything(table: &dyn DynSession) -> Value {
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
struct OfViewer {
    session: u64,
    #[serde(default, deserialize_with = "present")]
    seat: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LookAt {
    session: u64,
    #[serde(default, deserialize_with = "present")]
    seat: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    ply: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfGame {
    game: String,
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
    #[serde(default, deserialize_with = "present")]
    seat: Option<u64>,
    #[serde(default, deserialize_with = "present")]
    lines: Option<u64>,
    #[serde(default, deserialize_with = "present")]
    seed: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepOfReview {
    session: u64,
    millis: u64,
}
