//! Storage that fails for a while under a server at which people play: a disk that is full, files that cannot be written, a
//! database that refuses, another program that has it. What was acknowledged stays, nothing is done twice, and everything
//! goes on by itself when the cause is gone.

mod support {
    pub mod postgres;
    pub mod server;
}

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quincunx_client::{Client, ClientError, Live};
use quincunx_server::config::{Config, Storage, Url};
use quincunx_server::store::Store;
use quincunx_table::TableId;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection as _, Executor as _};
use support::postgres::Postgres;
use support::server::{TestServer, config};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// Longer than anything takes, and shorter than for ever.
const LONG: Duration = Duration::from_secs(90);

/// People who play at a server, whatever happens to it: who gets no answer asks again.
struct Players {
    client: Client,
    pairs: Vec<JoinHandle<()>>,
    shared: Arc<Shared>,
    /// A table at which an engine plays, and how many moves it had made when that was last looked at.
    engine: Engine,
}

#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    /// How often the server had a problem of its own.
    failures: AtomicUsize,
    /// What was acknowledged: the ids of commands by table.
    acknowledged: Mutex<HashMap<String, Vec<String>>>,
    /// How many moves each pair has made.
    moves: [AtomicUsize; PAIRS],
}

struct Engine {
    person: Client,
    path: String,
}

const PAIRS: usize = 4;

impl Shared {
    /// Sends something until it is acknowledged.
    async fn insist(&self, client: &Client, path: &str, body: &Value) -> Value {
        let deadline = Instant::now() + LONG;
        loop {
            match client.post(path, body).await {
                Ok(answer) => return answer,
                // Who waits for a lock may wait longer than the client does.
                Err(ClientError::Refused { status: 503, .. } | ClientError::Unreachable(_)) => {
                    self.failures.fetch_add(1, Ordering::Relaxed);
                }
                Err(other) => panic!("{path} {body}: {other:?}"),
            }
            assert!(Instant::now() < deadline, "{path} {body}: never acknowledged");
            sleep(Duration::from_millis(50)).await;
        }
    }

    async fn look(&self, client: &Client, path: &str) -> Value {
        let deadline = Instant::now() + LONG;
        loop {
            match client.get(path).await {
                Ok(answer) => return answer,
                Err(ClientError::Refused { status: 503, .. } | ClientError::Unreachable(_)) => {
                    sleep(Duration::from_millis(50)).await;
                }
                Err(other) => panic!("{path}: {other:?}"),
            }
            assert!(Instant::now() < deadline, "{path}: never shown");
        }
    }

    async fn command(&self, client: &Client, table: &str, id: String, command: Value) {
        let path = format!("/api/tables/{table}/commands");
        self.insist(client, &path, &json!({"command": command, "id": id})).await;
        self.acknowledged.lock().unwrap().entry(table.to_owned()).or_default().push(id);
    }

