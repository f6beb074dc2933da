//! What a player is, and what it answers.

use std::hash::{Hash, Hasher};

use quincunx_core::{Actor, Game, Seat, Step};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Control, Knowledge, hasher::FoldHasher};

/// Somebody who picks actions for a seat. A player may keep what it has learnt from one move to the next.
pub trait Player<G: Game>: Send {
    /// Thinks about the position, in which the seat has at least one legal action. The answer has as many
    /// [lines](Thought::lines) as the control asks for, and one more for the action that is [asked about](Knowledge::asked).
    fn think(&mut self, known: &Knowledge<'_, G>, control: &Control<'_>) -> Thought<G::Action>;

    /// Thinks about a position in which another seat is on turn, and this one could act out of turn. Without an answer
    /// it waits.
    fn interject(&mut self, _known: &Knowledge<'_, G>, _control: &Control<'_>) -> Option<Thought<G::Action>> {
        None
    }

    /// Whether an action belongs to how a turn is played, such as to draw a card or to say that one is done. A level leaves
    /// no such action to chance.
    fn is_procedural(_action: G::Action) -> bool
    where
        Self: Sized,
    {
        false
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
    /// The best ways to go on, best first.
    pub lines: Vec<Line<A>>,
}

/// A way to go on, and what the search knows about it.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Line")]
pub struct Line<A = String> {
    /// The outcome that is expected for each seat, from 0 (lost) to 1 (won): exactly these two where it is proven.
    pub expected: Vec<f32>,
    /// How many simulations went this way; 0 where a search does not count them.
    pub visits: u64,
    /// How many turns were looked ahead on this line.
    pub depth: u32,
    /// How the game is expected to go on.
    pub steps: Vec<Step<A>>,
    #[serde(skip)]
    pub(crate) sight: Sight,
    /// What the line promises the acting side before anybody has answered, from 0 to 1.
    #[serde(skip)]
    pub(crate) glance: f32,
    /// A number for the position that the line leads to with the acting seat's own steps.
    #[serde(skip)]
    pub(crate) key: u64,
}

/// What a line decides at once, which people see or overlook before they begin to reckon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Sight {
    #[default]
    Quiet,
    /// It ends the game, won by who acts.
    Wins,
    /// Another side can win with its very next turn.
    Loses,
}

/// A value that is not proven is neither 0 nor 1, however good it looks.
pub(crate) fn unproven(share: f32) -> f32 {
    const NEARLY: f32 = 1e-4;
    share.clamp(NEARLY, 1.0 - NEARLY)
}

/// A number for what an action leads to, from one for what its seat knows.
pub(crate) fn key_after(known: u64, action: impl Hash) -> u64 {
    let mut hasher = FoldHasher::default();
    (known, action).hash(&mut hasher);
    hasher.finish()
}

impl<A: Copy> Line<A> {
    /// What is begun with.
    pub fn action(&self) -> A {
        self.steps[0].action
    }
}

impl<A: Copy> Thought<A> {
    /// The first of the lines, which are sorted, is what is played.
    pub(crate) fn of(lines: Vec<Line<A>>, nodes: u64) -> Self {
        let Line { expected, steps, .. } = lines[0].clone();
        Self { action: steps[0].action, expected, line: steps, nodes, lines }
    }

    /// An action without an opinion about where it leads.
    pub fn plain(seat: Seat, action: A, nodes: u64) -> Self {
        let line = vec![Step { by: Actor::Seat(seat), action }];
        Self { action, expected: Vec::new(), line, nodes, lines: Vec::new() }
    }
}

impl<A> Thought<A> {
    /// More lines than this nobody reads.
    pub const MOST_LINES: usize = 100;

    /// The same with every action in another form.
    pub(crate) fn map<B>(self, form: impl Fn(A) -> B) -> Thought<B> {
        let steps = |steps: Vec<Step<A>>| {
            steps.into_iter().map(|Step { by, action }| Step { by, action: form(action) }).collect()
        };
        let lines = self.lines.into_iter().map(|Line { expected, visits, depth, steps: line, sight, glance, key }| {
            Line { expected, visits, depth, steps: steps(line), sight, glance, key }
        });
        Thought {
            lines: lines.collect(),
            action: form(self.action),
            expected: self.expected,
            line: steps(self.line),
            nodes: self.nodes,
        }
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
