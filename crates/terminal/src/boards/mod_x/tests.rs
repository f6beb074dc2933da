//! The board of Mod X, played and looked at.

use quincunx_core::{DynSession, Seat, Viewer, find};
use quincunx_games::GAMES;
use serde_json::{Value, json};

use super::*;
use crate::boards::tests::{play_on, screen};
use crate::testing::Stage;

/// The jokers stand on a diagonal, and black needs two pieces for a FIVE with them.
const SET_UP: [&str; 5] = ["*b2", "*d4", "*f6", "*b7", "*g2"];

fn table(seats: u64, options: &Value, actions: &[&str]) -> Box<dyn DynSession> {
    let mut table = find(GAMES, "mod-x").unwrap().start(Some(seats), options).unwrap();
    for action in SET_UP.iter().chain(actions) {
        table.apply(None, action).unwrap();
    }
    table
}

/// The board as a seat sees it.
fn board(table: &dyn DynSession, seat: u8) -> ModXBoard {
    let mut board = ModXBoard::default();
    board.show(&Moment::of(table, Viewer::Seat(Seat::new(seat)))).unwrap();
    let area = Rect::new(0, 0, 46, 21);
    board.draw(area, &mut Buffer::empty(area), Look::FULL);
    board
}

fn point_at(board: &mut ModXBoard, square: &str) {
    board.cursor = Cursor::on(Square::named(square).unwrap());
}

fn enter(board: &mut ModXBoard, square: &str) -> Did {
    point_at(board, square);
    board.key(KeyCode::Enter.into())
}

#[test]
fn looks_the_set_up() {
    let table = find(GAMES, "mod-x").unwrap().start(Some(2), &json!({})).unwrap();
    let mut stage = Stage::new(screen(table));
    stage.assert_looks_like("mod-x at the beginning");
    stage.press([KeyCode::Enter, KeyCode::Left]).assert_looks_like("mod-x with a joker to set up next to another");
}

#[test]
fn looks_the_middle_of_a_game() {
    let twice = ["c3", "d6", "e5", "*b2", "*d4", "*f6", "h1", "c3", "h3", "e5", "*h8", "*a1", "*d1"];
    let table = play_on(table(2, &json!({}), &twice), 14);
    Stage::new(screen(table)).assert_looks_like("mod-x in the middle");
}

#[test]
fn looks_a_pattern_that_was_just_scored() {
    let mut stage = Stage::new(screen(table(2, &json!({}), &["c3", "d6", "e5"])));
    stage.press([KeyCode::Tab]).assert_looks_like("mod-x with jokers to put back");
    let mut stage = Stage::with_look(screen(table(2, &json!({}), &["c3", "d6", "e5"])), Look::BARE);
    stage.assert_looks_like("mod-x without colours");
}

#[test]
fn looks_a_table_of_two_teams() {
    let table = play_on(table(4, &json!({"teams": true}), &["c3", "d6", "a5", "h1", "e5", "*h8", "*a1", "*d1"]), 20);
    Stage::new(screen(table)).assert_looks_like("mod-x with two teams");
}

#[test]
fn looks_a_turn_before_it_is_done() {
    let mut stage =
        Stage::new(screen(table(3, &json!({"claims": "manual"}), &["c3", "done", "d6", "done", "a5", "done", "e5"])));
    stage.press([KeyCode::Tab]).assert_looks_like("mod-x with patterns to claim");
    stage.press([KeyCode::Up, KeyCode::Enter]).assert_looks_like("mod-x with a touch that is refused");
}

#[test]
fn looks_the_end() {
    Stage::new(screen(table(2, &json!({"target": 2}), &["c3", "d6", "e5"]))).assert_looks_like("mod-x at the end");
}

#[test]
fn with_manual_claims_any_piece_can_be_touched_and_none_is_marked() {
    let table = table(2, &json!({"claims": "manual"}), &["c3", "done", "d6", "done", "e5"]);
    let mut board = board(&*table, 1);
    assert_eq!(board.offers, [DONE]);
    for (square, text) in [("c3", "!c3"), ("d6", "!d6"), ("b2", "!b2"), ("a8", "!a8")] {
        assert_eq!(enter(&mut board, square), Did::Act(text.to_owned()));
        assert!(!board.is_offered(Square::named(square).unwrap()), "{square}");
    }
    // The words are the same for a piece in a pattern and for one that is in none.
    let mut said = |square: &str| {
        point_at(&mut board, square);
        board.status().replace(square, "")
    };
    assert_eq!(said("c3"), said("d6"));
}

