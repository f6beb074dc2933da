//! How the board of Mod X is drawn.

use quincunx_games::mod_x::{Colour, Piece, SquareView};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::{Cursor, DONE, ModXBoard, SIZE};
use crate::boards::grid::{self, Grid, Square, squares};
use crate::look::{Colours, Hue, Look};

/// Sizes of a square, the largest first. On the largest a piece is a cross, on the smallest all stands in one line.
const SIZES: [(u16, u16); 5] = [(9, 4), (7, 3), (5, 2), (4, 2), (4, 1)];

/// The rows below the board that are kept for the button.
const BUTTON_ROWS: u16 = 2;

impl ModXBoard {
    pub(super) fn draw_on(&mut self, area: Rect, buffer: &mut Buffer, look: Look) {
        let Some(view) = &self.view else { return };
        let below = if view.manual_claims { BUTTON_ROWS } else { 0 };
        let upper = Rect { height: area.height.saturating_sub(below), ..area };
        self.grid = Grid::fit(upper, SIZE, SIZE, &SIZES);
        self.button = if self.may_say_done() { button_place(area, self.grid) } else { Rect::default() };
        self.grid.draw_labels(buffer, look.hue(Hue::Quiet));
        for (square, here) in squares(SIZE).zip(&view.squares) {
            self.draw_square(square, here, buffer, look);
        }
        self.draw_button(buffer, look);
    }

    fn draw_square(&self, square: Square, here: &SquareView, buffer: &mut Buffer, look: Look) {
        let place = self.grid.place(square);
        if place.is_empty() {
            return;
        }
        if look.colours == Colours::All {
            buffer.set_style(place, Style::new().bg(ground(square, here.marker)));
        }
        let changed = if self.fresh.contains(&square) { look.last() } else { Style::new() };
        match here.piece {
            Some(piece) => draw_piece(piece, place, changed, buffer, look),
            None if self.is_offered(square) => draw_at(place, "+", look.target(), buffer),
            None => draw_at(place, look.text("·", "."), look.hue(Hue::Quiet), buffer),
        }
        if let Some(marker) = here.marker {
            // On a free square it is the stack itself that has changed.
            let changed = if here.piece.is_none() { changed } else { Style::new() };
            draw_stack(marker, here.markers, place, changed, buffer, look);
        }
        if self.cursor == Cursor::on(square) {
            buffer.set_style(place, self.cursor_style(square, here, look));
        }
    }

    /// The cursor has one colour, or what lies on the square would be torn to pieces.
    fn cursor_style(&self, square: Square, here: &SquareView, look: Look) -> Style {
        let colour = match here.piece.map(Piece::colour) {
            Some(Some(colour)) => style(colour, look),
            None if self.is_offered(square) => look.target(),
            _ => Style::new().fg(Color::Reset),
        };
        colour.patch(look.cursor())
    }

    fn draw_button(&self, buffer: &mut Buffer, look: Look) {
        if self.button.is_empty() {
            return;
        }
        let style = if self.cursor == Cursor::Done { look.target().patch(look.cursor()) } else { look.target() };
        let text = format!("[ {DONE} ]");
        buffer.set_stringn(self.button.x, self.button.y, &text, usize::from(self.button.width), style);
    }
}

fn button_place(area: Rect, grid: Grid) -> Rect {
    let width = DONE.len() as u16 + 4;
    let middle = grid.inside.x + grid.inside.width.saturating_sub(width) / 2;
    Rect::new(middle, area.bottom().saturating_sub(1), width, 1).intersection(area)
}

/// Where the letter of a piece stands in a square.
fn centre(place: Rect) -> (u16, u16) {
    // Below the piece lies the stack of markers.
    grid::centre(Rect { height: place.height.saturating_sub(1), ..place })
}

/// Writes a letter in the centre of a square.
fn draw_at(place: Rect, letter: &str, style: Style, buffer: &mut Buffer) {
    let (x, y) = centre(place);
    buffer.set_stringn(x, y, letter, 1, style);
}

