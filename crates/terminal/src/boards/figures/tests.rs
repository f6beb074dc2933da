//! The table of Figures, played and looked at.

use quincunx_core::{DynSession, Seat, Viewer, find};
use quincunx_games::GAMES;
use serde_json::{Value, json};

use super::*;
use crate::boards::tests::{play_on, screen};
use crate::testing::Stage;

/// Three lines stand, and one exchange makes two more.
const LINES: &str = "rrrrbbbbbryyyyygggggnnnnn";

/// The first exchange breaks two lines up; the second one makes two.
const TO_TWO_LINES: &str = "+y +g a3a4 -y +r +b";

fn table(seats: u64, options: &Value, actions: &str) -> Box<dyn DynSession> {
    let mut table = find(GAMES, "figures").unwrap().start(Some(seats), options).unwrap();
    for action in actions.split_whitespace() {
        table.apply(None, action).unwrap();
    }
    table
}

/// The board as a seat sees it.
fn board(table: &dyn DynSession, seat: u8) -> FiguresBoard {
    let mut board = FiguresBoard::default();
    show(&mut board, table, seat);
    board
}

fn show(board: &mut FiguresBoard, table: &dyn DynSession, seat: u8) {
    board.show(&Moment::of(table, Viewer::Seat(Seat::new(seat)))).unwrap();
    let area = Rect::new(0, 0, 46, 21);
    board.draw(area, &mut Buffer::empty(area), Look::FULL);
}

fn enter(board: &mut FiguresBoard, square: &str) -> Did {
    board.cursor = Square::named(square).unwrap();
    board.key(KeyCode::Enter.into())
}

#[test]
fn looks_the_beginning() {
    Stage::new(screen(table(2, &json!({}), ""))).assert_looks_like("figures at the beginning");
}

#[test]
fn looks_an_exchange() {
    let mut stage = Stage::new(screen(table(2, &json!({}), "+r +b")));
    stage.press([KeyCode::Tab]).assert_looks_like("figures before an exchange");
    stage.press([KeyCode::Enter, KeyCode::Tab]).assert_looks_like("figures with one marker picked");
    stage.press([KeyCode::Up, KeyCode::Enter]).assert_looks_like("figures with an exchange that is refused");
    let mut bare = Stage::with_look(screen(table(2, &json!({}), "+r +b")), Look::BARE);
    bare.press([KeyCode::Tab, KeyCode::Enter]).assert_looks_like("figures without colours");
}

#[test]
fn looks_the_middle_of_a_game() {
    Stage::new(screen(play_on(table(2, &json!({}), ""), 60))).assert_looks_like("figures in the middle");
}

#[test]
fn looks_a_table_of_four_where_figures_were_made() {
    let mut stage = Stage::new(screen(table(4, &json!({"layout": LINES}), TO_TWO_LINES)));
    stage.type_text(":e1e2").press([KeyCode::Enter]).assert_looks_like("figures with two figures made");
}

#[test]
fn looks_the_end() {
    let options = json!({"layout": LINES, "target": 10});
    Stage::new(screen(table(2, &options, &format!("{TO_TWO_LINES} e1e2")))).assert_looks_like("figures at the end");
}

#[test]
fn an_exchange_is_chosen_marker_by_marker() {
    let table = table(2, &json!({}), "+r +b");
    let mut board = board(&*table, 0);
    let (low, high) = board.exchange_offers().next().unwrap();
    for (first, second) in [(low, high), (high, low)] {
        assert!(board.is_target(first));
        assert_eq!(enter(&mut board, &first.to_string()), Did::Changed);
        assert!(board.is_target(second) && !board.is_target(first));
        assert_eq!(enter(&mut board, &second.to_string()), Did::Act(format!("{low}{high}")));
        assert_eq!(board.key(KeyCode::Esc.into()), Did::Changed);
        assert_eq!(board.key(KeyCode::Backspace.into()), Did::Nothing);
    }
}

#[test]
fn who_points_at_another_marker_of_the_colour_picks_that_one() {
    let table = table(2, &json!({}), "+r +b");
    let mut board = board(&*table, 0);
    assert_eq!(enter(&mut board, "a1"), Did::Changed);
    assert_eq!(enter(&mut board, "b5"), Did::Changed, "red as well");
    assert_eq!(board.picked, Square::named("b5"));
    assert_eq!(enter(&mut board, "b5"), Did::Changed);
    assert_eq!(board.picked, None);
}

