//! Tables: setting them up, finding them, looking at them, playing.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderName, StatusCode, header};
use axum::{Extension, Json};
use quincunx_core::{Position, find};
use quincunx_games::GAMES;
use quincunx_table::protocol::{Listing, Refused, Remark, Snapshot};
use quincunx_table::{
    Command, Millis, Person, Refusal, SeatPlan, Setup, Status, Subscription, TableId, UserId, UserKind, position_at,
    snapshot,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{Mutex, OwnedMutexGuard};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::error::seconds;
use super::guard::ClientAddress;
use super::input::{Asked, Body, Place};
use super::people::named;
use super::session::Who;
use super::{Answer, App, Problem, now};
use crate::hub::{Analysis, Arrival, CommandError, Created, Done};
use crate::model::GameResult;
use crate::store::{Cursor, PlayerFilter, TableFilter};
use crate::transfer;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(games))
        .routes(routes!(list, create))
        .routes(routes!(look))
        .routes(routes!(position))
        .routes(routes!(record))
        .routes(routes!(analyse))
        .routes(routes!(command))
        .routes(routes!(remarks, say))
}

/// A game that can be played here.
#[derive(Serialize, ToSchema)]
pub struct GameLine {
    id: &'static str,
    title: &'static str,
    /// With how many it can be played.
    seats: Vec<u8>,
    /// The JSON Schema of its options.
    #[schema(value_type = Object)]
    options: serde_json::Value,
}

/// The games.
#[utoipa::path(get, path = "/api/games", tag = "tables", responses((status = 200, body = Vec<GameLine>)))]
async fn games() -> Json<Vec<GameLine>> {
    let games = GAMES.iter().map(|game| GameLine {
        id: game.id(),
        title: game.title(),
        seats: game.seats().to_vec(),
        options: game.options_schema(),
    });
    Json(games.collect())
}

/// Which tables are listed. What is left out does not matter.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Search {
    status: Option<Status>,
    game: Option<String>,
    /// The name of somebody who plays there.
    player: Option<String>,
    /// The name of somebody who plays there, too.
    opponent: Option<String>,
    /// How it ended for the player.
    result: Option<GameResult>,
    /// Last changed at this moment or later, in milliseconds since 1970.
    from: Option<Millis>,
    /// Last changed before this moment.
    before: Option<Millis>,
    /// Where the page before has ended.
    after: Option<String>,
    /// How many at most; a page has up to 200.
    limit: Option<usize>,
}

/// A page of tables, the last changed first.
#[derive(Serialize, ToSchema)]
pub struct Page {
    tables: Vec<Listing>,
    /// Where the next page begins, if there is one: to be sent as `after`.
    next: Option<String>,
}

/// The public tables, and those of mine that are not: the lobby, and the search of games.
#[utoipa::path(get, path = "/api/tables", tag = "tables", params(Search), responses((status = 200, body = Page)))]
async fn list(State(app): State<App>, who: Option<Who>, Asked(search): Asked<Search>) -> Answer<Json<Page>> {
    const USUAL: usize = 50;
    if let Some(game) = &search.game {
        find(GAMES, game).map_err(|unknown| Problem::malformed(unknown.to_string()))?;
    }
    if search.player.is_none() && (search.opponent.is_some() || search.result.is_some()) {
        return Err(Problem::malformed("an opponent or a result needs a player"));
    }
    let player = id_of(&app, search.player.as_deref()).await?;
    let opponent = id_of(&app, search.opponent.as_deref()).await?;
    let after = search.after.as_deref().map(str::parse::<Cursor>).transpose();
    let after = after.map_err(|why| Problem::malformed(why.to_string()))?;
    // Private tables are listed for those who sit there, and for nobody else.
    let own = player.is_some() && player == who.as_ref().map(|who| who.user.id);
    let limit = search.limit.unwrap_or(USUAL).clamp(1, crate::store::LONGEST_PAGE);
    let filter = TableFilter {
        status: search.status,
        public: (!own).then_some(true),
        game: search.game,
        player: player.map(|user| PlayerFilter { user, opponent, result: search.result }),
        changed_from: search.from,
        changed_before: search.before,
        after,
        limit,
    };
    let tables = app.store.tables(&filter).await?;
    let next = tables.last().filter(|_| tables.len() == limit).map(|last| Cursor::of(last).to_string());
    Ok(Json(Page { tables, next }))
}

/// The number of somebody by name, if one is given.
async fn id_of(app: &App, name: Option<&str>) -> Answer<Option<UserId>> {
    Ok(match name {
        Some(name) => Some(named(app, name).await?.id),
        None => None,
    })
}

