//! Exact threats: the tiles that win at once, and the answers that leave the other side none.
//!
//! Four in a line threaten nothing by themselves. The fifth square needs a neighbour on the same level that belongs to
//! another tile, the other half must not break the line, and it must not complete a line for the other side, as two lines
//! with one tile lose for who laid it.

use super::{
    lines::{Lines, bits, completing, has_five},
    position::{Position, Symbol, Tile},
};

/// The tiles with which `side` would win if it were to move.
pub(super) fn winning_tiles(position: &Position, side: Symbol) -> impl Iterator<Item = Tile> + '_ {
    let squares = if position.worth().fours(side) == 0 { 0 } else { completing(position.shown(side)) };
    let tiles =
        bits(squares).flat_map(move |own| position.partners(own).map(move |partner| Tile::with(side, own, partner)));
    tiles.filter(move |&tile| {
        let shown = position.shown_after(tile);
        has_five(shown[side as usize]) && !has_five(shown[side.other() as usize])
    })
}

/// How the side to move stands as to tiles that end the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Danger {
    /// It wins at once, with this tile.
    Wins(Tile),
    /// The other side would win with this tile if it were to move.
    Threatened(Tile),
    None,
}

impl Danger {
    pub(super) fn of(position: &Position) -> Self {
        let to_move = position.to_move();
        if let Some(tile) = winning_tiles(position, to_move).next() {
            return Self::Wins(tile);
        }
        // With the last tile the side to move ends the game.
        let threat = if position.tiles_left() > 1 { winning_tiles(position, to_move.other()).next() } else { None };
        threat.map_or(Self::None, Self::Threatened)
    }
}

/// The tiles after which the other side, who threatens to win with `threat`, cannot win at once. They are few, and all
/// of them are found: a tile that is not among them loses.
pub(super) fn answers<'a>(position: &'a Position, threat: Tile, lines: &'a Lines) -> impl Iterator<Item = Tile> + 'a {
    let side = position.to_move();
    let other = side.other();
    // The threat stays unless a tile changes one of its two squares or of its line, or comes into a line with its other
    // half, which may then complete five for this side as well.
    let line = lines.reach(threat.square(other)) & position.shown(other);
    let concerned = line | threat.mask();
    let counter = lines.reach(threat.square(side));
    let may_answer = move |tile: &Tile| tile.mask() & concerned != 0 || counter >> tile.square(side) & 1 == 1;
    position.tiles().filter(may_answer).filter(move |&tile| {
        if has_five(position.shown_after(tile)[other as usize]) {
            return false;
        }
        let mut next = position.clone();
        next.lay(tile, lines);
        winning_tiles(&next, other).next().is_none()
    })
}
