//! The table as text, drawn from the view alone.
//!
//! ```text
//!       -1   0   1   2
//!  2     .   .   .   .
//!
//!  1     .   c - r   .
//!                |
//!  0     .  (g)  k1  .
//! ```
//!
//! The two halves of a card are joined where both lie topmost; a number is how many cards lie below, and parentheses
//! are a doubloon.

use std::{
    collections::HashMap,
    fmt::{self, Display, Formatter, Write as _},
};

use anstyle::{AnsiColor, Style};
use quincunx_core::painted;

use super::{
    card::{Card, Icon, Pirate},
    view::{CardView, HalfView, PhaseView, PlayerView, Stack, TradeView, View},
};

impl Display for View {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write_headline(f)?;
        if self.chart.is_empty() {
            f.write_str("\nThe chart is empty.\n\n")?;
        } else {
            self.write_chart(f)?;
        }
        for player in &self.players {
            self.write_player(f, player)?;
        }
        write!(f, "\nPile: {} cards. Discard: ", self.pile)?;
        write_stacks(f, &self.discard)?;
        f.write_str(".\n")?;
        if let Some(segments) = &self.segments {
            for segment in segments {
                f.write_str("  in the pile: ")?;
                write_stacks(f, segment)?;
                f.write_str("\n")?;
            }
        }
        self.trade.as_ref().map_or(Ok(()), |trade| self.write_trade(f, trade))
    }
}

fn colour(icon: Icon) -> Style {
    match icon {
        Icon::Condent => AnsiColor::Red.on_default(),
        Icon::Rackham => AnsiColor::Blue.on_default(),
        Icon::Avery => AnsiColor::Green.on_default(),
        Icon::Wynn => AnsiColor::Yellow.on_default(),
        Icon::GhostShip => AnsiColor::BrightWhite.on_default().bold(),
        Icon::Kraken => AnsiColor::Magenta.on_default(),
        Icon::OpenWater => AnsiColor::Cyan.on_default(),
    }
}

fn flag_colour(pirate: Pirate) -> Style {
    colour(match pirate {
        Pirate::Condent => Icon::Condent,
        Pirate::Rackham => Icon::Rackham,
        Pirate::Avery => Icon::Avery,
        Pirate::Wynn => Icon::Wynn,
    })
}

/// What shows on the squares, and how wide a column is drawn.
struct Chart<'a> {
    tops: HashMap<(i32, i32), (&'a HalfView, &'a CardView)>,
    /// The lowest and highest column and row to draw: one more than has cards.
    columns: (i32, i32),
    rows: (i32, i32),
    /// Of a square without the joint to the next one.
    width: usize,
}

impl<'a> Chart<'a> {
    fn new(cards: &'a [CardView]) -> Self {
        let halves = || cards.iter().flat_map(|card| card.halves.iter().map(move |half| (half, card)));
        let span = |of: fn(&HalfView) -> i32| {
            let ends = halves()
                .map(|(half, _)| of(half))
                .fold((i32::MAX, i32::MIN), |(low, high), at| (low.min(at), high.max(at)));
            (ends.0 - 1, ends.1 + 1)
        };
        let columns = span(|half| half.x);
        let width = columns.0.to_string().len().max(columns.1.to_string().len()).max(3);
        let tops = halves().filter(|(half, _)| half.top).map(|(half, card)| ((half.x, half.y), (half, card))).collect();
        Self { tops, columns, rows: span(|half| half.y), width }
    }

    /// Whether both squares show the two halves of one card.
    fn joined(&self, one: (i32, i32), other: (i32, i32)) -> bool {
        let card = |at| self.tops.get(&at).map(|&(_, card)| std::ptr::from_ref(card));
        card(one).is_some() && card(one) == card(other)
    }
}

impl View {
    fn write_headline(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Turn {} of {}, seat {}: ", self.turn, self.turn_limit, self.player)?;
        let seat = |seat: Option<u8>| seat.map_or_else(String::new, |seat| format!("seat {seat}"));
        let [actor, drawing, victim] = [self.to_act, self.drawing, self.plundering].map(seat);
        match self.phase {
            PhaseView::DealingFlags => writeln!(f, "a flag is dealt to {drawing}"),
            PhaseView::DealingHands => writeln!(f, "a card is dealt to {drawing}"),
            PhaseView::StartOfTurn => writeln!(f, "draw or scuttle"),
            PhaseView::Drawing => writeln!(f, "a card is drawn"),
            PhaseView::Scuttling => writeln!(f, "a card is drawn after the scuttle"),
            PhaseView::Acting => {
                let which = if self.actions_left > 1 { "first" } else { "second" };
                writeln!(f, "play the {which} of two cards")
            }
            PhaseView::Stealing => writeln!(f, "plunders {victim} and says what to steal"),
            PhaseView::PlayingPlunder => {
                writeln!(
                    f,
                    "plays the plundered card{}",
                    self.must_play.map_or_else(String::new, |card| format!(" {card}"))
                )
            }
            PhaseView::Answering => writeln!(f, "waits for the answer of {actor}"),
            PhaseView::Replying => writeln!(f, "answers the counter offer"),
            PhaseView::Offering => writeln!(f, "waits for an offer of {actor}"),
            PhaseView::Choosing => writeln!(f, "chooses an offer"),
            PhaseView::Giving => writeln!(f, "a trade; {actor} says what to give"),
            PhaseView::Over => self.write_outcome(f),
        }
    }

