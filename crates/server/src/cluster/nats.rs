//! The way to other processes over NATS.
//!
//! A start without NATS fails, so that a wrong address is noticed. Later it may go away and come back: meanwhile everybody
//! works on for himself over the storage, and afterwards looks up what he was not told.

use std::collections::VecDeque;
use std::fmt;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::{Client, ConnectOptions, Event, ServerAddr, Subscriber, jetstream};
use futures_util::StreamExt;
use quincunx_table::{Job, Millis};
use serde::{Deserialize, Serialize};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;

use super::handout::Handout;
use super::seal::Seal;
use super::{Bus, Notice, queue};
use crate::config::{ClusterKeys, Url};
use crate::http::now;
use crate::hub::Hub;
use crate::lock;

/// What the names of all subjects begin with if nothing else is said.
pub const PREFIX: &str = "quincunx";
/// How many notices and jobs wait to be sent.
const WAITING: usize = 4096;
/// How many notices are kept that nobody could make up for, to repeat them.
const KEPT: usize = 1000;
/// A lost connection is noticed some pings later: so much earlier notices may have been lost.
const PING: Duration = Duration::from_secs(5);
const UNNOTICED: Millis = 30_000;
/// How many notices are worked on at once. Those about the same table come one after the other.
const LANES: usize = 8;

/// Why there is no way to the other processes. None of the sentences holds a password.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NatsError {
    #[error("the address of NATS must be of the form nats://host:port")]
    Address,
    #[error("the user and password in the address of NATS cannot be read: write what is special in them as %40")]
    Credentials,
    #[error("the prefix {0:?} for NATS must be of letters, digits, - and _")]
    Prefix(String),
    #[error("cannot reach NATS at {url}: {why}")]
    Unreachable { url: String, why: String },
    #[error("NATS at {url} keeps no jobs, it needs JetStream (nats-server --jetstream): {why}")]
    NoJetStream { url: String, why: String },
    #[error("NATS does not take a subscription: {0}")]
    Subscription(String),
}

/// A connection to NATS, as the bus of a process and the queue of its jobs. Clones share it.
#[derive(Clone)]
pub struct Nats {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub client: Client,
    pub jetstream: jetstream::Context,
    pub subjects: Subjects,
    pub seal: Seal,
    /// The name of this process: notices come back to who has sent them.
    process: String,
    notices: mpsc::Sender<Notice>,
    pub jobs: mpsc::Sender<Job>,
    /// The moves that the workers have, and those that wait for it.
    pub moves: Mutex<Handout>,
    pub began: Instant,
    /// Since when others have missed notices.
    missed: mpsc::Sender<Millis>,
    gap: Arc<Gap>,
}

/// What goes over which subject.
#[derive(Clone, Debug)]
pub(super) struct Subjects {
    pub notices: String,
    pub answers: String,
    pub jobs: String,
    /// The name of the stream that keeps the jobs.
    pub stream: String,
}

/// A notice, and who sends it.
#[derive(Serialize, Deserialize)]
struct Envelope {
    from: String,
    notice: Notice,
}

/// Since when notices have been lost.
#[derive(Default)]
struct Gap {
    since: Mutex<Option<Millis>>,
    /// Whether they can be sent again.
    over: Notify,
}

impl Gap {
    fn note(&self, at: Millis) {
        let mut since = lock(&self.since);
        *since = Some(since.map_or(at, |earlier| earlier.min(at)));
    }
}

impl Nats {
    /// Connects without keys, and makes sure that jobs are kept.
    pub async fn connect(url: &Url, prefix: &str) -> Result<Self, NatsError> {
        Self::connect_with(url, prefix, &ClusterKeys::default()).await
    }

