//! The table: board, players, log, and what is said about it.

#[cfg(test)]
mod tests;

use std::time::Duration;

use quincunx_core::{Actor, Seat, Step};
use quincunx_games::GAMES;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEventKind};
use ratatui::layout::{Constraint, Layout, Margin, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Padding, Paragraph, Wrap};

use super::desk::Desk;
use crate::app::{Key, Next, Screen, window};
use crate::boards::{self, Board, Did};
use crate::event::{Event, News};
use crate::files;
use crate::look::{Hue, Look};
use crate::moment::Moment;
use crate::prompt::{Prompt, Typed};
use crate::source::{Hint, Player, Source, Spoken, Stage};

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
    side: Side,
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

/// What is shown beside the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Log,
    Talk,
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
            side: Side::Log,
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
        let record = self.source.record();
        match record.and_then(|record| record.replay(GAMES).map_err(|error| error.to_string())) {
            Ok(table) => Next::Open(desk.replay(table)),
            Err(why) => {
                self.message = why;
                Next::Stay
            }
        }
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
                self.side = Side::Talk;
                self.typing = Some((Purpose::Say, Prompt::default()));
            }
            KeyCode::Char('t') if self.source.talk().is_some() => {
                self.side = if self.side == Side::Log { Side::Talk } else { Side::Log };
            }
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
        let line = |(seat, player): (usize, Player)| {
            let seat = seat as u8;
            let on_turn = moment.on_turn() == Some(seat);
            let mark = if on_turn { look.text("▸ ", "> ") } else { "  " };
            let mut spans = vec![Span::styled(mark, look.title())];
            if let Some(sign) = self.board.seat_mark(seat, look) {
                spans.extend([sign, " ".into()]);
            }
            let you = if moment.viewer == Some(seat) { " (you)" } else { "" };
            let name = format!("{}{you}", player.name);
            let style = if on_turn { look.title() } else { Style::new() };
            spans.push(Span::styled(name, style));
            if let Some(note) = player.note {
                spans.push(Span::styled(format!(" {note}"), look.hue(Hue::Quiet)));
            }
            let score = moment.scores.get(usize::from(seat)).map(ToString::to_string).unwrap_or_default();
            let right = player.clock.map_or(score.clone(), |clock| format!("{score}  {}", time(clock)));
            let used: usize = spans.iter().map(Span::width).sum();
            let gap = usize::from(width).saturating_sub(used + right.len());
            spans.push(" ".repeat(gap.max(1)).into());
            spans.push(Span::styled(right, Style::new().add_modifier(Modifier::BOLD)));
            Line::from(spans)
        };
        self.source.players().into_iter().enumerate().map(line).collect()
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
        let talk = self.source.talk().unwrap_or_default();
        let line = |spoken: &Spoken| {
            Line::from(vec![Span::styled(format!("{}: ", spoken.name), look.title()), spoken.text.clone().into()])
        };
        talk.iter().map(line).collect()
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
                let next: Vec<String> = thought
                    .line
                    .iter()
                    .skip(1)
                    .take(6)
                    .map(|Step { by, action }| match by {
                        Actor::Seat(seat) => format!("{seat}: {action}"),
                        Actor::Chance => format!("({action})"),
                    })
                    .collect();
                if !next.is_empty() {
                    lines.push(Line::styled(format!("Then {}", next.join("; ")), look.hue(Hue::Quiet)));
                }
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
        let about_height = wrapped_height(&about, width);
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
        let (title, lines) = match (&self.typing, self.side) {
            (Some((Purpose::Act, prompt)), _) => (" Actions ", offer_lines(prompt, area, look)),
            (_, Side::Talk) => (" Talk ", self.talk_lines(look)),
            (_, Side::Log) => (" Log ", self.log_lines(look)),
        };
        let height = usize::from(area.height.saturating_sub(2));
        let typing = matches!(&self.typing, Some((Purpose::Act, _)));
        self.scrolled = self.scrolled.min(lines.len().saturating_sub(height));
        let end = if typing { lines.len().min(height) } else { lines.len() - self.scrolled };
        let shown = lines[end.saturating_sub(height)..end].to_vec();
        let block = look.frame().title(Line::styled(title, look.title()));
        frame.render_widget(Paragraph::new(shown).block(block.padding(Padding::horizontal(1))), area);
    }

    /// What is typed, what was said last, how the game ended, or what can be done.
    fn status_line(&self, frame: &mut Frame<'_>, area: Rect, look: Look) -> Line<'static> {
        match &self.typing {
            Some((purpose, prompt)) => {
                let question = match purpose {
                    Purpose::Act => "Action: ",
                    Purpose::Save => "Save to: ",
                    Purpose::Say => "Say: ",
                };
                let text = prompt.shown();
                let column = area.x + (question.len() + text.chars().count()) as u16;
                frame.set_cursor_position(Position::new(column.min(area.right().saturating_sub(1)), area.y));
                Line::from(vec![Span::styled(question, look.title()), text.into()])
            }
            None if !self.message.is_empty() => Line::styled(self.message.clone(), look.hue(Hue::Warning)),
            None => match self.source.stage() {
                Stage::Over(how) => Line::styled(how, look.title()),
                _ if self.source.moment().is_ours() || self.source.moment().viewer.is_none() => {
                    Line::from(self.board.status())
                }
                _ => Line::from(self.waits_for()),
            },
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

    fn draw_keys(&self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let keys: Vec<Key> = match self.source.stage() {
            _ if self.typing.is_some() => vec![("Enter", "do it"), ("Tab", "next"), ("Esc", "not now")],
            Stage::Waiting { .. } => [vec![("?", "keys")], self.source.commands(), vec![("q", "leave")]].concat(),
            _ if self.may_be_replayed() => {
                vec![("?", "keys"), ("v", "look through the game"), ("s", "save"), ("q", "leave")]
            }
            _ => vec![("?", "keys"), (":", "type an action"), ("h", "hint"), ("s", "save"), ("q", "leave")],
        };
        frame.render_widget(Paragraph::new(key_line(&keys, look)), area);
    }
}

/// The link by which others come: over the whole width and without a frame, so that it can be copied.
fn link_lines(link: &str, width: u16, look: Look) -> Vec<Line<'static>> {
    let letters: Vec<char> = link.chars().collect();
    let rows = letters.chunks(usize::from(width.max(1))).map(|row| Line::from(row.iter().collect::<String>()));
    [Line::styled("Whoever has this link can come:", look.hue(Hue::Quiet))].into_iter().chain(rows).collect()
}

/// Keys and what they do, in one line.
pub fn key_line(keys: &[Key], look: Look) -> Line<'static> {
    let spans = keys.iter().flat_map(|(key, what)| {
        [Span::styled(*key, look.title()), Span::styled(format!(" {what}   "), look.hue(Hue::Quiet))]
    });
    Line::from(spans.collect::<Vec<_>>())
}

