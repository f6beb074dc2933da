//! Whoever comes with bad intentions is refused or sent away, and nobody else notices.

mod support {
    pub mod raw;
    #[allow(dead_code, reason = "others use the rest")]
    pub mod server;
    pub mod siege;
}

use std::time::Duration;

use quincunx_client::{ClientError, Live};
use quincunx_games::GAMES;
use quincunx_server::config::Limits;
use quincunx_server::store::Store;
use quincunx_table::State;
use quincunx_table::{TableId, UserId};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus, seq::IndexedRandom};
use reqwest::Method;
use serde_json::{Value, json};
use support::raw::{Raw, frame};
use support::server::{config, play_out};
use support::siege::Siege;
use tokio::time::{sleep, timeout};

fn code<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> String {
    match answer {
        Err(ClientError::Refused { code, .. }) => code,
        other => panic!("not refused: {other:?}"),
    }
}

/// Sends a text, and gives the code of the answer; nothing if the connection was closed instead.
async fn reply(live: &mut Live, text: &str) -> Option<Value> {
    live.send_text(text.into()).await.ok()?;
    loop {
        let message = timeout(Duration::from_secs(20), live.next()).await.expect("an answer or an end")?;
        if message["type"] == "refused" || message["type"] == "done" {
            return Some(message);
        }
    }
}

