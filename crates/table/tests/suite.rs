//! The scripts of table behaviour at a host in this process.

#[path = "suite/mod.rs"]
mod suite;

use std::fs;

use quincunx_games::GAMES;
use quincunx_table::{ConnectionId, Effect, Host, Person, UserId, UserKind};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};
use suite::{Names, Script, is_compared};

/// Plays a script; gives it with what was heard.
fn played(script: &Script) -> Script {
    let mut host = Host::new(GAMES);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut names, mut now) = (Names::default(), 1_000);
    let mut connections: Vec<ConnectionId> = Vec::new();
    for (place, name) in script.people.iter().enumerate() {
        let person = Person { id: UserId(place as i64 + 40), name: name.clone(), kind: UserKind::Guest };
        let (connection, welcome) = host.connect(Some(person), now);
        names.note_person(place, &json!(welcome));
        connections.push(connection);
    }
    let mut played = script.clone();
    for (number, step) in played.steps.iter_mut().enumerate() {
        now += 1_000;
        let request = serde_json::from_value(names.request(number, &step.request)).expect("a request");
        step.heard = vec![Vec::new(); connections.len()];
        let effects = host.handle(connections[step.by], request, now, &mut rng);
        let sent: Vec<(ConnectionId, Value)> = effects
            .into_iter()
            .filter_map(|effect| match effect {
                Effect::Send { to, message } => Some((to, json!(message))),
                _ => None,
            })
            .collect();
        for (_, message) in &sent {
            names.note_table(message);
        }
        for (to, message) in sent.iter().filter(|(_, message)| is_compared(message)) {
            let place = connections.iter().position(|connection| connection == to).expect("a connection");
            step.heard[place].push(names.heard(message));
        }
    }
    played
}

#[test]
fn a_host_answers_as_the_scripts_say() {
    for (path, script) in Script::all() {
        let played = played(&script);
        if std::env::var_os("WRITE_SUITE").is_some() {
            fs::write(&path, played.to_text()).unwrap();
            continue;
        }
        for (number, (said, heard)) in script.steps.iter().zip(&played.steps).enumerate() {
            assert_eq!(json!(heard.heard), json!(said.heard), "{}, step {number}: {}", path.display(), said.request);
        }
    }
}
