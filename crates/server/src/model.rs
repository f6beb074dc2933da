//! What storage keeps beside tables: people, ratings, analyses.

use std::fmt;

use quincunx_table::protocol::Listing;
use quincunx_table::{Millis, UserId, UserKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a game ended for one who played it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    Won,
    Lost,
    Drawn,
}

impl GameResult {
    /// How the game of a table ended for a seat.
    pub fn of(table: &Listing, seat: usize) -> Option<Self> {
        let winners = table.winners.as_ref()?;
        Some(if winners.is_empty() {
            Self::Drawn
        } else if winners.iter().any(|&winner| usize::from(winner) == seat) {
            Self::Won
        } else {
            Self::Lost
        })
    }

    /// The word for it in the database and on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Drawn => "drawn",
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub name: String,
    pub kind: UserKind,
    /// For a bot, the account that it belongs to.
    pub owner: Option<UserId>,
    /// As the password hash string that the hashing library writes.
    pub password: Option<String>,
    pub created: Millis,
    /// Until when the user is banned.
    pub banned: Option<Millis>,
}

/// The hash of the password stays out of logs.
impl fmt::Debug for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, name, kind, owner, password, created, banned } = self;
        f.debug_struct("User")
            .field("id", id)
            .field("name", name)
            .field("kind", kind)
            .field("owner", owner)
            .field("password", &password.as_ref().map(|_| "(hidden)"))
            .field("created", created)
            .field("banned", banned)
            .finish()
    }
}

/// A device on which a user is logged in, or a token of a bot, as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Login {
    pub id: i64,
    pub created: Millis,
    /// What the owner knows it by: a browser, or a name for the token.
    pub label: String,
}

/// How strong somebody is.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = Strength)]
pub struct Rating {
    #[serde(rename = "rating")]
    pub value: f64,
    /// How uncertain the rating is: two thirds of such players are within it.
    pub deviation: f64,
    #[serde(skip)]
    pub volatility: f64,
    /// How many games it is made from.
    pub games: u32,
}

/// How strong somebody is at a game with a class of clocks.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = StrengthAt)]
pub struct RatedAt {
    pub game: String,
    pub class: String,
    #[serde(flatten)]
    pub rating: Rating,
}

/// A line of a leaderboard.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked {
    pub user: UserId,
    pub name: String,
    pub kind: UserKind,
    pub rating: Rating,
}

/// What is kept of the analysis of a finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptAnalysis {
    /// When something was last heard of it.
    pub heard: Millis,
    /// How many actions of the game have been thought about, and how many there are.
    pub done: u64,
    pub total: u64,
    /// As JSON.
    pub result: Option<String>,
}
