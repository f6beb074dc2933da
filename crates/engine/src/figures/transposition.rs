//! What the search found out about positions that can come up again on other ways.
//!
//! All hands of a search share one table without locks. An entry is three words that are written one by one, and the
//! first is the key mixed with the two others: what two hands wrote at the same moment fits no key and is not found.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a stored value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The [code](super::turns::WholeTurn::code) of the best turn; 0 if none is known.
    pub(super) turn: u64,
    pub(super) value: i32,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    generation: u16,
}

impl Entry {
    /// All but the turn in a word. Never 0, so that an empty place has no entry.
    fn packed(self) -> u64 {
        let bound = self.bound as u64 + 1;
        u64::from(self.value.cast_unsigned())
            | u64::from(self.depth) << 32
            | bound << 40
            | u64::from(self.generation) << 48
    }

    fn unpacked(turn: u64, word: u64) -> Option<Self> {
        let bound = match word >> 40 & 0xff {
            1 => Bound::Exact,
            2 => Bound::AtLeast,
            3 => Bound::AtMost,
            _ => return None,
        };
        let value = (word as u32).cast_signed();
        Some(Self { turn, value, depth: (word >> 32) as u8, bound, generation: (word >> 48) as u16 })
    }
}

/// A place for an entry.
#[derive(Debug, Default)]
struct Place {
    /// The key mixed with the other words.
    lock: AtomicU64,
    turn: AtomicU64,
    rest: AtomicU64,
}

impl Place {
    /// The key and the entry. The key is that of no position if two hands wrote here at once.
    fn load(&self) -> Option<(u64, Entry)> {
        let (turn, rest) = (self.turn.load(Relaxed), self.rest.load(Relaxed));
        Some((self.lock.load(Relaxed) ^ turn ^ rest, Entry::unpacked(turn, rest)?))
    }

    fn store(&self, key: u64, entry: Entry) {
        let rest = entry.packed();
        self.lock.store(key ^ entry.turn ^ rest, Relaxed);
        self.turn.store(entry.turn, Relaxed);
        self.rest.store(rest, Relaxed);
    }
}

/// Half a million positions are more than a search of a second stores.
const MOST_BYTES: usize = 16 << 20;
/// Entries of a table for which there was no time.
const LEAST: usize = 1 << 12;
/// Places for each node of a search that has a number of them: more would only take time to be laid out.
const PLACES_PER_NODE: u64 = 4;

/// A table of a fixed size. Entries of earlier searches stay until they are in the way.
#[derive(Debug, Default)]
pub(super) struct Transpositions {
    places: Vec<Place>,
    /// How many of the places this search uses, a power of two.
    size: usize,
    generation: u16,
    /// Whether entries of earlier searches are found.
    reuse: bool,
}

