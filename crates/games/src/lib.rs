//! The five games of Quincunx, and the registry that lists them.

pub mod trexo;

pub use trexo::Trexo;
