//! A table on a server.

/// What comes from a server.
#[derive(Debug)]
pub enum News {}
