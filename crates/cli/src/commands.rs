//! The commands that answer at once.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use anstyle::{AnsiColor, Effects, Style};
use quincunx_arena::WallClock;
use quincunx_core::{Actor, Credits, DynSession, OutcomeJson, Record, Turn, Viewer, all_codes, find};
use quincunx_games::GAMES;
use quincunx_rpc::Rpc;
use quincunx_terminal::files;
use rand::rngs::{StdRng, SysRng};
use serde_json::{Value, json};

use crate::{Form, SchemaOf, failure::Failure, markdown, viewer};

pub(crate) const BOLD: Style = Style::new().effects(Effects::BOLD);
pub(crate) const QUIET: Style = Style::new().effects(Effects::DIMMED);
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();

pub(crate) fn games(json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if json {
        for game in GAMES {
            let options = game.options_schema();
            let line = json!({"id": game.id(), "title": game.title(), "seats": game.seats(), "options": options});
            writeln!(out, "{line}")?;
        }
        return Ok(());
    }
    writeln!(out, "{BOLD}{:<18}{:<18}{:<10}by{BOLD:#}", "game", "title", "players")?;
    for game in GAMES {
        let seats: Vec<String> = game.seats().iter().map(ToString::to_string).collect();
        let schema = game.options_schema();
        let names = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        let options = names.collect::<Vec<_>>().join(", ");
        let Credits { by, also } = game.credits();
        writeln!(out, "{:<18}{:<18}{:<10}{by}", game.id(), game.title(), seats.join(", "))?;
        if !also.is_empty() {
            writeln!(out, "{:<18}{QUIET}{also}{QUIET:#}", "")?;
        }
        writeln!(out, "{:<18}{QUIET}options: {options}{QUIET:#}", "")?;
    }
    writeln!(out, "\nquincunx rules <game> tells how it is played, quincunx play <game> plays it.")?;
    Ok(())
}

pub(crate) fn rules(game: &str, out: &mut impl Write) -> Result<(), Failure> {
    let page = find(GAMES, game)?.rules();
    // Lines much longer than this are hard to read, however wide the terminal is.
    let width = textwrap::termwidth().clamp(20, 90);
    out.write_all(markdown::render(page, width).as_bytes())?;
    Ok(())
}

pub(crate) fn schema(game: &str, of: SchemaOf, out: &mut impl Write) -> Result<(), Failure> {
    if game == "reasons" {
        writeln!(out, "{:#}", json!(all_codes(GAMES)))?;
        return Ok(());
    }
    let kind = find(GAMES, game)?;
    let schema = match of {
        SchemaOf::Options => kind.options_schema(),
        SchemaOf::View => kind.view_schema(),
    };
    writeln!(out, "{schema:#}")?;
    Ok(())
}

pub(crate) fn show(
    path: &str,
    ply: Option<usize>,
    seat: Option<&str>,
    json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut table = files::replay(path)?;
    let viewer = viewer(seat, table.seats())?;
    let plies = table.ply();
    let ply = ply.unwrap_or(plies);
    let Some(back) = plies.checked_sub(ply) else {
        return Err(format!("--ply {ply}: this record has {plies} actions").into());
    };
    table.undo(back as u64)?;
    if json {
        writeln!(out, "{}", json!(table.position(viewer)))?;
        return Ok(());
    }
    writeln!(out, "{BOLD}{}{BOLD:#}, {}", table.kind().title(), after(&*table, viewer, plies))?;
    for (name, value) in table.headers() {
        writeln!(out, "{QUIET}{name}: {value}{QUIET:#}")?;
    }
    writeln!(out, "\n{}\n\n{}", table.picture(viewer, true).trim_end(), status(&*table))?;
    Ok(())
}

/// Where in the game this is: `after action 20 of 57: seat 0 c3`.
fn after(table: &dyn DynSession, viewer: Viewer, plies: usize) -> String {
    match table.log(viewer).last() {
        None => format!("before the first of {plies} actions"),
        Some(line) => {
            let who = match line.by {
                Actor::Seat(seat) => format!("seat {seat}"),
                Actor::Chance => "chance".to_owned(),
            };
            format!("after action {} of {plies}: {who} {}", table.ply(), line.action)
        }
    }
}

/// Whose turn it is, or how the game ended.
pub(crate) fn status(table: &dyn DynSession) -> String {
    match (table.outcome(), table.turn()) {
        (Some(outcome), _) => ending(&outcome.into()),
        (None, Turn::Seat(seat)) => format!("Seat {seat} is to move."),
        (None, _) => "Chance is next.".to_owned(),
    }
}

fn ending(outcome: &OutcomeJson) -> String {
    let reason = outcome.reason.replace('-', " ");
    match outcome.winners[..] {
        [] => format!("A draw ({reason})."),
        [seat] => format!("Seat {seat} has won ({reason})."),
        _ => {
            let seats: Vec<String> = outcome.winners.iter().map(ToString::to_string).collect();
            format!("Seats {} have won ({reason}).", seats.join(" and "))
        }
    }
}

pub(crate) fn check(paths: &[String], json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let mut all_good = true;
    for path in paths {
        let checked = files::read_text(path).map_err(|error| error.to_string()).and_then(|text| {
            let table = files::parse(&text).and_then(|record| record.replay(GAMES));
            table.map_err(|error| error.to_string())
        });
        all_good &= checked.is_ok();
        match checked {
            Ok(table) if json => {
                let (game, plies) = (table.kind().id(), table.ply());
                writeln!(out, "{}", json!({"record": path, "ok": true, "game": game, "actions": plies}))?;
            }
            Ok(table) => {
                let (title, plies) = (table.kind().title(), table.ply());
                writeln!(out, "{path}: {GOOD}good{GOOD:#}, {title}, {plies} actions. {}", status(&*table))?;
            }
            Err(why) if json => writeln!(out, "{}", json!({"record": path, "ok": false, "error": why}))?,
            Err(why) => writeln!(out, "{path}: {BAD}{why}{BAD:#}")?,
        }
    }
    if all_good { Ok(()) } else { Err(Failure::Said) }
}

pub(crate) fn convert(path: &str, to: Option<Form>, out: &mut impl Write) -> Result<(), Failure> {
    let text = files::read_text(path).map_err(|error| format!("{path}: {error}"))?;
    let record = files::parse(&text).and_then(|record| record.replay(GAMES));
    let record: Record = record.map_err(|error| format!("{path}: {error}"))?.record();
    let other = if files::is_json(&text) { Form::Text } else { Form::Json };
    let written = match to.unwrap_or(other) {
        Form::Text => record.to_text(),
        Form::Json => with_newline(&record.to_json()),
    };
    out.write_all(written.as_bytes())?;
    Ok(())
}

fn with_newline(json: &Value) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{json:#}");
    text
}

pub(crate) fn rpc(out: &mut impl Write) -> Result<(), Failure> {
    let rng: StdRng =
        rand::SeedableRng::try_from_rng(&mut SysRng).map_err(|error| format!("no random numbers: {error}"))?;
    let mut rpc = Rpc::new(GAMES, Box::new(rng), Box::new(WallClock::default()));
    quincunx_rpc::serve(&mut rpc, io::stdin().lock(), out)?;
    Ok(())
}
