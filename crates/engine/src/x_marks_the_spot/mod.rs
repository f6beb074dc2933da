//! X Marks the Spot: simulated games over imagined worlds, with beliefs about the flags.
//!
//! `sea` knows the chart: what every X lacks for every pirate (`worth`), what a card brings, and where it brings most
//! (`berth`). `policy` picks an action at a glance.
//! `beliefs` concludes from what was done who has which flag. `search` plays the promising actions on in imagined worlds, in
//! which everybody acts at a glance and by what he may believe. What an action gives away about the own flag counts
//! against it. `answer` puts together what comes out.

mod answer;
mod beliefs;
mod berth;
mod greedy;
mod policy;
mod sea;
mod search;
mod settings;
#[cfg(test)]
mod tests;
mod worth;

use quincunx_core::{Actor, Game, Seat, Step, Turn};
use quincunx_games::x_marks_the_spot::{Action, XMarksTheSpot};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use self::{
    answer::Answer,
    beliefs::{Beliefs, Leanings, Watched},
    policy::{Mind, Policy},
    search::{Candidate, Search},
};
pub use self::{greedy::XMarksTheSpotGreedy, settings::Settings};
use crate::{Control, Knowledge, Player, Thought};

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

    /// All actions and how they look at first glance, the best one first. With a position that stands for all that the
    /// seat can imagine: chart and own hand are the same in all of them.
    fn glance(
        &mut self,
        known: &Knowledge<'_, XMarksTheSpot>,
        world: &XMarksTheSpot,
        mind: &Mind,
    ) -> Vec<(f32, Action)> {
        let mut actions = Vec::new();
        known.actions(&mut actions);
        self.policy.look_at(world, mind.wishes);
        let score = |action| (self.policy.score(world, known.seat(), mind, action), action);
        let mut scored: Vec<(f32, Action)> = actions.into_iter().map(score).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        scored
    }

    /// The actions that are looked at more closely, among them the one that is asked about.
    fn candidates(
        &mut self,
        known: &Knowledge<'_, XMarksTheSpot>,
        world: &XMarksTheSpot,
        scored: &[(f32, Action)],
        control: &Control<'_>,
    ) -> Vec<Candidate> {
        let seat = known.seat();
        let best = scored[0].0;
        let flag = world.flag(seat).expect("flags are dealt before anybody acts");
        let suspicion = |leanings: &Leanings| Beliefs::new(world, leanings).suspicion(seat, flag);
        let before = suspicion(&self.watched.leanings);
        let most = match scored[0].1 {
            // Who draws can still scuttle afterwards, and sees more: there is nothing to compare, only to say what to expect.
            Action::Draw => 1,
            _ => self.settings.candidates_for(control.budget.nodes),
        };
        let is_candidate = |place: usize, action: Action| place < most || known.asked() == Some(action);
        let chosen = scored.iter().enumerate().filter(|(place, (_, action))| is_candidate(*place, *action));
        let candidates = chosen.map(|(_, &(score, action))| {
            let mut leanings = self.watched.leanings;
            if let Some(brings) = self.policy.brings(world, action) {
                leanings.observe(seat, brings, &self.settings);
            }
            let exposure = self.settings.concealment * (suspicion(&leanings) - before);
            let stays = known.asked() == Some(action);
            Candidate::new(action, leanings, self.settings.glance_at(score - best), exposure, stays)
        });
        candidates.collect()
    }

    /// What the seat goes on to do after the action, as long as nothing hidden comes out and nobody else acts.
    fn line(
        &mut self,
        known: &Knowledge<'_, XMarksTheSpot>,
        mind: &Mind,
        first: Action,
        mut world: XMarksTheSpot,
    ) -> Vec<Step<Action>> {
        let seat = known.seat();
        let mut line = vec![Step { by: Actor::Seat(seat), action: first }];
        world.play(Actor::Seat(seat), first);
        while world.turn() == Turn::Seat(seat) && world.player() == seat && !world.is_first_action() {
            let action = self.policy.choose(&world, seat, mind);
            // The hand that is plundered, and what came by trade, are imagined.
            if matches!((first, action), (Action::Give(_), _) | (_, Action::Steal(_))) {
                break;
            }
            world.play(Actor::Seat(seat), action);
            line.push(Step { by: Actor::Seat(seat), action });
        }
        line
    }
}

impl Player<XMarksTheSpot> for XMarksTheSpotPlayer {
    fn think(&mut self, known: &Knowledge<'_, XMarksTheSpot>, control: &Control<'_>) -> Thought<Action> {
        let (seat, settings) = (known.seat(), self.settings);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(control.seed);
        self.watched.catch_up(known, &mut self.policy, &self.settings);
        let world = known.imagine(&mut rng);
        let flag = world.flag(seat).expect("flags are dealt before anybody acts");
        let beliefs = Beliefs::new(&world, &self.watched.leanings);
        let mind = beliefs.mind(seat, flag, &self.settings);
        let scored = self.glance(known, &world, &mind);
        // All actions, for one that makes X's of others as well may look bad.
        let with_x = scored.iter().map(|&(_, action)| action).filter(|&action| self.policy.makes_an_x(action, flag));
        let winning: Vec<Action> = with_x.filter(|&action| wins(&world, seat, action)).collect();
        let asks_for_more = known.asked().is_some_and(|asked| !winning.contains(&asked));
        let mut answer = Answer::new(known, &settings, control.lines());
        for &action in &winning {
            answer.add_win(action);
        }
        if !winning.is_empty() && control.lines() == 1 && !asks_for_more {
            return answer.thought(1);
        }
        let candidates = self.candidates(known, &world, &scored, control);
        let search = Search::new(&settings, known, &beliefs, &self.policy, candidates);
        let mut hands = vec![search; control.hands()];
        control.all_hands(&mut hands, Search::run);
        let (search, others) = hands.split_first_mut().expect("there is at least one hand");
        for other in others {
            search.join(other);
        }
        search.report(control);
        let score_of = |action: Action| scored.iter().find(|scored| scored.1 == action).map_or(0.0, |scored| scored.0);
        for (candidate, expected) in search.ranking() {
            if answer.wants(candidate.action) {
                let steps = self.line(known, &mind, candidate.action, world.clone());
                answer.add_searched(steps, expected, candidate.worlds(), score_of(candidate.action));
            }
        }
        for &(score, action) in &scored {
            if answer.wants(action) {
                answer.add_unsearched(action, search.at_a_glance(settings.glance_at(score - scored[0].0)), score);
            }
        }
        answer.thought(search.simulations)
    }

    /// All that belongs to how a turn and a trade go, and not to what is done with a card.
    fn is_procedural(action: Action) -> bool {
        !matches!(
            action,
            Action::Place { .. }
                | Action::Cannon(_)
                | Action::Heading { .. }
                | Action::Plunder(_)
                | Action::PlunderDiscard(_)
                | Action::Steal(_)
                | Action::Parlay { .. }
                | Action::Give(_)
        )
    }
}

/// Whether the seat lays its last doubloon with this action. On its own turn it is the first one to claim X's, whatever
/// flags the others have.
fn wins(world: &XMarksTheSpot, seat: Seat, action: Action) -> bool {
    let mut next = world.clone();
    next.play(Actor::Seat(seat), action);
    next.score(seat) >= i32::from(world.doubloons_to_win())
}
