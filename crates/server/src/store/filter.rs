//! Which tables a list shows, and where its next page begins.

use std::fmt;
use std::str::FromStr;

use quincunx_table::protocol::Listing;
use quincunx_table::{Millis, Status, TableId, UserId};

use crate::model::GameResult;

/// No page is longer than this.
pub const LONGEST_PAGE: usize = 200;

/// What is left out does not matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFilter {
    pub status: Option<Status>,
    pub public: Option<bool>,
    pub game: Option<String>,
    pub player: Option<PlayerFilter>,
    /// Changed at this moment or later.
    pub changed_from: Option<Millis>,
    /// Changed before this moment.
    pub changed_before: Option<Millis>,
    /// The end of the page before.
    pub after: Option<Cursor>,
    /// How many at most; never more than [`LONGEST_PAGE`].
    pub limit: usize,
}

impl Default for TableFilter {
    fn default() -> Self {
        Self {
            status: None,
            public: None,
            game: None,
            player: None,
            changed_from: None,
            changed_before: None,
            after: None,
            limit: LONGEST_PAGE,
        }
    }
}

/// Tables at which a user sits, or which keep a seat for the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerFilter {
    pub user: UserId,
    /// Who sits on another seat.
    pub opponent: Option<UserId>,
    /// How it ended for the user.
    pub result: Option<GameResult>,
}

impl PlayerFilter {
    pub const fn new(user: UserId) -> Self {
        Self { user, opponent: None, result: None }
    }

    fn takes(&self, table: &Listing) -> bool {
        let sits = |seat: usize, user| matches!(&table.seats[seat], Some(sitter) if sitter.user == Some(user));
        let seats = 0..table.seats.len();
        seats.clone().any(|seat| {
            (sits(seat, self.user) || table.kept.get(seat) == Some(&Some(self.user)))
                && (self.result.is_none() || GameResult::of(table, seat) == self.result)
                && self
                    .opponent
                    .is_none_or(|opponent| seats.clone().any(|other| other != seat && sits(other, opponent)))
        })
    }
}

impl TableFilter {
    pub(super) fn takes(&self, table: &Listing) -> bool {
        self.status.is_none_or(|status| table.status == status)
            && self.public.is_none_or(|public| table.public == public)
            && self.game.as_ref().is_none_or(|game| table.game == *game)
            && self.player.is_none_or(|player| player.takes(table))
            && self.changed_from.is_none_or(|from| table.changed >= from)
            && self.changed_before.is_none_or(|before| table.changed < before)
            && self.after.as_ref().is_none_or(|after| Cursor::of(table) < *after)
    }
}

/// A place in a list of tables from the newest to the oldest. A table that changes while someone turns pages moves to the
/// front; no table is on two pages for any other reason, and none is passed over.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cursor {
    pub changed: Millis,
    pub id: TableId,
}

impl Cursor {
    pub fn of(table: &Listing) -> Self {
        Self { changed: table.changed, id: table.table.clone() }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.changed, self.id.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this is not the end of a page: it is written as <milliseconds>.<table>")]
pub struct BadCursor;

impl FromStr for Cursor {
    type Err = BadCursor;

    fn from_str(text: &str) -> Result<Self, BadCursor> {
        let (changed, id) = text.split_once('.').ok_or(BadCursor)?;
        let id = TableId(id.to_owned());
        if id.0.is_empty() || !id.is_possible() {
            return Err(BadCursor);
        }
        Ok(Self { changed: changed.parse().map_err(|_| BadCursor)?, id })
    }
}

#[cfg(test)]
mod tests {
    use super::{BadCursor, Cursor};

    #[test]
    fn a_place_in_a_list_is_read_if_a_table_can_be_there() {
        assert_eq!("17.k3v".parse::<Cursor>().map(|cursor| cursor.to_string()), Ok("17.k3v".to_owned()));
        for wrong in ["", "17", "17.", ".k3v", "x.k3v", "1.\0", &format!("1.{}", "k".repeat(65))] {
            assert_eq!(wrong.parse::<Cursor>(), Err(BadCursor), "{wrong:?}");
        }
    }
}
