//! What a search may use, and how it is stopped.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use quincunx_core::Fold;

use crate::{Alone, Crew};

/// A clock that the caller gives: the time since some moment that stays the same.
pub trait Clock: Send + Sync {
    fn now(&self) -> Duration;
}

/// What a search may use. Whichever runs out first ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Simulations or positions, whatever the search counts.
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
    /// Bytes for trees and tables.
    pub memory: usize,
}

impl Budget {
    /// Memory if nothing else is said.
    pub const MEMORY: usize = 256 << 20;

    /// For a hint: nobody waits long for it.
    pub const HINT: Self = Self::time(Duration::from_millis(300));

    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), time: None, memory: Self::MEMORY }
    }

    pub const fn time(time: Duration) -> Self {
        Self { nodes: None, time: Some(time), memory: Self::MEMORY }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    pub nodes: u64,
    /// Plies looked ahead on the expected line.
    pub depth: u32,
    /// What the thinking seat's side expects, from 0 (lost) to 1 (won).
    pub value: f32,
}

/// The reins of a running search: it asks [`keep_going`](Self::keep_going) at every node.
///
/// A search that was never allowed a node still answers: it has to give some legal action.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    pub budget: Budget,
    /// The seed of this decision.
    pub seed: u64,
    /// The seed of the whole game.
    game_seed: u64,
    /// How many lines the answer has, at most.
    lines: usize,
    clock: &'a dyn Clock,
    stop: &'a AtomicBool,
    watch: Option<&'a (dyn Fn(Progress) + Sync)>,
    started: Duration,
    crew: &'a dyn Crew,
    /// The number of the hand that holds these reins.
    hand: usize,
    /// Whether some hand has found all that there is to find.
    settled: Option<&'a AtomicBool>,
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("budget", &self.budget).field("seed", &self.seed).finish_non_exhaustive()
    }
}

impl<'a> Control<'a> {
    /// How many nodes pass between two looks at the clock and the stop flag: they take no time that could be measured,
    /// and a stop is heard within a few milliseconds also where a node is a whole random game.
    const INTERVAL: u64 = 16;

    /// The search begins now. One seed stands for one game: with it and a number of nodes, a player that thinks alone plays
    /// the same game again.
    pub fn new(budget: Budget, seed: u64, clock: &'a dyn Clock, stop: &'a AtomicBool) -> Self {
        let (watch, started) = (None, clock.now());
        Self {
            budget,
            seed,
            game_seed: seed,
            lines: 1,
            clock,
            stop,
            watch,
            started,
            crew: &Alone,
            hand: 0,
            settled: None,
        }
    }

    /// Tells `watch` of progress.
    #[must_use]
    pub fn watched_by(self, watch: &'a (dyn Fn(Progress) + Sync)) -> Self {
        Self { watch: Some(watch), ..self }
    }

    /// Asks for so many lines, at least one.
    #[must_use]
    pub fn with_lines(self, lines: usize) -> Self {
        Self { lines: lines.max(1), ..self }
    }

    /// How many lines are asked for.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// The same for the decision after so many actions.
    pub(crate) fn at_ply(&self, ply: usize) -> Control<'a> {
        Control { seed: Fold::default().word(self.game_seed).word(ply as u64).key(), ..*self }
    }

    /// The seed of the whole game.
    pub(crate) fn game_seed(&self) -> u64 {
        self.game_seed
    }

    /// Gives the search several hands.
    #[must_use]
    pub fn with_crew(self, crew: &'a dyn Crew) -> Self {
        Self { crew, ..self }
    }

    /// How many hands the search has.
    pub(crate) fn hands(&self) -> usize {
        self.crew.size().max(1)
    }

    /// Which of the hands this is. A first hand searches exactly as one that is alone; the others see to it that they do
    /// not all search the same.
    pub(crate) fn hand(&self) -> usize {
        self.hand
    }

    /// Lets every hand work with a tool and with reins of its own, and gives what each came to. Nodes and memory are
    /// shared out; progress is told by the first hand.
    pub(crate) fn all_hands<T: Send, R: Send>(
        &self,
        tools: &mut [T],
        work: impl Fn(&mut T, &Control<'_>) -> R + Sync,
    ) -> Vec<R> {
        if let [tool] = tools {
            return vec![work(tool, self)];
        }
        let hands = tools.len() as u64;
        let settled = AtomicBool::new(false);
        let places: Vec<_> = tools.iter_mut().map(|tool| Mutex::new((tool, None))).collect();
        self.crew.all(&|hand| {
            // A crew that has grown since the tools were laid out has hands without one.
            let Some(place) = places.get(hand) else { return };
            let number = hand as u64;
            let share = |nodes: u64| nodes / hands + u64::from(number < nodes % hands);
            let control = Control {
                budget: Budget {
                    nodes: self.budget.nodes.map(share),
                    memory: self.budget.memory / places.len(),
                    ..self.budget
                },
                seed: if hand == 0 { self.seed } else { Fold::default().word(self.seed).word(number).key() },
                watch: self.watch.filter(|_| hand == 0),
                crew: &Alone,
                hand,
                settled: Some(&settled),
                ..*self
            };
            let (tool, result) = &mut *place.lock().expect("each hand has its own");
            *result = Some(work(tool, &control));
        });
        let results = places.into_iter().map(|place| place.into_inner().expect("no hand has failed").1);
        results.map(|result| result.expect("each hand has worked")).collect()
    }

    /// Tells the other hands that there is nothing left to find.
    pub(crate) fn settle(&self) {
        if let Some(settled) = self.settled {
            settled.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the search may look at another node, having looked at `nodes`.
    #[inline]
    pub fn keep_going(&self, nodes: u64) -> bool {
        if self.budget.nodes.is_some_and(|most| nodes >= most) {
            return false;
        }
        !nodes.is_multiple_of(Self::INTERVAL) || self.in_time()
    }

    /// Whether there is time left and nobody has asked to stop. For searches whose nodes take long.
    pub fn in_time(&self) -> bool {
        let settled = self.settled.is_some_and(|settled| settled.load(Ordering::Relaxed));
        !settled && !self.stop.load(Ordering::Relaxed) && self.budget.time.is_none_or(|time| self.elapsed() < time)
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.started)
    }

    pub fn report(&self, progress: Progress) {
        if let Some(watch) = self.watch {
            watch(progress);
        }
    }
}
