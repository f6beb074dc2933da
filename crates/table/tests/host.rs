//! Tables of one's own: people at one screen, engines, clocks, kept games.

#[path = "screen/mod.rs"]
mod screen;

use quincunx_core::{Actor, TurnJson};
use quincunx_table::protocol::{Message, Snapshot};
use quincunx_table::{Effect, Found, Millis, Person, Status, TableId, UserId, UserKind};
use screen::{Screen, person, setup, without_nulls};
use serde_json::{Value, json};

/// Every game with every number of seats, short.
fn games() -> Vec<(&'static str, usize, Value)> {
    let mut games =
        vec![("trexo", 2, json!({})), ("figures", 2, json!({"target": 5})), ("figures", 4, json!({"target": 5}))];
    games.extend([2, 3, 4].map(|seats| ("mod-x", seats, json!({}))));
    games.push(("mod-x", 3, json!({"claims": "manual"})));
    games.push(("castle-builders", 2, json!({})));
    games.extend([2, 3, 4].map(|seats| ("x-marks-the-spot", seats, json!({"turn_limit": 12}))));
    games
}

#[test]
fn people_at_one_screen_play_every_game_to_its_end_keep_it_and_go_on() {
    for (game, seats, options) in games() {
        let people = ["Ada", "Bo", "Cy", "Di"].into_iter().take(seats).map(person).collect();
        let mut setup = setup(game, people);
        setup["options"] = options;
        setup["clock"] = json!({"kind": "real_time", "seconds": 86_000, "increment": 3});
        let mut screen = Screen::set_up(setup, 7);
        for moves in 0..4_000 {
            if !screen.play() {
                break;
            }
            if moves % 9 == 0 {
                screen.check();
            }
            if moves == 20 && screen.shown().status == Status::Playing {
                // Everybody leaves, and comes back another day.
                let before = screen.shown().clone();
                let table = before.table.clone();
                let left = before.clocks.as_ref().unwrap();
                let left: Vec<Millis> = (0..seats).filter_map(|seat| left.left_at(seat, screen.now)).collect();
                screen.ask(json!({"type": "unwatch", "table": table})).unwrap();
                let record = screen.kept.clone().expect("it is kept");
                screen.now += 86_400_000;
                let done = screen.ask(json!({"type": "open", "table": table, "record": record})).expect("it goes on");
                screen.watch(&done);
                let after = screen.shown();
                assert_eq!((after.log.len(), &after.seats), (before.log.len(), &before.seats), "{game}");
                assert_eq!(after.clocks.as_ref().unwrap().left, left, "{game}: the clocks of a kept game are kept");
            }
        }
        let shown = screen.shown();
        assert_eq!((shown.status, shown.viewer), (Status::Finished, None), "{game} for {seats}");
        assert!(shown.ending.is_some() && shown.position.turn == TurnJson::Over);
        assert!(shown.log.iter().all(|step| !step.action.contains('?')), "a finished game hides nothing");
        let record = screen.kept.clone().unwrap();
        assert!(record.contains("Player 0: Ada"), "{record}");
        let done = screen.command(json!({"type": "rematch"})).expect("they play again");
        screen.watch(&done);
        assert_eq!(screen.shown().seats[1].name.as_deref(), Some("Ada"), "everybody sits a seat further");
    }
}

#[test]
fn where_hands_are_hidden_nothing_is_shown_before_its_player_has_come() {
    let mut screen = Screen::set_up(setup("castle-builders", vec![person("Ada"), person("Bo")]), 3);
    let hand = |snapshot: &Snapshot| snapshot.position.view.to_string();
    assert_eq!((screen.shown().viewer, screen.shown().hand_over), (None, Some(0)), "first Ada comes");
    assert!(screen.shown().position.actions.is_empty());
    let covered = hand(screen.shown());
    let table = screen.shown().table.clone();
    screen.ask(json!({"type": "look", "table": table, "seat": 0})).unwrap();
    assert_eq!((screen.shown().viewer, screen.shown().hand_over), (Some(0), None));
    assert_ne!(hand(screen.shown()), covered);
    while screen.shown().hand_over.is_none() {
        let action = screen.shown().position.actions[0].action.clone();
        screen.act(&action).unwrap();
    }
    // Bo is called; until then the screen shows what Ada may see.
    assert_eq!((screen.shown().viewer, screen.shown().hand_over), (Some(0), Some(1)));
    assert_eq!(screen.ask(json!({"type": "look", "table": table, "seat": 2})).unwrap_err().1, "seat 2 is not yours");
}

