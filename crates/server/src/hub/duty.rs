//! What has to be done although nobody asks for it: flags that fall, engines that are asked again, tables that leave memory,
//! notices that were lost.
//!
//! Of several processes exactly one looks after the clocks at a time: the one that has the lease. Should two believe for a
//! moment to have it, a flag still falls only once, as two lines of a log cannot have the same number.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use quincunx_table::protocol::Listing;
use quincunx_table::{Decision, Interruption, MOST_LAG, Millis, Status, TableId};

use super::engine::Asked;
use super::{CommandError, Hub, Slot, lock};
use crate::people::SESSION_LASTS;
use crate::store::{Cursor, LONGEST_PAGE, StoreError, TableFilter};

/// The right to look after the clocks: how long it lasts, and how often it is renewed.
const LEASE: &str = "clocks";
const LASTS: Millis = 6_000;
const RENEWED: Millis = 2_000;
/// Under which name who looks after the clocks notes that they do, and how often.
const BEAT: &str = "duty";
const BEATS: Millis = 1_000;
/// After how long without a note nobody has looked after the clocks: a slow disk is no reason, and among several processes it
/// takes some seconds until another one takes over in order. One that is alone knows when it starts.
const INTERRUPTED: Millis = 3_000;
const STARTED: Millis = 1_500;
/// How long after its time a flag falls: a move that was made before may still be under way.
const GRACE: Millis = MOST_LAG;
/// How many tables are looked at at once.
const AT_ONCE: usize = 64;
/// How often a process that has others looks for what it was not told.
const LOOKS: Millis = 10_000;
/// How often something is tried again that has failed: tables of which nobody knows whether they have gone on, and looking
/// for what other processes have done.
const AGAIN: Millis = 1_000;
/// How long a table that nobody needs stays in memory.
pub(super) const IDLE: Millis = 10 * 60 * 1000;
/// How long one stays whose game is over, and how long those still follow it who follow all their tables.
pub(super) const OVER: Millis = 2 * 1000;
const FOLLOWED: Millis = 30 * 1000;
/// How soon a table is looked after again for which something could not be done.
const SOON: Millis = 100;
/// After how long a table at which nobody has sat down or stood up is given up, and how often such tables are looked for.
const FORGOTTEN: Millis = 7 * 24 * 60 * 60 * 1000;
const SWEPT: Millis = 10 * 60 * 1000;
/// How many expired sessions and guests are removed at once.
const EXPIRED: usize = 200;

/// What a process has to look after.
#[derive(Debug)]
pub(super) struct Duty {
    /// Until when this process looks after the clocks.
    until: Millis,
    renewed: Millis,
    looked: Millis,
    swept: Millis,
    /// When it was last noted in the storage that this process looks after the clocks.
    beaten: Option<Millis>,
    /// A time in which nobody could play, until all tables know of it.
    pub interruption: Option<Interruption>,
    /// Since when notices have been lost.
    missed: Option<Millis>,
    /// When it last failed to look up what they were about.
    missed_again: Millis,
    stopping: bool,
}

impl Duty {
    pub fn new(now: Millis) -> Self {
        let never = Millis::MIN / 2;
        Self {
            until: never,
            renewed: never,
            looked: now,
            swept: never,
            beaten: None,
            interruption: None,
            missed: None,
            missed_again: never,
            stopping: false,
        }
    }

    /// Notices have been lost since a moment: what they were about is looked up at the next tick.
    pub fn miss(&mut self, since: Millis) {
        self.missed = Some(self.missed.map_or(since, |earlier| earlier.min(since)));
    }

    /// Whether it is time to do again what was done at a moment; then it is done now.
    fn is_due(done: &mut Millis, every: Millis, now: Millis) -> bool {
        let due = now >= *done + every;
        if due {
            *done = now;
        }
        due
    }
}

/// Passes on that the storage fails, which concerns all tables. One that cannot be read must not keep the others from going
/// on.
fn unless_its_own_fault(table: &TableId, done: Result<(), CommandError>) -> Result<(), CommandError> {
    match done {
        Err(error @ CommandError::Storage(_)) => return Err(error),
        Err(error) => tracing::error!(table = table.0, %error, "a table cannot be looked after"),
        Ok(()) => {}
    }
    Ok(())
}

