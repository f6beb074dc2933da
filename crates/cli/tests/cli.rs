//! The built program, as people call it.

use std::{
    fs,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};

fn quincunx(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A program that refuses early closes its input; that is its right.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Standard output of a call that must succeed.
fn good(arguments: &[&str], input: &str) -> String {
    let output = quincunx(arguments, input.as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(!text.contains('\u{1b}'), "no colours without a terminal");
    text
}

/// Standard output and error of a call that must be refused with exit code 2.
fn bad(arguments: &[&str], input: &[u8]) -> String {
    let output = quincunx(arguments, input);
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
    assert!(!text.contains("panicked"), "{text}");
    text
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    path.to_str().unwrap().to_owned()
}

fn examples() -> Vec<PathBuf> {
    let folder = fs::read_dir(example("")).unwrap();
    folder.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "txt")).collect()
}

const GAMES: [&str; 5] = ["mod-x", "x-marks-the-spot", "trexo", "castle-builders", "figures"];

#[test]
fn games_lists_the_five_games_with_who_made_them() {
    let text = good(&["games"], "");
    assert!(GAMES.iter().all(|game| text.contains(game)), "{text}");
    let credits = [
        "Mark & Joan Wilkinson",
        "White Castle",
        "Cryptozoic Entertainment",
        "Rather Dashing Games",
        "Nigel Sade",
        "Förlago",
        "Björn Jansson",
        "Daniel Johansson",
        "Sid Sackson, 1971, 1985",
        "Walter Luc Haas",
        "Robbie Smith",
    ];
    assert!(credits.iter().all(|name| text.contains(name)), "{text}");
    let lines = good(&["games", "--json"], "");
    let ids: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
    assert_eq!(ids, GAMES);
}

#[test]
fn rules_are_wrapped_and_mark_what_is_not_printed_in_the_rulebook() {
    for game in GAMES {
        let text = good(&["rules", game], "");
        assert!(text.contains("Ruling:") && text.contains("Notation"), "{game}");
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= 90, "{game} has a line of {widest}");
    }
    assert!(bad(&["rules", "chess"], b"").contains("there is no game \"chess\"; the games are mod-x"));
}

#[test]
fn schemas_are_printed_for_options_and_views() {
    for game in GAMES {
        for of in ["options", "view"] {
            let schema: Value = serde_json::from_str(&good(&["schema", game, of], "")).unwrap();
            assert!(schema["properties"].is_object(), "{game} {of}");
        }
    }
    let reasons: Value = serde_json::from_str(&good(&["schema", "reasons"], "")).unwrap();
    assert_eq!((&reasons["mod-x.square_taken"], &reasons["turn.over"]), (&json!(["square"]), &json!([])));
}

#[test]
fn the_examples_hold_a_finished_game_of_each_kind_and_are_good() {
    let paths: Vec<String> = examples().iter().map(|path| path.to_str().unwrap().to_owned()).collect();
    let mut arguments = vec!["check", "--json"];
    arguments.extend(paths.iter().map(String::as_str));
    let mut games: Vec<String> = Vec::new();
    for line in good(&arguments, "").lines() {
        let json: Value = serde_json::from_str(line).unwrap();
        assert_eq!(json["ok"], true);
        games.push(json["game"].as_str().unwrap().to_owned());
    }
    assert!(GAMES.iter().all(|game| games.iter().any(|found| found == game)), "{games:?}");
    for path in &paths {
        let position: Value = serde_json::from_str(&good(&["show", "--json", path], "")).unwrap();
        assert_eq!(position["turn"]["kind"], "over", "{path}");
    }
}

#[test]
fn show_draws_any_position_of_a_record_as_any_seat_sees_it() {
    let path = example("castle-builders.txt");
    let whole = good(&["show", &path], "");
    assert!(whole.contains("Castle Builders") && whole.contains("has won"), "{whole}");
    let start = good(&["show", &path, "--ply", "0"], "");
    assert!(start.contains("before the first") && start.contains("Chance is next"), "{start}");
    let position = |arguments: &[&str]| -> Value {
        serde_json::from_str(&good(&[&["show", &path, "--json", "--ply", "4"], arguments].concat(), "")).unwrap()
    };
    assert_eq!(position(&[])["ply"], 4);
    assert_eq!(position(&["--seat", "1"])["actions"], json!([]));
    assert_ne!(position(&["--seat", "0"])["view"], position(&["--seat", "1"])["view"]);
    // A draw of the other seat is shown redacted.
    assert!(good(&["show", &path, "--ply", "1", "--seat", "1"], "").contains("chance +?"));
    assert!(bad(&["show", &path, "--ply", "100000"], b"").contains("this record has"));
    assert!(bad(&["show", &path, "--seat", "2"], b"").contains("--seat is 0 to 1 or \"spectator\""));
}

