//! What a thinking seat knows of a position: it can list its own actions and imagine full positions, and no more.

use std::hash::{Hash, Hasher};

use quincunx_core::{Actor, Game, Seat, Session, Viewer};
use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};

use crate::hasher::FoldHasher;

/// A position as one seat knows it. The true position is inside and does not come out: a search that plays by the rules of
/// this type cannot look at hidden cards.
#[derive(Debug)]
pub struct Knowledge<'a, G: Game> {
    truth: &'a G,
    seat: Seat,
    /// How the game came here, if that is known.
    past: Option<&'a Session<G>>,
    /// An action that somebody wants to hear about.
    asked: Option<G::Action>,
}

impl<'a, G: Game> Knowledge<'a, G> {
    /// A position that came from nowhere.
    pub fn new(truth: &'a G, seat: Seat) -> Self {
        Self { truth, seat, past: None, asked: None }
    }

    /// The position at the end of a game so far, with what the seat has seen of it.
    pub fn of(session: &'a Session<G>, seat: Seat) -> Self {
        Self { truth: session.game(), seat, past: Some(session), asked: None }
    }

    /// Who thinks.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    pub fn seats(&self) -> u8 {
        self.truth.seats()
    }

    /// Whether a seat plays for the side that thinks.
    pub fn is_own_side(&self, seat: Seat) -> bool {
        self.truth.side(seat) == self.truth.side(self.seat)
    }

    /// The same for somebody who wants to hear about this legal action, whether it is good or not.
    #[must_use]
    pub fn asking(self, action: G::Action) -> Self {
        Self { asked: Some(action), ..self }
    }

    /// A legal action that the answer has to have a line for, with as much thought as the best one got.
    pub fn asked(&self) -> Option<G::Action> {
        self.asked
    }

    /// Appends the legal actions of the thinking seat.
    pub fn actions(&self, out: &mut Vec<G::Action>) {
        self.truth.actions(self.seat, out);
    }

    /// A number for what the seat knows: of the position, or where something is hidden, of all that it has seen.
    pub(crate) fn key(&self) -> u64 {
        let mut hasher = FoldHasher::default();
        if G::HIDDEN_INFORMATION {
            self.seen().for_each(|step| step.hash(&mut hasher));
        } else {
            // Nothing is hidden: what is imagined is the position itself, whatever the seed.
            hasher.write_u64(self.imagine(&mut Xoshiro256PlusPlus::seed_from_u64(0)).key());
        }
        self.seat.hash(&mut hasher);
        hasher.finish()
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

#[cfg(test)]
mod tests {
    use quincunx_core::Turn;
    use quincunx_games::{XMarksTheSpot, x_marks_the_spot::Options};
    use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

    use super::*;

    /// Flags and hands are dealt, and seat 0 has drawn.
    fn session() -> Session<XMarksTheSpot> {
        let mut session = Session::<XMarksTheSpot>::new(2, Options::default()).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        while session.game().turn() == Turn::Chance {
            session.draw(&mut rng).unwrap();
        }
        session.apply(None, "draw").unwrap();
        session.draw(&mut rng).unwrap();
        session
    }

    #[test]
    fn what_was_dealt_to_others_was_not_seen() {
        let session = session();
        let seen = |seat| Knowledge::of(&session, Seat::new(seat)).seen().map(|(_, action)| action.is_some()).collect();
        let dealt = |own: [bool; 2]| {
            let mut seen: Vec<bool> = own.into();
            seen.extend([[own[0]; 4], [own[1]; 4]].concat());
            seen.extend([true, own[0]]);
            seen
        };
        let [first, second]: [Vec<bool>; 2] = [seen(0), seen(1)];
        assert_eq!(first, dealt([true, false]));
        assert_eq!(second, dealt([false, true]));
    }

    #[test]
    fn what_is_recalled_is_what_the_seat_knew_then() {
        let session = session();
        let seat = Seat::new(1);
        let known = Knowledge::of(&session, seat);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        for from in [0, 5, session.ply()] {
            let mut ply = from;
            known.recall(from, |before, by, action| {
                assert_eq!(before.seat(), seat);
                assert_eq!(Some((by, action)), known.seen().nth(ply));
                let viewer = Viewer::Seat(seat);
                let [then, imagined] =
                    [session.at(ply), before.imagine(&mut rng)].map(|game| game.view(viewer).to_string());
                assert_eq!(then, imagined);
                ply += 1;
            });
            assert_eq!(ply, session.ply());
        }
    }

    #[test]
    fn a_position_from_nowhere_has_no_past() {
        let session = session();
        let known = Knowledge::new(session.game(), Seat::new(0));
        assert_eq!(known.seen().count(), 0);
        known.recall(0, |_, _, _| panic!("there is nothing to recall"));
    }
}
