//! What a seat does at a glance.

use quincunx_core::{Actor, Game};
use quincunx_games::x_marks_the_spot::{Action, Card, Pirate};

use super::{
    super::{
        policy::{GOOD_CARD, Policy},
        settings::Settings,
    },
    ODD_OPTIONS, legal, options, stroll, wary,
};

#[test]
fn it_chooses_the_legal_action_with_the_best_score() {
    let mut policy = Policy::new(Settings::default());
    let mut reference = Policy::new(Settings::default());
    // Parlay talk, plunder, first cards, empty tables, passes: all comes up.
    let mut kinds = Vec::new();
    for seats in 2..=4 {
        for json in ODD_OPTIONS.into_iter().chain(["{}"; 4]) {
            stroll(seats, &options(json), u64::from(seats) + kinds.len() as u64, 300, |game, seat| {
                let mind = wary(game.flag(seat).unwrap());
                let chosen = policy.choose(game, seat, &mind);
                assert_eq!(game.check(Actor::Seat(seat), chosen), Ok(()), "{chosen}");
                kinds.push(std::mem::discriminant(&chosen));
                reference.look_at(game, mind.wishes);
                let mut score = |action| reference.score(game, seat, &mind, action);
                let looked_at = legal(game, seat).into_iter().filter(|&action| match action {
                    // Looked at only where the card is good for something, if there is anything else to play.
                    Action::PlunderDiscard(card) => game.is_table_empty() || mind.worth(card) >= GOOD_CARD,
                    _ => true,
                });
                let best = looked_at.map(&mut score).fold(f32::MIN, f32::max);
                let of_chosen = score(chosen);
                assert!(of_chosen >= best - 1e-4, "{chosen}: {of_chosen} and not {best}");
            });
        }
    }
    kinds.sort_by_key(|kind| format!("{kind:?}"));
    kinds.dedup();
    // There are nineteen that a seat can choose, and some of them are hardly ever the best.
    assert!(kinds.len() >= 14, "{}", kinds.len());
}

#[test]
fn what_an_action_brings_is_asked_only_of_those_that_change_the_chart() {
    let mut policy = Policy::new(Settings::default());
    stroll(3, &options("{}"), 1, 200, |game, seat| {
        for action in legal(game, seat).into_iter().step_by(11) {
            let changes = matches!(action, Action::Place { .. } | Action::Cannon(_) | Action::Heading { .. });
            assert_eq!(policy.brings(game, action).is_some(), changes, "{action}");
        }
    });
}

#[test]
fn own_icons_and_ghost_ships_are_worth_more_than_other_cards() {
    let mind = wary(Pirate::Condent);
    let worth = |name: &str| mind.worth(name.parse::<Card>().unwrap());
    assert!(worth("cc") > worth("cr") && worth("cg") > worth("cr") && worth("cr") > worth("ra"));
    assert!(worth("cr") >= GOOD_CARD && worth("plunder") >= GOOD_CARD && worth("parlay") < GOOD_CARD);
    assert!(worth("rk") < worth("ro"));
}
