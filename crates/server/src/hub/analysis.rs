//! What engines make of finished games. The results are kept, for any process to show.

use std::collections::VecDeque;

use quincunx_engine::Judged;
use quincunx_table::{Job, Millis, Refusal, Status, TableId, UserId};
use serde::Serialize;
use utoipa::ToSchema;

use super::{CommandError, Hub};
use crate::store::StoreError;

/// What an engine makes of a finished game.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Analysis {
    /// It thinks: so many of the actions are done.
    Running {
        done: u64,
        of: u64,
    },
    Done {
        moves: Vec<Judged>,
    },
}

/// How many analyses are under way at once, thought about or waiting for it; and how many for one account or guest.
const AT_ONCE: u64 = 50;
const FOR_ONE: usize = 3;
const FOR_GUEST: usize = 1;
/// After how long an analysis of which nothing is heard is begun again.
const SILENT: Millis = 2 * 60 * 1000;
/// For how long it still counts as one under way: nothing is heard of those that wait.
const WAITS: Millis = 60 * 60 * 1000;
/// How many are remembered with who asked for them.
const REMEMBERED: usize = 1000;

/// Which games were begun to be analysed for whom, at this process. Locked while one is begun, so that nobody gets more
/// than allowed by asking for many at the same time.
#[derive(Default)]
pub(super) struct Analyses {
    begun: tokio::sync::Mutex<VecDeque<(UserId, TableId)>>,
}

impl Hub {
    /// What an engine makes of a finished game; who asks first has it begun. Whoever may see the table may ask.
    pub async fn analyse(
        &self,
        table: &TableId,
        user: Option<UserId>,
        invitation: Option<&str>,
    ) -> Result<Analysis, CommandError> {
        let (status, of) = self.look(table, user, invitation, |state| (state.status, state.game.ply() as u64)).await?;
        if status != Status::Finished {
            return Err(Refusal::NotOver.into());
        }
        let (store, now) = (&self.inner.store, self.now());
        let (silent, waits) = (now - SILENT, now - WAITS);
        let mut in_line = false;
        if let Some(kept) = store.analysis(table).await? {
            if let Some(result) = kept.result {
                let moves = serde_json::from_str(&result)
                    .map_err(|error| StoreError::Unreadable(format!("the analysis of a game: {error}")))?;
                return Ok(Analysis::Done { moves });
            }
            if kept.heard > silent {
                return Ok(Analysis::Running { done: kept.done, of: kept.total });
            }
            in_line = kept.heard > waits;
        }
        let mut begun = self.inner.analyses.begun.lock().await;
        // One that is in the line has its place there, and is asked for again only in case it was lost.
        if !in_line {
            if store.analyses_under_way(waits).await? >= AT_ONCE {
                let why = "many games wait to be analysed; try again in some minutes";
                return Err(CommandError::TooMuch(why.to_owned()));
            }
            if let Some(user) = user {
                self.count_for(user, table, &mut begun, waits).await?;
            }
        }
        if store.begin_analysis(table, of, now, silent).await? {
            let job = self.look(table, user, invitation, Job::to_analyse).await?;
            let owners = user.map(|user| self.owner(user)).into_iter().collect();
            self.inner.thinkers.ask(job, owners, self);
        }
        Ok(Analysis::Running { done: 0, of })
    }

    /// Notes that an analysis is begun for a user, who may not have too many.
    async fn count_for(
        &self,
        user: UserId,
        table: &TableId,
        begun: &mut VecDeque<(UserId, TableId)>,
        waits: Millis,
    ) -> Result<(), CommandError> {
        let mut ended = Vec::new();
        for (_, table) in begun.iter().filter(|(by, _)| *by == user) {
            let kept = self.inner.store.analysis(table).await?;
            if kept.is_none_or(|kept| kept.result.is_some() || kept.heard <= waits) {
                ended.push(table.clone());
            }
        }
        begun.retain(|(by, table)| *by != user || !ended.contains(table));
        let most = if self.owner(user).guest { FOR_GUEST } else { FOR_ONE };
        if begun.iter().filter(|(by, _)| *by == user).count() >= most {
            let why = match most {
                1 => "a game is being analysed for you; try again when it is done".to_owned(),
                _ => format!("{most} games are being analysed for you; try again when one of them is done"),
            };
            return Err(CommandError::TooMuch(why));
        }
        if begun.len() >= REMEMBERED {
            begun.pop_front();
        }
        begun.push_back((user, table.clone()));
        Ok(())
    }

    pub(super) async fn analysis_goes_on(&self, table: &TableId, done: usize) -> Result<(), CommandError> {
        Ok(self.inner.store.note_analysis(table, done as u64, self.now()).await?)
    }

    pub(super) async fn analysed(&self, table: &TableId, moves: &[Judged]) -> Result<(), CommandError> {
        let text = serde_json::to_string(moves).expect("plain data");
        Ok(self.inner.store.end_analysis(table, &text).await?)
    }
}
