//! The castle: which counter lies on which space, and what towers and rows are worth.
//!
//! The spaces are bits of a `u64`: a byte for each tower, whose lowest bit is the space at the bottom.

use quincunx_core::Seat;

use super::{
    action::{Building, Tower},
    counters::Kind,
    options::{MOST_ROWS, MOST_TOWERS, Options},
};
use crate::bits::IN_BYTE;

/// From a tower to the next.
const STRIDE: usize = 8;
/// The spaces at the bottom of all towers.
const BOTTOM_ROW: u64 = u64::MAX / 0xff;
const _: () = assert!(MOST_ROWS <= STRIDE && MOST_TOWERS * STRIDE <= u64::BITS as usize);

/// A counter lying in a tower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placed {
    pub(super) owner: Seat,
    pub(super) counter: Building,
}

/// Who gets the points of a tower or a row as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Award {
    pub(super) owner: Option<Seat>,
    /// Whether a bonus counter of the owner doubles them.
    pub(super) doubled: bool,
    pub(super) points: i32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Castle {
    /// All spaces.
    spaces: u64,
    filled: u64,
    /// Spaces with a counter of seat 1.
    green: u64,
    continuation: u64,
    vertical: u64,
    horizontal: u64,
    /// Towers with a free space, as bits.
    open: u8,
    /// Towers with a counter, as bits.
    begun: u8,
    towers: u8,
    roofs: [u8; MOST_TOWERS],
    rows: [u8; MOST_ROWS],
}

/// The part of a tower.
#[inline]
const fn byte(spaces: u64, tower: Tower) -> u64 {
    spaces >> (tower.index() * STRIDE) & 0xff
}

impl Castle {
    /// An empty castle; the options are [checked](Options::check).
    pub(super) fn new(options: &Options) -> Self {
        let spaces_of = |(tower, height): (usize, u32)| ((1 << height) - 1) << (tower * STRIDE);
        let heights = options.heights.iter().map(|height| height.get());
        let towers = options.heights.len();
        let mut castle = Self {
            spaces: heights.enumerate().map(spaces_of).sum(),
            filled: 0,
            green: 0,
            continuation: 0,
            vertical: 0,
            horizontal: 0,
            open: u8::MAX >> (MOST_TOWERS - towers),
            begun: 0,
            towers: towers as u8,
            roofs: [0; MOST_TOWERS],
            rows: [0; MOST_ROWS],
        };
        for (place, value) in castle.roofs.iter_mut().zip(&options.roofs) {
            *place = value.get() as u8;
        }
        for (place, value) in castle.rows.iter_mut().zip(&options.rows) {
            *place = value.get() as u8;
        }
        castle
    }

    pub(super) fn towers(&self) -> impl Iterator<Item = Tower> + use<> {
        (0..self.towers).map(Tower::new)
    }

    /// The rows of the tallest tower, from the bottom.
    pub(super) fn rows(&self) -> std::ops::Range<usize> {
        0..self.towers().map(|tower| self.height(tower)).max().unwrap_or(0)
    }

    pub(super) fn has_tower(&self, tower: Tower) -> bool {
        tower.index() < self.towers as usize
    }

    pub(super) fn number_of_towers(&self) -> u8 {
        self.towers
    }

    /// The number of spaces of a tower.
    pub(super) fn height(&self, tower: Tower) -> usize {
        byte(self.spaces, tower).count_ones() as usize
    }

    /// Towers with a free space.
    #[inline]
    pub(super) const fn open(&self) -> TowerSet {
        TowerSet(self.open)
    }

    /// Towers with a counter.
    #[inline]
    pub(super) const fn begun(&self) -> TowerSet {
        TowerSet(self.begun)
    }

    #[inline]
    pub(super) const fn is_complete(&self) -> bool {
        self.open == 0
    }

    /// Puts a counter on the lowest free space of an open tower.
    #[inline]
    pub(super) fn build(&mut self, owner: Seat, counter: Building, tower: Tower) {
        // The counters of a tower are the lowest bits of its byte, so that one more is the first free space.
        let space = (byte(self.filled, tower) + 1) << (tower.index() * STRIDE);
        self.filled |= space;
        self.green |= space * u64::from(owner.number());
        match counter {
            Building::Ordinary => {}
            Building::Continuation => self.continuation |= space,
            Building::BonusVertical => self.vertical |= space,
            Building::BonusHorizontal => self.horizontal |= space,
        }
        self.begun |= 1 << tower.index();
        let full = byte(self.filled ^ self.spaces, tower) == 0;
        self.open &= !(u8::from(full) << tower.index());
    }

