//! What belongs to play beside the logs: ratings, talk, and the right to be the only one who does something.

use quincunx_table::protocol::Remark;
use quincunx_table::{Millis, TableId, UserId};
use sqlx::{query, query_as, query_scalar};

use super::people::{kind, known};
use super::transaction::Borrowed;
use super::{Sql, page};
use crate::model::{Ranked, RatedAt, Rating};
use crate::store::StoreError;

impl Sql {
    pub async fn rating(&self, user: UserId, game: &str, class: &str) -> Result<Option<Rating>, StoreError> {
        let row = bound!(query_as(RATING), user.0, game, class).fetch_optional(&self.reads).await?;
        Ok(row.map(rating))
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
        let count = query("INSERT INTO rated (table_id) VALUES ($1) ON CONFLICT DO NOTHING").bind(&*table.0);
        if count.execute(&mut *transaction).await?.rows_affected() == 0 {
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
            let query = bound!(query_as(RATING), user.0, game, class);
            old.push(query.fetch_optional(&mut *transaction).await?.map(rating));
        }
        for (user, new) in users.iter().zip(new_ratings(&old)).filter(|(user, _)| here.contains(user)) {
            let query = query(
                "INSERT INTO ratings (user_id, game, class, value, deviation, volatility, games) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (user_id, game, class) DO UPDATE \
                 SET value = excluded.value, deviation = excluded.deviation, volatility = excluded.volatility, \
                     games = excluded.games",
            );
            let Rating { value, deviation, volatility, games } = new;
            let query = bound!(query, user.0, game, class, value, deviation, volatility, i64::from(games));
            query.execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    pub async fn leaderboard(&self, game: &str, class: &str, limit: usize) -> Result<Vec<Ranked>, StoreError> {
        let query = query_as(
            "SELECT r.value, r.deviation, r.volatility, r.games, u.id, u.name, u.kind \
             FROM ratings r JOIN users u ON u.id = r.user_id \
             WHERE r.game = $1 AND r.class = $2 ORDER BY r.value DESC, u.id LIMIT $3",
        );
        let rows: Vec<(f64, f64, f64, i64, i64, String, String)> =
            bound!(query, game, class, page(limit)).fetch_all(&self.reads).await?;
        rows.into_iter()
            .map(|(value, deviation, volatility, games, user, name, word)| {
                let rating = rating((value, deviation, volatility, games));
                Ok(Ranked { user: UserId(user), name, kind: kind(&word)?, rating })
            })
            .collect()
    }

    pub async fn ratings_of(&self, user: UserId) -> Result<Vec<RatedAt>, StoreError> {
        let query = query_as(
            "SELECT value, deviation, volatility, games, game, class FROM ratings WHERE user_id = $1 ORDER BY game, class",
        );
        let rows: Vec<(f64, f64, f64, i64, String, String)> = query.bind(user.0).fetch_all(&self.reads).await?;
        let rows = rows.into_iter().map(|(value, deviation, volatility, games, game, class)| RatedAt {
            game,
            class,
            rating: rating((value, deviation, volatility, games)),
        });
        Ok(rows.collect())
    }

    pub async fn add_remark(
        &self,
        table: &TableId,
        user: UserId,
        name: &str,
        at: Millis,
        text: &str,
        spectator: bool,
    ) -> Result<i64, StoreError> {
        // Of several who take the same number one gets it, and the others take the next.
        loop {
            let query = query_scalar(
                "INSERT INTO remarks (table_id, number, user_id, name, at, words, spectator) \
                 SELECT $1, COALESCE(MAX(number), 0) + 1, $2, $3, $4, $5, $6 FROM remarks WHERE table_id = $1 \
                 ON CONFLICT DO NOTHING RETURNING number",
            );
            let query = bound!(query, &*table.0, user.0, name, at, text, i64::from(spectator));
            let mut connection = Borrowed::from(&self.writes).await?;
            let number = query.fetch_optional(&mut *connection).await?;
            connection.give_back();
            if let Some(number) = number {
                return Ok(number);
            }
        }
    }

    pub async fn remarks(&self, table: &TableId, after: i64, limit: usize) -> Result<Vec<Remark>, StoreError> {
        let query = query_as(
            "SELECT r.number, r.user_id, CASE WHEN u.id IS NOT NULL AND u.name_key IS NULL THEN u.name ELSE r.name END, \
                    r.at, r.words, r.spectator \
             FROM remarks r LEFT JOIN users u ON u.id = r.user_id \
             WHERE r.table_id = $1 AND r.number > $2 ORDER BY r.number LIMIT $3",
        );
        let rows: Vec<(i64, i64, String, Millis, String, Option<i64>)> =
            bound!(query, &*table.0, after, page(limit)).fetch_all(&self.reads).await?;
        let remark = |(number, user, name, at, text, spectator)| Remark {
            number,
            user: UserId(user),
            name,
            at,
            text,
            spectator: spectator == Some(1),
        };
        Ok(rows.into_iter().map(remark).collect())
    }

    pub async fn last_remark(&self, table: &TableId) -> Result<i64, StoreError> {
        let query = query_scalar("SELECT COALESCE(MAX(number), 0) FROM remarks WHERE table_id = $1").bind(&*table.0);
        Ok(query.fetch_one(&self.reads).await?)
    }

    pub async fn lease(&self, name: &str, holder: &str, now: Millis, until: Millis) -> Result<bool, StoreError> {
        let query = query(
            "INSERT INTO leases (name, holder, expires) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE \
             SET holder = excluded.holder, expires = excluded.expires \
             WHERE leases.holder = excluded.holder OR leases.expires <= $4",
        );
        Ok(self.write(bound!(query, name, holder, until, now)).await? > 0)
    }

    pub async fn release(&self, name: &str, holder: &str) -> Result<(), StoreError> {
        let query = query("DELETE FROM leases WHERE name = $1 AND holder = $2");
        self.write(bound!(query, name, holder)).await.map(drop)
    }

    pub async fn moment(&self, name: &str) -> Result<Option<Millis>, StoreError> {
        Ok(query_scalar("SELECT at FROM moments WHERE name = $1").bind(name).fetch_optional(&self.reads).await?)
    }

    pub async fn set_moment(&self, name: &str, at: Millis) -> Result<(), StoreError> {
        let query =
            query("INSERT INTO moments (name, at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET at = excluded.at");
        self.write(bound!(query, name, at)).await.map(drop)
    }
}

const RATING: &str =
    "SELECT value, deviation, volatility, games FROM ratings WHERE user_id = $1 AND game = $2 AND class = $3";

fn rating((value, deviation, volatility, games): (f64, f64, f64, i64)) -> Rating {
    Rating { value, deviation, volatility, games: games as u32 }
}
