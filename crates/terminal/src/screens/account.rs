//! The door of a server: it is reached, and asks who comes.

use std::time::{Duration, Instant};

use quincunx_client::{Connection, Event as Online, Order};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};

use super::desk::Desk;
use super::lobby::Lobby;
use super::{after, draw_below_window, end_of};
use crate::app::{Key, Next, Screen, window};
use crate::event::{Event, News};
use crate::look::{Hue, Look};
use crate::prompt::{Prompt, Typed};
use crate::source::{Place, Visit, short};

/// How much of a line is shown while it is typed.
const SHOWN: usize = 40;

/// The door of a server.
#[derive(Debug)]
pub struct Entrance {
    connection: Connection,
    desk: Desk,
    /// Where to go once one is in.
    place: Option<Place>,
    /// A name that was given before anybody asked.
    called: Option<String>,
    /// Whether a token was shown that should have proven who comes.
    proven: bool,
    step: Step,
    way: Way,
    on_password: bool,
    name: Prompt,
    password: Prompt,
    message: String,
}

/// How far one has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// The server is not reached; when it is tried again.
    Reaching(Option<Instant>),
    Asked,
    /// It has been told who comes, and thinks.
    Knocking,
}

/// As whom one comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Guest,
    LogIn,
    Register,
}

impl Way {
    const ALL: [Self; 3] = [Self::Guest, Self::LogIn, Self::Register];

    /// What it is called, and a sentence about it.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Guest => ("as a guest", "A guest plays at once, until the program is left."),
            Self::LogIn => ("with my account", "Your games, your rating and your name wait for you."),
            Self::Register => ("with a new account", "A name and a password; then your games are counted."),
        }
    }
}

impl Entrance {
    /// Goes to a server.
    pub fn new(visit: Visit, desk: Desk) -> Result<Self, String> {
        let connection = visit.connect(desk.reporter.clone())?;
        let mut entrance = Self::at(connection, desk, visit.table);
        (entrance.called, entrance.proven) = (visit.name, visit.token.is_some());
        Ok(entrance)
    }

    /// Before the door of a server that has not answered yet.
    pub fn at(connection: Connection, desk: Desk, place: Option<Place>) -> Self {
        Self {
            connection,
            desk,
            place,
            called: None,
            proven: false,
            step: Step::Reaching(None),
            way: Way::Guest,
            on_password: false,
            name: Prompt::default(),
            password: Prompt::secret(),
            message: String::new(),
        }
    }

    /// Before the door of a server that is there, to come in as somebody else.
    pub fn asked(connection: Connection, desk: Desk, message: &str) -> Self {
        Self { step: Step::Asked, message: message.to_owned(), ..Self::at(connection, desk, None) }
    }

    /// The server is there and does not know who comes.
    fn ask(&mut self) {
        self.step = Step::Asked;
        self.message.clear();
        if std::mem::take(&mut self.proven) {
            "The server does not know your token (any more).".clone_into(&mut self.message);
        }
        if let Some(name) = self.called.take() {
            self.name = Prompt::with_text(&name);
            self.knock();
        }
    }

    fn knock(&mut self) {
        let (name, password) = (self.name.text().trim().to_owned(), self.password.text().to_owned());
        if name.is_empty() {
            "A name is needed.".clone_into(&mut self.message);
            self.on_password = false;
            return;
        }
        if self.way != Way::Guest && password.is_empty() {
            self.on_password = true;
            return;
        }
        self.message.clear();
        self.step = Step::Knocking;
        self.connection.order(match self.way {
            Way::Guest => Order::Guest { name },
            Way::LogIn => Order::LogIn { name, password },
            Way::Register => Order::Register { name, password },
        });
    }

    fn choose(&mut self, step: i64) {
        self.way = after(&Way::ALL, self.way, step);
        self.on_password &= self.way != Way::Guest;
        self.message.clear();
    }

    fn typed(&mut self, key: KeyEvent) -> Next {
        match key.code {
            KeyCode::Left => self.choose(-1),
            KeyCode::Right => self.choose(1),
            KeyCode::Tab | KeyCode::BackTab | KeyCode::Up | KeyCode::Down => {
                self.on_password = !self.on_password && self.way != Way::Guest;
            }
            _ => match self.field().press(key) {
                Typed::More => self.message.clear(),
                Typed::GaveUp => return Next::Close,
                Typed::Done(_) => self.knock(),
            },
        }
        Next::Stay
    }

    fn field(&mut self) -> &mut Prompt {
        if self.on_password { &mut self.password } else { &mut self.name }
    }

