//! For those who run the server: whether it lives, whether it can work, and its figures.

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;

use super::App;
use crate::metrics;

pub fn routes() -> Router<App> {
    Router::new().route("/healthz", get(lives)).route("/readyz", get(works)).route("/metrics", get(figures))
}

async fn lives() -> &'static str {
    "ok\n"
}

/// Whether requests can be served: the storage answers, and the server does not stop.
async fn works(State(app): State<App>) -> (StatusCode, &'static str) {
    if *app.stopping.borrow() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n");
    }
    match app.store.healthy().await {
        Ok(()) => (StatusCode::OK, "ready\n"),
        Err(error) => {
            tracing::warn!(%error, "the storage does not answer");
            (StatusCode::SERVICE_UNAVAILABLE, "the storage does not answer\n")
        }
    }
}

async fn figures() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, metrics::CONTENT_TYPE)], metrics::render())
}
