//! A round robin of many players, and the ratings that come out of it: the Bradley-Terry model with a prior, and intervals
//! that count rounds, not games, as observations.

use std::{collections::BTreeMap, f64::consts::LN_10};

use crate::stats::NINETY_FIVE;

/// Every pair of players, by their numbers.
pub fn pairings(players: usize) -> Vec<[usize; 2]> {
    (0..players).flat_map(|one| (one + 1..players).map(move |other| [one, other])).collect()
}

/// Results between pairs of players, and what they are worth as ratings.
#[derive(Clone, Debug)]
pub struct Standings {
    players: usize,
    /// For each pair, with the lower number first, its rounds by their numbers.
    rounds: BTreeMap<[usize; 2], BTreeMap<u32, Round>>,
}

/// The games of a round: they come from one opening and one row of draws, and depend on each other.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    games: f64,
    /// The points of the first of the two players.
    points: f64,
}

/// How strong a player is compared with the others: a hundred points more are 64 % of the points, two hundred 76 %. The
/// middle of the field has 1500.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    pub rating: f64,
    /// The 95 % interval.
    pub low: f64,
    pub high: f64,
}

const MIDDLE: f64 = 1500.0;
/// Rating points of one logit.
const POINTS: f64 = 400.0 / LN_10;
/// The prior: everybody has drawn so many games with an average player. Without it, who won all games would be infinitely
/// strong.
const IMAGINED_DRAWS: f64 = 2.0;

impl Standings {
    pub fn new(players: usize) -> Self {
        Self { players, rounds: BTreeMap::new() }
    }

    /// Adds a game of a round with the points of the first player, from 0 to 1.
    pub fn add(&mut self, [one, other]: [usize; 2], round: u32, points: f64) {
        let (pair, points) = if one < other { ([one, other], points) } else { ([other, one], 1.0 - points) };
        let round = self.rounds.entry(pair).or_default().entry(round).or_default();
        round.games += 1.0;
        round.points += points;
    }

    /// Games and points of a player against another one.
    fn between(&self, player: usize, other: usize) -> Round {
        let rounds = self.rounds.get(&[player.min(other), player.max(other)]).into_iter().flat_map(BTreeMap::values);
        let sum = rounds.fold(Round::default(), |sum, round| Round {
            games: sum.games + round.games,
            points: sum.points + round.points,
        });
        if player < other { sum } else { Round { points: sum.games - sum.points, ..sum } }
    }

    fn others(&self, player: usize) -> impl Iterator<Item = usize> {
        (0..self.players).filter(move |&other| other != player)
    }

    pub fn games(&self, player: usize) -> usize {
        self.others(player).map(|other| self.between(player, other).games as usize).sum()
    }

    pub fn points(&self, player: usize) -> f64 {
        self.others(player).map(|other| self.between(player, other).points).sum()
    }

    /// The share of the points that a player got against another one, if they have played.
    pub fn against(&self, player: usize, other: usize) -> Option<f64> {
        let Round { games, points } = self.between(player, other);
        (games > 0.0).then(|| points / games)
    }

    /// A rating for each player.
    pub fn ratings(&self) -> Vec<Rating> {
        let strengths = self.strengths();
        let covariance = self.covariance(&strengths);
        // Only differences mean something: everybody is compared with the mean of the field.
        let players = self.players as f64;
        let mean = strengths.iter().sum::<f64>() / players;
        let shared = covariance.iter().flatten().sum::<f64>() / (players * players);
        (0..self.players)
            .map(|player| {
                let rating = MIDDLE + POINTS * (strengths[player] - mean);
                let with_mean = covariance[player].iter().sum::<f64>() / players;
                let variance = covariance[player][player] - 2.0 * with_mean + shared;
                let error = NINETY_FIVE * POINTS * variance.max(0.0).sqrt();
                Rating { rating, low: rating - error, high: rating + error }
            })
            .collect()
    }

    /// The likeliest strengths in logits, by Newton's method: the likelihood is concave, and the prior keeps its top finite.
    fn strengths(&self) -> Vec<f64> {
        const PASSES: u32 = 100;
        let mut strengths = vec![0.0; self.players];
        for _ in 0..PASSES {
            let mut gradient: Vec<f64> = strengths.iter().map(|&own| IMAGINED_DRAWS * (0.5 - chance(own))).collect();
            for (&[one, other], rounds) in &self.rounds {
                let expected = chance(strengths[one] - strengths[other]);
                let more: f64 = rounds.values().map(|round| round.points - round.games * expected).sum();
                gradient[one] += more;
                gradient[other] -= more;
            }
            let inverse = inverse(self.information(&strengths));
            let mut longest = 0.0_f64;
            for (strength, row) in strengths.iter_mut().zip(&inverse) {
                let step: f64 = row.iter().zip(&gradient).map(|(cell, slope)| cell * slope).sum();
                longest = longest.max(step.abs());
                // Far from the top the curve is flat, and a whole step would lead beyond it.
                *strength += step.clamp(-1.0, 1.0);
            }
            if longest < 1e-10 {
                break;
            }
        }
        strengths
    }

