//! Reading logs, and finding tables.

use std::fmt::Write as _;

use quincunx_table::protocol::{Listing, Sitting};
use quincunx_table::{Entry, Status, TableId, UserId};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{Any, Arguments as _, AssertSqlSafe, Encode, Row as _, Type, query_as, query_as_with, query_scalar};

use super::{Sql, page};
use crate::model::KeptSeats;
use crate::store::{LONGEST_PAGE, StoreError, TableFilter};

impl Sql {
    pub async fn entries(&self, table: &TableId, from: u64, most: usize) -> Result<Vec<Entry>, StoreError> {
        let Ok(from) = i64::try_from(from) else { return Ok(Vec::new()) };
        let query = query_as(
            "SELECT seq, at, user_id, command, event FROM entries WHERE table_id = $1 AND seq >= $2 ORDER BY seq LIMIT $3",
        );
        let rows =
            bound!(query, &*table.0, from, i64::try_from(most).unwrap_or(i64::MAX)).fetch_all(&self.reads).await?;
        let entry = |(seq, at, by, command, event): (i64, _, Option<i64>, _, _)| Entry {
            seq: seq as u64,
            at,
            by: by.map(UserId),
            command,
            event,
        };
        Ok(rows.into_iter().map(entry).collect())
    }

    pub async fn versions(&self, tables: &[TableId]) -> Result<Vec<(TableId, u64)>, StoreError> {
        let mut versions = Vec::with_capacity(tables.len());
        for some in tables.chunks(LONGEST_PAGE) {
            // One look into the index of the entries for each table, however long its log is.
            let mut question = Question::new(
                "SELECT t.id, (SELECT MAX(e.seq) + 1 FROM entries e WHERE e.table_id = t.id) FROM tables t WHERE t.id IN (",
            );
            for (number, table) in some.iter().enumerate() {
                question.text.push_str(if number > 0 { ", " } else { "" });
                question.bind(table.0.as_str());
            }
            question.text.push(')');
            let query = query_as_with(AssertSqlSafe(question.text), question.arguments);
            let rows: Vec<(String, Option<i64>)> = query.fetch_all(&self.reads).await?;
            versions.extend(rows.into_iter().map(|(table, lines)| (TableId(table), lines.unwrap_or(0) as u64)));
        }
        Ok(versions)
    }

    pub async fn summary(&self, table: &TableId) -> Result<Option<Listing>, StoreError> {
        let mut question = Question::new("WHERE t.id = ");
        question.bind(table.0.as_str());
        Ok(self.summaries(question, 1).await?.pop())
    }

    pub async fn tables(&self, filter: &TableFilter) -> Result<Vec<Listing>, StoreError> {
        self.summaries(question(filter), page(filter.limit)).await
    }

    pub async fn running(&self, after: Option<&TableId>, limit: usize) -> Result<Vec<TableId>, StoreError> {
        let statement = "SELECT id FROM tables WHERE status = $1 AND id > $2 ORDER BY id LIMIT $3";
        self.ids(statement, Status::Playing, after, limit).await
    }

    pub async fn tables_in_use(&self, user: UserId) -> Result<u64, StoreError> {
        let query = query_scalar(
            "SELECT COUNT(*) FROM (SELECT t.id FROM tables t WHERE t.host = $1 AND t.status IN ($2, $3) \
             UNION SELECT t.id FROM seats s JOIN tables t ON t.id = s.table_id \
             WHERE s.user_id = $1 AND t.status IN ($2, $3)) AS used",
        );
        let count: i64 =
            bound!(query, user.0, Status::Open.word(), Status::Playing.word()).fetch_one(&self.reads).await?;
        Ok(count.unsigned_abs())
    }

    pub async fn kept_seats(&self, user: UserId, host: UserId) -> Result<KeptSeats, StoreError> {
        let query = query_as(
            "SELECT COUNT(*), COALESCE(SUM(CASE WHEN t.host = $1 THEN 1 ELSE 0 END), 0) \
             FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.kept_for = $2 AND t.status = $3",
        );
        let (in_all, by_host): (i64, i64) =
            bound!(query, host.0, user.0, Status::Open.word()).fetch_one(&self.reads).await?;
        Ok(KeptSeats { in_all: in_all.unsigned_abs(), by_host: by_host.unsigned_abs() })
    }

    /// A page of the tables with a status.
    async fn ids(
        &self,
        statement: &'static str,
        status: Status,
        after: Option<&TableId>,
        limit: usize,
    ) -> Result<Vec<TableId>, StoreError> {
        let after = after.map_or("", |after| after.0.as_str());
        let query = bound!(query_scalar(statement), status.word(), after, page(limit));
        Ok(query.fetch_all(&self.reads).await?.into_iter().map(TableId).collect())
    }

