//! How a game ended.

use crate::{Seat, SeatSet};

/// Who won a finished game, and by what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winning seats (all seats of a winning team); empty for a draw.
    pub winners: SeatSet,
    /// The short fixed word of the rules page, such as `five-in-a-row`.
    pub reason: &'static str,
}

impl Outcome {
    pub fn win(winners: impl IntoIterator<Item = Seat>, reason: &'static str) -> Self {
        Self { winners: winners.into_iter().collect(), reason }
    }

    pub const fn draw(reason: &'static str) -> Self {
        Self { winners: SeatSet::EMPTY, reason }
    }

    /// What the outcome is worth to each seat: 1 for the winners and 0 for the others; a draw is shared by the sides.
    pub fn shares(self, seats: u8, side: impl Fn(Seat) -> u8) -> [f32; Seat::MAX as usize] {
        let sides: SeatSet = Seat::all(seats).map(|seat| Seat::new(side(seat))).collect();
        let mut shares = [0.0; Seat::MAX as usize];
        for seat in Seat::all(seats) {
            shares[seat.index()] = match (self.winners.is_empty(), self.winners.contains(seat)) {
                (true, _) => 1.0 / sides.iter().count() as f32,
                (false, true) => 1.0,
                (false, false) => 0.0,
            };
        }
        shares
    }

    /// The side with most points wins; where several sides share the most, it is a draw.
    ///
    /// `points` gives, for each seat, the points of its whole side, and `side` which side that is.
    pub fn most(seats: u8, side: impl Fn(Seat) -> u8, points: impl Fn(Seat) -> i32, reason: &'static str) -> Self {
        let best = Seat::all(seats).map(&points).max().unwrap_or(0);
        let mut leaders = Seat::all(seats).filter(|&seat| points(seat) == best);
        let first = leaders.next().map(&side);
        if leaders.any(|seat| Some(side(seat)) != first) {
            return Self::draw(reason);
        }
        Self::win(Seat::all(seats).filter(|&seat| Some(side(seat)) == first), reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn winners(points: [i32; 4], side: impl Fn(Seat) -> u8) -> Vec<u8> {
        let outcome = Outcome::most(4, side, |seat| points[seat.index()], "points");
        outcome.winners.iter().map(Seat::number).collect()
    }

    #[test]
    fn most_points_win() {
        assert_eq!(winners([1, 5, 3, 0], Seat::number), [1]);
    }

    #[test]
    fn a_tie_for_most_is_a_draw_also_where_only_some_of_the_players_tie() {
        assert!(winners([5, 1, 5, 0], Seat::number).is_empty());
    }

    #[test]
    fn a_win_is_worth_one_and_a_draw_is_shared_by_the_sides() {
        let percent = |shares: [f32; 4]| shares.map(|share| (share * 100.0) as u8);
        let won = Outcome::win([Seat::new(1)], "points");
        assert_eq!(percent(won.shares(3, Seat::number)), [0, 100, 0, 0]);
        assert_eq!(percent(Outcome::draw("points").shares(4, Seat::number)), [25; 4]);
        assert_eq!(percent(Outcome::draw("points").shares(4, |seat| seat.number() % 2)), [50; 4]);
    }

    #[test]
    fn partners_win_together_and_do_not_tie_with_each_other() {
        assert_eq!(winners([5, 1, 5, 1], |seat| seat.number() % 2), [0, 2]);
    }
}
