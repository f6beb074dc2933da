//! What players have seen of hidden cards, and what the scoring told about flags: kept for sampling only.
//!
//! It is what a player knows for certain. Where cards that he knew may or may not have moved on unseen, he is
//! taken to have forgotten all he knew of that hand.

use quincunx_core::{Seat, Viewer};

use super::card::{Card, Cards, Pirate};

const SEATS: usize = Seat::MAX as usize;
/// The seats, and whoever watches: he knows what all know.
const OBSERVERS: usize = SEATS + 1;

#[derive(Clone, Debug)]
pub(super) struct Memory {
    /// For each observer and each holder: cards that this seat certainly holds.
    holds: [[Cards; SEATS]; OBSERVERS],
    /// For each seat the flags that it cannot have, as bits: an X of them stood there and it did not claim it.
    not_flag: [u8; SEATS],
}

impl Default for Memory {
    fn default() -> Self {
        Self { holds: [[Cards::EMPTY; SEATS]; OBSERVERS], not_flag: [0; SEATS] }
    }
}

fn index(observer: Viewer) -> usize {
    match observer {
        Viewer::Seat(seat) => seat.index(),
        Viewer::Spectator | Viewer::Everything => SEATS,
    }
}

impl Memory {
    /// Cards that this observer knows the seat to hold.
    pub(super) fn holds(&self, observer: Viewer, holder: Seat) -> &Cards {
        &self.holds[index(observer)][holder.index()]
    }

    pub(super) fn set_holds(&mut self, observer: Viewer, holder: Seat, cards: Cards) {
        self.holds[index(observer)][holder.index()] = cards;
    }

    pub(super) fn may_have_flag(&self, seat: Seat, pirate: Pirate) -> bool {
        self.not_flag[seat.index()] & pirate.bit() == 0
    }

    /// A card was played from a hand.
    #[inline]
    pub(super) fn played(&mut self, holder: Seat, card: Card) {
        self.each_of_others(holder, |known| known.remove_if_there(card));
    }

    /// A card went to a hand before all eyes.
    pub(super) fn taken(&mut self, holder: Seat, card: Card) {
        self.each_of_others(holder, |known| known.add(card));
    }

    pub(super) fn scuttled(&mut self, holder: Seat) {
        self.each_of_others(holder, |known| *known = Cards::EMPTY);
    }

    /// Changes what everybody else knows of this hand.
    #[inline]
    fn each_of_others(&mut self, holder: Seat, change: impl Fn(&mut Cards)) {
        for (observer, known) in self.holds.iter_mut().enumerate() {
            if observer != holder.index() {
                change(&mut known[holder.index()]);
            }
        }
    }

    /// The thief has seen this hand of the victim.
    pub(super) fn plundered(&mut self, thief: Seat, victim: Seat, hand: Cards) {
        self.set_holds(Viewer::Seat(thief), victim, hand);
    }

    /// The card has gone from the victim to the thief.
    pub(super) fn stolen(&mut self, thief: Seat, victim: Seat, card: Card) {
        self.forget(victim, [thief, victim]);
        self.holds[thief.index()][victim.index()].remove(card);
        self.holds[victim.index()][thief.index()].add(card);
    }

    /// Each of the two has given cards to the other one.
    pub(super) fn traded(&mut self, pair: [Seat; 2], given: [Cards; 2]) {
        for (side, seat) in pair.into_iter().enumerate() {
            self.forget(seat, pair);
            let known = &mut self.holds[pair[1 - side].index()][seat.index()];
            given[side].iter().for_each(|card| known.remove_if_there(card));
            known.extend(given[1 - side].iter());
        }
    }

    /// Cards have left this hand, and only these two have seen which.
    fn forget(&mut self, holder: Seat, except: [Seat; 2]) {
        for (observer, known) in self.holds.iter_mut().enumerate() {
            if except.iter().all(|seat| seat.index() != observer) {
                known[holder.index()] = Cards::EMPTY;
            }
        }
    }

    /// X's of these pirates stood there, and this seat claimed none.
    pub(super) fn has_none_of(&mut self, seat: Seat, pirates: u8) {
        self.not_flag[seat.index()] |= pirates;
    }
}
