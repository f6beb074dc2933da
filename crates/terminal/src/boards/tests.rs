//! What holds for every board.

use std::collections::HashSet;

use quincunx_core::{DynSession, Seat, Turn, Viewer, find};
use quincunx_games::GAMES;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use ratatui::style::Color;
use serde_json::{Value, json};

use super::{Board, Did, of_game};
use crate::look::Look;
use crate::moment::Moment;
use crate::screens::table::TableScreen;
use crate::testing::Dealt;

/// Games with their seats and options, so that every rule that a board shows is met.
fn set_ups() -> Vec<(&'static str, u64, Value)> {
    vec![
        ("trexo", 2, json!({})),
        ("trexo", 2, json!({"size": 11, "swap": true})),
        ("mod-x", 2, json!({})),
        ("mod-x", 3, json!({})),
        ("mod-x", 4, json!({"teams": true})),
        ("mod-x", 3, json!({"claims": "manual"})),
        ("figures", 2, json!({})),
        ("figures", 4, json!({})),
        ("castle-builders", 2, json!({})),
        ("x-marks-the-spot", 2, json!({})),
        ("x-marks-the-spot", 4, json!({"turn_limit": 40})),
    ]
}

fn host(game: &str, seats: u64, options: &Value, seed: u64) -> Dealt {
    Dealt::seeded(find(GAMES, game).unwrap().start(Some(seats), options).unwrap(), seed)
}

/// Plays on at random, as many actions as this, the same ones each time.
pub(super) fn play_on(mut table: Box<dyn DynSession>, actions: usize) -> Box<dyn DynSession> {
    let mut rng = StdRng::seed_from_u64(8);
    for _ in 0..actions {
        let Turn::Seat(seat) = table.turn() else { break };
        let offers = table.offers(seat);
        table.apply(None, &offers[rng.random_range(0..offers.len())]).unwrap();
    }
    table
}

/// A table with people on all seats.
pub(super) fn screen(table: Box<dyn DynSession>) -> TableScreen {
    crate::testing::of_people(table)
}

fn draw(board: &mut dyn Board, width: u16, height: u16, look: Look) -> Buffer {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    board.draw(area, &mut buffer, look);
    buffer
}

/// Shows the table to whoever is on turn; nobody when the game is over.
fn show(board: &mut dyn Board, host: &mut Dealt) -> Option<Moment> {
    host.draw_all().unwrap();
    let Turn::Seat(seat) = host.table().turn() else { return None };
    let moment = Moment::of(host.table(), Viewer::Seat(seat));
    board.show(&moment).unwrap();
    draw(board, 46, 21, Look::FULL);
    Some(moment)
}

/// Lets a board be played with Tab and Enter until it does something.
fn choose(board: &mut dyn Board, rng: &mut StdRng) -> String {
    for _ in 0..1000 {
        for _ in 0..rng.random_range(0..12) {
            assert_eq!(board.key(KeyCode::Tab.into()), Did::Changed);
        }
        if let Did::Act(action) = board.key(KeyCode::Enter.into()) {
            return action;
        }
    }
    panic!("Tab and Enter lead to nothing: {board:?}")
}

#[test]
fn every_game_can_be_played_to_its_end_with_tab_and_enter() {
    for (number, (game, seats, options)) in set_ups().into_iter().enumerate() {
        let mut host = host(game, seats, &options, number as u64);
        let mut rng = StdRng::seed_from_u64(number as u64);
        let mut board = of_game(game);
        while let Some(moment) = show(&mut *board, &mut host) {
            // The first thing that Tab leads to is never refused.
            board.key(KeyCode::Tab.into());
            let action = choose(&mut *board, &mut rng);
            assert!(moment.offers.contains(&action), "{game}: {action} is not among {:?}", moment.offers);
            host.act(None, &action).unwrap();
        }
        assert!(host.table().outcome().is_some(), "{game}");
    }
}

