//! A turn, counter by counter, and the end of the game.

use super::*;

#[test]
fn a_turn_is_a_counter_from_the_hand_and_then_a_draw() {
    let mut session = played(&json!({}), "+O +S +O +O O3");
    assert_eq!((view(&session).drawing, session.game().turn()), (Some(0), Turn::Chance));
    assert_eq!(view(&session).players[0].hand, Some(vec!['S']));
    session.apply(None, "+B").unwrap();
    assert_eq!(view(&session).players[0].hand, Some(vec!['B', 'S']));
    assert_eq!(view(&session).to_move, Some(1));
    assert_eq!(session.apply(Some(0), "S").unwrap_err().to_string(), r#""S" is not legal: it is the turn of seat 1"#);
}

#[test]
fn without_a_pile_nothing_is_drawn() {
    let session = played(&two_towers(4, [2, 0, 0, 0, 0, 0]), "+O +O +O +O O1");
    assert_eq!(view(&session).to_move, Some(1));
}

#[test]
fn only_a_counter_in_hand_can_be_played() {
    let mut session = played(&json!({}), "+O +S +C +B");
    assert_eq!(listed(&session), ["O1", "O2", "O3", "O4", "O5", "S"]);
    assert_eq!(why(&mut session, "C1"), "there is no continuation counter (C) in your hand");
    assert_eq!(why(&mut session, "Bv1"), "there is no bonus counter (B) in your hand");
    assert_eq!(why(&mut session, "R"), "there is no remove counter (R) in your hand");
    assert_eq!(why(&mut session, "+O"), "it is your turn to play a counter; draws are made by chance");
    let mut stopless = played(&json!({}), "+O +O +C +B");
    assert_eq!(why(&mut stopless, "S"), "there is no stop counter (S) in your hand");
}

#[test]
fn a_building_counter_goes_on_the_lowest_free_space_of_any_tower() {
    let session = default("O3 O3 C3 O1 O1");
    assert_eq!(tower(&session, 3), "yO gO yC");
    assert_eq!(tower(&session, 1), "yO gO");
}

#[test]
fn a_full_tower_takes_no_counter() {
    let mut session = default("O1 O1 O1");
    assert_eq!(tower(&session, 1), "yO gO yO");
    assert_eq!(listed(&session), ["O2", "O3", "O4", "O5"]);
    assert_eq!(why(&mut session, "O1"), "tower 1 is full");
}

#[test]
fn there_are_no_towers_but_those_of_the_castle() {
    let mut session = played(&json!({}), "+O +R +O +O");
    assert_eq!(why(&mut session, "O6"), "tower 6: the castle has towers 1 to 5");
    assert_eq!(why(&mut session, "O99"), "tower 99: the castle has towers 1 to 5");
    assert_eq!(why(&mut session, "R6"), "tower 6: the castle has towers 1 to 5");
    assert_eq!(
        why(&mut played(&one_tower(1, [1, 0, 0, 0, 0, 0]), "+O +O"), "O2"),
        "tower 2: the castle has only tower 1"
    );
}

#[test]
fn a_bonus_counter_lies_with_its_arrows_vertical_or_horizontal() {
    let session = played(&json!({}), "+B +B +B +B");
    assert_eq!(listed(&session), ["Bh1", "Bh2", "Bh3", "Bh4", "Bh5", "Bv1", "Bv2", "Bv3", "Bv4", "Bv5"]);
    assert_eq!(tower(&default("Bv2 Bh2"), 2), "yBv gBh");
}

#[test]
fn a_remove_counter_discards_the_topmost_counter_of_either_colour() {
    // Green removes a yellow counter, and then one of its own.
    let session = default("O3 R3");
    assert_eq!(tower(&session, 3), "");
    let players = view(&session).players;
    assert_eq!((players[0].discard.o, players[1].discard.r, players[1].discard.o), (1, 1, 0));
    let session = default("O3 O3 O1 R3");
    assert_eq!(tower(&session, 3), "yO");
    let players = view(&session).players;
    assert_eq!((players[1].discard.o, players[1].discard.r, players[0].discard.o), (1, 1, 0));
}

#[test]
fn what_was_removed_is_out_of_the_game() {
    let session = default("Bv3 R3 O1 O2");
    let yellow = &view(&session).players[0];
    assert_eq!((yellow.discard.b, yellow.unseen.b), (1, 2));
    assert_eq!(yellow.hand_size + yellow.pile_size, 20);
}

#[test]
fn a_space_that_was_freed_can_be_filled_again() {
    let session = default("O1 O1 O1 R1 O1");
    assert_eq!(tower(&session, 1), "yO gO yO");
    assert_eq!(view(&session).players[0].discard.o, 1);
}

#[test]
fn an_empty_tower_has_nothing_to_remove() {
    let mut session = played(&json!({}), "+O +O +R +K O3 +O");
    assert_eq!(listed(&session), ["K3", "R3"]);
    assert_eq!(why(&mut session, "R2"), "tower 2 is empty");
}

#[test]
fn if_all_towers_are_empty_nothing_is_removed() {
    let session = played(&json!({}), "+R +K +O +O");
    assert_eq!(listed(&session), ["K", "R"]);
    let session = played(&json!({}), "+R +K +O +O R +O");
    assert_eq!(view(&session).to_move, Some(1));
    assert_eq!(view(&session).players[0].discard.r, 1);
    assert_eq!(why(&mut played(&json!({}), "+R +K +O +O"), "K2"), "tower 2 is empty");
}

#[test]
fn if_a_tower_has_a_counter_one_must_be_removed() {
    let mut session = played(&json!({}), "+O +O +R +K O3 +O");
    assert_eq!(why(&mut session, "R"), "a counter must be removed, such as R3");
    assert_eq!(why(&mut session, "K"), "a counter must be removed, such as K3");
    // Towers that became empty again count as empty.
    assert_eq!(listed(&played(&json!({}), "+O +R +R +K O3 +R R3 +O")), ["R"]);
}

#[test]
fn a_stop_counter_does_nothing_and_costs_the_turn() {
    let before = default("O3");
    let session = default("O3 S");
    assert_eq!(view(&session).towers, view(&before).towers);
    assert_eq!(view(&session).to_move, Some(0));
    assert_eq!(view(&session).players[1].discard.s, 1);
}

#[test]
fn played_special_counters_and_removed_counters_lie_face_up_for_everyone() {
    let session = default("C3 O3 R3 S K3 Bh1");
    for viewer in
        [Viewer::Seat(quincunx_core::Seat::new(0)), Viewer::Seat(quincunx_core::Seat::new(1)), Viewer::Spectator]
    {
        let players = session.game().view(viewer).players;
        let discard = |seat: usize| serde_json::to_value(players[seat].discard).unwrap();
        assert_eq!(discard(0), counters([1, 1, 0, 0, 0, 1]));
        assert_eq!(discard(1), counters([0, 0, 0, 1, 1, 0]));
    }
}

#[test]
fn after_a_continuation_counter_and_a_draw_the_same_player_takes_another_turn() {
    let mut session = played(&json!({}), "+C +O +O +O C3");
    assert_eq!(view(&session).drawing, Some(0));
    session.apply(None, "+K").unwrap();
    assert_eq!(view(&session).to_move, Some(0));
    session.apply(None, "K3").unwrap();
    assert_eq!(view(&session).drawing, Some(0));
    session.apply(None, "+O").unwrap();
    assert_eq!(view(&session).to_move, Some(0));
    session.apply(None, "O3").unwrap();
    session.apply(None, "+O").unwrap();
    assert_eq!(view(&session).to_move, Some(1));
}

#[test]
fn remove_and_continue_continues_also_if_nothing_is_removed() {
    let session = played(&json!({}), "+K +O +O +O K +S");
    assert_eq!(view(&session).to_move, Some(0));
    assert_eq!(listed(&session).len(), 6);
}

#[test]
fn a_player_whose_hand_is_empty_is_skipped() {
    // Yellow plays both counters in one turn; green may then play both, without a continuation in between.
    let few = two_towers(4, [1, 1, 0, 0, 0, 0]);
    let session = played(&few, "+C +O +C +O C1 O1 O1");
    assert_eq!(view(&session).players[0].hand_size, 0);
    assert_eq!(view(&session).to_move, Some(1));
    // Whoever continues without a counter is skipped too.
    let single = two_towers(4, [0, 1, 0, 0, 0, 0]);
    assert_eq!(view(&played(&single, "+C +C C1")).to_move, Some(1));
}

#[test]
fn when_both_hands_are_empty_the_game_ends_and_is_scored() {
    let few = two_towers(4, [1, 1, 0, 0, 0, 0]);
    let session = played(&few, "+C +O +C +O C1 O1 O1 C1");
    assert_eq!(result(&session), "1 out-of-counters");
    // Tower 1 is green's, and each player has more counters in two rows.
    assert_eq!(scores(&session), [2, 12]);
    assert!(listed(&session).is_empty());
}

#[test]
fn the_game_ends_at_once_when_the_last_space_is_filled() {
    // No draw, although there is a pile, and no continuation.
    let session = played(&one_tower(1, [0, 5, 0, 0, 0, 0]), "+C +C +C +C C1");
    assert_eq!(session.game().turn(), Turn::Over);
    assert_eq!(result(&session), "0 castle-complete");
    assert_eq!(view(&session).players[0].hand_size, 1);
    assert!(listed(&session).is_empty());
    assert_eq!(view(&session).drawing, None);
}

#[test]
fn the_castle_is_complete_also_if_the_last_counter_of_all_fills_it() {
    assert_eq!(result(&played(&one_tower(2, [1, 0, 0, 0, 0, 0]), "+O +O O1 O1")), "1 castle-complete");
}

#[test]
fn an_action_is_read_as_it_is_written() {
    for text in ["O3", "C3", "Bv3", "Bh3", "R3", "K3", "R", "K", "S", "+O", "+C", "+B", "+R", "+K", "+S", "O8", "O99"] {
        assert_eq!(text.parse::<Action>().unwrap().to_string(), text);
    }
    let bad = [
        "", "O", "C", "B", "B3", "Bv", "Bx3", "O0", "O03", "O+3", "O-1", "O3 ", " O3", "o3", "S1", "R0", "R00", "+",
        "+X", "+OO", "+?", "O100", "Oé", "é", "+é", "O３",
    ];
    for text in bad {
        let error = text.parse::<Action>().expect_err(text);
        assert!(error.to_string().starts_with("an action is a counter and mostly a tower, such as O3"), "{error}");
    }
}
