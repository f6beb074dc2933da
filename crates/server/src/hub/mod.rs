//! The living tables of one process: commands one after the other at each table, watchers, clocks and engines.
//!
//! Nothing is acknowledged or told before it is durable. Other processes may write to the same logs: who comes second
//! reads what the first has written, and decides again.

mod engine;
mod patch;
mod tell;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
use rand::RngExt;
use thiserror::Error;
use tokio::sync::{Semaphore, mpsc};

use self::tell::{Before, Telling};
use crate::model::{Entry, Millis, Status, TableId, UserId};
use crate::store::{AppendError, Store, StoreError};
use crate::table::{Command, Corrupt, Refusal, Request, Setup, State};

/// How many messages wait for a watcher before it is given up.
const WAITING: usize = 64;
/// How many lines a watcher may have missed and still be told only these.
const MISSED: u64 = 200;
/// How often a command is decided anew because another process was quicker.
const TRIES: usize = 8;
/// How long a table that nobody needs stays in memory.
const IDLE: Millis = 10 * 60 * 1000;
const PAGE: usize = 1000;

/// Where the hub gets the time of day from.
pub type Now = dyn Fn() -> Millis + Send + Sync;

/// The tables of a process. Clones share them.
#[derive(Clone)]
pub struct Hub {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    now: Box<Now>,
    rng: Mutex<ChaCha20Rng>,
    tables: Mutex<HashMap<TableId, Arc<Slot>>>,
    /// As many as may think at once.
    thinkers: Semaphore,
}

/// The place of a table in memory.
struct Slot {
    id: TableId,
    live: tokio::sync::Mutex<Option<Live>>,
    /// When the next clock runs out; `Millis::MAX` for never.
    deadline: AtomicI64,
    used: AtomicI64,
    /// Whether an engine plays here.
    engines: AtomicBool,
    thinking: AtomicBool,
    /// The version about which the engines have been asked; 0 for none.
    asked: AtomicU64,
}

struct Live {
    state: State,
    watchers: Vec<Watcher>,
}

struct Watcher {
    user: Option<UserId>,
    sender: mpsc::Sender<String>,
}

/// A command was carried out, now or before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Done {
    pub version: u64,
}

/// What somebody who watches gets: a snapshot or what he missed, and then what happens. The channel closes for who does not
/// keep up: he comes back with the last version that he has.
#[derive(Debug)]
pub struct Watch {
    pub first: Option<String>,
    pub events: mpsc::Receiver<String>,
}

