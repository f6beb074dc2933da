//! A cluster over a NATS that is not for everybody: credentials, TLS, and answers that somebody else sends.

mod support {
    pub mod nats;
    #[allow(dead_code, reason = "others use the rest")]
    pub mod server;
}

use std::time::Duration;

use quincunx_server::cluster::{self, Nats, NatsError};
use quincunx_server::config::{ClusterKeys, Config, Secret, Storage, Url};
use serde_json::{Value, json};
use support::nats::NatsServer;
use support::server::{TestServer, config};
use tokio::time::{sleep, timeout};

/// A NATS with TLS for a user with a password that needs writing otherwise in an address.
const PROTECTED: &str = r#"
tls { cert_file: "FOLDER/certificate.pem", key_file: "FOLDER/key.pem" }
authorization { user: quincunx, password: "p@ss/word" }
"#;

fn keys(nats: &NatsServer) -> ClusterKeys {
    ClusterKeys { ca: Some(nats.file("certificate.pem")), secret: None }
}

async fn connect(address: &str, keys: &ClusterKeys) -> Result<Nats, NatsError> {
    let url = Url(address.to_owned());
    let connecting = Nats::connect_with(&url, "test", keys);
    timeout(Duration::from_mins(1), connecting).await.expect("an answer in time")
}

#[tokio::test]
async fn nats_is_reached_with_tls_and_credentials_and_not_without() {
    let nats = NatsServer::start_with(PROTECTED);
    let (port, keys) = (nats.port(), keys(&nats));
    let right = format!("tls://quincunx:p%40ss%2Fword@127.0.0.1:{port}");
    connect(&right, &keys).await.expect("with the certificate and the password");
    let stranger = connect(&right, &ClusterKeys::default()).await.expect_err("nobody vouches for it");
    assert!(matches!(stranger, NatsError::Unreachable { .. }), "{stranger}");
    for wrong in ["", "quincunx:wrong@", "p%40ss%2Fword@"] {
        let refused = connect(&format!("tls://{wrong}127.0.0.1:{port}"), &keys).await.expect_err("refused");
        assert!(!refused.to_string().contains("wrong"), "a password is in {refused}");
    }
    assert_eq!(connect(&format!("tls://a%zz:b@127.0.0.1:{port}"), &keys).await.err(), Some(NatsError::Credentials));
}

#[tokio::test]
async fn a_token_in_the_address_lets_in() {
    let nats = NatsServer::start_with("authorization { token: \"long and secret\" }");
    let port = nats.port();
    let none = ClusterKeys::default();
    connect(&format!("nats://long%20and%20secret@127.0.0.1:{port}"), &none).await.expect("the token is right");
    connect(&format!("nats://another@127.0.0.1:{port}"), &none).await.expect_err("the token is wrong");
}

/// An engine on turn at a table of a server that leaves thinking to workers.
async fn engine_to_act(server: &TestServer) -> Value {
    let ada = server.guest().await;
    let seats = json!([{"kind": "engine", "level": "novice"}, {"kind": "open"}]);
    let setup = json!({"setup": {"game": "trexo", "seats": seats}});
    let table = ada.post("/api/tables", &setup).await.unwrap()["table"].clone();
    let path = format!("/api/tables/{}/commands", table.as_str().unwrap());
    ada.post(&path, &json!({"command": {"type": "sit", "seat": 1}})).await.unwrap();
    table
}

async fn moves(server: &TestServer, table: &Value) -> usize {
    let shown = server.client.get(&format!("/api/tables/{}", table.as_str().unwrap())).await.unwrap();
    shown["log"].as_array().unwrap().iter().filter(|step| step["seat"] == 0).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_cluster_works_with_tls_and_a_secret_and_strangers_answers_are_refused() {
    let nats = NatsServer::start_with(PROTECTED);
    let address = format!("tls://quincunx:p%40ss%2Fword@127.0.0.1:{}", nats.port());
    let ours = ClusterKeys { secret: Some(Secret("correct horse battery".to_owned())), ..keys(&nats) };
    let server = TestServer::with(Config {
        storage: Storage::Memory,
        nats: Some(Url(address.clone())),
        keys: ours.clone(),
        thinkers: 0,
        ..config()
    })
    .await;
    let table = engine_to_act(&server).await;
    let version =
        server.client.get(&format!("/api/tables/{}", table.as_str().unwrap())).await.unwrap()["version"].clone();

    // A stranger who can reach NATS: takes the job and answers it, without the secret and with another one.
    let options = async_nats::ConnectOptions::new()
        .user_and_password("quincunx".to_owned(), "p@ss/word".to_owned())
        .require_tls(true)
        .add_root_certificates(nats.file("certificate.pem"));
    let stranger = options.connect(format!("tls://127.0.0.1:{}", nats.port())).await.unwrap();
    let forged =
        json!({"table": table, "version": version, "found": {"type": "act", "seat": 0, "action": "e5f5"}}).to_string();
    for payload in [forged.clone(), format!("{}{forged}", "0".repeat(64))] {
        let asked = stranger.request("quincunx.answers", payload.into());
        assert!(timeout(Duration::from_secs(2), asked).await.map_or(true, |answer| answer.is_err()), "nobody answers");
    }
    assert_eq!(moves(&server, &table).await, 0, "what strangers answer is not played");

    let other = ClusterKeys { secret: Some(Secret("another long phrase".to_owned())), ..ours.clone() };
    let (strange, ours) = (
        Nats::connect_with(&Url(address.clone()), cluster::PREFIX, &other).await.unwrap(),
        Nats::connect_with(&Url(address), cluster::PREFIX, &ours).await.unwrap(),
    );
    // A worker with another secret refuses the job, and the table asks again; ours plays.
    cluster::work(&strange, 1, sleep(Duration::from_secs(2))).await;
    assert_eq!(moves(&server, &table).await, 0);
    let second = engine_to_act(&server).await;
    let played = async {
        while moves(&server, &second).await == 0 {
            sleep(Duration::from_millis(50)).await;
        }
    };
    cluster::work(&ours, 1, async { timeout(Duration::from_mins(2), played).await.expect("our worker plays") }).await;
    server.stop().await;
}
