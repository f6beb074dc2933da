//! The live connection: one WebSocket a client, for any number of tables.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use futures_util::SinkExt;
use quincunx_table::protocol::{Message, PROTOCOL, Refused, Request};
use quincunx_table::{
    Command, Person, Refusal, Request as Asked, State as TableState, Subscription, TableId, position_at,
};
use serde::Deserialize;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

use super::guard::{ClientAddress, Visitor};
use super::lag::Lag;
use super::session::Who;
use super::tables::{check_id, check_pace, check_talk, create_table};
use super::{Answer, App, Problem};
use crate::hub::{Arrival, CommandError, Inbox, Outbox, Watch};
use crate::metrics::Counted;

/// Thousands of connections are idle most of the time: their buffers are small, and grow for who needs more.
const BUFFER: usize = 1024;
/// How often a silent client is asked whether it is there, and after how long it is taken for gone.
const ASKED: Duration = Duration::from_secs(30);
const SILENT: Duration = Duration::from_secs(75);
/// At each so many of these times it is looked up whether the session still lasts: somebody may have been banned.
const PROVEN_AGAIN: u32 = 4;
/// How many messages that cannot be read are answered before the connection is closed.
const MALFORMED: u32 = 20;

/// Opens the live connection. What is said over it stands in the documentation of the live connection.
pub async fn connect(
    State(app): State<App>,
    Extension(ClientAddress(from)): Extension<ClientAddress>,
    who: Option<Who>,
    upgrade: WebSocketUpgrade,
) -> Answer<Response> {
    let too_many = || Problem::rate_limited("there are too many live connections from this address", 60_000);
    let visitor = app.live.enter(from).ok_or_else(too_many)?;
    let person = who.as_ref().map(Who::person);
    let token = who.map(|who| who.token.into_boxed_str());
    let muted = app.hub.muted(person.as_ref().map(|person| person.id)).await?;
    let (outbox, inbox) = Outbox::new(person, false, muted);
    let longest = app.config.limits.message;
    let response = upgrade
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER)
        .max_write_buffer_size(1 << 20)
        .max_message_size(longest)
        .max_frame_size(longest)
        .on_upgrade(move |socket| {
            let connection = Connection {
                pace: Pace::new(app.config.limits.messages_per_second),
                app,
                socket,
                outbox,
                inbox,
                token,
                from,
                watched: HashMap::new(),
                malformed: 0,
                lag: Lag::default(),
                _visitor: visitor,
                _counted: Counted::connection(),
            };
            connection.run()
        });
    Ok(response)
}

/// A connection while it lasts.
struct Connection {
    app: App,
    socket: WebSocket,
    outbox: Outbox,
    inbox: Inbox,
    /// By which the client has proven who it is.
    token: Option<Box<str>>,
    /// The client's address.
    from: IpAddr,
    watched: HashMap<TableId, Watched>,
    malformed: u32,
    lag: Lag,
    pace: Pace,
    _visitor: Visitor,
    _counted: Counted,
}

/// A table that the client watches.
struct Watched {
    /// By which it may.
    invitation: Option<Box<str>>,
    _counted: Counted,
}

/// Why a connection ends.
enum End {
    /// The client has gone, or cannot be reached.
    Gone,
    /// It is sent away, with a code of the WebSocket protocol and a reason.
    Sent(u16, &'static str),
}

impl Connection {
    async fn run(mut self) {
        let end = self.serve().await;
        self.app.hub.leave(&self.outbox, self.watched.keys());
        if let End::Sent(code, reason) = end {
            let close = Frame::Close(Some(CloseFrame { code, reason: reason.into() }));
            // Whoever does not listen any more cannot be told.
            let _ = timeout(self.patience(), self.socket.send(close)).await;
        }
    }