#[test]
fn no_key_and_no_click_breaks_a_board_of_any_size() {
    let keys = [
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Enter,
        KeyCode::Backspace,
        KeyCode::Esc,
        KeyCode::Home,
        KeyCode::End,
    ];
    let letters = (b' '..=b'~').map(|letter| KeyCode::Char(letter.into()));
    let keys: Vec<KeyCode> = keys.into_iter().chain(letters).collect();
    let clicks = [
        MouseEventKind::Moved,
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Down(MouseButton::Right),
        MouseEventKind::ScrollDown,
        MouseEventKind::ScrollUp,
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
    ];
    for (number, (game, seats, options)) in set_ups().into_iter().enumerate() {
        let mut host = host(game, seats, &options, 7);
        let mut rng = StdRng::seed_from_u64(number as u64);
        let mut board = of_game(game);
        for _ in 0..150 {
            let Some(moment) = show(&mut *board, &mut host) else { break };
            for _ in 0..20 {
                let (width, height) = (rng.random_range(0..130), rng.random_range(0..45));
                let look = if rng.random() { Look::FULL } else { Look::BARE };
                draw(&mut *board, width, height, look);
                board.panel(look);
                board.status();
                board.key(keys[rng.random_range(0..keys.len())].into());
                let (column, row) = (rng.random_range(0..140), rng.random_range(0..50));
                let kind = clicks[rng.random_range(0..clicks.len())];
                board.mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
            }
            // The game goes on in any way, also while others look.
            let action = &moment.offers[rng.random_range(0..moment.offers.len())];
            host.act(None, action).unwrap();
            for viewer in [Viewer::Spectator, Viewer::Everything, Viewer::Seat(Seat::new(1))] {
                host.draw_all().unwrap();
                board.show(&Moment::of(host.table(), viewer)).unwrap();
                draw(&mut *board, 46, 21, Look::BARE);
                board.key(KeyCode::Tab.into());
                board.key(KeyCode::Enter.into());
            }
        }
    }
}

#[test]
fn without_colours_and_with_ascii_alone_nothing_else_is_drawn() {
    for (game, seats, options) in set_ups() {
        let mut host = host(game, seats, &options, 3);
        let mut board = of_game(game);
        for _ in 0..40 {
            let Some(moment) = show(&mut *board, &mut host) else { break };
            let buffer = draw(&mut *board, 60, 30, Look::BARE);
            for cell in buffer.content() {
                assert!(cell.symbol().is_ascii(), "{game}: {:?}", cell.symbol());
                assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset), "{game}: {cell:?}");
            }
            for line in board.panel(Look::BARE) {
                assert!(line.to_string().is_ascii(), "{game}: {line}");
            }
            host.act(None, &moment.offers[moment.offers.len() / 2]).unwrap();
        }
    }
}

#[test]
fn whatever_is_offered_can_be_reached_by_walking_about() {
    let walk = [KeyCode::Left, KeyCode::Right, KeyCode::Up, KeyCode::Down, KeyCode::BackTab, KeyCode::Esc];
    let own_boards = set_ups().into_iter().filter(|(game, ..)| ["mod-x", "figures"].contains(game));
    for (game, seats, options) in own_boards {
        let mut host = host(game, seats, &options, 5);
        let mut rng = StdRng::seed_from_u64(5);
        let mut board = of_game(game);
        for _ in 0..60 {
            let Some(moment) = show(&mut *board, &mut host) else { break };
            let mut missing = moment.offers.clone();
            for _ in 0..20_000 {
                if missing.is_empty() || moment.offers.len() > 60 {
                    break;
                }
                let key = match rng.random_range(0..10) {
                    0..5 => KeyCode::Tab,
                    5..8 => KeyCode::Enter,
                    _ => walk[rng.random_range(0..walk.len())],
                };
                if let Did::Act(action) = board.key(key.into()) {
                    missing.retain(|offer| *offer != action);
                }
            }
            assert!(moment.offers.len() > 60 || missing.is_empty(), "{game}: {missing:?} cannot be reached");
            let action = &moment.offers[rng.random_range(0..moment.offers.len())];
            host.act(None, action).unwrap();
        }
    }
}

