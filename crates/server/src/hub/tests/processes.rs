//! What processes do for each other: clocks, engines, analyses, and what they make up for that nobody told them.

use quincunx_table::{About, Answer, Ending, Found, Job, Unanswered};

use super::*;
use crate::cluster::{Fate, Gate, Owner, think};
use crate::hub::Analysis;

/// A bus over which nothing comes through.
struct Broken;

impl Bus for Broken {
    fn tell(&self, _: Notice) {}

    fn has_others(&self) -> bool {
        true
    }
}

/// Thinkers who do not answer.
#[derive(Default)]
struct Deaf(Arc<Mutex<Vec<Job>>>);

impl Thinkers for Deaf {
    fn ask(&self, job: Job, _: Vec<Owner>, _: &Hub) {
        lock(&self.0).push(job);
    }

    fn gone_on(&self, _: &TableId, _: u64) {}

    fn stop(&self) {}
}

#[tokio::test]
async fn clocks_are_looked_after_by_one_process_and_by_another_when_it_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.db");
    let (one, two) = (Store::sqlite(&path).await.unwrap(), Store::sqlite(&path).await.unwrap());
    let houses = [House::with_bus(&one, Broken, 1), House::with_bus(&two, Broken, 2)];
    let at = |moment: Millis| houses.iter().for_each(|house| house.now.store(moment, Ordering::Relaxed));
    let on_duty = |moment: Millis| houses.each_ref().map(|house| house.hub.on_duty(moment));
    let mut timed = open("trexo", 2);
    timed["clock"] = json!({"kind": "real_time", "seconds": 60, "increment": 0});

    houses[0].hub.tick().await;
    houses[1].hub.tick().await;
    assert_eq!(on_duty(1_000), [true, false]);
    // Begun where nobody looks after clocks: who does hears of it.
    let table = houses[1].table(timed.clone()).await;
    let knows = || lock(&houses[0].hub.inner.tables).contains_key(&table);
    houses[0].hub.hear(Notice::Grown { table: table.clone(), version: 4, awaited: false }).await.unwrap();
    assert!(!knows(), "a log is not read in vain");
    houses[0].hub.hear(Notice::Grown { table: table.clone(), version: 4, awaited: true }).await.unwrap();
    assert!(knows());
    at(61_000);
    // Both would let the flag fall now; who is not on duty does not.
    assert_eq!(on_duty(6_999), [true, false], "the right lasts");
    assert_eq!(on_duty(7_000), [false, false], "and runs out");
    houses[1].hub.tick().await;
    assert_eq!(on_duty(61_000), [false, true], "who is there takes over");
    // Nobody has looked after the clock so far: it begins to run in ten seconds.
    let fell = |log: Vec<Entry>| log.iter().filter(|entry| entry.event.contains("flag_fell")).count();
    for (until, falls) in [(131_499, 0), (131_500, 1), (133_500, 1)] {
        let begin = houses[0].now.load(Ordering::Relaxed);
        for moment in (begin..until).step_by(1_000).chain([until]) {
            at(moment);
            houses[1].hub.tick().await;
            houses[0].hub.tick().await;
        }
        assert_eq!(fell(houses[0].hub.entries(&table, 0).await.unwrap()), falls, "at {until}");
    }

    // Handed over at once by one who stops; a table that the other does not know is looked at.
    let table = houses[1].table(timed).await;
    houses[1].hub.stop().await;
    houses[1].hub.tick().await;
    assert_eq!(on_duty(133_500), [false, false]);
    at(135_500);
    houses[0].hub.tick().await;
    assert_eq!(on_duty(135_500), [true, false]);
    while !lock(&houses[0].hub.inner.tables).contains_key(&table) {
        tokio::task::yield_now().await;
    }
    houses[0].pass(193_999).await;
    assert_eq!(houses[0].look(&table, |state| state.status).await, Status::Playing);
    houses[0].pass(194_000).await;
    assert_eq!(fell(houses[1].hub.entries(&table, 0).await.unwrap()), 1);
}

/// A game of twenty seconds that has just begun.
async fn short_game(house: &House) -> TableId {
    let mut timed = open("trexo", 2);
    timed["clock"] = json!({"kind": "real_time", "seconds": 20, "increment": 0});
    house.table(timed).await
}

async fn clock_of(house: &House, table: &TableId) -> (Vec<Millis>, Option<(u8, Millis)>) {
    let face = house.look(table, |state| state.clocks.face(2)).await.unwrap();
    (face.left, face.running)
}

