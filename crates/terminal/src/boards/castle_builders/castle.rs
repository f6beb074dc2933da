//! Where the castle stands on the screen, and how it is drawn: towers under their roofs, rows with their values at the left,
//! and who would get the points at the ends of both.

use quincunx_games::castle_builders::{Arrows, AwardView, CounterView, TowerView, View};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use crate::boards::canvas::Canvas;
use crate::look::{Colours, Hue, Look};

/// Columns for the values of the rows, and for who would get them.
const LEFT: i32 = 4;
const RIGHT: i32 = 7;
/// Lines below the towers: who would get the roof's points, and the number.
const BELOW: i32 = 2;

/// How large a tower is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Size {
    /// From a tower to the next one.
    pitch: i32,
    /// The width of the tower itself.
    width: i32,
    /// From a space to the one above it, with the wall between them.
    storey: i32,
}

/// The largest first.
const SIZES: [Size; 7] = [
    Size { pitch: 13, width: 12, storey: 4 },
    Size { pitch: 11, width: 10, storey: 3 },
    Size { pitch: 9, width: 8, storey: 3 },
    Size { pitch: 9, width: 8, storey: 2 },
    Size { pitch: 7, width: 6, storey: 2 },
    Size { pitch: 7, width: 6, storey: 1 },
    Size { pitch: 4, width: 4, storey: 1 },
];

/// Where the towers stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    size: Size,
    towers: usize,
    /// Where the first tower begins, and the line of the walls on which all towers stand.
    left: i32,
    ground: i32,
    /// The lines that the whole castle takes.
    pub height: i32,
}

impl Size {
    const fn has_walls(self) -> bool {
        self.storey > 1
    }

    /// The lines of a roof, which is two columns wider with each line.
    const fn roof(self) -> i32 {
        if self.has_walls() { self.width / 2 } else { 1 }
    }

    fn castle(self, towers: usize, rows: usize) -> (i32, i32) {
        (LEFT + towers as i32 * self.pitch + RIGHT, self.roof() + rows as i32 * self.storey + BELOW)
    }
}

impl Layout {
    /// The largest castle that fits into so many columns and lines, in the middle of the columns.
    pub fn fit(view: &View, width: i32, height: i32) -> Self {
        let (towers, rows) = (view.towers.len(), view.rows.len());
        let fits = |size: &&Size| size.castle(towers, rows).0 <= width && size.castle(towers, rows).1 <= height;
        let size = SIZES.iter().find(fits).or(SIZES.last()).copied().unwrap_or_default();
        let whole = size.castle(towers, rows);
        let left = ((width - whole.0) / 2).max(0) + LEFT;
        Self { size, towers, left, ground: whole.1 - BELOW - 1, height: whole.1 }
    }

    fn x(&self, tower: usize) -> i32 {
        self.left + tower as i32 * self.size.pitch
    }

    /// The upper line of a space, above the wall that it stands on.
    fn y(&self, row: usize) -> i32 {
        self.ground + 1 - (row as i32 + 1) * self.size.storey
    }

    /// The lines of a space without walls.
    fn lines(&self) -> i32 {
        (self.size.storey - 1).max(1)
    }

    /// The middle line of a space.
    fn middle(&self, row: usize) -> i32 {
        self.y(row) + (self.lines() - 1) / 2
    }

    /// Everything of a tower from the sky to its number.
    pub fn tower(&self, canvas: &Canvas<'_>, tower: usize) -> Rect {
        canvas.rect((self.x(tower), 0), (self.size.width, self.height))
    }

    /// A space without the walls around it.
    fn space(&self, tower: usize, row: usize) -> ((i32, i32), (i32, i32)) {
        let wall = i32::from(self.size.has_walls());
        ((self.x(tower) + wall, self.y(row)), (self.size.width - 2 * wall, self.lines()))
    }

    pub fn draw_towers(&self, canvas: &mut Canvas<'_>, view: &View, look: Look) {
        for (index, tower) in view.towers.iter().enumerate() {
            self.draw_walls(canvas, index, tower.spaces.len(), look);
            self.draw_roof(canvas, index, tower, look);
            for (row, counter) in tower.spaces.iter().enumerate() {
                match counter {
                    Some(counter) => self.draw_counter(canvas, (index, row), counter, stone(counter.seat, look), look),
                    None => self.draw_mark(canvas, (index, row), look.text("·", "."), look.hue(Hue::Quiet)),
                }
            }
            let award = award_text(&tower.award, self.size.width, look);
            let style = award_style(&tower.award, look);
            canvas.put_centred(self.x(index), self.ground + 1, self.size.width, &award, style);
        }
        for (index, row) in view.rows.iter().enumerate() {
            let y = self.middle(index);
            canvas.put(self.left - LEFT, y, &format!("{:>3}", row.value), look.hue(Hue::Quiet));
            let right = self.left + self.towers as i32 * self.size.pitch;
            canvas.put(right + 1, y, &award_text(&row.award, RIGHT, look), award_style(&row.award, look));
        }
    }

