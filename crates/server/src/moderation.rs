//! What moderators do, from the page or from the command line: each deed is carried out and noted in their log.

use quincunx_table::{Millis, Status, TableId, UserId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::model::{Deed, Role, User};
use crate::people::{People, PeopleError, recount};
use crate::store::{Store, StoreError};

const HOUR: Millis = 60 * 60 * 1000;
const DAY: Millis = 24 * HOUR;
/// How long the reason for a deed is.
const LONGEST: usize = 500;

/// What a moderator does about somebody or a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ModeratorAction)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Keeps a user and their bots out, for so many days or until further notice.
    Ban {
        user: UserId,
        #[serde(default)]
        days: Option<u32>,
    },
    Unban {
        user: UserId,
    },
    /// Silences a user at all tables.
    Mute {
        user: UserId,
        hours: u32,
    },
    Unmute {
        user: UserId,
    },
    /// Gives a user another name, also in the games that they have played.
    Rename {
        user: UserId,
        name: String,
    },
    /// Takes back what the result of a table has done to ratings.
    Annul {
        table: TableId,
    },
}

/// Why nothing was done.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ModerationError {
    #[error("there is no such user")]
    NoSuchUser,
    #[error("there is no such table")]
    NoSuchTable,
    #[error("the result of this table does not count for ratings")]
    NotCounted,
    #[error("this is a moderator: only the operator of the server can do this")]
    AboutModerator,
    #[error("the reason has 1 to {LONGEST} characters")]
    Why,
    #[error("from 1 hour to 10 years")]
    Time,
    #[error(transparent)]
    People(#[from] PeopleError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ModerationError {
    /// The code of it and its arguments, to translate it; nothing for what only the log tells.
    pub fn code(&self) -> Option<(&'static str, Value)> {
        let none = || json!({});
        Some(match self {
            Self::NoSuchUser => ("no_such_user", none()),
            Self::NoSuchTable => ("no_such_table", none()),
            Self::NotCounted => ("not_counted", none()),
            Self::AboutModerator => ("about_moderator", none()),
            Self::Why => ("deed_reason", json!({"longest": LONGEST})),
            Self::Time => ("deed_time", none()),
            Self::People(error) => return error.code(),
            Self::Store(_) => return None,
        })
    }
}

/// What was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Carried {
    /// Whom it was about, as they were before.
    pub user: Option<User>,
}

/// Carries out what a moderator wants, or without one the operator, and notes it.
pub async fn carry_out(
    store: &Store,
    people: &People,
    by: Option<UserId>,
    action: &Action,
    why: &str,
    now: Millis,
) -> Result<Carried, ModerationError> {
    let why = why.trim();
    if why.chars().count() > LONGEST || (why.is_empty() && by.is_some()) {
        return Err(ModerationError::Why);
    }
    let user = match action.user() {
        Some(id) => Some(store.user(id).await?.ok_or(ModerationError::NoSuchUser)?),
        None => None,
    };
    if by.is_some() && user.as_ref().is_some_and(|user| user.role == Some(Role::Moderator)) {
        return Err(ModerationError::AboutModerator);
    }
    let what = match action {
        Action::Ban { user, days } => {
            let until = match days {
                Some(days) => now + within(*days, 3650)? * DAY,
                None => Millis::MAX,
            };
            store.set_banned(*user, Some(until)).await?;
            days.map_or_else(|| "for good".to_owned(), |days| format!("{days} d"))
        }
        Action::Unban { user } => {
            store.set_banned(*user, None).await?;
            String::new()
        }
        Action::Mute { user, hours } => {
            store.set_silenced(*user, Some(now + within(*hours, 3650 * 24)? * HOUR)).await?;
            format!("{hours} h")
        }
        Action::Unmute { user } => {
            store.set_silenced(*user, None).await?;
            String::new()
        }
        Action::Rename { user, name } => {
            people.rename(*user, name, now).await?;
            // The old name is what was wrong; the log does not keep it.
            String::new()
        }
        Action::Annul { table } => {
            annul(store, table).await?;
            String::new()
        }
    };
    let words = [what.as_str(), why].iter().filter(|text| !text.is_empty()).copied().collect::<Vec<_>>().join(": ");
    let table = match action {
        Action::Annul { table } => Some(table.clone()),
        _ => None,
    };
    let about = action.user();
    store
        .add_deed(Deed { id: 0, at: now, moderator: by, action: action.word().to_owned(), about, table, words })
        .await?;
    Ok(Carried { user })
}

/// Closes a report, and notes it.
pub async fn close(store: &Store, by: Option<UserId>, id: i64, now: Millis) -> Result<bool, StoreError> {
    let Some(report) = store.report(id).await? else { return Ok(false) };
    if !store.close_report(id, now, by).await? {
        return Ok(false);
    }
    let (about, table, words) = (Some(report.report.about), report.report.table, format!("#{id}"));
    store.add_deed(Deed { id: 0, at: now, moderator: by, action: "close".to_owned(), about, table, words }).await?;
    Ok(true)
}

async fn annul(store: &Store, table: &TableId) -> Result<(), ModerationError> {
    let listing = store.summary(table).await?.ok_or(ModerationError::NoSuchTable)?;
    let counts = listing.rated && listing.status == Status::Finished;
    if !counts || !store.annul(table).await? {
        return Err(ModerationError::NotCounted);
    }
    Ok(recount(store, &listing.game, &listing.clock).await?)
}

fn within(number: u32, most: u32) -> Result<Millis, ModerationError> {
    if (1..=most).contains(&number) { Ok(Millis::from(number)) } else { Err(ModerationError::Time) }
}

impl Action {
    /// The word for it in the log and on the wire.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Ban { .. } => "ban",
            Self::Unban { .. } => "unban",
            Self::Mute { .. } => "mute",
            Self::Unmute { .. } => "unmute",
            Self::Rename { .. } => "rename",
            Self::Annul { .. } => "annul",
        }
    }

    /// Whom it is about.
    pub const fn user(&self) -> Option<UserId> {
        match self {
            Self::Ban { user, .. }
            | Self::Unban { user }
            | Self::Mute { user, .. }
            | Self::Unmute { user }
            | Self::Rename { user, .. } => Some(*user),
            Self::Annul { .. } => None,
        }
    }
}
