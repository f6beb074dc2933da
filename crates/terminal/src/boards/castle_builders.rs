//! Castle Builders: five towers that grow under their roofs, and in front of them the two counters of a hand.

mod castle;
#[cfg(test)]
mod tests;

use quincunx_games::castle_builders::{Action, Arrows, Colour, CounterView, CountsView, PlayerView, View};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use self::castle::{Layout, hue, initial, stone};
use super::canvas::Canvas;
use super::round::next;
use super::{Board, Did};
use crate::app::Key;
use crate::look::{Hue, Look};
use crate::moment::Moment;

/// The lines of a hand with its caption, and the columns of a counter in it with what is said about it.
const HAND: i32 = 4;
const COUNTER: i32 = 7;
const COUNTER_WITH_WORDS: i32 = 23;

#[derive(Debug, Default)]
pub struct CastleBuildersBoard {
    view: Option<View>,
    viewer: Option<u8>,
    offers: Vec<String>,
    step: Step,
    /// Which counter of the hand is pointed at or played, by its place.
    chosen: usize,
    /// Where it would go, and which way its arrows would point.
    tower: usize,
    upright: bool,
    /// The spaces that have changed last.
    fresh: Vec<(usize, usize)>,
    layout: Layout,
    /// Where the towers and the counters of the hand were drawn.
    towers: Vec<Rect>,
    counters: Vec<Rect>,
}

/// What the player chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Step {
    #[default]
    Counter,
    Tower,
}

impl CastleBuildersBoard {
    fn is_ours(&self) -> bool {
        !self.offers.is_empty()
    }

    fn player(&self, seat: u8) -> Option<&PlayerView> {
        self.view.as_ref()?.players.iter().find(|player| player.seat == seat)
    }

    /// The kinds in the own hand.
    fn hand(&self) -> &[char] {
        self.viewer.and_then(|seat| self.player(seat)?.hand.as_deref()).unwrap_or_default()
    }

    fn kind(&self) -> Option<char> {
        self.hand().get(self.chosen).copied()
    }

    /// What may be done with a kind of counter.
    fn plays(&self, kind: char) -> impl Iterator<Item = &String> {
        self.offers.iter().filter(move |offer| offer.starts_with(kind))
    }

    /// What is said to play the chosen counter as it is held, whether that may be done or not.
    fn text(&self) -> Option<String> {
        let kind = self.kind()?;
        let alone = self.offers.iter().find(|offer| offer.chars().eq([kind]));
        let arrows = match kind {
            'B' if self.upright => "v",
            'B' => "h",
            _ => "",
        };
        Some(alone.cloned().unwrap_or_else(|| format!("{kind}{arrows}{}", self.tower + 1)))
    }

    fn fits(&self) -> bool {
        self.text().is_some_and(|text| self.offers.contains(&text))
    }

    /// Holds the chosen counter as an offer says.
    fn hold(&mut self, offer: &str) {
        if let Some((tower, upright)) = target(offer) {
            self.tower = tower;
            self.upright = upright.unwrap_or(self.upright);
        }
    }

    fn go_to_next(&mut self, back: bool) {
        match self.step {
            Step::Counter => {
                let playable =
                    |&place: &usize| self.hand().get(place).is_some_and(|&kind| self.plays(kind).next().is_some());
                let places: Vec<usize> = (0..self.hand().len()).filter(playable).collect();
                if let Some(place) = next(&places, &self.chosen, back) {
                    self.chosen = place;
                }
            }
            Step::Tower => {
                let plays: Vec<String> = self.kind().map_or_else(Vec::new, |kind| self.plays(kind).cloned().collect());
                if let Some(offer) = self.text().and_then(|text| next(&plays, &text, back)) {
                    self.hold(&offer);
                }
            }
        }
    }

    fn move_by(&mut self, step: isize) -> Did {
        let place = match self.step {
            Step::Counter => &mut self.chosen,
            Step::Tower => &mut self.tower,
        };
        *place = place.saturating_add_signed(step);
        self.keep_in_range();
        Did::Changed
    }

    /// A hand may have become smaller, and a server may show any castle.
    fn keep_in_range(&mut self) {
        self.chosen = self.chosen.min(self.hand().len().saturating_sub(1));
        let towers = self.view.as_ref().map_or(0, |view| view.towers.len());
        self.tower = self.tower.min(towers.saturating_sub(1));
    }

    /// Takes the chosen counter up to say where it goes; one that goes nowhere is played at once.
    fn take_up(&mut self) -> Did {
        let Some(kind) = self.kind() else { return Did::Nothing };
        let plays: Vec<String> = self.plays(kind).cloned().collect();
        if plays.iter().all(|offer| target(offer).is_none()) {
            // Nothing may be done with it: the rules say why.
            return self.text().map_or(Did::Nothing, Did::Act);
        }
        self.step = Step::Tower;
        if !self.fits()
            && let Some(first) = plays.first()
        {
            self.hold(first);
        }
        Did::Changed
    }

