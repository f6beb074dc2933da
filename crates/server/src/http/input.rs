//! What comes in with a request, read with errors that say what is wrong.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::{App, Problem};

/// The body of a request, as JSON.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        let reading = timeout(app.config.limits.patience, Bytes::from_request(request, app)).await;
        let bytes = reading.map_err(|_| Problem::malformed("the body did not come in time"))?;
        let bytes = bytes.map_err(|_| Problem::malformed("the body is too long"))?;
        serde_json::from_slice(&bytes).map(Self).map_err(|why| Problem::malformed(format!("the body: {why}")))
    }
}

/// What stands behind the question mark.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|Query(asked)| Self(asked)).map_err(|why| Problem::malformed(why.body_text()))
    }
}

/// What stands in the address itself.
pub struct Place<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Place<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(place)| Self(place)).map_err(|_| Problem::not_found("there is nothing at this address"))
    }
}
