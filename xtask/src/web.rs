//! The client for browsers: rules and engines as a WebAssembly module, types out of Rust, and the pages around them.

use std::{
    fs,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

use crate::tools::{self, Profile, contract, install, output, root, run, succeeds, target};

const BROWSER: &str = "wasm32-unknown-unknown";
/// What the build tools of the client need.
const OLDEST_NODE: u32 = 20;
/// What lies in `web/` and is no part of the built client.
const NOT_BUILT: [&str; 5] = ["node_modules", "dist", "screenshots", "e2e", "tests"];

/// Builds the client into `web/dist`, from where the program takes it. What it has to know about the server comes out of a
/// program of this profile.
pub fn build(profile: Profile) -> Result<(), String> {
    browser_target()?;
    let module = module(&[], target()?)?;
    let contract = contract(profile)?;
    for part in ["protocol", "api", "results", "views"] {
        write(&format!("{part}.json"), &output("contract", Command::new(&contract).arg(part))?)?;
    }
    node()?;
    packages()?;
    run("types of the client", Command::new("node").arg("scripts/generate.mjs").arg(module).current_dir(folder()))?;
    pages()
}

/// The module with a made-up game besides the five, for tests of the client. It has a target folder of its own: cargo would
/// write it over the module without that game.
pub fn sixth_module() -> Result<PathBuf, String> {
    module(&["--features", "sixth-game"], target()?.join("sixth"))
}

/// A script of the client's `package.json`.
pub fn npm(script: &str) -> Command {
    let mut command = npm_itself();
    command.args(["run", "--silent", script]);
    if !io::stdout().is_terminal() {
        // What is read as a file later is not painted.
        command.env("NO_COLOR", "1");
    }
    command
}

/// Where the client is made.
pub fn folder() -> PathBuf {
    root().join("web")
}

fn npm_itself() -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder());
    command
}

/// Makes sure that Rust can be compiled for browsers.
fn browser_target() -> Result<(), String> {
    let library = output("rustc", Command::new("rustc").args(["--print", "target-libdir", "--target", BROWSER]))?;
    if Path::new(library.trim()).exists() {
        return Ok(());
    }
    println!("Installing Rust for browsers ..");
    if succeeds(Command::new("rustup").args(["target", "add", BROWSER])) {
        return Ok(());
    }
    Err(format!(
        "Rust cannot compile for browsers yet: `rustup target add {BROWSER}`, or your system's packages, add that."
    ))
}

fn module(features: &[&str], target: PathBuf) -> Result<PathBuf, String> {
    let mut command = tools::build();
    command.args(["--package", "quincunx-wasm", "--profile", "browser", "--target", BROWSER]).args(features);
    run("module for browsers", command.arg("--target-dir").arg(&target))?;
    Ok(target.join(BROWSER).join("browser/quincunx_wasm.wasm"))
}

/// Writes a file that is made from Rust; one that would not change is left alone, and with it all that is made from it.
fn write(name: &str, text: &str) -> Result<(), String> {
    let generated = folder().join("src/generated");
    let file = generated.join(name);
    if fs::read_to_string(&file).is_ok_and(|old| old == text) {
        return Ok(());
    }
    let written = fs::create_dir_all(&generated).and_then(|()| fs::write(&file, text));
    written.map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// Makes sure that Node is there, and new enough.
fn node() -> Result<(), String> {
    let is_there = || {
        let version = Command::new("node").arg("--version").output().ok();
        let version = version.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
        let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
        major.is_some_and(|major| major >= OLDEST_NODE) && succeeds(npm_itself().arg("--version"))
    };
    if is_there() || (install("Node", &["nodejs", "npm"]).is_ok() && is_there()) {
        return Ok(());
    }
    let how = "`apt-get install nodejs npm` as root, your system's packages or https://nodejs.org have it";
    Err(format!("the client is built with Node {OLDEST_NODE} or newer, and npm: {how}."))
}

/// Installs the packages that the client is built with, unless they are as the list of them says.
fn packages() -> Result<(), String> {
    let changed = |name: &str| fs::metadata(folder().join(name)).and_then(|about| about.modified()).ok();
    // npm writes this one when it has installed everything.
    let installed = changed("node_modules/.package-lock.json");
    if installed.is_some() && installed >= changed("package-lock.json") {
        return Ok(());
    }
    println!("Installing what the client is built with ..");
    // `npm ci` of some versions takes the parts of the bundler for other systems for missing and refuses; this one keeps to
    // the list just the same, and leaves it as it is.
    run("npm", npm_itself().args(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]))
}

/// Bundles the pages, unless nothing has changed since the last time: a program with the same pages inside need not be
/// linked again.
fn pages() -> Result<(), String> {
    let kept = folder().join("node_modules/.cache");
    let (begun, built) = (kept.join("quincunx-begun"), kept.join("quincunx-built"));
    let failed = |error: io::Error| format!("the pages of the client: {error}");
    // What changes while the pages are bundled may not be in them: what counts is when that began.
    let last = fs::metadata(&built).and_then(|about| about.modified()).ok();
    let is_fresh = last.is_some_and(|last| inputs().is_ok_and(|newest| newest < last));
    if is_fresh && folder().join("dist/index.html").exists() {
        return Ok(());
    }
    fs::create_dir_all(&kept).and_then(|()| fs::write(&begun, "")).map_err(failed)?;
    run("pages of the client", npm("build").args(["--", "--logLevel", "warn"]))?;
    fs::rename(&begun, &built).map_err(failed)
}

/// When something was last changed that the pages are made from; the rules are among them.
fn inputs() -> io::Result<SystemTime> {
    let mut newest = changed(&root().join("docs"))?;
    for entry in fs::read_dir(folder())? {
        let entry = entry?;
        if !NOT_BUILT.iter().any(|name| entry.file_name() == *name) {
            newest = newest.max(changed(&entry.path())?);
        }
    }
    Ok(newest)
}

/// When a file, or anything in a folder, was last changed. A folder changes when a file in it comes or goes.
fn changed(path: &Path) -> io::Result<SystemTime> {
    let about = fs::metadata(path)?;
    let mut newest = about.modified()?;
    if about.is_dir() {
        for entry in fs::read_dir(path)? {
            newest = newest.max(changed(&entry?.path())?);
        }
    }
    Ok(newest)
}
