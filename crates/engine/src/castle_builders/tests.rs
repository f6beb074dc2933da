//! The castle against the game's own, chances against plain counting, and the search against a plain one.

use std::{sync::atomic::AtomicBool, time::Duration};

use quincunx_core::{Actor, Game, Scratch, Seat, Session, Turn, options_from_json};
use quincunx_games::castle_builders::{Action, Building, CastleBuilders, Kind, Tower};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

use super::{
    beliefs::Pairs,
    evaluate::{Evaluator, RowChances, Weights},
    known_state,
    search::{Ground, Holding, Next, Search, State, Wanted, deepen},
    site::{Heap, Layout, Site},
};
use crate::{Budget, Clock, Control, Knowledge};

static GO: AtomicBool = AtomicBool::new(false);

/// What somebody wants who is about to play.
const BEST: Wanted = Wanted { lines: 1, asked: None };

struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

fn option_sets() -> [Value; 4] {
    let many = counters([3, 2, 4, 2, 2, 1]);
    [
        json!({}),
        json!({"heights": [8, 1, 3], "roofs": [9, 99, 0], "rows": [1, 2, 3, 4, 5, 6, 7, 8], "counters": many}),
        json!({"heights": vec![2; 8], "roofs": vec![1; 8], "rows": [3, 9]}),
        json!({"counters": counters([1, 0, 1, 1, 0, 0])}),
    ]
}

/// The option `counters`, given in the order of the letters.
fn counters(numbers: [u8; 6]) -> Value {
    Kind::ALL.iter().zip(numbers).map(|(kind, number)| (kind.letter().to_string(), json!(number))).collect()
}

/// Small castles whose end can be searched by plain means, with counters beyond the starting hands.
fn small_castles() -> [Value; 4] {
    let castle = |heights: &[u8], rows: &[u8], numbers: [u8; 6]| {
        let roofs = vec![4; heights.len()];
        json!({"heights": heights, "roofs": roofs, "rows": rows, "counters": counters(numbers)})
    };
    [
        castle(&[1, 2], &[3, 2], [2, 1, 1, 0, 0, 0]),
        castle(&[2, 1], &[5, 1], [1, 1, 0, 1, 0, 1]),
        castle(&[2], &[2, 5], [1, 0, 1, 1, 1, 0]),
        castle(&[1, 1, 1], &[7], [2, 1, 1, 0, 0, 1]),
    ]
}

/// Random games until a seat is to play, with the position each time.
fn positions(options: &Value, seed: u64, mut see: impl FnMut(&CastleBuilders, Seat)) {
    let mut game = CastleBuilders::new(2, &options_from_json(options).unwrap()).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut scratch = Scratch::default();
    while let Some(actor) = game.turn().actor() {
        if let Actor::Seat(seat) = actor {
            see(&game, seat);
        }
        let action = game.random(actor, &mut rng, &mut scratch);
        game.play(actor, action);
    }
}

#[test]
fn the_castle_is_the_one_of_the_game() {
    for (number, options) in option_sets().iter().enumerate() {
        for seed in 0..20 {
            positions(options, seed * 10 + number as u64, |game, seat| {
                let (site, layout) = (Site::of(game), Layout::of(game));
                assert_eq!(site.lead(&layout), game.score(Seat::new(0)) - game.score(Seat::new(1)));
                assert!(!site.is_complete(&layout));
                let mut listed = Vec::new();
                game.actions(seat, &mut listed);
                let mut actions = Vec::new();
                Heap(game.hand(seat)).kinds().for_each(|kind| site.actions(&layout, kind, &mut actions));
                assert_eq!(actions, listed);
                for action in actions {
                    let mut after = game.clone();
                    after.play(Actor::Seat(seat), action);
                    assert_eq!(site.after(seat.index(), action), Site::of(&after));
                }
            });
        }
    }
}

