//! The figures cross, plus, line and zig-zag: all placements on the display, and what each figure is worth.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    board::{SIZE, Squares},
    colour::Colour,
};

/// A figure that the five markers of a colour can stand in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// A square and its four diagonal neighbours.
    Cross,
    /// A square and its four orthogonal neighbours.
    Plus,
    /// A whole row or column; with an option also a long diagonal.
    Line,
    /// Up and down over two rows or columns; with an option a staircase.
    ZigZag,
}

impl Figure {
    /// How many figures there are.
    pub const COUNT: usize = 4;
    /// All figures.
    pub const ALL: [Self; Self::COUNT] = [Self::Cross, Self::Plus, Self::Line, Self::ZigZag];
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cross => "cross",
            Self::Plus => "plus",
            Self::Line => "line",
            Self::ZigZag => "zig-zag",
        })
    }
}

/// Which placements count at a table. Cross, plus, rows and columns always do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Families(u8);

impl Families {
    pub(super) const ALWAYS: Self = Self(1);
    pub(super) const DIAGONAL: Self = Self(2);
    pub(super) const ALTERNATING: Self = Self(4);
    pub(super) const STAIRCASE: Self = Self(8);

    #[must_use]
    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    pub(super) const fn includes(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// For hashing.
    pub(super) const fn bits(self) -> u8 {
        self.0
    }
}

type Step = (i8, i8);

/// Each figure in each direction. What a zig-zag is, is *reconstructed*: its picture is lost. It stands here and
/// nowhere else, in both readings.
const SHAPES: [(Figure, Families, [Step; 5]); 14] = [
    (Figure::Cross, Families::ALWAYS, [(0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)]),
    (Figure::Plus, Families::ALWAYS, [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]),
    (Figure::Line, Families::ALWAYS, [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]),
    (Figure::Line, Families::ALWAYS, [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]),
    (Figure::Line, Families::DIAGONAL, [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]),
    (Figure::Line, Families::DIAGONAL, [(0, 4), (1, 3), (2, 2), (3, 1), (4, 0)]),
    (Figure::ZigZag, Families::ALTERNATING, [(0, 0), (1, 1), (2, 0), (3, 1), (4, 0)]),
    (Figure::ZigZag, Families::ALTERNATING, [(0, 1), (1, 0), (2, 1), (3, 0), (4, 1)]),
    (Figure::ZigZag, Families::ALTERNATING, [(0, 0), (1, 1), (0, 2), (1, 3), (0, 4)]),
    (Figure::ZigZag, Families::ALTERNATING, [(1, 0), (0, 1), (1, 2), (0, 3), (1, 4)]),
    (Figure::ZigZag, Families::STAIRCASE, [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)]),
    (Figure::ZigZag, Families::STAIRCASE, [(2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]),
    (Figure::ZigZag, Families::STAIRCASE, [(0, 2), (0, 1), (1, 1), (1, 0), (2, 0)]),
    (Figure::ZigZag, Families::STAIRCASE, [(2, 2), (2, 1), (1, 1), (1, 0), (0, 0)]),
];

/// Placements of all figures and families together.
const PLACEMENT_COUNT: usize = 9 + 9 + 10 + 2 + 16 + 36;

/// One placement of a figure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub(super) squares: Squares,
    pub(super) figure: Figure,
    pub(super) family: Families,
}

/// All placements. No two have the same squares, so five markers stand in one figure at most.
pub(super) static PLACEMENTS: [Placement; PLACEMENT_COUNT] = placements();

const fn placements() -> [Placement; PLACEMENT_COUNT] {
    let nothing = Placement { squares: Squares::EMPTY, figure: Figure::Cross, family: Families::ALWAYS };
    let mut all = [nothing; PLACEMENT_COUNT];
    let mut found = 0;
    let mut shape = 0;
    while shape < SHAPES.len() {
        let (figure, family, ref steps) = SHAPES[shape];
        let mut anchor = 0;
        while anchor < SIZE * SIZE {
            if let Some(squares) = placed(steps, (anchor % SIZE) as i8, (anchor / SIZE) as i8) {
                all[found] = Placement { squares, figure, family };
                found += 1;
            }
            anchor += 1;
        }
        shape += 1;
    }
    assert!(found == PLACEMENT_COUNT);
    all
}

const fn placed(steps: &[Step; 5], col: i8, row: i8) -> Option<Squares> {
    let mut squares = 0;
    let mut i = 0;
    while i < steps.len() {
        let (col, row) = (col + steps[i].0, row + steps[i].1);
        if col < 0 || col >= SIZE as i8 || row < 0 || row >= SIZE as i8 {
            return None;
        }
        squares |= 1 << (row * SIZE as i8 + col);
        i += 1;
    }
    Some(Squares(squares))
}

/// Slots of the table that finds a placement by its squares.
const SLOT_BITS: u32 = 10;

/// An odd number that sends no two placements to the same slot, so that one look is enough.
const SPREAD: u32 = {
    let mut factor = 0x9e37_79b1_u32;
    while slots(factor).is_none() {
        factor = factor.wrapping_add(2);
    }
    factor
};

const fn slot(squares: Squares, factor: u32) -> usize {
    (squares.0.wrapping_mul(factor) >> (u32::BITS - SLOT_BITS)) as usize
}

/// The number of a placement in each slot; an empty slot has number 0, whose squares will not be the ones looked for.
static SLOTS: [u8; 1 << SLOT_BITS] = match slots(SPREAD) {
    Some(slots) => slots,
    None => unreachable!(),
};

const fn slots(factor: u32) -> Option<[u8; 1 << SLOT_BITS]> {
    let mut table = [0; 1 << SLOT_BITS];
    let mut taken = [false; 1 << SLOT_BITS];
    let all = placements();
    let mut number = 0;
    while number < PLACEMENT_COUNT {
        let slot = slot(all[number].squares, factor);
        if taken[slot] {
            return None;
        }
        taken[slot] = true;
        table[slot] = number as u8;
        number += 1;
    }
    Some(table)
}

/// The figure that five markers stand in, if any.
#[inline]
pub(super) fn figure(five: Squares, families: Families) -> Option<Figure> {
    let placement = &PLACEMENTS[SLOTS[slot(five, SPREAD)] as usize];
    (placement.squares == five && families.includes(placement.family)).then_some(placement.figure)
}

/// What a figure in one colour is worth the first time, the second, the third, and ever after.
pub(super) const VALUES: [u8; 4] = [5, 3, 2, 1];

/// The point board: for each pair of figure and colour, how far its point stone has come down. Two bits each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PointBoard(pub(super) u64);

impl PointBoard {
    pub(super) const fn shift(figure: Figure, colour: Colour) -> u32 {
        (figure as u32 * Colour::COUNT as u32 + colour as u32) * 2
    }

    /// What the figure in this colour is worth now.
    pub(super) const fn value(self, figure: Figure, colour: Colour) -> u8 {
        VALUES[(self.0 >> Self::shift(figure, colour) & 3) as usize]
    }

    /// The figure is made: gives its points and moves the stone down.
    pub(super) const fn take(&mut self, figure: Figure, colour: Colour) -> u8 {
        let value = self.value(figure, colour);
        if value > VALUES[VALUES.len() - 1] {
            self.0 += 1 << Self::shift(figure, colour);
        }
        value
    }
}
