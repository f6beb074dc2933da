//! The screens of the program, and what several of them are made of.

pub mod account;
pub mod desk;
pub mod games;
pub mod lobby;
pub mod menu;
pub mod replay;
pub mod rules;
pub mod setup;
pub mod table;

use quincunx_core::{Actor, Step};
use ratatui::Frame;
use ratatui::crossterm::event::MouseEvent;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};

use crate::app::{Key, Next, Screen, window};
use crate::boards::Board;
use crate::event::Event;
use crate::look::{Hue, Look};
use crate::prompt::{Prompt, Typed};
use crate::source::Player;

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

/// Keys and what they do, in one line.
fn key_line(keys: &[Key], look: Look) -> Line<'static> {
    let spans = keys.iter().flat_map(|(key, what)| {
        [Span::styled(*key, look.title()), Span::styled(format!(" {what}   "), look.hue(Hue::Quiet))]
    });
    Line::from(spans.collect::<Vec<_>>())
}

fn draw_keys(frame: &mut Frame<'_>, area: Rect, keys: &[Key], look: Look) {
    frame.render_widget(Paragraph::new(key_line(keys, look)), area);
}

/// What is said and the keys, below a window that has the whole screen.
fn draw_below_window(frame: &mut Frame<'_>, area: Rect, message: &str, keys: &[Key], look: Look) {
    let [said, below] = [2, 1].map(|above| Rect { y: area.bottom().saturating_sub(above), height: 1, ..area });
    frame.render_widget(Paragraph::new(Line::styled(message.to_owned(), look.hue(Hue::Warning))), said);
    draw_keys(frame, below, keys, look);
}

/// Shows a screen that could be opened; else it is said why not.
fn opened(screen: Result<Box<dyn Screen>, String>, message: &mut String) -> Next {
    match screen {
        Ok(screen) => Next::Open(screen),
        Err(why) => {
            *message = why;
            Next::Stay
        }
    }
}

/// The board, and at its right what stands beside it.
fn board_and_side(area: Rect) -> [Rect; 2] {
    let side = if area.width >= 110 { 42 } else { 34 };
    Layout::horizontal([Constraint::Fill(1), Constraint::Length(side)]).areas(area)
}

/// Draws a board, or says why it cannot be drawn.
fn draw_board(frame: &mut Frame<'_>, area: Rect, board: &mut dyn Board, unreadable: Option<&str>, look: Look) {
    match unreadable {
        None => board.draw(area, frame.buffer_mut(), look),
        Some(why) => {
            let text = format!("This table cannot be drawn: {why}");
            frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
        }
    }
}

/// A player: who is on turn, what the seat is called, what is known besides, and at the right points and clock.
fn player_line(
    player: Player,
    mark: Option<Span<'static>>,
    on_turn: bool,
    score: String,
    width: u16,
    look: Look,
) -> Line<'static> {
    let mut spans = vec![pointer(on_turn, look)];
    if let Some(mark) = mark {
        spans.extend([mark, " ".into()]);
    }
    spans.push(Span::styled(player.name, if on_turn { look.title() } else { Style::new() }));
    if let Some(note) = player.note {
        spans.push(Span::styled(format!(" {note}"), look.hue(Hue::Quiet)));
    }
    let right = player.clock.map_or(score.clone(), |clock| format!("{score}  {}", table::time(clock)));
    let used: usize = spans.iter().map(Span::width).sum();
    let gap = usize::from(width).saturating_sub(used + right.len());
    spans.push(" ".repeat(gap.max(1)).into());
    spans.push(Span::styled(right, Style::new().add_modifier(Modifier::BOLD)));
    Line::from(spans)
}

/// The first actions of a line, each with its seat.
fn line_in_words(steps: &[Step]) -> String {
    const SHOWN: usize = 6;
    let shown = steps.iter().take(SHOWN).map(|Step { by, action }| match by {
        Actor::Seat(seat) => format!("{seat}: {action}"),
        Actor::Chance => format!("({action})"),
    });
    shown.collect::<Vec<_>>().join("; ")
}

