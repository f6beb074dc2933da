//! What an engine makes of a whole game: what each action was worth from what its seat knew, and what was luck.

use std::fmt;

use quincunx_core::{Actor, DynSession, Seat, Step, Turn, Viewer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Line, Thought, math::exp};

/// A seat's action and what the engine makes of it, from what the seat knew.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Judged {
    /// 1 for the first action of the game, with those of chance.
    pub ply: usize,
    #[cfg_attr(feature = "openapi", schema(value_type = u8))]
    pub seat: Seat,
    pub action: String,
    /// What the engine would have played.
    // Analyses that are kept from before call it `best`.
    #[serde(alias = "best")]
    pub better: String,
    /// How the game would have gone on from there, the better action first.
    #[serde(default)]
    pub line: Vec<Step>,
    /// What each seat could expect with that, from 0 (lost) to 1 (won).
    pub expected: Vec<f32>,
    /// What each seat could expect with the action that was played, before anything was drawn.
    #[serde(default)]
    pub played: Vec<f32>,
    /// What the acting seat gave away, compared with the best action; 0 if nothing.
    pub loss: f32,
    /// How near to the best play the action was, from 0 to 100.
    #[serde(default = "Judged::full_accuracy")]
    pub accuracy: f32,
    /// What the action is called. Analyses that are kept from before have words for mistakes and blunders only.
    pub verdict: Option<Verdict>,
    /// What the draws after the action brought each seat, above or below what could be expected. Empty if nothing was drawn.
    #[serde(default)]
    pub luck: Vec<f32>,
}

/// What an action is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// What the engine would have played, or as good.
    Best,
    /// The best action, and everything else was a blunder.
    OnlyMove,
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
    /// There was a forced win.
    MissedWin,
}

impl Verdict {
    pub const ALL: [Self; 7] =
        [Self::Best, Self::OnlyMove, Self::Good, Self::Inaccuracy, Self::Mistake, Self::Blunder, Self::MissedWin];

    // In shares of winning chance, as lichess has them.
    const INACCURACY: f32 = 0.05;
    const MISTAKE: f32 = 0.1;
    const BLUNDER: f32 = 0.15;

    /// What an action is called that gave away this share of the game.
    fn of(loss: f32) -> Self {
        match loss {
            _ if loss >= Self::BLUNDER => Self::Blunder,
            _ if loss >= Self::MISTAKE => Self::Mistake,
            _ if loss >= Self::INACCURACY => Self::Inaccuracy,
            _ => Self::Good,
        }
    }

    /// Whether the action gave away enough to be worth a word.
    pub const fn is_bad(self) -> bool {
        matches!(self, Self::Inaccuracy | Self::Mistake | Self::Blunder | Self::MissedWin)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Best => "best",
            Self::OnlyMove => "only move",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
            Self::MissedWin => "missed win",
        })
    }
}

impl Judged {
    /// The action of a seat in the light of a search that has a line for it.
    fn new(ply: usize, seat: Seat, action: &str, thought: Thought) -> Self {
        let own = |expected: &[f32]| expected.get(seat.index()).copied();
        let first = |line: &Line| line.steps.first().is_some_and(|step| step.action == action);
        // Several lines may begin with one action: the best of them counts.
        let played =
            thought.lines.iter().find(|line| first(line)).map_or(&thought.expected, |line| &line.expected).clone();
        let [best, made] = [&thought.expected, &played].map(|expected| own(expected));
        let loss = match (best, made) {
            (Some(best), Some(made)) if thought.action != action => (best - made).max(0.0),
            _ => 0.0,
        };
        let second = thought.lines.iter().find(|line| !first(line)).and_then(|line| own(&line.expected));
        let only = second.zip(made).is_some_and(|(second, made)| made - second >= Verdict::BLUNDER);
        let verdict = match Verdict::of(loss) {
            Verdict::Good if thought.action == action && only => Verdict::OnlyMove,
            Verdict::Good if loss <= 0.0 => Verdict::Best,
            bad if bad.is_bad() && best.is_some_and(|best| best >= 1.0) => Verdict::MissedWin,
            verdict => verdict,
        };
        Self {
            ply,
            seat,
            action: action.to_owned(),
            better: thought.action,
            line: thought.line,
            expected: thought.expected,
            played,
            loss,
            accuracy: accuracy(loss),
            verdict: Some(verdict),
            luck: Vec::new(),
        }
    }

    /// What the acting seat could expect before its move.
    pub fn own_share(&self) -> Option<f32> {
        self.expected.get(self.seat.index()).copied()
    }

    fn full_accuracy() -> f32 {
        100.0
    }
}

/// How near to the best play an action was that gave away this share, from 0 to 100: the formula of lichess.
fn accuracy(loss: f32) -> f32 {
    (103.1668 * exp(-4.354 * loss) - 3.1669).clamp(0.0, 100.0)
}

