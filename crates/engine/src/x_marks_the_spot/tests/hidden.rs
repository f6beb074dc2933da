//! Nothing depends on what the seat cannot see.

use quincunx_core::{Actor, Game, Scratch, Seat, Session, Step, Turn, Viewer};
use quincunx_games::x_marks_the_spot::{Action, Card, Pirate, XMarksTheSpot};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{super::XMarksTheSpotPlayer, options, think};

/// What was done in a game, with the texts that everything shows.
type Done = Vec<Step>;

fn played(seats: u8, done: &Done) -> Option<Session<XMarksTheSpot>> {
    let mut session = Session::new(seats, options("{}")).unwrap();
    for step in done {
        session.apply_by(step.by, &step.action).ok()?;
    }
    Some(session)
}

/// A game of random actions until this seat is to act after so many of them.
fn game(seats: u8, plies: usize, rng: &mut Xoshiro256PlusPlus) -> Option<(Session<XMarksTheSpot>, Done)> {
    let mut session = Session::<XMarksTheSpot>::new(seats, options("{}")).unwrap();
    let mut done = Done::new();
    let mut scratch = Scratch::default();
    while done.len() < plies || session.game().turn() == Turn::Chance {
        let by = session.game().turn().actor()?;
        let action = session.game().random(by, rng, &mut scratch).to_string();
        session.apply_by(by, &action).unwrap();
        done.push(Step { by, action });
    }
    (session.game().turn() != Turn::Over).then_some((session, done))
}

#[test]
fn games_that_a_seat_cannot_tell_apart_give_the_same_thoughts() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut compared = 0;
    let mut with_other_flags = 0;
    for number in 0..60_u64 {
        let seats = 2 + (number % 3) as u8;
        let Some((session, done)) = game(seats, rng.random_range(20..90), &mut rng) else { continue };
        let Turn::Seat(seat) = session.game().turn() else { unreachable!() };
        let viewer = Viewer::Seat(seat);
        // Other flags and other draws for the others, one at a time: what still leads to the same game as the seat has
        // seen it, and is legal, could as well have been.
        let mut other = (session.clone(), done.clone());
        for _ in 0..200 {
            let mut done = other.1.clone();
            let at = rng.random_range(0..done.len());
            let shown = session.seen(viewer).nth(at).unwrap().1;
            if shown.is_some() || done[at].by != Actor::Chance {
                continue;
            }
            done[at].action = match done[at].action.parse().unwrap() {
                Action::Flag(_) => Action::Flag(Pirate::ALL[rng.random_range(0..4)]).to_string(),
                _ => Action::Drawn(Card::all().nth(rng.random_range(0..Card::all().count())).unwrap()).to_string(),
            };
            if let Some(session_with) = played(seats, &done)
                && session_with.log(viewer) == session.log(viewer)
                && session_with.to_json(viewer) == session.to_json(viewer)
            {
                other = (session_with, done);
            }
        }
        if *other.0.game() == *session.game() {
            continue;
        }
        compared += 1;
        let flags = |session: &Session<XMarksTheSpot>| {
            Seat::all(seats).map(|seat| session.game().flag(seat)).collect::<Vec<_>>()
        };
        with_other_flags += u32::from(flags(&other.0) != flags(&session));
        let [one, two] =
            [&session, &other.0].map(|session| think(&mut XMarksTheSpotPlayer::default(), session, 60, number));
        assert_eq!(one, two, "game {number}");
    }
    assert!(compared > 20 && with_other_flags > 10, "{compared} {with_other_flags}");
}
