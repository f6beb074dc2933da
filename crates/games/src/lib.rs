//! The five games of Quincunx, and the registry that lists them.

use quincunx_core::GameKind;

/// Every game, in the order in which people are shown them. A sixth one is one more line here.
pub static GAMES: &[&dyn GameKind] = &[];
