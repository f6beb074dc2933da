//! A connection to a real server: a game that two play, a server that goes away, and a client that goes on where it was.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use quincunx_client::{Client, Connection, Event, News, Order};
use quincunx_server::config::{Config, Storage};
use quincunx_server::http::Server;
use quincunx_table::protocol::Snapshot;
use quincunx_table::{Command, SeatPlan, Setup, Status, TableId, TimeControl, UndoPolicy};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// How long anything may take, however slow the machine is.
const PATIENCE: Duration = Duration::from_mins(1);

struct Running {
    address: std::net::SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

async fn start(folder: &std::path::Path, listen: std::net::SocketAddr) -> Running {
    let config = Config { listen, storage: Storage::Folder(folder.to_owned()), ..Config::default() };
    let server = Server::start(config).await.expect("it starts");
    let address = server.address();
    let (stop, stopped) = oneshot::channel::<()>();
    let stopped = async { drop(stopped.await) };
    let task = tokio::spawn(async move { server.run_until(stopped).await.expect("it stops in order") });
    Running { address, stop, task }
}

struct Player {
    connection: Connection,
    news: Receiver<News>,
}

impl Player {
    async fn come(client: &Client, name: &str) -> Self {
        let client = client.guest(name).await.expect("guests are welcome");
        let (sender, news) = mpsc::channel();
        let connection = Connection::open(client, move |news| drop(sender.send(news))).expect("a thread");
        Self { connection, news }
    }

    /// The next event that fits.
    fn until<R>(&self, fits: impl Fn(&Event) -> Option<R>) -> R {
        loop {
            let news = self.news.recv_timeout(PATIENCE).expect("something happens");
            if let Some(found) = fits(&news.event) {
                return found;
            }
        }
    }

    fn table(&self, fits: impl Fn(&Snapshot) -> bool) -> Snapshot {
        self.until(|event| match event {
            Event::Table(snapshot) if fits(snapshot) => Some((**snapshot).clone()),
            _ => None,
        })
    }

    fn answer(&self, asked: &str) -> Result<quincunx_client::Done, String> {
        self.until(|event| match event {
            Event::Answered { id, answer } if id == asked => Some(answer.clone()),
            _ => None,
        })
    }

    fn act(&self, table: &TableId, action: &str) -> Result<quincunx_client::Done, String> {
        let command = Command::Act { action: action.to_owned(), ply: None };
        self.answer(&self.connection.command(table, None, command))
    }
}

fn setup() -> Setup {
    Setup {
        game: "trexo".to_owned(),
        options: serde_json::Map::new(),
        seats: vec![SeatPlan::Open, SeatPlan::Open],
        shuffled: false,
        clock: TimeControl::None,
        rated: false,
        public: true,
        undo: UndoPolicy::Asked,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_after_the_server_was_away() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), ([127, 0, 0, 1], 0).into()).await;
    let client = Client::new(&format!("http://{}", server.address)).unwrap();
    let (ada, bob) = (Player::come(&client, "Ada").await, Player::come(&client, "Bob").await);

    let id = ada.connection.new_id();
    ada.connection.create(&id, setup());
    let table = ada.answer(&id).unwrap().table.expect("a table");
    for (seat, player) in (0..).zip([&ada, &bob]) {
        player.connection.watch(&table, None);
        player.table(|_| true);
        let sit = Command::Sit { seat, invitation: None };
        player.answer(&player.connection.command(&table, None, sit)).unwrap();
    }
    let begun = ada.table(|snapshot| snapshot.status == Status::Playing);
    assert_eq!((begun.viewer, begun.position.actions.is_empty()), (Some(0), false));
    ada.act(&table, "e5f5").unwrap();
    // The other one has the new position, with what may be done there, from the update alone.
    let seen = bob.table(|snapshot| snapshot.log.len() == 1);
    assert!(seen.position.actions.iter().any(|offer| offer.action == "e6f6"), "{:?}", seen.position.actions);
    assert!(bob.act(&table, "a1a9").is_err());

    server.stop.send(()).unwrap();
    server.task.await.unwrap();
    bob.until(|event| matches!(event, Event::Lost { .. }).then_some(()));
    // What is said meanwhile waits.
    let command = Command::Act { action: "e6f6".to_owned(), ply: Some(1) };
    let waiting = bob.connection.command(&table, None, command);
    let server = start(folder.path(), server.address).await;
    bob.connection.order(Order::Hurry);
    bob.answer(&waiting).unwrap();
    assert_eq!(ada.table(|snapshot| snapshot.log.len() == 2).log[1].action, "e6f6");

    ada.connection.watch(&TableId("nowhere".to_owned()), None);
    let why = ada.until(|event| match event {
        Event::Denied { why, .. } => Some(why.clone()),
        _ => None,
    });
    assert_eq!(why, "There is no such table.");
    ada.connection.order(Order::Tables);
    let (listed, turns) = ada.until(|event| match event {
        Event::Tables(tables) => Some(tables.clone().unwrap()),
        _ => None,
    });
    assert_eq!((listed.len(), turns), (1, vec![table]));
    drop((ada, bob));
    server.stop.send(()).unwrap();
    server.task.await.unwrap();
}
