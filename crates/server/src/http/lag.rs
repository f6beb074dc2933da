//! For how long messages to a client and back are under way. The server measures it itself, by pings that a client's side of
//! the connection answers at once: what a client says about it is not asked for.

use std::time::Duration;

use axum::body::Bytes;
use quincunx_table::Millis;
use tokio::time::Instant;

/// How often it is measured while a client does something.
const MEASURED: Duration = Duration::from_secs(5);
/// Of how many measurements the least counts: what is slow for a moment is not the way.
const KEPT: usize = 3;

/// What is known about the way to a client.
#[derive(Debug, Default)]
pub struct Lag {
    /// The ping under way: its number, and when it was sent.
    asked: Option<(u64, Instant)>,
    pings: u64,
    /// The last times, the newest last.
    times: Vec<Duration>,
}

impl Lag {
    /// Whether it is time for a ping.
    pub fn is_due(&self, now: Instant) -> bool {
        self.asked.is_none_or(|(_, sent)| now.duration_since(sent) >= MEASURED)
    }

    /// A ping is sent now: gives what it says.
    pub fn ask(&mut self, now: Instant) -> Bytes {
        self.pings += 1;
        self.asked = Some((self.pings, now));
        self.pings.to_be_bytes().to_vec().into()
    }

    /// A pong has come. Only the answer to the last ping tells anything, and only once.
    pub fn hear(&mut self, said: &[u8], now: Instant) {
        if let Some((number, sent)) = self.asked
            && number == self.pings
            && said == number.to_be_bytes()
        {
            self.pings += 1;
            if self.times.len() == KEPT {
                self.times.remove(0);
            }
            self.times.push(now.duration_since(sent));
        }
    }

    /// How long a message to the client and one back take together; nothing while it is not known.
    pub fn millis(&self) -> Millis {
        self.times.iter().min().map_or(0, |time| time.as_millis() as Millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_the_last_times_counts_and_nobody_answers_twice() {
        let begin = Instant::now();
        let at = |millis| begin + Duration::from_millis(millis);
        let mut lag = Lag::default();
        assert_eq!(lag.millis(), 0);
        assert!(lag.is_due(at(0)));
        let ping = lag.ask(at(0));
        assert!(!lag.is_due(at(4_999)) && lag.is_due(at(5_000)));
        lag.hear(b"whatever", at(10));
        assert_eq!(lag.millis(), 0, "nobody was asked that");
        lag.hear(&ping, at(80));
        lag.hear(&ping, at(900));
        assert_eq!(lag.millis(), 80);
        for (sent, took) in [(5_000, 300), (10_000, 200), (15_000, 250)] {
            let ping = lag.ask(at(sent));
            lag.hear(&ping, at(sent + took));
        }
        assert_eq!(lag.millis(), 200, "the first is long ago");
        let late = lag.ask(at(20_000));
        let next = lag.ask(at(25_000));
        lag.hear(&late, at(25_001));
        assert_eq!(lag.millis(), 200, "an answer to an earlier question");
        lag.hear(&next, at(25_100));
        assert_eq!(lag.millis(), 100);
    }
}
