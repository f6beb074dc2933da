//! The way from the tables to a client.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axum::extract::ws::Utf8Bytes;
use quincunx_table::protocol::Message;
use quincunx_table::{Person, UserId};
use tokio::sync::{Notify, mpsc};

use super::lock;

/// How many messages wait for a client before it is given up.
pub(super) const WAITING: usize = 256;

/// Where messages for a client are put. Clones lead to the same client.
#[derive(Clone, Debug)]
pub struct Outbox {
    client: Arc<Client>,
}

#[derive(Debug)]
struct Client {
    person: Option<Person>,
    /// Whether it watches all tables of its person, also new ones.
    follows: bool,
    sender: mpsc::Sender<Utf8Bytes>,
    muted: Mutex<HashSet<UserId>>,
    closing: Notify,
    gone: AtomicBool,
}

/// Where the connection of a client takes them from.
#[derive(Debug)]
pub struct Inbox {
    receiver: mpsc::Receiver<Utf8Bytes>,
    client: Arc<Client>,
}

impl Outbox {
    /// A way to a client, who may be somebody known.
    pub fn new(person: Option<Person>, follows: bool, muted: HashSet<UserId>) -> (Self, Inbox) {
        let (sender, receiver) = mpsc::channel(WAITING);
        let client = Arc::new(Client {
            person,
            follows,
            sender,
            muted: Mutex::new(muted),
            closing: Notify::new(),
            gone: AtomicBool::new(false),
        });
        (Self { client: client.clone() }, Inbox { receiver, client })
    }

    pub fn person(&self) -> Option<&Person> {
        self.client.person.as_ref()
    }

    pub fn user(&self) -> Option<UserId> {
        self.person().map(|person| person.id)
    }

    pub fn follows(&self) -> bool {
        self.client.follows
    }

    /// Puts a message there. A client that does not keep up is closed: it comes back and is told what it missed.
    pub fn send(&self, text: Utf8Bytes) {
        if self.client.sender.try_send(text).is_err() {
            self.close();
        }
    }

    pub fn tell(&self, message: &Message) {
        self.send(message.to_text().into());
    }

    /// Ends the connection of the client.
    pub fn close(&self) {
        self.client.closing.notify_one();
    }

    /// The client has gone: from now on it watches nothing more.
    pub(super) fn go(&self) {
        self.client.gone.store(true, Ordering::Release);
    }

    pub(super) fn is_gone(&self) -> bool {
        self.client.gone.load(Ordering::Acquire)
    }

    pub fn has_muted(&self, other: UserId) -> bool {
        lock(&self.client.muted).contains(&other)
    }

    pub fn set_muted(&self, other: UserId, muted: bool) {
        let mut set = lock(&self.client.muted);
        if muted {
            set.insert(other)
        } else {
            set.remove(&other)
        };
    }

    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.client, &other.client)
    }
}

impl Inbox {
    /// The next message.
    pub async fn next(&mut self) -> Option<Utf8Bytes> {
        self.receiver.recv().await
    }

    /// The next message, if it is there already.
    pub fn ready(&mut self) -> Option<Utf8Bytes> {
        self.receiver.try_recv().ok()
    }

    /// Waits until the connection is to end.
    pub fn closing(&self) -> impl Future<Output = ()> + Send + 'static {
        let client = self.client.clone();
        async move { client.closing.notified().await }
    }
}
