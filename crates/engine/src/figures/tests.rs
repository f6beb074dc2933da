//! The search against a plain one, and the fast lists of turns against slow ones.

use std::{
    sync::{Mutex, atomic::AtomicBool},
    time::Duration,
};

use quincunx_core::{Actor, Game, Scratch, Turn, options_from_json};
use quincunx_games::figures::{Action, Figures, Options};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

use super::{
    evaluate::{Weights, evaluate},
    search::{Search, key},
    table::FigureTable,
    turns::{Outlook, scoring_turns, whole_turns},
};
use crate::{Budget, Clock, Control};

struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

fn start(options: &Value, seats: u8) -> Figures {
    let options: Options = options_from_json(options).unwrap();
    Figures::new(seats, &options).unwrap()
}

fn table(options: &Value) -> FigureTable {
    FigureTable::new(&start(options, 2))
}

/// A position at the beginning of a turn, out of a game in which who can score does so.
fn position(options: &Value, table: &FigureTable, seats: u8, seed: u64, turns: u32) -> Figures {
    let mut game = start(options, seats);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut scratch = Scratch::default();
    for _ in 0..turns {
        let before = game.clone();
        while let Turn::Seat(mover) = game.turn() {
            let action = game.random(Actor::Seat(mover), &mut rng, &mut scratch);
            game.play(Actor::Seat(mover), action);
            if matches!(action, Action::Return(_)) {
                break;
            }
        }
        let mut scoring = Vec::new();
        scoring_turns(&before, table, &mut scoring);
        if let Some(outlook) = scoring.pop() {
            game = outlook.after;
        }
        if game.turn() == Turn::Over {
            return before;
        }
    }
    game
}

fn option_sets() -> [Value; 4] {
    [
        json!({}),
        json!({"zigzag": "staircase"}),
        json!({"diagonal_lines": true}),
        json!({"target": 12, "turn_limit": 45}),
    ]
}

fn all_turns(game: &Figures) -> Vec<Outlook> {
    let mut outlooks = Vec::new();
    whole_turns(game, &mut Vec::new(), &mut outlooks);
    outlooks
}

#[test]
fn the_scoring_turns_are_those_of_all_turns_that_score() {
    let mut seen = 0;
    let tables = option_sets().map(|options| table(&options));
    for seed in 0..300 {
        let (seats, options) = ([2, 4][seed as usize % 2], seed as usize % 3);
        let table = &tables[options];
        let game = position(&option_sets()[options], table, seats, seed, seed as u32 % 40 + 1);
        let points = |game: &Figures| game.points_of(0) + game.points_of(1);
        let texts = |outlooks: &[Outlook]| {
            // The stones are taken in either order.
            let text = |outlook: &Outlook| {
                let mut steps: Vec<_> = outlook.turn.steps().iter().map(ToString::to_string).collect();
                steps.sort_unstable();
                steps
            };
            let mut texts: Vec<_> = outlooks.iter().map(text).collect();
            texts.sort_unstable();
            texts.dedup();
            texts
        };
        let slow: Vec<_> = all_turns(&game).into_iter().filter(|turn| points(&turn.after) > points(&game)).collect();
        let mut fast = Vec::new();
        scoring_turns(&game, table, &mut fast);
        assert_eq!(texts(&fast), texts(&slow));
        seen += slow.len();
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn whole_turns_have_codes_of_their_own_and_lead_where_their_steps_lead() {
    let table = table(&json!({}));
    for seed in 0..6 {
        let game = position(&json!({}), &table, 2, seed, 3 * seed as u32);
        let outlooks = all_turns(&game);
        let mut codes: Vec<_> = outlooks.iter().map(|outlook| outlook.turn.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), outlooks.len());
        for outlook in &outlooks {
            let mut after = game.clone();
            for &step in outlook.turn.steps() {
                let Turn::Seat(mover) = after.turn() else { panic!("the turn is over") };
                after.try_play(Actor::Seat(mover), step).unwrap();
            }
            assert_eq!(after, outlook.after);
        }
    }
}

/// Plain minimax with a plain quiescence, without bounds, table or order.
fn plain(game: &Figures, table: &FigureTable, depth: u8, quiet: u8, ply: i32, side: u8) -> i32 {
    if let Some(outcome) = game.outcome() {
        let value = 1_000_000 - ply;
        return outcome.winners.iter().next().map_or(0, |seat| if game.side(seat) == side { value } else { -value });
    }
    let mut best = i32::MIN;
    let mut turns = Vec::new();
    if depth > 0 {
        turns = all_turns(game);
    } else {
        best = evaluate(game, table, &Weights::default());
        if quiet > 0 {
            scoring_turns(game, table, &mut turns);
        }
    }
    let quiet = if depth == 0 { quiet.saturating_sub(1) } else { quiet };
    let next = |turn: &Outlook| -plain(&turn.after, table, depth.saturating_sub(1), quiet, ply + 1, 1 - side);
    turns.iter().map(next).fold(best, i32::max)
}

#[test]
fn the_search_finds_the_values_of_plain_minimax() {
    static GO: AtomicBool = AtomicBool::new(false);
    for seed in 0..8 {
        let options = &option_sets()[seed as usize % 4];
        let table = table(options);
        let game = position(options, &table, [2, 4][seed as usize / 4 % 2], seed, 4 + seed as u32 * 3 / 2);
        let Turn::Seat(mover) = game.turn() else { panic!("the game goes on") };
        let values = Mutex::new(Vec::new());
        let control = Control::new(Budget::nodes(6000), 1, &Still, &GO);
        Search::default().run(
            &game,
            &table,
            &control,
            |_| true,
            |_| 0,
            |finding, _| values.lock().unwrap().push(finding.value),
        );
        let values = values.into_inner().unwrap();
        for depth in 1..=2_u8 {
            let Some(&value) = values.get(depth as usize - 1) else { continue };
            let expected = plain(&game, &table, depth, super::search::QUIESCENCE, 0, game.side(mover));
            assert_eq!(value, expected, "seed {seed}, depth {depth}");
        }
        assert!(!values.is_empty());
    }
}

#[test]
fn equal_positions_have_equal_keys_until_the_turn_limit_is_near() {
    let table = table(&json!({}));
    let game = position(&json!({}), &table, 2, 3, 7);
    // Two turns that exchange the same markers back lead to the same display, but other stones or points may differ.
    let twice: Vec<_> = all_turns(&game).iter().flat_map(|turn| all_turns(&turn.after)).collect();
    let same = |one: &Figures, other: &Figures| {
        let display = |game: &Figures| quincunx_games::figures::Colour::ALL.map(|colour| game.markers_of(colour));
        display(one) == display(other)
            && one.times_made() == other.times_made()
            && [0, 1].iter().all(|&side| {
                one.stones_of(side) == other.stones_of(side) && one.points_of(side) == other.points_of(side)
            })
    };
    let first = &twice[0].after;
    for outlook in &twice {
        assert_eq!(same(first, &outlook.after), key(first) == key(&outlook.after));
    }
    let near = position(&json!({"turn_limit": 20}), &table, 2, 3, 7);
    assert!(key(&near) != key(&game), "the limit is in sight of one of them");
}
