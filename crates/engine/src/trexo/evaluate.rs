//! What a position is worth at a glance: every line of five counts by how many of its squares show either symbol, and
//! more if it can be completed; symbols that can be covered count for less.

use crate::math::logistic;

use super::{
    lines::{Lines, Ripe, SQUARES, bits},
    position::{Count, Position, Symbol, Tile},
};

/// By the number of the symbols of the side to move in a line (row) and of the other side's (column).
pub(super) type Weights = [[i32; 6]; 6];

/// What a line is worth to the side to move, in thousandths of a logit. Covered squares can be won back, so a line with
/// both symbols is not dead.
///
/// These and all weights below were fitted to 120,000 positions of self-play in which the side to move could not win at
/// once, half to the result and half to what the search expected. In 80 to 200 games of 600 simulations or 10 ms a tile
/// (so give or take 50 to 75 Elo) fitted lines were 170 Elo stronger than guessed ones, exposed symbols brought 130 more
/// and ripe lines 70.
#[rustfmt::skip]
const WEIGHTS: Weights = [
    [   0,   -8,  -37,  -67, -185, 0],
    [  13,    5,  -20,  -59, -105, 0],
    [  48,   28,   -3,  -34,    0, 0],
    [  71,   78,   36,    0,    0, 0],
    [ 153,  173,    0,    0,    0, 0],
    [   0,    0,    0,    0,    0, 0],
];

/// The same, fitted without ripe lines: for guessing which tiles are good, as lines are all that is known of a tile
/// before it is laid.
#[rustfmt::skip]
pub(super) const WEIGHTS_OF_GUESS: Weights = [
    [   0,   -9,  -40, -127, -458, 0],
    [  13,    4,  -23,  -76, -207, 0],
    [  49,   30,   -3,  -48,    0, 0],
    [ 147,  104,   45,    0,    0, 0],
    [ 175,  155,    0,    0,    0, 0],
    [   0,    0,    0,    0,    0, 0],
];

/// The advantage of being to move, in the same unit.
const TEMPO: i32 = 48;

/// What a symbol is worth to the side to move if a tile can be laid on it at once, and if none can, beyond the lines on
/// which it lies: of its own, ..
const OWN_SYMBOL: [i32; 2] = [-141, -2];
/// .. and of the other side's.
const OTHER_SYMBOL: [i32; 2] = [138, -32];

/// What ripe lines are worth beyond that: threes and safe threes of the side to move, ..
const OWN_RIPE: [i32; 2] = [43, 184];
/// .. threes, safe threes, fours and safe fours of the other side. A safe four can only be met by spoiling the square
/// that it lacks.
const OTHER_RIPE: [i32; 4] = [-37, -97, -201, -1523];

/// One logit in the unit of the weights.
const LOGIT: f32 = 1000.0;

/// The sum over lines of their worth, and of how many are complete or lack a single square.
///
/// The four numbers are added and subtracted at once: the worth if X is to move and if O is, and for each side the lines
/// of four in the low half and the lines of five in the high half.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct LineWorth([i32; 4]);

/// Lines of five are counted above the bits for lines of four.
const FIVES: u32 = 16;

impl LineWorth {
    const fn of_line(weights: &Weights, x: usize, o: usize) -> Self {
        const fn nearly(own: usize) -> i32 {
            (own == 4) as i32 | ((own == 5) as i32) << FIVES
        }
        Self([weights[x][o], weights[o][x], nearly(x), nearly(o)])
    }

