//! The same people play again, at another table.

use crate::{Decision, Event, Refusal, Request, SeatPlan, Setup, State, Status, TableId, UserId};

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
        if !self.is_player(user) {
            return Err(Refusal::NotAPlayer);
        }
        let one_screen = self.setup.seats.iter().any(|plan| matches!(plan, SeatPlan::Person { .. }));
        // A player who left a game of several is still one of those who played it.
        let plans = self.seats.iter().map(|seated| match (seated.user, &seated.engine) {
            (Some(_), _) if one_screen => SeatPlan::Person { name: seated.name.clone().unwrap_or_default() },
            (Some(user), _) => SeatPlan::Player { user },
            (None, Some(level)) => SeatPlan::Engine { level: level.clone() },
            (None, None) => SeatPlan::Open,
        });
        let mut seats: Vec<SeatPlan> = plans.collect();
        seats.rotate_right(1);
        let setup = Setup { seats, shuffled: false, ..self.setup.clone() };
        Ok((TableId::following_from(&["rematch", &self.id.0]), setup))
    }

    /// Notes where they play again, if that was not noted before.
    pub(crate) fn play_again(&mut self, request: Request<'_>) -> Result<Decision, Refusal> {
        let (table, _) = self.next_table(request.person.id)?;
        if self.rematch.is_some() {
            return Ok(Decision::default());
        }
        Ok(self.writer(request).just(Event::Rematch { table }))
    }
}
