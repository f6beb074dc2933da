//! What results prove: scores with error bars, Elo, and when to stop.

/// The points of one player over rounds: a round is every seating once, from the same opening and draws, so that
/// its games depend on each other and only rounds count as single observations.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Score {
    rounds: u32,
    sum: f64,
    squares: f64,
}

/// 95 of 100 intervals of so many standard errors around a measured mean hold the true one.
pub(crate) const NINETY_FIVE: f64 = 1.959_964;

impl Score {
    /// Adds a round with this share of its points, from 0 to 1.
    pub fn add(&mut self, share: f64) {
        self.rounds += 1;
        self.sum += share;
        self.squares += share * share;
    }

    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The share of all points.
    pub fn mean(&self) -> f64 {
        if self.rounds == 0 { 0.5 } else { self.sum / f64::from(self.rounds) }
    }

    /// The variance of a single round. A few rounds that happen to be alike prove nothing about it, so it is drawn
    /// towards that of two games between equals, with the weight of some rounds.
    fn variance(&self) -> f64 {
        const EQUALS: f64 = 0.125;
        const WEIGHT: f64 = 8.0;
        let deviations = self.squares - f64::from(self.rounds) * self.mean() * self.mean();
        (deviations.max(0.0) + WEIGHT * EQUALS) / (f64::from(self.rounds) + WEIGHT)
    }

    /// The 95 % interval of the mean.
    pub fn interval(&self) -> [f64; 2] {
        if self.rounds == 0 {
            return [0.0, 1.0];
        }
        let error = NINETY_FIVE * (self.variance() / f64::from(self.rounds)).sqrt();
        [(self.mean() - error).max(0.0), (self.mean() + error).min(1.0)]
    }

    /// The difference in Elo to an opponent who has the rest of the points.
    pub fn elo(&self) -> Elo {
        let [low, high] = self.interval();
        Elo { difference: elo(self.mean()), low: elo(low), high: elo(high) }
    }
}

/// A difference in Elo with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    pub difference: f64,
    pub low: f64,
    pub high: f64,
}

/// Beyond this a score says no more than "far".
const FAR: f64 = 2000.0;

fn elo(score: f64) -> f64 {
    if score <= 0.0 || score >= 1.0 {
        return if score <= 0.0 { -FAR } else { FAR };
    }
    (-400.0 * (1.0 / score - 1.0).log10()).clamp(-FAR, FAR)
}

/// The score that a difference in Elo predicts.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// A test that stops as soon as the results prove one of two differences in Elo against the other, being wrong once in
/// twenty times.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
}

/// What a test has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The difference is rather the first one.
    Elo0,
    /// The difference is rather the second one.
    Elo1,
}

impl Sprt {
    /// The logarithm of how much likelier the second difference is than the first, for normally distributed rounds.
    pub fn log_likelihood(&self, score: &Score) -> f64 {
        let [s0, s1] = [self.elo0, self.elo1].map(expected);
        f64::from(score.rounds) * (s1 - s0) * (2.0 * score.mean() - s0 - s1) / (2.0 * score.variance())
    }

    fn verdict(&self, score: &Score) -> Option<Verdict> {
        /// Both kinds of error once in twenty times: log(0.95 / 0.05).
        const BOUND: f64 = 2.944_438_979;
        let likelihood = self.log_likelihood(score);
        if likelihood >= BOUND { Some(Verdict::Elo1) } else { (likelihood <= -BOUND).then_some(Verdict::Elo0) }
    }
}

/// A sequential test that runs. What it has decided stays decided: games that were still going on are played to their end,
/// and what they bring may not take a verdict back, as it would then be wrong more often than once in twenty times.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    log_likelihood: f64,
    verdict: Option<Verdict>,
}

impl SequentialTest {
    pub fn new(sprt: Sprt) -> Self {
        Self { sprt, log_likelihood: 0.0, verdict: None }
    }

    /// Looks at the score as it stands, and gives the verdict if there is one, from now or from before.
    pub fn look(&mut self, score: &Score) -> Option<Verdict> {
        if self.verdict.is_none() {
            self.log_likelihood = self.sprt.log_likelihood(score);
            self.verdict = self.sprt.verdict(score);
        }
        self.verdict
    }

    pub fn sprt(&self) -> Sprt {
        self.sprt
    }

    /// As it was when the verdict fell, or at the last look.
    pub fn log_likelihood(&self) -> f64 {
        self.log_likelihood
    }

    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

    use super::*;

    fn score(shares: &[f64]) -> Score {
        let mut score = Score::default();
        for &share in shares {
            score.add(share);
        }
        score
    }

    /// Rounds of two games in each of which the player wins with this chance.
    fn rounds(chance: f64, rounds: u32, rng: &mut Xoshiro256PlusPlus) -> Score {
        let mut score = Score::default();
        for _ in 0..rounds {
            let won = u32::from(rng.random_bool(chance)) + u32::from(rng.random_bool(chance));
            score.add(f64::from(won) / 2.0);
        }
        score
    }

    #[test]
    fn three_of_four_points_are_191_elo() {
        let elo = score(&[1.0, 0.5, 1.0, 0.5]).elo();
        assert!((elo.difference - 190.8).abs() < 0.1, "{elo:?}");
        assert!(elo.low < elo.difference && elo.difference < elo.high);
    }

    #[test]
    fn an_even_score_is_0_elo_and_a_clean_sweep_is_far_with_a_bound_below() {
        assert!(score(&[0.5; 10]).elo().difference.abs() < 1e-9);
        let sweep = score(&[1.0; 50]).elo();
        assert!(sweep.difference == FAR && sweep.low > 300.0 && sweep.low < 1000.0, "{sweep:?}");
    }

    #[test]
    fn nineteen_of_twenty_intervals_hold_the_truth() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let holds = (0..2000).filter(|_| {
            let [low, high] = rounds(0.6, 100, &mut rng).interval();
            (low..=high).contains(&0.6)
        });
        let share = holds.count();
        assert!((1860..=1940).contains(&share), "{share} of 2000 instead of about 1900");
    }

    #[test]
    fn a_test_stops_with_the_right_answer_nearly_always() {
        let sprt = Sprt { elo0: 0.0, elo1: 50.0 };
        for (truth, right) in [(0.0, Verdict::Elo0), (50.0, Verdict::Elo1)] {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
            let mut wrong = 0;
            for _ in 0..200 {
                let mut score = Score::default();
                let verdict = loop {
                    let round = rounds(expected(truth), 1, &mut rng);
                    score.add(round.mean());
                    if let Some(verdict) = sprt.verdict(&score) {
                        break verdict;
                    }
                };
                wrong += u32::from(verdict != right);
            }
            assert!(wrong <= 24, "{wrong} of 200 wrong at {truth} Elo");
        }
    }

    #[test]
    fn what_a_test_has_decided_stays_decided() {
        let mut test = SequentialTest::new(Sprt { elo0: 0.0, elo1: 100.0 });
        let mut score = Score::default();
        assert_eq!(test.look(&score), None);
        while test.look(&score).is_none() {
            score.add(1.0);
        }
        let decided = test.log_likelihood();
        assert!(test.verdict() == Some(Verdict::Elo1) && decided > 2.9, "{test:?}");
        // Games that were still running, all lost: by themselves they would prove the opposite.
        (0..100).for_each(|_| score.add(0.0));
        assert_eq!(SequentialTest::new(test.sprt()).look(&score), Some(Verdict::Elo0));
        assert_eq!((test.look(&score), test.log_likelihood()), (Some(Verdict::Elo1), decided));
    }
}
