//! Tables, people and lines of logs, by name and number.

use rand::{Rng, RngExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A moment: milliseconds since the beginning of 1970.
pub type Millis = i64;

/// A table, by its name. Knowing the name of a private table does not let anybody see it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
    pub fn random(rng: &mut (impl Rng + ?Sized)) -> Self {
        let letters = (0..Self::LENGTH).map(|_| Self::LETTERS[rng.random_range(0..Self::LETTERS.len())]);
        Self(letters.map(char::from).collect())
    }

    /// The name of the table that is set up for this. Requests for the same table, at whichever process, get the same name.
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct UserId(pub i64);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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

/// Somebody with a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Person {
    pub id: UserId,
    pub name: String,
    pub kind: UserKind,
}

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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
