//! Random games, step by step beside the slow and obvious reference.

use quincunx_core::{Turn, any_step, perft};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus, seq::SliceRandom};

use super::{reference::Reference, *};

fn assert_same(game: &Figures, reference: &Reference) {
    let turn = match game.turn() {
        Turn::Seat(seat) => Some(seat.index()),
        Turn::Over => None,
        Turn::Chance => panic!("nothing is drawn in Figures"),
    };
    assert_eq!(turn, reference.turn(), "turn");
    assert_eq!(result(game), reference.outcome(), "outcome");
    for seat in 0..game.seats() {
        assert_eq!(texts(game, seat), reference.legal(seat.into()), "legal actions of seat {seat} in {game:#?}");
    }
    assert!(scores(game).iter().map(|&points| points as u32).eq(reference.points().iter().copied()), "points");
    let display: String = Square::all().map(|square| game.colour_of(square).letter()).collect();
    assert_eq!(display, reference.display());
}

/// A step that makes a figure if one is in reach: games of wholly random steps see few of them.
fn scoring_step(game: &Figures) -> Option<Action> {
    let mut actions = Vec::new();
    game.actions(game.mover, &mut actions);
    actions.into_iter().find(|&action| {
        let mut after = game.clone();
        after.play(Actor::Seat(game.mover), action);
        after.points != game.points
            || !matches!(game.phase, Phase::Return { .. })
                && !matches!(after.phase, Phase::Return { .. } | Phase::Over(_))
                && scoring_step(&after).is_some()
    })
}

/// Checks every action there is, legal or not: `check` agrees with the list, and a refusal changes nothing.
fn assert_check_agrees(game: &Figures) {
    let stones = Colour::ALL.into_iter().flat_map(|colour| [Action::Take(colour), Action::Return(colour)]);
    let pairs = Square::all().flat_map(|low| Square::all().map(move |high| Action::Exchange(low, high)));
    let all: Vec<Action> = stones.chain(pairs).collect();
    for seat in Seat::all(Seat::MAX) {
        let listed = texts(game, seat.number());
        for &action in &all {
            let mut after = game.clone();
            let legal = after.try_play(Actor::Seat(seat), action).is_ok();
            assert_eq!(
                legal,
                listed.binary_search(&action.to_string()).is_ok(),
                "{action} by seat {seat} in {game:#?}"
            );
            assert!(legal || after == *game, "a refused {action} changed the position");
        }
    }
    assert!(all.iter().all(|&action| game.check(Actor::Chance, action).is_err()));
}

fn play_beside_reference(seats: u8, options: &Value, scoring: f64, rng: &mut Xoshiro256PlusPlus) -> Figures {
    let mut game = start(seats, options);
    let mut reference = Reference::new(seats, &options_from_json(options).unwrap());
    loop {
        assert_same(&game, &reference);
        assert_conserved(&game);
        assert_eq!(game.key(), game.key_from_scratch());
        if rng.random_bool(0.01) {
            assert_check_agrees(&game);
        }
        let scored = if rng.random_bool(scoring) { scoring_step(&game) } else { None };
        let step = scored.map(|action| (Actor::Seat(game.mover), action)).or_else(|| any_step(&game, rng));
        let Some((actor, action)) = step else { break };
        game.play(actor, action);
        reference.apply(&action.to_string());
    }
    assert!(game.outcome().is_some());
    assert_check_agrees(&game);
    game
}

/// A layout that is about to have many figures: `stripes` or blocks of colour, with some markers exchanged.
fn near_figures(rng: &mut Xoshiro256PlusPlus) -> String {
    let blocks = layout(
        "
        n n n n n
        b b b b b
        g g g g g
        y y y y y
        r r r r r",
    );
    let mut letters: Vec<char> = blocks.chars().collect();
    for _ in 0..rng.random_range(1..12) {
        letters.swap(rng.random_range(0..AREA), rng.random_range(0..AREA));
    }
    letters.into_iter().collect()
}

fn random_layout(rng: &mut Xoshiro256PlusPlus) -> String {
    let mut letters: Vec<char> = "rygbn".repeat(5).chars().collect();
    letters.shuffle(rng);
    letters.into_iter().collect()
}

#[test]
fn whole_games_go_as_in_the_reference() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(201);
    let mut reasons = std::collections::BTreeMap::<_, u32>::new();
    for round in 0..60 {
        let seats = if round % 2 == 0 { 2 } else { 4 };
        let (target, turn_limit) = ([61, 1, 5, 15][round % 4], [60, 40, 25, 1][round % 7 % 4]);
        let mut options = json!({
            "zigzag": if round % 3 == 0 { "staircase" } else { "alternating" },
            "diagonal_lines": round % 5 < 2,
            "target": target,
            "turn_limit": turn_limit,
        });
        match round % 4 {
            0 => {}
            1 => options["layout"] = json!(random_layout(&mut rng)),
            _ => options["layout"] = json!(near_figures(&mut rng)),
        }
        let end = play_beside_reference(seats, &options, [0.0, 0.8, 1.0][round % 3], &mut rng);
        *reasons.entry(end.outcome().unwrap().reason).or_default() += 1;
    }
    for reason in ["points", "double-victory", "turn-limit"] {
        assert!(reasons.contains_key(reason), "no game ended by {reason}: {reasons:?}");
    }
}

fn reference_perft(reference: &Reference, depth: u32) -> u64 {
    let Some(seat) = reference.turn() else { return 0 };
    let legal = reference.legal(seat);
    if depth == 1 {
        return legal.len() as u64;
    }
    let below = |text: &String| {
        let mut next = reference.clone();
        next.apply(text);
        reference_perft(&next, depth - 1)
    };
    legal.iter().map(below).sum()
}

#[test]
fn as_many_sequences_as_in_the_reference() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(202);
    for (seats, options, depth) in [
        (2, json!({}), 4),
        (4, json!({"zigzag": "staircase", "layout": near_figures(&mut rng)}), 4),
        (2, json!({"turn_limit": 1, "layout": near_figures(&mut rng)}), 5),
    ] {
        let reference = Reference::new(seats, &options_from_json(&options).unwrap());
        assert_eq!(perft(&start(seats, &options), depth), reference_perft(&reference, depth), "{options}");
    }
}

#[test]
fn the_reference_confirms_the_perft_numbers() {
    /// Deeper lines take the reference too long.
    const MOST: u64 = 3000;
    let mut confirmed = 0;
    for line in include_str!("../../../perft/figures.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.split('|').map(str::trim).collect();
        let [seats, options, depth, sequences] = fields[..] else { panic!("{line}") };
        let sequences: u64 = sequences.parse().unwrap();
        if sequences <= MOST {
            let options = options_from_json(&serde_json::from_str(options).unwrap()).unwrap();
            let reference = Reference::new(seats.parse().unwrap(), &options);
            assert_eq!(reference_perft(&reference, depth.parse().unwrap()), sequences, "{line}");
            confirmed += 1;
        }
    }
    assert!(confirmed >= 8);
}
