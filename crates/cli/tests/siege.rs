//! `cargo xtask siege`: servers under load that are killed again and again while disks fill up, clocks jump and connections break.
//! Nothing acknowledged is lost, nothing is done twice, every game ends, and every rating is the one that follows from the logs.
//!
//! A thousand kills take most of an hour, so this is no part of the tests. `SIEGE_KILLS` says how many there are.

mod support {
    #[path = "../../../server/tests/support/nats.rs"]
    pub mod nats;
    pub mod players;
    #[path = "../../../server/tests/support/postgres.rs"]
    pub mod postgres;
    pub mod process;
    pub mod relay;
}

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use quincunx_server::people::ratings::recompute;
use quincunx_server::store::Store;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use support::nats::NatsServer;
use support::players::Town;
use support::postgres::Postgres;
use support::process::{Process, free_port};
use support::relay::Relay;
use tempfile::TempDir;

/// How long it may take in all, for each kill.
const EACH: Duration = Duration::from_secs(20);
/// How often what was done so far is told.
const TOLD: usize = 50;

fn kills() -> usize {
    std::env::var("SIEGE_KILLS").map_or(1000, |kills| kills.parse().expect("SIEGE_KILLS is a number"))
}

/// What was done to the servers.
#[derive(Default)]
struct Harm(BTreeMap<&'static str, usize>);

impl Harm {
    fn note(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    fn tell(&self, title: &str, since: Instant, town: &Town) {
        let seconds = since.elapsed().as_secs();
        println!("{title}, after {seconds} s: {:?}; {} actions acknowledged", self.0, town.acknowledged());
    }
}

/// A small disk in memory.
struct Disk {
    folder: TempDir,
}

impl Disk {
    fn new(megabytes: usize) -> Self {
        let folder = tempfile::Builder::new().prefix("quincunx-disk-").tempdir().expect("a temporary folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={megabytes}m"), "tmpfs"])
            .arg(folder.path())
            .status();
        assert!(mounted.is_ok_and(|status| status.success()), "a small disk can be mounted only by root");
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }

    /// Takes all the room there is.
    fn fill(&self) {
        let mut file = fs::File::create(self.filler()).expect("a file");
        for size in [1 << 20, 4096] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    }

    fn free(&self) {
        fs::remove_file(self.filler()).expect("the filler goes");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.folder.path()).status();
    }
}

/// The time of day of a process, which can be moved while it runs.
struct WallClock {
    file: PathBuf,
    variables: Vec<(String, String)>,
}

impl WallClock {
    fn new(folder: &Path) -> Self {
        let library =
            ["/usr/lib/x86_64-linux-gnu/faketime", "/usr/lib/aarch64-linux-gnu/faketime", "/usr/lib/faketime"]
                .into_iter()
                .map(|folder| Path::new(folder).join("libfaketime.so.1"))
                .find(|library| library.exists())
                .expect("this needs libfaketime: apt-get install faketime");
        let file = folder.join("time");
        let clock = Self {
            variables: [
                ("LD_PRELOAD", library.display().to_string()),
                ("FAKETIME_TIMESTAMP_FILE", file.display().to_string()),
                ("FAKETIME_CACHE_DURATION", "1".to_owned()),
                ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
            ]
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec(),
            file,
        };
        clock.set(0);
        clock
    }

    /// Moves the time away from that of the machine.
    fn set(&self, seconds: i64) {
        fs::write(&self.file, format!("{seconds:+}s\n")).expect("the file of the clock");
    }

