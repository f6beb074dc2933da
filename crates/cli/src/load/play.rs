//! The players of a benchmark: two connections a table, one move after the other, game after game.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use hdrhistogram::Histogram;
use quincunx_client::{Client, Live};
use quincunx_core::{Actor, Turn, find};
use quincunx_games::GAMES;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Counts, histogram};
use crate::failure::Failure;

/// Random games, thought out before the measurement, so that the players cost little time. In games with chance or hidden
/// cards nobody can know before what will be legal: there the players pick from what the server offers them.
pub(super) enum Script {
    Games { game: String, games: Vec<Vec<(usize, String)>> },
    Offers { game: String },
}

impl Script {
    pub fn new(game: &str) -> Result<Self, Failure> {
        /// How many different games are played.
        const GAMES_WRITTEN: usize = 200;
        let kind = find(GAMES, game)?;
        let mut rng = StdRng::seed_from_u64(1);
        let mut games = Vec::new();
        for _ in 0..GAMES_WRITTEN {
            let mut table = kind.start(Some(2), &json!({}))?;
            let mut moves = Vec::new();
            loop {
                match table.turn() {
                    Turn::Over => break,
                    Turn::Chance => return Ok(Self::Offers { game: game.to_owned() }),
                    Turn::Seat(seat) => {
                        let actions = table.actions(seat);
                        let action = actions[rng.random_range(0..actions.len())].clone();
                        table.apply_by(Actor::Seat(seat), &action)?;
                        moves.push((seat.index(), action));
                    }
                }
            }
            games.push(moves);
        }
        Ok(Self::Games { game: game.to_owned(), games })
    }

    fn game(&self) -> &str {
        match self {
            Self::Games { game, .. } | Self::Offers { game } => game,
        }
    }
}

/// How long moves took, in microseconds.
pub(super) struct Times {
    pub acknowledged: Histogram<u64>,
    pub delivered: Histogram<u64>,
}

/// What is read of a message: no more than is needed to play on.
#[derive(Deserialize)]
struct Heard {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    turn: Option<Value>,
    #[serde(default)]
    offers: Option<Vec<String>>,
}

/// Two players and the table where they sit.
pub(super) struct Board {
    script: Arc<Script>,
    host: Client,
    lives: [Live; 2],
    table: String,
    rng: StdRng,
    sent: u64,
}

impl Board {
    pub async fn set_up(client: &Client, script: &Arc<Script>, number: u32) -> Result<Self, Failure> {
        let text = |error: quincunx_client::ClientError| error.to_string();
        let host = client.guest(&format!("Player {number} A")).await.map_err(text)?;
        let other = client.guest(&format!("Player {number} B")).await.map_err(text)?;
        let lives = [host.live().await.map_err(text)?, other.live().await.map_err(text)?];
        let rng = StdRng::seed_from_u64(u64::from(number));
        let mut board = Self { script: script.clone(), host, lives, table: String::new(), rng, sent: 0 };
        board.begin().await?;
        Ok(board)
    }

    /// Sets up a new table, and seats both players.
    async fn begin(&mut self) -> Result<(), Failure> {
        let text = |error: quincunx_client::ClientError| error.to_string();
        let setup = json!({"game": self.script.game(), "seats": [{"kind": "open"}, {"kind": "open"}]});
        let created = self.host.post("/api/tables", &json!({"setup": setup})).await.map_err(text)?;
        let old = std::mem::replace(&mut self.table, created["table"].as_str().unwrap_or_default().to_owned());
        for (seat, live) in self.lives.iter_mut().enumerate() {
            if !old.is_empty() {
                live.ask(json!({"type": "unwatch", "table": old})).await.map_err(text)?;
            }
            let sit = json!({"type": "command", "table": self.table, "command": {"type": "sit", "seat": seat}});
            live.ask(sit).await.map_err(text)?;
        }
        for live in &mut self.lives {
            live.ask(json!({"type": "watch", "table": self.table})).await.map_err(text)?;
            // What came while tables were set up does not matter any more.
            live.forget();
        }
        Ok(())
    }

