//! The table: board, players, log, and what is said about it.

#[cfg(test)]
mod tests;

use std::time::Duration;

use quincunx_core::{Actor, Seat, Step};
use quincunx_games::GAMES;
use quincunx_table::protocol::Remark;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEventKind};
use ratatui::layout::{Constraint, Layout, Margin, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Clear, Padding, Paragraph, Wrap};

use super::desk::Desk;
use super::{
    board_and_side, draw_board, draw_keys, draw_question, line_in_words, offer_lines, opened, player_line, type_on,
    wrapped_height,
};
use crate::app::{Key, Next, Screen, window};
use crate::boards::{self, Board, Did};
use crate::event::{Event, News};
use crate::files;
use crate::look::{Hue, Look};
use crate::moment::Moment;
use crate::prompt::Prompt;
use crate::source::{Hint, Player, Source, Stage};

/// A table that is played or watched.
#[derive(Debug)]
pub struct TableScreen {
    source: Source,
    board: Box<dyn Board>,
    /// The moment that the board has been told of.
    shown: Option<Moment>,
    /// Why the board cannot be drawn.
    unreadable: Option<String>,
    typing: Option<(Purpose, Prompt)>,
    /// What was said last about what was done.
    message: String,
    /// Whether the talk is shown beside the board, and not the log.
    shows_talk: bool,
    /// By how many lines the log was scrolled back.
    scrolled: usize,
    /// Where the log lies, for the wheel.
    side_area: Rect,
    /// Opens the replay of a game that is over.
    desk: Option<Desk>,
}

/// What a line is typed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Act,
    Save,
    Say,
}

impl TableScreen {
    pub fn new(source: Source) -> Self {
        let board = boards::of_game(&source.moment().game);
        let mut screen = Self {
            source,
            board,
            shown: None,
            unreadable: None,
            typing: None,
            message: String::new(),
            shows_talk: false,
            scrolled: 0,
            side_area: Rect::default(),
            desk: None,
        };
        screen.refresh();
        screen
    }

    /// With a desk, a game that is over can be looked through.
    #[must_use]
    pub fn with_desk(self, desk: Desk) -> Self {
        Self { desk: Some(desk), ..self }
    }

    fn may_be_replayed(&self) -> bool {
        self.desk.is_some() && matches!(self.source.stage(), Stage::Over(_))
    }

    fn replay(&mut self) -> Next {
        let Some(desk) = &self.desk else { return Next::Stay };
        let table = self.source.record().and_then(|record| record.replay(GAMES).map_err(|error| error.to_string()));
        opened(table.map(|table| desk.replay(table)), &mut self.message)
    }

    /// The table has changed: the board gets the moment of now.
    fn refresh(&mut self) {
        let moment = self.source.moment();
        if self.shown.as_ref() != Some(moment) {
            self.unreadable = self.board.show(moment).err();
            // How it ended is not hidden by what was said before, as where engines are watched.
            if moment.outcome.is_some() {
                self.message.clear();
            }
            self.shown = Some(moment.clone());
        }
        if let Some(notice) = self.source.notice() {
            self.message = notice;
        }
    }

    fn act(&mut self, action: &str) {
        self.message.clear();
        match self.source.act(action) {
            Ok(()) => {
                self.scrolled = 0;
                self.refresh();
            }
            Err(why) => self.message = why,
        }
    }

    fn done(&mut self, did: Did) -> bool {
        match did {
            Did::Nothing => return false,
            Did::Changed => self.message.clear(),
            Did::Act(action) => self.act(&action),
        }
        true
    }

