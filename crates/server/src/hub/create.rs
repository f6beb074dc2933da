//! Tables that are set up: by somebody, or by those who want to play again.

use std::fmt;

use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
use quincunx_games::GAMES;
use quincunx_table::{Command, Person, Refusal, Request, SeatPlan, Setup, State, TableId};
use rand::RngExt;
use serde::Serialize;
use utoipa::ToSchema;

use super::{CommandError, Done, Hub, lock};
use crate::store::AppendError;

/// A table that was set up.
#[derive(Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Created {
    pub table: TableId,
    /// Who knows it may sit on the seats for invited ones, and see a private table.
    pub invitation: String,
}

impl Hub {
    /// Sets up a table, once for each command id of a user.
    pub async fn create(&self, setup: Setup, person: &Person, command: Option<&str>) -> Result<Created, CommandError> {
        let table = match command {
            Some(command) => TableId::following_from(&["create", &person.id.0.to_string(), command]),
            None => self.random_name(),
        };
        let invitation = self.random_name().0;
        let invitation = if self.begin(&table, setup, &invitation, person, command).await? {
            invitation
        } else {
            // What was agreed the first time counts.
            self.look(&table, Some(person.id), None, |state| state.invitation.clone()).await?
        };
        Ok(Created { table, invitation })
    }

    /// Begins the log of a table, unless somebody has done so before: gives whether it was begun now.
    async fn begin(
        &self,
        table: &TableId,
        setup: Setup,
        invitation: &str,
        person: &Person,
        command: Option<&str>,
    ) -> Result<bool, CommandError> {
        if self.inner.out_of_step.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(CommandError::OutOfStep);
        }
        let at = self.now();
        let request = Request { person, seat: None, command, at };
        let mut rng = ChaCha20Rng::from_seed(lock(&self.inner.rng).random());
        setup.check(GAMES)?;
        let (state, lines) = State::create(GAMES, table.clone(), setup, invitation.to_owned(), request, &mut rng)?;
        let summary = state.listing(at);
        match self.inner.store.append(table, lines, Some(summary.clone())).await {
            Ok(()) => {
                self.announce(summary);
                Ok(true)
            }
            Err(AppendError::Taken) => Ok(false),
            Err(AppendError::Failed(_)) => Err(CommandError::Unknown),
        }
    }

    /// Sets up the table at which those who played at another one play again, unless one of them has done so before, and
    /// lets somebody sit down there.
    pub(super) async fn rematch(
        &self,
        played: &TableId,
        person: &Person,
        id: Option<&str>,
    ) -> Result<Done, CommandError> {
        let slot = self.slot(played);
        let (table, setup) = {
            let mut live = slot.live.lock().await;
            self.load(&slot, &mut live).await?.next_table(person.id)?
        };
        let blockers = self.inner.store.blockers_of(person.id).await?;
        if setup.seats.iter().filter_map(SeatPlan::player).any(|player| blockers.contains(&player)) {
            return Err(Refusal::Blocked.into());
        }
        self.begin(&table, setup, &self.random_name().0, person, None).await?;
        let next = self.slot(&table);
        let sit = |state: &mut State, request: Request<'_>, rng: &mut ChaCha20Rng| state.take_kept_seat(request, rng);
        self.seat(&next, person, sit, id).await?;
        // Now that it is there, the others may hear of it.
        let note = |state: &mut State, at, rng: &mut ChaCha20Rng| {
            state.decide(&Command::Rematch, Request { person, seat: None, command: id, at }, rng)
        };
        let done = self.change(&slot, note).await?;
        Ok(Done { table: Some(table), ..done })
    }

    fn random_name(&self) -> TableId {
        TableId::random(&mut *lock(&self.inner.rng))
    }
}

/// The invitation stays out of logs.
impl fmt::Debug for Created {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Created").field("table", &self.table).finish_non_exhaustive()
    }
}
