//! Playing a match: rounds in parallel, each with every seating once from one opening and one row of draws.

use std::{
    num::NonZeroUsize,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread,
};

use quincunx_core::{Outcome, Seat, SeatSet, Table, Turn};
use quincunx_engine::{Control, Thinker};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use crate::{Contestant, Score, WallClock, seatings};

/// A match to be played.
#[derive(Debug)]
pub struct Contest<'a> {
    /// The start position.
    pub table: &'a dyn Table,
    pub players: &'a [Contestant],
    /// Rounded up to whole rounds.
    pub games: u32,
    /// Random actions of seats at the beginning of each game, so that engines without chance in them do not play the same
    /// game again and again.
    pub opening: u32,
    pub seed: u64,
    pub threads: NonZeroUsize,
}

/// A game of a match that is over.
#[derive(Debug)]
pub struct Game {
    pub round: u32,
    /// For every seat the number of its player.
    pub seating: Vec<usize>,
    pub outcome: Outcome,
    pub table: Box<dyn Table>,
}

impl Game {
    /// The points of each player: a win is one point, which a draw shares among the sides.
    pub fn points(&self, players: usize) -> Vec<f64> {
        let shares = self.outcome.shares(self.table.seats(), |seat| self.table.side(seat));
        let mut points = vec![0.0; players];
        // Partners have one point together.
        let mut counted = SeatSet::EMPTY;
        for seat in Seat::all(self.table.seats()) {
            let side = Seat::new(self.table.side(seat));
            if !counted.contains(side) {
                counted = counted.with(side);
                points[self.seating[seat.index()]] += f64::from(shares[seat.index()]);
            }
        }
        points
    }
}

/// Plays the match. `done` hears of every game in the order in which they end, with the scores of the players so far, and
/// ends the match by answering `false`: no further round is begun then. Gives the scores of all whole rounds.
pub fn play(
    contest: &Contest<'_>,
    done: &mut (dyn FnMut(&Game, &[Score]) -> bool + Send),
) -> Result<Vec<Score>, String> {
    let seatings = seatings(contest.table, contest.players.len())?;
    let rounds = contest.games.div_ceil(seatings.len() as u32);
    let next = AtomicU32::new(0);
    let stop = AtomicBool::new(false);
    let results = Mutex::new((vec![Score::default(); contest.players.len()], done));
    thread::scope(|scope| {
        for _ in 0..contest.threads.get().min(rounds as usize) {
            scope.spawn(|| {
                loop {
                    let round = next.fetch_add(1, Ordering::Relaxed);
                    if round >= rounds || stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let mut points = vec![0.0; contest.players.len()];
                    for (number, seating) in seatings.iter().enumerate() {
                        let game = play_game(contest, round, seating.clone());
                        for (sum, points) in points.iter_mut().zip(game.points(contest.players.len())) {
                            *sum += points;
                        }
                        let mut results = results.lock().expect("nobody panics while counting");
                        let (scores, done) = &mut *results;
                        if number + 1 == seatings.len() {
                            for (score, sum) in scores.iter_mut().zip(&points) {
                                score.add(sum / seatings.len() as f64);
                            }
                        }
                        if !done(&game, scores) {
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    Ok(results.into_inner().expect("nobody panics while counting").0)
}

/// The seeds of one round: the same for all its seatings.
struct Seeds {
    opening: u64,
    draws: u64,
    thoughts: u64,
}

impl Seeds {
    fn new(seed: u64, round: u32) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(u64::from(round) << 32));
        Self { opening: rng.random(), draws: rng.random(), thoughts: rng.random() }
    }
}

fn play_game(contest: &Contest<'_>, round: u32, seating: Vec<usize>) -> Game {
    let seeds = Seeds::new(contest.seed, round);
    let mut opening = Xoshiro256PlusPlus::seed_from_u64(seeds.opening);
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(seeds.draws);
    let mut table = contest.table.boxed_clone();
    let id = table.kind().id();
    let mut thinkers: Vec<Box<dyn Thinker>> = seating
        .iter()
        .map(|&player| contest.players[player].engine.thinker(id).expect("every registered game has its engines"))
        .collect();
    let mut opened = 0;
    let outcome = loop {
        if let Some(outcome) = table.outcome() {
            break outcome;
        }
        match table.turn() {
            Turn::Over => unreachable!("a finished game has an outcome"),
            Turn::Chance => drop(table.draw(&mut draws).expect("it is a chance turn")),
            Turn::Seat(seat) if opened < contest.opening => {
                let actions = table.offers(seat);
                table.apply(None, &actions[opening.random_range(0..actions.len())]).expect("an offer is legal");
                opened += 1;
            }
            Turn::Seat(on_turn) => {
                // Who can act out of turn is asked first, clockwise; whoever acts changes what the others can do.
                let others = on_turn.clockwise(table.seats()).skip(1);
                let out_of_turn: Vec<Seat> = others.filter(|&seat| !table.actions(seat).is_empty()).collect();
                let mut act = |seat: Seat| {
                    let player = &contest.players[seating[seat.index()]];
                    let clock = WallClock::default();
                    let never = AtomicBool::new(false);
                    let seed = seeds.thoughts.wrapping_add(table.ply() as u64);
                    let control = Control::new(player.budget(), seed, &clock, &never);
                    let thought = thinkers[seat.index()].think(&*table, seat, &control)?;
                    table.apply(Some(u64::from(seat.number())), &thought.action).expect("engines play by the rules");
                    Some(())
                };
                if !out_of_turn.into_iter().any(|seat| act(seat).is_some()) {
                    act(on_turn).expect("who is on turn acts");
                }
            }
        }
    };
    Game { round, seating, outcome, table }
}
