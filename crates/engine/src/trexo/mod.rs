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
    lines::Lines,
    position::Position,
    search::{Search, Walk},
    tree::Tree,
};
use crate::{Control, Knowledge, Player, Thought};

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
        let mut seen = Vec::new();
        known.actions(&mut seen);
        if let [Action::Swap] = seen[..] {
            return Thought::plain(known.seat(), Action::Swap, 0);
        }
        // Nothing is hidden: any position that the seat can imagine is the true one.
        let game = known.imagine(&mut Xoshiro256PlusPlus::seed_from_u64(control.seed));
        let view = game.view(Viewer::Seat(known.seat()));
        if self.lines.as_ref().is_none_or(|lines| lines.size() != view.size) {
            self.lines = Some(Lines::of_board(view.size));
        }
        let lines = self.lines.as_ref().expect("just made");
        let position = Position::of(&game, lines);
        self.tree.begin(swap_follows(&game), control.budget.memory);
        self.walks.resize_with(control.hands(), Walk::default);
        let search = Search::new(&mut self.tree, position, lines, |tile| known.sees(tile.action()));
        control.all_hands(&mut self.walks, |walk, control| search.run(walk, control));

        let mut value = self.tree.value();
        let mut actions: Vec<Action> = self.tree.line().into_iter().map(position::Tile::action).collect();
        // After a swap the same symbol is to move, only that the other seat owns it: what is bad to play on with is
        // good to take over from.
        if view.may_swap && value < 0.5 && known.sees(Action::Swap) {
            value = 1.0 - value;
            actions.insert(0, Action::Swap);
        }
        let seat = known.seat();
        let expected = Seat::all(2).map(|other| if other == seat { value } else { 1.0 - value });
        let seats = seat.clockwise(2).cycle();
        Thought {
            action: actions[0],
            expected: expected.collect(),
            line: seats.zip(actions).map(|(seat, action)| Step { by: Actor::Seat(seat), action }).collect(),
            nodes: self.tree.simulations(),
        }
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
