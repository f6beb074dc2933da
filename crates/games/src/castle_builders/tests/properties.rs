//! What always holds: the fast code against the slow reference over random games, conservation, what is hidden.

use std::collections::{BTreeMap, BTreeSet};

use quincunx_core::{Actor, Game, Scratch, Seat, Turn, Viewer, perft, strip};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

use super::{
    super::{Action, Building, CastleBuilders, Kind, Options, Remover, Tower, View, counters::Counts},
    counters, options, played,
    reference::{self, Reference},
    written,
};

fn option_sets() -> Vec<Value> {
    vec![
        json!({}),
        json!({"heights": [1], "roofs": [9], "rows": [9]}),
        json!({"heights": [8, 8, 8, 8, 8, 8, 8, 8], "roofs": [0, 1, 2, 3, 4, 5, 98, 99], "rows": [99, 0, 7, 6, 5, 4, 3, 2],
            "counters": counters([30, 30, 30, 30, 30, 30])}),
        json!({"heights": [8, 1, 5], "roofs": [1, 2, 3], "rows": [8, 7, 6, 5, 4, 3, 2, 1]}),
        json!({"counters": counters([1, 0, 0, 0, 0, 0])}),
        json!({"counters": counters([0, 1, 0, 0, 0, 0])}),
        json!({"counters": counters([0, 1, 1, 0, 0, 0])}),
        json!({"counters": counters([1, 0, 0, 5, 5, 5])}),
        json!({"counters": counters([1, 1, 1, 1, 1, 1])}),
        json!({"counters": counters([2, 4, 3, 2, 6, 0])}),
        json!({"counters": counters([0, 0, 6, 0, 3, 0])}),
        json!({"heights": [1, 1, 1], "roofs": [0, 0, 0], "rows": [0], "counters": counters([0, 2, 2, 2, 2, 2])}),
    ]
}

fn listed(game: &CastleBuilders, seat: u8) -> Vec<String> {
    let mut actions = Vec::new();
    game.actions(Seat::new(seat), &mut actions);
    let mut texts: Vec<String> = actions.iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

fn chances(game: &CastleBuilders) -> Vec<(String, u32)> {
    let mut chances = Vec::new();
    game.chances(&mut chances);
    let mut texts: Vec<_> = chances.into_iter().map(|(action, weight)| (action.to_string(), weight)).collect();
    texts.sort();
    texts
}

/// Every action that can be written, for towers 1 to 9, 99 and 256.
fn all_actions() -> Vec<Action> {
    let towers: Vec<Tower> = (0..9).chain([98, 255]).map(Tower::new).collect();
    let mut actions = vec![Action::Stop];
    actions.extend(Kind::ALL.map(Action::Draw));
    actions.extend(Remover::ALL.map(|counter| Action::Remove { counter, tower: None }));
    for &tower in &towers {
        actions.extend(Building::ALL.map(|counter| Action::Build { counter, tower }));
        actions.extend(Remover::ALL.map(|counter| Action::Remove { counter, tower: Some(tower) }));
    }
    actions
}

fn letters(counts: Counts) -> Vec<char> {
    counts.kinds().flat_map(|kind| std::iter::repeat_n(kind.letter(), counts.get(kind) as usize)).collect()
}

/// The letters in the order of the rules page.
fn sorted(letters: &[char]) -> Vec<char> {
    let of = |kind: Kind| letters.iter().copied().filter(move |&letter| letter == kind.letter());
    Kind::ALL.into_iter().flat_map(of).collect()
}

fn assert_same(game: &CastleBuilders, slow: &Reference) {
    let turn = match slow.turn {
        reference::Turn::Draw { .. } => Turn::Chance,
        reference::Turn::Play(seat) => Turn::Seat(Seat::new(seat as u8)),
        reference::Turn::Over(_) => Turn::Over,
    };
    assert_eq!(game.turn(), turn);
    for seat in 0..2 {
        let on_turn = turn == Turn::Seat(Seat::new(seat));
        assert_eq!(listed(game, seat), if on_turn { slow.actions() } else { Vec::new() });
    }
    assert_eq!(chances(game), slow.chances());
    assert_eq!([game.score(Seat::new(0)), game.score(Seat::new(1))], slow.scores());
    let outcome = game.outcome().map(|outcome| (outcome.winners.iter().next().map(Seat::index), outcome.reason));
    assert_eq!(outcome, slow.outcome());
    for seat in 0..2 {
        assert_eq!(letters(game.hands[seat]), sorted(&slow.hands[seat]));
        assert_eq!(letters(game.piles[seat]), sorted(&slow.piles[seat]));
        assert_eq!(letters(game.discards[seat]), sorted(&slow.discards[seat]));
    }
    let view = game.view(Viewer::Everything);
    for (seen, tower) in view.towers.iter().zip(&slow.towers) {
        let seen: Vec<(usize, String)> =
            seen.spaces.iter().flatten().map(|counter| (counter.seat as usize, written(counter))).collect();
        assert_eq!(seen, *tower);
    }
    let awards = view.towers.iter().map(|tower| &tower.award).chain(view.rows.iter().map(|row| &row.award));
    let mut sums = [0, 0];
    for award in awards {
        match award.seat {
            Some(seat) => sums[seat as usize] += award.points,
            None => assert_eq!(award.points, 0),
        }
    }
    assert_eq!(sums, slow.scores());
    assert_eq!(game.key(), game.key_from_scratch());
}

/// Calls `visit` with every position of some random games under every option set.
fn walk(seed: u64, games: usize, mut visit: impl FnMut(&Options, &CastleBuilders)) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for options_json in option_sets() {
        let options = options(&options_json);
        for _ in 0..games {
            let mut game = CastleBuilders::new(2, &options).unwrap();
            visit(&options, &game);
            while let Some(actor) = game.turn().actor() {
                let action = game.random(actor, &mut rng, &mut Scratch::default());
                game.play(actor, action);
                visit(&options, &game);
            }
        }
    }
}

