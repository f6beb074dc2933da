//! Tables that live: races, watchers, secrets, engines and clocks.

mod processes;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use quincunx_core::{Turn, Viewer};
use quincunx_table::{Event, Person, Subscription, UserKind, merge, missed};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

use super::duty::IDLE;
use super::*;
use crate::cluster::{Alone, Local};
use crate::store::NewUser;
use crate::store::{PlayerFilter, TableFilter};

#[derive(Clone)]
struct House {
    hub: Hub,
    now: Arc<AtomicI64>,
}

fn user(seat: usize) -> UserId {
    UserId(seat as i64 + 1)
}

fn person(seat: usize) -> Person {
    Person { id: user(seat), name: "Ada".to_owned(), kind: UserKind::Account }
}

impl House {
    fn new(store: &Store, seed: u8) -> Self {
        Self::with_bus(store, Alone, seed)
    }

    fn with_bus(store: &Store, bus: impl Bus + 'static, seed: u8) -> Self {
        Self::with_thinkers(store, bus, Local::new(2, 60), seed)
    }

    fn with_thinkers(store: &Store, bus: impl Bus + 'static, thinkers: impl Thinkers + 'static, seed: u8) -> Self {
        let now = Arc::new(AtomicI64::new(1_000));
        let clock = now.clone();
        let hub = Hub::seeded(store.clone(), bus, thinkers, move || clock.load(Ordering::Relaxed), [seed; 32]);
        Self { hub, now }
    }

    async fn table(&self, setup: Value) -> TableId {
        let people = setup["seats"].as_array().unwrap().iter().enumerate();
        let people: Vec<usize> = people.filter(|(_, plan)| plan["kind"] == "open").map(|(seat, _)| seat).collect();
        let setup = serde_json::from_value(setup).unwrap();
        let Created { table, invitation } = self.hub.create(setup, &person(0), None).await.unwrap();
        for seat in people {
            let sit = json!({"type": "sit", "seat": seat, "invitation": invitation});
            self.say(&table, seat, sit, None).await.unwrap();
        }
        table
    }

    async fn say(&self, table: &TableId, who: usize, command: Value, id: Option<&str>) -> Result<Done, CommandError> {
        let command = serde_json::from_value(command).unwrap();
        self.hub.command(table, &person(who), None, &command, id).await
    }

    /// Time passes as it does at a server that runs.
    async fn pass(&self, until: Millis) {
        for moment in (self.now.load(Ordering::Relaxed)..until).step_by(1_000).skip(1).chain([until]) {
            self.now.store(moment, Ordering::Relaxed);
            self.hub.tick().await;
        }
    }

    async fn look<T>(&self, table: &TableId, look: impl FnOnce(&State) -> T) -> T {
        let slot = self.hub.slot(table);
        let mut live = slot.live.lock().await;
        look(self.hub.load(&slot, &mut live).await.unwrap())
    }

    /// A random action of the seat on turn, if it is a person's.
    async fn play(&self, table: &TableId, rng: &mut Xoshiro256PlusPlus) -> bool {
        let next = self.look(table, |state| match state.game.turn() {
            Turn::Seat(seat) if state.status == Status::Playing && !state.is_engine(seat) => {
                let actions = state.game.actions(seat);
                Some((seat.index(), actions[rng.random_range(0..actions.len())].clone()))
            }
            _ => None,
        });
        let Some((seat, action)) = next.await else { return false };
        self.say(table, seat, json!({"type": "act", "action": action}), None).await.unwrap();
        true
    }

    async fn watch(&self, table: &TableId, who: Option<usize>, since: Option<u64>) -> Watched {
        self.try_watch(table, who, None, since).await.unwrap()
    }

    async fn try_watch(
        &self,
        table: &TableId,
        who: Option<usize>,
        invitation: Option<&str>,
        since: Option<u64>,
    ) -> Result<Watched, CommandError> {
        let (outbox, mut inbox) = Outbox::new(who.map(person), false, HashSet::new());
        self.hub.watch(table, &outbox, Watch { invitation, since, ..Watch::default() }).await?;
        Ok(Watched { first: inbox.ready(), inbox })
    }

    async fn snapshot(&self, table: &TableId, who: Option<usize>) -> Value {
        parse(&self.watch(table, who, None).await.first.unwrap())
    }
}

