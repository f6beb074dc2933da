//! What can happen while a screen is shown, from whichever thread.

use std::fmt;
use std::sync::mpsc::Sender;

use quincunx_arena::Decider;
use quincunx_core::Seat;
use quincunx_engine::{Judged, Thought};
use ratatui::crossterm::event::{KeyEvent, MouseEvent};

use crate::source::online;

/// What happens.
#[derive(Debug)]
pub enum Event {
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// A text that was pasted.
    Paste(String),
    /// The terminal has another size now.
    Resized,
    /// Time has passed, on a screen that asked for it.
    Tick,
    /// Something that was done in the background.
    News(News),
    /// The system asks the program to end.
    Stop,
}

/// What comes from the background.
#[derive(Debug)]
pub enum News {
    /// A player has decided, and comes back to the table.
    Decided(Decided),
    /// The engine's advice about a position.
    Hinted { party: u64, ply: usize, thought: Option<Thought<String>> },
    /// How far the review of a game is, and what was found so far.
    Reviewed { review: u64, done: usize, moves: Vec<Judged>, over: bool },
    /// From a server.
    Online(online::News),
}

/// What a player has decided.
pub struct Decided {
    /// Which game at this machine it is.
    pub party: u64,
    pub seat: Seat,
    pub ply: usize,
    pub decider: Box<dyn Decider>,
    pub action: Result<Option<String>, String>,
}

impl fmt::Debug for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decided").field("seat", &self.seat).field("action", &self.action).finish_non_exhaustive()
    }
}

/// Where the background reports to.
#[derive(Clone, Debug)]
pub struct Reporter(pub Sender<Event>);

impl Reporter {
    /// Reports something. Where nobody listens any more, nobody has to know.
    pub fn tell(&self, news: News) {
        let _ = self.0.send(Event::News(news));
    }
}
