//! `quincunx calibrate`: whether what an engine expects comes true, and the correction that makes it so.

use std::{collections::BTreeSet, io::Write, num::NonZeroUsize, path::PathBuf, thread};

use clap::Args;
use quincunx_arena::{Calibration, Estimate, Fit, SelfPlay, calibration, cross_fitted, fit};
use quincunx_core::{DynSession, Seat};
use quincunx_engine::Correction;
use serde_json::{Value, json};

use crate::{
    Start,
    commands::BOLD,
    failure::Failure,
    plot,
    progress::{bar, interruption},
    think::Thinking,
};

/// Arguments of `calibrate`.
#[derive(Args)]
pub(crate) struct Calibrate {
    /// A game, such as trexo
    game: String,
    #[command(flatten)]
    start: Start,
    /// Games of the engine against itself, at least 20
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    games: u32,
    #[command(flatten)]
    thinking: Thinking,
    /// Random turns at the beginning of each game; none ends the game
    #[arg(long, default_value_t = 4)]
    opening: u32,
    /// Games at the same time [default: as many as the cores have threads for]
    #[arg(long, value_name = "GAMES")]
    parallel: Option<NonZeroUsize>,
    /// Draw expected against actual results, before and after the fit, into this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Below this no interval means anything.
const LEAST_GAMES: usize = 20;

/// What came out.
struct Report {
    games: usize,
    decisions: usize,
    before: Calibration,
    /// With the fit, each half of the games corrected by the other half.
    after: Calibration,
    in_force: Correction,
    fitted: Fit,
}

impl Calibrate {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let table = self.start.table(&self.game)?;
        if (self.games as usize) < LEAST_GAMES {
            return Err(
                format!("--games {} is too few to tell anything: give {LEAST_GAMES} or more", self.games).into()
            );
        }
        let report = self.measure(&*table)?;
        if let Some(file) = &self.svg {
            let caption = format!("{}: expected and actual results", table.kind().title());
            let drawn = plot::draw_reliability(file, &caption, &report.before, &report.after);
            drawn.map_err(|error| format!("{}: {error}", file.display()))?;
        }
        if self.json {
            writeln!(out, "{}", self.json(&*table, &report))?;
            Ok(())
        } else {
            self.print(&*table, &report, out)
        }
    }

