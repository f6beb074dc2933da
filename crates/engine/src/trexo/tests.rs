//! What is kept tile by tile, against the same made anew; exact threats, against trying every tile by the rules.

use std::{sync::atomic::AtomicBool, time::Duration};

use quincunx_core::{Game, Scratch, Turn, options_from_json};
use quincunx_games::{
    Trexo,
    trexo::{Action, Options},
};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

use super::{
    TrexoPlayer,
    evaluate::{Gains, LineWorth, WEIGHTS_OF_GUESS, expectation, worth_by_count},
    lines::{Lines, bit_of},
    position::{Position, Symbol, Tile},
    search::{Search, Walk, judge_tiles},
    threats::{Danger, answers, winning_tiles},
    tree::{Task, Tree, Verdict},
};
use crate::{Budget, Clock, Control, Knowledge, Player, Thought, player::Sight};

/// Calls `look` with the positions of random games and with the same as they were kept tile by tile.
fn random_games(options: &Value, games: u64, mut look: impl FnMut(&Trexo, &Position, &Lines)) {
    let options: Options = options_from_json(options).unwrap();
    let lines = Lines::of_board(options.size.get() as u8);
    for seed in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Trexo::new(2, &options).unwrap();
        let mut position = Position::of(&game, &lines);
        while let Some(actor) = game.turn().actor() {
            look(&game, &position, &lines);
            let action = game.random(actor, &mut rng, &mut Scratch::default());
            game.play(actor, action);
            match action {
                Action::Lay { x, o } => position.lay(Tile { x: bit_of(x), o: bit_of(o) }, &lines),
                Action::Swap => position = Position::of(&game, &lines),
            }
        }
    }
}

fn played(game: &Trexo, tile: Tile) -> Trexo {
    let mut next = game.clone();
    next.play(game.turn().actor().unwrap(), tile.action());
    next
}

/// Whether the tile wins for the side to move, by the rules.
fn wins(game: &Trexo, tile: Tile) -> bool {
    let Turn::Seat(seat) = game.turn() else { return false };
    played(game, tile).outcome().is_some_and(|outcome| outcome.winners.contains(seat))
}

fn loses(game: &Trexo, tile: Tile) -> bool {
    played(game, tile).outcome().is_some_and(|outcome| !outcome.winners.is_empty()) && !wins(game, tile)
}

fn sorted(tiles: impl Iterator<Item = Tile>) -> Vec<(u8, u8)> {
    let mut tiles: Vec<_> = tiles.map(|tile| (tile.x, tile.o)).collect();
    tiles.sort_unstable();
    tiles
}

#[test]
fn a_position_kept_tile_by_tile_is_the_one_made_anew() {
    for options in [json!({}), json!({"size": 5, "tiles": 200}), json!({"size": 11}), json!({"swap": true})] {
        random_games(&options, 30, |game, position, lines| assert_eq!(*position, Position::of(game, lines)));
    }
}

#[test]
fn winning_tiles_are_those_that_win_by_the_rules() {
    let mut found = 0;
    for options in [json!({}), json!({"size": 6}), json!({"size": 11})] {
        random_games(&options, 60, |game, position, _| {
            let expected = sorted(position.tiles().filter(|&tile| wins(game, tile)));
            assert_eq!(sorted(winning_tiles(position, position.to_move())), expected);
            found += expected.len();
        });
    }
    assert!(found > 100, "{found}");
}

#[test]
fn answers_are_the_tiles_after_which_the_other_side_does_not_win_at_once() {
    let mut answered = 0;
    for options in [json!({}), json!({"size": 6})] {
        random_games(&options, 60, |game, position, lines| {
            let Danger::Threatened(threat) = Danger::of(position) else { return };
            let safe = |&tile: &Tile| {
                let next = played(game, tile);
                let over = next.turn() == Turn::Over;
                !loses(game, tile) && (over || !Position::of(&next, lines).tiles().any(|tile| wins(&next, tile)))
            };
            let expected = sorted(position.tiles().filter(safe));
            assert_eq!(sorted(answers(position, threat, lines)), expected);
            answered += expected.len();
        });
    }
    assert!(answered > 100, "{answered}");
}

#[test]
fn the_gain_of_a_tile_that_changes_one_symbol_is_what_the_other_side_loses() {
    let mut checked = 0;
    random_games(&json!({}), 10, |_, position, lines| {
        let gains = Gains::of(position, lines);
        let other = position.to_move().other();
        let before = guess_from_scratch(position, other, lines);
        let changes = |tile: Tile, symbol| position.count_change(tile.square(symbol), symbol) != 0;
        for tile in position.tiles().filter(|&tile| !changes(tile, Symbol::X) || !changes(tile, Symbol::O)) {
            let mut next = position.clone();
            next.lay(tile, lines);
            let lost = 1000.0 * (before - guess_from_scratch(&next, other, lines));
            assert_eq!(gains.by(tile), lost.round() as i32, "{tile:?}");
            checked += 1;
        }
    });
    assert!(checked > 1000, "{checked}");
}

/// What all lines are worth to a side that is to move, by the weights of the first guess.
fn guess_from_scratch(position: &Position, to_move: Symbol, lines: &Lines) -> f32 {
    let mut sum = LineWorth::default();
    let worth = worth_by_count(&WEIGHTS_OF_GUESS);
    (0..lines.count()).for_each(|line| sum.add(&worth[position.count(line as u8).index()]));
    sum.logits(to_move)
}

/// A clock that stands still.
struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