#[test]
fn check_names_file_line_and_reason_and_goes_on_with_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let illegal = file("illegal.txt", b"Game: trexo\nSeats: 2\n\n0: e5f5\n1: e5f6\n");
    let truncated = file("truncated.txt", b"Game: trexo\nSeats: 2\n\n0: e5f5\n1: e");
    let contradictory = file("contradictory.txt", b"Game: trexo\nSeats: 2\nResult: 0 five-in-a-row\n\n0: e5f5\n");
    let not_text = file("not-text.txt", b"Game: trexo\nSeats: 2\n\xff\n");
    let good_one = file("fine.txt", b"Game: trexo\nSeats: 2\n\n0: e5f5\n");
    let missing = folder.path().join("missing.txt").to_str().unwrap().to_owned();
    let text = bad(&["check", &illegal, &truncated, &contradictory, &not_text, &missing, &good_one], b"");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert!(lines[0].contains("illegal.txt: line 5: \"e5f6\" is not legal: e5 and f6 are not neighbours"), "{text}");
    assert!(lines[1].contains("truncated.txt: line 5: \"e\" is not an action"), "{text}");
    assert!(lines[2].contains("contradictory.txt: line 3: the record says 0 five-in-a-row"), "{text}");
    assert!(lines[3].contains("not-text.txt: line 3: this is not text"), "{text}");
    assert!(lines[4].contains("missing.txt: "), "{text}");
    assert!(lines[5].contains("fine.txt: good, Trexo, 1 actions. Seat 1 is to move."), "{text}");
}

#[test]
fn a_record_of_100_megabytes_on_one_line_is_refused() {
    let text = bad(&["check", "-"], &vec![b'a'; 100 << 20]);
    assert!(text.contains("a record is at most 8 MiB long"), "{text}");
}

#[test]
fn the_record_on_the_page_about_records_is_good() {
    let page = fs::read_to_string(example("../docs/records.md")).unwrap();
    let record = page.split("```").nth(1).unwrap();
    assert!(good(&["check", "-"], record).contains("Seat 0 has won (castle complete)."));
}

#[test]
fn records_convert_to_json_and_back() {
    for path in examples() {
        let path = path.to_str().unwrap();
        let json = good(&["convert", path], "");
        serde_json::from_str::<Value>(&json).unwrap();
        let text = good(&["convert", "-"], &json);
        assert_eq!(text, good(&["convert", path, "--to", "text"], ""));
        assert_eq!(good(&["convert", "-", "--to", "json"], &text), json);
    }
}

