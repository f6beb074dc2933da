//! The seats where the engine plays.

use std::sync::Arc;

use quincunx_core::Seat;
use quincunx_table::{Answer, Decision, Found, Job, Millis, Refusal, State, Status, TableId};

use super::{CommandError, Done, Hub, Slot, lock};
use crate::cluster::Fate;

/// After how long a table asks again that has no answer. The time doubles with each question, as those who think may have
/// more to do than they can.
const PATIENCE: Millis = 10_000;
const DOUBLINGS: u32 = 5;
/// After how long it asks again when the answer came and could not be written.
const IN_VAIN: Millis = 1_000;

/// What the engines of a table were asked last, here or elsewhere.
#[derive(Debug)]
pub(super) struct Asked {
    version: u64,
    at: Millis,
    times: u32,
    /// Whether none of them wants to act.
    answered: bool,
}

impl Asked {
    /// Another version of the table is asked about.
    pub fn about(version: u64, now: Millis) -> Self {
        Self { version, at: now, times: 0, answered: false }
    }

    /// When it is time to ask again, unless there is an answer.
    pub fn due(&self) -> Option<Millis> {
        (!self.answered).then(|| self.at + (PATIENCE << self.times.min(DOUBLINGS)))
    }

    /// An answer could not be written: it is time to ask again in a second.
    pub fn in_vain(now: Millis) -> Self {
        Self::about(0, now - PATIENCE + IN_VAIN)
    }

    /// Nothing that anybody could still answer: it is time to ask.
    pub fn long_ago() -> Self {
        Self::about(0, Millis::MIN / 2)
    }
}

impl Hub {
    /// Asks the engines of a table, if it is for them to act.
    pub(super) fn ask(&self, slot: &Slot, state: &State) {
        let needs = *lock(&slot.needs);
        if !needs.engines || needs.deserted {
            return;
        }
        {
            let mut asked = lock(&slot.asked);
            let now = self.now();
            if asked.version == state.version {
                (asked.at, asked.times) = (now, asked.times + 1);
            } else {
                *asked = Asked::about(state.version, now);
            }
        }
        if let Some(job) = Job::to_move(state) {
            self.inner.thinkers.ask(job, self.owners(state), self);
        }
    }

    /// Asks the engines of a table again, having read its log if need be.
    pub(super) async fn ask_again(&self, slot: &Arc<Slot>) {
        let mut live = slot.live.lock().await;
        if let Ok(state) = self.load(slot, &mut live).await {
            self.ask(slot, state);
        }
    }

    /// Takes what an engine has found. Once it is settled nobody needs to think about it any more.
    pub async fn answer(&self, answer: Answer) -> Fate {
        let Answer { table, version, found } = answer;
        let taken = match found {
            Found::Act { seat, action } => self.engine_acts(&table, version, seat, &action).await.map(drop),
            // The engines of a server do not fail like programs of others.
            Found::Wait | Found::Failed { .. } => {
                self.engine_waits(&table, version);
                Ok(())
            }
            Found::Progress { done } => self.analysis_goes_on(&table, done).await,
            Found::Analysis { moves } => self.analysed(&table, &moves).await,
        };
        match taken {
            Err(CommandError::Refused(why)) => {
                tracing::warn!(table = table.0, %why, "what an engine found is refused");
                Fate::Settled
            }
            Ok(()) | Err(CommandError::NoSuchTable | CommandError::Corrupt(_)) => Fate::Settled,
            Err(_) => Fate::Later,
        }
    }

    async fn engine_acts(&self, table: &TableId, version: u64, seat: u8, action: &str) -> Result<Done, CommandError> {
        let slot = self.slot(table);
        // Who asked may have been another process, of whose last lines this one has not heard yet.
        self.refresh(&slot, version).await?;
        self.change(&slot, |state, at, rng| {
            // A thought about another position is worth nothing.
            if state.version != version || state.status != Status::Playing {
                return Ok(Decision::default());
            }
            let seat = Seat::at_table(u64::from(seat), state.game.seats()).ok_or(Refusal::NoSuchSeat { seat })?;
            if state.is_engine(seat) { state.engine_acts(seat, action, at, rng) } else { Ok(Decision::default()) }
        })
        .await
    }

    fn engine_waits(&self, table: &TableId, version: u64) {
        if let Some(slot) = self.known(table) {
            let mut asked = lock(&slot.asked);
            asked.answered |= asked.version == version;
        }
        self.inner.thinkers.gone_on(table, version.saturating_add(1));
    }
}
