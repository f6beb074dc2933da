//! Transactions and single writes, and what becomes of their connections: one on which something has failed, or whose work
//! was dropped in the middle, is closed, and the pool opens another in its place.
//!
//! A database may end a transaction by itself, as SQLite does when the disk is full. A driver that does not notice then counts
//! a transaction that is not there any more, and nothing can be begun on the connection again.

use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, Executor as _};

/// A connection that is closed unless it was said to be well.
pub(super) struct Borrowed {
    connection: PoolConnection<Any>,
    well: bool,
}

impl Borrowed {
    pub async fn from(pool: &AnyPool) -> Result<Self, sqlx::Error> {
        Ok(Self { connection: pool.acquire().await?, well: false })
    }

    /// Gives the connection back to its pool.
    pub fn give_back(mut self) {
        self.well = true;
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        if !self.well {
            self.connection.close_on_drop();
        }
    }
}

impl Deref for Borrowed {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.connection
    }
}

impl DerefMut for Borrowed {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.connection
    }
}

/// A transaction. One that was neither committed nor rolled back ends with its connection.
pub(super) struct Transaction {
    connection: Borrowed,
}

impl Transaction {
    /// Begins one with this statement.
    pub async fn begin(pool: &AnyPool, statement: &'static str) -> Result<Self, sqlx::Error> {
        let mut connection = Borrowed::from(pool).await?;
        connection.execute(statement).await?;
        Ok(Self { connection })
    }

    pub async fn commit(self) -> Result<(), sqlx::Error> {
        self.end("COMMIT").await
    }

    pub async fn rollback(self) -> Result<(), sqlx::Error> {
        self.end("ROLLBACK").await
    }

    async fn end(mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        self.connection.execute(statement).await?;
        self.connection.give_back();
        Ok(())
    }

    /// Begins a part that can be undone by itself. Parts do not contain each other.
    pub async fn begin_part(&mut self) -> Result<(), sqlx::Error> {
        self.execute("SAVEPOINT part").await.map(drop)
    }

    /// Ends a part, and keeps or undoes it.
    pub async fn end_part(&mut self, keep: bool) -> Result<(), sqlx::Error> {
        if !keep {
            self.execute("ROLLBACK TO SAVEPOINT part").await?;
        }
        self.execute("RELEASE SAVEPOINT part").await.map(drop)
    }
}

impl Deref for Transaction {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.connection
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.connection
    }
}
