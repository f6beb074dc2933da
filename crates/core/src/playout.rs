//! Walking through games: random ones to their end, and all of them to a depth.

use rand::{RngExt, rngs::Xoshiro256PlusPlus};

use crate::{Actor, Game, Scratch, Seat, Turn};

/// What random games came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Playouts {
    pub games: u64,
    /// Actions of all games together, chance outcomes included.
    pub actions: u64,
}

/// Plays at random to the end: whoever is on turn picks uniformly among his legal actions, chance by weight.
/// Gives the number of actions.
#[inline]
pub fn playout<G: Game>(position: &mut G, rng: &mut Xoshiro256PlusPlus, scratch: &mut Scratch<G::Action>) -> u64 {
    let mut actions = 0;
    while let Some(actor) = position.turn().actor() {
        let action = position.random(actor, rng, scratch);
        position.play(actor, action);
        actions += 1;
    }
    actions
}

/// The number of sequences of `depth` actions from here: each action of each seat, in turn or out of turn, and each
/// chance outcome counts once. A game that ends earlier gives no sequence.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for_each_action(position, |actor, action| {
        let mut next = position.clone();
        next.play(actor, action);
        count += perft(&next, depth - 1);
    });
    count
}

/// Calls `visit` with every legal action of every actor.
pub(crate) fn for_each_action<G: Game>(position: &G, mut visit: impl FnMut(Actor, G::Action)) {
    match position.turn() {
        Turn::Over => {}
        Turn::Chance => {
            let mut outcomes = Vec::new();
            position.chances(&mut outcomes);
            for (outcome, _) in outcomes {
                visit(Actor::Chance, outcome);
            }
        }
        Turn::Seat(_) => {
            let mut actions = Vec::new();
            for seat in Seat::all(position.seats()) {
                actions.clear();
                position.actions(seat, &mut actions);
                for &action in &actions {
                    visit(Actor::Seat(seat), action);
                }
            }
        }
    }
}

impl Playouts {
    /// Mean number of actions of a game.
    pub fn mean_actions(self) -> f64 {
        if self.games == 0 { 0.0 } else { self.actions as f64 / self.games as f64 }
    }
}

/// A step picked uniformly among the legal actions of all actors, seats out of turn included.
pub fn any_step<G: Game>(position: &G, rng: &mut Xoshiro256PlusPlus) -> Option<(Actor, G::Action)> {
    let mut steps = Vec::new();
    for_each_action(position, |actor, action| steps.push((actor, action)));
    (!steps.is_empty()).then(|| steps[rng.random_range(0..steps.len())])
}
