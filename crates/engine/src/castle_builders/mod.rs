//! A player of Castle Builders: expectimax with the exact chances of all hands that the other seat can hold.
//!
//! - `site` is the castle and what can be done to it;
//! - `beliefs` says how likely the other seat holds what, after what it has played;
//! - `evaluate` turns it into a chance to win;
//! - `search` looks ahead over plays, draws and hidden hands.

mod beliefs;
mod evaluate;
mod search;
mod site;
#[cfg(test)]
mod tests;

use quincunx_core::{Actor, Seat, Step};
use quincunx_games::{CastleBuilders, castle_builders::Action};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use self::{
    beliefs::Pairs,
    evaluate::{RowChances, Weights},
    search::{Finding, Ground, Holding, Judged, State, Wanted, deepen},
    site::{Heap, Layout, Site},
};
use crate::{
    Control, Knowledge, Line, Player, Progress, Thought,
    player::{Sight, key_after},
};

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
            control.report(Progress { nodes, depth: finding.depth.into(), value: finding.actions[0].value });
        };
        let mut actions = Vec::new();
        known.actions(&mut actions);
        let other = Seat::new(1 - seat.index() as u8);
        let pairs = Pairs::of(known, other, &state.holdings[other.index()]);
        let ground = Ground { layout: &layout, rows: &self.rows, weights: &self.weights, pairs: &pairs };
        let wanted = Wanted { lines: control.lines(), asked: known.asked() };
        let (finding, nodes) = deepen(ground, &state, &actions, wanted, control, report);
        let key = known.key();
        let is_shown = |place: usize, action: Action| place < wanted.lines || wanted.asked == Some(action);
        let shown = finding.actions.iter().enumerate().filter(|(place, judged)| is_shown(*place, judged.action));
        let lines = shown.map(|(_, &judged)| line(seat, judged, key_after(key, judged.action)));
        Thought::of(lines.collect(), nodes)
    }
}

fn line(seat: Seat, judged: Judged, key: u64) -> Line<Action> {
    let Judged { action, value, depth, glance, ends, loses } = judged;
    let mut expected = vec![1.0 - value; 2];
    expected[seat.index()] = value;
    let sight = if ends && value >= 1.0 {
        Sight::Wins
    } else if loses {
        Sight::Loses
    } else {
        Sight::Quiet
    };
    // What comes next is a draw, of which nobody knows what it will be.
    let steps = vec![Step { by: Actor::Seat(seat), action }];
    Line { expected, visits: 0, depth: depth.into(), steps, sight, glance, key }
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
