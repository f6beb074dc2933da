//! What the engines get of this machine: a clock and threads.

use std::{
    num::NonZeroUsize,
    thread,
    time::{Duration, Instant},
};

use quincunx_engine::{Clock, Crew};

/// The clock of this machine.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(Instant);

impl Default for WallClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A crew of threads, which live as long as the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads(pub NonZeroUsize);

impl Crew for Threads {
    fn size(&self) -> usize {
        self.0.get()
    }

    fn all(&self, work: &(dyn Fn(usize) + Sync)) {
        thread::scope(|scope| {
            for hand in 1..self.size() {
                scope.spawn(move || work(hand));
            }
            work(0);
        });
    }
}