    /// The newest tables that answer a question, with a row for each of their seats.
    async fn summaries(&self, mut question: Question, limit: i64) -> Result<Vec<Listing>, StoreError> {
        question.text.push_str(" ORDER BY t.changed DESC, t.id DESC LIMIT ");
        question.bind(limit);
        let text = format!(
            "SELECT t.id, t.game, t.options, t.status, t.public, t.rated, t.clock, t.created, t.changed, t.winners, \
                    s.seat, s.user_id, CASE WHEN u.id IS NOT NULL AND u.name_key IS NULL THEN u.name ELSE s.name END, \
                    s.kept_for, t.host \
             FROM (SELECT t.* FROM tables t {}) AS t \
             LEFT JOIN seats s ON s.table_id = t.id \
             LEFT JOIN users u ON u.id = s.user_id \
             ORDER BY t.changed DESC, t.id DESC, s.seat",
            question.text
        );
        let rows = sqlx::query_with(AssertSqlSafe(text), question.arguments).fetch_all(&self.reads).await?;
        let mut tables: Vec<Listing> = Vec::new();
        for row in &rows {
            if tables.last().is_none_or(|table| row.try_get(0).ok() != Some(table.table.0.as_str())) {
                tables.push(table(row)?);
            }
            let table = tables.last_mut().expect("one was just put there");
            if row.try_get::<Option<i64>, _>(10)?.is_some() {
                let user = row.try_get::<Option<i64>, _>(11)?.map(UserId);
                table.seats.push(row.try_get::<Option<String>, _>(12)?.map(|name| Sitting { user, name }));
                table.kept.push(row.try_get::<Option<i64>, _>(13)?.map(UserId));
            }
        }
        Ok(tables)
    }
}

/// A table without its seats.
fn table(row: &AnyRow) -> Result<Listing, StoreError> {
    let status: &str = row.try_get(3)?;
    let winners: Option<&str> = row.try_get(9)?;
    Ok(Listing {
        table: TableId(row.try_get(0)?),
        host: row.try_get::<Option<i64>, _>(14)?.map(UserId),
        game: row.try_get(1)?,
        options: serde_json::from_str(row.try_get(2)?).unwrap_or_default(),
        status: Status::from_word(status).ok_or_else(|| StoreError::Unreadable(format!("the status {status:?}")))?,
        public: row.try_get::<i64, _>(4)? != 0,
        rated: row.try_get::<i64, _>(5)? != 0,
        clock: row.try_get(6)?,
        created: row.try_get(7)?,
        changed: row.try_get(8)?,
        seats: Vec::new(),
        kept: Vec::new(),
        winners: winners
            .map(serde_json::from_str)
            .transpose()
            .map_err(|error| StoreError::Unreadable(format!("the winners of a game: {error}")))?,
    })
}

/// The end of a statement that is put together from what someone asks for, and the values in it.
struct Question {
    text: String,
    arguments: AnyArguments,
}

impl Question {
    fn new(text: &str) -> Self {
        Self { text: text.to_owned(), arguments: AnyArguments::default() }
    }

    /// Adds a parameter. Values never become part of the text.
    fn bind<'t, T: Encode<'t, Any> + Type<Any>>(&mut self, value: T) {
        self.arguments.add(value).expect("numbers and texts can always be encoded");
        write!(self.text, "${}", self.arguments.len()).expect("writing to a string does not fail");
    }

    fn and<'t, T: Encode<'t, Any> + Type<Any>>(&mut self, condition: &str, value: Option<T>) {
        if let Some(value) = value {
            self.text.push_str(condition);
            self.bind(value);
        }
    }
}

fn question(filter: &TableFilter) -> Question {
    let mut question = Question::new("WHERE 1 = 1");
    question.and(" AND t.status = ", filter.status.map(Status::word));
    question.and(" AND t.public = ", filter.public.map(i64::from));
    question.and(" AND t.game = ", filter.game.as_deref());
    question.and(" AND t.changed >= ", filter.changed_from);
    question.and(" AND t.changed < ", filter.changed_before);
    if let Some(after) = &filter.after {
        question.text.push_str(" AND (t.changed, t.id) < (");
        question.bind(after.changed);
        question.text.push_str(", ");
        question.bind(after.id.0.as_str());
        question.text.push(')');
    }
    if let Some(player) = filter.player {
        // A list of the player's tables, instead of a look at the seats of every table.
        question.text.push_str(" AND t.id IN (SELECT p.table_id FROM seats p");
        question.and(
            " JOIN seats o ON o.table_id = p.table_id AND o.seat <> p.seat AND o.user_id = ",
            player.opponent.map(|opponent| opponent.0),
        );
        question.text.push_str(" WHERE (p.user_id = ");
        question.bind(player.user.0);
        question.text.push_str(" OR p.kept_for = ");
        question.bind(player.user.0);
        question.text.push(')');
        question.and(" AND p.result = ", player.result.map(crate::model::GameResult::word));
        question.text.push(')');
    }
    question
}
