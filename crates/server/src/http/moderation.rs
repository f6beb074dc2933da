//! Reports by anybody, and what moderators do about them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use quincunx_games::GAMES;
use quincunx_table::protocol::{Listing, Refused, Remark};
use quincunx_table::{Millis, Status, TableId, UserId, UserKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::input::{Asked, Body, Place};
use super::session::Who;
use super::{Answer, App, Problem, now};
use crate::model::{Complaint, NewReport, Report, Role};
use crate::moderation::{self, Action, ModerationError};
use crate::people::PeopleError;
use crate::store::{DELETED, LONGEST_PAGE};
use crate::transfer;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(report))
        .routes(routes!(reports))
        .routes(routes!(report_page))
        .routes(routes!(close))
        .routes(routes!(act))
        .routes(routes!(log))
}

/// What somebody tells the moderators about somebody else.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Told {
    user: UserId,
    /// Where it happened.
    #[serde(default)]
    table: Option<TableId>,
    reason: Complaint,
    /// What happened, in up to 1000 characters.
    #[serde(default)]
    words: String,
    /// The key to the table, if it is a private one that I only watch.
    #[serde(default)]
    invitation: Option<String>,
}

/// A report that was taken.
#[derive(Serialize, ToSchema)]
pub struct Taken {
    id: i64,
}

/// Reports somebody to the moderators. The same report twice, while the first is open, is one.
#[utoipa::path(post, path = "/api/reports", tag = "moderation", request_body = Told, responses((status = 200, body = Taken)))]
async fn report(State(app): State<App>, who: Who, Body(told): Body<Told>) -> Answer<Json<Taken>> {
    /// How many reports somebody makes in a day.
    const A_DAY: usize = 10;
    const DAY: Millis = 24 * 60 * 60 * 1000;
    const LONGEST: usize = 1000;
    let words = told.words.trim();
    if words.chars().count() > LONGEST || words.contains('\0') {
        return Err(Problem::malformed(format!("a report has up to {LONGEST} characters")));
    }
    if told.user == who.user.id {
        return Err(Problem::new(Refused::NotAllowed, "nobody reports themselves").coded("own_self", Value::Null));
    }
    if app.store.user(told.user).await?.is_none() {
        return Err(Problem::not_found("there is nobody with this number"));
    }
    if let Some(table) = &told.table {
        app.hub.look(table, Some(who.user.id), told.invitation.as_deref(), |_| ()).await?;
    }
    let now = now();
    let lately = app.store.reports_by(who.user.id, now - DAY, LONGEST_PAGE).await?;
    let same =
        |kept: &&Report| kept.closed.is_none() && kept.report.about == told.user && kept.report.table == told.table;
    if let Some(open) = lately.iter().find(same) {
        return Ok(Json(Taken { id: open.id }));
    }
    if lately.len() >= A_DAY {
        let reason = format!("nobody makes more than {A_DAY} reports a day");
        return Err(Problem::rate_limited(reason, DAY).coded("too_many_reports", json!({"most": A_DAY})));
    }
    let Told { user: about, table, reason, .. } = told;
    let new = NewReport { at: now, reporter: who.user.id, about, table, reason, words: words.to_owned() };
    Ok(Json(Taken { id: app.store.add_report(new).await? }))
}

/// Somebody as moderators see them.
#[derive(Serialize, ToSchema)]
pub struct Known {
    id: UserId,
    name: String,
    /// Missing for the deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<UserKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
    /// Until when they are banned.
    #[serde(skip_serializing_if = "Option::is_none")]
    banned: Option<Millis>,
    /// Until when they are silenced.
    #[serde(skip_serializing_if = "Option::is_none")]
    silenced: Option<Millis>,
}

/// A report as moderators see it.
#[derive(Serialize, ToSchema)]
pub struct ReportLine {
    id: i64,
    at: Millis,
    reporter: Known,
    about: Known,
    table: Option<TableId>,
    reason: Complaint,
    words: String,
    closed: Option<Millis>,
}

/// The table of a report, also a private one.
#[derive(Serialize, ToSchema)]
pub struct ReportPage {
    #[serde(flatten)]
    report: ReportLine,
    listing: Option<Listing>,
    /// The last that was said there, by players and spectators.
    remarks: Vec<Remark>,
    /// The record of the game, when it is over.
    record: Option<String>,
}

async fn known(app: &App, id: UserId) -> Answer<Known> {
    let user = app.store.user(id).await?;
    let now = now();
    let lasting = |until: Option<Millis>| until.filter(|&until| until > now);
    Ok(match user {
        Some(user) => Known {
            id,
            name: user.name,
            kind: Some(user.kind),
            role: user.role,
            banned: lasting(user.banned),
            silenced: lasting(user.silenced),
        },
        None => Known { id, name: DELETED.to_owned(), kind: None, role: None, banned: None, silenced: None },
    })
}

async fn line(app: &App, kept: Report) -> Answer<ReportLine> {
    let NewReport { at, reporter, about, table, reason, words } = kept.report;
    let (reporter, about) = (known(app, reporter).await?, known(app, about).await?);
    Ok(ReportLine { id: kept.id, at, reporter, about, table, reason, words, closed: kept.closed })
}

/// Only moderators may do this.
fn check_role(who: &Who) -> Answer<UserId> {
    if who.user.role == Some(Role::Moderator) {
        return Ok(who.user.id);
    }
    Err(Problem::new(Refused::NotAllowed, "this is for moderators").coded("not_moderator", Value::Null))
}

