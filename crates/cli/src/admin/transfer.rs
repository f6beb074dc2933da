//! Games and everything else out of the storage and into it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;
use quincunx_server::store::Store;
use quincunx_server::transfer::{
    Exported, Imported, TransferError, Unfinished, export_logs, export_records, import_logs, import_records,
    record_files,
};

use super::now;
use crate::failure::Failure;
use crate::progress::bar;

#[derive(Args)]
pub(super) struct Export {
    /// The folder for the records, or with --logs the file
    path: PathBuf,
    /// Write users, logs, ratings and talk as lines of JSON, to move to another database
    #[arg(long)]
    logs: bool,
    /// Write also the hashes of passwords and sessions
    #[arg(long, requires = "logs")]
    with_secrets: bool,
}

#[derive(Args)]
pub(super) struct Import {
    /// A record or a folder of records, or with --logs the file
    path: PathBuf,
    /// Read what export --logs has written, into an empty database
    #[arg(long)]
    logs: bool,
    /// Take also records whose game is not over, as finished without a winner
    #[arg(long, conflicts_with = "logs")]
    unfinished: bool,
}

/// Of how many things so many are done.
fn counter(of: u64, what: &'static str) -> ProgressBar {
    bar(of, "{bar:30} {human_pos}/{human_len} {msg}, about {eta} left").with_message(what)
}

/// How many lines a file has.
fn lines_of(path: &Path) -> io::Result<u64> {
    BufReader::new(File::open(path)?).split(b'\n').try_fold(0, |lines, line| line.map(|_| lines + 1))
}

impl Export {
    pub(super) async fn run(&self, store: &Store, out: &mut impl Write) -> Result<(), Failure> {
        let path = self.path.display();
        if self.logs {
            let bar = counter(store.count_rows(self.with_secrets).await?, "lines");
            let lines = export_logs(store, &self.path, self.with_secrets, &mut |lines| bar.set_position(lines)).await?;
            bar.finish_and_clear();
            writeln!(out, "{lines} lines are in {path}.")?;
            return Ok(());
        }
        let bar = counter(store.count_tables().await?, "tables");
        let (mut written, mut without, mut damaged) = (0, 0, Vec::new());
        let mut tell = |table: &quincunx_table::TableId, what| {
            bar.inc(1);
            match what {
                Exported::Written(_) => written += 1,
                Exported::NoGame => without += 1,
                Exported::Damaged(why) => damaged.push(format!("table {}: {why}", table.0)),
            }
        };
        export_records(store, &self.path, now(), &mut tell).await?;
        bar.finish_and_clear();
        writeln!(out, "{written} records are in {path}; at {without} tables no game has begun.")?;
        complain(&damaged)
    }
}

impl Import {
    pub(super) async fn run(&self, store: &Store, out: &mut impl Write) -> Result<(), Failure> {
        if self.logs {
            let lines = lines_of(&self.path).map_err(|error| format!("{}: {error}", self.path.display()))?;
            let bar = counter(lines, "lines");
            let lines = import_logs(store, &self.path, &mut |lines| bar.set_position(lines)).await?;
            bar.finish_and_clear();
            writeln!(out, "{lines} lines are in the database.")?;
            return Ok(());
        }
        let bar = counter(record_files(&self.path)?.len() as u64, "records");
        let (mut added, mut there, mut unfinished, mut refused) = (0, 0, 0, Vec::new());
        let mut tell = |path: &std::path::Path, what| {
            bar.inc(1);
            match what {
                Imported::Added(_) => added += 1,
                Imported::There(_) => there += 1,
                Imported::Unfinished => unfinished += 1,
                Imported::Refused(why) => refused.push(format!("{}: {why}", path.display())),
            }
        };
        let choice = if self.unfinished { Unfinished::BreakOff } else { Unfinished::Skip };
        import_records(store, &self.path, choice, now(), &mut tell).await?;
        bar.finish_and_clear();
        writeln!(out, "{added} games are new, {there} were there already.")?;
        if unfinished > 0 {
            writeln!(out, "{unfinished} were left out because they are not over: --unfinished takes them, too.")?;
        }
        complain(&refused)
    }
}

/// Says what went wrong with single files, of which the others know nothing.
fn complain(complaints: &[String]) -> Result<(), Failure> {
    for complaint in complaints {
        anstream::eprintln!("{}error:{:#} {complaint}", crate::failure::STYLE, crate::failure::STYLE);
    }
    if complaints.is_empty() { Ok(()) } else { Err(Failure::Said) }
}

impl From<TransferError> for Failure {
    fn from(error: TransferError) -> Self {
        Self::Because(error.to_string())
    }
}
