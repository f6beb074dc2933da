//! The view and its picture.

use quincunx_core::{Viewer, any_step, strip};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::json;

use super::*;

#[test]
fn the_view_has_all_that_lies_on_the_table() {
    let mut game = drawn(4, &json!({"teams": true}), 0, "Rb *r .y O");
    game.heights[0] = 3;
    let json = serde_json::to_value(game.view(Viewer::Spectator)).unwrap();
    assert_eq!(json["squares"].as_array().unwrap().len(), 64);
    assert_eq!(json["squares"][0], json!({"square": "a1", "piece": "red", "marker": "black", "markers": 3}));
    assert_eq!(json["squares"][1], json!({"square": "b1", "piece": "joker", "marker": "red", "markers": 1}));
    assert_eq!(json["squares"][2], json!({"square": "c1", "piece": null, "marker": "yellow", "markers": 1}));
    assert_eq!(json["squares"][63], json!({"square": "h8", "piece": null, "marker": null, "markers": 0}));
    assert_eq!(
        json["players"][1],
        json!({"seat": 1, "colour": "black", "team": 1, "pieces": 15, "markers": 17, "points": 1, "side_points": 2})
    );
    assert_eq!((&json["phase"], &json["turn"], &json["target"]), (&json!("place"), &json!(0), &json!(12)));
    assert_eq!(json["outcome"], json!(null));
}

#[test]
fn everybody_sees_the_same() {
    let game = drawn(3, &json!({"claims": "manual"}), 1, "R R R R R");
    for viewer in [Viewer::Seat(Seat::new(0)), Viewer::Seat(Seat::new(1)), Viewer::Spectator] {
        assert_eq!(game.view(viewer), game.view(Viewer::Everything));
    }
}

#[test]
fn the_picture_can_be_read_without_colours() {
    let mut game = drawn(
        2,
        &json!({}),
        1,
        "
        R  B  *  .  .  .  .  .
        .r .b Rb Br *r .  .  .",
    );
    game.heights[1] = 12;
    let picture = game.view(Viewer::Spectator).to_string();
    let expected = "   a    b    c    d    e    f    g    h
8  .    .    .    .    .    .    .    .    8
7  .    .    .    .    .    .    .    .    7
6  .    .    .    .    .    .    .    .    6
5  .    .    .    .    .    .    .    .    5
4  .    .    .    .    .    .    .    .    4
3  .    .    .    .    .    .    .    .    3
2  R    B    *    .    .    .    .    .    2
1  .r1  .b12 Rb1  Br1  *r1  .    .    .    1
   a    b    c    d    e    f    g    h
R B O Y: X-pieces, *: joker, r b o y: top score marker with the height of its stack
  seat 0 red     3 points of 15, 13 X-pieces, 15 markers
> seat 1 black   2 points of 15, 13 X-pieces, 16 markers
black places an X-piece
";
    assert_eq!(picture, expected);
    let coloured = format!("{:#}", game.view(Viewer::Spectator));
    assert_ne!(coloured, picture);
    assert_eq!(strip(&coloured), picture);
}

#[test]
fn the_picture_says_what_is_to_be_done_and_how_it_ended() {
    let picture = |game: &ModX| game.view(Viewer::Spectator).to_string();
    let mut game = start(2, &json!({"claims": "manual"}));
    assert!(picture(&game).contains("red sets up the jokers: 5 to go"));
    play(&mut game, &["*a1", "*c1", "*e1", "*g1", "*a3", "c3"]);
    assert!(picture(&game).contains("black may touch pieces, then says done"));
    let mut game = drawn(2, &json!({}), 0, "R * . R R");
    play(&mut game, &["c1"]);
    assert!(picture(&game).contains("red puts the lifted jokers back: 1 to go"));
    let mut game = drawn(2, &json!({"target": 4}), 0, "R * . R R");
    play(&mut game, &["c1"]);
    assert!(picture(&game).contains("red wins: points"));
    assert_eq!(game.view(Viewer::Spectator).turn, None);
    let mut game = drawn(4, &json!({"target": 4, "teams": true}), 0, "R * . R R");
    play(&mut game, &["c1"]);
    assert!(picture(&game).contains("red and orange win: points"));
    assert!(picture(&game).contains("(team 0: 4 of 4)"));
    let mut game = drawn(2, &json!({"pieces": 5}), 0, "R . R . R . R");
    play(&mut game, &["h8"]);
    assert!(picture(&game).contains("a draw: out-of-pieces"));
}

#[test]
fn what_is_written_as_json_is_read_as_the_same_view() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
    for (seats, options) in [(2, json!({})), (3, json!({"claims": "manual"})), (4, json!({"teams": true}))] {
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
