//! The lines of an answer: what wins at once, what was tried in imagined worlds, and what was only glanced at.

use quincunx_core::{Actor, Seat, Step};
use quincunx_games::x_marks_the_spot::{Action, XMarksTheSpot};

use super::{search::Values, settings::Settings};
use crate::{
    Knowledge, Line, Thought,
    math::{ln, logistic},
    player::{Sight, key_after},
};

/// How far from certain the chance is at least that is not certain.
const UNCERTAIN: f32 = 1e-3;

/// An answer in the making. Lines are added best first, each action once.
pub(super) struct Answer<'a> {
    known: &'a Knowledge<'a, XMarksTheSpot>,
    settings: &'a Settings,
    /// How many lines are asked for.
    most: usize,
    key: u64,
    lines: Vec<Line<Action>>,
}

impl<'a> Answer<'a> {
    pub(super) fn new(known: &'a Knowledge<'a, XMarksTheSpot>, settings: &'a Settings, most: usize) -> Self {
        Self { known, settings, most, key: known.key(), lines: Vec::new() }
    }

    /// Whether there is to be a line for this action, now that those before it are there.
    pub(super) fn wants(&self, action: Action) -> bool {
        let is_new = self.lines.iter().all(|line| line.action() != action);
        is_new && (self.lines.len() < self.most || self.known.asked() == Some(action))
    }

    /// The seat lays its last doubloon with this action.
    pub(super) fn add_win(&mut self, action: Action) {
        if self.wants(action) {
            let own = self.known.seat();
            let expected = Seat::all(self.known.seats()).map(|seat| f32::from(u8::from(seat == own))).collect();
            let steps = vec![self.step(action)];
            let key = key_after(self.key, action);
            self.lines.push(Line { expected, visits: 0, depth: 1, steps, sight: Sight::Wins, glance: 1.0, key });
        }
    }

    /// What was tried in so many worlds and looked like this at first sight.
    pub(super) fn add_searched(&mut self, steps: Vec<Step<Action>>, expected: Values, worlds: u64, score: f32) {
        let depth = if worlds > 0 { 1 + self.settings.turns_ahead(self.known.seats()) } else { 0 };
        let expected = self.shares(expected);
        self.push(steps, expected, worlds, depth, score);
    }

    /// What nobody has tried, with the chance to win that it seems to have: not more than what was tried.
    pub(super) fn add_unsearched(&mut self, action: Action, chance: f32, score: f32) {
        let own = self.known.seat().index();
        let least = self.lines.last().map_or(1.0, |line| line.expected[own]);
        let others = f32::from(self.known.seats() - 1);
        let mut expected = Values::default().map(|_| (1.0 - chance.min(least)) / others);
        expected[own] = chance.min(least);
        let (steps, expected) = (vec![self.step(action)], self.shares(expected));
        self.push(steps, expected, 0, 0, score);
    }

    pub(super) fn thought(self, nodes: u64) -> Thought<Action> {
        Thought::of(self.lines, nodes)
    }

    fn push(&mut self, steps: Vec<Step<Action>>, expected: Vec<f32>, visits: u64, depth: u32, score: f32) {
        let key = key_after(self.key, steps[0].action);
        self.lines.push(Line { expected, visits, depth, steps, sight: Sight::Quiet, glance: self.chance(score), key });
    }

    fn step(&self, action: Action) -> Step<Action> {
        Step { by: Actor::Seat(self.known.seat()), action }
    }

    /// The chance to win that a score stands for, if otherwise nobody is ahead: as much as the search would give for so many
    /// doubloons.
    fn chance(&self, score: f32) -> f32 {
        let doubloons = score / self.settings.worth_of_whole;
        logistic(self.settings.decisive * doubloons - ln(f32::from(self.known.seats() - 1)))
    }

    /// The chances of all seats, none of them certain: together 1.
    fn shares(&self, mut expected: Values) -> Vec<f32> {
        let seats = usize::from(self.known.seats());
        let expected = &mut expected[..seats];
        for share in expected.iter_mut() {
            *share = share.max(0.0);
        }
        let total: f32 = expected.iter().sum();
        let certain = seats as f32 * UNCERTAIN;
        expected.iter().map(|share| share / total * (1.0 - certain) + UNCERTAIN).collect()
    }
}
