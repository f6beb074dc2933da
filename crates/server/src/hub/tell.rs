//! What is told to whom: views and lines of the log as one viewer may see them.

use std::collections::HashMap;

use axum::extract::ws::Utf8Bytes;
use quincunx_core::{Game, Position, Seat, Table, Viewer};
use quincunx_games::{CastleBuilders, XMarksTheSpot};
use serde_json::Value;

use super::patch::diff;
use crate::model::{Entry, Status, UserId};
use crate::table::{Corrupt, Event, State};
use crate::wire::{self, Happened, Message, Now, Snapshot};

/// What each viewer reads instead of the actions of some lines.
type Texts = HashMap<Viewer, Vec<String>>;

/// Games in which a client cannot work out the view and the actions from what it is told.
fn hidden(state: &State) -> bool {
    [CastleBuilders::ID, XMarksTheSpot::ID].contains(&state.setup.game.as_str())
}

fn viewers(state: &State) -> impl Iterator<Item = Viewer> {
    Seat::all(state.game.seats()).map(Viewer::Seat).chain([Viewer::Spectator, Viewer::Everything])
}

/// What every viewer saw, to tell later what has changed.
pub struct Before {
    version: u64,
    views: HashMap<Viewer, Value>,
    /// Which seat each user had, as a viewer.
    seen_as: HashMap<UserId, Viewer>,
    others: Viewer,
}

impl Before {
    pub fn of(state: &State) -> Self {
        let views = if hidden(state) {
            viewers(state).map(|viewer| (viewer, state.game.position(viewer).view)).collect()
        } else {
            HashMap::new()
        };
        let users = state.seats.iter().filter_map(|seated| seated.user);
        Self {
            version: state.version,
            views,
            seen_as: users.map(|user| (user, state.viewer(Some(user)))).collect(),
            others: state.viewer(None),
        }
    }

    fn viewer(&self, user: Option<UserId>) -> Viewer {
        user.and_then(|user| self.seen_as.get(&user).copied()).unwrap_or(self.others)
    }
}

/// What happened since a moment, made into text once for each kind of viewer.
pub struct Telling<'a> {
    before: &'a Before,
    state: &'a State,
    entries: &'a [Entry],
    texts: Texts,
    told: HashMap<(Viewer, Viewer), Utf8Bytes>,
}

impl<'a> Telling<'a> {
    /// Of lines that the state has just taken, none of which takes an action back.
    pub fn just_now(before: &'a Before, state: &'a State, entries: &'a [Entry]) -> Self {
        let acted = entries.iter().filter(|entry| matches!(event(entry), Some(Event::Acted { .. }))).count();
        let texts = viewers(state).map(|viewer| {
            let mut log = state.game.log(viewer);
            let last = log.split_off(log.len().saturating_sub(acted));
            (viewer, last.into_iter().map(|line| line.text).collect())
        });
        Self { before, state, entries, texts: texts.collect(), told: HashMap::new() }
    }

    /// Of any lines, which led to this state.
    pub fn later(before: &'a Before, state: &'a State, entries: &'a [Entry], texts: Texts) -> Self {
        Self { before, state, entries, texts, told: HashMap::new() }
    }

    pub fn to(&mut self, user: Option<UserId>) -> Utf8Bytes {
        let viewer = self.state.viewer(user);
        let key = (self.before.viewer(user), viewer);
        if let Some(told) = self.told.get(&key) {
            return told.clone();
        }
        let told: Utf8Bytes = wire::text(&Message::Happened(Box::new(self.happened(key.0, viewer)))).into();
        self.told.insert(key, told.clone());
        told
    }

    fn happened(&self, before: Viewer, viewer: Viewer) -> Happened {
        let state = self.state;
        let mut texts = self.texts[&viewer].iter();
        let events = self.entries.iter().filter_map(event).filter_map(|event| match event {
            // How the table was set up is told in a snapshot, and the invitation to nobody but the host.
            Event::Created { .. } => None,
            Event::Acted { seat, .. } => Some(Event::Acted { seat, action: texts.next()?.clone() }),
            other => Some(other),
        });
        let events = events.collect();
        let position = state.game.position(viewer);
        Happened {
            table: state.id.clone(),
            from: self.before.version,
            at: self.entries.last().map_or(state.created, |entry| entry.at),
            events,
            turn: position.turn,
            scores: position.scores,
            offers: match viewer {
                Viewer::Seat(seat) if hidden(state) => Some(state.game.offers(seat)),
                _ => None,
            },
            view: self.before.views.get(&before).map(|old| diff(old, &position.view)),
            now: now(state),
        }
    }
}

/// Takes lines one after the other, and gives what each viewer reads instead of their actions.
pub fn take(state: &mut State, entries: &[Entry]) -> Result<Texts, Corrupt> {
    let mut texts: Texts = viewers(state).map(|viewer| (viewer, Vec::new())).collect();
    for entry in entries {
        state.apply(entry)?;
        if matches!(event(entry), Some(Event::Acted { .. })) {
            for (&viewer, texts) in &mut texts {
                texts.extend(state.game.log(viewer).pop().map(|line| line.text));
            }
        }
    }
    Ok(texts)
}

pub fn snapshot(state: &State, user: Option<UserId>) -> Utf8Bytes {
    wire::text(&Message::Snapshot(Box::new(whole(state, user)))).into()
}

/// A table as somebody may see it.
pub fn whole(state: &State, user: Option<UserId>) -> Snapshot {
    let viewer = state.viewer(user);
    let position = shown(state, state.game.as_ref(), viewer);
    Snapshot {
        table: state.id.clone(),
        setup: state.setup.clone(),
        host: state.host,
        invitation: (user == Some(state.host)).then(|| state.invitation.clone()),
        log: state.game.log(viewer).into_iter().map(Into::into).collect(),
        position,
        now: now(state),
    }
}

/// The position after so many actions as somebody may see it, if so many were made.
pub fn position_of(state: &State, user: Option<UserId>, ply: usize) -> Option<Position> {
    let viewer = state.viewer(user);
    let back = state.game.ply().checked_sub(ply)?;
    if back == 0 {
        return Some(shown(state, state.game.as_ref(), viewer));
    }
    let mut then = state.game.boxed_clone();
    then.undo(back as u64).ok()?;
    Some(shown(state, then.as_ref(), viewer))
}

/// A position with the actions that may be offered to the viewer.
fn shown(state: &State, game: &dyn Table, viewer: Viewer) -> Position {
    let mut position = game.position(viewer);
    match viewer {
        Viewer::Seat(seat) if state.status == Status::Playing => {
            let offers = game.offers(seat);
            position.actions.retain(|action| offers.contains(&action.action));
        }
        _ => position.actions.clear(),
    }
    position
}

fn now(state: &State) -> Now {
    Now {
        version: state.version,
        status: state.status,
        seats: state.seats.clone(),
        clocks: state.clocks.face(state.game.seats()),
        draw_offer: state.draw_offer.map(Seat::number),
        undo: state.undo.clone(),
        ending: state.ending.clone(),
        rematch: state.rematch.clone(),
    }
}

fn event(entry: &Entry) -> Option<Event> {
    serde_json::from_str(&entry.event).ok()
}
