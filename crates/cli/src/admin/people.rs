//! Who may come in.

use std::io::Write;

use clap::ValueEnum;
use quincunx_server::model::Role;
use quincunx_server::model::User;
use quincunx_server::moderation::{self, Action};
use quincunx_server::people::People;
use quincunx_server::store::Store;
use quincunx_table::{TableId, UserKind};

use super::now;
use crate::commands::BOLD;
use crate::failure::Failure;

async fn named(store: &Store, name: &str) -> Result<User, Failure> {
    let user = store.user_named(name).await?;
    user.ok_or_else(|| format!("there is no user {name:?}; quincunx admin list users shows all").into())
}

/// Does what moderators do, as the operator, and notes it in their log.
async fn carry_out(store: &Store, action: Action, why: &str) -> Result<(), Failure> {
    let people = People::new(store.clone()).map_err(|error| error.to_string())?;
    let done = moderation::carry_out(store, &people, None, &action, why, now()).await;
    done.map(drop).map_err(|error| error.to_string().into())
}

pub(super) async fn ban(
    store: &Store,
    name: &str,
    days: Option<u32>,
    why: &str,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let user = named(store, name).await?;
    carry_out(store, Action::Ban { user: user.id, days }, why).await?;
    match days {
        Some(days) => writeln!(out, "{} is banned for {days} days.", user.name)?,
        None => writeln!(out, "{} is banned until quincunx admin unban.", user.name)?,
    }
    Ok(())
}

pub(super) async fn unban(store: &Store, name: &str, out: &mut impl Write) -> Result<(), Failure> {
    let user = named(store, name).await?;
    carry_out(store, Action::Unban { user: user.id }, "").await?;
    writeln!(out, "{} is not banned.", user.name)?;
    Ok(())
}

pub(super) async fn mute(
    store: &Store,
    name: &str,
    hours: u32,
    why: &str,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let user = named(store, name).await?;
    carry_out(store, Action::Mute { user: user.id, hours }, why).await?;
    writeln!(out, "{} is silenced for {hours} hours.", user.name)?;
    Ok(())
}

pub(super) async fn unmute(store: &Store, name: &str, out: &mut impl Write) -> Result<(), Failure> {
    let user = named(store, name).await?;
    carry_out(store, Action::Unmute { user: user.id }, "").await?;
    writeln!(out, "{} can talk.", user.name)?;
    Ok(())
}

pub(super) async fn rename(
    store: &Store,
    name: &str,
    new: &str,
    why: &str,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let user = named(store, name).await?;
    carry_out(store, Action::Rename { user: user.id, name: new.to_owned() }, why).await?;
    writeln!(out, "{} is called {new} now. A running server shows it when it reads a table again.", user.name)?;
    Ok(())
}

pub(super) async fn annul(store: &Store, table: &str, why: &str, out: &mut impl Write) -> Result<(), Failure> {
    carry_out(store, Action::Annul { table: TableId(table.to_owned()) }, why).await?;
    writeln!(out, "The result of table {table} does not count any more; the ratings are worked out again.")?;
    Ok(())
}

/// What an account is made.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Given {
    Moderator,
    #[value(name = "none")]
    Ordinary,
}

pub(super) async fn set_role(store: &Store, name: &str, given: Given, out: &mut impl Write) -> Result<(), Failure> {
    let user = named(store, name).await?;
    if user.kind != UserKind::Account {
        return Err(format!("{} is a {}; moderators have accounts", user.name, user.kind.word()).into());
    }
    let role = match given {
        Given::Moderator => Some(Role::Moderator),
        Given::Ordinary => None,
    };
    store.set_role(user.id, role).await?;
    writeln!(out, "{} is {}.", user.name, if role.is_some() { "a moderator" } else { "no moderator" })?;
    Ok(())
}

pub(super) async fn close_report(store: &Store, id: i64, out: &mut impl Write) -> Result<(), Failure> {
    if !moderation::close(store, None, id, now()).await? {
        return Err(format!("there is no open report {id}; quincunx admin list reports shows all").into());
    }
    writeln!(out, "Report {id} is closed.")?;
    Ok(())
}

pub(super) async fn reset_password(store: &Store, name: &str, out: &mut impl Write) -> Result<(), Failure> {
    let user = named(store, name).await?;
    if user.kind != UserKind::Account {
        return Err(format!("{} is a {} and has no password", user.name, user.kind.word()).into());
    }
    let people = People::new(store.clone()).map_err(|error| error.to_string())?;
    let password = people.reset_password(&user).await.map_err(|error| error.to_string())?;
    writeln!(out, "The password of {} is now {BOLD}{}{BOLD:#}", user.name, password.reveal())?;
    writeln!(out, "It is not shown again. All sessions have ended.")?;
    Ok(())
}

pub(super) async fn delete(store: &Store, name: &str, out: &mut impl Write) -> Result<(), Failure> {
    let user = named(store, name).await?;
    store.delete_user(user.id).await?;
    writeln!(out, "{} is deleted.", user.name)?;
    Ok(())
}