    /// The Fisher information of the games and of the prior.
    fn information(&self, strengths: &[f64]) -> Matrix {
        self.sum(strengths, |rounds, chance| games(rounds) * chance * (1.0 - chance))
    }

    /// How uncertain the strengths are together: the sandwich of the inverse information and of how much rounds really vary.
    fn covariance(&self, strengths: &[f64]) -> Matrix {
        /// A few rounds that happen to be alike prove little about how much they vary, so the variance of the model counts
        /// as so many rounds more.
        const WEIGHT: f64 = 8.0;
        let inverse = inverse(self.information(strengths));
        let variation = self.sum(strengths, |rounds, chance| {
            let number = rounds.len() as f64;
            let seen: f64 = rounds.values().map(|round| (round.points - round.games * chance).powi(2)).sum();
            let of_model = games(rounds) * chance * (1.0 - chance) / number;
            number * (seen + WEIGHT * of_model) / (number + WEIGHT)
        });
        product(&product(&inverse, &variation), &inverse)
    }

    /// A matrix that the pairs add up to, each with a weight for its rounds, given the chance of its first player; and the prior.
    fn sum(&self, strengths: &[f64], weight: impl Fn(&BTreeMap<u32, Round>, f64) -> f64) -> Matrix {
        let mut matrix = vec![vec![0.0; self.players]; self.players];
        for (player, &own) in strengths.iter().enumerate() {
            matrix[player][player] = IMAGINED_DRAWS * chance(own) * chance(-own);
        }
        for (&[one, other], rounds) in &self.rounds {
            let weight = weight(rounds, chance(strengths[one] - strengths[other]));
            matrix[one][one] += weight;
            matrix[other][other] += weight;
            matrix[one][other] -= weight;
            matrix[other][one] -= weight;
        }
        matrix
    }
}

fn games(rounds: &BTreeMap<u32, Round>) -> f64 {
    rounds.values().map(|round| round.games).sum()
}

/// The share of the points that a player gets who is stronger by so many logits.
fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

type Matrix = Vec<Vec<f64>>;