    /// Takes the topmost counter off a tower that has one.
    #[inline]
    pub(super) fn remove(&mut self, tower: Tower) -> (Seat, Kind) {
        let space = (byte(self.filled, tower) + 1) >> 1 << (tower.index() * STRIDE);
        let owner = Seat::new(u8::from(self.green & space != 0));
        let kind = self.kind(space);
        self.filled &= !space;
        self.green &= !space;
        self.continuation &= !space;
        self.vertical &= !space;
        self.horizontal &= !space;
        self.open |= 1 << tower.index();
        let empty = byte(self.filled, tower) == 0;
        self.begun &= !(u8::from(empty) << tower.index());
        (owner, kind)
    }

    #[inline]
    fn kind(&self, space: u64) -> Kind {
        if self.continuation & space != 0 {
            Kind::Continuation
        } else if (self.vertical | self.horizontal) & space != 0 {
            Kind::Bonus
        } else {
            Kind::Ordinary
        }
    }

    /// The counter on a space, if there is one.
    pub(super) fn placed(&self, tower: Tower, row: usize) -> Option<Placed> {
        let space = 1 << (tower.index() * STRIDE + row);
        let counter = match self.kind(space) {
            Kind::Continuation => Building::Continuation,
            Kind::Bonus if self.vertical & space != 0 => Building::BonusVertical,
            Kind::Bonus => Building::BonusHorizontal,
            _ => Building::Ordinary,
        };
        let owner = Seat::new(u8::from(self.green & space != 0));
        (self.filled & space != 0).then_some(Placed { owner, counter })
    }

    /// The spaces with counters of a seat.
    #[inline]
    fn of_seat(&self, seat: Seat) -> u64 {
        if seat.number() == 0 { self.filled & !self.green } else { self.green }
    }

    /// The number of counters of a seat in a row.
    pub(super) fn in_row(&self, row: usize, seat: Seat) -> u32 {
        (self.of_seat(seat) & BOTTOM_ROW << row).count_ones()
    }

    /// Doubled once, however many bonus counters there are.
    fn award(&self, owner: Option<Seat>, value: u8, spaces: u64, bonus: u64) -> Award {
        let doubled = owner.is_some_and(|owner| self.of_seat(owner) & spaces & bonus != 0);
        let points = if owner.is_some() { i32::from(value) << u32::from(doubled) } else { 0 };
        Award { owner, doubled, points }
    }

    /// Points of a tower: they go to the owner of the topmost counter.
    pub(super) fn tower_award(&self, tower: Tower) -> Award {
        let spaces = 0xff << (tower.index() * STRIDE);
        let top = (byte(self.filled, tower) + 1) >> 1 << (tower.index() * STRIDE);
        let owner = (top & self.filled != 0).then(|| Seat::new(u8::from(self.green & top != 0)));
        self.award(owner, self.roofs[tower.index()], spaces, self.vertical)
    }

    /// Points of a row: they go to the player with more counters in it.
    pub(super) fn row_award(&self, row: usize) -> Award {
        let [yellow, green] = [0, 1].map(Seat::new);
        let owner = match self.in_row(row, yellow).cmp(&self.in_row(row, green)) {
            std::cmp::Ordering::Greater => Some(yellow),
            std::cmp::Ordering::Less => Some(green),
            std::cmp::Ordering::Equal => None,
        };
        self.award(owner, self.rows[row], BOTTOM_ROW << row, self.horizontal)
    }

    pub(super) const fn roof(&self, tower: Tower) -> u8 {
        self.roofs[tower.index()]
    }

    pub(super) const fn row_value(&self, row: usize) -> u8 {
        self.rows[row]
    }

    /// All points that go to each seat as the castle stands.
    pub(super) fn scores(&self) -> [i32; 2] {
        let mut scores = [0; 2];
        let towers = self.towers().map(|tower| self.tower_award(tower));
        for award in towers.chain(self.rows().map(|row| self.row_award(row))) {
            if let Some(owner) = award.owner {
                scores[owner.index()] += award.points;
            }
        }
        scores
    }

    /// All spaces, the roofs and the rows.
    pub(super) const fn layout(&self) -> (u64, [u8; MOST_TOWERS], [u8; MOST_ROWS]) {
        (self.spaces, self.roofs, self.rows)
    }

    /// What matters for how the game goes on. Continuation counters in a tower are like ordinary ones.
    pub(super) const fn words(&self) -> [u64; 4] {
        [self.filled, self.green, self.vertical, self.horizontal]
    }
}

/// Some towers of the castle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TowerSet(u8);

impl TowerSet {
    #[inline]
    pub(super) const fn count(self) -> u32 {
        self.0.count_ones()
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) const fn contains(self, tower: Tower) -> bool {
        self.0 >> tower.index() & 1 == 1
    }

    /// The tower with this number in the set, from the left.
    #[inline]
    pub(super) fn nth(self, number: u32) -> Tower {
        Tower::new(IN_BYTE[self.0 as usize][number as usize])
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Tower> {
        (0..self.count()).map(move |number| self.nth(number))
    }
}
