//! The living tables of one process: commands one after the other at each table, watchers, clocks and engines.
//!
//! Nothing is acknowledged or told before it is durable. Other processes may write to the same logs: who comes second
//! reads what the first has written, and decides again.

mod agenda;
mod analysis;
mod audience;
mod callers;
mod clients;
mod count;
mod create;
mod duty;
mod engine;
mod kin;
mod outbox;
mod talk;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
use quincunx_core::Turn;
use quincunx_games::GAMES;
use quincunx_table::{
    Command, Connections, Corrupt, Decision, Entry, Millis, Person, Recent, Refusal, Request, State, StateDigest,
    Status, TableId, UpdateBuilder, UserId, apply_entries,
};
use rand::RngExt;
use serde::Serialize;
use thiserror::Error;
use utoipa::ToSchema;

use self::agenda::{Agenda, NextLook};
use self::analysis::Analyses;
pub use self::analysis::Analysis;
use self::audience::Audience;
use self::callers::Callers;
use self::clients::Aside;
pub use self::clients::{Watch, Watching};
pub use self::create::Created;
use self::duty::Duty;
use self::engine::Asked;
pub use self::outbox::{Inbox, Outbox};
use self::talk::Talk;
use crate::cluster::{Bus, Notice, Thinkers};
use crate::lock;
use crate::metrics;
use crate::store::{AppendError, DELETED, Store, StoreError};

/// How often a command is decided anew because another process was quicker.
const TRIES: usize = 8;
const PAGE: usize = 1000;
/// How many logs are read at once for watchers who have missed much.
const READERS: usize = 1;

/// Where the hub gets the time of day from.
pub type Now = dyn Fn() -> Millis + Send + Sync;

/// The tables of a process. Clones share them.
#[derive(Clone)]
pub struct Hub {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    /// The other processes, and the name of this one among them.
    bus: Box<dyn Bus>,
    process: String,
    now: Box<Now>,
    rng: Mutex<ChaCha20Rng>,
    tables: Mutex<HashMap<TableId, Arc<Slot>>>,
    agenda: Agenda,
    /// The connected clients of each user who is known.
    clients: Mutex<HashMap<UserId, Vec<Outbox>>>,
    /// Those who watch the list of public tables.
    lobby: Mutex<Vec<Outbox>>,
    talk: Talk,
    callers: Callers,
    /// Held while games are counted: one after the other.
    counting: tokio::sync::Mutex<()>,
    /// Whether some could not be counted.
    owes_counting: AtomicBool,
    /// Those who read a log from its beginning for one watcher: few at once, so that cores are left for play.
    readers: tokio::sync::Semaphore,
    analyses: Analyses,
    thinkers: Box<dyn Thinkers>,
    duty: Mutex<Duty>,
    /// Whether the time of this process is not that of the others.
    out_of_step: AtomicBool,
}

/// When something arrived from a client, and for how long its messages are under way, there and back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    pub at: Millis,
    pub lag: Millis,
}

/// The place of a table in memory.
struct Slot {
    id: TableId,
    _counted: metrics::Counted,
    /// Missing until it is read from the log, and again after lines could not be written.
    live: tokio::sync::Mutex<Option<State>>,
    audience: Mutex<Audience>,
    aside: Mutex<Aside>,
    needs: Mutex<Needs>,
    used: AtomicI64,
    next_look: NextLook,
    /// Whether lines may have been written of which nobody was told.
    unsure: AtomicBool,
    asked: Mutex<Asked>,
}

/// What a table needs although nobody asks for it.
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
#[derive(Clone, Copy, Default)]
struct Needs {
    /// When the next clock runs out.
    deadline: Option<Millis>,
    /// Whether an engine plays here.
    engines: bool,
    /// Whether it is on turn.
    engine_to_act: bool,
    /// Whether engines play on although no person does.
    deserted: bool,
    /// Whether the game is over.
    over: bool,
}

/// A command was carried out, now or before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = Carried)]
pub struct Done {
    /// The version that the table has at least.
    pub version: u64,
    /// After `rematch`, where it is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableId>,
}

impl Done {
    const fn at(version: u64) -> Self {
        Self { version, table: None }
    }
}

