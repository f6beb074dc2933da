use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use quincunx_table::Command;
use serde_json::json;
use tokio::sync::mpsc::UnboundedSender;

use super::*;

/// An actor without a connection, what it tells, and what it orders from itself.
struct Bench<T> {
    actor: Actor<T>,
    told: Arc<Mutex<Vec<Event>>>,
    work: UnboundedReceiver<Work>,
    _own: UnboundedSender<Work>,
}

fn bench() -> Bench<impl Fn(Event) + Clone + Send + Sync + 'static> {
    let told = Arc::new(Mutex::new(Vec::new()));
    let (own, work) = unbounded_channel();
    let heard = told.clone();
    let tell = move |event: Event| heard.lock().unwrap().push(event);
    let client = Client::new("http://127.0.0.1:9").unwrap();
    Bench { actor: Actor::new(client, tell, own.downgrade()), told, work, _own: own }
}

fn table() -> TableId {
    TableId("t".to_owned())
}

impl<T: Fn(Event) + Clone + Send + Sync + 'static> Bench<T> {
    fn told(&self) -> Vec<Event> {
        std::mem::take(&mut self.told.lock().unwrap())
    }

    fn sent(&mut self) -> Vec<Value> {
        let sent = std::mem::take(&mut self.actor.outbox);
        sent.into_iter().map(|request| serde_json::to_value(request).unwrap()).collect()
    }

    fn hear(&mut self, message: Value) {
        self.actor.hear(&message.to_string());
    }

    fn watch(&mut self) -> Value {
        self.actor.obey(Order::Watch { table: table(), invitation: None });
        self.sent().remove(0)
    }

    fn resign(&mut self, id: &str) {
        let request = Request::Command { id: id.to_owned(), table: table(), seat: None, command: Command::Resign };
        self.actor.obey(Order::Send(Box::new(request)));
    }

    fn greet(&mut self) {
        let welcome = Message::Welcome { protocol: PROTOCOL, user: None, now: 0 };
        self.actor.greeted(&welcome.to_text()).unwrap();
    }
}

