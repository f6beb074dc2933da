//! `quincunx bestmove`: what an engine would play.

use std::{io::Write, num::NonZeroUsize, sync::atomic::AtomicBool, time::Duration};

use clap::Args;
use quincunx_arena::{Contestant, Threads, WallClock};
use quincunx_core::{DynSession, Turn};
use quincunx_engine::{Budget, Control, Engine, Thought};
use quincunx_terminal::files;

use crate::{
    commands::BOLD,
    failure::Failure,
    progress::{interruption, with_clock},
};

/// Who thinks, and what he may use.
#[derive(Args)]
pub(crate) struct Thinking {
    /// Who thinks: novice, casual, club, expert, master, mcts, greedy or random
    #[arg(long, default_value = "master")]
    level: Engine,
    /// Milliseconds for the move [default: what the level takes]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    millis: Option<u64>,
    /// Simulations or positions for the move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "millis")]
    nodes: Option<u64>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    machine: Machine,
}

/// What an engine gets of the machine.
#[derive(Args, Clone, Copy)]
pub(crate) struct Machine {
    /// Threads that an engine thinks with; with more than one, no answer is certain to come twice
    #[arg(long, default_value = "1")]
    pub(crate) threads: NonZeroUsize,
    /// Megabytes for the trees and tables of a move
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
}

impl Machine {
    pub(crate) fn memory(self) -> usize {
        (self.memory as usize).saturating_mul(1 << 20)
    }

    pub(crate) fn given_to(self, player: &Contestant) -> Contestant {
        player.clone().on_machine(self.threads, self.memory())
    }
}

impl Thinking {
    fn budget(&self) -> Budget {
        let budget = match (self.millis, self.nodes) {
            (Some(millis), _) => Budget::time(Duration::from_millis(millis)),
            (None, Some(nodes)) => Budget::nodes(nodes),
            (None, None) => self.level.budget(),
        };
        Budget { memory: self.machine.memory(), ..budget }
    }

    /// What the engine thinks for the seat on turn. Who is stopped answers with what was found so far.
    pub(crate) fn think(&self, table: &dyn DynSession, stop: &AtomicBool) -> Result<Thought, Failure> {
        let seat = match table.turn() {
            Turn::Seat(seat) => seat,
            Turn::Chance => return Err("chance is next: there is nothing to think about".into()),
            Turn::Over => return Err("the game is over".into()),
        };
        let mut thinker = self.level.thinker(table.kind().id()).ok_or("no engine plays this game")?;
        let clock = WallClock::default();
        let threads = Threads(self.machine.threads);
        let control = Control::new(self.budget(), self.seed, &clock, stop).with_crew(&threads);
        Ok(thinker.think(table, seat, &control).expect("who is on turn acts"))
    }
}

pub(crate) fn best_move(path: &str, thinking: &Thinking, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let table = files::replay(path)?;
    let interrupted = interruption()?;
    let think = || thinking.think(&*table, interrupted);
    let thought = with_clock(thinking.budget().time, "The engine thinks", think)?;
    if as_json {
        writeln!(out, "{}", serde_json::json!(thought))?;
        return Ok(());
    }
    writeln!(out, "{BOLD}{}{BOLD:#}", thought.action)?;
    for (seat, share) in thought.expected.iter().enumerate() {
        writeln!(out, "seat {seat} expects {:.1} %", share * 100.0)?;
    }
    let line: Vec<&str> = thought.line.iter().map(|step| step.action.as_str()).collect();
    writeln!(out, "expected line: {}", line.join("; "))?;
    writeln!(out, "{} nodes", thought.nodes)?;
    Ok(())
}
