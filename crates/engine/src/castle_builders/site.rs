//! The castle as the search sees it: small, quick to copy, and without anything that is hidden.

use quincunx_games::castle_builders::{Action, Building, CastleBuilders, Kind, Remover, Tower};

/// From a tower to the next.
const STRIDE: usize = 8;
/// The most towers and rows.
pub(super) const MOST: usize = 8;
/// The spaces at the bottom of all towers.
const BOTTOM_ROW: u64 = u64::MAX / 0xff;
/// The kinds of counters.
pub(super) const KINDS: usize = Kind::ALL.len();

/// How many counters of each kind, in the order of [`Kind::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Heap(pub(super) [u8; KINDS]);

impl Heap {
    pub(super) fn total(self) -> u32 {
        self.0.iter().map(|&count| u32::from(count)).sum()
    }

    pub(super) fn kinds(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(move |&kind| self.0[kind as usize] > 0)
    }

    /// One more of this kind.
    #[must_use]
    pub(super) fn with(mut self, kind: Kind) -> Self {
        self.0[kind as usize] += 1;
        self
    }

    /// One less of this kind.
    #[must_use]
    pub(super) fn without(mut self, kind: Kind) -> Self {
        self.0[kind as usize] -= 1;
        self
    }
}

/// What does not change in a game: the spaces, and what roofs and rows are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    spaces: u64,
    pub(super) roofs: [u8; MOST],
    pub(super) rows: [u8; MOST],
    towers: u8,
    heights: u8,
    /// The topmost spaces of all towers.
    tops: u64,
    /// How many spaces each tower and each row has.
    in_tower: [u8; MOST],
    in_row: [u8; MOST],
}

impl Layout {
    pub(super) fn of(game: &CastleBuilders) -> Self {
        let spaces = game.spaces();
        let towers = (u64::BITS - spaces.leading_zeros()).div_ceil(STRIDE as u32) as u8;
        let rows = |row: &u8| spaces & BOTTOM_ROW << row != 0;
        let heights = (0..MOST as u8).take_while(rows).count() as u8;
        let above = spaces >> 1 & !(BOTTOM_ROW << (STRIDE - 1));
        Self {
            spaces,
            roofs: game.roofs(),
            rows: game.row_values(),
            towers,
            heights,
            tops: spaces & !above,
            in_tower: std::array::from_fn(|tower| byte(spaces, tower).count_ones() as u8),
            in_row: std::array::from_fn(|row| in_row(spaces, row) as u8),
        }
    }

    pub(super) const fn spaces(&self) -> u64 {
        self.spaces
    }

    /// The numbers of the towers. That they are below [`MOST`] is said for the compiler, which then checks no bounds.
    pub(super) fn towers(&self) -> std::ops::Range<usize> {
        0..MOST.min(self.towers as usize)
    }

    /// The numbers of the rows, likewise.
    pub(super) fn rows(&self) -> std::ops::Range<usize> {
        0..MOST.min(self.heights as usize)
    }
}

/// The counters in the towers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Site {
    filled: u64,
    /// Spaces with a counter of seat 1.
    green: u64,
    vertical: u64,
    horizontal: u64,
}

/// A tower as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TowerState {
    pub(super) free: u32,
    /// The owner of the topmost counter.
    pub(super) top: Option<usize>,
    /// Whether each seat has a bonus counter for it.
    pub(super) bonus: [bool; 2],
}

/// A row as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RowState {
    pub(super) free: u32,
    pub(super) counters: [u32; 2],
    pub(super) bonus: [bool; 2],
}

#[inline]
const fn byte(spaces: u64, tower: usize) -> u64 {
    spaces >> (tower * STRIDE) & 0xff
}

/// How many of these spaces are in a row. The product adds up all towers in its highest byte, which takes less than counting
/// bits where the processor does not do that.
#[inline]
const fn in_row(spaces: u64, row: usize) -> u32 {
    ((spaces >> row & BOTTOM_ROW).wrapping_mul(BOTTOM_ROW) >> (u64::BITS - STRIDE as u32)) as u32
}

/// The towers in which any of these spaces are.
#[inline]
pub(super) fn towers_of(mut spaces: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let tower = (spaces != 0).then(|| spaces.trailing_zeros() as usize / STRIDE)?;
        spaces &= !(0xff << (tower * STRIDE));
        Some(tower)
    })
}

/// The rows in which any of these spaces are.
#[inline]
pub(super) fn rows_of(mut spaces: u64) -> impl Iterator<Item = usize> {
    spaces |= spaces >> (4 * STRIDE);
    spaces |= spaces >> (2 * STRIDE);
    let mut rows = (spaces | spaces >> STRIDE) as u8;
    std::iter::from_fn(move || {
        let row = (rows != 0).then(|| rows.trailing_zeros() as usize)?;
        rows &= rows - 1;
        Some(row)
    })
}

impl Site {
    pub(super) fn of(game: &CastleBuilders) -> Self {
        let [filled, green, vertical, horizontal] = game.built();
        Self { filled, green, vertical, horizontal }
    }

    pub(super) const fn is_complete(&self, layout: &Layout) -> bool {
        self.filled == layout.spaces
    }

    /// How many spaces are free.
    pub(super) const fn free(&self, layout: &Layout) -> u32 {
        (layout.spaces & !self.filled).count_ones()
    }

