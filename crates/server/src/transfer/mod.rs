//! Games and everything else out of the storage and into it: records that people can read and any other program can replay, and
//! the exact rows, to move from one database to another.

mod date;
mod header;
mod logs;
mod records;

use std::io;
use std::path::{Path, PathBuf};

pub use header::record;
pub use logs::{export_logs, import_logs};
pub use records::{Exported, Imported, Unfinished, export_records, import_records, record_files};

use crate::store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("{}: line {line}: {why}", path.display())]
    Line { path: PathBuf, line: usize, why: String },
}

impl TransferError {
    fn file(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::File { path: path.to_owned(), error }
    }
}

/// A file that is not there under its name until it is whole.
struct Unready {
    path: PathBuf,
    part: PathBuf,
    finished: bool,
}

impl Unready {
    fn new(path: &Path) -> Self {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        Self { path: path.to_owned(), part: part.into(), finished: false }
    }

    fn finish(mut self) -> io::Result<()> {
        std::fs::rename(&self.part, &self.path)?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for Unready {
    fn drop(&mut self) {
        if !self.finished {
            // What was interrupted is of no use; it may also never have been begun.
            let _ = std::fs::remove_file(&self.part);
        }
    }
}
