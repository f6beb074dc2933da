//! How a game ends.

use quincunx_core::Turn;

use super::*;

const TWO_LINES: &str = "
    n n n n n
    g g g g g
    y y y y y
    b b b b r
    r r r r b";

/// Seat 0, with these points, makes two lines worth 10.
fn ten_more(seats: u8, options: &Value, points: [u16; 4]) -> Figures {
    let mut game = drawn(seats, options, TWO_LINES);
    game.points = points;
    play(&mut game, "+r +b e1e2");
    game
}

#[test]
fn sixty_one_points_win_at_once_before_anything_is_returned() {
    assert_eq!(result(&ten_more(2, &json!({}), [50, 60, 0, 0])), None);
    let game = ten_more(2, &json!({}), [51, 60, 0, 0]);
    assert_eq!((result(&game), game.turn()), (Some((vec![0], "points")), Turn::Over));
    assert_eq!(scores(&game), [61, 60]);
    assert!(texts(&game, 0).is_empty());
    assert_eq!(game.hand().count(), 2);
}

#[test]
fn a_lead_of_11_or_more_is_a_double_victory() {
    assert_eq!(result(&ten_more(2, &json!({}), [51, 51, 0, 0])), Some((vec![0], "points")), "61 to 51");
    assert_eq!(result(&ten_more(2, &json!({}), [51, 50, 0, 0])), Some((vec![0], "double-victory")), "61 to 50");
    assert_eq!(result(&ten_more(2, &json!({}), [60, 59, 0, 0])), Some((vec![0], "double-victory")), "70 to 59");
    assert_eq!(result(&ten_more(2, &json!({"target": 10}), [0, 0, 0, 0])), Some((vec![0], "points")), "10 to 0");
}

#[test]
fn target_and_lead_count_a_team_together() {
    let game = ten_more(4, &json!({}), [20, 30, 31, 30]);
    assert_eq!((scores(&game), result(&game)), (vec![30, 30, 31, 30], Some((vec![0, 2], "points"))));
    assert_eq!(result(&ten_more(4, &json!({}), [20, 30, 31, 20])), Some((vec![0, 2], "double-victory")));
    assert_eq!(result(&ten_more(4, &json!({}), [20, 30, 30, 20])), None);
}

#[test]
fn the_turn_limit_ends_the_game_after_the_last_return_and_more_points_win() {
    let mut game = drawn(2, &json!({"turn_limit": 2}), TWO_LINES);
    play(&mut game, "+r +b e1e2 -r +y +g");
    let exchange = texts(&game, 1)[0].clone();
    play(&mut game, &exchange);
    assert_eq!(result(&game), None, "not before the return");
    let back = texts(&game, 1)[0].clone();
    play(&mut game, &back);
    assert_eq!(result(&game), Some((vec![0], "turn-limit")));
    assert_eq!(game.turn(), Turn::Over);
}

#[test]
fn equal_points_at_the_turn_limit_are_a_draw() {
    let mut game = drawn(2, &json!({"turn_limit": 1}), TWO_LINES);
    play(&mut game, "+r +b a1a2 -r");
    assert_eq!(result(&game), Some((vec![], "turn-limit")));
}

#[test]
fn at_the_turn_limit_a_team_counts_together() {
    let limit = |points| {
        let mut game = drawn(4, &json!({"turn_limit": 1}), TWO_LINES);
        game.points = points;
        play(&mut game, "+r +b a1a2 -r");
        result(&game).unwrap()
    };
    assert_eq!(limit([9, 5, 0, 5]), (vec![1, 3], "turn-limit"));
    assert_eq!(limit([9, 5, 1, 5]), (vec![], "turn-limit"));
    assert_eq!(limit([9, 5, 2, 5]), (vec![0, 2], "turn-limit"));
}

#[test]
fn a_win_on_the_last_turn_is_a_win_by_points() {
    assert_eq!(result(&ten_more(2, &json!({"turn_limit": 1, "target": 10}), [0; 4])), Some((vec![0], "points")));
}
