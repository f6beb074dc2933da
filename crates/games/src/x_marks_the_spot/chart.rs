//! The cards on the table: which card lies where and on what, and where the next one may lie.

use quincunx_core::{Fold, Seat};

use super::{
    Target,
    card::{Card, Icon},
    cells::{Cell, Cells, Half, Surface},
    square::{Direction, Square},
};

/// A card on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Laid {
    pub(super) card: Card,
    /// Where the first icon lies.
    pub(super) at: Square,
    /// Where the second one lies, seen from there.
    pub(super) direction: Direction,
    /// How many cards lie below each half. A card is only taken away when nothing lies on it, so this never changes.
    pub(super) level: [u16; 2],
    /// The longest way down from card to card: whatever lies below has less.
    pub(super) depth: u16,
    /// What each half lies on.
    below: [Option<Half>; 2],
}

impl Laid {
    pub(super) const fn squares(&self) -> [Square; 2] {
        [self.at, self.at.step(self.direction)]
    }

    /// The square by which a cannon or a new heading names the card.
    pub(super) const fn lower(&self) -> Square {
        self.squares()[if self.direction.is_up() { 0 } else { 1 }]
    }

    pub(super) fn icons(&self) -> [Icon; 2] {
        self.card.icons().expect("only tile cards are laid")
    }

    /// All that tells this card from others: the place on its squares' stacks says what it lies on.
    fn identity(&self) -> [u64; 2] {
        let [first, second] = self.level.map(u64::from);
        let kind = (self.card.index() as u64) << 2 | self.direction as u64;
        [at_word(self.at), kind << 32 | first << 16 | second]
    }

    fn key(&self) -> u64 {
        Fold::default().words(self.identity()).key()
    }
}

/// A doubloon on the centre of an X.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Doubloon {
    pub(super) at: Square,
    pub(super) owner: Seat,
}

impl Doubloon {
    fn key(self) -> u64 {
        Fold::default().word(at_word(self.at)).word(u64::MAX - u64::from(self.owner.number())).key()
    }
}

const fn at_word(at: Square) -> u64 {
    (at.x as u32 as u64) << 32 | at.y as u32 as u64
}

/// Why a card cannot be destroyed or taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoTarget {
    Bare,
    Covered,
    Spent,
    WrittenOtherwise(Square),
}

/// Why a card cannot be placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoPlace {
    FirstCard,
    OutOfTouch,
    Spent(Square),
    Covering(Icon, Icon, Square),
}

/// The table.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    cards: Vec<Laid>,
    cells: Cells,
    /// Lower squares first, then by owner.
    doubloons: Vec<Doubloon>,
    /// The sum of the keys of cards and doubloons.
    key: u64,
}

impl Chart {
    /// The cards in no particular order.
    pub(super) fn cards(&self) -> &[Laid] {
        &self.cards
    }

    pub(super) fn doubloons(&self) -> &[Doubloon] {
        &self.doubloons
    }

    #[inline]
    pub(super) fn cells(&self) -> &Cells {
        &self.cells
    }

    pub(super) fn key(&self) -> u64 {
        self.key
    }

    pub(super) fn key_from_scratch(&self) -> u64 {
        let cards = self.cards.iter().map(Laid::key);
        cards.chain(self.doubloons.iter().map(|doubloon| doubloon.key())).fold(0, u64::wrapping_add)
    }

    /// Whether a tile card may be placed like this. A double is asked for in the one way it is written.
    pub(super) fn refuse_place(&self, icons: [Icon; 2], at: Square, direction: Direction) -> Result<(), NoPlace> {
        if self.cards.is_empty() {
            return if at == Square::ORIGIN { Ok(()) } else { Err(NoPlace::FirstCard) };
        }
        let squares = [at, at.step(direction)];
        let cells = squares.map(|square| self.cells.at(square));
        if cells.iter().all(|cell| !cell.is_near()) {
            return Err(NoPlace::OutOfTouch);
        }
        for ((cell, icon), square) in cells.into_iter().zip(icons).zip(squares) {
            if !cell.takes(icon) {
                return Err(match cell.surface() {
                    Surface::Icon(below) => NoPlace::Covering(icon, below, square),
                    _ => NoPlace::Spent(square),
                });
            }
        }
        Ok(())
    }

    /// The card that a cannon or a new heading means with this square.
    pub(super) fn target(&self, at: Square) -> Result<usize, NoTarget> {
        let cell = self.cells.at(at);
        let Some(half) = cell.top() else { return Err(NoTarget::Bare) };
        let laid = &self.cards[half.slot()];
        if cell.is_spent() {
            return Err(NoTarget::Spent);
        }
        if !self.is_uncovered(half.slot()) {
            return Err(NoTarget::Covered);
        }
        if laid.squares().iter().any(|&square| self.cells.at(square).is_spent()) {
            return Err(NoTarget::Spent);
        }
        if laid.lower() != at {
            return Err(NoTarget::WrittenOtherwise(laid.lower()));
        }
        Ok(half.slot())
    }

