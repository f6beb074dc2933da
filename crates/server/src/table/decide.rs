//! From a command to new lines of the log, or to the reason why not.

use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
use quincunx_core::{Actor, DynSession, Seat, Turn, Viewer};
use rand::{Rng, RngExt};

use super::state::same_secret;
use super::{Command, Event, Refusal, SeatPlan, Setup, State, UndoPolicy};
use crate::model::{Entry, Millis, Status, TableId, UserId, UserKind};
use crate::wire::Person;

/// Who wants something, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request<'a> {
    pub person: &'a Person,
    /// The id that the client gave the command.
    pub command: Option<&'a str>,
    pub at: Millis,
}

/// New lines of the log, and what each of them says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Decision {
    pub entries: Vec<Entry>,
    pub events: Vec<Event>,
}

/// A decision that is being made: the state has taken its lines already.
pub(super) struct Lines<'a> {
    state: &'a mut State,
    by: Option<UserId>,
    command: Option<String>,
    at: Millis,
    pub(super) decision: Decision,
}

impl Lines<'_> {
    pub(super) fn add(&mut self, event: Event) {
        let text = serde_json::to_string(&event).expect("events are plain data with text keys");
        let entry =
            Entry { seq: self.state.version, at: self.at, by: self.by, command: self.command.take(), event: text };
        self.state.take(&event, &entry).expect("what was decided fits the log");
        self.decision.entries.push(entry);
        self.decision.events.push(event);
    }

    /// Draws for chance until somebody is to act or the game is over.
    fn draw(&mut self, rng: &mut dyn Rng) {
        while self.state.status == Status::Playing && self.state.game.turn() == Turn::Chance {
            let drawn = self.state.game.pick(rng).expect("it is a chance turn");
            self.add(Event::Acted { seat: None, action: drawn });
        }
    }
}

impl State {
    /// A new table, with the first line of its log.
    pub fn create(
        id: TableId,
        setup: Setup,
        invitation: String,
        request: Request<'_>,
    ) -> Result<(Self, Vec<Entry>), Refusal> {
        setup.start()?;
        let event = Event::Created { host: request.person.id, setup: Box::new(setup), invitation };
        let text = serde_json::to_string(&event).expect("events are plain data with text keys");
        let command = request.command.map(str::to_owned);
        let first = Entry { seq: 0, at: request.at, by: Some(request.person.id), command, event: text };
        let state = Self::replay(id, std::slice::from_ref(&first)).map_err(|corrupt| Refusal::Setup(corrupt.why))?;
        Ok((state, vec![first]))
    }

