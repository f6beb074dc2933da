//! A PostgreSQL cluster of the tests' own: made from nothing in a temporary folder, on a free port of this machine only,
//! stopped and removed when it is dropped. A test that needs one fails without the programs; it is never passed over.

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
    _server: Server,
    port: u16,
    databases: AtomicU32,
    /// Removed last, when the server has stopped.
    _folder: TempDir,
}

impl Postgres {
    /// Makes and starts a cluster. The server ends with the thread that calls this, however that ends.
    pub fn start() -> Self {
        let programs = programs();
        let folder = tempfile::Builder::new().prefix("quincunx-postgres-").tempdir().expect("a temporary folder");
        let account = Account::of_the_server(folder.path());
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
            let log = fs::File::create(folder.path().join("log")).expect("the log of the server");
            let mut postgres = account.command(&programs.join("postgres"));
            postgres.arg("-D").arg(&data).arg("-k").arg(folder.path()).args([
                "-h",
                "127.0.0.1",
                "-p",
                &port.to_string(),
            ]);
            postgres.args(["-c", "fsync=off", "-c", "max_connections=200"]);
            postgres.current_dir(folder.path()).stdout(Stdio::null()).stderr(log);
            let mut server = Server(postgres.spawn().expect("postgres can be started"));
            if server.becomes_ready(&data) {
                return Self { _server: server, port, databases: AtomicU32::new(0), _folder: folder };
            }
        }
        panic!("PostgreSQL does not start: {}", fs::read_to_string(folder.path().join("log")).unwrap_or_default());
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
    /// Waits until the server says that it takes connections; gives whether it does.
    fn becomes_ready(&mut self, data: &Path) -> bool {
        let deadline = Instant::now() + Duration::from_mins(2);
        loop {
            if self.0.try_wait().expect("the state of the server").is_some() {
                return false;
            }
            let state = fs::read_to_string(data.join("postmaster.pid")).unwrap_or_default();
            if state.lines().nth(7).is_some_and(|line| line.trim() == "ready") {
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
    /// Whoever made the folder runs the tests.
    fn of_the_server(folder: &Path) -> Self {
        let me = fs::metadata(folder).expect("the temporary folder").uid();
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

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
