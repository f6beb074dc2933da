//! Where a tile card brings most: all places are compared, and most of them by what each half brings alone.

use quincunx_games::x_marks_the_spot::{Direction, Icon, Square, Surface};

use super::{
    sea::{Sea, Spot},
    worth::KIND_OF_LACK,
};

/// A square for half a card.
#[derive(Clone, Copy, Debug)]
pub(super) struct Berth {
    /// What each icon brings here; endlessly little if it may not lie here.
    brings: [f32; ICONS.len()],
    /// How much more the X around the square may bring if half a card lies here and half beside it, than one and one.
    more: f32,
}

impl Berth {
    pub(super) const NONE: Self = Self { brings: [f32::NEG_INFINITY; ICONS.len()], more: 0.0 };
}

impl Sea {
    /// The best place for a tile card, and what it brings. A card lies on an empty table in one place only, which is not
    /// asked for here.
    pub(super) fn best_place(&mut self, icons: [Icon; 2]) -> Option<(f32, Square, Direction)> {
        self.measure_berths();
        let [first, second] = icons.map(|icon| icon as usize);
        let mut best = (f32::NEG_INFINITY, 0, Direction::North);
        for number in 0..self.near.len() {
            let here = self.near[number];
            for direction in Direction::ALL {
                let there = self.neighbour(here, direction);
                let [a, b] = [&self.berths[here], &self.berths[there]];
                let more = a.more + b.more;
                // Each pair of squares is asked for once with the first icon here, and, if only this square is near a
                // card, once with the second one.
                let ways = [
                    (a.brings[first] + b.brings[second], [here, there], direction),
                    (a.brings[second] + b.brings[first], [there, here], direction.opposite()),
                ];
                let asked = if self.seen[there] == self.look { 1 } else { 2 };
                for (apart, spots, direction) in ways.into_iter().take(asked) {
                    if apart + more <= best.0 || first == second && !direction.is_up() {
                        continue;
                    }
                    let gain = self.gain_of_two(spots, [first, second]);
                    if gain > best.0 {
                        best = (gain, spots[0], direction);
                    }
                }
            }
        }
        (best.0 > f32::NEG_INFINITY).then(|| (best.0, self.square(best.1), best.2))
    }

    /// Works out what icons bring on all squares where a card could lie, once a look.
    fn measure_berths(&mut self) {
        if std::mem::replace(&mut self.measured, self.look) == self.look {
            return;
        }
        for number in 0..self.near.len() {
            let here = self.near[number];
            self.measure_berth(here);
            for direction in Direction::ALL {
                let there = self.neighbour(here, direction);
                if self.seen[there] != self.look {
                    self.measure_berth(there);
                }
            }
        }
    }

    fn measure_berth(&mut self, spot: Spot) {
        let surface = usize::from(self.surfaces[spot]);
        let mut berth = Berth::NONE;
        for icon in ICONS.into_iter().filter(|&icon| SURFACES[surface].takes(icon)) {
            berth.brings[icon as usize] = self.gain_of_one(spot, icon as usize);
        }
        let lacks = self.lacking[1][spot].to_le_bytes();
        for (pirate, (lack, wish)) in lacks.into_iter().zip(self.wishes).enumerate() {
            berth.more += self.worth.most_together(KIND_OF_LACK[surface][pirate], lack, wish);
        }
        self.berths[spot] = berth;
    }
}

const ICONS: [Icon; 7] =
    [Icon::Condent, Icon::Rackham, Icon::Avery, Icon::Wynn, Icon::GhostShip, Icon::Kraken, Icon::OpenWater];

const SURFACES: [Surface; Surface::COUNT] = [
    Surface::Icon(Icon::Condent),
    Surface::Icon(Icon::Rackham),
    Surface::Icon(Icon::Avery),
    Surface::Icon(Icon::Wynn),
    Surface::Icon(Icon::GhostShip),
    Surface::Icon(Icon::Kraken),
    Surface::Icon(Icon::OpenWater),
    Surface::Bare,
    Surface::Spent,
];
