//! How a game ends.

use quincunx_core::Turn;
use serde_json::json;

use super::*;

#[test]
fn the_target_wins_at_once_before_any_joker_is_put_back() {
    let mut game = drawn(2, &json!({"target": 4}), 0, "R R . * R");
    play(&mut game, &["c1"]);
    assert_eq!(result(&game), Some((vec![0], "points")));
    assert_eq!(game.turn(), Turn::Over);
    assert!((0..4).all(|seat| texts(&game, seat).is_empty()));
    assert!(by(&mut game, 0, "*h8").is_err());
}

#[test]
fn more_than_the_target_wins_too_and_less_does_not() {
    let row = "R R . R R";
    for (target, wins) in [(4, true), (5, true), (6, false)] {
        let mut game = drawn(2, &json!({"target": target}), 0, row);
        play(&mut game, &["c1"]);
        assert_eq!(result(&game).is_some(), wins, "target {target}");
    }
}

#[test]
fn the_target_comes_before_running_out_of_markers() {
    let mut game = drawn(2, &json!({"target": 5, "markers": 5}), 0, "R R . R R");
    play(&mut game, &["c1"]);
    assert_eq!((game.markers[0], result(&game)), (0, Some((vec![0], "points"))));
}

#[test]
fn without_x_pieces_after_the_turn_the_game_ends_and_most_points_win() {
    let mut game = drawn(
        3,
        &json!({"pieces": 5}),
        1,
        "
        .r .o .o
        B . B . B . B",
    );
    play(&mut game, &["h8"]);
    assert_eq!(result(&game), Some((vec![2], "out-of-pieces")), "also if the mover is not the winner");
}

#[test]
fn a_last_x_piece_that_scores_comes_back() {
    let mut game = drawn(2, &json!({"pieces": 5}), 0, "R R . R R");
    play(&mut game, &["c1"]);
    assert_eq!((game.supply[0], result(&game)), (5, None));
}

#[test]
fn a_scorer_without_markers_ends_the_game_at_once_before_any_joker_is_put_back() {
    let mut game = drawn(
        2,
        &json!({"markers": 5}),
        1,
        "
        .b
        B B . * B",
    );
    play(&mut game, &["c1"]);
    assert_eq!((game.markers[1], result(&game)), (0, Some((vec![1], "out-of-markers"))));
    assert_eq!(game.turn(), Turn::Over);
    assert!((0..2).all(|seat| texts(&game, seat).is_empty()));
    assert!(by(&mut game, 1, "*h8").is_err());
}

#[test]
fn running_out_of_markers_comes_before_a_win_with_jokers_alone() {
    let four_jokers = "
        * * * * . . . .
        .b .b .b .b .b .r
        R R . * R";
    let mut game = drawn(2, &json!({"markers": 5}), 0, four_jokers);
    play(&mut game, &["c1"]);
    assert_eq!(result(&game), Some((vec![], "out-of-markers")), "five points each: the fifth joker has no say");
}

#[test]
fn whoever_runs_out_of_markers_may_lose_and_a_tie_for_most_is_a_draw() {
    for (black, expected) in [(4, vec![0]), (5, vec![]), (6, vec![1])] {
        let row = [".b"; 6][..black].join(" ");
        let mut game = drawn(2, &json!({"markers": 6}), 0, &format!("{row}\n.r R R . * R"));
        // One more is spent, covered since.
        game.markers[0] = 4;
        play(&mut game, &["d1"]);
        assert_eq!(result(&game), Some((expected, "out-of-markers")), "five points against {black}");
    }
}

#[test]
fn a_tie_for_most_is_a_draw_also_among_some_of_the_players() {
    let mut game = drawn(
        3,
        &json!({"pieces": 5}),
        1,
        "
        .r .o
        B . B . B . B",
    );
    play(&mut game, &["h8"]);
    assert_eq!(result(&game), Some((vec![], "out-of-pieces")));
}

#[test]
fn teams_are_compared_by_their_combined_points() {
    let mut game = drawn(
        4,
        &json!({"pieces": 5, "teams": true}),
        1,
        "
        .r .r .r .b .b .y .y
        B . B . B . B",
    );
    play(&mut game, &["h8"]);
    assert_eq!(result(&game), Some((vec![1, 3], "out-of-pieces")), "3 against 2 and 2");

    let mut game = drawn(
        4,
        &json!({"pieces": 5, "teams": true}),
        1,
        "
        .r .r .o .o .b .b .y .y
        B . B . B . B",
    );
    play(&mut game, &["h8"]);
    assert_eq!(result(&game), Some((vec![], "out-of-pieces")), "4 against 4");
}

/// No colour has five in a row, an X or a PLUS, and h8 is the last free square. (Two players cannot fill the board: one
/// of them runs out of pieces before.)
const LAST_SQUARE: &str = "
    R  R  B  B  R  R  B  .
    B  B  R  R  B  B  O  O
    R  R  B  B  O  O  B  B
    B  B  O  O  B  B  R  R
    Br Ob R  B  B  Ob R  B
    B  B  R  R  B  B  R  R
    R  R  O  O  R  R  B  B
    *  B  *  R  *  B  *  R";

#[test]
fn if_the_next_player_finds_no_free_square_the_game_ends_and_most_points_win() {
    let mut game = drawn(3, &json!({"pieces": 30}), 2, LAST_SQUARE);
    assert_eq!(names(game.free()), ["h8"]);
    play(&mut game, &["h8"]);
    assert_eq!(result(&game), Some((vec![1], "board-full")));
}

#[test]
fn a_full_board_is_tested_last() {
    let mut game = drawn(3, &json!({"pieces": 30}), 2, LAST_SQUARE);
    game.supply[2] = 1;
    play(&mut game, &["h8"]);
    assert_eq!(result(&game).unwrap().1, "out-of-pieces");
}

#[test]
fn a_pattern_on_the_last_square_frees_squares_for_the_next_player() {
    let mut game = drawn(3, &json!({"pieces": 30}), 2, LAST_SQUARE);
    for name in ["h4", "h5", "h6", "h7"] {
        let here = Squares::of(name.parse().unwrap());
        for seat in 0..2 {
            game.pieces[seat] -= here;
        }
        game.pieces[2] |= here;
    }
    play(&mut game, &["h8"]);
    assert_eq!(result(&game), None);
    assert_eq!(texts(&game, 0), ["h4", "h5", "h6", "h7", "h8"]);
}
