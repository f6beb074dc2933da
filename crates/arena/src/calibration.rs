//! Whether what an engine expects is what comes true: reliability in ten bins, expected calibration error, Brier score and log
//! loss with bootstrap intervals by game, and the fit of a correction (Platt scaling).
//!
//! The decisions of a game share its end, so that only games count as single observations.

use quincunx_engine::Correction;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use crate::stats::NINETY_FIVE;

/// What a side expected at a decision, and what it got in the end, both from 0 (lost) to 1 (won).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Forecast {
    pub expected: f32,
    pub actual: f32,
}

/// A number with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// The decisions at which about the same was expected.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bin {
    pub count: u64,
    /// The mean of what was expected; `None` if nothing was.
    pub expected: Option<f64>,
    /// The mean of what came.
    pub actual: Option<Estimate>,
}

/// How far what was expected can be trusted.
#[derive(Clone, PartialEq, Debug)]
pub struct Calibration {
    /// By tenths of what was expected.
    pub bins: [Bin; BINS],
    /// The distance between what was expected and what came in a bin, on average over all decisions.
    pub error: Estimate,
    /// The mean square of what is missing to the end.
    pub brier: Estimate,
    /// The mean of minus the logarithm of the chance that was given to what came.
    pub log_loss: Estimate,
}

pub const BINS: usize = 10;

/// What the games say about their forecasts. The intervals are resampled with this seed.
pub fn calibration(games: &[Vec<Forecast>], seed: u64) -> Calibration {
    resampled(games, seed, 1000)
}

fn resampled(games: &[Vec<Forecast>], seed: u64, times: u32) -> Calibration {
    let sums: Vec<Sums> = games.iter().map(|game| Sums::of(game)).collect();
    let whole = Sums::sum(&sums);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let resamples: Vec<Sums> =
        (0..times).map(|_| Sums::sum((0..sums.len()).map(|_| &sums[rng.random_range(0..sums.len())]))).collect();
    let estimate = |statistic: &dyn Fn(&Sums) -> Option<f64>, most| {
        Some(reflected(statistic(&whole)?, resamples.iter().filter_map(statistic).collect(), most))
    };
    let of_all = |statistic: fn(&Sums) -> f64, most| {
        let some = |sums: &Sums| (sums.count() > 0.0).then(|| statistic(sums));
        estimate(&some, most).unwrap_or(Estimate { value: 0.0, low: 0.0, high: most })
    };
    Calibration {
        bins: std::array::from_fn(|bin| Bin {
            count: whole.bins[bin].count as u64,
            expected: whole.bins[bin].mean_expected(),
            actual: estimate(&|sums| sums.bins[bin].mean_actual(), 1.0),
        }),
        error: of_all(Sums::error, 1.0),
        brier: of_all(|sums| sums.squares / sums.count(), 1.0),
        log_loss: of_all(|sums| sums.losses / sums.count(), f64::INFINITY),
    }
}

/// The interval of a bootstrap, reflected at the estimate: resampling adds as much noise again as there is in the games, and noise
/// makes a calibration error larger. It holds the estimate, and nothing below 0 or above `most`.
fn reflected(value: f64, mut resampled: Vec<f64>, most: f64) -> Estimate {
    resampled.sort_by(f64::total_cmp);
    let quantile = |share: f64| resampled[((resampled.len() - 1) as f64 * share).round() as usize];
    let [low, high] =
        if resampled.is_empty() { [0.0, most] } else { [0.975, 0.025].map(|share| 2.0 * value - quantile(share)) };
    Estimate { value, low: low.clamp(0.0, value), high: high.clamp(value, most) }
}

/// All that the statistics of a set of forecasts need to be known.
#[derive(Clone, Copy, Default)]
struct Sums {
    bins: [BinSums; BINS],
    squares: f64,
    losses: f64,
}

#[derive(Clone, Copy, Default)]
struct BinSums {
    count: f64,
    expected: f64,
    actual: f64,
}

impl BinSums {
    fn mean_expected(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.expected / self.count)
    }

    fn mean_actual(&self) -> Option<f64> {
        (self.count > 0.0).then(|| self.actual / self.count)
    }
}

impl Sums {
    fn of(game: &[Forecast]) -> Self {
        let mut sums = Self::default();
        for forecast in game {
            let [expected, actual] = [forecast.expected, forecast.actual].map(f64::from);
            let bin = &mut sums.bins[((expected * BINS as f64) as usize).min(BINS - 1)];
            bin.count += 1.0;
            bin.expected += expected;
            bin.actual += actual;
            sums.squares += (expected - actual).powi(2);
            sums.losses += log_loss(expected, actual);
        }
        sums
    }

