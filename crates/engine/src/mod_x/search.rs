//! The search: a tree that grows where the chances look best (PUCT), with a value for each seat, and that knows when a
//! node is decided.
//!
//! Each seat follows its own chance to win (max^n), partners share one. A leaf is judged by the evaluation alone: with half
//! of the value from a random game it won 18 % of 40 games against itself without.

use quincunx_core::{Actor, Game, Seat, Turn};
use quincunx_games::{ModX, mod_x::Action};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    evaluate::{Values, evaluate},
    moves::{Candidate, candidates},
    settings::ModXSettings,
    shapes::bits,
    table::Table,
};
use crate::{Control, Knowledge, Progress, Thought, player::payoff};

/// Bytes for the tree, whatever more is allowed.
const MOST_MEMORY: usize = 64 << 20;
/// At the root looks are made unequal by this share, so that another seed gives another of equally good actions.
const NOISE: f32 = 0.02;
/// How far the looks of an action are doubted, as a share, by the hands besides the first.
const DOUBT: f32 = 0.5;
/// Progress is told after this many simulations and each time their number has doubled.
const FIRST_REPORT: u64 = 1024;

const ROOT: u32 = 0;
const NONE: u32 = u32::MAX;

/// A position of the tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Who decides here.
    seat: Seat,
    /// The ways on, once they are listed.
    first: u32,
    count: u16,
    /// Whether all legal actions are among them.
    complete: bool,
    /// Whether `value` is the result with best play.
    decided: bool,
    visits: u32,
    sum: Values,
    /// What the evaluation said, or the result.
    value: Values,
}

/// A way on from a node.
#[derive(Clone, Copy, Debug)]
struct Edge {
    step: Step,
    prior: f32,
    visits: u32,
    /// The sum of the outcomes for the seat that decides.
    sum: f32,
    child: u32,
    decided: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Act(Action),
    /// Not to claim out of turn, only at the root.
    Wait,
}

/// The memory of a search, kept from one move to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    simulations: u64,
}

impl Tree {
    /// Adds what another tree of the same position found out about the next action.
    pub(super) fn join(&mut self, other: &Self) {
        self.simulations += other.simulations;
        self.nodes[ROOT as usize].add(&other.nodes[ROOT as usize]);
        let Node { first, count, .. } = self.nodes[ROOT as usize];
        for number in first as usize..first as usize + count as usize {
            let theirs = &other.edges[number];
            if theirs.visits == 0 {
                continue;
            }
            let their_child = other.nodes[theirs.child as usize];
            let own = &mut self.edges[number];
            if own.visits == 0 {
                own.child = self.nodes.len() as u32;
                self.nodes.push(Node { first: NONE, count: 0, ..their_child });
            } else {
                self.nodes[own.child as usize].add(&their_child);
            }
            // What is decided is known exactly: the other's mean counts no more.
            match (own.decided, theirs.decided) {
                (true, false) => own.sum *= (own.visits + theirs.visits) as f32 / own.visits as f32,
                (false, true) => own.sum = theirs.sum * (own.visits + theirs.visits) as f32 / theirs.visits as f32,
                _ => own.sum += theirs.sum,
            }
            own.visits += theirs.visits;
            own.decided |= theirs.decided;
        }
    }
}

pub(super) struct Search<'a> {
    root: &'a ModX,
    known: &'a Knowledge<'a, ModX>,
    seat: Seat,
    settings: &'a ModXSettings,
    control: &'a Control<'a>,
    tree: &'a mut Tree,
    most_edges: usize,
    path: Vec<(u32, u32)>,
    actions: Vec<Action>,
    candidates: Vec<Candidate>,
    doubt: Option<Xoshiro256PlusPlus>,
}

impl<'a> Search<'a> {
    /// A search for the actions of the thinking seat, which may be out of turn: then it may also wait.
    pub(super) fn new(
        root: &'a ModX,
        known: &'a Knowledge<'a, ModX>,
        settings: &'a ModXSettings,
        tree: &'a mut Tree,
        control: &'a Control<'a>,
    ) -> Self {
        // Every node but the root has an edge that leads to it.
        let each = size_of::<Edge>() + size_of::<Node>();
        Self {
            root,
            known,
            seat: known.seat(),
            settings,
            control,
            tree,
            most_edges: control.budget.memory.min(MOST_MEMORY) / each,
            path: Vec::new(),
            actions: Vec::new(),
            candidates: Vec::new(),
            // A hand that is not the first takes actions for better or worse than they look: below the root there is no
            // other chance in this search, and all hands would grow the same tree.
            doubt: (control.hand() > 0).then(|| Xoshiro256PlusPlus::seed_from_u64(control.seed)),
        }
    }

