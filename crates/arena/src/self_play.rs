//! Games of an engine against itself, for what it expected in them.

use std::{
    num::NonZeroUsize,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread,
};

use quincunx_core::{DynSession, Seat, Turn};
use quincunx_engine::{Budget, Control, Engine, Thinker};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use crate::{Forecast, Threads, WallClock, contest::Seeds, opening::open};

/// Games to be played by one engine at all seats.
#[derive(Debug)]
pub struct SelfPlay<'a> {
    /// The start position.
    pub table: &'a dyn DynSession,
    pub engine: Engine,
    pub budget: Budget,
    /// Threads that the engine thinks with.
    pub threads: NonZeroUsize,
    pub games: u32,
    /// Random turns at the beginning of each game.
    pub opening: u32,
    pub seed: u64,
    /// Games at the same time.
    pub at_once: NonZeroUsize,
}

impl SelfPlay<'_> {
    /// For each game, what the side on turn expected at each decision and what it got in the end. `done` hears of every game
    /// that is over. Who stops it gets the games that were over by then.
    pub fn forecasts(&self, stop: &AtomicBool, done: &(dyn Fn() + Sync)) -> Result<Vec<Vec<Forecast>>, String> {
        let next = AtomicU32::new(0);
        let games = Mutex::new(Vec::new());
        let failed = Mutex::new(None);
        thread::scope(|scope| {
            for _ in 0..self.at_once.get().min(self.games as usize) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.games {
                            break;
                        }
                        match self.play(number, stop) {
                            Ok(Some(game)) => {
                                games.lock().expect("nobody panics while adding").push((number, game));
                                done();
                            }
                            Ok(None) => break,
                            Err(why) => {
                                *failed.lock().expect("nobody panics while failing") = Some(why);
                                break;
                            }
                        }
                    }
                });
            }
        });
        if let Some(why) = failed.into_inner().expect("nobody panics while failing") {
            return Err(why);
        }
        let mut games = games.into_inner().expect("nobody panics while adding");
        games.sort_by_key(|&(number, _)| number);
        Ok(games.into_iter().map(|(_, game)| game).collect())
    }

    /// One game, or nothing if it was stopped.
    fn play(&self, number: u32, stop: &AtomicBool) -> Result<Option<Vec<Forecast>>, String> {
        let (id, seats) = (self.table.kind().id(), self.table.seats());
        let seeds = Seeds::new(self.seed, number);
        let mut draws = Xoshiro256PlusPlus::seed_from_u64(seeds.draws);
        let mut table = open(self.table, self.opening, seeds.opening, &mut draws);
        let mut players: Vec<Box<dyn Thinker>> = Vec::new();
        for _ in 0..seats {
            players.push(self.engine.thinker(id).ok_or_else(|| format!("no engine plays {id}"))?);
        }
        let (clock, crew) = (WallClock::default(), Threads(self.threads));
        let mut expected: Vec<(Seat, f32)> = Vec::new();
        let outcome = loop {
            match table.turn() {
                Turn::Over => break table.outcome().expect("a finished game has an outcome"),
                Turn::Chance => drop(table.draw(&mut draws).expect("it is a chance turn")),
                Turn::Seat(on_turn) => {
                    let others = on_turn.clockwise(seats).skip(1).filter(|&seat| !table.actions(seat).is_empty());
                    for seat in others.collect::<Vec<_>>().into_iter().chain([on_turn]) {
                        let control = Control::new(self.budget, seeds.thoughts, &clock, stop).with_crew(&crew);
                        let thought = players[seat.index()].think(&*table, seat, &control);
                        if stop.load(Ordering::Relaxed) {
                            return Ok(None);
                        }
                        let Some(thought) = thought else { continue };
                        if seat == on_turn {
                            let share = thought.expected.get(seat.index());
                            let share = share.ok_or_else(|| format!("{} has no opinion of its moves", self.engine))?;
                            expected.push((seat, *share));
                        }
                        table
                            .apply(Some(u64::from(seat.number())), &thought.action)
                            .expect("an engine plays by the rules");
                        break;
                    }
                }
            }
        };
        let shares = outcome.shares(seats, |seat| table.side(seat));
        let forecast = |(seat, expected): (Seat, f32)| Forecast { expected, actual: shares[seat.index()] };
        Ok(Some(expected.into_iter().map(forecast).collect()))
    }
}
