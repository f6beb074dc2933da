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

/// What comes after a place among others that lie in order, or before it, whether it is one of them or not.
pub fn next_in_order<T: Copy + Ord>(places: &[T], here: T, back: bool) -> Option<T> {
    let found = if back {
        places.iter().rev().find(|&&place| place < here).or(places.last())
    } else {
        places.iter().find(|&&place| place > here).or(places.first())
    };
    found.copied()
}

#[cfg(test)]
mod tests {
    use super::{next, next_in_order};

    #[test]
    fn after_the_last_one_comes_the_first_one_and_before_it_the_last() {
        let round = ['a', 'b', 'c'];
        assert_eq!([next(&round, &'a', false), next(&round, &'c', false)], [Some('b'), Some('a')]);
        assert_eq!([next(&round, &'b', true), next(&round, &'a', true)], [Some('a'), Some('c')]);
        assert_eq!([next(&round, &'x', false), next(&round, &'x', true)], [Some('a'), Some('c')]);
        assert_eq!(next(&[], &'a', false), None);
    }

    #[test]
    fn a_place_that_is_not_among_the_others_lies_between_them() {
        let places = [2, 4, 6];
        let around = |here| [true, false].map(|back| next_in_order(&places, here, back));
        assert_eq!([around(4), around(5)], [[Some(2), Some(6)], [Some(4), Some(6)]]);
        assert_eq!([around(1), around(9)], [[Some(6), Some(2)], [Some(6), Some(2)]]);
    }
}
