//! A table on a server, with the server made by hand.

use std::time::Duration;

use quincunx_client::{Done, Event as Online, local_time};
use quincunx_core::DynSession;
use quincunx_table::TableId;
use quincunx_table::protocol::Remark;
use serde_json::{Value, json};

use super::testing::{Server, played, told, watched, welcome};
use super::*;
use crate::event::{Event, News as Any};

fn hear(server: &Server, table: &mut Source, event: Online) -> bool {
    table.hear(&mut Some(server.news(event)))
}

fn trexo(actions: &[&str]) -> Box<dyn DynSession> {
    played("trexo", actions)
}

fn tell(server: &Server, table: &mut Source, game: &dyn DynSession, change: impl FnOnce(&mut Value)) -> Option<String> {
    hear(server, table, Online::Table(Box::new(told(game, change))));
    table.notice()
}

#[test]
fn an_action_is_sent_with_its_ply_and_no_other_one_before_it_is_seen() {
    let server = Server::open();
    let mut table = server.table(told(&*trexo(&[]), |_| {}));
    assert!(table.moment().is_ours());
    table.act("0: e5f5").unwrap();
    let sent = server.requests().remove(0);
    assert_eq!(sent["command"], json!({"type": "act", "action": "e5f5", "ply": 0}));
    assert!(table.act("e5f5").is_err());
    // It is done, but the table has not been told as it is now.
    let id = sent["id"].as_str().unwrap().to_owned();
    hear(&server, &mut table, Online::Answered { id, answer: Ok(Done { version: Some(5), table: None }) });
    assert!(table.act("e5f5").unwrap_err().contains("on its way"));
    tell(&server, &mut table, &*trexo(&["e5f5"]), |_| {});
    assert_eq!(table.moment().ply, 1);
    assert!(table.act("e6f6").is_ok(), "the server decides whose turn it is");
}

#[test]
fn what_may_be_done_is_what_the_server_says() {
    let server = Server::open();
    let game = trexo(&["e5f5", "e6f6"]);
    let table = server.table(told(&*game, |value| value["log"][0]["action"] = json!("a tile in the air")));
    assert!(!table.moment().offers.is_empty(), "also by rules that are not known here");
    let few = server.table(told(&*game, |value| value["position"]["actions"] = json!([{"action": "a1b1"}])));
    assert_eq!(few.moment().offers, ["a1b1"]);
    assert!(server.table(told(&*game, watched)).moment().offers.is_empty());
}

#[test]
fn a_refused_action_says_why_and_another_one_may_follow() {
    let server = Server::open();
    let mut table = server.table(told(&*trexo(&[]), |_| {}));
    table.act("a1a9").unwrap();
    let id = server.requests()[0]["id"].as_str().unwrap().to_owned();
    assert!(hear(&server, &mut table, Online::Answered { id, answer: Err("It is no tile.".to_owned()) }));
    assert_eq!(table.notice().as_deref(), Some("It is no tile."));
    assert!(table.act("e5f5").is_ok());
}

#[test]
fn news_of_other_tables_and_servers_are_for_others() {
    let (server, elsewhere) = (Server::open(), Server::open());
    let mut table = server.table(told(&*trexo(&[]), |_| {}));
    let other = told(&*trexo(&["e5f5"]), |value| value["table"] = json!("another"));
    let mut news = Some(server.news(Online::Table(Box::new(other.clone()))));
    assert!(!table.hear(&mut news) && news.is_some());
    let same = told(&*trexo(&["e5f5"]), |_| {});
    let mut news = Some(elsewhere.news(Online::Table(Box::new(same))));
    assert!(!table.hear(&mut news) && news.is_some());
    let answer = Online::Answered { id: "unknown".to_owned(), answer: Ok(Done::default()) };
    let mut news = Some(server.news(answer));
    assert!(!table.hear(&mut news) && news.is_some());
    // What all have to know stays for the others.
    let mut news = Some(server.news(Online::Connected(welcome())));
    assert!(table.hear(&mut news) && news.is_some());
    assert_eq!(table.moment().ply, 0);
}

#[test]
fn an_older_table_than_the_one_that_is_known_is_passed_over() {
    let server = Server::open();
    let mut table = server.table(told(&*trexo(&["e5f5"]), |_| {}));
    tell(&server, &mut table, &*trexo(&[]), |_| {});
    assert_eq!(table.moment().ply, 1);
}

