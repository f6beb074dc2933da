//! What each level misses: wins and threats of one turn, and wins that are forced with the second turn, over the suites.
//!
//! `cargo run --release -p quincunx-engine --example misses`

#[path = "../tests/common/suite.rs"]
mod suite;

use quincunx_engine::Level;
use suite::{Theme, missed, problems};

/// In how many games each position comes up. The highest levels leave nothing to chance: for them, one is enough.
const GAMES: u64 = 50;

fn main() {
    println!("{:<8}{:<10}{:>14}{:>14}{:>14}  missed", "game", "level", "win in one", "threat", "forced win");
    for game in ["trexo", "mod-x"] {
        let problems = problems(game);
        for level in Level::ALL {
            let games = if level < Level::Expert { GAMES } else { 1 };
            let share = |theme| {
                let (missed, shown) = missed(level, &problems, theme, games);
                format!("{:.0} % of {shown}", 100.0 * f64::from(missed) / f64::from(shown.max(1)))
            };
            let [win, threat, forced] = [Theme::Win, Theme::Threat, Theme::ForcedWin].map(share);
            println!("{game:<8}{:<10}{win:>14}{threat:>14}{forced:>14}", level.name());
        }
    }
}
