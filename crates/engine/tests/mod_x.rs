//! The player of Mod X: legal in every kind of game, the same answer twice, stopped at once, and a suite of positions.

mod common;

use std::{sync::atomic::AtomicBool, time::Duration};

use common::{GO, Ticking};
use quincunx_core::{Actor, Game, Scratch, Seat, Session, Step, Turn, options_from_json};
use quincunx_engine::{Budget, Control, Knowledge, ModXPlayer, Player, Thought};
use quincunx_games::{ModX, mod_x::Action};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

fn start(seats: u8, options: &Value) -> ModX {
    ModX::new(seats, &options_from_json(options).unwrap()).unwrap()
}

fn think(player: &mut ModXPlayer, game: &ModX, nodes: u64, seed: u64) -> Thought<Action> {
    let Turn::Seat(seat) = game.turn() else { panic!("nobody is to think") };
    let clock = Ticking::default();
    player.think(&Knowledge::new(game, seat), &Control::new(Budget::nodes(nodes), seed, &clock, &GO))
}

/// A position some random actions into a game.
fn midgame(seats: u8, options: &Value, seed: u64, plies: usize) -> ModX {
    let mut game = start(seats, options);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for _ in 0..plies {
        let Some(actor) = game.turn().actor() else { break };
        let action = game.random(actor, &mut rng, &mut Scratch::default());
        game.play(actor, action);
    }
    if game.turn() == Turn::Over { midgame(seats, options, seed + 1000, plies) } else { game }
}

#[test]
fn whole_games_are_legal_with_all_options_and_seats() {
    let tables = [
        (2, json!({})),
        (3, json!({})),
        (4, json!({})),
        (4, json!({"teams": true})),
        (2, json!({"joker_win": false, "pieces": 30, "markers": 64, "target": 64})),
        (3, json!({"pieces": 5, "markers": 5, "target": 1})),
        (2, json!({"claims": "manual"})),
        (3, json!({"claims": "manual", "markers": 5})),
        (4, json!({"claims": "manual", "teams": true, "pieces": 8})),
    ];
    for (round, (seats, options)) in tables.into_iter().enumerate() {
        let mut player = ModXPlayer::default();
        let mut game = start(seats, &options);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(round as u64);
        let mut ply = 0;
        while let Turn::Seat(seat) = game.turn() {
            ply += 1;
            // Every fourth action is any, so that patterns are overlooked and odd positions arise.
            if ply % 4 == 0 {
                let action = game.random(Actor::Seat(seat), &mut rng, &mut Scratch::default());
                game.play(Actor::Seat(seat), action);
                continue;
            }
            let thought = think(&mut player, &game, 60, ply);
            assert_eq!(
                thought.line[0],
                Step { by: Actor::Seat(seat), action: thought.action },
                "the line begins with the action"
            );
            assert_eq!(thought.expected.len(), seats as usize);
            assert!(thought.expected.iter().all(|value| (0.0..=1.0).contains(value)), "{:?}", thought.expected);
            let mut line = game.clone();
            for &Step { by, action } in &thought.line {
                assert_eq!(line.try_play(by, action), Ok(()), "{options} {action}");
            }
            game.try_play(Actor::Seat(seat), thought.action).unwrap();
        }
    }
}

#[test]
fn a_search_with_the_same_seed_and_nodes_gives_the_same_answer_twice() {
    let game = midgame(3, &json!({}), 5, 30);
    let mut used = ModXPlayer::default();
    let first = think(&mut used, &game, 3000, 1);
    assert_eq!(first.nodes, 3000);
    think(&mut used, &midgame(2, &json!({}), 6, 20), 500, 1);
    assert_eq!(think(&mut used, &game, 3000, 1), first, "what was thought before does not matter");
    assert_eq!(think(&mut ModXPlayer::default(), &game, 3000, 1), first);
}

#[test]
fn without_any_node_there_is_still_an_answer() {
    for (seats, plies) in [(2, 0), (2, 3), (4, 25)] {
        let game = midgame(seats, &json!({}), 2, plies);
        let Turn::Seat(seat) = game.turn() else { unreachable!() };
        let thought = think(&mut ModXPlayer::default(), &game, 0, 1);
        assert_eq!(game.check(Actor::Seat(seat), thought.action), Ok(()));
    }
}

