//! The player of Trexo: tactics it must not miss, every way to play, and what holds for every player.

mod common;

use std::{sync::atomic::AtomicBool, time::Duration};

use common::{GO, Ticking};
use quincunx_core::{Actor, Game, Scratch, Seat, Session, Step, Turn, options_from_json};
use quincunx_engine::{Budget, Control, Knowledge, Mcts, Player, Random, Thought, TrexoPlayer};
use quincunx_games::{Trexo, trexo::Action};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

fn played(options: &Value, actions: &str) -> Session<Trexo> {
    let mut session = Session::new(2, options_from_json(options).unwrap()).unwrap();
    for action in actions.split(';').map(str::trim).filter(|action| !action.is_empty()) {
        session.apply(None, action).unwrap();
    }
    session
}

fn think(player: &mut impl Player<Trexo>, game: &Trexo, budget: Budget, seed: u64) -> Thought<Action> {
    let Turn::Seat(seat) = game.turn() else { panic!("nobody is to think") };
    let clock = Ticking::default();
    player.think(&Knowledge::new(game, seat), &Control::new(budget, seed, &clock, &GO))
}

fn thought_after(options: &Value, actions: &str, nodes: u64) -> Thought<Action> {
    think(&mut TrexoPlayer::default(), played(options, actions).game(), Budget::nodes(nodes), 1)
}

fn actions_of(game: &Trexo) -> Vec<Action> {
    let mut actions = Vec::new();
    Seat::all(2).for_each(|seat| game.actions(seat, &mut actions));
    actions
}

fn after(game: &Trexo, action: Action) -> Trexo {
    let mut next = game.clone();
    next.play(game.turn().actor().expect("somebody is on turn"), action);
    next
}

#[test]
fn every_position_of_the_suite_is_solved() {
    let suite = include_str!("../suites/trexo.txt");
    let mut missed = Vec::new();
    let mut positions = 0;
    for line in suite.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let [options, actions, task] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let thought = thought_after(&serde_json::from_str(options).unwrap(), actions, 3000);
        let (verb, named) = task.split_once(' ').unwrap();
        let is_named = named.split(',').any(|action| action == thought.action.to_string());
        match verb {
            "find" | "avoid" if is_named == (verb == "find") => {}
            "find" | "avoid" => missed.push(format!("{} in {line}", thought.action)),
            _ => panic!("{line}"),
        }
        positions += 1;
    }
    assert!(positions >= 60, "{positions}");
    assert!(missed.is_empty(), "{} of {positions} missed:\n{}", missed.len(), missed.join("\n"));
}

/// The outcome for the side to move with best play on both sides, from -1 to 1.
fn solve(game: &Trexo) -> i32 {
    let Turn::Seat(seat) = game.turn() else { unreachable!() };
    let outcome = |next: Trexo| match next.outcome() {
        Some(outcome) if outcome.winners.is_empty() => 0,
        Some(outcome) if outcome.winners.contains(seat) => 1,
        Some(_) => -1,
        None => -solve(&next),
    };
    let mut best = -1;
    for action in actions_of(game) {
        best = best.max(outcome(after(game, action)));
        if best == 1 {
            break;
        }
    }
    best
}

