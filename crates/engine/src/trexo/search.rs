//! The search: a tree that grows where it promises most (PUCT), with a judgement instead of random play at its leaves, and
//! with proofs: what is won, lost or drawn by force is known as such and not visited again.

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use crate::{Control, Progress};

use super::{
    evaluate::{Gains, expectation},
    lines::Lines,
    position::{Position, Tile},
    threats::{Danger, answers},
};

/// What is proven about a node, for the side that laid its tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Open,
    /// Won with this many more tiles at most.
    Won(u8),
    Drawn,
    /// Lost after this many more tiles, if the side holds out.
    Lost(u8),
}

impl Verdict {
    fn value(self) -> Option<f32> {
        match self {
            Self::Open => None,
            Self::Won(_) => Some(1.0),
            Self::Drawn => Some(0.5),
            Self::Lost(_) => Some(0.0),
        }
    }

    /// Proven verdicts in the order of preference: quick wins and slow losses.
    fn rank(self) -> i32 {
        match self {
            Self::Won(tiles) => 1000 - i32::from(tiles),
            Self::Open | Self::Drawn => 0,
            Self::Lost(tiles) => i32::from(tiles) - 1000,
        }
    }
}

/// A position of the tree, by the tile that led to it. All values are for the side that laid it.
#[derive(Clone, Copy, Debug)]
struct Node {
    tile: Tile,
    verdict: Verdict,
    /// Whether only the most promising tiles are among the children.
    narrowed: bool,
    children: u16,
    first_child: u32,
    visits: u32,
    /// The mean outcome.
    mean: f32,
    prior: f32,
}

impl Node {
    fn new(tile: Tile, prior: f32) -> Self {
        let verdict = Verdict::Open;
        Self { tile, verdict, narrowed: false, children: 0, first_child: 0, visits: 0, mean: 0.0, prior }
    }

    /// What the side that laid the tile can expect.
    fn value(&self) -> f32 {
        self.verdict.value().unwrap_or(self.mean)
    }
}

const ROOT: u32 = 0;

// The figures below are from 80 or 100 games each of 600 simulations a tile, before exposed symbols and ripe lines counted:
// give or take 70 Elo, so the smaller ones say no more than that there is nothing to gain nearby.

/// How much a tile that looks good is preferred to one that proved good. 0.4 lost 180 Elo, 1.2 lost 50.
const EXPLORATION: f32 = 0.7;
/// How flat the first guess is: the gain in logits that makes a tile e times as likely. 0.2 lost 40 Elo, 0.6 lost 30.
const TEMPERATURE: f32 = 0.35;
/// A tile that was not tried yet is taken for a little worse than its siblings. 0 lost 60 Elo, 0.2 lost 200.
const UNTRIED: f32 = 0.08;
/// Tiles that are looked at below the root while nothing is at stake. 20 lost 30 Elo.
const WIDTH: usize = 40;
/// How far the looks of a tile are doubted, as a share, by the hands besides the first.
const DOUBT: f32 = 0.5;
/// How many simulations pass between two reports of progress.
const REPORT: u64 = 4096;

/// The memory of a search, kept from one move to the next.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    path: Vec<u32>,
    candidates: Vec<(Tile, f32)>,
}

pub(super) struct Search<'a> {
    tree: Tree,
    root: Position,
    lines: &'a Lines,
    /// Whether the other side may take over this side after its tile: a tile is then worth what the better side leaves.
    swap_follows: bool,
    most_nodes: usize,
    simulations: u64,
    /// A hand that is not the first takes tiles for better or worse than they look: there is no other chance in this search,
    /// and all hands would grow the same tree.
    doubt: Option<Xoshiro256PlusPlus>,
}

impl<'a> Search<'a> {
    /// A search in the memory of an earlier one.
    pub(super) fn new(
        mut tree: Tree,
        root: Position,
        lines: &'a Lines,
        swap_follows: bool,
        control: &Control<'_>,
    ) -> Self {
        tree.nodes.clear();
        tree.nodes.push(Node::new(Tile { x: 0, o: 0 }, 1.0));
        // A vector that grows by doubling may be given twice what it holds.
        let most_nodes = control.budget.memory / (2 * size_of::<Node>());
        let doubt = (control.hand() > 0).then(|| Xoshiro256PlusPlus::seed_from_u64(control.seed));
        Self { tree, root, lines, swap_follows, most_nodes, simulations: 0, doubt }
    }

    /// All legal tiles that are seen, so that every answer is legal. A tile that wins at once needs no search.
    pub(super) fn expand_root(&mut self, sees: impl Fn(Tile) -> bool) {
        let position = self.root.clone();
        self.list_candidates(&position, usize::MAX);
        self.tree.candidates.retain(|&(tile, _)| sees(tile));
        self.adopt(ROOT);
        if let Danger::Wins(tile) = Danger::of(&position)
            && let Some(won) = self.children_of(ROOT).find(|&child| self.tree.nodes[child as usize].tile == tile)
        {
            self.tree.nodes[won as usize].verdict = Verdict::Won(0);
            self.node_mut(ROOT).verdict = Verdict::Lost(1);
        }
    }

