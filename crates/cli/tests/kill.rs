//! Nothing acknowledged is ever lost: servers are killed again and again under load, and every acknowledged action is in the log.

mod support {
    pub mod players;
    pub mod process;
}

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use quincunx_server::store::Store;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use support::players::{Diary, Pair, Town, compare};
use support::process::{ServerProcess, free_port};
use tokio::task::JoinSet;

/// Lets pairs of players play, half of them a game with hidden cards.
async fn open(town: &Arc<Town>, pairs: usize) -> JoinSet<Diary> {
    let mut playing = JoinSet::new();
    for number in 0..pairs {
        let game = if number % 2 == 0 { "trexo" } else { "castle-builders" };
        playing.spawn(Pair::new(town.clone(), game, number).await.play());
    }
    playing
}

/// Waits until so many more actions have been acknowledged, so that every kill meets a server at work.
async fn busy(town: &Town, more: usize) {
    let goal = town.acknowledged.load(Ordering::Relaxed) + more;
    while town.acknowledged.load(Ordering::Relaxed) < goal {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_fifty_times_loses_nothing_acknowledged() {
    const KILLS: usize = 50;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap().to_owned();
    let port = free_port();
    let town = Arc::new(Town {
        addresses: vec![format!("http://127.0.0.1:{port}")],
        closing: false.into(),
        acknowledged: 0.into(),
    });
    let start = || ServerProcess::start(port, &["--data", &data]);
    let mut server = start();
    let playing = open(&town, 12).await;
    let mut rng = StdRng::seed_from_u64(50);
    for _ in 0..KILLS {
        busy(&town, rng.random_range(1..40)).await;
        server.kill();
        server = start();
    }
    town.closing.store(true, Ordering::Relaxed);
    let diaries = playing.join_all().await;
    assert!(diaries.iter().map(|diary| diary.reconnected).sum::<usize>() >= KILLS);
    server.stop();
    let store = Store::sqlite(folder.path().join("quincunx.db")).await.unwrap();
    compare(&store, &diaries).await;
}