impl Hub {
    /// Looks after clocks, engines and idle tables, again and again. Runs until it is dropped.
    pub async fn run(&self) {
        let mut interval = tokio::time::interval(Duration::from_millis(100));
        interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            interval.tick().await;
            self.tick().await;
        }
    }

    /// Ends all thinking here, and lets another process look after the clocks at once.
    pub async fn stop(&self) {
        let now = self.now();
        let was_on_duty = self.on_duty(now);
        {
            let mut duty = lock(&self.inner.duty);
            (duty.stopping, duty.until) = (true, Millis::MIN);
        }
        self.inner.thinkers.stop();
        if was_on_duty && let Err(error) = self.inner.store.set_moment(BEAT, now).await {
            tracing::warn!(%error, "until when somebody looked after the clocks could not be noted");
        }
        if let Err(error) = self.inner.store.release(LEASE, &self.inner.process).await {
            tracing::warn!(%error, "the clocks could not be handed over; they are taken over in some seconds");
        }
    }

    /// Lets the clocks fall that are due, asks engines again, tells who is there, and lets idle tables go.
    pub(super) async fn tick(&self) {
        let now = self.now();
        self.renew(now).await;
        self.beat(now).await;
        self.keep_up(now).await;
        let on_duty = self.on_duty(now) && !self.inner.out_of_step.load(Ordering::Relaxed);
        // While the storage fails nobody can move, and no flag falls.
        let flags_fall = on_duty && lock(&self.inner.duty).beaten.is_some_and(|beaten| now < beaten + INTERRUPTED);
        let sweeps = on_duty && Duty::is_due(&mut lock(&self.inner.duty).swept, SWEPT, now);
        if sweeps && let Err(error) = self.sweep(now).await {
            tracing::warn!(%error, "forgotten tables could not be given up");
        }
        if sweeps && let Err(error) = self.inner.store.remove_expired(now - SESSION_LASTS, EXPIRED).await {
            tracing::warn!(%error, "expired guests and sessions could not be removed");
        }
        for slot in self.inner.agenda.take_due(now) {
            self.look_after(&slot, now, on_duty, flags_fall).await;
        }
    }

    /// Does what a table needs now, and sees to it that it is looked after again in time.
    async fn look_after(&self, slot: &Arc<Slot>, now: Millis, on_duty: bool, flags_fall: bool) {
        if slot.unsure.load(Ordering::Relaxed) {
            self.make_sure(slot).await;
        }
        let is_due = lock(&slot.needs).deadline.is_some_and(|deadline| deadline + GRACE <= now);
        if flags_fall && is_due {
            // It may fail.
            let _ = self.change(slot, |state, at, _| Ok(state.fell(at))).await;
        }
        if on_duty && lock(&slot.needs).deserted {
            let _ = self.change(slot, |state, at, _| Ok(state.deserted(at))).await;
        }
        let engines_wait = lock(&slot.needs).engines && lock(&slot.asked).due().is_some_and(|due| due <= now);
        if on_duty && engines_wait {
            self.ask_again(slot).await;
        }
        self.tell_presence(slot, now);
        if slot.idle_from().is_some_and(|idle| idle < now) {
            if lock(&slot.needs).over {
                lock(&slot.audience).remove_followers();
            }
            self.let_go(slot);
        }
        // What could not be done now is tried again soon.
        if let Some(at) = self.next_look(slot) {
            self.inner.agenda.add(slot, if at <= now { now + SOON } else { at });
        }
    }

    /// Has a table looked after as soon as it needs somebody.
    pub(super) fn schedule(&self, slot: &Arc<Slot>) {
        if let Some(at) = self.next_look(slot) {
            self.inner.agenda.add(slot, at);
        }
    }

    /// When a table needs somebody next.
    fn next_look(&self, slot: &Slot) -> Option<Millis> {
        let now = self.now();
        let needs = Some(*lock(&slot.needs)).filter(|_| self.on_duty(now));
        let asked = lock(&slot.asked).due().filter(|_| needs.is_some_and(|needs| needs.engines));
        let told = lock(&slot.audience).due(now, self.inner.bus.has_others());
        let deadline =
            needs.and_then(|needs| if needs.deserted { Some(now) } else { needs.deadline.map(|at| at + GRACE) });
        let unsure = slot.unsure.load(Ordering::Relaxed).then_some(now + AGAIN);
        [deadline, asked, told, unsure, slot.idle_from()].into_iter().flatten().min()
    }

    /// Whether this process looks after the clocks.
    pub(super) fn on_duty(&self, now: Millis) -> bool {
        now < lock(&self.inner.duty).until
    }

    /// Takes or keeps the right to look after the clocks. Who gets it anew looks at all tables where a game is on.
    async fn renew(&self, now: Millis) {
        {
            let mut duty = lock(&self.inner.duty);
            if duty.stopping || !Duty::is_due(&mut duty.renewed, RENEWED, now) {
                return;
            }
        }
        if self.inner.out_of_step.load(Ordering::Relaxed) {
            // Another process takes over as soon as the right has run out.
            lock(&self.inner.duty).until = Millis::MIN;
            return;
        }
        self.count_what_is_owed();
        let before = self.on_duty(now);
        let (granted, until) = if self.inner.bus.has_others() {
            (self.inner.store.lease(LEASE, &self.inner.process, now, now + LASTS).await, now + LASTS)
        } else {
            // Who is alone need not wait until a process that was killed is no longer believed.
            (Ok(true), Millis::MAX)
        };
        match granted {
            Ok(granted) => {
                let mut duty = lock(&self.inner.duty);
                // A stop that came meanwhile has released it, or does so now.
                duty.until = if granted && !duty.stopping { until } else { Millis::MIN };
            }
            Err(error) => tracing::warn!(%error, "the right to look after the clocks could not be renewed"),
        }
        if !before && self.on_duty(now) {
            tracing::info!("this process looks after the clocks now");
            self.slots().iter().for_each(|slot| self.schedule(slot));
            lock(&self.inner.duty).beaten = None;
            if !self.beat(now).await {
                self.resume_soon();
            }
        }
    }

    /// Takes over what nobody looked after while no process ran, before anybody is let in.
    pub async fn prepare(&self) {
        self.renew(self.now()).await;
    }

    /// Notes that somebody looks after the clocks. If nobody has done so for a while, nobody could play: what the clocks lost by it
    /// is given back at all tables. Gives whether that is under way.
    async fn beat(&self, now: Millis) -> bool {
        let last = lock(&self.inner.duty).beaten;
        if !self.on_duty(now) || last.is_some_and(|last| (last..last + BEATS).contains(&now)) {
            return false;
        }
        let (noted, longest) = match last {
            Some(last) => (Ok(Some(last)), INTERRUPTED),
            None if self.inner.bus.has_others() => (self.inner.store.moment(BEAT).await, INTERRUPTED),
            None => (self.inner.store.moment(BEAT).await, STARTED),
        };
        // A failure is told where somebody asks for readiness or wants to write; here it is just tried again.
        let Ok(noted) = noted else { return false };
        if self.inner.store.set_moment(BEAT, now).await.is_err() {
            return false;
        }
        // It may have taken long.
        let now = self.now();
        let interrupted = noted.filter(|&noted| !(noted..=noted + longest).contains(&now));
        {
            let mut duty = lock(&self.inner.duty);
            duty.beaten = Some(now);
            if let Some(noted) = interrupted {
                // Tables that have not heard of an earlier one lose nothing by hearing of both as one.
                let from = duty.interruption.map_or(noted, |earlier| earlier.from);
                duty.interruption = Some(Interruption { from, to: now });
            }
        }
        if let Some(noted) = interrupted {
            tracing::warn!(millis = now - noted, "nobody looked after the clocks for a while; they get it back");
            self.resume_soon();
        }
        interrupted.is_some()
    }

    /// Looks at all running games, which may take longer than the right lasts that has to be renewed meanwhile.
    fn resume_soon(&self) {
        let hub = self.clone();
        tokio::spawn(async move {
            if let Err(error) = hub.resume().await {
                tracing::warn!(%error, "not all running games could be looked at");
                lock(&hub.inner.duty).until = Millis::MIN;
            }
        });
    }

    /// Loads all tables where a game is on that needs somebody to look after it.
    pub async fn resume(&self) -> Result<(), CommandError> {
        let interruption = lock(&self.inner.duty).interruption;
        self.count_all().await?;
        let mut after = None;
        loop {
            let page = self.inner.store.running(after.as_ref(), 100).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.clone());
            let attending = page.into_iter().map(|id| {
                let hub = self.clone();
                async move { unless_its_own_fault(&id, hub.attend(&id).await) }
            });
            let attended: Vec<_> = stream::iter(attending).buffer_unordered(AT_ONCE).collect().await;
            attended.into_iter().collect::<Result<(), _>>()?;
        }
        // All tables know of it now.
        let mut duty = lock(&self.inner.duty);
        duty.interruption = duty.interruption.filter(|later| Some(*later) != interruption);
        Ok(())
    }

    /// Loads a table, and lets it go again if neither clock nor engine needs it.
    async fn attend(&self, table: &TableId) -> Result<(), CommandError> {
        let slot = self.slot(table);
        let interrupted = lock(&self.inner.duty).interruption.is_some();
        if interrupted {
            // Whatever is changed, the time is given back first; here nothing else is.
            self.change(&slot, |_, _, _| Ok(Decision::default())).await?;
        } else {
            let mut live = slot.live.lock().await;
            self.load(&slot, &mut live).await?;
        }
        if !lock(&slot.needs).engines {
            self.let_go(&slot);
        }
        Ok(())
    }

    /// Reads a table whose last lines may have become durable although nobody was told, so that its watchers hear of them.
    async fn make_sure(&self, slot: &Arc<Slot>) {
        // Whoever has the table finds out.
        let Ok(mut live) = slot.live.try_lock() else { return };
        // What fails now is tried again.
        let _ = self.load(slot, &mut live).await;
    }

    /// A table may have begun elsewhere: who looks after the clocks has to know it.
    pub(super) async fn attend_if_on_duty(&self, table: &TableId) -> Result<(), CommandError> {
        let known = lock(&self.inner.tables).contains_key(table);
        if known || !self.on_duty(self.now()) {
            return Ok(());
        }
        let summary = self.inner.store.summary(table).await?;
        if summary.is_some_and(|summary| summary.status == Status::Playing) { self.attend(table).await } else { Ok(()) }
    }

    /// Looks for what the other processes could not tell: at once when something was lost, otherwise now and then.
    async fn keep_up(&self, now: Millis) {
        let (missed, looked) = {
            let mut duty = lock(&self.inner.duty);
            if now < duty.missed_again + AGAIN {
                return;
            }
            (duty.missed.take(), duty.looked)
        };
        let done = match missed {
            Some(since) => self.catch_up(since).await,
            None if self.inner.bus.has_others() && now >= looked + LOOKS => self.look_around(looked - LOOKS).await,
            None => return,
        };
        let mut duty = lock(&self.inner.duty);
        match done {
            Ok(()) => duty.looked = now,
            Err(error) => {
                tracing::warn!(%error, "what other processes have done could not be looked up");
                duty.miss(missed.unwrap_or(looked - LOOKS));
                duty.missed_again = now;
            }
        }
    }

    /// Makes up for notices that were lost since a moment: tells the watchers here what has happened and was said at their tables, who
    /// watches lists what these show now, and asks engines again.
    pub async fn catch_up(&self, since: Millis) -> Result<(), CommandError> {
        self.look_around(since).await?;
        let changed = TableFilter { changed_from: Some(since), ..TableFilter::default() };
        for summary in self.all_tables(changed).await? {
            self.listed(&summary);
        }
        for slot in self.slots() {
            *lock(&slot.asked) = Asked::long_ago();
            self.schedule(&slot);
            self.catch_up_with_talk(&slot).await?;
        }
        Ok(())
    }

    /// Reads what has been added to the tables in memory, and looks for games that have begun elsewhere.
    async fn look_around(&self, since: Millis) -> Result<(), CommandError> {
        let tables: Vec<TableId> = lock(&self.inner.tables).keys().cloned().collect();
        for (table, version) in self.inner.store.versions(&tables).await? {
            if let Some(slot) = self.known(&table) {
                unless_its_own_fault(&table, self.refresh(&slot, version).await)?;
            }
        }
        if self.on_duty(self.now()) {
            let playing =
                TableFilter { changed_from: Some(since), status: Some(Status::Playing), ..TableFilter::default() };
            for summary in self.all_tables(playing).await? {
                unless_its_own_fault(&summary.table, self.attend_if_on_duty(&summary.table).await)?;
            }
        }
        Ok(())
    }

    /// All pages of the tables that a filter takes.
    pub(super) async fn all_tables(&self, mut filter: TableFilter) -> Result<Vec<Listing>, StoreError> {
        let mut found = Vec::new();
        loop {
            let page = self.inner.store.tables(&filter).await?;
            let last = page.len() < LONGEST_PAGE;
            filter.after = page.last().map(Cursor::of);
            found.extend(page);
            if last {
                return Ok(found);
            }
        }
    }

    /// Gives up tables that have waited for players for very long, so that the lobby shows those where somebody comes.
    async fn sweep(&self, now: Millis) -> Result<(), CommandError> {
        let (status, changed_before) = (Some(Status::Open), Some(now - FORGOTTEN));
        for table in self.inner.store.tables(&TableFilter { status, changed_before, ..TableFilter::default() }).await? {
            let slot = self.slot(&table.table);
            let given_up = self.change(&slot, |state, at, _| Ok(state.forgotten(at))).await;
            unless_its_own_fault(&table.table, given_up.map(drop))?;
        }
        Ok(())
    }

    /// Takes a table out of memory if nobody watches it or uses it, and no clock and no engine needs it.
    fn let_go(&self, slot: &Arc<Slot>) {
        let mut tables = lock(&self.inner.tables);
        // This one and the map's: nobody else has it, and with the map locked nobody can get it.
        let unused = Arc::strong_count(slot) == 2;
        if unused && !lock(&slot.needs).awaits_somebody() && lock(&slot.audience).is_empty() {
            tables.remove(&slot.id);
        }
    }
}

impl Slot {
    /// From when on the table may leave memory. One that somebody watches or awaits stays: who leaves it has it looked after.
    fn idle_from(&self) -> Option<Millis> {
        let needs = *lock(&self.needs);
        let audience = lock(&self.audience);
        let stays = match (needs.over, audience.is_empty()) {
            (false, true) if !needs.awaits_somebody() => IDLE,
            (true, true) => OVER,
            (true, false) if audience.has_followers() => FOLLOWED,
            _ => return None,
        };
        Some(self.used.load(Ordering::Relaxed) + stays)
    }
}
