//! The results of rated games, counted once each, in the order in which the games ended.

use std::sync::atomic::Ordering;

use quincunx_games::GAMES;
use quincunx_table::{State, TableId};

use super::{CommandError, Hub};
use crate::people::ratings::rate_table;
use crate::store::StoreError;

impl Hub {
    /// Counts the results of rated games that are over, without waiting for it and also if who ended them has gone.
    pub(super) fn count_soon(&self) {
        let hub = self.clone();
        tokio::spawn(async move {
            if let Err(error) = hub.count_all().await {
                tracing::warn!(%error, "the result of a rated game was not counted yet");
            }
        });
    }

    /// Counts again what could not be counted before.
    pub(super) fn count_what_is_owed(&self) {
        if self.inner.owes_counting.swap(false, Ordering::Relaxed) {
            self.count_soon();
        }
    }

    /// Counts all games that are over and were not counted, one after the other. Should the storage fail, the ones behind wait: a
    /// rating follows from the games in their order.
    pub(super) async fn count_all(&self) -> Result<(), CommandError> {
        let _counting = self.inner.counting.lock().await;
        let counted = self.count_in_order().await;
        if counted.is_err() {
            self.inner.owes_counting.store(true, Ordering::Relaxed);
        }
        counted
    }

    async fn count_in_order(&self) -> Result<(), CommandError> {
        self.inner.store.number_endings().await?;
        let mut after = 0;
        loop {
            let page = self.inner.store.uncounted(after, 100).await?;
            let Some((last, _)) = page.last() else { return Ok(()) };
            after = *last;
            for (_, table) in &page {
                match self.count(table).await {
                    // Another process is about to count an earlier one.
                    Err(CommandError::Storage(StoreError::TooEarly)) => {
                        self.inner.owes_counting.store(true, Ordering::Relaxed);
                    }
                    other => other?,
                }
            }
        }
    }

    async fn count(&self, table: &TableId) -> Result<(), CommandError> {
        match State::replay(GAMES, table.clone(), &self.entries(table, 0).await?) {
            Ok(state) => {
                rate_table(&self.inner.store, &state).await?;
            }
            // Nobody knows how it ended, and the games after it must not wait for ever.
            Err(error) => {
                tracing::error!(table = table.0, %error, "a rated game is not counted, as its log cannot be read");
                let summary = self.inner.store.summary(table).await?;
                let (game, class) = summary.map(|summary| (summary.game, summary.clock)).unwrap_or_default();
                self.inner.store.rate(table, &game, &class, self.now(), &[], |_| Vec::new()).await?;
            }
        }
        Ok(())
    }
}
