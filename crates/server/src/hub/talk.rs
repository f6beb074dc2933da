//! The talk at the tables.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex};

use axum::extract::ws::Utf8Bytes;
use quincunx_table::protocol::{Message, Remark};
use quincunx_table::{Person, State, Status, TableId, UserId};

use super::{CommandError, Hub, Outbox, Slot, lock};
use crate::cluster::Notice;
use crate::store::StoreError;

/// How long a remark may be, in characters.
pub const LONGEST_REMARK: usize = 500;
/// How many of the last remarks somebody reads who comes to a table.
const REPEATED: i64 = 50;
/// How many remarks are remembered, to know a repeated one.
const REMEMBERED: usize = 1000;

/// The last remarks of this process.
#[derive(Default)]
pub struct Talk {
    recent: Mutex<VecDeque<(TableId, UserId, String)>>,
}

impl Talk {
    /// Whether this is the first time that a user says something with this id at a table.
    fn is_new(&self, table: &TableId, user: UserId, id: &str) -> bool {
        let mut recent = lock(&self.recent);
        let new = !recent.iter().any(|(at, by, known)| at == table && *by == user && known == id);
        if new {
            if recent.len() >= REMEMBERED {
                recent.pop_front();
            }
            recent.push_back((table.clone(), user, id.to_owned()));
        }
        new
    }

    /// It could not be kept: the next time is the first one.
    fn forget(&self, table: &TableId, user: UserId, id: &str) {
        lock(&self.recent).retain(|(at, by, known)| at != table || *by != user || known != id);
    }
}

