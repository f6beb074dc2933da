//! Mod X: X-pieces and jokers on the posts of a board, and under them the stacks of score markers.

mod draw;
#[cfg(test)]
mod tests;

use quincunx_games::mod_x::{Colour, PhaseView, SquareView, View};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::grid::{self, Grid, Square, squares};
use super::round::next_in_order;
use super::{Board, Did};
use crate::app::Key;
use crate::look::{Hue, Look};
use crate::moment::Moment;

/// Columns and rows of the board.
const SIZE: u8 = 8;

/// How the action is called that ends a turn.
const DONE: &str = "done";

#[derive(Debug, Default)]
pub struct ModXBoard {
    view: Option<View>,
    ply: usize,
    viewer: Option<u8>,
    offers: Vec<String>,
    cursor: Cursor,
    /// What the last action has changed.
    fresh: Vec<Square>,
    grid: Grid,
    /// Where the button that ends a turn lies.
    button: Rect,
}

/// What the player points at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Cursor {
    At(Square),
    /// At the button that ends a turn.
    Done,
}

impl Cursor {
    const fn on(square: Square) -> Self {
        Self::At(square)
    }

    const fn square(self) -> Option<Square> {
        match self {
            Self::At(square) => Some(square),
            Self::Done => None,
        }
    }

    /// What an offer is about.
    fn of_offer(offer: &str) -> Option<Self> {
        if offer == DONE {
            return Some(Self::Done);
        }
        Square::named(offer.trim_start_matches(['*', '!'])).map(Self::on)
    }
}

impl Default for Cursor {
    fn default() -> Self {
        Self::At(Square::new(3, 4))
    }
}

/// What Enter does at a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Deed {
    Place,
    Joker,
    /// Claims the patterns through a piece.
    Touch,
}

impl Deed {
    fn text(self, square: Square) -> String {
        match self {
            Self::Place => square.to_string(),
            Self::Joker => format!("*{square}"),
            Self::Touch => format!("!{square}"),
        }
    }
}

impl ModXBoard {
    fn at(&self, square: Square) -> Option<&SquareView> {
        let number = usize::from(square.row) * usize::from(SIZE) + usize::from(square.col);
        self.view.as_ref()?.squares.get(number).filter(|_| square.col < SIZE)
    }

    fn is_ours(&self) -> bool {
        self.viewer.is_some() && self.viewer == self.view.as_ref().and_then(|view| view.turn)
    }

    /// Whether it is the viewer's time to claim patterns, whether or not there are any.
    fn may_touch(&self) -> bool {
        let (Some(view), Some(viewer)) = (&self.view, self.viewer) else { return false };
        view.manual_claims && view.may_claim.contains(&viewer)
    }

    fn may_say_done(&self) -> bool {
        self.offers.iter().any(|offer| offer == DONE)
    }

    /// What the viewer does at a square. Every piece can be touched, so that nothing tells where a pattern is.
    fn deed(&self, square: Square) -> Option<Deed> {
        let phase = self.view.as_ref()?.phase;
        let stands = self.at(square).is_some_and(|here| here.piece.is_some());
        match phase {
            PhaseView::SetUp | PhaseView::JokersBack => self.is_ours().then_some(Deed::Joker),
            PhaseView::Place if self.is_ours() && !(stands && self.may_touch()) => Some(Deed::Place),
            PhaseView::Place | PhaseView::Claim => self.may_touch().then_some(Deed::Touch),
            PhaseView::Over => None,
        }
    }

    fn is_offered(&self, square: Square) -> bool {
        self.deed(square).is_some_and(|deed| self.offers.contains(&deed.text(square)))
    }

    /// Does whatever is to be done where the cursor is. What must not be done there, the rules refuse.
    fn act(&self) -> Did {
        match self.cursor.square() {
            None if self.may_say_done() => Did::Act(DONE.to_owned()),
            None => Did::Nothing,
            Some(square) => self.deed(square).map_or(Did::Nothing, |deed| Did::Act(deed.text(square))),
        }
    }

    fn go_to_next(&mut self, back: bool) -> Did {
        let mut places: Vec<Cursor> = self.offers.iter().filter_map(|offer| Cursor::of_offer(offer)).collect();
        places.sort_unstable();
        let Some(next) = next_in_order(&places, self.cursor, back) else { return Did::Nothing };
        self.cursor = next;
        Did::Changed
    }

