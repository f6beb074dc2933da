//! A player of Figures: alpha-beta over whole turns.
//!
//! - `table` knows every set of five squares: how far it is from each figure, and what completes one;
//! - `turns` lists whole turns of a side (stones taken, an exchange, a stone returned), all or only those that score;
//! - `evaluate` gives a position a value, `search` looks ahead, `root` deepens and keeps the best lines, `transposition`
//!   remembers, `claims` keeps several hands apart.
//!
//! Two partners are one side, so that four seats are searched like two.

mod claims;
mod evaluate;
mod root;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod transposition;
mod turns;

use quincunx_core::{Actor, Game, Seat, Step, Turn};
use quincunx_games::Figures;
use quincunx_games::figures::Action;
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use self::{
    evaluate::chance_to_win,
    root::{Finding, FoundLine, Question},
    search::{SURE, Search, key, key_at_any_time},
    table::FigureTable,
    turns::{WholeTurn, scoring_turns},
};
use crate::{Control, Knowledge, Line, Player, Progress, Thought, player::Sight};

/// What coming back costs, in hundredths of a point, for each time that the position was there: an exchange can be
/// undone, and two sides that wait for each other would do so until the turn limit.
const REPETITION: i32 = 40;

/// What the steps of a turn get of the nodes, in sixteenths, so that a turn costs about one budget, whoever is asked for its
/// steps. To take a stone decides most, and there are the most turns to choose from. To exchange needs nearly as deep a look:
/// with a shallower one the stone was taken for nothing. To return a stone needs little.
const TAKE_SHARE: u32 = 9;
const EXCHANGE_SHARE: u32 = 5;
const RETURN_SHARE: u32 = 2;
const WHOLE: u32 = 16;
/// Fewer nodes are of no use.
const LEAST_NODES: u64 = 64;

/// Plays Figures by searching whole turns.
///
/// With a number of nodes, each step of a turn is thought of for itself, so that it makes no difference whether one player
/// makes them all or each is asked of a new one. With time alone, the first step takes it all, and the player goes on as
/// planned as long as the position is the expected one.
#[derive(Debug, Default)]
pub struct FiguresPlayer {
    table: Option<FigureTable>,
    search: Search,
    plan: Option<Plan>,
}

/// The rest of a turn that was thought of.
#[derive(Debug)]
struct Plan {
    /// The position in which the next step is to be made.
    key: u64,
    line: Line<Action>,
}

impl Player<Figures> for FiguresPlayer {
    fn think(&mut self, known: &Knowledge<'_, Figures>, control: &Control<'_>) -> Thought<Action> {
        let game = position(known);
        let may_plan = control.budget.nodes.is_none() && control.lines() == 1 && known.asked().is_none();
        if let Some(Plan { line, .. }) = self.plan.take().filter(|plan| may_plan && plan.key == game.key()) {
            self.plan_on(game, &line);
            return Thought::of(vec![line], 0);
        }
        let table = match self.table.take() {
            Some(table) if table.suits(&game) => table,
            _ => FigureTable::new(&game),
        };
        let side = usize::from(game.side(known.seat()));
        let visited = visited(known);
        // Whoever is ahead may wait for the turn limit.
        let ahead = game.points_of(side) > game.points_of(1 - side);
        let bias = |after: &Figures| {
            let key = key_at_any_time(after);
            let times = visited.iter().filter(|&&visited| visited == key).count() as i32;
            if ahead { 0 } else { -REPETITION * times }
        };
        let report = |finding: &Finding, nodes: u64| {
            let value = win_chance(finding.lines[0].value, &game);
            control.report(Progress { nodes, depth: finding.depth.into(), value });
        };
        let question = Question { lines: control.lines(), asked: known.asked() };
        let finding = self.search.run(&game, &table, question, &share(known, control), bias, report);
        let lines: Vec<_> = finding.lines.into_iter().map(|found| line(found, &game, &table, known)).collect();
        self.table = Some(table);
        self.plan_on(game, &lines[0]);
        Thought::of(lines, self.search.nodes())
    }

    fn is_procedural(action: Action) -> bool {
        matches!(action, Action::Return(_))
    }
}

