//! Who has which flag.

use quincunx_core::{Game, Scratch, Seat, Session, Turn, Viewer};
use quincunx_games::x_marks_the_spot::{Pirate, XMarksTheSpot};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    super::{
        beliefs::{Beliefs, Leanings, Watched},
        policy::Policy,
        settings::Settings,
    },
    FILL, Table, options, seat, stroll,
};
use crate::Knowledge;

fn some_leanings(seats: u8, rng: &mut Xoshiro256PlusPlus) -> Leanings {
    let mut leanings = Leanings::default();
    for seat in Seat::all(seats) {
        leanings.observe(seat, [0; 4].map(|_| rng.random::<f32>()), &Settings::default());
    }
    leanings
}

/// What a seat makes of a game that it has watched.
fn watched(session: &Session<XMarksTheSpot>, seat: Seat) -> Leanings {
    let mut watched = Watched::default();
    watch(&mut watched, session, seat);
    watched.leanings
}

fn watch(watched: &mut Watched, session: &Session<XMarksTheSpot>, seat: Seat) {
    let settings = Settings::default();
    watched.catch_up(&Knowledge::of(session, seat), &mut Policy::new(settings), &settings);
}

#[test]
fn every_seat_has_one_flag_its_own_is_certain_and_so_are_those_that_are_known() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut known = 0;
    let mut ruled_out = 0;
    for seats in 2..=4 {
        for seed in 0..16 {
            stroll(seats, &options(r#"{"doubloons":9}"#), seed, 500, |game, seat| {
                let flag = game.flag(seat).unwrap();
                let likely = Beliefs::new(game, &some_leanings(seats, &mut rng)).likely(seat, flag);
                for other in Seat::all(seats) {
                    let shares = likely[other.index()];
                    assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{shares:?}");
                    let is_certain = |pirate: Pirate| shares[pirate as usize] > 0.999_99;
                    assert!(other != seat || is_certain(flag));
                    if game.is_revealed(other) {
                        assert!(is_certain(game.flag(other).unwrap()));
                        known += 1;
                    }
                    for pirate in Pirate::ALL.into_iter().filter(|&pirate| !game.may_have_flag(other, pirate)) {
                        assert!(shares[pirate as usize] <= 0.0);
                        ruled_out += u32::from(!game.is_revealed(other));
                    }
                    assert!(other == seat || shares[flag as usize] <= 0.0, "there is one of each flag");
                }
            });
        }
    }
    assert!(known > 100 && ruled_out > 0, "{known} {ruled_out}");
}

#[test]
fn imagined_worlds_have_flags_by_how_likely_they_are() {
    const WORLDS: u32 = 3000;
    let table = Table::dealt("crw", &[FILL, FILL, FILL]);
    let mut leanings = Leanings::default();
    leanings.observe(seat(1), [0.0, 0.5, 0.3, 0.0], &Settings::default());
    leanings.observe(seat(2), [0.3, 0.2, 0.5, 0.4], &Settings::default());
    let beliefs = Beliefs::new(table.game(), &leanings);
    let likely = beliefs.likely(seat(0), Pirate::Condent);
    let known = Knowledge::of(&table.0, seat(0));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut counts = [[0_u32; 4]; 3];
    for _ in 0..WORLDS {
        let world = beliefs.imagine(&known, &mut rng);
        Seat::all(3).for_each(|seat| counts[seat.index()][world.flag(seat).unwrap() as usize] += 1);
    }
    for (shares, counts) in likely.iter().zip(counts) {
        for (share, count) in shares.iter().zip(counts) {
            // Five standard deviations of a fair coin.
            assert!((share - count as f32 / WORLDS as f32).abs() < 0.05, "{likely:?} {counts:?}");
        }
    }
}

#[test]
fn who_builds_an_x_is_believed_to_have_its_flag() {
    let mut table = Table::dealt("cr", &[FILL, FILL]);
    let likely = |table: &Table| {
        let leanings = watched(&table.0, seat(0));
        Beliefs::new(table.game(), &leanings).likely(seat(0), Pirate::Condent)[1]
    };
    table.lays("ko 0,0 e; ko 0,1 e");
    let before = likely(&table)[Pirate::Wynn as usize];
    // Seat 1 lays three squares of an X of Wynn, and then a fourth.
    table.lays("wk 2,0 e; ww 2,1 e; ko 0,2 e; ko 0,3 e; wk 2,2 n; ko 4,1 e");
    let after = likely(&table)[Pirate::Wynn as usize];
    assert!((before - 1.0 / 3.0).abs() < 0.01 && after > 0.6, "{before} {after}");
    // Somebody else makes of it what the same actions tell him.
    let others = watched(&table.0, seat(1));
    assert_eq!(others, watched(&table.0, seat(0)));
}

#[test]
fn it_makes_no_difference_when_somebody_began_to_watch_and_another_game_is_another_game() {
    let mut steady = Watched::default();
    for game in 0..3_u64 {
        let mut session = Session::<XMarksTheSpot>::new(2 + game as u8, options("{}")).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(game);
        let mut scratch = Scratch::default();
        for _ in 0..150 {
            let Some(actor) = session.game().turn().actor() else { break };
            let action = session.game().random(actor, &mut rng, &mut scratch);
            session.apply_by(actor, &action.to_string()).unwrap();
            if session.game().turn() == Turn::Seat(seat(0)) {
                watch(&mut steady, &session, seat(0));
                assert_eq!(steady.leanings, watched(&session, seat(0)));
            }
        }
        // What was taken back has not happened.
        session.undo(40).unwrap();
        watch(&mut steady, &session, seat(0));
        assert_eq!(steady.leanings, watched(&session, seat(0)));
        assert_eq!(session.seen(Viewer::Seat(seat(0))).count(), session.ply());
    }
    watch(&mut steady, &Session::new(2, options("{}")).unwrap(), seat(0));
    assert_eq!(steady.leanings, Leanings::default());
}
