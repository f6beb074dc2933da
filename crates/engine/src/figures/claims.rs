//! What each hand of a search is looking at, so that no two look at the same at the same time (simplified ABDADA).
//!
//! Two positions can have the same place, and then the first is forgotten. That costs some work done twice and changes no
//! value.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Far more than hands look at together.
const PLACES: usize = 1 << 12;

/// The places, 0 where nobody is.
#[derive(Debug)]
pub(super) struct Claims(Vec<AtomicU64>);

/// That a hand is looking at a position.
#[derive(Debug)]
pub(super) struct Claim(u64);

impl Claim {
    /// That a hand looks somewhere without a word to the others.
    pub(super) const NONE: Self = Self(0);
}

impl Default for Claims {
    fn default() -> Self {
        Self((0..PLACES).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Claims {
    fn place(&self, word: u64) -> &AtomicU64 {
        &self.0[word as usize % PLACES]
    }

    /// Nothing if another hand looks at the position with this key as deep as that.
    pub(super) fn claim(&self, key: u64, depth: u8) -> Option<Claim> {
        let word = key.wrapping_add(depth.into());
        (self.place(word).swap(word, Relaxed) != word).then_some(Claim(word))
    }

    pub(super) fn release(&self, Claim(word): Claim) {
        let place = self.place(word);
        if place.load(Relaxed) == word {
            place.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_claimed_once_for_each_depth_until_it_is_released() {
        let claims = Claims::default();
        let claim = claims.claim(77, 3).unwrap();
        assert!(claims.claim(77, 3).is_none() && claims.claim(77, 4).is_some());
        claims.release(claim);
        assert!(claims.claim(77, 3).is_some());
        // Another position at the same place puts the first one out.
        let other = claims.claim(77 + PLACES as u64, 3).unwrap();
        assert!(claims.claim(77, 3).is_some());
        claims.release(other);
        assert!(claims.claim(77, 3).is_none(), "who is put out ends nothing");
    }
}