    fn put_back(&mut self) -> Did {
        if self.step == Step::Counter {
            return Did::Nothing;
        }
        self.step = Step::Counter;
        Did::Changed
    }

    fn enter(&mut self) -> Did {
        match self.step {
            Step::Counter => self.take_up(),
            Step::Tower => self.text().map_or(Did::Nothing, Did::Act),
        }
    }

    fn turn(&mut self) -> Did {
        self.upright = !self.upright;
        Did::Changed
    }

    fn choose_tower(&mut self, number: u32) -> Did {
        if self.step == Step::Counter {
            return Did::Nothing;
        }
        self.tower = number.saturating_sub(1) as usize;
        self.keep_in_range();
        Did::Changed
    }

    /// What has changed in the castle, if it is the same one.
    fn note_changes(&mut self, view: &View) {
        let Some(before) = &self.view else { return };
        let spaces = |view: &View| view.towers.iter().map(|tower| tower.spaces.len()).collect::<Vec<_>>();
        if spaces(before) != spaces(view) {
            self.fresh.clear();
            return;
        }
        let towers = before.towers.iter().zip(&view.towers).enumerate();
        let changed = towers.flat_map(|(tower, (old, new))| {
            let rows = old.spaces.iter().zip(&new.spaces).enumerate();
            rows.filter(|(_, (old, new))| old != new).map(move |(row, _)| (tower, row))
        });
        let changed: Vec<(usize, usize)> = changed.collect();
        if !changed.is_empty() {
            self.fresh = changed;
        }
    }

    /// What was built last is underlined, and where something was taken away there is a cross.
    fn draw_fresh(&self, canvas: &mut Canvas<'_>, view: &View, look: Look) {
        for &(tower, row) in &self.fresh {
            match view.towers.get(tower).and_then(|tower| tower.spaces.get(row)) {
                Some(Some(_)) => self.layout.paint_space(canvas, (tower, row), look.last()),
                _ => self.layout.draw_mark(canvas, (tower, row), look.text("×", "x"), look.hue(Hue::Warning)),
            }
        }
    }

    /// The number of each tower, marked where the counter that is held may go, and there the counter itself.
    fn draw_targets(&self, canvas: &mut Canvas<'_>, view: &View, look: Look) {
        let held = self.kind().filter(|_| self.step == Step::Tower);
        let open: Vec<usize> = held.map_or_else(Vec::new, |kind| {
            self.plays(kind).filter_map(|offer| target(offer)).map(|(tower, _)| tower).collect()
        });
        for (index, tower) in view.towers.iter().enumerate() {
            let mut style = if open.contains(&index) { look.target() } else { look.hue(Hue::Quiet) };
            if held.is_some() && index == self.tower {
                style = if open.contains(&index) { style } else { look.hue(Hue::Warning) }.patch(look.cursor());
            }
            self.layout.draw_number(canvas, index, tower.number, style);
        }
        let Some((kind, seat)) = held.zip(self.viewer) else { return };
        let Some(tower) = view.towers.get(self.tower) else { return };
        let built = tower.spaces.iter().flatten().count();
        if "OCB".contains(kind) {
            let arrows = if self.upright { Arrows::Vertical } else { Arrows::Horizontal };
            let ghost = CounterView { seat, kind, arrows: (kind == 'B').then_some(arrows) };
            if built < tower.spaces.len() {
                let style = look.target().patch(look.cursor());
                self.layout.draw_counter(canvas, (self.tower, built), &ghost, style, look);
            }
        } else if let Some(top) = built.checked_sub(1) {
            self.layout.paint_space(canvas, (self.tower, top), look.cursor());
        }
    }

    /// The hands that this viewer has before him: his own, or those of both who play.
    fn hands_in_front(&self) -> Vec<&PlayerView> {
        match self.viewer {
            Some(seat) => self.player(seat).into_iter().collect(),
            None => self.view.iter().flat_map(|view| &view.players).collect(),
        }
    }

