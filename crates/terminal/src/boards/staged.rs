//! Tables at a moment that a test wants to look at.

use quincunx_core::{DynSession, Turn};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use ratatui::crossterm::event::KeyCode;
use serde_json::Value;

use crate::look::Look;
pub use crate::testing::after;
use crate::testing::{Dealt, Stage, of_people};

/// A table after so many random actions of players, or at its end.
pub fn at_random(game: &str, seats: u64, options: &Value, seed: u64, actions: usize) -> Box<dyn DynSession> {
    let mut host = Dealt::seeded(after(game, seats, options, []), seed);
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
    stage_with_look(table, Look::FULL)
}

pub fn stage_with_look(table: Box<dyn DynSession>, look: Look) -> Stage {
    let mut stage = Stage::with_look(of_people(table), look);
    stage.press([KeyCode::Enter]);
    stage
}
