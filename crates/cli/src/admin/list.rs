//! Tables and users, for people or as JSON.

use std::io::Write;

use clap::{Args, Subcommand, ValueEnum};
use quincunx_server::model::{Report, User};
use quincunx_server::store::{Cursor, DELETED, LONGEST_PAGE, PlayerFilter, Store, TableFilter};
use quincunx_table::{Millis, Status, UserId, UserKind};
use serde_json::json;
use time::OffsetDateTime;

use super::now;
use crate::commands::{BOLD, QUIET};
use crate::failure::Failure;

#[derive(Subcommand)]
pub(super) enum List {
    /// Tables, the last changed first
    #[command(after_help = "Example:\n  quincunx admin list tables --status playing --game trexo")]
    Tables(Tables),
    /// Users, the oldest first
    #[command(after_help = "Example:\n  quincunx admin list users ada --json")]
    Users(Users),
    /// Reports that nobody has closed, the oldest first
    Reports,
    /// What moderators and the operator did, the last first
    Deeds,
}

#[derive(Args)]
pub(super) struct Tables {
    /// Only those of this status
    #[arg(long)]
    status: Option<WithStatus>,
    /// Only this game
    #[arg(long)]
    game: Option<String>,
    /// Only those where this user plays
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// At most so many
    #[arg(long, default_value_t = 100)]
    limit: usize,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum WithStatus {
    Open,
    Playing,
    Finished,
    Aborted,
}

impl From<WithStatus> for Status {
    fn from(status: WithStatus) -> Self {
        match status {
            WithStatus::Open => Self::Open,
            WithStatus::Playing => Self::Playing,
            WithStatus::Finished => Self::Finished,
            WithStatus::Aborted => Self::Aborted,
        }
    }
}

#[derive(Args)]
pub(super) struct Users {
    /// Only those with this in their name
    #[arg(default_value = "")]
    search: String,
    /// Only those of this kind
    #[arg(long)]
    kind: Option<OfKind>,
    /// Only those who are banned
    #[arg(long)]
    banned: bool,
    /// At most so many
    #[arg(long, default_value_t = 100)]
    limit: usize,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum OfKind {
    Guest,
    Account,
    Bot,
}

impl From<OfKind> for UserKind {
    fn from(kind: OfKind) -> Self {
        match kind {
            OfKind::Guest => Self::Guest,
            OfKind::Account => Self::Account,
            OfKind::Bot => Self::Bot,
        }
    }
}

impl List {
    pub(super) async fn run(&self, store: &Store, out: &mut impl Write) -> Result<(), Failure> {
        match self {
            Self::Tables(tables) => tables.run(store, out).await,
            Self::Users(users) => users.run(store, out).await,
            Self::Reports => reports(store, out).await,
            Self::Deeds => deeds(store, out).await,
        }
    }
}

impl Tables {
    async fn run(&self, store: &Store, out: &mut impl Write) -> Result<(), Failure> {
        let player = match &self.player {
            None => None,
            Some(name) => {
                let user = store.user_named(name).await?.ok_or_else(|| format!("there is no user {name:?}"))?;
                Some(PlayerFilter::new(user.id))
            }
        };
        let status = self.status.map(Status::from);
        let mut filter = TableFilter { status, game: self.game.clone(), player, ..TableFilter::default() };
        let mut left = self.limit;
        let mut lines = Vec::new();
        while left > 0 {
            filter.limit = left;
            let page = store.tables(&filter).await?;
            let Some(last) = page.last() else { break };
            filter.after = Some(Cursor::of(last));
            left -= page.len();
            for table in page {
                if self.json {
                    writeln!(out, "{}", json!(table))?;
                    continue;
                }
                let seats = table.seats.iter().enumerate().map(|(seat, sitter)| {
                    let name = sitter.as_ref().map_or("(open)", |sitter| sitter.name.as_str());
                    let won = table.winners.as_ref().is_some_and(|winners| winners.contains(&(seat as u8)));
                    if won { format!("{name} (won)") } else { name.to_owned() }
                });
                let seats = seats.collect::<Vec<_>>().join(", ");
                lines.push([
                    day(table.changed),
                    table.table.0,
                    table.game,
                    table.status.word().to_owned(),
                    table.clock,
                    seats,
                ]);
            }
        }
        if self.json { Ok(()) } else { print(["changed", "table", "game", "status", "clock", "players"], &lines, out) }
    }
}

impl Users {
    fn takes(&self, user: &User) -> bool {
        self.kind.is_none_or(|kind| user.kind == UserKind::from(kind)) && (!self.banned || is_banned(user))
    }

