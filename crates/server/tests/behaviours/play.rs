//! Ratings, talk, leases and analyses.

use quincunx_server::model::{CountedGame, KeptAnalysis, RatedAt, Rating, Standing};
use quincunx_server::store::{NewUser, StoreError};
use quincunx_table::protocol::{Listing, Remark};
use quincunx_table::{Status, TableId, UserId, UserKind};

use crate::{Both, account, entry, new_table, table};

const NEW: Rating = Rating { value: 1_500.0, deviation: 350.0, volatility: 0.06, games: 0 };

/// A rating after one more game, won or lost by one point.
fn after(old: Option<Rating>, points: f64) -> Rating {
    let old = old.unwrap_or(NEW);
    Rating { value: old.value + points, games: old.games + 1, ..old }
}

pub async fn a_table_is_rated_once(both: Both) {
    let ada = account(&both.one, "Ada").await;
    let ben = account(&both.one, "Ben").await;
    assert_eq!(both.one.rating(ada, "trexo", "blitz").await, Ok(None));
    let racing: Vec<_> = (0..20)
        .map(|number| {
            let store = both.turn(number);
            tokio::spawn(async move {
                let rate = |old: &Standing| {
                    vec![after(old.ratings[0], 1.0), after(old.ratings[1], -1.0), after(old.ratings[2], 0.0)]
                };
                store.rate(&table("t"), "trexo", "blitz", 0, &[ben, ada, UserId(99)], rate).await.expect("an answer")
            })
        })
        .collect();
    let mut rated = 0;
    for racer in racing {
        rated += u32::from(racer.await.expect("no panic"));
    }
    assert_eq!(rated, 1);
    let ada_now = Rating { value: 1_499.0, games: 1, ..NEW };
    assert_eq!(both.one.rating(ada, "trexo", "blitz").await, Ok(Some(ada_now)));
    assert_eq!(both.other.rating(ben, "trexo", "blitz").await, Ok(Some(Rating { value: 1_501.0, games: 1, ..NEW })));
    assert_eq!(both.other.rating(ada, "trexo", "rapid").await, Ok(None));
    assert_eq!(both.other.rating(UserId(99), "trexo", "blitz").await, Ok(None), "there is no such user");
    let only = RatedAt { game: "trexo".to_owned(), class: "blitz".to_owned(), rating: ada_now };
    assert_eq!(both.other.ratings_of(ada).await, Ok(vec![only]));
}

pub async fn games_that_end_at_once_all_count(both: Both) {
    let ada = account(&both.one, "Ada").await;
    let ben = account(&both.one, "Ben").await;
    let racing: Vec<_> = (0..30)
        .map(|number| {
            let store = both.turn(number);
            // Each sits on either side by turns, so that they are rated in either order.
            let users = if number % 4 < 2 { [ada, ben] } else { [ben, ada] };
            tokio::spawn(async move {
                let rate = |old: &Standing| old.ratings.iter().map(|old| after(*old, 1.0)).collect();
                store.rate(&table(&number.to_string()), "trexo", "blitz", 0, &users, rate).await.expect("an answer")
            })
        })
        .collect();
    for racer in racing {
        assert!(racer.await.expect("no panic"));
    }
    for user in [ada, ben] {
        let expected = Rating { value: 1_530.0, games: 30, ..NEW };
        assert_eq!(both.other.rating(user, "trexo", "blitz").await, Ok(Some(expected)));
    }
}

