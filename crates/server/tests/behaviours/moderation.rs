//! Names, blocks, limits, reports and deeds.

use quincunx_server::model::{Complaint, Deed, KeptSeats, NewReport, Rating, Role};
use quincunx_server::store::AddUserError;
use quincunx_table::protocol::{Listing, Sitting};
use quincunx_table::{Entry, Event, Status, TableId, UserId, UserKind};

use super::people::new_account;
use crate::{Both, account, entry, new_table, table};

pub async fn names_that_look_alike_are_one(both: Both) {
    let paul = account(&both.one, "Paul").await;
    assert_eq!(both.other.add_user(new_account("Pau1")).await, Err(AddUserError::NameTaken));
    both.other.delete_user(paul).await.expect("deleted");
    account(&both.one, "Pau1").await;
}

pub async fn a_new_name_is_everywhere(both: Both) {
    let (ada, ben) = (account(&both.one, "Ada").await, account(&both.one, "Ben").await);
    let joined = |user: UserId, name: &str| {
        serde_json::to_string(&Event::Joined { seat: 0, user, name: name.to_owned() }).expect("plain data")
    };
    let line = |seq, by: Option<UserId>, event: &str| Entry { by, ..entry(seq, event) };
    let sitter = |user: UserId, name: &str| Some(Sitting { user: Some(user), name: name.to_owned() });
    let game = Listing { seats: vec![sitter(ada, "Ada"), sitter(ben, "Ben")], ..new_table("t") };
    let log = vec![line(0, Some(ada), &joined(ada, "Ada")), line(1, Some(ben), &joined(ben, "Ben"))];
    both.one.append(&game.table, log, Some(game.clone())).await.expect("the append");
    // Where she has left again, and in a game from elsewhere.
    both.one
        .append(&table("left"), vec![line(0, Some(ada), &joined(ada, "Ada"))], Some(new_table("left")))
        .await
        .expect("");
    let imported = Listing { seats: vec![sitter(ada, "Ada"), None], ..new_table("imported") };
    both.one.append(&imported.table, vec![line(0, None, &joined(ada, "Ada"))], Some(imported.clone())).await.expect("");
    both.one.add_remark(&game.table, ada, "Ada", 5, "well played", false).await.expect("a remark");

    assert_eq!(both.other.rename(ada, "ben").await, Err(AddUserError::NameTaken));
    assert_eq!(both.other.rename(ada, "deleted").await, Err(AddUserError::NameTaken));
    both.other.rename(ada, "Grace").await.expect("renamed");
    assert_eq!(both.one.user_named("Ada").await, Ok(None));
    assert_eq!(both.one.user_named("grace").await.expect("an answer").map(|user| user.id), Some(ada));
    for (name, by) in [("t", Some(ada)), ("left", Some(ada)), ("imported", None)] {
        let log = both.one.entries(&table(name), 0, 9).await.expect("a log");
        assert_eq!((log[0].event.as_str(), log[0].by), (joined(ada, "Grace").as_str(), by), "{name}");
    }
    assert_eq!(both.one.entries(&table("t"), 1, 9).await.expect("a log")[0].event, joined(ben, "Ben"));
    let shown = both.one.summary(&game.table).await.expect("an answer").expect("a table");
    assert_eq!(shown.seats, [sitter(ada, "Grace"), sitter(ben, "Ben")]);
    assert_eq!(both.one.remarks(&game.table, 0, 9).await.expect("remarks")[0].name, "Grace");
    both.one.delete_user(ada).await.expect("deleted");
    for name in ["t", "left", "imported"] {
        assert_eq!(both.other.entries(&table(name), 0, 9).await.expect("a log")[0].event, joined(ada, "deleted"));
    }
    account(&both.one, "Grace").await;
}

