//! Random games, step by step beside the slow and obvious reference.

use quincunx_core::{Actor, Game, Seat, Turn, any_step, perft};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

use super::{
    super::patterns::{self, PLACEMENTS},
    reference::Reference,
    *,
};

fn option_sets() -> Vec<(u8, Value)> {
    let mut sets = Vec::new();
    for options in [
        json!({}),
        json!({"claims": "manual"}),
        json!({"joker_win": false}),
        json!({"pieces": 5, "markers": 5}),
        json!({"target": 1}),
        json!({"target": 64, "pieces": 30, "markers": 64}),
        json!({"target": 64, "pieces": 30, "markers": 64, "claims": "manual", "joker_win": false}),
        json!({"target": 64, "pieces": 30, "markers": 7, "claims": "manual"}),
        json!({"target": 64, "pieces": 12, "markers": 7}),
    ] {
        for seats in 2..=4 {
            sets.push((seats, options.clone()));
        }
        let mut teams = options.clone();
        teams["teams"] = json!(true);
        sets.push((4, teams));
    }
    sets
}

fn assert_same(game: &ModX, reference: &Reference) {
    let turn = match game.turn() {
        Turn::Seat(seat) => Some(seat.index()),
        Turn::Over => None,
        Turn::Chance => panic!("nothing is drawn in Mod X"),
    };
    assert_eq!(turn, reference.turn(), "turn");
    assert_eq!(result(game), reference.outcome(), "outcome");
    let seats = usize::from(game.seats());
    for seat in 0..seats {
        assert_eq!(texts(game, seat as u8), reference.legal(seat), "legal actions of seat {seat} in {game:#?}");
        assert_eq!(game.score(Seat::new(seat as u8)), reference.points(seat) as i32, "points of seat {seat}");
    }
    let (pieces, markers) = reference.supplies();
    assert!(game.supply[..seats].iter().map(|&count| usize::from(count)).eq(pieces), "X-pieces");
    assert!(game.markers[..seats].iter().map(|&count| usize::from(count)).eq(markers), "markers");
    assert!(game.heights.iter().map(|&height| usize::from(height)).eq(reference.heights()), "heights of the stacks");
}

/// A random step that likes to build patterns: games of wholly random steps see few of them.
fn building_step(game: &ModX, rng: &mut Xoshiro256PlusPlus) -> Option<(Actor, Action)> {
    if let Phase::JokersBack { by, .. } = game.phase {
        let wins = patterns::gaps(game.jokers) & game.joker_squares();
        return (!wins.is_empty()).then(|| (Actor::Seat(by), Action::Joker(wins.any(rng))));
    }
    if game.phase != Phase::Place {
        return None;
    }
    let own = game.pieces[game.mover.index()];
    let joker_or_own = own | game.jokers;
    let open =
        |&&placement: &&Squares| !(placement - joker_or_own).is_empty() && placement.within(joker_or_own | game.free());
    let worth = |placement: &Squares| (*placement & own).count() * 2 + (*placement & game.jokers).count();
    let best = PLACEMENTS.iter().filter(open).map(worth).max()?;
    let best: Vec<_> = PLACEMENTS.iter().filter(open).filter(|placement| worth(placement) == best).collect();
    let placement = *best[rng.random_range(0..best.len())] - joker_or_own;
    Some((Actor::Seat(game.mover), Action::Place(placement.any(rng))))
}

/// Checks every action there is, legal or not: `check` agrees with the list, and a refusal changes nothing.
fn assert_check_agrees(game: &ModX) {
    for seat in Seat::all(Seat::MAX) {
        let listed = texts(game, seat.number());
        let all =
            Square::all().flat_map(|square| [Action::Place(square), Action::Joker(square), Action::Touch(square)]);
        for action in all.chain([Action::Done]) {
            let mut after = game.clone();
            let legal = after.try_play(Actor::Seat(seat), action).is_ok();
            assert_eq!(
                legal,
                listed.binary_search(&action.to_string()).is_ok(),
                "{action} by seat {seat} in {game:#?}"
            );
            assert!(legal || after == *game, "a refused {action} changed the position");
            assert!(game.check(Actor::Chance, action).is_err());
        }
    }
}

fn play_beside_reference(mut game: ModX, building: f64, rng: &mut Xoshiro256PlusPlus) -> ModX {
    let mut reference = Reference::of(&game);
    loop {
        assert_same(&game, &reference);
        assert_conserved(&game);
        assert_eq!(game.key(), game.key_from_scratch());
        if rng.random_bool(0.05) {
            assert_check_agrees(&game);
        }
        let built = if rng.random_bool(building) { building_step(&game, rng) } else { None };
        let Some((actor, action)) = built.or_else(|| any_step(&game, rng)) else { break };
        let Actor::Seat(seat) = actor else { panic!("nothing is drawn in Mod X") };
        game.play(actor, action);
        reference.apply(seat.index(), &action.to_string());
    }
    assert!(game.outcome().is_some());
    assert_check_agrees(&game);
    game
}