#[test]
fn clocks_run_on_between_messages_by_the_time_of_the_server() {
    let server = Server::open();
    let face = |running: Value| json!({"left": [60_000, 5_000], "running": running});
    let mut table = server.table(told(&*trexo(&[]), |value| {
        value["clocks"] = face(json!([0, local_time() - 10_000]));
    }));
    let clocks = |table: &Source| table.players().into_iter().filter_map(|player| player.clock).collect::<Vec<_>>();
    let near = |left: Duration, millis: u64| left.abs_diff(Duration::from_millis(millis)) < Duration::from_secs(5);
    assert!(near(clocks(&table)[0], 50_000), "{:?}", clocks(&table));
    assert_eq!(clocks(&table)[1], Duration::from_secs(5));
    assert!(table.pace().is_some());
    // On the server it is twenty seconds later than here.
    let later = Welcome { ahead: 20_000, ..welcome() };
    hear(&server, &mut table, Online::Connected(later));
    assert!(near(clocks(&table)[0], 30_000), "{:?}", clocks(&table));
    // Nobody has less than nothing, whatever a server says.
    let mad = json!({"left": [i64::MIN, i64::MAX], "running": [1, i64::MIN]});
    let table = server.table(told(&*trexo(&[]), |value| value["clocks"] = mad));
    assert_eq!(clocks(&table)[0], Duration::ZERO);
    let few = server.table(told(&*trexo(&[]), |value| value["clocks"] = json!({"left": [], "running": [9, 0]})));
    assert!(clocks(&few).is_empty());
}

#[test]
fn a_draw_is_offered_declined_and_agreed() {
    let server = Server::open();
    let game = trexo(&["e5f5"]);
    let mut table = server.table(told(&*game, |_| {}));
    assert!(table.command("y").is_err(), "nobody has asked");
    let notice = tell(&server, &mut table, &*game, |value| {
        (value["version"], value["draw_offer"]) = (json!(6), json!(1));
    });
    assert_eq!(notice.as_deref(), Some("Bob offers a draw: y accepts, n declines."));
    assert_eq!(table.players()[1].note.as_deref(), Some("offers a draw"));
    table.command("n").unwrap();
    table.command("D").unwrap();
    let sent: Vec<Value> = server.requests().iter().map(|request| request["command"].clone()).collect();
    assert_eq!(sent, [json!({"type": "answer_draw", "accept": false}), json!({"type": "offer_draw"})]);
    let notice = tell(&server, &mut table, &*game, |value| value["version"] = json!(7));
    assert_eq!(notice.as_deref(), Some("The draw was declined."));
}

#[test]
fn moves_are_taken_back_if_the_others_agree() {
    let server = Server::open();
    let (long, short) = (trexo(&["e5f5", "e6f6"]), trexo(&["e5f5"]));
    let mut table = server.table(told(&*long, |_| {}));
    table.command("u").unwrap();
    assert_eq!(server.requests()[0]["command"], json!({"type": "ask_undo"}));
    let asks = |version: u64, seat: u8| {
        move |value: &mut Value| {
            value["version"] = json!(version);
            value["undo"] = json!({"seat": seat, "ply": 1, "granted": []});
        }
    };
    let notice = tell(&server, &mut table, &*long, asks(7, 0));
    assert_eq!(notice.as_deref(), Some("You ask to take back a move; the others have to agree."));
    assert!(table.command("y").is_err(), "nobody grants their own wish");
    let notice = tell(&server, &mut table, &*short, |value| value["version"] = json!(8));
    assert_eq!((notice.as_deref(), table.moment().ply), (Some("Taken back."), 1));
    tell(&server, &mut table, &*short, asks(9, 1));
    table.command("y").unwrap();
    assert_eq!(server.requests()[0]["command"], json!({"type": "answer_undo", "grant": true}));
}

#[test]
fn nobody_resigns_by_pressing_a_key_once() {
    let server = Server::open();
    let mut table = server.table(told(&*trexo(&[]), |_| {}));
    assert_eq!(table.command("X").unwrap().as_deref(), Some("Press X again to resign."));
    assert!(server.requests().is_empty());
    table.command("X").unwrap();
    assert_eq!(server.requests()[0]["command"], json!({"type": "resign"}));
    let mut watching = server.table(told(&*trexo(&[]), watched));
    assert_eq!(watching.command("X").unwrap_err(), "You do not play at this table.");
    assert_eq!(watching.act("e5f5").unwrap_err(), "You only watch here.");
    assert!(watching.moment().viewer.is_none());
}

