//! What can be set about the player: how the search spreads, what looks good, what a position is worth.

use super::evaluate::{FOUR, Features, TEAMS, THREE, TWO};

/// What can be set about the player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ModXSettings {
    /// How much a promising but rarely tried action is preferred to a good one.
    pub exploration: f32,
    /// An action that was not tried yet is taken to be this much worse than what its node has come to.
    pub untried: f32,
    /// How many actions are looked at below the root, the most promising ones.
    pub width: usize,
    pub looks: Looks,
    /// What counts in a position, for two, three and four seats and for teams.
    pub weights: [Features; 4],
}

/// How promising an action looks, as an exponent: with one more it is tried 2.7 times as often.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Looks {
    /// For every point won at once, and again for each taken from another side.
    pub complete: f32,
    /// The same for points that others could win there.
    pub prevent: f32,
    /// For every open placement that an X-piece is put into, by the number of squares its colour has there already.
    pub build: [f32; 4],
    /// For every open placement of another side that it closes.
    pub close: [f32; 4],
    /// For every open placement that a joker is put into: of the own side, of others, of the one that places next.
    pub joker_own: [f32; 4],
    pub joker_other: [f32; 4],
    pub joker_next: [f32; 4],
}

/// Exploration 0.5 won 61 % of 60 games with two seats at 20 ms a move against 1.4, and 0.8 won 56 %. Looks half as
/// pronounced for building and closing did no better.
impl Default for ModXSettings {
    fn default() -> Self {
        Self { exploration: 0.5, untried: 0.1, width: 28, looks: Looks::default(), weights: [TWO, THREE, FOUR, TEAMS] }
    }
}

impl Default for Looks {
    fn default() -> Self {
        Self {
            complete: 1.0,
            prevent: 0.7,
            build: [0.0, 0.08, 0.32, 1.0],
            close: [0.0, 0.06, 0.24, 0.6],
            joker_own: [0.0, 0.04, 0.16, 0.5],
            joker_other: [0.0, -0.03, -0.12, -0.4],
            joker_next: [0.0, -0.05, -0.25, -1.5],
        }
    }
}
