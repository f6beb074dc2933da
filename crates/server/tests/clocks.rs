//! Clocks and the world around them: players who sit far away, and a server that is down for a while. Neither takes time from
//! anybody.

mod support {
    pub mod server;
}

use std::net::SocketAddr;
use std::time::Duration;

use quincunx_client::{Client, Live};
use quincunx_server::config::{Config, Storage};
use quincunx_server::store::Store;
use quincunx_table::{Event, TableId};
use serde_json::{Value, json};
use support::server::{TestServer, config};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

/// How long everything takes in one direction.
const WAY: Duration = Duration::from_millis(120);

/// A long line to a server: whatever goes in comes out later. Gives its address.
async fn long_line_to(server: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("its address");
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let Ok(stream) = TcpStream::connect(server).await else { return };
            let (from_client, to_client) = client.into_split();
            let (from_server, to_server) = stream.into_split();
            tokio::spawn(later(from_client, to_server));
            tokio::spawn(later(from_server, to_client));
        }
    });
    address
}

async fn later(mut from: impl AsyncRead + Unpin + Send + 'static, mut to: impl AsyncWrite + Unpin) {
    let (pieces, mut arriving) = mpsc::unbounded_channel::<(Instant, Vec<u8>)>();
    tokio::spawn(async move {
        let mut piece = vec![0; 16 * 1024];
        while let Ok(length @ 1..) = from.read(&mut piece).await {
            if pieces.send((Instant::now() + WAY, piece[..length].to_vec())).is_err() {
                return;
            }
        }
    });
    while let Some((at, piece)) = arriving.recv().await {
        sleep_until(at).await;
        if to.write_all(&piece).await.is_err() {
            return;
        }
    }
}

/// Hears what comes, as a client does all the time, and with it answers pings.
async fn listen(live: &mut Live) {
    let _ = timeout(4 * WAY, async { while live.next().await.is_some() {} }).await;
}

#[tokio::test]
async fn who_sits_far_away_gets_the_time_back_that_moves_are_under_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = TestServer::with(Config { storage: Storage::Folder(folder.path().to_owned()), ..config() }).await;
    let address: SocketAddr = server.client.address().strip_prefix("http://").unwrap().parse().unwrap();
    let far = Client::new(&format!("http://{}", long_line_to(address).await)).unwrap();
    let (ada, bob) = (far.guest("Ada").await.unwrap(), server.guest().await);
    let clock = json!({"kind": "real_time", "seconds": 300, "increment": 0});
    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}], "clock": clock});
    let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let command = |command: Value| json!({"type": "command", "table": table, "command": command});
    let act = |action: &str| command(json!({"type": "act", "action": action}));
    let mut lives = [ada.live().await.unwrap(), bob.live().await.unwrap()];
    for (seat, live) in lives.iter_mut().enumerate() {
        live.ask(command(json!({"type": "sit", "seat": seat}))).await.unwrap();
        listen(live).await;
    }
    let [near, far] = [1, 0];
    lives[far].ask(act("e5f5")).await.unwrap();
    lives[near].ask(act("e6f6")).await.unwrap();
    server.stop().await;

    let store = Store::sqlite(folder.path().join("quincunx.db")).await.expect("it opens");
    let log = store.entries(&TableId(table.as_str().unwrap().to_owned()), 0, 100).await.expect("the log");
    let lags: Vec<Option<u32>> = log
        .iter()
        .filter_map(|entry| match serde_json::from_str(&entry.event).expect("an event") {
            Event::Acted { lag, .. } => Some(lag),
            _ => None,
        })
        .collect();
    let [Some(far), near] = lags[..] else { panic!("{lags:?}") };
    assert!((240..=500).contains(&far), "there and back: {far}");
    assert!(near.unwrap_or_default() < 200, "{near:?}");
    store.close().await;
}

#[tokio::test]
async fn a_game_is_not_lost_on_time_because_the_server_was_down() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = || Config { storage: Storage::Folder(folder.path().to_owned()), ..config() };
    let server = TestServer::with(config()).await;
    let (ada, bob) = (server.guest().await, server.guest().await);
    let clock = json!({"kind": "real_time", "seconds": 6, "increment": 0});
    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}], "clock": clock});
    let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let path = format!("/api/tables/{}", table.as_str().unwrap());
    for (seat, who) in [&ada, &bob].into_iter().enumerate() {
        let sit = json!({"command": {"type": "sit", "seat": seat}});
        who.post(&format!("{path}/commands"), &sit).await.unwrap();
    }
    server.stop().await;
    // Longer than the clock.
    tokio::time::sleep(Duration::from_secs(8)).await;
    let server = TestServer::with(config()).await;
    let ada = server.client.with_token(ada.token().expect("a token"));
    let shown = server.client.get(&path).await.unwrap();
    assert_eq!(shown["status"], "playing", "{}", shown["ending"]);
    ada.post(&format!("{path}/commands"), &json!({"command": {"type": "act", "action": "e5f5"}})).await.unwrap();
    let clocks = server.client.get(&path).await.unwrap()["clocks"].clone();
    let left = clocks["left"][0].as_i64().expect("a number");
    assert!((1..=6_000).contains(&left), "{clocks}");
    server.stop().await;
}
