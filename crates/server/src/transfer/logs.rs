//! Everything that is kept as lines of JSON, exactly: to move from one database to another.
//!
//! The first line says what it is, the last one how many came between, so that a file that was cut off is not taken for whole.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::{TransferError, Unready};
use crate::store::{Row, Store, private};

const FORMAT: &str = "quincunx logs";
const VERSION: u64 = 1;

/// Writes everything into a file, as of one moment. Hashes of passwords and sessions go along only with `secrets`. `tell`
/// hears of the number of lines so far. Gives that number in the end.
pub async fn export_logs(
    store: &Store,
    path: &Path,
    secrets: bool,
    tell: &mut (dyn FnMut(u64) + Send),
) -> Result<u64, TransferError> {
    let failed = TransferError::file(path);
    let unready = Unready::new(path);
    let mut file = BufWriter::new(private::new_file(&unready.part).map_err(&failed)?);
    writeln!(file, "{}", json!({"format": FORMAT, "version": VERSION, "secrets": secrets})).map_err(&failed)?;
    let mut lines = 0;
    store
        .dump(secrets, &mut |row: Row| {
            writeln!(file, "{}", row.to_json()).map_err(&failed)?;
            lines += 1;
            tell(lines);
            Ok::<(), TransferError>(())
        })
        .await?;
    writeln!(file, "{}", json!({"row": "end", "lines": lines})).map_err(&failed)?;
    let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
    file.sync_all().map_err(&failed)?;
    unready.finish().map_err(&failed)?;
    Ok(lines)
}

/// Puts everything from a file into an empty database: all of it or nothing.
pub async fn import_logs(store: &Store, path: &Path, tell: &mut (dyn FnMut(u64) + Send)) -> Result<u64, TransferError> {
    let file = File::open(path).map_err(TransferError::file(path))?;
    let mut lines = Lines { path, reader: BufReader::new(file), number: 0, rows: 0, ended: false, tell };
    lines.head()?;
    store.restore(&mut lines).await?;
    Ok(lines.rows)
}

/// The rows of a file, each checked.
struct Lines<'a> {
    path: &'a Path,
    reader: BufReader<File>,
    /// The number of the line that was read last.
    number: usize,
    rows: u64,
    ended: bool,
    tell: &'a mut (dyn FnMut(u64) + Send),
}

impl Lines<'_> {
    fn wrong(&self, why: impl Into<String>) -> TransferError {
        TransferError::Line { path: self.path.to_owned(), line: self.number, why: why.into() }
    }

    fn object(&mut self) -> Result<Option<Map<String, Value>>, TransferError> {
        let mut line = String::new();
        self.number += 1;
        if self.reader.read_line(&mut line).map_err(TransferError::file(self.path))? == 0 {
            return Ok(None);
        }
        serde_json::from_str(&line).map(Some).map_err(|error| self.wrong(format!("this is not a JSON object: {error}")))
    }

    fn head(&mut self) -> Result<(), TransferError> {
        let head = self.object()?.unwrap_or_default();
        if head.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(self.wrong("this file was not written by export --logs"));
        }
        match head.get("version").and_then(Value::as_u64) {
            Some(VERSION) => Ok(()),
            _ => Err(self.wrong(format!("this version reads files of version {VERSION} only"))),
        }
    }

    fn row(&mut self) -> Result<Option<Row>, TransferError> {
        let Some(object) = self.object()? else {
            return if self.ended {
                Ok(None)
            } else {
                Err(self.wrong("the file is cut off: its last line is missing"))
            };
        };
        if self.ended {
            return Err(self.wrong("something follows the last line"));
        }
        if object.get("row").and_then(Value::as_str) == Some("end") {
            let lines = object.get("lines").and_then(Value::as_u64);
            if lines != Some(self.rows) {
                return Err(self.wrong(format!("{} lines came before it, which is not what it says", self.rows)));
            }
            self.ended = true;
            return self.row();
        }
        let row = Row::from_json(object).map_err(|why| self.wrong(why))?;
        self.rows += 1;
        (self.tell)(self.rows);
        Ok(Some(row))
    }
}

impl Iterator for Lines<'_> {
    type Item = Result<Row, TransferError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.row().transpose()
    }
}