    pub(super) fn run(&mut self, control: &Control<'_>) {
        while self.node(ROOT).verdict == Verdict::Open && control.keep_going(self.simulations) {
            self.simulate();
            self.simulations += 1;
            if self.simulations.is_multiple_of(REPORT) {
                self.report(control);
            }
        }
        if self.node(ROOT).verdict != Verdict::Open {
            control.settle();
        }
        self.report(control);
    }

    /// Adds what a search of the same position found out about the next tile.
    pub(super) fn join(&mut self, other: &Self) {
        self.simulations += other.simulations;
        for index in std::iter::once(ROOT).chain(self.children_of(ROOT)) {
            let theirs = *other.node(index);
            let own = self.node_mut(index);
            if own.verdict == Verdict::Open {
                own.verdict = theirs.verdict;
            }
            own.visits += theirs.visits;
            if own.visits > 0 {
                own.mean += (theirs.mean - own.mean) * theirs.visits as f32 / own.visits as f32;
            }
        }
    }

    /// The memory, for the next search.
    pub(super) fn into_tree(self) -> Tree {
        self.tree
    }

    fn report(&self, control: &Control<'_>) {
        let value = self.value();
        control.report(Progress { nodes: self.simulations, depth: self.line().len() as u32, value });
    }

    pub(super) fn simulations(&self) -> u64 {
        self.simulations
    }

    fn node(&self, index: u32) -> &Node {
        &self.tree.nodes[index as usize]
    }

    fn node_mut(&mut self, index: u32) -> &mut Node {
        &mut self.tree.nodes[index as usize]
    }

    fn children_of(&self, index: u32) -> std::ops::Range<u32> {
        let node = self.node(index);
        node.first_child..node.first_child + u32::from(node.children)
    }

    /// Walks down to a new or a decided node and tells all nodes on the way what it is worth.
    fn simulate(&mut self) {
        let mut position = self.root.clone();
        let mut index = ROOT;
        self.tree.path.clear();
        self.tree.path.push(ROOT);
        let value = loop {
            let node = self.node(index);
            if let Some(value) = node.verdict.value() {
                break value;
            }
            if node.visits == 0 && index != ROOT {
                break self.judge(index, &position);
            }
            if node.children == 0 && !self.expand(index, &position) {
                break self.node(index).value();
            }
            index = self.select(index);
            position.lay(self.node(index).tile, self.lines);
            self.tree.path.push(index);
        };
        self.back_up(value);
    }

    /// Looks at a new node for the first time: proves what can be seen at once, and judges the rest.
    fn judge(&mut self, index: u32, position: &Position) -> f32 {
        let verdict = verdict_at_once(position, self.lines);
        self.node_mut(index).verdict = verdict;
        verdict.value().unwrap_or_else(|| 1.0 - expectation(position))
    }

    /// Gives a node its children, unless there is no memory left.
    fn expand(&mut self, index: u32, position: &Position) -> bool {
        match Danger::of(position) {
            Danger::Threatened(threat) => {
                let gains = Gains::of(position, self.lines);
                self.tree.candidates.clear();
                let tiles = answers(position, threat, self.lines).map(|tile| (tile, gains.by(tile)));
                self.tree.candidates.extend(tiles);
            }
            Danger::None | Danger::Wins(_) => {
                // A node that was narrowed before comes back when that was not enough.
                let width = if self.node(index).narrowed { usize::MAX } else { WIDTH };
                let narrowed = self.list_candidates(position, width);
                self.node_mut(index).narrowed = narrowed;
            }
        }
        self.adopt(index)
    }

    /// Lists the tiles with the largest gains, up to `width`, and tells whether there are more.
    fn list_candidates(&mut self, position: &Position, width: usize) -> bool {
        let gains = Gains::of(position, self.lines);
        let candidates = &mut self.tree.candidates;
        candidates.clear();
        candidates.extend(position.tiles().map(|tile| (tile, gains.by(tile))));
        let narrowed = candidates.len() > width;
        if narrowed {
            candidates.select_nth_unstable_by(width, |a, b| b.1.total_cmp(&a.1));
            candidates.truncate(width);
        }
        narrowed
    }

    /// Makes the candidates children of a node, with a first guess at how good they are from their gains.
    fn adopt(&mut self, index: u32) -> bool {
        let Tree { nodes, candidates, .. } = &mut self.tree;
        // The root needs its children whatever the budget.
        if index != ROOT && nodes.len() + candidates.len() > self.most_nodes {
            return false;
        }
        let best = candidates.iter().map(|&(_, gain)| gain).fold(f32::MIN, f32::max);
        for (_, gain) in candidates.iter_mut() {
            *gain = ((*gain - best) / TEMPERATURE).exp();
            if let Some(rng) = &mut self.doubt {
                *gain *= 1.0 + DOUBT * (rng.random::<f32>() - 0.5);
            }
        }
        let total: f32 = candidates.iter().map(|&(_, weight)| weight).sum();
        let first_child = nodes.len() as u32;
        nodes.extend(candidates.iter().map(|&(tile, weight)| Node::new(tile, weight / total)));
        let node = &mut nodes[index as usize];
        node.first_child = first_child;
        node.children = candidates.len() as u16;
        true
    }

