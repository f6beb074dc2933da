//! The names of people, wherever they stand: how they look, and what they are replaced by.

use quincunx_table::{Event, UserId};
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, query, query_as};

use super::Sql;
use super::people::{changed_one, known};
use crate::store::name;
use crate::store::{AddUserError, StoreError};

/// A line of a log in which somebody takes a seat by name.
#[derive(Debug)]
pub(super) struct Join {
    table: String,
    seq: i64,
    event: Event,
}

/// How many users are looked at at once.
const PAGE: i64 = 1000;

/// Works out how names look that were kept before anybody asked. Of several that look alike the oldest is noted.
pub(super) async fn note_looks(pool: &AnyPool) -> Result<(), StoreError> {
    let mut after = 0_i64;
    loop {
        let query = query_as(
            "SELECT id, name FROM users WHERE look IS NULL AND name_key IS NOT NULL AND id > $1 ORDER BY id LIMIT $2",
        );
        let page: Vec<(i64, String)> = bound!(query, after, PAGE).fetch_all(pool).await?;
        let Some(&(last, _)) = page.last() else { return Ok(()) };
        after = last;
        for (id, name) in page {
            let query = sqlx::query(
                "UPDATE users SET look = $1 WHERE id = $2 AND NOT EXISTS (SELECT 1 FROM users o WHERE o.look = $1)",
            );
            bound!(query, name::look(&name), id).execute(pool).await?;
        }
    }
}

/// Calls a user otherwise where lists show seats, and in the talk.
pub(super) async fn call_in_games(connection: &mut AnyConnection, user: i64, name: &str) -> Result<(), sqlx::Error> {
    for statement in
        ["UPDATE seats SET name = $1 WHERE user_id = $2", "UPDATE remarks SET name = $1 WHERE user_id = $2"]
    {
        bound!(query(statement), name, user).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Writes another name into lines of logs. Nothing else follows from a name.
pub(super) async fn rewrite(connection: &mut AnyConnection, joins: &[Join], name: &str) -> Result<(), sqlx::Error> {
    for Join { table, seq, event } in joins {
        let Event::Joined { seat, user, .. } = event else { continue };
        let event = Event::Joined { seat: *seat, user: *user, name: name.to_owned() };
        let text = serde_json::to_string(&event).expect("events are plain data with text keys");
        let query = query("UPDATE entries SET event = $1 WHERE table_id = $2 AND seq = $3");
        bound!(query, text, table.as_str(), *seq).execute(&mut *connection).await?;
    }
    Ok(())
}

impl Sql {
    /// Where users have taken seats: by their own commands, and in imported games.
    ///
    /// The logs have no index by user, as that would cost every move: this reads all of them, outside of any transaction.
    /// It happens when somebody is deleted or renamed.
    pub(super) async fn joins_of(&self, users: &[UserId]) -> Result<Vec<Join>, StoreError> {
        let ids: Vec<String> = users.iter().map(|user| user.0.to_string()).collect();
        let ids = ids.join(", ");
        let text = format!(
            "SELECT table_id, seq, event FROM entries WHERE event LIKE '{{\"type\":\"joined\"%' AND (user_id IN ({ids}) \
             OR (user_id IS NULL AND table_id IN (SELECT table_id FROM seats WHERE user_id IN ({ids}))))"
        );
        let rows: Vec<(String, i64, String)> = query_as(AssertSqlSafe(text)).fetch_all(&self.reads).await?;
        let mut joins = Vec::new();
        for (table, seq, event) in rows {
            let event = serde_json::from_str(&event)
                .map_err(|error| StoreError::Unreadable(format!("line {seq} of table {table}: {error}")))?;
            if matches!(&event, Event::Joined { user, .. } if users.contains(user)) {
                joins.push(Join { table, seq, event });
            }
        }
        Ok(joins)
    }

    pub async fn rename(&self, id: UserId, new: &str) -> Result<(), AddUserError> {
        let joins = self.joins_of(&[id]).await?;
        let mut transaction = self.begin().await?;
        known(&mut transaction, id).await?;
        if !self.name_is_free(&mut transaction, id, new).await? {
            transaction.rollback().await?;
            return Err(AddUserError::NameTaken);
        }
        let query = query("UPDATE users SET name = $1, name_key = $2, look = $3 WHERE id = $4");
        bound!(query, new, name::key(new), name::look(new), id.0).execute(&mut *transaction).await?;
        call_in_games(&mut transaction, id.0, new).await?;
        rewrite(&mut transaction, &joins, new).await?;
        Ok(transaction.commit().await?)
    }

    pub async fn make_account(&self, id: UserId, hash: &str) -> Result<(), StoreError> {
        let query = query(
            "UPDATE users SET kind = 'account', password = $1 WHERE id = $2 AND kind = 'guest' AND name_key IS NOT NULL",
        );
        changed_one(self.write(bound!(query, hash, id.0)).await?)
    }

    async fn name_is_free(&self, connection: &mut AnyConnection, id: UserId, new: &str) -> Result<bool, sqlx::Error> {
        if name::reserved(&name::key(new)) {
            return Ok(false);
        }
        let query = query("SELECT id FROM users WHERE (name_key = $1 OR look = $2) AND id <> $3");
        let taken = bound!(query, name::key(new), name::look(new), id.0).fetch_optional(connection).await?;
        Ok(taken.is_none())
    }
}