pub async fn finished_rated_tables_are_counted_in_the_order_in_which_they_ended(both: Both) {
    let mut expected = Vec::new();
    for number in 0..40 {
        let status = [Status::Finished, Status::Finished, Status::Playing, Status::Aborted][number % 4];
        let mut summary = Listing { status, rated: number % 3 > 0, ..new_table(&format!("{number:02}")) };
        (summary.winners, summary.changed) = ((status == Status::Finished).then(Vec::new), 1_000 - number as i64);
        both.one.append(&summary.table, Vec::new(), Some(summary.clone())).await.expect("the summary");
        if number % 5 == 0 {
            let (game, class) = (&summary.game, &summary.clock);
            both.one.rate(&summary.table, game, class, 0, &[], |_| Vec::new()).await.expect("an answer");
        } else if summary.rated && status == Status::Finished {
            expected.push(summary);
        }
    }
    // The last came first.
    expected.reverse();
    assert_eq!(both.other.uncounted(0, 4).await, Ok(Vec::new()), "they have no numbers yet");
    for store in [&both.one, &both.other, &both.one] {
        store.number_endings().await.expect("numbers");
    }
    // One that ended before all of them is heard of late.
    let status = Status::Finished;
    let late = Listing { status, rated: true, changed: 0, winners: Some(Vec::new()), ..new_table("late") };
    both.one.append(&late.table, Vec::new(), Some(late.clone())).await.expect("the summary");
    both.other.number_endings().await.expect("a number");
    expected.push(late);
    let mut found: Vec<(i64, TableId)> = Vec::new();
    loop {
        let page = both.other.uncounted(found.last().map_or(0, |(number, _)| *number), 4).await.expect("a page");
        if page.is_empty() {
            break;
        }
        assert!(page.len() <= 4);
        found.extend(page);
    }
    assert!(expected.len() > 8);
    assert!(found.iter().map(|(_, table)| table).eq(expected.iter().map(|summary| &summary.table)), "{found:?}");
    assert!(found.iter().map(|(number, _)| *number).eq(1..=expected.len() as i64), "{found:?}");

    let ada = account(&both.one, "Ada").await;
    let rate = async |place: usize, users: &[UserId]| {
        let Listing { table, game, clock, .. } = &expected[place];
        both.one.rate(table, game, clock, 0, users, |_| vec![NEW; users.len()]).await
    };
    assert_eq!(rate(1, &[ada]).await, Err(StoreError::TooEarly), "the one before it comes first");
    let other_class = &expected[2];
    assert_eq!(rate(0, &[]).await, Ok(true));
    assert_eq!(rate(1, &[ada, UserId(99)]).await, Ok(true));
    assert_eq!(rate(1, &[ada]).await, Ok(false));
    assert_eq!(both.other.uncounted(0, 1).await, Ok(vec![(3, other_class.table.clone())]));
    let counted = CountedGame { number: 2, table: expected[1].table.clone(), gone: vec![UserId(99)] };
    assert_eq!(both.other.counted(0, 10).await, Ok(vec![counted]), "the first has changed nothing");
}

pub async fn how_often_two_have_met_lately_is_known(both: Both) {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let (ada, ben, cy) =
        (account(&both.one, "Ada").await, account(&both.one, "Ben").await, account(&both.one, "Cy").await);
    let rate = async |name: &str, class: &str, at: i64, users: &[UserId]| {
        let mut met = Vec::new();
        let rate = |standing: &Standing| {
            met.clone_from(&standing.met);
            vec![NEW; users.len()]
        };
        assert_eq!(both.one.rate(&table(name), "trexo", class, at, users, rate).await, Ok(true));
        met
    };
    assert_eq!(rate("a", "blitz", 10, &[ada, ben]).await, [[0, 0], [0, 0]]);
    assert_eq!(rate("b", "blitz", 20, &[ben, ada]).await, [[0, 1], [1, 0]]);
    assert_eq!(rate("c", "rapid", 30, &[ada, ben]).await, [[0, 0], [0, 0]], "each class for itself");
    assert_eq!(rate("d", "blitz", 40, &[ada, cy, ben]).await, [[0, 0, 2], [0, 0, 0], [2, 0, 0]]);
    assert_eq!(rate("e", "blitz", DAY + 10, &[ada, ben]).await, [[0, 2], [2, 0]], "the first was a day ago");
    assert_eq!(rate("f", "blitz", 3 * DAY, &[ada, ben]).await, [[0, 0], [0, 0]]);
}

