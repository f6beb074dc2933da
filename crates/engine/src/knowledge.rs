//! What a thinking seat knows of a position: it can list its own actions and imagine full positions, and no more.

use std::hash::{Hash, Hasher};

use quincunx_core::{Actor, Game, Seat, Session, Turn, Viewer};
use rand::Rng;

use crate::hasher::FoldHasher;

/// A position as one seat knows it. The true position is inside and does not come out: a search that plays by the rules of
/// this type cannot look at hidden cards.
#[derive(Debug)]
pub struct Knowledge<'a, G: Game> {
    truth: &'a G,
    seat: Seat,
    /// How the game came here, if that is known.
    past: Option<&'a Session<G>>,
    oversight: Option<Oversight>,
}

/// What is not seen of the own actions: all whose hash is below a bar.
#[derive(Clone, Copy, Debug)]
struct Oversight {
    seed: u64,
    bar: u64,
}

impl Oversight {
    fn hash(seed: u64, action: impl Hash) -> u64 {
        let mut hasher = FoldHasher::default();
        hasher.write_u64(seed);
        action.hash(&mut hasher);
        hasher.finish()
    }
}

impl<'a, G: Game> Knowledge<'a, G> {
    /// A position that came from nowhere.
    pub fn new(truth: &'a G, seat: Seat) -> Self {
        Self { truth, seat, past: None, oversight: None }
    }

    /// The position at the end of a game so far, with what the seat has seen of it.
    pub fn of(session: &'a Session<G>, seat: Seat) -> Self {
        Self { truth: session.game(), seat, past: Some(session), oversight: None }
    }

    /// Who thinks.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    pub fn seats(&self) -> u8 {
        self.truth.seats()
    }

    /// The same for a seat that overlooks each of its actions with this chance, from 0 to 1. One seed stands for one
    /// decision: it always overlooks the same actions. On turn at least one action is seen; out of turn, where a seat may
    /// wait, possibly none.
    ///
    /// Not two: with two, a seat in Castle Builders that overlooks 90 % won 47.5 % of 400 games against one that overlooks
    /// 75 %, as both saw little else than these two.
    #[must_use]
    pub fn overlooking(&self, chance: f32, seed: u64) -> Self {
        if chance <= 0.0 {
            return Self { ..*self };
        }
        // Of hashes that are spread evenly, the bar leaves this share below it. A cast keeps within the range.
        let mut bar = (f64::from(chance) * u64::MAX as f64) as u64;
        if self.truth.turn() == Turn::Seat(self.seat) {
            let mut actions = Vec::new();
            self.truth.actions(self.seat, &mut actions);
            let highest = actions.iter().map(|action| Oversight::hash(seed, action)).max();
            bar = bar.min(highest.unwrap_or(0));
        }
        Self { oversight: Some(Oversight { seed, bar }), ..*self }
    }

    /// Whether the thinking seat sees this legal action of its own, now. Whatever comes later is seen.
    #[inline]
    pub fn sees(&self, action: G::Action) -> bool {
        self.oversight.is_none_or(|Oversight { seed, bar }| Oversight::hash(seed, action) >= bar)
    }

    /// Appends the legal actions of the thinking seat, as far as it sees them.
    pub fn actions(&self, out: &mut Vec<G::Action>) {
        let first = out.len();
        self.truth.actions(self.seat, out);
        if self.oversight.is_some() {
            let mut number = 0;
            out.retain(|&action| {
                number += 1;
                number <= first || self.sees(action)
            });
        }
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
