//! The draw pile: a row of shuffled segments, drawn from the first one.

use std::collections::VecDeque;

use quincunx_core::Seat;

use super::card::{Card, Cards};

/// Cards whose order among each other nobody knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) cards: Cards,
    /// Who put them there and knows what they are: a scuttled hand from which nobody else has drawn.
    pub(super) known_to: Option<Seat>,
}

impl Segment {
    const EMPTY: Self = Self { cards: Cards::EMPTY, known_to: None };
}

#[derive(Clone, Debug)]
pub(super) struct Pile {
    /// Empty only if the pile is.
    first: Segment,
    rest: VecDeque<Segment>,
    total: u16,
}

impl Pile {
    pub(super) fn new(cards: Cards) -> Self {
        Self { first: Segment { cards, known_to: None }, rest: VecDeque::new(), total: cards.total() }
    }

    /// The cards of which the next one drawn is any with the same chance.
    #[inline]
    pub(super) fn next(&self) -> &Cards {
        &self.first.cards
    }

    #[inline]
    pub(super) fn total(&self) -> u16 {
        self.total
    }

    pub(super) fn segments(&self) -> impl Iterator<Item = &Segment> {
        std::iter::once(&self.first).filter(|first| !first.cards.is_empty()).chain(&self.rest)
    }

    pub(super) fn segments_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Segment> {
        std::iter::once(&mut self.first).chain(&mut self.rest)
    }

    /// Takes a card out of the first segment, for this seat.
    #[inline]
    pub(super) fn draw(&mut self, card: Card, by: Seat) {
        self.first.cards.remove(card);
        self.first.known_to = self.first.known_to.filter(|&seat| seat == by);
        self.total -= 1;
        if self.first.cards.is_empty() {
            self.first = self.rest.pop_front().unwrap_or(Segment::EMPTY);
        }
    }

    /// Puts a hand under the pile, as a segment of its own.
    pub(super) fn put_under(&mut self, cards: Cards, by: Seat) {
        let segment = Segment { cards, known_to: Some(by) };
        self.total += cards.total();
        if self.first.cards.is_empty() {
            self.first = segment;
        } else {
            self.rest.push_back(segment);
        }
    }
}

/// The same cards in the same segments; who knows them is no matter of the pile.
impl PartialEq for Pile {
    fn eq(&self, other: &Self) -> bool {
        self.segments().map(|segment| segment.cards).eq(other.segments().map(|segment| segment.cards))
    }
}
