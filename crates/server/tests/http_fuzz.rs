//! Requests over HTTP that nobody would make: methods, paths, headers and bodies near valid ones, over every route of the
//! description. Whatever comes, the server answers, never with an error of its own, and goes on answering others.

mod support {
    #[allow(dead_code, reason = "others use the rest")]
    pub mod server;
}

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use quincunx_server::config::{Config, Limits, Storage};
use quincunx_server::http::description;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus, seq::IndexedRandom};
use serde_json::{Map, Value, json};
use support::server::{TestServer, config};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long it goes on, and how much is tried at least.
const TIME: Duration = Duration::from_secs(5);
const LEAST: usize = 400;

type Rng = Xoshiro256PlusPlus;

const METHODS: [&str; 10] = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", "BREW"];

/// Texts that have broken programs before.
const TEXTS: [&str; 16] = [
    "",
    "0",
    "-1",
    "9223372036854775808",
    "1e999",
    "null",
    "%00",
    "%ff%fe",
    "../../etc/passwd",
    "'; DROP TABLE users; --",
    "\u{202e}\u{0}",
    "trexo",
    "Ada",
    "a\u{301}\u{301}\u{301}\u{301}",
    "{{7*7}}",
    "%25%32%65",
];

/// A method and a path, what may stand behind the question mark, and the JSON Schema of the body.
type Route = (String, Vec<String>, Option<Value>);

/// The routes, and the description that the schemas refer to.
fn routes() -> (Vec<Route>, Value) {
    let document = serde_json::to_value(description()).expect("plain data");
    let mut routes = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("methods").keys() {
            let body = item[method].pointer("/requestBody/content/application~1json/schema").cloned();
            let queries = item[method]["parameters"].as_array().into_iter().flatten();
            let queries = queries.filter(|parameter| parameter["in"] == "query");
            let queries = queries.filter_map(|parameter| parameter["name"].as_str().map(str::to_owned)).collect();
            routes.push((format!("{} {path}", method.to_uppercase()), queries, body));
        }
    }
    (routes, document)
}

