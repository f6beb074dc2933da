//! A game that is looked through, by keys and clicks.

use ratatui::crossterm::event::KeyModifiers;

use super::*;
use crate::screens::desk::tests::{GAME, Room, trexo};
use crate::testing::Stage;

fn judged(ply: usize, better: &str, first: f32, loss: f32) -> Judged {
    Judged {
        ply,
        seat: Seat::new((ply as u8 + 1) % 2),
        action: GAME[ply - 1].to_owned(),
        better: better.to_owned(),
        line: vec![Step { by: Actor::Seat(Seat::new((ply as u8 + 1) % 2)), action: better.to_owned() }; 2],
        expected: vec![first, 1.0 - first],
        played: vec![first - loss, 1.0 - first + loss],
        loss,
        accuracy: 100.0 - 100.0 * loss,
        verdict: match loss {
            _ if loss > 0.3 => Some(Verdict::Blunder),
            _ if loss > 0.1 => Some(Verdict::Mistake),
            _ if loss > 0.05 => Some(Verdict::Inaccuracy),
            _ => Some(Verdict::Good),
        },
        luck: Vec::new(),
    }
}

/// What an engine might say.
fn judgements() -> Vec<Judged> {
    vec![
        judged(1, "e5f5", 0.55, 0.07),
        judged(2, "e5f5", 0.48, 0.02),
        judged(3, "c1c2", 0.5, 0.0),
        judged(4, "d1c1", 0.5, 0.02),
        judged(5, "d1d2", 0.52, 0.0),
        judged(6, "f1e1", 0.52, 0.18),
        judged(7, "e1e2", 0.7, 0.0),
        judged(8, "g1f1", 0.68, 0.32),
        judged(9, "f1g1", 1.0, 0.0),
    ]
}

fn with_names(mut table: Box<dyn DynSession>) -> Box<dyn DynSession> {
    table.set_headers([("Player 0".to_owned(), "Ann".to_owned()), ("Player 1".to_owned(), "club".to_owned())].into());
    table
}

fn replay(room: &Room, done: usize) -> Replay {
    let table = with_names(trexo(&GAME));
    let mut review = Reviewer::idle(table.ply());
    review.learn(done, judgements().into_iter().take(done).collect(), done == GAME.len());
    Replay::with_review(table, room.desk.clone(), review)
}

fn stage(room: &Room) -> Stage {
    Stage::new(replay(room, GAME.len()))
}

/// The number of the action that is shown.
fn now(stage: &mut Stage) -> usize {
    let picture = stage.picture(80, 24);
    let title = picture.lines().next().unwrap_or_default();
    let (before, _) = title.rsplit_once(" of ").unwrap();
    before.rsplit(' ').next().unwrap().parse().unwrap()
}