#[test]
fn the_chances_of_hands_are_those_of_drawing_one_counter_after_the_other() {
    let piles = [[10, 3, 3, 3, 1, 2], [1, 1, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0], [0, 1, 0, 5, 1, 0]].map(Heap);
    for pile in piles {
        for owed in 0..=2 {
            let mut counted: Vec<(Heap, f32)> = Vec::new();
            let held = Heap::default().with(Kind::Stop);
            Holding { held, pile, owed }.hands(&Pairs::of_unseen(pile), |hand, chance| {
                assert_eq!((hand.owed, hand.hand_size()), (0, 1 + u32::from(owed)));
                counted.push((hand.held, chance));
            });
            assert!((counted.iter().map(|&(_, chance)| chance).sum::<f32>() - 1.0).abs() < 1e-5);
            // All counters are different things: any two of them in any order.
            let things: Vec<Kind> =
                pile.kinds().flat_map(|kind| std::iter::repeat_n(kind, pile.0[kind as usize].into())).collect();
            let mut ways = Vec::new();
            for (i, &first) in things.iter().enumerate() {
                for (j, &second) in things.iter().enumerate() {
                    match owed {
                        0 => ways.push(held),
                        1 => ways.push(held.with(first)),
                        _ if i != j => ways.push(held.with(first).with(second)),
                        _ => {}
                    }
                }
            }
            for (hand, chance) in counted {
                let share = ways.iter().filter(|&&way| way == hand).count() as f32 / ways.len() as f32;
                assert!((share - chance).abs() < 1e-5, "{hand:?}: {share} {chance}");
            }
        }
    }
}

#[test]
fn the_chances_of_rows_are_those_of_all_ways_to_fill_them() {
    let chances = RowChances::default();
    for free in 0..=8_u32 {
        for lead in -8..=8_i32 {
            let wins = |fill: &u32| lead + 2 * fill.count_ones() as i32 > free as i32;
            let share = (0..1_u32 << free).filter(wins).count() as f32 / (1_u32 << free) as f32;
            assert!((chances.of(free, lead)[0] - share).abs() < 1e-6);
            assert!((chances.of(free, -lead)[1] - share).abs() < 1e-6);
        }
    }
}

#[test]
fn what_was_judged_before_makes_no_difference() {
    let (rows, weights) = (RowChances::default(), Weights::default());
    let high = json!({"heights": [8, 1, 3], "roofs": [9, 99, 0], "rows": [1, 2, 3, 4, 5, 6, 7, 8]});
    for (seed, options) in (0..).zip([json!({}), high, json!({})]) {
        let layout = Layout::of(&CastleBuilders::new(2, &options_from_json(&options).unwrap()).unwrap());
        let mut kept = Evaluator::new(&layout, &rows, &weights);
        positions(&options, seed, |game, seat| {
            let state = known_state(game, seat);
            let pairs = pairs_of(&state);
            let ground = Ground { layout: &layout, rows: &rows, weights: &weights, pairs: &pairs };
            let control = Control::new(Budget::nodes(0), 1, &Still, &GO);
            let search = Search::new(ground, &control);
            for action in search.actions(&state) {
                let Next::Play(next) = search.play(&state, action) else { continue };
                let fresh = Evaluator::new(&layout, &rows, &weights).evaluate(&next);
                assert_eq!(kept.evaluate(&next).to_bits(), fresh.to_bits(), "{action} in {state:?}");
            }
        });
    }
}

#[test]
fn both_seats_judge_a_castle_alike() {
    // With all counters changed for the other colour, the chances are changed too.
    let (rows, weights) = (RowChances::default(), Weights::default());
    for seed in 0..10 {
        positions(&json!({}), seed, |game, seat| {
            let (state, layout) = (known_state(game, seat), Layout::of(game));
            let [yellow, green] = state.holdings;
            let swapped = State { site: state.site.swapped(), holdings: [green, yellow], on_turn: 1 - state.on_turn };
            let [value, other] =
                [state, swapped].map(|state| Evaluator::new(&layout, &rows, &weights).evaluate(&state));
            assert!((value + other - 1.0).abs() < 1e-5, "{value} {other}");
            assert!((0.0..=1.0).contains(&value));
        });
    }
}

