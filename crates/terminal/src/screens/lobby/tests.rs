//! The screens of a server, with the server made by hand.

use std::time::Duration;

use quincunx_table::protocol::Request;
use quincunx_table::{Person, UserId};
use ratatui::crossterm::event::KeyCode;
use serde_json::{Value, json};

use super::*;
use crate::look::Look;
use crate::source::Visit;
use crate::source::testing::{Server, played, told, welcome};
use crate::testing::Stage;

/// A table in a list.
fn listing(
    table: &str,
    game: &str,
    status: &str,
    names: [Option<&str>; 2],
    change: impl FnOnce(&mut Value),
) -> Listing {
    let sitting = |name: &str| match name {
        "Ada" => json!({"user": 1, "name": name}),
        "club" => json!({"user": null, "name": name}),
        _ => json!({"user": 7, "name": name}),
    };
    let mut value = json!({
        "table": table,
        "game": game,
        "options": {},
        "status": status,
        "public": true,
        "rated": false,
        "clock": "none",
        "created": 1,
        "changed": 1,
        "seats": names.map(|name| name.map(sitting)),
        "kept": [null, null],
        "winners": null,
    });
    change(&mut value);
    serde_json::from_value(value).unwrap()
}

fn listings() -> Vec<Listing> {
    vec![
        listing("a", "trexo", "playing", [Some("Ada"), Some("Bob")], |value| value["clock"] = json!("rapid")),
        listing("b", "castle-builders", "playing", [Some("club"), Some("Ada")], |_| {}),
        listing("c", "figures", "open", [None, Some("Maximiliane von und zu Hohenstein")], |value| {
            value["kept"] = json!([1, null]);
        }),
        listing("d", "mod-x", "finished", [Some("Ada"), Some("Eve")], |value| value["winners"] = json!([0])),
        listing("e", "trexo", "open", [Some("Carol"), None], |value| {
            (value["clock"], value["rated"], value["changed"]) = (json!("blitz"), json!(true), json!(5));
            value["options"] = json!({"size": 8});
        }),
        listing("f", "x-marks-the-spot", "open", [Some("Dan"), None], |_| {}),
        listing("g", "mod-x", "playing", [Some("Eve"), Some("Mallory")], |value| {
            value["clock"] = json!("correspondence");
        }),
        listing("h", "checkers", "playing", [Some("Eve"), Some("Trent")], |_| {}),
    ]
}

fn tell(stage: &mut Stage, server: &Server, event: Online) {
    stage.app.handle(Event::News(server.news(event)));
    stage.picture(80, 24);
}

fn lobby(server: &Server) -> Stage {
    let lobby = Lobby::new(server.connection.clone(), server.desk.clone(), welcome(), None);
    let mut stage = Stage::new(lobby);
    tell(&mut stage, server, Online::Tables(Ok((listings(), vec![TableId("a".to_owned())]))));
    stage
}

fn lost() -> Online {
    let why = "The server cannot be reached: connection refused.".to_owned();
    Online::Lost { why, pause: Duration::from_secs(4) }
}

#[test]
fn the_lobby_lists_my_games_those_that_wait_and_those_that_run() {
    let server = Server::open();
    lobby(&server).assert_looks_like("lobby");
}

#[test]
fn the_lobby_can_be_read_without_colours() {
    let server = Server::open();
    let lobby = Lobby::new(server.connection.clone(), server.desk.clone(), welcome(), None);
    let mut stage = Stage::with_look(lobby, Look::BARE);
    tell(&mut stage, &server, Online::Tables(Ok((listings(), Vec::new()))));
    assert!(stage.picture(80, 24).is_ascii());
}

#[test]
fn an_empty_lobby_that_has_lost_its_server_says_so() {
    let server = Server::open();
    let lobby = Lobby::new(server.connection.clone(), server.desk.clone(), welcome(), None);
    let mut stage = Stage::new(lobby);
    tell(&mut stage, &server, Online::Tables(Ok((Vec::new(), Vec::new()))));
    tell(&mut stage, &server, lost());
    stage.assert_looks_like("lobby lost");
}