    fn draw_hands(&self, canvas: &mut Canvas<'_>, top: i32, width: i32, look: Look) -> Vec<Rect> {
        let hands = self.hands_in_front();
        let each = if hands.len() > 1 { width / 2 } else { width };
        let mut places = Vec::new();
        for (number, player) in hands.iter().enumerate() {
            let left = number as i32 * each;
            let whose = match self.viewer {
                Some(_) => "Your hand".to_owned(),
                None => format!("Hand of {}", player.colour),
            };
            canvas.put(left + 1, top, &whose, look.title());
            let kinds = player.hand.clone().unwrap_or_else(|| vec!['?'; usize::from(player.hand_size)]);
            let with_words = hands.len() == 1 && player.hand.is_some();
            let pitch = if with_words { COUNTER_WITH_WORDS.min(each / 2) } else { COUNTER + 1 };
            for (place, &kind) in kinds.iter().enumerate() {
                let at = (left + 1 + place as i32 * pitch, top + 1);
                let style = self.style_in_hand(player, place, kind, look);
                draw_counter_in_hand(canvas, at, kind, style, look);
                if with_words {
                    let (name, what) = words(kind);
                    canvas.put(at.0 + COUNTER + 1, at.1, name, Style::new());
                    canvas.put(at.0 + COUNTER + 1, at.1 + 1, what, look.hue(Hue::Quiet));
                }
                places.push(canvas.rect(at, (pitch, 3)));
            }
        }
        places
    }

    fn style_in_hand(&self, player: &PlayerView, place: usize, kind: char, look: Look) -> Style {
        let own = look.hue(hue(player.seat));
        let ours = self.is_ours() && self.viewer == Some(player.seat);
        if !ours {
            return own;
        }
        let playable = self.plays(kind).next().is_some();
        let style = if playable { own.add_modifier(Modifier::BOLD) } else { look.hue(Hue::Quiet) };
        if place == self.chosen { style.patch(look.cursor()) } else { style }
    }
}

/// The tower of an offer, and which way the arrows of a bonus counter point in it.
fn target(offer: &str) -> Option<(usize, Option<bool>)> {
    use quincunx_games::castle_builders::Building::{BonusHorizontal, BonusVertical, Continuation, Ordinary};
    match offer.parse().ok()? {
        Action::Build { counter: BonusVertical, tower } => Some((tower.index(), Some(true))),
        Action::Build { counter: BonusHorizontal, tower } => Some((tower.index(), Some(false))),
        Action::Build { counter: Ordinary | Continuation, tower } => Some((tower.index(), None)),
        Action::Remove { tower, .. } => tower.map(|tower| (tower.index(), None)),
        Action::Stop | Action::Draw(_) => None,
    }
}

/// A kind of counter, and in a few words what it does.
fn words(kind: char) -> (&'static str, &'static str) {
    match kind {
        'O' => ("ordinary", "builds"),
        'C' => ("continuation", "builds, go on"),
        'B' => ("bonus", "builds, doubles"),
        'R' => ("remove", "takes the top"),
        'K' => ("remove", "and go on"),
        'S' => ("stop", "does nothing"),
        _ => ("", ""),
    }
}

fn draw_counter_in_hand(canvas: &mut Canvas<'_>, (x, y): (i32, i32), kind: char, style: Style, look: Look) {
    let lines = if look.ascii {
        ["+-----+", "|     |", "+-----+"]
    } else {
        ["╭─────╮", "│     │", "╰─────╯"]
    };
    for (line, y) in lines.into_iter().zip(y..) {
        canvas.put(x, y, line, style);
    }
    canvas.put_centred(x, y + 1, COUNTER, &kind.to_string(), style);
}

/// How many there are of each kind, in columns.
fn counts_line(caption: &str, counts: CountsView, look: Look) -> Line<'static> {
    let CountsView { o, c, b, r, k, s } = counts;
    let number = |count: u8| if count == 0 { format!("{:>3}", look.text("·", ".")) } else { format!("{count:>3}") };
    let numbers: String = [o, c, b, r, k, s].into_iter().map(number).collect();
    Line::from(vec![Span::styled(format!("  {caption:<8}"), look.hue(Hue::Quiet)), numbers.into()])
}

fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::Yellow => "Yellow",
        Colour::Green => "Green",
    }
}

impl Board for CastleBuildersBoard {
    fn show(&mut self, moment: &Moment) -> Result<(), String> {
        let view: View = serde_json::from_value(moment.view.clone()).map_err(|error| error.to_string())?;
        self.note_changes(&view);
        self.viewer = moment.viewer;
        self.view = Some(view);
        self.offers.clone_from(&moment.offers);
        self.step = Step::Counter;
        self.keep_in_range();
        if self.kind().is_none_or(|kind| self.plays(kind).next().is_none()) {
            self.go_to_next(false);
        }
        Ok(())
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, look: Look) {
        let Some(view) = &self.view else { return };
        let (width, height) = (i32::from(area.width), i32::from(area.height));
        self.layout = Layout::fit(view, width, height - HAND);
        let spare = (height - HAND - self.layout.height).max(0);
        let above = spare / 2;
        let castle = Rect { y: area.y + above as u16, height: area.height - above as u16, ..area };
        let mut canvas = Canvas::new(buffer, castle);
        self.layout.draw_towers(&mut canvas, view, look);
        self.draw_fresh(&mut canvas, view, look);
        self.draw_targets(&mut canvas, view, look);
        self.towers = (0..view.towers.len()).map(|tower| self.layout.tower(&canvas, tower)).collect();
        let top = (height - HAND).max(0);
        self.counters = self.draw_hands(&mut Canvas::new(buffer, area), top, width, look);
    }

