//! Looking for X's after the chart has changed, and laying doubloons on them.

use quincunx_core::{Outcome, Seat};

use super::{
    XMarksTheSpot,
    card::Pirate,
    cells::Cells,
    phase::Phase,
    square::{Form, Square},
};

/// A square and how the other four lie around it.
type Cross = (Square, Form);

/// The pirates that have an X here, as bits.
fn pirates(cells: &Cells, (centre, form): Cross) -> u8 {
    let mut pirates = cells.at(centre).serves();
    for arm in form.arms() {
        if pirates == 0 {
            break;
        }
        pirates &= cells.at(centre.shifted(arm)).serves();
    }
    pirates
}

/// The X's that one of these squares is part of: lower centres first, the diagonal form first.
fn around(cells: &Cells, changed: [Square; 2]) -> Vec<Cross> {
    let mut found = Vec::new();
    for square in changed {
        let serves = cells.at(square).serves();
        if serves == 0 {
            continue;
        }
        for form in Form::ALL {
            // The square is an arm of a centre that lies where, seen from the square, an arm would lie.
            for shift in [(0, 0)].into_iter().chain(form.arms()) {
                let cross = (square.shifted(shift), form);
                if pirates(cells, cross) != 0 {
                    found.push(cross);
                }
            }
        }
    }
    found.sort_by_key(|&(centre, form)| (centre.rank(), form as u8));
    found.dedup();
    found
}

impl XMarksTheSpot {
    /// Looks for X's and lays doubloons, the player on turn first.
    ///
    /// Whatever X a player had before was claimed when it came to be, so a new one has a changed square in it.
    pub(super) fn claim(&mut self, changed: [Square; 2]) {
        let found = around(self.chart.cells(), changed);
        if found.is_empty() {
            return;
        }
        for seat in self.player.clockwise(self.seats) {
            self.claim_for(seat, &found);
            if self.laid[seat.index()] == self.doubloons {
                self.phase = Phase::Over(Outcome::win([seat], "three-doubloons"));
                return;
            }
        }
    }

    fn claim_for(&mut self, seat: Seat, found: &[Cross]) {
        let flag = self.flags[seat.index()].map_or(0, Pirate::bit);
        // Ruling: all X's of one player count at once, so they are collected before any of their squares is spent.
        let mut standing = 0;
        let mut centres = Vec::new();
        for &cross in found {
            let pirates = pirates(self.chart.cells(), cross);
            standing |= pirates;
            if pirates & flag != 0 {
                centres.push(cross.0);
            }
        }
        if centres.is_empty() {
            self.memory.has_none_of(seat, standing);
            return;
        }
        self.revealed = self.revealed.with(seat);
        let left = self.doubloons - self.laid[seat.index()];
        for &centre in centres.iter().take(usize::from(left)) {
            self.chart.spend(centre, seat);
            self.laid[seat.index()] += 1;
        }
    }
}