/// What a client of the tests is told: first, and later.
struct Watched {
    first: Option<Utf8Bytes>,
    inbox: Inbox,
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// A view as merge patches see it: a member that is null and one that is missing are the same.
fn shown(view: &Value) -> Value {
    let Value::Object(members) = view else { return view.clone() };
    let present = members.iter().filter(|(_, member)| !member.is_null());
    Value::Object(present.map(|(name, member)| (name.clone(), shown(member))).collect())
}

fn open(game: &str, seats: usize) -> Value {
    json!({"game": game, "seats": vec![json!({"kind": "open"}); seats]})
}

fn waiting(watch: &mut Watched) -> Vec<Utf8Bytes> {
    std::iter::from_fn(|| watch.inbox.ready()).collect()
}

#[tokio::test]
async fn two_processes_share_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.db");
    let (one, two) = (Store::sqlite(&path).await.unwrap(), Store::sqlite(&path).await.unwrap());
    let houses = [House::new(&one, 1), House::new(&two, 2)];
    let table = houses[0].table(open("trexo", 2)).await;
    let mut watches = [houses[0].watch(&table, None, None).await, houses[1].watch(&table, None, None).await];
    let race = |house: usize| {
        let (house, table) = (houses[house].clone(), table.clone());
        async move {
            let mut done = Vec::new();
            for round in 0..10 {
                for command in [json!({"type": "offer_draw"}), json!({"type": "answer_draw", "accept": false})] {
                    let id = format!("{round} {command}");
                    let seat = usize::from(command["type"] == "answer_draw");
                    if house.say(&table, seat, command, Some(&id)).await.is_ok() {
                        done.push((user(seat), id));
                    }
                }
            }
            done
        }
    };
    let (first, second) = tokio::join!(race(0), race(1));
    let log = houses[0].hub.entries(&table, 0).await.unwrap();
    assert!(log.iter().enumerate().all(|(at, entry)| entry.seq == at as u64));
    assert!(!first.is_empty() && !second.is_empty());
    for (by, id) in first.into_iter().chain(second) {
        let lines = log.iter().filter(|entry| entry.by == Some(by) && entry.command.as_deref() == Some(&id)).count();
        assert_eq!(lines, 1, "{id}");
    }
    let mut told: Vec<Vec<Value>> = Vec::new();
    for (house, watch) in houses.iter().zip(&mut watches) {
        house
            .hub
            .hear(Notice::Grown { table: table.clone(), version: log.len() as u64, awaited: false })
            .await
            .unwrap();
        let events = waiting(watch).iter().flat_map(|text| parse(text)["events"].as_array().unwrap().clone()).collect();
        told.push(events);
    }
    assert_eq!(told[0], told[1]);
    assert_eq!(told[0].len(), log.len() - 4, "all but: created, two joined, started");
}

#[tokio::test]
async fn a_repeated_command_is_done_once() {
    let house = House::new(&Store::memory(), 1);
    let table = house.table(open("trexo", 2)).await;
    let act = json!({"type": "act", "action": "e5f5"});
    let done = house.say(&table, 0, act.clone(), Some("a")).await.unwrap();
    assert_eq!(house.say(&table, 0, act.clone(), Some("a")).await, Ok(done));
    assert!(matches!(house.say(&table, 0, act, Some("b")).await, Err(CommandError::Refused(_))));
}

#[tokio::test]
async fn a_table_is_set_up_once_for_each_command_id() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.db");
    let (one, two) = (Store::sqlite(&path).await.unwrap(), Store::sqlite(&path).await.unwrap());
    let houses = [House::new(&one, 1), House::new(&two, 2)];
    let create = |house: usize, who: usize, id: &'static str| {
        let setup = serde_json::from_value(open("trexo", 2)).unwrap();
        let hub = houses[house].hub.clone();
        async move { hub.create(setup, &person(who), Some(id)).await.unwrap() }
    };
    let (first, again) = tokio::join!(create(0, 0, "a"), create(1, 0, "a"));
    assert_eq!(first, again);
    let (other_id, other_user) = (create(0, 0, "b").await, create(0, 1, "a").await);
    houses[0].say(&first.table, 1, json!({"type": "sit", "seat": 0}), None).await.unwrap();
    let restarted = House::new(&two, 3);
    let setup = serde_json::from_value(open("trexo", 2)).unwrap();
    assert_eq!(restarted.hub.create(setup, &person(0), Some("a")).await, Ok(first.clone()));
    assert_eq!(restarted.look(&first.table, |state| state.version).await, 2);
    let names: HashSet<TableId> = [first, other_id, other_user].map(|created| created.table).into();
    assert_eq!(names.len(), 3);
    assert_eq!(one.tables(&TableFilter::default()).await.unwrap().len(), 3);
}

