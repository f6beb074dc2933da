//! Whose job is next. Thinking is a shared good: of all that wait, the job of the person who has used least of it lately comes
//! first, in proportion to what that person is allowed (fair share with decaying usage). Among people who want more than there
//! is, this deals it out evenly, however many tables each of them has.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::time::Duration;

use quincunx_table::{TableId, UserId};

/// For how long use counts: it fades by the factor e in this time, so that a person who uses ten seconds in every minute is
/// known to have used ten.
const FADES: Duration = Duration::from_mins(1);
/// What a guest is allowed, and what all behind one address are allowed together, in terms of an account.
const GUEST: f64 = 0.5;
const ADDRESS: f64 = 2.0;
/// How many people and addresses are remembered before those are looked for whose use has faded.
const REMEMBERED: usize = 10_000;
/// Seconds below which use is forgotten then.
const FADED: f64 = 0.01;

/// A person for whom an engine thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owner {
    pub user: UserId,
    pub guest: bool,
    /// The address, without what tells the machines of one home apart, from which the person last came to this process.
    pub from: Option<IpAddr>,
}

/// How much of what they are allowed somebody has used; above 1 it is more. What counts first is the person's own use or that of
/// the address, whichever is more; then the person's own.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Rank {
    most: f64,
    own: f64,
}

impl Rank {
    /// Whether all use is within what is allowed.
    pub fn is_within_budget(self) -> bool {
        self.most <= 1.0
    }

    fn cmp(self, other: Self) -> Ordering {
        self.most.total_cmp(&other.most).then(self.own.total_cmp(&other.own))
    }
}

/// What people and addresses have used lately.
#[derive(Debug)]
pub(super) struct Shares {
    /// Seconds a minute for an account.
    allowed: f64,
    users: HashMap<UserId, Used>,
    addresses: HashMap<IpAddr, Used>,
}

/// Seconds of thinking up to a moment.
#[derive(Clone, Copy, Default, Debug)]
struct Used {
    seconds: f64,
    at: Duration,
}

impl Used {
    fn at(self, now: Duration) -> f64 {
        self.seconds * (-(now.saturating_sub(self.at).as_secs_f64() / FADES.as_secs_f64())).exp()
    }
}

fn add<K: Hash + Eq>(used: &mut HashMap<K, Used>, key: K, seconds: f64, now: Duration) {
    if used.len() >= REMEMBERED {
        used.retain(|_, used| used.at(now) > FADED);
    }
    let known = used.entry(key).or_default();
    *known = Used { seconds: known.at(now) + seconds, at: now };
}

impl Shares {
    /// An account is allowed so many seconds of thinking in a minute.
    pub fn new(seconds_per_minute: u32) -> Self {
        let allowed = f64::from(seconds_per_minute.max(1));
        Self { allowed, users: HashMap::new(), addresses: HashMap::new() }
    }

    /// An engine has thought for some people, who share the cost.
    pub fn charge(&mut self, owners: &[Owner], spent: Duration, now: Duration) {
        let each = spent.as_secs_f64() / owners.len().max(1) as f64;
        for owner in owners {
            add(&mut self.users, owner.user, each, now);
            if let Some(from) = owner.from {
                add(&mut self.addresses, from, each, now);
            }
        }
    }

    /// How much of what they are allowed these people have used. A person who plays with somebody who has used more does not wait
    /// for that.
    pub fn rank(&self, owners: &[Owner], now: Duration) -> Rank {
        let ranks = owners.iter().map(|owner| {
            let own = self.users.get(&owner.user).map_or(0.0, |used| used.at(now));
            let own = own / (self.allowed * if owner.guest { GUEST } else { 1.0 });
            let address = owner.from.and_then(|from| self.addresses.get(&from)).map_or(0.0, |used| used.at(now));
            Rank { most: own.max(address / (self.allowed * ADDRESS)), own }
        });
        ranks.min_by(|a, b| a.cmp(*b)).unwrap_or(Rank { most: f64::MAX, own: f64::MAX })
    }
}

/// Jobs that wait, one for each table.
#[derive(Debug)]
pub(super) struct FairQueue<T> {
    waiting: HashMap<TableId, Waiting<T>>,
    came: u64,
}

/// A job that waits.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Waiting<T> {
    pub job: T,
    pub owners: Vec<Owner>,
    /// Whether it was begun before, and made way for another one.
    pub made_way: bool,
    /// When its table came: first come, first served among those with the same rank.
    number: u64,
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        Self { waiting: HashMap::new(), came: 0 }
    }
}

impl<T> FairQueue<T> {
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    pub fn holds(&self, table: &TableId) -> bool {
        self.waiting.contains_key(table)
    }

