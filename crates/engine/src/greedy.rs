//! A player that looks one action ahead.

use std::cmp::Ordering;

use quincunx_core::{Actor, Game};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use crate::{
    Control, Knowledge, Player, Thought,
    player::{payoff, standing},
};

/// Takes the action after which its side stands best: a win before a lead, a lead before nothing, and otherwise any.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl<G: Game> Player<G> for Greedy {
    fn think(&mut self, known: &Knowledge<'_, G>, control: &Control<'_>) -> Thought<G::Action> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(control.seed);
        let seat = known.seat();
        let world = known.imagine(&mut rng);
        let mut actions = Vec::new();
        known.actions(&mut actions);
        let mut best = (f32::MIN, actions[0]);
        let mut alike = 0;
        let mut nodes = 0;
        for &action in &actions {
            let mut next = world.clone();
            next.play(Actor::Seat(seat), action);
            nodes += 1;
            // A finished game counts beyond any lead.
            let value = payoff(&next).map_or(standing(&next)[seat.index()], |values| 2.0 * values[seat.index()] - 0.5);
            match value.total_cmp(&best.0) {
                Ordering::Less => {}
                Ordering::Greater => {
                    best = (value, action);
                    alike = 1;
                }
                Ordering::Equal => {
                    // Each of the actions that are equally good comes out with the same chance.
                    alike += 1;
                    if rng.random_range(0..alike) == 0 {
                        best.1 = action;
                    }
                }
            }
        }
        Thought::plain(seat, best.1, nodes)
    }
}
