//! How the castle looks, and how a counter gets into it.

use quincunx_core::{Seat, Viewer};
use ratatui::crossterm::event::KeyCode;
use serde_json::json;

use super::*;
use crate::boards::staged::{after, at_random, stage, stage_with_look};

const GAME: &str = "castle-builders";

/// Yellow holds a bonus and a remove counter, with some counters in the castle.
const BONUS: &str = "+O +B +B +C O3 +R C3 +O Bh3 +O";

fn board(actions: &str) -> CastleBuildersBoard {
    let table = after(GAME, 2, &json!({}), actions.split(' '));
    let mut board = CastleBuildersBoard::default();
    board.show(&Moment::of(&*table, Viewer::Seat(Seat::new(0)))).unwrap();
    board.draw(Rect::new(0, 0, 46, 21), &mut Buffer::empty(Rect::new(0, 0, 46, 21)), Look::FULL);
    board
}

fn press(board: &mut CastleBuildersBoard, keys: &[KeyCode]) -> Did {
    keys.iter().map(|&code| board.key(code.into())).last().unwrap()
}

#[test]
fn the_castle_at_the_beginning() {
    stage(after(GAME, 2, &json!({}), ["+O", "+C", "+B", "+R"])).assert_looks_like("castle builders, the beginning");
}

#[test]
fn the_castle_in_the_middle_of_a_game() {
    stage(at_random(GAME, 2, &json!({}), 5, 17)).assert_looks_like("castle builders, the middle");
}

#[test]
fn a_bonus_counter_that_is_taken_up() {
    let mut stage = stage(after(GAME, 2, &json!({}), BONUS.split(' ')));
    stage.press([KeyCode::Enter, KeyCode::Char('3'), KeyCode::Char('r')]);
    stage.assert_looks_like("castle builders, a bonus counter");
}

#[test]
fn the_castle_without_colours() {
    let mut stage = stage_with_look(after(GAME, 2, &json!({}), BONUS.split(' ')), Look::BARE);
    stage.press([KeyCode::Enter]).assert_looks_like("castle builders, without colours");
}

#[test]
fn the_castle_at_the_end() {
    stage(at_random(GAME, 2, &json!({}), 8, 1000)).assert_looks_like("castle builders, the end");
}

#[test]
fn the_largest_castle_there_can_be() {
    let options = json!({"heights": [8, 8, 8, 8, 8, 8, 8, 8], "roofs": [90, 91, 92, 93, 94, 95, 96, 97],
        "rows": [99, 98, 97, 96, 95, 94, 93, 92], "counters": {"O": 30, "C": 5, "B": 30, "R": 2, "K": 2, "S": 2}});
    stage(at_random(GAME, 2, &options, 3, 60)).assert_looks_like("castle builders, the largest castle");
}

#[test]
fn a_counter_is_taken_up_and_then_put_into_a_tower() {
    let mut board = board("+O +B +O +C");
    assert_eq!(
        press(&mut board, &[KeyCode::Right, KeyCode::Enter, KeyCode::Char('4'), KeyCode::Enter]),
        Did::Act("Bv4".into())
    );
    assert_eq!(press(&mut board, &[KeyCode::Char('r'), KeyCode::Left, KeyCode::Enter]), Did::Act("Bh3".into()));
    assert_eq!(
        press(&mut board, &[KeyCode::Backspace, KeyCode::Left, KeyCode::Up, KeyCode::Enter]),
        Did::Act("O3".into())
    );
}

#[test]
fn a_counter_that_goes_nowhere_is_played_at_once() {
    let mut board = board("+S +R +O +C");
    assert_eq!(press(&mut board, &[KeyCode::Enter]), Did::Act("R".into()), "all towers are empty");
    assert_eq!(press(&mut board, &[KeyCode::Tab, KeyCode::Enter]), Did::Act("S".into()));
}

#[test]
fn a_click_takes_a_counter_up_and_another_one_plays_it() {
    let mut board = board("+O +B +O +C");
    let click = |place: Rect| MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: place.x + 1,
        row: place.y + 1,
        modifiers: ratatui::crossterm::event::KeyModifiers::NONE,
    };
    assert_eq!(board.mouse(click(board.towers[1])), Did::Nothing, "nothing is held yet");
    assert_eq!(board.mouse(click(board.counters[0])), Did::Changed);
    assert_eq!(board.mouse(click(board.towers[1])), Did::Act("O2".into()));
}

#[test]
fn what_has_changed_is_known_from_one_moment_to_the_next() {
    let mut board = board("+O +B +O +C");
    let show = |board: &mut CastleBuildersBoard, actions: &str| {
        let table = after(GAME, 2, &json!({}), actions.split(' '));
        board.show(&Moment::of(&*table, Viewer::Seat(Seat::new(0)))).unwrap();
        board.fresh.clone()
    };
    assert_eq!(show(&mut board, "+O +B +O +C O3"), [(2, 0)]);
    assert_eq!(show(&mut board, "+O +B +O +C O3 +R"), [(2, 0)], "a draw changes nothing in the castle");
    assert_eq!(show(&mut board, "+O +B +O +C O3 +R O1 +O R3"), [(0, 0), (2, 0)]);
}