    fn draw_walls(&self, canvas: &mut Canvas<'_>, tower: usize, spaces: usize, look: Look) {
        if !self.size.has_walls() {
            return;
        }
        let (x, right, style) = (self.x(tower), self.x(tower) + self.size.width - 1, look.hue(Hue::Quiet));
        let floor = look.text("─", "-").repeat((self.size.width - 2).max(0) as usize);
        let wall = look.text("│", "|");
        for row in 0..spaces {
            let y = self.y(row);
            for line in y..y + self.lines() {
                canvas.put(x, line, wall, style);
                canvas.put(right, line, wall, style);
            }
            let (left_end, right_end) = match row {
                0 => (look.text("└", "+"), look.text("┘", "+")),
                _ => (look.text("├", "+"), look.text("┤", "+")),
            };
            canvas.put(x, y + self.lines(), &format!("{left_end}{floor}{right_end}"), style);
        }
    }

    fn draw_roof(&self, canvas: &mut Canvas<'_>, tower: usize, about: &TowerView, look: Look) {
        let (x, lines, style) = (self.x(tower), self.size.roof(), award_style(&about.award, look));
        let top = self.y(about.spaces.len().saturating_sub(1)) - lines;
        let with_value = lines / 2;
        for line in 0..lines {
            let inside = if lines == 1 { 2 } else { 2 * line };
            let text = match line {
                _ if line == with_value => format!("{:^width$}", format!("{:>2}", about.roof), width = inside as usize),
                _ if line + 1 == lines => look.text("─", "-").repeat(inside as usize),
                _ => " ".repeat(inside as usize),
            };
            let roof = format!("{}{text}{}", look.text("╱", "/"), look.text("╲", "\\"));
            canvas.put_centred(x, top + line, self.size.width, &roof, style);
        }
    }

    /// A counter with its letters, and the arrows of a bonus counter as long as there is room.
    pub fn draw_counter(
        &self,
        canvas: &mut Canvas<'_>,
        (tower, row): (usize, usize),
        counter: &CounterView,
        style: Style,
        look: Look,
    ) {
        let ((x, y), (width, lines)) = self.space(tower, row);
        for line in y..y + lines {
            canvas.put(x, line, &" ".repeat(width.max(0) as usize), style);
        }
        let middle = self.middle(row);
        let letters = format!("{}{}", initial(counter.seat), counter.kind);
        let text_at = x + (width - 2) / 2;
        canvas.put(text_at, middle, &letters, style);
        match counter.arrows {
            Some(Arrows::Vertical) if lines >= 3 => {
                canvas.put_centred(x, y, width, look.text("▲▲", "^^"), style);
                canvas.put_centred(x, y + lines - 1, width, look.text("▼▼", "vv"), style);
            }
            Some(Arrows::Horizontal) if lines >= 3 => {
                canvas.put(x + 1, middle, look.text("◄─", "<-"), style);
                canvas.put(x + width - 3, middle, look.text("─►", "->"), style);
            }
            Some(Arrows::Vertical) => canvas.put(text_at + 2, middle, look.text("↕", "|"), style),
            Some(Arrows::Horizontal) => canvas.put(text_at + 2, middle, look.text("↔", "-"), style),
            None => {}
        }
    }

    /// One sign in the middle of a space.
    pub fn draw_mark(&self, canvas: &mut Canvas<'_>, (tower, row): (usize, usize), mark: &str, style: Style) {
        let ((x, _), (width, _)) = self.space(tower, row);
        canvas.put_centred(x, self.middle(row), width, mark, style);
    }

    /// Gives a whole space another style.
    pub fn paint_space(&self, canvas: &mut Canvas<'_>, (tower, row): (usize, usize), style: Style) {
        let (at, size) = self.space(tower, row);
        canvas.paint(at, size, style);
    }

    pub fn draw_number(&self, canvas: &mut Canvas<'_>, tower: usize, number: u8, style: Style) {
        canvas.put_centred(self.x(tower), self.ground + 2, self.size.width, &format!(" {number} "), style);
    }
}

pub const fn hue(seat: u8) -> Hue {
    if seat == 0 { Hue::Yellow } else { Hue::Green }
}

pub const fn initial(seat: u8) -> char {
    if seat == 0 { 'Y' } else { 'G' }
}

/// A block of stone in the colour of a player.
pub fn stone(seat: u8, look: Look) -> Style {
    match look.colours {
        Colours::None => Style::new().add_modifier(Modifier::BOLD),
        Colours::Sixteen | Colours::All => Style { bg: look.hue(hue(seat)).fg, ..Style::new() }.fg(Color::Black),
    }
}

/// Who gets how much: `Y14`, and with enough room whether it was doubled.
fn award_text(award: &AwardView, width: i32, look: Look) -> String {
    match award.seat {
        Some(seat) if award.doubled && width > 5 => {
            format!("{}{}{}2", initial(seat), award.points, look.text("×", "x"))
        }
        Some(seat) => format!("{}{}", initial(seat), award.points),
        None => look.text("–", "-").to_owned(),
    }
}

fn award_style(award: &AwardView, look: Look) -> Style {
    award.seat.map_or(look.hue(Hue::Quiet), |seat| look.hue(hue(seat)))
}
