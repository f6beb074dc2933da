//! What everybody at the table sees, as data and as a text picture. Nothing is hidden in Figures.

use std::fmt;

use anstyle::{AnsiColor, Style};
use quincunx_core::{Game, OutcomeJson, Seat, Turn, painted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Figures, Phase, SIDES,
    board::{SIZE, Square},
    colour::{Colour, Stones},
    shapes::{self, Figure},
};

/// The table, for drawing it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The 25 squares of the display in the order a1, b1, .. e1, a2, .. e5.
    pub squares: Vec<SquareView>,
    /// The stones in the bank.
    pub bank: Vec<Colour>,
    /// The two sides: seats 0 and 2 against seats 1 and 3.
    pub sides: Vec<SideView>,
    /// The players in turn order.
    pub players: Vec<PlayerView>,
    /// The point board: what each figure in each colour is worth to the next who makes it.
    pub values: Vec<ValueView>,
    /// The figures that stand on the display now.
    pub figures: Vec<FigureView>,
    /// The points that win the game.
    pub target: u16,
    /// Whole turns made so far, by all players together.
    pub turns: u16,
    /// The number of turns after which the game ends.
    pub turn_limit: u16,
    /// Whether the next exchange is the first of the game, which may not make a figure.
    pub first_exchange: bool,
    /// What is to be done next.
    pub phase: PhaseView,
    /// The seat that is to do it; null when the game is over.
    pub turn: Option<u8>,
    /// The stones of which one is to be returned now; empty at other times.
    pub returnable: Vec<Colour>,
    /// How the game ended; null before.
    pub outcome: Option<OutcomeJson>,
}

/// One square of the display.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SquareView {
    /// Its name, such as c3.
    pub square: String,
    /// The colour of the marker on it.
    pub marker: Colour,
}

/// One side: a player, or two partners.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SideView {
    /// The seats of the side.
    pub seats: Vec<u8>,
    /// The stones that the side holds.
    pub stones: Vec<Colour>,
    /// The points of the side together.
    pub points: u16,
}

/// One player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayerView {
    /// The player's seat.
    pub seat: u8,
    /// The player's side, 0 or 1.
    pub side: u8,
    /// The player's own points.
    pub points: u16,
}

/// One field of the point board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ValueView {
    /// The figure.
    pub figure: Figure,
    /// Its colour.
    pub colour: Colour,
    /// The points it brings now: 5, 3, 2 or 1.
    pub value: u8,
}

/// A figure on the display.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FigureView {
    /// The figure.
    pub figure: Figure,
    /// Its colour.
    pub colour: Colour,
    /// Its squares.
    pub squares: Vec<String>,
}

/// What is to be done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseView {
    /// A stone is to be taken from the bank.
    Take,
    /// Two markers are to be exchanged.
    Exchange,
    /// A stone is to be returned.
    Return,
    /// The game is over.
    Over,
}

impl View {
    pub(super) fn of(game: &Figures) -> Self {
        let (phase, returnable) = match game.phase {
            Phase::Take => (PhaseView::Take, Stones::NONE),
            Phase::Exchange(_) => (PhaseView::Exchange, Stones::NONE),
            Phase::Return { allowed } => (PhaseView::Return, allowed),
            Phase::Over(_) => (PhaseView::Over, Stones::NONE),
        };
        let turn = match game.turn() {
            Turn::Seat(seat) => Some(seat.number()),
            Turn::Chance | Turn::Over => None,
        };
        let seats = || Seat::all(game.settled.seats);
        let side = |side: usize| SideView {
            seats: seats().filter(|&seat| super::side_of(seat) == side).map(Seat::number).collect(),
            stones: game.hands[side].iter().collect(),
            points: game.side_points(side),
        };
        let player =
            |seat: Seat| PlayerView { seat: seat.number(), side: game.side(seat), points: game.points[seat.index()] };
        let value = |figure, colour| ValueView { figure, colour, value: game.point_board.value(figure, colour) };
        Self {
            squares: Square::all()
                .map(|square| SquareView { square: square.to_string(), marker: game.colour_of(square) })
                .collect(),
            bank: game.bank().iter().collect(),
            sides: (0..SIDES).map(side).collect(),
            players: seats().map(player).collect(),
            values: Figure::ALL
                .into_iter()
                .flat_map(|figure| Colour::ALL.into_iter().map(move |colour| value(figure, colour)))
                .collect(),
            figures: Colour::ALL.into_iter().filter_map(|colour| FigureView::of(game, colour)).collect(),
            target: game.settled.target,
            turns: game.turns,
            turn_limit: game.settled.turn_limit,
            first_exchange: !game.exchanged,
            phase,
            turn,
            returnable: returnable.iter().collect(),
            outcome: game.outcome().map(Into::into),
        }
    }
}

