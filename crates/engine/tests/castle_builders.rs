//! The player of Castle Builders from outside: that it keeps to the rules, to its budget and to what its seat knows.

mod common;

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

use common::{GO, Ticking};
use quincunx_core::{Actor, Game, Scratch, Session, Step, Turn, options_from_json};
use quincunx_engine::{Budget, CastleBuildersPlayer, Control, Knowledge, Player, Progress, Thought};
use quincunx_games::{
    CastleBuilders,
    castle_builders::{Action, Kind},
};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

fn think(game: &CastleBuilders, nodes: u64, seed: u64) -> Thought<Action> {
    let Turn::Seat(seat) = game.turn() else { panic!("nobody is to think") };
    let clock = Ticking::default();
    let control = Control::new(Budget::nodes(nodes), seed, &clock, &GO);
    CastleBuildersPlayer::default().think(&Knowledge::new(game, seat), &control)
}

fn session(options: &Value, actions: &str) -> Session<CastleBuilders> {
    let mut session = Session::new(2, options_from_json(options).unwrap()).unwrap();
    for action in actions.split("; ") {
        session.apply(None, action).unwrap();
    }
    session
}

#[test]
fn every_option_set_gives_legal_answers_to_the_end() {
    let counters = |numbers: [u8; 6]| -> Value {
        Kind::ALL.iter().zip(numbers).map(|(kind, number)| (kind.letter().to_string(), json!(number))).collect()
    };
    let options = [
        json!({}),
        json!({"heights": [1], "roofs": [3], "rows": [5]}),
        json!({"heights": [8, 1, 3], "roofs": [9, 99, 0], "rows": [1, 2, 3, 4, 5, 6, 7, 8]}),
        json!({"heights": vec![8; 8], "roofs": vec![1; 8], "rows": vec![3; 8], "counters": counters([30, 30, 30, 30, 30, 30])}),
        json!({"counters": counters([1, 0, 0, 0, 0, 0])}),
        json!({"counters": counters([0, 0, 2, 1, 1, 3])}),
        json!({"counters": counters([0, 4, 0, 0, 4, 0])}),
    ];
    for (seed, options) in options.iter().enumerate() {
        let mut game = CastleBuilders::new(2, &options_from_json(options).unwrap()).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed as u64);
        while let Some(actor) = game.turn().actor() {
            let action = match actor {
                Actor::Chance => game.random(actor, &mut rng, &mut Scratch::default()),
                Actor::Seat(_) => {
                    let thought = think(&game, 200, 1);
                    assert_eq!(thought.line, [Step { by: actor, action: thought.action }]);
                    assert!(thought.expected.iter().all(|value| (0.0..=1.0).contains(value)), "{thought:?}");
                    assert!((thought.expected.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                    thought.action
                }
            };
            game.try_play(actor, action).unwrap();
        }
    }
}

#[test]
fn positions_that_the_seat_cannot_tell_apart_get_the_same_thought() {
    let deal = |other: &str| session(&json!({}), &format!("+O; +R; {other}"));
    let [one, other] = [deal("+C; +K"), deal("+S; +O")];
    assert!(one.game() != other.game());
    // Nor does it matter which position is imagined.
    for nodes in [0, 10, 1000, 20_000] {
        assert_eq!(think(one.game(), nodes, 1), think(other.game(), nodes, 2));
    }
    let later = |drawn: &str| session(&json!({}), &format!("+O; +R; +O; +{drawn}; O1; +B; O1; +C"));
    assert_eq!(think(later("S").game(), 5000, 3), think(later("K").game(), 5000, 4));
}

#[test]
fn the_search_ends_when_it_is_told_to() {
    let game = session(&json!({}), "+O; +B; +O; +R");
    let Turn::Seat(seat) = game.game().turn() else { unreachable!() };
    let known = Knowledge::new(game.game(), seat);
    let clock = Ticking::default();
    let control = Control::new(Budget::time(Duration::from_millis(20)), 1, &clock, &GO);
    let nodes = CastleBuildersPlayer::default().think(&known, &control).nodes;
    assert!((16..=512).contains(&nodes), "looks at the clock every 16 nodes: {nodes}");
    let stop = AtomicBool::new(true);
    let control = Control::new(Budget::time(Duration::from_secs(1000)), 1, &clock, &stop);
    let thought = CastleBuildersPlayer::default().think(&known, &control);
    assert_eq!(thought.nodes, 0);
    assert_eq!(game.game().check(Actor::Seat(seat), thought.action), Ok(()));
}

#[test]
fn a_sure_win_is_seen_and_the_search_ends_by_itself() {
    // The only space: an ordinary counter wins at once, removing or waiting does not.
    let options = json!({"heights": [1], "roofs": [5], "rows": [9]});
    let game = session(&options, "+R; +O; +O; +O");
    let deepest = AtomicU64::new(0);
    let watch = |progress: Progress| deepest.store(progress.depth.into(), Ordering::Relaxed);
    let clock = Ticking::default();
    let control = Control::new(Budget::nodes(1_000_000), 1, &clock, &GO).watched_by(&watch);
    let Turn::Seat(seat) = game.game().turn() else { unreachable!() };
    let thought = CastleBuildersPlayer::default().think(&Knowledge::new(game.game(), seat), &control);
    assert_eq!(thought.action.to_string(), "O1");
    assert_eq!(thought.expected, [1.0, 0.0]);
    assert!(thought.nodes < 1000 && deepest.into_inner() > 0, "{} nodes", thought.nodes);
}

#[test]
fn random_play_is_beaten() {
    let mut won = 0;
    for round in 0..40 {
        let mut game = CastleBuilders::new(2, &options_from_json(&json!({})).unwrap()).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(round);
        let clever = (round % 2) as usize;
        while let Some(actor) = game.turn().actor() {
            let action = match actor {
                Actor::Seat(seat) if seat.index() == clever => think(&game, 300, round).action,
                _ => game.random(actor, &mut rng, &mut Scratch::default()),
            };
            game.play(actor, action);
        }
        won += u32::from(game.outcome().unwrap().winners.iter().any(|seat| seat.index() == clever));
    }
    assert!(won >= 36, "{won} of 40");
}

#[test]
fn the_second_seat_expects_to_win_what_it_wins() {
    let options = json!({"heights": [1, 1, 1], "roofs": [1, 9, 1], "rows": [9]});
    let deal = "+O; +S; +O; +O; S; +O";
    // Green is about to take the best roof, has taken it, and fills the last space.
    let first = think(session(&options, deal).game(), 2000, 1);
    assert_eq!(first.action.to_string(), "O2");
    assert!(first.expected[1] > 0.6, "{first:?}");
    let answer = think(session(&options, &format!("{deal}; O2; +O")).game(), 2000, 1);
    assert!(answer.expected[0] < 0.4, "{answer:?}");
    let last = think(session(&options, &format!("{deal}; O2; +O; O1; +O")).game(), 2000, 1);
    assert_eq!(last.action.to_string(), "O3");
    assert_eq!(last.expected, [0.0, 1.0]);
    assert_eq!(last.lines[0].expected, [0.0, 1.0]);
}

#[test]
fn a_level_gets_a_line_for_each_action_and_the_best_one_first() {
    let game = session(&json!({}), "+O; +R; +O; +O; O1; +B; O2; +O");
    let Turn::Seat(seat) = game.game().turn() else { unreachable!() };
    let clock = Ticking::default();
    let mut actions = Vec::new();
    game.game().actions(seat, &mut actions);
    for nodes in [0, 10, 1000, 20_000] {
        let control = Control::new(Budget::nodes(nodes), 1, &clock, &GO).with_lines(usize::MAX);
        let thought = CastleBuildersPlayer::default().think(&Knowledge::of(&game, seat), &control);
        assert_eq!(thought.lines.len(), actions.len());
        assert!(actions.iter().all(|action| thought.lines.iter().any(|line| line.action() == *action)));
        assert!(thought.lines.is_sorted_by(|one, other| one.expected[0] >= other.expected[0]), "{thought:?}");
        let depth = thought.lines[0].depth;
        assert!(thought.lines.iter().all(|line| line.depth == depth && line.visits == 0));
        assert_eq!(depth > 0, nodes >= 1000);
    }
}

#[test]
fn what_is_asked_about_has_the_value_that_it_has_among_all_lines() {
    let game = session(&json!({}), "+O; +S; +O; +O; O1; +B; O2; +O");
    let Turn::Seat(seat) = game.game().turn() else { unreachable!() };
    let clock = Ticking::default();
    let control = Control::new(Budget::nodes(50_000), 1, &clock, &GO);
    let all = CastleBuildersPlayer::default().think(&Knowledge::of(&game, seat), &control.with_lines(usize::MAX));
    for line in &all.lines {
        let known = Knowledge::of(&game, seat).asking(line.action());
        let thought = CastleBuildersPlayer::default().think(&known, &control);
        let asked = thought.lines.iter().find(|other| other.action() == line.action()).unwrap();
        assert!(asked.depth == thought.lines[0].depth && asked.depth >= line.depth);
        if asked.depth == line.depth {
            assert!((asked.expected[0] - line.expected[0]).abs() < 1e-5, "{asked:?} {line:?}");
        }
    }
}
