//! The first screen: what can be done here.

use std::path::Path;

use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::account::Entrance;
use super::desk::Desk;
use super::games::Games;
use super::rules::Rules;
use super::setup::Setup;
use super::{List, draw_message, draw_prompt, key_line, opened, parts, pointer, turned, type_on};
use crate::app::{Key, Next, Screen, centred};
use crate::event::Event;
use crate::files::{self, Shelf};
use crate::look::{Hue, Look};
use crate::prompt::Prompt;
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
    list: List,
}

impl Menu {
    pub fn new(desk: Desk) -> Self {
        Self { desk, chosen: 0, asked: None, message: String::new(), list: List::default() }
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
            Entry::Online => self.ask(Question::Address, ""),
            Entry::Replay => self.ask(Question::Record, ""),
        }
    }

    /// Asks for something, of which so much was typed already.
    fn ask(&mut self, question: Question, text: &str) -> Next {
        self.asked = Some((question, Prompt::with_text(text)));
        self.offer_records();
        Next::Stay
    }

    /// The path of a record is completed by what lies where it leads.
    fn offer_records(&mut self) {
        if let Some((Question::Record, prompt)) = &mut self.asked {
            prompt.offer(records(prompt.text(), &self.desk.shelf));
        }
    }

    /// The folder that was typed so far.
    fn folder(&self) -> String {
        let typed = self.asked.as_ref().map_or("", |(_, prompt)| prompt.text());
        typed.rfind('/').map_or_else(String::new, |end| typed[..=end].to_owned())
    }

    fn answered(&mut self, question: Question, text: &str) -> Next {
        if text.is_empty() {
            return Next::Stay;
        }
        let screen = match question {
            Question::Record if Path::new(text).is_dir() => {
                return self.ask(Question::Record, &format!("{}/", text.trim_end_matches('/')));
            }
            Question::Record => files::replay(text).map(|table| self.desk.replay(table)),
            Question::Address => self.open_lobby(text),
        };
        if screen.is_err() {
            // Whoever has mistyped a letter types the rest no second time.
            self.ask(question, text);
        }
        opened(screen, &mut self.message)
    }

    /// The tables of a server at this address.
    fn open_lobby(&self, address: &str) -> Result<Box<dyn Screen>, String> {
        Ok(Box::new(Entrance::new(Visit::to(address), self.desk.clone())?))
    }

    fn type_on(&mut self, event: &Event) -> Next {
        if let Event::Key(_) = event {
            self.message.clear();
        }
        let before = self.folder();
        if let Some((question, text)) = type_on(&mut self.asked, event) {
            return self.answered(question, &text);
        }
        if self.folder() != before {
            self.offer_records();
        }
        Next::Stay
    }

    fn press(&mut self, key: KeyEvent) -> Next {
        match key.code {
            KeyCode::Char('q') => return Next::Close,
            KeyCode::Up | KeyCode::BackTab => self.chosen = turned(self.chosen, ENTRIES.len(), -1),
            KeyCode::Down | KeyCode::Tab => self.chosen = turned(self.chosen, ENTRIES.len(), 1),
            KeyCode::Home => self.chosen = 0,
            KeyCode::End => self.chosen = ENTRIES.len() - 1,
            KeyCode::Enter | KeyCode::Char(' ') => return self.choose(self.chosen),
            KeyCode::Char(digit @ '1'..='9') => return self.choose(digit as usize - '1' as usize),
            _ => {}
        }
        Next::Stay
    }

    fn click(&mut self, mouse: MouseEvent) -> Next {
        let Some(number) = self.list.at(mouse) else { return Next::Stay };
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
                pointer(chosen, look),
                Span::styled(format!(" {} ", number + 1), look.title()),
                Span::styled(format!(" {title:<16}"), style),
                Span::styled(format!("  {about}"), look.hue(Hue::Quiet)),
            ])
        };
        let lines: Vec<Line<'_>> = ENTRIES.iter().enumerate().map(line).collect();
        frame.render_widget(Paragraph::new(lines), self.list.area);
    }
}

/// The records that a path may lead to; as long as it leads nowhere, the games that are kept too.
fn records(typed: &str, shelf: &Shelf) -> Vec<String> {
    let mut records = files::completions(typed);
    if !typed.contains('/') {
        records.extend(shelf.games().into_iter().filter_map(|(path, _)| path.to_str().map(str::to_owned)));
    }
    records
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
        self.list.area = list;
        frame.render_widget(Paragraph::new(mark).alignment(Alignment::Center), top);
        self.draw_entries(frame, look);
        let footer: &[Key] = match &self.asked {
            None => &KEYS,
            Some(_) => &[("Enter", "open"), ("Tab", "next"), ("Esc", "not now")],
        };
        draw_message(frame, status, &self.message, look);
        frame.render_widget(Paragraph::new(key_line(footer, look)).alignment(Alignment::Center), keys);
        if let Some((question, prompt)) = &self.asked {
            let (title, about) = match question {
                Question::Record => ("Replay a record", "A file with a record, as text or JSON."),
                Question::Address => ("Play online", "The address of a server, such as `localhost:5105`."),
            };
            draw_prompt(frame, middle, title, about, prompt, look);
        }
    }

    fn handle(&mut self, event: &Event) -> Next {
        match event {
            _ if self.asked.is_some() => self.type_on(event),
            Event::Key(key) => self.press(*key),
            Event::Mouse(mouse) => self.click(*mouse),
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