    /// Plays game after game until it is told to stop.
    pub async fn play(mut self, counts: Arc<Counts>) -> Result<Times, Failure> {
        let mut times = Times { acknowledged: histogram(), delivered: histogram() };
        loop {
            let script = self.script.clone();
            match &*script {
                Script::Games { games, .. } => {
                    let game = &games[self.rng.random_range(0..games.len())];
                    for (seat, action) in game {
                        if counts.stop.load(Ordering::Relaxed) {
                            return Ok(times);
                        }
                        self.act(*seat, action, &mut times).await?;
                        counts.moves.fetch_add(1, Ordering::Relaxed);
                    }
                }
                Script::Offers { .. } => {
                    let mut next = self.first_offer().await?;
                    while let Some((seat, action)) = next {
                        if counts.stop.load(Ordering::Relaxed) {
                            return Ok(times);
                        }
                        let heard = self.act(seat, &action, &mut times).await?;
                        counts.moves.fetch_add(1, Ordering::Relaxed);
                        next = self.offered(&heard);
                    }
                }
            }
            counts.games.fetch_add(1, Ordering::Relaxed);
            self.begin().await?;
        }
    }

    /// Makes a move, and waits until both players know of it. Gives what both were told.
    async fn act(&mut self, seat: usize, action: &str, times: &mut Times) -> Result<[Heard; 2], Failure> {
        self.sent += 1;
        let (id, table) = (self.sent, &self.table);
        // Actions, like ids, hold nothing that JSON would have to escape.
        let text = format!(
            r#"{{"type":"command","id":"{id}","table":"{table}","command":{{"type":"act","action":"{action}"}}}}"#
        );
        let started = Instant::now();
        self.lives[seat].send_text(text.into()).await.map_err(|error| error.to_string())?;
        let mut own = None;
        loop {
            let heard = hear(&mut self.lives[seat]).await?;
            match heard.kind.as_str() {
                kind if is_news(kind) => own = Some(heard),
                "done" if heard.id.as_deref() == Some(&id.to_string()) => break,
                "refused" => return Err(format!("{action}: {}", heard.reason.unwrap_or_default()).into()),
                _ => {}
            }
        }
        times.acknowledged.saturating_record(started.elapsed().as_micros() as u64);
        let other = happened(&mut self.lives[1 - seat]).await?;
        times.delivered.saturating_record(started.elapsed().as_micros() as u64);
        let own = match own {
            Some(own) => own,
            None => happened(&mut self.lives[seat]).await?,
        };
        Ok(if seat == 0 { [own, other] } else { [other, own] })
    }

    /// Who is to act after the seats are taken, and one of the actions that the server offers.
    async fn first_offer(&mut self) -> Result<Option<(usize, String)>, Failure> {
        let path = format!("/api/tables/{}", self.table);
        let text = |error: quincunx_client::ClientError| error.to_string();
        let seen = self.host.get(&path).await.map_err(text)?;
        // Only the seat on turn is told its actions, and the host sits on the first one.
        let seat = seen["position"]["turn"]["seat"].as_u64().ok_or("nobody is on turn")? as usize;
        let actions = self.lives[seat].ask(json!({"type": "unwatch", "table": self.table}));
        actions.await.map_err(text)?;
        let watch = json!({"type": "watch", "table": self.table});
        self.lives[seat].ask(watch).await.map_err(text)?;
        while let Some(message) = self.lives[seat].next().await {
            if message["type"] == "snapshot" {
                let actions = message["position"]["actions"].as_array().ok_or("a position has actions")?;
                let action = &actions[self.rng.random_range(0..actions.len())]["action"];
                self.lives[seat].forget();
                return Ok(action.as_str().map(|action| (seat, action.to_owned())));
            }
        }
        Err("the server has closed a connection".into())
    }

    /// Who is to act now, and one of the actions that the server offers.
    fn offered(&mut self, heard: &[Heard; 2]) -> Option<(usize, String)> {
        let seat = heard[0].turn.as_ref()?["seat"].as_u64()? as usize;
        let offers = heard[seat].offers.as_ref()?;
        Some((seat, offers[self.rng.random_range(0..offers.len())].clone()))
    }
}

async fn hear(live: &mut Live) -> Result<Heard, Failure> {
    let text = live.next_text().await.ok_or("the server has closed a connection")?;
    serde_json::from_str(&text).map_err(|error| format!("the server answers nonsense: {error}").into())
}

async fn happened(live: &mut Live) -> Result<Heard, Failure> {
    loop {
        let heard = hear(live).await?;
        if is_news(&heard.kind) {
            return Ok(heard);
        }
    }
}

/// Whether a message tells what happened at a table. At the end of a game with secrets that is the whole table.
fn is_news(kind: &str) -> bool {
    matches!(kind, "update" | "snapshot")
}
