//! How the chart looks, and every way to say something about it.

use quincunx_core::{Seat, Turn, Viewer, find};
use quincunx_games::GAMES;
use ratatui::crossterm::event::KeyCode;
use serde_json::json;

use super::*;
use crate::boards::staged::{after, at_random, stage, stage_with_look};
use crate::testing::Dealt;

const GAME: &str = "x-marks-the-spot";

/// Three players; the first one has drawn up to six cards.
const DEALT: &str =
    "flag:c flag:r flag:a +cr +cannon +parlay +plunder +cc +heading +ww +ko +aw +go +rr +gk draw +ca +heading";

/// What happens after that, to talk about: three cards on the chart, and a parlay of the first player with the second one.
const PLAYED: &[&str] = &["place cr 0,0 e"];

fn table(more: &[&str]) -> Box<dyn quincunx_core::DynSession> {
    after(GAME, 3, &json!({}), DEALT.split(' ').chain(more.iter().copied()))
}

fn board(more: &[&str]) -> ChartBoard {
    let table = table(more);
    let Turn::Seat(seat) = table.turn() else { panic!("somebody is on turn") };
    let mut board = ChartBoard::default();
    board.show(&Moment::of(&*table, Viewer::Seat(seat))).unwrap();
    draw(&mut board);
    board
}

fn draw(board: &mut ChartBoard) {
    let area = Rect::new(0, 0, 46, 21);
    board.draw(area, &mut Buffer::empty(area), Look::FULL);
}

fn press(board: &mut ChartBoard, keys: &[KeyCode]) -> Did {
    keys.iter()
        .map(|&code| {
            let did = board.key(code.into());
            draw(board);
            did
        })
        .last()
        .unwrap()
}

/// Goes to a card of the hand by its place.
fn right(steps: usize) -> Vec<KeyCode> {
    vec![KeyCode::Right; steps]
}

fn played<'a>(more: &[&'a str]) -> Vec<&'a str> {
    PLAYED.iter().chain(more).copied().collect()
}

#[test]
fn the_beginning() {
    let deal = DEALT.split(' ').take(15);
    stage(after(GAME, 3, &json!({}), deal)).assert_looks_like("x marks the spot, the beginning");
}

#[test]
fn the_middle_of_a_game() {
    stage(at_random(GAME, 4, &json!({}), 11, 46)).assert_looks_like("x marks the spot, the middle");
}

#[test]
fn a_card_that_is_held_above_the_chart() {
    let mut stage = stage(table(PLAYED));
    stage.press([KeyCode::Enter, KeyCode::Char('r'), KeyCode::Up]);
    stage.assert_looks_like("x marks the spot, placing");
}

#[test]
fn a_card_that_is_taken_by_a_new_heading_and_the_one_that_is_laid() {
    let mut stage = stage(table(PLAYED));
    stage.press([KeyCode::Right, KeyCode::Right, KeyCode::Enter]);
    stage.assert_looks_like("x marks the spot, new heading, what is taken");
    stage.press([KeyCode::Enter]);
    stage.assert_looks_like("x marks the spot, new heading, what is laid");
}

#[test]
fn each_side_of_a_parlay() {
    let looks = |name: &str, talk: &[&str]| {
        stage(table(&played(talk))).assert_looks_like(&format!("x marks the spot, parlay, {name}"));
    };
    let mut offering = stage(table(PLAYED));
    offering.press([KeyCode::Right, KeyCode::Right, KeyCode::Right, KeyCode::Enter, KeyCode::Tab]);
    offering.assert_looks_like("x marks the spot, parlay, offering");
    looks("answering", &["parlay 1 n3"]);
    looks("replying", &["parlay 1 n3", "counter n2"]);
    looks("asked by the table", &["parlay 1 n3", "counter n2", "open"]);
    looks("choosing", &["parlay 1 n3", "counter n2", "open", "offer n1"]);
    looks("giving as the player", &["parlay 1 n3", "counter n2", "accept", "give cc heading"]);
    let mut giving = stage(table(&played(&["parlay 1 n3", "counter n2", "accept"])));
    giving.press([KeyCode::Enter, KeyCode::Tab, KeyCode::Tab, KeyCode::Enter, KeyCode::Tab, KeyCode::Tab]);
    giving.assert_looks_like("x marks the spot, parlay, giving as the partner");
}

#[test]
fn plundering() {
    let mut choosing = stage(table(PLAYED));
    choosing.press([KeyCode::Right, KeyCode::Right, KeyCode::Right, KeyCode::Right, KeyCode::Enter]);
    choosing.assert_looks_like("x marks the spot, plundering");
    stage(table(&played(&["plunder 1"]))).press([KeyCode::Tab]).assert_looks_like("x marks the spot, stealing");
}

#[test]
fn the_end() {
    let options = json!({"turn_limit": 24});
    stage(at_random(GAME, 2, &options, 5, 1000)).assert_looks_like("x marks the spot, the end");
}

