//! The bots' stream: what happens at all tables of a user, line by line. Actions come by plain requests.

use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use quincunx_table::protocol::{Message, PROTOCOL};
use tokio::time::{Instant, timeout};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::guard::{ClientAddress, Visitor};
use super::session::Who;
use super::{Answer, App, Problem};
use crate::hub::{Inbox, Outbox};
use crate::metrics::Counted;

/// After how long an empty line shows that the connection lives.
const ALIVE: Duration = Duration::from_secs(15);

/// After how long it is looked up whether the token still counts: it may have been revoked, or its owner banned.
const PROVEN_AGAIN: Duration = Duration::from_mins(2);

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(follow))
}

/// What happens at all my tables, as lines of JSON: the messages of the live connection. Empty lines show that the connection
/// lives. Tables that are set up with a seat kept for me later on are in it, too.
#[utoipa::path(get, path = "/api/stream", tag = "bots", responses((status = 200, body = String, content_type = "application/x-ndjson")))]
async fn follow(
    State(app): State<App>,
    Extension(ClientAddress(from)): Extension<ClientAddress>,
    who: Who,
) -> Answer<Response> {
    let visitor = app.live.enter(from);
    let visitor = visitor.ok_or_else(|| Problem::rate_limited("too many connections from this address", 60_000))?;
    let person = who.person();
    let muted = app.hub.muted(Some(person.id)).await?;
    let (outbox, inbox) = Outbox::new(Some(person.clone()), true, muted);
    outbox.tell(&Message::Welcome { protocol: PROTOCOL, user: Some(person), now: app.hub.now() });
    let (token, proven) = (who.token, Instant::now());
    let follower =
        Follower { app: app.clone(), outbox, inbox, token, proven, _visitor: visitor, _counted: Counted::connection() };
    // Whoever follows many tables is told of them one after the other, while the stream is open already.
    let (hub, outbox) = (app.hub.clone(), follower.outbox.clone());
    tokio::spawn(async move {
        if hub.enter(&outbox).await.is_err() {
            outbox.close();
        }
    });
    let lines = stream::unfold(follower, |mut follower| async move {
        let line = follower.next().await?;
        Some((Ok::<Bytes, std::convert::Infallible>(line), follower))
    });
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, Body::from_stream(lines)).into_response())
}

/// A stream while it lasts.
struct Follower {
    app: App,
    outbox: Outbox,
    inbox: Inbox,
    token: String,
    proven: Instant,
    _visitor: Visitor,
    _counted: Counted,
}

impl Follower {
    /// The next line, until the stream ends.
    async fn next(&mut self) -> Option<Bytes> {
        if self.proven.elapsed() > PROVEN_AGAIN {
            self.proven = Instant::now();
            if !self.app.still_proves(Some(&self.token)).await {
                return None;
            }
        }
        let closing = self.inbox.closing();
        let stopped = self.app.stopped();
        tokio::select! {
            biased;
            () = closing => None,
            () = stopped => None,
            text = timeout(ALIVE, self.inbox.next()) => match text {
                Ok(Some(text)) => {
                    let mut line = Vec::with_capacity(text.len() + 1);
                    line.extend_from_slice(text.as_bytes());
                    line.push(b'\n');
                    Some(line.into())
                }
                Ok(None) => None,
                Err(_) => Some(Bytes::from_static(b"\n")),
            },
        }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.app.hub.leave(&self.outbox, []);
    }
}
