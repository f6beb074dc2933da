//! Plunder.

use quincunx_core::Viewer;
use serde_json::json;

use super::{
    super::{Card, card::Cards},
    FILL, Table, play, seat, texts,
};

/// Seat 0 holds a plunder and is to act; a card lies on the table.
fn plundering(victim: &str) -> Table {
    let mut table = Table::dealt("cra", &[FILL, FILL, victim]);
    table.turn("cr aw", "place cr 0,0 e; place aw 0,1 e");
    table.does("scuttle").draws(FILL).does("scuttle").draws(victim);
    table.does("draw").draws("plunder ra");
    table
}

#[test]
fn the_player_sees_a_hand_and_then_says_what_he_steals() {
    let mut table = plundering("rr rr cannon aw");
    assert_eq!(table.legal_with("plunder"), ["plunder 1", "plunder 2"]);
    table.does("plunder 2");
    assert_eq!(table.legal(), ["steal aw", "steal cannon", "steal rr"]);
    assert_eq!(table.view(seat(0))["players"][2]["hand"], json!(["rr", "rr", "aw", "cannon"]));
    assert_eq!(table.view(seat(1))["players"][2]["hand"], json!(null));
    assert!(table.refuses("steal cc").contains("seat 2 holds no cc"));
    assert!(table.refuses("pass").contains("which card of seat 2"));
    table.does("steal rr");
    assert_eq!((table.hand(0).as_str(), table.hand(2).as_str()), ("rr ra ko ko ko ko", "rr aw cannon"));
    // The look is over with the choice.
    assert_eq!(table.view(seat(0))["players"][2]["hand"], json!(null));
}

#[test]
fn nobody_can_plunder_himself_an_empty_hand_or_a_seat_that_is_not_there() {
    let mut table = plundering("rr rr cannon aw");
    assert!(table.refuses("plunder 0").contains("for another player"));
    assert!(table.refuses("plunder 3").contains("there is no seat 3"));
    let mut game = table.game().clone();
    game.hands[1] = Cards::EMPTY;
    assert!(!texts(&game).contains(&"plunder 1".to_owned()));
}

#[test]
fn the_stolen_card_must_be_played_at_once() {
    let mut table = plundering("rr rr cannon aw");
    table.does("plunder 2; steal rr");
    assert!(table.legal().iter().all(|text| text.starts_with("place rr")));
    assert!(table.refuses("place ra 2,0 e").contains("the plundered card must be played at once: rr"));
    assert!(table.refuses("scuttle").contains("must be played at once"));
    assert!(table.refuses("pass").contains("must be played at once"));
    table.does("place rr 2,0 n");
    assert_eq!(table.everything()["actions_left"], 1);
    assert_eq!(table.on_turn(), Some(0));
}

#[test]
fn the_plunder_card_goes_to_the_discard_pile_as_soon_as_its_card_has_been_taken() {
    let mut table = plundering("rr rr cannon aw");
    table.does("plunder 2");
    assert_eq!((table.discard().as_str(), table.hand(0).as_str()), ("", "ra ko ko ko ko"));
    table.does("steal cannon");
    assert_eq!(table.discard(), "plunder");
    assert_eq!(table.legal(), ["cannon 0,0", "cannon 0,1"]);
    table.does("cannon 0,0");
    assert_eq!(table.discard(), "cr cannon plunder");
}

#[test]
fn a_card_of_the_discard_pile_can_be_taken_but_no_plunder_card() {
    let mut table = plundering("plunder cannon heading aw");
    table.does("plunder 2; steal cannon; cannon 0,0; place ra 2,1 e");
    table.does("scuttle").draws(FILL);
    table.does("draw").draws("cc cc cc");
    assert_eq!(table.legal_with("plunder d"), ["plunder discard cannon", "plunder discard cr"]);
    assert!(table.refuses("plunder discard plunder").contains("a plunder card cannot be taken"));
    assert!(table.refuses("plunder discard go").contains("there is no go in the discard pile"));
    table.does("plunder discard cr");
    assert_eq!(table.discard(), "cannon 2*plunder");
    assert!(table.legal().iter().all(|text| text.starts_with("place cr")));
    // Everybody has seen it.
    assert_eq!(table.view(Viewer::Spectator)["must_play"], "cr");
}

