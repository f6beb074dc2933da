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
    /// Squares without a piece.
    pub(super) free: u64,
    /// The points of each side.
    pub(super) points: [u8; Seat::MAX as usize],
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
            free: 0,
            points: [0; Seat::MAX as usize],
            target: game.target(),
            next: game.next_to_place(),
        };
        let mut occupied = jokers;
        for seat in Seat::all(seats) {
            let side = game.side(seat);
            table.sides[seat.index()] = side;
            let tops = game.tops_mask(seat);
            table.marked |= tops;
            table.points[side as usize] += tops.count_ones() as u8;
            occupied |= game.pieces_mask(seat);
        }
        table.free = !occupied;
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
                needed: game.target().saturating_sub(table.points[game.side(seat) as usize]),
            };
        }
        table
    }

    /// What the scorer gets for scoring these squares, which hold pieces of any colour or jokers.
    #[inline]
    pub(super) fn gain(&self, scorer: usize, union: u64) -> Gain {
        let won = self.won(scorer, union);
        Gain { points: won.count_ones() as u8, taken: (won & self.marked).count_ones() as u8 }
    }

    /// The squares that become points of the scorer's side.
    #[inline]
    fn won(&self, scorer: usize, union: u64) -> u64 {
        let colour = &self.colours[scorer];
        let mut changed = union & !self.jokers & !colour.tops;
        if changed.count_ones() > colour.markers.into() {
            // Markers of others are covered first, a partner's too, in the order of the board.
            let covered = lowest(changed & self.marked, colour.markers);
            changed = covered | lowest(changed & !self.marked, colour.markers - covered.count_ones() as u8);
        }
        changed & !self.side_tops(scorer)
    }

    /// What completing a placement on this square is good for: as [`gain`](Self::gain), but if it takes the last
    /// marker, so that the game ends, it is as good as reaching the target to who has the most points then, and nothing to
    /// anybody else.
    #[inline]
    pub(super) fn prospect(&self, scorer: usize, square: u64) -> Gain {
        let union = ModX::complete_of_mask(self.colours[scorer].have | square);
        let gain = self.gain(scorer, union);
        let Colour { markers, needed, .. } = self.colours[scorer];
        // The square itself gets a marker, too, though nothing stands there yet.
        if gain.points >= needed || (union & !self.jokers).count_ones() < markers.into() {
            return gain;
        }
        self.last_prospect(scorer, union, gain)
    }

    #[cold]
    fn last_prospect(&self, scorer: usize, union: u64, gain: Gain) -> Gain {
        let won = self.won(scorer, union);
        let side = self.sides[scorer];
        let own = u32::from(self.points[side as usize]) + won.count_ones();
        let leads = (0..self.seats).filter(|&other| self.sides[other] != side).all(|other| {
            let lost = (won & self.side_tops(other)).count_ones();
            u32::from(self.points[self.sides[other] as usize]) - lost < own
        });
        if leads { Gain { points: self.colours[scorer].needed, ..gain } } else { Gain::default() }
    }

    /// Whether four play, each for themselves.
    #[inline]
    pub(super) fn is_free_for_all(&self) -> bool {
        self.seats == 4 && self.sides[2] != self.sides[0]
    }

    /// Whether a side has more points than any other.
    pub(super) fn leads(&self, side: u8) -> bool {
        let others = (0..self.seats).filter(|&other| self.sides[other] != side);
        others.map(|other| self.points[self.sides[other] as usize]).all(|points| points < self.points[side as usize])
    }

    /// How many more X-pieces are placed, by all together, before somebody has none left, if nobody gets some back.
    pub(super) fn placements_left(&self) -> u16 {
        let seats = self.seats as u16;
        let left = (0..seats).map(|wait| {
            let seat = (self.next.index() + usize::from(wait)) % self.seats;
            (u16::from(self.colours[seat].supply) * seats + wait + 1).saturating_sub(seats)
        });
        left.min().unwrap_or(0)
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

    fn gain_at(table: &Table, seat: Seat, gap: usize) -> Gain {
        table.gain(seat.index(), ModX::complete_of_mask(table.colours[seat.index()].have | 1 << gap))
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
                        let gain = gain_at(&table, seat, gap);
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

    #[test]
    fn taking_the_last_marker_is_as_good_as_the_target_to_who_has_most_points_then_and_nothing_to_others() {
        let mut ends = [0; 2];
        for round in 0..3000 {
            let (seats, options) = match round % 3 {
                0 => (2, json!({"markers": 8})),
                1 => (3, json!({"markers": 7})),
                _ => (4, json!({"markers": 6, "teams": true})),
            };
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(round);
            let mut game = ModX::new(seats, &options_from_json(&options).unwrap()).unwrap();
            while let Turn::Seat(seat) = game.turn() {
                let mut action = game.random(Actor::Seat(seat), &mut rng, &mut Scratch::default());
                if game.is_placing() {
                    let table = Table::of(&game);
                    for gap in bits(table.colours[seat.index()].gaps) {
                        let mut after = game.clone();
                        action = Action::Place(Square::from_index(gap));
                        after.play(Actor::Seat(seat), action);
                        let prospect = table.prospect(seat.index(), 1 << gap);
                        let needed = table.colours[seat.index()].needed;
                        match after.outcome() {
                            None => assert_eq!(prospect, gain_at(&table, seat, gap)),
                            Some(outcome) if outcome.winners.contains(seat) => {
                                assert!(prospect.points >= needed);
                                ends[0] += 1;
                            }
                            // An end for want of X-pieces cannot be: those of the placement come back.
                            Some(_) => {
                                assert_eq!(prospect, Gain::default());
                                ends[1] += 1;
                            }
                        }
                    }
                }
                game.play(Actor::Seat(seat), action);
            }
        }
        assert!(ends[0] > 20 && ends[1] > 20, "{ends:?}");
    }
}
