//! The board of Trexo from above: what lies on top of each square, how high, and where a tile may be laid.
//!
//! Squares are bits of a `u128`, row by row from a1, with a fixed stride of [`STRIDE`] whatever the size of the board:
//! 11 x 11 squares fit into 121 bits.

use quincunx_core::{Coord, Reason, zobrist};

use super::refusal::Refusal;
use crate::bits::{bits, nth_bit};

/// From a square to the one above it. Also the side of the largest board.
const STRIDE: usize = 11;
const SQUARES: usize = STRIDE * STRIDE;
/// The side of the smallest board.
const SMALLEST: usize = 5;

/// How many of one symbol in a straight line win.
pub(super) const FIVE: usize = 5;

/// One of the two symbols of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    X,
    O,
}

/// Where the other half of a tile lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Right,
    Left,
    Up,
    Down,
}

impl Side {
    const ALL: [Self; 4] = [Self::Right, Self::Left, Self::Up, Self::Down];

    /// The side of `from` on which its neighbour `to` lies, both as bits. By sums: branches would be mispredicted.
    #[inline]
    fn towards(from: usize, to: usize) -> Self {
        let upright = from.abs_diff(to) == STRIDE;
        let back = to < from;
        Self::ALL[2 * usize::from(upright) + usize::from(back)]
    }

    fn step(self, from: Coord) -> Coord {
        match self {
            Self::Right => Coord::new(from.col + 1, from.row),
            Self::Left => Coord::new(from.col - 1, from.row),
            Self::Up => Coord::new(from.col, from.row + 1),
            Self::Down => Coord::new(from.col, from.row - 1),
        }
    }
}

/// Two neighbouring squares by the one at the left (`across`) or below (`upright`): bit `s` of `across` stands for the
/// squares `s` and `s + 1`, bit `s` of `upright` for `s` and `s + STRIDE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pairs {
    across: u128,
    upright: u128,
}

impl Pairs {
    /// All pairs of neighbours on a board of this size.
    const fn of_board(size: usize) -> Self {
        let row = (1 << size) - 1;
        let mut pairs = Self { across: 0, upright: 0 };
        let mut y = 0;
        while y < size {
            pairs.across |= (row >> 1) << (y * STRIDE);
            if y + 1 < size {
                pairs.upright |= row << (y * STRIDE);
            }
            y += 1;
        }
        pairs
    }
}

/// All pairs of neighbours, for each size of the board from the smallest.
const NEIGHBOURS: [Pairs; STRIDE - SMALLEST + 1] = {
    let mut all = [Pairs { across: 0, upright: 0 }; STRIDE - SMALLEST + 1];
    let mut i = 0;
    while i < all.len() {
        all[i] = Pairs::of_board(SMALLEST + i);
        i += 1;
    }
    all
};

/// What lies on top of a square. Kept in a byte, so that a board is small: symbol in bit 0, side in bits 1 and 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Face(u8);

impl Face {
    const KINDS: usize = 8;

    #[inline]
    const fn new(symbol: Symbol, other_half: Side) -> Self {
        Self(symbol as u8 | (other_half as u8) << 1)
    }

    const fn symbol(self) -> Symbol {
        if self.0 & 1 == 0 { Symbol::X } else { Symbol::O }
    }

    const fn other_half(self) -> Side {
        Side::ALL[(self.0 >> 1 & 3) as usize]
    }
}

static FACE_KEYS: [u64; SQUARES * Face::KINDS] = zobrist(0x0074_7265_786f);

/// The topmost half on a square, as it is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Top {
    pub(super) symbol: Symbol,
    /// The number of halves on this square.
    pub(super) level: u8,
    /// The square of the tile's other half, which other tiles may have covered since.
    pub(super) partner: Coord,
}

/// The board with all tiles on it.
///
/// Heights fit into a byte: a tile on level n rests on two different tiles of level n - 1, so a height of n takes at
/// least two tiles for each level below the top one, and 500 tiles reach no higher than 250.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Board {
    /// Squares that show X, and squares that show O.
    shown: [u128; 2],
    /// Where a tile may be laid.
    places: Pairs,
    /// Halves on each square, with a row of nothing below and above the board so that every square has neighbours.
    heights: [u8; SQUARES + 2 * STRIDE],
    /// What lies on top, where the height is not 0.
    faces: [Face; SQUARES],
    size: u8,
    key: u64,
}