#[test]
fn perft_counts_from_the_start_and_from_a_record() {
    let count = |arguments: &[&str], input: &str| -> Vec<u64> {
        let text = good(&[&["perft", "--json"], arguments].concat(), input);
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["sequences"].as_u64().unwrap()).collect()
    };
    assert_eq!(count(&["trexo", "2"], ""), [360, 125_008]);
    assert_eq!(count(&["figures", "1", "--seats", "4"], ""), [5]);
    assert_eq!(count(&["trexo", "1", "--options", r#"{"size":5}"#], ""), [80]);
    assert_eq!(count(&["1", "--record", "-"], "Game: trexo\nSeats: 2\nOptions: {\"size\":5}\n\n0: a1b1\n"), [72]);
    assert!(good(&["perft", "trexo", "1"], "").contains("360"));
    assert!(bad(&["perft", "trexo", "many"], b"").contains("the depth is a whole number"));
    assert!(bad(&["perft", "2"], b"").contains("needs a game and a depth"));
    assert!(bad(&["perft", "trexo", "2", "--options", "{"], b"").contains("--options is not JSON"));
    assert!(bad(&["perft", "trexo", "2", "--options", r#"{"size":4}"#], b"").contains("from 5 to 11"));
    assert!(bad(&["perft", "trexo", "2", "--seats", "3"], b"").contains("played by 2 players, not 3"));
}

#[test]
fn bench_playouts_prints_one_object_a_line() {
    let text = good(&["bench", "playouts", "--json", "--seconds", "0.02"], "");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| line["game"].clone()).collect::<Vec<_>>(), GAMES);
    for line in &lines {
        let mut names: Vec<&str> = line.as_object().unwrap().keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["actions_per_s", "game", "games", "games_per_s", "mean_actions", "seats"]);
        assert!(line["games"].as_u64().unwrap() > 0);
    }
    assert!(good(&["bench", "playouts", "trexo", "--seconds", "0.02"], "").contains("games/s"));
    assert!(bad(&["bench", "playouts", "--seconds", "0"], b"").contains("--seconds"));
}

#[test]
fn bench_server_plays_game_after_game_with_and_without_secrets() {
    for game in ["trexo", "castle-builders"] {
        let arguments = ["bench", "server", "--memory", "--game", game, "--tables", "2", "--seconds", "2", "--json"];
        let measured: Value = serde_json::from_str(&good(&arguments, "")).unwrap();
        assert!(measured["moves"].as_u64() > Some(0), "{measured}");
    }
}

#[test]
fn rpc_answers_line_by_line_on_standard_output_and_nothing_else() {
    let calls = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "new", "params": {"game": "castle-builders"}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "apply", "params": {"session": 1, "action": "?"}}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "nonsense"}),
        json!({"jsonrpc": "2.0", "id": 4, "method": "close", "params": {"session": 1}}),
    ];
    let input = calls.map(|call| call.to_string()).join("\n");
    let output = quincunx(&["rpc"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stderr, b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.iter().map(|answer| answer["id"].clone()).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(answers[1]["result"]["ply"], 1);
}

#[test]
fn play_takes_typed_actions_undo_save_and_resume() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("game.txt");
    let saved = saved.to_str().unwrap();
    let typed = format!("help\nactions\ne5f5\nnonsense\n1: g5h5\nundo\nundo 9\nlog\nsave {saved}\nquit\n");
    let text = good(&["play", "trexo"], &typed);
    assert!(text.contains("is not an action of this game") && text.contains("so many actions were not made"), "{text}");
    assert!(text.contains(&format!("Saved to {saved}.")), "{text}");
    assert!(fs::read_to_string(saved).unwrap().ends_with("0: e5f5\n"));
    let text = good(&["play", "--resume", saved, "--save", saved], "g5h5\n");
    assert!(text.contains("seat 1>"), "{text}");
    assert!(fs::read_to_string(saved).unwrap().ends_with("0: e5f5\n1: g5h5\n"));
    assert!(bad(&["play"], b"").contains("name a game, such as: quincunx play trexo"));
    assert!(bad(&["play", "chess"], b"").contains("there is no game"));
}

#[test]
fn engines_take_the_seats_they_are_given_and_undo_goes_back_to_a_person() {
    let text = good(&["play", "trexo", "--seat", "1=mcts@50nodes"], "e5f5\nundo\nlog\na1b1\nhint\nlog\nquit\n");
    assert!(text.contains("seat 1 (mcts@50nodes): "), "{text}");
    let last_log = text.rsplit("0: a1b1").next().unwrap();
    assert_eq!(last_log.lines().filter(|line| line.starts_with("1: ")).count(), 1, "{text}");
    assert!(bad(&["play", "trexo", "--seat", "2=club"], b"").contains("there is no seat 2"));
    assert!(bad(&["play", "trexo", "--seat", "1=genius"], b"").contains("the levels are beginner, novice"));
    assert!(bad(&["play", "trexo", "--seat", "club"], b"").contains("such as 1=club"));
}

#[test]
fn four_engines_play_every_game_to_its_end_by_themselves() {
    for (game, seats) in [("mod-x", 4), ("figures", 4), ("x-marks-the-spot", 4), ("castle-builders", 2), ("trexo", 2)] {
        let seated: Vec<String> = (0..seats).flat_map(|seat| ["--seat".to_owned(), format!("{seat}=random")]).collect();
        let number = seats.to_string();
        let mut arguments = vec!["play", game, "--seats", &number];
        arguments.extend(seated.iter().map(String::as_str));
        let text = good(&arguments, "");
        let end = text.lines().last().unwrap();
        assert!(end.contains("won (") || end.contains("A draw ("), "{game}: {end}");
    }
}

