//! Expectimax over the plays of both seats and their draws, deeper and deeper.
//!
//! A counter that was drawn matters only when its owner comes to play, and until then only he knows it. So draws are not
//! made when the rules make them: a seat *owes* them, and when it is on turn, every hand that they can give is looked at
//! with its exact chance. The hidden hand of the other seat is nothing else than two draws that it owes. Once looked at, a
//! hand is open to both: that is where the search is kinder than the game.

use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicUsize, Ordering},
};

use quincunx_games::castle_builders::{Action, Building, Kind, Remover};

use super::{
    beliefs::Pairs,
    evaluate::{Evaluator, RowChances, Weights},
    site::{Heap, KINDS, Layout, Site, kind_of},
};
use crate::Control;

/// More plays than this are left in no game that is searched to its end.
const MOST_DEPTH: u8 = 60;
/// How far the chance to win of an action may fall from one depth to the next without surprise.
const MARGIN: f32 = 0.02;
/// How far from certain the chance is at least that is not certain.
const UNCERTAIN: f32 = 1e-6;

/// The counters of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Holding {
    /// What is known of the hand.
    pub(super) held: Heap,
    /// What the rest of the hand and the draw pile are made of.
    pub(super) pile: Heap,
    /// How many counters of the hand come out of the pile.
    pub(super) owed: u8,
}

impl Holding {
    pub(super) fn hand_size(&self) -> u32 {
        self.held.total() + u32::from(self.owed)
    }

    fn is_empty_handed(&self) -> bool {
        self.owed == 0 && self.held == Heap::default()
    }

    /// After playing a counter of this kind, a new one is drawn if there is one.
    fn after(mut self, kind: Kind) -> Self {
        self.held = self.held.without(kind);
        self.owed += u8::from(self.pile.total() > u32::from(self.owed));
        self
    }

    /// Every hand that the owed draws can give, with its chance. Two are owed only for a hand that was never seen.
    pub(super) fn hands(&self, pairs: &Pairs, mut see: impl FnMut(Self, f32)) {
        let total = self.pile.total() as f32;
        match self.owed {
            0 => see(*self, 1.0),
            1 => self.pile.kinds().for_each(|kind| see(self.drawn(kind), self.count(kind) / total)),
            _ => {
                for (number, first) in self.pile.kinds().enumerate() {
                    let rest = self.drawn(first);
                    for second in self.pile.kinds().skip(number).filter(|&kind| rest.count(kind) > 0.0) {
                        see(rest.drawn(second), pairs.chance(first, second));
                    }
                }
            }
        }
    }

    fn count(&self, kind: Kind) -> f32 {
        f32::from(self.pile.0[kind as usize])
    }

    fn drawn(&self, kind: Kind) -> Self {
        Self { held: self.held.with(kind), pile: self.pile.without(kind), owed: self.owed - 1 }
    }

    /// Whether everybody can tell what is in the hand, now and later: all counters are alike, or none is left to draw.
    fn is_open(&self) -> bool {
        let all = Heap(std::array::from_fn(|kind| self.held.0[kind] + self.pile.0[kind]));
        all.kinds().count() <= 1 || all.total() == self.hand_size()
    }

    /// The kinds that may be in the hand.
    fn possible(&self) -> Heap {
        if self.owed == 0 {
            return self.held;
        }
        Heap(std::array::from_fn(|kind| self.held.0[kind] + self.pile.0[kind]))
    }
}

/// A position as far as it is known, with a seat to play a counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct State {
    pub(super) site: Site,
    pub(super) holdings: [Holding; 2],
    pub(super) on_turn: usize,
}

/// What comes of a play.
pub(super) enum Next {
    Over(f32),
    Play(State),
}

/// What a search came to.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// All actions, the best first. Those behind the lines that were asked for have values of an earlier depth or bounds.
    pub(super) actions: Vec<Judged>,
    /// How many plays were looked ahead.
    pub(super) depth: u8,
}

/// What was found about an action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    pub(super) action: Action,
    /// The chance to win of the seat that acts, a draw as half a win: exactly 0 or 1 only where it is certain.
    pub(super) value: f32,
    /// How many plays were looked ahead for this value.
    pub(super) depth: u8,
    /// The same before anybody has answered.
    pub(super) glance: f32,
    /// Whether the action ends the game.
    pub(super) ends: bool,
    /// Whether the answer ends the game, lost, whatever the other seat holds.
    pub(super) loses: bool,
}

