//! What is counted and measured, for whoever watches the server. Names and meanings stand here and nowhere else.
//!
//! There is one collection for the whole process: several servers in it add to the same numbers.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::lock;

/// The type of what [`render`] gives.
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

const MOVES: &str = "quincunx_moves_total";
const COMMANDS: &str = "quincunx_commands_total";
const COMMAND_SECONDS: &str = "quincunx_command_seconds";
const APPEND_SECONDS: &str = "quincunx_append_seconds";
const CONNECTIONS: &str = "quincunx_connections";
const WATCHED: &str = "quincunx_watched_tables";
const TABLES: &str = "quincunx_tables_in_memory";
const THOUGHTS: &str = "quincunx_engine_thoughts_total";
const THOUGHT_SECONDS: &str = "quincunx_engine_thought_seconds";
const REQUESTS: &str = "quincunx_http_requests_total";
const CPU_SECONDS: &str = "process_cpu_seconds_total";
const RESIDENT_BYTES: &str = "process_resident_memory_bytes";

/// The upper ends of the classes in which times are counted, in seconds.
const TIMES: [f64; 14] = [0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0, 30.0];

static COLLECTION: OnceLock<PrometheusHandle> = OnceLock::new();

/// Begins to count. A second call in a process changes nothing.
pub fn install() {
    COLLECTION.get_or_init(|| {
        let times = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &TIMES);
        let recorder = times.expect("there are classes of times").build_recorder();
        let collection = recorder.handle();
        // Where another program around this one counts already, it does so for the server, too.
        let _ = metrics::set_global_recorder(recorder);
        describe();
        collection
    });
}

fn describe() {
    describe_counter!(MOVES, "Actions of people, bots and engines that are in a log");
    describe_counter!(COMMANDS, "Commands at tables, by kind and by whether they were done or refused");
    describe_histogram!(COMMAND_SECONDS, Unit::Seconds, "From the arrival of a command to its answer");
    describe_histogram!(APPEND_SECONDS, Unit::Seconds, "How long the storage takes to make new lines of a log durable");
    describe_gauge!(CONNECTIONS, "Live connections");
    describe_gauge!(WATCHED, "Tables that live connections watch, each counted once a connection");
    describe_gauge!(TABLES, "Tables that are held in memory");
    describe_counter!(THOUGHTS, "Moves that engines have thought of, by game");
    describe_histogram!(THOUGHT_SECONDS, Unit::Seconds, "How long an engine has thought of a move");
    describe_counter!(REQUESTS, "HTTP requests, by route and status");
    describe_counter!(CPU_SECONDS, Unit::Seconds, "Processor time of this process");
    describe_gauge!(RESIDENT_BYTES, Unit::Bytes, "Memory of this process that is not swapped out");
}

/// How long figures are told again as they were.
const RECENT: Duration = Duration::from_secs(1);

/// What [`render`] gives, at most a second old: however often it is asked for, it is made once a second.
pub fn recent() -> Arc<str> {
    static LAST: Mutex<Option<(Instant, Arc<str>)>> = Mutex::new(None);
    let mut last = lock(&LAST);
    match &*last {
        Some((at, text)) if at.elapsed() < RECENT => text.clone(),
        _ => {
            let text: Arc<str> = render().into();
            *last = Some((Instant::now(), text.clone()));
            text
        }
    }
}

/// Everything that was counted, as Prometheus reads it. Empty before [`install`].
pub fn render() -> String {
    let Some(collection) = COLLECTION.get() else { return String::new() };
    if let Some(Process { cpu_seconds, resident_bytes }) = Process::read() {
        // Whole seconds, as counters count.
        counter!(CPU_SECONDS).absolute(cpu_seconds);
        gauge!(RESIDENT_BYTES).set(resident_bytes as f64);
    }
    collection.run_upkeep();
    collection.render()
}

/// Sorts what was counted since the last time into its classes: without it, times that nobody asks for pile up.
pub fn tidy() {
    if let Some(collection) = COLLECTION.get() {
        collection.run_upkeep();
    }
}

/// So many actions were added to a log.
pub fn moved(actions: u64) {
    counter!(MOVES).increment(actions);
}

/// A command was answered: `done`, or a word for why not.
pub fn commanded(kind: &'static str, result: &'static str, took: Duration) {
    counter!(COMMANDS, "kind" => kind, "result" => result).increment(1);
    histogram!(COMMAND_SECONDS).record(took);
}

