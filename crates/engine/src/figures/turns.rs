//! Whole turns of a side: stones taken, an exchange, a stone returned. A search looks from turn to turn, not from step to
//! step.

use quincunx_core::{Actor, Game, Turn};
use quincunx_games::figures::{Action, Colour, Figures, Square};

use super::table::FigureTable;

/// The most steps of a turn: two stones taken, an exchange, a stone returned.
const MOST_STEPS: usize = 4;
/// The bits of a step in the code of a turn.
const STEP_BITS: u32 = 11;

/// The steps from some moment to the end of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WholeTurn {
    steps: [Action; MOST_STEPS],
    len: u8,
}

impl WholeTurn {
    const EMPTY: Self = Self { steps: [Action::Take(Colour::Red); MOST_STEPS], len: 0 };

    pub(super) fn steps(&self) -> &[Action] {
        &self.steps[..self.len as usize]
    }

    #[must_use]
    fn then(mut self, step: Action) -> Self {
        self.steps[self.len as usize] = step;
        self.len += 1;
        self
    }

    /// Whether the turn can begin with this step: two stones are taken in either order.
    pub(super) fn can_begin_with(&self, step: Action) -> bool {
        match *self.steps() {
            [first, ..] if first == step => true,
            [Action::Take(_), second @ Action::Take(_), ..] => second == step,
            _ => false,
        }
    }

    /// The same turn with its two stones taken the other way round, if that lets it begin with this step.
    #[must_use]
    pub(super) fn beginning_with(mut self, step: Action) -> Self {
        if self.steps[0] != step && self.can_begin_with(step) {
            self.steps.swap(0, 1);
        }
        self
    }

    /// A number that tells this turn from all others in its position, for tables.
    pub(super) fn code(&self) -> u64 {
        self.steps().iter().fold(1, |code, step| {
            let step = match *step {
                Action::Take(colour) => colour as u64,
                Action::Return(colour) => 8 + colour as u64,
                Action::Exchange(low, high) => 16 + (low.index() << 5 | high.index()) as u64,
            };
            code << STEP_BITS | step
        })
    }

    /// The turn with this [code](Self::code).
    pub(super) fn of_code(code: u64) -> Option<Self> {
        let len = code.checked_ilog2()? / STEP_BITS;
        (0..len).rev().try_fold(Self::EMPTY, |turn, number| {
            let step = (code >> (number * STEP_BITS)) as usize & ((1 << STEP_BITS) - 1);
            let colour = |number: usize| Colour::ALL.get(number).copied();
            let square = |index: usize| (index < Square::AREA).then(|| Square::from_index(index));
            let step = match step {
                0..8 => Action::Take(colour(step)?),
                8..16 => Action::Return(colour(step - 8)?),
                _ => Action::Exchange(square((step - 16) >> 5)?, square((step - 16) & 31)?),
            };
            Some(turn.then(step))
        })
    }
}

/// A turn, and the position after it.
#[derive(Clone, Debug)]
pub(super) struct Outlook {
    pub(super) turn: WholeTurn,
    pub(super) after: Figures,
}

/// Appends every way to play the turn of the side on turn to its end, from the step that it is at.
pub(super) fn whole_turns(game: &Figures, steps: &mut Vec<Action>, out: &mut Vec<Outlook>) {
    extend(game, WholeTurn::EMPTY, steps, out);
}

fn extend(game: &Figures, so_far: WholeTurn, steps: &mut Vec<Action>, out: &mut Vec<Outlook>) {
    let Turn::Seat(mover) = game.turn() else { return };
    let first = steps.len();
    game.actions(mover, steps);
    for number in first..steps.len() {
        let step = steps[number];
        // Two stones can be taken in either order: one is enough.
        if let (Some(&Action::Take(before)), Action::Take(now)) = (so_far.steps().last(), step)
            && (now as u8) < before as u8
        {
            continue;
        }
        let mut after = game.clone();
        after.play(Actor::Seat(mover), step);
        let turn = so_far.then(step);
        if after.turn() == Turn::Seat(mover) {
            extend(&after, turn, steps, out);
        } else {
            out.push(Outlook { turn, after });
        }
    }
    steps.truncate(first);
}

/// Appends the turns that score, of the side on turn that is to take a stone. Far fewer than all: only those exchanges
/// are looked at that bring a marker to the last square of a figure.
pub(super) fn scoring_turns(game: &Figures, table: &FigureTable, out: &mut Vec<Outlook>) {
    let Turn::Seat(mover) = game.turn() else { return };
    if game.is_first_exchange() {
        return;
    }
    let side = game.side(mover) as usize;
    let (own, other) = (game.stones_of(side), game.stones_of(1 - side));
    for colour in Colour::ALL {
        for completion in table.completions(game.markers_of(colour)) {
            let partner = colour_at(game, completion.to);
            let pair = 1 << colour as u8 | 1 << partner as u8;
            if !within_reach(pair, own, other) {
                continue;
            }
            let mut after = game.clone();
            let mut turn = WholeTurn::EMPTY;
            let mut make = |after: &mut Figures, step| {
                after.play(Actor::Seat(mover), step);
                turn = turn.then(step);
            };
            for stone in [colour, partner].into_iter().filter(|&stone| own >> stone as u8 & 1 == 0) {
                make(&mut after, Action::Take(stone));
            }
            let (low, high) = (completion.from.min(completion.to), completion.from.max(completion.to));
            let [low, high] = [low, high].map(|square| Square::from_index(square.into()));
            make(&mut after, Action::Exchange(low, high));
            if after.turn() == Turn::Over {
                out.push(Outlook { turn, after });
                continue;
            }
            for give in [colour, partner].map(Action::Return) {
                if after.check(Actor::Seat(mover), give).is_ok() {
                    let mut after = after.clone();
                    after.play(Actor::Seat(mover), give);
                    out.push(Outlook { turn: turn.then(give), after });
                }
            }
        }
    }
}

/// Whether a side that holds `own` can have both stones of the pair in hand in a turn, if the other side holds `other`.
#[inline]
pub(super) const fn within_reach(pair: u8, own: u8, other: u8) -> bool {
    pair & other == 0 && own & !pair == 0
}

/// The colour of the marker on a square.
#[inline]
pub(super) fn colour_at(game: &Figures, square: u8) -> Colour {
    let here = |colour: &Colour| game.markers_of(*colour) >> square & 1 == 1;
    Colour::ALL.into_iter().find(here).expect("every square holds a marker")
}
