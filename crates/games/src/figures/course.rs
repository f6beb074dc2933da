//! How a game goes on: stones are taken, markers exchanged, figures scored, a stone is returned, the game ends.

use quincunx_core::{Game, Outcome, Seat};

use super::{
    Figures, Phase, SIDES,
    board::{Square, Squares},
    colour::{Colour, Stones},
    exchange::Exchanges,
    shapes, side_of,
};

/// How a game can end, in the words of the rules page.
mod reason {
    pub(super) const POINTS: &str = "points";
    pub(super) const DOUBLE_VICTORY: &str = "double-victory";
    pub(super) const TURN_LIMIT: &str = "turn-limit";
}

/// The lead of a double victory.
const DOUBLE_LEAD: u16 = 11;

impl Figures {
    /// The markers of the two colours in hand.
    #[inline]
    pub(super) fn in_play(&self) -> (Squares, Squares) {
        let (first, second) = self.hand().pair();
        (self.markers[first as usize], self.markers[second as usize])
    }

    #[inline]
    pub(super) fn take(&mut self, colour: Colour) {
        let hand = &mut self.hands[side_of(self.mover)];
        *hand = hand.with(Stones::of(colour));
        let hand = *hand;
        if hand.count() < 2 {
            return;
        }
        let legal = self.legal_exchanges();
        // Without a legal exchange the turn goes on to the return.
        self.phase = if legal.is_empty() { Phase::Return { allowed: hand } } else { Phase::Exchange(legal) };
    }

    /// The legal exchanges with the two stones in hand.
    #[inline]
    fn legal_exchanges(&self) -> Exchanges {
        let (first, second) = self.in_play();
        let legal = Exchanges::between(first, second);
        if self.exchanged { legal } else { legal.filter(first, second, |a, b| !self.makes_figure(a, b)) }
    }

    /// Whether exchanging the markers of the two colours in hand on these squares makes a figure.
    pub(super) fn makes_figure(&self, one: Square, other: Square) -> bool {
        let moved = Squares::of(one).or(Squares::of(other));
        let (first, second) = self.in_play();
        [first, second].iter().any(|markers| shapes::figure(markers.toggled(moved), self.settled.families).is_some())
    }

    #[inline]
    pub(super) fn exchange(&mut self, low: Square, high: Square) {
        let moved = Squares::of(low).or(Squares::of(high));
        let hand = self.hand();
        let (first, second) = hand.pair();
        self.exchanged = true;
        let mut gained = 0;
        let mut made = Stones::NONE;
        for colour in [first, second] {
            let markers = self.markers[colour as usize].toggled(moved);
            self.markers[colour as usize] = markers;
            if let Some(figure) = shapes::figure(markers, self.settled.families) {
                gained += u16::from(self.point_board.take(figure, colour));
                made = made.with(Stones::of(colour));
            }
        }
        // The stone of a single figure must be returned.
        self.phase = Phase::Return { allowed: if made.count() == 1 { made } else { hand } };
        if gained > 0 {
            self.gain(gained);
        }
    }

    #[cold]
    fn gain(&mut self, points: u16) {
        self.points[self.mover.index()] += points;
        let side = side_of(self.mover);
        let total = self.side_points(side);
        if total < self.settled.target {
            return;
        }
        // The other side has less than the target, or it would have won before.
        let lead = total - self.side_points(SIDES - 1 - side);
        let reason = if lead >= DOUBLE_LEAD { reason::DOUBLE_VICTORY } else { reason::POINTS };
        let winners = Seat::all(self.settled.seats).filter(|&seat| side_of(seat) == side);
        self.phase = Phase::Over(Outcome::win(winners, reason));
    }

    #[inline]
    pub(super) fn give_back(&mut self, colour: Colour) {
        let hand = &mut self.hands[side_of(self.mover)];
        *hand = hand.without(Stones::of(colour));
        self.turns += 1;
        if self.turns < self.settled.turn_limit {
            self.mover = self.mover.next(self.settled.seats);
            self.phase = Phase::Take;
        } else {
            let points = |seat| i32::from(self.side_points(side_of(seat)));
            let side = |seat| self.side(seat);
            self.phase = Phase::Over(Outcome::most(self.settled.seats, side, points, reason::TURN_LIMIT));
        }
    }
}
