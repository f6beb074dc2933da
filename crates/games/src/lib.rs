//! The five games of Quincunx, and the registry that lists them.

pub mod castle_builders;
pub mod trexo;

pub use castle_builders::CastleBuilders;
pub use trexo::Trexo;
