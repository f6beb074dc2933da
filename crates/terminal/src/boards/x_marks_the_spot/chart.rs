//! The sea chart: a window on squares without end, that follows the play, and the cards that are seen through it.

use std::collections::HashMap;

use quincunx_games::x_marks_the_spot::{CardView, Direction, HalfView, Square, View};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};

use super::plan::Held;
use super::words::{icon_style, is_at};
use crate::boards::canvas::Canvas;
use crate::look::{Colours, Hue, Look};

/// Columns at the left for the numbers of the rows; those of the columns take a line below.
const NUMBERS: u16 = 4;

/// Sizes of a square, the largest first.
const SIZES: [(i32, i32); 3] = [(6, 3), (4, 2), (3, 1)];

/// Which squares are seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Camera {
    /// Where the squares lie on the screen.
    inside: Rect,
    zoom: Option<usize>,
    /// How many columns and rows of squares are seen.
    seen: (i32, i32),
    /// The square in the upper left corner.
    corner: Square,
    /// Whether the play has gone on since somebody looked around.
    follows: bool,
}

/// The squares from one corner to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Extent {
    left: i32,
    right: i32,
    bottom: i32,
    top: i32,
}

impl Extent {
    fn of(squares: impl Iterator<Item = Square>) -> Option<Self> {
        squares.map(|Square { x, y }| Self { left: x, right: x, bottom: y, top: y }).reduce(|one, other| Self {
            left: one.left.min(other.left),
            right: one.right.max(other.right),
            bottom: one.bottom.min(other.bottom),
            top: one.top.max(other.top),
        })
    }

    /// With the squares around it.
    fn wider(self) -> Self {
        Self {
            left: self.left.saturating_sub(1),
            right: self.right.saturating_add(1),
            bottom: self.bottom.saturating_sub(1),
            top: self.top.saturating_add(1),
        }
    }
}

impl Default for Camera {
    fn default() -> Self {
        Self { inside: Rect::default(), zoom: None, seen: (0, 0), corner: Square { x: 0, y: 0 }, follows: true }
    }
}

/// The first of `seen` numbers in a row such that those from `low` to `high` are among them, as near as possible to where it
/// was. Where there are too many, the first ones are.
fn slide(first: i32, seen: i32, low: i32, high: i32) -> i32 {
    let least = high.saturating_sub(seen - 1).min(low);
    first.clamp(least, low)
}

fn middle(low: i32, high: i32) -> i32 {
    i32::midpoint(low, high)
}

impl Camera {
    fn size(&self) -> (i32, i32) {
        let fitting = if self.inside.width >= 60 { 0 } else { 1 };
        SIZES[self.zoom.unwrap_or(fitting).min(SIZES.len() - 1)]
    }

    /// The next size of the squares.
    pub fn zoom(&mut self) {
        let now = SIZES.iter().position(|&size| size == self.size()).unwrap_or(0);
        self.zoom = Some((now + 1) % SIZES.len());
    }

    /// The play goes on: it is to be in sight.
    pub fn follow(&mut self) {
        self.follows = true;
    }

    /// Looks elsewhere.
    pub fn look(&mut self, right: i32, up: i32) {
        let Square { x, y } = self.corner;
        self.corner = Square { x: x.saturating_add(right), y: y.saturating_add(up) };
        self.follows = false;
    }

