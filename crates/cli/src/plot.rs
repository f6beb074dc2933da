//! Pictures of results: as text at the end of what a command prints, and as SVG files.

use std::{error::Error, path::Path};

use plotters::prelude::*;
use quincunx_arena::{Calibration, Estimate, Score};

/// Told apart also by people who do not see all colours.
pub(crate) const COLOURS: [RGBColor; 4] =
    [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115), RGBColor(204, 121, 167)];
pub(crate) const PAPER: RGBColor = RGBColor(255, 253, 248);

/// The score of a player after each round, with its 95 % band and the fair share, as lines of text. Nothing of a single round.
pub(crate) fn running_score(history: &[Score], fair: f64) -> Vec<String> {
    const WIDTH: usize = 60;
    const HEIGHT: usize = 9;
    let columns = history.len().min(WIDTH);
    if columns < 2 {
        return Vec::new();
    }
    let scores: Vec<&Score> = (1..=columns).map(|column| &history[column * history.len() / columns - 1]).collect();
    // The first rounds prove next to nothing: their band would leave no room for the others.
    let [low, high] = range(&scores[columns / 8..], fair);
    let row =
        |share: f64| ((high - share) / (high - low) * (HEIGHT - 1) as f64).round().clamp(0.0, (HEIGHT - 1) as f64);
    let fair_row = row(fair) as usize;
    let mut lines: Vec<String> = (0..HEIGHT)
        .map(|line| {
            let label = match line {
                0 => format!("{:>3.0} %", high * 100.0),
                line if line == fair_row => format!("{:>3.0} %", fair * 100.0),
                line if line == HEIGHT - 1 => format!("{:>3.0} %", low * 100.0),
                _ => " ".repeat(5),
            };
            let cell = |score: &&Score| {
                let [bottom, top] = score.interval().map(|share| row(share) as usize);
                match line {
                    line if line == row(score.mean()) as usize => '━',
                    line if (top..=bottom).contains(&line) => '░',
                    line if line == fair_row => '┈',
                    _ => ' ',
                }
            };
            let cells: String = scores.iter().map(cell).collect();
            format!("{label} ┤{cells}").trim_end().to_owned()
        })
        .collect();
    let last = format!("{} rounds", history.len());
    lines.push(format!("{:>8}{last:>width$}", 1, width = columns.saturating_sub(1).max(last.len() + 1)));
    lines
}

/// Tens of percent that hold all these bands and the fair share.
fn range(scores: &[&Score], fair: f64) -> [f64; 2] {
    let [low, high] = scores
        .iter()
        .map(|score| score.interval())
        .fold([fair, fair], |[low, high], [from, to]| [low.min(from), high.max(to)]);
    let [low, high] = [(low * 10.0 - 0.01).floor() / 10.0, (high * 10.0 + 0.01).ceil() / 10.0];
    [low.max(0.0), high.min(1.0)]
}

