//! Where a table comes from: a game at this machine, or one on a server. The screen does not care.

pub mod local;
pub mod online;

use std::fmt::Debug;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use quincunx_arena::{Threads, WallClock};
use quincunx_core::{DynSession, Record, Seat};
use quincunx_engine::{Control, Engine, Level, Thought};

use crate::app::Key;
use crate::event::{News, Reporter};
use crate::moment::{Moment, Said};

/// A table that is played or watched.
pub trait Source: Debug {
    /// A few words for the top of the screen, such as the game and where it is played.
    fn title(&self) -> String;

    /// The table as whoever sits before the screen sees it now.
    fn moment(&self) -> &Moment;

    /// What happened so far, as he may read it.
    fn log(&self) -> &[Said];

    fn players(&self) -> Vec<Player>;

    fn stage(&self) -> Stage;

    /// Does something in the words of the game. An error is a sentence for people.
    fn act(&mut self, action: &str) -> Result<(), String>;

    /// Whoever was called to the screen has come.
    fn uncover(&mut self) {}

    /// What can be done at the table besides playing, each by a key.
    fn commands(&self) -> Vec<Key>;

    /// Does one of these; gives what to say about it, if anything.
    fn command(&mut self, key: &str) -> Result<Option<String>, String>;

    /// Asks the engine for advice, which comes later.
    fn ask_hint(&mut self) -> Result<(), String>;

    fn hint(&self) -> Hint<'_>;

    /// Takes what is meant for it; says whether anything is different now.
    fn hear(&mut self, news: &mut Option<News>) -> bool;

    /// Time has passed; says whether anything is different now.
    fn tick(&mut self) -> bool {
        false
    }

    fn pace(&self) -> Option<Duration> {
        None
    }

    /// What there is to tell that nobody has asked for, such as that the connection is lost; once each.
    fn notice(&mut self) -> Option<String> {
        None
    }

    /// The game as a record, if it may be seen.
    fn record(&mut self) -> Result<Record, String>;

    /// What was said at the table; nothing where nobody can talk.
    fn talk(&self) -> Option<&[Spoken]> {
        None
    }

    fn say(&mut self, _text: &str) -> Result<(), String> {
        Err("Nobody is here to talk to.".to_owned())
    }
}

/// Whoever sits at the table.
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
#[derive(Clone, Copy, Debug)]
pub enum Hint<'a> {
    None,
    Thinking,
    Given(&'a Thought<String>),
}

/// A line of the talk at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spoken {
    pub name: String,
    pub text: String,
}

/// Lets the engine think about a position for the seat that is on turn there; it reports what it would do.
fn advise(table: Box<dyn DynSession>, seat: Seat, seed: u64, party: u64, reporter: Reporter) -> Result<(), String> {
    let ply = table.ply();
    let thinker = Engine::Level(Level::Master).thinker(table.kind().id());
    let mut thinker = thinker.ok_or("No engine plays this game.")?;
    thread::spawn(move || {
        // A hint overlooks nothing, and nobody waits long for it.
        let (clock, never) = (WallClock::default(), AtomicBool::new(false));
        let one = Threads(std::num::NonZeroUsize::MIN);
        let control = Control::new(Level::Expert.budget(), seed, &clock, &never).with_crew(&one);
        let thought = thinker.think(&*table, seat, &control);
        reporter.tell(News::Hinted { party, ply, thought });
    });
    Ok(())
}
