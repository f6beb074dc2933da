//! The tactical suites, by what there is to see, and how often a level does not see it.

use std::{sync::atomic::AtomicBool, time::Duration};

use quincunx_core::{DynSession, Turn, find};
use quincunx_engine::{Clock, Control, Engine, Level};
use quincunx_games::GAMES;
use serde_json::Value;

/// What there is to see in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// A win at once.
    Win,
    /// A threat that has to be met at once.
    Threat,
    /// A win with the second turn, whatever is answered.
    ForcedWin,
}

impl Theme {
    fn of_heading(heading: &str) -> Option<Self> {
        let themes = [
            ("Five in reach", Self::Win),
            ("Reach the target", Self::Win),
            ("A threat that must be met, by one of these answers", Self::Threat),
            ("All other actions lose at once", Self::Threat),
            ("A win that is forced with the second tile", Self::ForcedWin),
            ("Any answer loses", Self::ForcedWin),
        ];
        themes.iter().find(|(words, _)| heading.contains(words)).map(|&(_, theme)| theme)
    }
}

/// A position and the actions that are right.
pub struct Problem {
    pub theme: Theme,
    table: Box<dyn DynSession>,
    right: Vec<String>,
}

/// The problems of a game's suite that have a theme.
pub fn problems(game: &str) -> Vec<Problem> {
    let suite = match game {
        "trexo" => include_str!("../../suites/trexo.txt"),
        "mod-x" => include_str!("../../suites/mod-x.txt"),
        _ => "",
    };
    let mut theme = None;
    let mut problems = Vec::new();
    for line in suite.lines() {
        if line.starts_with('#') {
            theme = Theme::of_heading(line);
        }
        let parts: Vec<&str> = line.split(" | ").collect();
        if let (Some(theme), [options, actions, task]) = (theme, &parts[..])
            && let Some(right) = task.strip_prefix("find ")
        {
            let mut options: Value = serde_json::from_str(options).expect("options are JSON");
            let seats =
                options.as_object_mut().and_then(|options| options.remove("seats")).and_then(|seats| seats.as_u64());
            let mut table = find(GAMES, game).expect("it is one of the games").start(seats, &options).expect("a table");
            actions.split("; ").for_each(|action| table.apply(None, action).expect("a legal action"));
            problems.push(Problem { theme, table, right: right.split(',').map(str::to_owned).collect() });
        }
    }
    problems
}

struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// How many of the problems a level misses, each in so many games, and how many it was shown.
pub fn missed(level: Level, problems: &[Problem], theme: Theme, games: u64) -> (u32, u32) {
    let never = AtomicBool::new(false);
    let (mut missed, mut shown) = (0, 0);
    for problem in problems.iter().filter(|problem| problem.theme == theme) {
        let Turn::Seat(seat) = problem.table.turn() else { panic!("somebody is on turn") };
        for game in 0..games {
            let id = problem.table.kind().id();
            let mut thinker = Engine::Level(level).thinker(id).expect("there is an engine");
            let control = Control::new(level.budget(id), game, &Still, &never);
            let action = thinker.think(&*problem.table, seat, &control).expect("who is on turn acts").action;
            shown += 1;
            missed += u32::from(!problem.right.contains(&action));
        }
    }
    (missed, shown)
}