    fn move_by(&mut self, (right, up): (i8, i8)) -> Did {
        self.cursor = match self.cursor {
            // The button lies below the board.
            Cursor::Done if up > 0 => Cursor::At(Square::new(SIZE / 2, 0)),
            Cursor::Done => Cursor::Done,
            Cursor::At(Square { row: 0, .. }) if up < 0 && self.may_say_done() => Cursor::Done,
            Cursor::At(square) => Cursor::At(self.grid.step(square, (right, up))),
        };
        Did::Changed
    }

    /// The squares on which something else lies than before; at first, what the last action named.
    fn changes(&self, view: &View, moment: &Moment) -> Vec<Square> {
        match &self.view {
            Some(_) if self.ply == moment.ply => self.fresh.clone(),
            Some(before) => squares(SIZE)
                .zip(before.squares.iter().zip(&view.squares))
                .filter_map(|(square, (old, new))| (old != new).then_some(square))
                .collect(),
            None => {
                let named = moment.last.as_ref().and_then(|last| Cursor::of_offer(&last.action));
                named.and_then(Cursor::square).into_iter().collect()
            }
        }
    }

    /// What lies on a square, in words.
    fn contents(&self, square: Square) -> String {
        let Some(here) = self.at(square) else { return String::new() };
        let piece = here.piece.map(|piece| match piece.colour() {
            Some(colour) => format!("{} X-piece", colour.name()),
            None => "joker".to_owned(),
        });
        let markers = here.marker.map(|colour| match here.markers {
            1 => format!("{} marker", colour.name()),
            count => format!("{count} markers, {} on top", colour.name()),
        });
        let things: Vec<String> = piece.into_iter().chain(markers).collect();
        if things.is_empty() { "free".to_owned() } else { things.join(" on ") }
    }

    /// What somebody else is to do.
    fn waits_for(&self) -> String {
        let Some(view) = &self.view else { return String::new() };
        let player = view.turn.and_then(|seat| view.players.get(usize::from(seat)));
        let Some(who) = player.map(|player| capital(player.colour)) else { return String::new() };
        let jokers = view.jokers_in_hand;
        match view.phase {
            PhaseView::SetUp => format!("{who} sets up the jokers, {jokers} to go"),
            PhaseView::Place => format!("{who} puts down an X-piece"),
            PhaseView::Claim => format!("{who} may claim patterns before the turn ends"),
            PhaseView::JokersBack => format!("{who} puts the lifted jokers back, {jokers} to go"),
            PhaseView::Over => String::new(),
        }
    }

    /// What Enter does at a square, and what else can be done.
    fn prospect(&self, square: Square) -> String {
        let Some(view) = &self.view else { return String::new() };
        let jokers = view.jokers_in_hand;
        let fits = self.is_offered(square);
        match self.deed(square) {
            Some(Deed::Joker) if fits => format!("Enter puts a joker on {square}; {jokers} to go"),
            Some(Deed::Joker) => format!("No joker can stand on {square}; Enter says why; {jokers} to go"),
            Some(Deed::Place) if fits && self.may_touch() => {
                format!("Enter puts an X-piece on {square}; touch a piece to claim a pattern")
            }
            Some(Deed::Place) if fits => format!("Enter puts an X-piece on {square}"),
            Some(Deed::Place) => format!("No X-piece can stand on {square}; Enter says why"),
            Some(Deed::Touch) => self.prospect_of_touch(square),
            None => self.waits_for(),
        }
    }

    fn prospect_of_touch(&self, square: Square) -> String {
        let stands = self.at(square).is_some_and(|here| here.piece.is_some());
        let end = if self.may_say_done() { "; d ends the turn" } else { "" };
        if stands {
            format!("Enter touches {square} to claim its patterns{end}")
        } else if self.may_say_done() {
            format!("Touch a piece to claim its patterns{end}")
        } else {
            format!("{}; touch a piece to claim what was overlooked", self.waits_for())
        }
    }

