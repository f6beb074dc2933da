//! What engines make of finished games.

use quincunx_table::{Millis, TableId};
use sqlx::{query, query_as, query_scalar};

use super::Sql;
use crate::model::KeptAnalysis;
use crate::store::StoreError;

impl Sql {
    pub async fn analysis(&self, table: &TableId) -> Result<Option<KeptAnalysis>, StoreError> {
        let query = query_as("SELECT heard, done, total, result FROM analyses WHERE table_id = $1");
        let row: Option<(Millis, i64, i64, Option<String>)> =
            bound!(query, &*table.0).fetch_optional(&self.reads).await?;
        Ok(row.map(|(heard, done, total, result)| {
            let (done, total) = (done as u64, total as u64);
            KeptAnalysis { heard, done, total, result }
        }))
    }

    pub async fn analyses_under_way(&self, silent: Millis) -> Result<u64, StoreError> {
        let query = query_scalar("SELECT COUNT(*) FROM analyses WHERE result IS NULL AND heard > $1").bind(silent);
        let count: i64 = query.fetch_one(&self.reads).await?;
        Ok(count as u64)
    }

    pub async fn begin_analysis(
        &self,
        table: &TableId,
        total: u64,
        now: Millis,
        silent: Millis,
    ) -> Result<bool, StoreError> {
        let query = query(
            "INSERT INTO analyses (table_id, heard, done, total) VALUES ($1, $2, 0, $3) ON CONFLICT (table_id) DO UPDATE \
             SET heard = excluded.heard, done = 0 WHERE analyses.result IS NULL AND analyses.heard <= $4",
        );
        Ok(self.write(bound!(query, &*table.0, now, total as i64, silent)).await? > 0)
    }

    pub async fn note_analysis(&self, table: &TableId, done: u64, now: Millis) -> Result<(), StoreError> {
        let query = query("UPDATE analyses SET heard = $1, done = $2 WHERE table_id = $3 AND result IS NULL");
        self.write(bound!(query, now, done as i64, &*table.0)).await.map(drop)
    }

    pub async fn end_analysis(&self, table: &TableId, result: &str) -> Result<(), StoreError> {
        let query = query("UPDATE analyses SET done = total, result = $1 WHERE table_id = $2 AND result IS NULL");
        self.write(bound!(query, result, &*table.0)).await.map(drop)
    }
}
