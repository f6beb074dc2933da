//! What a server does over real HTTP and WebSockets, whatever it keeps its tables in.

use quincunx_client::{Client, ClientError, Live};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::server::{TestServer, play_out};

pub async fn two_people_play_a_game_to_its_end(server: &TestServer) {
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
}

pub async fn who_is_nobody_may_look_and_not_play(server: &TestServer) {
    let ada = server.guest().await;
    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]});
    let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let path = format!("/api/tables/{}", table.as_str().unwrap());
    assert_eq!(server.client.get(&path).await.unwrap()["status"], "open");
    let order = json!({"command": {"type": "sit", "seat": 0}});
    let refused = server.client.post(&format!("{path}/commands"), &order).await;
    assert_eq!(code(refused), "unauthenticated");
    let mut live = server.client.live().await.unwrap();
    assert_eq!(live.next().await.unwrap()["user"], Value::Null);
    live.ask(json!({"type": "watch", "table": table})).await.unwrap();
    let refused = live.ask(json!({"type": "command", "table": table, "command": {"type": "sit", "seat": 0}})).await;
    assert_eq!(code(refused), "unauthenticated");
}

pub async fn a_client_that_comes_back_gets_exactly_what_it_missed(server: &TestServer) {
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
    let told = message(&mut again, "update").await;
    assert_eq!(told["from"], version);
    let actions: Vec<&str> =
        told["events"].as_array().unwrap().iter().filter_map(|event| event["action"].as_str()).collect();
    assert_eq!(actions, ["e5f5", "e6f6"]);
}

pub async fn sessions_passwords_and_accounts_end_when_their_owner_says_so(server: &TestServer) {
    let phone = server.client.register("Grace", "correct horse battery").await.unwrap();
    let laptop = server.client.log_in("grace", "correct horse battery").await.unwrap();
    assert_eq!(code(server.client.log_in("grace", "wrong horse battery").await), "unauthenticated");
    let sessions = laptop.get("/api/me/sessions").await.unwrap();
    let other = sessions.as_array().unwrap().iter().find(|session| session["current"] == false).unwrap();
    let mut listening = phone.live().await.unwrap();
    assert_eq!(listening.next().await.unwrap()["type"], "welcome");
    laptop.ask(Method::DELETE, &format!("/api/me/sessions/{}", other["id"]), None).await.unwrap();
    assert_eq!(listening.next().await, None, "the connection of an ended session is closed");
    assert_eq!(code(phone.get("/api/me").await), "unauthenticated");
    let change = json!({"old": "correct horse battery", "new": "another long phrase"});
    laptop.ask(Method::PUT, "/api/me/password", Some(&change)).await.unwrap();
    assert_eq!(laptop.get("/api/me").await.unwrap()["name"], "Grace");
    let proof = json!({"password": "another long phrase"});
    laptop.ask(Method::DELETE, "/api/me", Some(&proof)).await.unwrap();
    assert_eq!(code(laptop.get("/api/me").await), "unauthenticated");
    assert_eq!(code(server.client.log_in("grace", "another long phrase").await), "unauthenticated");
}

pub async fn a_browser_is_known_by_its_cookie_and_pages_of_others_are_refused(server: &TestServer) {
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
}

/// A table with two free seats, and two who watch it and know of each other.
struct Watched {
    table: Value,
    people: [Client; 2],
    lives: [Live; 2],
}

impl Watched {
    async fn by_two(server: &TestServer) -> Self {
        let (ada, bob) = (server.guest().await, server.guest().await);
        let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]});
        let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
        let (mut first, mut second) = (ada.live().await.unwrap(), bob.live().await.unwrap());
        let watch = json!({"type": "watch", "table": table});
        first.ask(watch.clone()).await.unwrap();
        second.ask(watch).await.unwrap();
        while message(&mut first, "present").await["others"] != 2 {}
        Self { table, people: [ada, bob], lives: [first, second] }
    }
}

