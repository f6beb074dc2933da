//! The chance to win of a castle that is not complete: what towers and rows will bring, and how sure that is.

use quincunx_games::castle_builders::Kind;

use super::{
    search::{Holding, State},
    site::{Heap, KINDS, Layout, MOST},
};
use crate::math::logistic;

/// Beyond so many logits a chance could not be told from certainty.
const SUREST: f32 = 12.0;

/// What can be set about the evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Weights {
    /// How likely a full tower falls that the other seat has many counters to remove from.
    pub(super) falls: f32,
    /// How many removers make half of that.
    pub(super) half_falls: f32,
    /// How much a remover in the hand counts, against one that comes from the pile before the end.
    pub(super) at_hand: f32,
    /// How likely the seat on turn gets a tower, by its free spaces from 1.
    pub(super) mover: [f32; 4],
    /// The same for towers with one free space if there are several: only one can be closed at once.
    pub(super) several: f32,
    /// The share of its points that a tower or row brings more for each free space and each bonus counter that can come.
    pub(super) bonus: f32,
    /// What being on turn is worth in points.
    pub(super) turn: f32,
    /// What a counter of each kind in the hand is worth in points.
    pub(super) hand: [f32; KINDS],
    /// How sharply the points that can be expected decide, and a variance that is there besides that of prizes.
    pub(super) sharpness: f32,
    pub(super) variance: f32,
}

impl Default for Weights {
    /// Rounded from a fit to the results of 4,000 games of the player against itself at 400 nodes (142,802 positions), which
    /// brought the log loss of a fifth of them that was held out from 0.695 to 0.633. `at_hand` is set by hand: the fit
    /// has it at 0, as `hand` says the same, but a remover in a hand does bring towers down.
    fn default() -> Self {
        Self {
            falls: 0.9,
            half_falls: 6.0,
            at_hand: 0.5,
            mover: [0.97, 0.46, 0.5, 0.48],
            several: 0.7,
            bonus: 0.02,
            turn: 1.8,
            hand: [0.0, 14.0, 4.2, 2.9, 16.5, 3.0],
            sharpness: 0.78,
            variance: 1.8,
        }
    }
}

/// How likely a row with this lead and so many free spaces is won, if each space is filled by either with equal chance.
#[derive(Clone, Debug)]
pub(super) struct RowChances([[f32; 2 * MOST + 1]; MOST + 1]);

impl Default for RowChances {
    fn default() -> Self {
        let mut table = [[0.0; 2 * MOST + 1]; MOST + 1];
        for (free, line) in table.iter_mut().enumerate() {
            for (place, chance) in line.iter_mut().enumerate() {
                let lead = place as i32 - MOST as i32;
                let mut ways = 1.0;
                for own in 0..=free {
                    if lead + 2 * own as i32 > free as i32 {
                        *chance += ways / (1_u32 << free) as f32;
                    }
                    ways *= (free - own) as f32 / (own + 1) as f32;
                }
            }
        }
        Self(table)
    }
}

impl RowChances {
    #[inline]
    pub(super) fn of(&self, free: u32, lead: i32) -> f32 {
        self.0[free as usize][(lead + MOST as i32) as usize]
    }
}

/// The sum of the prizes: what yellow gets more than green, and how much that can vary.
#[derive(Default)]
struct Prospect {
    mean: f32,
    variance: f32,
}

impl Prospect {
    /// A prize that each seat gets with some chance, and what it then is worth to this seat.
    #[inline]
    fn add(&mut self, chances: [f32; 2], points: [f32; 2]) {
        let mean = chances[0] * points[0] - chances[1] * points[1];
        self.mean += mean;
        self.variance += chances[0] * points[0] * points[0] + chances[1] * points[1] * points[1] - mean * mean;
    }
}

/// What the counters of a seat are good for.
struct Means {
    /// How many bonus counters can come.
    bonus: f32,
    /// How much the removers threaten full towers of the other seat, from 0.
    threat: f32,
    /// What the hand is worth in points.
    hand: f32,
}

impl Means {
    /// With so many spaces to be filled.
    fn of(holding: &Holding, free: u32, weights: &Weights) -> Self {
        let removers =
            |heap: &Heap| f32::from(heap.0[Kind::Remove as usize] + heap.0[Kind::RemoveAndContinue as usize]);
        let (total, owed) = (holding.pile.total() as f32, f32::from(holding.owed));
        // The share of the pile that is in the hand, and the one that comes: each seat draws about half as many counters as
        // there are spaces to be filled.
        let each = 1.0 / total.max(1.0);
        let drawn = owed * each;
        let later = (0.5 * free as f32).min(total - owed) * each;
        let bonus = Kind::Bonus as usize;
        let threat =
            weights.at_hand * removers(&holding.held) + (weights.at_hand * drawn + later) * removers(&holding.pile);
        let hand = weights.hand.iter().zip(holding.held.0).zip(holding.pile.0);
        Self {
            bonus: f32::from(holding.held.0[bonus]) + (drawn + later) * f32::from(holding.pile.0[bonus]),
            threat: weights.falls * threat / (threat + weights.half_falls),
            hand: hand.map(|((weight, held), pile)| weight * (f32::from(held) + drawn * f32::from(pile))).sum(),
        }
    }
}

/// The chance that yellow wins.
pub(super) fn evaluate(state: &State, layout: &Layout, rows: &RowChances, weights: &Weights) -> f32 {
    let State { site, holdings: [yellow, green], on_turn } = state;
    let free = site.free(layout);
    let means = [yellow, green].map(|holding| Means::of(holding, free, weights));
    let mut prospect = Prospect::default();
    let worth = |value: u8, bonus: [bool; 2], free: u32| {
        [0, 1].map(|seat: usize| {
            let value = f32::from(value);
            if bonus[seat] { 2.0 * value } else { value * (1.0 + weights.bonus * means[seat].bonus * free as f32) }
        })
    };
    let several = layout.towers().filter(|&number| site.tower(layout, number).free == 1).count() > 1;
    for number in layout.towers() {
        let tower = site.tower(layout, number);
        let yellow = match (tower.free, tower.top) {
            (0, Some(0)) => 1.0 - means[1].threat,
            (0, Some(_)) => means[0].threat,
            (free, _) => {
                let mover = match free {
                    1 if several => weights.several,
                    _ => weights.mover.get(free as usize - 1).copied().unwrap_or(0.5),
                };
                if *on_turn == 0 { mover } else { 1.0 - mover }
            }
        };
        prospect.add([yellow, 1.0 - yellow], worth(layout.roofs[number], tower.bonus, tower.free));
    }
    for number in layout.rows() {
        let row = site.row(layout, number);
        let lead = row.counters[0] as i32 - row.counters[1] as i32;
        let chances = [lead, -lead].map(|lead| rows.of(row.free, lead));
        prospect.add(chances, worth(layout.rows[number], row.bonus, row.free));
    }
    let turn = if *on_turn == 0 { weights.turn } else { -weights.turn };
    let lead = prospect.mean + turn + means[0].hand - means[1].hand;
    // The logistic function with a factor of 1.702 is the normal distribution within a hundredth.
    let deviations = lead / (prospect.variance + weights.variance).sqrt();
    logistic((weights.sharpness * deviations).clamp(-SUREST, SUREST))
}