    /// The child to look at next.
    fn select(&self, index: u32) -> u32 {
        let parent = self.node(index);
        let at_root = index == ROOT;
        let urge = EXPLORATION * (parent.visits as f32).sqrt();
        // At the root everything is tried once: what wins or loses within three tiles is seen.
        let untried = if at_root { 2.0 } else { 1.0 - parent.mean - UNTRIED };
        let score = |child: &Node| {
            if matches!(child.verdict, Verdict::Lost(_)) {
                return f32::MIN;
            }
            let value = if child.visits == 0 { untried } else { self.worth_of_child(child, at_root) };
            value + urge * child.prior / (1.0 + child.visits as f32)
        };
        let range = self.children_of(index);
        let mut best = (range.start, f32::MIN);
        for child in range {
            let score = score(self.node(child));
            if score > best.1 {
                best = (child, score);
            }
        }
        best.0
    }

    /// What a child is worth to the side that chooses it.
    fn worth_of_child(&self, child: &Node, at_root: bool) -> f32 {
        let value = child.value();
        if at_root && self.swap_follows { value.min(1.0 - value) } else { value }
    }

    fn back_up(&mut self, mut value: f32) {
        let mut child_decided = false;
        for i in (0..self.tree.path.len()).rev() {
            let index = self.tree.path[i];
            if child_decided && self.node(index).verdict == Verdict::Open {
                let verdict = self.verdict_from_children(index);
                self.node_mut(index).verdict = verdict;
                value = verdict.value().unwrap_or(value);
            }
            let node = self.node_mut(index);
            child_decided = node.verdict != Verdict::Open;
            node.visits += 1;
            node.mean += (value - node.mean) / node.visits as f32;
            value = 1.0 - value;
        }
    }

    /// What the children prove about a node. If all of the most promising tiles lose, the others get their turn.
    fn verdict_from_children(&mut self, index: u32) -> Verdict {
        if index == ROOT && self.swap_follows {
            return Verdict::Open;
        }
        let mut longest = 0;
        let mut drawn = false;
        let mut open = false;
        for child in self.children_of(index) {
            match self.node(child).verdict {
                Verdict::Won(tiles) => return Verdict::Lost(tiles.saturating_add(1)),
                Verdict::Lost(tiles) => longest = longest.max(tiles),
                Verdict::Drawn => drawn = true,
                Verdict::Open => open = true,
            }
        }
        let node = self.node_mut(index);
        if open {
            Verdict::Open
        } else if node.narrowed {
            node.children = 0;
            Verdict::Open
        } else if drawn {
            Verdict::Drawn
        } else {
            Verdict::Won(longest.saturating_add(1))
        }
    }

    /// What the side to move can expect.
    pub(super) fn value(&self) -> f32 {
        let best = self.best_child(ROOT).expect("only positions with a legal tile are searched");
        let best = self.node(best);
        // A tile that was never looked at says nothing.
        if best.visits == 0 && best.verdict == Verdict::Open { 0.5 } else { self.worth_of_child(best, true) }
    }

    /// The child that is proven best, or else the one that was visited most.
    fn best_child(&self, index: u32) -> Option<u32> {
        let better = |&a: &u32, &b: &u32| {
            let (a, b) = (self.node(a), self.node(b));
            let proven = a.verdict.rank().cmp(&b.verdict.rank());
            proven.then(a.visits.cmp(&b.visits)).then(a.prior.total_cmp(&b.prior))
        };
        self.children_of(index).max_by(better)
    }

    /// The expected line from the root.
    pub(super) fn line(&self) -> Vec<Tile> {
        let next = |&index: &u32| self.best_child(index).filter(|&child| self.node(child).visits > 0);
        let indices = std::iter::successors(self.best_child(ROOT), next);
        indices.map(|index| self.node(index).tile).collect()
    }
}

/// What is proven about a position without looking further than the next two tiles, for the side that is not to move.
fn verdict_at_once(position: &Position, lines: &Lines) -> Verdict {
    let to_move = position.to_move();
    if position.has_five(to_move) {
        return Verdict::Lost(0);
    }
    if position.has_five(to_move.other()) {
        return Verdict::Won(0);
    }
    if position.tiles_left() == 0 || !position.has_place() {
        return Verdict::Drawn;
    }
    match Danger::of(position) {
        Danger::Wins(_) => Verdict::Lost(1),
        Danger::Threatened(threat) if answers(position, threat, lines).next().is_none() => Verdict::Won(2),
        Danger::Threatened(_) | Danger::None => Verdict::Open,
    }
}
