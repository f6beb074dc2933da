//! A player of Castle Builders: expectimax with the exact chances of all hands that the other seat can hold.
//!
//! - `site` is the castle and what can be done to it;
//! - `evaluate` turns it into a chance to win;
//! - `search` looks ahead over plays, draws and hidden hands.

mod evaluate;
mod search;
mod site;
#[cfg(test)]
mod tests;

use quincunx_core::{Actor, Seat, Step};
use quincunx_games::{CastleBuilders, castle_builders::Action};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use self::{
    evaluate::{RowChances, Weights},
    search::{Finding, Ground, Holding, State, deepen},
    site::{Heap, Layout, Site},
};
use crate::{Control, Knowledge, Player, Progress, Thought};

/// Plays Castle Builders by searching the plays of both seats with exact chances.
#[derive(Clone, Debug, Default)]
pub struct CastleBuildersPlayer {
    rows: RowChances,
    weights: Weights,
}

impl Player<CastleBuilders> for CastleBuildersPlayer {
    fn think(&mut self, known: &Knowledge<'_, CastleBuilders>, control: &Control<'_>) -> Thought<Action> {
        let seat = known.seat();
        let world = known.imagine(&mut Xoshiro256PlusPlus::seed_from_u64(control.seed));
        let (state, layout) = (known_state(&world, seat), Layout::of(&world));
        let report = |finding: &Finding, nodes| {
            control.report(Progress { nodes, depth: finding.depth.into(), value: finding.value });
        };
        let mut actions = Vec::new();
        known.actions(&mut actions);
        let ground = Ground { layout: &layout, rows: &self.rows, weights: &self.weights };
        let (finding, nodes) = deepen(ground, &state, &actions, control, report);
        let mut expected = vec![1.0 - finding.value; 2];
        expected[seat.index()] = finding.value;
        // What comes next is a draw, of which nobody knows what it will be.
        let line = vec![Step { by: Actor::Seat(seat), action: finding.action }];
        Thought { action: finding.action, expected, line, nodes }
    }
}

/// What the seat knows, out of any position that it can imagine. Of the other seat's
/// counters it reads only how many of each kind have not been seen, and how many of them are in the hand: both are the same
/// in all these positions.
fn known_state(world: &CastleBuilders, own: Seat) -> State {
    let holding = |seat: Seat| {
        let unseen = world.unseen(seat);
        if seat == own {
            let held = world.hand(seat);
            let pile = std::array::from_fn(|kind| unseen[kind] - held[kind]);
            Holding { held: Heap(held), pile: Heap(pile), owed: 0 }
        } else {
            Holding { held: Heap::default(), pile: Heap(unseen), owed: world.hand_size(seat) }
        }
    };
    State { site: Site::of(world), holdings: [0, 1].map(Seat::new).map(holding), on_turn: own.index() }
}
