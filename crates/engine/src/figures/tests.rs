//! The search against a plain one, and the fast lists of turns against slow ones.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use quincunx_core::{Actor, Game, Scratch, Turn, options_from_json};
use quincunx_games::figures::{Action, Figures, Options};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

use super::{
    evaluate::{Weights, evaluate},
    root::{Finding, Question},
    search::{QUIESCENCE, SURE, Search, key},
    sight,
    table::FigureTable,
    transposition::Bound,
    turns::{Outlook, WholeTurn, scoring_turns, whole_turns},
};
use crate::{Budget, Clock, Control, Knowledge, player::Sight};

/// A search for the best turn alone.
const BEST: Question = Question { lines: 1, asked: None };

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
            assert_eq!(WholeTurn::of_code(outlook.turn.code()), Some(outlook.turn));
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
        let report = |finding: &Finding, _| values.lock().unwrap().push(finding.lines[0].value);
        Search::default().run(&game, &table, BEST, &control, |_| 0, report);
        let values = values.into_inner().unwrap();
        for depth in 1..=2_u8 {
            let Some(&value) = values.get(depth as usize - 1) else { continue };
            let expected = plain(&game, &table, depth, QUIESCENCE, 0, game.side(mover));
            assert_eq!(value, expected, "seed {seed}, depth {depth}");
        }
        assert!(!values.is_empty());
    }
}

/// A search of this depth and no deeper.
fn search_to(depth: u8, game: &Figures, table: &FigureTable, question: Question) -> (Search, Finding) {
    let stop = AtomicBool::new(false);
    let control = Control::new(Budget { nodes: Some(10_000_000), ..Budget::nodes(0) }, 1, &Still, &stop);
    let mut search = Search::default();
    // The stop is heard before the depth after it has put anything in front.
    let report = |finding: &Finding, _| stop.store(finding.depth >= depth, Ordering::Relaxed);
    let finding = search.run(game, table, question, &control, |_| 0, report);
    (search, finding)
}

#[test]
fn what_the_table_says_of_a_position_is_true_of_plain_minimax() {
    let every = Question { lines: usize::MAX, asked: None };
    let mut seen = [0; 3];
    for seed in 0..4 {
        let options = &option_sets()[seed as usize % 4];
        let table = table(options);
        let game = position(options, &table, 2, seed, 3 + seed as u32 * 5);
        let Turn::Seat(mover) = game.turn() else { panic!("the game goes on") };
        // Nothing is reduced before a search of four turns, and no position comes up at two depths of three.
        let (search, _) = search_to(3, &game, &table, if seed % 2 == 0 { every } else { BEST });
        let mut check = |position: &Figures, most_depth: u8, side: u8| {
            let Some(entry) = search.transpositions.find(key(position)).filter(|entry| entry.depth <= most_depth)
            else {
                return;
            };
            let truth = plain(position, &table, entry.depth, QUIESCENCE, 0, side);
            let right = match entry.bound {
                Bound::Exact => entry.value == truth,
                Bound::AtLeast => entry.value <= truth,
                Bound::AtMost => entry.value >= truth,
            };
            assert!(right, "seed {seed}: {entry:?}, but {truth}");
            seen[entry.bound as usize] += 1;
        };
        let side = game.side(mover);
        for (number, outlook) in all_turns(&game).iter().enumerate() {
            if number % 50 == 0 {
                check(&outlook.after, 2, 1 - side);
            }
            for answer in all_turns(&outlook.after).iter().skip(number % 5).step_by(5) {
                check(&answer.after, 1, side);
            }
        }
    }
    assert!(seen.iter().all(|&seen| seen > 20), "{seen:?}");
}

