//! Whether the storage works, found out by writing to it: at most once a second, however many ask.

use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::lock;
use crate::store::{Store, StoreError};

/// How long an answer holds.
const HOLDS: Duration = Duration::from_secs(1);
/// How long the storage may take before it counts as stuck.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is known of the storage. Those who ask while it is tried wait for the same answer.
#[derive(Default)]
pub struct Readiness {
    known: Mutex<Known>,
    /// Why the time of this process cannot be used, if it cannot.
    out_of_step: std::sync::Mutex<Option<String>>,
}

#[derive(Default)]
struct Known {
    answer: Option<(Instant, Result<(), String>)>,
    /// A try that took too long, and goes on: another one would only wait behind it.
    under_way: Option<JoinHandle<Result<(), StoreError>>>,
    /// Whether the log was told that the storage fails.
    told: bool,
}

impl Readiness {
    pub fn set_out_of_step(&self, why: Option<String>) {
        *lock(&self.out_of_step) = why;
    }

    /// Whether the time is right and the storage can be read and written, or why not in a sentence.
    pub async fn of(&self, store: &Store) -> Result<(), String> {
        if let Some(why) = lock(&self.out_of_step).clone() {
            return Err(why);
        }
        let mut known = self.known.lock().await;
        if let Some((at, answer)) = &known.answer
            && at.elapsed() < HOLDS
        {
            return answer.clone();
        }
        let mut trying = known.under_way.take().unwrap_or_else(|| {
            let store = store.clone();
            tokio::spawn(async move { store.healthy().await })
        });
        let answer = match timeout(PATIENCE, &mut trying).await {
            Ok(Ok(Ok(()))) => Ok(()),
            Ok(Ok(Err(error))) => Err(format!("the storage cannot be written: {error}")),
            // It does not panic, and nobody aborts it but the end of the runtime.
            Ok(Err(_)) => Err("stopping".to_owned()),
            Err(_) => {
                known.under_way = Some(trying);
                Err("the storage does not answer in time".to_owned())
            }
        };
        match &answer {
            Err(why) if !known.told => tracing::warn!(why, "not ready"),
            Ok(()) if known.told => tracing::info!("ready again"),
            _ => {}
        }
        known.told = answer.is_err();
        known.answer = Some((Instant::now(), answer.clone()));
        answer
    }
}
