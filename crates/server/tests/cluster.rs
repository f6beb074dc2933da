//! Several processes that serve the same tables, over one real PostgreSQL and one real NATS: each hub here is what a process of
//! its own would have. Nothing depends on how fast it goes: what must happen is waited for.

mod support {
    pub mod nats;
    pub mod postgres;
}

use std::collections::HashSet;
use std::future::Future;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::StreamExt;
use quincunx_core::Turn;
use quincunx_server::cluster::{Nats, NatsError, PREFIX, Serving, work};
use quincunx_server::config::Url;
use quincunx_server::hub::{Analysis, Watch};
use quincunx_server::hub::{Hub, Inbox, Outbox};
use quincunx_server::store::{NewUser, Store};
use quincunx_table::Person;
use quincunx_table::{Status, TableId, UserId, UserKind};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};
use support::nats::NatsServer;
use support::postgres::Postgres;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// How long something may take that has to happen.
const PATIENCE: Duration = Duration::from_mins(2);

fn in_runtime(work: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(work);
}

/// What a server process has.
struct Process {
    hub: Hub,
    store: Store,
    _serving: Serving,
    _running: JoinSet<()>,
}

impl Process {
    async fn start(database: &str, nats: &str) -> Self {
        let store = Store::postgres(database).await.expect("PostgreSQL opens");
        let nats = connect(nats).await;
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as i64;
        let hub = Hub::with_thinkers(store.clone(), nats.clone(), nats.clone(), now).expect("randomness");
        let serving = nats.serve(&hub).await.expect("subscriptions");
        let mut running = JoinSet::new();
        let runs = hub.clone();
        running.spawn(async move { runs.run().await });
        Self { hub, store, _serving: serving, _running: running }
    }

    async fn user(&self, name: &str) -> Person {
        let new = NewUser { name: name.to_owned(), kind: UserKind::Guest, owner: None, password: None, at: 0 };
        let id = self.store.add_user(new).await.expect("a user").id;
        Person { id, name: name.to_owned(), kind: UserKind::Guest }
    }

    async fn create(&self, host: &Person, setup: Value) -> TableId {
        let setup = serde_json::from_value(setup).expect("a set-up");
        self.hub.create(setup, host, None).await.expect("a table").table
    }

    async fn command(&self, table: &TableId, who: &Person, command: Value) {
        let command = serde_json::from_value(command).expect("a command");
        self.hub.command(table, who, None, &command, None).await.expect("the command is carried out");
    }

    async fn status(&self, table: &TableId) -> Status {
        self.store.summary(table).await.expect("the storage").expect("the table").status
    }

    /// A client who is connected here.
    async fn client(&self, person: Option<&Person>) -> Client {
        let (outbox, inbox) = Outbox::new(person.cloned(), false, HashSet::new());
        self.hub.enter(&outbox).await.expect("the client enters");
        Client { outbox, inbox }
    }

    async fn watch(&self, table: &TableId, person: Option<&Person>) -> Client {
        let mut client = self.client(person).await;
        self.hub.watch(table, &client.outbox, Watch::default()).await.expect("the table is watched");
        client.hears("a snapshot", |told| told["type"] == "snapshot").await;
        client
    }

    /// Plays a game against the engine to its end, at random.
    async fn play_out(&self, table: &TableId, person: &Person) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        until("the game ends", async || {
            let look = self.hub.look(table, Some(person.id), None, |state| match state.game.turn() {
                _ if state.status == Status::Finished => Err(()),
                Turn::Seat(seat) if !state.is_engine(seat) => Ok(Some(state.game.actions(seat))),
                _ => Ok(None),
            });
            match look.await.expect("the table") {
                Err(()) => Some(()),
                Ok(None) => None,
                Ok(Some(actions)) => {
                    let action = &actions[rng.random_range(0..actions.len())];
                    self.command(table, person, json!({"type": "act", "action": action})).await;
                    None
                }
            }
        })
        .await;
    }
}

struct Client {
    outbox: Outbox,
    inbox: Inbox,
}

impl Client {
    /// Reads on until something is told that has to be.
    async fn hears(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let listening = async {
            loop {
                let text = self.inbox.next().await.expect("the way to the client is open");
                let told = serde_json::from_str(&text).expect("JSON");
                if is_it(&told) {
                    return told;
                }
            }
        };
        tokio::time::timeout(PATIENCE, listening).await.unwrap_or_else(|_| panic!("nobody tells: {what}"))
    }
}

