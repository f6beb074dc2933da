//! The actions and their texts: `+r`, `a1c3`, `-r`.

use std::{cmp::Ordering, fmt, str::FromStr};

use super::{board::Square, colour::Colour};

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
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(stone) = text.strip_prefix('+') {
            return read_stone(stone).map(Self::Take).ok_or_else(|| stone_text("taken", '+'));
        }
        if let Some(stone) = text.strip_prefix('-') {
            return read_stone(stone).map(Self::Return).ok_or_else(|| stone_text("returned", '-'));
        }
        let help = |why| format!("write +r to take a stone, a1c3 to exchange two markers, -r to return a stone; {why}");
        let (low, rest) = Square::read(text).map_err(help)?;
        let high: Square = rest.parse().map_err(|why| format!("an exchange is two squares, such as a1c3; {why}"))?;
        match low.cmp(&high) {
            Ordering::Less => Ok(Self::Exchange(low, high)),
            Ordering::Equal => Err("an exchange is two different squares, such as a1c3".to_owned()),
            Ordering::Greater => Err(format!("the lower square comes first: {high}{low}")),
        }
    }
}

fn read_stone(text: &str) -> Option<Colour> {
    let mut letters = text.chars();
    let colour = Colour::from_letter(letters.next()?)?;
    letters.next().is_none().then_some(colour)
}

fn stone_text(what: &str, sign: char) -> String {
    format!("a stone is {what} by its letter r, y, g, b or n, such as {sign}r")
}
