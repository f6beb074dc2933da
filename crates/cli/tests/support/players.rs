//! People who play on whatever happens to the servers, and remember what was acknowledged.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use quincunx_client::{Client, ClientError, Live};
use quincunx_server::model::TableId;
use quincunx_server::store::Store;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

/// The addresses of the servers, of which any may be down at any time.
pub struct Town {
    pub addresses: Vec<String>,
    /// Whether those who have ended a game begin no other one.
    pub closing: AtomicBool,
    pub acknowledged: AtomicUsize,
}

/// An action that a server has acknowledged.
pub struct Acknowledged {
    pub table: String,
    pub id: String,
    pub action: String,
}

/// What two players have seen.
#[derive(Default)]
pub struct Diary {
    pub acknowledged: Vec<Acknowledged>,
    /// The ids of all actions that were sent, acknowledged or not.
    pub sent: Vec<String>,
    /// The tables whose game was played to its end.
    pub finished: Vec<String>,
    pub reconnected: usize,
}

/// A pair of players at one table after the other.
pub struct Pair {
    town: Arc<Town>,
    game: &'static str,
    tokens: [String; 2],
    rng: StdRng,
    number: usize,
    diary: Diary,
}

/// Something did not work because a server is down: it is tried again.
struct Interrupted;

impl From<ClientError> for Interrupted {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Unreachable(_) | ClientError::Nonsense(_) => Self,
            ClientError::Refused { ref code, .. } if code == "unknown" || code == "trouble" => Self,
            other => panic!("a request was refused: {other}"),
        }
    }
}

/// A pause before a server is tried again.
async fn pause() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

impl Pair {
    pub async fn new(town: Arc<Town>, game: &'static str, number: usize) -> Self {
        let client = Client::new(&town.addresses[0]).expect("an address");
        let mut tokens = [String::new(), String::new()];
        for (seat, token) in tokens.iter_mut().enumerate() {
            let guest =
                client.guest(&format!("Pair {number} {seat}")).await.expect("the servers are up at the beginning");
            guest.token().expect("a token").clone_into(token);
        }
        let rng = StdRng::seed_from_u64(number as u64);
        Self { town, game, tokens, rng, number, diary: Diary::default() }
    }

    fn client(&mut self, seat: usize) -> Client {
        let address = &self.town.addresses[self.rng.random_range(0..self.town.addresses.len())];
        Client::new(address).expect("an address").with_token(&self.tokens[seat])
    }

    /// Plays game after game until the town closes, and the last game to its end.
    pub async fn play(mut self) -> Diary {
        let mut round = 0;
        loop {
            round += 1;
            let table = self.set_up(round).await;
            while self.go_on(&table).await.is_err() {
                self.diary.reconnected += 1;
                pause().await;
            }
            self.diary.finished.push(table);
            if self.town.closing.load(Ordering::Relaxed) {
                return self.diary;
            }
        }
    }

    /// Sets up a table and seats both; repeated with the same ids it is one table.
    async fn set_up(&mut self, round: usize) -> String {
        let setup = json!({"game": self.game, "seats": [{"kind": "open"}, {"kind": "open"}]});
        let order = json!({"setup": setup, "id": format!("table {} {round}", self.number)});
        let table = loop {
            match self.client(0).post("/api/tables", &order).await.map_err(Interrupted::from) {
                Ok(created) => break created["table"].as_str().expect("an id").to_owned(),
                Err(Interrupted) => pause().await,
            }
        };
        for seat in 0..2 {
            let order = json!({"command": {"type": "sit", "seat": seat}, "id": "sit"});
            let path = format!("/api/tables/{table}/commands");
            while self.client(seat).post(&path, &order).await.map_err(Interrupted::from).is_err() {
                pause().await;
            }
        }
        table
    }

    /// Connects and plays, until the game is over or a server goes down.
    async fn go_on(&mut self, table: &str) -> Result<(), Interrupted> {
        let clients = [self.client(0), self.client(1)];
        let mut lives: Vec<Live> = Vec::new();
        for client in &clients {
            lives.push(client.live().await?);
        }
        loop {
            let seen = clients[0].get(&format!("/api/tables/{table}")).await?;
            if seen["status"] == "finished" {
                return Ok(());
            }
            let seat = seen["position"]["turn"]["seat"].as_u64().expect("somebody is on turn") as usize;
            let position = clients[seat].get(&format!("/api/tables/{table}/position")).await?;
            if position["turn"]["seat"] != seat {
                // The other server has not heard of the last move yet.
                continue;
            }
            let actions = position["actions"].as_array().expect("actions");
            let action =
                actions[self.rng.random_range(0..actions.len())]["action"].as_str().expect("a text").to_owned();
            let id = format!("{table} {}", self.diary.sent.len());
            self.diary.sent.push(id.clone());
            let command = json!({"type": "act", "action": action, "ply": position["ply"]});
            let act = json!({"type": "command", "id": id, "table": table, "command": command});
            match lives[seat].ask(act).await {
                Ok(_) => {
                    self.town.acknowledged.fetch_add(1, Ordering::Relaxed);
                    self.diary.acknowledged.push(Acknowledged { table: table.to_owned(), id, action });
                }
                // Of two servers one was behind: nothing was done.
                Err(ClientError::Refused { code, .. }) if code == "not_allowed" => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Compares what was acknowledged with the logs: everything is there, as it was said, and nothing is there twice.
pub async fn compare(store: &Store, diaries: &[Diary]) {
    let mut logs: HashMap<&str, HashMap<String, Vec<Value>>> = HashMap::new();
    for table in diaries.iter().flat_map(|diary| &diary.finished) {
        let entries = store.entries(&TableId(table.clone()), 0, 10_000).await.expect("the log");
        assert!(entries.iter().enumerate().all(|(at, entry)| entry.seq == at as u64), "no line is missing");
        let mut commands: HashMap<String, Vec<Value>> = HashMap::new();
        for entry in entries {
            if let Some(id) = entry.command {
                commands.entry(id).or_default().push(serde_json::from_str(&entry.event).expect("JSON"));
            }
        }
        logs.insert(table, commands);
    }
    for done in diaries.iter().flat_map(|diary| &diary.acknowledged) {
        let lines = logs[done.table.as_str()].get(&done.id);
        let lines = lines.unwrap_or_else(|| panic!("{} was acknowledged and is lost", done.id));
        assert_eq!(lines.len(), 1, "{} was done twice", done.id);
        assert_eq!(lines[0]["action"], done.action, "{}", done.id);
    }
    for id in diaries.iter().flat_map(|diary| &diary.sent) {
        let lines: usize = logs.values().filter_map(|log| log.get(id)).map(Vec::len).sum();
        assert!(lines <= 1, "{id} was done twice");
    }
}
