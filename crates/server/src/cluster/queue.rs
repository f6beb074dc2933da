//! The queue of jobs in NATS, and the way back of their answers.
//!
//! A job stays in the queue until a server process has taken its answer. Of several jobs for a table the newest remains, so that
//! the queue is never longer than there are tables.

use std::sync::Arc;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, Subscriber};
use futures_util::StreamExt;
use quincunx_table::{Answer, Job, JobKind, TableId};
use tokio::sync::{Semaphore, mpsc};

use super::nats::{Nats, Subjects};
use super::seal::Seal;
use super::{Owner, Thinkers};
use crate::hub::Hub;
use crate::lock;

/// How long a worker may be silent before its job is given to another one. It says in between that it is still at it.
pub(super) const SILENCE: Duration = Duration::from_secs(5);
/// How often a job is given to somebody: one at which workers die must not kill all of them. A table that still waits asks
/// again after a while.
const DELIVERIES: i64 = 5;
/// Within this time the same job of several processes is one. Shorter than the time after which a table asks again.
const SAME: Duration = Duration::from_secs(5);
/// When a job that nobody takes is forgotten.
const FORGOTTEN: Duration = Duration::from_hours(1);
/// What jobs and answers are sealed for.
pub(super) const JOBS: &str = "jobs";
pub(super) const ANSWERS_OF_WORKERS: &str = "answers";
/// How many answers are taken at once.
const ANSWERS: usize = 64;

/// The stream with the jobs, made if there is none.
pub(super) async fn stream(
    jetstream: &Context,
    subjects: &Subjects,
) -> Result<jetstream::stream::Stream, jetstream::context::CreateStreamError> {
    jetstream
        .get_or_create_stream(Config {
            name: subjects.stream.clone(),
            subjects: vec![format!("{}.>", subjects.jobs)],
            retention: RetentionPolicy::WorkQueue,
            max_messages_per_subject: 1,
            discard: DiscardPolicy::Old,
            duplicate_window: SAME,
            max_age: FORGOTTEN,
            storage: StorageType::File,
            ..Config::default()
        })
        .await
}

/// What workers take jobs of a kind from.
pub(super) async fn consumer(
    jetstream: &Context,
    subjects: &Subjects,
    kind: JobKind,
) -> Result<PullConsumer, async_nats::Error> {
    let name = format!("{}-workers", kind.word());
    let config = pull::Config {
        durable_name: Some(name.clone()),
        filter_subject: format!("{}.{}.>", subjects.jobs, kind.word()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: SILENCE,
        max_deliver: DELIVERIES,
        ..pull::Config::default()
    };
    Ok(stream(jetstream, subjects).await?.get_or_create_consumer(&name, config).await?)
}

impl Nats {
    fn send(&self, jobs: Vec<Job>) {
        for job in jobs {
            if self.inner.jobs.try_send(job).is_err() {
                tracing::warn!("more jobs for engines come than can be sent; the tables ask again");
            }
        }
    }
}

impl Thinkers for Nats {
    fn ask(&self, job: Job, owners: Vec<Owner>, _: &Hub) {
        let jobs = match job.kind() {
            JobKind::Move => lock(&self.inner.moves).ask(job, owners, self.inner.began.elapsed()),
            // They have workers of their own, one at a time, and are few: the hub bounds them.
            JobKind::Analysis => vec![job],
        };
        self.send(jobs);
    }

    fn gone_on(&self, table: &TableId, version: u64) {
        let jobs = lock(&self.inner.moves).gone_on(table, version, self.inner.began.elapsed());
        self.send(jobs);
    }

    /// The jobs are others'.
    fn stop(&self) {}
}

/// Sends jobs. One that cannot be sent is asked for again: when the connection is back, or after a while.
pub(super) async fn send(jetstream: Context, subjects: Subjects, seal: Seal, mut jobs: mpsc::Receiver<Job>) {
    while let Some(job) = jobs.recv().await {
        if jetstream.client().connection_state() != State::Connected {
            continue;
        }
        if publish(&jetstream, &subjects, &seal, &job).await.is_err() {
            // A NATS that has lost its data has no stream any more.
            let again = match stream(&jetstream, &subjects).await {
                Ok(_) => publish(&jetstream, &subjects, &seal, &job).await,
                Err(error) => Err(error.into()),
            };
            if let Err(error) = again {
                tracing::warn!(%error, "a job for an engine could not be sent");
            }
        }
    }
}

async fn publish(jetstream: &Context, subjects: &Subjects, seal: &Seal, job: &Job) -> Result<(), async_nats::Error> {
    let kind = job.kind().word();
    // Ids of tables are letters and digits; anything else would mean something in a subject.
    let table: String = job.table.0.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
    let text = seal.close(JOBS, serde_json::to_vec(job).expect("jobs are plain data"));
    let message = PublishMessage::build().payload(text.into()).message_id(format!("{kind}:{table}:{}", job.version));
    let subject = format!("{}.{kind}.{table}", subjects.jobs);
    jetstream.send_publish(subject, message).await?.await?;
    Ok(())
}

/// Gives the answers of workers to the tables, and tells the workers what has become of them.
pub(super) async fn take_answers(mut answers: Subscriber, seal: Seal, client: Client, hub: Hub) {
    let at_once = Arc::new(Semaphore::new(ANSWERS));
    while let Some(message) = answers.next().await {
        let Some(text) = seal.open(ANSWERS_OF_WORKERS, &message.payload) else {
            // Without a reply the job stays, and a worker of ours takes it.
            tracing::warn!("an answer of a worker is refused: whoever sent it does not have our secret");
            continue;
        };
        let Ok(answer) = serde_json::from_slice::<Answer>(text) else {
            // Without a reply the worker gives the job back, and perhaps one of our version takes it.
            tracing::warn!("an answer of a worker cannot be read: perhaps it is of another version");
            continue;
        };
        let Ok(turn) = at_once.clone().acquire_owned().await else { return };
        let (client, hub) = (client.clone(), hub.clone());
        tokio::spawn(async move {
            let fate = hub.answer(answer).await;
            drop(turn);
            if let Some(reply) = message.reply {
                let text = serde_json::to_vec(&fate).expect("a word");
                // A worker that hears nothing asks again.
                let _ = client.publish(reply, text.into()).await;
            }
        });
    }
}
