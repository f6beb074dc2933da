//! How tables are opened: who sits where, and where the game is kept.

use std::path::{Path, PathBuf};

use quincunx_core::{DynSession, OutcomeJson, Seat};
use quincunx_engine::{Engine, Level};
use quincunx_table::{About, TimeControl};

use super::replay::Replay;
use super::table::TableScreen;
use crate::app::Screen;
use crate::event::Reporter;
use crate::files::{self, Shelf};
use crate::host::{self, Opening, Sitter};
use crate::source::{self, Source};

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
    pub fn of_record(table: &dyn DynSession, seat: Seat) -> Self {
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
pub fn names(table: &dyn DynSession) -> Vec<String> {
    Seat::all(table.seats()).map(|seat| host::name(table, seat)).collect()
}

/// How a game ended, by its rules or as the record says, if it did.
pub fn ending(table: &dyn DynSession, names: &[String]) -> Option<String> {
    let by_rules = table.outcome().map(OutcomeJson::from).map(|outcome| (outcome.winners, outcome.reason));
    let (winners, reason) = by_rules.or_else(|| About::read(&table.record()).ok()?.ending)?;
    Some(source::in_words(&winners, &reason, names))
}

impl Desk {
    /// A table with these guests, which is kept in a file of its own.
    pub fn seat(
        &self,
        mut table: Box<dyn DynSession>,
        guests: &[Guest],
        clock: TimeControl,
    ) -> Result<Box<dyn Screen>, String> {
        let mut headers = table.headers().clone();
        // They are about the game that it was before, if it was one.
        headers.retain(|name, _| !["Clock", "Left", "Ending"].contains(&name.as_str()));
        for (seat, guest) in Seat::all(table.seats()).zip(guests) {
            match guest {
                Guest::Person(name) if name.trim().parse::<Level>().is_ok() => {
                    return Err(format!("{} is what an engine is called; a person needs another name.", name.trim()));
                }
                _ if guest.name().is_empty() => drop(headers.remove(&header(seat))),
                _ => drop(headers.insert(header(seat), guest.name().to_owned())),
            }
        }
        if let TimeControl::RealTime { seconds, increment } = clock {
            headers.insert("Clock".to_owned(), format!("{seconds}+{increment}"));
        }
        table.set_headers(headers);
        let sitters = guests.iter().map(Guest::sitter).collect();
        let file = self.shelf.new_file(table.kind().id());
        self.open(Opening { table, sitters, file })
    }

    /// A game that was kept, with those who sat there before.
    pub fn resume(&self, path: &Path) -> Result<Box<dyn Screen>, String> {
        let table = files::replay(&path.to_string_lossy())?;
        let sitters = Seat::all(table.seats()).map(|seat| Guest::of_record(&*table, seat).sitter()).collect();
        self.open(Opening { table, sitters, file: Some(PathBuf::from(path)) })
    }

    /// A game to look through, from its beginning.
    pub fn replay(&self, table: Box<dyn DynSession>) -> Box<dyn Screen> {
        Box::new(Replay::new(table, self.clone()))
    }

    pub fn open(&self, opening: Opening) -> Result<Box<dyn Screen>, String> {
        let source = Source::here(opening, Some(self.shelf.clone()), self.reporter.clone())?;
        Ok(Box::new(TableScreen::new(source).with_desk(self.clone())))
    }
}

#[cfg(test)]
pub mod tests {
    use std::sync::mpsc::{self, Receiver};

    use ratatui::crossterm::event::KeyCode;
    use serde_json::json;
    use tempfile::TempDir;

    use super::*;
    use crate::event::Event;
    use crate::testing::{Stage, after};

    /// A desk with a shelf of its own, and where the background reports to.
    #[derive(Debug)]
    pub struct Room {
        pub desk: Desk,
        pub folder: TempDir,
        pub events: Receiver<Event>,
    }

    impl Room {
        pub fn open() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let (sender, events) = mpsc::channel();
            let desk = Desk { reporter: Reporter(sender), shelf: Shelf::at(folder.path()) };
            Self { desk, folder, events }
        }

        /// The record that is kept first in this room.
        pub fn kept(&self) -> String {
            let (path, _) = self.desk.shelf.games().pop().unwrap();
            std::fs::read_to_string(path).unwrap()
        }
    }

    /// A short game: seat 0 makes five in a row at the bottom while seat 1 looks elsewhere.
    pub const GAME: [&str; 9] = ["b1a1", "j10j9", "c1c2", "i10i9", "d1d2", "h10h9", "e1e2", "a9a10", "f1g1"];

    pub fn trexo(actions: &[&str]) -> Box<dyn DynSession> {
        after("trexo", 2, &json!({}), actions.iter().copied())
    }

    fn picture(screen: Box<dyn Screen>) -> String {
        Stage { app: crate::app::App::new(screen, crate::look::Look::FULL) }.picture(80, 24)
    }

    #[test]
    fn a_game_that_was_left_is_resumed_where_it_stood() {
        let room = Room::open();
        let guests = [Guest::Person("Ann".to_owned()), Guest::Person(String::new())];
        let before = picture(room.desk.seat(trexo(&["e5f5", "c3c4"]), &guests, TimeControl::None).unwrap());
        let (path, _) = room.desk.shelf.games().pop().unwrap();
        assert_eq!(picture(room.desk.resume(&path).unwrap()), before);
        assert!(before.contains("Ann") && before.contains("c3c4"), "{before}");
    }

    #[test]
    fn a_game_that_is_over_can_be_looked_through_from_the_table() {
        let room = Room::open();
        let nobody = || Guest::Person(String::new());
        let screen = room.desk.seat(trexo(&GAME[..8]), &[nobody(), nobody()], TimeControl::None).unwrap();
        let mut stage = Stage { app: crate::app::App::new(screen, crate::look::Look::FULL) };
        stage.type_text("v");
        assert!(stage.picture(80, 24).contains("Seat 0"), "not before");
        stage.type_text(&format!(":{}", GAME[8])).press([KeyCode::Enter]);
        assert!(stage.picture(80, 24).contains("v look through the game"));
        assert!(stage.type_text("v").picture(80, 24).contains("0 of 9"));
    }

    #[test]
    fn engines_sit_again_where_they_sat() {
        let room = Room::open();
        let guests = [Guest::Person("Ann".to_owned()), Guest::Engine(Level::Novice)];
        drop(room.desk.seat(trexo(&["e5f5"]), &guests, TimeControl::None).unwrap());
        let (path, _) = room.desk.shelf.games().pop().unwrap();
        let table = files::replay(path.to_str().unwrap()).unwrap();
        let sat: Vec<Guest> = Seat::all(2).map(|seat| Guest::of_record(&*table, seat)).collect();
        assert_eq!(sat, guests);
    }

    #[test]
    fn a_record_starts_no_programs() {
        let mut table = trexo(&[]);
        table.set_headers([("Player 0".to_owned(), "cmd:./program".to_owned())].into());
        assert_eq!(Guest::of_record(&*table, Seat::new(0)), Guest::Person("cmd:./program".to_owned()));
        assert_eq!(Guest::of_record(&*table, Seat::new(1)), Guest::Person(String::new()));
    }

    #[test]
    fn nobody_is_called_like_an_engine() {
        let room = Room::open();
        let guests = [Guest::Person(" club ".to_owned()), Guest::Engine(Level::Club)];
        let why = room.desk.seat(trexo(&[]), &guests, TimeControl::None).unwrap_err();
        assert!(why.contains("another name"), "{why}");
        assert!(room.desk.shelf.games().is_empty());
    }
}
