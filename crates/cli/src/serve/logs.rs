//! What the server tells those who run it: lines for people, or JSON for programs, on standard error.

use std::io::IsTerminal as _;

use tracing::Subscriber;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::settings::Settings;
use super::value::Value;
use crate::failure::Failure;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Format {
    #[default]
    Text,
    Json,
}

impl Value for Format {
    fn read(text: &str) -> Result<Self, String> {
        match text.trim() {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            _ => Err("text or json".to_owned()),
        }
    }

    fn write(&self) -> String {
        match self {
            Self::Text => "text".to_owned(),
            Self::Json => "json".to_owned(),
        }
    }
}

/// What is worth logging: a level, or levels by module (`info,quincunx_server=debug`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Filter(String);

impl Default for Filter {
    fn default() -> Self {
        Self("info".to_owned())
    }
}

impl Value for Filter {
    fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let known = !text.is_empty() && EnvFilter::try_new(text).is_ok();
        // A word alone would be taken for the name of a module, and a misspelt level would silence everything.
        let level = text.contains(['=', ',']) || text.parse::<tracing::level_filters::LevelFilter>().is_ok();
        if known && level {
            Ok(Self(text.to_owned()))
        } else {
            Err("off, error, warn, info, debug, trace, or levels by module such as info,quincunx_server=debug"
                .to_owned())
        }
    }

    fn write(&self) -> String {
        self.0.clone()
    }
}

/// Logs to standard error from now on.
pub(super) fn start(settings: &Settings) -> Result<(), Failure> {
    let colours = std::io::stderr().is_terminal();
    subscriber(settings.log_format, &settings.log_level, colours, std::io::stderr)
        .try_init()
        .map_err(|error| format!("the log does not start: {error}").into())
}

fn subscriber<W>(format: Format, filter: &Filter, colours: bool, to: W) -> Box<dyn Subscriber + Send + Sync>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let lines = tracing_subscriber::fmt().with_env_filter(EnvFilter::new(&filter.0)).with_writer(to);
    match format {
        Format::Text => Box::new(lines.with_ansi(colours).with_target(false).finish()),
        Format::Json => Box::new(lines.json().flatten_event(true).with_current_span(false).finish()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use quincunx_server::config::{ClusterKeys, Config, Secret, Url};

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged(format: Format, filter: &str) -> String {
        let written = Written::default();
        let to = written.clone();
        let filter = Filter::read(filter).unwrap();
        tracing::subscriber::with_default(subscriber(format, &filter, false, move || to.clone()), || {
            let nats = Some(Url("nats://me:hush@localhost".to_owned()));
            let keys = ClusterKeys { ca: None, secret: Some(Secret("hush and hush again".to_owned())) };
            let config = Config { nats, keys, ..Config::default() };
            tracing::info!(tables = 3, ?config, "the server is ready");
            tracing::debug!("a detail");
        });
        let bytes = written.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_line_of_the_log_is_for_people_or_json_and_holds_no_password() {
        let text = logged(Format::Text, "info");
        assert!(text.contains(" INFO the server is ready tables=3") && text.lines().count() == 1, "{text}");
        let json = logged(Format::Json, "warn,quincunx=debug");
        let lines: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((lines[0]["message"].as_str(), lines[0]["tables"].as_i64()), (Some("the server is ready"), Some(3)));
        assert_eq!(lines[1]["level"], "DEBUG");
        assert!(!text.contains("hush") && !json.contains("hush"), "{text}{json}");
    }

    #[test]
    fn a_misspelt_level_is_refused() {
        assert!(Filter::read("inof").is_err() && Filter::read("").is_err() && Filter::read("a=loud").is_err());
        assert!(Filter::read("INFO").is_ok() && Filter::read("off").is_ok() && Filter::read("info,sqlx=warn").is_ok());
    }
}
