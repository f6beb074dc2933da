//! Why an action or a castle of Castle Builders is refused.

use quincunx_core::{Reasons, Seat};
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;

use super::{action::Tower, counters::Kind};

#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Refusal {
    #[error(
        "an action is a counter and mostly a tower, such as O3, C3, Bv3, Bh3, R3 or K3; R or K if all towers are empty; \
         S; or a draw such as +O"
    )]
    Form,
    #[error("there is no {kind} counter ({letter}) in your hand")]
    NotInHand { kind: Kind, letter: char },
    #[error("there is no {kind} counter ({letter}) in the pile of seat {seat}")]
    NotInPile { kind: Kind, letter: char, seat: Seat },
    #[error("tower {tower}: the castle has towers 1 to {towers}")]
    NoSuchTower { tower: Tower, towers: u8 },
    #[error("tower {tower}: the castle has only tower 1")]
    OnlyOneTower { tower: Tower },
    #[error("tower {tower} is full")]
    TowerFull { tower: Tower },
    #[error("tower {tower} is empty")]
    TowerEmpty { tower: Tower },
    #[error("a counter must be removed, such as {example}")]
    MustRemove { example: String },
    #[error("it is your turn to play a counter; draws are made by chance")]
    PlayCounter,
    #[error("seat {seat} draws a counter first, such as +O")]
    DrawFirst { seat: Seat },
    #[error("a castle has 1 to {most} towers, not {towers}")]
    Towers { most: usize, towers: usize },
    #[error("there are {roofs} roofs for {towers} towers: give each tower one")]
    Roofs { roofs: usize, towers: usize },
    #[error("there are {rows} rows, but the tallest tower has {tallest} spaces")]
    Rows { rows: usize, tallest: usize },
    #[error("at least one counter must be for building: O, C or B")]
    NothingToBuild,
}

impl Reasons for Refusal {
    const AREA: &'static str = "castle-builders";
}
