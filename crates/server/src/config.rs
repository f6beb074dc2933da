//! How a server is set up.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// Where only those who run it ask how it does. Without it, at the same place as everybody.
    pub metrics_listen: Option<SocketAddr>,
    pub storage: Storage,
    /// The NATS server through which several processes work together; without one, this process is alone.
    pub nats: Option<Url>,
    pub keys: ClusterKeys,
    /// The addresses, as browsers show them (`https://games.example.org`), whose pages may use the server. Without one, those
    /// whose host is the one that the request was sent to.
    pub origins: Vec<String>,
    /// The proxies whose word about a client's address is taken.
    pub trusted_proxies: Vec<IpAddr>,
    /// How many engines think at once in this process. With NATS 0 leaves all of it to the workers.
    pub thinkers: usize,
    pub limits: Limits,
}

/// Where the tables are kept.
#[derive(Clone, Debug)]
pub enum Storage {
    /// Gone with the process.
    Memory,
    /// In a SQLite file in this folder.
    Folder(PathBuf),
    /// In a PostgreSQL database.
    Postgres(Url),
}

/// An address that may hold a password, which stays out of logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Url(pub String);

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.as_str();
        let Some((scheme, rest)) = text.split_once("://") else { return f.write_str("(hidden)") };
        // The secret ends at the last @ of the place, wherever a careless password has one.
        let place_ends = rest.find(['/', '?']).unwrap_or(rest.len());
        let host = rest[..place_ends].rfind('@').map_or(rest, |at| &rest[at + 1..]);
        let hidden = if host.len() < rest.len() { "(hidden)@" } else { "" };
        // A query can carry a password, too.
        let host = host.split('?').next().unwrap_or_default();
        write!(f, "{scheme}://{hidden}{host}")
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// How the processes of a cluster know each other.
#[derive(Clone, Debug, Default)]
pub struct ClusterKeys {
    /// The certificate, in PEM, of the authority that vouches for NATS; without it, the usual authorities.
    pub ca: Option<PathBuf>,
    /// What all processes and workers know and nobody else: jobs, answers and notices without it are refused.
    pub secret: Option<Secret>,
}

/// A secret, which stays out of logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(hidden)")
    }
}

/// How much one client may ask of the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The longest body of a request, in bytes.
    pub body: usize,
    /// The longest message over a live connection, in bytes.
    pub message: usize,
    /// How many live connections there are in all.
    pub connections: usize,
    /// How many live connections one address has.
    pub connections_per_address: usize,
    /// How many tables one live connection watches.
    pub watched: usize,
    /// How many requests one address makes in a minute.
    pub requests_per_minute: u32,
    /// How many messages a second a live connection sends in the long run.
    pub messages_per_second: u32,
    /// How many guests and accounts one address makes in an hour.
    pub people_per_hour: u32,
    /// How many tables a user sets up in an hour; one address may ten times as many.
    pub tables_per_hour: u32,
    /// How many tables a user has that have not begun or are being played.
    pub tables_at_once: usize,
    /// How many of these have engines.
    pub engine_tables_at_once: usize,
    /// How many a guest has.
    pub guest_engine_tables_at_once: usize,
    /// How many seconds of an engine's thinking in a minute a user has in the long run before others come first; a guest has
    /// half of it, and one address twice.
    pub thinking_per_minute: u32,
    /// How often a user sits down or stands up in a minute.
    pub seats_per_minute: u32,
    /// How many remarks a user makes in a minute.
    pub remarks_per_minute: u32,
    /// How long a client may take to send the head of a request, to send its body, and to take what is written to it.
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 64 * 1024,
            message: 16 * 1024,
            connections: 20_000,
            connections_per_address: 200,
            watched: 100,
            requests_per_minute: 600,
            messages_per_second: 20,
            people_per_hour: 60,
            tables_per_hour: 120,
            tables_at_once: 50,
            engine_tables_at_once: 10,
            guest_engine_tables_at_once: 3,
            thinking_per_minute: 20,
            seats_per_minute: 60,
            remarks_per_minute: 20,
            patience: Duration::from_secs(15),
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: ([127, 0, 0, 1], 5105).into(),
            metrics_listen: None,
            storage: Storage::Folder("quincunx-data".into()),
            nats: None,
            keys: ClusterKeys::default(),
            origins: Vec::new(),
            trusted_proxies: Vec::new(),
            thinkers: std::thread::available_parallelism().map_or(1, usize::from),
            limits: Limits::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Url;

    #[test]
    fn a_password_in_an_address_is_not_shown() {
        let shown = |text: &str| Url(text.to_owned()).to_string();
        assert_eq!(shown("postgres://ada:se:cr@et@db.example:5432/q"), "postgres://(hidden)@db.example:5432/q");
        assert_eq!(shown("postgres://db/q?user=ada&password=secret"), "postgres://db/q");
        assert_eq!(shown("nats://127.0.0.1:4222"), "nats://127.0.0.1:4222");
        assert_eq!(shown("secret"), "(hidden)");
        assert_eq!(format!("{:?}", Url("nats://token@host".to_owned())), "nats://(hidden)@host");
    }
}
