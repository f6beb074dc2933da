//! A game to look through, action by action, with what an engine makes of it.

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use quincunx_core::{Actor, DynSession, OutcomeJson, Seat, Step, Turn, Viewer};
use quincunx_engine::{Judged, Level, Verdict, accuracy_of};
use quincunx_table::TimeControl;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Constraint, Layout, Margin, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Padding, Paragraph, Wrap};

use super::desk::{self, Desk, Guest};
use super::{
    List, board_and_side, draw_board, draw_keys, draw_message, draw_question, line_in_words, opened, parts,
    player_line, pointer, turned, type_on, wrapped_height,
};
use crate::app::{Key, Next, Screen, window};
use crate::boards::{self, Board};
use crate::event::{Event, News};
use crate::graph::{self, Graph, Point, Turning};
use crate::look::{Hue, Look};
use crate::moment::Moment;
use crate::prompt::Prompt;
use crate::review::Reviewer;
use crate::source::{self, Player};

/// The times between actions that are shown by themselves, in milliseconds.
const PAUSES: [u64; 5] = [150, 300, 700, 1500, 3000];
/// How far a page is.
const PAGE: isize = 10;
/// Lines for the graph, with its frame.
const GRAPH: [u16; 2] = [9, 14];

/// A game that is looked through.
#[derive(Debug)]
pub struct Replay {
    desk: Desk,
    /// The game to its end.
    game: Box<dyn DynSession>,
    names: Vec<String>,
    log: Vec<Step>,
    /// How many actions are shown.
    now: usize,
    moment: Moment,
    board: Box<dyn Board>,
    /// Why the board cannot be drawn.
    unreadable: Option<String>,
    review: Reviewer,
    shows_graph: bool,
    /// Whether the graph shows what was luck, instead of chances.
    shows_luck: bool,
    /// When the next action comes by itself.
    next: Option<Instant>,
    /// Which of [`PAUSES`] comes before it.
    speed: usize,
    /// The number of an action that is typed, and how it is asked for.
    typing: Option<(&'static str, Prompt)>,
    playing_on: Option<PlayOn>,
    message: String,
    places: Places,
}

/// Where things lie, for clicks.
#[derive(Clone, Copy, Debug, Default)]
struct Places {
    slider: Rect,
    log: List,
    graph: Rect,
    choices: List,
}

/// How a game is played on from a moment of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PlayOn {
    /// A seat, or the number of seats for all of them.
    chosen: usize,
    /// Who plays the other seats.
    level: Level,
}

impl Replay {
    /// A game from its beginning. An engine begins to think about it.
    pub fn new(game: Box<dyn DynSession>, desk: Desk) -> Self {
        let review = Reviewer::begin(&*game, desk.reporter.clone());
        Self::with_review(game, desk, review)
    }

    fn with_review(game: Box<dyn DynSession>, desk: Desk, review: Reviewer) -> Self {
        let mut replay = Self {
            desk,
            names: desk::names(&*game),
            log: game.log(Viewer::Everything),
            now: 0,
            moment: Moment::default(),
            board: boards::of_game(game.kind().id()),
            unreadable: None,
            review,
            shows_graph: true,
            shows_luck: false,
            next: None,
            speed: 2,
            typing: None,
            playing_on: None,
            message: String::new(),
            places: Places::default(),
            game,
        };
        replay.go_to(0);
        replay
    }

    fn end(&self) -> usize {
        self.log.len()
    }

    /// The table after so many actions.
    fn table_at(&self, ply: usize) -> Box<dyn DynSession> {
        let mut table = self.game.boxed_clone();
        // So many actions were made, so they can be taken back.
        let _ = table.undo(self.end().saturating_sub(ply) as u64);
        table
    }

    fn go_to(&mut self, ply: usize) {
        self.now = ply.min(self.end());
        self.moment = Moment::of(&*self.table_at(self.now), Viewer::Everything);
        self.unreadable = self.board.show(&self.moment).err();
    }

    fn step(&mut self, steps: isize) {
        self.next = None;
        self.go_to(self.now.saturating_add_signed(steps));
    }

