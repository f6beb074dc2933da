//! Guests, accounts, sessions, bots: who people are.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::{Extension, Json};
use quincunx_table::protocol::Refused;
use quincunx_table::{Millis, Person, UserId};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::guard::ClientAddress;
use super::input::{Body, Place};
use super::session::{Label, Secure, Who, cookie, no_cookie};
use super::{Answer, App, Problem, now};
use crate::model::{Login, Role, User};
use crate::people::Admission;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(come_in))
        .routes(routes!(register))
        .routes(routes!(log_in))
        .routes(routes!(log_out))
        .routes(routes!(me, forget_me))
        .routes(routes!(change_password))
        .routes(routes!(sessions))
        .routes(routes!(revoke))
        .routes(routes!(mutes))
        .routes(routes!(mute, unmute))
        .routes(routes!(blocks))
        .routes(routes!(block, unblock))
        .routes(routes!(upgrade))
        .routes(routes!(bots, add_bot))
        .routes(routes!(delete_bot))
        .routes(routes!(bot_tokens, add_bot_token))
        .routes(routes!(revoke_bot_token))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GuestName {
    name: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    name: String,
    password: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    password: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    old: String,
    new: String,
}

/// Somebody who has just come in. Browsers get the token as a cookie, too; other programs send it in the header
/// `Authorization: Bearer <token>`.
#[derive(Serialize, ToSchema)]
pub struct Admitted {
    user: Person,
    token: String,
}

fn admitted(admission: &Admission, secure: bool) -> (HeaderMap, Json<Admitted>) {
    let headers = HeaderMap::from_iter([(header::SET_COOKIE, cookie(&admission.token, secure))]);
    let token = admission.token.reveal().to_owned();
    (headers, Json(Admitted { user: Person::from(&admission.user), token }))
}

/// Plays at once, as a guest with a name.
#[utoipa::path(post, path = "/api/guests", tag = "people", request_body = GuestName, responses((status = 200, body = Admitted)))]
async fn come_in(
    State(app): State<App>,
    Extension(ClientAddress(from)): Extension<ClientAddress>,
    Secure(secure): Secure,
    Label(label): Label,
    Body(GuestName { name }): Body<GuestName>,
) -> Answer<(HeaderMap, Json<Admitted>)> {
    let now = now();
    let wait = app.limits.people.attempt(from, now);
    wait.map_err(|wait| Problem::rate_limited("too many people have come from this address", wait))?;
    Ok(admitted(&app.people.guest(&name, &label, now).await?, secure))
}

/// Makes an account, and logs it in.
#[utoipa::path(post, path = "/api/accounts", tag = "people", request_body = Credentials, responses((status = 200, body = Admitted)))]
async fn register(
    State(app): State<App>,
    Extension(ClientAddress(from)): Extension<ClientAddress>,
    Secure(secure): Secure,
    Label(label): Label,
    Body(Credentials { name, password }): Body<Credentials>,
) -> Answer<(HeaderMap, Json<Admitted>)> {
    let now = now();
    let wait = app.limits.people.attempt(from, now);
    wait.map_err(|wait| Problem::rate_limited("too many accounts were made from this address", wait))?;
    Ok(admitted(&app.people.register(&name, &password, &label, now).await?, secure))
}

/// Logs in to an account.
#[utoipa::path(post, path = "/api/login", tag = "people", request_body = Credentials, responses((status = 200, body = Admitted)))]
async fn log_in(
    State(app): State<App>,
    Extension(ClientAddress(from)): Extension<ClientAddress>,
    Secure(secure): Secure,
    Label(label): Label,
    who: Option<Who>,
    Body(Credentials { name, password }): Body<Credentials>,
) -> Answer<(HeaderMap, Json<Admitted>)> {
    let token = who.as_ref().map(|who| who.token.as_str());
    Ok(admitted(&app.people.log_in(&name, &password, from, token, &label, now()).await?, secure))
}

/// How a guest becomes an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Upgrade {
    /// Another name than the guest's, if wanted.
    #[serde(default)]
    name: Option<String>,
    password: String,
}

