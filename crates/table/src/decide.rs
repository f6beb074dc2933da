//! From a command to new lines of the log, or to the reason why not.

use std::fmt;

use quincunx_core::{Actor, GameKind, Seat, Turn};
use rand::{Rng, RngExt};

use crate::clock::MOST_LAG;
use crate::state::same_secret;
use crate::{
    Command, Entry, Event, Millis, Person, Refusal, SeatPlan, Setup, State, Status, TableId, UserId, UserKind,
};

/// Who wants something, for which seat, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request<'a> {
    pub person: &'a Person,
    /// Which of the person's seats acts. If it is not said: the one on turn, or their only one.
    pub seat: Option<u8>,
    /// The id that the client gave the command.
    pub command: Option<&'a str>,
    pub at: Millis,
}

/// What a host knows of the connections of those who play.
#[derive(Clone, Copy)]
pub struct Connections<'a> {
    /// For how long the messages of the person who asks are under way, there and back.
    pub lag: Millis,
    /// Whether somebody has been away for [`AWAY`](crate::AWAY).
    pub away: &'a dyn Fn(UserId) -> bool,
}

impl fmt::Debug for Connections<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections").field("lag", &self.lag).finish_non_exhaustive()
    }
}

impl Default for Connections<'_> {
    /// Everybody is here, and nothing takes time.
    fn default() -> Self {
        Self { lag: 0, away: &|_| false }
    }
}

/// New lines of the log, and what each of them says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Decision {
    pub entries: Vec<Entry>,
    pub events: Vec<Event>,
}

/// Writes the lines of a decision, which the state takes as they are written.
pub(crate) struct EventWriter<'a> {
    pub(crate) state: &'a mut State,
    by: Option<UserId>,
    command: Option<String>,
    at: Millis,
    pub(crate) decision: Decision,
}

impl EventWriter<'_> {
    pub(crate) fn add(&mut self, event: Event) {
        let text = serde_json::to_string(&event).expect("events are plain data with text keys");
        let entry =
            Entry { seq: self.state.version, at: self.at, by: self.by, command: self.command.take(), event: text };
        self.state.apply_event(&event, &entry).expect("what was decided fits the log");
        self.decision.entries.push(entry);
        self.decision.events.push(event);
    }

    /// A decision that is one event.
    pub(crate) fn just(mut self, event: Event) -> Decision {
        self.add(event);
        self.decision
    }

    /// Makes an action of a seat, if the rules allow it.
    fn act(mut self, seat: Seat, action: &str, lag: Millis, rng: &mut dyn Rng) -> Result<Decision, Refusal> {
        self.state.game.check(Actor::Seat(seat), action)?;
        let timed = self.state.clocks.running().is_some_and(|(running, _)| running == seat);
        // What is too short to notice is not worth a word in the log.
        let lag = Some(lag.clamp(0, MOST_LAG) as u32).filter(|&lag| timed && lag >= 10);
        self.add(Event::Acted { seat: Some(seat.number()), action: action.to_owned(), lag });
        self.draw(rng);
        Ok(self.decision)
    }

    /// A seat is lost: between two sides that ends the game, otherwise the engine plays on for it, as long as a person plays.
    pub(crate) fn give_up(mut self, seat: Seat, event: Event) -> Decision {
        self.add(event);
        if self.state.status == Status::Playing {
            self.add(Event::TakenOver { seat: seat.number() });
        }
        if self.state.is_deserted() {
            self.add(Event::BrokenOff);
        }
        self.decision
    }

    /// Draws for chance until somebody is to act or the game is over.
    pub(crate) fn draw(&mut self, rng: &mut dyn Rng) {
        while self.state.status == Status::Playing && self.state.game.turn() == Turn::Chance {
            let drawn = self.state.game.pick(rng).expect("it is a chance turn");
            self.add(Event::Acted { seat: None, action: drawn, lag: None });
        }
    }

    /// Begins the game if all seats are taken.
    fn start_if_full(&mut self, rng: &mut dyn Rng) {
        let full = self.state.seats.iter().all(|seated| seated.user.is_some() || seated.engine.is_some());
        if !full {
            return;
        }
        let mut order: Vec<u8> = (0..self.state.seats.len() as u8).collect();
        if self.state.setup.shuffled {
            for last in (1..order.len()).rev() {
                order.swap(last, rng.random_range(0..=last));
            }
        }
        self.add(Event::Started { order });
        self.draw(rng);
    }
}