#[tokio::test]
async fn messages_that_cannot_be_read_are_refused_and_too_many_of_them_end_the_connection() {
    let siege = Siege::begin(config().limits).await;
    let table = &siege.table;
    let deep = format!("{}1{}", "[".repeat(7_000), "]".repeat(7_000));
    let deep_options = format!(r#"{{"type":"ping","id":"a","x":{}{}}}"#, r#"{"a":"#.repeat(2_000), "}".repeat(2_000));
    let texts = [
        String::new(),
        "{".to_owned(),
        "null".to_owned(),
        "[]".to_owned(),
        "\u{0}".to_owned(),
        r#""ping""#.to_owned(),
        deep,
        deep_options,
        r#"{"type":"ping"}"#.to_owned(),
        r#"{"type":"ping","id":1}"#.to_owned(),
        r#"{"type":"ping","id":"a","more":1}"#.to_owned(),
        r#"{"type":"ping","id":"a","id":"b"}"#.to_owned(),
        r#"{"type":"ping","id":"\ud800"}"#.to_owned(),
        r#"{"type":"ping","id":""}"#.to_owned(),
        r#"{"type":"ping","id":"\u0000"}"#.to_owned(),
        format!(r#"{{"type":"ping","id":"{}"}}"#, "x".repeat(65)),
        format!(r#"{{"type":"watch","id":"a","table":{table},"since":-1}}"#),
        format!(r#"{{"type":"watch","id":"a","table":{table},"since":1e400}}"#),
        format!(r#"{{"type":"watch","id":"a","table":{table},"heard":18446744073709551615}}"#),
        format!(r#"{{"type":"command","id":"a","table":{table},"command":{{"type":"sit","seat":256}}}}"#),
        format!(r#"{{"type":"command","id":"a","table":{table},"command":{{"type":"sit","seat":-1}}}}"#),
        format!(r#"{{"type":"command","id":"a","table":{table},"command":{{"type":"win"}}}}"#),
    ];
    for text in &texts {
        let mut live = siege.players[1].live().await.unwrap();
        let answer = reply(&mut live, text).await.expect("one is forgiven");
        assert_eq!(answer["code"], "malformed", "{text}");
        assert_eq!(reply(&mut live, r#"{"type":"ping","id":"still here"}"#).await.unwrap()["type"], "done");
        siege.holds(text).await;
    }
    let mut live = siege.players[1].live().await.unwrap();
    let mut answered = 0;
    while reply(&mut live, "{").await.is_some() {
        answered += 1;
        assert!(answered <= 20);
    }
    assert_eq!(answered, 20);
    siege.holds("nonsense").await;
    siege.end().await;
}

#[tokio::test]
async fn commands_about_other_peoples_affairs_change_nothing() {
    let siege = Siege::begin(config().limits).await;
    let eve = siege.client.guest("Eve").await.unwrap();
    let mut live = eve.live().await.unwrap();
    let command = |command: Value| json!({"type": "command", "table": siege.table, "command": command});
    for order in [
        json!({"type": "act", "action": "a1b1"}),
        json!({"type": "sit", "seat": 1}),
        json!({"type": "sit", "seat": 255}),
        json!({"type": "leave"}),
        json!({"type": "abort"}),
        json!({"type": "resign"}),
        json!({"type": "offer_draw"}),
        json!({"type": "ask_undo"}),
        json!({"type": "rematch"}),
    ] {
        assert_eq!(code(live.ask(command(order)).await), "not_allowed");
    }
    // A player, too, cannot act for the other one, at another time, or with words that are not the game's.
    let mut bob = siege.players[1].live().await.unwrap();
    for order in [
        json!({"type": "act", "action": "a1b1", "ply": 0}),
        json!({"type": "act", "action": "a1b1", "ply": u64::MAX}),
        json!({"type": "act", "action": "e5f5"}),
        json!({"type": "act", "action": ""}),
        json!({"type": "act", "action": "a1b1\u{0}"}),
        json!({"type": "act", "action": "\u{202e}a1b1"}),
        json!({"type": "act", "action": "x".repeat(15_000)}),
        json!({"type": "answer_draw", "accept": true}),
        json!({"type": "answer_undo", "grant": true}),
    ] {
        assert_eq!(code(bob.ask(command(order)).await), "not_allowed");
    }
    for table in
        [json!(""), json!("nowhere"), json!("\u{0}"), json!("'; drop table logs; --"), json!("x".repeat(9_000))]
    {
        assert_eq!(code(bob.ask(json!({"type": "watch", "table": table})).await), "not_found");
        let resign = json!({"type": "command", "table": table, "command": {"type": "resign"}});
        assert_eq!(code(bob.ask(resign).await), "not_found");
        assert_eq!(code(bob.ask(json!({"type": "say", "table": table, "text": "hello"})).await), "not_found");
        bob.ask(json!({"type": "unwatch", "table": table})).await.unwrap();
    }
    siege.holds("commands").await;
    // A private table does not even exist for others, also for those who know its name.
    let setup = json!({"game": "trexo", "public": false, "seats": [{"kind": "open"}, {"kind": "open"}]});
    let hidden = siege.players[0].post("/api/tables", &json!({"setup": setup, "id": "1"})).await.unwrap();
    let path = format!("/api/tables/{}", hidden["table"].as_str().unwrap());
    let sit = json!({"command": {"type": "sit", "seat": 1}});
    assert_eq!(code(eve.post(&format!("{path}/commands"), &sit).await), "not_found");
    for rest in ["", "/position", "/record", "/remarks", "?invitation=guess"] {
        assert_eq!(code(eve.get(&format!("{path}{rest}")).await), "not_found", "{rest}");
    }
    assert_eq!(code(eve.post(&format!("{path}/analysis"), &json!({})).await), "not_found");
    // Who watches it by the invitation sits down by it.
    let watch = json!({"type": "watch", "table": hidden["table"], "invitation": hidden["invitation"]});
    live.ask(watch).await.unwrap();
    let sit = json!({"type": "command", "table": hidden["table"], "command": {"type": "sit", "seat": 1}});
    live.ask(sit).await.unwrap();
    live.close().await;
    bob.close().await;
    siege.end().await;
}

#[tokio::test]
async fn a_repeated_command_is_carried_out_once_and_ids_of_others_are_not_in_the_way() {
    let mut siege = Siege::begin(config().limits).await;
    let act = |action: &str| json!({"command": {"type": "act", "action": action}, "id": "same"});
    let path = format!("{}/commands", siege.path());
    let first = siege.players[1].post(&path, &act("a1b1")).await.unwrap();
    for action in ["a1b1", "c1d1", "nonsense"] {
        assert_eq!(siege.players[1].post(&path, &act(action)).await.unwrap(), first, "done before");
    }
    siege.players[0].post(&path, &act("c1d1")).await.expect("another one's id is another id");
    siege.position = siege.client.get(&siege.path()).await.unwrap();
    assert_eq!(siege.position["position"]["ply"], 3);
    siege.end().await;
}

#[tokio::test]
async fn names_and_talk_cannot_do_harm() {
    let siege = Siege::begin(config().limits).await;
    for name in ["", " ", "\u{0}", "a\u{0}b", "\u{202e}evil", "a\u{200b}b", "Admin", "x\n", &"x".repeat(10_000)] {
        let come = siege.client.post("/api/guests", &json!({"name": name})).await;
        // Spaces around a name are not part of it.
        assert_eq!(code(come), "malformed", "{name:?}");
    }
    let lone = siege.client.request(Method::POST, "/api/guests").body(r#"{"name":"\ud800\ud800"}"#);
    assert_eq!(lone.send().await.unwrap().status(), 400);
    let (mut ada, mut bob) = (siege.players[0].live().await.unwrap(), siege.players[1].live().await.unwrap());
    ada.ask(json!({"type": "watch", "table": siege.table})).await.unwrap();
    let say = |text: &str| json!({"type": "say", "table": siege.table, "text": text});
    bob.ask(say("a\u{0}b\u{1b}[31m\u{202e}c\u{2066} <script> \u{5d0}\u{200f}")).await.unwrap();
    for text in ["", " \n ", "\u{0}\n", "\u{202e}"] {
        assert_eq!(code(bob.ask(say(text)).await), "rate_limited", "{text:?}");
    }
    let said = loop {
        let message = ada.next().await.unwrap();
        if message["type"] == "said" {
            break message["remarks"][0]["text"].as_str().unwrap().to_owned();
        }
    };
    assert_eq!(said, "a b [31m c  <script> \u{5d0}\u{200f}");
    siege.holds("talk").await;
    ada.close().await;
    bob.close().await;
    siege.end().await;
}

#[tokio::test]
async fn frames_against_the_protocol_end_the_connection() {
    let siege = Siege::begin(config().limits).await;
    let longest = config().limits.message;
    let ping = br#"{"type":"ping","id":"a"}"#;
    let attacks: [(&str, Vec<u8>); 9] = [
        ("a binary message", frame(0x82, ping)),
        ("bytes that are no text", frame(0x81, b"\xff\xfe\xc0")),
        ("a compressed message", frame(0xc1, ping)),
        ("a kind of frame that does not exist", frame(0x83, ping)),
        ("a control frame that is too long", frame(0x89, &[0; 126])),
        ("a piece of nothing", frame(0x80, ping)),
        ("a message that is too long", frame(0x81, &vec![b' '; longest + 1])),
        ("too long in pieces", [frame(0x01, &vec![b' '; longest]), frame(0x80, b"  ")].concat()),
        ("a frame that says it is huge", [&[0x81, 0xff][..], &u64::MAX.to_be_bytes(), &[0; 4]].concat()),
    ];
    for (name, bytes) in attacks {
        let mut raw = Raw::upgrade(siege.address()).await;
        raw.send(&bytes).await;
        assert!(raw.is_closed().await, "{name}");
        siege.holds(name).await;
    }
    // Without a mask, which clients must have.
    let mut raw = Raw::upgrade(siege.address()).await;
    raw.send(&[&[0x81, ping.len() as u8][..], ping].concat()).await;
    assert!(raw.is_closed().await, "a frame without a mask");
    // A message in pieces with a question in between is one message.
    let mut raw = Raw::upgrade(siege.address()).await;
    raw.send(&[frame(0x01, &ping[..5]), frame(0x89, b"there?"), frame(0x80, &ping[5..])].concat()).await;
    assert!(raw.hears("\"type\":\"done\"").await);
    drop(raw);
    siege.end().await;
}

#[tokio::test]
async fn requests_that_make_no_sense_get_a_clear_answer() {
    let siege = Siege::begin(config().limits).await;
    let address = siege.address().to_owned();
    let table = siege.table.as_str().unwrap();
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    let post = |path: &str, body: &str| {
        let length = body.len();
        format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
        )
    };
    let long = "x".repeat(60_000);
    let requests: [(String, &str); 17] = [
        ("nonsense\r\n\r\n".to_owned(), "400"),
        (get("/api/tables/%00"), "404"),
        (get("/api/tables/%ff%fe"), "404"),
        (get("/api/tables/..%2f..%2fetc%2fpasswd"), "404"),
        (get("/../../etc/passwd"), "404"),
        (get(&format!("/api/tables/{table}/position?ply=-1")), "400"),
        (get(&format!("/api/tables/{table}/position?ply=18446744073709551615")), "404"),
        (get(&format!("/api/tables/{table}/position?ply=1e400")), "400"),
        (get(&format!("/api/tables/{table}/remarks?after=-9223372036854775808")), "200"),
        (get("/api/tables?limit=18446744073709551615"), "200"),
        (get("/api/tables?after=nonsense"), "400"),
        (get("/api/tables?from=9223372036854775807&before=-9223372036854775808"), "200"),
        (get("/api/players/%00"), "404"),
        (get(&format!("/{long}")), "431"),
        (format!("GET /healthz HTTP/1.1\r\nhost: a\r\nx: {long}\r\n\r\n"), "431"),
        (post("/api/guests", &format!("{{\"name\":\"{}\"}}", "x".repeat(70_000))), "400"),
        (post("/api/guests", &"[".repeat(60_000)), "400"),
    ];
    for (request, status) in requests {
        let answer = Raw::ask(&address, request.as_bytes()).await;
        let name = &request[..request.len().min(80)];
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{name}: {}", &answer[..answer.len().min(300)]);
        siege.holds(name).await;
    }
    // A client that has said all it wants to say, and still listens.
    assert!(Raw::ask_and_close(&address, get("/healthz").as_bytes()).await.contains("ok"));
    // A token that is nobody's.
    for token in ["", "1.", "x.y", "999999999999999999999999.abc", "1.\u{e9}"] {
        let answer = siege.client.request(Method::GET, "/api/me").header("authorization", format!("Bearer {token}"));
        assert_eq!(answer.send().await.unwrap().status(), 401, "{token}");
    }
    siege.holds("tokens").await;
    siege.end().await;
}

#[tokio::test]
async fn who_does_not_go_on_is_not_waited_for() {
    let patience = Duration::from_millis(300);
    let siege = Siege::begin(Limits { patience, ..config().limits }).await;
    for beginning in [
        "",
        "G",
        "GET /healthz HTTP/1.1\r\nhost: a\r\n",
        "POST /api/guests HTTP/1.1\r\nhost: a\r\ncontent-length: 20\r\n\r\n{",
    ] {
        let answer = timeout(Duration::from_secs(20), Raw::ask(siege.address(), beginning.as_bytes()));
        let answer = answer.await.unwrap_or_else(|_| panic!("waited for ever after {beginning:?}"));
        assert!(!answer.starts_with("HTTP/1.1 2"), "{answer}");
    }
    siege.holds("beginnings").await;
    siege.end().await;
}

#[tokio::test]
async fn who_never_reads_is_left_behind_and_the_others_are_told_everything() {
    let patience = Duration::from_millis(500);
    let siege = Siege::begin(Limits { patience, ..config().limits }).await;
    let eve = siege.client.guest("Eve").await.unwrap();
    let token = eve.token().unwrap();
    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "player", "user": eve.get("/api/me").await.unwrap()["id"]}]});
    let table = eve.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let mut deaf = Raw::upgrade_as(siege.address(), Some(token)).await;
    let mut following = Raw::connect(siege.address()).await;
    let stream = format!("GET /api/stream HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {token}\r\n\r\n");
    following.send(stream.as_bytes()).await;
    deaf.send(&frame(0x81, format!(r#"{{"type":"watch","id":"w","table":{table}}}"#).as_bytes())).await;
    let mut witness = siege.players[0].live().await.unwrap();
    witness.ask(json!({"type": "watch", "table": table})).await.unwrap();
    while (siege.load)().hub.watchers < 3 {
        sleep(Duration::from_millis(5)).await;
    }
    // As much as no network keeps for somebody who does not read.
    let mut sitter = siege.players[1].live().await.unwrap();
    let mut sent = 0_u64;
    while (siege.load)().connections > 2 {
        for order in [json!({"type": "sit", "seat": 0}), json!({"type": "leave"})] {
            sitter.ask(json!({"type": "command", "table": table, "command": order})).await.unwrap();
            sent += 1;
        }
        sitter.forget();
        assert!(sent < 200_000, "who never reads is still there");
        if sent.is_multiple_of(100) {
            // The witness reads all of it.
            witness.ask(json!({"type": "ping"})).await.unwrap();
            witness.forget();
        }
    }
    witness.ask(json!({"type": "ping"})).await.expect("the witness is not disturbed");
    siege.holds("deafness").await;
    drop((deaf, following));
    witness.close().await;
    sitter.close().await;
    siege.end().await;
}

#[tokio::test]
async fn a_crowd_from_one_address_stays_outside_and_those_inside_are_served() {
    let siege = Siege::begin(Limits { connections_per_address: 20, ..config().limits }).await;
    let mut inside = siege.players[0].live().await.unwrap();
    let mut crowd = Vec::new();
    for _ in 0..2_000 {
        crowd.push(Raw::connect(siege.address()).await);
    }
    let mut lives = Vec::new();
    inside.ask(json!({"type": "ping"})).await.expect("who is inside stays");
    drop(crowd);
    for _ in 0..200 {
        // The doors open again when the crowd has gone.
        match siege.players[1].live().await {
            Ok(live) => lives.push(live),
            Err(ClientError::Refused { code, .. }) if lives.len() >= 19 => assert_eq!(code, "rate_limited"),
            Err(_) => sleep(Duration::from_millis(20)).await,
        }
    }
    assert_eq!(lives.len(), 19, "with the first one it is full");
    inside.ask(json!({"type": "ping"})).await.expect("who is inside stays");
    lives.clear();
    inside.close().await;
    siege.is_deserted().await;
    siege.holds("a crowd").await;
    siege.end().await;
}

#[tokio::test]
async fn floods_are_slowed_down_and_guesses_are_counted() {
    let limits = Limits { messages_per_second: 50, requests_per_minute: 300, ..config().limits };
    let siege = Siege::begin(limits).await;
    let mut flood = Raw::upgrade(siege.address()).await;
    for _ in 0..2_000 {
        if !flood.try_send(&frame(0x89, b"?")).await {
            break;
        }
    }
    siege.holds("a flood of pings").await;
    drop(flood);
    siege.client.register("Grace", "correct horse battery").await.unwrap();
    let mut answers = Vec::new();
    for guess in 0..30 {
        answers.push(code(siege.client.log_in("Grace", &format!("guess number {guess}")).await));
    }
    assert_eq!(answers[0], "unauthenticated");
    assert_eq!(answers.last().unwrap(), "rate_limited", "{answers:?}");
    siege.holds("guesses").await;
    let mut refused = 0;
    for _ in 0..400 {
        let answer = siege.client.get("/api/games").await;
        refused += usize::from(answer.is_err_and(|error| matches!(error, ClientError::Refused { status: 429, .. })));
    }
    assert!(refused > 50, "{refused}");
    siege.end().await;
}

/// A message near a good one.
fn mutated(table: &Value, actions: &[String], rng: &mut Xoshiro256PlusPlus) -> String {
    let action = actions.choose(rng).unwrap();
    let seat = rng.random_range(0..4);
    let commands = [
        json!({"type": "act", "action": action}),
        json!({"type": "act", "action": action, "ply": rng.random_range(0..60)}),
        json!({"type": "sit", "seat": seat}),
        json!({"type": "leave"}),
        json!({"type": "abort"}),
        json!({"type": "resign"}),
        json!({"type": "offer_draw"}),
        json!({"type": "answer_draw", "accept": true}),
        json!({"type": "ask_undo"}),
        json!({"type": "answer_undo", "grant": true}),
        json!({"type": "rematch"}),
    ];
    let id = rng.random_range(0..50).to_string();
    let messages = [
        json!({"type": "watch", "id": id, "table": table, "since": rng.random_range(0..80)}),
        json!({"type": "unwatch", "id": id, "table": table}),
        json!({"type": "command", "id": id, "table": table, "command": commands.choose(rng).unwrap()}),
        json!({"type": "command", "id": id, "table": table, "command": commands.choose(rng).unwrap()}),
        json!({"type": "say", "id": id, "table": table, "text": "x".repeat(rng.random_range(0..600))}),
        json!({"type": "watch_lobby", "id": id}),
        json!({"type": "unwatch_lobby", "id": id}),
        json!({"type": "ping", "id": id}),
    ];
    let mut text: Vec<char> = messages.choose(rng).unwrap().to_string().chars().collect();
    for _ in 0..rng.random_range(0..3) {
        let at = rng.random_range(0..text.len());
        match rng.random_range(0..4) {
            0 => drop(text.remove(at)),
            1 => text.insert(at, *['"', '{', '}', '0', '9', '-', 'e', '\\', '\u{0}', '\u{202e}'].choose(rng).unwrap()),
            2 => text[at] = char::from(rng.random_range(32..127_u8)),
            _ => text.truncate(at + 1),
        }
    }
    text.into_iter().collect()
}

#[tokio::test]
async fn two_people_play_to_the_end_among_thousands_of_bad_messages() {
    let siege = Siege::begin(config().limits).await;
    let players = [siege.client.guest("Cleo").await.unwrap(), siege.client.guest("Dan").await.unwrap()];
    let users = [players[0].get("/api/me").await.unwrap(), players[1].get("/api/me").await.unwrap()];
    let seats = users.each_ref().map(|user| json!({"kind": "player", "user": user["id"]}));
    let setup = json!({"game": "x-marks-the-spot", "seats": seats});
    let table = players[0].post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let actions: Vec<String> =
        ["draw", "pass", "place cr 0,0 e", "cannon 0,0", "accept", "+cr", "flag:c"].map(str::to_owned).to_vec();
    let mut attackers = Vec::new();
    for number in 0..4_u64 {
        let (table, actions) = (table.clone(), actions.clone());
        let client = siege.client.guest(&format!("Eve {number}")).await.unwrap();
        attackers.push(tokio::spawn(async move {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
            let (mut sent, mut connections) = (0, 0);
            while sent < 1_500 {
                let mut live = client.live().await.unwrap();
                connections += 1;
                // Some listen, and some only talk.
                let listens = rng.random_bool(0.8);
                while sent < 1_500 && rng.random_range(0..200) > 0 {
                    sent += 1;
                    let text = mutated(&table, &actions, &mut rng);
                    if live.send_text(text.into()).await.is_err() {
                        break;
                    }
                    if listens && timeout(Duration::from_secs(5), live.next()).await == Ok(None) {
                        break;
                    }
                }
            }
            connections
        }));
    }
    let playing = play_out(&table, &players, 11);
    let ending = timeout(Duration::from_mins(1), playing).await.expect("the game goes on");
    let mut connections = 0;
    for attacker in attackers {
        connections += attacker.await.unwrap();
    }
    assert!(connections > 8, "{connections}");
    siege.holds("thousands of messages").await;
    let seen = siege.client.get(&format!("/api/tables/{}", table.as_str().unwrap())).await.unwrap();
    let folder = siege.end().await;
    let store = Store::sqlite(folder.path().join("quincunx.db")).await.unwrap();
    let id = TableId(table.as_str().unwrap().to_owned());
    let log = store.entries(&id, 0, 10_000).await.unwrap();
    let is_player = |by: UserId| users.iter().any(|user| user["id"] == by.0);
    assert!(log.iter().all(|line| line.by.is_none_or(is_player)), "nobody else has done anything");
    let state = State::replay(GAMES, id, &log).unwrap();
    assert_eq!(json!(state.ending), ending);
    assert_eq!(json!(state.version), seen["version"]);
    store.close().await;
}
