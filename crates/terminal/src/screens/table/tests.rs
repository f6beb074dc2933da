use quincunx_core::find;
use quincunx_games::GAMES;
use ratatui::crossterm::event::KeyCode;
use serde_json::json;

use super::*;
use crate::look::Look;
use crate::testing::{Stage as Scene, of_people};

/// A table of people after some actions.
fn table(game: &str, actions: &[&str]) -> TableScreen {
    let mut table = find(GAMES, game).unwrap().start(None, &json!({})).unwrap();
    for action in actions {
        table.apply(None, action).unwrap();
    }
    of_people(table)
}

const TILES: [&str; 8] = ["e5f5", "e6e7", "g5g6", "d5d4", "f5g5", "f6f7", "e5d5", "e6f6"];

#[test]
fn trexo_from_its_beginning_to_its_end() {
    Scene::new(table("trexo", &[])).assert_looks_like("trexo begins");
    let mut middle = Scene::new(table("trexo", &TILES));
    middle.assert_looks_like("trexo in the middle");
    middle.press([KeyCode::Tab, KeyCode::Tab]).assert_looks_like("trexo with a tile in hand");
    Scene::with_look(table("trexo", &TILES), Look::BARE).assert_looks_like("trexo in ascii");
}

#[test]
fn an_action_is_typed_or_chosen_from_a_list() {
    let mut scene = Scene::new(table("trexo", &TILES));
    scene.type_text(":a1").assert_looks_like("trexo an action is typed");
    scene.press([KeyCode::Down, KeyCode::Down]).assert_looks_like("trexo an action is chosen");
    let chosen = scene.press([KeyCode::Enter]).picture(80, 24);
    assert!(chosen.contains("   9 X a1"), "{chosen}");
}

#[test]
fn what_the_rules_refuse_is_said_with_the_reason() {
    let mut scene = Scene::new(table("trexo", &TILES));
    let picture = scene.type_text(":a1c1").press([KeyCode::Enter]).picture(80, 24);
    let status = picture.lines().nth(22).unwrap();
    assert!(status.len() > 10 && !status.contains("Enter lays"), "{picture}");
}

#[test]
fn a_move_is_taken_back() {
    let mut scene = Scene::new(table("trexo", &TILES));
    assert!(scene.picture(80, 24).contains("   8 "));
    let back = scene.type_text("u").picture(80, 24);
    assert!(!back.contains("   8 ") && back.contains("Taken back."), "{back}");
}

#[test]
fn help_lists_the_keys_of_board_and_table() {
    Scene::new(table("trexo", &TILES)).type_text("?").assert_looks_like("trexo help");
}

#[test]
fn a_screen_that_is_handed_over_shows_nothing() {
    let mut scene = Scene::new(table("castle-builders", &[]));
    scene.assert_looks_like("hand over");
    assert!(scene.press([KeyCode::Enter]).picture(80, 24).contains("Log"));
}

#[test]
fn a_game_is_saved_where_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trexo.txt");
    let mut scene = Scene::new(table("trexo", &TILES));
    scene.type_text("s").press(vec![KeyCode::Backspace; "game.txt".len()]);
    let picture = scene.type_text(&file.to_string_lossy()).press([KeyCode::Enter]).picture(120, 40);
    assert!(picture.contains("Saved to"), "{picture}");
    assert_eq!(files::replay(&file.to_string_lossy()).unwrap().ply(), TILES.len());
}

#[test]
fn a_small_terminal_is_told_what_is_needed() {
    let mut scene = Scene::new(table("trexo", &TILES));
    for (width, height) in [(79, 24), (80, 23), (10, 3), (1, 1)] {
        let picture = scene.picture(width, height);
        assert!(!picture.contains("Log"), "{picture}");
    }
    assert!(scene.picture(79, 24).contains("This needs 80 x 24 characters; the terminal has 79 x 24."));
    // Odd sizes break nothing.
    for (width, height) in [(80, 24), (81, 300), (300, 24), (133, 41)] {
        assert!(scene.picture(width, height).contains("Log"));
    }
}

#[test]
fn clocks_are_shown_as_people_read_them() {
    let shown = |millis| time(Duration::from_millis(millis));
    assert_eq!(
        [0, 9_940, 20_000, 61_000, 3_600_000, 90_061_000].map(shown),
        ["0:00.0", "0:09.9", "0:20", "1:01", "1:00:00", "1 d 1 h"]
    );
}
