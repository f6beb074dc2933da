//! The tree of the search, which all hands grow at once: what is written once is behind a `OnceLock`, what is counted is
//! atomic, and nobody waits for anybody.
//!
//! A hand counts its visit of a way on when it sets out, and the outcome when it is back: on the way it is taken for lost
//! (virtual loss), so that not all hands go the same way.

use std::sync::{
    OnceLock,
    atomic::{
        AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize,
        Ordering::{AcqRel, Acquire, Relaxed},
    },
};

use quincunx_core::{Actor, Seat, Step};
use quincunx_games::mod_x::Action;

use super::{evaluate::Values, moves::Candidate, settings::ModXSettings};

/// A sum of outcomes from 0 to 1, exact to 32 binary places however many there are: a sum of `f32` no longer grows after
/// some millions of them.
#[derive(Debug, Default)]
struct Sum(AtomicU64);

impl Sum {
    const ONE: f32 = (1_u64 << 32) as f32;

    #[inline]
    fn add(&self, value: f32) {
        self.0.fetch_add((value * Self::ONE) as i64 as u64, Relaxed);
    }

    /// The mean of so many outcomes.
    #[inline]
    fn mean(&self, of: u32) -> f32 {
        // As a signed number, which processors convert faster.
        self.0.load(Relaxed) as i64 as f32 / (Self::ONE * of as f32)
    }
}

/// A position of the tree.
#[derive(Debug)]
pub(super) struct Node {
    /// Who decides here.
    pub(super) seat: Seat,
    /// Whether others may act here as well, out of turn: then nothing is certain.
    is_shared: bool,
    /// Whether all legal actions are among the ways on.
    is_complete: AtomicBool,
    /// At least one: a node begins with what the evaluation says.
    visits: AtomicU32,
    sums: [Sum; Seat::MAX as usize],
    /// The most promising ways on, and the others as soon as these are not enough.
    ways: [OnceLock<Box<[Edge]>>; 2],
    /// What comes out with best play, once it is proven.
    result: OnceLock<Box<Values>>,
}

/// A way on from a node.
#[derive(Debug)]
pub(super) struct Edge {
    pub(super) arm: Arm,
    prior: f32,
    visits: AtomicU32,
    /// The outcomes for the seat that decides.
    sum: Sum,
    /// The number of the node that it leads to.
    child: AtomicU32,
    /// What is proven for the seat that decides.
    proven: AtomicU8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arm {
    Act(Action),
    /// Not to claim out of turn, only at the root.
    Wait,
}

/// What is known of a position that is new to the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    pub(super) seat: Seat,
    pub(super) values: Values,
    /// Whether the values are what comes out with best play.
    pub(super) is_decided: bool,
    /// Whether others than the seat may act, too.
    pub(super) is_shared: bool,
}

/// What is proven for a seat, as a number that takes no space.
mod proven {
    pub(super) const NOTHING: u8 = 0;
    pub(super) const LOST: u8 = 1;
    pub(super) const DRAWN: u8 = 2;
    pub(super) const WON: u8 = 3;
}

impl Edge {
    pub(super) fn new(arm: Arm, prior: f32) -> Self {
        Self {
            arm,
            prior,
            visits: AtomicU32::new(0),
            sum: Sum::default(),
            child: AtomicU32::new(NONE),
            proven: AtomicU8::new(proven::NOTHING),
        }
    }

    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    #[inline]
    pub(super) fn is_decided(&self) -> bool {
        self.proven.load(Relaxed) != proven::NOTHING
    }

    fn decide(&self, value: f32) {
        let proven = match value {
            1.0.. => proven::WON,
            ..=0.0 => proven::LOST,
            _ => proven::DRAWN,
        };
        self.proven.store(proven, Relaxed);
    }

    /// What the seat that decides can expect.
    pub(super) fn mean(&self, draw: f32) -> f32 {
        match self.proven.load(Relaxed) {
            proven::NOTHING => self.sum.mean(self.visits().max(1)),
            proven::LOST => 0.0,
            proven::DRAWN => draw,
            _ => 1.0,
        }
    }

    /// The order in which a seat takes the ways on: what wins first, what loses last, else by how often they were tried.
    pub(super) fn rank(&self) -> (u8, u32) {
        let class = match self.proven.load(Relaxed) {
            proven::WON => 2,
            proven::LOST => 0,
            _ => 1,
        };
        (class, self.visits())
    }
}