/// A piece by its letter, between signs like the ends of its cross; where there is room, with arms.
fn draw_piece(piece: Piece, place: Rect, changed: Style, buffer: &mut Buffer, look: Look) {
    let (letter, ends, style) = match piece.colour() {
        Some(colour) => (colour.initial().to_ascii_uppercase(), ends(colour), style(colour, look)),
        None => ('*', ["-", "-"], Style::new()),
    };
    let style = style.add_modifier(Modifier::BOLD);
    draw_at(place, &letter.to_string(), style.patch(changed), buffer);
    if place.width < 5 {
        return;
    }
    let (x, y) = centre(place);
    buffer.set_string(x - 1, y, ends[0], style);
    buffer.set_string(x + 1, y, ends[1], style);
    if place.height >= 4 {
        let (falling, rising) = (look.text("╲", "\\"), look.text("╱", "/"));
        for (right, below, arm) in [(-2, -1, falling), (2, -1, rising), (-2, 1, rising), (2, 1, falling)] {
            let (x, y) = (x.saturating_add_signed(right), y.saturating_add_signed(below));
            buffer.set_stringn(x, y, arm, usize::from(place.right().saturating_sub(x)), style);
        }
    }
}

/// The signs at both sides of a letter, so that nobody needs to see colours: round, square, pointed, forked.
const fn ends(colour: Colour) -> [&'static str; 2] {
    match colour {
        Colour::Red => ["(", ")"],
        Colour::Black => ["[", "]"],
        Colour::Orange => ["<", ">"],
        Colour::Yellow => ["{", "}"],
    }
}

/// A stack of score markers: whose the top one is, and how many there are if it is not alone.
fn draw_stack(top: Colour, height: u8, place: Rect, changed: Style, buffer: &mut Buffer, look: Look) {
    let style = style(top, look).patch(changed);
    let count = if height > 1 { height.to_string() } else { String::new() };
    let text = format!("{}{count}", top.initial());
    let (x, _) = centre(place);
    if place.height < 2 {
        buffer.set_stringn(x + 1, place.y, &text, usize::from(place.right().saturating_sub(x + 1)), style);
        return;
    }
    let y = place.bottom() - 1;
    let edge = look.text("═", "=").repeat(usize::from(place.width.saturating_sub(2)));
    buffer.set_stringn(place.x + 1, y, &edge, usize::from(place.width.saturating_sub(2)), style);
    buffer.set_stringn(x, y, &text, usize::from(place.right() - x), style);
}

/// What a player's pieces and markers are written in. The real colours where there are all of them; elsewhere black, which
/// would not be seen, is blue, and orange, which is none of the sixteen, is purple.
pub(super) const fn style(colour: Colour, look: Look) -> Style {
    match look.colours {
        Colours::All => {
            let (red, green, blue) = paint(colour);
            Style::new().fg(Color::Rgb(red, green, blue))
        }
        Colours::Sixteen | Colours::None => look.hue(match colour {
            Colour::Red => Hue::Vermilion,
            Colour::Black => Hue::Blue,
            Colour::Orange => Hue::Purple,
            Colour::Yellow => Hue::Yellow,
        }),
    }
}

/// Four tones that also differ in how light they are. Black is a light grey, or a dark terminal would swallow it.
const fn paint(colour: Colour) -> (u8, u8, u8) {
    match colour {
        Colour::Red => (0xf0, 0x62, 0x4c),
        Colour::Black => (0xb4, 0xbc, 0xca),
        Colour::Orange => (0xf5, 0xa1, 0x44),
        Colour::Yellow => (0xf0, 0xe4, 0x42),
    }
}

/// What a square is painted with: two quiet tones in turn, and a tinge of the top marker.
const fn ground(square: Square, marker: Option<Colour>) -> Color {
    let dark = (square.col + square.row).is_multiple_of(2);
    let tone: u8 = if dark { 0x1e } else { 0x26 };
    match marker {
        None => Color::Rgb(tone, tone + 4, tone + 10),
        Some(colour) => {
            let (red, green, blue) = paint(colour);
            Color::Rgb(tone + red / 5, tone + green / 5, tone + blue / 5)
        }
    }
}
