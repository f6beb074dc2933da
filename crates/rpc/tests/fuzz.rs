//! The fuzz targets of `fuzz/`, run for a fixed time on inputs near valid ones: on stable Rust, in every test run.

#[path = "../../../fuzz/entry.rs"]
mod entry;

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

const TIME: Duration = Duration::from_secs(3);

/// Feeds `target` with mutated seeds until the time is over; every seed itself goes first.
fn fuzz(seeds: &[Vec<u8>], target: fn(&[u8])) {
    let started = Instant::now();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for seed in seeds {
        target(seed);
    }
    while started.elapsed() < TIME {
        let mut input = seeds[rng.random_range(0..seeds.len())].clone();
        for _ in 0..rng.random_range(1..6) {
            mutate(&mut input, seeds, &mut rng);
        }
        target(&input);
    }
}

fn mutate(input: &mut Vec<u8>, seeds: &[Vec<u8>], rng: &mut Xoshiro256PlusPlus) {
    let at = rng.random_range(0..=input.len());
    match rng.random_range(0..6) {
        0 if at < input.len() => input[at] = rng.random(),
        1 if at < input.len() => drop(input.remove(at)),
        2 => input.insert(at, b"0123456789-+*!?,;:(){}[]\" \nacegknorsw"[rng.random_range(0..37)]),
        3 => input.truncate(at),
        // A piece of the input again, or of another one: numbers grow, lines repeat, forms mix.
        4 => {
            let other = &seeds[rng.random_range(0..seeds.len())];
            let start = rng.random_range(0..=other.len());
            let end = rng.random_range(start..=other.len().min(start + 40));
            input.splice(at..at, other[start..end].iter().copied());
        }
        _ => {
            let end = rng.random_range(at..=input.len().min(at + 20));
            drop(input.splice(at..end, []));
        }
    }
}

#[test]
fn records_are_read_or_refused() {
    let records = (0..20).map(|seed| entry::random_table(seed).record());
    let seeds: Vec<Vec<u8>> =
        records.flat_map(|record| [record.to_text().into_bytes(), record.to_json().to_string().into_bytes()]).collect();
    fuzz(&seeds, entry::record);
}

#[test]
fn actions_are_made_or_refused_without_a_trace() {
    let texts = [
        "e5f5",
        "swap",
        "*c3",
        "c3",
        "!c3",
        "done",
        "+r",
        "a1c3",
        "-r",
        "+O",
        "O3",
        "Bv3",
        "R",
        "K3",
        "S",
        "flag:c",
        "+cannon",
        "place cr 0,0 e",
        "place cc -2147483648,2147483647 n",
        "cannon 0,0",
        "heading 0,0 cr n",
        "parlay 2 n3",
        "accept",
        "counter n2",
        "force",
        "open",
        "offer n1",
        "decline",
        "take 3",
        "give cr cannon",
        "plunder 2",
        "plunder discard cr",
        "steal cr",
        "draw",
        "scuttle",
        "pass",
    ];
    let mut seeds = Vec::new();
    for (index, text) in texts.iter().cycle().take(400).enumerate() {
        seeds.push([&(index as u64).to_le_bytes()[..], text.as_bytes()].concat());
    }
    fuzz(&seeds, entry::action);
}

#[test]
fn rpc_lines_are_answered() {
    let line =
        |method: &str, params: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
    let talk = |game: &str| {
        [
            line("new", &format!(r#"{{"game":"{game}","seats":2,"options":{{}}}}"#)),
            line("position", r#"{"session":1,"seat":0}"#),
            line("apply", r#"{"session":1,"action":"?"}"#),
            line("apply", r#"{"session":1,"action":"e5f5","seat":0}"#),
            line("undo", r#"{"session":1,"count":1}"#),
            line("record", r#"{"session":1}"#),
            line("load", r#"{"record":"Game: trexo\nSeats: 2\n\n0: e5f5\n"}"#),
            line("bestmove", r#"{"session":1,"millis":100}"#),
            format!("[{}]", line("close", r#"{"session":1}"#)),
        ]
        .join("\n")
        .into_bytes()
    };
    let seeds = ["trexo", "mod-x", "figures", "castle-builders", "x-marks-the-spot"].map(talk);
    fuzz(&seeds, entry::rpc);
}

#[test]
fn options_are_taken_or_refused() {
    let seeds = [
        r#"{"size":8,"tiles":45,"swap":true}"#,
        r#"{"teams":true,"claims":"manual","joker_win":false,"pieces":14,"markers":18,"target":12}"#,
        r#"{"target":30,"turn_limit":20,"layout":"stripes","zigzag":"staircase","diagonal_lines":true}"#,
        r#"{"layout":"rrrrryyyyygggggbbbbbnnnnn"}"#,
        r#"{"heights":[3,2],"roofs":[4,5],"rows":[7,6,5],"counters":{"O":10,"C":3,"B":3,"R":3,"K":1,"S":2}}"#,
        r#"{"deck":{"cc":20,"cannon":6,"parlay":4,"plunder":4},"turn_limit":5,"doubloons":1}"#,
    ];
    fuzz(&seeds.map(|seed| seed.as_bytes().to_vec()), entry::options);
}
