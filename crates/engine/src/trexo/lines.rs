//! The geometry of a board: bits for squares, and every line of five squares on which a game can be won.

use quincunx_core::Coord;

/// From a square to the one above it, as bits of a mask. Also the side of the largest board.
pub(super) const STRIDE: usize = 11;
/// Squares of the largest board.
pub(super) const SQUARES: usize = STRIDE * STRIDE;
/// How many of one symbol in a straight line win.
const FIVE: usize = 5;
/// Lines of five on the largest board: 7 in each of 11 rows and 11 columns, and 7 x 7 along either diagonal.
pub(super) const MOST_LINES: usize = 2 * 7 * 11 + 2 * 7 * 7;
/// A square lies on at most five lines of five in each of four directions.
const MOST_LINES_OF_SQUARE: usize = 20;

/// From a square of a line to the next: to the right, up, up to the right, up to the left.
const STEPS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

pub(super) const fn bit_of(square: Coord) -> u8 {
    square.row * STRIDE as u8 + square.col
}

pub(super) const fn square_of(bit: u8) -> Coord {
    Coord::new(bit % STRIDE as u8, bit / STRIDE as u8)
}

/// The set bits of a mask, lowest first.
pub(super) fn bits(mask: u128) -> impl Iterator<Item = u8> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lowest = (rest != 0).then(|| rest.trailing_zeros() as u8);
        rest &= rest.wrapping_sub(1);
        lowest
    })
}

/// The numbers of the lines through one square.
#[derive(Clone, Copy, Debug)]
struct Through {
    lines: [u8; MOST_LINES_OF_SQUARE],
    count: u8,
}

/// All lines of five on a board of one size.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    size: u8,
    through: Vec<Through>,
    /// The squares from which a symbol can be in one line of five with this one.
    reach: Vec<u128>,
    count: usize,
}

impl Lines {
    pub(super) fn of_board(size: u8) -> Self {
        let nothing = Through { lines: [0; MOST_LINES_OF_SQUARE], count: 0 };
        let mut lines = Self { size, through: vec![nothing; SQUARES], reach: vec![0; SQUARES], count: 0 };
        let range = 0..size as isize;
        for (step_col, step_row) in STEPS {
            for (row, col) in range.clone().flat_map(|row| range.clone().map(move |col| (row, col))) {
                let square = |i: usize| (col + i as isize * step_col, row + i as isize * step_row);
                let (last_col, last_row) = square(FIVE - 1);
                if range.contains(&last_col) && range.contains(&last_row) {
                    lines.add(std::array::from_fn(|i| {
                        let (col, row) = square(i);
                        bit_of(Coord::new(col as u8, row as u8))
                    }));
                }
            }
        }
        lines
    }

    fn add(&mut self, squares: [u8; FIVE]) {
        let all = squares.iter().fold(0, |mask, &bit| mask | 1 << bit);
        for square in squares.map(usize::from) {
            let through = &mut self.through[square];
            through.lines[through.count as usize] = self.count as u8;
            through.count += 1;
            self.reach[square] |= all;
        }
        self.count += 1;
    }

    pub(super) const fn size(&self) -> u8 {
        self.size
    }

    /// How many lines there are.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The numbers of the lines through a square.
    #[inline]
    pub(super) fn through(&self, bit: u8) -> &[u8] {
        let through = &self.through[bit as usize];
        &through.lines[..through.count as usize]
    }

    /// All squares of the lines through a square.
    #[inline]
    pub(super) fn reach(&self, bit: u8) -> u128 {
        self.reach[bit as usize]
    }
}

/// From a square of a line to the next, as bits.
const BIT_STEPS: [u32; 4] = [1, STRIDE as u32, STRIDE as u32 + 1, STRIDE as u32 - 1];

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

/// Where a line can begin without running over the edge into the next row. A line up runs off the bits in use instead.
const STARTS: [u128; 4] =
    [columns(0, STRIDE - FIVE), u128::MAX, columns(0, STRIDE - FIVE), columns(FIVE - 1, STRIDE - 1)];

/// Whether five of these squares are in a line.
#[inline]
pub(super) fn has_five(shown: u128) -> bool {
    let in_direction = |direction: usize| {
        let step = BIT_STEPS[direction];
        let two = shown & shown >> step;
        two & two >> (2 * step) & shown >> (4 * step) & STARTS[direction]
    };
    in_direction(0) | in_direction(1) | in_direction(2) | in_direction(3) != 0
}