impl State {
    /// A new table, with the first lines of its log. People at the host's own screen sit there from the start.
    pub fn create(
        games: &[&'static dyn GameKind],
        id: TableId,
        setup: Setup,
        invitation: String,
        request: Request<'_>,
        rng: &mut dyn Rng,
    ) -> Result<(Self, Vec<Entry>), Refusal> {
        setup.start(games)?;
        let here: Vec<(u8, String)> = (0..)
            .zip(&setup.seats)
            .filter_map(|(seat, plan)| match plan {
                SeatPlan::Person { name } => Some((seat, name.clone())),
                _ => None,
            })
            .collect();
        let user = request.person.id;
        let event = Event::Created { host: user, setup: Box::new(setup), invitation };
        let text = serde_json::to_string(&event).expect("events are plain data with text keys");
        let command = request.command.map(str::to_owned);
        let first = Entry { seq: 0, at: request.at, by: Some(user), command, event: text };
        let mut state = Self::replay(games, id, std::slice::from_ref(&first)).expect("a set-up that can be started");
        let mut writer = state.writer(Request { command: None, ..request });
        for (seat, name) in here {
            writer.add(Event::Joined { seat, user, name });
        }
        writer.start_if_full(rng);
        let later = writer.decision.entries;
        Ok((state, std::iter::once(first).chain(later).collect()))
    }

    pub(crate) fn writer(&mut self, request: Request<'_>) -> EventWriter<'_> {
        let command = request.command.map(str::to_owned);
        EventWriter { state: self, by: Some(request.person.id), command, at: request.at, decision: Decision::default() }
    }

    /// Writes lines that nobody has asked for.
    pub(crate) fn own_writer(&mut self, at: Millis) -> EventWriter<'_> {
        EventWriter { state: self, by: None, command: None, at, decision: Decision::default() }
    }

    /// Carries out a command: gives the new lines of the log, which this state has taken already. A refused command
    /// changes nothing.
    ///
    /// A table whose lines could not be stored has to be read again from its log.
    pub fn decide(&mut self, command: &Command, request: Request<'_>, rng: &mut dyn Rng) -> Result<Decision, Refusal> {
        self.decide_over(Connections::default(), command, request, rng)
    }

    /// Carries out a command as [`decide`](Self::decide) does, where people play over connections.
    pub fn decide_over(
        &mut self,
        connections: Connections<'_>,
        command: &Command,
        request: Request<'_>,
        rng: &mut dyn Rng,
    ) -> Result<Decision, Refusal> {
        let Connections { lag, away } = connections;
        let invitation = match command {
            Command::Sit { invitation, .. } => invitation.as_deref(),
            _ => None,
        };
        if !self.welcomes(Some(request.person.id), invitation) {
            return Err(Refusal::NoSuchTable);
        }
        match command {
            Command::Sit { seat, invitation } => self.sit(*seat, invitation.as_deref(), request, rng),
            Command::Leave => self.leave(request),
            Command::Decline => self.decline(request),
            Command::Abort => self.abort(request),
            Command::Act { action, ply } => {
                // A move that was made in time counts.
                let made = request.at - lag.clamp(0, MOST_LAG);
                let seat = self.playing_seat(Request { at: made, ..request })?;
                if let Some(then) = ply.filter(|&then| then != self.game.ply() as u64) {
                    return Err(Refusal::Changed { now: self.game.ply(), then });
                }
                self.writer(request).act(seat, action, lag, rng)
            }
            Command::OfferDraw => self.offer_draw(request),
            Command::AnswerDraw { accept } => self.answer_draw(*accept, request),
            Command::Resign => {
                let seat = self.playing_seat(request)?;
                Ok(self.writer(request).give_up(seat, Event::Resigned { seat: seat.number() }))
            }
            Command::ClaimWin => self.claim_win(request, away),
            Command::ClaimDraw => self.claim_draw(request, away),
            Command::AskUndo { count } => self.ask_undo(*count, request),
            Command::AnswerUndo { grant } => self.answer_undo(*grant, request),
            Command::Rematch => self.play_again(request),
        }
    }

    fn sit(
        &mut self,
        number: u8,
        invitation: Option<&str>,
        request: Request<'_>,
        rng: &mut dyn Rng,
    ) -> Result<Decision, Refusal> {
        self.before_the_game()?;
        self.not_without_end()?;
        let plan = self.setup.seats.get(usize::from(number)).ok_or(Refusal::NoSuchSeat { seat: number })?;
        let welcome = match plan {
            SeatPlan::Open => true,
            SeatPlan::Invited => {
                request.person.id == self.host || invitation.is_some_and(|text| same_secret(text, &self.invitation))
            }
            SeatPlan::Engine { .. } | SeatPlan::Person { .. } => false,
            SeatPlan::Player { user } => *user == request.person.id,
        };
        if !welcome {
            return Err(Refusal::NotInvited { seat: number });
        }
        if self.setup.rated && request.person.kind == UserKind::Guest {
            return Err(Refusal::NoGuests);
        }
        if self.is_player(request.person.id) {
            return Err(Refusal::SitsAlready);
        }
        if self.seats[usize::from(number)].user.is_some() {
            return Err(Refusal::SeatTaken { seat: number });
        }
        let mut writer = self.writer(request);
        writer.add(Event::Joined { seat: number, user: request.person.id, name: request.person.name.clone() });
        writer.start_if_full(rng);
        Ok(writer.decision)
    }

    fn leave(&mut self, request: Request<'_>) -> Result<Decision, Refusal> {
        self.before_the_game()?;
        let seat = self.own_seat(request, |_| true)?;
        Ok(self.writer(request).just(Event::Left { seat: seat.number() }))
    }

    fn decline(&mut self, request: Request<'_>) -> Result<Decision, Refusal> {
        self.before_the_game()?;
        self.not_without_end()?;
        if self.is_player(request.person.id) {
            return Err(Refusal::SitsAlready);
        }
        let kept = self.setup.seats.iter().position(|plan| plan.player() == Some(request.person.id));
        let seat = kept.ok_or(Refusal::NotKept)? as u8;
        Ok(self.writer(request).just(Event::Declined { seat }))
    }

    fn abort(&mut self, request: Request<'_>) -> Result<Decision, Refusal> {
        self.before_the_game()?;
        if request.person.id != self.host {
            return Err(Refusal::NotTheHost);
        }
        Ok(self.writer(request).just(Event::Aborted))
    }

    /// Makes an action for a seat where the engine plays.
    pub fn engine_acts(
        &mut self,
        seat: Seat,
        action: &str,
        at: Millis,
        rng: &mut dyn Rng,
    ) -> Result<Decision, Refusal> {
        self.own_writer(at).act(seat, action, 0, rng)
    }

    fn offer_draw(&mut self, request: Request<'_>) -> Result<Decision, Refusal> {
        let seat = self.playing_seat(request)?;
        if self.sides() != 2 {
            return Err(Refusal::NotTwoSides);
        }
        self.not_without_end()?;
        match self.draw_offer {
            Some(by) if self.same_side(by, seat) => Err(Refusal::OfferedAlready),
            // Both want it.
            Some(_) => self.answer_draw(true, Request { seat: Some(seat.number()), ..request }),
            None => {
                let mut others = Seat::all(self.game.seats()).filter(|&other| !self.same_side(other, seat));
                let engine =
                    others.next().filter(|&first| self.is_engine(first) && others.all(|it| self.is_engine(it)));
                let mut writer = self.writer(request);
                writer.add(Event::DrawOffered { seat: seat.number() });
                if let Some(engine) = engine {
                    // Engines play on.
                    writer.add(Event::DrawDeclined { seat: engine.number() });
                }
                Ok(writer.decision)
            }
        }
    }

    fn answer_draw(&mut self, accept: bool, request: Request<'_>) -> Result<Decision, Refusal> {
        let offer = self.draw_offer;
        let sides: Vec<bool> =
            Seat::all(self.game.seats()).map(|seat| offer.is_some_and(|by| !self.same_side(by, seat))).collect();
        let seat = self.playing_seat_that(request, |seat| sides[seat.index()])?;
        if !sides[seat.index()] {
            return Err(Refusal::NoOffer);
        }
        let answer = if accept { Event::DrawAgreed } else { Event::DrawDeclined { seat: seat.number() } };
        Ok(self.writer(request).just(answer))
    }

    /// Ends the game for a seat whose time is up, if it is.
    pub fn fell(&mut self, at: Millis) -> Decision {
        let Some((seat, _)) = self.clocks.deadline().filter(|&(_, deadline)| deadline <= at) else {
            return Decision::default();
        };
        self.own_writer(at).give_up(seat, Event::FlagFell { seat: seat.number() })
    }

    /// Gives the table up, as nobody comes.
    pub fn forgotten(&mut self, at: Millis) -> Decision {
        if self.status != Status::Open {
            return Decision::default();
        }
        self.own_writer(at).just(Event::Aborted)
    }

    /// Breaks a game off that nobody plays any more: engines do not think for nobody.
    pub fn deserted(&mut self, at: Millis) -> Decision {
        if !self.is_deserted() {
            return Decision::default();
        }
        self.own_writer(at).just(Event::BrokenOff)
    }

    /// Whether the log may grow by what brings the game no further.
    pub(crate) fn not_without_end(&self) -> Result<(), Refusal> {
        /// Longer than the longest games.
        const LONGEST: u64 = 20_000;
        if self.version < LONGEST { Ok(()) } else { Err(Refusal::TooLong) }
    }

    fn before_the_game(&self) -> Result<(), Refusal> {
        match self.status {
            Status::Open => Ok(()),
            Status::Playing => Err(Refusal::Begun),
            Status::Finished | Status::Aborted => Err(Refusal::Over),
        }
    }

    /// The seat for which somebody may act now.
    pub(crate) fn playing_seat(&self, request: Request<'_>) -> Result<Seat, Refusal> {
        self.playing_seat_that(request, |seat| self.game.turn() == Turn::Seat(seat))
    }

    /// The seat for which somebody may act now, of several the one that fits.
    pub(crate) fn playing_seat_that(&self, request: Request<'_>, fits: impl Fn(Seat) -> bool) -> Result<Seat, Refusal> {
        match self.status {
            Status::Open => return Err(Refusal::NotBegun),
            Status::Finished | Status::Aborted => return Err(Refusal::Over),
            Status::Playing => {}
        }
        let seat = self.own_seat(request, fits)?;
        if self.clocks.deadline().is_some_and(|(_, deadline)| deadline <= request.at) {
            // The flag falls in a moment, or as soon as somebody looks after the clocks again.
            return Err(Refusal::TimeIsUp);
        }
        if self.is_engine(seat) { Err(Refusal::TakenOver) } else { Ok(seat) }
    }

    /// The seat that a person means, or of several the one that fits.
    pub(crate) fn own_seat(&self, request: Request<'_>, fits: impl Fn(Seat) -> bool) -> Result<Seat, Refusal> {
        let mut own = self.seats_of(request.person.id);
        match request.seat {
            Some(number) => own.find(|seat| seat.number() == number).ok_or(Refusal::NotYourSeat { seat: number }),
            None => own.clone().find(|&seat| fits(seat)).or_else(|| own.next()).ok_or(Refusal::NotAPlayer),
        }
    }

    /// Whether an action could be made now.
    pub fn check(&self, action: &str, request: Request<'_>) -> Result<(), Refusal> {
        let seat = self.playing_seat(request)?;
        Ok(self.game.check(Actor::Seat(seat), action)?)
    }

    /// Draws what chance has to draw.
    pub fn draw(&mut self, at: Millis, rng: &mut dyn Rng) -> Decision {
        let mut writer = self.own_writer(at);
        writer.draw(rng);
        writer.decision
    }

    /// Takes the seat that is kept for a person, unless they have it already.
    pub fn take_kept_seat(&mut self, request: Request<'_>, rng: &mut dyn Rng) -> Result<Decision, Refusal> {
        let done = request.command.is_some_and(|id| self.has_done(request.person.id, id));
        if done || self.is_player(request.person.id) {
            return Ok(Decision::default());
        }
        let kept = self.setup.seats.iter().position(|plan| plan.player() == Some(request.person.id));
        let seat = kept.ok_or(Refusal::NotAPlayer)? as u8;
        self.decide(&Command::Sit { seat, invitation: None }, request, rng)
    }

    /// A person at the host's screen plays on for an engine that cannot, such as a program that has ended.
    pub fn replace_engine(&mut self, seat: Seat, at: Millis) -> Decision {
        if self.status != Status::Playing || !self.is_engine(seat) {
            return Decision::default();
        }
        let (user, name) = (self.host, format!("Seat {seat}"));
        self.own_writer(at).just(Event::Joined { seat: seat.number(), user, name })
    }
}
