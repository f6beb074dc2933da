//! The form by which a table is set up.

use quincunx_client::{Connection, Event as Online};
use quincunx_core::GameKind;
use quincunx_engine::Level;
use quincunx_games::GAMES;
use quincunx_table::{Person, SeatPlan, Setup, TimeControl, UndoPolicy, UserKind};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use serde_json::{Map, Value};

use crate::app::{Key, Next, Screen, window};
use crate::event::{Event, News};
use crate::look::{Hue, Look};
use crate::prompt::{Prompt, Typed};
use crate::screens::{after, draw_below_window, end_of, turned};
use crate::source::{clock_in_words, short};

/// How much of the options is shown.
const SHOWN: usize = 48;

/// The clocks that can be chosen.
const CLOCKS: [TimeControl; 10] = [
    TimeControl::None,
    TimeControl::RealTime { seconds: 60, increment: 0 },
    TimeControl::RealTime { seconds: 180, increment: 2 },
    TimeControl::RealTime { seconds: 300, increment: 3 },
    TimeControl::RealTime { seconds: 600, increment: 5 },
    TimeControl::RealTime { seconds: 900, increment: 10 },
    TimeControl::RealTime { seconds: 1800, increment: 20 },
    TimeControl::Correspondence { days: 1 },
    TimeControl::Correspondence { days: 3 },
    TimeControl::Correspondence { days: 7 },
];

/// The form by which a table is set up.
#[derive(Debug)]
pub struct NewTable {
    connection: Connection,
    user: Person,
    /// Which of the games it is.
    game: usize,
    seats: Vec<Wanted>,
    clock: TimeControl,
    public: bool,
    rated: bool,
    options: Prompt,
    here: usize,
    message: String,
    /// The id of the table that is wanted: however often it is asked for, it is one.
    order: String,
    sent: bool,
}

/// Who is wanted on a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Me,
    Anybody,
    Engine(Level),
}

/// A line of the form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Game,
    Seats,
    Seat(usize),
    Clock,
    Public,
    Rated,
    Options,
}

impl NewTable {
    pub fn new(connection: Connection, user: Person) -> Self {
        let game = GAMES.iter().position(|game| game.id() == "trexo").unwrap_or(0);
        let order = connection.new_id();
        let mut form = Self {
            connection,
            user,
            game,
            seats: vec![Wanted::Me],
            clock: TimeControl::None,
            public: true,
            rated: false,
            options: Prompt::default(),
            here: 0,
            message: String::new(),
            order,
            sent: false,
        };
        form.fit_seats(None);
        form
    }

