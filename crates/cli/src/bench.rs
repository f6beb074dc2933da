//! Commands that measure: random games, and counts of sequences.

use std::{
    io::Write,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use clap::Args;
use quincunx_core::DynSession;
use quincunx_games::GAMES;
use serde_json::json;

use crate::{
    Start,
    commands::BOLD,
    failure::Failure,
    progress::{bar, interruption},
};

/// Arguments of `bench playouts`.
#[derive(Args)]
pub(crate) struct Playouts {
    /// Only this game [default: all]
    game: Option<String>,
    #[command(flatten)]
    start: Start,
    /// How long to measure each game
    #[arg(long, default_value_t = 3.0, value_parser = seconds)]
    seconds: f64,
    /// Seed of the random player
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number")?;
    if (0.01..=3600.0).contains(&number) { Ok(number) } else { Err("from 0.01 to 3600 seconds".to_owned()) }
}

struct Measured {
    table: Box<dyn DynSession>,
    games: u64,
    games_per_s: f64,
    actions_per_s: f64,
    mean_actions: f64,
}

impl Playouts {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let games: Vec<&str> = match &self.game {
            Some(game) => vec![game],
            None => GAMES.iter().map(|game| game.id()).collect(),
        };
        let mut all = Vec::new();
        let interrupted = interruption()?;
        for game in games {
            if interrupted.load(Ordering::Relaxed) {
                break;
            }
            let measured = self.measure(self.start.table(game)?, interrupted);
            if self.json {
                writeln!(
                    out,
                    "{}",
                    json!({
                        "game": game, "seats": measured.table.seats(), "games": measured.games,
                        "games_per_s": measured.games_per_s.round(),
                        "actions_per_s": measured.actions_per_s.round(),
                        "mean_actions": (measured.mean_actions * 100.0).round() / 100.0,
                    })
                )?;
                out.flush()?;
            } else {
                all.push(measured);
            }
        }
        if !self.json {
            print_table(&all, out)?;
        }
        Ok(())
    }

    fn measure(&self, table: Box<dyn DynSession>, interrupted: &AtomicBool) -> Measured {
        let bar = bar((self.seconds * 1000.0) as u64, "{bar:30} {msg}, about {eta} left");
        bar.set_message(table.kind().title());
        let started = Instant::now();
        let mut drawn = Duration::ZERO;
        let done = table.playouts(self.seed, &mut |_| {
            let elapsed = started.elapsed();
            if elapsed > drawn + Duration::from_millis(100) {
                drawn = elapsed;
                bar.set_position(elapsed.as_millis() as u64);
            }
            elapsed.as_secs_f64() < self.seconds && !interrupted.load(Ordering::Relaxed)
        });
        let took = started.elapsed().as_secs_f64();
        bar.finish_and_clear();
        Measured {
            table,
            games: done.games,
            games_per_s: done.games as f64 / took,
            actions_per_s: done.actions as f64 / took,
            mean_actions: done.mean_actions(),
        }
    }
}

/// Figures with a bar for each, on a scale of its own column: what people compare, they see.
fn print_table(all: &[Measured], out: &mut impl Write) -> Result<(), Failure> {
    const WIDTH: f64 = 24.0;
    let most = all.iter().map(|measured| measured.actions_per_s).fold(f64::MIN_POSITIVE, f64::max);
    writeln!(
        out,
        "{BOLD}{:<18}{:>6}{:>12}{:>15}{:>14}  actions/s{BOLD:#}",
        "game", "seats", "games/s", "actions/s", "mean actions"
    )?;
    for measured in all {
        writeln!(
            out,
            "{:<18}{:>6}{:>12}{:>15}{:>14.1}  {}",
            measured.table.kind().id(),
            measured.table.seats(),
            grouped(measured.games_per_s),
            grouped(measured.actions_per_s),
            measured.mean_actions,
            "▇".repeat((measured.actions_per_s / most * WIDTH).ceil() as usize),
        )?;
    }
    Ok(())
}

/// A rate with its thousands apart: `1,234,567`.
fn grouped(rate: f64) -> String {
    let digits = format!("{rate:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub(crate) fn perft(table: &dyn DynSession, depth: u32, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if !json {
        writeln!(out, "{BOLD}{:>5}{:>20}{:>12}{:>16}{BOLD:#}", "depth", "sequences", "seconds", "sequences/s")?;
    }
    let interrupted = interruption()?;
    for depth in 1..=depth {
        let bar = bar(0, "depth {msg} {bar:30} {pos}/{len} first actions, about {eta} left");
        bar.set_message(depth.to_string());
        let started = Instant::now();
        let count = table.perft(depth, &mut |done, of| {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
            !interrupted.load(Ordering::Relaxed)
        });
        let took = started.elapsed().as_secs_f64();
        bar.finish_and_clear();
        let Some(count) = count else {
            anstream::eprintln!("Depth {depth} was not counted to its end.");
            break;
        };
        if json {
            let (game, seats) = (table.kind().id(), table.seats());
            let line = json!({"game": game, "seats": seats, "depth": depth, "sequences": count, "seconds": took});
            writeln!(out, "{line}")?;
        } else {
            let rate = grouped(count as f64 / took.max(1e-9));
            writeln!(out, "{depth:>5}{count:>20}{took:>12.3}{rate:>16}")?;
        }
        out.flush()?;
        if count == 0 {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_stand_apart() {
        let rates = [0.4, 999.0, 1000.0, 1_234_567.0];
        assert_eq!(rates.map(super::grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
