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
    fn partners_win_together_and_do_not_tie_with_each_other() {
        assert_eq!(winners([5, 1, 5, 1], |seat| seat.number() % 2), [0, 2]);
    }
}
