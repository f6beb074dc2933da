//! How a new game is set up: which game, with which options, who plays it, and with how much time.

#[cfg(test)]
mod tests;

use quincunx_core::{DynSession, GameKind, Seat};
use quincunx_engine::Level;
use quincunx_games::GAMES;
use quincunx_table::TimeControl;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::desk::{Desk, Guest};
use super::rules::Rules;
use super::{List, after, cut, draw_keys, draw_message, draw_prompt, opened, parts, pointer, turned, type_on};
use crate::app::{Key, Next, Screen};
use crate::event::Event;
use crate::form::{Field, Form, Kind};
use crate::look::{Hue, Look};
use crate::page;
use crate::prompt::Prompt;

/// The column in which the values stand.
const VALUES: usize = 16;
/// Names are shown beside the board.
const LONGEST_NAME: usize = 20;

/// A new game.
#[derive(Debug)]
pub struct Setup {
    desk: Desk,
    purpose: Purpose,
    /// Which of the games it is.
    game: usize,
    /// For each game what was chosen, also while another one is looked at.
    plans: Vec<Plan>,
    /// For each seat that a table can have.
    chairs: Vec<Chair>,
    clock: Clock,
    chosen: Row,
    typing: Option<(Row, Prompt)>,
    message: String,
    list: List,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Play,
    Watch,
}

/// What was chosen for one game.
#[derive(Debug)]
struct Plan {
    kind: &'static dyn GameKind,
    seats: u8,
    form: Form,
}

/// Who is to sit on a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Chair {
    /// Nothing for a person.
    level: Option<Level>,
    name: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Clock {
    runs: bool,
    minutes: u64,
    /// Seconds that are added for every move.
    increment: u64,
}

/// A line of the form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Row {
    Game,
    Seats,
    Option(usize),
    Chair(usize),
    Clock,
    Minutes,
    Increment,
    Start,
}

impl Setup {
    /// A game in which people take part.
    pub fn to_play(desk: Desk) -> Self {
        Self::new(desk, Purpose::Play)
    }

    /// A game that engines play.
    pub fn to_watch(desk: Desk) -> Self {
        Self::new(desk, Purpose::Watch)
    }

