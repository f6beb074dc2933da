//! Cannon and New Heading.

use super::{FILL, Table, two};

#[test]
fn a_cannon_destroys_an_uncovered_card_and_both_go_to_the_discard_pile() {
    let mut table = two();
    table.turn("cr cannon", "place cr 0,0 e; cannon 0,0");
    assert_eq!(table.discard(), "cr cannon");
    assert_eq!(table.everything()["chart"].as_array().unwrap().len(), 0);
}

#[test]
fn a_card_is_named_by_its_lower_square_smaller_y_then_smaller_x() {
    for (placed, lower, upper) in [("e", "0,0", "1,0"), ("w", "-1,0", "0,0"), ("n", "0,0", "0,1"), ("s", "0,-1", "0,0")]
    {
        let mut table = two();
        table.turn("cr cannon", &format!("place cr 0,0 {placed}"));
        assert_eq!(table.legal_with("cannon"), [format!("cannon {lower}")]);
        let refused = table.refuses(&format!("cannon {upper}"));
        assert!(refused.contains(&format!("named by its lower square {lower}")), "{refused}");
    }
}

#[test]
fn a_covered_card_and_a_bare_square_cannot_be_hit() {
    let mut table = two();
    table.turn("cr cg", "place cr 0,0 e; place cg 0,0 w");
    table.does("draw").draws("cannon cannon");
    assert_eq!(table.legal_with("cannon"), ["cannon -1,0"]);
    assert!(table.refuses("cannon 1,0").contains("the card on 1,0 is covered"));
    assert!(table.refuses("cannon 5,0").contains("no card lies on 5,0"));
    assert!(table.refuses("cannon 2147483647,-2147483648").contains("no card lies on"));
}

#[test]
fn what_lay_below_a_destroyed_card_shows_and_can_be_hit_again() {
    let mut table = two();
    table.turn("cr cg", "place cr 0,0 e; place cg 0,0 w");
    table.turn("cannon cannon", "cannon -1,0");
    assert_eq!(table.legal_with("cannon"), ["cannon 0,0"]);
    table.does("cannon 0,0");
    assert_eq!(table.discard(), "cr cg 2*cannon");
}

#[test]
fn a_new_heading_takes_the_card_into_the_hand_and_lays_another_one_on_the_same_squares() {
    let mut table = two();
    table.turn("aw cr", "place aw 0,0 e; place cr 0,1 n");
    table.turn("heading wg", "heading 0,0 wg w");
    assert_eq!(table.hand(1), "aw ko ko ko ko");
    assert_eq!(table.discard(), "heading");
    let halves = &table.everything()["chart"][0]["halves"];
    assert_eq!((&halves[0]["icon"], &halves[0]["x"]), (&"w".into(), &1.into()));
    assert_eq!((&halves[1]["icon"], &halves[1]["x"]), (&"g".into(), &0.into()));
}

#[test]
fn the_first_icon_lies_on_the_lower_square_for_n_and_e_and_on_the_upper_one_for_s_and_w() {
    for (laid, heading, x, y) in
        [("e", "e", 0, 0), ("w", "e", -1, 0), ("e", "w", 1, 0), ("s", "s", 0, 0), ("s", "n", 0, -1)]
    {
        let mut table = two();
        table.turn("aw cr", &format!("place aw 0,0 {laid}; place cr 1,1 n"));
        let lower = match laid {
            "w" => "-1,0",
            "s" => "0,-1",
            _ => "0,0",
        };
        table.turn("heading wg", &format!("heading {lower} wg {heading}"));
        let view = table.everything();
        let new = view["chart"].as_array().unwrap().iter().find(|card| card["card"] == "wg").unwrap();
        assert_eq!((&new["halves"][0]["x"], &new["halves"][0]["y"]), (&x.into(), &y.into()), "{laid} {heading}");
    }
}

