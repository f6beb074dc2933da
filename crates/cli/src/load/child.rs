//! The server that is measured: a process of its own, so that its time and memory can be told from ours.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{self, Command, Stdio};

use tempfile::TempDir;

use crate::failure::Failure;

/// Where the measured server keeps its tables.
pub(super) enum Storage {
    Memory,
    Sqlite,
    Database(String),
}

impl Storage {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Memory => "kept in memory",
            Self::Sqlite => "kept in SQLite, durable commits",
            Self::Database(_) => "kept in PostgreSQL",
        }
    }
}

/// What Linux counts the time of processes in, on every machine that we know.
const TICKS_PER_SECOND: f64 = 100.0;

/// A server in a process of its own, which ends with this value.
pub(super) struct Child {
    process: process::Child,
    address: String,
    _folder: TempDir,
}

/// What a process has used so far.
#[derive(Clone, Copy)]
pub(super) struct Usage {
    pub cpu_seconds: f64,
    pub resident: u64,
}

impl Child {
    /// Starts a server on a free port of this machine, with limits that do not hinder a benchmark.
    pub fn start(storage: &Storage) -> Result<Self, Failure> {
        let folder = tempfile::tempdir()?;
        let mut command = Command::new(env::current_exe()?);
        // Ctrl-C is for who measures, and he ends the server himself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log-level", "warn"]);
        for limit in [
            "--connections=60000",
            "--connections-per-address=60000",
            "--requests-per-minute=100000000",
            "--messages-per-second=100000",
            "--people-per-hour=10000000",
            "--tables-per-hour=10000000",
            "--seats-per-minute=100000000",
            "--tables-at-once=1000000",
        ] {
            command.arg(limit);
        }
        match storage {
            Storage::Memory => command.arg("--memory"),
            Storage::Sqlite => command.arg("--data").arg(folder.path()),
            Storage::Database(url) => command.arg("--database").arg(url),
        };
        // Settings of the person who measures must not change what is measured.
        for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("QUINCUNX_")) {
            command.env_remove(name);
        }
        command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let output = process.stdout.take().ok_or("the server has no output")?;
        let mut lines = BufReader::new(output).lines();
        let address = lines.find_map(|line| {
            let line = line.ok()?;
            line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned)
        });
        let Some(address) = address else {
            let _ = process.kill();
            let _ = process.wait();
            return Err("the server did not start".into());
        };
        Ok(Self { process, address: address.trim_end_matches('/').to_owned(), _folder: folder })
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    /// What the server has used so far, as Linux tells it.
    pub fn usage(&self) -> Result<Usage, Failure> {
        let id = self.process.id();
        let read = |name: &str| fs::read_to_string(format!("/proc/{id}/{name}"));
        let unreadable = || "the time of a process is read from /proc, which only Linux has".to_owned();
        let stat = read("stat").map_err(|_| unreadable())?;
        // The name in brackets may hold anything; the numbers come after it.
        let numbers: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |at: usize| numbers.get(at).and_then(|text| text.parse::<f64>().ok()).ok_or_else(unreadable);
        let cpu_seconds = (ticks(11)? + ticks(12)?) / TICKS_PER_SECOND;
        let status = read("status").map_err(|_| unreadable())?;
        let resident = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
        Ok(Usage { cpu_seconds, resident: resident.ok_or_else(unreadable)? * 1024 })
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
