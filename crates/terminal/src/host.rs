//! Tables in this process, behind the same connection as those of a server: a host, the engines that think in threads of their
//! own, the clock that lets flags fall, and the files in which games are kept.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use quincunx_arena::{Contestant, Decider};
use quincunx_client::{Connection, Event, Heard, Order, Tables, Welcome, local_time, sentence};
use quincunx_core::record::Headers;
use quincunx_core::{Actor, DynSession, Record, Seat};
use quincunx_engine::{Engine, Level};
use quincunx_games::GAMES;
use quincunx_table::protocol::{Request, Snapshot};
use quincunx_table::{ConnectionId, Effect, Found, Host, Job, Person, SeatPlan, TableId, UserId, UserKind};
use rand::SeedableRng;
use rand::rngs::{StdRng, SysRng};

use crate::files::{self, Shelf};

/// The times between moves that are watched, in milliseconds.
const PAUSES: [u64; 7] = [0, 125, 250, 500, 1000, 2000, 4000];
const USUAL_PAUSE: usize = 3;

/// Who sits on a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sitter {
    Person,
    Engine(Contestant),
}

/// How a game at this machine begins.
#[derive(Debug)]
pub struct Opening {
    /// New, or as far as it was played before; its headers name the players, and tell the clock.
    pub table: Box<dyn DynSession>,
    /// For each seat.
    pub sitters: Vec<Sitter>,
    /// Where the game is kept.
    pub file: Option<PathBuf>,
}

/// A table that was opened, as it is now; what happens there comes as events.
#[derive(Debug)]
pub struct Opened {
    pub connection: Connection,
    pub welcome: Welcome,
    pub here: Here,
    pub snapshot: Snapshot,
    pub events: Receiver<Event>,
}

/// A host in this process. It ends with the last copy, and with the connection.
#[derive(Clone, Debug)]
pub struct Here(Arc<Handle>);

#[derive(Debug)]
struct Handle(Arc<Room>);

impl Drop for Handle {
    fn drop(&mut self) {
        let mut desk = self.0.lock();
        desk.over = true;
        desk.thinking.values().for_each(|stop| stop.store(true, Ordering::Relaxed));
        self.0.changed.notify_all();
    }
}

struct Room {
    desk: Mutex<Desk>,
    /// Something has changed for which a thread may wait.
    changed: Condvar,
    /// Called when something has happened that nobody has just asked for.
    wake: Box<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Room").finish_non_exhaustive()
    }
}

/// A player that thinks, by name.
type Player = (String, Arc<Mutex<Box<dyn Decider>>>);

struct Desk {
    host: Host,
    connection: ConnectionId,
    rng: StdRng,
    tables: Tables,
    events: Sender<Event>,
    /// The players that were named when the game was opened. Others are known by their level alone: nothing that stands in a
    /// record starts a program.
    named: BTreeMap<String, Contestant>,
    seated: BTreeMap<(TableId, u8), Player>,
    /// What stops those who think.
    thinking: BTreeMap<TableId, Arc<AtomicBool>>,
    files: BTreeMap<TableId, PathBuf>,
    /// Where games are kept that follow the first one.
    shelf: Option<Shelf>,
    /// What people wrote into the record besides.
    headers: Headers,
    pace: Option<Pace>,
    notices: Vec<String>,
    over: bool,
}

/// How engines play that are watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pace {
    paused: bool,
    /// Whether one move may come all the same.
    step: bool,
    /// Which of [`PAUSES`] comes before a move.
    speed: usize,
}

