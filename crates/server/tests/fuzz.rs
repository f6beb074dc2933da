//! The fuzz target of what a live connection hears, run for a fixed time on inputs near valid ones.

#[path = "../../../fuzz/live.rs"]
mod entry;

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus, seq::IndexedRandom};

const TIME: Duration = Duration::from_secs(3);

/// What two players and others say in a game; `%` is where somebody who speaks stands.
const LINES: [&str; 22] = [
    r#"%{"type":"command","id":"a","table":"$","command":{"type":"sit","seat":0}}"#,
    r#"%{"type":"command","id":"b","table":"$","command":{"type":"sit","seat":1}}"#,
    r#"%{"type":"command","id":"c","table":"$","command":{"type":"act","action":"e5f5"}}"#,
    r#"%{"type":"command","id":"d","table":"$","command":{"type":"act","action":"a1b1","ply":1}}"#,
    r#"%{"type":"command","id":"e","table":"$","command":{"type":"act","action":"draw"}}"#,
    r#"%{"type":"command","id":"f","table":"$","command":{"type":"act","action":"O3"}}"#,
    r#"%{"type":"command","id":"g","table":"$","command":{"type":"act","action":"c3"}}"#,
    r#"%{"type":"command","id":"h","table":"$","command":{"type":"offer_draw"}}"#,
    r#"%{"type":"command","id":"i","table":"$","command":{"type":"answer_draw","accept":false}}"#,
    r#"%{"type":"command","id":"j","table":"$","command":{"type":"ask_undo"}}"#,
    r#"%{"type":"command","id":"k","table":"$","command":{"type":"answer_undo","grant":true}}"#,
    r#"%{"type":"command","id":"l","table":"$","command":{"type":"resign"}}"#,
    r#"%{"type":"command","id":"m","table":"$","command":{"type":"rematch"}}"#,
    r#"%{"type":"command","id":"n","table":"$","command":{"type":"leave"}}"#,
    r#"%{"type":"command","id":"o","table":"$","command":{"type":"abort"}}"#,
    r#"%{"type":"watch","id":"p","table":"$"}"#,
    r#"%{"type":"watch","id":"q","table":"$","since":3,"heard":1,"invitation":"x"}"#,
    r#"%{"type":"unwatch","id":"r","table":"$"}"#,
    r#"%{"type":"say","id":"s","table":"$","text":"hello"}"#,
    r#"%{"type":"watch_lobby","id":"t"}"#,
    r#"%{"type":"unwatch_lobby","id":"u"}"#,
    r#"%{"type":"ping","id":"v"}"#,
];

#[test]
fn a_log_tells_the_state_of_its_table_whatever_was_said() {
    let started = Instant::now();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut talks = 0;
    while started.elapsed() < TIME || talks < 20 {
        let mut input = vec![rng.random()];
        // Most talks begin with two who sit down.
        let both = LINES[..2].iter().zip(['0', '1']).map(|(line, who)| line.replacen('%', &who.to_string(), 1));
        let begun = rng.random_bool(0.8).then_some(both).into_iter().flatten();
        let others: Vec<String> = (0..rng.random_range(0..30))
            .map(|_| {
                let speaker = char::from(rng.random_range(b'0'..b'4')).to_string();
                LINES.choose(&mut rng).expect("there are some").replacen('%', &speaker, 1)
            })
            .collect();
        input.extend(begun.chain(others).collect::<Vec<_>>().join("\n").into_bytes());
        for _ in 0..rng.random_range(0..6) {
            let at = rng.random_range(0..=input.len());
            match rng.random_range(0..3) {
                0 => input.insert(at, rng.random()),
                1 => input.insert(at, b"0123456789-\"{}:,\n$abcdefgh"[rng.random_range(0..26)]),
                _ => drop(input.splice(at..input.len().min(at + rng.random_range(0..9)), [])),
            }
        }
        entry::live(&input);
        talks += 1;
    }
}