    fn new(desk: Desk, purpose: Purpose) -> Self {
        let plan = |&kind: &&'static dyn GameKind| Plan {
            kind,
            seats: kind.seats().first().copied().unwrap_or(2),
            form: Form::of(&kind.options_schema()),
        };
        let mut chairs = vec![Chair { level: Some(Level::Club), name: String::new() }; usize::from(Seat::MAX)];
        if let (Purpose::Play, Some(first)) = (purpose, chairs.first_mut()) {
            first.level = None;
        }
        Self {
            desk,
            purpose,
            game: 0,
            plans: GAMES.iter().map(plan).collect(),
            chairs,
            clock: Clock { runs: false, minutes: 10, increment: 5 },
            chosen: Row::Game,
            typing: None,
            message: String::new(),
            list: List::default(),
        }
    }

    fn plan(&self) -> &Plan {
        &self.plans[self.game]
    }

    fn plan_mut(&mut self) -> &mut Plan {
        &mut self.plans[self.game]
    }

    fn field(&self, number: usize) -> &Field {
        &self.plan().form.fields[number]
    }

    fn field_mut(&mut self, number: usize) -> &mut Field {
        &mut self.plan_mut().form.fields[number]
    }

    /// The rows as they lie on the screen, with gaps between groups of them.
    fn lines(&self) -> Vec<Option<Row>> {
        let plan = self.plan();
        let clock = match (self.purpose, self.clock.runs) {
            (Purpose::Watch, _) => Vec::new(),
            (Purpose::Play, false) => vec![Row::Clock],
            (Purpose::Play, true) => vec![Row::Clock, Row::Minutes, Row::Increment],
        };
        let groups = [
            vec![Row::Game, Row::Seats],
            (0..plan.form.fields.len()).map(Row::Option).collect(),
            (0..usize::from(plan.seats)).map(Row::Chair).collect(),
            clock,
            vec![Row::Start],
        ];
        let groups = groups.into_iter().filter(|group| !group.is_empty());
        groups.map(|group| group.into_iter().map(Some).collect()).collect::<Vec<Vec<_>>>().join(&None)
    }

    fn move_by(&mut self, steps: i64) {
        let rows: Vec<Row> = self.lines().into_iter().flatten().collect();
        self.chosen = after(&rows, self.chosen, steps);
    }

    /// The table as it would be started now.
    fn table(&self) -> Result<Box<dyn DynSession>, String> {
        let plan = self.plan();
        plan.kind.start(Some(u64::from(plan.seats)), &plan.form.options()).map_err(|error| error.to_string())
    }

    /// Something has changed: what cannot be started is said at once.
    fn changed(&mut self) {
        self.message = self.table().err().unwrap_or_default();
    }

    fn start(&mut self) -> Next {
        let guests: Vec<Guest> = self.chairs.iter().take(usize::from(self.plan().seats)).map(Chair::guest).collect();
        let runs = self.purpose == Purpose::Play && self.clock.runs;
        let clock = if runs { self.clock.control() } else { TimeControl::None };
        self.message.clear();
        let screen = self.table().and_then(|table| self.desk.seat(table, &guests, clock));
        opened(screen, &mut self.message)
    }

    /// The next value of a row, or the one before.
    fn turn(&mut self, row: Row, step: i64) {
        let watched = self.purpose == Purpose::Watch;
        match row {
            Row::Game => self.game = turned(self.game, self.plans.len(), step),
            Row::Seats => {
                let plan = self.plan_mut();
                plan.seats = after(plan.kind.seats(), plan.seats, step);
            }
            Row::Option(number) => {
                if !self.field_mut(number).turn(step) {
                    return;
                }
            }
            Row::Chair(number) => {
                let people = if watched { None } else { Some(None) };
                let sitters: Vec<_> = people.into_iter().chain(Level::ALL.into_iter().map(Some)).collect();
                let chair = &mut self.chairs[number];
                chair.level = after(&sitters, chair.level, step);
            }
            Row::Clock => self.clock.runs = !self.clock.runs,
            Row::Minutes => self.clock.minutes = Clock::bounded(self.clock.minutes.saturating_add_signed(step)).max(1),
            Row::Increment => self.clock.increment = Clock::bounded(self.clock.increment.saturating_add_signed(step)),
            Row::Start => return,
        }
        self.changed();
    }

    fn enter(&mut self) -> Next {
        let row = self.chosen;
        let typed = match row {
            Row::Start => return self.start(),
            Row::Option(number) => Some(self.field(number)).filter(|field| field.is_typed()).map(Field::written),
            Row::Chair(number) => {
                Some(&self.chairs[number]).filter(|chair| chair.level.is_none()).map(|chair| chair.name.clone())
            }
            Row::Minutes => Some(self.clock.minutes.to_string()),
            Row::Increment => Some(self.clock.increment.to_string()),
            Row::Game | Row::Seats | Row::Clock => None,
        };
        match typed {
            Some(text) => self.typing = Some((row, Prompt::with_text(&text))),
            None => self.turn(row, 1),
        }
        Next::Stay
    }

    /// Takes what was typed. What cannot be read is typed on, and nothing is lost.
    fn typed(&mut self, row: Row, text: &str) {
        let done = match row {
            Row::Option(number) => self.field_mut(number).type_in(text),
            Row::Chair(number) => {
                self.chairs[number].name = text.chars().take(LONGEST_NAME).collect();
                Ok(())
            }
            Row::Minutes => whole_number(text).map(|minutes| self.clock.minutes = minutes.max(1)),
            Row::Increment => whole_number(text).map(|seconds| self.clock.increment = seconds),
            Row::Game | Row::Seats | Row::Clock | Row::Start => Ok(()),
        };
        match done {
            Ok(()) => self.changed(),
            Err(why) => {
                self.message = why;
                self.typing = Some((row, Prompt::with_text(text)));
            }
        }
    }

    fn is_number(&self, row: Row) -> bool {
        match row {
            Row::Option(number) => matches!(self.field(number).kind, Kind::Number { .. }),
            Row::Minutes | Row::Increment => true,
            _ => false,
        }
    }

    fn press(&mut self, key: KeyEvent) -> Next {
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Next::Close,
            KeyCode::Char('r') => return Next::Open(Box::new(Rules::of(self.game))),
            KeyCode::Char('s') => return self.start(),
            KeyCode::Enter | KeyCode::Char(' ') => return self.enter(),
            KeyCode::Up | KeyCode::BackTab => self.move_by(-1),
            KeyCode::Down | KeyCode::Tab => self.move_by(1),
            KeyCode::Home => self.chosen = Row::Game,
            KeyCode::End => self.chosen = Row::Start,
            KeyCode::Left => self.turn(self.chosen, -1),
            KeyCode::Right => self.turn(self.chosen, 1),
            KeyCode::Backspace | KeyCode::Delete => {
                if let Row::Option(_) = self.chosen {
                    self.typed(self.chosen, "");
                }
            }
            KeyCode::Char(digit @ '0'..='9') if self.is_number(self.chosen) => {
                self.typing = Some((self.chosen, Prompt::with_text(&digit.to_string())));
            }
            _ => {}
        }
        Next::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Next {
        let Some(line) = self.list.at(mouse) else { return Next::Stay };
        match (mouse.kind, self.lines().get(line).copied().flatten()) {
            (MouseEventKind::ScrollUp, _) => self.move_by(-1),
            (MouseEventKind::ScrollDown, _) => self.move_by(1),
            (MouseEventKind::Down(MouseButton::Left), Some(row)) if row == self.chosen || row == Row::Start => {
                self.chosen = row;
                return self.enter();
            }
            (MouseEventKind::Down(MouseButton::Left), Some(row)) => self.chosen = row,
            (MouseEventKind::Down(MouseButton::Right), Some(row)) => {
                self.chosen = row;
                self.turn(row, -1);
            }
            _ => {}
        }
        Next::Stay
    }

    fn label(&self, row: Row) -> String {
        match row {
            Row::Game => "Game".to_owned(),
            Row::Seats => "Seats".to_owned(),
            Row::Option(number) => self.field(number).title(),
            Row::Chair(number) => format!("Seat {number}"),
            Row::Clock => "Clock".to_owned(),
            Row::Minutes => "  minutes".to_owned(),
            Row::Increment => "  per move".to_owned(),
            Row::Start => String::new(),
        }
    }

    fn value(&self, row: Row) -> String {
        match row {
            Row::Game => self.plan().kind.title().to_owned(),
            Row::Seats => self.plan().seats.to_string(),
            Row::Option(number) => self.field(number).shown(),
            Row::Chair(number) => self.chairs[number].shown(),
            Row::Clock => if self.clock.runs { "yes" } else { "no" }.to_owned(),
            Row::Minutes => self.clock.minutes.to_string(),
            Row::Increment => format!("{} s", self.clock.increment),
            Row::Start => String::new(),
        }
    }

    /// What there is to know about the row where the cursor is.
    fn about(&self) -> String {
        let kind = self.plan().kind;
        match self.chosen {
            Row::Game => format!("{}\n\n`r` shows all the rules.", page::first_paragraph(kind.rules())),
            Row::Seats => {
                let numbers: Vec<String> = kind.seats().iter().map(ToString::to_string).collect();
                format!("How many play. {} is for {}.", kind.title(), numbers.join(", "))
            }
            Row::Option(number) => about_field(self.field(number)),
            Row::Chair(number) => self.about_chair(number),
            Row::Clock => "Whether everybody has a clock. Between two sides, whose time is up loses; else the engine \
                           plays on for him."
                .to_owned(),
            Row::Minutes => "What each player has for the whole game.".to_owned(),
            Row::Increment => "What is added to the clock for every move.".to_owned(),
            Row::Start => "The game is kept after every action: it can be left and played on later.".to_owned(),
        }
    }

    fn about_chair(&self, number: usize) -> String {
        let person = match self.purpose {
            Purpose::Play => "a **person** at this keyboard (Enter gives a name), or ",
            Purpose::Watch => "",
        };
        let levels = Level::ALL.map(Level::name).join(", ");
        let chosen = self.chairs.get(number).and_then(|chair| chair.level);
        let about = chosen.map_or_else(String::new, |level| format!("\n\n**{level}**: {}", level.about()));
        format!("Who plays seat {number}: {person}an engine: {levels}.{about}")
    }

    fn draw_row(&self, row: Row, width: usize, look: Look) -> Line<'static> {
        let chosen = row == self.chosen;
        let mark = pointer(chosen, look);
        if row == Row::Start {
            let style = if chosen { look.title().patch(look.cursor()) } else { look.title() };
            let word = if self.purpose == Purpose::Play { "Start the game" } else { "Let them play" };
            return Line::from(vec![mark, Span::styled(format!(" {word} "), style)]);
        }
        let differs = matches!(row, Row::Option(number) if self.field(number).is_changed());
        let strong = if differs { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
        let value = cut(&self.value(row), width.saturating_sub(VALUES + 6));
        let (left, right) = (look.text("‹ ", "< "), look.text(" ›", " >"));
        let label = Span::styled(format!("{:<VALUES$}", self.label(row)), look.hue(Hue::Quiet));
        if chosen {
            let arrow = look.title();
            let value = Span::styled(value, strong.patch(look.cursor()));
            Line::from(vec![mark, label, Span::styled(left, arrow), value, Span::styled(right, arrow)])
        } else {
            Line::from(vec![mark, label, "  ".into(), Span::styled(value, strong)])
        }
    }
}

