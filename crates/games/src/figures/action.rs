//! The actions and their texts: `+r`, `a1c3`, `-r`.

use std::{cmp::Ordering, fmt, str::FromStr};

use quincunx_core::SquareReason;

use super::{board::Square, colour::Colour, refusal::Refusal};

/// One step of a game of Figures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Take a stone from the bank: `+r`.
    Take(Colour),
    /// Exchange the markers on two squares, the lower square first: `a1c3`.
    Exchange(Square, Square),
    /// Return a stone to the bank: `-r`.
    Return(Colour),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Take(colour) => write!(f, "+{}", colour.letter()),
            Self::Exchange(low, high) => write!(f, "{low}{high}"),
            Self::Return(colour) => write!(f, "-{}", colour.letter()),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        if let Some(stone) = text.strip_prefix('+') {
            return read_stone(stone).map(Self::Take).ok_or(Refusal::TakeForm);
        }
        if let Some(stone) = text.strip_prefix('-') {
            return read_stone(stone).map(Self::Return).ok_or(Refusal::ReturnForm);
        }
        let (low, rest) = Square::read(text).map_err(|why| Refusal::Form { why: why.into() })?;
        let high: Square = rest.parse().map_err(|why: SquareReason| Refusal::ExchangeForm { why: why.into() })?;
        match low.cmp(&high) {
            Ordering::Less => Ok(Self::Exchange(low, high)),
            Ordering::Equal => Err(Refusal::OneSquare),
            Ordering::Greater => Err(Refusal::LowerFirst { low: high, high: low }),
        }
    }
}

fn read_stone(text: &str) -> Option<Colour> {
    let mut letters = text.chars();
    let colour = Colour::from_letter(letters.next()?)?;
    letters.next().is_none().then_some(colour)
}
