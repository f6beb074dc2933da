//! The generic search: information-set Monte Carlo tree search, from the rules of a game alone.
//!
//! Each simulation imagines a full position that the thinking seat cannot tell from the true one, walks down one tree
//! that all these positions share, adds a node, plays on at random and tells every node on the way how it ended for each
//! seat. So chance, hidden cards, two to four seats and teams need nothing of their own: chance draws by weight, an arm
//! that is not legal in the position at hand is passed over, and each seat follows its own share of the outcome.
//!
//! Seats that may act out of turn are asked, before the seat on turn, whether they do or wait.

use std::{collections::HashMap, hash::BuildHasherDefault};

use quincunx_core::{Actor, Game, Scratch, Seat, SeatSet, Step, Turn, Viewer};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use crate::{
    Control, Knowledge, Line, Player, Progress, Thought,
    hasher::FoldHasher,
    math::ln,
    player::{Sight, key_after, payoff, standing, unproven},
};

type Values = [f32; Seat::MAX as usize];

/// What can be set about the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MctsSettings {
    /// How much a rarely tried arm is preferred to a good one.
    pub exploration: f32,
    /// A random game that takes longer than this many actions is judged by the scores as they stand.
    pub longest_playout: u32,
}

impl Default for MctsSettings {
    fn default() -> Self {
        Self { exploration: 0.7, longest_playout: 150 }
    }
}

/// A player that plays any game by simulation.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Mcts {
    pub settings: MctsSettings,
}

impl<G: Game> Player<G> for Mcts {
    fn think(&mut self, known: &Knowledge<'_, G>, control: &Control<'_>) -> Thought<G::Action> {
        self.search(known, control).thought(control.lines())
    }

    fn interject(&mut self, known: &Knowledge<'_, G>, control: &Control<'_>) -> Option<Thought<G::Action>> {
        let search = self.search(known, control);
        let waits = search.best_child(search.root()).is_none_or(|best| best.arm == Arm::Wait(known.seat()));
        (!waits).then(|| search.thought(control.lines()))
    }
}

impl Mcts {
    /// Every hand grows a tree of its own, with other random games; what they say about the first action is added up.
    fn search<'a, G: Game>(self, known: &'a Knowledge<'a, G>, control: &Control<'_>) -> Search<'a, G> {
        let mut hands = vec![(); control.hands()];
        let mut trees = control.all_hands(&mut hands, |(), control| {
            let mut search = Search::new(self.settings, known, control);
            search.run(control);
            search
        });
        let mut first = trees.swap_remove(0);
        for other in &trees {
            first.join(other);
        }
        first
    }
}

/// A way to go on from a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Arm<A> {
    Act(Actor, A),
    /// Chance draws what the thinking seat does not get to see: to it all such draws are one.
    Hidden,
    /// A seat that could act out of turn does not.
    Wait(Seat),
}

/// A node of the tree: what came of an arm.
#[derive(Clone, Copy, Debug)]
struct Node<A> {
    arm: Arm<A>,
    /// The node's youngest child and its next older sibling, for walking through the children.
    child: u32,
    sibling: u32,
    visits: u32,
    /// How often the arm was legal when its parent was visited.
    available: u32,
    /// The sum of the outcomes for each seat.
    sum: Values,
}

impl<A> Node<A> {
    fn new(arm: Arm<A>) -> Self {
        Self { arm, child: NONE, sibling: NONE, visits: 0, available: 1, sum: Values::default() }
    }

    /// Adds what another tree found out about the same node.
    fn add(&mut self, other: &Self) {
        self.visits += other.visits;
        self.available += other.available;
        self.sum.iter_mut().zip(other.sum).for_each(|(sum, more)| *sum += more);
    }
}

const ROOT: u32 = 0;
const NONE: u32 = u32::MAX;

/// One of so many simulations is about an action that somebody asks about.
const ASKED_SHARE: u32 = 4;

/// How many simulations pass between two reports of progress.
const REPORT: u64 = 4096;

struct Search<'a, G: Game> {
    settings: MctsSettings,
    known: &'a Knowledge<'a, G>,
    rng: Xoshiro256PlusPlus,
    nodes: Vec<Node<G::Action>>,
    /// The child of a node by its arm.
    children: HashMap<(u32, Arm<G::Action>), u32, BuildHasherDefault<FoldHasher>>,
    most_nodes: usize,
    simulations: u64,
    scratch: Scratch<G::Action>,
    /// The arms of the node at hand, with the child that there is.
    arms: Vec<(Arm<G::Action>, u32)>,
    path: Vec<u32>,
}

impl<'a, G: Game> Search<'a, G> {
    fn new(settings: MctsSettings, known: &'a Knowledge<'a, G>, control: &Control<'_>) -> Self {
        // A node costs itself and its entry in the table, which is grown by doubling and never quite full.
        let node = size_of::<Node<G::Action>>() + 3 * size_of::<(u32, Arm<G::Action>, u32)>();
        let root = Node { available: 0, ..Node::new(Arm::Wait(known.seat())) };
        Self {
            settings,
            known,
            rng: Xoshiro256PlusPlus::seed_from_u64(control.seed),
            nodes: vec![root],
            children: HashMap::default(),
            most_nodes: (control.budget.memory / node).clamp(1, NONE as usize),
            simulations: 0,
            scratch: Scratch::default(),
            arms: Vec::new(),
            path: Vec::new(),
        }
    }

