//! The chart as a flat grid, with what every X on it still lacks for each pirate, and what a change of two squares brings.

use quincunx_games::x_marks_the_spot::{Direction, Pirate, Square, Surface, XMarksTheSpot};

use super::{
    berth::Berth,
    worth::{EASY, HARD, KIND_OF_LACK, KINDS_OF_LACK, LACKS, Lack, Worth},
};

/// How far from a square near a card the X's reach that a new card there could be part of, with those beside them.
const REACH: i32 = 4;
/// How much room is left around the cards when the grid is laid out.
const MARGIN: i32 = REACH + 4;

/// How much a seat likes each pirate's X's to grow.
pub(super) type Wishes = [f32; 4];

/// A square of the grid by its number.
pub(super) type Spot = usize;

/// The chart, and what X's on it are worth to somebody.
///
/// It is kept from one look to the next: what has changed in between is found by comparing, and only what is around is
/// worked out anew.
#[derive(Clone, Debug)]
pub(super) struct Sea {
    pub(super) worth: Worth,
    pub(super) wishes: Wishes,
    left: i32,
    bottom: i32,
    width: usize,
    height: usize,
    pub(super) surfaces: Vec<u8>,
    /// The squares near a card.
    pub(super) near: Vec<Spot>,
    /// The look at which a square was last seen near a card.
    pub(super) seen: Vec<u32>,
    pub(super) look: u32,
    /// For each centre what the diagonal and the orthogonal X lack.
    pub(super) lacking: [Vec<Lack>; 2],
    /// For each square what all X's through it would be worth to each pirate, by what the square lacks. Nothing if that
    /// has to be worked out anew.
    sums: Vec<Option<[[f32; KINDS_OF_LACK]; 4]>>,
    /// For each square what each icon would bring there, and the look for which that was worked out.
    gains: Vec<(u32, [f32; Surface::COUNT])>,
    /// The squares where a card could lie, as they were measured at this look.
    pub(super) berths: Vec<Berth>,
    pub(super) measured: u32,
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

    pub(super) fn square(&self, spot: Spot) -> Square {
        Square { x: self.left + (spot % self.width) as i32, y: self.bottom + (spot / self.width) as i32 }
    }

    #[inline]
    pub(super) fn neighbour(&self, spot: Spot, direction: Direction) -> Spot {
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
    pub(super) fn gain_of_one(&mut self, spot: Spot, surface: usize) -> f32 {
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
                        *sum += self.worth.of_one(rest + kind as usize);
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
    pub(super) fn gain_of_two(&mut self, spots: [Spot; 2], surfaces: [usize; 2]) -> f32 {
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
        let mut gains = [0.0; 4];
        self.each_changed(squares, surfaces, |before, after| {
            let [before, after] = [before, after].map(|lack| self.worth.of(lack));
            for (gain, (after, before)) in gains.iter_mut().zip(after.into_iter().zip(before)) {
                *gain += after - before;
            }
        });
        gains
    }

    /// Whether an X of this pirate is whole when two neighbouring squares come to show these surfaces.
    pub(super) fn completes(&self, squares: [Square; 2], surfaces: [Surface; 2], pirate: Pirate) -> bool {
        let mut completes = false;
        self.each_changed(squares, surfaces, |_, after| completes |= after.to_le_bytes()[pirate as usize] == 0);
        completes
    }

    /// Goes through the X's of which two neighbouring squares are part: what they lack, and what they lack when the
    /// squares show these surfaces.
    fn each_changed(&self, squares: [Square; 2], surfaces: [Surface; 2], mut visit: impl FnMut(Lack, Lack)) {
        let spots = squares.map(|square| self.spot(square));
        let changes = [0, 1].map(|which| self.change(spots[which], surfaces[which].index()));
        for (form, lacking) in self.lacking.iter().enumerate() {
            let [first, second] = spots.map(|spot| self.centres(spot)[form]);
            for centre in first {
                let more = if second.contains(&centre) { changes[1] } else { 0 };
                visit(lacking[centre], lacking[centre].wrapping_add(changes[0]).wrapping_add(more));
            }
            for centre in second.into_iter().filter(|centre| !first.contains(centre)) {
                visit(lacking[centre], lacking[centre].wrapping_add(changes[1]));
            }
        }
    }
}

/// The squares where a card can be laid, with one half at least: near others or, on an empty table, where the first lies.
fn berths(game: &XMarksTheSpot) -> impl Iterator<Item = Square> {
    let first = game.is_table_empty().then_some(Square { x: 0, y: 0 });
    first.into_iter().chain(game.squares_near_cards().map(|(square, _)| square))
}

/// The wishes of somebody who only cares for his own flag.
pub(super) fn only(flag: Pirate) -> Wishes {
    let mut wishes = [0.0; 4];
    wishes[flag as usize] = 1.0;
    wishes
}
