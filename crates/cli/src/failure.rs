//! What ends a command before its time.

use std::io;

use anstyle::{AnsiColor, Style};

pub(crate) const STYLE: Style = AnsiColor::Red.on_default().bold();

pub(crate) enum Failure {
    /// Wrong input, or a file that cannot be read: said on standard error, exit code 2.
    Because(String),
    /// The command has said all there is to say itself; only the exit code is left.
    Said,
    /// Nobody reads the output any more.
    ClosedPipe,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Because(error.to_string()),
        }
    }
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Self::Because(why)
    }
}

impl From<&str> for Failure {
    fn from(why: &str) -> Self {
        Self::Because(why.to_owned())
    }
}

macro_rules! from_errors {
    ($($error:ty),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::Because(error.to_string())
            }
        }
    )*};
}

from_errors!(
    quincunx_core::ActionError,
    quincunx_core::SetupError,
    quincunx_core::UndoError,
    quincunx_core::record::RecordError
);
