//! A real server over real HTTP and WebSockets.

mod support {
    pub mod server;
}

use quincunx_client::{ClientError, Live};
use reqwest::Method;
use serde_json::{Value, json};
use support::server::{TestServer, play_out};

#[tokio::test]
async fn two_people_play_a_game_to_its_end() {
    let server = TestServer::start().await;
    for game in ["trexo", "mod-x", "figures", "castle-builders", "x-marks-the-spot"] {
        let (ada, bob) = (server.guest().await, server.guest().await);
        let setup = json!({"game": game, "seats": [{"kind": "open"}, {"kind": "open"}]});
        let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
        let ending = play_out(&table, &[ada.clone(), bob], 7).await;
        assert!(ending["winners"].is_array(), "{game}: {ending}");
        let path = format!("/api/tables/{}/record", table.as_str().unwrap());
        let record = server.client.get(&path).await.unwrap();
        assert!(record.as_str().unwrap().contains(game), "{record}");
    }
    server.stop().await;
}

#[tokio::test]
async fn who_is_nobody_may_look_and_not_play() {
    let server = TestServer::start().await;
    let ada = server.guest().await;
    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]});
    let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let path = format!("/api/tables/{}", table.as_str().unwrap());
    assert_eq!(server.client.get(&path).await.unwrap()["status"], "open");
    let order = json!({"command": {"type": "sit", "seat": 0}});
    let refused = server.client.post(&format!("{path}/commands"), &order).await;
    assert_eq!(code(refused), "who_are_you");
    let mut live = server.client.live().await.unwrap();
    assert_eq!(live.next().await.unwrap()["user"], Value::Null);
    live.ask(json!({"type": "watch", "table": table})).await.unwrap();
    let refused = live.ask(json!({"type": "command", "table": table, "command": {"type": "sit", "seat": 0}})).await;
    assert_eq!(code(refused), "who_are_you");
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_comes_back_gets_exactly_what_it_missed() {
    let server = TestServer::start().await;
    let (ada, bob) = (server.guest().await, server.guest().await);
    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]});
    let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let mut first = ada.live().await.unwrap();
    let mut second = bob.live().await.unwrap();
    let sit = |seat: u8| json!({"type": "command", "table": table, "command": {"type": "sit", "seat": seat}});
    first.ask(sit(0)).await.unwrap();
    second.ask(sit(1)).await.unwrap();
    let version = first.ask(json!({"type": "watch", "table": table})).await.unwrap()["version"].clone();
    first.close().await;
    let act = |action: &str| json!({"type": "command", "table": table, "command": {"type": "act", "action": action}});
    let mut again = ada.live().await.unwrap();
    again.ask(act("e5f5")).await.unwrap();
    second.ask(act("e6f6")).await.unwrap();
    again.ask(json!({"type": "watch", "table": table, "since": version})).await.unwrap();
    let told = message(&mut again, "happened").await;
    assert_eq!(told["from"], version);
    let actions: Vec<&str> =
        told["events"].as_array().unwrap().iter().filter_map(|event| event["action"].as_str()).collect();
    assert_eq!(actions, ["e5f5", "e6f6"]);
    server.stop().await;
}

#[tokio::test]
async fn sessions_passwords_and_accounts_end_when_their_owner_says_so() {
    let server = TestServer::start().await;
    let phone = server.client.register("Grace", "correct horse battery").await.unwrap();
    let laptop = server.client.log_in("grace", "correct horse battery").await.unwrap();
    assert_eq!(code(server.client.log_in("grace", "wrong horse battery").await), "who_are_you");
    let sessions = laptop.get("/api/me/sessions").await.unwrap();
    let other = sessions.as_array().unwrap().iter().find(|session| session["current"] == false).unwrap();
    let mut listening = phone.live().await.unwrap();
    assert_eq!(listening.next().await.unwrap()["type"], "welcome");
    laptop.ask(Method::DELETE, &format!("/api/me/sessions/{}", other["id"]), None).await.unwrap();
    assert_eq!(listening.next().await, None, "the connection of an ended session is closed");
    assert_eq!(code(phone.get("/api/me").await), "who_are_you");
    let change = json!({"old": "correct horse battery", "new": "another long phrase"});
    laptop.ask(Method::PUT, "/api/me/password", Some(&change)).await.unwrap();
    assert_eq!(laptop.get("/api/me").await.unwrap()["name"], "Grace");
    let proof = json!({"password": "another long phrase"});
    laptop.ask(Method::DELETE, "/api/me", Some(&proof)).await.unwrap();
    assert_eq!(code(laptop.get("/api/me").await), "who_are_you");
    assert_eq!(code(server.client.log_in("grace", "another long phrase").await), "who_are_you");
    server.stop().await;
}

