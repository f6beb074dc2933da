//! How soon the screen answers to keys while an engine thinks: a real program in a real pseudo-terminal.
//!
//! ```text
//! cargo build --release --bin quincunx
//! cargo run -p quincunx-terminal --example latency -- target/release/quincunx
//! ```

use std::env;
use std::io::{self, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty};

/// How many keys are pressed in each game.
const KEYS: usize = 200;

/// How many bytes at least belong to a picture that has changed; less is a sign of life.
const PICTURE: usize = 100;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = env::args().nth(1).ok_or("give the path of the program quincunx")?;
    println!("{:<18}{:>10}{:>10}{:>10}  ms from a key to the changed screen", "game", "median", "p95", "slowest");
    for game in ["trexo", "mod-x", "figures", "castle-builders", "x-marks-the-spot"] {
        let mut times = measure(&program, game)?;
        times.sort_unstable();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
        println!("{game:<18}{:>10.1}{:>10.1}{:>10.1}", at(0.5), at(0.95), at(1.0));
    }
    Ok(())
}

/// The times from a key to what it changes on the screen, while the engine on the other seat thinks.
fn measure(program: &str, game: &str) -> Result<Vec<Duration>, Box<dyn std::error::Error>> {
    let (pty, pts) = pty_process::blocking::open()?;
    pty.resize(Size::new(40, 120))?;
    let variables = [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("HOME", "/nonexistent")];
    // The engine is on turn from the beginning, and thinks for as long as it is measured.
    let player = "0=master@600000ms";
    let command = Command::new(program).args(["play", game, "--seat", player]).envs(variables);
    let mut child = command.spawn(pts)?;
    let output = listen(pty_clone(&pty)?);
    quiet(&output);
    let mut times = Vec::new();
    for key in 0..KEYS {
        // The page of help opens and closes: something that every game draws.
        let pressed = Instant::now();
        (&pty).write_all(if key % 2 == 0 { b"?" } else { b"x" })?;
        let mut drawn = 0;
        while drawn < PICTURE {
            drawn += output.recv_timeout(Duration::from_secs(5))?;
        }
        times.push(pressed.elapsed());
        quiet(&output);
    }
    child.kill()?;
    child.wait()?;
    Ok(times)
}

fn pty_clone(pty: &Pty) -> io::Result<std::fs::File> {
    use std::os::fd::AsFd;
    Ok(pty.as_fd().try_clone_to_owned()?.into())
}

/// Tells the length of every piece of output, when it comes.
fn listen(mut pty: std::fs::File) -> Receiver<usize> {
    let (sender, output) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = [0; 8192];
        while let Ok(count @ 1..) = pty.read(&mut bytes) {
            if sender.send(count).is_err() {
                break;
            }
        }
    });
    output
}

/// Waits until nothing is drawn any more.
fn quiet(output: &Receiver<usize>) {
    while output.recv_timeout(Duration::from_millis(60)) != Err(RecvTimeoutError::Timeout) {}
}
