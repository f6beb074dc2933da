//! Alpha-beta over whole turns: iterative deepening, principal variation search with a transposition table, and at the
//! leaves a quiescence over the turns that score.

use quincunx_core::{Fold, Game, Turn};
use quincunx_games::figures::{Action, Colour, Figures};

use super::{
    evaluate::{Weights, evaluate},
    table::FigureTable,
    transposition::{Bound, Transpositions},
    turns::{Outlook, WholeTurn, scoring_turns, whole_turns},
};
use crate::Control;

/// A won game, less the turns until then.
const WIN: i32 = 1_000_000;
/// Values beyond this are won or lost games.
pub(super) const SURE: i32 = WIN - 10_000;
const INFINITY: i32 = 2 * WIN;

/// No search in a game of some hundred turns looks further.
const MOST_DEPTH: u8 = 60;
/// How many scoring turns in a row are looked at beyond the last full turn.
pub(super) const QUIESCENCE: u8 = 6;
/// Turns from this number on are first looked at with less depth.
const EARLY_TURNS: usize = 8;
/// Positions are told apart by their turns left only this near to the limit, where these decide.
const LIMIT_IN_SIGHT: u16 = 2 * MOST_DEPTH as u16;

/// What a search came to.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) turn: WholeTurn,
    /// In hundredths of a point, for the side on turn.
    pub(super) value: i32,
    pub(super) depth: u8,
    /// The turns that are expected, this one included.
    pub(super) line: Vec<WholeTurn>,
}

/// The buffers of one level of the tree.
#[derive(Debug, Default)]
struct Level {
    outlooks: Vec<Outlook>,
    /// The numbers of the outlooks with what is expected of them, best first.
    order: Vec<(i32, u32)>,
}

/// The buffers of one hand.
#[derive(Debug, Default)]
struct Hand {
    levels: Vec<Level>,
    steps: Vec<Action>,
    nodes: u64,
    stopped: bool,
}

/// A search, whose memory can be used again.
#[derive(Debug, Default)]
pub(super) struct Search {
    weights: Weights,
    transpositions: Transpositions,
    hands: Vec<Hand>,
}

impl Search {
    /// Searches the turns whose first step is seen, deeper and deeper until the control says stop, and tells `report` of
    /// every depth. `bias` is added to the value of a turn by the position that it leads to.
    ///
    /// Several hands search the same turns and share what they find in the table of transpositions; some are a turn
    /// ahead of the others.
    pub(super) fn run(
        &mut self,
        game: &Figures,
        table: &FigureTable,
        control: &Control<'_>,
        sees: impl Fn(Action) -> bool + Sync,
        bias: impl Fn(&Figures) -> i32 + Sync,
        report: impl Fn(&Finding, u64) + Sync,
    ) -> Finding {
        self.transpositions.begin(control.budget.memory, || control.in_time());
        self.hands.resize_with(control.hands(), Hand::default);
        let Turn::Seat(mover) = game.turn() else { panic!("nobody is to move") };
        let (weights, transpositions) = (&self.weights, &self.transpositions);
        let findings = control.all_hands(&mut self.hands, |hand, control| {
            (hand.nodes, hand.stopped) = (0, false);
            let mut run = Run { hand, weights, transpositions, table, control, side: game.side(mover) };
            let roots = run.list_roots(game, &sees, &bias);
            run.deepen(roots, game.turns_left(), &report)
        });
        // Of equally deep findings the first hand's.
        findings.into_iter().rev().max_by_key(|finding| finding.depth).expect("there is a hand")
    }

    /// The positions that were looked at.
    pub(super) fn nodes(&self) -> u64 {
        self.hands.iter().map(|hand| hand.nodes).sum()
    }
}

/// A turn that can be made now.
struct Root {
    outlook: Outlook,
    bias: i32,
    value: i32,
    /// The depth of the last search that gave its value exactly or showed that it was not best.
    searched: u8,
}

struct Run<'a> {
    hand: &'a mut Hand,
    weights: &'a Weights,
    transpositions: &'a Transpositions,
    table: &'a FigureTable,
    control: &'a Control<'a>,
    /// The side on turn at the root.
    side: u8,
}

