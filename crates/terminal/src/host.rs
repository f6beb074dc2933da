//! A game at this machine: whoever leads it draws for chance, takes back and keeps the record.

use std::path::PathBuf;

use quincunx_core::{DynSession, Seat, Turn, Viewer};
use rand::rngs::{StdRng, SysRng};
use rand::{Rng, SeedableRng};

use crate::files;

/// A game at this machine.
#[derive(Debug)]
pub struct Host {
    table: Box<dyn DynSession>,
    rng: StdRng,
    /// Where the game is kept, action by action.
    file: Option<PathBuf>,
}

impl Host {
    pub fn new(table: Box<dyn DynSession>, file: Option<PathBuf>) -> Result<Self, String> {
        let rng = StdRng::try_from_rng(&mut SysRng).map_err(|error| format!("no random numbers: {error}"))?;
        Ok(Self { table, rng, file })
    }

    /// The same game each time, for tests.
    pub fn seeded(table: Box<dyn DynSession>, seed: u64) -> Self {
        Self { table, rng: StdRng::seed_from_u64(seed), file: None }
    }

    pub fn table(&self) -> &dyn DynSession {
        &*self.table
    }

    pub fn file(&self) -> Option<&PathBuf> {
        self.file.as_ref()
    }

    /// A seed for a player who decides.
    pub fn seed(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// Draws whatever chance has to draw.
    pub fn draw_all(&mut self) -> Result<(), String> {
        while self.table.turn() == Turn::Chance {
            self.table.draw(&mut self.rng).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Makes an action, by a seat or by whoever is on turn.
    pub fn act(&mut self, seat: Option<u64>, action: &str) -> Result<(), String> {
        self.table.apply(seat, action).map_err(|error| error.to_string())
    }

    /// Takes back the last actions of people; draws of chance and answers of engines after them are taken back too, or
    /// they would only be made again.
    pub fn undo(&mut self, count: usize, is_person: impl Fn(Seat) -> bool) -> Result<(), String> {
        let log = self.table.log(Viewer::Spectator);
        let mut by_people = log.iter().enumerate().rev().filter(|(_, step)| step.by.seat().is_some_and(&is_person));
        let keep = match count.checked_sub(1) {
            None => log.len(),
            Some(earlier) => by_people.nth(earlier).ok_or("so many actions were not made")?.0,
        };
        self.table.undo((log.len() - keep) as u64).map_err(|error| error.to_string())
    }

    /// The seats that may act now, in the order in which engines are asked: who can act out of turn comes first.
    pub fn may_act(&self) -> Vec<Seat> {
        let Turn::Seat(on_turn) = self.table.turn() else { return Vec::new() };
        let others = on_turn.clockwise(self.table.seats()).skip(1);
        others.chain([on_turn]).filter(|&seat| !self.table.actions(seat).is_empty()).collect()
    }

    /// Writes the game to its file, if it has one.
    pub fn keep(&self) -> Result<(), String> {
        match &self.file {
            None => Ok(()),
            Some(path) => files::write(path, &self.table.record())
                .map_err(|error| format!("Could not save to {}: {error}", path.display())),
        }
    }
}