fn wrapped_height(lines: &[Line<'_>], width: u16) -> u16 {
    let width = usize::from(width.max(1));
    lines.iter().map(|line| line.width().div_ceil(width).max(1) as u16).sum::<u16>() + u16::from(!lines.is_empty())
}

/// The offers that fit what is typed, the chosen one in sight.
fn offer_lines(prompt: &Prompt, area: Rect, look: Look) -> Vec<Line<'static>> {
    let height = usize::from(area.height.saturating_sub(2)).max(1);
    let first = prompt.chosen().map_or(0, |chosen| chosen.saturating_sub(height - 1));
    let line = |(number, offer): (usize, &str)| {
        let style = if prompt.chosen() == Some(number) { look.cursor() } else { Style::new() };
        Line::styled(offer.to_owned(), style)
    };
    prompt.fitting().into_iter().enumerate().skip(first).map(line).collect()
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
        let side = if area.width >= 110 { 42 } else { 34 };
        let [board, beside] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(side)]).areas(middle);
        frame.render_widget(Paragraph::new(Line::styled(self.source.title(), look.title())), title);
        match (stage, &self.unreadable) {
            (Stage::Covered(seat), _) => {
                let text = vec![
                    Line::from(format!("The screen is for seat {seat} now.")),
                    Line::default(),
                    Line::from("Press Enter when the others look away."),
                ];
                window(frame, middle, " Hand over ", Text::from(text), look);
                return;
            }
            (Stage::Waiting { why, .. }, _) => {
                let text = why.into_iter().map(Line::from).collect::<Vec<_>>();
                window(frame, board, " Waiting ", Text::from(text), look);
            }
            (_, Some(why)) => {
                let text = format!("This table cannot be drawn: {why}");
                frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), board);
            }
            _ => self.board.draw(board, frame.buffer_mut(), look),
        }
        self.draw_side(frame, beside, look);
        let said = self.status_line(frame, status, look);
        if said.width() > usize::from(status.width) {
            // A long sentence, such as a refusal with its reason, takes the line of the keys too.
            frame.render_widget(Paragraph::new(said).wrap(Wrap { trim: true }), status.union(keys));
        } else {
            frame.render_widget(Paragraph::new(said), status);
            self.draw_keys(frame, keys, look);
        }
    }

    fn handle(&mut self, event: &Event) -> Next {
        match (event, &mut self.typing) {
            (Event::Key(key), Some((purpose, prompt))) => match prompt.press(*key) {
                Typed::More => {}
                Typed::GaveUp => self.typing = None,
                Typed::Done(text) => {
                    let purpose = *purpose;
                    self.typing = None;
                    self.typed(purpose, &text);
                }
            },
            (Event::Paste(text), Some((_, prompt))) => prompt.paste(text),
            (Event::Key(key), None) => return self.press(*key),
            (Event::Mouse(mouse), None) => {
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

    fn tick(&mut self) -> Next {
        if self.source.tick() {
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