fn click(stage: &mut Stage, kind: MouseEventKind, column: u16, row: u16) {
    stage.app.handle(Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
}

#[test]
fn a_game_is_looked_through_from_its_beginning_to_its_end() {
    let room = Room::open();
    let mut stage = stage(&room);
    stage.assert_looks_like("replay at the beginning");
    stage.press([KeyCode::Right; 6]);
    stage.assert_looks_like("replay in the middle");
    stage.press([KeyCode::End]);
    stage.assert_looks_like("replay at the end");
}

#[test]
fn without_colours_and_with_ascii_alone_it_can_be_read_too() {
    let room = Room::open();
    let mut stage = Stage::with_look(replay(&room, GAME.len()), Look::BARE);
    stage.press([KeyCode::End]).assert_looks_like("replay in ascii");
    assert!(stage.picture(80, 24).is_ascii());
}

#[test]
fn keys_go_to_every_action() {
    let room = Room::open();
    let mut stage = stage(&room);
    for (keys, at) in [
        (vec![KeyCode::Right, KeyCode::Down], 2),
        (vec![KeyCode::Left], 1),
        (vec![KeyCode::PageDown], 9),
        (vec![KeyCode::Right], 9),
        (vec![KeyCode::Home, KeyCode::Left], 0),
        (vec![KeyCode::Char('7'), KeyCode::Enter], 7),
        (vec![KeyCode::Char('g'), KeyCode::Char('4'), KeyCode::Enter], 4),
        (vec![KeyCode::Char('9'), KeyCode::Char('9'), KeyCode::Enter], 9),
        (vec![KeyCode::Char('g'), KeyCode::Char('x'), KeyCode::Enter], 9),
        (vec![KeyCode::PageUp], 0),
        (vec![KeyCode::Char('n')], 6),
        (vec![KeyCode::Char('n')], 8),
        (vec![KeyCode::Char('n')], 8),
        (vec![KeyCode::Char('p')], 6),
    ] {
        stage.press(keys.clone());
        assert_eq!(now(&mut stage), at, "{keys:?}");
    }
}

#[test]
fn clicks_lead_into_log_slider_and_graph() {
    let room = Room::open();
    let mut stage = stage(&room);
    let row = stage.picture(80, 24).lines().position(|line| line.contains("the beginning")).unwrap() as u16;
    let left = MouseEventKind::Down(MouseButton::Left);
    click(&mut stage, left, 60, row + 2);
    assert_eq!(now(&mut stage), 2);
    click(&mut stage, left, 70, 0);
    assert_eq!(now(&mut stage), 9);
    click(&mut stage, MouseEventKind::ScrollUp, 10, 10);
    assert_eq!(now(&mut stage), 8);
    let graph = stage.picture(80, 24).lines().position(|line| line.contains("100")).unwrap() as u16;
    click(&mut stage, left, 52, graph);
    assert_eq!(now(&mut stage), 0);
    click(&mut stage, left, 77, graph + 1);
    assert_eq!(now(&mut stage), 9);
}

#[test]
fn a_game_goes_on_by_itself_until_its_end() {
    let room = Room::open();
    let mut replay = replay(&room, 0);
    replay.speed = 0;
    replay.press(KeyCode::Char(' ').into());
    assert!(replay.pace().is_some());
    while replay.pace().is_some() {
        std::thread::sleep(Duration::from_millis(20));
        replay.tick();
    }
    assert_eq!(replay.now, GAME.len());
}

#[test]
fn a_game_is_played_on_from_any_moment_in_a_file_of_its_own() {
    let room = Room::open();
    let mut stage = stage(&room);
    stage.press([KeyCode::End, KeyCode::Char('b')]);
    assert!(stage.picture(80, 24).contains("over here"));
    stage.press([KeyCode::Home, KeyCode::Right, KeyCode::Right, KeyCode::Char('b'), KeyCode::Right]);
    stage.assert_looks_like("replay played on");
    stage.press([KeyCode::Enter]);
    let record = room.kept();
    for line in ["Player 0: Ann", "Player 1: strong", "0: b1a1", "1: j10j9"] {
        assert!(record.contains(line), "{record}");
    }
    assert!(!record.contains("c1c2") && stage.picture(80, 24).contains("(you)"));
}

#[test]
fn all_seats_can_be_played_on_by_people() {
    let room = Room::open();
    let mut stage = stage(&room);
    stage.press([KeyCode::Char('b'), KeyCode::Up, KeyCode::Enter]);
    let record = room.kept();
    assert!(record.contains("Player 0: Ann") && !record.contains("Player 1"), "{record}");
}

#[test]
fn what_is_found_meanwhile_is_shown() {
    let room = Room::open();
    let mut replay = Replay::new(with_names(trexo(&GAME[..3])), room.desk.clone());
    while replay.review.progress().is_some() {
        let Ok(Event::News(news)) = room.events.recv_timeout(Duration::from_secs(30)) else { panic!("no news") };
        replay.hear(&mut Some(news));
    }
    let judged: Vec<usize> = replay.review.moves().iter().map(|made| made.ply).collect();
    assert_eq!(judged, [1, 2, 3]);
    assert_eq!(replay.points().len(), 3, "a game that goes on has no last point");
}

#[test]
fn no_key_breaks_any_game() {
    let room = Room::open();
    let keys = ['n', 'p', 'e', ' ', '+', '-', 'g', 'x'].map(KeyCode::Char);
    for kind in quincunx_games::GAMES {
        let table = kind.start(None, &serde_json::json!({})).unwrap();
        let mut host = crate::testing::Dealt::seeded(table, 5);
        for _ in 0..30 {
            host.draw_all().unwrap();
            let quincunx_core::Turn::Seat(seat) = host.table().turn() else { break };
            let action = host.table().actions(seat).remove(0);
            host.act(Some(u64::from(seat.number())), &action).unwrap();
        }
        let review = Reviewer::idle(host.table().ply());
        let mut stage = Stage::new(Replay::with_review(host.table().boxed_clone(), room.desk.clone(), review));
        stage.press([KeyCode::Right, KeyCode::PageDown, KeyCode::End, KeyCode::Up, KeyCode::Home]).press(keys);
        stage.press([KeyCode::Esc]).picture(200, 60);
    }
}
