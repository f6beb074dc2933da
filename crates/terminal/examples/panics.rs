//! A screen that panics when `p` is pressed, and lets another thread panic on `t`: to see that the terminal survives it.

use std::thread;

use quincunx_terminal::app::{Key, Next, Screen};
use quincunx_terminal::event::Event;
use quincunx_terminal::look::Look;
use quincunx_terminal::term;
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::widgets::Paragraph;

#[derive(Debug)]
struct Fragile;

impl Screen for Fragile {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, _look: Look) {
        frame.render_widget(Paragraph::new("p and t panic."), area);
    }

    fn handle(&mut self, event: &Event) -> Next {
        match event {
            Event::Key(key) if key.code == KeyCode::Char('p') => panic!("as was asked for"),
            Event::Key(key) if key.code == KeyCode::Char('t') => {
                thread::spawn(|| panic!("in a thread, as was asked for"));
            }
            _ => {}
        }
        Next::Stay
    }

    fn keys(&self) -> Vec<Key> {
        Vec::new()
    }
}

fn main() {
    if let Err(why) = term::show(Look::FULL, |_| Ok(Box::new(Fragile))) {
        eprintln!("{why}");
    }
}