#[test]
fn who_only_watches_leaves_the_keys_of_the_table_to_it() {
    let keys = "q:/hsuct? +-.".chars().map(KeyCode::Char).chain([KeyCode::PageUp, KeyCode::PageDown]);
    let keys: Vec<KeyCode> = keys.collect();
    for (game, seats, options) in set_ups() {
        let mut host = host(game, seats, &options, 5);
        let mut board = of_game(game);
        for _ in 0..20 {
            let Some(moment) = show(&mut *board, &mut host) else { break };
            board.show(&Moment::of(host.table(), Viewer::Everything)).unwrap();
            for &key in &keys {
                assert_eq!(board.key(key.into()), Did::Nothing, "{game}: {key}");
            }
            host.act(None, &moment.offers[moment.offers.len() / 3]).unwrap();
        }
    }
}

/// Presses Tab, Enter and Backspace at random until everything that is offered was done, and gives what was not.
fn not_reached_at_random(board: &mut dyn Board, offers: &[String], rng: &mut StdRng) -> Vec<String> {
    let keys = [[KeyCode::Tab; 4].as_slice(), &[KeyCode::Enter; 2], &[KeyCode::Backspace]].concat();
    let mut missing: HashSet<&str> = offers.iter().map(String::as_str).collect();
    for _ in 0..20_000 {
        if missing.is_empty() {
            break;
        }
        if let Did::Act(action) = board.key(keys[rng.random_range(0..keys.len())].into()) {
            missing.remove(action.as_str());
        }
    }
    missing.into_iter().map(str::to_owned).collect()
}

/// Goes through everything that Tab leads to, and from there to what Enter opens; gives what was done first.
fn explore(board: &mut dyn Board, depth: usize, missing: &mut HashSet<String>) -> Option<String> {
    let mut first = None;
    // A hand is gone through as often as there are cards and words; what is opened, until it begins again.
    let most = if depth == 0 { 10 } else { 5000 };
    for _ in 0..most {
        let done = match board.key(KeyCode::Enter.into()) {
            Did::Act(action) => {
                missing.remove(&action);
                Some(action)
            }
            Did::Changed if depth < 2 => {
                let done = explore(board, depth + 1, missing);
                board.key(KeyCode::Backspace.into());
                done
            }
            _ => None,
        };
        if depth > 0 && first.is_some() && first == done {
            break;
        }
        first = first.or(done);
        board.key(KeyCode::Tab.into());
    }
    first
}

#[test]
fn everything_that_cards_offer_can_be_reached() {
    // Few cards and most of them action cards: parlays, plunders and new headings in every position.
    let deck = json!({"cr": 4, "go": 3, "aa": 2, "cannon": 3, "heading": 4, "parlay": 5, "plunder": 5});
    let tables = [
        ("castle-builders", 2, json!({})),
        ("x-marks-the-spot", 2, json!({})),
        ("x-marks-the-spot", 4, json!({"deck": deck, "turn_limit": 60})),
    ];
    for (game, seats, options) in tables {
        let mut host = host(game, seats, &options, 21);
        let mut rng = StdRng::seed_from_u64(21);
        let mut board = of_game(game);
        for number in 0..140 {
            let Some(moment) = show(&mut *board, &mut host) else { break };
            let offers = &moment.offers;
            if offers.len() <= 60 {
                let missing = not_reached_at_random(&mut *board, offers, &mut rng);
                assert!(missing.is_empty(), "{game}: {missing:?} of {offers:?}");
            } else if number % 9 == 0 {
                let mut missing = offers.iter().cloned().collect();
                explore(&mut *board, 0, &mut missing);
                assert!(missing.is_empty(), "{game}: {missing:?} of {offers:?}");
            }
            host.act(None, &offers[rng.random_range(0..offers.len())]).unwrap();
        }
    }
}
