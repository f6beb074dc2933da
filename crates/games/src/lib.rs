//! The five games of Quincunx, and the registry that lists them.

pub mod x_marks_the_spot;

pub use x_marks_the_spot::XMarksTheSpot;
