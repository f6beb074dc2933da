//! Why somebody is not let in, in sentences for that somebody. None of them holds a secret.

use serde_json::{Value, json};

use super::name::BadName;
use super::password::BadPassword;
use crate::store::{AddUserError, StoreError};

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PeopleError {
    #[error(transparent)]
    Name(#[from] BadName),
    #[error("this name is taken")]
    NameTaken,
    #[error(transparent)]
    Password(#[from] BadPassword),
    /// Does not tell which: nobody learns here who has an account.
    #[error("the name or the password is wrong")]
    WrongLogin,
    #[error("the password is wrong")]
    WrongPassword,
    #[error("too many failed attempts: try again in {seconds} s")]
    TooManyAttempts { seconds: i64 },
    #[error("this account is banned")]
    Banned,
    #[error("you are not logged in")]
    NotLoggedIn,
    #[error("this needs an account")]
    NeedsAccount,
    #[error("you have an account already")]
    NoGuest,
    #[error("you have no such bot")]
    NoSuchBot,
    #[error("an account has at most {0} bots")]
    TooManyBots(usize),
    #[error("a bot has at most {0} tokens")]
    TooManyTokens(usize),
    /// No memory, no random numbers, or a server that is stopping.
    #[error("the server cannot work with secrets at the moment")]
    SecretsFailed,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl PeopleError {
    /// The code of it and its arguments, to translate it; nothing for what only the log tells.
    pub fn code(&self) -> Option<(&'static str, Value)> {
        let none = || json!({});
        Some(match self {
            Self::Name(bad) => bad.code(),
            Self::Password(bad) => bad.code(),
            Self::NameTaken => ("name_taken", none()),
            Self::WrongLogin => ("wrong_login", none()),
            Self::WrongPassword => ("wrong_password", none()),
            Self::TooManyAttempts { seconds } => ("too_many_attempts", json!({"seconds": seconds})),
            Self::Banned => ("banned", none()),
            Self::NotLoggedIn => ("not_logged_in", none()),
            Self::NeedsAccount => ("needs_account", none()),
            Self::NoGuest => ("no_guest", none()),
            Self::TooManyBots(most) => ("too_many_bots", json!({"most": most})),
            Self::TooManyTokens(most) => ("too_many_tokens", json!({"most": most})),
            Self::NoSuchBot | Self::SecretsFailed | Self::Store(_) => return None,
        })
    }
}

impl From<AddUserError> for PeopleError {
    fn from(error: AddUserError) -> Self {
        match error {
            AddUserError::NameTaken => Self::NameTaken,
            AddUserError::Failed(error) => Self::Store(error),
        }
    }
}

impl From<getrandom::Error> for PeopleError {
    fn from(_: getrandom::Error) -> Self {
        Self::SecretsFailed
    }
}
