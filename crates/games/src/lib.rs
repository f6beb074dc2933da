//! The five games of Quincunx, and the registry that lists them.

pub mod mod_x;

pub use mod_x::ModX;
