//! Who acts and who looks: seats, sets of seats, actors, turns and viewers.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::{Reason, TurnReason};

/// A place at the table, numbered from 0 in turn order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Seat(u8);

impl TryFrom<u8> for Seat {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        Self::at_table(number.into(), Self::MAX).ok_or_else(|| format!("there is no seat {number}"))
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        seat.0
    }
}

impl Seat {
    /// The most seats that any game has.
    pub const MAX: u8 = 4;

    /// The seat with this number.
    ///
    /// # Panics
    /// If there is no such seat at any table.
    #[inline]
    pub const fn new(number: u8) -> Self {
        assert!(number < Self::MAX, "a table has at most four seats");
        Self(number)
    }

    /// The seat with this number at a table of `seats`, if there is one.
    pub fn at_table(number: u64, seats: u8) -> Option<Self> {
        (number < u64::from(seats.min(Self::MAX))).then_some(Self(number as u8))
    }

    /// The number, for use as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The next seat clockwise at a table of `seats`.
    #[inline]
    #[must_use]
    pub const fn next(self, seats: u8) -> Self {
        let next = self.0 + 1;
        Self(if next >= seats { 0 } else { next })
    }

    /// All seats of a table, in turn order.
    pub fn all(seats: u8) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..seats.min(Self::MAX)).map(Self)
    }

    /// All seats of a table clockwise, beginning with this one.
    pub fn clockwise(self, seats: u8) -> impl Iterator<Item = Self> + Clone {
        (0..seats).map(move |step| Self((self.0 + step) % seats))
    }
}

impl JsonSchema for Seat {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Seat".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 0, "maximum": Self::MAX - 1 })
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SeatSet(u8);

impl SeatSet {
    pub const EMPTY: Self = Self(0);

    #[must_use]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | 1 << seat.0)
    }

    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::all(Seat::MAX).filter(move |&seat| self.contains(seat))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// Who makes an action: a player, or chance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Actor {
    Seat(Seat),
    Chance,
}

impl Actor {
    /// The seat that acts, unless chance does.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Chance => None,
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "asked for by serde")]
    pub(crate) fn is_chance(&self) -> bool {
        *self == Self::Chance
    }
}

/// Whose action comes next. Other seats may have out-of-turn actions besides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    Seat(Seat),
    Chance,
    Over,
}

impl Turn {
    /// The actor on turn, unless the game is over.
    #[inline]
    pub const fn actor(self) -> Option<Actor> {
        match self {
            Self::Seat(seat) => Some(Actor::Seat(seat)),
            Self::Chance => Some(Actor::Chance),
            Self::Over => None,
        }
    }

    /// Refuses an actor who is not on turn.
    pub fn admit(self, by: Actor) -> Result<(), Reason> {
        match self {
            Self::Over => Err(TurnReason::Over.into()),
            _ if self.actor() == Some(by) => Ok(()),
            Self::Chance => Err(TurnReason::Chance.into()),
            Self::Seat(seat) => Err(TurnReason::Seat { seat }.into()),
        }
    }
}

/// Who looks at a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// A player: sees what this seat may see.
    Seat(Seat),
    /// Somebody who watches: sees what lies open on the table.
    Spectator,
    /// Nobody in particular, on a local session: sees everything.
    Everything,
}

impl Viewer {
    /// Whether this viewer sees what is hidden from all but `seat`.
    #[inline]
    pub fn sees_hand_of(self, seat: Seat) -> bool {
        match self {
            Self::Seat(own) => own == seat,
            Self::Spectator => false,
            Self::Everything => true,
        }
    }
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seat(seat) => write!(f, "seat {seat}"),
            Self::Spectator => f.write_str("a spectator"),
            Self::Everything => f.write_str("everything"),
        }
    }
}