#[test]
fn as_many_lines_are_shown_as_are_asked_for_and_nobody_asks_for_none_or_thousands() {
    let record = "Game: trexo\nSeats: 2\n\n0: e5f5\n";
    let ask = |lines| ["bestmove", "-", "--level", "club", "--lines", lines];
    let text = good(&ask("5"), record);
    let shown = text.lines().filter(|line| line.contains(" visits ") || line.contains(" deep "));
    assert_eq!(shown.count(), 5, "{text}");
    for lines in ["0", "10000"] {
        let why = bad(&ask(lines), record.as_bytes());
        assert!(why.contains("1..=100"), "{why}");
    }
}

#[test]
fn matches_and_best_moves_are_printed_for_people_and_as_json() {
    let players = ["match", "--game", "castle-builders", "--players", "mcts@100nodes", "random", "--games", "6"];
    let text = good(&players, "");
    assert!(text.contains("6 games") && text.contains("Elo difference"), "{text}");
    let json: Value = serde_json::from_str(&good(&[&players[..], &["--json"]].concat(), "")).unwrap();
    let mut names: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["draws", "elo", "elo95", "games", "players", "repeated", "score", "sprt", "wins"]);
    assert_eq!((&json["repeated"], &json["sprt"]), (&json!(0), &Value::Null));
    assert_eq!((&json["games"], &json["players"][0]), (&json!(6), &json!("mcts@100nodes")));
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("games");
    good(&[&players[..], &["--records", records.to_str().unwrap()]].concat(), "");
    let written: Vec<String> =
        fs::read_dir(&records).unwrap().map(|entry| entry.unwrap().path().to_str().unwrap().to_owned()).collect();
    assert_eq!(written.len(), 6);
    let mut check = vec!["check"];
    check.extend(written.iter().map(String::as_str));
    good(&check, "");
    assert!(bad(&["match", "--game", "trexo", "--players", "random", "random", "random"], b"").contains("do not fit"));

    let many = ["tournament", "--game", "mod-x", "--players", "mcts@100nodes", "greedy", "random", "--games", "4"];
    let lines = good(&[&many[..], &["--json"]].concat(), "");
    let rated: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((rated.len(), &rated[0]["player"], &rated[0]["games"]), (3, &json!("mcts@100nodes"), &json!(8)));
    assert!(rated.iter().all(|player| player["low"].as_f64() < player["rating"].as_f64()));
    assert!(rated.iter().all(|player| player["rating"].as_f64() < player["high"].as_f64()));
    let table = good(&many, "");
    assert!(table.contains("1. mcts@100nodes") && table.contains("low") && table.contains("high"), "{table}");

    let record = "Game: trexo\nSeats: 2\n\n0: a5a6\n1: b5b4\n0: c5c6\n1: d5d4\n";
    let thought = good(&["bestmove", "-", "--level", "greedy", "--json"], record);
    let thought: Value = serde_json::from_str(&thought).unwrap();
    let won = format!("{record}0: {}\n", thought["action"].as_str().unwrap());
    assert!(good(&["check", "-"], &won).contains("Seat 0 has won (five in a row)."));
    assert!(good(&["bestmove", "-", "--level", "mcts", "--nodes", "500"], record).contains("500 nodes"));
    let machine = ["bestmove", "-", "--level", "mcts", "--nodes", "500", "--threads", "3", "--memory", "8"];
    assert!(good(&machine, record).contains("500 nodes"), "shared out among the threads, and all used");
    assert!(bad(&["bestmove", "-", "--threads", "0"], record.as_bytes()).contains("--threads"));
    assert!(bad(&["bestmove", "-"], won.as_bytes()).contains("the game is over"));
}

#[test]
fn a_match_draws_its_running_score_and_tells_what_its_test_has_decided() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("score.svg").to_str().unwrap().to_owned();
    let players =
        ["match", "--game", "mod-x", "--options", r#"{"target":3}"#, "--players", "greedy", "random", "--games", "60"];
    let with_test = [&players[..], &["--sprt", "0", "200", "--svg", &svg]].concat();
    let text = good(&with_test, "");
    assert!(text.contains("The score of greedy, round by round") && text.contains('━') && text.contains('░'), "{text}");
    assert!(text.contains("Decided: rather +200 than +0 Elo."), "{text}");
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains("<svg") && drawn.contains("score of greedy"), "{drawn}");
    let json: Value = serde_json::from_str(&good(&[&with_test[..], &["--json"]].concat(), "")).unwrap();
    assert_eq!((&json["sprt"]["elo1"], &json["sprt"]["verdict"]), (&json!(200.0), &json!("elo1")), "{json}");
    assert!(json["sprt"]["log_likelihood"].as_f64().unwrap() > 2.9 && json["games"].as_u64().unwrap() < 60, "{json}");
    let refused = bad(&[&players[..], &["--sprt", "5", "5"]].concat(), b"");
    assert!(refused.contains("two different numbers of Elo"), "{refused}");
}

