//! Parlay.

use quincunx_core::{Game, Seat, Turn, Viewer};
use serde_json::json;

use super::{
    super::{Card, card::Cards},
    FILL, Table, play, seat, texts,
};

/// Seat 0 holds a parlay and five other cards, the others four each; seat 0 is to act.
fn offering(seats: usize) -> Table {
    let hands = ["cc cr ca cw", "rr rr ra rw", "aa aw ag ao", "ww wg wo wk"];
    let mut table = Table::dealt(&"craw"[..seats], &hands[..seats]);
    table.does("draw").draws("parlay go");
    table
}

#[test]
fn a_parlay_offers_a_trade_of_one_up_to_the_smaller_of_the_two_hands() {
    let mut table = offering(3);
    let mut all = Vec::new();
    for target in [1, 2] {
        all.extend((1..=4).map(|number| format!("parlay {target} n{number}")));
    }
    assert_eq!(table.legal_with("parlay"), all);
    assert!(table.refuses("parlay 1 n5").contains("you can trade 1 to 4 cards"));
    assert!(table.refuses("parlay 0 n1").contains("for another player"));
    assert!(table.refuses("parlay 3 n1").contains("there is no seat 3"));
}

#[test]
fn the_parlay_card_is_already_played_when_the_hands_are_compared() {
    let mut table = Table::dealt("cr", &[FILL, FILL]);
    table.does("scuttle").draws(FILL);
    table.does("draw").draws("cr cr").does("scuttle").draws("aw aw aw aw aw aw");
    table.turn("parlay cr", "place cr 0,0 e");
    // Six against a parlay and four.
    assert_eq!(table.legal_with("parlay"), ["parlay 1 n1", "parlay 1 n2", "parlay 1 n3", "parlay 1 n4"]);
}

#[test]
fn a_played_parlay_goes_to_the_discard_pile() {
    let mut table = offering(2);
    table.does("parlay 1 n2");
    assert_eq!(table.discard(), "parlay");
    assert_eq!(table.hand(0), "cc cr ca cw go");
}

#[test]
fn the_target_accepts_or_says_another_number_in_the_same_range() {
    let mut table = offering(2);
    table.does("parlay 1 n3");
    assert_eq!(table.on_turn(), Some(1));
    assert_eq!(table.legal(), ["accept", "counter n1", "counter n2", "counter n4"]);
    assert!(table.refuses("counter n3").contains("3 is what was offered"));
    assert!(table.refuses("counter n5").contains("1 to 4 cards can be traded"));
    assert!(table.refuses("force").contains("answer the offer of 3 cards"));
}

#[test]
fn where_there_is_no_other_number_the_target_can_only_accept() {
    let mut game = offering(2).game().clone();
    game.hands[1] = [Card::CANNON].into_iter().collect();
    play(&mut game, "parlay 1 n1");
    assert_eq!(texts(&game), ["accept"]);
}

#[test]
fn an_accepted_offer_is_traded_with_the_target() {
    let mut table = offering(2);
    table.does("parlay 1 n2; accept");
    assert_eq!(table.on_turn(), Some(1));
    table.does("give rr rw");
    assert_eq!(table.on_turn(), Some(0));
    table.does("give cc go");
    assert_eq!(table.hand(0), "rr cr ca cw rw");
    assert_eq!(table.hand(1), "cc rr ra go");
}

#[test]
fn after_a_counter_the_player_accepts_or_forces_and_opens_only_with_more_than_two_players() {
    let mut table = offering(2);
    table.does("parlay 1 n3; counter n4");
    assert_eq!(table.on_turn(), Some(0));
    assert_eq!(table.legal(), ["accept", "force"]);
    assert!(table.refuses("open").contains("nobody else to trade with"));
    for seats in [3, 4] {
        let mut table = offering(seats);
        table.does("parlay 1 n3; counter n4");
        assert_eq!(table.legal(), ["accept", "force", "open"]);
    }
}

#[test]
fn accepting_the_counter_trades_so_many_cards_and_forcing_one_card_each() {
    let mut table = offering(2);
    table.does("parlay 1 n3; counter n4; accept");
    assert_eq!(table.legal(), ["give rr rr ra rw"]);
    let mut table = offering(2);
    table.does("parlay 1 n3; counter n4; force");
    assert_eq!(table.legal(), ["give ra", "give rr", "give rw"]);
    table.does("give ra");
    assert_eq!(table.legal(), ["give ca", "give cc", "give cr", "give cw", "give go"]);
}

#[test]
fn after_open_the_others_say_in_clockwise_order_from_the_player_what_they_offer() {
    let mut table = offering(4);
    table.does("parlay 2 n3; counter n2; open");
    assert_eq!(table.on_turn(), Some(1));
    assert_eq!(table.legal(), ["decline", "offer n1", "offer n2", "offer n3", "offer n4"]);
    assert!(table.refuses("offer n5").contains("1 to 4 cards can be traded"));
    assert!(table.refuses("accept").contains("or decline"));
    table.does("offer n4");
    assert_eq!(table.on_turn(), Some(3));
    table.does("decline");
    assert_eq!(table.on_turn(), Some(0));
    assert_eq!(table.legal(), ["force", "take 1", "take 2"]);
    assert!(table.refuses("take 3").contains("there is no offer of seat 3"));
    assert!(table.refuses("take 0").contains("there is no offer of seat 0"));
    assert!(table.refuses("accept").contains("take an offer"));
}