/// How near to the best play a seat was over a game, from 0 to 100: the mean over its actions.
pub fn accuracy_of(moves: &[Judged], seat: Seat) -> Option<f32> {
    let (sum, count) = moves
        .iter()
        .filter(|made| made.seat == seat)
        .fold((0.0, 0_u16), |(sum, count), made| (sum + made.accuracy, count + 1));
    (count > 0).then(|| sum / f32::from(count))
}

/// The review of a game, action by action: so that whoever waits for it can be told how far it is, and can stop it.
#[derive(Debug)]
pub struct Review {
    steps: Vec<Step>,
    replayed: Box<dyn DynSession>,
    /// What each seat got in the end, if the game is over.
    shares: Option<[f32; Seat::MAX as usize]>,
    moves: Vec<Judged>,
    done: usize,
    /// Whether chance has acted since the last judged action.
    drawn: bool,
}

impl Review {
    pub fn of(table: &dyn DynSession) -> Self {
        let mut replayed = table.boxed_clone();
        replayed.undo(table.ply() as u64).expect("all that was made can be taken back");
        let outcome = table.outcome();
        Self {
            steps: table.log(Viewer::Everything),
            replayed,
            shares: outcome.map(|outcome| outcome.shares(table.seats(), |seat| table.side(seat))),
            moves: Vec::new(),
            done: 0,
            drawn: false,
        }
    }

    /// How many actions were looked at.
    pub fn done(&self) -> usize {
        self.done
    }

    /// How many actions the game has.
    pub fn of_actions(&self) -> usize {
        self.steps.len()
    }

    /// What was found so far.
    pub fn moves(&self) -> &[Judged] {
        &self.moves
    }

    /// Goes on until an action was judged or there is none left. `judge` thinks about a position with a line for the
    /// action that was played; says whether it had an answer.
    pub fn step(&mut self, mut judge: impl FnMut(&dyn DynSession, &str) -> Option<Thought>) -> bool {
        let mut judged = false;
        while !judged && let Some(step) = self.steps.get(self.done).cloned() {
            if let (Actor::Seat(seat), Turn::Seat(on_turn)) = (step.by, self.replayed.turn())
                && seat == on_turn
            {
                let Some(thought) = judge(&*self.replayed, &step.action) else { return false };
                self.count_luck(&thought.expected);
                self.moves.push(Judged::new(self.done + 1, seat, &step.action, thought));
                judged = true;
            }
            self.drawn |= step.by == Actor::Chance;
            self.replayed.apply_by(step.by, &step.action).expect("a game that was played can be played again");
            self.done += 1;
        }
        // What comes after the last decision, such as a last draw, needs no thought.
        if self.done == self.steps.len()
            && let Some(shares) = self.shares.take()
        {
            self.count_luck(&shares);
        }
        true
    }

    /// What was drawn since the last judged action, now that it is known what can be expected after it.
    fn count_luck(&mut self, after: &[f32]) {
        if std::mem::take(&mut self.drawn)
            && let Some(last) = self.moves.last_mut()
        {
            last.luck = last.played.iter().zip(after).map(|(before, after)| after - before).collect();
        }
    }
}

/// Judges every action that a seat made on its turn. `progress` hears how many actions are done, and ends the review by
/// answering `false`: then there is no result, as when nobody judges a position.
pub fn review(
    table: &dyn DynSession,
    mut judge: impl FnMut(&dyn DynSession, &str) -> Option<Thought>,
    mut progress: impl FnMut(usize) -> bool,
) -> Option<Vec<Judged>> {
    let mut review = Review::of(table);
    while review.done() < review.of_actions() {
        if !review.step(&mut judge) || !progress(review.done()) {
            return None;
        }
    }
    Some(review.moves)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_judged_action_is_read_as_it_was_written_and_as_it_was_kept_before() {
        let judged = Judged {
            ply: 7,
            seat: Seat::new(1),
            action: "e5f5".to_owned(),
            better: "c3c4".to_owned(),
            line: Vec::new(),
            expected: vec![0.25, 0.75],
            played: Vec::new(),
            loss: 0.12,
            accuracy: 100.0,
            verdict: Some(Verdict::of(0.12)),
            luck: Vec::new(),
        };
        let json = json!(judged);
        assert_eq!((&json["seat"], &json["verdict"]), (&json!(1), &json!("mistake")));
        assert_eq!(serde_json::from_value::<Judged>(json).unwrap(), judged);
        let before = json!({
            "ply": 7, "seat": 1, "action": "e5f5", "best": "c3c4", "expected": [0.25, 0.75], "loss": 0.12_f32,
            "verdict": "mistake",
        });
        assert_eq!(serde_json::from_value::<Judged>(before).unwrap(), judged);
    }
}
