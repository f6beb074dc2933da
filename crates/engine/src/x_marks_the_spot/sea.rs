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

/// The three kinds of lack.
const KINDS_OF_LACK: usize = 3;

/// How much more a square may bring together with its neighbour than one and one, if no X around it is nearly made.
const SLACK: f32 = 0.07;

/// How far from a square near a card the X's reach that a new card there could be part of, with those beside them.
const REACH: i32 = 4;
/// How much room is left around the cards when the grid is laid out.
const MARGIN: i32 = REACH + 4;

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

/// For each surface and pirate which of the three kinds of lack it is. A doubloon is never asked for.
const KIND_OF_LACK: [[usize; 4]; Surface::COUNT] = {
    let mut table = [[0; 4]; Surface::COUNT];
    let mut surface = 0;
    while surface < Surface::COUNT {
        let lacks = LACKS[surface].to_le_bytes();
        let mut pirate = 0;
        while pirate < 4 {
            table[surface][pirate] = match lacks[pirate] as u32 {
                0 => 0,
                EASY => 1,
                _ => 2,
            };
            pirate += 1;
        }
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

/// The chart, and what X's on it are worth to somebody.
///
/// It is kept from one look to the next: what has changed in between is found by comparing, and only what is around is
/// worked out anew.
#[derive(Clone, Debug)]
pub(super) struct Sea {
    worth: Worth,
    wishes: Wishes,
    left: i32,
    bottom: i32,
    width: usize,
    height: usize,
    surfaces: Vec<u8>,
    /// The squares near a card.
    near: Vec<Spot>,
    /// The look at which a square was last seen near a card.
    seen: Vec<u32>,
    look: u32,
    /// For each centre what the diagonal and the orthogonal X lack.
    lacking: [Vec<Lack>; 2],
    /// For each square what all X's through it would be worth to each pirate, by what the square lacks. Nothing if that
    /// has to be worked out anew.
    sums: Vec<Option<[[f32; KINDS_OF_LACK]; 4]>>,
    /// For each square what each icon would bring there, and the look for which that was worked out.
    gains: Vec<(u32, [f32; Surface::COUNT])>,
    /// The squares where a card could lie, as they were measured at this look.
    berths: Vec<Berth>,
    measured: u32,
}

/// A square for half a card.
#[derive(Clone, Copy, Debug)]
struct Berth {
    /// What each icon brings here; endlessly little if it may not lie here.
    brings: [f32; ICONS.len()],
    /// How much more it may bring together with its neighbour than one and one: without limit if the orthogonal X around
    /// the square is nearly made.
    more: f32,
}

impl Berth {
    const NONE: Self = Self { brings: [f32::NEG_INFINITY; ICONS.len()], more: 0.0 };
}

impl Sea {
    pub(super) fn new(worth: Worth) -> Self {
        Self {
            worth,
            wishes: [0.0; 4],
            left: 0,
            bottom: 0,
            width: 0,
            height: 0,
            surfaces: Vec::new(),
            near: Vec::new(),
            seen: Vec::new(),
            look: 0,
            lacking: [Vec::new(), Vec::new()],
            sums: Vec::new(),
            gains: Vec::new(),
            berths: Vec::new(),
            measured: 0,
        }
    }

    /// Takes over the chart of this position, to look at it with these wishes.
    pub(super) fn chart(&mut self, game: &XMarksTheSpot, wishes: Wishes) {
        self.wishes = wishes;
        if self.look == u32::MAX || !berths(game).all(|square| self.has_room(square)) {
            self.lay_out(game);
        }
        self.look += 1;
        let before = std::mem::take(&mut self.near);
        for (square, surface) in game.squares_near_cards() {
            let spot = self.spot(square);
            self.near.push(spot);
            self.seen[spot] = self.look;
            self.show(spot, surface.index());
        }
        for spot in before {
            if self.seen[spot] != self.look {
                self.show(spot, Surface::Bare.index());
            }
        }
    }

    /// Whether a square is far enough from the rim that a card beside it, and the X's through that, lie within.
    fn has_room(&self, square: Square) -> bool {
        let [x, y] = [square.x.wrapping_sub(self.left), square.y.wrapping_sub(self.bottom)];
        (REACH..self.width as i32 - REACH).contains(&x) && (REACH..self.height as i32 - REACH).contains(&y)
    }

    /// Makes a bare grid around the cards of this position, with room to grow.
    fn lay_out(&mut self, game: &XMarksTheSpot) {
        let mut squares = berths(game);
        let mut low = squares.next().expect("a card can always be laid somewhere");
        let mut high = low;
        for Square { x, y } in squares {
            (low.x, low.y) = (low.x.min(x), low.y.min(y));
            (high.x, high.y) = (high.x.max(x), high.y.max(y));
        }
        (self.left, self.bottom) = (low.x - MARGIN, low.y - MARGIN);
        self.width = (high.x - low.x + 1 + 2 * MARGIN) as usize;
        self.height = (high.y - low.y + 1 + 2 * MARGIN) as usize;
        let area = self.width * self.height;
        let bare = Surface::Bare.index();
        self.surfaces = vec![bare as u8; area];
        self.lacking = [0, 1].map(|_| vec![5 * LACKS[bare]; area]);
        self.near.clear();
        self.look = 0;
        self.seen = vec![0; area];
        self.sums = vec![None; area];
        self.gains = vec![(0, [0.0; Surface::COUNT]); area];
        self.berths = vec![Berth::NONE; area];
        self.measured = 0;
    }

    /// A square comes to show this surface.
    fn show(&mut self, spot: Spot, surface: usize) {
        let change = self.change(spot, surface);
        let was = std::mem::replace(&mut self.surfaces[spot], surface as u8);
        if usize::from(was) == surface {
            return;
        }
        for (form, centres) in self.centres(spot).into_iter().enumerate() {
            for centre in centres {
                self.lacking[form][centre] = self.lacking[form][centre].wrapping_add(change);
            }
        }
        // An X that this square is part of reaches two squares away.
        for row in 0..5 {
            let first = spot + row * self.width - 2 * self.width - 2;
            self.sums[first..first + 5].fill(None);
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
        if self.gains[spot].0 != self.look {
            self.gains[spot] = (self.look, self.gains_at(spot));
        }
        self.gains[spot].1[surface]
    }

    /// What a square, which is not spent, brings for each surface that it could come to show.
    fn gains_at(&mut self, spot: Spot) -> [f32; Surface::COUNT] {
        let sums = self.sums_at(spot);
        let now = usize::from(self.surfaces[spot]);
        let mut gains = [0.0; Surface::COUNT];
        for pirate in 0..4 {
            let at = |surface: usize| sums[pirate][KIND_OF_LACK[surface][pirate]];
            let wish = self.wishes[pirate];
            for (surface, gain) in gains.iter_mut().enumerate() {
                *gain += wish * (at(surface) - at(now));
            }
        }
        gains
    }

    /// What all X's through a square would be worth to each pirate, by what the square lacks.
    ///
    /// To a pirate a surface is one of three things, so that there are twelve sums and not thirty-six.
    fn sums_at(&mut self, spot: Spot) -> [[f32; KINDS_OF_LACK]; 4] {
        if let Some(sums) = self.sums[spot] {
            return sums;
        }
        let now = LACKS[usize::from(self.surfaces[spot])].to_le_bytes();
        let mut sums = [[0.0; KINDS_OF_LACK]; 4];
        for (lacking, centres) in self.lacking.iter().zip(self.centres(spot)) {
            for centre in centres {
                let lack = lacking[centre].to_le_bytes();
                for pirate in 0..4 {
                    let rest = usize::from(lack[pirate] - now[pirate]);
                    for (sum, kind) in sums[pirate].iter_mut().zip([0, EASY, HARD]) {
                        *sum += self.worth.0[rest + kind as usize];
                    }
                }
            }
        }
        self.sums[spot] = Some(sums);
        sums
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
        let surface = SURFACES[usize::from(self.surfaces[spot])];
        let mut berth = Berth { brings: [f32::NEG_INFINITY; ICONS.len()], more: SLACK };
        for icon in ICONS.into_iter().filter(|&icon| surface.takes(icon)) {
            berth.brings[icon as usize] = self.gain_of_one(spot, icon as usize);
        }
        let nearly_made = |lack: u8| u32::from(lack) <= EASY + HARD;
        if self.lacking[1][spot].to_le_bytes().into_iter().any(nearly_made) {
            berth.more = f32::INFINITY;
        }
        self.berths[spot] = berth;
    }
}

/// The squares where a card can be laid, with one half at least: near others or, on an empty table, where the first lies.
fn berths(game: &XMarksTheSpot) -> impl Iterator<Item = Square> {
    let first = game.is_table_empty().then_some(Square { x: 0, y: 0 });
    first.into_iter().chain(game.squares_near_cards().map(|(square, _)| square))
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

/// The wishes of somebody who only cares for his own flag.
pub(super) fn only(flag: Pirate) -> Wishes {
    let mut wishes = [0.0; 4];
    wishes[flag as usize] = 1.0;
    wishes
}
