//! Adding to logs. Hundreds of tables append a line each, and a commit waits for the disk: so one task writes whatever has
//! come together in the meantime as one transaction, and those who wait share the wait.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quincunx_table::protocol::Listing;
use quincunx_table::{Entry, TableId};
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe};
use tokio::sync::{Mutex, Notify, mpsc, oneshot};
use tokio::task::JoinHandle;

use super::transaction::Transaction;
use super::{Dialect, Sql, begin};
use crate::model::GameResult;
use crate::store::{AppendError, StoreError};

/// How many appends are one transaction at most.
const TOGETHER: usize = 256;
/// How many appends can be waiting for the next transaction; more wait to wait.
const WAITING: usize = 1024;
/// How many rows are one statement at most. Rows are written in powers of two, so that there are few different statements, and
/// each is prepared once.
const ROWS: usize = 128;

/// The side of those who append.
pub(super) struct Appender {
    queue: mpsc::Sender<Append>,
    stop: Arc<Notify>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

struct Append {
    work: Work,
    done: oneshot::Sender<Result<(), AppendError>>,
}

struct Work {
    table: TableId,
    entries: Vec<Entry>,
    summary: Option<Listing>,
}

impl Appender {
    pub fn start(pool: AnyPool, dialect: Dialect) -> Self {
        let (queue, waiting) = mpsc::channel(WAITING);
        let stop = Arc::new(Notify::new());
        let writer = Writer { pool, dialect, waiting, stop: stop.clone(), trouble: Trouble::default() };
        Self { queue, stop, writer: Mutex::new(Some(tokio::spawn(writer.run()))) }
    }

    /// Takes no more, and waits until everything taken is written.
    pub async fn close(&self) {
        self.stop.notify_one();
        if let Some(writer) = self.writer.lock().await.take() {
            // It does not panic, and nobody aborts it but the end of the runtime.
            let _ = writer.await;
        }
    }
}

impl Sql {
    pub async fn append(
        &self,
        table: &TableId,
        entries: Vec<Entry>,
        summary: Option<Listing>,
    ) -> Result<(), AppendError> {
        if entries.iter().any(|entry| i64::try_from(entry.seq).is_err()) {
            return Err(StoreError::Failed("the number of an entry is too large".to_owned()).into());
        }
        let (done, answer) = oneshot::channel();
        let work = Work { table: table.clone(), entries, summary };
        self.appender.queue.send(Append { work, done }).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }
}

/// The side that writes. It ends when the last appender is gone or was closed, and the queue is empty.
struct Writer {
    pool: AnyPool,
    dialect: Dialect,
    waiting: mpsc::Receiver<Append>,
    stop: Arc<Notify>,
    trouble: Trouble,
}

impl Writer {
    async fn run(mut self) {
        let mut taken = Vec::with_capacity(TOGETHER);
        loop {
            tokio::select! {
                count = self.waiting.recv_many(&mut taken, TOGETHER) => if count == 0 {
                    return;
                },
                () = self.stop.notified() => {
                    self.waiting.close();
                    continue;
                }
            }
            let (work, done): (Vec<Work>, Vec<_>) = taken.drain(..).map(|append| (append.work, append.done)).unzip();
            for (done, answer) in done.into_iter().zip(self.write(&work).await) {
                // Who has gone away does not need the answer.
                let _ = done.send(answer);
            }
        }
    }

    /// Writes all work, and gives an answer for each.
    async fn write(&mut self, work: &[Work]) -> Vec<Result<(), AppendError>> {
        let answers = self.try_to_write(work).await.unwrap_or_else(|error| vec![Err(error.into()); work.len()]);
        let failure = answers.iter().find_map(|answer| match answer {
            Err(AppendError::Failed(error)) => Some(error),
            _ => None,
        });
        match (failure, self.trouble.note(failure.map(|_| work.len()), Instant::now())) {
            (Some(error), Some(failed)) => tracing::error!(%error, failed, "what happens at tables cannot be written"),
            (None, Some(failed)) => tracing::info!(failed, "what happens at tables can be written again"),
            (_, None) => {}
        }
        answers
    }

    async fn try_to_write(&self, work: &[Work]) -> Result<Vec<Result<(), AppendError>>, sqlx::Error> {
        let transaction = begin(&self.pool, self.dialect).await?;
        match write_together(transaction, work).await {
            Ok(true) => Ok(vec![Ok(()); work.len()]),
            Ok(false) if work.len() == 1 => Ok(vec![Err(AppendError::Taken)]),
            // Somebody's numbers are taken, or somebody's work does not suit the database: that is no one else's fault.
            Ok(false) => self.write_apart(work).await,
            Err(sqlx::Error::Database(_)) if work.len() > 1 => self.write_apart(work).await,
            Err(error) => Err(error),
        }
    }

