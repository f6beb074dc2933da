//! What a table agrees on before play.

use quincunx_core::{DynSession, find};
use quincunx_engine::Level;
use quincunx_games::GAMES;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;
use utoipa::ToSchema;

use super::Refusal;
use crate::model::{Millis, UserId};

/// What a table agrees on before play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The id of the game.
    pub game: String,
    #[serde(default)]
    #[ts(type = "Record<string, unknown>")]
    #[schema(value_type = Object)]
    pub options: Map<String, Value>,
    /// Who may sit on each seat.
    pub seats: Vec<SeatPlan>,
    /// Whether seats are dealt out at random when all are taken.
    #[serde(default)]
    pub shuffled: bool,
    #[serde(default)]
    pub clock: TimeControl,
    #[serde(default)]
    pub rated: bool,
    /// Whether the lobby lists the table and anybody may watch.
    #[serde(default = "yes")]
    pub public: bool,
    #[serde(default)]
    pub undo: UndoPolicy,
}

const fn yes() -> bool {
    true
}

/// Who may sit on a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeatPlan {
    /// Anybody who may see the table.
    Open,
    /// Who has the invitation.
    Invited,
    /// The engine, at a level.
    Engine { level: String },
    /// This user: a bot, or somebody who was asked by name.
    Player { user: UserId },
}

impl SeatPlan {
    /// For whom the seat is kept.
    pub fn player(&self) -> Option<UserId> {
        match self {
            Self::Player { user } => Some(*user),
            _ => None,
        }
    }
}

/// How much time there is to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TimeControl {
    #[default]
    None,
    /// So many seconds for each seat, and some more whenever it has handed over the move.
    RealTime { seconds: u32, increment: u32 },
    /// So many days for each move.
    Correspondence { days: u32 },
}

impl TimeControl {
    const LONGEST_GAME: u32 = 24 * 60 * 60;
    const LONGEST_INCREMENT: u32 = 60 * 60;
    const LONGEST_WAIT: u32 = 60;

    /// The class in which games with this clock are rated and listed.
    pub const fn class(self) -> &'static str {
        match self {
            Self::None => "none",
            // As chess servers reckon: a game of forty moves.
            Self::RealTime { seconds, increment } => match seconds + 40 * increment {
                0..180 => "bullet",
                180..600 => "blitz",
                _ => "rapid",
            },
            Self::Correspondence { .. } => "correspondence",
        }
    }

    fn check(self) -> Result<(), Refusal> {
        let (valid, why) = match self {
            Self::None => (true, ""),
            Self::RealTime { seconds, increment } => (
                (1..=Self::LONGEST_GAME).contains(&seconds) && increment <= Self::LONGEST_INCREMENT,
                "a clock has 1 second to 24 hours, with up to an hour more a move",
            ),
            Self::Correspondence { days } => {
                ((1..=Self::LONGEST_WAIT).contains(&days), "a game by correspondence has 1 to 60 days a move")
            }
        };
        if valid { Ok(()) } else { Err(Refusal::Setup(why.to_owned())) }
    }
}

/// Whether moves can be taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UndoPolicy {
    Never,
    /// If all other people at the table agree.
    #[default]
    Asked,
}

impl Setup {
    /// Whether all of this fits together.
    pub fn check(&self) -> Result<(), Refusal> {
        self.start().map(drop)
    }

    /// The start position, if all of this fits together.
    pub(super) fn start(&self) -> Result<Box<dyn DynSession>, Refusal> {
        let game = find(GAMES, &self.game).map_err(|unknown| Refusal::Setup(unknown.to_string()))?;
        self.clock.check()?;
        for plan in &self.seats {
            if let SeatPlan::Engine { level } = plan {
                level.parse::<Level>().map_err(Refusal::Setup)?;
            }
        }
        if self.seats.iter().all(|plan| matches!(plan, SeatPlan::Engine { .. })) {
            return Err(Refusal::Setup("at least one seat is for a person or a bot".to_owned()));
        }
        if self.rated && self.seats.iter().any(|plan| matches!(plan, SeatPlan::Engine { .. })) {
            return Err(Refusal::Setup("games against the engine are not rated".to_owned()));
        }
        let mut players: Vec<UserId> = self.seats.iter().filter_map(SeatPlan::player).collect();
        players.sort_unstable();
        if players.windows(2).any(|two| two[0] == two[1]) {
            return Err(Refusal::Setup("nobody can have two seats".to_owned()));
        }
        let options = Value::Object(self.options.clone());
        game.start(Some(self.seats.len() as u64), &options).map_err(|why| Refusal::Setup(why.to_string()))
    }

    /// The engine's level on a seat.
    pub fn level(&self, seat: usize) -> Option<Level> {
        match self.seats.get(seat) {
            Some(SeatPlan::Engine { level }) => level.parse().ok(),
            _ => None,
        }
    }
}

/// Seconds and days as moments are counted.
pub(super) const SECOND: Millis = 1000;
pub(super) const DAY: Millis = 24 * 60 * 60 * SECOND;
