//! The table of Castle Builders as text: the towers under their roofs, row values at the left, pennants at the ends.

use std::fmt;

use anstyle::{AnsiColor, Style};
use quincunx_core::painted;

use super::view::{Arrows, AwardView, CounterView, CountsView, PlayerView, TowerView, View};

/// Columns for each tower.
const WIDTH: usize = 6;

fn style(seat: u8) -> Style {
    if seat == 0 { AnsiColor::Yellow.on_default() } else { AnsiColor::Green.on_default() }
}

fn initial(seat: u8) -> char {
    if seat == 0 { 'Y' } else { 'G' }
}

/// Who gets how many points, in five columns.
fn write_pennant(f: &mut fmt::Formatter<'_>, award: &AwardView) -> fmt::Result {
    match award.seat {
        Some(seat) => painted(f, style(seat), format_args!(" {}{:<3}", initial(seat), award.points)),
        None => f.write_str(" -   "),
    }
}

/// A counter, in three columns.
fn write_counter(f: &mut fmt::Formatter<'_>, counter: &CounterView) -> fmt::Result {
    let arrows = match counter.arrows {
        Some(Arrows::Vertical) => '|',
        Some(Arrows::Horizontal) => '-',
        None => ' ',
    };
    painted(f, style(counter.seat), format_args!("{}{}{arrows}", initial(counter.seat), counter.kind))
}

/// What is seen of a tower at the height of a row: a space, the roof above the last one, or the sky.
fn write_storey(f: &mut fmt::Formatter<'_>, tower: &TowerView, row: usize) -> fmt::Result {
    match tower.spaces.get(row) {
        Some(space) => {
            f.write_str("[")?;
            match space {
                Some(counter) => write_counter(f, counter)?,
                None => f.write_str("   ")?,
            }
            f.write_str("] ")
        }
        None if row == tower.spaces.len() => write!(f, "/{:^3}\\ ", tower.roof),
        None => write!(f, "{:WIDTH$}", ""),
    }
}

fn write_counts(f: &mut fmt::Formatter<'_>, counts: CountsView) -> fmt::Result {
    let CountsView { o, c, b, r, k, s } = counts;
    let held = [('O', o), ('C', c), ('B', b), ('R', r), ('K', k), ('S', s)].into_iter().filter(|held| held.1 > 0);
    let texts: Vec<String> = held.map(|(letter, number)| format!("{number}{letter}")).collect();
    f.write_str(if texts.is_empty() { "nothing".to_owned() } else { texts.join(" ") }.as_str())
}

fn write_player(f: &mut fmt::Formatter<'_>, player: &PlayerView) -> fmt::Result {
    painted(f, style(player.seat), format_args!("{:6} (seat {})", player.colour, player.seat))?;
    let hand: Vec<char> = match &player.hand {
        Some(hand) => hand.clone(),
        None => vec!['?'; player.hand_size as usize],
    };
    let hand: Vec<String> = hand.iter().map(ToString::to_string).collect();
    let hand = if hand.is_empty() { "-".to_owned() } else { hand.join(" ") };
    write!(f, "  points {:<3} hand {hand:<3}  pile {:<3} discarded ", player.score, player.pile_size)?;
    write_counts(f, player.discard)?;
    writeln!(f)
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..=self.rows.len()).rev() {
            match self.rows.get(row) {
                Some(row) => write!(f, "{:>4}  ", row.value)?,
                None => f.write_str("      ")?,
            }
            for tower in &self.towers {
                write_storey(f, tower, row)?;
            }
            if let Some(row) = self.rows.get(row) {
                write_pennant(f, &row.award)?;
            }
            writeln!(f)?;
        }
        f.write_str("      ")?;
        for tower in &self.towers {
            write_pennant(f, &tower.award)?;
            f.write_str(" ")?;
        }
        f.write_str("\ntower ")?;
        for tower in &self.towers {
            write!(f, "  {:<1$}", tower.number, WIDTH - 2)?;
        }
        writeln!(f)?;

        for player in &self.players {
            write_player(f, player)?;
        }
        let colour = |seat: u8| self.players[seat as usize].colour;
        match (&self.outcome, self.to_move, self.drawing) {
            (Some(outcome), ..) => match outcome.winners.first() {
                Some(&winner) => writeln!(f, "{} (seat {winner}) wins: {}", colour(winner), outcome.reason),
                None => writeln!(f, "draw: {}", outcome.reason),
            },
            (None, Some(seat), _) => writeln!(f, "{} (seat {seat}) plays a counter", colour(seat)),
            (None, None, Some(seat)) => writeln!(f, "{} (seat {seat}) draws a counter", colour(seat)),
            (None, None, None) => Ok(()),
        }
    }
}
