//! The search: PUCT with first-play urgency, virtual loss and a value for each seat (max^n), which knows when a node is
//! decided.
//!
//! Each seat follows its own chance to win, partners share one. A leaf is judged by the evaluation alone: with half of the
//! value from a random game it won 18 % of 40 games against itself without.

use quincunx_core::{Actor, Game, Seat, Turn};
use quincunx_games::{ModX, mod_x::Action};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    evaluate::{Values, evaluate},
    moves::{Candidate, candidates},
    settings::ModXSettings,
    shapes::bits,
    table::Table,
    tree::{Arm, Edge, Judged, Node, Tree, Wanted},
};
use crate::{
    Control, Knowledge, Progress,
    player::{payoff, sides},
};

/// At the root looks are made unequal by this share, so that another seed gives another of equally good actions.
const NOISE: f32 = 0.02;
/// How promising it looks not to claim.
const WAITING: f32 = 0.1;
/// One of so many simulations is about an action that somebody asks about.
const ASKED_SHARE: u32 = 4;
/// Progress is told after this many simulations and each time their number has doubled.
const FIRST_REPORT: u64 = 1024;

/// One hand at work on the tree.
pub(super) struct Search<'a> {
    pub(super) game: &'a ModX,
    pub(super) known: &'a Knowledge<'a, ModX>,
    pub(super) settings: &'a ModXSettings,
    actions: Vec<Action>,
    candidates: Vec<Candidate>,
}

impl<'a> Search<'a> {
    /// A search for the actions of the thinking seat, which may be out of turn: then it may also wait.
    pub(super) fn new(game: &'a ModX, known: &'a Knowledge<'a, ModX>, settings: &'a ModXSettings) -> Self {
        Self { game, known, settings, actions: Vec::new(), candidates: Vec::new() }
    }

    /// Begins a new tree.
    pub(super) fn plant(&mut self, control: &Control<'_>) -> Tree {
        let table = Table::of(self.game);
        let seat = self.known.seat();
        let values = evaluate(&table, &self.settings.weights);
        let root = Judged { seat, values, is_decided: false, is_shared: false };
        let tree = Tree::new(&root, 1.0 / sides(self.game) as f32, control.budget.memory);
        self.actions.clear();
        self.known.actions(&mut self.actions);
        candidates(self.game, &table, seat, &self.actions, &self.settings.looks, &mut self.candidates);
        self.name_asked_claim();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(control.seed);
        let arms = self.candidates.iter().map(|candidate| (Arm::Act(candidate.action), candidate.prior));
        let wait = (self.game.turn().actor() != Some(Actor::Seat(seat))).then_some((Arm::Wait, WAITING));
        let edges = arms.chain(wait).map(|(arm, prior)| Edge::new(arm, prior * (1.0 + NOISE * rng.random::<f32>())));
        let edges: Vec<Edge> = edges.collect();
        // The root is searched whatever memory there is.
        tree.reserve(edges.len());
        tree.root.set_ways(edges, true);
        tree
    }

    /// Touches of one claim are one candidate: it gets the name of the touch that is asked about.
    fn name_asked_claim(&mut self) {
        let Some(asked @ Action::Touch(square)) = self.known.asked() else { return };
        let claim = self.game.claim_mask(square);
        let same = |candidate: &&mut Candidate| match candidate.action {
            Action::Touch(other) => self.game.claim_mask(other) == claim,
            _ => false,
        };
        if let Some(candidate) = self.candidates.iter_mut().find(same) {
            candidate.action = asked;
        }
    }

    /// The work of one hand: how many simulations it has made.
    pub(super) fn run(&mut self, tree: &Tree, control: &Control<'_>) -> u64 {
        let mut simulations = 0;
        let mut report = FIRST_REPORT;
        let mut path = Vec::new();
        let asked = self.asked_edge(tree);
        while control.keep_going(simulations)
            && let Some(first) = self.first_edge(tree, asked, control.lines())
        {
            path.clear();
            self.simulate(tree, first, &mut path);
            simulations += 1;
            if simulations == report {
                Self::report(tree, control);
                report *= 2;
            }
        }
        Self::report(tree, control);
        simulations
    }

    fn report(tree: &Tree, control: &Control<'_>) {
        if control.hand() == 0 {
            let mut line = Vec::new();
            tree.extend_line(&tree.root, &mut line);
            let value = tree.root.mean(tree.root.seat);
            // The root began with one visit.
            let nodes = u64::from(tree.root.visits()) - 1;
            control.report(Progress { nodes, depth: line.len() as u32, value });
        }
    }