#[test]
fn a_search_ends_when_its_time_is_over_or_when_it_is_stopped() {
    let game = midgame(2, &json!({}), 1, 12);
    let Turn::Seat(seat) = game.turn() else { unreachable!() };
    let known = Knowledge::new(&game, seat);
    let clock = Ticking::default();
    let control = Control::new(Budget::time(Duration::from_millis(20)), 1, &clock, &GO);
    let nodes = ModXPlayer::default().think(&known, &control).nodes;
    assert!((16..=512).contains(&nodes), "looks at the clock every 16 nodes: {nodes}");
    let stop = AtomicBool::new(true);
    let control = Control::new(Budget::time(Duration::from_secs(1000)), 1, &clock, &stop);
    assert_eq!(ModXPlayer::default().think(&known, &control).nodes, 0);
}

#[test]
fn memory_bounds_the_tree_and_the_search_goes_on() {
    let game = midgame(2, &json!({}), 1, 12);
    let Turn::Seat(seat) = game.turn() else { unreachable!() };
    let clock = Ticking::default();
    let budget = Budget { memory: 20_000, ..Budget::nodes(3000) };
    let thought = ModXPlayer::default().think(&Knowledge::new(&game, seat), &Control::new(budget, 1, &clock, &GO));
    assert_eq!(thought.nodes, 3000);
}

#[test]
fn an_overlooked_pattern_is_claimed_out_of_turn() {
    // Seat 0 has completed a row of five and said done without claiming it.
    let actions = "*a8; *c8; *e8; *g8; *h6; a3; done; a4; done; a1; done; c3; done; c4; done; b1; done; e3; done; e5; \
                   done; c1; done; g3; done; g4; done; d1; done; h1; done; a6; done; e1; done";
    let game = session(3, &json!({"claims": "manual"}), actions);
    let clock = Ticking::default();
    let control = Control::new(Budget::nodes(1000), 1, &clock, &GO);
    let known = Knowledge::new(game.game(), Seat::new(2));
    let thought = ModXPlayer::default().interject(&known, &control).expect("five points");
    assert!(matches!(thought.action, Action::Touch(_)), "{}", thought.action);
    // So does the seat on turn, before it places.
    let own = think(&mut ModXPlayer::default(), game.game(), 1000, 1);
    assert!(matches!(own.action, Action::Touch(_)), "{}", own.action);
}

/// The outcome of a game of two for seat 0, by looking at all there is: 0 lost, 1 drawn, 2 won. Nothing if that takes too
/// long.
fn exhaustive(game: &ModX, depth: u32) -> Option<u8> {
    if let Some(outcome) = game.outcome() {
        let won = u8::from(outcome.winners.contains(Seat::new(0)));
        return Some(if outcome.winners.is_empty() { 1 } else { 2 * won });
    }
    let Turn::Seat(seat) = game.turn() else { unreachable!() };
    if depth == 0 {
        return None;
    }
    let goal = if seat.number() == 0 { 2 } else { 0 };
    let mut actions = Vec::new();
    game.actions(seat, &mut actions);
    let mut best = 2 - goal;
    let mut unknown = false;
    for action in actions {
        let mut next = game.clone();
        next.play(Actor::Seat(seat), action);
        match exhaustive(&next, depth - 1) {
            Some(value) if value == goal => return Some(goal),
            Some(value) => best = if goal == 2 { best.max(value) } else { best.min(value) },
            None => unknown = true,
        }
    }
    (!unknown).then_some(best)
}

#[test]
fn what_the_search_takes_for_decided_is_what_looking_at_everything_gives() {
    let mut compared = 0;
    for seed in 0..60 {
        let options = json!({"pieces": 6, "markers": 6, "target": 6});
        let game = midgame(2, &options, seed, 5 + 9 + seed as usize % 2);
        let thought = think(&mut ModXPlayer::default(), &game, 20_000, seed);
        let decided = thought.nodes < 20_000;
        if let Some(value) = exhaustive(&game, 3).filter(|_| decided) {
            assert_eq!((2.0 * thought.expected[0]) as u8, value, "seed {seed}");
            compared += 1;
        }
    }
    assert!(compared >= 10, "{compared}");
}

/// A position some actions into a game in which all act at random, but one seat completes what it can.
fn unfair(seats: u8, options: &Value, seed: u64, plies: usize) -> ModX {
    let mut game = start(seats, options);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let favoured = Seat::new((seed % u64::from(seats)) as u8);
    for _ in 0..plies {
        let Turn::Seat(seat) = game.turn() else {
            return unfair(seats, options, seed + 1000 * u64::from(seats), plies);
        };
        let mut action = game.random(Actor::Seat(seat), &mut rng, &mut Scratch::default());
        let mut actions = Vec::new();
        game.actions(seat, &mut actions);
        let gains = |action: &Action| {
            let mut after = game.clone();
            after.play(Actor::Seat(seat), *action);
            after.score(seat) > game.score(seat) && after.turn() != Turn::Over
        };
        if let Some(gain) = actions.into_iter().find(gains).filter(|_| seat == favoured) {
            action = gain;
        }
        game.play(Actor::Seat(seat), action);
    }
    if game.turn() == Turn::Over { unfair(seats, options, seed + 1000 * u64::from(seats), plies) } else { game }
}

