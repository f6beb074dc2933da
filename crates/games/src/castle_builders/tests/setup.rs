//! The board, the counters, the deal and the options.

use super::{super::Colour, *};

#[test]
fn two_play_yellow_is_seat_0_and_starts_green_is_seat_1() {
    assert!(Session::<CastleBuilders>::new(1, Options::default()).is_err());
    assert!(Session::<CastleBuilders>::new(3, Options::default()).is_err());
    let view = view(&default(""));
    assert_eq!(
        view.players.iter().map(|player| (player.seat, player.colour)).collect::<Vec<_>>(),
        [(0, Colour::Yellow), (1, Colour::Green)]
    );
    assert_eq!(view.to_move, Some(0));
}

#[test]
fn the_towers_have_heights_3_4_5_5_4_and_roofs_4_5_7_6_5() {
    let view = view(&default(""));
    let towers: Vec<(u8, usize, u8)> =
        view.towers.iter().map(|tower| (tower.number, tower.spaces.len(), tower.roof)).collect();
    assert_eq!(towers, [(1, 3, 4), (2, 4, 5), (3, 5, 7), (4, 5, 6), (5, 4, 5)]);
    assert_eq!(view.towers.iter().map(|tower| tower.spaces.len()).sum::<usize>(), 21);
}

#[test]
fn rows_from_the_bottom_are_worth_7_6_5_4_3_and_have_5_5_5_4_2_spaces() {
    let rows: Vec<(u8, u8, u8)> =
        view(&default("")).rows.iter().map(|row| (row.number, row.value, row.spaces)).collect();
    assert_eq!(rows, [(1, 7, 5), (2, 6, 5), (3, 5, 5), (4, 4, 4), (5, 3, 2)]);
}

#[test]
fn each_colour_has_22_counters_of_six_kinds() {
    let counters = Options::default().counters;
    let split: Vec<(char, u32, bool)> =
        Kind::ALL.map(|kind| (kind.letter(), counters.get(kind), kind.is_building())).to_vec();
    assert_eq!(
        split,
        [('O', 10, true), ('C', 3, true), ('B', 3, true), ('R', 3, false), ('K', 1, false), ('S', 2, false)]
    );
    assert!(view(&played(&json!({}), "")).players.iter().all(|player| player.pile_size == 22 && player.hand_size == 0));
}

#[test]
fn seat_0_draws_two_then_seat_1_draws_two_then_seat_0_plays() {
    let mut session = played(&json!({}), "");
    for drawer in [0, 0, 1, 1] {
        assert_eq!(session.game().turn(), Turn::Chance);
        assert_eq!(view(&session).drawing, Some(drawer));
        session.apply(None, "+O").unwrap();
    }
    let view = view(&session);
    assert_eq!((view.to_move, view.drawing), (Some(0), None));
    assert!(view.players.iter().all(|player| player.pile_size == 20 && player.hand_size == 2));
}

