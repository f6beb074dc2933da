//! Every refusal can be told to people: in English by the rules themselves, in German by the browser's messages.

use std::collections::BTreeMap;

use quincunx_core::{Codes, all_codes};
use quincunx_games::GAMES;

type Messages = BTreeMap<String, String>;

const GERMAN: &str = include_str!("../../../web/src/messages/de/refusal.json");
const REWORDED: &str = include_str!("../../../web/src/messages/en/refusal.json");

fn read(messages: &str) -> Messages {
    serde_json::from_str(messages).expect("codes and texts")
}

/// The names in braces.
fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name)
        .filter(|name| !name.is_empty())
}

fn assert_fit(messages: &Messages, codes: &Codes) {
    for (code, text) in messages {
        let args = codes.get(code).unwrap_or_else(|| panic!("nothing is refused with the code {code}"));
        for name in placeholders(text) {
            assert!(args.iter().any(|arg| arg == name), "{code} has the arguments {args:?}, not {name}");
        }
    }
}

#[test]
fn every_code_has_a_german_text_with_arguments_that_exist() {
    let (codes, german) = (all_codes(GAMES), read(GERMAN));
    assert!(codes.len() > 120, "{codes:?}");
    let missing: Vec<&String> = codes.keys().filter(|code| !german.contains_key(*code)).collect();
    assert!(missing.is_empty(), "no German text for {missing:?}");
    assert_fit(&german, &codes);
    assert_fit(&read(REWORDED), &codes);
}

#[test]
fn the_codes_of_a_game_begin_with_its_id() {
    for game in GAMES {
        let area = format!("{}.", game.id());
        assert!(game.codes().keys().all(|code| code.starts_with(&area)), "{:?}", game.codes());
    }
}