/// Something that fits a schema, about.
fn fitting(schema: &Value, document: &Value, rng: &mut Rng, depth: u32) -> Value {
    if depth > 6 {
        return Value::Null;
    }
    if let Some(path) = schema["$ref"].as_str() {
        let target = document.pointer(path.trim_start_matches('#')).cloned().unwrap_or_default();
        return fitting(&target, document, rng, depth + 1);
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(one) = schema[choice].as_array().and_then(|choices| choices.choose(rng)) {
            return fitting(one, document, rng, depth + 1);
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let mut whole = Map::new();
        for part in parts {
            if let Value::Object(part) = fitting(part, document, rng, depth + 1) {
                whole.extend(part);
            }
        }
        return Value::Object(whole);
    }
    if let Some(word) = schema["enum"].as_array().and_then(|words| words.choose(rng)) {
        return word.clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.choose(rng).and_then(Value::as_str).unwrap_or("null").to_owned(),
        kind => kind.as_str().unwrap_or("object").to_owned(),
    };
    match kind.as_str() {
        "string" => json!(*TEXTS.choose(rng).expect("texts")),
        "integer" | "number" => json!(rng.random_range(-2..70)),
        "boolean" => json!(rng.random_bool(0.5)),
        "array" => (0..rng.random_range(0..4)).map(|_| fitting(&schema["items"], document, rng, depth + 1)).collect(),
        "object" => {
            let members = schema["properties"].as_object().into_iter().flatten();
            members.map(|(name, part)| (name.clone(), fitting(part, document, rng, depth + 1))).collect()
        }
        _ => Value::Null,
    }
}

/// Changes something somewhere.
fn spoilt(value: &mut Value, rng: &mut Rng) {
    match value {
        Value::Object(members) if !members.is_empty() && rng.random_bool(0.8) => {
            let names: Vec<String> = members.keys().cloned().collect();
            let name = names.choose(rng).expect("it is not empty");
            match rng.random_range(0..4) {
                0 => drop(members.remove(name)),
                1 => drop(members.insert("more".to_owned(), json!(1))),
                _ => spoilt(&mut members[name], rng),
            }
        }
        Value::Array(items) if !items.is_empty() && rng.random_bool(0.8) => {
            let at = rng.random_range(0..items.len());
            if rng.random_bool(0.2) {
                *items = vec![items[at].clone(); 300];
            } else {
                spoilt(&mut items[at], rng);
            }
        }
        _ => {
            *value = match rng.random_range(0..8) {
                0 => Value::Null,
                1 => json!(u64::MAX),
                2 => json!(-1.5e300),
                3 => json!("x".repeat(5_000)),
                4 => json!([[[[[[]]]]]]),
                5 => json!({"a": {"b": {}}}),
                6 => json!("\u{0}"),
                _ => json!(*TEXTS.choose(rng).expect("texts")),
            }
        }
    }
}

/// A request as bytes.
fn request(rng: &mut Rng, routes: &[Route], document: &Value, known: &Known) -> Vec<u8> {
    let (route, queries, schema) = routes.choose(rng).expect("routes");
    let (method, path) = route.split_once(' ').expect("a method and a path");
    let method = if rng.random_bool(0.9) { method } else { *METHODS.choose(rng).expect("methods") };
    let mut target = String::new();
    for part in path.split_inclusive('/') {
        let filled = match part.trim_end_matches('/') {
            "{table}" if rng.random_bool(0.7) => known.table.as_str(),
            "{user}" | "{bot}" | "{id}" if rng.random_bool(0.7) => known.user.as_str(),
            part if part.starts_with('{') => TEXTS.choose(rng).expect("texts"),
            part => part,
        };
        target.push_str(filled);
        if part.ends_with('/') {
            target.push('/');
        }
    }
    let pairs: Vec<String> = queries
        .iter()
        .filter(|_| rng.random_bool(0.4))
        .map(|name| format!("{name}={}", TEXTS[name.len() % TEXTS.len()]))
        .collect();
    if !pairs.is_empty() {
        target = format!("{target}?{}", pairs.join("&"));
    }
    target.retain(|letter| !letter.is_control() && letter != ' ');
    if target.is_empty() {
        target.push('/');
    }
    let mut body = Value::Null;
    if let Some(schema) = schema {
        body = fitting(schema, document, rng, 0);
        for _ in 0..rng.random_range(0..3) {
            spoilt(&mut body, rng);
        }
    }
    let mut body = if schema.is_some() { body.to_string().into_bytes() } else { Vec::new() };
    if rng.random_bool(0.1) && !body.is_empty() {
        let at = rng.random_range(0..body.len());
        body[at] = rng.random();
    }
    let mut head = format!("{method} {target} HTTP/1.1\r\nhost: fuzz.example\r\nconnection: close\r\n");
    if rng.random_bool(0.8) {
        write!(head, "authorization: Bearer {}\r\n", known.token).expect("writing to a string does not fail");
    }
    let odd = [
        "content-type: text/plain\r\n",
        "content-type: application/json; charset=utf-16\r\n",
        "cookie: quincunx=; quincunx=1.\u{e9}; =;;;\r\n",
        "authorization: Bearer \r\n",
        "x-forwarded-for: 1.2.3.4, nonsense\r\n",
        "expect: 100-continue\r\n",
        "range: bytes=5-1\r\n",
        "if-none-match: \"\r\n",
        "accept-encoding: br;q=9, *\r\n",
        "origin: http://fuzz.example\r\n",
        "upgrade: websocket\r\n",
        "sec-fetch-site: \r\n",
    ];
    for _ in 0..rng.random_range(0..3) {
        head.push_str(odd.choose(rng).expect("headers"));
    }
    if schema.is_some() {
        let length = if rng.random_bool(0.95) { body.len() } else { rng.random_range(0..200_000) };
        write!(head, "content-length: {length}\r\n").expect("writing to a string does not fail");
    }
    let mut bytes = head.into_bytes();
    bytes.extend(b"\r\n");
    bytes.extend(body);
    if rng.random_bool(0.05) {
        let at = rng.random_range(0..bytes.len());
        bytes[at] = rng.random();
    }
    bytes
}

struct Known {
    token: String,
    table: String,
    user: String,
}

/// The status of the answer, and its beginning; nothing if the connection was closed without one.
async fn answer(address: &str, request: &[u8]) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).await.expect("the server listens");
    // A server that has read enough may close before all is sent.
    let _ = stream.write_all(request).await;
    let _ = stream.shutdown().await;
    let mut heard = Vec::new();
    let mut buffer = [0; 4096];
    // Streams go on for ever: their head is enough.
    while heard.len() < 512 {
        match timeout(Duration::from_secs(30), stream.read(&mut buffer)).await.expect("an answer or an end") {
            Ok(0) | Err(_) => break,
            Ok(read) => heard.extend(&buffer[..read]),
        }
        if heard.windows(4).any(|end| end == b"\r\n\r\n") {
            break;
        }
    }
    let text = String::from_utf8_lossy(&heard).into_owned();
    let status = text.strip_prefix("HTTP/1.1 ")?.split(' ').next()?.parse().ok()?;
    Some((status, text))
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_makes_the_server_fail() {
    let folder = TempDir::new().expect("a temporary folder");
    let limits = Limits { patience: Duration::from_millis(500), tables_at_once: 100_000, ..config().limits };
    let limits = Limits { remarks_per_minute: 1_000_000, ..limits };
    let storage = Storage::Folder(folder.path().to_owned());
    let server = TestServer::with(Config { storage, limits, ..config() }).await;
    let address = server.client.address().trim_start_matches("http://").to_owned();
    let ada = server.client.register("Ada", "correct horse battery").await.expect("an account");
    let open = json!({"setup": {"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}]}});
    let table = ada.post("/api/tables", &open).await.expect("a table")["table"].as_str().expect("an id").to_owned();
    let user = ada.get("/api/me").await.expect("me")["id"].to_string();
    let honest = server.guest().await;
    let known = Known { token: ada.token().expect("a token").to_owned(), table, user };
    let (routes, document) = routes();
    assert!(routes.len() > 30, "{routes:?}");
    let mut rng = Rng::seed_from_u64(14);
    let begun = Instant::now();
    let (mut tried, mut answered) = (0, std::collections::BTreeMap::<u16, usize>::new());
    while begun.elapsed() < TIME || tried < LEAST {
        let bytes = request(&mut rng, &routes, &document, &known);
        if let Some((status, text)) = answer(&address, &bytes).await {
            // 503 is for a storage that fails: this one does not.
            assert!(status < 500 || status == 501, "{status} to {}\n{text}", String::from_utf8_lossy(&bytes));
            *answered.entry(status).or_default() += 1;
        }
        tried += 1;
        if tried % 50 == 0 {
            assert_eq!(honest.get("/api/games").await.expect("others are served").as_array().map(Vec::len), Some(5));
        }
    }
    assert!(answered.len() >= 5, "only {answered:?}");
    assert!(answered.get(&200).is_some_and(|&good| good > 10), "some get through: {answered:?}");
    let figures = server.client.request(reqwest::Method::GET, "/metrics").send().await.expect("figures");
    let figures = figures.text().await.expect("a text");
    assert!(!figures.contains("status=\"503\"") && !figures.contains("status=\"500\""), "{figures}");
    server.stop().await;
}
