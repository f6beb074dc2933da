//! Mod X: a tree search with an evaluation of its own.
//!
//! - `shapes` counts how far every placement of X, PLUS and FIVE is filled, for all placements at once;
//! - `table` reads a position into what the evaluation needs;
//! - `evaluate` gives each seat's chance to win, `moves` says which actions look good;
//! - `search` grows the `tree`, and `lines` tells what came out.
//!
//! One code plays two and three seats, teams and both ways of claiming. Below the root, only the seat on turn claims what
//! was overlooked: it comes first in nearly every line. Four single players are left to the generic search: it won 77 % of 24
//! games against this one at 20 ms a move, two seats each.

mod evaluate;
mod lines;
mod moves;
mod search;
mod settings;
mod shapes;
mod table;
mod tree;

use quincunx_core::{Game, Seat};
use quincunx_games::{ModX, mod_x::Action};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use self::search::Search;
pub use self::settings::{Looks, ModXSettings};
use crate::{Control, Knowledge, Mcts, Player, Thought};

/// The player of Mod X.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModXPlayer {
    pub settings: ModXSettings,
    /// For tables of four single players.
    generic: Mcts,
}

impl ModXPlayer {
    fn search(&self, known: &Knowledge<'_, ModX>, control: &Control<'_>) -> Option<Thought<Action>> {
        // Nothing is hidden: what is imagined is the position itself.
        let game = known.imagine(&mut Xoshiro256PlusPlus::seed_from_u64(control.seed));
        let mut search = Search::new(&game, known, &self.settings);
        let tree = search.plant(control);
        let simulations = control.all_hands(&mut vec![(); control.hands()], |(), control| {
            Search::new(&game, known, &self.settings).run(&tree, control)
        });
        search.thought(&tree, simulations.into_iter().sum(), control.lines())
    }
}

impl Player<ModX> for ModXPlayer {
    fn think(&mut self, known: &Knowledge<'_, ModX>, control: &Control<'_>) -> Thought<Action> {
        if four_single_players(known, control) {
            return self.generic.think(known, control);
        }
        self.search(known, control).expect("waiting is only for those who are not on turn")
    }

    fn interject(&mut self, known: &Knowledge<'_, ModX>, control: &Control<'_>) -> Option<Thought<Action>> {
        if four_single_players(known, control) {
            return self.generic.interject(known, control);
        }
        self.search(known, control)
    }

    fn is_procedural(action: Action) -> bool {
        action == Action::Done
    }
}

fn four_single_players(known: &Knowledge<'_, ModX>, control: &Control<'_>) -> bool {
    let game = known.imagine(&mut Xoshiro256PlusPlus::seed_from_u64(control.seed));
    known.seats() == Seat::MAX && game.side(Seat::new(0)) != game.side(Seat::new(2))
}