#[test]
fn a_search_that_first_looks_at_two_actions_of_a_position_proves_nothing_wrong_and_finds_the_others() {
    let mut decided = [0; 3];
    for seed in 0..80 {
        let options = json!({"pieces": 6, "markers": 6, "target": 6});
        let game = midgame(2, &options, seed, 5 + 9 + seed as usize % 2);
        let mut player = ModXPlayer::default();
        player.settings.width = 2;
        let thought = think(&mut player, &game, 20_000, seed);
        let Some(value) = exhaustive(&game, 3) else { continue };
        if thought.nodes < 20_000 {
            assert_eq!((2.0 * thought.expected[0]) as u8, value, "seed {seed}");
            decided[value as usize] += 1;
        }
    }
    assert!(decided.iter().sum::<u32>() >= 10 && decided[0] > 0 && decided[2] > 0, "{decided:?}");
}

#[test]
fn each_seat_expects_much_where_it_is_ahead_and_little_where_it_is_behind() {
    let mut seen = [[(0.0, 0.0); 2]; 2];
    for seed in 0..600 {
        let game = unfair(2, &json!({}), seed, 33 + seed as usize / 2 % 2);
        let Turn::Seat(seat) = game.turn() else { unreachable!() };
        let lead = game.score(seat) - game.score(Seat::new(1 - seat.number()));
        if lead.abs() < 8 {
            continue;
        }
        let thought = think(&mut ModXPlayer::default(), &game, 300, 1);
        let (sum, count) = &mut seen[seat.index()][usize::from(lead > 0)];
        *sum += thought.expected[seat.index()];
        *count += 1.0;
    }
    for [(behind, lost), (ahead, won)] in seen {
        assert!(lost >= 2.0 && won >= 2.0, "{seen:?}");
        // Who is on turn has something to say, too, in positions as wild as these.
        assert!(behind / lost + 0.05 < ahead / won, "{seen:?}");
    }
}

/// Whether the seat to move has an action that wins the game at once.
fn wins_at_once(game: &ModX) -> bool {
    let Turn::Seat(seat) = game.turn() else { return false };
    let mut actions = Vec::new();
    game.actions(seat, &mut actions);
    actions.into_iter().any(|action| {
        let mut next = game.clone();
        next.play(Actor::Seat(seat), action);
        next.outcome().is_some_and(|outcome| outcome.winners.contains(seat))
    })
}

/// A defence against the next player is also for the good of the two others; it is made nevertheless.
#[test]
fn of_four_single_players_one_stops_the_next_from_winning_at_once() {
    let mut threats = 0;
    for seed in 0..400 {
        let game = midgame(4, &json!({"target": 5}), seed, 40);
        let Turn::Seat(seat) = game.turn() else { unreachable!() };
        let mut actions = Vec::new();
        game.actions(seat, &mut actions);
        let defends = |action: Action| {
            let mut next = game.clone();
            next.play(Actor::Seat(seat), action);
            next.turn() == Turn::Seat(seat) || !wins_at_once(&next)
        };
        let defences = actions.iter().filter(|&&action| defends(action)).count();
        if wins_at_once(&game) || defences == 0 || defences == actions.len() {
            continue;
        }
        threats += 1;
        let chosen = think(&mut ModXPlayer::default(), &game, 400, 1).action;
        assert!(defends(chosen), "seed {seed}: {chosen:?}");
    }
    assert!(threats >= 10, "{threats}");
}

/// What the search says about all lines, or about one action.
fn ask(game: &ModX, nodes: u64, lines: usize, asked: Option<Action>) -> Thought<Action> {
    let Turn::Seat(seat) = game.turn() else { panic!("nobody is to think") };
    let clock = Ticking::default();
    let known = Knowledge::new(game, seat);
    let known = if let Some(asked) = asked { known.asking(asked) } else { known };
    ModXPlayer::default().think(&known, &Control::new(Budget::nodes(nodes), 1, &clock, &GO).with_lines(lines))
}