pub async fn the_best_lead_the_board(both: Both) {
    const KNOWN: Rating = Rating { deviation: 110.0, ..NEW };
    let rate = async |name: &str, user: UserId, rating: Rating| {
        let rated = both.one.rate(&table(name), "trexo", "blitz", 0, &[user], |_| vec![rating]).await;
        assert_eq!(rated, Ok(true));
    };
    let mut users = Vec::new();
    for (number, value) in [1_400.5, 1_900.25, 1_600.0, 1_600.0].into_iter().enumerate() {
        let user = account(&both.one, &format!("user {number}")).await;
        rate(&format!("table {number}"), user, Rating { value, ..KNOWN }).await;
        users.push(user);
    }
    let board = async |bots: bool, now: i64| -> Vec<(UserId, f64)> {
        let board = both.other.leaderboard("trexo", "blitz", bots, now, 3).await.expect("a board");
        board.iter().map(|line| (line.user, line.rating.value)).collect()
    };
    let best = [(users[1], 1_900.25), (users[2], 1_600.0), (users[3], 1_600.0)];
    assert_eq!(board(false, 50).await, best);
    assert_eq!(both.other.leaderboard("trexo", "rapid", false, 50, 3).await, Ok(Vec::new()));
    // One who is hardly known, and a bot, are not among them.
    let newcomer = account(&both.one, "newcomer").await;
    rate("newcomer", newcomer, Rating { value: 2_500.0, deviation: 110.5, ..NEW }).await;
    let (name, kind, owner) = ("bot".to_owned(), UserKind::Bot, Some(users[0]));
    let bot = both.one.add_user(NewUser { name, kind, owner, password: None, at: 0 }).await.expect("a bot").id;
    rate("bot", bot, Rating { value: 2_400.0, ..KNOWN }).await;
    assert_eq!(board(false, 50).await, best);
    assert_eq!(board(true, 50).await, [(bot, 2_400.0)]);
    // Nor are those who are banned, and the bots of these.
    both.one.set_banned(users[1], Some(100)).await.expect("a ban");
    both.one.set_banned(users[0], Some(100)).await.expect("a ban");
    assert_eq!(board(false, 99).await, [(users[2], 1_600.0), (users[3], 1_600.0)]);
    assert_eq!(board(true, 99).await, []);
    assert_eq!((board(false, 100).await, board(true, 100).await), (best.to_vec(), vec![(bot, 2_400.0)]), "it is over");

    assert!(both.one.rate(&table("x"), "mod-x", "blitz", 0, &users, |_| vec![NEW; 4]).await.expect("an answer"));
    let games: Vec<_> = both.other.ratings_of(users[0]).await.expect("ratings");
    assert_eq!(games.iter().map(|rated| rated.game.as_str()).collect::<Vec<_>>(), ["mod-x", "trexo"]);
}

pub async fn remarks_are_numbered_one_by_one(both: Both) {
    let racing: Vec<_> = (0..40)
        .map(|number| {
            let store = both.turn(number);
            let text = format!("remark {number} \u{1f642}");
            tokio::spawn(async move {
                store.add_remark(&table("t"), UserId(1), "Ada", number as i64, &text, false).await.expect("a number")
            })
        })
        .collect();
    let mut expected = Vec::new();
    for (number, racer) in racing.into_iter().enumerate() {
        let text = format!("remark {number} \u{1f642}");
        let number_there = racer.await.expect("no panic");
        expected.push(Remark {
            number: number_there,
            user: UserId(1),
            name: "Ada".to_owned(),
            at: number as i64,
            text,
            spectator: false,
        });
    }
    expected.sort_by_key(|remark| remark.number);
    assert!(expected.iter().enumerate().all(|(at, remark)| remark.number == at as i64 + 1));
    assert_eq!(both.one.add_remark(&table("other"), UserId(1), "Ada", 0, "hello", false).await, Ok(1));
    assert_eq!(both.other.remarks(&table("t"), 0, 200).await.as_ref(), Ok(&expected));
    assert_eq!(both.other.remarks(&table("t"), 10, 5).await.as_deref(), Ok(&expected[10..15]));
    assert_eq!(both.other.remarks(&table("nobody's"), 0, 5).await, Ok(Vec::new()));
}

