//! The board of 8 by 8: squares, and sets of squares as 64 bits.

use std::{
    fmt,
    ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign},
};

use rand::Rng;

use crate::bits::bits;

/// Columns and rows of the board.
pub(super) const SIZE: u8 = 8;
/// Squares of the board.
pub(super) const AREA: usize = SIZE as usize * SIZE as usize;

/// A square of the board.
pub type Square = quincunx_core::Square<SIZE>;

/// A set of squares: bit 0 is a1, bit 1 is b1, bit 8 is a2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Squares(pub(super) u64);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << (SIZE - 1);

impl Squares {
    pub(super) const EMPTY: Self = Self(0);
    pub(super) const ALL: Self = Self(!0);

    #[inline]
    pub(super) const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(super) const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 == 1
    }

    /// Whether all squares of this set are in the other.
    #[inline]
    pub(super) const fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    #[inline]
    pub(super) const fn count(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// The squares that are in any of the sets.
    #[inline]
    pub(super) fn union(sets: &[Self]) -> Self {
        sets.iter().fold(Self::EMPTY, |union, &set| union | set)
    }

    /// The squares in the order a1, b1, .. h8.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = Square> {
        bits(self.0).map(Square::from_index)
    }

    /// This set and all squares next to it, in the eight directions.
    pub(super) const fn with_neighbours(self) -> Self {
        let row = self.0 | (self.0 & !FILE_H) << 1 | (self.0 & !FILE_A) >> 1;
        Self(row | row << SIZE | row >> SIZE)
    }

    /// A random square of the set, each with the same chance. Throwing again after a miss is faster here than
    /// looking for the n-th bit: most of the board is free for most of a game.
    ///
    /// The set must not be empty.
    #[inline]
    pub(super) fn any<R: Rng + ?Sized>(self, rng: &mut R) -> Square {
        debug_assert!(!self.is_empty(), "there is a square to draw");
        loop {
            let square = Square::from_index((rng.next_u64() >> 58) as usize);
            if self.contains(square) {
                return square;
            }
        }
    }
}

impl BitOr for Squares {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Squares {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for Squares {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// The squares of one set that are not in the other.
impl Sub for Squares {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl SubAssign for Squares {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|square| square.to_string())).finish()
    }
}
