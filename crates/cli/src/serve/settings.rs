//! Every setting of a server, once: flags, environment variables, keys of the file, defaults, help and the table in
//! `docs/hosting.md` all come from [`SETTINGS`].

use std::path::PathBuf;

use quincunx_server::config::{Config, Storage, Url};

use super::logs::{Filter, Format};
use super::value::{Value, within};

/// How a server is set up, with what concerns the command line alone.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub config: Config,
    pub data: PathBuf,
    pub database: Option<Url>,
    pub memory: bool,
    pub log_format: Format,
    pub log_level: Filter,
}

impl Default for Settings {
    fn default() -> Self {
        let config = Config::default();
        let data = match &config.storage {
            Storage::Folder(folder) => folder.clone(),
            Storage::Memory | Storage::Postgres(_) => PathBuf::new(),
        };
        let (database, memory) = (None, false);
        Self { config, data, database, memory, log_format: Format::default(), log_level: Filter::default() }
    }
}

/// One setting: `--listen`, `QUINCUNX_LISTEN` and `listen = ".."` are the same.
#[derive(Debug)]
pub(crate) struct Setting {
    pub key: &'static str,
    /// What stands for the value in the help.
    pub placeholder: &'static str,
    pub help: &'static str,
    pub take: fn(&mut Settings, &str) -> Result<(), String>,
    /// The value, passwords hidden. Nothing is empty.
    pub show: fn(&Settings) -> String,
}

impl Setting {
    pub fn named(key: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|setting| setting.key == key)
    }

    pub fn variable(&self) -> String {
        format!("QUINCUNX_{}", self.key.replace('-', "_").to_uppercase())
    }

    /// The default as it is written about: the same on every machine.
    pub fn default_text(&self) -> String {
        match self.key {
            "thinkers" => "the number of cores".to_owned(),
            _ => match (self.show)(&Settings::default()) {
                nothing if nothing.is_empty() => "none".to_owned(),
                value => value,
            },
        }
    }

    /// Whether the flag alone means yes.
    pub fn is_switch(&self) -> bool {
        self.placeholder.is_empty()
    }
}

macro_rules! setting {
    ($key:literal, $placeholder:literal, $help:literal, $($path:ident).+) => {
        Setting {
            key: $key,
            placeholder: $placeholder,
            help: $help,
            take: |settings, text| Value::read(text).map(|value| settings.$($path).+ = value),
            show: |settings| settings.$($path).+.write(),
        }
    };
    ($key:literal, $placeholder:literal, $help:literal, $($path:ident).+, $from:literal..=$to:literal) => {
        Setting {
            take: |settings, text| within(text, $from..=$to).map(|value| settings.$($path).+ = value),
            ..setting!($key, $placeholder, $help, $($path).+)
        }
    };
}

pub(crate) const SETTINGS: &[Setting] = &[
    setting!("listen", "ADDRESS:PORT", "Where to listen; port 0 takes a free one", config.listen),
    setting!(
        "metrics-listen",
        "ADDRESS:PORT",
        "Where to answer /readyz and /metrics, for those who run the server alone; without it, where everybody asks",
        config.metrics_listen
    ),
    setting!("data", "DIR", "Keep everything in a SQLite file in this folder", data),
    setting!("database", "URL", "Keep everything in this PostgreSQL database instead: postgres://..", database),
    setting!("memory", "", "Keep everything in memory, gone with the process: for tries and measurements", memory),
    setting!(
        "nats",
        "URL",
        "The NATS server through which several processes work together: nats://.. or tls://..",
        config.nats
    ),
    setting!(
        "nats-ca",
        "FILE",
        "The certificate of the authority that vouches for NATS, in PEM; without it, the usual authorities",
        config.keys.ca
    ),
    setting!(
        "cluster-secret",
        "SECRET",
        "What all servers and workers know and nobody else, of at least 16 characters: messages without it are refused",
        config.keys.secret
    ),
    setting!(
        "origins",
        "URLS",
        "Whose pages may use the server, such as https://games.example.org, separated by commas; without one, those of the \
         host that a request is sent to",
        config.origins
    ),
    setting!(
        "trusted-proxies",
        "ADDRESSES",
        "The proxies whose word about a client's address is taken, separated by commas",
        config.trusted_proxies
    ),
    setting!(
        "thinkers",
        "NUMBER",
        "How many engines think at once in this process; with NATS 0 leaves it to the workers",
        config.thinkers,
        0..=1024
    ),
    setting!("log-format", "FORMAT", "text for people or json for programs, a line for each event", log_format),
    setting!(
        "log-level",
        "FILTER",
        "What is logged: error, warn, info, debug, trace, or a filter by module",
        log_level
    ),
    setting!("limit-body", "BYTES", "The longest body of a request", config.limits.body, 1_024..=16_777_216),
    setting!(
        "limit-message",
        "BYTES",
        "The longest message over a live connection",
        config.limits.message,
        1_024..=16_777_216
    ),
    setting!("connections", "NUMBER", "Live connections in all", config.limits.connections, 1..=1_000_000),
    setting!(
        "connections-per-address",
        "NUMBER",
        "Live connections of one address",
        config.limits.connections_per_address,
        1..=1_000_000
    ),
    setting!("limit-watched", "NUMBER", "Tables that one live connection watches", config.limits.watched, 1..=100_000),
    setting!(
        "requests-per-minute",
        "NUMBER",
        "Requests of one address in a minute",
        config.limits.requests_per_minute,
        1..=1_000_000_000
    ),
    setting!(
        "messages-per-second",
        "NUMBER",
        "Messages of a live connection in a second, in the long run",
        config.limits.messages_per_second,
        1..=1_000_000
    ),
    setting!(
        "people-per-hour",
        "NUMBER",
        "Guests and accounts that one address makes in an hour",
        config.limits.people_per_hour,
        1..=1_000_000_000
    ),
    setting!(
        "tables-per-hour",
        "NUMBER",
        "Tables that a user sets up in an hour; one address may ten times as many",
        config.limits.tables_per_hour,
        1..=100_000_000
    ),
    setting!(
        "tables-at-once",
        "NUMBER",
        "Tables of a user that have not begun or are being played",
        config.limits.tables_at_once,
        1..=1_000_000
    ),
    setting!(
        "engine-tables-at-once",
        "NUMBER",
        "How many of these have engines",
        config.limits.engine_tables_at_once,
        1..=1_000_000
    ),
    setting!(
        "guest-engine-tables-at-once",
        "NUMBER",
        "How many tables with engines a guest has",
        config.limits.guest_engine_tables_at_once,
        1..=1_000_000
    ),
    setting!(
        "thinking-per-minute",
        "SECONDS",
        "How long engines think for a user in a minute before others come first; half of it for a guest, twice for an address",
        config.limits.thinking_per_minute,
        1..=1_000_000
    ),
    setting!(
        "seats-per-minute",
        "NUMBER",
        "How often a user sits down or stands up in a minute",
        config.limits.seats_per_minute,
        1..=1_000_000_000
    ),
    setting!(
        "remarks-per-minute",
        "NUMBER",
        "Remarks of a user in a minute",
        config.limits.remarks_per_minute,
        1..=1_000_000_000
    ),
    setting!(
        "patience",
        "SECONDS",
        "How long a client may take to send a request, or to take what is written to it",
        config.limits.patience
    ),
];