/// How much a hub has to do at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Tables in memory.
    pub tables: usize,
    /// Clients of users who are known.
    pub clients: usize,
    /// Clients that watch a table or the list of tables, counted once for each.
    pub watchers: usize,
}

/// Why something was not done at a table, in a sentence for people.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CommandError {
    #[error(transparent)]
    Refused(Refusal),
    #[error("there is no such table")]
    NoSuchTable,
    #[error("the table is too busy; try again")]
    Busy,
    #[error(
        "the clock of this server is wrong, and it takes no commands until that is mended; please try again in a moment"
    )]
    OutOfStep,
    #[error("{0}")]
    TooMuch(String),
    #[error("a moderator has silenced you for a while")]
    Silenced { until: Millis },
    #[error("it is not known whether this was done: send it again with the same id, it is not done twice")]
    Unknown,
    #[error(transparent)]
    Storage(#[from] StoreError),
    #[error("the table cannot be read: {0}")]
    Corrupt(#[from] Corrupt),
}

impl CommandError {
    /// A word for statistics.
    fn word(&self) -> &'static str {
        match self {
            Self::Refused(_) => "refused",
            Self::NoSuchTable => "no such table",
            Self::TooMuch(_) => "too much",
            Self::Silenced { .. } => "silenced",
            Self::Busy | Self::OutOfStep | Self::Unknown | Self::Storage(_) | Self::Corrupt(_) => "failed",
        }
    }
}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NoSuchTable => Self::NoSuchTable,
            other => Self::Refused(other),
        }
    }
}