/// Looks again and again until there is something to see.
async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let looking = async {
        loop {
            if let Some(seen) = look().await {
                return seen;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.unwrap_or_else(|_| panic!("it does not happen: {what}"))
}

async fn connect(url: &str) -> Nats {
    Nats::connect(&Url(url.to_owned()), PREFIX).await.expect("NATS is there")
}

/// A worker process: ended in order by its sender, or as if it died by dropping the set.
async fn worker(nats: &str) -> (oneshot::Sender<()>, JoinSet<()>) {
    let nats = connect(nats).await;
    let (stop, stopped) = oneshot::channel();
    let mut running = JoinSet::new();
    running.spawn(async move { work(&nats, 1, async { drop(stopped.await) }).await });
    (stop, running)
}

fn people(game: &str) -> Value {
    json!({"game": game, "seats": [{"kind": "open"}, {"kind": "open"}]})
}

fn against_the_engine(game: &str) -> Value {
    json!({"game": game, "seats": [{"kind": "open"}, {"kind": "engine", "level": "novice"}]})
}

fn happened(type_of_event: &str) -> impl Fn(&Value) -> bool {
    move |told| {
        told["type"] == "update"
            && told["events"].as_array().expect("events").iter().any(|event| event["type"] == type_of_event)
    }
}

#[test]
fn what_is_done_at_one_process_is_told_at_the_other() {
    let (postgres, nats) = (Postgres::start(), NatsServer::start());
    in_runtime(async {
        let database = postgres.fresh_database().await;
        let (one, other) = (Process::start(&database, &nats.url()).await, Process::start(&database, &nats.url()).await);
        let (ada, bob) = (one.user("Ada").await, one.user("Bob").await);

        let mut lobby = other.client(None).await;
        other.hub.watch_lobby(&lobby.outbox);
        let table = one.create(&ada, people("trexo")).await;
        lobby.hears("a new table", |told| told["type"] == "listed" && told["table"] == json!(table)).await;

        let mut watcher = other.watch(&table, None).await;
        one.command(&table, &ada, json!({"type": "sit", "seat": 0})).await;
        watcher.hears("somebody sits down", happened("joined")).await;
        other.command(&table, &bob, json!({"type": "sit", "seat": 1})).await;
        one.command(&table, &ada, json!({"type": "act", "action": "e5f5"})).await;
        watcher.hears("a move", happened("acted")).await;

        let mut here = one.watch(&table, Some(&ada)).await;
        watcher
            .hears("who is at the other process", |told| {
                told["type"] == "present" && told["seated"] == json!([ada.id]) && told["others"] == 1
            })
            .await;
        here.hears("who is at the other process", |told| told["type"] == "present" && told["others"] == 1).await;

        one.hub.say(&table, &ada, None, "good luck", "1").await.expect("a remark");
        watcher
            .hears("what was said", |told| told["type"] == "said" && told["remarks"][0]["text"] == "good luck")
            .await;

        // A user with a client at each process mutes another one at the first.
        let bob_there = other.client(Some(&bob)).await;
        one.hub.mute(bob.id, ada.id, true).await.expect("muted");
        until("the mute crosses over", async || bob_there.outbox.has_muted(ada.id).then_some(())).await;

        let closing = bob_there.inbox.closing();
        one.hub.log_out(bob.id);
        tokio::time::timeout(PATIENCE, closing).await.expect("the connection at the other process is closed");
    });
}

#[test]
fn workers_play_for_the_tables_also_when_one_of_them_dies() {
    let (postgres, nats) = (Postgres::start(), NatsServer::start());
    in_runtime(async {
        let database = postgres.fresh_database().await;
        let (one, other) = (Process::start(&database, &nats.url()).await, Process::start(&database, &nats.url()).await);
        let ada = one.user("Ada").await;

        // One that takes the first job, and is never heard of again.
        let table = one.create(&ada, against_the_engine("castle-builders")).await;
        one.command(&table, &ada, json!({"type": "sit", "seat": 0})).await;
        let thief = async_nats::connect(nats.url()).await.expect("NATS");
        let jobs = async_nats::jetstream::new(thief).get_stream("quincunx-jobs").await.expect("the queue");
        let (stop, running) = worker(&nats.url()).await;
        let consumer = until("there is a place to get jobs from", async || {
            jobs.get_consumer::<async_nats::jetstream::consumer::pull::Config>("move-workers").await.ok()
        })
        .await;
        stop.send(()).expect("the worker runs");
        assert!(running.join_all().await.len() == 1, "the worker stops when it is told");
        let act = async || {
            let actions = one.hub.look(&table, Some(ada.id), None, |state| match state.game.turn() {
                Turn::Seat(seat) if !state.is_engine(seat) => state.game.actions(seat),
                _ => Vec::new(),
            });
            actions.await.expect("the table").first().cloned()
        };
        while let Some(action) = act().await {
            one.command(&table, &ada, json!({"type": "act", "action": action})).await;
        }
        let mut stolen = consumer.batch().max_messages(1).expires(PATIENCE).messages().await.expect("a request");
        stolen.next().await.expect("a job").expect("a job");

        // One that dies at work, and one that goes on.
        let dying = worker(&nats.url()).await;
        let mut watcher = other.watch(&table, None).await;
        watcher.hears("the engine has moved", happened("acted")).await;
        drop(dying);
        let (stop, running) = worker(&nats.url()).await;
        other.play_out(&table, &ada).await;
        let over = async || (one.status(&table).await == Status::Finished).then_some(());
        until("the first process hears that the game is over", over).await;

        // A worker that stops gives back what it has begun.
        until("an analysis is under way", async || {
            let analysis = one.hub.analyse(&table, None, None).await.expect("an analysis");
            (!matches!(analysis, Analysis::Running { done: 0, .. })).then_some(())
        })
        .await;
        stop.send(()).expect("the worker runs");
        running.join_all().await;
        let (stop, running) = worker(&nats.url()).await;

        // Any process shows what they make of the game, after any has asked for it.
        let moves = until("the analysis is done", async || {
            match one.hub.analyse(&table, None, None).await.expect("an analysis") {
                Analysis::Done { moves } => Some(moves),
                Analysis::Running { .. } => None,
            }
        })
        .await;
        assert!(
            moves.iter().any(|judged| judged.seat.number() == 0)
                && moves.iter().any(|judged| judged.seat.number() == 1)
        );
        assert!(moves.iter().all(|judged| judged.expected.len() >= 2));
        let there = other.hub.analyse(&table, Some(UserId(99)), None).await.expect("an analysis");
        assert_eq!(there, Analysis::Done { moves });

        stop.send(()).expect("the worker runs");
        running.join_all().await;
    });
}

#[test]
fn after_a_loss_of_nats_everybody_catches_up() {
    let (postgres, mut nats) = (Postgres::start(), NatsServer::start());
    in_runtime(async {
        let database = postgres.fresh_database().await;
        let (one, other) = (Process::start(&database, &nats.url()).await, Process::start(&database, &nats.url()).await);
        let (ada, bob) = (one.user("Ada").await, one.user("Bob").await);
        let _worker = worker(&nats.url()).await;
        let (table, engines) =
            (one.create(&ada, people("trexo")).await, one.create(&ada, against_the_engine("mod-x")).await);
        one.command(&table, &ada, json!({"type": "sit", "seat": 0})).await;
        one.command(&table, &bob, json!({"type": "sit", "seat": 1})).await;
        let mut watcher = other.watch(&table, None).await;
        let mut lobby = other.client(None).await;
        other.hub.watch_lobby(&lobby.outbox);

        nats.stop();
        one.command(&table, &ada, json!({"type": "act", "action": "e5f5"})).await;
        one.command(&engines, &ada, json!({"type": "sit", "seat": 0})).await;
        let unheard_of = one.create(&ada, people("trexo")).await;
        one.hub.say(&table, &ada, None, "is anybody there?", "1").await.expect("a remark");
        let bob_there = other.client(Some(&bob)).await;
        one.hub.log_out(bob.id);
        let closing = bob_there.inbox.closing();
        nats.start_again();

        watcher.hears("the move that was made without NATS", happened("acted")).await;
        watcher.hears("what was said without NATS", |told| told["remarks"][0]["text"] == "is anybody there?").await;
        lobby.hears("the table set up without NATS", |told| told["table"] == json!(unheard_of)).await;
        tokio::time::timeout(PATIENCE, closing).await.expect("a log-out is told later");
        one.play_out(&engines, &ada).await;
        one.command(&table, &bob, json!({"type": "resign"})).await;
        watcher.hears("what comes later", happened("resigned")).await;
    });
}

#[test]
fn a_start_without_nats_fails_with_a_sentence() {
    let nats = NatsServer::start();
    in_runtime(async {
        let connected = |url: String, prefix: &'static str| async move { Nats::connect(&Url(url), prefix).await.err() };
        assert_eq!(connected("http://nowhere".to_owned(), PREFIX).await, Some(NatsError::Address));
        assert_eq!(connected(nats.url(), "a.b").await, Some(NatsError::Prefix("a.b".to_owned())));
        let url = nats.url().replace("nats://", "nats://ada:secret@");
        drop(nats);
        let sentence = connected(url, PREFIX).await.expect("nobody is there").to_string();
        assert!(sentence.starts_with("cannot reach NATS at nats://(hidden)@127.0.0.1:"), "{sentence}");
        assert!(!sentence.contains("secret"), "{sentence}");
    });
}
