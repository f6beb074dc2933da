//! Programs that the steps need: how they are called, and how they are installed where they are missing.

use std::{
    env, fs,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The folder of the whole project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate lies in the project")
}

/// Where cargo puts what it builds: this program lies there, too, in the folder of its profile.
pub fn target() -> Result<PathBuf, String> {
    let own = env::current_exe().map_err(|error| format!("this program does not know where it is: {error}"))?;
    own.ancestors().nth(2).map(Path::to_owned).ok_or_else(|| format!("{} is not in a folder of cargo", own.display()))
}

/// How programs are built: quickly, or to be quick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    Debug,
    Release,
}

/// Builds the program `quincunx`, and gives where it is.
pub fn quincunx(profile: Profile) -> Result<PathBuf, String> {
    workspace(profile, &["--bin", "quincunx"])?;
    Ok(folder(profile)?.join(format!("quincunx{}", env::consts::EXE_SUFFIX)))
}

/// Builds the program that tells what clients have to know about the server, and gives where it is.
pub fn contract(profile: Profile) -> Result<PathBuf, String> {
    workspace(profile, &[])?;
    Ok(folder(profile)?.join(format!("examples/contract{}", env::consts::EXE_SUFFIX)))
}

/// Builds parts of the workspace. The same packages are always chosen, and an example is always among the parts: otherwise
/// cargo would choose other features for our dependencies, and build nearly all of them once more.
fn workspace(profile: Profile, parts: &[&str]) -> Result<(), String> {
    let mut command = build();
    command.args(["--workspace", "--example", "contract"]).args(parts);
    if profile == Profile::Release {
        command.arg("--release");
    }
    run("build", &mut command)
}

fn folder(profile: Profile) -> Result<PathBuf, String> {
    Ok(target()?.join(match profile {
        Profile::Debug => "debug",
        Profile::Release => "release",
    }))
}

/// The cargo that runs this program.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // What cargo has told this program about itself would make cargo believe that it runs inside a build script, and build what
    // looks at such variables, and all that depends on it, anew whenever it is called from here and from a shell in turn.
    for (name, _) in env::vars_os() {
        if ["CARGO_MANIFEST_", "CARGO_PKG_"].iter().any(|own| name.to_string_lossy().starts_with(own)) {
            command.env_remove(name);
        }
    }
    command.current_dir(root());
    command
}

/// A build; it shows how far it is where somebody looks.
pub fn build() -> Command {
    let mut command = cargo();
    command.arg("build");
    if !io::stderr().is_terminal() {
        command.arg("--quiet");
    }
    command
}

/// Makes sure that a part of the toolchain is there.
pub fn component(subcommand: &str, name: &str) -> Result<(), String> {
    if succeeds(cargo().args([subcommand, "--version"])) {
        return Ok(());
    }
    println!("Installing {name} ..");
    if succeeds(Command::new("rustup").args(["component", "add", name])) {
        return Ok(());
    }
    Err(format!("{name} is missing: install it with `rustup component add {name}` or your system's packages."))
}

/// Makes sure that the servers are there that the tests of our own server start: PostgreSQL, NATS and nginx, with what
/// makes a certificate for it.
pub fn servers() -> Result<(), String> {
    let packaged = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let postgresql = packaged.map(|version| version.path().join("bin")).collect();
    package("PostgreSQL", "postgresql", "initdb", postgresql)?;
    package("NATS", "nats-server", "nats-server", vec!["/usr/sbin".into(), "/usr/local/bin".into()])?;
    package("nginx", "nginx-light", "nginx", vec!["/usr/sbin".into(), "/usr/local/sbin".into()])?;
    package("OpenSSL", "openssl", "openssl", Vec::new())
}

/// Makes sure that the library is there with which a siege moves the clocks of servers.
pub fn time_machine() -> Result<(), String> {
    package("libfaketime", "faketime", "faketime", Vec::new())
}

/// Makes sure that the browser is there in which the client is tested.
pub fn browser() -> Result<(), String> {
    package("Chromium", "chromium", "chromium", Vec::new())
}

/// Makes sure that a program is there, on the path or in one of some folders, or else installs its package.
fn package(title: &str, package: &str, program: &str, folders: Vec<PathBuf>) -> Result<(), String> {
    let listed = env::var_os("PATH").map(|path| env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    if folders.into_iter().chain(listed).any(|folder| folder.join(program).exists()) {
        return Ok(());
    }
    install(title, &[package])
}

/// Installs packages of the system, where it is Debian or one of its kin and we are root.
pub fn install(title: &str, packages: &[&str]) -> Result<(), String> {
    println!("Installing {title} ..");
    let apt =
        |arguments: &[&str]| succeeds(Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"));
    if apt(&["update"]) && apt(&[&["install", "--yes", "--no-install-recommends"], packages].concat()) {
        return Ok(());
    }
    let packages = packages.join(" ");
    Err(format!("{title} is missing: install it with `apt-get install {packages}` as root, or your system's packages."))
}

/// Whether a command works; what it has to say is not heard.
pub fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// What a command writes, as text.
pub fn output(name: &str, command: &mut Command) -> Result<String, String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| unstarted(name, command, &error))?;
    if !output.status.success() {
        return Err(format!("{name}: failed ({}).", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{name}: {error}"))
}

pub fn step(name: &str, command: &mut Command) -> Result<(), String> {
    println!("== {name}");
    run(name, command)
}

pub fn run(name: &str, command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| unstarted(name, command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("{name}: failed ({status}).")) }
}

fn unstarted(name: &str, command: &Command, error: &io::Error) -> String {
    format!("{name}: cannot start {command:?}: {error}")
}