    fn sum<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut sum = Self::default();
        for one in all {
            for (sum, bin) in sum.bins.iter_mut().zip(&one.bins) {
                sum.count += bin.count;
                sum.expected += bin.expected;
                sum.actual += bin.actual;
            }
            sum.squares += one.squares;
            sum.losses += one.losses;
        }
        sum
    }

    fn count(&self) -> f64 {
        self.bins.iter().map(|bin| bin.count).sum()
    }

    fn error(&self) -> f64 {
        self.bins.iter().map(|bin| (bin.expected - bin.actual).abs()).sum::<f64>() / self.count()
    }
}

fn log_loss(expected: f64, actual: f64) -> f64 {
    /// Without it a single win that was held for impossible would be all that counts.
    const SURE: f64 = 1e-4;
    let expected = expected.clamp(SURE, 1.0 - SURE);
    -(actual * expected.ln() + (1.0 - actual) * (1.0 - expected).ln())
}

/// A correction that was fitted, with how certain it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    pub scale: Estimate,
    pub shift: Estimate,
}

impl Fit {
    pub fn correction(&self) -> Correction {
        Correction { scale: self.scale.value as f32, shift: self.shift.value as f32 }
    }
}

/// The correction with the least log loss, by Newton's method. Forecasts that are proven stay as they are and say nothing.
/// The intervals take games as observations.
pub fn fit(games: &[Vec<Forecast>]) -> Fit {
    const PASSES: u32 = 50;
    /// No correction at all counts as much as a decision or two: few games, or games in which all went as expected, do not
    /// ask for an infinite one.
    const PRIOR: f64 = 1.0;
    let games: Vec<Vec<Point>> =
        games.iter().map(|game| game.iter().copied().filter_map(Point::of).collect()).collect();
    let at = |[scale, shift]: [f64; 2]| {
        let mut slope =
            Slope { gradient: [PRIOR * (scale - 1.0), PRIOR * shift], curvature: [PRIOR, 0.0, PRIOR], loss: 0.0 };
        slope.loss = PRIOR / 2.0 * ((scale - 1.0).powi(2) + shift.powi(2));
        games.iter().flatten().for_each(|point| slope.add(point, [scale, shift]));
        slope
    };
    let mut parameters = [1.0, 0.0];
    let mut slope = at(parameters);
    for _ in 0..PASSES {
        let mut step = slope.newton(slope.gradient);
        if step.iter().all(|step| step.abs() < 1e-9) {
            break;
        }
        // The loss is convex, but far from its least a whole step may lead up again.
        let next = loop {
            let next = [parameters[0] - step[0], parameters[1] - step[1]];
            if at(next).loss <= slope.loss || step.iter().all(|step| step.abs() < 1e-9) {
                break next;
            }
            step = step.map(|step| step / 2.0);
        };
        parameters = next;
        slope = at(parameters);
    }
    // The sandwich of the inverse curvature and of how much the gradients of games vary.
    let mut variance = [0.0; 2];
    for game in &games {
        let mut own = Slope::default();
        for point in game {
            own.add(point, parameters);
        }
        let pull = slope.newton(own.gradient);
        variance = [variance[0] + pull[0].powi(2), variance[1] + pull[1].powi(2)];
    }
    let estimate = |number: usize| {
        let (value, error) = (parameters[number], NINETY_FIVE * variance[number].sqrt());
        Estimate { value, low: value - error, high: value + error }
    };
    Fit { scale: estimate(0), shift: estimate(1) }
}

/// The same forecasts corrected, those of one half of the games by a fit to the other half: what a fit is worth shows only in
/// games that it has not seen.
pub fn cross_fitted(games: &[Vec<Forecast>]) -> Vec<Vec<Forecast>> {
    let half = |odd: usize| games.iter().skip(odd).step_by(2).cloned().collect::<Vec<_>>();
    let by_the_other = [fit(&half(1)), fit(&half(0))].map(|fit| fit.correction());
    let corrected = |(number, game): (usize, &Vec<Forecast>)| {
        let correction = by_the_other[number % 2];
        game.iter()
            .map(|forecast| Forecast { expected: correction.corrected(forecast.expected), ..*forecast })
            .collect()
    };
    games.iter().enumerate().map(corrected).collect()
}

/// A forecast for the fit.
struct Point {
    logit: f64,
    actual: f64,
}

