//! The clients of this process: what they watch, and who tells them.

use axum::extract::ws::Utf8Bytes;
use quincunx_games::GAMES;
use quincunx_table::protocol::{Listing, Message};
use quincunx_table::{Millis, Status, Subscription, TableId, UserId, first_snapshot, missed};

use super::{CommandError, Done, Hub, Load, Outbox, Slot, lock};
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

impl Hub {
    /// Lets a client watch a table.
    pub async fn watch(&self, table: &TableId, outbox: &Outbox, how: Watch<'_>) -> Result<Done, CommandError> {
        let Watch { invitation, since, heard, full } = how;
        let slot = self.slot(table);
        if let Some(since) = since.filter(|_| self.inner.bus.has_others()) {
            // Who comes from another process may have seen what is not known here yet.
            self.refresh(&slot, since).await?;
        }
        let mut guard = slot.live.lock().await;
        let state = self.load(&slot, &mut guard).await?;
        let subscription = Subscription { full, ..Subscription::of(outbox.user()) };
        if !state.welcomes(subscription.user, invitation) {
            return Err(CommandError::NoSuchTable);
        }
        match since {
            Some(since) if since == state.version => {}
            // To tell what was missed, the log is read from its beginning: that of a very long one is not.
            Some(since)
                if since > 0 && since < state.version && state.version - since <= MISSED && state.version <= LONG =>
            {
                let mut log = self.entries(table, 0).await?;
                // What others have written since the state was read is told later, to all.
                log.truncate(state.version as usize);
                outbox.tell(&missed(GAMES, table, &log, since, subscription)?);
            }
            _ => outbox.tell(&Message::Snapshot(Box::new(first_snapshot(state, subscription)))),
        }
        let version = state.version;
        lock(&slot.audience).add(outbox, subscription, version);
        drop(guard);
        self.schedule(&slot);
        if let Err(error) = self.repeat_talk(table, outbox, heard).await {
            self.unwatch(table, outbox);
            return Err(error.into());
        }
        Ok(Done::at(version))
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

    /// At how many tables a user sits where the game has not ended; many are not counted exactly.
    pub async fn tables_of(&self, user: UserId) -> Result<usize, StoreError> {
        let mut tables = 0;
        for status in [Status::Open, Status::Playing] {
            let (player, status) = (Some(PlayerFilter::new(user)), Some(status));
            let page = self.inner.store.tables(&TableFilter { status, player, ..TableFilter::default() }).await?;
            // What others keep for him is not his doing.
            let sits = |table: &&Listing| table.seats.iter().flatten().any(|sitter| sitter.user == Some(user));
            tables += page.iter().filter(sits).count();
        }
        Ok(tables)
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
            audience.tell_presence(&slot.id, &here);
        }
        if !repeated {
            return;
        }
        let (process, table) = (self.inner.process.clone(), slot.id.clone());
        self.inner.bus.tell(Notice::Present { process, table, seated: here.seated, others: here.others });
    }
}
