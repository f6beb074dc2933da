//! The clients of this process: what they watch, and who tells them.

use std::sync::{Arc, Weak};

use axum::extract::ws::Utf8Bytes;
use quincunx_games::GAMES;
use quincunx_table::protocol::{Listing, Message};
use quincunx_table::{Millis, Missed, Recent, State, Status, Subscription, TableId, UserId, first_snapshot, missed};

use super::{CommandError, Hub, Load, Outbox, Slot, lock};
use crate::cluster::Notice;
use crate::store::{PlayerFilter, StoreError, TableFilter};

/// How many lines a watcher may have missed and still be told only these.
const MISSED: u64 = 200;
/// The log of nearly every game is shorter than this.
const LONG: u64 = 3000;

/// How a client watches a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watch<'a> {
    pub invitation: Option<&'a str>,
    /// The version that it has seen.
    pub since: Option<u64>,
    /// The number of the last remark that it has.
    pub heard: Option<i64>,
    /// Whether it wants views and actions also where nothing is hidden.
    pub full: bool,
}

/// A client watches a table from a version on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Watching {
    pub version: u64,
    /// What it cost to tell the client what it missed, in messages that it could have sent instead.
    pub cost: u32,
}

/// What a watcher is told first.
enum First {
    /// It knows all that there is to know.
    Nothing,
    /// What it missed, out of the last lines.
    Recent(Box<Missed>, Arc<State>),
    /// What it missed since a version, out of the log.
    Log(u64),
    /// All of it.
    Snapshot(Arc<State>),
}

impl First {
    /// Measured by the lines that are read, played or written: some thousand of them cost as much as a few dozen messages.
    fn cost(&self, version: u64) -> u32 {
        let cost = match self {
            Self::Nothing | Self::Recent(..) => 0,
            Self::Snapshot(_) => version / 200,
            Self::Log(_) => version / 50,
        };
        u32::try_from(cost).unwrap_or(u32::MAX)
    }
}

/// What is kept beside a table to tell others of it without holding it up.
#[derive(Default)]
pub(super) struct Aside {
    pub recent: Recent,
    /// For as long as somebody looks at it.
    copy: Weak<State>,
}

impl Aside {
    /// A table that was just read from its log.
    pub fn new(recent: Recent) -> Self {
        Self { recent, copy: Weak::new() }
    }

    /// The table as it stands, copied once for all who look at it at the same time.
    pub fn copy(&mut self, state: &State) -> Arc<State> {
        let known = self.copy.upgrade().filter(|copy| copy.version == state.version);
        known.unwrap_or_else(|| {
            let copy = Arc::new(state.to_look_at());
            self.copy = Arc::downgrade(&copy);
            copy
        })
    }
}

