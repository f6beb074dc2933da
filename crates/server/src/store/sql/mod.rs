//! Storage in SQLite or PostgreSQL. The same statements run on both, through sqlx's driver for any database; what differs is
//! how they are opened and how a transaction begins.

/// A statement with its values, in the order of their numbers.
macro_rules! bound {
    ($query:expr $(, $value:expr)+ $(,)?) => {
        $query$(.bind($value))+
    };
}

mod analyses;
mod append;
mod moderation;
mod names;
mod people;
mod play;
pub(crate) mod private;
mod tables;
mod transaction;
mod whole;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::time::Duration;

use quincunx_table::Millis;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyPool, ConnectOptions as _, Connection as _, Executor as _, SqlSafeStr as _};

use super::StoreError;
use append::{Appender, Bound};
use transaction::{Borrowed, Transaction};

/// How long someone waits for a connection before a database counts as out of reach.
const PATIENCE: Duration = Duration::from_secs(10);
/// SQLite reads while another connection writes. Two cores need no more readers.
const SQLITE_READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 16;

/// What every connection to SQLite begins with. `synchronous = FULL` has each commit reach the disk: without it a commit in
/// the write-ahead log is lost when the power goes.
const SQLITE_SETTINGS: &str = "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
                               PRAGMA foreign_keys = ON;";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Sqlite,
    Postgres,
}

pub(super) struct Sql {
    dialect: Dialect,
    reads: AnyPool,
    /// For SQLite a single connection, as only one can write: who waits for it waits in line, instead of trying again and
    /// again until the file is free.
    writes: AnyPool,
    appender: Appender,
}

impl Sql {
    pub async fn sqlite(path: &Path) -> Result<Self, StoreError> {
        let path = prepared(path)?;
        // Only one process at a time makes a new file: what SQLite does about that itself ends in errors, not in waiting.
        let lock = locked(&path).await?;
        let options = AnyConnectOptions::from_str(&sqlite_url(&path)?).map_err(|error| StoreError::opening(&error))?;
        let pool = |connections| {
            AnyPoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(PATIENCE)
                .idle_timeout(None)
                .max_lifetime(None)
                // A file does not hang up.
                .test_before_acquire(false)
                .after_connect(|connection, _| {
                    Box::pin(async move { connection.execute(SQLITE_SETTINGS).await.map(|_| ()) })
                })
        };
        sqlx::any::install_default_drivers();
        let opening = |error: sqlx::Error| StoreError::opening(&error);
        // A pool tries again and again, and then does not know why it failed: so it is tried without one first.
        let mut trial = options.connect().await.map_err(opening)?;
        trial.execute(SQLITE_SETTINGS).await.map_err(opening)?;
        trial.close().await.map_err(opening)?;
        let writes = pool(1).connect_with(options.clone()).await.map_err(opening)?;
        migrate(&writes).await?;
        names::note_looks(&writes).await?;
        drop(lock);
        let reads = pool(SQLITE_READERS).connect_with(options).await.map_err(opening)?;
        let appender = Appender::start(writes.clone(), Dialect::Sqlite);
        Ok(Self { dialect: Dialect::Sqlite, reads, writes, appender })
    }

    pub async fn postgres(url: &str) -> Result<Self, StoreError> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(StoreError::Open("its address must begin with postgres://".to_owned()));
        }
        sqlx::any::install_default_drivers();
        let opening = |error: sqlx::Error| StoreError::opening(&error);
        let options = AnyConnectOptions::from_str(url).map_err(opening)?;
        let pool = AnyPoolOptions::new()
            .max_connections(POSTGRES_CONNECTIONS)
            .acquire_timeout(PATIENCE)
            .connect_with(options)
            .await
            .map_err(opening)?;
        migrate(&pool).await?;
        names::note_looks(&pool).await?;
        let appender = Appender::start(pool.clone(), Dialect::Postgres);
        Ok(Self { dialect: Dialect::Postgres, reads: pool.clone(), writes: pool, appender })
    }

    pub async fn close(&self) {
        self.appender.close().await;
        self.reads.close().await;
        self.writes.close().await;
    }

    pub async fn time(&self) -> Result<Option<Millis>, StoreError> {
        if self.dialect == Dialect::Sqlite {
            return Ok(None);
        }
        let query = sqlx::query_scalar("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)");
        Ok(Some(query.fetch_one(&self.reads).await?))
    }

    /// Reads something and writes something, and waits until it is on the disk.
    pub async fn healthy(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT value FROM counters WHERE name = 'users'").fetch_one(&self.reads).await?;
        self.write(sqlx::query("UPDATE moments SET at = at + 1 WHERE name = 'tried'")).await.map(drop)
    }

    pub async fn backup(&self, path: &Path) -> Result<(), StoreError> {
        if self.dialect == Dialect::Postgres {
            return Err(StoreError::Backup("PostgreSQL makes its own backups: use pg_dump".to_owned()));
        }
        let failed = |error: &dyn std::fmt::Display| StoreError::Backup(format!("{}: {error}", path.display()));
        if path.exists() {
            return Err(failed(&"this file exists already"));
        }
        // A copy that was interrupted must not look like a backup, so it gets its name last.
        let part = beside(path, ".part");
        let name = part.to_str().ok_or_else(|| failed(&"the path must be valid UTF-8"))?;
        match fs::remove_file(&part) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(&error)),
            _ => {}
        }
        private::file(&part).map_err(|error| failed(&error))?;
        sqlx::query("VACUUM INTO $1").bind(name).execute(&self.reads).await.map_err(|error| failed(&error))?;
        let renamed = path.to_owned();
        tokio::task::spawn_blocking(move || {
            File::open(&part)?.sync_all()?;
            fs::rename(&part, &renamed)?;
            File::open(folder(&renamed))?.sync_all()
        })
        .await
        .map_err(|error| failed(&error))?
        .map_err(|error| failed(&error))
    }

    pub fn description(&self) -> &'static str {
        match self.dialect {
            Dialect::Sqlite => "Store(SQLite)",
            Dialect::Postgres => "Store(PostgreSQL)",
        }
    }

    async fn begin(&self) -> Result<Transaction, sqlx::Error> {
        begin(&self.writes, self.dialect).await
    }

    /// Runs a statement, and gives how many rows it changed.
    async fn write(&self, statement: Bound<'_>) -> Result<u64, StoreError> {
        let mut connection = Borrowed::from(&self.writes).await?;
        let changed = statement.execute(&mut *connection).await?.rows_affected();
        connection.give_back();
        Ok(changed)
    }
}

