//! What the other seat may hold: all that has not been seen, and less likely what it would have played by now.

use quincunx_core::{Actor, Seat};
use quincunx_games::castle_builders::{CastleBuilders, Kind};

use super::{
    search::Holding,
    site::{Heap, KINDS, kind_of},
};
use crate::Knowledge;

/// How often a counter of each kind was played of a hand with one of each other kind, in 300 games of the player against
/// itself.
const PLAYED: [[f32; KINDS]; KINDS] = [
    [0.5, 0.20, 0.29, 0.50, 0.15, 0.78],
    [0.80, 0.5, 0.83, 0.91, 0.45, 0.98],
    [0.71, 0.17, 0.5, 0.64, 0.17, 0.87],
    [0.50, 0.09, 0.36, 0.5, 0.10, 0.85],
    [0.85, 0.55, 0.83, 0.90, 0.5, 0.98],
    [0.22, 0.02, 0.13, 0.15, 0.02, 0.5],
];
/// The share of plays that say nothing: nobody plays like somebody else.
const UNLIKE: f32 = 0.3;

/// How likely a seat with these two kinds in its hand plays the first.
fn plays(first: Kind, second: Kind) -> f32 {
    if first == second {
        return 1.0;
    }
    UNLIKE * 0.5 + (1.0 - UNLIKE) * PLAYED[first as usize][second as usize]
}

/// How likely each hand of two is: by its two kinds, in the order of [`Kind::ALL`] and in the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Pairs([[f32; KINDS]; KINDS]);

impl Pairs {
    /// By the counters that have not been seen alone.
    #[cfg(test)]
    pub(super) fn of_unseen(unseen: Heap) -> Self {
        Self::keeping(Kept::of_unseen(unseen), unseen)
    }

    /// The hand of the other seat, as the seat that thinks may take it to be: of each hand it plays one counter and keeps
    /// the other until it has drawn again.
    pub(super) fn of(known: &Knowledge<'_, CastleBuilders>, other: Seat, holding: &Holding) -> Self {
        let played =
            || known.seen().filter(|(by, _)| *by == Actor::Seat(other)).filter_map(|(_, action)| action.map(kind_of));
        let mut unseen = played().fold(holding.pile, Heap::with);
        let mut kept = Kept::of_unseen(unseen);
        for kind in played() {
            kept = kept.after(kind, unseen);
            unseen = unseen.without(kind);
        }
        Self::keeping(kept, unseen)
    }

    /// One counter was kept, and another one drawn.
    fn keeping(kept: Kept, unseen: Heap) -> Self {
        let mut pairs = [[0.0; KINDS]; KINDS];
        for old in unseen.kinds() {
            for new in unseen.without(old).kinds() {
                let chance = kept.chance(old) * drawn(new, unseen.without(old));
                pairs[old as usize][new as usize] += chance;
                if old != new {
                    pairs[new as usize][old as usize] += chance;
                }
            }
        }
        Self(pairs)
    }

    /// How likely the hand is of these two kinds, in whatever order.
    #[inline]
    pub(super) fn chance(&self, first: Kind, second: Kind) -> f32 {
        self.0[first as usize][second as usize]
    }
}

/// How likely a counter out of this heap is of this kind.
fn drawn(kind: Kind, heap: Heap) -> f32 {
    f32::from(heap.0[kind as usize]) / (heap.total() as f32).max(1.0)
}

/// How likely the counter that was kept is of each kind.
#[derive(Clone, Copy)]
struct Kept([f32; KINDS]);

impl Kept {
    fn of_unseen(unseen: Heap) -> Self {
        Self(Kind::ALL.map(|kind| drawn(kind, unseen)))
    }

    fn chance(&self, kind: Kind) -> f32 {
        self.0[kind as usize]
    }

    /// What is kept after this kind was played, of a hand with one counter that was kept and one out of the rest of what was
    /// unseen (Bayes' rule).
    fn after(&self, played: Kind, unseen: Heap) -> Self {
        let mut kept = [0.0; KINDS];
        for old in unseen.kinds() {
            let rest = unseen.without(old);
            for new in rest.kinds().filter(|&new| old == played || new == played) {
                let stays = if old == played { new } else { old };
                kept[stays as usize] += self.chance(old) * drawn(new, rest) * plays(played, stays);
            }
        }
        let total: f32 = kept.iter().sum();
        // A last counter leaves nothing behind.
        if total > 0.0 { Self(kept.map(|chance| chance / total)) } else { Self::of_unseen(unseen.without(played)) }
    }
}
