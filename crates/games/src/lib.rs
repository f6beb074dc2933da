//! The five games of Quincunx, and the registry that lists them.

mod bits;
pub mod castle_builders;
pub mod figures;
pub mod mod_x;
#[cfg(test)]
mod testing;
pub mod trexo;
pub mod x_marks_the_spot;

pub use castle_builders::CastleBuilders;
pub use figures::Figures;
pub use mod_x::ModX;
use quincunx_core::{GameKind, Of};
pub use trexo::Trexo;
pub use x_marks_the_spot::XMarksTheSpot;

/// Every game, in the order in which people are shown them. A sixth one is one more line here.
pub static GAMES: &[&dyn GameKind] =
    &[&Of::<ModX>::NEW, &Of::<XMarksTheSpot>::NEW, &Of::<Trexo>::NEW, &Of::<CastleBuilders>::NEW, &Of::<Figures>::NEW];
