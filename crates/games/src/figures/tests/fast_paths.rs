//! Bit sets, the table of figures, random choice and hashing against slow and obvious ways.

use std::collections::{BTreeMap, BTreeSet};

use quincunx_core::Scratch;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    super::{
        Figure,
        shapes::{self, Families},
    },
    reference::{self, Shapes},
    *,
};

/// All sets of five squares, as bits.
fn all_fives() -> impl Iterator<Item = u32> {
    // The next number with as many bits.
    std::iter::successors(Some(0b11111_u32), |&set| {
        let low = set & set.wrapping_neg();
        let ripple = set + low;
        Some((((set ^ ripple) >> 2) / low) | ripple)
    })
    .take_while(|&set| set < 1 << AREA)
}

fn name(figure: Figure) -> &'static str {
    match figure {
        Figure::Cross => "cross",
        Figure::Plus => "plus",
        Figure::Line => "line",
        Figure::ZigZag => "zig-zag",
    }
}

#[test]
fn of_all_sets_of_five_squares_those_are_figures_that_the_rules_describe() {
    let always = Families::ALWAYS.with(Families::ALTERNATING);
    let stairs = Families::ALWAYS.with(Families::STAIRCASE);
    let tables = [
        (always, Shapes { staircase: false, diagonal_lines: false }, [9, 9, 10, 16]),
        (stairs, Shapes { staircase: true, diagonal_lines: false }, [9, 9, 10, 36]),
        (always.with(Families::DIAGONAL), Shapes { staircase: false, diagonal_lines: true }, [9, 9, 12, 16]),
        (stairs.with(Families::DIAGONAL), Shapes { staircase: true, diagonal_lines: true }, [9, 9, 12, 36]),
    ];
    for (families, shapes, counts) in tables {
        let bit = |&(col, row): &(i32, i32)| 1_u32 << (row * 5 + col);
        let slow: BTreeMap<u32, _> =
            reference::figures(shapes).into_iter().map(|(places, name)| (places.iter().map(bit).sum(), name)).collect();
        let mut found = BTreeMap::new();
        for set in all_fives() {
            if let Some(figure) = shapes::figure(Squares(set), families) {
                found.insert(set, name(figure));
            }
        }
        assert_eq!(found, slow);
        let count = |figure| found.values().filter(|&&here| here == name(figure)).count();
        assert_eq!(Figure::ALL.map(count), counts);
    }
    assert_eq!(all_fives().count(), 53130);
}

#[test]
fn no_two_placements_have_the_same_squares() {
    let sets: BTreeSet<u32> = shapes::PLACEMENTS.iter().map(|placement| placement.squares.0).collect();
    assert_eq!(sets.len(), 82);
    assert!(sets.iter().all(|set| set.count_ones() == 5));
}

fn slowly_connected(set: u32) -> bool {
    let mut reached = set & set.wrapping_neg();
    for _ in 0..AREA {
        for square in Square::all().filter(|&square| Squares(set).contains(square)) {
            let (a, touching) = (square.coord(), Squares(reached));
            let near = touching.iter().any(|other| {
                let b = other.coord();
                a.col.abs_diff(b.col) <= 1 && a.row.abs_diff(b.row) <= 1
            });
            if near {
                reached |= 1 << square.index();
            }
        }
    }
    reached == set
}

#[test]
fn joints_are_the_squares_that_make_a_set_one_group() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    for _ in 0..3000 {
        let mut set = 0_u32;
        while set.count_ones() < 4 {
            set |= 1 << rng.random_range(0..AREA);
        }
        let candidates = Squares(rng.random_range(0..1_u32 << AREA) & !set);
        let slow = candidates.iter().filter(|square| slowly_connected(set | 1 << square.index()));
        assert_eq!(
            Squares(set).joints(candidates),
            slow.fold(Squares::EMPTY, |all, square| all.or(Squares::of(square)))
        );
    }
}

