//! Users, their sessions and tokens, and whom they do not want to read.

use std::fmt::Write as _;

use quincunx_table::{Millis, UserId, UserKind};
use sqlx::{AnyConnection, query, query_as, query_scalar};

use super::names::{call_in_games, rewrite};
use super::{Sql, page};
use crate::model::{Login, Role, User};
use crate::store::name::{self, DELETED};
use crate::store::{AddUserError, NewUser, SecretHash, StoreError};

/// The columns that [`user`] reads.
type UserRow =
    (i64, String, String, Option<i64>, Option<String>, Millis, Option<Millis>, Option<String>, Option<Millis>);

/// Selects them of users who have not been deleted.
macro_rules! select_users {
    ($rest:literal) => {
        concat!(
            "SELECT u.id, u.name, u.kind, u.owner, u.password, u.created, u.banned, u.role, u.silenced FROM users u ",
            $rest,
            " AND u.name_key IS NOT NULL"
        )
    };
    ($rest:literal, $end:literal) => {
        concat!(select_users!($rest), $end)
    };
}

impl Sql {
    pub async fn add_user(&self, new: NewUser) -> Result<User, AddUserError> {
        let key = name::key(&new.name);
        if name::reserved(&key) {
            return Err(AddUserError::NameTaken);
        }
        let mut transaction = self.begin().await?;
        if let Some(owner) = new.owner {
            known(&mut transaction, owner).await?;
        }
        let id = next(&mut transaction, "users").await?;
        let query = query(
            "INSERT INTO users (id, name, name_key, kind, owner, password, created, look) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
             ON CONFLICT DO NOTHING",
        );
        let NewUser { name, kind, owner, password, at } = new;
        let owner_id = owner.map(|owner| owner.0);
        let query = bound!(query, id, &*name, key, kind.word(), owner_id, password.as_deref(), at, name::look(&name));
        let added = query.execute(&mut *transaction).await?.rows_affected();
        if added == 0 {
            transaction.rollback().await?;
            return Err(AddUserError::NameTaken);
        }
        transaction.commit().await?;
        Ok(User { id: UserId(id), name, kind, owner, password, created: at, banned: None, role: None, silenced: None })
    }

