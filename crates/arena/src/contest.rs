//! Playing a match: rounds in parallel, each with every seating once from one opening and one row of draws.

use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hash, Hasher},
    num::NonZeroUsize,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread,
};

use quincunx_core::{DynSession, Outcome, Seat, SeatSet, Step, Turn, Viewer};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use crate::{Contestant, Decider, Score, opening::open, seatings};

/// A match to be played.
#[derive(Debug)]
pub struct Contest<'a> {
    /// The start position.
    pub table: &'a dyn DynSession,
    pub players: &'a [Contestant],
    /// Rounded up to whole rounds.
    pub games: u32,
    /// Random turns of seats at the beginning of each game, so that engines without chance in them do not play the same
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
    /// Who has lost without being beaten, and why.
    pub forfeit: Option<(Seat, String)>,
    /// The table as it was left.
    pub table: Box<dyn DynSession>,
}

impl Game {
    /// The points of each player: a win is one point, which a draw shares among the sides.
    pub fn points(&self, players: usize) -> Vec<f64> {
        let shares = self.outcome.shares(self.table.seats(), |seat| self.table.side(seat));
        // After a forfeit several sides may have won: they share the point.
        let is_first =
            |seat: Seat| Seat::all(seat.number()).all(|other| self.table.side(other) != self.table.side(seat));
        let winning = self.outcome.winners.iter().filter(|&seat| is_first(seat)).count();
        let winning_sides = winning.max(1) as f64;
        let mut points = vec![0.0; players];
        // Partners have one point together.
        let mut counted = SeatSet::EMPTY;
        for seat in Seat::all(self.table.seats()) {
            let side = Seat::new(self.table.side(seat));
            if !counted.contains(side) {
                counted = counted.with(side);
                points[self.seating[seat.index()]] += f64::from(shares[seat.index()]) / winning_sides;
            }
        }
        points
    }
}

/// Counts games that came up before, action for action: between players without chance in them they prove nothing new.
#[derive(Clone, Debug, Default)]
pub struct Repeats {
    seen: HashSet<u64>,
    count: u32,
}

impl Repeats {
    pub fn add(&mut self, game: &Game) {
        // A player who loses without a fight says nothing about openings.
        if game.forfeit.is_none() {
            let mut hasher = DefaultHasher::new();
            for Step { by, action } in game.table.log(Viewer::Everything) {
                (by.seat(), action).hash(&mut hasher);
            }
            self.count += u32::from(!self.seen.insert(hasher.finish()));
        }
    }

    /// How many games had been played before.
    pub fn count(&self) -> u32 {
        self.count
    }
}

/// How many games run at the same time on so many cores without getting into each other's way: in each of them one player
/// thinks, with all the threads it has.
pub fn games_at_once(cores: NonZeroUsize, players: &[Contestant]) -> NonZeroUsize {
    let most = players.iter().map(Contestant::threads).max().unwrap_or(NonZeroUsize::MIN);
    NonZeroUsize::new(cores.get() / most).unwrap_or(NonZeroUsize::MIN)
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
pub(crate) struct Seeds {
    pub(crate) opening: u64,
    pub(crate) draws: u64,
    pub(crate) thoughts: u64,
}

impl Seeds {
    pub(crate) fn new(seed: u64, round: u32) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(u64::from(round) << 32));
        Self { opening: rng.random(), draws: rng.random(), thoughts: rng.random() }
    }
}

fn play_game(contest: &Contest<'_>, round: u32, seating: Vec<usize>) -> Game {
    let seeds = Seeds::new(contest.seed, round);
    let mut table = contest.table.boxed_clone();
    match play_to_the_end(contest, &seeds, &seating, &mut table) {
        Ok(outcome) => Game { round, seating, outcome, forfeit: None, table },
        Err((seat, why)) => {
            let others = Seat::all(table.seats()).filter(|&other| table.side(other) != table.side(seat));
            let outcome = Outcome::win(others, "forfeit");
            Game { round, seating, outcome, forfeit: Some((seat, why)), table }
        }
    }
}

/// Plays on until the game is over, or until a player cannot: then it says who, and why.
fn play_to_the_end(
    contest: &Contest<'_>,
    seeds: &Seeds,
    seating: &[usize],
    table: &mut Box<dyn DynSession>,
) -> Result<Outcome, (Seat, String)> {
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(seeds.draws);
    let mut players: Vec<Box<dyn Decider>> = Vec::new();
    for (seat, &player) in Seat::all(table.seats()).zip(seating) {
        players.push(contest.players[player].sit(&**table, seat).map_err(|why| (seat, why))?);
    }
    *table = open(contest.table, contest.opening, seeds.opening, &mut draws);
    let outcome = loop {
        if let Some(outcome) = table.outcome() {
            break outcome;
        }
        match table.turn() {
            Turn::Over => unreachable!("a finished game has an outcome"),
            Turn::Chance => drop(table.draw(&mut draws).expect("it is a chance turn")),
            Turn::Seat(on_turn) => act(table, on_turn, seeds.thoughts, &mut players)?,
        }
    };
    for player in &mut players {
        player.game_over(&outcome.into());
    }
    Ok(outcome)
}

/// Lets somebody act: who can act out of turn is asked first, clockwise, and then the seat on turn.
fn act(
    table: &mut Box<dyn DynSession>,
    on_turn: Seat,
    seed: u64,
    players: &mut [Box<dyn Decider>],
) -> Result<(), (Seat, String)> {
    let others = on_turn.clockwise(table.seats()).skip(1);
    let out_of_turn: Vec<Seat> = others.filter(|&seat| !table.actions(seat).is_empty()).collect();
    for seat in out_of_turn.into_iter().chain([on_turn]) {
        let decided =
            players[seat.index()].decide(&**table, seat, seed, &AtomicBool::new(false)).map_err(|why| (seat, why))?;
        if let Some(action) = decided {
            return table.apply(Some(u64::from(seat.number())), &action).map_err(|error| (seat, error.to_string()));
        }
    }
    Ok(())
}