    fn press(&mut self, key: KeyEvent) -> Next {
        if let Stage::Covered(_) = self.source.stage() {
            match key.code {
                KeyCode::Enter | KeyCode::Char(' ') => {
                    self.source.uncover();
                    self.refresh();
                }
                KeyCode::Char('q') => return Next::Close,
                _ => {}
            }
            return Next::Stay;
        }
        if let Stage::Waiting { .. } = self.source.stage() {
            // There is nothing to do on the board: every key is for the table.
            if key.code == KeyCode::Enter {
                self.command("Enter");
                return Next::Stay;
            }
        } else {
            let did = self.board.key(key);
            if self.done(did) {
                return Next::Stay;
            }
        }
        match key.code {
            KeyCode::Char('q') => return Next::Close,
            KeyCode::Char(':' | '/') => {
                self.typing = Some((Purpose::Act, Prompt::new(self.source.moment().offers.clone())));
            }
            KeyCode::Char('h') => {
                self.message.clear();
                if let Err(why) = self.source.ask_hint() {
                    self.message = why;
                }
            }
            KeyCode::Char('s') => self.typing = Some((Purpose::Save, Prompt::with_text("game.txt"))),
            KeyCode::Char('c') if self.source.talk().is_some() => {
                self.shows_talk = true;
                self.typing = Some((Purpose::Say, Prompt::default()));
            }
            KeyCode::Char('t') if self.source.talk().is_some() => self.shows_talk = !self.shows_talk,
            KeyCode::Char('v') if self.may_be_replayed() => return self.replay(),
            KeyCode::PageUp => self.scroll(10),
            KeyCode::PageDown => self.scroll(-10),
            KeyCode::Char(letter) => self.command(&letter.to_string()),
            _ => {}
        }
        Next::Stay
    }

    fn command(&mut self, key: &str) {
        let said = self.source.command(key);
        self.refresh();
        match said {
            Ok(said) => self.message = said.unwrap_or_else(|| std::mem::take(&mut self.message)),
            Err(why) => self.message = why,
        }
    }

    fn scroll(&mut self, lines: isize) {
        self.scrolled = self.scrolled.saturating_add_signed(lines).min(self.source.log().len());
    }

    fn typed(&mut self, purpose: Purpose, text: &str) {
        match purpose {
            Purpose::Act if !text.is_empty() => self.act(text),
            Purpose::Save if !text.is_empty() => {
                let saved = self.source.record().and_then(|record| {
                    files::write(text, &record).map_err(|error| format!("{text} could not be written: {error}"))
                });
                self.message = saved.map_or_else(|why| why, |()| format!("Saved to {text}."));
            }
            Purpose::Say if !text.is_empty() => {
                self.message = self.source.say(text).err().unwrap_or_default();
            }
            _ => {}
        }
    }

