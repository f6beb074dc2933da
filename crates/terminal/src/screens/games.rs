//! The games that are kept: to be played on, looked through, or thrown away.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use quincunx_core::DynSession;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Paragraph;

use super::desk::{self, Desk};
use super::{List, cut, draw_keys, draw_message, fitted, opened, parts, pointer};
use crate::app::{Key, Next, Screen, window};
use crate::event::Event;
use crate::files;
use crate::look::{Hue, Look};

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
    /// Those that were played last come first.
    list: Vec<Kept>,
    chosen: usize,
    rows: List,
    /// Whether the next `d` deletes.
    deletes: bool,
    message: String,
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
    fn of(table: &dyn DynSession) -> Self {
        let names = desk::names(table);
        Self {
            title: table.kind().title(),
            players: names.join(", "),
            ply: table.ply(),
            ending: desk::ending(table, &names),
        }
    }
}

impl Kept {
    fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn replay(&self) -> Result<Box<dyn DynSession>, String> {
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
        let list = desk.shelf.games().into_iter().map(|(path, when)| Kept { path, when, found: None }).collect();
        Self { desk, list, chosen: 0, rows: List::default(), deletes: false, message: String::new() }
    }

    fn choose(&mut self, number: usize) {
        self.chosen = number.min(self.list.len().saturating_sub(1));
    }

    fn open(&mut self, only_look: bool) -> Next {
        let Some(game) = self.list.get_mut(self.chosen) else { return Next::Stay };
        game.look();
        let screen = if only_look || game.is_over() {
            game.replay().map(|table| self.desk.replay(table))
        } else {
            self.desk.resume(&game.path)
        };
        if screen.is_ok() {
            // When it is left, it may be further on.
            game.found = None;
        }
        opened(screen, &mut self.message)
    }