#[test]
fn a_match_warns_of_games_that_came_up_again() {
    let players = ["match", "--game", "trexo", "--players", "random", "random", "--games", "6"];
    let text = good(&players, "");
    assert!(
        text.contains("Warning: 3 of 6 games had been played before, action for action, and prove nothing new."),
        "{text}"
    );
    let json: Value = serde_json::from_str(&good(&[&players[..], &["--json"]].concat(), "")).unwrap();
    assert_eq!(json["repeated"], 3);
}

#[test]
fn what_an_engine_expects_is_compared_with_what_comes() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("calibration.svg").to_str().unwrap().to_owned();
    let options = r#"{"target":3}"#;
    let few = ["calibrate", "mod-x", "--options", options, "--level", "mcts", "--nodes", "30", "--games", "24"];
    let text = good(&[&few[..], &["--svg", &svg]].concat(), "");
    for part in
        ["mcts against itself: 24 games", "90 to 100 %", "expected calibration error", "Brier score", "log loss"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    for part in ["in force:", "fitted on top:", "to be set:"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains("<svg") && drawn.contains("with the fit"), "{drawn}");
    let as_json =
        |more: &[&str]| serde_json::from_str::<Value>(&good(&[&few[..], &["--json"], more].concat(), "")).unwrap();
    let json = as_json(&["--parallel", "1"]);
    assert_eq!(json, as_json(&["--parallel", "3"]), "nodes and a seed give the same games on any number of threads");
    assert_eq!((&json["games"], json["expected"]["bins"].as_array().unwrap().len()), (&json!(24), 10));
    let bins = json["expected"]["bins"].as_array().unwrap();
    assert_eq!(bins.iter().map(|bin| bin["decisions"].as_u64().unwrap()).sum::<u64>(), json["decisions"]);
    let [in_force, fitted, to_be_set] =
        ["in_force", "fitted", "to_be_set"].map(|which| json["correction"][which]["scale"].as_f64().unwrap());
    assert!((in_force - 1.203).abs() < 1e-6, "what was fitted for Mod X: {in_force}");
    assert!((to_be_set - in_force * fitted).abs() < 1e-3, "{to_be_set} = {in_force} * {fitted}");

    assert!(bad(&["calibrate", "trexo", "--games", "1"], b"").contains("--games 1 is too few to tell anything"));
    assert!(bad(&["calibrate", "trexo", "--games", "19"], b"").contains("give 20 or more"));
    assert!(bad(&["calibrate", "chess"], b"").contains("chess"));
    assert!(bad(&["calibrate", "trexo", "--level", "random"], b"").contains("random has no opinion of its moves"));
}

/// The scores of a match of a bot against random play, and the records.
fn bot_match(game: &str, bot: &str, games: &str) -> (Value, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().to_str().unwrap();
    let options = if game == "x-marks-the-spot" { r#"{"turn_limit":30}"# } else { "{}" };
    let arguments = ["match", "--game", game, "--options", options, "--players", bot, "random", "--games", games];
    let json = good(&[&arguments[..], &["--json", "--records", records]].concat(), "");
    let written = fs::read_dir(folder.path()).unwrap();
    let texts = written.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    (serde_json::from_str(&json).unwrap(), texts)
}

#[test]
fn our_own_engine_plays_every_game_over_the_bot_protocol() {
    for game in GAMES {
        let bot = format!("cmd:{} bot mcts@20nodes", env!("CARGO_BIN_EXE_quincunx"));
        let (json, records) = bot_match(game, &bot, "2");
        assert_eq!(json["games"], 2);
        for record in records {
            assert!(!record.contains("Forfeit"), "{record}");
            assert!(good(&["check", "-"], &record).contains("good"));
        }
    }
}

#[test]
fn the_example_bot_plays_every_game() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    for game in GAMES {
        let (_, records) = bot_match(game, &format!("cmd:python3 {}", example("bots/greedy.py")), "2");
        assert!(records.iter().all(|record| !record.contains("Forfeit")), "{records:?}");
    }
}

