//! Where in a turn the game is, and what was said in a parlay.

use quincunx_core::{Outcome, Seat, SeatSet};

use super::{action::Gift, card::Card};

/// What is to be done next. Unless it says otherwise, by the player on turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Phase {
    /// Chance deals a flag to this seat.
    Flags(Seat),
    /// Chance deals a card to this seat.
    Hands(Seat),
    /// The turn begins: draw or scuttle.
    Start,
    /// Chance draws up to a full hand.
    Draw,
    /// Chance draws so many cards after a scuttle; then the turn is over.
    Refill(u16),
    /// Play a card.
    Act,
    /// Say which card of this seat to steal.
    Steal(Seat),
    /// Play the plundered card: stolen from this seat, or taken from the discard pile.
    Plundered(Card, Option<Seat>),
    /// The target answers the offer.
    Answer(Talk),
    /// The player answers the counter offer.
    Reply(Talk),
    /// This seat may make an offer.
    Offer(Talk, Seat),
    /// The player takes an offer, or forces the target.
    Choose(Talk),
    /// The partner says what it gives.
    PartnerGives(Talk, Deal),
    /// The player says what he gives for this.
    PlayerGives(Talk, Deal, Gift),
    Over(Outcome),
}

/// What was said in a parlay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Talk {
    pub(super) target: Seat,
    /// What the player offered the target.
    pub(super) offer: u8,
    /// What the target said instead.
    pub(super) counter: Option<u8>,
    /// What the others offered. Who declined has `None`, as who was not asked.
    pub(super) offers: [Option<u8>; Seat::MAX as usize],
    /// Which of the others have answered.
    pub(super) heard: SeatSet,
}

/// A trade that is agreed: so many cards each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Deal {
    pub(super) partner: Seat,
    pub(super) cards: u8,
}

impl Talk {
    pub(super) const fn new(target: Seat, offer: u8) -> Self {
        Self { target, offer, counter: None, offers: [None; Seat::MAX as usize], heard: SeatSet::EMPTY }
    }

    /// What this seat has on offer for the player to take.
    pub(super) fn offer_of(&self, seat: Seat) -> Option<u8> {
        if seat == self.target { self.counter } else { self.offers[seat.index()] }
    }
}

impl Phase {
    /// What was said so far, while there is a parlay.
    pub(super) fn talk(&self) -> Option<&Talk> {
        match self {
            Self::Answer(talk)
            | Self::Reply(talk)
            | Self::Offer(talk, _)
            | Self::Choose(talk)
            | Self::PartnerGives(talk, _)
            | Self::PlayerGives(talk, ..) => Some(talk),
            _ => None,
        }
    }

    /// The trade that was agreed, until the cards change hands.
    pub(super) fn deal(&self) -> Option<Deal> {
        match *self {
            Self::PartnerGives(_, deal) | Self::PlayerGives(_, deal, _) => Some(deal),
            _ => None,
        }
    }
}
