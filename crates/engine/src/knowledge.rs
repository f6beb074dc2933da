//! What a thinking seat knows of a position: it can list its own actions and imagine full positions, and no more.

use quincunx_core::{Game, Seat, Viewer};
use rand::Rng;

/// A position as one seat knows it. The true position is inside and does not come out: a search that plays by the rules of
/// this type cannot look at hidden cards.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge<'a, G> {
    truth: &'a G,
    seat: Seat,
}

impl<'a, G: Game> Knowledge<'a, G> {
    pub fn new(truth: &'a G, seat: Seat) -> Self {
        Self { truth, seat }
    }

    /// Who thinks.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    pub fn seats(&self) -> u8 {
        self.truth.seats()
    }

    /// Appends the legal actions of the thinking seat.
    pub fn actions(&self, out: &mut Vec<G::Action>) {
        self.truth.actions(self.seat, out);
    }

    /// A full position that the seat cannot tell from the true one. Where nothing is hidden, it is the true one.
    pub fn imagine<R: Rng + ?Sized>(&self, rng: &mut R) -> G {
        self.truth.sample(Viewer::Seat(self.seat), rng)
    }
}
