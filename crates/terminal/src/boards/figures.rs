//! Figures: the display with its markers, the stones of the bank and of both sides, and the point board.

mod draw;
#[cfg(test)]
mod tests;

use quincunx_games::figures::{Colour, FigureView, PhaseView, SideView, View};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use self::draw::Places;
use super::grid::{self, Square, squares};
use super::round::next_in_order;
use super::{Board, Did};
use crate::app::Key;
use crate::look::{Hue, Look};
use crate::moment::Moment;

/// Columns and rows of the display.
const SIZE: u8 = 5;

#[derive(Debug)]
pub struct FiguresBoard {
    view: Option<View>,
    ply: usize,
    viewer: Option<u8>,
    offers: Vec<String>,
    /// The marker that the player points at, while markers are exchanged.
    cursor: Square,
    /// The stone that he points at, while stones are taken or returned.
    stone: Colour,
    /// The first marker of an exchange.
    picked: Option<Square>,
    /// The markers that were exchanged last, and the figures that this has made.
    moved: Vec<Square>,
    made: Vec<Made>,
    /// Whether no exchange was possible in this turn.
    stuck: bool,
    places: Places,
}

/// A figure that was made, and what it has brought.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Made {
    name: String,
    points: u8,
}

/// Stones of which one is taken or returned now.
#[derive(Clone, Copy, Debug)]
struct Pile<'a> {
    /// What its actions begin with.
    sign: char,
    /// What the player does with a stone, and what then is done with it.
    words: (&'static str, &'static str),
    stones: &'a [Colour],
}

impl Pile<'_> {
    fn text(&self, stone: Colour) -> String {
        format!("{}{}", self.sign, stone.letter())
    }
}

impl Default for FiguresBoard {
    fn default() -> Self {
        Self {
            view: None,
            ply: 0,
            viewer: None,
            offers: Vec::new(),
            cursor: Square::new(SIZE / 2, SIZE / 2),
            stone: Colour::Red,
            picked: None,
            moved: Vec::new(),
            made: Vec::new(),
            stuck: false,
            places: Places::default(),
        }
    }
}

impl FiguresBoard {
    fn is_ours(&self) -> bool {
        self.viewer.is_some() && self.viewer == self.view.as_ref().and_then(|view| view.turn)
    }

