//! The material, the set-up, turns and the options.

use std::collections::BTreeSet;

use quincunx_core::{ActionError, Turn, Viewer};
use serde_json::json;

use super::{
    super::{Options, patterns::PLACEMENTS},
    *,
};

#[test]
fn each_player_has_15_x_pieces_and_18_score_markers_and_there_are_5_jokers() {
    for seats in 2..=4 {
        let view = start(seats, &json!({})).view(Viewer::Spectator);
        assert_eq!(view.players.len(), usize::from(seats));
        assert!(view.players.iter().all(|player| (player.pieces, player.markers, player.points) == (15, 18, 0)));
        assert_eq!(view.jokers_in_hand, 5);
    }
}

#[test]
fn the_colours_by_seat_are_red_black_orange_yellow() {
    let json = serde_json::to_value(start(4, &json!({})).view(Viewer::Spectator)).unwrap();
    let colours: Vec<_> = (0..4).map(|seat| json["players"][seat]["colour"].clone()).collect();
    assert_eq!(colours, [json!("red"), json!("black"), json!("orange"), json!("yellow")]);
}

#[test]
fn x_plus_and_five_have_168_placements() {
    let slow: BTreeSet<u64> = reference::placements()
        .iter()
        .map(|placement| placement.iter().map(|&(col, row)| 1 << (row * 8 + col)).fold(0, |set, bit: u64| set | bit))
        .collect();
    let fast: BTreeSet<u64> = PLACEMENTS.iter().map(|placement| placement.0).collect();
    assert_eq!(fast.len(), 168);
    assert_eq!(fast, slow);
    assert!(PLACEMENTS.iter().all(|placement| placement.count() == 5));
}

#[test]
fn seat_0_places_the_five_jokers_one_after_another_then_seat_1_has_the_first_turn() {
    let mut session = session(3, &json!({}));
    for (left, text) in (1..=5).rev().zip(["*a1", "*c1", "*e1", "*g1", "*a3"]) {
        assert_eq!(session.game().turn(), Turn::Seat(Seat::new(0)));
        assert_eq!(session.game().view(Viewer::Everything).jokers_in_hand, left);
        assert!(texts(session.game(), 1).is_empty());
        assert!(texts(session.game(), 0).iter().all(|text| text.starts_with('*')));
        session.apply(None, text).unwrap();
    }
    assert_eq!(session.game().turn(), Turn::Seat(Seat::new(1)));
    assert_eq!(texts(session.game(), 1).len(), 64 - 5);
}

#[test]
fn no_two_jokers_of_the_set_up_may_be_neighbours_in_any_of_the_eight_directions() {
    let mut game = start(2, &json!({}));
    assert_eq!(texts(&game, 0).len(), 64);
    play(&mut game, &["*d4", "*a1", "*h5"]);
    let legal = texts(&game, 0);
    for near in ["c3", "d3", "e3", "c4", "e4", "c5", "d5", "e5", "a2", "b1", "b2", "g4", "g5", "g6", "h4", "h6"] {
        assert!(!legal.contains(&format!("*{near}")), "{near}");
        assert_eq!(by(&mut game, 0, &format!("*{near}")), Err(format!("square {near} is next to a joker")));
    }
    // The edge of the board is an edge: h5 is not next to a5 or a6.
    assert!(
        legal.contains(&"*a5".to_owned()) && legal.contains(&"*a6".to_owned()) && legal.contains(&"*a4".to_owned())
    );
    assert_eq!(legal.len(), 64 - 9 - 4 - 6);
    assert_eq!(by(&mut game, 0, "*d4"), Err("square d4 is taken".to_owned()));
}

#[test]
fn five_jokers_always_find_room() {
    // Four of them bar at most nine squares each.
    for seed in 0..50_u64 {
        let mut game = start(2, &json!({}));
        let mut at = seed;
        while matches!(game.phase, Phase::SetUp { .. }) {
            let legal = texts(&game, 0);
            at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let text = legal[(at >> 33) as usize % legal.len()].clone();
            play(&mut game, &[&text]);
        }
        assert_eq!(game.jokers.count(), 5);
    }
}

#[test]
fn a_turn_puts_one_own_x_piece_on_a_free_square_and_turns_go_clockwise() {
    let mut game = drawn(3, &json!({}), 1, "* . B");
    assert_eq!(by(&mut game, 0, "d1"), Err("it is the turn of seat 1".to_owned()));
    assert_eq!(by(&mut game, 1, "a1"), Err("square a1 is taken".to_owned()));
    assert_eq!(by(&mut game, 1, "c1"), Err("square c1 is taken".to_owned()));
    for seat in [1, 2, 0, 1] {
        assert_eq!(game.turn(), Turn::Seat(Seat::new(seat)));
        let (before, legal) = (game.clone(), texts(&game, seat));
        assert_eq!(legal.len(), usize::from(game.free().count()));
        let text = legal[0].clone();
        by(&mut game, seat, &text).unwrap();
        let seat = usize::from(seat);
        assert_eq!(names(game.pieces[seat] - before.pieces[seat]), [text]);
        assert_eq!(game.supply[seat], before.supply[seat] - 1);
    }
}

