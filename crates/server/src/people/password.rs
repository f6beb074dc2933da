//! Passwords: checked for length and against the commonest, hashed by argon2id, a few at a time and away from the threads that serve everybody.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, LazyLock};

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;

use super::PeopleError;

const SHORTEST: usize = 8;
const LONGEST: usize = 256;

/// How many are hashed at once: each takes a core and 19 MiB.
const AT_ONCE: usize = 2;

/// The commonest passwords that are long enough to be one, in small letters: those of the 30,000 that the password meter
/// zxcvbn (MIT licence, see `common-passwords.LICENSE`) knows.
static COMMON: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("common-passwords.txt").lines().collect());

/// What is wrong with a password.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadPassword {
    #[error("a password has {SHORTEST} to {LONGEST} characters, this one has {0}")]
    Length(usize),
    /// Whoever guesses tries these first.
    #[error("this password is one of the commonest: take another, such as four words that do not belong together")]
    Common,
}

impl BadPassword {
    /// The code of it and its arguments, to translate it.
    pub fn code(&self) -> (&'static str, Value) {
        match self {
            Self::Length(length) => {
                ("password_length", json!({"shortest": SHORTEST, "longest": LONGEST, "length": length}))
            }
            Self::Common => ("password_common", json!({})),
        }
    }
}

/// A password of a possible length.
#[derive(Clone)]
pub(super) struct Password(String);

impl Password {
    pub fn checked(text: &str) -> Result<Self, BadPassword> {
        let length = text.chars().count();
        if !(SHORTEST..=LONGEST).contains(&length) {
            return Err(BadPassword::Length(length));
        }
        // Keyboards differ in how they compose an é; the password is the same.
        Ok(Self(text.nfkc().collect()))
    }

    /// A password that somebody chooses now.
    pub fn chosen(text: &str) -> Result<Self, BadPassword> {
        let password = Self::checked(text)?;
        if COMMON.contains(password.0.to_lowercase().as_str()) {
            return Err(BadPassword::Common);
        }
        Ok(password)
    }

    /// A password of 20 letters and digits, none of which looks like another: 100 bits, in groups that are easy to copy.
    pub fn random() -> Result<(NewPassword, Self), PeopleError> {
        const CHARACTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
        let mut bytes = [0; 20];
        getrandom::fill(&mut bytes)?;
        let text: String = bytes.iter().map(|byte| char::from(CHARACTERS[usize::from(byte % 32)])).collect();
        let groups: Vec<&str> = (0..4).map(|group| &text[group * 5..group * 5 + 5]).collect();
        let text = groups.join("-");
        Ok((NewPassword(text.clone()), Self(text)))
    }
}

/// The text of a new password: for its owner, once.
#[derive(Clone, PartialEq, Eq)]
pub struct NewPassword(String);

impl NewPassword {
    /// The secret itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for NewPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NewPassword(hidden)")
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(hidden)")
    }
}

pub(super) struct Hasher {
    permits: Arc<Semaphore>,
    /// The hash of something that nobody knows: where there is no password, it is checked against this, so that the
    /// time of the answer does not tell whether there is one.
    nobodys: String,
}

impl Hasher {
    pub fn new() -> Result<Self, PeopleError> {
        let mut unknown = [0; 32];
        getrandom::fill(&mut unknown)?;
        Ok(Self { permits: Arc::new(Semaphore::new(AT_ONCE)), nobodys: hash(&unknown)? })
    }

    pub async fn hash(&self, password: Password) -> Result<String, PeopleError> {
        self.run(move || hash(password.0.as_bytes())).await
    }

    /// Whether it is the password with this hash. Takes as long when there is no hash.
    pub async fn matches(&self, password: Password, stored: Option<&str>) -> Result<bool, PeopleError> {
        let known = stored.is_some();
        let stored = stored.unwrap_or(&self.nobodys).to_owned();
        self.run(move || {
            let stored = PasswordHash::new(&stored).map_err(|_| PeopleError::SecretsFailed)?;
            Ok(Argon2::default().verify_password(password.0.as_bytes(), &stored).is_ok() && known)
        })
        .await
    }

    /// The permit goes with the work: who does not wait for the answer does not make room for more.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PeopleError> + Send + 'static,
    ) -> Result<T, PeopleError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| PeopleError::SecretsFailed)?;
        let work = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(permit);
            result
        });
        work.await.map_err(|_| PeopleError::SecretsFailed)?
    }
}

fn hash(password: &[u8]) -> Result<String, PeopleError> {
    let hash = Argon2::default().hash_password(password).map_err(|_| PeopleError::SecretsFailed)?;
    Ok(hash.to_string())
}

#[cfg(test)]
mod tests {
    use super::{BadPassword, Hasher, Password};

    fn password(text: &str) -> Password {
        Password::checked(text).expect("a password")
    }

    #[test]
    fn passwords_have_a_shortest_and_a_longest_length() {
        assert!(Password::checked("12345678").is_ok());
        assert!(Password::checked(&"é".repeat(256)).is_ok());
        for common in ["password", "PassWord1", "12345678", "iloveyou"] {
            assert_eq!(Password::chosen(common).err(), Some(BadPassword::Common), "{common}");
            assert!(Password::checked(common).is_ok(), "whoever has it already can come in");
        }
        assert!(Password::chosen("correct horse battery").is_ok());
        assert_eq!(Password::checked("1234567").err(), Some(BadPassword::Length(7)));
        assert_eq!(Password::checked(&"x".repeat(257)).err(), Some(BadPassword::Length(257)));
        assert_eq!(format!("{:?}", password("12345678")), "Password(hidden)");
    }

    #[tokio::test]
    async fn a_hash_is_argon2id_with_salt_and_known_by_its_password_alone() {
        let hasher = Hasher::new().expect("a hasher");
        let hash = hasher.hash(password("caf\u{e9} au lait")).await.expect("a hash");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert_ne!(hasher.hash(password("caf\u{e9} au lait")).await.expect("a hash"), hash);
        assert_eq!(hasher.matches(password("cafe\u{301} au lait"), Some(&hash)).await, Ok(true));
        assert_eq!(hasher.matches(password("cafe au lait"), Some(&hash)).await, Ok(false));
        assert_eq!(hasher.matches(password("cafe au lait"), None).await, Ok(false));
        assert!(hasher.matches(password("cafe au lait"), Some("no hash")).await.is_err());
    }

    #[test]
    fn nobodys_hash_costs_as_much_as_everybodys() {
        let hasher = Hasher::new().expect("a hasher");
        assert!(hasher.nobodys.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    }
}