/// The first player's X, made by both.
fn with_an_x() -> Box<dyn quincunx_core::DynSession> {
    let deal = "flag:c flag:r +cc +cc +cc +co +cc +cc +cc +ko";
    let deal = deal.split(' ').chain(["draw", "+cc", "+cc", "place cc 0,0 e", "place cc -1,0 n"]);
    let played = deal.chain(["draw", "+cc", "+cc", "place cc 0,1 n", "place cc 0,-2 n", "draw", "+ko", "+ko"]);
    after(GAME, 2, &json!({"deck": {"cc": 20, "co": 10, "ko": 10}}), played.chain(["place co 1,0 e"]))
}

#[test]
fn doubloons_lie_where_an_x_was_made() {
    stage(with_an_x()).assert_looks_like("x marks the spot, doubloons");
    stage_with_look(with_an_x(), Look::BARE).assert_looks_like("x marks the spot, doubloons without colours");
}

#[test]
fn without_colours() {
    let mut stage = stage_with_look(at_random(GAME, 2, &json!({}), 4, 40), Look::BARE);
    stage.press([KeyCode::Char('f')]).assert_looks_like("x marks the spot, without colours");
}

#[test]
fn the_discard_pile_and_the_flag() {
    let mut stage = stage(at_random(GAME, 2, &json!({}), 4, 60));
    stage.press([KeyCode::Char('d'), KeyCode::Char('f')]).assert_looks_like("x marks the spot, discard pile and flag");
}

/// A chart that grows to the right and up as far as it can.
fn long_chart() -> Dealt {
    let kind = find(GAMES, GAME).unwrap();
    let mut host = Dealt::seeded(kind.start(Some(2), &json!({"deck": {"cr": 40, "aw": 40, "go": 20}})).unwrap(), 9);
    for _ in 0..60 {
        host.draw_all().unwrap();
        let Turn::Seat(seat) = host.table().turn() else { break };
        let far = |offer: &String| match offer.parse() {
            Ok(Action::Place { at, direction, .. }) => at.step(direction).x + at.step(direction).y / 2,
            Ok(Action::Draw) => 1,
            _ => i32::MIN,
        };
        let action = host.table().offers(seat).into_iter().max_by_key(far).unwrap();
        host.act(None, &action).unwrap();
    }
    host.draw_all().unwrap();
    host
}

#[test]
fn a_chart_that_is_larger_than_the_screen_follows_the_play() {
    let mut stage = stage(long_chart().table().boxed_clone());
    stage.assert_looks_like("x marks the spot, a large chart");
    stage.type_text("[[[[[[[[}}");
    stage.assert_looks_like("x marks the spot, a large chart, elsewhere");
    stage.type_text("z");
    stage.assert_looks_like("x marks the spot, a large chart from afar");
}

#[test]
fn what_is_held_and_what_was_laid_last_are_always_in_sight() {
    let mut host = long_chart();
    let mut board = ChartBoard::default();
    for number in 0..40_usize {
        host.draw_all().unwrap();
        let Turn::Seat(seat) = host.table().turn() else { break };
        board.show(&Moment::of(host.table(), Viewer::Seat(seat))).unwrap();
        draw(&mut board);
        for square in board.fresh.clone() {
            assert!(sees(&board, square), "{square} was laid last");
        }
        for key in "[[[[}}}}]{".chars().take(number % 11) {
            press(&mut board, &[KeyCode::Char(key)]);
        }
        press(&mut board, &[KeyCode::Tab, KeyCode::Enter]);
        for _ in 0..9 {
            press(&mut board, &[[KeyCode::Tab, KeyCode::Up, KeyCode::Left, KeyCode::Char('r')][number % 4]]);
            for square in board.plan.aims() {
                assert!(sees(&board, square), "{square} is pointed at");
            }
        }
        let offers = host.table().offers(seat);
        let action = &offers[(number * 7919) % offers.len()];
        host.act(None, action).unwrap();
    }
}

/// Whether some point of the screen shows a square.
fn sees(board: &ChartBoard, square: Square) -> bool {
    (0..21).any(|y| (0..46).any(|x| board.camera.at(x, y) == Some(square)))
}

#[test]
fn a_card_is_turned_and_laid() {
    let mut board = board(PLAYED);
    assert_eq!(press(&mut board, &[KeyCode::Enter]), Did::Changed);
    let Some(Action::Place { at, direction, .. }) = board.plan.action() else { panic!("a card is held") };
    let turned = Direction::ALL[(direction as usize + 1) % 4];
    let keys = [KeyCode::Char('r'), KeyCode::Up, KeyCode::Up, KeyCode::Enter];
    let above = at.step(Direction::North).step(Direction::North);
    assert_eq!(press(&mut board, &keys), Did::Act(format!("place ca {above} {turned}")), "offered or not");
}

