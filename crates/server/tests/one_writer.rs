//! Servers that do not know of each other do not work on the same tables: the second one refuses to start, and says why.

mod support {
    pub mod nats;
    pub mod postgres;
    pub mod server;
}

use std::path::Path;

use quincunx_server::config::{Config, Storage, Url};
use quincunx_server::http::{RunError, Server};
use quincunx_server::store::{Claim, Company, Store};
use serde_json::json;
use support::nats::NatsServer;
use support::postgres::Postgres;
use support::server::{TestServer, config};

fn in_folder(folder: &Path) -> Config {
    Config { storage: Storage::Folder(folder.to_owned()), ..config() }
}

fn in_database(url: &str, nats: Option<&NatsServer>) -> Config {
    Config { storage: Storage::Postgres(Url(url.to_owned())), nats: nats.map(|nats| Url(nats.url())), ..config() }
}

/// The sentence with which a server refuses to start.
async fn refusal(config: Config) -> String {
    Server::start(config).await.expect_err("it does not start").to_string()
}

#[tokio::test]
async fn a_second_server_on_the_same_folder_does_not_start_and_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = TestServer::with(in_folder(folder.path())).await;
    let said = refusal(in_folder(folder.path())).await;
    assert!(said.contains("quincunx.db is served by another process already"), "{said}");
    assert!(said.contains("--nats"), "{said}");

    // The first one is not disturbed, and neither are those who look after it meanwhile.
    let ada = first.guest().await;
    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]});
    ada.post("/api/tables", &json!({"setup": setup})).await.expect("a table");
    let store = Store::sqlite(folder.path().join("quincunx.db")).await.expect("a tool opens it");
    assert_eq!(store.count_tables().await, Ok(1));
    store.backup(folder.path().join("copy.db")).await.expect("a backup");
    store.close().await;

    first.stop().await;
    let next = TestServer::with(in_folder(folder.path())).await;
    next.stop().await;
}

#[tokio::test]
async fn a_second_server_on_the_same_database_needs_nats_and_says_so() {
    let (cluster, nats) = (Postgres::start(), NatsServer::start());
    let url = cluster.fresh_database().await;
    let first = TestServer::with(in_database(&url, None)).await;
    for config in [in_database(&url, None), in_database(&url, Some(&nats))] {
        let said = refusal(config).await;
        assert!(said.contains("the database is served by another process already"), "{said}");
        assert!(said.contains("--nats"), "{said}");
    }
    let elsewhere = TestServer::with(in_database(&cluster.fresh_database().await, None)).await;
    elsewhere.stop().await;
    first.stop().await;

    // Those who tell each other what they do work together, and not with one who does not.
    let one = TestServer::with(in_database(&url, Some(&nats))).await;
    let two = TestServer::with(in_database(&url, Some(&nats))).await;
    let said = refusal(in_database(&url, None)).await;
    assert!(said.contains("--nats"), "{said}");
    one.stop().await;
    two.stop().await;

    // A process that is killed says no farewell, and the next one starts nevertheless.
    drop(Claim::of_postgres(&url, Company::Alone).await.expect("nobody has it"));
    let next = TestServer::with(in_database(&url, None)).await;
    next.stop().await;
}

#[tokio::test]
async fn a_server_keeps_its_database_when_connections_break_and_stops_when_another_one_has_it() {
    let cluster = Postgres::start();
    let url = cluster.fresh_database().await;
    let server = Server::start(in_database(&url, None)).await.expect("it starts");
    let running = tokio::spawn(server.run_until(std::future::pending()));
    let cut = async || {
        let all = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'fresh%'";
        cluster.run(all).await;
    };
    cut().await;
    // The server claims it again within seconds; somebody who is quicker gets it.
    let usurper = loop {
        cut().await;
        if let Ok(claim) = Claim::of_postgres(&url, Company::Alone).await {
            break claim;
        }
    };
    let ended = running.await.expect("no panic").expect_err("it stops by itself");
    assert!(matches!(ended, RunError::Displaced), "{ended:?}");
    assert!(ended.to_string().contains("another server has claimed it"), "{ended}");
    usurper.give_up().await;

    let server = Server::start(in_database(&url, None)).await.expect("it starts");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.run_until(async { drop(stopped.await) }));
    cut().await;
    tokio::time::sleep(std::time::Duration::from_secs(5)).await;
    let said = refusal(in_database(&url, None)).await;
    assert!(said.contains("served by another process"), "it has the lock again: {said}");
    drop(stop);
    running.await.expect("no panic").expect("it stops in order");
}