/// What is wanted of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// How many of the best actions get an exact value.
    pub(super) lines: usize,
    /// An action that gets an exact value however bad it is.
    pub(super) asked: Option<Action>,
}

/// What all searches of a game share.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) layout: &'a Layout,
    pub(super) rows: &'a RowChances,
    pub(super) weights: &'a Weights,
    /// What the other seat may hold.
    pub(super) pairs: &'a Pairs,
}

/// How far one hand has come.
#[derive(Clone, Copy, Debug, Default)]
struct Hand {
    nodes: u64,
    stopped: bool,
    /// Whether some value of this depth was estimated, not played to the end.
    estimated: bool,
}

/// Searches these actions deeper and deeper until told to stop or until the end of the game is reached on all ways. Gives
/// what it came to, and the number of positions that it looked at.
pub(super) fn deepen(
    ground: Ground<'_>,
    state: &State,
    actions: &[Action],
    wanted: Wanted,
    control: &Control<'_>,
    mut report: impl FnMut(&Finding, u64),
) -> (Finding, u64) {
    let seat = state.on_turn;
    let mut roots = Roots::of(ground, state, actions, control);
    let mut reached = 0;
    let mut hands = vec![Hand::default(); control.hands()];
    for depth in 1..=MOST_DEPTH {
        for hand in &mut hands {
            hand.estimated = false;
        }
        let bar = Bar::new(wanted.lines);
        // While one hand is at the first action, the others take it that it will be worth about as much as it was.
        let guess = if depth == 1 || wanted.lines > 1 { f32::MIN } else { roots.list[0].judged.value - MARGIN };
        let asked = roots.list.iter().position(|root| wanted.asked == Some(root.judged.action));
        let mut queue: Vec<usize> = (0..roots.list.len()).collect();
        if let Some(asked) = asked {
            // Next to the best one, so that a depth that is not finished says something about both.
            queue[asked.min(1)..=asked].rotate_right(1);
        }
        let mut found: Vec<Found> = Vec::new();
        while !queue.is_empty() {
            let next = AtomicUsize::new(0);
            let latest = control.all_hands(&mut hands, |hand, control| {
                let mut search = Search { hand: *hand, ..Search::new(ground, control) };
                let mut found = Vec::new();
                // Each hand takes the next action that nobody has taken.
                while let Some(&number) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let at_least = match bar.floor() {
                        _ if number == 0 || Some(number) == asked => f32::MIN,
                        None => guess,
                        Some(floor) => floor,
                    };
                    let value = search.value_of(&roots.list[number].next, seat, depth, at_least);
                    if search.hand.stopped {
                        break;
                    }
                    if value > at_least {
                        bar.raise(value);
                    }
                    found.push(Found { number, value, at_least });
                }
                *hand = search.hand;
                found
            });
            found.extend(latest.into_iter().flatten());
            let floor = bar.floor().unwrap_or(f32::MIN);
            // What did not reach a guess that was too high has to be looked at again.
            let again = |found: &Found| found.value <= found.at_least && found.at_least > floor;
            queue.clear();
            if !hands.iter().any(|hand| hand.stopped) {
                queue.extend(found.extract_if(.., |found| again(found)).map(|found| found.number));
            }
        }
        let stopped = hands.iter().any(|hand| hand.stopped);
        let looked_at = |number: usize| found.iter().any(|found| found.number == number);
        // An unfinished depth says something only if it has looked at what was best so far and at what is asked about.
        // Several lines have to be of one depth.
        let counts = !stopped || wanted.lines == 1 && looked_at(0) && asked.is_none_or(looked_at);
        if counts {
            roots.prefer(found, depth);
            reached = depth;
        }
        if stopped {
            break;
        }
        report(&roots.finding(depth), hands.iter().map(|hand| hand.nodes).sum());
        if !hands.iter().any(|hand| hand.estimated) {
            break;
        }
    }
    (roots.finding(reached), hands.iter().map(|hand| hand.nodes).sum())
}

