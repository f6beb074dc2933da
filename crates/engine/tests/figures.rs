//! The player of Figures from outside: what it finds, that it keeps to the rules and to its budget.

mod common;

use std::{
    sync::{Mutex, atomic::AtomicBool},
    time::Duration,
};

use common::{GO, Ticking};
use quincunx_core::{Actor, Game, Scratch, Seat, Session, Step, Turn, Viewer, options_from_json};
use quincunx_engine::{Budget, Control, FiguresPlayer, Knowledge, Line, Player, Progress, Thought};
use quincunx_games::{
    Figures,
    figures::{Action, Colour},
};
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

/// Nodes for the whole turn at each position of the suite.
const SUITE_NODES: u64 = 10_000;

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
            // A random step now and then.
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

/// Plays a game with itself, each step by the player that is given for it.
fn play_with(
    nodes: u64,
    options: &Value,
    mut step: impl FnMut(&Knowledge<'_, Figures>, &Control<'_>) -> Action,
) -> Session<Figures> {
    let mut session: Session<Figures> = Session::new(2, options_from_json(options).unwrap()).unwrap();
    let clock = Ticking::default();
    while let Turn::Seat(seat) = session.game().turn() {
        let control = Control::new(Budget::nodes(nodes), session.ply() as u64, &clock, &GO);
        let action = step(&Knowledge::of(&session, seat), &control).to_string();
        session.apply(None, &action).unwrap();
    }
    session
}

#[test]
fn a_turn_costs_about_one_budget_and_a_kept_player_plays_as_new_ones_do() {
    let (nodes, options) = (800, json!({"turn_limit": 40}));
    let mut used = 0;
    let fresh = play_with(nodes, &options, |known, control| {
        let thought = FiguresPlayer::default().think(known, control);
        used += thought.nodes;
        thought.action
    });
    let mut player = FiguresPlayer::default();
    let kept = play_with(nodes, &options, |known, control| player.think(known, control).action);
    assert_eq!(kept.log(Viewer::Everything), fresh.log(Viewer::Everything));
    let turns = 40 - u64::from(fresh.game().turns_left());
    assert!(turns > 20 && used <= turns * nodes + nodes, "{used} nodes in {turns} turns");
    assert!(used > turns * nodes * 3 / 4, "{used} nodes in {turns} turns");
}

#[test]
fn with_time_alone_the_steps_of_a_turn_are_played_as_planned() {
    let mut game = new_game(2, &json!({}));
    let mut player = FiguresPlayer::default();
    let clock = Ticking::default();
    let mut think = |game: &Figures| {
        let Turn::Seat(seat) = game.turn() else { panic!("nobody is to think") };
        let control = Control::new(Budget::time(Duration::from_millis(100)), 1, &clock, &GO);
        player.think(&Knowledge::new(game, seat), &control)
    };
    let first = think(&game);
    assert!(first.nodes > 500);
    let own = first.line.iter().take_while(|step| step.by == first.line[0].by).count();
    assert_eq!(own, 4, "two stones, an exchange, a return");
    for (number, &Step { by, action }) in first.line[..own].iter().enumerate() {
        if number > 0 {
            let next = think(&game);
            assert_eq!((next.action, next.nodes, &next.line[..]), (action, 0, &first.line[number..]));
        }
        game.play(by, action);
    }
    // In another position than the expected one it thinks anew.
    let mut other = new_game(2, &json!({}));
    let planned = think(&other).action;
    let unplanned = [Action::Take(Colour::Red), Action::Take(Colour::Yellow)].into_iter().find(|&take| take != planned);
    other.play(Actor::Seat(Seat::new(0)), unplanned.unwrap());
    assert!(think(&other).nodes > 0);
}

