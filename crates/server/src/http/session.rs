//! Who asks: a cookie of a browser, or a token in the header of a program.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, OptionalFromRequestParts};
use axum::http::{HeaderMap, HeaderValue, header, request::Parts};
use quincunx_table::Person;

use super::{App, Problem, now};
use crate::config::Config;
use crate::model::User;
use crate::people::{SESSION_LASTS, Token};

const COOKIE: &str = "quincunx";

/// Somebody who is known, and the token that proves it.
#[derive(Clone)]
pub struct Who {
    pub user: User,
    pub token: String,
}

impl Who {
    pub fn person(&self) -> Person {
        Person::from(&self.user)
    }
}

impl From<&User> for Person {
    fn from(user: &User) -> Self {
        Self { id: user.id, name: user.name.clone(), kind: user.kind }
    }
}

impl FromRequestParts<App> for Who {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        find(&parts.headers, app).await?.ok_or_else(Problem::unauthenticated)
    }
}

impl OptionalFromRequestParts<App> for Who {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Problem> {
        find(&parts.headers, app).await
    }
}

async fn find(headers: &HeaderMap, app: &App) -> Result<Option<Who>, Problem> {
    let Some(token) = token(headers) else { return Ok(None) };
    let user = app.people.who(token, now()).await?;
    Ok(user.map(|user| Who { user, token: token.to_owned() }))
}

/// The token of a request: of its header or, without one, of its cookie.
fn token(headers: &HeaderMap) -> Option<&str> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
        return scheme.eq_ignore_ascii_case("bearer").then(|| token.trim());
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.into_iter().find(|(name, _)| *name == COOKIE).map(|(_, token)| token)
}

/// The cookie that lets a browser come back. Over plain HTTP it cannot be kept to secure connections.
pub fn cookie(token: &Token, secure: bool) -> HeaderValue {
    set_cookie(token.reveal(), SESSION_LASTS / 1000, secure)
}

/// The cookie that makes a browser forget.
pub fn no_cookie(secure: bool) -> HeaderValue {
    set_cookie("", 0, secure)
}

fn set_cookie(token: &str, seconds: i64, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{COOKIE}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    let mut value = HeaderValue::from_str(&text).expect("tokens are letters, digits, dots, dashes and underscores");
    value.set_sensitive(true);
    value
}

/// What a session is known by to its owner: the program that asks.
pub struct Label(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Label {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let agent = parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        Ok(Self(agent.unwrap_or("a program without a name").to_owned()))
    }
}

/// Whether the client has come over a secure connection: a trusted proxy says so, or the server has only secure addresses.
pub struct Secure(pub bool);

impl FromRequestParts<App> for Secure {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        Ok(Self(peer.is_some_and(|peer| is_secure(&parts.headers, peer, &app.config))))
    }
}

pub fn is_secure(headers: &HeaderMap, peer: IpAddr, config: &Config) -> bool {
    let said = headers.get("x-forwarded-proto").and_then(|value| value.to_str().ok());
    let by_proxy = said == Some("https") && config.trusted_proxies.contains(&peer.to_canonical());
    let origins = &config.origins;
    let by_origin = !origins.is_empty() && origins.iter().all(|origin| origin.starts_with("https://"));
    by_proxy || by_origin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_found_in_header_or_cookie() {
        let with = |name: header::HeaderName, value: &'static str| {
            HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
        };
        assert_eq!(token(&with(header::AUTHORIZATION, "Bearer 1.abc")), Some("1.abc"));
        assert_eq!(token(&with(header::AUTHORIZATION, "bearer  1.abc ")), Some("1.abc"));
        assert_eq!(token(&with(header::AUTHORIZATION, "Basic 1.abc")), None);
        assert_eq!(token(&with(header::COOKIE, "a=b; quincunx=1.abc;c=d")), Some("1.abc"));
        assert_eq!(token(&with(header::COOKIE, "notquincunx=1.abc")), None);
        assert_eq!(token(&HeaderMap::new()), None);
    }
}
