//! What everybody at the table sees, as data and as a text picture. Nothing is hidden in Mod X.

use std::fmt;

use anstyle::{AnsiColor, Style};
use quincunx_core::{Game, OutcomeJson, Seat, Turn, painted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    JOKERS, ModX, Phase,
    board::{SIZE, Square, Squares},
};

/// The table, for drawing it. It does not tell which patterns are complete: with manual claims, seeing them is the
/// players' business.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The 64 squares in the order a1, b1, .. h1, a2, .. h8.
    pub squares: Vec<SquareView>,
    /// The players in turn order.
    pub players: Vec<PlayerView>,
    /// The points that win the game.
    pub target: u8,
    /// Whether complete patterns must be claimed by touching a piece.
    pub manual_claims: bool,
    /// What is to be done next.
    pub phase: PhaseView,
    /// The seat that is to do it; null when the game is over.
    pub turn: Option<u8>,
    /// The seats whose time it is to claim overlooked patterns, whether or not there are any.
    pub may_claim: Vec<u8>,
    /// Jokers still to be put on the board by the seat on turn.
    pub jokers_in_hand: u8,
    /// Jokers neither on the board nor to be put on it: they found no square, or the game was won before.
    pub jokers_out: u8,
    /// How the game ended; null before.
    pub outcome: Option<OutcomeJson>,
}

/// One square of the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SquareView {
    /// Its name, such as c3.
    pub square: String,
    /// The piece on it; null if the square is free.
    pub piece: Option<Piece>,
    /// The colour of the top score marker, which is the one that counts; null without markers.
    pub marker: Option<Colour>,
    /// How many score markers lie on the square.
    pub markers: u8,
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// An X-piece of seat 0.
    Red,
    /// An X-piece of seat 1.
    Black,
    /// An X-piece of seat 2.
    Orange,
    /// An X-piece of seat 3.
    Yellow,
    /// A joker, which counts for every colour.
    Joker,
}

/// The colour of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// Seat 0.
    Red,
    /// Seat 1.
    Black,
    /// Seat 2.
    Orange,
    /// Seat 3.
    Yellow,
}

/// One player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayerView {
    /// The player's seat.
    pub seat: u8,
    /// The colour of the player's X-pieces and score markers.
    pub colour: Colour,
    /// The player's team, 0 or 1; null without teams.
    pub team: Option<u8>,
    /// X-pieces not on the board.
    pub pieces: u8,
    /// Score markers not on the board.
    pub markers: u8,
    /// The player's own points.
    pub points: u8,
    /// The points that count for the target: those of the whole team.
    pub side_points: u8,
}

/// What is to be done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseView {
    /// The jokers are set up.
    SetUp,
    /// An X-piece is to be placed.
    Place,
    /// With manual claims: an X-piece was placed, and its owner claims patterns or says done.
    Claim,
    /// Lifted jokers are to be put back.
    JokersBack,
    /// The game is over.
    Over,
}

impl Colour {
    const ALL: [Self; Seat::MAX as usize] = [Self::Red, Self::Black, Self::Orange, Self::Yellow];

    pub fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Black => "black",
            Self::Orange => "orange",
            Self::Yellow => "yellow",
        }
    }

    /// A small letter, for a score marker.
    pub fn initial(self) -> char {
        match self {
            Self::Red => 'r',
            Self::Black => 'b',
            Self::Orange => 'o',
            Self::Yellow => 'y',
        }
    }

    /// Black would not be seen on a dark terminal, and orange is none of the sixteen colours.
    fn style(self) -> Style {
        match self {
            Self::Red => AnsiColor::Red.on_default(),
            Self::Black => AnsiColor::Blue.on_default(),
            Self::Orange => AnsiColor::Magenta.on_default(),
            Self::Yellow => AnsiColor::Yellow.on_default(),
        }
    }
}

impl Piece {
    const X: [Self; Seat::MAX as usize] = [Self::Red, Self::Black, Self::Orange, Self::Yellow];

    /// The colour of an X-piece; a joker has none.
    pub fn colour(self) -> Option<Colour> {
        match self {
            Self::Red => Some(Colour::Red),
            Self::Black => Some(Colour::Black),
            Self::Orange => Some(Colour::Orange),
            Self::Yellow => Some(Colour::Yellow),
            Self::Joker => None,
        }
    }
}