pub async fn a_guest_is_made_an_account_once(both: Both) {
    let guest = quincunx_server::store::NewUser { kind: UserKind::Guest, password: None, ..new_account("Zoe") };
    let guest = both.one.add_user(guest).await.expect("a guest").id;
    both.one.make_account(guest, "$hash").await.expect("an account");
    let user = both.other.user(guest).await.expect("an answer").expect("a user");
    assert_eq!((user.kind, user.password.as_deref()), (UserKind::Account, Some("$hash")));
    assert!(both.other.make_account(guest, "$other").await.is_err());
}

pub async fn blocks_can_be_set_and_taken_back(both: Both) {
    let (ada, ben) = (account(&both.one, "Ada").await, account(&both.one, "Ben").await);
    both.one.set_blocked(ada, ben, true).await.expect("a block");
    both.one.set_blocked(ada, ben, true).await.expect("no harm");
    assert_eq!((both.other.blocked_by(ada).await, both.other.blockers_of(ben).await), (Ok(vec![ben]), Ok(vec![ada])));
    assert_eq!((both.other.blocked_by(ben).await, both.other.blockers_of(ada).await), (Ok(vec![]), Ok(vec![])));
    assert!(both.one.set_blocked(ada, UserId(99), true).await.is_err());
    both.other.set_blocked(ada, ben, false).await.expect("taken back");
    assert_eq!(both.one.blocked_by(ada).await, Ok(vec![]));
}

pub async fn tables_in_use_and_kept_seats_are_counted(both: Both) {
    let (ada, ben, cleo) = (UserId(1), UserId(2), UserId(3));
    let sitter = |user: UserId| Some(Sitting { user: Some(user), name: "x".to_owned() });
    let tables = [
        Listing { host: Some(ada), kept: vec![None, Some(cleo)], ..new_table("a") },
        Listing { host: Some(ada), seats: vec![sitter(ada), None], kept: vec![None, Some(cleo)], ..new_table("b") },
        Listing { host: Some(ada), status: Status::Playing, seats: vec![sitter(ben), None], ..new_table("c") },
        Listing { host: Some(ada), status: Status::Finished, kept: vec![None, None], ..new_table("d") },
        Listing { host: Some(ben), kept: vec![Some(cleo), None], seats: vec![None, sitter(ada)], ..new_table("e") },
        Listing { host: None, status: Status::Aborted, seats: vec![sitter(ada), None], ..new_table("f") },
    ];
    for summary in &tables {
        both.one.append(&summary.table, vec![entry(0, "{}")], Some(summary.clone())).await.expect("the append");
        assert_eq!(both.other.summary(&summary.table).await, Ok(Some(summary.clone())));
    }
    let used = [
        both.other.tables_in_use(ada).await,
        both.other.tables_in_use(ben).await,
        both.other.tables_in_use(cleo).await,
    ];
    assert_eq!(used, [Ok(4), Ok(2), Ok(0)]);
    assert_eq!(both.other.kept_seats(cleo, ada).await, Ok(KeptSeats { in_all: 3, by_host: 2 }));
    assert_eq!(both.other.kept_seats(ada, ben).await, Ok(KeptSeats::default()));
}