#[test]
fn a_new_player_for_every_step_does_not_come_back_to_where_it_was() {
    // Without a look at the game so far, most of these turns undo the one before.
    let options = json!({"layout": "nybnnyyrbygrbryggrrngngbb", "turn_limit": 80});
    let session = play_with(300, &options, |known, control| FiguresPlayer::default().think(known, control).action);
    let mut keys = Vec::new();
    session.replay(Viewer::Everything, 0, |before, by, action| {
        let mut after = before.clone();
        after.play(by, action.unwrap());
        if matches!(action, Some(Action::Return(_))) {
            // The turns that were made say nothing about where the markers and stones are.
            let display = Colour::ALL.map(|colour| after.markers_of(colour));
            let sides = [0, 1].map(|side| (after.stones_of(side), after.points_of(side)));
            keys.push((display, sides, after.times_made(), after.turn()));
        }
    });
    let repeated = (0..keys.len()).filter(|&turn| keys[..turn].contains(&keys[turn])).count();
    assert!(keys.len() > 50 && repeated * 10 < keys.len(), "{repeated} of {} turns", keys.len());
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

/// A position in which seat 1 is on turn, and one side is far ahead.
fn one_sided(seats: u8, ahead: u8, seed: u64) -> Figures {
    let mut game = new_game(seats, &json!({}));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    loop {
        let Turn::Seat(seat) = game.turn() else { panic!("the game is over") };
        let lead = i32::from(game.points_of(ahead.into())) - i32::from(game.points_of(1 - usize::from(ahead)));
        let mut legal = Vec::new();
        game.actions(seat, &mut legal);
        if seat == Seat::new(1) && lead >= 25 && matches!(legal[0], Action::Take(_)) {
            return game;
        }
        let action = if game.side(seat) == ahead {
            think(&mut FiguresPlayer::default(), &game, 100).action
        } else {
            game.random(Actor::Seat(seat), &mut rng, &mut Scratch::default())
        };
        game.play(Actor::Seat(seat), action);
    }
}

#[test]
fn the_second_seat_knows_whether_it_is_ahead_in_every_line() {
    for (seats, ahead) in [(2, 0), (2, 1), (4, 0), (4, 1)] {
        let game = one_sided(seats, ahead, 7);
        let seat = Seat::new(1);
        let clock = Ticking::default();
        for (lines, nodes) in [(1, 300), (5, 300), (usize::MAX, 300), (usize::MAX, 10)] {
            let control = Control::new(Budget::nodes(nodes), 1, &clock, &GO).with_lines(lines);
            let progress = Mutex::new(Vec::new());
            let watch = |told: Progress| progress.lock().unwrap().push(told.value);
            let thought = FiguresPlayer::default().think(&Knowledge::new(&game, seat), &control.watched_by(&watch));
            let right = |expected: &[f32]| {
                let side = |seat: Seat| expected[seat.index()];
                Seat::all(seats).all(|seat| if game.side(seat) == ahead { side(seat) > 0.9 } else { side(seat) < 0.1 })
            };
            assert!(right(&thought.expected), "{ahead}: {:?}", thought.expected);
            assert!(thought.lines.iter().all(|line| line.expected.len() == seats as usize && right(&line.expected)));
            assert!(thought.lines.len() >= lines.min(5));
            let told = progress.into_inner().unwrap();
            assert!(told.iter().all(|&value| if ahead == 1 { value > 0.9 } else { value < 0.1 }), "{told:?}");
        }
    }
}

#[test]
fn lines_are_whole_turns_sorted_and_tell_what_is_proven() {
    let mut proven = 0;
    for seed in 0..8 {
        let mut game = new_game([2, 4][seed as usize % 2], &json!({"target": 12, "turn_limit": 30}));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut player = FiguresPlayer::default();
        while let Turn::Seat(seat) = game.turn() {
            let mut legal = Vec::new();
            game.actions(seat, &mut legal);
            let asked = legal[rng.random_range(0..legal.len())];
            let clock = Ticking::default();
            let lines = [1, 3, usize::MAX][seed as usize % 3];
            let control = Control::new(Budget::nodes(400), 1, &clock, &GO).with_lines(lines);
            let thought = player.think(&Knowledge::new(&game, seat).asking(asked), &control);
            assert!(thought.lines.iter().any(|line| line.action() == asked));
            let known = legal.iter().all(|&action| thought.lines.iter().any(|line| line.action() == action));
            assert!(known || lines < usize::MAX, "every action has a line");
            let own = |line: &Line<Action>| line.expected[seat.index()];
            assert!(thought.lines.is_sorted_by(|a, b| own(a) >= own(b)) || lines == usize::MAX);
            assert_eq!((thought.action, &thought.line), (thought.lines[0].action(), &thought.lines[0].steps));
            for line in &thought.lines {
                let mut ahead = game.clone();
                let turn = line.steps.iter().take_while(|step| step.by == Actor::Seat(seat)).count();
                for (number, &Step { by, action }) in line.steps.iter().enumerate() {
                    assert!(number != turn || ahead.turn() != Turn::Seat(seat));
                    ahead.try_play(by, action).unwrap();
                }
                assert!(turn < line.steps.len() || ahead.turn() != Turn::Seat(seat), "a whole turn");
                if ahead.outcome().is_some_and(|outcome| outcome.winners.contains(seat)) && line.depth == 1 {
                    assert!(own(line) >= 1.0);
                    proven += 1;
                }
            }
            game.play(Actor::Seat(seat), thought.action);
        }
    }
    assert!(proven > 0);
}