#[test]
fn neighbours_are_at_most_one_column_and_one_row_away() {
    for square in Square::all() {
        for other in Square::all() {
            let (a, b) = (square.coord(), other.coord());
            let near = a.col.abs_diff(b.col) <= 1 && a.row.abs_diff(b.row) <= 1;
            assert_eq!(Squares::next_to(square).contains(other), near && square != other);
            assert_eq!(Squares::of(square).with_neighbours().contains(other), near);
        }
    }
}

/// Draws often and compares with the listed actions: all come, none too seldom, nothing else.
fn assert_uniform(game: &Figures, rng: &mut Xoshiro256PlusPlus) {
    const EACH: u32 = 400;
    let listed = texts(game, game.mover.number());
    let mut drawn = BTreeMap::<String, u32>::new();
    let mut scratch = Scratch::default();
    for _ in 0..EACH * listed.len() as u32 {
        let action = game.random(Actor::Seat(game.mover), rng, &mut scratch);
        *drawn.entry(action.to_string()).or_default() += 1;
    }
    assert!(drawn.keys().eq(&listed), "{:?} instead of {listed:?}", drawn.keys());
    let expected = f64::from(EACH);
    let chi_square: f64 = drawn.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    // Mean n - 1, deviation sqrt(2n): five deviations are far out, and the seed is fixed.
    let n = listed.len() as f64;
    assert!(chi_square < n + 5.0 * (2.0 * n).sqrt() + 5.0, "chi-square {chi_square} for {n} actions");
}

#[test]
fn random_is_uniform_in_every_phase() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    let mut game = start(2, &json!({}));
    for _ in 0..6 {
        for _ in 0..4 {
            assert_uniform(&game, &mut rng);
            let action = game.random(Actor::Seat(game.mover), &mut rng, &mut Scratch::default());
            game.play(Actor::Seat(game.mover), action);
        }
    }
}

#[test]
fn stones_are_listed_in_the_order_of_the_colours() {
    let mut set = Stones::NONE;
    for colour in [Colour::Brown, Colour::Yellow, Colour::Blue] {
        set = set.with(Stones::of(colour));
    }
    assert!(set.iter().eq([Colour::Yellow, Colour::Blue, Colour::Brown]));
    assert_eq!(set.without(Stones::of(Colour::Blue)).pair(), (Colour::Yellow, Colour::Brown));
}

#[test]
fn equal_positions_have_equal_keys_and_everything_that_matters_changes_the_key() {
    let (mut one, mut other) = (start(2, &json!({})), start(2, &json!({})));
    play(&mut one, "+r +b");
    play(&mut other, "+b +r");
    assert_eq!((one.key(), &one), (other.key(), &other));

    let base = start(4, &json!({}));
    let mut keys = vec![base.key()];
    for change in [
        |game: &mut Figures| game.markers.swap(0, 1),
        |game: &mut Figures| game.hands[0] = Stones::of(Colour::Red),
        |game: &mut Figures| game.hands[1] = Stones::of(Colour::Red),
        |game: &mut Figures| game.point_board.0 = 1,
        |game: &mut Figures| game.points[0] = 1,
        |game: &mut Figures| game.points[3] = 1,
        |game: &mut Figures| game.turns = 1,
        |game: &mut Figures| game.exchanged = true,
        |game: &mut Figures| game.mover = Seat::new(2),
        |game: &mut Figures| game.phase = Phase::Return { allowed: Stones::of(Colour::Red) },
        |game: &mut Figures| game.phase = Phase::Return { allowed: Stones::of(Colour::Blue) },
        |game: &mut Figures| game.settled.target = 60,
        |game: &mut Figures| game.settled.turn_limit = 60,
        |game: &mut Figures| game.settled.families = Families::ALWAYS.with(Families::STAIRCASE),
    ] {
        let mut game = base.clone();
        change(&mut game);
        keys.push(game.key());
    }
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count);
}
