//! The thread that keeps the connection to a server: it connects again by itself, with pauses that grow, and says again, with
//! the same id, what was not answered. So nothing is lost, and nothing is done twice.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::time::{Duration, SystemTime};

use quincunx_client::{Client, ClientError, Live};
use rand::RngExt;
use rand::rngs::StdRng;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, WeakUnboundedSender};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::link::Wish;
use super::place::{Place, encoded};
use super::told::{Created, Listing, Message, Millis, PROTOCOL, Page, Person, Snapshot, Status};
use super::{Done, Setup, Welcome, What, sentence};

/// A silent connection is asked after this time whether it lives, and is taken for lost if nothing comes in time.
const SILENT: Duration = Duration::from_secs(25);
const ANSWERED: Duration = Duration::from_secs(6);
/// How long a request over HTTP, or a connection that is being opened, may take.
const PATIENCE: Duration = Duration::from_secs(12);
/// The pauses before the server is tried again.
const SHORTEST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// How long to wait before something is said again of which nobody knows whether it was done.
const UNSURE: Duration = Duration::from_secs(1);
/// How often a table is tried to be set up.
const ATTEMPTS: u32 = 5;
/// At how many running tables it is looked whose turn it is.
const LOOKED_AT: usize = 12;

/// Keeps the connection.
pub struct Keeper<T> {
    client: Client,
    tell: T,
    /// The way to itself, for what is done on the side.
    own: WeakUnboundedSender<Wish>,
    user: Option<Person>,
    watched: BTreeMap<String, Watched>,
    lobby: bool,
    /// What was sent, or is to be sent, without an answer so far.
    unanswered: Vec<(String, Value)>,
    /// What is sent as soon as the connection can take it.
    outbox: Vec<Value>,
    /// How often in a row the server was tried without an answer to anything.
    attempt: u32,
    asked: u64,
    rng: StdRng,
}

/// A table that is watched.
struct Watched {
    place: Place,
    /// The version that was told last, and the newest that is known to be there.
    told: u64,
    newest: u64,
    /// The number of the last remark.
    heard: Option<i64>,
    /// The id of the request by which the table is asked for now.
    asked: Option<String>,
    /// The version for which it was asked what may be done.
    explained: Option<u64>,
}

/// Why something is not gone on with.
enum Stop {
    /// Nobody has a link any more.
    Over,
    /// There is reason to connect at once.
    Anew,
    Lost(String),
}

