//! Tables at a moment that a test wants to look at.

use quincunx_core::{DynSession, Turn, find};
use quincunx_games::GAMES;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use ratatui::crossterm::event::KeyCode;
use serde_json::Value;

use crate::look::Look;
use crate::screens::table::TableScreen;
use crate::testing::Dealt;
use crate::testing::{Stage, of_people};

/// A table after these actions, those of chance included.
pub fn after<'a>(
    game: &str,
    seats: u64,
    options: &Value,
    actions: impl IntoIterator<Item = &'a str>,
) -> Box<dyn DynSession> {
    let mut table = find(GAMES, game).unwrap().start(Some(seats), options).unwrap();
    for action in actions {
        table.apply(None, action).unwrap_or_else(|error| panic!("{error}"));
    }
    table
}

/// A table after so many random actions of players, or at its end.
pub fn at_random(game: &str, seats: u64, options: &Value, seed: u64, actions: usize) -> Box<dyn DynSession> {
    let mut host = Dealt::seeded(find(GAMES, game).unwrap().start(Some(seats), options).unwrap(), seed);
    let mut rng = StdRng::seed_from_u64(seed);
    host.draw_all().unwrap();
    for _ in 0..actions {
        let Turn::Seat(seat) = host.table().turn() else { break };
        let offers = host.table().offers(seat);
        host.act(None, &offers[rng.random_range(0..offers.len())]).unwrap();
        host.draw_all().unwrap();
    }
    host.table().boxed_clone()
}

/// The screen of a table with a person on every seat, uncovered.
pub fn stage(table: Box<dyn DynSession>) -> Stage {
    uncovered(Stage::new(screen(table)))
}

pub fn stage_with_look(table: Box<dyn DynSession>, look: Look) -> Stage {
    uncovered(Stage::with_look(screen(table), look))
}

fn screen(table: Box<dyn DynSession>) -> TableScreen {
    of_people(table)
}

fn uncovered(mut stage: Stage) -> Stage {
    stage.press([KeyCode::Enter]);
    stage
}
