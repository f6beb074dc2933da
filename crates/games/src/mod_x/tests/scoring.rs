//! Scoring without claims: patterns, unions, markers, points.

use serde_json::json;

use super::*;

fn marked(game: &ModX, seat: usize) -> Vec<String> {
    names(game.tops[seat])
}

#[test]
fn an_x_is_a_square_and_its_four_diagonal_neighbours() {
    let mut game = drawn(
        2,
        &json!({}),
        0,
        "
        R . R
        . . .
        R . R",
    );
    play(&mut game, &["b2"]);
    assert_eq!(marked(&game, 0), ["a1", "c1", "b2", "a3", "c3"]);
    assert_eq!(scores(&game), [5, 0]);
    assert!(game.pieces[0].is_empty());
    assert_eq!((game.supply[0], game.markers[0]), (15, 13), "the X-pieces return, markers take their place");
    assert_conserved(&game);
}

#[test]
fn a_plus_is_a_square_and_its_four_orthogonal_neighbours() {
    let mut game = drawn(
        2,
        &json!({}),
        1,
        "
        . B .
        B B .
        . B .",
    );
    play(&mut game, &["c2"]);
    assert_eq!(marked(&game, 1), ["b1", "a2", "b2", "c2", "b3"]);
}

#[test]
fn a_five_is_five_in_a_straight_line_across_up_or_along_either_diagonal() {
    for (five, last) in [
        (["a1", "b1", "c1", "d1", "e1"], 4),
        (["d4", "e4", "f4", "g4", "h4"], 2),
        (["h4", "h5", "h6", "h7", "h8"], 0),
        (["d1", "e2", "f3", "g4", "h5"], 1),
        (["a8", "b7", "c6", "d5", "e4"], 3),
    ] {
        let mut game = drawn(2, &json!({}), 0, "");
        for (_, name) in five.iter().enumerate().filter(|&(at, _)| at != last) {
            draw(&mut game, name.parse().unwrap(), 'R');
        }
        play(&mut game, &[five[last]]);
        let mut expected = five;
        expected.sort_by_key(|name| name.parse::<Square>().unwrap());
        assert_eq!(marked(&game, 0), expected);
    }
}

#[test]
fn a_line_does_not_go_on_around_the_edge() {
    let mut game = drawn(
        2,
        &json!({}),
        0,
        "
        R R . . . . . .
        . . . . . R R .",
    );
    play(&mut game, &["h1"]);
    assert_eq!(scores(&game), [0, 0]);
    let mut game = drawn(
        2,
        &json!({}),
        0,
        "
        R . . . . . . .
        . . . . . . . R
        R . . . . . . R",
    );
    play(&mut game, &["h3"]);
    assert_eq!(scores(&game), [0, 0]);
}

#[test]
fn four_in_a_row_or_five_of_two_colours_score_nothing() {
    let mut game = drawn(2, &json!({}), 0, "R R . R B");
    play(&mut game, &["c1"]);
    assert_eq!(scores(&game), [0, 0]);
    assert_eq!(game.pieces[0].count(), 4);
}

#[test]
fn six_in_a_row_is_two_overlapping_fives_and_all_six_squares_score() {
    let mut game = drawn(2, &json!({}), 0, "R R R . R R");
    play(&mut game, &["d1"]);
    assert_eq!(scores(&game), [6, 0]);
    assert_eq!((game.supply[0], game.markers[0]), (15, 12));
}

#[test]
fn all_placements_completed_by_one_piece_are_scored_together() {
    let mut game = drawn(
        2,
        &json!({}),
        0,
        "
        R . R . .
        . . . . .
        R . . R R
        . . . . .
        . . . . .",
    );
    // c3 is a corner of the X around b4 and part of the FIVE a3 .. e3.
    draw(&mut game, "b4".parse().unwrap(), 'R');
    draw(&mut game, "b3".parse().unwrap(), 'R');
    play(&mut game, &["c3"]);
    assert_eq!(marked(&game, 0), ["a3", "b3", "c3", "d3", "e3", "b4", "a5", "c5"]);
    assert_eq!(game.markers[0], 10);
}

