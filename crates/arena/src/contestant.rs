//! Players as they are written on the command line (`master@100ms`, `mcts@5000nodes,2threads`, `cmd:./mybot`), and at a
//! table.

use std::{fmt, num::NonZeroUsize, str::FromStr, sync::atomic::AtomicBool, time::Duration};

use quincunx_core::{DynSession, OutcomeJson, Seat};
use quincunx_engine::{Budget, Control, Engine, Thinker};

use crate::{Threads, WallClock, bot::Bot};

/// Who plays, and what they may use for a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contestant {
    kind: Kind,
    /// Another budget than the player's own.
    budget: Option<Budget>,
    threads: Option<NonZeroUsize>,
    memory: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Engine(Engine),
    /// A program of its own, by the command that starts it.
    Bot(String),
}

/// A player who has sat down at a table.
pub trait Decider: Send {
    /// An action for a seat that has one: on turn always, out of turn only if it does not rather wait. An error is the
    /// reason why the player has lost. Who is stopped answers with what it has so far, if it can be stopped.
    fn decide(
        &mut self,
        table: &dyn DynSession,
        seat: Seat,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Option<String>, String>;

    /// The game is over.
    fn game_over(&mut self, _outcome: &OutcomeJson) {}
}

impl Contestant {
    /// The same player with another budget than its own.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// The same player with so many threads to think with, unless it was written with a number of its own, and with this much
    /// memory.
    #[must_use]
    pub fn on_machine(self, threads: NonZeroUsize, memory: usize) -> Self {
        Self { threads: self.threads.or(Some(threads)), memory, ..self }
    }

    fn new(kind: Kind) -> Self {
        Self { kind, budget: None, threads: None, memory: Budget::MEMORY }
    }

    /// What the player may use for a move in this game.
    pub fn budget(&self, game: &str) -> Budget {
        let budget = self.budget.unwrap_or_else(|| match &self.kind {
            Kind::Engine(engine) => engine.budget(game),
            Kind::Bot(_) => Budget::time(Duration::from_secs(1)),
        });
        Budget { memory: self.memory, ..budget }
    }

    /// How many threads the player thinks with.
    pub fn threads(&self) -> NonZeroUsize {
        self.threads.unwrap_or(NonZeroUsize::MIN)
    }

    /// Sits down at a table. An error is the reason why the player cannot.
    pub fn sit(&self, table: &dyn DynSession, seat: Seat) -> Result<Box<dyn Decider>, String> {
        let budget = self.budget(table.kind().id());
        match &self.kind {
            Kind::Bot(command) => Ok(Box::new(Bot::start(command, budget, table, seat)?)),
            Kind::Engine(engine) => {
                let id = table.kind().id();
                let thinker = engine.thinker(id).ok_or_else(|| format!("no engine plays {id}"))?;
                Ok(Box::new(Seated { thinker, budget, threads: Threads(self.threads()) }))
            }
        }
    }
}

struct Seated {
    thinker: Box<dyn Thinker>,
    budget: Budget,
    threads: Threads,
}

impl Decider for Seated {
    fn decide(
        &mut self,
        table: &dyn DynSession,
        seat: Seat,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Option<String>, String> {
        let clock = WallClock::default();
        let control = Control::new(self.budget, seed, &clock, stop).with_crew(&self.threads);
        Ok(self.thinker.think(table, seat, &control).map(|thought| thought.action))
    }
}

impl Decider for Bot {
    fn decide(
        &mut self,
        table: &dyn DynSession,
        seat: Seat,
        _seed: u64,
        _stop: &AtomicBool,
    ) -> Result<Option<String>, String> {
        Self::decide(self, table, seat)
    }

