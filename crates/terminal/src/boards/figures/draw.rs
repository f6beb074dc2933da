//! How the table of Figures is drawn: the display, the stones beside it, and the point board below.

use quincunx_games::figures::{Colour, Figure, SideView, View};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

use super::{FiguresBoard, SIZE, letter};
use crate::boards::grid::{Grid, Square, centre, squares};
use crate::look::{Colours, Hue, Look};

/// Sizes of a square, the largest first; each has a gap of one column.
const SIZES: [(u16, u16); 4] = [(10, 5), (6, 3), (4, 2), (4, 1)];

/// The columns beside the display, for bank and hands, with the gap before them.
const BESIDE: u16 = 13;

/// From this height on there is room between the lines of the point board.
const AIRY: u16 = 36;

/// What a figure in a colour brings: the first time, the second, the third, and from then on.
const STEPS: [u8; 4] = [5, 3, 2, 1];

/// Where things lie, for clicks.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) display: Grid,
    /// The stones among which the viewer chooses.
    pub(super) stones: Vec<(Rect, Colour)>,
}

impl Places {
    pub(super) fn stone_at(&self, point: Position) -> Option<Colour> {
        self.stones.iter().find(|(place, _)| place.contains(point)).map(|&(_, colour)| colour)
    }
}

/// How a marker or a stone lies there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rim {
    Plain,
    /// It belongs to a figure.
    Figure,
    /// It was picked for an exchange.
    Picked,
}

/// A marker or a stone as it is drawn.
#[derive(Clone, Copy, Debug)]
struct Disc {
    colour: Colour,
    rim: Rim,
    /// Whether it may be chosen.
    target: bool,
    /// Whether it has moved last.
    moved: bool,
    /// Whether the cursor is there.
    here: bool,
}

impl FiguresBoard {
    pub(super) fn draw_on(&mut self, area: Rect, buffer: &mut Buffer, look: Look) {
        let airy = area.height >= AIRY;
        let below = 1 + STEPS.len() as u16 * if airy { 2 } else { 1 };
        let (width, height) = (area.width.saturating_sub(BESIDE), area.height.saturating_sub(below));
        self.places.display = Grid::fit(Rect { width, height, ..area }, SIZE, SIZE, &SIZES);
        let inside = self.places.display.inside;
        let beside = Rect::new(inside.right() + 2, inside.y, BESIDE - 2, inside.height + 1).intersection(area);
        let points = Rect::new(area.x, area.bottom().saturating_sub(below), area.width, below).intersection(area);
        let Some(view) = &self.view else { return };
        self.draw_display(view, buffer, look);
        draw_points(view, points, airy, buffer, look);
        self.places.stones = self.draw_stones(view, beside, buffer, look);
    }

    fn draw_display(&self, view: &View, buffer: &mut Buffer, look: Look) {
        self.places.display.draw_labels(buffer, look.hue(Hue::Quiet));
        for (square, here) in squares(SIZE).zip(&view.squares) {
            let place = self.places.display.place(square);
            let disc = self.disc(view, square, here.marker);
            // The last column is the gap.
            disc.draw(Rect { width: place.width.saturating_sub(1), ..place }, buffer, look);
        }
    }

    fn disc(&self, view: &View, square: Square, colour: Colour) -> Disc {
        let name = square.to_string();
        let rim = if self.exchanges() && self.picked == Some(square) {
            Rim::Picked
        } else if view.figures.iter().any(|figure| figure.squares.contains(&name)) {
            Rim::Figure
        } else {
            Rim::Plain
        };
        Disc {
            colour,
            rim,
            target: self.is_target(square),
            moved: self.moved.contains(&square),
            here: self.exchanges() && self.cursor == square,
        }
    }

