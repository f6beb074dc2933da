//! Sessions, the object-safe face and records, played on a made-up game.

mod common;

use common::{Options, Snap};
use quincunx_core::{
    ActionError, Actor, DynSession, GameKind, Of, Playouts, Reason, Record, ReplayError, Seat, Session, Step, Turn,
    UndoError, Viewer, all_codes, find, perft,
    record::{Ending, Place, RecordError},
    replay as replay_steps,
};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::json;

const GAMES: &[&dyn GameKind] = &[&Of::<Snap>::NEW];

fn session(texts: &[&str]) -> Session<Snap> {
    let mut session = Session::new(2, Options::default()).unwrap();
    for text in texts {
        session.apply(None, text).unwrap();
    }
    session
}

fn long_table() -> Box<dyn DynSession> {
    let mut table = GAMES[0].start(Some(3), &json!({"target": 2000})).unwrap();
    for _ in 0..3 {
        table.draw(&mut Xoshiro256PlusPlus::seed_from_u64(1)).unwrap();
    }
    for ply in 0..1000 {
        table.apply(None, if ply % 3 == 0 { "add 2" } else { "add 1" }).unwrap();
    }
    table
}

fn replay(text: &str) -> Result<Box<dyn DynSession>, RecordError> {
    Record::parse(text)?.replay(GAMES)
}

fn refused(text: &str) -> String {
    replay(text).unwrap_err().to_string()
}

#[test]
fn an_action_that_is_refused_leaves_the_position_as_it_was() {
    let mut session = session(&["+a", "+b"]);
    let before = session.to_json(Viewer::Everything);
    for text in ["add 3", "snap", "nonsense", "", "+a", "add 02", "add +1", "\u{1f980}"] {
        assert!(session.apply(None, text).is_err(), "{text}");
    }
    assert!(session.apply(Some(1), "add 1").is_err());
    assert!(session.apply(Some(2), "snap").is_err());
    assert!(session.apply(Some(u64::MAX), "snap").is_err());
    assert_eq!(session.to_json(Viewer::Everything), before);
}

