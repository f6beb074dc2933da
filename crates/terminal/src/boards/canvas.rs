//! A part of the screen that can be drawn on without care: what lies outside of it is cut off.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

/// A part of the screen. Places are counted from its upper left corner and may lie anywhere.
#[derive(Debug)]
pub struct Canvas<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
}

impl<'a> Canvas<'a> {
    pub fn new(buffer: &'a mut Buffer, area: Rect) -> Self {
        let area = area.intersection(buffer.area);
        Self { buffer, area }
    }

    /// Writes a text, each character in a column of its own.
    pub fn put(&mut self, x: i32, y: i32, text: &str, style: Style) {
        for (symbol, x) in text.chars().zip(x..) {
            if let Some(cell) = self.point(x, y).and_then(|point| self.buffer.cell_mut(point)) {
                cell.set_char(symbol).set_style(style);
            }
        }
    }

    /// Writes a text into the middle of so many columns.
    pub fn put_centred(&mut self, x: i32, y: i32, width: i32, text: &str, style: Style) {
        let free = width - text.chars().count() as i32;
        self.put(x + free / 2, y, text, style);
    }

    /// Gives everything in a rectangle another style.
    pub fn paint(&mut self, (x, y): (i32, i32), (width, height): (i32, i32), style: Style) {
        for (x, y) in (y..y + height).flat_map(|y| (x..x + width).map(move |x| (x, y))) {
            if let Some(cell) = self.point(x, y).and_then(|point| self.buffer.cell_mut(point)) {
                cell.set_style(style);
            }
        }
    }

    /// Where something lies on the screen, as far as it is not cut off.
    pub fn rect(&self, (x, y): (i32, i32), (width, height): (i32, i32)) -> Rect {
        let clip = |at: i32, most: u16| at.clamp(0, i32::from(most)) as u16;
        let (left, right) = (clip(x, self.area.width), clip(x + width, self.area.width));
        let (top, bottom) = (clip(y, self.area.height), clip(y + height, self.area.height));
        Rect::new(self.area.x + left, self.area.y + top, right - left, bottom - top)
    }

    fn point(&self, x: i32, y: i32) -> Option<Position> {
        let x = u16::try_from(x).ok().filter(|&x| x < self.area.width)?;
        let y = u16::try_from(y).ok().filter(|&y| y < self.area.height)?;
        Some(Position::new(self.area.x + x, self.area.y + y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_outside_is_cut_off() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 2));
        let mut canvas = Canvas::new(&mut buffer, Rect::new(1, 0, 4, 2));
        canvas.put(-1, 0, "abcdefgh", Style::new());
        canvas.put(0, 5, "below", Style::new());
        canvas.put_centred(0, 1, 4, "xy", Style::new());
        canvas.paint((-5, -5), (50, 50), Style::new());
        assert_eq!(canvas.rect((-2, 1), (4, 9)), Rect::new(1, 1, 2, 1));
        assert!(canvas.rect((9, 9), (1, 1)).is_empty());
        assert_eq!(buffer, Buffer::with_lines([" bcde ", "  xy  "]));
    }
}