/// The same as an SVG file.
pub(crate) fn draw_running_score(
    file: &Path,
    caption: &str,
    history: &[Score],
    fair: f64,
) -> Result<(), Box<dyn Error>> {
    /// More points than this are not seen.
    const MOST: usize = 800;
    let area = SVGBackend::new(file, (900, 420)).into_drawing_area();
    area.fill(&PAPER)?;
    let last = history.len().max(2);
    let mut chart = ChartBuilder::on(&area)
        .caption(caption, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(1..last, 0.0..100.0)?;
    chart.configure_mesh().light_line_style(TRANSPARENT).x_desc("round").y_desc("% of the points").draw()?;
    let step = history.len().div_ceil(MOST).max(1);
    let rounds: Vec<usize> = (1..=history.len()).filter(|round| round % step == 0 || *round == history.len()).collect();
    let bounds = |side: usize| rounds.iter().map(move |&round| (round, history[round - 1].interval()[side] * 100.0));
    let band: Vec<(usize, f64)> = bounds(0).chain(bounds(1).collect::<Vec<_>>().into_iter().rev()).collect();
    chart.draw_series([Polygon::new(band, COLOURS[0].mix(0.2))])?;
    chart.draw_series(LineSeries::new([(1, fair * 100.0), (last, fair * 100.0)], BLACK.mix(0.4)))?;
    let means = rounds.iter().map(|&round| (round, history[round - 1].mean() * 100.0));
    chart.draw_series(LineSeries::new(means, COLOURS[0].stroke_width(2)))?;
    area.present()?;
    Ok(())
}

/// A reliability diagram as an SVG file: for each tenth of what was expected what came of it, before and after a correction. The
/// size of a point tells how many decisions it stands for; a line through it is the 95 % interval.
pub(crate) fn draw_reliability(
    file: &Path,
    caption: &str,
    before: &Calibration,
    after: &Calibration,
) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(file, (560, 560)).into_drawing_area();
    area.fill(&PAPER)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(caption, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..100.0, 0.0..100.0)?;
    chart.configure_mesh().light_line_style(TRANSPARENT).x_desc("expected %").y_desc("actual %").draw()?;
    chart.draw_series(LineSeries::new([(0.0, 0.0), (100.0, 100.0)], BLACK.mix(0.4)))?;
    for (colour, name, calibration) in [(COLOURS[0], "as it is", before), (COLOURS[1], "with the fit", after)] {
        let most = calibration.bins.iter().map(|bin| bin.count).max().unwrap_or(0).max(1) as f64;
        let bins = || calibration.bins.iter().filter_map(|bin| Some((bin.count, bin.expected? * 100.0, bin.actual?)));
        chart.draw_series(bins().map(|(_, expected, actual)| {
            PathElement::new(vec![(expected, actual.low * 100.0), (expected, actual.high * 100.0)], colour.mix(0.6))
        }))?;
        let point = |(count, expected, actual): (u64, f64, Estimate)| {
            // Its area is the number, and even a single decision is seen.
            let radius = 3.0 + 9.0 * (count as f64 / most).sqrt();
            Circle::new((expected, actual.value * 100.0), radius.round() as i32, colour.mix(0.7).filled())
        };
        chart
            .draw_series(bins().map(point))?
            .label(name)
            .legend(move |(x, y)| Circle::new((x + 9, y), 5, colour.mix(0.7).filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(shares: impl IntoIterator<Item = f64>) -> Vec<Score> {
        let mut score = Score::default();
        shares
            .into_iter()
            .map(|share| {
                score.add(share);
                score
            })
            .collect()
    }

    #[test]
    fn a_running_score_is_drawn_with_its_band_and_the_fair_share() {
        let text = running_score(&history((0..40).map(|round| if round % 4 == 0 { 0.5 } else { 1.0 })), 0.5);
        let expected = [
            "100 % ┤░░░░░░░░░░░░░░░░░░░░░░░░░░░░",
            "      ┤░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░",
            "      ┤░░━━░━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━",
            "      ┤░━░░━░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░",
            "      ┤░░░░░░░░░░░░░░░ ░░",
            "      ┤░░░░░░░ ░",
            "      ┤░░░░░░",
            " 50 % ┤━░░┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈",
            " 40 % ┤░░",
            "       1                              40 rounds",
        ];
        assert_eq!(text, expected);
    }

    #[test]
    fn every_number_of_rounds_fits_the_width() {
        for rounds in [2, 3, 59, 60, 61, 1000] {
            let lines = running_score(&history((0..rounds).map(|round| f64::from(round % 2))), 0.25);
            assert_eq!(lines.len(), 10);
            assert!(lines.iter().all(|line| line.chars().count() <= 67), "{}", lines.join("\n"));
            let means = lines.iter().map(|line| line.matches('━').count()).sum::<usize>();
            assert_eq!(means, usize::try_from(rounds).unwrap().min(60), "one in each column");
        }
        assert!(running_score(&history([1.0]), 0.5).is_empty(), "one round is no curve");
    }
}