/// The hands of the other seat if nothing is known of what it has done.
fn pairs_of(state: &State) -> Pairs {
    Pairs::of_unseen(state.holdings[1 - state.on_turn].pile)
}

/// Plain expectimax to the end: every hand, every play, no bounds.
fn plain(search: &Search<'_>, state: &State) -> f32 {
    let seat = state.on_turn;
    let mut mean = 0.0;
    state.holdings[seat].hands(search.pairs(), |hand, chance| {
        let mut with = *state;
        with.holdings[seat] = hand;
        let values = search.actions(&with).into_iter().map(|action| match search.play(&with, action) {
            Next::Over(value) => value,
            Next::Play(next) => plain(search, &next),
        });
        mean += chance * if seat == 0 { values.fold(0.0, f32::max) } else { values.fold(1.0, f32::min) };
    });
    mean
}

#[test]
fn the_end_is_played_like_by_plain_expectimax() {
    let mut compared = 0;
    for options in small_castles() {
        for seed in 0..4 {
            positions(&options, seed, |game, seat| {
                let state = known_state(game, seat);
                let layout = Layout::of(game);
                let (rows, weights) = (RowChances::default(), Weights::default());
                let control = Control::new(Budget::nodes(5_000_000), 1, &Still, &GO);
                let ground = Ground { layout: &layout, rows: &rows, weights: &weights, pairs: &pairs_of(&state) };
                let search = Search::new(ground, &control);
                let (finding, _) = deepen(ground, &state, &search.actions(&state), BEST, &control, |_, _| ());
                let own = |value: f32| if seat.index() == 0 { value } else { 1.0 - value };
                let expected = own(plain(&search, &state));
                assert!(
                    (finding.actions[0].value - expected).abs() < 1e-4,
                    "{options} {} {expected}",
                    finding.actions[0].value
                );
                let played = match search.play(&state, finding.actions[0].action) {
                    Next::Over(value) => own(value),
                    Next::Play(next) => own(plain(&search, &next)),
                };
                assert!((played - expected).abs() < 1e-4, "the action is a best one");
                compared += 1;
            });
        }
    }
    assert!(compared > 40, "{compared}");
}

/// Plain minimax with the game itself, for tables on which all counters are in the hands from the start.
fn minimax(game: &CastleBuilders) -> f32 {
    let Turn::Seat(seat) = game.turn() else {
        let lead = game.score(Seat::new(0)) - game.score(Seat::new(1));
        return 0.5 + 0.5 * lead.signum() as f32;
    };
    let mut actions = Vec::new();
    game.actions(seat, &mut actions);
    let values = actions.into_iter().map(|action| {
        let mut next = game.clone();
        next.play(Actor::Seat(seat), action);
        minimax(&next)
    });
    if seat.index() == 0 { values.fold(0.0, f32::max) } else { values.fold(1.0, f32::min) }
}

#[test]
fn without_anything_hidden_or_drawn_the_values_are_those_of_minimax() {
    let rows = RowChances::default();
    for numbers in [[1, 1, 0, 0, 0, 0], [0, 1, 1, 0, 0, 0], [1, 0, 0, 0, 1, 0], [0, 0, 1, 1, 0, 0], [2, 0, 0, 0, 0, 0]]
    {
        let options = json!({"heights": [1, 2, 1], "roofs": [4, 5, 2], "rows": [7, 3], "counters": counters(numbers)});
        positions(&options, 1, |game, seat| {
            let state = known_state(game, seat);
            let layout = Layout::of(game);
            let weights = Weights::default();
            let control = Control::new(Budget::nodes(1_000_000), 1, &Still, &GO);
            let ground = Ground { layout: &layout, rows: &rows, weights: &weights, pairs: &pairs_of(&state) };
            let actions = Search::new(ground, &control).actions(&state);
            let (finding, _) = deepen(ground, &state, &actions, BEST, &control, |_, _| ());
            let expected = if seat.index() == 0 { minimax(game) } else { 1.0 - minimax(game) };
            assert!(
                (finding.actions[0].value - expected).abs() < 1e-6,
                "{numbers:?}: {} {expected}",
                finding.actions[0].value
            );
        });
    }
}