    /// A line for each player: who is on turn, what the seat is called, points and clock.
    fn player_lines(&self, look: Look, width: u16) -> Vec<Line<'static>> {
        let moment = self.source.moment();
        let line = |(seat, mut player): (u8, Player)| {
            if moment.viewer == Some(seat) {
                player.name += " (you)";
            }
            let mark = self.board.seat_mark(seat, look);
            player_line(player, mark, moment.on_turn() == Some(seat), moment.score(seat), width, look)
        };
        (0..).zip(self.source.players()).map(line).collect()
    }

    /// The log in notation, the last lines below.
    fn log_lines(&self, look: Look) -> Vec<Line<'static>> {
        let line = |(number, said): (usize, &Step)| match said.by.seat().map(Seat::number) {
            Some(seat) => Line::from(vec![
                Span::styled(format!("{:>4} ", number + 1), look.hue(Hue::Quiet)),
                self.board.seat_mark(seat, look).unwrap_or_else(|| seat.to_string().into()),
                format!(" {}", said.action).into(),
            ]),
            None => Line::styled(format!("{:>4}   {}", number + 1, said.action), look.hue(Hue::Quiet)),
        };
        self.source.log().iter().enumerate().map(line).collect()
    }

    fn talk_lines(&self, look: Look) -> Vec<Line<'static>> {
        let line = |said: &Remark| {
            Line::from(vec![Span::styled(format!("{}: ", said.name), look.title()), said.text.clone().into()])
        };
        self.source.talk().unwrap_or_default().iter().map(line).collect()
    }

    fn hint_lines(&self, look: Look) -> Vec<Line<'static>> {
        match self.source.hint() {
            Hint::None => Vec::new(),
            Hint::Thinking => vec![Line::styled("The engine looks at it ..", look.hue(Hue::Quiet))],
            Hint::Given(thought) => {
                let mut lines = vec![Line::from(vec![
                    Span::styled("Hint: ", look.title()),
                    Span::styled(thought.action.clone(), Style::new().add_modifier(Modifier::BOLD)),
                ])];
                let shares: Vec<String> =
                    thought.expected.iter().map(|share| format!("{:.0} %", share * 100.0)).collect();
                if !shares.is_empty() {
                    lines.push(Line::from(format!("Chances by seat: {}", shares.join(", "))));
                }
                let next = line_in_words(thought.line.get(1..).unwrap_or_default());
                if !next.is_empty() {
                    lines.push(Line::styled(format!("Then {next}"), look.hue(Hue::Quiet)));
                }
                lines.extend(thought.lines.iter().skip(1).filter_map(|other| {
                    let first = other.steps.first()?;
                    let Actor::Seat(seat) = first.by else { return None };
                    let share = other.expected.get(seat.index())? * 100.0;
                    let next = line_in_words(other.steps.get(1..)?);
                    let more = if next.is_empty() { String::new() } else { format!("  {next}") };
                    Some(Line::from(vec![
                        Span::styled(format!("{share:>4.0} % "), look.hue(Hue::Quiet)),
                        first.action.clone().into(),
                        Span::styled(more, look.hue(Hue::Quiet)),
                    ]))
                }));
                lines
            }
        }
    }

    fn draw_side(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let width = area.width.saturating_sub(4);
        let players = self.player_lines(look, width);
        let mut about: Vec<Line<'static>> = match self.source.stage() {
            Stage::Waiting { .. } => Vec::new(),
            _ => self.board.panel(look),
        };
        let hint = self.hint_lines(look);
        if !hint.is_empty() {
            about.push(Line::default());
            about.extend(hint);
        }
        let about_height = wrapped_height(&about, width) + u16::from(!about.is_empty());
        let [top, middle, bottom] = Layout::vertical([
            Constraint::Length(players.len() as u16 + 2),
            Constraint::Max(about_height),
            Constraint::Min(4),
        ])
        .areas(area);
        let padding = Padding::horizontal(1);
        frame.render_widget(Paragraph::new(players).block(look.frame().padding(padding)), top);
        let inside = middle.inner(Margin::new(2, 0));
        frame.render_widget(Paragraph::new(about).wrap(Wrap { trim: false }), inside);
        self.side_area = bottom;
        self.draw_record(frame, bottom, look);
    }

    /// The log, the talk, or what may be typed.
    fn draw_record(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let height = usize::from(area.height.saturating_sub(2));
        let (title, lines): (_, Vec<Line<'_>>) = match (&self.typing, self.shows_talk) {
            (Some((Purpose::Act, prompt)), _) => {
                (" Actions ", offer_lines(prompt, height.max(1), usize::MAX, look).collect())
            }
            (_, true) => (" Talk ", self.talk_lines(look)),
            (_, false) => (" Log ", self.log_lines(look)),
        };
        let typing = matches!(&self.typing, Some((Purpose::Act, _)));
        self.scrolled = self.scrolled.min(lines.len().saturating_sub(height));
        let end = if typing { lines.len().min(height) } else { lines.len() - self.scrolled };
        let shown = lines[end.saturating_sub(height)..end].to_vec();
        frame.render_widget(Paragraph::new(shown).block(look.titled_frame(title)), area);
    }

    /// What was said last, how the game ended, or what can be done.
    fn status_line(&self, look: Look) -> Line<'static> {
        if !self.message.is_empty() {
            return Line::styled(self.message.clone(), look.hue(Hue::Warning));
        }
        match self.source.stage() {
            Stage::Over(how) => Line::styled(how, look.title()),
            _ if self.source.moment().is_ours() || self.source.moment().viewer.is_none() => {
                Line::from(self.board.status())
            }
            _ => Line::from(self.waits_for()),
        }
    }

    fn waits_for(&self) -> String {
        let status = self.board.status();
        if !status.is_empty() {
            return status;
        }
        let players = self.source.players();
        let name = self.source.moment().on_turn().and_then(|seat| players.get(usize::from(seat)));
        name.map_or_else(String::new, |player| format!("{} is on turn.", player.name))
    }

    /// The keys of the lowest line.
    fn footer(&self) -> Vec<Key> {
        match self.source.stage() {
            _ if self.typing.is_some() => vec![("Enter", "do it"), ("Tab", "next"), ("Esc", "not now")],
            Stage::Waiting { .. } => [vec![("?", "keys")], self.source.commands(), vec![("q", "leave")]].concat(),
            _ if self.may_be_replayed() => {
                vec![("?", "keys"), ("v", "look through the game"), ("s", "save"), ("q", "leave")]
            }
            _ => vec![("?", "keys"), (":", "type an action"), ("h", "hint"), ("s", "save"), ("q", "leave")],
        }
    }
}

