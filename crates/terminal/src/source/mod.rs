//! A table as it is played or watched here, at a server or in this process: what is known of it, and what is asked of it.

mod face;
#[cfg(test)]
mod local_tests;
mod place;
mod table;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::{Duration, Instant};

use quincunx_arena::{Threads, WallClock};
use quincunx_client::{Connection, Event, Welcome};
use quincunx_core::{DynSession, Seat};
use quincunx_engine::{Budget, Control, Engine, Level, Thought};
use quincunx_table::protocol::{Remark, Snapshot};
use quincunx_table::{TimeControl, UserId};

pub use place::{Place, Visit, server_of, short};
pub use table::in_words;

use crate::event::{News, Reporter};
use crate::files::Shelf;
use crate::host::{Here, Opened, Opening};
use crate::moment::Moment;

/// A table that is played or watched.
#[derive(Debug)]
pub struct Source {
    connection: Connection,
    /// The host in this process, if the table is here, and what it tells.
    here: Option<(Here, Receiver<Event>)>,
    reporter: Reporter,
    welcome: Welcome,
    place: Place,
    snapshot: Snapshot,
    moment: Moment,
    talk: Vec<Remark>,
    /// Who is there of those who play, and how many others, once that was told.
    present: Option<(Vec<UserId>, u32)>,
    /// There is no connection; when it is tried again.
    lost: Option<Instant>,
    /// The action that is on its way.
    acting: Option<Acting>,
    /// What else is on its way, by its id.
    asked: BTreeMap<String, Asked>,
    /// A key that was pressed once and does something if it is pressed again.
    unsure: Option<(&'static str, Instant)>,
    /// Tells the advice for this table, and what happens here, from those of another one.
    session_id: u64,
    hint: Hint,
    notice: Option<String>,
}

#[derive(Debug)]
struct Acting {
    id: String,
    /// The version at which it is done.
    done: Option<u64>,
}

/// What is on its way, for those answers that mean more than that it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    Rematch,
    Draw,
    Other,
}

impl Source {
    /// A table at a server that has told of it.
    pub fn online(
        connection: Connection,
        reporter: Reporter,
        welcome: Welcome,
        place: Place,
        snapshot: Snapshot,
    ) -> Self {
        Self {
            connection,
            here: None,
            reporter,
            welcome,
            place,
            moment: Moment::of_snapshot(&snapshot),
            snapshot,
            talk: Vec::new(),
            present: None,
            lost: None,
            acting: None,
            asked: BTreeMap::new(),
            unsure: None,
            session_id: new_session(),
            hint: Hint::None,
            notice: None,
        }
    }

    /// A table in this process. Games that follow the first one are kept on the shelf.
    pub fn here(opening: Opening, shelf: Option<Shelf>, reporter: Reporter) -> Result<Self, String> {
        let session_id = new_session();
        let waking = reporter.clone();
        let opened = Here::open(opening, shelf, move || waking.tell(News::Woken { session_id }))?;
        let Opened { connection, welcome, here, snapshot, events } = opened;
        let place = Place::of(&snapshot.table);
        let mut source = Self::online(connection, reporter, welcome, place, snapshot);
        (source.here, source.session_id) = (Some((here, events)), session_id);
        source.settle();
        Ok(source)
    }
}

fn new_session() -> u64 {
    static SESSIONS: AtomicU64 = AtomicU64::new(0);
    SESSIONS.fetch_add(1, Ordering::Relaxed)
}

/// A player at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    pub name: String,
    /// What is known besides: thinks, has left, offers a draw.
    pub note: Option<String>,
    /// What is left on the clock.
    pub clock: Option<Duration>,
}

/// How a table stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    Playing,
    /// The screen shows nothing until this seat has come to it.
    Covered(u8),
    /// Nobody can play yet; why, and the link by which others come.
    Waiting {
        why: Vec<String>,
        link: Option<String>,
    },
    /// The game is over; how it ended.
    Over(String),
}

/// The engine's advice.
#[derive(Debug)]
pub enum Hint {
    None,
    Thinking,
    Given(Thought<String>),
}

/// A clock in words.
pub fn clock_in_words(clock: TimeControl) -> String {
    let span = |seconds: u32| match seconds % 60 {
        0 => format!("{} min", seconds / 60),
        _ => format!("{seconds} s"),
    };
    match clock {
        TimeControl::None => "no clock".to_owned(),
        TimeControl::RealTime { seconds, increment: 0 } => format!("{} a game", span(seconds)),
        TimeControl::RealTime { seconds, increment } => format!("{} + {increment} s a move", span(seconds)),
        TimeControl::Correspondence { days: 1 } => "a day a move".to_owned(),
        TimeControl::Correspondence { days } => format!("{days} days a move"),
    }
}

/// How many ways to go on a hint shows.
const HINTED: usize = 3;

/// Lets the engine think about a position for the seat that is on turn there; it reports what it would do.
fn advise(
    table: Box<dyn DynSession>,
    seat: Seat,
    seed: u64,
    session_id: u64,
    reporter: Reporter,
) -> Result<(), String> {
    let ply = table.ply();
    let thinker = Engine::Level(Level::Master).thinker(table.kind().id());
    let mut thinker = thinker.ok_or("No engine plays this game.")?;
    thread::spawn(move || {
        // A hint overlooks nothing, and nobody waits long for it.
        let (clock, never) = (WallClock::default(), AtomicBool::new(false));
        let one = Threads(std::num::NonZeroUsize::MIN);
        let control = Control::new(Budget::HINT, seed, &clock, &never).with_crew(&one).with_lines(HINTED);
        let thought = thinker.think(&*table, seat, &control);
        reporter.tell(News::Hinted { session_id, ply, thought });
    });
    Ok(())
}
