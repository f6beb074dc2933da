//! What belongs to play beside the logs: ratings, talk, and the right to be the only one who does something.

use quincunx_table::protocol::Remark;
use quincunx_table::{Millis, TableId, UserId, UserKind};
use sqlx::Row as _;
use sqlx::any::AnyRow;

use super::people::known;
use super::{Sql, page};
use crate::model::{Ranked, RatedAt, Rating};
use crate::store::StoreError;

impl Sql {
    pub async fn rating(&self, user: UserId, game: &str, class: &str) -> Result<Option<Rating>, StoreError> {
        let query = sqlx::query(RATING).bind(user.0).bind(game).bind(class);
        query.fetch_optional(&self.reads).await?.as_ref().map(rating).transpose()
    }

    pub async fn rate(
        &self,
        table: &TableId,
        game: &str,
        class: &str,
        users: &[UserId],
        new_ratings: impl FnOnce(&[Option<Rating>]) -> Vec<Rating> + Send,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.begin().await?;
        let query =
            sqlx::query("INSERT INTO rated (table_id) VALUES ($1) ON CONFLICT DO NOTHING").bind(table.0.as_str());
        if query.execute(&mut *transaction).await?.rows_affected() == 0 {
            transaction.rollback().await?;
            return Ok(false);
        }
        // In the order of their numbers, so that two tables with the same players do not wait for each other.
        let mut in_order = users.to_vec();
        in_order.sort_unstable();
        in_order.dedup();
        let mut here = Vec::new();
        for user in in_order {
            match known(&mut transaction, user).await {
                Ok(()) => here.push(user),
                Err(StoreError::NoSuchUser) => {}
                Err(error) => return Err(error),
            }
        }
        let mut old = Vec::with_capacity(users.len());
        for user in users {
            let query = sqlx::query(RATING).bind(user.0).bind(game).bind(class);
            old.push(query.fetch_optional(&mut *transaction).await?.as_ref().map(rating).transpose()?);
        }
        for (user, new) in users.iter().zip(new_ratings(&old)).filter(|(user, _)| here.contains(user)) {
            sqlx::query(
                "INSERT INTO ratings (user_id, game, class, value, deviation, volatility, games) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (user_id, game, class) DO UPDATE \
                 SET value = excluded.value, deviation = excluded.deviation, volatility = excluded.volatility, \
                     games = excluded.games",
            )
            .bind(user.0)
            .bind(game)
            .bind(class)
            .bind(new.value)
            .bind(new.deviation)
            .bind(new.volatility)
            .bind(i64::from(new.games))
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    pub async fn leaderboard(&self, game: &str, class: &str, limit: usize) -> Result<Vec<Ranked>, StoreError> {
        let rows = sqlx::query(
            "SELECT r.value, r.deviation, r.volatility, r.games, u.id, u.name, u.kind \
             FROM ratings r JOIN users u ON u.id = r.user_id \
             WHERE r.game = $1 AND r.class = $2 ORDER BY r.value DESC, u.id LIMIT $3",
        )
        .bind(game)
        .bind(class)
        .bind(page(limit))
        .fetch_all(&self.reads)
        .await?;
        rows.iter()
            .map(|row| {
                let kind: &str = row.try_get(6)?;
                Ok(Ranked {
                    user: UserId(row.try_get(4)?),
                    name: row.try_get(5)?,
                    kind: UserKind::from_word(kind)
                        .ok_or_else(|| StoreError::Unreadable(format!("a user of kind {kind:?}")))?,
                    rating: rating(row)?,
                })
            })
            .collect()
    }

    pub async fn ratings_of(&self, user: UserId) -> Result<Vec<RatedAt>, StoreError> {
        let rows = sqlx::query(
            "SELECT value, deviation, volatility, games, game, class FROM ratings WHERE user_id = $1 ORDER BY game, class",
        )
        .bind(user.0)
        .fetch_all(&self.reads)
        .await?;
        rows.iter()
            .map(|row| Ok(RatedAt { game: row.try_get(4)?, class: row.try_get(5)?, rating: rating(row)? }))
            .collect()
    }

    pub async fn add_remark(
        &self,
        table: &TableId,
        user: UserId,
        name: &str,
        at: Millis,
        text: &str,
    ) -> Result<i64, StoreError> {
        // Of several who take the same number one gets it, and the others take the next.
        loop {
            let row = sqlx::query(
                "INSERT INTO remarks (table_id, number, user_id, name, at, words) \
                 SELECT $1, COALESCE(MAX(number), 0) + 1, $2, $3, $4, $5 FROM remarks WHERE table_id = $1 \
                 ON CONFLICT DO NOTHING RETURNING number",
            )
            .bind(table.0.as_str())
            .bind(user.0)
            .bind(name)
            .bind(at)
            .bind(text)
            .fetch_optional(&self.writes)
            .await?;
            if let Some(row) = row {
                return Ok(row.try_get(0)?);
            }
        }
    }

    pub async fn remarks(&self, table: &TableId, after: i64, limit: usize) -> Result<Vec<Remark>, StoreError> {
        let rows = sqlx::query(
            "SELECT r.number, r.user_id, CASE WHEN u.id IS NOT NULL AND u.name_key IS NULL THEN u.name ELSE r.name END, \
                    r.at, r.words \
             FROM remarks r LEFT JOIN users u ON u.id = r.user_id \
             WHERE r.table_id = $1 AND r.number > $2 ORDER BY r.number LIMIT $3",
        )
        .bind(table.0.as_str())
        .bind(after)
        .bind(page(limit))
        .fetch_all(&self.reads)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(Remark {
                    number: row.try_get(0)?,
                    user: UserId(row.try_get(1)?),
                    name: row.try_get(2)?,
                    at: row.try_get(3)?,
                    text: row.try_get(4)?,
                })
            })
            .collect()
    }

    pub async fn last_remark(&self, table: &TableId) -> Result<i64, StoreError> {
        let row = sqlx::query("SELECT COALESCE(MAX(number), 0) FROM remarks WHERE table_id = $1")
            .bind(table.0.as_str())
            .fetch_one(&self.reads)
            .await?;
        Ok(row.try_get(0)?)
    }

    pub async fn lease(&self, name: &str, holder: &str, now: Millis, until: Millis) -> Result<bool, StoreError> {
        let query = sqlx::query(
            "INSERT INTO leases (name, holder, expires) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE \
             SET holder = excluded.holder, expires = excluded.expires \
             WHERE leases.holder = excluded.holder OR leases.expires <= $4",
        );
        let query = query.bind(name).bind(holder).bind(until).bind(now);
        Ok(query.execute(&self.writes).await?.rows_affected() > 0)
    }

    pub async fn release(&self, name: &str, holder: &str) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM leases WHERE name = $1 AND holder = $2").bind(name).bind(holder);
        query.execute(&self.writes).await?;
        Ok(())
    }
}

const RATING: &str =
    "SELECT value, deviation, volatility, games FROM ratings WHERE user_id = $1 AND game = $2 AND class = $3";

/// A rating from the first four columns.
fn rating(row: &AnyRow) -> Result<Rating, StoreError> {
    Ok(Rating {
        value: row.try_get(0)?,
        deviation: row.try_get(1)?,
        volatility: row.try_get(2)?,
        games: row.try_get::<i64, _>(3)? as u32,
    })
}