    async fn serve(&mut self) -> End {
        let user = self.outbox.person().cloned();
        self.outbox.tell(&Message::Welcome { protocol: PROTOCOL, user, now: self.app.hub.now() });
        if self.app.hub.enter(&self.outbox).await.is_err() {
            return End::Sent(close_code::AGAIN, "the server has a problem of its own");
        }
        let closing = self.inbox.closing();
        tokio::pin!(closing);
        let stopped = self.app.stopped();
        tokio::pin!(stopped);
        let mut ticks = interval(ASKED);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = Instant::now();
        let mut ticked = 0_u32;
        loop {
            tokio::select! {
                biased;
                () = &mut closing => return End::Sent(close_code::AGAIN, "connect again to go on"),
                () = &mut stopped => {
                    // Behind the answers that still wait: what is done is acknowledged.
                    let reason = "the server stops; it will be back in a moment".to_owned();
                    self.outbox.tell(&Message::Closing { reason });
                    if let Some(text) = self.inbox.ready() {
                        self.write(text).await;
                    }
                    return End::Sent(close_code::RESTART, "the server stops");
                }
                Some(text) = self.inbox.next() => {
                    if !self.write(text).await {
                        return End::Gone;
                    }
                }
                frame = self.socket.recv(), if self.pace.allows() => {
                    heard = Instant::now();
                    match frame {
                        Some(Ok(Frame::Text(text))) => {
                            let arrival = Arrival { at: self.app.hub.now(), lag: self.lag.millis() };
                            if let Err(end) = self.hear(&text, arrival).await {
                                return end;
                            }
                            // Who does something is worth knowing better.
                            if self.lag.is_due(Instant::now())
                                && let Err(end) = Box::pin(self.ping()).await
                            {
                                return end;
                            }
                        }
                        Some(Ok(Frame::Binary(_))) => return End::Sent(close_code::UNSUPPORTED, "messages are text"),
                        Some(Ok(Frame::Ping(_))) => self.pace.count(),
                        Some(Ok(Frame::Pong(said))) => {
                            self.pace.count();
                            self.lag.hear(&said, heard);
                        }
                        Some(Ok(Frame::Close(_))) | None => return End::Gone,
                        Some(Err(error)) => return refused(&error),
                    }
                }
                () = sleep_until(self.pace.resumes()), if !self.pace.allows() => {}
                _ = ticks.tick() => {
                    ticked += 1;
                    // In a box of its own, so that a connection that only listens stays small.
                    if let Err(end) = Box::pin(self.check(ticked, heard.elapsed())).await {
                        return end;
                    }
                }
            }
        }
    }

    /// Looks now and then whether the client is there, and still the one that it has proven to be.
    async fn check(&mut self, time: u32, silent: Duration) -> Result<(), End> {
        if time.is_multiple_of(PROVEN_AGAIN) && !self.app.still_proves(self.token.as_deref()).await {
            return Err(End::Sent(close_code::POLICY, "this session has ended"));
        }
        if silent > SILENT {
            return Err(End::Sent(close_code::AWAY, "nothing was heard for long"));
        }
        if silent > ASKED / 2 { self.ping().await } else { Ok(()) }
    }

    /// Asks whether the client is there, and how far away.
    async fn ping(&mut self) -> Result<(), End> {
        let ping = Frame::Ping(self.lag.ask(Instant::now()));
        match timeout(self.patience(), self.socket.send(ping)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(End::Gone),
        }
    }

    /// How long the client may take to accept what is written.
    fn patience(&self) -> Duration {
        self.app.config.limits.patience
    }

    /// Writes a message, and all that wait behind it, in one go. Gives whether the client takes them.
    async fn write(&mut self, text: Utf8Bytes) -> bool {
        let patience = self.patience();
        let Self { socket, inbox, .. } = self;
        let writing = async {
            socket.feed(Frame::Text(text)).await?;
            while let Some(text) = inbox.ready() {
                socket.feed(Frame::Text(text)).await?;
            }
            socket.flush().await
        };
        matches!(timeout(patience, writing).await, Ok(Ok(())))
    }

