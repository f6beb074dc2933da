//! The search: a tree that grows where the chances look best (PUCT), with a value for each seat, and that knows when a
//! node is decided.
//!
//! Each seat follows its own chance to win (max^n), partners share one. A leaf is judged by the evaluation alone: with half
//! of the value from a random game it won 18 % of 40 games against itself without.
//!
//! All hands grow one tree. They hold its lock while they walk through it, and look at positions without: trees of their own,
//! added up at the end, won 49 % of 100 games against a single hand with half of the nodes.

use std::sync::{Mutex, MutexGuard};

use quincunx_core::{Actor, Game, Seat, Step, Turn};
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
    arm: Arm,
    prior: f32,
    visits: u32,
    /// The sum of the outcomes for the seat that decides.
    sum: f32,
    child: u32,
    decided: bool,
    /// How many hands are on their way through here.
    pending: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arm {
    Act(Action),
    /// Not to claim out of turn, only at the root.
    Wait,
}

/// The memory of a search, kept from one move to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    most_edges: usize,
    simulations: u64,
}

impl Tree {
    /// What the thinking seat can expect.
    fn value(&self) -> f32 {
        let root = &self.nodes[ROOT as usize];
        root.mean(root.seat)
    }

    fn is_decided(&self) -> bool {
        self.nodes[ROOT as usize].decided
    }

    /// Whether there is no memory for so many more edges.
    fn is_full(&self, width: usize) -> bool {
        self.edges.len() + width > self.most_edges
    }

    fn add_node(&mut self, seat: Seat, value: Values, decided: bool) {
        let sum = Values::default();
        let node = Node { seat, first: NONE, count: 0, complete: true, decided, visits: 0, sum, value };
        self.nodes.push(node);
    }

    /// Tells all nodes on the path how the simulation came out at its last one.
    fn learn(&mut self, path: &[(u32, u32)], last: u32) {
        self.simulations += 1;
        let node = &mut self.nodes[last as usize];
        node.visits += 1;
        let mut values = node.value;
        let mut decided = node.decided;
        add(&mut node.sum, &values);
        for &(at, edge) in path.iter().rev() {
            let seat = self.nodes[at as usize].seat.index();
            let taken = &mut self.edges[edge as usize];
            taken.visits += 1;
            taken.pending = taken.pending.saturating_sub(1);
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
            let node = &mut self.nodes[at as usize];
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
        let node = &self.nodes[at as usize];
        let seat = node.seat.index();
        if values[seat] >= 1.0 {
            return Some(*values);
        }
        let edges = self.edges_of(node);
        if !node.complete || !edges.iter().all(|edge| edge.decided) {
            return None;
        }
        let results = edges.iter().map(|edge| self.nodes[edge.child as usize].value);
        results.max_by(|a, b| a[seat].total_cmp(&b[seat]))
    }

    /// The edge with the best upper bound. What is decided needs no trying, but is taken where nothing promises more: with
    /// three or four seats a draw is often the best there is.
    fn select(&mut self, at: u32, settings: &ModXSettings) -> u32 {
        let node = &self.nodes[at as usize];
        let spread = settings.exploration * (node.visits as f32).sqrt();
        let untried = (node.mean(node.seat) - settings.untried).max(0.0);
        let mut best = (f32::NEG_INFINITY, node.first);
        for (edge, number) in self.edges_of(node).iter().zip(node.first..) {
            // Where other hands are at work is taken for lost until they are back, so that not all go the same way.
            let tries = edge.visits + u32::from(edge.pending);
            let bound = if tries == 0 {
                untried + spread * edge.prior
            } else {
                let mean = edge.sum / tries as f32;
                if edge.decided { mean } else { mean + spread * edge.prior / (1 + tries) as f32 }
            };
            if bound > best.0 {
                best = (bound, number);
            }
        }
        let taken = &mut self.edges[best.1 as usize];
        taken.pending = taken.pending.saturating_add(1);
        best.1
    }

    fn edges_of(&self, node: &Node) -> &[Edge] {
        let first = node.first as usize;
        self.edges.get(first..first + node.count as usize).unwrap_or_default()
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
        self.edges_of(node).iter().filter(|edge| edge.visits > 0).rev().max_by_key(|edge| rank(edge))
    }

    fn expected_line(&self) -> Vec<Step<Action>> {
        let mut line = Vec::new();
        let mut node = &self.nodes[ROOT as usize];
        while let Some(edge) = self.best_edge(node) {
            if let Arm::Act(action) = edge.arm {
                line.push(Step { by: Actor::Seat(node.seat), action });
            }
            node = &self.nodes[edge.child as usize];
        }
        line
    }

    /// What came out; nothing if it is best to wait.
    pub(super) fn thought(&self, seats: u8) -> Option<Thought<Action>> {
        let root = &self.nodes[ROOT as usize];
        let Some(best) = self.best_edge(root) else {
            // Not a single simulation: what looks best.
            let first = self.edges_of(root).first().expect("who thinks has an action");
            let Arm::Act(action) = first.arm else { return None };
            return Some(Thought::plain(root.seat, action, self.simulations));
        };
        let Arm::Act(action) = best.arm else { return None };
        let child = &self.nodes[best.child as usize];
        let expected = Seat::all(seats).map(|seat| child.mean(seat)).collect();
        Some(Thought { action, expected, line: self.expected_line(), nodes: self.simulations })
    }
}

pub(super) struct Search<'a> {
    root: &'a ModX,
    known: &'a Knowledge<'a, ModX>,
    seat: Seat,
    settings: &'a ModXSettings,
    control: &'a Control<'a>,
    tree: &'a Mutex<Tree>,
    path: Vec<(u32, u32)>,
    actions: Vec<Action>,
    candidates: Vec<Candidate>,
}