#[test]
fn where_nothing_is_hidden_the_screen_follows_the_turn() {
    let mut screen = Screen::set_up(setup("trexo", vec![person("Ada"), person("Bo")]), 3);
    assert_eq!((screen.shown().viewer, screen.shown().hand_over), (Some(0), None));
    screen.act("e5f5").unwrap();
    assert_eq!((screen.shown().viewer, screen.shown().hand_over), (Some(1), None));
    assert!(!screen.shown().position.actions.is_empty());
    screen.check();
}

#[test]
fn people_at_one_screen_take_back_at_once_also_draws_and_the_end() {
    let mut screen =
        Screen::set_up(setup("castle-builders", vec![person("Ada"), json!({"kind": "engine", "level": "novice"})]), 5);
    assert_eq!(screen.command(json!({"type": "ask_undo"})).unwrap_err().1, "there is no move of yours to take back");
    let mut own = 0;
    while screen.shown().status == Status::Playing {
        own += usize::from(screen.play());
        while screen.think() {}
    }
    screen.command(json!({"type": "ask_undo"})).expect("also after the end");
    assert_eq!(
        (screen.shown().status, &screen.shown().ending, screen.shown().viewer),
        (Status::Playing, &None, Some(0))
    );
    screen.check();
    screen.command(json!({"type": "ask_undo", "count": own - 1})).expect("up to the first move");
    assert!(screen.shown().log.iter().all(|step| step.by == Actor::Chance), "{:?}", screen.shown().log);
    assert!(screen.command(json!({"type": "ask_undo"})).is_err());
}

#[test]
fn engines_play_each_other_and_who_looks_on_sees_everything() {
    let engine = || json!({"kind": "engine", "level": "novice"});
    for game in ["castle-builders", "trexo"] {
        let mut screen = Screen::set_up(setup(game, vec![engine(), engine()]), 9);
        assert_eq!(screen.shown().viewer, None);
        assert!(screen.shown().log.iter().all(|step| !step.action.contains('?')));
        while screen.think() {}
        assert_eq!(screen.shown().status, Status::Finished, "{game}");
        screen.check();
    }
}

#[test]
fn a_thought_about_another_position_is_worth_nothing() {
    let mut screen =
        Screen::set_up(setup("trexo", vec![person("Ada"), json!({"kind": "engine", "level": "novice"})]), 9);
    screen.act("e5f5").unwrap();
    let job = screen.jobs.pop_front().expect("the engine is asked");
    screen.command(json!({"type": "ask_undo"})).unwrap();
    assert!(screen.halted, "nobody waits for it any more");
    let effects =
        screen.host.answer(&job.answer(Found::Act { seat: 1, action: "e6f6".to_owned() }), 0, &mut screen.rng);
    assert_eq!(effects, []);
    assert!(screen.shown().log.is_empty());
}

#[test]
fn an_engine_declines_a_draw_and_plays_on() {
    let mut screen =
        Screen::set_up(setup("trexo", vec![person("Ada"), json!({"kind": "engine", "level": "novice"})]), 9);
    screen.command(json!({"type": "offer_draw"})).unwrap();
    assert_eq!((screen.shown().draw_offer, screen.shown().status), (None, Status::Playing));
    screen.command(json!({"type": "resign"})).unwrap();
    assert_eq!(screen.shown().ending.as_ref().unwrap().winners, [1]);
    assert!(screen.kept.as_ref().unwrap().contains("Ending: 1 resigned"));
}

#[test]
fn two_people_at_one_screen_agree_on_a_draw() {
    let mut screen = Screen::set_up(setup("trexo", vec![person("Ada"), person("Bo")]), 9);
    screen.command(json!({"type": "offer_draw"})).unwrap();
    assert_eq!(screen.shown().draw_offer, Some(0));
    screen.command(json!({"type": "answer_draw", "accept": true})).unwrap();
    assert_eq!(screen.shown().ending.as_ref().unwrap().reason, "agreed");
}

#[test]
fn people_play_on_for_a_program_that_cannot() {
    let mut screen =
        Screen::set_up(setup("trexo", vec![person("Ada"), json!({"kind": "engine", "level": "cmd:./bot"})]), 9);
    screen.act("e5f5").unwrap();
    let job = screen.jobs.pop_front().unwrap();
    assert_eq!(job.asked(), [(1, "cmd:./bot".to_owned())]);
    let effects =
        screen.host.answer(&job.answer(Found::Act { seat: 1, action: "e5f5".to_owned() }), 0, &mut screen.rng);
    screen.take(effects);
    assert_eq!((screen.shown().seats[1].engine.clone(), screen.shown().viewer), (None, Some(1)));
    screen.act("c3c4").expect("the seat is theirs");
}

