//! The search: a tree that grows where it promises most (PUCT), with a judgement instead of random play at its leaves, and
//! with proofs: what is won, lost or drawn by force is known as such and not visited again.
//!
//! All hands grow one tree. They hold its lock while they walk through it, and judge positions, which takes far longer, without:
//! trees of their own, added up at the end, won 45 % of 100 games against a single hand with half of the nodes.

use std::sync::{Mutex, MutexGuard};

use crate::{Control, Progress};

use super::{
    evaluate::{Gains, expectation},
    lines::Lines,
    position::{Position, Tile},
    threats::{Danger, answers},
    tree::{Path, Reached, Tree, Verdict},
};

/// Tiles that are looked at below the root while nothing is at stake. 20 lost 30 Elo.
const WIDTH: usize = 40;
/// How many simulations pass between two reports of progress.
const REPORT: u64 = 4096;

/// What a hand needs for its way through the tree.
#[derive(Debug, Default)]
pub(super) struct Walk {
    path: Path,
    candidates: Vec<(Tile, f32)>,
}

pub(super) struct Search<'a> {
    tree: Mutex<&'a mut Tree>,
    root: Position,
    lines: &'a Lines,
}

impl<'a> Search<'a> {
    /// A search in the memory of an earlier one, for the best of the tiles that are seen.
    pub(super) fn new(tree: &'a mut Tree, root: Position, lines: &'a Lines, sees: impl Fn(Tile) -> bool) -> Self {
        let mut candidates = Vec::new();
        list_candidates(&root, lines, usize::MAX, &mut candidates);
        candidates.retain(|&(tile, _)| sees(tile));
        let wins = match Danger::of(&root) {
            Danger::Wins(tile) => Some(tile),
            Danger::Threatened(_) | Danger::None => None,
        };
        tree.begin_with(&mut candidates, wins);
        Self { tree: Mutex::new(tree), root, lines }
    }

    fn tree(&self) -> MutexGuard<'_, &'a mut Tree> {
        self.tree.lock().expect("no hand fails while it holds the tree")
    }

    /// The work of one hand.
    pub(super) fn run(&self, walk: &mut Walk, control: &Control<'_>) {
        let mut simulations = 0;
        let report = |tree: &Tree| {
            let (nodes, depth, value) = (tree.simulations(), tree.line().len() as u32, tree.value());
            control.report(Progress { nodes, depth, value });
        };
        while control.keep_going(simulations) {
            if !self.simulate(walk) {
                break;
            }
            simulations += 1;
            if control.hand() == 0 && simulations.is_multiple_of(REPORT) {
                report(&self.tree());
            }
        }
        if control.hand() == 0 {
            report(&self.tree());
        }
    }

    /// Walks down to a new or a decided node and tells all nodes on the way what it is worth. False if there is nothing left
    /// to find out.
    fn simulate(&self, walk: &mut Walk) -> bool {
        let Walk { path, candidates } = walk;
        let mut reached = {
            let mut tree = self.tree();
            if tree.is_decided() {
                return false;
            }
            tree.descend(path)
        };
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
                    let value = verdict.value().unwrap_or_else(|| 1.0 - expectation(&position));
                    let mut tree = self.tree();
                    tree.prove(path, verdict);
                    tree.back_up(path, value);
                    return true;
                }
                Reached::Bare { narrowed_before } => {
                    let narrowed = self.list_children(&position, narrowed_before, candidates);
                    reached = self.tree().grow(path, candidates, narrowed);
                }
            }
        };
        self.tree().back_up(path, value);
        true
    }

    /// Lists the tiles to look at, and tells whether there are more.
    fn list_children(&self, position: &Position, narrowed_before: bool, out: &mut Vec<(Tile, f32)>) -> bool {
        match Danger::of(position) {
            Danger::Threatened(threat) => {
                let gains = Gains::of(position, self.lines);
                out.clear();
                out.extend(answers(position, threat, self.lines).map(|tile| (tile, gains.by(tile))));
                narrowed_before
            }
            // A node that was narrowed before comes back when that was not enough.
            Danger::None | Danger::Wins(_) => {
                list_candidates(position, self.lines, if narrowed_before { usize::MAX } else { WIDTH }, out)
            }
        }
    }
}

/// Lists the tiles with the largest gains, up to `width`, and tells whether there are more.
fn list_candidates(position: &Position, lines: &Lines, width: usize, out: &mut Vec<(Tile, f32)>) -> bool {
    let gains = Gains::of(position, lines);
    out.clear();
    out.extend(position.tiles().map(|tile| (tile, gains.by(tile))));
    let narrowed = out.len() > width;
    if narrowed {
        out.select_nth_unstable_by(width, |a, b| b.1.total_cmp(&a.1));
        out.truncate(width);
    }
    narrowed
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
