//! The player of Figures from outside: what it finds, that it keeps to the rules and to its budget.

mod common;

use std::{sync::atomic::AtomicBool, time::Duration};

use common::{GO, Ticking};
use quincunx_core::{Actor, Game, Scratch, Session, Step, Turn, options_from_json};
use quincunx_engine::{Budget, Control, FiguresPlayer, Knowledge, Player, Thought};
use quincunx_games::{Figures, figures::Action};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

fn think(player: &mut FiguresPlayer, game: &Figures, nodes: u64) -> Thought<Action> {
    let Turn::Seat(seat) = game.turn() else { panic!("nobody is to think") };
    let clock = Ticking::default();
    player.think(&Knowledge::new(game, seat), &Control::new(Budget::nodes(nodes), 1, &clock, &GO))
}

fn new_game(seats: u8, options: &Value) -> Figures {
    Figures::new(seats, &options_from_json(options).unwrap()).unwrap()
}

/// Nodes for each position of the suite.
const SUITE_NODES: u64 = 3000;

#[test]
fn the_tactical_suite_is_solved() {
    let mut positions = 0;
    for line in include_str!("../suites/figures.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut parts = line.split(" | ");
        let mut part = || parts.next().unwrap_or_else(|| panic!("a line has three parts: {line}"));
        let options: Value = serde_json::from_str(part()).unwrap();
        let mut session: Session<Figures> = Session::new(2, options_from_json(&options).unwrap()).unwrap();
        for action in part().split("; ") {
            session.apply(None, action).unwrap();
        }
        let (task, actions) = part().split_once(' ').unwrap();
        let found = think(&mut FiguresPlayer::default(), session.game(), SUITE_NODES).action.to_string();
        let named = actions.split(',').any(|action| action == found);
        match task {
            "find" => assert!(named, "{found} instead of {actions}: {line}"),
            "avoid" => assert!(!named, "{found}, but not {actions}: {line}"),
            _ => panic!("find or avoid: {line}"),
        }
        positions += 1;
    }
    assert!(positions >= 20);
}

#[test]
fn every_option_set_and_seat_count_gives_legal_answers_to_the_end() {
    let options = [
        json!({"target": 15}),
        json!({"zigzag": "staircase", "target": 12}),
        json!({"diagonal_lines": true, "turn_limit": 25}),
        json!({"layout": "rrrrryyyyygggggbbbbbnnnnn", "target": 1}),
        json!({"turn_limit": 1}),
        json!({"turn_limit": 4}),
    ];
    for (number, options) in options.iter().enumerate() {
        let mut game = new_game([2, 4][number % 2], options);
        let mut player = FiguresPlayer::default();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(number as u64);
        let mut steps = 0;
        while let Turn::Seat(seat) = game.turn() {
            // A random step now and then: the plan has to notice.
            let action = if rng.random_range(0..5) == 0 {
                game.random(Actor::Seat(seat), &mut rng, &mut Scratch::default())
            } else {
                let thought = think(&mut player, &game, 150);
                assert_eq!(thought.expected.len(), game.seats() as usize);
                assert!(thought.expected.iter().all(|value| (0.0..=1.0).contains(value)));
                let mut ahead = game.clone();
                for &Step { by, action } in &thought.line {
                    ahead.try_play(by, action).unwrap();
                }
                assert_eq!(thought.line[0], Step { by: Actor::Seat(seat), action: thought.action });
                thought.action
            };
            game.try_play(Actor::Seat(seat), action).unwrap();
            steps += 1;
            assert!(steps < 2000, "a game comes to an end");
        }
    }
}

#[test]
fn the_steps_of_a_turn_are_played_as_planned_without_thinking_anew() {
    let mut game = new_game(2, &json!({}));
    let mut player = FiguresPlayer::default();
    let first = think(&mut player, &game, 2000);
    assert_eq!(first.nodes, 2000);
    let own = first.line.iter().take_while(|step| step.by == first.line[0].by).count();
    assert_eq!(own, 4, "two stones, an exchange, a return");
    for number in 0..own {
        let Step { by, action } = first.line[number];
        if number > 0 {
            let next = think(&mut player, &game, 2000);
            assert_eq!((next.action, next.nodes), (action, 0));
            assert_eq!(next.line, first.line[number..]);
        }
        game.play(by, action);
    }
}

#[test]
fn the_same_nodes_give_the_same_answer_twice() {
    let mut game = new_game(2, &json!({}));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for _ in 0..30 {
        let actor = game.turn().actor().unwrap();
        let action = game.random(actor, &mut rng, &mut Scratch::default());
        game.play(actor, action);
    }
    let search = || think(&mut FiguresPlayer::default(), &game, 5000);
    assert_eq!(search(), search());
}

#[test]
fn the_search_ends_when_it_is_told_to() {
    let game = new_game(2, &json!({}));
    let Turn::Seat(seat) = game.turn() else { unreachable!() };
    let known = Knowledge::new(&game, seat);
    let clock = Ticking::default();
    let control = Control::new(Budget::time(Duration::from_millis(20)), 1, &clock, &GO);
    let nodes = FiguresPlayer::default().think(&known, &control).nodes;
    assert!((16..=512).contains(&nodes), "looks at the clock every 16 nodes: {nodes}");
    let stop = AtomicBool::new(true);
    let control = Control::new(Budget::time(Duration::from_secs(1000)), 1, &clock, &stop);
    let thought = FiguresPlayer::default().think(&known, &control);
    assert_eq!(thought.nodes, 0);
    assert_eq!(game.check(Actor::Seat(seat), thought.action), Ok(()));
    let small = Budget { memory: 100, ..Budget::nodes(500) };
    let thought = FiguresPlayer::default().think(&known, &Control::new(small, 1, &clock, &GO));
    assert_eq!(game.check(Actor::Seat(seat), thought.action), Ok(()));
}

#[test]
fn random_play_is_beaten() {
    for round in 0..4 {
        let mut game = new_game([2, 4][round as usize % 2], &json!({}));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(round);
        let clever = (round / 2) as u8;
        let mut player = FiguresPlayer::default();
        while let Turn::Seat(seat) = game.turn() {
            let action = if game.side(seat) == clever {
                think(&mut player, &game, 100).action
            } else {
                game.random(Actor::Seat(seat), &mut rng, &mut Scratch::default())
            };
            game.play(Actor::Seat(seat), action);
        }
        assert!(game.outcome().unwrap().winners.iter().all(|seat| game.side(seat) == clever));
        assert_eq!(game.outcome().unwrap().reason, "double-victory");
    }
}