    fn measure(&self, table: &dyn DynSession) -> Result<Report, Failure> {
        let interrupted = interruption()?;
        let bar = bar(u64::from(self.games), "{bar:30} {pos}/{len} games, about {eta} left");
        let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN).get();
        let fit_at_once = NonZeroUsize::new(cores / self.thinking.machine.threads).unwrap_or(NonZeroUsize::MIN);
        let play = SelfPlay {
            table,
            engine: self.thinking.level,
            budget: self.thinking.budget(&self.game),
            threads: self.thinking.machine.threads,
            games: self.games,
            opening: self.opening,
            seed: self.thinking.seed,
            at_once: self.parallel.unwrap_or(fit_at_once),
        };
        let games = play.forecasts(interrupted, &|| bar.inc(1));
        bar.finish_and_clear();
        let games = games?;
        if games.len() < LEAST_GAMES {
            return Err(format!("only {} games were over: at least {LEAST_GAMES} are needed", games.len()).into());
        }
        let sides: BTreeSet<u8> = Seat::all(table.seats()).map(|seat| table.side(seat)).collect();
        Ok(Report {
            games: games.len(),
            decisions: games.iter().map(Vec::len).sum(),
            before: calibration(&games, self.thinking.seed),
            after: calibration(&cross_fitted(&games), self.thinking.seed),
            in_force: Correction::in_force(table.kind().id(), table.seats(), sides.len()),
            fitted: fit(&games),
        })
    }

    fn json(&self, table: &dyn DynSession, report: &Report) -> Value {
        let set =
            |Correction { scale, shift }| json!({ "scale": rounded(scale.into()), "shift": rounded(shift.into()) });
        let Fit { scale, shift } = report.fitted;
        json!({
            "game": table.kind().id(),
            "seats": table.seats(),
            "player": self.thinking.level.to_string(),
            "games": report.games,
            "decisions": report.decisions,
            "expected": as_json(&report.before),
            "corrected": as_json(&report.after),
            "correction": {
                "in_force": set(report.in_force),
                "fitted": {
                    "scale": rounded(scale.value), "scale95": interval(scale),
                    "shift": rounded(shift.value), "shift95": interval(shift),
                },
                "to_be_set": set(report.in_force.then(report.fitted.correction())),
            },
        })
    }

    fn print(&self, table: &dyn DynSession, report: &Report, out: &mut impl Write) -> Result<(), Failure> {
        const WIDTH: f64 = 24.0;
        let Report { games, decisions, before, after, in_force, fitted } = report;
        let (title, level) = (table.kind().title(), self.thinking.level);
        writeln!(out, "{BOLD}{title}, {level} against itself: {games} games, {decisions} decisions{BOLD:#}")?;
        writeln!(out, "{:>11}{:>11}{:>10}{:>10}  (95 %)", "", "decisions", "expected", "actual")?;
        for (number, bin) in before.bins.iter().enumerate() {
            let name = format!("{} to {} %", number * 10, number * 10 + 10);
            let (Some(expected), Some(actual)) = (bin.expected, bin.actual) else {
                writeln!(out, "{name:>11}{:>11}", 0)?;
                continue;
            };
            let bars = "▇".repeat((actual.value * WIDTH).round() as usize);
            let [value, low, high] = [actual.value, actual.low, actual.high].map(|share| share * 100.0);
            let around = format!("[{low:.1}, {high:.1}]");
            let expected = expected * 100.0;
            writeln!(out, "{name:>11}{:>11}{expected:>10.1}{value:>10.1}  {around:<16}{bars}", bin.count)?;
        }
        writeln!(out, "\n{:<28}{:<24}with the fit, on games it has not seen", "", "as it is")?;
        let [points, plain] = [|error: f64| format!("{:.1}", error * 100.0), |score: f64| format!("{score:.4}")];
        for (name, [as_is, fitted], write) in [
            ("expected calibration error", [before.error, after.error], points),
            ("Brier score", [before.brier, after.brier], plain),
            ("log loss", [before.log_loss, after.log_loss], plain),
        ] {
            let text = |Estimate { value, low, high }| format!("{} [{}, {}]", write(value), write(low), write(high));
            writeln!(out, "{name:<28}{:<24}{}", text(as_is), text(fitted))?;
        }
        let Fit { scale, shift } = fitted;
        let set = in_force.then(fitted.correction());
        writeln!(out, "\nin force:       scale {:.3}, shift {:+.3}", in_force.scale, in_force.shift)?;
        writeln!(
            out,
            "fitted on top:  scale {:.3} [{:.3}, {:.3}], shift {:+.3} [{:+.3}, {:+.3}]",
            scale.value, scale.low, scale.high, shift.value, shift.low, shift.high
        )?;
        writeln!(out, "to be set:      scale {:.3}, shift {:+.3}", set.scale, set.shift)?;
        Ok(())
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

fn interval(Estimate { low, high, .. }: Estimate) -> [f64; 2] {
    [low, high].map(rounded)
}

fn as_json(Calibration { bins, error, brier, log_loss }: &Calibration) -> Value {
    let bins = bins.iter().enumerate().map(|(number, bin)| {
        let actual = bin.actual;
        json!({
            "from": rounded(number as f64 / 10.0),
            "to": rounded((number + 1) as f64 / 10.0),
            "decisions": bin.count,
            "expected": bin.expected.map(rounded),
            "actual": actual.map(|actual| rounded(actual.value)),
            "actual95": actual.map(interval),
        })
    });
    json!({
        "bins": bins.collect::<Vec<_>>(),
        "error": rounded(error.value), "error95": interval(*error),
        "brier": rounded(brier.value), "brier95": interval(*brier),
        "log_loss": rounded(log_loss.value), "log_loss95": interval(*log_loss),
    })
}
