//! The steps of the game and their texts.

use std::{fmt, str::FromStr};

use quincunx_core::Seat;

use super::{
    card::{Card, Cards, Pirate},
    refusal::Refusal,
    square::{Direction, Square},
};

/// The most cards that a player can hold.
pub(super) const FULL_HAND: u16 = 6;

/// One step, by a seat or by chance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Chance deals a flag: `flag:c`.
    Flag(Pirate),
    /// Chance deals or draws a card: `+cr`.
    Drawn(Card),
    /// `draw`
    Draw,
    /// `scuttle`
    Scuttle,
    /// `pass`
    Pass,
    /// `place cr 0,0 e`: the first icon on the square, the second one on its neighbour.
    Place { card: Card, at: Square, direction: Direction },
    /// `cannon 0,0`
    Cannon(Square),
    /// `heading 0,0 cr n`: takes the card whose lower square this is and lays another one.
    Heading { at: Square, card: Card, direction: Direction },
    /// `parlay 2 n3`: offers a trade of so many cards.
    Parlay { target: Seat, cards: u8 },
    /// `accept`
    Accept,
    /// `counter n2`
    Counter(u8),
    /// `force`
    Force,
    /// `open`
    Open,
    /// `offer n1`
    Offer(u8),
    /// `decline`
    Decline,
    /// `take 3`: the offer of that seat.
    Take(Seat),
    /// `give cr cannon`
    Give(Gift),
    /// `plunder 2`
    Plunder(Seat),
    /// `plunder discard cr`
    PlunderDiscard(Card),
    /// `steal cr`
    Steal(Card),
}

/// The cards that one side gives in a trade, in the order of the deck table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Gift([Option<Card>; FULL_HAND as usize]);

impl Gift {
    pub(super) const NOTHING: Self = Self([None; FULL_HAND as usize]);

    /// The cards in the order of the deck table.
    pub fn iter(&self) -> impl Iterator<Item = Card> {
        self.0.into_iter().flatten()
    }

    pub(super) fn cards(&self) -> Cards {
        self.iter().collect()
    }

    /// The gift with one card more, which is not before the others in the order of the deck table.
    ///
    /// # Panics
    /// If the gift is a full hand already.
    #[must_use]
    pub(super) fn and(mut self, card: Card) -> Self {
        let free = self.0.iter_mut().find(|slot| slot.is_none()).expect("a gift is part of a hand");
        *free = Some(card);
        self
    }
}

