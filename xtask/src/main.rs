//! The two commands of the README: `cargo xtask play` and `cargo xtask test`.

use std::{
    env, fs,
    io::{self, IsTerminal, Write},
    path::PathBuf,
    process::{Command, ExitCode, Stdio},
    time::Instant,
};

const USAGE: &str = "usage: cargo xtask play    build everything and play
       cargo xtask test    check formatting, lints and all tests";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["play"] => play(),
        ["test"] => test(),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the program, shows the games and starts the one that is picked.
fn play() -> Result<(), String> {
    println!("Building the program, which takes some minutes the first time.");
    run("build", cargo().args(["build", "--release", "--package", "quincunx-cli"]))?;
    let quincunx = || {
        let mut command = cargo();
        command.args(["run", "--release", "--quiet", "--package", "quincunx-cli", "--"]);
        command
    };
    run("games", quincunx().arg("games"))?;
    if !io::stdin().is_terminal() {
        println!("\nThis is not a terminal to play at; in one, the next question is which game to play.");
        return Ok(());
    }
    let game = ask("\nWhich game do you play now? [trexo] ", "trexo")?;
    let levels = "novice, casual, club, expert or master";
    let opponent = ask(&format!("Against whom? {levels}; or \"people\", at this keyboard [club] "), "club")?;
    let mut play = quincunx();
    play.args(["play", &game]);
    if opponent != "people" {
        play.arg("--seat").arg(format!("1={opponent}"));
    }
    run("play", &mut play)
}

/// Asks a question in the terminal; who only presses Enter gives the usual answer.
fn ask(question: &str, usual: &str) -> Result<String, String> {
    print!("{question}");
    let mut answer = String::new();
    io::stdout().flush().and_then(|()| io::stdin().read_line(&mut answer)).map_err(|error| error.to_string())?;
    Ok(if answer.trim().is_empty() { usual.to_owned() } else { answer.trim().to_owned() })
}

/// Everything that has to be green before a change lands.
fn test() -> Result<(), String> {
    let started = Instant::now();
    component("fmt", "rustfmt")?;
    component("clippy", "clippy")?;
    servers()?;
    step("formatting", cargo().args(["fmt", "--all", "--check"]))?;
    step("lints", cargo().args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny", "warnings"]))?;
    if has("nextest") {
        step("examples in the documentation", cargo().args(["test", "--quiet", "--workspace", "--doc"]))?;
        let quiet = ["--cargo-quiet", "--status-level", "fail", "--final-status-level", "slow", "--no-fail-fast"];
        step("tests", cargo().args(["nextest", "run", "--workspace"]).args(quiet))?;
    } else {
        step("tests", cargo().args(["test", "--quiet", "--workspace", "--no-fail-fast"]))?;
    }
    println!("All good, after {} s.", started.elapsed().as_secs());
    Ok(())
}

/// The cargo that runs this program.
fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // This program's own variables would make cargo believe that it runs inside a build script.
    command.env_remove("CARGO_MANIFEST_DIR").current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    command
}

/// Makes sure that a part of the toolchain is there.
fn component(subcommand: &str, name: &str) -> Result<(), String> {
    if has(subcommand) {
        return Ok(());
    }
    println!("Installing {name} ..");
    let installed = Command::new("rustup").args(["component", "add", name]).status();
    if installed.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    Err(format!("{name} is missing: install it with `rustup component add {name}` or your system's packages."))
}

/// Makes sure that the servers are there that the tests of our own server start: PostgreSQL, NATS and nginx, with what
/// makes a certificate for it.
fn servers() -> Result<(), String> {
    let packaged = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let postgresql = packaged.map(|version| version.path().join("bin")).collect();
    package("PostgreSQL", "postgresql", "initdb", postgresql)?;
    package("NATS", "nats-server", "nats-server", vec!["/usr/sbin".into(), "/usr/local/bin".into()])?;
    package("nginx", "nginx-light", "nginx", vec!["/usr/sbin".into(), "/usr/local/sbin".into()])?;
    package("OpenSSL", "openssl", "openssl", Vec::new())
}

/// Makes sure that a program is there, on the path or in one of some folders, or else installs its package.
fn package(title: &str, package: &str, program: &str, folders: Vec<PathBuf>) -> Result<(), String> {
    let listed = env::var_os("PATH").map(|path| env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    if folders.into_iter().chain(listed).any(|folder| folder.join(program).exists()) {
        return Ok(());
    }
    println!("Installing {title} ..");
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if apt(&["update"]) && apt(&["install", "--yes", "--no-install-recommends", package]) {
        return Ok(());
    }
    Err(format!("{title} is missing: install it with `apt-get install {package}` as root, or your system's packages."))
}

fn has(subcommand: &str) -> bool {
    let mut command = cargo();
    command.args([subcommand, "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn step(name: &str, command: &mut Command) -> Result<(), String> {
    println!("== {name}");
    run(name, command)
}

fn run(name: &str, command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{name}: cannot start {command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name}: failed ({status}).")) }
}
