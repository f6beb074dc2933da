//! What each seat could expect in the course of a game, as a line of marks for each seat.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use crate::look::{Hue, Look};

/// The width of the numbers at the left edge, with the line behind them.
const SCALE: u16 = 4;
/// The marks of turning points, and the sign of now.
const BELOW: u16 = 2;

/// What each seat can expect at one moment, from 0 (lost) to 1 (won).
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// After so many actions.
    pub ply: usize,
    pub shares: Vec<f32>,
}

/// A move that changed the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turning {
    pub ply: usize,
    pub is_blunder: bool,
}

/// The course of a game.
#[derive(Clone, Debug)]
pub struct Graph<'a> {
    /// In the order of the game.
    pub points: &'a [Point],
    pub turnings: &'a [Turning],
    /// How many actions the game has, and after how many of them we are.
    pub plies: usize,
    pub now: usize,
    /// A letter for each seat.
    pub marks: &'a [Span<'static>],
}

/// After how many actions a game is at this column.
pub fn ply_at(area: Rect, plies: usize, column: u16) -> usize {
    let last = usize::from(area.width.saturating_sub(SCALE + 1)).max(1);
    let place = usize::from(column.saturating_sub(area.x + SCALE)).min(last);
    (place * plies + last / 2) / last
}

impl Graph<'_> {
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, look: Look) {
        if area.width <= SCALE + 1 || area.height <= BELOW + 1 {
            return;
        }
        let lines = Rect { x: area.x + SCALE, width: area.width - SCALE, height: area.height - BELOW, ..area };
        draw_scale(lines, buffer, look);
        // The first seat lies on top.
        for (seat, mark) in self.marks.iter().enumerate().rev() {
            self.draw_line(seat, mark, lines, buffer, look);
        }
        self.draw_below(Rect { y: lines.bottom(), height: BELOW, ..lines }, buffer, look);
    }

    fn column(&self, ply: usize, area: Rect) -> u16 {
        let last = usize::from(area.width.saturating_sub(1));
        area.x + (ply.min(self.plies) * last / self.plies.max(1)) as u16
    }

    /// What a seat could expect between two moments that somebody has thought about.
    fn share(&self, seat: usize, ply: f32) -> Option<f32> {
        let known = |point: &Point| Some((point.ply as f32, *point.shares.get(seat)?));
        let before = self.points.iter().rev().find(|point| point.ply as f32 <= ply).and_then(known)?;
        let after = self.points.iter().find(|point| point.ply as f32 >= ply).and_then(known)?;
        let length = after.0 - before.0;
        Some(if length > 0.0 { before.1 + (after.1 - before.1) * (ply - before.0) / length } else { before.1 })
    }

    fn draw_line(&self, seat: usize, mark: &Span<'static>, area: Rect, buffer: &mut Buffer, look: Look) {
        let lowest = f32::from(area.height - 1);
        let last = f32::from(area.width.saturating_sub(1).max(1));
        let mut before: Option<u16> = None;
        for x in 0..area.width {
            let ply = f32::from(x) / last * self.plies as f32;
            let Some(share) = self.share(seat, ply) else {
                before = None;
                continue;
            };
            let y = area.y + ((1.0 - share.clamp(0.0, 1.0)) * lowest).round() as u16;
            // A jump is a line, or nobody would see where it went.
            let jump = before.map_or(y..y, |before| if before < y { before + 1..y } else { y + 1..before });
            for between in jump {
                buffer.set_string(area.x + x, between, look.text("│", "|"), mark.style.remove_modifier(Modifier::BOLD));
            }
            buffer.set_string(area.x + x, y, mark.content.as_ref(), mark.style);
            before = Some(y);
        }
    }

    fn draw_below(&self, area: Rect, buffer: &mut Buffer, look: Look) {
        let rule = look.text("─", "-").repeat(usize::from(area.width));
        buffer.set_string(area.x, area.y, rule, look.hue(Hue::Quiet));
        for turning in self.turnings {
            let (letter, style) = if turning.is_blunder { ("B", look.hue(Hue::Warning)) } else { ("m", Style::new()) };
            let x = self.column(turning.ply, area);
            // Where both fall on the same place, the blunder is what matters.
            if turning.is_blunder || buffer.cell((x, area.y)).is_some_and(|cell| cell.symbol() != "B") {
                buffer.set_string(x, area.y, letter, style.add_modifier(Modifier::BOLD));
            }
        }
        let text = look.text("▲", "^");
        buffer.set_string(self.column(self.now, area), area.y + 1, text, look.title());
    }
}

