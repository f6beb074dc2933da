//! What the tests of all players share: a clock that needs no waiting, and a search that nobody stops.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

use quincunx_engine::Clock;

/// A clock that goes on by a millisecond each time somebody looks at it.
#[derive(Default)]
pub struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// Nobody asks to stop.
pub static GO: AtomicBool = AtomicBool::new(false);
