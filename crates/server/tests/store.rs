//! What storage must do, whichever it is: the same behaviours in memory, in a SQLite file and in a PostgreSQL database. Each is
//! given two openings of the same storage, as two processes would have.

mod behaviours {
    pub mod lists;
    pub mod logs;
    pub mod moderation;
    pub mod people;
    pub mod play;
}
mod support {
    pub mod postgres;
}

use std::future::Future;
use std::path::Path;

use behaviours::{lists, logs, moderation, people, play};
use quincunx_server::store::{AppendError, Store, StoreError};
use quincunx_table::protocol::Listing;
use quincunx_table::{Entry, Status, TableId, UserId};
use support::postgres::{PASSWORD, Postgres};

/// Two openings of the same storage. In memory, where nobody else can look in, both are the same.
#[derive(Clone)]
struct Both {
    one: Store,
    other: Store,
}

impl Both {
    fn memory() -> Self {
        let one = Store::memory();
        Self { other: one.clone(), one }
    }

    async fn sqlite(path: &Path) -> Self {
        let one = Store::sqlite(path).await.expect("SQLite opens");
        let other = Store::sqlite(path).await.expect("SQLite opens again");
        Self { one, other }
    }

    async fn postgres(url: &str) -> Self {
        let one = Store::postgres(url).await.expect("PostgreSQL opens");
        let other = Store::postgres(url).await.expect("PostgreSQL opens again");
        Self { one, other }
    }

    /// The one or the other by turns.
    fn turn(&self, number: usize) -> Store {
        if number.is_multiple_of(2) { self.one.clone() } else { self.other.clone() }
    }

    async fn close(self) {
        self.one.close().await;
        self.other.close().await;
    }
}

fn in_runtime(work: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(work);
}

/// A test for each behaviour in memory and in SQLite, and one for all of them in PostgreSQL, because a cluster takes long to start.
macro_rules! behaviours {
    ($($module:ident::$behaviour:ident,)*) => {
        mod memory {
            $(#[test]
            fn $behaviour() {
                super::in_runtime(super::$module::$behaviour(super::Both::memory()));
            })*
        }
        mod sqlite {
            $(#[test]
            fn $behaviour() {
                let folder = tempfile::tempdir().expect("a temporary folder");
                super::in_runtime(async {
                    let both = super::Both::sqlite(&folder.path().join("quincunx.db")).await;
                    super::$module::$behaviour(both.clone()).await;
                    both.close().await;
                });
            })*
        }
        #[test]
        fn postgres() {
            let cluster = Postgres::start();
            in_runtime(async {
                $(
                    println!("{}", stringify!($behaviour));
                    let both = Both::postgres(&cluster.fresh_database().await).await;
                    $module::$behaviour(both.clone()).await;
                    both.close().await;
                )*
                many_can_open_a_new_database_at_once(&cluster).await;
                broken_connections_are_replaced(&cluster).await;
                a_refusal_does_not_tell_the_password(&cluster).await;
            });
        }
    };
}

behaviours! {
    logs::entries_are_read_as_they_were_written,
    logs::of_many_who_want_a_number_exactly_one_gets_it,
    logs::an_append_is_all_or_nothing,
    logs::one_conflict_does_not_harm_hundreds_of_others,
    logs::work_that_a_database_refuses_does_not_harm_others,
    logs::who_gives_up_waiting_does_not_stop_the_others,
    logs::versions_tell_how_long_logs_are,
    lists::a_summary_is_read_as_it_was_written,
    lists::filters_find_what_a_slow_search_finds,
    lists::running_tables_come_page_by_page,
    people::names_are_unique_without_regard_to_case,
    people::of_many_who_want_a_name_exactly_one_gets_it,
    people::passwords_and_bans_can_be_changed,
    people::users_are_searched_page_by_page,
    people::sessions_begin_and_end,
    people::the_banned_have_no_session,
    people::the_deleted_leave_only_games,
    people::the_name_of_a_guest_who_is_gone_is_free,
    people::mutes_can_be_set_and_taken_back,
    moderation::names_that_look_alike_are_one,
    moderation::a_new_name_is_everywhere,
    moderation::a_guest_is_made_an_account_once,
    moderation::blocks_can_be_set_and_taken_back,
    moderation::tables_in_use_and_kept_seats_are_counted,
    moderation::reports_and_deeds_are_kept_in_order,
    moderation::annulled_tables_do_not_count,
    moderation::the_remarks_of_somebody_are_found,
    play::a_table_is_rated_once,
    play::games_that_end_at_once_all_count,
    play::finished_rated_tables_are_counted_in_the_order_in_which_they_ended,
    play::how_often_two_have_met_lately_is_known,
    play::the_best_lead_the_board,
    play::remarks_are_numbered_one_by_one,
    play::a_lease_has_one_holder,
    play::a_moment_is_noted_for_those_who_come_later,
    play::of_many_who_want_a_lease_exactly_one_gets_it,
    play::an_analysis_is_begun_once_and_kept,
}