impl Run<'_> {
    fn list_roots(
        &mut self,
        game: &Figures,
        sees: &impl Fn(Action) -> bool,
        bias: &impl Fn(&Figures) -> i32,
    ) -> Vec<Root> {
        let mut outlooks = Vec::new();
        whole_turns(game, &mut self.hand.steps, &mut outlooks);
        let mut roots: Vec<_> = outlooks
            .into_iter()
            .filter_map(|outlook| Some(Outlook { turn: outlook.turn.seen_by(sees)?, ..outlook }))
            .map(|outlook| {
                let bias = bias(&outlook.after);
                let value = -self.judge(&outlook.after, 1) + bias;
                Root { outlook, bias, value, searched: 0 }
            })
            .collect();
        roots.sort_by_key(|root| -root.value);
        roots
    }

    fn deepen(&mut self, mut roots: Vec<Root>, turns_left: u16, report: &impl Fn(&Finding, u64)) -> Finding {
        let first = &roots[0];
        let mut finding =
            Finding { turn: first.outlook.turn, value: first.value, depth: 0, line: vec![first.outlook.turn] };
        if roots.len() == 1 && roots[0].outlook.turn.steps().len() == 1 {
            // A single step that has to be made needs no thought.
            return finding;
        }
        let number = self.control.hand();
        for depth in 1 + number as u8 % 2..=MOST_DEPTH {
            let complete = self.search_roots(&mut roots, depth);
            // What an unfinished depth put in front is better than what was there: it was searched deeper.
            if complete || roots[0].searched == depth {
                finding.turn = roots[0].outlook.turn;
                finding.value = roots[0].value;
                finding.depth = depth;
                finding.line = self.expected_line(&roots[0].outlook, depth);
            }
            if !complete {
                return finding;
            }
            if number == 0 {
                report(&finding, self.hand.nodes);
            }
            if finding.value.abs() >= SURE || u16::from(finding.depth) > turns_left {
                break;
            }
        }
        self.control.settle();
        finding
    }

    /// Searches all roots and puts the best in front; false if there was no time to finish.
    fn search_roots(&mut self, roots: &mut [Root], depth: u8) -> bool {
        let mut alpha = -INFINITY;
        for number in 0..roots.len() {
            let root = &roots[number];
            let (bias, after) = (root.bias, root.outlook.after.clone());
            let mut value = -INFINITY;
            if number > 0 {
                value = -self.negamax(&after, depth - 1, 1, bias - alpha - 1, bias - alpha) + bias;
            }
            if number == 0 || (value > alpha && !self.hand.stopped) {
                value = -self.negamax(&after, depth - 1, 1, -INFINITY, bias - alpha) + bias;
            }
            if self.hand.stopped {
                return false;
            }
            roots[number].searched = depth;
            if value > alpha {
                alpha = value;
                roots[number].value = value;
                roots[..=number].rotate_right(1);
            }
        }
        true
    }

    /// The value of a position for the side on turn; of a finished game, for the side that would be on turn.
    fn judge(&self, game: &Figures, ply: u8) -> i32 {
        self.finished(game, ply).unwrap_or_else(|| evaluate(game, self.table, self.weights))
    }

    /// The value of a finished game for the side that would be on turn.
    fn finished(&self, game: &Figures, ply: u8) -> Option<i32> {
        let winners = game.outcome()?.winners;
        let on_turn = (self.side + ply) % 2;
        Some(match winners.iter().next() {
            None => 0,
            Some(winner) if game.side(winner) == on_turn => WIN - i32::from(ply),
            Some(_) => i32::from(ply) - WIN,
        })
    }

    fn negamax(&mut self, game: &Figures, depth: u8, ply: u8, alpha: i32, beta: i32) -> i32 {
        if let Some(value) = self.finished(game, ply) {
            return value;
        }
        if depth == 0 {
            return self.quiesce(game, QUIESCENCE, ply, alpha, beta);
        }
        if !self.enter() {
            return 0;
        }
        let key = key(game);
        let mut best_turn = 0;
        if let Some(entry) = self.transpositions.find(key) {
            best_turn = entry.turn;
            let value = from_table(entry.value, ply);
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => value >= beta,
                Bound::AtMost => value <= alpha,
            };
            if entry.depth >= depth && enough {
                return value;
            }
        }
        let mut level = self.take_level(ply);
        whole_turns(game, &mut self.hand.steps, &mut level.outlooks);
        for (number, outlook) in level.outlooks.iter().enumerate() {
            let known_best = outlook.turn.code() == best_turn;
            let expected = if known_best { INFINITY } else { -self.judge(&outlook.after, ply + 1) };
            level.order.push((expected, number as u32));
        }
        level.order.sort_unstable_by_key(|&(expected, number)| (-expected, number));
        let (best, best_turn) = self.search_turns(&level, depth, ply, alpha, beta);
        self.hand.levels[ply as usize] = level;
        if !self.hand.stopped {
            let bound = match best {
                _ if best >= beta => Bound::AtLeast,
                _ if best > alpha => Bound::Exact,
                _ => Bound::AtMost,
            };
            self.transpositions.store(key, depth, to_table(best, ply), bound, best_turn);
        }
        best
    }

    /// The best of the turns of a level, and its code.
    fn search_turns(&mut self, level: &Level, depth: u8, ply: u8, mut alpha: i32, beta: i32) -> (i32, u64) {
        let mut best = -INFINITY;
        let mut best_turn = 0;
        for (count, &(expected, number)) in level.order.iter().enumerate() {
            let outlook = &level.outlooks[number as usize];
            // At the last full turn the quiescence answers at least with the value as it stands, so that nothing that
            // looks worse than this can come out better.
            if depth == 1 && count > 0 && expected <= alpha {
                best = best.max(expected);
                break;
            }
            let mut value = -INFINITY;
            let reduced = depth >= 3 && count >= EARLY_TURNS;
            if count > 0 {
                let shallow = depth - 1 - u8::from(reduced);
                value = -self.negamax(&outlook.after, shallow, ply + 1, -alpha - 1, -alpha);
                if reduced && value > alpha && !self.hand.stopped {
                    value = -self.negamax(&outlook.after, depth - 1, ply + 1, -alpha - 1, -alpha);
                }
            }
            if count == 0 || (value > alpha && value < beta && !self.hand.stopped) {
                value = -self.negamax(&outlook.after, depth - 1, ply + 1, -beta, -alpha);
            }
            if self.hand.stopped {
                break;
            }
            if value > best {
                best = value;
                best_turn = outlook.turn.code();
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        (best, best_turn)
    }

    /// Looks on as long as somebody scores; nobody has to.
    fn quiesce(&mut self, game: &Figures, left: u8, ply: u8, mut alpha: i32, beta: i32) -> i32 {
        if let Some(value) = self.finished(game, ply) {
            return value;
        }
        if !self.enter() {
            return 0;
        }
        let mut best = evaluate(game, self.table, self.weights);
        if best >= beta || left == 0 {
            return best;
        }
        alpha = alpha.max(best);
        let mut level = self.take_level(ply);
        scoring_turns(game, self.table, &mut level.outlooks);
        for (number, outlook) in level.outlooks.iter().enumerate() {
            level.order.push((-self.judge(&outlook.after, ply + 1), number as u32));
        }
        level.order.sort_unstable_by_key(|&(expected, number)| (-expected, number));
        for &(expected, number) in &level.order {
            if expected <= alpha {
                break;
            }
            let value = -self.quiesce(&level.outlooks[number as usize].after, left - 1, ply + 1, -beta, -alpha);
            if self.hand.stopped {
                break;
            }
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.hand.levels[ply as usize] = level;
        best
    }

    /// Counts a node; false if there is no time for it.
    fn enter(&mut self) -> bool {
        if self.hand.stopped || !self.control.keep_going(self.hand.nodes) {
            self.hand.stopped = true;
            return false;
        }
        self.hand.nodes += 1;
        true
    }

    /// The buffers of a level, empty. They are to be put back.
    fn take_level(&mut self, ply: u8) -> Level {
        let levels = &mut self.hand.levels;
        if levels.len() <= ply as usize {
            levels.resize_with(ply as usize + 1, Level::default);
        }
        let mut level = std::mem::take(&mut levels[ply as usize]);
        level.outlooks.clear();
        level.order.clear();
        level
    }

    /// Follows the best turns through the table.
    fn expected_line(&mut self, first: &Outlook, depth: u8) -> Vec<WholeTurn> {
        let mut line = vec![first.turn];
        let mut position = first.after.clone();
        while line.len() < depth as usize && position.turn() != Turn::Over {
            let Some(entry) = self.transpositions.find(key(&position)) else { break };
            let mut outlooks = Vec::new();
            whole_turns(&position, &mut self.hand.steps, &mut outlooks);
            let Some(next) = outlooks.into_iter().find(|outlook| outlook.turn.code() == entry.turn) else { break };
            line.push(next.turn);
            position = next.after;
        }
        line
    }
}

/// A won game is so many turns away from the position, not from the root.
fn to_table(value: i32, ply: u8) -> i32 {
    match value {
        _ if value >= SURE => value + i32::from(ply),
        _ if value <= -SURE => value - i32::from(ply),
        _ => value,
    }
}

fn from_table(value: i32, ply: u8) -> i32 {
    match value {
        _ if value >= SURE => value - i32::from(ply),
        _ if value <= -SURE => value + i32::from(ply),
        _ => value,
    }
}

/// A hash of what matters for how the game goes on. The number of turns does so only near the limit: far from it, a
/// position that comes again is the same.
pub(super) fn key(game: &Figures) -> u64 {
    let [red, yellow, green, blue, _] = Colour::ALL.map(|colour| u64::from(game.markers_of(colour)));
    let side = match game.turn() {
        Turn::Seat(mover) => u64::from(game.side(mover)),
        Turn::Chance | Turn::Over => 2,
    };
    let stones = u64::from(game.stones_of(0)) | u64::from(game.stones_of(1)) << 5;
    let points = u64::from(game.points_of(0)) << 16 | u64::from(game.points_of(1));
    let turns_left = game.turns_left();
    let limit = if turns_left <= LIMIT_IN_SIGHT { u64::from(turns_left) } else { u64::from(u16::MAX) };
    Fold::default()
        .word(red | yellow << 25)
        .word(green | blue << 25)
        .word(game.times_made() | stones << 40 | side << 50 | u64::from(game.is_first_exchange()) << 52)
        .word(points | limit << 32)
        .key()
}