/// A table of two after so many lines of its log, none of them a move.
fn snapshot(version: u64) -> Value {
    json!({
        "type": "snapshot", "table": "t", "host": 1, "viewer": null, "log": [], "version": version,
        "setup": {"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]},
        "position": {
            "game": "trexo", "options": {}, "seats": 2, "ply": 0, "turn": {"kind": "seat", "seat": 0}, "actions": [],
            "scores": [0, 0], "outcome": null, "view": {},
        },
        "status": "playing", "seats": [], "clocks": null, "draw_offer": null, "undo": null, "ending": null,
        "rematch": null,
    })
}

fn update(from: u64, version: u64) -> Value {
    json!({
        "type": "update", "table": "t", "from": from, "version": version, "at": 0,
        "events": [{"type": "acted", "seat": 0, "action": "e5f5"}], "turn": {"kind": "seat", "seat": 1},
        "scores": [0, 0], "offers": ["e6f6"], "view": {"cells": []},
    })
}

#[test]
fn pauses_grow_up_to_some_seconds() {
    let pauses: Vec<Duration> = (0..12).map(|attempt| pause_before(attempt, 1.0)).collect();
    assert!(pauses.is_sorted(), "{pauses:?}");
    assert_eq!((pauses[0], pauses[11]), (SHORTEST_PAUSE, LONGEST_PAUSE));
    assert!(pause_before(u32::MAX, 0.0) < LONGEST_PAUSE);
}

#[test]
fn what_was_not_answered_is_sent_again_in_its_order() {
    let mut bench = bench();
    bench.watch();
    bench.actor.obey(Order::WatchLobby(true));
    for id in ["1", "2", "3"] {
        bench.resign(id);
    }
    bench.sent();
    bench.hear(json!({"type": "done", "id": "2", "version": 7}));
    assert_eq!(bench.told().len(), 1);
    bench.greet();
    let said = bench.sent();
    let kinds: Vec<&str> = said.iter().filter_map(|message| message["type"].as_str()).collect();
    assert_eq!(kinds, ["watch", "watch_lobby", "command", "command"]);
    assert_eq!((&said[2]["id"], &said[3]["id"]), (&json!("1"), &json!("3")));
    // An answer that comes twice is told once.
    bench.told();
    for _ in 0..2 {
        bench.hear(json!({"type": "refused", "id": "1", "code": "not_allowed", "reason": "the game is over"}));
    }
    let answer = Event::Answered { id: "1".to_owned(), answer: Err("The game is over.".to_owned()) };
    assert_eq!(bench.told(), [answer]);
}

#[tokio::test]
async fn what_may_have_been_done_or_not_is_sent_again_with_the_same_id() {
    let mut bench = bench();
    bench.resign("1");
    bench.sent();
    bench.hear(json!({"type": "refused", "id": "1", "code": "unknown", "reason": "who knows"}));
    assert!(bench.told().is_empty());
    let again = bench.work.recv().await.unwrap();
    bench.actor.take(again);
    assert_eq!(bench.sent()[0]["id"], "1");
}

#[test]
fn a_move_is_folded_in_and_nothing_is_fetched() {
    let mut bench = bench();
    let asked = bench.watch();
    assert_eq!((&asked["full"], &asked["since"]), (&json!(true), &Value::Null));
    bench.hear(snapshot(4));
    bench.hear(json!({"type": "done", "id": asked["id"], "version": 4}));
    bench.hear(update(4, 5));
    // The same again, as after a lost connection, is nothing new.
    bench.hear(update(4, 5));
    let told = bench.told();
    let [Event::Table(before), Event::Table(after)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((before.version, after.version, after.log.len()), (4, 5, 1));
    assert_eq!(after.position.actions[0].action, "e6f6");
    assert!(bench.sent().is_empty());
    // A new connection goes on from there.
    bench.greet();
    assert_eq!(bench.sent()[0]["since"], 5);
}

#[test]
fn a_gap_asks_for_the_whole_table_once() {
    let mut bench = bench();
    let asked = bench.watch();
    // What comes before the first snapshot is in it.
    bench.hear(update(3, 4));
    bench.hear(snapshot(4));
    bench.hear(json!({"type": "done", "id": asked["id"]}));
    assert!(bench.sent().is_empty());
    bench.hear(update(6, 7));
    bench.hear(update(7, 8));
    let again = bench.sent();
    assert_eq!((again.len(), &again[0]["since"]), (1, &Value::Null));
    bench.hear(snapshot(8));
    bench.hear(json!({"type": "done", "id": again[0]["id"]}));
    // An update that cannot be read is a gap too.
    bench.hear(json!({"type": "update", "table": "t", "events": "many"}));
    assert_eq!(bench.sent().len(), 1);
}

#[test]
fn another_person_sees_everything_anew() {
    let mut bench = bench();
    bench.watch();
    bench.hear(snapshot(4));
    let client = Client::new("http://127.0.0.1:9").unwrap();
    assert!(bench.actor.take(Work::Become(Box::new(client))), "a reason to connect");
    bench.greet();
    assert_eq!(bench.sent()[0]["since"], Value::Null);
}

#[test]
fn what_cannot_be_read_is_said_if_it_matters() {
    let mut bench = bench();
    let asked = bench.watch();
    bench.hear(json!({"type": "snapshot", "table": "t", "log": 3}));
    assert!(matches!(&bench.told()[0], Event::Denied { why, .. } if why.contains("cannot read")));
    let newer = json!({"type": "fireworks", "colour": "red"});
    for nonsense in [json!(null), json!([1, 2]), json!({"type": 7}), json!({"type": "done"}), json!("hello"), newer] {
        bench.hear(nonsense);
    }
    bench.actor.hear("no JSON");
    bench.hear(json!({"type": "refused", "id": asked["id"], "code": "not_found", "reason": "no such table"}));
    assert_eq!(bench.told(), [Event::Denied { table: table(), why: "No such table.".to_owned() }]);
    assert!(bench.actor.watched.is_empty());
}

#[test]
fn another_version_of_the_protocol_is_told() {
    let mut bench = bench();
    bench.actor.greeted(r#"{"type":"welcome","protocol":9,"user":null,"now":5}"#).unwrap();
    assert!(matches!(&bench.told()[0], Event::Connected(Welcome { foreign: true, .. })));
    let why = bench.actor.greeted(r#"{"type":"hello","protocol":9}"#).unwrap_err();
    assert_eq!(why, "the server speaks version 9 of the protocol, and this program version 2");
    assert!(bench.actor.greeted("hello").unwrap_err().contains("nonsense"));
}

/// What is told of a server that answers every connection with this text, until it is told that it is lost.
fn lost(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = Client::new(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    let (sender, events) = mpsc::channel();
    let connection = Connection::open(client, move |news| drop(sender.send(news))).unwrap();
    let mut why = String::new();
    // It tries again by itself.
    for _ in 0..2 {
        let news = events.recv_timeout(Duration::from_mins(1)).expect("something is told");
        assert_eq!(news.connection, connection.number());
        let Event::Lost { why: now, .. } = news.event else { panic!("{news:?}") };
        why = now;
    }
    drop(connection);
    // With the last copy the thread ends, and lets go of the way to tell.
    while events.recv_timeout(Duration::from_mins(1)).is_ok() {}
    why
}

#[test]
fn a_server_that_answers_nonsense_is_told_in_a_sentence() {
    let page = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    assert!(lost(page).starts_with("The server cannot be reached: "));
    assert!(lost("hello, who is there?\r\n\r\n").starts_with("The server cannot be reached: "));
    assert!(lost("").starts_with("The server cannot be reached: "));
}

#[test]
fn reasons_become_sentences() {
    assert_eq!(sentence("the game is over"), "The game is over.");
    assert_eq!(sentence("Who are you?"), "Who are you?");
    assert_eq!(sentence(" "), "");
}