impl FigureView {
    fn of(game: &Figures, colour: Colour) -> Option<Self> {
        let markers = game.markers[colour as usize];
        let figure = shapes::figure(markers, game.settled.families)?;
        Some(Self { figure, colour, squares: markers.iter().map(|square| square.to_string()).collect() })
    }
}

/// Brown is none of the sixteen colours of a terminal; magenta stands for it.
fn style(colour: Colour) -> Style {
    match colour {
        Colour::Red => AnsiColor::Red,
        Colour::Yellow => AnsiColor::Yellow,
        Colour::Green => AnsiColor::Green,
        Colour::Blue => AnsiColor::Blue,
        Colour::Brown => AnsiColor::Magenta,
    }
    .on_default()
    .bold()
}

fn draw_stones(f: &mut fmt::Formatter<'_>, stones: &[Colour]) -> fmt::Result {
    for &colour in stones {
        f.write_str(" ")?;
        painted(f, style(colour), colour.letter())?;
    }
    if stones.is_empty() { f.write_str(" none") } else { Ok(()) }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.draw_display(f)?;
        f.write_str("bank:")?;
        draw_stones(f, &self.bank)?;
        writeln!(f)?;
        for side in &self.sides {
            let on_turn = self.turn.is_some_and(|seat| side.seats.contains(&seat));
            self.draw_side(f, side, on_turn)?;
        }
        self.draw_state(f)
    }
}

impl View {
    /// The display, and the point board beside it.
    fn draw_display(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  a b c d e      worth now   r y g b n")?;
        for (row, squares) in self.squares.chunks(SIZE.into()).enumerate().rev() {
            write!(f, "{}", row + 1)?;
            for square in squares {
                f.write_str(" ")?;
                painted(f, style(square.marker), square.marker.letter())?;
            }
            write!(f, " {}", row + 1)?;
            let line = self.squares.len() / usize::from(SIZE) - 1 - row;
            if let Some(values) = self.values.chunks(Colour::COUNT).nth(line) {
                write!(f, "    {:<11}", values[0].figure)?;
                for field in values {
                    write!(f, " {}", field.value)?;
                }
            }
            writeln!(f)?;
        }
        writeln!(f, "  a b c d e")
    }

    fn draw_side(&self, f: &mut fmt::Formatter<'_>, side: &SideView, on_turn: bool) -> fmt::Result {
        let seats: Vec<_> = side.seats.iter().map(ToString::to_string).collect();
        let (mark, plural) = (if on_turn { '>' } else { ' ' }, if seats.len() > 1 { "s" } else { "" });
        write!(f, "{mark} seat{plural} {}: {} of {} points, stones:", seats.join(" and "), side.points, self.target)?;
        draw_stones(f, &side.stones)?;
        writeln!(f)
    }

    fn draw_state(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(seat) = self.turn {
            write!(f, "turn {} of {}: seat {seat} ", self.turns + 1, self.turn_limit)?;
        }
        match self.phase {
            PhaseView::Take => writeln!(f, "takes a stone"),
            PhaseView::Exchange => writeln!(f, "exchanges two markers"),
            PhaseView::Return => {
                f.write_str("returns a stone:")?;
                draw_stones(f, &self.returnable)?;
                writeln!(f)
            }
            PhaseView::Over => match &self.outcome {
                Some(outcome) if !outcome.winners.is_empty() => {
                    let winners: Vec<_> = outcome.winners.iter().map(ToString::to_string).collect();
                    let (plural, win) = if winners.len() == 1 { ("", "wins") } else { ("s", "win") };
                    writeln!(f, "seat{plural} {} {win}: {}", winners.join(" and "), outcome.reason)
                }
                Some(outcome) => writeln!(f, "a draw: {}", outcome.reason),
                None => Ok(()),
            },
        }
    }
}