/// Why something was not done at a table, in a sentence for people.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CommandError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("there is no such table")]
    NoSuchTable,
    #[error("the table is too busy; try again")]
    Busy,
    #[error("it is not known whether this was done: send it again with the same id, it is not done twice")]
    Unknown,
    #[error(transparent)]
    Storage(#[from] StoreError),
    #[error("the table cannot be read: {0}")]
    Corrupt(#[from] Corrupt),
}

impl Hub {
    /// A hub whose draws nobody can foretell. Fails if the system gives no randomness.
    pub fn new(store: Store, now: impl Fn() -> Millis + Send + Sync + 'static) -> Result<Self, getrandom::Error> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed)?;
        Ok(Self::seeded(store, now, seed))
    }

    fn seeded(store: Store, now: impl Fn() -> Millis + Send + Sync + 'static, seed: [u8; 32]) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let inner = Inner {
            store,
            now: Box::new(now),
            rng: Mutex::new(ChaCha20Rng::from_seed(seed)),
            tables: Mutex::default(),
            thinkers: Semaphore::new(cores),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Sets up a table: gives its id and the invitation to its kept seats.
    pub async fn create(
        &self,
        setup: Setup,
        user: UserId,
        name: &str,
        command: Option<&str>,
    ) -> Result<(TableId, String), CommandError> {
        let (id, invitation) = (TableId(self.secret()), self.secret());
        let at = (self.inner.now)();
        let (state, lines) = State::create(id.clone(), setup, invitation.clone(), Request { user, name, command, at })?;
        self.inner.store.append(&id, lines, Some(state.summary(at))).await.map_err(|error| match error {
            AppendError::Taken => CommandError::Busy,
            AppendError::Failed(why) => CommandError::Storage(why),
        })?;
        Ok((id, invitation))
    }

    /// Carries out a command, once for each command id.
    pub async fn command(
        &self,
        table: &TableId,
        user: UserId,
        name: &str,
        command: &Command,
        id: Option<&str>,
    ) -> Result<Done, CommandError> {
        let slot = self.slot(table);
        let done = self
            .change(&slot, |state, at, rng| {
                if id.is_some_and(|id| state.has_done(user, id)) {
                    return Ok(Vec::new());
                }
                state.decide(command, Request { user, name, command: id, at }, rng)
            })
            .await?;
        self.think(&slot);
        Ok(done)
    }

    /// Lets somebody watch a table; `since` is the version that he has seen.
    pub async fn watch(
        &self,
        table: &TableId,
        user: Option<UserId>,
        invitation: Option<&str>,
        since: Option<u64>,
    ) -> Result<Watch, CommandError> {
        let slot = self.slot(table);
        let mut guard = slot.live.lock().await;
        let live = self.load(&slot, &mut guard).await?;
        let state = &live.state;
        let welcome = state.setup.public
            || user.is_some_and(|user| user == state.host || state.seat_of(user).is_some())
            || invitation == Some(state.invitation.as_str());
        if !welcome {
            return Err(CommandError::NoSuchTable);
        }
        let first = match since {
            Some(since) if since == state.version => None,
            Some(since) if (1..state.version).contains(&since) && state.version - since <= MISSED => {
                let mut log = self.log(table).await?;
                // What another process has added since is told to all watchers here at once.
                log.truncate(state.version as usize);
                Some(missed(table, &log, since, |telling| telling.to(user))?)
            }
            _ => Some(tell::snapshot(state, user)),
        };
        let (sender, events) = mpsc::channel(WAITING);
        live.watchers.push(Watcher { user, sender });
        Ok(Watch { first, events })
    }

    /// Another process has added to a table's log: tells the watchers here.
    pub async fn refresh(&self, table: &TableId) -> Result<(), CommandError> {
        let slot = self.slot(table);
        let mut guard = slot.live.lock().await;
        let version = self.load(&slot, &mut guard).await?.state.version;
        self.reload(&slot, &mut guard, version).await?;
        drop(guard);
        self.think(&slot);
        Ok(())
    }

    /// Loads all tables where a game is on, for their clocks and engines: after a start.
    pub async fn resume(&self) -> Result<(), CommandError> {
        let mut after = None;
        loop {
            let page = self.inner.store.running(after.as_ref(), 100).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.clone());
            for id in &page {
                let slot = self.slot(id);
                // A table that cannot be read must not keep the others from going on.
                let mut live = slot.live.lock().await;
                let loaded = self.load(&slot, &mut live).await.is_ok();
                drop(live);
                if loaded {
                    self.think(&slot);
                }
            }
        }
    }

    /// Looks after clocks, engines and idle tables, again and again. Runs until it is dropped.
    pub async fn run(&self) {
        let mut interval = tokio::time::interval(Duration::from_millis(100));
        interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            interval.tick().await;
            self.tick().await;
        }
    }

    /// Lets the clocks fall that are due, engines think where none does, and idle tables go.
    async fn tick(&self) {
        let now = (self.inner.now)();
        let slots: Vec<Arc<Slot>> = lock(&self.inner.tables).values().cloned().collect();
        for slot in slots {
            if slot.deadline.load(Ordering::Relaxed) <= now {
                // What fails now is tried again at the next tick.
                let _ = self.change(&slot, |state, at, _| Ok(state.fell(at))).await;
            }
            if slot.engines.load(Ordering::Relaxed) {
                self.think(&slot);
            }
            if slot.used.load(Ordering::Relaxed) + IDLE < now {
                self.let_go(&slot);
            }
        }
    }

    /// Takes a table out of memory if nobody watches it or uses it, and no clock and no engine needs it.
    fn let_go(&self, slot: &Arc<Slot>) {
        let mut tables = lock(&self.inner.tables);
        // This one and the map's: nobody else has it, and with the map locked nobody can get it.
        let unused = Arc::strong_count(slot) == 2 && slot.deadline.load(Ordering::Relaxed) == Millis::MAX;
        if unused && let Ok(mut live) = slot.live.try_lock() {
            let watched = live.as_mut().is_some_and(|live| {
                live.watchers.retain(|watcher| !watcher.sender.is_closed());
                !live.watchers.is_empty()
            });
            if !watched {
                tables.remove(&slot.id);
            }
        }
    }

    fn slot(&self, id: &TableId) -> Arc<Slot> {
        let mut tables = lock(&self.inner.tables);
        let slot = tables.entry(id.clone()).or_insert_with(|| {
            Arc::new(Slot {
                id: id.clone(),
                live: tokio::sync::Mutex::default(),
                deadline: AtomicI64::new(Millis::MAX),
                used: AtomicI64::new(0),
                engines: AtomicBool::new(false),
                thinking: AtomicBool::new(false),
                asked: AtomicU64::new(0),
            })
        });
        slot.used.store((self.inner.now)(), Ordering::Relaxed);
        slot.clone()
    }

    /// The table, read from its log if it is not in memory.
    async fn load<'a>(&self, slot: &Slot, live: &'a mut Option<Live>) -> Result<&'a mut Live, CommandError> {
        if live.is_none() {
            let log = self.log(&slot.id).await?;
            if log.is_empty() {
                // Names of tables that do not exist take no memory.
                lock(&self.inner.tables).remove(&slot.id);
                return Err(CommandError::NoSuchTable);
            }
            let state = State::replay(slot.id.clone(), &log)?;
            slot.expect(&state);
            *live = Some(Live { state, watchers: Vec::new() });
        }
        Ok(live.as_mut().expect("it was there or was just read"))
    }

    async fn log(&self, table: &TableId) -> Result<Vec<Entry>, StoreError> {
        let mut log = Vec::new();
        loop {
            let page = self.inner.store.entries(table, log.len() as u64, PAGE).await?;
            let last = page.len() < PAGE;
            log.extend(page);
            if last {
                return Ok(log);
            }
        }
    }

    /// Changes a table: decides, makes it durable, and tells the watchers. A change without lines is one made before.
    async fn change(
        &self,
        slot: &Slot,
        mut decide: impl FnMut(&mut State, Millis, &mut ChaCha20Rng) -> Result<Vec<Entry>, Refusal>,
    ) -> Result<Done, CommandError> {
        let mut guard = slot.live.lock().await;
        for _ in 0..TRIES {
            let live = self.load(slot, &mut guard).await?;
            let before = Before::of(&live.state);
            let listed = (live.state.status, live.state.seats.clone());
            let at = (self.inner.now)();
            // Each decision draws from a generator of its own, so that tables do not wait for each other.
            let mut rng = ChaCha20Rng::from_seed(lock(&self.inner.rng).random());
            let entries = decide(&mut live.state, at, &mut rng)?;
            if entries.is_empty() {
                return Ok(Done { version: live.state.version });
            }
            let changed = listed != (live.state.status, live.state.seats.clone());
            let summary = changed.then(|| live.state.summary(at));
            // Until the lines are durable this state must not be seen, also if nobody waits for it to the end.
            let Some(mut ahead) = guard.take() else { continue };
            match self.inner.store.append(&slot.id, entries.clone(), summary).await {
                Ok(()) => {
                    let mut telling = Telling::just_now(&before, &ahead.state, &entries);
                    ahead.watchers.retain(|watcher| watcher.sender.try_send(telling.to(watcher.user)).is_ok());
                    slot.expect(&ahead.state);
                    let version = ahead.state.version;
                    *guard = Some(ahead);
                    return Ok(Done { version });
                }
                Err(AppendError::Taken) => {
                    *guard = Some(ahead);
                    self.reload(slot, &mut guard, before.version()).await?;
                }
                Err(AppendError::Failed(_)) => return Err(CommandError::Unknown),
            }
        }
        Err(CommandError::Busy)
    }

    /// Reads a table's log anew and tells its watchers what is new since a version. If that fails, the watchers are
    /// dropped with the state, and come back.
    async fn reload(&self, slot: &Slot, live: &mut Option<Live>, since: u64) -> Result<(), CommandError> {
        let Some(Live { mut watchers, .. }) = live.take() else { return Ok(()) };
        let log = self.log(&slot.id).await?;
        if log.len() as u64 > since {
            missed(&slot.id, &log, since, |telling| {
                watchers.retain(|watcher| watcher.sender.try_send(telling.to(watcher.user)).is_ok());
            })?;
        }
        let state = State::replay(slot.id.clone(), &log)?;
        slot.expect(&state);
        *live = Some(Live { state, watchers });
        Ok(())
    }

    /// A name that nobody guesses: 25 letters and digits, 129 bits.
    fn secret(&self) -> String {
        const LETTERS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
        let mut rng = lock(&self.inner.rng);
        (0..25).map(|_| char::from(LETTERS[rng.random_range(0..LETTERS.len())])).collect()
    }
}

impl Slot {
    /// Notes what the table needs: the moment at which a clock runs out, and engines.
    fn expect(&self, state: &State) {
        let deadline = state.clocks.deadline().filter(|_| state.status == Status::Playing);
        self.deadline.store(deadline.map_or(Millis::MAX, |(_, at)| at), Ordering::Relaxed);
        let engines = state.status == Status::Playing && state.seats.iter().any(|seated| seated.engine.is_some());
        self.engines.store(engines, Ordering::Relaxed);
    }
}

/// Tells what a log says from a version on.
fn missed<T>(
    table: &TableId,
    log: &[Entry],
    since: u64,
    tell: impl FnOnce(&mut Telling<'_>) -> T,
) -> Result<T, CommandError> {
    let (seen, new) = log.split_at(log.len().min(since as usize));
    let mut state = State::replay(table.clone(), seen)?;
    let before = Before::of(&state);
    let texts = tell::take(&mut state, new)?;
    Ok(tell(&mut Telling::later(&before, &state, new, texts)))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that runs under these locks panics halfway through a change.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("store", &self.inner.store).finish_non_exhaustive()
    }
}
