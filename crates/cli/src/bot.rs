//! `quincunx bot`: our engines on the bot protocol (`docs/bots.md`).
//!
//! A bot hears only what its seat may see. The engines need whole positions to think about, so the bot keeps one that it
//! imagines: whatever it hears of hidden actions is filled in at random, and where that turns out to be wrong, what is
//! hidden is imagined anew until all that was heard is possible.

use std::io::{self, BufRead, Write};
use std::sync::atomic::AtomicBool;

use quincunx_arena::{Contestant, PROTOCOL};
use quincunx_core::{Actor, DynSession, Seat, Step, Turn, Viewer, find};
use quincunx_engine::Engine;
use quincunx_games::GAMES;
use rand::{
    Rng, RngExt,
    rngs::{StdRng, SysRng},
};
use serde::Deserialize;
use serde_json::Value;

use crate::{failure::Failure, think::Machine};

/// How often a position is imagined anew before the bot gives up and plays any legal action.
const ATTEMPTS: u32 = 20_000;

#[derive(Deserialize)]
struct NewGame {
    game: String,
    seats: u64,
    seat: u64,
    options: Value,
}

#[derive(Deserialize)]
struct Go {
    millis: Option<u64>,
    nodes: Option<u64>,
}

/// The game as the bot imagines it.
struct Imagined {
    seat: Seat,
    table: Box<dyn DynSession>,
    /// What was heard since then and is not yet part of it.
    heard: Vec<Step>,
}

pub(crate) fn run(level: Engine, machine: Machine, out: &mut impl Write) -> Result<(), Failure> {
    let mut rng: StdRng =
        rand::SeedableRng::try_from_rng(&mut SysRng).map_err(|error| format!("no random numbers: {error}"))?;
    let mut game: Option<Imagined> = None;
    let mut position = Value::Null;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match (word, &mut game) {
            ("quincunx", _) if rest == PROTOCOL.to_string() => {
                writeln!(out, "name quincunx {level}\nready")?;
                out.flush()?;
            }
            ("quincunx", _) => return Err(format!("this bot speaks version {PROTOCOL} of the protocol").into()),
            ("newgame", _) => game = Some(begin(&read(rest)?)?),
            ("did", Some(game)) => game.heard.push(read(rest)?),
            ("position", _) => position = read(rest)?,
            ("go", Some(game)) => {
                let action = game.decide(level, machine, &read(rest)?, &position, &mut rng)?;
                match action {
                    Some(action) => writeln!(out, "action {action}")?,
                    None => writeln!(out, "wait")?,
                }
                out.flush()?;
            }
            ("quit", _) => break,
            _ => {}
        }
    }
    Ok(())
}

fn read<T: for<'a> Deserialize<'a>>(json: &str) -> Result<T, Failure> {
    serde_json::from_str(json).map_err(|error| format!("cannot read {json:.60}: {error}").into())
}

fn begin(new: &NewGame) -> Result<Imagined, Failure> {
    let table = find(GAMES, &new.game)?.start(Some(new.seats), &new.options)?;
    let seat = Seat::at_table(new.seat, table.seats()).ok_or_else(|| format!("there is no seat {}", new.seat))?;
    Ok(Imagined { seat, table, heard: Vec::new() })
}

impl Imagined {
    fn decide(
        &mut self,
        level: Engine,
        machine: Machine,
        go: &Go,
        position: &Value,
        rng: &mut StdRng,
    ) -> Result<Option<String>, Failure> {
        if !self.catch_up(&position["view"], rng) {
            let actions = position["actions"].as_array().map_or(&[][..], Vec::as_slice);
            let any = actions.get(rng.random_range(0..actions.len().max(1))).and_then(|any| any["action"].as_str());
            return Ok(any.map(str::to_owned));
        }
        let budget = match (go.millis, go.nodes) {
            (Some(millis), _) => format!("@{millis}ms"),
            (None, Some(nodes)) => format!("@{nodes}nodes"),
            (None, None) => String::new(),
        };
        let player: Contestant = format!("{level}{budget}").parse()?;
        let mut decider = machine.given_to(&player).sit(&*self.table, self.seat)?;
        Ok(decider.decide(&*self.table, self.seat, rng.next_u64(), &AtomicBool::new(false))?)
    }

    /// Imagines a position in which all that was heard has happened and that looks as this view does. False if none was
    /// found.
    fn catch_up(&mut self, view: &Value, rng: &mut StdRng) -> bool {
        let heard = std::mem::take(&mut self.heard);
        let viewer = Viewer::Seat(self.seat);
        for _ in 0..ATTEMPTS {
            let mut table = self.table.imagined(viewer, rng);
            let happened = heard.iter().all(|did| happen(&mut table, did, viewer, rng));
            if happened && table.position(viewer).view == *view {
                self.table = table;
                return true;
            }
        }
        self.heard = heard;
        false
    }
}

/// Lets something happen in an imagined game; where it is not possible there, in another one that looks the same.
fn happen(table: &mut Box<dyn DynSession>, did: &Step, viewer: Viewer, rng: &mut StdRng) -> bool {
    /// A card that has to be in a certain hand is there once in some tens of positions.
    const TRIES: u32 = 300;
    for attempt in 0..TRIES {
        let mut next = if attempt == 0 { table.boxed_clone() } else { table.imagined(viewer, rng) };
        let before = next.ply();
        match (did.action.strip_suffix('?'), did.by) {
            (None, _) => drop(next.apply_by(did.by, &did.action)),
            (Some(_), Actor::Chance) if next.turn() == Turn::Chance => drop(next.draw(rng)),
            (Some(_), Actor::Chance) => {}
            (Some(known), Actor::Seat(seat)) => {
                let possible: Vec<String> =
                    next.actions(seat).into_iter().filter(|action| action.starts_with(known)).collect();
                if !possible.is_empty() {
                    drop(next.apply_by(did.by, &possible[rng.random_range(0..possible.len())]));
                }
            }
        }
        if next.ply() > before && next.log(viewer).last().is_some_and(|step| step.action == did.action) {
            *table = next;
            return true;
        }
    }
    false
}
