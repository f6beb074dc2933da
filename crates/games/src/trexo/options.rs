//! What two players of Trexo agree on before play.

use quincunx_core::Within;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Options of Trexo.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Tiles in the common supply. Early boxes held 45.
    pub tiles: Within<1, 500>,
    /// Side of the board.
    pub size: Within<5, 11>,
    /// Beyond the rulebook: as the reply to the first tile, seat 1 may take over X instead of laying a tile.
    pub swap: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { tiles: Within::literal(60), size: Within::literal(10), swap: false }
    }
}
