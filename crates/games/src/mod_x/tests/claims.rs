//! Overlooked patterns: scoring by claim.

use quincunx_core::{Turn, Viewer};
use serde_json::json;

use super::*;

fn manual() -> Value {
    json!({"claims": "manual"})
}

fn touches(game: &ModX, seat: u8) -> Vec<String> {
    after('!', &texts(game, seat))
}

#[test]
fn after_placing_the_mover_stays_on_turn_and_done_ends_the_turn() {
    let mut game = drawn(3, &manual(), 1, "*");
    assert!(!texts(&game, 1).contains(&"done".to_owned()), "not before placing");
    assert!(by(&mut game, 1, "done").is_err());
    play(&mut game, &["c3"]);
    assert_eq!(game.turn(), Turn::Seat(Seat::new(1)));
    assert_eq!(texts(&game, 1), ["done"], "needed in any case");
    assert!(by(&mut game, 1, "c4").is_err(), "one piece a turn");
    play(&mut game, &["done"]);
    assert_eq!(game.turn(), Turn::Seat(Seat::new(2)));
}

#[test]
fn nothing_is_scored_without_a_claim() {
    let mut game = drawn(2, &manual(), 0, "R R . R R");
    play(&mut game, &["c1"]);
    assert_eq!((scores(&game), game.pieces[0].count()), (vec![0, 0], 5));
    play(&mut game, &["done", "h8"]);
    assert_eq!((scores(&game), game.pieces[0].count()), (vec![0, 0], 5));
}

#[test]
fn touching_a_piece_scores_every_complete_placement_of_its_colour_that_contains_it() {
    // c1 belongs to the FIVE a1 .. e1 and to the column c1 .. c5; b1 only to the FIVE.
    let picture = "
        . . R . .
        . . R . .
        . . R . .
        . . R . .
        R R . R R";
    let mut game = drawn(2, &manual(), 0, picture);
    play(&mut game, &["c1"]);
    let mut both = game.clone();
    play(&mut both, &["!c1"]);
    assert_eq!(scores(&both), [9, 0]);
    assert_eq!(texts(&both, 0), ["done"]);
    play(&mut game, &["!b1"]);
    assert_eq!(names(game.tops[0]), ["a1", "b1", "c1", "d1", "e1"]);
    assert_eq!(texts(&game, 0), ["done"], "the column has lost its c1");
}

#[test]
fn the_mover_may_claim_as_long_as_something_is_complete() {
    let mut game = drawn(
        2,
        &manual(),
        0,
        "
        R R R R R
        . . . . .
        R R . R R",
    );
    play(&mut game, &["c1", "!e1"]);
    assert_eq!((game.turn(), scores(&game)), (Turn::Seat(Seat::new(0)), vec![5, 0]));
    assert_eq!(touches(&game, 0), ["a3", "b3", "c3", "d3", "e3"]);
    play(&mut game, &["!a3"]);
    assert_eq!(scores(&game), [10, 0]);
    assert_eq!(texts(&game, 0), ["done"]);
}

#[test]
fn only_the_mover_can_claim_before_done() {
    let mut game = drawn(3, &manual(), 0, "R R . R R");
    play(&mut game, &["c1"]);
    assert!(texts(&game, 1).is_empty() && texts(&game, 2).is_empty());
    let before = game.clone();
    assert_eq!(by(&mut game, 1, "!c1"), Err("it is the turn of seat 0".to_owned()));
    assert_eq!(game, before);
}

#[test]
fn touching_a_joker_counts_all_complete_placements_through_it_of_every_colour() {
    let picture = "
        . . B . .
        . . B . .
        . . B . .
        . . B . .
        R R * R .";
    let mut game = drawn(3, &manual(), 0, picture);
    play(&mut game, &["e1"]);
    let mut all = game.clone();
    play(&mut all, &["!c1"]);
    assert_eq!(names(all.tops[0]), ["a1", "b1", "d1", "e1", "c2", "c3", "c4", "c5"]);
    assert_eq!((all.supply[0], all.supply[1]), (15, 15), "X-pieces go back to their owners");
    assert_eq!((all.markers[0], all.markers[1]), (10, 18), "the markers are the claimant's");
    assert_conserved(&all);

    play(&mut game, &["!a1"]);
    assert_eq!(names(game.tops[0]), ["a1", "b1", "d1", "e1"], "an X-piece claims for its own colour only");
    assert_eq!(game.pieces[1].count(), 4);
}