    /// The stones among which the viewer chooses now, if that is what he does.
    fn pile(&self) -> Option<Pile<'_>> {
        let view = self.view.as_ref().filter(|_| self.is_ours())?;
        match view.phase {
            PhaseView::Take => Some(Pile { sign: '+', words: ("takes", "taken"), stones: &view.bank }),
            PhaseView::Return => {
                Some(Pile { sign: '-', words: ("returns", "returned"), stones: &self.side_on_turn()?.stones })
            }
            PhaseView::Exchange | PhaseView::Over => None,
        }
    }

    /// Whether the viewer chooses markers now.
    fn exchanges(&self) -> bool {
        self.is_ours() && self.view.as_ref().is_some_and(|view| view.phase == PhaseView::Exchange)
    }

    fn side_on_turn(&self) -> Option<&SideView> {
        let view = self.view.as_ref()?;
        view.sides.iter().find(|side| view.turn.is_some_and(|seat| side.seats.contains(&seat)))
    }

    fn marker(&self, square: Square) -> Option<Colour> {
        let number = usize::from(square.row) * usize::from(SIZE) + usize::from(square.col);
        Some(self.view.as_ref()?.squares.get(number).filter(|_| square.col < SIZE)?.marker)
    }

    fn is_offered(&self, text: &str) -> bool {
        self.offers.iter().any(|offer| offer == text)
    }

    /// The exchanges that are offered, both ways.
    fn exchange_offers(&self) -> impl Iterator<Item = (Square, Square)> + '_ {
        let read = |offer: &String| {
            let (low, rest) = Square::read(offer)?;
            Some((low, Square::named(rest)?))
        };
        self.offers.iter().filter_map(read).flat_map(|(low, high)| [(low, high), (high, low)])
    }

    /// Whether a marker may be the next one of an exchange.
    fn is_target(&self, square: Square) -> bool {
        self.exchanges()
            && self.exchange_offers().any(|(one, other)| match self.picked {
                None => one == square,
                Some(picked) => one == picked && other == square,
            })
    }

    /// The next of the markers that may be chosen.
    fn go_to_next_marker(&mut self, back: bool) {
        let targets: Vec<Square> = squares(SIZE).filter(|&square| self.is_target(square)).collect();
        self.cursor = next_in_order(&targets, self.cursor, back).unwrap_or(self.cursor);
    }

    /// The next of the stones that may be chosen, or of all stones.
    fn go_to_next_stone(&mut self, back: bool, all: bool) {
        let Some(pile) = self.pile() else { return };
        let choice: Vec<Colour> =
            pile.stones.iter().copied().filter(|&stone| all || self.is_offered(&pile.text(stone))).collect();
        let Some(last) = choice.len().checked_sub(1) else { return };
        let next = match (choice.iter().position(|&stone| stone == self.stone), back) {
            (Some(0), true) => last,
            (Some(here), true) => here - 1,
            (Some(here), false) if here < last => here + 1,
            _ => 0,
        };
        self.stone = choice.get(next).copied().unwrap_or(self.stone);
    }

    fn go_to_next(&mut self, back: bool) -> Did {
        if self.exchanges() {
            self.go_to_next_marker(back);
        } else if self.pile().is_some() {
            self.go_to_next_stone(back, false);
        } else {
            return Did::Nothing;
        }
        Did::Changed
    }

    fn move_by(&mut self, (right, up): (i8, i8)) -> Did {
        if self.exchanges() {
            self.cursor = self.places.display.step(self.cursor, (right, up));
        } else if self.pile().is_some() {
            self.go_to_next_stone(right < 0 || up > 0, true);
        } else {
            return Did::Nothing;
        }
        Did::Changed
    }

    /// Does whatever Enter does where the cursor is. What must not be done, the rules refuse.
    fn act(&mut self) -> Did {
        if let Some(pile) = self.pile() {
            return Did::Act(pile.text(self.stone));
        }
        if !self.exchanges() {
            return Did::Nothing;
        }
        match self.choice() {
            Choice::Pick => self.picked = Some(self.cursor),
            Choice::LetGo => self.picked = None,
            Choice::Exchange(text) => return Did::Act(text),
        }
        Did::Changed
    }

    /// What is done with the marker at the cursor.
    fn choice(&self) -> Choice {
        let Some(picked) = self.picked else { return Choice::Pick };
        if picked == self.cursor {
            return Choice::LetGo;
        }
        let text = exchange(picked, self.cursor);
        // Who points at another marker of the colour has changed his mind.
        let same_colour = self.marker(picked) == self.marker(self.cursor);
        if same_colour && !self.is_offered(&text) { Choice::Pick } else { Choice::Exchange(text) }
    }

    fn let_go(&mut self) -> Did {
        if self.picked.take().is_some() { Did::Changed } else { Did::Nothing }
    }

    /// Takes or returns the stone with this letter.
    fn choose_by_letter(&mut self, letter: char) -> Did {
        let (Some(pile), Some(stone)) = (self.pile(), Colour::from_letter(letter)) else { return Did::Nothing };
        let text = pile.text(stone);
        self.stone = stone;
        Did::Act(text)
    }

    /// What the last action has done, seen by comparing.
    fn remember(&mut self, view: &View, moment: &Moment) {
        let Some(before) = &self.view else {
            let last = moment.last.as_ref().and_then(|last| {
                let (low, rest) = Square::read(&last.action)?;
                Some(vec![low, Square::named(rest)?])
            });
            self.moved = last.unwrap_or_default();
            return;
        };
        if self.ply == moment.ply {
            return;
        }
        let next = self.ply + 1 == moment.ply;
        self.stuck = next && before.phase == PhaseView::Take && view.phase == PhaseView::Return;
        let differs = |(square, (old, new)): (Square, (&_, &_))| (old != new).then_some(square);
        let moved: Vec<Square> =
            squares(SIZE).zip(before.squares.iter().zip(&view.squares)).filter_map(differs).collect();
        if !moved.is_empty() {
            self.made = if next { made(before, view) } else { Vec::new() };
            self.moved = moved;
        }
        self.picked = None;
    }

    /// The seats of a side by their letters.
    fn side_name(side: &SideView) -> String {
        side.seats.iter().map(|&seat| letter(seat).to_string()).collect::<Vec<_>>().join("+")
    }

    /// What somebody else is to do.
    fn waits_for(&self) -> String {
        let Some(view) = &self.view else { return String::new() };
        let Some(who) = view.turn.map(letter) else { return String::new() };
        match view.phase {
            PhaseView::Take => format!("{who} takes a stone from the bank"),
            PhaseView::Exchange => format!("{who} exchanges two markers"),
            PhaseView::Return => format!("{who} returns a stone to the bank"),
            PhaseView::Over => String::new(),
        }
    }

    fn prospect_of_stone(&self, pile: &Pile<'_>) -> String {
        let (does, done) = pile.words;
        let stuck = if self.stuck { "No exchange is possible: " } else { "" };
        if self.is_offered(&pile.text(self.stone)) {
            format!("{stuck}Enter {does} the {} stone; so does {}", self.stone, self.stone.letter())
        } else {
            format!("{stuck}The {} stone cannot be {done}; Enter says why", self.stone)
        }
    }

    fn prospect_of_marker(&self) -> String {
        let here = self.cursor;
        let Some(colour) = self.marker(here) else { return String::new() };
        match (self.choice(), self.picked) {
            (Choice::Pick, None) if self.is_target(here) => {
                format!("Enter picks the {colour} marker on {here} to exchange it")
            }
            (Choice::Pick, None) => {
                let stones = self.side_on_turn().map_or(&[][..], |side| &side.stones);
                let colours: Vec<String> = stones.iter().map(|stone| format!("a {stone}")).collect();
                format!("Exchange {} marker; the one on {here} cannot go", colours.join(" and "))
            }
            (Choice::Pick, Some(picked)) => format!("Enter picks {here} instead of {picked}"),
            (Choice::LetGo, _) => format!("{here} is picked; go to the other marker, or Esc lets it go"),
            (Choice::Exchange(text), Some(picked)) if self.is_offered(&text) => {
                format!("Enter exchanges {picked} and {here}; Esc lets {picked} go")
            }
            (Choice::Exchange(_), picked) => {
                let picked = picked.unwrap_or(here);
                format!("{picked} and {here} cannot be exchanged; Enter says why, Esc lets {picked} go")
            }
        }
    }
}

