//! A turn, the draw pile, and how the game ends without three doubloons.

use serde_json::json;

use super::{FILL, Table, play, texts, two};
use crate::x_marks_the_spot::card::Cards;

#[test]
fn a_turn_begins_with_draw_or_scuttle() {
    let mut table = two();
    assert_eq!(table.legal(), ["draw", "scuttle"]);
    assert!(table.refuses("place ko 0,0 n").contains("the turn begins with draw, or scuttle"));
    assert!(table.refuses("pass").contains("the turn begins"));
}

#[test]
fn cards_are_drawn_up_to_a_hand_of_six_one_chance_step_a_card() {
    let mut table = two();
    table.does("draw");
    assert!(table.is_chance());
    table.draws("cr");
    assert!(table.is_chance());
    table.draws("aw");
    assert_eq!(table.on_turn(), Some(0));
    assert_eq!(table.hand(0), "cr aw ko ko ko ko");
    assert!(table.refuses("draw").contains("play a card"));
}

#[test]
fn a_turn_has_two_actions() {
    let mut table = two();
    table.turn("cr aw", "place cr 0,0 e");
    assert_eq!(table.on_turn(), Some(0));
    table.does("place aw 0,1 e");
    assert_eq!(table.on_turn(), Some(1));
    assert_eq!(table.legal(), ["draw", "scuttle"]);
}

#[test]
fn scuttle_before_drawing_puts_the_hand_under_the_pile_draws_as_many_and_ends_the_turn() {
    let mut table = two();
    table.does("scuttle");
    let segments = table.everything()["segments"].as_array().unwrap().clone();
    assert_eq!(segments.len(), 2);
    assert_eq!(segments[1], json!([{"card": "ko", "copies": 4}]));
    table.draws("cc cc cc");
    assert!(table.is_chance());
    table.draws("cc");
    assert_eq!(table.on_turn(), Some(1));
    assert_eq!(table.hand(0), "cc cc cc cc");
}

#[test]
fn scuttle_after_drawing_is_instead_of_the_first_action_and_draws_as_many_as_were_put_back() {
    let mut table = two();
    table.does("draw").draws("cr aw");
    assert!(table.legal().contains(&"scuttle".to_owned()));
    table.does("scuttle").draws("cc cc cc cc cc cc");
    assert_eq!(table.on_turn(), Some(1));
    assert_eq!(table.hand(0).split(' ').count(), 6);
}

#[test]
fn scuttle_is_not_legal_instead_of_the_second_action() {
    let mut table = two();
    table.turn("cr aw", "place cr 0,0 e");
    assert!(!table.legal().contains(&"scuttle".to_owned()));
    assert!(table.refuses("scuttle").contains("only instead of the first"));
}

#[test]
fn scuttle_needs_at_least_one_card_in_the_hand() {
    let mut table = two();
    let mut game = table.game().clone();
    game.hands[0] = Cards::EMPTY;
    assert_eq!(texts(&game), ["draw"]);
    table.does("draw").draws("cr aw");
    let mut game = table.game().clone();
    game.hands[0] = Cards::EMPTY;
    assert_eq!(texts(&game), ["pass"]);
}

#[test]
fn draw_is_legal_with_a_full_hand_and_then_no_chance_step_follows() {
    let mut table = two();
    table.does("draw").draws("cr aw").does("scuttle").draws("cc cc cc cc cc cc");
    table.does("scuttle").draws(FILL);
    assert_eq!(table.legal(), ["draw", "scuttle"]);
    table.does("draw");
    assert_eq!(table.on_turn(), Some(0));
    assert!(table.legal().contains(&"place cc 0,0 n".to_owned()));
    assert!(table.legal().contains(&"scuttle".to_owned()));
}