/// The storage has taken new lines of a log.
pub fn appended(took: Duration) {
    histogram!(APPEND_SECONDS).record(took);
}

/// An engine has thought.
pub fn thought(game: &'static str, took: Duration) {
    counter!(THOUGHTS, "game" => game).increment(1);
    histogram!(THOUGHT_SECONDS).record(took);
}

/// A request was answered. The route is its pattern (`/api/tables/{table}`), so that ids do not become metrics.
pub fn requested(route: &str, status: u16) {
    counter!(REQUESTS, "route" => route.to_owned(), "status" => status.to_string()).increment(1);
}

/// Counts one more as long as it lives.
#[derive(Debug)]
pub struct Counted(&'static str);

impl Counted {
    fn new(name: &'static str) -> Self {
        gauge!(name).increment(1.0);
        Self(name)
    }

    /// A live connection.
    pub fn connection() -> Self {
        Self::new(CONNECTIONS)
    }

    /// A table that a connection watches.
    pub fn watched() -> Self {
        Self::new(WATCHED)
    }

    /// A table in memory.
    pub fn table() -> Self {
        Self::new(TABLES)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        gauge!(self.0).decrement(1.0);
    }
}

/// What the process costs the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Process {
    cpu_seconds: u64,
    resident_bytes: u64,
}

impl Process {
    /// From where Linux tells it; nothing elsewhere.
    fn read() -> Option<Self> {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        Some(Self { cpu_seconds: cpu_seconds(&stat)?, resident_bytes: resident_bytes(&status)? })
    }
}

/// User and system time. The name of the program comes before, in parentheses, and may itself hold spaces and parentheses.
fn cpu_seconds(stat: &str) -> Option<u64> {
    /// What Linux tells user programs on every machine, whatever it counts in itself.
    const TICKS_PER_SECOND: u64 = 100;
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace().skip(11).map(|field| field.parse::<u64>().ok());
    Some((fields.next()?? + fields.next()??) / TICKS_PER_SECOND)
}

/// From `status`, which tells it in kB, while `statm` counts in pages of a size that would have to be known.
fn resident_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_servers_of_a_process_count_together() {
        install();
        install();
        moved(2);
        moved(3);
        commanded("act", "done", Duration::from_millis(3));
        commanded("act", "refused", Duration::from_millis(3));
        appended(Duration::from_micros(300));
        thought("trexo", Duration::from_secs(1));
        requested("/api/tables/{table}", 404);
        let connections = [Counted::connection(), Counted::connection()];
        let (watched, table) = (Counted::watched(), Counted::table());
        let text = render();
        for line in [
            "quincunx_moves_total 5",
            "quincunx_commands_total{kind=\"act\",result=\"done\"} 1",
            "quincunx_commands_total{kind=\"act\",result=\"refused\"} 1",
            "quincunx_command_seconds_count 2",
            "quincunx_command_seconds_bucket{le=\"0.005\"} 2",
            "quincunx_append_seconds_bucket{le=\"0.0005\"} 1",
            "quincunx_engine_thoughts_total{game=\"trexo\"} 1",
            "quincunx_http_requests_total{route=\"/api/tables/{table}\",status=\"404\"} 1",
            "quincunx_connections 2",
            "quincunx_watched_tables 1",
            "quincunx_tables_in_memory 1",
            "# HELP quincunx_moves_total Actions of people, bots and engines that are in a log",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in:\n{text}");
        }
        if cfg!(target_os = "linux") {
            assert!(text.contains("process_cpu_seconds_total ") && text.contains("process_resident_memory_bytes "));
        }
        drop((connections, watched, table));
        assert!(render().contains("quincunx_connections 0\n"));
    }

    #[test]
    fn what_linux_tells_of_a_process_is_read() {
        let stat = "17 (a ) b) S 1 17 17 0 -1 4194560 1 2 3 4 1250 375 0 0 20 0 1 0 100 1 1";
        assert_eq!(cpu_seconds(stat), Some(16));
        assert_eq!(cpu_seconds("17 (cut off) S 1"), None);
        assert_eq!(resident_bytes("VmHWM:\t  900 kB\nVmRSS:\t  512 kB\n"), Some(512 * 1024));
        assert_eq!(resident_bytes("Name:\tx\n"), None);
    }
}
