//! Moderation for a club: reports, what moderators do about them, and what is noted of it.

mod support {
    #[allow(dead_code, reason = "others use the rest")]
    pub mod server;
}

use std::time::Duration;

use quincunx_client::{Client, ClientError};
use quincunx_server::config::{Config, Storage};
use quincunx_server::model::Role;
use quincunx_server::store::Store;
use quincunx_table::UserId;
use serde_json::{Value, json};
use support::server::{TestServer, config};
use tempfile::TempDir;
use tokio::time::timeout;

const PASSWORD: &str = "correct horse battery";

fn code<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> String {
    match answer {
        Err(ClientError::Refused { code, .. }) => code,
        other => panic!("not refused: {other:?}"),
    }
}

fn reason<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> String {
    match answer {
        Err(ClientError::Refused { reason, .. }) => reason,
        other => panic!("not refused: {other:?}"),
    }
}

async fn id(client: &Client) -> Value {
    client.get("/api/me").await.unwrap()["id"].clone()
}

/// A server with a moderator.
struct Club {
    server: TestServer,
    moderator: Client,
    folder: TempDir,
}

impl Club {
    async fn open() -> Self {
        let folder = TempDir::new().unwrap();
        let storage = Storage::Folder(folder.path().to_owned());
        let server = TestServer::with(Config { storage, ..config() }).await;
        let moderator = server.client.register("Mara", PASSWORD).await.unwrap();
        let club = Self { server, moderator, folder };
        let mara = id(&club.moderator).await.as_i64().unwrap();
        let store = club.store().await;
        store.set_role(UserId(mara), Some(Role::Moderator)).await.unwrap();
        store.close().await;
        club
    }

    /// The storage, as `quincunx admin` opens it.
    async fn store(&self) -> Store {
        Store::sqlite(self.folder.path().join("quincunx.db")).await.unwrap()
    }

    async fn act(&self, action: Value) -> Result<Value, ClientError> {
        self.moderator.post("/api/moderation/actions", &json!({"action": action, "why": "as agreed"})).await
    }
}

