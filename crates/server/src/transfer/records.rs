//! Tables as records, a file each, and records as tables.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use quincunx_core::{DynSession, Record};
use quincunx_games::GAMES;
use quincunx_table::protocol::Listing;
use quincunx_table::{
    About, Event, Millis, SeatPlan, Setup, State, Status, TableId, UndoPolicy, UserId, events, written,
};

use super::header::{self, Headers};
use super::{TransferError, Unready};
use crate::store::{AppendError, Cursor, Store, TableFilter, private};

/// What became of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exported {
    Written(PathBuf),
    /// No game has begun there.
    NoGame,
    /// Its log cannot be what happened.
    Damaged(String),
}

/// Writes the record of every game, finished or running, into a folder; `tell` hears of each table.
pub async fn export_records(
    store: &Store,
    folder: &Path,
    now: Millis,
    tell: &mut (dyn FnMut(&TableId, Exported) + Send),
) -> Result<(), TransferError> {
    private::folder(folder).map_err(TransferError::file(folder))?;
    let mut seen = HashSet::new();
    // What changes meanwhile moves to the front of the list, where it was not when the list was begun.
    for changed_from in [None, Some(now)] {
        let mut filter = TableFilter { changed_from, ..TableFilter::default() };
        loop {
            let page = store.tables(&filter).await?;
            let Some(last) = page.last() else { break };
            filter.after = Some(Cursor::of(last));
            for summary in page.iter().filter(|summary| seen.insert(summary.table.clone())) {
                tell(&summary.table, export(store, folder, summary, now).await?);
            }
        }
    }
    Ok(())
}

async fn export(store: &Store, folder: &Path, summary: &Listing, now: Millis) -> Result<Exported, TransferError> {
    if matches!(summary.status, Status::Open | Status::Aborted) {
        return Ok(Exported::NoGame);
    }
    let log = store.entries(&summary.table, 0, usize::MAX).await?;
    let state = match State::replay(GAMES, summary.table.clone(), &log) {
        Ok(state) => state,
        Err(corrupt) => return Ok(Exported::Damaged(corrupt.to_string())),
    };
    let Some(record) = header::record(&state, summary, now) else { return Ok(Exported::NoGame) };
    if !header::plain(&summary.table.0) {
        return Ok(Exported::Damaged("its id cannot be the name of a file".to_owned()));
    }
    let path = folder.join(format!("{}-{}.txt", summary.game, summary.table.0));
    write(&path, &record.to_text()).map_err(TransferError::file(&path))?;
    Ok(Exported::Written(path))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let file = Unready::new(path);
    private::new_file(&file.part)?.write_all(text.as_bytes())?;
    file.finish()
}

/// What is done with a record whose game is not over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    /// It is left out.
    Skip,
    /// It becomes a finished game without a winner.
    BreakOff,
}

/// What became of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Imported {
    Added(TableId),
    /// It was there before.
    There(TableId),
    /// Its game is not over.
    Unfinished,
    /// It is no record, or it contradicts itself.
    Refused(String),
}

/// Makes a finished table of every record in a file or a folder; `tell` hears of each. Records that are there already
/// change nothing.
pub async fn import_records(
    store: &Store,
    path: &Path,
    unfinished: Unfinished,
    now: Millis,
    tell: &mut (dyn FnMut(&Path, Imported) + Send),
) -> Result<(), TransferError> {
    for file in record_files(path)? {
        let imported = match read(&file).map_err(TransferError::file(&file))? {
            Ok(record) => import(store, &record, unfinished, now).await?,
            Err(why) => Imported::Refused(why),
        };
        tell(&file, imported);
    }
    Ok(())
}

/// The records that [`import_records`] reads.
pub fn record_files(path: &Path) -> Result<Vec<PathBuf>, TransferError> {
    files(path).map_err(TransferError::file(path))
}

