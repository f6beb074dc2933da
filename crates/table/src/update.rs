//! Snapshots and updates: what a table looks like, and what has changed, each as one viewer may see it.

use std::collections::HashMap;
use std::sync::Arc;

use quincunx_core::{ActionJson, DynSession, GameKind, Position, Seat, Viewer};

use crate::patch::diff;
use crate::protocol::{Message, Snapshot, Update};
use crate::{Clocks, Corrupt, Entry, Event, Millis, Seated, State, Status, Subscription, TableId, Undo, viewer};

/// What viewers read instead of the actions of some lines.
type Texts = HashMap<Viewer, Vec<String>>;

/// Whether some see more than others: then a client cannot work out the view and the actions from the events.
fn hidden(state: &State) -> bool {
    state.game.kind().hidden_information()
}

/// What some viewers see of one version of a table, as JSON. What they see after one change they saw before the next one.
#[derive(Debug, Default)]
pub struct ViewCache {
    version: u64,
    views: Vec<(Viewer, Arc<str>)>,
}

impl ViewCache {
    /// What a viewer sees of a table, written at most once for each version.
    fn view(&mut self, state: &State, viewer: Viewer) -> Arc<str> {
        if self.version != state.version {
            self.views.clear();
            self.version = state.version;
        }
        if let Some((_, view)) = self.views.iter().find(|(known, _)| *known == viewer) {
            return view.clone();
        }
        let view: Arc<str> = state.game.view_json(viewer).into();
        self.views.push((viewer, view.clone()));
        view
    }
}

/// How a table stood, to tell later what has changed.
#[derive(Clone, Debug)]
pub struct StateDigest {
    version: u64,
    ply: usize,
    status: Status,
    seats: Arc<Vec<Seated>>,
    clocks: Clocks,
    draw_offer: Option<Seat>,
    undo: Option<Undo>,
    ended: bool,
    moved_on: bool,
    /// For how many people seats are kept.
    kept: usize,
    /// What each of the subscribers saw, as JSON, where they are told how it changes.
    views: Vec<(Viewer, Arc<str>)>,
}

impl StateDigest {
    /// A table with these subscribers, of which some views may be known.
    pub fn of(state: &State, subscribers: impl Iterator<Item = Subscription>, known: &mut ViewCache) -> Self {
        let mut views: Vec<(Viewer, Arc<str>)> = Vec::new();
        let hidden = hidden(state);
        for subscriber in subscribers.filter(|subscriber| hidden || subscriber.full) {
            let viewer = viewer(state.status, &state.seats, subscriber.user, subscriber.eyes);
            if !views.iter().any(|(known, _)| *known == viewer) {
                views.push((viewer, known.view(state, viewer)));
            }
        }
        Self {
            version: state.version,
            ply: state.game.ply(),
            status: state.status,
            seats: state.seats.clone(),
            clocks: state.clocks,
            draw_offer: state.draw_offer,
            undo: state.undo.clone(),
            ended: state.ending.is_some(),
            moved_on: state.rematch.is_some(),
            kept: kept(state),
            views,
        }
    }

    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn without_views(self) -> Self {
        Self { views: Vec::new(), ..self }
    }

    /// Looks up what a subscriber saw then, at the table as it stands now. None of the actions of then was taken back since.
    pub(crate) fn look_back(&mut self, now: &State, subscriber: Subscription) {
        if !hidden(now) && !subscriber.full {
            return;
        }
        let saw = viewer(self.status, &self.seats, subscriber.user, subscriber.eyes);
        let back = now.game.ply().saturating_sub(self.ply) as u64;
        let view = if back == 0 {
            now.game.view_json(saw)
        } else {
            let mut then = now.game.boxed_clone();
            then.undo(back).expect("so many actions were made since");
            then.view_json(saw)
        };
        self.views = vec![(saw, view.into())];
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
    pub fn is_listed_differently(&self, state: &State) -> bool {
        self.status != state.status || self.seats != state.seats || self.kept != kept(state)
    }
}

fn kept(state: &State) -> usize {
    state.setup.seats.iter().filter(|plan| plan.player().is_some()).count()
}

/// Who saw and who sees the table, and what else decides what is sent.
type Key = (Viewer, Viewer, bool, Option<Seat>, Option<Seat>);

/// Makes the messages about what happened since a moment, as `T` once for all subscribers that get the same.
#[derive(Debug)]
pub struct UpdateBuilder<'a, T> {
    before: &'a StateDigest,
    state: &'a State,
    at: Millis,
    events: &'a [Event],
    /// For viewers who are not here, the actions are the last ones of the game's log.
    texts: Texts,
    made: Vec<(Key, T)>,
    /// What viewers see now.
    views: ViewCache,
}