/// Makes an account of me, a guest. I keep my games and my sessions.
#[utoipa::path(post, path = "/api/me/account", tag = "people", request_body = Upgrade, responses((status = 200, body = Person)))]
async fn upgrade(
    State(app): State<App>,
    Extension(ClientAddress(from)): Extension<ClientAddress>,
    who: Who,
    Body(Upgrade { name, password }): Body<Upgrade>,
) -> Answer<Json<Person>> {
    let now = now();
    let wait = app.limits.people.attempt(from, now);
    wait.map_err(|wait| Problem::rate_limited("too many accounts were made from this address", wait))?;
    let user = app.people.upgrade(&who.token, name.as_deref(), &password, now).await?;
    // Open connections still say that it is a guest.
    if user.name == who.user.name {
        app.hub.log_out(user.id);
    } else {
        app.hub.renamed(user.id).await;
    }
    Ok(Json(Person::from(&user)))
}

/// Ends this session.
#[utoipa::path(post, path = "/api/logout", tag = "people", responses((status = 204)))]
async fn log_out(State(app): State<App>, Secure(secure): Secure, who: Option<Who>) -> Answer<(StatusCode, HeaderMap)> {
    if let Some(who) = who {
        app.people.log_out(&who.token, now()).await?;
        app.hub.log_out(who.user.id);
    }
    Ok((StatusCode::NO_CONTENT, HeaderMap::from_iter([(header::SET_COOKIE, no_cookie(secure))])))
}

/// Me.
#[derive(Serialize, ToSchema)]
pub struct Me {
    #[serde(flatten)]
    person: Person,
    /// What I may do beyond what everybody may.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
}

/// Who I am.
#[utoipa::path(get, path = "/api/me", tag = "people", responses((status = 200, body = Me)))]
async fn me(who: Who) -> Json<Me> {
    Json(Me { person: who.person(), role: who.user.role })
}

/// Deletes my account. Games that are on are resigned; those that are over stay, without my name.
#[utoipa::path(delete, path = "/api/me", tag = "people", request_body = Proof, responses((status = 204)))]
async fn forget_me(
    State(app): State<App>,
    who: Who,
    Secure(secure): Secure,
    Body(Proof { password }): Body<Proof>,
) -> Answer<(StatusCode, HeaderMap)> {
    let bots = app.people.bots(&who.user).await?;
    app.people.confirm_password(&who.user, &password, now()).await?;
    for leaves in bots.iter().chain([&who.user]) {
        app.hub.retire(&Person::from(leaves)).await?;
    }
    app.people.delete_account(&who.token, &password, now()).await?;
    for gone in bots.iter().chain([&who.user]) {
        app.hub.forget(gone.id).await;
    }
    Ok((StatusCode::NO_CONTENT, HeaderMap::from_iter([(header::SET_COOKIE, no_cookie(secure))])))
}

/// Changes my password. All my other sessions end.
#[utoipa::path(put, path = "/api/me/password", tag = "people", request_body = NewPassword, responses((status = 204)))]
async fn change_password(
    State(app): State<App>,
    who: Who,
    Body(NewPassword { old, new }): Body<NewPassword>,
) -> Answer<StatusCode> {
    app.people.change_password(&who.token, &old, &new, now()).await?;
    app.hub.log_out(who.user.id);
    Ok(StatusCode::NO_CONTENT)
}

/// A device on which I am logged in, or a token of a bot.
#[derive(Serialize, ToSchema)]
pub struct SessionLine {
    id: i64,
    created: Millis,
    label: String,
    /// Whether it is the one that asks.
    current: bool,
}

impl SessionLine {
    fn new(login: Login, current: bool) -> Self {
        Self { id: login.id, created: login.created, label: login.label, current }
    }
}

/// Where I am logged in.
#[utoipa::path(get, path = "/api/me/sessions", tag = "people", responses((status = 200, body = Vec<SessionLine>)))]
async fn sessions(State(app): State<App>, who: Who) -> Answer<Json<Vec<SessionLine>>> {
    let sessions = app.people.sessions(&who.token, now()).await?;
    Ok(Json(sessions.into_iter().map(|session| SessionLine::new(session.login, session.current)).collect()))
}

