//! Thinking is a shared good: nobody gets all of it, and engines do not play for nobody.

mod support {
    pub mod server;
}

use std::time::Duration;

use quincunx_client::{Client, ClientError, Live};
use quincunx_server::config::{Config, Limits, Storage};
use serde_json::{Value, json};
use support::server::{TestServer, config};

fn setup(game: &str, engines: usize, level: &str) -> Value {
    let engines = (0..engines).map(|_| json!({"kind": "engine", "level": level}));
    let seats: Vec<Value> = std::iter::once(json!({"kind": "open"})).chain(engines).collect();
    json!({"game": game, "seats": seats})
}

async fn table(host: &Client, setup: Value) -> String {
    let created = host.post("/api/tables", &json!({"setup": setup})).await.expect("a table");
    created["table"].as_str().expect("its id").to_owned()
}

async fn command(who: &Client, table: &str, command: Value) -> Result<Value, ClientError> {
    who.post(&format!("/api/tables/{table}/commands"), &json!({"command": command})).await
}

fn sit() -> Value {
    json!({"type": "sit", "seat": 0})
}

fn is_refused_for_engines(answer: Result<Value, ClientError>) -> bool {
    matches!(answer, Err(ClientError::Refused { reason, .. }) if reason.starts_with("engines play at 3 of your tables"))
}

#[tokio::test]
async fn engines_do_not_play_on_when_all_people_have_left() {
    let server = TestServer::alone().await;
    let ada = server.guest().await;
    let table = table(&ada, setup("mod-x", 3, "master")).await;
    command(&ada, &table, sit()).await.unwrap();
    command(&ada, &table, json!({"type": "resign"})).await.unwrap();
    let shown = ada.get(&format!("/api/tables/{table}")).await.unwrap();
    assert_eq!((&shown["status"], &shown["ending"]["reason"]), (&json!("finished"), &json!("unfinished")));
    let version = shown["version"].clone();
    // Somebody else's engine moves, and this one still does not.
    let other = self::table(&ada, setup("trexo", 1, "novice")).await;
    command(&ada, &other, sit()).await.unwrap();
    command(&ada, &other, json!({"type": "act", "action": "e5f5"})).await.unwrap();
    while ada.get(&format!("/api/tables/{other}")).await.unwrap()["position"]["ply"] != 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(ada.get(&format!("/api/tables/{table}")).await.unwrap()["version"], version);
    server.stop().await;
}

#[tokio::test]
async fn a_guest_plays_at_few_tables_with_engines_at_once() {
    let server = TestServer::alone().await;
    let ada = server.guest().await;
    let mut tables = Vec::new();
    for _ in 0..12 {
        tables.push(table(&ada, setup("trexo", 1, "novice")).await);
    }
    // All at once: three are allowed.
    let asked: Vec<_> = tables
        .iter()
        .map(|table| {
            let (ada, table) = (ada.clone(), table.clone());
            tokio::spawn(async move { command(&ada, &table, sit()).await })
        })
        .collect();
    let mut seated = Vec::new();
    for (table, asked) in tables.iter().zip(asked) {
        match asked.await.unwrap() {
            Ok(_) => seated.push(table.clone()),
            refused => assert!(is_refused_for_engines(refused)),
        }
    }
    assert_eq!(seated.len(), 3);
    let refused = ada.post("/api/tables", &json!({"setup": setup("trexo", 1, "novice")})).await;
    assert!(is_refused_for_engines(refused));
    let people = self::table(&ada, json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]})).await;
    command(&ada, &people, sit()).await.expect("a table of people is another thing");

    let waiting = tables.iter().find(|table| !seated.contains(table)).unwrap();
    command(&ada, &seated[0], json!({"type": "resign"})).await.unwrap();
    // A rematch is a table, too.
    command(&ada, waiting, sit()).await.unwrap();
    let again = command(&ada, &seated[0], json!({"type": "rematch"})).await;
    assert!(is_refused_for_engines(again));

    let bo = server.client.register("Bo", "correct horse battery").await.unwrap();
    for _ in 0..4 {
        let table = self::table(&bo, setup("trexo", 1, "novice")).await;
        command(&bo, &table, sit()).await.expect("an account has more");
    }
    server.stop().await;
}