    pub async fn user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        let row = query_as(select_users!("WHERE u.id = $1")).bind(id.0).fetch_optional(&self.reads).await?;
        row.map(user).transpose()
    }

    pub async fn user_named(&self, name: &str) -> Result<Option<User>, StoreError> {
        let query = query_as(select_users!("WHERE u.name_key = $1")).bind(name::key(name));
        query.fetch_optional(&self.reads).await?.map(user).transpose()
    }

    pub async fn set_password(&self, id: UserId, hash: Option<String>) -> Result<(), StoreError> {
        let query = query("UPDATE users SET password = $1 WHERE id = $2 AND name_key IS NOT NULL");
        changed_one(self.write(bound!(query, hash, id.0)).await?)
    }

    pub async fn set_banned(&self, id: UserId, until: Option<Millis>) -> Result<(), StoreError> {
        let query = query("UPDATE users SET banned = $1 WHERE id = $2 AND name_key IS NOT NULL");
        changed_one(self.write(bound!(query, until, id.0)).await?)
    }

    pub async fn free_guest_name(&self, name: &str, since: Millis, living_since: Millis) -> Result<bool, StoreError> {
        let mut transaction = self.begin().await?;
        // The row keeps the name, and with it his games do.
        let query = query_scalar(
            "UPDATE users SET name_key = NULL, look = NULL, banned = NULL WHERE name_key = $1 AND kind = $2 AND created < $3 \
             AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = users.id AND s.created > $4) RETURNING id",
        );
        let query = bound!(query, name::key(name), UserKind::Guest.word(), since, living_since);
        let gone = query.fetch_optional(&mut *transaction).await?;
        if let Some(gone) = gone {
            forget(&mut transaction, gone).await?;
        }
        transaction.commit().await?;
        Ok(gone.is_some())
    }

    pub async fn delete_user(&self, id: UserId) -> Result<(), StoreError> {
        let joins =
            self.joins_of(&self.bots_of(id).await?.iter().map(|bot| bot.id).chain([id]).collect::<Vec<_>>()).await?;
        let mut transaction = self.begin().await?;
        // First of all the user: whoever is adding a session or a bot has the row until then, and nobody has it afterwards.
        let query = query_scalar(
            "UPDATE users SET name = $1, name_key = NULL, look = NULL, password = NULL, banned = NULL, role = NULL, \
                 silenced = NULL \
             WHERE (id = $2 OR owner = $2) AND name_key IS NOT NULL RETURNING id",
        );
        let gone: Vec<i64> = bound!(query, DELETED, id.0).fetch_all(&mut *transaction).await?;
        for &gone in &gone {
            forget(&mut transaction, gone).await?;
        }
        if !gone.contains(&id.0) {
            transaction.rollback().await?;
            return Err(StoreError::NoSuchUser);
        }
        for &gone in &gone {
            call_in_games(&mut transaction, gone, DELETED).await?;
        }
        rewrite(&mut transaction, &joins, DELETED).await?;
        Ok(transaction.commit().await?)
    }

    pub async fn users(&self, search: &str, after: Option<UserId>, limit: usize) -> Result<Vec<User>, StoreError> {
        let mut pattern = "%".to_owned();
        for character in name::key(search).chars() {
            if matches!(character, '%' | '_' | '\\') {
                pattern.push('\\');
            }
            pattern.push(character);
        }
        pattern.push('%');
        let query = select_users!(r"WHERE u.name_key LIKE $1 ESCAPE '\' AND u.id > $2", " ORDER BY u.id LIMIT $3");
        let query = bound!(query_as(query), pattern, after.map_or(0, |after| after.0), page(limit));
        query.fetch_all(&self.reads).await?.into_iter().map(user).collect()
    }

    pub async fn bots_of(&self, owner: UserId) -> Result<Vec<User>, StoreError> {
        let query = query_as(select_users!("WHERE u.owner = $1", " ORDER BY u.id")).bind(owner.0);
        query.fetch_all(&self.reads).await?.into_iter().map(user).collect()
    }

    pub async fn add_session(
        &self,
        hash: SecretHash,
        user: UserId,
        at: Millis,
        label: &str,
    ) -> Result<Login, StoreError> {
        let mut transaction = self.begin().await?;
        known(&mut transaction, user).await?;
        let id = next(&mut transaction, "sessions").await?;
        let query = query("INSERT INTO sessions (hash, id, user_id, created, label) VALUES ($1, $2, $3, $4, $5)");
        bound!(query, hex(hash), id, user.0, at, label).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(Login { id, created: at, label: label.to_owned() })
    }

    pub async fn session(&self, hash: SecretHash, now: Millis) -> Result<Option<User>, StoreError> {
        let query = query_as(select_users!(
            "JOIN sessions s ON s.user_id = u.id WHERE s.hash = $1 AND (u.banned IS NULL OR u.banned <= $2)"
        ));
        bound!(query, hex(hash), now).fetch_optional(&self.reads).await?.map(user).transpose()
    }

    pub async fn sessions_of(&self, user: UserId) -> Result<Vec<Login>, StoreError> {
        let query = query_as("SELECT id, created, label FROM sessions WHERE user_id = $1 ORDER BY id").bind(user.0);
        let rows = query.fetch_all(&self.reads).await?.into_iter();
        Ok(rows.map(|(id, created, label)| Login { id, created, label }).collect())
    }

    pub async fn end_session(&self, user: UserId, login: i64) -> Result<bool, StoreError> {
        let query = query("DELETE FROM sessions WHERE user_id = $1 AND id = $2");
        Ok(self.write(bound!(query, user.0, login)).await? > 0)
    }

    pub async fn end_all_sessions(&self, user: UserId) -> Result<(), StoreError> {
        self.write(query("DELETE FROM sessions WHERE user_id = $1").bind(user.0)).await.map(drop)
    }

    pub async fn set_muted(&self, user: UserId, other: UserId, muted: bool) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        let statement = if muted {
            // In one order, so that two who mute each other at once do not wait for each other.
            for id in [user.min(other), user.max(other)] {
                known(&mut transaction, id).await?;
            }
            "INSERT INTO mutes (user_id, other_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        } else {
            "DELETE FROM mutes WHERE user_id = $1 AND other_id = $2"
        };
        bound!(query(statement), user.0, other.0).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    pub async fn set_blocked(&self, user: UserId, other: UserId, blocked: bool) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        let statement = if blocked {
            for id in [user.min(other), user.max(other)] {
                known(&mut transaction, id).await?;
            }
            "INSERT INTO blocks (user_id, other_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        } else {
            "DELETE FROM blocks WHERE user_id = $1 AND other_id = $2"
        };
        bound!(query(statement), user.0, other.0).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    pub async fn blocked_by(&self, user: UserId) -> Result<Vec<UserId>, StoreError> {
        let query = query_scalar("SELECT other_id FROM blocks WHERE user_id = $1 ORDER BY other_id").bind(user.0);
        Ok(query.fetch_all(&self.reads).await?.into_iter().map(UserId).collect())
    }

    pub async fn blockers_of(&self, user: UserId) -> Result<Vec<UserId>, StoreError> {
        let query = query_scalar("SELECT user_id FROM blocks WHERE other_id = $1 ORDER BY user_id").bind(user.0);
        Ok(query.fetch_all(&self.reads).await?.into_iter().map(UserId).collect())
    }

    pub async fn remove_expired(&self, before: Millis, limit: usize) -> Result<u64, StoreError> {
        let sessions = query(
            "DELETE FROM sessions WHERE hash IN (SELECT s.hash FROM sessions s JOIN users u ON u.id = s.user_id \
             WHERE s.created <= $1 AND u.kind <> $2 ORDER BY s.created LIMIT $3)",
        );
        let removed = self.write(bound!(sessions, before, UserKind::Bot.word(), page(limit))).await?;
        let guests = query_scalar(
            "SELECT u.id FROM users u WHERE u.kind = $1 AND u.created <= $2 AND u.name_key IS NOT NULL \
             AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = u.id) ORDER BY u.created LIMIT $3",
        );
        let guests: Vec<i64> =
            bound!(guests, UserKind::Guest.word(), before, page(limit)).fetch_all(&self.reads).await?;
        let mut gone = 0;
        for guest in guests {
            let mut transaction = self.begin().await?;
            let query = query(
                "UPDATE users SET name_key = NULL, look = NULL, banned = NULL WHERE id = $1 AND kind = $2 \
                 AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = users.id)",
            );
            if bound!(query, guest, UserKind::Guest.word()).execute(&mut *transaction).await?.rows_affected() > 0 {
                forget(&mut transaction, guest).await?;
                gone += 1;
            }
            transaction.commit().await?;
        }
        Ok(removed + gone)
    }

    pub async fn muted_by(&self, user: UserId) -> Result<Vec<UserId>, StoreError> {
        let query = query_scalar("SELECT other_id FROM mutes WHERE user_id = $1 ORDER BY other_id").bind(user.0);
        Ok(query.fetch_all(&self.reads).await?.into_iter().map(UserId).collect())
    }
}

