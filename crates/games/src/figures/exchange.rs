//! Which markers of two colours may be exchanged.

use rand::{Rng, RngExt};

use super::board::{Square, Squares};
use crate::bits::bits;

/// Markers of one colour.
const FIVE: usize = 5;

/// The legal exchanges between the markers of two colours: bit 5 * i + j stands for the i-th marker of the first colour
/// and the j-th of the second, in the order of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exchanges(u32);

/// The squares of the five markers of a colour.
#[inline]
fn five(markers: Squares) -> [Square; FIVE] {
    let mut squares = markers.iter();
    std::array::from_fn(|_| squares.next().expect("a colour has five markers"))
}

/// Of the squares of `own`, those whose marker may go to `arrival`, where a marker of `other` stands that comes to the
/// square it leaves.
///
/// It may not arrive isolated, unless the markers of the other colour are one connected group after the exchange.
#[inline]
fn may_go(own: Squares, other: Squares, arrival: Square) -> Squares {
    let near = own.and(Squares::next_to(arrival));
    // A marker that goes is not its own neighbour any more.
    let isolated = if near.is_empty() {
        own
    } else if near.is_at_most_one() {
        near
    } else {
        return own;
    };
    own.toggled(isolated).or(other.toggled(Squares::of(arrival)).joints(isolated))
}

impl Exchanges {
    /// All legal exchanges, without regard to the figures they make.
    pub(super) fn between(first: Squares, second: Squares) -> Self {
        let (firsts, seconds) = (five(first), five(second));
        let may_go_to_second = seconds.map(|arrival| may_go(first, second, arrival));
        let may_go_to_first = firsts.map(|arrival| may_go(second, first, arrival));
        let mut legal = 0;
        for (i, &one) in firsts.iter().enumerate() {
            for (j, &other) in seconds.iter().enumerate() {
                let both = may_go_to_second[j].contains(one) & may_go_to_first[i].contains(other);
                legal |= u32::from(both) << (i * FIVE + j);
            }
        }
        Self(legal)
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// One of them, each with the same chance, as a pair of squares, the lower one first. Mostly more than half of all
    /// pairs are legal, so throwing again after a miss is faster than counting bits.
    ///
    /// There must be one.
    #[inline]
    pub(super) fn any<R: Rng + ?Sized>(self, first: Squares, second: Squares, rng: &mut R) -> (Square, Square) {
        debug_assert!(!self.is_empty(), "there is an exchange to draw");
        loop {
            let bit = rng.random_range(0..(FIVE * FIVE) as u32) as usize;
            if self.0 >> bit & 1 == 1 {
                return ordered(five(first)[bit / FIVE], five(second)[bit % FIVE]);
            }
        }
    }

    /// Only those exchanges for which `keep` holds; it gets the square of the first and of the second colour.
    #[must_use]
    pub(super) fn filter(self, first: Squares, second: Squares, keep: impl Fn(Square, Square) -> bool) -> Self {
        let (firsts, seconds) = (five(first), five(second));
        let kept = bits(self.0.into()).filter(|&bit| keep(firsts[bit / FIVE], seconds[bit % FIVE]));
        Self(kept.fold(0, |kept, bit| kept | 1 << bit))
    }

    /// The pairs of squares, the lower one first.
    pub(super) fn pairs(self, first: Squares, second: Squares) -> impl Iterator<Item = (Square, Square)> {
        let (firsts, seconds) = (five(first), five(second));
        bits(self.0.into()).map(move |bit| ordered(firsts[bit / FIVE], seconds[bit % FIVE]))
    }
}

#[inline]
fn ordered(one: Square, other: Square) -> (Square, Square) {
    (one.min(other), one.max(other))
}
