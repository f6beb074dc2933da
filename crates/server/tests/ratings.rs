//! Ratings mean something: nobody plays for them against themselves, and they follow from the logs.

mod support {
    pub mod server;
}

use std::time::Duration;

use quincunx_client::{Client, ClientError};
use quincunx_server::config::{Config, Storage};
use quincunx_server::people::ratings::recompute;
use quincunx_server::store::Store;
use reqwest::Method;
use serde_json::{Value, json};
use support::server::{TestServer, config};

const PASSWORD: &str = "correct horse battery";

fn rated(seats: &[Value]) -> Value {
    let clock = json!({"kind": "real_time", "seconds": 600, "increment": 5});
    json!({"setup": {"game": "trexo", "seats": seats, "clock": clock, "rated": true}})
}

fn open() -> [Value; 2] {
    [json!({"kind": "open"}), json!({"kind": "open"})]
}

async fn table(host: &Client, setup: &Value) -> String {
    host.post("/api/tables", setup).await.expect("a table")["table"].as_str().expect("its id").to_owned()
}

async fn command(who: &Client, table: &str, command: Value) -> Result<Value, ClientError> {
    who.post(&format!("/api/tables/{table}/commands"), &json!({"command": command})).await
}

async fn sit(who: &Client, table: &str, seat: u8) -> Result<Value, ClientError> {
    command(who, table, json!({"type": "sit", "seat": seat})).await
}

fn is_refused(answer: Result<Value, ClientError>, part: &str) -> bool {
    matches!(&answer, Err(ClientError::Refused { reason, .. }) if reason.contains(part))
}

/// Somebody's bot, by a token.
async fn bot(owner: &Client, name: &str) -> (Client, Value) {
    let id = owner.post("/api/me/bots", &json!({"name": name})).await.expect("a bot")["id"].clone();
    let token = owner.post(&format!("/api/me/bots/{id}/tokens"), &json!({"label": "test"})).await.expect("a token");
    (owner.with_token(token["token"].as_str().expect("a text")), id)
}

#[tokio::test]
async fn nobody_plays_rated_games_against_their_own_bot_or_two_of_their_bots_against_each_other() {
    let server = TestServer::alone().await;
    let ada = server.client.register("Ada", PASSWORD).await.unwrap();
    let ben = server.client.register("Ben", PASSWORD).await.unwrap();
    let (one, first) = bot(&ada, "Ada one").await;
    let (two, second) = bot(&ada, "Ada two").await;
    let why = "own bot";
    for [early, late] in [[&ada, &one], [&one, &ada], [&one, &two]] {
        let table = table(&ada, &rated(&open())).await;
        sit(early, &table, 0).await.unwrap();
        assert!(is_refused(sit(late, &table, 1).await, why));
        sit(&ben, &table, 1).await.expect("somebody else");
    }
    // At once: one of them sits, whoever is first.
    for _ in 0..10 {
        let table = table(&ada, &rated(&open())).await;
        let (a, b) = tokio::join!(sit(&one, &table, 0), sit(&two, &table, 1));
        assert!(a.is_ok() != b.is_ok(), "{a:?} {b:?}");
    }
    let kept = |user: &Value| json!({"kind": "player", "user": user});
    assert!(is_refused(ada.post("/api/tables", &rated(&[kept(&first), kept(&second)])).await, why));
    // Without a rating it is nobody's business.
    let friendly = table(&ada, &json!({"setup": {"game": "trexo", "seats": open()}})).await;
    sit(&ada, &friendly, 0).await.unwrap();
    sit(&one, &friendly, 1).await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn a_rated_game_needs_a_clock() {
    let server = TestServer::alone().await;
    let ada = server.client.register("Ada", PASSWORD).await.unwrap();
    let mut setup = rated(&open());
    setup["setup"]["clock"] = json!({"kind": "none"});
    assert!(is_refused(ada.post("/api/tables", &setup).await, "needs a clock"));
    server.stop().await;
}

#[tokio::test]
async fn an_account_that_is_deleted_resigns_its_games_and_leaves_its_tables() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Storage::Folder(folder.path().to_owned());
    let server = TestServer::with(Config { storage, ..config() }).await;
    let ada = server.client.register("Ada", PASSWORD).await.unwrap();
    let ben = server.client.register("Ben", PASSWORD).await.unwrap();
    let (robot, _) = bot(&ada, "Ada bot").await;
    let mut games = Vec::new();
    for who in [&ada, &robot] {
        let table = table(&ben, &rated(&open())).await;
        sit(who, &table, 0).await.unwrap();
        sit(&ben, &table, 1).await.unwrap();
        command(who, &table, json!({"type": "act", "action": "e5f5"})).await.unwrap();
        command(&ben, &table, json!({"type": "act", "action": "e6f6"})).await.unwrap();
        games.push(table);
    }
    let waiting = table(&ben, &rated(&open())).await;
    sit(&ada, &waiting, 0).await.unwrap();
    let wrong = json!({"password": "not the password"});
    assert!(ada.ask(Method::DELETE, "/api/me", Some(&wrong)).await.is_err());
    let shown = async |table: &str| server.client.get(&format!("/api/tables/{table}")).await.unwrap();
    assert_eq!(shown(&games[0]).await["status"], "playing", "a wrong password resigns nothing");

    ada.ask(Method::DELETE, "/api/me", Some(&json!({"password": PASSWORD}))).await.unwrap();
    for table in &games {
        let shown = shown(table).await;
        assert_eq!(shown["ending"], json!({"winners": [1], "reason": "resigned"}));
        assert_eq!(shown["seats"][0]["name"], "deleted");
    }
    assert_eq!(shown(&waiting).await["seats"][0]["user"], Value::Null);
    let profile = server.client.get("/api/players/ben").await.unwrap();
    assert_eq!(profile["ratings"][0]["games"], 2, "they count");
    server.stop().await;
    let store = Store::sqlite(folder.path().join("quincunx.db")).await.unwrap();
    assert_eq!(recompute(&store).await, Ok((2, Vec::new())));
    store.close().await;
}