impl FiguresPlayer {
    /// Keeps the steps of this turn after the first.
    fn plan_on(&mut self, mut game: Figures, line: &Line<Action>) {
        let Step { by, action } = line.steps[0];
        game.play(by, action);
        if line.steps.get(1).is_some_and(|next| next.by == by) {
            let line = Line { steps: line.steps[1..].to_vec(), ..line.clone() };
            self.plan = Some(Plan { key: game.key(), line });
        }
    }
}

/// Nothing is hidden: the imagined position is the true one.
fn position(known: &Knowledge<'_, Figures>) -> Figures {
    known.imagine(&mut Xoshiro256PlusPlus::seed_from_u64(0))
}

/// The keys of the positions after the turns that the thinking side has made.
fn visited(known: &Knowledge<'_, Figures>) -> Vec<u64> {
    let mut visited = Vec::new();
    known.recall(0, |before, by, action| {
        if let (Actor::Seat(seat), Some(action @ Action::Return(_))) = (by, action)
            && known.is_own_side(seat)
        {
            let mut after = position(before);
            after.play(by, action);
            visited.push(key_at_any_time(&after));
        }
    });
    visited
}

/// The part of the budget that this step of the turn may use. Whoever asks about one step wants all of it for that one.
fn share<'a>(known: &Knowledge<'_, Figures>, control: &Control<'a>) -> Control<'a> {
    let mut steps = Vec::new();
    known.actions(&mut steps);
    let mut control = *control;
    if known.asked().is_none() {
        // The second of two stones was thought of with the first.
        let is_later = known.seen().last().is_some_and(|(by, _)| by == Actor::Seat(known.seat()));
        let (share, time_share) = match steps[0] {
            Action::Take(_) if !is_later => (TAKE_SHARE, WHOLE),
            Action::Take(_) | Action::Exchange(..) => (EXCHANGE_SHARE, EXCHANGE_SHARE),
            Action::Return(_) => (RETURN_SHARE, RETURN_SHARE),
        };
        let of_nodes =
            |nodes: u64| nodes.saturating_mul(share.into()).div_ceil(WHOLE.into()).max(LEAST_NODES.min(nodes));
        control.budget.nodes = control.budget.nodes.map(of_nodes);
        control.budget.time = control.budget.time.map(|time| time / WHOLE * time_share);
    }
    control
}

fn line(found: FoundLine, game: &Figures, table: &FigureTable, known: &Knowledge<'_, Figures>) -> Line<Action> {
    let value = win_chance(found.value, game);
    let expected = |seat| if known.is_own_side(seat) { value } else { 1.0 - value };
    Line {
        expected: Seat::all(known.seats()).map(expected).collect(),
        visits: 0,
        depth: found.depth.into(),
        steps: steps_of(&found.turns, known),
        sight: sight(&found.after, table, known),
        glance: win_chance(found.glance, game),
        key: key(&found.after),
    }
}

/// What a turn decides at once that leads to this position.
fn sight(after: &Figures, table: &FigureTable, known: &Knowledge<'_, Figures>) -> Sight {
    let won_by = |game: &Figures, own: bool| {
        let winner = game.outcome().and_then(|outcome| outcome.winners.iter().next());
        winner.is_some_and(|winner| known.is_own_side(winner) == own)
    };
    if won_by(after, true) {
        return Sight::Wins;
    }
    let Turn::Seat(next) = after.turn() else {
        return if won_by(after, false) { Sight::Loses } else { Sight::Quiet };
    };
    let other = usize::from(after.side(next));
    // With any turn, if the turn limit ends the game then.
    let wins_anyway = after.turns_left() == 1 && after.points_of(other) > after.points_of(1 - other);
    let mut answers = Vec::new();
    scoring_turns(after, table, &mut answers);
    let loses = wins_anyway || answers.iter().any(|answer| won_by(&answer.after, false));
    if loses { Sight::Loses } else { Sight::Quiet }
}

fn win_chance(value: i32, game: &Figures) -> f32 {
    match value {
        _ if value >= SURE => 1.0,
        _ if value <= -SURE => 0.0,
        _ => chance_to_win(value, game),
    }
}

/// The steps of the turns, seat by seat.
fn steps_of(turns: &[WholeTurn], known: &Knowledge<'_, Figures>) -> Vec<Step<Action>> {
    let seats = known.seat().clockwise(known.seats()).cycle();
    let steps = turns
        .iter()
        .zip(seats)
        .flat_map(|(turn, seat)| turn.steps().iter().map(move |&action| Step { by: Actor::Seat(seat), action }));
    steps.collect()
}