impl Here {
    /// Opens a table. `wake` is called when there are events that nobody has just asked for.
    pub fn open(
        opening: Opening,
        shelf: Option<Shelf>,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Result<Opened, String> {
        let Opening { table: session, sitters, file } = opening;
        let mut rng = StdRng::try_from_rng(&mut SysRng).map_err(|error| format!("no random numbers: {error}"))?;
        let table = TableId::random(&mut rng);
        let (mut plans, mut named, mut seated) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        for (seat, sitter) in Seat::all(session.seats()).zip(sitters) {
            plans.push(match sitter {
                Sitter::Person => SeatPlan::Person { name: name(&*session, seat) },
                Sitter::Engine(player) => {
                    let level = player.to_string();
                    let decider = player.sit(&*session, seat).map_err(|why| format!("{level}: {why}"))?;
                    seated.insert((table.clone(), seat.number()), (level.clone(), Arc::new(Mutex::new(decider))));
                    named.insert(level.clone(), player);
                    SeatPlan::Engine { level }
                }
            });
        }
        let watched = plans.iter().all(|plan| matches!(plan, SeatPlan::Engine { .. }));
        let mut host = Host::new(GAMES);
        let user = Person { id: UserId(1), name: "you".to_owned(), kind: UserKind::Guest };
        let (connection, _) = host.connect(Some(user.clone()), local_time());
        let (sender, events) = channel();
        let known = |name: &str| name.starts_with("Player ") || ["Clock", "Left", "Ending"].contains(&name);
        let desk = Desk {
            host,
            connection,
            rng,
            tables: Tables::default(),
            events: sender,
            named,
            seated,
            thinking: BTreeMap::new(),
            files: file.map(|file| (table.clone(), file)).into_iter().collect(),
            shelf,
            headers: session.headers().clone().into_iter().filter(|(name, _)| !known(name)).collect(),
            pace: watched.then_some(Pace { paused: false, step: false, speed: USUAL_PAUSE }),
            notices: Vec::new(),
            over: false,
        };
        let room = Arc::new(Room { desk: Mutex::new(desk), changed: Condvar::new(), wake: Box::new(wake) });
        let here = Self(Arc::new(Handle(room.clone())));
        let record = session.record().to_text();
        let open = Request::Open { id: "open".to_owned(), table: table.clone(), record, seats: Some(plans) };
        room.handle(open);
        room.watch(&table);
        let snapshot = loop {
            match events.try_recv() {
                Ok(Event::Table(snapshot)) => break *snapshot,
                Ok(Event::Answered { answer: Err(why), .. }) => return Err(why),
                Ok(_) => {}
                Err(_) => return Err("The table cannot be opened.".to_owned()),
            }
        };
        if snapshot.clocks.is_some() {
            let room = room.clone();
            thread::spawn(move || room.let_flags_fall());
        }
        let carrying = here.clone();
        let connection = Connection::over("", move |order| carrying.0.0.obey(order));
        let welcome = Welcome { user: Some(user), ahead: 0, foreign: false };
        Ok(Opened { connection, welcome, here, snapshot, events })
    }

    /// The game as it is, everything shown.
    pub fn session(&self, table: &TableId) -> Option<Box<dyn DynSession>> {
        self.0.0.lock().host.state(table).map(|state| state.game.boxed_clone())
    }

    /// The game as it would be kept.
    pub fn record(&self, table: &TableId) -> Option<Record> {
        let desk = self.0.0.lock();
        let record = desk.host.state(table)?.record(local_time())?;
        Some(desk.as_kept(record))
    }

    /// What there is to say that nobody has asked for.
    pub fn notices(&self) -> Vec<String> {
        std::mem::take(&mut self.0.0.lock().notices)
    }

    /// Whether nobody plays but engines.
    pub fn is_watched(&self) -> bool {
        self.0.0.lock().pace.is_some()
    }

    /// Lets engines play as fast as they think.
    pub fn play_at_once(&self) {
        self.0.0.lock().pace = None;
        self.0.0.changed.notify_all();
    }

    /// Whether an engine is asked at this table; afterwards it wakes.
    pub fn is_thinking(&self, table: &TableId) -> bool {
        self.0.0.lock().thinking.contains_key(table)
    }

    pub fn is_paused(&self) -> bool {
        self.0.0.lock().pace.is_some_and(|pace| pace.paused)
    }

    pub fn pause(&self, paused: bool) {
        self.change_pace(|pace| pace.paused = paused);
    }

    /// Lets one move come while the others wait.
    pub fn step(&self) {
        self.change_pace(|pace| pace.step = true);
    }

    /// Changes the speed of moves that are watched; gives the pause before each of them.
    pub fn hurry(&self, faster: bool) -> Duration {
        let speed = self.change_pace(|pace| {
            pace.speed = if faster { pace.speed.saturating_sub(1) } else { (pace.speed + 1).min(PAUSES.len() - 1) };
            pace.speed
        });
        Duration::from_millis(speed.map_or(0, |speed| PAUSES[speed]))
    }

    fn change_pace<R>(&self, change: impl FnOnce(&mut Pace) -> R) -> Option<R> {
        let changed = self.0.0.lock().pace.as_mut().map(change);
        self.0.0.changed.notify_all();
        changed
    }
}

impl Room {
    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn obey(self: &Arc<Self>, order: Order) {
        match order {
            Order::Watch { table, .. } => self.watch(&table),
            Order::Unwatch(table) => self.handle(Request::Unwatch { id: "unwatch".to_owned(), table }),
            Order::Send(request) => self.handle(*request),
            // Nobody has to come in here, and there is no lobby.
            Order::Guest { .. }
            | Order::LogIn { .. }
            | Order::Register { .. }
            | Order::Hurry
            | Order::WatchLobby(_)
            | Order::Tables => {}
        }
    }