    fn variables(&self) -> Vec<(&str, &str)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes most of an hour: cargo xtask siege"]
async fn one_server_on_sqlite() {
    let kills = kills();
    let disk = Disk::new(256);
    let data = disk.path().join("data");
    let clocks = tempfile::tempdir().expect("a temporary folder");
    let clock = WallClock::new(clocks.path());
    let port = free_port();
    let relay = Relay::to(port).await;
    let town = Town::new(&[relay.port]);
    let start = || Process::serve_with(port, &["--data", data.to_str().expect("a path")], &clock.variables());
    let (began, mut harm) = (Instant::now(), Harm::default());
    let siege = async {
        let mut server = start();
        let mut playing = town.open(8, true).await;
        town.open_rated(6, &mut playing).await;
        let mut rng = StdRng::seed_from_u64(1);
        for kill in 1..=kills {
            town.busy(rng.random_range(1..40)).await;
            match kill % 10 {
                1 => {
                    harm.note("disk full");
                    disk.fill();
                    tokio::time::sleep(Duration::from_millis(rng.random_range(50..1_500))).await;
                    // Half of the time the server is killed on the full disk.
                    if kill % 20 == 1 {
                        disk.free();
                        town.busy(5).await;
                    }
                }
                3 | 5 => {
                    harm.note("clock moved");
                    clock.set(if kill % 10 == 3 { rng.random_range(1..7_200) } else { -rng.random_range(1..7_200) });
                    tokio::time::sleep(Duration::from_millis(1_200)).await;
                    town.busy(20).await;
                }
                7 => {
                    harm.note("connections cut");
                    relay.close_for(Duration::from_millis(rng.random_range(1..500))).await;
                    town.busy(5).await;
                }
                9 => {
                    harm.note("network silent");
                    relay.silence_for(Duration::from_millis(rng.random_range(1..800))).await;
                    town.busy(5).await;
                }
                _ => {}
            }
            server.kill();
            harm.note("killed");
            if disk.filler().exists() {
                disk.free();
            }
            if kill % 10 == 8 {
                clock.set(0);
            }
            server = start();
            if kill % TOLD == 0 {
                harm.tell("SQLite", began, &town);
            }
        }
        clock.set(0);
        town.close(playing).await;
        server.stop();
        let store = Store::sqlite(data.join("quincunx.db")).await.expect("SQLite opens");
        report("SQLite", &harm, began, &town, &store).await;
    };
    town.within(EACH * kills as u32 + support::players::DEADLINE, Box::pin(siege)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes most of an hour: cargo xtask siege"]
async fn two_servers_and_a_worker_on_postgresql_and_nats() {
    let kills = kills();
    let mut postgres = Postgres::start();
    let database = postgres.fresh_database().await;
    let mut nats = NatsServer::start();
    let to_postgres = Relay::to(postgres.port()).await;
    let to_nats = Relay::to(nats.port()).await;
    let own_database = database.replace(&format!(":{}/", postgres.port()), &format!(":{}/", to_postgres.port));
    let nats_url = format!("nats://127.0.0.1:{}", to_nats.port);
    let clocks = tempfile::tempdir().expect("a temporary folder");
    let clock = WallClock::new(clocks.path());
    let ports = [free_port(), free_port()];
    let relays = [Relay::to(ports[0]).await, Relay::to(ports[1]).await];
    let town = Town::new(&relays.each_ref().map(|relay| relay.port));
    let start = |number: usize| {
        let arguments = ["--database", &own_database, "--nats", &nats_url, "--thinkers", "0"];
        Process::serve_with(ports[number], &arguments, &clock.variables())
    };
    let (began, mut harm) = (Instant::now(), Harm::default());
    let siege = async {
        let mut servers = [Some(start(0)), Some(start(1))];
        let mut worker = Process::work(&nats.url());
        let mut playing = town.open(8, true).await;
        town.open_rated(6, &mut playing).await;
        let mut rng = StdRng::seed_from_u64(2);
        for kill in 1..=kills {
            town.busy(rng.random_range(1..20)).await;
            let while_cut = Duration::from_millis(rng.random_range(1..800));
            match kill % 20 {
                1 => {
                    harm.note("writing refused");
                    postgres.run("ALTER SYSTEM SET default_transaction_read_only = on").await;
                    postgres.run("SELECT pg_reload_conf()").await;
                    tokio::time::sleep(while_cut).await;
                    postgres.run("ALTER SYSTEM RESET default_transaction_read_only").await;
                    postgres.run("SELECT pg_reload_conf()").await;
                }
                3 => {
                    harm.note("PostgreSQL killed");
                    postgres.kill();
                    postgres.start_again();
                }
                5 => {
                    harm.note("NATS killed");
                    nats.kill();
                    town.busy(rng.random_range(1..10)).await;
                    nats.start_again();
                }
                7 => {
                    harm.note("worker killed");
                    worker.kill();
                    worker = Process::work(&nats.url());
                }
                9 => {
                    harm.note("PostgreSQL cut off");
                    to_postgres.close_for(while_cut).await;
                }
                11 => {
                    harm.note("PostgreSQL silent");
                    to_postgres.silence_for(while_cut).await;
                }
                13 => {
                    harm.note("NATS cut off");
                    to_nats.close_for(while_cut).await;
                }
                15 => {
                    harm.note("NATS silent");
                    to_nats.silence_for(while_cut).await;
                }
                17 => {
                    harm.note("connections cut");
                    relays[kill / 20 % 2].close_for(while_cut).await;
                }
                19 => {
                    harm.note("clocks moved");
                    clock.set(rng.random_range(-7_200..7_200));
                    tokio::time::sleep(Duration::from_millis(1_200)).await;
                    town.busy(10).await;
                    clock.set(0);
                }
                _ => {}
            }
            let victim = kill % 2;
            if let Some(server) = servers[victim].take() {
                server.kill();
                harm.note("killed");
            }
            town.busy(rng.random_range(1..10)).await;
            servers[victim] = Some(start(victim));
            if kill % TOLD == 0 {
                harm.tell("PostgreSQL and NATS", began, &town);
            }
        }
        town.close(playing).await;
        servers.into_iter().flatten().for_each(Process::stop);
        worker.stop();
        let store = Store::postgres(&database).await.expect("PostgreSQL opens");
        report("PostgreSQL and NATS", &harm, began, &town, &store).await;
    };
    town.within(EACH * kills as u32 + support::players::DEADLINE, Box::pin(siege)).await;
}

/// Compares everything, and tells what was done and found.
async fn report(title: &str, harm: &Harm, began: Instant, town: &Town, store: &Store) {
    harm.tell(title, began, town);
    let (acknowledged, tables) = town.compare(store).await;
    let (rated, differences) = recompute(store).await.expect("the rated games can be read");
    assert!(differences.is_empty(), "ratings that do not follow from the logs: {differences:?}");
    println!(
        "{title}: of {acknowledged} acknowledged actions at {tables} tables none is lost and none is there twice; all games"
    );
    println!("have ended, and the ratings are those that follow from {rated} rated games.");
}