#[test]
fn there_is_a_line_for_every_action_and_the_best_one_is_the_first() {
    for (seats, seed) in [(2, 1), (3, 2), (2, 3)] {
        let game = midgame(seats, &json!({}), seed, 14);
        let Turn::Seat(seat) = game.turn() else { unreachable!() };
        let thought = ask(&game, 300, usize::MAX, None);
        let mut actions = Vec::new();
        game.actions(seat, &mut actions);
        let mut told: Vec<String> = thought.lines.iter().map(|line| line.action().to_string()).collect();
        let mut legal: Vec<String> = actions.iter().map(ToString::to_string).collect();
        told.sort();
        legal.sort();
        assert_eq!(told, legal);
        assert_eq!(thought.lines.iter().map(|line| line.visits).sum::<u64>(), thought.nodes);
        assert!(thought.lines.is_sorted_by_key(|line| std::cmp::Reverse(line.visits)));
        assert_eq!(thought.lines.iter().filter(|line| line.depth == 0).count(), {
            thought.lines.iter().filter(|line| line.visits == 0).count()
        });
        for line in &thought.lines {
            assert!((line.expected.iter().sum::<f32>() - 1.0).abs() < 1e-3, "{:?}", line.expected);
            let mut after = game.clone();
            for &Step { by, action } in &line.steps {
                assert_eq!(after.try_play(by, action), Ok(()));
            }
        }
        assert_eq!(ask(&game, 300, 3, None).lines, thought.lines[..3]);
        assert_eq!(ask(&game, 300, 1, None).lines, thought.lines[..1]);
    }
}

#[test]
fn an_action_that_is_asked_about_gets_its_share_and_is_not_taken_for_better_than_it_is() {
    let game = midgame(2, &json!({}), 3, 20);
    let all = ask(&game, 2000, usize::MAX, None);
    let worst = all.lines.last().unwrap().action();
    let thought = ask(&game, 2000, 1, Some(worst));
    let line = thought.lines.iter().find(|line| line.action() == worst).expect("a line for what is asked");
    assert!(line.visits >= 490, "{} visits", line.visits);
    assert_ne!(thought.action, worst);
    assert_eq!(thought.lines.len(), 2);
    // Also where the game is won another way before it was looked at.
    let won = session(
        2,
        &json!({"target": 8}),
        "*a7; *c3; *d8; *f7; *h3; d2; g6; b2; c2; d4; b4; e5; f6; a1; *e3; f5; e6; f4; g5; f3; *c5",
    );
    let asked = "h8".parse().unwrap();
    let thought = ask(won.game(), 2000, 1, Some(asked));
    assert_eq!(won.game().turn(), Turn::Seat(Seat::new(1)));
    assert_eq!(thought.expected, [0.0, 1.0]);
    assert!(thought.lines.iter().find(|line| line.action() == asked).unwrap().visits > 400);
}

#[test]
fn every_touch_of_a_claim_has_a_line_if_it_is_asked_about() {
    let actions = "*a8; *c8; *e8; *g8; *h6; a3; done; a4; done; a1; done; c3; done; c4; done; b1; done; e3; done; e5; \
                   done; c1; done; g3; done; g4; done; d1; done; h1; done; a6; done; e1; done";
    let game = session(3, &json!({"claims": "manual"}), actions);
    for touch in ["!a1", "!b1", "!c1", "!d1", "!e1"] {
        let asked = touch.parse().unwrap();
        let thought = ask(game.game(), 300, 1, Some(asked));
        assert!(thought.lines.iter().any(|line| line.action() == asked && line.visits > 70), "{touch}");
    }
}

fn session(seats: u8, options: &Value, actions: &str) -> Session<ModX> {
    let mut session = Session::new(seats, options_from_json(options).unwrap()).unwrap();
    for action in actions.split(';').map(str::trim).filter(|action| !action.is_empty()) {
        session.apply(None, action).unwrap();
    }
    session
}

/// Lines `seats and options | actions | find or avoid actions`, each verified by looking at every line of play.
const SUITE: &str = include_str!("../suites/mod-x.txt");

#[test]
fn the_suite_is_solved() {
    let mut player = ModXPlayer::default();
    let mut failed = Vec::new();
    let lines: Vec<&str> = SUITE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(lines.len() >= 20);
    for line in lines {
        let [table, actions, task] = line.splitn(3, " | ").collect::<Vec<_>>().try_into().expect("three parts");
        let mut options: Value = serde_json::from_str(table).unwrap();
        let seats = options.as_object_mut().unwrap().remove("seats").unwrap().as_u64().unwrap() as u8;
        let game = session(seats, &options, actions);
        let answer = think(&mut player, game.game(), 20_000, 1).action.to_string();
        let (word, listed) = task.split_once(' ').unwrap();
        let among = listed.split(',').any(|action| action.trim() == answer);
        if among != (word == "find") {
            failed.push(format!("{answer}, but {task}: {table} | {actions}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
