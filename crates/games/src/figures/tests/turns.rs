//! A turn: take, exchange, return.

use quincunx_core::{Turn, Viewer};

use super::*;

const ROWS: &str = "
    n n n n n
    b b b b b
    g g g g g
    y y y y y
    r r r r r";

#[test]
fn a_sides_first_turn_takes_two_stones_in_any_order_and_later_turns_take_one() {
    let mut game = start(2, &json!({}));
    let mut other = game.clone();
    play(&mut game, "+r");
    assert_eq!(
        (game.turn(), texts(&game, 0)),
        (Turn::Seat(Seat::new(0)), ["+b", "+g", "+n", "+y"].map(str::to_owned).to_vec())
    );
    assert_eq!(by(&mut game, 0, "+r"), Err("the red stone is already in hand".to_owned()));
    assert_eq!(by(&mut game, 0, "a1b1"), Err("first a stone is taken from the bank, such as +r".to_owned()));
    play(&mut game, "+y");
    play(&mut other, "+y +r");
    assert_eq!(game, other);

    let mut game = drawn(2, &json!({}), ROWS);
    play(&mut game, "+r +y a1a2 -r +r +g");
    assert!(matches!(game.phase, Phase::Exchange(_)), "the other side's first turn takes two as well");
    let exchange = texts(&game, 1)[0].clone();
    play(&mut game, &exchange);
    play(&mut game, "-r");
    assert_eq!(texts(&game, 0), ["+b", "+n", "+r"], "yellow is kept, green is held by the other side");
    assert_eq!(by(&mut game, 0, "+g"), Err("the other side holds the green stone".to_owned()));
    play(&mut game, "+r");
    assert!(matches!(game.phase, Phase::Exchange(_)), "one stone is enough now");
}

#[test]
fn a_kept_stone_goes_to_the_partner_who_has_the_teams_next_turn() {
    let mut game = drawn(4, &json!({}), ROWS);
    play(&mut game, "+r +y a1a2 -r");
    assert_eq!(game.turn(), Turn::Seat(Seat::new(1)));
    play(&mut game, "+b +n a4a5 -n");
    assert_eq!(game.turn(), Turn::Seat(Seat::new(2)));
    assert_eq!(texts(&game, 2), ["+g", "+n", "+r"]);
    play(&mut game, "+g");
    let sides = game.view(Viewer::Spectator).sides;
    assert_eq!(sides[0].stones, [Colour::Yellow, Colour::Green]);
    assert_eq!(sides[1].stones, [Colour::Blue]);
    assert_eq!(game.turn(), Turn::Seat(Seat::new(2)));
    assert!(matches!(game.phase, Phase::Exchange(_)));
}

#[test]
fn one_marker_of_each_of_the_two_colours_changes_places() {
    let mut game = drawn(2, &json!({}), ROWS);
    play(&mut game, "+r +y");
    for (text, why) in [
        ("a1b1", "the stones in hand are red and yellow, but a1 holds a red marker and b1 a red one"),
        ("a1a3", "the stones in hand are red and yellow, but a1 holds a red marker and a3 a green one"),
        ("a3a4", "the stones in hand are red and yellow, but a3 holds a green marker and a4 a blue one"),
    ] {
        assert_eq!(by(&mut game, 0, text), Err(why.to_owned()));
    }
    assert_eq!(texts(&game, 0).len(), 25, "all of them are neighbours of their own colour after it");
    play(&mut game, "b1d2");
    let (b1, d2) = ("b1".parse().unwrap(), "d2".parse().unwrap());
    assert_eq!((game.colour_of(b1), game.colour_of(d2)), (Colour::Yellow, Colour::Red));
    assert_conserved(&game);
}

/// Blue has a pair at the top and three near the red row.
const SPLIT: &str = "
    n n n b b
    n g g g g
    g y y y y
    y n b b b
    r r r r r";

/// Blue has one marker at the top and four near the red row.
const FOUR_AND_ONE: &str = "
    n n n n b
    n g g g g
    g y y y y
    y b b b b
    r r r r r";

#[test]
fn a_marker_may_not_arrive_isolated_if_the_other_colour_is_not_one_group() {
    let mut game = drawn(2, &json!({}), SPLIT);
    play(&mut game, "+r +b");
    // Red would be alone on e5. Blue on d1 has company, but d5 is not in its group.
    assert!(!texts(&game, 0).contains(&"d1e5".to_owned()));
    let why = "the red marker would arrive isolated on e5, and the blue ones not be one group";
    assert_eq!(by(&mut game, 0, "d1e5"), Err(why.to_owned()));
}

#[test]
fn a_marker_may_arrive_isolated_if_the_five_of_the_other_colour_form_one_group_then() {
    let mut game = drawn(2, &json!({}), FOUR_AND_ONE);
    play(&mut game, "+r +b");
    let legal = texts(&game, 0);
    assert!(legal.contains(&"a1e5".to_owned()), "a1 b2 c2 d2 e2 are one group, through a corner");
    assert!(legal.contains(&"e1e5".to_owned()));
    play(&mut game, "a1e5");
}

