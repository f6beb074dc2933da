//! What is hidden: the other hand, and what the other draws.

use quincunx_core::Seat;

use super::*;

const YELLOW: Viewer = Viewer::Seat(Seat::new(0));
const GREEN: Viewer = Viewer::Seat(Seat::new(1));

fn json_view(session: &Table, viewer: Viewer) -> String {
    serde_json::to_string(&session.game().view(viewer)).unwrap()
}

fn texts(session: &Table, viewer: Viewer) -> Vec<String> {
    session.log(viewer).into_iter().map(|step| step.action).collect()
}

#[test]
fn the_other_player_sees_only_that_a_counter_was_drawn() {
    let session = played(&json!({}), "+O +C +B +R O3 +S");
    assert_eq!(texts(&session, YELLOW), ["+O", "+C", "+?", "+?", "O3", "+S"]);
    assert_eq!(texts(&session, GREEN), ["+?", "+?", "+B", "+R", "O3", "+?"]);
    assert_eq!(texts(&session, Viewer::Spectator), ["+?", "+?", "+?", "+?", "O3", "+?"]);
    assert_eq!(texts(&session, Viewer::Everything), ["+O", "+C", "+B", "+R", "O3", "+S"]);
}

#[test]
fn a_player_sees_his_own_hand_and_how_many_counters_the_other_holds() {
    let session = played(&json!({}), "+O +C +B +R");
    let hands = |viewer| {
        let players = session.game().view(viewer).players;
        players.into_iter().map(|player| (player.hand, player.hand_size)).collect::<Vec<_>>()
    };
    assert_eq!(hands(YELLOW), [(Some(vec!['O', 'C']), 2), (None, 2)]);
    assert_eq!(hands(GREEN), [(None, 2), (Some(vec!['B', 'R']), 2)]);
    assert_eq!(hands(Viewer::Spectator), [(None, 2), (None, 2)]);
    assert_eq!(hands(Viewer::Everything), [(Some(vec!['O', 'C']), 2), (Some(vec!['B', 'R']), 2)]);
}

#[test]
fn views_of_positions_that_differ_only_in_what_is_hidden_are_the_same() {
    // Green holds B and R, or S and K.
    for rest in ["", "O3", "O3 +O"] {
        let one = played(&json!({}), &format!("+O +C +B +R {rest}"));
        let other = played(&json!({}), &format!("+O +C +S +K {rest}"));
        for viewer in [YELLOW, Viewer::Spectator] {
            assert_eq!(json_view(&one, viewer), json_view(&other, viewer));
            assert_eq!(texts(&one, viewer), texts(&other, viewer));
            assert_eq!(one.to_json(viewer).scores, other.to_json(viewer).scores);
        }
        assert_ne!(json_view(&one, GREEN), json_view(&other, GREEN));
        assert_eq!(one.to_json(YELLOW).actions, other.to_json(YELLOW).actions);
        assert!(one.to_json(Viewer::Spectator).actions.is_empty());
    }
    // In the middle of the deal, and while yellow draws.
    let one = played(&json!({}), "+O +C +B");
    let other = played(&json!({}), "+O +C +S");
    assert_eq!(json_view(&one, YELLOW), json_view(&other, YELLOW));
    assert_eq!(json_view(&played(&json!({}), "+O"), GREEN), json_view(&played(&json!({}), "+K"), GREEN));
}

#[test]
fn at_a_chance_turn_a_seat_is_told_nothing_about_possible_draws() {
    let session = played(&json!({}), "+O +C +B");
    for viewer in [YELLOW, GREEN, Viewer::Spectator] {
        assert!(session.to_json(viewer).actions.is_empty());
    }
}

#[test]
fn what_has_not_been_seen_of_a_colour_is_its_hand_and_pile_together() {
    let session = played(&json!({}), "+O +C +B +R O3 +S R3 +O");
    let players = session.game().view(Viewer::Spectator).players;
    assert_eq!(serde_json::to_value(players[0].unseen).unwrap(), counters([9, 3, 3, 3, 1, 2]));
    assert_eq!(serde_json::to_value(players[1].unseen).unwrap(), counters([10, 3, 3, 2, 1, 2]));
}
