//! The position in pieces, for programs that look at many of them.

use quincunx_core::Seat;

use super::{ACTIONS, Card, Pirate, Square, XMarksTheSpot, cells::Surface, phase::Phase};

/// An uncovered card that a cannon can destroy or a new heading can take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub card: Card,
    /// The square by which the card is named, and the other one.
    pub squares: [Square; 2],
    /// What shows on these squares when the card is gone.
    pub below: [Surface; 2],
}

impl XMarksTheSpot {
    /// Whose turn it is, also while others answer and chance draws.
    pub const fn player(&self) -> Seat {
        self.player
    }

    /// Whether the player has not played a card in this turn.
    pub const fn is_first_action(&self) -> bool {
        self.actions_left == ACTIONS
    }

    /// How many doubloons win.
    pub const fn doubloons_to_win(&self) -> u8 {
        self.doubloons
    }

    /// The flag of a seat, for that seat alone unless it is revealed.
    pub const fn flag(&self, seat: Seat) -> Option<Pirate> {
        self.flags[seat.index()]
    }

    /// Whether everybody knows the flag of this seat.
    pub const fn is_revealed(&self, seat: Seat) -> bool {
        self.revealed.contains(seat)
    }

    /// Whether nothing that happened on the table rules out that this seat has this flag: who has it would have laid a
    /// doubloon on an X that stood.
    pub fn may_have_flag(&self, seat: Seat, pirate: Pirate) -> bool {
        match self.flag(seat).filter(|_| self.is_revealed(seat)) {
            Some(revealed) => revealed == pirate,
            None => self.memory.may_have_flag(seat, pirate),
        }
    }

    /// The cards of a seat, for that seat alone, in the order of the deck table.
    pub fn hand_of(&self, seat: Seat) -> impl Iterator<Item = Card> {
        self.hand(seat).iter()
    }

    /// How many cards a seat holds, which everybody sees.
    pub const fn hand_size(&self, seat: Seat) -> u16 {
        self.hands[seat.index()].total()
    }

    /// The kinds of cards in the discard pile that a plunder card may take.
    pub fn plunder_from_discard(&self) -> impl Iterator<Item = Card> {
        self.plunder_in_discard().iter()
    }

    /// The others that hold cards: who can be plundered or asked to trade by the player on turn.
    pub fn partners(&self) -> impl Iterator<Item = Seat> {
        self.others_with_cards()
    }

    /// The card that has to be played at once because it was plundered.
    pub const fn plundered(&self) -> Option<Card> {
        match self.phase {
            Phase::Plundered(card, _) => Some(card),
            _ => None,
        }
    }

    /// Whether the player on turn is to play a card of his choice.
    pub const fn is_time_to_act(&self) -> bool {
        matches!(self.phase, Phase::Act)
    }

    /// The other side of a trade that is agreed, from where the player on turn or his partner sits.
    pub fn trades_with(&self, seat: Seat) -> Option<Seat> {
        let deal = self.phase.deal()?;
        Some(if seat == self.player { deal.partner } else { self.player })
    }

    /// How many cards the parlay at hand is about as this seat hears it: the player's offer, or what was said instead.
    pub fn offered(&self) -> Option<u8> {
        self.phase.talk().map(|talk| talk.counter.unwrap_or(talk.offer))
    }

    /// How many cards this seat has on offer for the player to take.
    pub fn offer_of(&self, seat: Seat) -> Option<u8> {
        self.phase.talk().and_then(|talk| talk.offer_of(seat))
    }

    /// Whether no card lies on the table.
    pub fn is_table_empty(&self) -> bool {
        self.chart.cards().is_empty()
    }

    /// The squares where a card lies or is a neighbour, and what shows there.
    pub fn squares_near_cards(&self) -> impl Iterator<Item = (Square, Surface)> {
        self.chart.cells().near().map(|(square, cell)| (square, cell.surface()))
    }

    /// The cards that a cannon can destroy or a new heading can take.
    pub fn targets(&self) -> impl Iterator<Item = Target> {
        self.chart.removable().map(|slot| self.chart.target_at(slot))
    }
}
