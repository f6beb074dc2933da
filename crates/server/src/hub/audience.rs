//! Who watches a table, here and at other processes.

use std::collections::{BTreeSet, HashMap};

use axum::extract::ws::Utf8Bytes;
use quincunx_table::protocol::{Message, Remark};
use quincunx_table::{
    AWAY, Millis, Seated, State, StateDigest, Subscription, TableId, UpdateBuilder, UserId, ViewCache,
};

use super::outbox::{Outbox, WAITING};

/// After how long another process repeats who watches there, and when it is no longer believed.
const REPEATED: Millis = 30_000;
const BELIEVED: Millis = 75_000;

/// Who watches a table.
#[derive(Default)]
pub struct Audience {
    listeners: Vec<Listener>,
    /// What they see.
    views: ViewCache,
    /// Up to which version the listeners have been told.
    pub told: u64,
    /// The last remark that the listeners have heard.
    pub heard: i64,
    /// Whether somebody has come or gone here since that was told to listeners and other processes.
    changed: bool,
    /// Whether somebody has come or gone elsewhere since that was told to the listeners.
    changed_elsewhere: bool,
    /// When the other processes were last told who is here.
    announced: Millis,
    /// Who watches at each of the other processes, and when that was last heard.
    elsewhere: HashMap<String, (Presence, Millis)>,
    /// Since when the table is in memory: nobody is away for longer.
    opened: Millis,
    /// When those who play here were last seen, unless they are here.
    seen: HashMap<UserId, Millis>,
}

/// A client that watches a table.
struct Listener {
    outbox: Outbox,
    subscription: Subscription,
    /// What has happened while the client's first message is being made, which comes before it.
    held: Option<Vec<Utf8Bytes>>,
}

impl Listener {
    fn send(&mut self, text: Utf8Bytes) {
        match &mut self.held {
            None => self.outbox.send(text),
            Some(held) if held.len() < WAITING => held.push(text),
            // It comes back, and is told what it missed.
            Some(_) => self.outbox.close(),
        }
    }
}

/// Who is there: users who sit at the table, and how many others.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Presence {
    pub seated: Vec<UserId>,
    pub others: u32,
}

impl Audience {
    pub fn new(now: Millis) -> Self {
        Self { opened: now, ..Self::default() }
    }

    /// Whether somebody watches here or elsewhere.
    fn is_here(&self, user: UserId) -> bool {
        self.subscriptions().any(|subscription| subscription.user == Some(user))
            || self.elsewhere.values().any(|(there, _)| there.seated.contains(&user))
    }

    /// Whether somebody who plays here has neither watched nor done anything for long.
    pub fn is_away(&self, user: UserId, now: Millis) -> bool {
        !self.is_here(user) && now - self.seen.get(&user).copied().unwrap_or(self.opened) >= AWAY
    }

    /// Somebody has done something: also without a live connection they are there.
    pub fn note_active(&mut self, user: UserId, now: Millis) {
        if !self.is_here(user) {
            self.seen.insert(user, now);
        }
    }

