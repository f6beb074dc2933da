//! Two servers and a worker on PostgreSQL and NATS, all of which are killed again and again under load: nothing acknowledged is
//! lost, all games go on, and a clock falls once.

mod support {
    #[path = "../../../server/tests/support/nats.rs"]
    pub mod nats;
    pub mod players;
    #[path = "../../../server/tests/support/postgres.rs"]
    pub mod postgres;
    pub mod process;
}

use std::time::Duration;

use quincunx_client::Client;
use quincunx_server::store::Store;
use quincunx_table::{Entry, TableId};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use support::nats::NatsServer;
use support::players::Town;
use support::postgres::Postgres;
use support::process::{Process, free_port};

/// What two servers share.
struct Ground {
    postgres: Postgres,
    nats: NatsServer,
    database: String,
    ports: [u16; 2],
}

impl Ground {
    async fn new() -> Self {
        let postgres = Postgres::start();
        let database = postgres.fresh_database().await;
        Self { postgres, nats: NatsServer::start(), database, ports: [free_port(), free_port()] }
    }

    /// Starts one of the two servers. It leaves the thinking to workers.
    fn serve(&self, number: usize) -> Process {
        let nats = self.nats.url();
        Process::serve(self.ports[number], &["--database", &self.database, "--nats", &nats, "--thinkers", "0"])
    }

    fn work(&self) -> Process {
        Process::work(&self.nats.url())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_of_a_cluster_is_killed_nothing_acknowledged_is_lost() {
    const KILLS: usize = 50;
    let mut ground = Ground::new().await;
    let town = Town::new(&ground.ports);
    let test = async {
        let mut servers = [ground.serve(0), ground.serve(1)];
        let mut worker = ground.work();
        let playing = town.open(12, true).await;
        let mut rng = StdRng::seed_from_u64(50);
        for kill in 0..KILLS {
            town.busy(rng.random_range(1..20)).await;
            let [first, second] = servers;
            let (victim, other) = if kill % 2 == 0 { (first, second) } else { (second, first) };
            victim.kill();
            // The other one does the work of both.
            town.busy(rng.random_range(1..10)).await;
            let victim = ground.serve(kill % 2);
            servers = if kill % 2 == 0 { [victim, other] } else { [other, victim] };
            match kill % 10 {
                1 => {
                    worker.kill();
                    worker = ground.work();
                }
                3 => {
                    if kill % 20 == 3 {
                        ground.nats.kill();
                    } else {
                        ground.nats.stop();
                    }
                    // Everybody works on over the storage alone.
                    town.busy(rng.random_range(1..20)).await;
                    ground.nats.start_again();
                }
                6 => {
                    if kill % 20 == 6 {
                        ground.postgres.kill();
                    } else {
                        ground.postgres.stop();
                    }
                    ground.postgres.start_again();
                }
                _ => {}
            }
        }
        town.close(playing).await;
        assert!(town.reconnected() >= KILLS);
        servers.into_iter().for_each(Process::stop);
        worker.stop();
        town.compare(&Store::postgres(&ground.database).await.unwrap()).await;
    };
    town.within_deadline(Box::pin(test)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_falls_once_also_if_who_looks_after_it_is_killed_just_before() {
    let ground = Ground::new().await;
    let town = Town::new(&[]);
    let test = async {
        let store = Store::postgres(&ground.database).await.unwrap();
        let on_duty = ground.serve(0);
        // It looks after the clocks as soon as it is alone; the lease can be had by nobody else then.
        while store.lease("clocks", "a test", now(), now()).await.unwrap() {
            store.release("clocks", "a test").await.unwrap();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let other = ground.serve(1);
        let [host, guest] = ["Ada", "Bob"];
        let server = Client::new(&format!("http://127.0.0.1:{}", ground.ports[0])).unwrap();
        let (host, guest) = (server.guest(host).await.unwrap(), server.guest(guest).await.unwrap());
        let clock = json!({"kind": "real_time", "seconds": 2, "increment": 0});
        let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}], "clock": clock});
        let table = host.post("/api/tables", &json!({"setup": setup})).await.unwrap()["table"].clone();
        let table = TableId(table.as_str().unwrap().to_owned());
        for (seat, player) in [&host, &guest].into_iter().enumerate() {
            let order = json!({"command": {"type": "sit", "seat": seat}});
            player.post(&format!("/api/tables/{}/commands", table.0), &order).await.unwrap();
        }
        tokio::time::sleep(Duration::from_millis(1500)).await;
        on_duty.kill();
        let falls = |log: &[Entry]| log.iter().filter(|entry| entry.event.contains("\"flag_fell\"")).count();
        let log = loop {
            let log = store.entries(&table, 0, 100).await.unwrap();
            if falls(&log) > 0 {
                break log;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        // A third one, and the one that has let it fall, have nothing to add.
        let third = ground.serve(0);
        let seen = server.get(&format!("/api/tables/{}", table.0)).await.unwrap();
        assert_eq!(seen["status"], "finished");
        third.stop();
        other.stop();
        assert_eq!(store.entries(&table, 0, 100).await.unwrap(), log);
        assert_eq!(falls(&log), 1);
    };
    town.within_deadline(Box::pin(test)).await;
}

fn now() -> i64 {
    quincunx_server::http::now()
}
