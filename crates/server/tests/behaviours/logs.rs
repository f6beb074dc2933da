//! Logs: numbers are given once, and what is acknowledged is there.

use quincunx_server::store::{AppendError, Store};
use quincunx_table::{Entry, UserId};

use crate::{Both, entry, new_table, table};

/// The numbers in a table's log.
async fn numbers(store: &Store, name: &str) -> Vec<u64> {
    let log = store.entries(&table(name), 0, 10_000).await.expect("the log");
    log.iter().map(|entry| entry.seq).collect()
}

pub async fn entries_are_read_as_they_were_written(both: Both) {
    let written: Vec<Entry> = (0..150)
        .map(|seq| Entry {
            seq,
            at: -5 + seq as i64,
            by: (seq % 2 == 0).then_some(UserId(seq as i64)),
            command: (seq % 3 == 0).then(|| format!("command {seq}")),
            event: format!(r#"{{"text":"it's {seq} ✗ %_\\ \u0000"}}"#),
        })
        .collect();
    both.one.append(&table("a"), written.clone(), None).await.expect("the append");
    both.one.append(&table("b"), vec![entry(7, "{}")], None).await.expect("another table has its own numbers");
    for store in [both.one, both.other] {
        assert_eq!(store.entries(&table("a"), 0, usize::MAX).await.expect("the log"), written);
        assert_eq!(store.entries(&table("a"), 20, 30).await.expect("the log"), written[20..50]);
        assert_eq!(store.entries(&table("a"), 140, 30).await.expect("the log"), written[140..]);
        assert_eq!(store.entries(&table("a"), u64::MAX, 30).await.expect("the log"), []);
        assert_eq!(store.entries(&table("nobody's"), 0, 30).await.expect("the log"), []);
    }
}

pub async fn of_many_who_want_a_number_exactly_one_gets_it(both: Both) {
    let writers = 8;
    let each = 20;
    let racing: Vec<_> = (0..writers)
        .map(|writer| {
            let store = both.turn(writer);
            tokio::spawn(async move {
                let mut next = 0;
                let mut mine = Vec::new();
                while mine.len() < each {
                    let event = format!("{writer}");
                    match store.append(&table("t"), vec![entry(next, &event)], None).await {
                        Ok(()) => mine.push(next),
                        Err(AppendError::Taken) => {}
                        Err(error) => panic!("{error}"),
                    }
                    next += 1;
                }
                mine
            })
        })
        .collect();
    let mut owners = vec![None; writers * each];
    for (writer, racer) in racing.into_iter().enumerate() {
        for number in racer.await.expect("no panic") {
            let owner = &mut owners[number as usize];
            assert_eq!(*owner, None, "number {number} was given twice");
            *owner = Some(writer.to_string());
        }
    }
    let log = both.one.entries(&table("t"), 0, 10_000).await.expect("the log");
    assert!(log.iter().enumerate().all(|(at, entry)| entry.seq == at as u64), "there is no gap");
    let kept: Vec<_> = log.into_iter().map(|entry| Some(entry.event)).collect();
    assert_eq!(kept, owners, "each number holds what its owner wrote");
}

pub async fn an_append_is_all_or_nothing(both: Both) {
    let before = new_table("t");
    both.one.append(&table("t"), vec![entry(2, "{}")], Some(before.clone())).await.expect("the append");
    let mut after = before.clone();
    after.changed += 1;
    let three = vec![entry(1, "{}"), entry(2, "{}"), entry(3, "{}")];
    let taken = both.other.append(&table("t"), three, Some(after.clone())).await;
    assert_eq!(taken, Err(AppendError::Taken));
    let twice = both.other.append(&table("t"), vec![entry(3, "{}"), entry(3, "{}")], Some(after)).await;
    assert_eq!(twice, Err(AppendError::Taken));
    assert_eq!(numbers(&both.one, "t").await, [2]);
    assert_eq!(both.one.summary(&table("t")).await.expect("the summary"), Some(before));
}

pub async fn one_conflict_does_not_harm_hundreds_of_others(both: Both) {
    both.other.append(&table("7"), vec![entry(1, "first")], None).await.expect("the append");
    let racing: Vec<_> = (0..400)
        .map(|number| {
            let store = both.one.clone();
            tokio::spawn(async move {
                let name = number.to_string();
                store.append(&table(&name), vec![entry(1, "second")], Some(new_table(&name))).await
            })
        })
        .collect();
    for (number, racer) in racing.into_iter().enumerate() {
        let expected = if number == 7 { Err(AppendError::Taken) } else { Ok(()) };
        assert_eq!(racer.await.expect("no panic"), expected, "table {number}");
    }
    for number in 0..400 {
        let name = number.to_string();
        let log = both.other.entries(&table(&name), 0, 10).await.expect("the log");
        assert_eq!(log, [entry(1, if number == 7 { "first" } else { "second" })]);
        let summary = both.other.summary(&table(&name)).await.expect("the summary");
        assert_eq!(summary, (number != 7).then(|| new_table(&name)));
    }
}

/// PostgreSQL has no character zero in its texts. The others do, which is no harm either.
pub async fn work_that_a_database_refuses_does_not_harm_others(both: Both) {
    let racing: Vec<_> = (0..100)
        .map(|number| {
            let store = both.one.clone();
            let event = if number == 50 { "\0" } else { "{}" };
            tokio::spawn(async move { store.append(&table("t"), vec![entry(number, event)], None).await })
        })
        .collect();
    let mut acknowledged = Vec::new();
    for (number, racer) in racing.into_iter().enumerate() {
        match racer.await.expect("no panic") {
            Ok(()) => acknowledged.push(number as u64),
            Err(error) => assert!(number == 50 && matches!(error, AppendError::Failed(_)), "{number}: {error:?}"),
        }
    }
    assert_eq!(numbers(&both.other, "t").await, acknowledged);
}

pub async fn who_gives_up_waiting_does_not_stop_the_others(both: Both) {
    let racing: Vec<_> = (0..300)
        .map(|number| {
            let store = both.one.clone();
            tokio::spawn(async move { store.append(&table("t"), vec![entry(number, "{}")], None).await })
        })
        .collect();
    for racer in racing.iter().step_by(3) {
        racer.abort();
    }
    let mut acknowledged = Vec::new();
    for (number, racer) in racing.into_iter().enumerate() {
        match racer.await {
            Ok(answer) => {
                answer.expect("the append");
                acknowledged.push(number as u64);
            }
            Err(stopped) => assert!(stopped.is_cancelled()),
        }
    }
    // One more comes through the queue after all of them.
    both.one.append(&table("t"), vec![entry(300, "{}")], None).await.expect("the append");
    let there = numbers(&both.other, "t").await;
    assert!(acknowledged.iter().all(|number| there.contains(number)));
    assert_eq!(there.last(), Some(&300));
}

pub async fn versions_tell_how_long_logs_are(both: Both) {
    let tables: Vec<_> = (0..450).map(|number| table(&format!("t{number}"))).collect();
    for (number, id) in tables.iter().enumerate().filter(|(number, _)| number % 3 > 0) {
        let lines = (0..number as u64 % 3).map(|seq| entry(seq, "{}")).collect();
        both.turn(number).append(id, lines, Some(new_table(&id.0))).await.expect("the append");
    }
    let mut versions = both.one.versions(&tables).await.expect("the versions");
    versions.sort_by_key(|(id, _)| id.0[1..].parse::<usize>().expect("a number"));
    let expected = tables.iter().cloned().enumerate().filter(|(number, _)| number % 3 > 0);
    let expected: Vec<_> = expected.map(|(number, id)| (id, number as u64 % 3)).collect();
    assert_eq!(versions, expected);
    assert_eq!(both.one.versions(&[]).await, Ok(Vec::new()));
}
