//! What an action tells the others about the own flag counts against it.

use super::{
    super::{
        XMarksTheSpotPlayer,
        beliefs::{Beliefs, Leanings, Watched},
    },
    *,
};

/// How much more likely the others take the flag of the seat on turn for its own after this action.
fn tells(session: &Session<XMarksTheSpot>, seat: Seat, action: Action) -> f32 {
    let settings = Settings::default();
    let mut policy = Policy::new(settings);
    let mut watched = Watched::default();
    watched.catch_up(&Knowledge::of(session, seat), &mut policy, &settings);
    let flag = session.game().flag(seat).unwrap();
    let suspicion = |leanings: &Leanings| Beliefs::new(session.game(), leanings).suspicion(seat, flag);
    let before = suspicion(&watched.leanings);
    if let Some(brings) = policy.brings(session.game(), action) {
        watched.leanings.observe(seat, brings, &settings);
    }
    suspicion(&watched.leanings) - before
}

#[test]
fn who_minds_being_found_out_tells_less() {
    let mut told = [0.0; 2];
    for seed in 0..12 {
        let mut session = Session::<XMarksTheSpot>::new(2, options("{}")).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut watching = XMarksTheSpotPlayer::default();
        for decision in 0..16 {
            while session.game().turn() == Turn::Chance {
                session.draw(&mut rng).unwrap();
            }
            let Turn::Seat(seat) = session.game().turn() else { break };
            for (told, concealment) in told.iter_mut().zip([0.0, 1.0]) {
                let mut player = XMarksTheSpotPlayer::new(Settings { concealment, ..Settings::default() });
                *told += tells(&session, seat, think(&mut player, &session, 60, decision).action);
            }
            let action = think(&mut watching, &session, 60, decision).action;
            session.apply_by(Actor::Seat(seat), &action.to_string()).unwrap();
        }
    }
    let [careless, careful] = told;
    assert!(careful < 0.7 * careless, "{careful} against {careless}");
}