fn open() -> Value {
    json!({"setup": {"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]}})
}

async fn order(who: &Client, table: &Value, command: Value) {
    let path = format!("/api/tables/{}/commands", table.as_str().unwrap());
    who.post(&path, &json!({"command": command})).await.unwrap();
}

#[tokio::test]
async fn a_report_reaches_the_moderators_with_its_table_and_nobody_else() {
    let club = Club::open().await;
    let (ada, eve) = (club.server.guest().await, club.server.guest().await);
    let eve_id = id(&eve).await;
    let private = json!({"setup": {"game": "trexo", "public": false, "seats": [{"kind": "open"}, {"kind": "player", "user": eve_id}]}});
    let table = ada.post("/api/tables", &private).await.unwrap()["table"].clone();
    let remarks = format!("/api/tables/{}/remarks", table.as_str().unwrap());
    eve.post(&remarks, &json!({"text": "You are a fool", "id": "1"})).await.unwrap();
    let report = json!({"user": eve_id, "table": table, "reason": "abuse", "words": "Insults me."});
    let taken = ada.post("/api/reports", &report).await.unwrap()["id"].clone();
    assert_eq!(ada.post("/api/reports", &report).await.unwrap()["id"], taken, "twice is once");
    let stranger = club.server.guest().await;
    assert_eq!(code(stranger.post("/api/reports", &report).await), "not_found", "who may not see the table");
    assert_eq!(code(eve.post("/api/reports", &json!({"user": eve_id, "reason": "other"})).await), "not_allowed");

    for path in ["/api/moderation/reports", "/api/moderation/log"] {
        assert_eq!(code(ada.get(path).await), "not_allowed", "{path}");
        assert_eq!(code(club.server.client.get(path).await), "unauthenticated", "{path}");
    }
    let open = club.moderator.get("/api/moderation/reports").await.unwrap();
    assert_eq!(
        (open.as_array().unwrap().len(), &open[0]["about"]["id"], &open[0]["reason"]),
        (1, &eve_id, &json!("abuse"))
    );
    let page = club.moderator.get(&format!("/api/moderation/reports/{taken}")).await.unwrap();
    assert_eq!(page["remarks"][0]["text"], "You are a fool", "also at a private table");
    assert_eq!(page["listing"]["table"], table);
    let close = format!("/api/moderation/reports/{taken}/close");
    assert_eq!(code(eve.post(&close, &json!({})).await), "not_allowed");
    club.moderator.post(&close, &json!({})).await.unwrap();
    assert_eq!(club.moderator.get("/api/moderation/reports").await.unwrap(), json!([]));
    assert_eq!(code(club.moderator.post(&close, &json!({})).await), "not_found");
    club.server.stop().await;
}

#[tokio::test]
async fn nobody_floods_the_moderators() {
    let club = Club::open().await;
    let ada = club.server.guest().await;
    for number in 0..10 {
        let other = club.server.guest().await;
        let report = json!({"user": id(&other).await, "reason": "other", "words": format!("{number}")});
        ada.post("/api/reports", &report).await.unwrap();
    }
    let other = id(&club.server.guest().await).await;
    assert_eq!(code(ada.post("/api/reports", &json!({"user": other, "reason": "other"})).await), "rate_limited");
    let long = "x".repeat(1001);
    let bob = club.server.guest().await;
    assert_eq!(
        code(bob.post("/api/reports", &json!({"user": other, "reason": "other", "words": long})).await),
        "malformed"
    );
    club.server.stop().await;
}

#[tokio::test]
async fn moderators_mute_ban_and_rename_and_it_is_noted() {
    let club = Club::open().await;
    let eve = club.server.client.register("Rude Name", PASSWORD).await.unwrap();
    let eve_id = id(&eve).await;
    let table = eve.post("/api/tables", &open()).await.unwrap()["table"].clone();
    order(&eve, &table, json!({"type": "sit", "seat": 0})).await;
    let remarks = format!("/api/tables/{}/remarks", table.as_str().unwrap());
    let say = |text: &str, id: &str| json!({"text": text, "id": id});
    eve.post(&remarks, &say("Hello", "1")).await.unwrap();

    club.act(json!({"type": "mute", "user": eve_id, "hours": 2})).await.unwrap();
    assert!(reason(eve.post(&remarks, &say("Hello?", "2")).await).contains("silenced"));
    let other = eve.post("/api/tables", &open()).await.unwrap()["table"].clone();
    let elsewhere = format!("/api/tables/{}/remarks", other.as_str().unwrap());
    assert!(reason(eve.post(&elsewhere, &say("Here?", "3")).await).contains("silenced"), "everywhere");
    club.act(json!({"type": "unmute", "user": eve_id})).await.unwrap();
    eve.post(&remarks, &say("Thank you", "4")).await.unwrap();

    club.act(json!({"type": "rename", "user": eve_id, "name": "Polite Name"})).await.unwrap();
    for page in ["", "/remarks"] {
        let shown = club.server.client.get(&format!("/api/tables/{}{page}", table.as_str().unwrap())).await.unwrap();
        assert!(!shown.to_string().contains("Rude Name") && shown.to_string().contains("Polite Name"), "{shown}");
    }
    assert!(!club.server.client.get("/api/tables").await.unwrap().to_string().contains("Rude Name"));
    assert_eq!(eve.get("/api/me").await.unwrap()["name"], "Polite Name");
    assert_eq!(code(club.act(json!({"type": "rename", "user": eve_id, "name": "Mara"})).await), "not_allowed");

    let mut live = eve.live().await.unwrap();
    assert_eq!(live.next().await.unwrap()["type"], "welcome");
    club.act(json!({"type": "ban", "user": eve_id, "days": 3})).await.unwrap();
    let ended = async { while live.next().await.is_some() {} };
    timeout(Duration::from_mins(1), ended).await.expect("the connection is closed");
    assert_eq!(code(eve.get("/api/me").await), "unauthenticated");
    assert!(reason(club.server.client.log_in("Polite Name", PASSWORD).await.map(|_| ())).contains("banned"));
    club.act(json!({"type": "unban", "user": eve_id})).await.unwrap();
    club.server.client.log_in("Polite Name", PASSWORD).await.unwrap();

    assert_eq!(
        code(
            eve.post("/api/moderation/actions", &json!({"action": {"type": "unban", "user": eve_id}, "why": "me"}))
                .await
        ),
        "not_allowed"
    );
    let mara = id(&club.moderator).await;
    assert_eq!(code(club.act(json!({"type": "ban", "user": mara})).await), "not_allowed", "not about moderators");
    assert_eq!(code(club.act(json!({"type": "mute", "user": eve_id, "hours": 0})).await), "malformed");
    assert_eq!(code(club.act(json!({"type": "unban", "user": 999_999})).await), "not_found");
    let silent = json!({"action": {"type": "unban", "user": eve_id}, "why": " "});
    assert_eq!(
        code(club.moderator.post("/api/moderation/actions", &silent).await),
        "malformed",
        "the log wants to know why"
    );
    let log = club.moderator.get("/api/moderation/log").await.unwrap();
    let actions: Vec<&str> = log.as_array().unwrap().iter().map(|deed| deed["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["unban", "ban", "rename", "unmute", "mute"]);
    assert_eq!((&log[1]["moderator"]["id"], &log[1]["words"]), (&mara, &json!("3 d: as agreed")));
    assert!(!log.to_string().contains("Rude Name"));
    club.server.stop().await;
}

/// A rated game that the first one wins.
async fn rated(winner: &Client, loser: &Client) -> Value {
    let clock = json!({"kind": "real_time", "seconds": 600, "increment": 5});
    let seats = json!([{"kind": "open"}, {"kind": "open"}]);
    let setup = json!({"setup": {"game": "trexo", "seats": seats, "clock": clock, "rated": true}});
    let table = winner.post("/api/tables", &setup).await.unwrap()["table"].clone();
    order(winner, &table, json!({"type": "sit", "seat": 0})).await;
    order(loser, &table, json!({"type": "sit", "seat": 1})).await;
    order(winner, &table, json!({"type": "act", "action": "e5f5"})).await;
    order(loser, &table, json!({"type": "act", "action": "e6f6"})).await;
    order(loser, &table, json!({"type": "resign"})).await;
    table
}

/// The ratings of somebody when so many games have been counted.
async fn ratings(server: &TestServer, name: &str, games: u64) -> Value {
    let counted = async {
        loop {
            let profile = server.client.get(&format!("/api/players/{name}")).await.unwrap();
            if profile["ratings"][0]["games"] == games {
                return profile["ratings"].clone();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_mins(1), counted).await.expect("counted in time")
}

#[tokio::test]
async fn the_ratings_are_as_if_an_annulled_game_had_not_been_played() {
    let club = Club::open().await;
    let mut people = Vec::new();
    for name in ["Ada", "Bob", "Cheat", "Xenia", "Yves"] {
        people.push(club.server.client.register(name, PASSWORD).await.unwrap());
    }
    let [ada, bob, cheat, xenia, yves] = people.try_into().unwrap();
    // The same two games, once with one of a cheat between them and once without.
    rated(&ada, &bob).await;
    ratings(&club.server, "Ada", 1).await;
    let bad = rated(&cheat, &ada).await;
    ratings(&club.server, "Ada", 2).await;
    rated(&ada, &bob).await;
    let before = ratings(&club.server, "Ada", 3).await;
    rated(&xenia, &yves).await;
    ratings(&club.server, "Xenia", 1).await;
    rated(&xenia, &yves).await;
    let fair = [ratings(&club.server, "Xenia", 2).await, ratings(&club.server, "Yves", 2).await];

    club.act(json!({"type": "annul", "table": bad})).await.unwrap();
    let after = [ratings(&club.server, "Ada", 2).await, ratings(&club.server, "Bob", 2).await];
    assert_ne!(before, after[0]);
    assert_eq!(after, fair);
    let profile = club.server.client.get("/api/players/Cheat").await.unwrap();
    assert_eq!(profile["ratings"], json!([]), "nothing was won");
    assert_eq!(code(club.act(json!({"type": "annul", "table": bad})).await), "not_allowed", "once");
    assert_eq!(code(club.act(json!({"type": "annul", "table": "nowhere"})).await), "not_found");
    let log = club.moderator.get("/api/moderation/log").await.unwrap();
    assert_eq!((&log[0]["action"], &log[0]["table"]), (&json!("annul"), &bad));
    club.server.stop().await;
}
