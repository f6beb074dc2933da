//! The tree of a search: what is known about each position that was looked at, where to look next, and what follows from what
//! was seen there.
//!
//! All hands of a search share one tree without a lock. What a node says about its children and about its outcome is one atomic
//! word, and what is proven never changes, so a proof is right whatever other hands do meanwhile: it rests on one state of
//! that word and on the verdicts of the children that it names. A hand with a list of children that another hand has made out of
//! date does not get it in.

use std::sync::{
    OnceLock,
    atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering},
};

use super::position::Tile;
use crate::math::exp;

#[cfg(test)]
mod tests;

/// What is proven about a node, for the side that laid its tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Open,
    /// Won with this many more tiles at most.
    Won(u8),
    Drawn,
    /// Lost after this many more tiles, if the side holds out.
    Lost(u8),
}

impl Verdict {
    pub(super) fn value(self) -> Option<f32> {
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

    fn to_bits(self) -> u16 {
        match self {
            Self::Open => 0,
            Self::Won(tiles) => 0x100 | u16::from(tiles),
            Self::Drawn => 0x200,
            Self::Lost(tiles) => 0x300 | u16::from(tiles),
        }
    }

    #[inline]
    fn from_bits(bits: u16) -> Self {
        let tiles = bits as u8;
        match bits >> 8 {
            0 => Self::Open,
            1 => Self::Won(tiles),
            2 => Self::Drawn,
            _ => Self::Lost(tiles),
        }
    }
}

/// The children of a node and what is proven about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Status {
    first_child: u32,
    children: u16,
    /// Whether only the most promising tiles are among the children. Without children: they were, and all of them were in vain.
    narrowed: bool,
    verdict: Verdict,
}

impl Status {
    const NARROWED: u16 = 1 << 15;

    fn to_bits(self) -> u64 {
        let narrowed = if self.narrowed { Self::NARROWED } else { 0 };
        u64::from(self.first_child)
            | u64::from(self.children | narrowed) << 32
            | u64::from(self.verdict.to_bits()) << 48
    }

    #[inline]
    fn from_bits(bits: u64) -> Self {
        let children = (bits >> 32) as u16;
        Self {
            first_child: bits as u32,
            children: children & !Self::NARROWED,
            narrowed: children & Self::NARROWED != 0,
            verdict: Verdict::from_bits((bits >> 48) as u16),
        }
    }
}

/// How often a node was visited, and the mean outcome for the side that laid its tile.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Record {
    visits: u32,
    mean: f32,
}

impl Record {
    fn to_bits(self) -> u64 {
        u64::from(self.visits) | u64::from(self.mean.to_bits()) << 32
    }

    #[inline]
    fn from_bits(bits: u64) -> Self {
        Self { visits: bits as u32, mean: f32::from_bits((bits >> 32) as u32) }
    }
}

/// A position of the tree, by the tile that led to it.
#[derive(Debug, Default)]
struct Node {
    /// A [`Record`].
    record: AtomicU64,
    /// A [`Status`].
    status: AtomicU64,
    /// How likely the tile is to be the best one at first guess.
    prior: AtomicU32,
    /// Its squares.
    tile: AtomicU16,
    /// How many hands are on their way through here.
    pending: AtomicU8,
}

impl Node {
    /// Makes it a node that was not looked at. Hands see all of this as they see the status of its parent that names it.
    fn begin(&self, tile: Tile, prior: f32) {
        self.record.store(0, Ordering::Relaxed);
        self.status.store(0, Ordering::Relaxed);
        self.prior.store(prior.to_bits(), Ordering::Relaxed);
        self.tile.store(u16::from_le_bytes([tile.x, tile.o]), Ordering::Relaxed);
        self.pending.store(0, Ordering::Relaxed);
    }

    #[inline]
    fn record(&self) -> Record {
        Record::from_bits(self.record.load(Ordering::Relaxed))
    }

    #[inline]
    fn status(&self) -> Status {
        Status::from_bits(self.status.load(Ordering::Acquire))
    }

    #[inline]
    fn verdict(&self) -> Verdict {
        self.status().verdict
    }

