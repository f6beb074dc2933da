//! The position in numbers, for programs that look at millions of them. Sets of squares are bits: bit 0 is a1, bit 1 is b1,
//! bit 5 is a2; sets of stones are bits in the order of [`Colour::ALL`].

use super::{
    Colour, Figure, Figures,
    shapes::{PLACEMENTS, VALUES},
};

impl Figures {
    /// The squares of the five markers of a colour.
    #[inline]
    pub const fn markers_of(&self, colour: Colour) -> u32 {
        self.markers[colour as usize].0
    }

    /// The stones that a side holds.
    #[inline]
    pub const fn stones_of(&self, side: usize) -> u8 {
        self.hands[side].bits()
    }

    /// The points of a side together.
    #[inline]
    pub fn points_of(&self, side: usize) -> u16 {
        self.side_points(side)
    }

    /// How often each pair of figure and colour was made, up to three times: two bits each.
    #[inline]
    pub const fn times_made(&self) -> u64 {
        self.point_board.0
    }

    /// What a pair of figure and colour is worth that was made this often.
    pub const VALUES: [u8; 4] = VALUES;

    /// The place of a pair's two bits in [`times_made`](Self::times_made).
    #[inline]
    pub const fn place_of(figure: Figure, colour: Colour) -> u32 {
        super::shapes::PointBoard::shift(figure, colour)
    }

    /// Whether the next exchange is the first of the game, which may not make a figure.
    pub const fn is_first_exchange(&self) -> bool {
        !self.exchanged
    }

    /// The points that win.
    pub const fn target(&self) -> u16 {
        self.settled.target
    }

    /// The turns until the limit ends the game.
    pub const fn turns_left(&self) -> u16 {
        self.settled.turn_limit - self.turns
    }

    /// Every placement of every figure that counts at this table.
    pub fn placements(&self) -> impl Iterator<Item = (Figure, u32)> {
        let counts = |family| self.settled.families.includes(family);
        PLACEMENTS.iter().filter(move |placed| counts(placed.family)).map(|placed| (placed.figure, placed.squares.0))
    }
}
