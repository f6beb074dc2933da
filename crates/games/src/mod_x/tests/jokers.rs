//! Lifted jokers are put back.

use quincunx_core::{Turn, Viewer};
use serde_json::json;

use super::*;

/// Red lifts one joker from c1; four jokers stand in a row from a8.
const FOUR_JOKERS: &str = "
    * * * * . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    R R * R . . . .";

#[test]
fn the_mover_puts_each_lifted_joker_back_one_after_another() {
    let mut game = drawn(3, &json!({}), 2, "O * . * O");
    play(&mut game, &["c1"]);
    for left in [2, 1] {
        assert_eq!(game.turn(), Turn::Seat(Seat::new(2)));
        assert_eq!(game.view(Viewer::Spectator).jokers_in_hand, left);
        assert!(texts(&game, 0).is_empty() && texts(&game, 1).is_empty());
        assert!(texts(&game, 2).iter().all(|text| text.starts_with('*')));
        assert!(by(&mut game, 2, "h8").is_err() && by(&mut game, 0, "*h8").is_err());
        play(&mut game, &[["*h8", "*h7"][usize::from(2 - left)]]);
    }
    assert_eq!(game.turn(), Turn::Seat(Seat::new(0)), "the turn is over with the last joker");
    assert_conserved(&game);
}

#[test]
fn the_square_it_came_from_and_neighbouring_jokers_are_allowed() {
    let mut game = drawn(2, &json!({}), 0, "R * . * R");
    play(&mut game, &["c1"]);
    let legal = texts(&game, 0);
    assert_eq!(legal.len(), 64, "five squares were freed: every square is free");
    play(&mut game, &["*b1", "*c1"]);
    assert_eq!(names(game.jokers), ["b1", "c1"]);
}

#[test]
fn a_joker_may_not_be_put_on_a_taken_square() {
    let mut game = drawn(2, &json!({}), 0, "R * . R R . B *");
    play(&mut game, &["c1"]);
    assert_eq!(by(&mut game, 0, "*g1"), Err("square g1 is taken".to_owned()));
    assert_eq!(by(&mut game, 0, "*h1"), Err("square h1 is taken".to_owned()));
}

#[test]
fn a_joker_may_not_complete_a_placement_for_any_colour() {
    let mut game = drawn(
        3,
        &json!({}),
        0,
        "
        B  .  B  .  .  .
        .  B  .  .  .  .
        B  .  .  .  .  .
        R  R  *  .  R  .
        O  O  O  O  .  .",
    );
    play(&mut game, &["d2"]);
    // c3 would complete the X of black, e1 the FIVE of orange.
    let legal = texts(&game, 0);
    assert!(!legal.contains(&"*c3".to_owned()) && !legal.contains(&"*e1".to_owned()));
    assert_eq!(legal.len(), usize::from(game.free().count()) - 2);
    assert_eq!(by(&mut game, 0, "*c3"), Err("a joker on c3 would complete a pattern".to_owned()));
}

#[test]
fn jokers_already_back_count_for_what_the_next_one_would_complete() {
    let mut game = drawn(
        2,
        &json!({}),
        0,
        "
        B B . . B . . .
        R * . * R . . .",
    );
    play(&mut game, &["c1"]);
    assert!(texts(&game, 0).contains(&"*c2".to_owned()));
    play(&mut game, &["*d2"]);
    assert!(!texts(&game, 0).contains(&"*c2".to_owned()));
}

#[test]
fn completing_an_all_joker_pattern_wins_the_game_instantly() {
    let mut game = drawn(2, &json!({}), 0, FOUR_JOKERS);
    play(&mut game, &["e1"]);
    assert!(texts(&game, 0).contains(&"*e8".to_owned()));
    play(&mut game, &["*e8"]);
    assert_eq!(result(&game), Some((vec![0], "all-jokers")));
    assert_eq!(game.turn(), Turn::Over);
}

#[test]
fn an_all_joker_pattern_wins_for_both_partners() {
    let mut game = drawn(4, &json!({"teams": true}), 0, FOUR_JOKERS);
    play(&mut game, &["e1", "*e8"]);
    assert_eq!(result(&game), Some((vec![0, 2], "all-jokers")));
}

#[test]
fn without_joker_win_completing_an_all_joker_pattern_is_forbidden() {
    let mut game = drawn(2, &json!({"joker_win": false}), 0, FOUR_JOKERS);
    play(&mut game, &["e1"]);
    assert!(!texts(&game, 0).contains(&"*e8".to_owned()));
    assert!(by(&mut game, 0, "*e8").is_err());
}

#[test]
fn a_joker_that_would_complete_a_colours_placement_as_well_is_still_forbidden() {
    let mut game = drawn(2, &json!({}), 0, FOUR_JOKERS);
    for name in ["e4", "e5", "e6", "e7"] {
        draw(&mut game, name.parse().unwrap(), 'B');
    }
    play(&mut game, &["e1"]);
    assert!(!texts(&game, 0).contains(&"*e8".to_owned()));
    assert!(by(&mut game, 0, "*e8").is_err());
    assert!(!texts(&game, 0).contains(&"*e3".to_owned()));
}

/// With claims: the joker on c1 is lifted, and each of the five squares of row 1 would complete a FIVE of black.
const NO_ROOM: &str = "
    O O O O O O O O
    O O O O O O O O
    O O O O O O O O
    B B B B B Y Y Y
    B B B B B Y Y Y
    B B B B B Y Y Y
    B B B B B Y Y Y
    R R * R . Y Y Y";

#[test]
fn a_joker_with_no_legal_square_leaves_the_game() {
    let mut game = drawn(4, &json!({"claims": "manual", "pieces": 30}), 0, NO_ROOM);
    play(&mut game, &["e1"]);
    by(&mut game, 0, "!a1").unwrap();
    assert_eq!(scores(&game), [4, 0, 0, 0]);
    assert_eq!(names(game.free()), ["a1", "b1", "c1", "d1", "e1"]);
    assert_eq!(game.phase, Phase::Claim, "play goes on without the joker");
    assert!(game.jokers.is_empty());
    play(&mut game, &["done"]);
    assert_eq!(game.turn(), Turn::Seat(Seat::new(1)));
}

#[test]
fn if_one_joker_has_no_legal_square_the_others_in_hand_have_none_either() {
    let mut game = drawn(4, &json!({"claims": "manual", "pieces": 30}), 0, NO_ROOM);
    let here = Squares::of("b1".parse().unwrap());
    game.pieces[0] -= here;
    game.supply[0] += 1;
    game.jokers |= here;
    play(&mut game, &["e1", "!a1"]);
    assert_eq!((game.phase, game.jokers), (Phase::Claim, Squares::EMPTY));
}