    #[inline]
    fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Ordering::Relaxed))
    }

    fn tile(&self) -> Tile {
        let [x, o] = self.tile.load(Ordering::Relaxed).to_le_bytes();
        Tile { x, o }
    }

    /// Changes the status if it is still as it was seen.
    fn change(&self, seen: Status, status: Status) -> bool {
        let changed =
            self.status.compare_exchange(seen.to_bits(), status.to_bits(), Ordering::AcqRel, Ordering::Relaxed);
        changed.is_ok()
    }

    /// Notes a verdict, unless one is known.
    fn decide(&self, verdict: Verdict) {
        let mut seen = self.status();
        while seen.verdict == Verdict::Open && !self.change(seen, Status { verdict, ..seen }) {
            seen = self.status();
        }
    }

    /// What the side that laid the tile can expect.
    fn value(&self) -> f32 {
        self.verdict().value().unwrap_or_else(|| self.record().mean)
    }

    fn count(&self, value: f32) {
        let counted = |bits: u64| {
            let Record { visits, mean } = Record::from_bits(bits);
            let visits = visits + 1;
            Some(Record { visits, mean: mean + (value - mean) / visits as f32 }.to_bits())
        };
        self.record.try_update(Ordering::Relaxed, Ordering::Relaxed, counted).expect("it always gives something");
    }
}

const ROOT: u32 = 0;

// The figures below are from 80 or 100 games each of 600 simulations a tile, before exposed symbols and ripe lines counted:
// give or take 70 Elo, so the smaller ones say no more than that there is nothing to gain nearby.

/// How much a tile that looks good is preferred to one that proved good. 0.4 lost 180 Elo, 1.2 lost 50.
const EXPLORATION: f32 = 0.7;
/// How flat the first guess is: the gain in thousandths of a logit that makes a tile e times as likely. 200 lost 40 Elo, 600
/// lost 30.
const TEMPERATURE: f32 = 350.0;
/// A tile that was not tried yet is taken for a little worse than its siblings. 0 lost 60 Elo, 0.2 lost 200.
const UNTRIED: f32 = 0.08;
/// One of so many simulations is about a tile that somebody asks about.
const ASKED_SHARE: u64 = 4;

/// Nodes that are allocated at once. The children of a node lie side by side in one such chunk.
const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = 10;

/// A tile that may be laid, with its gain at first guess in thousandths of a logit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    pub(super) tile: Tile,
    pub(super) gain: i32,
}

/// What is known of a tile at the root before the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Judged {
    pub(super) tile: Tile,
    pub(super) gain: i32,
    pub(super) verdict: Verdict,
    /// What it promises at a glance, before anybody has answered.
    pub(super) glance: f32,
}

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Task {
    /// Whether the other side may take over this side after its tile: a tile is then worth what the better side leaves.
    pub(super) swap_follows: bool,
    /// Whether other tiles than the best one matter as well, also if that one wins.
    pub(super) all_tiles: bool,
    /// A tile that somebody asks about.
    pub(super) asked: Option<Tile>,
}

/// The memory of a search, kept from one move to the next.
#[derive(Debug, Default)]
pub(super) struct Tree {
    chunks: Vec<OnceLock<Box<[Node]>>>,
    /// Nodes in use, or left over at the end of a chunk.
    used: AtomicU32,
    most_nodes: u32,
    task: Task,
    asked: Option<u32>,
    /// Whether there are several hands.
    shared: bool,
    glances: Vec<f32>,
}

/// A way from the root, one node after the other, and the tiles on it.
#[derive(Debug, Default)]
pub(super) struct Path {
    nodes: Vec<u32>,
    pub(super) tiles: Vec<Tile>,
}

/// Where a walk down the tree ends.
#[derive(PartialEq, Debug)]
pub(super) enum Reached {
    /// At a node whose value is known.
    Value(f32),
    /// At a node that was never looked at.
    New,
    /// At a node without children.
    Bare(Bare),
}

/// The state of a node without children: of its tiles the most promising were looked at before, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bare {
    seen: Status,
}

impl Bare {
    pub(super) fn narrowed_before(self) -> bool {
        self.seen.narrowed
    }
}

