//! A server under attack, with a game that must not be disturbed.

use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use quincunx_client::Client;
use quincunx_server::config::{Config, Limits, Storage};
use quincunx_server::http::{Load, Server};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::server::config;

static PANICS: AtomicUsize = AtomicUsize::new(0);

/// Counts panics of this process, wherever they are caught.
fn count_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            PANICS.fetch_add(1, Ordering::Relaxed);
            before(info);
        }));
    });
}

/// A server under attack, and a game at it that must not be disturbed.
pub struct Siege {
    folder: TempDir,
    pub client: Client,
    pub load: Box<dyn Fn() -> Load + Send + Sync>,
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
    pub players: [Client; 2],
    pub table: Value,
    pub position: Value,
}

impl Siege {
    pub async fn begin(limits: Limits) -> Self {
        count_panics();
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::Folder(folder.path().to_owned());
        let server = Server::start(Config { storage, limits, ..config() }).await.unwrap();
        let load = Box::new(server.load());
        let client = Client::new(&format!("http://{}", server.address())).unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(async move { server.run_until(async { drop(stopped.await) }).await.unwrap() });
        let players = [client.guest("Ada").await.unwrap(), client.guest("Bob").await.unwrap()];
        let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]});
        let table = players[0].post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
        let path = format!("/api/tables/{}", table.as_str().unwrap());
        for (seat, player) in players.iter().enumerate() {
            let sit = json!({"command": {"type": "sit", "seat": seat}});
            player.post(&format!("{path}/commands"), &sit).await.unwrap();
        }
        let act = json!({"command": {"type": "act", "action": "e5f5"}});
        players[0].post(&format!("{path}/commands"), &act).await.unwrap();
        let position = client.get(&path).await.unwrap();
        Self { folder, client, load, stop, running, players, table, position }
    }

    pub fn path(&self) -> String {
        format!("/api/tables/{}", self.table.as_str().unwrap())
    }

    pub fn address(&self) -> &str {
        self.client.address().strip_prefix("http://").unwrap()
    }

    /// The server answers, the game is as it was, and nothing has panicked.
    pub async fn holds(&self, after: &str) {
        let seen = timeout(Duration::from_secs(20), self.client.get(&self.path())).await.expect("an answer in time");
        assert_eq!(seen.unwrap(), self.position, "after {after}");
        assert_eq!(PANICS.load(Ordering::Relaxed), 0, "after {after}");
    }

    /// Waits until all that the visitors have left behind is gone.
    pub async fn is_deserted(&self) {
        for _ in 0..2_000 {
            let Load { connections, hub } = (self.load)();
            if (connections, hub.clients, hub.watchers) == (0, 0, 0) {
                return;
            }
            sleep(Duration::from_millis(10)).await;
        }
        panic!("somebody is left: {:?}", (self.load)());
    }

    /// Stops the server when all have gone, and gives what it leaves behind.
    pub async fn end(self) -> TempDir {
        self.is_deserted().await;
        let _ = self.stop.send(());
        self.running.await.expect("it ends without a panic");
        assert_eq!(PANICS.load(Ordering::Relaxed), 0);
        self.folder
    }
}
