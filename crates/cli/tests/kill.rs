//! Nothing acknowledged is ever lost: a server is killed and stopped again and again under load, and every acknowledged action is
//! in the log.

mod support {
    pub mod players;
    pub mod process;
}

use quincunx_server::store::Store;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use support::players::Town;
use support::process::{Process, free_port};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_fifty_times_loses_nothing_acknowledged() {
    const KILLS: usize = 50;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap().to_owned();
    let port = free_port();
    let town = Town::new(&[port]);
    let start = || Process::serve(port, &["--data", &data]);
    let test = async {
        let mut server = start();
        let playing = town.open(12, true).await;
        let mut rng = StdRng::seed_from_u64(50);
        for _ in 0..KILLS {
            town.busy(rng.random_range(1..40)).await;
            server.kill();
            server = start();
        }
        town.close(playing).await;
        assert!(town.reconnected() >= KILLS);
        server.stop();
        let store = Store::sqlite(folder.path().join("quincunx.db")).await.unwrap();
        town.compare(&store).await;
    };
    town.within_deadline(Box::pin(test)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_told_to_stop_answers_what_it_has_done_and_says_goodbye() {
    const STOPS: usize = 8;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap().to_owned();
    let port = free_port();
    let town = Town::new(&[port]);
    let test = async {
        let mut server = Process::serve(port, &["--data", &data]);
        let playing = town.open(12, true).await;
        for _ in 0..STOPS {
            town.busy(40).await;
            let mut listener = town.listener().await;
            server.stop();
            let mut last = None;
            while let Some(message) = listener.next().await {
                last = Some(message);
            }
            assert_eq!(last.expect("a goodbye")["type"], "closing");
            {
                let store = Store::sqlite(folder.path().join("quincunx.db")).await.unwrap();
                town.hears_of_everything(&store).await;
                store.close().await;
            }
            server = Process::serve(port, &["--data", &data]);
        }
        town.close(playing).await;
        server.stop();
        town.compare(&Store::sqlite(folder.path().join("quincunx.db")).await.unwrap()).await;
    };
    town.within_deadline(Box::pin(test)).await;
}
