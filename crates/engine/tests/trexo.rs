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

/// An answer with every line, and as if somebody asked about an action.
fn think_of_all(player: &mut TrexoPlayer, game: &Trexo, nodes: u64, asked: Option<Action>) -> Thought<Action> {
    let Turn::Seat(seat) = game.turn() else { panic!("nobody is to think") };
    let clock = Ticking::default();
    let control = Control::new(Budget::nodes(nodes), 1, &clock, &GO).with_lines(usize::MAX);
    let known = Knowledge::new(game, seat);
    player.think(&if let Some(asked) = asked { known.asking(asked) } else { known }, &control)
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
fn a_player_that_is_kept_for_a_whole_game_answers_as_new_ones_do() {
    for options in [json!({"swap": true}), json!({"size": 6, "tiles": 20})] {
        let mut kept = TrexoPlayer::default();
        let mut game = played(&options, "").game().clone();
        while let Turn::Seat(_) = game.turn() {
            let asked = actions_of(&game).last().copied();
            let thought = think_of_all(&mut kept, &game, 100, asked);
            assert_eq!(thought, think_of_all(&mut TrexoPlayer::default(), &game, 100, asked));
            game = after(&game, thought.action);
        }
    }
}

#[test]
fn every_legal_action_has_a_line_and_the_best_one_is_first() {
    for (options, actions) in [
        (json!({}), ""),
        (json!({}), "e5f5; d4d5; e6f6"),
        (json!({"swap": true}), ""),
        (json!({"swap": true}), "e5e4"),
        (json!({"swap": true}), "a1a2"),
        (json!({}), "a5a6; j1j2; b5b4; j3j4; c5c6; j5j6; d5d4; j7j8"),
        (json!({}), "a5a6; j1j2; b5b4; j3j4; c5c6; j5j6; d5d4"),
    ] {
        let session = played(&options, actions);
        let Turn::Seat(seat) = session.game().turn() else { unreachable!() };
        for nodes in [0, 1, 20, 500] {
            let thought = think_of_all(&mut TrexoPlayer::default(), session.game(), nodes, None);
            let mut told: Vec<_> = thought.lines.iter().map(|line| line.action().to_string()).collect();
            let mut legal: Vec<_> = actions_of(session.game()).iter().map(ToString::to_string).collect();
            told.sort();
            legal.sort();
            assert_eq!(told, legal);
            assert_eq!(thought.action, thought.lines[0].action());
            assert_eq!(thought.nodes, nodes, "{actions}: other lines are looked at also if one wins");
            for line in &thought.lines {
                let mut game = session.game().clone();
                for &Step { by, action } in &line.steps {
                    assert_eq!(game.try_play(by, action), Ok(()), "{options} {actions}: {line:?}");
                }
                assert!((line.expected.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{line:?}");
                assert_eq!(line.depth > 0, line.visits > 0, "{line:?}");
                assert!(line.depth as usize <= line.steps.len());
            }
            let tiles = || thought.lines.iter().filter(|line| line.action() != Action::Swap);
            assert_eq!(tiles().map(|line| line.visits).sum::<u64>(), nodes);
            // Of those that nothing is proven about, the most visited come first.
            let open = tiles().filter(|line| (0.001..0.999).contains(&line.expected[seat.index()]));
            assert!(open.map(|line| line.visits).is_sorted_by(|a, b| a >= b));
        }
        let one = think(&mut TrexoPlayer::default(), session.game(), Budget::nodes(500), 1);
        assert_eq!(one.lines.len(), 1);
        let all = think_of_all(&mut TrexoPlayer::default(), session.game(), 500, None);
        assert_eq!(one.action, all.action, "the number of lines does not change the answer");
    }
}

#[test]
fn a_swap_is_worth_what_the_other_side_has() {
    for (first, good) in [("e5e4", true), ("a1a2", false)] {
        let session = played(&json!({"swap": true}), first);
        let thought = think_of_all(&mut TrexoPlayer::default(), session.game(), 1000, None);
        let place = thought.lines.iter().position(|line| line.action() == Action::Swap).unwrap();
        let best_tile = thought.lines.iter().find(|line| line.action() != Action::Swap).unwrap();
        let [swap, tile] = [&thought.lines[place], best_tile].map(|line| line.expected[1]);
        assert!((swap + tile - 1.0).abs() < 1e-5, "{swap} {tile}");
        assert_eq!(place == 0, swap > tile, "{good}");
        assert_eq!(thought.expected, thought.lines[0].expected);
        // Also if it is asked about, and only one line is wanted.
        let clock = Ticking::default();
        let known = Knowledge::new(session.game(), Seat::new(1)).asking(Action::Swap);
        let control = Control::new(Budget::nodes(1000), 1, &clock, &GO);
        let asked = TrexoPlayer::default().think(&known, &control);
        assert!(asked.lines.iter().any(|line| line.action() == Action::Swap && (line.expected[1] - swap).abs() < 1e-6));
        assert!(asked.lines.len() == if place == 0 { 1 } else { 2 });
    }
}

#[test]
fn a_tile_that_somebody_asks_about_gets_its_share_of_the_search() {
    for (actions, asked) in [
        ("e5f5; d4d5; e6f6", "a1a2"),
        // There is a win, and it is no answer to what the other tile is worth.
        ("a5a6; j1j2; b5b4; j3j4; c5c6; j5j6; d5d4; j7j8", "h1h2"),
    ] {
        let session = played(&json!({}), actions);
        let Turn::Seat(seat) = session.game().turn() else { unreachable!() };
        let asked = session.check(Actor::Seat(seat), asked).unwrap();
        let known = || Knowledge::new(session.game(), seat).asking(asked);
        for lines in [1, 5, usize::MAX] {
            let clock = Ticking::default();
            let control = Control::new(Budget::nodes(1000), 1, &clock, &GO).with_lines(lines);
            let thought = TrexoPlayer::default().think(&known(), &control);
            let line = thought.lines.iter().find(|line| line.action() == asked).unwrap();
            assert!(line.visits >= 249, "{} visits of {lines} lines", line.visits);
            assert!(thought.lines.len() >= lines.min(6) && thought.lines.len() <= lines.saturating_add(1));
        }
    }
}

#[test]
fn a_threat_is_answered_with_hardly_a_node() {
    let suite = include_str!("../suites/trexo.txt");
    let threats = suite.split("# ").find(|part| part.starts_with("A threat that must be met")).unwrap();
    let mut positions = 0;
    for line in threats.lines().skip(1).filter(|line| !line.is_empty()) {
        let [options, actions, task] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let answers = task.strip_prefix("find ").unwrap();
        for nodes in [1, 20] {
            let thought = thought_after(&serde_json::from_str(options).unwrap(), actions, nodes);
            let answered = answers.split(',').any(|action| action == thought.action.to_string());
            assert!(answered, "{} with {nodes} nodes in {line}", thought.action);
        }
        positions += 1;
    }
    assert!(positions >= 10, "{positions}");
}

#[test]
fn who_is_clearly_ahead_wins_whoever_is_on_turn() {
    // By the seat that is on turn when one of them is clearly ahead.
    let mut games = [0; 2];
    let mut as_expected = [0; 2];
    for seed in 0..60 {
        let (options, actions) = if seed % 2 == 0 { (json!({}), "") } else { (json!({"swap": true}), "e5e4; swap") };
        let mut game = played(&options, actions).game().clone();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..6 + seed % 5 {
            game = after(&game, game.random(game.turn().actor().unwrap(), &mut rng, &mut Scratch::default()));
        }
        let mut player = TrexoPlayer::default();
        let mut clear = None;
        while let Turn::Seat(seat) = game.turn() {
            let thought = think(&mut player, &game, Budget::nodes(60), 1);
            let of_second = thought.expected[1];
            assert_eq!(thought.lines[0].expected, thought.expected);
            if clear.is_none() && !(0.25..0.75).contains(&of_second) && of_second > 0.0 && of_second < 1.0 {
                clear = Some((seat, Seat::new(u8::from(of_second > 0.5))));
            }
            game = after(&game, thought.action);
        }
        let winners = game.outcome().unwrap().winners;
        if let Some((seat, ahead)) = clear
            && !winners.is_empty()
        {
            games[seat.index()] += 1;
            as_expected[seat.index()] += u32::from(winners.contains(ahead));
        }
    }
    for (games, as_expected) in games.into_iter().zip(as_expected) {
        assert!(games >= 5 && as_expected * 3 >= games * 2, "{as_expected} of {games}");
    }
}

#[test]
fn what_is_proven_is_certain_for_both_seats() {
    for (actions, nodes, expected) in [
        ("a5a6; j1j2; b5b4; j3j4; c5c6; j5j6; d5d4; j7j8", 10, [1.0, 0.0]),
        ("a1a2; b6b5; j1j2; c4c5; j3j4; d6d5; j5j6; e4e5; j7j8", 10, [0.0, 1.0]),
    ] {
        let thought = think_of_all(&mut TrexoPlayer::default(), played(&json!({}), actions).game(), nodes, None);
        assert_eq!(thought.expected, expected);
        assert_eq!(thought.lines[0].expected, expected);
    }
    let actions = "d3d2; f8g8; e9e10; h2h3; c9c10; i10j10; g1h1; h6g6; c3b3; b9b8; i5j5";
    // Every tile of the second seat leaves the other one a five.
    let lost = think_of_all(&mut TrexoPlayer::default(), played(&json!({}), actions).game(), 2000, None);
    assert_eq!(lost.expected, [1.0, 0.0]);
    assert!(lost.lines.iter().all(|line| line.expected == [1.0, 0.0]));
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
