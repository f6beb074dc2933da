//! What engines make of finished games.

use quincunx_table::{Millis, TableId};
use sqlx::Row as _;

use super::Sql;
use crate::model::KeptAnalysis;
use crate::store::StoreError;

impl Sql {
    pub async fn analysis(&self, table: &TableId) -> Result<Option<KeptAnalysis>, StoreError> {
        let row = sqlx::query("SELECT heard, done, total, result FROM analyses WHERE table_id = $1")
            .bind(table.0.as_str())
            .fetch_optional(&self.reads)
            .await?;
        row.map(|row| {
            Ok(KeptAnalysis {
                heard: row.try_get(0)?,
                done: row.try_get::<i64, _>(1)? as u64,
                total: row.try_get::<i64, _>(2)? as u64,
                result: row.try_get(3)?,
            })
        })
        .transpose()
    }

    pub async fn analyses_under_way(&self, silent: Millis) -> Result<u64, StoreError> {
        let row = sqlx::query("SELECT COUNT(*) FROM analyses WHERE result IS NULL AND heard > $1")
            .bind(silent)
            .fetch_one(&self.reads)
            .await?;
        Ok(row.try_get::<i64, _>(0)? as u64)
    }

    pub async fn begin_analysis(
        &self,
        table: &TableId,
        total: u64,
        now: Millis,
        silent: Millis,
    ) -> Result<bool, StoreError> {
        let query = sqlx::query(
            "INSERT INTO analyses (table_id, heard, done, total) VALUES ($1, $2, 0, $3) ON CONFLICT (table_id) DO UPDATE \
             SET heard = excluded.heard, done = 0 WHERE analyses.result IS NULL AND analyses.heard <= $4",
        );
        let query = query.bind(table.0.as_str()).bind(now).bind(total as i64).bind(silent);
        Ok(query.execute(&self.writes).await?.rows_affected() > 0)
    }

    pub async fn note_analysis(&self, table: &TableId, done: u64, now: Millis) -> Result<(), StoreError> {
        sqlx::query("UPDATE analyses SET heard = $1, done = $2 WHERE table_id = $3 AND result IS NULL")
            .bind(now)
            .bind(done as i64)
            .bind(table.0.as_str())
            .execute(&self.writes)
            .await?;
        Ok(())
    }

    pub async fn end_analysis(&self, table: &TableId, result: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE analyses SET done = total, result = $1 WHERE table_id = $2 AND result IS NULL")
            .bind(result)
            .bind(table.0.as_str())
            .execute(&self.writes)
            .await?;
        Ok(())
    }
}
