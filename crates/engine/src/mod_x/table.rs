//! What an evaluation needs of a position, read once: the boards as masks and what is filled for each colour.

use quincunx_core::{Game, Seat};
use quincunx_games::ModX;

use super::shapes::Filled;

/// One seat's part of the table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Colour {
    /// Own X-pieces and jokers.
    pub(super) have: u64,
    /// Where the own marker lies on top.
    pub(super) tops: u64,
    /// Placements still open, by how far they are filled.
    pub(super) filled: Filled,
    /// Free squares that complete a placement.
    pub(super) gaps: u64,
    pub(super) supply: u8,
    pub(super) markers: u8,
    /// What the side lacks to the target.
    pub(super) needed: u8,
}

/// A position as the evaluation sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) colours: [Colour; Seat::MAX as usize],
    pub(super) seats: usize,
    /// The side of each seat.
    pub(super) sides: [u8; Seat::MAX as usize],
    pub(super) jokers: u64,
    /// Squares with any marker.
    pub(super) marked: u64,
    pub(super) target: u8,
    /// Who places next.
    pub(super) next: Seat,
}

/// What completing placements brings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Gain {
    /// Points won.
    pub(super) points: u8,
    /// How many of these were another side's.
    pub(super) taken: u8,
}

impl Table {
    pub(super) fn of(game: &ModX) -> Self {
        let seats = game.seats();
        let jokers = game.jokers_mask();
        let mut table = Self {
            colours: Default::default(),
            seats: seats.into(),
            sides: [0; Seat::MAX as usize],
            jokers,
            marked: 0,
            target: game.target(),
            next: game.next_to_place(),
        };
        let mut points = [0; Seat::MAX as usize];
        let mut occupied = jokers;
        for seat in Seat::all(seats) {
            let side = game.side(seat);
            table.sides[seat.index()] = side;
            let tops = game.tops_mask(seat);
            table.marked |= tops;
            points[side as usize] += tops.count_ones() as u8;
            occupied |= game.pieces_mask(seat);
        }
        for seat in Seat::all(seats) {
            let have = game.pieces_mask(seat) | jokers;
            let filled = Filled::count(have, occupied & !have);
            let gaps = filled.placements(4).fold(0, |gaps, placement| gaps | placement & !have);
            table.colours[seat.index()] = Colour {
                have,
                tops: game.tops_mask(seat),
                filled,
                gaps,
                supply: game.supply(seat),
                markers: game.markers(seat),
                needed: game.target().saturating_sub(points[game.side(seat) as usize]),
            };
        }
        table
    }

    /// What the scorer gets for scoring these squares, which hold pieces of any colour or jokers.
    #[inline]
    pub(super) fn gain(&self, scorer: usize, union: u64) -> Gain {
        let colour = &self.colours[scorer];
        let own_side = self.side_tops(scorer);
        let markable = union & !self.jokers & !colour.tops;
        let partner = markable & own_side;
        let taken = markable & self.marked & !own_side;
        // Markers that do not suffice go to markers of others first, so that the points are the smaller of the two.
        let [new, taken] = [markable & !partner, taken].map(|squares| (squares.count_ones() as u8).min(colour.markers));
        Gain { points: new, taken }
    }

    /// What the scorer gets by placing on this square.
    #[inline]
    pub(super) fn gain_at(&self, scorer: usize, square: u64) -> Gain {
        self.gain(scorer, ModX::complete_of_mask(self.colours[scorer].have | square))
    }

    /// The squares whose top marker is of the seat's side.
    #[inline]
    fn side_tops(&self, seat: usize) -> u64 {
        let same = (0..self.seats).filter(|&other| self.sides[other] == self.sides[seat]);
        same.fold(0, |tops, other| tops | self.colours[other].tops)
    }
}
