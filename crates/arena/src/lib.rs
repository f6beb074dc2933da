//! Matches between players, and what they prove: games in pairs from the same openings and draws with the seats
//! changed, in parallel, with Elo and its error bars.

mod bot;
mod calibration;
mod contest;
mod contestant;
mod machine;
mod opening;
mod seating;
mod self_play;
mod stats;
mod tournament;

pub use bot::PROTOCOL;
pub use calibration::{Bin, Calibration, Estimate, Fit, Forecast, calibration, cross_fitted, fit};
pub use contest::{Contest, Game, Repeats, games_at_once, play};
pub use contestant::{Contestant, Decider};
pub use machine::{Threads, WallClock};
pub use seating::seatings;
pub use self_play::SelfPlay;
pub use stats::{Elo, Score, SequentialTest, Sprt, Verdict};
pub use tournament::{Rating, Standings, pairings};
