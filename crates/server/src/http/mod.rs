//! The server on the network: HTTP for requests, a WebSocket for what happens live.

mod docs;
mod error;
mod guard;
mod health;
mod input;
mod lag;
mod live;
mod moderation;
mod own_data;
mod pages;
mod patient;
mod people;
mod ranks;
mod readiness;
mod session;
mod stream;
mod tables;

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, DefaultBodyLimit, Request};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router, middleware};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use quincunx_table::{Millis, UserId};
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout};
use tower::ServiceExt;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use self::error::Problem;
use self::guard::Visitors;
pub use self::pages::Pages;
use self::patient::Patient;
use self::readiness::Readiness;
use crate::cluster::{self, Alone, Local, Nats, NatsError};
use crate::config::{Config, Storage};
use crate::hub::{self, Hub};
use crate::limiter::{AddressLimiter, Limiter};
use crate::metrics;
use crate::people::{People, PeopleError};
use crate::store::{Claim, Company, Store, StoreError};
pub use crate::time::now;
use crate::time::{Difference, MOST_OFF, Time};

/// How often figures are tidied up.
const TIDIED: Duration = Duration::from_secs(5);
/// How often the time is compared with that of the database.
const COMPARED: Duration = Duration::from_secs(5);
/// How long requests and connections may take to end when the server stops.
const FAREWELL: Duration = Duration::from_secs(10);

type Answer<T> = Result<T, Problem>;

type App = Arc<Shared>;

/// What all requests share.
struct Shared {
    config: Config,
    store: Store,
    people: People,
    hub: Hub,
    time: Arc<Time>,
    limits: Counters,
    seating: tables::Seating,
    /// The live connections.
    live: Arc<Visitors>,
    stopping: watch::Receiver<bool>,
    readiness: Readiness,
}

/// How much everybody has asked for lately.
struct Counters {
    requests: AddressLimiter,
    people: AddressLimiter,
    tables: Limiter<UserId>,
    tables_from: AddressLimiter,
    /// How often people download all that is kept about them.
    own_data: Limiter<UserId>,
    remarks: Limiter<UserId>,
    seats: Limiter<UserId>,
}

impl Counters {
    fn new(limits: &crate::config::Limits) -> Self {
        const MINUTE: Millis = 60_000;
        const HOUR: Millis = 60 * MINUTE;
        /// How many addresses or users are remembered.
        const KEYS: usize = 20_000;
        fn so_many<K: std::hash::Hash + Eq + Clone>(count: u32, within: Millis) -> Limiter<K> {
            let count = i64::from(count.max(1));
            Limiter::new(count, within / count, KEYS)
        }
        fn from_one_place(count: u32, within: Millis) -> AddressLimiter {
            let count = i64::from(count.max(1));
            AddressLimiter::new(count, within / count, KEYS)
        }
        Self {
            requests: from_one_place(limits.requests_per_minute, MINUTE),
            people: from_one_place(limits.people_per_hour, HOUR),
            tables: so_many(limits.tables_per_hour, HOUR),
            own_data: so_many(10, HOUR),
            tables_from: from_one_place(limits.tables_per_hour.saturating_mul(10), HOUR),
            remarks: so_many(limits.remarks_per_minute, MINUTE),
            seats: so_many(limits.seats_per_minute, MINUTE),
        }
    }
}

impl Shared {
    /// Whether a token still proves who somebody is. While the storage does not answer, it is believed.
    async fn still_proves(&self, token: Option<&str>) -> bool {
        match token {
            None => true,
            Some(token) => !matches!(self.people.who(token, now()).await, Ok(None)),
        }
    }

    /// Waits until the server is to stop.
    fn stopped(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut stopping = self.stopping.clone();
        async move {
            // Without a server nobody is served either.
            let _ = stopping.wait_for(|stopping| *stopping).await;
        }
    }
}

/// A server that listens, and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    /// Where only those listen who run the server.
    figures: Option<(TcpListener, SocketAddr)>,
    app: App,
    pages: Pages,
    nats: Option<Nats>,
    stopping: watch::Sender<bool>,
    claim: Claim,
}

