//! Who may come in.

use std::io::Write;

use quincunx_server::model::User;
use quincunx_server::people::People;
use quincunx_server::store::Store;
use quincunx_table::{Millis, UserKind};

use super::now;
use crate::commands::BOLD;
use crate::failure::Failure;

const DAY: Millis = 24 * 60 * 60 * 1_000;

async fn named(store: &Store, name: &str) -> Result<User, Failure> {
    let user = store.user_named(name).await?;
    user.ok_or_else(|| format!("there is no user {name:?}; quincunx admin list users shows all").into())
}

pub(super) async fn ban(store: &Store, name: &str, days: Option<u32>, out: &mut impl Write) -> Result<(), Failure> {
    let user = named(store, name).await?;
    let until = days.map_or(Millis::MAX, |days| now() + Millis::from(days) * DAY);
    store.set_banned(user.id, Some(until)).await?;
    match days {
        Some(days) => writeln!(out, "{} is banned for {days} days.", user.name)?,
        None => writeln!(out, "{} is banned until quincunx admin unban.", user.name)?,
    }
    Ok(())
}

pub(super) async fn unban(store: &Store, name: &str, out: &mut impl Write) -> Result<(), Failure> {
    let user = named(store, name).await?;
    store.set_banned(user.id, None).await?;
    writeln!(out, "{} is not banned.", user.name)?;
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