#[test]
fn an_overlooked_pattern_can_be_claimed_out_of_turn() {
    let mut table = table(3, &json!({"claims": "manual"}), &["c3", "done", "d6", "done", "a5", "done", "e5", "done"]);
    let mut board = board(&*table, 0);
    assert!(!board.is_ours());
    let Did::Act(claim) = enter(&mut board, "c3") else { panic!("nothing is touched") };
    table.apply(Some(0), &claim).unwrap();
    board.show(&Moment::of(&*table, Viewer::Seat(Seat::new(0)))).unwrap();
    assert_eq!(enter(&mut board, "h8"), Did::Act("*h8".to_owned()), "his are the jokers now");
    let mut mover = self::board(&*table, 1);
    assert_eq!(enter(&mut mover, "c3"), Did::Nothing);
}

#[test]
fn whoever_has_said_done_touches_nothing() {
    let table = table(3, &json!({"claims": "manual"}), &["c3", "done"]);
    assert_eq!(enter(&mut board(&*table, 1), "c3"), Did::Nothing);
    assert_eq!(enter(&mut board(&*table, 2), "c3"), Did::Act("!c3".to_owned()));
    assert_eq!(enter(&mut board(&*table, 2), "d3"), Did::Act("d3".to_owned()));
}

#[test]
fn what_is_forbidden_is_asked_for_so_that_the_rules_say_why() {
    let table = table(2, &json!({}), &["c3"]);
    assert_eq!(enter(&mut board(&*table, 0), "c3"), Did::Act("c3".to_owned()));
}

#[test]
fn the_last_action_is_marked_with_all_that_it_changed() {
    let mut table = table(2, &json!({}), &["c3", "d6"]);
    let mut board = board(&*table, 1);
    assert_eq!(board.fresh, [Square::new(3, 5)]);
    table.apply(None, "e5").unwrap();
    board.show(&Moment::of(&*table, Viewer::Seat(Seat::new(1)))).unwrap();
    let fresh: Vec<String> = board.fresh.iter().map(ToString::to_string).collect();
    assert_eq!(fresh, ["b2", "c3", "d4", "e5", "f6"]);
}

#[test]
fn who_only_watches_keeps_the_keys_of_the_table() {
    let table = table(2, &json!({"claims": "manual"}), &["c3"]);
    let mut board = ModXBoard::default();
    board.show(&Moment::of(&*table, Viewer::Everything)).unwrap();
    for key in "q:/hsuct?+-. d".chars() {
        assert_eq!(board.key(KeyCode::Char(key).into()), Did::Nothing, "{key}");
    }
    assert_eq!(board.key(KeyCode::Enter.into()), Did::Nothing);
}

#[test]
fn a_click_does_what_enter_does() {
    let table = table(2, &json!({"claims": "manual"}), &["c3"]);
    let mut board = board(&*table, 1);
    let click = |place: Rect| MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: place.x,
        row: place.y,
        modifiers: ratatui::crossterm::event::KeyModifiers::NONE,
    };
    let piece = board.grid.place(Square::new(2, 2));
    assert_eq!(board.mouse(click(piece)), Did::Act("!c3".to_owned()));
    assert_eq!(board.mouse(click(board.button)), Did::Act(DONE.to_owned()));
}

#[test]
fn a_view_that_cannot_be_read_is_an_error_and_a_strange_one_breaks_nothing() {
    let moment = |view: Value| Moment { view, ..Moment::default() };
    assert!(ModXBoard::default().show(&moment(json!({"squares": 3}))).is_err());
    let table = table(2, &json!({}), &["c3"]);
    let mut view = Moment::of(&*table, Viewer::Spectator).view;
    let one = view["squares"][0].clone();
    view["squares"].as_array_mut().unwrap().extend(vec![one; 400]);
    view["players"] = json!([]);
    let mut board = ModXBoard::default();
    board.show(&moment(view)).unwrap();
    let area = Rect::new(0, 0, 46, 21);
    board.draw(area, &mut Buffer::empty(area), Look::FULL);
    board.panel(Look::FULL);
    board.status();
}
