//! The table in a terminal, full screen.
//!
//! What is known, what happens and how it looks are told apart. A [`Source`](source::Source) is a table behind a connection, to a
//! server or to the [host](host::Here) in this process; a [`Board`](boards::Board) draws one game and turns keys and clicks into the words of an action; a
//! [`Screen`](app::Screen) puts them together; and [`show`](term::show) has the terminal, the keyboard and the clock. All that
//! takes time runs in threads of its own and reports as an [`Event`](event::Event): nothing that is drawn ever waits.

pub mod app;
pub mod boards;
pub mod event;
pub mod files;
pub mod form;
pub mod graph;
pub mod host;
pub mod look;
pub mod moment;
pub mod page;
pub mod prompt;
pub mod review;
pub mod screens;
pub mod source;
pub mod term;
#[cfg(test)]
mod testing;

use app::Screen;
use event::Reporter;
use files::Shelf;
use host::Opening;
use look::Look;
use quincunx_core::DynSession;
use screens::account::Entrance;
use screens::desk::Desk;
use screens::menu::Menu;
use source::Visit;

/// What the program begins with.
#[derive(Debug)]
pub enum Start {
    Menu,
    /// A game at this machine, or one that engines play and everybody watches.
    Play(Opening),
    /// A game to look through.
    Replay(Box<dyn DynSession>),
    /// The tables of a server.
    Server(Visit),
}

impl Start {
    /// The screen that is shown first; the background reports to where it is told.
    pub fn screen(self, reporter: Reporter) -> Result<Box<dyn Screen>, String> {
        let desk = Desk { reporter, shelf: Shelf::of_user() };
        Ok(match self {
            Self::Menu => Box::new(Menu::new(desk)),
            Self::Play(opening) => desk.open(opening)?,
            Self::Replay(table) => desk.replay(table),
            Self::Server(visit) => Box::new(Entrance::new(visit, desk)?),
        })
    }
}

/// Takes the terminal over until whoever sits before it leaves.
pub fn run(start: Start, look: Look) -> Result<(), String> {
    term::show(look, |reporter| start.screen(reporter))
}
