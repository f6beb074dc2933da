//! A table at one moment, as one viewer sees it: the same from a game at this machine and from a server.

use quincunx_core::{DynSession, OutcomeJson, Position, Seat, Step, TurnJson, Viewer};
use serde::Deserialize;
use serde_json::Value;

/// What a board is drawn from. It holds no rules: what may be done is listed in words.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Moment {
    pub game: String,
    pub seats: u8,
    /// Actions made so far, chance outcomes included.
    pub ply: usize,
    /// The seat that looks and acts here; nobody where one only watches.
    pub viewer: Option<u8>,
    pub turn: Option<TurnJson>,
    /// What the viewer may do now, without what he has to notice himself.
    pub offers: Vec<String>,
    pub scores: Vec<i32>,
    pub outcome: Option<OutcomeJson>,
    pub view: Value,
    /// What was done last, as the viewer may read it.
    pub last: Option<Said>,
}

/// A line of the log.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Said {
    /// Who has acted; nobody for chance.
    pub seat: Option<u8>,
    pub action: String,
}

impl From<Step> for Said {
    fn from(step: Step) -> Self {
        Self { seat: step.by.seat().map(Seat::number), action: step.action }
    }
}

impl Moment {
    /// The table as somebody sees it who acts for a seat, or for nobody.
    pub fn of(table: &dyn DynSession, viewer: Viewer) -> Self {
        let Position { game, seats, ply, turn, scores, outcome, view, .. } = table.position(viewer);
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator | Viewer::Everything => None,
        };
        Self {
            game: game.into_owned(),
            seats,
            ply,
            viewer: seat.map(Seat::number),
            turn: Some(turn),
            offers: seat.map_or_else(Vec::new, |seat| table.offers(seat)),
            scores,
            outcome,
            view,
            last: table.log_from(ply.saturating_sub(1), viewer).pop().map(Into::into),
        }
    }

    /// The seat that has to act.
    pub fn on_turn(&self) -> Option<u8> {
        match self.turn {
            Some(TurnJson::Seat { seat }) => Some(seat),
            _ => None,
        }
    }

    /// Whether the viewer has to act.
    pub fn is_ours(&self) -> bool {
        self.viewer.is_some() && self.viewer == self.on_turn()
    }
}
