//! Screens as text, for tests.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyCode;

use crate::app::{App, Screen};
use crate::event::{Event, Reporter};
use crate::host::{Opening, Sitter};
use crate::look::Look;
use crate::screens::table::TableScreen;
use crate::source::Source;
use quincunx_core::{DynSession, Turn, find};
use quincunx_games::GAMES;
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::Value;

/// The two sizes in which every screen is looked at.
pub const SIZES: [(u16, u16); 2] = [(80, 24), (120, 40)];

/// A program with one screen, to press keys in and to look at.
#[derive(Debug)]
pub struct Stage {
    pub app: App,
}

impl Stage {
    pub fn new(screen: impl Screen + 'static) -> Self {
        Self::with_look(screen, Look::FULL)
    }

    pub fn with_look(screen: impl Screen + 'static, look: Look) -> Self {
        Self { app: App::new(Box::new(screen), look) }
    }

    pub fn press(&mut self, keys: impl IntoIterator<Item = KeyCode>) -> &mut Self {
        for key in keys {
            self.app.handle(Event::Key(key.into()));
            // Where things lie is known once they have been drawn.
            self.picture(80, 24);
        }
        self
    }

    pub fn type_text(&mut self, text: &str) -> &mut Self {
        self.press(text.chars().map(KeyCode::Char))
    }

    /// What is on the screen, line by line.
    pub fn picture(&mut self, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("nothing can fail here");
        terminal.draw(|frame| self.app.draw(frame)).expect("nothing can fail here");
        let buffer = terminal.backend().buffer();
        let lines = buffer.content().chunks(usize::from(width));
        let lines = lines.map(|cells| cells.iter().map(ratatui::buffer::Cell::symbol).collect::<String>());
        lines.map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// Compares what is on the screen, in both sizes, with how it looked when somebody last looked at it.
    pub fn assert_looks_like(&mut self, name: &str) {
        for (width, height) in SIZES {
            insta::assert_snapshot!(format!("{name} {width}x{height}"), self.picture(width, height));
        }
    }
}

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

/// The screen of a table with a person on every seat.
pub fn of_people(table: Box<dyn DynSession>) -> TableScreen {
    let sitters = vec![Sitter::Person; table.seats().into()];
    let reporter = Reporter(std::sync::mpsc::channel().0);
    TableScreen::new(Source::here(Opening { table, sitters, file: None }, None, reporter).unwrap())
}

/// A game in which chance draws the same each time.
#[derive(Debug)]
pub struct Dealt {
    table: Box<dyn DynSession>,
    rng: StdRng,
}

impl Dealt {
    pub fn seeded(table: Box<dyn DynSession>, seed: u64) -> Self {
        Self { table, rng: StdRng::seed_from_u64(seed) }
    }

    pub fn table(&self) -> &dyn DynSession {
        &*self.table
    }

    /// Draws what chance has to draw.
    pub fn draw_all(&mut self) -> Result<(), String> {
        while self.table.turn() == Turn::Chance {
            self.table.draw(&mut self.rng).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    pub fn act(&mut self, seat: Option<u64>, action: &str) -> Result<(), String> {
        self.table.apply(seat, action).map_err(|error| error.to_string())
    }
}