/// Ends one of my sessions.
#[utoipa::path(delete, path = "/api/me/sessions/{id}", tag = "people", params(("id" = i64, Path)), responses((status = 204)))]
async fn revoke(State(app): State<App>, who: Who, Place(id): Place<i64>) -> Answer<StatusCode> {
    if !app.people.revoke(who.user.id, id).await? {
        return Err(Problem::not_found("you have no such session"));
    }
    app.hub.log_out(who.user.id);
    Ok(StatusCode::NO_CONTENT)
}

/// Whose remarks I do not want to read.
#[utoipa::path(get, path = "/api/me/mutes", tag = "people", responses((status = 200, body = Vec<UserId>)))]
async fn mutes(State(app): State<App>, who: Who) -> Answer<Json<Vec<UserId>>> {
    Ok(Json(app.store.muted_by(who.user.id).await?))
}

/// Mutes somebody: I read none of that one's remarks any more.
#[utoipa::path(put, path = "/api/me/mutes/{user}", tag = "people", params(("user" = i64, Path)), responses((status = 204)))]
async fn mute(State(app): State<App>, who: Who, Place(user): Place<i64>) -> Answer<StatusCode> {
    set_muted(&app, &who, UserId(user), true).await
}

/// Reads somebody's remarks again.
#[utoipa::path(delete, path = "/api/me/mutes/{user}", tag = "people", params(("user" = i64, Path)), responses((status = 204)))]
async fn unmute(State(app): State<App>, who: Who, Place(user): Place<i64>) -> Answer<StatusCode> {
    set_muted(&app, &who, UserId(user), false).await
}

/// Whom I have blocked.
#[utoipa::path(get, path = "/api/me/blocks", tag = "people", responses((status = 200, body = Vec<Person>)))]
async fn blocks(State(app): State<App>, who: Who) -> Answer<Json<Vec<Person>>> {
    let mut people = Vec::new();
    for user in app.store.blocked_by(who.user.id).await? {
        people.extend(app.store.user(user).await?.as_ref().map(Person::from));
    }
    Ok(Json(people))
}

/// Blocks somebody: they keep no seats for me and do not sit down at my tables, and I read none of their remarks.
#[utoipa::path(put, path = "/api/me/blocks/{user}", tag = "people", params(("user" = i64, Path)), responses((status = 204)))]
async fn block(State(app): State<App>, who: Who, Place(user): Place<i64>) -> Answer<StatusCode> {
    set_blocked(&app, &who, UserId(user), true).await
}

/// Blocks somebody no longer.
#[utoipa::path(delete, path = "/api/me/blocks/{user}", tag = "people", params(("user" = i64, Path)), responses((status = 204)))]
async fn unblock(State(app): State<App>, who: Who, Place(user): Place<i64>) -> Answer<StatusCode> {
    set_blocked(&app, &who, UserId(user), false).await
}

