//! Whole games out of their logs, damaged logs, and what is dealt at random.

use super::*;

#[test]
fn seats_are_shuffled_if_agreed() {
    let mut setup = open("mod-x", 4);
    setup["shuffled"] = json!(true);
    let orders: std::collections::HashSet<Vec<Option<UserId>>> = (0..20)
        .map(|seed| {
            let mut hall = Hall::new(setup.clone());
            hall.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let hall = hall.seated();
            hall.check_replay();
            hall.state.seats.iter().map(|seated| seated.user).collect()
        })
        .collect();
    assert!(orders.len() > 5, "{orders:?}");
    assert!(orders.iter().all(|order| order.iter().flatten().count() == 4));
}

#[test]
fn whole_games_of_all_kinds_come_out_of_their_logs() {
    for (game, seats) in [("trexo", 2), ("mod-x", 4), ("figures", 2), ("castle-builders", 2), ("x-marks-the-spot", 3)] {
        let mut setup = open(game, seats);
        setup["clock"] = json!({"kind": "real_time", "seconds": 86400, "increment": 5});
        if game == "x-marks-the-spot" {
            setup["options"] = json!({"turn_limit": 20});
        }
        if game == "figures" {
            setup["options"] = json!({"target": 5});
        }
        let mut hall = Hall::new(setup).seated();
        for _ in 0..3000 {
            let Turn::Seat(seat) = hall.state.game.turn() else { break };
            let actions = hall.state.game.actions(seat);
            let action = actions[hall.rng.random_range(0..actions.len())].clone();
            hall.act(seat.index(), &action).unwrap();
        }
        hall.check_replay();
    }
}

#[test]
fn a_damaged_log_is_refused_with_the_line() {
    let mut hall = Hall::new(open("trexo", 2)).seated();
    hall.act(0, "e5f5").unwrap();
    let id = || TableId("t".to_owned());
    let told = |log: &[Entry]| State::replay(GAMES, id(), log).map(|_| ()).map_err(|corrupt| corrupt.seq);
    assert_eq!(told(&hall.log), Ok(()));
    assert_eq!(told(&[]), Err(0));
    assert_eq!(told(&hall.log[1..]), Err(1));
    let mut missing = hall.log.clone();
    missing.remove(2);
    assert_eq!(told(&missing), Err(3));
    for damage in [
        "",
        "{",
        r#"{"type":"acted","seat":9,"action":"e5f5"}"#,
        r#"{"type":"acted","seat":1,"action":"a1b1"}"#,
        r#"{"type":"started","order":[0,0]}"#,
        r#"{"type":"joined","seat":7,"user":1,"name":"x"}"#,
    ] {
        let mut log = hall.log.clone();
        damage.clone_into(&mut log[4].event);
        assert_eq!(told(&log), Err(4), "{damage}");
    }
}

#[test]
fn who_may_not_see_a_private_table_can_do_nothing_there() {
    let mut setup = open("trexo", 2);
    setup["public"] = json!(false);
    let mut hall = Hall::new(setup);
    hall.say(0, json!({"type": "sit", "seat": 0})).unwrap();
    for command in [
        json!({"type": "sit", "seat": 1}),
        json!({"type": "sit", "seat": 1, "invitation": "guess"}),
        json!({"type": "sit", "seat": 9}),
        json!({"type": "leave"}),
        json!({"type": "abort"}),
        json!({"type": "resign"}),
        json!({"type": "rematch"}),
    ] {
        assert_eq!(hall.say(1, command.clone()), Err(Refusal::NoSuchTable), "{command}");
    }
    let invitation = hall.state.invitation.clone();
    hall.say(1, json!({"type": "sit", "seat": 1, "invitation": invitation})).unwrap();
    assert_eq!(hall.state.status, Status::Playing);
}
