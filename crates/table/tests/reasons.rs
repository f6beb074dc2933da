//! Every refusal of a table can be told to people: in English by the table itself, in German by the browser's messages.

use std::collections::BTreeMap;

use quincunx_core::codes;
use quincunx_table::Refusal;

#[test]
fn every_refusal_has_a_german_text_with_arguments_that_exist() {
    let texts: BTreeMap<String, String> =
        serde_json::from_str(include_str!("../../../web/src/messages/de/refusal-server.json")).unwrap();
    let codes = codes::<Refusal>();
    assert!(codes.len() > 40, "{codes:?}");
    for (code, args) in &codes {
        let text = texts.get(code).unwrap_or_else(|| panic!("no German text for {code}"));
        let names = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
        for (name, _) in names {
            assert!(args.iter().any(|arg| arg == name), "{code} has the arguments {args:?}, not {name}");
        }
    }
    let unknown = texts.keys().find(|code| code.starts_with("table.") && !codes.contains_key(*code));
    assert_eq!(unknown, None, "nothing is refused with this code");
}