fn think(game: &Trexo, nodes: u64, lines: usize) -> Thought<Action> {
    let Turn::Seat(seat) = game.turn() else { panic!("nobody is to think") };
    let stop = AtomicBool::new(false);
    let control = Control::new(Budget::nodes(nodes), 1, &Still, &stop).with_lines(lines);
    TrexoPlayer::default().think(&Knowledge::new(game, seat), &control)
}

/// Whether the side to move can win at once, by the rules.
fn can_win(game: &Trexo, lines: &Lines) -> bool {
    game.turn() != Turn::Over && Position::of(game, lines).tiles().any(|tile| wins(game, tile))
}

#[test]
fn what_wins_and_what_loses_at_once_is_seen_with_hardly_a_node() {
    let mut seen = [0; 3];
    for options in [json!({}), json!({"size": 6}), json!({"swap": true})] {
        random_games(&options, 4, |game, position, lines| {
            let thought = think(game, 2, usize::MAX);
            for line in &thought.lines {
                let Action::Lay { x, o } = line.action() else { continue };
                let tile = Tile { x: bit_of(x), o: bit_of(o) };
                let expected = if wins(game, tile) {
                    Sight::Wins
                } else if loses(game, tile) || can_win(&played(game, tile), lines) {
                    Sight::Loses
                } else {
                    Sight::Quiet
                };
                assert_eq!(line.sight, expected, "{tile:?}");
                seen[expected as usize] += 1;
                let mut next = position.clone();
                next.lay(tile, lines);
                if played(game, tile).turn() != Turn::Over {
                    assert!((line.glance + expectation(&next, lines) - 1.0).abs() < 1e-6);
                }
            }
            // The best line is no blunder, if there is another one.
            let best = thought.lines[0].sight;
            let has = |sight| thought.lines.iter().any(|line| line.sight == sight);
            assert!(best == Sight::Wins || !has(Sight::Wins));
            assert!(best != Sight::Loses || !has(Sight::Quiet));
        });
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

/// The outcome for the side to move with best play on both sides, from -1 to 1, by trying everything.
fn solve(game: &Trexo, lines: &Lines) -> i32 {
    let outcomes = Position::of(game, lines).tiles().map(|tile| outcome_of(game, tile, lines));
    let mut best = -1;
    for outcome in outcomes {
        best = best.max(outcome);
        if best == 1 {
            break;
        }
    }
    best
}

fn outcome_of(game: &Trexo, tile: Tile, lines: &Lines) -> i32 {
    let next = played(game, tile);
    match next.turn() {
        Turn::Over => i32::from(wins(game, tile)) - i32::from(loses(game, tile)),
        _ => -solve(&next, lines),
    }
}

#[test]
fn proofs_are_those_of_trying_everything_however_few_tiles_are_looked_at_first() {
    let options: Options = options_from_json(&json!({"size": 5, "tiles": 16})).unwrap();
    let lines = Lines::of_board(5);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut proven = [0; 3];
    for _ in 0..60 {
        let mut game = Trexo::new(2, &options).unwrap();
        for _ in 0..13 {
            let Some(actor) = game.turn().actor() else { break };
            let action = game.random(actor, &mut rng, &mut Scratch::default());
            game.play(actor, action);
        }
        if game.turn() == Turn::Over {
            continue;
        }
        let root = Position::of(&game, &lines);
        for width in [1, 3] {
            let mut tree = Tree::default();
            let task = Task { all_tiles: true, ..Task::default() };
            tree.begin(task, &mut judge_tiles(&root, &lines), Budget::MEMORY, false);
            let stop = AtomicBool::new(false);
            let control = Control::new(Budget::nodes(4000), 1, &Still, &stop);
            Search { tree: &tree, root: &root, lines: &lines, width }.run(&mut Walk::default(), &control);
            for tried in tree.tried(usize::MAX) {
                let outcome = match tried.verdict {
                    Verdict::Open => continue,
                    Verdict::Won(_) => 1,
                    Verdict::Drawn => 0,
                    Verdict::Lost(_) => -1,
                };
                assert_eq!(outcome, outcome_of(&game, tried.line[0], &lines), "{:?} of width {width}", tried.line);
                proven[(outcome + 1) as usize] += 1;
            }
        }
    }
    assert!(proven.iter().all(|&count| count > 20), "{proven:?}");
}

#[test]
fn an_advantage_counts_less_the_fewer_tiles_are_left() {
    let mut checked = 0;
    random_games(&json!({"tiles": 60}), 5, |_, position, lines| {
        let expected = [60, 30, 10, 4, 2, 1].map(|tiles| expectation(&position.with_tiles_left(tiles), lines));
        let from_even = expected.map(|value| (value - 0.5).abs());
        assert!(from_even.is_sorted_by(|many, few| many >= few), "{expected:?}");
        if from_even[0] > 0.05 {
            assert!(from_even[2] < 0.9 * from_even[0] && from_even[4] < 0.5 * from_even[0], "{expected:?}");
            checked += 1;
        }
        assert!(from_even[5] < 1e-6, "the last tile of somebody who does not win with it");
    });
    assert!(checked > 20, "{checked}");
}

#[test]
fn an_advantage_counts_less_on_a_board_on_which_most_games_are_drawn() {
    let large = Lines::of_board(10);
    let mut checked = 0;
    random_games(&json!({"size": 5, "tiles": 30}), 5, |_, position, lines| {
        let from_even = |lines: &Lines| (expectation(position, lines) - 0.5).abs();
        if from_even(&large) > 0.05 {
            assert!(from_even(lines) < 0.7 * from_even(&large));
            checked += 1;
        }
    });
    assert!(checked > 20, "{checked}");
}
