//! What is known about each of the 53,130 sets of five squares: how far it is from every figure, and which single moves
//! of a marker make one.

use quincunx_games::figures::{Figure, Figures, Square};

/// Squares of the display.
const AREA: usize = Square::AREA;
/// Markers of one colour.
const FIVE: usize = 5;
/// Sets of five squares: 25 over 5.
const SETS: usize = 53_130;
/// The squares are looked up in two parts.
const LOW_BITS: usize = 13;

/// A move of one marker that makes a figure of its colour.
///
/// It is always legal: the squares of every figure hang together, so that the marker does not arrive isolated, and the
/// marker that goes the other way may.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Completion {
    pub(super) figure: u8,
    pub(super) from: u8,
    pub(super) to: u8,
}

/// How many markers are in the wrong place for each figure, three bits each.
///
/// A figure that stands brings nothing before it is broken up and made again, so that it is two moves away at best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Distances(u16);

impl Distances {
    #[inline]
    pub(super) const fn to(self, figure: usize) -> usize {
        (self.0 >> (3 * figure) & 7) as usize
    }

    /// Whether one move of a marker makes some figure.
    #[inline]
    pub(super) const fn any_at_one(self) -> bool {
        // No distance is 0: taking one off leaves a zero only where it was 1, and zeros are found by their borrow.
        let less = self.0 - 0o1111;
        less.wrapping_sub(0o1111) & !less & 0o4444 != 0
    }
}

/// The table of all sets, for the figures that count at one table.
#[derive(Debug)]
pub(super) struct FigureTable {
    placements: Vec<(Figure, u32)>,
    /// The rank of a set among all sets is the sum of what its two parts bring: the upper part alone tells how many
    /// squares are in the lower one.
    rank_of_low: Vec<u16>,
    rank_of_high: Vec<u16>,
    distances: Vec<Distances>,
    /// Where the completions of each set begin; they end where those of the next set begin.
    starts: Vec<u16>,
    completions: Vec<Completion>,
}

impl FigureTable {
    /// Works out the table for the figures of this game, which takes some milliseconds.
    pub(super) fn new(game: &Figures) -> Self {
        let placements: Vec<_> = game.placements().collect();
        let (rank_of_low, rank_of_high) = ranks();
        let mut table = Self {
            placements,
            rank_of_low,
            rank_of_high,
            distances: vec![Distances(0); SETS],
            starts: Vec::new(),
            completions: Vec::new(),
        };
        for set in sets_of_five() {
            let rank = table.rank(set);
            table.distances[rank] = table.measure(set);
        }
        table.list_completions();
        table
    }

    /// Whether the table is about the figures of this game.
    pub(super) fn suits(&self, game: &Figures) -> bool {
        game.placements().eq(self.placements.iter().copied())
    }

    #[inline]
    fn rank(&self, set: u32) -> usize {
        let low = self.rank_of_low[set as usize & ((1 << LOW_BITS) - 1)];
        let high = self.rank_of_high[set as usize >> LOW_BITS & ((1 << (AREA - LOW_BITS)) - 1)];
        (low + high) as usize
    }

    #[inline]
    pub(super) fn distances(&self, set: u32) -> Distances {
        self.distances[self.rank(set)]
    }

