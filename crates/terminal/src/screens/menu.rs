//! The first screen: what can be done here.

use std::path::Path;

use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Alignment, Constraint, Layout, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::account::Entrance;
use super::desk::Desk;
use super::games::Games;
use super::rules::Rules;
use super::setup::Setup;
use super::table::key_line;
use super::{draw_message, draw_prompt, parts};
use crate::app::{Key, Next, Screen, centred};
use crate::event::Event;
use crate::files;
use crate::look::{Hue, Look};
use crate::prompt::{Prompt, Typed};
use crate::source::Visit;

/// What can be done here, in the order in which it is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Entry {
    Play,
    Online,
    Kept,
    Replay,
    Watch,
    Rules,
    Leave,
}

const ENTRIES: [(Entry, &str, &str); 7] = [
    (Entry::Play, "Play here", "against engines, or together at this keyboard"),
    (Entry::Online, "Play online", "at the tables of a server"),
    (Entry::Kept, "Kept games", "play on where you left, or look back"),
    (Entry::Replay, "Replay a record", "any game in a file, move by move"),
    (Entry::Watch, "Watch engines", "they play, you look on"),
    (Entry::Rules, "Rules", "of the five games"),
    (Entry::Leave, "Leave", ""),
];

const KEYS: [Key; 3] = [("Up Down, Enter", "choose"), ("1-7, click", "at once"), ("q", "leave")];

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    /// The path of a record.
    Record,
    /// The address of a server.
    Address,
}

/// What can be done here.
#[derive(Debug)]
pub struct Menu {
    desk: Desk,
    chosen: usize,
    asked: Option<(Question, Prompt)>,
    message: String,
    /// Where the entries lie.
    list: Rect,
}

impl Menu {
    pub fn new(desk: Desk) -> Self {
        Self { desk, chosen: 0, asked: None, message: String::new(), list: Rect::default() }
    }

    fn choose(&mut self, number: usize) -> Next {
        let Some(&(entry, ..)) = ENTRIES.get(number) else { return Next::Stay };
        self.chosen = number;
        match entry {
            Entry::Play => Next::Open(Box::new(Setup::to_play(self.desk.clone()))),
            Entry::Watch => Next::Open(Box::new(Setup::to_watch(self.desk.clone()))),
            Entry::Kept => Next::Open(Box::new(Games::new(self.desk.clone()))),
            Entry::Rules => Next::Open(Box::new(Rules::default())),
            Entry::Leave => Next::Close,
            Entry::Online => self.ask(Question::Address, Prompt::default()),
            Entry::Replay => {
                let mut prompt = Prompt::default();
                prompt.offer(self.records(""));
                self.ask(Question::Record, prompt)
            }
        }
    }

    fn ask(&mut self, question: Question, prompt: Prompt) -> Next {
        self.asked = Some((question, prompt));
        Next::Stay
    }

    /// The records that a path may lead to; as long as it leads nowhere, the games that are kept too.
    fn records(&self, typed: &str) -> Vec<String> {
        let mut records = files::completions(typed);
        if !typed.contains('/') {
            records
                .extend(self.desk.shelf.games().into_iter().filter_map(|(path, _)| path.to_str().map(str::to_owned)));
        }
        records
    }

    fn answered(&mut self, question: Question, text: &str) -> Next {
        if text.is_empty() {
            return Next::Stay;
        }
        let opened = match question {
            Question::Record if Path::new(text).is_dir() => {
                let folder = format!("{}/", text.trim_end_matches('/'));
                let mut prompt = Prompt::with_text(&folder);
                prompt.offer(self.records(&folder));
                return self.ask(Question::Record, prompt);
            }
            Question::Record => files::replay(text).map(|table| self.desk.replay(table)),
            Question::Address => self.open_lobby(text),
        };
        match opened {
            Ok(screen) => Next::Open(screen),
            Err(why) => {
                self.message = why;
                // Whoever has mistyped a letter types the rest no second time.
                let mut prompt = Prompt::with_text(text);
                if question == Question::Record {
                    prompt.offer(self.records(text));
                }
                self.ask(question, prompt)
            }
        }
    }

    /// The tables of a server at this address.
    fn open_lobby(&self, address: &str) -> Result<Box<dyn Screen>, String> {
        Ok(Box::new(Entrance::new(Visit::to(address), self.desk.clone())?))
    }

    fn type_on(&mut self, key: KeyEvent) -> Next {
        let Some((question, mut prompt)) = self.asked.take() else { return Next::Stay };
        self.message.clear();
        let before = prompt.text().to_owned();
        match prompt.press(key) {
            Typed::GaveUp => Next::Stay,
            Typed::Done(text) => self.answered(question, &text),
            Typed::More => self.ask_on(question, prompt, &before),
        }
    }

