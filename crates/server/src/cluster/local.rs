//! Engines that think in this process.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use quincunx_table::{Answer, Found, Job, JobKind, TableId, Unanswered};
use tokio::sync::Semaphore;

use super::{Thinkers, think};
use crate::hub::Hub;
use crate::lock;

/// How many analyses wait at most. Moves are as many as there are tables with engines.
const ANALYSES: usize = 50;

/// Engines that think in this process, so many at once. One analysis at a time runs beside them.
#[derive(Debug)]
pub struct Local {
    lines: Arc<[Line; 2]>,
    stop: Arc<AtomicBool>,
}

/// Jobs that wait for their turn: one for each table, the newest, in the order in which the tables came.
#[derive(Debug)]
struct Line {
    waiting: Mutex<(VecDeque<TableId>, HashMap<TableId, Job>)>,
    at_once: Semaphore,
    longest: usize,
}

impl Line {
    fn new(at_once: usize, longest: usize) -> Self {
        Self { waiting: Mutex::default(), at_once: Semaphore::new(at_once), longest }
    }

    /// Whether a table has come that was not in the line. When that is full, it has to come again later.
    fn add(&self, job: Job) -> bool {
        let mut waiting = lock(&self.waiting);
        let table = job.table.clone();
        if waiting.0.len() >= self.longest && !waiting.1.contains_key(&table) {
            return false;
        }
        let new = waiting.1.insert(table.clone(), job).is_none();
        if new {
            waiting.0.push_back(table);
        }
        new
    }

    fn next(&self) -> Option<Job> {
        let mut waiting = lock(&self.waiting);
        let table = waiting.0.pop_front()?;
        waiting.1.remove(&table)
    }
}

impl Local {
    /// At least one thinks: without any, engine seats would wait for ever.
    pub fn new(at_once: usize) -> Self {
        Self { lines: Arc::new([Line::new(at_once.max(1), usize::MAX), Line::new(1, ANALYSES)]), stop: Arc::default() }
    }
}

impl Thinkers for Local {
    fn ask(&self, job: Job, hub: &Hub) {
        let line = match job.kind() {
            JobKind::Move => 0,
            JobKind::Analysis => 1,
        };
        if self.stop.load(Ordering::Relaxed) || !self.lines[line].add(job) {
            return;
        }
        let (lines, stop, hub) = (self.lines.clone(), self.stop.clone(), hub.clone());
        tokio::spawn(async move {
            let line = &lines[line];
            let Ok(_turn) = line.at_once.acquire().await else { return };
            let Some(job) = line.next().filter(|_| !stop.load(Ordering::Relaxed)) else { return };
            let (reports, mut reported) = tokio::sync::watch::channel(0);
            let (table, version) = (job.table.clone(), job.version);
            let mut thinking = tokio::task::spawn_blocking(move || {
                think(&job, &stop, |done| {
                    reports.send_replace(done);
                })
            });
            let answer = loop {
                tokio::select! {
                    answer = &mut thinking => break answer,
                    Ok(()) = reported.changed() => {
                        let found = Found::Progress { done: *reported.borrow_and_update() };
                        hub.answer(Answer { table: table.clone(), version, found }).await;
                    }
                }
            };
            match answer {
                Ok(Ok(answer)) => {
                    // Should it be lost because the storage fails, the table asks again.
                    hub.answer(answer).await;
                }
                Ok(Err(Unanswered::Stopped)) => {}
                Ok(Err(why)) => tracing::error!(table = table.0, %why, "an engine was asked in vain"),
                Err(panic) => tracing::error!(table = table.0, %panic, "an engine failed"),
            }
        });
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