    /// The moves that changed the game.
    fn turnings(&self) -> Vec<Turning> {
        let turning = |made: &Judged| {
            let verdict = made.verdict.filter(|&verdict| verdict.is_bad() && verdict != Verdict::Inaccuracy)?;
            Some(Turning { ply: made.ply, is_blunder: verdict != Verdict::Mistake })
        };
        self.review.moves().iter().filter_map(turning).collect()
    }

    fn go_to_turning(&mut self, forward: bool) {
        self.next = None;
        let turnings = self.turnings();
        let found = if forward {
            turnings.iter().find(|turning| turning.ply > self.now)
        } else {
            turnings.iter().rev().find(|turning| turning.ply < self.now)
        };
        match found {
            Some(turning) => self.go_to(turning.ply),
            None if self.review.progress().is_some() => {
                "No other turning point was found so far.".clone_into(&mut self.message);
            }
            None => "There is no other turning point.".clone_into(&mut self.message),
        }
    }

    fn change_speed(&mut self, faster: bool) {
        self.speed = if faster { self.speed.saturating_sub(1) } else { (self.speed + 1).min(PAUSES.len() - 1) };
    }

    fn pause(&self) -> Duration {
        Duration::from_millis(PAUSES.get(self.speed).copied().unwrap_or(700))
    }

    fn play_or_pause(&mut self) {
        if self.next.take().is_none() {
            if self.now == self.end() {
                self.go_to(0);
            }
            self.next = Some(Instant::now() + self.pause());
        }
    }

    fn ask_how_to_play_on(&mut self) {
        self.next = None;
        let table = self.table_at(self.now);
        if table.turn() == Turn::Over {
            "The game is over here: go back to where it can be played on.".clone_into(&mut self.message);
            return;
        }
        let on_turn = self.moment.on_turn().unwrap_or(0);
        self.playing_on = Some(PlayOn { chosen: usize::from(on_turn), level: Level::Club });
    }

    /// Opens a table that goes on from here.
    fn play_on(&mut self, PlayOn { chosen, level }: PlayOn) -> Next {
        let table = self.table_at(self.now);
        let all = chosen >= usize::from(table.seats());
        let guest = |seat: Seat| match Guest::of_record(&*table, seat) {
            _ if !all && seat.index() != chosen => Guest::Engine(level),
            // Whoever takes the seat of an engine has another name.
            Guest::Engine(_) => Guest::Person(String::new()),
            person @ Guest::Person(_) => person,
        };
        let guests: Vec<Guest> = Seat::all(table.seats()).map(guest).collect();
        opened(self.desk.seat(table, &guests, TimeControl::None), &mut self.message)
    }

    fn choose_how(&mut self, mut how: PlayOn, key: KeyCode) -> Next {
        let choices = self.names.len() + 1;
        let level = Level::ALL.iter().position(|&level| level == how.level).unwrap_or(0);
        let level_at = |number: usize| Level::ALL.get(number).copied().unwrap_or(how.level);
        match key {
            KeyCode::Esc | KeyCode::Char('q' | 'b') => self.playing_on = None,
            KeyCode::Enter => {
                self.playing_on = None;
                return self.play_on(how);
            }
            KeyCode::Up | KeyCode::BackTab => how.chosen = turned(how.chosen, choices, -1),
            KeyCode::Down | KeyCode::Tab => how.chosen = turned(how.chosen, choices, 1),
            KeyCode::Left => how.level = level_at(level.saturating_sub(1)),
            KeyCode::Right => how.level = level_at(level + 1),
            _ => {}
        }
        self.playing_on = self.playing_on.map(|_| how);
        Next::Stay
    }

