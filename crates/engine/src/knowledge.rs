//! What a thinking seat knows of a position: it can list its own actions and imagine full positions, and no more.

use quincunx_core::{Actor, Game, Seat, Session, Viewer};
use rand::Rng;

/// A position as one seat knows it. The true position is inside and does not come out: a search that plays by the rules of
/// this type cannot look at hidden cards.
#[derive(Debug)]
pub struct Knowledge<'a, G: Game> {
    truth: &'a G,
    seat: Seat,
    /// How the game came here, if that is known.
    past: Option<&'a Session<G>>,
}

impl<'a, G: Game> Knowledge<'a, G> {
    /// A position that came from nowhere.
    pub fn new(truth: &'a G, seat: Seat) -> Self {
        Self { truth, seat, past: None }
    }

    /// The position at the end of a game so far, with what the seat has seen of it.
    pub fn of(session: &'a Session<G>, seat: Seat) -> Self {
        Self { truth: session.game(), seat, past: Some(session) }
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

    /// What was done so far, as far as the seat has seen it. Empty for a position that came from nowhere.
    pub fn seen(&self) -> impl Iterator<Item = (Actor, Option<G::Action>)> {
        self.past.into_iter().flat_map(|session| session.seen(Viewer::Seat(self.seat)))
    }

    /// Goes through what the seat knew after `ply` actions and from then on, each time with what was done next, as far as
    /// the seat has seen it.
    pub fn recall(&self, ply: usize, mut visit: impl FnMut(&Knowledge<'_, G>, Actor, Option<G::Action>)) {
        let Some(session) = self.past else { return };
        session.replay(Viewer::Seat(self.seat), ply, |truth, by, action| {
            visit(&Knowledge::new(truth, self.seat), by, action);
        });
    }
}