#[tokio::test]
async fn nobody_loses_on_time_because_the_server_was_down() {
    let store = Store::memory();
    let before = House::new(&store, 1);
    let (table, other) = (short_game(&before).await, short_game(&before).await);
    let untimed = before.table(open("trexo", 2)).await;
    before.pass(6_000).await;
    let versions = before.look(&untimed, |state| state.version).await;
    drop(before);

    // Killed, and back 25 s later: before anything is done the clocks get their time back, and ten seconds more.
    let after = House::new(&store, 2);
    after.now.store(31_000, Ordering::Relaxed);
    after.hub.prepare().await;
    let moved = after.say(&other, 0, json!({"type": "act", "action": "e5f5"}), None).await;
    assert!(moved.is_ok(), "{moved:?}");
    assert_eq!(clock_of(&after, &other).await, (vec![15_000, 20_000], Some((1, 31_000))), "five seconds were used");
    after.hub.tick().await;
    while lock(&after.hub.inner.duty).interruption.is_some() {
        tokio::task::yield_now().await;
    }
    assert_eq!(clock_of(&after, &table).await, (vec![15_000, 20_000], Some((0, 41_000))));
    assert_eq!(
        after.look(&untimed, |state| state.version).await,
        versions,
        "a game without a clock knows nothing of it"
    );
    // It is in the log, so that everybody has the same clocks later.
    let again = House::new(&store, 3);
    assert_eq!(clock_of(&again, &table).await, clock_of(&after, &table).await);
    after.pass(56_499).await;
    assert_eq!(after.look(&table, |state| state.status).await, Status::Playing);
    after.pass(56_500).await;
    assert_eq!(after.look(&table, |state| state.status).await, Status::Finished, "then it is their own time");
}

#[tokio::test]
async fn a_short_pause_of_the_server_is_no_interruption() {
    let store = Store::memory();
    let before = House::new(&store, 1);
    let table = short_game(&before).await;
    before.pass(6_000).await;
    before.hub.stop().await;
    let after = House::new(&store, 2);
    after.now.store(7_500, Ordering::Relaxed);
    after.hub.prepare().await;
    after.pass(9_000).await;
    assert_eq!(clock_of(&after, &table).await, (vec![20_000, 20_000], Some((0, 1_000))));
}

#[tokio::test]
async fn a_machine_whose_clock_was_set_while_the_server_was_down_moves_no_clock() {
    for jump in [3_600_000, -3_600_000] {
        let store = Store::memory();
        let before = House::new(&store, 1);
        before.now.store(10_000_000, Ordering::Relaxed);
        let table = short_game(&before).await;
        before.pass(10_006_000).await;
        let after = House::new(&store, 2);
        let now = 10_009_000 + jump;
        after.now.store(now, Ordering::Relaxed);
        after.hub.prepare().await;
        after.hub.resume().await.unwrap();
        assert_eq!(clock_of(&after, &table).await, (vec![14_000, 20_000], Some((0, now + 10_000))), "{jump}");
        after.hub.resume().await.unwrap();
        assert_eq!(clock_of(&after, &table).await.1, Some((0, now + 10_000)), "once");
    }
}

#[tokio::test]
async fn no_flag_falls_while_the_storage_fails_and_the_time_is_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.db");
    let store = Store::sqlite(&path).await.unwrap();
    let house = House::new(&store, 1);
    let table = short_game(&house).await;
    house.pass(6_000).await;
    let other = sqlx::AnyPool::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    for table in ["entries", "moments"] {
        for what in ["INSERT", "UPDATE"] {
            let refuse = format!(
                "CREATE TRIGGER refuse_{what}_{table} BEFORE {what} ON {table} BEGIN SELECT RAISE(ABORT, 'no'); END"
            );
            sqlx::query(sqlx::AssertSqlSafe(refuse)).execute(&other).await.unwrap();
        }
    }
    house.pass(31_000).await;
    assert_eq!(house.look(&table, |state| state.status).await, Status::Playing);
    for table in ["entries", "moments"] {
        for what in ["INSERT", "UPDATE"] {
            let allow = format!("DROP TRIGGER refuse_{what}_{table}");
            sqlx::query(sqlx::AssertSqlSafe(allow)).execute(&other).await.unwrap();
        }
    }
    house.pass(31_100).await;
    while lock(&house.hub.inner.duty).interruption.is_some() {
        tokio::task::yield_now().await;
    }
    let (left, running) = clock_of(&house, &table).await;
    assert_eq!((left[0], running), (15_000, Some((0, 41_100))), "five seconds were used");
    other.close().await;
}

