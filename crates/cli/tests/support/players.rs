//! People who play on whatever happens to the servers, and remember what was acknowledged.
#![allow(dead_code, reason = "each test needs a part of it")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quincunx_client::{Client, ClientError, Live};
use quincunx_server::store::Store;
use quincunx_table::TableId;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use tokio::task::JoinSet;

/// How long a whole test may take, however slow the machine is: one that hangs must say what it waits for.
pub const DEADLINE: Duration = Duration::from_mins(8);

/// The servers, of which any may be down at any time, and what those who play there have seen.
pub struct Town {
    servers: Vec<Client>,
    /// Whether those who have ended a game begin no other one.
    closing: AtomicBool,
    reconnected: AtomicUsize,
    /// Whether somebody was treated in a way that must not be.
    failed: AtomicBool,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    acknowledged: Vec<Acknowledged>,
    /// The ids of all actions that were sent, acknowledged or not.
    sent: Vec<String>,
    /// All tables that were set up.
    tables: Vec<String>,
    finished: HashSet<String>,
    /// What each party is doing now.
    doing: BTreeMap<usize, String>,
}

/// An action that a server has acknowledged.
struct Acknowledged {
    table: String,
    id: String,
    action: String,
}

impl Town {
    pub fn new(ports: &[u16]) -> Arc<Self> {
        let servers = ports.iter().map(|port| Client::new(&format!("http://127.0.0.1:{port}")).expect("an address"));
        Arc::new(Self {
            servers: servers.collect(),
            closing: false.into(),
            reconnected: 0.into(),
            failed: false.into(),
            seen: Mutex::default(),
        })
    }

    fn seen<T>(&self, look: impl FnOnce(&mut Seen) -> T) -> T {
        look(&mut self.seen.lock().expect("nobody panics with it"))
    }

    /// How many actions have been acknowledged.
    pub fn acknowledged(&self) -> usize {
        self.seen(|seen| seen.acknowledged.len())
    }

    /// How often somebody has lost a connection.
    pub fn reconnected(&self) -> usize {
        self.reconnected.load(Ordering::Relaxed)
    }

