//! What a process has handed to the workers behind NATS, and what it holds back. The queue there gives out jobs in the order in which
//! they came, so a process hands over only a few of each person and of each address at a time: whoever comes next stands behind
//! these, not behind all that somebody wants. Which of a person's jobs are next, and whose, is settled as in one process; as a
//! process does not hear how long the workers have thought, every job costs the same.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

use quincunx_table::{Job, TableId, UserId};

use super::fair::{FairQueue, Owner, Shares, Waiting};

/// How many jobs of a person, and of all behind one address, are with the workers at once.
const OF_ONE: usize = 2;
const OF_ADDRESS: usize = 8;
/// What a job costs: about what the stronger levels take.
const COST: Duration = Duration::from_secs(1);
/// After how long a job of which nothing is heard does not keep others back any more: its answer may have gone to another
/// process, and the word of it been lost.
const FORGOTTEN: Duration = Duration::from_secs(10);

/// Jobs of one kind.
#[derive(Debug)]
pub(super) struct Handout {
    shares: Shares,
    held_back: FairQueue<Job>,
    handed_out: HashMap<TableId, Handed>,
}

#[derive(Debug)]
struct Handed {
    version: u64,
    owners: Vec<Owner>,
    at: Duration,
}

impl Handout {
    pub fn new() -> Self {
        // Where all jobs cost the same, how much is allowed changes nothing about the order.
        Self { shares: Shares::new(60), held_back: FairQueue::default(), handed_out: HashMap::new() }
    }

    /// Takes a job, and gives those that are to be sent now.
    pub fn ask(&mut self, job: Job, owners: Vec<Owner>, now: Duration) -> Vec<Job> {
        if let Some(handed) = self.handed_out.get_mut(&job.table) {
            // The queue of the workers has one place for each table.
            (handed.version, handed.at) = (job.version, now);
            return vec![job];
        }
        self.held_back.push(job.table.clone(), job, owners);
        self.ready(now)
    }

    /// A table has gone on: gives the jobs that are to be sent now.
    pub fn gone_on(&mut self, table: &TableId, version: u64, now: Duration) -> Vec<Job> {
        self.held_back.remove_if(table, |job| job.version < version);
        if self.handed_out.get(table).is_none_or(|handed| handed.version >= version) {
            return Vec::new();
        }
        self.handed_out.remove(table);
        self.ready(now)
    }

    fn ready(&mut self, now: Duration) -> Vec<Job> {
        let mut ready = Vec::new();
        self.handed_out.retain(|_, handed| now.saturating_sub(handed.at) < FORGOTTEN);
        loop {
            let (users, addresses) = self.with_the_workers();
            // One who has room is enough: a person does not wait for those at the same table.
            let fits = |waiting: &Waiting<Job>| {
                waiting.owners.is_empty()
                    || waiting.owners.iter().any(|owner| {
                        let of_one = users.get(&owner.user).copied().unwrap_or(0);
                        let of_address = owner.from.and_then(|from| addresses.get(&from).copied()).unwrap_or(0);
                        of_one < OF_ONE && of_address < OF_ADDRESS
                    })
            };
            let Some((table, next)) = self.held_back.next(&self.shares, now, fits) else { return ready };
            self.shares.charge(&next.owners, COST, now);
            self.handed_out.insert(table, Handed { version: next.job.version, owners: next.owners, at: now });
            ready.push(next.job);
        }
    }

    /// How many jobs of each are with the workers.
    fn with_the_workers(&self) -> (HashMap<UserId, usize>, HashMap<IpAddr, usize>) {
        let (mut users, mut addresses) = (HashMap::new(), HashMap::new());
        for owner in self.handed_out.values().flat_map(|handed| &handed.owners) {
            *users.entry(owner.user).or_default() += 1;
            if let Some(from) = owner.from {
                *addresses.entry(from).or_default() += 1;
            }
        }
        (users, addresses)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn job(table: &str, version: u64) -> Job {
        let task = json!({"type": "move", "asked": [[1, "club"]]});
        let job = json!({"table": table, "version": version, "game": "trexo", "seats": 2, "options": {}, "actions": [],
                         "seed": 1, "task": task});
        serde_json::from_value(job).expect("a job")
    }

    fn person(user: i64) -> Vec<Owner> {
        vec![Owner { user: UserId(user), guest: false, from: Some([10, 0, 0, user as u8].into()) }]
    }

    fn sent(jobs: &[Job]) -> Vec<&str> {
        jobs.iter().map(|job| job.table.0.as_str()).collect()
    }

    #[test]
    fn workers_have_few_jobs_of_one_person_and_the_next_person_stands_behind_these() {
        let (mut handout, at) = (Handout::new(), Duration::from_secs(9));
        let table = |name: &str| TableId(name.to_owned());
        for (name, expected) in [("a", vec!["a"]), ("b", vec!["b"]), ("c", vec![]), ("d", vec![])] {
            assert_eq!(sent(&handout.ask(job(name, 5), person(1), at)), expected);
        }
        assert_eq!(sent(&handout.ask(job("e", 5), person(2), at)), ["e"], "another person's goes out at once");
        // A table that asks again has its place.
        assert_eq!(sent(&handout.ask(job("a", 7), person(1), at)), ["a"]);
        assert_eq!(sent(&handout.gone_on(&table("a"), 7, at)), [""; 0], "it was asked about this version");
        assert_eq!(sent(&handout.gone_on(&table("a"), 8, at)), ["c"]);
        assert_eq!(sent(&handout.gone_on(&table("d"), 6, at)), [""; 0], "nobody waits for that one any more");
        assert_eq!(sent(&handout.gone_on(&table("b"), 6, at)), [""; 0]);
        assert_eq!(sent(&handout.ask(job("f", 5), person(1), at)), ["f"]);
    }

    #[test]
    fn people_behind_one_address_share_its_places_and_a_lost_answer_frees_its_own() {
        let (mut handout, at) = (Handout::new(), Duration::from_secs(9));
        let mut handed = 0;
        for user in 0..50 {
            let owners = vec![Owner { user: UserId(user), guest: true, from: Some([10, 0, 0, 1].into()) }];
            handed += handout.ask(job(&format!("t{user}"), 1), owners, at).len();
        }
        assert_eq!(handed, OF_ADDRESS);
        assert_eq!(sent(&handout.ask(job("other", 1), person(7), at)), ["other"]);
        let later = handout.ask(job("another", 1), person(8), at + FORGOTTEN);
        assert_eq!(later.len(), OF_ADDRESS + 1);
    }
}
