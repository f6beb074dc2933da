//! The chart as a flat grid, with what every X on it still lacks for each pirate, and what a change of two squares brings.

use quincunx_games::x_marks_the_spot::{Direction, Icon, Pirate, Square, Surface, XMarksTheSpot};

/// What an X lacks, for the four pirates in one word, a byte each: sums of [`lacks`] over its five squares.
type Lack = u32;

/// A square that takes the pirate's icon lacks one card: the bare table, open water.
const EASY: u32 = 4;
/// A square with another pirate or a kraken takes only a ghost ship, or has to be flooded or shot first.
const HARD: u32 = 11;
/// A spent square never serves again. Five of them still fit into a byte.
const SPENT: u32 = 50;

/// How far each square of a chart stretches around its cards: a card may lie two squares away from another one, and an X
/// reaches one further.
const MARGIN: i32 = 4;

const fn lacks(surface: usize) -> Lack {
    const BARE: usize = Surface::Bare.index();
    const WATER: usize = Icon::OpenWater as usize;
    const GHOST: usize = Icon::GhostShip as usize;
    const DOUBLOON: usize = Surface::Spent.index();
    let mut word = 0;
    let mut pirate = 0;
    while pirate < 4 {
        let lack = match surface {
            GHOST => 0,
            BARE | WATER => EASY,
            DOUBLOON => SPENT,
            _ if surface == pirate => 0,
            _ => HARD,
        };
        word |= lack << (8 * pirate);
        pirate += 1;
    }
    word
}

const LACKS: [Lack; Surface::COUNT] = {
    let mut table = [0; Surface::COUNT];
    let mut surface = 0;
    while surface < Surface::COUNT {
        table[surface] = lacks(surface);
        surface += 1;
    }
    table
};

/// How much an X is worth that lacks so much.
#[derive(Clone, Debug)]
pub(super) struct Worth([f32; 256]);

impl Worth {
    /// Each missing card leaves the share `step` of the worth; a whole X has the worth `whole`. Five bare squares are
    /// everywhere and count for nothing.
    pub(super) fn new(whole: f32, step: f32) -> Self {
        let mut table = [0.0; 256];
        table[0] = whole;
        for (lack, worth) in table.iter_mut().enumerate().take(SPENT as usize).skip(1) {
            *worth = step.powf(lack as f32 / EASY as f32);
        }
        table[5 * EASY as usize] = 0.0;
        Self(table)
    }

    #[inline]
    fn of(&self, lack: Lack) -> [f32; 4] {
        lack.to_le_bytes().map(|byte| self.0[usize::from(byte)])
    }
}

/// How much a seat likes each pirate's X's to grow.
pub(super) type Wishes = [f32; 4];

/// A square of the grid by its number.
type Spot = usize;

/// The chart, and the worth of its X's by somebody's wishes.
#[derive(Clone, Debug)]
pub(super) struct Sea {
    worth: Worth,
    wishes: Wishes,
    left: i32,
    bottom: i32,
    width: usize,
    surfaces: Vec<u8>,
    is_near: Vec<bool>,
    /// The squares near a card.
    near: Vec<Spot>,
    /// For each centre what the diagonal and the orthogonal X lack.
    lacking: [Vec<Lack>; 2],
    /// The gain of a square that comes to show a surface, once it was asked for.
    gains: Vec<[f32; Surface::COUNT]>,
}

impl Sea {
    pub(super) fn new(worth: Worth) -> Self {
        Self {
            worth,
            wishes: [0.0; 4],
            left: 0,
            bottom: 0,
            width: 0,
            surfaces: Vec::new(),
            is_near: Vec::new(),
            near: Vec::new(),
            lacking: [Vec::new(), Vec::new()],
            gains: Vec::new(),
        }
    }