    fn watch(self: &Arc<Self>, table: &TableId) {
        let (id, table) = ("watch".to_owned(), table.clone());
        self.handle(Request::Watch { id, table, invitation: None, since: None, heard: None, full: true });
    }

    fn handle(self: &Arc<Self>, request: Request) {
        let mut desk = self.lock();
        let Desk { host, connection, rng, .. } = &mut *desk;
        let effects = host.handle(*connection, request, local_time(), rng);
        self.carry_out(&mut desk, effects);
    }

    fn carry_out(self: &Arc<Self>, desk: &mut Desk, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send { message, .. } => match desk.tables.hear(message) {
                    // Where nobody listens any more, nobody has to know.
                    Heard::Event(event) => drop(desk.events.send(event)),
                    Heard::Nothing | Heard::Gap(_) => {}
                },
                Effect::Think(job) => {
                    let stop = Arc::new(AtomicBool::new(desk.over));
                    desk.stop(&job.table);
                    desk.thinking.insert(job.table.clone(), stop.clone());
                    let room = self.clone();
                    thread::spawn(move || room.think(&job, &stop));
                }
                Effect::Halt(table) => desk.stop(&table),
                Effect::Keep { table, record, .. } => desk.keep(table, record),
            }
        }
        self.changed.notify_all();
    }

    fn think(self: &Arc<Self>, job: &Job, stop: &AtomicBool) {
        if !self.wait_for_pace(stop) {
            return;
        }
        let found = self.decide(job, stop);
        let mut desk = self.lock();
        if stop.load(Ordering::Relaxed) {
            return;
        }
        desk.thinking.remove(&job.table);
        let found = found.unwrap_or_else(|(seat, why)| {
            desk.notices.push(why);
            desk.seated.remove(&(job.table.clone(), seat));
            // A person has to act from now on, who is not to be hurried.
            desk.pace = None;
            Found::Failed { seat }
        });
        let Desk { host, rng, .. } = &mut *desk;
        let effects = host.answer(&job.answer(found), local_time(), rng);
        self.carry_out(&mut desk, effects);
        drop(desk);
        (self.wake)();
    }

    /// Asks the players of a job one after the other; an error is the seat of one that cannot play on, and why.
    fn decide(&self, job: &Job, stop: &AtomicBool) -> Result<Found, (u8, String)> {
        for (number, name) in job.asked() {
            let lost = |why: String| (*number, format!("{name} cannot play on, its seat is yours now: {why}"));
            let session = job.session(GAMES).map_err(|why| lost(why.to_string()))?;
            let seat = Seat::at_table(u64::from(*number), session.seats()).ok_or_else(|| lost(String::new()))?;
            let decider = self.player(job, &*session, seat, name).map_err(lost)?;
            let mut decider = decider.lock().unwrap_or_else(PoisonError::into_inner);
            let action = decider.decide(&*session, seat, job.seed, stop).map_err(lost)?;
            if let Some(action) = action {
                session.check(Actor::Seat(seat), &action).map_err(|why| lost(why.to_string()))?;
                return Ok(Found::Act { seat: *number, action });
            }
        }
        Ok(Found::Wait)
    }

    fn player(
        &self,
        job: &Job,
        session: &dyn DynSession,
        seat: Seat,
        name: &str,
    ) -> Result<Arc<Mutex<Box<dyn Decider>>>, String> {
        let place = (job.table.clone(), seat.number());
        let mut desk = self.lock();
        if let Some((_, decider)) = desk.seated.get(&place).filter(|(known, _)| known == name) {
            return Ok(decider.clone());
        }
        let contestant = match desk.named.get(name) {
            Some(contestant) => contestant.clone(),
            None => Engine::Level(name.parse::<Level>()?).into(),
        };
        let decider = Arc::new(Mutex::new(contestant.sit(session, seat)?));
        desk.seated.insert(place, (name.to_owned(), decider.clone()));
        Ok(decider)
    }

    /// Waits until the next move may come; says whether it is still wanted.
    fn wait_for_pace(&self, stop: &AtomicBool) -> bool {
        let begun = Instant::now();
        let mut desk = self.lock();
        loop {
            if desk.over || stop.load(Ordering::Relaxed) {
                return false;
            }
            let left = match &mut desk.pace {
                None => return true,
                Some(pace) if pace.step => {
                    pace.step = false;
                    return true;
                }
                Some(Pace { paused: true, .. }) => Duration::MAX,
                Some(pace) => Duration::from_millis(PAUSES[pace.speed]).saturating_sub(begun.elapsed()),
            };
            if left.is_zero() {
                return true;
            }
            desk = self.wait(desk, left);
        }
    }

    /// Waits until something has changed, and no longer than this.
    fn wait<'a>(&self, desk: MutexGuard<'a, Desk>, most: Duration) -> MutexGuard<'a, Desk> {
        self.changed.wait_timeout(desk, most).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Looks after the clocks until the host ends.
    fn let_flags_fall(self: &Arc<Self>) {
        let mut desk = self.lock();
        while !desk.over {
            let now = local_time();
            let Desk { host, rng, .. } = &mut *desk;
            let effects = host.tick(now, rng);
            if effects.is_empty() {
                let left = desk.host.deadline().map_or(u64::MAX, |at| at.saturating_sub(now).max(1) as u64);
                desk = self.wait(desk, Duration::from_millis(left));
            } else {
                self.carry_out(&mut desk, effects);
                (self.wake)();
            }
        }
    }
}

