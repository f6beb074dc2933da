//! What people report, and what moderators did about it.

use quincunx_table::{Millis, TableId, UserId};
use sqlx::{query, query_as, query_scalar};

use super::people::{changed_one, next};
use super::{Sql, page};
use crate::model::{Complaint, Deed, NewReport, OwnRemark, Rating, Report, Role};
use crate::store::StoreError;

type ReportRow = (i64, Millis, i64, i64, Option<String>, String, String, Option<Millis>, Option<i64>);
type DeedRow = (i64, Millis, Option<i64>, String, Option<i64>, Option<String>, String);

macro_rules! select_reports {
    ($rest:literal) => {
        concat!("SELECT id, at, reporter, about, table_id, reason, words, closed, closed_by FROM reports ", $rest)
    };
}

impl Sql {
    pub async fn set_role(&self, id: UserId, role: Option<Role>) -> Result<(), StoreError> {
        let query = query("UPDATE users SET role = $1 WHERE id = $2 AND name_key IS NOT NULL");
        changed_one(self.write(bound!(query, role.map(Role::word), id.0)).await?)
    }

    pub async fn set_silenced(&self, id: UserId, until: Option<Millis>) -> Result<(), StoreError> {
        let query = query("UPDATE users SET silenced = $1 WHERE id = $2 AND name_key IS NOT NULL");
        changed_one(self.write(bound!(query, until, id.0)).await?)
    }

    pub async fn add_report(&self, new: NewReport) -> Result<i64, StoreError> {
        let mut transaction = self.begin().await?;
        let id = next(&mut transaction, "reports").await?;
        let query = query(
            "INSERT INTO reports (id, at, reporter, about, table_id, reason, words) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        );
        let NewReport { at, reporter, about, table, reason, words } = new;
        let table = table.map(|table| table.0);
        bound!(query, id, at, reporter.0, about.0, table, reason.word(), words).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(id)
    }

    pub async fn report(&self, id: i64) -> Result<Option<Report>, StoreError> {
        let row = query_as(select_reports!("WHERE id = $1")).bind(id).fetch_optional(&self.reads).await?;
        row.map(report).transpose()
    }

    pub async fn open_reports(&self, after: i64, limit: usize) -> Result<Vec<Report>, StoreError> {
        let query = query_as(select_reports!("WHERE closed IS NULL AND id > $1 ORDER BY id LIMIT $2"));
        bound!(query, after, page(limit)).fetch_all(&self.reads).await?.into_iter().map(report).collect()
    }

    pub async fn reports_by(&self, reporter: UserId, since: Millis, limit: usize) -> Result<Vec<Report>, StoreError> {
        let query = query_as(select_reports!("WHERE reporter = $1 AND at >= $2 ORDER BY at DESC, id DESC LIMIT $3"));
        bound!(query, reporter.0, since, page(limit)).fetch_all(&self.reads).await?.into_iter().map(report).collect()
    }

    pub async fn close_report(&self, id: i64, at: Millis, by: Option<UserId>) -> Result<bool, StoreError> {
        let query = query("UPDATE reports SET closed = $1, closed_by = $2 WHERE id = $3 AND closed IS NULL");
        Ok(self.write(bound!(query, at, by.map(|by| by.0), id)).await? > 0)
    }

    pub async fn add_deed(&self, deed: Deed) -> Result<i64, StoreError> {
        let mut transaction = self.begin().await?;
        let id = next(&mut transaction, "deeds").await?;
        let query = query(
            "INSERT INTO deeds (id, at, moderator, action, about, table_id, words) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        );
        let Deed { at, moderator, action, about, table, words, .. } = deed;
        let (moderator, about, table) =
            (moderator.map(|user| user.0), about.map(|user| user.0), table.map(|table| table.0));
        bound!(query, id, at, moderator, action, about, table, words).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(id)
    }

    pub async fn deeds(&self, before: Option<i64>, limit: usize) -> Result<Vec<Deed>, StoreError> {
        let query = query_as(
            "SELECT id, at, moderator, action, about, table_id, words FROM deeds WHERE id < $1 ORDER BY id DESC LIMIT $2",
        );
        let rows: Vec<DeedRow> = bound!(query, before.unwrap_or(i64::MAX), page(limit)).fetch_all(&self.reads).await?;
        Ok(rows
            .into_iter()
            .map(|(id, at, moderator, action, about, table, words)| Deed {
                id,
                at,
                moderator: moderator.map(UserId),
                action,
                about: about.map(UserId),
                table: table.map(TableId),
                words,
            })
            .collect())
    }

    pub async fn remarks_of(&self, user: UserId, skip: u64, limit: usize) -> Result<Vec<OwnRemark>, StoreError> {
        let query = query_as(
            "SELECT table_id, at, words FROM remarks WHERE user_id = $1 ORDER BY at, table_id, number LIMIT $2 OFFSET $3",
        );
        let rows: Vec<(String, Millis, String)> =
            bound!(query, user.0, page(limit), skip as i64).fetch_all(&self.reads).await?;
        Ok(rows.into_iter().map(|(table, at, text)| OwnRemark { table: TableId(table), at, text }).collect())
    }

    pub async fn annul(&self, table: &TableId) -> Result<bool, StoreError> {
        // A game that nobody was rated for has changed no rating.
        let query = query("DELETE FROM rated_players WHERE table_id = $1");
        Ok(self.write(query.bind(&*table.0)).await? > 0)
    }

    pub async fn replace_ratings(
        &self,
        game: &str,
        class: &str,
        ratings: Vec<(UserId, Rating)>,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        let query = query("DELETE FROM ratings WHERE game = $1 AND class = $2");
        bound!(query, game, class).execute(&mut *transaction).await?;
        for (user, Rating { value, deviation, volatility, games }) in ratings {
            let known: Option<i64> = query_scalar("SELECT id FROM users WHERE id = $1 AND name_key IS NOT NULL")
                .bind(user.0)
                .fetch_optional(&mut *transaction)
                .await?;
            if known.is_some() {
                let query = sqlx::query(
                    "INSERT INTO ratings (user_id, game, class, value, deviation, volatility, games) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7)",
                );
                let query = bound!(query, user.0, game, class, value, deviation, volatility, i64::from(games));
                query.execute(&mut *transaction).await?;
            }
        }
        Ok(transaction.commit().await?)
    }
}

fn report(row: ReportRow) -> Result<Report, StoreError> {
    let (id, at, reporter, about, table, word, words, closed, closed_by) = row;
    let reason =
        Complaint::from_word(&word).ok_or_else(|| StoreError::Unreadable(format!("a report because of {word:?}")))?;
    let (reporter, about, table) = (UserId(reporter), UserId(about), table.map(TableId));
    let report = NewReport { at, reporter, about, table, reason, words };
    Ok(Report { id, report, closed, closed_by: closed_by.map(UserId) })
}