#[test]
fn a_square_without_a_piece_is_free_whatever_markers_lie_on_it() {
    let mut game = drawn(2, &json!({}), 0, ".r .b Rb");
    let legal = texts(&game, 0);
    assert!(legal.contains(&"a1".to_owned()) && legal.contains(&"b1".to_owned()) && !legal.contains(&"c1".to_owned()));
    play(&mut game, &["b1"]);
    assert_eq!(scores(&game), [1, 2], "a marker counts under any piece");
}

#[test]
fn a_text_has_one_form() {
    for good in ["a1", "h8", "*a1", "*h8", "!d4", "done"] {
        assert_eq!(good.parse::<Action>().unwrap().to_string(), good);
    }
    for bad in [
        "",
        " ",
        "i1",
        "a9",
        "a0",
        "a01",
        "A1",
        "a",
        "1a",
        "a1 ",
        "*",
        "!",
        "**a1",
        "!*a1",
        "Done",
        "done ",
        "*done",
        "é1",
        "aé",
        "a¹",
        "a99999999999999999999",
        "-a1",
        "+a1",
        "a-1",
        "a+1",
        "a1b2",
        "\u{1F0CF}",
    ] {
        assert!(bad.parse::<Action>().is_err(), "{bad:?}");
    }
    assert!("k3".parse::<Action>().unwrap_err().to_string().contains("columns a to h"));
    let mut session = session(2, &json!({}));
    assert!(matches!(session.apply(None, "*a01"), Err(ActionError::Malformed { .. })));
    assert!(matches!(session.apply(None, "c3"), Err(ActionError::Illegal { .. })));
    assert_eq!(session.ply(), 0);
}

#[test]
fn teams_need_four_seats() {
    let teams = Options { teams: true, ..Options::default() };
    for seats in [2, 3] {
        let why = ModX::new(seats, &teams).unwrap_err().to_string();
        assert_eq!(why, format!("option \"teams\": two teams need 4 seats, not {seats}"));
    }
    let game = ModX::new(4, &teams).unwrap();
    assert_eq!([0, 1, 2, 3].map(|seat| game.side(Seat::new(seat))), [0, 1, 0, 1]);
    assert_eq!([0, 1, 2, 3].map(|seat| start(4, &json!({})).side(Seat::new(seat))), [0, 1, 2, 3]);
}

#[test]
fn the_target_is_15_12_or_10_by_players_12_for_teams_or_as_agreed() {
    let target = |seats, options: &Value| start(seats, options).view(Viewer::Spectator).target;
    assert_eq!([2, 3, 4].map(|seats| target(seats, &json!({}))), [15, 12, 10]);
    assert_eq!(target(4, &json!({"teams": true})), 12);
    assert_eq!(target(4, &json!({"teams": true, "target": 64})), 64);
    assert_eq!(target(2, &json!({"target": 1})), 1);
}

#[test]
fn options_out_of_range_are_refused() {
    for bad in [
        json!({"pieces": 4}),
        json!({"pieces": 31}),
        json!({"markers": 4}),
        json!({"markers": 65}),
        json!({"target": 0}),
        json!({"target": 65}),
        json!({"target": null}),
        json!({"claims": "Manual"}),
        json!({"claims": null}),
        json!({"teams": 1}),
        json!({"joker_win": "yes"}),
        json!({"jokers": 5}),
        json!([]),
    ] {
        assert!(options_from_json::<Options>(&bad).is_err(), "{bad}");
    }
    for good in [json!({"pieces": 5, "markers": 5, "target": 1}), json!({"pieces": 30, "markers": 64, "target": 64})] {
        let game = start(2, &good);
        assert_eq!(u64::from(game.supply[0]), good["pieces"].as_u64().unwrap());
        assert_eq!(u64::from(game.markers[1]), good["markers"].as_u64().unwrap());
    }
    let printed = json!({"teams": false, "claims": "auto", "joker_win": true, "pieces": 15, "markers": 18});
    assert_eq!(serde_json::to_value(Options::default()).unwrap(), printed);
}

#[test]
fn whatever_is_read_is_written_the_same_and_no_text_is_too_odd_to_be_refused() {
    crate::testing::assert_read_as_written::<Action>("abchi0189*!doné\u{1F0CF} -+A", 5);
}