#[tokio::test]
async fn who_comes_back_is_told_what_he_missed_and_sees_what_all_see() {
    for game in ["castle-builders", "x-marks-the-spot"] {
        let house = House::new(&Store::memory(), 3);
        let table = house.table(open(game, 2)).await;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        for who in [Some(0), Some(1), None] {
            let mut seen = house.snapshot(&table, who).await;
            let mut steady = house.watch(&table, who, None).await;
            for _ in 0..8 {
                house.play(&table, &mut rng).await;
            }
            let back = house.watch(&table, who, seen["version"].as_u64()).await;
            let missed = parse(&back.first.unwrap());
            let steady: Vec<Value> = waiting(&mut steady).iter().map(|text| parse(text)).collect();
            let one_by_one: Vec<&Value> = steady.iter().flat_map(|told| told["events"].as_array().unwrap()).collect();
            assert_eq!(missed["events"].as_array().unwrap().iter().collect::<Vec<_>>(), one_by_one);
            let fresh = house.snapshot(&table, who).await;
            assert_eq!(missed["version"], fresh["version"]);
            let mut step_by_step = shown(&seen["position"]["view"]);
            for told in &steady {
                merge(&mut step_by_step, &told["view"]);
            }
            let mut view = shown(&seen["position"]["view"].take());
            merge(&mut view, &missed["view"]);
            assert_eq!(shown(&view), shown(&fresh["position"]["view"]));
            assert_eq!(step_by_step, view);
        }
    }
}

#[tokio::test]
async fn who_has_missed_a_little_is_told_without_a_look_at_the_log() {
    let house = House::new(&Store::memory(), 3);
    let table = house.table(open("castle-builders", 2)).await;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    // Nobody gets to read a log.
    let _reading = house.hub.inner.readers.acquire().await.unwrap();
    for _ in 0..8 {
        let before = house.look(&table, |state| state.version).await;
        house.play(&table, &mut rng).await;
        for who in [Some(0), Some(1), None] {
            let told = parse(&house.watch(&table, who, Some(before)).await.first.unwrap());
            let log = house.hub.entries(&table, 0).await.unwrap();
            let from_log = missed(GAMES, &table, &log, before, Subscription::of(who.map(user))).unwrap();
            assert_eq!(told, parse(&from_log.to_text()));
        }
    }
}

#[tokio::test]
async fn a_table_goes_on_while_a_log_is_read_for_a_watcher_who_hears_all_in_order() {
    let house = House::new(&Store::memory(), 3);
    let table = house.table(open("trexo", 2)).await;
    let since = house.look(&table, |state| state.version).await;
    for _ in 0..40 {
        house.say(&table, 0, json!({"type": "offer_draw"}), None).await.unwrap();
        house.say(&table, 1, json!({"type": "answer_draw", "accept": false}), None).await.unwrap();
    }
    // Somebody else's log is being read.
    let reading = house.hub.inner.readers.acquire().await.unwrap();
    let (outbox, mut inbox) = Outbox::new(None, false, HashSet::new());
    let watching = {
        let (hub, table) = (house.hub.clone(), table.clone());
        tokio::spawn(async move { hub.watch(&table, &outbox, Watch { since: Some(since), ..Watch::default() }).await })
    };
    let slot = house.hub.slot(&table);
    while lock(&slot.audience).is_empty() {
        tokio::task::yield_now().await;
    }
    house.say(&table, 0, json!({"type": "act", "action": "e5f5"}), None).await.unwrap();
    house.say(&table, 1, json!({"type": "act", "action": "e6f6"}), None).await.unwrap();
    assert_eq!(inbox.ready(), None, "what comes first is not there yet");
    drop(reading);
    let Watching { version, cost } = watching.await.unwrap().unwrap();
    assert_eq!((version, cost), (since + 80, (since + 80) as u32 / 50));
    let told: Vec<Value> = std::iter::from_fn(|| inbox.ready()).map(|text| parse(&text)).collect();
    let lines: Vec<(u64, u64)> = told
        .iter()
        .filter(|told| told["type"] == "update")
        .map(|told| (told["from"].as_u64().unwrap(), told["version"].as_u64().unwrap()))
        .collect();
    assert_eq!(lines, [(since, since + 80), (since + 80, since + 81), (since + 81, since + 82)]);
}

