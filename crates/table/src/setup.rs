//! What a table agrees on before play.

use quincunx_core::{DynSession, GameKind, find};
use quincunx_engine::Level;

use crate::{Millis, Refusal, UserId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a table agrees on before play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The id of the game.
    pub game: String,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeatPlan {
    /// Anybody who may see the table.
    Open,
    /// Anybody who has the invitation.
    Invited,
    /// The engine, at a level. A table outside a server may know other players by name.
    Engine { level: String },
    /// Somebody at the screen of the person who sets up the table, by name.
    Person { name: String },
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

    /// The person for whom the seat was kept does not want it.
    pub(crate) fn decline(&mut self, public: bool) {
        *self = if public { Self::Open } else { Self::Invited };
    }
}

/// How much time there is to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
            Self::None => return Ok(()),
            Self::RealTime { seconds, increment } => (
                (1..=Self::LONGEST_GAME).contains(&seconds) && increment <= Self::LONGEST_INCREMENT,
                Refusal::ClockRange,
            ),
            Self::Correspondence { days } => ((1..=Self::LONGEST_WAIT).contains(&days), Refusal::DaysRange),
        };
        if valid { Ok(()) } else { Err(why) }
    }
}

/// Whether moves can be taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum UndoPolicy {
    Never,
    /// If all other people at the table agree.
    #[default]
    Asked,
    /// At once, also what was drawn or shown, and also after the end: where all people sit at one screen.
    Free,
}

impl Setup {
    /// Whether all of this fits together at a server, where strangers meet.
    pub fn check(&self, games: &[&'static dyn GameKind]) -> Result<(), Refusal> {
        self.start(games)?;
        for plan in &self.seats {
            match plan {
                SeatPlan::Engine { level } if level.parse::<Level>().is_err() => {
                    return Err(Refusal::NoSuchLevel { levels: Level::ALL.map(Level::name).to_vec() });
                }
                SeatPlan::Person { .. } => return Err(Refusal::OneScreen),
                _ => {}
            }
        }
        let engine = |plan: &SeatPlan| matches!(plan, SeatPlan::Engine { .. });
        if self.seats.iter().all(engine) {
            return Err(Refusal::EnginesOnly);
        }
        if self.rated && self.seats.iter().any(engine) {
            return Err(Refusal::RatedEngine);
        }
        if self.rated && self.clock == TimeControl::None {
            return Err(Refusal::RatedClock);
        }
        if self.undo == UndoPolicy::Free {
            return Err(Refusal::FreeUndo);
        }
        let mut players: Vec<UserId> = self.seats.iter().filter_map(SeatPlan::player).collect();
        players.sort_unstable();
        if players.windows(2).any(|two| two[0] == two[1]) {
            return Err(Refusal::TwoSeats);
        }
        Ok(())
    }

    /// The start position, if game, options and clock can be played.
    pub(crate) fn start(&self, games: &[&'static dyn GameKind]) -> Result<Box<dyn DynSession>, Refusal> {
        let game = find(games, &self.game)?;
        self.clock.check()?;
        let options = Value::Object(self.options.clone());
        Ok(game.start(Some(self.seats.len() as u64), &options)?)
    }
}

/// Seconds and days as moments are counted.
pub(crate) const SECOND: Millis = 1000;
pub(crate) const DAY: Millis = 24 * 60 * 60 * SECOND;
