//! How often somebody may try. Each key has a bucket that leaks: a try pours into it, and a full one refuses.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard};

use quincunx_table::Millis;

use crate::lock;

/// Counts tries per key, in bounded memory, with the time that it is told.
#[derive(Debug)]
pub(crate) struct Limiter<K> {
    /// How many tries are free.
    burst: i64,
    /// After how long one more is.
    every: Millis,
    /// How many keys are remembered.
    most: usize,
    /// When each bucket will be empty.
    empty_at: Mutex<HashMap<K, Millis>>,
}

impl<K: Hash + Eq + Clone> Limiter<K> {
    pub fn new(burst: i64, every: Millis, most: usize) -> Self {
        Self { burst, every, most, empty_at: Mutex::default() }
    }

    /// Counts a try, or says how long to wait for the next one.
    pub fn attempt(&self, key: &K, now: Millis) -> Result<(), Millis> {
        if self.every == 0 {
            // More than one each millisecond: nobody is held up, also not when the moments of two threads cross.
            return Ok(());
        }
        let mut buckets = self.buckets();
        let empty_at = buckets.get(key).map_or(now, |&at| at.max(now));
        let wait = empty_at - now - (self.burst - 1) * self.every;
        if wait > 0 {
            return Err(wait);
        }
        if !buckets.contains_key(key) && buckets.len() >= self.most {
            buckets.retain(|_, at| *at > now);
            // Whoever fills the memory with keys that have tried once does not make it forget those who try all the time.
            if buckets.len() >= self.most
                && let Some(emptiest) = buckets.iter().min_by_key(|&(_, &at)| at).map(|(key, _)| key.clone())
            {
                buckets.remove(&emptiest);
            }
        }
        buckets.insert(key.clone(), empty_at + self.every);
        Ok(())
    }

    /// Takes back a try that turned out well.
    pub fn forgive(&self, key: &K) {
        if let Some(at) = self.buckets().get_mut(key) {
            *at -= self.every;
        }
    }

    fn buckets(&self) -> MutexGuard<'_, HashMap<K, Millis>> {
        lock(&self.empty_at)
    }
}

#[cfg(test)]
mod tests {
    use super::Limiter;

    #[test]
    fn a_limit_beyond_one_a_millisecond_holds_up_nobody() {
        let limiter = Limiter::new(100_000_000, 0, 10);
        assert_eq!([limiter.attempt(&"ada", 1_000), limiter.attempt(&"ada", 999)], [Ok(()), Ok(())]);
    }

    #[test]
    fn a_few_tries_are_free_and_then_one_now_and_then() {
        let limiter = Limiter::new(3, 100, 10);
        for _ in 0..3 {
            assert_eq!(limiter.attempt(&"ada", 1_000), Ok(()));
        }
        assert_eq!(limiter.attempt(&"ada", 1_000), Err(100));
        assert_eq!(limiter.attempt(&"ada", 1_060), Err(40));
        assert_eq!(limiter.attempt(&"bob", 1_060), Ok(()), "everybody for himself");
        assert_eq!(limiter.attempt(&"ada", 1_100), Ok(()));
        assert_eq!(limiter.attempt(&"ada", 1_100), Err(100));
        limiter.forgive(&"ada");
        assert_eq!(limiter.attempt(&"ada", 1_100), Ok(()));
        for _ in 0..3 {
            assert_eq!(limiter.attempt(&"ada", 9_000), Ok(()), "time heals");
        }
        assert_eq!(limiter.attempt(&"ada", 9_000), Err(100), "but saves nothing up");
    }

    #[test]
    fn memory_is_bounded_and_the_busiest_are_remembered() {
        let limiter = Limiter::new(2, 1_000, 10);
        assert_eq!((limiter.attempt(&0, 0), limiter.attempt(&0, 0)), (Ok(()), Ok(())));
        for key in 1..1_000 {
            assert_eq!(limiter.attempt(&key, 1), Ok(()));
            assert!(limiter.buckets().len() <= 10);
        }
        assert_eq!(limiter.attempt(&0, 1), Err(999));
        assert_eq!(limiter.attempt(&1_000, 5_000), Ok(()));
        assert_eq!(limiter.buckets().len(), 1, "the empty buckets are gone");
    }
}