#[test]
fn a_table_waits_with_its_link_and_seats_are_taken() {
    let server = Server::open();
    let waits = |value: &mut Value| {
        (value["status"], value["version"]) = (json!("open"), json!(1));
        value["seats"] = json!([{"user": null, "name": null, "engine": null, "taken_over": false}, {"user": null, "name": null, "engine": null, "taken_over": false}]);
    };
    let mut table = server.table(told(&*trexo(&[]), waits));
    let Stage::Waiting { why, link } = table.stage() else { panic!("it waits") };
    assert_eq!(why[0], "Waiting for 2 players.");
    // A public table is found without the key.
    assert_eq!(link.as_deref(), Some("https://games.example.org/table/k3vq9x7c2m4n8b5z1t6w0r3ya"));
    table.command("1").unwrap();
    table.command("Enter").unwrap();
    table.command("7").unwrap();
    let seats: Vec<Value> = server.requests().iter().map(|request| request["command"]["seat"].clone()).collect();
    assert_eq!(seats, [json!(1), json!(0)]);
    table.command("A").unwrap();
    table.command("A").unwrap();
    assert_eq!(server.requests()[0]["command"], json!({"type": "abort"}));
    let private = server.table(told(&*trexo(&[]), |value| {
        waits(value);
        value["setup"]["public"] = json!(false);
    }));
    let Stage::Waiting { link, .. } = private.stage() else { panic!("it waits") };
    assert!(link.unwrap().ends_with("?invitation=d0f2h8s6k1q4j7p9e3g5u2xwb"));
}

#[test]
fn a_seat_that_is_kept_is_taken_first_and_none_twice() {
    let server = Server::open();
    let mut table = server.table(told(&*trexo(&[]), |value| {
        value["status"] = json!("open");
        value["setup"]["seats"] = json!([{"kind": "open"}, {"kind": "player", "user": 1}]);
        value["seats"] =
            json!([{"user": null, "name": null, "engine": null, "taken_over": false}, {"user": null, "name": null, "engine": null, "taken_over": false}]);
    }));
    table.sit_anywhere();
    assert_eq!(server.requests()[0]["command"]["seat"], 1);
    let mut table = server.table(told(&*trexo(&[]), |value| value["status"] = json!("open")));
    table.sit_anywhere();
    assert!(server.requests().is_empty());
}

#[test]
fn a_game_ends_in_words_and_is_played_again_at_the_next_table() {
    let server = Server::open();
    let over = |value: &mut Value| {
        (value["status"], value["version"]) = (json!("finished"), json!(9));
        value["ending"] = json!({"winners": [1], "reason": "resigned"});
    };
    let mut table = server.table(told(&*trexo(&["e5f5"]), over));
    assert_eq!(table.stage(), Stage::Over("Bob wins: by resignation. M plays again.".to_owned()));
    assert_eq!(table.moment().outcome.as_ref().unwrap().winners, [1]);
    table.command("M").unwrap();
    let id = server.requests()[0]["id"].as_str().unwrap().to_owned();
    let done = Done { version: None, table: Some(TableId("next".to_owned())) };
    hear(&server, &mut table, Online::Answered { id, answer: Ok(done) });
    let orders = format!("{:?}", server.orders());
    assert!(orders.contains("Unwatch(k3v") && orders.contains("Watch(next"), "{orders}");
    tell(&server, &mut table, &*trexo(&[]), |value| (value["table"], value["version"]) = (json!("next"), json!(1)));
    assert_eq!((table.stage(), table.moment().ply), (Stage::Playing, 0));
    drop(table);
    assert_eq!(format!("{:?}", server.orders()), "[Unwatch(next)]");
}

#[test]
fn a_lost_connection_is_told_once_and_its_end_too() {
    let server = Server::open();
    let mut table = server.table(told(&*trexo(&[]), |_| {}));
    let lost = || Online::Lost { why: "The connection has ended.".to_owned(), pause: Duration::from_secs(3) };
    hear(&server, &mut table, lost());
    assert_eq!(table.notice().as_deref(), Some("What you do is kept. The connection has ended."));
    assert!(table.title().ends_with("not connected, next try in 3 s"), "{}", table.title());
    hear(&server, &mut table, lost());
    assert_eq!(table.notice(), None);
    table.act("e5f5").unwrap();
    assert_eq!(table.notice().as_deref(), Some("The connection is lost; this is sent as soon as it is back."));
    hear(&server, &mut table, Online::Connected(welcome()));
    assert_eq!(table.notice().as_deref(), Some("The connection is back."));
    hear(&server, &mut table, Online::Connected(Welcome::default()));
    assert!(table.notice().unwrap().contains("does not know you"));
}