/// What a new table is to be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    setup: Setup,
    /// An id of the client's choice: sent twice, one table is set up.
    #[serde(default)]
    id: Option<String>,
}

/// Sets up a table.
#[utoipa::path(post, path = "/api/tables", tag = "tables", request_body = NewTable, responses((status = 201, body = Created)))]
async fn create(
    State(app): State<App>,
    Extension(ClientAddress(from)): Extension<ClientAddress>,
    who: Who,
    Body(NewTable { setup, id }): Body<NewTable>,
) -> Answer<(StatusCode, Json<Created>)> {
    Ok((StatusCode::CREATED, Json(create_table(&app, from, who.person(), setup, id).await?)))
}

/// Sets up a table for somebody at an address, if that is not too much.
pub async fn create_table(
    app: &App,
    from: IpAddr,
    person: Person,
    setup: Setup,
    id: Option<String>,
) -> Answer<Created> {
    check_id(id.as_deref())?;
    let now = now();
    let often = "you set up tables too often";
    app.limits
        .tables
        .attempt(&person.id, now)
        .map_err(|wait| Problem::rate_limited(often, wait).coded("too_many_tables", Value::Null))?;
    let wait = app.limits.tables_from.attempt(from, now);
    wait.map_err(|wait| Problem::rate_limited("too many tables are set up from this address", wait))?;
    setup.check(GAMES).map_err(CommandError::from)?;
    let most = app.config.limits.tables_at_once;
    let (tables, with_engines) = app.hub.tables_of(person.id).await?;
    if setup.seats.iter().any(|plan| matches!(plan, SeatPlan::Engine { .. })) {
        check_engines(app, &person, with_engines)?;
    }
    if tables >= most {
        let reason =
            format!("you have {tables} tables: end or give up some first, nobody has more than {most} at once");
        return Err(Problem::new(Refused::RateLimited, reason).coded("tables_at_once", json!({"most": most})));
    }
    if setup.rated && person.kind == UserKind::Guest {
        return Err(CommandError::from(Refusal::RatedGuest).into());
    }
    if setup.rated {
        let players: Vec<UserId> = setup.seats.iter().filter_map(SeatPlan::player).collect();
        app.hub.check_kin(&players).await?;
    }
    for plan in &setup.seats {
        if let SeatPlan::Player { user } = plan {
            check_kept(app, &person, *user).await?;
        }
    }
    app.hub.note_caller(&person, from);
    let app = app.clone();
    to_the_end(async move { Ok(app.hub.create(setup, &person, id.as_deref()).await?) }).await
}

/// Whether a seat may be kept for somebody: one who exists, has not blocked the host, and is not waited for everywhere.
async fn check_kept(app: &App, host: &Person, user: UserId) -> Answer<()> {
    /// How many seats wait for one person, at all tables and at those of one host.
    const IN_ALL: u64 = 50;
    const BY_HOST: u64 = 5;
    let known = app.store.user(user).await?;
    let known = known.ok_or_else(|| Problem::not_found("a seat is kept for somebody who does not exist"))?;
    if user == host.id {
        return Ok(());
    }
    if app.store.blocked_by(user).await?.contains(&host.id) {
        let reason = format!("{} does not want to play with you", known.name);
        return Err(Problem::new(Refused::NotAllowed, reason).coded("blocked_by", json!({"name": known.name})));
    }
    let kept = app.store.kept_seats(user, host.id).await?;
    if kept.in_all >= IN_ALL || kept.by_host >= BY_HOST {
        let reason = format!("too many seats wait for {} already", known.name);
        return Err(Problem::new(Refused::RateLimited, reason).coded("too_many_kept", json!({"name": known.name})));
    }
    Ok(())
}

/// Ids of commands are stored: they are short.
pub fn check_id(id: Option<&str>) -> Answer<()> {
    const LONGEST: usize = 64;
    match id {
        Some(id) if id.is_empty() || id.len() > LONGEST || id.chars().any(char::is_control) => {
            Err(Problem::malformed(format!("an id has 1 to {LONGEST} bytes and no control characters")))
        }
        _ => Ok(()),
    }
}

/// The key to a private table.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Key {
    invitation: Option<String>,
}