/// Whether a character of a remark could change how what stands beside the remark is shown: control characters, and those
/// that turn around the direction of reading until further notice. Marks that languages need between letters do not.
fn harms(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Those who play while the game is on.
fn players(state: &State) -> Vec<UserId> {
    match state.status {
        Status::Playing => state.seats.iter().filter_map(|seated| seated.user).collect(),
        _ => Vec::new(),
    }
}

impl Hub {
    /// Says something at a table.
    pub async fn say(
        &self,
        table: &TableId,
        person: &Person,
        invitation: Option<&str>,
        text: &str,
        id: &str,
    ) -> Result<(), CommandError> {
        let text: String = text.chars().map(|letter| if harms(letter) { ' ' } else { letter }).collect();
        let text = text.trim().to_owned();
        if text.is_empty() {
            return Err(CommandError::TooMuch("there is nothing in this remark".to_owned()));
        }
        if text.chars().count() > LONGEST_REMARK {
            return Err(CommandError::TooMuch(format!("a remark has at most {LONGEST_REMARK} characters")));
        }
        let kept_from = |state: &State| {
            // While a game is on, those who do not play speak among themselves: players must not get advice.
            if state.is_player(person.id) { Vec::new() } else { players(state) }
        };
        let kept_from = self.look(table, Some(person.id), invitation, kept_from).await?;
        let at = self.now();
        let speaker = self.inner.store.user(person.id).await?;
        if let Some(until) = speaker.and_then(|user| user.silenced).filter(|&until| until > at) {
            return Err(CommandError::Silenced { until });
        }
        let talk = &self.inner.talk;
        if !talk.is_new(table, person.id, id) {
            return Ok(());
        }
        let spectator = !kept_from.is_empty();
        let added = self.inner.store.add_remark(table, person.id, &person.name, at, &text, spectator).await;
        let number = added.inspect_err(|_| talk.forget(table, person.id, id))?;
        let remark = Remark { number, user: person.id, name: person.name.clone(), at, text, spectator };
        self.pass_on(table, &remark, &kept_from);
        self.inner.bus.tell(Notice::Said { table: table.clone(), remark, kept_from });
        Ok(())
    }

    /// Tells the watchers of a table what was said, but for those who play and must not read it yet.
    pub(super) fn pass_on(&self, table: &TableId, remark: &Remark, kept_from: &[UserId]) {
        if let Some(slot) = self.known(table) {
            let message = Message::Said { table: table.clone(), remarks: vec![remark.clone()] };
            let text: Utf8Bytes = message.to_text().into();
            lock(&slot.audience).hear(&text, remark, kept_from);
        }
    }

    /// Tells the watchers of a table what was said while nobody told this process.
    pub(super) async fn catch_up_with_talk(&self, slot: &Arc<Slot>) -> Result<(), StoreError> {
        let heard = {
            let audience = lock(&slot.audience);
            (!audience.is_empty()).then(|| audience.heard)
        };
        if let Some(heard) = heard {
            let players = self.players_of(slot).await;
            for remark in self.inner.store.remarks(&slot.id, heard, REPEATED as usize).await? {
                self.pass_on(&slot.id, &remark, if remark.spectator { &players } else { &[] });
            }
        }
        Ok(())
    }

    /// The game is over: those who played read what the spectators have said meanwhile, without anybody waiting for it.
    pub(super) fn open_talk_soon(&self, slot: &Arc<Slot>) {
        let Some(slot) = self.known(&slot.id).filter(|slot| !lock(&slot.audience).is_empty()) else { return };
        let hub = self.clone();
        tokio::spawn(async move {
            if let Err(error) = hub.open_talk(&slot).await {
                tracing::warn!(table = slot.id.0, %error, "the players were not told what spectators have said");
            }
        });
    }

    async fn open_talk(&self, slot: &Arc<Slot>) -> Result<(), StoreError> {
        let last = self.inner.store.last_remark(&slot.id).await?;
        let remarks = self.inner.store.remarks(&slot.id, last - REPEATED, REPEATED as usize).await?;
        let remarks: Vec<Remark> = remarks.into_iter().filter(|remark| remark.spectator).collect();
        let seated = {
            let live = slot.live.lock().await;
            live.as_ref().map_or_else(Vec::new, |state| state.seats.iter().filter_map(|seated| seated.user).collect())
        };
        if !remarks.is_empty() {
            lock(&slot.audience).read_out(&slot.id, &remarks, &seated);
        }
        Ok(())
    }

    /// Those who play at a table now, and must not read what spectators say.
    async fn players_of(&self, slot: &Arc<Slot>) -> Vec<UserId> {
        let mut live = slot.live.lock().await;
        self.load(slot, &mut live).await.map_or_else(|_| Vec::new(), |state| players(state))
    }

    /// Which remarks somebody may read now, of those at a table that they may see.
    pub async fn readable(
        &self,
        table: &TableId,
        user: Option<UserId>,
        remarks: Vec<Remark>,
    ) -> Result<Vec<Remark>, StoreError> {
        let plays = match user {
            Some(user) => self.players_of(&self.slot(table)).await.contains(&user),
            None => false,
        };
        let muted = self.muted(user).await?;
        let wanted = |remark: &Remark| !(muted.contains(&remark.user) || plays && remark.spectator);
        Ok(remarks.into_iter().filter(wanted).collect())
    }

    /// Tells a client what was said before, after the last remark that he has heard.
    pub(super) async fn repeat_talk(
        &self,
        table: &TableId,
        outbox: &Outbox,
        heard: Option<i64>,
    ) -> Result<(), StoreError> {
        let last = self.inner.store.last_remark(table).await?;
        if let Some(slot) = self.known(table) {
            let mut audience = lock(&slot.audience);
            // What this one reads now the others may still have to be told.
            if audience.subscriptions().count() == 1 {
                audience.note_heard(last);
            }
        }
        let (heard, oldest) = (heard.unwrap_or(0), last - REPEATED);
        let slot = self.known(table);
        let (plays, is_over) = match &slot {
            Some(slot) => {
                let players = self.players_of(slot).await;
                (outbox.user().is_some_and(|user| players.contains(&user)), lock(&slot.needs).is_over())
            }
            None => (false, false),
        };
        // A player who comes back after the end may not have read what spectators said before the last remark they heard.
        let after = if is_over && outbox.user().is_some() { oldest } else { heard.max(oldest) };
        if after >= last {
            return Ok(());
        }
        let remarks = self.inner.store.remarks(table, after, REPEATED as usize).await?;
        let is_new = |remark: &Remark| remark.number > heard || remark.spectator;
        let wanted = |remark: &Remark| !(outbox.has_muted(remark.user) || plays && remark.spectator);
        let remarks: Vec<Remark> = remarks.into_iter().filter(|remark| is_new(remark) && wanted(remark)).collect();
        if !remarks.is_empty() {
            outbox.tell(&Message::Said { table: table.clone(), remarks });
        }
        Ok(())
    }

    /// Whom a user does not want to read. Somebody unknown reads everybody.
    pub async fn muted(&self, user: Option<UserId>) -> Result<HashSet<UserId>, StoreError> {
        let Some(user) = user else { return Ok(HashSet::new()) };
        let store = &self.inner.store;
        Ok(store.muted_by(user).await?.into_iter().chain(store.blocked_by(user).await?).collect())
    }

    /// A user wants to play with another one and to read what they say, or not any more.
    pub async fn block(&self, user: UserId, other: UserId, blocked: bool) -> Result<(), StoreError> {
        self.inner.store.set_blocked(user, other, blocked).await?;
        self.tell_muted(user, other).await
    }

    /// A user wants to read what another one says, or not any more.
    pub async fn mute(&self, user: UserId, other: UserId, muted: bool) -> Result<(), StoreError> {
        self.inner.store.set_muted(user, other, muted).await?;
        self.tell_muted(user, other).await
    }

    /// Lets the connections of a user know whether they want to read another one.
    async fn tell_muted(&self, user: UserId, other: UserId) -> Result<(), StoreError> {
        let muted = self.muted(Some(user)).await?.contains(&other);
        self.clients_of(user).iter().for_each(|client| client.set_muted(other, muted));
        self.inner.bus.tell(Notice::Muted { user, other, muted });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Talk;
    use quincunx_table::{TableId, UserId};

    #[test]
    fn a_remark_is_known_by_table_user_and_id_unless_it_could_not_be_kept() {
        let talk = Talk::default();
        let (one, other) = (TableId("one".to_owned()), TableId("other".to_owned()));
        assert!(talk.is_new(&one, UserId(1), "1"));
        assert!(!talk.is_new(&one, UserId(1), "1"));
        assert!(talk.is_new(&other, UserId(1), "1") && talk.is_new(&one, UserId(2), "1"));
        talk.forget(&one, UserId(1), "1");
        assert!(talk.is_new(&one, UserId(1), "1"));
        assert!(!talk.is_new(&other, UserId(1), "1") && !talk.is_new(&one, UserId(2), "1"));
    }
}
