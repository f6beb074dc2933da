//! What is told to whom: views and lines of the log as one viewer may see them.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use quincunx_core::{ActionJson, DynSession, Position, Seat, Viewer};

use super::patch::diff;
use crate::model::{Entry, Millis, Status, UserId};
use crate::table::{Clocks, Corrupt, Event, Seated, State, Undo, viewer};
use crate::wire::{self, Happened, Message, Now, Snapshot};

/// What viewers read instead of the actions of some lines.
type Texts = HashMap<Viewer, Vec<String>>;

/// Whether a client cannot work out the view and the actions from what it is told.
fn hidden(state: &State) -> bool {
    state.game.kind().hidden_information()
}

/// How a table stood, to tell later what has changed.
pub struct Before {
    version: u64,
    status: Status,
    seats: Arc<Vec<Seated>>,
    clocks: Clocks,
    draw_offer: Option<Seat>,
    undo: Option<Undo>,
    ended: bool,
    moved_on: bool,
    /// What each of the watchers saw, as JSON, in games with hidden information.
    views: Vec<(Viewer, String)>,
}

impl Before {
    /// A table that these people watch.
    pub fn of(state: &State, watchers: impl Iterator<Item = Option<UserId>>) -> Self {
        let mut views: Vec<(Viewer, String)> = Vec::new();
        if hidden(state) {
            for viewer in watchers.map(|user| state.viewer(user)) {
                if !views.iter().any(|(known, _)| *known == viewer) {
                    views.push((viewer, state.game.view_json(viewer)));
                }
            }
        }
        Self {
            version: state.version,
            status: state.status,
            seats: state.seats.clone(),
            clocks: state.clocks,
            draw_offer: state.draw_offer,
            undo: state.undo.clone(),
            ended: state.ending.is_some(),
            moved_on: state.rematch.is_some(),
            views,
        }
    }

    /// Whether others sit at the table now.
    pub fn is_reseated(&self, state: &State) -> bool {
        self.seats != state.seats
    }

    /// Whether the game has ended since.
    pub fn is_finished_now(&self, state: &State) -> bool {
        self.status != Status::Finished && state.status == Status::Finished
    }

    /// Whether lists show the table differently now.
    pub fn listed_otherwise(&self, state: &State) -> bool {
        self.status != state.status || self.seats != state.seats
    }
}

/// What happened since a moment, made into text once for all who are told the same.
pub struct Telling<'a> {
    before: &'a Before,
    state: &'a State,
    at: Millis,
    events: &'a [Event],
    /// For viewers who are not here, the actions are the last ones of the game's log.
    texts: Texts,
    /// For those who saw and see the table as these viewers.
    told: Vec<((Viewer, Viewer), Utf8Bytes)>,
}

impl<'a> Telling<'a> {
    /// Of events that the state has just taken, none of which takes back an action of the others.
    pub fn just_now(before: &'a Before, state: &'a State, at: Millis, events: &'a [Event]) -> Self {
        Self { before, state, at, events, texts: Texts::new(), told: Vec::new() }
    }

    /// Of lines that the state has taken at any time.
    pub fn later(before: &'a Before, state: &'a State, taken: &'a Taken) -> Self {
        let Taken { at, events, texts } = taken;
        Self { before, state, at: *at, events, texts: texts.clone(), told: Vec::new() }
    }

    pub fn to(&mut self, user: Option<UserId>) -> Utf8Bytes {
        // Where nothing is hidden all are told the same.
        let key = if hidden(self.state) {
            (viewer(self.before.status, &self.before.seats, user), self.state.viewer(user))
        } else {
            (Viewer::Spectator, Viewer::Spectator)
        };
        if let Some((_, told)) = self.told.iter().find(|(known, _)| *known == key) {
            return told.clone();
        }
        let told: Utf8Bytes = wire::text(&Message::Happened(Box::new(self.happened(key.0, key.1)))).into();
        self.told.push((key, told.clone()));
        told
    }

    fn happened(&self, saw: Viewer, sees: Viewer) -> Happened {
        let (before, state) = (self.before, self.state);
        let offers = match sees {
            Viewer::Seat(seat) => Some(state.game.offers(seat)),
            _ => None,
        };
        let view = before.views.iter().find(|(viewer, _)| *viewer == saw);
        Happened {
            table: state.id.clone(),
            from: before.version,
            version: state.version,
            at: self.at,
            events: self.events_for(sees),
            turn: state.game.turn().into(),
            scores: state.game.scores(),
            offers,
            view: view.map(|(_, old)| diff(old, &state.game.view_json(sees))),
            status: (before.status != state.status).then_some(state.status),
            seats: (before.seats != state.seats).then(|| state.seats.to_vec()),
            clocks: state.clocks.face(state.game.seats()).filter(|_| before.clocks != state.clocks),
            draw_offer: (before.draw_offer != state.draw_offer).then(|| state.draw_offer.map(Seat::number)),
            undo: (before.undo != state.undo).then(|| state.undo.clone()),
            ending: state.ending.clone().filter(|_| !before.ended),
            rematch: state.rematch.clone().filter(|_| !before.moved_on),
        }
    }