    /// Connects, and makes sure that jobs are kept. Subjects begin with the prefix, so that several clusters can share a NATS.
    /// The address may hold a user and a password, or a token; with `tls://` nothing is sent before the server has proven
    /// who it is.
    pub async fn connect_with(url: &Url, prefix: &str, keys: &ClusterKeys) -> Result<Self, NatsError> {
        let valid = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        if prefix.is_empty() || !prefix.chars().all(valid) {
            return Err(NatsError::Prefix(prefix.to_owned()));
        }
        let address: ServerAddr = url.0.parse().map_err(|_| NatsError::Address)?;
        let gap = Arc::<Gap>::default();
        let noted = gap.clone();
        let options = ConnectOptions::new()
            .name("quincunx")
            .ping_interval(PING)
            .reconnect_delay_callback(|attempts| Duration::from_millis(50 << attempts.min(6)))
            .event_callback(move |event| {
                note(&noted, &event);
                std::future::ready(())
            });
        let options = match credentials(&address)? {
            Some((user, Some(password))) => options.user_and_password(user, password),
            Some((token, None)) => options.token(token),
            None => options,
        };
        let options = match &keys.ca {
            Some(ca) => options.require_tls(true).add_root_certificates(ca.clone()),
            None => options,
        };
        let seal = Seal::new(keys.secret.as_ref());
        let client = options
            .connect(address)
            .await
            .map_err(|error| NatsError::Unreachable { url: url.to_string(), why: error.kind().to_string() })?;
        let subjects = Subjects {
            notices: format!("{prefix}.notices"),
            answers: format!("{prefix}.answers"),
            jobs: format!("{prefix}.jobs"),
            stream: format!("{prefix}-jobs"),
        };
        let jetstream = jetstream::new(client.clone());
        queue::stream(&jetstream, &subjects)
            .await
            .map_err(|error| NatsError::NoJetStream { url: url.to_string(), why: error.to_string() })?;
        let (notices, notices_to_send) = mpsc::channel(WAITING);
        let (jobs, jobs_to_send) = mpsc::channel(WAITING);
        let process = client.new_inbox();
        let voice = Voice {
            client: client.clone(),
            subject: subjects.notices.clone(),
            from: process.clone(),
            gap: gap.clone(),
            seal: seal.clone(),
        };
        let (missed, missed_by_others) = mpsc::channel(WAITING);
        tokio::spawn(voice.send(notices_to_send, missed_by_others));
        tokio::spawn(queue::send(jetstream.clone(), subjects.clone(), seal.clone(), jobs_to_send));
        let (moves, began) = (Mutex::new(Handout::new()), Instant::now());
        let inner = Inner { client, jetstream, subjects, seal, process, notices, jobs, moves, began, missed, gap };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Lets a hub hear what the others tell, and take the answers of engines, for as long as the result lives.
    pub async fn serve(&self, hub: &Hub) -> Result<Serving, NatsError> {
        let Inner { client, subjects, seal, process, missed, .. } = &*self.inner;
        let refused = |error: async_nats::SubscribeError| NatsError::Subscription(error.to_string());
        let notices = client.subscribe(subjects.notices.clone()).await.map_err(refused)?;
        let answers = client.queue_subscribe(subjects.answers.clone(), "servers".to_owned()).await.map_err(refused)?;
        let mut tasks = JoinSet::new();
        let mut lanes = Vec::new();
        for _ in 0..LANES {
            let (lane, heard) = mpsc::channel(WAITING);
            tasks.spawn(hear(heard, hub.clone()));
            lanes.push(lane);
        }
        tasks.spawn(listen(notices, seal.clone(), process.clone(), missed.clone(), lanes));
        tasks.spawn(queue::take_answers(answers, seal.clone(), client.clone(), hub.clone()));
        Ok(Serving { _tasks: tasks })
    }
}

/// What notices are sealed for.
const NOTICES: &str = "notices";

/// The user and the password of an address, or a token.
fn credentials(address: &ServerAddr) -> Result<Option<(String, Option<String>)>, NatsError> {
    let Some(user) = address.username().filter(|user| !user.is_empty()) else { return Ok(None) };
    let user = decoded(user).ok_or(NatsError::Credentials)?;
    let password = address.password().map(|password| decoded(password).ok_or(NatsError::Credentials)).transpose()?;
    Ok(Some((user, password)))
}

/// A part of an address, in which `%40` is an @.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
        } else {
            byte
        });
    }
    String::from_utf8(bytes).ok()
}

/// A hub is served for as long as this lives.
#[must_use = "the hub is served only for as long as this lives"]
#[derive(Debug)]
pub struct Serving {
    _tasks: JoinSet<()>,
}