/// The squares that are all that a line of five lacks.
#[inline]
pub(super) fn completing(shown: u128) -> u128 {
    let mut squares = 0;
    for (step, starts) in BIT_STEPS.into_iter().zip(STARTS) {
        // The squares that show the symbol, moved so that each bit tells of the square 0 to 4 of the line beginning there.
        let at: [u128; 5] = std::array::from_fn(|i| shown >> (i as u32 * step));
        let (first_two, last_two) = (at[0] & at[1] & starts, at[3] & at[4] & starts);
        squares |= at[1] & at[2] & last_two;
        squares |= (at[0] & at[2] & last_two) << step;
        squares |= (first_two & last_two) << (2 * step);
        squares |= (first_two & at[2] & at[4]) << (3 * step);
        squares |= (first_two & at[2] & at[3]) << (4 * step);
    }
    squares & !shown
}

/// How many lines lack two squares or one of five while a tile can be laid on each of these.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Ripe {
    pub(super) threes: u32,
    /// Those of them in which no square that shows the symbol can be covered.
    pub(super) safe_threes: u32,
    pub(super) fours: u32,
    pub(super) safe_fours: u32,
}

impl Ripe {
    /// Counts all lines at once: each bit stands for the line that begins there.
    #[inline]
    pub(super) fn of(shown: u128, exposed: u128) -> Self {
        let mut ripe = Self::default();
        for (step, starts) in BIT_STEPS.into_iter().zip(STARTS) {
            let all_five = |squares: u128| {
                let two = squares & squares >> step;
                two & two >> (2 * step) & squares >> (4 * step)
            };
            let can_be_filled = all_five(shown | exposed) & starts;
            let also_safe = all_five(shown ^ exposed);
            // The number of symbols in binary, from two full adders in a row.
            let at: [u128; 5] = std::array::from_fn(|i| shown >> (i as u32 * step));
            let adder = |a: u128, b: u128, c: u128| (a ^ b ^ c, a & b | c & (a ^ b));
            let (of_three, carried) = adder(at[0], at[1], at[2]);
            let (ones, carried_too) = adder(of_three, at[3], at[4]);
            let threes = ones & (carried ^ carried_too) & can_be_filled;
            let fours = !ones & carried & carried_too & can_be_filled;
            ripe.threes += threes.count_ones();
            ripe.safe_threes += (threes & also_safe).count_ones();
            ripe.fours += fours.count_ones();
            ripe.safe_fours += (fours & also_safe).count_ones();
        }
        ripe
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_as_many_lines_as_can_be_counted_by_hand() {
        let lines = |size: usize| 2 * size * (size - 4) + 2 * (size - 4) * (size - 4);
        for size in 5..=11 {
            assert_eq!(Lines::of_board(size as u8).count(), lines(size));
        }
        assert_eq!(Lines::of_board(11).count(), MOST_LINES);
    }

    #[test]
    fn ripe_lines_are_those_found_one_by_one() {
        let mut random: u128 = 0x0123_4567_89ab_cdef;
        let board = (1 << SQUARES) - 1;
        for round in 0..200 {
            random = random.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(round);
            let (shown, exposed) = (random >> 5 & board, (random >> 7 ^ random << 31) & board);
            let mut expected = Ripe::default();
            for (step_col, step_row) in STEPS {
                for square in (0..SQUARES).map(|bit| square_of(bit as u8)) {
                    let on_board = |i: isize| {
                        let col = square.col as isize + i * step_col;
                        let row = square.row as isize + i * step_row;
                        let inside = 0..STRIDE as isize;
                        (inside.contains(&col) && inside.contains(&row)).then(|| row * STRIDE as isize + col)
                    };
                    let Some(line) = (0..5).map(on_board).collect::<Option<Vec<_>>>() else { continue };
                    let has = |mask: u128, bit: isize| mask >> bit & 1 == 1;
                    let count = line.iter().filter(|&&bit| has(shown, bit)).count();
                    let can_be_filled = line.iter().all(|&bit| has(shown, bit) || has(exposed, bit));
                    let safe = !line.iter().any(|&bit| has(shown & exposed, bit));
                    expected.threes += u32::from(count == 3 && can_be_filled);
                    expected.safe_threes += u32::from(count == 3 && can_be_filled && safe);
                    expected.fours += u32::from(count == 4 && can_be_filled);
                    expected.safe_fours += u32::from(count == 4 && can_be_filled && safe);
                }
            }
            assert_eq!(Ripe::of(shown, exposed), expected);
        }
    }

    #[test]
    fn a_square_completes_a_line_exactly_if_five_are_there_with_it() {
        let mut shown: u128 = 0x0123_4567_89ab_cdef;
        let board = (1 << SQUARES) - 1;
        for round in 0..2000 {
            shown = shown.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(round);
            let squares = (shown >> 3 | shown << 50) & board;
            if has_five(squares) {
                continue;
            }
            let expected = bits(board & !squares).filter(|&bit| has_five(squares | 1 << bit));
            let expected = expected.fold(0, |mask, bit| mask | 1 << bit);
            assert_eq!(completing(squares) & board, expected);
        }
    }
}