#[test]
fn a_bot_that_dies_hangs_or_answers_nonsense_loses_with_the_reason_in_the_record() {
    for (bot, reason) in [
        ("cmd:true", "has ended when it was to say \"ready\""),
        ("cmd:echo ready", "has ended"),
        ("cmd:echo ready; sleep 30@10ms", "gave no answer in 2.01 s"),
        ("cmd:echo ready; echo action zz; sleep 30", "is not an action of this game"),
        ("cmd:echo ready; echo wait; sleep 30", "waits though it is on turn"),
    ] {
        let (json, records) = bot_match("trexo", bot, "2");
        assert_eq!((&json["games"], &json["score"]), (&json!(2), &json!([0.0, 1.0])), "{bot}");
        assert!(
            records.iter().all(|record| record.contains("Forfeit: seat ") && record.contains(reason)),
            "{records:?}"
        );
    }
}

#[test]
fn an_analysis_finds_the_move_that_lost() {
    // Seat 1 does not see the four in a row, and loses by it.
    let record = "Game: trexo\nSeats: 2\n\n0: a5a6\n1: j1j2\n0: b5b4\n1: j4j5\n0: c5c6\n1: i9j9\n0: d5d4\n1: h1h2\n\
                  0: e5e6\n";
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("game.svg");
    let arguments = ["analyse", "-", "--level", "mcts", "--nodes", "4000", "--svg", picture.to_str().unwrap()];
    let lines = good(&[&arguments[..], &["--json"]].concat(), record);
    let moves: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(moves.len(), 9);
    assert_eq!(moves[8]["action"], "e5e6");
    assert!(["best", "only_move", "good"].map(Value::from).contains(&moves[8]["verdict"]), "{}", moves[8]);
    assert!(moves[7]["loss"].as_f64().unwrap() > 0.1, "{}", moves[7]);
    assert!(["mistake", "blunder"].map(Value::from).contains(&moves[7]["verdict"]), "{}", moves[7]);
    let text = good(&arguments, record);
    assert!(text.contains("Seat 0 has won (five in a row)."), "{text}");
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("seat 1"));
}

#[test]
fn play_brings_a_typed_game_to_its_end() {
    for path in examples() {
        // The actions of a finished record, typed in; draws are the program's own, so only games without them.
        let path = path.to_str().unwrap();
        let record: Value = serde_json::from_str(&good(&["convert", path], "")).unwrap();
        let actions = record["actions"].as_array().unwrap();
        if actions.iter().any(|action| action.get("seat").is_none()) {
            continue;
        }
        let line = |action: &Value| format!("{}: {}\n", action["seat"], action["action"].as_str().unwrap());
        let typed: String = actions.iter().map(line).collect();
        let (options, seats) = (record["options"].to_string(), record["seats"].to_string());
        let game = record["game"].as_str().unwrap();
        let text = good(&["play", game, "--seats", &seats, "--options", &options], &typed);
        let end = text.lines().last().unwrap();
        assert!(end.contains("won (") || end.contains("A draw ("), "{path}: {end}");
    }
}

/// Types an action out of those that are offered, again and again; gives what the program has written when the game is over,
/// or after so many actions.
fn type_on(arguments: &[&str], rng: &mut StdRng, most: usize) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut typed, mut written) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut text = String::new();
    // Whether the program asks for a line, or has ended.
    let mut is_asked = |text: &mut String| {
        text.clear();
        let mut bytes = [0; 4096];
        loop {
            let read = written.read(&mut bytes).unwrap();
            text.push_str(std::str::from_utf8(&bytes[..read]).unwrap());
            if read == 0 {
                return false;
            }
            if text.lines().next_back().is_some_and(|line| line.starts_with("seat ") && line.ends_with("> ")) {
                return true;
            }
        }
    };
    let mut asked = is_asked(&mut text);
    for _ in 0..most {
        if !asked {
            break;
        }
        typed.write_all(b"actions\n").unwrap();
        assert!(is_asked(&mut text), "{text}");
        let listed = text.rsplit_once('\n').expect("a prompt stands on a line of its own").0;
        let offers: Vec<&str> = listed.lines().flat_map(|line| line.split("  ")).collect();
        writeln!(typed, "{}", offers.choose(rng).unwrap()).unwrap();
        asked = is_asked(&mut text);
    }
    drop(typed);
    assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}: {text}");
    text
}