    /// The events as a viewer may read them.
    fn events_for(&self, viewer: Viewer) -> Vec<Event> {
        // How the table was set up is told in a snapshot, and the invitation to nobody but the host.
        let events = self.events.iter().filter(|event| !matches!(event, Event::Created { .. })).cloned();
        if !hidden(self.state) {
            return events.collect();
        }
        let texts = self.texts.get(&viewer).cloned().unwrap_or_else(|| {
            let acted = self.events.iter().filter(|event| matches!(event, Event::Acted { .. })).count();
            last_texts(self.state, acted, viewer)
        });
        let mut texts = texts.into_iter();
        let events = events.filter_map(|event| match event {
            Event::Acted { seat, .. } => Some(Event::Acted { seat, action: texts.next()? }),
            other => Some(other),
        });
        events.collect()
    }
}

/// The last actions of a game as a viewer may read them.
fn last_texts(state: &State, count: usize, viewer: Viewer) -> Vec<String> {
    let from = state.game.ply().saturating_sub(count);
    state.game.log_from(from, viewer).into_iter().map(|step| step.action).collect()
}

/// What lines of a log say.
pub struct Taken {
    at: Millis,
    events: Vec<Event>,
    texts: Texts,
}

/// Takes lines one after the other. What each viewer reads instead of their actions is kept, because actions that are taken
/// back are no longer in the game's log.
pub fn take(state: &mut State, entries: &[Entry]) -> Result<Taken, Corrupt> {
    let mut texts = Texts::new();
    if hidden(state) {
        let seats = Seat::all(state.game.seats()).map(Viewer::Seat);
        texts.extend(seats.chain([Viewer::Spectator, Viewer::Everything]).map(|viewer| (viewer, Vec::new())));
    }
    let mut events = Vec::with_capacity(entries.len());
    for entry in entries {
        let event = state.apply(entry)?;
        if matches!(event, Event::Acted { .. }) {
            for (&viewer, texts) in &mut texts {
                texts.extend(last_texts(state, 1, viewer));
            }
        }
        events.push(event);
    }
    Ok(Taken { at: entries.last().map_or(state.created, |entry| entry.at), events, texts })
}

/// What a live connection is told first. Where nothing is hidden, a client works out by itself what it may do: the hundreds of
/// actions of some games would be most of the message.
pub fn snapshot(state: &State, user: Option<UserId>) -> Utf8Bytes {
    let snapshot =
        if hidden(state) { whole(state, user) } else { assembled(state, user, state.game.position(Viewer::Spectator)) };
    wire::text(&Message::Snapshot(Box::new(snapshot))).into()
}

/// A table as somebody may see it, with all that he may do.
pub fn whole(state: &State, user: Option<UserId>) -> Snapshot {
    assembled(state, user, shown(state, state.game.as_ref(), state.viewer(user)))
}

fn assembled(state: &State, user: Option<UserId>, position: Position) -> Snapshot {
    let viewer = state.viewer(user);
    Snapshot {
        table: state.id.clone(),
        setup: state.setup.clone(),
        host: state.host,
        invitation: (user == Some(state.host)).then(|| state.invitation.clone()),
        log: state.game.log(viewer),
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
fn shown(state: &State, game: &dyn DynSession, viewer: Viewer) -> Position {
    let mut position = game.position(viewer);
    match viewer {
        Viewer::Seat(seat) if state.status == Status::Playing => {
            let offered = |action| ActionJson { seat: Some(seat.number()), action, weight: None };
            position.actions = game.offers(seat).into_iter().map(offered).collect();
        }
        _ => position.actions.clear(),
    }
    position
}

fn now(state: &State) -> Now {
    Now {
        version: state.version,
        status: state.status,
        seats: state.seats.to_vec(),
        clocks: state.clocks.face(state.game.seats()),
        draw_offer: state.draw_offer.map(Seat::number),
        undo: state.undo.clone(),
        ending: state.ending.clone(),
        rematch: state.rematch.clone(),
    }
}
