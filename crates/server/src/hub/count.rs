//! The results of rated games, counted once each.

use quincunx_games::GAMES;
use quincunx_table::{State, TableId};

use super::{CommandError, Hub};
use crate::people::ratings::rate_table;

impl Hub {
    /// Counts the result of a rated game that is over, without waiting for it and also if who ended it has gone.
    pub(super) fn count_soon(&self, table: &TableId) {
        let (hub, table) = (self.clone(), table.clone());
        tokio::spawn(async move { hub.count_or_warn(&table).await });
    }

    /// Counts the games that are over and were not counted, because a process ended or its storage failed too early.
    pub(super) async fn count_left_over(&self) -> Result<(), CommandError> {
        let mut after = None;
        loop {
            let page = self.inner.store.uncounted(after.as_ref(), 100).await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.clone());
            for table in &page {
                self.count_or_warn(table).await;
            }
        }
    }

    /// What fails now is done at the next start, and must not keep others from being counted.
    async fn count_or_warn(&self, table: &TableId) {
        if let Err(error) = self.count(table).await {
            tracing::warn!(table = table.0, %error, "the result of a rated game was not counted yet");
        }
    }

    async fn count(&self, table: &TableId) -> Result<(), CommandError> {
        let state = State::replay(GAMES, table.clone(), &self.entries(table, 0).await?)?;
        rate_table(&self.inner.store, &state).await?;
        Ok(())
    }
}
