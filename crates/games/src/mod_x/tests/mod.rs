//! The rules of Mod X, sentence by sentence, and the fast code against a slow and obvious one.

mod against_reference;
mod claims;
mod endings;
mod fast_paths;
mod jokers;
mod reference;
mod scoring;
mod set_up;
mod view;

use quincunx_core::{Actor, Coord, Game, Seat, Session, options_from_json};
use serde_json::Value;

use super::{
    Action, JOKERS, ModX, Phase, Refusal,
    board::{AREA, Square, Squares},
};

pub(super) fn start(seats: u8, options: &Value) -> ModX {
    ModX::new(seats, &options_from_json(options).expect("the options are good")).expect("and fit the seats")
}

pub(super) fn session(seats: u8, options: &Value) -> Session<ModX> {
    Session::new(seats, options_from_json(options).expect("the options are good")).expect("and fit the seats")
}

/// A position with `mover` about to place a piece. The picture shows the lowest rows of the board, row 1 last: `R`, `B`,
/// `O`, `Y` for X-pieces, `*` for a joker, `.` for a free square; behind it `r`, `b`, `o`, `y` for a marker.
pub(super) fn drawn(seats: u8, options: &Value, mover: u8, picture: &str) -> ModX {
    let mut game = start(seats, options);
    game.mover = Seat::new(mover);
    game.phase = Phase::Place;
    for (row, line) in picture.trim().lines().rev().enumerate() {
        for (col, cell) in line.split_whitespace().enumerate() {
            let square = Square::at(Coord::new(col as u8, row as u8)).expect("the picture is not too large");
            for letter in cell.chars() {
                draw(&mut game, square, letter);
            }
        }
    }
    game
}

fn draw(game: &mut ModX, square: Square, letter: char) {
    let here = Squares::of(square);
    if let Some(seat) = "RBOY".find(letter) {
        game.pieces[seat] |= here;
        game.supply[seat] -= 1;
    } else if let Some(seat) = "rboy".find(letter) {
        game.tops[seat] |= here;
        game.heights[square.index()] += 1;
        game.markers[seat] -= 1;
    } else if letter == '*' {
        game.jokers |= here;
    } else {
        assert_eq!(letter, '.', "not a letter of a picture");
    }
}

/// The texts of a seat's legal actions, sorted.
pub(super) fn texts(game: &ModX, seat: u8) -> Vec<String> {
    let mut actions = Vec::new();
    game.actions(Seat::new(seat), &mut actions);
    let mut texts: Vec<_> = actions.iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

/// Those of the texts that begin with a sign, without it.
pub(super) fn after(sign: char, texts: &[String]) -> Vec<String> {
    texts.iter().filter_map(|text| text.strip_prefix(sign)).map(str::to_owned).collect()
}

pub(super) fn by(game: &mut ModX, seat: u8, text: &str) -> Result<(), String> {
    let action: Action = text.parse().map_err(|why: Refusal| why.to_string())?;
    game.try_play(Actor::Seat(Seat::new(seat)), action).map_err(|why| why.to_string())
}

/// Makes legal actions by whoever is on turn.
pub(super) fn play(game: &mut ModX, actions: &[&str]) {
    for text in actions {
        let Some(Actor::Seat(seat)) = game.turn().actor() else { panic!("{text} after the end") };
        by(game, seat.number(), text).unwrap_or_else(|why| panic!("{text}: {why}"));
    }
}

pub(super) fn scores(game: &ModX) -> Vec<i32> {
    Seat::all(game.seats()).map(|seat| game.score(seat)).collect()
}

/// The winners and the reason.
pub(super) fn result(game: &ModX) -> Option<(Vec<u8>, &'static str)> {
    game.outcome().map(|outcome| (outcome.winners.iter().map(Seat::number).collect(), outcome.reason))
}

pub(super) fn names(squares: Squares) -> Vec<String> {
    squares.iter().map(|square| square.to_string()).collect()
}

/// What holds in every position: nothing is lost, and no two things are in one place.
pub(super) fn assert_conserved(game: &ModX) {
    for seat in 0..game.settled.seats as usize {
        assert_eq!(game.pieces[seat].count() + game.supply[seat], game.settled.pieces, "X-pieces of seat {seat}");
    }
    let laid: u32 = game.heights.iter().map(|&height| u32::from(height)).sum();
    let left: u32 = game.markers.iter().map(|&left| u32::from(left)).sum();
    assert_eq!(laid + left, u32::from(game.settled.markers) * u32::from(game.settled.seats), "score markers");
    let boards = [game.pieces[0], game.pieces[1], game.pieces[2], game.pieces[3], game.jokers];
    let pieces: u32 = boards.iter().map(|board| u32::from(board.count())).sum();
    assert_eq!(pieces as usize + usize::from(game.free().count()), AREA, "one piece on a square");
    for (index, &height) in game.heights.iter().enumerate() {
        let tops = game.tops.iter().filter(|tops| tops.0 >> index & 1 == 1).count();
        assert_eq!(tops, usize::from(height > 0), "one top marker on each stack");
    }
    let in_hand = match game.phase {
        Phase::SetUp { left } | Phase::JokersBack { left, .. } => left,
        _ => 0,
    };
    assert!(game.jokers.count() + in_hand <= JOKERS, "jokers");
}
