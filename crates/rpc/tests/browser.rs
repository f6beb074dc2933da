//! What a table in a browser asks for beyond the protocol page.

mod support;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use quincunx_core::{DynSession, Record};
use quincunx_engine::{Budget, Control, Engine, Level, review};
use quincunx_games::GAMES;
use quincunx_rpc::Engines;
use rand::{Rng, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};
use support::{Client, SEED, Ticking, texts};

/// A small castle, played to its end.
const CASTLE: &str = r#"Game: castle-builders
Seats: 2
Options: {"heights":[1,1,1],"roofs":[4,5,7],"rows":[7]}

(+O); (+C); (+B); (+S)
0: O3; (+R)
1: S; (+O)
0: C1; (+O); O2
"#;

/// Three people at Mod X with manual claims: seat 1 has just made five in a row and not touched it.
fn overlooked_five(client: &mut Client) -> Value {
    let new = client.ok("new", json!({"game": "mod-x", "seats": 3, "options": {"claims": "manual"}}));
    let jokers = ["*a8", "*c8", "*e8", "*g8", "*a6"];
    let places = ["a1", "h3", "b3", "b1", "h5", "d3", "c1", "f5", "f3", "d1", "c6", "b5", "e1"];
    for joker in jokers {
        client.ok("apply", json!({"session": new["session"], "action": joker}));
    }
    for (number, place) in places.iter().enumerate() {
        if number > 0 {
            client.ok("apply", json!({"session": new["session"], "action": "done"}));
        }
        client.ok("apply", json!({"session": new["session"], "action": place}));
    }
    new["session"].clone()
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn about_tells_what_there_is_to_know_before_a_game() {
    let mut client = Client::new();
    for game in GAMES {
        let about = client.ok("about", json!({"game": game.id()}));
        assert_eq!(about["credits"], json!({"by": game.credits().by, "also": game.credits().also}));
        assert_eq!(about["rules"], game.rules());
        assert_eq!(about["hidden"], matches!(game.id(), "castle-builders" | "x-marks-the-spot"), "{}", game.id());
        assert_eq!(about["engine"], true);
        assert_eq!(about["view"], game.view_schema());
    }
    assert!(client.error("about", json!({"game": "chess"})).contains("there is no game \"chess\""));
}

#[test]
fn a_game_that_no_engine_plays_can_be_played_all_the_same() {
    let Client(rpc) = Client::new();
    let mut client = Client(rpc.with_engines(Engines(|_, _| None)));
    assert_eq!(client.ok("about", json!({"game": "trexo"}))["engine"], false);
    let session = client.ok("new", json!({"game": "trexo"}))["session"].clone();
    client.ok("apply", json!({"session": session, "action": "e5f5"}));
    assert_eq!(client.error("bestmove", json!({"session": session, "level": "club"})), "no engine plays trexo");
    assert_eq!(client.error("review", json!({"session": session, "millis": 5})), "no engine plays trexo");
}

#[test]
fn answers_have_the_members_that_the_schema_names() {
    let mut client = Client::new();
    let schema = client.ok("schema", json!({}));
    let opened = client.ok("load", json!({"record": CASTLE}));
    let session = opened["session"].clone();
    let look = client.ok("look", json!({"session": session}));
    let progress = client.ok("review", json!({"session": session, "millis": 5}));
    client.ok("undo", json!({"session": session}));
    let thought = client.ok("bestmove", json!({"session": session, "millis": 5}));
    let answers = [
        ("GameEntry", client.ok("games", json!({}))[0].clone()),
        ("About", client.ok("about", json!({"game": "figures"}))),
        ("Opened", opened.clone()),
        ("Position", opened["position"].clone()),
        ("Look", look),
        ("Step", thought["line"][0].clone()),
        ("Thought", thought),
        ("Judged", progress["moves"][0].clone()),
        ("Progress", progress),
        ("Reason", client.ok("check", json!({"session": session, "action": "O9"}))),
    ];
    for (name, answer) in answers {
        let described = schema["$defs"][name]["properties"].as_object().unwrap_or_else(|| panic!("{name}: {schema}"));
        let given = answer.as_object().unwrap_or_else(|| panic!("{name}: {answer}"));
        assert!(given.keys().all(|member| described.contains_key(member)), "{name}: {answer}");
        let required = schema["$defs"][name]["required"].as_array().unwrap();
        assert!(required.iter().all(|member| given.contains_key(member.as_str().unwrap())), "{name}: {answer}");
    }
}

#[test]
fn a_look_shows_a_seat_its_position_its_offers_and_the_log_as_it_may_read_it() {
    let mut client = Client::new();
    let session = client.ok("load", json!({"record": CASTLE}))["session"].clone();
    client.ok("undo", json!({"session": session, "count": 7}));
    for seat in [json!(0), json!(1), json!("spectator")] {
        let look = client.ok("look", json!({"session": session, "seat": seat}));
        assert_eq!(look["position"], client.ok("position", json!({"session": session, "seat": seat})));
        assert_eq!(strings(&look["offers"]), texts(&look["position"]), "nothing here has to be noticed");
        let log = look["log"].as_array().unwrap();
        assert_eq!(log.len(), 4);
        assert!(log.iter().all(|step| step.get("seat").is_none()), "chance has no seat");
        let own = ["+O", "+C", "+B", "+S"].iter().filter(|text| log.iter().any(|line| line["action"] == **text));
        assert_eq!(own.count(), if seat.is_number() { 2 } else { 0 }, "{log:?}");
    }
    let everything = client.ok("look", json!({"session": session}));
    assert_eq!(everything["log"][3], json!({"action": "+S"}));
    assert_eq!(everything["offers"], json!([]), "nobody in particular is offered nothing");
    assert!(client.error("look", json!({"session": session, "seat": 2})).contains("no seat 2"));
}

#[test]
fn a_look_back_shows_an_earlier_position_and_changes_nothing() {
    let mut client = Client::new();
    let session = client.ok("load", json!({"record": CASTLE}))["session"].clone();
    let now = client.ok("look", json!({"session": session, "seat": 1}));
    let plies = now["position"]["ply"].as_u64().unwrap();
    for back in 0..=plies {
        let copy = client.ok("load", json!({"record": CASTLE}))["session"].clone();
        client.ok("undo", json!({"session": copy, "count": back}));
        let then = client.ok("position", json!({"session": copy, "seat": 1}));
        let look = client.ok("look", json!({"session": session, "seat": 1, "ply": plies - back}));
        assert_eq!(look["position"], then);
        assert_eq!(strings(&look["offers"]), texts(&then));
        assert_eq!(look["log"], now["log"], "all that happened, also later");
    }
    assert_eq!(client.ok("look", json!({"session": session, "seat": 1})), now);
    let why = client.error("look", json!({"session": session, "ply": plies + 1}));
    assert_eq!(why, format!("only {plies} actions were made, not {}", plies + 1));
}

#[test]
fn what_a_player_has_to_notice_is_legal_and_not_offered() {
    let mut client = Client::new();
    let session = overlooked_five(&mut client);
    let look = client.ok("look", json!({"session": session, "seat": 1}));
    assert_eq!(strings(&look["offers"]), ["done"]);
    assert!(texts(&look["position"]).contains(&"!c1"));
    assert_eq!(client.ok("check", json!({"session": session, "seat": 1, "action": "!c1"})), Value::Null);
}

#[test]
fn check_says_what_apply_would_say_and_does_nothing() {
    let mut client = Client::new();
    let session = client.ok("new", json!({"game": "castle-builders"}))["session"].clone();
    assert_eq!(client.ok("check", json!({"session": session, "action": "+O"})), Value::Null, "a possible draw");
    let why = client.ok("check", json!({"session": session, "action": "O3", "seat": 0}));
    assert_eq!(why["code"], "turn.chance");
    for text in ["+O", "+S", "+C", "+K"] {
        client.ok("apply", json!({"session": session, "action": text}));
    }
    let before = client.ok("position", json!({"session": session}));
    let legal = texts(&before);
    for text in ["O1", "O3", "S", "C1", "K2", "Bv3", "O9", "nonsense", "", "o1", " O1"] {
        for seat in [json!({}), json!({"seat": 0}), json!({"seat": 1})] {
            let mut params = json!({"session": session, "action": text});
            params.as_object_mut().unwrap().extend(seat.as_object().unwrap().clone());
            let why = client.ok("check", params.clone());
            assert_eq!(why.is_null(), legal.contains(&text) && seat["seat"] != 1, "{params}: {why}");
            if !why.is_null() {
                assert_eq!(client.refusal("apply", params)["data"], why);
            }
        }
    }
    assert_eq!(client.ok("position", json!({"session": session})), before);
    assert!(client.error("check", json!({"session": session, "action": "S", "seat": 2})).contains("no seat 2"));
    assert_eq!(client.error("check", json!({"session": 99, "action": "S"})), "there is no session 99");
    let over = client.ok("load", json!({"record": CASTLE}))["session"].clone();
    assert_eq!(client.error("check", json!({"session": over, "action": "S"})), "the game is over");
}

#[test]
fn a_seat_that_may_act_out_of_turn_can_ask_for_its_best_move() {
    let mut client = Client::new();
    let session = overlooked_five(&mut client);
    let ask =
        |client: &mut Client, seat: u8| client.ok("bestmove", json!({"session": session, "seat": seat, "millis": 30}));
    assert_eq!(ask(&mut client, 0), Value::Null, "until seat 1 says done, nobody else may claim");
    assert!(ask(&mut client, 1)["action"].is_string());
    client.ok("apply", json!({"session": session, "action": "done"}));
    assert_eq!(ask(&mut client, 1), Value::Null, "and then he himself may not");
    for seat in [0, 2] {
        let thought = ask(&mut client, seat);
        let position = client.ok("position", json!({"session": session, "seat": seat}));
        // Who is not on turn may also wait.
        let legal = thought["action"].as_str().map(|action| texts(&position).contains(&action));
        assert!(legal.unwrap_or(seat == 0), "seat {seat}: {thought}");
    }
    let why = client.error("bestmove", json!({"session": session, "seat": 3, "millis": 30}));
    assert!(why.contains("there is no seat 3"), "{why}");
    for lines in [0, 10_000] {
        let why = client.error("bestmove", json!({"session": session, "millis": 30, "lines": lines}));
        assert!(why.contains("\"lines\" is 1 to 100"), "{why}");
    }
    let ask = json!({"session": session, "level": "club", "lines": 3, "seed": 5});
    let thought = client.ok("bestmove", ask.clone());
    assert_eq!(thought, client.ok("bestmove", ask), "one seed is one answer");
    assert_eq!(thought["lines"].as_array().unwrap().len(), 3);
    let why = client.error("bestmove", json!({"session": session, "level": "grandmaster"}));
    assert!(why.contains("the levels are beginner, novice"), "{why}");
}

/// The answers to `review`, until all is done.
fn reviewed(client: &mut Client, session: &Value, millis: u64) -> Vec<Value> {
    let mut answers = Vec::new();
    loop {
        let answer = client.ok("review", json!({"session": session, "millis": millis}));
        let done = answer["done"] == answer["of"];
        answers.push(answer);
        if done {
            return answers;
        }
    }
}

#[test]
fn a_review_step_by_step_comes_to_what_the_whole_review_says() {
    const MILLIS: u64 = 5;
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/figures.txt");
    for record in [CASTLE.to_owned(), std::fs::read_to_string(examples).unwrap()] {
        let mut client = Client::new();
        let session = client.ok("load", json!({"record": record}))["session"].clone();
        let answers = reviewed(&mut client, &session, MILLIS);

        let table = Record::parse(&record).unwrap().replay(GAMES).unwrap();
        let (mut rng, clock, never) =
            (Xoshiro256PlusPlus::seed_from_u64(SEED), Ticking::default(), AtomicBool::new(false));
        let judge = |table: &dyn DynSession, action: &str| {
            let control = Control::new(Budget::time(Duration::from_millis(MILLIS)), rng.next_u64(), &clock, &never);
            Engine::Level(Level::Master).thinker(table.kind().id()).unwrap().judge(table, action, &control)
        };
        let whole = review(&*table, judge, |_| true).unwrap();
        assert_eq!(answers.last().unwrap()["moves"], json!(whole));
        assert!(!whole.is_empty());

        // Each answer has judged one more move, and what was compared stays as it is.
        assert_eq!(answers.len(), whole.len());
        for (number, answer) in answers.iter().enumerate() {
            let moves = answer["moves"].as_array().unwrap();
            assert_eq!((moves.len(), &answer["of"]), (number + 1, &json!(table.ply())));
            assert_eq!(json!(moves[..number]), json!(whole[..number]));
        }
    }
}

#[test]
fn a_review_begins_anew_after_its_end_and_when_the_game_has_changed() {
    let mut client = Client::new();
    let session = client.ok("load", json!({"record": CASTLE}))["session"].clone();
    let first = client.ok("review", json!({"session": session, "millis": 5}))["done"].clone();
    client.ok("undo", json!({"session": session}));
    let again = client.ok("review", json!({"session": session, "millis": 5}));
    assert_eq!((&again["done"], &again["of"]), (&first, &json!(10)));
    client.ok("apply", json!({"session": session, "action": "O2"}));
    let answers = reviewed(&mut client, &session, 5);
    assert_eq!((&answers[0]["done"], &answers[0]["of"]), (&first, &json!(11)));
    assert_eq!(client.ok("review", json!({"session": session, "millis": 5}))["done"], first);
    assert!(client.error("review", json!({"session": session, "millis": 0})).contains("1 to 600000"));
    client.ok("close", json!({"session": session}));
    assert_eq!(client.error("review", json!({"session": session, "millis": 5})), "there is no session 1");
}
