//! The log of a table, folded.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use quincunx_core::{Actor, DynSession, GameKind, Outcome, Seat, Turn, Viewer};
use quincunx_engine::Level;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::protocol::{Listing, Sitting};
use crate::{Clocks, Corrupt, Entry, Event, Millis, SeatPlan, Setup, Status, TableId, UserId};

/// How many commands are remembered, to know a repeated one.
const REMEMBERED: usize = 256;

/// Who sits on a seat of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Seated {
    /// The person or bot; nobody while the seat is open, and where the engine plays from the start.
    pub user: Option<UserId>,
    pub name: Option<String>,
    /// The engine's level, if it plays here: from the start, or because it has taken over.
    pub engine: Option<String>,
    /// Whether the engine has taken over.
    pub taken_over: bool,
}

/// How a game ended: by its rules, or before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ending {
    pub winners: Vec<u8>,
    /// The word of the rules page, or `resigned`, `time`, `agreed`, `left`, `unfinished`.
    pub reason: String,
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        Self { winners: outcome.winners.iter().map(Seat::number).collect(), reason: outcome.reason.to_owned() }
    }
}

/// A wish to take back moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Undo {
    pub seat: u8,
    /// How many actions remain.
    pub ply: u64,
    /// Who has agreed.
    pub granted: Vec<u8>,
}

/// A table as its log tells it.
#[derive(Debug)]
pub struct State {
    pub id: TableId,
    pub host: UserId,
    pub setup: Setup,
    pub invitation: String,
    pub status: Status,
    pub created: Millis,
    /// The number of lines in the log: the number of the next one.
    pub version: u64,
    /// Shared, so that callers that compare them later need not copy them.
    pub seats: Arc<Vec<Seated>>,
    pub game: Box<dyn DynSession>,
    pub clocks: Clocks,
    pub ending: Option<Ending>,
    /// The side that has offered a draw, by the seat that did.
    pub draw_offer: Option<Seat>,
    pub undo: Option<Undo>,
    pub rematch: Option<TableId>,
    /// When the game ended.
    pub ended: Option<Millis>,
    /// The seats whose players, not engines for them, have acted, as bits.
    moved: u8,
    commands: VecDeque<(UserId, String)>,
    known_commands: HashSet<(UserId, String)>,
}