/// How many lines of the screen it takes to show these.
fn wrapped_height(lines: &[Line<'_>], width: u16) -> u16 {
    lines.iter().map(|line| line.width().div_ceil(usize::from(width.max(1))).max(1) as u16).sum()
}

/// The sign before a line that is chosen.
fn pointer(chosen: bool, look: Look) -> Span<'static> {
    Span::styled(if chosen { look.text("▸ ", "> ") } else { "  " }, look.title())
}

/// Where a list lies on the screen, and the number of the first of its lines that is in sight.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    area: Rect,
    first: usize,
}

impl List {
    /// Lies here from now on, with the chosen one of its lines in sight; gives how many there is room for.
    fn settle(&mut self, area: Rect, chosen: usize, count: usize) -> usize {
        let height = usize::from(area.height);
        let least = (chosen + 1).saturating_sub(height);
        self.first = self.first.clamp(least, chosen.max(least)).min(count.saturating_sub(height));
        self.area = area;
        height
    }

    /// The number of the line under the pointer; there may be none so far down.
    fn at(&self, mouse: MouseEvent) -> Option<usize> {
        let inside = self.area.contains(Position::new(mouse.column, mouse.row));
        inside.then(|| self.first + usize::from(mouse.row - self.area.y))
    }
}

/// The place that lies so many steps further in a round of so many.
fn turned(place: usize, count: usize, step: i64) -> usize {
    (place as i64 + step).rem_euclid(count.max(1) as i64) as usize
}

/// The value that comes so many steps after another one, round and round.
fn after<T: Copy + PartialEq>(values: &[T], now: T, step: i64) -> T {
    let place = values.iter().position(|&value| value == now).unwrap_or(0);
    values.get(turned(place, values.len(), step)).copied().unwrap_or(now)
}

/// Lets a line be typed on; gives what was typed, and what for, once it is done.
fn type_on<P: Copy>(typing: &mut Option<(P, Prompt)>, event: &Event) -> Option<(P, String)> {
    let (purpose, prompt) = typing.as_mut()?;
    let done = match event {
        Event::Key(key) => match prompt.press(*key) {
            Typed::More => return None,
            Typed::GaveUp => None,
            Typed::Done(text) => Some((*purpose, text)),
        },
        Event::Paste(text) => {
            prompt.paste(text);
            return None;
        }
        _ => return None,
    };
    *typing = None;
    done
}

/// A question, and what is typed as its answer, in one line.
fn draw_question(frame: &mut Frame<'_>, area: Rect, question: &'static str, prompt: &Prompt, look: Look) {
    let text = prompt.shown();
    let column = area.x + (question.len() + text.chars().count()) as u16;
    frame.set_cursor_position(Position::new(column.min(area.right().saturating_sub(1)), area.y));
    let line = Line::from(vec![Span::styled(question, look.title()), text.into()]);
    frame.render_widget(Paragraph::new(line), area);
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
    lines.extend(offer_lines(prompt, OFFERS, width, look).take(OFFERS));
    lines.extend(crate::page::lines(about, width, look).into_iter().map(|line| line.style(look.hue(Hue::Quiet))));
    let inside = window(frame, area, &format!(" {title} "), Text::from(lines), look);
    let place = Position::new(inside.x + 2 + column as u16, inside.y + 1 + last as u16);
    if inside.contains(place) {
        frame.set_cursor_position(place);
    }
}

/// The offers that fit what is typed, the chosen one among the first that there is room for.
fn offer_lines(prompt: &Prompt, room: usize, width: usize, look: Look) -> impl Iterator<Item = Line<'static>> {
    let chosen = prompt.chosen();
    let first = chosen.map_or(0, |chosen| (chosen + 1).saturating_sub(room));
    prompt.fitting().into_iter().enumerate().skip(first).map(move |(number, offer)| {
        Line::styled(cut(offer, width), if chosen == Some(number) { look.cursor() } else { Style::new() })
    })
}

/// As much of a text as fits into this width, with a sign where something is missing.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(2)).collect();
    kept + ".."
}

/// A text in a column: cut, or filled, and never close to the next one.
fn fitted(text: &str, width: usize, gap: usize) -> String {
    format!("{:<width$}", cut(text, width.saturating_sub(gap)))
}

/// The last characters of a text, as many as are shown while it is typed.
fn end_of(text: &str, shown: usize) -> String {
    let all = text.chars().count();
    text.chars().skip(all.saturating_sub(shown)).collect()
}