impl Desk {
    fn stop(&mut self, table: &TableId) {
        if let Some(stop) = self.thinking.remove(table) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// A record as it is kept: with what people wrote into it, and without names for those who have none.
    fn as_kept(&self, mut record: Record) -> Record {
        let is_name =
            |header: &str, name: &str| header.strip_prefix("Player ").is_none_or(|seat| name != format!("Seat {seat}"));
        record.headers.retain(|header, name| is_name(header, name));
        record.headers.extend(self.headers.clone());
        record
    }

    /// Writes a game to its file. A game that follows another one gets a file of its own.
    fn keep(&mut self, table: TableId, text: String) {
        let Ok(record) = Record::parse(&text) else { return };
        let record = self.as_kept(record);
        if !self.files.contains_key(&table) {
            let file = self.shelf.as_ref().filter(|_| !self.files.is_empty());
            let Some(file) = file.and_then(|shelf| shelf.new_file(&record.game)) else { return };
            self.files.insert(table.clone(), file);
        }
        let Some(path) = self.files.get(&table) else { return };
        if let Err(error) = files::write(path, &record) {
            self.notices.push(sentence(&format!("could not save to {}: {error}", path.display())));
        }
    }
}

/// The name of whoever plays a seat, as the record says.
pub fn name(session: &dyn DynSession, seat: Seat) -> String {
    session.headers().get(&format!("Player {seat}")).cloned().unwrap_or_else(|| format!("Seat {seat}"))
}