/// What Enter does with a marker.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Choice {
    Pick,
    LetGo,
    Exchange(String),
}

/// An exchange in words: the lower square first, whichever was chosen first.
fn exchange(one: Square, other: Square) -> String {
    format!("{}{}", one.min(other), one.max(other))
}

/// The figures that stand now and did not before, if they have brought points; how many, the point board said before.
fn made(before: &View, now: &View) -> Vec<Made> {
    let points = |view: &View| view.sides.iter().map(|side| side.points).collect::<Vec<_>>();
    if points(before) == points(now) {
        return Vec::new();
    }
    let worth = |made: &FigureView| {
        let field = before.values.iter().find(|field| (field.figure, field.colour) == (made.figure, made.colour));
        field.map_or(0, |field| field.value)
    };
    let new = now.figures.iter().filter(|figure| !before.figures.contains(figure));
    new.map(|figure| Made { name: name(figure), points: worth(figure) }).collect()
}

fn name(FigureView { colour, figure, .. }: &FigureView) -> String {
    format!("{colour} {figure}")
}

/// How a seat is called. No colour of the markers is a side's.
const fn letter(seat: u8) -> char {
    (b'A' + seat % 26) as char
}

impl Board for FiguresBoard {
    fn show(&mut self, moment: &Moment) -> Result<(), String> {
        let view: View = serde_json::from_value(moment.view.clone()).map_err(|error| error.to_string())?;
        self.remember(&view, moment);
        self.view = Some(view);
        self.ply = moment.ply;
        self.viewer = moment.viewer;
        self.offers.clone_from(&moment.offers);
        (self.places.display.cols, self.places.display.rows) = (SIZE, SIZE);
        if self.pile().is_some_and(|pile| !self.is_offered(&pile.text(self.stone))) {
            self.go_to_next_stone(false, false);
        }
        Ok(())
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, look: Look) {
        self.draw_on(area, buffer, look);
    }