    fn panel(&self, look: Look) -> Vec<Line<'static>> {
        let Some(view) = &self.view else { return Vec::new() };
        let kinds: String = ['O', 'C', 'B', 'R', 'K', 'S'].map(|kind| format!("{kind:>3}")).concat();
        let mut lines = vec![Line::styled(format!("{:10}{kinds}", ""), look.title())];
        for player in &view.players {
            let bold = look.hue(hue(player.seat)).add_modifier(Modifier::BOLD);
            let holds = format!("  hand {}, pile {}", player.hand_size, player.pile_size);
            lines.push(Line::from(vec![Span::styled(colour_name(player.colour), bold), holds.into()]));
            lines.push(counts_line("unseen", player.unseen, look));
            lines.push(counts_line("discard", player.discard, look));
        }
        lines
    }

    fn status(&self) -> String {
        if !self.is_ours() {
            return String::new();
        }
        let (Some(kind), Some(text)) = (self.kind(), self.text()) else { return String::new() };
        let name = words(kind).0;
        match self.step {
            Step::Counter if self.fits() && target(&text).is_none() => format!("Enter plays the {name} counter"),
            Step::Counter => format!("Enter takes the {name} counter up, to say which tower it is for"),
            Step::Tower => {
                let turn = if kind == 'B' { "; r turns its arrows" } else { "" };
                match (self.fits(), "OCB".contains(kind)) {
                    (true, true) => format!("Enter builds {text}{turn}; Backspace puts it back"),
                    (true, false) => {
                        format!("Enter takes the top of tower {} away; Backspace puts it back", self.tower + 1)
                    }
                    (false, _) => format!("{text} is not possible, Enter says why; Backspace puts it back"),
                }
            }
        }
    }

    fn key(&mut self, key: KeyEvent) -> Did {
        if !self.is_ours() {
            return Did::Nothing;
        }
        match key.code {
            KeyCode::Left => self.move_by(-1),
            KeyCode::Right => self.move_by(1),
            KeyCode::Up if self.step == Step::Counter => self.take_up(),
            KeyCode::Down | KeyCode::Backspace | KeyCode::Esc => self.put_back(),
            KeyCode::Char('r') if self.kind() == Some('B') => self.turn(),
            KeyCode::Char(digit @ '1'..='8') => self.choose_tower(digit.to_digit(10).unwrap_or(1)),
            KeyCode::Tab | KeyCode::BackTab => {
                self.go_to_next(key.code == KeyCode::BackTab);
                Did::Changed
            }
            KeyCode::Enter | KeyCode::Char(' ') => self.enter(),
            _ => Did::Nothing,
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Did {
        if !self.is_ours() {
            return Did::Nothing;
        }
        let here = Position::new(mouse.column, mouse.row);
        let counter = self.counters.iter().position(|place| place.contains(here));
        let tower = self.towers.iter().position(|place| place.contains(here)).filter(|_| self.step == Step::Tower);
        match (mouse.kind, counter, tower) {
            (MouseEventKind::Down(MouseButton::Left), Some(place), _) => {
                (self.step, self.chosen) = (Step::Counter, place);
                self.keep_in_range();
                self.take_up()
            }
            (MouseEventKind::Down(MouseButton::Left), None, Some(tower)) => {
                self.tower = tower;
                self.enter()
            }
            (MouseEventKind::Moved, None, Some(tower)) if tower != self.tower => {
                self.tower = tower;
                Did::Changed
            }
            (MouseEventKind::Down(MouseButton::Right), ..) if self.step == Step::Tower && self.kind() != Some('B') => {
                self.put_back()
            }
            (
                MouseEventKind::Down(MouseButton::Right) | MouseEventKind::ScrollDown | MouseEventKind::ScrollUp,
                _,
                Some(_),
            ) => self.turn(),
            _ => Did::Nothing,
        }
    }

    fn keys(&self) -> &'static [Key] {
        &[
            ("left right", "choose a counter of the hand; then a tower"),
            ("1 to 8", "choose a tower"),
            ("Tab", "next counter, or tower where it may go"),
            ("Enter, click", "take the counter up; play it"),
            ("r, wheel", "turn the arrows of a bonus counter"),
            ("Backspace", "put the counter back"),
        ]
    }

    fn seat_name(&self, seat: u8) -> Option<String> {
        self.player(seat).map(|player| colour_name(player.colour).to_owned())
    }

    fn seat_mark(&self, seat: u8, look: Look) -> Option<Span<'static>> {
        Some(Span::styled(initial(seat).to_string(), stone(seat, look)))
    }
}
