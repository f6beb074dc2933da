//! `quincunx admin`: looks after what a server keeps. Works on the storage itself, whether or not a server runs on it.

mod list;
mod people;
mod ratings;
mod transfer;

use std::future::Future;
use std::io::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand};
use quincunx_server::config::Storage;
use quincunx_server::store::{Store, StoreError};
use quincunx_table::Millis;

use crate::failure::Failure;
use crate::serve::{Given, Kept};

/// Arguments of `admin`.
#[derive(Args)]
pub(crate) struct Admin {
    #[command(flatten)]
    given: Given<Kept>,
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// List tables or users
    #[command(subcommand)]
    List(list::List),
    /// Keep a user and his bots out; a running server knows it at his next request
    Ban {
        /// The user
        name: String,
        /// For so many days [default: for ever]
        #[arg(long = "for", value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        days: Option<u32>,
        /// For the log of the moderators
        #[arg(long, default_value = "")]
        why: String,
    },
    /// Silence a user at all tables
    Mute {
        /// The user
        name: String,
        /// For so many hours
        #[arg(long = "for", value_name = "HOURS", value_parser = clap::value_parser!(u32).range(1..=87_600))]
        hours: u32,
        /// For the log of the moderators
        #[arg(long, default_value = "")]
        why: String,
    },
    /// Let a user talk again
    Unmute {
        /// The user
        name: String,
    },
    /// Give a user another name, also in games that were played
    Rename {
        /// The user
        name: String,
        /// What to call them
        new: String,
        /// For the log of the moderators
        #[arg(long, default_value = "")]
        why: String,
    },
    /// Take back what the result of a table has done to ratings, and work them out again
    Annul {
        /// The id of the table
        table: String,
        /// For the log of the moderators
        #[arg(long, default_value = "")]
        why: String,
    },
    /// Make an account a moderator, or an ordinary one
    Role {
        /// The account
        name: String,
        /// What they are
        role: people::Given,
    },
    /// Close a report
    CloseReport {
        /// Its number, as admin list reports shows it
        id: i64,
    },
    /// Let a user in again
    Unban {
        /// The user
        name: String,
    },
    /// Give an account a new random password, print it, and end all its sessions
    ResetPassword {
        /// The account
        name: String,
    },
    /// Forget a user and his bots; their games stay, without the name
    DeleteUser {
        /// The user
        name: String,
    },
    /// Count all rated games again from their logs, and compare; fails if a rating does not follow from them
    CheckRatings,
    /// Copy the SQLite database, also of a running server, to a new file
    Backup {
        /// Must not exist yet
        file: PathBuf,
    },
    /// Write the record of every game into a folder, or with --logs everything exactly into a file
    #[command(after_help = "Examples:
  quincunx admin export games
  quincunx admin export --logs --with-secrets everything.jsonl")]
    Export(transfer::Export),
    /// Make finished tables of records, or with --logs put everything into an empty database
    #[command(after_help = "Examples:
  quincunx admin import games
  quincunx admin --database postgres://quincunx:secret@db/quincunx import --logs everything.jsonl")]
    Import(transfer::Import),
}

impl Admin {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let storage = self.given.gather()?.settings.config.storage;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        runtime.block_on(async {
            let store = open(&storage).await?;
            let done = until_interrupted(self.task.run(&store, out)).await;
            store.close().await;
            done
        })
    }
}

/// A mistyped folder is not made, as a server would make it.
async fn open(storage: &Storage) -> Result<Store, Failure> {
    Ok(match storage {
        Storage::Memory => return Err("what a server has only in memory cannot be looked after from outside".into()),
        Storage::Folder(folder) => {
            let file = folder.join("quincunx.db");
            if !folder.is_dir() {
                return Err(format!(
                    "{}: there is no such folder; --data says where a server keeps its data",
                    folder.display()
                )
                .into());
            }
            Store::sqlite(file).await?
        }
        Storage::Postgres(url) => Store::postgres(&url.0).await?,
    })
}

/// Work that is dropped in the middle leaves nothing half done: files get their names last, and databases forget.
async fn until_interrupted(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    tokio::select! {
        done = work => done,
        _ = tokio::signal::ctrl_c() => Err("interrupted".into()),
    }
}

impl Task {
    async fn run(&self, store: &Store, out: &mut impl Write) -> Result<(), Failure> {
        match self {
            Self::List(list) => list.run(store, out).await,
            Self::Ban { name, days, why } => people::ban(store, name, *days, why, out).await,
            Self::Unban { name } => people::unban(store, name, out).await,
            Self::Mute { name, hours, why } => people::mute(store, name, *hours, why, out).await,
            Self::Unmute { name } => people::unmute(store, name, out).await,
            Self::Rename { name, new, why } => people::rename(store, name, new, why, out).await,
            Self::Annul { table, why } => people::annul(store, table, why, out).await,
            Self::Role { name, role } => people::set_role(store, name, *role, out).await,
            Self::CloseReport { id } => people::close_report(store, *id, out).await,
            Self::ResetPassword { name } => people::reset_password(store, name, out).await,
            Self::DeleteUser { name } => people::delete(store, name, out).await,
            Self::CheckRatings => ratings::check(store, out).await,
            Self::Backup { file } => {
                store.backup(file).await?;
                writeln!(out, "{} holds everything as it was a moment ago.", file.display())?;
                Ok(())
            }
            Self::Export(export) => export.run(store, out).await,
            Self::Import(import) => import.run(store, out).await,
        }
    }
}

fn now() -> Millis {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as Millis)
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Because(error.to_string())
    }
}