async fn set_blocked(app: &App, who: &Who, other: UserId, blocked: bool) -> Answer<StatusCode> {
    /// How many people somebody blocks.
    const MOST: usize = 1000;
    if app.store.user(other).await?.is_none() {
        return Err(Problem::not_found("there is nobody with this number"));
    }
    if other == who.user.id {
        let reason = "nobody blocks themselves";
        return Err(Problem::new(Refused::NotAllowed, reason).coded("own_self", serde_json::Value::Null));
    }
    if blocked && app.store.blocked_by(who.user.id).await?.len() >= MOST {
        return Err(Problem::rate_limited(format!("nobody blocks more than {MOST} people"), 0));
    }
    app.hub.block(who.user.id, other, blocked).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn set_muted(app: &App, who: &Who, other: UserId, muted: bool) -> Answer<StatusCode> {
    /// How many people somebody mutes.
    const MOST: usize = 1000;
    if app.store.user(other).await?.is_none() {
        return Err(Problem::not_found("there is nobody with this number"));
    }
    if muted && app.store.muted_by(who.user.id).await?.len() >= MOST {
        return Err(Problem::rate_limited(format!("nobody mutes more than {MOST} people"), 0));
    }
    app.hub.mute(who.user.id, other, muted).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// My bots.
#[utoipa::path(get, path = "/api/me/bots", tag = "bots", responses((status = 200, body = Vec<Person>)))]
async fn bots(State(app): State<App>, who: Who) -> Answer<Json<Vec<Person>>> {
    Ok(Json(app.people.bots(&who.user).await?.iter().map(Person::from).collect()))
}

/// Makes a bot of my account.
#[utoipa::path(post, path = "/api/me/bots", tag = "bots", request_body = GuestName, responses((status = 200, body = Person)))]
async fn add_bot(State(app): State<App>, who: Who, Body(GuestName { name }): Body<GuestName>) -> Answer<Json<Person>> {
    Ok(Json(Person::from(&app.people.add_bot(&who.user, &name, now()).await?)))
}

/// Deletes a bot. Games that are on are resigned; those that are over stay, without its name.
#[utoipa::path(delete, path = "/api/me/bots/{bot}", tag = "bots", params(("bot" = i64, Path)), responses((status = 204)))]
async fn delete_bot(State(app): State<App>, who: Who, Place(bot): Place<i64>) -> Answer<StatusCode> {
    if let Some(bot) = app.people.bots(&who.user).await?.iter().find(|known| known.id == UserId(bot)) {
        app.hub.retire(&Person::from(bot)).await?;
    }
    app.people.delete_bot(&who.user, UserId(bot)).await?;
    app.hub.forget(UserId(bot)).await;
    Ok(StatusCode::NO_CONTENT)
}

/// What the owner of a token calls it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenLabel {
    label: String,
}

/// A new token. It is shown this once.
#[derive(Serialize, ToSchema)]
pub struct NewToken {
    id: i64,
    token: String,
}

/// The tokens of a bot, without their secrets.
#[utoipa::path(get, path = "/api/me/bots/{bot}/tokens", tag = "bots", params(("bot" = i64, Path)), responses((status = 200, body = Vec<SessionLine>)))]
async fn bot_tokens(State(app): State<App>, who: Who, Place(bot): Place<i64>) -> Answer<Json<Vec<SessionLine>>> {
    let tokens = app.people.bot_tokens(&who.user, UserId(bot)).await?;
    Ok(Json(tokens.into_iter().map(|login| SessionLine::new(login, false)).collect()))
}

/// Makes a token by which a bot comes in.
#[utoipa::path(post, path = "/api/me/bots/{bot}/tokens", tag = "bots", params(("bot" = i64, Path)), request_body = TokenLabel, responses((status = 200, body = NewToken)))]
async fn add_bot_token(
    State(app): State<App>,
    who: Who,
    Place(bot): Place<i64>,
    Body(TokenLabel { label }): Body<TokenLabel>,
) -> Answer<Json<NewToken>> {
    let (login, token) = app.people.add_bot_token(&who.user, UserId(bot), &label, now()).await?;
    Ok(Json(NewToken { id: login.id, token: token.reveal().to_owned() }))
}

/// Revokes a token of a bot.
#[utoipa::path(delete, path = "/api/me/bots/{bot}/tokens/{id}", tag = "bots", params(("bot" = i64, Path), ("id" = i64, Path)), responses((status = 204)))]
async fn revoke_bot_token(State(app): State<App>, who: Who, Place((bot, id)): Place<(i64, i64)>) -> Answer<StatusCode> {
    if !app.people.revoke_bot_token(&who.user, UserId(bot), id).await? {
        return Err(Problem::not_found("this bot has no such token"));
    }
    app.hub.log_out(UserId(bot));
    Ok(StatusCode::NO_CONTENT)
}

/// Somebody by name.
pub async fn named(app: &App, name: &str) -> Answer<User> {
    // No name has control characters, and some storages take them for an error.
    let user = if name.chars().any(char::is_control) { None } else { app.store.user_named(name).await? };
    user.ok_or_else(|| {
        Problem::not_found(format!("there is nobody called {name:?}")).coded("nobody_called", json!({"name": name}))
    })
}
