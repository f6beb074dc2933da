//! How often somebody may try. Each key has a bucket that leaks: a try pours into it, and a full one refuses.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
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

/// How many times as much all networks of a site may as one of them: a company or a campus, but also a customer who is given
/// 65,536 networks and uses a new one for each try.
const PER_SITE: i64 = 8;

/// Counts tries by where they come from: by network and, for IPv6, also by site.
#[derive(Debug)]
pub(crate) struct AddressLimiter {
    networks: Limiter<IpAddr>,
    sites: Limiter<IpAddr>,
}

impl AddressLimiter {
    pub fn new(burst: i64, every: Millis, most: usize) -> Self {
        let sites = Limiter::new(burst.saturating_mul(PER_SITE), every / PER_SITE, most);
        Self { networks: Limiter::new(burst, every, most), sites }
    }

    pub fn attempt(&self, from: IpAddr, now: Millis) -> Result<(), Millis> {
        self.networks.attempt(&network(from), now)?;
        if let Some(site) = site(from) {
            self.sites.attempt(&site, now).inspect_err(|_| self.networks.forgive(&network(from)))?;
        }
        Ok(())
    }

    pub fn forgive(&self, from: IpAddr) {
        self.networks.forgive(&network(from));
        if let Some(site) = site(from) {
            self.sites.forgive(&site);
        }
    }
}

/// Everything behind one connection: a home has a single IPv4 address, but 2^64 of IPv6.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// The networks that a provider gives to one customer: the first 48 bits of IPv6.
pub(crate) fn site(address: IpAddr) -> Option<IpAddr> {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            Some(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0).into())
        }
        IpAddr::V4(_) => None,
    }
}

/// How many more connections a site has than a network of it.
pub(crate) const CONNECTIONS_PER_SITE: usize = PER_SITE as usize;

#[cfg(test)]
mod tests {
    use super::{AddressLimiter, Limiter};

    #[test]
    fn who_has_many_ipv6_networks_does_not_get_as_many_times_more() {
        let limiter = AddressLimiter::new(3, 1_000, 1_000);
        let from = |network: u16| format!("2001:db8:1:{network:x}::1").parse().expect("an address");
        let allowed = (0..1_000).filter(|&network| limiter.attempt(from(network), 5).is_ok()).count();
        assert_eq!(allowed, 24, "eight times as many as one network");
        let neighbour = "2001:db8:2::1".parse().expect("an address");
        assert_eq!(limiter.attempt(neighbour, 5), Ok(()), "another site");
        let v4 = "203.0.113.7".parse().expect("an address");
        assert_eq!([(); 4].map(|()| limiter.attempt(v4, 5).is_ok()), [true, true, true, false]);
        limiter.forgive(v4);
        assert_eq!(limiter.attempt(v4, 5), Ok(()));
    }

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