impl Node {
    pub(super) fn new(judged: &Judged) -> Self {
        let node = Self {
            seat: judged.seat,
            is_shared: judged.is_shared,
            is_complete: AtomicBool::new(false),
            visits: AtomicU32::new(0),
            sums: Default::default(),
            ways: Default::default(),
            result: OnceLock::new(),
        };
        node.add(&judged.values);
        if judged.is_decided {
            node.decide(judged.values);
        }
        node
    }

    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    #[inline]
    fn add(&self, values: &Values) {
        self.visits.fetch_add(1, Relaxed);
        for (sum, &value) in self.sums.iter().zip(values) {
            // Seats that nobody has are not worth the time.
            if value != 0.0 {
                sum.add(value);
            }
        }
    }

    fn decide(&self, values: Values) {
        // Another hand can only have come to the same.
        self.result.set(Box::new(values)).ok();
    }

    /// What comes out with best play, if that is proven.
    #[inline]
    pub(super) fn result(&self) -> Option<&Values> {
        self.result.get().map(|values| &**values)
    }

    /// What the simulations through here say for a seat.
    #[inline]
    pub(super) fn mean(&self, seat: Seat) -> f32 {
        self.result().map_or_else(|| self.sums[seat.index()].mean(self.visits()), |values| values[seat.index()])
    }

    /// What they say for all seats.
    pub(super) fn means(&self) -> Values {
        let visits = self.visits();
        self.result().copied().unwrap_or_else(|| std::array::from_fn(|seat| self.sums[seat].mean(visits)))
    }

    pub(super) fn is_listed(&self) -> bool {
        self.ways[0].get().is_some()
    }

    /// Whether all legal actions are among the ways on.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete.load(Relaxed)
    }

    pub(super) fn edges(&self) -> impl DoubleEndedIterator<Item = &Edge> {
        self.ways.iter().filter_map(OnceLock::get).flat_map(|edges| edges.iter())
    }

    /// Makes candidates, sorted by their looks, the ways on: the first `width` of them, or those that were left out then.
    pub(super) fn list(&self, candidates: &[Candidate], width: usize) {
        let width = width.min(candidates.len());
        let edge = |&Candidate { action, prior }: &Candidate| Edge::new(Arm::Act(action), prior);
        if self.is_listed() {
            self.ways[1].set(candidates[width..].iter().map(edge).collect()).ok();
            self.is_complete.store(true, Relaxed);
        } else {
            self.set_ways(candidates[..width].iter().map(edge).collect(), width == candidates.len());
        }
    }

    pub(super) fn set_ways(&self, edges: Vec<Edge>, is_complete: bool) {
        if self.ways[0].set(edges.into()).is_ok() && is_complete {
            self.is_complete.store(true, Relaxed);
        }
    }

    /// The way on with the best upper bound (PUCT). What is decided needs no trying, but is taken where nothing promises
    /// more: with three or four seats a draw is often the best there is. Nothing if all are decided and only open ones are
    /// wanted.
    #[inline]
    pub(super) fn select(&self, settings: &ModXSettings, draw: f32, wanted: Wanted) -> Option<&Edge> {
        let spread = settings.exploration * (self.visits() as f32).sqrt();
        let untried = (self.mean(self.seat) - settings.untried).max(0.0);
        let mut best = (f32::NEG_INFINITY, None);
        for edges in self.ways.iter().filter_map(OnceLock::get) {
            for edge in edges {
                let tries = edge.visits();
                let bound = if edge.is_decided() {
                    if wanted == Wanted::Open {
                        continue;
                    }
                    edge.mean(draw)
                } else if tries == 0 {
                    untried + spread * edge.prior
                } else {
                    edge.sum.mean(tries) + spread * edge.prior / (1 + tries) as f32
                };
                if bound > best.0 {
                    best = (bound, Some(edge));
                }
            }
        }
        best.1
    }

    /// The way on that the seat would take; the first of equals is the one that looked best.
    pub(super) fn best(&self) -> Option<&Edge> {
        self.edges().filter(|edge| edge.visits() > 0).rev().max_by_key(|edge| edge.rank())
    }

    /// Whether all that was listed is decided, and more could be.
    pub(super) fn wants_more(&self) -> bool {
        !self.is_complete() && self.edges().all(Edge::is_decided)
    }
}

/// Which ways on are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted {
    Any,
    /// Those that are not decided.
    Open,
}

/// How many nodes are laid out at once.
const CHUNK: usize = 1 << 10;
const NONE: u32 = u32::MAX;

type Chunk = Box<[OnceLock<Node>]>;

