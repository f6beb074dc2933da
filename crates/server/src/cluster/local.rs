//! Engines that think in this process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quincunx_table::{Answer, Found, Job, JobKind, TableId, Unanswered};

use super::fair::{FairQueue, Owner, Shares, Waiting};
use super::{Gate, REPORTED, Thinkers, think};
use crate::hub::Hub;
use crate::lock;

/// How many analyses wait at most. Moves are as many as there are tables with engines.
const ANALYSES: usize = 50;

/// Engines that think in this process, so many at once. One analysis at a time runs beside them, as long as they leave it a
/// core.
#[derive(Debug)]
pub struct Local {
    desk: Arc<Desk>,
}

#[derive(Debug)]
struct Desk {
    at_once: usize,
    work: Mutex<Work>,
    gate: Arc<Gate>,
    stopped: AtomicBool,
    began: Instant,
}

/// What is thought about, and what waits for it.
#[derive(Debug)]
struct Work {
    shares: Shares,
    moves: FairQueue<Job>,
    analyses: FairQueue<Job>,
    running: Vec<Running>,
    analysing: Option<Running>,
    /// How many were begun.
    begun: u64,
}

/// A job that is thought about.
#[derive(Debug)]
struct Running {
    number: u64,
    table: TableId,
    version: u64,
    owners: Vec<Owner>,
    stop: Arc<AtomicBool>,
    /// Whether it has made way for another one before: it does so once.
    made_way: bool,
    /// Whether it makes way now, and waits again afterwards.
    makes_way: bool,
}

impl Running {
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Local {
    /// At least one thinks: without any, engine seats would wait for ever. An account is allowed so many seconds of thinking in
    /// a minute before others come first.
    pub fn new(at_once: usize, seconds_per_minute: u32) -> Self {
        let at_once = at_once.max(1);
        let work = Work {
            shares: Shares::new(seconds_per_minute),
            moves: FairQueue::default(),
            analyses: FairQueue::default(),
            running: Vec::new(),
            analysing: None,
            begun: 0,
        };
        let desk = Desk {
            at_once,
            work: Mutex::new(work),
            gate: Arc::new(Gate::new(at_once)),
            stopped: AtomicBool::new(false),
            began: Instant::now(),
        };
        Self { desk: Arc::new(desk) }
    }
}

impl Thinkers for Local {
    fn ask(&self, job: Job, owners: Vec<Owner>, hub: &Hub) {
        if self.desk.stopped.load(Ordering::Relaxed) {
            return;
        }
        {
            let mut work = lock(&self.desk.work);
            let table = job.table.clone();
            match job.kind() {
                JobKind::Move => {
                    if work.running.iter().any(|running| running.table == table && running.version == job.version) {
                        return;
                    }
                    work.moves.push(table, job, owners);
                }
                JobKind::Analysis => {
                    let runs = work.analysing.as_ref().is_some_and(|running| running.table == table);
                    // When the line is full, it has to come again later.
                    if runs || (work.analyses.len() >= ANALYSES && !work.analyses.holds(&table)) {
                        return;
                    }
                    work.analyses.push(table, job, owners);
                }
            }
        }
        self.desk.begin(hub);
    }

    fn gone_on(&self, table: &TableId, version: u64) {
        let mut work = lock(&self.desk.work);
        work.moves.remove_if(table, |job| job.version < version);
        for running in work.running.iter_mut().filter(|running| running.table == *table && running.version < version) {
            running.makes_way = false;
            running.stop();
        }
    }

    fn stop(&self) {
        self.desk.stopped.store(true, Ordering::Relaxed);
        let work = lock(&self.desk.work);
        work.running.iter().chain(&work.analysing).for_each(Running::stop);
    }
}

impl Desk {
    /// Begins what can be begun, and has a job make way for one that should not have to wait for it.
    fn begin(self: &Arc<Self>, hub: &Hub) {
        let now = self.began.elapsed();
        let mut work = lock(&self.work);
        let Work { shares, moves, analyses, running, analysing, begun } = &mut *work;
        while running.len() < self.at_once
            && let Some((table, next)) = moves.next(shares, now, |_| true)
        {
            *begun += 1;
            running.push(self.start(*begun, table, next, hub));
        }
        if analysing.is_none()
            && let Some((table, next)) = analyses.next(shares, now, |_| true)
        {
            *begun += 1;
            *analysing = Some(self.start(*begun, table, next, hub));
        }
        // A person who is within the budget does not wait for one who is above it.
        if running.iter().all(|running| !running.makes_way)
            && moves.first(shares, now, |_| true).is_some_and(|(_, rank)| rank.is_within_budget())
        {
            let above =
                |running: &&mut Running| !running.made_way && !shares.rank(&running.owners, now).is_within_budget();
            if let Some(above) = running.iter_mut().find(above) {
                above.makes_way = true;
                above.stop();
            }
        }
    }

    /// Begins to think.
    fn start(self: &Arc<Self>, number: u64, table: TableId, waiting: Waiting<Job>, hub: &Hub) -> Running {
        let stop = Arc::new(AtomicBool::new(self.stopped.load(Ordering::Relaxed)));
        let running = Running {
            number,
            table,
            version: waiting.job.version,
            owners: waiting.owners.clone(),
            stop: stop.clone(),
            made_way: waiting.made_way,
            makes_way: false,
        };
        let (desk, hub) = (self.clone(), hub.clone());
        tokio::spawn(async move {
            let (answer, spent) = desk.think(&waiting.job, stop, &hub).await;
            desk.end(number, waiting, answer.is_some(), spent);
            desk.begin(&hub);
            if let Some(answer) = answer {
                // Should it be lost because the storage fails, the table asks again.
                hub.answer(answer).await;
            }
        });
        running
    }

    async fn think(&self, job: &Job, stop: Arc<AtomicBool>, hub: &Hub) -> (Option<Answer>, Duration) {
        let (reports, mut reported) = tokio::sync::watch::channel(0);
        let (table, version) = (job.table.clone(), job.version);
        let (job, gate) = (job.clone(), self.gate.clone());
        let mut thinking = tokio::task::spawn_blocking(move || {
            think(&job, &stop, &gate, |done| {
                if done.is_multiple_of(REPORTED) {
                    reports.send_replace(done);
                }
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
            Ok((Ok(answer), spent)) => (Some(answer), spent),
            Ok((Err(Unanswered::Stopped), spent)) => (None, spent),
            Ok((Err(why), spent)) => {
                tracing::error!(table = table.0, %why, "an engine was asked in vain");
                (None, spent)
            }
            Err(panic) => {
                tracing::error!(table = table.0, %panic, "an engine failed");
                (None, Duration::ZERO)
            }
        }
    }

    /// A job is not thought about any more. One that made way waits again.
    fn end(&self, number: u64, waiting: Waiting<Job>, answered: bool, spent: Duration) {
        let now = self.began.elapsed();
        let mut work = lock(&self.work);
        work.shares.charge(&waiting.owners, spent, now);
        if waiting.job.kind() == JobKind::Analysis {
            work.analysing = None;
            return;
        }
        let place = work.running.iter().position(|running| running.number == number);
        let makes_way = place.is_some_and(|place| work.running.swap_remove(place).makes_way);
        if makes_way && !answered && !self.stopped.load(Ordering::Relaxed) {
            work.moves.put_back(waiting.job.table.clone(), waiting);
        }
    }
}
