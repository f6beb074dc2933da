//! The games that are kept: to be played on, looked through, or thrown away.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use quincunx_core::{OutcomeJson, Table};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Margin, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Paragraph;

use super::desk::{self, Desk};
use super::table::key_line;
use super::{cut, first_in_sight, parts};
use crate::app::{Key, Next, Screen, window};
use crate::event::Event;
use crate::files;
use crate::look::{Hue, Look};
use crate::source::local;

/// How many games are read around the one that is chosen: more than any screen shows.
const READ_AHEAD: usize = 60;

const KEYS: [Key; 5] = [
    ("Up Down", "choose"),
    ("Enter, click", "play on, or look through what is over"),
    ("v", "look through it"),
    ("d d", "delete"),
    ("q", "back"),
];

/// The games that are kept.
#[derive(Debug)]
pub struct Games {
    desk: Desk,
    games: Vec<Kept>,
    chosen: usize,
    /// Whether the next `d` deletes.
    deletes: bool,
    message: String,
    list: Rect,
    first: usize,
}

/// A file with a game.
#[derive(Debug)]
struct Kept {
    path: PathBuf,
    when: SystemTime,
    /// What is in it, or why it cannot be read; nothing before somebody has looked.
    found: Option<Result<Summary, String>>,
}

/// What is told about a game.
#[derive(Debug)]
struct Summary {
    title: &'static str,
    players: String,
    ply: usize,
    /// How it ended.
    ending: Option<String>,
}

impl Summary {
    fn of(table: &dyn Table) -> Self {
        let names = desk::names(table);
        Self {
            title: table.kind().title(),
            players: names.join(", "),
            ply: table.ply(),
            ending: table.outcome().map(|outcome| local::in_words(&OutcomeJson::from(outcome), &names)),
        }
    }
}

impl Kept {
    fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn replay(&self) -> Result<Box<dyn Table>, String> {
        files::replay(&self.path.to_string_lossy())
    }

    fn look(&mut self) {
        if self.found.is_none() {
            let name = self.path.display().to_string();
            // The list names the file already.
            let short = |why: String| why.strip_prefix(&format!("{name}: ")).map_or(why.clone(), str::to_owned);
            self.found = Some(self.replay().map(|table| Summary::of(&*table)).map_err(short));
        }
    }

    fn is_over(&self) -> bool {
        matches!(&self.found, Some(Ok(summary)) if summary.ending.is_some())
    }
}

impl Games {
    pub fn new(desk: Desk) -> Self {
        let games = desk.shelf.games().into_iter().map(|(path, when)| Kept { path, when, found: None }).collect();
        let (message, list) = (String::new(), Rect::default());
        let mut screen = Self { desk, games, chosen: 0, deletes: false, message, list, first: 0 };
        screen.choose(0);
        screen
    }

    fn choose(&mut self, number: usize) {
        self.chosen = number.min(self.games.len().saturating_sub(1));
        let around = self.chosen.saturating_sub(READ_AHEAD)..self.chosen.saturating_add(READ_AHEAD);
        let around = around.start..around.end.min(self.games.len());
        self.games.get_mut(around).into_iter().flatten().for_each(Kept::look);
    }

    fn open(&mut self, only_look: bool) -> Next {
        let Some(game) = self.games.get(self.chosen) else { return Next::Stay };
        let opened = if only_look || game.is_over() {
            game.replay().map(|table| self.desk.replay(table))
        } else {
            self.desk.resume(&game.path)
        };
        match opened {
            // When the game is left, it stands elsewhere in the list and is further on.
            Ok(screen) => {
                if let Some(game) = self.games.get_mut(self.chosen) {
                    game.found = None;
                }
                Next::Open(screen)
            }
            Err(why) => {
                self.message = why;
                Next::Stay
            }
        }
    }

    fn delete(&mut self) {
        let Some(game) = self.games.get(self.chosen) else { return };
        if !self.deletes {
            self.deletes = true;
            self.message = format!("d again deletes {}; any other key keeps it.", game.name());
            return;
        }
        self.deletes = false;
        match fs::remove_file(&game.path) {
            Ok(()) => {
                self.message = format!("{} is deleted.", game.name());
                self.games.remove(self.chosen);
                self.choose(self.chosen);
            }
            Err(error) => self.message = format!("{} cannot be deleted: {error}", game.name()),
        }
    }