    /// Two people play one game after the other.
    async fn play(&self, pair: usize, people: [Client; 2]) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(pair as u64);
        for game in 0.. {
            let id = format!("game {game}");
            let setup = json!({"game": "mod-x", "seats": [{"kind": "open"}, {"kind": "open"}]});
            let created = self.insist(&people[0], "/api/tables", &json!({"setup": setup, "id": id})).await;
            let table = created["table"].as_str().unwrap();
            for (seat, person) in people.iter().enumerate() {
                self.command(person, table, format!("sit {seat}"), json!({"type": "sit", "seat": seat})).await;
            }
            loop {
                if self.stop.load(Ordering::Relaxed) {
                    return;
                }
                let shown = self.look(&people[0], &format!("/api/tables/{table}")).await;
                if shown["status"] == "finished" {
                    break;
                }
                let seat = shown["position"]["turn"]["seat"].as_u64().unwrap() as usize;
                let position = self.look(&people[seat], &format!("/api/tables/{table}/position")).await;
                let actions = position["actions"].as_array().unwrap();
                let action = &actions[rng.random_range(0..actions.len())]["action"];
                let act = json!({"type": "act", "action": action, "ply": position["ply"]});
                self.command(&people[seat], table, format!("ply {}", position["ply"]), act).await;
                self.moves[pair].fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

impl Players {
    async fn at(server: &TestServer) -> Self {
        let shared = Arc::new(Shared::default());
        let mut pairs = Vec::new();
        for pair in 0..PAIRS {
            let (people, shared) = ([server.guest().await, server.guest().await], shared.clone());
            pairs.push(tokio::spawn(async move { shared.play(pair, people).await }));
        }
        let person = server.guest().await;
        let seats = json!([{"kind": "open"}, {"kind": "engine", "level": "novice"}]);
        let setup = json!({"game": "trexo", "seats": seats});
        let created = person.post("/api/tables", &json!({"setup": setup})).await.unwrap();
        let path = format!("/api/tables/{}", created["table"].as_str().unwrap());
        person.post(&format!("{path}/commands"), &json!({"command": {"type": "sit", "seat": 0}})).await.unwrap();
        Self { client: server.client.clone(), pairs, shared, engine: Engine { person, path } }
    }

    /// Waits until something is so.
    async fn until(&self, what: &str, is_so: impl AsyncFn(&Self) -> bool) {
        let deadline = Instant::now() + LONG;
        while !is_so(self).await {
            let so_far = || (self.moves(), self.shared.failures.load(Ordering::Relaxed));
            let readiness = self.readiness().await;
            assert!(Instant::now() < deadline, "{what}: not after {LONG:?}: {:?}, {readiness:?}", so_far());
            sleep(Duration::from_millis(20)).await;
        }
    }

    fn moves(&self) -> Vec<usize> {
        self.shared.moves.iter().map(|moves| moves.load(Ordering::Relaxed)).collect()
    }

    /// Everybody goes on playing: each pair makes some moves, and the engine answers one.
    async fn all_go_on(&self) {
        let before = self.moves();
        let Engine { person, path } = &self.engine;
        let shown = self.shared.look(person, path).await;
        if shown["status"] == "playing" && shown["position"]["turn"]["seat"] == 0 {
            let position = self.shared.look(person, &format!("{path}/position")).await;
            let act = json!({"type": "act", "action": position["actions"][0]["action"], "ply": position["ply"]});
            let body = json!({"command": act, "id": format!("ply {}", position["ply"])});
            self.shared.insist(person, &format!("{path}/commands"), &body).await;
        }
        self.until("every pair plays", async |players| {
            players.moves().iter().zip(&before).all(|(now, before)| *now >= before + 3)
        })
        .await;
        self.until("the engine plays", async |players| {
            let shown = players.shared.look(&players.engine.person, &players.engine.path).await;
            shown["status"] == "finished" || shown["position"]["turn"]["seat"] == 0
        })
        .await;
        self.until("the server is ready", async |players| players.readiness().await.0 == 200).await;
    }

    /// Waits until everybody notices that nothing can be written.
    async fn all_are_stopped(&self) {
        let before = self.shared.failures.load(Ordering::Relaxed);
        self.until("moves fail", async |players| players.shared.failures.load(Ordering::Relaxed) >= before + PAIRS)
            .await;
        self.until("the server is not ready", async |players| players.readiness().await.0 == 503).await;
        let (_, why) = self.readiness().await;
        assert!(why.contains("the storage"), "{why:?}");
        // A move of a person that the engine would answer, and with which the storage fails.
        let Engine { person, path } = &self.engine;
        if let Ok(position) = person.get(&format!("{path}/position")).await
            && let Some(action) = position["actions"][0]["action"].as_str()
        {
            let act = json!({"type": "act", "action": action, "ply": position["ply"]});
            let body = json!({"command": act, "id": format!("ply {}", position["ply"])});
            assert!(person.post(&format!("{path}/commands"), &body).await.is_err());
        }
    }

    async fn readiness(&self) -> (u16, String) {
        let answer = self.client.request(reqwest::Method::GET, "/readyz").send().await.expect("an answer");
        (answer.status().as_u16(), answer.text().await.expect("a text"))
    }

    /// Everybody stops; gives what was acknowledged.
    async fn stop(self) -> HashMap<String, Vec<String>> {
        self.shared.stop.store(true, Ordering::Relaxed);
        for pair in self.pairs {
            pair.await.expect("nobody was refused what they may do");
        }
        std::mem::take(&mut *self.shared.acknowledged.lock().unwrap())
    }
}

/// What was acknowledged is there, and nothing twice.
async fn is_all_there(store: &Store, acknowledged: &HashMap<String, Vec<String>>) {
    let mut ids = 0;
    for (table, acknowledged) in acknowledged {
        let table = TableId(table.clone());
        let log = store.entries(&table, 0, 1_000).await.expect("the log");
        assert!(log.iter().enumerate().all(|(at, entry)| entry.seq == at as u64));
        let mut written = HashMap::<&str, usize>::new();
        for command in log.iter().filter_map(|entry| entry.command.as_deref()) {
            *written.entry(command).or_default() += 1;
        }
        assert!(written.values().all(|&times| times == 1), "done twice: {written:?}");
        for id in acknowledged {
            assert!(written.contains_key(id.as_str()), "acknowledged and lost: {id:?} at {table:?}");
            ids += 1;
        }
    }
    assert!(ids >= 6 * PAIRS, "{ids} commands are too few to tell anything");
}

/// People play while a fault comes and goes, more than once.
async fn a_fault_comes_and_goes(
    storage: Storage,
    times: usize,
    come: impl AsyncFn(),
    go: impl AsyncFn(),
) -> HashMap<String, Vec<String>> {
    let server = TestServer::with(Config { storage, ..config() }).await;
    let players = Players::at(&server).await;
    for _ in 0..times {
        players.all_go_on().await;
        come().await;
        players.all_are_stopped().await;
        go().await;
    }
    players.all_go_on().await;
    let acknowledged = players.stop().await;
    server.stop().await;
    acknowledged
}

async fn is_all_there_in(folder: &Path, acknowledged: &HashMap<String, Vec<String>>) {
    let store = Store::sqlite(folder.join("quincunx.db")).await.expect("the database opens");
    is_all_there(&store, acknowledged).await;
    store.close().await;
}

fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(program).args(arguments).output().map_err(|error| error.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()) }
}

/// A small disk in memory.
struct SmallDisk {
    folder: TempDir,
}

impl SmallDisk {
    fn new() -> Result<Self, String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        run("mount", &["-t", "tmpfs", "-o", "size=24m", "quincunx-test", folder.path().to_str().unwrap()])?;
        Ok(Self { folder })
    }