pub async fn people_talk_and_mute_and_see_who_is_there(server: &TestServer) {
    let Watched { table, people: [ada, bob], lives: [mut first, mut second] } = Watched::by_two(server).await;
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
    assert_eq!(code(second.ask(json!({"type": "say", "table": table, "text": long})).await), "rate_limited");
}

pub async fn who_sits_down_is_no_longer_among_the_others(server: &TestServer) {
    let Watched { table, people: [_, bob], lives: [mut first, mut second] } = Watched::by_two(server).await;
    let bob_id = bob.get("/api/me").await.unwrap()["id"].clone();
    second.ask(json!({"type": "command", "table": table, "command": {"type": "sit", "seat": 1}})).await.unwrap();
    loop {
        let present = message(&mut first, "present").await;
        if present["seated"] == json!([bob_id]) && present["others"] == 1 {
            break;
        }
    }
}

pub async fn the_lobby_is_told_of_public_tables_only(server: &TestServer) {
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
}

pub async fn what_programs_can_ask_for_is_described(server: &TestServer) {
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
}

pub async fn the_example_bot_sits_where_a_seat_is_kept_for_it_and_plays_to_the_end(server: &TestServer) {
    let owner = server.client.register("Owner", "correct horse battery").await.unwrap();
    let bot = owner.post("/api/me/bots", &json!({"name": "Robot"})).await.unwrap()["id"].clone();
    let tokens = format!("/api/me/bots/{bot}/tokens");
    let token = owner.post(&tokens, &json!({"label": "test"})).await.unwrap();
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/bots/online.py");
    let ada = server.guest().await;
    let seats = json!([{"kind": "player", "user": bot}, {"kind": "open"}]);
    let setup = |game: &str| json!({"setup": {"game": game, "seats": seats, "public": false}});
    // One table waits for the bot, and one is set up while it listens.
    let first = ada.post("/api/tables", &setup("castle-builders")).await.unwrap();
    let program = tokio::process::Command::new("python3")
        .arg(example)
        .args([server.client.address(), token["token"].as_str().unwrap(), "2"])
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("these tests need Python 3");
    play_one_seat(&ada, &first["table"], 1).await;
    let second = ada.post("/api/tables", &setup("trexo")).await.unwrap();
    play_one_seat(&ada, &second["table"], 1).await;
    let output = program.wait_with_output().await.unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    for table in [&first, &second] {
        assert!(said.contains(&format!("finished {}", table["table"].as_str().unwrap())), "{said}");
    }
    owner.ask(Method::DELETE, &format!("{tokens}/{}", token["id"]), None).await.unwrap();
    let revoked = server.client.with_token(token["token"].as_str().unwrap());
    assert_eq!(code(revoked.get("/api/stream").await), "unauthenticated");
}

pub async fn a_rematch_takes_one_click_each_and_swaps_the_seats(server: &TestServer) {
    let (ada, bob) = (server.guest().await, server.guest().await);
    let setup = json!({"game": "mod-x", "seats": [{"kind": "open"}, {"kind": "open"}]});
    let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    play_out(&table, &[ada.clone(), bob.clone()], 3).await;
    let again = json!({"command": {"type": "rematch"}, "id": "again"});
    let path = format!("/api/tables/{}/commands", table.as_str().unwrap());
    let (first, second) = tokio::join!(ada.post(&path, &again), bob.post(&path, &again));
    let (first, second) = (first.unwrap(), second.unwrap());
    assert_eq!(first["table"], second["table"]);
    let seen = ada.get(&format!("/api/tables/{}", first["table"].as_str().unwrap())).await.unwrap();
    assert_eq!(seen["status"], "playing");
    assert_eq!(seen["seats"][0]["user"], bob.get("/api/me").await.unwrap()["id"]);
}

