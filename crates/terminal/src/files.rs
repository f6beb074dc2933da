//! Records in files: read, text or JSON, of bounded size, and written whole or not at all.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use quincunx_core::{DynSession, Record, record::RecordError};
use quincunx_games::GAMES;

/// Reads a record; `-` is standard input.
pub fn read(path: &str) -> Result<Record, String> {
    let text = read_text(path).map_err(|error| format!("{path}: {error}"))?;
    parse(&text).map_err(|error| format!("{path}: {error}"))
}

/// Reads a record and plays it through.
pub fn replay(path: &str) -> Result<Box<dyn DynSession>, String> {
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

/// Where games are kept, if there is a place for them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shelf {
    folder: Option<PathBuf>,
}

impl Shelf {
    /// Where this user's games are kept.
    pub fn of_user() -> Self {
        let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let data = folder("XDG_DATA_HOME").filter(|path| path.is_absolute());
        let data = data.or_else(|| folder("HOME").map(|home| home.join(".local/share")));
        Self { folder: data.map(|data| data.join("quincunx/games")) }
    }

    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()) }
    }

    /// A file for a new game that no other game has.
    pub fn new_file(&self, game: &str) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        fs::create_dir_all(folder).ok()?;
        let path = |number: usize| folder.join(format!("{game}-{number}.txt"));
        (1..=10_000).map(path).find(|path| File::create_new(path).is_ok())
    }

    /// The games that are kept, those that were played last first, each with the time of its last action.
    pub fn games(&self) -> Vec<(PathBuf, SystemTime)> {
        let Some(entries) = self.folder.as_ref().and_then(|folder| fs::read_dir(folder).ok()) else {
            return Vec::new();
        };
        let mut games: Vec<_> = entries
            .flatten()
            .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "txt"))
            .filter_map(|entry| Some((entry.metadata().and_then(|file| file.modified()).ok()?, entry.path())))
            .collect();
        games.sort_unstable();
        games.into_iter().rev().map(|(when, path)| (path, when)).collect()
    }
}

/// The records in a folder and the folders in it, each as it would be typed after what was typed so far.
pub fn completions(typed: &str) -> Vec<String> {
    let (folder, _) = typed.rsplit_once('/').map_or(("", typed), |(folder, rest)| (&typed[..=folder.len()], rest));
    let Ok(entries) = fs::read_dir(if folder.is_empty() { "." } else { folder }) else { return Vec::new() };
    let mut found: Vec<String> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
            let record = [".txt", ".json"].iter().any(|ending| name.ends_with(ending));
            if entry.path().is_dir() {
                Some(format!("{folder}{name}/"))
            } else {
                record.then(|| format!("{folder}{name}"))
            }
        })
        .take(MOST_COMPLETIONS)
        .collect();
    // Records before folders, each in order.
    found.sort_unstable_by_key(|name| (name.ends_with('/'), name.clone()));
    found
}

/// Nobody looks through more.
const MOST_COMPLETIONS: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_new_game_has_a_file_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::at(folder.path().join("kept/games"));
        assert!(shelf.games().is_empty(), "also where there is no folder yet");
        let first = shelf.new_file("trexo").unwrap();
        let second = shelf.new_file("trexo").unwrap();
        assert_ne!(first, second);
        fs::write(first.with_extension("other"), "").unwrap();
        assert_eq!(shelf.games().len(), 2);
        assert_eq!(Shelf { folder: None }.new_file("trexo"), None);
    }

    #[test]
    fn a_path_is_completed_by_records_and_folders() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("more")).unwrap();
        for name in ["b.txt", "a.json", "picture.png", ".hidden.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let typed = |rest: &str| format!("{}/{rest}", folder.path().display());
        assert_eq!(completions(&typed("b")), [typed("a.json"), typed("b.txt"), typed("more/")]);
        assert!(completions(&typed("nowhere/x")).is_empty());
    }
}
