//! What is kept: the logs of the tables, people, ratings and talk. One face over three ways to keep it: a SQLite file,
//! a PostgreSQL database that several processes share, and memory, which is gone with the process.
//!
//! The log is the game: an entry's number at its table is its key, so that of several writers exactly one adds number 17,
//! and an append that has returned is on the disk.

mod claim;
mod error;
mod filter;
mod memory;
mod name;
mod sql;
mod whole;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

pub use claim::{Claim, Company};
pub use error::{AddUserError, AppendError, StoreError};
pub use filter::{BadCursor, Cursor, LONGEST_PAGE, PlayerFilter, TableFilter};
pub use name::DELETED;
pub(crate) use name::look;
use quincunx_table::protocol::{Listing, Remark};
use quincunx_table::{Entry, Millis, TableId, UserId, UserKind};
pub(crate) use sql::private;
pub use whole::Row;

use crate::model::{
    CountedGame, Deed, KeptAnalysis, KeptSeats, Login, NewReport, OwnRemark, Ranked, RatedAt, Rating, RatingOf, Report,
    Role, Standing, User,
};

/// The storage of a server. Clones share it.
#[derive(Clone)]
pub struct Store {
    keeper: Keeper,
}

#[derive(Clone)]
enum Keeper {
    Memory(Arc<memory::Memory>),
    Sql(Arc<sql::Sql>),
}

