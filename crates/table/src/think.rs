//! What engines are asked, and what they answer. A job says all that there is to know, so that a worker needs neither a
//! database nor the table itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use quincunx_core::{DynSession, Fold, GameKind, Seat, Step, Turn, replay};
use quincunx_engine::{Budget, Clock, Control, Judged, Level, Thinker, review};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{State, Status, TableId};

/// How long is thought about each position of a game that is analysed.
const PER_POSITION: Duration = Duration::from_millis(50);

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
    /// The same for all of a table's game, in which a level is to judge the same thing the same way.
    pub seed: u64,
    task: Task,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Task {
    /// These seats, each with the level that plays there, are asked one after the other until one wants to act.
    Move { asked: Vec<(u8, String)> },
    /// What each action was worth.
    Analysis,
}

/// The two kinds of jobs, which do not wait for each other: somebody sits at the table and waits for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobKind {
    Move,
    Analysis,
}

impl JobKind {
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
    /// The player at a seat cannot play on, such as a program that has ended.
    Failed {
        seat: u8,
    },
    /// So many actions of the game have been thought about.
    Progress {
        done: usize,
    },
    Analysis {
        moves: Vec<Judged>,
    },
}

/// Why a job has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unanswered {
    #[error("it was stopped")]
    Stopped,
    #[error("it cannot be understood: {0}")]
    Unreadable(String),
}

/// What there is to think with.
#[derive(Clone, Copy)]
pub struct Thinking<'a> {
    pub games: &'a [&'static dyn GameKind],
    /// The engine for a game at a level, if somebody plays it.
    pub thinker: fn(Level, &str) -> Option<Box<dyn Thinker>>,
    pub clock: &'a dyn Clock,
    /// Bytes that an engine may use.
    pub memory: usize,
    pub stop: &'a AtomicBool,
}

impl std::fmt::Debug for Thinking<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Thinking").field("memory", &self.memory).finish_non_exhaustive()
    }
}

impl Job {
    /// What the engines at a table are to be asked, if it is for them to act. Seats with something to say out of turn come
    /// before the one on turn.
    pub fn to_move(state: &State) -> Option<Self> {
        if state.status != Status::Playing {
            return None;
        }
        let on_turn = |seat: Seat| state.game.turn() == Turn::Seat(seat);
        let mut asked: Vec<(Seat, &String)> = Seat::all(state.game.seats())
            .filter_map(|seat| Some((seat, state.seats[seat.index()].engine.as_ref()?)))
            .filter(|&(seat, _)| on_turn(seat) || !state.game.actions(seat).is_empty())
            .collect();
        asked.sort_by_key(|&(seat, _)| on_turn(seat));
        let asked: Vec<_> = asked.into_iter().map(|(seat, level)| (seat.number(), level.clone())).collect();
        (!asked.is_empty()).then(|| Self::about(state, Task::Move { asked }))
    }

    /// What each move of a finished game was worth.
    pub fn to_analyse(state: &State) -> Self {
        Self::about(state, Task::Analysis)
    }

    fn about(state: &State, task: Task) -> Self {
        Self {
            table: state.id.clone(),
            version: state.version,
            game: state.setup.game.clone(),
            seats: u64::from(state.game.seats()),
            options: state.setup.options.clone(),
            actions: state.game.record().steps,
            seed: Fold::default().words(state.id.0.bytes().map(u64::from)).key(),
            task,
        }
    }

    pub fn kind(&self) -> JobKind {
        match self.task {
            Task::Move { .. } => JobKind::Move,
            Task::Analysis => JobKind::Analysis,
        }
    }

    /// The seats that are asked for a move, in this order, each with the name of its player.
    pub fn asked(&self) -> &[(u8, String)] {
        match &self.task {
            Task::Move { asked } => asked,
            Task::Analysis => &[],
        }
    }

    /// How many actions were made.
    pub fn actions(&self) -> usize {
        self.actions.len()
    }

    pub fn game(&self) -> &str {
        &self.game
    }

    /// An answer to this job.
    pub fn answer(&self, found: Found) -> Answer {
        Answer { table: self.table.clone(), version: self.version, found }
    }

    /// The game that is asked about.
    pub fn session(&self, games: &[&'static dyn GameKind]) -> Result<Box<dyn DynSession>, Unanswered> {
        let options = Value::Object(self.options.clone());
        replay(games, &self.game, self.seats, &options, &self.actions)
            .map_err(|why| Unanswered::Unreadable(why.to_string()))
    }

    /// Thinks, which takes its time. An engine that is stopped has no answer: what it had found until then is worth less
    /// than what another one finds that takes its time. `progress` hears after each action of an analysis how many are done, and may
    /// take its time.
    pub fn think(&self, with: Thinking<'_>, progress: impl FnMut(usize)) -> Result<Answer, Unanswered> {
        let game = self.session(with.games)?;
        let found = match &self.task {
            Task::Move { asked } => self.decide(game.as_ref(), asked, with),
            Task::Analysis => self.analyse(game.as_ref(), with, progress),
        }
        .map_err(Unanswered::Unreadable)?;
        if with.stop.load(Ordering::Relaxed) {
            return Err(Unanswered::Stopped);
        }
        Ok(self.answer(found))
    }

    fn decide(&self, game: &dyn DynSession, asked: &[(u8, String)], with: Thinking<'_>) -> Result<Found, String> {
        for (number, level) in asked {
            let seat = Seat::at_table(u64::from(*number), game.seats());
            let seat = seat.ok_or_else(|| format!("there is no seat {number}"))?;
            let level = level.parse::<Level>()?;
            if game.actions(seat).is_empty() {
                return Err(format!("seat {number} has nothing to do"));
            }
            let mut thinker = (with.thinker)(level, game.kind().id()).ok_or("no engine plays this game")?;
            let budget = Budget { memory: with.memory, ..level.budget(game.kind().id()) };
            let control = Control::new(budget, self.seed, with.clock, with.stop);
            if let Some(thought) = thinker.think(game, seat, &control) {
                return Ok(Found::Act { seat: *number, action: thought.action });
            }
        }
        Ok(Found::Wait)
    }

    fn analyse(
        &self,
        game: &dyn DynSession,
        with: Thinking<'_>,
        mut progress: impl FnMut(usize),
    ) -> Result<Found, String> {
        let mut thinker = (with.thinker)(Level::Master, game.kind().id()).ok_or("no engine plays this game")?;
        let budget = Budget { memory: with.memory, ..Budget::time(PER_POSITION) };
        let moves = review(
            game,
            |position, action| thinker.judge(position, action, &Control::new(budget, self.seed, with.clock, with.stop)),
            |done| {
                progress(done);
                !with.stop.load(Ordering::Relaxed)
            },
        );
        Ok(Found::Analysis { moves: moves.unwrap_or_default() })
    }
}