#[test]
fn errors_say_what_was_wrong() {
    let mut session = session(&["+a", "+b"]);
    let mut why = |seat, text: &str| session.apply(seat, text).unwrap_err().to_string();
    assert_eq!(why(None, "jump"), r#""jump" is not an action of this game: an action is add 1, add 2 or snap"#);
    assert_eq!(why(None, "add 01"), r#""add 01" is written "add 1""#);
    assert_eq!(why(Some(1), "add 1"), r#""add 1" is not legal: it is the turn of seat 0"#);
    assert_eq!(why(Some(7), "snap"), "there is no seat 7: this table has 2 seats, counted from 0");
    let long = why(None, &"x".repeat(1000));
    assert!(long.len() < 200, "a long text is not repeated whole: {long}");
}

#[test]
fn other_seats_act_out_of_turn_and_the_turn_stays() {
    let mut session = session(&["+a", "+b"]);
    session.apply(Some(1), "snap").unwrap();
    assert_eq!(session.to_json(Viewer::Everything).scores, [0, 1]);
    let json = serde_json::to_value(session.to_json(Viewer::Everything)).unwrap();
    assert_eq!(json["turn"], json!({"kind": "seat", "seat": 0}));
}

#[test]
fn a_position_has_the_shape_of_the_protocol() {
    let session = session(&["+a", "+b"]);
    let json = serde_json::to_value(session.to_json(Viewer::Everything)).unwrap();
    assert_eq!(
        json,
        json!({
            "game": "snap", "seats": 2, "ply": 2,
            "turn": {"kind": "seat", "seat": 0},
            "actions": [
                {"seat": 0, "action": "add 1"}, {"seat": 0, "action": "add 2"}, {"seat": 1, "action": "snap"}
            ],
            "scores": [0, 0], "outcome": null,
            "view": {"letters": ["a", "b"], "total": 0}
        })
    );
}

#[test]
fn a_seat_gets_its_own_actions_and_nothing_at_a_chance_turn() {
    let mut session = Session::<Snap>::new(2, Options::default()).unwrap();
    let actions = |session: &Session<Snap>, viewer| serde_json::to_value(session.to_json(viewer).actions).unwrap();
    assert_eq!(
        actions(&session, Viewer::Everything),
        json!([{"action": "+a", "weight": 3}, {"action": "+b", "weight": 1}])
    );
    assert_eq!(actions(&session, Viewer::Seat(Seat::new(0))), json!([]));
    for text in ["+a", "+a"] {
        session.apply(None, text).unwrap();
    }
    assert_eq!(actions(&session, Viewer::Seat(Seat::new(1))), json!([{"seat": 1, "action": "snap"}]));
    assert_eq!(actions(&session, Viewer::Spectator), json!([]));
}

#[test]
fn hidden_actions_are_redacted_in_the_log_for_everyone_else() {
    let session = session(&["+a", "+b", "add 1"]);
    let log = |viewer| session.log(viewer).into_iter().map(|step| step.action).collect::<Vec<_>>();
    assert_eq!(log(Viewer::Everything), ["+a", "+b", "add 1"]);
    assert_eq!(log(Viewer::Seat(Seat::new(0))), ["+a", "+?", "add 1"]);
    assert_eq!(log(Viewer::Seat(Seat::new(1))), ["+?", "+b", "add 1"]);
    assert_eq!(log(Viewer::Spectator), ["+?", "+?", "add 1"]);
}

#[test]
fn what_a_player_must_notice_himself_is_listed_but_not_offered() {
    let session = session(&["+a", "+b"]);
    assert_eq!(session.to_json(Viewer::Seat(Seat::new(1))).actions[0].action, "snap");
    assert!(session.offers(Seat::new(1)).is_empty());
    assert_eq!(session.offers(Seat::new(0)), ["add 1", "add 2"]);
}

#[test]
fn a_finished_game_accepts_nothing_more() {
    let mut session = session(&["+a", "+b", "add 2", "add 2", "add 2", "add 2", "add 2"]);
    assert_eq!(session.to_json(Viewer::Spectator).outcome.unwrap().winners, [0]);
    assert_eq!(session.apply(None, "add 1"), Err(ActionError::Over));
    assert_eq!(session.apply(Some(1), "snap"), Err(ActionError::Over));
    assert_eq!(session.draw(&mut Xoshiro256PlusPlus::seed_from_u64(0)), Err(ActionError::Over));
}

#[test]
fn a_draw_follows_the_weights() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut start = Session::<Snap>::new(2, Options::default()).unwrap();
    let drawn = (0..4000).filter(|_| {
        let text = start.draw(&mut rng).unwrap();
        start.undo(1).unwrap();
        text == "+a"
    });
    let share = drawn.count();
    assert!((2880..3120).contains(&share), "{share} of 4000 instead of about 3000");
    assert_eq!(session(&["+a", "+a"]).draw(&mut rng), Err(ActionError::NotAChanceTurn));
}

#[test]
fn undo_gives_every_earlier_position_back() {
    let mut table = long_table();
    let whole = table.record();
    for (count, ply) in [(0, 1003), (3, 1000), (233, 767), (256, 511), (500, 11), (11, 0)] {
        table.undo(count).unwrap();
        assert_eq!(table.ply(), ply);
        let mut start = GAMES[0].start(Some(3), &json!({"target": 2000})).unwrap();
        for step in &whole.steps[..ply] {
            start.apply_by(step.by, &step.action).unwrap();
        }
        assert_eq!(table.position(Viewer::Everything), start.position(Viewer::Everything));
    }
    assert_eq!(table.undo(1), Err(UndoError::TooMany { asked: 1, made: 0 }));
    assert_eq!(table.undo(u64::MAX), Err(UndoError::TooMany { asked: u64::MAX, made: 0 }));
}

/// A kept position of the line that was taken back must not come back with the next undo.
#[test]
fn undo_across_a_kept_position_forgets_it() {
    let mut table = GAMES[0].start(Some(3), &json!({"target": 5000})).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..3 {
        table.draw(&mut rng).unwrap();
    }
    // Each line goes over the kept positions at 256 and 512 and is left before one of them, or just at it.
    for (action, back_to) in [("add 1", 511), ("add 2", 255), ("add 1", 256), ("add 2", 300), ("add 1", 520)] {
        while table.ply() < 600 {
            table.apply(None, action).unwrap();
        }
        for ply in [515, back_to] {
            table.undo(table.ply().saturating_sub(ply) as u64).unwrap();
            let log = table.log(Viewer::Everything);
            let again = replay_steps(GAMES, "snap", 3, &json!({"target": 5000}), &log).unwrap();
            assert_eq!(table.position(Viewer::Everything), again.position(Viewer::Everything), "back to {ply}");
        }
    }
}

#[test]
fn a_replay_tells_which_step_is_refused() {
    let steps = session(&["+a", "+b", "add 1", "add 2"]).log(Viewer::Everything);
    let replayed = |game: &str, seats, steps: &[Step]| replay_steps(GAMES, game, seats, &json!({}), steps);
    assert_eq!(replayed("snap", 2, &steps).unwrap().log(Viewer::Everything), steps);
    let error = replayed("snap", 2, &[&steps[..], &steps[3..]].concat()).unwrap_err();
    assert!(matches!(error, ReplayError::Step { step: 4, .. }), "{error:?}");
    let nobody = Step { by: Actor::Seat(Seat::new(2)), action: "add 1".to_owned() };
    let error = replayed("snap", 2, &[&steps[..2], &[nobody]].concat()).unwrap_err();
    assert_eq!(error.to_string(), "there is no seat 2: this table has 2 seats, counted from 0");
    assert!(matches!(replayed("go", 2, &steps), Err(ReplayError::Setup(_))));
    assert!(matches!(replayed("snap", 9, &steps), Err(ReplayError::Setup(_))));
}

#[test]
fn a_record_is_a_text_that_people_can_read() {
    let mut session = session(&["+a", "+b", "add 1"]);
    session.apply(Some(0), "snap").unwrap();
    session.apply(None, "add 2").unwrap();
    let mut record = session.record();
    record.headers.insert("Player 0".to_owned(), "Ann\nof Kent".to_owned());
    assert_eq!(
        record.to_text(),
        "Game: snap\nSeats: 2\nPlayer 0: Ann of Kent\nScores: 1 0\nResult: *\n\n\
         (+a); (+b)\n0: add 1; snap\n1: add 2\n"
    );
}

#[test]
fn a_record_replays_exactly_from_text_and_from_json() {
    for table in [long_table(), Box::new(session(&["+a", "+b", "add 2"]))] {
        let record = table.record();
        let text = record.to_text();
        assert!(text.lines().all(|line| line.len() <= 100), "long lines are broken");
        let again = replay(&text).unwrap();
        assert_eq!(again.position(Viewer::Everything), table.position(Viewer::Everything));
        assert_eq!(again.record().to_text(), text);
        let from_json = Record::from_json(&record.to_json().to_string()).unwrap();
        assert_eq!(from_json.replay(GAMES).unwrap().record().to_text(), text);
        assert_eq!(from_json.to_text(), text);
    }
}

#[test]
fn comments_blank_lines_and_unknown_headers_do_no_harm() {
    let text = "\u{feff}# a friendly game\r\nGame: snap\r\nSeats: 2\r\nSite: The Old Mill\r\n\r\n\
                (+a); (+b)\r\n\r\n0: add 2 # bold\r\n";
    let table = replay(text).unwrap();
    assert_eq!(table.ply(), 3);
    assert_eq!(table.record().headers["Site"], "The Old Mill");
    assert_eq!(table.record().result, Ending::GoesOn);
}

#[test]
fn a_broken_record_is_refused_with_line_and_reason() {
    let start = "Game: snap\nSeats: 2\n\n(+a); (+b)\n";
    assert_eq!(refused(&format!("{start}0: add 1\n1: add 3\n")), "line 6: \"add 3\" is not legal: not now");
    assert_eq!(
        refused(&format!("{start}0: add 1; add 1\n")),
        "line 5: \"add 1\" is not legal: it is the turn of seat 1"
    );
    assert_eq!(refused(&format!("{start}0: add 1;; add 1\n")), "line 5: an action is missing beside a \";\" or \":\"");
    assert_eq!(refused(&format!("{start}9: add 1\n")), "line 5: there is no seat 9: seats are counted from 0");
    assert_eq!(refused(&format!("{start}00: add 1\n")), "line 5: there is no seat 00: seats are counted from 0");
    assert_eq!(refused(&format!("{start}(+a)\n")), "line 5: \"+a\" is not legal: it is the turn of seat 0");
    assert!(refused(&format!("{start}= add 1\n")).starts_with("line 5: actions of a seat need the seat"));
    assert_eq!(refused(&format!("{start}Date: today\n")), "line 5: a header cannot follow the actions");
    assert_eq!(refused("Game: snap\nGame: snap\n"), "line 2: Game is given twice, first in line 1");
    assert_eq!(refused("Game: snap\n"), "the header \"Seats\" is missing");
    assert_eq!(refused(""), "the header \"Game\" is missing");
    assert_eq!(refused("Game: chess\nSeats: 2\n"), "line 1: there is no game \"chess\"; the games are snap");
    assert_eq!(refused("Game: snap\nSeats: 5\n"), "line 2: Snap is played by 2 or 3 players, not 5");
    assert_eq!(refused("Game: snap\nSeats: two\n"), "line 2: Seats is a number such as 2, not \"two\"");
    assert!(refused("Game: snap\nSeats: 2\nOptions: {\"target\":0}\n").starts_with("line 3: option \"target\""));
    assert!(refused("Game: snap\nSeats: 2\nOptions: [1]\n").starts_with("line 3: Options is a JSON object"));
    assert!(refused("Game snap\n").starts_with("line 1: neither a header"));
    assert!(refused("Ga\u{e9}me: snap\n").starts_with("line 1: a header's name"));
}

#[test]
fn a_record_that_contradicts_itself_is_refused() {
    let with =
        |headers: &str, last: &str| refused(&format!("Game: snap\nSeats: 2\n{headers}\n\n(+a); (+a)\n0: {last}"));
    assert_eq!(with("Result: 1 target", "add 2"), "line 3: the record says 1 target, but its actions lead to *");
    assert_eq!(
        with("Options: {\"target\":2}\nResult: *", "add 2"),
        "line 4: the record says *, but its actions lead to 0 target"
    );
    assert_eq!(with("Scores: 1 0", "add 2"), "line 3: the record says 1 0, but its actions lead to 0 0");
    for wrong_number in ["0", "0 0 0"] {
        let why = format!("line 3: the record says {wrong_number}, but its actions lead to 0 0");
        assert_eq!(with(&format!("Scores: {wrong_number}"), "add 2"), why);
    }
    assert!(with("Result: Ann won", "add 2").starts_with("line 3: Result is"));
    assert!(with("Scores: 1-0", "add 2").starts_with("line 3: Scores is"));
}

#[test]
fn a_broken_record_in_json_is_refused_too() {
    let why = |json: &str| match Record::from_json(json) {
        Ok(record) => record.replay(GAMES).unwrap_err(),
        Err(error) => error,
    };
    assert!(why("{").to_string().starts_with("line 1: not a record as JSON"));
    assert_eq!(why(r#"{"game":"snap","seats":2,"actions":[{"action":"+c"}]}"#).place, Place::Action(0));
    assert_eq!(why(r#"{"game":"snap","seats":2,"actions":[{"seat":2,"action":"snap"}]}"#).place, Place::Action(0));
    for json in [
        r#"{"game":"snap","seats":2,"actions":[],"headers":{"Game":"chess"}}"#,
        r#"{"game":"snap","seats":2,"actions":[],"headers":{"A":"two\nlines"}}"#,
        r#"{"game":"snap","seats":2,"actions":[],"headers":{"0":"a"}}"#,
        r#"{"game":"snap","seats":2,"actions":[],"result":{"winners":[0],"reason":"target"}}"#,
        r#"{"game":"snap","seats":2,"actions":[],"result":7}"#,
        r#"{"game":"snap","seats":2,"actions":[{"seat":null,"action":"+a"}]}"#,
        r#"{"game":"snap","seats":2,"actions":[],"scores":null}"#,
        r#"{"game":"snap","seats":2,"actions":[],"scores":[0]}"#,
        r#"{"game":"snap","seats":2,"actions":[],"scores":[0,0,0]}"#,
        r#"{"game":"snap","seats":2,"actions":[],"colour":"red"}"#,
    ] {
        why(json);
    }
}

#[test]
fn a_record_beyond_any_length_is_refused_unread() {
    assert_eq!(refused(&"#".repeat(Record::MAX_BYTES + 1)), "a record is at most 8 MiB long");
    let many = format!("Game: snap\nSeats: 2\n0: {}", "a;".repeat(1_000_001));
    assert_eq!(refused(&many), "line 3: a record holds at most 1000000 actions");
}

#[test]
fn the_face_tells_what_a_game_is() {
    let kind = find(GAMES, "snap").unwrap();
    assert_eq!((kind.title(), kind.seats(), kind.rules()), ("Snap", &[2, 3][..], "# Snap"));
    assert_eq!(kind.options_schema()["properties"]["target"]["maximum"], json!(5000));
    assert_eq!(kind.view_schema()["properties"]["total"]["type"], json!("integer"));
    assert_eq!(find(GAMES, "go").unwrap_err().to_string(), "there is no game \"go\"; the games are snap");
    assert_eq!(kind.start(None, &json!({})).unwrap().seats(), 2);
    let why = |seats, options| kind.start(seats, &options).unwrap_err().to_string();
    assert_eq!(why(Some(4), json!({})), "Snap is played by 2 or 3 players, not 4");
    assert_eq!(why(Some(1 << 40), json!({})), "Snap is played by 2 or 3 players, not 1099511627776");
    assert_eq!(why(None, json!([])), "options are a JSON object such as {}, not a list");
}

#[test]
fn perft_counts_sequences_of_chance_and_of_seats_in_and_out_of_turn() {
    let table = GAMES[0].start(None, &json!({"target": 2})).unwrap();
    let count = |depth| table.perft(depth, &mut |_, _| true).unwrap();
    // Two letters each; then add 1, add 2 (which ends the game) or the other seat's snap.
    assert_eq!([count(0), count(1), count(2), count(3)], [1, 2, 4, 12]);
    let mut after = Session::<Snap>::new(2, Options::default()).unwrap();
    after.apply(None, "+a").unwrap();
    assert_eq!(perft(after.game(), 2), 6);
    assert_eq!(table.perft(3, &mut |_, _| false), None);
}

#[test]
fn playouts_run_to_the_end_and_can_be_stopped() {
    let table = GAMES[0].start(None, &json!({})).unwrap();
    let mut asked = 0;
    let done = table.playouts(1, &mut |_| {
        asked += 1;
        asked <= 3
    });
    assert_eq!(asked, 4);
    assert!(done.games > 100 && done.mean_actions() >= 7.0 && done.mean_actions() <= 12.0, "{done:?}");
    let finished = session(&["+a", "+b", "add 2", "add 2", "add 2", "add 2", "add 2"]);
    assert_eq!(DynSession::turn(&finished), Turn::Over);
    assert_eq!(finished.playouts(1, &mut |_| true), Playouts { games: 1, actions: 0 });
    assert_eq!(Actor::Chance, Turn::Chance.actor().unwrap());
}

#[test]
fn a_viewer_has_seen_what_his_log_shows() {
    let session = session(&["+a", "+b", "add 1", "add 2"]);
    let seen =
        |viewer| session.seen(viewer).map(|(_, action)| action.map(|action| action.to_string())).collect::<Vec<_>>();
    let shown = |texts: [Option<&str>; 4]| texts.map(|text| text.map(str::to_owned));
    let played = [Some("add 1"), Some("add 2")];
    assert_eq!(seen(Viewer::Seat(Seat::new(0))), shown([Some("+a"), None, played[0], played[1]]));
    assert_eq!(seen(Viewer::Seat(Seat::new(1))), shown([None, Some("+b"), played[0], played[1]]));
    assert_eq!(seen(Viewer::Spectator), shown([None, None, played[0], played[1]]));
    assert_eq!(seen(Viewer::Everything), shown([Some("+a"), Some("+b"), played[0], played[1]]));
    let actors: Vec<Actor> = session.seen(Viewer::Spectator).map(|(by, _)| by).collect();
    assert_eq!(actors[1..3], [Actor::Chance, Actor::Seat(Seat::new(0))]);
}

#[test]
fn a_replay_goes_through_the_positions_from_any_ply_on() {
    let table = long_table();
    let session: &Session<Snap> = table.as_any().downcast_ref().unwrap();
    let viewer = Viewer::Seat(Seat::new(2));
    for from in [0, 1, 2, 255, 256, 257, 700, session.ply()] {
        let mut ply = from;
        session.replay(viewer, from, |position, by, action| {
            assert_eq!(*position, session.at(ply));
            assert_eq!(Some((by, action)), session.seen(viewer).nth(ply));
            ply += 1;
        });
        assert_eq!(ply, session.ply());
    }
}

#[test]
fn what_is_refused_has_a_code_and_arguments_beside_its_sentence() {
    let mut session = session(&["+a", "+b", "add 1"]);
    let mut reason = |seat, text: &str| Reason::from(session.apply(seat, text).unwrap_err());
    let json = |reason: Reason| (reason.to_string(), json!({"code": reason.code, "args": reason.args}));
    let not_now = ("not now".to_owned(), json!({"code": "snap.not_now", "args": {"total": 1}}));
    assert_eq!(json(reason(None, "add 3")), not_now, "the rules' own, without what was tried");
    assert_eq!(json(reason(Some(0), "add 1")).1, json!({"code": "turn.seat", "args": {"seat": 1}}));
    assert_eq!(
        json(reason(Some(9), "snap")).1,
        json!({"code": "action.no_such_seat", "args": {"seat": 9, "seats": 2}})
    );
    let malformed = reason(None, "jump");
    assert_eq!((malformed.code.as_str(), &malformed.args["why"]["code"]), ("action.malformed", &json!("snap.form")));
    assert_eq!(
        json(session.undo(9).unwrap_err().into()).1,
        json!({"code": "undo.too_many", "args": {"asked": 9, "made": 3}})
    );

    let record = replay("Game: snap\nSeats: 2\n\n(+a); (+b)\n0: add 3\n").unwrap_err();
    let reason = Reason::from(record.clone());
    assert_eq!(reason.to_string(), record.to_string());
    assert_eq!((reason.code.as_str(), &reason.args["line"]), ("record.line", &json!(5)));
    let why = &reason.args["why"];
    assert_eq!((&why["code"], &why["args"]["why"]["code"]), (&json!("action.illegal"), &json!("snap.not_now")));
    assert_eq!(serde_json::from_value::<Reason>(json!(reason)).unwrap(), reason);
}

#[test]
fn all_codes_can_be_walked_with_the_names_of_their_arguments() {
    assert_eq!(json!(GAMES[0].codes()), json!({"snap.form": [], "snap.not_now": ["total"]}));
    let all = all_codes(GAMES);
    assert_eq!(all["snap.not_now"], ["total"]);
    assert_eq!(all["undo.too_many"], ["asked", "made"]);
    assert_eq!(all["setup.option"], ["name", "why"]);
    assert_eq!(all["turn.over"], [""; 0]);
}
