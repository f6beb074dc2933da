//! Everything in a database, out and in again.

use futures_util::TryStreamExt as _;
use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};

use super::append::{ManyRows, insert};
use super::transaction::Transaction;
use super::{Dialect, Sql};
use crate::store::StoreError;
use crate::store::whole::{Holds, KINDS, Kind, Row};

/// How many rows are put in at once.
const TOGETHER: usize = 128;

/// What follows from the rows that were put in. In a file of a version that did not keep who was rated for a game, the
/// ratings are those from which counting begins.
const DERIVED: [&str; 2] = [
    "UPDATE tables SET counted = 1 WHERE id IN (SELECT table_id FROM rated)",
    "INSERT INTO base_ratings (user_id, game, class, value, deviation, volatility, games) \
     SELECT user_id, game, class, value, deviation, volatility, games FROM ratings \
     WHERE NOT EXISTS (SELECT 1 FROM rated_players) ON CONFLICT DO NOTHING",
];

impl Sql {
    /// Gives every row to `take`, as of one moment, in an order that does not depend on the database.
    pub async fn dump<E: From<StoreError>>(
        &self,
        secrets: bool,
        take: &mut (dyn FnMut(Row) -> Result<(), E> + Send),
    ) -> Result<(), E> {
        let begin = match self.dialect {
            Dialect::Sqlite => "BEGIN",
            Dialect::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        };
        let failed = |error: sqlx::Error| StoreError::from(error);
        let mut moment = Transaction::begin(&self.reads, begin).await.map_err(failed)?;
        for (number, kind) in KINDS.iter().enumerate().filter(|(_, kind)| secrets || !kind.secret) {
            let query = AssertSqlSafe(select(kind, self.dialect));
            let mut rows = sqlx::query(query).fetch(&mut *moment);
            while let Some(row) = rows.try_next().await.map_err(failed)? {
                take(Row { kind: number, cells: cells(kind, &row, secrets).map_err(failed)? })?;
            }
        }
        Ok(moment.rollback().await.map_err(failed)?)
    }

    /// How many rows there are of some kinds, now.
    pub async fn count(&self, counts: impl Fn(&Kind) -> bool) -> Result<u64, StoreError> {
        let mut sum = 0;
        for kind in KINDS.iter().filter(|kind| counts(kind)) {
            let query = AssertSqlSafe(format!("SELECT count(*) FROM {}", kind.table));
            let count: i64 = sqlx::query_scalar(query).fetch_one(&self.reads).await?;
            sum += count.unsigned_abs();
        }
        Ok(sum)
    }

    /// Puts all rows into an empty database, or none of them.
    pub async fn restore<E: From<StoreError>>(
        &self,
        rows: &mut (dyn Iterator<Item = Result<Row, E>> + Send),
    ) -> Result<(), E> {
        let failed = |error: sqlx::Error| StoreError::from(error);
        let mut transaction = self.begin().await.map_err(failed)?;
        for question in ["SELECT id FROM users LIMIT 1", "SELECT table_id FROM entries LIMIT 1"] {
            if sqlx::query(question).fetch_optional(&mut *transaction).await.map_err(failed)?.is_some() {
                return Err(StoreError::NotEmpty.into());
            }
        }
        let mut together: Vec<Row> = Vec::with_capacity(TOGETHER);
        loop {
            let next = rows.next().transpose()?;
            let other_kind = next.as_ref().map(|row| row.kind) != together.first().map(|row| row.kind);
            if let Some(first) = together.first().filter(|_| other_kind || together.len() == TOGETHER) {
                put(&mut transaction, &KINDS[first.kind], &together).await.map_err(failed)?;
                together.clear();
            }
            let Some(row) = next else { break };
            together.push(row);
        }
        for statement in DERIVED {
            sqlx::query(statement).execute(&mut *transaction).await.map_err(failed)?;
        }
        Ok(transaction.commit().await.map_err(failed)?)
    }
}

async fn put(connection: &mut sqlx::AnyConnection, kind: &Kind, rows: &[Row]) -> Result<(), sqlx::Error> {
    let names: Vec<&str> = kind.columns.iter().map(|column| column.name).collect();
    let head = format!("INSERT INTO {} ({}) VALUES ", kind.table, names.join(", "));
    // An empty database has its counters and moments, at the beginning.
    let tail = match kind.word {
        "counter" => " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        "moment" => " ON CONFLICT (name) DO UPDATE SET at = excluded.at",
        _ => "",
    };
    let statement = ManyRows { head: &head, columns: names.len(), tail };
    insert(connection, statement, rows, |query, row| {
        kind.columns.iter().zip(&row.cells).fold(query, |query, (column, cell)| match column.holds {
            Holds::Number => query.bind(cell.as_i64()),
            Holds::Real => query.bind(cell.as_f64()),
            Holds::Text => query.bind(cell.as_str()),
        })
    })
    .await?;
    Ok(())
}

fn select(kind: &Kind, dialect: Dialect) -> String {
    let names: Vec<&str> = kind.columns.iter().map(|column| column.name).collect();
    let key = kind.columns[..kind.key].iter().map(|column| match (dialect, column.holds) {
        // By bytes, as SQLite does, whatever the language of the database is.
        (Dialect::Postgres, Holds::Text) => format!("{} COLLATE \"C\"", column.name),
        _ => column.name.to_owned(),
    });
    let key: Vec<String> = key.collect();
    format!("SELECT {} FROM {} ORDER BY {}", names.join(", "), kind.table, key.join(", "))
}

fn cells(kind: &Kind, row: &AnyRow, secrets: bool) -> Result<Vec<Value>, sqlx::Error> {
    let columns = kind.columns.iter().enumerate();
    columns
        .map(|(at, column)| {
            Ok(match column.holds {
                Holds::Number => row.try_get::<Option<i64>, _>(at)?.into(),
                Holds::Real => row.try_get::<Option<f64>, _>(at)?.into(),
                Holds::Text if column.secret && !secrets => Value::Null,
                Holds::Text => row.try_get::<Option<String>, _>(at)?.into(),
            })
        })
        .collect()
}