/// Begins a transaction that writes. SQLite is told so: one that begins as a reader fails when another process has written
/// before its own first write.
async fn begin(pool: &AnyPool, dialect: Dialect) -> Result<Transaction, sqlx::Error> {
    let statement = match dialect {
        Dialect::Sqlite => "BEGIN IMMEDIATE",
        Dialect::Postgres => "BEGIN",
    };
    Transaction::begin(pool, statement).await
}

/// Brings the database to the form that this version knows.
async fn migrate(pool: &AnyPool) -> Result<(), StoreError> {
    let migrations = [
        (1, "first", include_str!("../../../migrations/1_first.sql")),
        (2, "kept seats", include_str!("../../../migrations/2_kept_seats.sql")),
        (3, "analyses", include_str!("../../../migrations/3_analyses.sql")),
        (4, "moments", include_str!("../../../migrations/4_moments.sql")),
        (5, "endings", include_str!("../../../migrations/5_endings.sql")),
        (6, "limits", include_str!("../../../migrations/6_limits.sql")),
        (7, "moderation", include_str!("../../../migrations/7_moderation.sql")),
    ];
    let migrations = migrations.map(|(number, name, statements)| {
        Migration::new(number, name.into(), MigrationType::Simple, statements.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.into()).run(pool).await.map_err(|error| StoreError::Open(error.to_string()))
}

/// Creates the folder of a database, and gives the file's absolute path.
pub(super) fn prepared(path: &Path) -> Result<PathBuf, StoreError> {
    let file = path.file_name().ok_or_else(|| StoreError::Open(format!("{} is not a file", path.display())))?;
    let folder = folder(path);
    private::folder(folder).map_err(|error| StoreError::path(folder, &error))?;
    let folder = folder.canonicalize().map_err(|error| StoreError::path(folder, &error))?;
    let path = folder.join(file);
    private::database(&path).map_err(|error| StoreError::path(&path, &error))?;
    Ok(path)
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file beside a database whose name goes on like this.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Waits until nobody else opens this database; ends when the file is dropped, and with the process.
async fn locked(path: &Path) -> Result<File, StoreError> {
    let lock = beside(path, ".lock");
    let failed = |error: &std::io::Error| StoreError::path(path, error);
    tokio::task::spawn_blocking(move || {
        let file = private::file(&lock)?;
        file.lock()?;
        Ok(file)
    })
    .await
    .map_err(|error| StoreError::Open(error.to_string()))?
    .map_err(|error| failed(&error))
}

/// Everything but plain letters is written in hexadecimal, as a path may hold what means something else in a URL.
fn sqlite_url(path: &Path) -> Result<String, StoreError> {
    let text =
        path.to_str().ok_or_else(|| StoreError::Open(format!("{}: the path must be valid UTF-8", path.display())))?;
    let mut url = "sqlite://".to_owned();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte) {
            url.push(char::from(byte));
        } else {
            write!(url, "%{byte:02X}").expect("writing to a string does not fail");
        }
    }
    url.push_str("?mode=rwc");
    Ok(url)
}

/// The length of a page as a parameter.
fn page(limit: usize) -> i64 {
    limit.min(super::LONGEST_PAGE) as i64
}

#[cfg(test)]
mod tests {
    use sqlx::Row as _;

    use super::Sql;

    #[tokio::test]
    async fn every_connection_to_sqlite_waits_for_the_disk() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let sql = Sql::sqlite(&folder.path().join("quincunx.db")).await.expect("SQLite opens");
        for pool in [&sql.reads, &sql.writes] {
            let full = sqlx::query("PRAGMA synchronous").fetch_one(pool).await.expect("a setting");
            assert_eq!(full.try_get::<i64, _>(0).expect("a number"), 2);
            let journal = sqlx::query("PRAGMA journal_mode").fetch_one(pool).await.expect("a setting");
            assert_eq!(journal.try_get::<String, _>(0).expect("a word"), "wal");
            let keys = sqlx::query("PRAGMA foreign_keys").fetch_one(pool).await.expect("a setting");
            assert_eq!(keys.try_get::<i64, _>(0).expect("a number"), 1);
        }
        sql.close().await;
    }
}