    fn paste(&mut self, text: &str) -> Next {
        let Some((question, mut prompt)) = self.asked.take() else { return Next::Stay };
        let before = prompt.text().to_owned();
        prompt.paste(text);
        self.ask_on(question, prompt, &before)
    }

    /// A path that leads into another folder than before is completed by what lies there.
    fn ask_on(&mut self, question: Question, mut prompt: Prompt, before: &str) -> Next {
        if question == Question::Record && folder_of(prompt.text()) != folder_of(before) {
            prompt.offer(self.records(prompt.text()));
        }
        self.ask(question, prompt)
    }

    fn press(&mut self, key: KeyEvent) -> Next {
        let last = ENTRIES.len() - 1;
        match key.code {
            KeyCode::Char('q') => return Next::Close,
            KeyCode::Up | KeyCode::BackTab => self.chosen = self.chosen.checked_sub(1).unwrap_or(last),
            KeyCode::Down | KeyCode::Tab => self.chosen = if self.chosen == last { 0 } else { self.chosen + 1 },
            KeyCode::Home => self.chosen = 0,
            KeyCode::End => self.chosen = last,
            KeyCode::Enter | KeyCode::Char(' ') => return self.choose(self.chosen),
            KeyCode::Char(digit @ '1'..='9') => return self.choose(digit as usize - '1' as usize),
            _ => {}
        }
        Next::Stay
    }

    fn click(&mut self, mouse: MouseEvent) -> Next {
        if !self.list.contains(Position::new(mouse.column, mouse.row)) {
            return Next::Stay;
        }
        let number = usize::from(mouse.row - self.list.y);
        match mouse.kind {
            MouseEventKind::Moved => self.chosen = number.min(ENTRIES.len() - 1),
            MouseEventKind::Down(MouseButton::Left) => return self.choose(number),
            _ => {}
        }
        Next::Stay
    }

    fn draw_entries(&self, frame: &mut Frame<'_>, look: Look) {
        let line = |(number, (_, title, about)): (usize, &(Entry, &'static str, &'static str))| {
            let chosen = number == self.chosen;
            let style = if chosen { look.title().patch(look.cursor()) } else { Style::new() };
            Line::from(vec![
                Span::styled(if chosen { look.text("▸ ", "> ") } else { "  " }, look.title()),
                Span::styled(format!(" {} ", number + 1), look.title()),
                Span::styled(format!(" {title:<16}"), style),
                Span::styled(format!("  {about}"), look.hue(Hue::Quiet)),
            ])
        };
        let lines: Vec<Line<'_>> = ENTRIES.iter().enumerate().map(line).collect();
        frame.render_widget(Paragraph::new(lines), self.list);
    }
}

/// The folder that a path leads into, as far as it was typed.
fn folder_of(typed: &str) -> &str {
    typed.rfind('/').map_or("", |end| &typed[..=end])
}

/// The mark: five dots.
fn mark(look: Look) -> Vec<Line<'static>> {
    let (outer, inner) = (look.text("●     ●", "o     o"), look.text("●", "o"));
    let accent = look.title();
    vec![
        Line::styled(outer, accent),
        Line::styled(inner, accent),
        Line::styled(outer, accent),
        Line::default(),
        Line::styled("Q U I N C U N X", look.title()),
        Line::styled("five games at one table", look.hue(Hue::Quiet)),
    ]
}

