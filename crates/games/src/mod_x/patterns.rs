//! The patterns X, PLUS and FIVE: their 168 placements, and which of them a set of squares fills, by shifted boards.

use super::board::{SIZE, Square, Squares};

/// The placements of all patterns on the board.
pub(super) const PLACEMENT_COUNT: usize = 168;

type Step = (i8, i8);

/// X and PLUS by their middle, FIVE by its first square in four directions (the other four give the same lines).
const SHAPES: [[Step; 5]; 6] = [
    [(0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)],
    [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)],
    five((1, 0)),
    five((0, 1)),
    five((1, 1)),
    five((-1, 1)),
];

const fn five((col, row): Step) -> [Step; 5] {
    [(0, 0), (col, row), (2 * col, 2 * row), (3 * col, 3 * row), (4 * col, 4 * row)]
}

/// Every placement of every pattern, as the set of its five squares.
pub(super) static PLACEMENTS: [Squares; PLACEMENT_COUNT] = placements();

const fn placements() -> [Squares; PLACEMENT_COUNT] {
    let mut all = [Squares::EMPTY; PLACEMENT_COUNT];
    let mut found = 0;
    let mut shape = 0;
    while shape < SHAPES.len() {
        let mut anchor = 0;
        while anchor < SIZE * SIZE {
            if let Some(placement) = placed(&SHAPES[shape], (anchor % SIZE) as i8, (anchor / SIZE) as i8) {
                all[found] = placement;
                found += 1;
            }
            anchor += 1;
        }
        shape += 1;
    }
    assert!(found == PLACEMENT_COUNT);
    all
}

const fn placed(shape: &[Step; 5], col: i8, row: i8) -> Option<Squares> {
    let mut squares = 0;
    let mut i = 0;
    while i < shape.len() {
        let (col, row) = (col + shape[i].0, row + shape[i].1);
        if col < 0 || col >= SIZE as i8 || row < 0 || row >= SIZE as i8 {
            return None;
        }
        squares |= 1 << (row * SIZE as i8 + col);
        i += 1;
    }
    Some(Squares(squares))
}

/// Columns a to d and rows 1 to 4: where a FIVE to the right or upwards can begin.
const LEFT_HALF: u64 = 0x0f0f_0f0f_0f0f_0f0f;
const LOWER_HALF: u64 = 0x0000_0000_ffff_ffff;
/// Where the middle of an X or a PLUS can stand.
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;

/// The four directions of a FIVE: the step in bits, and where it can begin. A line that begins there stays on the
/// board, so that shifting by whole steps never wraps around its edge.
const LINES: [(u32, u64); 4] =
    [(1, LEFT_HALF), (8, LOWER_HALF), (9, LEFT_HALF & LOWER_HALF), (7, !LEFT_HALF & LOWER_HALF)];
/// X and PLUS: the two steps in bits that lead, forth and back, from the middle to the other four squares.
const STARS: [(u32, u32); 2] = [(9, 7), (8, 1)];

/// The union of all placements whose five squares are in `own`.
#[inline]
pub(super) fn complete(own: Squares) -> Squares {
    let own = own.0;
    let lines = LINES.map(|(step, begin)| {
        let twos = own & own >> step;
        begin & twos & twos >> (2 * step) & own >> (4 * step)
    });
    let stars = STARS.map(|(a, b)| INNER & own & own >> a & own << a & own >> b & own << b);
    if lines.iter().chain(&stars).fold(0, |any, &found| any | found) == 0 {
        return Squares::EMPTY;
    }
    let mut union = 0;
    for ((step, _), first) in LINES.into_iter().zip(lines) {
        union |= first | first << step | first << (2 * step) | first << (3 * step) | first << (4 * step);
    }
    for ((a, b), middle) in STARS.into_iter().zip(stars) {
        union |= middle | middle << a | middle >> a | middle << b | middle >> b;
    }
    Squares(union)
}

/// The squares outside `own` that would complete a placement if they were in it.
pub(super) fn gaps(own: Squares) -> Squares {
    let mut union = 0;
    for (step, begin) in LINES {
        let line = [0, 1, 2, 3, 4].map(|i| own.0 >> (i * step));
        for gap in 0..5 {
            union |= all_but(line, gap, begin) << (gap as u32 * step);
        }
    }
    for (a, b) in STARS {
        let star = [own.0, own.0 >> a, own.0 << a, own.0 >> b, own.0 << b];
        union |= all_but(star, 0, INNER)
            | all_but(star, 1, INNER) << a
            | all_but(star, 2, INNER) >> a
            | all_but(star, 3, INNER) << b
            | all_but(star, 4, INNER) >> b;
    }
    Squares(union) - own
}

#[inline]
fn all_but(parts: [u64; 5], gap: usize, within: u64) -> u64 {
    (0..5).filter(|&i| i != gap).fold(within, |all, i| all & parts[i])
}

/// The placements that contain a square.
pub(super) fn through(square: Square) -> impl Iterator<Item = Squares> {
    PLACEMENTS.iter().copied().filter(move |placement| placement.contains(square))
}
