//! Servers as processes of their own, to be killed.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

/// A port that is free when it is looked for. A server that is killed and comes back needs the same one again.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port()
}

/// A `quincunx serve`, killed when it is dropped.
pub struct ServerProcess {
    process: Child,
}

impl ServerProcess {
    /// Starts a server, and waits until it listens.
    pub fn start(port: u16, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
        command.args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--log-level", "warn"]).args(arguments);
        for limit in [
            "--requests-per-minute=100000000",
            "--messages-per-second=100000",
            "--people-per-hour=1000000",
            "--tables-per-hour=1000000",
            "--tables-at-once=100000",
        ] {
            command.arg(limit);
        }
        command.current_dir(std::env::temp_dir()).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the program starts");
        let output = process.stdout.take().expect("its output");
        let listens = BufReader::new(output).lines().any(|line| line.is_ok_and(|line| line.contains("http://")));
        assert!(listens, "the server has ended: {:?}", process.wait());
        Self { process }
    }

    /// Ends it as a power cut would: at once, in the middle of whatever it does.
    pub fn kill(mut self) {
        self.end();
    }

    /// Asks it to end, and waits until it has.
    pub fn stop(mut self) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
        assert!(self.process.wait().expect("it ends").success());
    }

    fn end(&mut self) {
        // On Unix this is SIGKILL.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            self.end();
        }
    }
}
