//! Squares of a board whose size is known when the program is compiled.

use std::{fmt, str::FromStr};

use crate::Coord;

/// A square of a board of `SIZE` by `SIZE`, numbered a1, b1, .., a2, .. The lower of two squares is the one with the
/// lower number.
///
/// ```
/// # use quincunx_core::Square;
/// let square: Square<8> = "c2".parse()?;
/// assert_eq!(square.index(), 10);
/// assert_eq!("i1".parse::<Square<8>>().unwrap_err(), "square i1: the board has columns a to h and rows 1 to 8");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
    pub fn read(text: &str) -> Result<(Self, &str), String> {
        let (place, rest) = Coord::read(text).ok_or(Coord::FORM)?;
        Ok((Self::at(place).ok_or_else(|| place.outside(SIZE).unwrap_or_default())?, rest))
    }
}

impl<const SIZE: u8> fmt::Display for Square<SIZE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.coord().fmt(f)
    }
}

impl<const SIZE: u8> FromStr for Square<SIZE> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match Self::read(text)? {
            (square, "") => Ok(square),
            _ => Err(Coord::FORM.to_owned()),
        }
    }
}
