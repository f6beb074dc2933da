//! Records from files and standard input, text or JSON, of bounded size.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use quincunx_core::{Record, record::RecordError};

use crate::failure::Failure;

/// Reads a record; `-` is standard input.
pub(crate) fn read(path: &str) -> Result<Record, Failure> {
    let text = read_text(path).map_err(|error| format!("{path}: {error}"))?;
    Ok(parse(&text).map_err(|error| format!("{path}: {error}"))?)
}

/// Reads the text of a record, and no more of a longer file than shows that it is too long.
pub(crate) fn read_text(path: &str) -> io::Result<String> {
    let most = Record::MAX_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    if path == "-" {
        io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else {
        File::open(Path::new(path))?.take(most).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 == most {
        // The cut may fall into a character; the length is reported before that matters.
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        io::Error::other(format!("line {line}: this is not text in UTF-8"))
    })
}

/// Writes a record so that a file that was there before is replaced whole or not at all.
pub(crate) fn write(path: &str, record: &Record) -> io::Result<()> {
    let beside = format!("{path}.new");
    fs::write(&beside, record.to_text())?;
    fs::rename(&beside, path)
}

/// Reads a record in either form.
pub(crate) fn parse(text: &str) -> Result<Record, RecordError> {
    if is_json(text) { Record::from_json(text) } else { Record::parse(text) }
}

pub(crate) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}
