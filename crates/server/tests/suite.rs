//! The scripts of table behaviour at a server with SQLite: the same requests, the same messages as at a host in process.

#[path = "../../table/tests/suite/mod.rs"]
mod suite;
mod support {
    pub mod server;
}

use std::time::Duration;

use quincunx_client::Live;
use serde_json::{Value, json};
use suite::{Names, Script, is_compared};
use support::server::TestServer;

/// The next message that is compared.
async fn next(live: &mut Live) -> Value {
    loop {
        let message = tokio::time::timeout(Duration::from_mins(1), live.next()).await;
        let message = message.expect("a message in time").expect("the connection lasts");
        if is_compared(&message) {
            return message;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_answers_as_the_scripts_say() {
    let server = TestServer::alone().await;
    for (path, script) in Script::all() {
        let mut names = Names::default();
        let mut lives = Vec::new();
        for place in 0..script.people.len() {
            let mut live = server.guest().await.live().await.unwrap();
            names.note_person(place, &live.next().await.unwrap());
            lives.push(live);
        }
        for (number, step) in script.steps.iter().enumerate() {
            let request = names.request(number, &step.request);
            lives[step.by].send(&request).await.unwrap();
            let mut heard = vec![Vec::new(); lives.len()];
            for (place, live) in lives.iter_mut().enumerate() {
                for _ in &step.heard[place] {
                    heard[place].push(next(live).await);
                }
            }
            for message in heard.iter().flatten() {
                names.note_table(message);
            }
            for (place, (heard, expected)) in heard.iter().zip(&step.heard).enumerate() {
                let told = format!("{}, step {number}: {}, person {place}", path.display(), step.request);
                let heard: Vec<Value> = heard.iter().map(|message| without_names(names.heard(message))).collect();
                let expected: Vec<Value> = expected.iter().cloned().map(without_names).collect();
                assert_eq!(heard, expected, "{told}");
            }
        }
    }
    server.stop().await;
}

/// Guests at a server have names that nobody else has.
fn without_names(mut message: Value) -> Value {
    if let Some(seats) = message.get_mut("seats").and_then(Value::as_array_mut) {
        seats.iter_mut().filter(|seat| !seat["name"].is_null()).for_each(|seat| seat["name"] = json!("name"));
    }
    if let Some(events) = message.get_mut("events").and_then(Value::as_array_mut) {
        events.iter_mut().filter(|event| event.get("name").is_some()).for_each(|event| event["name"] = json!("name"));
    }
    message
}
