//! Trexo: noughts and crosses that grow upwards. Two players lay tiles that show X on one half and O on the other, on the
//! board or across two tiles of the same level; five of one symbol in a row, seen from above, win.

mod action;
mod board;
mod options;
mod refusal;
#[cfg(test)]
mod tests;
mod view;

use quincunx_core::{Actor, Coord, Credits, Fold, Game, Outcome, Reason, Scratch, Seat, SetupError, Turn, Viewer};
use rand::{Rng, RngExt};

use self::board::{Board, Symbol};
pub use self::{
    action::Action,
    options::Options,
    refusal::Refusal,
    view::{SquareView, TileView, View},
};

const FIRST: Seat = Seat::new(0);
const SECOND: Seat = Seat::new(1);

/// A position of Trexo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trexo {
    board: Board,
    tiles_left: u16,
    tiles_laid: u16,
    to_move: Seat,
    /// Who owns X. Only a swap gives it to the second player.
    x_seat: Seat,
    /// Whether this table plays with the swap.
    swap: bool,
    last: Option<(Coord, Coord)>,
    end: Option<End>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    FiveInARow { winner: Seat },
    NoTiles,
    NoPlace,
}

impl Trexo {
    /// Whether the player to move may take over X instead of laying a tile.
    #[inline]
    fn may_swap(&self) -> bool {
        self.swap && self.tiles_laid == 1 && self.x_seat == FIRST && self.end.is_none()
    }

    #[inline]
    fn owner(&self, symbol: Symbol) -> Seat {
        match symbol {
            Symbol::X => self.x_seat,
            Symbol::O => self.x_seat.next(2),
        }
    }

    /// How the game ends with the tile just laid by `layer`, if it does.
    #[inline]
    fn end_after_tile(&self, layer: Seat) -> Option<End> {
        let win = |winner| Some(End::FiveInARow { winner });
        match (self.board.has_five(Symbol::X), self.board.has_five(Symbol::O)) {
            // The opponent's symbol counts as laid first.
            (true, true) => win(layer.next(2)),
            (true, false) => win(self.owner(Symbol::X)),
            (false, true) => win(self.owner(Symbol::O)),
            (false, false) if self.tiles_left == 0 => Some(End::NoTiles),
            (false, false) => (!self.board.has_place()).then_some(End::NoPlace),
        }
    }

    /// What the board does not show: the word that completes the key.
    fn state_word(&self) -> u64 {
        u64::from(self.tiles_left)
            | u64::from(self.to_move.number()) << 16
            | u64::from(self.x_seat.number()) << 17
            | u64::from(self.may_swap()) << 18
            | u64::from(self.board.size()) << 19
    }
}

impl Game for Trexo {
    const ID: &'static str = "trexo";
    const TITLE: &'static str = "Trexo";
    const CREDITS: Credits = Credits { by: "Förlago", also: "ages 7+, 10 to 20 minutes" };
    const RULES: &'static str = include_str!("../../../../docs/rules/trexo.md");
    const SEATS: &'static [u8] = &[2];

    type Options = Options;
    type Action = Action;
    type View = View;
    type Refusal = Refusal;

    fn new(_seats: u8, options: &Options) -> Result<Self, SetupError> {
        Ok(Self {
            board: Board::new(options.size.get() as u8),
            tiles_left: options.tiles.get() as u16,
            tiles_laid: 0,
            to_move: FIRST,
            x_seat: FIRST,
            swap: options.swap,
            last: None,
            end: None,
        })
    }

    fn seats(&self) -> u8 {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.end.is_some() { Turn::Over } else { Turn::Seat(self.to_move) }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end.map(|end| match end {
            End::FiveInARow { winner } => Outcome::win([winner], "five-in-a-row"),
            End::NoTiles => Outcome::draw("no-tiles"),
            End::NoPlace => Outcome::draw("no-place"),
        })
    }

    /// There are no points: the outcome is all.
    fn score(&self, _seat: Seat) -> i32 {
        0
    }

    fn actions(&self, seat: Seat, out: &mut Vec<Action>) {
        if self.turn() != Turn::Seat(seat) {
            return;
        }
        out.extend(self.board.places().flat_map(|(a, b)| [Action::Lay { x: a, o: b }, Action::Lay { x: b, o: a }]));
        if self.may_swap() {
            out.push(Action::Swap);
        }
    }

    fn check(&self, by: Actor, action: Action) -> Result<(), Reason> {
        self.turn().admit(by)?;
        match action {
            Action::Lay { x, o } => self.board.refusal(x, o).map_or(Ok(()), Err),
            Action::Swap if self.may_swap() => Ok(()),
            Action::Swap if self.swap => Err(Refusal::SwapLate.into()),
            Action::Swap => Err(Refusal::NoSwap.into()),
        }
    }

    #[inline]
    fn play(&mut self, _by: Actor, action: Action) {
        let player = self.to_move;
        match action {
            Action::Lay { x, o } => {
                self.board.lay(x, o);
                self.tiles_left -= 1;
                self.tiles_laid += 1;
                self.last = Some((x, o));
                self.end = self.end_after_tile(player);
            }
            Action::Swap => self.x_seat = SECOND,
        }
        self.to_move = player.next(2);
    }

    #[inline]
    fn random<R: Rng + ?Sized>(&self, _by: Actor, rng: &mut R, _scratch: &mut Scratch<Action>) -> Action {
        let tiles = 2 * self.board.count_places();
        let number = rng.random_range(0..tiles + u32::from(self.may_swap()));
        if number == tiles {
            return Action::Swap;
        }
        let (a, b) = self.board.nth_place(number / 2);
        if number % 2 == 0 { Action::Lay { x: a, o: b } } else { Action::Lay { x: b, o: a } }
    }

    fn view(&self, _viewer: Viewer) -> View {
        View::of(self)
    }

    #[inline]
    fn key(&self) -> u64 {
        Fold::default().word(self.board.key()).word(self.state_word()).key()
    }

    fn key_from_scratch(&self) -> u64 {
        Fold::default().word(self.board.key_from_scratch()).word(self.state_word()).key()
    }
}
