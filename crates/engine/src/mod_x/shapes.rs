//! The 168 placements of X, PLUS and FIVE, and how far each is filled for a colour: all placements of a shape are counted
//! at once, as bits of a word.

/// A shape: where its anchor can stand, and the steps in bits from there to its five squares. From such an anchor no
/// step leaves the board, so shifting whole boards never wraps around an edge.
struct Shape {
    anchors: u64,
    steps: [i8; 5],
}

const LEFT_HALF: u64 = 0x0f0f_0f0f_0f0f_0f0f;
const LOWER_HALF: u64 = 0x0000_0000_ffff_ffff;
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;

/// FIVE by its first square in four directions, X and PLUS by their middle.
const SHAPES: [Shape; 6] = [
    Shape { anchors: LEFT_HALF, steps: [0, 1, 2, 3, 4] },
    Shape { anchors: LOWER_HALF, steps: [0, 8, 16, 24, 32] },
    Shape { anchors: LEFT_HALF & LOWER_HALF, steps: [0, 9, 18, 27, 36] },
    Shape { anchors: !LEFT_HALF & LOWER_HALF, steps: [0, 7, 14, 21, 28] },
    Shape { anchors: INNER, steps: [0, 9, -9, 7, -7] },
    Shape { anchors: INNER, steps: [0, 8, -8, 1, -1] },
];

/// The squares of each shape by its anchor; empty where it cannot stand.
static PLACEMENTS: [[u64; 64]; SHAPES.len()] = {
    let mut all = [[0; 64]; SHAPES.len()];
    let mut shape = 0;
    while shape < SHAPES.len() {
        let mut anchor = 0;
        while anchor < 64 {
            if SHAPES[shape].anchors >> anchor & 1 == 1 {
                let mut i = 0;
                while i < 5 {
                    all[shape][anchor] |= 1 << (anchor as i8 + SHAPES[shape].steps[i]);
                    i += 1;
                }
            }
            anchor += 1;
        }
        shape += 1;
    }
    all
};

/// The places of the set bits, lowest first.
#[inline]
pub(super) fn bits(mask: u64) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lowest = (rest != 0).then(|| rest.trailing_zeros() as usize);
        rest &= rest.wrapping_sub(1);
        lowest
    })
}

/// The placements that are still open to a colour, by how many of their squares it has: own X-pieces and jokers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Filled {
    /// For 0 to 5 squares: the anchors of each shape.
    by_count: [[u64; SHAPES.len()]; 6],
}

impl Filled {
    /// Counts for a colour that has the squares of `have` and can never get those of `blocked`.
    #[inline]
    pub(super) fn count(have: u64, blocked: u64) -> Self {
        let mut filled = Self::default();
        for (index, shape) in SHAPES.iter().enumerate() {
            let seen = |board: u64| shape.steps.map(|step| if step >= 0 { board >> step } else { board << -step });
            let open = shape.anchors & !seen(blocked).iter().fold(0, |any, &part| any | part);
            // The number of filled squares of every placement in binary, by two full adders.
            let [first, second, third, fourth, fifth] = seen(have);
            let (ones, twos) = add(first, second, third);
            let (ones, carry) = add(ones, fourth, fifth);
            let (twos, fours) = (twos ^ carry, twos & carry);
            filled.by_count[0][index] = open & !ones & !twos & !fours;
            filled.by_count[1][index] = open & ones & !twos & !fours;
            filled.by_count[2][index] = open & !ones & twos;
            filled.by_count[3][index] = open & ones & twos;
            filled.by_count[4][index] = open & !ones & fours;
            filled.by_count[5][index] = open & ones & fours;
        }
        filled
    }

    /// The placements of which so many squares are filled.
    #[inline]
    pub(super) fn placements(&self, count: usize) -> impl Iterator<Item = u64> {
        let shapes = self.by_count[count].into_iter().zip(&PLACEMENTS);
        shapes.flat_map(|(anchors, placements)| bits(anchors).map(|anchor| placements[anchor]))
    }
}

/// Adds three bits at every place: the ones and the twos of the sums.
#[inline]
const fn add(one: u64, two: u64, three: u64) -> (u64, u64) {
    (one ^ two ^ three, one & two | three & (one ^ two))
}

#[cfg(test)]
mod tests {
    use quincunx_games::ModX;
    use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

    use super::*;

    fn all_placements() -> Vec<u64> {
        PLACEMENTS.iter().flatten().copied().filter(|&placement| placement != 0).collect()
    }

    #[test]
    fn there_are_168_placements_of_five_squares_that_the_rules_know() {
        let placements = all_placements();
        assert_eq!(placements.len(), 168);
        for placement in placements {
            assert_eq!(placement.count_ones(), 5);
            assert_eq!(ModX::complete_of_mask(placement), placement);
        }
    }

    #[test]
    fn placements_counted_at_once_are_those_counted_one_by_one() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        for _ in 0..500 {
            let have = rng.random::<u64>() & rng.random::<u64>();
            let blocked = rng.random::<u64>() & rng.random::<u64>() & !have;
            let filled = Filled::count(have, blocked);
            for count in 0..=5 {
                let mut found: Vec<u64> = filled.placements(count).collect();
                let mut expected = all_placements();
                expected
                    .retain(|placement| placement & blocked == 0 && (placement & have).count_ones() as usize == count);
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected);
            }
        }
    }
}
