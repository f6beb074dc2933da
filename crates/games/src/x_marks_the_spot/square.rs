//! The endless grid: squares, directions, and the two forms of an X.

use std::{borrow::Cow, fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{card::deserialize_text, refusal::Refusal};

/// A square of the grid: x to the right, y up.
///
/// Steps wrap around at the ends of the number range. No card ever comes near them, so a square beyond an end is as
/// empty as any other far away.
///
/// ```
/// # use quincunx_games::x_marks_the_spot::Square;
/// assert_eq!("-3,12".parse(), Ok(Square { x: -3, y: 12 }));
/// assert!("-0,12".parse::<Square>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema)]
#[serde(into = "String")]
pub struct Square {
    pub x: i32,
    pub y: i32,
}

impl Square {
    /// Where the first icon of the first card lies.
    pub(super) const ORIGIN: Self = Self { x: 0, y: 0 };

    #[inline]
    pub(super) const fn shifted(self, (dx, dy): (i32, i32)) -> Self {
        Self { x: self.x.wrapping_add(dx), y: self.y.wrapping_add(dy) }
    }

    /// The neighbour in this direction.
    #[inline]
    #[must_use]
    pub const fn step(self, to: Direction) -> Self {
        self.shifted(to.delta())
    }

    /// The order in which squares are called lower: smaller y, then smaller x.
    pub(super) const fn rank(self) -> (i32, i32) {
        (self.y, self.x)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl FromStr for Square {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let whole = |text: &str| text.parse().ok().filter(|number: &i32| number.to_string() == text);
        let square = text.split_once(',').and_then(|(x, y)| Some(Self { x: whole(x)?, y: whole(y)? }));
        square.ok_or(Refusal::SquareForm)
    }
}

impl From<Square> for String {
    fn from(square: Square) -> Self {
        square.to_string()
    }
}

/// Where the second icon of a card lies, seen from the first one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    North,
    East,
    South,
    West,
}

impl Direction {
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    pub const fn letter(self) -> char {
        ['n', 'e', 's', 'w'][self as usize]
    }

    #[inline]
    const fn delta(self) -> (i32, i32) {
        [(0, 1), (1, 0), (0, -1), (-1, 0)][self as usize]
    }

    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) % 4]
    }

    /// Whether the first icon lies on the lower of the two squares: the directions in which a double is written.
    #[inline]
    pub const fn is_up(self) -> bool {
        matches!(self, Self::North | Self::East)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Direction {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let direction = Self::ALL.into_iter().find(|direction| text.chars().eq([direction.letter()]));
        direction.ok_or(Refusal::DirectionForm)
    }
}

impl Serialize for Direction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

impl<'de> Deserialize<'de> for Direction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_text(deserializer)
    }
}

impl JsonSchema for Direction {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Direction".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Self::ALL.map(Self::letter) })
    }
}

/// The two ways to lay an X: a square with its four diagonal or its four orthogonal neighbours.
///
/// ```text
/// X . X      . X .
/// . X .      X X X
/// X . X      . X .
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Form {
    Diagonal,
    Orthogonal,
}

impl Form {
    pub(super) const ALL: [Self; 2] = [Self::Diagonal, Self::Orthogonal];

    /// The four arms, seen from the centre.
    pub(super) const fn arms(self) -> [(i32, i32); 4] {
        match self {
            Self::Diagonal => [(-1, -1), (1, -1), (-1, 1), (1, 1)],
            Self::Orthogonal => [(0, -1), (-1, 0), (1, 0), (0, 1)],
        }
    }
}