#[tokio::test]
async fn ratings_follow_from_the_logs() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Storage::Folder(folder.path().to_owned());
    let server = TestServer::with(Config { storage, ..config() }).await;
    let mut people = Vec::new();
    for name in ["Ada", "Ben", "Cy", "Di"] {
        people.push(server.client.register(name, PASSWORD).await.unwrap());
    }
    // Many games at once, also of the same two, some of them without a move of both.
    let mut games = Vec::new();
    for number in 0..36_usize {
        let (one, other) = (people[number % 4].clone(), people[(number + 1 + number % 3) % 4].clone());
        games.push(tokio::spawn(async move {
            let table = table(&one, &rated(&open())).await;
            sit(&one, &table, 0).await.unwrap();
            sit(&other, &table, 1).await.unwrap();
            command(&one, &table, json!({"type": "act", "action": "e5f5"})).await.unwrap();
            if !number.is_multiple_of(9) {
                command(&other, &table, json!({"type": "act", "action": "e6f6"})).await.unwrap();
            }
            let loser = if number.is_multiple_of(5) { &other } else { &one };
            command(loser, &table, json!({"type": "resign"})).await.unwrap();
        }));
    }
    for game in games {
        game.await.unwrap();
    }
    let games_of = async |name: &str| {
        let profile = server.client.get(&format!("/api/players/{name}")).await.unwrap();
        profile["ratings"][0]["games"].as_u64().unwrap_or(0)
    };
    // 32 of the games count, for two people each.
    while games_of("ada").await + games_of("ben").await + games_of("cy").await + games_of("di").await < 64 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    server.stop().await;
    let store = Store::sqlite(folder.path().join("quincunx.db")).await.unwrap();
    assert_eq!(recompute(&store).await, Ok((32, Vec::new())));
    // What does not follow from them is found.
    let ada = store.user_named("Ada").await.unwrap().unwrap().id;
    let kept = store.rating(ada, "trexo", "rapid").await.unwrap().unwrap();
    let table = quincunx_table::TableId("elsewhere".to_owned());
    let bent = quincunx_server::model::Rating { value: kept.value + 1.0, ..kept };
    store.rate(&table, "trexo", "rapid", 0, &[ada], |_| vec![bent]).await.unwrap();
    let (_, differences) = recompute(&store).await.unwrap();
    assert_eq!(differences.len(), 1);
    assert_eq!((differences[0].user, differences[0].kept, differences[0].recomputed), (ada, Some(bent), Some(kept)));
    store.close().await;
}
