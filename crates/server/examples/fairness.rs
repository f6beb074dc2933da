//! How long an honest player waits for the engine: on a quiet server whose cores are busy with something else, and beside
//! fifty guests of one address who want all thinking for themselves.
//!
//! ```text
//! cargo run --release -p quincunx-server --example fairness [answers] [guests]
//! ```

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quincunx_client::{Client, Live};
use quincunx_server::config::{Config, Limits, Storage};
use quincunx_server::http::Server;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::oneshot;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The address of the honest player; that of the guests is this machine's own.
const HONEST: &str = "192.0.2.7";
/// How long the honest player thinks about a move.
const PAUSE: Duration = Duration::from_secs(3);
/// How many tables each guest tries to have.
const TABLES: usize = 20;

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let answers = arguments.next().map_or(Ok(15), |text| text.parse())?;
    let guests = arguments.next().map_or(Ok(50), |text| text.parse())?;
    let cores = std::thread::available_parallelism()?.get();
    println!("{cores} cores, {guests} guests of one address, {answers} answers of a master at Trexo each\n");

    let quiet = {
        let house = House::open(cores).await?;
        let spin = Spin::start(cores);
        let times = house.answers(answers).await?;
        drop(spin);
        house.close().await;
        times
    };
    report("a quiet server, all cores busy", &quiet, &quiet);

    let house = House::open(cores).await?;
    let tables = house.leave_tables_to_engines(guests).await?;
    let times = house.answers(answers).await?;
    report(&format!("{tables} tables whose people have resigned"), &times, &quiet);
    house.close().await;

    let house = House::open(cores).await?;
    let (tables, busy) = house.keep_engines_busy(guests).await?;
    let times = house.answers(answers).await?;
    report(&format!("{tables} tables whose people move at once"), &times, &quiet);
    busy.iter().for_each(tokio::task::JoinHandle::abort);
    house.close().await;
    Ok(())
}

/// A server with nothing in it.
struct House {
    client: Client,
    stop: oneshot::Sender<()>,
    running: tokio::task::JoinHandle<()>,
}

impl House {
    async fn open(cores: usize) -> Outcome<Self> {
        // What holds up the guests is to be the dealing out of thinking, not how often they may ask.
        let limits = Limits {
            requests_per_minute: 1_000_000,
            people_per_hour: 100_000,
            tables_per_hour: 100_000,
            seats_per_minute: 100_000,
            messages_per_second: 10_000,
            ..Limits::default()
        };
        let config = Config {
            listen: ([127, 0, 0, 1], 0).into(),
            storage: Storage::Memory,
            trusted_proxies: vec![[127, 0, 0, 1].into()],
            thinkers: cores,
            limits,
            ..Config::default()
        };
        let server = Server::start(config).await?;
        let client = Client::new(&format!("http://{}", server.address()))?;
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(async move {
            let stopped = async move {
                let _ = stopped.await;
            };
            if let Err(error) = server.run_until(stopped).await {
                eprintln!("{error}");
            }
        });
        Ok(Self { client, stop, running })
    }

    async fn close(self) {
        let _ = self.stop.send(());
        let _ = self.running.await;
    }

    /// How long the engine of an honest player takes to answer.
    async fn answers(&self, count: usize) -> Outcome<Vec<Duration>> {
        let ada = self.client.register("Ada", "correct horse battery").await?;
        let mut times = Vec::new();
        while times.len() < count {
            let seats = json!([{"kind": "open"}, {"kind": "engine", "level": "master"}]);
            let table =
                ada.post("/api/tables", &json!({"setup": {"game": "trexo", "seats": seats}})).await?["table"].clone();
            order(&ada, &table, json!({"type": "sit", "seat": 0})).await?;
            let mut live = ada.live().await?;
            live.ask(json!({"type": "watch", "table": table, "full": true})).await?;
            while times.len() < count {
                let Some(action) = next_action(&mut live).await else { break };
                tokio::time::sleep(PAUSE).await;
                let asked = Instant::now();
                order(&ada, &table, json!({"type": "act", "action": action})).await?;
                if !engine_acted(&mut live).await {
                    break;
                }
                times.push(asked.elapsed());
            }
            // A game that goes on is not to think for nobody.
            let _ = order(&ada, &table, json!({"type": "resign"})).await;
        }
        Ok(times)
    }

    /// The guests sit down at tables with three masters each and resign.
    async fn leave_tables_to_engines(&self, guests: usize) -> Outcome<usize> {
        let mut tables = 0;
        for number in 0..guests {
            let guest = self.client.guest(&format!("Guest {number}")).await?;
            for _ in 0..TABLES {
                let Ok(table) = crowded_table(&guest).await else { break };
                command(&guest, &table, json!({"type": "resign"})).await?;
                tables += 1;
            }
        }
        Ok(tables)
    }

