//! The rules of Figures, sentence by sentence, and the fast code against a slow and obvious one.

mod against_reference;
mod endings;
mod fast_paths;
mod reference;
mod scoring;
mod set_up;
mod turns;
mod view;

use quincunx_core::{Actor, Game, Seat, Session, options_from_json};
use serde_json::{Value, json};

use super::{
    Action, Figures, Phase, Refusal, SIDES,
    board::{AREA, Square, Squares},
    colour::{Colour, Stones},
};

pub(super) fn start(seats: u8, options: &Value) -> Figures {
    Figures::new(seats, &options_from_json(options).expect("the options are good")).expect("and fit the seats")
}

pub(super) fn session(seats: u8, options: &Value) -> Session<Figures> {
    Session::new(seats, options_from_json(options).expect("the options are good")).expect("and fit the seats")
}

/// The letters of a display drawn with row 5 first, in the order a1, b1, .. e5.
pub(super) fn layout(picture: &str) -> String {
    picture.trim().lines().rev().flat_map(|line| line.chars().filter(|letter| !letter.is_whitespace())).collect()
}

/// A game that starts from a drawn display, where the first exchange was made before.
pub(super) fn drawn(seats: u8, options: &Value, picture: &str) -> Figures {
    let mut options = options.clone();
    options["layout"] = json!(layout(picture));
    let mut game = start(seats, &options);
    game.exchanged = true;
    game
}

/// The texts of a seat's legal actions, sorted.
pub(super) fn texts(game: &Figures, seat: u8) -> Vec<String> {
    let mut actions = Vec::new();
    game.actions(Seat::new(seat), &mut actions);
    let mut texts: Vec<_> = actions.iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

pub(super) fn by(game: &mut Figures, seat: u8, text: &str) -> Result<(), String> {
    let action: Action = text.parse().map_err(|why: Refusal| why.to_string())?;
    game.try_play(Actor::Seat(Seat::new(seat)), action).map_err(|why| why.to_string())
}

/// Makes legal actions by whoever is on turn.
pub(super) fn play(game: &mut Figures, actions: &str) {
    for text in actions.split_whitespace() {
        let Some(Actor::Seat(seat)) = game.turn().actor() else { panic!("{text} after the end") };
        by(game, seat.number(), text).unwrap_or_else(|why| panic!("{text}: {why}"));
    }
}

pub(super) fn scores(game: &Figures) -> Vec<i32> {
    Seat::all(game.seats()).map(|seat| game.score(seat)).collect()
}

/// The winners and the reason.
pub(super) fn result(game: &Figures) -> Option<(Vec<u8>, &'static str)> {
    game.outcome().map(|outcome| (outcome.winners.iter().map(Seat::number).collect(), outcome.reason))
}

/// What holds in every position: five markers of each colour, one on each square; each stone in one place.
pub(super) fn assert_conserved(game: &Figures) {
    assert!(game.markers.iter().all(|markers| markers.iter().count() == 5));
    assert_eq!(game.markers.iter().fold(0, |all, markers| all | markers.0), (1 << AREA) - 1);
    let stones = game.bank().count() + game.hands.iter().map(|hand| hand.count()).sum::<u32>();
    assert_eq!(stones, 5);
    let held = match game.phase {
        Phase::Take => 0..=1,
        Phase::Exchange(_) | Phase::Return { .. } => 2..=2,
        Phase::Over(_) => 1..=2,
    };
    let on_turn = super::side_of(game.mover);
    assert!(held.contains(&game.hands[on_turn].count()) || game.turns == 0, "{game:?}");
    assert!(game.hands[SIDES - 1 - on_turn].count() <= 1);
}
