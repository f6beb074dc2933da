//! A window over the lower part of the chart: what was said, and what can be chosen.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Padding, Widget};

use crate::boards::canvas::Canvas;
use crate::look::Look;

/// The widest that is read with pleasure.
const WIDEST: u16 = 60;

/// What a window says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dialogue {
    pub title: &'static str,
    pub said: Vec<String>,
    pub choices: Vec<String>,
    pub chosen: usize,
}

/// Where the choices of a window lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    area: Rect,
    /// The number of the first one that is seen.
    first: usize,
}

impl Choices {
    /// The choice at a point of the screen.
    pub fn at(&self, x: u16, y: u16) -> Option<usize> {
        let inside = self.area.contains((x, y).into());
        inside.then(|| self.first + usize::from(y - self.area.y))
    }
}

impl Dialogue {
    /// Draws it at the bottom of an area. What was said last and what is chosen are seen in any case.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, look: Look) -> Choices {
        let width = area.width.min(WIDEST);
        let said: Vec<String> =
            self.said.iter().flat_map(|line| wrapped(line, usize::from(width.saturating_sub(4)))).collect();
        let room = usize::from(area.height.saturating_sub(2));
        let choices = self.choices.len().min(room.saturating_sub(said.len().min(room / 2)).max(1));
        let said = &said[said.len() - said.len().min(room.saturating_sub(choices))..];
        let height = ((said.len() + choices) as u16 + 2).min(area.height);
        let whole = Rect { x: area.x + (area.width - width) / 2, y: area.bottom() - height, width, height }
            .intersection(buffer.area);
        Clear.render(whole, buffer);
        let title = Line::styled(format!(" {} ", self.title), look.title());
        look.frame().title(title).padding(Padding::horizontal(1)).render(whole, buffer);
        let inside = whole.inner(Margin::new(2, 1));
        let mut canvas = Canvas::new(buffer, inside);
        for (line, y) in said.iter().zip(0..) {
            canvas.put(0, y, line, Style::new());
        }
        let first = self.chosen.saturating_sub(choices / 2).min(self.choices.len().saturating_sub(choices));
        let top = said.len() as i32;
        for ((number, choice), y) in self.choices.iter().enumerate().skip(first).take(choices).zip(top..) {
            let (mark, style) = if number == self.chosen {
                (look.text("▸", ">"), look.target().patch(look.cursor()))
            } else {
                (" ", look.target())
            };
            canvas.put(0, y, &format!("{mark} {choice} "), style);
        }
        Choices { area: canvas.rect((0, top), (i32::from(inside.width), choices as i32)), first }
    }
}

/// A text in lines of at most this many characters, broken between words; what follows the first line is set in.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { break };
        if line.trim().is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(format!("  {word}"));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words() {
        assert_eq!(wrapped("Seat 1: Rather 2 cards.", 12), ["Seat 1:", "  Rather 2", "  cards."]);
        assert_eq!(wrapped("Short.", 12), ["Short."]);
    }

    #[test]
    fn the_choice_that_is_made_is_seen_however_little_room_there_is() {
        let choices: Vec<String> = (0..20).map(|number| format!("choice {number}")).collect();
        let said = vec!["one".to_owned(), "two".to_owned(), "three".to_owned()];
        for (chosen, height) in (0..20).flat_map(|chosen| (3..24).map(move |height| (chosen, height))) {
            let area = Rect::new(0, 0, 30, height);
            let mut buffer = Buffer::empty(area);
            let dialogue = Dialogue { title: "Test", said: said.clone(), choices: choices.clone(), chosen };
            let places = dialogue.draw(area, &mut buffer, Look::BARE);
            let line = (0..height).find(|&y| buffer[(2, y)].symbol() == ">").expect("it is seen");
            assert_eq!(places.at(4, line), Some(chosen));
        }
    }
}