#[test]
fn random_games_go_as_in_the_slow_reference() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut scratch = Scratch::default();
    let all = all_actions();
    for options_json in option_sets() {
        let options = options(&options_json);
        for _ in 0..20 {
            let mut game = CastleBuilders::new(2, &options).unwrap();
            let mut slow = Reference::new(&options);
            assert_same(&game, &slow);
            while let Some(actor) = game.turn().actor() {
                let draws = slow.chances().into_iter().map(|(draw, _)| draw);
                let legal: BTreeSet<String> = slow.actions().into_iter().chain(draws).collect();
                for &action in &all {
                    assert_eq!(game.check(actor, action).is_ok(), legal.contains(&action.to_string()), "{action}");
                    for other in [Actor::Chance, Actor::Seat(Seat::new(0)), Actor::Seat(Seat::new(1))] {
                        assert!(other == actor || game.check(other, action).is_err());
                    }
                }
                let mut refused = game.clone();
                let any = all[rng.random_range(0..all.len())];
                assert_eq!(refused.try_play(actor, any).is_err(), refused == game);

                let action = game.random(actor, &mut rng, &mut scratch);
                assert!(legal.contains(&action.to_string()), "{action}");
                game.play(actor, action);
                slow.play(&action.to_string());
                assert_same(&game, &slow);
            }
            assert!(all.iter().all(|&action| game.check(Actor::Seat(Seat::new(0)), action).is_err()));
        }
    }
}

#[test]
fn every_counter_is_in_a_hand_a_pile_the_castle_or_the_discard() {
    walk(2, 10, |options, game| {
        let view = game.view(Viewer::Everything);
        for seat in [0, 1] {
            let placed = |kind: Kind| {
                let counters = view.towers.iter().flat_map(|tower| tower.spaces.iter().flatten());
                counters.filter(|counter| counter.seat == seat as u8 && counter.kind == kind.letter()).count() as u32
            };
            for kind in Kind::ALL {
                let lying =
                    [game.hands, game.piles, game.discards].iter().map(|heap| heap[seat].get(kind)).sum::<u32>();
                assert_eq!(lying + placed(kind), options.counters.get(kind));
            }
            assert!(game.hands[seat].total() <= 2);
        }
    });
}

/// 16 building counters less 4 that remove leave 12 a side.
#[test]
fn with_the_counters_of_the_box_the_spaces_always_fill_up_before_the_counters_run_out() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let start = CastleBuilders::new(2, &Options::default()).unwrap();
    for _ in 0..20_000 {
        let mut game = start.clone();
        quincunx_core::playout(&mut game, &mut rng, &mut Scratch::default());
        assert_eq!(game.outcome().unwrap().reason, "castle-complete");
    }
    let counters = Options::default().counters;
    let count = |building: bool| -> u32 {
        let removing = [Kind::Remove, Kind::RemoveAndContinue];
        let counted = |kind: &Kind| if building { kind.is_building() } else { removing.contains(kind) };
        Kind::ALL.into_iter().filter(counted).map(|kind| counters.get(kind)).sum()
    };
    assert_eq!((count(true), count(false)), (16, 4));
    assert!(2 * (count(true) - count(false)) >= 21);
}

