//! The rules and the engines as a WebAssembly module: a JSON-RPC line in, a line out, exactly as `quincunx rpc`.
//!
//! Texts go through the memory of the module. The page asks [`space`] for room, writes a line there, calls [`answer`] with
//! its length and reads the answer where [`answer_start`] and the returned length say. Before the first line it calls
//! [`begin`] with a number that nobody can guess. The module asks the page for one thing only: what time it is.
//!
//! A module serves one worker, which is one thread; everything it keeps is local to that thread.

#[cfg(any(test, feature = "sixth-game"))]
mod sixth;

use std::{cell::RefCell, time::Duration};

use quincunx_core::GameKind;
use quincunx_engine::Clock;
use quincunx_rpc::{Engines, Rpc};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

/// What engines may use: a telephone has less memory than a server.
const MEMORY: usize = 64 << 20;
/// The longest line that is taken, as for `quincunx rpc`.
const LONGEST: usize = quincunx_rpc::MAX_LINE;

#[cfg(not(feature = "sixth-game"))]
fn games() -> (&'static [&'static dyn GameKind], Engines) {
    (quincunx_games::GAMES, Engines::OURS)
}

#[cfg(feature = "sixth-game")]
fn games() -> (&'static [&'static dyn GameKind], Engines) {
    (sixth::GAMES, sixth::ENGINES)
}

/// The page's clock.
#[derive(Clone, Copy, Debug)]
struct PageClock;

#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code, reason = "the page gives this function; it takes nothing and gives a number")]
mod page {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Milliseconds since some moment that stays the same.
        pub safe fn now() -> f64;
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod page {
    /// Elsewhere the module is only compiled for its tests, in which no engine has to end in time.
    pub fn now() -> f64 {
        0.0
    }
}

impl Clock for PageClock {
    fn now(&self) -> Duration {
        Duration::try_from_secs_f64(page::now() / 1000.0).unwrap_or_default()
    }
}

/// What the module keeps between two calls.
#[derive(Debug, Default)]
struct Module {
    rpc: Option<Rpc>,
    line: Vec<u8>,
    answer: String,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

/// Makes the module ready, with a seed for its draws.
#[allow(unsafe_code, reason = "the page calls it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn begin(seed: u64) {
    let (games, engines) = games();
    let rng = Box::new(Xoshiro256PlusPlus::seed_from_u64(seed));
    let rpc = Rpc::new(games, rng, Box::new(PageClock)).with_engines(engines).with_memory(MEMORY);
    MODULE.with_borrow_mut(|module| module.rpc = Some(rpc));
}

/// Room for a line of this many bytes; null if it is too long.
#[allow(unsafe_code, reason = "the page calls it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn space(bytes: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        if bytes > LONGEST {
            return std::ptr::null_mut();
        }
        module.line.clear();
        module.line.resize(bytes, b' ');
        module.line.as_mut_ptr()
    })
}

/// Answers the line that was written into the [`space`]; gives the length of the answer, 0 if there is none.
#[allow(unsafe_code, reason = "the page calls it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    MODULE.with_borrow_mut(|Module { rpc, line, answer }| {
        let line = String::from_utf8_lossy(line);
        *answer = rpc.as_mut().and_then(|rpc| rpc.line(&line)).unwrap_or_default();
        answer.len()
    })
}

/// Where the last answer begins.
#[allow(unsafe_code, reason = "the page calls it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn answer_start() -> *const u8 {
    MODULE.with_borrow(|module| module.answer.as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a page does, as far as it can be done without the memory of a module.
    fn ask(line: &str) -> Option<String> {
        assert!(!space(line.len()).is_null());
        MODULE.with_borrow_mut(|module| module.line.copy_from_slice(line.as_bytes()));
        let length = answer();
        assert!(!answer_start().is_null());
        let answer = MODULE.with_borrow(|module| module.answer.clone());
        assert_eq!(answer.len(), length);
        (length > 0).then_some(answer)
    }

    #[test]
    fn a_line_is_answered_after_the_beginning() {
        let games = r#"{"jsonrpc":"2.0","id":1,"method":"games"}"#;
        assert_eq!(ask(games), None, "before the beginning nobody is there");
        begin(7);
        assert!(ask(games).is_some_and(|answer| answer.contains("castle-builders")));
        assert!(ask("nonsense").is_some_and(|answer| answer.contains("not JSON")));
        assert_eq!(ask(r#"{"jsonrpc":"2.0","method":"games"}"#), None, "a notification has no answer");
    }

    #[test]
    fn there_is_no_room_for_a_line_that_is_too_long() {
        begin(7);
        assert!(space(LONGEST + 1).is_null());
        assert!(ask(r#"{"id":1,"method":"games"}"#).is_some());
    }
}
