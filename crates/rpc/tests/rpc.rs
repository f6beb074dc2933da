//! `quincunx rpc` as the protocol page says, on the real games.

mod support;

use std::io::{BufReader, Read};

use quincunx_games::GAMES;
use quincunx_rpc::{MAX_BATCH, MAX_LINE, serve};
use serde_json::{Value, json};
use support::{Client, texts};

#[test]
fn games_lists_every_game_with_seats_and_options() {
    let games = Client::new().ok("games", json!({}));
    let ids: Vec<&str> = games.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["mod-x", "x-marks-the-spot", "trexo", "castle-builders", "figures"]);
    assert_eq!(games[0]["title"], "Mod X");
    assert_eq!(games[0]["seats"], json!([2, 3, 4]));
    assert_eq!(games[2]["options"]["properties"]["size"]["maximum"], 11);
    let options = |game: usize| {
        let mut names: Vec<&str> =
            games[game]["options"]["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(options(0), ["claims", "joker_win", "markers", "pieces", "target", "teams"]);
    assert_eq!(options(1), ["deck", "doubloons", "turn_limit"]);
    assert_eq!(options(2), ["size", "swap", "tiles"]);
    assert_eq!(options(3), ["counters", "heights", "roofs", "rows"]);
    assert_eq!(options(4), ["diagonal_lines", "layout", "target", "turn_limit", "zigzag"]);
}

#[test]
fn a_new_session_has_the_smallest_number_of_seats_by_default() {
    let mut client = Client::new();
    for game in GAMES {
        let new = client.ok("new", json!({"game": game.id()}));
        assert_eq!(new["position"]["seats"], game.seats()[0]);
        assert_eq!(new["position"]["ply"], 0);
        assert_eq!(new["position"]["outcome"], Value::Null);
    }
}

#[test]
fn first_moves_are_as_many_as_the_rules_say() {
    let mut client = Client::new();
    let trexo = client.ok("new", json!({"game": "trexo"}));
    assert_eq!(texts(&trexo["position"]).len(), 360);
    let figures = client.ok("new", json!({"game": "figures"}));
    assert_eq!(texts(&figures["position"]).len(), 5);
}

#[test]
fn apply_plays_undo_takes_back_and_record_loads_again() {
    let mut client = Client::new();
    let session = client.ok("new", json!({"game": "trexo", "options": {"size": 6}}))["session"].clone();
    let start = client.ok("position", json!({"session": session}));
    let one = client.ok("apply", json!({"session": session, "action": "a1b1"}));
    assert_eq!((&one["ply"], &one["turn"]), (&json!(1), &json!({"kind": "seat", "seat": 1})));
    let two = client.ok("apply", json!({"session": session, "action": "c1c2", "seat": 1}));
    let record = client.ok("record", json!({"session": session}));
    assert_eq!(client.ok("undo", json!({"session": session})), one);
    assert_eq!(client.ok("undo", json!({"session": session, "count": 1})), start);
    let loaded = client.ok("load", json!({"record": record}));
    assert_eq!(loaded["position"], two);
    assert_ne!(loaded["session"], session);
    assert_eq!(client.ok("record", json!({"session": loaded["session"]})), record);
}

#[test]
fn chance_takes_a_listed_outcome_or_draws_one() {
    let mut client = Client::new();
    let new = client.ok("new", json!({"game": "castle-builders"}));
    let session = &new["session"];
    assert_eq!(new["position"]["turn"], json!({"kind": "chance"}));
    let outcomes = new["position"]["actions"].as_array().unwrap();
    assert!(outcomes.contains(&json!({"action": "+O", "weight": 10})), "{outcomes:?}");
    let after = client.ok("apply", json!({"session": session, "action": "+O"}));
    assert!(after["actions"].as_array().unwrap().contains(&json!({"action": "+O", "weight": 9})));
    for ply in 2..=4 {
        assert_eq!(client.ok("apply", json!({"session": session, "action": "?"}))["ply"], ply);
    }
    assert!(client.error("apply", json!({"session": session, "action": "?"})).contains("not a chance turn"));
}

#[test]
fn a_seat_sees_its_own_side_and_a_spectator_only_the_table() {
    let mut client = Client::new();
    let session = client.ok("new", json!({"game": "castle-builders"}))["session"].clone();
    let at_chance = client.ok("position", json!({"session": session, "seat": 0}));
    assert_eq!(at_chance["actions"], json!([]), "possible draws would tell about hands");
    for text in ["+O", "+S", "+C", "+K"] {
        client.ok("apply", json!({"session": session, "action": text}));
    }
    let own = client.ok("position", json!({"session": session, "seat": 0}));
    let other = client.ok("position", json!({"session": session, "seat": 1}));
    let spectator = client.ok("position", json!({"session": session, "seat": "spectator"}));
    assert!(texts(&own).contains(&"S"));
    assert!(own["actions"].as_array().unwrap().iter().all(|action| action["seat"] == 0));
    assert_eq!(texts(&other), Vec::<&str>::new());
    assert_eq!(texts(&spectator), Vec::<&str>::new());
    assert_ne!(own["view"], other["view"]);
}

#[test]
fn bestmove_gives_a_legal_action_and_what_the_engine_expects_in_every_game() {
    let mut client = Client::new();
    for game in GAMES {
        let mut position = client.ok("new", json!({"game": game.id()}));
        let session = position["session"].take();
        let mut position = position["position"].take();
        while position["turn"]["kind"] == "chance" {
            let why = client.error("bestmove", json!({"session": session, "level": "club"}));
            assert!(why.contains("chance is next"), "{why}");
            position = client.ok("apply", json!({"session": session, "action": "?"}));
        }
        for thought in [json!({"session": session, "level": "club"}), json!({"session": session, "millis": 20})] {
            let thought = client.ok("bestmove", thought);
            assert!(texts(&position).contains(&thought["action"].as_str().unwrap()), "{thought}");
            assert_eq!(thought["line"][0]["action"], thought["action"]);
        }
        assert_eq!(client.ok("position", json!({"session": session})), position, "thinking changes nothing");
    }
}

#[test]
fn errors_are_sentences_and_change_nothing() {
    let mut client = Client::new();
    let session = client.ok("new", json!({"game": "trexo"}))["session"].clone();
    let before = client.ok("position", json!({"session": session}));
    let mut why = |method: &str, params: Value| client.error(method, params);
    assert!(why("apply", json!({"session": session, "action": "e5g5"})).contains("is not legal"));
    assert!(why("apply", json!({"session": session, "action": "e05f5"})).contains("not an action"));
    assert!(why("apply", json!({"session": session, "action": "e5f5", "seat": 1})).contains("the turn of seat 0"));
    assert!(why("apply", json!({"session": session, "action": "e5f5", "seat": 2})).contains("no seat 2"));
    assert!(why("apply", json!({"session": session, "action": "e5f5", "seat": null})).contains("invalid type: null"));
    assert!(why("apply", json!({"session": session})).contains("missing field `action`"));
    assert!(why("apply", json!({"session": session, "action": "e5f5", "sea": 1})).contains("unknown field `sea`"));
    assert_eq!(why("apply", json!({"session": 99, "action": "e5f5"})), "there is no session 99");
    assert_eq!(why("undo", json!({"session": session})), "cannot undo 1 actions: only 0 were made");
    assert!(why("undo", json!({"session": session, "count": -1})).contains("invalid value"));
    assert!(why("position", json!({"session": session, "seat": 2})).contains("no seat 2"));
    assert!(why("position", json!({"session": session, "seat": "judge"})).contains("\"spectator\""));
    assert!(why("new", json!({"game": "chess"})).contains("there is no game \"chess\""));
    assert!(why("new", json!({"game": "trexo", "seats": 3})).contains("played by 2 players"));
    assert!(why("new", json!({"game": "trexo", "options": {"size": 12}})).contains("from 5 to 11"));
    assert!(why("new", json!({"game": "trexo", "options": {"size": null}})).contains("option \"size\""));
    assert!(why("new", json!({"game": "trexo", "options": {"sise": 8}})).contains("option \"sise\""));
    assert!(why("new", json!({"game": "trexo", "options": null})).contains("not null"));
    assert!(why("load", json!({"record": "Game: trexo\nSeats: 2\n\n0: e5f5; e7f7\n"})).starts_with("line 4: "));
    assert!(why("bestmove", json!({"session": session})).contains("either"));
    assert!(why("bestmove", json!({"session": session, "millis": 0})).contains("1 to 600000"));
    assert!(
        why("bestmove", json!({"session": session, "level": "genius"})).contains("the levels are beginner, novice")
    );
    assert!(why("bestmove", json!({"session": 99, "level": "club"})).contains("no session 99"));
    assert!(why("resign", json!({})).contains("there is no method \"resign\""));
    assert_eq!(client.ok("position", json!({"session": session})), before);
    assert_eq!(client.ok("close", json!({"session": session})), Value::Null);
    assert_eq!(client.error("close", json!({"session": session})), "there is no session 1");
}

#[test]
fn messages_follow_json_rpc() {
    let mut client = Client::new();
    let code = |answer: &Value| answer["error"]["code"].as_i64().unwrap();
    for (line, expected) in [
        ("", -32700),
        ("{", -32700),
        ("\"games\"", -32600),
        ("[]", -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"games"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":[],"method":"games"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"games","params":[]}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"new","params":{"game":"chess"}}"#, -32000),
    ] {
        assert_eq!(code(&client.line(line)), expected, "{line}");
    }
    assert_eq!(client.0.line(r#"{"jsonrpc":"2.0","method":"games"}"#), None, "a notification is not answered");
    let batch = client.line(r#"[{"jsonrpc":"2.0","id":"a","method":"games"},{"jsonrpc":"2.0","method":"games"},7]"#);
    assert_eq!(batch.as_array().unwrap().len(), 2);
    assert_eq!(batch[0]["id"], "a");
    let many = format!("[{}]", vec![r#"{"id":1,"method":"games"}"#; MAX_BATCH + 1].join(","));
    assert_eq!(code(&client.line(&many)), -32600);
}

#[test]
fn a_line_of_100_megabytes_is_refused_without_being_kept_and_the_next_one_answered() {
    let next = b"\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"close\",\"params\":{\"session\":1}}\n";
    let input = std::io::repeat(b'[').take(100 << 20).chain(&next[..]);
    let mut output = Vec::new();
    serve(&mut Client::new().0, BufReader::new(input), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    let answers: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["error"]["message"], format!("the line is longer than {} MiB", MAX_LINE >> 20));
    assert_eq!(answers[1]["error"]["message"], "there is no session 1");
    assert_eq!(answers.len(), 2);
}

#[test]
fn bytes_that_are_not_text_are_answered_too() {
    let mut output = Vec::new();
    serve(&mut Client::new().0, &b"\xff\xfe\n{\"id\":1,\"method\":\"games\"}"[..], &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert!(output.lines().next().unwrap().contains("-32700"));
    assert!(output.lines().nth(1).unwrap().contains("\"result\""), "also without a newline at the end");
}
