//! The turns that can be made now: iterative deepening with several principal variations.

use std::{cmp::Reverse, collections::VecDeque};

use quincunx_games::figures::{Action, Figures};

use super::{
    search::{INFINITY, MOST_DEPTH, Run, SURE},
    turns::{Outlook, WholeTurn, whole_turns},
};

/// What a search is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Question {
    /// How many of the best turns get an exact value.
    pub(super) lines: usize,
    /// A step; the best turn that can begin with it gets an exact value, too.
    pub(super) asked: Option<Action>,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// The depth of the first line.
    pub(super) depth: u8,
    /// The best turns, best first.
    pub(super) lines: Vec<FoundLine>,
}

/// A turn, and what the search found out about it.
#[derive(Clone, Debug)]
pub(super) struct FoundLine {
    /// The turns that are expected, this one included.
    pub(super) turns: Vec<WholeTurn>,
    /// The position after the first turn.
    pub(super) after: Figures,
    /// In hundredths of a point, for the side on turn.
    pub(super) value: i32,
    /// What the position after the turn is worth as it stands, to the side that made the turn.
    pub(super) glance: i32,
    /// How many turns were looked ahead; 0 if the value is that of the position as it stands.
    pub(super) depth: u8,
}

/// A turn that can be made now.
struct Root {
    outlook: Outlook,
    /// The value as it stands, without the bias.
    glance: i32,
    bias: i32,
    /// The last exact value, and its depth.
    value: i32,
    depth: u8,
    /// The depth of the last search that gave the value exactly or showed that it was not among the best.
    searched: u8,
    /// The value that the depth before gave.
    before: i32,
}

/// A line to be told: the number of a root, its turn, its value and the depth of that.
#[derive(Clone, Copy)]
struct Pick {
    root: usize,
    turn: WholeTurn,
    value: i32,
    depth: u8,
}

/// All turns that can be made now, and the order to look at them.
struct Roots {
    all: Vec<Root>,
    order: Vec<usize>,
    question: Question,
}

impl Roots {
    fn is_asked(&self, root: usize) -> bool {
        self.question.asked.is_some_and(|asked| self.all[root].outlook.turn.can_begin_with(asked))
    }

    /// How many of the best turns get an exact value.
    fn lines(&self) -> usize {
        self.question.lines.min(self.all.len())
    }

    /// The order to look at the turns: the best ones, those that are asked about, the others.
    fn queue(&self) -> VecDeque<usize> {
        let (best, others) = self.order.split_at(self.lines());
        let (asked, others): (Vec<_>, Vec<_>) = others.iter().partition(|&&root| self.is_asked(root));
        best.iter().copied().chain(asked).chain(others).collect()
    }

    /// What is known after a search of this depth, complete or not. Nothing if too little of it was done.
    fn picks(&self, depth: u8) -> Option<Vec<Pick>> {
        let all = self.lines() == self.all.len();
        // Of an unfinished depth that puts some turns in front: these are better than what was there, since they were
        // looked at deeper.
        let enough = |&root: &usize| self.all[root].depth == depth;
        let asked = |root: &usize| self.is_asked(*root);
        if !all && !self.order[..self.lines()].iter().all(enough)
            || !(0..self.all.len()).filter(asked).all(|root| self.all[root].searched == depth)
        {
            return None;
        }
        let shift = self.shift(depth);
        let pick = |&root: &usize| {
            let Root { outlook, value, depth: looked, .. } = &self.all[root];
            let known = *looked == depth || *looked == 0 || value.abs() >= SURE;
            Pick { root, turn: outlook.turn, value: if known { *value } else { value + shift }, depth: *looked }
        };
        let mut picks: Vec<_> = self.order[..self.lines()].iter().map(pick).collect();
        picks.sort_by_key(|pick| (pick.depth == 0, -pick.value));
        let mut steps: Vec<Action> = self.question.asked.into_iter().collect();
        if all {
            // Every step that can be made has a line: also the stone that is never taken first in the list of turns.
            steps.extend(self.all.iter().filter_map(|root| match root.outlook.turn.steps() {
                [_, second @ Action::Take(_), ..] => Some(*second),
                _ => None,
            }));
        }
        for step in steps {
            self.cover(step, &mut picks, pick);
        }
        Some(picks)
    }

    /// Sees to it that the best turn that can begin with a step is among the lines, beginning with it.
    fn cover(&self, step: Action, picks: &mut Vec<Pick>, pick: impl Fn(&usize) -> Pick) {
        let fitting = (0..self.all.len()).filter(|&root| self.all[root].outlook.turn.can_begin_with(step));
        let best = fitting.map(|root| pick(&root)).min_by_key(|pick| {
            let place = self.order.iter().position(|&root| root == pick.root);
            (Reverse(pick.depth), -pick.value, place)
        });
        let Some(best) = best else { return };
        let first = picks.iter().find(|pick| pick.turn.steps()[0] == step);
        if first.is_none_or(|first| first.value < best.value) {
            let behind = |pick: &Pick| (pick.depth == 0, -pick.value) <= (best.depth == 0, -best.value);
            let place = picks.partition_point(behind);
            picks.insert(place, Pick { turn: best.turn.beginning_with(step), ..best });
        }
    }

