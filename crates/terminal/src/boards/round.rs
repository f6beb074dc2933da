//! Things that are gone through one after another, and again from the beginning.

/// What comes after the present one in a round, or before it.
pub fn next<T: Clone + PartialEq>(round: &[T], now: &T, back: bool) -> Option<T> {
    let count = round.len();
    let place = match (round.iter().position(|other| other == now), back) {
        (Some(place), false) => (place + 1) % count,
        (Some(place), true) => (place + count - 1) % count,
        (None, false) => 0,
        (None, true) => count.saturating_sub(1),
    };
    round.get(place).cloned()
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn after_the_last_one_comes_the_first_one_and_before_it_the_last() {
        let round = ['a', 'b', 'c'];
        assert_eq!([next(&round, &'a', false), next(&round, &'c', false)], [Some('b'), Some('a')]);
        assert_eq!([next(&round, &'b', true), next(&round, &'a', true)], [Some('a'), Some('c')]);
        assert_eq!([next(&round, &'x', false), next(&round, &'x', true)], [Some('a'), Some('c')]);
        assert_eq!(next(&[], &'a', false), None);
    }
}