/// The nodes and the memory they may use.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) root: Node,
    /// What a draw is worth to each side.
    pub(super) draw: f32,
    /// All other nodes, in chunks that are laid out when they are needed.
    nodes: Box<[OnceLock<Chunk>]>,
    count: AtomicUsize,
    /// Bytes for ways on.
    edges: AtomicUsize,
    memory: usize,
}

impl Tree {
    pub(super) fn new(root: &Judged, draw: f32, memory: usize) -> Self {
        let chunks = (memory / size_of::<[OnceLock<Node>; CHUNK]>()).clamp(1, NONE as usize / CHUNK);
        Self {
            root: Node::new(root),
            draw,
            nodes: (0..chunks).map(|_| OnceLock::new()).collect(),
            count: AtomicUsize::new(0),
            edges: AtomicUsize::new(0),
            memory,
        }
    }

    /// Takes memory for so many ways on, if there is enough.
    pub(super) fn reserve(&self, edges: usize) -> bool {
        let bytes = edges * size_of::<Edge>();
        let nodes = self.count.load(Relaxed) * size_of::<OnceLock<Node>>();
        let fits = nodes + self.edges.load(Relaxed) + bytes <= self.memory;
        if fits {
            self.edges.fetch_add(bytes, Relaxed);
        }
        fits
    }

    /// The node that a way leads to.
    #[inline]
    pub(super) fn child(&self, edge: &Edge) -> Option<&Node> {
        self.node(edge.child.load(Acquire))
    }

    #[inline]
    fn node(&self, number: u32) -> Option<&Node> {
        self.nodes.get(number as usize / CHUNK)?.get()?[number as usize % CHUNK].get()
    }

    /// Adds a position that is new to the tree, as long as there is memory for it; if another hand was quicker, it is one
    /// more visit to the node that this one has made.
    pub(super) fn add_child(&self, edge: &Edge, judged: &Judged) {
        if !self.reserve(0) {
            return;
        }
        let number = self.count.fetch_add(1, Relaxed);
        let Some(chunk) = self.nodes.get(number / CHUNK) else { return };
        let chunk = chunk.get_or_init(|| (0..CHUNK).map(|_| OnceLock::new()).collect());
        chunk[number % CHUNK].set(Node::new(judged)).ok();
        if edge.child.compare_exchange(NONE, number as u32, AcqRel, Acquire).is_err()
            && let Some(child) = self.child(edge)
        {
            child.add(&judged.values);
        }
    }

    /// Goes through one of the ways on.
    #[inline]
    pub(super) fn visit(edge: &Edge) {
        edge.visits.fetch_add(1, Relaxed);
    }

    /// Tells all nodes on the path how the simulation came out.
    pub(super) fn learn(&self, path: &[(&Node, &Edge)], last: Option<&Node>, mut values: Values, mut is_decided: bool) {
        if let Some(last) = last {
            last.add(&values);
        }
        for (node, edge) in path.iter().rev() {
            let seat = node.seat.index();
            edge.sum.add(values[seat]);
            if is_decided {
                edge.decide(values[seat]);
                if let Some(result) = self.proof(node, &values) {
                    values = result;
                    node.decide(values);
                } else {
                    is_decided = false;
                }
            }
            node.add(&values);
        }
    }

    /// What is proven at a node now that one of its ways on is decided with these values.
    ///
    /// The seat that decides takes a win, or else the best that there is. Where that is the same to it but not to the
    /// others, as it may be with three sides, nothing is proven: nobody chooses for it.
    fn proof(&self, node: &Node, values: &Values) -> Option<Values> {
        if node.is_shared {
            return None;
        }
        let seat = node.seat.index();
        if values[seat] >= 1.0 {
            return Some(*values);
        }
        if !node.is_complete() || node.edges().any(|edge| !edge.is_decided()) {
            return None;
        }
        let same = |a: &Values, b: &Values| a.iter().zip(b).all(|(a, b)| a.total_cmp(b).is_eq());
        let results = || node.edges().map(|edge| self.child(edge).and_then(Node::result));
        let best = results().flatten().max_by(|a, b| a[seat].total_cmp(&b[seat]))?;
        let is_certain = |result: Option<&Values>| result.is_some_and(|it| it[seat] < best[seat] || same(it, best));
        results().all(is_certain).then_some(*best)
    }

