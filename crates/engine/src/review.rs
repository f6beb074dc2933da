//! What an engine makes of a whole game: what each seat could expect at every move, and what the move gave away.

use quincunx_core::{Actor, Seat, Table, Turn};

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

/// Thinks about every position in which a seat acted on its turn, and compares what it expected there with what it could
/// expect when somebody acted next, or with how the game ended. `progress` hears how many actions are done, and ends the
/// review by answering `false`: then there is no result, as when nobody thinks about a position.
pub fn review(
    table: &dyn Table,
    mut think: impl FnMut(&dyn Table, Seat) -> Option<Thought<String>>,
    mut progress: impl FnMut(usize) -> bool,
) -> Option<Vec<Judged>> {
    let record = table.record();
    let start = table.kind().start(Some(u64::from(table.seats())), &record.options.clone().into());
    let mut replayed = start.expect("a game that was played can be started");
    let mut moves: Vec<Judged> = Vec::new();
    for (done, step) in record.steps.iter().enumerate() {
        if let (Actor::Seat(seat), Turn::Seat(on_turn)) = (step.by, replayed.turn())
            && seat == on_turn
        {
            let thought = think(&*replayed, seat)?;
            compare(&mut moves, &thought.expected);
            moves.push(Judged {
                ply: done + 1,
                seat,
                action: step.action.clone(),
                better: thought.action,
                expected: thought.expected,
                loss: 0.0,
            });
        }
        replayed.apply_by(step.by, &step.action).expect("a game that was played can be played again");
        if !progress(done + 1) {
            return None;
        }
    }
    if let Some(outcome) = table.outcome() {
        compare(&mut moves, &outcome.shares(table.seats(), |seat| table.side(seat)));
    }
    Some(moves)
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