#[tokio::test]
async fn a_command_counts_as_of_when_it_arrived_and_its_way_is_given_back() {
    let house = House::new(&Store::memory(), 1);
    let table = short_game(&house).await;
    let act = |action: &str| serde_json::from_value(json!({"type": "act", "action": action})).unwrap();
    house.now.store(30_000, Ordering::Relaxed);
    // It came in time, and then waited for others.
    let arrival = Arrival { at: 11_000, lag: 0 };
    house.hub.command_from(arrival, &table, &person(0), None, &act("e5f5"), None).await.unwrap();
    assert_eq!(clock_of(&house, &table).await, (vec![10_000, 20_000], Some((1, 11_000))));
    // It came a little late, as it was under way for longer than that.
    let late = |lag| Arrival { at: 31_200, lag };
    let refused = house.hub.command_from(late(0), &table, &person(1), None, &act("e6f6"), None).await;
    assert_eq!(refused, Err(CommandError::Refused(Refusal::TimeIsUp)));
    let mut watch = house.watch(&table, None, None).await;
    house.hub.command_from(late(300), &table, &person(1), None, &act("e6f6"), None).await.unwrap();
    assert_eq!(clock_of(&house, &table).await, (vec![10_000, 100], Some((0, 31_200))));
    let told = parse(&waiting(&mut watch)[0]);
    assert_eq!(told["events"][0], json!({"type": "acted", "seat": 1, "action": "e6f6"}), "how far away is not told");
}

#[tokio::test]
async fn a_win_or_a_draw_is_claimed_from_who_has_been_away_for_a_minute() {
    let live = |house: House, claim: &'static str| async move {
        let mut timed = open("trexo", 2);
        timed["clock"] = json!({"kind": "real_time", "seconds": 600, "increment": 0});
        let table = house.table(timed).await;
        let claims = async || house.say(&table, 0, json!({"type": claim}), None).await;
        let still_here = Err(CommandError::Refused(Refusal::StillHere { seconds: 60 }));
        let (outbox, _inbox) = Outbox::new(Some(person(1)), false, HashSet::new());
        house.hub.watch(&table, &outbox, Watch::default()).await.unwrap();
        house.pass(90_000).await;
        assert_eq!(claims().await, still_here, "the other one is here");
        house.hub.leave(&outbox, [&table]);
        house.pass(100_000).await;
        // Another process has them for a moment; then they are away.
        let present = |seated| Notice::Present { process: "x".to_owned(), table: table.clone(), seated, others: 0 };
        house.hub.hear(present(vec![user(1)])).await.unwrap();
        house.pass(120_000).await;
        house.hub.hear(present(Vec::new())).await.unwrap();
        // Noticed at the next tick.
        house.pass(180_999).await;
        assert_eq!(claims().await, still_here, "not for a minute");
        house.pass(181_000).await;
        let private = house.hub.command(&table, &person(7), None, &Command::ClaimWin, None).await;
        assert_eq!(private, Err(CommandError::Refused(Refusal::NotAPlayer)));
        claims().await.unwrap();
        house
            .look(&table, |state| {
                // A record of the game tells the same.
                let about = About::read(&state.record(0).unwrap()).unwrap();
                let Ending { winners, reason } = state.ending.clone().unwrap();
                (winners, reason, about.last_event(state.game.as_ref()).unwrap().unwrap())
            })
            .await
    };
    let house = || House::new(&Store::memory(), 1);
    let left = "left".to_owned();
    assert_eq!(live(house(), "claim_win").await, (vec![0], left.clone(), Event::Abandoned { seat: 1 }));
    assert_eq!(live(house(), "claim_draw").await, (vec![], left, Event::DrawClaimed { seat: 0 }));
}

#[tokio::test]
async fn who_plays_by_requests_alone_is_not_away() {
    let house = House::new(&Store::memory(), 1);
    let mut timed = open("trexo", 2);
    timed["clock"] = json!({"kind": "real_time", "seconds": 600, "increment": 0});
    let table = house.table(timed).await;
    house.pass(50_000).await;
    house.say(&table, 0, json!({"type": "act", "action": "e5f5"}), None).await.unwrap();
    house.pass(100_000).await;
    let claim = house.say(&table, 1, json!({"type": "claim_win"}), None).await;
    assert_eq!(claim, Err(CommandError::Refused(Refusal::StillHere { seconds: 60 })));
    house.pass(110_000).await;
    house.say(&table, 1, json!({"type": "claim_win"}), None).await.unwrap();
}