impl Hub {
    /// A hub whose draws nobody can foretell. Fails if the system gives no randomness.
    pub fn with_thinkers(
        store: Store,
        bus: impl Bus + 'static,
        thinkers: impl Thinkers + 'static,
        now: impl Fn() -> Millis + Send + Sync + 'static,
    ) -> Result<Self, getrandom::Error> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed)?;
        Ok(Self::seeded(store, bus, thinkers, now, seed))
    }

    fn seeded(
        store: Store,
        bus: impl Bus + 'static,
        thinkers: impl Thinkers + 'static,
        now: impl Fn() -> Millis + Send + Sync + 'static,
        seed: [u8; 32],
    ) -> Self {
        let mut rng = ChaCha20Rng::from_seed(seed);
        let inner = Inner {
            store,
            bus: Box::new(bus),
            process: TableId::random(&mut rng).0,
            duty: Mutex::new(Duty::new(now())),
            now: Box::new(now),
            rng: Mutex::new(rng),
            tables: Mutex::default(),
            agenda: Agenda::default(),
            clients: Mutex::default(),
            lobby: Mutex::default(),
            talk: Talk::default(),
            callers: Callers::default(),
            counting: tokio::sync::Mutex::default(),
            owes_counting: AtomicBool::new(false),
            readers: tokio::sync::Semaphore::new(READERS),
            analyses: Analyses::default(),
            thinkers: Box::new(thinkers),
            out_of_step: AtomicBool::new(false),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Carries out a command that has just arrived, once for each command id.
    pub async fn command(
        &self,
        table: &TableId,
        person: &Person,
        seat: Option<u8>,
        command: &Command,
        id: Option<&str>,
    ) -> Result<Done, CommandError> {
        self.command_from(Arrival { at: self.now(), lag: 0 }, table, person, seat, command, id).await
    }

    /// Carries out a command, once for each command id. It counts as of the moment when it arrived, however long it has waited
    /// for others since.
    pub async fn command_from(
        &self,
        arrival: Arrival,
        table: &TableId,
        person: &Person,
        seat: Option<u8>,
        command: &Command,
        id: Option<&str>,
    ) -> Result<Done, CommandError> {
        if *command == Command::Rematch {
            return self.rematch(table, person, id).await;
        }
        if let Command::Sit { invitation, .. } = command {
            self.check_blocks(table, person.id, invitation.as_deref()).await?;
        }
        let slot = self.slot(table);
        let asked = Instant::now();
        let away = |user: UserId| lock(&slot.audience).is_away(user, self.now());
        let decide = |state: &mut State, request: Request<'_>, rng: &mut ChaCha20Rng| {
            if id.is_some_and(|id| state.has_done(person.id, id)) {
                return Ok(Decision::default());
            }
            let connections = Connections { lag: arrival.lag, away: &away };
            state.decide_over(connections, command, Request { seat, ..request }, rng)
        };
        let done = if matches!(command, Command::Sit { .. }) {
            self.seat(&slot, person, decide, id).await
        } else {
            let decide = |state: &mut State, at, rng: &mut ChaCha20Rng| {
                decide(state, Request { person, seat, command: id, at }, rng)
            };
            self.change_as_of(arrival.at, &slot, decide).await
        };
        metrics::commanded(command.word(), done.as_ref().map_or_else(CommandError::word, |_| "done"), asked.elapsed());
        done
    }

    /// Refuses somebody whom the host or a player of a table has blocked.
    async fn check_blocks(&self, table: &TableId, user: UserId, invitation: Option<&str>) -> Result<(), CommandError> {
        let blockers = self.inner.store.blockers_of(user).await?;
        if blockers.is_empty() {
            return Ok(());
        }
        let blocked = |state: &State| {
            blockers.contains(&state.host)
                || state.seats.iter().any(|seated| seated.user.is_some_and(|user| blockers.contains(&user)))
        };
        if self.look(table, Some(user), invitation, blocked).await? { Err(Refusal::Blocked.into()) } else { Ok(()) }
    }

    /// Looks at a table, if this user may see it.
    pub async fn look<T>(
        &self,
        table: &TableId,
        user: Option<UserId>,
        invitation: Option<&str>,
        look: impl FnOnce(&State) -> T,
    ) -> Result<T, CommandError> {
        let slot = self.slot(table);
        let mut live = slot.live.lock().await;
        let state = self.load(&slot, &mut live).await?;
        if state.welcomes(user, invitation) { Ok(look(state)) } else { Err(CommandError::NoSuchTable) }
    }

    /// Another process has something to tell. What cannot be read now is looked up later.
    pub async fn hear(&self, notice: Notice) -> Result<(), CommandError> {
        let heard = self.take_notice(notice).await;
        if let Err(CommandError::Storage(_)) = heard {
            lock(&self.inner.duty).miss(self.now());
        }
        heard
    }

    async fn take_notice(&self, notice: Notice) -> Result<(), CommandError> {
        match notice {
            Notice::Grown { table, version, awaited } => match self.known(&table) {
                Some(slot) => self.refresh(&slot, version).await?,
                None if awaited => self.attend_if_on_duty(&table).await?,
                None => {}
            },
            Notice::Listed { summary } => {
                self.listed(&summary);
                if summary.status == Status::Playing {
                    self.attend_if_on_duty(&summary.table).await?;
                }
            }
            Notice::Said { table, remark, kept_from } => self.pass_on(&table, &remark, &kept_from),
            Notice::Present { process, table, seated, others } => {
                if let Some(slot) = self.known(&table).filter(|_| process != self.inner.process) {
                    lock(&slot.audience).note_elsewhere(process, seated, others, self.now());
                    self.schedule(&slot);
                }
            }
            Notice::Deleted { user } => self.forget_here(user).await,
            Notice::LoggedOut { user } => self.clients_of(user).iter().for_each(Outbox::close),
            Notice::Muted { user, other, muted } => {
                self.clients_of(user).iter().for_each(|client| client.set_muted(other, muted));
            }
            Notice::Missed { since } => lock(&self.inner.duty).miss(since),
        }
        Ok(())
    }

    /// Somebody's sessions may have ended: the connections here and elsewhere are closed, and come back if they may.
    pub fn log_out(&self, user: UserId) {
        self.clients_of(user).iter().for_each(Outbox::close);
        self.inner.bus.tell(Notice::LoggedOut { user });
    }

    /// A user has another name: connections come back under it, and tables are read again.
    pub async fn renamed(&self, user: UserId) {
        self.forget(user).await;
    }

    /// A user was deleted: the connections are closed, and tables are read again without the name.
    pub async fn forget(&self, user: UserId) {
        self.log_out(user);
        self.inner.bus.tell(Notice::Deleted { user });
        self.forget_here(user).await;
    }

    async fn forget_here(&self, user: UserId) {
        for slot in self.slots() {
            let mut live = slot.live.lock().await;
            if live.as_ref().is_some_and(|state| state.seats.iter().any(|seated| seated.user == Some(user))) {
                *live = None;
            }
        }
    }

    /// A table's log has grown elsewhere: reads the new lines and tells the watchers here.
    async fn refresh(&self, slot: &Arc<Slot>, version: u64) -> Result<(), CommandError> {
        let mut live = slot.live.lock().await;
        let mut ended = false;
        if self.load(slot, &mut live).await?.version < version {
            let before = lock(&slot.needs).over;
            self.read_on(slot, &mut live).await?;
            ended = !before && lock(&slot.needs).over;
        }
        drop(live);
        if ended {
            self.open_talk_soon(slot);
        }
        Ok(())
    }

    /// Reads lines that others have written, and tells the watchers here; gives whether there were any.
    async fn read_on(&self, slot: &Arc<Slot>, live: &mut Option<State>) -> Result<bool, CommandError> {
        let state = self.load(slot, live).await?;
        let new = self.entries(&slot.id, state.version).await?;
        if new.is_empty() {
            return Ok(false);
        }
        let before = lock(&slot.audience).digest(state);
        let applied = match apply_entries(state, &new) {
            Ok(applied) => applied,
            Err(corrupt) => {
                *live = None;
                return Err(corrupt.into());
            }
        };
        self.note_needs(slot, state);
        let mut audience = lock(&slot.audience);
        for user in new.iter().filter_map(|entry| entry.by) {
            audience.note_active(user, self.now());
        }
        audience.tell(state.version, UpdateBuilder::later(&before, state, &applied));
        if before.is_reseated(state) {
            audience.note_reseated();
        }
        drop(audience);
        lock(&slot.aside).recent.note_applied(before, &applied);
        // Who has written the lines has asked the engines.
        *lock(&slot.asked) = Asked::about(state.version, self.now());
        self.schedule(slot);
        Ok(true)
    }

    /// The time of day that counts here.
    pub fn now(&self) -> Millis {
        (self.inner.now)()
    }

    /// Whether the time of this process is not that of the others: then it changes nothing.
    pub fn set_out_of_step(&self, out_of_step: bool) {
        self.inner.out_of_step.store(out_of_step, Ordering::Relaxed);
    }

    /// The tables in memory.
    fn slots(&self) -> Vec<Arc<Slot>> {
        lock(&self.inner.tables).values().cloned().collect()
    }

    /// A table, if it is in memory.
    fn known(&self, id: &TableId) -> Option<Arc<Slot>> {
        lock(&self.inner.tables).get(id).cloned()
    }

    /// The place of a table, made if there is none.
    fn slot(&self, id: &TableId) -> Arc<Slot> {
        let now = self.now();
        let mut tables = lock(&self.inner.tables);
        let slot = tables.get(id).cloned().unwrap_or_else(|| {
            let slot = Arc::new(Slot::new(id.clone(), self.now()));
            tables.insert(id.clone(), slot.clone());
            self.inner.agenda.add(&slot, now + duty::OVER);
            slot
        });
        slot.used.store(now, Ordering::Relaxed);
        slot
    }

    /// The table, read from its log if it is not in memory. Watchers who have not heard of its last lines are told.
    async fn load<'a>(&self, slot: &Arc<Slot>, live: &'a mut Option<State>) -> Result<&'a mut State, CommandError> {
        if live.is_none() {
            let log = if slot.id.is_possible() { self.entries(&slot.id, 0).await? } else { Vec::new() };
            if log.is_empty() {
                // Names of tables that do not exist take no memory, unless somebody else has come to set it up meanwhile.
                let mut tables = lock(&self.inner.tables);
                if tables.get(&slot.id).is_some_and(|known| Arc::strong_count(known) <= 2) {
                    tables.remove(&slot.id);
                }
                return Err(CommandError::NoSuchTable);
            }
            let (mut state, recent) = Recent::replay(GAMES, slot.id.clone(), &log)?;
            self.forget_names(&mut state).await?;
            *lock(&slot.aside) = Aside::new(recent);
            *lock(&slot.needs) = Needs::of(&state);
            *lock(&slot.asked) = Asked::long_ago();
            if slot.unsure.swap(false, Ordering::Relaxed) {
                self.make_known(slot, &state);
            }
            let mut audience = lock(&slot.audience);
            if !audience.is_empty() && audience.told < state.version {
                let (seen, new) = log.split_at(log.len().min(audience.told as usize));
                let mut then = State::replay(GAMES, slot.id.clone(), seen)?;
                let before = audience.digest(&then);
                let applied = apply_entries(&mut then, new)?;
                audience.tell(state.version, UpdateBuilder::later(&before, &then, &applied));
            }
            drop(audience);
            *live = Some(state);
            self.schedule(slot);
        }
        Ok(live.as_mut().expect("it was there or was just read"))
    }

    /// The lines of a log from a number on.
    async fn entries(&self, table: &TableId, from: u64) -> Result<Vec<Entry>, StoreError> {
        let mut lines = Vec::new();
        loop {
            let page = self.inner.store.entries(table, from + lines.len() as u64, PAGE).await?;
            let last = page.len() < PAGE;
            lines.extend(page);
            if last {
                return Ok(lines);
            }
        }
    }

    /// Changes a table now: decides, makes it durable, and tells the watchers. A change without lines is one made before.
    async fn change(
        &self,
        slot: &Arc<Slot>,
        decide: impl FnMut(&mut State, Millis, &mut ChaCha20Rng) -> Result<Decision, Refusal>,
    ) -> Result<Done, CommandError> {
        self.change_as_of(self.now(), slot, decide).await
    }

    /// Changes a table as of a moment that has just passed.
    async fn change_as_of(
        &self,
        at: Millis,
        slot: &Arc<Slot>,
        mut decide: impl FnMut(&mut State, Millis, &mut ChaCha20Rng) -> Result<Decision, Refusal>,
    ) -> Result<Done, CommandError> {
        if self.inner.out_of_step.load(Ordering::Relaxed) {
            return Err(CommandError::OutOfStep);
        }
        let mut guard = slot.live.lock().await;
        for _ in 0..TRIES {
            let state = self.load(slot, &mut guard).await?;
            let before = lock(&slot.audience).digest(state);
            // Before anything else the clocks get back what they lost while nobody could play.
            let interruption = lock(&self.inner.duty).interruption.filter(|it| state.was_interrupted(*it));
            // Each decision draws from a generator of its own, so that tables do not wait for each other.
            let mut rng = ChaCha20Rng::from_seed(lock(&self.inner.rng).random());
            let decided = match interruption {
                Some(interruption) => Ok(state.interrupted(interruption, self.now())),
                None => decide(state, at, &mut rng),
            };
            let decision = match decided {
                Ok(decision) => decision,
                // Perhaps it is refused only because this process has not heard yet what another one has written.
                Err(_) if self.inner.bus.has_others() && self.read_on(slot, &mut guard).await? => continue,
                Err(refusal) => return Err(refusal.into()),
            };
            if decision.entries.is_empty() {
                return Ok(Done::at(state.version));
            }
            let written = self.write(slot, &mut guard, before, at, decision).await?;
            if let Some(version) = written.filter(|_| interruption.is_none()) {
                return Ok(Done::at(version));
            }
        }
        Err(CommandError::Busy)
    }

    /// Makes what was decided durable, and tells everybody; gives the version that the table has then, or nothing if another
    /// process was quicker: the next try reads what that one has written.
    async fn write(
        &self,
        slot: &Arc<Slot>,
        live: &mut Option<State>,
        before: StateDigest,
        at: Millis,
        decision: Decision,
    ) -> Result<Option<u64>, CommandError> {
        // Until the lines are durable this state must not be seen, also if nobody waits for it to the end.
        let Some(ahead) = live.take() else { return Ok(None) };
        let Decision { entries, events } = decision;
        let by: Vec<UserId> = entries.iter().filter_map(|entry| entry.by).collect();
        let summary = before.is_listed_differently(&ahead).then(|| ahead.listing(at));
        let asked = Instant::now();
        let written = entries.last().map_or(at, |entry| entry.at);
        match self.inner.store.append(&slot.id, entries, summary.clone()).await {
            Ok(()) => {}
            Err(AppendError::Taken) => return Ok(None),
            Err(AppendError::Failed(_)) => {
                slot.unsure.store(true, Ordering::Relaxed);
                *lock(&slot.asked) = Asked::in_vain(self.now());
                self.schedule(slot);
                return Err(CommandError::Unknown);
            }
        }
        metrics::appended(asked.elapsed());
        metrics::moved(events.iter().filter(|event| event.is_move()).count() as u64);
        let version = ahead.version;
        let ended = before.is_finished_now(&ahead);
        let counts = ahead.setup.rated && ended;
        {
            let mut audience = lock(&slot.audience);
            for user in by {
                audience.note_active(user, self.now());
            }
            audience.tell(version, UpdateBuilder::just_now(&before, &ahead, at, &events));
            if before.is_reseated(&ahead) {
                audience.note_reseated();
            }
        }
        lock(&slot.aside).recent.note(before, written, events);
        self.note_needs(slot, &ahead);
        self.ask(slot, &ahead);
        self.schedule(slot);
        *live = Some(ahead);
        let (table, awaited) = (slot.id.clone(), lock(&slot.needs).awaits_somebody());
        self.inner.bus.tell(Notice::Grown { table, version, awaited });
        if let Some(summary) = summary {
            self.announce(summary);
        }
        if counts {
            self.count_soon();
        }
        if ended {
            self.open_talk_soon(slot);
        }
        Ok(Some(version))
    }

    /// A table has gone on: notes what it needs now, and that nobody waits for what its engines thought about.
    fn note_needs(&self, slot: &Slot, state: &State) {
        let before = std::mem::replace(&mut *lock(&slot.needs), Needs::of(state));
        if before.engines {
            self.inner.thinkers.gone_on(&slot.id, state.version);
        }
    }

    /// Lines may have become durable of which nobody was told: makes up for it.
    fn make_known(&self, slot: &Slot, state: &State) {
        let (table, awaited) = (state.id.clone(), lock(&slot.needs).awaits_somebody());
        self.inner.bus.tell(Notice::Grown { table, version: state.version, awaited });
        self.announce(state.listing(self.now()));
        if state.setup.rated && state.status == Status::Finished {
            self.count_soon();
        }
    }

    /// Those who have been deleted since they sat down are not called by their names any more.
    async fn forget_names(&self, state: &mut State) -> Result<(), StoreError> {
        for place in 0..state.seats.len() {
            if let Some(user) = state.seats[place].user
                && self.inner.store.user(user).await?.is_none()
            {
                Arc::make_mut(&mut state.seats)[place].name = Some(DELETED.to_owned());
            }
        }
        Ok(())
    }
}

