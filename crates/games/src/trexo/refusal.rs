//! Why an action of Trexo is refused.

use quincunx_core::{Coord, Reasons};
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Refusal {
    #[error("a tile is two squares, first the one that gets X, such as e5f5")]
    Form,
    #[error("a tile covers two squares, not {square} twice")]
    OneSquare { square: Coord },
    #[error("{x} and {o} are not neighbours")]
    NotNeighbours { x: Coord, o: Coord },
    #[error("{x} is at level {x_level} and {o} at level {o_level}")]
    Levels { x: Coord, x_level: u8, o: Coord, o_level: u8 },
    #[error("{x} and {o} are the two halves of one tile")]
    OneTile { x: Coord, o: Coord },
    #[error("a swap is only possible as the reply to the first tile")]
    SwapLate,
    #[error("this table plays without the swap")]
    NoSwap,
}

impl Reasons for Refusal {
    const AREA: &'static str = "trexo";
}
