//! A PostgreSQL cluster of the tests' own: made from nothing in a temporary folder, on a free port of this machine only,
//! stopped and removed when it is dropped. A test that needs one fails without the programs; it is never passed over.
#![allow(dead_code, reason = "not every test stops it")]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Executor as _};
use tempfile::TempDir;

const MISSING: &str = "these tests need PostgreSQL: apt-get install postgresql";
const USER: &str = "quincunx";
pub const PASSWORD: &str = "only-for-tests";

pub struct Postgres {
    server: Option<Server>,
    port: u16,
    databases: AtomicU32,
    /// Removed last, when the server has stopped.
    folder: TempDir,
}

impl Postgres {
    /// Makes and starts a cluster. The server ends with the thread that calls this, however that ends.
    pub fn start() -> Self {
        let programs = programs();
        let folder = tempfile::Builder::new().prefix("quincunx-postgres-").tempdir().expect("a temporary folder");
        let account = Account::of_the_server();
        let password = folder.path().join("password");
        fs::write(&password, PASSWORD).expect("the file for the password");
        account.own(&password);
        account.own(folder.path());

        let data = folder.path().join("data");
        let mut initdb = account.command(&programs.join("initdb"));
        initdb.args(["--username", USER, "--auth", "scram-sha-256", "--encoding", "UTF8", "--no-locale", "--no-sync"]);
        initdb.arg("--pwfile").arg(&password).arg("--pgdata").arg(&data).current_dir(folder.path());
        let made = initdb.output().expect("initdb can be started");
        assert!(made.status.success(), "initdb failed: {}", text(&made));

        // The port is free when it is looked for; should another program be quicker, the next one is tried.
        for _ in 0..5 {
            let port = free_port();
            if let Some(server) = Server::start(&account, folder.path(), port) {
                return Self { server: Some(server), port, databases: AtomicU32::new(0), folder };
            }
        }
        panic!("PostgreSQL does not start: {}", log(folder.path()));
    }

    /// Stops the server in order, the fast way: connections are cut, data are kept.
    pub fn stop(&mut self) {
        self.server = None;
    }

    /// Ends the server as a crash would: what was committed comes back by recovery. The data survive the processes also
    /// without fsync, as the operating system goes on.
    pub fn kill(&mut self) {
        if let Some(Server(process)) = &mut self.server {
            process.kill().expect("the server can be killed");
            process.wait().expect("the server ends");
        }
        self.server = None;
    }

    /// Starts the server again, on the same port.
    pub fn start_again(&mut self) {
        let account = Account::of_the_server();
        let deadline = Instant::now() + Duration::from_mins(2);
        // The processes of connections notice after a while that the one that was killed is gone, and until then no other
        // one gets the data.
        self.server = loop {
            if let Some(server) = Server::start(&account, self.folder.path(), self.port) {
                break Some(server);
            }
            assert!(Instant::now() < deadline, "PostgreSQL does not start again: {}", log(self.folder.path()));
            std::thread::sleep(Duration::from_millis(50));
        };
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The URL of a database of this cluster.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{USER}:{PASSWORD}@127.0.0.1:{}/{database}", self.port)
    }

    /// Creates an empty database, and gives its URL.
    pub async fn fresh_database(&self) -> String {
        let name = format!("fresh_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.run(&format!("CREATE DATABASE {name}")).await;
        self.url(&name)
    }

    /// Runs a statement as the owner of the cluster.
    pub async fn run(&self, statement: &str) {
        sqlx::any::install_default_drivers();
        let mut connection = AnyConnection::connect(&self.url("postgres")).await.expect("a connection");
        connection.execute(AssertSqlSafe(statement)).await.expect("the statement runs");
        connection.close().await.expect("the connection ends");
    }
}

/// The process, interrupted when it is dropped.
struct Server(Child);

impl Server {
    /// Starts a server on the data of a folder; none if it ends.
    fn start(account: &Account, folder: &Path, port: u16) -> Option<Self> {
        let data = folder.join("data");
        let log = fs::File::create(folder.join("log")).expect("the log of the server");
        let mut postgres = account.command(&programs().join("postgres"));
        postgres.arg("-D").arg(&data).arg("-k").arg(folder);
        postgres.args(["-h", "127.0.0.1", "-p", &port.to_string(), "-c", "fsync=off", "-c", "max_connections=200"]);
        postgres.current_dir(folder).stdout(Stdio::null()).stderr(log);
        let mut server = Self(postgres.spawn().expect("postgres can be started"));
        server.becomes_ready(&data).then_some(server)
    }

    /// Waits until the server says that it takes connections; gives whether it does.
    fn becomes_ready(&mut self, data: &Path) -> bool {
        let deadline = Instant::now() + Duration::from_mins(2);
        loop {
            if self.0.try_wait().expect("the state of the server").is_some() {
                return false;
            }
            let state = fs::read_to_string(data.join("postmaster.pid")).unwrap_or_default();
            // One that was killed has left its file behind. setpriv becomes the server, so the number is the same.
            let own = state.lines().next() == Some(&self.0.id().to_string());
            if own && state.lines().nth(7).is_some_and(|line| line.trim() == "ready") {
                return true;
            }
            assert!(Instant::now() < deadline, "PostgreSQL is not ready after two minutes");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if !matches!(self.0.try_wait(), Ok(None)) {
            // It has ended by itself; its number may be another's by now.
            return;
        }
        // The fast way to shut down: connections are cut, data are kept.
        let asked = Command::new("kill").args(["-INT", &self.0.id().to_string()]).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ = self.0.kill();
        }
        let _ = self.0.wait();
    }
}

/// Who runs the server. PostgreSQL refuses to be run by root.
struct Account {
    /// The numbers of the user `postgres` and its group, when root runs the tests.
    other: Option<(u32, u32)>,
}

impl Account {
    /// Whoever runs the tests, unless that is root.
    fn of_the_server() -> Self {
        let me = fs::metadata("/proc/self").expect("this process").uid();
        let number = |option| {
            let output = Command::new("id").args([option, "postgres"]).output().expect("id can be started");
            assert!(output.status.success(), "there is no user to run it as; {MISSING}");
            String::from_utf8_lossy(&output.stdout).trim().parse().expect("id prints a number")
        };
        Self { other: (me == 0).then(|| (number("-u"), number("-g"))) }
    }

    fn own(&self, path: &Path) {
        if let Some((user, group)) = self.other {
            chown(path, Some(user), Some(group)).expect("root can give files away");
        }
    }

    /// A command run by this account, that is interrupted when the tests are gone.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new("setpriv");
        if let Some((user, group)) = self.other {
            command.args([format!("--reuid={user}"), format!("--regid={group}"), "--clear-groups".to_owned()]);
        }
        command.args(["--pdeathsig", "INT", "--"]).arg(program);
        command
    }
}

/// The folder of the programs: that of the newest version that Debian has installed, or one on the path.
fn programs() -> PathBuf {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().map(|version| version.path());
    let newest = debian
        .filter_map(|path| path.file_name()?.to_str()?.parse::<u32>().ok().map(|version| (version, path.join("bin"))))
        .max();
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    newest
        .map(|(_, folder)| folder)
        .into_iter()
        .chain(std::env::split_paths(&on_path))
        .find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
        .expect(MISSING)
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its address").port()
}

fn log(folder: &Path) -> String {
    fs::read_to_string(folder.join("log")).unwrap_or_default()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
