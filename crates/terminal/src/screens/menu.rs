//! The first screen: what can be done here.

use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::{Line, Text};

use crate::app::{Key, Next, Screen, window};
use crate::event::{Event, Reporter};
use crate::look::Look;

/// What can be done here.
#[derive(Debug)]
pub struct Menu {
    #[expect(dead_code, reason = "it opens screens that think")]
    reporter: Reporter,
}

impl Menu {
    pub fn new(reporter: Reporter) -> Self {
        Self { reporter }
    }
}

impl Screen for Menu {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        window(frame, area, " Quincunx ", Text::from(Line::from("..")), look);
    }

    fn handle(&mut self, event: &Event) -> Next {
        match event {
            Event::Key(key) if key.code == KeyCode::Char('q') => Next::Close,
            _ => Next::Stay,
        }
    }

    fn keys(&self) -> Vec<Key> {
        vec![("q", "leave")]
    }
}
