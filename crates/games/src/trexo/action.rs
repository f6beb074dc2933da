//! What a player of Trexo does in a turn, and how it is written.

use std::{fmt, str::FromStr};

use quincunx_core::Coord;

use super::refusal::Refusal;

/// One turn of Trexo.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Lay a tile: `e5f5`.
    Lay {
        /// The square that gets X.
        x: Coord,
        /// The square that gets O.
        o: Coord,
    },
    /// Take over X, as the reply to the first tile: `swap`.
    Swap,
}

const SWAP: &str = "swap";

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lay { x, o } => write!(f, "{x}{o}"),
            Self::Swap => f.write_str(SWAP),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        if text == SWAP {
            return Ok(Self::Swap);
        }
        let squares = Coord::read(text).and_then(|(x, rest)| Some((x, Coord::read(rest)?)));
        match squares {
            Some((x, (o, ""))) => Ok(Self::Lay { x, o }),
            _ => Err(Refusal::Form),
        }
    }
}
