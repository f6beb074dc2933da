//! Trexo: tiles with an X and an O on top of each other, each half with its height.

use quincunx_games::trexo::{SquareView, View};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::grid::{self, Grid, Square, centre};
use super::round::next_in_order;
use super::{Board, Did};
use crate::app::Key;
use crate::look::{Colours, Hue, Look};
use crate::moment::Moment;

/// Sizes of a square, the largest first.
const SIZES: [(u16, u16); 4] = [(8, 4), (6, 3), (4, 2), (4, 1)];

/// Where the O lies, seen from the X, in the order in which the tile is turned.
const TURNS: [(i8, i8); 4] = [(1, 0), (0, -1), (-1, 0), (0, 1)];

#[derive(Debug, Default)]
pub struct TrexoBoard {
    view: Option<View>,
    offers: Vec<String>,
    ours: bool,
    /// Where the X of the tile in hand lies, and how the tile is turned.
    cursor: Square,
    turned: usize,
    grid: Grid,
}

impl TrexoBoard {
    /// The square of the O of the tile in hand, if it is on the board.
    fn other(&self) -> Option<Square> {
        let (right, up) = TURNS[self.turned];
        let col = self.cursor.col.checked_add_signed(right)?;
        let row = self.cursor.row.checked_add_signed(up)?;
        (col < self.grid.cols && row < self.grid.rows).then(|| Square::new(col, row))
    }

    /// The tile in hand in words.
    fn text(&self) -> Option<String> {
        self.other().map(|other| format!("{}{other}", self.cursor))
    }

    fn fits(&self) -> bool {
        self.text().is_some_and(|text| self.offers.contains(&text))
    }

    fn may_swap(&self) -> bool {
        self.ours && self.view.as_ref().is_some_and(|view| view.may_swap)
    }

    /// The next tile that may be laid, in the order of the squares, all ways of turning before the next square.
    fn go_to_next(&mut self, back: bool) {
        let place = |text: &String| {
            let (x, rest) = Square::read(text)?;
            let o = Square::named(rest)?;
            let way = (o.col as i8 - x.col as i8, o.row as i8 - x.row as i8);
            Some((x, TURNS.iter().position(|&turn| turn == way)?))
        };
        let mut places: Vec<(Square, usize)> = self.offers.iter().filter_map(place).collect();
        places.sort_unstable();
        let here = (self.cursor, self.turned);
        (self.cursor, self.turned) = next_in_order(&places, here, back).unwrap_or(here);
    }

    fn move_by(&mut self, step: (i8, i8)) -> Did {
        self.cursor = self.grid.step(self.cursor, step);
        Did::Changed
    }

    fn turn(&mut self, quarters: usize) -> Did {
        // A tile that would hang over the edge is turned on.
        for _ in 0..TURNS.len() {
            self.turned = (self.turned + quarters) % TURNS.len();
            if self.other().is_some() {
                break;
            }
        }
        Did::Changed
    }

    /// Lays the tile where it is. Where it must not lie, the rules say why.
    fn lay(&self) -> Did {
        self.text().map_or(Did::Nothing, Did::Act)
    }

    /// The style of a half: blue X, red O, and the higher, the brighter is what it lies on.
    fn style(&self, square: Square, half: &SquareView, look: Look) -> Style {
        let name = square.to_string();
        let mut style = look.hue(if half.symbol == 'X' { Hue::Sky } else { Hue::Vermilion });
        if look.colours == Colours::All {
            let shade = 28 + 14 * half.level.min(8);
            style = style.bg(Color::Rgb(shade, shade, shade + 6));
        }
        let view = self.view.as_ref();
        if view.and_then(|view| view.last.as_ref()).is_some_and(|tile| tile.x == name || tile.o == name) {
            style = style.patch(look.last());
        }
        if view.is_some_and(|view| view.line.contains(&name)) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        style
    }

    fn draw_square(&self, square: Square, half: Option<&SquareView>, buffer: &mut Buffer, look: Look) {
        let place = self.grid.place(square);
        if place.is_empty() {
            return;
        }
        let (left, middle) = centre(place);
        let Some(half) = half else {
            buffer.set_stringn(left, middle, look.text("·", "."), 1, look.hue(Hue::Quiet));
            return;
        };
        let style = self.style(square, half, look);
        buffer.set_style(place, Style { add_modifier: Modifier::empty(), ..style });
        let text = format!("{}{}", half.symbol, half.level);
        buffer.set_stringn(left, middle, &text, usize::from(place.right() - left), style);
        if half.whole
            && let Some(partner) = Square::named(&half.partner)
        {
            self.draw_joint(square, partner, buffer, look);
        }
    }

