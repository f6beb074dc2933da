//! Squares in rows and columns with letters and numbers at their edges, as most boards have them.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

/// A square by column from the left and row from the bottom. They lie in order row by row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Square {
    pub row: u8,
    pub col: u8,
}

impl Square {
    pub const fn new(col: u8, row: u8) -> Self {
        Self { row, col }
    }

    /// Reads a square such as `c3` at the beginning of a text, and gives what follows it.
    pub fn read(text: &str) -> Option<(Self, &str)> {
        let col = text.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
        let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
        let row: u8 = text[1..=digits].parse().ok()?;
        Some((Self { col, row: row.checked_sub(1)? }, &text[1 + digits..]))
    }

    /// The square with this name and nothing else.
    pub fn named(text: &str) -> Option<Self> {
        Self::read(text).filter(|(_, rest)| rest.is_empty()).map(|(square, _)| square)
    }
}

impl std::fmt::Display for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.col), self.row + 1)
    }
}

/// All squares of a board with so many columns and rows, in order.
pub fn squares(size: u8) -> impl Iterator<Item = Square> {
    (0..size).flat_map(move |row| (0..size).map(move |col| Square::new(col, row)))
}

/// The middle of a place on the screen; of four points, the upper left one.
pub fn centre(place: Rect) -> (u16, u16) {
    (place.x + place.width.saturating_sub(1) / 2, place.y + place.height.saturating_sub(1) / 2)
}

/// The step that an arrow key asks for: columns to the right, and rows up.
pub const fn arrow(key: KeyCode) -> Option<(i8, i8)> {
    match key {
        KeyCode::Left => Some((-1, 0)),
        KeyCode::Right => Some((1, 0)),
        KeyCode::Up => Some((0, 1)),
        KeyCode::Down => Some((0, -1)),
        _ => None,
    }
}

/// The width of the numbers at the left edge, with the gap behind them.
const NUMBERS: u16 = 3;

/// Where the squares of a board lie on the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// The squares without the letters and numbers.
    pub inside: Rect,
    pub cols: u8,
    pub rows: u8,
    /// Width and height of a square.
    pub cell: (u16, u16),
}

impl Grid {
    /// The largest of these sizes of a square with which the board fits in, in the middle; else the last one, cut off.
    pub fn fit(area: Rect, cols: u8, rows: u8, sizes: &[(u16, u16)]) -> Self {
        let whole = |(width, height): (u16, u16)| (NUMBERS + width * u16::from(cols), 1 + height * u16::from(rows));
        let fits = |&&size: &&(u16, u16)| whole(size).0 <= area.width && whole(size).1 <= area.height;
        let cell = sizes.iter().find(fits).or(sizes.last()).copied().unwrap_or((1, 1));
        let (width, height) = whole(cell);
        let left = area.x + area.width.saturating_sub(width) / 2;
        let top = area.y + area.height.saturating_sub(height) / 2;
        let inside = Rect::new(left + NUMBERS, top, width - NUMBERS, height - 1).intersection(area);
        Self { inside, cols, rows, cell }
    }

    /// Where a square lies. Of one that was cut off, what is left.
    pub fn place(&self, Square { col, row }: Square) -> Rect {
        let (width, height) = self.cell;
        let from_top = u16::from(self.rows.saturating_sub(row + 1));
        let rect = Rect::new(self.inside.x + u16::from(col) * width, self.inside.y + from_top * height, width, height);
        rect.intersection(self.inside)
    }

    /// The square at a point of the screen.
    pub fn at(&self, x: u16, y: u16) -> Option<Square> {
        if !self.inside.contains(Position::new(x, y)) {
            return None;
        }
        let col = (x - self.inside.x) / self.cell.0;
        let from_top = (y - self.inside.y) / self.cell.1;
        let row = u16::from(self.rows).checked_sub(from_top + 1)?;
        (col < u16::from(self.cols)).then(|| Square::new(col as u8, row as u8))
    }

    /// The letters below and the numbers at the left.
    pub fn draw_labels(&self, buffer: &mut Buffer, style: Style) {
        for col in 0..self.cols {
            let place = self.place(Square::new(col, 0));
            let below = Rect::new(place.x, self.inside.bottom(), place.width, 1).intersection(buffer.area);
            if !below.is_empty() {
                buffer.set_stringn(
                    below.x + below.width.saturating_sub(1) / 2,
                    below.y,
                    char::from(b'a' + col).to_string(),
                    1,
                    style,
                );
            }
        }
        for row in 0..self.rows {
            let place = self.place(Square::new(0, row));
            if !place.is_empty() {
                let y = place.y + place.height.saturating_sub(1) / 2;
                buffer.set_stringn(self.inside.x - NUMBERS, y, format!("{:>2}", row + 1), 2, style);
            }
        }
    }

    /// The square one step from another one, unless that is off the board.
    pub fn step(&self, from: Square, (right, up): (i8, i8)) -> Square {
        let col = from.col.saturating_add_signed(right).min(self.cols.saturating_sub(1));
        let row = from.row.saturating_add_signed(up).min(self.rows.saturating_sub(1));
        Square { row, col }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_finds_the_square_that_lies_there() {
        for (area, cell) in [(Rect::new(2, 1, 46, 21), (4, 2)), (Rect::new(0, 0, 84, 37), (6, 3))] {
            let grid = Grid::fit(area, 10, 10, &[(6, 3), (4, 2), (4, 1)]);
            assert_eq!(grid.cell, cell);
            for (col, row) in (0..10).flat_map(|col| (0..10).map(move |row| (col, row))) {
                let square = Square::new(col, row);
                let place = grid.place(square);
                assert_eq!((place.width, place.height), cell);
                assert_eq!(grid.at(place.x, place.y), Some(square));
                assert_eq!(grid.at(place.right() - 1, place.bottom() - 1), Some(square));
            }
            assert_eq!(grid.at(grid.inside.x - 1, grid.inside.y), None);
        }
    }

    #[test]
    fn a_board_that_does_not_fit_is_cut_off_and_not_drawn_outside() {
        let area = Rect::new(0, 0, 20, 5);
        let grid = Grid::fit(area, 10, 10, &[(4, 1)]);
        let mut buffer = Buffer::empty(area);
        grid.draw_labels(&mut buffer, Style::new());
        assert!(grid.place(Square::new(9, 0)).is_empty());
    }

    #[test]
    fn squares_are_written_as_they_are_read() {
        for name in ["a1", "c10", "k11"] {
            assert_eq!(Square::named(name).unwrap().to_string(), name);
        }
        assert_eq!(Square::read("c3d10").map(|(square, rest)| (square.to_string(), rest)), Some(("c3".into(), "d10")));
        for text in ["", "c", "c0", "3c", "C3", "c3x"] {
            assert_eq!(Square::named(text), None, "{text}");
        }
    }
}
