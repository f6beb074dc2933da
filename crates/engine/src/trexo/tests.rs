//! What is kept tile by tile, against the same made anew; exact threats, against trying every tile by the rules.

use quincunx_core::{Game, Scratch, Turn, options_from_json};
use quincunx_games::{
    Trexo,
    trexo::{Action, Options},
};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

use super::{
    evaluate::{Gains, LineWorth, WORTH_OF_GUESS},
    lines::{Lines, bit_of},
    position::{Position, Symbol, Tile},
    threats::{Danger, answers, winning_tiles},
};

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
            let lost = before - guess_from_scratch(&next, other, lines);
            assert!((gains.by(tile) - lost).abs() < 1e-3, "{tile:?}: {} instead of {lost}", gains.by(tile));
            checked += 1;
        }
    });
    assert!(checked > 1000, "{checked}");
}

/// What all lines are worth to a side that is to move, by the weights of the first guess.
fn guess_from_scratch(position: &Position, to_move: Symbol, lines: &Lines) -> f32 {
    let mut sum = LineWorth::default();
    (0..lines.count()).for_each(|line| sum.add(&WORTH_OF_GUESS[position.count(line as u8).index()]));
    sum.logits(to_move)
}
