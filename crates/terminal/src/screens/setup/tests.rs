//! A game that is set up, by keys and clicks.

use ratatui::crossterm::event::KeyModifiers;

use super::*;
use crate::screens::desk::tests::Room;
use crate::testing::Stage;

/// The set-up of a game.
fn setup(room: &Room, game: &str) -> Setup {
    let mut setup = Setup::to_play(room.desk.clone());
    setup.game = GAMES.iter().position(|kind| kind.id() == game).unwrap();
    setup
}

/// Goes to the row of an option.
fn choose(setup: &mut Setup, name: &str) {
    let number = setup.plan().form.fields.iter().position(|field| field.name == name).unwrap();
    setup.chosen = Row::Option(number);
}

#[test]
fn every_game_has_its_form() {
    let room = Room::open();
    for kind in GAMES {
        Stage::new(setup(&room, kind.id())).assert_looks_like(&format!("setup {}", kind.id()));
    }
}

#[test]
fn what_a_game_refuses_is_said_and_nothing_is_lost() {
    let room = Room::open();
    let mut setup = setup(&room, "castle-builders");
    choose(&mut setup, "heights");
    let mut stage = Stage::new(setup);
    let empty = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
    stage.press([KeyCode::Enter]).app.handle(Event::Key(empty));
    stage.type_text("[1,2").press([KeyCode::Enter]);
    assert!(stage.picture(80, 24).contains("This is not JSON"));
    stage.type_text(",9]").press([KeyCode::Enter, KeyCode::Char('s')]);
    stage.assert_looks_like("setup refused");
    assert!(room.desk.shelf.games().is_empty());
}

#[test]
fn a_row_is_changed_turned_and_typed() {
    let room = Room::open();
    let mut setup = setup(&room, "mod-x");
    choose(&mut setup, "pieces");
    let mut stage = Stage::new(setup);
    stage.press([KeyCode::Right, KeyCode::Right]);
    assert!(stage.picture(80, 24).contains("‹ 17 ›"));
    stage.press([KeyCode::Char('2'), KeyCode::Char('0'), KeyCode::Enter]);
    assert!(stage.picture(80, 24).contains("‹ 20 ›"));
    stage.press([KeyCode::Char('9'), KeyCode::Char('9'), KeyCode::Enter]);
    assert!(stage.picture(80, 24).contains("30"), "the game says which numbers it takes");
    stage.press([KeyCode::Backspace]);
    assert!(stage.picture(80, 24).contains("‹ 15 ›"));
}

#[test]
fn four_seats_with_names_and_a_clock_fit_on_the_screen() {
    let room = Room::open();
    let mut setup = setup(&room, "mod-x");
    setup.chosen = Row::Seats;
    let mut stage = Stage::new(setup);
    stage.press([KeyCode::Left]);
    for _ in 0..7 {
        stage.press([KeyCode::Down]);
    }
    stage.press([KeyCode::Enter]).type_text("Ann").press([KeyCode::Enter, KeyCode::Down, KeyCode::Left]);
    stage.press([KeyCode::Left; 3]).press([
        KeyCode::Down,
        KeyCode::Right,
        KeyCode::Right,
        KeyCode::Down,
        KeyCode::Down,
    ]);
    stage.press([KeyCode::Right, KeyCode::Down, KeyCode::Down]);
    stage.assert_looks_like("setup with everything");
    stage.press([KeyCode::Char('s')]);
    let record = room.kept();
    for line in ["Player 0: Ann", "Player 2: expert", "Player 3: club"] {
        assert!(record.contains(line), "{record}");
    }
    assert!(!record.contains("Player 1"), "{record}");
    assert!(stage.picture(80, 24).contains("10:00"));
}

#[test]
fn engines_are_watched() {
    let room = Room::open();
    let mut setup = Setup::to_watch(room.desk.clone());
    setup.chosen = Row::Chair(0);
    let mut stage = Stage::new(setup);
    stage.press([KeyCode::Left; 5]);
    stage.assert_looks_like("setup to watch");
    stage.press([KeyCode::Char('s')]);
    assert!(room.kept().contains("Player 0: expert") && room.kept().contains("Player 1: club"));
}

#[test]
fn the_mouse_chooses_and_changes() {
    let room = Room::open();
    let mut stage = Stage::new(setup(&room, "trexo"));
    let row = stage.picture(80, 24).lines().position(|line| line.contains("swap")).unwrap() as u16;
    for button in [MouseButton::Left, MouseButton::Left] {
        let kind = MouseEventKind::Down(button);
        stage.app.handle(Event::Mouse(MouseEvent { kind, column: 8, row, modifiers: KeyModifiers::NONE }));
    }
    assert!(stage.picture(80, 24).contains("‹ yes ›"));
}

#[test]
fn no_key_breaks_it() {
    let room = Room::open();
    let mut stage = Stage::new(Setup::to_play(room.desk.clone()));
    let keys = [KeyCode::Right, KeyCode::Enter, KeyCode::Enter, KeyCode::Left, KeyCode::Backspace, KeyCode::Down];
    for _ in 0..120 {
        stage.press(keys);
        stage.press([KeyCode::Char('0'), KeyCode::Char('-'), KeyCode::Enter, KeyCode::Esc]);
        if stage.app.is_over() {
            stage = Stage::new(Setup::to_play(room.desk.clone()));
        }
    }
}