    /// The bank, each colour always at its own place, and the hands of both sides. Gives where those lie that may be chosen.
    fn draw_stones(&self, view: &View, area: Rect, buffer: &mut Buffer, look: Look) -> Vec<(Rect, Colour)> {
        let mut rack = Rack::new(area, view.sides.len());
        let mut chosen = Vec::new();
        let title = |ours: bool| if ours { look.title() } else { look.hue(Hue::Quiet) };
        let sign = self.pile().map(|pile| pile.sign);
        let takes = sign == Some('+');
        rack.write("bank", title(takes), buffer);
        for colour in Colour::ALL {
            let place = rack.place(0);
            if view.bank.contains(&colour) {
                self.stone(colour, takes).draw(place, buffer, look);
                chosen.extend(takes.then_some((place, colour)));
            } else {
                draw_gap(place, buffer, look);
            }
            rack.y += rack.size.1;
        }
        for side in &view.sides {
            let returns = sign == Some('-') && view.turn.is_some_and(|seat| side.seats.contains(&seat));
            rack.y += 1;
            rack.write(&hand_title(side), title(returns), buffer);
            for (number, &colour) in (0..2).zip(&side.stones) {
                let place = rack.place(number);
                self.stone(colour, returns).draw(place, buffer, look);
                chosen.extend(returns.then_some((place, colour)));
            }
            rack.y += rack.size.1;
        }
        chosen
    }

    fn stone(&self, colour: Colour, in_pile: bool) -> Disc {
        let offered = self.pile().is_some_and(|pile| self.is_offered(&pile.text(colour)));
        Disc {
            colour,
            rim: Rim::Plain,
            target: in_pile && offered,
            moved: false,
            here: in_pile && self.stone == colour,
        }
    }
}

/// The room for stones, filled from above.
#[derive(Clone, Copy, Debug)]
struct Rack {
    area: Rect,
    y: u16,
    /// Width and height of a stone.
    size: (u16, u16),
}

impl Rack {
    /// With stones as large as there is room for.
    fn new(area: Rect, hands: usize) -> Self {
        let hands = hands as u16;
        // The titles, the stones of the bank below each other, and a gap before each hand.
        let rows = |stone: u16| 1 + Colour::COUNT as u16 * stone + hands * (2 + stone);
        let size = if area.height >= rows(3) { (5, 3) } else { (3, 1) };
        Self { area, y: area.y, size }
    }

    fn write(&mut self, text: &str, style: Style, buffer: &mut Buffer) {
        if self.y < self.area.bottom() {
            buffer.set_stringn(self.area.x, self.y, text, usize::from(self.area.width), style);
        }
        self.y += 1;
    }

    /// Where the stone with this number lies in a row, as far as there is room.
    fn place(&self, number: u16) -> Rect {
        let (width, height) = self.size;
        Rect::new(self.area.x + number * (width + 1), self.y, width, height).intersection(self.area)
    }
}

fn hand_title(side: &SideView) -> String {
    let holds = if side.seats.len() > 1 { "hold" } else { "holds" };
    format!("{} {holds}", FiguresBoard::side_name(side))
}

/// The place of a stone that is not in the bank.
fn draw_gap(place: Rect, buffer: &mut Buffer, look: Look) {
    if !place.is_empty() {
        let (x, y) = centre(place);
        buffer.set_stringn(x, y, look.text("·", "."), 1, look.hue(Hue::Quiet));
    }
}

impl Disc {
    fn style(self, look: Look) -> Style {
        let mut style = paint(self.colour, look).add_modifier(Modifier::BOLD);
        if let Some(Color::Rgb(red, green, blue)) = style.fg {
            // A tinge of its colour within the rim.
            style = style.bg(Color::Rgb(red / 6 + 12, green / 6 + 12, blue / 6 + 12));
        }
        if self.here { style.patch(look.cursor()) } else { style }
    }

    /// The signs at both sides of the letter.
    const fn signs(self, look: Look, framed: bool) -> [&'static str; 2] {
        match (self.target, self.rim) {
            (true, _) => [look.text("›", ">"), look.text("‹", "<")],
            _ if framed => [" ", " "],
            (false, Rim::Plain) => ["(", ")"],
            (false, Rim::Figure) => ["=", "="],
            (false, Rim::Picked) => ["[", "]"],
        }
    }

    /// A letter with a rim around it; where there is no room, between two signs.
    fn draw(self, place: Rect, buffer: &mut Buffer, look: Look) {
        if place.is_empty() {
            return;
        }
        let style = self.style(look);
        let framed = place.width >= 5 && place.height >= 3;
        if framed {
            self.draw_rim(place, style, buffer, look);
        }
        let (x, y) = centre(place);
        let [left, right] = self.signs(look, framed);
        if place.width >= 3 {
            buffer.set_stringn(x - 1, y, left, 1, style);
            buffer.set_stringn(x + 1, y, right, 1, style);
        }
        let style = if self.moved { style.patch(look.last()) } else { style };
        buffer.set_stringn(x, y, self.colour.letter().to_string(), 1, style);
    }

