//! Matches between players, and what they prove: games in pairs from the same openings and draws with the seats
//! changed, in parallel, with Elo and its error bars.

mod bot;
mod contest;
mod contestant;
mod machine;
mod seating;
mod stats;
mod tournament;

pub use bot::PROTOCOL;
pub use contest::{Contest, Game, play};
pub use contestant::{Contestant, Decider};
pub use machine::{Threads, WallClock};
pub use seating::seatings;
pub use stats::{Elo, Score, Sprt, Verdict};
pub use tournament::{Standings, pairings};