#[inline]
const fn bit(square: Coord) -> usize {
    square.row as usize * STRIDE + square.col as usize
}

const fn square(bit: usize) -> Coord {
    Coord::new((bit % STRIDE) as u8, (bit / STRIDE) as u8)
}

impl Board {
    pub(super) fn new(size: u8) -> Self {
        Self {
            shown: [0; 2],
            places: NEIGHBOURS[size as usize - SMALLEST],
            heights: [0; SQUARES + 2 * STRIDE],
            faces: [Face(0); SQUARES],
            size,
            key: 0,
        }
    }

    pub(super) const fn size(&self) -> u8 {
        self.size
    }

    #[inline]
    const fn height_at(&self, bit: usize) -> u8 {
        self.heights[bit + STRIDE]
    }

    /// The number of halves on a square.
    pub(super) const fn height(&self, square: Coord) -> u8 {
        self.height_at(bit(square))
    }

    /// What is seen on a square.
    pub(super) fn top(&self, square: Coord) -> Option<Top> {
        let face = self.faces[bit(square)];
        let level = self.height(square);
        let top = || Top { symbol: face.symbol(), level, partner: face.other_half().step(square) };
        (level > 0).then(top)
    }

    /// Lays a tile where [`refusal`](Self::refusal) has nothing against it.
    #[inline]
    pub(super) fn lay(&mut self, x: Coord, o: Coord) {
        let (x_bit, o_bit) = (bit(x), bit(o));
        self.cover(x_bit, Face::new(Symbol::X, Side::towards(x_bit, o_bit)));
        self.cover(o_bit, Face::new(Symbol::O, Side::towards(o_bit, x_bit)));
        let (x_mask, o_mask) = (1 << x_bit, 1 << o_bit);
        self.shown = [self.shown[0] & !o_mask | x_mask, self.shown[1] & !x_mask | o_mask];

        // Only pairs with a square of the new tile change. Its tops belong to the new tile, so of these pairs all with
        // equal heights are places, but for the tile itself.
        let level = {
            let (at_x, at_o) = (self.level_neighbours(x_bit), self.level_neighbours(o_bit));
            Pairs { across: at_x.across | at_o.across, upright: at_x.upright | at_o.upright }
        };
        let tile = x_mask | o_mask;
        let board = &NEIGHBOURS[self.size as usize - SMALLEST];
        let refresh = |places: u128, level: u128, board: u128, step: usize| {
            let touched = tile | tile >> step;
            let itself = tile & tile >> step;
            places & !touched | level & board & !itself
        };
        self.places.across = refresh(self.places.across, level.across, board.across, 1);
        self.places.upright = refresh(self.places.upright, level.upright, board.upright, STRIDE);
    }

    #[inline]
    fn cover(&mut self, bit: usize, face: Face) {
        let height = self.height_at(bit);
        self.key ^= face_key(bit, self.faces[bit], height) ^ face_key(bit, face, height + 1);
        self.heights[bit + STRIDE] = height + 1;
        self.faces[bit] = face;
    }

    /// The pairs of this square with those around it that are equally high. Among them are pairs that are not on the
    /// board; those above the topmost row may be shifted out.
    #[inline]
    fn level_neighbours(&self, bit: usize) -> Pairs {
        let height = self.height_at(bit);
        let level = |neighbour: usize| u128::from(self.heights[neighbour] == height);
        let here = bit + STRIDE;
        Pairs {
            across: (level(here - 1) | level(here + 1) << 1) << bit >> 1,
            upright: (level(here - STRIDE) | level(here + STRIDE) << STRIDE) << bit >> STRIDE,
        }
    }

    /// Why a tile may not be laid on these two squares, if it may not.
    pub(super) fn refusal(&self, x: Coord, o: Coord) -> Option<Reason> {
        if let Some(why) = x.outside(self.size).or_else(|| o.outside(self.size)) {
            return Some(why.into());
        }
        match x.col.abs_diff(o.col) + x.row.abs_diff(o.row) {
            0 => return Some(Refusal::OneSquare { square: x }.into()),
            1 => {}
            _ => return Some(Refusal::NotNeighbours { x, o }.into()),
        }
        let (x_level, o_level) = (self.height(x), self.height(o));
        if x_level != o_level {
            return Some(Refusal::Levels { x, x_level, o, o_level }.into());
        }
        let one_tile = self.top(x).is_some_and(|top| top.partner == o);
        one_tile.then(|| Refusal::OneTile { x, o }.into())
    }