    fn draw_rim(self, place: Rect, style: Style, buffer: &mut Buffer, look: Look) {
        let lines = match (self.rim, look.ascii) {
            (Rim::Plain, false) => ["╭─╮", "│ │", "╰─╯"],
            (Rim::Figure, false) => ["╔═╗", "║ ║", "╚═╝"],
            (Rim::Picked, false) => ["┏━┓", "┃ ┃", "┗━┛"],
            (Rim::Plain, true) => [".-.", "| |", "'-'"],
            (Rim::Figure, true) => ["*=*", "| |", "*=*"],
            (Rim::Picked, true) => ["###", "# #", "###"],
        };
        for row in 0..place.height {
            let line = lines[if row == 0 {
                0
            } else if row + 1 < place.height {
                1
            } else {
                2
            }];
            let mut parts = line.chars();
            let [left, middle, right] = [(); 3].map(|()| parts.next().unwrap_or(' '));
            let middle = middle.to_string().repeat(usize::from(place.width - 2));
            buffer.set_string(place.x, place.y + row, format!("{left}{middle}{right}"), style);
        }
    }
}

/// The point board: for each figure, which colours are still worth how much.
fn draw_points(view: &View, area: Rect, airy: bool, buffer: &mut Buffer, look: Look) {
    const LABEL: u16 = 7;
    let width = (area.width.saturating_sub(LABEL) / Figure::COUNT as u16).min(if airy { 14 } else { 9 });
    let left = area.x + area.width.saturating_sub(LABEL + width * Figure::COUNT as u16) / 2;
    let mut write = |x: u16, y: u16, text: &str, room: u16, style: Style| {
        if y < area.bottom() && x < area.right() {
            buffer.set_stringn(x, y, text, usize::from(room.min(area.right() - x)), style);
        }
    };
    write(left, area.y, "worth", LABEL, look.hue(Hue::Quiet));
    for (column, figure) in (0_u16..).zip(Figure::ALL) {
        write(left + LABEL + column * width, area.y, &figure.to_string(), width, look.hue(Hue::Quiet));
    }
    let step = if airy { 2 } else { 1 };
    for (row, value) in (0_u16..).zip(STEPS) {
        let y = area.y + 1 + row * step;
        write(left, y, &format!("{value:>5}"), LABEL, Style::new().add_modifier(Modifier::BOLD));
        for field in &view.values {
            let column = Figure::ALL.iter().position(|&figure| figure == field.figure).unwrap_or(0) as u16;
            let place = Colour::ALL.iter().position(|&colour| colour == field.colour).unwrap_or(0) as u16;
            let x = left + LABEL + column * width + place * step;
            if field.value == value {
                let style = paint(field.colour, look).add_modifier(Modifier::BOLD);
                write(x, y, &field.colour.letter().to_string(), 1, style);
            } else {
                write(x, y, look.text("·", "."), 1, look.hue(Hue::Quiet));
            }
        }
    }
}

/// A colour on the screen. The sixteen colours of a terminal have no brown; purple stands for it.
const fn paint(colour: Colour, look: Look) -> Style {
    match (colour, look.colours) {
        (Colour::Brown, Colours::All) => Style::new().fg(Color::Rgb(0xb0, 0x84, 0x60)),
        (Colour::Red, _) => look.hue(Hue::Vermilion),
        (Colour::Yellow, _) => look.hue(Hue::Yellow),
        (Colour::Green, _) => look.hue(Hue::Green),
        (Colour::Blue, _) => look.hue(Hue::Blue),
        (Colour::Brown, _) => look.hue(Hue::Purple),
    }
}

/// A seat's letter, in the style of its side.
pub(super) fn seat_mark(seat: u8, look: Look) -> Span<'static> {
    let style = if seat.is_multiple_of(2) { look.hue(Hue::Accent) } else { Style::new() };
    Span::styled(letter(seat).to_string(), style.add_modifier(Modifier::BOLD))
}
