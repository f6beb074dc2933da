//! Reviews: an action is compared with the best one out of the same search, from what its seat knew, and luck is luck.

mod common;

use common::{GO, Ticking};
use quincunx_core::{Actor, DynSession, Record, Seat, Turn, Viewer, find};
use quincunx_engine::{Budget, Control, Engine, Judged, Level, Thought, Verdict, accuracy_of, review};
use quincunx_games::GAMES;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::json;

const NODES: u64 = 600;

fn judge(table: &dyn DynSession, action: &str) -> Option<Thought> {
    let clock = Ticking::default();
    let control = Control::new(Budget::nodes(NODES), 7, &clock, &GO);
    Engine::Level(Level::Master).thinker(table.kind().id())?.judge(table, action, &control)
}

fn reviewed(table: &dyn DynSession) -> Vec<Judged> {
    review(table, judge, |_| true).expect("there is an engine")
}

/// A game whose players act at random, so far.
fn random_game(game: &str, seed: u64, plies: usize) -> Box<dyn DynSession> {
    let mut table = find(GAMES, game).unwrap().start(None, &json!({})).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    while table.ply() < plies || table.turn() == Turn::Chance {
        match table.turn() {
            Turn::Over => break,
            Turn::Chance => drop(table.draw(&mut rng).unwrap()),
            Turn::Seat(seat) => {
                let actions = table.actions(seat);
                table.apply(None, &actions[rng.random_range(0..actions.len())]).unwrap();
            }
        }
    }
    table
}

#[test]
fn a_win_that_was_there_is_missed_and_the_better_line_is_told() {
    let mut table = find(GAMES, "trexo").unwrap().start(None, &json!({})).unwrap();
    for action in ["a5a6", "b5b4", "c5c6", "d5d4", "j1j2", "e5e6"] {
        table.apply(None, action).unwrap();
    }
    let moves = reviewed(&*table);
    let missed = &moves[4];
    assert_eq!((missed.action.as_str(), missed.verdict), ("j1j2", Some(Verdict::MissedWin)));
    assert_eq!(missed.line[0].action, missed.better);
    assert!(missed.loss > 0.15 && missed.accuracy < 60.0, "{missed:?}");
    let mut better = table.boxed_clone();
    better.undo(2).unwrap();
    better.apply(None, &missed.better).unwrap();
    assert!(better.outcome().is_some_and(|outcome| outcome.winners.contains(Seat::new(0))));
    assert!(moves.iter().all(|made| made.luck.is_empty()), "nothing is drawn in Trexo");
}

#[test]
fn whoever_plays_what_the_engine_plays_gives_nothing_away() {
    for kind in GAMES {
        let mut table = random_game(kind.id(), 5, 20);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut own = Vec::new();
        while own.len() < 6 {
            match table.turn() {
                Turn::Over => break,
                Turn::Chance => drop(table.draw(&mut rng).unwrap()),
                Turn::Seat(seat) => {
                    // Whatever is asked about, the best action stays the best one.
                    let actions = table.actions(seat);
                    let best = judge(&*table, &actions[0]).unwrap().action;
                    let asked = judge(&*table, &best).unwrap();
                    if asked.action == best {
                        own.push(table.ply() + 1);
                    }
                    table.apply(None, &best).unwrap();
                }
            }
        }
        let moves = reviewed(&*table);
        for made in moves.iter().filter(|made| own.contains(&made.ply)) {
            assert!(made.loss <= 0.0 && made.accuracy > 99.9, "{}: {made:?}", kind.id());
            assert!(matches!(made.verdict, Some(Verdict::Best | Verdict::OnlyMove)), "{}: {made:?}", kind.id());
        }
    }
}

#[test]
fn an_action_is_judged_by_its_own_line_of_the_search_before_anything_is_drawn() {
    for kind in GAMES {
        let table = random_game(kind.id(), 9, 30);
        for made in reviewed(&*table) {
            let mut before = table.boxed_clone();
            before.undo((table.ply() - made.ply + 1) as u64).unwrap();
            let thought = judge(&*before, &made.action).unwrap();
            let line = thought.lines.iter().find(|line| line.steps[0].action == made.action);
            let Some(line) = line else {
                assert_eq!(before.actions(made.seat).len(), 1, "{}: no line for {}", kind.id(), made.action);
                continue;
            };
            assert_eq!(line.expected, made.played, "{}", kind.id());
            let own = made.seat.index();
            let loss = if made.action == made.better { 0.0 } else { (made.expected[own] - made.played[own]).max(0.0) };
            assert!((made.loss - loss).abs() < 1e-6, "{}: {made:?}", kind.id());
        }
    }
}

#[test]
fn what_a_seat_does_not_know_changes_no_judgement() {
    for game in ["castle-builders", "x-marks-the-spot"] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut different = 0;
        for seed in 0..6 {
            let table = random_game(game, seed, 25);
            let Turn::Seat(seat) = table.turn() else { continue };
            let action = &table.actions(seat)[0];
            // Without the past, which both share.
            let [one, other] = [(); 2].map(|()| table.imagined(Viewer::Seat(seat), &mut rng));
            different += u32::from(one.position(Viewer::Everything) != other.position(Viewer::Everything));
            assert_eq!(judge(&*one, action), judge(&*other, action), "{game}");
        }
        assert!(different > 0, "{game}");
    }
}

#[test]
fn what_draws_bring_is_luck_and_no_fault() {
    let table = random_game("castle-builders", 2, 60);
    let moves = reviewed(&*table);
    let log = table.record().steps;
    assert!(moves.iter().any(|made| !made.luck.is_empty()));
    for (made, next) in moves.iter().zip(moves.iter().skip(1)) {
        let drawn = log[made.ply..next.ply - 1].iter().any(|step| step.by == Actor::Chance);
        assert_eq!(drawn, !made.luck.is_empty());
        for (seat, luck) in made.luck.iter().enumerate() {
            assert!((made.played[seat] + luck - next.expected[seat]).abs() < 1e-6);
        }
    }
}

#[test]
fn accuracy_is_the_mean_over_the_actions_of_a_seat() {
    let record = include_str!("../../../examples/trexo.txt");
    let table = Record::parse(record).unwrap().replay(GAMES).unwrap();
    let moves = reviewed(&*table);
    for seat in Seat::all(2) {
        let own: Vec<f32> = moves.iter().filter(|made| made.seat == seat).map(|made| made.accuracy).collect();
        let mean = own.iter().sum::<f32>() / own.len() as f32;
        assert!((accuracy_of(&moves, seat).unwrap() - mean).abs() < 1e-3);
    }
    assert_eq!(accuracy_of(&[], Seat::new(0)), None);
}