#[test]
fn the_values_of_all_lines_are_those_of_plain_minimax() {
    for seed in 0..6 {
        let options = &option_sets()[seed as usize % 4];
        let table = table(options);
        // Of the first seed two stones are to be taken.
        let game = position(options, &table, [2, 4][seed as usize % 2], seed, seed as u32 * 3);
        let Turn::Seat(mover) = game.turn() else { panic!("the game goes on") };
        let next = |outlook: &Outlook| -plain(&outlook.after, &table, 1, QUIESCENCE, 1, 1 - game.side(mover));
        let mut turns: Vec<(WholeTurn, i32)> = all_turns(&game).iter().map(|turn| (turn.turn, next(turn))).collect();
        turns.sort_by_key(|&(_, value)| -value);
        let mut steps = Vec::new();
        game.actions(mover, &mut steps);
        let value_of = |turn: WholeTurn| {
            let same = |&&(other, _): &&(WholeTurn, i32)| other.beginning_with(turn.steps()[0]) == turn;
            turns.iter().find(same).unwrap().1
        };
        let sorted = |finding: &Finding| finding.lines.is_sorted_by_key(|line| -line.value);
        for lines in [1, 2, 7, usize::MAX] {
            for asked in [None].into_iter().chain(steps.iter().copied().map(Some)) {
                let (_, finding) = search_to(2, &game, &table, Question { lines, asked });
                assert!(finding.lines.len() >= lines.min(turns.len()) && sorted(&finding));
                for (place, line) in finding.lines.iter().enumerate() {
                    assert_eq!(line.value, value_of(line.turns[0]), "seed {seed}");
                    // What is proven needs no deeper look.
                    assert!(line.depth == 2 || line.value.abs() >= SURE);
                    if lines < 10 && place < lines && asked.is_none() {
                        assert_eq!(line.value, turns[place].1, "the best ones");
                    }
                }
                let wanted = if lines == usize::MAX { steps.clone() } else { asked.into_iter().collect() };
                for step in wanted {
                    let best = turns.iter().find(|(turn, _)| turn.can_begin_with(step)).unwrap().1;
                    let line = finding.lines.iter().find(|line| line.turns[0].steps()[0] == step).unwrap();
                    assert_eq!(line.value, best, "seed {seed}, {lines} lines, asked {step}");
                }
            }
        }
    }
}

#[test]
fn a_depth_that_is_not_finished_leaves_the_values_of_the_depth_before() {
    static GO: AtomicBool = AtomicBool::new(false);
    let table = table(&json!({}));
    let game = position(&json!({}), &table, 2, 4, 9);
    let Turn::Seat(mover) = game.turn() else { panic!("the game goes on") };
    let turns = all_turns(&game);
    let value = |turn: WholeTurn, depth: u8| {
        let outlook = turns.iter().find(|outlook| outlook.turn == turn).unwrap();
        -plain(&outlook.after, &table, depth - 1, QUIESCENCE, 1, 1 - game.side(mover))
    };
    let mut mixed = 0;
    for nodes in (20..2000).step_by(90) {
        let control = Control::new(Budget::nodes(nodes), 1, &Still, &GO);
        let every = Question { lines: usize::MAX, asked: None };
        let finding = Search::default().run(&game, &table, every, &control, |_| 0, |_, _| {});
        assert_eq!(finding.lines.len(), turns.len());
        let deepest = finding.lines.iter().map(|line| line.depth).max().unwrap();
        if deepest > 2 {
            break;
        }
        let (deep, shallow): (Vec<_>, Vec<_>) = finding.lines.iter().partition(|line| line.depth == deepest);
        mixed += usize::from(!shallow.is_empty());
        assert!(deep.iter().all(|line| line.value == value(line.turns[0], deepest)));
        // Who has the last turn makes a difference that is the same for all.
        let shifts: Vec<_> = shallow
            .iter()
            .map(|line| line.value - if line.depth == 0 { line.glance } else { value(line.turns[0], line.depth) })
            .collect();
        assert!(shifts.iter().all(|&shift| shift == shifts[0] && (deepest == 2 || shift == 0)), "{shifts:?}");
        // Of five lines all have the same depth.
        let five = Question { lines: 5, asked: None };
        let finding = Search::default().run(&game, &table, five, &control, |_| 0, |_, _| {});
        assert!(finding.lines.iter().all(|line| line.depth == finding.depth));
    }
    assert!(mixed > 2, "{mixed}");
}

#[test]
fn a_turn_is_seen_to_win_or_to_lose_at_once_as_all_answers_say() {
    let mut seen = [0; 3];
    for seed in 0..60 {
        let options = if seed % 2 == 0 { json!({"target": 4}) } else { json!({"turn_limit": seed / 4 + 1}) };
        let table = table(&options);
        let game = position(&options, &table, [2, 4][seed as usize / 2 % 2], seed, seed as u32 / 4);
        let Turn::Seat(mover) = game.turn() else { panic!("the game goes on") };
        let known = Knowledge::new(&game, mover);
        let won = |game: &Figures| {
            let winner = game.outcome().and_then(|outcome| outcome.winners.iter().next());
            winner.map(|winner| known.is_own_side(winner))
        };
        for outlook in all_turns(&game).iter().step_by(5) {
            let expected = match won(&outlook.after) {
                Some(true) => Sight::Wins,
                Some(false) => Sight::Loses,
                None if all_turns(&outlook.after).iter().any(|answer| won(&answer.after) == Some(false)) => {
                    Sight::Loses
                }
                None => Sight::Quiet,
            };
            assert_eq!(sight(&outlook.after, &table, &known), expected, "seed {seed}");
            seen[expected as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&seen| seen > 10), "{seen:?}");
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
