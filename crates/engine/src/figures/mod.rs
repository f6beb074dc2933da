//! A player of Figures: alpha-beta over whole turns.
//!
//! - `table` knows every set of five squares: how far it is from each figure, and what completes one;
//! - `turns` lists whole turns of a side (stones taken, an exchange, a stone returned), all or only those that score;
//! - `evaluate` gives a position a value, `search` looks ahead, `transposition` remembers.
//!
//! Two partners are one side, so that four seats are searched like two.

mod evaluate;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod transposition;
mod turns;

use std::collections::VecDeque;

use quincunx_core::{Actor, Game, Seat, Step};
use quincunx_games::Figures;
use quincunx_games::figures::Action;
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use self::{
    evaluate::chance_to_win,
    search::{Finding, SURE, Search, key},
    table::FigureTable,
    turns::WholeTurn,
};
use crate::{Control, Knowledge, Player, Progress, Thought};

/// How many of its own turns the player remembers, to not come back to where it was.
const MEMORY: usize = 40;
/// What coming back costs, in hundredths of a point, for each time that the position was there: an exchange can be
/// undone, and two sides that wait for each other would do so until the turn limit.
const REPETITION: i32 = 40;

/// Plays Figures by searching whole turns. The steps of a turn are thought of once: the later ones are played as planned,
/// as long as the position is the expected one.
#[derive(Debug, Default)]
pub struct FiguresPlayer {
    table: Option<FigureTable>,
    search: Search,
    plan: Option<Plan>,
    /// The positions after the player's latest turns.
    visited: VecDeque<u64>,
}

/// The rest of a turn that was thought of.
#[derive(Debug)]
struct Plan {
    /// The position in which the next step is to be made.
    key: u64,
    steps: Vec<Action>,
    after: Vec<Step<Action>>,
    expected: Vec<f32>,
}

impl Player<Figures> for FiguresPlayer {
    fn think(&mut self, known: &Knowledge<'_, Figures>, control: &Control<'_>) -> Thought<Action> {
        // Nothing is hidden: the imagined position is the true one.
        let game = known.imagine(&mut Xoshiro256PlusPlus::seed_from_u64(control.seed));
        if let Some(thought) = self.follow_plan(&game, known) {
            return thought;
        }
        let table = match self.table.take() {
            Some(table) if table.suits(&game) => table,
            _ => FigureTable::new(&game),
        };
        let side = usize::from(game.side(known.seat()));
        // Whoever is ahead may wait for the turn limit.
        let ahead = game.points_of(side) > game.points_of(1 - side);
        let visited = &self.visited;
        let bias = |after: &Figures| {
            let key = key(after);
            let times = visited.iter().filter(|&&visited| visited == key).count() as i32;
            if ahead { 0 } else { -REPETITION * times }
        };
        let report = |finding: &Finding, nodes: u64| {
            let value = win_chance(finding.value, &game);
            control.report(Progress { nodes, depth: finding.depth.into(), value });
        };
        let finding = self.search.run(&game, &table, control, |step| known.sees(step), bias, report);
        self.table = Some(table);
        let value = win_chance(finding.value, &game);
        let share = |seat| if usize::from(game.side(seat)) == side { value } else { 1.0 - value };
        let expected = Seat::all(known.seats()).map(share).collect();
        let mut line = line_of(&finding.line, known);
        let own = finding.turn.steps().len();
        let after = line.split_off(own);
        self.plan = Some(Plan { key: game.key(), steps: finding.turn.steps().to_vec(), after, expected });
        let mut thought = self.follow_plan(&game, known).expect("the plan is for this position");
        thought.nodes = self.search.nodes();
        thought
    }
}

impl FiguresPlayer {
    /// The next step of the plan, if this is the position it was made for and the step is still seen.
    fn follow_plan(&mut self, game: &Figures, known: &Knowledge<'_, Figures>) -> Option<Thought<Action>> {
        let plan = self.plan.take().filter(|plan| plan.key == game.key() && known.sees(plan.steps[0]))?;
        let (seat, action) = (known.seat(), plan.steps[0]);
        let mut line: Vec<_> = plan.steps.iter().map(|&action| Step { by: Actor::Seat(seat), action }).collect();
        line.extend(&plan.after);
        let thought = Thought { action, expected: plan.expected.clone(), line, nodes: 0 };
        let mut next = game.clone();
        next.play(Actor::Seat(seat), action);
        if plan.steps.len() > 1 {
            self.plan = Some(Plan { key: next.key(), steps: plan.steps[1..].to_vec(), ..plan });
        } else {
            self.remember(&next);
        }
        Some(thought)
    }

    fn remember(&mut self, after: &Figures) {
        if self.visited.len() == MEMORY {
            self.visited.pop_front();
        }
        self.visited.push_back(key(after));
    }
}

fn win_chance(value: i32, game: &Figures) -> f32 {
    match value {
        _ if value >= SURE => 1.0,
        _ if value <= -SURE => 0.0,
        _ => chance_to_win(value, game),
    }
}

/// The steps of the turns, seat by seat.
fn line_of(turns: &[WholeTurn], known: &Knowledge<'_, Figures>) -> Vec<Step<Action>> {
    let seats = known.seat().clockwise(known.seats()).cycle();
    let steps = turns
        .iter()
        .zip(seats)
        .flat_map(|(turn, seat)| turn.steps().iter().map(move |&action| Step { by: Actor::Seat(seat), action }));
    steps.collect()
}