    /// Somebody may have come or gone.
    pub fn note_presence(&mut self, seats: &[Seated], now: Millis) {
        for user in seats.iter().filter_map(|seated| seated.user) {
            if self.is_here(user) {
                self.seen.remove(&user);
            } else {
                self.seen.entry(user).or_insert(now);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.listeners.is_empty()
    }

    pub fn has(&self, outbox: &Outbox) -> bool {
        self.listeners.iter().any(|listener| listener.outbox.is(outbox))
    }

    /// Adds a client that has seen the table up to a version, as all the others have.
    pub fn add(&mut self, outbox: &Outbox, subscription: Subscription, version: u64) {
        self.put(outbox, subscription, version, None);
    }

    /// Adds a client whose first message, about the table at a version, is still being made: what happens from now on is held
    /// back for it until [`begin`](Self::begin).
    pub fn add_waiting(&mut self, outbox: &Outbox, subscription: Subscription, version: u64) {
        self.put(outbox, subscription, version, Some(Vec::new()));
    }

    fn put(&mut self, outbox: &Outbox, subscription: Subscription, version: u64, held: Option<Vec<Utf8Bytes>>) {
        self.told = version;
        if let Some(known) = self.listeners.iter_mut().find(|listener| listener.outbox.is(outbox)) {
            known.subscription = subscription;
            // What was held back for a request before this one is in what this one is told.
            known.held = held;
        } else if !outbox.is_gone() {
            // A client that has gone while this was under way is not there any more to leave.
            self.listeners.push(Listener { outbox: outbox.clone(), subscription, held });
            self.changed = true;
        }
    }

    /// Sends a client its first message, and what has happened meanwhile.
    pub fn begin(&mut self, outbox: &Outbox, first: Utf8Bytes) {
        outbox.send(first);
        if let Some(listener) = self.listeners.iter_mut().find(|listener| listener.outbox.is(outbox)) {
            for text in listener.held.take().into_iter().flatten() {
                outbox.send(text);
            }
        }
    }

    pub fn remove(&mut self, outbox: &Outbox) {
        let before = self.listeners.len();
        self.listeners.retain(|listener| !listener.outbox.is(outbox));
        self.changed |= self.listeners.len() != before;
    }

    /// Lets those go who follow all their tables and did not ask for this one.
    pub fn remove_followers(&mut self) {
        self.listeners.retain(|listener| !listener.outbox.follows());
    }

    /// Somebody has sat down or stood up: who is there is to be told anew.
    pub fn note_reseated(&mut self) {
        self.changed |= !self.listeners.is_empty();
    }

    /// Who listens, and how.
    pub fn subscriptions(&self) -> impl Iterator<Item = Subscription> {
        self.listeners.iter().map(|listener| listener.subscription)
    }

    /// How the table stands for the listeners, to tell them later what has changed.
    pub fn digest(&mut self, state: &State) -> StateDigest {
        let subscriptions = self.listeners.iter().map(|listener| listener.subscription);
        StateDigest::of(state, subscriptions, &mut self.views)
    }

    /// Sends everybody what is for them, up to a version.
    pub fn tell(&mut self, version: u64, mut updates: UpdateBuilder<'_, Utf8Bytes>) {
        self.told = version;
        for listener in &mut self.listeners {
            let subscription = listener.subscription;
            listener.send(updates.to(subscription, subscription, |message| message.to_text().into()));
        }
        self.views = updates.into_views();
    }

    /// The listeners have heard the talk up to a remark.
    pub fn note_heard(&mut self, number: i64) {
        self.heard = self.heard.max(number);
    }

    /// Passes on what somebody said to all who want to read it.
    pub fn hear(&mut self, text: &Utf8Bytes, remark: &Remark, kept_from: &[UserId]) {
        self.note_heard(remark.number);
        let may = |listener: &Outbox| listener.user().is_none_or(|user| !kept_from.contains(&user));
        let wants = |listener: &Outbox| !listener.has_muted(remark.user);
        for listener in self.listeners.iter_mut().filter(|listener| may(&listener.outbox) && wants(&listener.outbox)) {
            listener.send(text.clone());
        }
    }

    /// Tells some of the listeners what was said before.
    pub fn read_out(&mut self, table: &TableId, remarks: &[Remark], to: &[UserId]) {
        for reader in &mut self.listeners {
            if !reader.outbox.user().is_some_and(|user| to.contains(&user)) {
                continue;
            }
            let wanted = remarks.iter().filter(|remark| !reader.outbox.has_muted(remark.user));
            let remarks: Vec<Remark> = wanted.cloned().collect();
            if !remarks.is_empty() {
                reader.send(Message::Said { table: table.clone(), remarks }.to_text().into());
            }
        }
    }

    pub fn note_elsewhere(&mut self, process: String, seated: Vec<UserId>, others: u32, now: Millis) {
        let present = Presence { seated, others };
        if present == Presence::default() {
            self.changed_elsewhere |= self.elsewhere.remove(&process).is_some();
            return;
        }
        let before = self.elsewhere.insert(process, (present.clone(), now)).map(|(before, _)| before);
        // A process that is new here does not know who is here.
        self.changed |= before.is_none() && !self.listeners.is_empty();
        self.changed_elsewhere |= before != Some(present);
    }

    /// Forgets processes that have not been heard of for long.
    pub fn forget_silent(&mut self, now: Millis) {
        let before = self.elsewhere.len();
        self.elsewhere.retain(|_, (_, heard)| *heard + BELIEVED > now);
        self.changed_elsewhere |= self.elsewhere.len() != before;
    }

    /// When something is to be told next; `others` says whether there are other processes to tell it to.
    pub fn due(&self, now: Millis, others: bool) -> Option<Millis> {
        let repeat = (others && !self.listeners.is_empty()).then_some(self.announced + REPEATED);
        let forget = self.elsewhere.values().map(|(_, heard)| heard + BELIEVED).min();
        let tell = (self.changed || self.changed_elsewhere).then_some(now);
        [repeat, forget, tell].into_iter().flatten().min()
    }

    /// Whether some listen only because they follow all their tables.
    pub fn has_followers(&self) -> bool {
        self.listeners.iter().any(|listener| listener.outbox.follows())
    }

    /// Whether the listeners, and whether the other processes are to be told who is there.
    pub fn take_due(&mut self, now: Millis) -> (bool, bool) {
        let here = std::mem::take(&mut self.changed);
        let elsewhere = std::mem::take(&mut self.changed_elsewhere);
        let repeat = here || (!self.listeners.is_empty() && self.announced + REPEATED <= now);
        if repeat {
            self.announced = now;
        }
        (here || elsewhere, repeat)
    }

    /// Who is here, at this process.
    pub fn here(&self, seats: &[Seated]) -> Presence {
        let mut seated = BTreeSet::new();
        let mut others = 0;
        for subscription in self.subscriptions() {
            match subscription.user.filter(|&user| seats.iter().any(|seat| seat.user == Some(user))) {
                Some(user) => {
                    seated.insert(user);
                }
                None => others += 1,
            }
        }
        Presence { seated: seated.into_iter().collect(), others }
    }

    /// Tells the listeners who is here and elsewhere.
    pub fn tell_presence(&mut self, table: &TableId, here: &Presence) {
        let mut seated: BTreeSet<UserId> = here.seated.iter().copied().collect();
        let mut others = here.others;
        for (there, _) in self.elsewhere.values() {
            seated.extend(&there.seated);
            others += there.others;
        }
        let message = Message::Present { table: table.clone(), seated: seated.into_iter().collect(), others };
        let text: Utf8Bytes = message.to_text().into();
        for listener in &mut self.listeners {
            listener.send(text.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn processes_that_know_of_each_other_are_quiet() {
        let (outbox, _inbox) = Outbox::new(None, false, HashSet::new());
        let mut audience = Audience::default();
        audience.add(&outbox, Subscription::default(), 1);
        assert_eq!(audience.take_due(100_000), (true, true), "somebody has come");
        assert_eq!(audience.take_due(100_100), (false, false));
        audience.note_elsewhere("b".to_owned(), vec![UserId(1)], 0, 100_200);
        assert_eq!(audience.take_due(100_200), (true, true), "b is new, and does not know who is here");
        audience.note_elsewhere("b".to_owned(), vec![UserId(1)], 0, 100_300);
        assert_eq!(audience.take_due(100_300), (false, false), "nothing new");
        audience.note_elsewhere("b".to_owned(), vec![UserId(1)], 2, 100_400);
        assert_eq!(audience.take_due(100_400), (true, false), "that is for those here to know");
        audience.note_elsewhere("b".to_owned(), Vec::new(), 0, 100_500);
        assert_eq!(audience.take_due(100_500), (true, false));
        audience.note_elsewhere("b".to_owned(), Vec::new(), 0, 100_600);
        assert_eq!(audience.take_due(100_600), (false, false));
        assert_eq!(audience.take_due(100_200 + REPEATED), (false, true), "now and then it is repeated");
    }

    #[test]
    fn who_has_gone_is_not_added_any_more() {
        let (outbox, _inbox) = Outbox::new(None, true, HashSet::new());
        let mut audience = Audience::default();
        audience.add(&outbox, Subscription::default(), 1);
        audience.remove_followers();
        assert!(audience.is_empty());
        outbox.go();
        audience.add(&outbox, Subscription::default(), 1);
        assert!(audience.is_empty());
    }
}