    fn plant(&mut self) {
        self.tree.nodes.clear();
        self.tree.edges.clear();
        self.tree.simulations = 0;
        let table = Table::of(self.root);
        let value = evaluate(&table, &self.settings.weights);
        self.add_node(self.seat, value, false);
        self.list_edges(ROOT, self.root, &table);
        if self.root.turn().actor() != Some(Actor::Seat(self.seat)) {
            let wait = Edge { step: Step::Wait, prior: 0.1, visits: 0, sum: 0.0, child: NONE, decided: false };
            self.tree.edges.push(wait);
            self.tree.nodes[ROOT as usize].count += 1;
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.control.seed);
        for edge in &mut self.tree.edges {
            edge.prior *= 1.0 + NOISE * rng.random::<f32>();
        }
    }

    /// Grows a new tree.
    pub(super) fn run(&mut self) {
        self.plant();
        let mut report = FIRST_REPORT;
        while self.control.keep_going(self.tree.simulations) && !self.tree.nodes[ROOT as usize].decided {
            self.simulate();
            self.tree.simulations += 1;
            if self.tree.simulations == report {
                self.report();
                report *= 2;
            }
        }
        if self.tree.nodes[ROOT as usize].decided {
            self.control.settle();
        }
        self.report();
    }

    fn report(&self) {
        let value = self.tree.nodes[ROOT as usize].mean(self.seat);
        let depth = self.expected_line().len() as u32;
        self.control.report(Progress { nodes: self.tree.simulations, depth, value });
    }

    fn simulate(&mut self) {
        let mut game = self.root.clone();
        self.path.clear();
        let mut at = ROOT;
        loop {
            let node = &self.tree.nodes[at as usize];
            if node.decided {
                break;
            }
            if node.count == 0 {
                let fresh = node.visits == 0;
                if fresh || !self.list_edges(at, &game, &Table::of(&game)) {
                    break;
                }
            }
            let edge = self.select(at);
            self.path.push((at, edge));
            let Edge { step, child, .. } = self.tree.edges[edge as usize];
            if let Step::Act(action) = step {
                game.play(Actor::Seat(self.tree.nodes[at as usize].seat), action);
            }
            at = if child == NONE { self.grow(edge, &game) } else { child };
        }
        self.learn(at);
    }

    /// Tells all nodes on the path how the simulation came out at its last one.
    fn learn(&mut self, last: u32) {
        let node = &mut self.tree.nodes[last as usize];
        node.visits += 1;
        let mut values = node.value;
        let mut decided = node.decided;
        add(&mut node.sum, &values);
        for &(at, edge) in self.path.iter().rev() {
            let seat = self.tree.nodes[at as usize].seat.index();
            let taken = &mut self.tree.edges[edge as usize];
            taken.visits += 1;
            taken.sum += values[seat];
            taken.decided = decided;
            if decided {
                // From now on it counts as nothing but its result.
                taken.sum = values[seat] * taken.visits as f32;
                if let Some(result) = self.result(at, &values) {
                    values = result;
                } else {
                    decided = false;
                }
            }
            let node = &mut self.tree.nodes[at as usize];
            node.visits += 1;
            add(&mut node.sum, &values);
            if decided {
                node.decided = true;
                node.value = values;
            }
        }
    }

    /// The result of a node one of whose ways on was decided with these values, if that decides it.
    fn result(&self, at: u32, values: &Values) -> Option<Values> {
        let node = &self.tree.nodes[at as usize];
        let seat = node.seat.index();
        if values[seat] >= 1.0 {
            return Some(*values);
        }
        let edges = self.edges(node);
        if !node.complete || !edges.iter().all(|edge| edge.decided) {
            return None;
        }
        let results = edges.iter().map(|edge| self.tree.nodes[edge.child as usize].value);
        results.max_by(|a, b| a[seat].total_cmp(&b[seat]))
    }

    /// The edge with the best upper bound; one that is known to lose only if all do.
    fn select(&self, at: u32) -> u32 {
        let node = &self.tree.nodes[at as usize];
        let spread = self.settings.exploration * (node.visits as f32).sqrt();
        let untried = (node.mean(node.seat) - self.settings.untried).max(0.0);
        let mut best = (f32::NEG_INFINITY, node.first);
        for (edge, number) in self.edges(node).iter().zip(node.first..) {
            let bound = if edge.visits == 0 {
                untried + spread * edge.prior
            } else {
                let mean = edge.sum / edge.visits as f32;
                if edge.decided { mean - 1.0 } else { mean + spread * edge.prior / (1 + edge.visits) as f32 }
            };
            if bound > best.0 {
                best = (bound, number);
            }
        }
        best.1
    }

    /// Adds the node that an edge leads to.
    fn grow(&mut self, edge: u32, game: &ModX) -> u32 {
        let number = self.tree.nodes.len() as u32;
        match game.turn() {
            Turn::Seat(seat) => {
                let table = Table::of(game);
                if wins_at_once(game, &table) {
                    let mut won = Values::default();
                    let side = table.sides[seat.index()];
                    (0..table.seats).filter(|&other| table.sides[other] == side).for_each(|other| won[other] = 1.0);
                    self.add_node(seat, won, true);
                } else {
                    let value = evaluate(&table, &self.settings.weights);
                    self.add_node(seat, value, false);
                }
            }
            Turn::Chance | Turn::Over => {
                let result = payoff(game).expect("nothing is drawn in Mod X, so the game is over");
                self.add_node(self.seat, result, true);
            }
        }
        self.tree.edges[edge as usize].child = number;
        number
    }