pub async fn a_lease_has_one_holder(both: Both) {
    assert_eq!(both.one.lease("clock", "A", 100, 200).await, Ok(true));
    assert_eq!(both.other.lease("clock", "B", 199, 300).await, Ok(false), "A has it");
    assert_eq!(both.other.lease("jobs", "B", 199, 300).await, Ok(true), "another right");
    assert_eq!(both.one.lease("clock", "A", 150, 250).await, Ok(true), "A renews it");
    assert_eq!(both.other.lease("clock", "B", 249, 300).await, Ok(false));
    assert_eq!(both.other.lease("clock", "B", 250, 300).await, Ok(true), "it has run out");
    both.one.release("clock", "A").await.expect("an answer");
    assert_eq!(both.one.lease("clock", "A", 260, 400).await, Ok(false), "A could not release what B holds");
    both.other.release("clock", "B").await.expect("an answer");
    assert_eq!(both.one.lease("clock", "A", 260, 400).await, Ok(true));
}

pub async fn a_moment_is_noted_for_those_who_come_later(both: Both) {
    assert_eq!(both.one.moment("duty").await, Ok(None));
    both.one.set_moment("duty", 1_000).await.expect("an answer");
    assert_eq!(both.other.moment("duty").await, Ok(Some(1_000)));
    both.other.set_moment("duty", 2_000).await.expect("an answer");
    both.other.set_moment("else", 3_000).await.expect("an answer");
    assert_eq!(both.one.moment("duty").await, Ok(Some(2_000)));
}

pub async fn of_many_who_want_a_lease_exactly_one_gets_it(both: Both) {
    for round in 0..5 {
        let racing: Vec<_> = (0..16)
            .map(|number| {
                let store = both.turn(number);
                let now = round * 100;
                tokio::spawn(async move {
                    let holder = format!("process {number} of round {round}");
                    store.lease("clock", &holder, now, now + 100).await.expect("an answer")
                })
            })
            .collect();
        let mut holders = 0;
        for racer in racing {
            holders += u32::from(racer.await.expect("no panic"));
        }
        assert_eq!(holders, 1, "round {round}");
    }
}

pub async fn an_analysis_is_begun_once_and_kept(both: Both) {
    both.one.append(&table("t"), vec![entry(0, "{}")], Some(new_table("t"))).await.expect("the append");
    assert_eq!(both.one.analysis(&table("t")).await, Ok(None));
    assert_eq!(both.one.begin_analysis(&table("t"), 40, 100, 0).await, Ok(true));
    assert_eq!(both.other.begin_analysis(&table("t"), 40, 110, 99).await, Ok(false), "something was heard of it");
    assert_eq!(both.other.analyses_under_way(99).await, Ok(1));
    assert_eq!(both.other.analyses_under_way(100).await, Ok(0));
    both.other.note_analysis(&table("t"), 20, 200).await.expect("a note");
    let half = KeptAnalysis { heard: 200, done: 20, total: 40, result: None };
    assert_eq!(both.one.analysis(&table("t")).await, Ok(Some(half)));
    assert_eq!(both.one.begin_analysis(&table("t"), 40, 500, 200).await, Ok(true), "nothing was heard for long");
    both.one.end_analysis(&table("t"), "[1]").await.expect("a result");
    both.other.end_analysis(&table("t"), "[2]").await.expect("too late");
    both.other.note_analysis(&table("t"), 20, 600).await.expect("too late");
    let whole = KeptAnalysis { heard: 500, done: 40, total: 40, result: Some("[1]".to_owned()) };
    assert_eq!(both.other.analysis(&table("t")).await, Ok(Some(whole)));
    assert_eq!(both.other.begin_analysis(&table("t"), 40, 900, 800).await, Ok(false), "it is done");
    assert_eq!(both.other.analyses_under_way(0).await, Ok(0));
}
