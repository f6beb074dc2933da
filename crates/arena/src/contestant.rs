//! Players as they are written on the command line (`master@100ms`, `mcts@5000nodes`, `cmd:./mybot`), and at a table.

use std::{
    fmt,
    str::FromStr,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use quincunx_core::{OutcomeJson, Seat, Table};
use quincunx_engine::{Budget, Clock, Control, Engine, Level, Thinker};

use crate::bot::Bot;

/// Who plays, and what he may use for a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contestant {
    kind: Kind,
    /// Another budget than the player's own.
    budget: Option<Budget>,
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
    /// reason why the player has lost.
    fn decide(&mut self, table: &dyn Table, seat: Seat, seed: u64) -> Result<Option<String>, String>;

    /// The game is over.
    fn game_over(&mut self, _outcome: &OutcomeJson) {}
}

impl Contestant {
    /// The same player with another budget than its own.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget: Some(budget), ..self }
    }

    pub fn budget(&self) -> Budget {
        self.budget.unwrap_or_else(|| match &self.kind {
            Kind::Engine(engine) => engine.budget(),
            Kind::Bot(_) => Level::Master.budget(),
        })
    }

    /// Sits down at a table. An error is the reason why the player cannot.
    pub fn sit(&self, table: &dyn Table, seat: Seat) -> Result<Box<dyn Decider>, String> {
        let budget = self.budget();
        match &self.kind {
            Kind::Bot(command) => Ok(Box::new(Bot::start(command, budget, table, seat)?)),
            Kind::Engine(engine) => {
                let id = table.kind().id();
                let thinker = engine.thinker(id).ok_or_else(|| format!("no engine plays {id}"))?;
                Ok(Box::new(Seated { thinker, budget }))
            }
        }
    }
}

struct Seated {
    thinker: Box<dyn Thinker>,
    budget: Budget,
}

impl Decider for Seated {
    fn decide(&mut self, table: &dyn Table, seat: Seat, seed: u64) -> Result<Option<String>, String> {
        let (clock, never) = (WallClock::default(), AtomicBool::new(false));
        let control = Control::new(self.budget, seed, &clock, &never);
        Ok(self.thinker.think(table, seat, &control).map(|thought| thought.action))
    }
}

impl Decider for Bot {
    fn decide(&mut self, table: &dyn Table, seat: Seat, _seed: u64) -> Result<Option<String>, String> {
        Self::decide(self, table, seat)
    }

    fn game_over(&mut self, outcome: &OutcomeJson) {
        Self::game_over(self, outcome);
    }
}

impl From<Engine> for Contestant {
    fn from(engine: Engine) -> Self {
        Self { kind: Kind::Engine(engine), budget: None }
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
            return Ok(Self { kind: Kind::Bot(command.to_owned()), budget });
        }
        let (name, budget) = match text.split_once('@') {
            None => (text, None),
            Some((name, budget)) => (name, Some(read_budget(budget)?)),
        };
        Ok(Self { kind: Kind::Engine(name.parse()?), budget })
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
        match self.budget {
            Some(Budget { time: Some(time), .. }) => write!(f, "@{}ms", time.as_millis()),
            Some(Budget { nodes: Some(nodes), .. }) => write!(f, "@{nodes}nodes"),
            _ => Ok(()),
        }
    }
}

/// The clock of this machine.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(Instant);

impl Default for WallClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_written_with_its_budget() {
        for text in ["master", "mcts@100ms", "club@5000nodes", "random", "cmd:./mybot --to a@b", "cmd:./mybot@20ms"] {
            assert_eq!(text.parse::<Contestant>().unwrap().to_string(), text);
        }
        assert_eq!("mcts@100ms".parse::<Contestant>().unwrap().budget(), Budget::time(Duration::from_millis(100)));
    }

    #[test]
    fn what_is_not_a_player_is_refused_with_what_would_be() {
        let why = |text: &str| text.parse::<Contestant>().unwrap_err();
        assert!(why("grandmaster").contains("novice, casual, club, expert, master; besides mcts, greedy and random"));
        assert!(why("cmd:").contains("a bot is a command") && why("cmd:@5ms").contains("a bot is a command"));
        for text in ["mcts@", "mcts@5", "mcts@0ms", "mcts@-1ms", "mcts@1.5ms", "mcts@ms"] {
            assert!(why(text).contains("is not a budget"), "{text}");
        }
    }
}
