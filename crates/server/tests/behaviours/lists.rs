//! Summaries of tables, and finding them.

use quincunx_server::model::GameResult;
use quincunx_server::store::{Cursor, LONGEST_PAGE, PlayerFilter, Store, TableFilter};
use quincunx_table::protocol::{Listing, Sitting};
use quincunx_table::{Status, TableId, UserId};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::{Both, new_table, table};

async fn keep(store: &Store, summary: &Listing) {
    store.append(&summary.table, Vec::new(), Some(summary.clone())).await.expect("the summary");
}

pub async fn a_summary_is_read_as_it_was_written(both: Both) {
    assert_eq!(both.one.summary(&table("t")).await.expect("no summary"), None);
    let mut summary = new_table("t");
    summary.seats = vec![
        None,
        Some(Sitting { user: Some(UserId(5)), name: "Zoë".to_owned() }),
        Some(Sitting { user: None, name: "expert".to_owned() }),
    ];
    summary.kept = vec![Some(UserId(7)), None, None];
    keep(&both.one, &summary).await;
    assert_eq!(both.other.summary(&table("t")).await.expect("the summary"), Some(summary.clone()));

    let summary = Listing {
        options: serde_json::Map::from_iter([("size".to_owned(), 5.into())]),
        status: Status::Finished,
        public: false,
        rated: true,
        clock: "blitz".to_owned(),
        changed: 2_000,
        seats: summary.seats.split_off(1),
        kept: vec![None, None],
        winners: Some(vec![0, 1]),
        ..summary
    };
    keep(&both.other, &summary).await;
    assert_eq!(both.one.summary(&table("t")).await.expect("the summary"), Some(summary.clone()));
    assert_eq!(both.one.tables(&TableFilter::default()).await.expect("all tables"), [summary]);
}

pub async fn filters_find_what_a_slow_search_finds(both: Both) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut tables: Vec<Listing> = (0..160).map(|number| random_table(&mut random, number)).collect();
    for summary in &tables {
        keep(&both.one, summary).await;
    }
    // Some change later on.
    for number in (0..160).step_by(9) {
        let changed = random_table(&mut random, number);
        keep(&both.other, &changed).await;
        tables[number as usize] = changed;
    }
    // The newest first, and where two are of the same moment, by their names.
    tables.sort_by(|a, b| (b.changed, &b.table.0).cmp(&(a.changed, &a.table.0)));

    let mut sizes = Vec::new();
    for _ in 0..150 {
        let mut filter = random_filter(&mut random);
        let expected: Vec<&Listing> = tables.iter().filter(|table| slow_search(&filter, table)).collect();
        sizes.push(expected.len());
        let mut found = Vec::new();
        loop {
            let page = both.one.tables(&filter).await.expect("a page");
            assert!(page.len() <= filter.limit);
            let Some(last) = page.last() else { break };
            // As text and back, the way it goes to a client and returns.
            filter.after = Some(Cursor::of(last).to_string().parse().expect("a cursor reads its own text"));
            found.extend(page);
        }
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{filter:?}");
    }
    assert!(sizes.iter().filter(|&&size| size > 0).count() > 50, "the filters are not all too narrow");

    let most = TableFilter { limit: usize::MAX, ..TableFilter::default() };
    assert_eq!(both.one.tables(&most).await.expect("a page"), tables);
    for number in 160..LONGEST_PAGE as u64 + 10 {
        keep(&both.one, &random_table(&mut random, number)).await;
    }
    assert_eq!(both.one.tables(&most).await.expect("a page").len(), LONGEST_PAGE);
    assert_eq!(both.one.running(None, usize::MAX).await.expect("a page").len().min(LONGEST_PAGE), {
        let playing = TableFilter { status: Some(Status::Playing), ..TableFilter::default() };
        both.one.tables(&playing).await.expect("a page").len()
    });
}

pub async fn running_tables_come_page_by_page(both: Both) {
    let mut running = Vec::new();
    for number in 0..40 {
        let mut summary = new_table(&format!("{number:02}"));
        if number % 3 == 0 {
            summary.status = Status::Playing;
            running.push(summary.table.clone());
        }
        keep(&both.one, &summary).await;
    }
    let mut found: Vec<TableId> = Vec::new();
    loop {
        let page = both.other.running(found.last(), 4).await.expect("a page");
        if page.is_empty() {
            break;
        }
        assert!(page.len() <= 4);
        found.extend(page);
    }
    assert_eq!(found, running);
}

