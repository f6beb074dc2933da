//! Players as they are written on the command line: `master@100ms`, `mcts@5000nodes`, `random`.

use std::{
    fmt,
    str::FromStr,
    time::{Duration, Instant},
};

use quincunx_engine::{Budget, Clock, Engine};

/// An engine and what it may use for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contestant {
    pub engine: Engine,
    /// Another budget than the engine's own.
    budget: Option<Budget>,
}

impl Contestant {
    pub fn budget(&self) -> Budget {
        self.budget.unwrap_or_else(|| self.engine.budget())
    }
}

impl From<Engine> for Contestant {
    fn from(engine: Engine) -> Self {
        Self { engine, budget: None }
    }
}

impl FromStr for Contestant {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, budget) = match text.split_once('@') {
            None => (text, None),
            Some((name, budget)) => (name, Some(read_budget(budget)?)),
        };
        Ok(Self { engine: name.parse()?, budget })
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
        write!(f, "{}", self.engine)?;
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
        for text in ["master", "mcts@100ms", "club@5000nodes", "random", "greedy@1ms"] {
            assert_eq!(text.parse::<Contestant>().unwrap().to_string(), text);
        }
        assert_eq!("mcts@100ms".parse::<Contestant>().unwrap().budget(), Budget::time(Duration::from_millis(100)));
    }

    #[test]
    fn what_is_not_a_player_is_refused_with_what_would_be() {
        let why = |text: &str| text.parse::<Contestant>().unwrap_err();
        assert!(why("grandmaster").contains("novice, casual, club, expert, master; besides mcts, greedy and random"));
        for text in ["mcts@", "mcts@5", "mcts@0ms", "mcts@-1ms", "mcts@1.5ms", "mcts@ms"] {
            assert!(why(text).contains("is not a budget"), "{text}");
        }
    }
}
