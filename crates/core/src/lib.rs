//! What a game is: seats, turns, actions, chance, views, outcomes and records.
//!
//! A game implements [`Game`]: data plus a few pure functions. Everything else is written once, for all games, on top
//! of it: [`Session`] keeps a game and its history, [`DynSession`] and [`GameKind`] are its object-safe side with texts and
//! JSON, [`Record`] is a game as a text file, [`perft`] and [`playout`] walk through games.

#[cfg(feature = "tools")]
mod codes;
mod coord;
mod erased;
mod error;
mod game;
mod hash;
mod options;
mod outcome;
mod paint;
mod playout;
mod position;
mod reason;
pub mod record;
mod replay;
mod seat;
mod session;
mod square;
mod step;

#[cfg(feature = "tools")]
pub use codes::{Codes, all_codes, codes};
pub use coord::Coord;
pub use erased::{DynSession, GameKind, Of, find};
pub use error::{ActionError, JsonKind, SetupError, SquareReason, TurnReason, UndoError};
pub use game::{Credits, Game, Scratch, View};
pub use hash::{Fold, zobrist};
pub use options::{Within, options_from_json, present};
pub use outcome::Outcome;
pub use paint::{painted, strip};
pub use playout::{Playouts, any_step, perft, playout};
pub use position::{ActionJson, OutcomeJson, Position, TurnJson};
pub use reason::{Reason, Reasons};
pub use record::Record;
pub use replay::{ReplayError, replay};
pub use seat::{Actor, Seat, SeatSet, Turn, Viewer};
pub use session::Session;
pub use square::Square;
pub use step::Step;
