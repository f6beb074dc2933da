//! The five games of Quincunx, and the registry that lists them.

pub mod figures;
pub mod mod_x;

pub use figures::Figures;
pub use mod_x::ModX;