    /// Waits until so many more actions have been acknowledged, so that what comes next meets servers at work.
    pub async fn busy(&self, more: usize) {
        let goal = self.acknowledged() + more;
        while self.acknowledged() < goal {
            assert!(!self.failed.load(Ordering::Relaxed), "somebody could not play on: see above");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Somebody who only listens.
    pub async fn listener(&self) -> Live {
        self.servers[0].live().await.expect("a connection")
    }

    /// Lets so many parties play: some with hidden cards, and against the engine where there is one.
    pub async fn open(self: &Arc<Self>, parties: usize, engine: bool) -> JoinSet<()> {
        let mut playing = JoinSet::new();
        for number in 0..parties {
            let game = if number % 2 == 0 { "trexo" } else { "castle-builders" };
            let people = if engine && number % 3 == 0 { 1 } else { 2 };
            playing.spawn(Party::of_guests(self.clone(), game, people, number).await.play());
        }
        playing
    }

    /// Lets so many pairs of people with accounts play rated games, after other parties.
    pub async fn open_rated(self: &Arc<Self>, pairs: usize, playing: &mut JoinSet<()>) {
        let first = playing.len();
        for number in first..first + pairs {
            playing.spawn(Party::of_accounts(self.clone(), "trexo", number).await.play());
        }
    }

    /// Lets everybody play the last game to its end.
    pub async fn close(&self, mut playing: JoinSet<()>) {
        self.closing.store(true, Ordering::Relaxed);
        while let Some(ended) = playing.join_next().await {
            ended.expect("whoever plays does not panic");
        }
    }

    /// Runs a test, and tells what everybody was doing if it takes too long.
    pub async fn within_deadline<T>(&self, test: impl Future<Output = T>) -> T {
        self.within(DEADLINE, test).await
    }

    /// Runs a test for so long at most.
    pub async fn within<T>(&self, deadline: Duration, test: impl Future<Output = T>) -> T {
        let done = tokio::time::timeout(deadline, test).await;
        done.unwrap_or_else(|_| panic!("still not done: {:#?}", self.seen(|seen| seen.doing.clone())))
    }

    /// Compares what was acknowledged with the logs: everything is there, as it was said, nothing is there twice, and all games
    /// were played to their end. Gives how many actions were acknowledged, and at how many tables.
    pub async fn compare(&self, store: &Store) -> (usize, usize) {
        let Seen { acknowledged, sent, tables, finished, .. } = self.seen(std::mem::take);
        let mut logs: HashMap<&str, HashMap<String, Vec<Value>>> = HashMap::new();
        for table in &tables {
            assert!(finished.contains(table), "{table} was not played to its end");
            logs.insert(table, commands(store, table).await);
        }
        assert!(!acknowledged.is_empty());
        for Acknowledged { table, id, action } in &acknowledged {
            let lines = logs[table.as_str()].get(id);
            let lines = lines.unwrap_or_else(|| panic!("{id} was acknowledged and is lost"));
            assert_eq!(lines.len(), 1, "{id} was done twice");
            assert_eq!(lines[0]["action"], *action, "{id}");
        }
        for id in &sent {
            let lines: usize = logs.values().filter_map(|log| log.get(id)).map(Vec::len).sum();
            assert!(lines <= 1, "{id} was done twice");
        }
        (acknowledged.len(), tables.len())
    }

    /// Waits until all that the logs hold was also acknowledged: for a server that has ended in order.
    pub async fn hears_of_everything(&self, store: &Store) {
        let mut done: HashSet<String> = HashSet::new();
        for table in self.seen(|seen| seen.tables.clone()) {
            done.extend(commands(store, &table).await.into_keys());
        }
        // How people sit down is not written down.
        let sent: HashSet<String> = self.seen(|seen| seen.sent.iter().cloned().collect());
        done.retain(|id| sent.contains(id));
        loop {
            self.seen(|seen| done.retain(|id| !seen.acknowledged.iter().any(|action| action.id == *id)));
            if done.is_empty() {
                return;
            }
            self.seen(|seen| drop(seen.doing.insert(usize::MAX, format!("done and not acknowledged: {done:?}"))));
            pause().await;
        }
    }
}

/// The lines of a table's log that come from commands.
async fn commands(store: &Store, table: &str) -> HashMap<String, Vec<Value>> {
    let entries = store.entries(&TableId(table.to_owned()), 0, 10_000).await.expect("the log");
    assert!(entries.iter().enumerate().all(|(at, entry)| entry.seq == at as u64), "no line is missing");
    let mut commands: HashMap<String, Vec<Value>> = HashMap::new();
    for entry in entries {
        if let Some(id) = entry.command {
            commands.entry(id).or_default().push(serde_json::from_str(&entry.event).expect("JSON"));
        }
    }
    commands
}

/// Two players, or one and the engine, at one table after the other.
struct Party {
    town: Arc<Town>,
    game: &'static str,
    tokens: Vec<String>,
    rng: StdRng,
    number: usize,
    rated: bool,
    /// What was sent, without an answer so far.
    pending: Option<Sent>,
}

/// An action that was sent.
struct Sent {
    seat: usize,
    id: String,
    action: String,
    ply: Value,
}

/// Something did not work because a server is down: it is tried again.
#[derive(Debug)]
struct Interrupted;

impl From<ClientError> for Interrupted {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Unreachable(_) | ClientError::Nonsense(_) => Self,
            ClientError::Refused { ref code, .. } if code == "unknown" || code == "internal" => Self,
            other => panic!("a request was refused: {other}"),
        }
    }
}

/// The token of somebody who has just come.
fn token(come: Result<Client, ClientError>) -> String {
    come.expect("the servers are up at the beginning").token().expect("a token").to_owned()
}

/// A pause before a server is tried again.
async fn pause() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

impl Drop for Party {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.town.failed.store(true, Ordering::Relaxed);
        }
    }
}

impl Party {
    async fn of_guests(town: Arc<Town>, game: &'static str, people: usize, number: usize) -> Self {
        let mut tokens = Vec::new();
        for seat in 0..people {
            let guest = town.servers[0].guest(&format!("Party {number} {seat}")).await;
            tokens.push(token(guest));
        }
        Self { town, game, tokens, rng: StdRng::seed_from_u64(number as u64), number, rated: false, pending: None }
    }

    /// Two people with accounts, who play rated games.
    async fn of_accounts(town: Arc<Town>, game: &'static str, number: usize) -> Self {
        let mut tokens = Vec::new();
        for seat in 0..2 {
            let account = town.servers[0].register(&format!("Pair {number} {seat}"), "four words of no book").await;
            tokens.push(token(account));
        }
        Self { town, game, tokens, rng: StdRng::seed_from_u64(number as u64), number, rated: true, pending: None }
    }

    /// Somebody at any of the servers.
    fn client(&mut self, seat: usize) -> Client {
        let server = self.rng.random_range(0..self.town.servers.len());
        self.town.servers[server].with_token(&self.tokens[seat])
    }

    fn doing(&self, what: String) {
        self.town.seen(|seen| seen.doing.insert(self.number, what));
    }

