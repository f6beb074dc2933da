//! Alpha-beta over whole turns: iterative deepening, principal variation search with a transposition table, and at the
//! leaves a quiescence over the turns that score.

use quincunx_core::{Actor, Fold, Game, Turn};
use quincunx_games::figures::{Action, Colour, Figures};

use super::{
    claims::{Claim, Claims},
    evaluate::{Weights, evaluate},
    root::{Finding, Question},
    table::FigureTable,
    transposition::{Bound, Transpositions},
    turns::{Outlook, WholeTurn, scoring_turns, whole_turns},
};
use crate::Control;

/// A won game, less the turns until then.
const WIN: i32 = 1_000_000;
/// Values beyond this are won or lost games.
pub(super) const SURE: i32 = WIN - 10_000;
pub(super) const INFINITY: i32 = 2 * WIN;

/// No search in a game of some hundred turns looks further.
pub(super) const MOST_DEPTH: u8 = 60;
/// How many scoring turns in a row are looked at beyond the last full turn.
pub(super) const QUIESCENCE: u8 = 6;
/// Turns from this number on are first looked at with less depth.
const EARLY_TURNS: usize = 8;
/// Positions that are searched less deep are not worth the word to other hands.
const LEAST_CLAIM: u8 = 1;
/// Positions are told apart by their turns left only this near to the limit, where these decide.
const LIMIT_IN_SIGHT: u16 = 2 * MOST_DEPTH as u16;

/// The buffers of one level of the tree.
#[derive(Debug, Default)]
struct Level {
    outlooks: Vec<Outlook>,
    /// The numbers of the outlooks with what is expected of them, best first.
    order: Vec<(i32, u32)>,
    /// The places in this order that are left for later, because another hand is there.
    deferred: Vec<usize>,
}

/// The buffers of one hand.
#[derive(Debug, Default)]
pub(super) struct Hand {
    levels: Vec<Level>,
    pub(super) steps: Vec<Action>,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
}

/// A search, whose memory can be used again.
#[derive(Debug, Default)]
pub(super) struct Search {
    weights: Weights,
    pub(super) transpositions: Transpositions,
    claims: Claims,
    hands: Vec<Hand>,
}

impl Search {
    /// Searches all turns, deeper and deeper until the control says stop, and tells `report` of
    /// every depth. `bias` is added to the value of a turn by the position that it leads to.
    ///
    /// Several hands search the same turns and share what they find in the table of transpositions. What one of them is
    /// looking at, the others leave for later.
    pub(super) fn run(
        &mut self,
        game: &Figures,
        table: &FigureTable,
        question: Question,
        control: &Control<'_>,
        bias: impl Fn(&Figures) -> i32 + Sync,
        report: impl Fn(&Finding, u64) + Sync,
    ) -> Finding {
        self.transpositions.begin(control.budget.memory, control.budget.nodes, || control.in_time());
        self.hands.resize_with(control.hands(), Hand::default);
        let Turn::Seat(mover) = game.turn() else { panic!("nobody is to move") };
        let (weights, transpositions) = (&self.weights, &self.transpositions);
        let claims = (self.hands.len() > 1).then_some(&self.claims);
        let findings = control.all_hands(&mut self.hands, |hand, control| {
            (hand.nodes, hand.stopped) = (0, false);
            let mut run = Run { hand, weights, transpositions, claims, table, control, side: game.side(mover) };
            run.deepen(game, &bias, question, &report)
        });
        // Of equally good findings the first hand's.
        let quality = |finding: &Finding| (finding.depth, finding.lines[0].value);
        findings.into_iter().rev().max_by_key(quality).expect("there is a hand")
    }

    /// The positions that were looked at.
    pub(super) fn nodes(&self) -> u64 {
        self.hands.iter().map(|hand| hand.nodes).sum()
    }
}

/// A search by one hand.
pub(super) struct Run<'a> {
    pub(super) hand: &'a mut Hand,
    weights: &'a Weights,
    transpositions: &'a Transpositions,
    /// What each hand is looking at, if there are several.
    claims: Option<&'a Claims>,
    table: &'a FigureTable,
    pub(super) control: &'a Control<'a>,
    /// The side on turn at the root.
    side: u8,
}