impl Screen for Menu {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let [_, middle, status, keys] = parts(area, &self.message);
        let mark = mark(look);
        let height = (mark.len() + 3 + ENTRIES.len()) as u16;
        let inside = centred(middle, 70, height);
        let [top, _, list] = Layout::vertical([
            Constraint::Length(mark.len() as u16),
            Constraint::Length(3),
            Constraint::Length(ENTRIES.len() as u16),
        ])
        .areas(inside);
        self.list = list;
        frame.render_widget(Paragraph::new(mark).alignment(Alignment::Center), top);
        self.draw_entries(frame, look);
        let footer: &[Key] = match &self.asked {
            None => &KEYS,
            Some(_) => &[("Enter", "open"), ("Tab", "next"), ("Esc", "not now")],
        };
        draw_message(frame, status, &self.message, look);
        frame.render_widget(Paragraph::new(key_line(footer, look)).alignment(Alignment::Center), keys);
        match &self.asked {
            Some((Question::Record, prompt)) => {
                draw_prompt(frame, middle, "Replay a record", "A file with a record, as text or JSON.", prompt, look);
            }
            Some((Question::Address, prompt)) => {
                draw_prompt(
                    frame,
                    middle,
                    "Play online",
                    "The address of a server, such as `localhost:5105`.",
                    prompt,
                    look,
                );
            }
            None => {}
        }
    }

    fn handle(&mut self, event: &Event) -> Next {
        match (event, &mut self.asked) {
            (Event::Key(key), Some(_)) => self.type_on(*key),
            (Event::Paste(text), Some(_)) => self.paste(text),
            (Event::Key(key), None) => self.press(*key),
            (Event::Mouse(mouse), None) => self.click(*mouse),
            _ => Next::Stay,
        }
    }

    fn is_typing(&self) -> bool {
        self.asked.is_some()
    }

    fn keys(&self) -> Vec<Key> {
        KEYS.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use ratatui::crossterm::event::KeyModifiers;

    use super::super::desk::tests::{Room, trexo};
    use super::*;
    use crate::testing::Stage;

    fn digit(entry: Entry) -> KeyCode {
        let place = ENTRIES.iter().position(|&(other, ..)| other == entry).unwrap();
        KeyCode::Char(char::from(b'1' + place as u8))
    }

    fn stage(room: &Room) -> Stage {
        Stage::new(Menu::new(room.desk.clone()))
    }

    #[test]
    fn the_menu_shows_what_can_be_done() {
        let room = Room::open();
        stage(&room).assert_looks_like("menu");
        let mut bare = Stage::with_look(Menu::new(room.desk.clone()), Look::BARE);
        assert!(bare.picture(80, 24).is_ascii());
    }

    #[test]
    fn every_entry_leads_somewhere_and_back() {
        let room = Room::open();
        let mut stage = stage(&room);
        let menu = stage.picture(80, 24);
        for _ in 0..ENTRIES.len() - 1 {
            stage.press([KeyCode::Enter]);
            assert_ne!(stage.picture(80, 24), menu);
            stage.press([KeyCode::Esc]);
            assert!(stage.picture(80, 24).contains("five games at one table"));
            stage.press([KeyCode::Down]);
        }
        assert!(!stage.app.is_over());
        stage.press([KeyCode::Enter]);
        assert!(stage.app.is_over());
    }

    #[test]
    fn a_click_chooses() {
        let room = Room::open();
        let mut stage = stage(&room);
        let row = stage.picture(80, 24).lines().position(|line| line.contains("Watch engines")).unwrap() as u16;
        let kind = MouseEventKind::Down(MouseButton::Left);
        stage.app.handle(Event::Mouse(MouseEvent { kind, column: 20, row, modifiers: KeyModifiers::NONE }));
        assert!(stage.picture(80, 24).contains("Let them play"));
    }

    #[test]
    fn a_game_is_on_the_table_by_keys_alone() {
        let room = Room::open();
        let mut stage = stage(&room);
        // Two games further is Trexo; Start is the row above the first one.
        stage.press([digit(Entry::Play), KeyCode::Right, KeyCode::Right, KeyCode::Up, KeyCode::Enter]);
        let table = stage.picture(80, 24);
        assert!(table.starts_with("Trexo") && table.contains("(you)") && table.contains("club"), "{table}");
        stage.press([KeyCode::Enter]);
        let record = room.kept();
        assert!(record.contains("Player 1: club") && record.contains("\n0: "), "{record}");
    }

    #[test]
    fn a_record_is_found_with_tab() {
        let room = Room::open();
        let mut table = trexo(&["e5f5"]);
        table.set_headers([("Player 0".to_owned(), "Ann".to_owned())].into());
        let shelf = room.folder.path().join("more");
        std::fs::create_dir(&shelf).unwrap();
        files::write(shelf.join("game.txt"), &table.record()).unwrap();
        let mut stage = stage(&room);
        stage.press([digit(Entry::Replay)]).type_text(&format!("{}/", room.folder.path().display()));
        stage.press([KeyCode::Tab, KeyCode::Enter]);
        assert!(stage.picture(80, 24).contains("more/game.txt"), "a folder leads on");
        stage.press([KeyCode::Tab, KeyCode::Enter]);
        let replay = stage.picture(80, 24);
        assert!(replay.contains("0 of 1") && replay.contains("Ann"), "{replay}");
    }

    #[test]
    fn what_cannot_be_replayed_says_why_and_is_not_lost() {
        let room = Room::open();
        let mut stage = stage(&room);
        stage.press([digit(Entry::Replay)]).type_text("/no/where.txt").press([KeyCode::Enter]);
        let picture = stage.picture(80, 24);
        assert!(picture.contains("No such file") && picture.matches("/no/where.txt").count() == 2, "{picture}");
    }

    #[test]
    fn an_address_is_asked_for() {
        let room = Room::open();
        stage(&room).press([digit(Entry::Online)]).type_text("example.org:5105").assert_looks_like("menu address");
    }
}
