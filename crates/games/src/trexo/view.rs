//! The table of Trexo as everybody sees it, and its picture in text.

use std::fmt;

use anstyle::{AnsiColor, Style};
use quincunx_core::{Coord, Game, OutcomeJson, Turn, painted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Trexo,
    board::{Symbol, Top},
};

/// What lies on the table. Nothing is hidden in Trexo.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// Side of the board.
    pub size: u8,
    /// What is seen from above: rows from the bottom, in each the squares from the left. `null` is an empty square.
    pub rows: Vec<Vec<Option<SquareView>>>,
    /// Tiles left in the common supply.
    pub tiles_left: u16,
    /// The seat that plays X.
    pub x_seat: u8,
    /// The seat that plays O.
    pub o_seat: u8,
    /// The seat to move, unless the game is over.
    pub to_move: Option<u8>,
    /// Whether the seat to move may say `swap` instead of laying a tile.
    pub may_swap: bool,
    /// The tile laid last.
    pub last: Option<TileView>,
    /// The squares of every line of five or more, at the end of a game that was won.
    pub line: Vec<String>,
    /// Who won and why, when the game is over.
    pub outcome: Option<OutcomeJson>,
}

/// The topmost half on a square.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SquareView {
    /// `X` or `O`.
    pub symbol: char,
    /// How many halves lie on this square.
    pub level: u8,
    /// The square of the same tile's other half.
    pub partner: String,
    /// Whether the other half is seen too, or other tiles have covered it.
    pub whole: bool,
}

/// A tile by its two squares.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TileView {
    /// The square that got X.
    pub x: String,
    /// The square that got O.
    pub o: String,
}

impl View {
    pub(super) fn of(game: &Trexo) -> Self {
        let board = &game.board;
        let size = board.size();
        let square = |top: Top| SquareView {
            symbol: match top.symbol {
                Symbol::X => 'X',
                Symbol::O => 'O',
            },
            level: top.level,
            partner: top.partner.to_string(),
            whole: board.height(top.partner) == top.level,
        };
        let row = |row| (0..size).map(|col| board.top(Coord::new(col, row)).map(square)).collect();
        let has_line = |&symbol: &Symbol| board.has_five(symbol);
        let lines = [Symbol::X, Symbol::O].into_iter().filter(has_line).flat_map(|symbol| board.lines(symbol));
        Self {
            size,
            rows: (0..size).map(row).collect(),
            tiles_left: game.tiles_left,
            x_seat: game.owner(Symbol::X).number(),
            o_seat: game.owner(Symbol::O).number(),
            to_move: match game.turn() {
                Turn::Seat(seat) => Some(seat.number()),
                Turn::Chance | Turn::Over => None,
            },
            may_swap: game.may_swap(),
            last: game.last.map(|(x, o)| TileView { x: x.to_string(), o: o.to_string() }),
            line: lines.map(|square| square.to_string()).collect(),
            outcome: game.outcome().map(Into::into),
        }
    }

    fn at(&self, col: usize, row: usize) -> Option<&SquareView> {
        self.rows[row][col].as_ref()
    }

    fn symbol_of(&self, seat: u8) -> char {
        if seat == self.x_seat { 'X' } else { 'O' }
    }

    fn style(&self, name: &str, square: &SquareView) -> Style {
        let colour = if square.symbol == 'X' { AnsiColor::Red } else { AnsiColor::Cyan };
        let just_laid = self.last.as_ref().is_some_and(|tile| tile.x == name || tile.o == name);
        let style = if just_laid { colour.on_default().bold() } else { colour.on_default() };
        if self.line.iter().any(|square| square == name) { style.invert() } else { style }
    }

    /// A row of the board: symbols with their levels, the halves of a tile joined by `-`.
    fn write_row(&self, f: &mut fmt::Formatter<'_>, row: usize, width: usize) -> fmt::Result {
        write!(f, "{:>2} ", row + 1)?;
        for col in 0..self.size as usize {
            let square = self.at(col, row);
            let text = match square {
                Some(square) => format!("{}{}", square.symbol, square.level),
                None => ".".to_owned(),
            };
            let joined = col + 1 < self.size as usize && joined(square, col + 1, row);
            let gap = if joined { "-" } else { " " }.repeat(width + 1 - text.len());
            match square {
                Some(square) => {
                    let name = Coord::new(col as u8, row as u8).to_string();
                    painted(f, self.style(&name, square), text)?;
                }
                None => painted(f, Style::new().dimmed(), text)?,
            }
            f.write_str(if col + 1 < self.size as usize { &gap } else { "\n" })?;
        }
        Ok(())
    }

    /// The space between two rows: `|` joins the halves of upright tiles.
    fn write_gap(&self, f: &mut fmt::Formatter<'_>, above: usize, width: usize) -> fmt::Result {
        let joined = |col| joined(self.at(col, above), col, above - 1);
        write_cells(f, (0..self.size as usize).map(|col| if joined(col) { '|' } else { ' ' }), width)
    }
}

/// Whether the tile on this square is seen whole and its other half lies at `(col, row)`.
fn joined(square: Option<&SquareView>, col: usize, row: usize) -> bool {
    square.is_some_and(|square| square.whole && square.partner == Coord::new(col as u8, row as u8).to_string())
}

/// A line with one character for each column.
fn write_cells(f: &mut fmt::Formatter<'_>, cells: impl Iterator<Item = char>, width: usize) -> fmt::Result {
    let cells: Vec<String> = cells.map(|cell| format!("{cell:<0$}", width + 1)).collect();
    writeln!(f, "{}", format!("   {}", cells.concat()).trim_end())
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let highest = self.rows.iter().flatten().flatten().map(|square| square.level).max().unwrap_or(0);
        let width = 1 + highest.to_string().len();
        for row in (0..self.size as usize).rev() {
            self.write_row(f, row, width)?;
            if row > 0 {
                self.write_gap(f, row, width)?;
            }
        }
        write_cells(f, (0..self.size).map(|col| (b'a' + col) as char), width)?;

        write!(f, "X: seat {}  O: seat {}  tiles left: {}", self.x_seat, self.o_seat, self.tiles_left)?;
        if let Some(tile) = &self.last {
            write!(f, "  last tile: {}{}", tile.x, tile.o)?;
        }
        writeln!(f)?;
        match (&self.outcome, self.to_move) {
            (Some(outcome), _) => match outcome.winners.as_slice() {
                [] => writeln!(f, "draw: {}", outcome.reason),
                winners => {
                    let seats: Vec<String> =
                        winners.iter().map(|&seat| format!("seat {seat} ({})", self.symbol_of(seat))).collect();
                    writeln!(f, "{} wins: {}", seats.join(", "), outcome.reason)
                }
            },
            (None, Some(seat)) => {
                let swap = if self.may_swap { ", or swap" } else { "" };
                writeln!(f, "seat {seat} ({}) lays a tile{swap}", self.symbol_of(seat))
            }
            (None, None) => Ok(()),
        }
    }
}