#[tokio::test]
async fn a_browser_is_known_by_its_cookie_and_pages_of_others_are_refused() {
    let server = TestServer::start().await;
    let come = server.client.request(Method::POST, "/api/guests").json(&json!({"name": "Cookie"}));
    let answer = come.send().await.unwrap();
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    assert!(answer.headers()["content-security-policy"].to_str().unwrap().contains("default-src 'none'"));
    let pair = cookie.split(';').next().unwrap();
    let me = server.client.request(Method::GET, "/api/me").header("cookie", pair).send().await.unwrap();
    assert_eq!(me.json::<Value>().await.unwrap()["name"], "Cookie");
    let evil = server.client.request(Method::POST, "/api/logout").header("cookie", pair);
    let evil = evil.header("origin", "https://evil.example").send().await.unwrap();
    assert_eq!(evil.status(), 409);
    let me = server.client.request(Method::GET, "/api/me").header("cookie", pair).send().await.unwrap();
    assert_eq!(me.status(), 200, "still logged in");
    server.stop().await;
}

#[tokio::test]
async fn people_talk_and_mute_and_see_who_is_there() {
    let server = TestServer::start().await;
    let (ada, bob) = (server.guest().await, server.guest().await);
    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]});
    let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let (mut first, mut second) = (ada.live().await.unwrap(), bob.live().await.unwrap());
    let watch = json!({"type": "watch", "table": table});
    first.ask(watch.clone()).await.unwrap();
    second.ask(watch).await.unwrap();
    second.ask(json!({"type": "say", "table": table, "text": " Hello! ", "id": "a"})).await.unwrap();
    second.ask(json!({"type": "say", "table": table, "text": "Hello!", "id": "a"})).await.unwrap();
    let said = message(&mut first, "said").await;
    assert_eq!(said["remarks"][0]["text"], "Hello!");
    let bob_id = bob.get("/api/me").await.unwrap()["id"].clone();
    ada.ask(Method::PUT, &format!("/api/me/mutes/{bob_id}"), None).await.unwrap();
    second.ask(json!({"type": "say", "table": table, "text": "Listen!"})).await.unwrap();
    first.ask(json!({"type": "say", "table": table, "text": "I do not."})).await.unwrap();
    let own = message(&mut first, "said").await;
    assert_eq!(own["remarks"][0]["text"], "I do not.", "said once, and not heard when muted");
    let long = "x".repeat(501);
    assert_eq!(code(second.ask(json!({"type": "say", "table": table, "text": long})).await), "too_much");
    loop {
        let present = message(&mut first, "present").await;
        if present["others"] == 2 {
            break;
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn the_lobby_is_told_of_public_tables_only() {
    let server = TestServer::start().await;
    let ada = server.guest().await;
    let mut lobby = server.client.live().await.unwrap();
    lobby.ask(json!({"type": "watch_lobby"})).await.unwrap();
    let setup = |public: bool| json!({"setup": {"game": "figures", "public": public, "seats": [{"kind": "open"}, {"kind": "open"}]}});
    let hidden = ada.post("/api/tables", &setup(false)).await.unwrap();
    let shown = ada.post("/api/tables", &setup(true)).await.unwrap();
    assert_eq!(message(&mut lobby, "listed").await["table"], shown["table"]);
    let list = server.client.get("/api/tables?status=open&game=figures").await.unwrap();
    assert_eq!(list["tables"].as_array().unwrap().len(), 1);
    let path = format!("/api/tables/{}", hidden["table"].as_str().unwrap());
    assert_eq!(code(server.client.get(&path).await), "not_found");
    let key = hidden["invitation"].as_str().unwrap();
    assert!(server.client.get(&format!("{path}?invitation={key}")).await.is_ok());
    server.stop().await;
}

#[tokio::test]
async fn what_programs_can_ask_for_is_described() {
    let server = TestServer::start().await;
    let document = server.client.get("/api/openapi.json").await.unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() > 20);
    let page = server.client.get("/api/docs").await.unwrap();
    for path in paths.keys() {
        assert!(page.as_str().unwrap().contains(&format!("<code>{path}</code>")), "{path}");
    }
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert!(server.client.get(path).await.is_ok(), "{path}");
    }
    assert_eq!(code(server.client.get("/nowhere").await), "not_found");
    assert_eq!(code(server.client.post("/api/games", &json!({})).await), "malformed");
    server.stop().await;
}

/// The code of a refusal.
fn code<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> String {
    match answer {
        Err(ClientError::Refused { code, .. }) => code,
        other => panic!("not refused: {other:?}"),
    }
}

/// The next message of a type.
async fn message(live: &mut Live, kind: &str) -> Value {
    loop {
        let message = live.next().await.expect("the connection lives");
        if message["type"] == kind {
            return message;
        }
    }
}
