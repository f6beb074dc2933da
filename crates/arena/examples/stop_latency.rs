//! How long searches go on after they were asked to stop: the longest of several, for every game, number of seats and one or
//! two threads. New players each time, so that setting up their tables counts. Of each moment the shortest of several tries is taken:
//! what other programs take of the machine is not the search's fault.
//!
//! `cargo run --release -p quincunx-arena --example stop_latency`

use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use quincunx_arena::{Threads, WallClock};
use quincunx_core::{DynSession, Turn};
use quincunx_engine::{Budget, Control, Engine, Level};
use quincunx_games::GAMES;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::json;

/// When the request comes, counted from the beginning of the search.
const MILLIS: [u64; 6] = [0, 1, 3, 10, 40, 150];
const TRIES: u32 = 5;

fn main() {
    println!("{:<18}{:>6}{:>8}{:>9}  longest, in ms", "game", "seats", "player", "threads");
    for kind in GAMES {
        for seats in (2..=4).filter(|&seats| kind.start(Some(seats), &json!({})).is_ok()) {
            for engine in [Engine::Level(Level::Master), Engine::Mcts] {
                for threads in [1, 2].map(|threads| NonZeroUsize::new(threads).expect("not zero")) {
                    let table = kind.start(Some(seats), &json!({})).expect("just tried");
                    let longest = longest(table, engine, Threads(threads));
                    let millis = longest.as_secs_f64() * 1000.0;
                    println!("{:<18}{seats:>6}{:>8}{threads:>9}  {millis:.2}", kind.id(), engine.to_string());
                }
            }
        }
    }
}

/// The longest time from the request to the answer, at the beginning of a game and in its middle.
fn longest(mut table: Box<dyn DynSession>, engine: Engine, threads: Threads) -> Duration {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut longest = Duration::ZERO;
    for _ in 0..3 {
        for millis in MILLIS {
            while table.turn() == Turn::Chance {
                table.draw(&mut rng).expect("it is a chance turn");
            }
            let tries = (0..TRIES).map(|_| latency(&*table, engine, threads, Duration::from_millis(millis)));
            longest = longest.max(tries.min().expect("there are tries"));
        }
        for _ in 0..12 {
            match table.turn() {
                Turn::Over => return longest,
                Turn::Chance => drop(table.draw(&mut rng).expect("it is a chance turn")),
                Turn::Seat(seat) => {
                    let actions = table.actions(seat);
                    let any = &actions[rng.random_range(0..actions.len())];
                    table.apply(None, any).expect("it is legal");
                }
            }
        }
    }
    longest
}

fn latency(table: &dyn DynSession, engine: Engine, threads: Threads, after: Duration) -> Duration {
    let Turn::Seat(seat) = table.turn() else { return Duration::ZERO };
    let (clock, stop) = (WallClock::default(), AtomicBool::new(false));
    let mut thinker = engine.thinker(table.kind().id()).expect("there is an engine for every game");
    thread::scope(|scope| {
        let asked = scope.spawn(|| {
            thread::sleep(after);
            stop.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let control = Control::new(Budget::time(Duration::from_hours(1)), 1, &clock, &stop).with_crew(&threads);
        drop(thinker.think(table, seat, &control));
        let answered = Instant::now();
        answered.saturating_duration_since(asked.join().expect("it does not panic"))
    })
}
