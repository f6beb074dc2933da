//! What is common to all five games.

use quincunx_core::{Coord, DynSession, Turn, Viewer};
use quincunx_games::GAMES;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

/// Random games of every game and number of seats, with the default options; `look` sees every position.
fn walk(mut look: impl FnMut(&dyn DynSession)) {
    for game in GAMES {
        for &seats in game.seats() {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(u64::from(seats));
            let mut table = game.start(Some(u64::from(seats)), &json!({})).unwrap();
            for _ in 0..400 {
                look(&*table);
                match table.turn() {
                    Turn::Over => break,
                    Turn::Chance => drop(table.draw(&mut rng).unwrap()),
                    Turn::Seat(seat) => {
                        let actions = table.offers(seat);
                        table.apply(None, &actions[rng.random_range(0..actions.len())]).unwrap();
                    }
                }
            }
        }
    }
}

#[test]
fn the_five_games_have_their_ids_and_numbers_of_players() {
    let listed: Vec<(&str, &[u8])> = GAMES.iter().map(|game| (game.id(), game.seats())).collect();
    assert_eq!(
        listed,
        [
            ("mod-x", &[2, 3, 4][..]),
            ("x-marks-the-spot", &[2, 3, 4]),
            ("trexo", &[2]),
            ("castle-builders", &[2]),
            ("figures", &[2, 4])
        ]
    );
    for game in GAMES {
        for seats in (0..10).filter(|&seats| !game.seats().contains(&seats)) {
            assert!(game.start(Some(u64::from(seats)), &json!({})).is_err(), "{} for {seats}", game.id());
        }
    }
}

#[test]
fn every_game_and_every_rules_page_names_who_made_it() {
    let names = [
        ("mod-x", &["Mark & Joan Wilkinson", "White Castle", "Cryptozoic Entertainment", "15", "20 to 30 minutes"][..]),
        ("x-marks-the-spot", &["Rather Dashing Games", "Nigel Sade"]),
        ("trexo", &["Förlago", "7", "10 to 20 minutes"]),
        ("castle-builders", &["Game-o-gram #1", "Björn Jansson", "Daniel Johansson"]),
        ("figures", &["Sid Sackson", "1971, 1985", "Walter Luc Haas", "Robbie Smith", "our working title"]),
    ];
    for (game, (id, names)) in GAMES.iter().zip(names) {
        assert_eq!(game.id(), id);
        let credits = format!("{}; {}", game.credits().by, game.credits().also);
        for name in names {
            assert!(credits.contains(name), "{id}: {name} in the credits");
            assert!(game.rules().contains(name), "{id}: {name} on the rules page");
        }
    }
}

#[test]
fn each_option_has_a_type_and_a_default() {
    for game in GAMES {
        let schema = game.options_schema();
        for (name, option) in schema["properties"].as_object().unwrap() {
            let typed = ["type", "$ref", "anyOf", "oneOf", "enum"].iter().any(|key| option.get(key).is_some());
            assert!(typed, "{} {name}: {option}", game.id());
            assert!(option["description"].is_string(), "{} {name} is explained", game.id());
            // The target of Mod X depends on the number of players; its description says how.
            let by_players = game.id() == "mod-x" && name == "target";
            assert_eq!(option.get("default").is_none(), by_players, "{} {name}: {option}", game.id());
        }
    }
}

#[test]
fn a_value_out_of_range_or_of_the_wrong_type_or_an_unknown_name_is_a_clear_error_and_creates_no_game() {
    for game in GAMES {
        for (name, option) in game.options_schema()["properties"].as_object().unwrap() {
            let mut wrong = vec![json!(null), json!(-1), json!(1.5), json!(1_000_000), json!("nonsense"), json!([{}])];
            if let Some(least) = option.get("minimum").and_then(Value::as_i64) {
                wrong.push(json!(least - 1));
            }
            if let Some(most) = option.get("maximum").and_then(Value::as_i64) {
                wrong.push(json!(most + 1));
                assert!(game.start(Some(u64::from(game.seats()[0])), &json!({name: most})).is_ok(), "{name} {most}");
            }
            for value in wrong {
                let error = game.start(None, &json!({name: value})).unwrap_err().to_string();
                assert!(error.starts_with(&format!("option \"{name}\": ")) && error.len() > 25, "{error}");
            }
        }
        let error = game.start(None, &json!({"colour": 1})).unwrap_err().to_string();
        assert!(error.contains("option \"colour\"") && error.contains("expected"), "{error}");
    }
}

#[test]
fn seats_are_numbered_from_0_in_turn_order() {
    // Seat 0 acts first, or is dealt to first.
    for game in GAMES {
        for &seats in game.seats() {
            let table = game.start(Some(u64::from(seats)), &json!({})).unwrap();
            match table.turn() {
                Turn::Seat(seat) => assert_eq!(seat.number(), 0),
                turn => assert_eq!(turn, Turn::Chance),
            }
        }
    }
}

#[test]
fn a_turn_may_be_made_of_several_actions_by_the_same_seat() {
    let mut table = GAMES[4].start(None, &json!({})).unwrap();
    for (action, seat) in [("+r", 0), ("+y", 0), ("d3e3", 0), ("-r", 0), ("+r", 1)] {
        assert_eq!(json!(table.position(Viewer::Everything).turn), json!({"kind": "seat", "seat": seat}));
        table.apply(None, action).unwrap();
    }
}

#[test]
fn chance_is_explicit_with_whole_number_weights() {
    let mut chances = 0;
    walk(|table| {
        let position = json!(table.position(Viewer::Everything));
        if table.turn() == Turn::Chance {
            chances += 1;
            for outcome in position["actions"].as_array().unwrap() {
                assert!(outcome["weight"].as_u64().unwrap() > 0 && outcome.get("seat").is_none(), "{outcome}");
            }
        }
    });
    assert!(chances > 100);
}

#[test]
fn scores_are_the_seats_own_one_for_each() {
    walk(|table| assert_eq!(table.position(Viewer::Spectator).scores.len(), usize::from(table.seats())));
}

#[test]
fn squares_are_written_like_on_a_chess_board() {
    assert_eq!("a1".parse(), Ok(Coord::new(0, 0)));
    assert_eq!("h8".parse(), Ok(Coord::new(7, 7)));
    assert_eq!(Coord::new(2, 0).to_string(), "c1", "a letter for the column from the left");
    assert_eq!(Coord::new(0, 2).to_string(), "a3", "a number for the row from the bottom");
    for wrong in ["", "a", "1", "a0", "a01", "A1", "a+1", "aa1", "a1 ", " a1", "a100", "\u{e9}1", "a1b2"] {
        assert!(wrong.parse::<Coord>().is_err(), "{wrong:?}");
    }
}

#[test]
fn where_a_legal_action_exists_passing_is_not_one_unless_a_page_says_so() {
    walk(|table| {
        let Turn::Seat(seat) = table.turn() else { return };
        let passes = table.offers(seat).iter().any(|action| action == "pass");
        assert!(!passes || table.kind().id() == "x-marks-the-spot");
    });
}