    /// The way on at the root that is asked about.
    pub(super) fn asked_edge<'t>(&self, tree: &'t Tree) -> Option<&'t Edge> {
        let asked = Arm::Act(self.known.asked()?);
        tree.root.edges().find(|edge| edge.arm == asked)
    }

    /// Where a simulation begins. Nothing if there is nothing left to find out.
    fn first_edge<'t>(&self, tree: &'t Tree, asked: Option<&'t Edge>, lines: usize) -> Option<&'t Edge> {
        let root = &tree.root;
        let is_decided = root.result().is_some();
        let asked = asked.filter(|asked| !asked.is_decided());
        if let Some(asked) = asked.filter(|asked| is_decided || asked.visits() <= root.visits() / ASKED_SHARE) {
            return Some(asked);
        }
        let wanted = match (is_decided, lines) {
            (false, _) => Wanted::Any,
            (true, 1) => return None,
            // The game is decided, but not every line of it.
            (true, _) => Wanted::Open,
        };
        root.select(self.settings, tree.draw, wanted)
    }

    /// Walks down to a new or a decided node and tells all nodes on the way what it is worth.
    fn simulate<'t>(&mut self, tree: &'t Tree, first: &'t Edge, path: &mut Vec<(&'t Node, &'t Edge)>) {
        let mut game = self.game.clone();
        let mut node = &tree.root;
        let mut edge = first;
        loop {
            Tree::visit(edge);
            path.push((node, edge));
            if let Arm::Act(action) = edge.arm {
                game.play(Actor::Seat(node.seat), action);
            }
            let Some(child) = tree.child(edge) else {
                let judged = self.judge(&game);
                tree.add_child(edge, &judged);
                tree.learn(path, None, judged.values, judged.is_decided);
                return;
            };
            node = child;
            if let Some(&result) = node.result() {
                tree.learn(path, None, result, true);
                return;
            }
            if (!node.is_listed() || node.wants_more()) && !self.list(tree, node, &game) && !node.is_listed() {
                tree.learn(path, Some(node), node.means(), false);
                return;
            }
            edge = node.select(self.settings, tree.draw, Wanted::Any).expect("who is on turn has an action");
        }
    }

    /// Who is on turn in a position that is new to the tree, what it is worth, and whether that is certain.
    pub(super) fn judge(&self, game: &ModX) -> Judged {
        let Turn::Seat(seat) = game.turn() else {
            let values = payoff(game).expect("nothing is drawn in Mod X, so the game is over");
            return Judged { seat: self.known.seat(), values, is_decided: true, is_shared: false };
        };
        let table = Table::of(game);
        if !wins_at_once(game, &table) {
            let values = evaluate(&table, &self.settings.weights);
            return Judged { seat, values, is_decided: false, is_shared: is_shared(game, seat) };
        }
        let mut values = Values::default();
        let side = table.sides[seat.index()];
        (0..table.seats).filter(|&other| table.sides[other] == side).for_each(|other| values[other] = 1.0);
        Judged { seat, values, is_decided: true, is_shared: false }
    }

    /// Lists what can be done at a node, as long as there is memory for it: the most promising actions, and the rest when
    /// all of these are decided, for a defence may look like nothing.
    fn list(&mut self, tree: &Tree, node: &Node, game: &ModX) -> bool {
        self.actions.clear();
        game.actions(node.seat, &mut self.actions);
        let table = Table::of(game);
        candidates(game, &table, node.seat, &self.actions, &self.settings.looks, &mut self.candidates);
        let most = self.candidates.len();
        let width = self.settings.width.min(most);
        let fits = tree.reserve(if node.is_listed() { most - width } else { width });
        if fits {
            node.list(&self.candidates, width);
        }
        fits
    }
}

/// Whether the seat that is to place wins with it. With manual claims it has to claim or say that it is done first, which
/// the search finds by itself.
fn wins_at_once(game: &ModX, table: &Table) -> bool {
    game.is_placing() && !game.manual_claims() && wins_by_placing(table)
}

/// Whether the next to place could win with it: reach the target, or end the game with the most points.
pub(super) fn wins_by_placing(table: &Table) -> bool {
    let seat = table.next.index();
    let colour = &table.colours[seat];
    let takes_last_piece = || colour.supply == 1 && table.free & !colour.gaps != 0 && table.leads(table.sides[seat]);
    bits(colour.gaps).any(|gap| table.prospect(seat, 1 << gap).points >= colour.needed) || takes_last_piece()
}

/// Whether others than the seat on turn may act. The tree has no nodes for what they could do.
fn is_shared(game: &ModX, on_turn: Seat) -> bool {
    if !game.manual_claims() || !game.is_placing() {
        return false;
    }
    let mut actions = Vec::new();
    Seat::all(game.seats()).filter(|&seat| seat != on_turn).for_each(|seat| game.actions(seat, &mut actions));
    !actions.is_empty()
}