impl Hub {
    /// Lets a client watch a table. What it is told first is made while the table goes on: a watcher, however much it asks for,
    /// does not hold up those who play.
    pub async fn watch(&self, table: &TableId, outbox: &Outbox, how: Watch<'_>) -> Result<Watching, CommandError> {
        let Watch { invitation, since, heard, full } = how;
        let slot = self.slot(table);
        if let Some(since) = since.filter(|_| self.inner.bus.has_others()) {
            // Who comes from another process may have seen what is not known here yet.
            self.refresh(&slot, since).await?;
        }
        let subscription = Subscription { full, ..Subscription::of(outbox.user()) };
        let (version, first) = {
            let mut guard = slot.live.lock().await;
            let state = self.load(&slot, &mut guard).await?;
            if !state.welcomes(subscription.user, invitation) {
                return Err(CommandError::NoSuchTable);
            }
            let version = state.version;
            let mut aside = lock(&slot.aside);
            let first = match since {
                Some(since) if since == version => First::Nothing,
                Some(since) if since > 0 && since < version && version - since <= MISSED => {
                    match aside.recent.since(since) {
                        Some(missed) => First::Recent(Box::new(missed), aside.copy(state)),
                        // The log is read from its beginning: that of a very long one is not.
                        None if version <= LONG => First::Log(since),
                        None => First::Snapshot(aside.copy(state)),
                    }
                }
                _ => First::Snapshot(aside.copy(state)),
            };
            drop(aside);
            let mut audience = lock(&slot.audience);
            if matches!(first, First::Nothing) {
                audience.add(outbox, subscription, version);
            } else {
                audience.add_waiting(outbox, subscription, version);
            }
            (version, first)
        };
        self.schedule(&slot);
        let cost = first.cost(version);
        let told = match self.first_message(table, first, version, subscription).await {
            Ok(Some(text)) => {
                lock(&slot.audience).begin(outbox, text);
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        let told = match told {
            Ok(()) => self.repeat_talk(table, outbox, heard).await.map_err(CommandError::from),
            failed => failed,
        };
        if let Err(error) = told {
            self.unwatch(table, outbox);
            return Err(error);
        }
        Ok(Watching { version, cost })
    }

    /// Makes what a watcher is told first.
    async fn first_message(
        &self,
        table: &TableId,
        first: First,
        version: u64,
        subscription: Subscription,
    ) -> Result<Option<Utf8Bytes>, CommandError> {
        let message = match first {
            First::Nothing => return Ok(None),
            First::Recent(missed, state) => missed.message(&state, subscription),
            First::Snapshot(state) => Message::Snapshot(Box::new(first_snapshot(&state, subscription))),
            First::Log(since) => {
                let _turn = self.inner.readers.acquire().await;
                let mut log = self.entries(table, 0).await?;
                // What others have written since the state was read is told later, to all.
                log.truncate(version as usize);
                let table = table.clone();
                let made = tokio::task::spawn_blocking(move || missed(GAMES, &table, &log, since, subscription));
                made.await.map_err(|_| CommandError::Busy)??
            }
        };
        Ok(Some(message.to_text().into()))
    }

    /// Looks at a table, if this user may see it, while it goes on: for looks that take time.
    pub async fn look_aside<T>(
        &self,
        table: &TableId,
        user: Option<UserId>,
        invitation: Option<&str>,
        look: impl FnOnce(&State) -> T,
    ) -> Result<T, CommandError> {
        let slot = self.slot(table);
        let copy = {
            let mut live = slot.live.lock().await;
            let state = self.load(&slot, &mut live).await?;
            if !state.welcomes(user, invitation) {
                return Err(CommandError::NoSuchTable);
            }
            lock(&slot.aside).copy(state)
        };
        Ok(look(&copy))
    }

    /// A client watches a table no more.
    pub fn unwatch(&self, table: &TableId, outbox: &Outbox) {
        if let Some(slot) = self.known(table) {
            lock(&slot.audience).remove(outbox);
            self.schedule(&slot);
        }
    }

    /// A client has come. One that follows its tables watches them from now on.
    pub async fn enter(&self, outbox: &Outbox) -> Result<(), CommandError> {
        let Some(user) = outbox.user() else { return Ok(()) };
        {
            let mut clients = lock(&self.inner.clients);
            if outbox.is_gone() {
                return Ok(());
            }
            clients.entry(user).or_default().push(outbox.clone());
        }
        if outbox.follows() {
            for status in [Status::Open, Status::Playing] {
                let (player, status) = (Some(PlayerFilter::new(user)), Some(status));
                for table in self.all_tables(TableFilter { status, player, ..TableFilter::default() }).await? {
                    // A table that cannot be read must not keep the others from going on.
                    let _ = self.watch(&table.table, outbox, Watch::default()).await;
                }
            }
        }
        Ok(())
    }

    /// A client that has watched these tables has gone.
    pub fn leave<'a>(&self, outbox: &Outbox, watched: impl IntoIterator<Item = &'a TableId>) {
        outbox.go();
        for table in watched {
            self.unwatch(table, outbox);
        }
        self.unwatch_lobby(outbox);
        if let Some(user) = outbox.user() {
            let mut clients = lock(&self.inner.clients);
            if let Some(of_user) = clients.get_mut(&user) {
                of_user.retain(|client| !client.is(outbox));
                if of_user.is_empty() {
                    clients.remove(&user);
                }
            }
        }
        if outbox.follows() {
            for slot in self.slots() {
                lock(&slot.audience).remove(outbox);
                self.schedule(&slot);
            }
        }
    }

    /// How many tables a user has set up or sits at where the game has not ended, and at how many of them engines play. What others
    /// keep for them is not their doing.
    pub async fn tables_of(&self, user: UserId) -> Result<(usize, usize), StoreError> {
        let tables = usize::try_from(self.inner.store.tables_in_use(user).await?).unwrap_or(usize::MAX);
        let mut with_engines = 0;
        for status in [Status::Open, Status::Playing] {
            let (player, status) = (Some(PlayerFilter::new(user)), Some(status));
            let page = self.inner.store.tables(&TableFilter { status, player, ..TableFilter::default() }).await?;
            let sits = |table: &Listing| table.seats.iter().flatten().any(|sitter| sitter.user == Some(user));
            with_engines += page.iter().filter(|table| sits(table) && table.has_engines()).count();
        }
        Ok((tables, with_engines))
    }

    pub fn watch_lobby(&self, outbox: &Outbox) {
        let mut lobby = lock(&self.inner.lobby);
        if !lobby.iter().any(|listener| listener.is(outbox)) {
            lobby.push(outbox.clone());
        }
    }

    pub fn unwatch_lobby(&self, outbox: &Outbox) {
        lock(&self.inner.lobby).retain(|listener| !listener.is(outbox));
    }

    /// How much there is to do now.
    pub fn burden(&self) -> Load {
        let slots = self.slots();
        let at_tables: usize = slots.iter().map(|slot| lock(&slot.audience).subscriptions().count()).sum();
        Load {
            tables: slots.len(),
            clients: lock(&self.inner.clients).values().map(Vec::len).sum(),
            watchers: at_tables + lock(&self.inner.lobby).len(),
        }
    }

    /// The connected clients of a user.
    pub(super) fn clients_of(&self, user: UserId) -> Vec<Outbox> {
        lock(&self.inner.clients).get(&user).cloned().unwrap_or_default()
    }

    /// Lists show a table differently: tells everybody whom it concerns, also at other processes.
    pub(super) fn announce(&self, summary: Listing) {
        self.listed(&summary);
        self.inner.bus.tell(Notice::Listed { summary: Box::new(summary) });
    }

    /// Tells the clients here of a table that lists show differently.
    pub(super) fn listed(&self, summary: &Listing) {
        let text: Utf8Bytes = Message::Listed(Box::new(summary.clone())).to_text().into();
        let mut told = if summary.public { lock(&self.inner.lobby).clone() } else { Vec::new() };
        for client in summary.users().into_iter().flat_map(|user| self.clients_of(user)) {
            if client.follows() {
                let (hub, table) = (self.clone(), summary.table.clone());
                let client = client.clone();
                tokio::spawn(async move {
                    let slot = hub.slot(&table);
                    let watches = lock(&slot.audience).has(&client);
                    if !watches {
                        let _ = hub.watch(&table, &client, Watch::default()).await;
                    }
                });
            }
            if !told.iter().any(|listener| listener.is(&client)) {
                told.push(client);
            }
        }
        for listener in told {
            listener.send(text.clone());
        }
    }

    /// Tells who watches a table, if that has changed.
    pub(super) fn tell_presence(&self, slot: &Slot, now: Millis) {
        // Whoever has the table has it for a moment; it is tried again soon.
        let Ok(live) = slot.live.try_lock() else { return };
        let Some(state) = live.as_ref() else { return };
        let mut audience = lock(&slot.audience);
        audience.forget_silent(now);
        let (told, repeated) = audience.take_due(now);
        if !told && !repeated {
            return;
        }
        let here = audience.here(&state.seats);
        if told {
            audience.note_presence(&state.seats, now);
            audience.tell_presence(&slot.id, &here);
        }
        if !repeated {
            return;
        }
        let (process, table) = (self.inner.process.clone(), slot.id.clone());
        self.inner.bus.tell(Notice::Present { process, table, seated: here.seated, others: here.others });
    }
}