    /// The number of pairs of squares that a tile may be laid on.
    #[inline]
    pub(super) fn count_places(&self) -> u32 {
        self.places.across.count_ones() + self.places.upright.count_ones()
    }

    #[inline]
    pub(super) fn has_place(&self) -> bool {
        self.places.across | self.places.upright != 0
    }

    /// The place with this number, below [`count_places`](Self::count_places).
    #[inline]
    pub(super) fn nth_place(&self, number: u32) -> (Coord, Coord) {
        let Pairs { across, upright } = self.places;
        let words = [across as u64, (across >> 64) as u64, upright as u64, (upright >> 64) as u64];
        // The word is found by sums, as every other branch on it would be mispredicted.
        let mut before = [0; 4];
        for i in 1..words.len() {
            before[i] = before[i - 1] + words[i - 1].count_ones();
        }
        let word = before[1..].iter().map(|&before| usize::from(before <= number)).sum::<usize>();
        let first = word % 2 * 64 + nth_bit(words[word], number - before[word]);
        let step = if word < 2 { 1 } else { STRIDE };
        (square(first), square(first + step))
    }

    /// All places for a tile.
    pub(super) fn places(&self) -> impl Iterator<Item = (Coord, Coord)> + use<> {
        let pairs = |places, step| squares(places).map(move |first| (square(first), square(first + step)));
        pairs(self.places.across, 1).chain(pairs(self.places.upright, STRIDE))
    }

    /// Whether five or more of this symbol are seen in a straight line.
    #[inline]
    pub(super) fn has_five(&self, symbol: Symbol) -> bool {
        let [across, upright, rising, falling] = fives(self.shown[symbol as usize]);
        across | upright | rising | falling != 0
    }

    /// The squares of all lines of five or more of this symbol.
    pub(super) fn lines(&self, symbol: Symbol) -> impl Iterator<Item = Coord> + use<> {
        let fives = fives(self.shown[symbol as usize]);
        let in_line = |(starts, step): (u128, usize)| (0..FIVE).fold(0, |line, i| line | starts << (i * step));
        squares(fives.into_iter().zip(STEPS).map(in_line).fold(0, |all, line| all | line)).map(square)
    }

    /// A hash of all that lies on top: symbols, heights, and which halves belong together.
    #[inline]
    pub(super) const fn key(&self) -> u64 {
        self.key
    }

    pub(super) fn key_from_scratch(&self) -> u64 {
        let keys = (0..SQUARES).map(|bit| face_key(bit, self.faces[bit], self.height_at(bit)));
        keys.fold(0, |key, of_square| key ^ of_square)
    }
}

/// The key of a half at this height. A table with a key for every height would be too large for the cache; odd
/// factors tell heights apart as well.
#[inline]
fn face_key(bit: usize, face: Face, height: u8) -> u64 {
    if height == 0 { 0 } else { FACE_KEYS[bit * Face::KINDS + face.0 as usize].wrapping_mul(2 * height as u64 + 1) }
}

/// From a square of a line to the next: to the right, up, up to the right, up to the left.
const STEPS: [usize; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];

/// The squares in one of the columns `from` to `to`.
const fn columns(from: usize, to: usize) -> u128 {
    let mut squares = 0;
    let mut bit = 0;
    while bit < SQUARES {
        if from <= bit % STRIDE && bit % STRIDE <= to {
            squares |= 1 << bit;
        }
        bit += 1;
    }
    squares
}

/// Where a line of five can begin without running over the edge into the next row, for each of [`STEPS`]. A line up
/// runs off the bits that are in use instead.
const STARTS: [u128; 4] =
    [columns(0, STRIDE - FIVE), u128::MAX, columns(0, STRIDE - FIVE), columns(FIVE - 1, STRIDE - 1)];

/// The squares at which five in a line begin, for each of [`STEPS`].
#[inline]
pub(super) fn fives(shown: u128) -> [u128; 4] {
    std::array::from_fn(|i| {
        let step = STEPS[i];
        let two = shown & shown >> step;
        let four = two & two >> (2 * step);
        four & shown >> (4 * step) & STARTS[i]
    })
}

/// The squares of a mask, lowest first.
fn squares(mask: u128) -> impl Iterator<Item = usize> {
    bits(mask as u64).chain(bits((mask >> 64) as u64).map(|bit| bit + 64))
}
