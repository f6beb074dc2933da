//! The lobby of a server: my games, tables that wait for players, and games to watch.

mod form;
mod list;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use quincunx_client::{Connection, Done, Event as Online, Order, Welcome};
use quincunx_table::protocol::{Listing, Snapshot};
use quincunx_table::{Status, TableId, UserKind};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Padding, Paragraph};

use self::form::NewTable;
use self::list::{Row, rows};
use super::account::Entrance;
use super::desk::Desk;
use super::table::TableScreen;
use super::{List, draw_keys, draw_question, parts, type_on};
use crate::app::{Key, Next, Screen};
use crate::event::{Event, News};
use crate::look::{Hue, Look};
use crate::prompt::Prompt;
use crate::source::{Place, Source, short};

/// How often it is looked at which tables it is my turn: only lists tell of that.
const RELOADED: Duration = Duration::from_secs(20);

/// The lobby of a server.
#[derive(Debug)]
pub struct Lobby {
    connection: Connection,
    desk: Desk,
    welcome: Welcome,
    tables: BTreeMap<TableId, Listing>,
    /// The tables at which it is my turn.
    turns: BTreeSet<TableId>,
    loaded: bool,
    asked: Instant,
    chosen: Option<TableId>,
    opening: Option<Opening>,
    /// The link to a table, while it is typed, and how it is asked for.
    typing: Option<(&'static str, Prompt)>,
    lost: Option<Instant>,
    message: String,
    list: List,
}

/// A table to which one is on the way.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Opening {
    place: Place,
    /// Whether to sit down there at once.
    sit: bool,
}

impl Lobby {
    /// Comes into the lobby, and goes on to a table if there is one to go to.
    pub fn new(connection: Connection, desk: Desk, welcome: Welcome, place: Option<Place>) -> Self {
        connection.order(Order::WatchLobby(true));
        connection.order(Order::Tables);
        let mut lobby = Self {
            connection,
            desk,
            welcome,
            tables: BTreeMap::new(),
            turns: BTreeSet::new(),
            loaded: false,
            asked: Instant::now(),
            chosen: None,
            opening: None,
            typing: None,
            lost: None,
            message: String::new(),
            list: List::default(),
        };
        if lobby.welcome.foreign {
            "The server speaks another version of the protocol: not everything may work."
                .clone_into(&mut lobby.message);
        }
        if let Some(place) = place {
            lobby.go_to(place, false);
        }
        lobby
    }