impl<'a> Search<'a> {
    /// A search for the actions of the thinking seat, which may be out of turn: then it may also wait.
    pub(super) fn new(
        root: &'a ModX,
        known: &'a Knowledge<'a, ModX>,
        settings: &'a ModXSettings,
        tree: &'a Mutex<Tree>,
        control: &'a Control<'a>,
    ) -> Self {
        Self {
            root,
            known,
            seat: known.seat(),
            settings,
            control,
            tree,
            path: Vec::new(),
            actions: Vec::new(),
            candidates: Vec::new(),
        }
    }

    fn tree(&self) -> MutexGuard<'a, Tree> {
        self.tree.lock().expect("no hand fails while it holds the tree")
    }

    /// Begins a new tree.
    pub(super) fn plant(&mut self) {
        let table = Table::of(self.root);
        let value = evaluate(&table, &self.settings.weights);
        self.list_candidates(ROOT, self.seat, self.root, &table);
        let mut tree = self.tree();
        tree.nodes.clear();
        tree.edges.clear();
        tree.simulations = 0;
        // Every node but the root has an edge that leads to it.
        tree.most_edges = self.control.budget.memory.min(MOST_MEMORY) / (size_of::<Edge>() + size_of::<Node>());
        tree.add_node(self.seat, value, false);
        self.list_edges(&mut tree, ROOT);
        if self.root.turn().actor() != Some(Actor::Seat(self.seat)) {
            let wait =
                Edge { arm: Arm::Wait, prior: 0.1, visits: 0, sum: 0.0, child: NONE, decided: false, pending: 0 };
            tree.edges.push(wait);
            tree.nodes[ROOT as usize].count += 1;
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.control.seed);
        for edge in &mut tree.edges {
            edge.prior *= 1.0 + NOISE * rng.random::<f32>();
        }
    }

    /// The work of one hand.
    pub(super) fn run(&mut self) {
        let mut simulations = 0;
        let mut report = FIRST_REPORT;
        while self.control.keep_going(simulations) && self.simulate() {
            simulations += 1;
            if simulations == report {
                self.report();
                report *= 2;
            }
        }
        self.report();
    }

    fn report(&self) {
        if self.control.hand() == 0 {
            let tree = self.tree();
            let (nodes, depth, value) = (tree.simulations, tree.expected_line().len() as u32, tree.value());
            self.control.report(Progress { nodes, depth, value });
        }
    }

    /// Walks down to a new or a decided node and tells all nodes on the way what it is worth. False if there is nothing left
    /// to find out. The tree is locked on the way through it, and not while a position is looked at.
    fn simulate(&mut self) -> bool {
        let mut tree = self.tree();
        if tree.is_decided() {
            return false;
        }
        let mut game = self.root.clone();
        self.path.clear();
        let mut at = ROOT;
        loop {
            let Node { seat, count, visits, decided, .. } = tree.nodes[at as usize];
            if decided {
                break;
            }
            if count == 0 {
                if visits == 0 || tree.is_full(self.settings.width) {
                    break;
                }
                drop(tree);
                self.list_candidates(at, seat, &game, &Table::of(&game));
                tree = self.tree();
                // Another hand may have been quicker.
                if tree.nodes[at as usize].count == 0 && !self.list_edges(&mut tree, at) {
                    break;
                }
            }
            let edge = tree.select(at, self.settings);
            self.path.push((at, edge));
            let Edge { arm, child, .. } = tree.edges[edge as usize];
            if let Arm::Act(action) = arm {
                game.play(Actor::Seat(seat), action);
            }
            at = child;
            if child == NONE {
                drop(tree);
                let (seat, value, decided) = self.judge(&game);
                tree = self.tree();
                at = tree.edges[edge as usize].child;
                if at == NONE {
                    at = tree.nodes.len() as u32;
                    tree.add_node(seat, value, decided);
                    tree.edges[edge as usize].child = at;
                }
            }
        }
        tree.learn(&self.path, at);
        true
    }

    /// Who is on turn in a position that is new to the tree, what it is worth, and whether that is certain.
    fn judge(&self, game: &ModX) -> (Seat, Values, bool) {
        let Turn::Seat(seat) = game.turn() else {
            let result = payoff(game).expect("nothing is drawn in Mod X, so the game is over");
            return (self.seat, result, true);
        };
        let table = Table::of(game);
        if !wins_at_once(game, &table) {
            return (seat, evaluate(&table, &self.settings.weights), false);
        }
        let mut won = Values::default();
        let side = table.sides[seat.index()];
        (0..table.seats).filter(|&other| table.sides[other] == side).for_each(|other| won[other] = 1.0);
        (seat, won, true)
    }

    /// Lists what can be done at a node, best looks first.
    fn list_candidates(&mut self, at: u32, seat: Seat, game: &ModX, table: &Table) {
        self.actions.clear();
        if at == ROOT {
            self.known.actions(&mut self.actions);
        } else {
            game.actions(seat, &mut self.actions);
        }
        candidates(game, table, seat, &self.actions, &self.settings.looks, &mut self.candidates);
    }

    /// Makes the candidates the ways on from a node, as long as there is memory for them.
    fn list_edges(&self, tree: &mut Tree, at: u32) -> bool {
        let first = tree.edges.len();
        if at != ROOT && tree.is_full(self.settings.width) {
            return false;
        }
        let width = if at == ROOT { self.candidates.len() } else { self.candidates.len().min(self.settings.width) };
        let edges = self.candidates[..width].iter().map(|&Candidate { action, prior }| Edge {
            arm: Arm::Act(action),
            prior,
            visits: 0,
            sum: 0.0,
            child: NONE,
            decided: false,
            pending: 0,
        });
        tree.edges.extend(edges);
        let node = &mut tree.nodes[at as usize];
        node.first = first as u32;
        node.count = width as u16;
        node.complete = width == self.candidates.len();
        true
    }
}

impl Node {
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