    /// A table has something to think about. What it asked before is worth nothing any more, but it keeps its place.
    pub fn push(&mut self, table: TableId, job: T, owners: Vec<Owner>) {
        self.came += 1;
        let number = self.waiting.get(&table).map_or(self.came, |before| before.number);
        let made_way = self.waiting.get(&table).is_some_and(|before| before.made_way);
        self.waiting.insert(table, Waiting { job, owners, made_way, number });
    }

    /// A job that made way waits again, unless its table has asked something new meanwhile.
    pub fn put_back(&mut self, table: TableId, waiting: Waiting<T>) {
        self.waiting.entry(table).or_insert(Waiting { made_way: true, ..waiting });
    }

    /// Takes out the job of a table about which nobody asks any more.
    pub fn remove_if(&mut self, table: &TableId, is_old: impl FnOnce(&T) -> bool) {
        if self.waiting.get(table).is_some_and(|waiting| is_old(&waiting.job)) {
            self.waiting.remove(table);
        }
    }

    /// The rank of the job that is next, of those that fit.
    pub fn first(
        &self,
        shares: &Shares,
        now: Duration,
        fits: impl Fn(&Waiting<T>) -> bool,
    ) -> Option<(&TableId, Rank)> {
        // All that wait are looked at, as use fades and nothing keeps them in order: some ten microseconds for a hundred tables,
        // before a job that takes many milliseconds.
        let ranked = self.waiting.iter().filter(|(_, waiting)| fits(waiting));
        let ranked = ranked.map(|(table, waiting)| (table, shares.rank(&waiting.owners, now), waiting.number));
        let first = ranked.min_by(|(_, a, first), (_, b, second)| a.cmp(*b).then(first.cmp(second)));
        first.map(|(table, rank, _)| (table, rank))
    }

