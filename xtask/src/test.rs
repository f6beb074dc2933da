//! Everything that has to be green before a change lands.

use std::time::Instant;

use crate::tools::{Profile, browser, cargo, component, quincunx, run, servers, step, succeeds, time_machine};
use crate::web::{self, npm};

pub fn everything() -> Result<(), String> {
    let started = Instant::now();
    component("fmt", "rustfmt")?;
    component("clippy", "clippy")?;
    servers()?;
    browser()?;
    step("formatting", cargo().args(["fmt", "--all", "--check"]))?;
    // The program has the client inside, so it comes first.
    println!("== client");
    web::build(Profile::Debug)?;
    step("types of the client", &mut npm("check"))?;
    step("tests of the client", npm("test").args(["--", "--reporter", "dot"]))?;
    step("lints", cargo().args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny", "warnings"]))?;
    if succeeds(cargo().args(["nextest", "--version"])) {
        step("examples in the documentation", cargo().args(["test", "--quiet", "--workspace", "--doc"]))?;
        let quiet = ["--cargo-quiet", "--status-level", "fail", "--final-status-level", "slow", "--no-fail-fast"];
        // What a test says last is read first, and a hundred lines about how a runtime called it would hide it.
        let failures = ["--failure-output", "final"];
        let mut tests = cargo();
        tests.args(["nextest", "run", "--workspace"]).args(quiet).args(failures).env("RUST_BACKTRACE", "0");
        step("tests", &mut tests)?;
    } else {
        step("tests", cargo().args(["test", "--quiet", "--workspace", "--no-fail-fast"]))?;
    }
    play_in_browsers()?;
    println!("All good, after {} s.", started.elapsed().as_secs());
    Ok(())
}

/// The tests in a real browser, with everything that they need.
pub fn in_browsers() -> Result<(), String> {
    browser()?;
    web::build(Profile::Debug)?;
    play_in_browsers()
}

fn play_in_browsers() -> Result<(), String> {
    println!("== client in a browser");
    in_browser("e2e", &["--", "--reporter", "dot"])
}

/// Kills servers under load again and again, with other faults mixed in, and compares what they kept with what they acknowledged.
pub fn siege() -> Result<(), String> {
    servers()?;
    time_machine()?;
    let mut siege = cargo();
    siege.args(["test", "--package", "quincunx-cli", "--test", "siege", "--"]);
    siege.args(["--ignored", "--nocapture", "--test-threads", "1"]);
    step("siege", &mut siege)
}

/// Takes pictures of the client.
pub fn screenshots() -> Result<(), String> {
    browser()?;
    web::build(Profile::Debug)?;
    in_browser("screenshots", &[])
}

/// Runs a script of the client that looks at a served table in a browser.
fn in_browser(script: &str, arguments: &[&str]) -> Result<(), String> {
    let mut command = npm(script);
    command.args(arguments).env("QUINCUNX", quincunx(Profile::Debug)?).env("QUINCUNX_SIXTH", web::sixth_module()?);
    run(script, &mut command)
}
