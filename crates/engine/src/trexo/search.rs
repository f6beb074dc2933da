//! PUCT with first-play urgency and virtual loss: a tree that grows where it promises most, with a judgement instead of random
//! play at its leaves, and with proofs: what is won, lost or drawn by force is known as such and not visited again.
//!
//! All hands grow one tree: trees of their own, added up at the end, won 45 % of 100 games against a single hand with half of
//! the nodes.

use crate::{Control, Progress};

use super::{
    evaluate::{Gains, expectation},
    lines::Lines,
    position::{Position, Tile},
    threats::{Danger, answers},
    tree::{Candidate, Judged, Path, Reached, Tree, Verdict, sort_key},
};

/// The width of a search, if nothing else is to be tested. 20 lost 30 Elo.
pub(super) const WIDTH: usize = 40;
/// How many simulations pass between two reports of progress.
const REPORT: u64 = 4096;

/// What a hand needs for its way through the tree.
#[derive(Debug, Default)]
pub(super) struct Walk {
    path: Path,
    candidates: Vec<Candidate>,
}

pub(super) struct Search<'a> {
    pub(super) tree: &'a Tree,
    pub(super) root: &'a Position,
    pub(super) lines: &'a Lines,
    /// How many tiles are looked at below the root at first while nothing is at stake.
    pub(super) width: usize,
}

impl Search<'_> {
    /// The work of one hand.
    pub(super) fn run(&self, walk: &mut Walk, control: &Control<'_>) {
        let mut simulations = 0;
        let report = || {
            let (nodes, depth, value) = (self.tree.simulations(), self.tree.depth() as u32, self.tree.value());
            control.report(Progress { nodes, depth, value });
        };
        while control.keep_going(simulations) && !self.tree.is_done() {
            self.simulate(walk);
            simulations += 1;
            if control.hand() == 0 && simulations.is_multiple_of(REPORT) {
                report();
            }
        }
        if control.hand() == 0 {
            report();
        }
    }

    /// Walks down to a new or a decided node and tells all nodes on the way what it is worth.
    fn simulate(&self, walk: &mut Walk) {
        let Walk { path, candidates } = walk;
        let mut reached = self.tree.descend(path);
        let mut position = self.root.clone();
        let mut laid = 0;
        let value = loop {
            for &tile in &path.tiles[laid..] {
                position.lay(tile, self.lines);
            }
            laid = path.tiles.len();
            match reached {
                Reached::Value(value) => break value,
                Reached::New => {
                    let verdict = verdict_at_once(&position, self.lines);
                    self.tree.prove(path, verdict);
                    break verdict.value().unwrap_or_else(|| 1.0 - expectation(&position, self.lines));
                }
                Reached::Bare(bare) => {
                    let narrowed = self.list_children(&position, bare.narrowed_before(), candidates);
                    reached = self.tree.grow(path, bare, candidates, narrowed);
                }
            }
        };
        self.tree.back_up(path, value);
    }

    /// Lists the tiles to look at, most promising first, and tells whether there are more.
    fn list_children(&self, position: &Position, narrowed_before: bool, out: &mut Vec<Candidate>) -> bool {
        let gains = Gains::of(position, self.lines);
        let candidate = |tile: Tile| Candidate { tile, gain: gains.by(tile) };
        // A node that was narrowed before comes back when that was not enough.
        let mut width = if narrowed_before { usize::MAX } else { self.width };
        out.clear();
        if let Danger::Threatened(threat) = Danger::of(position) {
            // All others lose.
            out.extend(answers(position, threat, self.lines).map(candidate));
            width = usize::MAX;
        } else {
            out.extend(position.tiles().map(candidate));
        }
        let key = |candidate: &Candidate| std::cmp::Reverse(sort_key(candidate.tile, candidate.gain));
        let narrowed = out.len() > width;
        if narrowed {
            out.select_nth_unstable_by_key(width, key);
            out.truncate(width);
        }
        out.sort_unstable_by_key(key);
        narrowed
    }
}

/// What is known of every tile that may be laid, before any search.
pub(super) fn judge_tiles(position: &Position, lines: &Lines) -> Vec<Judged> {
    let gains = Gains::of(position, lines);
    let judged = position.tiles().map(|tile| {
        let mut next = position.clone();
        next.lay(tile, lines);
        let verdict = verdict_at_once(&next, lines);
        let glance = match verdict {
            Verdict::Won(0) => 1.0,
            Verdict::Lost(0) => 0.0,
            Verdict::Drawn => 0.5,
            _ => 1.0 - expectation(&next, lines),
        };
        Judged { tile, gain: gains.by(tile), verdict, glance }
    });
    judged.collect()
}

/// What is proven about a position without looking further than the next two tiles, for the side that is not to move.
pub(super) fn verdict_at_once(position: &Position, lines: &Lines) -> Verdict {
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
