//! Players that are programs of their own, spoken to line by line on their standard input and output.
//!
//! The protocol is described in `docs/bots.md`. A bot gets only what its seat may see. One that cannot be started,
//! hangs, dies or answers nonsense has lost: the reason is given back as an error.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use quincunx_core::{DynSession, OutcomeJson, Seat, Turn, Viewer};
use quincunx_engine::Budget;
use serde_json::json;

/// The version of the protocol.
pub const PROTOCOL: u32 = 1;

/// How long a bot may take to say that it is ready.
const START: Duration = Duration::from_secs(20);
/// How long a bot may take beyond the time it was given: for its own housekeeping and a busy machine.
const GRACE: Duration = Duration::from_secs(2);
/// How long a bot may take that was given no time but a number of nodes.
const UNTIMED: Duration = Duration::from_mins(2);
/// How long a bot may take to go when it is asked to.
const FAREWELL: Duration = Duration::from_millis(300);
/// The longest line that is read from a bot.
const LONGEST: u64 = 1 << 16;

/// A running bot at one seat of one table.
#[derive(Debug)]
pub(crate) struct Bot {
    process: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    budget: Budget,
    /// What it was told about the game.
    game: String,
    /// The lines of the log that it has heard.
    heard: Vec<String>,
}

impl Bot {
    /// Starts the command and tells it about the game.
    pub(crate) fn start(command: &str, budget: Budget, table: &dyn DynSession, seat: Seat) -> Result<Self, String> {
        let shell = Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut process = shell.map_err(|error| format!("cannot be started: {error}"))?;
        let input = process.stdin.take();
        let stdout = process.stdout.take().ok_or("has no output")?;
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut lines = BufReader::new(stdout);
            loop {
                let mut line = Vec::new();
                match lines.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
                    Ok(read) if read > 0 => {}
                    _ => break,
                }
                if sender.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
                    break;
                }
            }
        });
        let record = table.record();
        let game = json!({
            "game": record.game, "seats": record.seats, "seat": seat.number(), "options": record.options
        });
        let game = format!("newgame {game}");
        let mut bot = Self { process, input, output, budget, game, heard: Vec::new() };
        let hello = bot.send(&format!("quincunx {PROTOCOL}"));
        let ready = hello.and_then(|()| bot.hear(START, |line| (line == "ready").then_some(())));
        ready.map_err(|why| format!("{why} when it was to say \"ready\""))?;
        bot.begin()?;
        Ok(bot)
    }

    fn begin(&mut self) -> Result<(), String> {
        self.heard.clear();
        self.send(&self.game.clone())
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        let input = self.input.as_mut().ok_or("is gone")?;
        writeln!(input, "{line}").and_then(|()| input.flush()).map_err(|_| "has ended".to_owned())
    }

    /// Waits for a line that means something; others, such as remarks about its thinking, are passed over.
    fn hear<T>(&self, limit: Duration, mut meaning: impl FnMut(&str) -> Option<T>) -> Result<T, String> {
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(line) => {
                    if let Some(meant) = meaning(&line) {
                        return Ok(meant);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(format!("gave no answer in {} s", limit.as_secs_f32())),
                Err(RecvTimeoutError::Disconnected) => return Err("has ended".to_owned()),
            }
        }
    }

    /// Asks for an action. None if the bot waits, which it can only do out of turn.
    pub(crate) fn decide(&mut self, table: &dyn DynSession, seat: Seat) -> Result<Option<String>, String> {
        let viewer = Viewer::Seat(seat);
        let log: Vec<String> = table.log(viewer).iter().map(|step| format!("did {}", json!(step))).collect();
        if !log.starts_with(&self.heard) {
            // Actions were taken back: the game is told again from its beginning.
            self.begin()?;
        }
        for line in &log[self.heard.len()..] {
            self.send(line)?;
        }
        self.heard = log;
        self.send(&format!("position {}", json!(table.position(viewer))))?;
        let (go, limit) = match self.budget {
            Budget { time: Some(time), .. } => (json!({ "millis": time.as_millis() as u64 }), time + GRACE),
            Budget { nodes, .. } => (json!({ "nodes": nodes }), UNTIMED),
        };
        self.send(&format!("go {go}"))?;
        let answer = self.hear(limit, |line| match line.split_once(' ') {
            Some(("action", text)) => Some(Some(text.to_owned())),
            _ => (line == "wait").then_some(None),
        })?;
        if answer.is_none() && table.turn() == Turn::Seat(seat) {
            return Err("waits though it is on turn".to_owned());
        }
        Ok(answer)
    }

    pub(crate) fn game_over(&mut self, outcome: &OutcomeJson) {
        // A bot that is gone already does not need to hear it.
        let _ = self.send(&format!("gameover {}", json!(outcome)));
    }
}

impl Drop for Bot {
    /// Asks the bot to go, and ends it if it does not.
    fn drop(&mut self) {
        let _ = self.send("quit");
        self.input = None;
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            match self.process.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                _ => return,
            }
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
