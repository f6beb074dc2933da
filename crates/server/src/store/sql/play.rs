//! What belongs to play beside the logs: ratings, talk, and the right to be the only one who does something.

use quincunx_table::protocol::Remark;
use quincunx_table::{Millis, Status, TableId, UserId, UserKind};
use sqlx::{AnyConnection, query, query_as, query_scalar};

use super::people::{kind, known, next};
use super::transaction::Borrowed;
use super::{Sql, page};
use crate::model::{CountedGame, Ranked, RatedAt, Rating, RatingOf, Standing};
use crate::store::{KNOWN_WELL, LATELY, StoreError};

impl Sql {
    pub async fn rating(&self, user: UserId, game: &str, class: &str) -> Result<Option<Rating>, StoreError> {
        let row = bound!(query_as(RATING), user.0, game, class).fetch_optional(&self.reads).await?;
        Ok(row.map(rating))
    }

    pub async fn number_endings(&self) -> Result<(), StoreError> {
        // Nearly always somebody has done it already, and nothing has to be locked.
        let waiting = "SELECT id FROM tables WHERE rated = 1 AND status = $1 AND counted = 0 AND ended IS NULL \
                       ORDER BY changed, id";
        let finished = Status::Finished.word();
        if query(waiting).bind(finished).fetch_optional(&self.reads).await?.is_none() {
            return Ok(());
        }
        let mut transaction = self.begin().await?;
        // Whoever has the counter numbers alone.
        let mut number: i64 = next(&mut transaction, "endings").await?;
        let tables: Vec<String> = query_scalar(waiting).bind(finished).fetch_all(&mut *transaction).await?;
        for table in &tables {
            let query = query("UPDATE tables SET ended = $1 WHERE id = $2");
            bound!(query, number, &**table).execute(&mut *transaction).await?;
            number += 1;
        }
        let query = query("UPDATE counters SET value = $1 WHERE name = $2");
        bound!(query, number - 1, "endings").execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    pub async fn uncounted(&self, after: i64, limit: usize) -> Result<Vec<(i64, TableId)>, StoreError> {
        let query = query_as(
            "SELECT ended, id FROM tables WHERE rated = 1 AND status = $1 AND counted = 0 AND ended > $2 \
             ORDER BY ended LIMIT $3",
        );
        let rows: Vec<(i64, String)> =
            bound!(query, Status::Finished.word(), after, page(limit)).fetch_all(&self.reads).await?;
        Ok(rows.into_iter().map(|(number, table)| (number, TableId(table))).collect())
    }

    pub async fn counted(&self, after: i64, limit: usize) -> Result<Vec<CountedGame>, StoreError> {
        let query = query_as(
            "SELECT ended, id FROM tables t WHERE rated = 1 AND status = $1 AND counted = 1 AND ended > $2 \
             AND EXISTS (SELECT 1 FROM rated_players p WHERE p.table_id = t.id) ORDER BY ended LIMIT $3",
        );
        let rows: Vec<(i64, String)> =
            bound!(query, Status::Finished.word(), after, page(limit)).fetch_all(&self.reads).await?;
        let mut games = Vec::with_capacity(rows.len());
        for (number, table) in rows {
            let query = query_scalar("SELECT user_id FROM rated_players WHERE table_id = $1 AND gone = 1");
            let gone: Vec<i64> = query.bind(&*table).fetch_all(&self.reads).await?;
            games.push(CountedGame { number, table: TableId(table), gone: gone.into_iter().map(UserId).collect() });
        }
        Ok(games)
    }

    pub async fn rate(
        &self,
        table: &TableId,
        game: &str,
        class: &str,
        at: Millis,
        users: &[UserId],
        new_ratings: impl FnOnce(&Standing) -> Vec<Rating> + Send,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.begin().await?;
        let count = query("INSERT INTO rated (table_id) VALUES ($1) ON CONFLICT DO NOTHING").bind(&*table.0);
        let counted = query("UPDATE tables SET counted = 1 WHERE id = $1").bind(&*table.0);
        if count.execute(&mut *transaction).await?.rows_affected() == 0 {
            // A game that was counted elsewhere came here after that.
            counted.execute(&mut *transaction).await?;
            transaction.commit().await?;
            return Ok(false);
        }
        let earlier = query(
            "SELECT 1 FROM tables e JOIN tables t ON t.id = $1 WHERE e.rated = 1 AND e.status = $2 AND e.counted = 0 \
             AND e.game = t.game AND e.clock = t.clock AND e.ended < t.ended LIMIT 1",
        );
        let earlier = bound!(earlier, &*table.0, Status::Finished.word());
        if earlier.fetch_optional(&mut *transaction).await?.is_some() {
            transaction.rollback().await?;
            return Err(StoreError::TooEarly);
        }
        counted.execute(&mut *transaction).await?;
        // In the order of their numbers, so that two tables with the same players do not wait for each other.
        let mut in_order = users.to_vec();
        in_order.sort_unstable();
        in_order.dedup();
        let mut here = Vec::new();
        for user in &in_order {
            match known(&mut transaction, *user).await {
                Ok(()) => here.push(*user),
                Err(StoreError::NoSuchUser) => {}
                Err(error) => return Err(error),
            }
        }
        let standing = standing(&mut transaction, game, class, at, users).await?;
        for user in in_order {
            let query = query(
                "INSERT INTO rated_players (table_id, user_id, game, class, at, gone) VALUES ($1, $2, $3, $4, $5, $6)",
            );
            let gone = i64::from(!here.contains(&user));
            bound!(query, &*table.0, user.0, game, class, at, gone).execute(&mut *transaction).await?;
        }
        for (user, new) in users.iter().zip(new_ratings(&standing)).filter(|(user, _)| here.contains(user)) {
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

    pub async fn all_ratings(&self) -> Result<Vec<RatingOf>, StoreError> {
        let statement = "SELECT user_id, game, class, value, deviation, volatility, games FROM ratings ORDER BY user_id, game, class";
        Ok(ratings(query_as(statement).fetch_all(&self.reads).await?))
    }

    pub async fn base_ratings(&self) -> Result<Vec<RatingOf>, StoreError> {
        let statement = "SELECT user_id, game, class, value, deviation, volatility, games FROM base_ratings \
                         ORDER BY user_id, game, class";
        Ok(ratings(query_as(statement).fetch_all(&self.reads).await?))
    }

    pub async fn leaderboard(
        &self,
        game: &str,
        class: &str,
        bots: bool,
        now: Millis,
        limit: usize,
    ) -> Result<Vec<Ranked>, StoreError> {
        let query = query_as(
            "SELECT r.value, r.deviation, r.volatility, r.games, u.id, u.name, u.kind \
             FROM ratings r JOIN users u ON u.id = r.user_id LEFT JOIN users o ON o.id = u.owner \
             WHERE r.game = $1 AND r.class = $2 AND r.deviation <= $3 AND (u.kind = $4) = (1 = $5) \
             AND COALESCE(u.banned, $6) <= $6 AND COALESCE(o.banned, $6) <= $6 \
             ORDER BY r.value DESC, u.id LIMIT $7",
        );
        let bots = i64::from(bots);
        let query = bound!(query, game, class, KNOWN_WELL, UserKind::Bot.word(), bots, now, page(limit));
        let rows: Vec<(f64, f64, f64, i64, i64, String, String)> = query.fetch_all(&self.reads).await?;
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

/// How those who played stood before their game, in a transaction in which nobody else changes it.
async fn standing(
    connection: &mut AnyConnection,
    game: &str,
    class: &str,
    at: Millis,
    users: &[UserId],
) -> Result<Standing, sqlx::Error> {
    let mut ratings = Vec::with_capacity(users.len());
    for user in users {
        let query = bound!(query_as(RATING), user.0, game, class);
        ratings.push(query.fetch_optional(&mut *connection).await?.map(rating));
    }
    let mut met = vec![vec![0; users.len()]; users.len()];
    for (one, first) in users.iter().enumerate() {
        for (other, second) in users.iter().enumerate().take(one) {
            let query = query_scalar(
                "SELECT COUNT(*) FROM rated_players a JOIN rated_players b ON b.table_id = a.table_id \
                 WHERE a.user_id = $1 AND b.user_id = $2 AND a.game = $3 AND a.class = $4 AND a.at > $5",
            );
            let query = bound!(query, first.0, second.0, game, class, at - LATELY);
            let count: i64 = query.fetch_one(&mut *connection).await?;
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            (met[one][other], met[other][one]) = (count, count);
        }
    }
    Ok(Standing { ratings, met })
}

type RatingRow = (i64, String, String, f64, f64, f64, i64);

fn ratings(rows: Vec<RatingRow>) -> Vec<RatingOf> {
    let rows = rows.into_iter().map(|(user, game, class, value, deviation, volatility, games)| {
        let rating = rating((value, deviation, volatility, games));
        RatingOf { user: UserId(user), at: RatedAt { game, class, rating } }
    });
    rows.collect()
}

const RATING: &str =
    "SELECT value, deviation, volatility, games FROM ratings WHERE user_id = $1 AND game = $2 AND class = $3";

fn rating((value, deviation, volatility, games): (f64, f64, f64, i64)) -> Rating {
    Rating { value, deviation, volatility, games: games as u32 }
}
