//! What is fuzzed: everything that reads what comes from outside. The targets in `fuzz_targets/` call these, and so does
//! an ordinary test, for a fixed time, on stable Rust.
#![allow(dead_code, reason = "each fuzz target uses one of them")]

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use quincunx_core::{DynSession, Record, Turn, Viewer};
use quincunx_engine::Clock;
use quincunx_games::GAMES;
use quincunx_rpc::Rpc;
use rand::{Rng, RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

/// Actions of a random game before an action is tried: enough to come into every phase.
const DEEPEST: u64 = 120;

/// A record, as text or as JSON: whatever is accepted is written, read and played again to the same end.
pub fn record(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for record in [Record::parse(&text), Record::from_json(&text)].into_iter().flatten() {
        let Ok(table) = record.replay(GAMES) else { continue };
        let written = table.record().to_text();
        let again = Record::parse(&written).expect("what we write can be read").replay(GAMES);
        assert_eq!(again.expect("what we write can be played").record().to_text(), written);
    }
}

/// An action text (after eight bytes that pick a position) by every seat: accepted or refused, and refused without a
/// trace.
pub fn action(data: &[u8]) {
    let Some((head, text)) = data.split_first_chunk::<8>() else { return };
    let seed = u64::from_le_bytes(*head);
    let text = String::from_utf8_lossy(text);
    let mut table = random_table(seed);
    for seat in (0..4).map(Some).chain([None]) {
        let before = snapshot(&*table);
        if table.apply(seat, &text).is_ok() {
            table.undo(1).expect("an action was made");
        }
        assert_eq!(snapshot(&*table), before);
    }
}

/// A table some random actions into a game.
pub fn random_table(seed: u64) -> Box<dyn DynSession> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let kind = GAMES[rng.random_range(0..GAMES.len())];
    let seats = kind.seats()[rng.random_range(0..kind.seats().len())];
    let mut table = kind.start(Some(u64::from(seats)), &json!({})).expect("the defaults are good");
    for _ in 0..rng.random_range(0..DEEPEST) {
        step(&mut *table, &mut rng);
    }
    table
}

/// Makes a random action, unless the game is over.
pub fn step(table: &mut dyn DynSession, rng: &mut impl Rng) {
    match table.turn() {
        Turn::Over => {}
        Turn::Chance => drop(table.draw(rng).expect("it is a chance turn")),
        Turn::Seat(seat) => {
            let actions = table.offers(seat);
            let action = &actions[rng.random_range(0..actions.len())];
            table.apply(None, action).expect("an offered action is legal");
        }
    }
}

fn snapshot(table: &dyn DynSession) -> String {
    json!(table.position(Viewer::Everything)).to_string()
}

/// A clock on which a minute passes between two looks: however long an engine may think, it is soon over.
#[derive(Default)]
struct Leaping(AtomicU64);

impl Clock for Leaping {
    fn now(&self) -> Duration {
        Duration::from_secs(60 * self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// Lines of JSON-RPC: every answer is one line of JSON, and the process goes on answering.
pub fn rpc(data: &[u8]) {
    let mut rpc = Rpc::new(GAMES, Box::new(Xoshiro256PlusPlus::seed_from_u64(1)), Box::new(Leaping::default()));
    for line in String::from_utf8_lossy(data).lines() {
        if let Some(answer) = rpc.line(line) {
            assert!(!answer.contains('\n'));
            serde_json::from_str::<Value>(&answer).expect("an answer is JSON");
        }
    }
    let answer = rpc.line(r#"{"jsonrpc":"2.0","id":"last","method":"games"}"#).expect("a call is answered");
    assert!(answer.contains(r#""id":"last""#));
}

/// Options of every game: refused with a reason, or a game that can be begun.
pub fn options(data: &[u8]) {
    let Ok(options) = serde_json::from_slice::<Value>(data) else { return };
    for kind in GAMES {
        for &seats in kind.seats() {
            match kind.start(Some(u64::from(seats)), &options) {
                Err(error) => assert!(!error.to_string().is_empty()),
                Ok(mut table) => {
                    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
                    for _ in 0..12 {
                        step(&mut *table, &mut rng);
                    }
                    let record = table.record().to_text();
                    Record::parse(&record).expect("what we write can be read").replay(GAMES).expect("and played");
                }
            }
        }
    }
}
