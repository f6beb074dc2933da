//! The time of day of a process. It is read off the machine once and goes on evenly from there, so that no game's clock moves
//! when the clock of the machine is set. Where several processes serve the same tables, the time of their database counts.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use quincunx_table::Millis;

use crate::store::{Store, StoreError};

/// By how much the time of a process may differ from that of the database.
pub const MOST_OFF: Millis = 500;
/// By how much it is corrected at a time, so that nobody notices.
const STEP: Millis = 50;
/// How often the database is asked to find out its time: the quickest answer tells most exactly.
const ASKED: usize = 3;

static OF_PROCESS: LazyLock<Time> = LazyLock::new(Time::of_machine);

/// The time of day of this process.
pub fn now() -> Millis {
    OF_PROCESS.now()
}

/// A time that goes on evenly.
#[derive(Debug)]
pub struct Time {
    begun: Instant,
    at: Millis,
    offset: AtomicI64,
}

/// How far the database is ahead, in milliseconds, and how far that may be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    pub ahead: Millis,
    pub give_or_take: Millis,
}

impl Difference {
    /// Whether the two are certainly too far apart.
    pub const fn is_too_much(self) -> bool {
        self.ahead.abs() - self.give_or_take > MOST_OFF
    }
}

impl Time {
    /// Begins with what the clock of the machine shows.
    pub fn of_machine() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Self::beginning(Instant::now(), since.as_millis() as Millis)
    }

    fn beginning(begun: Instant, at: Millis) -> Self {
        Self { begun, at, offset: AtomicI64::new(0) }
    }

    pub fn now(&self) -> Millis {
        self.at(Instant::now())
    }

    fn at(&self, moment: Instant) -> Millis {
        let passed = moment.saturating_duration_since(self.begun).as_millis() as Millis;
        self.at + passed + self.offset.load(Ordering::Relaxed)
    }

    /// How far the database is ahead of this time; nothing if it has no time of its own.
    pub async fn compare(&self, store: &Store) -> Result<Option<Difference>, StoreError> {
        let mut best: Option<Difference> = None;
        for _ in 0..ASKED {
            let asked = Instant::now();
            let Some(theirs) = store.time().await? else { return Ok(None) };
            let difference = self.difference(asked, theirs, Instant::now());
            best = Some(match best {
                Some(best) if best.give_or_take <= difference.give_or_take => best,
                _ => difference,
            });
        }
        Ok(best)
    }

    /// The difference to a clock that showed `theirs` at some moment between a question and its answer.
    fn difference(&self, asked: Instant, theirs: Millis, answered: Instant) -> Difference {
        let (asked, answered) = (self.at(asked), self.at(answered));
        let give_or_take = (answered - asked + 1) / 2;
        Difference { ahead: theirs - (asked + give_or_take), give_or_take }
    }

    /// Takes the time of the database.
    pub fn take_over(&self, difference: Difference) {
        self.offset.fetch_add(difference.ahead, Ordering::Relaxed);
    }

    /// Comes nearer to the time of the database.
    pub fn approach(&self, difference: Difference) {
        if difference.ahead.abs() > difference.give_or_take {
            self.offset.fetch_add(difference.ahead.clamp(-STEP, STEP), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(begun: Instant, millis: u64) -> Instant {
        begun + Duration::from_millis(millis)
    }

    #[test]
    fn time_goes_on_evenly_whatever_the_clock_of_the_machine_shows() {
        let begun = Instant::now();
        let time = Time::beginning(begun, 1_000_000);
        assert_eq!(time.at(after(begun, 0)), 1_000_000);
        assert_eq!(time.at(after(begun, 2_500)), 1_002_500);
        let (first, second) = (now(), now());
        assert!(second >= first && second - first < 10_000);
    }

    #[test]
    fn the_time_of_the_database_is_taken_over_at_the_start_and_approached_later() {
        let begun = Instant::now();
        let time = Time::beginning(begun, 1_000_000);
        // Asked at 100 and answered at 120, it showed 300 more than in the middle of that.
        let difference = time.difference(after(begun, 100), 1_000_410, after(begun, 120));
        assert_eq!(difference, Difference { ahead: 300, give_or_take: 10 });
        time.take_over(difference);
        assert_eq!(time.at(after(begun, 200)), 1_000_500);
        for (ahead, moved) in [(300, 50), (-300, -50), (20, 20), (5, 0)] {
            let before = time.at(after(begun, 300));
            time.approach(Difference { ahead, give_or_take: 10 });
            assert_eq!(time.at(after(begun, 300)) - before, moved, "{ahead}");
        }
    }

    #[test]
    fn what_may_be_due_to_a_slow_answer_is_not_held_against_anybody() {
        let off = |ahead, give_or_take| Difference { ahead, give_or_take }.is_too_much();
        assert!(!off(500, 0) && off(501, 0) && off(-501, 0));
        assert!(!off(800, 300) && off(-801, 300));
    }
}