impl<T: Fn(What) + Clone + Send + Sync + 'static> Keeper<T> {
    pub fn new(client: Client, tell: T, own: WeakUnboundedSender<Wish>, rng: StdRng) -> Self {
        Self {
            client,
            tell,
            own,
            user: None,
            watched: BTreeMap::new(),
            lobby: false,
            unanswered: Vec::new(),
            outbox: Vec::new(),
            attempt: 0,
            asked: 0,
            rng,
        }
    }

    /// Keeps the connection until nobody has a link any more.
    pub async fn run(mut self, mut wishes: UnboundedReceiver<Wish>) {
        loop {
            match Box::pin(self.connection(&mut wishes)).await {
                Stop::Over => return,
                Stop::Anew => {}
                Stop::Lost(why) => {
                    let pause = pause_before(self.attempt, self.rng.random());
                    self.attempt += 1;
                    (self.tell)(What::Lost { why: sentence(&why), pause });
                    if let Err(Stop::Over) = self.meanwhile(&mut wishes, sleep(pause)).await {
                        return;
                    }
                }
            }
        }
    }

    /// A connection from its beginning to its end.
    async fn connection(&mut self, wishes: &mut UnboundedReceiver<Wish>) -> Stop {
        let client = self.client.clone();
        let connect = timeout(PATIENCE, async move {
            let mut live = client.live().await.map_err(|error| error.to_string())?;
            let first = live.next().await.ok_or("the server answers nonsense")?;
            Ok::<_, String>((live, first))
        });
        let (mut live, first) = match Box::pin(self.meanwhile(wishes, connect)).await {
            Ok(Ok(Ok(connected))) => connected,
            Ok(Ok(Err(why))) => return Stop::Lost(why),
            Ok(Err(_)) => return Stop::Lost("the server does not answer".to_owned()),
            Err(stop) => return stop,
        };
        match serde_json::from_value(first) {
            Ok(Message::Welcome { protocol, user, now }) => self.greet(protocol, user, now),
            _ => return Stop::Lost("the server answers nonsense".to_owned()),
        }
        let stop = self.talk(&mut live, wishes).await;
        // Whoever does not take the goodbye has none.
        let _ = timeout(Duration::from_secs(1), live.close()).await;
        stop
    }

    /// Waits for something, and takes what is wished meanwhile.
    async fn meanwhile<R>(
        &mut self,
        wishes: &mut UnboundedReceiver<Wish>,
        work: impl Future<Output = R>,
    ) -> Result<R, Stop> {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return Ok(done),
                wish = wishes.recv() => match wish {
                    None => return Err(Stop::Over),
                    Some(wish) => if self.take(wish) {
                        return Err(Stop::Anew);
                    },
                },
            }
        }
    }

    /// The connection is there: everything that matters is said again.
    fn greet(&mut self, protocol: u32, user: Option<Person>, now: Millis) {
        self.user.clone_from(&user);
        let ahead = now.saturating_sub(local_time());
        (self.tell)(What::Connected(Welcome { user, ahead, foreign: protocol != PROTOCOL }));
        self.outbox.clear();
        for table in self.watched.keys().cloned().collect::<Vec<_>>() {
            self.look(&table);
        }
        if self.lobby {
            self.say_lobby();
        }
        self.outbox.extend(self.unanswered.iter().map(|(_, request)| request.clone()));
    }

    /// Talks to the server until one of both ends it.
    async fn talk(&mut self, live: &mut Live, wishes: &mut UnboundedReceiver<Wish>) -> Stop {
        let mut pulse = Instant::now() + SILENT;
        let mut pinged = false;
        loop {
            for message in std::mem::take(&mut self.outbox) {
                match timeout(ANSWERED, live.send(&message)).await {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => return Stop::Lost(error.to_string()),
                    Err(_) => return Stop::Lost("the server does not listen".to_owned()),
                }
            }
            tokio::select! {
                wish = wishes.recv() => match wish {
                    None => return Stop::Over,
                    Some(Wish::Hurry) => {}
                    Some(wish) => if self.take(wish) {
                        return Stop::Anew;
                    },
                },
                message = live.next() => match message {
                    None => return Stop::Lost("the connection has ended".to_owned()),
                    Some(message) => {
                        (pulse, pinged) = (Instant::now() + SILENT, false);
                        self.hear(message);
                    }
                },
                () = sleep_until(pulse) => {
                    if pinged {
                        return Stop::Lost("the server does not answer".to_owned());
                    }
                    let id = self.new_id();
                    self.outbox.push(json!({"type": "ping", "id": id}));
                    (pulse, pinged) = (Instant::now() + ANSWERED, true);
                }
            }
        }
    }

    /// Takes a wish; gives whether that is a reason to connect anew.
    fn take(&mut self, wish: Wish) -> bool {
        match wish {
            Wish::Guest { name } => self.come_in(async move |client: Client| client.guest(&name).await),
            Wish::LogIn { name, password } => {
                self.come_in(async move |client: Client| client.log_in(&name, &password).await);
            }
            Wish::Register { name, password } => {
                self.come_in(async move |client: Client| client.register(&name, &password).await);
            }
            Wish::Hurry => return true,
            Wish::Become(client) => {
                self.client = *client;
                self.unanswered.clear();
                return true;
            }
            Wish::Watch(place) => {
                let table = place.table.clone();
                let fresh = Watched { place, told: 0, newest: 0, heard: None, asked: None, explained: None };
                self.watched.insert(table.clone(), fresh);
                self.look(&table);
            }
            Wish::Ask { place, version } => self.ask(place, version),
            Wish::Unwatch { table } => {
                self.watched.remove(&table);
                let id = self.new_id();
                self.outbox.push(json!({"type": "unwatch", "id": id, "table": table}));
            }
            Wish::LookAgain { table } => self.look(&table),
            Wish::WatchLobby { yes } => {
                self.lobby = yes;
                self.say_lobby();
            }
            Wish::Tables => self.list(),
            Wish::Send { id, request } => {
                self.outbox.push(request.clone());
                self.unanswered.push((id, request));
            }
            Wish::Again { id } => {
                let again = self.unanswered.iter().find(|(known, _)| *known == id);
                self.outbox.extend(again.map(|(_, request)| request.clone()));
            }
            Wish::SetUp { id, setup } => self.set_up(id, *setup),
        }
        false
    }

    /// Asks for a table over HTTP, where all is told that may be done there.
    fn ask(&mut self, place: Place, version: u64) {
        let Some(watched) = self.watched.get_mut(&place.table) else { return };
        if watched.explained == Some(version) {
            return;
        }
        watched.explained = Some(version);
        let (client, tell) = (self.client.clone(), self.tell.clone());
        tokio::spawn(async move {
            match in_time(client.get(&place.path())).await.and_then(understood::<Snapshot>) {
                Ok(snapshot) => tell(What::Table(Box::new(snapshot))),
                Err(why) => tell(What::Denied { table: place.table, why: sentence(&why.to_string()) }),
            }
        });
    }

    fn say_lobby(&mut self) {
        let id = self.new_id();
        let word = if self.lobby { "watch_lobby" } else { "unwatch_lobby" };
        self.outbox.push(json!({"type": word, "id": id}));
    }

    /// Asks for a table as it is now, and for what was said there since.
    fn look(&mut self, table: &str) {
        let id = self.new_id();
        let Some(watched) = self.watched.get_mut(table) else { return };
        watched.asked = Some(id.clone());
        let (invitation, heard) = (&watched.place.invitation, watched.heard);
        self.outbox.push(json!({"type": "watch", "id": id, "table": table, "invitation": invitation, "heard": heard}));
    }

    /// The ids of requests that need not be known for more than one connection.
    fn new_id(&mut self) -> String {
        self.asked += 1;
        format!("k{}", self.asked)
    }

    fn hear(&mut self, message: Value) {
        let (kind, table) = (message["type"].clone(), message["table"].clone());
        match serde_json::from_value(message) {
            Ok(message) => self.understand(message),
            Err(error) if kind == "snapshot" => {
                let table = table.as_str().unwrap_or_default().to_owned();
                let why = format!("the server tells of this table what this program cannot read: {error}");
                (self.tell)(What::Denied { table, why: sentence(&why) });
            }
            // What does not matter to anybody who plays is passed over.
            Err(_) => {}
        }
    }

    fn understand(&mut self, message: Message) {
        match message {
            Message::Done { id, version, table } => {
                self.attempt = 0;
                if !self.looked(&id) && self.forget(&id) {
                    (self.tell)(What::Answered { id, answer: Ok(Done { version, table }) });
                }
            }
            Message::Refused { id: Some(id), code, reason } => self.refused(id, &code, &reason),
            Message::Snapshot(snapshot) => {
                if let Some(watched) = self.watched.get_mut(&snapshot.table) {
                    watched.told = snapshot.version;
                    (self.tell)(What::Table(snapshot));
                }
            }
            Message::Update { table, version } => self.happened(&table, version),
            Message::Said { table, remarks } => {
                if let Some(watched) = self.watched.get_mut(&table) {
                    watched.heard = remarks.iter().map(|remark| remark.number).max().max(watched.heard);
                    (self.tell)(What::Said { table, remarks });
                }
            }
            Message::Present { table, present } => (self.tell)(What::Present { table, present }),
            Message::Listed(listing) => (self.tell)(What::Listed(listing)),
            // It will be back in a moment; the end of the connection follows.
            Message::Closing {} => self.attempt = 0,
            Message::Welcome { .. } | Message::Refused { id: None, .. } | Message::Unknown => {}
        }
    }

    fn happened(&mut self, table: &str, version: u64) {
        let Some(watched) = self.watched.get_mut(table) else { return };
        watched.newest = watched.newest.max(version);
        if watched.newest > watched.told && watched.asked.is_none() {
            self.look(table);
        }
    }

    /// Whether this was the answer for a table that was asked for. If more has happened there, it is asked for again.
    fn looked(&mut self, id: &str) -> bool {
        let looked = self.watched.iter_mut().find(|(_, watched)| watched.asked.as_deref() == Some(id));
        let Some((table, watched)) = looked else { return false };
        watched.asked = None;
        if watched.newest > watched.told {
            let table = table.clone();
            self.look(&table);
        }
        true
    }

    /// Whether this was waited for; it is no longer.
    fn forget(&mut self, id: &str) -> bool {
        let before = self.unanswered.len();
        self.unanswered.retain(|(known, _)| known != id);
        self.unanswered.len() < before
    }

    fn refused(&mut self, id: String, code: &str, reason: &str) {
        let of_table = self.watched.iter().find(|(_, watched)| watched.asked.as_deref() == Some(id.as_str()));
        match of_table.map(|(table, _)| table.clone()) {
            Some(table) if code == "internal" || code == "unknown" || code == "rate_limited" => {
                self.later(UNSURE * 2, Wish::LookAgain { table });
            }
            Some(table) => {
                self.watched.remove(&table);
                (self.tell)(What::Denied { table, why: sentence(reason) });
            }
            None if code == "unknown" => self.later(UNSURE, Wish::Again { id }),
            None => {
                if self.forget(&id) {
                    (self.tell)(What::Answered { id, answer: Err(sentence(reason)) });
                }
            }
        }
    }

    /// Wishes something after a while.
    fn later(&self, pause: Duration, wish: Wish) {
        let own = self.own.clone();
        tokio::spawn(async move {
            sleep(pause).await;
            if let Some(own) = own.upgrade() {
                let _ = own.send(wish);
            }
        });
    }

    /// Comes in as somebody; then the connection is his.
    fn come_in<W>(&self, way: impl FnOnce(Client) -> W)
    where
        W: Future<Output = Result<Client, ClientError>> + Send + 'static,
    {
        // A token that is worth nothing is not shown again.
        let nobody = Client::new(self.client.address()).unwrap_or_else(|_| self.client.clone());
        let (coming, tell, own) = (way(nobody), self.tell.clone(), self.own.clone());
        tokio::spawn(async move {
            match in_time(coming).await {
                Ok(client) => {
                    if let Some(own) = own.upgrade() {
                        let _ = own.send(Wish::Become(Box::new(client)));
                    }
                }
                Err(why) => tell(What::NotAdmitted(sentence(&why.to_string()))),
            }
        });
    }

    fn set_up(&self, id: String, setup: Setup) {
        let (client, tell) = (self.client.clone(), self.tell.clone());
        tokio::spawn(async move {
            let order = json!({"setup": setup, "id": id});
            let mut attempt = 0;
            let created = loop {
                let created = in_time(client.post("/api/tables", &order)).await.and_then(understood::<Created>);
                // With the same id it is one table, however often it is asked for.
                match created {
                    Err(ClientError::Unreachable(_)) if attempt < ATTEMPTS => {
                        sleep(pause_before(attempt, 1.0)).await;
                        attempt += 1;
                    }
                    settled => break settled,
                }
            };
            tell(What::SetUp { id, created: created.map_err(|why| sentence(&why.to_string())) });
        });
    }

    fn list(&self) {
        let (client, tell, user) = (self.client.clone(), self.tell.clone(), self.user.clone());
        tokio::spawn(async move {
            let tables = in_time(lists(&client, user.as_ref())).await;
            tell(What::Tables(tables.map_err(|why| sentence(&why.to_string()))));
        });
    }
}