impl<'a, T: Clone> UpdateBuilder<'a, T> {
    /// Of events that the state has just taken, none of which takes back an action of the others.
    pub fn just_now(before: &'a StateDigest, state: &'a State, at: Millis, events: &'a [Event]) -> Self {
        Self { before, state, at, events, texts: Texts::new(), made: Vec::new(), views: ViewCache::default() }
    }

    /// Of lines that the state has taken at any time.
    pub fn later(before: &'a StateDigest, state: &'a State, applied: &'a AppliedEvents) -> Self {
        let AppliedEvents { at, events, texts } = applied;
        Self { before, state, at: *at, events, texts: texts.clone(), made: Vec::new(), views: ViewCache::default() }
    }

    /// The message for somebody who followed the table like this, and goes on like that.
    pub fn to(&mut self, was: Subscription, is: Subscription, write: impl FnOnce(Message) -> T) -> T {
        let (before, state) = (self.before, self.state);
        let saw = viewer(before.status, &before.seats, was.user, was.eyes);
        let sees = viewer(state.status, &state.seats, is.user, is.eyes);
        // Where nothing is hidden all get the same, unless something changes for one of them alone.
        let alike = !hidden(state) && !is.full && saw == sees;
        let (saw, sees) = if alike { (Viewer::Spectator, Viewer::Spectator) } else { (saw, sees) };
        let key = (saw, sees, is.full, was.hand_over, is.hand_over);
        if let Some((_, made)) = self.made.iter().find(|(known, _)| *known == key) {
            return made.clone();
        }
        let finished = |status: Status| status == Status::Finished;
        let message = if hidden(state) && finished(before.status) != finished(state.status) {
            // Now everything is open, also what was hidden when it happened, or nothing is any more.
            let position = shown(state, state.game.as_ref(), sees);
            Message::Snapshot(Box::new(assemble(state, sees, position, is.hand_over)))
        } else {
            Message::Update(Box::new(self.update(saw, sees, was, is)))
        };
        let made = write(message);
        self.made.push((key, made.clone()));
        made
    }

    /// What the subscribers see now, for the next change.
    pub fn into_views(self) -> ViewCache {
        self.views
    }

    fn update(&mut self, saw: Viewer, sees: Viewer, was: Subscription, is: Subscription) -> Update {
        let (before, state) = (self.before, self.state);
        let told = hidden(state) || is.full;
        let view = before.views.iter().find(|(viewer, _)| told && *viewer == saw);
        let view = view.map(|(_, old)| diff(old, &self.views.view(state, sees)));
        Update {
            table: state.id.clone(),
            from: before.version,
            version: state.version,
            at: self.at,
            events: self.events_for(sees),
            turn: state.game.turn().into(),
            scores: state.game.scores(),
            offers: offers(state, sees).filter(|_| told),
            view,
            viewer: seat_of(sees).filter(|_| saw != sees),
            hand_over: (was.hand_over != is.hand_over).then(|| is.hand_over.map(Seat::number)),
            status: (before.status != state.status).then_some(state.status),
            seats: (before.seats != state.seats).then(|| state.seats.to_vec()),
            clocks: state.clocks.face(state.game.seats()).filter(|_| before.clocks != state.clocks),
            draw_offer: (before.draw_offer != state.draw_offer).then(|| state.draw_offer.map(Seat::number)),
            undo: (before.undo != state.undo).then(|| state.undo.clone()),
            ending: (before.ended != state.ending.is_some()).then(|| state.ending.clone()),
            rematch: state.rematch.clone().filter(|_| !before.moved_on),
        }
    }

