//! How the values of settings are written, the same on the command line, in the environment and in the file.

use std::net::{IpAddr, SocketAddr};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use quincunx_server::config::{Secret, Url};

/// A value with one text. What is wrong is said without the text, which may hold a password.
pub(super) trait Value: Sized {
    fn read(text: &str) -> Result<Self, String>;
    fn write(&self) -> String;
}

/// A whole number.
pub(super) fn within<T: TryFrom<u64>>(text: &str, range: RangeInclusive<u64>) -> Result<T, String> {
    let number = text.trim().parse::<u64>().ok().filter(|number| range.contains(number));
    number
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| format!("a whole number from {} to {}", range.start(), range.end()))
}

/// Numbers are read by [`within`], each with its own range; these are the widest.
macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Value for $number {
            fn read(text: &str) -> Result<Self, String> {
                within(text, 0..=u64::from(u32::MAX))
            }

            fn write(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

numbers!(u32, usize);

/// Whole seconds.
impl Value for Duration {
    fn read(text: &str) -> Result<Self, String> {
        within(text, 1..=3600).map(Self::from_secs)
    }

    fn write(&self) -> String {
        self.as_secs().to_string()
    }
}

impl Value for bool {
    fn read(text: &str) -> Result<Self, String> {
        text.trim().parse().map_err(|_| "true or false".to_owned())
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

impl Value for SocketAddr {
    fn read(text: &str) -> Result<Self, String> {
        text.trim().parse().map_err(|_| "an address with a port, such as 127.0.0.1:5105 or [::]:5105".to_owned())
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

impl Value for Option<SocketAddr> {
    fn read(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() { Ok(None) } else { SocketAddr::read(text).map(Some) }
    }

    fn write(&self) -> String {
        self.map_or_else(String::new, |address| address.to_string())
    }
}

impl Value for PathBuf {
    fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() { Err("a folder".to_owned()) } else { Ok(text.into()) }
    }

    fn write(&self) -> String {
        self.display().to_string()
    }
}

impl Value for Option<Url> {
    fn read(text: &str) -> Result<Self, String> {
        match text.trim() {
            "" => Ok(None),
            url if url.contains("://") => Ok(Some(Url(url.to_owned()))),
            _ => Err("an address with its kind, such as postgres://user:password@host/database or nats://host:4222"
                .to_owned()),
        }
    }

    fn write(&self) -> String {
        self.as_ref().map_or_else(String::new, Url::to_string)
    }
}

impl Value for Option<PathBuf> {
    fn read(text: &str) -> Result<Self, String> {
        Ok(Some(text).filter(|text| !text.is_empty()).map(PathBuf::from))
    }

    fn write(&self) -> String {
        self.as_ref().map_or_else(String::new, |path| path.display().to_string())
    }
}

impl Value for Option<Secret> {
    fn read(text: &str) -> Result<Self, String> {
        const SHORTEST: usize = 16;
        match text.trim() {
            "" => Ok(None),
            secret if secret.chars().count() >= SHORTEST => Ok(Some(Secret(secret.to_owned()))),
            _ => Err(format!("a text of at least {SHORTEST} characters that nobody guesses")),
        }
    }

    fn write(&self) -> String {
        self.as_ref().map_or_else(String::new, |_| "(hidden)".to_owned())
    }
}

/// What stands between commas.
fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty())
}

impl Value for Vec<String> {
    fn read(text: &str) -> Result<Self, String> {
        items(text)
            .map(|item| {
                let (kind, host) = item.split_once("://").unwrap_or_default();
                if matches!(kind, "http" | "https") && !host.is_empty() && !host.contains('/') {
                    Ok(item.to_owned())
                } else {
                    Err("addresses as browsers show them, without a path, such as https://games.example.org".to_owned())
                }
            })
            .collect()
    }

    fn write(&self) -> String {
        self.join(", ")
    }
}

impl Value for Vec<IpAddr> {
    fn read(text: &str) -> Result<Self, String> {
        let addresses = items(text).map(str::parse).collect::<Result<_, _>>();
        addresses.map_err(|_| "addresses without ports, such as 127.0.0.1, ::1".to_owned())
    }

    fn write(&self) -> String {
        let texts: Vec<String> = self.iter().map(ToString::to_string).collect();
        texts.join(", ")
    }
}
