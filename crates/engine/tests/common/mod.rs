//! What the tests of all players share: a clock that needs no waiting, a search that nobody stops, hands, positions.
#![allow(dead_code, reason = "each test program uses its part")]

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::Duration,
};

use quincunx_core::{Game, Scratch, Turn};
use quincunx_engine::{Clock, Crew};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

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

/// A crew of threads.
pub struct Scoped(pub usize);

impl Crew for Scoped {
    fn size(&self) -> usize {
        self.0
    }

    fn all(&self, work: &(dyn Fn(usize) + Sync)) {
        thread::scope(|scope| {
            (0..self.0).for_each(|hand| drop(scope.spawn(move || work(hand))));
        });
    }
}

/// A position some random actions into a game, with a seat on turn.
pub fn midgame<G: Game>(seats: u8, seed: u64, plies: usize) -> G {
    let mut game = G::new(seats, &G::Options::default()).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut scratch = Scratch::default();
    let mut made = 0;
    while made < plies || game.turn() == Turn::Chance {
        let Some(actor) = game.turn().actor() else { return midgame(seats, seed + 1000, plies) };
        let action = game.random(actor, &mut rng, &mut scratch);
        game.play(actor, action);
        made += 1;
    }
    if game.turn() == Turn::Over { midgame(seats, seed + 1000, plies) } else { game }
}
