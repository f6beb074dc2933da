//! Whether what comes over NATS comes from a process of ours: with a shared secret, each message begins with an HMAC of it.

use std::fmt::Write as _;
use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::config::Secret;

/// Hexadecimal digits of an HMAC-SHA-256.
const DIGITS: usize = 64;

/// Seals messages and opens them, if there is a secret; without one they are as they are.
#[derive(Clone)]
pub(super) struct Seal {
    key: Option<Arc<Hmac<Sha256>>>,
}

impl Seal {
    pub fn new(secret: Option<&Secret>) -> Self {
        let key = |secret: &Secret| Hmac::new_from_slice(secret.0.as_bytes()).expect("an HMAC has a key of any length");
        Self { key: secret.map(key).map(Arc::new) }
    }

    /// A message as it is sent for a purpose: one for another purpose is not taken for it.
    pub fn close(&self, purpose: &str, text: Vec<u8>) -> Vec<u8> {
        let Some(key) = &self.key else { return text };
        let mac = with(key, purpose, &text).finalize().into_bytes();
        let mut sealed = String::with_capacity(DIGITS + text.len());
        for byte in mac {
            write!(sealed, "{byte:02x}").expect("writing to a string does not fail");
        }
        let mut sealed = sealed.into_bytes();
        sealed.extend(text);
        sealed
    }

    /// What was sealed for a purpose; nothing if it was not, or by somebody who does not have the secret.
    pub fn open<'m>(&self, purpose: &str, message: &'m [u8]) -> Option<&'m [u8]> {
        let Some(key) = &self.key else { return Some(message) };
        let (digits, text) = message.split_at_checked(DIGITS)?;
        let digits =
            std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        let mac: Option<Vec<u8>> =
            (0..DIGITS).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok()).collect();
        // In a time that does not tell how much of it is right.
        with(key, purpose, text).verify_slice(&mac?).ok().map(|()| text)
    }
}

fn with(key: &Hmac<Sha256>, purpose: &str, text: &[u8]) -> Hmac<Sha256> {
    let mut mac = key.clone();
    mac.update(&(purpose.len() as u64).to_le_bytes());
    mac.update(purpose.as_bytes());
    mac.update(text);
    mac
}

#[cfg(test)]
mod tests {
    use super::Seal;
    use crate::config::Secret;

    #[test]
    fn only_who_has_the_secret_is_believed_and_only_for_the_purpose() {
        let seal = |secret: &str| Seal::new(Some(&Secret(secret.to_owned())));
        let (ours, theirs) = (seal("correct horse battery"), seal("another long phrase"));
        let sealed = ours.close("answers", b"{}".to_vec());
        assert_eq!(ours.open("answers", &sealed), Some(&b"{}"[..]));
        assert_eq!(ours.open("notices", &sealed), None);
        assert_eq!(theirs.open("answers", &sealed), None);
        for bad in [&b"{}"[..], b"", &sealed[1..], &sealed[..64], &[sealed.as_slice(), b" "].concat(), &[0xff; 80]] {
            assert_eq!(ours.open("answers", bad), None);
        }
        let none = Seal::new(None);
        assert_eq!(none.open("answers", b"{}"), Some(&b"{}"[..]));
        assert_eq!(none.close("answers", b"{}".to_vec()), b"{}");
    }
}