fn table(name: &str) -> TableId {
    TableId(name.to_owned())
}

fn entry(seq: u64, event: &str) -> Entry {
    Entry { seq, at: 1_000 + seq as i64, by: None, command: None, event: event.to_owned() }
}

/// A table that has just been made, with an open seat for each of two.
fn new_table(name: &str) -> Listing {
    Listing {
        table: table(name),
        host: None,
        game: "trexo".to_owned(),
        options: serde_json::Map::new(),
        status: Status::Open,
        public: true,
        rated: false,
        clock: "none".to_owned(),
        created: 1_000,
        changed: 1_000,
        seats: vec![None, None],
        kept: vec![None, None],
        winners: None,
    }
}

#[test]
fn sqlite_keeps_what_it_acknowledged() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("not there yet").join("100% of #5?.db");
    for (round, close) in [true, false, false].into_iter().enumerate() {
        // With the runtime the writing task goes, too, in whatever it is doing.
        in_runtime(async {
            let store = Store::sqlite(&path).await.expect("SQLite opens");
            let log = store.entries(&table("t"), 0, 1_000).await.expect("the log");
            assert_eq!(log.len(), round * 100, "all that was acknowledged before round {round}");
            let first = log.len() as u64;
            for seq in first..first + 100 {
                store.append(&table("t"), vec![entry(seq, "{}")], None).await.expect("the append");
            }
            if close {
                store.close().await;
            }
        });
    }
    assert!(path.is_file());
}

#[test]
fn closing_finishes_what_is_queued() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("quincunx.db");
    in_runtime(async {
        let store = Store::sqlite(&path).await.expect("SQLite opens");
        let appends: Vec<_> = (0..500)
            .map(|seq| {
                let store = store.clone();
                tokio::spawn(async move { store.append(&table("t"), vec![entry(seq, "{}")], None).await })
            })
            .collect();
        while store.entries(&table("t"), 0, 1).await.expect("the log").is_empty() {
            tokio::task::yield_now().await;
        }
        store.close().await;
        let mut acknowledged = Vec::new();
        for (seq, append) in appends.into_iter().enumerate() {
            match append.await.expect("no panic") {
                Ok(()) => acknowledged.push(seq as u64),
                Err(error) => assert_eq!(error, AppendError::Failed(StoreError::Closed)),
            }
        }
        let late = store.append(&table("t"), vec![entry(500, "{}")], None).await;
        assert_eq!(late, Err(AppendError::Failed(StoreError::Closed)));
        assert_eq!(store.healthy().await, Err(StoreError::Closed));

        let store = Store::sqlite(&path).await.expect("SQLite opens again");
        let log = store.entries(&table("t"), 0, 1_000).await.expect("the log");
        let there: Vec<u64> = log.iter().map(|entry| entry.seq).collect();
        assert_eq!(there, acknowledged);
        store.close().await;
    });
}

#[test]
fn many_can_open_a_new_file_at_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("quincunx.db");
    in_runtime(async {
        let opening: Vec<_> = (0..8)
            .map(|_| {
                let path = path.clone();
                tokio::spawn(async move { Store::sqlite(path).await })
            })
            .collect();
        for store in opening {
            let store = store.await.expect("no panic").expect("it opens");
            store.healthy().await.expect("it answers");
            store.close().await;
        }
    });
}

