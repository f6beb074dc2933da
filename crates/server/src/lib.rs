//! Tables for people and engines: what happens at a table, how it is kept, and who may see it.

pub mod cluster;
pub mod config;
pub mod http;
pub mod hub;
mod limiter;
pub mod metrics;
pub mod model;
pub mod people;
pub mod store;
pub mod table;
pub mod transfer;
pub mod wire;
