//! Mod X: a tree search with an evaluation of its own.
//!
//! - `shapes` counts how far every placement of X, PLUS and FIVE is filled, for all placements at once;
//! - `table` reads a position into what the evaluation needs;
//! - `evaluate` gives each seat's chance to win, `moves` says which actions look good;
//! - `search` is the tree.
//!
//! One code plays all numbers of seats, teams and both ways of claiming. Below the root, only the seat on turn claims what
//! was overlooked: it comes first in nearly every line.

mod evaluate;
mod moves;
mod search;
mod settings;
mod shapes;
mod table;

use quincunx_games::{ModX, mod_x::Action};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use self::search::{Search, Tree};
pub use self::settings::{Looks, ModXSettings};
use crate::{Control, Knowledge, Player, Thought};

/// The player of Mod X.
#[derive(Clone, Debug, Default)]
pub struct ModXPlayer {
    pub settings: ModXSettings,
    tree: Tree,
}

impl ModXPlayer {
    fn search(&mut self, known: &Knowledge<'_, ModX>, control: &Control<'_>) -> Option<Thought<Action>> {
        // Nothing is hidden: what is imagined is the position itself.
        let game = known.imagine(&mut Xoshiro256PlusPlus::seed_from_u64(control.seed));
        let mut search = Search::new(&game, known.seat(), &self.settings, &mut self.tree, control);
        search.run();
        search.thought()
    }
}

impl Player<ModX> for ModXPlayer {
    fn think(&mut self, known: &Knowledge<'_, ModX>, control: &Control<'_>) -> Thought<Action> {
        self.search(known, control).expect("waiting is only for those who are not on turn")
    }

    fn interject(&mut self, known: &Knowledge<'_, ModX>, control: &Control<'_>) -> Option<Thought<Action>> {
        self.search(known, control)
    }
}