#[tokio::test]
async fn between_more_than_two_the_engine_plays_on_for_who_has_left() {
    let house = House::new(&Store::memory(), 1);
    let mut timed = open("mod-x", 3);
    timed["clock"] = json!({"kind": "real_time", "seconds": 600, "increment": 0});
    let table = house.table(timed.clone()).await;
    house.pass(40_000).await;
    house.say(&table, 0, json!({"type": "resign"}), None).await.unwrap();
    let (outbox, _inbox) = Outbox::new(Some(person(2)), false, HashSet::new());
    house.hub.watch(&table, &outbox, Watch::default()).await.unwrap();
    house.pass(70_000).await;
    let refused = house.say(&table, 2, json!({"type": "claim_draw"}), None).await;
    assert_eq!(refused, Err(CommandError::Refused(Refusal::NotTwoSides)));
    house.say(&table, 2, json!({"type": "claim_win"}), None).await.unwrap();
    let seats = house.look(&table, |state| (state.status, state.seats.clone())).await;
    assert_eq!(seats.0, Status::Playing);
    assert_eq!(seats.1.iter().map(|seated| seated.taken_over).collect::<Vec<_>>(), [true, true, false]);

    // A partner who is still there plays on, with the engine.
    timed["game"] = json!("figures");
    timed["seats"] = json!(vec![json!({"kind": "open"}); 4]);
    let teams = house.table(timed.clone()).await;
    let (partner, _inbox) = Outbox::new(Some(person(3)), false, HashSet::new());
    house.hub.watch(&teams, &partner, Watch::default()).await.unwrap();
    house.pass(140_000).await;
    let draw = house.say(&teams, 0, json!({"type": "claim_draw"}), None).await;
    assert_eq!(draw, Err(CommandError::Refused(Refusal::StillHere { seconds: 60 })));
    house.say(&teams, 0, json!({"type": "claim_win"}), None).await.unwrap();
    let seats = house.look(&teams, |state| (state.status, state.seats.clone())).await;
    assert_eq!(seats.0, Status::Playing);
    assert_eq!(seats.1.iter().map(|seated| seated.taken_over).collect::<Vec<_>>(), [false, true, false, false]);
    house.hub.leave(&partner, [&teams]);
    house.pass(202_000).await;
    house.say(&teams, 0, json!({"type": "claim_win"}), None).await.unwrap();
    let ending = house.look(&teams, |state| state.ending.clone()).await.unwrap();
    assert_eq!((ending.winners, ending.reason.as_str()), (vec![0, 2], "left"));

    timed["clock"] = json!({"kind": "correspondence", "days": 1});
    let slow = house.table(timed).await;
    house.pass(270_000).await;
    let refused = house.say(&slow, 0, json!({"type": "claim_win"}), None).await;
    assert_eq!(refused, Err(CommandError::Refused(Refusal::NotLive)));
}

#[tokio::test]
async fn of_two_who_believe_to_be_on_duty_one_lets_the_flag_fall() {
    let store = Store::memory();
    let mut timed = open("trexo", 2);
    timed["clock"] = json!({"kind": "real_time", "seconds": 60, "increment": 0});
    let houses = [House::new(&store, 1), House::new(&store, 2)];
    let table = houses[0].table(timed).await;
    houses[1].look(&table, |_| ()).await;
    for house in &houses {
        house.now.store(61_500, Ordering::Relaxed);
        house.hub.tick().await;
        assert!(house.hub.on_duty(61_500));
    }
    let log = houses[1].hub.entries(&table, 0).await.unwrap();
    assert_eq!(log.iter().filter(|entry| entry.event.contains("flag_fell")).count(), 1);
    assert_eq!(houses[1].look(&table, |state| state.status).await, Status::Finished);
}

#[tokio::test]
async fn who_has_not_heard_of_the_last_lines_catches_up() {
    let store = Store::memory();
    let houses = [House::new(&store, 1), House::new(&store, 2)];
    let table = houses[0].table(open("trexo", 2)).await;
    let mut watch = houses[1].watch(&table, None, None).await;
    let (lobby, mut listed) = Outbox::new(None, false, HashSet::new());
    houses[1].hub.watch_lobby(&lobby);
    houses[0].say(&table, 0, json!({"type": "act", "action": "e5f5"}), None).await.unwrap();
    houses[1].hub.hear(Notice::Missed { since: 0 }).await.unwrap();
    houses[1].hub.tick().await;
    let told: Vec<Value> = waiting(&mut watch).iter().map(|text| parse(text)).collect();
    assert!(told.iter().any(|told| told["events"][0]["action"] == "e5f5"), "{told:?}");
    assert_eq!(parse(&listed.ready().unwrap())["table"], json!(table));
}

