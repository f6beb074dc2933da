//! Why somebody is not let in, in sentences for that somebody. None of them holds a secret.

use super::name::BadName;
use super::password::{BadPassword, HashingFailed};
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
    #[error("you have no such bot")]
    NoSuchBot,
    #[error("an account has at most {0} bots")]
    TooManyBots(usize),
    #[error("a bot has at most {0} tokens")]
    TooManyTokens(usize),
    #[error("the server cannot work with secrets at the moment")]
    SecretsFailed,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<AddUserError> for PeopleError {
    fn from(error: AddUserError) -> Self {
        match error {
            AddUserError::NameTaken => Self::NameTaken,
            AddUserError::Failed(error) => Self::Store(error),
        }
    }
}

impl From<HashingFailed> for PeopleError {
    fn from(HashingFailed: HashingFailed) -> Self {
        Self::SecretsFailed
    }
}

impl From<getrandom::Error> for PeopleError {
    fn from(_: getrandom::Error) -> Self {
        Self::SecretsFailed
    }
}