#[test]
fn enter_sits_down_where_a_seat_is_free() {
    let server = Server::open();
    let mut stage = lobby(&server);
    server.orders();
    // Four of mine, then the first that waits.
    stage.press([KeyCode::Down; 4]).press([KeyCode::Enter]);
    assert_eq!(format!("{:?}", server.orders()), "[Watch(e, None)]");
    let table = told(&*played("trexo", &[]), |value| {
        (value["table"], value["status"], value["host"]) = (json!("e"), json!("open"), json!(7));
        value["seats"] = json!([{"user": 7, "name": "Carol", "engine": null, "taken_over": false}, {"user": null, "name": null, "engine": null, "taken_over": false}]);
    });
    tell(&mut stage, &server, Online::Table(Box::new(table)));
    assert_eq!(server.requests()[0]["command"]["seat"], 1);
    assert!(stage.picture(80, 24).contains("Waiting for one player"));
    // Back in the lobby, the table is no longer watched.
    stage.press([KeyCode::Char('q')]);
    assert_eq!(format!("{:?}", server.orders()), "[Unwatch(e)]");
    assert!(stage.picture(80, 24).contains("Running games"));
}

#[test]
fn a_table_that_cannot_be_seen_leaves_one_in_the_lobby() {
    let server = Server::open();
    let mut stage = lobby(&server);
    server.orders();
    stage.type_text("lhttps://games.example.org/table/zzz?invitation=key").press([KeyCode::Enter]);
    assert_eq!(format!("{:?}", server.orders()), r#"[Watch(zzz, Some("key"))]"#);
    tell(
        &mut stage,
        &server,
        Online::Denied { table: TableId("zzz".to_owned()), why: "There is no such table.".to_owned() },
    );
    assert!(stage.picture(80, 24).contains("There is no such table."));
    stage.type_text("lhttps://example.org/").press([KeyCode::Enter]);
    assert!(stage.picture(80, 24).contains("is not the link to a table"));
    assert!(server.orders().is_empty());
}

#[test]
fn tables_come_and_go_while_one_looks() {
    let server = Server::open();
    let mut stage = lobby(&server);
    let change = |stage: &mut Stage, table, status, names| {
        tell(stage, &server, Online::Listed(Box::new(listing(table, "trexo", status, names, |_| {}))));
        stage.picture(80, 24)
    };
    let full = change(&mut stage, "e", "playing", [Some("Carol"), Some("Zoe")]);
    assert!(full.contains("Carol, Zoe") && full.find("Carol, Zoe") > full.find("Running games"), "{full}");
    assert!(!change(&mut stage, "e", "finished", [Some("Carol"), Some("Zoe")]).contains("Zoe"));
    assert!(change(&mut stage, "new", "open", [Some("Newton"), None]).contains("Newton"));
    assert!(!change(&mut stage, "new", "aborted", [Some("Newton"), None]).contains("Newton"));
    // Keys and clicks in a list of any length.
    for key in [KeyCode::Up, KeyCode::PageDown, KeyCode::Tab, KeyCode::PageUp, KeyCode::Esc] {
        stage.press([key; 3]);
    }
    tell(&mut stage, &server, Online::Tables(Ok((Vec::new(), Vec::new()))));
    stage.press([KeyCode::Up, KeyCode::Enter, KeyCode::Down, KeyCode::Char('w')]);
}

#[test]
fn a_long_list_scrolls_with_the_chosen_table() {
    let server = Server::open();
    let mut stage = lobby(&server);
    let many = |number: usize| {
        let (table, name) = (format!("t{number}"), format!("Player {number}"));
        listing(&table, "trexo", "open", [Some(&name), None], |value| value["changed"] = json!(1000 - number))
    };
    tell(&mut stage, &server, Online::Tables(Ok(((0..60).map(many).collect(), Vec::new()))));
    let chosen = |stage: &mut Stage| stage.picture(80, 24).lines().find(|line| line.contains('▸')).map(str::to_owned);
    assert!(chosen(&mut stage).unwrap().contains("Player 0,"));
    stage.press([KeyCode::Down; 40]);
    assert!(chosen(&mut stage).unwrap().contains("Player 40"));
    stage.press([KeyCode::Up; 35]);
    assert!(chosen(&mut stage).unwrap().contains("Player 5,"));
    stage.press([KeyCode::PageUp]);
    assert!(stage.picture(80, 24).contains("Waiting for players"));
}

#[test]
fn a_table_is_set_up_with_the_form() {
    let server = Server::open();
    let mut stage = lobby(&server);
    server.orders();
    stage.press([KeyCode::Char('n')]);
    stage.assert_looks_like("form");
    // Seat 1 for the engine, a clock, and options.
    stage.press([KeyCode::Down; 3]).press([KeyCode::Right; 4]);
    stage.press([KeyCode::Down]).press([KeyCode::Right; 4]);
    stage.press([KeyCode::Down; 3]).type_text(r#"{"size": 40"#).press([KeyCode::Enter]);
    assert!(stage.picture(80, 24).contains("The options are not JSON"));
    stage.type_text("}").press([KeyCode::Enter]);
    let order = |server: &Server| match server.orders().pop() {
        Some(Order::Send(request)) => match *request {
            Request::Create { id, setup } => (id, serde_json::to_value(setup).unwrap()),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    let (first, setup) = order(&server);
    assert_eq!(setup["seats"], json!([{"kind": "player", "user": 1}, {"kind": "engine", "level": "club"}]));
    assert_eq!(setup["clock"], json!({"kind": "real_time", "seconds": 600, "increment": 5}));
    assert_eq!(setup["options"], json!({"size": 40}));
    let refused = Err("Option size: 40 is not between 5 and 11.".to_owned());
    tell(&mut stage, &server, Online::Answered { id: first.clone(), answer: refused });
    stage.assert_looks_like("form refused");
    // Asked for again without a change, it is the same table; with one, it is another one.
    stage.press([KeyCode::Enter]);
    assert_eq!(order(&server).0, first);
    tell(&mut stage, &server, Online::Answered { id: first.clone(), answer: Err("Later.".to_owned()) });
    stage.press([KeyCode::Backspace; 2]).type_text("8}").press([KeyCode::Enter]);
    let (second, _) = order(&server);
    assert_ne!(second, first);
    let created = Done { version: None, table: Some(TableId("mine".to_owned())) };
    tell(&mut stage, &server, Online::Answered { id: second, answer: Ok(created) });
    assert_eq!(format!("{:?}", server.orders()), "[Watch(mine, None)]");
}

#[test]
fn the_form_offers_a_rated_game_only_where_it_can_be_one() {
    let server = Server::open();
    let account = Person { id: UserId(1), name: "Ada".to_owned(), kind: UserKind::Account };
    for (user, without_a_clock, with_a_clock) in
        [(welcome().user, "Rated games are for accounts.", "no"), (Some(account), "A rated game needs a clock.", "yes")]
    {
        let lobby = Lobby::new(server.connection.clone(), server.desk.clone(), Welcome { user, ..welcome() }, None);
        let mut stage = Stage::new(lobby);
        stage.press([KeyCode::Char('n')]).press([KeyCode::Down; 6]).press([KeyCode::Right]);
        let rated = |stage: &mut Stage| {
            let picture = stage.picture(80, 24);
            picture.lines().find(|line| line.contains("Rated  ")).map(str::to_owned).unwrap()
        };
        assert!(rated(&mut stage).contains("no") && stage.picture(80, 24).contains(without_a_clock));
        // A clock, rated, and no clock again.
        stage.press([KeyCode::Up; 2]).press([KeyCode::Right]).press([KeyCode::Down; 2]).press([KeyCode::Right]);
        assert!(rated(&mut stage).contains(with_a_clock), "{}", rated(&mut stage));
        stage.press([KeyCode::Up; 2]).press([KeyCode::Left]);
        assert!(rated(&mut stage).contains("no"));
    }
}

#[test]
fn no_key_breaks_the_form() {
    let server = Server::open();
    let mut stage = lobby(&server);
    stage.press([KeyCode::Char('n')]);
    let keys = [KeyCode::Right, KeyCode::Down, KeyCode::Left, KeyCode::Left, KeyCode::Down, KeyCode::Right];
    for round in 0..400 {
        stage.press([keys[round % keys.len()], keys[round * 7 % keys.len()]]);
    }
    assert!(stage.picture(80, 24).contains("A new table"));
    stage.press([KeyCode::Enter]);
    assert!(!server.requests().is_empty());
    stage.press([KeyCode::Esc]);
    assert!(stage.picture(80, 24).contains("Tables at"));
}

#[test]
fn a_table_that_waits_shows_who_is_there_and_how_to_come() {
    let server = Server::open();
    let table = told(&*played("trexo", &[]), |value| {
        (value["status"], value["setup"]["public"]) = (json!("open"), json!(false));
        value["setup"]["seats"] = json!([{"kind": "player", "user": 1}, {"kind": "invited"}]);
        value["setup"]["options"] = json!({"size": 8});
        value["setup"]["clock"] = json!({"kind": "real_time", "seconds": 600, "increment": 5});
        value["seats"][1] = json!({"user": null, "name": null, "engine": null, "taken_over": false});
    });
    let mut stage = Stage::new(TableScreen::new(server.table(table)));
    stage.assert_looks_like("waiting table");
}

#[test]
fn a_table_without_a_connection_says_so_and_keeps_what_is_done() {
    let server = Server::open();
    let table = told(&*played("trexo", &["e5f5", "e6f6"]), |_| {});
    let mut stage = Stage::new(TableScreen::new(server.table(table)));
    tell(&mut stage, &server, lost());
    stage.assert_looks_like("table lost");
    stage.press([KeyCode::Tab, KeyCode::Enter]);
    assert!(stage.picture(80, 24).contains("this is sent as soon as it is back"));
    assert_eq!(server.requests().len(), 1);
    tell(&mut stage, &server, Online::Connected(welcome()));
    assert!(stage.picture(80, 24).contains("The connection is back."));
}

#[test]
fn the_door_says_when_nobody_opens() {
    let server = Server::open();
    let mut stage = Stage::new(Entrance::at(server.connection.clone(), server.desk.clone(), None));
    assert!(stage.picture(80, 24).contains("Connecting to https://games.example.org"));
    tell(&mut stage, &server, lost());
    stage.assert_looks_like("entrance lost");
    stage.press([KeyCode::Char('q')]);
    assert!(stage.app.is_over());
}

#[test]
fn a_guest_says_their_name_and_is_in() {
    let server = Server::open();
    let place = Some(Place::of(&TableId("k3v".to_owned())));
    let mut stage = Stage::new(Entrance::at(server.connection.clone(), server.desk.clone(), place));
    tell(&mut stage, &server, Online::Connected(Welcome::default()));
    stage.press([KeyCode::Enter]);
    assert!(stage.picture(80, 24).contains("A name is needed."));
    stage.type_text("Ada?");
    stage.assert_looks_like("entrance guest");
    stage.press([KeyCode::Enter]);
    assert_eq!(format!("{:?}", server.orders()), "[Guest(Ada?)]");
    tell(&mut stage, &server, Online::NotAdmitted("Somebody is called so already.".to_owned()));
    assert!(stage.picture(80, 24).contains("Somebody is called so already."));
    stage.press([KeyCode::Backspace, KeyCode::Enter]);
    tell(&mut stage, &server, Online::Connected(welcome()));
    let orders = format!("{:?}", server.orders());
    assert!(orders.contains("Guest(Ada)") && orders.contains("Watch(k3v"), "{orders}");
    assert!(stage.picture(80, 24).contains("Ada, a guest"));
}

#[test]
fn a_password_is_not_shown_and_comes_after_the_name() {
    let server = Server::open();
    let mut stage = Stage::new(Entrance::asked(server.connection.clone(), server.desk.clone(), ""));
    stage.press([KeyCode::Right]).type_text("ada").press([KeyCode::Enter]);
    stage.type_text("correct horse");
    stage.assert_looks_like("entrance account");
    assert!(!stage.picture(80, 24).contains("horse"));
    stage.press([KeyCode::Enter]);
    let Some(Order::LogIn { name, password }) = server.orders().pop() else { panic!("a log-in") };
    assert_eq!((name.as_str(), password.as_str()), ("ada", "correct horse"));
    // A server that goes away meanwhile does not keep one waiting for ever.
    tell(&mut stage, &server, lost());
    assert!(stage.picture(80, 24).contains("Next try in 4 s"));
    let user = Person { id: UserId(3), name: "ada".to_owned(), kind: UserKind::Account };
    tell(&mut stage, &server, Online::Connected(Welcome { user: Some(user), ..welcome() }));
    assert!(stage.picture(80, 24).contains("Tables at games.example.org"));
}

#[test]
fn a_person_whom_the_server_has_forgotten_is_asked_again() {
    let server = Server::open();
    let mut stage = lobby(&server);
    tell(&mut stage, &server, Online::Connected(Welcome::default()));
    assert!(stage.picture(80, 24).contains("The server does not know you any more."));
}

#[test]
fn an_address_that_is_none_is_refused_before_anything_is_shown() {
    let server = Server::open();
    let visit = Visit { server: "games.example.org".to_owned(), ..Visit::default() };
    let refused = Entrance::new(visit, server.desk.clone()).unwrap_err();
    assert!(refused.contains("http://"), "{refused}");
}