#[test]
fn a_stolen_card_is_known_to_the_two_players_only() {
    let mut table = plundering("rr rr cannon aw");
    table.does("plunder 2; steal rr");
    assert_eq!(table.view(seat(0))["must_play"], "rr");
    assert_eq!(table.view(seat(2))["must_play"], "rr");
    assert_eq!(table.view(seat(1))["must_play"], json!(null));
    assert_eq!(table.view(Viewer::Spectator)["must_play"], json!(null));
}

#[test]
fn a_stolen_plunder_card_is_fine_and_is_part_of_the_same_action() {
    let mut table = plundering("plunder rr cannon aw");
    table.does("plunder 2; steal plunder");
    assert_eq!(table.legal(), ["plunder 1", "plunder 2"]);
    table.does("plunder 2; steal rr");
    assert_eq!(table.discard(), "2*plunder");
    table.does("place rr 2,0 n");
    assert_eq!(table.everything()["actions_left"], 1);
}

#[test]
fn a_stolen_parlay_is_traded_at_once() {
    let mut table = plundering("parlay rr cannon aw");
    table.does("plunder 2; steal parlay");
    assert!(table.legal().iter().all(|text| text.starts_with("parlay")));
    table.does("parlay 2 n1; accept; give rr; give ra");
    assert_eq!(table.everything()["actions_left"], 1);
    assert_eq!(table.hand(2), "ra aw cannon");
}

#[test]
fn a_stolen_heading_lays_another_card_of_the_hand() {
    let mut table = plundering("heading rr cannon aw");
    table.does("plunder 2; steal heading");
    assert!(table.legal().iter().all(|text| text.starts_with("heading")));
    table.does("heading 0,0 ra e");
    assert_eq!(table.hand(0), "cr ko ko ko ko");
}

#[test]
fn a_card_that_cannot_be_played_stays_in_the_hand_and_the_action_is_over() {
    // A cannon without anything to hit.
    let mut table = Table::dealt("cr", &["plunder ko ko ko", "cannon heading parlay plunder"]);
    table.turn("ko ko", "plunder 1; steal cannon");
    assert_eq!(table.hand(0), "ko ko ko ko ko cannon");
    assert_eq!(table.everything()["actions_left"], 1);
    assert_eq!(table.discard(), "plunder");
    // A new heading without another tile card.
    let mut game = plundering("heading rr cannon aw").game().clone();
    game.hands[0] = [Card::PLUNDER, Card::CANNON].into_iter().collect();
    play(&mut game, "plunder 2");
    play(&mut game, "steal heading");
    assert_eq!((game.actions_left, game.hands[0].total()), (1, 2));
    // A parlay without another card of one's own.
    let mut game = plundering("parlay rr cannon aw").game().clone();
    game.hands[0] = [Card::PLUNDER].into_iter().collect();
    play(&mut game, "plunder 2");
    play(&mut game, "steal parlay");
    assert_eq!((game.actions_left, game.hands[0].total()), (1, 1));
    // A plunder when nobody else has cards, and nothing but plunder is in the discard pile.
    let mut game = plundering("plunder rr cannon aw").game().clone();
    game.hands[1] = Cards::EMPTY;
    game.hands[2] = [Card::PLUNDER].into_iter().collect();
    play(&mut game, "plunder 2");
    play(&mut game, "steal plunder");
    assert_eq!(game.actions_left, 1);
    assert!(!texts(&game).iter().any(|text| text.starts_with("plunder")));
}

#[test]
fn a_plunder_needs_a_hand_with_cards_or_a_discard_pile_with_more_than_plunder_cards() {
    let mut game = plundering("rr rr cannon aw").game().clone();
    game.hands[1] = Cards::EMPTY;
    game.hands[2] = Cards::EMPTY;
    game.hands[0] = [Card::PLUNDER].into_iter().collect();
    assert_eq!(texts(&game), ["pass", "scuttle"]);
    game.discard.add(Card::PLUNDER);
    assert_eq!(texts(&game), ["pass", "scuttle"]);
    game.discard.add(Card::CANNON);
    assert_eq!(texts(&game), ["plunder discard cannon", "scuttle"]);
}
