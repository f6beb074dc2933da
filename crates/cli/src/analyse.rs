//! `quincunx analyse`: what an engine thinks of every move of a record, as text, JSON and a picture.

use std::{io::Write, path::PathBuf, sync::atomic::Ordering};

use clap::Args;
use plotters::prelude::*;
use quincunx_core::{DynSession, Seat};
use quincunx_engine::{Judged, Review, Verdict, accuracy_of};
use quincunx_terminal::files;
use serde_json::json;

use crate::{
    commands::{BOLD, QUIET, status},
    failure::{self, Failure},
    progress::{bar, interruption},
    think::{Thinking, texts},
};

/// Arguments of `analyse`.
#[derive(Args)]
pub(crate) struct Analyse {
    /// A record, as text or JSON; - reads standard input
    record: String,
    #[command(flatten)]
    thinking: Thinking,
    /// Draw what each seat could expect, move by move, into this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// One JSON object a move
    #[arg(long)]
    json: bool,
}

impl Analyse {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let path = &self.record;
        let table = files::replay(path)?;
        let moves = self.think_through(&*table)?;
        if let Some(file) = &self.svg {
            draw(&*table, &moves, file).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        for made in &moves {
            if self.json {
                writeln!(out, "{}", json!(made))?;
            } else {
                print(made, out)?;
            }
        }
        if !self.json {
            writeln!(out, "\n{}", status(&*table))?;
            for seat in Seat::all(table.seats()) {
                if let Some(accuracy) = accuracy_of(&moves, seat) {
                    let luck: f32 = moves.iter().filter_map(|made| made.luck.get(seat.index())).sum();
                    write!(out, "seat {seat}: accuracy {accuracy:.0} %")?;
                    if moves.iter().any(|made| !made.luck.is_empty()) {
                        write!(out, ", luck {:+.0} points", luck * 100.0)?;
                    }
                    writeln!(out)?;
                }
            }
        }
        Ok(())
    }

    /// What the engine makes of the moves, of as many as there was time for.
    fn think_through(&self, table: &dyn DynSession) -> Result<Vec<Judged>, Failure> {
        let interrupted = interruption()?;
        let bar = bar(table.ply() as u64, "{bar:30} {pos}/{len} actions, about {eta} left");
        let (mut review, mut failure) = (Review::of(table), None);
        let mut moves = Vec::new();
        while review.done() < review.of_actions() && failure.is_none() {
            review.step(|table, action| {
                self.thinking.judge(table, action, interrupted).map_err(|why| failure = Some(why)).ok()
            });
            if interrupted.load(Ordering::Relaxed) {
                // What the last move gave away would be seen by a thought that was broken off.
                anstream::eprintln!("Stopped after {} of {} actions.", bar.position(), review.of_actions());
                moves.pop();
                break;
            }
            bar.set_position(review.done() as u64);
            moves = review.moves().to_vec();
        }
        bar.finish_and_clear();
        failure.map_or(Ok(moves), Err)
    }
}

fn print(made: &Judged, out: &mut impl Write) -> Result<(), Failure> {
    const WIDTH: f32 = 20.0;
    let share = made.own_share().unwrap_or(0.5);
    let bars = "▇".repeat((share * WIDTH).round() as usize);
    let style = failure::STYLE;
    let (ply, seat, action) = (made.ply, made.seat.number(), &made.action);
    write!(out, "{ply:>4}  seat {seat}  {BOLD}{action:<20}{BOLD:#} {:>5.1} %  {bars:<20}", share * 100.0)?;
    match made.verdict {
        Some(verdict) if verdict.is_bad() => writeln!(out, "  {style}{verdict}{style:#}: {}", texts(&made.line))?,
        Some(Verdict::OnlyMove) => writeln!(out, "  {}", Verdict::OnlyMove)?,
        _ if made.action != made.better => writeln!(out, "  {QUIET}{}{QUIET:#}", made.better)?,
        _ => writeln!(out)?,
    }
    Ok(())
}

/// A line for each seat: what it could expect at each move.
fn draw(table: &dyn DynSession, moves: &[Judged], file: &PathBuf) -> Result<(), Box<dyn std::error::Error>> {
    // Told apart also by people who do not see all colours.
    const COLOURS: [RGBColor; 4] =
        [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115), RGBColor(204, 121, 167)];
    let area = SVGBackend::new(file, (900, 420)).into_drawing_area();
    area.fill(&RGBColor(255, 253, 248))?;
    let last = moves.last().map_or(1, |made| made.ply).max(2);
    let mut chart = ChartBuilder::on(&area)
        .caption(format!("{}: what each seat could expect", table.kind().title()), ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(1..last, 0.0_f32..100.0_f32)?;
    chart.configure_mesh().light_line_style(TRANSPARENT).x_desc("action").y_desc("%").draw()?;
    for seat in 0..usize::from(table.seats()) {
        let colour = COLOURS[seat % COLOURS.len()];
        let points: Vec<(usize, f32)> =
            moves.iter().filter_map(|made| Some((made.ply, made.expected.get(seat)? * 100.0))).collect();
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(format!("seat {seat}"))
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    let mistakes = moves.iter().filter(|made| made.verdict.is_some_and(Verdict::is_bad));
    let marks = mistakes.filter_map(|made| Some((made.ply, made.own_share()? * 100.0, made.seat.index())));
    chart.draw_series(marks.map(|(ply, share, seat)| Circle::new((ply, share), 5, COLOURS[seat].filled())))?;
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK.mix(0.3)).draw()?;
    area.present()?;
    Ok(())
}
