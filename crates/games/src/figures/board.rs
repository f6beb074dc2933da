//! The display of 5 by 5: squares, and sets of squares as 25 bits.

use std::fmt;

use crate::bits::bits;

/// Columns and rows of the display.
pub(super) const SIZE: u8 = 5;
/// Squares of the display.
pub(super) const AREA: usize = SIZE as usize * SIZE as usize;

/// A square of the display.
pub type Square = quincunx_core::Square<SIZE>;

/// A set of squares: bit 0 is a1, bit 1 is b1, bit 5 is a2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Squares(pub(super) u32);

const ALL: u32 = (1 << AREA) - 1;
const FIRST_COLUMN: u32 = 0b00001_00001_00001_00001_00001;
const LAST_COLUMN: u32 = FIRST_COLUMN << (SIZE - 1);

/// The squares next to each square, in the eight directions.
static NEXT_TO: [Squares; AREA] = {
    let mut table = [Squares::EMPTY; AREA];
    let mut square = 0;
    while square < AREA {
        table[square] = Squares(Squares(1 << square).with_neighbours().0 & !(1 << square));
        square += 1;
    }
    table
};

impl Squares {
    pub(super) const EMPTY: Self = Self(0);

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

    #[inline]
    #[must_use]
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether there are fewer than two squares.
    #[inline]
    pub(super) const fn is_at_most_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) == 0
    }

    #[inline]
    #[must_use]
    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// With these squares in it if they were not, and without if they were.
    #[inline]
    #[must_use]
    pub(super) const fn toggled(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// The squares in the order a1, b1, .. e5.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = Square> {
        bits(self.0.into()).map(Square::from_index)
    }

    /// The squares next to a square, in the eight directions.
    #[inline]
    pub(super) fn next_to(square: Square) -> Self {
        NEXT_TO[square.index()]
    }

    /// This set and all squares next to it, in the eight directions.
    #[inline]
    pub(super) const fn with_neighbours(self) -> Self {
        let row = self.0 | (self.0 & !LAST_COLUMN) << 1 | (self.0 & !FIRST_COLUMN) >> 1;
        Self((row | row << SIZE | row >> SIZE) & ALL)
    }

    /// Of the candidates, those squares that, added to this set, make it one connected group.
    ///
    /// ```text
    /// . . # . .    c2 is next to all three groups: it is the only such square.
    /// . . x . .
    /// . # . # .
    /// ```
    #[inline]
    pub(super) fn joints(self, candidates: Self) -> Self {
        let mut joints = candidates;
        let mut rest = self.0;
        while rest != 0 && !joints.is_empty() {
            let (group, around) = Self(rest & rest.wrapping_neg()).group_within(self);
            joints = joints.and(around);
            rest &= !group.0;
        }
        joints
    }

    /// All squares of `set` that are connected with this set, and these with their neighbours.
    #[inline]
    fn group_within(self, set: Self) -> (Self, Self) {
        let mut group = self;
        loop {
            let around = group.with_neighbours();
            let grown = around.and(set);
            if grown == group {
                return (group, around);
            }
            group = grown;
        }
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|square| square.to_string())).finish()
    }
}