#[test]
fn the_mover_may_claim_a_pattern_of_another_colour() {
    let mut game = drawn(2, &manual(), 0, "B B B B B");
    play(&mut game, &["h8", "!b1"]);
    assert_eq!((scores(&game), game.supply[1], game.markers[0]), (vec![5, 0], 15, 13));
}

#[test]
fn after_done_any_other_seat_may_claim_out_of_turn_but_not_the_one_that_said_done() {
    let mut game = drawn(4, &manual(), 0, "R R . R R");
    play(&mut game, &["c1", "done"]);
    let five = ["a1", "b1", "c1", "d1", "e1"];
    assert!(touches(&game, 0).is_empty());
    assert_eq!(by(&mut game, 0, "!c1"), Err("seat 0 has just said done: the others may claim now".to_owned()));
    for seat in 1..4 {
        assert_eq!(touches(&game, seat), five);
    }
    assert_eq!(texts(&game, 3).len(), 5, "a touch is all that a seat out of turn may do");
    assert_eq!(by(&mut game, 3, "c3"), Err("it is the turn of seat 1".to_owned()));
    by(&mut game, 3, "!c1").unwrap();
    assert_eq!(scores(&game), [0, 0, 0, 5]);
    assert_eq!((game.supply[0], game.markers[3], game.markers[0]), (15, 13, 18));
    assert_eq!(game.turn(), Turn::Seat(Seat::new(1)), "play goes on where it was");
    assert_eq!(texts(&game, 1).len(), usize::from(game.free().count()));
}

#[test]
fn a_partner_of_the_one_who_said_done_may_claim() {
    let mut game = drawn(4, &json!({"claims": "manual", "teams": true, "target": 5}), 0, "R R . R R");
    play(&mut game, &["c1", "done"]);
    by(&mut game, 2, "!a1").unwrap();
    assert_eq!(scores(&game), [0, 0, 5, 0]);
    assert_eq!(result(&game), Some((vec![0, 2], "points")));
}

#[test]
fn the_next_player_may_claim_first_and_then_place() {
    let mut game = drawn(2, &manual(), 0, "R R . R R");
    play(&mut game, &["c1", "done"]);
    let legal = texts(&game, 1);
    assert_eq!(legal.len(), 64 - 5 + 5);
    play(&mut game, &["!d1"]);
    assert_eq!((scores(&game), game.turn()), (vec![0, 5], Turn::Seat(Seat::new(1))));
    assert!(!texts(&game, 1).contains(&"done".to_owned()), "a piece is still to be placed");
    play(&mut game, &["a1", "done"]);
    assert_eq!(game.turn(), Turn::Seat(Seat::new(0)));
}

#[test]
fn placing_a_piece_closes_the_time_for_others_and_a_pattern_nobody_claims_can_be_claimed_later() {
    let mut game = drawn(3, &manual(), 0, "R R . R R");
    play(&mut game, &["c1", "done", "h8"]);
    assert!(touches(&game, 0).is_empty() && touches(&game, 2).is_empty());
    assert_eq!(touches(&game, 1).len(), 5, "by the mover of a later turn");
    play(&mut game, &["done"]);
    assert!(touches(&game, 1).is_empty());
    assert_eq!(touches(&game, 0).len(), 5, "or after it, also by the one who first overlooked it");
    assert_eq!(touches(&game, 2).len(), 5);
}