/// How much a server has to do at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Load {
    /// Live connections and streams.
    pub connections: usize,
    pub hub: hub::Load,
}

/// Why a server cannot start, in a sentence for who runs it.
#[derive(Debug, Error)]
pub enum StartError {
    #[error("cannot listen on {address}: {why}")]
    Listen { address: SocketAddr, why: io::Error },
    #[error("{0}")]
    Store(#[from] StoreError),
    #[error("{0}")]
    People(#[from] PeopleError),
    #[error("{}; set it by NTP, as players here would gain or lose time", off(.0))]
    OutOfStep(Difference),
    #[error("the system gives no random numbers: {0}")]
    Random(#[from] getrandom::Error),
    #[error("{0}")]
    Nats(#[from] NatsError),
}

fn off(difference: &Difference) -> String {
    let (by, way) = (difference.ahead.abs(), if difference.ahead > 0 { "behind" } else { "ahead of" });
    format!("the clock of this machine is {by} ms {way} that of the database; at most {MOST_OFF} ms are allowed")
}

/// Compares the time of this process with that of the database, again and again. While they are too far apart, nothing is
/// changed here.
async fn keep_time(app: App) {
    let mut told = false;
    loop {
        sleep(COMPARED).await;
        // While the database does not answer, nothing can be changed anyway.
        let Ok(Some(difference)) = app.time.compare(&app.store).await else { continue };
        let off = difference.is_too_much().then(|| off(&difference));
        match &off {
            Some(why) if !told => tracing::error!(why, "this server takes no commands"),
            None if told => tracing::info!("the clock of this machine is right again"),
            _ => {}
        }
        if off.is_none() {
            app.time.approach(difference);
        }
        told = off.is_some();
        app.hub.set_out_of_step(told);
        app.readiness.set_out_of_step(off);
    }
}

/// Why a server has stopped by itself.
#[derive(Debug, Error)]
pub enum RunError {
    #[error("{0}")]
    Nats(#[from] NatsError),
    #[error("the connection to the database broke, and another server has claimed it since")]
    Displaced,
}

impl Server {
    /// Opens the storage, reads the games that are on, and listens.
    pub async fn start(config: Config) -> Result<Self, StartError> {
        metrics::install();
        let company = if config.nats.is_some() { Company::Together } else { Company::Alone };
        // Before anything is opened: a newer version would bring the tables of a running one up to date.
        let (claim, store) = match &config.storage {
            Storage::Memory => (Claim::of_memory(), Store::memory()),
            Storage::Folder(folder) => {
                let path = folder.join("quincunx.db");
                (Claim::of_sqlite(&path, company)?, Store::sqlite(path).await?)
            }
            Storage::Postgres(url) => (Claim::of_postgres(&url.0, company).await?, Store::postgres(&url.0).await?),
        };
        let people = People::new(store.clone())?;
        let time = Arc::new(Time::of_machine());
        if company == Company::Together
            && let Some(difference) = time.compare(&store).await?
        {
            if difference.is_too_much() {
                return Err(StartError::OutOfStep(difference));
            }
            time.take_over(difference);
        }
        let nats = match &config.nats {
            Some(url) => Some(Nats::connect_with(url, cluster::PREFIX, &config.keys).await?),
            None => None,
        };
        let hub_time = time.clone();
        let now = move || hub_time.now();
        let hub = match &nats {
            Some(nats) => Hub::with_thinkers(store.clone(), nats.clone(), nats.clone(), now)?,
            None => Hub::with_thinkers(
                store.clone(),
                Alone,
                Local::new(config.thinkers, config.limits.thinking_per_minute),
                now,
            )?,
        };
        let (listener, address) = listen(config.listen).await?;
        let figures = match config.metrics_listen {
            Some(address) => Some(listen(address).await?),
            None => None,
        };
        let (stopping, stopped) = watch::channel(false);
        let limits = config.limits;
        let app = Arc::new(Shared {
            limits: Counters::new(&limits),
            seating: tables::Seating::default(),
            live: Visitors::new(limits.connections, limits.connections_per_address),
            stopping: stopped,
            readiness: Readiness::default(),
            config,
            store,
            people,
            hub,
            time,
        });
        Ok(Self { listener, address, figures, app, pages: Pages::default(), nats, stopping, claim })
    }

    /// Shows browsers this client.
    #[must_use]
    pub fn with_pages(self, pages: Pages) -> Self {
        Self { pages, ..self }
    }

    /// What it has to do, now and later.
    pub fn load(&self) -> impl Fn() -> Load + Send + Sync + 'static {
        let app = self.app.clone();
        move || Load { connections: app.live.count(), hub: app.hub.burden() }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it tells those who run it how it does, if that is a place of its own.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.figures.as_ref().map(|(_, address)| *address)
    }

    /// Serves until it is told to stop; then ends what is under way, and closes the storage.
    pub async fn run_until(self, stop: impl Future<Output = ()>) -> Result<(), RunError> {
        let Self { listener, figures, app, pages, nats, stopping, mut claim, .. } = self;
        let others = match &nats {
            Some(nats) => Some(nats.serve(&app.hub).await?),
            None => None,
        };
        let worker = nats.filter(|_| app.config.thinkers > 0).map(|nats| {
            let (threads, stopped) = (app.config.thinkers, app.stopped());
            tokio::spawn(async move { cluster::work(&nats, threads, stopped).await })
        });
        app.hub.prepare().await;
        let keeper = tokio::spawn({
            let hub = app.hub.clone();
            async move { hub.run().await }
        });
        let timekeeper = others.is_some().then(|| tokio::spawn(keep_time(app.clone())));
        let tidier = tokio::spawn(async {
            loop {
                sleep(TIDIED).await;
                metrics::tidy();
            }
        });
        let watched = figures.map(|(listener, _)| {
            let router = hardened(health::own_routes()).with_state(app.clone());
            tokio::spawn(serve_figures(listener, router, app.config.limits.patience, app.clone()))
        });
        let router = router(app.clone(), pages);
        // Requests may come over many more connections than live ones; a proxy has all of them.
        let limits = app.config.limits;
        let doors =
            Visitors::new(limits.connections.saturating_mul(2), limits.connections_per_address.saturating_mul(2));
        // Nothing is sent over it: it is closed when the last connection has ended.
        let (open, mut all_ended) = mpsc::channel::<Infallible>(1);
        let mut stop = pin!(stop);
        let ended = {
            let mut displaced = pin!(claim.keep());
            loop {
                let (stream, peer) = tokio::select! {
                    () = &mut stop => break Ok(()),
                    () = &mut displaced => break Err(RunError::Displaced),
                    accepted = listener.accept() => match accepted {
                        Ok(accepted) => accepted,
                        Err(error) => {
                            // Out of file descriptors, most of the time: some will be free in a moment.
                            tracing::warn!(%error, "a connection could not be accepted");
                            sleep(Duration::from_millis(50)).await;
                            continue;
                        }
                    }
                };
                let is_proxy = app.config.trusted_proxies.contains(&peer.ip().to_canonical());
                let visitor = if is_proxy { None } else { doors.enter(peer.ip()) };
                if !is_proxy && visitor.is_none() {
                    continue;
                }
                let served = serve(stream, peer, router.clone(), limits.patience, app.stopped());
                let open = open.clone();
                tokio::spawn(async move {
                    served.await;
                    drop((visitor, open));
                });
            }
        };
        tracing::info!("stopping");
        drop(listener);
        stopping.send_replace(true);
        drop(open);
        let _ = timeout(FAREWELL, all_ended.recv()).await;
        let deadline = Instant::now() + FAREWELL;
        while app.live.count() > 0 && Instant::now() < deadline {
            sleep(Duration::from_millis(10)).await;
        }
        keeper.abort();
        tidier.abort();
        watched.iter().for_each(tokio::task::JoinHandle::abort);
        timekeeper.inspect(tokio::task::JoinHandle::abort);
        app.hub.stop().await;
        if let Some(worker) = worker {
            let _ = timeout(FAREWELL, worker).await;
        }
        drop(others);
        app.store.close().await;
        claim.give_up().await;
        ended
    }
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let failed = |why| StartError::Listen { address, why };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// Tells those who run the server how it does, a few at a time, until it is dropped.
async fn serve_figures(listener: TcpListener, router: Router, patience: Duration, app: App) {
    /// A collector or two, and somebody who looks.
    const AT_ONCE: usize = 32;
    let doors = Visitors::new(AT_ONCE, AT_ONCE);
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Some(visitor) = doors.enter(peer.ip()) else { continue };
        let served = serve(stream, peer, router.clone(), patience, app.stopped());
        tokio::spawn(async move {
            served.await;
            drop(visitor);
        });
    }
}

/// Serves one connection, until the client or the server ends it.
async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    patience: Duration,
    stopped: impl Future<Output = ()>,
) {
    // Moves are small, and should not wait for each other.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let router = router.clone();
        async move {
            let mut request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            Ok::<Response, Infallible>(router.oneshot(request).await.unwrap_or_else(|never| match never {}))
        }
    });
    let mut connection = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(patience)
            .max_buf_size(32 * 1024)
            .serve_connection(TokioIo::new(Patient::new(stream, patience)), service)
            .with_upgrades()
    );
    // A client that goes away in the middle is its own affair.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = stopped => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// What programs can ask for.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Quincunx for programs",
        description = "Tables, people and games by plain requests. What happens live comes over a WebSocket at /api/live or, \
                       for bots, as lines of JSON from /api/stream. Whoever is known sends a token in the header \
                       `Authorization: Bearer <token>`; browsers have it as a cookie. A request that is not carried out \
                       is answered with a code and a reason for people."
    ),
    tags(
        (name = "tables", description = "Games, and the tables at which they are played."),
        (name = "players", description = "Who plays, and how well."),
        (name = "people", description = "Guests, accounts, sessions."),
        (name = "bots", description = "Accounts of programs."),
        (name = "moderation", description = "Reports, and what moderators do about them."),
    ),
    components(schemas(Problem))
)]
struct Description;

