//! What a table can agree on before play.

use std::{borrow::Cow, fmt};

use quincunx_core::{SetupError, Within};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{
    card::{Card, Cards, KINDS, RECONSTRUCTED_COPIES},
    refusal::Refusal,
};

/// The most copies of one card.
const MOST_COPIES: u32 = 40;

/// What a table can agree on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The whole deck: how many copies there are of each card. A card that is not named has none. At least four cards
    /// for each player and ten more.
    pub deck: Deck,
    /// The game ends after this many turns of all players together; most doubloons win.
    pub turn_limit: Within<1, 10_000>,
    /// How many doubloons each player has, and must lay to win.
    pub doubloons: Within<1, 9>,
}

impl Default for Options {
    fn default() -> Self {
        Self { deck: Deck::default(), turn_limit: Within::literal(200), doubloons: Within::literal(3) }
    }
}

/// How many copies a deck has of each card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deck([u8; KINDS]);

impl Default for Deck {
    fn default() -> Self {
        Self(RECONSTRUCTED_COPIES)
    }
}

impl Deck {
    /// The cards of the deck, if they suffice for this many seats.
    pub(super) fn cards(&self, seats: u8) -> Result<Cards, SetupError> {
        let copies = |card: Card| usize::from(self.0[card.index()]);
        let cards: Cards = Card::all().flat_map(|card| std::iter::repeat_n(card, copies(card))).collect();
        let least = 4 * u16::from(seats) + 10;
        if cards.total() < least {
            return Err(SetupError::option("deck", Refusal::DeckTooSmall { seats, least, cards: cards.total() }));
        }
        Ok(cards)
    }
}

impl Serialize for Deck {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Card::all().zip(self.0).filter(|&(_, copies)| copies > 0))
    }
}

impl<'de> Deserialize<'de> for Deck {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Copies;

        impl<'de> de::Visitor<'de> for Copies {
            type Value = Deck;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with the number of copies of each card, such as {\"cr\": 4, \"cannon\": 6}")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut given: A) -> Result<Deck, A::Error> {
                let mut copies = [None; KINDS];
                while let Some(name) = given.next_key::<String>()? {
                    let card: Card = name
                        .parse()
                        .map_err(|why: Refusal| de::Error::custom(format_args!("no card is called {name:?}: {why}")))?;
                    let number: Within<0, MOST_COPIES> = given.next_value()?;
                    if copies[card.index()].replace(number.get() as u8).is_some() {
                        return Err(de::Error::custom(format_args!("the card {card} is given twice")));
                    }
                }
                Ok(Deck(copies.map(Option::unwrap_or_default)))
            }
        }

        deserializer.deserialize_map(Copies)
    }
}

impl JsonSchema for Deck {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Deck".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let copies = Within::<0, MOST_COPIES>::json_schema(generator);
        let cards: serde_json::Map<String, serde_json::Value> =
            Card::all().map(|card| (card.to_string(), copies.as_value().clone())).collect();
        json_schema!({ "type": "object", "properties": cards, "additionalProperties": false })
    }
}
