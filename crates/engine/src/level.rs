//! Levels of strength: a budget and human-like oversight, not another algorithm.

use std::{fmt, str::FromStr, time::Duration};

use quincunx_core::Game;

use crate::{Budget, Control, Knowledge, Player, Thought};

/// How strong an engine plays, in words that people understand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    Novice,
    Casual,
    Club,
    Expert,
    Master,
}

impl Level {
    pub const ALL: [Self; 5] = [Self::Novice, Self::Casual, Self::Club, Self::Expert, Self::Master];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Novice => "novice",
            Self::Casual => "casual",
            Self::Club => "club",
            Self::Expert => "expert",
            Self::Master => "master",
        }
    }

    /// What the level may use for a move if nothing else is said.
    pub const fn budget(self) -> Budget {
        Budget::time(Duration::from_millis(match self {
            Self::Novice => 5,
            Self::Casual => 20,
            Self::Club => 80,
            Self::Expert => 300,
            Self::Master => 1000,
        }))
    }

    /// The chance that the level overlooks an action, each for itself and anew at every decision: it plays well with what
    /// it sees.
    pub const fn oversight(self) -> f32 {
        match self {
            Self::Novice => 0.93,
            Self::Casual => 0.84,
            Self::Club => 0.72,
            Self::Expert => 0.5,
            Self::Master => 0.0,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let level = Self::ALL.into_iter().find(|level| level.name() == text);
        level.ok_or_else(|| format!("the levels are {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// A player that overlooks some of its actions, as many as its level does.
#[derive(Clone, Copy, Debug)]
pub struct AtLevel<P> {
    pub level: Level,
    pub player: P,
}

impl<G: Game, P: Player<G>> Player<G> for AtLevel<P> {
    fn think(&mut self, known: &Knowledge<'_, G>, control: &Control<'_>) -> Thought<G::Action> {
        let known = known.overlooking(self.level.oversight(), control.seed);
        self.player.think(&known, control)
    }

    fn interject(&mut self, known: &Knowledge<'_, G>, control: &Control<'_>) -> Option<Thought<G::Action>> {
        let known = known.overlooking(self.level.oversight(), control.seed);
        let mut seen = Vec::new();
        known.actions(&mut seen);
        if seen.is_empty() { None } else { self.player.interject(&known, control) }
    }
}
