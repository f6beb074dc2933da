//! The words that storage and tables share.

use std::fmt;

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use ts_rs::TS;
use utoipa::ToSchema;

/// A moment: milliseconds since the beginning of 1970.
pub type Millis = i64;

/// A table, by its name. Who knows the name of a private table may not see it for that.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(transparent)]
pub struct TableId(pub String);

impl TableId {
    const LENGTH: usize = 25;
    const LETTERS: [u8; 36] = *b"abcdefghijklmnopqrstuvwxyz0123456789";

    /// Whether a table can have this name. Storages need not be asked for others, and some would take them for an error.
    pub fn is_possible(&self) -> bool {
        const LONGEST: usize = 64;
        self.0.len() <= LONGEST && !self.0.chars().any(char::is_control)
    }

    /// A name that nobody guesses: 129 bits.
    pub fn random(rng: &mut impl Rng) -> Self {
        let letters = (0..Self::LENGTH).map(|_| Self::LETTERS[rng.random_range(0..Self::LETTERS.len())]);
        Self(letters.map(char::from).collect())
    }

    /// The name of the table that is set up for this. All who want the same table, at whichever process, get the same name.
    pub fn following_from(purpose: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in purpose {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let hash: [u8; 32] = hash.finalize().into();
        let letters =
            hash.iter().take(Self::LENGTH).map(|&byte| Self::LETTERS[usize::from(byte) % Self::LETTERS.len()]);
        Self(letters.map(char::from).collect())
    }
}

/// A person or a bot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(transparent)]
pub struct UserId(pub i64);

/// One line of a table's log. Its number at the table is its key: no two can have the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub seq: u64,
    pub at: Millis,
    /// Whose command it comes from, and the command's id, by which a repeated command is known.
    pub by: Option<UserId>,
    pub command: Option<String>,
    /// What happened, as JSON.
    pub event: String,
}

/// How far a table has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Seats are open.
    Open,
    Playing,
    Finished,
    /// Given up before it was played.
    Aborted,
}

impl Status {
    const ALL: [Self; 4] = [Self::Open, Self::Playing, Self::Finished, Self::Aborted];

    /// The word for it in the database and on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Playing => "playing",
            Self::Finished => "finished",
            Self::Aborted => "aborted",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// Who sits on a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sitter {
    pub user: Option<UserId>,
    /// The name of the person, or of the engine's level.
    pub name: String,
}

/// A table as the lobby and the search of games list it: everything in it also follows from the log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Summary {
    pub id: TableId,
    pub game: String,
    /// As JSON.
    pub options: String,
    pub status: Status,
    pub public: bool,
    pub rated: bool,
    /// The class of the clock: `none`, `bullet`, `blitz`, `rapid`, `correspondence`.
    pub clock: String,
    pub created: Millis,
    pub changed: Millis,
    /// For each seat who sits there.
    pub seats: Vec<Option<Sitter>>,
    /// For each seat for whom it is kept, as long as the table waits for this user.
    pub kept: Vec<Option<UserId>>,
    /// For a finished game: the winners' seats. Empty for a draw.
    pub winners: Option<Vec<u8>>,
}

impl Summary {
    /// The users who sit there, or for whom a seat is kept.
    pub fn users(&self) -> Vec<UserId> {
        let seated = self.seats.iter().flatten().filter_map(|sitter| sitter.user);
        seated.chain(self.kept.iter().flatten().copied()).collect()
    }

    /// For whom a seat is kept.
    pub fn kept_for(&self, seat: usize) -> Option<UserId> {
        self.kept.get(seat).copied().flatten()
    }

    /// How the game ended for a seat.
    pub fn result(&self, seat: usize) -> Option<GameResult> {
        let winners = self.winners.as_ref()?;
        Some(if winners.is_empty() {
            GameResult::Drawn
        } else if winners.iter().any(|&winner| usize::from(winner) == seat) {
            GameResult::Won
        } else {
            GameResult::Lost
        })
    }
}

/// How a game ended for one who played it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    Won,
    Lost,
    Drawn,
}

impl GameResult {
    /// The word for it in the database and on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Drawn => "drawn",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UserKind {
    /// Plays with a name and without a password, known by a cookie.
    Guest,
    Account,
    Bot,
}

impl UserKind {
    const ALL: [Self; 3] = [Self::Guest, Self::Account, Self::Bot];

    /// The word for it in the database and on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Guest => "guest",
            Self::Account => "account",
            Self::Bot => "bot",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
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

/// How strong a user is at a game with a class of clocks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    pub value: f64,
    pub deviation: f64,
    pub volatility: f64,
    pub games: u32,
}

/// A rating of a user, and what it is for.
#[derive(Clone, PartialEq, Debug)]
pub struct RatedAt {
    pub game: String,
    pub class: String,
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

/// A line of the talk at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    pub number: i64,
    pub user: UserId,
    pub name: String,
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