/// A table as I may see it.
#[utoipa::path(get, path = "/api/tables/{table}", tag = "tables", params(("table" = String, Path), Key), responses((status = 200, body = Snapshot)))]
async fn look(
    State(app): State<App>,
    who: Option<Who>,
    Place(table): Place<TableId>,
    Asked(key): Asked<Key>,
) -> Answer<Json<Snapshot>> {
    let user = who.map(|who| who.user.id);
    let look = |state: &quincunx_table::State| snapshot(state, Subscription::of(user));
    Ok(Json(app.hub.look_aside(&table, user, key.invitation.as_deref(), look).await?))
}

/// Which position is asked for.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Moment {
    /// After how many actions; without it, the position now.
    ply: Option<usize>,
    invitation: Option<String>,
}

/// A position of a game as I may see it.
#[utoipa::path(get, path = "/api/tables/{table}/position", tag = "tables", params(("table" = String, Path), Moment), responses((status = 200, body = Object)))]
async fn position(
    State(app): State<App>,
    who: Option<Who>,
    Place(table): Place<TableId>,
    Asked(moment): Asked<Moment>,
) -> Answer<Json<Position>> {
    let user = who.map(|who| who.user.id);
    let look = |state: &quincunx_table::State| {
        let made = state.game.ply();
        let ply = moment.ply.unwrap_or(made);
        let too_far = || {
            Problem::not_found(format!("{made} actions were made so far"))
                .coded("actions_so_far", json!({"actions": made}))
        };
        position_at(state, Subscription::of(user), ply).ok_or_else(too_far)
    };
    Ok(Json(app.hub.look_aside(&table, user, moment.invitation.as_deref(), look).await??))
}

/// The record of a game, as a text file. While a game with hidden cards is on, nobody gets it.
#[utoipa::path(get, path = "/api/tables/{table}/record", tag = "tables", params(("table" = String, Path), Key), responses((status = 200, body = String, content_type = "text/plain")))]
async fn record(
    State(app): State<App>,
    who: Option<Who>,
    Place(table): Place<TableId>,
    Asked(key): Asked<Key>,
) -> Answer<([(HeaderName, &'static str); 1], String)> {
    let user = who.map(|who| who.user.id);
    let look = |state: &quincunx_table::State| {
        if state.status != Status::Finished && state.game.kind().hidden_information() {
            let reason = "this game has hidden cards: its record can be read when it is over";
            return Err(Problem::new(Refused::NotAllowed, reason).coded("hidden_record", Value::Null));
        }
        let record = transfer::record(state, &state.listing(0), now());
        let begun = || Problem::from(CommandError::from(Refusal::NotBegun));
        record.map(|record| record.to_text()).ok_or_else(begun)
    };
    let text = app.hub.look_aside(&table, user, key.invitation.as_deref(), look).await??;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text))
}

/// What the engine makes of a finished game: asked for the first time it begins to think, and later tells how far it is.
#[utoipa::path(post, path = "/api/tables/{table}/analysis", tag = "tables", params(("table" = String, Path), Key), responses((status = 200, body = Analysis)))]
async fn analyse(
    State(app): State<App>,
    Extension(ClientAddress(from)): Extension<ClientAddress>,
    who: Who,
    Place(table): Place<TableId>,
    Asked(key): Asked<Key>,
) -> Answer<Json<Analysis>> {
    app.hub.note_caller(&who.person(), from);
    Ok(Json(app.hub.analyse(&table, Some(who.user.id), key.invitation.as_deref()).await?))
}

/// Something to be done at a table.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Order {
    command: Command,
    /// An id of the client's choice: sent twice, it is done once.
    #[serde(default)]
    id: Option<String>,
}

/// Does something at a table: sits, acts, resigns.
#[utoipa::path(post, path = "/api/tables/{table}/commands", tag = "tables", params(("table" = String, Path)), request_body = Order, responses((status = 200, body = Done)))]
async fn command(
    State(app): State<App>,
    Extension(ClientAddress(from)): Extension<ClientAddress>,
    who: Who,
    Place(table): Place<TableId>,
    Body(Order { command, id }): Body<Order>,
) -> Answer<Json<Done>> {
    check_id(id.as_deref())?;
    let held = check_pace(&app, &who.person(), &table, &command).await?;
    app.hub.note_caller(&who.person(), from);
    // Now, with its last byte, it has arrived. How far away somebody is, is known of live connections only.
    let arrival = Arrival { at: app.hub.now(), lag: 0 };
    let carry_out = async move {
        let _held = held;
        Ok(app.hub.command_from(arrival, &table, &who.person(), None, &command, id.as_deref()).await?)
    };
    Ok(Json(to_the_end(carry_out).await?))
}

/// Which remarks are asked for.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Later {
    /// The number of the last one that is known.
    after: Option<i64>,
    invitation: Option<String>,
}