    fn panel(&self, look: Look) -> Vec<Line<'static>> {
        let Some(view) = &self.view else { return Vec::new() };
        let side = |side: &SideView| {
            Line::from(format!("{:<4}{:>3} of {} points", Self::side_name(side), side.points, view.target))
        };
        let mut lines: Vec<Line<'static>> = view.sides.iter().map(side).collect();
        let turn = view.turns.saturating_add(1).min(view.turn_limit);
        lines.push(Line::styled(format!("Turn {turn} of {}", view.turn_limit), look.hue(Hue::Quiet)));
        lines.extend(self.made.iter().map(|Made { name, points }| {
            Line::styled(format!("Made: {name}, {points} point{}", if *points == 1 { "" } else { "s" }), look.title())
        }));
        let standing = view.figures.iter().map(name).filter(|name| self.made.iter().all(|made| made.name != *name));
        lines.extend(standing.map(|name| Line::from(format!("Stands: {name}"))));
        if view.first_exchange {
            let rule = "The first exchange may not make a figure";
            lines.push(Line::styled(rule, look.hue(Hue::Quiet)));
        }
        lines
    }

    fn status(&self) -> String {
        match self.pile() {
            Some(pile) => self.prospect_of_stone(&pile),
            None if self.exchanges() => self.prospect_of_marker(),
            None => self.waits_for(),
        }
    }

    fn key(&mut self, key: KeyEvent) -> Did {
        if let Some(step) = grid::arrow(key.code) {
            return self.move_by(step);
        }
        match key.code {
            KeyCode::Tab | KeyCode::BackTab => self.go_to_next(key.code == KeyCode::BackTab),
            KeyCode::Enter | KeyCode::Char(' ') => self.act(),
            KeyCode::Esc | KeyCode::Backspace => self.let_go(),
            KeyCode::Char(letter) => self.choose_by_letter(letter),
            _ => Did::Nothing,
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Did {
        let point = Position::new(mouse.column, mouse.row);
        let before = (self.cursor, self.stone);
        let over = if self.exchanges() {
            let square = self.places.display.at(point.x, point.y);
            self.cursor = square.unwrap_or(self.cursor);
            square.is_some()
        } else {
            let stone = self.places.stone_at(point).filter(|_| self.pile().is_some());
            self.stone = stone.unwrap_or(self.stone);
            stone.is_some()
        };
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) if over => self.act(),
            MouseEventKind::Down(MouseButton::Right) => self.let_go(),
            _ if before != (self.cursor, self.stone) => Did::Changed,
            _ => Did::Nothing,
        }
    }

    fn keys(&self) -> &'static [Key] {
        &[
            ("arrows", "go to a stone or a marker"),
            ("Tab", "next one that may be chosen"),
            ("Enter, click", "take or return the stone, pick the marker"),
            ("r y g b n", "take or return the stone of this colour"),
            ("Esc, Backspace", "let the picked marker go"),
        ]
    }

    fn seat_mark(&self, seat: u8, look: Look) -> Option<Span<'static>> {
        Some(draw::seat_mark(seat, look))
    }
}
