//! The talk at the tables.

use std::collections::{HashSet, VecDeque};
use std::sync::Mutex;

use axum::extract::ws::Utf8Bytes;
use quincunx_table::protocol::{Message, Remark};
use quincunx_table::{Person, TableId, UserId};

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
        self.look(table, Some(person.id), invitation, |_| ()).await?;
        let at = self.now();
        let talk = &self.inner.talk;
        if !talk.is_new(table, person.id, id) {
            return Ok(());
        }
        let added = self.inner.store.add_remark(table, person.id, &person.name, at, &text).await;
        let number = added.inspect_err(|_| talk.forget(table, person.id, id))?;
        let remark = Remark { number, user: person.id, name: person.name.clone(), at, text };
        self.pass_on(table, &remark);
        self.inner.bus.tell(Notice::Said { table: table.clone(), remark });
        Ok(())
    }

    /// Tells the watchers of a table what was said.
    pub(super) fn pass_on(&self, table: &TableId, remark: &Remark) {
        if let Some(slot) = self.known(table) {
            let message = Message::Said { table: table.clone(), remarks: vec![remark.clone()] };
            let text: Utf8Bytes = message.to_text().into();
            lock(&slot.audience).hear(&text, remark);
        }
    }

    /// Tells the watchers of a table what was said while nobody told this process.
    pub(super) async fn catch_up_with_talk(&self, slot: &Slot) -> Result<(), StoreError> {
        let heard = {
            let audience = lock(&slot.audience);
            (!audience.is_empty()).then(|| audience.heard)
        };
        if let Some(heard) = heard {
            for remark in self.inner.store.remarks(&slot.id, heard, REPEATED as usize).await? {
                self.pass_on(&slot.id, &remark);
            }
        }
        Ok(())
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
        let after = heard.unwrap_or(0).max(last - REPEATED);
        if after >= last {
            return Ok(());
        }
        let remarks = self.inner.store.remarks(table, after, REPEATED as usize).await?;
        let remarks: Vec<Remark> = remarks.into_iter().filter(|remark| !outbox.has_muted(remark.user)).collect();
        if !remarks.is_empty() {
            outbox.tell(&Message::Said { table: table.clone(), remarks });
        }
        Ok(())
    }

    /// Whom a user does not want to read. Somebody unknown reads everybody.
    pub async fn muted(&self, user: Option<UserId>) -> Result<HashSet<UserId>, StoreError> {
        let Some(user) = user else { return Ok(HashSet::new()) };
        Ok(self.inner.store.muted_by(user).await?.into_iter().collect())
    }

    /// A user wants to read what another one says, or not any more.
    pub async fn mute(&self, user: UserId, other: UserId, muted: bool) -> Result<(), StoreError> {
        self.inner.store.set_muted(user, other, muted).await?;
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
