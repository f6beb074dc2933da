//! A strong player of Trexo: it sees every tile that wins or must be answered, proves what is forced, and judges quiet
//! positions by their lines.

mod evaluate;
mod lines;
mod position;
mod search;
#[cfg(test)]
mod tests;
mod threats;
mod tree;

use quincunx_core::{Actor, Game, Seat, Step, Viewer};
use quincunx_games::{Trexo, trexo::Action};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use self::{
    evaluate::expectation,
    lines::{Lines, bit_of},
    position::{Position, Tile},
    search::{Search, WIDTH, Walk, judge_tiles},
    tree::{Task, Tree, Tried, Verdict},
};
use crate::{
    Control, Knowledge, Line, Player, Thought,
    player::{Sight, key_after, unproven},
};

/// A player of Trexo, for all options of the game.
#[derive(Debug, Default)]
pub struct TrexoPlayer {
    /// The lines of the board that was played on last.
    lines: Option<Lines>,
    tree: Tree,
    walks: Vec<Walk>,
}

impl Player<Trexo> for TrexoPlayer {
    fn think(&mut self, known: &Knowledge<'_, Trexo>, control: &Control<'_>) -> Thought<Action> {
        // Nothing is hidden: any position that the seat can imagine is the true one.
        let game = known.imagine(&mut Xoshiro256PlusPlus::seed_from_u64(control.seed));
        let view = game.view(Viewer::Seat(known.seat()));
        if self.lines.as_ref().is_none_or(|lines| lines.size() != view.size) {
            self.lines = Some(Lines::of_board(view.size));
        }
        let lines = self.lines.as_ref().expect("just made");
        let position = Position::of(&game, lines);
        let asked = match known.asked() {
            Some(Action::Lay { x, o }) => Some(Tile { x: bit_of(x), o: bit_of(o) }),
            Some(Action::Swap) | None => None,
        };
        let task = Task { swap_follows: swap_follows(&game), all_tiles: control.lines() > 1, asked };
        let hands = control.hands();
        self.tree.begin(task, &mut judge_tiles(&position, lines), control.budget.memory, hands > 1);
        self.walks.resize_with(hands, Walk::default);
        let search = Search { tree: &self.tree, root: &position, lines, width: WIDTH };
        control.all_hands(&mut self.walks, |walk, control| search.run(walk, control));

        let key = known.key();
        let tried = self.tree.tried(control.lines());
        let mut found: Vec<Line<Action>> = tried.into_iter().map(|tried| line_of(known.seat(), key, tried)).collect();
        if view.may_swap {
            self.add_swap(known, 1.0 - expectation(&position, lines), &mut found);
            let asked = |line: &Line<Action>| Some(line.action()) == known.asked();
            let mut place = 0;
            found.retain(|line| {
                place += 1;
                place <= control.lines() || asked(line)
            });
        }
        Thought::of(found, self.tree.simulations())
    }
}

impl TrexoPlayer {
    /// Adds the line that begins with a swap where it belongs among the lines of the tiles.
    ///
    /// After a swap the same symbol is to move, only that the other seat owns it: what is bad to play on with is good to take
    /// over from.
    fn add_swap(&self, known: &Knowledge<'_, Trexo>, glance: f32, lines: &mut Vec<Line<Action>>) {
        let own = known.seat().index();
        let best = &lines[0];
        let actions = best.steps.iter().map(|step| step.action);
        let swap = Line {
            expected: best.expected.iter().rev().copied().collect(),
            visits: self.tree.simulations(),
            depth: if best.depth > 0 { best.depth + 1 } else { 0 },
            steps: steps(known.seat(), std::iter::once(Action::Swap).chain(actions)),
            sight: if best.sight == Sight::Wins { Sight::Loses } else { Sight::Quiet },
            glance,
            key: key_after(known.key(), Action::Swap),
        };
        let place = lines.iter().position(|line| line.expected[own] < swap.expected[own]);
        lines.insert(place.unwrap_or(lines.len()), swap);
    }
}

/// Who does what if the seats take turns with these actions.
fn steps(seat: Seat, actions: impl IntoIterator<Item = Action>) -> Vec<Step<Action>> {
    let seats = seat.clockwise(2).cycle();
    seats.zip(actions).map(|(seat, action)| Step { by: Actor::Seat(seat), action }).collect()
}

/// What is told about a tile.
fn line_of(seat: Seat, key: u64, tried: Tried) -> Line<Action> {
    let is_proven = matches!(tried.verdict, Verdict::Won(_) | Verdict::Lost(_));
    // However clear it looks, only a proof makes it certain.
    let value = if is_proven { tried.value } else { unproven(tried.value) };
    let mut actions: Vec<Action> = tried.line.into_iter().map(Tile::action).collect();
    if tried.taken_over {
        actions.insert(1, Action::Swap);
    }
    Line {
        expected: Seat::all(2).map(|other| if other == seat { value } else { 1.0 - value }).collect(),
        visits: tried.visits.into(),
        depth: if tried.visits > 0 { actions.len() as u32 } else { 0 },
        sight: match tried.verdict {
            Verdict::Won(0) => Sight::Wins,
            Verdict::Lost(0 | 1) => Sight::Loses,
            _ => Sight::Quiet,
        },
        glance: tried.glance,
        key: key_after(key, actions[0]),
        steps: steps(seat, actions),
    }
}

/// Whether the reply to the next tile may be a swap. Only the rules know how the table plays.
fn swap_follows(game: &Trexo) -> bool {
    let mut actions = Vec::new();
    let Some(actor) = game.turn().actor() else { return false };
    let Actor::Seat(seat) = actor else { return false };
    game.actions(seat, &mut actions);
    let tile = actions.into_iter().find(|&action| action != Action::Swap);
    tile.is_some_and(|tile| {
        let mut next = game.clone();
        next.play(actor, tile);
        next.view(Viewer::Spectator).may_swap
    })
}