    /// Writes in one transaction all that can be written, each for itself, table by table.
    async fn write_apart(&self, work: &[Work]) -> Result<Vec<Result<(), AppendError>>, sqlx::Error> {
        let mut transaction = begin(&self.pool, self.dialect).await?;
        let mut answers = vec![Ok(()); work.len()];
        for index in by_table(work) {
            transaction.begin_part().await?;
            let answer = match write(&mut transaction, std::slice::from_ref(&work[index])).await {
                Ok(true) => Ok(()),
                Ok(false) => Err(AppendError::Taken),
                Err(error @ sqlx::Error::Database(_)) => Err(error.into()),
                Err(error) => return Err(error),
            };
            transaction.end_part(answer.is_ok()).await?;
            answers[index] = answer;
        }
        transaction.commit().await?;
        Ok(answers)
    }
}

/// Writes all or nothing, and gives whether it could.
async fn write_together(mut transaction: Transaction, work: &[Work]) -> Result<bool, sqlx::Error> {
    let free = write(&mut transaction, work).await?;
    if free {
        transaction.commit().await?;
    } else {
        transaction.rollback().await?;
    }
    Ok(free)
}

/// Writing that fails, as the log tells of it: when it begins, now and then while it lasts, and when it is over.
#[derive(Default)]
struct Trouble {
    /// When the log last told of it, and how many appends have failed since it began.
    since: Option<(Instant, usize)>,
}

impl Trouble {
    /// How often the log tells of it.
    const TOLD: Duration = Duration::from_secs(10);

    /// So many appends have failed, or all went well: gives whether to tell of it, and how many have failed by now.
    fn note(&mut self, failed: Option<usize>, now: Instant) -> Option<usize> {
        match (failed, &mut self.since) {
            (Some(failed), Some((told, sum))) => {
                *sum += failed;
                let due = now.duration_since(*told) >= Self::TOLD;
                if due {
                    *told = now;
                }
                due.then_some(*sum)
            }
            (Some(failed), None) => {
                self.since = Some((now, failed));
                Some(failed)
            }
            (None, _) => self.since.take().map(|(_, sum)| sum),
        }
    }
}

/// The places of all work, sorted by table; what is for the same table stays in the order in which it came.
fn by_table(work: &[Work]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..work.len()).collect();
    places.sort_by_key(|&place| &work[place].table);
    places
}

/// Writes entries and summaries; gives whether all numbers were free. If not, the transaction must not be committed.
///
/// Rows are written in the order of their keys, and who writes several times in a transaction goes from table to table in
/// the same order: of two processes that want the same rows one waits for the other, and never each for the other at once.
async fn write(connection: &mut AnyConnection, work: &[Work]) -> Result<bool, sqlx::Error> {
    let mut entries: Vec<(&TableId, &Entry)> =
        work.iter().flat_map(|work| work.entries.iter().map(|entry| (&work.table, entry))).collect();
    entries.sort_unstable_by_key(|(table, entry)| (*table, entry.seq));
    let written = insert(connection, ENTRIES, &entries, |query, (table, entry)| {
        let by = entry.by.map(|user| user.0);
        bound!(query, &*table.0, entry.seq as i64, entry.at, by, entry.command.as_deref(), &*entry.event)
    })
    .await?;
    if written < entries.len() as u64 {
        return Ok(false);
    }

    // Of several summaries of a table the last one counts.
    let mut summaries: Vec<&Listing> = work.iter().rev().filter_map(|work| work.summary.as_ref()).collect();
    summaries.sort_by_key(|summary| &summary.table);
    summaries.dedup_by_key(|summary| &summary.table);
    if !summaries.is_empty() {
        write_summaries(connection, &summaries).await?;
    }
    Ok(true)
}

async fn write_summaries(connection: &mut AnyConnection, summaries: &[&Listing]) -> Result<(), sqlx::Error> {
    insert(connection, TABLES, summaries, |query, table| {
        let winners = table.winners.as_ref().map(|winners| format!("{winners:?}"));
        bound!(
            query,
            &*table.table.0,
            &*table.game,
            serde_json::Value::Object(table.options.clone()).to_string(),
            table.status.word(),
            i64::from(table.public),
            i64::from(table.rated),
            &*table.clock,
            table.created,
            table.changed,
            winners,
            table.host.map(|host| host.0)
        )
    })
    .await?;
    insert(connection, OLD_SEATS, summaries, |query, table| query.bind(table.table.0.as_str())).await?;
    let seats: Vec<(&Listing, usize)> =
        summaries.iter().flat_map(|&table| (0..table.seats.len()).map(move |seat| (table, seat))).collect();
    insert(connection, SEATS, &seats, |query, (table, seat)| {
        let sitter = table.seats[*seat].as_ref();
        let user = sitter.and_then(|sitter| sitter.user).map(|user| user.0);
        let name = sitter.map(|sitter| &*sitter.name);
        let result = GameResult::of(table, *seat).map(GameResult::word);
        let kept_for = table.kept.get(*seat).copied().flatten().map(|user| user.0);
        bound!(query, &*table.table.0, *seat as i64, user, name, result, kept_for)
    })
    .await?;
    Ok(())
}