    /// Looks at this part of the screen from now on. While it follows the play, all cards are in sight if they can be, and
    /// in any case the squares that it is about; those that matter most come last.
    pub fn settle(&mut self, area: Rect, view: &View, about: &[&[Square]]) {
        let inside = squares_area(area);
        self.inside = inside;
        let (width, height) = self.size();
        let seen = ((i32::from(inside.width) / width).max(1), (i32::from(inside.height) / height).max(1));
        let resized = seen != self.seen;
        self.seen = seen;
        let halves = view.chart.iter().flat_map(|card| card.halves);
        let all = Extent::of(halves.map(|half| Square { x: half.x, y: half.y }).chain([Square { x: 0, y: 0 }]));
        let Some(all) = all.map(Extent::wider) else { return };
        if resized {
            self.corner = Square {
                x: middle(all.left, all.right).saturating_sub(seen.0 / 2),
                y: middle(all.bottom, all.top).saturating_add(seen.1 / 2),
            };
        }
        if !(self.follows || resized) {
            return;
        }
        if i64::from(all.right) - i64::from(all.left) < i64::from(seen.0) {
            self.show_columns(all);
        }
        if i64::from(all.top) - i64::from(all.bottom) < i64::from(seen.1) {
            self.show_rows(all);
        }
        for extent in about.iter().filter_map(|squares| Extent::of(squares.iter().copied())) {
            self.show_columns(extent.wider());
            self.show_rows(extent.wider());
        }
    }

    fn show_columns(&mut self, Extent { left, right, .. }: Extent) {
        self.corner.x = slide(self.corner.x, self.seen.0, left, right);
    }

    fn show_rows(&mut self, Extent { bottom, top, .. }: Extent) {
        // Rows are counted upwards, and the corner is the upper one.
        self.corner.y =
            slide(self.corner.y.saturating_neg(), self.seen.1, top.saturating_neg(), bottom.saturating_neg())
                .saturating_neg();
    }

    /// The square at a point of the screen.
    pub fn at(&self, x: u16, y: u16) -> Option<Square> {
        let (width, height) = self.size();
        let inside = self.inside.contains(Position::new(x, y));
        let (column, row) = (i32::from(x) - i32::from(self.inside.x), i32::from(y) - i32::from(self.inside.y));
        let (column, row) = (column.div_euclid(width), row.div_euclid(height));
        let seen = inside && column < self.seen.0 && row < self.seen.1;
        seen.then(|| Square { x: self.corner.x.saturating_add(column), y: self.corner.y.saturating_sub(row) })
    }

    /// How far the chart was dragged, in squares to the right and up.
    pub fn dragged(&self, from: (u16, u16), to: (u16, u16)) -> (i32, i32) {
        let (width, height) = self.size();
        let far = |from: u16, to: u16, step: i32| (i32::from(to) - i32::from(from)) / step;
        (far(from.0, to.0, width), -far(from.1, to.1, height))
    }

    /// Where a square begins, counted from the first one that is seen.
    fn place(&self, Square { x, y }: Square) -> Option<(i32, i32)> {
        let column = x.checked_sub(self.corner.x).filter(|column| (0..self.seen.0).contains(column))?;
        let row = self.corner.y.checked_sub(y).filter(|row| (0..self.seen.1).contains(row))?;
        Some((column * self.size().0, row * self.size().1))
    }
}

/// What a chart is drawn with.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    pub camera: &'a Camera,
    pub view: &'a View,
    pub look: Look,
}

