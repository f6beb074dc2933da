//! Who watches a table, here and at other processes.

use std::collections::{BTreeSet, HashMap};

use axum::extract::ws::Utf8Bytes;

use super::outbox::Outbox;
use crate::model::{Millis, TableId, UserId};
use crate::table::Seated;
use crate::wire::{self, Message, Spoken};

/// After how long another process repeats who watches there, and when it is no longer believed.
const REPEATED: Millis = 30_000;
const BELIEVED: Millis = 75_000;

/// Who watches a table.
#[derive(Default)]
pub struct Audience {
    listeners: Vec<Outbox>,
    /// Up to which version the listeners have been told.
    told: u64,
    /// Whether somebody has come or gone since `present` was told.
    changed: bool,
    /// When the other processes were last told who is here.
    announced: Millis,
    elsewhere: HashMap<String, Elsewhere>,
}

/// Who watches at another process.
struct Elsewhere {
    seated: Vec<UserId>,
    others: u32,
    heard: Millis,
}

/// Who is there: users who sit at the table, and how many others.
pub struct Presence {
    pub seated: Vec<UserId>,
    pub others: u32,
}

impl Audience {
    pub fn is_empty(&self) -> bool {
        self.listeners.is_empty()
    }

    pub fn has(&self, outbox: &Outbox) -> bool {
        self.listeners.iter().any(|listener| listener.is(outbox))
    }

    /// Up to which version the listeners have been told.
    pub fn told(&self) -> u64 {
        self.told
    }

    /// Adds a client that has been told up to a version, as all the others have.
    pub fn add(&mut self, outbox: &Outbox, version: u64) {
        self.told = version;
        if !self.has(outbox) {
            self.listeners.push(outbox.clone());
            self.changed = true;
        }
    }

    pub fn remove(&mut self, outbox: &Outbox) {
        let before = self.listeners.len();
        self.listeners.retain(|listener| !listener.is(outbox));
        self.changed |= self.listeners.len() != before;
    }

    /// Who listens; somebody unknown is nobody.
    pub fn users(&self) -> impl Iterator<Item = Option<UserId>> {
        self.listeners.iter().map(Outbox::user)
    }

    /// Sends everybody what is for them, up to a version.
    pub fn tell(&mut self, version: u64, mut text: impl FnMut(Option<UserId>) -> Utf8Bytes) {
        self.told = version;
        for listener in &self.listeners {
            listener.send(text(listener.user()));
        }
    }

    /// Passes on what somebody said to all who want to read it.
    pub fn hear(&self, text: &Utf8Bytes, remark: &Spoken) {
        for listener in self.listeners.iter().filter(|listener| !listener.has_muted(remark.user)) {
            listener.send(text.clone());
        }
    }

    pub fn note_elsewhere(&mut self, process: String, seated: Vec<UserId>, others: u32, now: Millis) {
        self.changed = true;
        if seated.is_empty() && others == 0 {
            self.elsewhere.remove(&process);
        } else {
            self.elsewhere.insert(process, Elsewhere { seated, others, heard: now });
        }
    }

    /// Forgets processes that have not been heard of for long.
    pub fn forget_silent(&mut self, now: Millis) {
        let before = self.elsewhere.len();
        self.elsewhere.retain(|_, process| process.heard + BELIEVED > now);
        self.changed |= self.elsewhere.len() != before;
    }

    /// Whether who is here is to be told anew to the listeners.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Whether the other processes are to be told who is here.
    pub fn take_due(&mut self, changed: bool, now: Millis) -> bool {
        let due = changed || (!self.listeners.is_empty() && self.announced + REPEATED <= now);
        if due {
            self.announced = now;
        }
        due
    }

    /// Who is here, at this process.
    pub fn here(&self, seats: &[Seated]) -> Presence {
        let mut seated = BTreeSet::new();
        let mut others = 0;
        for user in self.users() {
            match user.filter(|&user| seats.iter().any(|seat| seat.user == Some(user))) {
                Some(user) => {
                    seated.insert(user);
                }
                None => others += 1,
            }
        }
        Presence { seated: seated.into_iter().collect(), others }
    }

    /// Tells the listeners who is here and elsewhere.
    pub fn tell_presence(&self, table: &TableId, here: &Presence) {
        let mut seated: BTreeSet<UserId> = here.seated.iter().copied().collect();
        let mut others = here.others;
        for process in self.elsewhere.values() {
            seated.extend(&process.seated);
            others += process.others;
        }
        let message = Message::Present { table: table.clone(), seated: seated.into_iter().collect(), others };
        let text: Utf8Bytes = wire::text(&message).into();
        for listener in &self.listeners {
            listener.send(text.clone());
        }
    }
}
