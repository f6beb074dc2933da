//! Simulated games: each of the promising actions is tried in the same imagined worlds, played on at a glance by everybody
//! for some turns, and the worse ones drop out.

use quincunx_core::{Actor, Fold, Game, Scratch, Seat, Turn};
use quincunx_games::x_marks_the_spot::{Action, XMarksTheSpot};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    beliefs::{Beliefs, Leanings},
    policy::{Mind, Policy},
    settings::Settings,
};
use crate::{Control, Knowledge, Progress, player::payoff};

type Values = [f32; Seat::MAX as usize];

/// An action that is looked at closely.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) action: Action,
    /// What everybody makes of it: an action on the chart tells something about who does it.
    leanings: Leanings,
    /// How it looks at first glance, against the best one, as a chance to win.
    glance: f32,
    /// What came out for the thinking seat, world by world.
    results: Vec<f32>,
    sums: Values,
    is_in: bool,
}

impl Candidate {
    pub(super) fn new(action: Action, leanings: Leanings, glance: f32) -> Self {
        Self { action, leanings, glance, results: Vec::new(), sums: Values::default(), is_in: true }
    }

    fn count(&self) -> f32 {
        self.results.len() as f32
    }

    /// What the thinking seat has from it, as far as it was tried.
    pub(super) fn expected(&self) -> Option<Values> {
        (!self.results.is_empty()).then(|| self.sums.map(|sum| sum / self.count()))
    }
}

