//! Tables of one process: requests of connections in, messages for connections and jobs for engines out.
//!
//! A host has no storage, no thread and no time of its own. Its caller gives the moment and the randomness with every call,
//! passes on the [`Effect`]s, and calls [`Host::tick`] when [`Host::deadline`] has come.

use std::collections::BTreeMap;

use quincunx_core::{GameKind, Record, Seat};
use rand::Rng;

use crate::protocol::{Message, PROTOCOL, Request as Asked};
use crate::{
    Answer, Command, ConnectionId, Decision, Effect, Entry, Found, Job, Millis, Person, Refusal, Request, SeatPlan,
    Setup, State, StateDigest, Status, Subscription, TableId, UpdateBuilder, ViewCache, first_snapshot, missed,
    position_at,
};

/// Tables, and the connections that play and watch there.
#[derive(Debug)]
pub struct Host {
    games: &'static [&'static dyn GameKind],
    tables: BTreeMap<TableId, Live>,
    connections: BTreeMap<ConnectionId, Option<Person>>,
    last: u64,
}

/// A table with its subscribers.
#[derive(Debug)]
struct Live {
    state: State,
    log: Vec<Entry>,
    subscribers: Vec<(ConnectionId, Subscription)>,
    views: ViewCache,
    /// The version about which an engine was asked last.
    asked: Option<u64>,
}

/// How a request ended: with the message that answers it.
type Answered = Result<Message, Refusal>;