#[test]
fn whole_games_go_as_in_the_reference() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(101);
    let mut reasons = std::collections::BTreeMap::<_, u32>::new();
    for (seats, options) in option_sets() {
        for building in [0.0, 0.7, 0.9] {
            let end = play_beside_reference(start(seats, &options), building, &mut rng);
            *reasons.entry(end.outcome().unwrap().reason).or_default() += 1;
        }
    }
    for reason in ["points", "out-of-pieces", "out-of-markers", "board-full"] {
        assert!(reasons.contains_key(reason), "no game ended by {reason}: {reasons:?}");
    }
}

/// A board strewn with pieces of all colours, jokers and markers: crowded as few games are, and with complete patterns
/// standing about, so that jokers find little room.
fn strewn(seats: u8, options: &Value, rng: &mut Xoshiro256PlusPlus) -> ModX {
    let mut game = start(seats, options);
    game.mover = Seat::new(rng.random_range(0..seats));
    game.phase = Phase::Place;
    // Four jokers close together: they nearly are an all-joker pattern.
    let nearly = PLACEMENTS[rng.random_range(0..PLACEMENTS.len())];
    for square in nearly.iter().skip(1) {
        draw(&mut game, square, '*');
    }
    while game.jokers.count() < JOKERS {
        let square = game.free().any(rng);
        if !patterns::gaps(game.jokers).contains(square) {
            draw(&mut game, square, '*');
        }
    }
    let colours = rng.random_range(1..=seats);
    for square in Square::all() {
        let seat = usize::from(rng.random_range(0..colours));
        if (game.free() - nearly).contains(square) && rng.random_bool(0.5) && game.supply[seat] > 1 {
            draw(&mut game, square, ['R', 'B', 'O', 'Y'][seat]);
        }
        let seat = usize::from(rng.random_range(0..seats));
        if rng.random_bool(0.2) && game.markers[seat] > 1 {
            draw(&mut game, square, ['r', 'b', 'o', 'y'][seat]);
        }
    }
    game
}

#[test]
fn crowded_boards_go_on_as_in_the_reference() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(102);
    let mut all_jokers = 0;
    for round in 0..60 {
        let options = json!({
            "claims": if round % 4 == 0 { "auto" } else { "manual" }, "pieces": 30, "markers": 64, "target": 64,
            "joker_win": round % 3 > 0,
        });
        let mut game = strewn(2 + round % 3, &options, &mut rng);
        if round % 4 == 0 {
            // Without manual claims no complete pattern stands on the board.
            for seat in 0..4 {
                let standing = patterns::complete(game.pieces[seat] | game.jokers) & game.pieces[seat];
                game.pieces[seat] -= standing;
                game.supply[seat] += standing.count();
            }
        }
        let end = play_beside_reference(game, 0.7, &mut rng);
        all_jokers += u32::from(end.outcome().unwrap().reason == "all-jokers");
    }
    assert!(all_jokers > 0, "an all-joker pattern was among the games");
}

fn reference_perft(reference: &Reference, seats: usize, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for seat in 0..seats {
        let legal = reference.legal(seat);
        if depth == 1 {
            count += legal.len() as u64;
            continue;
        }
        for text in legal {
            let mut next = reference.clone();
            next.apply(seat, &text);
            count += reference_perft(&next, seats, depth - 1);
        }
    }
    count
}

#[test]
fn as_many_sequences_as_in_the_reference() {
    // From the start only jokers are set up; here is a board where patterns are close and claims are open.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(103);
    let options = json!({"claims": "manual", "pieces": 30, "markers": 6, "target": 9});
    let game = strewn(3, &options, &mut rng);
    assert_eq!(perft(&game, 2), reference_perft(&Reference::of(&game), 3, 2));
}

#[test]
fn the_reference_confirms_the_perft_numbers() {
    /// Deeper lines take the reference too long.
    const MOST: u64 = 200_000;
    let mut confirmed = 0;
    for line in include_str!("../../../perft/mod-x.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.split('|').map(str::trim).collect();
        let [seats, options, depth, sequences] = fields[..] else { panic!("{line}") };
        let (seats, sequences): (u8, u64) = (seats.parse().unwrap(), sequences.parse().unwrap());
        if sequences <= MOST {
            let reference = Reference::of(&start(seats, &serde_json::from_str(options).unwrap()));
            assert_eq!(reference_perft(&reference, seats.into(), depth.parse().unwrap()), sequences, "{line}");
            confirmed += 1;
        }
    }
    assert!(confirmed >= 8);
}
