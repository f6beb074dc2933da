//! The same people play again, at another table.

use super::{Decision, Event, Refusal, Request, SeatPlan, Setup, State};
use crate::model::{Status, TableId, UserId};

impl State {
    /// The table at which those who played here play again: its name, and what is agreed there. Everybody sits one seat
    /// further, so that another one begins; partners stay partners.
    pub fn next_table(&self, user: UserId) -> Result<(TableId, Setup), Refusal> {
        if !self.welcomes(Some(user), None) {
            return Err(Refusal::NoSuchTable);
        }
        if self.status != Status::Finished {
            return Err(Refusal::NotPlayed);
        }
        self.seat_of(user).ok_or(Refusal::NotAPlayer)?;
        // Who left a game of several is still one of those who played it.
        let plans = self.seats.iter().map(|seated| match (seated.user, seated.engine) {
            (Some(user), _) => SeatPlan::Player { user },
            (None, Some(level)) => SeatPlan::Engine { level: level.to_owned() },
            (None, None) => SeatPlan::Open,
        });
        let mut seats: Vec<SeatPlan> = plans.collect();
        seats.rotate_right(1);
        let setup = Setup { seats, shuffled: false, ..self.setup.clone() };
        Ok((TableId::following_from(&["rematch", &self.id.0]), setup))
    }

    /// Notes where they play again, if that was not noted before.
    pub(super) fn play_again(&mut self, request: Request<'_>) -> Result<Decision, Refusal> {
        let (table, _) = self.next_table(request.person.id)?;
        if self.rematch.is_some() {
            return Ok(Decision::default());
        }
        let mut lines = self.lines(request);
        lines.add(Event::Rematch { table });
        Ok(lines.decision)
    }
}