    /// A line for each player: what is left, and the points on the board.
    fn player_lines(view: &View, look: Look) -> Vec<Line<'static>> {
        let head = format!("{:9}{:>6} {:>7} {:>6}", "", "pieces", "markers", "points");
        let mut lines = vec![Line::styled(head, look.hue(Hue::Quiet))];
        lines.extend(view.players.iter().map(|player| {
            let name = format!(" {:<7}", player.colour.name());
            let numbers = format!("{:>6} {:>7} {:>6}", player.pieces, player.markers, player.points);
            Line::from(vec![mark(player.colour, look), name.into(), numbers.into()])
        }));
        lines
    }

    /// The points that win, and those of the teams.
    fn target_line(view: &View) -> Line<'static> {
        let letters = |team: u8| {
            let members = view.players.iter().filter(|player| player.team == Some(team));
            members.map(|player| player.colour.initial().to_ascii_uppercase().to_string()).collect::<Vec<_>>().join("+")
        };
        let side = |team: u8| {
            let member = view.players.iter().find(|player| player.team == Some(team))?;
            Some(format!("{} {}", letters(team), member.side_points))
        };
        match (side(0), side(1)) {
            (Some(one), Some(other)) => format!("{one}, {other} of {} points", view.target).into(),
            _ => format!("{} points win", view.target).into(),
        }
    }
}

fn capital(colour: Colour) -> String {
    let name = colour.name();
    name.chars().take(1).map(|letter| letter.to_ascii_uppercase()).chain(name.chars().skip(1)).collect()
}

/// A player's letter in his colour.
fn mark(colour: Colour, look: Look) -> Span<'static> {
    let letter = colour.initial().to_ascii_uppercase().to_string();
    Span::styled(letter, draw::style(colour, look).add_modifier(Modifier::BOLD))
}

impl Board for ModXBoard {
    fn show(&mut self, moment: &Moment) -> Result<(), String> {
        let view: View = serde_json::from_value(moment.view.clone()).map_err(|error| error.to_string())?;
        self.fresh = self.changes(&view, moment);
        self.view = Some(view);
        self.ply = moment.ply;
        self.viewer = moment.viewer;
        self.offers.clone_from(&moment.offers);
        (self.grid.cols, self.grid.rows) = (SIZE, SIZE);
        if self.cursor == Cursor::Done && !self.may_say_done() {
            self.cursor = Cursor::default();
        }
        Ok(())
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, look: Look) {
        self.draw_on(area, buffer, look);
    }

    fn panel(&self, look: Look) -> Vec<Line<'static>> {
        let Some(view) = &self.view else { return Vec::new() };
        let mut lines = Self::player_lines(view, look);
        lines.push(Self::target_line(view));
        if view.jokers_out > 0 {
            lines.push(format!("Jokers out of the game: {}", view.jokers_out).into());
        }
        if let Some(square) = self.cursor.square() {
            lines.push(Line::styled(format!("{square}: {}", self.contents(square)), look.hue(Hue::Quiet)));
        }
        lines
    }

    fn status(&self) -> String {
        match self.cursor.square() {
            None => "Enter ends the turn".to_owned(),
            Some(square) => self.prospect(square),
        }
    }

    fn key(&mut self, key: KeyEvent) -> Did {
        if let Some(step) = grid::arrow(key.code) {
            return self.move_by(step);
        }
        match key.code {
            KeyCode::Tab | KeyCode::BackTab => self.go_to_next(key.code == KeyCode::BackTab),
            KeyCode::Enter | KeyCode::Char(' ') => self.act(),
            KeyCode::Char('d') if self.may_say_done() => Did::Act(DONE.to_owned()),
            _ => Did::Nothing,
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Did {
        let over_button = self.button.contains(Position::new(mouse.column, mouse.row));
        let here = self.grid.at(mouse.column, mouse.row).map(Cursor::on);
        let Some(here) = here.or_else(|| over_button.then_some(Cursor::Done)) else { return Did::Nothing };
        match mouse.kind {
            MouseEventKind::Moved if here != self.cursor => {
                self.cursor = here;
                Did::Changed
            }
            MouseEventKind::Down(MouseButton::Left) => {
                self.cursor = here;
                self.act()
            }
            _ => Did::Nothing,
        }
    }

    fn keys(&self) -> &'static [Key] {
        &[
            ("arrows", "go to a square"),
            ("Tab", "next square that may be chosen"),
            ("Enter, click", "put down an X-piece or a joker"),
            ("", "or touch a piece, where patterns must be claimed"),
            ("d", "end the turn, where patterns must be claimed"),
        ]
    }

    fn seat_mark(&self, seat: u8, look: Look) -> Option<Span<'static>> {
        let player = self.view.as_ref()?.players.get(usize::from(seat))?;
        Some(mark(player.colour, look))
    }
}
