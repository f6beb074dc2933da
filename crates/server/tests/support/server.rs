//! A server for tests, on a port of its own, and people who play there.

use std::sync::atomic::{AtomicU32, Ordering};

use quincunx_client::Client;
use quincunx_server::config::{Config, Limits, Storage};
use quincunx_server::http::{Pages, Server};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A running server.
pub struct TestServer {
    /// Nobody in particular.
    pub client: Client,
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
    /// Gone after the server.
    _folder: Option<TempDir>,
}

/// A server for tests listens where it is free, and has time for people in a hurry.
pub fn config() -> Config {
    let limits = Limits {
        requests_per_minute: 1_000_000,
        messages_per_second: 100_000,
        people_per_hour: 100_000,
        tables_per_hour: 100_000,
        seats_per_minute: 100_000,
        ..Limits::default()
    };
    Config { listen: ([127, 0, 0, 1], 0).into(), limits, ..Config::default() }
}

impl TestServer {
    /// A server with a SQLite file of its own.
    #[allow(dead_code, reason = "some tests need another storage")]
    pub async fn alone() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let storage = Storage::Folder(folder.path().to_owned());
        Self::launch(Config { storage, ..config() }, Pages::default(), Some(folder)).await
    }

    #[allow(dead_code, reason = "some tests need no configuration")]
    pub async fn with(config: Config) -> Self {
        Self::launch(config, Pages::default(), None).await
    }

    /// A server that shows browsers something.
    #[allow(dead_code, reason = "most tests need no browser")]
    pub async fn showing(pages: Pages, config: Config) -> Self {
        Self::launch(config, pages, None).await
    }

    async fn launch(config: Config, pages: Pages, folder: Option<TempDir>) -> Self {
        let server = Server::start(config).await.expect("it starts").with_pages(pages);
        let address = server.address();
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(async move {
            let stopped = async move {
                let _ = stopped.await;
            };
            server.run_until(stopped).await.expect("it stops in order");
        });
        let client = Client::new(&format!("http://{address}")).expect("an address");
        Self { client, stop, running, _folder: folder }
    }

    /// Somebody new.
    #[allow(dead_code, reason = "guests do not play for ratings")]
    pub async fn guest(&self) -> Client {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        self.client.guest(&format!("Guest {number}")).await.expect("guests are welcome")
    }

    /// Stops it in order.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        self.running.await.expect("it ends without a panic");
    }
}

/// Seats people at a table and lets them play at random to the end; gives how it ended.
#[allow(dead_code, reason = "some tests play otherwise")]
pub async fn play_out(table: &Value, players: &[Client], seed: u64) -> Value {
    let path = format!("/api/tables/{}", table.as_str().expect("a table's id"));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut lives = Vec::new();
    for (seat, player) in players.iter().enumerate() {
        let mut live = player.live().await.expect("a connection");
        live.ask(json!({"type": "command", "table": table, "command": {"type": "sit", "seat": seat}}))
            .await
            .expect("a seat");
        lives.push(live);
    }
    loop {
        let shown = players[0].get(&path).await.expect("a table");
        if shown["status"] == "finished" {
            return shown["ending"].clone();
        }
        let turn = &shown["position"]["turn"];
        assert_eq!(turn["kind"], "seat", "chance does not keep people waiting");
        let seat = turn["seat"].as_u64().expect("a seat") as usize;
        let position = players[seat].get(&format!("{path}/position")).await.expect("a position");
        let actions = position["actions"].as_array().expect("actions");
        let action = &actions[rng.random_range(0..actions.len())]["action"];
        let command = json!({"type": "act", "action": action, "ply": position["ply"]});
        lives[seat].ask(json!({"type": "command", "table": table, "command": command})).await.expect("a legal action");
    }
}
