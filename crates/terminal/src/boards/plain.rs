//! Any game as text, for those that have no board of their own: what is seen as JSON, and what may be done as a list.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::text::Line;

use super::{Board, Did};
use crate::app::Key;
use crate::look::{Hue, Look};
use crate::moment::Moment;

#[derive(Debug, Default)]
pub struct PlainBoard {
    text: Vec<String>,
    offers: Vec<String>,
    chosen: usize,
    /// Where the list lies, and the number of its first line.
    list: Rect,
    first: usize,
}

impl PlainBoard {
    fn move_by(&mut self, steps: isize) -> Did {
        let Some(last) = self.offers.len().checked_sub(1) else { return Did::Nothing };
        self.chosen = self.chosen.saturating_add_signed(steps).min(last);
        Did::Changed
    }
}

impl Board for PlainBoard {
    fn show(&mut self, moment: &Moment) -> Result<(), String> {
        let text = serde_json::to_string_pretty(&moment.view).map_err(|error| error.to_string())?;
        self.text = text.lines().map(str::to_owned).collect();
        self.offers.clone_from(&moment.offers);
        self.chosen = 0;
        Ok(())
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, look: Look) {
        let [seen, list] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(20)]).spacing(1).areas(area);
        for (line, y) in self.text.iter().zip(seen.y..seen.bottom()) {
            buffer.set_stringn(seen.x, y, line, usize::from(seen.width), look.hue(Hue::Quiet));
        }
        self.list = list;
        self.first = self.chosen.saturating_sub(usize::from(list.height) / 2);
        let shown = self.offers.iter().enumerate().skip(self.first);
        for ((number, offer), y) in shown.zip(list.y..list.bottom()) {
            let style = if number == self.chosen { look.cursor() } else { look.target() };
            buffer.set_stringn(list.x, y, offer, usize::from(list.width), style);
        }
    }

    fn panel(&self, _look: Look) -> Vec<Line<'static>> {
        Vec::new()
    }

    fn status(&self) -> String {
        self.offers.get(self.chosen).map_or_else(String::new, |offer| format!("Enter plays {offer}"))
    }

    fn key(&mut self, key: KeyEvent) -> Did {
        match key.code {
            KeyCode::Up => self.move_by(-1),
            KeyCode::Down => self.move_by(1),
            KeyCode::Tab if !self.offers.is_empty() => {
                self.chosen = (self.chosen + 1) % self.offers.len();
                Did::Changed
            }
            KeyCode::Enter => self.offers.get(self.chosen).map_or(Did::Nothing, |offer| Did::Act(offer.clone())),
            _ => Did::Nothing,
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Did {
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) if self.list.contains(Position::new(mouse.column, mouse.row)) => {
                let number = self.first + usize::from(mouse.row - self.list.y);
                self.offers.get(number).map_or(Did::Nothing, |offer| Did::Act(offer.clone()))
            }
            MouseEventKind::ScrollUp => self.move_by(-1),
            MouseEventKind::ScrollDown => self.move_by(1),
            _ => Did::Nothing,
        }
    }

    fn keys(&self) -> &'static [Key] {
        &[("arrows, Tab", "choose an action"), ("Enter, click", "do it")]
    }
}
