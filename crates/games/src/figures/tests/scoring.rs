//! Figures are scored, and what that means for the return.

use quincunx_core::Viewer;

use super::{super::Figure, *};

/// Exchanging e1 and e2 makes a line of red and one of blue.
const TWO_LINES: &str = "
    n n n n n
    g g g g g
    y y y y y
    b b b b r
    r r r r b";

/// Exchanging e1 and e2 makes a line of red only.
const ONE_LINE: &str = "
    n n n n n
    g g g g g
    b y y y y
    y b b b r
    r r r r b";

#[test]
fn a_figure_made_by_the_exchange_scores_for_the_seat_that_made_it() {
    let mut game = drawn(4, &json!({}), ONE_LINE);
    play(&mut game, "+g +n a4a5 -g +r +b e1e2");
    assert_eq!(scores(&game), [0, 5, 0, 0]);
    let sides = game.view(Viewer::Spectator).sides;
    assert_eq!((sides[0].points, sides[1].points), (0, 5));
}

#[test]
fn if_exactly_one_figure_was_made_the_stone_of_its_colour_must_be_returned() {
    let mut game = drawn(2, &json!({}), ONE_LINE);
    play(&mut game, "+r +b e1e2");
    assert_eq!(texts(&game, 0), ["-r"]);
    let why = "the other stone must be returned: its colour made the figure, not blue";
    assert_eq!(by(&mut game, 0, "-b"), Err(why.to_owned()));
    assert_eq!(game.view(Viewer::Spectator).returnable, [Colour::Red]);
    play(&mut game, "-r");
}

#[test]
fn with_two_figures_both_score_and_the_choice_is_free() {
    let mut game = drawn(2, &json!({}), TWO_LINES);
    play(&mut game, "+r +b e1e2");
    assert_eq!(scores(&game), [10, 0]);
    assert_eq!(texts(&game, 0), ["-b", "-r"]);
}

#[test]
fn only_figures_of_the_two_exchanged_colours_score() {
    let mut game = drawn(2, &json!({}), TWO_LINES);
    let standing: Vec<_> = game.view(Viewer::Spectator).figures.iter().map(|figure| figure.colour).collect();
    assert_eq!(standing, [Colour::Yellow, Colour::Green, Colour::Brown]);
    play(&mut game, "+r +b a1a2");
    assert_eq!(scores(&game), [0, 0]);
}

#[test]
fn each_pair_of_figure_and_colour_is_worth_5_then_3_then_2_then_1_for_ever_by_anyone() {
    let worth = |game: &Figures, figure, colour| {
        let values = game.view(Viewer::Spectator).values;
        values.into_iter().find(|value| (value.figure, value.colour) == (figure, colour)).unwrap().value
    };
    let start = drawn(2, &json!({}), ONE_LINE);
    let mut game = start.clone();
    let mut expected = [0, 0];
    for (turn, value) in [5, 3, 2, 1, 1, 1].into_iter().enumerate() {
        // The same exchange again, now by one player, now by the other.
        (game.markers, game.hands, game.phase) = (start.markers, start.hands, start.phase);
        game.mover = Seat::new(turn as u8 % 2);
        assert_eq!(i32::from(worth(&game, Figure::Line, Colour::Red)), value);
        play(&mut game, "+r +b e1e2");
        expected[turn % 2] += value;
        assert_eq!(scores(&game), expected);
    }
    assert_eq!(worth(&game, Figure::Line, Colour::Blue), 5, "another colour");
    assert_eq!(worth(&game, Figure::Cross, Colour::Red), 5, "another figure");
}

fn assert_makes(options: &Value, picture: &str, exchange: &str, figure: Option<Figure>) {
    let mut game = drawn(2, options, picture);
    play(&mut game, "+r +b");
    play(&mut game, exchange);
    let red = game.view(Viewer::Spectator).figures.into_iter().find(|figure| figure.colour == Colour::Red);
    assert_eq!(red.map(|red| red.figure), figure);
    assert_eq!(scores(&game), [if figure.is_some() { 5 } else { 0 }, 0]);
}

#[test]
fn a_cross_is_a_square_and_its_four_diagonal_neighbours() {
    let picture = "
        r n r n n
        n r n y y
        r y b y g
        g b b r g
        g g b b y";
    assert_makes(&json!({}), picture, "d2c3", Some(Figure::Cross));
}

#[test]
fn a_plus_is_a_square_and_its_four_orthogonal_neighbours() {
    let picture = "
        n r n y y
        r r b y y
        n r y r b
        g b g b g
        n n g g b";
    assert_makes(&json!({}), picture, "d3c4", Some(Figure::Plus));
}

#[test]
fn a_line_is_a_whole_row_or_column_but_not_a_long_diagonal() {
    let column = "
        r n n n n
        r n y y y
        r y y g g
        b r g g g
        r b b b b";
    assert_makes(&json!({}), column, "a2b2", Some(Figure::Line));
    let diagonal = "
        n n n n r
        n y y r y
        y y r g g
        b r b g g
        r g b b b";
    let moved = diagonal.replace("y y r g g\n        b r b g g", "y y b g g\n        b r r g g");
    assert_makes(&json!({}), &moved, "c2c3", None);
    assert_makes(&json!({"diagonal_lines": true}), &moved, "c2c3", Some(Figure::Line));
}

#[test]
fn a_zig_zag_goes_up_and_down_over_two_adjacent_rows_or_columns() {
    let across = "
        n n n n n
        g g g g g
        y y y y y
        b r b r b
        r b r b r";
    let moved = across.replace("b r b r b\n        r b r b r", "b r r r b\n        r b b b r");
    assert_makes(&json!({"zigzag": "staircase"}), &moved, "c1c2", None);
    let mut game = drawn(2, &json!({}), &moved);
    play(&mut game, "+r +b c1c2");
    assert_eq!(scores(&game), [10, 0], "red and blue both");
    let up = "
        r n n n g
        n r g g g
        b r y y g
        b r y y y
        r b b b n";
    assert_makes(&json!({}), up, "a3b3", Some(Figure::ZigZag));
}

#[test]
fn a_staircase_is_a_zig_zag_only_with_that_option() {
    let stairs = "
        n n n n n
        g g g g g
        y r r y y
        r r b b y
        b r b b y";
    assert_makes(&json!({"zigzag": "staircase"}), stairs, "a1b1", Some(Figure::ZigZag));
    assert_makes(&json!({}), stairs, "a1b1", None);
}