#[test]
fn small_endings_are_played_as_well_as_by_trying_everything() {
    let options = json!({"size": 5, "tiles": 17});
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut seen = [0; 3];
    for _ in 0..60 {
        let mut game = played(&options, "").game().clone();
        for _ in 0..14 {
            let Some(actor) = game.turn().actor() else { break };
            let action = game.random(actor, &mut rng, &mut Scratch::default());
            game.play(actor, action);
        }
        let Turn::Seat(seat) = game.turn() else { continue };
        let value = solve(&game);
        seen[(value + 1) as usize] += 1;
        let thought = think(&mut TrexoPlayer::default(), &game, Budget::nodes(20_000), 1);
        let next = after(&game, thought.action);
        let reached = match next.outcome() {
            Some(outcome) => i32::from(outcome.winners.contains(seat)),
            None => -solve(&next),
        };
        assert_eq!(reached, value, "{} in {game:?}", thought.action);
        // A draw that is known does not keep the search from looking for more.
        if value != 0 {
            let winner = if value == 1 { seat } else { seat.next(2) };
            assert_eq!(thought.expected, Seat::all(2).map(|seat| f32::from(seat == winner)).collect::<Vec<_>>());
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn the_same_seed_and_nodes_give_the_same_answer_also_from_a_player_that_has_played() {
    let session = played(&json!({}), "e5f5; d4d5; e6f6");
    let fresh = || think(&mut TrexoPlayer::default(), session.game(), Budget::nodes(3000), 1);
    let thought = fresh();
    assert_eq!(thought.nodes, 3000);
    assert_eq!(thought, fresh());
    let mut veteran = TrexoPlayer::default();
    for options in [json!({"size": 7}), json!({})] {
        think(&mut veteran, played(&options, "a1b1; c3d3").game(), Budget::nodes(500), 1);
    }
    assert_eq!(think(&mut veteran, session.game(), Budget::nodes(3000), 1), thought);
}

#[test]
fn a_search_stops_in_time_or_when_told_and_answers_without_any_node() {
    let session = played(&json!({}), "e5f5; d4d5; e6f6");
    let game = session.game();
    let in_time = think(&mut TrexoPlayer::default(), game, Budget::time(Duration::from_millis(20)), 1);
    assert!((16..=512).contains(&in_time.nodes), "looks at the clock every 16 nodes: {}", in_time.nodes);
    let stop = AtomicBool::new(true);
    let clock = Ticking::default();
    let control = Control::new(Budget::nodes(1000), 1, &clock, &stop);
    let Turn::Seat(seat) = game.turn() else { unreachable!() };
    let thought = TrexoPlayer::default().think(&Knowledge::new(game, seat), &control);
    assert_eq!(thought.nodes, 0);
    assert_eq!(game.check(Actor::Seat(seat), thought.action), Ok(()));
}

#[test]
fn memory_bounds_the_tree_and_the_search_goes_on() {
    let session = played(&json!({}), "e5f5; d4d5");
    let budget = Budget { memory: 20_000, ..Budget::nodes(3000) };
    assert_eq!(think(&mut TrexoPlayer::default(), session.game(), budget, 1).nodes, 3000);
}

#[test]
fn whole_games_with_every_option_are_legal() {
    for (round, options) in [
        json!({}),
        json!({"tiles": 1}),
        json!({"tiles": 2, "swap": true}),
        json!({"tiles": 45, "size": 5}),
        json!({"size": 5, "tiles": 500}),
        json!({"size": 11, "tiles": 500}),
        json!({"size": 7, "swap": true}),
        json!({"swap": true}),
    ]
    .iter()
    .enumerate()
    {
        let mut game = played(options, "").game().clone();
        let mut player = TrexoPlayer::default();
        while let Turn::Seat(seat) = game.turn() {
            let thought = think(&mut player, &game, Budget::nodes(300), 1);
            assert_eq!(
                thought.line[0],
                Step { by: Actor::Seat(seat), action: thought.action },
                "the line begins with the action"
            );
            let mut expected = game.clone();
            for &Step { by, action } in &thought.line {
                assert_eq!(expected.try_play(by, action), Ok(()), "{options}: the line is legal");
            }
            assert!((thought.expected.iter().sum::<f32>() - 1.0).abs() < 1e-3 && thought.expected.len() == 2);
            // One side plays any tile now and then, so that games take different ways.
            let chosen = if (round + seat.index()) % 2 == 0 {
                thought.action
            } else {
                think(&mut Random, &game, Budget::nodes(1), thought.nodes).action
            };
            game.play(Actor::Seat(seat), chosen);
        }
    }
}

#[test]
fn a_tile_that_is_too_good_is_taken_over_by_a_swap() {
    let swap = json!({"swap": true});
    let center = thought_after(&swap, "e5e4", 2000);
    let plain = thought_after(&json!({}), "e5e4", 2000);
    let taken = center.action == Action::Swap;
    assert_eq!(taken, plain.expected[1] < 0.5, "swaps exactly if X is the better side: {plain:?}");
    assert!(center.expected[1] >= 0.5);
    assert!(thought_after(&swap, "", 2000).expected[0] <= 0.5, "the other seat takes the better side");
}

#[test]
fn after_a_swap_the_seats_play_for_the_other_symbol() {
    // Four crosses, and seat 1 owns X and is on turn.
    let thought = thought_after(&json!({"swap": true}), "a5a6; swap; b5b4; c5c6; d5d4", 100);
    let game = played(&json!({"swap": true}), "a5a6; swap; b5b4; c5c6; d5d4");
    assert_eq!(game.game().turn(), Turn::Seat(Seat::new(1)));
    assert!(after(game.game(), thought.action).outcome().unwrap().winners.contains(Seat::new(1)));
    assert_eq!(thought.expected, [0.0, 1.0]);
}

#[test]
fn it_beats_the_generic_search() {
    let mut won = 0;
    for round in 0..6 {
        let mut game = played(&json!({}), "").game().clone();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(round / 2);
        for _ in 0..3 {
            let action = game.random(game.turn().actor().unwrap(), &mut rng, &mut Scratch::default());
            game = after(&game, action);
        }
        let strong = Seat::new((round % 2) as u8);
        while let Turn::Seat(seat) = game.turn() {
            let budget = Budget::nodes(1000);
            let thought = if seat == strong {
                think(&mut TrexoPlayer::default(), &game, budget, round)
            } else {
                think(&mut Mcts::default(), &game, budget, round)
            };
            game.play(Actor::Seat(seat), thought.action);
        }
        won += u32::from(game.outcome().unwrap().winners.contains(strong));
    }
    assert_eq!(won, 6);
}
