//! Twins: two games that differ only in something that is hidden from some of those who look on.

use quincunx_core::{Actor, DynSession, Seat, Turn, Viewer, find};
use quincunx_games::GAMES;
use rand::{RngExt, seq::IndexedRandom};
use serde_json::{Value, json};

pub type Rng = rand::rngs::Xoshiro256PlusPlus;

/// An action of a game, as its log has it.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub by: Actor,
    pub action: String,
}

/// A game that is not over, and the same game with another secret.
#[derive(Clone)]
pub struct Twins {
    pub game: &'static str,
    pub seats: u8,
    pub options: Value,
    pub steps: [Vec<Step>; 2],
}

impl Twins {
    fn start(&self) -> Box<dyn DynSession> {
        start(self.game, self.seats, &self.options)
    }

    /// The two games after so many actions.
    pub fn at(&self, ply: usize) -> [Box<dyn DynSession>; 2] {
        self.steps.each_ref().map(|steps| {
            let mut table = self.start();
            for step in &steps[..ply] {
                table.apply_by(step.by, &step.action).expect("it was legal before");
            }
            table
        })
    }

    /// Up to how many actions a viewer cannot tell the two games apart.
    pub fn same_for(&self, viewer: Viewer) -> usize {
        let [mut one, mut other] = self.at(0);
        for (ply, (step, twin)) in self.steps[0].iter().zip(&self.steps[1]).enumerate() {
            one.apply_by(step.by, &step.action).expect("it was legal before");
            other.apply_by(twin.by, &twin.action).expect("it was legal before");
            let same_line = one.log_from(ply, viewer) == other.log_from(ply, viewer);
            let same_view = one.view_json(viewer) == other.view_json(viewer);
            // In this game what a viewer sees follows from the lines that he reads. In the other one a look into a hand is told
            // by no line, and that a stolen card cannot be played is seen at what comes next.
            if self.game == "castle-builders" {
                assert_eq!(same_line, same_view, "{}: {step:?} {twin:?}", self.game);
            }
            if !same_line || !same_view {
                return ply;
            }
        }
        self.steps[0].len()
    }

    /// After how many actions the games differ.
    pub fn differ_from(&self) -> usize {
        let [one, other] = &self.steps;
        one.iter().zip(other).position(|(a, b)| a != b).expect("twins differ") + 1
    }
}

pub fn start(game: &str, seats: u8, options: &Value) -> Box<dyn DynSession> {
    find(GAMES, game).expect("a game").start(Some(u64::from(seats)), options).expect("a table")
}

pub fn viewers(seats: u8) -> impl Iterator<Item = Viewer> {
    Seat::all(seats).map(Viewer::Seat).chain([Viewer::Spectator])
}

/// A random game, without its last action if that ended it.
pub fn random_steps(mut table: Box<dyn DynSession>, most: usize, rng: &mut Rng) -> Vec<Step> {
    let mut steps = Vec::new();
    while steps.len() < most {
        let (by, action) = match table.turn() {
            Turn::Over => break,
            Turn::Chance => (Actor::Chance, table.pick(rng).expect("it is a chance turn")),
            Turn::Seat(seat) => {
                let actions = table.actions(seat);
                (Actor::Seat(seat), actions.choose(rng).expect("somebody on turn can act").clone())
            }
        };
        table.apply_by(by, &action).expect("it is legal");
        steps.push(Step { by, action });
    }
    if table.outcome().is_some() {
        steps.pop();
    }
    steps
}

/// Twins of a random game that some viewers cannot tell apart, with what makes the difference.
pub fn random_twins(game: &'static str, seats: u8, count: usize, rng: &mut Rng) -> Vec<Twins> {
    const LONGEST: usize = 160;
    let options = json!({});
    let mut found = Vec::new();
    for _ in 0..10_000 {
        if found.len() == count {
            return found;
        }
        let steps = random_steps(start(game, seats, &options), LONGEST, rng);
        let viewer = viewers(seats).collect::<Vec<_>>()[rng.random_range(0..=usize::from(seats))];
        for _ in 0..20 {
            if let Some(other) = changed(game, &steps, viewer, seats, rng) {
                let shorter = steps.len().min(other.len());
                let steps = [steps[..shorter].to_vec(), other[..shorter].to_vec()];
                let twins = Twins { game, seats, options: options.clone(), steps };
                // Both know of the secret for a while, and it makes a difference to somebody.
                if twins.same_for(viewer) > twins.differ_from() + 2 {
                    found.push(twins);
                    break;
                }
            }
        }
    }
    panic!("{game}: {} twins in ten thousand games", found.len());
}

/// The same game with another action or outcome somewhere that is hidden from a viewer, as far as it can go on as before. A
/// card that is drawn instead of another one changes places with it, if it comes later.
fn changed(game: &str, steps: &[Step], viewer: Viewer, seats: u8, rng: &mut Rng) -> Option<Vec<Step>> {
    let at = rng.random_range(0..steps.len());
    let mut table = start(game, seats, &json!({}));
    for step in &steps[..at] {
        table.apply_by(step.by, &step.action).expect("it was legal before");
    }
    let Step { by, action } = &steps[at];
    table.apply_by(*by, action).expect("it was legal before");
    if table.log_from(at, viewer)[0].action == *action {
        return None;
    }
    table.undo(1).expect("it was made");
    let other = match by {
        Actor::Chance => table.pick(rng).expect("it is a chance turn"),
        Actor::Seat(seat) => table.actions(*seat).choose(rng)?.clone(),
    };
    if other == *action {
        return None;
    }
    let mut changed = steps[..at].to_vec();
    let mut owed = *by == Actor::Chance;
    for step in &steps[at..] {
        let mut step = step.clone();
        if changed.len() == at {
            step.action.clone_from(&other);
        } else if owed && step.by == Actor::Chance && step.action == other && rng.random_bool(0.5) {
            step.action.clone_from(action);
            owed = false;
        }
        if table.apply_by(step.by, &step.action).is_err() {
            break;
        }
        changed.push(step);
    }
    Some(changed).filter(|changed| changed.len() > at + 3)
}