#[test]
fn every_game_for_every_number_of_seats_is_typed_left_resumed_and_ended() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    let file = file.to_str().unwrap();
    let tables = [
        ("trexo", "2", "{}"),
        ("castle-builders", "2", "{}"),
        ("figures", "2", r#"{"turn_limit":40}"#),
        ("figures", "4", r#"{"turn_limit":40}"#),
        ("mod-x", "2", "{}"),
        ("mod-x", "3", r#"{"claims":"manual"}"#),
        ("mod-x", "4", r#"{"teams":true}"#),
        ("x-marks-the-spot", "2", r#"{"turn_limit":20}"#),
        ("x-marks-the-spot", "3", r#"{"turn_limit":20}"#),
        ("x-marks-the-spot", "4", r#"{"turn_limit":20}"#),
    ];
    let mut rng = StdRng::seed_from_u64(5);
    for (game, seats, options) in tables {
        type_on(&["play", game, "--seats", seats, "--options", options, "--save", file], &mut rng, 7);
        let left = fs::read_to_string(file).unwrap();
        assert!(left.contains("Result: *"), "{left}");
        let text = type_on(&["play", "--resume", file, "--save", file], &mut rng, 10_000);
        let end = text.lines().last().unwrap();
        assert!(end.contains("won (") || end.contains("A draw ("), "{game} for {seats}: {end}");
        let ended = fs::read_to_string(file).unwrap();
        let played = |record: &str| record.split_once("\n\n").expect("headers, then actions").1.trim_end().to_owned();
        let (left, ended) = (played(&left), played(&ended));
        assert!(ended.starts_with(&left) && ended.len() > left.len(), "{game} for {seats}: {left}\n\n{ended}");
        good(&["check", file], "");
    }
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(["rules", "mod-x"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

#[test]
fn help_teaches_by_example_and_completions_exist_for_every_shell() {
    for command in ["show", "replay", "check", "convert", "rpc", "perft", "play", "rules", "games", "schema"] {
        assert!(good(&[command, "--help"], "").contains("Example"), "{command}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(good(&["completions", shell], "").contains("playouts"), "{shell}");
    }
}

/// Starts long work, asks it to end as Ctrl-C does once it is at it, and gives what it has said by then.
#[cfg(unix)]
fn interrupted(arguments: &[&str]) -> String {
    // On a busy machine a program may not listen yet, and is killed: it gets more time then.
    for seconds in [2, 8, 32] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        assert!(child.try_wait().unwrap().is_none(), "{arguments:?} is long work");
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        match output.status.code() {
            Some(0) => return text,
            None => {}
            code => panic!("{arguments:?} ends with {code:?}: {text}{}", String::from_utf8_lossy(&output.stderr)),
        }
    }
    panic!("{arguments:?} does not listen")
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_long_work_with_what_there_is() {
    let hour = "3600000";
    let file = std::env::temp_dir().join(format!("quincunx-{}-goes-on.txt", std::process::id()));
    fs::write(&file, "Game: trexo\nSeats: 2\n\n0: e5f5\n1: a1b1\n").unwrap();
    let game = file.to_str().unwrap();
    let thought = interrupted(&["bestmove", game, "--millis", hour]);
    assert!(thought.contains("expected line: "), "{thought}");
    // The first thought is broken off; a review without any says nothing, and does not fail.
    let judged = interrupted(&["analyse", game, "--millis", hour, "--json"]);
    assert_eq!(judged, "");
    let counted = interrupted(&["perft", "trexo", "9", "--json"]);
    let first: Value = serde_json::from_str(counted.lines().next().unwrap()).unwrap();
    assert_eq!(first["depth"], 1);
    let played = interrupted(&["bench", "playouts", "--seconds", "3600", "--json"]);
    let first: Value = serde_json::from_str(played.lines().next().unwrap()).unwrap();
    assert!(first["games"].as_u64().unwrap() > 0, "{played}");
    assert_eq!(played.lines().count(), 1, "the other games are not measured any more");
    fs::remove_file(file).unwrap();
}
