//! The table of Castle Builders as one viewer sees it.

use std::fmt;

use quincunx_core::{Game, OutcomeJson, Seat, Turn, Viewer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Building, CastleBuilders, GREEN, Kind, YELLOW,
    castle::{Award, Placed},
    counters::Counts,
};

/// What lies on the table, and the hand of the viewer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The towers from the left.
    pub towers: Vec<TowerView>,
    /// The rows from the bottom.
    pub rows: Vec<RowView>,
    /// Yellow (seat 0) and green (seat 1).
    pub players: Vec<PlayerView>,
    /// The seat that has to play a counter.
    pub to_move: Option<u8>,
    /// The seat that draws a counter, at a chance turn.
    pub drawing: Option<u8>,
    /// Who won and why, when the game is over.
    pub outcome: Option<OutcomeJson>,
}

/// A tower and whose it is at present.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TowerView {
    /// The number in action texts, from 1 at the left.
    pub number: u8,
    /// The points on the roof.
    pub roof: u8,
    /// All spaces from the bottom; `null` is a free one.
    pub spaces: Vec<Option<CounterView>>,
    /// Who would get the points now.
    pub award: AwardView,
}

/// A row and whose it is at present.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RowView {
    /// From 1 at the bottom.
    pub number: u8,
    /// The points at the beginning of the row.
    pub value: u8,
    /// The number of spaces in the row.
    pub spaces: u8,
    /// The number of counters of each seat in the row.
    pub counters: [u8; 2],
    /// Who would get the points now.
    pub award: AwardView,
}

/// Who gets the points of a tower or row if the game ends now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AwardView {
    /// The seat that gets them; `null` is nobody.
    pub seat: Option<u8>,
    /// Whether a bonus counter doubles them.
    pub doubled: bool,
    /// How many it gets, already doubled.
    pub points: i32,
}

/// A counter in a tower.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CounterView {
    /// Whose it is.
    pub seat: u8,
    /// `O`, `C` or `B`.
    pub kind: char,
    /// Which way the arrows of a bonus counter point.
    pub arrows: Option<Arrows>,
}

/// Which way the arrows of a bonus counter point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Arrows {
    /// For the tower.
    Vertical,
    /// For the row.
    Horizontal,
}

/// The colour of a player's counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    Yellow,
    Green,
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Yellow => "yellow",
            Self::Green => "green",
        })
    }
}

/// A player with his counters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayerView {
    pub seat: u8,
    pub colour: Colour,
    /// What this player would get if the game ended now.
    pub score: i32,
    /// The number of counters in hand.
    pub hand_size: u8,
    /// The kinds in hand, if this viewer sees them.
    pub hand: Option<Vec<char>>,
    /// The number of counters in the draw pile.
    pub pile_size: u8,
    /// Counters of this colour that lie face up in the discard pile.
    pub discard: CountsView,
    /// Counters of this colour in hand and draw pile together: what has not been seen in the castle or the discard pile.
    pub unseen: CountsView,
}

/// How many counters of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub struct CountsView {
    /// Ordinary counters.
    pub o: u8,
    /// Continuation counters.
    pub c: u8,
    /// Bonus counters.
    pub b: u8,
    /// Remove counters.
    pub r: u8,
    /// Remove and continue counters.
    pub k: u8,
    /// Stop counters.
    pub s: u8,
}

impl From<Counts> for CountsView {
    fn from(counts: Counts) -> Self {
        let of = |kind| counts.get(kind) as u8;
        Self {
            o: of(Kind::Ordinary),
            c: of(Kind::Continuation),
            b: of(Kind::Bonus),
            r: of(Kind::Remove),
            k: of(Kind::RemoveAndContinue),
            s: of(Kind::Stop),
        }
    }
}

impl From<Award> for AwardView {
    fn from(award: Award) -> Self {
        Self { seat: award.owner.map(Seat::number), doubled: award.doubled, points: award.points }
    }
}

impl From<Placed> for CounterView {
    fn from(placed: Placed) -> Self {
        let arrows = match placed.counter {
            Building::BonusVertical => Some(Arrows::Vertical),
            Building::BonusHorizontal => Some(Arrows::Horizontal),
            Building::Ordinary | Building::Continuation => None,
        };
        Self { seat: placed.owner.number(), kind: placed.counter.kind().letter(), arrows }
    }
}

impl View {
    pub(super) fn of(game: &CastleBuilders, viewer: Viewer) -> Self {
        let castle = &game.castle;
        let towers = castle.towers().map(|tower| TowerView {
            number: tower.index() as u8 + 1,
            roof: castle.roof(tower),
            spaces: (0..castle.height(tower)).map(|row| castle.placed(tower, row).map(Into::into)).collect(),
            award: castle.tower_award(tower).into(),
        });
        let rows = castle.rows().map(|row| RowView {
            number: row as u8 + 1,
            value: castle.row_value(row),
            spaces: castle.towers().filter(|&tower| castle.height(tower) > row).count() as u8,
            counters: [YELLOW, GREEN].map(|seat| castle.in_row(row, seat) as u8),
            award: castle.row_award(row).into(),
        });
        Self {
            towers: towers.collect(),
            rows: rows.collect(),
            players: Seat::all(2).map(|seat| player(game, seat, viewer)).collect(),
            to_move: match game.turn() {
                Turn::Seat(seat) => Some(seat.number()),
                Turn::Chance | Turn::Over => None,
            },
            drawing: game.drawer().map(Seat::number),
            outcome: game.outcome().map(Into::into),
        }
    }
}

fn player(game: &CastleBuilders, seat: Seat, viewer: Viewer) -> PlayerView {
    let (hand, pile) = (game.hands[seat.index()], game.piles[seat.index()]);
    let letters = |kind: Kind| std::iter::repeat_n(kind.letter(), hand.get(kind) as usize);
    PlayerView {
        seat: seat.number(),
        colour: if seat == YELLOW { Colour::Yellow } else { Colour::Green },
        score: game.score(seat),
        hand_size: hand.total() as u8,
        hand: viewer.sees_hand_of(seat).then(|| hand.kinds().flat_map(letters).collect()),
        pile_size: pile.total() as u8,
        discard: game.discards[seat.index()].into(),
        unseen: hand.plus(pile).into(),
    }
}
