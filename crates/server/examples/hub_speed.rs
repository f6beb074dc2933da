//! What a move costs the hub on one thread, with storage in memory: tables with two watchers who sit there, and random games.
//!
//! `cargo run --release -p quincunx-server --example hub_speed -- [tables] [moves]`

use std::collections::HashSet;
use std::time::{Duration, Instant};

use quincunx_core::{Seat, Turn};
use quincunx_server::cluster::{Alone, Local};
use quincunx_server::hub::{Hub, Inbox, Outbox, Watch};
use quincunx_server::store::Store;
use quincunx_table::Command;
use quincunx_table::Person;
use quincunx_table::{Status, TableId, UserId, UserKind};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::json;

type Failure = Box<dyn std::error::Error>;

fn person(seat: usize) -> Person {
    Person { id: UserId(seat as i64 + 1), name: format!("player {seat}"), kind: UserKind::Account }
}

async fn command(hub: &Hub, table: &TableId, seat: usize, command: Command, id: u64) -> Result<(), Failure> {
    hub.command(table, &person(seat), None, &command, Some(&id.to_string())).await?;
    Ok(())
}

/// A table with two who sit there and watch.
struct Watched {
    table: TableId,
    inboxes: Vec<Inbox>,
}

impl Watched {
    async fn new(hub: &Hub, game: &str) -> Result<Self, Failure> {
        let setup = serde_json::from_value(json!({"game": game, "seats": [{"kind": "open"}, {"kind": "open"}]}))?;
        let table = hub.create(setup, &person(0), None).await?.table;
        let mut inboxes = Vec::new();
        for seat in 0..2 {
            command(hub, &table, seat, Command::Sit { seat: seat as u8, invitation: None }, seat as u64).await?;
            let (outbox, inbox) = Outbox::new(Some(person(seat)), false, HashSet::new());
            hub.watch(&table, &outbox, Watch::default()).await?;
            inboxes.push(inbox);
        }
        Ok(Self { table, inboxes })
    }

    /// A random action of the seat on turn, unless the game is over.
    async fn choose(&self, hub: &Hub, rng: &mut Xoshiro256PlusPlus) -> Result<Option<(Seat, String)>, Failure> {
        let choose = |state: &quincunx_table::State| match state.game.turn() {
            Turn::Seat(seat) if state.status == Status::Playing => {
                let mut actions = state.game.actions(seat);
                Some((seat, actions.swap_remove(rng.random_range(0..actions.len()))))
            }
            _ => None,
        };
        Ok(hub.look(&self.table, Some(person(0).id), None, choose).await?)
    }
}

async fn measure(game: &str, tables: usize, moves: u64) -> Result<(), Failure> {
    let hub = Hub::with_thinkers(Store::memory(), Alone, Local::new(1, 60), || 0)?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut watched = Vec::new();
    for _ in 0..tables {
        watched.push(Watched::new(&hub, game).await?);
    }
    let (mut spent, mut bytes, mut messages) = (Duration::ZERO, 0, 0_u64);
    for number in 0..moves {
        let at = number as usize % tables;
        let (seat, action) = loop {
            match watched[at].choose(&hub, &mut rng).await? {
                Some(chosen) => break chosen,
                None => watched[at] = Watched::new(&hub, game).await?,
            }
        };
        let act = Command::Act { action, ply: None };
        let begun = Instant::now();
        command(&hub, &watched[at].table, seat.index(), act, number).await?;
        for inbox in &mut watched[at].inboxes {
            while let Some(text) = inbox.ready() {
                bytes += text.len();
                messages += 1;
            }
        }
        // What the hub leaves for later is also its work.
        tokio::task::yield_now().await;
        spent += begun.elapsed();
    }
    let micros = spent.as_secs_f64() * 1e6 / moves as f64;
    println!(
        "{game:16} {:8.0} moves/s {micros:7.2} us a move, {} bytes a message",
        1e6 / micros,
        bytes as u64 / messages.max(1)
    );
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut numbers = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let tables = numbers.next().transpose()?.unwrap_or(200).max(1);
    let moves = numbers.next().transpose()?.unwrap_or(50_000).max(1);
    for game in ["trexo", "castle-builders"] {
        measure(game, tables as usize, moves).await?;
    }
    Ok(())
}
