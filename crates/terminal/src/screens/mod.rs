//! The screens of the program.

pub mod menu;
pub mod table;