#[test]
fn a_card_with_two_equal_icons_is_written_in_one_way_however_it_is_turned() {
    let mut board = ChartBoard::default();
    let table = after(GAME, 2, &json!({}), "flag:c flag:r +cc +cc +ww +ww +ko +go +rr +gk draw +ca +cannon".split(' '));
    board.show(&Moment::of(&*table, Viewer::Seat(Seat::new(0)))).unwrap();
    press(&mut board, &[KeyCode::Enter]);
    let mut texts: Vec<String> = (0..4)
        .map(|_| {
            press(&mut board, &[KeyCode::Char('r')]);
            board.plan.action().unwrap().to_string()
        })
        .collect();
    texts.sort();
    assert_eq!(texts, ["place cc -1,0 e", "place cc 0,-1 n", "place cc 0,0 e", "place cc 0,0 n"]);
}

#[test]
fn cards_are_picked_and_put_back_before_they_are_given() {
    let mut board = board(&played(&["parlay 1 n3", "counter n2", "accept"]));
    let pick = |board: &mut ChartBoard| press(board, &[KeyCode::Enter]);
    assert_eq!(pick(&mut board), Did::Changed);
    assert_eq!(board.plan.words(), []);
    press(&mut board, &right(1));
    pick(&mut board);
    assert_eq!(board.plan.words().len(), 1, "two are enough");
    press(&mut board, &right(1));
    pick(&mut board);
    press(&mut board, &right(9));
    assert_eq!(press(&mut board, &[KeyCode::Enter]), Did::Act("give ww ko".into()), "the first one was put back");
    assert_eq!(press(&mut board, &[KeyCode::Backspace]), Did::Changed);
    assert_eq!(board.plan.words(), []);
}

#[test]
fn a_plundered_card_is_held_at_once() {
    let board = board(&played(&["plunder 1", "steal ww"]));
    assert!(matches!(board.plan.step(), Step::Place(card) if card.name() == "ww"));
    assert!(board.plan.is_offered());
}

#[test]
fn a_flag_is_secret_until_a_key_shows_it_and_again_for_the_next_player() {
    let mut board = board(PLAYED);
    let players =
        |board: &ChartBoard| board.panel(Look::FULL)[1..4].iter().map(ToString::to_string).collect::<String>();
    assert!(!players(&board).contains("Condent"));
    press(&mut board, &[KeyCode::Char('f')]);
    assert!(players(&board).contains("Condent"));
    let table = table(&played(&["parlay 1 n3"]));
    board.show(&Moment::of(&*table, Viewer::Seat(Seat::new(1)))).unwrap();
    assert!(!players(&board).contains("Condent") && !players(&board).contains("Rackham"));
}

#[test]
fn the_pointer_drags_the_chart_and_a_click_lays_a_card() {
    let mut board = board(PLAYED);
    press(&mut board, &[KeyCode::Enter]);
    let mouse = |kind, (column, row)| MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    let left = MouseButton::Left;
    let before = board.camera.at(20, 8).unwrap();
    assert_eq!(board.mouse(mouse(MouseEventKind::Down(left), (20, 8))), Did::Nothing);
    assert_eq!(board.mouse(mouse(MouseEventKind::Drag(left), (28, 10))), Did::Changed);
    assert_eq!(
        board.mouse(mouse(MouseEventKind::Up(left), (28, 10))),
        Did::Nothing,
        "a chart that was dragged is no click"
    );
    draw(&mut board);
    assert_eq!(board.camera.at(28, 10), Some(before), "the square goes with the pointer");
    board.mouse(mouse(MouseEventKind::Down(left), (28, 10)));
    let Did::Act(text) = board.mouse(mouse(MouseEventKind::Up(left), (28, 10))) else { panic!("the card is laid") };
    assert!(text.starts_with(&format!("place ca {before} ")));
}

#[test]
fn squares_at_the_ends_of_the_world_are_drawn_like_others() {
    let table = table(PLAYED);
    let mut moment = Moment::of(&*table, Viewer::Seat(Seat::new(0)));
    let [low, high] = [i32::MIN, i32::MAX];
    let far = [("x", low), ("y", high)].into_iter().zip(["0", "1"]);
    for ((axis, end), half) in far {
        moment.view["chart"][0]["halves"][half.parse::<usize>().unwrap()][axis] = end.into();
    }
    moment.offers.extend([format!("place ca {low},{low} w"), format!("cannon {high},{low}")]);
    let mut board = ChartBoard::default();
    board.show(&moment).unwrap();
    for key in "\t\n\t\n\t[]{}z\trrr\t\n".chars() {
        let code = match key {
            '\t' => KeyCode::Tab,
            '\n' => KeyCode::Enter,
            other => KeyCode::Char(other),
        };
        press(&mut board, &[code, KeyCode::Left, KeyCode::Down, KeyCode::Right, KeyCode::Up]);
        board.panel(Look::FULL);
    }
}