/// An action that can be made now.
struct Root {
    judged: Judged,
    next: Next,
}

/// The actions that can be made now, best first.
struct Roots {
    list: Vec<Root>,
    seat: usize,
    /// Whether the search knows no more of the other seat's counters than the seat on turn does, and no more of those than the
    /// other seat does: then it is certain what it wins or loses.
    open: [bool; 2],
}

impl Roots {
    fn of(ground: Ground<'_>, state: &State, actions: &[Action], control: &Control<'_>) -> Self {
        let seat = state.on_turn;
        let mut search = Search::new(ground, control);
        let root = |&action: &Action| {
            let next = search.play(state, action);
            let (value, ends) = match &next {
                Next::Over(value) => (*value, true),
                Next::Play(state) => (search.evaluator.evaluate(state), false),
            };
            let value = own(seat, value);
            Root { judged: Judged { action, value, depth: 0, glance: value, ends, loses: false }, next }
        };
        let mut list: Vec<Root> = actions.iter().map(root).collect();
        list.sort_by(|one, other| other.judged.value.total_cmp(&one.judged.value));
        let holdings = [state.holdings[1 - seat], state.holdings[seat]];
        Self { list, seat, open: holdings.map(|holding| holding.is_open()) }
    }

    /// Takes over the exact values of this depth and puts those actions in front, the best first.
    fn prefer(&mut self, mut found: Vec<Found>, depth: u8) {
        found.retain(|found| found.value > found.at_least);
        found.sort_by_key(|found| found.number);
        found.sort_by(|one, other| other.value.total_cmp(&one.value));
        for &Found { number, value, .. } in &found {
            self.judge(number, value, depth);
        }
        let mut places: Vec<Option<Root>> = self.list.drain(..).map(Some).collect();
        self.list.extend(found.iter().filter_map(|found| places[found.number].take()));
        self.list.extend(places.into_iter().flatten());
    }

    /// Takes over an exact value. To its end the search plays with open hands: from the second answer on that may win what
    /// cannot be won without seeing them, or save what cannot be saved.
    fn judge(&mut self, number: usize, value: f32, depth: u8) {
        let Root { judged, next } = &mut self.list[number];
        let soon = judged.ends || depth <= 2;
        let wins = value >= 1.0 && (soon || self.open[0] || judged.value >= 1.0);
        let loses = value <= 0.0 && (soon || self.open[1] || judged.value <= 0.0);
        judged.value = if wins || loses { value } else { value.clamp(UNCERTAIN, 1.0 - UNCERTAIN) };
        judged.depth = depth;
        let answered = matches!(next, Next::Play(next) if next.on_turn != self.seat);
        judged.loses |= loses && depth <= 2 && answered;
    }

    fn finding(&self, depth: u8) -> Finding {
        Finding { actions: self.list.iter().map(|root| root.judged).collect(), depth }
    }
}

/// What was found about a root.
struct Found {
    number: usize,
    /// Exact if it is above what was asked for, and otherwise only a bound.
    value: f32,
    at_least: f32,
}

/// What an action has to be better than to be one of the lines: the least of so many best values of a depth so far, which any
/// hand may raise.
struct Bar {
    lines: usize,
    best: Mutex<Vec<f32>>,
}

impl Bar {
    fn new(lines: usize) -> Self {
        Self { lines, best: Mutex::default() }
    }

    fn best(&self) -> MutexGuard<'_, Vec<f32>> {
        self.best.lock().expect("no hand has failed")
    }

    fn floor(&self) -> Option<f32> {
        self.best().get(self.lines - 1).copied()
    }

    fn raise(&self, value: f32) {
        let mut best = self.best();
        let place = best.partition_point(|&better| better >= value);
        best.insert(place, value);
    }
}

/// A value for a seat, from one for yellow, or the other way round.
fn own(seat: usize, value: f32) -> f32 {
    if seat == 0 { value } else { 1.0 - value }
}

/// The search of one hand.
pub(super) struct Search<'a> {
    ground: Ground<'a>,
    control: &'a Control<'a>,
    hand: Hand,
    evaluator: Evaluator<'a>,
}

