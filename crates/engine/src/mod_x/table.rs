//! What an evaluation needs of a position, read once: the boards as masks and what is filled for each colour.

use quincunx_core::{Game, Seat};
use quincunx_games::ModX;

use super::shapes::{Filled, bits};

/// One seat's part of the table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Colour {
    /// Own X-pieces and jokers.
    pub(super) have: u64,
    /// Where the own marker lies on top.
    pub(super) tops: u64,
    /// Placements still open, by how far they are filled.
    pub(super) filled: Filled,
    /// Free squares that complete a placement.
    pub(super) gaps: u64,
    pub(super) supply: u8,
    pub(super) markers: u8,
    /// What the side lacks to the target.
    pub(super) needed: u8,
}

/// A position as the evaluation sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) colours: [Colour; Seat::MAX as usize],
    pub(super) seats: usize,
    /// The side of each seat.
    pub(super) sides: [u8; Seat::MAX as usize],
    pub(super) jokers: u64,
    /// Squares with any marker.
    pub(super) marked: u64,
    pub(super) target: u8,
    /// Who places next.
    pub(super) next: Seat,
}

/// What completing placements brings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct Gain {
    /// Points won.
    pub(super) points: u8,
    /// How many of these were another side's.
    pub(super) taken: u8,
}

impl Table {
    pub(super) fn of(game: &ModX) -> Self {
        let seats = game.seats();
        let jokers = game.jokers_mask();
        let mut table = Self {
            colours: Default::default(),
            seats: seats.into(),
            sides: [0; Seat::MAX as usize],
            jokers,
            marked: 0,
            target: game.target(),
            next: game.next_to_place(),
        };
        let mut points = [0; Seat::MAX as usize];
        let mut occupied = jokers;
        for seat in Seat::all(seats) {
            let side = game.side(seat);
            table.sides[seat.index()] = side;
            let tops = game.tops_mask(seat);
            table.marked |= tops;
            points[side as usize] += tops.count_ones() as u8;
            occupied |= game.pieces_mask(seat);
        }
        for seat in Seat::all(seats) {
            let have = game.pieces_mask(seat) | jokers;
            let filled = Filled::count(have, occupied & !have);
            let gaps = filled.placements(4).fold(0, |gaps, placement| gaps | placement & !have);
            table.colours[seat.index()] = Colour {
                have,
                tops: game.tops_mask(seat),
                filled,
                gaps,
                supply: game.supply(seat),
                markers: game.markers(seat),
                needed: game.target().saturating_sub(points[game.side(seat) as usize]),
            };
        }
        table
    }

    /// What the scorer gets for scoring these squares, which hold pieces of any colour or jokers.
    #[inline]
    pub(super) fn gain(&self, scorer: usize, union: u64) -> Gain {
        let colour = &self.colours[scorer];
        let own_side = self.side_tops(scorer);
        let mut changed = union & !self.jokers & !colour.tops;
        if changed.count_ones() > colour.markers.into() {
            // Markers of others are covered first, a partner's too, in the order of the board.
            let covered = lowest(changed & self.marked, colour.markers);
            changed = covered | lowest(changed & !self.marked, colour.markers - covered.count_ones() as u8);
        }
        let won = changed & !own_side;
        Gain { points: won.count_ones() as u8, taken: (won & self.marked).count_ones() as u8 }
    }

    /// What the scorer gets by placing on this square.
    #[inline]
    pub(super) fn gain_at(&self, scorer: usize, square: u64) -> Gain {
        self.gain(scorer, ModX::complete_of_mask(self.colours[scorer].have | square))
    }

    /// The squares whose top marker is of the seat's side.
    #[inline]
    fn side_tops(&self, seat: usize) -> u64 {
        let same = (0..self.seats).filter(|&other| self.sides[other] == self.sides[seat]);
        same.fold(0, |tops, other| tops | self.colours[other].tops)
    }
}

/// The lowest squares of a set, at most so many.
#[cold]
fn lowest(squares: u64, most: u8) -> u64 {
    bits(squares).take(most.into()).fold(0, |lowest, square| lowest | 1 << square)
}

#[cfg(test)]
mod tests {
    use quincunx_core::{Actor, Scratch, Turn, options_from_json};
    use quincunx_games::mod_x::{Action, Square};
    use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
    use serde_json::json;

    use super::*;

    fn points(game: &ModX, side: u8) -> i32 {
        Seat::all(game.seats()).filter(|&seat| game.side(seat) == side).map(|seat| game.score(seat)).sum()
    }

    #[test]
    fn what_a_completion_brings_is_what_the_rules_give_also_when_markers_run_short() {
        let mut completions = 0;
        for round in 0..900 {
            let (seats, options) = match round % 3 {
                0 => (2, json!({"target": 64})),
                1 => (3, json!({"target": 64, "markers": 7})),
                _ => (4, json!({"target": 64, "markers": 6, "teams": true})),
            };
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(round);
            let mut game = ModX::new(seats, &options_from_json(&options).unwrap()).unwrap();
            while let Turn::Seat(seat) = game.turn() {
                let mut action = game.random(Actor::Seat(seat), &mut rng, &mut Scratch::default());
                if game.is_placing() {
                    let table = Table::of(&game);
                    let side = game.side(seat);
                    for gap in bits(table.colours[seat.index()].gaps) {
                        let mut after = game.clone();
                        action = Action::Place(Square::from_index(gap));
                        after.play(Actor::Seat(seat), action);
                        let gain = table.gain_at(seat.index(), 1 << gap);
                        assert_eq!(i32::from(gain.points), points(&after, side) - points(&game, side));
                        let of_others = |game: &ModX| -> i32 {
                            Seat::all(seats)
                                .filter(|&other| game.side(other) != side)
                                .map(|other| game.score(other))
                                .sum()
                        };
                        assert_eq!(i32::from(gain.taken), of_others(&game) - of_others(&after));
                        completions += 1;
                    }
                }
                game.play(Actor::Seat(seat), action);
            }
        }
        assert!(completions > 300, "{completions}");
    }
}
