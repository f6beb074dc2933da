//! All that is kept about somebody, as one file for them.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, header};
use quincunx_table::protocol::Listing;
use quincunx_table::{Millis, Person, TableId, UserId};
use serde::Serialize;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::session::Who;
use super::{Answer, App, Problem, now};
use crate::model::{Complaint, OwnRemark, RatedAt, Role, User};
use crate::store::{Cursor, LONGEST_PAGE, PlayerFilter, TableFilter};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(own_data))
}

/// All that is kept about me.
#[derive(Serialize)]
struct OwnData {
    account: Account,
    sessions: Vec<SessionLine>,
    bots: Vec<Person>,
    ratings: Vec<RatedAt>,
    /// The tables where I sit or sat. Their records are at `/api/tables/{table}/record`.
    games: Vec<Listing>,
    remarks: Vec<OwnRemark>,
    muted: Vec<UserId>,
    blocked: Vec<UserId>,
    reports: Vec<ReportLine>,
}

#[derive(Serialize)]
struct Account {
    #[serde(flatten)]
    person: Person,
    created: Millis,
    role: Option<Role>,
    banned: Option<Millis>,
    silenced: Option<Millis>,
    /// Whether a hash of a password is kept. The password itself is not.
    has_password: bool,
}

#[derive(Serialize)]
struct SessionLine {
    created: Millis,
    label: String,
}

#[derive(Serialize)]
struct ReportLine {
    at: Millis,
    about: UserId,
    table: Option<TableId>,
    reason: Complaint,
    words: String,
    closed: Option<Millis>,
}

type File = ([(HeaderName, &'static str); 1], Json<OwnData>);

/// Downloads all that is kept about me.
#[utoipa::path(get, path = "/api/me/data", tag = "people", responses((status = 200, body = Object)))]
async fn own_data(State(app): State<App>, who: Who) -> Answer<File> {
    let wait = app.limits.own_data.attempt(&who.user.id, now());
    wait.map_err(|wait| Problem::rate_limited("you have downloaded this often lately", wait))?;
    let (store, id) = (&app.store, who.user.id);
    let User { created, role, banned, silenced, .. } = who.user;
    let has_password = who.user.password.is_some();
    let account = Account { person: who.person(), created, role, banned, silenced, has_password };
    let sessions = store.sessions_of(id).await?.into_iter();
    let sessions = sessions.map(|login| SessionLine { created: login.created, label: login.label }).collect();
    let bots = store.bots_of(id).await?.iter().map(Person::from).collect();
    let reports = store.reports_by(id, Millis::MIN, LONGEST_PAGE).await?.into_iter().map(|kept| ReportLine {
        at: kept.report.at,
        about: kept.report.about,
        table: kept.report.table,
        reason: kept.report.reason,
        words: kept.report.words,
        closed: kept.closed,
    });
    let data = OwnData {
        account,
        sessions,
        bots,
        ratings: store.ratings_of(id).await?,
        games: games(&app, id).await?,
        remarks: remarks(&app, id).await?,
        muted: store.muted_by(id).await?,
        blocked: store.blocked_by(id).await?,
        reports: reports.collect(),
    };
    Ok(([(header::CONTENT_DISPOSITION, "attachment; filename=\"quincunx-data.json\"")], Json(data)))
}

async fn games(app: &App, user: UserId) -> Answer<Vec<Listing>> {
    let mut filter = TableFilter { player: Some(PlayerFilter::new(user)), ..TableFilter::default() };
    let mut all = Vec::new();
    loop {
        let page = app.store.tables(&filter).await?;
        let Some(last) = page.last() else { return Ok(all) };
        filter.after = Some(Cursor::of(last));
        all.extend(page);
    }
}

async fn remarks(app: &App, user: UserId) -> Answer<Vec<OwnRemark>> {
    let mut all = Vec::new();
    loop {
        let page = app.store.remarks_of(user, all.len() as u64, LONGEST_PAGE).await?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}
