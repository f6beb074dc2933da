//! The actor behind a connection to a server. It connects again by itself, with pauses that grow, resumes each table from the
//! version that it has, and sends again, with the same id, what was not answered: nothing is lost, and nothing is done twice.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::thread;
use std::time::{Duration, SystemTime};

use quincunx_table::protocol::{Message, PROTOCOL, Refused, Request};
use quincunx_table::{Millis, Person, TableId};
use serde_json::Value;
use tokio::runtime;
use tokio::sync::mpsc::{UnboundedReceiver, WeakUnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::connection::{Connection, Event, News, Order, Welcome, next_number, sentence};
use crate::folded::{Heard, Tables};
use crate::lists::lists;
use crate::{Client, ClientError, Live, PATIENCE, random};

#[cfg(test)]
mod tests;

/// A silent connection is asked after this time whether it lives, and is taken for lost if nothing comes in time.
const SILENT: Duration = Duration::from_secs(25);
const ANSWERED: Duration = Duration::from_secs(6);
/// The pauses before the server is tried again.
const SHORTEST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// How long to wait before something is sent again of which nobody knows whether it was done.
const UNSURE: Duration = Duration::from_secs(1);

impl Connection {
    /// Connects to a server, in a thread of its own; `tell` hears what comes of it.
    pub fn open(client: Client, tell: impl Fn(News) + Clone + Send + Sync + 'static) -> Result<Self, String> {
        let system = |error: std::io::Error| format!("the connection cannot be prepared: {error}");
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(system)?;
        let (sender, work) = unbounded_channel();
        let number = next_number();
        let tell = move |event| tell(News { connection: number, event });
        let (address, own) = (client.address().to_owned(), sender.downgrade());
        let actor = Actor::new(client, tell, own);
        let run = move || runtime.block_on(actor.run(work));
        thread::Builder::new().name("connection".to_owned()).spawn(run).map_err(system)?;
        // The actor is there as long as the connection is.
        let take = move |order| drop(sender.send(Work::Order(order)));
        Ok(Self::numbered(number, &address, take))
    }
}

/// What the actor has to do.
#[derive(Debug)]
enum Work {
    Order(Order),
    /// Somebody has been let in: from now on the connection is theirs.
    Become(Box<Client>),
    /// Nobody knows whether it was done: it is sent again.
    Again(String),
    /// A table that could not be watched is tried again.
    WatchAgain(TableId),
}

struct Actor<T> {
    client: Client,
    tell: T,
    /// The way to itself, for what is done on the side.
    own: WeakUnboundedSender<Work>,
    user: Option<Person>,
    watched: BTreeMap<TableId, Watched>,
    tables: Tables,
    lobby: bool,
    /// What was sent, or is to be sent, without an answer so far.
    unanswered: Vec<Request>,
    /// What is sent as soon as the connection can take it.
    outbox: Vec<Request>,
    /// How often in a row the server was tried without an answer to anything.
    attempt: u32,
    asked: u64,
}

/// A table that is watched.
struct Watched {
    invitation: Option<String>,
    /// The number of the last remark.
    heard: Option<i64>,
    /// The id of the request by which the table is asked for now.
    asked: Option<String>,
}

/// Why something is not gone on with.
enum Stop {
    /// Nobody has the connection any more.
    Over,
    /// There is reason to connect at once.
    Anew,
    Lost(String),
}

impl<T: Fn(Event) + Clone + Send + Sync + 'static> Actor<T> {
    fn new(client: Client, tell: T, own: WeakUnboundedSender<Work>) -> Self {
        Self {
            client,
            tell,
            own,
            user: None,
            watched: BTreeMap::new(),
            tables: Tables::default(),
            lobby: false,
            unanswered: Vec::new(),
            outbox: Vec::new(),
            attempt: 0,
            asked: 0,
        }
    }

    async fn run(mut self, mut work: UnboundedReceiver<Work>) {
        loop {
            match Box::pin(self.connection(&mut work)).await {
                Stop::Over => return,
                Stop::Anew => {}
                Stop::Lost(why) => {
                    let pause = pause_before(self.attempt, random() as f64 / u64::MAX as f64);
                    self.attempt += 1;
                    (self.tell)(Event::Lost { why: sentence(&why), pause });
                    if let Err(Stop::Over) = self.meanwhile(&mut work, sleep(pause)).await {
                        return;
                    }
                }
            }
        }
    }

    /// A connection from its beginning to its end.
    async fn connection(&mut self, work: &mut UnboundedReceiver<Work>) -> Stop {
        let client = self.client.clone();
        let connect = timeout(PATIENCE, async move {
            let mut live = client.live().await.map_err(|error| error.to_string())?;
            let first = live.next_text().await.ok_or("the server answers nonsense")?;
            Ok::<_, String>((live, first))
        });
        let (mut live, first) = match Box::pin(self.meanwhile(work, connect)).await {
            Ok(Ok(Ok(connected))) => connected,
            Ok(Ok(Err(why))) => return Stop::Lost(why),
            Ok(Err(_)) => return Stop::Lost("the server does not answer".to_owned()),
            Err(stop) => return stop,
        };
        if let Err(why) = self.greeted(&first) {
            return Stop::Lost(why);
        }
        let stop = self.converse(&mut live, work).await;
        // A server that does not take the goodbye has none.
        let _ = timeout(Duration::from_secs(1), live.close()).await;
        stop
    }

    /// Waits for something, and takes what is ordered meanwhile.
    async fn meanwhile<R>(
        &mut self,
        work: &mut UnboundedReceiver<Work>,
        until: impl Future<Output = R>,
    ) -> Result<R, Stop> {
        let mut until = pin!(until);
        loop {
            tokio::select! {
                done = &mut until => return Ok(done),
                next = work.recv() => match next {
                    None => return Err(Stop::Over),
                    Some(next) => if self.take(next) {
                        return Err(Stop::Anew);
                    },
                },
            }
        }
    }

    /// The connection is there: everything that matters is said again.
    fn greeted(&mut self, first: &str) -> Result<(), String> {
        let Ok(Message::Welcome { protocol, user, now }) = serde_json::from_str(first) else {
            let value: Value = serde_json::from_str(first).unwrap_or_default();
            return Err(match value["protocol"].as_u64() {
                Some(other) if other != u64::from(PROTOCOL) => {
                    format!("the server speaks version {other} of the protocol, and this program version {PROTOCOL}")
                }
                _ => "the server answers nonsense".to_owned(),
            });
        };
        self.user.clone_from(&user);
        let ahead = now.saturating_sub(local_time());
        (self.tell)(Event::Connected(Welcome { user, ahead, foreign: protocol != PROTOCOL }));
        self.outbox.clear();
        for table in self.watched.keys().cloned().collect::<Vec<_>>() {
            self.watch(&table);
        }
        if self.lobby {
            self.say_lobby();
        }
        self.outbox.extend(self.unanswered.iter().cloned());
        Ok(())
    }

    /// Talks to the server until one of both ends it.
    async fn converse(&mut self, live: &mut Live, work: &mut UnboundedReceiver<Work>) -> Stop {
        let mut pulse = Instant::now() + SILENT;
        let mut pinged = false;
        loop {
            for request in std::mem::take(&mut self.outbox) {
                match timeout(ANSWERED, live.request(&request)).await {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => return Stop::Lost(error.to_string()),
                    Err(_) => return Stop::Lost("the server does not listen".to_owned()),
                }
            }
            tokio::select! {
                next = work.recv() => match next {
                    None => return Stop::Over,
                    Some(Work::Order(Order::Hurry)) => {}
                    Some(next) => if self.take(next) {
                        return Stop::Anew;
                    },
                },
                message = live.next_text() => match message {
                    None => return Stop::Lost("the connection has ended".to_owned()),
                    Some(message) => {
                        (pulse, pinged) = (Instant::now() + SILENT, false);
                        self.hear(&message);
                    }
                },
                () = sleep_until(pulse) => {
                    if pinged {
                        return Stop::Lost("the server does not answer".to_owned());
                    }
                    let id = self.new_id();
                    self.outbox.push(Request::Ping { id });
                    (pulse, pinged) = (Instant::now() + ANSWERED, true);
                }
            }
        }
    }

    /// Takes something to do; gives whether that is a reason to connect anew.
    fn take(&mut self, work: Work) -> bool {
        match work {
            Work::Order(order) => return self.obey(order),
            Work::Become(client) => {
                self.client = *client;
                self.unanswered.clear();
                // Another person sees other things.
                self.tables.forget_all();
                return true;
            }
            Work::Again(id) => {
                let again = self.unanswered.iter().find(|request| request.id() == id);
                self.outbox.extend(again.cloned());
            }
            Work::WatchAgain(table) => self.watch(&table),
        }
        false
    }

    fn obey(&mut self, order: Order) -> bool {
        match order {
            Order::Guest { name } => self.come_in(async move |client: Client| client.guest(&name).await),
            Order::LogIn { name, password } => {
                self.come_in(async move |client: Client| client.log_in(&name, &password).await);
            }
            Order::Register { name, password } => {
                self.come_in(async move |client: Client| client.register(&name, &password).await);
            }
            Order::Hurry => return true,
            Order::Watch { table, invitation } => {
                self.tables.forget(&table);
                self.watched.insert(table.clone(), Watched { invitation, heard: None, asked: None });
                self.watch(&table);
            }
            Order::Unwatch(table) => {
                self.watched.remove(&table);
                self.tables.forget(&table);
                let id = self.new_id();
                self.outbox.push(Request::Unwatch { id, table });
            }
            Order::WatchLobby(yes) => {
                self.lobby = yes;
                self.say_lobby();
            }
            Order::Tables => self.list(),
            Order::Send(request) => {
                self.outbox.push((*request).clone());
                self.unanswered.push(*request);
            }
        }
        false
    }

    fn say_lobby(&mut self) {
        let id = self.new_id();
        self.outbox.push(if self.lobby { Request::WatchLobby { id } } else { Request::UnwatchLobby { id } });
    }

    /// Asks for a table from the version on that is known, and for what was said there since.
    fn watch(&mut self, table: &TableId) {
        let id = self.new_id();
        let Some(watched) = self.watched.get_mut(table) else { return };
        watched.asked = Some(id.clone());
        self.outbox.push(Request::Watch {
            id,
            table: table.clone(),
            invitation: watched.invitation.clone(),
            since: self.tables.get(table).map(|snapshot| snapshot.version),
            heard: watched.heard,
            full: true,
        });
    }

    /// The ids of requests that need not be known for more than one connection.
    fn new_id(&mut self) -> String {
        self.asked += 1;
        format!("k{}", self.asked)
    }

    fn hear(&mut self, text: &str) {
        match serde_json::from_str(text) {
            Ok(message) => self.understand(message),
            Err(error) => {
                let value: Value = serde_json::from_str(text).unwrap_or_default();
                let table = TableId(value["table"].as_str().unwrap_or_default().to_owned());
                match value["type"].as_str() {
                    Some("snapshot") => {
                        let why = format!("the server tells of this table what this program cannot read: {error}");
                        (self.tell)(Event::Denied { table, why: sentence(&why) });
                    }
                    Some("update") => self.mend(&table),
                    // What does not matter to a player is passed over: a server may be newer.
                    _ => {}
                }
            }
        }
    }

    /// Something is missing in what is known of a table: it is asked for anew, once.
    fn mend(&mut self, table: &TableId) {
        let known = self.tables.get(table).is_some();
        self.tables.forget(table);
        if known || self.watched.get(table).is_some_and(|watched| watched.asked.is_none()) {
            self.watch(table);
        }
    }

    fn understand(&mut self, message: Message) {
        let code = match &message {
            Message::Refused { code, .. } => Some(*code),
            // It will be back in a moment; the end of the connection follows.
            Message::Done { .. } | Message::Closing { .. } => {
                self.attempt = 0;
                None
            }
            Message::Snapshot(snapshot) if !self.watched.contains_key(&snapshot.table) => return,
            Message::Update(update) if !self.watched.contains_key(&update.table) => return,
            _ => None,
        };
        match self.tables.hear(message) {
            Heard::Nothing => {}
            Heard::Gap(table) => {
                if self.watched.get(&table).is_some_and(|watched| watched.asked.is_none()) {
                    self.watch(&table);
                }
            }
            Heard::Event(Event::Answered { id, answer }) => self.answered(id, answer, code),
            Heard::Event(event) => {
                if let Event::Said { table, remarks } = &event {
                    let Some(watched) = self.watched.get_mut(table) else { return };
                    watched.heard = remarks.iter().map(|remark| remark.number).max().max(watched.heard);
                }
                (self.tell)(event);
            }
        }
    }

    fn answered(&mut self, id: String, answer: Result<crate::Done, String>, code: Option<Refused>) {
        let asked = self.watched.iter_mut().find(|(_, watched)| watched.asked.as_ref() == Some(&id));
        if let Some((table, watched)) = asked {
            watched.asked = None;
            let table = table.clone();
            match (answer, code) {
                (Ok(_), _) => {}
                (Err(_), Some(Refused::Internal | Refused::Unknown | Refused::RateLimited)) => {
                    self.later(UNSURE * 2, Work::WatchAgain(table));
                }
                (Err(why), _) => {
                    self.watched.remove(&table);
                    self.tables.forget(&table);
                    (self.tell)(Event::Denied { table, why });
                }
            }
            return;
        }
        if code == Some(Refused::Unknown) {
            self.later(UNSURE, Work::Again(id));
            return;
        }
        let before = self.unanswered.len();
        self.unanswered.retain(|request| request.id() != id);
        // What is answered twice is told once.
        if self.unanswered.len() < before {
            (self.tell)(Event::Answered { id, answer });
        }
    }

    /// Does something after a while.
    fn later(&self, pause: Duration, work: Work) {
        let own = self.own.clone();
        tokio::spawn(async move {
            sleep(pause).await;
            if let Some(own) = own.upgrade() {
                let _ = own.send(work);
            }
        });
    }

    /// Comes in as somebody; then the connection is theirs.
    fn come_in<W>(&self, way: impl FnOnce(Client) -> W)
    where
        W: Future<Output = Result<Client, ClientError>> + Send + 'static,
    {
        // A token that is worth nothing is not shown again.
        let (coming, tell, own) = (way(self.client.without_token()), self.tell.clone(), self.own.clone());
        tokio::spawn(async move {
            match coming.await {
                Ok(client) => {
                    if let Some(own) = own.upgrade() {
                        let _ = own.send(Work::Become(Box::new(client)));
                    }
                }
                Err(why) => tell(Event::NotAdmitted(sentence(&why.to_string()))),
            }
        });
    }

    fn list(&self) {
        let (client, tell, user) = (self.client.clone(), self.tell.clone(), self.user.clone());
        tokio::spawn(async move {
            let tables = lists(&client, user.as_ref()).await;
            tell(Event::Tables(tables.map_err(|why| sentence(&why.to_string()))));
        });
    }
}

/// How long to wait before the next attempt to connect. The pauses double, and differ by chance from client to client, so that
/// not all come back in the same moment after a server was away.
fn pause_before(attempt: u32, chance: f64) -> Duration {
    let longest = SHORTEST_PAUSE.saturating_mul(1 << attempt.min(16)).min(LONGEST_PAUSE);
    longest.mul_f64(0.5 + chance.clamp(0.0, 1.0) / 2.0).max(SHORTEST_PAUSE / 2)
}

/// What the clock of this machine shows.
pub fn local_time() -> Millis {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}
