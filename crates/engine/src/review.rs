//! What an engine makes of a whole game: what each seat could expect at every move, and what the move gave away.

use quincunx_core::{Actor, DynSession, Seat, Step, Turn};

use crate::Thought;

/// A seat's action and what the engine makes of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// 1 for the first action of the game, with those of chance.
    pub ply: usize,
    pub seat: Seat,
    pub action: String,
    /// What the engine would have played, and what each seat could expect then.
    pub better: String,
    pub expected: Vec<f32>,
    /// What the acting seat gave away, compared with the best action; 0 if nothing.
    pub loss: f32,
}

impl Judged {
    /// A share of a game that is worth a word.
    pub fn verdict(&self) -> Option<&'static str> {
        match self.loss {
            loss if loss >= 0.3 => Some("blunder"),
            loss if loss >= 0.15 => Some("mistake"),
            _ => None,
        }
    }

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
        let record = table.record();
        let start = table.kind().start(Some(u64::from(table.seats())), &record.options.clone().into());
        let outcome = table.outcome();
        Self {
            steps: record.steps,
            replayed: start.expect("a game that was played can be started"),
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
    pub fn step(&mut self, mut think: impl FnMut(&dyn DynSession, Seat) -> Option<Thought<String>>) -> bool {
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
    mut think: impl FnMut(&dyn DynSession, Seat) -> Option<Thought<String>>,
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
    }
}
