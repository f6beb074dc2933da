//! Sets as the bits of a word: their elements in order, and by rank.

/// The places of the set bits, lowest first.
#[inline]
pub(crate) fn bits(mask: u64) -> impl Iterator<Item = usize> + Clone {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lowest = (rest != 0).then(|| rest.trailing_zeros() as usize);
        rest &= rest.wrapping_sub(1);
        lowest
    })
}

/// The places of the set bits of every byte, lowest first.
pub(crate) static IN_BYTE: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut rank = 0;
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                places[byte][rank] = bit;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};

/// The place of the set bit with this rank, counted from the lowest. Counts the bits of all eight bytes at once to find
/// the byte.
#[inline]
pub(crate) fn nth_bit(word: u64, rank: u32) -> usize {
    const ONES: u64 = u64::MAX / 0xff;
    let mut counts = word - (word >> 1 & (0x55 * ONES));
    counts = (counts & (0x33 * ONES)) + (counts >> 2 & (0x33 * ONES));
    counts = (counts + (counts >> 4)) & (0x0f * ONES);
    // Byte i: the bits in the bytes 0 to i. At most 64, so that bit 7 of each byte is free for the comparison.
    let up_to = counts.wrapping_mul(ONES);
    let not_above_rank = ((u64::from(rank) + 0x80) * ONES - up_to) & (0x80 * ONES);
    let byte = ((not_above_rank >> 7).wrapping_mul(ONES) >> 56) as usize * 8;
    let before = (up_to << 8) >> byte & 0xff;
    byte + IN_BYTE[(word >> byte & 0xff) as usize][(u64::from(rank) - before) as usize] as usize
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

    use super::*;

    #[test]
    fn the_nth_bit_is_the_one_found_by_counting() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        for round in 0..1000 {
            let word = match round % 4 {
                0 => rng.random::<u64>(),
                1 => rng.random::<u64>() & rng.random::<u64>() & rng.random::<u64>() & rng.random::<u64>(),
                2 => rng.random::<u64>() | rng.random::<u64>() | rng.random::<u64>(),
                _ => u64::MAX << (round % 64),
            };
            let places: Vec<usize> = (0..64).filter(|bit| word >> bit & 1 == 1).collect();
            let by_rank: Vec<usize> = (0..word.count_ones()).map(|rank| nth_bit(word, rank)).collect();
            assert_eq!(by_rank, places);
            assert_eq!(bits(word).collect::<Vec<_>>(), places);
        }
    }
}