impl<'a> Search<'a> {
    pub(super) fn new(ground: Ground<'a>, control: &'a Control<'a>) -> Self {
        let evaluator = Evaluator::new(ground.layout, ground.rows, ground.weights);
        Self { ground, control, hand: Hand::default(), evaluator }
    }

    #[cfg(test)]
    pub(super) fn pairs(&self) -> &Pairs {
        self.ground.pairs
    }

    /// The value of what comes of an action for the seat that makes it; not above `best` if it is not better.
    fn value_of(&mut self, next: &Next, seat: usize, depth: u8, best: f32) -> f32 {
        match next {
            Next::Over(value) => own(seat, *value),
            Next::Play(state) if seat == 0 => self.look_ahead(state, depth - 1, best.max(0.0), 1.0),
            Next::Play(state) => {
                // The bounds are those of yellow: green looks for small values.
                let high = (1.0 - best).min(1.0);
                let value = self.look_ahead(state, depth - 1, 0.0, high);
                // Back and forth, the bound may be rounded to something better.
                if value >= high { (1.0 - value).min(best.max(0.0)) } else { 1.0 - value }
            }
        }
    }

    /// The plays with the known hand.
    pub(super) fn actions(&self, state: &State) -> Vec<Action> {
        let mut actions = Vec::with_capacity(32);
        for kind in state.holdings[state.on_turn].held.kinds() {
            state.site.actions(self.ground.layout, kind, &mut actions);
        }
        actions
    }

    pub(super) fn play(&self, state: &State, action: Action) -> Next {
        self.play_and_hold(state, action, state.holdings[state.on_turn].after(kind_of(action)))
    }

    /// The same with the holding that the action leaves, which is one for all towers.
    fn play_and_hold(&self, state: &State, action: Action, left: Holding) -> Next {
        let mut next = *state;
        next.site = state.site.after(state.on_turn, action);
        if next.site.is_complete(self.ground.layout) {
            return Next::Over(self.result(&next.site));
        }
        next.holdings[state.on_turn] = left;
        if !continues(action) {
            next.on_turn = 1 - state.on_turn;
        }
        // A player without counters is skipped; without any counters the game is over.
        if next.holdings[next.on_turn].is_empty_handed() {
            next.on_turn = 1 - next.on_turn;
            if next.holdings[next.on_turn].is_empty_handed() {
                return Next::Over(self.result(&next.site));
            }
        }
        Next::Play(next)
    }

    fn result(&self, site: &Site) -> f32 {
        match site.lead(self.ground.layout).signum() {
            1 => 1.0,
            0 => 0.5,
            _ => 0.0,
        }
    }

    /// The chance that yellow wins, looking at so many more plays. Outside of the bounds it is only a bound itself.
    fn look_ahead(&mut self, state: &State, depth: u8, low: f32, high: f32) -> f32 {
        if self.hand.stopped || !self.control.keep_going(self.hand.nodes) {
            self.hand.stopped = true;
            return 0.0;
        }
        self.hand.nodes += 1;
        match depth {
            0 => {
                self.hand.estimated = true;
                self.evaluator.evaluate(state)
            }
            1 | 2 => self.by_kind(state, depth),
            _ => self.by_hand(state, depth, low, high),
        }
    }

    /// Near the horizon the rest of a hand does not matter, save after a continuation: the best play with each kind is
    /// found once for all hands that hold it.
    fn by_kind(&mut self, state: &State, depth: u8) -> f32 {
        let seat = state.on_turn;
        let holding = state.holdings[seat];
        let mut best_with = [worst(seat); KINDS];
        let mut actions = Vec::with_capacity(16);
        let once = |kind: Kind| depth == 1 || !matches!(kind, Kind::Continuation | Kind::RemoveAndContinue);
        for kind in holding.possible().kinds().filter(|&kind| once(kind)) {
            let with_it = if holding.held.0[kind as usize] == 0 { holding.drawn(kind) } else { holding };
            let left = with_it.after(kind);
            actions.clear();
            state.site.actions(self.ground.layout, kind, &mut actions);
            for &action in &actions {
                let value = self.outcome(state, action, left, depth);
                best_with[kind as usize] = better(seat, best_with[kind as usize], value);
            }
        }
        let mut mean = Mean::default();
        holding.hands(self.ground.pairs, |hand, chance| {
            let mut best = worst(seat);
            for kind in hand.held.kinds() {
                if once(kind) {
                    best = better(seat, best, best_with[kind as usize]);
                } else {
                    let left = hand.after(kind);
                    actions.clear();
                    state.site.actions(self.ground.layout, kind, &mut actions);
                    for &action in &actions {
                        best = better(seat, best, self.outcome(state, action, left, depth));
                    }
                }
            }
            mean.add(chance, best);
        });
        mean.value()
    }

