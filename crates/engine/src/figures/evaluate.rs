//! What a position is worth to the side on turn, in hundredths of a point.

use quincunx_core::{Game, Turn};
use quincunx_games::figures::{Colour, Figure, Figures};

use super::{
    table::FigureTable,
    turns::{colour_at, within_reach},
};
use crate::{math::logistic, player::unproven};

/// One point of the score.
pub(super) const POINT: i32 = 100;
/// What can be set about the evaluation. All parts are in hundredths of what the figure is worth now.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Weights {
    /// By the number of markers in the wrong place: how much a figure in the colour of a kept stone counts for the side
    /// that holds it, and is out of reach of the other.
    pub(super) held: [i32; 6],
    /// The same for every colour: for the side on turn, which comes to it first.
    pub(super) open: [i32; 6],
    /// The best figure that the side on turn can make now.
    pub(super) now: i32,
    /// The best figure that the other side could make if it were on turn.
    pub(super) next: i32,
}

impl Default for Weights {
    fn default() -> Self {
        Self { held: [0, 20, 8, 2, 0, 0], open: [0, 4, 2, 0, 0, 0], now: 50, next: 25 }
    }
}

/// The value of a position in which a side is to take a stone.
pub(super) fn evaluate(game: &Figures, table: &FigureTable, weights: &Weights) -> i32 {
    let Turn::Seat(mover) = game.turn() else { return 0 };
    let side = game.side(mover) as usize;
    let (own, other) = (game.stones_of(side), game.stones_of(1 - side));
    let times_made = game.times_made();
    let worth = |figure: Figure, colour: Colour| {
        i32::from(Figures::VALUES[(times_made >> Figures::place_of(figure, colour) & 3) as usize])
    };
    let mut value = 0;
    let (mut now, mut next) = (0, 0);
    for colour in Colour::ALL {
        let markers = game.markers_of(colour);
        let distances = table.distances(markers);
        let (mut held, mut open) = (0, 0);
        for figure in Figure::ALL {
            let (distance, worth) = (distances.to(figure as usize), worth(figure, colour));
            held += worth * weights.held[distance];
            open += worth * weights.open[distance];
        }
        let holder = i32::from(own >> colour as u8 & 1) - i32::from(other >> colour as u8 & 1);
        value += holder * held + open;
        if !distances.any_at_one() {
            continue;
        }
        for completion in table.completions(markers) {
            let pair = 1 << colour as u8 | 1 << colour_at(game, completion.to) as u8;
            let worth = worth(Figure::ALL[completion.figure as usize], colour);
            if within_reach(pair, own, other) {
                now = now.max(worth);
            } else if within_reach(pair, other, own) {
                next = next.max(worth);
            }
        }
    }
    let lead = i32::from(game.points_of(side)) - i32::from(game.points_of(1 - side));
    POINT * lead + value + now * weights.now - next * weights.next
}

/// The chance to win of a side that is this much ahead: the same lead says more when there is little left to make up.
pub(super) fn chance_to_win(value: i32, game: &Figures) -> f32 {
    let most = game.points_of(0).max(game.points_of(1)).min(game.target());
    let missing = f32::from(game.target() - most);
    let lead = value as f32 / POINT as f32;
    unproven(logistic(lead / (1.0 + 0.5 * missing.sqrt())))
}