    pub(super) fn lines(&mut self, request: Request<'_>) -> Lines<'_> {
        let command = request.command.map(str::to_owned);
        Lines { state: self, by: Some(request.person.id), command, at: request.at, decision: Decision::default() }
    }

    /// Carries out a command: gives the new lines of the log, which this state has taken already. A refused command
    /// changes nothing.
    ///
    /// A table whose lines could not be kept has to be read again from its log.
    pub fn decide(&mut self, command: &Command, request: Request<'_>, rng: &mut dyn Rng) -> Result<Decision, Refusal> {
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
            Command::Abort => self.abort(request),
            Command::Act { action, ply } => {
                let seat = self.playing_seat(request)?;
                if let Some(then) = ply.filter(|&then| then != self.game.ply() as u64) {
                    return Err(Refusal::Changed { now: self.game.ply(), then });
                }
                self.act(seat, action, request, rng)
            }
            Command::OfferDraw => self.offer_draw(request),
            Command::AnswerDraw { accept } => self.answer_draw(*accept, request),
            Command::Resign => {
                let seat = self.playing_seat(request)?;
                Ok(self.give_up(seat, Event::Resigned { seat: seat.number() }, request))
            }
            Command::AskUndo => self.ask_undo(request),
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
        let plan = self.setup.seats.get(usize::from(number)).ok_or(Refusal::NoSuchSeat(number))?;
        let welcome = match plan {
            SeatPlan::Open => true,
            SeatPlan::Invited => {
                request.person.id == self.host || invitation.is_some_and(|text| same_secret(text, &self.invitation))
            }
            SeatPlan::Engine { .. } => false,
            SeatPlan::Player { user } => *user == request.person.id,
        };
        if !welcome {
            return Err(Refusal::NotInvited(number));
        }
        if self.setup.rated && request.person.kind == UserKind::Guest {
            return Err(Refusal::NoGuests);
        }
        if self.seat_of(request.person.id).is_some() {
            return Err(Refusal::SitsAlready);
        }
        if self.seats[usize::from(number)].user.is_some() {
            return Err(Refusal::SeatTaken(number));
        }
        let mut lines = self.lines(request);
        lines.add(Event::Joined { seat: number, user: request.person.id, name: request.person.name.clone() });
        let full = lines.state.seats.iter().all(|seated| seated.user.is_some() || seated.engine.is_some());
        if full {
            let mut order: Vec<u8> = (0..lines.state.seats.len() as u8).collect();
            if lines.state.setup.shuffled {
                for last in (1..order.len()).rev() {
                    order.swap(last, rng.random_range(0..=last));
                }
            }
            lines.add(Event::Started { order });
            lines.draw(rng);
        }
        Ok(lines.decision)
    }

    fn leave(&mut self, request: Request<'_>) -> Result<Decision, Refusal> {
        self.before_the_game()?;
        let seat = self.seat_of(request.person.id).ok_or(Refusal::NotAPlayer)?;
        let mut lines = self.lines(request);
        lines.add(Event::Left { seat: seat.number() });
        Ok(lines.decision)
    }

    fn abort(&mut self, request: Request<'_>) -> Result<Decision, Refusal> {
        self.before_the_game()?;
        if request.person.id != self.host {
            return Err(Refusal::NotTheHost);
        }
        let mut lines = self.lines(request);
        lines.add(Event::Aborted);
        Ok(lines.decision)
    }

    /// Makes an action for the seat of a person.
    fn act(&mut self, seat: Seat, action: &str, request: Request<'_>, rng: &mut dyn Rng) -> Result<Decision, Refusal> {
        self.game.check(Actor::Seat(seat), action).map_err(|why| Refusal::Illegal(why.to_string()))?;
        let mut lines = self.lines(request);
        lines.add(Event::Acted { seat: Some(seat.number()), action: action.to_owned() });
        lines.draw(rng);
        Ok(lines.decision)
    }

    /// Makes an action for a seat where the engine plays.
    pub fn engine_acts(
        &mut self,
        seat: Seat,
        action: &str,
        at: Millis,
        rng: &mut dyn Rng,
    ) -> Result<Decision, Refusal> {
        self.game.check(Actor::Seat(seat), action).map_err(|why| Refusal::Illegal(why.to_string()))?;
        let mut lines = Lines { state: self, by: None, command: None, at, decision: Decision::default() };
        lines.add(Event::Acted { seat: Some(seat.number()), action: action.to_owned() });
        lines.draw(rng);
        Ok(lines.decision)
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
            Some(_) => self.answer_draw(true, request),
            None => {
                let mut lines = self.lines(request);
                lines.add(Event::DrawOffered { seat: seat.number() });
                Ok(lines.decision)
            }
        }
    }

    fn answer_draw(&mut self, accept: bool, request: Request<'_>) -> Result<Decision, Refusal> {
        let seat = self.playing_seat(request)?;
        if self.draw_offer.is_none_or(|by| self.same_side(by, seat)) {
            return Err(Refusal::NoOffer);
        }
        let mut lines = self.lines(request);
        lines.add(if accept { Event::DrawAgreed } else { Event::DrawDeclined { seat: seat.number() } });
        Ok(lines.decision)
    }

    /// A seat is lost: between two sides that ends the game, otherwise the engine plays on for it.
    fn give_up(&mut self, seat: Seat, event: Event, request: Request<'_>) -> Decision {
        let mut lines = self.lines(request);
        lines.add(event);
        if lines.state.status == Status::Playing {
            lines.add(Event::TakenOver { seat: seat.number() });
        }
        lines.decision
    }

    /// Ends the game for a seat whose time is up, if it is.
    pub fn fell(&mut self, at: Millis) -> Decision {
        let Some((seat, _)) = self.clocks.deadline().filter(|&(_, deadline)| deadline <= at) else {
            return Decision::default();
        };
        let mut lines = Lines { state: self, by: None, command: None, at, decision: Decision::default() };
        lines.add(Event::FlagFell { seat: seat.number() });
        if lines.state.status == Status::Playing {
            lines.add(Event::TakenOver { seat: seat.number() });
        }
        lines.decision
    }

    /// Gives the table up, as nobody comes.
    pub fn forgotten(&mut self, at: Millis) -> Decision {
        if self.status != Status::Open {
            return Decision::default();
        }
        let mut lines = Lines { state: self, by: None, command: None, at, decision: Decision::default() };
        lines.add(Event::Aborted);
        lines.decision
    }