/// The file itself, or what a folder holds in the forms of records.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let is_record =
        |file: &PathBuf| file.extension().is_some_and(|end| end == "txt" || end == "json") && file.is_file();
    let found = fs::read_dir(path)?.map(|file| Ok(file?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    let mut found: Vec<PathBuf> = found.into_iter().filter(is_record).collect();
    found.sort();
    Ok(found)
}

/// Reads no more of a file than shows that it is too long.
fn read(path: &Path) -> io::Result<Result<Record, String>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(Record::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    let Ok(text) = String::from_utf8(bytes) else { return Ok(Err("this is not text in UTF-8".to_owned())) };
    let json = text.trim_start().starts_with('{');
    let record = if json { Record::from_json(&text) } else { Record::parse(&text) };
    Ok(record.map_err(|error| error.to_string()))
}

async fn import(
    store: &Store,
    record: &Record,
    unfinished: Unfinished,
    now: Millis,
) -> Result<Imported, TransferError> {
    let (headers, game) = match (Headers::read(record), record.replay(GAMES)) {
        (Ok(headers), Ok(game)) => (headers, game),
        (Err(why), _) => return Ok(Imported::Refused(why)),
        (_, Err(error)) => return Ok(Imported::Refused(error.to_string())),
    };
    let Headers { table, at, rated, public, about } = headers;
    if !store.entries(&table, 0, 1).await?.is_empty() {
        return Ok(Imported::There(table));
    }
    let last = match last_event(&about, &*game, unfinished) {
        Ok(last) => last,
        Err(refusal) => return Ok(refusal),
    };
    let players = players(store, &about).await?;
    let at = at.unwrap_or(now);
    let setup = Setup {
        game: record.game.clone(),
        options: record.options.clone(),
        seats: vec![SeatPlan::Open; players.len()],
        shuffled: false,
        clock: about.clock,
        rated,
        public,
        undo: UndoPolicy::default(),
    };
    let mut events = events(record, setup, NOBODY, invitation()?, players.into_iter().map(Some).collect());
    events.extend(last);
    let log = written(&events, at);
    let state = match State::replay(GAMES, table.clone(), &log) {
        Ok(state) if state.status == Status::Finished => state,
        Ok(_) => return Ok(Imported::Refused("its game does not come to an end".to_owned())),
        Err(corrupt) => return Ok(Imported::Refused(corrupt.why)),
    };
    let ended = state.ending.as_ref().map(|ending| &ending.winners);
    if about.ending.as_ref().is_some_and(|(winners, _)| Some(winners) != ended) {
        return Ok(Imported::Refused("its Ending names others than those who win like that".to_owned()));
    }
    if state.setup.rated {
        // Its result was counted where it was played.
        store.rate(&table, &state.setup.game, state.setup.clock.class(), at, &[], |_| Vec::new()).await?;
    }
    match store.append(&table, log, Some(state.listing(at))).await {
        Ok(()) => Ok(Imported::Added(table)),
        Err(AppendError::Taken) => Ok(Imported::There(table)),
        Err(AppendError::Failed(error)) => Err(error.into()),
    }
}

/// What ends a game that is not over by its rules.
fn last_event(about: &About, game: &dyn DynSession, unfinished: Unfinished) -> Result<Option<Event>, Imported> {
    let last = about.last_event(game).map_err(|why| Imported::Refused(why.to_string()))?;
    match unfinished {
        _ if last.is_some() || game.outcome().is_some() => Ok(last),
        Unfinished::Skip => Err(Imported::Unfinished),
        Unfinished::BreakOff => Ok(Some(Event::BrokenOff)),
    }
}

/// Who sits on each seat: a user of that name, or just the name. Nobody sits on two seats.
async fn players(store: &Store, about: &About) -> Result<Vec<(Option<UserId>, String)>, TransferError> {
    let mut players: Vec<(Option<UserId>, String)> = Vec::new();
    for (seat, name) in about.players.iter().enumerate() {
        let name = name.clone().unwrap_or_else(|| format!("seat {seat}"));
        let user = store.user_named(&name).await?.map(|user| user.id);
        let user = user.filter(|user| players.iter().all(|(other, _)| *other != Some(*user)));
        players.push((user, name));
    }
    Ok(players)
}

/// The host of tables that nobody here has set up: users are counted from 1.
const NOBODY: UserId = UserId(0);

/// Something that nobody knows: to a private game nobody can be invited any more.
fn invitation() -> Result<String, TransferError> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| TransferError::File {
        path: "random numbers".into(),
        error: io::Error::other(error.to_string()),
    })?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
