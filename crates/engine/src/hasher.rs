//! Hashing of anything with the project's own mixer: the same on every platform, and quicker than the default of the
//! standard library, which guards against keys chosen by an enemy.

use std::hash::Hasher;

use quincunx_core::Fold;

/// A hasher on the project's own mixer.
#[derive(Clone, Copy, Default)]
pub(crate) struct FoldHasher(Fold);

impl Hasher for FoldHasher {
    fn finish(&self) -> u64 {
        self.0.key()
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = self.0.word(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}