#[tokio::test]
async fn a_table_that_cannot_be_read_keeps_no_other_from_going_on() {
    let store = Store::memory();
    let houses = [House::new(&store, 1), House::new(&store, 2)];
    let mut tables = Vec::new();
    for _ in 0..3 {
        let table = houses[0].table(open("trexo", 2)).await;
        tables.push((houses[1].watch(&table, None, None).await, table));
    }
    let (mut watch, good) = tables.remove(1);
    for (_, bad) in &tables {
        let seq = houses[0].look(bad, |state| state.version).await;
        let entry = Entry { seq, at: 1_000, by: None, command: None, event: "nonsense".to_owned() };
        store.append(bad, vec![entry], None).await.unwrap();
    }
    houses[0].say(&good, 0, json!({"type": "act", "action": "e5f5"}), None).await.unwrap();
    houses[1].hub.catch_up(0).await.unwrap();
    let told: Vec<Value> = waiting(&mut watch).iter().map(|text| parse(text)).collect();
    assert!(told.iter().any(|told| told["events"][0]["action"] == "e5f5"), "{told:?}");
}

#[tokio::test]
async fn who_comes_later_takes_no_remark_from_those_who_were_there() {
    let store = Store::memory();
    let houses = [House::with_bus(&store, Broken, 1), House::with_bus(&store, Broken, 2)];
    let table = houses[0].table(open("trexo", 2)).await;
    let mut early = houses[1].watch(&table, None, None).await;
    houses[0].hub.say(&table, &person(0), None, "hello", "1").await.unwrap();
    let _late = houses[1].watch(&table, None, None).await;
    houses[1].hub.catch_up(0).await.unwrap();
    let told: Vec<Value> = waiting(&mut early).iter().map(|text| parse(text)).collect();
    assert!(told.iter().any(|told| told["remarks"][0]["text"] == "hello"), "{told:?}");
}

#[tokio::test]
async fn a_refusal_is_not_for_what_another_process_has_changed() {
    let store = Store::memory();
    let houses = [House::with_bus(&store, Broken, 1), House::with_bus(&store, Broken, 2)];
    let table = houses[0].table(open("trexo", 2)).await;
    let mut watch = houses[1].watch(&table, None, None).await;
    houses[0].say(&table, 0, json!({"type": "act", "action": "e5f5"}), None).await.unwrap();
    houses[1].say(&table, 1, json!({"type": "act", "action": "a1a2"}), None).await.unwrap();
    let told: Vec<Value> = waiting(&mut watch).iter().map(|text| parse(text)["events"][0]["action"].clone()).collect();
    assert_eq!(told, ["e5f5", "a1a2"]);
    let late = houses[0].say(&table, 1, json!({"type": "act", "action": "a1a2"}), None).await;
    assert!(matches!(late, Err(CommandError::Refused(_))), "{late:?}");
}

#[tokio::test]
async fn what_nobody_tells_is_looked_up_now_and_then() {
    let store = Store::memory();
    let houses = [House::with_bus(&store, Broken, 1), House::with_bus(&store, Broken, 2)];
    houses[1].hub.tick().await;
    let mut timed = open("trexo", 2);
    timed["clock"] = json!({"kind": "real_time", "seconds": 60, "increment": 0});
    let table = houses[0].table(timed).await;
    let knows = |house: &House| lock(&house.hub.inner.tables).contains_key(&table);
    assert!(!knows(&houses[1]));
    houses[1].now.store(11_000, Ordering::Relaxed);
    houses[1].hub.tick().await;
    assert!(knows(&houses[1]), "its clock is looked after");
    let mut watch = houses[1].watch(&table, None, None).await;
    houses[0].say(&table, 0, json!({"type": "act", "action": "e5f5"}), None).await.unwrap();
    houses[1].now.store(21_000, Ordering::Relaxed);
    houses[1].hub.tick().await;
    let told: Vec<Value> = waiting(&mut watch).iter().map(|text| parse(text)).collect();
    assert!(told.iter().any(|told| told["events"][0]["action"] == "e5f5"), "{told:?}");
}