    /// The guests sit down at as many tables with three masters each as they may, and move as soon as it is their turn.
    async fn keep_engines_busy(&self, guests: usize) -> Outcome<(usize, Vec<tokio::task::JoinHandle<()>>)> {
        let (mut count, mut busy) = (0, Vec::new());
        for number in 0..guests {
            let guest = self.client.guest(&format!("Guest {number}")).await?;
            let mut live = guest.live().await?;
            for _ in 0..TABLES {
                let Ok(table) = crowded_table(&guest).await else { break };
                live.send(&json!({"type": "watch", "id": "w", "table": table, "full": true})).await?;
                count += 1;
            }
            busy.push(tokio::spawn(move_at_once(live)));
        }
        Ok((count, busy))
    }
}

/// A table of four seats with three masters, where a guest has sat down.
async fn crowded_table(guest: &Client) -> Outcome<Value> {
    let master = json!({"kind": "engine", "level": "master"});
    let seats = json!([{"kind": "open"}, master, master, master]);
    let setup = json!({"game": "x-marks-the-spot", "options": {"turn_limit": 200}, "seats": seats});
    let table = guest.post("/api/tables", &json!({"setup": setup})).await?["table"].clone();
    command(guest, &table, json!({"type": "sit", "seat": 0})).await?;
    Ok(table)
}

async fn command(who: &Client, table: &Value, command: Value) -> Outcome<()> {
    let path = format!("/api/tables/{}/commands", table.as_str().unwrap_or_default());
    who.post(&path, &json!({"command": command})).await?;
    Ok(())
}

/// A command of the honest player, who comes from elsewhere.
async fn order(who: &Client, table: &Value, command: Value) -> Outcome<()> {
    let path = format!("/api/tables/{}/commands", table.as_str().unwrap_or_default());
    let request = who.request(Method::POST, &path).header("x-forwarded-for", HONEST);
    request.json(&json!({"command": command})).send().await?.error_for_status()?;
    Ok(())
}

/// What somebody may do at a table of which a message tells, if it is the turn of the first seat.
fn offered(message: &Value) -> Vec<Value> {
    let first = message["type"] == "snapshot";
    let turn = if first { &message["position"]["turn"] } else { &message["turn"] };
    if turn["seat"] != 0 {
        return Vec::new();
    }
    if first {
        let actions = message["position"]["actions"].as_array().into_iter().flatten();
        return actions.map(|action| action["action"].clone()).collect();
    }
    message["offers"].as_array().cloned().unwrap_or_default()
}

/// An action of the first seat, when it is its turn; none when the game is over.
async fn next_action(live: &mut Live) -> Option<Value> {
    loop {
        let message = live.next().await?;
        if message["status"] == "finished" {
            return None;
        }
        let offers = offered(&message);
        if !offers.is_empty() {
            return Some(offers[offers.len() / 2].clone());
        }
    }
}

/// Waits for the engine's move; gives whether one came before the end. It is kept for what comes next.
async fn engine_acted(live: &mut Live) -> bool {
    while let Some(message) = live.next().await {
        let events = message["events"].as_array().map_or(&[][..], Vec::as_slice);
        let acted = events.iter().any(|event| event["type"] == "acted" && event["seat"] == 1);
        if acted && message["status"] != "finished" {
            live.put_back(message);
            return true;
        }
        if message["status"] == "finished" {
            return acted;
        }
    }
    false
}

async fn move_at_once(mut live: Live) {
    let mut number = 0_u64;
    while let Some(message) = live.next().await {
        let offers = offered(&message);
        if offers.is_empty() {
            continue;
        }
        number += 1;
        let act = json!({"type": "act", "action": offers[number as usize % offers.len()]});
        let order = json!({"type": "command", "id": number.to_string(), "table": message["table"], "command": act});
        if live.send(&order).await.is_err() {
            return;
        }
    }
}

/// Keeps cores busy with nothing.
struct Spin(Arc<AtomicBool>);

impl Spin {
    fn start(cores: usize) -> Self {
        let stop = Arc::<AtomicBool>::default();
        for _ in 0..cores {
            let stop = stop.clone();
            std::thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        Self(stop)
    }
}

impl Drop for Spin {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn report(what: &str, times: &[Duration], quiet: &[Duration]) {
    let at = |times: &[Duration], part: f64| {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        sorted.get(((sorted.len() as f64 - 1.0) * part).round() as usize).map_or(0.0, Duration::as_secs_f64)
    };
    let mean = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64() / times.len().max(1) as f64;
    println!(
        "{what}: mean {:.2} s, median {:.2} s, slowest {:.2} s ({:.2} times the mean of a quiet server)",
        mean(times),
        at(times, 0.5),
        at(times, 1.0),
        mean(times) / mean(quiet)
    );
}
