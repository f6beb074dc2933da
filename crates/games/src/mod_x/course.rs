//! How a game goes on: a piece is placed, patterns are scored, jokers are put back, a turn or the game ends.

use quincunx_core::{Game, Outcome, Seat};

use super::{
    ModX, Phase, Then,
    board::{Square, Squares},
    patterns,
};

/// How a game can end, in the words of the rules page.
mod reason {
    pub(super) const POINTS: &str = "points";
    pub(super) const ALL_JOKERS: &str = "all-jokers";
    pub(super) const OUT_OF_PIECES: &str = "out-of-pieces";
    pub(super) const OUT_OF_MARKERS: &str = "out-of-markers";
    pub(super) const BOARD_FULL: &str = "board-full";
}

impl ModX {
    /// The mover puts an X-piece on the board. Without manual claims everything it completes is scored.
    ///
    /// A placement can be complete for a colour only after an X-piece of that colour was put into it (jokers may not
    /// complete one), so that looking at the whole board finds just what this piece completed. An all-joker pattern
    /// never stands on the board: the joker that completes one ends the game or is forbidden.
    #[inline]
    pub(super) fn place(&mut self, square: Square) {
        let mover = self.mover.index();
        self.pieces[mover] |= Squares::of(square);
        self.supply[mover] -= 1;
        if self.settled.manual {
            self.phase = Phase::Claim;
            return;
        }
        let union = patterns::complete(self.pieces[mover] | self.jokers);
        if union.is_empty() {
            self.end_turn();
        } else {
            self.score_union(self.mover, union, Then::EndTurn);
        }
    }

    /// Somebody touches a piece and scores all complete placements through it.
    pub(super) fn claim(&mut self, claimant: Seat, square: Square) {
        let then = if self.phase == Phase::Place { Then::Place } else { Then::Claim };
        self.score_union(claimant, self.claimed_by_touching(square), then);
    }

    /// The union of all complete placements through a piece: those of its colour, and through a joker those of every
    /// colour. (None is an all-joker pattern, see [`place`](Self::place).)
    pub(super) fn claimed_by_touching(&self, square: Square) -> Squares {
        let mut union = Squares::EMPTY;
        for own in self.pieces {
            if own.contains(square) || self.jokers.contains(square) {
                patterns::through(square)
                    .filter(|placement| placement.within(own | self.jokers))
                    .for_each(|placement| union |= placement);
            }
        }
        union
    }

    /// Every X-piece of the union goes back to its owner and a marker of the scorer takes its place; jokers are lifted.
    fn score_union(&mut self, scorer: Seat, union: Squares, then: Then) {
        let mut replaced = Squares::EMPTY;
        for (own, supply) in self.pieces.iter_mut().zip(&mut self.supply) {
            let back = *own & union;
            *supply += back.count();
            *own -= back;
            replaced |= back;
        }
        let lifted = self.jokers & union;
        self.jokers -= lifted;
        self.lay_markers(scorer, replaced);
        if self.points(scorer) >= self.settled.target {
            self.win(scorer, reason::POINTS);
        } else if self.markers[scorer.index()] == 0 {
            // "Immediately": the lifted jokers stay in hand.
            self.count_points(reason::OUT_OF_MARKERS);
        } else {
            self.jokers_back(scorer, lifted.count(), then);
        }
    }

    fn lay_markers(&mut self, scorer: Seat, squares: Squares) {
        let marked = self.marked_first(scorer, squares);
        for square in marked.iter() {
            self.heights[square.index()] += 1;
        }
        self.markers[scorer.index()] -= marked.count();
        for tops in &mut self.tops {
            *tops -= marked;
        }
        self.tops[scorer.index()] |= marked;
    }

    /// The squares that get a marker where the markers may not suffice: first those whose top marker is another
    /// player's (also a partner's), then those without one, then the scorer's own, each in the order of the board.
    fn marked_first(&self, scorer: Seat, squares: Squares) -> Squares {
        let mut left = self.markers[scorer.index()];
        if squares.count() <= left {
            return squares;
        }
        let own = self.tops[scorer.index()];
        let others = Squares::union(&self.tops) - own;
        let mut marked = Squares::EMPTY;
        for class in [squares & others, squares - others - own, squares & own] {
            for square in class.iter().take(left.into()) {
                marked |= Squares::of(square);
                left -= 1;
            }
        }
        marked
    }

    /// A joker is set up or put back.
    pub(super) fn put_joker(&mut self, square: Square) {
        match self.phase {
            Phase::SetUp { left } => {
                self.jokers |= Squares::of(square);
                if left > 1 {
                    self.phase = Phase::SetUp { left: left - 1 };
                } else {
                    self.begin_turn();
                }
            }
            Phase::JokersBack { by, left, then } => {
                let all_jokers = patterns::gaps(self.jokers).contains(square);
                self.jokers |= Squares::of(square);
                if all_jokers {
                    self.win(by, reason::ALL_JOKERS);
                } else {
                    self.jokers_back(by, left - 1, then);
                }
            }
            Phase::Place | Phase::Claim | Phase::Over(_) => unreachable!("no joker is in hand"),
        }
    }

    /// The scorer goes on with the jokers in hand. One without a legal square leaves the game, and so do all that
    /// would come after it.
    fn jokers_back(&mut self, by: Seat, left: u8, then: Then) {
        if left > 0 && !self.joker_squares().is_empty() {
            self.phase = Phase::JokersBack { by, left, then };
            return;
        }
        match then {
            Then::EndTurn => self.end_turn(),
            Then::Place => self.phase = Phase::Place,
            Then::Claim => self.phase = Phase::Claim,
        }
    }

    /// The turn is over; without pieces for another one, or without a free square for the next player, so is the game.
    #[inline]
    pub(super) fn end_turn(&mut self) {
        if self.supply[self.mover.index()] == 0 {
            self.count_points(reason::OUT_OF_PIECES);
        } else if self.free().is_empty() {
            self.count_points(reason::BOARD_FULL);
        } else {
            self.begin_turn();
        }
    }

    /// The next player's turn.
    #[inline]
    fn begin_turn(&mut self) {
        self.mover = self.mover.next(self.settled.seats);
        self.phase = Phase::Place;
    }

    fn win(&mut self, winner: Seat, reason: &'static str) {
        let side = self.side(winner);
        let winners = Seat::all(self.settled.seats).filter(|&seat| self.side(seat) == side);
        self.phase = Phase::Over(Outcome::win(winners, reason));
    }

    /// Most points win.
    #[cold]
    fn count_points(&mut self, reason: &'static str) {
        let points = |seat| self.points(seat).into();
        self.phase = Phase::Over(Outcome::most(self.settled.seats, |seat| self.side(seat), points, reason));
    }
}
