//! The chance to win of a castle that is not complete: what towers and rows will bring, and how sure that is.

use std::array::from_fn;

use quincunx_games::castle_builders::Kind;

use super::{
    search::{Holding, State},
    site::{Heap, KINDS, Layout, MOST, rows_of, towers_of},
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
    /// How likely the seat on turn gets a tower, by its free spaces from 1. Beyond four nothing was fitted.
    pub(super) mover: [f32; MOST],
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
            mover: [0.97, 0.46, 0.5, 0.48, 0.5, 0.5, 0.5, 0.5],
            several: 0.7,
            bonus: 0.02,
            turn: 1.8,
            hand: [0.0, 14.0, 4.2, 2.9, 16.5, 3.0],
            sharpness: 0.78,
            variance: 1.8,
        }
    }
}

/// How likely each seat wins a row with this lead and so many free spaces, if each space is filled by either with equal chance.
#[derive(Clone, Debug)]
pub(super) struct RowChances([[[f32; 2]; 2 * MOST + 1]; MOST + 1]);

impl Default for RowChances {
    fn default() -> Self {
        let chance = |free: usize, lead: i32| {
            let (mut chance, mut ways) = (0.0, 1.0);
            for own in 0..=free {
                if lead + 2 * own as i32 > free as i32 {
                    chance += ways / (1_u32 << free) as f32;
                }
                ways *= (free - own) as f32 / (own + 1) as f32;
            }
            chance
        };
        let leads = |lead: usize| [lead as i32 - MOST as i32, MOST as i32 - lead as i32];
        Self(from_fn(|free| from_fn(|place| leads(place).map(|lead| chance(free, lead)))))
    }
}

impl RowChances {
    #[inline]
    pub(super) fn of(&self, free: u32, lead: i32) -> [f32; 2] {
        self.0[free as usize][(lead + MOST as i32) as usize]
    }
}

/// What the counters of a seat are good for.
#[derive(Debug, Default)]
struct Means {
    /// How many times its points a tower or row brings, by its free spaces in which bonus counters can come.
    factors: [f32; MOST + 1],
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
        let bonus = f32::from(holding.held.0[bonus]) + (drawn + later) * f32::from(holding.pile.0[bonus]);
        let threat =
            weights.at_hand * removers(&holding.held) + (weights.at_hand * drawn + later) * removers(&holding.pile);
        let hand = weights.hand.iter().zip(holding.held.0).zip(holding.pile.0);
        Self {
            factors: from_fn(|free| 1.0 + weights.bonus * bonus * free as f32),
            threat: weights.falls * threat / (threat + weights.half_falls),
            hand: hand.map(|((weight, held), pile)| weight * (f32::from(held) + drawn * f32::from(pile))).sum(),
        }
    }
}

/// A tower or row: what yellow gets more for it than green, and how much that can vary.
#[derive(Clone, Copy, Debug, Default)]
struct Prize {
    mean: f32,
    variance: f32,
}

impl Prize {
    /// Each seat gets it with some chance, and what it then is worth to this seat.
    #[inline]
    fn of(chances: [f32; 2], points: [f32; 2]) -> Self {
        let mean = chances[0] * points[0] - chances[1] * points[1];
        let variance = chances[0] * points[0] * points[0] + chances[1] * points[1] * points[1] - mean * mean;
        Self { mean, variance }
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        Self { mean: self.mean + other.mean, variance: self.variance + other.variance }
    }
}

/// Judges positions. From one play to the next with the same counter, one or two towers and rows change: the rest is kept.
#[derive(Debug)]
pub(super) struct Evaluator<'a> {
    layout: &'a Layout,
    row_chances: &'a RowChances,
    weights: &'a Weights,
    /// The position that was judged last, and what was found there.
    last: State,
    /// No space is free before the first position, and in no other one.
    free: u32,
    several: bool,
    means: [Means; 2],
    towers: [Prize; MOST],
    rows: [Prize; MOST],
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(layout: &'a Layout, row_chances: &'a RowChances, weights: &'a Weights) -> Self {
        Self {
            layout,
            row_chances,
            weights,
            last: State::default(),
            free: 0,
            several: false,
            means: Default::default(),
            towers: Default::default(),
            rows: Default::default(),
        }
    }

    /// The chance that yellow wins.
    pub(super) fn evaluate(&mut self, state: &State) -> f32 {
        let Self { layout, weights, .. } = *self;
        let site = &state.site;
        let (free, several) = (site.free(layout), site.has_several_nearly_full(layout));
        let mut changed = if (several, state.on_turn) == (self.several, self.last.on_turn) {
            site.changed(&self.last.site)
        } else {
            layout.spaces()
        };
        for seat in [0, 1] {
            let holding = &state.holdings[seat];
            if free != self.free || *holding != self.last.holdings[seat] {
                self.means[seat] = Means::of(holding, free, weights);
                changed = layout.spaces();
            }
        }
        (self.last, self.free, self.several) = (*state, free, several);
        self.judge_towers(changed);
        self.judge_rows(changed);

        let prizes = self.towers[layout.towers()].iter().chain(&self.rows[layout.rows()]);
        let prospect = prizes.copied().fold(Prize::default(), Prize::and);
        let turn = if state.on_turn == 0 { weights.turn } else { -weights.turn };
        let lead = prospect.mean + turn + self.means[0].hand - self.means[1].hand;
        // The logistic function with a factor of 1.702 is the normal distribution within a hundredth.
        let deviations = lead / (prospect.variance + weights.variance).sqrt();
        logistic((weights.sharpness * deviations).clamp(-SUREST, SUREST))
    }

    #[inline]
    fn judge_towers(&mut self, changed: u64) {
        for number in towers_of(changed) {
            let tower = self.last.site.tower(self.layout, number);
            let yellow = match (tower.free, tower.top) {
                (0, Some(0)) => 1.0 - self.means[1].threat,
                (0, _) => self.means[0].threat,
                (free, _) => {
                    let mover = match free {
                        1 if self.several => self.weights.several,
                        _ => self.weights.mover[free as usize - 1],
                    };
                    if self.last.on_turn == 0 { mover } else { 1.0 - mover }
                }
            };
            let points = self.points(self.layout.roofs[number], tower.bonus, tower.free);
            self.towers[number] = Prize::of([yellow, 1.0 - yellow], points);
        }
    }

    #[inline]
    fn judge_rows(&mut self, changed: u64) {
        for number in rows_of(changed) {
            let row = self.last.site.row(self.layout, number);
            let lead = row.counters[0] as i32 - row.counters[1] as i32;
            let points = self.points(self.layout.rows[number], row.bonus, row.free);
            self.rows[number] = Prize::of(self.row_chances.of(row.free, lead), points);
        }
    }

    /// What a tower or row with so many free spaces is worth to each seat that gets it.
    #[inline]
    fn points(&self, value: u8, bonus: [bool; 2], free: u32) -> [f32; 2] {
        let factor = |seat: usize| if bonus[seat] { 2.0 } else { self.means[seat].factors[free as usize] };
        [0, 1].map(|seat| f32::from(value) * factor(seat))
    }
}
