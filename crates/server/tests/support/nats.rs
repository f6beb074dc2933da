//! A NATS server of the tests' own that keeps jobs: in a temporary folder, on a free port of this machine only, stopped and
//! removed when it is dropped. A test that needs one fails without the program; it is never passed over.
#![allow(dead_code, reason = "not every test stops it")]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const MISSING: &str = "these tests need a NATS server: apt-get install nats-server";
/// Who runs it when root runs the tests: `nobody`, whose number is the same everywhere.
const NOBODY: u32 = 65534;

pub struct NatsServer {
    server: Option<Server>,
    port: u16,
    /// Removed last, when the server has stopped.
    folder: TempDir,
}

impl NatsServer {
    /// Starts a server. It ends with the thread that calls this, however that ends.
    pub fn start() -> Self {
        Self::start_with("")
    }

    /// Starts a server with lines of a configuration, in which `FOLDER` is where its files are: `certificate.pem` and `key.pem`
    /// prove that it is this machine, and the first one also for itself.
    pub fn start_with(configuration: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("quincunx-nats-").tempdir().expect("a temporary folder");
        let place = folder.path().display().to_string();
        fs::write(folder.path().join("nats.conf"), configuration.replace("FOLDER", &place)).expect("the configuration");
        if configuration.contains("certificate.pem") {
            make_certificate(folder.path());
        }
        if fs::metadata(folder.path()).expect("the temporary folder").uid() == 0 {
            chown(folder.path(), Some(NOBODY), Some(NOBODY)).expect("root can give files away");
            for file in fs::read_dir(folder.path()).expect("the temporary folder").flatten() {
                chown(file.path(), Some(NOBODY), Some(NOBODY)).expect("root can give files away");
            }
        }
        // The port is free when it is looked for; should another program be quicker, the next one is tried.
        for _ in 0..5 {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
            let port = listener.local_addr().expect("its address").port();
            drop(listener);
            if let Some(server) = Server::start(folder.path(), port) {
                return Self { server: Some(server), port, folder };
            }
        }
        panic!("NATS does not start: {}", log(folder.path()));
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// A file of the server.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Stops the server in order; its data are kept.
    pub fn stop(&mut self) {
        self.server = None;
    }

    /// Ends the server as a power cut would; what it has written is kept.
    pub fn kill(&mut self) {
        if let Some(Server(process)) = &mut self.server {
            process.kill().expect("the server can be killed");
            process.wait().expect("the server ends");
        }
        self.server = None;
    }

    /// Starts the server again, on the same port.
    pub fn start_again(&mut self) {
        let server = Server::start(self.folder.path(), self.port);
        self.server = Some(server.unwrap_or_else(|| panic!("NATS does not start again: {}", log(self.folder.path()))));
    }
}

/// The process, interrupted when it is dropped.
struct Server(Child);

impl Server {
    /// Starts a server and waits until it takes connections; none if it ends.
    fn start(folder: &Path, port: u16) -> Option<Self> {
        let as_root = fs::metadata("/proc/self").expect("this process").uid() == 0;
        let mut command = Command::new("setpriv");
        if as_root {
            command.args([format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"), "--clear-groups".to_owned()]);
        }
        command.args(["--pdeathsig", "INT", "--"]).arg(program());
        command.args(["--addr", "127.0.0.1", "--port", &port.to_string(), "--jetstream", "--store_dir"]);
        command.arg(folder.join("data")).arg("--ports_file_dir").arg(folder).current_dir(folder);
        command.arg("--config").arg(folder.join("nats.conf"));
        let log = fs::File::create(folder.join("log")).expect("the log of the server");
        command.stdout(Stdio::null()).stderr(log);
        let mut server = Self(command.spawn().expect("setpriv can be started"));
        // The server writes this file when it listens; setpriv becomes the server, so the number is the same.
        let ready = folder.join(format!("nats-server_{}.ports", server.0.id()));
        let deadline = Instant::now() + Duration::from_mins(2);
        while !ready.exists() {
            if server.0.try_wait().expect("the state of the server").is_some() {
                return None;
            }
            assert!(Instant::now() < deadline, "NATS is not ready after two minutes");
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if !matches!(self.0.try_wait(), Ok(None)) {
            // It has ended by itself; its number may be another's by now.
            return;
        }
        let asked = Command::new("kill").args(["-INT", &self.0.id().to_string()]).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ = self.0.kill();
        }
        let _ = self.0.wait();
    }
}

/// Makes a certificate for this machine.
fn make_certificate(folder: &Path) {
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE", "-keyout", "key.pem", "-out", "certificate.pem"])
        .current_dir(folder)
        .output()
        .expect("this test needs openssl: apt-get install openssl");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

fn program() -> PathBuf {
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    // Debian keeps it where only root's path leads.
    let folders = std::env::split_paths(&on_path).chain(["/usr/sbin".into(), "/usr/local/bin".into()]);
    folders.map(|folder| folder.join("nats-server")).find(|program| program.is_file()).expect(MISSING)
}

fn log(folder: &Path) -> String {
    fs::read_to_string(folder.join("log")).unwrap_or_default()
}
