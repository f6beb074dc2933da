//! What always holds: the fast code against the slow reference over random games, conservation, keys, distributions.

use std::collections::{BTreeMap, BTreeSet};

use quincunx_core::{Actor, Coord, Game, Scratch, Seat, Turn, Viewer, perft, strip};
use rand::{Rng, RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::json;

use super::{
    super::{Action, Trexo, board},
    options,
    reference::Reference,
};

fn option_sets() -> Vec<serde_json::Value> {
    vec![
        json!({}),
        json!({"swap": true}),
        json!({"tiles": 45}),
        json!({"tiles": 1}),
        json!({"tiles": 1, "swap": true}),
        json!({"tiles": 2, "size": 5, "swap": true}),
        json!({"size": 5, "tiles": 500}),
        json!({"size": 6, "tiles": 500, "swap": true}),
        json!({"size": 7, "tiles": 500}),
        json!({"size": 8}),
        json!({"size": 9, "swap": true}),
        json!({"size": 11, "tiles": 500}),
    ]
}

fn listed(game: &Trexo, seat: u8) -> Vec<String> {
    let mut actions = Vec::new();
    game.actions(Seat::new(seat), &mut actions);
    let mut texts: Vec<String> = actions.iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

/// Any two squares, also some next to the board.
fn any_tile(rng: &mut impl Rng) -> Action {
    let mut square = || Coord::new(rng.random_range(0..12), rng.random_range(0..12));
    Action::Lay { x: square(), o: square() }
}

fn assert_same(game: &Trexo, slow: &Reference) {
    let outcome = game.outcome().map(|outcome| (outcome.winners.iter().next().map(Seat::index), outcome.reason));
    assert_eq!(outcome, slow.outcome);
    let turn = if slow.outcome.is_some() { Turn::Over } else { Turn::Seat(Seat::new(slow.turn as u8)) };
    assert_eq!(game.turn(), turn);
    assert_eq!(listed(game, slow.turn as u8), slow.actions());
    assert!(listed(game, 1 - slow.turn as u8).is_empty());
    assert_eq!([game.score(Seat::new(0)), game.score(Seat::new(1))], [0, 0]);
    assert_eq!(game.key(), game.key_from_scratch());

    let view = game.view(Viewer::Spectator);
    assert_eq!([view.x_seat, view.o_seat].map(|seat| slow.symbols[seat as usize]), ['X', 'O']);
    for (col, row) in slow.squares() {
        let stack = &slow.stacks[col as usize][row as usize];
        let seen = view.rows[row as usize][col as usize].as_ref();
        assert_eq!(seen.map_or(0, |square| square.level as usize), stack.len());
        assert_eq!(seen.map(|square| square.symbol), slow.shown(col, row));
        if let (Some(seen), Some((_, tile))) = (seen, stack.last()) {
            let partner: Coord = seen.partner.parse().unwrap();
            let under_partner = &slow.stacks[partner.col as usize][partner.row as usize];
            assert_eq!(under_partner[stack.len() - 1].1, *tile, "the partner is a half of the same tile");
            assert_eq!(seen.whole, under_partner.len() == stack.len());
        }
    }
}

#[test]
fn random_games_go_as_in_the_slow_reference() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut scratch = Scratch::default();
    for options_json in option_sets() {
        let options = options(&options_json);
        for _ in 0..12 {
            let mut game = Trexo::new(2, &options).unwrap();
            let mut slow = Reference::new(&options);
            assert_same(&game, &slow);
            while let Turn::Seat(seat) = game.turn() {
                let by = Actor::Seat(seat);
                let legal: BTreeSet<String> = slow.actions().into_iter().collect();
                for action in [any_tile(&mut rng), any_tile(&mut rng), Action::Swap] {
                    let mut after = game.clone();
                    let played = after.try_play(by, action);
                    assert_eq!(played.is_ok(), legal.contains(&action.to_string()), "{action}: {played:?}");
                    assert_eq!(played.is_err(), after == game, "what is refused changes nothing");
                    assert!(game.check(Actor::Seat(seat.next(2)), action).is_err());
                    assert!(game.check(Actor::Chance, action).is_err());
                }
                let action = game.random(by, &mut rng, &mut scratch);
                assert_eq!(game.check(by, action), Ok(()));
                game.play(by, action);
                slow.play(&action.to_string());
                assert_same(&game, &slow);
            }
            assert!(game.check(Actor::Seat(Seat::new(0)), any_tile(&mut rng)).is_err());
        }
    }
}

#[test]
fn tiles_in_the_supply_and_on_the_board_are_always_as_many_as_at_the_start() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    for options_json in option_sets() {
        let options = options(&options_json);
        let mut game = Trexo::new(2, &options).unwrap();
        while let Some(actor) = game.turn().actor() {
            let action = game.random(actor, &mut rng, &mut Scratch::default());
            game.play(actor, action);
            let view = game.view(Viewer::Spectator);
            let halves: u32 = view.rows.iter().flatten().flatten().map(|square| u32::from(square.level)).sum();
            assert_eq!(halves / 2 + u32::from(view.tiles_left), options.tiles.get());
        }
    }
}

