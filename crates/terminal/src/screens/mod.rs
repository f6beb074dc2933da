//! The screens of the program.

pub mod account;
pub mod desk;
pub mod games;
pub mod lobby;
pub mod menu;
pub mod replay;
pub mod rules;
pub mod setup;
pub mod table;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Text};
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::window;
use crate::look::{Hue, Look};
use crate::prompt::Prompt;

/// A title above, what the screen is about, what is said about it, and the keys.
fn parts(area: Rect, message: &str) -> [Rect; 4] {
    // What went wrong is told to its end, within reason.
    let said = message.chars().count().div_ceil(usize::from(area.width.max(1))).clamp(1, 3) as u16;
    let line = Constraint::Length(1);
    Layout::vertical([line, Constraint::Fill(1), Constraint::Length(said), line]).areas(area)
}

/// Why something could not be done.
fn draw_message(frame: &mut Frame<'_>, area: Rect, message: &str, look: Look) {
    let line = Line::styled(message.to_owned(), look.hue(Hue::Warning));
    frame.render_widget(Paragraph::new(line).wrap(Wrap { trim: true }), area);
}

/// A line that is typed, in a window of its own, with a few words about it and what it may become.
fn draw_prompt(frame: &mut Frame<'_>, area: Rect, title: &str, about: &str, prompt: &Prompt, look: Look) {
    const OFFERS: usize = 7;
    let width = usize::from(area.width.saturating_sub(12)).clamp(20, 70);
    let typed: Vec<char> = prompt.shown().chars().chain([' ']).collect();
    let mut lines: Vec<Line<'_>> =
        typed.chunks(width).map(|chunk| Line::from(chunk.iter().collect::<String>())).collect();
    let (last, column) = (lines.len() - 1, (typed.len() - 1) % width);
    lines.push(Line::styled(look.text("─", "-").repeat(width), look.hue(Hue::Quiet)));
    let first = prompt.chosen().map_or(0, |chosen| chosen.saturating_sub(OFFERS - 1));
    for (number, offer) in prompt.fitting().into_iter().enumerate().skip(first).take(OFFERS) {
        let style = if prompt.chosen() == Some(number) { look.cursor() } else { Style::new() };
        lines.push(Line::styled(cut(offer, width), style));
    }
    lines.extend(crate::page::lines(about, width, look).into_iter().map(|line| line.style(look.hue(Hue::Quiet))));
    let inside = window(frame, area, &format!(" {title} "), Text::from(lines), look);
    let place = Position::new(inside.x + 2 + column as u16, inside.y + 1 + last as u16);
    if inside.contains(place) {
        frame.set_cursor_position(place);
    }
}

/// As much of a text as fits into this width, with a sign where something is missing.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(2)).collect();
    kept + ".."
}

/// The number of the first of `count` lines that are shown on so many, so that one of them is in sight.
fn first_in_sight(first: usize, chosen: usize, count: usize, height: usize) -> usize {
    let least = (chosen + 1).saturating_sub(height);
    first.clamp(least, chosen.max(least)).min(count.saturating_sub(height))
}