    async fn run(&self, store: &Store, out: &mut impl Write) -> Result<(), Failure> {
        const PAGE: usize = 200;
        let mut after = None;
        let mut lines = Vec::new();
        let mut left = self.limit;
        while left > 0 {
            let page = store.users(&self.search, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.id);
            for user in page.into_iter().filter(|user| self.takes(user)).take(left) {
                left -= 1;
                if self.json {
                    let User { id, name, kind, owner, created, banned, .. } = user;
                    let line = json!({"id": id, "name": name, "kind": kind, "owner": owner, "created": created, "banned": banned});
                    writeln!(out, "{line}")?;
                    continue;
                }
                let banned = match user.banned.filter(|_| is_banned(&user)) {
                    None => String::new(),
                    Some(Millis::MAX) => "banned".to_owned(),
                    Some(until) => format!("banned until {}", day(until)),
                };
                lines.push([user.id.0.to_string(), user.name, user.kind.word().to_owned(), day(user.created), banned]);
            }
        }
        if self.json { Ok(()) } else { print(["number", "name", "kind", "since", ""], &lines, out) }
    }
}

/// The name of a user now.
async fn name_of(store: &Store, id: UserId) -> Result<String, Failure> {
    Ok(store.user(id).await?.map_or_else(|| DELETED.to_owned(), |user| user.name))
}

async fn reports(store: &Store, out: &mut impl Write) -> Result<(), Failure> {
    let mut lines = Vec::new();
    let mut after = 0;
    loop {
        let page = store.open_reports(after, LONGEST_PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.id;
        for Report { id, report, .. } in page {
            let (by, about) = (name_of(store, report.reporter).await?, name_of(store, report.about).await?);
            let table = report.table.map(|table| table.0).unwrap_or_default();
            let reason = report.reason.word().to_owned();
            lines.push([id.to_string(), day(report.at), by, about, reason, table, on_one_line(&report.words)]);
        }
    }
    print(["number", "day", "by", "about", "reason", "table", ""], &lines, out)
}

async fn deeds(store: &Store, out: &mut impl Write) -> Result<(), Failure> {
    let mut lines = Vec::new();
    for deed in store.deeds(None, LONGEST_PAGE).await? {
        let by = match deed.moderator {
            Some(id) => name_of(store, id).await?,
            None => "(operator)".to_owned(),
        };
        let about = match deed.about {
            Some(id) => name_of(store, id).await?,
            None => String::new(),
        };
        let table = deed.table.map(|table| table.0).unwrap_or_default();
        lines.push([day(deed.at), by, deed.action, about, table, on_one_line(&deed.words)]);
    }
    print(["day", "by", "action", "about", "table", ""], &lines, out)
}

/// What strangers write must not move the cursor of who reads it.
fn on_one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

fn is_banned(user: &User) -> bool {
    user.banned.is_some_and(|until| until > now())
}

fn day(at: Millis) -> String {
    OffsetDateTime::from_unix_timestamp(at.div_euclid(1_000))
        .map_or_else(|_| "?".to_owned(), |at| at.date().to_string())
}

/// Columns as wide as what is in them.
fn print<const COLUMNS: usize>(
    head: [&str; COLUMNS],
    lines: &[[String; COLUMNS]],
    out: &mut impl Write,
) -> Result<(), Failure> {
    let wide = |column: usize| {
        let cells = lines.iter().map(|line| line[column].as_str()).chain([head[column]]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: [usize; COLUMNS] = std::array::from_fn(wide);
    let row = |cells: [&str; COLUMNS]| {
        let padded = cells.iter().zip(widths).map(|(cell, wide)| format!("{cell:<wide$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    writeln!(out, "{BOLD}{}{BOLD:#}", row(head))?;
    for line in lines {
        writeln!(out, "{}", row(std::array::from_fn(|column| line[column].as_str())))?;
    }
    writeln!(out, "{QUIET}{} in all{QUIET:#}", lines.len())?;
    Ok(())
}