/// The description of everything that programs can ask for, in the form of OpenAPI 3.1.
pub fn description() -> utoipa::openapi::OpenApi {
    api().split_for_parts().1
}

fn api() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Description::openapi())
        .merge(tables::routes())
        .merge(ranks::routes())
        .merge(people::routes())
        .merge(own_data::routes())
        .merge(moderation::routes())
        .merge(stream::routes())
}

fn router(app: App, pages: Pages) -> Router {
    let (api, description) = api().split_for_parts();
    let description = serde_json::to_value(&description).expect("the description is plain data");
    let docs = docs::page(&description);
    let style = [(header::CONTENT_TYPE, "text/css; charset=utf-8")];
    let limit = app.config.limits.body;
    let pages = Arc::new(pages);
    let page = move |request: Request| std::future::ready(pages.answer(&request));
    let router = api
        .route("/api/live", get(live::connect))
        .route("/api/openapi.json", get(move || std::future::ready(Json(description.clone()))))
        .route("/api/docs", get(move || std::future::ready(Html(docs.clone()))))
        .route("/api/docs.css", get(move || std::future::ready((style, docs::STYLE))))
        .layer(middleware::from_fn_with_state(app.clone(), guard::admit))
        .route("/", get(page.clone()))
        .merge(if app.config.metrics_listen.is_some() { health::routes() } else { health::own_routes() })
        .fallback(page)
        .method_not_allowed_fallback(not_so)
        .layer(DefaultBodyLimit::max(limit));
    hardened(router).with_state(app)
}

/// What every answer goes through.
fn hardened(router: Router<App>) -> Router<App> {
    router
        .layer(middleware::from_fn(guard::count))
        .layer(middleware::from_fn(guard::harden))
        .layer(CatchPanicLayer::custom(panicked))
}

fn nothing_here() -> Problem {
    Problem::not_found("there is nothing at this address; /api/docs tells what there is")
}

async fn not_so(request: Request) -> (StatusCode, Problem) {
    let reason = format!("{} does not work at this address; /api/docs tells what does", request.method());
    (StatusCode::METHOD_NOT_ALLOWED, Problem::malformed(reason))
}

/// A bug: the others must not suffer from it, and the log has to tell of it.
fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    Problem::internal(&"a request panicked").into_response()
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}
