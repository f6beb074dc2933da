//! What a search expects, corrected so that it means what it says: of positions in which it expects 70 %, seven of ten are won.

use quincunx_core::{Game, Seat};
use quincunx_games::{CastleBuilders, ModX, Trexo};

use crate::{
    Knowledge,
    math::{logistic, logit},
};

/// A correction of expected outcomes with two parameters, in logits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Correction {
    /// How much sharper (above 1) or more careful (below 1) the search has to be.
    pub scale: f32,
    /// What the side that thinks has to add.
    pub shift: f32,
}

impl Correction {
    pub const NONE: Self = Self { scale: 1.0, shift: 0.0 };

    /// The correction for a game, its number of seats and of sides: fitted by `quincunx calibrate`, which prints what is to be
    /// set here.
    pub fn in_force(game: &str, seats: u8, sides: usize) -> Self {
        // Game, seats, sides.
        const FITTED: &[(&str, u8, usize, Correction)] = &[
            (Trexo::ID, 2, 2, Correction { scale: 1.12, shift: -0.085 }),
            (ModX::ID, 2, 2, Correction { scale: 1.203, shift: -0.06 }),
            (CastleBuilders::ID, 2, 2, Correction { scale: 1.146, shift: -0.284 }),
        ];
        let fitted =
            FITTED.iter().find(|&&(id, of_seats, of_sides, _)| (id, of_seats, of_sides) == (game, seats, sides));
        fitted.map_or(Self::NONE, |&(.., correction)| correction)
    }

    pub(crate) fn of<G: Game>(known: &Knowledge<'_, G>) -> Self {
        // All sides have equally many seats.
        let partners = Seat::all(known.seats()).filter(|&seat| known.is_own_side(seat)).count();
        Self::in_force(G::ID, known.seats(), usize::from(known.seats()) / partners)
    }

    /// The one correction that does what these two do one after the other.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self { scale: next.scale * self.scale, shift: next.scale * self.shift + next.shift }
    }

    /// The chance to win that a side has which expects this one.
    pub fn corrected(self, share: f32) -> f32 {
        // What is proven stays as it is.
        if share <= 0.0 || share >= 1.0 { share } else { logistic(self.scale * logit(share) + self.shift) }
    }

    /// Corrects what each seat expects, by what the thinking one does: the others share the rest as before.
    pub(crate) fn apply<G: Game>(self, known: &Knowledge<'_, G>, expected: &mut [f32]) {
        let Some(&before) = expected.get(known.seat().index()) else { return };
        let after = self.corrected(before);
        let rest = if before < 1.0 { (1.0 - after) / (1.0 - before) } else { 1.0 };
        for (seat, share) in Seat::all(known.seats()).zip(expected) {
            *share = if known.is_own_side(seat) { after } else { *share * rest };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_corrections_one_after_the_other_are_one() {
        let [first, second] = [Correction { scale: 0.8, shift: 0.3 }, Correction { scale: 1.3, shift: -0.1 }];
        for share in [0.0, 0.01, 0.3, 0.5, 0.9, 1.0] {
            let [apart, together] = [second.corrected(first.corrected(share)), first.then(second).corrected(share)];
            assert!((apart - together).abs() < 1e-5, "{share}: {apart} and {together}");
        }
        assert_eq!(first.then(Correction::NONE), first);
        assert_eq!(Correction::NONE.then(first), first);
    }
}
