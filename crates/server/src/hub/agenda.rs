//! When which table is to be looked after next: a heap of moments, so that a hundred thousand tables that wait cost nothing.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, Weak};

use quincunx_table::Millis;

use super::{Slot, lock};

/// Moments at which tables are to be looked after.
#[derive(Default)]
pub(super) struct Agenda {
    heap: Mutex<BinaryHeap<Appointment>>,
}

/// When a table is to be looked after next. Written only while the agenda is locked.
pub(super) struct NextLook(AtomicI64);

impl Default for NextLook {
    fn default() -> Self {
        Self(AtomicI64::new(Millis::MAX))
    }
}

struct Appointment {
    at: Millis,
    slot: Weak<Slot>,
}

impl Agenda {
    /// Has a table looked after at a moment, at the latest: who looks after it says when the next time is.
    pub fn add(&self, slot: &Arc<Slot>, at: Millis) {
        let mut heap = lock(&self.heap);
        if at < slot.next_look.0.load(Relaxed) {
            slot.next_look.0.store(at, Relaxed);
            heap.push(Appointment { at, slot: Arc::downgrade(slot) });
        }
    }

    /// Takes the tables whose moment has come.
    pub fn take_due(&self, now: Millis) -> Vec<Arc<Slot>> {
        let mut heap = lock(&self.heap);
        let mut due = Vec::new();
        while heap.peek().is_some_and(|next| next.at <= now) {
            let Some(Appointment { at, slot }) = heap.pop() else { break };
            // A table may have left memory, or have been given an earlier moment.
            if let Some(slot) = slot.upgrade().filter(|slot| slot.next_look.0.load(Relaxed) == at) {
                slot.next_look.0.store(Millis::MAX, Relaxed);
                due.push(slot);
            }
        }
        due
    }
}

/// The earliest moment is the greatest, as the heap gives the greatest first.
impl Ord for Appointment {
    fn cmp(&self, other: &Self) -> Ordering {
        other.at.cmp(&self.at)
    }
}

impl PartialOrd for Appointment {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Appointment {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl Eq for Appointment {}

#[cfg(test)]
mod tests {
    use quincunx_table::TableId;

    use super::*;

    fn taken(agenda: &Agenda, now: Millis) -> Vec<String> {
        agenda.take_due(now).iter().map(|slot| slot.id.0.clone()).collect()
    }

    #[test]
    fn a_table_is_taken_once_at_the_earliest_of_its_moments() {
        let agenda = Agenda::default();
        let [one, other] = ["one", "other"].map(|id| Arc::new(Slot::new(TableId(id.to_owned()), 0)));
        agenda.add(&one, 100);
        agenda.add(&other, 60);
        agenda.add(&one, 50);
        agenda.add(&one, 80);
        assert_eq!(taken(&agenda, 49), [""; 0]);
        assert_eq!(taken(&agenda, 70), ["one", "other"]);
        assert_eq!(taken(&agenda, 1_000), [""; 0], "the later moments of the one were not needed");
        agenda.add(&one, 2_000);
        assert_eq!(taken(&agenda, 2_000), ["one"]);
    }

    #[test]
    fn a_table_that_has_left_memory_is_not_taken() {
        let agenda = Agenda::default();
        let slot = Arc::new(Slot::new(TableId("gone".to_owned()), 0));
        agenda.add(&slot, 1);
        drop(slot);
        assert_eq!(taken(&agenda, 1), [""; 0]);
    }
}