impl Point {
    fn of(forecast: Forecast) -> Option<Self> {
        /// As near to certain as the correction looks.
        const SURE: f64 = 1e-6;
        let expected = f64::from(forecast.expected);
        let logit = |share: f64| (share / (1.0 - share)).ln();
        (expected > 0.0 && expected < 1.0)
            .then(|| Self { logit: logit(expected.clamp(SURE, 1.0 - SURE)), actual: forecast.actual.into() })
    }
}

/// The log loss at some scale and shift, with its first and second derivatives.
#[derive(Default)]
struct Slope {
    loss: f64,
    gradient: [f64; 2],
    /// By scale twice, by both, by shift twice.
    curvature: [f64; 3],
}

impl Slope {
    fn add(&mut self, point: &Point, [scale, shift]: [f64; 2]) {
        let logit = scale * point.logit + shift;
        let share = 1.0 / (1.0 + (-logit).exp());
        // The logarithm of 1 + exp(logit), of which neither overflows.
        self.loss += logit.max(0.0) + (-logit.abs()).exp().ln_1p() - point.actual * logit;
        let (missing, variance) = (share - point.actual, share * (1.0 - share));
        self.gradient[0] += missing * point.logit;
        self.gradient[1] += missing;
        self.curvature[0] += variance * point.logit * point.logit;
        self.curvature[1] += variance * point.logit;
        self.curvature[2] += variance;
    }