#[test]
fn both_ends_come_about_under_other_options() {
    let mut reasons = BTreeSet::new();
    walk(4, 10, |_, game| reasons.extend(game.outcome().map(|outcome| outcome.reason)));
    assert_eq!(reasons, BTreeSet::from(["castle-complete", "out-of-counters"]));
}

#[test]
fn sums_and_choices_over_packed_numbers_are_those_of_lists() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for round in 0..2000 {
        let most = [1, 2, 30][round % 3];
        let numbers: [u32; 6] = std::array::from_fn(|_| rng.random_range(0..=most));
        let counts = Counts::from_fn(|kind| numbers[kind as usize]);
        let laid_out: Vec<(Kind, u32)> = Kind::ALL
            .into_iter()
            .flat_map(|kind| (0..numbers[kind as usize]).map(move |place| (kind, place)))
            .collect();
        assert_eq!(counts.total() as usize, laid_out.len());
        let picked: Vec<(Kind, u32)> = (0..counts.total()).map(|number| counts.pick(number)).collect();
        assert_eq!(picked, laid_out);

        let (open, removals) = (rng.random_range(0..=8), rng.random_range(1..=8));
        let ways = counts.ways(open, removals);
        for kind in Kind::ALL {
            let each = match kind {
                Kind::Ordinary | Kind::Continuation => open,
                Kind::Bonus => 2 * open,
                Kind::Remove | Kind::RemoveAndContinue => removals,
                Kind::Stop => 1,
            };
            assert_eq!(ways.get(kind), if counts.get(kind) > 0 { each } else { 0 });
        }
    }
}

/// Five standard deviations around the expected number.
fn assert_near(count: usize, expected: f64, what: &str) {
    assert!((count as f64 - expected).abs() < 5.0 * expected.sqrt(), "{what}: {count} instead of {expected}");
}

#[test]
fn a_random_action_is_any_legal_one_equally_often() {
    const EACH: usize = 1000;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    for (dealt, plays) in [("+B +R +O +K", ""), ("+B +R +O +K", "Bv2 +S O2 +O"), ("+R +S +O +O", "")] {
        let session = played(&json!({}), &format!("{dealt} {plays}"));
        let game = session.game();
        let Turn::Seat(seat) = game.turn() else { panic!("a seat is to move") };
        let mut counts: BTreeMap<String, usize> =
            listed(game, seat.number()).into_iter().map(|text| (text, 0)).collect();
        for _ in 0..EACH * counts.len() {
            let action = game.random(Actor::Seat(seat), &mut rng, &mut Scratch::default()).to_string();
            *counts.get_mut(&action).expect("a random action is a legal one") += 1;
        }
        for (text, count) in counts {
            assert_near(count, EACH as f64, &text);
        }
    }
}

#[test]
fn a_random_draw_is_by_weight() {
    const EACH: usize = 1000;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let session = played(&json!({}), "+K +R");
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..EACH * 22 {
        let draw = session.game().random(Actor::Chance, &mut rng, &mut Scratch::default());
        *counts.entry(draw.to_string()).or_default() += 1;
    }
    let weights = chances(session.game());
    assert_eq!(counts.len(), weights.len());
    for (text, weight) in weights {
        assert_near(counts[&text], (EACH * weight as usize) as f64, &text);
    }
}

fn json_view(game: &CastleBuilders, viewer: Viewer) -> String {
    serde_json::to_string(&game.view(viewer)).unwrap()
}

const VIEWERS: [Viewer; 4] =
    [Viewer::Seat(Seat::new(0)), Viewer::Seat(Seat::new(1)), Viewer::Spectator, Viewer::Everything];

#[test]
fn a_sample_looks_the_same_to_its_viewer() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    walk(9, 3, |_, game| {
        for viewer in VIEWERS {
            let sample = game.sample(viewer, &mut rng);
            assert_eq!(json_view(&sample, viewer), json_view(game, viewer));
            assert_eq!(sample.turn(), game.turn());
            for seat in [Seat::new(0), Seat::new(1)] {
                let unseen = |game: &CastleBuilders| game.hands[seat.index()].plus(game.piles[seat.index()]);
                assert_eq!(unseen(&sample), unseen(game));
                assert_eq!(sample.score(seat), game.score(seat));
                if viewer.sees_hand_of(seat) {
                    assert_eq!(sample.hands[seat.index()], game.hands[seat.index()]);
                }
            }
            assert!(viewer != Viewer::Everything || sample == *game);
        }
    });
}

