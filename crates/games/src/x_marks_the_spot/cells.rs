//! The squares around the cards, in blocks of eight by eight: what shows on each, and whether a card is near.
//!
//! The grid is endless, the cards are few: a window of blocks is kept around them, blocks without any card near are
//! not stored, and the window is laid anew around the present cards when one falls outside of it. So a look-up is two
//! steps, whatever the cards drift to in a long game, and memory goes with the number of cards.

use std::num::NonZeroU16;

use super::{
    card::{Icon, Pirate},
    square::Square,
};

/// Blocks have this many squares each way, as a power of two.
const SHIFT: u32 = 3;
const SIDE: i32 = 1 << SHIFT;
/// The squares of a block.
const AREA: usize = (SIDE * SIDE) as usize;
/// Blocks to spare on each side of a new window.
const SPARE: i32 = 1;
/// The number of a block that is not stored.
const ABSENT: u16 = u16::MAX;

/// One half of a card on the table: the card's slot, and which of its icons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Half(NonZeroU16);

impl Half {
    #[inline]
    pub(super) const fn both(slot: usize) -> [Self; 2] {
        let first = NonZeroU16::MIN.saturating_add(2 * slot as u16);
        [Self(first), Self(first.saturating_add(1))]
    }

    #[inline]
    pub(super) const fn slot(self) -> usize {
        (self.0.get() as usize - 1) / 2
    }

    /// 0 for the first icon, 1 for the second one.
    #[inline]
    pub(super) const fn index(self) -> usize {
        (self.0.get() as usize - 1) % 2
    }
}

/// What a square shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surface {
    Icon(Icon),
    Bare,
    /// A doubloon.
    Spent,
}

impl Surface {
    /// How many surfaces there are: the seven icons, the bare table and a doubloon.
    pub const COUNT: usize = SPENT as usize + 1;

    /// The surface as a number below [`COUNT`](Self::COUNT).
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::Icon(icon) => icon as usize,
            Self::Bare => BARE as usize,
            Self::Spent => SPENT as usize,
        }
    }

    /// Whether this icon may be placed here.
    #[inline]
    pub const fn takes(self, icon: Icon) -> bool {
        MAY_LIE_ON[icon as usize] >> self.index() & 1 == 1
    }

    /// Whether this square counts for an X of the pirate.
    #[inline]
    pub const fn serves(self, pirate: Pirate) -> bool {
        SERVES[self.index()] & pirate.bit() != 0
    }
}

const BARE: u8 = 7;
const SPENT: u8 = 8;
const ICONS: [Icon; 7] =
    [Icon::Condent, Icon::Rackham, Icon::Avery, Icon::Wynn, Icon::GhostShip, Icon::Kraken, Icon::OpenWater];

/// For each icon the surfaces that it may lie on, as bits. Every icon may lie on the bare table and on its own kind.
const MAY_LIE_ON: [u16; ICONS.len()] = {
    const GHOST: u16 = 1 << Icon::GhostShip as u8;
    const KRAKEN: u16 = 1 << Icon::Kraken as u8;
    const WATER: u16 = 1 << Icon::OpenWater as u8;
    const PIRATES: u16 = 0b1111;
    let always = 1 << BARE | GHOST | WATER;
    [
        always | 1 << Icon::Condent as u8,
        always | 1 << Icon::Rackham as u8,
        always | 1 << Icon::Avery as u8,
        always | 1 << Icon::Wynn as u8,
        always | PIRATES | KRAKEN,
        always | KRAKEN,
        always | PIRATES,
    ]
};

/// For each surface the pirates for whose X it counts, as bits.
const SERVES: [u8; SPENT as usize + 1] = [1, 2, 4, 8, 0b1111, 0, 0, 0, 0];

/// A square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cell {
    top: Option<Half>,
    surface: u8,
    /// How many of the nine squares around and including this one have a card.
    near: u8,
}

impl Cell {
    const EMPTY: Self = Self { top: None, surface: BARE, near: 0 };

    /// The half card that lies topmost.
    #[inline]
    pub(super) const fn top(self) -> Option<Half> {
        self.top
    }

    /// Whether a card here touches another one: there is a card on this square or on a neighbour.
    #[inline]
    pub(super) const fn is_near(self) -> bool {
        self.near > 0
    }

    #[inline]
    pub(super) const fn is_spent(self) -> bool {
        self.surface == SPENT
    }

    pub(super) const fn surface(self) -> Surface {
        match self.surface {
            BARE => Surface::Bare,
            SPENT => Surface::Spent,
            icon => Surface::Icon(ICONS[icon as usize]),
        }
    }

    /// Whether this icon may lie here.
    #[inline]
    pub(super) const fn takes(self, icon: Icon) -> bool {
        MAY_LIE_ON[icon as usize] >> self.surface & 1 == 1
    }

    /// The pirates for whose X this square counts, as bits.
    #[inline]
    pub(super) const fn serves(self) -> u8 {
        SERVES[self.surface as usize]
    }
}

/// Eight by eight squares.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Counted in blocks.
    x: i32,
    y: i32,
    cells: [Cell; AREA],
}

/// All squares: those that are not stored are empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    /// The lower left block of the window, counted in blocks.
    left: i32,
    bottom: i32,
    width: i32,
    height: i32,
    /// For each block of the window, where it is stored.
    window: Vec<u16>,
    blocks: Vec<Block>,
}

const fn index_in_block(square: Square) -> usize {
    ((square.y & (SIDE - 1)) << SHIFT | square.x & (SIDE - 1)) as usize
}