#[tokio::test]
async fn a_lost_question_to_an_engine_is_asked_again_by_who_is_on_duty() {
    let asked = Arc::<Mutex<Vec<Job>>>::default();
    let house = House::with_thinkers(&Store::memory(), Alone, Deaf(asked.clone()), 1);
    let seats = json!([{"kind": "open"}, {"kind": "engine", "level": "novice"}]);
    let table = house.table(json!({"game": "trexo", "seats": seats})).await;
    assert!(lock(&asked).is_empty(), "it is not the engine's turn");
    house.say(&table, 0, json!({"type": "act", "action": "e5f5"}), None).await.unwrap();
    assert_eq!(lock(&asked).len(), 1);
    for (moment, times) in [(10_999, 1), (11_000, 2), (30_999, 2), (31_000, 3)] {
        house.now.store(moment, Ordering::Relaxed);
        house.hub.tick().await;
        assert_eq!(lock(&asked).len(), times, "at {moment}");
    }
    let job = lock(&asked)[0].clone();
    let gate = Gate::new(1);
    let answer = think(&job, &AtomicBool::new(false), &gate, |_| ()).0.unwrap();
    assert_eq!(think(&job, &AtomicBool::new(true), &gate, |_| ()).0, Err(Unanswered::Stopped));
    for foul in [Found::Act { seat: 200, action: "a1a2".to_owned() }, Found::Act { seat: 0, action: "a1a2".to_owned() }]
    {
        let (table, version) = (answer.table.clone(), answer.version);
        assert_eq!(house.hub.answer(Answer { table, version, found: foul }).await, Fate::Settled);
        assert_eq!(house.look(&answer.table, |state| state.version).await, answer.version);
    }
    for _ in 0..2 {
        assert_eq!(house.hub.answer(answer.clone()).await, Fate::Settled);
        assert_eq!(house.look(&table, |state| state.game.ply()).await, 2, "taken once");
    }
}

#[tokio::test]
async fn a_finished_game_is_analysed_once_for_all() {
    let house = House::new(&Store::memory(), 1);
    let table = house.table(open("figures", 2)).await;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for _ in 0..3 {
        house.play(&table, &mut rng).await;
    }
    let refused = house.hub.analyse(&table, None, None).await;
    assert_eq!(refused, Err(CommandError::Refused(Refusal::NotOver)));
    house.say(&table, 0, json!({"type": "resign"}), None).await.unwrap();
    assert_eq!(house.hub.analyse(&table, None, None).await, Ok(Analysis::Running { done: 0, of: 3 }));
    let moves = loop {
        match house.hub.analyse(&table, None, None).await.unwrap() {
            Analysis::Done { moves } => break moves,
            Analysis::Running { .. } => tokio::time::sleep(Duration::from_millis(1)).await,
        }
    };
    assert_eq!(moves.iter().map(|judged| judged.ply).collect::<Vec<_>>(), [1, 2, 3]);
}

#[tokio::test]
async fn games_wait_to_be_analysed_in_a_line_that_has_an_end() {
    let store = Store::memory();
    let house = House::with_thinkers(&store, Alone, Deaf::default(), 1);
    let mut games = Vec::new();
    for _ in 0..4 {
        let table = house.table(open("trexo", 2)).await;
        house.say(&table, 0, json!({"type": "resign"}), None).await.unwrap();
        games.push(table);
    }
    let asks = async |who: usize, game: usize| house.hub.analyse(&games[game], Some(user(who)), None).await;
    for game in 0..3 {
        assert!(asks(0, game).await.is_ok());
    }
    // Nothing is heard of a game that waits.
    house.now.store(200_000, Ordering::Relaxed);
    assert!(matches!(asks(0, 3).await, Err(CommandError::TooMuch(_))), "one user has three at once");
    assert!(asks(0, 2).await.is_ok(), "one that waits can be asked for");
    house.hub.analysed(&games[0], &[]).await.unwrap();
    assert!(asks(0, 3).await.is_ok(), "the next, as one is done");

    for other in 0..47 {
        store.begin_analysis(&TableId(format!("other{other}")), 9, 200_000, 0).await.unwrap();
    }
    house.now.store(400_000, Ordering::Relaxed);
    let next = house.table(open("trexo", 2)).await;
    house.say(&next, 0, json!({"type": "resign"}), None).await.unwrap();
    let refused = house.hub.analyse(&next, Some(user(1)), None).await;
    assert!(matches!(refused, Err(CommandError::TooMuch(_))), "the line is full: {refused:?}");
    assert!(asks(1, 1).await.is_ok(), "who is in it stays there");
}