    /// Plays game after game until the town closes, and the last game to its end.
    async fn play(mut self) {
        let mut round = 0;
        while !self.town.closing.load(Ordering::Relaxed) {
            round += 1;
            let table = self.set_up(round).await;
            self.town.seen(|seen| seen.tables.push(table.clone()));
            while self.go_on(&table).await.is_err() {
                self.town.reconnected.fetch_add(1, Ordering::Relaxed);
                pause().await;
            }
            self.town.seen(|seen| seen.finished.insert(table));
        }
        self.doing("nothing any more".to_owned());
    }

    /// Sets up a table and seats everybody; repeated with the same ids it is one table.
    async fn set_up(&mut self, round: usize) -> String {
        let people = self.tokens.len();
        let mut seats = vec![json!({"kind": "open"}); people];
        seats.resize(2, json!({"kind": "engine", "level": "novice"}));
        let mut setup = json!({"game": self.game, "seats": seats});
        if self.rated {
            setup["rated"] = true.into();
            setup["clock"] = json!({"kind": "real_time", "seconds": 3600, "increment": 30});
        }
        let order = json!({"setup": setup, "id": format!("table {} {round}", self.number)});
        let table = loop {
            self.doing(format!("sets up table {round}"));
            match self.client(0).post("/api/tables", &order).await.map_err(Interrupted::from) {
                Ok(created) => break created["table"].as_str().expect("an id").to_owned(),
                Err(Interrupted) => pause().await,
            }
        };
        for seat in 0..people {
            self.doing(format!("takes seat {seat} at {table}"));
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
        self.doing(format!("connects to play at {table}"));
        let clients: Vec<Client> = (0..self.tokens.len()).map(|seat| self.client(seat)).collect();
        let mut lives: Vec<Live> = Vec::new();
        for client in &clients {
            lives.push(client.live().await?);
        }
        if let Some(sent) = self.pending.take() {
            // It may have been done or not: sent again with the same id it is done now, once.
            self.send(table, sent, &clients, &mut lives).await?;
        }
        loop {
            let seen = clients[0].get(&format!("/api/tables/{table}")).await?;
            if seen["status"] == "finished" {
                return Ok(());
            }
            let seat = seen["position"]["turn"]["seat"].as_u64().map(|seat| seat as usize);
            self.doing(format!("plays at {table}, where at version {} seat {seat:?} is on turn", seen["version"]));
            // The engine is on turn, or this server has not heard yet that the game has begun.
            let Some(seat) = seat.filter(|&seat| seat < clients.len()) else {
                pause().await;
                continue;
            };
            let position = clients[seat].get(&format!("/api/tables/{table}/position")).await?;
            let actions = position["actions"].as_array();
            let Some(actions) = actions.filter(|actions| position["turn"]["seat"] == seat && !actions.is_empty())
            else {
                // The other server has not heard of the last move yet.
                pause().await;
                continue;
            };
            let action = actions[self.rng.random_range(0..actions.len())]["action"].as_str().expect("a text");
            let number = self.town.seen(|seen| seen.sent.len());
            let next = Sent {
                seat,
                id: format!("{} {number}", self.number),
                action: action.to_owned(),
                ply: position["ply"].clone(),
            };
            self.town.seen(|seen| seen.sent.push(next.id.clone()));
            self.send(table, next, &clients, &mut lives).await?;
        }
    }

    /// Sends an action, and notes it if it is acknowledged.
    ///
    /// Nobody else acts meanwhile, so there is one reason to refuse it: a server that was killed before it could tell the others
    /// what it had written leaves them behind for some seconds, and whoever is refused there sees the position of now.
    async fn send(
        &mut self,
        table: &str,
        sent: Sent,
        clients: &[Client],
        lives: &mut [Live],
    ) -> Result<(), Interrupted> {
        let Sent { seat, id, action, ply } = &sent;
        self.doing(format!("waits at {table} for an answer to {id}"));
        let command = json!({"type": "act", "action": action, "ply": ply});
        let act = json!({"type": "command", "id": id, "table": table, "command": command});
        match lives[*seat].ask(act).await {
            Ok(_) => {
                let acknowledged = Acknowledged { table: table.to_owned(), id: sent.id, action: sent.action };
                self.town.seen(|seen| seen.acknowledged.push(acknowledged));
                Ok(())
            }
            Err(ClientError::Refused { code, reason, .. }) if code == "not_allowed" => {
                let position = clients[*seat].get(&format!("/api/tables/{table}/position")).await?;
                let moved_on = position["ply"].as_u64() > ply.as_u64();
                assert!(moved_on, "{id} was refused at ply {ply}, where the game still is: {reason}");
                Ok(())
            }
            Err(error) => {
                self.pending = Some(sent);
                Err(error.into())
            }
        }
    }
}
