//! What goes wrong in a request, as an answer that both people and programs understand.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use quincunx_core::Reason;
use quincunx_table::Refusal;
use quincunx_table::protocol::Refused;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::hub::CommandError;
use crate::people::PeopleError;
use crate::store::StoreError;

/// The answer to a request that was not carried out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Problem {
    pub code: Refused,
    /// A sentence for people.
    pub reason: String,
    /// The same as data, where it is a refusal of a table or a game: to translate it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Reason>,
    /// After how many seconds it is worth another try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

impl Problem {
    pub fn new(code: Refused, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into(), why: None, retry_after: None }
    }

    pub fn malformed(reason: impl Into<String>) -> Self {
        Self::new(Refused::Malformed, reason)
    }

    pub fn not_found(reason: impl Into<String>) -> Self {
        Self::new(Refused::NotFound, reason)
    }

    pub fn unauthenticated() -> Self {
        Self::new(Refused::Unauthenticated, "this needs somebody with a name: come in as a guest, or log in")
    }

    pub fn rate_limited(reason: impl Into<String>, wait: i64) -> Self {
        Self { retry_after: Some(seconds(wait)), ..Self::new(Refused::RateLimited, reason) }
    }

    /// What the client can do nothing about. The log tells more than the answer.
    pub fn internal(why: &dyn std::fmt::Display) -> Self {
        tracing::error!(%why, "a request failed");
        Self::new(Refused::Internal, "the server has a problem of its own; please try again in a moment")
            .coded("internal", Value::Null)
    }

    /// With the code of the reason and its arguments, to translate it.
    #[must_use]
    pub fn coded(self, code: &str, args: Value) -> Self {
        let args = if let Value::Object(args) = args { args } else { Map::new() };
        let why = Reason { code: format!("server.{code}"), args, text: self.reason.clone() };
        Self { why: Some(why), ..self }
    }

    fn status(&self) -> StatusCode {
        match self.code {
            Refused::Malformed => StatusCode::BAD_REQUEST,
            Refused::NotAllowed => StatusCode::CONFLICT,
            Refused::Unauthenticated => StatusCode::UNAUTHORIZED,
            Refused::NotFound => StatusCode::NOT_FOUND,
            Refused::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            Refused::Unknown | Refused::Internal => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// Milliseconds as whole seconds, rounded up.
pub fn seconds(millis: i64) -> u64 {
    (millis.max(0) as u64).div_ceil(1000)
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let retry_after = self.retry_after;
        let mut response = (self.status(), Json(self)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<CommandError> for Problem {
    fn from(error: CommandError) -> Self {
        let reason = error.to_string();
        match error {
            CommandError::Refused(why) => Self { why: Some(why.into()), ..Self::new(Refused::NotAllowed, reason) },
            CommandError::NoSuchTable => Self { why: Some(Refusal::NoSuchTable.into()), ..Self::not_found(reason) },
            CommandError::TooMuch(_) => Self::new(Refused::RateLimited, reason),
            CommandError::Silenced { until } => {
                Self::new(Refused::NotAllowed, reason).coded("silenced", json!({"until": until}))
            }
            CommandError::Busy => Self::new(Refused::Internal, reason).coded("busy", Value::Null),
            CommandError::OutOfStep => Self::new(Refused::Internal, reason).coded("out_of_step", Value::Null),
            CommandError::Unknown => Self::new(Refused::Unknown, reason),
            CommandError::Storage(_) | CommandError::Corrupt(_) => Self::internal(&reason),
        }
    }
}

impl From<PeopleError> for Problem {
    fn from(error: PeopleError) -> Self {
        let code = match &error {
            PeopleError::Name(_) | PeopleError::Password(_) => Refused::Malformed,
            PeopleError::WrongLogin | PeopleError::WrongPassword | PeopleError::NotLoggedIn => Refused::Unauthenticated,
            PeopleError::NameTaken
            | PeopleError::Banned
            | PeopleError::NeedsAccount
            | PeopleError::NoGuest
            | PeopleError::TooManyBots(_)
            | PeopleError::TooManyTokens(_) => Refused::NotAllowed,
            PeopleError::NoSuchBot => Refused::NotFound,
            PeopleError::TooManyAttempts { .. } => Refused::RateLimited,
            PeopleError::SecretsFailed | PeopleError::Store(_) => return Self::internal(&error),
        };
        let mut problem = Self::new(code, error.to_string());
        if let PeopleError::TooManyAttempts { seconds: wait } = error {
            problem.retry_after = Some(seconds(wait * 1000));
        }
        match error.code() {
            Some((code, args)) => problem.coded(code, args),
            None => problem,
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self::internal(&error)
    }
}