    fn run(&mut self, control: &Control<'_>) {
        while control.keep_going(self.simulations) {
            self.simulate();
            self.simulations += 1;
            if self.simulations.is_multiple_of(REPORT) {
                self.report(control);
            }
        }
        self.report(control);
    }

    /// Adds what another search of the same position found out about its first actions.
    fn join(&mut self, other: &Self) {
        self.simulations += other.simulations;
        self.nodes[ROOT as usize].add(other.root());
        for theirs in other.children(other.root()) {
            let own = match self.children.get(&(ROOT, theirs.arm)) {
                Some(&own) => own,
                None => self.adopt(ROOT, Node { available: 0, ..Node::new(theirs.arm) }),
            };
            self.nodes[own as usize].add(theirs);
        }
    }

    fn report(&self, control: &Control<'_>) {
        let seat = self.known.seat().index();
        let root = self.root();
        let value = if root.visits == 0 { 0.5 } else { root.sum[seat] / root.visits as f32 };
        let depth = self.expected_line().len() as u32;
        control.report(Progress { nodes: self.simulations, depth, value });
    }

    fn simulate(&mut self) {
        let mut world = self.known.imagine(&mut self.rng);
        self.path.clear();
        self.path.push(ROOT);
        let mut node = ROOT;
        // At the root the thinking seat decides, whoever else could act out of turn.
        let own = self.known.seat();
        let mut waited: SeatSet = Seat::all(world.seats()).filter(|&seat| seat != own).collect();
        loop {
            let decider = match world.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    let outcome = world.random(Actor::Chance, &mut self.rng, &mut self.scratch);
                    let hidden = world.redacted(Actor::Chance, outcome, Viewer::Seat(own)).is_some();
                    let arm = if hidden { Arm::Hidden } else { Arm::Act(Actor::Chance, outcome) };
                    let child = self.children.get(&(node, arm)).copied().or_else(|| self.grow(node, arm));
                    world.play(Actor::Chance, outcome);
                    let Some(child) = child else { break };
                    self.path.push(child);
                    node = child;
                    continue;
                }
                Turn::Seat(on_turn) => self.list_arms(&world, node, on_turn, waited),
            };
            let asked = if node == ROOT { self.asked_arm() } else { None };
            let (arm, child) = asked.unwrap_or_else(|| self.select(decider));
            match arm {
                Arm::Hidden => unreachable!("no seat decides about a draw"),
                Arm::Act(actor, action) => {
                    world.play(actor, action);
                    waited = SeatSet::EMPTY;
                }
                Arm::Wait(seat) => waited = waited.with(seat),
            }
            if child == NONE {
                if let Some(new) = self.grow(node, arm) {
                    self.path.push(new);
                }
                break;
            }
            self.path.push(child);
            node = child;
        }
        let values = self.play_out(world);
        for &node in &self.path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            for (sum, value) in node.sum.iter_mut().zip(values) {
                *sum += value;
            }
        }
    }

    /// Lists the arms at this position with the children that there are, and gives the seat that decides: one that
    /// could act out of turn and has not said that it waits, or else the seat on turn.
    fn list_arms(&mut self, world: &G, node: u32, on_turn: Seat, waited: SeatSet) -> Seat {
        self.arms.clear();
        let mut decider = on_turn;
        self.scratch.actions.clear();
        for seat in on_turn.clockwise(world.seats()).skip(1).filter(|&seat| !waited.contains(seat)) {
            world.actions(seat, &mut self.scratch.actions);
            if !self.scratch.actions.is_empty() {
                decider = seat;
                self.arms.push((Arm::Wait(seat), NONE));
                break;
            }
        }
        if decider == on_turn {
            world.actions(on_turn, &mut self.scratch.actions);
        }
        self.arms.extend(self.scratch.actions.iter().map(|&action| (Arm::Act(Actor::Seat(decider), action), NONE)));
        for (arm, child) in &mut self.arms {
            if let Some(&found) = self.children.get(&(node, *arm)) {
                *child = found;
                self.nodes[found as usize].available += 1;
            }
        }
        decider
    }

    /// The arm of the action that is asked about, as long as it had less than its share of the simulations.
    fn asked_arm(&self) -> Option<(Arm<G::Action>, u32)> {
        let asked = Arm::Act(Actor::Seat(self.known.seat()), self.known.asked()?);
        let &(arm, child) = self.arms.iter().find(|(arm, _)| *arm == asked)?;
        let visits = self.nodes.get(child as usize).map_or(0, |node| node.visits);
        (visits <= self.root().visits / ASKED_SHARE).then_some((arm, child))
    }

    /// An arm that was not tried yet, if there is one; otherwise the one with the best upper bound for the seat.
    fn select(&mut self, seat: Seat) -> (Arm<G::Action>, u32) {
        let untried = self.arms.iter().filter(|&&(_, child)| child == NONE).count();
        if untried > 0 {
            let pick = self.rng.random_range(0..untried);
            let arm = self.arms.iter().filter(|&&(_, child)| child == NONE).nth(pick);
            return *arm.expect("a number below the count");
        }
        let bound = |child: u32| {
            let node = &self.nodes[child as usize];
            let visits = node.visits as f32;
            let mean = node.sum[seat.index()] / visits;
            mean + self.settings.exploration * (ln(node.available as f32) / visits).sqrt()
        };
        let best = self.arms.iter().max_by(|a, b| bound(a.1).total_cmp(&bound(b.1)));
        *best.expect("who is on turn has an action")
    }

    /// Adds a node, as long as there is memory for it.
    fn grow(&mut self, parent: u32, arm: Arm<G::Action>) -> Option<u32> {
        if self.nodes.len() >= self.most_nodes {
            return None;
        }
        Some(self.adopt(parent, Node::new(arm)))
    }

    fn adopt(&mut self, parent: u32, node: Node<G::Action>) -> u32 {
        let new = self.nodes.len() as u32;
        let sibling = std::mem::replace(&mut self.nodes[parent as usize].child, new);
        self.children.insert((parent, node.arm), new);
        self.nodes.push(Node { sibling, ..node });
        new
    }

    fn play_out(&mut self, mut world: G) -> Values {
        for _ in 0..self.settings.longest_playout {
            let Some(actor) = world.turn().actor() else { break };
            let action = world.random(actor, &mut self.rng, &mut self.scratch);
            world.play(actor, action);
        }
        payoff(&world).unwrap_or_else(|| standing(&world))
    }

    fn root(&self) -> &Node<G::Action> {
        &self.nodes[ROOT as usize]
    }

    fn children(&self, node: &Node<G::Action>) -> impl Iterator<Item = &Node<G::Action>> {
        let at = |number: u32| self.nodes.get(number as usize);
        std::iter::successors(at(node.child), move |child| at(child.sibling))
    }

    /// The child that was visited most.
    fn best_child(&self, node: &Node<G::Action>) -> Option<&Node<G::Action>> {
        self.children(node).max_by_key(|child| child.visits)
    }

    fn expected_line(&self) -> Vec<Step<G::Action>> {
        self.best_child(self.root()).map_or(Vec::new(), |best| self.line_from(best))
    }

    /// How the game goes on from a child and what follows it most often; a draw that the seat does not see ends the line.
    fn line_from(&self, first: &Node<G::Action>) -> Vec<Step<G::Action>> {
        let best = std::iter::successors(Some(first), |node| self.best_child(node));
        let seen = best.take_while(|node| node.arm != Arm::Hidden);
        let actions = seen.filter_map(|node| match node.arm {
            Arm::Act(by, action) => Some(Step { by, action }),
            Arm::Hidden | Arm::Wait(_) => None,
        });
        actions.collect()
    }

    /// What came out, with so many lines.
    fn thought(&self, lines: usize) -> Thought<G::Action> {
        let seat = self.known.seat();
        let own = self.children(self.root()).filter_map(|child| match child.arm {
            Arm::Act(actor, action) if actor == Actor::Seat(seat) => Some((child, action)),
            _ => None,
        });
        let mut tried: Vec<_> = own.collect();
        tried.sort_by_key(|(child, _)| std::cmp::Reverse(child.visits));
        let asked = self.known.asked();
        // What is asked about was visited for being asked about: it is best only if it did better.
        if let Some(place) = tried.iter().position(|&(_, action)| asked == Some(action)) {
            let about = tried.remove(place);
            let mean =
                |(child, _): &(&Node<G::Action>, G::Action)| child.sum[seat.index()] / child.visits.max(1) as f32;
            let is_best = tried.first().is_none_or(|best| mean(&about) > mean(best));
            tried.insert(usize::from(!is_best), about);
        }
        if tried.is_empty() {
            let mut actions = Vec::new();
            self.known.actions(&mut actions);
            return Thought::plain(seat, actions[0], self.simulations);
        }
        let shown = tried.iter().enumerate().filter(|(place, (_, action))| *place < lines || asked == Some(*action));
        let world = self.known.imagine(&mut self.rng.clone());
        let key = self.known.key();
        let lines = shown.map(|(_, &(child, action))| {
            let visits = child.visits.max(1) as f32;
            let expected: Vec<f32> =
                child.sum[..self.known.seats() as usize].iter().map(|sum| unproven(sum / visits)).collect();
            let mut next = world.clone();
            next.play(Actor::Seat(seat), action);
            let wins = payoff(&next).is_some_and(|shares| shares[seat.index()] >= 1.0);
            let steps = self.line_from(child);
            Line {
                glance: expected[seat.index()],
                expected,
                visits: child.visits.into(),
                depth: steps.len() as u32,
                steps,
                sight: if wins { Sight::Wins } else { Sight::Quiet },
                key: key_after(key, action),
            }
        });
        Thought::of(lines.collect(), self.simulations)
    }
}