/// Takes away all that is about a user alone.
pub(super) async fn forget(connection: &mut AnyConnection, user: i64) -> Result<(), sqlx::Error> {
    for statement in [
        "DELETE FROM sessions WHERE user_id = $1",
        "DELETE FROM ratings WHERE user_id = $1",
        "DELETE FROM base_ratings WHERE user_id = $1",
        "DELETE FROM mutes WHERE user_id = $1 OR other_id = $1",
        "DELETE FROM blocks WHERE user_id = $1 OR other_id = $1",
    ] {
        query(statement).bind(user).execute(&mut *connection).await?;
    }
    Ok(())
}

/// The next number of a counter.
pub(super) async fn next(connection: &mut AnyConnection, counter: &str) -> Result<i64, sqlx::Error> {
    let query = query_scalar("UPDATE counters SET value = value + 1 WHERE name = $1 RETURNING value").bind(counter);
    query.fetch_one(connection).await
}

/// Makes sure that a user is there, and stays as he is until the end of the transaction: PostgreSQL locks a row that is
/// written, SQLite has a single writer anyway.
pub(super) async fn known(connection: &mut AnyConnection, user: UserId) -> Result<(), StoreError> {
    let query = query("UPDATE users SET id = id WHERE id = $1 AND name_key IS NOT NULL").bind(user.0);
    changed_one(query.execute(connection).await?.rows_affected())
}

pub(super) fn changed_one(rows: u64) -> Result<(), StoreError> {
    if rows == 0 { Err(StoreError::NoSuchUser) } else { Ok(()) }
}

pub(super) fn user(row: UserRow) -> Result<User, StoreError> {
    let (id, name, word, owner, password, created, banned, role, silenced) = row;
    // A role that this version does not know gives no rights.
    let role = role.as_deref().and_then(Role::from_word);
    let (id, kind, owner) = (UserId(id), kind(&word)?, owner.map(UserId));
    Ok(User { id, name, kind, owner, password, created, banned, role, silenced })
}

pub(super) fn kind(word: &str) -> Result<UserKind, StoreError> {
    UserKind::from_word(word).ok_or_else(|| StoreError::Unreadable(format!("a user of kind {word:?}")))
}

fn hex(hash: SecretHash) -> String {
    hash.iter().fold(String::with_capacity(64), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string does not fail");
        text
    })
}