    /// Takes over the chart of this position, to look at it with these wishes.
    pub(super) fn chart(&mut self, game: &XMarksTheSpot, wishes: Wishes) {
        self.wishes = wishes;
        let mut squares = game.squares_near_cards().map(|(square, _)| square);
        let mut low = squares.next().unwrap_or(Square { x: 0, y: 0 });
        let mut high = low;
        for Square { x, y } in squares {
            (low.x, low.y) = (low.x.min(x), low.y.min(y));
            (high.x, high.y) = (high.x.max(x), high.y.max(y));
        }
        (self.left, self.bottom) = (low.x - MARGIN, low.y - MARGIN);
        self.width = (high.x - low.x + 1 + 2 * MARGIN) as usize;
        let area = self.width * (high.y - low.y + 1 + 2 * MARGIN) as usize;
        self.surfaces.clear();
        self.surfaces.resize(area, Surface::Bare.index() as u8);
        self.is_near.clear();
        self.is_near.resize(area, false);
        self.near.clear();
        for (square, surface) in game.squares_near_cards() {
            let spot = self.spot(square);
            self.surfaces[spot] = surface.index() as u8;
            self.is_near[spot] = true;
            self.near.push(spot);
        }
        self.measure(area);
        self.gains.clear();
        self.gains.resize(area, [f32::NAN; Surface::COUNT]);
    }

    fn measure(&mut self, area: usize) {
        let Self { surfaces, lacking: [diagonal, orthogonal], width, .. } = self;
        let width = *width;
        // Beyond the rim everything is bare.
        let bare = LACKS[Surface::Bare.index()];
        for form in [&mut *diagonal, &mut *orthogonal] {
            form.clear();
            form.resize(area, 5 * bare);
        }
        let at = |spot: usize| LACKS[usize::from(surfaces[spot])];
        for row in (width..area - width).step_by(width) {
            for spot in row + 1..row + width - 1 {
                let centre = at(spot);
                diagonal[spot] =
                    centre + at(spot - width - 1) + at(spot - width + 1) + at(spot + width - 1) + at(spot + width + 1);
                orthogonal[spot] = centre + at(spot - width) + at(spot - 1) + at(spot + 1) + at(spot + width);
            }
        }
    }

    #[inline]
    fn spot(&self, square: Square) -> Spot {
        (square.y - self.bottom) as usize * self.width + (square.x - self.left) as usize
    }

    fn square(&self, spot: Spot) -> Square {
        Square { x: self.left + (spot % self.width) as i32, y: self.bottom + (spot / self.width) as i32 }
    }

    #[inline]
    fn neighbour(&self, spot: Spot, direction: Direction) -> Spot {
        match direction {
            Direction::North => spot + self.width,
            Direction::East => spot + 1,
            Direction::South => spot - self.width,
            Direction::West => spot - 1,
        }
    }

    /// The centres of the X's, diagonal and orthogonal, that a square is part of.
    #[inline]
    fn centres(&self, spot: Spot) -> [[Spot; 5]; 2] {
        let width = self.width;
        [
            [spot, spot - width - 1, spot - width + 1, spot + width - 1, spot + width + 1],
            [spot, spot - width, spot - 1, spot + 1, spot + width],
        ]
    }

    /// The worth of all X's for each pirate.
    pub(super) fn values(&self) -> [f32; 4] {
        let nothing = 5 * LACKS[Surface::Bare.index()];
        let mut sums = [0.0; 4];
        for &lack in self.lacking.iter().flatten().filter(|&&lack| lack != nothing) {
            for (sum, worth) in sums.iter_mut().zip(self.worth.of(lack)) {
                *sum += worth;
            }
        }
        sums
    }

    #[inline]
    fn wished(&self, lack: Lack) -> f32 {
        let worth = self.worth.of(lack);
        worth.iter().zip(self.wishes).map(|(worth, wish)| worth * wish).sum()
    }

    /// What changes in the lack of every X through this square if it shows that surface.
    #[inline]
    fn change(&self, spot: Spot, surface: usize) -> Lack {
        LACKS[surface].wrapping_sub(LACKS[usize::from(self.surfaces[spot])])
    }

    /// What one square brings that comes to show that surface.
    #[inline]
    fn gain_of_one(&mut self, spot: Spot, surface: usize) -> f32 {
        let known = self.gains[spot][surface];
        if !known.is_nan() {
            return known;
        }
        let change = self.change(spot, surface);
        let mut gain = 0.0;
        if change != 0 {
            for (form, centres) in self.centres(spot).into_iter().enumerate() {
                for centre in centres {
                    let lack = self.lacking[form][centre];
                    gain += self.wished(lack.wrapping_add(change)) - self.wished(lack);
                }
            }
        }
        self.gains[spot][surface] = gain;
        gain
    }

