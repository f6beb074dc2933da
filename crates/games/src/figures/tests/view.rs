//! The view and its picture.

use quincunx_core::{Viewer, any_step, strip};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use super::*;

#[test]
fn the_view_has_all_that_lies_on_the_table() {
    let mut game = start(4, &json!({}));
    play(&mut game, "+r");
    let json = serde_json::to_value(game.view(Viewer::Spectator)).unwrap();
    assert_eq!(json["squares"].as_array().unwrap().len(), 25);
    assert_eq!(json["squares"][6], json!({"square": "b2", "marker": "green"}));
    assert_eq!(json["bank"], json!(["yellow", "green", "blue", "brown"]));
    assert_eq!(json["sides"][0], json!({"seats": [0, 2], "stones": ["red"], "points": 0}));
    assert_eq!(json["players"][3], json!({"seat": 3, "side": 1, "points": 0}));
    assert_eq!(json["values"].as_array().unwrap().len(), 20);
    assert_eq!(json["values"][19], json!({"figure": "zig_zag", "colour": "brown", "value": 5}));
    assert_eq!((&json["phase"], &json["turn"], &json["first_exchange"]), (&json!("take"), &json!(0), &json!(true)));
    assert_eq!((&json["target"], &json["turns"], &json["turn_limit"]), (&json!(61), &json!(0), &json!(500)));
    assert_eq!((&json["outcome"], &json["returnable"], &json["figures"]), (&json!(null), &json!([]), &json!([])));
}

#[test]
fn everybody_sees_the_same() {
    let mut game = start(2, &json!({}));
    play(&mut game, "+r");
    for viewer in [Viewer::Seat(Seat::new(0)), Viewer::Seat(Seat::new(1)), Viewer::Spectator] {
        assert_eq!(game.view(viewer), game.view(Viewer::Everything));
    }
}

#[test]
fn the_picture_can_be_read_without_colours() {
    let mut game = start(2, &json!({}));
    play(&mut game, "+r");
    let picture = game.view(Viewer::Spectator).to_string();
    let expected = "  a b c d e      worth now   r y g b n
5 n r y g b 5    cross       5 5 5 5 5
4 b n r y g 4    plus        5 5 5 5 5
3 g b n r y 3    line        5 5 5 5 5
2 y g b n r 2    zig-zag     5 5 5 5 5
1 r y g b n 1
  a b c d e
bank: y g b n
> seat 0: 0 of 61 points, stones: r
  seat 1: 0 of 61 points, stones: none
turn 1 of 500: seat 0 takes a stone
";
    assert_eq!(picture, expected);
    let coloured = format!("{:#}", game.view(Viewer::Spectator));
    assert_ne!(coloured, picture);
    assert_eq!(strip(&coloured), picture);
}

#[test]
fn the_picture_says_what_is_to_be_done_and_how_it_ended() {
    let lines = "
        n n n n n
        g g g g g
        y y y y y
        b b b b r
        r r r r b";
    let picture = |game: &Figures| game.view(Viewer::Spectator).to_string();
    let mut game = drawn(4, &json!({}), lines);
    play(&mut game, "+r +b");
    assert!(picture(&game).contains("> seats 0 and 2: 0 of 61 points, stones: r b\n"));
    assert!(picture(&game).ends_with("seat 0 exchanges two markers\n"));
    play(&mut game, "e1e2");
    assert!(picture(&game).ends_with("seat 0 returns a stone: r b\n"));
    assert!(picture(&game).contains("line        3 5 5 3 5\n"));
    let mut game = drawn(4, &json!({"target": 10}), lines);
    play(&mut game, "+r +b e1e2");
    assert!(picture(&game).ends_with("seats 0 and 2 win: points\n"));
    let mut game = drawn(2, &json!({"turn_limit": 1}), lines);
    play(&mut game, "+r +b a1a2 -r");
    assert!(picture(&game).ends_with("a draw: turn-limit\n"));
}

#[test]
fn what_is_written_as_json_is_read_as_the_same_view() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
    for (seats, options) in [(2, json!({})), (4, json!({"turn_limit": 60, "zigzag": "staircase"}))] {
        let mut game = start(seats, &options);
        while let Some((actor, action)) = any_step(&game, &mut rng) {
            let view = game.view(Viewer::Spectator);
            assert_eq!(serde_json::from_value(serde_json::to_value(&view).unwrap()).ok(), Some(view));
            game.try_play(actor, action).unwrap();
        }
        let view = game.view(Viewer::Spectator);
        assert!(view.outcome.is_some());
        assert_eq!(serde_json::from_value(serde_json::to_value(&view).unwrap()).ok(), Some(view));
    }
}
