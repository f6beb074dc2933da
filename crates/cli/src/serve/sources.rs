//! Where the values of settings come from: a flag, else the environment, else the file, else the default.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use clap::builder::ValueParser;
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use quincunx_server::config::Storage;
use toml::de::{DeTable, DeValue};

use super::settings::{SETTINGS, Setting, Settings};
use crate::failure::Failure;

/// The file that is read without being asked for, if it is there.
const FILE: &str = "quincunx.toml";
const FILE_VARIABLE: &str = "QUINCUNX_CONFIG";

/// Where a value comes from, from the weakest to the strongest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Default,
    File(PathBuf),
    Environment(String),
    Flag(&'static str),
}

impl Source {
    fn strength(&self) -> u8 {
        match self {
            Self::Default => 0,
            Self::File(_) => 1,
            Self::Environment(_) => 2,
            Self::Flag(_) => 3,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "file {}", path.display()),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Flag(key) => write!(f, "flag --{key}"),
        }
    }
}

/// Which of the settings a command has flags for. It reads all of them from the file and the environment.
pub(crate) trait Flags {
    /// Whether the flags may also follow the name of a subcommand.
    const BEFORE_SUBCOMMANDS: bool;

    fn takes(setting: &Setting) -> bool;
}

/// The settings of a command line, before anything else was looked at.
pub(crate) struct Given<F> {
    file: Option<PathBuf>,
    flags: Vec<(&'static str, String)>,
    which: PhantomData<F>,
}

impl<F: Flags> clap::Args for Given<F> {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("config").long("config").value_name("FILE").value_parser(ValueParser::path_buf()).help(
            format!("Read settings from this TOML file [default: {FILE}, if it is there] [env: {FILE_VARIABLE}]"),
        );
        SETTINGS
            .iter()
            .filter(|setting| F::takes(setting))
            .map(flag)
            .chain([file])
            .fold(command, |command, arg| command.arg(arg.global(F::BEFORE_SUBCOMMANDS)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn flag(setting: &'static Setting) -> Arg {
    let help = format!("{} [default: {}] [env: {}]", setting.help, setting.default_text(), setting.variable());
    let arg = Arg::new(setting.key).long(setting.key).help(help);
    if setting.is_switch() {
        arg.num_args(0..=1).require_equals(true).default_missing_value("true").value_name("true|false")
    } else {
        arg.value_name(setting.placeholder)
    }
}

impl<F: Flags> FromArgMatches for Given<F> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let settings = SETTINGS.iter().filter(|setting| F::takes(setting));
        Ok(Self {
            file: matches.get_one::<PathBuf>("config").cloned(),
            flags: settings
                .filter_map(|setting| Some((setting.key, matches.get_one::<String>(setting.key)?.clone())))
                .collect(),
            which: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// All settings, and for each in the order of [`SETTINGS`] where it comes from.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub settings: Settings,
    pub(super) sources: Vec<Source>,
}

impl<F> Given<F> {
    /// Looks at the environment and the file, too.
    pub fn gather(&self) -> Result<Gathered, Failure> {
        gather(&self.flags, self.file.as_deref(), |name| std::env::var_os(name)).map_err(Failure::Because)
    }
}

fn gather(
    flags: &[(&'static str, String)],
    file: Option<&Path>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Gathered, String> {
    let file = file.map(Path::to_owned).or_else(|| variable(FILE_VARIABLE).map(PathBuf::from));
    let path = file.or_else(|| Path::new(FILE).exists().then(|| FILE.into()));
    let in_file = path.as_deref().map(read_file).transpose()?.unwrap_or_default();

    let mut settings = Settings::default();
    let mut sources = Vec::with_capacity(SETTINGS.len());
    for setting in SETTINGS {
        let flag = flags.iter().find(|(key, _)| *key == setting.key);
        let in_file = in_file.iter().find(|found| found.setting.key == setting.key);
        let (source, place, text) = if let Some((key, text)) = flag {
            (Source::Flag(key), format!("--{key}"), text.clone())
        } else if let Some(text) = variable(&setting.variable()) {
            let name = setting.variable();
            let text = text.into_string().map_err(|_| format!("{name} is not text in UTF-8"))?;
            (Source::Environment(name.clone()), name, text)
        } else if let (Some(path), Some(found)) = (&path, in_file) {
            let place = format!("{}: line {}: {}", path.display(), found.line, setting.key);
            (Source::File(path.clone()), place, found.text.clone())
        } else {
            sources.push(Source::Default);
            continue;
        };
        (setting.take)(&mut settings, &text).map_err(|allowed| format!("{place} must be {allowed}"))?;
        sources.push(source);
    }
    let mut gathered = Gathered { settings, sources };
    gathered.settings.config.storage = gathered.storage()?;
    Ok(gathered)
}

impl Gathered {
    fn source(&self, key: &str) -> &Source {
        let place = SETTINGS.iter().position(|setting| setting.key == key);
        place.map_or(&Source::Default, |place| &self.sources[place])
    }

    /// Of the three ways to keep things, the one that was asked for by the strongest source.
    fn storage(&self) -> Result<Storage, String> {
        let Settings { data, database, memory, .. } = &self.settings;
        let asked = [
            ("data", Some(Storage::Folder(data.clone()))),
            ("database", database.clone().map(Storage::Postgres)),
            ("memory", memory.then_some(Storage::Memory)),
        ];
        let asked = asked.into_iter().filter_map(|(key, storage)| Some((key, self.source(key), storage?)));
        let asked: Vec<_> = asked.collect();
        let strongest = asked.iter().map(|(_, source, _)| source.strength()).max().unwrap_or_default();
        let mut chosen = asked.into_iter().filter(|(_, source, _)| source.strength() == strongest);
        let (key, source, storage) = chosen.next().expect("data has a default");
        match chosen.next() {
            Some((other, _, _)) if strongest > 0 => {
                Err(format!("everything is kept in one place, but there are both {key} and {other} ({source})"))
            }
            _ => Ok(storage),
        }
    }
}

/// A setting as the file has it.
#[derive(Debug)]
struct InFile {
    setting: &'static Setting,
    line: usize,
    text: String,
}

fn read_file(path: &Path) -> Result<Vec<InFile>, String> {
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let line = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
    let table = DeTable::parse(&text).map_err(|error| {
        let line = line(error.span().map_or(0, |span| span.start));
        format!("{name}: line {line}: {}", error.message().lines().next().unwrap_or("this is not TOML"))
    })?;
    let known = || SETTINGS.iter().map(|setting| setting.key).collect::<Vec<_>>().join(", ");
    table
        .get_ref()
        .iter()
        .map(|(key, value)| {
            let line = line(key.span().start);
            let key = key.get_ref();
            let setting = Setting::named(key)
                .ok_or_else(|| format!("{name}: line {line}: there is no setting {key:?}; there are {}", known()))?;
            let text = plain(value.get_ref()).ok_or_else(|| {
                let kind = value.get_ref().type_str();
                format!(
                    "{name}: line {line}: {key} must be a text, a number, true, false or a list of texts, not a {kind}"
                )
            })?;
            Ok(InFile { setting, line, text })
        })
        .collect()
}

/// The text of a value, as it would stand on the command line.
fn plain(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().replace('_', "")),
        DeValue::Boolean(truth) => Some(truth.to_string()),
        DeValue::Array(items) => {
            let texts: Option<Vec<&str>> = items.iter().map(|item| item.get_ref().as_str()).collect();
            Some(texts?.join(","))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    fn from_file(text: &str) -> Result<Gathered, String> {
        gather(&[], Some(file(text).path()), |_| None)
    }

    #[test]
    fn a_flag_is_stronger_than_the_environment_which_is_stronger_than_the_file() {
        let file =
            file("listen = '[::1]:1'\nthinkers = 1_0\nlimit-body = 2048\ntrusted-proxies = ['127.0.0.1', '::1']\n");
        let flags = [("listen", "[::1]:3".to_owned())];
        let environment = |name: &str| match name {
            "QUINCUNX_LISTEN" => Some("[::1]:2".into()),
            "QUINCUNX_THINKERS" => Some("20".into()),
            _ => None,
        };
        let gathered = gather(&flags, Some(file.path()), environment).unwrap();
        let config = &gathered.settings.config;
        assert_eq!((config.listen.port(), config.thinkers, config.limits.body), (3, 20, 2048));
        assert_eq!(config.trusted_proxies.len(), 2);
        assert_eq!(*gathered.source("listen"), Source::Flag("listen"));
        assert_eq!(*gathered.source("thinkers"), Source::Environment("QUINCUNX_THINKERS".to_owned()));
        assert_eq!(*gathered.source("limit-body"), Source::File(file.path().to_owned()));
        assert_eq!(*gathered.source("nats"), Source::Default);
    }

    #[test]
    fn the_strongest_source_chooses_where_everything_is_kept() {
        let file = file("database = 'postgres://db/quincunx'\n");
        let kept = |flags: &[(&'static str, String)]| {
            gather(flags, Some(file.path()), |_| None).map(|gathered| gathered.settings.config.storage)
        };
        assert!(matches!(kept(&[]), Ok(Storage::Postgres(_))));
        assert!(matches!(kept(&[("memory", "true".to_owned())]), Ok(Storage::Memory)));
        assert!(matches!(kept(&[("memory", "false".to_owned())]), Ok(Storage::Postgres(_))));
        assert!(
            matches!(kept(&[("data", "here".to_owned())]), Ok(Storage::Folder(folder)) if folder == Path::new("here"))
        );
        let both = kept(&[("data", "here".to_owned()), ("memory", "true".to_owned())]).unwrap_err();
        assert!(both.contains("both data and memory"), "{both}");
        assert!(matches!(gather(&[], None, |_| None).unwrap().settings.config.storage, Storage::Folder(_)));
    }

    #[test]
    fn mistakes_in_the_file_are_named_with_their_line() {
        for (text, complaint) in [
            (
                "thinkers = 2\nlisen = '[::1]:1'\n",
                "line 2: there is no setting \"lisen\"; there are listen, metrics-listen, data,",
            ),
            ("\n\nlisten = 'here'\n", "line 3: listen must be an address with a port, such as 127.0.0.1:5105"),
            ("limit-body = 0\n", "line 1: limit-body must be a whole number from 1024 to 16777216"),
            ("limit-watched = -1\n", "line 1: limit-watched must be a whole number from 1 to 100000"),
            ("listen = 1.5\n", "line 1: listen must be a text, a number, true, false or a list of texts, not a float"),
            ("memory = true\nmemory = true\n", "line 2: duplicate key"),
            ("log-format = 'xml'\n", "line 1: log-format must be text or json"),
            ("origins = ['games.example.org']\n", "line 1: origins must be addresses as browsers show them"),
            ("nats = 'hushed'\n", "line 1: nats must be an address with its kind"),
        ] {
            let error = from_file(text).unwrap_err();
            assert!(error.contains(complaint), "{text:?}: {error}");
            assert!(!error.contains("hushed"), "{error}");
        }
        let missing = gather(&[], Some(Path::new("/nowhere/q.toml")), |_| None).unwrap_err();
        assert!(missing.starts_with("/nowhere/q.toml: "), "{missing}");
    }

    #[test]
    fn mistakes_elsewhere_are_named_with_their_place() {
        let flag = gather(&[("thinkers", "many".to_owned())], None, |_| None).unwrap_err();
        assert_eq!(flag, "--thinkers must be a whole number from 0 to 1024");
        let environment = |name: &str| (name == "QUINCUNX_MEMORY").then(|| "yes".into());
        assert_eq!(gather(&[], None, environment).unwrap_err(), "QUINCUNX_MEMORY must be true or false");
    }
}