impl Transpositions {
    /// Begins a new search that may use this much memory and so many nodes. With a number of nodes it is to find the same
    /// whatever was searched before, so that it does not get to see what earlier searches found.
    ///
    /// The table is laid out as long as there is time for it: all of it takes some 15 ms, most of them for the memory to be
    /// there at all.
    pub(super) fn begin(&mut self, memory: usize, nodes: Option<u64>, in_time: impl Fn() -> bool) {
        let fitting = memory.min(MOST_BYTES) / size_of::<Place>();
        let most = if fitting == 0 { 1 } else { 1 << fitting.ilog2() };
        self.places.truncate(most);
        let wanted = |nodes: u64| (PLACES_PER_NODE * nodes.min(most as u64)).max(1).next_power_of_two() as usize;
        let size = nodes.map_or(most, wanted).min(most);
        self.places.reserve_exact(size.saturating_sub(self.places.len()));
        while self.places.len() < size && (self.places.is_empty() || in_time()) {
            // Always a power of two: entries that are in the wrong half now are not found, and are written over.
            self.places.resize_with((2 * self.places.len()).clamp(LEAST.min(size), size), Place::default);
        }
        self.size = size.min(self.places.len());
        let reuse = nodes.is_none();
        self.reuse = reuse;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            // The numbers begin again: what is here must not be taken for new.
            self.places.fill_with(Place::default);
        }
    }

    fn place(&self, key: u64) -> &Place {
        &self.places[key as usize & (self.size - 1)]
    }

    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        self.known(key, self.place(key).load())
    }

    /// What was found at the place of a key, if it is about the key and may be used.
    fn known(&self, key: u64, at_place: Option<(u64, Entry)>) -> Option<Entry> {
        let usable = |entry: &Entry| self.reuse || entry.generation == self.generation;
        at_place.filter(|(found, entry)| *found == key && usable(entry)).map(|(_, entry)| entry)
    }

    pub(super) fn store(&self, key: u64, depth: u8, value: i32, bound: Bound, turn: u64) {
        let place = self.place(key);
        let old = place.load();
        let replace =
            old.is_none_or(|(found, old)| found == key || old.generation != self.generation || old.depth <= depth);
        if replace {
            let turn = if turn == 0 { self.known(key, old).map_or(0, |old| old.turn) } else { turn };
            place.store(key, Entry { turn, value, depth, bound, generation: self.generation });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stored_is_found_again() {
        let mut table = Transpositions::default();
        table.begin(1 << 12, None, || true);
        assert_eq!(table.find(0), None, "an empty place is not an entry of the key 0");
        for (key, value, bound) in
            [(7, -1_000_000, Bound::AtMost), (8, 1_000_000, Bound::AtLeast), (0, 0, Bound::Exact)]
        {
            table.store(key, 60, value, bound, 1 << 44 | key);
            let entry = table.find(key).unwrap();
            assert_eq!((entry.value, entry.depth, entry.bound, entry.turn), (value, 60, bound, 1 << 44 | key));
        }
        let far = 7 + (1 << 40);
        assert_eq!(table.find(far), None, "another key at the same place");
        table.store(far, 59, 1, Bound::Exact, 0);
        assert_eq!((table.find(far), table.find(7).is_some()), (None, true), "deeper entries stay");
        table.begin(1 << 12, None, || true);
        table.store(far, 1, 1, Bound::Exact, 0);
        assert!(table.find(far).is_some(), "but not those of an earlier search");
    }

    #[test]
    fn a_table_that_could_not_be_laid_out_in_time_is_finished_the_next_time() {
        let mut table = Transpositions::default();
        table.begin(MOST_BYTES, None, || false);
        assert_eq!(table.places.len(), LEAST);
        table.store(7, 3, 50, Bound::Exact, 99);
        table.begin(MOST_BYTES, None, || true);
        assert!(table.places.len() > LEAST && table.places.len().is_power_of_two());
        assert!(table.find(7).is_some());
        table.begin(1, None, || true);
        assert_eq!(table.places.len(), 1, "one that may use less is smaller");
    }

    #[test]
    fn what_an_earlier_search_found_is_used_only_on_request() {
        let mut table = Transpositions::default();
        table.begin(1 << 12, Some(100), || true);
        table.store(7, 3, 50, Bound::Exact, 99);
        assert!(table.find(7).is_some());
        table.begin(1 << 12, Some(100), || true);
        assert_eq!(table.find(7), None);
        table.store(7, 1, 20, Bound::Exact, 0);
        assert_eq!(table.find(7).unwrap().turn, 0, "not even the turn");
        // The number of the search comes round again.
        for _ in 0..u16::MAX {
            table.begin(1 << 12, Some(100), || true);
            assert_eq!(table.find(7), None);
        }
        table.begin(1 << 12, Some(100), || true);
        assert_eq!(table.find(7), None);
        table.store(7, 1, 20, Bound::Exact, 98);
        table.begin(1 << 12, None, || true);
        assert!(table.find(7).is_some());
    }

    #[test]
    fn half_written_entries_are_not_found() {
        let mut table = Transpositions::default();
        table.begin(1 << 12, None, || true);
        table.store(7, 3, 50, Bound::Exact, 99);
        table.place(7).turn.store(98, Relaxed);
        assert_eq!(table.find(7), None);
    }
}
