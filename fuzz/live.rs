//! What a live connection hears, fuzzed: bytes become messages of several people at a table. The target in
//! `fuzz_targets/live.rs` calls it, and so does an ordinary test, for a fixed time, on stable Rust.

use std::collections::HashSet;

use quincunx_server::cluster::{Alone, Owner, Thinkers};
use quincunx_server::hub::{Hub, Inbox, Outbox, Watch};
use quincunx_server::store::Store;
use quincunx_table::protocol::Request;
use quincunx_table::{Job, Person, State, Subscription, TableId, UserId, UserKind, position_at};
use serde_json::{Value, json};

const GAMES: [&str; 5] = ["trexo", "mod-x", "figures", "castle-builders", "x-marks-the-spot"];
/// More lines than this tell nothing new.
const LINES: usize = 200;

/// Engines that never answer.
struct Silent;

impl Thinkers for Silent {
    fn ask(&self, _: Job, _: Vec<Owner>, _: &Hub) {}

    fn gone_on(&self, _: &TableId, _: u64) {}

    fn stop(&self) {}
}

/// Lines of messages after a byte that picks a game: the first byte of a line says who speaks, and `$` stands for the table.
/// Whatever is said, the log grows line by line and tells the state of the table, and what is told is JSON.
pub fn live(data: &[u8]) {
    let Some((&game, text)) = data.split_first() else { return };
    let game = GAMES[usize::from(game) % GAMES.len()];
    let text = String::from_utf8_lossy(text);
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(talk(game, &text));
}

async fn talk(game: &str, text: &str) {
    let store = Store::memory();
    let hub = Hub::with_thinkers(store.clone(), Alone, Silent, || 1_000).expect("random numbers");
    let people = [1, 2, 3].map(|id| Person { id: UserId(id), name: format!("Guest {id}"), kind: UserKind::Guest });
    let setup = json!({"game": game, "seats": [{"kind": "open"}, {"kind": "open"}]});
    let setup = serde_json::from_value(setup).expect("a set-up");
    let table = hub.create(setup, &people[0], None).await.expect("a table").table;
    let mut clients: Vec<(Outbox, Inbox)> = Vec::new();
    for person in people.into_iter().map(Some).chain([None]) {
        clients.push(Outbox::new(person, false, HashSet::new()));
    }
    let mut version = version_of(&store, &table).await;
    for line in text.lines().take(LINES) {
        let Some(speaker) = line.chars().next() else { continue };
        let who = speaker as usize % clients.len();
        let message = line[speaker.len_utf8()..].replace('$', &table.0);
        if let Ok(request) = serde_json::from_str::<Request>(&message) {
            carry_out(&hub, &clients[who].0, request).await;
        }
        let now = version_of(&store, &table).await;
        assert!(now >= version, "a log does not shrink");
        version = now;
        for (_, inbox) in &mut clients {
            while let Some(told) = inbox.ready() {
                serde_json::from_str::<Value>(&told).expect("what is told is JSON");
            }
        }
    }
    let log = store.entries(&table, 0, usize::MAX).await.expect("memory answers");
    let state = State::replay(quincunx_games::GAMES, table.clone(), &log).expect("what was written can be read");
    let told = hub.look(&table, None, None, |live| (live.version, live.status, live.game.record().to_text())).await;
    assert_eq!(told, Ok((state.version, state.status, state.game.record().to_text())));
}

async fn version_of(store: &Store, table: &TableId) -> u64 {
    store.versions(std::slice::from_ref(table)).await.expect("memory answers")[0].1
}

/// As a connection does: what is refused is refused.
async fn carry_out(hub: &Hub, outbox: &Outbox, request: Request) {
    match request {
        Request::Watch { table, invitation, since, heard, full, .. } => {
            let _ = hub.watch(&table, outbox, Watch { invitation: invitation.as_deref(), since, heard, full }).await;
        }
        Request::Unwatch { table, .. } => hub.unwatch(&table, outbox),
        Request::Command { id, table, seat, command } => {
            if let Some(person) = outbox.person() {
                let _ = hub.command(&table, person, seat, &command, Some(&id)).await;
            }
        }
        Request::Say { id, table, text } => {
            if let Some(person) = outbox.person() {
                let _ = hub.say(&table, person, None, &text, &id).await;
            }
        }
        Request::WatchLobby { .. } => hub.watch_lobby(outbox),
        Request::UnwatchLobby { .. } => hub.unwatch_lobby(outbox),
        Request::Position { table, ply, .. } => {
            let user = outbox.user();
            let _ = hub.look(&table, user, None, |state| position_at(state, Subscription::of(user), ply)).await;
        }
        // These are refused, or go the way of a request over HTTP.
        Request::Check { .. }
        | Request::Create { .. }
        | Request::Look { .. }
        | Request::Open { .. }
        | Request::Ping { .. } => {}
    }
}