impl Bus for Nats {
    fn tell(&self, notice: Notice) {
        if self.inner.notices.try_send(notice).is_err() {
            self.inner.gap.note(now());
            self.inner.gap.over.notify_one();
        }
    }

    fn has_others(&self) -> bool {
        true
    }
}

fn note(gap: &Gap, event: &Event) {
    match event {
        Event::Connected => {
            tracing::info!("connected to NATS");
            gap.over.notify_one();
        }
        Event::Disconnected => {
            tracing::warn!(
                "the connection to NATS is lost; the tables go on, and this process tries to reach it again"
            );
            gap.note(now() - UNNOTICED);
        }
        Event::SlowConsumer(_) => {
            tracing::warn!("more notices come from NATS than can be worked on; what they are about is looked up");
            gap.note(now() - UNNOTICED);
            gap.over.notify_one();
        }
        other => tracing::info!("NATS: {other}"),
    }
}

/// What sends the notices of this process.
struct Voice {
    client: Client,
    subject: String,
    from: String,
    gap: Arc<Gap>,
    seal: Seal,
}

impl Voice {
    async fn send(self, mut notices: mpsc::Receiver<Notice>, mut missed_by_others: mpsc::Receiver<Millis>) {
        let mut kept: VecDeque<(Millis, Notice)> = VecDeque::new();
        loop {
            tokio::select! {
                notice = notices.recv() => {
                    let Some(notice) = notice else { return };
                    if !notice.can_be_made_up_for() {
                        if kept.len() >= KEPT {
                            kept.pop_front();
                        }
                        kept.push_back((now(), notice.clone()));
                    }
                    if self.client.connection_state() == State::Connected {
                        self.publish(notice).await;
                    } else {
                        self.gap.note(now());
                    }
                }
                () = self.gap.over.notified() => {
                    let since = lock(&self.gap.since).take();
                    if let Some(since) = since {
                        self.repeat(&kept, since).await;
                        // It also comes back to this process: then others are heard here again, too.
                        self.publish(Notice::Missed { since }).await;
                    }
                }
                Some(since) = missed_by_others.recv() => self.repeat(&kept, since).await,
            }
        }
    }

    async fn repeat(&self, kept: &VecDeque<(Millis, Notice)>, since: Millis) {
        for (_, notice) in kept.iter().filter(|(at, _)| *at >= since) {
            self.publish(notice.clone()).await;
        }
    }

    async fn publish(&self, notice: Notice) {
        let text = serde_json::to_vec(&Envelope { from: self.from.clone(), notice }).expect("notices are plain data");
        let text = self.seal.close(NOTICES, text);
        if self.client.publish(self.subject.clone(), text.into()).await.is_err() {
            self.gap.note(now());
        }
    }
}

/// Deals out the notices of the others. What this process has sent itself it knows, but for what was lost.
async fn listen(
    mut notices: Subscriber,
    seal: Seal,
    process: String,
    missed: mpsc::Sender<Millis>,
    lanes: Vec<mpsc::Sender<Notice>>,
) {
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    while let Some(message) = notices.next().await {
        let Some(text) = seal.open(NOTICES, &message.payload) else {
            tracing::warn!("a notice over NATS is refused: whoever sent it does not have our secret");
            continue;
        };
        let Ok(Envelope { from, notice }) = serde_json::from_slice(text) else {
            tracing::warn!("a notice over NATS cannot be read: perhaps from another version");
            continue;
        };
        match notice {
            Notice::Missed { .. } if from == process => {}
            _ if from == process => continue,
            // Who has not been there may have missed what only this process can repeat. Should too many have, one
            // repetition is for all of them.
            Notice::Missed { since } => drop(missed.try_send(since)),
            _ => {}
        }
        let lane = hasher.hash_one(notice.table()) as usize % lanes.len();
        if lanes[lane].send(notice).await.is_err() {
            return;
        }
    }
}

async fn hear(mut notices: mpsc::Receiver<Notice>, hub: Hub) {
    while let Some(notice) = notices.recv().await {
        // What fails because of the storage is looked up later; the hub sees to it.
        if let Err(error) = hub.hear(notice).await {
            tracing::warn!(%error, "a notice of another process leads nowhere");
        }
    }
}

impl fmt::Debug for Nats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nats").field("subjects", &self.inner.subjects).finish_non_exhaustive()
    }
}
