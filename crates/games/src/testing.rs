//! What the tests of several games share.

use std::{fmt::Display, str::FromStr};

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

/// Reads random texts of up to `longest` characters out of an alphabet that makes many of them nearly right: none makes
/// the reader panic, and whatever is read is written the same.
pub(crate) fn assert_read_as_written<A: FromStr + Display>(alphabet: &str, longest: usize) {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut read = 0;
    for _ in 0..200_000 {
        let length = rng.random_range(0..=longest);
        let text: String = (0..length).map(|_| alphabet[rng.random_range(0..alphabet.len())]).collect();
        if let Ok(action) = text.parse::<A>() {
            assert_eq!(action.to_string(), text);
            read += 1;
        }
    }
    assert!(read > 100, "the alphabet makes texts that can be read");
}
