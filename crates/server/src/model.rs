//! What storage keeps beside tables: people, ratings, analyses.

use std::fmt;

use quincunx_table::protocol::Listing;
use quincunx_table::{Millis, TableId, UserId, UserKind};
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
    pub role: Option<Role>,
    /// Until when a moderator has silenced the user: nobody reads what they say.
    pub silenced: Option<Millis>,
}

/// What somebody may do beyond what everybody may.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Moderator,
}

impl Role {
    /// The word for it in the database and on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Moderator => "moderator",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Moderator].into_iter().find(|role| role.word() == word)
    }
}

/// The hash of the password stays out of logs.
impl fmt::Debug for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, name, kind, owner, password, created, banned, role, silenced } = self;
        f.debug_struct("User")
            .field("id", id)
            .field("name", name)
            .field("kind", kind)
            .field("owner", owner)
            .field("password", &password.as_ref().map(|_| "(hidden)"))
            .field("created", created)
            .field("banned", banned)
            .field("role", role)
            .field("silenced", silenced)
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

/// What counts for the new ratings of those who played a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// Their ratings before it.
    pub ratings: Vec<Option<Rating>>,
    /// How often each two of them have met lately, at this game with this class of clocks, in games that counted.
    pub met: Vec<Vec<u32>>,
}

/// A game whose result was counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedGame {
    /// Its number in the order in which games ended.
    pub number: i64,
    pub table: TableId,
    /// Who of its players was deleted by then.
    pub gone: Vec<UserId>,
}

/// Somebody's rating at a game with a class of clocks.
#[derive(Clone, PartialEq, Debug)]
pub struct RatingOf {
    pub user: UserId,
    pub at: RatedAt,
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

/// How many seats wait for somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KeptSeats {
    pub in_all: u64,
    /// Those at the tables of one host.
    pub by_host: u64,
}

/// Why somebody is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Complaint {
    /// Help from a program or from others.
    Cheating,
    /// Insults, threats, unwanted advances.
    Abuse,
    /// A name that nobody should have to read.
    Name,
    /// Games lost on purpose, left, or dragged out.
    Play,
    Other,
}

impl Complaint {
    const ALL: [Self; 5] = [Self::Cheating, Self::Abuse, Self::Name, Self::Play, Self::Other];

    /// The word for it in the database and on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cheating => "cheating",
            Self::Abuse => "abuse",
            Self::Name => "name",
            Self::Play => "play",
            Self::Other => "other",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|complaint| complaint.word() == word)
    }
}

/// What somebody reports about somebody else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewReport {
    pub at: Millis,
    pub reporter: UserId,
    pub about: UserId,
    /// Where it happened.
    pub table: Option<TableId>,
    pub reason: Complaint,
    pub words: String,
}

/// A report that is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    pub id: i64,
    pub report: NewReport,
    /// When it was closed.
    pub closed: Option<Millis>,
    /// By whom; nobody if it was done on the command line.
    pub closed_by: Option<UserId>,
}

/// What a moderator did, as the log of the moderators keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    pub id: i64,
    pub at: Millis,
    /// Nobody if it was done on the command line.
    pub moderator: Option<UserId>,
    /// A word for it, such as `ban`.
    pub action: String,
    pub about: Option<UserId>,
    pub table: Option<TableId>,
    /// For how long, and why.
    pub words: String,
}

/// A remark, and the table where it was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OwnRemark {
    pub table: TableId,
    pub at: Millis,
    pub text: String,
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