/// A statement that takes any number of rows.
#[derive(Clone, Copy)]
pub(super) struct ManyRows<'s> {
    pub head: &'s str,
    pub columns: usize,
    pub tail: &'static str,
}

const ENTRIES: ManyRows<'static> = ManyRows {
    head: "INSERT INTO entries (table_id, seq, at, user_id, command, event) VALUES ",
    columns: 6,
    tail: " ON CONFLICT DO NOTHING",
};
const TABLES: ManyRows<'static> = ManyRows {
    head: "INSERT INTO tables (id, game, options, status, public, rated, clock, created, changed, winners, host) VALUES ",
    columns: 11,
    tail: " ON CONFLICT (id) DO UPDATE SET game = excluded.game, options = excluded.options, status = excluded.status, \
           public = excluded.public, rated = excluded.rated, clock = excluded.clock, created = excluded.created, \
           changed = excluded.changed, winners = excluded.winners, host = excluded.host",
};
const OLD_SEATS: ManyRows<'static> = ManyRows { head: "DELETE FROM seats WHERE table_id IN (", columns: 1, tail: ")" };
const SEATS: ManyRows<'static> = ManyRows {
    head: "INSERT INTO seats (table_id, seat, user_id, name, result, kept_for) VALUES ",
    columns: 6,
    tail: "",
};

impl ManyRows<'_> {
    fn statement(self, rows: usize) -> String {
        let mut text = self.head.to_owned();
        for row in 0..rows {
            for column in 0..self.columns {
                let before = match (row, column) {
                    (0, 0) => "(",
                    (_, 0) => "), (",
                    _ => ", ",
                };
                let parameter = row * self.columns + column + 1;
                write!(text, "{before}${parameter}").expect("writing to a string does not fail");
            }
        }
        text.push(')');
        text.push_str(self.tail);
        text
    }
}

pub(super) type Bound<'q> = Query<'q, Any, AnyArguments>;

/// Runs a statement over all rows, and gives how many rows it changed.
pub(super) async fn insert<'q, Row>(
    connection: &mut AnyConnection,
    statement: ManyRows<'_>,
    mut rows: &'q [Row],
    bind: impl Fn(Bound<'q>, &'q Row) -> Bound<'q>,
) -> Result<u64, sqlx::Error> {
    let mut changed = 0;
    while !rows.is_empty() {
        let count = 1 << rows.len().min(ROWS).ilog2();
        let (now, later) = rows.split_at(count);
        let query = now.iter().fold(sqlx::query(AssertSqlSafe(statement.statement(count))), &bind);
        changed += query.execute(&mut *connection).await?.rows_affected();
        rows = later;
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{ENTRIES, OLD_SEATS, Trouble, Work, by_table};
    use quincunx_table::TableId;

    #[test]
    fn the_log_tells_when_writing_fails_now_and_then_while_it_does_and_when_it_works_again() {
        let mut trouble = Trouble::default();
        let begin = Instant::now();
        let after = |millis| begin + Duration::from_millis(millis);
        assert_eq!(trouble.note(None, after(0)), None, "nothing is wrong");
        assert_eq!(trouble.note(Some(3), after(1)), Some(3), "it is told at once");
        let lines = (2..60_000).filter(|&millis| trouble.note(Some(1), after(millis)).is_some()).count();
        assert_eq!(lines, 5, "in a minute with thousands of failures");
        assert_eq!(trouble.note(None, after(60_000)), Some(60_001), "all that have failed");
        assert_eq!(trouble.note(None, after(60_001)), None);
    }

    #[test]
    fn work_is_done_in_the_order_of_tables_and_then_of_arrival() {
        let work = ["b", "a", "b", "a"].map(|table| Work {
            table: TableId(table.to_owned()),
            entries: Vec::new(),
            summary: None,
        });
        assert_eq!(by_table(&work), [1, 3, 0, 2]);
    }

    #[test]
    fn a_statement_numbers_the_parameters_of_all_rows() {
        assert!(ENTRIES.statement(2).contains("VALUES ($1, $2, $3, $4, $5, $6), ($7, $8, $9, $10, $11, $12) ON"));
        assert_eq!(OLD_SEATS.statement(3), "DELETE FROM seats WHERE table_id IN (($1), ($2), ($3))");
    }
}
