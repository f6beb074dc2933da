//! What engines are asked, and what they answer. A job says all that there is to know, so that whoever does it needs neither
//! a database nor the table itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quincunx_core::{DynSession, Seat, Step, Turn, Viewer, replay};
use quincunx_engine::{Budget, Clock, Control, Engine, Judged, Level, review};
use quincunx_games::GAMES;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::metrics;
use crate::model::{Status, TableId};
use crate::table::State;

/// How long is thought about each position of a game that is analysed.
const PER_POSITION: Duration = Duration::from_millis(50);
/// After how many actions of it somebody hears how far it is.
const TOLD: usize = 20;
/// The memory for such a thought: what can be filled in that time.
const MEMORY: usize = 32 << 20;

/// Something for an engine to think about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Job {
    pub table: TableId,
    /// How many lines the table's log had: an answer counts only as long as it has no more.
    pub version: u64,
    game: String,
    seats: u64,
    options: Map<String, Value>,
    /// What was done so far, chance included.
    actions: Vec<Step>,
    seed: u64,
    task: Task,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Task {
    /// These seats, each with the level that plays there, are asked one after the other until one wants to act.
    Move { asked: Vec<(u8, String)> },
    /// What every seat could expect, move by move.
    Analysis,
}

/// The two kinds of jobs, which do not wait for each other: somebody sits at the table and waits for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Move,
    Analysis,
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Move, Self::Analysis];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Analysis => "analysis",
        }
    }
}

/// What came out of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answer {
    pub table: TableId,
    pub version: u64,
    pub found: Found,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Found {
    /// A seat acts.
    Act {
        seat: u8,
        action: String,
    },
    /// None of the seats wants to act now.
    Wait,
    /// So many actions of the game have been thought about.
    Progress {
        done: usize,
    },
    Analysis {
        moves: Vec<Judged>,
    },
}

/// What became of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// What follows from it is durable, or nobody waits for it any more: the job is done.
    Settled,
    /// It could not be taken now.
    Later,
}

/// Why a job has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unanswered {
    #[error("it was stopped")]
    Stopped,
    #[error("it cannot be understood: {0}")]
    Unreadable(String),
}

impl Job {
    /// What the engines at a table are to be asked, if it is for them to act. Seats with something to say out of turn come
    /// before the one on turn.
    pub fn to_move(state: &State, seed: u64) -> Option<Self> {
        if state.status != Status::Playing {
            return None;
        }
        let on_turn = |seat: Seat| state.game.turn() == Turn::Seat(seat);
        let mut asked: Vec<(Seat, &str)> = Seat::all(state.game.seats())
            .filter_map(|seat| Some((seat, state.seats[seat.index()].engine?)))
            .filter(|&(seat, _)| on_turn(seat) || !state.game.actions(seat).is_empty())
            .collect();
        asked.sort_by_key(|&(seat, _)| on_turn(seat));
        let asked: Vec<_> = asked.into_iter().map(|(seat, level)| (seat.number(), level.to_owned())).collect();
        (!asked.is_empty()).then(|| Self::about(state, seed, Task::Move { asked }))
    }

    /// What each move of a finished game was worth.
    pub fn to_analyse(state: &State, seed: u64) -> Self {
        Self::about(state, seed, Task::Analysis)
    }

    fn about(state: &State, seed: u64, task: Task) -> Self {
        Self {
            table: state.id.clone(),
            version: state.version,
            game: state.setup.game.clone(),
            seats: u64::from(state.game.seats()),
            options: state.setup.options.clone(),
            actions: state.game.log(Viewer::Everything),
            seed,
            task,
        }
    }

    pub fn kind(&self) -> Kind {
        match self.task {
            Task::Move { .. } => Kind::Move,
            Task::Analysis => Kind::Analysis,
        }
    }

    /// How many actions were made.
    pub fn actions(&self) -> usize {
        self.actions.len()
    }

    /// Thinks, which takes its time. An engine that is stopped has no answer: what it had found until then is worth less
    /// than what another one finds that takes its time. `progress` hears how many actions of an analysis are done.
    pub fn think(&self, stop: &AtomicBool, progress: impl FnMut(usize)) -> Result<Answer, Unanswered> {
        let options = Value::Object(self.options.clone());
        let game = replay(GAMES, &self.game, self.seats, &options, &self.actions)
            .map_err(|why| Unanswered::Unreadable(why.to_string()))?;
        let found = match &self.task {
            Task::Move { asked } => self.decide(game.as_ref(), asked, stop),
            Task::Analysis => self.analyse(game.as_ref(), stop, progress),
        }
        .map_err(Unanswered::Unreadable)?;
        if stop.load(Ordering::Relaxed) {
            return Err(Unanswered::Stopped);
        }
        Ok(Answer { table: self.table.clone(), version: self.version, found })
    }

    fn decide(&self, game: &dyn DynSession, asked: &[(u8, String)], stop: &AtomicBool) -> Result<Found, String> {
        for (number, level) in asked {
            let seat = seat_of(game, *number)?;
            let engine = Engine::Level(level.parse::<Level>()?);
            if game.actions(seat).is_empty() {
                return Err(format!("seat {number} has nothing to do"));
            }
            let mut thinker = engine.thinker(game.kind().id()).ok_or("no engine plays this game")?;
            let clock = WallClock(Instant::now());
            let control = Control::new(engine.budget(), self.seed, &clock, stop);
            let thought = thinker.think(game, seat, &control);
            metrics::thought(game.kind().id(), clock.now());
            if let Some(thought) = thought {
                return Ok(Found::Act { seat: *number, action: thought.action });
            }
        }
        Ok(Found::Wait)
    }

    fn analyse(
        &self,
        game: &dyn DynSession,
        stop: &AtomicBool,
        mut progress: impl FnMut(usize),
    ) -> Result<Found, String> {
        let engine = Engine::Level(Level::Master);
        let mut thinker = engine.thinker(game.kind().id()).ok_or("no engine plays this game")?;
        let mut seeds = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let budget = Budget { memory: MEMORY, ..Budget::time(PER_POSITION) };
        let moves = review(
            game,
            |position, seat| {
                let clock = WallClock(Instant::now());
                thinker.think(position, seat, &Control::new(budget, seeds.random(), &clock, stop))
            },
            |done| {
                if done.is_multiple_of(TOLD) {
                    progress(done);
                }
                !stop.load(Ordering::Relaxed)
            },
        );
        Ok(Found::Analysis { moves: moves.unwrap_or_default() })
    }
}

fn seat_of(game: &dyn DynSession, number: u8) -> Result<Seat, String> {
    Seat::at_table(u64::from(number), game.seats()).ok_or_else(|| format!("there is no seat {number}"))
}

/// The clock of this machine.
struct WallClock(Instant);

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
