//! A round robin of many players, and the ratings that come out of it.

use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period},
};

/// Every pair of players, by their numbers.
pub fn pairings(players: usize) -> Vec<[usize; 2]> {
    (0..players).flat_map(|one| (one + 1..players).map(move |other| [one, other])).collect()
}

/// Results between pairs of players, and what they are worth as Glicko-2 ratings.
#[derive(Clone, Debug)]
pub struct Standings {
    /// For each player his games: against whom, and the points he got.
    games: Vec<Vec<(usize, f64)>>,
}

impl Standings {
    pub fn new(players: usize) -> Self {
        Self { games: vec![Vec::new(); players] }
    }

    /// Adds a game with the points of the first player, from 0 to 1.
    pub fn add(&mut self, [one, other]: [usize; 2], points: f64) {
        self.games[one].push((other, points));
        self.games[other].push((one, 1.0 - points));
    }

    pub fn games(&self, player: usize) -> usize {
        self.games[player].len()
    }

    pub fn points(&self, player: usize) -> f64 {
        self.games[player].iter().map(|(_, points)| points).sum()
    }

    /// The share of the points that a player got against another one, if they have played.
    pub fn against(&self, player: usize, other: usize) -> Option<f64> {
        let points: Vec<f64> =
            self.games[player].iter().filter(|(opponent, _)| *opponent == other).map(|(_, points)| *points).collect();
        (!points.is_empty()).then(|| points.iter().sum::<f64>() / points.len() as f64)
    }

    /// A rating for each player, with its deviation. The whole tournament is one rating period; it is rated again
    /// from the ratings it leads to, with the first uncertainty, until they stand still, so that a win counts by the
    /// strength of the loser as it came out and not as it was guessed before.
    pub fn ratings(&self) -> Vec<Glicko2Rating> {
        const PASSES: u32 = 50;
        let unknown = Glicko2Rating::new();
        let mut ratings = vec![unknown; self.games.len()];
        for _ in 0..PASSES {
            let rated = self.games.iter().zip(&ratings).map(|(games, own)| {
                let results: Vec<(Glicko2Rating, Outcomes)> =
                    games.iter().map(|&(opponent, points)| (ratings[opponent], outcome(points))).collect();
                let before = Glicko2Rating { rating: own.rating, ..unknown };
                glicko2_rating_period(&before, &results, &Glicko2Config::new())
            });
            ratings = rated.collect();
            // Only differences mean something: the middle of the field stays where it was.
            let shift = unknown.rating - ratings.iter().map(|rating| rating.rating).sum::<f64>() / ratings.len() as f64;
            for rating in &mut ratings {
                rating.rating += shift;
            }
        }
        ratings
    }
}

fn outcome(points: f64) -> Outcomes {
    if points > 0.5 {
        Outcomes::WIN
    } else if points < 0.5 {
        Outcomes::LOSS
    } else {
        Outcomes::DRAW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_plays_everybody_once() {
        assert_eq!(pairings(3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(pairings(5).len(), 10);
    }

    #[test]
    fn points_are_counted_for_both() {
        let mut standings = Standings::new(3);
        standings.add([0, 1], 1.0);
        standings.add([1, 0], 0.5);
        assert_eq!((standings.points(0), standings.points(1), standings.games(2)), (1.5, 0.5, 0));
        assert_eq!((standings.against(0, 1), standings.against(1, 2)), (Some(0.75), None));
    }

    #[test]
    fn the_stronger_is_rated_higher_and_more_games_leave_less_doubt() {
        let play = |games: u32| {
            let mut standings = Standings::new(3);
            for pair in pairings(3) {
                // The lower number wins three games of four.
                (0..games).for_each(|game| standings.add(pair, if game % 4 == 0 { 0.0 } else { 1.0 }));
            }
            standings.ratings()
        };
        let (few, many) = (play(8), play(80));
        assert!(many[0].rating > many[1].rating && many[1].rating > many[2].rating, "{many:?}");
        assert!(many[0].deviation < few[0].deviation, "{many:?} {few:?}");
        assert!((many.iter().map(|rating| rating.rating).sum::<f64>() - 4500.0).abs() < 1e-6);
    }
}