/// By elimination. The matrix is symmetric and positive: the prior adds to its diagonal, and no pivot has to be looked for.
fn inverse(mut matrix: Matrix) -> Matrix {
    let size = matrix.len();
    let mut inverse: Matrix =
        (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for pivot in 0..size {
        let by = matrix[pivot][pivot];
        for column in 0..size {
            matrix[pivot][column] /= by;
            inverse[pivot][column] /= by;
        }
        for row in (0..size).filter(|&row| row != pivot) {
            let times = matrix[row][pivot];
            for column in 0..size {
                matrix[row][column] -= times * matrix[pivot][column];
                inverse[row][column] -= times * inverse[pivot][column];
            }
        }
    }
    inverse
}

fn product(left: &Matrix, right: &Matrix) -> Matrix {
    let cell = |row: &[f64], column: usize| row.iter().zip(right).map(|(cell, other)| cell * other[column]).sum();
    left.iter().map(|row| (0..right.len()).map(|column| cell(row, column)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

    use super::*;

    /// A tournament of players with these strengths in rating points; the games of a round of two are alike as often as said.
    fn tournament(truth: &[f64], rounds: u32, alike: f64, rng: &mut Xoshiro256PlusPlus) -> Standings {
        let mut standings = Standings::new(truth.len());
        for [one, other] in pairings(truth.len()) {
            let chance = chance((truth[one] - truth[other]) / POINTS);
            for round in 0..rounds {
                let first = rng.random_bool(chance);
                let second = if rng.random_bool(alike) { first } else { rng.random_bool(chance) };
                standings.add([one, other], round, f64::from(u8::from(first)));
                standings.add([other, one], round, f64::from(u8::from(!second)));
            }
        }
        standings
    }

    /// The textbook's iteration for the same model (Zermelo): slow, and without derivatives. The average player of the prior
    /// has the strength 1.
    fn by_iteration(standings: &Standings) -> Vec<f64> {
        let players = standings.players;
        let mut strengths = vec![1.0_f64; players];
        for _ in 0..10_000 {
            for player in 0..players {
                let won = IMAGINED_DRAWS / 2.0 + standings.points(player);
                let met: f64 = (0..players)
                    .filter(|&other| other != player)
                    .map(|other| standings.between(player, other).games / (strengths[player] + strengths[other]))
                    .sum();
                strengths[player] = won / (met + IMAGINED_DRAWS / (strengths[player] + 1.0));
            }
        }
        let logs: Vec<f64> = strengths.iter().map(|strength| strength.ln() * POINTS).collect();
        let mean = logs.iter().sum::<f64>() / players as f64;
        logs.iter().map(|log| MIDDLE + log - mean).collect()
    }

    #[test]
    fn everybody_plays_everybody_once() {
        assert_eq!(pairings(3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(pairings(5).len(), 10);
    }

    #[test]
    fn points_are_counted_for_both() {
        let mut standings = Standings::new(3);
        standings.add([0, 1], 0, 1.0);
        standings.add([1, 0], 0, 0.5);
        assert_eq!((standings.points(0), standings.points(1), standings.games(2)), (1.5, 0.5, 0));
        assert_eq!((standings.games(0), standings.games(1)), (2, 2));
        assert_eq!(
            (standings.against(0, 1), standings.against(1, 0), standings.against(1, 2)),
            (Some(0.75), Some(0.25), None)
        );
    }

    #[test]
    fn ratings_are_those_of_the_textbooks_iteration() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut some = tournament(&[200.0, 50.0, 0.0, -250.0], 10, 0.3, &mut rng);
        // Not everybody has played equally often, and one has lost everything.
        (0..7).for_each(|round| some.add([3, 0], 100 + round, 0.0));
        for (standings, rating) in [(&some, some.ratings()), (&Standings::new(2), Standings::new(2).ratings())] {
            for (rating, slow) in rating.iter().zip(by_iteration(standings)) {
                assert!((rating.rating - slow).abs() < 1e-3, "{rating:?} {slow}");
            }
        }
    }

    #[test]
    fn two_players_rated_by_a_score_of_three_quarters_are_191_points_apart_but_for_the_prior() {
        let mut standings = Standings::new(2);
        (0..400).for_each(|round| {
            standings.add([0, 1], round, 1.0);
            standings.add([0, 1], round, 0.5);
        });
        let ratings = standings.ratings();
        assert!((ratings[0].rating - ratings[1].rating - 190.8).abs() < 1.0, "{ratings:?}");
        assert!((ratings[0].rating + ratings[1].rating - 3000.0).abs() < 1e-6);
    }

    #[test]
    fn more_games_leave_less_doubt_and_a_clean_sweep_leaves_some() {
        let sweep = |rounds| {
            let mut standings = Standings::new(2);
            (0..rounds).for_each(|round| standings.add([0, 1], round, 1.0));
            standings.ratings()[0]
        };
        let (none, few, many) = (sweep(0), sweep(10), sweep(1000));
        assert!(few.rating > 1550.0 && many.rating > few.rating && (none.rating - 1500.0).abs() < 1e-9);
        assert!(few.high - few.rating > 50.0 && many.high - many.rating > 20.0, "{few:?} {many:?}");
        assert!(none.high - none.low > 300.0, "nobody knows anything yet: {none:?}");
    }

    #[test]
    fn nineteen_of_twenty_intervals_hold_the_truth_also_where_the_games_of_a_round_are_alike() {
        let truth = [120.0, 30.0, -30.0, -120.0];
        for alike in [0.0, 0.8] {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
            let mut held = 0;
            for _ in 0..300 {
                let ratings = tournament(&truth, 60, alike, &mut rng).ratings();
                let holds =
                    |(rating, truth): &(&Rating, &f64)| (rating.low..=rating.high).contains(&(MIDDLE + **truth));
                held += ratings.iter().zip(&truth).filter(holds).count();
            }
            assert!((1105..=1170).contains(&held), "{held} of 1200 instead of about 1140, alike {alike}");
        }
    }

    #[test]
    fn intervals_are_as_wide_as_those_of_a_bootstrap_over_rounds() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let standings = tournament(&[100.0, 0.0, -100.0], 100, 0.6, &mut rng);
        let mut drawn: Vec<Vec<f64>> = vec![Vec::new(); 3];
        for _ in 0..300 {
            let mut resampled = Standings::new(3);
            for (&pair, rounds) in &standings.rounds {
                let rounds: Vec<&Round> = rounds.values().collect();
                let again = (0..rounds.len() as u32).map(|number| (number, *rounds[rng.random_range(0..rounds.len())]));
                resampled.rounds.insert(pair, again.collect());
            }
            resampled.ratings().iter().zip(&mut drawn).for_each(|(rating, drawn)| drawn.push(rating.rating));
        }
        for (rating, drawn) in standings.ratings().iter().zip(&mut drawn) {
            drawn.sort_by(f64::total_cmp);
            let (wide, slow) = (rating.high - rating.low, drawn[292] - drawn[7]);
            assert!((wide / slow - 1.0).abs() < 0.15, "{wide} and {slow}");
        }
    }
}
