//! Players that think: a generic search that plays any game from its rules alone, and what is known about single games.
//!
//! A [`Player`] gets what its seat knows ([`Knowledge`]) and what it may use ([`Control`]: nodes, time, memory, a way to
//! be stopped), and answers with a [`Thought`]. Nothing here touches the operating system: the clock and the [`Crew`] of
//! threads are given by the caller, so that the same engines run in a browser.

mod calibration;
mod castle_builders;
mod control;
mod crew;
mod figures;
mod greedy;
mod hasher;
mod knowledge;
mod level;
mod math;
mod mcts;
pub mod mod_x;
mod player;
mod review;
mod thinker;
mod trexo;
pub mod x_marks_the_spot;

pub use calibration::Correction;
pub use castle_builders::CastleBuildersPlayer;
pub use control::{Budget, Clock, Control, Progress};
pub use crew::{Alone, Crew};
pub use figures::FiguresPlayer;
pub use greedy::Greedy;
pub use knowledge::Knowledge;
pub use level::{AtLevel, Level};
pub use mcts::{Mcts, MctsSettings};
pub use mod_x::ModXPlayer;
pub use player::{Line, Player, Random, Thought};
pub use review::{Judged, Review, Verdict, accuracy_of, review};
pub use thinker::{Engine, Thinker, generic};
pub use trexo::TrexoPlayer;
pub use x_marks_the_spot::{XMarksTheSpotGreedy, XMarksTheSpotPlayer};
