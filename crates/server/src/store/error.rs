//! What can go wrong with the storage, in sentences that may be shown and logged: none of them holds a secret.

use std::path::Path;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot open the database: {0}")]
    Open(String),
    #[error("the database failed: {0}")]
    Failed(String),
    #[error("the database holds something that this version cannot read: {0}")]
    Unreadable(String),
    #[error("the storage is closed")]
    Closed,
    #[error("there is no such user")]
    NoSuchUser,
    #[error("the database is not empty: everything can be put only into one that has no users and no tables")]
    NotEmpty,
    #[error("what is only in memory cannot be moved")]
    OnlyInMemory,
    #[error(
        "{0} is served by another process already: two servers work on the same tables only if both are told of the same NATS \
         (--nats), and otherwise each needs a place of its own"
    )]
    Served(String),
    #[error("a game that ended earlier is not counted yet")]
    TooEarly,
    #[error("cannot write the backup: {0}")]
    Backup(String),
}

/// Why nothing was added to a log.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AppendError {
    /// One of the numbers exists already: another process was quicker.
    #[error("the table has gone on in the meantime")]
    Taken,
    /// Nothing was acknowledged. When a connection broke in the middle of it, the entries may be there nevertheless: who
    /// goes on must read the log again.
    #[error(transparent)]
    Failed(#[from] StoreError),
}

/// Why a user was not added.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AddUserError {
    #[error("this name is taken")]
    NameTaken,
    #[error(transparent)]
    Failed(#[from] StoreError),
}

impl StoreError {
    /// What prevents opening. A complaint about the URL itself is not repeated, as it may quote from the URL, and with it a password.
    pub(super) fn opening(error: &sqlx::Error) -> Self {
        Self::Open(match error {
            sqlx::Error::Configuration(_) => {
                "its address is not of the form postgres://user:password@host:port/database".to_owned()
            }
            other => sentence(other),
        })
    }

    pub(super) fn path(path: &Path, error: &std::io::Error) -> Self {
        Self::Open(format!("{}: {error}", path.display()))
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolClosed => Self::Closed,
            sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. } => Self::Unreadable(error.to_string()),
            other => Self::Failed(sentence(&other)),
        }
    }
}

impl From<sqlx::Error> for AppendError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<sqlx::Error> for AddUserError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

fn sentence(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::PoolTimedOut => "no connection to it was to be had in time".to_owned(),
        sqlx::Error::Database(error) => error.message().to_owned(),
        other => other.to_string(),
    }
}