/// The tables of the lobby and those of a user, and at which of them he is on turn.
async fn lists(client: &Client, user: Option<&Person>) -> Result<(Vec<Listing>, Vec<String>), ClientError> {
    let mut paths = vec!["status=open&limit=100".to_owned(), "status=playing&limit=50".to_owned()];
    if let Some(user) = user {
        let own = |status: &str| format!("player={}&{status}", encoded(&user.name));
        paths.extend(["status=open", "status=playing", "status=finished&limit=8"].map(own));
    }
    let mut tables: Vec<Listing> = Vec::new();
    for path in paths {
        let page: Page = understood(client.get(&format!("/api/tables?{path}")).await?)?;
        for table in page.tables {
            if tables.iter().all(|known| known.table != table.table) {
                tables.push(table);
            }
        }
    }
    let mut turns = Vec::new();
    let Some(user) = user else { return Ok((tables, turns)) };
    let mine = |listing: &&Listing| listing.seats.iter().flatten().any(|sitting| sitting.user == Some(user.id));
    let running = tables.iter().filter(|listing| listing.status == Status::Playing).filter(mine);
    for listing in running.take(LOOKED_AT) {
        // A list does not tell whose turn it is.
        let path = Place::of(&listing.table).path();
        let snapshot = client.get(&path).await.and_then(understood::<Snapshot>);
        let on_turn = |snapshot: &Snapshot| {
            let seat = snapshot.seat_of(Some(user.id));
            matches!(snapshot.position.turn, quincunx_core::TurnJson::Seat { seat: on_turn } if seat == Some(on_turn))
        };
        if snapshot.is_ok_and(|snapshot| on_turn(&snapshot)) {
            turns.push(listing.table.clone());
        }
    }
    Ok((tables, turns))
}

