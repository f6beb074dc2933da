//! The texts of actions, and the picture of the table.

use quincunx_core::{Game, Viewer, strip};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{super::Action, Table, seat};

fn why(text: &str) -> String {
    text.parse::<Action>().expect_err(text).to_string()
}

#[test]
fn every_action_has_its_text() {
    let texts = "flag:c; flag:w; +cr; +cannon; draw; scuttle; pass; place cr 0,0 e; place ko -12,2147483647 s; \
                 cannon -1,0; heading 0,-3 cr n; parlay 2 n3; accept; counter n2; force; open; offer n1; decline; \
                 take 3; give cr cannon; give cc cc rr ko parlay plunder; give ko gg kk kk oo cannon; place oo 0,0 n; plunder 2; plunder discard cr; steal plunder";
    for text in texts.split("; ") {
        assert_eq!(text.parse::<Action>().unwrap().to_string(), text);
    }
}

#[test]
fn what_is_not_a_text_of_an_action_is_refused_with_a_hint() {
    for (text, hint) in [
        ("", "an action is such as"),
        ("flag:g", "a flag is one of"),
        ("flag:", "a flag is one of"),
        ("+", "a card is"),
        ("+kg", "a card is"),
        ("+rc", "in the order c r a w g k o"),
        ("draw 2", "nothing follows"),
        ("place cr 0,0", "such as place cr 0,0 e"),
        ("place cr 0,0 x", "a direction is n, e, s or w"),
        ("place cannon 0,0 e", "cannon is not a tile card"),
        ("heading 0,0 plunder e", "plunder is not a tile card"),
        ("place cr 00,0 e", "two whole numbers"),
        ("place cr -0,0 e", "two whole numbers"),
        ("place cr +1,0 e", "two whole numbers"),
        ("place cr 0.0 e", "two whole numbers"),
        ("place cr 2147483648,0 e", "two whole numbers"),
        ("place cr 0,0,0 e", "two whole numbers"),
        ("place  cr 0,0 e", "such as place cr 0,0 e"),
        ("cannon", "such as cannon 0,-1"),
        ("parlay 1", "such as parlay 2 n3"),
        ("parlay 4 n1", "a seat is a number from 0 to 3"),
        ("parlay 01 n1", "a seat is a number from 0 to 3"),
        ("parlay 1 n0", "n1 to n6"),
        ("parlay 1 3", "n1 to n6"),
        ("counter n03", "n1 to n6"),
        ("offer n7", "n1 to n6"),
        ("take -1", "a seat is a number from 0 to 3"),
        ("give", "such as give cr cannon"),
        ("give cr cr cr cr cr cr cr", "nobody holds more than 6 cards"),
        ("plunder discard", "a seat is a number"),
        ("plunder discard xx", "a card is"),
        ("steal ?", "a card is"),
        ("steal", "such as steal cr"),
        ("Draw", "an action is such as"),
        (" draw", "an action is such as"),
    ] {
        assert!(why(text).contains(hint), "{text:?}: {}", why(text));
    }
}

#[test]
fn reading_never_panics() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let pieces = [
        "place",
        "cannon",
        "heading",
        "parlay",
        "plunder",
        "discard",
        "give",
        "steal",
        "flag:",
        "+",
        " ",
        " ",
        " ",
        ",",
        "cr",
        "cc",
        "n",
        "n3",
        "0",
        "-",
        "99999999999",
        "ä",
        "\u{1f3f4}",
        "e",
        "?",
        "\0",
    ];
    for _ in 0..20_000 {
        let text: String = (0..rng.random_range(0..8)).map(|_| pieces[rng.random_range(0..pieces.len())]).collect();
        if let Ok(action) = text.parse::<Action>() {
            assert_eq!(action.to_string().parse(), Ok(action), "{text:?}");
        }
    }
}

#[test]
fn the_picture_shows_the_chart_the_hands_and_the_piles() {
    let mut table = Table::dealt("cr", &["ko ko ko ko", "aw parlay ko ko"]);
    table.lays("cc 0,0 n; cr -1,0 w; cr 1,0 e; cr 0,-1 s").lays("go 0,1 n; aw 2,1 n");
    table.does("draw").draws("cannon plunder");
    let picture = table.game().view(seat(1)).to_string();
    let expected = "\
Turn 4 of 200, seat 1: play the first of two cards

     -3  -2  -1   0   1   2   3
   3  .   .   .   .   .   .   .

   2  .   .   .   o   .   w   .
                  |       |
   1  .   .   .   g1  .   a   .

   0  .   r - c  (c)  c - r   .

  -1  .   .   .   c   .   .   .
                  |
  -2  .   .   .   r   .   .   .

  -3  .   .   .   .   .   .   .

  seat 0  Condent (shown) doubloons 1 of 3  4 cards
> seat 1  Rackham         doubloons 0 of 3  aw ko ko cannon parlay plunder

Pile: 1264 cards. Discard: nothing.
";
    assert_eq!(picture, expected);
    let coloured = format!("{:#}", table.game().view(seat(1)));
    assert_ne!(coloured, picture);
    assert_eq!(strip(&coloured), picture);
    table.does("parlay 0 n1; accept; give ko");
    assert!(
        table
            .game()
            .view(seat(0))
            .to_string()
            .contains("seat 1 offers seat 0 a trade of 1; agreed with seat 0: 1 each; seat 0 gives ko")
    );
    let all = table.game().view(Viewer::Everything).to_string();
    assert!(all.contains("in the pile: 39 cc"));
}

#[test]
fn every_field_of_the_view_and_every_option_is_described() {
    fn look(schema: &serde_json::Value, fields: &mut u32) {
        if let Some(properties) = schema.get("properties").and_then(serde_json::Value::as_object) {
            for (name, field) in properties {
                assert!(field.get("description").is_some(), "{name}");
                *fields += 1;
            }
        }
        let parts = schema.get("$defs").and_then(serde_json::Value::as_object);
        // How an outcome looks is the same for all games.
        for (_, part) in parts.into_iter().flatten().filter(|(name, _)| *name != "OutcomeJson") {
            look(part, fields);
        }
    }
    let mut fields = 0;
    look(&schemars::schema_for!(super::super::View).to_value(), &mut fields);
    look(&schemars::schema_for!(super::super::Options).to_value(), &mut fields);
    assert!(fields > 50, "{fields}");
}