/// What the actions of a position are worth to the seat on turn, by plain expectimax.
fn plain_values(search: &Search<'_>, state: &State) -> Vec<(Action, f32)> {
    let own = |value: f32| if state.on_turn == 0 { value } else { 1.0 - value };
    let value = |action| match search.play(state, action) {
        Next::Over(value) => own(value),
        Next::Play(next) => own(plain(search, &next)),
    };
    search.actions(state).into_iter().map(|action| (action, value(action))).collect()
}

#[test]
fn each_line_and_what_is_asked_about_have_the_value_of_plain_expectimax() {
    let (rows, weights) = (RowChances::default(), Weights::default());
    for options in small_castles() {
        positions(&options, 1, |game, seat| {
            let (state, layout) = (known_state(game, seat), Layout::of(game));
            let control = Control::new(Budget::nodes(5_000_000), 1, &Still, &GO);
            let ground = Ground { layout: &layout, rows: &rows, weights: &weights, pairs: &pairs_of(&state) };
            let search = Search::new(ground, &control);
            let actions = search.actions(&state);
            let values = plain_values(&search, &state);
            let value_of = |action| values.iter().find(|(other, _)| *other == action).unwrap().1;
            let mut sorted: Vec<f32> = values.iter().map(|(_, value)| *value).collect();
            sorted.sort_by(|one, other| other.total_cmp(one));
            for (lines, asked) in [(1, 0), (2, actions.len() - 1), (3, 0), (usize::MAX, 0)] {
                let wanted = Wanted { lines, asked: Some(actions[asked]) };
                let (finding, _) = deepen(ground, &state, &actions, wanted, &control, |_, _| ());
                for (judged, value) in finding.actions.iter().zip(&sorted).take(lines) {
                    assert!((judged.value - value).abs() < 1e-4, "{options} {judged:?} {value}");
                    assert!((judged.value - value_of(judged.action)).abs() < 1e-4, "{options} {judged:?}");
                }
                let judged = finding.actions.iter().find(|judged| judged.action == actions[asked]).unwrap();
                assert!((judged.value - value_of(judged.action)).abs() < 1e-4, "{options} {judged:?}");
                assert_eq!(judged.depth, finding.depth);
            }
        });
    }
}

/// What the first seat may think of the second one's hand after this game.
fn suspects(actions: &str) -> (Pairs, Heap) {
    let mut session = Session::<CastleBuilders>::new(2, options_from_json(&json!({})).unwrap()).unwrap();
    for action in actions.split("; ") {
        session.apply(None, action).unwrap();
    }
    let known = Knowledge::of(&session, Seat::new(0));
    let holding = known_state(session.game(), Seat::new(0)).holdings[1];
    (Pairs::of(&known, Seat::new(1), &holding), holding.pile)
}

/// How likely this kind is in the hand.
fn holds(pairs: &Pairs, kind: Kind) -> f32 {
    Kind::ALL.into_iter().map(|other| pairs.chance(kind, other)).sum()
}

/// The deal, and then some turns in which yellow plays only ordinary counters and draws more of them.
fn after_turns(green: &[&str]) -> String {
    let deal = "+O; +O; +O; +C".to_owned();
    let turns = green.iter().enumerate().map(|(number, turn)| format!("O{}; +O; {turn}", number % 3 + 1));
    std::iter::once(deal).chain(turns).collect::<Vec<_>>().join("; ")
}