    fn write_outcome(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(outcome) = &self.outcome else { return writeln!(f, "the game is over") };
        match outcome.winners.as_slice() {
            [] => writeln!(f, "the game is over, a draw ({})", outcome.reason),
            [winner, ..] => writeln!(f, "the game is over, seat {winner} wins ({})", outcome.reason),
        }
    }

    fn write_chart(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let chart = Chart::new(&self.chart);
        let width = chart.width;
        let label = chart.rows.0.to_string().len().max(chart.rows.1.to_string().len()) + 2;
        let columns = || chart.columns.0..=chart.columns.1;
        let numbers = row(columns(), width);
        writeln!(f, "\n{:label$}{}", "", numbers.trim_end())?;
        for y in (chart.rows.0..=chart.rows.1).rev() {
            write!(f, "{y:>label$}")?;
            for x in columns() {
                f.write_str(if chart.joined((x - 1, y), (x, y)) { "-" } else { " " })?;
                self.write_square(f, &chart, (x, y))?;
            }
            let joints = columns().map(|x| if chart.joined((x, y), (x, y - 1)) { "|" } else { "" });
            let joints = row(joints, width);
            writeln!(f, "\n{}", format!("{:label$}{joints}", "").trim_end())?;
        }
        Ok(())
    }

    fn write_square(&self, f: &mut Formatter<'_>, chart: &Chart<'_>, at: (i32, i32)) -> fmt::Result {
        let width = chart.width;
        let Some((half, _)) = chart.tops.get(&at) else {
            // The last column is empty: nothing follows in its line.
            let square = format!("{:^width$}", ".");
            return f.write_str(if at.0 == chart.columns.1 { square.trim_end() } else { &square });
        };
        let letter = half.icon.letter();
        let spent = self.doubloons.iter().any(|doubloon| (doubloon.x, doubloon.y) == at);
        let text = match half.level {
            _ if spent => format!("({letter})"),
            0 => format!(" {letter} "),
            level @ 1..=9 => format!(" {letter}{level}"),
            _ => format!(" {letter}+"),
        };
        let style = colour(half.icon);
        painted(f, if spent { style.invert() } else { style }, format_args!("{text:^width$}"))
    }

    fn write_player(&self, f: &mut Formatter<'_>, player: &PlayerView) -> fmt::Result {
        let PlayerView { seat, doubloons, hand_size, .. } = player;
        f.write_str(if self.to_act == Some(*seat) { "> " } else { "  " })?;
        write!(f, "seat {seat}  ")?;
        match player.flag {
            Some(flag) => painted(f, flag_colour(flag), format_args!("{:8}", flag.name()))?,
            None => write!(f, "{:8}", "?")?,
        }
        f.write_str(if player.revealed { "(shown) " } else { "        " })?;
        write!(f, "doubloons {doubloons} of {}  ", self.doubloons_to_win)?;
        match &player.hand {
            None => write!(f, "{hand_size} card{}", if *hand_size == 1 { "" } else { "s" })?,
            Some(hand) => write_cards(f, hand)?,
        }
        f.write_str("\n")
    }

    fn write_trade(&self, f: &mut Formatter<'_>, trade: &TradeView) -> fmt::Result {
        let TradeView { target, offer, .. } = trade;
        write!(f, "Parlay: seat {} offers seat {target} a trade of {offer}", self.player)?;
        if let Some(counter) = trade.counter {
            write!(f, "; seat {target} says {counter}")?;
        }
        for offer in &trade.offers {
            match offer.cards {
                Some(cards) => write!(f, "; seat {} offers {cards}", offer.seat)?,
                None => write!(f, "; seat {} declines", offer.seat)?,
            }
        }
        if let (Some(partner), Some(cards)) = (trade.partner, trade.cards) {
            write!(f, "; agreed with seat {partner}: {cards} each")?;
        }
        if let Some(given) = &trade.given {
            f.write_str("; seat ")?;
            write!(f, "{} gives ", trade.partner.unwrap_or(*target))?;
            write_cards(f, given)?;
        }
        f.write_str("\n")
    }
}

/// Texts in the middle of columns.
fn row(texts: impl Iterator<Item: Display>, width: usize) -> String {
    texts.fold(String::new(), |mut row, text| {
        let _ = write!(row, " {text:^width$}");
        row
    })
}

fn write_cards(f: &mut Formatter<'_>, cards: &[Card]) -> fmt::Result {
    if cards.is_empty() {
        return f.write_str("no cards");
    }
    for (index, &card) in cards.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { " " })?;
        write_card(f, card)?;
    }
    Ok(())
}

fn write_card(f: &mut Formatter<'_>, card: Card) -> fmt::Result {
    match card.icons() {
        None => write!(f, "{card}"),
        Some(icons) => icons.into_iter().try_for_each(|icon| painted(f, colour(icon), icon.letter())),
    }
}

fn write_stacks(f: &mut Formatter<'_>, stacks: &[Stack]) -> fmt::Result {
    if stacks.is_empty() {
        return f.write_str("nothing");
    }
    for (index, stack) in stacks.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { ", " })?;
        if stack.copies > 1 {
            write!(f, "{} ", stack.copies)?;
        }
        write_card(f, stack.card)?;
    }
    Ok(())
}