#[test]
fn that_holds_for_the_markers_of_both_colours() {
    let mut game = drawn(2, &json!({}), SPLIT);
    play(&mut game, "+r +b");
    assert!(texts(&game, 0).contains(&"a1c2".to_owned()), "blue is alone on a1, but red is one group");
    // Were red not one group, it would be forbidden.
    let mut game = drawn(
        2,
        &json!({}),
        "
        n n n b r
        n g g g g
        g y y y y
        y n b b b
        r r r r b",
    );
    play(&mut game, "+r +b");
    assert!(!texts(&game, 0).contains(&"a1c2".to_owned()));
}

#[test]
fn two_markers_that_both_arrive_isolated_may_not_be_exchanged() {
    let mut game = drawn(2, &json!({}), SPLIT);
    play(&mut game, "+r +b");
    assert!(!texts(&game, 0).contains(&"a1e5".to_owned()));
    assert!(by(&mut game, 0, "a1e5").is_err());
}

#[test]
fn a_marker_is_not_its_own_neighbour() {
    // The red marker of e4 has no other red one near d5 but itself.
    let mut game = drawn(
        2,
        &json!({}),
        "
        n n g b n
        n g g g r
        g y y y y
        b n b y b
        r r r r b",
    );
    play(&mut game, "+r +b");
    assert!(!texts(&game, 0).contains(&"e4d5".to_owned()));
    assert!(by(&mut game, 0, "e4d5").is_err());
}

#[test]
fn the_very_first_exchange_of_the_game_may_not_create_a_figure() {
    let almost = "
        n n n n n
        g g g g g
        y y y y y
        b b b b r
        r r r r b";
    let mut game = start(2, &json!({"layout": layout(almost)}));
    play(&mut game, "+r +b");
    assert!(!texts(&game, 0).contains(&"e1e2".to_owned()));
    assert_eq!(by(&mut game, 0, "e1e2"), Err("the first exchange of the game may not make a figure".to_owned()));
    play(&mut game, "a1a2 -r +r +y");
    assert!(game.exchanged);
    let mut later = drawn(2, &json!({}), almost);
    play(&mut later, "+r +b");
    assert!(texts(&later, 0).contains(&"e1e2".to_owned()), "the second one may");
}

#[test]
fn figures_of_other_colours_that_stand_from_the_start_do_not_forbid_the_first_exchange() {
    let mut game = start(2, &json!({"layout": layout(ROWS)}));
    play(&mut game, "+r +y a1a2");
    assert_eq!(scores(&game), [0, 0], "and they do not score");
}

#[test]
fn from_stripes_no_first_exchange_creates_a_figure() {
    for options in [json!({}), json!({"zigzag": "staircase", "diagonal_lines": true})] {
        for (i, first) in Colour::ALL.into_iter().enumerate() {
            for second in &Colour::ALL[i + 1..] {
                let mut free = start(2, &options);
                let mut bound = free.clone();
                free.exchanged = true;
                let take = format!("+{} +{}", first.letter(), second.letter());
                play(&mut free, &take);
                play(&mut bound, &take);
                assert_eq!(free.phase, bound.phase);
            }
        }
    }
}

#[test]
fn the_other_stone_is_returned_and_the_next_player_has_the_turn() {
    let mut game = drawn(2, &json!({}), ROWS);
    play(&mut game, "+r +y a1a2");
    assert_eq!(texts(&game, 0), ["-r", "-y"], "without a figure the choice is free");
    assert_eq!(by(&mut game, 0, "-g"), Err("there is no green stone in hand".to_owned()));
    assert_eq!(by(&mut game, 0, "+g"), Err("a stone is to be returned now, such as -r".to_owned()));
    play(&mut game, "-y");
    assert_eq!(game.turn(), Turn::Seat(Seat::new(1)));
    assert_eq!(texts(&game, 1), ["+b", "+g", "+n", "+y"]);
}

/// Whatever red and yellow exchange, one of them arrives alone while the other is in pieces.
const STUCK: &str = "
    y n y y y
    g g g b b
    r b r y r
    g n b r n
    r b n n g";

#[test]
fn without_a_legal_exchange_the_turn_goes_on_to_the_return() {
    let mut game = start(2, &json!({"layout": layout(STUCK), "turn_limit": 2}));
    play(&mut game, "+r +y");
    assert_eq!(texts(&game, 0), ["-r", "-y"], "the choice is free");
    assert_eq!(by(&mut game, 0, "a1d3"), Err("a stone is to be returned now, such as -r".to_owned()));
    play(&mut game, "-r");
    assert_eq!((game.turn(), scores(&game)), (Turn::Seat(Seat::new(1)), vec![0, 0]));
    assert!(!game.exchanged, "the first exchange is still to come");
    assert_eq!(game.view(Viewer::Spectator).turns, 1, "but it was a turn");
}

#[test]
fn without_an_exchange_nothing_scores_not_even_a_figure_that_stands() {
    // A plus of red and a line of yellow stand from the start, and the two have no legal exchange.
    let mut game = drawn(
        2,
        &json!({}),
        "
        y y y y y
        n n b b b
        g r b n n
        r r r g b
        g r n g g",
    );
    play(&mut game, "+r +y");
    assert_eq!(game.view(Viewer::Spectator).figures.len(), 2);
    assert_eq!((texts(&game, 0), scores(&game)), (vec!["-r".to_owned(), "-y".to_owned()], vec![0, 0]));
}