#[test]
fn while_the_claimant_puts_jokers_back_it_is_his_turn_and_nobody_else_has_an_action() {
    let mut game = drawn(
        4,
        &manual(),
        0,
        "
        B B B B B
        R * . R R",
    );
    play(&mut game, &["c1", "done"]);
    by(&mut game, 2, "!b1").unwrap();
    assert_eq!(game.turn(), Turn::Seat(Seat::new(2)));
    for seat in [0, 1, 3] {
        assert!(texts(&game, seat).is_empty());
    }
    assert!(texts(&game, 2).iter().all(|text| text.starts_with('*')));
    assert_eq!(by(&mut game, 3, "!a2"), Err("it is the turn of seat 2".to_owned()));
    assert!(by(&mut game, 2, "!a2").is_err());
    play(&mut game, &["*h8"]);
    assert_eq!(game.turn(), Turn::Seat(Seat::new(1)));
    assert_eq!(touches(&game, 3).len(), 5, "other claims are open again");
    by(&mut game, 3, "!a2").unwrap();
    assert_eq!(scores(&game), [0, 0, 4, 5]);
    play(&mut game, &["b1", "done"]);
    assert_eq!(game.turn(), Turn::Seat(Seat::new(2)));
}

#[test]
fn the_mover_who_claims_puts_jokers_back_and_goes_on_with_his_claims() {
    let mut game = drawn(2, &manual(), 0, "R * . R R");
    play(&mut game, &["c1", "!a1", "*h8"]);
    assert_eq!((game.turn(), texts(&game, 0)), (Turn::Seat(Seat::new(0)), vec!["done".to_owned()]));
}

#[test]
fn a_claimant_who_reaches_the_target_wins_at_once() {
    let mut game = drawn(3, &json!({"claims": "manual", "target": 4}), 0, "R * . R R");
    play(&mut game, &["c1", "done"]);
    by(&mut game, 2, "!a1").unwrap();
    assert_eq!(result(&game), Some((vec![2], "points")));
}

#[test]
fn a_claimant_without_markers_ends_the_game_at_once_before_any_joker_is_put_back() {
    let mut game = drawn(
        3,
        &json!({"claims": "manual", "markers": 5}),
        0,
        "
        .o .b .b
        R * . R R",
    );
    play(&mut game, &["c1", "done"]);
    by(&mut game, 2, "!a1").unwrap();
    assert_eq!((game.markers[2], result(&game)), (0, Some((vec![2], "out-of-markers"))));
    assert!(by(&mut game, 2, "*h8").is_err());

    let mut mover = drawn(3, &json!({"claims": "manual", "markers": 5}), 0, "R R . R R");
    play(&mut mover, &["c1", "!a1"]);
    assert_eq!(result(&mover), Some((vec![0], "out-of-markers")), "the mover too, before any done");
}

#[test]
fn running_out_of_x_pieces_is_tested_at_done_even_if_something_could_still_be_claimed() {
    let five = "R R . R R";
    let mut game = drawn(2, &json!({"claims": "manual", "pieces": 5}), 0, five);
    play(&mut game, &["c1"]);
    assert_eq!((game.supply[0], result(&game)), (0, None));
    let mut claimed = game.clone();
    play(&mut game, &["done"]);
    assert_eq!(result(&game), Some((vec![], "out-of-pieces")));
    assert!(texts(&game, 1).is_empty());
    play(&mut claimed, &["!a1", "done"]);
    assert_eq!(result(&claimed), None, "a claim in time brings them back");
}

#[test]
fn a_full_board_is_tested_at_done_even_if_something_could_still_be_claimed() {
    let full = "
        R R B B R R B .
        B B R R B B O O
        R R B B O O B B
        B B O O B B R R
        B O R B B O R B
        B B R R B B R R
        R R B B R R B B
        R R R R R * * *";
    let mut game = drawn(3, &json!({"claims": "manual", "pieces": 30}), 1, full);
    play(&mut game, &["h8"]);
    assert_eq!(result(&game), None);
    assert!(touches(&game, 1).contains(&"a1".to_owned()));
    let mut claimed = game.clone();
    play(&mut game, &["done"]);
    assert_eq!(result(&game).unwrap().1, "board-full");
    play(&mut claimed, &["!a1"]);
    while claimed.turn() == Turn::Seat(Seat::new(1)) {
        let next = texts(&claimed, 1).pop().unwrap();
        play(&mut claimed, &[&next]);
    }
    assert_eq!(result(&claimed), None);
}

