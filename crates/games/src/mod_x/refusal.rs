//! Why an action of Mod X is refused.

use quincunx_core::{Reason, Reasons, Seat};
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use super::board::Square;

#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Refusal {
    #[error("write c3 for an X-piece, *c3 for a joker, !c3 to touch a piece, or done to end a turn; {why}")]
    Form { why: Reason },
    #[error("a joker is put down as in *c3; {why}")]
    JokerForm { why: Reason },
    #[error("a piece is touched as in !c3; {why}")]
    TouchForm { why: Reason },
    #[error("first the jokers are set up, such as *c3")]
    JokersFirst,
    #[error("first the lifted jokers are put back, such as *c3")]
    JokersBackFirst,
    #[error("there is no joker in hand")]
    NoJokerInHand,
    #[error("first an X-piece is placed, such as c3")]
    PieceFirst,
    #[error("the piece of this turn is placed: touch one or say done")]
    PiecePlaced,
    #[error("a turn ends by itself at this table")]
    TurnEndsByItself,
    #[error("patterns are scored without a claim at this table")]
    ScoredWithoutClaim,
    #[error("square {square} is taken")]
    SquareTaken { square: Square },
    #[error("square {square} is next to a joker")]
    NextToJoker { square: Square },
    #[error("a joker on {square} would complete a pattern")]
    JokerCompletes { square: Square },
    #[error("there is no piece on {square} to touch")]
    NoPiece { square: Square },
    #[error("the piece on {square} is in no complete pattern")]
    NoPattern { square: Square },
    #[error("there is no seat {seat} at this table")]
    NoSeat { seat: Seat },
    #[error("seat {seat} has just said done: the others may claim now")]
    SaidDone { seat: Seat },
    #[error("two teams need 4 seats, not {seats}")]
    Teams { seats: u8 },
}

impl Reasons for Refusal {
    const AREA: &'static str = "mod-x";
}
