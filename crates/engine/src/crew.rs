//! Hands for one search: several threads, which the caller gives, as it gives the clock.

/// Who does the work of a search. The engine itself starts no threads, so that it runs where there are none.
pub trait Crew: Sync {
    /// How many hands there are, at least one.
    fn size(&self) -> usize;

    /// Lets each hand do the work, at the same time, with a number of its own below [`size`](Self::size), and comes back when
    /// all are done.
    fn all(&self, work: &(dyn Fn(usize) + Sync));
}

/// One hand: whoever asks does the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Crew for Alone {
    fn size(&self) -> usize {
        1
    }

    fn all(&self, work: &(dyn Fn(usize) + Sync)) {
        work(0);
    }
}
