//! Shifted boards, random choice and hashing against slow and obvious ways.

use std::collections::BTreeMap;

use quincunx_core::{Scratch, any_step};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::json;

use super::{
    super::patterns::{PLACEMENTS, complete, gaps},
    *,
};

/// A set with about `eighths` of the board.
fn random_set(rng: &mut Xoshiro256PlusPlus, eighths: u32) -> Squares {
    Square::all().filter(|_| rng.random_ratio(eighths, 8)).fold(Squares::EMPTY, |set, square| set | Squares::of(square))
}

#[test]
fn complete_is_the_union_of_the_placements_within_a_set() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for round in 0..20_000 {
        let own = random_set(&mut rng, 1 + round % 7);
        let slow: Vec<_> = PLACEMENTS.into_iter().filter(|placement| placement.within(own)).collect();
        assert_eq!(complete(own), Squares::union(&slow));
    }
    for placement in PLACEMENTS {
        assert_eq!(complete(placement), placement);
    }
    assert_eq!(complete(Squares::ALL), Squares::ALL);
}

#[test]
fn gaps_are_the_squares_that_complete_a_placement() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for round in 0..5_000 {
        let own = random_set(&mut rng, 1 + round % 7);
        let fills = |square: &Square| {
            !own.contains(*square)
                && PLACEMENTS
                    .iter()
                    .any(|placement| placement.contains(*square) && placement.within(own | Squares::of(*square)))
        };
        let slow: Vec<_> = Square::all().filter(fills).map(Squares::of).collect();
        assert_eq!(gaps(own), Squares::union(&slow));
    }
    for placement in PLACEMENTS {
        for square in placement.iter() {
            assert!(gaps(placement - Squares::of(square)).contains(square));
        }
    }
}

#[test]
fn neighbours_are_at_most_one_column_and_one_row_away() {
    for square in Square::all() {
        let (a, near) = (square.coord(), Squares::of(square).with_neighbours());
        for other in Square::all() {
            let b = other.coord();
            assert_eq!(near.contains(other), a.col.abs_diff(b.col) <= 1 && a.row.abs_diff(b.row) <= 1);
        }
    }
}

/// Draws often and compares with the listed actions: all come, none too seldom, nothing else.
fn assert_uniform(game: &ModX, seat: u8, rng: &mut Xoshiro256PlusPlus) {
    const EACH: u32 = 400;
    let listed = texts(game, seat);
    let mut drawn = BTreeMap::<String, u32>::new();
    let mut scratch = Scratch::default();
    for _ in 0..EACH * listed.len() as u32 {
        let action = game.random(Actor::Seat(Seat::new(seat)), rng, &mut scratch);
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
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut set_up = start(2, &json!({}));
    assert_uniform(&set_up, 0, &mut rng);
    play(&mut set_up, &["*d4"]);
    assert_uniform(&set_up, 0, &mut rng);

    let mut auto = drawn(2, &json!({}), 0, "R * . R R B");
    assert_uniform(&auto, 0, &mut rng);
    play(&mut auto, &["c1"]);
    assert_uniform(&auto, 0, &mut rng);

    let mut manual = drawn(2, &json!({"claims": "manual"}), 0, "R * . R R B");
    play(&mut manual, &["c1"]);
    assert_uniform(&manual, 0, &mut rng);
    play(&mut manual, &["done"]);
    assert_uniform(&manual, 1, &mut rng);
}

#[test]
fn the_order_of_placements_does_not_matter_for_the_key_but_everything_else_does() {
    let mut one = drawn(2, &json!({}), 0, "*");
    let mut other = one.clone();
    play(&mut one, &["a2", "b5", "c3", "d7"]);
    play(&mut other, &["c3", "d7", "a2", "b5"]);
    assert_eq!((one.key(), &one), (other.key(), &other));

    let base = drawn(3, &json!({"claims": "manual"}), 0, "R B * .r .b");
    let mut keys = vec![base.key()];
    for change in [
        |game: &mut ModX| game.mover = Seat::new(1),
        |game: &mut ModX| game.phase = Phase::Claim,
        |game: &mut ModX| game.markers[2] -= 1,
        |game: &mut ModX| game.jokers = Squares::EMPTY,
        |game: &mut ModX| game.pieces.swap(0, 1),
        |game: &mut ModX| game.tops.swap(0, 1),
        |game: &mut ModX| game.phase = Phase::JokersBack { by: Seat::new(0), left: 1, then: super::super::Then::Place },
        |game: &mut ModX| game.phase = Phase::JokersBack { by: Seat::new(0), left: 1, then: super::super::Then::Claim },
        |game: &mut ModX| game.phase = Phase::JokersBack { by: Seat::new(1), left: 1, then: super::super::Then::Claim },
        |game: &mut ModX| game.phase = Phase::JokersBack { by: Seat::new(1), left: 2, then: super::super::Then::Claim },
        |game: &mut ModX| game.settled.target += 1,
        |game: &mut ModX| game.settled.joker_win = false,
    ] {
        let mut game = base.clone();
        change(&mut game);
        keys.push(game.key());
    }
    let mut covered = base.clone();
    covered.heights[3] += 1;
    assert_eq!(covered.key(), base.key(), "covered markers do not matter any more");
    let count = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), count);
}

#[test]
fn every_game_ends() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    for (seats, options) in [
        (2, json!({"target": 64, "pieces": 30, "markers": 64})),
        (4, json!({"target": 64, "pieces": 30, "markers": 64, "claims": "manual", "joker_win": false})),
    ] {
        for _ in 0..20 {
            let mut game = start(seats, &options);
            let mut steps = 0;
            while let Some((actor, action)) = any_step(&game, &mut rng) {
                game.play(actor, action);
                steps += 1;
                assert!(steps < 10_000);
            }
            assert_conserved(&game);
        }
    }
}
