//! What a table agrees on before a game of Mod X.

use quincunx_core::{SetupError, Within, present};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::refusal::Refusal;

/// The options of Mod X.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Four players as two teams: seats 0 and 2 against seats 1 and 3. Only with 4 seats.
    pub teams: bool,
    /// Who notices complete patterns.
    pub claims: Claims,
    /// Whether a pattern of five jokers wins at once; if not, completing one is forbidden like any other pattern.
    pub joker_win: bool,
    /// X-pieces of each player.
    pub pieces: Within<5, 30>,
    /// Score markers of each player.
    pub markers: Within<5, 64>,
    /// Points that win the game. If not given: 15 with 2 players, 12 with 3, 10 with 4, and 12 for a team.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Within<1, 64>")]
    pub target: Option<Within<1, 64>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            teams: false,
            claims: Claims::Auto,
            joker_win: true,
            pieces: Within::literal(15),
            markers: Within::literal(18),
            target: None,
        }
    }
}

/// Who notices complete patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Claims {
    /// Every pattern is scored at once for the player who completed it.
    Auto,
    /// The players do, by touching a piece of it; what is overlooked can be claimed by others.
    Manual,
}

/// The options of one game, settled for its number of players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Settled {
    pub(super) seats: u8,
    pub(super) teams: bool,
    pub(super) manual: bool,
    pub(super) joker_win: bool,
    pub(super) pieces: u8,
    pub(super) markers: u8,
    pub(super) target: u8,
}

impl Options {
    pub(super) fn settle(&self, seats: u8) -> Result<Settled, SetupError> {
        if self.teams && seats != 4 {
            return Err(SetupError::option("teams", Refusal::Teams { seats }));
        }
        let printed = match seats {
            2 => 15,
            3 => 12,
            _ if self.teams => 12,
            _ => 10,
        };
        let target = self.target.map_or(printed, |points| points.get() as u8);
        Ok(Settled {
            seats,
            teams: self.teams,
            manual: self.claims == Claims::Manual,
            joker_win: self.joker_win,
            pieces: self.pieces.get() as u8,
            markers: self.markers.get() as u8,
            target,
        })
    }
}

impl Settled {
    /// For hashing.
    pub(super) fn word(self) -> u64 {
        let [teams, manual, joker_win] = [self.teams, self.manual, self.joker_win].map(u8::from);
        u64::from_le_bytes([self.seats, teams, manual, joker_win, self.pieces, self.markers, self.target, 0])
    }
}
