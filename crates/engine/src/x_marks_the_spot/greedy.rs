//! A simple player: takes any X, and else extends its own icons.

use quincunx_games::x_marks_the_spot::{Action, XMarksTheSpot};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    policy::{Mind, Policy},
    sea::only,
    settings::Settings,
};
use crate::{Control, Knowledge, Player, Thought};

/// Looks one action ahead and at nothing but its own flag: what makes an X, or else brings its X's in the making furthest.
#[derive(Clone, Debug)]
pub struct XMarksTheSpotGreedy {
    policy: Policy,
}

impl Default for XMarksTheSpotGreedy {
    fn default() -> Self {
        // A card counts for what it brings now, and not for what it could bring later.
        Self { policy: Policy::new(Settings { keep: 0.0, ..Settings::default() }) }
    }
}

impl Player<XMarksTheSpot> for XMarksTheSpotGreedy {
    fn think(&mut self, known: &Knowledge<'_, XMarksTheSpot>, control: &Control<'_>) -> Thought<Action> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(control.seed);
        let seat = known.seat();
        let world = known.imagine(&mut rng);
        let flag = world.flag(seat).expect("flags are dealt before anybody acts");
        let mind = Mind { flag, wishes: only(flag) };
        let mut actions = Vec::new();
        known.actions(&mut actions);
        self.policy.look_at(&world, mind.wishes);
        let scored: Vec<(f32, Action)> =
            actions.into_iter().map(|action| (self.policy.score(&world, seat, &mind, action), action)).collect();
        let most = scored.iter().map(|&(score, _)| score).fold(f32::MIN, f32::max);
        let best: Vec<Action> = scored.iter().filter(|&&(score, _)| score >= most).map(|&(_, action)| action).collect();
        Thought::plain(seat, best[rng.random_range(0..best.len())], scored.len() as u64)
    }
}