    fn rows(&self) -> Vec<Row<'_>> {
        rows(&self.tables, &self.turns, self.welcome.id(), self.loaded)
    }

    /// The tables in the order in which they stand there.
    fn listed(&self) -> Vec<TableId> {
        self.rows().into_iter().filter_map(|row| row.table()).map(|listing| listing.table.clone()).collect()
    }

    /// The chosen table; the first one if that is not there any more.
    fn chosen(&self) -> Option<&Listing> {
        let chosen = self.chosen.as_ref().and_then(|table| self.tables.get(table));
        chosen.or_else(|| self.rows().into_iter().find_map(|row| row.table()))
    }

    fn move_by(&mut self, steps: isize) {
        let listed = self.listed();
        let here = self.chosen().and_then(|chosen| listed.iter().position(|table| *table == chosen.table));
        let last = listed.len().saturating_sub(1);
        let next = here.map_or(0, |here| here.saturating_add_signed(steps).min(last));
        self.chosen = listed.get(next).cloned();
        self.message.clear();
    }

    fn reload(&mut self) {
        self.asked = Instant::now();
        self.connection.order(Order::Tables);
    }

    /// Goes to a table; it is shown as soon as the server has told of it.
    fn go_to(&mut self, place: Place, sit: bool) {
        self.connection.watch(&place.table, place.invitation.as_deref());
        "To the table ..".clone_into(&mut self.message);
        self.opening = Some(Opening { place, sit });
    }

    fn open_chosen(&mut self, sit: bool) {
        let Some(listing) = self.chosen() else { return };
        let sit = sit && listing.status == Status::Open;
        self.go_to(Place::of(&listing.table), sit);
    }

    fn stay_here(&mut self) {
        if let Some(Opening { place, .. }) = self.opening.take() {
            self.connection.unwatch(&place.table);
        }
        self.message.clear();
    }

    /// The server has told of the table to which one is on the way.
    fn arrive(&mut self, snapshot: Snapshot, opening: Opening) -> Next {
        self.message.clear();
        let Opening { place, sit } = opening;
        let (connection, welcome) = (self.connection.clone(), self.welcome.clone());
        let mut table = Source::online(connection, self.desk.reporter.clone(), welcome, place, snapshot);
        if sit {
            table.sit_anywhere();
        }
        Next::Open(Box::new(TableScreen::new(table).with_desk(self.desk.clone())))
    }

    fn set_up(&self) -> Next {
        match self.welcome.user.clone() {
            Some(user) => Next::Open(Box::new(NewTable::new(self.connection.clone(), user))),
            None => Next::Stay,
        }
    }

    fn press(&mut self, key: KeyEvent) -> Next {
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => self.move_by(-1),
            KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => self.move_by(1),
            KeyCode::PageUp => self.move_by(-10),
            KeyCode::PageDown => self.move_by(10),
            KeyCode::Enter => self.open_chosen(true),
            KeyCode::Char('w') => self.open_chosen(false),
            KeyCode::Char('n') => return self.set_up(),
            KeyCode::Char('l') => self.typing = Some(("Link or name of the table: ", Prompt::default())),
            KeyCode::Char('r') => {
                self.message.clear();
                self.connection.order(Order::Hurry);
                self.reload();
            }
            KeyCode::Char('a') => {
                return Next::Become(Box::new(Entrance::asked(self.connection.clone(), self.desk.clone(), "")));
            }
            KeyCode::Esc => self.stay_here(),
            KeyCode::Char('q') => return Next::Close,
            _ => {}
        }
        Next::Stay
    }

    fn typed(&mut self, text: &str) {
        match Place::parse(text) {
            Some(place) => self.go_to(place, false),
            None if text.trim().is_empty() => {}
            None => format!("{text:?} is not the link to a table.").clone_into(&mut self.message),
        }
    }

    fn click(&mut self, mouse: MouseEvent) {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.move_by(-1),
            MouseEventKind::ScrollDown => self.move_by(1),
            MouseEventKind::Down(MouseButton::Left) => {
                let table = self.list.at(mouse).and_then(|row| self.rows().get(row)?.table());
                let Some(table) = table.map(|listing| listing.table.clone()) else { return };
                if self.chosen.replace(table) == self.chosen {
                    self.open_chosen(true);
                }
            }
            _ => {}
        }
    }

    fn listing_changed(&mut self, listing: Listing) {
        let mine = list::is_mine(&listing, self.welcome.id());
        let shown = match listing.status {
            Status::Open | Status::Playing => listing.public || mine,
            Status::Finished => mine,
            Status::Aborted => false,
        };
        if listing.status != Status::Playing {
            self.turns.remove(&listing.table);
        }
        if shown {
            self.tables.insert(listing.table.clone(), listing);
        } else {
            self.tables.remove(&listing.table);
        }
    }

    /// Takes what comes from the server, if it is for the lobby.
    fn take(&mut self, event: Online) -> Result<Next, Online> {
        match event {
            Online::Table(told) => match self.opening.take_if(|opening| opening.place.table == told.table) {
                Some(opening) => return Ok(self.arrive(*told, opening)),
                None => return Err(Online::Table(told)),
            },
            Online::Denied { table, why } => match self.opening.take_if(|opening| opening.place.table == table) {
                Some(_) => self.message = why,
                None => return Err(Online::Denied { table, why }),
            },
            Online::Answered { answer: Ok(Done { table: Some(table), .. }), .. } => {
                self.go_to(Place::of(&table), true);
            }
            Online::Tables(Ok((tables, turns))) => {
                self.tables = tables.into_iter().map(|listing| (listing.table.clone(), listing)).collect();
                self.turns = turns.into_iter().collect();
                self.loaded = true;
            }
            Online::Tables(Err(why)) => self.message = why,
            Online::Listed(listing) => self.listing_changed(*listing),
            other => return Err(other),
        }
        Ok(Next::Stay)
    }

    fn draw_list(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let block = look.frame().padding(Padding::horizontal(1));
        let inside = block.inner(area);
        let chosen = self.chosen().map(|listing| listing.table.clone());
        let rows = self.rows();
        let here =
            rows.iter().position(|row| row.table().is_some_and(|listing| Some(&listing.table) == chosen.as_ref()));
        let height = usize::from(inside.height);
        // The heading above the first table is shown with it.
        let (top, bottom) = here.map_or((0, 0), |here| (here.saturating_sub(1), here + 1));
        let first = self.list.first.min(top).max(bottom.saturating_sub(height)).min(rows.len().saturating_sub(height));
        let lines: Vec<Line<'_>> = rows
            .iter()
            .enumerate()
            .skip(first)
            .take(height)
            .map(|(number, row)| row.line(here == Some(number), inside.width, look))
            .collect();
        frame.render_widget(Paragraph::new(lines).block(block), area);
        self.list = List { area: inside, first };
    }

    fn draw_title(&self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let server = short(self.connection.address());
        let title = match self.lost {
            None => format!("Tables at {server}"),
            Some(next) => {
                let pause = next.saturating_duration_since(Instant::now()).as_secs() + 1;
                format!("Tables at {server} - not connected, next try in {pause} s")
            }
        };
        let who = self.welcome.user.as_ref().map_or_else(String::new, |user| match user.kind {
            UserKind::Guest => format!("{}, a guest", user.name),
            _ => user.name.clone(),
        });
        frame.render_widget(Paragraph::new(Line::styled(title, look.title())), area);
        frame.render_widget(Paragraph::new(Line::from(who).right_aligned()), area);
    }

    fn draw_status(&self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        if let Some((question, prompt)) = &self.typing {
            draw_question(frame, area, question, prompt, look);
        } else {
            frame.render_widget(Line::styled(self.message.as_str(), look.hue(Hue::Warning)), area);
        }
    }
}

