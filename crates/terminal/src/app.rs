//! The screens on top of each other, and what is the same on all of them: help, size and leaving.

use std::fmt::Debug;
use std::time::Duration;

use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Alignment, Constraint, Flex, Layout, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Clear, Paragraph, Wrap};

use crate::event::{Event, News};
use crate::look::{Hue, Look};

/// The smallest terminal on which the screens can be read.
pub const WIDTH: u16 = 80;
pub const HEIGHT: u16 = 24;

/// One screen. What it shows, what it knows and what it does on a key are told apart: [`draw`](Self::draw) changes nothing
/// but where things lie.
pub trait Screen: Debug {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look);

    /// A key, a click, or a text that was pasted.
    fn handle(&mut self, event: &Event) -> Next;

    /// Something from the background, also for a screen that lies under others.
    fn hear(&mut self, _news: &mut Option<News>) -> Next {
        Next::Stay
    }

    /// Time has passed; also for a screen that lies under others.
    fn tick(&mut self) -> Next {
        Next::Stay
    }

    /// How often the screen wants to be told that time has passed.
    fn pace(&self) -> Option<Duration> {
        None
    }

    /// Whether letters are a text now, and not commands.
    fn is_typing(&self) -> bool {
        false
    }

    /// The keys of this screen and what they do.
    fn keys(&self) -> Vec<Key>;
}

/// A key and what it does.
pub type Key = (&'static str, &'static str);

/// What comes after something has happened.
#[derive(Debug)]
pub enum Next {
    Stay,
    Open(Box<dyn Screen>),
    /// The screen gives way to another one.
    Become(Box<dyn Screen>),
    Close,
    Quit,
}

/// The program as the terminal shows it.
#[derive(Debug)]
pub struct App {
    screens: Vec<Box<dyn Screen>>,
    look: Look,
    help: bool,
}

impl App {
    pub fn new(first: Box<dyn Screen>, look: Look) -> Self {
        Self { screens: vec![first], look, help: false }
    }

    /// Whether there is nothing left to show.
    pub fn is_over(&self) -> bool {
        self.screens.is_empty()
    }

    /// How long to wait for something to happen, if not forever.
    pub fn pace(&self) -> Option<Duration> {
        self.screens.iter().filter_map(|screen| screen.pace()).min()
    }

    pub fn handle(&mut self, event: Event) {
        match event {
            Event::Stop => self.screens.clear(),
            Event::Resized => {}
            Event::Tick => self.each(|screen| screen.tick()),
            Event::News(news) => {
                let mut news = Some(news);
                self.each(|screen| screen.hear(&mut news));
            }
            Event::Key(key) if key.kind == KeyEventKind::Release => {}
            Event::Key(key) => self.press(key),
            Event::Mouse(_) | Event::Paste(_) => {
                if !self.help {
                    self.pass_on(&event);
                }
            }
        }
    }

    fn press(&mut self, key: KeyEvent) {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            self.screens.clear();
            return;
        }
        if self.help {
            self.help = false;
            return;
        }
        let typing = self.screens.last().is_some_and(|screen| screen.is_typing());
        if key.code == KeyCode::F(1) || (key.code == KeyCode::Char('?') && !typing) {
            self.help = true;
            return;
        }
        self.pass_on(&Event::Key(key));
    }

    fn pass_on(&mut self, event: &Event) {
        if let Some(top) = self.screens.last_mut() {
            let next = top.handle(event);
            let place = self.screens.len() - 1;
            self.go(place, next);
        }
    }

    /// Lets every screen do something, from the top.
    fn each(&mut self, mut act: impl FnMut(&mut dyn Screen) -> Next) {
        for place in (0..self.screens.len()).rev() {
            if let Some(screen) = self.screens.get_mut(place) {
                let next = act(&mut **screen);
                self.go(place, next);
            }
        }
    }

    fn go(&mut self, place: usize, next: Next) {
        match next {
            Next::Stay => {}
            Next::Open(screen) => self.screens.push(screen),
            Next::Become(screen) => self.screens[place] = screen,
            Next::Close => drop(self.screens.remove(place)),
            Next::Quit => self.screens.clear(),
        }
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        if area.width < WIDTH || area.height < HEIGHT {
            too_small(frame, area);
            return;
        }
        if let Some(top) = self.screens.last_mut() {
            top.draw(frame, area, self.look);
            if self.help {
                draw_help(frame, area, &top.keys(), self.look);
            }
        }
    }
}

fn too_small(frame: &mut Frame<'_>, area: Rect) {
    let needs = format!("This needs {WIDTH} x {HEIGHT} characters; the terminal has {} x {}.", area.width, area.height);
    frame.render_widget(Paragraph::new(needs).wrap(Wrap { trim: true }), area);
}

fn draw_help(frame: &mut Frame<'_>, area: Rect, keys: &[Key], look: Look) {
    let width = keys.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
    let everywhere = [("?", "this page"), ("Ctrl-C", "leave the program")];
    let mut lines: Vec<Line<'_>> = keys
        .iter()
        .chain(&everywhere)
        .map(|(key, what)| {
            let gap = " ".repeat(width.max(6) + 2 - key.chars().count());
            Line::from(vec![Span::styled(*key, look.title()), gap.into(), (*what).into()])
        })
        .collect();
    lines.push(Line::default());
    lines.push(Line::styled("Any key closes this page.", look.hue(Hue::Quiet)));
    window(frame, area, " Keys ", Text::from(lines), look);
}

/// A text in a window of its own, in the middle of everything.
pub fn window(frame: &mut Frame<'_>, area: Rect, title: &str, text: Text<'_>, look: Look) -> Rect {
    let width = (text.width() as u16 + 4).clamp(24, area.width.saturating_sub(4));
    let height = (text.height() as u16 + 2).min(area.height.saturating_sub(2));
    let inside = centred(area, width, height);
    let frame_around = look.titled_frame(title).title_alignment(Alignment::Center);
    frame.render_widget(Clear, inside);
    frame.render_widget(Paragraph::new(text).block(frame_around), inside);
    inside
}

/// A rectangle of this size in the middle of another one.
pub fn centred(area: Rect, width: u16, height: u16) -> Rect {
    let [row] = Layout::vertical([Constraint::Length(height)]).flex(Flex::Center).areas(area);
    let [middle] = Layout::horizontal([Constraint::Length(width)]).flex(Flex::Center).areas(row);
    middle
}