#[test]
fn a_forbidden_exchange_is_asked_for_and_what_was_picked_stays() {
    let mut table = table(2, &json!({}), "+r +b");
    let mut board = board(&*table, 0);
    enter(&mut board, "a1");
    let Did::Act(text) = enter(&mut board, "c1") else { panic!("nothing is asked for") };
    let why = table.apply(None, &text).unwrap_err().to_string();
    assert!(why.contains("green"), "{why}");
    assert_eq!(board.picked, Square::named("a1"));
}

#[test]
fn stones_are_taken_and_returned_by_their_letters() {
    let mut table = table(2, &json!({"layout": LINES}), TO_TWO_LINES);
    let mut board = board(&*table, 1);
    assert_eq!(board.key(KeyCode::Char('r').into()), Did::Nothing, "markers are exchanged now");
    table.apply(None, "e1e2").unwrap();
    show(&mut board, &*table, 1);
    let made: Vec<(&str, u8)> = board.made.iter().map(|made| (made.name.as_str(), made.points)).collect();
    assert_eq!(made, [("red line", 5), ("blue line", 5)]);
    assert_eq!(board.key(KeyCode::Char('b').into()), Did::Act("-b".to_owned()));
    table.apply(None, "-b").unwrap();
    show(&mut board, &*table, 0);
    assert_eq!(board.key(KeyCode::Char('b').into()), Did::Act("+b".to_owned()));
    assert_eq!(board.made.len(), 2, "known until the next exchange");
}

#[test]
fn a_turn_without_an_exchange_is_explained() {
    let before = Moment::of(&*table(2, &json!({}), "+r"), Viewer::Seat(Seat::new(0)));
    let mut after = Moment { ply: before.ply + 1, offers: vec!["-r".to_owned()], ..before.clone() };
    after.view["phase"] = json!("return");
    let mut board = FiguresBoard::default();
    board.show(&before).unwrap();
    board.show(&after).unwrap();
    assert_eq!(board.status(), "No exchange is possible: Enter returns the red stone; so does r");
}

#[test]
fn a_stone_is_taken_with_a_click_and_a_marker_is_picked_with_one() {
    let click = |place: Rect| MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: place.x,
        row: place.y,
        modifiers: ratatui::crossterm::event::KeyModifiers::NONE,
    };
    let mut table = table(2, &json!({}), "");
    let mut board = board(&*table, 0);
    for text in ["+n", "+g"] {
        let (place, _) = *board.places.stones.iter().find(|(_, stone)| text.ends_with(stone.letter())).unwrap();
        assert_eq!(board.mouse(click(place)), Did::Act(text.to_owned()));
        table.apply(None, text).unwrap();
        show(&mut board, &*table, 0);
    }
    let c1 = Square::new(2, 0);
    assert_eq!(board.mouse(click(board.places.display.place(c1))), Did::Changed);
    assert_eq!(board.picked, Some(c1));
}

#[test]
fn who_only_watches_keeps_the_keys_of_the_table() {
    let table = table(2, &json!({}), "+r");
    let mut board = FiguresBoard::default();
    board.show(&Moment::of(&*table, Viewer::Everything)).unwrap();
    for key in "q:/hsuct?+-. ryg".chars() {
        assert_eq!(board.key(KeyCode::Char(key).into()), Did::Nothing, "{key}");
    }
    assert_eq!(board.status(), "A takes a stone from the bank");
}

#[test]
fn a_view_that_cannot_be_read_is_an_error_and_a_strange_one_breaks_nothing() {
    let moment = |view: Value| Moment { view, ..Moment::default() };
    assert!(FiguresBoard::default().show(&moment(json!({"squares": 3}))).is_err());
    let mut view = Moment::of(&*table(2, &json!({}), "+r"), Viewer::Spectator).view;
    let one = view["squares"][0].clone();
    view["squares"].as_array_mut().unwrap().extend(vec![one; 400]);
    let side = view["sides"][0].clone();
    view["sides"].as_array_mut().unwrap().extend(vec![side; 70]);
    view["sides"][0]["seats"] = json!([255]);
    view["sides"][0]["stones"] = json!(["red", "red", "red", "red"]);
    view["values"] = json!([]);
    let mut board = FiguresBoard::default();
    board.show(&moment(view)).unwrap();
    let area = Rect::new(0, 0, 46, 21);
    board.draw(area, &mut Buffer::empty(area), Look::FULL);
    board.panel(Look::FULL);
    board.status();
}
