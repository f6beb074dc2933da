//! Tables for people, bots and engines anywhere: storage, accounts, a cluster of processes, HTTP and WebSockets around
//! `quincunx-table`.

pub mod cluster;
pub mod config;
pub mod http;
pub mod hub;
mod limiter;
pub mod metrics;
pub mod model;
pub mod people;
pub mod store;
pub mod transfer;