    /// The events as a viewer may read them.
    fn events_for(&self, viewer: Viewer) -> Vec<Event> {
        // How the table was set up is told in a snapshot, and the invitation to nobody but the host.
        // How far away somebody sits is nobody's business either.
        let events = self.events.iter().filter(|event| !matches!(event, Event::Created { .. })).map(Event::without_lag);
        if !hidden(self.state) {
            return events.collect();
        }
        let texts = self.texts.get(&viewer).cloned().unwrap_or_else(|| {
            let acted = self.events.iter().filter(|event| matches!(event, Event::Acted { .. })).count();
            last_texts(self.state, acted, viewer)
        });
        let mut texts = texts.into_iter();
        let events = events.filter_map(|event| match event {
            Event::Acted { seat, .. } => Some(Event::Acted { seat, action: texts.next()?, lag: None }),
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
#[derive(Debug)]
pub struct AppliedEvents {
    at: Millis,
    events: Vec<Event>,
    texts: Texts,
}

impl AppliedEvents {
    pub(crate) fn at(&self) -> Millis {
        self.at
    }

    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }
}

/// Takes lines one after the other. What each viewer reads instead of their actions is kept, because actions that are taken
/// back are no longer in the game's log.
pub fn apply_entries(state: &mut State, entries: &[Entry]) -> Result<AppliedEvents, Corrupt> {
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
    Ok(AppliedEvents { at: entries.last().map_or(state.created, |entry| entry.at), events, texts })
}

/// The message for a subscriber who has missed what a log says from a version on.
pub fn missed(
    games: &'static [&'static dyn GameKind],
    table: &TableId,
    log: &[Entry],
    since: u64,
    subscription: Subscription,
) -> Result<Message, Corrupt> {
    let (seen, new) = log.split_at(log.len().min(since as usize));
    let mut state = State::replay(games, table.clone(), seen)?;
    let before = StateDigest::of(&state, std::iter::once(subscription), &mut ViewCache::default());
    let applied = apply_entries(&mut state, new)?;
    Ok(UpdateBuilder::later(&before, &state, &applied).to(subscription, subscription, |message| message))
}

/// A table as a subscriber sees it first. Where nothing is hidden and the client has rules of its own, it works out by itself
/// what it may do: the hundreds of actions of some games would be most of the message.
pub fn first_snapshot(state: &State, subscriber: Subscription) -> Snapshot {
    if hidden(state) || subscriber.full {
        return snapshot(state, subscriber);
    }
    with_invitation(state, subscriber, state.game.position(Viewer::Spectator))
}

/// A table as somebody may see it, with all that they may do.
pub fn snapshot(state: &State, subscriber: Subscription) -> Snapshot {
    let sees = viewer(state.status, &state.seats, subscriber.user, subscriber.eyes);
    with_invitation(state, subscriber, shown(state, state.game.as_ref(), sees))
}

fn with_invitation(state: &State, subscriber: Subscription, position: Position) -> Snapshot {
    let Subscription { user, eyes, hand_over, .. } = subscriber;
    let sees = viewer(state.status, &state.seats, user, eyes);
    let invitation = (user == Some(state.host)).then(|| state.invitation.clone());
    Snapshot { invitation, ..assemble(state, sees, position, hand_over) }
}

fn assemble(state: &State, sees: Viewer, position: Position, hand_over: Option<Seat>) -> Snapshot {
    Snapshot {
        table: state.id.clone(),
        setup: state.setup.clone(),
        host: state.host,
        invitation: None,
        viewer: seat_of(sees),
        hand_over: hand_over.map(Seat::number),
        log: state.game.log(sees),
        position,
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

/// The position after so many actions as somebody may see it, if so many were made.
pub fn position_at(state: &State, subscriber: Subscription, ply: usize) -> Option<Position> {
    let viewer = viewer(state.status, &state.seats, subscriber.user, subscriber.eyes);
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
    position.actions = match viewer {
        Viewer::Seat(seat) if state.status == Status::Playing && !state.is_engine(seat) => {
            let offered = |action| ActionJson { seat: Some(seat.number()), action, weight: None };
            game.offers(seat).into_iter().map(offered).collect()
        }
        _ => Vec::new(),
    };
    position
}

/// What may be offered to a viewer; nothing where a seat is not theirs to play.
fn offers(state: &State, viewer: Viewer) -> Option<Vec<String>> {
    let seat = match viewer {
        Viewer::Seat(seat) => seat,
        Viewer::Spectator | Viewer::Everything => return None,
    };
    let plays = state.status == Status::Playing && !state.is_engine(seat);
    Some(if plays { state.game.offers(seat) } else { Vec::new() })
}

fn seat_of(viewer: Viewer) -> Option<u8> {
    match viewer {
        Viewer::Seat(seat) => Some(seat.number()),
        Viewer::Spectator | Viewer::Everything => None,
    }
}