    /// The bridge from a half to the one it belongs to, as far as it lies on this square.
    fn draw_joint(&self, square: Square, partner: Square, buffer: &mut Buffer, look: Look) {
        let place = self.grid.place(square);
        let (left, middle) = centre(place);
        let (flat, upright) = (look.text("─", "-"), look.text("│", "|"));
        let mut draw = |x: u16, y: u16, symbol: &str| {
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.set_symbol(symbol);
            }
        };
        if partner.row == square.row {
            let bridge = if partner.col > square.col { left + 2..place.right() } else { place.x..left };
            bridge.for_each(|x| draw(x, middle, flat));
        } else if place.height == 1 {
            let arrow = if partner.row > square.row { look.text("↑", "^") } else { look.text("↓", "v") };
            draw(place.right() - 1, middle, arrow);
        } else {
            let bridge = if partner.row < square.row { middle + 1..place.bottom() } else { place.y..middle };
            bridge.for_each(|y| draw(left, y, upright));
        }
    }

    /// The tile in hand, lying over whatever is there.
    fn draw_ghost(&self, buffer: &mut Buffer, look: Look) {
        let style = if self.fits() { look.target() } else { look.hue(Hue::Warning) }.patch(look.cursor());
        let halves = [(Some(self.cursor), "X"), (self.other(), "O")];
        for (square, symbol) in halves {
            let Some(place) = square.map(|square| self.grid.place(square)).filter(|place| !place.is_empty()) else {
                continue;
            };
            buffer.set_style(place, style);
            let (left, middle) = centre(place);
            buffer.set_stringn(left, middle, format!("{symbol} "), usize::from(place.right() - left), style);
        }
    }
}

impl Board for TrexoBoard {
    fn show(&mut self, moment: &Moment) -> Result<(), String> {
        let view: View = serde_json::from_value(moment.view.clone()).map_err(|error| error.to_string())?;
        (self.grid.cols, self.grid.rows) = (view.size, view.size);
        let first = self.view.is_none();
        self.view = Some(view);
        self.offers.clone_from(&moment.offers);
        self.ours = moment.is_ours();
        if first {
            let middle = self.grid.cols / 2;
            self.cursor = Square::new(middle.saturating_sub(1), middle);
        }
        self.cursor = self.grid.step(self.cursor, (0, 0));
        if self.other().is_none() {
            self.turn(1);
        }
        Ok(())
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, look: Look) {
        let Some(view) = &self.view else { return };
        self.grid = Grid::fit(area, view.size, view.size, &SIZES);
        self.grid.draw_labels(buffer, look.hue(Hue::Quiet));
        for (row, squares) in view.rows.iter().enumerate() {
            for (col, half) in squares.iter().enumerate() {
                self.draw_square(Square::new(col as u8, row as u8), half.as_ref(), buffer, look);
            }
        }
        if self.ours {
            self.draw_ghost(buffer, look);
        }
    }

    fn panel(&self, look: Look) -> Vec<Line<'static>> {
        let Some(view) = &self.view else { return Vec::new() };
        let mut lines = vec![Line::from(format!("Tiles left: {}", view.tiles_left))];
        let half = view.rows.get(usize::from(self.cursor.row)).and_then(|row| row.get(usize::from(self.cursor.col)));
        let here = match half {
            Some(Some(half)) => format!("{}: {} at height {}", self.cursor, half.symbol, half.level),
            _ => format!("{}: empty", self.cursor),
        };
        lines.push(Line::styled(here, look.hue(Hue::Quiet)));
        lines
    }

    fn status(&self) -> String {
        if !self.ours {
            return String::new();
        }
        let swap = if self.may_swap() { "; w takes over X instead" } else { "" };
        match self.text() {
            Some(text) if self.fits() => format!("Enter lays {text}; r turns the tile{swap}"),
            Some(text) => format!("The tile cannot lie on {text}; Enter says why{swap}"),
            None => format!("The tile hangs over the edge; r turns it{swap}"),
        }
    }

    fn key(&mut self, key: KeyEvent) -> Did {
        if let Some(step) = grid::arrow(key.code) {
            return self.move_by(step);
        }
        match key.code {
            _ if !self.ours => Did::Nothing,
            KeyCode::Char('r') => self.turn(1),
            KeyCode::Char('R') => self.turn(3),
            KeyCode::Char('w') if self.may_swap() => Did::Act("swap".to_owned()),
            KeyCode::Tab | KeyCode::BackTab => {
                self.go_to_next(key.code == KeyCode::BackTab);
                Did::Changed
            }
            KeyCode::Enter | KeyCode::Char(' ') => self.lay(),
            _ => Did::Nothing,
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Did {
        let here = self.grid.at(mouse.column, mouse.row);
        match (mouse.kind, here) {
            (MouseEventKind::Moved, Some(square)) if square != self.cursor => {
                self.cursor = square;
                if self.other().is_none() {
                    self.turn(1);
                }
                Did::Changed
            }
            (MouseEventKind::Down(MouseButton::Left), Some(square)) if self.ours => {
                self.cursor = square;
                self.lay()
            }
            (MouseEventKind::Down(MouseButton::Right) | MouseEventKind::ScrollDown, Some(_)) => self.turn(1),
            (MouseEventKind::ScrollUp, Some(_)) => self.turn(3),
            _ => Did::Nothing,
        }
    }

    fn keys(&self) -> &'static [Key] {
        &[
            ("arrows", "move the tile"),
            ("r, wheel", "turn it"),
            ("Tab", "next place where it may lie"),
            ("Enter, click", "lay it"),
            ("w", "swap, where the rules of the table allow it"),
        ]
    }

    fn seat_mark(&self, seat: u8, look: Look) -> Option<Span<'static>> {
        let view = self.view.as_ref()?;
        let (symbol, hue) = if seat == view.x_seat { ("X", Hue::Sky) } else { ("O", Hue::Vermilion) };
        Some(Span::styled(symbol, look.hue(hue).add_modifier(Modifier::BOLD)))
    }
}
