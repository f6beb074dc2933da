//! The client's side of a Quincunx server.
