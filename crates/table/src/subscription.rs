//! Who follows a table, and through whose eyes.

use quincunx_core::{Seat, Turn};

use crate::{State, Status, UserId};

/// Somebody who follows a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Subscription {
    pub user: Option<UserId>,
    /// Of several seats at one screen: the one that looks, and the one whose player has to come.
    pub eyes: Option<Seat>,
    pub hand_over: Option<Seat>,
    /// Whether views and actions are wanted also where nothing is hidden.
    pub full: bool,
}

impl Subscription {
    /// Somebody with at most one seat.
    pub fn of(user: Option<UserId>) -> Self {
        Self { user, ..Self::default() }
    }

    /// Whose eyes look at a screen that several share: those of the player on turn. Where hands are hidden, that player has
    /// to come first.
    pub(crate) fn follow(&mut self, state: &State) {
        let several = self.user.is_some_and(|user| state.seats_of(user).nth(1).is_some());
        if !several || state.status != Status::Playing {
            (self.eyes, self.hand_over) = (None, None);
            return;
        }
        let on_turn = match state.game.turn() {
            Turn::Seat(seat) if self.user.is_some_and(|user| state.seats_of(user).any(|own| own == seat)) => Some(seat),
            _ => None,
        };
        match on_turn {
            Some(seat) if self.eyes == Some(seat) => self.hand_over = None,
            Some(seat) if state.game.kind().hidden_information() => self.hand_over = Some(seat),
            Some(seat) => (self.eyes, self.hand_over) = (Some(seat), None),
            None => {}
        }
    }
}
