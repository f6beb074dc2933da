//! The client's side of tables, for programs.
//!
//! A [`Connection`] is what plays: typed requests in, typed [`Event`]s out. It connects again by itself, sends again what was
//! not answered, and folds updates into the snapshot of each table, so that nothing is fetched after a move. [`Client`] makes
//! single requests over HTTP, and [`Live`] is the bare socket, for programs that want the JSON as it is.

mod connection;
mod folded;
mod lists;
mod live;
mod remote;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Once};
use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use rustls::pki_types::{CertificateDer, pem::PemObject};
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};
use thiserror::Error;

pub use connection::{Connection, Done, Event, News, Order, Welcome, sentence};
pub use folded::{Heard, Tables};
pub use lists::encoded;
pub use live::Live;
pub use remote::local_time;

/// How long a request over HTTP, or a connection that is being opened, may take.
const PATIENCE: Duration = Duration::from_secs(12);

/// Somebody at a server.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    token: Option<String>,
    /// How it knows that a server is the right one, if not by the usual authorities.
    tls: Option<Arc<ClientConfig>>,
}

/// Why a request has no answer that it could use.
#[derive(Debug, Error)]
pub enum ClientError {
    #[error("{0:?} is not the address of a server: it begins with http:// or https://")]
    Address(String),
    #[error("this is not a certificate: {0}")]
    Certificate(String),
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// The server's own words.
    #[error("{reason}")]
    Refused { status: u16, code: String, reason: String },
    #[error("the server answers nonsense: {0}")]
    Nonsense(String),
}

impl Client {
    /// A client of the server at an address such as `https://games.example.org`.
    pub fn new(address: &str) -> Result<Self, ClientError> {
        Self::over(address, None)
    }

    /// A client of a server that proves itself by this certificate, in PEM, or by one that it has signed, and by no other.
    pub fn trusting(address: &str, certificate: &[u8]) -> Result<Self, ClientError> {
        choose_provider();
        let unusable = |error: &dyn std::fmt::Display| ClientError::Certificate(error.to_string());
        let certificate = CertificateDer::from_pem_slice(certificate).map_err(|error| unusable(&error))?;
        let mut roots = RootCertStore::empty();
        roots.add(certificate).map_err(|error| unusable(&error))?;
        let tls = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        Self::over(address, Some(Arc::new(tls)))
    }

    fn over(address: &str, tls: Option<Arc<ClientConfig>>) -> Result<Self, ClientError> {
        choose_provider();
        let base = address.trim_end_matches('/');
        if !(base.starts_with("http://") || base.starts_with("https://")) {
            return Err(ClientError::Address(address.to_owned()));
        }
        let mut http = reqwest::Client::builder().user_agent(concat!("quincunx/", env!("CARGO_PKG_VERSION")));
        if let Some(tls) = &tls {
            http = http.tls_backend_preconfigured(ClientConfig::clone(tls));
        }
        let http = http.build().map_err(|error| ClientError::Unreachable(error.to_string()))?;
        Ok(Self { http, base: base.to_owned(), token: None, tls })
    }

    /// The same server, as somebody with this token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// The same server, as nobody in particular.
    #[must_use]
    pub fn without_token(&self) -> Self {
        Self { token: None, ..self.clone() }
    }

    pub fn address(&self) -> &str {
        &self.base
    }

    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Comes in as a guest.
    pub async fn guest(&self, name: &str) -> Result<Self, ClientError> {
        self.admitted("/api/guests", json!({"name": name})).await
    }

    /// Makes an account and logs in.
    pub async fn register(&self, name: &str, password: &str) -> Result<Self, ClientError> {
        self.admitted("/api/accounts", json!({"name": name, "password": password})).await
    }

    pub async fn log_in(&self, name: &str, password: &str) -> Result<Self, ClientError> {
        self.admitted("/api/login", json!({"name": name, "password": password})).await
    }

    async fn admitted(&self, path: &str, body: Value) -> Result<Self, ClientError> {
        let answer = self.post(path, &body).await?;
        let token = answer["token"].as_str();
        token.map(|token| self.with_token(token)).ok_or_else(|| ClientError::Nonsense(answer.to_string()))
    }

    pub async fn get(&self, path: &str) -> Result<Value, ClientError> {
        self.ask(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, ClientError> {
        self.ask(Method::POST, path, Some(body)).await
    }

    /// Makes a request; an answer without content is null, and one that is not JSON is a text.
    pub async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, ClientError> {
        let mut request = self.request(method, path).timeout(PATIENCE);
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        let text = response.text().await.map_err(unreachable)?;
        if status.is_success() {
            let value = serde_json::from_str(&text).unwrap_or(Value::String(text));
            return Ok(if value == "" { Value::Null } else { value });
        }
        let problem: Value = serde_json::from_str(&text).unwrap_or_default();
        match (problem["code"].as_str(), problem["reason"].as_str()) {
            (Some(code), Some(reason)) => {
                Err(ClientError::Refused { status: status.as_u16(), code: code.to_owned(), reason: reason.to_owned() })
            }
            _ => Err(ClientError::Nonsense(format!("{status}"))),
        }
    }

    /// A request to be sent, for callers that need more of the answer. It may take as long as it takes.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Opens the live connection.
    pub async fn live(&self) -> Result<Live, ClientError> {
        Live::connect(self).await
    }
}

/// Somebody else in this program may have chosen who encrypts before.
fn choose_provider() {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
}

fn unreachable(error: reqwest::Error) -> ClientError {
    ClientError::Unreachable(if error.is_timeout() { "it does not answer".to_owned() } else { error.to_string() })
}

/// A number that nobody guesses, from the seed of the standard library's hash maps.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Tokens stay out of logs.
impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("base", &self.base).finish_non_exhaustive()
    }
}
