//! `quincunx bestmove`: what an engine would play.

use std::{io::Write, num::NonZeroUsize, sync::atomic::AtomicBool, time::Duration};

use clap::Args;
use quincunx_arena::{Contestant, Threads, WallClock};
use quincunx_core::{DynSession, Step, Turn};
use quincunx_engine::{Budget, Control, Engine, Line, Thinker, Thought};
use quincunx_terminal::files;

use crate::{
    commands::{BOLD, QUIET},
    failure::Failure,
    progress::{interruption, with_clock},
};

/// Who thinks, and what he may use.
#[derive(Args)]
pub(crate) struct Thinking {
    /// Who thinks: beginner, novice, casual, club, strong, expert, master, mcts, greedy or random
    #[arg(long, default_value = "master")]
    pub(crate) level: Engine,
    /// Milliseconds for the move [default: the nodes of the level]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    millis: Option<u64>,
    /// Simulations or positions for the move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "millis")]
    nodes: Option<u64>,
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) machine: Machine,
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
    pub(crate) fn budget(&self, game: &str) -> Budget {
        let budget = match (self.millis, self.nodes) {
            (Some(millis), _) => Budget::time(Duration::from_millis(millis)),
            (None, Some(nodes)) => Budget::nodes(nodes),
            (None, None) => self.level.budget(game),
        };
        Budget { memory: self.machine.memory(), ..budget }
    }

    /// What the engine thinks for the seat on turn, with so many lines. Who is stopped answers with what was found so far.
    fn think(&self, table: &dyn DynSession, lines: usize, stop: &AtomicBool) -> Result<Thought, Failure> {
        let seat = match table.turn() {
            Turn::Seat(seat) => seat,
            Turn::Chance => return Err("chance is next: there is nothing to think about".into()),
            Turn::Over => return Err("the game is over".into()),
        };
        self.with_control(table, stop, |thinker, control| {
            thinker.think(table, seat, &control.with_lines(lines)).expect("who is on turn acts")
        })
    }

    /// What the engine makes of an action of the seat on turn.
    pub(crate) fn judge(&self, table: &dyn DynSession, action: &str, stop: &AtomicBool) -> Result<Thought, Failure> {
        self.with_control(table, stop, |thinker, control| {
            thinker.judge(table, action, &control).expect("an action that was made is legal")
        })
    }

    fn with_control(
        &self,
        table: &dyn DynSession,
        stop: &AtomicBool,
        think: impl FnOnce(&mut dyn Thinker, Control<'_>) -> Thought,
    ) -> Result<Thought, Failure> {
        let game = table.kind().id();
        let mut thinker = self.level.thinker(game).ok_or("no engine plays this game")?;
        let (clock, threads) = (WallClock::default(), Threads(self.machine.threads));
        Ok(think(&mut *thinker, Control::new(self.budget(game), self.seed, &clock, stop).with_crew(&threads)))
    }
}

/// Arguments of `bestmove`.
#[derive(Args)]
pub(crate) struct BestMove {
    /// A record, as text or JSON; - reads standard input
    record: String,
    #[command(flatten)]
    thinking: Thinking,
    /// How many of the best ways to go on are shown
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=Thought::<String>::MOST_LINES as u64))]
    lines: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl BestMove {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let table = files::replay(&self.record)?;
        let interrupted = interruption()?;
        let think = || self.thinking.think(&*table, self.lines as usize, interrupted);
        let thought = with_clock(self.thinking.budget(table.kind().id()).time, "The engine thinks", think)?;
        if self.json {
            writeln!(out, "{}", serde_json::json!(thought))?;
            return Ok(());
        }
        writeln!(out, "{BOLD}{}{BOLD:#}", thought.action)?;
        for (seat, share) in thought.expected.iter().enumerate() {
            writeln!(out, "seat {seat} expects {:.1} %", share * 100.0)?;
        }
        let own = match table.turn() {
            Turn::Seat(seat) => seat.index(),
            Turn::Chance | Turn::Over => 0,
        };
        if self.lines > 1 {
            for (place, line) in thought.lines.iter().enumerate() {
                print_line(place + 1, line, own, out)?;
            }
        } else {
            writeln!(out, "expected line: {}", texts(&thought.line))?;
        }
        writeln!(out, "{} nodes", thought.nodes)?;
        Ok(())
    }
}

/// One of several lines: what its seat expects, how much thought is behind it, and how it goes on.
fn print_line(place: usize, line: &Line, own: usize, out: &mut impl Write) -> Result<(), Failure> {
    let share = line.expected.get(own).map_or_else(String::new, |share| format!("{:.1} %", share * 100.0));
    let effort = match line.visits {
        0 => format!("{} deep", line.depth),
        visits => format!("{visits} visits"),
    };
    writeln!(out, "{place:>3}. {share:>7}  {QUIET}{effort:>14}{QUIET:#}  {}", texts(&line.steps))?;
    Ok(())
}

/// The actions of a line.
pub(crate) fn texts(steps: &[Step]) -> String {
    let texts: Vec<&str> = steps.iter().map(|step| step.action.as_str()).collect();
    texts.join("; ")
}
