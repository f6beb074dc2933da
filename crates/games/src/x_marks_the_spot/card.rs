//! What is printed on the cards: icons, pirates, the 32 kinds of cards, and multisets of them.

use std::{borrow::Cow, fmt, str::FromStr};

use quincunx_core::zobrist;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::refusal::Refusal;

/// One half of a tile card. The order is the one in which two icons are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Icon {
    Condent,
    Rackham,
    Avery,
    Wynn,
    GhostShip,
    Kraken,
    OpenWater,
}

impl Icon {
    const ALL: [Self; 7] =
        [Self::Condent, Self::Rackham, Self::Avery, Self::Wynn, Self::GhostShip, Self::Kraken, Self::OpenWater];
    const LETTERS: [char; 7] = ['c', 'r', 'a', 'w', 'g', 'k', 'o'];

    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize]
    }
}

impl FromStr for Icon {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let icon = Self::ALL.into_iter().find(|icon| text.chars().eq([icon.letter()]));
        icon.ok_or(Refusal::IconForm)
    }
}

/// Reads a value of a view that is written as it is in actions.
pub(super) fn deserialize_text<'de, D: Deserializer<'de>, T: FromStr<Err = Refusal>>(from: D) -> Result<T, D::Error> {
    String::deserialize(from)?.parse().map_err(de::Error::custom)
}

impl Serialize for Icon {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

impl<'de> Deserialize<'de> for Icon {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_text(deserializer)
    }
}

impl JsonSchema for Icon {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Icon".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Self::LETTERS })
    }
}

/// A pirate: the owner of a flag, and the icon of that name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Pirate {
    Condent,
    Rackham,
    Avery,
    Wynn,
}

impl Pirate {
    pub const ALL: [Self; 4] = [Self::Condent, Self::Rackham, Self::Avery, Self::Wynn];

    pub const fn letter(self) -> char {
        Icon::LETTERS[self as usize]
    }

    pub const fn name(self) -> &'static str {
        ["Condent", "Rackham", "Avery", "Wynn"][self as usize]
    }

    /// The pirate as an element of a set of pirates.
    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl FromStr for Pirate {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let pirate = Self::ALL.into_iter().find(|pirate| text.chars().eq([pirate.letter()]));
        pirate.ok_or(Refusal::FlagForm)
    }
}

impl Serialize for Pirate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

impl<'de> Deserialize<'de> for Pirate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_text(deserializer)
    }
}

impl JsonSchema for Pirate {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Pirate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Self::ALL.map(Self::letter) })
    }
}

/// A kind of card, in the order of the deck table: the tile cards, then the action cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Card(u8);

/// The number of kinds of cards.
pub(super) const KINDS: usize = 32;

/// The number of kinds of tile cards: the first so many kinds.
const TILE_KINDS: usize = 28;

const NAMES: [&str; KINDS] = [
    "cc", "rr", "aa", "ww", // a pirate twice
    "cr", "ca", "cw", "ra", "rw", "aw", // two pirates
    "cg", "rg", "ag", "wg", // with a ghost ship
    "co", "ro", "ao", "wo", // with open water
    "ck", "rk", "ak", "wk", // with a kraken
    "gk", "go", "ko", // without a pirate
    "gg", "kk", "oo", // for decks of one's own
    "cannon", "heading", "parlay", "plunder",
];

/// How many copies of each kind a deck has if nothing else is agreed. *Reconstructed*: the rulebook names the kinds
/// and does not say how many there are of each. Two ghost ships, krakens or open waters on one card exist for other decks.
pub(super) const RECONSTRUCTED_COPIES: [u8; KINDS] =
    [2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 2, 0, 0, 0, 6, 6, 4, 4];

const TILES: [[Icon; 2]; TILE_KINDS] = {
    const fn icon(letter: u8) -> Icon {
        match letter {
            b'c' => Icon::Condent,
            b'r' => Icon::Rackham,
            b'a' => Icon::Avery,
            b'w' => Icon::Wynn,
            b'g' => Icon::GhostShip,
            b'k' => Icon::Kraken,
            b'o' => Icon::OpenWater,
            _ => panic!("not the letter of an icon"),
        }
    }
    let mut tiles = [[Icon::Condent; 2]; TILE_KINDS];
    let mut kind = 0;
    while kind < TILE_KINDS {
        let name = NAMES[kind].as_bytes();
        tiles[kind] = [icon(name[0]), icon(name[1])];
        kind += 1;
    }
    tiles
};

impl Card {
    pub const CANNON: Self = Self(28);
    pub const HEADING: Self = Self(29);
    pub const PARLAY: Self = Self(30);
    pub const PLUNDER: Self = Self(31);