impl Slot {
    fn new(id: TableId, now: Millis) -> Self {
        Self {
            id,
            _counted: metrics::Counted::table(),
            live: tokio::sync::Mutex::default(),
            audience: Mutex::new(Audience::new(now)),
            aside: Mutex::default(),
            needs: Mutex::default(),
            used: AtomicI64::new(0),
            next_look: NextLook::default(),
            unsure: AtomicBool::new(false),
            asked: Mutex::new(Asked::long_ago()),
        }
    }
}

impl Needs {
    fn of(state: &State) -> Self {
        let playing = state.status == Status::Playing;
        Self {
            deadline: state.clocks.deadline().filter(|_| playing).map(|(_, at)| at),
            engines: playing && state.seats.iter().any(|seated| seated.engine.is_some()),
            engine_to_act: playing && matches!(state.game.turn(), Turn::Seat(seat) if state.is_engine(seat)),
            deserted: state.is_deserted(),
            over: matches!(state.status, Status::Finished | Status::Aborted),
        }
    }

    /// Whether the game is over.
    fn is_over(self) -> bool {
        self.over
    }

    /// Whether a clock runs or an engine is on turn, so that somebody has to look after the table.
    fn awaits_somebody(self) -> bool {
        self.deadline.is_some() || self.engine_to_act
    }
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("store", &self.inner.store).finish_non_exhaustive()
    }
}