/// Methods that each keeper has under the same name; memory has nothing to wait for.
macro_rules! kept {
    ($($(#[$about:meta])* pub async fn $method:ident(&$store:ident $(, $name:ident: $type:ty)* $(,)?) -> $answer:ty;)*) => {
        impl Store {$(
            $(#[$about])*
            pub async fn $method(&$store $(, $name: $type)*) -> $answer {
                match &$store.keeper {
                    Keeper::Memory(memory) => memory.$method($($name),*),
                    Keeper::Sql(sql) => sql.$method($($name),*).await,
                }
            }
        )*}
    };
}

/// A user who is about to be added.
#[derive(Clone)]
pub struct NewUser {
    pub name: String,
    pub kind: UserKind,
    pub owner: Option<UserId>,
    pub password: Option<String>,
    pub at: Millis,
}

/// Who has a rating that is less certain than this is not on the leaderboard.
pub const KNOWN_WELL: f64 = 110.0;

/// Within this time the games of the same two people count less and less.
pub const LATELY: Millis = 24 * 60 * 60 * 1000;

/// The hash of a session's or token's secret. The secret itself is never stored.
pub type SecretHash = [u8; 32];

impl Store {
    /// Keeps everything in memory.
    pub fn memory() -> Self {
        Self { keeper: Keeper::Memory(Arc::default()) }
    }

    /// Opens a SQLite file, and creates it and its folder if they do not exist.
    pub async fn sqlite(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Ok(Self { keeper: Keeper::Sql(Arc::new(sql::Sql::sqlite(path.as_ref()).await?)) })
    }

    /// Opens a PostgreSQL database by its URL.
    pub async fn postgres(url: &str) -> Result<Self, StoreError> {
        Ok(Self { keeper: Keeper::Sql(Arc::new(sql::Sql::postgres(url).await?)) })
    }

    /// Finishes what is queued; a database then refuses everything else. In memory there is nothing to finish.
    pub async fn close(&self) {
        if let Keeper::Sql(sql) = &self.keeper {
            sql.close().await;
        }
    }

    /// The time of day of a database that several machines share; others have the time of this one.
    pub async fn time(&self) -> Result<Option<Millis>, StoreError> {
        match &self.keeper {
            Keeper::Memory(_) => Ok(None),
            Keeper::Sql(sql) => sql.time().await,
        }
    }

    /// Whether the storage answers, and takes what is written.
    pub async fn healthy(&self) -> Result<(), StoreError> {
        match &self.keeper {
            Keeper::Memory(_) => Ok(()),
            Keeper::Sql(sql) => sql.healthy().await,
        }
    }

    /// Copies a SQLite database in use, as of one moment, to a file that must not exist yet.
    pub async fn backup(&self, path: impl AsRef<Path>) -> Result<(), StoreError> {
        match &self.keeper {
            Keeper::Memory(_) => Err(StoreError::Backup("what is only in memory has no backup".to_owned())),
            Keeper::Sql(sql) => sql.backup(path.as_ref()).await,
        }
    }
}

/// Moving everything from one database to another.
impl Store {
    fn database(&self) -> Result<&sql::Sql, StoreError> {
        match &self.keeper {
            Keeper::Memory(_) => Err(StoreError::OnlyInMemory),
            Keeper::Sql(sql) => Ok(sql),
        }
    }

    /// Gives every row that is kept to `take`, as of one moment; hashes of passwords and sessions only if asked for.
    pub async fn dump<E: From<StoreError>>(
        &self,
        secrets: bool,
        take: &mut (dyn FnMut(Row) -> Result<(), E> + Send),
    ) -> Result<(), E> {
        self.database()?.dump(secrets, take).await
    }

    /// How many rows [`dump`](Self::dump) gives, about: more may come meanwhile.
    pub async fn count_rows(&self, secrets: bool) -> Result<u64, StoreError> {
        self.database()?.count(|kind| secrets || !kind.secret).await
    }

    /// How many tables there are, about.
    pub async fn count_tables(&self) -> Result<u64, StoreError> {
        self.database()?.count(|kind| kind.table == "tables").await
    }

    /// Puts all rows into a database that holds nothing yet, or none of them.
    pub async fn restore<E: From<StoreError>>(
        &self,
        rows: &mut (dyn Iterator<Item = Result<Row, E>> + Send),
    ) -> Result<(), E> {
        self.database()?.restore(rows).await
    }
}

kept! {
    // Tables and their logs.

    /// Adds entries to a table's log and replaces its summary: all of it or nothing, and durable on return.
    /// Dropping the future leaves open whether it happens.
    pub async fn append(
        &self,
        table: &TableId,
        entries: Vec<Entry>,
        summary: Option<Listing>,
    ) -> Result<(), AppendError>;

    /// The entries from a number on, in order, at most so many.
    pub async fn entries(&self, table: &TableId, from: u64, most: usize) -> Result<Vec<Entry>, StoreError>;

    /// How many lines the logs of these tables have, for those that exist.
    pub async fn versions(&self, tables: &[TableId]) -> Result<Vec<(TableId, u64)>, StoreError>;

    pub async fn summary(&self, table: &TableId) -> Result<Option<Listing>, StoreError>;

    /// A page of the tables that a filter takes, the last changed first.
    pub async fn tables(&self, filter: &TableFilter) -> Result<Vec<Listing>, StoreError>;

    /// A page of the tables where a game is on, in the order of their ids.
    pub async fn running(&self, after: Option<&TableId>, limit: usize) -> Result<Vec<TableId>, StoreError>;

    /// Numbers the rated games that are over and have no number yet, in the order in which they ended.
    pub async fn number_endings(&self) -> Result<(), StoreError>;

    /// A page of the numbered games whose result has not been counted by [`rate`](Self::rate), in the order of their numbers.
    pub async fn uncounted(&self, after: i64, limit: usize) -> Result<Vec<(i64, TableId)>, StoreError>;

    /// A page of the numbered games that have changed ratings, in the order of their numbers.
    pub async fn counted(&self, after: i64, limit: usize) -> Result<Vec<CountedGame>, StoreError>;

    /// How many tables that have not begun or are being played a user has set up or sits at.
    pub async fn tables_in_use(&self, user: UserId) -> Result<u64, StoreError>;

    /// How many seats wait for a user, in all and at the tables of a host.
    pub async fn kept_seats(&self, user: UserId, host: UserId) -> Result<KeptSeats, StoreError>;

    // People and bots. Names are unique without regard to case.

    pub async fn add_user(&self, user: NewUser) -> Result<User, AddUserError>;

    /// A user who has not been deleted.
    pub async fn user(&self, id: UserId) -> Result<Option<User>, StoreError>;

    pub async fn user_named(&self, name: &str) -> Result<Option<User>, StoreError>;

    /// Forgets a guest of this name who is gone, so that somebody else can have it: one who was added before `since`, and all of
    /// whose sessions began before `living_since`. His games keep the name. Gives whether there was one.
    pub async fn free_guest_name(&self, name: &str, since: Millis, living_since: Millis) -> Result<bool, StoreError>;

    /// Ends sessions that began at a moment or earlier, and forgets guests who came then and have no session any more, so many
    /// of each at most; gives how many. Tokens of bots last, and games keep the names of guests.
    pub async fn remove_expired(&self, before: Millis, limit: usize) -> Result<u64, StoreError>;

    /// Gives a user another name, also where the user sat and spoke, and in the logs.
    pub async fn rename(&self, id: UserId, name: &str) -> Result<(), AddUserError>;

    /// Makes an account of a guest, who keeps everything.
    pub async fn make_account(&self, id: UserId, hash: &str) -> Result<(), StoreError>;

    pub async fn set_role(&self, id: UserId, role: Option<Role>) -> Result<(), StoreError>;

    /// Silences a user until a moment, or no longer.
    pub async fn set_silenced(&self, id: UserId, until: Option<Millis>) -> Result<(), StoreError>;

    pub async fn set_password(&self, id: UserId, hash: Option<String>) -> Result<(), StoreError>;

    /// Bans a user until a moment, or no longer.
    pub async fn set_banned(&self, id: UserId, until: Option<Millis>) -> Result<(), StoreError>;

    /// Forgets a user and the user's bots: their names become free, their sessions, tokens, ratings and mutes go. Where they
    /// sat or spoke, and in the logs, they are called [`DELETED`].
    pub async fn delete_user(&self, id: UserId) -> Result<(), StoreError>;

    /// A page of the users whose name contains a text, in the order of their numbers.
    pub async fn users(&self, search: &str, after: Option<UserId>, limit: usize) -> Result<Vec<User>, StoreError>;

    /// The bots of an account.
    pub async fn bots_of(&self, owner: UserId) -> Result<Vec<User>, StoreError>;

    /// Stores the hash of a session's or token's secret.
    pub async fn add_session(
        &self,
        hash: SecretHash,
        user: UserId,
        at: Millis,
        label: &str,
    ) -> Result<Login, StoreError>;

    /// Whose session it is, unless that user is banned at this moment.
    pub async fn session(&self, hash: SecretHash, now: Millis) -> Result<Option<User>, StoreError>;

    /// The sessions and tokens of a user, from the first to the last.
    pub async fn sessions_of(&self, user: UserId) -> Result<Vec<Login>, StoreError>;

    /// Ends a session of this user; gives whether there was one.
    pub async fn end_session(&self, user: UserId, login: i64) -> Result<bool, StoreError>;

    pub async fn end_all_sessions(&self, user: UserId) -> Result<(), StoreError>;

    /// Whether a user wants to read what another one says.
    pub async fn set_muted(&self, user: UserId, other: UserId, muted: bool) -> Result<(), StoreError>;

    /// Whom a user has muted.
    pub async fn muted_by(&self, user: UserId) -> Result<Vec<UserId>, StoreError>;

    /// Whether a user does not want to play with another one.
    pub async fn set_blocked(&self, user: UserId, other: UserId, blocked: bool) -> Result<(), StoreError>;

    /// Whom a user has blocked.
    pub async fn blocked_by(&self, user: UserId) -> Result<Vec<UserId>, StoreError>;

    /// Who has blocked a user.
    pub async fn blockers_of(&self, user: UserId) -> Result<Vec<UserId>, StoreError>;

    // Reports, and what moderators did.

    /// Keeps a report, and gives its number.
    pub async fn add_report(&self, report: NewReport) -> Result<i64, StoreError>;

    pub async fn report(&self, id: i64) -> Result<Option<Report>, StoreError>;

    /// A page of the reports that nobody has closed, the oldest first.
    pub async fn open_reports(&self, after: i64, limit: usize) -> Result<Vec<Report>, StoreError>;

    /// What somebody has reported since a moment, the last first.
    pub async fn reports_by(&self, reporter: UserId, since: Millis, limit: usize) -> Result<Vec<Report>, StoreError>;

    /// Closes a report; gives whether it was open.
    pub async fn close_report(&self, id: i64, at: Millis, by: Option<UserId>) -> Result<bool, StoreError>;

    /// Adds to the log of the moderators; the number of the deed is given by the storage.
    pub async fn add_deed(&self, deed: Deed) -> Result<i64, StoreError>;

    /// A page of what moderators did, the last first.
    pub async fn deeds(&self, before: Option<i64>, limit: usize) -> Result<Vec<Deed>, StoreError>;

    /// A page of what somebody has said, from the first on.
    pub async fn remarks_of(&self, user: UserId, skip: u64, limit: usize) -> Result<Vec<OwnRemark>, StoreError>;

    /// Takes the result of a table that was counted out of what counts; gives whether it was in.
    pub async fn annul(&self, table: &TableId) -> Result<bool, StoreError>;

    /// Replaces all ratings of a game and a class of clocks.
    pub async fn replace_ratings(
        &self,
        game: &str,
        class: &str,
        ratings: Vec<(UserId, Rating)>,
    ) -> Result<(), StoreError>;

    // Ratings, talk and leases.

    pub async fn rating(&self, user: UserId, game: &str, class: &str) -> Result<Option<Rating>, StoreError>;

    /// Counts the result of a table whose game ended at a moment, once: gives whether this call did it. The new ratings of
    /// `users` are made from their old ones while nobody else can change these, so that two games that end at once both count.
    /// Deleted users get none. A game is refused ([`StoreError::TooEarly`]) as long as one with a lower number of the same game
    /// and class has not been counted.
    pub async fn rate(
        &self,
        table: &TableId,
        game: &str,
        class: &str,
        at: Millis,
        users: &[UserId],
        new_ratings: impl FnOnce(&Standing) -> Vec<Rating> + Send,
    ) -> Result<bool, StoreError>;

    /// All ratings.
    pub async fn all_ratings(&self) -> Result<Vec<RatingOf>, StoreError>;

    /// The ratings from which the numbered games are counted.
    pub async fn base_ratings(&self) -> Result<Vec<RatingOf>, StoreError>;

    /// The best people or bots, from the first on: those whose rating is known well enough, and who are not banned at a moment.
    pub async fn leaderboard(
        &self,
        game: &str,
        class: &str,
        bots: bool,
        now: Millis,
        limit: usize,
    ) -> Result<Vec<Ranked>, StoreError>;

    pub async fn ratings_of(&self, user: UserId) -> Result<Vec<RatedAt>, StoreError>;

    /// Adds to the talk at a table, and gives the remark's number there: 1, 2, 3 and so on.
    pub async fn add_remark(
        &self,
        table: &TableId,
        user: UserId,
        name: &str,
        at: Millis,
        text: &str,
        spectator: bool,
    ) -> Result<i64, StoreError>;

    /// The remarks after a number, in order.
    pub async fn remarks(&self, table: &TableId, after: i64, limit: usize) -> Result<Vec<Remark>, StoreError>;

    /// The number of the last remark at a table; 0 if there is none.
    pub async fn last_remark(&self, table: &TableId) -> Result<i64, StoreError>;

    /// Takes or renews the right to be the only one who does something: gives whether the holder has it now. It can be had
    /// when nobody has it, when it has run out, and by the one who has it already.
    pub async fn lease(&self, name: &str, holder: &str, now: Millis, until: Millis) -> Result<bool, StoreError>;

    /// Gives a right back, if the holder has it.
    pub async fn release(&self, name: &str, holder: &str) -> Result<(), StoreError>;

    /// A moment that was noted under a name, by this process or another one.
    pub async fn moment(&self, name: &str) -> Result<Option<Millis>, StoreError>;

    pub async fn set_moment(&self, name: &str, at: Millis) -> Result<(), StoreError>;

    // What engines make of finished games.

    pub async fn analysis(&self, table: &TableId) -> Result<Option<KeptAnalysis>, StoreError>;

    /// How many analyses are under way of which something was heard after a moment.
    pub async fn analyses_under_way(&self, silent: Millis) -> Result<u64, StoreError>;

    /// Begins an analysis, if there is none: gives whether this call did it. One that has no result and was not heard of
    /// after `silent` is begun again.
    pub async fn begin_analysis(
        &self,
        table: &TableId,
        total: u64,
        now: Millis,
        silent: Millis,
    ) -> Result<bool, StoreError>;

    /// Notes how far an analysis is that is under way.
    pub async fn note_analysis(&self, table: &TableId, done: u64, now: Millis) -> Result<(), StoreError>;

    /// Keeps the result of an analysis that is under way; a second one changes nothing.
    pub async fn end_analysis(&self, table: &TableId, result: &str) -> Result<(), StoreError>;
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.keeper {
            Keeper::Memory(_) => "Store(memory)",
            Keeper::Sql(sql) => sql.description(),
        })
    }
}

/// The hash of the password stays out of logs.
impl fmt::Debug for NewUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewUser").field("name", &self.name).field("kind", &self.kind).finish_non_exhaustive()
    }
}
