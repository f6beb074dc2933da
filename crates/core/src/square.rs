//! Squares of a board whose size is known when the program is compiled.

use std::{fmt, str::FromStr};

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Coord, SquareReason};

/// A square of a board of `SIZE` by `SIZE`, numbered a1, b1, .., a2, .. The lower of two squares is the one with the
/// lower number.
///
/// ```
/// # use quincunx_core::Square;
/// let square: Square<8> = "c2".parse()?;
/// assert_eq!(square.index(), 10);
/// let why = "i1".parse::<Square<8>>().unwrap_err();
/// assert_eq!(why.to_string(), "square i1: the board has columns a to h and rows 1 to 8");
/// # Ok::<(), quincunx_core::SquareReason>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema)]
#[serde(into = "String")]
pub struct Square<const SIZE: u8>(u8);

impl<const SIZE: u8> Square<SIZE> {
    /// The number of squares of the board.
    pub const AREA: usize = SIZE as usize * SIZE as usize;

    /// The square at this place, if it is on the board.
    pub const fn at(place: Coord) -> Option<Self> {
        if place.col < SIZE && place.row < SIZE { Some(Self(place.row * SIZE + place.col)) } else { None }
    }

    /// The square with this number, which must be below [`AREA`](Self::AREA).
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        debug_assert!(index < Self::AREA);
        Self(index as u8)
    }

    /// The number of the square, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Column and row.
    pub const fn coord(self) -> Coord {
        Coord::from_index(self.0 as usize, SIZE)
    }

    /// All squares, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::AREA).map(Self::from_index)
    }

    /// Reads a square at the start of a text and gives the rest.
    pub fn read(text: &str) -> Result<(Self, &str), SquareReason> {
        let (place, rest) = Coord::read(text).ok_or(SquareReason::Form)?;
        match place.outside(SIZE) {
            Some(why) => Err(why),
            None => Ok((Self(place.index(SIZE) as u8), rest)),
        }
    }
}

impl<const SIZE: u8> fmt::Display for Square<SIZE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.coord().fmt(f)
    }
}

impl<const SIZE: u8> FromStr for Square<SIZE> {
    type Err = SquareReason;

    fn from_str(text: &str) -> Result<Self, SquareReason> {
        match Self::read(text)? {
            (square, "") => Ok(square),
            _ => Err(SquareReason::Form),
        }
    }
}

impl<const SIZE: u8> From<Square<SIZE>> for String {
    fn from(square: Square<SIZE>) -> Self {
        square.to_string()
    }
}
