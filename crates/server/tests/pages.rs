//! What a server shows browsers: the files of a client, each of the right kind, kept as long as it may be.

mod support {
    #[allow(dead_code, reason = "others use the rest")]
    pub mod raw;
    #[allow(dead_code, reason = "others use the rest")]
    pub mod server;
}

use std::borrow::Cow;

use quincunx_server::config::{Config, Limits, Storage};
use quincunx_server::http::Pages;
use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode, redirect};
use support::raw::Raw;
use support::server::{TestServer, config};

const PAGE: &str = "<!doctype html><title>A table</title>";

const FILES: [(&str, &[u8]); 12] = [
    ("index.html", PAGE.as_bytes()),
    ("index.html.gz", b"packed page"),
    ("service-worker.js", b"self"),
    ("manifest.webmanifest", b"{}"),
    ("icon.svg", b"<svg/>"),
    ("icon.png", b"\x89PNG"),
    ("robots.txt", b"all"),
    ("assets/index-Ab12.js", b"code"),
    ("assets/index-Ab12.js.gz", b"packed code"),
    ("assets/index-Ab12.css", b"style"),
    ("assets/engine-Ab12.wasm", b"\0asm"),
    ("assets/samples-Ab12.json", b"[]"),
];

/// A server that shows these files, in front of which nobody has to wait.
async fn server() -> TestServer {
    server_with(config().limits).await
}

async fn server_with(limits: Limits) -> TestServer {
    let pages = Pages::new(FILES.map(|(name, bytes)| (Cow::Borrowed(name), Cow::Borrowed(bytes))));
    TestServer::showing(pages, Config { storage: Storage::Memory, limits, ..config() }).await
}

/// An answer, as far as these tests look at it.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("a text"))
    }
}

async fn ask(server: &TestServer, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let browser = reqwest::Client::builder().redirect(redirect::Policy::none()).build().unwrap();
    let mut request = browser.request(method, format!("{}{path}", server.client.address()));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    Answer { status, headers, body: response.bytes().await.unwrap().to_vec() }
}

async fn get(server: &TestServer, path: &str) -> Answer {
    ask(server, Method::GET, path, &[]).await
}

