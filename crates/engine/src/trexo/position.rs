//! A board that is quick to search: what is shown, where a tile may be laid, and the counts of both symbols in every
//! line of five, all kept up to date tile by tile.

use quincunx_core::{Game, Seat, Viewer};
use quincunx_games::{Trexo, trexo::Action};

use super::{
    evaluate::{LineWorth, WORTH},
    lines::{Lines, MOST_LINES, SQUARES, STRIDE, bit_of, bits, square_of},
};

/// One of the two symbols of a tile, and the side that owns it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    X,
    O,
}

impl Symbol {
    #[inline]
    pub(super) const fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
        }
    }
}

/// A tile by the bits of its squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tile {
    pub(super) x: u8,
    pub(super) o: u8,
}

impl Tile {
    /// The tile with `symbol` on the square `own` and the other one on `partner`.
    #[inline]
    pub(super) const fn with(symbol: Symbol, own: u8, partner: u8) -> Self {
        match symbol {
            Symbol::X => Self { x: own, o: partner },
            Symbol::O => Self { x: partner, o: own },
        }
    }

    /// The square that gets `symbol`.
    #[inline]
    pub(super) const fn square(self, symbol: Symbol) -> u8 {
        match symbol {
            Symbol::X => self.x,
            Symbol::O => self.o,
        }
    }

    /// Both squares.
    #[inline]
    pub(super) const fn mask(self) -> u128 {
        1 << self.x | 1 << self.o
    }

    pub(super) const fn action(self) -> Action {
        Action::Lay { x: square_of(self.x), o: square_of(self.o) }
    }
}

/// How many X and O a line shows, as one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Count(u8);

impl Count {
    pub(super) const KINDS: usize = 36;
    /// What one more X or O adds to the number.
    const STEP: [u8; 2] = [6, 1];

