//! The secrets by which sessions and bots are known. A token is the number of its session, then the moment it was made and
//! 32 random bytes. Only the hash of the moment and the bytes is stored: who reads the database cannot log in, and who
//! changes the moment has another hash.

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use quincunx_table::Millis;
use sha2::{Digest, Sha256};

use crate::store::SecretHash;

const MOMENT: usize = size_of::<Millis>();
const RANDOM: usize = 32;

/// The text of a token: for its owner, once.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The secret itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(hidden)")
    }
}

/// What a token proves.
pub(super) struct Secret([u8; MOMENT + RANDOM]);

impl Secret {
    pub fn new(now: Millis) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; MOMENT + RANDOM];
        let (moment, random) = bytes.split_at_mut(MOMENT);
        moment.copy_from_slice(&now.to_be_bytes());
        getrandom::fill(random)?;
        Ok(Self(bytes))
    }

    /// The number of the session that a token claims to be, and its secret. The number is only a help to find the session
    /// among those of the user whom the secret proves.
    pub fn read(token: &str) -> Option<(i64, Self)> {
        let (login, secret) = token.split_once('.')?;
        let mut bytes = [0; MOMENT + RANDOM];
        let length = URL_SAFE_NO_PAD.decode_slice(secret, &mut bytes).ok()?;
        (length == bytes.len()).then_some((login.parse().ok()?, Self(bytes)))
    }

    pub fn token(&self, login: i64) -> Token {
        Token(format!("{login}.{}", URL_SAFE_NO_PAD.encode(self.0)))
    }

    pub fn hash(&self) -> SecretHash {
        Sha256::digest(self.0).into()
    }

    pub fn made(&self) -> Millis {
        let mut moment = [0; MOMENT];
        moment.copy_from_slice(&self.0[..MOMENT]);
        Millis::from_be_bytes(moment)
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn a_token_is_read_as_it_was_written() {
        let secret = Secret::new(1_234_567).expect("random bytes");
        let token = secret.token(17);
        assert!(token.reveal().bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)));
        let (login, read) = Secret::read(token.reveal()).expect("a token");
        assert_eq!((login, read.made(), read.hash()), (17, 1_234_567, secret.hash()));
        assert_eq!(format!("{token:?}"), "Token(hidden)");
        assert_ne!(Secret::new(1_234_567).expect("random bytes").hash(), secret.hash());
    }

    #[test]
    fn what_is_no_token_is_not_read() {
        let token = Secret::new(5).expect("random bytes").token(17).reveal().to_owned();
        let bad = [
            String::new(),
            ".".to_owned(),
            token[1..].replace('7', ""),
            token[..token.len() - 2].to_owned(),
            format!("{token}AAAA"),
            format!("{token}="),
            token.replace('.', ""),
            token.replacen("17", "99999999999999999999", 1),
            token.replacen("17", "x", 1),
            "1.\0".to_owned(),
            "1.é".to_owned(),
        ];
        for text in bad {
            assert!(Secret::read(&text).is_none(), "{text}");
        }
    }
}