pub async fn a_rated_game_moves_both_and_is_found_by_player_opponent_and_result(server: &TestServer) {
    let ada = server.client.register("Ada L", "correct horse battery").await.unwrap();
    let bob = server.client.register("Bob", "correct horse battery").await.unwrap();
    let clock = json!({"kind": "real_time", "seconds": 600, "increment": 5});
    let seats = json!([{"kind": "open"}, {"kind": "open"}]);
    let setup = json!({"game": "trexo", "seats": seats, "clock": clock, "rated": true});
    let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let path = format!("/api/tables/{}/commands", table.as_str().unwrap());
    let guest = server.guest().await;
    assert_eq!(code(guest.post(&path, &json!({"command": {"type": "sit", "seat": 0}})).await), "not_allowed");
    for (seat, who) in [&ada, &bob].into_iter().enumerate() {
        who.post(&path, &json!({"command": {"type": "sit", "seat": seat}})).await.unwrap();
    }
    ada.post(&path, &json!({"command": {"type": "act", "action": "e5f5"}})).await.unwrap();
    bob.post(&path, &json!({"command": {"type": "act", "action": "e6f6"}})).await.unwrap();
    bob.post(&path, &json!({"command": {"type": "resign"}})).await.unwrap();
    // The result is counted soon after the game.
    let profile = loop {
        let profile = server.client.get("/api/players/ada%20l").await.unwrap();
        if !profile["ratings"].as_array().unwrap().is_empty() {
            break profile;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let loser = server.client.get("/api/players/bob").await.unwrap();
    assert!(profile["ratings"][0]["rating"].as_f64() > loser["ratings"][0]["rating"].as_f64());
    for bots in [false, true] {
        let board = server.client.get(&format!("/api/leaderboard?game=trexo&class=rapid&bots={bots}")).await.unwrap();
        assert_eq!(board, json!([]), "after one game nobody is known well enough");
    }
    assert_eq!(profile["ratings"][0]["games"], 1);
    assert_eq!(profile["games"][0]["table"], table);
    let found = |query: &'static str| async move {
        let page = server.client.get(&format!("/api/tables?status=finished&{query}")).await.unwrap();
        page["tables"].as_array().unwrap().len()
    };
    assert_eq!(found("player=Ada%20L&opponent=bob&result=won&game=trexo").await, 1);
    assert_eq!(found("player=Bob&result=lost").await, 1);
    assert_eq!(found("player=Bob&result=won").await, 0);
    assert_eq!(found("player=Bob&before=1000").await, 0);
}

pub async fn the_engine_plays_a_seat_and_looks_at_the_game_afterwards(server: &TestServer) {
    let ada = server.guest().await;
    let seats = json!([{"kind": "open"}, {"kind": "engine", "level": "novice"}]);
    let setup = json!({"game": "castle-builders", "seats": seats});
    let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    play_one_seat(&ada, &table, 0).await;
    let path = format!("/api/tables/{}/analysis", table.as_str().unwrap());
    let moves = loop {
        let analysis = ada.post(&path, &json!({})).await.unwrap();
        if analysis["state"] == "done" {
            break analysis["moves"].as_array().unwrap().clone();
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    };
    assert!(moves.len() > 10 && moves.iter().all(|one| one["better"].is_string()), "{moves:?}");
}

pub async fn who_does_not_move_loses_on_time(server: &TestServer) {
    let (ada, bob) = (server.guest().await, server.guest().await);
    let clock = json!({"kind": "real_time", "seconds": 1, "increment": 0});
    let setup = json!({"game": "figures", "seats": [{"kind": "open"}, {"kind": "open"}], "clock": clock});
    let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let mut live = ada.live().await.unwrap();
    live.ask(json!({"type": "watch", "table": table})).await.unwrap();
    for (seat, who) in [&ada, &bob].into_iter().enumerate() {
        let path = format!("/api/tables/{}/commands", table.as_str().unwrap());
        who.post(&path, &json!({"command": {"type": "sit", "seat": seat}})).await.unwrap();
    }
    let ended = loop {
        let told = message(&mut live, "update").await;
        if told["status"] == "finished" {
            break told;
        }
    };
    assert_eq!(ended["events"][0], json!({"type": "flag_fell", "seat": 0}));
    assert_eq!(ended["ending"], json!({"winners": [1], "reason": "time"}));
}

pub async fn draws_resignations_and_undos_are_told_to_all(server: &TestServer) {
    let players = [server.guest().await, server.guest().await];
    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]});
    let table = players[0].post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let mut spectator = server.client.live().await.unwrap();
    spectator.ask(json!({"type": "watch", "table": table})).await.unwrap();
    let script = [
        (0, json!({"type": "sit", "seat": 0})),
        (1, json!({"type": "sit", "seat": 1})),
        (0, json!({"type": "act", "action": "e5f5"})),
        (0, json!({"type": "ask_undo"})),
        (1, json!({"type": "answer_undo", "grant": true})),
        (0, json!({"type": "act", "action": "c3d3"})),
        (1, json!({"type": "offer_draw"})),
        (0, json!({"type": "answer_draw", "accept": false})),
        (1, json!({"type": "resign"})),
    ];
    let path = format!("/api/tables/{}", table.as_str().unwrap());
    for (seat, command) in script {
        players[seat].post(&format!("{path}/commands"), &json!({"command": command})).await.unwrap();
    }
    let mut told = Vec::new();
    while told.last() != Some(&json!("resigned")) {
        let happened = message(&mut spectator, "update").await;
        told.extend(happened["events"].as_array().unwrap().iter().map(|event| event["type"].clone()));
    }
    let expected = [
        "joined",
        "joined",
        "started",
        "acted",
        "undo_asked",
        "undo_granted",
        "undone",
        "acted",
        "draw_offered",
        "draw_declined",
        "resigned",
    ];
    assert_eq!(told, expected);
    let seen = server.client.get(&path).await.unwrap();
    assert_eq!(seen["log"], json!([{"seat": 0, "action": "c3d3"}]));
    assert_eq!(seen["ending"], json!({"winners": [0], "reason": "resigned"}));
}

