//! For those who run the server: whether it lives, whether it can work, and its figures.

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;

use super::App;
use crate::metrics;

/// What everybody may ask.
pub fn routes() -> Router<App> {
    Router::new().route("/healthz", get(lives))
}

/// What those ask who run the server: at a listener of its own, if there is one.
pub fn own_routes() -> Router<App> {
    routes().route("/readyz", get(works)).route("/metrics", get(figures))
}

async fn lives() -> &'static str {
    "ok\n"
}

/// Whether requests can be served: the storage can be read and written, and the server does not stop.
async fn works(State(app): State<App>) -> (StatusCode, String) {
    if *app.stopping.borrow() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n".to_owned());
    }
    match app.readiness.of(&app.store).await {
        Ok(()) => (StatusCode::OK, "ready\n".to_owned()),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")),
    }
}

async fn figures() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, metrics::CONTENT_TYPE)], metrics::recent().to_string())
}