    fn delete(&mut self) {
        let Some(game) = self.list.get(self.chosen) else { return };
        if !self.deletes {
            self.deletes = true;
            self.message = format!("d again deletes {}; any other key keeps it.", game.name());
            return;
        }
        self.deletes = false;
        match fs::remove_file(&game.path) {
            Ok(()) => {
                self.message = format!("{} is deleted.", game.name());
                self.list.remove(self.chosen);
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
        let page = usize::from(self.rows.area.height.max(2)) - 1;
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
        if mouse.kind != MouseEventKind::Moved {
            self.deletes = false;
            self.message.clear();
        }
        match mouse.kind {
            MouseEventKind::ScrollUp => self.choose(self.chosen.saturating_sub(1)),
            MouseEventKind::ScrollDown => self.choose(self.chosen + 1),
            MouseEventKind::Down(MouseButton::Left) => {
                let number = self.rows.at(mouse).filter(|&number| number < self.list.len());
                if number == Some(self.chosen) {
                    return self.open(false);
                }
                self.chosen = number.unwrap_or(self.chosen);
            }
            _ => {}
        }
        Next::Stay
    }

    /// What was said last, else why the game that is chosen cannot be read, which may be too long for the list.
    fn said(&self) -> String {
        let why = self.list.get(self.chosen).and_then(|game| game.found.as_ref()?.as_ref().err());
        if self.message.is_empty() { why.cloned().unwrap_or_default() } else { self.message.clone() }
    }

    fn line(&self, number: usize, game: &Kept, width: usize, look: Look) -> Line<'static> {
        let chosen = number == self.chosen;
        let mark = pointer(chosen, look);
        let style = if chosen { look.cursor() } else { Style::new() };
        let when = ago(game.when);
        let rest = match &game.found {
            Some(Ok(summary)) => {
                let far = summary.ending.clone().unwrap_or_else(|| format!("goes on, {} actions", summary.ply));
                columns([summary.title, &summary.players, &far, &when], width)
            }
            Some(Err(why)) => {
                let told = format!("{}: {why}", game.name());
                return Line::from(vec![mark, Span::styled(cut(&told, width), style.patch(look.hue(Hue::Warning)))]);
            }
            None => columns([&game.name(), "", "", &when], width),
        };
        Line::from(vec![mark, Span::styled(rest, style)])
    }
}

/// The columns of a line, two of which grow with its width.
fn columns(texts: [&str; 4], width: usize) -> String {
    let (title, when) = (18, 14);
    let rest = width.saturating_sub(title + when);
    let players = rest * 2 / 5;
    texts.into_iter().zip([title, players, rest - players, when]).map(|(text, width)| fitted(text, width, 2)).collect()
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
        let message = self.said();
        let [title, middle, status, keys] = parts(area, &message);
        frame.render_widget(Paragraph::new(Line::styled("Kept games", look.title())), title);
        draw_message(frame, status, &message, look);
        let footer: &[Key] = if self.list.is_empty() {
            &[("q", "back")]
        } else {
            &[("Enter", "play on, or look through"), ("v", "look through"), ("d", "delete"), ("q", "back")]
        };
        draw_keys(frame, keys, footer, look);
        if self.list.is_empty() {
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
        let head = format!("  {}", columns(["Game", "Players", "How far", "Last played"], width));
        frame.render_widget(Paragraph::new(Line::styled(head, look.hue(Hue::Quiet))), Rect { height: 1, ..inside });
        let area = Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
        let height = self.rows.settle(area, self.chosen, self.list.len());
        // Only what is in sight is read: there may be very many games.
        self.list.iter_mut().skip(self.rows.first).take(height).for_each(Kept::look);
        let shown = self.list.iter().enumerate().skip(self.rows.first).take(height);
        let lines: Vec<Line<'_>> = shown.map(|(number, game)| self.line(number, game, width, look)).collect();
        frame.render_widget(Paragraph::new(lines), area);
    }

    fn handle(&mut self, event: &Event) -> Next {
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

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use ratatui::crossterm::event::KeyModifiers;

    use super::super::desk::tests::{GAME, Room, trexo};
    use super::*;
    use crate::testing::Stage;

    fn keep(room: &Room, name: &str, hours: u64, mut table: Box<dyn DynSession>, players: [&str; 2]) {
        let headers = players.iter().enumerate().map(|(seat, name)| (format!("Player {seat}"), (*name).to_owned()));
        table.set_headers(headers.collect());
        let path = room.folder.path().join(name);
        files::write(&path, &table.record()).unwrap();
        was_played(&path, hours);
    }

    fn was_played(path: &std::path::Path, hours: u64) {
        let when = SystemTime::now() - Duration::from_secs(3600 * hours + 60);
        File::options().append(true).open(path).unwrap().set_modified(when).unwrap();
    }

    /// A game that goes on, one that is over, and a file that is none.
    fn room() -> Room {
        let room = Room::open();
        keep(&room, "trexo-1.txt", 3, trexo(&["e5f5", "c3c4"]), ["Ann", "Bob"]);
        keep(&room, "trexo-2.txt", 50, trexo(&GAME), ["Ann", "club"]);
        let broken = room.folder.path().join("trexo-3.txt");
        fs::write(&broken, "Game: trexo\nSeats: 2\n\n0: z9\n").unwrap();
        was_played(&broken, 100);
        room
    }

    #[test]
    fn games_are_listed_with_what_is_known_of_them() {
        let room = room();
        Stage::new(Games::new(room.desk.clone())).assert_looks_like("kept games");
    }

    #[test]
    fn an_empty_list_says_what_to_do() {
        let room = Room::open();
        let mut stage = Stage::new(Games::new(room.desk.clone()));
        stage.assert_looks_like("no kept games");
        stage.press([KeyCode::Enter, KeyCode::Char('d'), KeyCode::Char('d'), KeyCode::Down, KeyCode::Char('v')]);
        stage.press([KeyCode::End, KeyCode::PageDown, KeyCode::Esc]);
        assert!(stage.app.is_over());
    }

    #[test]
    fn one_that_goes_on_is_resumed_with_the_same_position() {
        let room = room();
        let mut stage = Stage::new(Games::new(room.desk.clone()));
        let table = stage.press([KeyCode::Enter]).picture(80, 24);
        for known in ["Ann", "Bob", "1 X e5f5", "2 O c3c4"] {
            assert!(table.contains(known), "{table}");
        }
        stage.type_text(":b1b2").press([KeyCode::Enter, KeyCode::Char('q'), KeyCode::Home]);
        assert!(stage.picture(80, 24).contains("goes on, 3 actions"));
    }

    #[test]
    fn one_that_is_over_is_looked_through() {
        let room = room();
        let mut stage = Stage::new(Games::new(room.desk.clone()));
        assert!(stage.press([KeyCode::Down, KeyCode::Enter]).picture(80, 24).contains("0 of 9"));
        stage.press([KeyCode::Esc, KeyCode::Home, KeyCode::Char('v')]);
        assert!(stage.picture(80, 24).contains("0 of 2"));
    }

    #[test]
    fn a_broken_file_says_why_and_does_no_harm() {
        let room = room();
        let mut stage = Stage::new(Games::new(room.desk.clone()));
        stage.picture(80, 24);
        stage.press([KeyCode::End]).assert_looks_like("kept games broken");
        let told = stage.press([KeyCode::Enter]).picture(80, 24);
        assert!(told.contains("trexo-3.txt: line 4"), "{told}");
    }

    #[test]
    fn it_takes_two_keys_to_delete_a_game() {
        let room = room();
        let d = KeyCode::Char('d');
        let mut stage = Stage::new(Games::new(room.desk.clone()));
        stage.press([d, KeyCode::Down, d, KeyCode::Up, d]);
        let (kind, modifiers) = (MouseEventKind::ScrollUp, KeyModifiers::NONE);
        stage.app.handle(Event::Mouse(MouseEvent { kind, column: 0, row: 0, modifiers }));
        stage.press([d]);
        assert_eq!(room.desk.shelf.games().len(), 3);
        stage.press([d]);
        let left: Vec<_> = room.desk.shelf.games().into_iter().map(|(path, _)| path).collect();
        assert_eq!(left.len(), 2);
        assert!(!left.iter().any(|path| path.ends_with("trexo-1.txt")));
    }

    #[test]
    fn the_time_is_told_in_words() {
        let told = |seconds: u64| ago(SystemTime::now() - Duration::from_secs(seconds));
        let all = [0, 60, 125, 3600, 90_000, 200_000].map(told);
        assert_eq!(all, ["just now", "1 minute ago", "2 minutes ago", "1 hour ago", "1 day ago", "2 days ago"]);
        assert_eq!(ago(SystemTime::now() + Duration::from_secs(100)), "just now");
    }
}