/// The search of one hand.
#[derive(Clone, Debug)]
pub(super) struct Search<'a> {
    settings: &'a Settings,
    known: &'a Knowledge<'a, XMarksTheSpot>,
    beliefs: &'a Beliefs,
    policy: Policy,
    candidates: Vec<Candidate>,
    pub(super) simulations: u64,
    scratch: Scratch<Action>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        settings: &'a Settings,
        known: &'a Knowledge<'a, XMarksTheSpot>,
        beliefs: &'a Beliefs,
        policy: &Policy,
        candidates: Vec<Candidate>,
    ) -> Self {
        let scratch = Scratch::default();
        Self { settings, known, beliefs, policy: policy.clone(), candidates, simulations: 0, scratch }
    }

    /// Tries the candidates until time or nodes run out, or only one is left.
    pub(super) fn run(&mut self, control: &Control<'_>) {
        for world in 0_u64.. {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(Fold::default().word(control.seed).word(world).key());
            let imagined = self.beliefs.imagine(self.known, &mut rng);
            for number in 0..self.candidates.len() {
                if !self.candidates[number].is_in {
                    continue;
                }
                let spent = control.budget.nodes.is_some_and(|most| self.simulations >= most);
                if spent || !control.in_time() {
                    return;
                }
                // The same world and the same luck for every candidate: what differs is the action.
                let values = self.simulate(imagined.clone(), number, rng.clone());
                self.simulations += 1;
                let candidate = &mut self.candidates[number];
                candidate.results.push(values[self.known.seat().index()]);
                for (sum, value) in candidate.sums.iter_mut().zip(values) {
                    *sum += value;
                }
            }
            let worlds = world + 1;
            if worlds >= 8 && worlds.is_power_of_two() {
                self.drop_the_worse();
                self.report(control);
                if self.candidates.iter().filter(|candidate| candidate.is_in).count() == 1 {
                    return;
                }
            }
        }
    }

    /// Takes over what another hand has found.
    pub(super) fn join(&mut self, other: &Self) {
        self.simulations += other.simulations;
        for (candidate, more) in self.candidates.iter_mut().zip(&other.candidates) {
            candidate.results.extend(&more.results);
            candidate.sums.iter_mut().zip(more.sums).for_each(|(sum, more)| *sum += more);
        }
    }

    pub(super) fn report(&self, control: &Control<'_>) {
        let value = self.best().expected().map_or(0.5, |values| values[self.known.seat().index()]);
        control.report(Progress { nodes: self.simulations, depth: 1 + self.settings.horizon, value });
    }

    /// The best candidate: the first glance counts for some worlds, so that a few lucky ones do not decide.
    pub(super) fn best(&self) -> &Candidate {
        let most = self.candidates.iter().map(|candidate| candidate.results.len()).max().unwrap_or(0);
        let tried = self.candidates.iter().filter(|candidate| candidate.results.len() * 2 >= most);
        let best = tried.max_by(|a, b| self.value(a).total_cmp(&self.value(b)));
        best.expect("there is a candidate")
    }

    fn value(&self, candidate: &Candidate) -> f32 {
        let seat = self.known.seat().index();
        let weight = self.settings.first_glance;
        // Where all of them stand, for the glance tells only differences.
        let (sum, count) = self
            .candidates
            .iter()
            .fold((0.0, 0.0), |(sum, count), candidate| (sum + candidate.sums[seat], count + candidate.count()));
        let middle = if count > 0.0 { sum / count } else { 0.5 };
        (candidate.sums[seat] + weight * (middle + candidate.glance)) / (candidate.count() + weight)
    }

    /// Drops the candidates that are worse than the best one by more than luck explains.
    fn drop_the_worse(&mut self) {
        /// How many standard deviations are more than luck.
        const CLEARLY: f32 = 2.0;
        // Only of those that are still in: they were all tried in the same worlds, and one of them stays.
        let still_in = self.candidates.iter().filter(|candidate| candidate.is_in);
        let best = still_in.max_by(|a, b| self.value(a).total_cmp(&self.value(b)));
        let best = best.expect("the best one stays").results.clone();
        for candidate in self.candidates.iter_mut().filter(|candidate| candidate.is_in) {
            let count = candidate.count();
            let lags = || best.iter().zip(&candidate.results).map(|(best, result)| best - result);
            let mean = lags().sum::<f32>() / count;
            let variance = lags().map(|lag| (lag - mean).powi(2)).sum::<f32>() / count;
            candidate.is_in = mean <= CLEARLY * (variance / count).sqrt();
        }
    }

    /// Plays on from a candidate for some turns, and judges where that leads.
    fn simulate(&mut self, mut world: XMarksTheSpot, number: usize, mut rng: Xoshiro256PlusPlus) -> Values {
        let Candidate { action, leanings, .. } = self.candidates[number];
        world.play(Actor::Seat(self.known.seat()), action);
        let mut turns = 0;
        let mut player = world.player();
        let mut minds = minds(&world, &leanings, self.settings);
        let mut known_flags = revealed(&world);
        loop {
            match world.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    let drawn = world.random(Actor::Chance, &mut rng, &mut self.scratch);
                    world.play(Actor::Chance, drawn);
                }
                Turn::Seat(seat) => {
                    if world.player() != player {
                        player = world.player();
                        turns += 1;
                        if turns > self.settings.horizon {
                            break;
                        }
                    }
                    let action = self.policy.choose(&world, seat, &minds[seat.index()]);
                    world.play(Actor::Seat(seat), action);
                    let now = revealed(&world);
                    if now != known_flags {
                        known_flags = now;
                        minds = self::minds(&world, &leanings, self.settings);
                    }
                }
            }
        }
        payoff(&world).unwrap_or_else(|| self.judge(&world))
    }

    /// The chance of each seat to win: doubloons count, and X's in the making.
    fn judge(&mut self, world: &XMarksTheSpot) -> Values {
        /// How many doubloons usually win: where it takes more, a lead of one decides less.
        const USUAL_DOUBLOONS: f32 = 3.0;
        let settings = self.settings;
        let making = self.policy.values(world);
        let mut values = Values::default();
        let mut total = 0.0;
        for seat in Seat::all(world.seats()) {
            let flag = world.flag(seat).expect("flags are dealt before anybody acts");
            let worth = making[flag as usize];
            let ahead = world.score(seat) as f32 + settings.making * worth / (worth + settings.half_made);
            let value = (settings.decisive * ahead * USUAL_DOUBLOONS / f32::from(world.doubloons_to_win())).exp();
            values[seat.index()] = value;
            total += value;
        }
        values.map(|value| value / total)
    }
}

/// What each seat is after in this world.
fn minds(world: &XMarksTheSpot, leanings: &Leanings, settings: &Settings) -> [Mind; Seat::MAX as usize] {
    let beliefs = Beliefs::new(world, leanings);
    std::array::from_fn(|index| {
        let seat = Seat::new(index as u8 % world.seats());
        let flag = world.flag(seat).expect("flags are dealt before anybody acts");
        beliefs.mind(seat, flag, settings)
    })
}

/// Which flags everybody knows.
fn revealed(world: &XMarksTheSpot) -> [bool; Seat::MAX as usize] {
    std::array::from_fn(|index| index < usize::from(world.seats()) && world.is_revealed(Seat::new(index as u8)))
}
