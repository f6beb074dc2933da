//! The screens of the program.

pub mod account;
pub mod lobby;
pub mod menu;
pub mod table;