impl State {
    /// The table whose log this is.
    pub fn replay(games: &[&'static dyn GameKind], id: TableId, log: &[Entry]) -> Result<Self, Corrupt> {
        let (first, rest) = log.split_first().ok_or(Corrupt { seq: 0, why: "it is empty".to_owned() })?;
        let mut state = Self::begin(games, id, first)?;
        for entry in rest {
            state.apply(entry)?;
        }
        Ok(state)
    }

    fn begin(games: &[&'static dyn GameKind], id: TableId, first: &Entry) -> Result<Self, Corrupt> {
        let corrupt = |why: String| Corrupt { seq: first.seq, why };
        let Event::Created { host, setup, invitation } = read(first)? else {
            return Err(corrupt("a log begins with how the table was set up".to_owned()));
        };
        let game = setup.start(games).map_err(|why| corrupt(why.to_string()))?;
        let seats = setup.seats.iter().map(|plan| Seated {
            user: None,
            name: None,
            engine: match plan {
                SeatPlan::Engine { level } => Some(level.clone()),
                _ => None,
            },
            taken_over: false,
        });
        let mut state = Self {
            id,
            host,
            invitation,
            status: Status::Open,
            created: first.at,
            version: 1,
            seats: Arc::new(seats.collect()),
            game,
            clocks: Clocks::new(setup.clock),
            ending: None,
            draw_offer: None,
            undo: None,
            rematch: None,
            ended: None,
            moved: 0,
            commands: VecDeque::new(),
            known_commands: HashSet::new(),
            setup: *setup,
        };
        state.remember(first);
        Ok(state)
    }

    /// Takes the next line of the log, and gives what it says.
    pub fn apply(&mut self, entry: &Entry) -> Result<Event, Corrupt> {
        let event = read(entry)?;
        self.apply_event(&event, entry)?;
        Ok(event)
    }

    pub(crate) fn apply_event(&mut self, event: &Event, entry: &Entry) -> Result<(), Corrupt> {
        let corrupt = |why: String| Corrupt { seq: entry.seq, why };
        if entry.seq != self.version {
            return Err(corrupt(format!("number {} is due", self.version)));
        }
        match event {
            Event::Created { .. } => return Err(corrupt("the table was set up before".to_owned())),
            Event::Joined { seat, user, name } => {
                let place = self.seat_mut(*seat).ok_or_else(|| corrupt(format!("there is no seat {seat}")))?;
                *place = Seated { user: Some(*user), name: Some(name.clone()), engine: None, taken_over: false };
            }
            Event::Named { seat, name } => {
                let place = self.seat_mut(*seat).ok_or_else(|| corrupt(format!("there is no seat {seat}")))?;
                place.name = Some(name.clone());
            }
            Event::Left { seat } => {
                let place = self.seat_mut(*seat).ok_or_else(|| corrupt(format!("there is no seat {seat}")))?;
                (place.user, place.name) = (None, None);
            }
            Event::Declined { seat } => {
                let plan = self.setup.seats.get_mut(usize::from(*seat));
                plan.ok_or_else(|| corrupt(format!("there is no seat {seat}")))?.decline(self.setup.public);
            }
            Event::Started { order } => self.start(order).map_err(corrupt)?,
            Event::Acted { seat, action, lag } => {
                let actor = match seat {
                    None => Actor::Chance,
                    Some(number) => {
                        Actor::Seat(self.seat(*number).ok_or_else(|| corrupt(format!("no seat {number}")))?)
                    }
                };
                self.game.apply_by(actor, action).map_err(|why| corrupt(why.to_string()))?;
                self.undo = None;
                if let Actor::Seat(seat) = actor {
                    self.moved |= u8::from(entry.by.is_some()) << seat.number();
                    self.clocks.act(seat, lag.map_or(0, Millis::from), entry.at);
                    if self.draw_offer.is_some_and(|by| !self.same_side(by, seat)) {
                        // Playing on declines.
                        self.draw_offer = None;
                    }
                }
            }
            Event::DrawOffered { seat } => self.draw_offer = self.seat(*seat),
            Event::DrawDeclined { .. } => self.draw_offer = None,
            Event::DrawAgreed => self.end(Vec::new(), "agreed"),
            Event::Resigned { seat } => self.lose(*seat, "resigned").map_err(corrupt)?,
            Event::FlagFell { seat } => self.lose(*seat, "time").map_err(corrupt)?,
            Event::Abandoned { seat } => self.lose(*seat, "left").map_err(corrupt)?,
            Event::DrawClaimed { .. } => self.end(Vec::new(), "left"),
            Event::Interrupted { from, until } => self.clocks.interrupt(*from, *until),
            Event::TakenOver { seat } => {
                let place = self.seat_mut(*seat).ok_or_else(|| corrupt(format!("there is no seat {seat}")))?;
                place.taken_over = true;
                place.engine = Some(SUBSTITUTE.name().to_owned());
            }
            Event::UndoAsked { seat, ply } => self.undo = Some(Undo { seat: *seat, ply: *ply, granted: Vec::new() }),
            Event::UndoGranted { seat } => self.undo.iter_mut().for_each(|undo| undo.granted.push(*seat)),
            Event::UndoRefused { .. } => self.undo = None,
            Event::Undone { ply } => {
                self.undo = None;
                let count = (self.game.ply() as u64).saturating_sub(*ply);
                self.game.undo(count).map_err(|why| corrupt(why.to_string()))?;
                // At one screen a game goes on also after its end.
                if self.status == Status::Finished {
                    (self.status, self.ending) = (Status::Playing, None);
                }
            }
            Event::ClocksSet { left } => self.clocks.set(left, entry.at),
            Event::Aborted => self.status = Status::Aborted,
            Event::BrokenOff => self.end(Vec::new(), "unfinished"),
            Event::Rematch { table } => self.rematch = Some(table.clone()),
        }
        if self.status == Status::Playing
            && let Some(outcome) = self.game.outcome()
        {
            self.status = Status::Finished;
            self.ending = Some(outcome.into());
        }
        self.ended = match self.status {
            Status::Finished => self.ended.or(Some(entry.at)),
            _ => None,
        };
        let turn = if self.status == Status::Playing { self.game.turn() } else { Turn::Over };
        let seats = self.seats.clone();
        self.clocks.hand_over(turn, |seat| seats[seat.index()].engine.is_none(), entry.at);
        self.version += 1;
        self.remember(entry);
        Ok(())
    }

    fn start(&mut self, order: &[u8]) -> Result<(), String> {
        let mut seen = vec![false; self.seats.len()];
        for &from in order {
            match seen.get_mut(usize::from(from)) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err("seats are dealt out once each".to_owned()),
            }
        }
        if order.len() != self.seats.len() {
            return Err("every seat is dealt out".to_owned());
        }
        self.seats = Arc::new(order.iter().map(|&from| self.seats[usize::from(from)].clone()).collect());
        self.status = Status::Playing;
        Ok(())
    }

    fn lose(&mut self, loser: u8, reason: &str) -> Result<(), String> {
        let loser = self.seat(loser).ok_or("there is no such seat")?;
        if self.sides() == 2 {
            let winners = Seat::all(self.game.seats()).filter(|&seat| !self.same_side(seat, loser));
            self.end(winners.map(Seat::number).collect(), reason);
        }
        Ok(())
    }

    fn end(&mut self, winners: Vec<u8>, reason: &str) {
        self.status = Status::Finished;
        self.ending = Some(Ending { winners, reason: reason.to_owned() });
    }

    fn remember(&mut self, entry: &Entry) {
        let (Some(user), Some(command)) = (entry.by, entry.command.clone()) else { return };
        if !self.known_commands.insert((user, command.clone())) {
            return;
        }
        self.commands.push_back((user, command));
        if self.commands.len() > REMEMBERED
            && let Some(oldest) = self.commands.pop_front()
        {
            self.known_commands.remove(&oldest);
        }
    }

    /// The table as it stands, to look at while it goes on. It remembers no commands, and so decides nothing.
    #[must_use]
    pub fn to_look_at(&self) -> Self {
        Self {
            id: self.id.clone(),
            host: self.host,
            setup: self.setup.clone(),
            invitation: self.invitation.clone(),
            status: self.status,
            created: self.created,
            version: self.version,
            seats: self.seats.clone(),
            game: self.game.boxed_clone(),
            clocks: self.clocks,
            ending: self.ending.clone(),
            draw_offer: self.draw_offer,
            undo: self.undo.clone(),
            rematch: self.rematch.clone(),
            ended: self.ended,
            moved: self.moved,
            commands: VecDeque::new(),
            known_commands: HashSet::new(),
        }
    }

    /// Whether this command was carried out before.
    pub fn has_done(&self, user: UserId, command: &str) -> bool {
        self.known_commands.contains(&(user, command.to_owned()))
    }

    pub(crate) fn seat(&self, number: u8) -> Option<Seat> {
        (usize::from(number) < self.seats.len()).then(|| Seat::new(number))
    }

    fn seat_mut(&mut self, number: u8) -> Option<&mut Seated> {
        Arc::make_mut(&mut self.seats).get_mut(usize::from(number))
    }

    /// The seats that somebody plays: one, or at one screen several.
    pub fn seats_of(&self, user: UserId) -> impl Iterator<Item = Seat> + Clone {
        seats_of(&self.seats, user)
    }

    pub fn is_player(&self, user: UserId) -> bool {
        self.seats_of(user).next().is_some()
    }

    /// Whether somebody may see the table.
    pub fn welcomes(&self, user: Option<UserId>, invitation: Option<&str>) -> bool {
        self.setup.public
            || user.is_some_and(|user| {
                let kept = || self.setup.seats.iter().any(|plan| plan.player() == Some(user));
                user == self.host || self.is_player(user) || kept()
            })
            || invitation.is_some_and(|text| same_secret(text, &self.invitation))
    }

    /// Whether the engine acts for this seat.
    pub fn is_engine(&self, seat: Seat) -> bool {
        self.seats[seat.index()].engine.is_some()
    }

    /// Whether all people have left a game that is on, and engines play for them. A screen that people share is their own: there
    /// engines may play on.
    pub fn is_deserted(&self) -> bool {
        let one_screen = || self.setup.seats.iter().any(|plan| matches!(plan, SeatPlan::Person { .. }));
        self.status == Status::Playing
            && self.seats.iter().all(|seated| seated.engine.is_some())
            && self.seats.iter().any(|seated| seated.taken_over)
            && !one_screen()
    }

    /// Whether the player of a seat has acted, and not only an engine for them.
    pub fn has_moved(&self, seat: Seat) -> bool {
        self.moved >> seat.number() & 1 == 1
    }

    pub(crate) fn same_side(&self, a: Seat, b: Seat) -> bool {
        self.game.side(a) == self.game.side(b)
    }

    pub(crate) fn sides(&self) -> usize {
        let sides: HashSet<u8> = Seat::all(self.game.seats()).map(|seat| self.game.side(seat)).collect();
        sides.len()
    }

    /// How somebody sees the table.
    pub fn viewer(&self, user: Option<UserId>) -> Viewer {
        viewer(self.status, &self.seats, user, None)
    }

    /// The table as lists show it.
    pub fn listing(&self, changed: Millis) -> Listing {
        let seats = self.seats.iter().map(|seated| {
            let name = seated.name.clone().or_else(|| seated.engine.clone())?;
            Some(Sitting { user: seated.user, name })
        });
        let plans = self.setup.seats.iter().zip(self.seats.iter());
        let kept =
            plans.map(|(plan, seated)| plan.player().filter(|_| self.status == Status::Open && seated.user.is_none()));
        Listing {
            table: self.id.clone(),
            host: Some(self.host),
            game: self.setup.game.clone(),
            options: self.setup.options.clone(),
            status: self.status,
            public: self.setup.public,
            rated: self.setup.rated,
            clock: self.setup.clock.class().to_owned(),
            created: self.created,
            changed,
            seats: seats.collect(),
            kept: kept.collect(),
            winners: self.ending.as_ref().map(|ending| ending.winners.clone()),
        }
    }
}

fn seats_of(seats: &[Seated], user: UserId) -> impl Iterator<Item = Seat> + Clone {
    let places = seats.iter().enumerate().filter(move |(_, seated)| seated.user == Some(user));
    places.map(|(place, _)| Seat::new(place as u8))
}

/// How somebody sees a table: through the eyes of their seat or, at a screen for several, of the one that looks. A finished
/// game is open to all, and so is one that only engines play.
pub fn viewer(status: Status, seats: &[Seated], user: Option<UserId>, eyes: Option<Seat>) -> Viewer {
    let mut own = user.into_iter().flat_map(|user| seats_of(seats, user));
    let seat = match (own.next(), own.next()) {
        (first, None) => first,
        (Some(first), Some(second)) => [first, second].into_iter().chain(own).find(|&seat| Some(seat) == eyes),
        (None, Some(_)) => None,
    };
    match (status, seat) {
        (Status::Finished, _) => Viewer::Everything,
        (Status::Playing, Some(seat)) => Viewer::Seat(seat),
        (Status::Playing, None) if seats.iter().all(|seated| seated.user.is_none() && seated.engine.is_some()) => {
            Viewer::Everything
        }
        // Before the game nothing is dealt, and seats may still change.
        _ => Viewer::Spectator,
    }
}

/// Whether a text is the secret, in a time that does not tell how much of it is right.
pub(crate) fn same_secret(text: &str, secret: &str) -> bool {
    text.len() == secret.len() && text.bytes().zip(secret.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// The level that plays on for somebody who has left a game of three or four sides.
pub(crate) const SUBSTITUTE: Level = Level::Club;

fn read(entry: &Entry) -> Result<Event, Corrupt> {
    serde_json::from_str(&entry.event).map_err(|why| Corrupt { seq: entry.seq, why: why.to_string() })
}
