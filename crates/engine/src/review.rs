//! What an engine makes of a whole game: what each seat could expect at every move, and what the move gave away.

use std::fmt;

use quincunx_core::{Actor, DynSession, Seat, Step, Turn, Viewer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Thought;

/// A seat's action and what the engine makes of it.
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
    /// What each seat could expect with that, from 0 (lost) to 1 (won).
    pub expected: Vec<f32>,
    /// What the acting seat gave away, compared with the best action; 0 if nothing.
    pub loss: f32,
    /// What that is called, if it is worth a word.
    pub verdict: Option<Verdict>,
}

/// An action that gave away so much of the game that it is worth a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Mistake,
    Blunder,
}

impl Verdict {
    /// What an action is called that gave away this share of the game.
    pub fn of(loss: f32) -> Option<Self> {
        match loss {
            _ if loss >= 0.3 => Some(Self::Blunder),
            _ if loss >= 0.15 => Some(Self::Mistake),
            _ => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        })
    }
}

impl Judged {
    /// What the acting seat could expect before its move.
    pub fn own_share(&self) -> Option<f32> {
        self.expected.get(self.seat.index()).copied()
    }
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

    /// What was found so far; the last one is not yet compared with what followed, unless all are done.
    pub fn moves(&self) -> &[Judged] {
        &self.moves
    }

    /// Goes on until an action was judged or there is none left; says whether somebody has thought about it.
    pub fn step(&mut self, mut think: impl FnMut(&dyn DynSession, Seat) -> Option<Thought>) -> bool {
        let mut judged = false;
        while !judged && let Some(step) = self.steps.get(self.done) {
            if let (Actor::Seat(seat), Turn::Seat(on_turn)) = (step.by, self.replayed.turn())
                && seat == on_turn
            {
                let Some(thought) = think(&*self.replayed, seat) else { return false };
                compare(&mut self.moves, &thought.expected);
                self.moves.push(Judged {
                    ply: self.done + 1,
                    seat,
                    action: step.action.clone(),
                    better: thought.action,
                    expected: thought.expected,
                    loss: 0.0,
                    verdict: None,
                });
                judged = true;
            }
            self.replayed.apply_by(step.by, &step.action).expect("a game that was played can be played again");
            self.done += 1;
        }
        // What comes after the last decision, such as a last draw, needs no thought.
        if self.done == self.steps.len()
            && let Some(shares) = self.shares.take()
        {
            compare(&mut self.moves, &shares);
        }
        true
    }
}

/// Thinks about every position in which a seat acted on its turn, and compares what it expected there with what it could
/// expect when somebody acted next, or with how the game ended. `progress` hears how many actions are done, and ends the
/// review by answering `false`: then there is no result, as when nobody thinks about a position.
pub fn review(
    table: &dyn DynSession,
    mut think: impl FnMut(&dyn DynSession, Seat) -> Option<Thought>,
    mut progress: impl FnMut(usize) -> bool,
) -> Option<Vec<Judged>> {
    let mut review = Review::of(table);
    while review.done() < review.of_actions() {
        if !review.step(&mut think) || !progress(review.done()) {
            return None;
        }
    }
    Some(review.moves)
}

/// What the last move gave away, now that it is known what can be expected after it.
fn compare(moves: &mut [Judged], after: &[f32]) {
    if let Some(last) = moves.last_mut()
        && let (Some(before), Some(after)) = (last.own_share(), after.get(last.seat.index()))
        && last.action != last.better
    {
        last.loss = (before - after).max(0.0);
        last.verdict = Verdict::of(last.loss);
    }
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
            expected: vec![0.25, 0.75],
            loss: 0.25,
            verdict: Verdict::of(0.25),
        };
        let mut json = json!(judged);
        assert_eq!((&json["seat"], &json["verdict"]), (&json!(1), &json!("mistake")));
        assert_eq!(serde_json::from_value::<Judged>(json.clone()).unwrap(), judged);
        json["best"] = json.as_object_mut().unwrap().remove("better").unwrap();
        assert_eq!(serde_json::from_value::<Judged>(json).unwrap(), judged);
    }
}