    /// Newton's step for a gradient: the inverse of the curvature, times it.
    fn newton(&self, gradient: [f64; 2]) -> [f64; 2] {
        let [by_scale, by_both, by_shift] = self.curvature;
        let determinant = by_scale * by_shift - by_both * by_both;
        [
            (by_shift * gradient[0] - by_both * gradient[1]) / determinant,
            (by_scale * gradient[1] - by_both * gradient[0]) / determinant,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logistic(logit: f64) -> f64 {
        1.0 / (1.0 + (-logit).exp())
    }

    /// Games with some decisions each, of a side whose true chance is that of `scale * logit + shift`. The decisions of a
    /// game share its end.
    fn games(number: u32, decisions: u32, scale: f64, shift: f64, seed: u64) -> Vec<Vec<Forecast>> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let game = |_| {
            let logit = rng.random_range(-3.0..3.0);
            let actual = f32::from(u8::from(rng.random_bool(logistic(scale * logit + shift))));
            vec![Forecast { expected: logistic(logit) as f32, actual }; decisions as usize]
        };
        (0..number).map(game).collect()
    }

    #[test]
    fn the_numbers_are_those_that_a_person_would_reckon() {
        let forecast = |(expected, actual)| Forecast { expected, actual };
        let games = [vec![(0.25, 0.0), (0.75, 1.0)], vec![(0.75, 0.0), (1.0, 1.0)], vec![(0.25, 0.5), (0.0, 0.0)]];
        let games = games.map(|game| game.into_iter().map(forecast).collect::<Vec<_>>());
        let Calibration { bins, error, brier, log_loss } = calibration(&games, 1);
        assert_eq!(bins.map(|bin| bin.count), [1, 0, 2, 0, 0, 0, 0, 2, 0, 1]);
        assert_eq!((bins[2].expected, bins[2].actual.map(|actual| actual.value)), (Some(0.25), Some(0.25)));
        assert_eq!((bins[7].expected, bins[7].actual.map(|actual| actual.value)), (Some(0.75), Some(0.5)));
        assert_eq!((bins[1].expected, bins[1].actual), (None, None));
        // Two decisions of six are off by a quarter.
        assert!((error.value - 0.25 * 2.0 / 6.0).abs() < 1e-9, "{error:?}");
        assert!((brier.value - (0.0625 * 3.0 + 0.5625) / 6.0).abs() < 1e-9, "{brier:?}");
        let losses = [0.75, 0.75, 0.25, 0.9999, 0.9999].map(f64::ln).iter().sum::<f64>()
            + f64::midpoint(0.25_f64.ln(), 0.75_f64.ln());
        assert!((log_loss.value + losses / 6.0).abs() < 1e-9, "{log_loss:?}");
    }

    #[test]
    fn what_is_expected_rightly_has_next_to_no_error_and_needs_no_correction() {
        let games = games(4000, 3, 1.0, 0.0, 1);
        let measured = resampled(&games, 1, 50);
        assert!(measured.error.value < 0.03 && measured.error.low < 0.01, "{:?}", measured.error);
        for bin in measured.bins.iter().filter(|bin| bin.count > 0) {
            assert!((bin.expected.unwrap() - bin.actual.unwrap().value).abs() < 0.06, "{bin:?}");
        }
        let fit = fit(&games);
        assert!((fit.scale.value - 1.0).abs() < 0.1 && fit.shift.value.abs() < 0.1, "{fit:?}");
    }

    #[test]
    fn a_known_distortion_is_found_and_corrected() {
        for (scale, shift) in [(0.5, 0.0), (1.6, -0.4), (0.8, 0.7)] {
            let games = games(4000, 3, scale, shift, 2);
            let fit = fit(&games);
            assert!((fit.scale.low..=fit.scale.high).contains(&scale), "{scale}: {fit:?}");
            assert!((fit.shift.low..=fit.shift.high).contains(&shift), "{shift}: {fit:?}");
            assert!(fit.scale.high - fit.scale.low < 0.25 && fit.shift.high - fit.shift.low < 0.25, "{fit:?}");
            let (before, after) = (resampled(&games, 1, 20), resampled(&cross_fitted(&games), 1, 20));
            assert!(before.error.value > 0.04 && after.error.value < 0.03, "{:?} {:?}", before.error, after.error);
            assert!(after.brier.value < before.brier.value && after.log_loss.value < before.log_loss.value);
        }
    }

    /// The same by walking downhill in ever smaller steps, with the loss written out.
    fn fit_by_walking(games: &[Vec<Forecast>]) -> [f64; 2] {
        let loss = |[scale, shift]: [f64; 2]| {
            let mut loss = 0.5 * (scale - 1.0).powi(2) + 0.5 * shift.powi(2);
            for forecast in games.iter().flatten().filter(|forecast| forecast.expected > 0.0 && forecast.expected < 1.0)
            {
                let (expected, actual) = (f64::from(forecast.expected), f64::from(forecast.actual));
                let share = logistic(scale * (expected / (1.0 - expected)).ln() + shift);
                loss -= actual * share.ln() + (1.0 - actual) * (1.0 - share).ln();
            }
            loss
        };
        let (mut at, mut step) = ([1.0, 0.0], 1.0);
        while step > 1e-7 {
            let near = [[step, 0.0], [-step, 0.0], [0.0, step], [0.0, -step]].map(|[x, y]| [at[0] + x, at[1] + y]);
            match near.into_iter().find(|&next| loss(next) < loss(at)) {
                Some(next) => at = next,
                None => step /= 2.0,
            }
        }
        at
    }

    #[test]
    fn the_fit_is_that_of_walking_downhill() {
        let mut some = games(60, 2, 0.6, 0.3, 3);
        // Draws, and what is proven.
        some[0][0].actual = 0.5;
        some[1][0] = Forecast { expected: 1.0, actual: 1.0 };
        some[2][0] = Forecast { expected: 0.0, actual: 0.0 };
        // Nothing went otherwise than expected, which asks for an infinite scale; and nothing at all.
        let sure: Vec<Vec<Forecast>> = (0..40)
            .map(|number| vec![Forecast { expected: [0.4, 0.6][number % 2], actual: [0.0, 1.0][number % 2] }])
            .collect();
        for games in [some, sure, Vec::new()] {
            let (fit, walked) = (fit(&games), fit_by_walking(&games));
            let found = [fit.scale.value, fit.shift.value];
            assert!(
                found.iter().zip(walked).all(|(found, walked)| (found - walked).abs() < 1e-4),
                "{found:?} {walked:?}"
            );
        }
    }

    #[test]
    fn about_nineteen_of_twenty_intervals_hold_the_truth_though_decisions_of_a_game_share_its_end() {
        // Brier score and error of very many games stand for the truth.
        let [scale, shift] = [0.6, 0.2];
        let truth = Sums::of(&games(100_000, 1, scale, shift, 9).concat());
        let mut held = [0; 4];
        for seed in 0..100 {
            let games = games(150, 4, scale, shift, 1000 + seed);
            let (measured, fit) = (resampled(&games, 1, 150), fit(&games));
            let holds = |estimate: Estimate, truth: f64| u32::from((estimate.low..=estimate.high).contains(&truth));
            held[0] += holds(measured.error, truth.error());
            held[1] += holds(measured.brier, truth.squares / truth.count());
            held[2] += holds(measured.log_loss, truth.losses / truth.count());
            held[3] += holds(fit.scale, scale);
        }
        assert!(held.iter().all(|held| (86..=100).contains(held)), "{held:?} of 100");
    }
}
