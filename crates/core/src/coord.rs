//! Squares written as on a chess board: a letter for the column from the left, a number for the row from the bottom.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::Serialize;

use crate::SquareReason;

/// A square of a board with up to 26 columns and 99 rows; `a1` is bottom left.
///
/// ```
/// # use quincunx_core::Coord;
/// let square: Coord = "j10".parse()?;
/// assert_eq!((square.col, square.row), (9, 9));
/// assert_eq!(square.to_string(), "j10");
/// assert!("a01".parse::<Coord>().is_err());
/// # Ok::<(), quincunx_core::SquareReason>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema)]
#[serde(into = "String")]
pub struct Coord {
    /// Counted from 0, from the left.
    pub col: u8,
    /// Counted from 0, from the bottom.
    pub row: u8,
}

impl Coord {
    pub const fn new(col: u8, row: u8) -> Self {
        Self { col, row }
    }

    /// The square with this number on a board of `width` columns, counting a1, b1, .., a2, ..
    #[inline]
    pub const fn from_index(index: usize, width: u8) -> Self {
        Self { col: (index % width as usize) as u8, row: (index / width as usize) as u8 }
    }

    /// The number of this square on a board of `width` columns, counting a1, b1, .., a2, ..
    #[inline]
    pub const fn index(self, width: u8) -> usize {
        self.row as usize * width as usize + self.col as usize
    }

    /// Why this square is not on a board of `size` by `size`, if it is not.
    pub fn outside(self, size: u8) -> Option<SquareReason> {
        let last = (b'a' + size - 1) as char;
        (self.col >= size || self.row >= size).then_some(SquareReason::Outside { square: self, last, size })
    }

    /// Reads a square at the start of a text and gives the rest.
    pub fn read(text: &str) -> Option<(Self, &str)> {
        let col = text.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
        let rest = &text[1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = rest.split_at(digits);
        if number.starts_with('0') || number.len() > 2 {
            return None;
        }
        Some((Self { col, row: number.parse::<u8>().ok()? - 1 }, rest))
    }
}

impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.col) as char, self.row + 1)
    }
}

impl FromStr for Coord {
    type Err = SquareReason;

    fn from_str(text: &str) -> Result<Self, SquareReason> {
        match Self::read(text) {
            Some((square, "")) => Ok(square),
            _ => Err(SquareReason::Form),
        }
    }
}

impl From<Coord> for String {
    fn from(square: Coord) -> Self {
        square.to_string()
    }
}
