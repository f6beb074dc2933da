//! The actions and their texts: `c3`, `*c3`, `!c3`, `done`.

use std::{fmt, str::FromStr};

use quincunx_core::SquareReason;

use super::{board::Square, refusal::Refusal};

/// One step of a game of Mod X.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Put an own X-piece on a free square: `c3`.
    Place(Square),
    /// Put a joker on a free square, at the set-up or after it was lifted: `*c3`.
    Joker(Square),
    /// Touch a piece to claim the patterns through it: `!c3`. Only with manual claims.
    Touch(Square),
    /// End the turn: `done`. Only with manual claims.
    Done,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(square) => write!(f, "{square}"),
            Self::Joker(square) => write!(f, "*{square}"),
            Self::Touch(square) => write!(f, "!{square}"),
            Self::Done => f.write_str("done"),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        if text == "done" {
            return Ok(Self::Done);
        }
        if let Some(square) = text.strip_prefix('*') {
            return square.parse().map(Self::Joker).map_err(|why: SquareReason| Refusal::JokerForm { why: why.into() });
        }
        if let Some(square) = text.strip_prefix('!') {
            return square.parse().map(Self::Touch).map_err(|why: SquareReason| Refusal::TouchForm { why: why.into() });
        }
        text.parse().map(Self::Place).map_err(|why: SquareReason| Refusal::Form { why: why.into() })
    }
}
