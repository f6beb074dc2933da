//! Servers and workers as processes of their own, to be killed.
#![allow(dead_code, reason = "each test needs a part of it")]

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A port that is free when it is looked for. A server that is killed and comes back needs the same one again.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port()
}

/// A process of our program, killed when it is dropped, and with the thread that has started it.
pub struct Process {
    process: Child,
}

impl Process {
    /// A server in front of whose limits nobody has to wait.
    pub fn serve(port: u16, arguments: &[&str]) -> Self {
        Self::serve_with(port, arguments, &[])
    }

    /// The same, with these variables in its environment.
    pub fn serve_with(port: u16, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let limits = [
            "--requests-per-minute=100000000",
            "--messages-per-second=100000",
            "--people-per-hour=1000000",
            "--tables-per-hour=1000000",
            "--seats-per-minute=100000000",
            "--tables-at-once=100000",
        ];
        let listen = format!("127.0.0.1:{port}");
        Self::start(&[&["serve", "--listen", &listen], arguments, &limits].concat(), "http://", variables)
    }

    /// A server with its usual limits.
    pub fn serve_strictly(port: u16, arguments: &[&str]) -> Self {
        Self::start(&[&["serve", "--listen", &format!("127.0.0.1:{port}")], arguments].concat(), "http://", &[])
    }

    /// A worker that thinks about one thing at a time.
    pub fn work(nats: &str) -> Self {
        Self::start(&["worker", "--nats", nats, "--thinkers", "1"], "Thinking for", &[])
    }

    /// Starts a process, and waits until it says that it is ready.
    fn start(arguments: &[&str], ready: &str, variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", "--", env!("CARGO_BIN_EXE_quincunx")]).args(arguments);
        command.args(["--log-level", "error"]).current_dir(std::env::temp_dir());
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("QUINCUNX_")) {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied());
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let output = process.stdout.take().expect("its output");
        let is_ready = BufReader::new(output).lines().any(|line| line.is_ok_and(|line| line.contains(ready)));
        assert!(is_ready, "it has ended: {:?}", process.wait());
        Self { process }
    }

    /// Ends it as a power cut would: at once, in the middle of whatever it does.
    pub fn kill(mut self) {
        self.end();
    }

    /// Asks it to end, and waits until it has; fails if that takes longer than a server may take.
    pub fn stop(mut self) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
        assert!(self.ended().success());
    }

    fn ended(&mut self) -> ExitStatus {
        // Ten seconds each for requests, for live connections and for engines, and some for a machine that is busy.
        let deadline = Instant::now() + Duration::from_mins(1);
        loop {
            if let Some(status) = self.process.try_wait().expect("the state of the process") {
                return status;
            }
            assert!(Instant::now() < deadline, "it does not end in order");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn end(&mut self) {
        // On Unix this is SIGKILL.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            self.end();
        }
    }
}