#[tokio::test]
async fn every_file_says_of_what_kind_it_is() {
    let server = server().await;
    for (path, kind) in [
        ("/", "text/html; charset=utf-8"),
        ("/index.html", "text/html; charset=utf-8"),
        ("/service-worker.js", "text/javascript; charset=utf-8"),
        ("/manifest.webmanifest", "application/manifest+json"),
        ("/icon.svg", "image/svg+xml"),
        ("/icon.png", "image/png"),
        ("/robots.txt", "text/plain; charset=utf-8"),
        ("/assets/index-Ab12.css", "text/css; charset=utf-8"),
        ("/assets/engine-Ab12.wasm", "application/wasm"),
        ("/assets/samples-Ab12.json", "application/json"),
    ] {
        let answer = get(&server, path).await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, kind), "{path}");
        assert!(answer.header("content-security-policy").contains("default-src 'none'"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn names_with_a_hash_are_kept_for_ever_and_the_others_asked_for_again() {
    let server = server().await;
    let code = get(&server, "/assets/index-Ab12.js").await;
    assert_eq!(code.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(code.body, b"code");
    for path in ["/", "/index.html", "/service-worker.js", "/play/trexo"] {
        assert_eq!(get(&server, path).await.header("cache-control"), "no-cache", "{path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn who_has_a_file_already_does_not_get_it_again() {
    let server = server().await;
    let first = get(&server, "/").await;
    let tag = first.header("etag");
    assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 10, "{tag}");
    let again = ask(&server, Method::GET, "/table/abc", &[("if-none-match", tag)]).await;
    assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
    assert_eq!((again.header("etag"), again.header("cache-control")), (tag, "no-cache"));
    assert_eq!(again.header("vary"), "accept-encoding");
    let other = ask(&server, Method::GET, "/icon.svg", &[("if-none-match", tag)]).await;
    assert_eq!(other.status, StatusCode::OK, "the tag of another file");
    server.stop().await;
}

#[tokio::test]
async fn a_packed_copy_goes_to_who_can_unpack_it() {
    let server = server().await;
    let packed = ask(&server, Method::GET, "/", &[("accept-encoding", "br, gzip;q=0.8")]).await;
    assert_eq!((packed.header("content-encoding"), &packed.body[..]), ("gzip", &b"packed page"[..]));
    assert_eq!((packed.header("vary"), packed.header("content-length")), ("accept-encoding", "11"));
    assert_eq!(packed.header("content-type"), "text/html; charset=utf-8");
    let plain = ask(&server, Method::GET, "/", &[("accept-encoding", "gzip;q=0, *")]).await;
    assert_eq!((plain.header("content-encoding"), &plain.body[..]), ("", PAGE.as_bytes()));
    assert_eq!(plain.header("vary"), "accept-encoding");
    assert_ne!(plain.header("etag"), packed.header("etag"), "they are not the same bytes");
    let alone = ask(&server, Method::GET, "/icon.svg", &[("accept-encoding", "gzip")]).await;
    assert_eq!((alone.header("content-encoding"), &alone.body[..]), ("", &b"<svg/>"[..]));
    assert_eq!(get(&server, "/index.html.gz").await.status, StatusCode::NOT_FOUND, "no file of its own");
    server.stop().await;
}

#[tokio::test]
async fn an_address_of_the_client_shows_the_page_and_a_file_that_is_missing_does_not() {
    let server = server().await;
    for path in ["/", "/play", "/play/trexo?seat=1", "/table/8f2a/", "/player/Zo%C3%AB", "/apiary"] {
        let answer = get(&server, path).await;
        assert_eq!((answer.status, &answer.body[..]), (StatusCode::OK, PAGE.as_bytes()), "{path}");
    }
    for path in ["/assets/index-Old1.js", "/assets/", "/assets/old", "/favicon.ico", "/play/trexo.js", "/index.htm"] {
        let answer = get(&server, path).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (StatusCode::NOT_FOUND, "application/json"),
            "{path}"
        );
    }
    for path in ["/api", "/api/", "/api/nothing", "/healthz/more", "/readyz/", "/metrics/all"] {
        assert_eq!(get(&server, path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(get(&server, "/healthz").await.body, b"ok\n");
    assert_eq!(get(&server, "/readyz").await.body, b"ready\n");
    server.stop().await;
}

#[tokio::test]
async fn a_page_is_looked_at_and_nothing_else() {
    let server = server().await;
    let head = ask(&server, Method::HEAD, "/play", &[]).await;
    assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
    assert_eq!(head.header("content-length"), PAGE.len().to_string());
    assert_eq!(ask(&server, Method::HEAD, "/", &[]).await.header("etag"), head.header("etag"));
    assert_eq!(ask(&server, Method::POST, "/", &[]).await.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(ask(&server, Method::DELETE, "/icon.svg", &[]).await.status, StatusCode::NOT_FOUND);
    server.stop().await;
}

#[tokio::test]
async fn no_address_leads_outside() {
    let server = server().await;
    let address = server.client.address().trim_start_matches("http://").to_owned();
    let long = format!("/{}", "a/".repeat(10_000));
    let paths: [(&[u8], &str); 12] = [
        (b"/../../../../etc/passwd", "404"),
        (b"/assets/../index.html", "404"),
        (b"/assets/..%2findex.html", "404"),
        (b"//etc/passwd.txt", "404"),
        (b"/..", "404"),
        (b"/.git/config", "404"),
        (b"/C:\\windows\\win.ini", "404"),
        // Nothing is decoded: these are names of pages like others.
        (b"/%2e%2e/%2e%2e/etc/passwd", "200"),
        (b"/index%00", "200"),
        (b"/%ff%fe", "200"),
        (b"/index\0.html", "400"),
        (long.as_bytes(), "200"),
    ];
    for (path, status) in paths {
        let request = [b"GET ", path, b" HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"].concat();
        let answer = Raw::ask(&address, &request).await;
        let name = String::from_utf8_lossy(&path[..path.len().min(60)]);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{name}: {answer}");
        assert_eq!(answer.contains(PAGE), status == "200", "{name}: {answer}");
        assert!(!answer.contains("root:"), "{name}: {answer}");
    }
    let raw = Raw::ask(&address, b"GET /\xff\xfe HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").await;
    assert!(raw.starts_with("HTTP/1.1 4") || raw.contains(PAGE), "{raw}");
    assert_eq!(get(&server, "/").await.status, StatusCode::OK, "others are served");
    server.stop().await;
}

#[tokio::test]
async fn files_are_not_counted_as_requests_of_programs() {
    let server = server_with(Limits { requests_per_minute: 2, ..config().limits }).await;
    for _ in 0..20 {
        assert_eq!(get(&server, "/assets/index-Ab12.js").await.status, StatusCode::OK);
        assert_eq!(get(&server, "/play").await.status, StatusCode::OK);
    }
    let mut last = StatusCode::OK;
    for _ in 0..3 {
        last = get(&server, "/api/games").await.status;
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
    let figures = String::from_utf8(get(&server, "/metrics").await.body).unwrap();
    let pages: Vec<&str> = figures.lines().filter(|line| line.contains("route=\"pages\"")).collect();
    assert!(pages.iter().any(|line| line.contains("status=\"200\"")), "{figures}");
    assert!(!figures.contains("index-Ab12"), "one name for all of them");
    server.stop().await;
}

#[tokio::test]
async fn a_server_without_a_client_leads_to_what_there_is_for_programs() {
    let server = TestServer::with(Config { storage: Storage::Memory, ..config() }).await;
    let root = get(&server, "/").await;
    assert_eq!((root.status, root.header("location")), (StatusCode::TEMPORARY_REDIRECT, "/api/docs"));
    assert_eq!(get(&server, "/play").await.status, StatusCode::NOT_FOUND);
    server.stop().await;
}