impl Tree {
    /// Begins a new search that may use this much memory, with all tiles that may be laid.
    pub(super) fn begin(&mut self, task: Task, judged: &mut [Judged], memory: usize, shared: bool) {
        let most_chunks = (memory / (size_of::<Node>() * CHUNK)).clamp(1, (u32::MAX >> CHUNK_BITS) as usize);
        self.most_nodes = (memory / size_of::<Node>()).clamp(1, most_chunks * CHUNK) as u32;
        self.chunks.resize_with(most_chunks, OnceLock::new);
        self.used = AtomicU32::new(1);
        self.task = task;
        self.shared = shared;
        self.node(ROOT).begin(Tile { x: 0, o: 0 }, 1.0);

        judged.sort_unstable_by_key(|judged| std::cmp::Reverse(sort_key(judged.tile, judged.gain)));
        // What loses at once takes nothing away from the answers that there are.
        let weigh = |judged: &Judged| !matches!(judged.verdict, Verdict::Lost(_));
        let best = judged.iter().filter(|judged| weigh(judged)).map(|judged| judged.gain).max().unwrap_or(i32::MAX);
        let weight = |judged: &Judged| if weigh(judged) { weight(judged.gain, best) } else { 0.0 };
        let total = judged.iter().map(weight).sum::<f32>().max(f32::MIN_POSITIVE);
        let first_child = self.take(judged.len(), CHUNK as u32).expect("the root has its children whatever the budget");
        for (child, judged) in (first_child..).zip(&*judged) {
            let node = self.node(child);
            node.begin(judged.tile, weight(judged) / total);
            // A glance is as good as a first visit.
            node.count(judged.verdict.value().unwrap_or(judged.glance));
            node.decide(judged.verdict);
        }
        let status = Status { first_child, children: judged.len() as u16, narrowed: false, verdict: Verdict::Open };
        let root = self.node(ROOT);
        root.status.store(status.to_bits(), Ordering::Release);
        root.record.store(Record { visits: judged.len() as u32, mean: 0.5 }.to_bits(), Ordering::Relaxed);
        root.decide(self.verdict_from_children(ROOT));
        self.asked = self.children_of(ROOT).find(|&child| Some(self.node(child).tile()) == task.asked);
        self.glances.clear();
        self.glances.extend(judged.iter().map(|judged| judged.glance));
    }

    /// Whether there is nothing left to find out.
    pub(super) fn is_done(&self) -> bool {
        let is_open = |child: u32| self.node(child).verdict() == Verdict::Open;
        self.node(ROOT).verdict() != Verdict::Open
            && !self.asked.is_some_and(is_open)
            && !(self.task.all_tiles && self.children_of(ROOT).any(is_open))
    }

    pub(super) fn simulations(&self) -> u64 {
        (self.node(ROOT).record().visits - u32::from(self.node(ROOT).status().children)).into()
    }

    #[inline]
    fn node(&self, index: u32) -> &Node {
        &self.chunk(index)[index as usize % CHUNK]
    }

    #[inline]
    fn chunk(&self, index: u32) -> &[Node] {
        let chunk = &self.chunks[(index >> CHUNK_BITS) as usize];
        chunk.get_or_init(|| std::iter::repeat_with(Node::default).take(CHUNK).collect())
    }

    /// The children that a status names.
    #[inline]
    fn nodes_of(&self, status: Status) -> &[Node] {
        let first = status.first_child;
        &self.chunk(first)[first as usize % CHUNK..][..status.children as usize]
    }

    fn children_of(&self, index: u32) -> std::ops::Range<u32> {
        let status = self.node(index).status();
        status.first_child..status.first_child + u32::from(status.children)
    }

    /// Room for so many nodes side by side, as long as no more than `most` nodes are in use.
    fn take(&self, count: usize, most: u32) -> Option<u32> {
        let start = |used: u32| {
            let left = CHUNK - used as usize % CHUNK;
            if count > left { used + left as u32 } else { used }
        };
        let take = |used: u32| Some(start(used) + count as u32).filter(|&after| after <= most);
        self.used.try_update(Ordering::Relaxed, Ordering::Relaxed, take).ok().map(start)
    }

    /// Goes on to a node that is new, decided or without children, from the end of the path or, if it is empty, from the root.
    pub(super) fn descend(&self, path: &mut Path) -> Reached {
        let mut index = path.nodes.last().copied().unwrap_or(ROOT);
        if path.nodes.is_empty() {
            path.nodes.push(ROOT);
        }
        let mut node = self.node(index);
        loop {
            let status = node.status();
            if index != ROOT {
                if let Some(value) = status.verdict.value() {
                    return Reached::Value(value);
                }
                if node.record().visits == 0 {
                    return Reached::New;
                }
            }
            if status.children == 0 {
                return Reached::Bare(Bare { seen: status });
            }
            index = if index == ROOT { self.select_at_root() } else { self.select(node.record(), status) };
            node = self.node(index);
            if self.shared {
                node.pending.fetch_add(1, Ordering::Relaxed);
            }
            path.nodes.push(index);
            path.tiles.push(node.tile());
        }
    }