#[test]
fn a_flag_falls_when_the_host_hears_the_time() {
    let mut setup = setup("trexo", vec![person("Ada"), person("Bo")]);
    setup["clock"] = json!({"kind": "real_time", "seconds": 60, "increment": 0});
    let mut screen = Screen::set_up(setup, 9);
    let deadline = screen.host.deadline().expect("a clock runs");
    assert_eq!(deadline, screen.now + 60_000);
    let effects = screen.host.tick(deadline - 1, &mut screen.rng);
    assert_eq!(effects, []);
    let effects = screen.host.tick(deadline, &mut screen.rng);
    screen.take(effects);
    assert_eq!(screen.shown().ending.as_ref().unwrap().reason, "time");
    assert_eq!(screen.host.deadline(), None);
}

#[test]
fn an_increment_is_earned_when_the_move_passes_on_and_not_at_a_draw() {
    let mut setup = setup("x-marks-the-spot", vec![person("Ada"), person("Bo")]);
    setup["clock"] = json!({"kind": "real_time", "seconds": 600, "increment": 5});
    let mut screen = Screen::set_up(setup, 11);
    let table = screen.shown().table.clone();
    screen.ask(json!({"type": "look", "table": table, "seat": 0})).unwrap();
    let left = |screen: &Screen| screen.shown().clocks.as_ref().unwrap().left.clone();
    screen.now += 10_000;
    screen.act("draw").expect("the turn begins with it");
    assert_eq!(left(&screen), [600_000, 600_000], "Ada stays on turn, and her clock runs on");
    while screen.shown().hand_over.is_none() {
        let action = screen.shown().position.actions[0].action.clone();
        screen.act(&action).unwrap();
    }
    assert_eq!(left(&screen), [595_000, 600_000], "now it is Bo's turn");
}

#[test]
fn a_kept_game_that_was_damaged_is_refused_with_the_reason_and_harms_nothing() {
    let mut screen = Screen::set_up(setup("trexo", vec![person("Ada"), person("Bo")]), 9);
    screen.act("e5f5").unwrap();
    let record = screen.kept.clone().unwrap();
    for (damaged, part) in [
        (record.replace("e5f5", "e5f6"), "line"),
        (record.replace("Game: trexo", "Game: chess"), "chess"),
        (record.replace("Scores: 0 0", "Scores: 0 0 0"), "line"),
        (format!("Left: 1\n{record}"), "Left"),
        (format!("Clock: soon\n{record}"), "Clock"),
        (format!("Ending: 0 bored\n{record}"), "Ending"),
        (record[..12].to_owned(), "Seats"),
        (String::new(), "Game"),
    ] {
        let open = json!({"type": "open", "table": "another", "record": damaged});
        let (_, why) = screen.ask(open).expect_err(&damaged);
        assert!(why.contains(part), "{why}");
    }
    let seats = json!([person("Ada")]);
    let open = json!({"type": "open", "table": "another", "record": record, "seats": seats});
    assert!(screen.ask(open).is_err());
    screen.act("c3c4").expect("the game goes on");
    assert!(screen.host.state(&TableId("another".to_owned())).is_none());
}

#[test]
fn a_watcher_that_comes_back_gets_exactly_what_it_missed() {
    let mut screen =
        Screen::set_up(setup("castle-builders", vec![person("Ada"), json!({"kind": "engine", "level": "novice"})]), 2);
    let person = Person { id: UserId(1), name: "Ada".to_owned(), kind: UserKind::Guest };
    let (other, _) = screen.host.connect(Some(person), 0);
    let table = screen.shown().table.clone();
    let old = screen.shown().clone();
    for _ in 0..3 {
        screen.play();
        while screen.think() {}
    }
    let watch = json!({"type": "watch", "id": "w", "table": table, "since": old.version, "full": true});
    let effects = screen.host.handle(other, serde_json::from_value(watch).unwrap(), 0, &mut screen.rng);
    let Some(Effect::Send { message: Message::Update(update), .. }) = effects.into_iter().next() else {
        panic!("an update")
    };
    let mut caught_up = old;
    assert_eq!(caught_up.apply(*update), Ok(true));
    let shown = screen.shown();
    assert_eq!((&caught_up.log, &caught_up.position.actions), (&shown.log, &shown.position.actions));
    assert_eq!(without_nulls(&caught_up.position.view), without_nulls(&shown.position.view));
}
