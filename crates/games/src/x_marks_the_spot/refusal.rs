//! Why an action or a deck of X Marks the Spot is refused. A seat hears only what it can see itself: its own hand, the
//! table and the sizes of hands.

use std::{borrow::Cow, fmt};

use quincunx_core::{Reasons, Seat};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use thiserror::Error;

use super::{
    card::{Card, Icon},
    square::{Direction, Square},
};

#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Refusal {
    // How actions and their parts are written.
    #[error("an action is such as draw, scuttle, place cr 0,0 e, cannon 0,0 or parlay 1 n2")]
    Form,
    #[error("nothing follows this word")]
    OneWord,
    #[error("a card, its first square and the direction of its second one, such as place cr 0,0 e")]
    PlaceForm,
    #[error("the lower square of the card to destroy, such as cannon 0,-1")]
    CannonForm,
    #[error("the lower square of the card to take, the card to lay and its direction, such as heading 0,0 cr n")]
    HeadingForm,
    #[error("a seat and a number of cards, such as parlay 2 n3")]
    ParlayForm,
    #[error("a number of cards, such as counter n2")]
    CounterForm,
    #[error("a number of cards, such as offer n1")]
    OfferForm,
    #[error("the seat whose offer is taken, such as take 3")]
    TakeForm,
    #[error("the cards to give, such as give cr cannon")]
    GiveForm,
    #[error("a seat, such as plunder 2, or a card of the discard pile, such as plunder discard cr")]
    PlunderForm,
    #[error("the card to steal, such as steal cr")]
    StealForm,
    #[error("a square is two whole numbers with a comma, such as 0,-2")]
    SquareForm,
    #[error("a direction is n, e, s or w")]
    DirectionForm,
    #[error("an icon is one of the letters c r a w g k o")]
    IconForm,
    #[error("a flag is one of c (Condent), r (Rackham), a (Avery) and w (Wynn)")]
    FlagForm,
    #[error("a card is cannon, heading, parlay, plunder, or two icons in the order c r a w g k o, such as cr")]
    CardForm,
    #[error("a seat is a number from 0 to 3")]
    SeatForm,
    #[error("a number of cards is n1 to n{most}")]
    NumberForm { most: u16 },
    #[error("nobody holds more than {most} cards")]
    GiftTooLarge { most: u16 },
    #[error("{card} is not a tile card: it has no icons")]
    NoIcons { card: Card },

    // Chance.
    #[error("{pirate}'s flag is dealt")]
    FlagDealt { pirate: &'static str },
    #[error("a flag is dealt now")]
    FlagNow,
    #[error("no {card} is among the next cards of the pile")]
    NotInPile { card: Card },
    #[error("a card is drawn now")]
    CardNow,
    #[error("this is for chance to do")]
    ForChance,

    // What is to be done instead.
    #[error("the turn begins with draw, or scuttle")]
    BeginTurn,
    #[error("play a card: place, cannon, heading, parlay or plunder")]
    PlayCard,
    #[error("the plundered card must be played at once: {card}")]
    PlayPlundered { card: Card },
    #[error("say which card of seat {seat} you take, such as steal cr")]
    StealNow { seat: Seat },
    #[error("answer the offer of {cards} cards: accept, or counter")]
    AnswerOffer { cards: u8 },
    #[error("answer the counter offer of {cards} cards: accept, force or open")]
    AnswerCounter { cards: u8 },
    #[error("say what you offer for a trade, such as offer n1, or decline")]
    OfferNow,
    #[error("take an offer, or force the target to trade one card")]
    TakeOffer,
    #[error("say which {cards} of your cards you give, such as give cr")]
    GiveNow { cards: u8 },
    #[error("nothing is to be done by a player now")]
    NothingToDo,

    // Cards and hands.
    #[error("you can play {card}")]
    CanPlay { card: Card },
    #[error("you can play a card")]
    CanPlayCard,
    #[error("there is no card in your hand to scuttle")]
    NothingToScuttle,
    #[error("you can scuttle only instead of the first of your two actions")]
    ScuttleFirst,
    #[error("there is no {card} in your hand")]
    NotInHand { card: Card },
    #[error("{card} is not a tile card")]
    NotTile { card: Card },
    #[error("{card} looks the same both ways round and is written with n or e")]
    BothWays { card: Card },
    #[error("a plunder card cannot be taken from the discard pile")]
    PlunderInDiscard,
    #[error("there is no {card} in the discard pile")]
    NotInDiscard { card: Card },
    #[error("seat {seat} holds no {card}")]
    HoldsNone { seat: Seat, card: Card },

    // The chart.
    #[error("the first card lies with its first icon on 0,0")]
    FirstCard,
    #[error("a card must lie on another one or touch one, at least at a corner")]
    OutOfTouch,
    #[error("square {square} has a doubloon on it and cannot be covered")]
    Spent { square: Square },
    #[error("{icon} cannot lie on {below} at {square}")]
    Covering { icon: Picture, below: Picture, square: Square },
    #[error("no card lies on {square}")]
    Bare { square: Square },
    #[error("the card on {square} is covered")]
    Covered { square: Square },
    #[error("the card on {square} is safe: a doubloon lies on it")]
    Safe { square: Square },
    #[error("the card on {square} is named by its lower square {lower}")]
    LowerSquare { square: Square, lower: Square },
    #[error("the card on {square} lies along {one} and {other}")]
    Along { square: Square, one: Direction, other: Direction },

    // Trades.
    #[error("there is no seat {seat}: this table has {seats} seats")]
    NoSeat { seat: Seat, seats: u8 },
    #[error("this is for another player, not for yourself")]
    Yourself,
    #[error("seat {seat} has no cards")]
    NoCards { seat: Seat },
    #[error("you have no other card to trade")]
    NoOtherCard,
    #[error("with seat {seat} you can trade 1 to {most} cards")]
    TradeWith { seat: Seat, most: u8 },
    #[error("1 to {most} cards can be traded, the smaller of the two hands")]
    TradeUpTo { most: u8 },
    #[error("{cards} is what was offered: accept it, or say another number")]
    SameOffer { cards: u8 },
    #[error("there is nobody else to trade with at a table of two")]
    NobodyElse,
    #[error("there is no offer of seat {seat}")]
    NoOffer { seat: Seat },
    #[error("{cards} of your cards are to be given")]
    GiveSoMany { cards: u8 },
    #[error("these cards are not all in your hand")]
    NotAllInHand,

    #[error("{seats} players need at least {least} cards, not {cards}")]
    DeckTooSmall { seats: u8, least: u16, cards: u16 },
}

impl Reasons for Refusal {
    const AREA: &'static str = "x-marks-the-spot";
}

/// An icon as it is called in a sentence, and by an id in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Picture(pub Icon);

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["Condent", "Rackham", "Avery", "Wynn", "a ghost ship", "a kraken", "open water"][self.0 as usize])
    }
}

impl Serialize for Picture {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ids = ["condent", "rackham", "avery", "wynn", "ghost_ship", "kraken", "open_water"];
        serializer.serialize_str(ids[self.0 as usize])
    }
}

impl JsonSchema for Picture {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Picture".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}