fn one_of<T: Copy>(random: &mut Xoshiro256PlusPlus, of: &[T]) -> T {
    of[random.random_range(0..of.len())]
}

/// A table of a world with few people, games and moments, so that filters meet.
fn random_table(random: &mut Xoshiro256PlusPlus, number: u64) -> Listing {
    let status = one_of(random, &[Status::Open, Status::Playing, Status::Finished, Status::Finished, Status::Aborted]);
    let seats: Vec<Option<Sitting>> = (0..random.random_range(2..=4))
        .map(|_| match random.random_range(0..8) {
            0 => None,
            1 => Some(Sitting { user: None, name: "beginner".to_owned() }),
            user => Some(Sitting { user: Some(UserId(user)), name: format!("user {user}") }),
        })
        .collect();
    let waits = |seat: &Option<Sitting>| seat.is_none() && status == Status::Open;
    let kept = seats.iter().map(|seat| waits(seat).then(|| UserId(random.random_range(2..9)))).collect();
    let winners = (0..seats.len() as u8).filter(|_| random.random_range(0..3) == 0).collect();
    Listing {
        host: None,
        game: one_of(random, &["trexo", "mod-x", "figures"]).to_owned(),
        status,
        public: random.random_range(0..2) == 0,
        changed: random.random_range(0..40),
        winners: (status == Status::Finished).then_some(winners),
        seats,
        kept,
        ..new_table(&format!("{:x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }
}

fn random_filter(random: &mut Xoshiro256PlusPlus) -> TableFilter {
    let mut sometimes = |chance: u32| random.random_range(0..chance) == 0;
    let (status, public, game, player, opponent, result, from, before) = (
        sometimes(3),
        sometimes(4),
        sometimes(4),
        sometimes(2),
        sometimes(3),
        sometimes(3),
        sometimes(4),
        sometimes(4),
    );
    TableFilter {
        status: status.then(|| one_of(random, &[Status::Open, Status::Playing, Status::Finished, Status::Aborted])),
        public: public.then(|| random.random_range(0..2) == 0),
        game: game.then(|| one_of(random, &["trexo", "mod-x", "figures", "chess"]).to_owned()),
        player: player.then(|| PlayerFilter {
            user: UserId(random.random_range(2..9)),
            opponent: opponent.then(|| UserId(random.random_range(2..9))),
            result: result.then(|| one_of(random, &[GameResult::Won, GameResult::Lost, GameResult::Drawn])),
        }),
        changed_from: from.then(|| random.random_range(0..40)),
        changed_before: before.then(|| random.random_range(0..40)),
        after: None,
        limit: random.random_range(1..=60),
    }
}

/// The words of the filter, one by one.
fn slow_search(filter: &TableFilter, table: &Listing) -> bool {
    if filter.status.is_some_and(|status| status != table.status)
        || filter.public.is_some_and(|public| public != table.public)
        || filter.game.as_ref().is_some_and(|game| *game != table.game)
        || filter.changed_from.is_some_and(|from| table.changed < from)
        || filter.changed_before.is_some_and(|before| table.changed >= before)
    {
        return false;
    }
    let Some(player) = filter.player else { return true };
    let user_of = |seat: usize| table.seats[seat].as_ref().and_then(|sitter| sitter.user);
    for mine in 0..table.seats.len() {
        if user_of(mine) != Some(player.user) && table.kept[mine] != Some(player.user) {
            continue;
        }
        let result = match &table.winners {
            None => None,
            Some(winners) if winners.is_empty() => Some(GameResult::Drawn),
            Some(winners) if winners.contains(&(mine as u8)) => Some(GameResult::Won),
            Some(_) => Some(GameResult::Lost),
        };
        if player.result.is_some() && player.result != result {
            continue;
        }
        for theirs in 0..table.seats.len() {
            if player.opponent.is_none() || theirs != mine && user_of(theirs) == player.opponent {
                return true;
            }
        }
    }
    false
}