impl Host {
    pub fn new(games: &'static [&'static dyn GameKind]) -> Self {
        Self { games, tables: BTreeMap::new(), connections: BTreeMap::new(), last: 0 }
    }

    /// Somebody connects; the first message greets them.
    pub fn connect(&mut self, person: Option<Person>, now: Millis) -> (ConnectionId, Message) {
        self.last += 1;
        let id = ConnectionId(self.last);
        self.connections.insert(id, person.clone());
        (id, Message::Welcome { protocol: PROTOCOL, user: person, now })
    }

    pub fn disconnect(&mut self, connection: ConnectionId, now: Millis) -> Vec<Effect> {
        self.connections.remove(&connection);
        let tables: Vec<TableId> = self.tables.keys().cloned().collect();
        tables.iter().flat_map(|table| self.unwatch(connection, table, now)).collect()
    }

    /// A table in this host.
    pub fn state(&self, table: &TableId) -> Option<&State> {
        self.tables.get(table).map(|live| &live.state)
    }

    /// When the next clock runs out.
    pub fn deadline(&self) -> Option<Millis> {
        self.tables.values().filter_map(|live| live.state.clocks.deadline()).map(|(_, at)| at).min()
    }

    /// Time has passed: lets flags fall.
    pub fn tick(&mut self, now: Millis, rng: &mut dyn Rng) -> Vec<Effect> {
        let is_due = |live: &Live| live.state.clocks.deadline().is_some_and(|(_, deadline)| deadline <= now);
        let due: Vec<TableId> =
            self.tables.iter().filter(|(_, live)| is_due(live)).map(|(table, _)| table.clone()).collect();
        let mut effects = Vec::new();
        for table in due {
            let fell = self.change(&table, now, rng, &mut effects, |state, _| Ok(state.fell(now)));
            debug_assert!(fell.is_ok(), "the table is there, and nobody refuses a flag");
        }
        effects
    }

    /// Carries out a request; the answer comes last.
    pub fn handle(&mut self, from: ConnectionId, request: Asked, now: Millis, rng: &mut dyn Rng) -> Vec<Effect> {
        let mut effects = Vec::new();
        let id = request.id().to_owned();
        let answer = match self.carry_out(from, request, now, rng, &mut effects) {
            Ok(message) => message,
            Err(refusal) => {
                let (code, reason) = (refusal.code(), refusal.to_string());
                Message::Refused { id: Some(id), code, reason, why: Some(refusal.into()) }
            }
        };
        effects.push(Effect::Send { to: from, message: answer });
        effects
    }

    fn carry_out(
        &mut self,
        from: ConnectionId,
        request: Asked,
        now: Millis,
        rng: &mut dyn Rng,
        effects: &mut Vec<Effect>,
    ) -> Answered {
        let done = |id| Message::Done { id, version: None, table: None };
        match request {
            Asked::Watch { id, table, invitation, since, full, .. } => {
                let version = self.watch(from, &table, invitation.as_deref(), since, full, effects)?;
                self.ask_engines(&table, effects);
                Ok(Message::Done { id, version: Some(version), table: None })
            }
            Asked::Unwatch { id, table } => {
                effects.extend(self.unwatch(from, &table, now));
                Ok(done(id))
            }
            Asked::Command { id, table, seat, command } => {
                let person = self.person(from)?;
                let request = Request { person: &person, seat, command: Some(&id), at: now };
                if command == Command::Rematch {
                    let next = self.rematch(&table, request, rng, effects)?;
                    let version = self.live(&table)?.state.version;
                    return Ok(Message::Done { id, version: Some(version), table: Some(next) });
                }
                let decide = |state: &mut State, rng: &mut dyn Rng| {
                    if state.has_done(request.person.id, &id) {
                        return Ok(Decision::default());
                    }
                    state.decide(&command, request, rng)
                };
                let version = self.change(&table, now, rng, effects, decide)?;
                Ok(Message::Done { id: id.clone(), version: Some(version), table: None })
            }
            Asked::Look { id, table, seat } => {
                self.look(from, &table, seat, effects)?;
                Ok(done(id))
            }
            Asked::Position { id, table, ply } => {
                let subscriber = self.subscription(from, &table);
                let state = &self.live(&table)?.state;
                let position =
                    position_at(state, subscriber, ply).ok_or(Refusal::NoSuchPly { made: state.game.ply() })?;
                Ok(Message::Position { id, position: Box::new(position) })
            }
            Asked::Check { id, table, seat, action } => {
                let person = self.person(from)?;
                let request = Request { person: &person, seat, command: None, at: now };
                self.live(&table)?.state.check(&action, request)?;
                Ok(done(id))
            }
            Asked::Create { id, setup } => {
                let person = self.person(from)?;
                let table = TableId::following_from(&["create", &person.id.0.to_string(), &id]);
                let request = Request { person: &person, seat: None, command: Some(&id), at: now };
                self.create(&table, *setup, request, rng, effects)?;
                Ok(Message::Done { id, version: None, table: Some(table) })
            }
            Asked::Open { id, table, record, seats } => {
                let person = self.person(from)?;
                let request = Request { person: &person, seat: None, command: None, at: now };
                self.open(&table, &record, seats, request, rng, effects)?;
                Ok(Message::Done { id, version: None, table: Some(table) })
            }
            Asked::Say { .. } => Err(Refusal::NobodyToTalkTo),
            Asked::WatchLobby { id } | Asked::UnwatchLobby { id } | Asked::Ping { id } => Ok(done(id)),
        }
    }

    /// Takes what an engine has found. A thought about another position is worth nothing.
    pub fn answer(&mut self, answer: &Answer, now: Millis, rng: &mut dyn Rng) -> Vec<Effect> {
        let mut effects = Vec::new();
        let decide = |state: &mut State, rng: &mut dyn Rng| {
            if state.version != answer.version || state.status != Status::Playing {
                return Ok(Decision::default());
            }
            let seat_of =
                |seat: u8| Seat::at_table(seat.into(), state.game.seats()).ok_or(Refusal::NoSuchSeat { seat });
            match &answer.found {
                Found::Act { seat, action } => {
                    let seat = seat_of(*seat)?;
                    if state.is_engine(seat) {
                        state.engine_acts(seat, action, now, rng)
                    } else {
                        Ok(Decision::default())
                    }
                }
                Found::Failed { seat } => {
                    let seat = seat_of(*seat)?;
                    Ok(state.replace_engine(seat, now))
                }
                Found::Wait | Found::Progress { .. } | Found::Analysis { .. } => Ok(Decision::default()),
            }
        };
        let taken = self.change(&answer.table, now, rng, &mut effects, decide);
        if let (Err(Refusal::Illegal { .. }), Found::Act { seat, .. }) = (taken, &answer.found) {
            // A program that breaks the rules cannot play on.
            let failed = Answer { found: Found::Failed { seat: *seat }, ..answer.clone() };
            effects.extend(self.answer(&failed, now, rng));
        }
        effects
    }

    fn live(&self, table: &TableId) -> Result<&Live, Refusal> {
        self.tables.get(table).ok_or(Refusal::NoSuchTable)
    }

    fn person(&self, connection: ConnectionId) -> Result<Person, Refusal> {
        self.connections.get(&connection).cloned().flatten().ok_or(Refusal::NotAPlayer)
    }

    fn subscription(&self, connection: ConnectionId, table: &TableId) -> Subscription {
        let subscribers = self.tables.get(table).map_or(&[][..], |live| &live.subscribers);
        let known = subscribers.iter().find(|(id, _)| *id == connection).map(|(_, subscription)| *subscription);
        let user = self.connections.get(&connection).and_then(Option::as_ref).map(|person| person.id);
        known.unwrap_or_else(|| Subscription::of(user))
    }

    fn watch(
        &mut self,
        connection: ConnectionId,
        table: &TableId,
        invitation: Option<&str>,
        since: Option<u64>,
        full: bool,
        effects: &mut Vec<Effect>,
    ) -> Result<u64, Refusal> {
        let mut subscription = Subscription { full, ..self.subscription(connection, table) };
        let games = self.games;
        let live = self.tables.get_mut(table).ok_or(Refusal::NoSuchTable)?;
        let state = &live.state;
        if !state.welcomes(subscription.user, invitation) {
            return Err(Refusal::NoSuchTable);
        }
        subscription.follow(state);
        let message = match since {
            Some(since) if since == state.version => None,
            Some(since) if since > 0 && since < state.version => {
                let missed = missed(games, table, &live.log, since, subscription);
                Some(missed.unwrap_or_else(|_| greeting(state, subscription)))
            }
            _ => Some(greeting(state, subscription)),
        };
        let version = state.version;
        live.subscribers.retain(|(id, _)| *id != connection);
        live.subscribers.push((connection, subscription));
        effects.extend(message.map(|message| Effect::Send { to: connection, message }));
        Ok(version)
    }

    /// A table that nobody watches any more leaves the host: it is kept elsewhere.
    fn unwatch(&mut self, connection: ConnectionId, table: &TableId, now: Millis) -> Vec<Effect> {
        let Some(live) = self.tables.get_mut(table) else { return Vec::new() };
        let before = live.subscribers.len();
        live.subscribers.retain(|(id, _)| *id != connection);
        if live.subscribers.len() == before || !live.subscribers.is_empty() {
            return Vec::new();
        }
        let mut effects = vec![Effect::Halt(table.clone())];
        effects.extend(keep(&live.state, now));
        self.tables.remove(table);
        effects
    }

    /// The player of a seat has come to a screen that several share.
    fn look(
        &mut self,
        connection: ConnectionId,
        table: &TableId,
        seat: u8,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        let live = self.tables.get_mut(table).ok_or(Refusal::NoSuchTable)?;
        let subscriber = live.subscribers.iter_mut().find(|(id, _)| *id == connection);
        let (_, subscription) = subscriber.ok_or(Refusal::NoSuchTable)?;
        let user = subscription.user.ok_or(Refusal::NotAPlayer)?;
        let own = live.state.seats_of(user).find(|own| own.number() == seat).ok_or(Refusal::NotYourSeat { seat })?;
        (subscription.eyes, subscription.hand_over) = (Some(own), None);
        effects.push(Effect::Send { to: connection, message: greeting(&live.state, *subscription) });
        Ok(())
    }

    fn create(
        &mut self,
        table: &TableId,
        setup: Setup,
        request: Request<'_>,
        rng: &mut dyn Rng,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        if self.tables.contains_key(table) {
            return Ok(());
        }
        let invitation = TableId::random(rng).0;
        let (state, log) = State::create(self.games, table.clone(), setup, invitation, request, rng)?;
        self.insert(state, log, request.at, effects);
        Ok(())
    }

    /// Goes on with a kept game. One that is open here already goes on as it is.
    fn open(
        &mut self,
        table: &TableId,
        record: &str,
        seats: Option<Vec<SeatPlan>>,
        request: Request<'_>,
        rng: &mut dyn Rng,
        effects: &mut Vec<Effect>,
    ) -> Result<(), Refusal> {
        if self.tables.contains_key(table) {
            return Ok(());
        }
        let record = Record::parse(record)?;
        let (mut state, mut log) = State::resume(self.games, table.clone(), &record, seats, request)?;
        // A game that was interrupted while something was to be drawn goes on with the draw.
        log.extend(state.draw(request.at, rng).entries);
        self.insert(state, log, request.at, effects);
        Ok(())
    }

    fn insert(&mut self, state: State, log: Vec<Entry>, now: Millis, effects: &mut Vec<Effect>) {
        let table = state.id.clone();
        effects.extend(keep(&state, now));
        self.tables.insert(
            table.clone(),
            Live { state, log, subscribers: Vec::new(), views: ViewCache::default(), asked: None },
        );
        self.ask_engines(&table, effects);
    }

    /// Sets up the table at which those who played here play again, unless one of them has done so before, and seats the
    /// person who asks.
    fn rematch(
        &mut self,
        played: &TableId,
        request: Request<'_>,
        rng: &mut dyn Rng,
        effects: &mut Vec<Effect>,
    ) -> Result<TableId, Refusal> {
        let (table, setup) = self.live(played)?.state.next_table(request.person.id)?;
        self.create(&table, setup, Request { command: None, ..request }, rng, effects)?;
        self.change(&table, request.at, rng, effects, |state, rng| state.take_kept_seat(request, rng))?;
        // Now that it is there, the others may hear of it.
        self.change(played, request.at, rng, effects, |state, rng| state.decide(&Command::Rematch, request, rng))?;
        Ok(table)
    }

    /// Changes a table, and tells its subscribers; gives the version that it has now.
    fn change(
        &mut self,
        table: &TableId,
        now: Millis,
        rng: &mut dyn Rng,
        effects: &mut Vec<Effect>,
        decide: impl FnOnce(&mut State, &mut dyn Rng) -> Result<Decision, Refusal>,
    ) -> Result<u64, Refusal> {
        let live = self.tables.get_mut(table).ok_or(Refusal::NoSuchTable)?;
        let subscriptions = live.subscribers.iter().map(|(_, subscription)| *subscription);
        let before = StateDigest::of(&live.state, subscriptions, &mut live.views);
        let Decision { entries, events } = decide(&mut live.state, rng)?;
        if entries.is_empty() {
            return Ok(live.state.version);
        }
        live.log.extend(entries);
        let mut updates = UpdateBuilder::just_now(&before, &live.state, now, &events);
        for (to, subscription) in &mut live.subscribers {
            let was = *subscription;
            subscription.follow(&live.state);
            effects.push(Effect::Send { to: *to, message: updates.to(was, *subscription, |message| message) });
        }
        live.views = updates.into_views();
        effects.extend(keep(&live.state, now));
        let version = live.state.version;
        self.ask_engines(table, effects);
        Ok(version)
    }

    /// Asks the engines of a table, if it is for them to act and they were not asked about this position.
    fn ask_engines(&mut self, table: &TableId, effects: &mut Vec<Effect>) {
        let Some(live) = self.tables.get_mut(table) else { return };
        if live.asked == Some(live.state.version) {
            return;
        }
        let asked = live.asked.take().is_some();
        if let Some(job) = Job::to_move(&live.state) {
            live.asked = Some(live.state.version);
            effects.push(Effect::Think(Box::new(job)));
        } else if asked {
            effects.push(Effect::Halt(table.clone()));
        }
    }
}

fn greeting(state: &State, subscription: Subscription) -> Message {
    Message::Snapshot(Box::new(first_snapshot(state, subscription)))
}

fn keep(state: &State, now: Millis) -> Option<Effect> {
    let record = state.record(now)?.to_text();
    let ended = state.status == Status::Finished;
    Some(Effect::Keep { table: state.id.clone(), record, seats: state.seat_plans(), ended })
}
