//! A table at one moment, as one viewer sees it: the same from a game at this machine and from a server.

use quincunx_core::{DynSession, OutcomeJson, Position, Seat, Step, TurnJson, Viewer};
use quincunx_table::protocol::Snapshot;
use quincunx_table::{Ending, Status};
use serde_json::Value;

/// What a board is drawn from. It holds no rules: what may be done is listed in words.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Moment {
    pub game: String,
    /// Actions made so far, chance outcomes included.
    pub ply: usize,
    /// The seat that looks and acts here; nobody where one only watches.
    pub viewer: Option<u8>,
    pub turn: Option<TurnJson>,
    /// What the viewer may do now, without what they have to notice themselves.
    pub offers: Vec<String>,
    pub scores: Vec<i32>,
    pub outcome: Option<OutcomeJson>,
    pub view: Value,
    /// What was done last, as the viewer may read it.
    pub last: Option<Step>,
}

impl Moment {
    /// The table as somebody sees it who acts for a seat, or for nobody.
    pub fn of(table: &dyn DynSession, viewer: Viewer) -> Self {
        let Position { game, ply, turn, scores, outcome, view, .. } = table.position(viewer);
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator | Viewer::Everything => None,
        };
        Self {
            game: game.into_owned(),
            ply,
            viewer: seat.map(Seat::number),
            turn: Some(turn),
            offers: seat.map_or_else(Vec::new, |seat| table.offers(seat)),
            scores,
            outcome,
            view,
            last: table.log_from(ply.saturating_sub(1), viewer).pop(),
        }
    }

    /// The table as a snapshot tells of it.
    pub fn of_snapshot(snapshot: &Snapshot) -> Self {
        let position = &snapshot.position;
        let playing = snapshot.status == Status::Playing;
        // A game may also end before its rules end it.
        let ended = snapshot.ending.clone().map(|Ending { winners, reason }| OutcomeJson { winners, reason });
        Self {
            game: snapshot.setup.game.clone(),
            ply: position.ply,
            viewer: snapshot.viewer.filter(|_| playing),
            // A table that waits, or where somebody has resigned, has a position in which somebody would be on turn.
            turn: Some(if playing { position.turn } else { TurnJson::Over }),
            offers: position.actions.iter().filter(|_| playing).map(|offer| offer.action.clone()).collect(),
            scores: position.scores.clone(),
            outcome: ended.or_else(|| position.outcome.clone()),
            view: position.view.clone(),
            last: snapshot.log.last().cloned(),
        }
    }

    /// The seat that has to act.
    pub fn on_turn(&self) -> Option<u8> {
        match self.turn {
            Some(TurnJson::Seat { seat }) => Some(seat),
            _ => None,
        }
    }

    /// The points of a seat, in words; nothing where there are none.
    pub fn score(&self, seat: u8) -> String {
        self.scores.get(usize::from(seat)).map(ToString::to_string).unwrap_or_default()
    }

    /// Whether the viewer has to act.
    pub fn is_ours(&self) -> bool {
        self.viewer.is_some() && self.viewer == self.on_turn()
    }
}
