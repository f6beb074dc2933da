//! What the search found out about positions that can come up again on other ways.

/// What a stored value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    /// The [code](super::turns::WholeTurn::code) of the best turn; 0 if none is known.
    pub(super) turn: u64,
    pub(super) value: i32,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    generation: u8,
}

const EMPTY: Entry = Entry { key: 0, turn: 0, value: 0, depth: 0, bound: Bound::AtMost, generation: 0 };

/// Half a million positions are more than a search of a second stores, and are set up in a few milliseconds.
const MOST_BYTES: usize = 16 << 20;

/// A table of a fixed size. Entries of earlier searches stay until they are in the way.
#[derive(Debug, Default)]
pub(super) struct Transpositions {
    entries: Vec<Entry>,
    generation: u8,
}

impl Transpositions {
    /// Begins a new search that may use this much memory.
    pub(super) fn begin(&mut self, memory: usize) {
        let fitting = memory.min(MOST_BYTES) / size_of::<Entry>();
        let size = if fitting == 0 { 1 } else { 1 << fitting.ilog2() };
        if self.entries.len() != size {
            self.entries = vec![EMPTY; size];
        }
        self.generation = self.generation.wrapping_add(1);
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let entry = self.entries[self.slot(key)];
        (entry.key == key).then_some(entry)
    }

    pub(super) fn store(&mut self, key: u64, depth: u8, value: i32, bound: Bound, turn: u64) {
        let slot = self.slot(key);
        let old = &mut self.entries[slot];
        if old.key == key || old.generation != self.generation || old.depth <= depth {
            let turn = if turn == 0 && old.key == key { old.turn } else { turn };
            *old = Entry { key, turn, value, depth, bound, generation: self.generation };
        }
    }
}