impl Drawing<'_> {
    /// The numbers at the left and below, so that squares can be named.
    pub fn draw_numbers(&self, canvas: &mut Canvas<'_>) {
        let (camera, style) = (self.camera, self.look.hue(Hue::Quiet));
        let (width, height) = camera.size();
        for row in 0..camera.seen.1 {
            let number = format!("{:>3}", camera.corner.y.saturating_sub(row));
            canvas.put(0, row * height + (height - 1) / 2, &number, style);
        }
        for column in 0..camera.seen.0 {
            let number = camera.corner.x.saturating_add(column).to_string();
            let left = i32::from(NUMBERS) + column * width;
            // In narrow columns there is room for every other number.
            if width > 3 || number.ends_with(['0', '2', '4', '6', '8']) {
                canvas.put_centred(left, camera.seen.1 * height, width, &number, style);
            }
        }
    }

    /// The sea and the cards that lie topmost.
    pub fn draw_cards(&self, canvas: &mut Canvas<'_>, fresh: &[Square]) {
        let halves = || self.view.chart.iter().flat_map(|card| card.halves.iter().map(move |half| (half, card)));
        let tops: HashMap<(i32, i32), (&HalfView, &CardView)> =
            halves().filter(|(half, _)| half.top).map(|(half, card)| ((half.x, half.y), (half, card))).collect();
        for row in 0..self.camera.seen.1 {
            for column in 0..self.camera.seen.0 {
                let Square { x, y } = self.camera.corner;
                let square = Square { x: x.saturating_add(column), y: y.saturating_sub(row) };
                match tops.get(&(square.x, square.y)) {
                    Some((half, card)) => self.draw_half(canvas, square, half, card, fresh.contains(&square)),
                    None => self.draw_mark(canvas, square, self.look.text("·", "."), self.look.hue(Hue::Quiet)),
                }
            }
        }
    }

    /// One sign in the middle of a square.
    pub fn draw_mark(&self, canvas: &mut Canvas<'_>, square: Square, mark: &str, style: Style) {
        let Some((x, y)) = self.camera.place(square) else { return };
        let (width, height) = self.camera.size();
        canvas.put(x + (width - 1) / 2, y + (height - 1) / 2, mark, style);
    }

    /// Gives a square another style.
    pub fn paint(&self, canvas: &mut Canvas<'_>, square: Square, style: Style) {
        if let Some(place) = self.camera.place(square) {
            canvas.paint(place, self.camera.size(), style);
        }
    }

    fn draw_half(&self, canvas: &mut Canvas<'_>, square: Square, half: &HalfView, card: &CardView, fresh: bool) {
        let doubloon = self.view.doubloons.iter().find(|doubloon| is_at(square, doubloon.x, doubloon.y));
        let mut style = icon_style(half.icon, self.look);
        if self.look.colours == Colours::All {
            let shade = 30 + 12 * half.level.min(8) as u8;
            style = style.bg(Color::Rgb(shade, shade, shade + 8));
        }
        if doubloon.is_some() {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let level = match half.level {
            0 => String::new(),
            level @ 1..=9 => level.to_string(),
            _ => "+".to_owned(),
        };
        let coin =
            doubloon.map_or_else(String::new, |doubloon| format!("{}{}", self.look.text("●", "$"), doubloon.seat));
        let [first, second] = card.halves;
        let other = if is_at(square, first.x, first.y) { second } else { first };
        let way = Direction::ALL.into_iter().find(|&way| is_at(square.step(way), other.x, other.y));
        let edges = Edges { way, whole: other.top };
        self.draw_domino(canvas, square, edges, style);
        let letter = if fresh { style.patch(self.look.last()) } else { style.add_modifier(Modifier::BOLD) };
        self.write(canvas, square, (&format!("{}{level}", half.icon.letter()), letter), (&coin, style));
    }

    /// The letter of an icon with its level, and a doubloon.
    fn write(
        &self,
        canvas: &mut Canvas<'_>,
        square: Square,
        (letter, bold): (&str, Style),
        (coin, style): (&str, Style),
    ) {
        let Some((x, y)) = self.camera.place(square) else { return };
        let (width, height) = self.camera.size();
        let (left, middle) = (x + (width - 1) / 2, y + (height - 1) / 2);
        canvas.put(left, middle, letter, bold);
        match height {
            1 if !coin.is_empty() => canvas.put(x, middle, self.look.text("●", "$"), style),
            1 => {}
            2 => canvas.put(left, middle + 1, coin, style),
            _ => canvas.put_centred(x + 1, y + 2, width - 2, coin, style),
        }
    }

    /// One half of a card: with an edge around it where there is room, open towards the other half; else joined to it.
    fn draw_domino(&self, canvas: &mut Canvas<'_>, square: Square, edges: Edges, style: Style) {
        let Some((x, y)) = self.camera.place(square) else { return };
        let (width, height) = self.camera.size();
        let blank = " ".repeat(width as usize);
        (y..y + height).for_each(|line| canvas.put(x, line, &blank, style));
        if height >= 3 {
            self.draw_edges(canvas, (x, y), edges, style);
        } else if edges.whole {
            self.draw_joint(canvas, (x, y), edges.way, style);
        }
    }

    /// The bridge from a half to the other one, as far as it lies on this square.
    fn draw_joint(&self, canvas: &mut Canvas<'_>, (x, y): (i32, i32), way: Option<Direction>, style: Style) {
        let (width, height) = self.camera.size();
        let left = (width - 1) / 2;
        let flat = self.look.text("─", "-");
        match way {
            Some(Direction::East) => (left + 2..width).for_each(|column| canvas.put(x + column, y, flat, style)),
            Some(Direction::West) => (0..left).for_each(|column| canvas.put(x + column, y, flat, style)),
            Some(Direction::South) if height > 1 => canvas.put(x + left, y + 1, self.look.text("│", "|"), style),
            // The half above has drawn it.
            Some(Direction::North) if height > 1 => {}
            Some(Direction::South) => canvas.put(x + width - 1, y, self.look.text("↓", "v"), style),
            Some(Direction::North) => canvas.put(x + width - 1, y, self.look.text("↑", "^"), style),
            None => {}
        }
    }

    fn draw_edges(&self, canvas: &mut Canvas<'_>, (x, y): (i32, i32), Edges { way, whole }: Edges, style: Style) {
        let (width, height) = self.camera.size();
        let (right, bottom) = (x + width - 1, y + height - 1);
        let open = |side: Direction| way == Some(side) && whole;
        // Where the other half is covered, the edge shows that the card goes on below.
        let torn = |side: Direction| way == Some(side) && !whole;
        let flat = |side| if torn(side) { self.look.text("┄", "~") } else { self.look.text("─", "-") };
        let upright = |side| if torn(side) { self.look.text("┆", ":") } else { self.look.text("│", "|") };
        for (side, line) in [(Direction::North, y), (Direction::South, bottom)] {
            if !open(side) {
                (x..=right).for_each(|column| canvas.put(column, line, flat(side), style));
            }
        }
        for (side, column) in [(Direction::West, x), (Direction::East, right)] {
            if !open(side) {
                (y..=bottom).for_each(|line| canvas.put(column, line, upright(side), style));
            }
        }
        let corners = [
            (Direction::West, Direction::North, x, y, "╭"),
            (Direction::East, Direction::North, right, y, "╮"),
            (Direction::West, Direction::South, x, bottom, "╰"),
            (Direction::East, Direction::South, right, bottom, "╯"),
        ];
        for (side, end, column, line, rich) in corners {
            if !open(side) && !open(end) {
                canvas.put(column, line, self.look.text(rich, "+"), style);
            }
        }
    }

    /// A card that is held above the chart.
    pub fn draw_held(&self, canvas: &mut Canvas<'_>, held: Held, style: Style) {
        let Some(icons) = held.card.icons() else { return };
        let ways = [held.direction, held.direction.opposite()];
        for ((square, icon), way) in held.squares().into_iter().zip(icons).zip(ways) {
            self.draw_domino(canvas, square, Edges { way: Some(way), whole: true }, style);
            self.write(canvas, square, (&icon.letter().to_string(), style), ("", style));
        }
    }
}

/// Where the other half of a card lies, and whether it is seen.
#[derive(Clone, Copy, Debug)]
struct Edges {
    way: Option<Direction>,
    whole: bool,
}

/// The part of a chart's area in which the squares lie.
pub fn squares_area(area: Rect) -> Rect {
    let left = NUMBERS.min(area.width);
    Rect { x: area.x + left, width: area.width - left, height: area.height.saturating_sub(1), ..area }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_slides_no_further_than_it_must() {
        assert_eq!(slide(0, 10, 2, 8), 0, "all is seen already");
        assert_eq!(slide(0, 10, 5, 12), 3);
        assert_eq!(slide(0, 10, -4, 1), -4);
        assert_eq!(slide(0, 3, 5, 12), 5, "the first ones, where not all can be seen");
        assert_eq!(slide(i32::MAX, 3, i32::MIN, i32::MIN + 1), i32::MIN);
    }
}