    fn outcome(&mut self, state: &State, action: Action, left: Holding, depth: u8) -> f32 {
        match self.play_and_hold(state, action, left) {
            Next::Over(value) => value,
            Next::Play(next) => self.look_ahead(&next, depth - 1, 0.0, 1.0),
        }
    }

    /// The mean over all hands. As no value is below 0 or above 1, the hands that are still to come can bring the mean back
    /// between the bounds only so far: what one hand has to reach follows from this (Star1 pruning).
    fn by_hand(&mut self, state: &State, depth: u8, low: f32, high: f32) -> f32 {
        let seat = state.on_turn;
        let mut hands = Vec::with_capacity(21);
        state.holdings[seat].hands(self.ground.pairs, |hand, chance| hands.push((chance, hand)));
        // Likely hands first: they settle most.
        hands.sort_by(|one, other| other.0.total_cmp(&one.0));
        let (mut mean, mut rest) = (Mean::default(), 1.0);
        for (chance, hand) in hands {
            rest -= chance;
            let least = (low - mean.sum - rest.max(0.0)) / chance;
            let most = (high - mean.sum) / chance;
            let mut with = *state;
            with.holdings[seat] = hand;
            let value = self.best_play(&with, depth, least.max(0.0), most.min(1.0));
            if self.hand.stopped {
                return 0.0;
            }
            mean.add(chance, value);
            // A bound must not be rounded to something within the bounds.
            if value <= least && low > 0.0 {
                return (mean.value() + rest.max(0.0)).min(low);
            }
            if value >= most && high < 1.0 {
                return mean.value().max(high);
            }
        }
        mean.value()
    }

    /// The best play with a known hand.
    fn best_play(&mut self, state: &State, depth: u8, mut low: f32, mut high: f32) -> f32 {
        let seat = state.on_turn;
        let mut plays: Vec<(f32, Next)> = Vec::with_capacity(32);
        for action in self.actions(state) {
            let next = self.play(state, action);
            let value = match &next {
                Next::Over(value) => *value,
                Next::Play(next) => self.evaluator.evaluate(next),
            };
            plays.push((if seat == 0 { -value } else { value }, next));
        }
        plays.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut best = worst(seat);
        for (_, next) in plays {
            let value = match next {
                Next::Over(value) => value,
                Next::Play(next) => self.look_ahead(&next, depth - 1, low, high),
            };
            if self.hand.stopped {
                return 0.0;
            }
            best = better(seat, best, value);
            if seat == 0 {
                low = low.max(best);
            } else {
                high = high.min(best);
            }
            if low >= high {
                break;
            }
        }
        best
    }
}

/// The mean over hands. It is 1 exactly if all values are: the chances add up to 1 only nearly.
#[derive(Default)]
struct Mean {
    sum: f32,
    some_lower: bool,
}

impl Mean {
    #[inline]
    fn add(&mut self, chance: f32, value: f32) {
        self.sum += chance * value;
        self.some_lower |= value < 1.0;
    }

    #[inline]
    fn value(&self) -> f32 {
        if self.some_lower { self.sum.min(1.0 - UNCERTAIN) } else { 1.0 }
    }
}

/// Whether the same player takes another turn.
fn continues(action: Action) -> bool {
    matches!(
        action,
        Action::Build { counter: Building::Continuation, .. }
            | Action::Remove { counter: Remover::RemoveAndContinue, .. }
    )
}

/// The value that any play is better than.
fn worst(seat: usize) -> f32 {
    if seat == 0 { 0.0 } else { 1.0 }
}

fn better(seat: usize, one: f32, other: f32) -> f32 {
    if seat == 0 { one.max(other) } else { one.min(other) }
}
