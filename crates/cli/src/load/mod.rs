//! `quincunx bench server`: starts a server of its own and plays real games there over live connections, or holds idle connections.

mod child;
mod play;

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use hdrhistogram::Histogram;
use quincunx_client::{Client, Live};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use self::child::{Child, Usage};
use self::play::{Board, Script};
use crate::commands::{BOLD, QUIET};
use crate::failure::Failure;
use crate::progress::{bar, interruption};

/// Arguments of `bench server`.
#[derive(Args)]
pub(crate) struct ServerBench {
    /// The game that is played
    #[arg(long, default_value = "trexo")]
    game: String,
    /// At how many tables at once, two players each
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=4000))]
    tables: u32,
    /// How long to measure
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Hold so many idle connections instead of playing
    #[arg(long, value_name = "CONNECTIONS", value_parser = clap::value_parser!(u32).range(1..=50_000))]
    idle: Option<u32>,
    /// Keep the tables in memory instead of in a SQLite file
    #[arg(long, conflicts_with = "database")]
    memory: bool,
    /// Keep the tables in this PostgreSQL database
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is counted while games are played.
#[derive(Default)]
struct Counts {
    moves: AtomicU64,
    games: AtomicU64,
    stop: AtomicBool,
}

impl ServerBench {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let server = Child::start(&self.storage())?;
            match self.idle {
                Some(connections) => self.hold(&server, connections, out).await,
                None => self.play(&server, out).await,
            }
        })
    }

    fn storage(&self) -> child::Storage {
        match &self.database {
            Some(url) => child::Storage::Database(url.clone()),
            None if self.memory => child::Storage::Memory,
            None => child::Storage::Sqlite,
        }
    }

    async fn play(&self, server: &Child, out: &mut impl Write) -> Result<(), Failure> {
        let interrupted = interruption()?;
        let script = Arc::new(Script::new(&self.game)?);
        let client = Client::new(server.address()).map_err(|error| error.to_string())?;
        let progress = bar(u64::from(self.tables), "{bar:30} {pos}/{len} tables set up, about {eta} left");
        let mut boards = Vec::new();
        for number in 0..self.tables {
            if interrupted.load(Ordering::Relaxed) {
                return Err("interrupted before anything was measured".into());
            }
            boards.push(Board::set_up(&client, &script, number).await?);
            progress.inc(1);
        }
        progress.finish_and_clear();
        let counts = Arc::new(Counts::default());
        let mut games = JoinSet::new();
        for board in boards {
            games.spawn(board.play(counts.clone()));
        }
        // The first moments are for caches and connections to warm up.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let (before, moves_before) = (server.usage()?, counts.moves.load(Ordering::Relaxed));
        let started = Instant::now();
        let progress = bar(self.seconds, "{bar:30} {pos}/{len} seconds, about {eta} left");
        for second in 1..=self.seconds {
            tokio::time::sleep_until((started + Duration::from_secs(second)).into()).await;
            progress.inc(1);
            if interrupted.load(Ordering::Relaxed) {
                break;
            }
        }
        progress.finish_and_clear();
        let elapsed = started.elapsed().as_secs_f64();
        let (after, moves) = (server.usage()?, counts.moves.load(Ordering::Relaxed) - moves_before);
        counts.stop.store(true, Ordering::Relaxed);
        let mut acknowledged = histogram();
        let mut delivered = histogram();
        while let Some(finished) = games.join_next().await {
            let times = finished.map_err(|error| error.to_string())??;
            acknowledged.add(&times.acknowledged).map_err(|error| error.to_string())?;
            delivered.add(&times.delivered).map_err(|error| error.to_string())?;
        }
        let played = Played { elapsed, moves, games: counts.games.load(Ordering::Relaxed), before, after };
        self.report(&played, &acknowledged, &delivered, out)
    }

    fn report(
        &self,
        played: &Played,
        acknowledged: &Histogram<u64>,
        delivered: &Histogram<u64>,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let per_second = played.moves as f64 / played.elapsed;
        let cpu = played.after.cpu_seconds - played.before.cpu_seconds;
        let per_cpu = played.moves as f64 / cpu;
        let storage = self.storage();
        if self.json {
            let times = |histogram: &Histogram<u64>| -> Value {
                let times = SHOWN.map(|(name, quantile)| (name.to_owned(), millis(histogram, quantile).into()));
                Value::Object(times.into_iter().collect())
            };
            writeln!(
                out,
                "{}",
                json!({
                    "game": self.game, "tables": self.tables, "storage": storage.name(), "seconds": played.elapsed,
                    "moves": played.moves, "games": played.games, "moves_per_s": per_second,
                    "cpu_seconds": cpu, "moves_per_cpu_second": per_cpu,
                    "resident_bytes": played.after.resident, "acknowledged_ms": times(acknowledged),
                    "delivered_ms": times(delivered),
                })
            )?;
            return Ok(());
        }
        writeln!(out, "{BOLD}{} at {} tables, {}{BOLD:#}", self.game, self.tables, storage.name())?;
        writeln!(out, "{:>12.0}  moves a second, {} games ended", per_second, played.games)?;
        writeln!(out, "{per_cpu:>12.0}  moves per CPU second of the server ({cpu:.1} s in {:.1} s)", played.elapsed)?;
        writeln!(out, "{:>12.1}  MB resident", played.after.resident as f64 / 1e6)?;
        chart("from a move to its acknowledgement", acknowledged, out)?;
        chart("from a move to the other player", delivered, out)
    }

    async fn hold(&self, server: &Child, connections: u32, out: &mut impl Write) -> Result<(), Failure> {
        let interrupted = interruption()?;
        let client = Client::new(server.address()).map_err(|error| error.to_string())?;
        // The first connections bring what all share.
        let mut held: Vec<Live> = Vec::new();
        for _ in 0..10 {
            held.push(open(&client).await?);
        }
        let before = server.usage()?;
        let progress = bar(u64::from(connections), "{bar:30} {pos}/{len} connections, about {eta} left");
        let mut connections = connections;
        for number in 0..connections {
            if number > 0 && interrupted.load(Ordering::Relaxed) {
                connections = number;
                break;
            }
            held.push(open(&client).await?);
            progress.inc(1);
        }
        progress.finish_and_clear();
        tokio::time::sleep(Duration::from_secs(2)).await;
        let after = server.usage()?;
        // All of them live.
        for live in &mut held {
            live.ask(json!({"type": "ping"})).await.map_err(|error| error.to_string())?;
        }
        let each = (after.resident.saturating_sub(before.resident)) as f64 / f64::from(connections);
        if self.json {
            writeln!(
                out,
                "{}",
                json!({"connections": connections, "resident_before": before.resident,
                       "resident_after": after.resident, "bytes_each": each})
            )?;
        } else {
            writeln!(out, "{BOLD}{connections} idle connections{BOLD:#}, each answered a ping afterwards")?;
            writeln!(out, "{:>12.1}  MB resident before", before.resident as f64 / 1e6)?;
            writeln!(out, "{:>12.1}  MB resident with them", after.resident as f64 / 1e6)?;
            writeln!(out, "{:>12.1}  kB each", each / 1e3)?;
        }
        Ok(())
    }
}