impl Screen for Lobby {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let [title, list, status, keys] = parts(area, "");
        self.draw_title(frame, title, look);
        self.draw_list(frame, list, look);
        self.draw_status(frame, status, look);
        let shown: &[Key] = if self.typing.is_some() {
            &[("Enter", "go there"), ("Esc", "not now")]
        } else {
            &[
                ("?", "keys"),
                ("Enter", "go there"),
                ("w", "only watch"),
                ("n", "new table"),
                ("l", "by link"),
                ("q", "leave"),
            ]
        };
        draw_keys(frame, keys, shown, look);
    }

    fn handle(&mut self, event: &Event) -> Next {
        match (event, &mut self.typing) {
            // A link that was copied from several lines is one all the same.
            (Event::Paste(text), Some((_, prompt))) => prompt.paste(&text.split_whitespace().collect::<String>()),
            (_, Some(_)) => {
                if let Some((_, text)) = type_on(&mut self.typing, event) {
                    self.typed(&text);
                }
            }
            (Event::Key(key), None) => return self.press(*key),
            (Event::Mouse(mouse), None) => self.click(*mouse),
            _ => {}
        }
        Next::Stay
    }

    fn hear(&mut self, news: &mut Option<News>) -> Next {
        match news.take() {
            Some(News::Online(online)) if online.connection == self.connection.number() => {
                match &online.event {
                    Online::Connected(welcome) if welcome.user.is_none() => {
                        let why = "The server does not know you any more.";
                        let entrance = Entrance::asked(self.connection.clone(), self.desk.clone(), why);
                        *news = Some(News::Online(online));
                        return Next::Become(Box::new(entrance));
                    }
                    Online::Connected(welcome) => {
                        if self.lost.take().is_some() {
                            self.message.clear();
                        }
                        self.welcome = welcome.clone();
                        self.reload();
                    }
                    Online::Lost { why, pause } => {
                        self.message.clone_from(why);
                        self.lost = Some(Instant::now() + *pause);
                    }
                    _ => {}
                }
                let connection = online.connection;
                self.take(online.event).unwrap_or_else(|event| {
                    *news = Some(News::Online(quincunx_client::News { connection, event }));
                    Next::Stay
                })
            }
            other => {
                *news = other;
                Next::Stay
            }
        }
    }

    fn tick(&mut self) -> Next {
        if self.asked.elapsed() >= RELOADED && self.lost.is_none() {
            self.reload();
        }
        Next::Stay
    }

    fn pace(&self) -> Option<Duration> {
        Some(if self.lost.is_some() { Duration::from_millis(500) } else { RELOADED })
    }

    fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    fn keys(&self) -> Vec<Key> {
        vec![
            ("arrows, Tab", "choose a table"),
            ("Enter, click", "go there: sit down where a seat is free, else watch"),
            ("w", "look at the table without sitting down"),
            ("n", "set up a table"),
            ("l", "go to a table by its link"),
            ("r", "ask the server again, and connect at once"),
            ("a", "come in as somebody else"),
            ("q", "leave the server"),
        ]
    }
}