/// The link by which others come: over the whole width and without a frame, so that it can be copied.
fn link_lines(link: &str, width: u16, look: Look) -> Vec<Line<'static>> {
    let letters: Vec<char> = link.chars().collect();
    let rows = letters.chunks(usize::from(width.max(1))).map(|row| Line::from(row.iter().collect::<String>()));
    [Line::styled("Whoever has this link can come:", look.hue(Hue::Quiet))].into_iter().chain(rows).collect()
}

/// What is left on a clock: minutes and seconds, and tenths when it gets short.
pub fn time(left: Duration) -> String {
    let seconds = left.as_secs();
    match seconds {
        0..=19 => format!("0:{:02}.{}", seconds, left.subsec_millis() / 100),
        20..=3599 => format!("{}:{:02}", seconds / 60, seconds % 60),
        3600..=86_399 => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds / 3600 % 24),
    }
}

impl Screen for TableScreen {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let stage = self.source.stage();
        let link = match &stage {
            Stage::Waiting { link: Some(link), .. } => link_lines(link, area.width, look),
            _ => Vec::new(),
        };
        let [title, middle, below, status, keys] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(link.len() as u16),
            Constraint::Length(1),
            Constraint::Length(1),
        ])
        .areas(area);
        frame.render_widget(Paragraph::new(link), below);
        let [board, beside] = board_and_side(middle);
        frame.render_widget(Paragraph::new(Line::styled(self.source.title(), look.title())), title);
        match stage {
            Stage::Covered(seat) => {
                let text = vec![
                    Line::from(format!("The screen is for seat {seat} now.")),
                    Line::default(),
                    Line::from("Press Enter when the others look away."),
                ];
                window(frame, middle, " Hand over ", Text::from(text), look);
                return;
            }
            Stage::Waiting { why, .. } => {
                let text = why.into_iter().map(Line::from).collect::<Vec<_>>();
                window(frame, board, " Waiting ", Text::from(text), look);
            }
            _ => draw_board(frame, board, &mut *self.board, self.unreadable.as_deref(), look),
        }
        self.draw_side(frame, beside, look);
        draw_keys(frame, keys, &self.footer(), look);
        if let Some((purpose, prompt)) = &self.typing {
            let question = match purpose {
                Purpose::Act => "Action: ",
                Purpose::Save => "Save to: ",
                Purpose::Say => "Say: ",
            };
            draw_question(frame, status, question, prompt, look);
            return;
        }
        let said = self.status_line(look);
        if said.width() > usize::from(status.width) {
            // A long sentence, such as a refusal with its reason, takes the line of the keys too.
            frame.render_widget(Clear, keys);
            frame.render_widget(Paragraph::new(said).wrap(Wrap { trim: true }), status.union(keys));
        } else {
            frame.render_widget(said, status);
        }
    }

    fn handle(&mut self, event: &Event) -> Next {
        match event {
            _ if self.typing.is_some() => {
                if let Some((purpose, text)) = type_on(&mut self.typing, event) {
                    self.typed(purpose, &text);
                }
            }
            Event::Key(key) => return self.press(*key),
            Event::Mouse(mouse) => {
                let over_log = self.side_area.contains(Position::new(mouse.column, mouse.row));
                match mouse.kind {
                    MouseEventKind::ScrollUp if over_log => self.scroll(3),
                    MouseEventKind::ScrollDown if over_log => self.scroll(-3),
                    _ if matches!(self.source.stage(), Stage::Covered(_)) => {}
                    _ => {
                        // A pointer that passes by does not wipe out what was said.
                        if let Did::Act(action) = self.board.mouse(*mouse) {
                            self.act(&action);
                        }
                    }
                }
            }
            _ => {}
        }
        Next::Stay
    }

    fn hear(&mut self, news: &mut Option<News>) -> Next {
        if self.source.hear(news) {
            self.refresh();
        }
        Next::Stay
    }

    fn pace(&self) -> Option<Duration> {
        self.source.pace()
    }

    fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    fn keys(&self) -> Vec<Key> {
        let mut keys = self.board.keys().to_vec();
        keys.extend([
            (":", "type an action in notation, or choose it from a list"),
            ("h", "what an engine would do, and how it would go on"),
            ("PgUp PgDn", "scroll the log"),
            ("s", "save the game to a file"),
        ]);
        if self.source.talk().is_some() {
            keys.extend([("c", "say something"), ("t", "talk or log")]);
        }
        keys.extend(self.source.commands());
        if self.may_be_replayed() {
            keys.push(("v", "look through the game"));
        }
        keys.push(("q", "leave the table"));
        keys
    }
}
