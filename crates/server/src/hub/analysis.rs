//! What engines make of finished games. The results are kept, for any process to show.

use rand::RngExt;

use super::{CommandError, Hub, lock};
use crate::cluster::Job;
use crate::model::{Millis, Status, TableId, UserId};
use crate::store::StoreError;
use crate::table::Refusal;
use crate::wire::{Analysis, Assessed};

/// How many analyses are under way at once, thought about or waiting for it.
const AT_ONCE: u64 = 50;
/// After how long an analysis of which nothing is heard is begun again.
const SILENT: Millis = 2 * 60 * 1000;

impl Hub {
    /// What an engine makes of a finished game; who asks first has it begun. Whoever may see the table may ask.
    pub async fn analyse(
        &self,
        table: &TableId,
        user: Option<UserId>,
        invitation: Option<&str>,
    ) -> Result<Analysis, CommandError> {
        let (status, of) = self.look(table, user, invitation, |state| (state.status, state.game.ply() as u64)).await?;
        if status != Status::Finished {
            return Err(Refusal::NotOver.into());
        }
        let (store, now) = (&self.inner.store, (self.inner.now)());
        let silent = now - SILENT;
        if let Some(kept) = store.analysis(table).await? {
            if let Some(result) = kept.result {
                let moves = serde_json::from_str(&result)
                    .map_err(|error| StoreError::Unreadable(format!("the analysis of a game: {error}")))?;
                return Ok(Analysis::Done { moves });
            }
            if kept.heard > silent {
                return Ok(Analysis::Running { done: kept.done, of: kept.total });
            }
        }
        if store.analyses_under_way(silent).await? >= AT_ONCE {
            let why = "many games wait to be analysed; try again in some minutes";
            return Err(CommandError::TooMuch(why.to_owned()));
        }
        if store.begin_analysis(table, of, now, silent).await? {
            let seed = lock(&self.inner.rng).random();
            let job = self.look(table, user, invitation, |state| Job::to_analyse(state, seed)).await?;
            self.inner.thinkers.ask(job, self);
        }
        Ok(Analysis::Running { done: 0, of })
    }

    pub(super) async fn analysis_goes_on(&self, table: &TableId, done: usize) -> Result<(), CommandError> {
        Ok(self.inner.store.note_analysis(table, done as u64, (self.inner.now)()).await?)
    }

    pub(super) async fn analysed(&self, table: &TableId, moves: &[Assessed]) -> Result<(), CommandError> {
        let text = serde_json::to_string(moves).expect("plain data");
        Ok(self.inner.store.end_analysis(table, &text).await?)
    }
}
