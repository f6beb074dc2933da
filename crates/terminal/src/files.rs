//! Records in files: read, text or JSON, of bounded size, and written whole or not at all.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use quincunx_core::{Record, Table, record::RecordError};
use quincunx_games::GAMES;

/// Reads a record; `-` is standard input.
pub fn read(path: &str) -> Result<Record, String> {
    let text = read_text(path).map_err(|error| format!("{path}: {error}"))?;
    parse(&text).map_err(|error| format!("{path}: {error}"))
}

/// Reads a record and plays it through.
pub fn replay(path: &str) -> Result<Box<dyn Table>, String> {
    read(path)?.replay(GAMES).map_err(|error| format!("{path}: {error}"))
}

/// Reads the text of a record, and no more of a longer file than shows that it is too long.
pub fn read_text(path: &str) -> io::Result<String> {
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
pub fn write(path: impl AsRef<Path>, record: &Record) -> io::Result<()> {
    let mut beside = path.as_ref().as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, record.to_text())?;
    fs::rename(&beside, path)
}

/// Reads a record in either form.
pub fn parse(text: &str) -> Result<Record, RecordError> {
    if is_json(text) { Record::from_json(text) } else { Record::parse(text) }
}

pub fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// The folder in which this user's games are kept, if there is a place for it.
pub fn games_folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = folder("XDG_DATA_HOME").filter(|path| path.is_absolute());
    let data = data.or_else(|| folder("HOME").map(|home| home.join(".local/share")))?;
    Some(data.join("quincunx/games"))
}

/// A file for a new game that no other game has. Without a place for it, the game is not kept.
pub fn new_file(game: &str) -> Option<PathBuf> {
    let folder = games_folder()?;
    fs::create_dir_all(&folder).ok()?;
    let path = |number: usize| folder.join(format!("{game}-{number}.txt"));
    (1..=10_000).map(path).find(|path| File::create_new(path).is_ok())
}

/// The games that are kept, those that were played last first.
pub fn kept_games() -> Vec<PathBuf> {
    let Some(entries) = games_folder().and_then(|folder| fs::read_dir(folder).ok()) else { return Vec::new() };
    let mut games: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "txt"))
        .filter_map(|entry| Some((entry.metadata().and_then(|file| file.modified()).ok()?, entry.path())))
        .collect();
    games.sort_unstable();
    games.into_iter().rev().map(|(_, path)| path).collect()
}