/// What was said at a table, up to 200 remarks. While a game is on, those who play do not read what spectators say.
#[utoipa::path(get, path = "/api/tables/{table}/remarks", tag = "tables", params(("table" = String, Path), Later), responses((status = 200, body = Vec<Remark>)))]
async fn remarks(
    State(app): State<App>,
    who: Option<Who>,
    Place(table): Place<TableId>,
    Asked(later): Asked<Later>,
) -> Answer<Json<Vec<Remark>>> {
    let user = who.map(|who| who.user.id);
    app.hub.look(&table, user, later.invitation.as_deref(), |_| ()).await?;
    let remarks = app.store.remarks(&table, later.after.unwrap_or(0), crate::store::LONGEST_PAGE).await?;
    Ok(Json(app.hub.readable(&table, user, remarks).await?))
}

/// Something to be said at a table.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRemark {
    text: String,
    /// An id of the client's choice: sent twice, it is said once.
    id: String,
    #[serde(default)]
    invitation: Option<String>,
}

/// Says something at a table.
#[utoipa::path(post, path = "/api/tables/{table}/remarks", tag = "tables", params(("table" = String, Path)), request_body = NewRemark, responses((status = 204)))]
async fn say(
    State(app): State<App>,
    who: Who,
    Place(table): Place<TableId>,
    Body(remark): Body<NewRemark>,
) -> Answer<StatusCode> {
    check_id(Some(&remark.id))?;
    check_talk(&app, who.user.id)?;
    let NewRemark { text, id, invitation } = remark;
    let say = async move { Ok(app.hub.say(&table, &who.person(), invitation.as_deref(), &text, &id).await?) };
    to_the_end(say).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Does something to its end, also if the client goes away meanwhile: what has become durable must be told.
async fn to_the_end<T: Send + 'static>(work: impl Future<Output = Answer<T>> + Send + 'static) -> Answer<T> {
    tokio::spawn(work).await.map_err(|error| Problem::internal(&error))?
}

/// Whether somebody may do this now: new tables, and comings and goings that all in the lobby hear of, are bounded.
pub async fn check_pace(app: &App, person: &Person, table: &TableId, command: &Command) -> Answer<Held> {
    let (limiter, reason, code) = match command {
        Command::Rematch => (&app.limits.tables, "you set up tables too often", "too_many_tables"),
        Command::Sit { .. } | Command::Leave | Command::Decline => {
            (&app.limits.seats, "you sit down and stand up too often", "too_many_seats_taken")
        }
        _ => return Ok(None),
    };
    limiter.attempt(&person.id, now()).map_err(|wait| Problem::rate_limited(reason, wait).coded(code, Value::Null))?;
    let sits = matches!(command, Command::Sit { .. } | Command::Rematch);
    if !sits || !app.store.summary(table).await?.is_some_and(|table| table.has_engines()) {
        return Ok(None);
    }
    let held = app.seating.lock(person.id).await;
    check_engines(app, person, app.hub.tables_of(person.id).await?.1)?;
    Ok(Some(held))
}

/// Held until a person sits who may: nobody gets more tables by asking for many at once.
pub type Held = Option<OwnedMutexGuard<()>>;

/// Lets each person sit down at one table with engines after the other. Some people share a lock.
pub struct Seating([Arc<Mutex<()>>; 64]);

impl Seating {
    async fn lock(&self, user: UserId) -> OwnedMutexGuard<()> {
        let Self(locks) = self;
        locks[user.0.unsigned_abs() as usize % locks.len()].clone().lock_owned().await
    }
}

impl Default for Seating {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Arc::default()))
    }
}

/// Whether somebody who has so many tables with engines may have one more.
fn check_engines(app: &App, person: &Person, tables: usize) -> Answer<()> {
    let limits = &app.config.limits;
    let guest = person.kind == UserKind::Guest;
    let most = if guest { limits.guest_engine_tables_at_once } else { limits.engine_tables_at_once };
    if tables < most {
        return Ok(());
    }
    let reason = format!("engines play at {tables} of your tables: end some of these games first");
    Err(Problem::new(Refused::RateLimited, reason).coded("too_many_engine_tables", json!({"tables": tables})))
}

/// Whether somebody may talk on.
pub fn check_talk(app: &App, user: UserId) -> Answer<()> {
    app.limits.remarks.attempt(&user, now()).map_err(|wait| {
        let reason = format!("you talk too much: the next remark goes in {} s", seconds(wait));
        Problem::rate_limited(reason, wait).coded("too_many_remarks", json!({"seconds": seconds(wait)}))
    })
}