    #[inline]
    pub(super) fn add(&mut self, line: &Self) {
        for (sum, part) in self.0.iter_mut().zip(line.0) {
            *sum += part;
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, line: &Self) {
        for (sum, part) in self.0.iter_mut().zip(line.0) {
            *sum -= part;
        }
    }

    /// The worth to the side to move.
    #[inline]
    const fn for_mover(&self, to_move: Symbol) -> i32 {
        self.0[to_move as usize]
    }

    /// The logit of the expected outcome for the side to move.
    #[inline]
    pub(super) const fn logits(&self, to_move: Symbol) -> f32 {
        (self.for_mover(to_move) + TEMPO) as f32 / LOGIT
    }

    /// Lines of five that show this symbol four times.
    #[inline]
    pub(super) const fn fours(&self, symbol: Symbol) -> i32 {
        self.0[2 + symbol as usize] & ((1 << FIVES) - 1)
    }

    /// Lines that are complete.
    #[inline]
    pub(super) const fn fives(&self, symbol: Symbol) -> i32 {
        self.0[2 + symbol as usize] >> FIVES
    }
}

/// The worth of a line by its [`Count`].
pub(super) static WORTH: [LineWorth; Count::KINDS] = worth_by_count(&WEIGHTS);

pub(super) const fn worth_by_count(weights: &Weights) -> [LineWorth; Count::KINDS] {
    let mut worth = [LineWorth([0; 4]); Count::KINDS];
    let mut x = 0;
    while x < 6 {
        let mut o = 0;
        while o < 6 {
            worth[Count::of(x, o).index()] = LineWorth::of_line(weights, x, o);
            o += 1;
        }
        x += 1;
    }
    worth
}

/// What a line brings if one of its squares is made to show X, and if it is made to show O.
type LineGains = [i32; 2];

/// The gains of a line by its [`Count`], for the side that does not have the next turn: by the side that has it, and by what
/// the square shows, which is nothing, X or O.
static LINE_GAINS: [[[LineGains; Count::KINDS]; 3]; 2] = {
    let mut gains = [[[[0; 2]; Count::KINDS]; 3]; 2];
    let mut x = 0;
    while x <= 4 {
        let mut o = 0;
        // The other squares of the line show so many of each.
        while x + o <= 4 {
            let shown = [[x, o], [x + 1, o], [x, o + 1]];
            let mut from = 0;
            while from < 3 {
                let mut to = 1;
                while to < 3 {
                    let ([old_x, old_o], [new_x, new_o]) = (shown[from], shown[to]);
                    let count = Count::of(old_x, old_o).index();
                    let weights = &WEIGHTS_OF_GUESS;
                    gains[Symbol::X as usize][from][count][to - 1] = weights[old_x][old_o] - weights[new_x][new_o];
                    gains[Symbol::O as usize][from][count][to - 1] = weights[old_o][old_x] - weights[new_o][new_x];
                    to += 1;
                }
                from += 1;
            }
            o += 1;
        }
        x += 1;
    }
    gains
};

/// How much the weights count on boards of size 5 to 11. They were fitted on size 10; on small boards most games are drawn.
///
/// These and [`HALF_TILES`] were fitted to the results of 267,000 positions of self-play on all sizes, with 10 to 121 tiles. On
/// the fifth of the games that was left out they lower the log loss on size 5 from 0.697 to 0.689, 6: 0.681 to 0.676, 7: 0.668 to
/// 0.668, 8: 0.655 to 0.651, 9: 0.639 to 0.635, 10: 0.652 to 0.650, 11: 0.654 to 0.653.
const CERTAINTY: [f32; 7] = [0.55, 1.15, 1.4, 1.45, 1.45, 1.15, 1.25];
const SMALLEST: u8 = 5;
/// With so many tiles left after the next one, an advantage counts half: the fewer there are, the likelier is a draw. With one
/// tile left all is decided, as this is not the one that wins.
const HALF_TILES: f32 = 5.0;

/// How much an advantage counts on this board with so many tiles left.
#[inline]
fn certainty(size: u8, tiles_left: u16) -> f32 {
    let after_next = f32::from(tiles_left.saturating_sub(1));
    CERTAINTY[usize::from(size - SMALLEST)] * after_next / (after_next + HALF_TILES)
}

/// The outcome that the side to move can expect if it does not win at once, from 0 (lost) to 1 (won).
#[inline]
pub(super) fn expectation(position: &Position, lines: &Lines) -> f32 {
    let to_move = position.to_move();
    let exposed = position.exposed();
    let symbols = |side: Symbol, [of_exposed, of_safe]: [i32; 2]| {
        let shown = position.shown(side);
        of_exposed * (shown & exposed).count_ones() as i32 + of_safe * (shown & !exposed).count_ones() as i32
    };
    let symbols = symbols(to_move, OWN_SYMBOL) + symbols(to_move.other(), OTHER_SYMBOL);
    let own = Ripe::of(position.shown(to_move), exposed);
    let other = Ripe::of(position.shown(to_move.other()), exposed);
    let ripe = weighted(OWN_RIPE, [own.threes, own.safe_threes])
        + weighted(OTHER_RIPE, [other.threes, other.safe_threes, other.fours, other.safe_fours]);
    let logits = position.worth().logits(to_move) + (symbols + ripe) as f32 / LOGIT;
    logistic(logits * certainty(lines.size(), position.tiles_left()))
}

#[inline]
fn weighted<const N: usize>(weights: [i32; N], counts: [u32; N]) -> i32 {
    weights.into_iter().zip(counts).map(|(weight, count)| weight * count as i32).sum()
}

/// How much better a side stands after showing its symbols on single squares, in thousandths of a logit.
///
/// A tile is judged by the sum over its two squares. That is off where both lie on one line, but it costs two sums for
/// each square instead of two for each tile.
#[derive(Debug)]
pub(super) struct Gains([[i32; 2]; SQUARES]);

impl Gains {
    /// The gains for the side to move, for all squares on which a tile may be laid.
    pub(super) fn of(position: &Position, lines: &Lines) -> Self {
        let mut gains = [[0; 2]; SQUARES];
        let by_shown = &LINE_GAINS[position.to_move().other() as usize];
        for bit in bits(position.exposed()) {
            let square = 1 << bit;
            let [x, o] = [Symbol::X, Symbol::O].map(|symbol| usize::from(position.shown(symbol) & square != 0));
            let by_count = &by_shown[x + 2 * o];
            let [by_x, by_o] = &mut gains[bit as usize];
            for &line in lines.through(bit) {
                let [x, o] = by_count[position.count(line).index()];
                *by_x += x;
                *by_o += o;
            }
        }
        Self(gains)
    }

    #[inline]
    pub(super) fn by(&self, tile: Tile) -> i32 {
        self.0[tile.x as usize][Symbol::X as usize] + self.0[tile.o as usize][Symbol::O as usize]
    }
}
