//! The rules of the games, to read.

use quincunx_core::GameKind;
use quincunx_games::GAMES;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEventKind};
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::{draw_keys, parts};
use crate::app::{Key, Next, Screen};
use crate::event::Event;
use crate::look::{Hue, Look};
use crate::page;

/// No line is longer than one can read with ease.
const WIDEST: u16 = 90;

const KEYS: [Key; 4] = [("Left Right", "another game"), ("Up Down", "a line"), ("PgUp PgDn", "a page"), ("q", "back")];

/// The rules of one game at a time.
#[derive(Debug, Default)]
pub struct Rules {
    game: usize,
    /// The first line that is shown.
    first: usize,
    /// How many lines the page has, and how many of them are shown.
    lines: usize,
    height: usize,
}

impl Rules {
    pub fn of(game: usize) -> Self {
        Self { game, ..Self::default() }
    }

    fn kind(&self) -> Option<&'static dyn GameKind> {
        GAMES.get(self.game).copied()
    }

    fn scroll(&mut self, lines: isize) {
        let last = self.lines.saturating_sub(self.height);
        self.first = self.first.saturating_add_signed(lines).min(last);
    }

    fn turn_to(&mut self, step: usize) {
        *self = Self::of((self.game + step) % GAMES.len().max(1));
    }

    fn press(&mut self, key: KeyEvent) -> Next {
        let page = (self.height.saturating_sub(2)) as isize;
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Next::Close,
            KeyCode::Right | KeyCode::Tab => self.turn_to(1),
            KeyCode::Left | KeyCode::BackTab => self.turn_to(GAMES.len().saturating_sub(1)),
            KeyCode::Up => self.scroll(-1),
            KeyCode::Down => self.scroll(1),
            KeyCode::PageUp => self.scroll(-page),
            KeyCode::PageDown | KeyCode::Char(' ') => self.scroll(page),
            KeyCode::Home => self.first = 0,
            KeyCode::End => self.scroll(self.lines as isize),
            _ => {}
        }
        Next::Stay
    }
}

impl Screen for Rules {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let [title, middle, status, keys] = parts(area, "");
        let names = GAMES.iter().enumerate().flat_map(|(number, kind)| {
            let style = if number == self.game { look.title().patch(look.cursor()) } else { look.hue(Hue::Quiet) };
            [Span::styled(format!(" {} ", kind.title()), style), " ".into()]
        });
        frame.render_widget(Paragraph::new(Line::from(names.collect::<Vec<_>>())), title);
        let inside = middle.inner(Margin::new(1, 1));
        let width = inside.width.min(WIDEST);
        let lines = self.kind().map_or_else(Vec::new, |kind| page::lines(kind.rules(), usize::from(width), look));
        (self.lines, self.height) = (lines.len(), usize::from(inside.height));
        self.scroll(0);
        let shown: Vec<_> = lines.into_iter().skip(self.first).take(self.height).collect();
        frame.render_widget(Paragraph::new(shown), Rect { width, ..inside });
        let end = (self.first + self.height).min(self.lines);
        let place = format!(" lines {} to {end} of {}", self.first + 1, self.lines);
        frame.render_widget(Paragraph::new(Line::styled(place, look.hue(Hue::Quiet))), status);
        draw_keys(frame, keys, &KEYS, look);
    }

    fn handle(&mut self, event: &Event) -> Next {
        match event {
            Event::Key(key) => return self.press(*key),
            Event::Mouse(mouse) => match mouse.kind {
                MouseEventKind::ScrollUp => self.scroll(-3),
                MouseEventKind::ScrollDown => self.scroll(3),
                _ => {}
            },
            _ => {}
        }
        Next::Stay
    }

    fn keys(&self) -> Vec<Key> {
        KEYS.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Stage;

    #[test]
    fn rules_are_read_page_by_page_and_game_by_game() {
        let mut stage = Stage::new(Rules::of(2));
        stage.assert_looks_like("rules of trexo");
        stage.press([KeyCode::PageDown, KeyCode::Up]);
        assert!(!stage.picture(80, 24).contains("grows upwards"));
        stage.press([KeyCode::Right]);
        assert!(stage.picture(80, 24).contains("The king looks at a castle"));
        stage.press([KeyCode::End]);
        let end = stage.picture(80, 24);
        stage.press([KeyCode::Down, KeyCode::PageDown]);
        assert_eq!(stage.picture(80, 24), end, "there is nothing below the end");
        stage.press([KeyCode::Left, KeyCode::Left, KeyCode::Left, KeyCode::Left, KeyCode::Char('q')]);
        assert!(stage.app.is_over());
    }
}