    fn ask_undo(&mut self, request: Request<'_>) -> Result<Decision, Refusal> {
        let seat = self.playing_seat(request)?;
        if self.setup.undo == UndoPolicy::Never {
            return Err(Refusal::NoUndo);
        }
        self.not_without_end()?;
        if self.undo.is_some() {
            return Err(Refusal::AskedAlready);
        }
        let log = self.game.log(Viewer::Everything);
        let ply = log.iter().rposition(|line| line.by == Actor::Seat(seat)).ok_or(Refusal::NothingToUndo)?;
        if came_to_light(self.game.as_ref(), ply) {
            return Err(Refusal::CameToLight);
        }
        let mut lines = self.lines(request);
        lines.add(Event::UndoAsked { seat: seat.number(), ply: ply as u64 });
        lines.finish_undo();
        Ok(lines.decision)
    }

    fn answer_undo(&mut self, grant: bool, request: Request<'_>) -> Result<Decision, Refusal> {
        let seat = self.playing_seat(request)?.number();
        if !self.undo.as_ref().is_some_and(|undo| undo.seat != seat && !undo.granted.contains(&seat)) {
            return Err(Refusal::NotAsked);
        }
        let mut lines = self.lines(request);
        lines.add(if grant { Event::UndoGranted { seat } } else { Event::UndoRefused { seat } });
        lines.finish_undo();
        Ok(lines.decision)
    }

    /// Whether the log may grow by what brings the game no further.
    fn not_without_end(&self) -> Result<(), Refusal> {
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
    fn playing_seat(&self, request: Request<'_>) -> Result<Seat, Refusal> {
        match self.status {
            Status::Open => return Err(Refusal::NotBegun),
            Status::Finished | Status::Aborted => return Err(Refusal::Over),
            Status::Playing => {}
        }
        let seat = self.seat_of(request.person.id).ok_or(Refusal::NotAPlayer)?;
        if self.clocks.deadline().is_some_and(|(_, deadline)| deadline <= request.at) {
            // The flag falls in a moment, or as soon as somebody looks after the clocks again.
            return Err(Refusal::TimeIsUp);
        }
        if self.is_engine(seat) { Err(Refusal::TakenOver) } else { Ok(seat) }
    }
}

impl Lines<'_> {
    /// Takes the moves back if all who were to be asked have agreed: the engine always does.
    fn finish_undo(&mut self) {
        let Some(undo) = &self.state.undo else { return };
        let asked = Seat::all(self.state.game.seats()).filter(|&seat| !self.state.is_engine(seat));
        let agreed = |seat: Seat| seat.number() == undo.seat || undo.granted.contains(&seat.number());
        if asked.into_iter().all(agreed) {
            let ply = undo.ply;
            self.add(Event::Undone { ply });
        }
    }
}

/// Whether something came to light since so many actions were made: whether somebody may have learnt more than follows from
/// what he saw before and the actions themselves.
///
/// The answer tells nothing itself: it follows from what everybody knows, and is the same whenever it is asked for. Positions
/// are imagined that a spectator could not tell apart then. If from one of them the same actions are impossible, or show him
/// or one who would sit there something new, they have told something.
fn came_to_light(game: &dyn DynSession, ply: usize) -> bool {
    const IMAGINED: usize = 16;
    let made = game.log_from(ply, Viewer::Everything);
    let drawn = made.iter().any(|line| line.by == Actor::Chance);
    if drawn || game.log_from(ply, Viewer::Spectator) != made {
        return true;
    }
    let mut then = game.boxed_clone();
    if then.undo(made.len() as u64).is_err() {
        return true;
    }
    let after = |mut table: Box<dyn DynSession>| {
        let possible = made.iter().all(|line| table.apply_by(line.by, &line.action).is_ok());
        possible.then_some(table)
    };
    let mut rng = ChaCha20Rng::seed_from_u64(ply as u64);
    let seen = game.view_json(Viewer::Spectator);
    (0..IMAGINED).any(|_| {
        let imagined = then.imagined(Viewer::Spectator, &mut rng);
        let tells_a_seat = |now: &dyn DynSession, rng: &mut ChaCha20Rng| {
            Seat::all(game.seats()).map(Viewer::Seat).any(|viewer| {
                let other = after(imagined.imagined(viewer, rng));
                other.is_none_or(|other| other.view_json(viewer) != now.view_json(viewer))
            })
        };
        let now = after(imagined.boxed_clone());
        now.is_none_or(|now| now.view_json(Viewer::Spectator) != seen || tells_a_seat(now.as_ref(), &mut rng))
    })
}
