//! What a player is, and what it answers.

use quincunx_core::{Actor, Game, Seat, Step};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Control, Knowledge};

/// Somebody who picks actions for a seat. A player may keep what it has learnt from one move to the next.
pub trait Player<G: Game>: Send {
    /// Thinks about the position, in which the seat has at least one legal action.
    fn think(&mut self, known: &Knowledge<'_, G>, control: &Control<'_>) -> Thought<G::Action>;

    /// Thinks about a position in which another seat is on turn, and this one could act out of turn. Without an answer
    /// it waits.
    fn interject(&mut self, _known: &Knowledge<'_, G>, _control: &Control<'_>) -> Option<Thought<G::Action>> {
        None
    }
}

/// What came out of thinking.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Thought")]
pub struct Thought<A = String> {
    pub action: A,
    /// The outcome that is expected for each seat, from 0 (lost) to 1 (won). Empty if the player has no opinion.
    pub expected: Vec<f32>,
    /// How the game is expected to go on, beginning with the action.
    pub line: Vec<Step<A>>,
    /// Simulations or positions, whatever the player counts.
    pub nodes: u64,
}

impl<A: Copy> Thought<A> {
    /// An action without an opinion about where it leads.
    pub fn plain(seat: Seat, action: A, nodes: u64) -> Self {
        Self { action, expected: Vec::new(), line: vec![Step { by: Actor::Seat(seat), action }], nodes }
    }
}

/// Picks any legal action with the same chance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Player<G> for Random {
    fn think(&mut self, known: &Knowledge<'_, G>, control: &Control<'_>) -> Thought<G::Action> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(control.seed);
        let mut actions = Vec::new();
        known.actions(&mut actions);
        Thought::plain(known.seat(), actions[rng.random_range(0..actions.len())], 0)
    }
}

/// The outcome for each seat of a finished game, from 0 (lost) to 1 (won): a draw is worth the same to every side.
pub(crate) fn payoff<G: Game>(game: &G) -> Option<[f32; Seat::MAX as usize]> {
    Some(game.outcome()?.shares(game.seats(), |seat| game.side(seat)))
}

/// How many sides play.
pub(crate) fn sides<G: Game>(game: &G) -> usize {
    let mut seen = [false; Seat::MAX as usize];
    Seat::all(game.seats()).for_each(|seat| seen[game.side(seat) as usize] = true);
    seen.iter().filter(|&&seen| seen).count()
}

/// The outcome for each seat as the scores stand, for a game that was not played to its end. A lead counts by its share
/// of all points, so that it means something in every game.
pub(crate) fn standing<G: Game>(game: &G) -> [f32; Seat::MAX as usize] {
    let mut points = [0.0_f32; Seat::MAX as usize];
    for seat in Seat::all(game.seats()) {
        points[game.side(seat) as usize] += game.score(seat).max(0) as f32;
    }
    let sides = sides(game);
    // One imagined point for each side: a first small lead is not yet a won game.
    let total: f32 = points.iter().sum::<f32>() + sides as f32;
    let mut values = [0.0; Seat::MAX as usize];
    for seat in Seat::all(game.seats()) {
        values[seat.index()] = (points[game.side(seat) as usize] + 1.0) / total;
    }
    values
}
