//! Mod X: a tree search with an evaluation of its own.
//!
//! - `shapes` counts how far every placement of X, PLUS and FIVE is filled, for all placements at once;
//! - `table` reads a position into what the evaluation needs;
//! - `evaluate` gives each seat's chance to win, `moves` says which actions look good;
//! - `search` grows the `tree`, and `lines` tells what came out.
//!
//! One code plays all numbers of seats, teams and both ways of claiming. Below the root, only the seat on turn claims what
//! was overlooked: it comes first in nearly every line.

mod evaluate;
mod lines;
mod moves;
mod search;
mod settings;
mod shapes;
mod table;
mod tree;

use quincunx_games::{ModX, mod_x::Action};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use self::search::Search;
pub use self::settings::{Looks, ModXSettings};
use crate::{Control, Knowledge, Player, Thought};

/// The player of Mod X.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModXPlayer {
    pub settings: ModXSettings,
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
        self.search(known, control).expect("waiting is only for those who are not on turn")
    }

    fn interject(&mut self, known: &Knowledge<'_, ModX>, control: &Control<'_>) -> Option<Thought<Action>> {
        self.search(known, control)
    }

    fn is_procedural(action: Action) -> bool {
        action == Action::Done
    }
}