impl FromIterator<Card> for Gift {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::NOTHING, Self::and)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Flag(pirate) => write!(f, "flag:{}", pirate.letter()),
            Self::Drawn(card) => write!(f, "+{card}"),
            Self::Draw => f.write_str("draw"),
            Self::Scuttle => f.write_str("scuttle"),
            Self::Pass => f.write_str("pass"),
            Self::Place { card, at, direction } => write!(f, "place {card} {at} {direction}"),
            Self::Cannon(at) => write!(f, "cannon {at}"),
            Self::Heading { at, card, direction } => write!(f, "heading {at} {card} {direction}"),
            Self::Parlay { target, cards } => write!(f, "parlay {target} n{cards}"),
            Self::Accept => f.write_str("accept"),
            Self::Counter(cards) => write!(f, "counter n{cards}"),
            Self::Force => f.write_str("force"),
            Self::Open => f.write_str("open"),
            Self::Offer(cards) => write!(f, "offer n{cards}"),
            Self::Decline => f.write_str("decline"),
            Self::Take(seat) => write!(f, "take {seat}"),
            Self::Give(gift) => {
                f.write_str("give")?;
                gift.iter().try_for_each(|card| write!(f, " {card}"))
            }
            Self::Plunder(seat) => write!(f, "plunder {seat}"),
            Self::PlunderDiscard(card) => write!(f, "plunder discard {card}"),
            Self::Steal(card) => write!(f, "steal {card}"),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        if let Some(pirate) = text.strip_prefix("flag:") {
            return pirate.parse().map(Self::Flag);
        }
        if let Some(card) = text.strip_prefix('+') {
            return card.parse().map(Self::Drawn);
        }
        let (verb, rest) = match text.split_once(' ') {
            Some((verb, rest)) => (verb, rest.split(' ').collect()),
            None => (text, Vec::new()),
        };
        match (verb, rest.as_slice()) {
            ("draw", []) => Ok(Self::Draw),
            ("scuttle", []) => Ok(Self::Scuttle),
            ("pass", []) => Ok(Self::Pass),
            ("accept", []) => Ok(Self::Accept),
            ("force", []) => Ok(Self::Force),
            ("open", []) => Ok(Self::Open),
            ("decline", []) => Ok(Self::Decline),
            ("place", [card, at, direction]) => {
                Ok(Self::Place { card: tile(card)?, at: at.parse()?, direction: direction.parse()? })
            }
            ("cannon", [at]) => at.parse().map(Self::Cannon),
            ("heading", [at, card, direction]) => {
                Ok(Self::Heading { at: at.parse()?, card: tile(card)?, direction: direction.parse()? })
            }
            ("parlay", [target, cards]) => Ok(Self::Parlay { target: seat(target)?, cards: number(cards)? }),
            ("counter", [cards]) => number(cards).map(Self::Counter),
            ("offer", [cards]) => number(cards).map(Self::Offer),
            ("take", [from]) => seat(from).map(Self::Take),
            ("give", cards @ [_, ..]) => gift(cards).map(Self::Give),
            ("plunder", ["discard", card]) => card.parse().map(Self::PlunderDiscard),
            ("plunder", [from]) => seat(from).map(Self::Plunder),
            ("steal", [card]) => card.parse().map(Self::Steal),
            _ => Err(form(verb)),
        }
    }
}

/// How actions that begin with this word are written.
fn form(verb: &str) -> Refusal {
    match verb {
        "draw" | "scuttle" | "pass" | "accept" | "force" | "open" | "decline" => Refusal::OneWord,
        "place" => Refusal::PlaceForm,
        "cannon" => Refusal::CannonForm,
        "heading" => Refusal::HeadingForm,
        "parlay" => Refusal::ParlayForm,
        "counter" => Refusal::CounterForm,
        "offer" => Refusal::OfferForm,
        "take" => Refusal::TakeForm,
        "give" => Refusal::GiveForm,
        "plunder" => Refusal::PlunderForm,
        "steal" => Refusal::StealForm,
        _ => Refusal::Form,
    }
}

fn tile(text: &str) -> Result<Card, Refusal> {
    let card: Card = text.parse()?;
    if card.is_tile() { Ok(card) } else { Err(Refusal::NoIcons { card }) }
}

fn seat(text: &str) -> Result<Seat, Refusal> {
    let seat = text.parse().ok().filter(|number: &u64| number.to_string() == text);
    let seat = seat.and_then(|number| Seat::at_table(number, Seat::MAX));
    seat.ok_or(Refusal::SeatForm)
}

/// A number of cards. What cannot be traded at a table is a matter of the position; that nobody holds more than a
/// full hand is not.
fn number(text: &str) -> Result<u8, Refusal> {
    let number =
        text.strip_prefix('n').and_then(|digits| (1..=FULL_HAND as u8).find(|number| number.to_string() == digits));
    number.ok_or(Refusal::NumberForm { most: FULL_HAND })
}

fn gift(texts: &[&str]) -> Result<Gift, Refusal> {
    if texts.len() > usize::from(FULL_HAND) {
        return Err(Refusal::GiftTooLarge { most: FULL_HAND });
    }
    let mut cards = texts.iter().map(|text| text.parse()).collect::<Result<Vec<Card>, Refusal>>()?;
    // Written in another order it is the same gift, which `Session` then asks to write in the one form.
    cards.sort_unstable();
    Ok(cards.into_iter().collect())
}