struct Played {
    elapsed: f64,
    moves: u64,
    games: u64,
    before: Usage,
    after: Usage,
}

async fn open(client: &Client) -> Result<Live, Failure> {
    let mut live = client.live().await.map_err(|error| error.to_string())?;
    live.next().await.ok_or("the server has closed a connection")?;
    Ok(live)
}

/// Times from a microsecond to a minute, in microseconds.
fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, 60_000_000, 3).expect("these bounds are good")
}

const SHOWN: [(&str, f64); 6] =
    [("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999), ("max", 1.0)];

fn millis(histogram: &Histogram<u64>, quantile: f64) -> f64 {
    histogram.value_at_quantile(quantile) as f64 / 1e3
}

/// The percentiles as bars.
fn chart(title: &str, histogram: &Histogram<u64>, out: &mut impl Write) -> Result<(), Failure> {
    const WIDTH: f64 = 50.0;
    let longest = millis(histogram, 1.0).max(0.001);
    writeln!(out, "{QUIET}{title}, in ms{QUIET:#}")?;
    for (name, quantile) in SHOWN {
        let time = millis(histogram, quantile);
        let bar = "█".repeat((time / longest * WIDTH).ceil() as usize);
        writeln!(out, "{name:>6} {time:>9.2}  {bar}")?;
    }
    Ok(())
}