    fn asking_text(&self, look: Look) -> Text<'static> {
        let mut ways = Vec::new();
        for way in Way::ALL {
            let (mark, style) =
                if way == self.way { (look.text("▸", ">"), look.cursor()) } else { (" ", Style::new()) };
            ways.extend([Span::styled(format!("{mark} {} ", way.words().0), style), " ".into()]);
        }
        let field = |name: &str, prompt: &Prompt| {
            Line::from(vec![Span::styled(format!("{name:<10}"), look.title()), end_of(&prompt.shown(), SHOWN).into()])
        };
        let mut lines = vec![
            Line::from("Come in"),
            Line::default(),
            Line::from(ways),
            Line::default(),
            field("Name", &self.name),
            if self.way == Way::Guest { Line::default() } else { field("Password", &self.password) },
            Line::default(),
            Line::styled(self.way.words().1, look.hue(Hue::Quiet)),
        ];
        if self.way != Way::Guest && self.connection.address().starts_with("http://") {
            lines.push(Line::styled("The connection is not encrypted.", look.hue(Hue::Warning)));
        }
        Text::from(lines)
    }

    fn reaching_text(&self, next: Option<Instant>, look: Look) -> Text<'static> {
        let mut lines = vec![Line::from(format!("Connecting to {} ..", self.connection.address()))];
        if let Some(next) = next {
            let pause = next.saturating_duration_since(Instant::now()).as_secs() + 1;
            lines.push(Line::default());
            lines.push(Line::styled(format!("Next try in {pause} s; Enter tries at once."), look.hue(Hue::Quiet)));
        }
        Text::from(lines)
    }
}

impl Screen for Entrance {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let title = format!(" Quincunx at {} ", short(self.connection.address()));
        let text = match self.step {
            Step::Reaching(next) => self.reaching_text(next, look),
            Step::Asked | Step::Knocking => self.asking_text(look),
        };
        let inside = window(frame, area, &title, text, look);
        if self.step == Step::Asked {
            let prompt = if self.on_password { &self.password } else { &self.name };
            let column = 12 + end_of(&prompt.shown(), SHOWN).chars().count() as u16;
            frame.set_cursor_position(Position::new(inside.x + column, inside.y + 5 + u16::from(self.on_password)));
        }
        let said = if self.step == Step::Knocking { "The server is asked .." } else { &self.message };
        draw_below_window(frame, area, said, &self.keys(), look);
    }

    fn handle(&mut self, event: &Event) -> Next {
        match (event, self.step) {
            (Event::Key(key), Step::Asked) => return self.typed(*key),
            (Event::Paste(text), Step::Asked) => self.field().paste(text),
            (Event::Key(key), Step::Reaching(_) | Step::Knocking) => match key.code {
                KeyCode::Esc | KeyCode::Char('q') => return Next::Close,
                KeyCode::Enter => self.connection.order(Order::Hurry),
                _ => {}
            },
            _ => {}
        }
        Next::Stay
    }

    fn hear(&mut self, news: &mut Option<News>) -> Next {
        let Some(News::Online(online)) = news else { return Next::Stay };
        if online.connection != self.connection.number() {
            return Next::Stay;
        }
        match &online.event {
            Online::Connected(welcome) if welcome.user.is_some() => {
                let lobby = Lobby::new(self.connection.clone(), self.desk.clone(), welcome.clone(), self.place.take());
                return Next::Become(Box::new(lobby));
            }
            Online::Connected(_) => self.ask(),
            Online::Lost { why, pause } => {
                self.message.clone_from(why);
                // A name that is being typed is not taken away.
                if self.step != Step::Asked {
                    self.step = Step::Reaching(Some(Instant::now() + *pause));
                }
            }
            Online::NotAdmitted(why) => {
                self.message.clone_from(why);
                self.step = Step::Asked;
            }
            _ => {}
        }
        Next::Stay
    }

    fn pace(&self) -> Option<Duration> {
        matches!(self.step, Step::Reaching(Some(_))).then_some(Duration::from_millis(500))
    }

    fn is_typing(&self) -> bool {
        self.step == Step::Asked
    }

    fn keys(&self) -> Vec<Key> {
        match self.step {
            Step::Asked => {
                let mut keys = vec![("Enter", "come in"), ("Left Right", "as whom")];
                if self.way != Way::Guest {
                    keys.push(("Tab", "name or password"));
                }
                keys.push(("Esc", "leave"));
                keys
            }
            Step::Reaching(_) | Step::Knocking => vec![("Enter", "try at once"), ("q", "leave")],
        }
    }
}
