//! The position in numbers, for programs that look at millions of them. Sets of spaces are bits: a byte for each tower from
//! the left, whose lowest bit is the space at the bottom.

use quincunx_core::Seat;

use super::{CastleBuilders, Kind};

impl CastleBuilders {
    /// All spaces of the castle.
    #[inline]
    pub const fn spaces(&self) -> u64 {
        self.castle.layout().0
    }

    /// What the roofs are worth, from the left.
    #[inline]
    pub const fn roofs(&self) -> [u8; 8] {
        self.castle.layout().1
    }

    /// What the rows are worth, from the bottom.
    #[inline]
    pub const fn row_values(&self) -> [u8; 8] {
        self.castle.layout().2
    }

    /// The spaces with any counter, with a counter of seat 1, with a vertical and with a horizontal bonus counter.
    #[inline]
    pub const fn built(&self) -> [u64; 4] {
        self.castle.words()
    }

    /// The counters of a seat that lie neither in the castle nor in the discard pile: its hand and its pile together, which
    /// everybody can work out. In the order of [`Kind::ALL`].
    pub fn unseen(&self, seat: Seat) -> [u8; 6] {
        let unseen = self.hands[seat.index()].plus(self.piles[seat.index()]);
        Kind::ALL.map(|kind| unseen.get(kind) as u8)
    }

    /// How many counters a seat holds, which everybody sees.
    pub fn hand_size(&self, seat: Seat) -> u8 {
        self.hands[seat.index()].total() as u8
    }

    /// The hand of a seat, for that seat alone. In the order of [`Kind::ALL`].
    pub fn hand(&self, seat: Seat) -> [u8; 6] {
        Kind::ALL.map(|kind| self.hands[seat.index()].get(kind) as u8)
    }
}