impl Run<'_> {
    /// The value of a position for the side on turn; of a finished game, for the side that would be on turn.
    pub(super) fn judge(&self, game: &Figures, ply: u8) -> i32 {
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

    pub(super) fn negamax(&mut self, game: &Figures, depth: u8, ply: u8, alpha: i32, beta: i32) -> i32 {
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
        let (best, best_turn) = self.search_turns(&mut level, depth, ply, alpha, beta);
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
    fn search_turns(&mut self, level: &mut Level, depth: u8, ply: u8, mut alpha: i32, beta: i32) -> (i32, u64) {
        let mut best = -INFINITY;
        let mut best_turn = 0;
        let (mut next, mut next_deferred) = (0, 0);
        loop {
            let (count, may_wait) = if next < level.order.len() {
                next += 1;
                (next - 1, next > 1)
            } else if let Some(&count) = level.deferred.get(next_deferred) {
                next_deferred += 1;
                (count, false)
            } else {
                break;
            };
            let (expected, number) = level.order[count];
            let outlook = &level.outlooks[number as usize];
            // At the last full turn the quiescence answers at least with the value as it stands, so that nothing that
            // looks worse than this can come out better.
            if depth == 1 && count > 0 && expected <= alpha {
                best = best.max(expected);
                break;
            }
            let Some(claim) = self.claim(&outlook.after, depth - 1, may_wait) else {
                level.deferred.push(count);
                continue;
            };
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
            self.release(claim);
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

    /// Says that this hand looks at a position now, unless another does and this one may wait.
    #[inline]
    pub(super) fn claim(&self, position: &Figures, depth: u8, may_wait: bool) -> Option<Claim> {
        match self.claims {
            Some(claims) if depth >= LEAST_CLAIM => {
                claims.claim(key(position), depth).or_else(|| (!may_wait).then_some(Claim::NONE))
            }
            _ => Some(Claim::NONE),
        }
    }

    /// Says that this hand does not look there any more.
    #[inline]
    pub(super) fn release(&self, claim: Claim) {
        if let Some(claims) = self.claims {
            claims.release(claim);
        }
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
                // The others may come to as much, but not to more.
                best = best.max(expected);
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
        level.deferred.clear();
        level
    }

    /// Follows the best turns through the table.
    pub(super) fn expected_line(&self, first: WholeTurn, after: &Figures, depth: u8) -> Vec<WholeTurn> {
        let mut line = vec![first];
        let mut position = after.clone();
        while line.len() < depth as usize
            && let Turn::Seat(mover) = position.turn()
            && let Some(entry) = self.transpositions.find(key(&position))
            && let Some(turn) = WholeTurn::of_code(entry.turn)
        {
            let mut next = position;
            if !turn.steps().iter().all(|&step| next.try_play(Actor::Seat(mover), step).is_ok()) {
                break;
            }
            line.push(turn);
            position = next;
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
    let turns_left = game.turns_left();
    fold(game, if turns_left <= LIMIT_IN_SIGHT { turns_left } else { u16::MAX })
}

/// A hash of what comes again when turns are undone, however few turns are left.
pub(super) fn key_at_any_time(game: &Figures) -> u64 {
    fold(game, u16::MAX)
}

fn fold(game: &Figures, turns_left: u16) -> u64 {
    let [red, yellow, green, blue, _] = Colour::ALL.map(|colour| u64::from(game.markers_of(colour)));
    let side = match game.turn() {
        Turn::Seat(mover) => u64::from(game.side(mover)),
        Turn::Chance | Turn::Over => 2,
    };
    let stones = u64::from(game.stones_of(0)) | u64::from(game.stones_of(1)) << 5;
    let points = u64::from(game.points_of(0)) << 16 | u64::from(game.points_of(1));
    Fold::default()
        .word(red | yellow << 25)
        .word(green | blue << 25)
        .word(game.times_made() | stones << 40 | side << 50 | u64::from(game.is_first_exchange()) << 52)
        .word(points | u64::from(turns_left) << 32)
        .key()
}
