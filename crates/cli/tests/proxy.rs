//! A server behind the proxies of the documentation: TLS, the WebSocket, the bots' stream, the real address of clients.

mod support {
    pub mod nginx;
    pub mod process;
}

use std::net::IpAddr;
use std::process::Command;
use std::time::Duration;

use quincunx_client::Client;
use reqwest::{Certificate, Method, StatusCode, header, redirect};
use serde_json::{Value, json};
use support::nginx::Nginx;
use support::process::{Process, free_port};

/// How many guests an address may bring in an hour.
const GUESTS: usize = 4;

/// A server as the head of the configuration asks for it, and nginx in front of it.
fn start() -> (Process, Nginx, Client) {
    let port = free_port();
    let guests = format!("--people-per-hour={GUESTS}");
    let server = Process::serve_strictly(port, &["--memory", "--trusted-proxies", "127.0.0.1", &guests]);
    let nginx = Nginx::start(port);
    let client = Client::trusting(&format!("https://127.0.0.1:{}", nginx.port), &nginx.certificate).unwrap();
    (server, nginx, client)
}

/// A browser on another machine, as far as addresses are concerned.
fn browser(nginx: &Nginx, from: [u8; 4]) -> reqwest::Client {
    reqwest::Client::builder()
        .tls_certs_only([Certificate::from_pem(&nginx.certificate).unwrap()])
        .redirect(redirect::Policy::none())
        .local_address(IpAddr::from(from))
        .build()
        .unwrap()
}

async fn patiently<T>(what: &str, wait: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_mins(2), wait).await.unwrap_or_else(|_| panic!("{what} does not come"))
}

#[tokio::test]
async fn a_game_is_played_and_followed_through_nginx() {
    let (_server, _nginx, client) = start();
    let (ada, bob) = (client.guest("Ada").await.unwrap(), client.guest("Bob").await.unwrap());

    let stream = ada.request(Method::GET, "/api/stream").send();
    let mut stream = patiently("the head of the stream", stream).await.unwrap();
    let mut heard = String::new();
    patiently("the first line of the stream", async {
        while !heard.contains("\"welcome\"") {
            heard += &String::from_utf8_lossy(&stream.chunk().await.unwrap().expect("the stream goes on"));
        }
    })
    .await;

    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]});
    let table = ada.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
    let path = format!("/api/tables/{}/position", table.as_str().unwrap());
    let players = [ada, bob];
    let mut lives = [players[0].live().await.unwrap(), players[1].live().await.unwrap()];
    for (seat, live) in lives.iter_mut().enumerate() {
        let command = json!({"type": "sit", "seat": seat});
        live.ask(json!({"type": "command", "table": table, "command": command})).await.unwrap();
    }
    for _ in 0..6 {
        let position = players[0].get(&path).await.unwrap();
        let seat = position["turn"]["seat"].as_u64().unwrap() as usize;
        let position = players[seat].get(&path).await.unwrap();
        let action = position["actions"][0]["action"].clone();
        let command = json!({"type": "act", "action": action, "ply": position["ply"]});
        lives[seat].ask(json!({"type": "command", "table": table, "command": command})).await.unwrap();
        // A proxy that collects what it sends would keep it until it has some kilobytes.
        let told = format!("\"action\":{action}");
        patiently("the move in the stream", async {
            while !heard.contains(&told) {
                heard += &String::from_utf8_lossy(&stream.chunk().await.unwrap().expect("the stream goes on"));
            }
            heard.clear();
        })
        .await;
    }
}

#[tokio::test]
async fn behind_nginx_clients_are_known_by_their_own_address_whatever_they_say() {
    let (_server, nginx, client) = start();
    let address = client.address();
    let guest = async |browser: &reqwest::Client, number: usize| {
        browser
            .post(format!("{address}/api/guests"))
            .header("X-Forwarded-For", format!("10.1.{number}.1"))
            .header("X-Real-IP", format!("10.2.{number}.1"))
            .header("Forwarded", format!("for=10.3.{number}.1"))
            .json(&json!({"name": format!("Guest {number}")}))
            .send()
            .await
            .unwrap()
    };
    for (machine, from) in [[127, 0, 0, 2], [127, 0, 0, 3]].into_iter().enumerate() {
        let browser = browser(&nginx, from);
        for number in 0..GUESTS {
            let answer = guest(&browser, machine * 100 + number).await;
            assert_eq!(answer.status(), StatusCode::OK, "machine {machine}, guest {number}");
            let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
            assert!(cookie.contains("; Secure") && cookie.contains("; HttpOnly"), "the browser came over TLS");
        }
        let answer = guest(&browser, machine * 100 + GUESTS).await;
        assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS, "machine {machine}");
        let problem: Value = answer.json().await.unwrap();
        assert_eq!(problem["code"], "rate_limited");
    }
}

#[tokio::test]
async fn nginx_lets_through_what_it_should_and_keeps_the_rest() {
    let (_server, nginx, client) = start();
    let address = client.address();
    let browser = browser(&nginx, [127, 0, 0, 1]);
    let get = async |url: String| browser.get(url).send().await.unwrap();
    assert_eq!(get(format!("{address}/readyz")).await.status(), StatusCode::OK);
    assert_eq!(get(format!("{address}/metrics")).await.status(), StatusCode::NOT_FOUND);
    let answer = get(format!("{address}/api/tables/none?invitation=hush")).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    assert_eq!(answer.headers()["strict-transport-security"], "max-age=31536000");
    let logged = async {
        while !nginx.logs().contains("GET /api/tables/none HTTP/1.1\" 404") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    patiently("the request in the log", logged).await;
    assert!(!nginx.logs().contains("hush"), "an invitation is in a log: {}", nginx.logs());

    let plain = get(format!("http://127.0.0.1:{}/api/games?x=1", nginx.plain_port)).await;
    assert_eq!(plain.status(), StatusCode::MOVED_PERMANENTLY);
    assert_eq!(plain.headers()[header::LOCATION], "https://127.0.0.1/api/games?x=1");

    // Pages of the same host may, pages of others may not.
    let guest = async |origin: &str| {
        let request = browser.post(format!("{address}/api/guests")).header(header::ORIGIN, origin);
        request.json(&json!({"name": "Ada"})).send().await.unwrap().status()
    };
    assert_eq!(guest(address).await, StatusCode::OK);
    assert_eq!(guest(&address.replace("https", "http")).await, StatusCode::CONFLICT, "a page loaded without TLS");
    assert_eq!(guest("https://evil.example").await, StatusCode::CONFLICT);

    let long = "x".repeat(70_000);
    let answer = browser.post(format!("{address}/api/guests")).json(&json!({"name": long})).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
}

/// Caddy is not needed to test Quincunx: it is asked where it is installed.
#[test]
fn caddy_understands_its_configuration_where_there_is_one() {
    let caddyfile = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/hosting/Caddyfile");
    let home = tempfile::tempdir().unwrap();
    let mut validate = Command::new("caddy");
    validate.args(["validate", "--adapter", "caddyfile", "--config", caddyfile]).env("HOME", home.path());
    match validate.output() {
        Ok(validated) => assert!(validated.status.success(), "{}", String::from_utf8_lossy(&validated.stderr)),
        Err(missing) => println!("caddy is not installed, its configuration was not tested: {missing}"),
    }
}