pub async fn who_deletes_his_account_leaves_games_without_a_name(server: &TestServer) {
    let ada = server.client.register("Vanishing", "correct horse battery").await.unwrap();
    let bob = server.guest().await;
    let setup = json!({"game": "mod-x", "seats": [{"kind": "open"}, {"kind": "open"}]});
    let table = bob.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let path = format!("/api/tables/{}", table.as_str().unwrap());
    let sit = |seat: u8| json!({"command": {"type": "sit", "seat": seat}});
    bob.post(&format!("{path}/commands"), &sit(0)).await.unwrap();
    ada.post(&format!("{path}/commands"), &sit(1)).await.unwrap();
    let proof = json!({"password": "correct horse battery"});
    ada.ask(Method::DELETE, "/api/me", Some(&proof)).await.unwrap();
    for page in [path.clone(), format!("{path}/record"), "/api/tables".to_owned()] {
        let shown = server.client.get(&page).await.unwrap().to_string();
        assert!(!shown.contains("Vanishing"), "{page}: {shown}");
    }
}

/// Plays a seat at random until the game is over, whoever plays the other ones.
async fn play_one_seat(player: &Client, table: &Value, seat: u64) {
    let mut live = player.live().await.unwrap();
    live.ask(json!({"type": "watch", "table": table})).await.unwrap();
    live.ask(json!({"type": "command", "table": table, "command": {"type": "sit", "seat": seat}})).await.unwrap();
    let path = format!("/api/tables/{}", table.as_str().unwrap());
    loop {
        let seen = player.get(&path).await.unwrap();
        if seen["status"] == "finished" {
            return;
        }
        if seen["status"] == "playing" && seen["position"]["turn"]["seat"] == seat {
            let action = &seen["position"]["actions"][0]["action"];
            let command = json!({"type": "act", "action": action, "ply": seen["position"]["ply"]});
            live.ask(json!({"type": "command", "table": table, "command": command})).await.unwrap();
        } else {
            // At the end of a game with secrets the whole table is told.
            any_message(&mut live, &["update", "snapshot"]).await;
        }
    }
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
    any_message(live, &[kind]).await
}

/// The next message of one of some types.
async fn any_message(live: &mut Live, kinds: &[&str]) -> Value {
    loop {
        let message = live.next().await.expect("the connection lives");
        if message["type"].as_str().is_some_and(|kind| kinds.contains(&kind)) {
            return message;
        }
    }
}
