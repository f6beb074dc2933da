//! The actions and their texts: `c3`, `*c3`, `!c3`, `done`.

use std::{fmt, str::FromStr};

use super::board::Square;

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
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "done" {
            return Ok(Self::Done);
        }
        if let Some(square) = text.strip_prefix('*') {
            return square.parse().map(Self::Joker).map_err(|why| format!("a joker is put down as in *c3; {why}"));
        }
        if let Some(square) = text.strip_prefix('!') {
            return square.parse().map(Self::Touch).map_err(|why| format!("a piece is touched as in !c3; {why}"));
        }
        text.parse().map(Self::Place).map_err(|why| {
            format!("write c3 for an X-piece, *c3 for a joker, !c3 to touch a piece, or done to end a turn; {why}")
        })
    }
}
