//! What two castle builders agree on before play: the castle and the counters.
//!
//! The pictures of the rulebook are lost. All numbers here are *reconstructed*: those of the castle from the arithmetic of
//! the scoring sample, the split of the 22 counters by us.

use std::fmt;

use quincunx_core::{SetupError, Within};
use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};

use super::{
    counters::{Counts, Kind},
    refusal::Refusal,
};

/// The most towers of a castle.
pub(super) const MOST_TOWERS: usize = 8;
/// The most spaces of a tower, and so the most rows.
pub(super) const MOST_ROWS: usize = 8;

/// The number of spaces of a tower.
pub type Height = Within<1, { MOST_ROWS as u32 }>;
/// What a roof or a row is worth.
pub type Value = Within<0, 99>;
/// The number of counters of one kind and colour.
pub type Number = Within<0, 30>;

/// Options of Castle Builders.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Spaces of each tower, from the left.
    #[schemars(length(min = 1, max = MOST_TOWERS))]
    pub heights: Vec<Height>,
    /// Points for each tower, from the left: as many as there are towers.
    #[schemars(length(min = 1, max = MOST_TOWERS))]
    pub roofs: Vec<Value>,
    /// Points for each row, from the bottom: as many as the tallest tower has spaces.
    #[schemars(length(min = 1, max = MOST_ROWS))]
    pub rows: Vec<Value>,
    /// How many counters of each kind either colour has; at least one of them is for building.
    #[serde(deserialize_with = "by_letters")]
    #[schemars(with = "Counters")]
    pub counters: Counters,
}

/// How many counters of each kind either colour has: all six letters are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counters {
    /// Ordinary counters (building).
    #[serde(rename = "O")]
    pub ordinary: Number,
    /// Continuation counters (building).
    #[serde(rename = "C")]
    pub continuation: Number,
    /// Bonus counters (building).
    #[serde(rename = "B")]
    pub bonus: Number,
    /// Remove counters.
    #[serde(rename = "R")]
    pub remove: Number,
    /// Remove and continue counters.
    #[serde(rename = "K")]
    pub remove_and_continue: Number,
    /// Stop counters.
    #[serde(rename = "S")]
    pub stop: Number,
}

/// Reads the counters out of an object only: by itself, a struct would also be read out of a list of six numbers.
fn by_letters<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Counters, D::Error> {
    struct Object;

    impl<'de> Visitor<'de> for Object {
        type Value = Counters;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object with the numbers of O, C, B, R, K and S")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Counters, A::Error> {
            Counters::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_map(Object)
}

impl Counters {
    pub(super) fn get(self, kind: Kind) -> u32 {
        let number = match kind {
            Kind::Ordinary => self.ordinary,
            Kind::Continuation => self.continuation,
            Kind::Bonus => self.bonus,
            Kind::Remove => self.remove,
            Kind::RemoveAndContinue => self.remove_and_continue,
            Kind::Stop => self.stop,
        };
        number.get()
    }

    pub(super) fn counts(self) -> Counts {
        Counts::from_fn(|kind| self.get(kind))
    }
}

impl Default for Options {
    /// Reconstructed.
    fn default() -> Self {
        Self {
            heights: [3, 4, 5, 5, 4].map(Height::literal).to_vec(),
            roofs: [4, 5, 7, 6, 5].map(Value::literal).to_vec(),
            rows: [7, 6, 5, 4, 3].map(Value::literal).to_vec(),
            counters: Counters {
                ordinary: Number::literal(10),
                continuation: Number::literal(3),
                bonus: Number::literal(3),
                remove: Number::literal(3),
                remove_and_continue: Number::literal(1),
                stop: Number::literal(2),
            },
        }
    }
}

impl Options {
    /// Checks what single values cannot: how long the lists are, and whether anything can be built.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        let towers = self.heights.len();
        if !(1..=MOST_TOWERS).contains(&towers) {
            return Err(SetupError::option("heights", Refusal::Towers { most: MOST_TOWERS, towers }));
        }
        if self.roofs.len() != towers {
            return Err(SetupError::option("roofs", Refusal::Roofs { roofs: self.roofs.len(), towers }));
        }
        let tallest = self.heights.iter().map(|height| height.get() as usize).max().unwrap_or(0);
        if self.rows.len() != tallest {
            return Err(SetupError::option("rows", Refusal::Rows { rows: self.rows.len(), tallest }));
        }
        if Kind::ALL.into_iter().filter(|kind| kind.is_building()).all(|kind| self.counters.get(kind) == 0) {
            return Err(SetupError::option("counters", Refusal::NothingToBuild));
        }
        Ok(())
    }
}
