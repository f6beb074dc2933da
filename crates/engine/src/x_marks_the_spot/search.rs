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
use crate::{Control, Knowledge, Progress, math::exp, player::payoff};

pub(super) type Values = [f32; Seat::MAX as usize];

/// An action that is looked at closely.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) action: Action,
    /// What everybody makes of it: an action on the chart tells something about who does it.
    leanings: Leanings,
    /// How it looks at first glance, against the best one, as a chance to win.
    glance: f32,
    /// What it costs, as a chance to win, that it gives the own flag away: the others will use that for longer than games
    /// are played on here.
    exposure: f32,
    /// What came out for the thinking seat, world by world, for each hand that has searched.
    results: Vec<Vec<f32>>,
    sums: Values,
    is_in: bool,
    /// Whether it is tried in all worlds, because somebody asks about it.
    stays: bool,
}

impl Candidate {
    pub(super) fn new(action: Action, leanings: Leanings, glance: f32, exposure: f32, stays: bool) -> Self {
        let (results, sums) = (vec![Vec::new()], Values::default());
        Self { action, leanings, glance, exposure, results, sums, is_in: true, stays }
    }

    /// In how many worlds it was tried.
    pub(super) fn worlds(&self) -> u64 {
        self.results.iter().map(|results| results.len() as u64).sum()
    }

    /// What the seats have from it, as far as it was tried.
    fn expected(&self) -> Option<Values> {
        (self.worlds() > 0).then(|| self.sums.map(|sum| sum / self.worlds() as f32))
    }

    /// How much more came out of it than of another one, world by world, in all worlds in which both were tried.
    fn leads(&self, other: &Self) -> impl Iterator<Item = f32> {
        let hands = self.results.iter().zip(&other.results);
        hands.flat_map(|(own, other)| own.iter().zip(other).map(|(own, other)| own - other))
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
                candidate.results[0].push(values[self.known.seat().index()]);
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
            candidate.results.extend(more.results.iter().cloned());
            candidate.sums.iter_mut().zip(more.sums).for_each(|(sum, more)| *sum += more);
        }
    }

    pub(super) fn report(&self, control: &Control<'_>) {
        let seat = self.known.seat().index();
        let value = self.best().expected().map_or(0.5, |values| values[seat]);
        let depth = 1 + self.settings.turns_ahead(self.known.seats());
        control.report(Progress { nodes: self.simulations, depth, value });
    }

    fn best(&self) -> &Candidate {
        self.ranked()[0].1
    }

    /// The candidates and what each seat can expect from them, the best one first.
    pub(super) fn ranking(&self) -> Vec<(&Candidate, Values)> {
        let own = self.known.seat().index();
        let (middle, ranked) = (self.middle(), self.ranked());
        let expected = |value: f32, candidate: &Candidate| {
            let chance = (middle + value).clamp(0.0, 1.0);
            let means = candidate.expected().unwrap_or_else(|| self.fair());
            // The others share the rest as they do in the worlds in which it was tried.
            let rest = 1.0 - means[own];
            let others = f32::from(self.known.seats() - 1);
            let share = |mean: f32| (1.0 - chance) * if rest > 0.0 { mean / rest } else { 1.0 / others };
            let mut expected = means.map(share);
            expected[own] = chance;
            expected
        };
        ranked.into_iter().map(|(value, candidate)| (candidate, expected(value, candidate))).collect()
    }

    /// The chance to win of something that was not tried and looks like this at first glance.
    pub(super) fn at_a_glance(&self, glance: f32) -> f32 {
        self.middle() + glance - self.yardstick().glance
    }

    /// The chance to win of what has the value 0: such that the best candidate has the one that came out.
    fn middle(&self) -> f32 {
        let (value, best) = self.ranked()[0];
        best.expected().unwrap_or_else(|| self.fair())[self.known.seat().index()] - value
    }

    /// The same chance for everybody.
    fn fair(&self) -> Values {
        [1.0 / f32::from(self.known.seats()); Seat::MAX as usize]
    }

    /// All candidates with their values, the best one first. What dropped out early comes last.
    fn ranked(&self) -> Vec<(f32, &Candidate)> {
        let most = self.yardstick().worlds();
        let is_late = |candidate: &Candidate| candidate.worlds() * 2 < most;
        let mut ranked: Vec<_> = self.candidates.iter().map(|candidate| (self.value(candidate), candidate)).collect();
        ranked.sort_by(|a, b| is_late(a.1).cmp(&is_late(b.1)).then(b.0.total_cmp(&a.0)));
        ranked
    }

    /// The candidate that all are compared with: the first of those that were tried most.
    fn yardstick(&self) -> &Candidate {
        let most = self.candidates.iter().map(Candidate::worlds).max();
        let tried_most = self.candidates.iter().find(|candidate| Some(candidate.worlds()) == most);
        tried_most.expect("there is a candidate")
    }

    /// How much better a candidate is than the yardstick, in the worlds in which both were tried: that leaves out the luck of
    /// the worlds. The first glance counts for some worlds more, so that a few lucky ones do not decide.
    fn value(&self, candidate: &Candidate) -> f32 {
        let yardstick = self.yardstick();
        let (sum, count) = candidate.leads(yardstick).fold((0.0, 0.0), |(sum, count), lead| (sum + lead, count + 1.0));
        let weight = self.settings.first_glance;
        let mean = (sum + weight * (candidate.glance - yardstick.glance)) / (count + weight);
        mean - candidate.exposure + yardstick.exposure
    }

    /// Drops the candidates that are worse than the best one by more than luck explains.
    fn drop_the_worse(&mut self) {
        /// How many standard deviations are more than luck.
        const CLEARLY: f32 = 2.0;
        // Only of those that are still in: they were all tried in the same worlds, and one of them stays.
        let still_in = self.candidates.iter().filter(|candidate| candidate.is_in);
        let best = still_in.max_by(|a, b| self.value(a).total_cmp(&self.value(b)));
        let best = best.expect("the best one stays").clone();
        for candidate in self.candidates.iter_mut().filter(|candidate| candidate.is_in) {
            let count = candidate.worlds() as f32;
            let lags = || best.leads(candidate);
            let mean = lags().sum::<f32>() / count;
            let variance = lags().map(|lag| (lag - mean) * (lag - mean)).sum::<f32>() / count;
            let lags_by_luck = mean + candidate.exposure - best.exposure <= CLEARLY * (variance / count).sqrt();
            candidate.is_in = lags_by_luck || candidate.stays;
        }
    }

    /// Plays on from a candidate for some turns, and judges where that leads.
    fn simulate(&mut self, mut world: XMarksTheSpot, number: usize, mut rng: Xoshiro256PlusPlus) -> Values {
        let Candidate { action, leanings, .. } = self.candidates[number];
        world.play(Actor::Seat(self.known.seat()), action);
        let horizon = self.settings.turns_ahead(world.seats());
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
                        if turns > horizon {
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
            let value = exp(settings.decisive * ahead * USUAL_DOUBLOONS / f32::from(world.doubloons_to_win()));
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