#[test]
fn a_marker_is_put_on_top_of_what_lies_there_and_takes_the_point() {
    let mut game = drawn(2, &json!({}), 0, "Rb R .b R Rr");
    assert_eq!(scores(&game), [1, 2]);
    play(&mut game, &["c1"]);
    assert_eq!(scores(&game), [5, 0]);
    assert_eq!(game.heights[..5], [2, 1, 2, 1, 2]);
    assert_eq!(game.markers[0], 17 - 5, "also where the top marker is already the mover's, though no point is gained");
    assert_conserved(&game);
}

#[test]
fn a_joker_stands_for_any_colour_is_lifted_and_leaves_no_marker() {
    let mut game = drawn(2, &json!({}), 1, "B * . * B");
    play(&mut game, &["c1"]);
    assert_eq!(marked(&game, 1), ["a1", "c1", "e1"]);
    assert!(game.jokers.is_empty());
    assert_eq!(game.view(quincunx_core::Viewer::Spectator).jokers_in_hand, 2);
}

#[test]
fn a_marker_under_a_joker_stays_as_it_is() {
    let mut game = drawn(2, &json!({}), 1, "B *r . B B");
    play(&mut game, &["c1"]);
    assert_eq!(scores(&game), [1, 4]);
}

#[test]
fn only_the_movers_colour_is_scored() {
    // Not reachable without manual claims, but nothing would happen to it.
    let mut game = drawn(
        2,
        &json!({}),
        0,
        "
        B B B B B
        R R . R R",
    );
    play(&mut game, &["c1"]);
    assert_eq!(scores(&game), [5, 0]);
    assert_eq!(game.pieces[1].count(), 5);
}

#[test]
fn if_the_markers_do_not_suffice_others_tops_come_first_then_bare_squares_then_own_each_in_board_order() {
    let pattern = "
        R  . . . .
        .  R . . .
        .  . . . .
        .  . . R .
        .  . . . R
        Rr R . R Rb";
    // c1 completes a1 .. e1. The four red pieces above are in no complete pattern and stay.
    for (markers, expected) in [
        (1, vec!["e1"]),
        (2, vec!["b1", "e1"]),
        (3, vec!["b1", "c1", "e1"]),
        (4, vec!["b1", "c1", "d1", "e1"]),
        (5, vec!["a1", "b1", "c1", "d1", "e1"]),
    ] {
        let mut game = drawn(2, &json!({"target": 64}), 0, pattern);
        game.markers[0] = markers;
        let before = game.clone();
        play(&mut game, &["c1"]);
        let grown: Vec<_> =
            Square::all().filter(|square| game.heights[square.index()] > before.heights[square.index()]).collect();
        assert_eq!(grown.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
        assert_eq!(game.markers[0], 0);
        assert_eq!(game.pieces[0].count(), 4, "all X-pieces of the union go back all the same");
        assert_eq!(game.supply[0], before.supply[0] + 4);
        assert_eq!(result(&game).map(|(_, reason)| reason), Some("out-of-markers"));
    }
}

#[test]
fn a_partners_top_marker_counts_as_another_players_when_markers_run_short() {
    let mut game = drawn(4, &json!({"teams": true, "target": 64}), 0, "R R . Ro R");
    game.markers[0] = 1;
    play(&mut game, &["c1"]);
    assert_eq!(marked(&game, 0), ["d1"]);
    assert_eq!(scores(&game), [1, 0, 0, 0]);
}

#[test]
fn a_team_adds_its_points_up_and_colours_of_partners_do_not_mix() {
    let mut game = drawn(
        4,
        &json!({"teams": true}),
        0,
        "
        .o .o .o .o .o .o .o
        R  R  .  R  O",
    );
    play(&mut game, &["c1"]);
    assert_eq!((scores(&game), result(&game)), (vec![0, 0, 7, 0], None));

    let mut game = drawn(
        4,
        &json!({"teams": true}),
        0,
        "
        .o .o .o .o .o .o .o
        R  R  .  R  R",
    );
    play(&mut game, &["c1"]);
    assert_eq!(scores(&game), [5, 0, 7, 0], "each seat has its own points");
    assert_eq!(result(&game), Some((vec![0, 2], "points")), "and both partners win");
}

#[test]
fn points_are_squares_with_the_own_marker_on_top_whatever_piece_stands_on_them() {
    let game = drawn(4, &json!({}), 0, "Rb Bb *b .b Or Yy .");
    assert_eq!(scores(&game), [1, 4, 0, 1]);
}
