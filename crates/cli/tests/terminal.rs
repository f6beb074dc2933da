//! The full screen in a real pseudo-terminal: every game played to its end by keys, another size in the middle, and whatever
//! else can happen to a terminal.
#![cfg(unix)]

mod support {
    pub mod process;
    #[path = "../../../terminal/tests/support/pty.rs"]
    pub mod pty;
}

use std::fs;
use std::path::Path;

use quincunx_client::Client;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use support::process::{Process, free_port};
use support::pty::Terminal;
use tempfile::TempDir;

const QUINCUNX: &str = env!("CARGO_BIN_EXE_quincunx");

/// A program whose games are kept in a folder of the test.
fn quincunx(home: &TempDir, arguments: &[&str], size: (u16, u16)) -> Terminal {
    let home = home.path().to_string_lossy().into_owned();
    Terminal::start(QUINCUNX, arguments, size, &[("HOME", &home), ("XDG_DATA_HOME", &home)])
}

/// Tab some times and Enter, again and again: on every board this plays.
fn play_on(terminal: &Terminal, rng: &mut StdRng, moves: usize) {
    let keys: String = (0..moves).map(|_| "\t".repeat(rng.random_range(1..5)) + "\r").collect();
    terminal.press(&keys);
}

/// Plays until the screen says who has won.
fn play_to_the_end(terminal: &Terminal, seed: u64) -> String {
    let mut rng = StdRng::seed_from_u64(seed);
    for _ in 0..2000 {
        play_on(terminal, &mut rng, 8);
        // What was typed is done when the last key is: a message that nothing else writes is asked for.
        terminal.press("?");
        terminal.wait_for("Any key closes this page.");
        terminal.press("x");
        let table = terminal.wait_until("the table", |seen| !seen.contains("Any key closes this page."));
        if is_over(&table) {
            return table;
        }
    }
    panic!("it does not end:\n{}", terminal.seen())
}

fn is_over(seen: &str) -> bool {
    seen.lines().any(|line| {
        line.starts_with("A draw: ")
            || (line.contains(" wins: ") || line.contains(" win: ")) && line.trim_end().ends_with('.')
    })
}

fn plays_to_its_end(game: &str, arguments: &[&str]) {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("game.txt");
    let save = ["play", game, "--save", file.to_str().unwrap()];
    let terminal = quincunx(&home, &[&save, arguments].concat(), (80, 24));
    let is_table = |seen: &str| seen.contains("Log") || seen.contains("Hand over");
    terminal.wait_until("a table or whose it is", is_table);
    play_on(&terminal, &mut StdRng::seed_from_u64(5), 10);
    // It is left, and resumed.
    terminal.press("\x03");
    assert_eq!(terminal.ended(), 0);
    let file_name = file.to_str().unwrap();
    let terminal = quincunx(&home, &["play", "--resume", file_name, "--save", file_name], (80, 24));
    terminal.wait_until("the table again", is_table);
    // Another size in the middle: too small, large, and as before.
    terminal.resize(60, 20);
    terminal.wait_for("the terminal has 60 x 20");
    terminal.resize(120, 40);
    terminal.wait_until("a large table", |seen| !seen.contains("This needs"));
    play_to_the_end(&terminal, 7);
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
    assert_is_whole(&file);
}

/// The record of the game is legal from its first to its last action, and ends with a result.
fn assert_is_whole(file: &Path) {
    let record = fs::read_to_string(file).unwrap();
    let table = quincunx_core::Record::parse(&record).unwrap().replay(quincunx_games::GAMES).unwrap();
    assert!(table.outcome().is_some(), "{record}");
}

#[test]
fn trexo_is_played_to_its_end() {
    plays_to_its_end("trexo", &[]);
}

