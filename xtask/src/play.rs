//! The shortest way to a game: in a browser, or in the terminal.

use std::{
    env,
    io::{self, IsTerminal, Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use crate::tools::{Profile, quincunx, root, run, succeeds};
use crate::web;

/// Where a server usually is; where that is taken, the next free port is.
const PORTS: std::ops::Range<u16> = 5105..5205;
/// How long a server may take until it answers.
const PATIENCE: Duration = Duration::from_secs(30);

/// Builds everything, starts a server and shows its table in a browser, until Enter or Ctrl-C.
pub fn in_browser() -> Result<(), String> {
    println!("Building the table and the program, which takes some minutes the first time.");
    web::build(Profile::Release)?;
    let mut server = Server::start(&quincunx(Profile::Release)?)?;
    println!("\nThe table is at {}", server.address());
    if !io::stdin().is_terminal() {
        println!(
            "It answers. This is not a terminal to play at, so it stops again; in one it stays until you press Enter."
        );
        println!("`quincunx serve` starts it for good.");
        return server.stop();
    }
    show(&server.address());
    println!("Games are kept in {}. Press Enter to stop.", root().join("quincunx-data").display());
    server.wait_for_end()?;
    server.stop()
}

/// Builds the program and plays in this terminal.
pub fn in_terminal() -> Result<(), String> {
    println!("Building the program, which takes some minutes the first time.");
    let program = quincunx(Profile::Release)?;
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        run("games", Command::new(&program).arg("games"))?;
        println!("\nThis is not a terminal to play at; `quincunx play <game> --plain` plays line by line.");
        return Ok(());
    }
    run("play", Command::new(&program).arg("play"))
}

/// Opens a page in the browser of whoever sits here; where there is no screen, its address has been printed.
fn show(address: &str) {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some());
    let mut command = match env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => {
            let mut command = Command::new("cmd");
            command.args(["/C", "start"]);
            command
        }
        _ if has_screen => Command::new("xdg-open"),
        _ => return,
    };
    // Whoever has no such program can open the address himself.
    let _ = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

/// A running `quincunx serve`, ended with this program.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    /// Starts one, and waits until its page comes.
    fn start(program: &Path) -> Result<Self, String> {
        let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
        let port = PORTS.clone().find(is_free).ok_or_else(|| format!("none of the ports {PORTS:?} is free"))?;
        let listen = format!("127.0.0.1:{port}");
        let mut command = Command::new(program);
        command.args(["serve", "--listen", &listen, "--log-level", "warn"]).current_dir(root());
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let process = command.spawn().map_err(|error| format!("the server cannot be started: {error}"))?;
        let mut server = Self { process, port };
        let deadline = Instant::now() + PATIENCE;
        while !server.shows_a_page() {
            server.still_runs()?;
            if Instant::now() > deadline {
                return Err(format!("the server does not answer at {}", server.address()));
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(server)
    }

    fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn shows_a_page(&self) -> bool {
        let page = || -> io::Result<String> {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.write_all(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")?;
            let mut page = String::new();
            stream.read_to_string(&mut page)?;
            Ok(page)
        };
        page().is_ok_and(|page| page.starts_with("HTTP/1.1 200") && page.contains("<!doctype html>"))
    }

    fn still_runs(&mut self) -> Result<(), String> {
        match self.process.try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(status)) => Err(format!("the server has ended ({status}).")),
            Err(error) => Err(format!("the server: {error}")),
        }
    }

    /// Waits until somebody presses Enter or Ctrl-C.
    fn wait_for_end(&mut self) -> Result<(), String> {
        let (tell, told) = mpsc::channel();
        let enter = tell.clone();
        let handler = move || {
            let _ = tell.send(());
        };
        ctrlc::set_handler(handler).map_err(|error| error.to_string())?;
        thread::spawn(move || {
            let _ = io::stdin().read_line(&mut String::new());
            let _ = enter.send(());
        });
        while told.recv_timeout(Duration::from_millis(200)) == Err(RecvTimeoutError::Timeout) {
            self.still_runs()?;
        }
        Ok(())
    }

    /// Ends it in order.
    fn stop(mut self) -> Result<(), String> {
        // Ctrl-C has told it already; to be told twice does no harm.
        if cfg!(unix) && succeeds(Command::new("kill").args(["-TERM", &self.process.id().to_string()])) {
            let ended = self.process.wait().map_err(|error| format!("the server: {error}"))?;
            return if ended.success() { Ok(()) } else { Err(format!("the server did not end in order ({ended}).")) };
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