#[test]
fn what_the_other_seat_may_hold_is_a_distribution_over_possible_hands() {
    for turns in [&[][..], &["O4; +S"], &["O4; +S", "C4; +R; S; +O"], &["C4; +K; O4; +R"]] {
        let (pairs, unseen) = suspects(&after_turns(turns));
        let mut total = 0.0;
        for (number, first) in Kind::ALL.into_iter().enumerate() {
            for second in Kind::ALL.into_iter().skip(number) {
                let chance = pairs.chance(first, second);
                let possible = unseen.0[first as usize] > 0 && unseen.0[second as usize] > u8::from(first == second);
                assert_eq!(possible, chance > 0.0, "{first:?} {second:?} {chance}");
                total += chance;
            }
        }
        assert!((total - 1.0).abs() < 1e-5, "{total}");
    }
    // All counters of a kind are played: nobody holds one.
    let (pairs, _) = suspects(&after_turns(&["C4; +C; C5; +C; C5; +O; O5; +O"]));
    assert!(holds(&pairs, Kind::Continuation) <= 0.0);
}

#[test]
fn what_would_have_been_played_by_now_is_less_likely_held() {
    let (before, unseen) = suspects(&after_turns(&[]));
    assert_eq!(before, Pairs::of_unseen(unseen));
    let (after, unseen) = suspects(&after_turns(&["O4; +O", "O4; +S", "S; +O"]));
    let counted = Pairs::of_unseen(unseen);
    // Who plays ordinary counters, and even a stop, has hardly kept a continuation.
    for strong in [Kind::Continuation, Kind::RemoveAndContinue] {
        assert!(holds(&after, strong) < 0.8 * holds(&counted, strong));
    }
    assert!(holds(&after, Kind::Stop) > holds(&counted, Kind::Stop));
}

#[test]
fn a_full_tower_falls_only_while_there_are_removers_to_bring_it_down() {
    // Yellow has closed the only towers but one. What green can remove with makes the difference, and nothing else.
    let options = json!({"heights": [1, 1, 2], "roofs": [9, 9, 1], "rows": [1, 1]});
    let game = CastleBuilders::new(2, &options_from_json(&options).unwrap()).unwrap();
    let layout = Layout::of(&game);
    let build = |tower| Action::Build { counter: Building::Ordinary, tower: Tower::new(tower) };
    let site = [0, 1].into_iter().fold(Site::of(&game), |site, tower| site.after(0, build(tower)));
    let (rows, weights) = (RowChances::default(), Weights { hand: [0.0; 6], ..Weights::default() });
    let chance = |removers: u8, continuing: u8, yellow: u8| {
        let holding = |removers, continuing| {
            let pile = Heap([9, 0, 0, removers, continuing, 0]);
            Holding { held: Heap::default().with(Kind::Ordinary).with(Kind::Ordinary), pile, owed: 0 }
        };
        let state = State { site, holdings: [holding(yellow, 0), holding(removers, continuing)], on_turn: 0 };
        Evaluator::new(&layout, &rows, &weights).evaluate(&state)
    };
    assert!(chance(0, 0, 0) > chance(1, 0, 0) && chance(1, 0, 0) > chance(3, 0, 0));
    assert!(chance(0, 1, 0) < chance(0, 0, 0));
    assert!((chance(0, 0, 3) - chance(0, 0, 0)).abs() < 1e-6, "nobody brings down their own towers");
    let certain = Weights { falls: 1.0, ..weights };
    let state = |weights: &Weights| {
        let holding = Holding { held: Heap([2, 0, 0, 0, 0, 0]), pile: Heap::default(), owed: 0 };
        let state = State { site, holdings: [holding; 2], on_turn: 0 };
        Evaluator::new(&layout, &rows, weights).evaluate(&state)
    };
    assert!(
        (state(&certain) - state(&weights)).abs() < 1e-6,
        "without removers it stays, however much is feared of them"
    );
}