    fn press(&mut self, key: KeyEvent) -> Next {
        self.message.clear();
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Next::Close,
            KeyCode::Left | KeyCode::Up => self.step(-1),
            KeyCode::Right | KeyCode::Down => self.step(1),
            KeyCode::PageUp => self.step(-PAGE),
            KeyCode::PageDown => self.step(PAGE),
            KeyCode::Home => self.step(isize::MIN),
            KeyCode::End => self.step(isize::MAX),
            KeyCode::Char(' ') => self.play_or_pause(),
            KeyCode::Char('+' | '=') => self.change_speed(true),
            KeyCode::Char('-') => self.change_speed(false),
            KeyCode::Char('n') => self.go_to_turning(true),
            KeyCode::Char('p') => self.go_to_turning(false),
            KeyCode::Char('e') => self.shows_graph = !self.shows_graph,
            KeyCode::Char('l') => self.show_luck(),
            KeyCode::Char('v') => self.message = self.better_line(),
            KeyCode::Char('b') => self.ask_how_to_play_on(),
            KeyCode::Char('g') => self.ask_where(""),
            KeyCode::Char(digit @ '0'..='9') => self.ask_where(&digit.to_string()),
            _ => {}
        }
        Next::Stay
    }

    /// Shows luck or chances, where there was any luck.
    fn show_luck(&mut self) {
        if self.review.moves().iter().any(|made| !made.luck.is_empty()) {
            self.shows_luck = !self.shows_luck;
            self.shows_graph = true;
        } else {
            "Nothing was left to luck so far.".clone_into(&mut self.message);
        }
    }

    /// How the engine would have gone on instead of the action that was made last.
    fn better_line(&self) -> String {
        match self.judged(self.now) {
            Some(made) if made.line.len() > 1 => format!("The engine's line: {}.", line_in_words(&made.line)),
            Some(made) => format!("The engine would play {}.", made.better),
            None => "Nobody has thought about this action.".to_owned(),
        }
    }

    fn ask_where(&mut self, typed: &str) {
        self.typing = Some(("Go to action: ", Prompt::with_text(typed)));
    }

    fn typed(&mut self, text: &str) {
        match text.parse() {
            Ok(ply) => {
                self.next = None;
                self.go_to(ply);
            }
            Err(_) if text.is_empty() => {}
            Err(_) => self.message = format!("{text:?} is not the number of an action."),
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        let here = Position::new(mouse.column, mouse.row);
        let Places { slider, log, graph, .. } = self.places;
        match mouse.kind {
            MouseEventKind::ScrollUp => self.step(-1),
            MouseEventKind::ScrollDown => self.step(1),
            MouseEventKind::Down(MouseButton::Left) | MouseEventKind::Drag(MouseButton::Left) => {
                let ply = if slider.contains(here) {
                    let last = usize::from(slider.width.saturating_sub(1)).max(1);
                    (usize::from(mouse.column - slider.x) * self.end() + last / 2) / last
                } else if let Some(ply) = log.at(mouse) {
                    ply
                } else if graph.contains(here) {
                    graph::ply_at(graph, self.end(), mouse.column)
                } else {
                    return;
                };
                self.next = None;
                self.message.clear();
                self.go_to(ply);
            }
            _ => {}
        }
    }

    fn click_choice(&mut self, how: PlayOn, mouse: MouseEvent) -> Next {
        match self.places.choices.at(mouse) {
            Some(chosen) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                self.playing_on = None;
                self.play_on(PlayOn { chosen, ..how })
            }
            _ => Next::Stay,
        }
    }

    /// What the engine makes of an action.
    fn judged(&self, ply: usize) -> Option<&Judged> {
        self.review.moves().iter().find(|made| made.ply == ply)
    }

    fn name(&self, seat: Seat) -> String {
        self.names.get(seat.index()).cloned().unwrap_or_else(|| format!("Seat {seat}"))
    }

    /// The action that was made last, and what there is to say about it.
    fn about_now(&self) -> String {
        let Some(line) = self.now.checked_sub(1).and_then(|last| self.log.get(last)) else {
            return format!("Before the first of {} actions.", self.end());
        };
        let made = match line.by {
            Actor::Seat(seat) => format!("{}: {}", self.name(seat), line.action),
            Actor::Chance => format!("Chance: {}", line.action),
        };
        let text = made + &self.judged(self.now).map(in_words).unwrap_or_default();
        match self.game.outcome().filter(|_| self.now == self.end()) {
            Some(outcome) => {
                let OutcomeJson { winners, reason } = outcome.into();
                format!("{text}. {}", source::in_words(&winners, &reason, &self.names))
            }
            None => format!("{text}."),
        }
    }

    /// A letter for each seat, as the board draws it.
    fn marks(&self, look: Look) -> Vec<Span<'static>> {
        const HUES: [Hue; 4] = [Hue::Sky, Hue::Vermilion, Hue::Green, Hue::Purple];
        let of_seat = |seat: Seat| {
            let hue = HUES.get(seat.index()).copied().unwrap_or(Hue::Accent);
            let number = Span::styled(seat.to_string(), look.hue(hue).add_modifier(Modifier::BOLD));
            self.board.seat_mark(seat.number(), look).filter(|mark| mark.width() == 1).unwrap_or(number)
        };
        Seat::all(self.game.seats()).map(of_seat).collect()
    }

    /// What each seat could expect before each move that was looked at, and what it got in the end.
    fn points(&self) -> Vec<Point> {
        if self.shows_luck {
            return self.luck();
        }
        let before = |made: &Judged| Point { ply: made.ply.saturating_sub(1), shares: made.expected.clone() };
        let mut points: Vec<Point> = self.review.moves().iter().map(before).collect();
        if let Some(outcome) = self.game.outcome().filter(|_| self.review.progress().is_none()) {
            let shares = outcome.shares(self.game.seats(), |seat| self.game.side(seat));
            points.push(Point { ply: self.end(), shares: shares.to_vec() });
        }
        points
    }

    /// What draws have brought each seat so far, around an even half.
    fn luck(&self) -> Vec<Point> {
        let mut shares = vec![0.5; usize::from(self.game.seats())];
        let mut points = vec![Point { ply: 0, shares: shares.clone() }];
        for made in self.review.moves().iter().filter(|made| !made.luck.is_empty()) {
            shares.iter_mut().zip(&made.luck).for_each(|(share, luck)| *share += luck);
            points.push(Point { ply: made.ply, shares: shares.clone() });
        }
        let done = self.review.moves().last().map_or(0, |made| made.ply);
        points.push(Point { ply: done, shares });
        points
    }

    fn draw_title(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let title = format!("{}  ", self.game.kind().title());
        let number = format!("  {} of {}", self.now, self.end());
        let sign = match (self.next.is_some(), look.ascii) {
            (false, _) => "  ",
            (true, false) => "▶ ",
            (true, true) => "> ",
        };
        let used = title.chars().count() + sign.chars().count() + number.chars().count();
        let width = usize::from(area.width).saturating_sub(used).max(2);
        let at = self.now * (width - 1) / self.end().max(1);
        let x = area.x + (title.chars().count() + sign.chars().count()) as u16;
        self.places.slider = Rect { x, width: width as u16, ..area };
        let (done, knob, rest) = (look.text("━", "="), look.text("●", "O"), look.text("─", "-"));
        let line = Line::from(vec![
            Span::styled(title, look.title()),
            Span::styled(sign, look.title()),
            Span::styled(done.repeat(at), look.hue(Hue::Accent)),
            Span::styled(knob, look.title()),
            Span::styled(rest.repeat(width - 1 - at), look.hue(Hue::Quiet)),
            number.into(),
        ]);
        frame.render_widget(Paragraph::new(line), area);
    }

    fn player_lines(&self, width: u16, look: Look) -> Vec<Line<'static>> {
        let line = |(seat, (name, mark)): (u8, (&String, Span<'static>))| {
            let score = self.moment.score(seat);
            let accuracy = accuracy_of(self.review.moves(), Seat::new(seat));
            let note = accuracy.map(|accuracy| format!("{accuracy:.0} % accurate"));
            let used = 6 + score.len() + note.as_ref().map_or(0, |note| note.len() + 1);
            let name = super::cut(name, usize::from(width).saturating_sub(used));
            let player = Player { name, note, clock: None };
            player_line(player, Some(mark), self.moment.on_turn() == Some(seat), score, width, look)
        };
        (0..).zip(self.names.iter().zip(self.marks(look))).map(line).collect()
    }

    fn draw_side(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let width = area.width.saturating_sub(4);
        let players = self.player_lines(width, look);
        let panel = self.board.panel(look);
        let graph_height = match (self.shows_graph, area.height > 30) {
            (false, _) => 0,
            (true, tall) => GRAPH[usize::from(tall)],
        };
        let [top, about, log, graph] = Layout::vertical([
            Constraint::Length(players.len() as u16 + 2),
            Constraint::Max(wrapped_height(&panel, width)),
            Constraint::Min(5),
            Constraint::Length(graph_height),
        ])
        .areas(area);
        frame.render_widget(Paragraph::new(players).block(look.frame().padding(Padding::horizontal(1))), top);
        frame.render_widget(Paragraph::new(panel).wrap(Wrap { trim: false }), about.inner(Margin::new(2, 0)));
        self.draw_log(frame, log, look);
        self.places.graph = Rect::default();
        if self.shows_graph {
            self.draw_graph(frame, graph, look);
        }
    }

    fn draw_log(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let block = look.titled_frame(" Log ");
        let inside = block.inner(area);
        let height = usize::from(inside.height);
        let first = self.now.saturating_sub(height / 2).min((self.end() + 1).saturating_sub(height));
        self.places.log = List { area: inside, first };
        let marks = self.marks(look);
        let lines: Vec<Line<'_>> =
            (first..=self.end()).take(height).map(|ply| self.log_line(ply, &marks, look)).collect();
        frame.render_widget(Paragraph::new(lines).block(block), area);
    }

    fn log_line(&self, ply: usize, marks: &[Span<'static>], look: Look) -> Line<'static> {
        let here = ply == self.now;
        let sign = Span::styled(if here { look.text("▸", ">") } else { " " }, look.title());
        let number = Span::styled(format!("{ply:>4} "), look.hue(Hue::Quiet));
        let style = if here { look.cursor() } else { Style::new() };
        let Some(line) = ply.checked_sub(1).and_then(|last| self.log.get(last)) else {
            return Line::from(vec![sign, number, Span::styled("  the beginning", style)]);
        };
        let mark = match line.by {
            Actor::Seat(seat) => marks.get(seat.index()).cloned().unwrap_or_else(|| " ".into()),
            Actor::Chance => " ".into(),
        };
        let mut spans = vec![sign, number, mark, " ".into(), Span::styled(line.action.clone(), style)];
        if let Some(verdict) = self.judged(ply).and_then(|made| made.verdict) {
            let hue = match verdict {
                Verdict::Best | Verdict::Good => return Line::from(spans),
                Verdict::OnlyMove | Verdict::Inaccuracy => Hue::Quiet,
                Verdict::Mistake | Verdict::Blunder | Verdict::MissedWin => Hue::Warning,
            };
            spans.push(Span::styled(format!(" {verdict}"), look.hue(hue)));
        }
        Line::from(spans)
    }

    fn draw_graph(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let what = if self.shows_luck { "Luck" } else { "Chances" };
        let title = self.review.progress().map_or_else(|| format!(" {what} "), |far| format!(" {what}: {far} "));
        let below = " m mistake, B blunder; e hides ";
        let block = look.titled_frame(title).title_bottom(Line::styled(below, look.hue(Hue::Quiet)));
        let inside = block.inner(area);
        frame.render_widget(block, area);
        self.places.graph = inside;
        let (points, turnings, marks) = (self.points(), self.turnings(), self.marks(look));
        let graph = Graph { points: &points, turnings: &turnings, plies: self.end(), now: self.now, marks: &marks };
        graph.draw(inside, frame.buffer_mut(), look);
    }

    fn draw_status(&self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        match &self.typing {
            Some((question, prompt)) => draw_question(frame, area, question, prompt, look),
            None if !self.message.is_empty() => draw_message(frame, area, &self.message, look),
            None => frame.render_widget(Line::from(self.about_now()), area),
        }
    }

    fn draw_choices(&mut self, frame: &mut Frame<'_>, area: Rect, how: PlayOn, look: Look) {
        let seats = self.names.iter().enumerate().map(|(seat, name)| {
            if *name == format!("Seat {seat}") {
                format!("You play seat {seat}")
            } else {
                format!("You play seat {seat}, {name}")
            }
        });
        let choices = seats.chain(["All seats at this keyboard".to_owned()]).enumerate();
        let mut lines: Vec<Line<'_>> = choices
            .map(|(number, text)| {
                let chosen = number == how.chosen;
                let style = if chosen { look.cursor() } else { Style::new() };
                Line::from(vec![pointer(chosen, look), Span::styled(text, style)])
            })
            .collect();
        let count = lines.len() as u16;
        lines.push(Line::default());
        let (left, right) = (look.text("‹", "<"), look.text("›", ">"));
        let others =
            if how.chosen < self.names.len() { format!("against {left} {} {right}", how.level) } else { String::new() };
        lines.push(Line::from(format!("  {others:<40}")));
        let inside = window(frame, area, " Play on from here ", Text::from(lines), look);
        self.places.choices.area = Rect { y: inside.y + 1, height: count, ..inside };
    }
}

/// What the engine makes of an action.
fn in_words(made: &Judged) -> String {
    let (lost, better) = ((made.loss * 100.0).round(), &made.better);
    let given_away = |what: &str| format!(", {what}: {lost} % given away, better was {better} (v shows how)");
    match made.verdict {
        Some(Verdict::MissedWin) => given_away("a missed win"),
        Some(Verdict::Blunder) => given_away("a blunder"),
        Some(Verdict::Mistake) => given_away("a mistake"),
        Some(Verdict::Inaccuracy) => given_away("an inaccuracy"),
        Some(Verdict::OnlyMove) => ", the only move".to_owned(),
        _ if *better != made.action => format!("; the engine would play {better}"),
        _ => "; so would the engine".to_owned(),
    }
}

impl Screen for Replay {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let [title, middle, status, keys] = parts(area, &self.message);
        let [board, beside] = board_and_side(middle);
        self.draw_title(frame, title, look);
        draw_board(frame, board, &mut *self.board, self.unreadable.as_deref(), look);
        self.draw_side(frame, beside, look);
        self.draw_status(frame, status, look);
        let footer: &[Key] = match (&self.typing, &self.playing_on) {
            (Some(_), _) => &[("Enter", "go there"), ("Esc", "stay here")],
            (_, Some(_)) => &[("Up Down", "seat"), ("Left Right", "level"), ("Enter", "play"), ("Esc", "not now")],
            _ => &[
                ("Left Right", "step"),
                ("Space", "play"),
                ("n p", "turning points"),
                ("b", "play on"),
                ("?", "keys"),
                ("q", "back"),
            ],
        };
        draw_keys(frame, keys, footer, look);
        if let Some(how) = self.playing_on {
            self.draw_choices(frame, middle, how, look);
        }
    }

    fn handle(&mut self, event: &Event) -> Next {
        match (event, self.playing_on) {
            _ if self.typing.is_some() => {
                if let Some((_, text)) = type_on(&mut self.typing, event) {
                    self.typed(&text);
                }
            }
            (Event::Key(key), Some(how)) => return self.choose_how(how, key.code),
            (Event::Mouse(mouse), Some(how)) => return self.click_choice(how, *mouse),
            (Event::Key(key), None) => return self.press(*key),
            (Event::Mouse(mouse), None) => self.mouse(*mouse),
            _ => {}
        }
        Next::Stay
    }

    fn hear(&mut self, news: &mut Option<News>) -> Next {
        self.review.hear(news);
        Next::Stay
    }

    fn tick(&mut self) -> Next {
        if self.next.is_some_and(|next| next <= Instant::now()) {
            self.go_to(self.now + 1);
            self.next = (self.now < self.end()).then(|| Instant::now() + self.pause());
        }
        Next::Stay
    }

    fn pace(&self) -> Option<Duration> {
        self.next.map(|_| Duration::from_millis(50))
    }

    fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    fn keys(&self) -> Vec<Key> {
        vec![
            ("Left Right, wheel", "an action back, forward"),
            ("PgUp PgDn", "ten of them"),
            ("Home End", "the beginning, the end"),
            ("g, 0-9", "go to the action with this number"),
            ("click", "in the log, the slider or the graph: go there"),
            ("Space", "show it by itself, pause"),
            ("+ -", "faster, slower"),
            ("n p", "the next, the previous turning point"),
            ("v", "the line that the engine would have played"),
            ("e", "show or hide the graph"),
            ("l", "what was luck, or the chances again"),
            ("b", "play on from here, in a new game"),
            ("q, Esc", "back"),
        ]
    }
}
