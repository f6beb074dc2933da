//! The one way to play a game again from its set-up and its steps.

use serde_json::Value;
use thiserror::Error;

use crate::{ActionError, DynSession, GameKind, Reason, SetupError, Step, find};

/// Why a game cannot be played again.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReplayError {
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The step with this number, counted from 0, was refused.
    #[error("{why}")]
    Step { step: usize, why: ActionError },
}

impl From<ReplayError> for Reason {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Setup(why) => why.into(),
            // Among many steps it matters which one is illegal.
            ReplayError::Step { why, .. } => Reason::of(&why),
        }
    }
}

/// Starts one of these games and makes the steps.
pub fn replay(
    games: &[&'static dyn GameKind],
    game: &str,
    seats: u64,
    options: &Value,
    steps: &[Step],
) -> Result<Box<dyn DynSession>, ReplayError> {
    let mut session = find(games, game)?.start(Some(seats), options)?;
    for (number, step) in steps.iter().enumerate() {
        session.apply_by(step.by, &step.action).map_err(|why| ReplayError::Step { step: number, why })?;
    }
    Ok(session)
}