/// Plays on at tables as fast as the engines answer.
async fn keep_busy(mut live: Live, tables: Vec<String>) {
    for table in &tables {
        live.send(&json!({"type": "watch", "id": "w", "table": table, "full": true})).await.unwrap();
    }
    let mut number = 0;
    while let Some(message) = live.next().await {
        let offers = match message["type"].as_str() {
            Some("snapshot") => {
                let actions = message["position"]["actions"].as_array().cloned().unwrap_or_default();
                actions.into_iter().map(|action| action["action"].clone()).collect()
            }
            Some("update") => message["offers"].as_array().cloned().unwrap_or_default(),
            _ => Vec::new(),
        };
        let turn = if message["type"] == "snapshot" { &message["position"]["turn"] } else { &message["turn"] };
        if turn["seat"] != 0 || offers.is_empty() {
            continue;
        }
        number += 1;
        let act = json!({"type": "act", "action": offers[offers.len() / 2]});
        let order = json!({"type": "command", "id": format!("a{number}"), "table": message["table"], "command": act});
        live.send(&order).await.unwrap();
    }
}

/// Whether an update tells of an action of this seat.
fn acts(update: &Value, seat: u8) -> bool {
    let events = update["events"].as_array().map_or(&[][..], Vec::as_slice);
    events.iter().any(|event| event["type"] == "acted" && event["seat"] == seat)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_of_one_table_does_not_wait_for_the_many_tables_of_another_person() {
    const TABLES: usize = 12;
    let limits = Limits { engine_tables_at_once: TABLES, thinking_per_minute: 1, ..config().limits };
    let server = TestServer::with(Config { storage: Storage::Memory, thinkers: 1, limits, ..config() }).await;
    let greedy = server.client.register("Greedy", "correct horse battery").await.unwrap();
    let mut tables = Vec::new();
    for _ in 0..TABLES {
        let table = table(&greedy, setup("trexo", 1, "club")).await;
        command(&greedy, &table, sit()).await.unwrap();
        tables.push(table);
    }
    let ada = server.client.register("Ada", "correct horse battery").await.unwrap();
    let own = table(&ada, setup("trexo", 1, "novice")).await;
    command(&ada, &own, sit()).await.unwrap();

    // One connection hears of all tables, in the order in which things happen.
    let mut observer = server.client.live().await.unwrap();
    for table in tables.iter().chain([&own]) {
        observer.ask(json!({"type": "watch", "table": table})).await.unwrap();
    }
    observer.forget();
    let busy = tokio::spawn(keep_busy(greedy.live().await.unwrap(), tables));
    let mut updates = async || loop {
        let message = observer.next().await.expect("the connection lasts");
        if message["type"] == "update" {
            return message;
        }
    };
    // Until the greedy one has used more than anybody is allowed.
    for _ in 0..2 * TABLES {
        while !acts(&updates().await, 1) {}
    }
    for action in ["e5f5", "a1b1", "a3b3", "a5b5", "a7b7"] {
        let acted = command(&ada, &own, json!({"type": "act", "action": action})).await;
        if acted.is_err() {
            // The engine was there first, or has won.
            continue;
        }
        while !{
            let update = updates().await;
            update["table"] == *own && acts(&update, 0)
        } {}
        let mut before = 0;
        loop {
            let update = updates().await;
            if update["table"] == *own && acts(&update, 1) {
                break;
            }
            before += usize::from(acts(&update, 1));
        }
        // The one that was thought about when Ada's came, and one whose answer was on its way.
        assert!(before <= 2, "{before} answers for the other person came first");
    }
    busy.abort();
    server.stop().await;
}
