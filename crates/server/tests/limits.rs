//! Limits and choices that protect people from each other, at a real server.

mod support {
    #[allow(dead_code, reason = "others use the rest")]
    pub mod raw;
    #[allow(dead_code, reason = "others use the rest")]
    pub mod server;
}

use std::time::Duration;

use quincunx_client::{Client, ClientError, Live};
use quincunx_server::config::{Config, Limits, Storage};
use quincunx_server::http::Server;
use reqwest::Method;
use serde_json::{Value, json};
use support::raw::Raw;
use support::server::{TestServer, config};
use tokio::time::timeout;

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

/// The next message of a type.
async fn message(live: &mut Live, kind: &str) -> Value {
    loop {
        let message =
            timeout(Duration::from_mins(1), live.next()).await.expect("in time").expect("the connection lives");
        if message["type"] == kind {
            return message;
        }
    }
}

fn command(table: &Value, command: Value) -> Value {
    json!({"type": "command", "table": table, "command": command})
}

/// A table for two people, of whom the first sits down.
fn open() -> Value {
    json!({"setup": {"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]}})
}

fn kept_for(user: &Value, public: bool) -> Value {
    let seats = json!([{"kind": "open"}, {"kind": "player", "user": user}]);
    json!({"setup": {"game": "trexo", "public": public, "seats": seats}})
}

async fn order(who: &Client, table: &Value, command: Value) -> Result<Value, ClientError> {
    who.post(&format!("/api/tables/{}/commands", table.as_str().unwrap()), &json!({"command": command})).await
}

#[tokio::test]
async fn tables_that_somebody_hosts_and_does_not_join_count() {
    let limits = Limits { tables_at_once: 3, ..config().limits };
    let server = TestServer::with(Config { storage: Storage::Memory, limits, ..config() }).await;
    let ada = server.guest().await;
    let mut tables = Vec::new();
    for _ in 0..3 {
        tables.push(ada.post("/api/tables", &open()).await.unwrap()["table"].clone());
    }
    assert_eq!(code(ada.post("/api/tables", &open()).await), "rate_limited");
    order(&ada, &tables[0], json!({"type": "abort"})).await.unwrap();
    ada.post("/api/tables", &open()).await.expect("one was given up");
    server.stop().await;
}

#[tokio::test]
async fn a_kept_seat_can_be_declined_and_the_host_hears_of_it() {
    let server = TestServer::alone().await;
    for (public, then) in [(true, "open"), (false, "invited")] {
        let (ada, bob) = (server.guest().await, server.guest().await);
        let created = ada.post("/api/tables", &kept_for(&id(&bob).await, public)).await.unwrap();
        let table = &created["table"];
        let mut host = ada.live().await.unwrap();
        host.ask(json!({"type": "watch", "table": table})).await.unwrap();
        let mut away = ada.live().await.unwrap();
        assert_eq!(message(&mut away, "welcome").await["user"]["id"], id(&ada).await);
        let mut invited = bob.live().await.unwrap();
        invited.ask(command(table, json!({"type": "decline"}))).await.unwrap();
        let told = message(&mut host, "update").await;
        assert_eq!(told["events"], json!([{"type": "declined", "seat": 1}]));
        assert_eq!(message(&mut away, "listed").await["kept"], json!([null, null]), "also who does not watch");
        let path = format!("/api/tables/{}", table.as_str().unwrap());
        assert_eq!(ada.get(&path).await.unwrap()["setup"]["seats"][1]["kind"], then);
        let again = invited.ask(command(table, json!({"type": "decline"}))).await;
        assert_eq!(code(again), if public { "not_allowed" } else { "not_found" });
        let waiting = bob.get(&format!("/api/tables?player={}", encoded(&bob).await)).await.unwrap();
        assert_eq!(waiting["tables"], json!([]), "nothing waits for Bob");
        // Somebody else can have the seat.
        let cleo = server.guest().await;
        let sit = json!({"type": "sit", "seat": 1, "invitation": created["invitation"]});
        order(&cleo, table, sit).await.expect("the seat is free");
    }
    server.stop().await;
}

async fn encoded(client: &Client) -> String {
    quincunx_client::encoded(client.get("/api/me").await.unwrap()["name"].as_str().unwrap())
}

#[tokio::test]
async fn nobody_is_flooded_with_seats_that_wait_for_them() {
    let server = TestServer::alone().await;
    let (ada, bob) = (server.guest().await, server.guest().await);
    let target = id(&bob).await;
    for _ in 0..5 {
        ada.post("/api/tables", &kept_for(&target, true)).await.expect("a few are friendly");
    }
    let refused = ada.post("/api/tables", &kept_for(&target, true)).await;
    assert!(reason(refused).contains("too many seats wait for"));
    let cleo = server.guest().await;
    let table = cleo.post("/api/tables", &kept_for(&target, true)).await.unwrap()["table"].clone();
    order(&bob, &table, json!({"type": "sit", "seat": 1})).await.expect("another host");
    // From many hosts there are not more than fifty either.
    let mut hosts = 0;
    let refusal = loop {
        let host = server.guest().await;
        let asked = host.post("/api/tables", &kept_for(&target, true)).await;
        if asked.is_err() || hosts > 60 {
            break asked;
        }
        hosts += 1;
    };
    assert_eq!((code(refusal), hosts), ("rate_limited".to_owned(), 45));
    server.stop().await;
}

#[tokio::test]
async fn who_is_blocked_keeps_no_seat_sits_not_down_and_is_not_read() {
    let server = TestServer::alone().await;
    let (ada, eve) = (server.guest().await, server.guest().await);
    let (ada_id, eve_id) = (id(&ada).await, id(&eve).await);
    let table = ada.post("/api/tables", &open()).await.unwrap()["table"].clone();
    let mut hears = ada.live().await.unwrap();
    hears.ask(json!({"type": "watch", "table": table})).await.unwrap();
    let blocks = format!("/api/me/blocks/{eve_id}");
    ada.ask(Method::PUT, &blocks, None).await.unwrap();
    assert_eq!(ada.get("/api/me/blocks").await.unwrap()[0]["id"], eve_id);
    assert!(reason(eve.post("/api/tables", &kept_for(&ada_id, true)).await).contains("does not want to play with you"));
    let sit = |seat: u8| json!({"type": "sit", "seat": seat});
    assert!(reason(order(&eve, &table, sit(1)).await).contains("blocked"), "not at a table that Ada hosts");
    let bob = server.guest().await;
    let third = bob.post("/api/tables", &open()).await.unwrap()["table"].clone();
    order(&ada, &third, sit(0)).await.unwrap();
    assert!(reason(order(&eve, &third, sit(1)).await).contains("blocked"), "not where Ada sits");
    let mut speaks = eve.live().await.unwrap();
    speaks.ask(json!({"type": "say", "table": table, "text": "Play with me!"})).await.unwrap();
    let mut other = bob.live().await.unwrap();
    other.ask(json!({"type": "say", "table": table, "text": "Hello"})).await.unwrap();
    assert_eq!(message(&mut hears, "said").await["remarks"][0]["text"], "Hello", "what Eve says is not read");
    ada.ask(Method::DELETE, &blocks, None).await.unwrap();
    speaks.ask(json!({"type": "say", "table": table, "text": "Sorry."})).await.unwrap();
    assert_eq!(message(&mut hears, "said").await["remarks"][0]["text"], "Sorry.");
    order(&eve, &third, sit(1)).await.expect("no longer blocked");
    // Nor is anybody asked to play again by whom they have blocked.
    order(&eve, &third, json!({"type": "resign"})).await.unwrap();
    ada.ask(Method::PUT, &blocks, None).await.unwrap();
    assert!(reason(order(&eve, &third, json!({"type": "rematch"})).await).contains("blocked"));
    assert_eq!(code(ada.ask(Method::PUT, &format!("/api/me/blocks/{ada_id}"), None).await), "not_allowed");
    assert_eq!(code(ada.ask(Method::PUT, "/api/me/blocks/999999", None).await), "not_found");
    server.stop().await;
}

#[tokio::test]
async fn players_read_what_spectators_say_when_the_game_is_over() {
    let server = TestServer::alone().await;
    let (ada, bob, eve) = (server.guest().await, server.guest().await, server.guest().await);
    let table = ada.post("/api/tables", &open()).await.unwrap()["table"].clone();
    let watch = json!({"type": "watch", "table": table});
    let say = |text: &str| json!({"type": "say", "table": table, "text": text});
    let mut lives = Vec::new();
    for who in [&ada, &bob, &eve] {
        let mut live = who.live().await.unwrap();
        live.ask(watch.clone()).await.unwrap();
        lives.push(live);
    }
    lives[2].ask(say("Good luck!")).await.unwrap();
    for (seat, live) in lives[..2].iter_mut().enumerate() {
        assert_eq!(
            message(live, "said").await["remarks"][0]["text"],
            "Good luck!",
            "before the game all talk together"
        );
        live.ask(command(&table, json!({"type": "sit", "seat": seat}))).await.unwrap();
    }
    lives[2].ask(say("Take the corner!")).await.unwrap();
    lives[1].ask(say("Hm.")).await.unwrap();
    let heard = message(&mut lives[0], "said").await;
    assert_eq!(heard["remarks"][0]["text"], "Hm.", "the advice was not heard: {heard}");
    let remarks = format!("/api/tables/{}/remarks", table.as_str().unwrap());
    let read = |who: Client| {
        let remarks = remarks.clone();
        async move {
            let read = who.get(&remarks).await.unwrap();
            read.as_array()
                .unwrap()
                .iter()
                .map(|remark| remark["text"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        }
    };
    assert_eq!(read(ada.clone()).await, ["Good luck!", "Hm."]);
    assert_eq!(read(eve.clone()).await, ["Good luck!", "Take the corner!", "Hm."]);
    let mut back = ada.live().await.unwrap();
    back.ask(watch.clone()).await.unwrap();
    let repeated = message(&mut back, "said").await["remarks"].clone();
    assert_eq!(repeated.as_array().unwrap().len(), 2, "nor by coming back: {repeated}");
    lives[1].ask(command(&table, json!({"type": "resign"}))).await.unwrap();
    let opened = message(&mut lives[0], "said").await;
    assert_eq!(
        (&opened["remarks"][0]["text"], &opened["remarks"][0]["spectator"]),
        (&json!("Take the corner!"), &json!(true))
    );
    assert_eq!(read(ada.clone()).await.len(), 3);
    let mut later = bob.live().await.unwrap();
    later.ask(json!({"type": "watch", "table": table, "heard": 3})).await.unwrap();
    let missed = message(&mut later, "said").await["remarks"].clone();
    assert_eq!((missed.as_array().unwrap().len(), &missed[0]["text"]), (1, &json!("Take the corner!")));
    server.stop().await;
}

/// How a server answers a request to open a live connection from a page of this origin.
async fn upgrade(address: &str, headers: &str) -> String {
    let head = format!(
        "GET /api/live HTTP/1.1\r\nhost: games.example\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{headers}\r\n\r\n"
    );
    let mut raw = Raw::connect(address).await;
    raw.send(head.as_bytes()).await;
    for answer in ["101 Switching", "409 Conflict"] {
        if raw.hears(answer).await {
            return answer[..3].to_owned();
        }
        raw = Raw::connect(address).await;
        raw.send(head.as_bytes()).await;
    }
    "neither".to_owned()
}

#[tokio::test]
async fn a_page_of_somebody_else_opens_no_live_connection() {
    let trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    let limits = Limits { patience: Duration::from_secs(2), ..config().limits };
    let server = TestServer::with(Config { storage: Storage::Memory, trusted_proxies, limits, ..config() }).await;
    let address = server.client.address().trim_start_matches("http://").to_owned();
    for (headers, answer) in [
        ("origin: http://games.example", "101"),
        ("origin: https://games.example", "101"),
        ("origin: https://evil.example", "409"),
        ("origin: null", "409"),
        ("sec-fetch-site: cross-site", "409"),
        ("origin: https://games.example\r\nx-forwarded-proto: https", "101"),
        ("origin: http://games.example\r\nx-forwarded-proto: https", "409"),
    ] {
        assert_eq!(upgrade(&address, headers).await, answer, "{headers}");
    }
    server.stop().await;
}

#[tokio::test]
async fn figures_can_have_a_listener_of_their_own() {
    let own = Config { storage: Storage::Memory, metrics_listen: Some(([127, 0, 0, 1], 0).into()), ..config() };
    let server = Server::start(own).await.unwrap();
    let (everybody, figures) = (server.address(), server.metrics_address().unwrap());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.run_until(async move {
        let _ = stopped.await;
    }));
    let everybody = Client::new(&format!("http://{everybody}")).unwrap();
    let figures = Client::new(&format!("http://{figures}")).unwrap();
    for path in ["/readyz", "/metrics"] {
        figures.get(path).await.unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(code(everybody.get(path).await), "not_found", "{path}");
    }
    everybody.get("/healthz").await.unwrap();
    assert!(figures.get("/api/games").await.is_err());
    stop.send(()).unwrap();
    running.await.unwrap().unwrap();
}

#[tokio::test]
async fn figures_are_made_once_a_second_however_often_they_are_asked_for() {
    let server = TestServer::with(Config { storage: Storage::Memory, ..config() }).await;
    let request = || server.client.request(Method::GET, "/metrics").send();
    let mut texts = Vec::new();
    let begun = std::time::Instant::now();
    for _ in 0..50 {
        texts.push(request().await.unwrap().text().await.unwrap());
    }
    texts.dedup();
    let most = begun.elapsed().as_secs() as usize + 2;
    assert!(texts.len() <= most, "{} texts, each counts the requests before it", texts.len());
    server.stop().await;
}
