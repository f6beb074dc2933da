//! The boards: each draws one game, and turns keys and clicks into the words of an action.
//!
//! A board knows no rules. It gets a [`Moment`] with what is seen and what may be done, in words, and lets the player point
//! at it.

mod canvas;
mod castle_builders;
mod figures;
mod grid;
mod mod_x;
mod plain;
mod round;
#[cfg(test)]
mod tests;
mod trexo;
mod x_marks_the_spot;

use std::fmt::Debug;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::app::Key;
use crate::look::Look;
use crate::moment::Moment;

/// A game as it is drawn and played.
///
/// On every board Tab goes to the next thing that may be chosen, and Enter chooses it: so that each game can be played to its
/// end with these two keys.
pub trait Board: Debug {
    /// A new moment. An error says why it cannot be drawn, such as a view from a server that is newer than this program.
    fn show(&mut self, moment: &Moment) -> Result<(), String>;

    /// Draws the board; it remembers where, for clicks.
    fn draw(&mut self, area: Rect, buffer: &mut Buffer, look: Look);

    /// What lies beside the board: supplies, hands, and what else does not stand on it.
    fn panel(&self, look: Look) -> Vec<Line<'static>>;

    /// What Enter would do now, or why nothing can be done where the cursor is.
    fn status(&self) -> String;

    fn key(&mut self, key: KeyEvent) -> Did;

    fn mouse(&mut self, mouse: MouseEvent) -> Did;

    /// The keys of this board, besides those that all have.
    fn keys(&self) -> &'static [Key];

    /// What the seats are called in this game, such as the colour of their pieces.
    fn seat_name(&self, _seat: u8) -> Option<String> {
        None
    }

    /// A mark in the style of a seat's pieces.
    fn seat_mark(&self, _seat: u8, _look: Look) -> Option<ratatui::text::Span<'static>> {
        None
    }
}

/// What came of a key or a click.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Did {
    /// It meant nothing to the board.
    Nothing,
    /// The cursor or what was chosen is another one now.
    Changed,
    /// The player does this.
    Act(String),
}

/// The board of a game. One that has none of its own is shown as text.
pub fn of_game(game: &str) -> Box<dyn Board> {
    match game {
        "figures" => Box::new(figures::FiguresBoard::default()),
        "mod-x" => Box::new(mod_x::ModXBoard::default()),
        "castle-builders" => Box::new(castle_builders::CastleBuildersBoard::default()),
        "x-marks-the-spot" => Box::new(x_marks_the_spot::ChartBoard::default()),
        "trexo" => Box::new(trexo::TrexoBoard::default()),
        _ => Box::new(plain::PlainBoard::default()),
    }
}
