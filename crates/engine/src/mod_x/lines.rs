//! What the tree says about each way to go on from the root, in the words that all players share.

use std::cmp::Reverse;

use quincunx_core::{Actor, Game, Seat, Step, Turn};
use quincunx_games::{ModX, mod_x::Action};

use super::{
    evaluate::evaluate,
    search::{Search, wins_by_placing},
    shapes::Filled,
    table::Table,
    tree::{Arm, Edge, Tree},
};
use crate::{
    Line, Thought,
    player::{Sight, payoff, unproven},
};

impl Search<'_> {
    /// What came out, with so many lines; nothing if it is best to wait.
    pub(super) fn thought(&self, tree: &Tree, simulations: u64, lines: usize) -> Option<Thought<Action>> {
        if tree.root.best().is_some_and(|best| best.arm == Arm::Wait) {
            return None;
        }
        let asked = self.asked_edge(tree);
        let mut edges: Vec<&Edge> = tree.root.edges().filter(|edge| edge.arm != Arm::Wait).collect();
        // What looked best is the first of equals.
        edges.sort_by_key(|edge| Reverse(edge.rank()));
        if let Some(asked) = asked {
            move_by_value(&mut edges, asked, tree.draw);
        }
        let shown = edges.into_iter().enumerate();
        let shown =
            shown.filter(|(place, edge)| *place < lines || asked.is_some_and(|asked| std::ptr::eq(asked, *edge)));
        Some(Thought::of(shown.filter_map(|(_, edge)| self.line(tree, edge)).collect(), simulations))
    }

    fn line(&self, tree: &Tree, edge: &Edge) -> Option<Line<Action>> {
        let Arm::Act(action) = edge.arm else { return None };
        let seat = self.known.seat();
        let mut after = self.game.clone();
        after.play(Actor::Seat(seat), action);
        let mut steps = vec![Step { by: Actor::Seat(seat), action }];
        let (values, is_decided) = if let Some(child) = tree.child(edge) {
            tree.extend_line(child, &mut steps);
            (child.means(), child.result().is_some())
        } else {
            let judged = self.judge(&after);
            (judged.values, judged.is_decided)
        };
        let share = |value: f32| if is_decided { value } else { unproven(value) };
        let glance = payoff(&after).unwrap_or_else(|| evaluate(&Table::of(&after), &self.settings.weights));
        Some(Line {
            expected: values[..self.known.seats() as usize].iter().map(|&value| share(value)).collect(),
            visits: edge.visits().into(),
            depth: if edge.visits() == 0 { 0 } else { steps.len() as u32 },
            steps,
            sight: sight(&after, seat),
            glance: glance[seat.index()],
            key: after.key(),
        })
    }
}

/// What is asked about was tried more often than it would have been: it comes before what was tried less only if it is not
/// worse.
fn move_by_value(edges: &mut [&Edge], asked: &Edge, draw: f32) {
    let Some(mut place) = edges.iter().position(|edge| std::ptr::eq(*edge, asked)) else { return };
    while let Some(next) = edges.get(place + 1)
        && next.rank().0 == asked.rank().0
        && next.visits() > 0
        && next.mean(draw) > asked.mean(draw)
    {
        edges.swap(place, place + 1);
        place += 1;
    }
}

/// What an action that led here decides at once.
fn sight(after: &ModX, seat: Seat) -> Sight {
    let Turn::Seat(on_turn) = after.turn() else {
        return match payoff(after) {
            Some(shares) if shares[seat.index()] >= 1.0 => Sight::Wins,
            Some(shares) if shares[seat.index()] <= 0.0 => Sight::Loses,
            _ => Sight::Quiet,
        };
    };
    let is_other = |other: &Seat| after.side(*other) != after.side(seat);
    let loses = if is_other(&on_turn) {
        Seat::all(after.seats()).filter(is_other).any(|other| can_win(after, other))
    } else if after.jokers_in_hand() > 0 {
        // No joker may be put where it would complete a placement, so that a threat stays whatever is done with them.
        !after.manual_claims() && wins_by_placing(&Table::of(after))
    } else {
        let mut done = after.clone();
        let mut actions = Vec::new();
        after.actions(on_turn, &mut actions);
        // Who can still claim has not decided yet.
        actions == [Action::Done] && {
            done.play(Actor::Seat(on_turn), Action::Done);
            return sight(&done, seat);
        }
    };
    if loses { Sight::Loses } else { Sight::Quiet }
}

/// Whether a seat can win before another one acts.
fn can_win(game: &ModX, seat: Seat) -> bool {
    let mut actions = Vec::new();
    game.actions(seat, &mut actions);
    let in_hand = usize::from(game.jokers_in_hand());
    if in_hand > 0 {
        // With jokers a game is won only by putting five together.
        let taken = Seat::all(game.seats()).fold(0, |taken, seat| taken | game.pieces_mask(seat));
        let jokers = game.jokers_mask();
        let filled = Filled::count(jokers, taken);
        let useful = filled.placements(5 - in_hand).fold(0, |squares, placement| squares | placement & !jokers);
        actions.retain(|action| matches!(action, Action::Joker(square) if useful >> square.index() & 1 == 1));
    }
    actions.into_iter().any(|action| {
        let mut after = game.clone();
        after.play(Actor::Seat(seat), action);
        match after.turn() {
            Turn::Seat(next) => next == seat && can_win(&after, seat),
            Turn::Over | Turn::Chance => payoff(&after).is_some_and(|shares| shares[seat.index()] >= 1.0),
        }
    })
}