    /// Whether several towers have one free space.
    #[inline]
    pub(super) const fn has_several_nearly_full(&self, layout: &Layout) -> bool {
        let next = (self.filled << 1 | BOTTOM_ROW) & !self.filled;
        let last = next & layout.tops;
        last & last.wrapping_sub(1) != 0
    }

    /// The spaces in which it is not the same as another.
    #[inline]
    pub(super) const fn changed(&self, other: &Self) -> u64 {
        self.filled ^ other.filled
            | self.green ^ other.green
            | self.vertical ^ other.vertical
            | self.horizontal ^ other.horizontal
    }

    #[inline]
    pub(super) fn tower(&self, layout: &Layout, tower: usize) -> TowerState {
        let filled = byte(self.filled, tower);
        let green = byte(self.green, tower);
        let top = (filled + 1) >> 1;
        let vertical = byte(self.vertical, tower);
        TowerState {
            free: u32::from(layout.in_tower[tower]) - filled.trailing_ones(),
            top: (filled != 0).then_some(usize::from(green & top != 0)),
            bonus: [vertical & !green != 0, vertical & green != 0],
        }
    }

    #[inline]
    pub(super) fn row(&self, layout: &Layout, row: usize) -> RowState {
        let (filled, green) = (in_row(self.filled, row), in_row(self.green, row));
        let horizontal = self.horizontal & BOTTOM_ROW << row;
        RowState {
            free: u32::from(layout.in_row[row]) - filled,
            counters: [filled - green, green],
            bonus: [horizontal & !self.green != 0, horizontal & self.green != 0],
        }
    }

    /// The points of yellow less those of green as the castle stands.
    pub(super) fn lead(&self, layout: &Layout) -> i32 {
        let points = |value: u8, owner: usize, bonus: [bool; 2]| {
            let points = i32::from(value) << u32::from(bonus[owner]);
            if owner == 0 { points } else { -points }
        };
        let towers = layout.towers().map(|number| {
            let tower = self.tower(layout, number);
            tower.top.map_or(0, |owner| points(layout.roofs[number], owner, tower.bonus))
        });
        let rows = layout.rows().map(|number| {
            let row = self.row(layout, number);
            match row.counters[0].cmp(&row.counters[1]) {
                std::cmp::Ordering::Equal => 0,
                order => points(layout.rows[number], usize::from(order.is_lt()), row.bonus),
            }
        });
        towers.chain(rows).sum()
    }

    fn build(&mut self, seat: usize, counter: Building, tower: usize) {
        let space = (byte(self.filled, tower) + 1) << (tower * STRIDE);
        self.filled |= space;
        self.green |= space * seat as u64;
        match counter {
            Building::Ordinary | Building::Continuation => {}
            Building::BonusVertical => self.vertical |= space,
            Building::BonusHorizontal => self.horizontal |= space,
        }
    }

    fn remove(&mut self, tower: usize) {
        let space = (byte(self.filled, tower) + 1) >> 1 << (tower * STRIDE);
        self.filled &= !space;
        self.green &= !space;
        self.vertical &= !space;
        self.horizontal &= !space;
    }

    /// The castle with the colours of all counters changed.
    #[cfg(test)]
    pub(super) fn swapped(self) -> Self {
        Self { green: self.filled & !self.green, ..self }
    }

    /// The castle after an action of a seat.
    #[must_use]
    pub(super) fn after(mut self, seat: usize, action: Action) -> Self {
        match action {
            Action::Build { counter, tower } => self.build(seat, counter, tower.index()),
            Action::Remove { tower: Some(tower), .. } => self.remove(tower.index()),
            Action::Remove { tower: None, .. } | Action::Stop | Action::Draw(_) => {}
        }
        self
    }

    /// Appends all actions with a counter of this kind.
    pub(super) fn actions(&self, layout: &Layout, kind: Kind, out: &mut Vec<Action>) {
        let towers = |wanted: fn(u64, u64) -> bool| {
            let fits = move |tower: &usize| wanted(byte(self.filled, *tower), byte(layout.spaces, *tower));
            layout.towers().filter(fits).map(|tower| Tower::new(tower as u8))
        };
        let open = || towers(|filled, spaces| filled != spaces);
        let remove = |counter: Remover, out: &mut Vec<Action>| {
            if self.filled == 0 {
                out.push(Action::Remove { counter, tower: None });
            }
            let begun = towers(|filled, _| filled != 0);
            out.extend(begun.map(|tower| Action::Remove { counter, tower: Some(tower) }));
        };
        for counter in Building::ALL.into_iter().filter(|counter| counter.kind() == kind) {
            out.extend(open().map(|tower| Action::Build { counter, tower }));
        }
        match kind {
            Kind::Remove => remove(Remover::Remove, out),
            Kind::RemoveAndContinue => remove(Remover::RemoveAndContinue, out),
            Kind::Stop => out.push(Action::Stop),
            Kind::Ordinary | Kind::Continuation | Kind::Bonus => {}
        }
    }
}

/// The kind of counter that an action needs.
pub(super) fn kind_of(action: Action) -> Kind {
    match action {
        Action::Build { counter, .. } => counter.kind(),
        Action::Remove { counter, .. } => counter.kind(),
        Action::Stop => Kind::Stop,
        Action::Draw(kind) => kind,
    }
}