    fn add_node(&mut self, seat: Seat, value: Values, decided: bool) {
        let sum = Values::default();
        let node = Node { seat, first: NONE, count: 0, complete: true, decided, visits: 0, sum, value };
        self.tree.nodes.push(node);
    }

    /// Lists the ways on from a node, as long as there is memory for them.
    fn list_edges(&mut self, at: u32, game: &ModX, table: &Table) -> bool {
        let first = self.tree.edges.len();
        if first + self.settings.width > self.most_edges && at != ROOT {
            return false;
        }
        let seat = self.tree.nodes[at as usize].seat;
        self.actions.clear();
        if at == ROOT {
            self.known.actions(&mut self.actions);
        } else {
            game.actions(seat, &mut self.actions);
        }
        candidates(game, table, seat, &self.actions, &self.settings.looks, &mut self.candidates);
        let width = if at == ROOT { self.candidates.len() } else { self.candidates.len().min(self.settings.width) };
        let edges = self.candidates[..width].iter().map(|&Candidate { action, prior }| Edge {
            step: Step::Act(action),
            prior,
            visits: 0,
            sum: 0.0,
            child: NONE,
            decided: false,
        });
        self.tree.edges.extend(edges);
        if let Some(rng) = &mut self.doubt {
            for edge in &mut self.tree.edges[first..] {
                edge.prior *= 1.0 + DOUBT * (rng.random::<f32>() - 0.5);
            }
        }
        let node = &mut self.tree.nodes[at as usize];
        node.first = first as u32;
        node.count = width as u16;
        node.complete = width == self.candidates.len();
        true
    }

    fn edges(&self, node: &Node) -> &[Edge] {
        let first = node.first as usize;
        self.tree.edges.get(first..first + node.count as usize).unwrap_or_default()
    }

    /// The way on that a seat would take: one that wins, else the one tried most of those that are not known to lose.
    fn best_edge(&self, node: &Node) -> Option<&Edge> {
        let rank = |edge: &Edge| {
            let mean = edge.sum / edge.visits.max(1) as f32;
            let class = match (edge.decided, mean) {
                (true, 1.0..) => 2,
                (true, ..=0.0) => 0,
                _ => 1,
            };
            (class, edge.visits)
        };
        // The first of equals is the one that looked best.
        self.edges(node).iter().filter(|edge| edge.visits > 0).rev().max_by_key(|edge| rank(edge))
    }

    fn expected_line(&self) -> Vec<(Actor, Action)> {
        let mut line = Vec::new();
        let mut node = &self.tree.nodes[ROOT as usize];
        while let Some(edge) = self.best_edge(node) {
            if let Step::Act(action) = edge.step {
                line.push((Actor::Seat(node.seat), action));
            }
            node = &self.tree.nodes[edge.child as usize];
        }
        line
    }

    /// What came out; nothing if it is best to wait.
    pub(super) fn thought(&self) -> Option<Thought<Action>> {
        let root = &self.tree.nodes[ROOT as usize];
        let seats = self.root.seats() as usize;
        let Some(best) = self.best_edge(root) else {
            // Not a single simulation: what looks best.
            let first = self.edges(root).first().expect("who thinks has an action");
            let Step::Act(action) = first.step else { return None };
            return Some(Thought::plain(self.seat, action, self.tree.simulations));
        };
        let Step::Act(action) = best.step else { return None };
        let child = &self.tree.nodes[best.child as usize];
        let expected = Seat::all(seats as u8).map(|seat| child.mean(seat)).collect();
        Some(Thought { action, expected, line: self.expected_line(), nodes: self.tree.simulations })
    }
}

impl Node {
    /// Adds what another tree found out about the same node.
    fn add(&mut self, other: &Self) {
        if other.decided && !self.decided {
            (self.decided, self.value) = (true, other.value);
        }
        self.visits += other.visits;
        add(&mut self.sum, &other.sum);
    }

    /// What the simulations through here, or its result, say for a seat.
    fn mean(&self, seat: Seat) -> f32 {
        if self.decided || self.visits == 0 {
            self.value[seat.index()]
        } else {
            self.sum[seat.index()] / self.visits as f32
        }
    }
}

fn add(sum: &mut Values, values: &Values) {
    sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}

/// Whether the seat that is to place reaches the target with it. With manual claims it has to claim first, which the
/// search finds by itself.
fn wins_at_once(game: &ModX, table: &Table) -> bool {
    let seat = table.next.index();
    let colour = &table.colours[seat];
    game.is_placing()
        && !game.manual_claims()
        && bits(colour.gaps).any(|gap| table.gain_at(seat, 1 << gap).points >= colour.needed)
}
