//! The six kinds of counters, and heaps of them.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// A kind of counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Ordinary,
    Continuation,
    Bonus,
    Remove,
    RemoveAndContinue,
    Stop,
}

impl Kind {
    pub const ALL: [Self; 6] =
        [Self::Ordinary, Self::Continuation, Self::Bonus, Self::Remove, Self::RemoveAndContinue, Self::Stop];

    /// The letter in action texts.
    pub const fn letter(self) -> char {
        match self {
            Self::Ordinary => 'O',
            Self::Continuation => 'C',
            Self::Bonus => 'B',
            Self::Remove => 'R',
            Self::RemoveAndContinue => 'K',
            Self::Stop => 'S',
        }
    }

    pub(super) fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// Whether it is put into a tower.
    pub const fn is_building(self) -> bool {
        matches!(self, Self::Ordinary | Self::Continuation | Self::Bonus)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ordinary => "ordinary",
            Self::Continuation => "continuation",
            Self::Bonus => "bonus",
            Self::Remove => "remove",
            Self::RemoveAndContinue => "remove-and-continue",
            Self::Stop => "stop",
        })
    }
}

/// A small number for each kind, side by side in one word, so that sums and choices over all kinds take a few
/// instructions. The numbers of a heap add up to less than 512: a colour has at most 6 * 30 counters.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts(u64);

/// Bits for each kind.
const LANE: usize = 10;
const LANE_MASK: u64 = (1 << LANE) - 1;
/// The lowest bit of each lane.
const ONES: u64 = {
    let mut ones = 0;
    let mut lane = 0;
    while lane < Kind::ALL.len() {
        ones |= 1 << (lane * LANE);
        lane += 1;
    }
    ones
};
/// The highest bit of each lane, which sums leave free.
const HIGH: u64 = ONES << (LANE - 1);
const LAST: usize = (Kind::ALL.len() - 1) * LANE;

impl Counts {
    pub(super) fn from_fn(number: impl Fn(Kind) -> u32) -> Self {
        Self(Kind::ALL.into_iter().map(|kind| u64::from(number(kind)) << shift(kind)).sum())
    }

    /// One of this kind and nothing else.
    #[inline]
    pub(super) const fn one(kind: Kind) -> Self {
        Self(1 << shift(kind))
    }

    #[inline]
    pub(super) const fn get(self, kind: Kind) -> u32 {
        (self.0 >> shift(kind) & LANE_MASK) as u32
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// In each lane the sum of this lane and all below; above the lanes there is rubbish.
    #[inline]
    const fn running_sums(self) -> u64 {
        self.0.wrapping_mul(ONES)
    }

    #[inline]
    pub(super) const fn total(self) -> u32 {
        (self.running_sums() >> LAST & LANE_MASK) as u32
    }

    #[inline]
    pub(super) const fn add(&mut self, kind: Kind) {
        self.0 += Self::one(kind).0;
    }

    #[inline]
    pub(super) const fn take(&mut self, kind: Kind) {
        self.0 -= Self::one(kind).0;
    }

    #[must_use]
    pub(super) const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// `times` as many of each.
    #[inline]
    #[must_use]
    const fn times(self, times: u32) -> Self {
        Self(self.0 * times as u64)
    }

    /// If everything is laid out kind by kind: the kind at place `number`, below the total, and its place among
    /// those of its kind.
    #[inline]
    pub(super) const fn pick(self, number: u32) -> (Kind, u32) {
        let sums = self.running_sums();
        // The high bit of a lane stays where the sum is not above the number: these kinds lie before it.
        let before = ((number as u64 * ONES) | HIGH).wrapping_sub(sums) & HIGH;
        let kinds_before = ((before >> (LANE - 1)).wrapping_mul(ONES) >> LAST & LANE_MASK) as usize;
        let counters_before = (sums << LANE) >> (kinds_before * LANE) & LANE_MASK;
        (Kind::ALL[kinds_before], number - counters_before as u32)
    }

    /// How many actions the kinds in a hand allow, if a building counter has `open` towers to go to and a remove
    /// counter `removals` ways to act. A bonus counter lies in either of two ways.
    #[inline]
    pub(super) const fn ways(self, open: u32, removals: u32) -> Self {
        const BUILDING: Counts =
            Counts(Counts::one(Kind::Ordinary).0 + Counts::one(Kind::Continuation).0 + 2 * Counts::one(Kind::Bonus).0);
        const REMOVING: Counts = Counts(Counts::one(Kind::Remove).0 + Counts::one(Kind::RemoveAndContinue).0);
        let of_each = BUILDING.times(open).0 + REMOVING.times(removals).0 + Self::one(Kind::Stop).0;
        // All bits of the lanes that are not empty.
        let held = (self.0 + (HIGH - ONES)) & HIGH;
        Self(of_each & (held - (held >> (LANE - 1))))
    }

    /// The kinds that are there, each once.
    pub(super) fn kinds(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(move |&kind| self.get(kind) > 0)
    }

    pub(super) const fn word(self) -> u64 {
        self.0
    }
}

#[inline]
const fn shift(kind: Kind) -> usize {
    kind as usize * LANE
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.kinds().map(|kind| (kind.letter(), self.get(kind)))).finish()
    }
}
