//! The full screen in a real pseudo-terminal: every game played to its end by keys, another size in the middle, and whatever
//! else can happen to a terminal.
#![cfg(unix)]

mod support {
    #[path = "../../../terminal/tests/support/pty.rs"]
    pub mod pty;
}

use std::fs;
use std::path::Path;

use rand::{RngExt, SeedableRng, rngs::StdRng};
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
        let seen = terminal.wait_for("Any key closes this page.");
        terminal.press("x");
        let closed = terminal.wait_until("the table", |seen| !seen.contains("Any key closes this page."));
        if is_over(&closed) {
            return closed;
        }
        assert!(!seen.contains("error"), "{seen}");
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
    terminal.wait_until("a table or whose it is", |seen| seen.contains("Log") || seen.contains("Hand over"));
    play_on(&terminal, &mut StdRng::seed_from_u64(5), 10);
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
    plays_to_its_end("mod-x", &["--seats", "3"]);
}

#[test]
fn figures_is_played_to_its_end() {
    plays_to_its_end("figures", &[]);
}

#[test]
fn castle_builders_is_played_to_its_end() {
    plays_to_its_end("castle-builders", &[]);
}

#[test]
fn x_marks_the_spot_is_played_to_its_end() {
    plays_to_its_end("x-marks-the-spot", &["--seats", "3", "--options", r#"{"turn_limit":30}"#]);
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