    /// Whether nothing lies on either half.
    pub(super) fn is_uncovered(&self, slot: usize) -> bool {
        let tops = self.cards[slot].squares().map(|square| self.cells.at(square).top());
        tops == Half::both(slot).map(Some)
    }

    /// Whether this card can be destroyed or taken: it is uncovered, and no doubloon lies on it.
    #[inline]
    pub(super) fn is_removable(&self, slot: usize) -> bool {
        let cells = self.cards[slot].squares().map(|square| self.cells.at(square));
        cells.map(Cell::top) == Half::both(slot).map(Some) && !cells[0].is_spent() && !cells[1].is_spent()
    }

    /// The cards that can be destroyed or taken.
    pub(super) fn removable(&self) -> impl Iterator<Item = usize> {
        (0..self.cards.len()).filter(|&slot| self.is_removable(slot))
    }

    /// A card that can be destroyed or taken, with what it hides.
    pub(super) fn target_at(&self, slot: usize) -> Target {
        let laid = &self.cards[slot];
        let shows = |half: Half| Surface::Icon(self.cards[half.slot()].icons()[half.index()]);
        let mut squares = laid.squares();
        let mut below = laid.below.map(|half| half.map_or(Surface::Bare, shows));
        if !laid.direction.is_up() {
            squares.reverse();
            below.reverse();
        }
        Target { card: laid.card, squares, below }
    }

    /// Lays a card, on whatever lies there.
    pub(super) fn lay(&mut self, card: Card, at: Square, direction: Direction) {
        let mut laid = Laid { card, at, direction, level: [0; 2], depth: 0, below: [None; 2] };
        let halves = Half::both(self.cards.len());
        let icons = laid.icons();
        for (half, square) in laid.squares().into_iter().enumerate() {
            let below = self.cells.at(square).top();
            if let Some(below) = below {
                let lower = &self.cards[below.slot()];
                laid.level[half] = lower.level[below.index()] + 1;
                laid.depth = laid.depth.max(lower.depth + 1);
            }
            laid.below[half] = below;
            self.cells.cover(square, halves[half], icons[half]);
        }
        self.key = self.key.wrapping_add(laid.key());
        self.cards.push(laid);
    }

    /// Takes away an uncovered card, so that what lay below shows again.
    pub(super) fn remove(&mut self, slot: usize) -> Laid {
        let laid = self.cards[slot];
        self.key = self.key.wrapping_sub(laid.key());
        for (square, below) in laid.squares().into_iter().zip(laid.below) {
            let shows = below.map(|half| (half, self.cards[half.slot()].icons()[half.index()]));
            self.cells.uncover(square, shows);
        }
        self.cards.swap_remove(slot);
        if slot < self.cards.len() {
            self.renumber(slot);
        }
        laid
    }

    /// The last card has moved to this slot: whatever points at it must follow.
    fn renumber(&mut self, slot: usize) {
        let old = Half::both(self.cards.len());
        let new = Half::both(slot);
        for (half, square) in self.cards[slot].squares().into_iter().enumerate() {
            let mut above = None;
            let mut at = self.cells.at(square).top();
            while let Some(upper) = at.filter(|&at| at != old[half]) {
                above = Some(upper);
                at = self.cards[upper.slot()].below[upper.index()];
            }
            match above {
                None => self.cells.rename_top(square, new[half]),
                Some(upper) => self.cards[upper.slot()].below[upper.index()] = Some(new[half]),
            }
        }
    }

    /// Lays a doubloon: its square is spent.
    pub(super) fn spend(&mut self, at: Square, owner: Seat) {
        let doubloon = Doubloon { at, owner };
        let rank = |doubloon: &Doubloon| (doubloon.at.rank(), doubloon.owner);
        let place = self.doubloons.partition_point(|other| rank(other) <= rank(&doubloon));
        self.doubloons.insert(place, doubloon);
        self.key = self.key.wrapping_add(doubloon.key());
        self.cells.spend(at);
    }

    /// The cards from bottom to top: each one after those that it lies on, otherwise lower squares first.
    pub(super) fn bottom_to_top(&self) -> Vec<usize> {
        let mut slots: Vec<usize> = (0..self.cards.len()).collect();
        slots.sort_by_key(|&slot| (self.cards[slot].depth, self.cards[slot].lower().rank()));
        slots
    }
}

/// The same cards on the same squares in the same stacks, and the same doubloons.
impl PartialEq for Chart {
    fn eq(&self, other: &Self) -> bool {
        let cards = |chart: &Self| {
            let mut cards: Vec<[u64; 2]> = chart.cards.iter().map(Laid::identity).collect();
            cards.sort_unstable();
            cards
        };
        self.key == other.key && self.doubloons == other.doubloons && cards(self) == cards(other)
    }
}