#[test]
fn clockwise_goes_round_from_the_player_on_turn() {
    let mut table = Table::dealt("craw", &[FILL, FILL, FILL, FILL]);
    table.does("scuttle").draws(FILL).does("scuttle").draws(FILL);
    table.does("draw").draws("parlay cr").does("parlay 0 n1; counter n2; open");
    assert_eq!(table.on_turn(), Some(3));
    table.does("decline");
    assert_eq!(table.on_turn(), Some(1));
    table.does("offer n1");
    assert_eq!(table.legal(), ["force", "take 0", "take 1"]);
}

#[test]
fn take_trades_the_offer_of_that_seat_or_the_counter_of_the_target() {
    let opened = || {
        let mut table = offering(3);
        table.does("parlay 1 n3; counter n2; open; offer n1");
        table
    };
    let mut table = opened();
    table.does("take 2");
    assert_eq!(table.on_turn(), Some(2));
    table.does("give aw; give go");
    assert_eq!((table.hand(0).as_str(), table.hand(2).as_str()), ("cc cr ca cw aw", "aa ag ao go"));
    let mut table = opened();
    table.does("take 1");
    assert_eq!(table.on_turn(), Some(1));
    assert_eq!(table.legal().len(), 4);
    table.does("give rr rr; give cc cr");
    assert_eq!(table.hand(1), "cc cr ra rw");
    let mut table = opened();
    table.does("force");
    assert_eq!(table.on_turn(), Some(1));
    assert_eq!(table.legal(), ["give ra", "give rr", "give rw"]);
}

#[test]
fn nobody_without_cards_is_asked_for_an_offer() {
    let mut game = offering(4).game().clone();
    game.hands[1] = Cards::EMPTY;
    for text in ["parlay 2 n3", "counter n2", "open"] {
        play(&mut game, text);
    }
    assert_eq!(game.turn(), Turn::Seat(Seat::new(3)));
}

#[test]
fn opened_with_nobody_else_to_ask_the_counter_can_still_be_taken() {
    let mut game = offering(3).game().clone();
    game.hands[2] = Cards::EMPTY;
    for text in ["parlay 1 n3", "counter n2", "open"] {
        play(&mut game, text);
    }
    assert_eq!(texts(&game), ["force", "take 1"]);
}

#[test]
fn what_is_given_is_as_many_cards_as_agreed_in_deck_table_order() {
    let mut table = offering(2);
    table.does("parlay 1 n2; accept");
    assert_eq!(table.legal(), ["give ra rw", "give rr ra", "give rr rr", "give rr rw"]);
    assert!(table.refuses("give rr").contains("2 of your cards are to be given"));
    assert!(table.refuses("give ra ra").contains("not all in your hand"));
    assert!(table.refuses("give cc cr").contains("not all in your hand"));
    assert!(table.refuses("give rw ra").contains("is written \"give ra rw\""));
    assert!(table.refuses("give").contains("the cards to give"));
}

#[test]
fn no_card_moves_before_both_have_chosen_and_neither_sees_the_choice_of_the_other() {
    let mut table = offering(3);
    table.does("parlay 1 n1; accept; give ra");
    assert_eq!(table.hand(1), "rr rr ra rw");
    assert_eq!(table.hand(0), "cc cr ca cw go");
    assert_eq!(table.view(seat(1))["trade"]["given"], json!(["ra"]));
    for viewer in [seat(0), seat(2), Viewer::Spectator] {
        assert_eq!(table.view(viewer)["trade"]["given"], json!(null));
    }
}

#[test]
fn a_parlay_needs_another_card_and_somebody_with_cards() {
    let table = offering(3);
    let mut game = table.game().clone();
    game.hands[1] = Cards::EMPTY;
    assert!(texts(&game).iter().filter(|text| text.starts_with("parlay")).all(|text| text.starts_with("parlay 2")));
    game.hands[2] = Cards::EMPTY;
    assert!(!texts(&game).iter().any(|text| text.starts_with("parlay")));
    let mut game = table.game().clone();
    game.hands[0] = [Card::PARLAY].into_iter().collect();
    assert_eq!(texts(&game), ["pass", "scuttle"]);
}

#[test]
fn a_parlay_is_one_action() {
    let mut table = offering(2);
    table.does("parlay 1 n1; accept; give ra; give go");
    assert_eq!(table.on_turn(), Some(0));
    assert_eq!(table.everything()["actions_left"], 1);
    table.does("place cc 0,0 n");
    assert_eq!(table.on_turn(), Some(1));
}

#[test]
fn the_talk_is_open_to_all() {
    let mut table = offering(4);
    table.does("parlay 2 n3; counter n2; open; offer n1; decline");
    let trade = json!({"target": 2, "offer": 3, "counter": 2, "offers": [{"seat": 1, "cards": 1}, {"seat": 3, "cards": null}],
        "partner": null, "cards": null, "given": null});
    assert_eq!(table.view(Viewer::Spectator)["trade"], trade);
    table.does("take 1");
    assert_eq!(table.view(seat(3))["trade"]["partner"], 1);
    assert_eq!(table.view(seat(3))["trade"]["cards"], 1);
}
