//! X Marks the Spot: simulated games over imagined worlds, with beliefs about the flags.
//!
//! `sea` knows the chart: what every X lacks for every pirate, and what a card brings. `policy` picks an action at a glance.
//! `beliefs` concludes from what was done who has which flag. `search` plays the promising actions on in imagined worlds, in
//! which everybody acts at a glance and by what he may believe; what an action gives away about the own flag costs there,
//! because the others act on it.

mod beliefs;
mod greedy;
mod policy;
mod sea;
mod search;
mod settings;
#[cfg(test)]
mod tests;

use quincunx_core::{Actor, Game, Seat, Turn};
use quincunx_games::x_marks_the_spot::{Action, XMarksTheSpot};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use self::{
    beliefs::{Beliefs, Watched},
    policy::{Mind, Policy},
    search::{Candidate, Search},
};
pub use self::{greedy::XMarksTheSpotGreedy, settings::Settings};
use crate::{Control, Knowledge, Player, Thought, player::payoff};

/// The player of X Marks the Spot.
#[derive(Clone, Debug)]
pub struct XMarksTheSpotPlayer {
    settings: Settings,
    policy: Policy,
    watched: Watched,
}

impl Default for XMarksTheSpotPlayer {
    fn default() -> Self {
        Self::new(Settings::default())
    }
}

impl XMarksTheSpotPlayer {
    pub fn new(settings: Settings) -> Self {
        Self { settings, policy: Policy::new(settings), watched: Watched::default() }
    }

    /// The actions that look best at first glance. With a position that stands for all that the seat can imagine: chart
    /// and own hand are the same in all of them.
    fn candidates(
        &mut self,
        known: &Knowledge<'_, XMarksTheSpot>,
        world: &XMarksTheSpot,
        mind: &Mind,
    ) -> Vec<Candidate> {
        let seat = known.seat();
        let mut actions = Vec::new();
        known.actions(&mut actions);
        self.policy.look_at(world, mind);
        let mut scored: Vec<(f32, Action)> =
            actions.into_iter().map(|action| (self.policy.score(world, seat, mind, action), action)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored.truncate(self.settings.candidates);
        let best = scored[0].0;
        let candidates = scored.into_iter().map(|(score, action)| {
            let mut leanings = self.watched.leanings;
            if let Some(brings) = self.policy.brings(world, action) {
                leanings.observe(seat, brings, &self.settings);
            }
            let glance = self.settings.glance * (score - best).max(-1.0);
            Candidate::new(action, leanings, glance)
        });
        candidates.collect()
    }

    /// What the seat goes on to do after the action, as long as nothing is drawn and nobody else acts.
    fn line(
        &mut self,
        known: &Knowledge<'_, XMarksTheSpot>,
        mind: &Mind,
        first: Action,
        mut world: XMarksTheSpot,
    ) -> Vec<(Actor, Action)> {
        let seat = known.seat();
        let mut line = vec![(Actor::Seat(seat), first)];
        world.play(Actor::Seat(seat), first);
        while world.turn() == Turn::Seat(seat) && world.player() == seat && !world.is_first_action() {
            let action = self.policy.choose(&world, seat, mind);
            world.play(Actor::Seat(seat), action);
            line.push((Actor::Seat(seat), action));
        }
        line
    }
}

impl Player<XMarksTheSpot> for XMarksTheSpotPlayer {
    fn think(&mut self, known: &Knowledge<'_, XMarksTheSpot>, control: &Control<'_>) -> Thought<Action> {
        let seat = known.seat();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(control.seed);
        self.watched.catch_up(known, &mut self.policy, &self.settings, &mut rng);
        let world = known.imagine(&mut rng);
        let flag = world.flag(seat).expect("flags are dealt before anybody acts");
        let beliefs = Beliefs::new(&world, &self.watched.leanings);
        let mind = beliefs.mind(seat, flag, &self.settings);
        let candidates = self.candidates(known, &world, &mind);
        // Who draws can still scuttle afterwards, and sees more.
        if candidates.len() == 1 || candidates[0].action == Action::Draw {
            return Thought::plain(seat, candidates[0].action, 0);
        }
        if let Some(win) =
            candidates.iter().map(|candidate| candidate.action).find(|&action| wins(&world, seat, action))
        {
            let expected = Seat::all(known.seats()).map(|other| f32::from(u8::from(other == seat))).collect();
            return Thought { expected, ..Thought::plain(seat, win, 1) };
        }
        let search = Search::new(&self.settings, known, &beliefs, &self.policy, candidates);
        let mut hands = vec![search; control.hands()];
        control.all_hands(&mut hands, Search::run);
        let (search, others) = hands.split_first_mut().expect("there is at least one hand");
        for other in others {
            search.join(other);
        }
        search.report(control);
        let best = search.best();
        let (action, nodes) = (best.action, search.simulations);
        let expected = best.expected().map_or(Vec::new(), |values| values[..known.seats() as usize].to_vec());
        Thought { action, expected, line: self.line(known, &mind, action, world), nodes }
    }
}

/// Whether the action ends the game with a win of the seat. What happens on the chart is the same in all worlds.
fn wins(world: &XMarksTheSpot, seat: Seat, action: Action) -> bool {
    let mut next = world.clone();
    next.play(Actor::Seat(seat), action);
    payoff(&next).is_some_and(|values| values[seat.index()] >= 1.0)
}