    /// Answers a message of the client. Meanwhile others may have something to tell.
    async fn hear(&mut self, text: &str, arrival: Arrival) -> Result<(), End> {
        self.pace.count();
        let request = match serde_json::from_str::<Request>(text) {
            Ok(request) => request,
            Err(why) => {
                self.malformed += 1;
                if self.malformed > MALFORMED {
                    return Err(End::Sent(close_code::POLICY, "too many messages that cannot be read"));
                }
                let reason = format!("this message cannot be read: {why}");
                self.outbox.tell(&Message::Refused { id: id_of(text), code: Refused::Malformed, reason, why: None });
                return Ok(());
            }
        };
        let patience = self.patience();
        // In a box of its own, so that a connection that only listens stays small.
        let mut cost = 0;
        let answered = answer(&self.app, &self.outbox, self.from, arrival, &mut self.watched, &mut cost, request);
        let mut answered = Box::pin(answered);
        loop {
            tokio::select! {
                biased;
                message = &mut answered => {
                    drop(answered);
                    self.outbox.tell(&message);
                    self.pace.count_more(cost);
                    return Ok(());
                }
                Some(text) = self.inbox.next() => {
                    let sent = timeout(patience, self.socket.send(Frame::Text(text))).await;
                    if !matches!(sent, Ok(Ok(()))) {
                        // What was asked is done to its end, also if nobody hears the answer.
                        answered.await;
                        return Err(End::Gone);
                    }
                }
            }
        }
    }
}

/// Carries out a request. `cost` is what it takes beyond what a message costs anyway, in such messages.
async fn answer(
    app: &App,
    outbox: &Outbox,
    from: IpAddr,
    arrival: Arrival,
    watched: &mut HashMap<TableId, Watched>,
    cost: &mut u32,
    request: Request,
) -> Message {
    let id = request.id().to_owned();
    carry_out(app, outbox, from, arrival, watched, cost, request)
        .await
        .unwrap_or_else(|Problem { code, reason, why, .. }| Message::Refused { id: Some(id), code, reason, why })
}

async fn carry_out(
    app: &App,
    outbox: &Outbox,
    from: IpAddr,
    arrival: Arrival,
    watched: &mut HashMap<TableId, Watched>,
    cost: &mut u32,
    request: Request,
) -> Answer<Message> {
    check_id(Some(request.id()))?;
    let done = |id| Message::Done { id, version: None, table: None };
    let invitation_to = |watched: &HashMap<TableId, Watched>, table: &TableId| {
        watched.get(table).and_then(|watched| watched.invitation.as_deref()).map(str::to_owned)
    };
    match request {
        Request::Watch { id, table, invitation, since, heard, full } => {
            let most = app.config.limits.watched;
            if watched.len() >= most && !watched.contains_key(&table) {
                return Err(Problem::new(Refused::RateLimited, format!("a connection watches at most {most} tables")));
            }
            let how = Watch { invitation: invitation.as_deref(), since, heard, full };
            let watching = app.hub.watch(&table, outbox, how).await?;
            *cost = watching.cost;
            let invitation = invitation.map(String::into_boxed_str);
            watched.insert(table, Watched { invitation, _counted: Counted::watched() });
            Ok(Message::Done { id, version: Some(watching.version), table: None })
        }
        Request::Unwatch { id, table } => {
            app.hub.unwatch(&table, outbox);
            watched.remove(&table);
            Ok(done(id))
        }
        Request::Command { id, table, seat, mut command } => {
            if let Command::Sit { invitation: invitation @ None, .. } = &mut command {
                // A person who watches by an invitation takes a seat by it.
                *invitation = invitation_to(watched, &table);
            }
            let person = person(outbox)?;
            let _held = check_pace(app, person, &table, &command).await?;
            app.hub.note_caller(person, from);
            let carried = app.hub.command_from(arrival, &table, person, seat, &command, Some(&id)).await?;
            Ok(Message::Done { id, version: Some(carried.version), table: carried.table })
        }
        Request::Position { id, table, ply } => {
            let (user, invitation) = (outbox.user(), invitation_to(watched, &table));
            let look = |state: &TableState| {
                let too_far = Refusal::NoSuchPly { made: state.game.ply() };
                // The whole game is copied, and some of it played again.
                *cost = (state.game.ply() / 500) as u32;
                position_at(state, Subscription::of(user), ply).ok_or(CommandError::from(too_far))
            };
            let position = app.hub.look_aside(&table, user, invitation.as_deref(), look).await??;
            Ok(Message::Position { id, position: Box::new(position) })
        }
        Request::Check { id, table, seat, action } => {
            let (person, invitation) = (person(outbox)?, invitation_to(watched, &table));
            let asked = Asked { person, seat, command: None, at: arrival.at };
            let look = |state: &TableState| state.check(&action, asked).map_err(CommandError::from);
            app.hub.look(&table, Some(person.id), invitation.as_deref(), look).await??;
            Ok(done(id))
        }
        Request::Create { id, setup } => {
            let created = create_table(app, from, person(outbox)?.clone(), *setup, Some(id.clone())).await?;
            Ok(Message::Done { id, version: None, table: Some(created.table) })
        }
        Request::Look { .. } => Err(Problem::new(Refused::NotAllowed, "everybody here has a screen of their own")),
        Request::Open { .. } => {
            Err(Problem::new(Refused::NotAllowed, "games that were kept go on where they were kept"))
        }
        Request::Say { id, table, text } => {
            let person = person(outbox)?;
            check_talk(app, person.id)?;
            app.hub.say(&table, person, invitation_to(watched, &table).as_deref(), &text, &id).await?;
            Ok(done(id))
        }
        Request::WatchLobby { id } => {
            app.hub.watch_lobby(outbox);
            Ok(done(id))
        }
        Request::UnwatchLobby { id } => {
            app.hub.unwatch_lobby(outbox);
            Ok(done(id))
        }
        Request::Ping { id } => Ok(done(id)),
    }
}

fn person(outbox: &Outbox) -> Answer<&Person> {
    outbox.person().ok_or_else(Problem::unauthenticated)
}

/// The id of a message that cannot be read otherwise.
fn id_of(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        id: String,
    }
    serde_json::from_str::<Named>(text).ok().map(|named| named.id).filter(|id| check_id(Some(id)).is_ok())
}