    /// How the game goes on from a node.
    pub(super) fn extend_line<'t>(&'t self, mut node: &'t Node, line: &mut Vec<Step<Action>>) {
        while let Some(edge) = node.best() {
            if let Arm::Act(action) = edge.arm {
                line.push(Step { by: Actor::Seat(node.seat), action });
            }
            let Some(child) = self.child(edge) else { break };
            node = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use quincunx_games::mod_x::Square;

    use super::*;

    const WON: [Values; 3] = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

    fn judged(seat: u8, result: Option<Values>) -> Judged {
        let values = result.unwrap_or([0.4, 0.3, 0.3, 0.0]);
        Judged { seat: Seat::new(seat), values, is_decided: result.is_some(), is_shared: false }
    }

    /// A tree of a root at which a seat decides between positions with these results, all of them visited once.
    fn tree(seat: u8, results: &[Option<Values>], is_complete: bool) -> Tree {
        let tree = Tree::new(&judged(seat, None), 1.0 / 3.0, 1 << 20);
        let square = |number: usize| Arm::Act(Action::Place(Square::from_index(number)));
        let edges = (0..results.len()).map(|number| Edge::new(square(number), 0.5)).collect();
        tree.root.set_ways(edges, is_complete);
        for (edge, &result) in tree.root.edges().zip(results) {
            let child = judged(0, result);
            Tree::visit(edge);
            tree.add_child(edge, &child);
            tree.learn(&[(&tree.root, edge)], None, child.values, child.is_decided);
        }
        tree
    }

    #[test]
    fn who_can_win_does_and_who_has_lost_all_ways_has_lost() {
        assert_eq!(tree(0, &[None, Some(WON[0])], true).root.result(), Some(&WON[0]));
        assert_eq!(tree(0, &[Some(WON[1]), Some(WON[1])], true).root.result(), Some(&WON[1]));
        assert_eq!(tree(0, &[Some(WON[1]), None], true).root.result(), None);
    }

    #[test]
    fn nothing_is_proven_by_some_of_the_actions_unless_one_wins() {
        let narrowed = tree(0, &[Some(WON[1]), Some(WON[1])], false);
        assert_eq!(narrowed.root.result(), None);
        assert!(narrowed.root.wants_more(), "the others may be better");
        assert_eq!(tree(0, &[Some(WON[1]), Some(WON[0])], false).root.result(), Some(&WON[0]));
    }

    #[test]
    fn a_narrowed_list_is_not_complete_until_the_rest_is_listed() {
        let candidate = |number| Candidate { action: Action::Place(Square::from_index(number)), prior: 0.2 };
        let candidates: Vec<Candidate> = (0..5).map(candidate).collect();
        let node = Node::new(&judged(0, None));
        node.list(&candidates, 2);
        assert!(!node.is_complete() && node.edges().count() == 2);
        node.list(&candidates, 2);
        assert!(node.is_complete());
        let listed: Vec<Arm> = node.edges().map(|edge| edge.arm).collect();
        assert_eq!(listed, candidates.iter().map(|candidate| Arm::Act(candidate.action)).collect::<Vec<_>>());
        let wide = Node::new(&judged(0, None));
        wide.list(&candidates, 5);
        assert!(wide.is_complete());
    }

    #[test]
    fn of_three_sides_one_that_has_lost_is_not_taken_to_choose_who_wins() {
        assert_eq!(tree(0, &[Some(WON[1]), Some(WON[2])], true).root.result(), None);
        assert_eq!(tree(0, &[Some(WON[2]), Some(WON[1])], true).root.result(), None);
        let draw = [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0];
        let drawn = tree(0, &[Some(WON[1]), Some(draw), Some(WON[2])], true);
        assert_eq!(drawn.root.result(), Some(&draw), "but it prefers a draw");
    }

    #[test]
    fn sums_of_many_outcomes_stay_exact() {
        let sum = Sum::default();
        let outcomes = 30_000_000;
        (0..outcomes).for_each(|_| sum.add(0.7));
        assert!((sum.mean(outcomes) - 0.7).abs() < 1e-6, "{}", sum.mean(outcomes));
    }

    #[test]
    fn all_memory_that_is_allowed_may_be_used_and_none_is_laid_out_before() {
        let memory = 1 << 30;
        let tree = Tree::new(&judged(0, None), 0.5, memory);
        assert!(tree.nodes.iter().all(|chunk| chunk.get().is_none()));
        let edges = memory / size_of::<Edge>();
        assert!(tree.reserve(edges - 10) && !tree.reserve(edges) && tree.reserve(10));
        assert!(tree.nodes.len() * CHUNK * size_of::<OnceLock<Node>>() > memory / 100 * 99);
    }
}