    fn press(&mut self, key: KeyEvent) -> Next {
        if key.code == KeyCode::Char('d') {
            self.delete();
            return Next::Stay;
        }
        self.deletes = false;
        self.message.clear();
        let page = usize::from(self.list.height.max(2)) - 1;
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Next::Close,
            KeyCode::Enter => return self.open(false),
            KeyCode::Char('v') => return self.open(true),
            KeyCode::Up | KeyCode::BackTab => self.choose(self.chosen.saturating_sub(1)),
            KeyCode::Down | KeyCode::Tab => self.choose(self.chosen + 1),
            KeyCode::PageUp => self.choose(self.chosen.saturating_sub(page)),
            KeyCode::PageDown => self.choose(self.chosen + page),
            KeyCode::Home => self.choose(0),
            KeyCode::End => self.choose(usize::MAX),
            _ => {}
        }
        Next::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Next {
        let here = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollUp => self.choose(self.chosen.saturating_sub(1)),
            MouseEventKind::ScrollDown => self.choose(self.chosen + 1),
            MouseEventKind::Down(MouseButton::Left) if self.list.contains(here) => {
                let number = self.first + usize::from(mouse.row - self.list.y);
                let again = number == self.chosen;
                if number < self.games.len() {
                    self.choose(number);
                    self.deletes = false;
                    if again {
                        return self.open(false);
                    }
                }
            }
            _ => {}
        }
        Next::Stay
    }

    fn line(&self, number: usize, game: &Kept, width: usize, look: Look) -> Line<'static> {
        let chosen = number == self.chosen;
        let mark = Span::styled(if chosen { look.text("▸ ", "> ") } else { "  " }, look.title());
        let style = if chosen { look.cursor() } else { Style::new() };
        let columns = Columns::of(width);
        let when = ago(game.when);
        let rest = match &game.found {
            Some(Ok(summary)) => {
                let far = summary.ending.clone().unwrap_or_else(|| format!("goes on, {} actions", summary.ply));
                columns.line([summary.title, &summary.players, &far, &when])
            }
            Some(Err(why)) => {
                let told = format!("{}: {why}", game.name());
                return Line::from(vec![mark, Span::styled(cut(&told, width), style.patch(look.hue(Hue::Warning)))]);
            }
            None => columns.line([&game.name(), "", "", &when]),
        };
        Line::from(vec![mark, Span::styled(rest, style)])
    }
}

/// The widths of the columns.
struct Columns([usize; 4]);

impl Columns {
    fn of(width: usize) -> Self {
        let (title, when) = (18, 14);
        let rest = width.saturating_sub(title + when);
        Self([title, rest / 2, rest - rest / 2, when])
    }

    fn line(&self, texts: [&str; 4]) -> String {
        let cell = |(text, width): (&str, usize)| {
            let text = cut(text, width.saturating_sub(2));
            format!("{text:<width$}")
        };
        texts.into_iter().zip(self.0).map(cell).collect()
    }
}

/// How long ago something was, in words.
fn ago(when: SystemTime) -> String {
    let Ok(passed) = when.elapsed() else { return "just now".to_owned() };
    let minutes = passed.as_secs() / 60;
    let (number, unit) = match minutes {
        0 => return "just now".to_owned(),
        1..60 => (minutes, "minute"),
        60..1440 => (minutes / 60, "hour"),
        _ => (minutes / 1440, "day"),
    };
    format!("{number} {unit}{} ago", if number == 1 { "" } else { "s" })
}

impl Screen for Games {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let [title, middle, status, keys] = parts(area);
        frame.render_widget(Paragraph::new(Line::styled("Kept games", look.title())), title);
        frame.render_widget(Paragraph::new(Line::styled(self.message.clone(), look.hue(Hue::Warning))), status);
        let footer: &[Key] =
            &[("Enter", "play on, look through"), ("v", "look through"), ("d", "delete"), ("q", "back")];
        frame.render_widget(Paragraph::new(key_line(footer, look)), keys);
        if self.games.is_empty() {
            let text = vec![
                Line::from("No game is kept here yet."),
                Line::default(),
                Line::from("Games that you play here are kept by themselves:"),
                Line::from("start one with \"Play here\" in the menu."),
            ];
            window(frame, middle, " Kept games ", Text::from(text), look);
            return;
        }
        let inside = middle.inner(Margin::new(1, 1));
        let width = usize::from(inside.width.saturating_sub(2));
        let head = format!("  {}", Columns::of(width).line(["Game", "Players", "How far", "Last played"]));
        frame.render_widget(Paragraph::new(Line::styled(head, look.hue(Hue::Quiet))), Rect { height: 1, ..inside });
        self.list = Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
        let height = usize::from(self.list.height);
        self.first = first_in_sight(self.first, self.chosen, self.games.len(), height);
        let shown = self.games.iter().enumerate().skip(self.first).take(height);
        let lines: Vec<Line<'_>> = shown.map(|(number, game)| self.line(number, game, width, look)).collect();
        frame.render_widget(Paragraph::new(lines), self.list);
    }

    fn handle(&mut self, event: &Event) -> Next {
        // Games that were played on have changed while another screen was shown.
        self.choose(self.chosen);
        match event {
            Event::Key(key) => self.press(*key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            _ => Next::Stay,
        }
    }

    fn keys(&self) -> Vec<Key> {
        KEYS.to_vec()
    }
}
