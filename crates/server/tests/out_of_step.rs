//! In a cluster the time of the database counts, and a process whose clock shows another time does not serve.

mod support {
    pub mod nats;
    pub mod postgres;
    pub mod server;
}

use std::time::{Duration, Instant};

use quincunx_client::ClientError;
use quincunx_server::config::{Config, Storage, Url};
use quincunx_server::http::{Server, now};
use quincunx_server::store::Store;
use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Executor as _};
use support::nats::NatsServer;
use support::postgres::Postgres;
use support::server::{TestServer, config};
use tokio::time::sleep;

/// A database whose clock can be set, apart from that of the machine: its own function is found before the system's.
struct Wrong {
    connection: AnyConnection,
}

impl Wrong {
    async fn clock(cluster: &Postgres, url: &str) -> Self {
        let name = url.rsplit('/').next().expect("a name");
        cluster.run(&format!("ALTER DATABASE {name} SET search_path = public, pg_catalog")).await;
        Self { connection: AnyConnection::connect(url).await.expect("a connection") }
    }

    async fn set(&mut self, ahead: i64) {
        let function = format!(
            "CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS \
             $$ SELECT pg_catalog.clock_timestamp() + interval '{ahead} milliseconds' $$"
        );
        self.connection.execute(AssertSqlSafe(function)).await.expect("a function");
    }
}

async fn readiness(server: &TestServer) -> (u16, String) {
    let answer = server.client.request(reqwest::Method::GET, "/readyz").send().await.expect("an answer");
    (answer.status().as_u16(), answer.text().await.expect("a text"))
}

async fn until(server: &TestServer, status: u16) -> String {
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let (found, why) = readiness(server).await;
        if found == status {
            return why;
        }
        assert!(Instant::now() < deadline, "still {found}: {why}");
        sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_server_whose_clock_differs_from_the_databases_says_so_and_does_not_serve() {
    let (cluster, nats) = (Postgres::start(), NatsServer::start());
    let url = cluster.fresh_database().await;
    let config = || {
        let storage = Storage::Postgres(Url(url.clone()));
        Config { storage, nats: Some(Url(nats.url())), ..config() }
    };
    // The tables are made first, by a server whose clock is right.
    TestServer::with(config()).await.stop().await;
    let mut wrong = Wrong::clock(&cluster, &url).await;

    for (ahead, way) in [(2_000, "behind"), (-2_000, "ahead of")] {
        wrong.set(ahead).await;
        let said = Server::start(config()).await.expect_err("it does not start").to_string();
        assert!(said.contains(&format!("ms {way} that of the database")), "{said}");
        assert!(said.contains("NTP"), "{said}");
    }
    // One that is alone with its database has the only time that counts.
    let alone = TestServer::with(Config { nats: None, ..config() }).await;
    alone.stop().await;

    // A little is taken over: clients are told the time of the database.
    wrong.set(300).await;
    let server = TestServer::with(config()).await;
    let ada = server.guest().await;
    let mut live = ada.live().await.expect("a connection");
    let before = now();
    let welcome = live.next().await.expect("a welcome");
    let told = welcome["now"].as_i64().expect("a moment");
    assert!((before - 5_000..=now() + 400).contains(&told) && told - before > 150, "{} more", told - before);
    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]});
    let table = ada.post("/api/tables", &json!({"setup": setup})).await.expect("a table")["table"].clone();

    wrong.set(5_000).await;
    let why = until(&server, 503).await;
    assert!(why.contains("the clock of this machine is") && why.contains("behind that of the database"), "{why}");
    let path = format!("/api/tables/{}/commands", table.as_str().expect("an id"));
    let sit = json!({"command": {"type": "sit", "seat": 0}});
    match ada.post(&path, &sit).await {
        Err(ClientError::Refused { status: 503, reason, .. }) => assert!(reason.contains("clock"), "{reason}"),
        done => panic!("{done:?}"),
    }
    assert!(ada.post("/api/tables", &json!({"setup": setup})).await.is_err());
    let shown = server.client.get(&format!("/api/tables/{}", table.as_str().expect("an id"))).await.expect("a table");
    assert_eq!(shown["seats"][0]["user"], Value::Null, "nothing has changed, and everybody may look");

    wrong.set(300).await;
    until(&server, 200).await;
    ada.post(&path, &sit).await.expect("a seat");
    server.stop().await;
    let store = Store::postgres(&url).await.expect("it opens");
    store.close().await;
}