    /// How a look one turn deeper changed the values on average. It matters who has the last turn, so that values of
    /// different depths can only be compared with this.
    fn shift(&self, depth: u8) -> i32 {
        let deeper = self.all.iter().filter(|root| root.depth == depth && depth > 1);
        let known = deeper.filter(|root| root.value.abs() < SURE && root.before.abs() < SURE);
        let (sum, count) = known.fold((0, 0), |(sum, count), root| (sum + root.value - root.before, count + 1));
        if count == 0 { 0 } else { sum / count }
    }
}

impl Run<'_> {
    fn list_roots(&mut self, game: &Figures, bias: &impl Fn(&Figures) -> i32, question: Question) -> Roots {
        let mut outlooks = Vec::new();
        whole_turns(game, &mut self.hand.steps, &mut outlooks);
        let root = |outlook: Outlook| {
            let (glance, bias) = (-self.judge(&outlook.after, 1), bias(&outlook.after));
            Root { outlook, glance, bias, value: glance + bias, depth: 0, searched: 0, before: 0 }
        };
        let mut all: Vec<_> = outlooks.into_iter().map(root).collect();
        all.sort_by_key(|root| -root.value);
        let order = (0..all.len()).collect();
        Roots { all, order, question }
    }

    /// Searches all turns, deeper and deeper.
    pub(super) fn deepen(
        &mut self,
        game: &Figures,
        bias: &impl Fn(&Figures) -> i32,
        question: Question,
        report: &impl Fn(&Finding, u64),
    ) -> Finding {
        let mut roots = self.list_roots(game, bias, question);
        let mut picks = roots.picks(0).expect("all turns were glanced at");
        // A single step that has to be made needs no thought.
        let forced = roots.all.len() == 1 && roots.all[0].outlook.turn.steps().len() == 1;
        if !forced || question.asked.is_some() {
            for depth in 1..=MOST_DEPTH {
                let complete = self.search_roots(&mut roots, depth);
                picks = roots.picks(depth).unwrap_or(picks);
                if !complete {
                    return self.finding(&roots, &picks);
                }
                if self.control.hand() == 0 {
                    report(&self.finding(&roots, &picks[..1]), self.hand.nodes);
                }
                let sure = picks.iter().all(|pick| pick.value.abs() >= SURE);
                if sure || u16::from(depth) > game.turns_left() {
                    break;
                }
            }
            self.control.settle();
        }
        self.finding(&roots, &picks)
    }

    fn finding(&self, roots: &Roots, picks: &[Pick]) -> Finding {
        let lines = picks.iter().map(|&Pick { root, turn, value, depth }| {
            let Root { outlook, glance, .. } = &roots.all[root];
            let turns = self.expected_line(turn, &outlook.after, depth);
            FoundLine { turns, after: outlook.after.clone(), value, glance: *glance, depth }
        });
        Finding { depth: picks[0].depth, lines: lines.collect() }
    }

    /// Searches all roots and puts the best in front; false if there was no time to finish.
    fn search_roots(&mut self, roots: &mut Roots, depth: u8) -> bool {
        let mut queue = roots.queue();
        let mut not_deferred = queue.len();
        // Those with an exact value at this depth, best first, and those that are not among the best.
        let (mut best, mut others): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut best_asked = -INFINITY;
        while let Some(root) = queue.pop_front() {
            let Root { bias, ref outlook, .. } = roots.all[root];
            let after = outlook.after.clone();
            let may_wait = not_deferred > 0 && !best.is_empty();
            not_deferred = not_deferred.saturating_sub(1);
            let Some(claim) = self.claim(&after, depth - 1, may_wait) else {
                queue.push_back(root);
                continue;
            };
            let last_best = best.get(roots.lines() - 1).map_or(-INFINITY, |&last| roots.all[last].value);
            let is_asked = roots.is_asked(root);
            let alpha = if is_asked { last_best.min(best_asked) } else { last_best };
            let mut value = INFINITY;
            if alpha > -INFINITY {
                value = -self.negamax(&after, depth - 1, 1, bias - alpha - 1, bias - alpha) + bias;
            }
            if value > alpha && !self.hand.stopped {
                value = -self.negamax(&after, depth - 1, 1, -INFINITY, bias - alpha) + bias;
            }
            self.release(claim);
            if self.hand.stopped {
                queue.push_front(root);
                break;
            }
            let known = &mut roots.all[root];
            known.searched = depth;
            if value > alpha {
                (known.before, known.value, known.depth) = (known.value, value, depth);
            }
            if is_asked {
                best_asked = best_asked.max(value);
            }
            if value > last_best {
                let place = best.partition_point(|&better| roots.all[better].value >= value);
                best.insert(place, root);
            } else {
                others.push(root);
            }
        }
        roots.order = best.into_iter().chain(others).chain(queue.iter().copied()).collect();
        queue.is_empty()
    }
}
