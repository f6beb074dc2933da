//! The two commands of the README, `cargo xtask play` and `cargo xtask test`, and the steps they are made of.

mod play;
mod test;
mod tools;
mod web;

use std::{env, process::ExitCode};

const USAGE: &str = "usage: cargo xtask play              build everything, and play in the browser
       cargo xtask play --terminal   play in the terminal
       cargo xtask test              check formatting, lints and all tests
       cargo xtask e2e               only the tests in a real browser
       cargo xtask siege             kill servers under load a thousand times (SIEGE_KILLS=1000)
       cargo xtask web               build the client for browsers
       cargo xtask screenshots       take pictures of the client, into web/screenshots";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["play"] => play::in_browser(),
        ["play", "--terminal"] => play::in_terminal(),
        ["test"] => test::everything(),
        ["e2e"] => test::in_browsers(),
        ["siege"] => test::siege(),
        ["web"] => web::build(tools::Profile::Debug),
        ["screenshots"] => test::screenshots(),
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