    fn game(&self) -> &'static dyn GameKind {
        GAMES[self.game]
    }

    fn fields(&self) -> Vec<Field> {
        let mut fields = vec![Field::Game, Field::Seats];
        fields.extend((0..self.seats.len()).map(Field::Seat));
        fields.extend([Field::Clock, Field::Public, Field::Rated, Field::Options]);
        fields
    }

    fn field(&self) -> Field {
        self.fields().get(self.here).copied().unwrap_or(Field::Game)
    }

    /// As many seats as wanted, or as many as there are if the game can be played so; those who are there stay.
    fn fit_seats(&mut self, wanted: Option<u8>) {
        let possible = self.game().seats();
        let now = wanted.unwrap_or(self.seats.len() as u8);
        let many = possible.iter().copied().find(|&many| many == now).or(possible.first().copied()).unwrap_or(2);
        self.seats.resize(many.into(), Wanted::Anybody);
        // Somebody has to set it up for somebody.
        if self.seats.iter().all(|seat| matches!(seat, Wanted::Engine(_))) {
            self.seats[0] = Wanted::Me;
        }
    }

    /// There is one of me: another one who gets my seat leaves me theirs.
    fn want(&mut self, seat: usize, wanted: Wanted) {
        let mine = self.seats.iter().position(|&other| other == Wanted::Me).filter(|_| wanted == Wanted::Me);
        if let Some(mine) = mine {
            self.seats[mine] = self.seats[seat];
        }
        self.seats[seat] = wanted;
    }

    fn change(&mut self, step: i64) {
        match self.field() {
            Field::Game => {
                self.game = turned(self.game, GAMES.len(), step);
                self.options = Prompt::default();
                self.fit_seats(None);
            }
            Field::Seats => self.fit_seats(Some(after(self.game().seats(), self.seats.len() as u8, step))),
            Field::Seat(seat) => {
                let engines = Level::ALL.map(Wanted::Engine);
                let everybody = [[Wanted::Me, Wanted::Anybody].as_slice(), &engines].concat();
                self.want(seat, after(&everybody, self.seats[seat], step));
            }
            Field::Clock => self.clock = after(&CLOCKS, self.clock, step),
            Field::Public => self.public = !self.public,
            Field::Rated => {
                if let Some(why) = self.unrated().filter(|_| !self.rated) {
                    why.clone_into(&mut self.message);
                    return;
                }
                self.rated = !self.rated;
            }
            Field::Options => {}
        }
        // What was rated may not be any more.
        self.rated &= self.unrated().is_none();
        self.is_another();
    }

    /// Why the game cannot be rated, if it cannot.
    fn unrated(&self) -> Option<&'static str> {
        if self.seats.iter().any(|seat| matches!(seat, Wanted::Engine(_))) {
            Some("Games against the engine are not rated.")
        } else if self.user.kind == UserKind::Guest {
            Some("Rated games are for accounts.")
        } else if self.clock == TimeControl::None {
            Some("A rated game needs a clock.")
        } else {
            None
        }
    }

    /// What is wanted is another table now.
    fn is_another(&mut self) {
        self.order = self.connection.new_id();
        self.sent = false;
        self.message.clear();
    }

    fn setup(&self) -> Result<Setup, String> {
        let text = self.options.text().trim();
        let options: Map<String, Value> = if text.is_empty() {
            Map::new()
        } else {
            serde_json::from_str(text)
                .map_err(|why| format!("The options are not JSON such as {{\"size\": 8}}: {why}."))?
        };
        let plan = |wanted: &Wanted| match wanted {
            Wanted::Me => SeatPlan::Player { user: self.user.id },
            Wanted::Anybody if self.public => SeatPlan::Open,
            Wanted::Anybody => SeatPlan::Invited,
            Wanted::Engine(level) => SeatPlan::Engine { level: level.name().to_owned() },
        };
        Ok(Setup {
            game: self.game().id().to_owned(),
            options,
            seats: self.seats.iter().map(plan).collect(),
            shuffled: false,
            clock: self.clock,
            rated: self.rated,
            public: self.public,
            undo: UndoPolicy::Asked,
        })
    }

    fn send(&mut self) {
        match self.setup() {
            Ok(setup) => {
                "The table is set up ..".clone_into(&mut self.message);
                self.sent = true;
                self.connection.create(&self.order, setup);
            }
            Err(why) => self.message = why,
        }
    }

    fn press(&mut self, key: KeyEvent) -> Next {
        let count = self.fields().len();
        match key.code {
            KeyCode::Up | KeyCode::BackTab => self.here = turned(self.here, count, -1),
            KeyCode::Down | KeyCode::Tab => self.here = turned(self.here, count, 1),
            KeyCode::Esc => return Next::Close,
            KeyCode::Enter if !self.sent => self.send(),
            _ if self.field() == Field::Options => {
                let before = self.options.text().to_owned();
                if self.options.press(key) == Typed::GaveUp {
                    return Next::Close;
                }
                if before != self.options.text() {
                    self.is_another();
                }
            }
            KeyCode::Left => self.change(-1),
            KeyCode::Right | KeyCode::Char(' ') => self.change(1),
            KeyCode::Char('q') => return Next::Close,
            _ => {}
        }
        Next::Stay
    }

    /// What a line is called, and what is chosen there.
    fn words(&self, field: Field) -> (String, String) {
        let (name, value) = match field {
            Field::Game => ("Game", self.game().title().to_owned()),
            Field::Seats => ("Players", self.seats.len().to_string()),
            Field::Seat(seat) => {
                let who = match self.seats.get(seat) {
                    Some(Wanted::Me) => "me".to_owned(),
                    Some(Wanted::Engine(level)) => format!("engine {}", level.name()),
                    _ if self.public => "anybody".to_owned(),
                    _ => "who has the link".to_owned(),
                };
                return (format!("Seat {seat}"), who);
            }
            Field::Clock => ("Clock", clock_in_words(self.clock)),
            Field::Public => (
                "Who sees it",
                if self.public { "everybody: it stands in the lobby" } else { "who has the link" }.to_owned(),
            ),
            Field::Rated => ("Rated", if self.rated { "yes" } else { "no" }.to_owned()),
            Field::Options => ("Options", end_of(self.options.text(), SHOWN)),
        };
        (name.to_owned(), value)
    }

    fn text(&self, look: Look) -> Text<'static> {
        let fields = self.fields();
        let line = |(number, field): (usize, &Field)| {
            let (name, value) = self.words(*field);
            let chosen = number == self.here;
            let style = if chosen { look.cursor() } else { Style::new() };
            let (left, right) =
                if *field == Field::Options { (" ", " ") } else { (look.text("‹", "<"), look.text("›", ">")) };
            let (left, right) = if chosen { (left, right) } else { (" ", " ") };
            Line::from(vec![
                Span::styled(format!("{name:<13}"), look.title()),
                Span::styled(format!("{left} {value} {right}"), style),
            ])
        };
        let mut lines: Vec<Line<'static>> = fields.iter().enumerate().map(line).collect();
        lines.push(Line::default());
        lines.extend(usual_options(self.game()).into_iter().map(|line| Line::styled(line, look.hue(Hue::Quiet))));
        // The window does not change its size with every choice.
        lines.push(Line::from(" ".repeat(15 + SHOWN)));
        Text::from(lines)
    }
}