/// The open reports, up to 200, the oldest first.
#[utoipa::path(get, path = "/api/moderation/reports", tag = "moderation", responses((status = 200, body = Vec<ReportLine>)))]
async fn reports(State(app): State<App>, who: Who) -> Answer<Json<Vec<ReportLine>>> {
    check_role(&who)?;
    let mut lines = Vec::new();
    for report in app.store.open_reports(0, LONGEST_PAGE).await? {
        lines.push(line(&app, report).await?);
    }
    Ok(Json(lines))
}

/// A report with what is known about its table.
#[utoipa::path(get, path = "/api/moderation/reports/{id}", tag = "moderation", params(("id" = i64, Path)), responses((status = 200, body = ReportPage)))]
async fn report_page(State(app): State<App>, who: Who, Place(id): Place<i64>) -> Answer<Json<ReportPage>> {
    check_role(&who)?;
    let report = app.store.report(id).await?.ok_or_else(no_such_report)?;
    let table = report.report.table.clone();
    let (listing, remarks, record) = match &table {
        Some(table) => {
            let last = app.store.last_remark(table).await?;
            let remarks = app.store.remarks(table, last - LONGEST_PAGE as i64, LONGEST_PAGE).await?;
            (app.store.summary(table).await?, remarks, record(&app, table).await?)
        }
        None => (None, Vec::new(), None),
    };
    Ok(Json(ReportPage { report: line(&app, report).await?, listing, remarks, record }))
}

/// The record of a finished game. What is hidden in a running one stays so.
async fn record(app: &App, table: &TableId) -> Answer<Option<String>> {
    let log = app.store.entries(table, 0, usize::MAX).await?;
    let state = quincunx_table::State::replay(GAMES, table.clone(), &log).ok();
    let over = state.filter(|state| state.status == Status::Finished);
    Ok(over.and_then(|state| transfer::record(&state, &state.listing(0), now())).map(|record| record.to_text()))
}

fn no_such_report() -> Problem {
    Problem::not_found("there is no such report, or it is closed").coded("no_such_report", Value::Null)
}

/// Closes a report.
#[utoipa::path(post, path = "/api/moderation/reports/{id}/close", tag = "moderation", params(("id" = i64, Path)), responses((status = 204)))]
async fn close(State(app): State<App>, who: Who, Place(id): Place<i64>) -> Answer<StatusCode> {
    let moderator = check_role(&who)?;
    if !moderation::close(&app.store, Some(moderator), id, now()).await? {
        return Err(no_such_report());
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Something to be done about somebody or a table.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    action: Action,
    /// Why, for the log of the moderators.
    why: String,
}

/// Does something about somebody or a table.
#[utoipa::path(post, path = "/api/moderation/actions", tag = "moderation", request_body = Measure, responses((status = 204)))]
async fn act(State(app): State<App>, who: Who, Body(Measure { action, why }): Body<Measure>) -> Answer<StatusCode> {
    let moderator = check_role(&who)?;
    let carried = moderation::carry_out(&app.store, &app.people, Some(moderator), &action, &why, now()).await?;
    if let Some(user) = carried.user {
        match action {
            Action::Ban { .. } => {
                for banned in app.people.bots(&user).await?.iter().chain([&user]) {
                    app.hub.log_out(banned.id);
                }
            }
            Action::Rename { .. } => app.hub.renamed(user.id).await,
            _ => {}
        }
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Where a page of the log begins.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Earlier {
    /// The number of the last deed on the page before.
    before: Option<i64>,
}

/// What a moderator did.
#[derive(Serialize, ToSchema)]
pub struct DeedLine {
    id: i64,
    at: Millis,
    /// Missing for what was done on the command line.
    moderator: Option<Known>,
    action: String,
    about: Option<Known>,
    table: Option<TableId>,
    words: String,
}

/// What moderators did, up to 200 deeds, the last first.
#[utoipa::path(get, path = "/api/moderation/log", tag = "moderation", params(Earlier), responses((status = 200, body = Vec<DeedLine>)))]
async fn log(State(app): State<App>, who: Who, Asked(page): Asked<Earlier>) -> Answer<Json<Vec<DeedLine>>> {
    check_role(&who)?;
    let mut lines = Vec::new();
    for deed in app.store.deeds(page.before, LONGEST_PAGE).await? {
        let moderator = match deed.moderator {
            Some(id) => Some(known(&app, id).await?),
            None => None,
        };
        let about = match deed.about {
            Some(id) => Some(known(&app, id).await?),
            None => None,
        };
        let (id, at, action, table, words) = (deed.id, deed.at, deed.action, deed.table, deed.words);
        lines.push(DeedLine { id, at, moderator, action, about, table, words });
    }
    Ok(Json(lines))
}

impl From<ModerationError> for Problem {
    fn from(error: ModerationError) -> Self {
        let code = match &error {
            ModerationError::People(error) => return Self::from(PeopleError::clone(error)),
            ModerationError::Store(error) => return Self::internal(error),
            ModerationError::NoSuchUser | ModerationError::NoSuchTable => Refused::NotFound,
            ModerationError::Why | ModerationError::Time => Refused::Malformed,
            ModerationError::NotCounted | ModerationError::AboutModerator => Refused::NotAllowed,
        };
        let problem = Self::new(code, error.to_string());
        match error.code() {
            Some((code, args)) => problem.coded(code, args),
            None => problem,
        }
    }
}
