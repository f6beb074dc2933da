//! Why an action of Figures is refused.

use quincunx_core::{Reason, Reasons};
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use super::{board::Square, colour::Colour};

#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Refusal {
    #[error("write +r to take a stone, a1c3 to exchange two markers, -r to return a stone; {why}")]
    Form { why: Reason },
    #[error("a stone is taken by its letter r, y, g, b or n, such as +r")]
    TakeForm,
    #[error("a stone is returned by its letter r, y, g, b or n, such as -r")]
    ReturnForm,
    #[error("an exchange is two squares, such as a1c3; {why}")]
    ExchangeForm { why: Reason },
    #[error("an exchange is two different squares, such as a1c3")]
    OneSquare,
    #[error("the lower square comes first: {low}{high}")]
    LowerFirst { low: Square, high: Square },
    #[error("an exchange is two different squares, the lower one first, such as a1c3")]
    NotInOrder,
    #[error("first a stone is taken from the bank, such as +r")]
    TakeFirst,
    #[error("two markers are to be exchanged now, such as a1c3")]
    ExchangeNow,
    #[error("a stone is to be returned now, such as -r")]
    ReturnNow,
    #[error("the {colour} stone is already in hand")]
    AlreadyInHand { colour: Colour },
    #[error("the other side holds the {colour} stone")]
    OtherSideHolds { colour: Colour },
    #[error("there is no {colour} stone in hand")]
    NotInHand { colour: Colour },
    #[error("the other stone must be returned: its colour made the figure, not {colour}")]
    ReturnTheOther { colour: Colour },
    #[error("the stones in hand are {one} and {other}, but {low} holds a {here} marker and {high} a {there} one")]
    OtherColours { one: Colour, other: Colour, low: Square, here: Colour, high: Square, there: Colour },
    #[error("the first exchange of the game may not make a figure")]
    FigureAtFirst,
    #[error("the {colour} marker would arrive isolated on {square}, and the {other} ones not be one group")]
    Isolated { colour: Colour, square: Square, other: Colour },
}

impl Reasons for Refusal {
    const AREA: &'static str = "figures";
}