    /// Takes the next job out, of those that fit.
    pub fn next(
        &mut self,
        shares: &Shares,
        now: Duration,
        fits: impl Fn(&Waiting<T>) -> bool,
    ) -> Option<(TableId, Waiting<T>)> {
        let table = self.first(shares, now, fits)?.0.clone();
        self.waiting.remove_entry(&table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Duration = Duration::from_secs(1_000);

    fn account(user: i64) -> Owner {
        Owner { user: UserId(user), guest: false, from: None }
    }

    fn guest(user: i64, from: u8) -> Owner {
        Owner { user: UserId(user), guest: true, from: Some([10, 0, 0, from].into()) }
    }

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    struct Thinkers {
        shares: Shares,
        queue: FairQueue<i64>,
        tables: usize,
        now: Duration,
    }

    impl Thinkers {
        fn new() -> Self {
            Self { shares: Shares::new(20), queue: FairQueue::default(), tables: 0, now: START }
        }

        /// Another table of these people has something to think about.
        fn ask(&mut self, owners: &[Owner]) {
            self.tables += 1;
            self.queue.push(TableId(format!("t{}", self.tables)), owners[0].user.0, owners.to_vec());
        }

        /// The user whose job is next, which takes a second.
        fn next(&mut self) -> Option<i64> {
            let (_, waiting) = self.queue.next(&self.shares, self.now, |_| true)?;
            self.now += seconds(1);
            self.shares.charge(&waiting.owners, seconds(1), self.now);
            Some(waiting.job)
        }

        fn all(&mut self) -> Vec<i64> {
            std::iter::from_fn(|| self.next()).collect()
        }
    }

    #[test]
    fn among_people_who_have_used_nothing_the_first_to_come_is_first() {
        let mut thinkers = Thinkers::new();
        for user in [3, 1, 2] {
            thinkers.ask(&[account(user)]);
        }
        assert_eq!(thinkers.all(), [3, 1, 2]);
    }

    #[test]
    fn many_tables_of_one_person_do_not_hold_up_the_one_of_another() {
        let mut thinkers = Thinkers::new();
        for _ in 0..4 {
            thinkers.ask(&[account(1)]);
        }
        assert_eq!(thinkers.next(), Some(1));
        thinkers.ask(&[account(2)]);
        assert_eq!(thinkers.all(), [2, 1, 1, 1]);
    }

    #[test]
    fn people_who_all_want_more_than_there_is_get_equal_parts() {
        let mut thinkers = Thinkers::new();
        // Whatever the number of their tables.
        for (user, tables) in [(1, 40), (2, 20), (3, 10)] {
            for _ in 0..tables {
                thinkers.ask(&[account(user)]);
            }
        }
        let served: Vec<i64> = (0..30).filter_map(|_| thinkers.next()).collect();
        for user in 1..=3 {
            assert_eq!(served.iter().filter(|&&one| one == user).count(), 10, "{served:?}");
        }
        assert_eq!(thinkers.all().len(), 40, "and nothing is lost");
    }

    #[test]
    fn a_guest_is_allowed_less_than_an_account() {
        let mut thinkers = Thinkers::new();
        for _ in 0..6 {
            thinkers.ask(&[Owner { from: None, ..guest(1, 0) }]);
            thinkers.ask(&[account(2)]);
        }
        let served: Vec<i64> = (0..9).filter_map(|_| thinkers.next()).collect();
        assert_eq!(served.iter().filter(|&&user| user == 1).count(), 3, "{served:?}");
    }

    #[test]
    fn people_behind_one_address_share_what_it_is_allowed() {
        let mut thinkers = Thinkers::new();
        // Fifty guests of one address, each of whom has used little.
        for user in 0..50 {
            thinkers.ask(&[guest(user, 1)]);
        }
        assert_eq!((0..45).filter_map(|_| thinkers.next()).count(), 45);
        thinkers.shares.charge(&[guest(60, 1)], seconds(20), thinkers.now);
        let rank = thinkers.shares.rank(&[guest(99, 1)], thinkers.now);
        assert!(!rank.is_within_budget(), "{rank:?}");
        // Who has used as much alone, somewhere else, comes first; then the rest in the order in which they came.
        thinkers.shares.charge(&[guest(77, 2)], seconds(1), thinkers.now);
        thinkers.ask(&[guest(77, 2)]);
        assert_eq!(thinkers.all(), [77, 45, 46, 47, 48, 49]);
    }

    #[test]
    fn people_at_one_table_share_its_cost_and_do_not_wait_for_each_others_use() {
        let mut thinkers = Thinkers::new();
        thinkers.shares.charge(&[account(1)], seconds(30), START);
        thinkers.shares.charge(&[account(3)], seconds(1), START);
        thinkers.ask(&[account(3)]);
        thinkers.ask(&[account(1), account(2)]);
        assert_eq!(thinkers.next(), Some(1), "the table where 2 waits");
        let own = |user| thinkers.shares.users[&UserId(user)].at(thinkers.now);
        assert!((own(2) - 0.5).abs() < 1e-9 && own(1) > 29.0, "{} {}", own(1), own(2));
    }

    #[test]
    fn use_fades_and_a_steady_user_is_known_by_the_seconds_in_a_minute() {
        let mut shares = Shares::new(20);
        let mut now = START;
        for _ in 0..600 {
            now += seconds(2);
            shares.charge(&[account(1)], Duration::from_millis(500), now);
        }
        let used = shares.users[&UserId(1)].at(now);
        assert!((14.5..15.5).contains(&used), "15 s in a minute, not {used}");
        assert!(shares.rank(&[account(1)], now).is_within_budget());
        shares.charge(&[account(1)], seconds(10), now);
        assert!(!shares.rank(&[account(1)], now).is_within_budget());
        assert!(shares.rank(&[account(1)], now + seconds(20)).is_within_budget());
    }

    #[test]
    fn a_table_that_asks_again_keeps_its_place_and_what_made_way_does_not_replace_it() {
        let mut queue = FairQueue::default();
        let shares = Shares::new(20);
        let table = |name: &str| TableId(name.to_owned());
        queue.push(table("a"), "a 1", vec![account(1)]);
        queue.push(table("b"), "b 1", vec![account(2)]);
        queue.push(table("a"), "a 2", vec![account(1)]);
        let (first, begun) = queue.next(&shares, START, |_| true).unwrap();
        assert_eq!((first.0.as_str(), begun.job), ("a", "a 2"));
        queue.put_back(first.clone(), begun.clone());
        let (again, begun_again) = queue.next(&shares, START, |_| true).unwrap();
        assert!(again == first && begun_again.made_way, "it comes where it was");
        queue.push(table("a"), "a 3", vec![account(1)]);
        queue.put_back(first, begun);
        let rest: Vec<&str> =
            std::iter::from_fn(|| queue.next(&shares, START, |_| true)).map(|(_, it)| it.job).collect();
        assert_eq!(rest, ["b 1", "a 3"]);
    }

    #[test]
    fn memory_of_what_people_used_is_bounded() {
        let mut shares = Shares::new(20);
        for user in 0..3 * REMEMBERED as i64 {
            shares.charge(&[guest(user, 1)], Duration::from_millis(1), START + Duration::from_millis(user as u64));
        }
        assert!(shares.users.len() <= REMEMBERED, "{}", shares.users.len());
    }
}