    /// Gives the node at the end of the path its children and goes on; without memory for them, its value has to do. They are
    /// sorted, most promising first.
    pub(super) fn grow(&self, path: &mut Path, bare: Bare, candidates: &[Candidate], narrowed: bool) -> Reached {
        let index = *path.nodes.last().expect("it begins at the root");
        let node = self.node(index);
        // Another hand may have been quicker.
        if node.status() == bare.seen {
            let Some(first_child) = self.take(candidates.len(), self.most_nodes) else {
                return Reached::Value(node.value());
            };
            let status = Status { first_child, children: candidates.len() as u16, narrowed, verdict: Verdict::Open };
            let children = self.nodes_of(status);
            let best = candidates[0].gain;
            let mut total = 0.0;
            for (child, &Candidate { tile, gain }) in children.iter().zip(candidates) {
                let weight = weight(gain, best);
                child.begin(tile, weight);
                total += weight;
            }
            for child in children {
                child.prior.store((child.prior() / total).to_bits(), Ordering::Relaxed);
            }
            node.change(bare.seen, status);
        }
        self.descend(path)
    }

    /// The child of the root to look at next.
    fn select_at_root(&self) -> u32 {
        let root = self.node(ROOT);
        let is_decided = root.verdict() != Verdict::Open;
        if let Some(asked) = self.asked {
            let node = self.node(asked);
            // The first visit was the glance.
            let had_its_share = u64::from(node.record().visits - 1) * ASKED_SHARE > self.simulations();
            let is_all_that_is_left = is_decided && !self.task.all_tiles;
            if node.verdict() == Verdict::Open && (is_all_that_is_left || !had_its_share) {
                return asked;
            }
        }
        let urge = EXPLORATION * (root.record().visits as f32).sqrt();
        let score = |child: &Node| {
            let verdict = child.verdict();
            if matches!(verdict, Verdict::Lost(_)) || is_decided && verdict != Verdict::Open {
                return f32::MIN;
            }
            let Record { visits, mean } = child.record();
            let value = self.worth_at_root(verdict.value().unwrap_or(mean));
            score(value, visits, child.pending.load(Ordering::Relaxed), urge * child.prior())
        };
        let status = root.status();
        let mut best = (0, f32::MIN);
        for (place, child) in (0..).zip(self.nodes_of(status)) {
            let score = score(child);
            if score > best.1 {
                best = (place, score);
            }
        }
        status.first_child + best.0
    }

    /// The child to look at next below the root.
    #[inline]
    fn select(&self, parent: Record, status: Status) -> u32 {
        let urge = EXPLORATION * (parent.visits as f32).sqrt();
        let untried = 1.0 - parent.mean - UNTRIED;
        let mut best = (0, f32::MIN);
        for (place, child) in (0..).zip(self.nodes_of(status)) {
            let Record { visits, mean } = child.record();
            let pending = child.pending.load(Ordering::Relaxed);
            if visits == 0 && pending == 0 {
                // Of those that nobody has tried the first one is the most promising, and none after it was tried either.
                if untried + urge * child.prior() > best.1 {
                    best.0 = place;
                }
                break;
            }
            let verdict = child.verdict();
            if matches!(verdict, Verdict::Lost(_)) {
                continue;
            }
            let value = if visits == 0 { untried } else { verdict.value().unwrap_or(mean) };
            let score = score(value, visits, pending, urge * child.prior());
            if score > best.1 {
                best = (place, score);
            }
        }
        status.first_child + best.0
    }

    /// What a child of the root is worth to the side that chooses it, if it has this value on the board.
    fn worth_at_root(&self, value: f32) -> f32 {
        if self.task.swap_follows { value.min(1.0 - value) } else { value }
    }

    /// Notes what was proven about the new node at the end of the path.
    pub(super) fn prove(&self, path: &Path, verdict: Verdict) {
        let index = *path.nodes.last().expect("it begins at the root");
        self.node(index).decide(verdict);
    }

    /// Tells all nodes on the path what its end is worth, and empties it.
    pub(super) fn back_up(&self, path: &mut Path, mut value: f32) {
        let mut child_decided = false;
        for &index in path.nodes.iter().rev() {
            let node = self.node(index);
            if child_decided && node.verdict() == Verdict::Open {
                node.decide(self.verdict_from_children(index));
                value = node.verdict().value().unwrap_or(value);
            }
            child_decided = node.verdict() != Verdict::Open;
            if self.shared && index != ROOT {
                node.pending.fetch_sub(1, Ordering::Relaxed);
            }
            node.count(value);
            value = 1.0 - value;
        }
        path.nodes.clear();
        path.tiles.clear();
    }

