//! Rules, engines and tables as a WebAssembly module, for workers of a browser.
//!
//! A module has three faces, each of which takes a line and gives one: [`answer`] speaks JSON-RPC exactly as `quincunx rpc`,
//! for tools; [`host`] runs tables, as [`tables`] says; [`think`] is an engine that answers a job of such a table.
//!
//! Texts go through the memory of the module. The page asks [`space`] for room, writes a line there, calls one of the three
//! and reads the answer where [`answer_start`] and the returned length say. Before the first line it calls [`begin`] with a
//! number that nobody can guess. The module asks the page for one thing only: what time it is.
//!
//! A module serves one worker, which is one thread; everything it keeps is local to that thread.

#[cfg(any(test, feature = "sixth-game"))]
mod sixth;
mod tables;

use std::{cell::RefCell, sync::atomic::AtomicBool, time::Duration};

use quincunx_core::GameKind;
use quincunx_engine::Clock;
use quincunx_rpc::{Engines, Rpc};
use quincunx_table::{Job, Thinking};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::json;

use tables::Tables;

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
    use std::time::SystemTime;

    /// Elsewhere the module is only compiled for its tests.
    pub fn now() -> f64 {
        SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |since| since.as_secs_f64() * 1000.0)
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
    tables: Option<Tables>,
    line: Vec<u8>,
    answer: String,
}

impl Module {
    /// Lets one of the faces answer the line that was written; gives the length of the answer.
    fn reply(&mut self, face: impl FnOnce(&mut Self, &str) -> Option<String>) -> usize {
        let line = std::mem::take(&mut self.line);
        self.answer = face(self, &String::from_utf8_lossy(&line)).unwrap_or_default();
        self.answer.len()
    }
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
    let tables = Tables::new(games, seed);
    MODULE.with_borrow_mut(|module| (module.rpc, module.tables) = (Some(rpc), Some(tables)));
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

/// Answers the line of JSON-RPC that was written into the [`space`]; gives the length of the answer, 0 if there is none.
#[allow(unsafe_code, reason = "the page calls it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    MODULE.with_borrow_mut(|module| module.reply(|module, line| module.rpc.as_mut()?.line(line)))
}

/// Gives a line that was written into the [`space`] to the tables; gives the length of what follows from it.
#[allow(unsafe_code, reason = "the page calls it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn host() -> usize {
    MODULE.with_borrow_mut(|module| module.reply(|module, line| Some(module.tables.as_mut()?.line(line))))
}

/// Thinks about the job that was written into the [`space`]; gives the length of the answer, which tells an `error` if there
/// is no better one.
#[allow(unsafe_code, reason = "the page calls it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn think() -> usize {
    MODULE.with_borrow_mut(|module| {
        module.reply(|_, line| Some(thought(line).unwrap_or_else(|error| json!({ "error": error }).to_string())))
    })
}

fn thought(line: &str) -> Result<String, String> {
    let (games, Engines(thinker)) = games();
    let job: Job = serde_json::from_str(line).map_err(|why| why.to_string())?;
    // Who wants it to stop ends the worker.
    let stop = AtomicBool::new(false);
    let with = Thinking { games, thinker, clock: &PageClock, memory: MEMORY, stop: &stop };
    let answer = job.think(with, |_| ()).map_err(|why| why.to_string())?;
    serde_json::to_string(&answer).map_err(|why| why.to_string())
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
    fn say(face: extern "C" fn() -> usize, line: &str) -> Option<String> {
        assert!(!space(line.len()).is_null());
        MODULE.with_borrow_mut(|module| module.line.copy_from_slice(line.as_bytes()));
        let length = face();
        assert!(!answer_start().is_null());
        let answer = MODULE.with_borrow(|module| module.answer.clone());
        assert_eq!(answer.len(), length);
        (length > 0).then_some(answer)
    }

    fn ask(line: &str) -> Option<String> {
        say(answer, line)
    }

    /// Gives something to the tables, and what follows from it.
    fn follows(line: &serde_json::Value) -> serde_json::Value {
        serde_json::from_str(&say(host, &line.to_string()).unwrap()).unwrap()
    }

    fn set_up(seats: &serde_json::Value, clock: &serde_json::Value) -> serde_json::Value {
        let setup = json!({ "game": "mod-x", "seats": seats, "clock": clock, "public": false, "undo": "free" });
        follows(&json!({ "now": 1000, "ask": { "type": "create", "id": "a", "setup": setup } }))
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

    #[test]
    fn an_engine_makes_its_move_at_a_table_of_the_page() {
        begin(7);
        assert_eq!(follows(&json!({ "now": 0 }))["messages"][0][0]["type"], "welcome");
        let person = json!({ "kind": "person", "name": "Anna" });
        let made = set_up(&json!([{ "kind": "engine", "level": "novice" }, person]), &json!({ "kind": "none" }));
        let table = &made["messages"][0][0]["table"];
        assert_eq!((&made["keep"][0]["id"], &made["keep"][0]["plies"]), (table, &json!(0)), "{made}");
        let wanted = &made["think"][0];
        assert_eq!((&wanted["table"], &wanted["unprompted"]), (table, &json!(false)));
        let answer = say(think, &wanted["job"].to_string()).unwrap();
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        let watch = json!({ "type": "watch", "id": "b", "table": table, "full": true });
        assert_eq!(follows(&json!({ "now": 1100, "ask": watch }))["messages"][0][0]["type"], "snapshot");
        let moved = follows(&json!({ "now": 1200, "answer": answer }));
        assert_eq!(moved["messages"][0].as_array().unwrap().len(), 1, "one message for a move");
        assert_eq!(moved["messages"][0][0]["type"], "update");
        assert!(moved["keep"][0]["record"].as_str().unwrap().contains("Player 1: Anna"));
    }

    #[test]
    fn a_flag_falls_at_its_time() {
        begin(7);
        let people = json!([{ "kind": "person", "name": "Anna" }, { "kind": "person", "name": "Ben" }]);
        let made = set_up(&people, &json!({ "kind": "real_time", "seconds": 60, "increment": 0 }));
        assert_eq!(made["deadline"], 61_000);
        let early = follows(&json!({ "now": 60_000 }));
        assert_eq!((&early["deadline"], &early["keep"]), (&json!(61_000), &json!([])));
        let fell = follows(&json!({ "now": 61_000 }));
        assert_eq!((&fell["deadline"], &fell["keep"][0]["winners"]), (&json!(null), &json!([1])));
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_a_sentence() {
        begin(7);
        assert_eq!(follows(&json!({ "now": "later" }))["messages"][0][0]["code"], "malformed");
        let nowhere = follows(&json!({ "now": 0, "page": 7 }));
        assert_eq!(nowhere["messages"][0][0]["reason"], "the message cannot be read: there is no page 7 yet");
        assert!(say(think, "{}").unwrap().starts_with("{\"error\":"));
        let open = json!({ "type": "open", "id": "a", "table": "kept", "record": "Game: trexo\nSeats: 2\n\n0: z9" });
        let refused = follows(&json!({ "now": 0, "ask": open }));
        assert_eq!(
            (&refused["messages"][0][1]["type"], &refused["keep"]),
            (&json!("refused"), &json!([])),
            "{refused}"
        );
    }
}