#[test]
fn a_jokers_old_square_may_not_complete_a_placement_either() {
    // Touching a red piece lifts the joker on c1, which is also part of the column of black.
    let mut game = drawn(
        2,
        &manual(),
        0,
        "
        . . B . .
        . . B . .
        . . B . .
        . . B . .
        R R * R .",
    );
    play(&mut game, &["e1", "!a1"]);
    assert!(!texts(&game, 0).contains(&"*c1".to_owned()));
    assert!(by(&mut game, 0, "*c1").is_err());
    assert!(!texts(&game, 0).contains(&"*c6".to_owned()));
    play(&mut game, &["*b1"]);
}

#[test]
fn a_joker_may_be_put_where_it_only_stands_beside_an_unclaimed_pattern() {
    let mut game = drawn(
        2,
        &manual(),
        0,
        "
        B B B B B . .
        . . . . . . .
        R R * R .",
    );
    play(&mut game, &["e1", "!a1"]);
    assert!(texts(&game, 0).contains(&"*a2".to_owned()));
    assert!(!texts(&game, 0).contains(&"*f3".to_owned()), "b3 .. f3 would be completed");
}

#[test]
fn a_touch_that_completes_nothing_is_refused_and_changes_nothing() {
    let mut game = drawn(2, &manual(), 0, "R R . R R * B");
    let before = game.clone();
    for (square, why) in [
        ("!a1", "the piece on a1 is in no complete pattern"),
        ("!f1", "the piece on f1 is in no complete pattern"),
        ("!c1", "there is no piece on c1 to touch"),
    ] {
        assert_eq!(by(&mut game, 0, square), Err(why.to_owned()));
    }
    assert_eq!(game, before);
    play(&mut game, &["c1"]);
    let before = game.clone();
    assert!(by(&mut game, 0, "!g1").is_err());
    assert_eq!(game, before);
    // Five in a row and the joker make six: the joker can be touched too.
    assert_eq!(touches(&game, 0), ["a1", "b1", "c1", "d1", "e1", "f1"]);
}

#[test]
fn there_are_no_touches_and_no_done_if_patterns_are_scored_without_claims() {
    let mut game = drawn(2, &json!({}), 0, "R R R R R");
    assert_eq!(by(&mut game, 0, "!a1"), Err("patterns are scored without a claim at this table".to_owned()));
    assert_eq!(by(&mut game, 0, "done"), Err("a turn ends by itself at this table".to_owned()));
    assert_eq!(by(&mut game, 1, "!a1"), Err("it is the turn of seat 0".to_owned()));
}

#[test]
fn there_are_no_claims_by_seats_that_are_not_at_the_table() {
    let mut game = drawn(2, &manual(), 0, "R R R R R");
    assert!(texts(&game, 3).is_empty());
    assert_eq!(by(&mut game, 3, "!a1"), Err("there is no seat 3 at this table".to_owned()));
}

#[test]
fn the_view_tells_whose_time_to_claim_it_is_but_not_what_there_is_to_claim() {
    let may_claim = |game: &ModX| game.view(Viewer::Spectator).may_claim;
    let mut game = drawn(3, &manual(), 1, "*");
    assert_eq!(may_claim(&game), [0, 1, 2], "nobody has said done before the first turn");
    play(&mut game, &["c3"]);
    assert_eq!(may_claim(&game), [1]);
    play(&mut game, &["done"]);
    assert_eq!(may_claim(&game), [0, 2]);
    assert!(may_claim(&drawn(3, &json!({}), 1, "R R R R R")).is_empty());
}