impl Cells {
    #[inline]
    pub(super) fn at(&self, square: Square) -> Cell {
        let stored = self.in_window(square).map_or(ABSENT, |place| self.window[place]);
        self.blocks.get(usize::from(stored)).map_or(Cell::EMPTY, |block| block.cells[index_in_block(square)])
    }

    /// How many squares are stored: those near a card are among them.
    #[inline]
    pub(super) fn stored(&self) -> usize {
        self.blocks.len() * AREA
    }

    /// A stored square by its number.
    #[inline]
    pub(super) fn nth(&self, number: usize) -> (Square, Cell) {
        let block = &self.blocks[number / AREA];
        let index = number % AREA;
        let square =
            Square { x: block.x << SHIFT | index as i32 & (SIDE - 1), y: block.y << SHIFT | index as i32 >> SHIFT };
        (square, block.cells[index])
    }

    /// The squares where a card is near.
    pub(super) fn near(&self) -> impl Iterator<Item = (Square, Cell)> {
        (0..self.stored()).map(|number| self.nth(number)).filter(|(_, cell)| cell.is_near())
    }

    pub(super) fn cover(&mut self, square: Square, half: Half, icon: Icon) {
        let cell = self.at_mut(square);
        cell.surface = icon as u8;
        if cell.top.replace(half).is_none() {
            self.each_around(square, |cell| cell.near += 1);
        }
    }

    pub(super) fn uncover(&mut self, square: Square, shows: Option<(Half, Icon)>) {
        let cell = self.at_mut(square);
        cell.top = shows.map(|(half, _)| half);
        cell.surface = shows.map_or(BARE, |(_, icon)| icon as u8);
        if shows.is_none() {
            self.each_around(square, |cell| cell.near -= 1);
        }
    }

    pub(super) fn rename_top(&mut self, square: Square, half: Half) {
        self.at_mut(square).top = Some(half);
    }

    pub(super) fn spend(&mut self, square: Square) {
        self.at_mut(square).surface = SPENT;
    }

    fn each_around(&mut self, square: Square, change: impl Fn(&mut Cell)) {
        for dy in -1..=1 {
            for dx in -1..=1 {
                change(self.at_mut(square.shifted((dx, dy))));
            }
        }
    }

    /// Where the square's block stands in the window, if it lies in it.
    #[inline]
    fn in_window(&self, square: Square) -> Option<usize> {
        let x = (square.x >> SHIFT).wrapping_sub(self.left);
        let y = (square.y >> SHIFT).wrapping_sub(self.bottom);
        let inside = (x as u32) < self.width as u32 && (y as u32) < self.height as u32;
        inside.then_some((y * self.width + x) as usize)
    }

    #[inline]
    fn at_mut(&mut self, square: Square) -> &mut Cell {
        let place = self.in_window(square).unwrap_or_else(|| self.move_window(square));
        if self.window[place] == ABSENT {
            self.window[place] = self.blocks.len() as u16;
            self.blocks.push(Block { x: square.x >> SHIFT, y: square.y >> SHIFT, cells: [Cell::EMPTY; AREA] });
        }
        &mut self.blocks[usize::from(self.window[place])].cells[index_in_block(square)]
    }

    /// Lays the window anew, around what is there and this square, and gives the place of the square's block.
    #[cold]
    fn move_window(&mut self, square: Square) -> usize {
        self.blocks.retain(|block| block.cells.iter().any(|&cell| cell != Cell::EMPTY));
        let (x, y) = (square.x >> SHIFT, square.y >> SHIFT);
        let span = |of: fn(&Block) -> i32, new: i32| {
            let [low, high] = self.blocks.iter().map(of).fold([new; 2], |[low, high], at| [low.min(at), high.max(at)]);
            (low - SPARE, high - low + 1 + 2 * SPARE)
        };
        (self.left, self.width) = span(|block| block.x, x);
        (self.bottom, self.height) = span(|block| block.y, y);
        self.window.clear();
        self.window.resize((self.width * self.height) as usize, ABSENT);
        for (number, block) in self.blocks.iter().enumerate() {
            let place = (block.y - self.bottom) * self.width + block.x - self.left;
            self.window[place as usize] = number as u16;
        }
        ((y - self.bottom) * self.width + x - self.left) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_follows_cards_that_drift_away_and_stays_small() {
        let mut cells = Cells::default();
        let [half, _] = Half::both(0);
        let mut at = Square { x: -5, y: 3 };
        for step in 0..100_000 {
            let next = at.shifted(if step % 3 == 0 { (-1, 1) } else { (1, 1) });
            cells.cover(next, half, Icon::Kraken);
            if step > 0 {
                cells.uncover(at, None);
            }
            at = next;
            assert_eq!(cells.at(at).surface(), Surface::Icon(Icon::Kraken));
        }
        assert_eq!(cells.near().count(), 9);
        assert!(cells.window.len() < 200 && cells.blocks.len() < 100, "{} {}", cells.window.len(), cells.blocks.len());
    }

    #[test]
    fn a_long_diagonal_takes_memory_for_its_cards_and_not_for_its_frame() {
        let mut cells = Cells::default();
        for step in 0..1000 {
            let [half, _] = Half::both(step as usize);
            cells.cover(Square { x: 2 * step, y: -step }, half, Icon::Wynn);
        }
        assert!(cells.window.len() < 40_000 && cells.blocks.len() < 1000);
    }

    #[test]
    fn squares_at_the_ends_of_the_number_range_are_empty() {
        let mut cells = Cells::default();
        cells.cover(Square::ORIGIN, Half::both(0)[0], Icon::Wynn);
        for x in [i32::MIN, i32::MAX, 0] {
            for y in [i32::MIN, i32::MAX] {
                assert_eq!(cells.at(Square { x, y }), Cell::EMPTY);
            }
        }
    }
}