/// What the options are if nothing is said, as JSON in lines that fit.
fn usual_options(game: &dyn GameKind) -> Vec<String> {
    let schema = game.options_schema();
    let known = schema["properties"].as_object().cloned().unwrap_or_default();
    let usual = known.into_iter().map(|(name, about)| match &about["default"] {
        Value::Null => format!("\"{name}\""),
        value => format!("\"{name}\": {value}"),
    });
    let mut lines = vec!["Usual:".to_owned()];
    for option in usual {
        let fits = lines.last().is_some_and(|line| line.chars().count() + option.chars().count() < SHOWN + 13);
        match lines.last_mut().filter(|_| fits) {
            Some(line) => line.extend([" ", &option]),
            None => lines.push(format!("       {option}")),
        }
    }
    lines
}

impl Screen for NewTable {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let title = format!(" A new table at {} ", short(self.connection.address()));
        let inside = window(frame, area, &title, self.text(look), look);
        if self.field() == Field::Options {
            let column = 17 + end_of(self.options.text(), SHOWN).chars().count() as u16;
            frame.set_cursor_position(Position::new(inside.x + column, inside.y + 1 + self.here as u16));
        }
        draw_below_window(frame, area, &self.message, &self.keys(), look);
    }

    fn handle(&mut self, event: &Event) -> Next {
        match event {
            Event::Key(key) => return self.press(*key),
            Event::Paste(text) if self.field() == Field::Options => {
                self.options.paste(text);
                self.is_another();
            }
            _ => {}
        }
        Next::Stay
    }

    fn hear(&mut self, news: &mut Option<News>) -> Next {
        let Some(News::Online(online)) = news else { return Next::Stay };
        match &online.event {
            // The lobby below goes there.
            Online::Answered { id, answer: Ok(_) } if *id == self.order => return Next::Close,
            Online::Answered { id, answer: Err(why) } if *id == self.order => {
                self.message.clone_from(why);
                self.sent = false;
                *news = None;
            }
            _ => {}
        }
        Next::Stay
    }

    fn is_typing(&self) -> bool {
        self.field() == Field::Options
    }

    fn keys(&self) -> Vec<Key> {
        vec![("Enter", "set it up"), ("Up Down", "which line"), ("Left Right", "change it"), ("Esc", "not now")]
    }
}
