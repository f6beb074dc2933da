//! Position hashes: tables of random keys for incremental hashing, and folding of small states.

/// The step and the mixer of splitmix64: well spread 64-bit numbers from a counter.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A table of fixed random keys, the same in every build; different seeds give unrelated tables.
pub const fn zobrist<const N: usize>(seed: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut state = mix(seed);
    let mut i = 0;
    while i < N {
        state = state.wrapping_add(GOLDEN);
        keys[i] = mix(state);
        i += 1;
    }
    keys
}

/// Hashes a small state word by word: the same words in the same order give the same key, on every platform.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fold(u64);

impl Fold {
    #[inline]
    #[must_use]
    pub fn word(self, word: u64) -> Self {
        Self(mix(self.0.wrapping_add(GOLDEN) ^ word.wrapping_mul(GOLDEN | 1)))
    }

    #[inline]
    #[must_use]
    pub fn words(self, words: impl IntoIterator<Item = u64>) -> Self {
        words.into_iter().fold(self, Self::word)
    }

    #[inline]
    pub fn key(self) -> u64 {
        self.0
    }
}
