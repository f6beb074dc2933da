//! The one JSON shape of a position.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Game, Outcome, Seat, Turn, Viewer};

/// A position as one viewer sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    pub game: Cow<'static, str>,
    pub seats: u8,
    /// Actions made so far, chance outcomes included.
    pub ply: usize,
    pub turn: TurnJson,
    /// The legal actions: those of the asking seat, or of everybody where everything is shown.
    pub actions: Vec<ActionJson>,
    /// Each seat's own points.
    pub scores: Vec<i32>,
    pub outcome: Option<OutcomeJson>,
    /// What the asking viewer may see, per game.
    pub view: Value,
}

impl Position {
    /// A position after `ply` actions, as this viewer may see it.
    pub fn of<G: Game>(game: &G, ply: usize, viewer: Viewer) -> Self {
        Self {
            game: G::ID.into(),
            seats: game.seats(),
            ply,
            turn: game.turn().into(),
            actions: actions_json(game, viewer),
            scores: scores(game),
            outcome: game.outcome().map(Into::into),
            view: serde_json::to_value(game.view(viewer)).expect("a view is plain data with text keys"),
        }
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum TurnJson {
    Seat { seat: u8 },
    Chance,
    Over,
}

impl From<Turn> for TurnJson {
    fn from(turn: Turn) -> Self {
        match turn {
            Turn::Seat(seat) => Self::Seat { seat: seat.number() },
            Turn::Chance => Self::Chance,
            Turn::Over => Self::Over,
        }
    }
}

/// An action with the seat that may take it, or a chance outcome with its weight.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ActionJson {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    pub action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<u32>,
}

/// Who won, and by what; a draw has no winner.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutcomeJson {
    pub winners: Vec<u8>,
    pub reason: String,
}

impl From<Outcome> for OutcomeJson {
    fn from(outcome: Outcome) -> Self {
        Self { winners: outcome.winners.iter().map(Seat::number).collect(), reason: outcome.reason.to_owned() }
    }
}

pub(crate) fn scores<G: Game>(game: &G) -> Vec<i32> {
    Seat::all(game.seats()).map(|seat| game.score(seat)).collect()
}

/// At a chance turn a seat gets nothing: the possible draws would tell about hands.
fn actions_json<G: Game>(game: &G, viewer: Viewer) -> Vec<ActionJson> {
    let of_seat = |seat: Seat| {
        let mut actions = Vec::new();
        game.actions(seat, &mut actions);
        actions.into_iter().map(move |action| ActionJson {
            seat: Some(seat.number()),
            action: action.to_string(),
            weight: None,
        })
    };
    match (game.turn(), viewer) {
        (Turn::Over, _) | (_, Viewer::Spectator) | (Turn::Chance, Viewer::Seat(_)) => Vec::new(),
        (Turn::Chance, Viewer::Everything) => {
            let mut outcomes = Vec::new();
            game.chances(&mut outcomes);
            let json = |(action, weight): (G::Action, u32)| ActionJson {
                seat: None,
                action: action.to_string(),
                weight: Some(weight),
            };
            outcomes.into_iter().map(json).collect()
        }
        (Turn::Seat(_), Viewer::Seat(seat)) => of_seat(seat).collect(),
        (Turn::Seat(_), Viewer::Everything) => Seat::all(game.seats()).flat_map(of_seat).collect(),
    }
}
