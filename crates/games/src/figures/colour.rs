//! The five colours, and sets of bank stones: there is one stone of each colour.

use std::fmt;

use rand::{Rng, RngExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A colour of markers and of a bank stone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// `r`
    Red,
    /// `y`
    Yellow,
    /// `g`
    Green,
    /// `b`
    Blue,
    /// `n`
    Brown,
}

impl Colour {
    /// How many colours there are.
    pub const COUNT: usize = 5;
    /// All colours, in the order of the start layout.
    pub const ALL: [Self; Self::COUNT] = [Self::Red, Self::Yellow, Self::Green, Self::Blue, Self::Brown];

    /// The letter in action texts and layouts.
    pub const fn letter(self) -> char {
        match self {
            Self::Red => 'r',
            Self::Yellow => 'y',
            Self::Green => 'g',
            Self::Blue => 'b',
            Self::Brown => 'n',
        }
    }

    /// The colour with this letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|colour| colour.letter() == letter)
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Red => "red",
            Self::Yellow => "yellow",
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Brown => "brown",
        })
    }
}

/// For each set of stones its colours in order; the rest of a line is not used.
static IN_ORDER: [[Colour; Colour::COUNT]; 1 << Colour::COUNT] = {
    let mut table = [[Colour::Red; Colour::COUNT]; 1 << Colour::COUNT];
    let mut set = 0;
    while set < table.len() {
        let (mut colour, mut number) = (0, 0);
        while colour < Colour::COUNT {
            if set >> colour & 1 == 1 {
                table[set][number] = Colour::ALL[colour];
                number += 1;
            }
            colour += 1;
        }
        set += 1;
    }
    table
};

/// Some of the five bank stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Stones(u8);

impl Stones {
    pub(super) const NONE: Self = Self(0);
    pub(super) const ALL: Self = Self((1 << Colour::COUNT) - 1);

    #[inline]
    pub(super) const fn of(colour: Colour) -> Self {
        Self(1 << colour as u8)
    }

    #[inline]
    pub(super) const fn contains(self, colour: Colour) -> bool {
        self.0 >> colour as u8 & 1 == 1
    }

    #[inline]
    #[must_use]
    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    #[must_use]
    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[inline]
    pub(super) const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The colours of two stones.
    #[inline]
    pub(super) const fn pair(self) -> (Colour, Colour) {
        (Colour::ALL[self.0.trailing_zeros() as usize], Colour::ALL[self.0.ilog2() as usize])
    }

    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = Colour> {
        Colour::ALL.into_iter().filter(move |&colour| self.contains(colour))
    }

    /// A random stone, each with the same chance. Looked up: a loop whose length is drawn at random is what a processor
    /// cannot foresee.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub(super) fn any<R: Rng + ?Sized>(self, rng: &mut R) -> Colour {
        IN_ORDER[self.0 as usize][rng.random_range(0..self.count()) as usize]
    }

    /// For hashing.
    #[inline]
    pub(super) const fn bits(self) -> u8 {
        self.0
    }
}
