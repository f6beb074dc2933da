//! Whoever thinks for the tables of other processes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use quincunx_table::{Answer, Found, Job, JobKind, Unanswered};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::nats::Nats;
use super::{Fate, Gate, REPORTED, queue, think};

/// How often a worker says that it is still at it: often enough that one word may be lost.
const STILL_AT_IT: Duration = Duration::from_millis(1500);
/// How long a request for a job lasts before it is renewed.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long is waited after something has failed.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a job is left alone whose answer nobody has taken.
const LEFT_ALONE: Duration = Duration::from_secs(1);

/// Takes jobs, so many at once and one analysis beside them, until it is told to stop. What is not done then is given back,
/// for others to take at once.
pub async fn work(nats: &Nats, threads: usize, stop: impl Future<Output = ()>) {
    let (stopping, stopped) = watch::channel(false);
    let mut hands = JoinSet::new();
    let gate = Arc::new(Gate::new(threads));
    for number in 0..=threads {
        let kind = if number < threads { JobKind::Move } else { JobKind::Analysis };
        let hand = Hand { nats: nats.clone(), kind, stopped: stopped.clone(), gate: gate.clone(), consumer: None };
        hands.spawn(hand.work());
    }
    stop.await;
    stopping.send_replace(true);
    while hands.join_next().await.is_some() {}
    // What was said last should be heard.
    let _ = nats.inner.client.flush().await;
}

/// Waits until it is time to stop.
async fn stop(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|&stopped| stopped).await;
}

/// One that does a job after the other.
struct Hand {
    nats: Nats,
    kind: JobKind,
    stopped: watch::Receiver<bool>,
    gate: Arc<Gate>,
    /// Where it gets its jobs from, for as long as they come.
    consumer: Option<PullConsumer>,
}

impl Hand {
    async fn work(mut self) {
        let stop = stop(self.stopped.clone());
        tokio::pin!(stop);
        while !*self.stopped.borrow() {
            let next = self.next();
            let job = tokio::select! {
                biased;
                () = &mut stop => return,
                next = next => next,
            };
            match job {
                Ok(Some(message)) => self.serve(&message).await,
                Ok(None) => {}
                Err(error) => {
                    tracing::debug!(%error, "no jobs are to be had");
                    tokio::select! {
                        () = &mut stop => return,
                        () = tokio::time::sleep(PAUSE) => {}
                    }
                }
            }
        }
    }

    /// The next job, if one comes in time. One at a time: what waits here cannot be done by others.
    async fn next(&mut self) -> Result<Option<Message>, async_nats::Error> {
        let inner = &self.nats.inner;
        let consumer = match self.consumer.take() {
            Some(consumer) => consumer,
            None => queue::consumer(&inner.jetstream, &inner.subjects, self.kind).await?,
        };
        let mut messages = consumer.batch().max_messages(1).expires(PATIENCE).messages().await?;
        // NATS tells when the time is over, unless it is gone itself.
        match tokio::time::timeout(PATIENCE + PAUSE, messages.next()).await {
            Ok(Some(message)) => {
                let message = message?;
                self.consumer = Some(consumer);
                Ok(Some(message))
            }
            Ok(None) => Ok(None),
            Err(_) => Err("no word from NATS".into()),
        }
    }

    /// Does a job, and lets go of it when its answer is taken.
    async fn serve(&self, message: &Message) {
        let Some(text) = self.nats.inner.seal.open(queue::JOBS, &message.payload) else {
            tracing::warn!("a job is refused: whoever sent it does not have our secret");
            let _ = message.ack_with(AckKind::Term).await;
            return;
        };
        let kind = match serde_json::from_slice::<Job>(text) {
            Ok(job) => self.think(job, message).await,
            Err(why) => {
                tracing::error!(%why, "a job cannot be read: perhaps it is of another version");
                AckKind::Term
            }
        };
        if let Err(error) = message.ack_with(kind).await {
            tracing::debug!(%error, "what became of a job could not be said; it is given to another");
        }
    }

    async fn think(&self, job: Job, message: &Message) -> AckKind {
        let (table, version) = (job.table.clone(), job.version);
        let stop = Arc::new(AtomicBool::new(false));
        let (reports, mut reported) = watch::channel(0);
        let heard = stop.clone();
        let told_to_stop = self::stop(self.stopped.clone());
        tokio::pin!(told_to_stop);
        let gate = self.gate.clone();
        let mut thinking = tokio::task::spawn_blocking(move || {
            let (answer, _) = think(&job, &heard, &gate, |done| {
                if done.is_multiple_of(REPORTED) {
                    reports.send_replace(done);
                }
            });
            answer
        });
        let mut still_at_it = tokio::time::interval_at(tokio::time::Instant::now() + STILL_AT_IT, STILL_AT_IT);
        let thought = loop {
            tokio::select! {
                thought = &mut thinking => break thought,
                () = &mut told_to_stop, if !stop.load(Ordering::Relaxed) => {
                    stop.store(true, Ordering::Relaxed);
                }
                _ = still_at_it.tick() => {
                    let _ = message.ack_with(AckKind::Progress).await;
                }
                Ok(()) = reported.changed() => {
                    let found = Found::Progress { done: *reported.borrow_and_update() };
                    self.report(&Answer { table: table.clone(), version, found }).await;
                }
            }
        };
        match thought {
            Ok(Ok(answer)) => self.hand_in(&answer, message).await,
            Ok(Err(Unanswered::Stopped)) => AckKind::Nak(None),
            Ok(Err(why)) => {
                tracing::error!(table = table.0, %why, "an engine was asked in vain");
                AckKind::Term
            }
            Err(panic) => {
                tracing::error!(table = table.0, %panic, "an engine failed");
                AckKind::Term
            }
        }
    }

    /// An answer as servers believe it.
    fn sealed(&self, answer: &Answer) -> Vec<u8> {
        let text = serde_json::to_vec(answer).expect("answers are plain data");
        self.nats.inner.seal.close(queue::ANSWERS_OF_WORKERS, text)
    }

    /// Tells how far an analysis is, without waiting for whether somebody hears it.
    async fn report(&self, answer: &Answer) {
        let inner = &self.nats.inner;
        let text = self.sealed(answer);
        let _ = inner.client.publish(inner.subjects.answers.clone(), text.into()).await;
    }

    /// Hands in an answer: the job is done when a server process says so.
    async fn hand_in(&self, answer: &Answer, message: &Message) -> AckKind {
        let inner = &self.nats.inner;
        let text = self.sealed(answer);
        let request = inner.client.request(inner.subjects.answers.clone(), text.into());
        tokio::pin!(request);
        let mut still_at_it = tokio::time::interval_at(tokio::time::Instant::now() + STILL_AT_IT, STILL_AT_IT);
        let reply = loop {
            tokio::select! {
                reply = &mut request => break reply,
                _ = still_at_it.tick() => {
                    let _ = message.ack_with(AckKind::Progress).await;
                }
            }
        };
        match reply.ok().and_then(|reply| serde_json::from_slice(&reply.payload).ok()) {
            Some(Fate::Settled) => AckKind::Ack,
            Some(Fate::Later) | None => AckKind::Nak(Some(LEFT_ALONE)),
        }
    }
}