#[test]
fn mod_x_is_played_to_its_end() {
    plays_to_its_end("mod-x", &["--seats", "2"]);
    plays_to_its_end("mod-x", &["--seats", "3"]);
    plays_to_its_end("mod-x", &["--seats", "4", "--options", r#"{"teams":true}"#]);
}

#[test]
fn figures_is_played_to_its_end() {
    plays_to_its_end("figures", &[]);
    plays_to_its_end("figures", &["--seats", "4", "--options", r#"{"turn_limit":40}"#]);
}

#[test]
fn castle_builders_is_played_to_its_end() {
    plays_to_its_end("castle-builders", &[]);
}

#[test]
fn x_marks_the_spot_is_played_to_its_end() {
    for seats in ["2", "3", "4"] {
        plays_to_its_end("x-marks-the-spot", &["--seats", seats, "--options", r#"{"turn_limit":20}"#]);
    }
}

#[test]
fn an_engine_answers_while_keys_are_pressed() {
    plays_to_its_end("castle-builders", &["--seat", "1=novice"]);
}

#[test]
fn a_hand_is_seen_only_by_whom_it_belongs_to() {
    let home = tempfile::tempdir().unwrap();
    let terminal = quincunx(&home, &["play", "castle-builders"], (80, 24));
    let covered = terminal.wait_for("The screen is for seat 0 now.");
    assert!(!covered.contains("Log"), "nothing of the table is seen:\n{covered}");
    terminal.press("\r");
    terminal.wait_for("Log");
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
}

#[test]
fn without_colours_and_utf_8_everything_is_ascii() {
    let home = tempfile::tempdir().unwrap();
    let variables = [("HOME", home.path().to_str().unwrap()), ("LANG", "C"), ("NO_COLOR", "1")];
    let terminal = Terminal::start(QUINCUNX, &["play", "trexo"], (80, 24), &variables);
    let seen = terminal.wait_for("Log");
    assert!(seen.is_ascii(), "{seen}");
    terminal.look(|screen| {
        let cells = (0..24).flat_map(|row| (0..80).filter_map(move |column| screen.cell(row, column)));
        assert!(cells.into_iter().all(|cell| cell.fgcolor() == vt100::Color::Default));
    });
    terminal.press("\x03");
    assert_eq!(terminal.ended(), 0);
}

#[test]
fn engines_are_watched_as_fast_as_one_likes() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("game.txt");
    let arguments = ["watch", "castle-builders", "novice", "novice", "--save", file.to_str().unwrap()];
    let terminal = quincunx(&home, &arguments, (80, 24));
    terminal.wait_for("Log");
    terminal.press(" ");
    terminal.wait_for("Paused");
    terminal.press(" +++");
    terminal.wait_until("the end", is_over);
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
    assert_is_whole(&file);
}

#[test]
fn signals_leave_the_terminal_as_it_was_and_the_game_in_its_file() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("game.txt");
    let terminal = quincunx(&home, &["play", "trexo", "--save", file.to_str().unwrap()], (80, 24));
    terminal.wait_for("Log");
    terminal.press("\t\r");
    terminal.wait_for("   1 ");
    terminal.signal("TERM");
    assert_eq!(terminal.ended(), 0);
    assert!(fs::read_to_string(&file).unwrap().contains("\n0: "), "one action is in the record");
}

#[test]
fn from_the_menu_a_game_is_begun_left_and_resumed() {
    let home = tempfile::tempdir().unwrap();
    let terminal = quincunx(&home, &["play"], (80, 24));
    terminal.wait_for("five games at one table");
    terminal.press("1");
    terminal.wait_for("Start the game");
    terminal.press("\x1b[C\x1b[C");
    terminal.wait_for("Noughts and crosses");
    terminal.press("s");
    terminal.wait_for("(you)");
    terminal.press("\t\r");
    terminal.wait_for("   1 X ");
    terminal.press("q");
    terminal.wait_for("Start the game");
    terminal.press("q");
    terminal.wait_for("five games at one table");
    terminal.press("3");
    terminal.wait_for("goes on, ");
    terminal.press("\r");
    terminal.wait_for("   1 X ");
    terminal.press("\x03");
    assert_eq!(terminal.ended(), 0);
}

#[test]
fn a_record_is_looked_through_while_an_engine_reviews_it() {
    let home = tempfile::tempdir().unwrap();
    let record = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trexo.txt");
    let terminal = quincunx(&home, &["replay", record], (80, 24));
    terminal.wait_for("Before the first of ");
    terminal.wait_for(" s left");
    terminal.press("\x1b[F");
    terminal.wait_for("wins: five in a row.");
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
}

/// Two terminals at one table of a server, which is killed in the middle: what is typed meanwhile is done when it is back.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn two_terminals_play_on_after_their_server_was_killed() {
    let (home, data, port) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), free_port());
    let address = format!("http://127.0.0.1:{port}");
    let serve = || Process::serve(port, &["--data", data.path().to_str().unwrap()]);
    let server = serve();
    let host = Client::new(&address).unwrap().guest("Host").await.unwrap();
    let setup = json!({"game": "castle-builders", "seats": [{"kind": "open"}, {"kind": "open"}]});
    let table = host.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].as_str().unwrap().to_owned();
    let path = format!("/api/tables/{table}");
    let players = ["Ann", "Bob"].map(|name| {
        let visit = ["play", "--server", &address, "--table", &table, "--name", name];
        let terminal = quincunx(&home, &visit, (80, 24));
        terminal.wait_for("sit down");
        terminal.press("\r");
        terminal.wait_until("a seat", |seen| seen.contains("(you)"));
        terminal
    });
    let mut rng = StdRng::seed_from_u64(3);
    let mut go_on = |actions: usize| {
        for _ in 0..actions {
            for terminal in &players {
                play_on(terminal, &mut rng, 1);
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    while host.get(&path).await.unwrap()["position"]["ply"].as_u64().unwrap() < 12 {
        go_on(5);
    }
    server.kill();
    for terminal in &players {
        terminal.wait_for("not connected");
    }
    go_on(5);
    let _server = serve();
    loop {
        match host.get(&path).await {
            Ok(seen) if seen["status"] == "finished" => break,
            _ => go_on(5),
        }
    }
    for terminal in players {
        terminal.wait_for("M plays again.");
        terminal.press("q");
        // The lobby lies below the table, where it is left the same way.
        terminal.wait_until("what lies below", |seen| !seen.contains("M plays again."));
        terminal.press("q");
        assert_eq!(terminal.ended(), 0);
    }
}