/// Won, even and lost.
fn draw_scale(area: Rect, buffer: &mut Buffer, look: Look) {
    let quiet = look.hue(Hue::Quiet);
    let middle = area.y + (area.height - 1) / 2;
    for y in area.y..area.bottom() {
        let number = match y {
            y if y == area.y => "100",
            y if y == area.bottom() - 1 => "  0",
            y if y == middle => " 50",
            _ => "   ",
        };
        buffer.set_string(area.x - SCALE, y, number, quiet);
        buffer.set_string(area.x - 1, y, look.text("│", "|"), quiet);
    }
    buffer.set_string(area.x, middle, look.text("·", ".").repeat(usize::from(area.width)), quiet);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(graph: &Graph<'_>, width: u16, height: u16, look: Look) -> Vec<String> {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        graph.draw(area, &mut buffer, look);
        let rows = buffer.content().chunks(usize::from(width.max(1)));
        rows.map(|cells| cells.iter().map(ratatui::buffer::Cell::symbol).collect::<String>().trim_end().to_owned())
            .collect()
    }

    fn point(ply: usize, first: f32) -> Point {
        Point { ply, shares: vec![first, 1.0 - first] }
    }

    #[test]
    fn the_lines_of_two_seats_go_apart() {
        let points = [point(0, 0.5), point(4, 0.5), point(6, 1.0), point(8, 1.0)];
        let turnings = [
            Turning { ply: 5, is_blunder: true },
            Turning { ply: 5, is_blunder: false },
            Turning { ply: 2, is_blunder: false },
        ];
        let marks = ["X".into(), "O".into()];
        let graph = Graph { points: &points, turnings: &turnings, plies: 10, now: 6, marks: &marks };
        let drawn = picture(&graph, 15, 7, Look::BARE);
        assert_eq!(
            drawn,
            [
                "100|      XXX",
                "   |     X",
                " 50|XXXXX......",
                "   |     O",
                "  0|      OOO",
                "    --m--B-----",
                "          ^"
            ]
        );
    }

    #[test]
    fn a_jump_is_drawn_as_a_line() {
        let points = [point(0, 0.0), point(9, 0.0), point(10, 1.0)];
        let marks = ["0".into()];
        let graph = Graph { points: &points, turnings: &[], plies: 10, now: 0, marks: &marks };
        let drawn = picture(&graph, 10, 7, Look::BARE);
        assert_eq!(drawn[..5], ["100|     0", "   |     |", " 50|.....|", "   |     |", "  0|00000"]);
    }

    #[test]
    fn every_column_leads_to_its_moment() {
        let area = Rect::new(3, 0, 15, 7);
        assert_eq!(ply_at(area, 20, 0), 0);
        assert_eq!(
            (7..18).map(|column| ply_at(area, 20, column)).collect::<Vec<_>>(),
            (0..=20).step_by(2).collect::<Vec<_>>()
        );
        assert_eq!((ply_at(area, 20, 500), ply_at(Rect::default(), 20, 9), ply_at(area, 0, 9)), (20, 20, 0));
    }

    #[test]
    fn no_size_and_no_number_breaks_it() {
        let points = [point(0, f32::NAN), point(0, 7.0), point(500, -1.0)];
        let marks = ["0".into(), "1".into(), "2".into()];
        for (width, height) in (0..12).flat_map(|width| (0..9).map(move |height| (width, height))) {
            let turnings = [Turning { ply: 900, is_blunder: true }];
            let graph = Graph { points: &points, turnings: &turnings, plies: 3, now: 77, marks: &marks };
            picture(&graph, width, height, Look::FULL);
        }
    }
}
