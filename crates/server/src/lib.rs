//! Tables for people, bots and engines anywhere: storage, accounts, a cluster of processes, HTTP and WebSockets around
//! `quincunx-table`.

pub mod cluster;
pub mod config;
pub mod http;
pub mod hub;
mod limiter;
pub mod metrics;
pub mod model;
pub mod moderation;
pub mod people;
pub mod store;
mod time;
pub mod transfer;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks also what was locked by a thread that panicked: nothing that runs under our locks panics halfway through a change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