/// Something that the server may not take too long for.
async fn in_time<R>(work: impl Future<Output = Result<R, ClientError>>) -> Result<R, ClientError> {
    let late = || ClientError::Unreachable("it does not answer".to_owned());
    timeout(PATIENCE, work).await.unwrap_or_else(|_| Err(late()))
}

fn understood<R: DeserializeOwned>(answer: Value) -> Result<R, ClientError> {
    serde_json::from_value(answer).map_err(|error| ClientError::Nonsense(error.to_string()))
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

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::sync::mpsc;
    use std::sync::{Arc, Mutex};
    use std::thread;

    use rand::SeedableRng;
    use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

    use super::*;
    use crate::event::{Event, News, Reporter};
    use crate::source::online::testing::{played, told};
    use crate::source::online::{Link, Visit};

    /// A keeper without a connection, what it tells, and what it wishes from itself.
    struct Bench<T> {
        keeper: Keeper<T>,
        told: Arc<Mutex<Vec<String>>>,
        wishes: UnboundedReceiver<Wish>,
        _own: UnboundedSender<Wish>,
    }

    fn bench() -> Bench<impl Fn(What) + Clone + Send + Sync + 'static> {
        let told = Arc::new(Mutex::new(Vec::new()));
        let (own, wishes) = unbounded_channel();
        let heard = told.clone();
        let tell = move |what: What| heard.lock().unwrap().push(format!("{what:?}"));
        let client = Client::new("http://127.0.0.1:9").unwrap();
        let keeper = Keeper::new(client, tell, own.downgrade(), StdRng::seed_from_u64(1));
        Bench { keeper, told, wishes, _own: own }
    }

    impl<T: Fn(What) + Clone + Send + Sync + 'static> Bench<T> {
        fn told(&self) -> Vec<String> {
            std::mem::take(&mut self.told.lock().unwrap())
        }

        fn sent(&mut self) -> Vec<Value> {
            std::mem::take(&mut self.keeper.outbox)
        }

        fn watch(&mut self, table: &str) -> Value {
            self.keeper.take(Wish::Watch(Place::of(table)));
            self.sent().remove(0)
        }
    }

    fn send(id: &str) -> Wish {
        Wish::Send { id: id.to_owned(), request: json!({"type": "command", "id": id}) }
    }

    #[test]
    fn pauses_grow_up_to_some_seconds() {
        let pauses: Vec<Duration> = (0..12).map(|attempt| pause_before(attempt, 1.0)).collect();
        assert!(pauses.is_sorted(), "{pauses:?}");
        assert_eq!((pauses[0], pauses[11]), (SHORTEST_PAUSE, LONGEST_PAUSE));
        assert!(pause_before(u32::MAX, 0.0) < LONGEST_PAUSE);
    }

    #[test]
    fn what_was_not_answered_is_said_again_in_its_order() {
        let mut bench = bench();
        bench.watch("t");
        bench.keeper.take(Wish::WatchLobby { yes: true });
        for id in ["1", "2", "3"] {
            bench.keeper.take(send(id));
        }
        bench.sent();
        bench.keeper.hear(json!({"type": "done", "id": "2", "version": 7}));
        assert_eq!(bench.told().len(), 1);
        bench.keeper.greet(PROTOCOL, None, 0);
        let said = bench.sent();
        let kinds: Vec<&str> = said.iter().filter_map(|message| message["type"].as_str()).collect();
        assert_eq!(kinds, ["watch", "watch_lobby", "command", "command"]);
        assert_eq!((&said[2]["id"], &said[3]["id"]), (&json!("1"), &json!("3")));
        // An answer that comes twice is told once.
        bench.told();
        for _ in 0..2 {
            bench
                .keeper
                .hear(json!({"type": "refused", "id": "1", "code": "not_allowed", "reason": "the game is over"}));
        }
        let told = bench.told();
        assert!(told.len() == 1 && told[0].contains("The game is over."), "{told:?}");
    }

    #[tokio::test]
    async fn what_may_have_been_done_or_not_is_said_again_with_the_same_id() {
        let mut bench = bench();
        bench.keeper.take(send("1"));
        bench.sent();
        bench.keeper.hear(json!({"type": "refused", "id": "1", "code": "unknown", "reason": "who knows"}));
        assert!(bench.told().is_empty());
        let again = bench.wishes.recv().await.unwrap();
        bench.keeper.take(again);
        assert_eq!(bench.sent()[0]["id"], "1");
    }

    #[test]
    fn a_table_is_asked_for_once_however_much_happens_there() {
        let mut bench = bench();
        let asked = bench.watch("k3vq9x7c2m4n8b5z1t6w0r3ya");
        let table = asked["table"].clone();
        let happened = |version: u64| json!({"type": "update", "table": table, "version": version, "from": 1});
        // Versions 5 and 6 come while the table is on its way; the answer has version 5.
        bench.keeper.hear(happened(5));
        bench.keeper.hear(happened(6));
        assert!(bench.sent().is_empty());
        let snapshot = told(&*played("trexo", &["e5f5"]), |_| {});
        bench.keeper.understand(Message::Snapshot(Box::new(snapshot)));
        bench.keeper.hear(json!({"type": "done", "id": asked["id"]}));
        let again = bench.sent();
        assert_eq!(again.len(), 1, "it is asked for again, once");
        let snapshot = told(&*played("trexo", &["e5f5", "e6f6"]), |_| {});
        bench.keeper.understand(Message::Snapshot(Box::new(snapshot)));
        bench.keeper.hear(json!({"type": "done", "id": again[0]["id"]}));
        bench.keeper.hear(happened(6));
        assert!(bench.sent().is_empty(), "nothing new");
        bench.keeper.hear(happened(7));
        assert_eq!(bench.sent().len(), 1);
    }

    #[test]
    fn what_cannot_be_read_is_said_if_it_matters() {
        let mut bench = bench();
        let asked = bench.watch("t");
        bench.keeper.hear(json!({"type": "snapshot", "table": "t", "log": 3}));
        assert!(bench.told()[0].starts_with("Denied"));
        for nonsense in [json!(null), json!([1, 2]), json!({"type": 7}), json!({"type": "done"}), json!("hello")] {
            bench.keeper.hear(nonsense);
        }
        bench
            .keeper
            .hear(json!({"type": "refused", "id": asked["id"], "code": "not_found", "reason": "no such table"}));
        assert_eq!(bench.told(), [r#"Denied { table: "t", why: "No such table." }"#]);
        assert!(bench.keeper.watched.is_empty());
    }

    /// What is told of a server that answers every connection with this text, until it is told that it is lost.
    fn lost(answer: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let _ = stream.read(&mut [0; 4096]);
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        let (sender, events) = mpsc::channel();
        let link = Link::to(&Visit { server, ..Visit::default() }, Reporter(sender)).unwrap();
        let mut why = String::new();
        // It tries again by itself.
        for _ in 0..2 {
            let Ok(Event::News(News::Online(news))) = events.recv_timeout(Duration::from_mins(1)) else {
                panic!("nothing is told")
            };
            let What::Lost { why: now, .. } = news.what else { panic!("{news:?}") };
            why = now;
        }
        drop(link);
        // With the last link the thread ends, and lets go of the way to tell.
        while events.recv_timeout(Duration::from_mins(1)).is_ok() {}
        why
    }

    #[test]
    fn a_server_that_answers_nonsense_is_told_in_a_sentence() {
        let page = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        assert!(lost(page).starts_with("The server cannot be reached: "));
        assert!(lost("hello, who is there?\r\n\r\n").starts_with("The server cannot be reached: "));
        assert!(lost("").starts_with("The server cannot be reached: "));
    }
}
