//! nginx in front of a server, with the configuration of the documentation: only ports and files are other ones.

use std::fs;
use std::net::TcpStream;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::process::free_port;

const DOCUMENTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/hosting/nginx.conf");
const MISSING: &str = "this test needs nginx: apt-get install nginx-light";
/// Who runs it when root runs the tests: `nobody`, whose number is the same everywhere.
const NOBODY: u32 = 65534;

/// A running nginx, stopped when it is dropped, and with the thread that has started it.
pub struct Nginx {
    process: Child,
    /// The port for TLS, and the one that leads there.
    pub port: u16,
    pub plain_port: u16,
    /// The certificate of the server, in PEM.
    pub certificate: Vec<u8>,
    /// Removed last.
    folder: TempDir,
}

impl Nginx {
    /// Starts nginx in front of a server.
    pub fn start(server: u16) -> Self {
        let folder = tempfile::Builder::new().prefix("quincunx-nginx-").tempdir().expect("a temporary folder");
        let (port, plain_port) = (free_port(), free_port());
        let certificate = make_certificate(folder.path());
        let configuration = folder.path().join("nginx.conf");
        fs::write(&configuration, configured(folder.path(), server, port, plain_port)).expect("the configuration");
        let mut command = Command::new("setpriv");
        if fs::metadata("/proc/self").expect("this process").uid() == 0 {
            for file in ["", "certificate.pem", "key.pem", "nginx.conf"] {
                chown(folder.path().join(file), Some(NOBODY), Some(NOBODY)).expect("root can give files away");
            }
            command.args([format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"), "--clear-groups".to_owned()]);
        }
        command.args(["--pdeathsig", "TERM", "--"]).arg(program()).arg("-c").arg(&configuration);
        command.arg("-p").arg(folder.path()).args(["-e", "error.log", "-g", "daemon off; pid nginx.pid;"]);
        let mut process = command.stdin(Stdio::null()).spawn().expect("setpriv can be started");
        let deadline = Instant::now() + Duration::from_mins(1);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let log = || fs::read_to_string(folder.path().join("error.log")).unwrap_or_default();
            let ended = process.try_wait().expect("the state of nginx");
            assert!(ended.is_none() && Instant::now() < deadline, "nginx does not listen: {}", log());
            std::thread::sleep(Duration::from_millis(10));
        }
        Self { process, port, plain_port, certificate, folder }
    }

    /// All that it has logged.
    pub fn logs(&self) -> String {
        let read = |name: &str| fs::read_to_string(self.folder.path().join(name)).unwrap_or_default();
        read("access.log") + &read("error.log")
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            let _ = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status();
            let _ = self.process.wait();
        }
    }
}

/// The documented configuration, for other ports and files.
fn configured(folder: &Path, server: u16, port: u16, plain_port: u16) -> String {
    let mut text = fs::read_to_string(DOCUMENTED).expect("the documented configuration");
    let mut replace = |what: &str, by: &str| {
        assert_eq!(text.matches(what).count(), 1, "{what:?} stands once in {DOCUMENTED}");
        text = text.replace(what, by);
    };
    let path = |name: &str| folder.join(name).display().to_string();
    replace("server 127.0.0.1:5105;", &format!("server 127.0.0.1:{server};"));
    replace("listen 443 ssl;", &format!("listen 127.0.0.1:{port} ssl;"));
    replace("listen 80;", &format!("listen 127.0.0.1:{plain_port};"));
    replace("/etc/ssl/games.example.org/fullchain.pem", &path("certificate.pem"));
    replace("/etc/ssl/games.example.org/privkey.pem", &path("key.pem"));
    // Where nginx writes if nothing is said, only root may.
    let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let folders = kinds.map(|kind| format!("{kind}_temp_path {};", path(kind))).join("\n");
    replace("http {\n", &format!("http {{\n{folders}\n"));
    replace("/var/log/nginx/access.log", &path("access.log"));
    replace("/var/log/nginx/error.log", &path("error.log"));
    text
}

/// Makes a certificate for this machine, and gives it.
fn make_certificate(folder: &Path) -> Vec<u8> {
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE", "-keyout", "key.pem", "-out", "certificate.pem"])
        .current_dir(folder)
        .output()
        .expect("this test needs openssl: apt-get install openssl");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    fs::read(folder.join("certificate.pem")).expect("the certificate")
}

fn program() -> PathBuf {
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    // Debian keeps it where only root's path leads.
    let folders = std::env::split_paths(&on_path).chain(["/usr/sbin".into(), "/usr/local/sbin".into()]);
    folders.map(|folder| folder.join("nginx")).find(|program| program.is_file()).expect(MISSING)
}
