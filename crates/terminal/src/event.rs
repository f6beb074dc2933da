//! What can happen while a screen is shown, from whichever thread.

use std::sync::mpsc::Sender;

use quincunx_engine::{Judged, Thought};
use ratatui::crossterm::event::{KeyEvent, MouseEvent};

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
    /// Something has happened at a table in this process.
    Woken { session_id: u64 },
    /// The engine's advice about a position.
    Hinted { session_id: u64, ply: usize, thought: Option<Thought<String>> },
    /// How far the review of a game is, and what was found so far.
    Reviewed { review: u64, done: usize, moves: Vec<Judged>, over: bool },
    /// From a server.
    Online(quincunx_client::News),
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
