//! A screen at a host: what a client does, without a connection in between.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use quincunx_engine::{Budget, Clock, Engine};
use quincunx_games::GAMES;
use quincunx_table::protocol::{Message, Refused, Request, Snapshot};
use quincunx_table::{ConnectionId, Effect, Host, Job, Millis, Person, Status, Thinking, UserId, UserKind};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

/// A clock that goes on by a millisecond with every look.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// A screen with a table on it, as a client keeps it: a snapshot that takes updates.
pub struct Screen {
    pub host: Host,
    pub connection: ConnectionId,
    pub rng: Xoshiro256PlusPlus,
    pub now: Millis,
    pub asked: u64,
    pub snapshot: Option<Snapshot>,
    pub jobs: VecDeque<Job>,
    pub kept: Option<String>,
    pub halted: bool,
}

impl Screen {
    pub fn new(seed: u64) -> Self {
        let mut host = Host::new(GAMES);
        let person = Person { id: UserId(1), name: "Ada".to_owned(), kind: UserKind::Guest };
        let (connection, _) = host.connect(Some(person), 0);
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (snapshot, jobs, kept) = (None, VecDeque::new(), None);
        Self { host, connection, rng, now: 1_000, asked: 0, snapshot, jobs, kept, halted: false }
    }

    pub fn set_up(setup: Value, seed: u64) -> Self {
        let mut screen = Self::new(seed);
        let done = screen.ask(json!({"type": "create", "setup": setup})).expect("a table");
        screen.watch(&done);
        screen
    }

    pub fn watch(&mut self, done: &Message) {
        let Message::Done { table: Some(table), .. } = done else { panic!("{done:?}") };
        self.snapshot = None;
        self.ask(json!({"type": "watch", "table": table, "full": true})).expect("it is seen");
    }

    pub fn ask(&mut self, mut request: Value) -> Result<Message, (Refused, String)> {
        self.asked += 1;
        request["id"] = json!(self.asked.to_string());
        let request: Request = serde_json::from_value(request).expect("a request");
        let effects = self.host.handle(self.connection, request, self.now, &mut self.rng);
        match self.take(effects).expect("an answer") {
            Message::Refused { code, reason, .. } => Err((code, reason)),
            done => Ok(done),
        }
    }

    pub fn command(&mut self, command: Value) -> Result<Message, (Refused, String)> {
        let table = self.shown().table.clone();
        self.ask(json!({"type": "command", "table": table, "command": command}))
    }

    pub fn act(&mut self, action: &str) -> Result<Message, (Refused, String)> {
        self.command(json!({"type": "act", "action": action}))
    }

    pub fn take(&mut self, effects: Vec<Effect>) -> Option<Message> {
        let mut answer = None;
        for effect in effects {
            match effect {
                Effect::Send { message: Message::Snapshot(snapshot), .. } => self.snapshot = Some(*snapshot),
                Effect::Send { message: Message::Update(update), .. } => {
                    let snapshot = self.snapshot.as_mut().expect("a snapshot comes first");
                    snapshot.apply(*update).expect("updates follow each other");
                }
                Effect::Send { message, .. } => answer = Some(message),
                Effect::Think(job) => self.jobs = VecDeque::from([*job]),
                Effect::Halt(_) => {
                    self.jobs.clear();
                    self.halted = true;
                }
                Effect::Keep { record, .. } => self.kept = Some(record),
            }
        }
        answer
    }

    pub fn shown(&self) -> &Snapshot {
        self.snapshot.as_ref().expect("a table")
    }

    /// What is shown is what a new look at the table would show.
    pub fn check(&mut self) {
        let mut folded = self.shown().clone();
        let (eyes, table) = (folded.viewer, folded.table.clone());
        self.ask(json!({"type": "watch", "table": table, "full": true})).expect("it is seen");
        let mut fresh = self.shown().clone();
        // A patch cannot tell a member that is null from one that is missing.
        for snapshot in [&mut folded, &mut fresh] {
            snapshot.position.view = without_nulls(&snapshot.position.view);
        }
        assert_eq!((&folded.log, &folded.seats, folded.status), (&fresh.log, &fresh.seats, fresh.status));
        assert_eq!((&folded.position, &folded.clocks, eyes), (&fresh.position, &fresh.clocks, fresh.viewer));
        assert_eq!((&folded.ending, folded.hand_over, folded.version), (&fresh.ending, fresh.hand_over, fresh.version));
    }

    /// Lets the engine that was asked think, and takes its answer.
    pub fn think(&mut self) -> bool {
        let Some(job) = self.jobs.pop_front() else { return false };
        let (clock, stop) = (Ticking::default(), AtomicBool::new(false));
        let thinker = |level, game: &str| Engine::Level(level).thinker(game);
        let with = Thinking { games: GAMES, thinker, clock: &clock, memory: Budget::MEMORY, stop: &stop };
        let answer = job.think(with, |_| ()).expect("an answer");
        let effects = self.host.answer(&answer, self.now, &mut self.rng);
        self.take(effects);
        true
    }

    /// A random action of the person on turn, who comes to the screen first.
    pub fn play(&mut self) -> bool {
        if let Some(seat) = self.shown().hand_over {
            let table = self.shown().table.clone();
            self.ask(json!({"type": "look", "table": table, "seat": seat})).expect("it is their seat");
        }
        let offers: Vec<String> = self.shown().position.actions.iter().map(|offer| offer.action.clone()).collect();
        if offers.is_empty() || self.shown().status != Status::Playing {
            return false;
        }
        self.now += 1_000;
        let action = offers[self.rng.random_range(0..offers.len())].clone();
        self.act(&action).expect("what is offered is legal");
        true
    }
}

pub fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let present = members.iter().filter(|(_, member)| !member.is_null());
            Value::Object(present.map(|(name, member)| (name.clone(), without_nulls(member))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(without_nulls).collect()),
        other => other.clone(),
    }
}

pub fn person(name: &str) -> Value {
    json!({"kind": "person", "name": name})
}

pub fn setup(game: &str, seats: Vec<Value>) -> Value {
    json!({"game": game, "seats": seats, "undo": "free", "public": false})
}
