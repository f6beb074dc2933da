//! The scripts of table behaviour at a server with SQLite: the same requests, the same messages as at a host in process.

#[path = "../../table/tests/suite/mod.rs"]
mod suite;
mod support {
    pub mod server;
}

use std::time::Duration;

use quincunx_client::Live;
use serde_json::{Value, json};
use suite::{Names, Script};
use support::server::TestServer;

/// The next message that is compared.
async fn next(live: &mut Live, names: &mut Names) -> Value {
    loop {
        let message = tokio::time::timeout(Duration::from_secs(60), live.next()).await;
        let message = message.expect("a message in time").expect("the connection lasts");
        if let Some(heard) = names.heard(&message) {
            return heard;
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
            // The person who asks hears the answer last, and by then the table may have a name.
            let mut order: Vec<usize> = (0..lives.len()).collect();
            order.sort_by_key(|&place| place != step.by);
            for place in order {
                for expected in &step.heard[place] {
                    let heard = next(&mut lives[place], &mut names).await;
                    let told = format!("{}, step {number}: {}, person {place}", path.display(), step.request);
                    assert_eq!(without_names(heard), without_names(expected.clone()), "{told}");
                }
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
