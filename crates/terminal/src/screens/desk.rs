//! How tables are opened: who sits where, and where the game is kept.

use std::path::{Path, PathBuf};

use quincunx_core::{Seat, Table, Turn};
use quincunx_engine::{Engine, Level};

use super::replay::Replay;
use super::table::TableScreen;
use crate::app::Screen;
use crate::event::Reporter;
use crate::files::{self, Shelf};
use crate::source::local::{Local, Opening, Sitter, TimeControl};

/// What every screen needs that opens others.
#[derive(Clone, Debug)]
pub struct Desk {
    pub reporter: Reporter,
    /// Where games are kept.
    pub shelf: Shelf,
}

/// Who sits on a seat, as it stands in the record of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guest {
    /// A person, with a name or without.
    Person(String),
    Engine(Level),
}

impl Guest {
    /// Who sat there, by what the record says. A level is an engine, and everything else a person: a record that came from
    /// somewhere else must not start programs.
    fn of_record(table: &dyn Table, seat: Seat) -> Self {
        let name = table.headers().get(&header(seat)).cloned().unwrap_or_default();
        name.parse().map_or(Self::Person(name), Self::Engine)
    }

    fn name(&self) -> &str {
        match self {
            Self::Person(name) => name.trim(),
            Self::Engine(level) => level.name(),
        }
    }

    fn sitter(&self) -> Sitter {
        match self {
            Self::Person(_) => Sitter::Person,
            Self::Engine(level) => Sitter::Engine(Engine::Level(*level).into()),
        }
    }
}

fn header(seat: Seat) -> String {
    format!("Player {seat}")
}

/// The names of those who play, as the record says.
pub fn names(table: &dyn Table) -> Vec<String> {
    let name = |seat: Seat| table.headers().get(&header(seat)).cloned().unwrap_or_else(|| format!("Seat {seat}"));
    Seat::all(table.seats()).map(name).collect()
}

/// Whether a game that was kept can be played on.
pub fn goes_on(table: &dyn Table) -> bool {
    table.turn() != Turn::Over
}

impl Desk {
    /// A table with these guests, which is kept in a file of its own.
    pub fn seat(
        &self,
        mut table: Box<dyn Table>,
        guests: &[Guest],
        clock: Option<TimeControl>,
    ) -> Result<Box<dyn Screen>, String> {
        let mut headers = table.headers().clone();
        for (seat, guest) in Seat::all(table.seats()).zip(guests) {
            match guest {
                Guest::Person(name) if name.trim().parse::<Level>().is_ok() => {
                    return Err(format!("{} is what an engine is called; a person needs another name.", name.trim()));
                }
                _ if guest.name().is_empty() => drop(headers.remove(&header(seat))),
                _ => drop(headers.insert(header(seat), guest.name().to_owned())),
            }
        }
        table.set_headers(headers);
        let sitters = guests.iter().map(Guest::sitter).collect();
        let file = self.shelf.new_file(table.kind().id());
        self.open(Opening { table, sitters, clock, file })
    }

    /// A game that was kept, with those who sat there before.
    pub fn resume(&self, path: &Path) -> Result<Box<dyn Screen>, String> {
        let table = files::replay(&path.to_string_lossy())?;
        let sitters = Seat::all(table.seats()).map(|seat| Guest::of_record(&*table, seat).sitter()).collect();
        self.open(Opening { table, sitters, clock: None, file: Some(PathBuf::from(path)) })
    }

    /// A game to look through, from its beginning.
    pub fn replay(&self, table: Box<dyn Table>) -> Box<dyn Screen> {
        Box::new(Replay::new(table, self.clone()))
    }

    pub fn open(&self, opening: Opening) -> Result<Box<dyn Screen>, String> {
        let local = Local::new(opening, self.reporter.clone())?;
        Ok(Box::new(TableScreen::new(Box::new(local)).with_desk(self.clone())))
    }
}
