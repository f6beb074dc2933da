//! Trades: what is given away, and which ones are agreed to.

use quincunx_core::Seat;
use quincunx_games::x_marks_the_spot::{Action, Pirate};

use super::{
    super::{policy::Policy, settings::Settings},
    FILL, Table, wary,
};

/// What the seat on turn does at a glance.
fn at_a_glance(table: &Table, seat: u8, flag: Pirate) -> Action {
    Policy::new(Settings::default()).choose(table.game(), Seat::new(seat), &wary(flag))
}

/// Seat 0, Condent, with a parlay, has a card on the table and has asked seat 1, Rackham, to trade.
fn asked(hands: [&str; 2], draws: &str, cards: u8) -> Table {
    let mut table = Table::dealt("cr", &hands);
    table.does("draw").draws(draws).does("place ko 0,0 e").does(&format!("parlay 1 n{cards}"));
    table
}

#[test]
fn it_gives_away_what_it_needs_least() {
    let mut table = asked(["cc cg ck ko", "rr rg aw rr"], "parlay aw", 1);
    table.does("accept");
    assert_eq!(at_a_glance(&table, 1, Pirate::Rackham).to_string(), "give aw");
    table.does("give aw");
    assert_eq!(at_a_glance(&table, 0, Pirate::Condent).to_string(), "give aw");
}

#[test]
fn of_useless_cards_it_keeps_those_that_somebody_else_could_use() {
    let mut table = asked(["cc cg aa ko", FILL], "parlay rr", 1);
    table.does("accept; give ko");
    for (feared, given) in [(Pirate::Rackham, "give aa"), (Pirate::Avery, "give rr")] {
        let mut mind = wary(Pirate::Condent);
        mind.wishes[feared as usize] = -1.2;
        assert_eq!(Policy::new(Settings::default()).choose(table.game(), Seat::new(0), &mind).to_string(), given);
    }
}

#[test]
fn it_agrees_to_trade_what_is_useless_and_asks_to_trade_less_of_what_is_good() {
    let useless = asked(["cc cg ck ko", "aw aw aw aw"], "parlay aw", 3);
    let answer = at_a_glance(&useless, 1, Pirate::Rackham).to_string();
    assert!(answer == "accept" || answer == "counter n4", "{answer}");
    let good = asked(["cc cg ck ko", "rr rr rg rg"], "parlay aw", 3);
    assert_eq!(at_a_glance(&good, 1, Pirate::Rackham).to_string(), "counter n1");
}

#[test]
fn it_accepts_a_counter_offer_only_if_that_is_better_than_a_single_card() {
    let mut table = asked(["aw aw aw ko", "rr rr rg rg"], "parlay aw", 1);
    table.does("counter n3");
    assert_eq!(at_a_glance(&table, 0, Pirate::Condent).to_string(), "accept");
    let mut table = asked(["cc cg cc ko", "rr rr rg rg"], "parlay aw", 1);
    table.does("counter n3");
    assert_eq!(at_a_glance(&table, 0, Pirate::Condent).to_string(), "force");
}

#[test]
fn it_offers_to_an_open_parlay_what_it_likes_to_be_rid_of_and_else_declines() {
    for (hand, offers) in [("aw aw aw aw", true), ("rr rr rg rg", false)] {
        let mut table = Table::dealt("cwr", &["cc cg ck ko", FILL, hand]);
        table.does("draw").draws("parlay aw").does("place ko 0,0 e; parlay 1 n1; counter n2; open");
        let flag = if offers { Pirate::Condent } else { Pirate::Rackham };
        let answer = at_a_glance(&table, 2, flag).to_string();
        assert_eq!(answer.starts_with("offer"), offers, "{answer}");
        assert_eq!(answer == "decline", !offers, "{answer}");
    }
}