    /// All kinds, in the order of the deck table.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KINDS as u8).map(Self)
    }

    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    pub const fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    /// The two icons, unless it is an action card.
    #[inline]
    pub const fn icons(self) -> Option<[Icon; 2]> {
        if self.is_tile() { Some(TILES[self.index()]) } else { None }
    }

    #[inline]
    pub const fn is_tile(self) -> bool {
        self.index() < TILE_KINDS
    }

    /// Whether both icons are the same, so that the card looks the same after half a turn.
    #[inline]
    pub const fn is_double(self) -> bool {
        Kinds::DOUBLES.contains(self)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Card {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        Self::all().find(|card| card.name() == text).ok_or(Refusal::CardForm)
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_text(deserializer)
    }
}

impl JsonSchema for Card {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Card".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": NAMES })
    }
}

/// A set of kinds of cards, a bit for each: exactly as many as there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kinds(u32);

impl Kinds {
    pub(super) const TILES: Self = Self((1 << TILE_KINDS) - 1);
    pub(super) const PLUNDER: Self = Self::only(Card::PLUNDER);
    const DOUBLES: Self = {
        let mut doubles = 0;
        let mut kind = 0;
        while kind < TILE_KINDS {
            let [first, second] = TILES[kind];
            doubles |= ((first as u8 == second as u8) as u32) << kind;
            kind += 1;
        }
        Self(doubles)
    };

    pub(super) const fn only(card: Card) -> Self {
        Self(1 << card.0)
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(super) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    #[inline]
    pub(super) const fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    #[inline]
    pub(super) fn iter(self) -> EachKind {
        self.into_iter()
    }

    #[inline]
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline]
    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl IntoIterator for Kinds {
    type Item = Card;
    type IntoIter = EachKind;

    #[inline]
    fn into_iter(self) -> EachKind {
        EachKind(self.0)
    }
}

/// The kinds of a set, in the order of the deck table.
#[derive(Clone, Debug)]
pub(super) struct EachKind(u32);

impl Iterator for EachKind {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        let kind = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (kind < u32::BITS).then_some(Card(kind as u8))
    }
}

static COPY_KEYS: [u64; KINDS] = zobrist(29);

/// A multiset of cards: a hand, a discard pile, a segment of the draw pile.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Cards {
    kinds: Kinds,
    total: u16,
    copies: [u8; KINDS],
}

impl Cards {
    pub(super) const EMPTY: Self = Self { kinds: Kinds(0), total: 0, copies: [0; KINDS] };

    #[inline]
    pub(super) const fn total(&self) -> u16 {
        self.total
    }

    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.total == 0
    }

    #[inline]
    pub(super) const fn kinds(&self) -> Kinds {
        self.kinds
    }

    pub(super) const fn copies(&self, card: Card) -> u8 {
        self.copies[card.index()]
    }

    #[inline]
    pub(super) const fn contains(&self, card: Card) -> bool {
        self.kinds.contains(card)
    }

    #[inline]
    pub(super) fn add(&mut self, card: Card) {
        self.copies[card.index()] += 1;
        self.kinds.0 |= 1 << card.0;
        self.total += 1;
    }

    /// Takes a copy out, which must be there.
    #[inline]
    pub(super) fn remove(&mut self, card: Card) {
        let copies = &mut self.copies[card.index()];
        *copies -= 1;
        self.kinds.0 &= !(u32::from(*copies == 0) << card.0);
        self.total -= 1;
    }

    /// Takes a copy out if there is one.
    #[inline]
    pub(super) fn remove_if_there(&mut self, card: Card) {
        if self.contains(card) {
            self.remove(card);
        }
    }

    /// Every card, a kind with several copies several times, in the order of the deck table.
    pub(super) fn iter(&self) -> impl Iterator<Item = Card> {
        self.kinds.iter().flat_map(|card| std::iter::repeat_n(card, usize::from(self.copies(card))))
    }

    pub(super) fn includes(&self, other: &Self) -> bool {
        other.kinds.iter().all(|card| self.copies(card) >= other.copies(card))
    }

    /// What both have.
    pub(super) fn common(&self, other: &Self) -> Self {
        let mut common = Self::EMPTY;
        for card in self.kinds.and(other.kinds) {
            let copies = self.copies(card).min(other.copies(card));
            common.extend(std::iter::repeat_n(card, usize::from(copies)));
        }
        common
    }

    /// The card with this number when all cards lie in a row: for a draw in which each card is equally likely.
    #[inline]
    pub(super) fn nth(&self, mut number: u16) -> Card {
        for card in self.kinds {
            let copies = u16::from(self.copies(card));
            if number < copies {
                return card;
            }
            number -= copies;
        }
        unreachable!("a number below the total falls on a card")
    }

    /// A hash of the cards: each copy of a kind adds the same number.
    pub(super) fn key(&self) -> u64 {
        self.kinds
            .iter()
            .fold(0, |key, card| key.wrapping_add(COPY_KEYS[card.index()].wrapping_mul(u64::from(self.copies(card)))))
    }
}

impl Extend<Card> for Cards {
    fn extend<I: IntoIterator<Item = Card>>(&mut self, cards: I) {
        cards.into_iter().for_each(|card| self.add(card));
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut all = Self::EMPTY;
        all.extend(cards);
        all
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(Card::name)).finish()
    }
}