/// How a connection ends on which something came that is against the protocol.
fn refused(error: &axum::Error) -> End {
    let text = error.to_string();
    if text.contains("too long") || text.contains("too big") || text.contains("Space limit") {
        End::Sent(close_code::SIZE, "this message is too long")
    } else if text.contains("utf-8") || text.contains("UTF-8") {
        End::Sent(close_code::INVALID, "messages are UTF-8")
    } else {
        End::Gone
    }
}

/// How fast a client speaks. Who speaks too fast is not heard for a while; nothing is lost, it waits in the network.
struct Pace {
    each: Duration,
    /// Until when the messages heard so far are paid for.
    paid: Instant,
}

impl Pace {
    /// How far ahead a client may be: for bursts.
    const AHEAD: Duration = Duration::from_secs(3);

    fn new(per_second: u32) -> Self {
        Self { each: Duration::from_secs(1) / per_second.max(1), paid: Instant::now() }
    }

    fn count(&mut self) {
        self.paid = self.paid.max(Instant::now()) + self.each;
    }

    /// Counts what a message cost beyond itself, in messages.
    fn count_more(&mut self, messages: u32) {
        self.paid = self.paid.max(Instant::now()) + self.each.saturating_mul(messages);
    }

    fn resumes(&self) -> Instant {
        self.paid.checked_sub(Self::AHEAD).unwrap_or(self.paid)
    }

    fn allows(&self) -> bool {
        self.resumes() <= Instant::now()
    }
}

#[cfg(test)]
mod tests {
    use super::Pace;

    #[test]
    fn who_asks_for_much_is_not_heard_for_a_while() {
        let mut pace = Pace::new(1);
        pace.count();
        pace.count_more(0);
        assert!(pace.allows(), "a message is a message");
        pace.count_more(3_600);
        assert!(!pace.allows(), "an hour is not over yet");
    }
}
