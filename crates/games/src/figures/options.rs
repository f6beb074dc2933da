//! What a table agrees on before a game of Figures.

use std::borrow::Cow;

use quincunx_core::Within;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::{
    board::{AREA, SIZE},
    colour::Colour,
    shapes::Families,
};

/// The options of Figures.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Points that win the game.
    pub target: Within<1, 500>,
    /// Turns of all players together after which the game ends.
    pub turn_limit: Within<1, 10_000>,
    /// The start layout: stripes, or 25 colour letters for a1, b1, .. e5, five of each of r y g b n.
    pub layout: Layout,
    /// The shape of the zig-zag.
    pub zigzag: Zigzag,
    /// Whether the two long diagonals count as lines too.
    pub diagonal_lines: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            target: Within::literal(61),
            turn_limit: Within::literal(500),
            layout: Layout::Stripes,
            zigzag: Zigzag::Alternating,
            diagonal_lines: false,
        }
    }
}

/// The shape of the zig-zag.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Zigzag {
    /// Up and down over two adjacent rows or columns: a1 b2 c1 d2 e1.
    Alternating,
    /// A staircase: a1 a2 b2 b3 c3 and its turns.
    Staircase,
}

/// Where the markers stand at the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Layout {
    /// Diagonal stripes: the printed colours of the display, *reconstructed*.
    Stripes,
    /// The colours of a1, b1, .. e5, each five times.
    Given([Colour; AREA]),
}

impl Layout {
    const STRIPES: &str = "stripes";

    /// The colours of a1, b1, .. e5.
    pub(super) fn colours(&self) -> [Colour; AREA] {
        match *self {
            Self::Stripes => std::array::from_fn(|square| {
                let (col, row) = (square % usize::from(SIZE), square / usize::from(SIZE));
                Colour::ALL[(col + row) % Colour::COUNT]
            }),
            Self::Given(colours) => colours,
        }
    }
}

impl TryFrom<String> for Layout {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text == Self::STRIPES {
            return Ok(Self::Stripes);
        }
        let letters = text.chars().count();
        if letters != AREA {
            return Err(format!("a layout is \"stripes\" or {AREA} letters for a1, b1, .. e5, not {letters}"));
        }
        let mut colours = [Colour::Red; AREA];
        for (colour, letter) in colours.iter_mut().zip(text.chars()) {
            *colour =
                Colour::from_letter(letter).ok_or_else(|| format!("{letter:?} is not a colour: they are r y g b n"))?;
        }
        for colour in Colour::ALL {
            let count = colours.iter().filter(|&&here| here == colour).count();
            if count != AREA / Colour::COUNT {
                return Err(format!("a layout has 5 markers of each colour, not {count} of {colour}"));
            }
        }
        Ok(Self::Given(colours))
    }
}

impl From<Layout> for String {
    fn from(layout: Layout) -> Self {
        match layout {
            Layout::Stripes => Layout::STRIPES.to_owned(),
            Layout::Given(colours) => colours.into_iter().map(Colour::letter).collect(),
        }
    }
}

impl JsonSchema for Layout {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Layout".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^(stripes|[rygbn]{25})$" })
    }
}

/// The options that a game keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Settled {
    pub(super) seats: u8,
    pub(super) target: u16,
    pub(super) turn_limit: u16,
    pub(super) families: Families,
}

impl Options {
    pub(super) fn settle(&self, seats: u8) -> Settled {
        let zigzag = match self.zigzag {
            Zigzag::Alternating => Families::ALTERNATING,
            Zigzag::Staircase => Families::STAIRCASE,
        };
        let lines = if self.diagonal_lines { Families::DIAGONAL } else { Families::ALWAYS };
        Settled {
            seats,
            target: self.target.get() as u16,
            turn_limit: self.turn_limit.get() as u16,
            families: Families::ALWAYS.with(zigzag).with(lines),
        }
    }
}

impl Settled {
    /// For hashing.
    pub(super) fn word(self) -> u64 {
        let numbers = u64::from(self.target) | u64::from(self.turn_limit) << 16;
        numbers | u64::from(self.seats) << 32 | u64::from(self.families.bits()) << 40
    }
}