impl Chair {
    fn guest(&self) -> Guest {
        self.level.map_or_else(|| Guest::Person(self.name.clone()), Guest::Engine)
    }

    fn shown(&self) -> String {
        match self.level {
            Some(level) => format!("engine, {level}"),
            None if self.name.is_empty() => "person".to_owned(),
            None => format!("person, {}", self.name),
        }
    }
}

impl Clock {
    /// Nobody sits longer before a move, nor before a game.
    fn bounded(number: u64) -> u64 {
        number.min(999)
    }

    fn control(self) -> TimeControl {
        TimeControl::RealTime { seconds: 60 * self.minutes as u32, increment: self.increment as u32 }
    }
}

fn whole_number(text: &str) -> Result<u64, String> {
    text.parse().map(Clock::bounded).map_err(|_| format!("{text:?} is not a whole number."))
}

fn about_field(field: &Field) -> String {
    let how = match &field.kind {
        Kind::Number { least: Some(least), most: Some(most) } => {
            format!("A number from {least} to {most}; digits type it.")
        }
        Kind::Choice(choices) => choices
            .iter()
            .map(|choice| format!("- **{}**: {}", choice.value.as_str().unwrap_or_default(), choice.about))
            .collect::<Vec<_>>()
            .join("\n"),
        Kind::Json => "Enter types it, as JSON.".to_owned(),
        Kind::Text | Kind::Number { .. } => "Enter types it.".to_owned(),
        Kind::Switch => String::new(),
    };
    let back = match (&field.usual, field.is_changed()) {
        (Some(_), true) => "Backspace makes it usual again.",
        (None, true) => "Backspace leaves it to the game again.",
        (_, false) => "",
    };
    let parts = [field.about.as_str(), &how, back];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

impl Screen for Setup {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let [title, middle, status, keys] = parts(area, &self.message);
        let heading = if self.purpose == Purpose::Play { "Play here" } else { "Watch engines" };
        frame.render_widget(Paragraph::new(Line::styled(heading, look.title())), title);
        let beside = if area.width >= 110 { 50 } else { 36 };
        let [left, right] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(beside)]).areas(middle);
        let margin = u16::from(area.height > 30);
        let left = left.inner(Margin::new(1, margin));
        let rows = self.lines();
        let chosen = rows.iter().position(|&row| row == Some(self.chosen)).unwrap_or(0);
        self.list.settle(left, chosen, rows.len());
        let width = usize::from(left.width);
        let line = |row: &Option<Row>| row.map_or_else(Line::default, |row| self.draw_row(row, width, look));
        let lines: Vec<Line<'_>> = rows.iter().skip(self.list.first).map(line).collect();
        frame.render_widget(Paragraph::new(lines), left);

        let label = self.label(self.chosen);
        let title = if label.is_empty() { label } else { format!(" {} ", label.trim()) };
        let about = page::lines(&self.about(), usize::from(beside).saturating_sub(4), look);
        let height = about.len().max(rows.len()) as u16 + 2;
        let right = Rect { height: height.min(right.height), ..right };
        frame.render_widget(Paragraph::new(about).block(look.titled_frame(title)), right);

        draw_message(frame, status, &self.message, look);
        let footer: &[Key] = match &self.typing {
            None => {
                &[("arrows", "choose, change"), ("Enter", "type, next"), ("s", "start"), ("r", "rules"), ("q", "back")]
            }
            Some(_) => &[("Enter", "take it"), ("Esc", "leave it as it was"), ("Ctrl-U", "empty it")],
        };
        draw_keys(frame, keys, footer, look);
        if let Some((row, prompt)) = &self.typing {
            let (label, about) = match row {
                Row::Chair(number) => (format!("Name at seat {number}"), String::new()),
                row => (self.label(*row).trim().to_owned(), self.about()),
            };
            draw_prompt(frame, middle, &label, &about, prompt, look);
        }
    }

    fn handle(&mut self, event: &Event) -> Next {
        match event {
            _ if self.typing.is_some() => match type_on(&mut self.typing, event) {
                Some((row, text)) => self.typed(row, &text),
                None if self.typing.is_none() => self.changed(),
                None => {}
            },
            Event::Key(key) => return self.press(*key),
            Event::Mouse(mouse) => return self.mouse(*mouse),
            _ => {}
        }
        Next::Stay
    }

    fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    fn keys(&self) -> Vec<Key> {
        vec![
            ("Up Down, click", "choose a line"),
            ("Left Right", "change it"),
            ("Enter, click again", "type it, or the next value"),
            ("0-9", "type a number"),
            ("Backspace", "an option as usual again"),
            ("s", "start"),
            ("r", "the rules of the game"),
            ("q, Esc", "back"),
        ]
    }
}