#[tokio::test]
async fn what_is_not_told_is_as_before() {
    let house = House::new(&Store::memory(), 1);
    let mut setup = open("trexo", 2);
    setup["clock"] = json!({"kind": "real_time", "seconds": 60, "increment": 0});
    let setup = serde_json::from_value(setup).unwrap();
    let table = house.hub.create(setup, &person(0), None).await.unwrap().table;
    let mut watch = house.watch(&table, None, None).await;
    let mut known = parse(watch.first.as_ref().unwrap());
    let mut told = 0;
    for (who, command) in [
        (0, json!({"type": "sit", "seat": 0})),
        (1, json!({"type": "sit", "seat": 1})),
        (0, json!({"type": "act", "action": "e5f5"})),
        (0, json!({"type": "ask_undo"})),
        (1, json!({"type": "answer_undo", "grant": true})),
        (0, json!({"type": "act", "action": "e5f5"})),
        (0, json!({"type": "offer_draw"})),
        (1, json!({"type": "answer_draw", "accept": false})),
        (1, json!({"type": "resign"})),
    ] {
        house.now.fetch_add(1_000, Ordering::Relaxed);
        house.say(&table, who, command, None).await.unwrap();
        let happened = parse(&waiting(&mut watch)[0]);
        let fresh = house.snapshot(&table, None).await;
        for member in ["version", "status", "seats", "clocks", "draw_offer", "undo", "ending", "rematch"] {
            if let Some(value) = happened.get(member) {
                assert_ne!(*value, known[member], "{member} has not changed");
                known[member] = value.clone();
                told += 1;
            }
            assert_eq!(known[member], fresh[member], "{member}");
        }
        assert_eq!(happened["turn"], fresh["position"]["turn"]);
        assert_eq!(happened["scores"], fresh["position"]["scores"]);
    }
    assert!(told > 20, "{told}");
}

#[tokio::test]
async fn where_nothing_is_hidden_all_are_told_the_same() {
    let house = House::new(&Store::memory(), 1);
    let table = house.table(open("trexo", 2)).await;
    let mut watches = Vec::new();
    for who in [Some(0), Some(1), None] {
        watches.push(house.watch(&table, who, None).await);
    }
    house.say(&table, 0, json!({"type": "act", "action": "e5f5"}), None).await.unwrap();
    let texts: Vec<Utf8Bytes> = watches.iter_mut().flat_map(waiting).collect();
    assert_eq!(texts.len(), 3);
    let shared = texts[0].as_str().as_ptr();
    assert!(texts.iter().all(|text| text.as_str().as_ptr() == shared), "the text was made once");
}

#[tokio::test]
async fn nobody_is_told_what_is_hidden_from_him() {
    for game in ["castle-builders", "x-marks-the-spot"] {
        let house = House::new(&Store::memory(), 5);
        let table = house.table(open(game, 2)).await;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
        let mut redacted = 0;
        for _ in 0..30 {
            let ply = house.look(&table, |state| state.game.ply()).await;
            let mut watches = Vec::new();
            for who in [Some(0), Some(1), None] {
                watches.push((who, house.watch(&table, who, None).await));
            }
            if !house.play(&table, &mut rng).await || house.look(&table, |state| state.status).await != Status::Playing
            {
                break;
            }
            for (who, watch) in &mut watches {
                let (may_read, all, view) = house
                    .look(&table, |state| {
                        let viewer = state.viewer(who.map(user));
                        assert_ne!(viewer, Viewer::Everything);
                        let texts = |viewer| -> Vec<String> {
                            state.game.log(viewer)[ply..].iter().map(|line| line.action.clone()).collect()
                        };
                        (texts(viewer), texts(Viewer::Everything), parse(&state.game.view_json(viewer)))
                    })
                    .await;
                let told = parse(&waiting(watch)[0]);
                let read: Vec<&str> =
                    told["events"].as_array().unwrap().iter().filter_map(|event| event["action"].as_str()).collect();
                assert_eq!(read, may_read);
                redacted += usize::from(may_read != all);
                let mut seen = shown(&parse(watch.first.as_ref().unwrap())["position"]["view"]);
                merge(&mut seen, &told["view"]);
                assert_eq!(shown(&seen), shown(&view));
            }
        }
        assert!(redacted > 5, "{game}: {redacted}");
    }
}