    /// Takes all room that is left, to the last byte.
    fn fill(&self) {
        let mut file = File::create(self.folder.path().join("filler")).expect("a file");
        for piece in [&[1; 8_192][..], &[1; 512], &[1]] {
            loop {
                match file.write_all(piece) {
                    Ok(()) => {}
                    Err(error) if error.kind() == ErrorKind::StorageFull => break,
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }

    fn free(&self) {
        fs::remove_file(self.folder.path().join("filler")).expect("it is there");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = run("umount", &["-l", self.folder.path().to_str().unwrap()]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_go_on_by_themselves_when_a_full_disk_has_room_again() {
    let disk = match SmallDisk::new() {
        Ok(disk) => disk,
        Err(why) => return eprintln!("skipped: a small disk cannot be mounted here ({why})"),
    };
    let folder = disk.folder.path().to_owned();
    let fill = async || disk.fill();
    let free = async || disk.free();
    let acknowledged = a_fault_comes_and_goes(Storage::Folder(folder.clone()), 2, fill, free).await;
    is_all_there_in(&folder, &acknowledged).await;
}

/// Files that nobody can write, not even who has them open: as on a disk that the system has made read-only. The one that
/// SQLite maps into memory stays as it is: the system ends a process that writes to a mapped file which it must not write.
struct Frozen(Vec<PathBuf>);

impl Frozen {
    fn freeze(folder: &Path) -> Result<Self, String> {
        let files: Vec<PathBuf> =
            fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
        let mapped = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "db-shm");
        let frozen = Self(files.into_iter().filter(|file| !mapped(file)).collect());
        for file in &frozen.0 {
            run("chattr", &["+i", file.to_str().unwrap()])?;
        }
        Ok(frozen)
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        for file in &self.0 {
            let _ = run("chattr", &["-i", file.to_str().unwrap()]);
        }
    }
}

/// A folder where files can be made read-only under those who have them open.
fn freezable() -> Result<TempDir, String> {
    let mut why = String::new();
    for place in [std::env::temp_dir(), PathBuf::from(env!("CARGO_TARGET_TMPDIR"))] {
        let folder = tempfile::tempdir_in(&place).map_err(|error| error.to_string())?;
        let mut file = File::create(folder.path().join("try")).map_err(|error| error.to_string())?;
        match Frozen::freeze(folder.path()) {
            Ok(_frozen) if file.write_all(b"no").is_err() => return Ok(folder),
            Ok(_) => why = format!("{}: a file can be written although it is immutable", place.display()),
            Err(error) => why = error,
        }
    }
    Err(why)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_go_on_by_themselves_when_a_database_can_be_written_again() {
    let folder = match freezable() {
        Ok(folder) => folder,
        Err(why) => return eprintln!("skipped: files cannot be made read-only here ({why})"),
    };
    let frozen = Mutex::new(None);
    let freeze = async || *frozen.lock().unwrap() = Some(Frozen::freeze(folder.path()).expect("it worked before"));
    let melt = async || drop(frozen.lock().unwrap().take());
    let acknowledged = a_fault_comes_and_goes(Storage::Folder(folder.path().to_owned()), 2, freeze, melt).await;
    is_all_there_in(folder.path(), &acknowledged).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_go_on_by_themselves_when_another_program_lets_go_of_the_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = tokio::sync::Mutex::new(None);
    let come = async || {
        let url = format!("sqlite://{}", folder.path().join("quincunx.db").display());
        let mut connection = AnyConnection::connect(&url).await.expect("a connection");
        connection.execute("PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE").await.expect("the lock");
        *other.lock().await = Some(connection);
    };
    let go = async || {
        let mut connection = other.lock().await.take().expect("it has the lock");
        connection.execute("COMMIT").await.expect("nothing was done");
        connection.close().await.expect("it ends");
    };
    let acknowledged = a_fault_comes_and_goes(Storage::Folder(folder.path().to_owned()), 1, come, go).await;
    is_all_there_in(folder.path(), &acknowledged).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_go_on_by_themselves_when_postgresql_takes_writes_again() {
    let cluster = Postgres::start();
    let url = cluster.fresh_database().await;
    // As a database does that has become a standby, or whose disk is nearly full: connections that are open notice, too.
    let read_only = async |setting: &str| {
        cluster.run(&format!("ALTER SYSTEM SET default_transaction_read_only = {setting}")).await;
        cluster.run("SELECT pg_reload_conf()").await;
    };
    let come = async || read_only("on").await;
    let go = async || read_only("off").await;
    let acknowledged = a_fault_comes_and_goes(Storage::Postgres(Url(url.clone())), 2, come, go).await;
    let store = Store::postgres(&url).await.expect("the database opens");
    is_all_there(&store, &acknowledged).await;
    store.close().await;
}

/// The next message about what happens at a table.
async fn next_update(live: &mut Live) -> Value {
    loop {
        let message = live.next().await.expect("the connection lives");
        if message["type"] == "update" || message["type"] == "done" {
            return message;
        }
    }
}

#[tokio::test]
async fn nobody_hears_of_a_move_that_could_not_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = TestServer::with(Config { storage: Storage::Folder(folder.path().to_owned()), ..config() }).await;
    let (ada, bob) = (server.guest().await, server.guest().await);
    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]});
    let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let path = format!("/api/tables/{}", table.as_str().unwrap());
    for (seat, who) in [&ada, &bob].into_iter().enumerate() {
        let sit = json!({"command": {"type": "sit", "seat": seat}});
        who.post(&format!("{path}/commands"), &sit).await.unwrap();
    }
    let mut watcher = server.client.live().await.unwrap();
    watcher.ask(json!({"type": "watch", "table": table})).await.unwrap();
    let url = format!("sqlite://{}", folder.path().join("quincunx.db").display());
    let mut other = AnyConnection::connect(&url).await.expect("a connection");
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'no more lines'); END";
    other.execute(refuse).await.expect("a trigger");

    let act = json!({"command": {"type": "act", "action": "e5f5"}, "id": "first"});
    for _ in 0..2 {
        match ada.post(&format!("{path}/commands"), &act).await {
            Err(ClientError::Refused { code, .. }) => assert_eq!(code, "unknown"),
            done => panic!("{done:?}"),
        }
        let shown = server.client.get(&path).await.unwrap();
        assert_eq!(shown["position"]["ply"], 0, "who looks does not see it either");
        watcher.send(&json!({"type": "ping", "id": "here"})).await.unwrap();
        assert_eq!(next_update(&mut watcher).await["type"], "done", "the watcher is told nothing");
    }
    other.execute("DROP TRIGGER refuse").await.expect("it is there");
    ada.post(&format!("{path}/commands"), &act).await.unwrap();
    assert_eq!(next_update(&mut watcher).await["events"][0]["action"], "e5f5");
    watcher.send(&json!({"type": "ping", "id": "again"})).await.unwrap();
    assert_eq!(next_update(&mut watcher).await["type"], "done", "told once");
    other.close().await.expect("it ends");
    server.stop().await;
}