    /// The moves of one marker that make a figure out of this set.
    #[inline]
    pub(super) fn completions(&self, set: u32) -> &[Completion] {
        let rank = self.rank(set);
        &self.completions[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }

    fn measure(&self, set: u32) -> Distances {
        let mut nearest = [FIVE as u32; Figure::COUNT];
        for &(figure, squares) in &self.placements {
            let misplaced = (squares & !set).count_ones();
            let distance = if misplaced == 0 { 2 } else { misplaced };
            nearest[figure as usize] = nearest[figure as usize].min(distance);
        }
        Distances(nearest.iter().rev().fold(0, |word, &distance| word << 3 | distance as u16))
    }

    fn list_completions(&mut self) {
        let mut found = Vec::new();
        for &(figure, squares) in &self.placements {
            for to in (0..AREA).filter(|to| squares >> to & 1 == 1) {
                for from in (0..AREA).filter(|from| squares >> from & 1 == 0) {
                    let set = squares ^ 1 << to ^ 1 << from;
                    let completion = Completion { figure: figure as u8, from: from as u8, to: to as u8 };
                    found.push((self.rank(set), completion));
                }
            }
        }
        found.sort_unstable();
        let mut starts = vec![0; SETS + 1];
        for &(rank, _) in &found {
            starts[rank + 1] += 1;
        }
        for rank in 0..SETS {
            starts[rank + 1] += starts[rank];
        }
        self.starts = starts;
        self.completions = found.into_iter().map(|(_, completion)| completion).collect();
    }
}

/// All sets of five squares, from the smallest number to the largest: the next number with as many bits.
fn sets_of_five() -> impl Iterator<Item = u32> {
    let next = |&set: &u32| {
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        Some(carried | ((set ^ carried) / lowest) >> 2)
    };
    std::iter::successors(Some((1 << FIVE) - 1), next).take(SETS)
}

/// The parts that the lower and the upper squares have in the rank of a set, which counts the sets with a smaller number:
/// for the i-th square (from 0) at place p these are p over i + 1.
fn ranks() -> (Vec<u16>, Vec<u16>) {
    let choose = |n: usize, k: usize| (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1));
    let rank = |set: usize, first: usize| {
        let places = (0..AREA).filter(|place| set >> place & 1 == 1);
        places.enumerate().map(|(i, place)| choose(place, first + i + 1)).sum::<usize>() as u16
    };
    let most_five = |part: usize| part.count_ones() as usize <= FIVE;
    let low = (0..1 << LOW_BITS).map(|low: usize| if most_five(low) { rank(low, 0) } else { 0 });
    let high = (0..1 << (AREA - LOW_BITS))
        .map(|high: usize| if most_five(high) { rank(high << LOW_BITS, FIVE - high.count_ones() as usize) } else { 0 });
    (low.collect(), high.collect())
}

#[cfg(test)]
mod tests {
    use quincunx_core::{Game, options_from_json};
    use quincunx_games::figures::Options;
    use serde_json::json;

    use super::*;

    fn tables() -> impl Iterator<Item = (Figures, FigureTable)> {
        let options = [json!({}), json!({"zigzag": "staircase"}), json!({"diagonal_lines": true})];
        options.into_iter().map(|options| {
            let options: Options = options_from_json(&options).unwrap();
            let game = Figures::new(2, &options).unwrap();
            let table = FigureTable::new(&game);
            (game, table)
        })
    }

    #[test]
    fn every_set_of_five_squares_has_a_rank_of_its_own() {
        let (_, table) = tables().next().unwrap();
        assert!(sets_of_five().all(|set| set.count_ones() == 5 && set >> AREA == 0));
        assert!(sets_of_five().enumerate().all(|(number, set)| table.rank(set) == number));
        assert_eq!(sets_of_five().count(), SETS);
    }

    #[test]
    fn distances_and_completions_are_those_found_by_trying() {
        for (game, table) in tables() {
            let placements: Vec<_> = game.placements().collect();
            for set in sets_of_five().step_by(7).chain(placements.iter().map(|&(_, squares)| squares)) {
                let mut completions = Vec::new();
                for from in (0..AREA).filter(|from| set >> from & 1 == 1) {
                    for to in (0..AREA).filter(|to| set >> to & 1 == 0) {
                        let moved = set ^ 1 << from ^ 1 << to;
                        let made = placements.iter().find(|&&(_, squares)| squares == moved);
                        completions.extend(made.map(|&(figure, _)| Completion {
                            figure: figure as u8,
                            from: from as u8,
                            to: to as u8,
                        }));
                    }
                }
                completions.sort_unstable();
                assert_eq!(table.completions(set), completions);
                for figure in Figure::ALL {
                    let distance = table.distances(set).to(figure as usize);
                    let near = completions.iter().any(|completion| completion.figure == figure as u8);
                    assert_eq!(distance == 1, near, "{set:025b}");
                    assert!((1..=5).contains(&distance));
                }
                assert_eq!(table.distances(set).any_at_one(), !completions.is_empty());
            }
        }
    }

    #[test]
    fn a_table_suits_only_games_with_its_figures() {
        let all: Vec<_> = tables().collect();
        for (i, (game, _)) in all.iter().enumerate() {
            for (j, (_, table)) in all.iter().enumerate() {
                assert_eq!(table.suits(game), i == j);
            }
        }
    }
}
