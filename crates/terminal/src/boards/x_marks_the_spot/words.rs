//! Icons, cards and actions as people read them.

use quincunx_games::x_marks_the_spot::{Action, Card, Icon, Pirate, Square, View};
use ratatui::style::{Modifier, Style};

use crate::look::{Hue, Look};

pub fn icon_style(icon: Icon, look: Look) -> Style {
    match icon {
        Icon::Condent => look.hue(Hue::Vermilion),
        Icon::Rackham => look.hue(Hue::Blue),
        Icon::Avery => look.hue(Hue::Green),
        Icon::Wynn => look.hue(Hue::Yellow),
        Icon::GhostShip => Style::new().add_modifier(Modifier::BOLD),
        Icon::Kraken => look.hue(Hue::Purple),
        Icon::OpenWater => look.hue(Hue::Sky),
    }
}

pub const fn icon_of(pirate: Pirate) -> Icon {
    match pirate {
        Pirate::Condent => Icon::Condent,
        Pirate::Rackham => Icon::Rackham,
        Pirate::Avery => Icon::Avery,
        Pirate::Wynn => Icon::Wynn,
    }
}

pub const fn icon_name(icon: Icon) -> &'static str {
    match icon {
        Icon::Condent => "Condent",
        Icon::Rackham => "Rackham",
        Icon::Avery => "Avery",
        Icon::Wynn => "Wynn",
        Icon::GhostShip => "ghost ship",
        Icon::Kraken => "kraken",
        Icon::OpenWater => "open water",
    }
}

/// A card with its icons in words, such as `cr (Condent, Rackham)`.
pub fn card_name(card: Card) -> String {
    match card.icons() {
        Some([first, second]) => format!("{card} ({}, {})", icon_name(first), icon_name(second)),
        None => card.to_string(),
    }
}

/// A number of cards.
pub fn cards(number: impl Into<u64>) -> String {
    match number.into() {
        1 => "1 card".to_owned(),
        number => format!("{number} cards"),
    }
}

/// A seat as the viewer calls it, at the beginning of a sentence.
pub fn seat_name(view: &View, seat: u8) -> String {
    if view.viewer == Some(seat) { "You".to_owned() } else { format!("Seat {seat}") }
}

/// An action that is chosen from a list, as its line there.
pub fn in_list(action: Action, view: &View) -> String {
    let held = |seat: u8| view.players.iter().find(|player| player.seat == seat).map_or(0, |player| player.hand_size);
    let counter = |number: u8| view.trade.as_ref().and_then(|trade| trade.counter).unwrap_or(number);
    match action {
        Action::Parlay { target, cards: number } => format!("Offer seat {target} a trade of {} each", cards(number)),
        Action::Accept => match &view.trade {
            Some(trade) => format!("Accept: {} each", cards(counter(trade.offer))),
            None => "Accept".to_owned(),
        },
        Action::Counter(number) => format!("Rather {} each", cards(number)),
        Action::Force => "Insist on 1 card each".to_owned(),
        Action::Open => "Ask the others at the table".to_owned(),
        Action::Offer(number) => format!("Offer {} each", cards(number)),
        Action::Decline => "Decline".to_owned(),
        Action::Take(seat) => format!("Take the offer of seat {seat}"),
        Action::Plunder(seat) => format!("Plunder seat {seat} ({})", cards(held(seat.number()))),
        Action::PlunderDiscard(card) => format!("From the discard pile: {}", card_name(card)),
        Action::Steal(card) => format!("Steal {}", card_name(card)),
        other => other.to_string(),
    }
}

/// What lies on a square, from the top: `0,1: Condent over Rackham, doubloon of seat 1`.
pub fn square(view: &View, at: Square) -> String {
    let mut halves: Vec<_> =
        view.chart.iter().flat_map(|card| card.halves).filter(|half| is_at(at, half.x, half.y)).collect();
    halves.sort_by_key(|half| std::cmp::Reverse(half.level));
    let stack: Vec<&str> = halves.iter().map(|half| icon_name(half.icon)).collect();
    let stack = if stack.is_empty() { "nothing".to_owned() } else { stack.join(" over ") };
    let doubloons = view.doubloons.iter().filter(|doubloon| is_at(at, doubloon.x, doubloon.y));
    let doubloons: String = doubloons.map(|doubloon| format!(", doubloon of seat {}", doubloon.seat)).collect();
    format!("{at}: {stack}{doubloons}")
}

pub const fn is_at(at: Square, x: i32, y: i32) -> bool {
    at.x == x && at.y == y
}
