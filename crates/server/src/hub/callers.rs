//! From where people come to this process, to deal out thinking fairly. It stays in memory, and is in no log.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;

use quincunx_table::{Millis, Person, State, UserId, UserKind};

use super::{Hub, lock};
use crate::cluster::Owner;
use crate::limiter::network;

/// How many people are remembered; then the half that was heard of last.
const REMEMBERED: usize = 20_000;

/// Who has come lately.
#[derive(Default)]
pub(super) struct Callers {
    known: Mutex<HashMap<UserId, (Owner, Millis)>>,
}

impl Callers {
    fn note(&self, owner: Owner, now: Millis) {
        let mut known = lock(&self.known);
        if known.len() >= REMEMBERED && !known.contains_key(&owner.user) {
            let mut heard: Vec<Millis> = known.values().map(|(_, at)| *at).collect();
            let (_, middle, _) = heard.select_nth_unstable(REMEMBERED / 2);
            let middle = *middle;
            known.retain(|_, (_, at)| *at > middle);
        }
        known.insert(owner.user, (owner, now));
    }

    fn owner(&self, user: UserId) -> Owner {
        let known = lock(&self.known).get(&user).map(|(owner, _)| *owner);
        known.unwrap_or(Owner { user, guest: false, from: None })
    }
}

impl Hub {
    /// Somebody has come from an address.
    pub fn note_caller(&self, person: &Person, from: IpAddr) {
        let owner = Owner { user: person.id, guest: person.kind == UserKind::Guest, from: Some(network(from)) };
        self.inner.callers.note(owner, self.now());
    }

    /// For whom an engine thinks that thinks for a user.
    pub(super) fn owner(&self, user: UserId) -> Owner {
        self.inner.callers.owner(user)
    }

    /// For whom the engines of a table think: the people who play there.
    pub(super) fn owners(&self, state: &State) -> Vec<Owner> {
        let playing = state.seats.iter().filter(|seated| seated.engine.is_none());
        playing.filter_map(|seated| seated.user).map(|user| self.owner(user)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_who_has_come_is_bounded_and_holds_the_last() {
        let callers = Callers::default();
        for user in 0..3 * REMEMBERED as i64 {
            callers.note(Owner { user: UserId(user), guest: true, from: None }, user);
            assert!(lock(&callers.known).len() <= REMEMBERED);
        }
        let last = 3 * REMEMBERED as i64 - 1;
        assert!(callers.owner(UserId(last)).guest && !callers.owner(UserId(0)).guest);
    }
}