    pub(super) const fn of(x: usize, o: usize) -> Self {
        Self(x as u8 * Self::STEP[0] + o as u8 * Self::STEP[1])
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The count after a change that is a sum of steps.
    #[inline]
    pub(super) const fn changed(self, by: u8) -> Self {
        Self(self.0.wrapping_add(by))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Position {
    /// Squares that show X, and squares that show O.
    shown: [u128; 2],
    /// Where a tile may be laid: bit `s` stands for the squares `s` and `s + 1`, ..
    across: u128,
    /// .. or for `s` and `s + STRIDE`.
    upright: u128,
    counts: [Count; MOST_LINES],
    /// The sum of what all lines are worth.
    worth: LineWorth,
    /// Halves on each square, with a row of nothing below and above.
    heights: [u8; SQUARES + 2 * STRIDE],
    tiles_left: u16,
    to_move: Symbol,
}

impl Position {
    /// The position of a running game, whoever owns which symbol.
    pub(super) fn of(game: &Trexo, lines: &Lines) -> Self {
        let view = game.view(Viewer::Everything);
        let to_move = view.to_move.expect("only a running game is thought about");
        let mut position = Self {
            shown: [0; 2],
            across: 0,
            upright: 0,
            counts: [Count(0); MOST_LINES],
            worth: LineWorth::default(),
            heights: [0; SQUARES + 2 * STRIDE],
            tiles_left: view.tiles_left,
            to_move: if to_move == view.x_seat { Symbol::X } else { Symbol::O },
        };
        for (row, squares) in view.rows.iter().enumerate() {
            for (col, square) in squares.iter().enumerate() {
                let Some(square) = square else { continue };
                let bit = row * STRIDE + col;
                position.heights[bit + STRIDE] = square.level;
                position.shown[usize::from(square.symbol == 'O')] |= 1 << bit;
            }
        }
        for (squares, step) in position.shown.into_iter().zip(Count::STEP) {
            for &line in bits(squares).flat_map(|bit| lines.through(bit)) {
                let count = &mut position.counts[line as usize];
                *count = count.changed(step);
            }
        }
        for count in &position.counts[..lines.count()] {
            position.worth.add(&WORTH[count.index()]);
        }
        let mut actions = Vec::new();
        game.actions(Seat::new(to_move), &mut actions);
        for action in actions {
            let Action::Lay { x, o } = action else { continue };
            let (low, high) = (bit_of(x).min(bit_of(o)), bit_of(x).max(bit_of(o)));
            let places = if high - low == 1 { &mut position.across } else { &mut position.upright };
            *places |= 1 << low;
        }
        position
    }

    #[inline]
    pub(super) fn shown(&self, symbol: Symbol) -> u128 {
        self.shown[symbol as usize]
    }

    #[inline]
    pub(super) const fn to_move(&self) -> Symbol {
        self.to_move
    }

    #[inline]
    pub(super) const fn tiles_left(&self) -> u16 {
        self.tiles_left
    }

    #[inline]
    pub(super) const fn worth(&self) -> &LineWorth {
        &self.worth
    }

    #[inline]
    pub(super) fn count(&self, line: u8) -> Count {
        self.counts[line as usize]
    }

    #[inline]
    pub(super) const fn has_place(&self) -> bool {
        self.across | self.upright != 0
    }

    /// The squares on which a tile may be laid, with some neighbour.
    #[inline]
    pub(super) const fn exposed(&self) -> u128 {
        self.across | self.across << 1 | self.upright | self.upright << STRIDE
    }

    /// All pairs of squares that a tile may be laid on.
    pub(super) fn places(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let pairs = |places: u128, step: u8| bits(places).map(move |first| (first, first + step));
        pairs(self.across, 1).chain(pairs(self.upright, STRIDE as u8))
    }

    /// All tiles that may be laid.
    pub(super) fn tiles(&self) -> impl Iterator<Item = Tile> + use<> {
        self.places().flat_map(|(a, b)| [Tile { x: a, o: b }, Tile { x: b, o: a }])
    }

    /// The squares next to this one with which it makes a place for a tile.
    #[inline]
    pub(super) fn partners(&self, bit: u8) -> impl Iterator<Item = u8> + use<> {
        let step = STRIDE as u8;
        let is = |places: u128, low: u8| low < 128 && places >> low & 1 == 1;
        let right = is(self.across, bit).then(|| bit + 1);
        let left = is(self.across, bit.wrapping_sub(1)).then(|| bit - 1);
        let up = is(self.upright, bit).then(|| bit + step);
        let down = is(self.upright, bit.wrapping_sub(step)).then(|| bit - step);
        [right, left, up, down].into_iter().flatten()
    }

    /// What both sides would show after a tile.
    #[inline]
    pub(super) fn shown_after(&self, tile: Tile) -> [u128; 2] {
        let (x, o) = (1 << tile.x, 1 << tile.o);
        [self.shown[0] & !o | x, self.shown[1] & !x | o]
    }

    /// Lays a tile that may be laid; the other side is to move.
    pub(super) fn lay(&mut self, tile: Tile, lines: &Lines) {
        self.cover(tile.x, Symbol::X, lines);
        self.cover(tile.o, Symbol::O, lines);
        self.refresh_places(tile, lines.size());
        self.tiles_left -= 1;
        self.to_move = self.to_move.other();
    }

    /// What showing `symbol` on a square adds to the count of every line through it.
    #[inline]
    pub(super) fn count_change(&self, bit: u8, symbol: Symbol) -> u8 {
        let other = symbol.other();
        let square = 1 << bit;
        if self.shown(symbol) & square != 0 {
            0
        } else if self.shown(other) & square != 0 {
            Count::STEP[symbol as usize].wrapping_sub(Count::STEP[other as usize])
        } else {
            Count::STEP[symbol as usize]
        }
    }

    #[inline]
    fn cover(&mut self, bit: u8, symbol: Symbol, lines: &Lines) {
        self.heights[bit as usize + STRIDE] += 1;
        let change = self.count_change(bit, symbol);
        if change == 0 {
            return;
        }
        self.shown[symbol as usize] |= 1 << bit;
        self.shown[symbol.other() as usize] &= !(1 << bit);
        for &line in lines.through(bit) {
            let count = &mut self.counts[line as usize];
            self.worth.remove(&WORTH[count.index()]);
            *count = count.changed(change);
            self.worth.add(&WORTH[count.index()]);
        }
    }

    /// Only pairs with a square of the new tile change. Its tops belong to the new tile, so of these pairs all with equal
    /// heights are places, but for the tile itself.
    #[inline]
    fn refresh_places(&mut self, tile: Tile, size: u8) {
        let mask = tile.mask();
        self.across &= !(mask | mask >> 1);
        self.upright &= !(mask | mask >> STRIDE);
        let edge = size - 1;
        for (bit, partner) in [(tile.x, tile.o), (tile.o, tile.x)] {
            let here = bit as usize + STRIDE;
            let height = self.heights[here];
            let level = |neighbour: usize| self.heights[neighbour] == height && neighbour != partner as usize + STRIDE;
            let (col, row) = (bit % STRIDE as u8, bit / STRIDE as u8);
            let right = u128::from(col < edge && level(here + 1)) << bit;
            let left = u128::from(col > 0 && level(here - 1)) << bit >> 1;
            let up = u128::from(row < edge && level(here + STRIDE)) << bit;
            let down = u128::from(row > 0 && level(here - STRIDE)) << bit >> STRIDE;
            self.across |= right | left;
            self.upright |= up | down;
        }
    }

    /// The same with another number of tiles left.
    #[cfg(test)]
    pub(super) fn with_tiles_left(&self, tiles_left: u16) -> Self {
        Self { tiles_left, ..self.clone() }
    }

    /// Whether a side shows five in a line.
    #[inline]
    pub(super) fn has_five(&self, symbol: Symbol) -> bool {
        self.worth.fives(symbol) > 0
    }
}