#[test]
fn remarks_are_heard_once_each() {
    let server = Server::open();
    let mut table = server.table(told(&*trexo(&[]), |_| {}));
    let remark = |number, user, text: &str| {
        let (name, text) = ("Bob".to_owned(), text.to_owned());
        Remark { number, user: UserId(user), name, at: 0, text, spectator: false }
    };
    let said = |remarks| Online::Said { table: TableId("k3vq9x7c2m4n8b5z1t6w0r3ya".to_owned()), remarks };
    hear(&server, &mut table, said(vec![remark(1, 2, "hello"), remark(2, 2, "there")]));
    assert_eq!(table.notice(), None, "what was said before is no news");
    hear(&server, &mut table, said(vec![remark(2, 2, "there"), remark(3, 2, "?")]));
    assert_eq!(table.notice().as_deref(), Some("Bob says: ?"));
    assert_eq!(table.talk().unwrap().len(), 3);
    // What spectators have said is told after the game, in its place.
    hear(&server, &mut table, said(vec![remark(5, 2, "good game")]));
    hear(&server, &mut table, said(vec![remark(4, 2, "take the corner")]));
    assert_eq!(table.talk().unwrap().iter().map(|remark| remark.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    table.say("hi").unwrap();
    assert_eq!(server.requests()[0]["text"], "hi");
}

#[test]
fn the_engine_here_gives_hints_where_nothing_is_hidden() {
    let server = Server::open();
    let mut table = server.table(told(&*trexo(&["e5f5", "e6f6"]), |_| {}));
    table.ask_hint().unwrap();
    assert!(matches!(table.hint(), Hint::Thinking));
    let Ok(Event::News(news @ Any::Hinted { .. })) = server.events.recv_timeout(Duration::from_mins(1)) else {
        panic!("a hint")
    };
    assert!(table.hear(&mut Some(news)));
    let Hint::Given(thought) = table.hint() else { panic!("a hint") };
    assert!(table.moment().offers.contains(&thought.action));
    assert_eq!(table.record().unwrap().headers["Player 1"], "Bob");

    let mut rated = server.table(told(&*trexo(&[]), |value| value["setup"]["rated"] = json!(true)));
    assert_eq!(rated.ask_hint().unwrap_err(), "A rated game is played without help.");
    let mut hidden = server.table(told(&*played("castle-builders", &[]), |_| {}));
    assert!(hidden.ask_hint().unwrap_err().contains("hidden"));
    assert!(hidden.record().is_err());
    let mut other_rules = server.table(told(&*trexo(&[]), |value| value["log"] = json!([{"seat": 0, "action": "z9"}])));
    assert!(other_rules.ask_hint().unwrap_err().contains("The rules here are other ones"));
}

#[test]
fn a_server_may_tell_what_cannot_be() {
    let server = Server::open();
    let mad = |value: &mut Value| {
        value["seats"] = json!([]);
        value["setup"]["seats"] = json!([]);
        value["draw_offer"] = json!(200);
        value["undo"] = json!({"seat": 255, "ply": 1_000_000, "granted": []});
        value["position"]["turn"] = json!({"kind": "seat", "seat": 77});
        value["position"]["seats"] = json!(250);
        value["ending"] = json!({"winners": [99], "reason": ""});
        value["setup"]["game"] = json!("poker");
    };
    for status in ["open", "playing", "finished", "aborted"] {
        let mut table = server.table(told(&*trexo(&["e5f5"]), |value| {
            mad(value);
            value["status"] = json!(status);
        }));
        let _ = (table.title(), table.players(), table.stage(), table.commands());
        for key in ["y", "n", "X", "X", "D", "u", "M", "L", "A", "A", "0", "255", "Enter"] {
            let _ = table.command(key);
        }
        let _ = (table.act("e5f5"), table.ask_hint(), table.record().is_ok());
    }
}

#[test]
fn clocks_are_told_in_words() {
    let words = |seconds, increment| clock_in_words(TimeControl::RealTime { seconds, increment });
    assert_eq!(words(600, 5), "10 min + 5 s a move");
    assert_eq!(words(90, 0), "90 s a game");
    assert_eq!(clock_in_words(TimeControl::Correspondence { days: 3 }), "3 days a move");
}
