//! A position as 64-bit sets of squares, for engines that look at millions of them. Bit 0 is a1, bit 1 is b1, bit 8 is a2.

use quincunx_core::Seat;

use super::{ModX, Phase, Then, patterns};
use crate::mod_x::board::Squares;

impl ModX {
    /// The squares with an X-piece of this seat.
    #[inline]
    pub fn pieces_mask(&self, seat: Seat) -> u64 {
        self.pieces[seat.index()].0
    }

    /// The squares with a joker.
    #[inline]
    pub fn jokers_mask(&self) -> u64 {
        self.jokers.0
    }

    /// The squares whose top marker is this seat's.
    #[inline]
    pub fn tops_mask(&self, seat: Seat) -> u64 {
        self.tops[seat.index()].0
    }

    /// The X-pieces of this seat that are not on the board.
    #[inline]
    pub fn supply(&self, seat: Seat) -> u8 {
        self.supply[seat.index()]
    }

    /// The score markers of this seat that are not on the board.
    #[inline]
    pub fn markers(&self, seat: Seat) -> u8 {
        self.markers[seat.index()]
    }

    /// The points that win the game.
    #[inline]
    pub fn target(&self) -> u8 {
        self.settled.target
    }

    /// Whether complete patterns must be claimed by touching a piece.
    #[inline]
    pub fn manual_claims(&self) -> bool {
        self.settled.manual
    }

    /// Whether an X-piece is to be placed now.
    #[inline]
    pub fn is_placing(&self) -> bool {
        self.phase == Phase::Place
    }

    /// The lifted jokers, or those of the set-up, that are still in hand.
    #[inline]
    pub fn jokers_in_hand(&self) -> u8 {
        match self.phase {
            Phase::SetUp { left } | Phase::JokersBack { left, .. } => left,
            Phase::Place | Phase::Claim | Phase::Over(_) => 0,
        }
    }

    /// The seat that places the next X-piece, if the game goes on.
    #[inline]
    pub fn next_to_place(&self) -> Seat {
        match self.phase {
            Phase::Place | Phase::JokersBack { then: Then::Place, .. } => self.mover,
            _ => self.mover.next(self.settled.seats),
        }
    }

    /// The squares outside `own` that would complete a placement if they were in it.
    #[inline]
    pub fn gaps_of_mask(own: u64) -> u64 {
        patterns::gaps(Squares(own)).0
    }

    /// The union of all placements whose five squares are in `own`.
    #[inline]
    pub fn complete_of_mask(own: u64) -> u64 {
        patterns::complete(Squares(own)).0
    }

    /// What touching the piece on a square would score: the union of the complete placements through it.
    pub fn claim_mask(&self, square: super::Square) -> u64 {
        self.claimed_by_touching(square).0
    }
}
