//! Who may serve what is kept: one server alone, or several that tell each other what they do. A server that starts where
//! another one works without knowing of it would answer from what it remembers, while the other one writes.
//!
//! The claim is a lock that the operating system or the database holds for the process and lets go when the process ends,
//! however that happens. Tools that look after the storage need none.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::Duration;

use sqlx::{AnyConnection, Connection as _, Executor as _};
use tokio::time::{Instant, sleep, timeout};

use super::StoreError;
use super::sql::{beside, prepared, private};

/// What is locked in PostgreSQL. Locks are apart for each database; the number is just one that nobody else will think of.
const KEY: i64 = 0x7175_696e_6375_6e78;
/// How long a start waits for the lock of a process that has just ended: its connection may not be cleared away yet.
const LINGERS: Duration = Duration::from_secs(3);
/// How often the connection that holds the lock is looked at, and how long it may take to answer.
const LOOKED_AT: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether this server knows of the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Company {
    /// Nobody else may serve the same storage.
    Alone,
    /// Others may, if they can be told what this one does.
    Together,
}

/// The right to serve what is kept.
#[derive(Debug)]
pub struct Claim {
    held: Held,
}

#[derive(Debug)]
enum Held {
    /// Memory belongs to its process.
    Nothing,
    /// Locked as long as it is open.
    File(#[expect(dead_code, reason = "it is held, not used")] File),
    Postgres {
        connection: Option<AnyConnection>,
        url: String,
        company: Company,
    },
}

impl Claim {
    pub fn of_memory() -> Self {
        Self { held: Held::Nothing }
    }

    /// Claims a SQLite file.
    pub fn of_sqlite(path: &Path, company: Company) -> Result<Self, StoreError> {
        let path = prepared(path)?;
        let lock = beside(&path, ".serving");
        let failed = |error: &std::io::Error| StoreError::path(&lock, error);
        let file = private::file(&lock).map_err(|error| failed(&error))?;
        let locked = match company {
            Company::Alone => file.try_lock(),
            Company::Together => file.try_lock_shared(),
        };
        match locked {
            Ok(()) => Ok(Self { held: Held::File(file) }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Served(path.display().to_string())),
            Err(TryLockError::Error(error)) => Err(failed(&error)),
        }
    }

    /// Claims a PostgreSQL database.
    pub async fn of_postgres(url: &str, company: Company) -> Result<Self, StoreError> {
        let deadline = Instant::now() + LINGERS;
        let mut connection = connect(url).await.map_err(|error| StoreError::opening(&error))?;
        while !locks(&mut connection, company).await.map_err(|error| StoreError::opening(&error))? {
            if Instant::now() >= deadline {
                return Err(StoreError::Served("the database".to_owned()));
            }
            sleep(Duration::from_millis(100)).await;
        }
        let held = Held::Postgres { connection: Some(connection), url: url.to_owned(), company };
        Ok(Self { held })
    }

    /// Keeps the claim, and returns when somebody else has it. PostgreSQL lets it go when it is restarted or the connection
    /// breaks: then it is claimed again.
    pub async fn keep(&mut self) {
        let Held::Postgres { connection, url, company } = &mut self.held else {
            return std::future::pending().await;
        };
        loop {
            sleep(LOOKED_AT).await;
            let lives = match connection {
                Some(connection) => matches!(timeout(PATIENCE, connection.ping()).await, Ok(Ok(()))),
                None => false,
            };
            if lives {
                continue;
            }
            *connection = None;
            let Ok(Ok(mut new)) = timeout(PATIENCE, connect(url)).await else { continue };
            match timeout(PATIENCE, locks(&mut new, *company)).await {
                Ok(Ok(true)) => *connection = Some(new),
                Ok(Ok(false)) => return,
                // Without an answer nobody knows.
                _ => {}
            }
        }
    }

    /// Lets the next one serve at once.
    pub async fn give_up(self) {
        if let Held::Postgres { connection: Some(connection), .. } = self.held {
            // Closed by the end of the process at the latest.
            let _ = timeout(PATIENCE, connection.close()).await;
        }
    }
}

async fn connect(url: &str) -> Result<AnyConnection, sqlx::Error> {
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(url).await?;
    // A machine that is gone without a word must not keep the next one out for hours.
    let notice = "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";
    connection.execute(notice).await?;
    Ok(connection)
}

async fn locks(connection: &mut AnyConnection, company: Company) -> Result<bool, sqlx::Error> {
    let statement = match company {
        Company::Alone => "SELECT pg_try_advisory_lock($1)",
        Company::Together => "SELECT pg_try_advisory_lock_shared($1)",
    };
    sqlx::query_scalar(statement).bind(KEY).fetch_one(connection).await
}
