//! What a search may use, and how it is stopped.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// A clock that the caller gives: the time since some moment that stays the same.
pub trait Clock: Send + Sync {
    fn now(&self) -> Duration;
}

/// What a search may use. Whichever runs out first ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Simulations or positions, whatever the search counts.
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
    /// Bytes for trees and tables.
    pub memory: usize,
}

impl Budget {
    /// Memory if nothing else is said.
    pub const MEMORY: usize = 256 << 20;

    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), time: None, memory: Self::MEMORY }
    }

    pub const fn time(time: Duration) -> Self {
        Self { nodes: None, time: Some(time), memory: Self::MEMORY }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    pub nodes: u64,
    /// Plies looked ahead on the expected line.
    pub depth: u32,
    /// What the thinking seat's side expects, from 0 (lost) to 1 (won).
    pub value: f32,
}

/// The reins of a running search: it asks [`keep_going`](Self::keep_going) at every node.
///
/// A search that was never allowed a node still answers: it has to give some legal action.
pub struct Control<'a> {
    pub budget: Budget,
    pub seed: u64,
    clock: &'a dyn Clock,
    stop: &'a AtomicBool,
    watch: Option<&'a (dyn Fn(Progress) + Sync)>,
    started: Duration,
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("budget", &self.budget).field("seed", &self.seed).finish_non_exhaustive()
    }
}

impl<'a> Control<'a> {
    /// How many nodes pass between two looks at the clock and the stop flag: they take no time that could be measured,
    /// and a stop is heard within a millisecond.
    const INTERVAL: u64 = 64;

    /// The search begins now.
    pub fn new(budget: Budget, seed: u64, clock: &'a dyn Clock, stop: &'a AtomicBool) -> Self {
        Self { budget, seed, clock, stop, watch: None, started: clock.now() }
    }

    /// Tells `watch` of progress.
    #[must_use]
    pub fn watched_by(self, watch: &'a (dyn Fn(Progress) + Sync)) -> Self {
        Self { watch: Some(watch), ..self }
    }

    /// Whether the search may look at another node, having looked at `nodes`.
    #[inline]
    pub fn keep_going(&self, nodes: u64) -> bool {
        if self.budget.nodes.is_some_and(|most| nodes >= most) {
            return false;
        }
        !nodes.is_multiple_of(Self::INTERVAL) || self.in_time()
    }

    /// Whether there is time left and nobody has asked to stop. For searches whose nodes take long.
    pub fn in_time(&self) -> bool {
        !self.stop.load(Ordering::Relaxed) && self.budget.time.is_none_or(|time| self.elapsed() < time)
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.started)
    }

    pub fn report(&self, progress: Progress) {
        if let Some(watch) = self.watch {
            watch(progress);
        }
    }
}
