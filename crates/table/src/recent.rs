//! The last lines of a log, kept beside the table: whoever comes back soon is told what they missed without the log being read
//! and played again from its beginning.

use std::collections::VecDeque;

use quincunx_core::GameKind;

use crate::protocol::Message;
use crate::update::AppliedEvents;
use crate::{Corrupt, Entry, Event, Millis, State, StateDigest, Subscription, TableId, UpdateBuilder, ViewCache};

/// The last changes of a table.
#[derive(Debug, Default)]
pub struct Recent {
    changes: VecDeque<Change>,
    lines: usize,
}

/// How a table stood, and what happened then.
#[derive(Debug)]
struct Change {
    before: StateDigest,
    at: Millis,
    events: Vec<Event>,
}

/// What somebody has missed.
#[derive(Debug)]
pub struct Missed {
    before: StateDigest,
    at: Millis,
    events: Vec<Event>,
}

impl Recent {
    /// How many lines are kept: clients that were away for a moment have missed fewer, and thousands of tables are in memory.
    pub const LINES: usize = 32;

    /// The table whose log this is, with its last lines.
    pub fn replay(games: &[&'static dyn GameKind], id: TableId, log: &[Entry]) -> Result<(State, Self), Corrupt> {
        let (early, late) = log.split_at(log.len().saturating_sub(Self::LINES).max(1).min(log.len()));
        let (mut state, mut recent) = (State::replay(games, id, early)?, Self::default());
        for entry in late {
            let before = StateDigest::of(&state, std::iter::empty(), &mut ViewCache::default());
            let event = state.apply(entry)?;
            recent.note(before, entry.at, vec![event]);
        }
        Ok((state, recent))
    }

    /// Keeps what happened to a table that stood like this.
    pub fn note(&mut self, before: StateDigest, at: Millis, events: Vec<Event>) {
        self.lines += events.len();
        self.changes.push_back(Change { before: before.without_views(), at, events });
        while self.lines > Self::LINES && self.changes.len() > 1 {
            self.lines -= self.changes.pop_front().map_or(0, |change| change.events.len());
        }
    }

    /// Keeps lines that were written elsewhere.
    pub fn note_applied(&mut self, before: StateDigest, applied: &AppliedEvents) {
        self.note(before, applied.at(), applied.events().to_vec());
    }

    /// What somebody has missed who has seen the table up to a version. Nothing if that is too long ago, or in the middle of a
    /// change, or if moves were taken back since: how the table looked then is in the log alone.
    pub fn since(&self, version: u64) -> Option<Missed> {
        let from = self.changes.iter().position(|change| change.before.version() == version)?;
        let later = self.changes.range(from..);
        let events: Vec<Event> = later.flat_map(|change| &change.events).cloned().collect();
        if events.iter().any(|event| matches!(event, Event::Undone { .. })) {
            return None;
        }
        let at = self.changes.back()?.at;
        Some(Missed { before: self.changes[from].before.clone(), at, events })
    }
}

impl Missed {
    /// The message for a subscriber, at a table that stands as it did when this was taken.
    pub fn message(mut self, state: &State, subscription: Subscription) -> Message {
        self.before.look_back(state, subscription);
        UpdateBuilder::just_now(&self.before, state, self.at, &self.events).to(subscription, subscription, |made| made)
    }
}