    /// What the children prove about a node. If all of the most promising tiles lose, the others get their turn.
    fn verdict_from_children(&self, index: u32) -> Verdict {
        if index == ROOT && self.task.swap_follows {
            return Verdict::Open;
        }
        let node = self.node(index);
        let seen = node.status();
        if seen.children == 0 {
            return Verdict::Open;
        }
        let mut longest = 0;
        let mut drawn = false;
        let mut open = false;
        for child in self.nodes_of(seen) {
            match child.verdict() {
                Verdict::Won(tiles) => return Verdict::Lost(tiles.saturating_add(1)),
                Verdict::Lost(tiles) => longest = longest.max(tiles),
                Verdict::Drawn => drawn = true,
                Verdict::Open => open = true,
            }
        }
        if open {
            Verdict::Open
        } else if seen.narrowed {
            // If this fails, another hand has done it or knows more.
            node.change(seen, Status { first_child: 0, children: 0, ..seen });
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
        self.worth_at_root(self.node(best).value())
    }

    /// Children in the order of preference: those proven best, then those visited most.
    fn compare(&self, a: u32, b: u32, at_root: bool) -> std::cmp::Ordering {
        let rank = |node: &Node| match node.verdict() {
            // The other side takes it over.
            Verdict::Won(tiles) if at_root && self.task.swap_follows => Verdict::Lost(tiles).rank(),
            verdict => verdict.rank(),
        };
        let value = |node: &Node| if at_root { self.worth_at_root(node.value()) } else { node.value() };
        let (first, second) = (self.node(a), self.node(b));
        let by_rank = rank(second).cmp(&rank(first));
        let by_visits = || second.record().visits.cmp(&first.record().visits);
        let by_value = || value(second).total_cmp(&value(first));
        let by_prior = || second.prior().total_cmp(&first.prior());
        by_rank.then_with(by_visits).then_with(by_value).then_with(by_prior).then(a.cmp(&b))
    }

    fn best_child(&self, index: u32) -> Option<u32> {
        self.children_of(index).min_by(|&a, &b| self.compare(a, b, index == ROOT))
    }

    /// How many tiles ahead the expected line looks.
    pub(super) fn depth(&self) -> usize {
        self.best_child(ROOT).map_or(0, |best| self.line_from(best).len())
    }

    /// The expected line, beginning with a child.
    fn line_from(&self, child: u32) -> Vec<Tile> {
        let next = |&index: &u32| self.best_child(index).filter(|&child| self.node(child).record().visits > 0);
        std::iter::successors(Some(child), next).map(|index| self.node(index).tile()).collect()
    }

    /// So many tiles that the side to move can lay, best first, and the one that is asked about.
    pub(super) fn tried(&self, count: usize) -> Vec<Tried> {
        let mut ranked: Vec<u32> = self.children_of(ROOT).collect();
        ranked.sort_unstable_by(|&a, &b| self.compare(a, b, true));
        let shown = ranked.into_iter().enumerate().filter(|&(place, child)| place < count || Some(child) == self.asked);
        let first_child = self.children_of(ROOT).start;
        let tried = shown.map(|(_, child)| {
            let node = self.node(child);
            Tried {
                value: self.worth_at_root(node.value()),
                verdict: node.verdict(),
                visits: node.record().visits - 1,
                line: self.line_from(child),
                taken_over: self.task.swap_follows && node.value() > 0.5,
                glance: self.glances[(child - first_child) as usize],
            }
        });
        tried.collect()
    }
}

/// What a search knows about a tile at its root.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tried {
    /// What the side that lays it can expect.
    pub(super) value: f32,
    /// What is proven about it on the board.
    pub(super) verdict: Verdict,
    pub(super) visits: u32,
    /// How the game is expected to go on, beginning with the tile.
    pub(super) line: Vec<Tile>,
    /// Whether the other side swaps after it.
    pub(super) taken_over: bool,
    pub(super) glance: f32,
}

/// How much a child calls for a visit. Where other hands are at work is taken for lost until they are back, so that not all
/// go the same way.
#[inline]
fn score(value: f32, visits: u32, pending: u8, urge: f32) -> f32 {
    if pending == 0 {
        return value + urge / (1.0 + visits as f32);
    }
    let tries = (visits + u32::from(pending)) as f32;
    value * visits as f32 / tries + urge / (1.0 + tries)
}

/// A first guess at how likely a tile is the best one, before all are made to sum up to one.
fn weight(gain: i32, best: i32) -> f32 {
    exp((gain - best) as f32 / TEMPERATURE)
}

/// Sorts tiles by their gain, and those with the same gain always the same way.
#[inline]
pub(super) fn sort_key(tile: Tile, gain: i32) -> u64 {
    // Moved so that the order of the numbers is that of their bits.
    let gain = gain.wrapping_sub(i32::MIN) as u32;
    u64::from(gain) << 16 | u64::from(!u16::from_be_bytes([tile.x, tile.o]))
}