    /// What it brings if two neighbouring squares change together.
    ///
    /// Only the orthogonal X's around the two squares have both of them.
    fn gain_of_two(&mut self, spots: [Spot; 2], surfaces: [usize; 2]) -> f32 {
        let [a, b] = [0, 1].map(|which| self.change(spots[which], surfaces[which]));
        let mut gain = self.gain_of_one(spots[0], surfaces[0]) + self.gain_of_one(spots[1], surfaces[1]);
        if a == 0 || b == 0 {
            return gain;
        }
        for centre in spots {
            let lack = self.lacking[1][centre];
            let [with_a, with_b] = [a, b].map(|change| self.wished(lack.wrapping_add(change)));
            gain += self.wished(lack.wrapping_add(a).wrapping_add(b)) - with_a - with_b + self.wished(lack);
        }
        gain
    }

    /// What it brings if two neighbouring squares come to show these surfaces.
    pub(super) fn gain(&mut self, squares: [Square; 2], surfaces: [Surface; 2]) -> f32 {
        self.gain_of_two(squares.map(|square| self.spot(square)), surfaces.map(Surface::index))
    }

    /// What it brings for each pirate if two neighbouring squares come to show these surfaces.
    pub(super) fn gain_by_pirate(&self, squares: [Square; 2], surfaces: [Surface; 2]) -> [f32; 4] {
        let spots = squares.map(|square| self.spot(square));
        let changes = [0, 1].map(|which| self.change(spots[which], surfaces[which].index()));
        let mut gains = [0.0; 4];
        for (form, lacking) in self.lacking.iter().enumerate() {
            let [first, second] = spots.map(|spot| self.centres(spot)[form]);
            let shared = |centre: &Spot| first.contains(centre) && second.contains(centre);
            let both = first
                .iter()
                .filter(|&centre| shared(centre))
                .map(|&centre| (centre, changes[0].wrapping_add(changes[1])));
            let single = [first, second].into_iter().zip(changes).flat_map(|(centres, change)| {
                centres.into_iter().filter(|centre| !shared(centre)).map(move |centre| (centre, change))
            });
            for (centre, change) in both.chain(single) {
                let before = self.worth.of(lacking[centre]);
                let after = self.worth.of(lacking[centre].wrapping_add(change));
                for (gain, (after, before)) in gains.iter_mut().zip(after.into_iter().zip(before)) {
                    *gain += after - before;
                }
            }
        }
        gains
    }

    /// The best place for a tile card, and what it brings. A card lies on an empty table in one place only, which is not
    /// asked for here.
    pub(super) fn best_place(&mut self, icons: [Icon; 2]) -> Option<(f32, Square, Direction)> {
        let surfaces = icons.map(|icon| icon as usize);
        let mut best: Option<(f32, Spot, Direction)> = None;
        for number in 0..self.near.len() {
            let here = self.near[number];
            for direction in Direction::ALL {
                let there = self.neighbour(here, direction);
                // Each pair of squares is asked for once with the first icon here, and, if only this square is near a
                // card, once with the second one.
                let ways =
                    [([here, there], direction, true), ([there, here], direction.opposite(), !self.is_near[there])];
                for (spots, direction, asked) in ways {
                    if !asked || icons[0] == icons[1] && !direction.is_up() {
                        continue;
                    }
                    let fits = |which: usize| takes(usize::from(self.surfaces[spots[which]]), icons[which]);
                    if !fits(0) || !fits(1) {
                        continue;
                    }
                    let gain = self.gain_of_two(spots, surfaces);
                    if best.is_none_or(|(most, ..)| gain > most) {
                        best = Some((gain, spots[0], direction));
                    }
                }
            }
        }
        best.map(|(gain, spot, direction)| (gain, self.square(spot), direction))
    }
}

/// Whether the icon may be placed on a surface, by its number.
#[inline]
fn takes(surface: usize, icon: Icon) -> bool {
    SURFACES[surface].takes(icon)
}

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

/// The wishes of somebody who only cares for his own flag.
pub(super) fn only(flag: Pirate) -> Wishes {
    let mut wishes = [0.0; 4];
    wishes[flag as usize] = 1.0;
    wishes
}