#[test]
fn no_covering_rule_applies_to_a_new_heading() {
    let mut table = two();
    table.turn("ak ak", "place ak 0,0 e; place ak 0,0 e");
    assert!(table.does("draw").draws("heading rw").refuses("place rw 0,0 e").contains("cannot lie on"));
    table.does("heading 0,0 rw e");
    let view = table.everything();
    assert_eq!(view["chart"][1]["card"], "rw");
    assert_eq!(view["chart"][1]["halves"][0]["level"], 1);
}

#[test]
fn a_new_heading_lies_along_the_card_that_is_taken() {
    let mut table = two();
    table.turn("aw cr", "place aw 0,0 e; place cr 0,1 n");
    table.does("draw").draws("heading cc");
    assert!(table.refuses("heading 0,0 ko n").contains("lies along e and w"));
    assert!(table.refuses("heading 0,1 ko e").contains("lies along n and s"));
    let all = [
        "heading 0,0 cc e",
        "heading 0,0 ko e",
        "heading 0,0 ko w",
        "heading 0,1 cc n",
        "heading 0,1 ko n",
        "heading 0,1 ko s",
    ];
    assert_eq!(table.legal_with("heading"), all);
    assert!(table.refuses("heading 0,0 cc w").contains("is written with n or e"));
}

#[test]
fn the_card_just_taken_cannot_be_the_one_laid_but_a_second_copy_can() {
    let mut table = two();
    table.turn("aw cr", "place aw 0,0 e; place cr 0,1 n");
    table.does("draw").draws("heading cr");
    assert!(table.refuses("heading 0,0 aw w").contains("there is no aw in your hand"));
    table.does("heading 0,1 cr s");
    assert_eq!(table.hand(1), "cr ko ko ko ko");
}

#[test]
fn a_new_heading_needs_a_tile_card_in_the_hand_and_a_card_to_take() {
    let mut table = Table::dealt("cr", &["heading heading heading heading", FILL]);
    table.does("draw").draws("heading heading");
    assert_eq!(table.legal(), ["pass", "scuttle"]);
    let mut table = Table::dealt("cr", &["heading heading heading heading", FILL]);
    table.does("draw").draws("heading cr");
    assert!(table.legal_with("heading").is_empty());
    assert!(table.refuses("heading 0,0 cr n").contains("no card lies on 0,0"));
    table.does("place cr 0,0 e");
    assert_eq!(table.legal(), ["pass"]);
}

/// An X of seat 0 around 0,0; it is seat 0's turn.
fn with_doubloon() -> Table {
    let mut table = two();
    table.turn("cc cr", "place cc 0,0 n; place cr -1,0 w");
    table.turn("cr cr", "place cr 1,0 e; place cr 0,-1 s");
    assert_eq!(table.doubloons(), [(0, 0, 0)]);
    table
}

#[test]
fn a_card_topmost_on_a_spent_square_can_be_neither_destroyed_nor_removed() {
    let mut table = with_doubloon();
    table.does("draw").draws("cannon heading");
    assert!(table.refuses("cannon 0,0").contains("a doubloon lies on it"));
    assert!(table.refuses("cannon 0,1").contains("a doubloon lies on it"));
    assert!(table.refuses("heading 0,0 ko n").contains("a doubloon lies on it"));
    assert_eq!(table.legal_with("cannon"), ["cannon -2,0", "cannon 0,-2", "cannon 1,0"]);
    let taken: Vec<String> = table.legal_with("heading").iter().map(|text| text[8..12].to_owned()).collect();
    assert!(taken.iter().all(|square| square != "0,0 "));
}

#[test]
fn nobody_can_cover_a_spent_square_but_the_other_half_of_its_card() {
    let mut table = with_doubloon();
    table.does("draw").draws("go cc");
    assert!(table.refuses("place go 0,0 n").contains("square 0,0 has a doubloon on it and cannot be covered"));
    assert!(table.refuses("place cc 0,0 n").contains("doubloon"));
    table.does("place go 0,1 n");
    // The card with the doubloon is covered now; it stays safe when it is uncovered again.
    table.does("place ko 0,3 n");
    table.does("draw").draws("cannon cannon").does("cannon 0,1");
    assert!(table.refuses("cannon 0,0").contains("doubloon"));
}