#[tokio::test]
async fn a_private_table_is_for_its_people_and_only_the_host_gets_the_invitation() {
    let house = House::new(&Store::memory(), 1);
    let mut setup = open("trexo", 2);
    setup["public"] = json!(false);
    let setup = serde_json::from_value(setup).unwrap();
    let Created { table, invitation: key } = house.hub.create(setup, &person(0), None).await.unwrap();
    let stranger = house.try_watch(&table, Some(1), None, None).await;
    assert_eq!(stranger.err(), Some(CommandError::NoSuchTable));
    let guess = "a".repeat(key.len());
    assert_eq!(house.try_watch(&table, Some(1), Some(&guess), None).await.err(), Some(CommandError::NoSuchTable));
    // Also who says to have seen it before.
    for since in [0, 1, 2, u64::MAX] {
        for key in [None, Some(guess.as_str())] {
            let refused = house.try_watch(&table, Some(1), key, Some(since)).await.err();
            assert_eq!(refused, Some(CommandError::NoSuchTable), "since {since}");
        }
    }
    let invited = house.try_watch(&table, Some(1), Some(&key), None).await.unwrap();
    assert!(!invited.first.unwrap().contains(&key));
    assert_eq!(house.snapshot(&table, Some(0)).await["invitation"], json!(key));
}

#[tokio::test]
async fn those_who_played_play_again_at_one_table_a_seat_further() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.db");
    let (one, two) = (Store::sqlite(&path).await.unwrap(), Store::sqlite(&path).await.unwrap());
    let houses = [House::new(&one, 1), House::new(&two, 2)];
    let mut setup = open("mod-x", 3);
    setup["seats"][2] = json!({"kind": "engine", "level": "novice"});
    (setup["public"], setup["shuffled"]) = (json!(false), json!(false));
    let played = houses[0].table(setup).await;
    let rematch = json!({"type": "rematch"});
    let early = houses[0].say(&played, 0, rematch.clone(), None).await;
    assert_eq!(early, Err(Refusal::NotPlayed.into()));
    houses[0].say(&played, 0, json!({"type": "resign"}), None).await.unwrap();
    // Now nobody plays any more.
    houses[0].say(&played, 1, json!({"type": "resign"}), None).await.unwrap();
    assert_eq!(houses[0].look(&played, |state| state.status).await, Status::Finished);
    let mut watch = houses[0].watch(&played, Some(0), None).await;
    let stranger = houses[0].say(&played, 4, rematch.clone(), None).await;
    assert_eq!(stranger, Err(CommandError::NoSuchTable));

    // Both ask at once, at two processes, and one of them once more.
    let ask = |house: usize, who: usize| houses[house].say(&played, who, rematch.clone(), Some("again"));
    let (first, second) = tokio::join!(ask(0, 0), ask(1, 1));
    let next = first.unwrap().table.unwrap();
    assert_eq!(second.unwrap().table, Some(next.clone()));
    assert_eq!(ask(1, 0).await.unwrap().table, Some(next.clone()));
    let log = houses[0].hub.entries(&played, 0).await.unwrap();
    let noted = log.iter().filter(|entry| entry.event.contains("rematch")).count();
    assert_eq!((noted, one.tables(&TableFilter::default()).await.unwrap().len()), (1, 2));
    houses[0]
        .hub
        .hear(Notice::Grown { table: played.clone(), version: log.len() as u64, awaited: false })
        .await
        .unwrap();
    assert_eq!(parse(&waiting(&mut watch)[0])["rematch"], json!(next));

    let (status, users, engine) = House::new(&two, 3)
        .look(&next, |state| {
            let users: Vec<Option<UserId>> = state.seats.iter().map(|seated| seated.user).collect();
            (state.status, users, state.seats[0].engine.clone())
        })
        .await;
    assert_eq!((status, users), (Status::Playing, vec![None, Some(user(0)), Some(user(1))]));
    assert_eq!(engine.as_deref(), Some("novice"));
}

#[tokio::test]
async fn a_rematch_waits_for_all_and_welcomes_them() {
    let store = Store::memory();
    let house = House::new(&store, 1);
    let mut setup = open("trexo", 2);
    setup["public"] = json!(false);
    let played = house.table(setup).await;
    house.say(&played, 1, json!({"type": "resign"}), None).await.unwrap();
    let done = house.say(&played, 1, json!({"type": "rematch"}), Some("r")).await.unwrap();
    let next = done.table.unwrap();
    let snapshot = house.snapshot(&next, Some(0)).await;
    assert_eq!((&snapshot["status"], &snapshot["seats"][0]["user"]), (&json!("open"), &json!(user(1))));
    assert_eq!(house.try_watch(&next, None, None, None).await.err(), Some(CommandError::NoSuchTable));
    let of_first = TableFilter { player: Some(PlayerFilter::new(user(0))), ..TableFilter::default() };
    let waiting = store.tables(&TableFilter { status: Some(Status::Open), ..of_first }).await.unwrap();
    assert!(matches!(&waiting[..], [table] if table.table == next));
    // A repeated command does not bring back who has left since.
    house.say(&next, 1, json!({"type": "leave"}), None).await.unwrap();
    house.say(&played, 1, json!({"type": "rematch"}), Some("r")).await.unwrap();
    assert!(!house.look(&next, |state| state.is_player(user(1))).await);
    for who in [0, 1] {
        house.say(&played, who, json!({"type": "rematch"}), Some("once more")).await.unwrap();
    }
    assert_eq!(house.look(&next, |state| state.status).await, Status::Playing);
}

