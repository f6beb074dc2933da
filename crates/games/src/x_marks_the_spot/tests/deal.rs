//! The cards, the set-up and the options.

use quincunx_core::{Game, SetupError, options_from_json};
use serde_json::json;

use super::{Table, options, seat};
use crate::x_marks_the_spot::{Options, XMarksTheSpot};

const MANY: &str = r#"{"deck":{"cr":12,"go":6}}"#;

#[test]
fn the_deck_has_80_cards_of_29_kinds() {
    let deck = options("{}").deck.cards(2).unwrap();
    assert_eq!(deck.total(), 80);
    assert_eq!(deck.kinds().len(), 29);
    let expected = [
        ("cc rr aa ww", 2),
        ("cr ca cw ra rw aw", 4),
        ("cg rg ag wg", 2),
        ("co ro ao wo", 2),
        ("ck rk ak wk", 2),
        ("gk go", 1),
        ("ko", 2),
        ("gg kk oo", 0),
        ("cannon heading", 6),
        ("parlay plunder", 4),
    ];
    let mut kinds = 0;
    for (cards, copies) in expected {
        for card in cards.split(' ') {
            assert_eq!(deck.copies(card.parse().unwrap()), copies, "{card}");
            kinds += 1;
        }
    }
    assert_eq!(kinds, 32);
}

#[test]
fn two_ghost_ships_krakens_or_open_waters_on_one_card_exist_for_decks_of_ones_own() {
    let mut table = Table::with_options(2, r#"{"deck":{"gg":40,"kk":7,"oo":1}}"#);
    table.does("flag:c; flag:r");
    assert_eq!(table.legal(), ["+gg x40", "+kk x7", "+oo x1"]);
    table.draws("oo kk gg gg");
    assert_eq!(table.hand(0), "gg gg kk oo", "in the order of the deck table");
    assert!(error(&json!({"deck":{"gg":41}})).contains("integer `41`"));
}

#[test]
fn flags_are_dealt_first_one_of_each_pirate_and_the_rest_stay_hidden() {
    let mut table = Table::with_options(3, "{}");
    assert_eq!(table.legal(), ["flag:a x1", "flag:c x1", "flag:r x1", "flag:w x1"]);
    table.does("flag:r");
    assert_eq!(table.legal(), ["flag:a x1", "flag:c x1", "flag:w x1"]);
    assert!(table.refuses("flag:r").contains("Rackham's flag is dealt"));
    assert!(table.refuses("+cr").contains("a flag is dealt now"));
    table.does("flag:w; flag:c");
    assert_eq!(table.everything()["unused_flags"], json!(["a"]));
    assert_eq!(table.view(seat(0))["unused_flags"], json!(null));
}

#[test]
fn then_each_seat_in_turn_is_dealt_four_cards_with_the_copies_left_as_weights() {
    let mut table = Table::with_options(2, MANY);
    table.does("flag:c; flag:r");
    assert_eq!(table.legal(), ["+cr x12", "+go x6"]);
    table.draws("cr cr go");
    assert_eq!(table.legal(), ["+cr x10", "+go x5"]);
    assert_eq!(table.everything()["drawing"], 0);
    table.draws("go");
    assert_eq!((table.hand(0).as_str(), table.hand(1).as_str()), ("cr cr go go", ""));
    assert_eq!(table.everything()["drawing"], 1);
    table.draws("go go go");
    assert!(table.is_chance());
    table.draws("go");
    assert_eq!(table.hand(1), "go go go go");
    assert!(table.refuses("+go").contains("this is for chance to do"));
}

#[test]
fn seat_0_starts() {
    let table = Table::dealt("cr", &["cr cr cr cr", "go go go go"]);
    assert_eq!(table.on_turn(), Some(0));
    assert_eq!(table.legal(), ["draw", "scuttle"]);
}

#[test]
fn a_given_deck_is_the_whole_deck_and_a_card_not_named_has_no_copies() {
    let mut table = Table::with_options(2, r#"{"deck":{"cr":40,"go":0,"cannon":1}}"#);
    table.does("flag:c; flag:r");
    assert_eq!(table.legal(), ["+cannon x1", "+cr x40"]);
}

#[test]
fn a_deck_has_at_least_four_cards_for_each_player_and_ten_more() {
    for (seats, least) in [(2, 18), (3, 22), (4, 26)] {
        let deck = |copies: u32| options(&format!(r#"{{"deck":{{"cr":{copies}}}}}"#));
        assert!(XMarksTheSpot::new(seats, &deck(least)).is_ok());
        let error = XMarksTheSpot::new(seats, &deck(least - 1)).unwrap_err().to_string();
        let expected = format!("option \"deck\": {seats} players need at least {least} cards, not {}", least - 1);
        assert_eq!(error, expected);
    }
}

fn error(json: &serde_json::Value) -> String {
    options_from_json::<Options>(json).map_err(|error: SetupError| error.to_string()).unwrap_err()
}

#[test]
fn bad_options_are_refused_by_name() {
    assert!(error(&json!({"deck":{"cr":41}})).contains("\"deck\": invalid value: integer `41`"));
    assert!(error(&json!({"deck":{"cr":-1}})).contains("a whole number from 0 to 40"));
    assert!(error(&json!({"deck":{"xx":2}})).contains("no card is called \"xx\""));
    assert!(error(&json!({"deck":{"rc":2}})).contains("no card is called \"rc\""));
    assert!(error(&json!({"deck":["cr"]})).contains("an object with the number of copies"));
    assert!(error(&json!({"deck":null})).contains("invalid type: null"));
    assert!(error(&json!({"deck":{"cr":null}})).contains("invalid type: null"));
    for (name, low, high) in [("turn_limit", 1, 10_000), ("doubloons", 1, 9)] {
        assert!(options_from_json::<Options>(&json!({name: low})).is_ok());
        assert!(options_from_json::<Options>(&json!({name: high})).is_ok());
        assert!(error(&json!({name: low - 1})).contains(&format!("from {low} to {high}")));
        assert!(error(&json!({name: high + 1})).contains(&format!("from {low} to {high}")));
        assert!(error(&json!({name: null})).contains("invalid type: null"));
    }
    assert!(error(&json!({"limit": 3})).contains("unknown field `limit`"));
    assert!(serde_json::from_str::<Options>(r#"{"deck":{"cr":1,"cr":2}}"#).unwrap_err().to_string().contains("twice"));
}

#[test]
fn the_defaults_are_200_turns_and_three_doubloons() {
    let options = options("{}");
    assert_eq!((options.turn_limit.get(), options.doubloons.get()), (200, 3));
    assert_eq!(options_from_json::<Options>(&serde_json::to_value(&options).unwrap()).unwrap(), options);
}

#[test]
fn the_schema_of_the_deck_names_every_card() {
    let schema = schemars::schema_for!(Options).to_value();
    let deck = &schema["properties"]["deck"];
    assert_eq!(deck["properties"].as_object().unwrap().len(), 32);
    for card in ["plunder", "gg", "kk", "oo"] {
        assert_eq!(deck["properties"][card], json!({"type": "integer", "minimum": 0, "maximum": 40}), "{card}");
    }
    assert_eq!(deck["additionalProperties"], json!(false));
}