/// On a board of side 11 the squares of one row follow those of the row below without a gap: no line may cross over.
#[test]
fn fives_by_bits_are_those_found_by_walking() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut found = 0;
    for round in 0..4000 {
        // Three in four squares, on boards of each size.
        let size = 5 + round % 7;
        let on_board = |col: i32, row: i32| (0..size).contains(&col) && (0..size).contains(&row);
        let random = rng.random::<u128>() | rng.random::<u128>();
        let shown: u128 = (0..121).filter(|bit| on_board(bit % 11, bit / 11)).map(|bit| random & 1 << bit).sum();
        let at = |col: i32, row: i32| on_board(col, row) && shown >> (row * 11 + col) & 1 == 1;
        let walk = |(right, up): (i32, i32)| -> u128 {
            let begins = |bit: &i32| (0..5).all(|i| at(bit % 11 + i * right, bit / 11 + i * up));
            (0..121).filter(begins).map(|bit| 1 << bit).sum()
        };
        let slow = [(1, 0), (0, 1), (1, 1), (-1, 1)].map(walk);
        assert_eq!(board::fives(shown), slow);
        found += slow.iter().filter(|&&starts| starts != 0).count();
    }
    assert!(found > 4000, "most boards have some");
}

#[test]
fn the_numbered_places_are_the_listed_ones() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    for options_json in option_sets() {
        let mut game = Trexo::new(2, &options(&options_json)).unwrap();
        while let Some(actor) = game.turn().actor() {
            let numbered: Vec<(Coord, Coord)> =
                (0..game.board.count_places()).map(|number| game.board.nth_place(number)).collect();
            assert_eq!(numbered, game.board.places().collect::<Vec<_>>());
            let action = game.random(actor, &mut rng, &mut Scratch::default());
            game.play(actor, action);
        }
    }
}

#[test]
fn a_random_action_is_any_legal_one_equally_often() {
    const EACH: usize = 400;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut scratch = Scratch::default();
    let swap = super::played(&json!({"size": 5, "swap": true}), "b2b3");
    let later = super::played(&json!({"size": 5}), "b2b3 c3c2 b2c2 e4e5 d5d4 a1b1");
    for game in [swap, later] {
        let game = game.game();
        let Turn::Seat(seat) = game.turn() else { panic!("the game goes on") };
        let legal = listed(game, seat.number());
        let mut counts: BTreeMap<String, usize> = legal.iter().map(|text| (text.clone(), 0)).collect();
        for _ in 0..EACH * legal.len() {
            let action = game.random(Actor::Seat(seat), &mut rng, &mut scratch).to_string();
            *counts.get_mut(&action).expect("a random action is a legal one") += 1;
        }
        // Five standard deviations.
        assert!(counts.values().all(|&count| count.abs_diff(EACH) < 100), "{counts:?}");
    }
}

#[test]
fn the_same_tiles_in_another_order_give_the_same_key() {
    let one = super::played(&json!({}), "a1b1 c1d1 e1f1 b1c1");
    let other = super::played(&json!({}), "e1f1 c1d1 a1b1 b1c1");
    assert_eq!(one.game().key(), other.game().key());
    assert_eq!(one.game(), other.game());
}

#[test]
fn keys_tell_apart_all_that_matters_for_how_the_game_goes_on() {
    let swap = json!({"swap": true});
    let positions = [
        super::played(&json!({}), ""),
        super::played(&json!({"tiles": 59}), ""),
        super::played(&json!({"size": 9}), ""),
        super::played(&json!({}), "a1b1"),
        super::played(&json!({}), "b1a1"),
        super::played(&swap, "a1b1"),
        super::played(&swap, "a1b1 swap"),
        // The same symbols seen at the same heights, but other halves belong together.
        super::played(&json!({}), "a1b1 b2a2"),
        super::played(&json!({}), "a1a2 b2b1"),
        // The same symbols at other heights.
        super::played(&json!({}), "a1b1 b2a2 b2b1 a1a2"),
    ];
    let keys: BTreeSet<u64> = positions.iter().map(|session| session.game().key()).collect();
    assert_eq!(keys.len(), positions.len());
}

#[test]
fn positions_of_random_games_have_different_keys() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(10);
    let mut seen: BTreeMap<u64, String> = BTreeMap::new();
    for _ in 0..50 {
        let mut game = Trexo::new(2, &options(&json!({"size": 5, "tiles": 500}))).unwrap();
        while let Some(actor) = game.turn().actor() {
            let action = game.random(actor, &mut rng, &mut Scratch::default());
            game.play(actor, action);
            let mut view = game.view(Viewer::Spectator);
            view.last = None;
            let view = serde_json::to_string(&view).unwrap();
            assert_eq!(*seen.entry(game.key()).or_insert_with(|| view.clone()), view);
        }
    }
}

#[test]
fn whatever_is_read_is_written_the_same_and_no_text_is_too_odd_to_be_refused() {
    crate::testing::assert_read_as_written::<Action>("aejkz0125swp+- éＡ", 6);
}

#[test]
fn perft_is_that_of_the_slow_reference() {
    for (options_json, depth) in [
        (json!({}), 2),
        (json!({"swap": true}), 2),
        (json!({"size": 5}), 3),
        (json!({"size": 5, "swap": true}), 3),
        (json!({"size": 5, "tiles": 2}), 3),
        (json!({"size": 11}), 1),
    ] {
        let options = options(&options_json);
        let fast = perft(&Trexo::new(2, &options).unwrap(), depth);
        assert_eq!(fast, Reference::new(&options).perft(depth), "{options_json}");
    }
}

#[test]
fn a_coloured_picture_differs_from_the_plain_one_only_by_its_colours() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut game = Trexo::new(2, &options(&json!({}))).unwrap();
    while let Some(actor) = game.turn().actor() {
        let action = game.random(actor, &mut rng, &mut Scratch::default());
        game.play(actor, action);
        let view = game.view(Viewer::Spectator);
        assert_ne!(format!("{view:#}"), format!("{view}"));
        assert_eq!(strip(&format!("{view:#}")), format!("{view}"));
    }
}