impl View {
    pub(super) fn of(game: &ModX) -> Self {
        let (phase, jokers_in_hand) = match game.phase {
            Phase::SetUp { left } => (PhaseView::SetUp, left),
            Phase::Place => (PhaseView::Place, 0),
            Phase::Claim => (PhaseView::Claim, 0),
            Phase::JokersBack { left, .. } => (PhaseView::JokersBack, left),
            Phase::Over(_) => (PhaseView::Over, 0),
        };
        let turn = match game.turn() {
            Turn::Seat(seat) => Some(seat.number()),
            Turn::Chance | Turn::Over => None,
        };
        let seats = || Seat::all(game.settled.seats);
        Self {
            squares: Square::all().map(|square| SquareView::of(game, square)).collect(),
            players: seats().map(|seat| PlayerView::of(game, seat)).collect(),
            target: game.settled.target,
            manual_claims: game.settled.manual,
            phase,
            turn,
            may_claim: seats().filter(|&seat| game.may_claim(seat)).map(Seat::number).collect(),
            jokers_in_hand,
            jokers_out: JOKERS - jokers_in_hand - game.jokers.count(),
            outcome: game.outcome().map(Into::into),
        }
    }
}

impl SquareView {
    fn of(game: &ModX, square: Square) -> Self {
        let owner = |boards: [Squares; Seat::MAX as usize]| boards.iter().position(|own| own.contains(square));
        let joker = game.jokers.contains(square).then_some(Piece::Joker);
        Self {
            square: square.to_string(),
            piece: owner(game.pieces).map(|seat| Piece::X[seat]).or(joker),
            marker: owner(game.tops).map(|seat| Colour::ALL[seat]),
            markers: game.heights[square.index()],
        }
    }
}

impl PlayerView {
    fn of(game: &ModX, seat: Seat) -> Self {
        Self {
            seat: seat.number(),
            colour: Colour::ALL[seat.index()],
            team: game.settled.teams.then(|| game.side(seat)),
            pieces: game.supply[seat.index()],
            markers: game.markers[seat.index()],
            points: game.tops[seat.index()].count(),
            side_points: game.points(seat),
        }
    }
}

fn draw_columns(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("  ")?;
    for col in 0..SIZE {
        let gap = if col == 0 { "" } else { "   " };
        write!(f, "{gap} {}", (b'a' + col) as char)?;
    }
    writeln!(f)
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        draw_columns(f)?;
        for (row, squares) in self.squares.chunks(SIZE.into()).enumerate().rev() {
            write!(f, "{} ", row + 1)?;
            for square in squares {
                square.draw(f)?;
            }
            writeln!(f, " {}", row + 1)?;
        }
        draw_columns(f)?;
        writeln!(f, "R B O Y: X-pieces, *: joker, r b o y: top score marker with the height of its stack")?;
        for player in &self.players {
            player.draw(f, self.turn == Some(player.seat), self.target)?;
        }
        self.draw_state(f)
    }
}

impl View {
    fn draw_state(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |seat: u8| self.players[usize::from(seat)].colour.name();
        let who = self.turn.map_or("", name);
        let jokers = self.jokers_in_hand;
        match self.phase {
            PhaseView::SetUp => writeln!(f, "{who} sets up the jokers: {jokers} to go"),
            PhaseView::Place => writeln!(f, "{who} places an X-piece"),
            PhaseView::Claim => writeln!(f, "{who} may touch pieces, then says done"),
            PhaseView::JokersBack => writeln!(f, "{who} puts the lifted jokers back: {jokers} to go"),
            PhaseView::Over => match &self.outcome {
                Some(outcome) if !outcome.winners.is_empty() => {
                    let winners: Vec<_> = outcome.winners.iter().map(|&seat| name(seat)).collect();
                    let win = if winners.len() == 1 { "wins" } else { "win" };
                    writeln!(f, "{} {win}: {}", winners.join(" and "), outcome.reason)
                }
                Some(outcome) => writeln!(f, "a draw: {}", outcome.reason),
                None => Ok(()),
            },
        }
    }
}

impl SquareView {
    fn draw(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.piece {
            None => f.write_str(" .")?,
            Some(piece) => match piece.colour() {
                None => painted(f, Style::new().bold(), " *")?,
                Some(colour) => {
                    let letter = colour.initial().to_ascii_uppercase();
                    painted(f, colour.style().bold(), format_args!(" {letter}"))?;
                }
            },
        }
        match self.marker {
            None => f.write_str("   "),
            Some(colour) => painted(f, colour.style(), format_args!("{}{:<2}", colour.initial(), self.markers)),
        }
    }
}

impl PlayerView {
    fn draw(&self, f: &mut fmt::Formatter<'_>, on_turn: bool, target: u8) -> fmt::Result {
        write!(f, "{} seat {} ", if on_turn { '>' } else { ' ' }, self.seat)?;
        painted(f, self.colour.style(), format_args!("{:<6}", self.colour.name()))?;
        write!(f, " {:>2} points", self.points)?;
        match self.team {
            Some(team) => write!(f, " (team {team}: {} of {target})", self.side_points)?,
            None => write!(f, " of {target}")?,
        }
        writeln!(f, ", {} X-pieces, {} markers", self.pieces, self.markers)
    }
}