    fn game_over(&mut self, outcome: &OutcomeJson) {
        Self::game_over(self, outcome);
    }
}

impl From<Engine> for Contestant {
    fn from(engine: Engine) -> Self {
        Self::new(Kind::Engine(engine))
    }
}

impl FromStr for Contestant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(command) = text.strip_prefix("cmd:") {
            // A command may have an @ of its own; only a budget at its end is one.
            let with_budget =
                command.rsplit_once('@').and_then(|(command, budget)| Some((command, read_budget(budget).ok()?)));
            let (command, budget) = with_budget.map_or((command, None), |(command, budget)| (command, Some(budget)));
            if command.trim().is_empty() {
                return Err("a bot is a command, such as cmd:./mybot".to_owned());
            }
            return Ok(Self { budget, ..Self::new(Kind::Bot(command.to_owned())) });
        }
        let (name, parts) = text.split_once('@').map_or((text, None), |(name, parts)| (name, Some(parts)));
        let mut player = Self::new(Kind::Engine(name.parse()?));
        for part in parts.into_iter().flat_map(|parts| parts.split(',')) {
            match part.strip_suffix("threads") {
                Some(number) if player.threads.is_none() => {
                    let threads = number.parse().map_err(|_| format!("{part:?} is not a number of threads"))?;
                    player.threads = Some(threads);
                }
                None if player.budget.is_none() => player.budget = Some(read_budget(part)?),
                _ => return Err(format!("{text:?}: one budget and one number of threads, such as @100ms,2threads")),
            }
        }
        Ok(player)
    }
}

fn read_budget(text: &str) -> Result<Budget, String> {
    let number = |digits: &str| digits.parse::<u64>().ok().filter(|&number| number > 0);
    let millis = text.strip_suffix("ms").and_then(number).map(|millis| Budget::time(Duration::from_millis(millis)));
    let nodes = text.strip_suffix("nodes").and_then(number).map(Budget::nodes);
    millis.or(nodes).ok_or_else(|| format!("{text:?} is not a budget, such as 100ms or 5000nodes"))
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Engine(engine) => write!(f, "{engine}")?,
            Kind::Bot(command) => write!(f, "cmd:{command}")?,
        }
        let budget = match self.budget {
            Some(Budget { time: Some(time), .. }) => Some(format!("{}ms", time.as_millis())),
            Some(Budget { nodes: Some(nodes), .. }) => Some(format!("{nodes}nodes")),
            _ => None,
        };
        let threads = self.threads.filter(|threads| threads.get() > 1).map(|threads| format!("{threads}threads"));
        let parts: Vec<String> = budget.into_iter().chain(threads).collect();
        if parts.is_empty() { Ok(()) } else { write!(f, "@{}", parts.join(",")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_written_with_its_budget() {
        for text in [
            "master",
            "master@2threads",
            "master@50ms,4threads",
            "mcts@100ms",
            "club@5000nodes",
            "random",
            "cmd:./mybot --to a@b",
            "cmd:./mybot@20ms",
        ] {
            assert_eq!(text.parse::<Contestant>().unwrap().to_string(), text);
        }
        assert_eq!(
            "mcts@100ms".parse::<Contestant>().unwrap().budget("trexo"),
            Budget::time(Duration::from_millis(100))
        );
    }

    #[test]
    fn what_is_not_a_player_is_refused_with_what_would_be() {
        let why = |text: &str| text.parse::<Contestant>().unwrap_err();
        assert!(
            why("grandmaster")
                .contains("beginner, novice, casual, club, strong, expert, master; besides mcts, greedy and random")
        );
        assert!(why("cmd:").contains("a bot is a command") && why("cmd:@5ms").contains("a bot is a command"));
        assert!(why("mcts@5ms,9ms").contains("one budget and one number of threads"));
        assert!(why("mcts@0threads").contains("not a number of threads"));
        for text in ["mcts@", "mcts@5", "mcts@0ms", "mcts@-1ms", "mcts@1.5ms", "mcts@ms"] {
            assert!(why(text).contains("is not a budget"), "{text}");
        }
    }
}
