//! What watchers cost those who play: how long a command takes at a table with a long log, alone and while sixty connections
//! ask again and again for what they have missed there.
//!
//! ```text
//! cargo run --release -p quincunx-server --example watching [connections] [lines]
//! ```

use std::error::Error;
use std::time::{Duration, Instant};

use quincunx_client::Client;
use quincunx_server::config::{Config, Limits, Storage};
use quincunx_server::http::Server;
use serde_json::{Value, json};
use tokio::sync::oneshot;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// How many commands are measured.
const MEASURED: usize = 100;
/// How many lines the watchers have missed: more than stay in memory.
const MISSED: u64 = 150;

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let connections: usize = arguments.next().map_or(Ok(60), |text| text.parse())?;
    let lines: u64 = arguments.next().map_or(Ok(2_700), |text| text.parse())?;
    let limits = Limits { requests_per_minute: 10_000_000, seats_per_minute: 1_000, ..Limits::default() };
    let (listen, storage) = (([127, 0, 0, 1], 0).into(), Storage::Memory);
    let server = Server::start(Config { listen, storage, limits, ..Config::default() }).await?;
    let client = Client::new(&format!("http://{}", server.address()))?;
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(async move {
        let stopped = async move {
            let _ = stopped.await;
        };
        if let Err(error) = server.run_until(stopped).await {
            eprintln!("{error}");
        }
    });

    let people = [client.guest("Ada").await?, client.guest("Bo").await?];
    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]});
    let table = people[0].post("/api/tables", &json!({"setup": setup})).await?["table"].clone();
    for (seat, person) in people.iter().enumerate() {
        command(person, &table, json!({"type": "sit", "seat": seat})).await?;
    }
    while talk_of_draws(&people, &table).await?.1 < lines {}

    let alone = measure(&people, &table).await?;
    report("alone", &alone);
    let mut watchers = Vec::new();
    for _ in 0..connections {
        watchers.push(tokio::spawn(watch(client.clone(), table.clone(), lines - MISSED)));
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let watched = measure(&people, &table).await?;
    report(&format!("beside {connections} connections that ask for {MISSED} lines of {lines}"), &watched);
    watchers.iter().for_each(tokio::task::JoinHandle::abort);
    let _ = stop.send(());
    running.await?;
    Ok(())
}

/// Asks for what was missed since a version, as often as the server listens.
async fn watch(client: Client, table: Value, since: u64) -> Outcome<()> {
    let mut live = client.live().await?;
    loop {
        live.ask(json!({"type": "watch", "table": table, "since": since})).await?;
        live.forget();
    }
}

async fn command(who: &Client, table: &Value, command: Value) -> Outcome<u64> {
    let path = format!("/api/tables/{}/commands", table.as_str().unwrap_or_default());
    let done = who.post(&path, &json!({"command": command})).await?;
    Ok(done["version"].as_u64().unwrap_or_default())
}

/// A draw is offered and declined; gives how long each took, and how many lines the log has.
async fn talk_of_draws(people: &[Client; 2], table: &Value) -> Outcome<([Duration; 2], u64)> {
    let asked = Instant::now();
    command(&people[0], table, json!({"type": "offer_draw"})).await?;
    let answered = Instant::now();
    let version = command(&people[1], table, json!({"type": "answer_draw", "accept": false})).await?;
    Ok(([answered - asked, answered.elapsed()], version))
}

async fn measure(people: &[Client; 2], table: &Value) -> Outcome<Vec<Duration>> {
    let mut times = Vec::new();
    while times.len() < MEASURED {
        times.extend(talk_of_draws(people, table).await?.0);
    }
    times.sort_unstable();
    Ok(times)
}

fn report(what: &str, times: &[Duration]) {
    let at = |part: usize| times.get(times.len() * part / 100).map_or(0.0, |time| time.as_secs_f64() * 1e3);
    println!("{what}: median {:.1} ms, 95 of 100 below {:.1} ms, slowest {:.1} ms", at(50), at(95), at(99));
}