#[test]
fn a_sample_deals_every_hidden_hand_as_often_as_chance_would() {
    const SAMPLES: usize = 46_200;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(10);
    let session = played(&json!({}), "+O +C +K +S");
    let game = session.game();
    for viewer in [Viewer::Seat(Seat::new(0)), Viewer::Spectator] {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut true_ones = 0;
        for _ in 0..SAMPLES {
            let sample = game.sample(viewer, &mut rng);
            *counts.entry(letters(sample.hands[1]).into_iter().collect()).or_default() += 1;
            true_ones += usize::from(sample == *game);
        }
        let of = |letter: char| f64::from(Options::default().counters.get(Kind::from_letter(letter).unwrap()));
        let mut hands = 0;
        for (hand, count) in counts {
            let (first, second) = (hand.chars().next().unwrap(), hand.chars().nth(1).unwrap());
            let pairs = if first == second { of(first) * (of(first) - 1.0) / 2.0 } else { of(first) * of(second) };
            assert_near(count, SAMPLES as f64 * pairs / 231.0, &hand);
            hands += 1;
        }
        assert_eq!(hands, 20, "21 pairs of kinds, but there are not two K");
        assert!(true_ones > 0, "the true position is one of them");
    }
}

#[test]
fn keys_do_not_depend_on_the_order_of_draws_and_tell_apart_what_matters() {
    let key = |actions: &str| played(&json!({}), actions).game().key();
    assert_eq!(key("+O +C +O +O"), key("+C +O +O +O"));
    assert_eq!(key("+O +O +O +O O1 +O O2 +O O3 +O"), key("+O +O +O +O O3 +O O2 +O O1 +O"));
    let positions = [
        "",
        "+O",
        "+C",
        "+O +O",
        "+O +O +O",
        "+O +O +O +O",
        "+O +C +O +O",
        "+O +O +O +C",
        "+O +C +O +O O1",
        "+O +C +O +O O2",
        "+O +C +O +O C1",
        "+B +B +O +O Bv1",
        "+B +B +O +O Bh1",
        "+R +B +O +O R",
        "+R +B +O +O R +B",
        "+R +B +O +O R +O",
        "+K +B +O +O K",
        "+K +B +O +O K +O",
        "+S +B +O +O S +O",
    ];
    let keys: BTreeSet<u64> = positions.iter().map(|actions| key(actions)).collect();
    assert_eq!(keys.len(), positions.len());
}

#[test]
fn equal_keys_come_only_from_positions_that_go_on_alike() {
    let mut seen: BTreeMap<u64, String> = BTreeMap::new();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let start = CastleBuilders::new(2, &Options::default()).unwrap();
    for _ in 0..300 {
        let mut game = start.clone();
        while let Some(actor) = game.turn().actor() {
            let action = game.random(actor, &mut rng, &mut Scratch::default());
            game.play(actor, action);
            let alike = format!("{:?} {:?} {:?} {:?}", game.castle.words(), game.hands, game.piles, game.phase);
            assert_eq!(*seen.entry(game.key()).or_insert_with(|| alike.clone()), alike);
        }
    }
}

#[test]
fn whatever_is_read_is_written_the_same_and_no_text_is_too_odd_to_be_refused() {
    crate::testing::assert_read_as_written::<Action>("OCBRKSvh+-?01239 éＯ", 4);
}

#[test]
fn perft_is_that_of_the_slow_reference() {
    let small = json!({"heights": [2, 1], "roofs": [4, 5], "rows": [7, 6], "counters": {"O": 1, "C": 1, "B": 1, "R": 0, "K": 1, "S": 0}});
    for (options_json, depth) in
        [(json!({}), 5), (small.clone(), 7), (small, 9), (json!({"heights": [1], "roofs": [1], "rows": [1]}), 8)]
    {
        let options = options(&options_json);
        let fast = perft(&CastleBuilders::new(2, &options).unwrap(), depth);
        assert_eq!(fast, Reference::new(&options).perft(depth), "{options_json}");
    }
}

#[test]
fn a_coloured_picture_differs_from_the_plain_one_only_by_its_colours() {
    walk(12, 1, |_, game| {
        for viewer in VIEWERS {
            let view = game.view(viewer);
            assert_ne!(format!("{view:#}"), format!("{view}"));
            assert_eq!(strip(&format!("{view:#}")), format!("{view}"));
        }
    });
}

#[test]
fn a_view_is_read_back_from_its_json_as_it_was() {
    let viewers = [Viewer::Seat(Seat::new(0)), Viewer::Seat(Seat::new(1)), Viewer::Spectator, Viewer::Everything];
    walk(23, 2, |_, game| {
        for view in viewers.map(|viewer| game.view(viewer)) {
            let json = serde_json::to_string(&view).unwrap();
            assert_eq!(serde_json::from_str::<View>(&json).unwrap(), view);
        }
    });
}