#[tokio::test]
async fn who_does_not_keep_up_is_closed() {
    let house = House::new(&Store::memory(), 1);
    let table = house.table(open("trexo", 2)).await;
    let mut watch = house.watch(&table, None, None).await;
    let closing = watch.inbox.closing();
    let mut sent = 0;
    while sent <= outbox::WAITING {
        house.say(&table, 0, json!({"type": "offer_draw"}), None).await.unwrap();
        house.say(&table, 1, json!({"type": "answer_draw", "accept": false}), None).await.unwrap();
        sent += 2;
    }
    closing.await;
    assert_eq!(waiting(&mut watch).len(), outbox::WAITING);
}

#[tokio::test]
async fn a_game_against_the_engine_is_played_to_its_end() {
    let house = House::new(&Store::memory(), 7);
    let seats = json!([{"kind": "open"}, {"kind": "engine", "level": "novice"}]);
    let table = house.table(json!({"game": "castle-builders", "seats": seats})).await;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    while house.look(&table, |state| state.status).await == Status::Playing {
        if !house.play(&table, &mut rng).await {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    let by_engine = house.hub.entries(&table, 0).await.unwrap().into_iter().filter(|entry| {
        matches!(serde_json::from_str(&entry.event), Ok(Event::Acted { seat: Some(1), .. })) && entry.by.is_none()
    });
    assert!(by_engine.count() > 3);
}

#[tokio::test]
async fn a_game_that_an_earlier_version_left_to_engines_is_broken_off() {
    let (before, now) = (House::new(&Store::memory(), 1), Store::memory());
    let mut setup = open("mod-x", 3);
    setup["seats"][2] = json!({"kind": "engine", "level": "master"});
    let table = before.table(setup).await;
    before.say(&table, 0, json!({"type": "resign"}), None).await.unwrap();
    before.say(&table, 1, json!({"type": "resign"}), None).await.unwrap();
    let mut log = before.hub.entries(&table, 0).await.unwrap();
    assert!(log.pop().unwrap().event.contains("broken_off"));
    let state = State::replay(GAMES, table.clone(), &log).unwrap();
    assert_eq!(state.status, Status::Playing);
    now.append(&table, log, Some(state.listing(1_000))).await.unwrap();

    let house = House::new(&now, 2);
    house.hub.tick().await;
    house.hub.resume().await.unwrap();
    house.hub.tick().await;
    let summary = now.summary(&table).await.unwrap().unwrap();
    assert_eq!((summary.status, summary.winners), (Status::Finished, Some(Vec::new())));
}

#[tokio::test]
async fn a_flag_falls_in_time_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::sqlite(folder.path().join("tables.db")).await.unwrap();
    for restart in [false, true] {
        let mut house = House::new(&store, 9 + u8::from(restart));
        let mut setup = open("trexo", 2);
        setup["clock"] = json!({"kind": "real_time", "seconds": 60, "increment": 0});
        let table = house.table(setup).await;
        if restart {
            house = House::new(&store, 20);
            house.hub.resume().await.unwrap();
        }
        // Half a second longer than the clock: a move may be under way.
        house.pass(61_499).await;
        assert_eq!(house.look(&table, |state| state.status).await, Status::Playing);
        house.pass(61_500).await;
        assert_eq!(store.summary(&table).await.unwrap().unwrap().status, Status::Finished);
    }
}

/// Storage with two accounts, and a rated table at which they play.
async fn rated_game(store: &Store) -> (House, TableId) {
    for (seat, name) in ["Ada", "Bo"].into_iter().enumerate() {
        let new = NewUser { name: name.to_owned(), kind: UserKind::Account, owner: None, password: None, at: 0 };
        assert_eq!(store.add_user(new).await.unwrap().id, user(seat));
    }
    let house = House::new(store, 1);
    let mut setup = open("trexo", 2);
    (setup["rated"], setup["clock"]) = (json!(true), json!({"kind": "correspondence", "days": 1}));
    let table = house.table(setup).await;
    house.say(&table, 0, json!({"type": "act", "action": "e5f5"}), None).await.unwrap();
    house.say(&table, 1, json!({"type": "act", "action": "e6f6"}), None).await.unwrap();
    (house, table)
}

async fn games_of_both(store: &Store) -> Vec<u32> {
    let mut games = Vec::new();
    for seat in 0..2 {
        games.push(store.rating(user(seat), "trexo", "correspondence").await.unwrap().map_or(0, |rating| rating.games));
    }
    games
}

#[tokio::test]
async fn a_rated_game_is_counted_once_when_it_ends() {
    let store = Store::memory();
    let (house, table) = rated_game(&store).await;
    assert_eq!(games_of_both(&store).await, [0, 0]);
    house.say(&table, 0, json!({"type": "resign"}), None).await.unwrap();
    while games_of_both(&store).await == [0, 0] {
        tokio::task::yield_now().await;
    }
    house.hub.resume().await.unwrap();
    assert_eq!(games_of_both(&store).await, [1, 1]);
}

#[tokio::test]
async fn a_game_whose_end_was_not_counted_is_counted_at_the_next_start() {
    let store = Store::memory();
    let (house, table) = rated_game(&store).await;
    // A process that ends between the end of the game and its counting.
    let log = house.hub.entries(&table, 0).await.unwrap();
    let mut state = State::replay(GAMES, table.clone(), &log).unwrap();
    let request = Request { person: &person(0), seat: None, command: None, at: 2_000 };
    let decision = state.decide(&Command::Resign, request, &mut Xoshiro256PlusPlus::seed_from_u64(1)).unwrap();
    store.append(&table, decision.entries, Some(state.listing(2_000))).await.unwrap();
    for start in 2..4 {
        House::new(&store, start).hub.resume().await.unwrap();
        assert_eq!(games_of_both(&store).await, [1, 1]);
    }
}

#[tokio::test]
async fn games_whose_ends_were_not_counted_are_counted_in_the_order_in_which_they_ended() {
    for reversed in [false, true] {
        let store = Store::memory();
        let (house, first) = rated_game(&store).await;
        let mut setup = open("trexo", 2);
        (setup["rated"], setup["clock"]) = (json!(true), json!({"kind": "correspondence", "days": 1}));
        let second = house.table(setup).await;
        house.say(&second, 0, json!({"type": "act", "action": "e5f5"}), None).await.unwrap();
        house.say(&second, 1, json!({"type": "act", "action": "e6f6"}), None).await.unwrap();
        // A process that ends before it has counted anything; the first game is lost by one, the second by the other.
        for (table, loser, at) in [(&first, 0, 5_000), (&second, 1, if reversed { 4_000 } else { 6_000 })] {
            let log = house.hub.entries(table, 0).await.unwrap();
            let mut state = State::replay(GAMES, table.clone(), &log).unwrap();
            let request = Request { person: &person(loser), seat: None, command: None, at };
            let decision = state.decide(&Command::Resign, request, &mut Xoshiro256PlusPlus::seed_from_u64(1)).unwrap();
            store.append(table, decision.entries, Some(state.listing(at))).await.unwrap();
        }
        House::new(&store, 2).hub.resume().await.unwrap();
        assert_eq!(games_of_both(&store).await, [2, 2]);
        assert_eq!(crate::people::ratings::recompute(&store).await, Ok((2, Vec::new())));
        // Who has won the game that ended last has gained from it on top of a loss, but less than it took.
        let counted: Vec<TableId> = store.counted(0, 9).await.unwrap().into_iter().map(|game| game.table).collect();
        assert_eq!(counted, if reversed { [second, first] } else { [first, second] });
    }
}

#[tokio::test]
async fn a_game_whose_log_cannot_be_read_keeps_no_other_from_being_counted() {
    let store = Store::memory();
    let (house, table) = rated_game(&store).await;
    let bad = TableId("bad".to_owned());
    let listing = house.look(&table, |state| state.listing(1)).await;
    let summary = quincunx_table::protocol::Listing { table: bad.clone(), status: Status::Finished, ..listing };
    let entry = Entry { seq: 0, at: 1, by: None, command: None, event: "nonsense".to_owned() };
    store.append(&bad, vec![entry], Some(summary)).await.unwrap();
    house.say(&table, 0, json!({"type": "resign"}), None).await.unwrap();
    house.hub.resume().await.unwrap();
    assert_eq!(games_of_both(&store).await, [1, 1]);
    assert_eq!(store.uncounted(0, 9).await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_table_to_which_nobody_comes_is_given_up() {
    const DAY: Millis = 24 * 60 * 60 * 1000;
    let store = Store::memory();
    let house = House::new(&store, 1);
    let setup = |seats: usize| serde_json::from_value(open("trexo", seats)).unwrap();
    let old = house.hub.create(setup(2), &person(0), None).await.unwrap().table;
    let played = house.table(open("trexo", 2)).await;
    house.now.fetch_add(6 * DAY, Ordering::Relaxed);
    let young = house.hub.create(setup(2), &person(0), None).await.unwrap().table;
    house.hub.tick().await;
    assert_eq!(store.summary(&old).await.unwrap().unwrap().status, Status::Open);
    house.now.fetch_add(DAY + 1, Ordering::Relaxed);
    house.hub.tick().await;
    let mut found = Vec::new();
    for table in [&old, &played, &young] {
        found.push(store.summary(table).await.unwrap().unwrap().status);
    }
    assert_eq!(found, [Status::Aborted, Status::Playing, Status::Open]);
}

#[tokio::test]
async fn a_move_after_the_time_is_up_does_not_count_although_the_flag_has_not_fallen_yet() {
    let house = House::new(&Store::memory(), 1);
    let mut setup = open("trexo", 2);
    setup["clock"] = json!({"kind": "real_time", "seconds": 60, "increment": 5});
    let table = house.table(setup).await;
    house.now.store(61_000, Ordering::Relaxed);
    let late = house.say(&table, 0, json!({"type": "act", "action": "e5f5"}), None).await;
    assert_eq!(late, Err(CommandError::Refused(Refusal::TimeIsUp)));
    house.now.store(61_500, Ordering::Relaxed);
    house.hub.tick().await;
    assert_eq!(house.look(&table, |state| state.status).await, Status::Finished);
}

#[tokio::test]
async fn seats_that_others_keep_for_somebody_do_not_count_against_him() {
    let house = House::new(&Store::memory(), 1);
    let seats = json!([{"kind": "player", "user": user(1)}, {"kind": "open"}]);
    let setup = serde_json::from_value(json!({"game": "trexo", "seats": seats})).unwrap();
    let table = house.hub.create(setup, &person(0), None).await.unwrap().table;
    assert_eq!(house.hub.tables_of(user(1)).await, Ok((0, 0)));
    house.say(&table, 1, json!({"type": "sit", "seat": 0}), None).await.unwrap();
    assert_eq!(house.hub.tables_of(user(1)).await, Ok((1, 0)));
}

#[tokio::test]
async fn idle_tables_leave_memory_and_watched_ones_stay() {
    let house = House::new(&Store::memory(), 1);
    let (idle, watched) = (house.table(open("trexo", 2)).await, house.table(open("trexo", 2)).await);
    let watch = house.watch(&watched, None, None).await;
    house.hub.resume().await.unwrap();
    house.now.fetch_add(IDLE + 1, Ordering::Relaxed);
    house.hub.tick().await;
    let loaded: Vec<TableId> = lock(&house.hub.inner.tables).keys().cloned().collect();
    assert_eq!(loaded, [watched]);
    drop(watch);
    assert!(house.look(&idle, |state| state.status == Status::Playing).await);
}

#[tokio::test]
async fn another_hidden_draw_is_told_in_the_same_bytes() {
    for game in ["castle-builders", "x-marks-the-spot"] {
        let house = House::new(&Store::memory(), 11);
        let table = house.table(open(game, 2)).await;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
        for _ in 0..20 {
            house.play(&table, &mut rng).await;
        }
        assert_eq!(house.look(&table, |state| state.status).await, Status::Playing);
        let log = house.hub.entries(&table, 0).await.unwrap();
        let mut compared = 0;
        for end in 5..log.len() {
            let Ok(Event::Acted { seat: None, action, .. }) = serde_json::from_str(&log[end].event) else { continue };
            let before = State::replay(GAMES, table.clone(), &log[..end]).unwrap();
            let after = State::replay(GAMES, table.clone(), &log[..=end]).unwrap();
            let others = before.game.position(Viewer::Everything).actions;
            for other in others.into_iter().map(|other| other.action).filter(|other| *other != action) {
                let mut changed = log[..=end].to_vec();
                changed[end].event =
                    serde_json::to_string(&Event::Acted { seat: None, action: other.clone(), lag: None }).unwrap();
                for who in [Some(user(0)), Some(user(1)), None] {
                    let reads = after.game.log(after.viewer(who)).pop().unwrap().action;
                    if reads == action {
                        continue;
                    }
                    let told = |log: &[Entry]| missed(GAMES, &table, log, end as u64, Subscription::of(who)).unwrap();
                    assert_eq!(told(&log[..=end]), told(&changed), "{action} or {other}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 10, "{game}: {compared}");
    }
}