pub async fn reports_and_deeds_are_kept_in_order(both: Both) {
    let (ada, ben) = (account(&both.one, "Ada").await, account(&both.one, "Ben").await);
    let report = |at, words: &str| NewReport {
        at,
        reporter: ada,
        about: ben,
        table: Some(table("t")),
        reason: Complaint::Abuse,
        words: words.to_owned(),
    };
    let first = both.one.add_report(report(5, "one")).await.expect("a report");
    let second = both.other.add_report(report(6, "two")).await.expect("a report");
    assert!(second > first);
    let open = both.other.open_reports(0, 9).await.expect("reports");
    assert_eq!(open.iter().map(|kept| kept.report.clone()).collect::<Vec<_>>(), [report(5, "one"), report(6, "two")]);
    assert_eq!(both.one.open_reports(first, 9).await.expect("reports").len(), 1);
    assert_eq!(both.one.reports_by(ada, 6, 9).await.expect("reports")[0].id, second);
    assert_eq!(both.one.reports_by(ben, 0, 9).await, Ok(vec![]));
    assert_eq!(both.one.close_report(first, 7, Some(ben)).await, Ok(true));
    assert_eq!(both.other.close_report(first, 8, None).await, Ok(false));
    let closed = both.other.report(first).await.expect("an answer").expect("a report");
    assert_eq!((closed.closed, closed.closed_by), (Some(7), Some(ben)));
    let deed = |at| Deed {
        id: 0,
        at,
        moderator: Some(ben),
        action: "mute".to_owned(),
        about: Some(ada),
        table: None,
        words: "2 h".to_owned(),
    };
    for at in 0..3 {
        both.turn(at as usize).add_deed(deed(at)).await.expect("a deed");
    }
    let deeds = both.other.deeds(None, 2).await.expect("deeds");
    assert_eq!(deeds.iter().map(|deed| deed.at).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(both.other.deeds(Some(deeds[1].id), 9).await.expect("deeds"), [Deed { id: deeds[1].id - 1, ..deed(0) }]);
    both.one.set_role(ben, Some(Role::Moderator)).await.expect("a role");
    both.one.set_silenced(ben, Some(99)).await.expect("silenced");
    let user = both.other.user(ben).await.expect("an answer").expect("Ben");
    assert_eq!((user.role, user.silenced), (Some(Role::Moderator), Some(99)));
}

pub async fn annulled_tables_do_not_count(both: Both) {
    let ada = account(&both.one, "Ada").await;
    let rating = Rating { value: 1_500.0, deviation: 350.0, volatility: 0.06, games: 1 };
    for (name, changed) in [("c", 1), ("a", 3), ("b", 2)] {
        let summary = Listing {
            status: Status::Finished,
            rated: true,
            clock: "blitz".to_owned(),
            changed,
            winners: Some(vec![]),
            ..new_table(name)
        };
        both.one.append(&summary.table, vec![entry(0, "{}")], Some(summary.clone())).await.expect("the append");
    }
    both.one.number_endings().await.expect("numbers");
    for (at, name) in ["c", "b", "a"].into_iter().enumerate() {
        both.one.rate(&table(name), "trexo", "blitz", at as i64, &[ada], |_| vec![rating]).await.expect("rated");
    }
    let counted = async || -> Vec<TableId> {
        both.other.counted(0, 9).await.expect("tables").into_iter().map(|game| game.table).collect()
    };
    assert_eq!(counted().await, [table("c"), table("b"), table("a")]);
    assert_eq!([both.one.annul(&table("b")).await, both.other.annul(&table("b")).await], [Ok(true), Ok(false)]);
    assert_eq!(counted().await, [table("c"), table("a")]);
    let new = Rating { value: 1_600.5, games: 2, ..rating };
    both.one.replace_ratings("trexo", "blitz", vec![(ada, new), (UserId(99), new)]).await.expect("replaced");
    assert_eq!(both.other.rating(ada, "trexo", "blitz").await, Ok(Some(new)));
    both.one.replace_ratings("trexo", "blitz", vec![]).await.expect("replaced");
    assert_eq!(both.other.rating(ada, "trexo", "blitz").await, Ok(None));
}

pub async fn the_remarks_of_somebody_are_found(both: Both) {
    for (at, name) in [(3, "b"), (1, "a"), (2, "a")] {
        both.one.add_remark(&table(name), UserId(1), "Ada", at, &at.to_string(), at == 2).await.expect("a remark");
    }
    both.one.add_remark(&table("a"), UserId(2), "Ben", 9, "no", false).await.expect("a remark");
    let all = both.other.remarks_of(UserId(1), 0, 9).await.expect("remarks");
    assert_eq!(all.iter().map(|remark| remark.text.as_str()).collect::<Vec<_>>(), ["1", "2", "3"]);
    assert_eq!(both.other.remarks_of(UserId(1), 1, 1).await, Ok(vec![all[1].clone()]));
    let marks: Vec<bool> =
        both.other.remarks(&table("a"), 0, 9).await.expect("remarks").iter().map(|remark| remark.spectator).collect();
    assert_eq!(marks, [false, true, false]);
}