#[test]
fn a_backup_of_a_file_in_use_is_complete() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    in_runtime(async {
        let store = Store::sqlite(folder.path().join("quincunx.db")).await.expect("SQLite opens");
        for seq in 0..50 {
            store.append(&table("t"), vec![entry(seq, "{}")], None).await.expect("the append");
        }
        let busy = {
            let store = store.clone();
            tokio::spawn(async move {
                for seq in 50..150 {
                    store.append(&table("t"), vec![entry(seq, "{}")], None).await.expect("the append");
                }
            })
        };
        let copy = folder.path().join("copy.db");
        store.backup(&copy).await.expect("the backup");
        busy.await.expect("the appends go on");
        let again = store.backup(&copy).await.expect_err("a file is not overwritten");
        assert!(again.to_string().contains("exists already"), "{again}");
        let nowhere = store.backup(folder.path().join("no folder").join("copy.db")).await;
        assert!(matches!(nowhere, Err(StoreError::Backup(_))), "{nowhere:?}");
        store.close().await;

        let copy = Store::sqlite(&copy).await.expect("the backup opens");
        let log = copy.entries(&table("t"), 0, 1_000).await.expect("the log");
        assert!(log.len() >= 50);
        assert!(log.iter().enumerate().all(|(at, entry)| entry.seq == at as u64));
        copy.close().await;
        let memory = Store::memory().backup(folder.path().join("memory.db")).await;
        assert!(matches!(memory, Err(StoreError::Backup(_))), "{memory:?}");
    });
}

#[test]
fn what_cannot_be_opened_says_why() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = folder.path().join("text");
    std::fs::write(
        &text,
        "this is no database, but a text that is longer than the head of one would be, or so one hopes",
    )
    .expect("the file");
    in_runtime(async {
        for (path, why) in [
            (text.clone(), "not a database"),
            (text.join("inside of a file.db"), "File exists"),
            (folder.path().to_owned(), "Is a directory"),
        ] {
            let error = Store::sqlite(&path).await.expect_err("it does not open");
            assert!(matches!(error, StoreError::Open(_)), "{error:?}");
            assert!(error.to_string().contains(why), "{error}");
        }
        for url in ["postgres://me:secret@[1/x", "mysql://me:secret@localhost/x", "secret"] {
            let error = Store::postgres(url).await.expect_err("it does not open");
            assert!(matches!(error, StoreError::Open(_)), "{error:?}");
            assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
        }
    });
}

async fn many_can_open_a_new_database_at_once(cluster: &Postgres) {
    let url = cluster.fresh_database().await;
    let opening: Vec<_> = (0..8)
        .map(|_| {
            let url = url.clone();
            tokio::spawn(async move { Store::postgres(&url).await })
        })
        .collect();
    for store in opening {
        let store = store.await.expect("no panic").expect("it opens");
        store.healthy().await.expect("it answers");
        store.close().await;
    }
}

async fn broken_connections_are_replaced(cluster: &Postgres) {
    let store = Store::postgres(&cluster.fresh_database().await).await.expect("PostgreSQL opens");
    for seq in 0..20 {
        store.append(&table("t"), vec![entry(seq, "{}")], None).await.expect("the append");
        cluster.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename IS NOT NULL AND datname <> 'postgres'").await;
    }
    assert_eq!(store.entries(&table("t"), 0, 100).await.expect("the log").len(), 20);
    store.close().await;
}

async fn a_refusal_does_not_tell_the_password(cluster: &Postgres) {
    let wrong = cluster.url("postgres").replace(PASSWORD, "not-this-one");
    let error = Store::postgres(&wrong).await.expect_err("the password is wrong");
    assert!(matches!(error, StoreError::Open(_)), "{error:?}");
    assert!(!format!("{error} {error:?}").contains("not-this-one"), "{error:?}");

    let store = Store::postgres(&cluster.fresh_database().await).await.expect("PostgreSQL opens");
    assert!(!format!("{store:?}").contains(PASSWORD));
    let backup = store.backup("backup.db").await.expect_err("PostgreSQL has its own backups");
    assert!(backup.to_string().contains("pg_dump"), "{backup}");
    store.close().await;
}

/// Makes an account.
async fn account(store: &Store, name: &str) -> UserId {
    store.add_user(people::new_account(name)).await.expect("the account").id
}