#[test]
fn the_weight_of_a_draw_is_the_number_of_such_counters_in_the_own_pile() {
    let draws = |actions: &str| {
        let position = played(&json!({}), actions).to_json(Viewer::Everything);
        position
            .actions
            .iter()
            .map(|draw| format!("{}:{}", draw.action, draw.weight.unwrap()))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(draws(""), "+O:10 +C:3 +B:3 +R:3 +K:1 +S:2");
    assert_eq!(draws("+K"), "+O:10 +C:3 +B:3 +R:3 +S:2");
    assert_eq!(draws("+K +O"), "+O:10 +C:3 +B:3 +R:3 +K:1 +S:2", "seat 1 has a pile of its own");
    assert_eq!(draws("+K +O +S +S O1"), "+O:9 +C:3 +B:3 +R:3 +S:2");
    assert_eq!(draws("+K +O +S +S O1 +O S"), "+O:10 +C:3 +B:3 +R:3 +K:1");
}

#[test]
fn what_is_not_in_the_pile_cannot_be_drawn() {
    assert_eq!(
        why(&mut played(&json!({}), "+K"), "+K"),
        "there is no remove-and-continue counter (K) in the pile of seat 0"
    );
    assert_eq!(why(&mut played(&json!({}), ""), "O1"), "seat 0 draws a counter first, such as +O");
}

#[test]
fn with_fewer_than_two_counters_the_deal_gives_what_there_is() {
    let session = played(&json!({"counters": counters([1, 0, 0, 0, 0, 0])}), "+O +O");
    let view = view(&session);
    assert_eq!(view.to_move, Some(0));
    assert!(view.players.iter().all(|player| player.pile_size == 0 && player.hand_size == 1));
}

fn refusal(json: &Value) -> String {
    let error = match options_from_json::<Options>(json) {
        Ok(options) => Session::<CastleBuilders>::new(2, options).map(|_| ()).unwrap_err(),
        Err(error) => error,
    };
    error.to_string()
}

#[test]
fn as_many_roofs_as_towers_and_as_many_rows_as_the_tallest_tower() {
    let short = json!({"heights": [1, 2, 1]});
    assert_eq!(refusal(&short), r#"option "roofs": there are 5 roofs for 3 towers: give each tower one"#);
    let no_rows = json!({"heights": [1, 2, 1], "roofs": [1, 2, 3]});
    assert_eq!(refusal(&no_rows), r#"option "rows": there are 5 rows, but the tallest tower has 2 spaces"#);
    let five = json!({"heights": [1, 2, 3, 2, 1]});
    assert_eq!(refusal(&five), r#"option "rows": there are 5 rows, but the tallest tower has 3 spaces"#);
    assert!(refusal(&json!({"roofs": [1]})).starts_with(r#"option "roofs""#));
    assert!(refusal(&json!({"rows": [1]})).starts_with(r#"option "rows""#));
    played(&json!({"heights": [5, 4, 3, 2, 1]}), "");
    played(&json!({"roofs": [0, 0, 99, 0, 0], "rows": [99, 0, 0, 0, 0]}), "");
}

#[test]
fn a_castle_has_1_to_8_towers_with_1_to_8_spaces_and_values_0_to_99() {
    let eight = json!([8, 8, 8, 8, 8, 8, 8, 8]);
    played(&json!({"heights": eight, "roofs": eight, "rows": eight}), "");
    played(&json!({"heights": [1], "roofs": [0], "rows": [99]}), "");
    assert_eq!(
        refusal(&json!({"heights": [], "roofs": [], "rows": []})),
        r#"option "heights": a castle has 1 to 8 towers, not 0"#
    );
    assert_eq!(
        refusal(&json!({"heights": vec![1; 9], "roofs": vec![1; 9], "rows": [1]})),
        r#"option "heights": a castle has 1 to 8 towers, not 9"#
    );
    for (json, name) in [
        (json!({"heights": [0, 4, 5, 5, 4]}), "heights"),
        (json!({"heights": [3, 4, 5, 9, 4]}), "heights"),
        (json!({"heights": 5}), "heights"),
        (json!({"heights": null}), "heights"),
        (json!({"roofs": [4, 5, 7, 6, 100]}), "roofs"),
        (json!({"roofs": [4, 5, 7, 6, -1]}), "roofs"),
        (json!({"rows": [7, 6, 5, 4, 3.5]}), "rows"),
        (json!({"towers": 5}), "towers"),
    ] {
        assert!(refusal(&json).starts_with(&format!("option {name:?}")), "{json}: {}", refusal(&json));
    }
}

#[test]
fn counters_are_given_with_all_six_letters_0_to_30_each_at_least_one_for_building() {
    played(&json!({"counters": counters([30, 30, 30, 30, 30, 30])}), "");
    for numbers in [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]] {
        played(&json!({"counters": counters(numbers)}), "");
    }
    let none = r#"option "counters": at least one counter must be for building: O, C or B"#;
    assert_eq!(refusal(&json!({"counters": counters([0, 0, 0, 3, 1, 2])})), none);
    assert_eq!(refusal(&json!({"counters": counters([0; 6])})), none);
    for counters in [
        json!({"O": 10, "C": 3, "B": 3, "R": 3, "K": 1}),
        json!({"O": 10, "C": 3, "B": 3, "R": 3, "K": 1, "S": 2, "T": 0}),
        json!({"O": 31, "C": 3, "B": 3, "R": 3, "K": 1, "S": 2}),
        json!({}),
        json!([10, 3, 3, 3, 1, 2]),
        Value::Null,
    ] {
        let why = refusal(&json!({"counters": counters}));
        assert!(why.starts_with(r#"option "counters""#), "{why}");
    }
}

#[test]
fn the_schema_of_the_options_has_the_same_bounds() {
    let schema = schemars::schema_for!(Options).to_value();
    let list = |name: &str, least: u32, most: u32| {
        let list = &schema["properties"][name];
        assert_eq!((&list["minItems"], &list["maxItems"]), (&json!(1), &json!(8)), "{name}");
        assert_eq!(list["items"], json!({"type": "integer", "minimum": least, "maximum": most}));
    };
    list("heights", 1, 8);
    list("roofs", 0, 99);
    list("rows", 0, 99);
    let counters = &schema["$defs"]["Counters"];
    assert_eq!(counters["required"], json!(["O", "C", "B", "R", "K", "S"]));
    assert_eq!(counters["additionalProperties"], json!(false));
    assert_eq!(counters["properties"]["K"]["maximum"], json!(30));
}
