//! A parlay as it was spoken: who said what, from the first offer to the cards that change hands.

use quincunx_games::x_marks_the_spot::{PhaseView, TradeView, View};

use super::words::{cards, seat_name};

/// What was said so far, line by line.
pub fn spoken(view: &View) -> Vec<String> {
    let Some(trade) = &view.trade else { return Vec::new() };
    let says = |seat: u8, words: String| format!("{}: {words}", seat_name(view, seat));
    let mut lines =
        vec![says(view.player, format!("{}, a trade of {} each?", addressed(view, trade.target), cards(trade.offer)))];
    match (trade.counter, trade.cards) {
        (Some(counter), _) => lines.push(says(trade.target, format!("Rather {}.", cards(counter)))),
        (None, Some(_)) => lines.push(says(trade.target, "Agreed.".to_owned())),
        (None, None) => {}
    }
    if view.phase == PhaseView::Offering || !trade.offers.is_empty() {
        lines.push(says(view.player, "Who offers something else?".to_owned()));
    }
    for offer in &trade.offers {
        let words =
            offer.cards.map_or_else(|| "Not with me.".to_owned(), |number| format!("I trade {}.", cards(number)));
        lines.push(says(offer.seat, words));
    }
    lines.extend(agreement(trade).map(|words| says(view.player, words)));
    if let (PhaseView::Giving, Some(seat), Some(number)) = (view.phase, view.to_act, trade.cards) {
        let who = seat_name(view, seat);
        let chooses = if view.viewer == Some(seat) { "choose" } else { "chooses" };
        lines.push(format!("({who} {chooses} {} to give.)", cards(number)));
    }
    if let Some(given) = &trade.given {
        let names: Vec<&str> = given.iter().map(|card| card.name()).collect();
        lines.push(format!("(You give {}.)", names.join(", ")));
    }
    lines
}

/// How the player ended the talk after a counter offer.
fn agreement(trade: &TradeView) -> Option<String> {
    let (counter, partner, number) = (trade.counter?, trade.partner?, trade.cards?);
    Some(if partner != trade.target {
        format!("I trade with seat {partner}, {} each.", cards(number))
    } else if number == counter {
        "Agreed.".to_owned()
    } else {
        format!("I insist on {} each.", cards(number))
    })
}

/// A seat as it is spoken to.
fn addressed(view: &View, seat: u8) -> String {
    if view.viewer == Some(seat) { "you there".to_owned() } else { format!("seat {seat}") }
}
