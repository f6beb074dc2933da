//! What tables cost at which a clock runs and nothing happens, with storage in memory.
//!
//! `cargo run --release -p quincunx-server --example running_clocks -- [tables] [seconds]`

use std::fs;
use std::time::{Duration, Instant};

use quincunx_server::cluster::{Alone, Local};
use quincunx_server::hub::Hub;
use quincunx_server::store::Store;
use quincunx_table::{Command, Person, UserId, UserKind};
use serde_json::json;

type Failure = Box<dyn std::error::Error>;

fn person(seat: usize) -> Person {
    Person { id: UserId(seat as i64 + 1), name: format!("player {seat}"), kind: UserKind::Account }
}

/// The processor time that this process has used, as Linux counts it: in hundredths of a second.
fn used() -> Result<f64, Failure> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let numbers: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| numbers.get(at).ok_or("a number is missing")?.parse::<f64>().map_err(Failure::from);
    Ok((ticks(11)? + ticks(12)?) / 100.0)
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let tables: usize = arguments.next().map_or(Ok(100_000), |count| count.parse())?;
    let seconds: u64 = arguments.next().map_or(Ok(10), |count| count.parse())?;
    let hub = Hub::with_thinkers(Store::memory(), Alone, Local::new(1, 60), quincunx_server::http::now)?;
    let clock = json!({"kind": "real_time", "seconds": 3600, "increment": 10});
    let setup = json!({"game": "trexo", "seats": [{"kind": "open"}, {"kind": "open"}], "clock": clock});
    for _ in 0..tables {
        let table = hub.create(serde_json::from_value(setup.clone())?, &person(0), None).await?.table;
        for seat in 0..2 {
            let sit = Command::Sit { seat, invitation: None };
            hub.command(&table, &person(usize::from(seat)), None, &sit, None).await?;
        }
    }
    println!("{} tables with a running clock", hub.burden().tables);
    let running = tokio::spawn({
        let hub = hub.clone();
        async move { hub.run().await }
    });
    // The first look finds out when each table needs somebody next.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let (before, started) = (used()?, Instant::now());
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let share = (used()? - before) / started.elapsed().as_secs_f64();
    println!("{:.2} % of a core over {seconds} s", 100.0 * share);
    running.abort();
    Ok(())
}