/// Eighteen cards: the hands take eight, ten are left.
fn few() -> Table {
    Table::with_options(2, r#"{"deck":{"heading":8,"cr":4,"cannon":6}}"#)
        .deal("cr", &["heading heading heading heading", "heading heading heading heading"])
}

#[test]
fn draws_come_from_the_first_segment_until_it_is_empty_and_scuttled_hands_follow_in_order() {
    let mut table = few();
    table.does("scuttle").draws("cr cr cr cr");
    table.does("scuttle");
    assert_eq!(table.legal(), ["+cannon x6"]);
    table.draws("cannon cannon cannon cannon");
    table.does("scuttle");
    // Two cannons of the first segment, then seat 0's headings.
    assert_eq!(table.legal(), ["+cannon x2"]);
    table.draws("cannon cannon");
    assert_eq!(table.legal(), ["+heading x4"]);
    table.draws("heading heading");
    table.does("draw").draws("heading heading");
    table.does("scuttle");
    assert_eq!(table.legal(), ["+heading x4"]);
    table.draws("heading heading heading heading");
    assert_eq!(table.legal(), ["+cr x4"]);
    table.draws("cr");
    assert_eq!(table.legal(), ["+cr x3"]);
}

#[test]
fn when_the_pile_is_empty_and_a_card_is_to_be_drawn_the_discard_pile_becomes_its_one_segment() {
    let mut table = few();
    table.turn("cr cannon", "place cr 0,0 e; cannon 0,0");
    table.turn("cr cannon", "place cr 0,0 e; cannon 0,0");
    table.turn("cr cannon", "place cr 0,0 e; cannon 0,0");
    table.turn("cr cannon", "place cr 0,0 e; cannon 0,0");
    table.does("draw").draws("cannon cannon").does("pass");
    assert_eq!((table.everything()["pile"].clone(), table.discard().as_str()), (json!(0), "4*cr 4*cannon"));
    table.does("draw");
    assert_eq!(table.legal(), ["+cannon x4", "+cr x4"]);
    assert_eq!(table.discard(), "");
    table.draws("cr cr");
    assert_eq!(table.everything()["segments"], json!([[{"card": "cr", "copies": 2}, {"card": "cannon", "copies": 4}]]));
}

#[test]
fn if_the_discard_pile_is_empty_too_nothing_is_drawn() {
    let table = Table::with_options(2, r#"{"deck":{"cr":18}}"#).deal("cr", &["cr cr cr cr", "cr cr cr cr"]);
    let mut table = table;
    table.turn("cr cr", "place cr 0,0 e; place cr 0,1 e").turn("cr cr", "place cr 0,2 e; place cr 0,3 e");
    table.turn("cr cr", "place cr 0,4 e; place cr 0,5 e").turn("cr cr", "place cr 0,6 e; place cr 0,7 e");
    table.turn("cr cr", "place cr 0,8 e; place cr 0,9 e");
    table.does("draw");
    assert_eq!(table.on_turn(), Some(1));
    table.does("place cr 0,10 e; place cr 0,11 e; draw; place cr 0,12 e; place cr 0,13 e");
    table.does("draw; place cr 0,14 e; place cr 0,15 e; draw; place cr 0,16 e; place cr 0,17 e");
    assert_eq!((table.hand(0).as_str(), table.hand(1).as_str()), ("", ""));
    // Both hands are empty: nothing can be scuttled, everybody passes.
    assert_eq!(table.legal(), ["draw"]);
    table.does("draw");
    assert_eq!(table.legal(), ["pass"]);
    table.does("pass; draw; pass");
    assert_eq!(table.result(), Some((vec![], "stalemate")));
}

#[test]
fn the_pile_can_run_out_in_the_middle_of_drawing() {
    let mut game = two().game().clone();
    game.pile = super::super::pile::Pile::new(["cr".parse().unwrap()].into_iter().collect());
    game.discard = Cards::EMPTY;
    for text in ["draw", "+cr"] {
        play(&mut game, text);
    }
    assert_eq!(game.hands[0].total(), 5);
    assert!(texts(&game).contains(&"place cr 0,0 e".to_owned()));
}

#[test]
fn playing_is_mandatory_and_pass_is_legal_exactly_when_no_card_can_be_played() {
    let mut table = Table::dealt("cr", &["cannon cannon cannon cannon", FILL]);
    table.does("draw").draws("heading cr");
    assert!(!table.legal().contains(&"pass".to_owned()));
    assert!(table.refuses("pass").contains("you can play cr"));
    table.does("place cr 0,0 e");
    assert!(table.refuses("pass").contains("you can play cannon"));
    table.does("cannon 0,0");
    table.does("scuttle").draws(FILL);
    table.does("draw").draws("cannon cannon");
    assert_eq!(table.legal(), ["pass", "scuttle"]);
    table.does("pass");
    assert_eq!(table.on_turn(), Some(1));
}

#[test]
fn pass_ends_the_turn_also_instead_of_the_second_action() {
    let mut table = Table::dealt("cr", &["heading heading heading heading", FILL]);
    table.turn("cr heading", "place cr 0,0 e");
    assert_eq!(table.legal(), ["pass"]);
    table.does("pass");
    assert_eq!(table.on_turn(), Some(1));
}

/// Nobody can play anything.
fn becalmed(seats: u8, more: &str) -> Table {
    let hands = ["heading heading heading heading"; 4];
    Table::with_options(seats, &format!(r#"{{"deck":{{"heading":40}}{more}}}"#))
        .deal(&"craw"[..usize::from(seats)], &hands[..usize::from(seats)])
}

#[test]
fn as_many_passes_in_a_row_as_there_are_seats_end_the_game() {
    for seats in 2..=4 {
        let mut table = becalmed(seats, "");
        for passed in 0..seats {
            assert_eq!(table.result(), None);
            assert_eq!(table.everything()["passes"], passed);
            table.does("draw");
            while table.is_chance() {
                table.draws("heading");
            }
            table.does("pass");
        }
        assert_eq!(table.result(), Some((vec![], "stalemate")));
        assert!(table.legal().is_empty());
        assert!(table.refuses("draw").contains("the game is over"));
    }
}

#[test]
fn a_scuttle_in_between_interrupts_the_passes() {
    let mut table = becalmed(2, "");
    table.turn("heading heading", "pass").does("scuttle").draws("heading heading heading heading");
    table.does("draw; pass").turn("heading heading", "pass");
    assert_eq!(table.result(), Some((vec![], "stalemate")));
}

#[test]
fn a_card_played_in_between_interrupts_the_passes() {
    let mut table = Table::dealt("cr", &["heading heading heading heading", "heading heading heading heading"]);
    table.turn("heading heading", "pass");
    table.turn("cr heading", "place cr 0,0 e; pass");
    assert_eq!(table.result(), None);
    assert_eq!(table.everything()["passes"], 1);
    table.does("draw; pass");
    assert_eq!(table.result(), Some((vec![], "stalemate")));
}

#[test]
fn after_turn_limit_turns_most_doubloons_win_and_a_tie_is_a_draw() {
    let mut table = Table::dealt_with("cr", &[FILL, FILL], r#""turn_limit":1"#);
    table.turn("cr cr", "place cr 0,0 e; place cr 0,1 e");
    assert_eq!(table.result(), Some((vec![], "turn-limit")));
    let mut table = Table::dealt_with("cr", &[FILL, FILL], r#""turn_limit":2"#);
    table.turn("cc cr", "place cc 0,0 n; place cr -1,0 w").turn("cr cr", "place cr 1,0 e; place cr 0,-1 s");
    assert_eq!(table.result(), Some((vec![0], "turn-limit")));
    assert_eq!(table.scores(), [1, 0]);
}

#[test]
fn a_last_scuttle_still_draws_its_cards() {
    let mut table = Table::dealt_with("cr", &[FILL, FILL], r#""turn_limit":1"#);
    table.does("scuttle").draws("cc cc cc");
    assert_eq!(table.result(), None);
    table.draws("cc");
    assert_eq!(table.result(), Some((vec![], "turn-limit")));
    assert_eq!(table.hand(0), "cc cc cc cc");
}

#[test]
fn if_the_turn_limit_and_the_passes_come_together_the_reason_is_stalemate() {
    let mut table = becalmed(2, r#","turn_limit":2"#);
    table.turn("heading heading", "pass").turn("heading heading", "pass");
    assert_eq!(table.result(), Some((vec![], "stalemate")));
    let mut table = becalmed(2, r#","turn_limit":1"#);
    table.turn("heading heading", "pass");
    assert_eq!(table.result(), Some((vec![], "turn-limit")));
}

#[test]
fn the_turns_are_counted_for_all_players_together() {
    let mut table = two();
    for turn in 1..=5 {
        assert_eq!(table.everything()["turn"], turn);
        table.does("scuttle").draws(FILL);
    }
    assert_eq!(table.everything()["turn_limit"], 200);
    let mut table = becalmed(2, "");
    table.turn("heading heading", "pass").turn("heading heading", "pass");
    assert_eq!(table.everything()["turn"], 2, "the last turn");
}
