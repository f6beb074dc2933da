//! A client that talks to an [`Rpc`] line by line.
#![allow(dead_code, reason = "each test needs a part of it")]

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use quincunx_engine::Clock;
use quincunx_games::GAMES;
use quincunx_rpc::Rpc;
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

/// What all draws and engines of a client begin with.
pub const SEED: u64 = 3;

pub struct Client(pub Rpc);

/// A clock that goes on by a millisecond each time somebody looks at it.
#[derive(Default)]
pub struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

impl Client {
    pub fn new() -> Self {
        Self(Rpc::new(GAMES, Box::new(Xoshiro256PlusPlus::seed_from_u64(SEED)), Box::new(Ticking::default())))
    }

    pub fn line(&mut self, line: &str) -> Value {
        serde_json::from_str(&self.0.line(line).expect("an answer")).expect("JSON")
    }

    pub fn answer(&mut self, method: &str, params: Value) -> Value {
        let answer = self.line(&json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).to_string());
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)));
        answer
    }

    pub fn ok(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.answer(method, params);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].take()
    }

    pub fn error(&mut self, method: &str, params: Value) -> String {
        self.refusal(method, params)["message"].as_str().expect("a sentence").to_owned()
    }

    /// The whole error.
    pub fn refusal(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.answer(method, params);
        assert!(answer.get("result").is_none(), "{answer}");
        answer["error"].take()
    }
}

pub fn texts(position: &Value) -> Vec<&str> {
    position["actions"].as_array().unwrap().iter().map(|action| action["action"].as_str().unwrap()).collect()
}
