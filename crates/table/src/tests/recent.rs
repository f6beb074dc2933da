//! What somebody missed, out of the last lines and out of the whole log.

use super::*;
use crate::{Recent, StateDigest, Subscription, ViewCache, missed};

/// A table whose last lines are kept as it goes on.
struct Kept {
    hall: Hall,
    recent: Recent,
}

impl Kept {
    fn say(&mut self, who: usize, command: serde_json::Value) -> bool {
        let command: Command = serde_json::from_value(command).expect("a command");
        self.hall.now += 1000;
        let person = person(who);
        let request = Request { person: &person, seat: None, command: None, at: self.hall.now };
        let before = StateDigest::of(&self.hall.state, std::iter::empty(), &mut ViewCache::default());
        let Ok(Decision { entries, events }) = self.hall.state.decide(&command, request, &mut self.hall.rng) else {
            return false;
        };
        if !entries.is_empty() {
            self.recent.note(before, self.hall.now, events);
            self.hall.log.extend(entries);
        }
        true
    }

    /// Everybody at every version is told the same from memory and from the log; gives how often it was told from memory, and
    /// how often there was too little there.
    fn compare(&self) -> (usize, usize) {
        let Hall { state, log, .. } = &self.hall;
        let (mut told, mut too_little) = (0, 0);
        for since in 1..state.version {
            for who in [Some(user(0)), Some(user(1)), Some(user(4)), None] {
                for full in [false, true] {
                    let subscription = Subscription { full, ..Subscription::of(who) };
                    let Some(from_memory) = self.recent.since(since) else {
                        too_little += 1;
                        continue;
                    };
                    let from_log = missed(GAMES, &state.id, log, since, subscription).expect("the log fits");
                    let copy = state.to_look_at();
                    assert_eq!(
                        from_memory.message(&copy, subscription),
                        from_log,
                        "since {since} for {subscription:?}"
                    );
                    told += 1;
                }
            }
        }
        (told, too_little)
    }
}

#[test]
fn what_was_missed_is_told_from_memory_as_it_is_told_from_the_log() {
    for (game, seats) in [("trexo", 2), ("mod-x", 4), ("figures", 2), ("castle-builders", 2), ("x-marks-the-spot", 3)] {
        let (mut told, mut read_again) = (0, 0);
        for seed in 0..3 {
            let mut setup = open(game, seats);
            setup["clock"] = json!({"kind": "real_time", "seconds": 86400, "increment": 5});
            let mut kept = Kept { hall: Hall::new(setup), recent: Recent::default() };
            kept.hall.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            for seat in 0..seats {
                assert!(kept.say(seat, json!({"type": "sit", "seat": seat})));
                told += kept.compare().0;
            }
            for step in 0..60 {
                let Turn::Seat(seat) = kept.hall.state.game.turn() else { break };
                let actions = kept.hall.state.game.actions(seat);
                let action = actions[kept.hall.rng.random_range(0..actions.len())].clone();
                assert!(kept.say(seat.index(), json!({"type": "act", "action": action})));
                if step % 7 == 3 && kept.say(seat.index(), json!({"type": "ask_undo"})) {
                    let others = (0..seats).filter(|&other| other != seat.index());
                    for other in others {
                        kept.say(other, json!({"type": "answer_undo", "grant": step % 2 == 0}));
                    }
                }
                if step % 6 == 0 {
                    told += kept.compare().0;
                }
            }
            // The end shows what was hidden.
            kept.say(0, json!({"type": "resign"}));
            told += kept.compare().0;
            // A log that is read anew keeps its last lines as well.
            let (state, recent) =
                Recent::replay(GAMES, kept.hall.state.id.clone(), &kept.hall.log).expect("the log fits");
            (kept.hall.state, kept.recent) = (state, recent);
            let (from_memory, from_log) = kept.compare();
            told += from_memory;
            read_again += from_log;
        }
        assert!(told > 300 && read_again > 0, "{game}: {told} and {read_again}");
    }
}

#[test]
fn few_lines_are_kept() {
    let mut kept = Kept { hall: Hall::new(open("trexo", 2)).seated(), recent: Recent::default() };
    for _ in 0..200 {
        assert!(
            kept.say(0, json!({"type": "offer_draw"})) && kept.say(1, json!({"type": "answer_draw", "accept": false}))
        );
    }
    let version = kept.hall.state.version;
    let lines = Recent::LINES as u64;
    assert!(kept.recent.since(version - lines).is_some() && kept.recent.since(version - lines - 1).is_none());
    assert!(kept.recent.since(version).is_none() && kept.recent.since(version + 1).is_none());
}
