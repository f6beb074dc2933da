//! Who sits where, so that no player gains by their seat.

use quincunx_core::{DynSession, Seat};

/// The ways to seat the players, each equally often in a match: for every seat the number of its player.
///
/// As many players as sides take every rotation. Two players at a table of three or four sides take every seating in
/// which each has as many sides as can be, such as AABB, ABAB and so on. Partners are always the same player.
pub fn seatings(table: &dyn DynSession, players: usize) -> Result<Vec<Vec<usize>>, String> {
    let sides: Vec<usize> = Seat::all(table.seats()).map(|seat| usize::from(table.side(seat))).collect();
    let count = sides.iter().max().map_or(0, |most| most + 1);
    let of_sides: Vec<Vec<usize>> = if players == count {
        (0..count).map(|shift| (0..count).map(|side| (side + shift) % count).collect()).collect()
    } else if players == 2 {
        balanced(count)
    } else {
        let fit = if count == 2 { "2".to_owned() } else { format!("{count}, or 2") };
        return Err(format!("{players} players do not fit a game of {count} sides: give {fit}"));
    };
    Ok(of_sides.into_iter().map(|of_side| sides.iter().map(|&side| of_side[side]).collect()).collect())
}

/// All ways to give sides to two players, as evenly as can be.
fn balanced(sides: usize) -> Vec<Vec<usize>> {
    let even = |second: usize| second == sides / 2 || second == sides.div_ceil(2);
    (0_usize..1 << sides)
        .filter(|set| even(set.count_ones() as usize))
        .map(|set| (0..sides).map(|side| set >> side & 1).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use quincunx_core::find;
    use quincunx_games::GAMES;
    use serde_json::json;

    use super::*;

    fn seated(game: &str, seats: u64, options: &serde_json::Value, players: usize) -> Vec<String> {
        let table = find(GAMES, game).unwrap().start(Some(seats), options).unwrap();
        let letters = |seating: &Vec<usize>| seating.iter().map(|&player| ['A', 'B', 'C', 'D'][player]).collect();
        seatings(&*table, players).unwrap().iter().map(letters).collect()
    }

    #[test]
    fn two_players_change_seats() {
        assert_eq!(seated("trexo", 2, &json!({}), 2), ["AB", "BA"]);
    }

    #[test]
    fn two_players_take_all_six_seatings_of_four_seats() {
        assert_eq!(seated("mod-x", 4, &json!({}), 2), ["BBAA", "BABA", "ABBA", "BAAB", "ABAB", "AABB"]);
        assert_eq!(seated("mod-x", 3, &json!({}), 2).len(), 6);
    }

    #[test]
    fn partners_are_the_same_player() {
        assert_eq!(seated("mod-x", 4, &json!({"teams": true}), 2), ["ABAB", "BABA"]);
        assert_eq!(seated("figures", 4, &json!({}), 2), ["ABAB", "BABA"]);
    }

    #[test]
    fn as_many_players_as_sides_rotate() {
        assert_eq!(seated("x-marks-the-spot", 3, &json!({}), 3), ["ABC", "BCA", "CAB"]);
    }

    #[test]
    fn a_number_of_players_that_does_not_fit_is_refused() {
        let table = find(GAMES, "mod-x").unwrap().start(Some(4), &json!({})).unwrap();
        assert_eq!(seatings(&*table, 3).unwrap_err(), "3 players do not fit a game of 4 sides: give 4, or 2");
        assert!(seatings(&*table, 1).is_err());
        let teams = find(GAMES, "mod-x").unwrap().start(Some(4), &json!({"teams": true})).unwrap();
        assert_eq!(seatings(&*teams, 3).unwrap_err(), "3 players do not fit a game of 2 sides: give 2");
    }
}
