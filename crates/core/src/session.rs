//! A game with its history: checked play by texts, undo, the log as each viewer may read it.

use rand::Rng;

use crate::{
    ActionError, Actor, Game, OutcomeJson, Position, Record, Scratch, Seat, SetupError, Step, Turn, UndoError, Viewer,
    position::scores,
    record::{Headers, Places},
};

/// How many actions lie between two kept positions: an undo replays at most this many.
const CHECKPOINT: usize = 256;

/// A game from its start: every action that was made, and the position they led to.
#[derive(Clone, Debug)]
pub struct Session<G: Game> {
    options: G::Options,
    position: G,
    log: Vec<Entry<G::Action>>,
    /// The positions at ply 0, [`CHECKPOINT`], 2 * [`CHECKPOINT`], ..
    checkpoints: Vec<G>,
    /// Date, names of players and the like, as they stand in the record.
    headers: Headers,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Entry<A> {
    by: Actor,
    action: A,
    /// What those in `hidden_from` read instead. A line once shown redacted stays so, whatever comes out later.
    redacted: Option<&'static str>,
    hidden_from: Audience,
}

/// The seats, and the spectators, as bits.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Audience(u8);

impl Audience {
    fn bit(viewer: Viewer) -> u8 {
        match viewer {
            Viewer::Seat(seat) => 1 << seat.number(),
            Viewer::Spectator => 1 << Seat::MAX,
            Viewer::Everything => 0,
        }
    }
}

impl<G: Game> Session<G> {
    pub fn new(seats: u8, options: G::Options) -> Result<Self, SetupError> {
        if !G::SEATS.contains(&seats) {
            return Err(no_such_seats::<G>(u64::from(seats)));
        }
        let position = G::new(seats, &options)?;
        Ok(Self { options, checkpoints: vec![position.clone()], position, log: Vec::new(), headers: Headers::new() })
    }

    /// A session that goes on from a position which this viewer cannot tell from the true one. It has no history.
    #[must_use]
    pub fn imagined<R: Rng + ?Sized>(&self, viewer: Viewer, rng: &mut R) -> Self {
        let position = self.position.sample(viewer, rng);
        Self {
            options: self.options.clone(),
            checkpoints: vec![position.clone()],
            position,
            log: Vec::new(),
            headers: Headers::new(),
        }
    }

    pub fn options(&self) -> &G::Options {
        &self.options
    }

    /// The full position, hidden cards included.
    pub fn game(&self) -> &G {
        &self.position
    }

    pub fn ply(&self) -> usize {
        self.log.len()
    }

    pub fn headers(&self) -> &Headers {
        &self.headers
    }

    pub fn set_headers(&mut self, headers: Headers) {
        self.headers = headers;
    }

    /// Makes the action with this text, by the given seat, or by whoever is on turn.
    pub fn apply(&mut self, seat: Option<u64>, text: &str) -> Result<(), ActionError> {
        let by = match seat {
            Some(number) => Actor::Seat(
                Seat::at_table(number, self.position.seats())
                    .ok_or(ActionError::NoSuchSeat { seat: number, seats: self.position.seats() })?,
            ),
            None => self.position.turn().actor().ok_or(ActionError::Over)?,
        };
        self.apply_by(by, text)
    }

    /// Makes the action with this text by exactly this actor.
    pub fn apply_by(&mut self, by: Actor, text: &str) -> Result<(), ActionError> {
        let action = self.check(by, text)?;
        self.push(by, action);
        Ok(())
    }

    /// The action with this text, if exactly this actor may make it now.
    pub fn check(&self, by: Actor, text: &str) -> Result<G::Action, ActionError> {
        if self.position.turn() == Turn::Over {
            return Err(ActionError::Over);
        }
        if let Actor::Seat(seat) = by
            && seat.number() >= self.position.seats()
        {
            return Err(ActionError::NoSuchSeat { seat: seat.number().into(), seats: self.position.seats() });
        }
        let action: G::Action =
            text.parse().map_err(|why: G::Refusal| ActionError::Malformed { text: excerpt(text), why: why.into() })?;
        let canonical = action.to_string();
        if canonical != text {
            return Err(ActionError::NotCanonical { text: excerpt(text), canonical });
        }
        self.position.check(by, action).map_err(|why| ActionError::Illegal { text: canonical, why })?;
        Ok(action)
    }

    /// At a chance turn, picks an outcome by weight, without making it.
    pub fn pick<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<G::Action, ActionError> {
        match self.position.turn() {
            Turn::Over => Err(ActionError::Over),
            Turn::Seat(_) => Err(ActionError::NotAChanceTurn),
            Turn::Chance => Ok(self.position.random(Actor::Chance, rng, &mut Scratch::default())),
        }
    }

    /// At a chance turn, draws an outcome by weight and gives its text.
    pub fn draw<R: Rng + ?Sized>(&mut self, rng: &mut R) -> Result<String, ActionError> {
        let outcome = self.pick(rng)?;
        self.push(Actor::Chance, outcome);
        Ok(outcome.to_string())
    }

    /// Makes a legal action and writes it into the log.
    fn push(&mut self, by: Actor, action: G::Action) {
        let mut entry = Entry { by, action, redacted: None, hidden_from: Audience::default() };
        let viewers = Seat::all(self.position.seats()).map(Viewer::Seat).chain([Viewer::Spectator]);
        for viewer in viewers {
            if let Some(text) = self.position.redacted(by, action, viewer) {
                entry.redacted = Some(text);
                entry.hidden_from.0 |= Audience::bit(viewer);
            }
        }
        self.position.play(by, action);
        self.log.push(entry);
        if self.log.len().is_multiple_of(CHECKPOINT) {
            self.checkpoints.push(self.position.clone());
        }
    }

    /// Takes back the last `count` actions.
    pub fn undo(&mut self, count: u64) -> Result<(), UndoError> {
        let made = self.log.len();
        let back = usize::try_from(count).ok().filter(|&count| count <= made);
        let keep = made - back.ok_or(UndoError::TooMany { asked: count, made })?;
        self.log.truncate(keep);
        self.checkpoints.truncate(keep / CHECKPOINT + 1);
        self.position = self.at(keep);
        Ok(())
    }

    /// The position after the first `ply` actions.
    ///
    /// # Panics
    /// If fewer were made.
    pub fn at(&self, ply: usize) -> G {
        let from = ply / CHECKPOINT;
        let mut position = self.checkpoints[from].clone();
        for entry in &self.log[from * CHECKPOINT..ply] {
            position.play(entry.by, entry.action);
        }
        position
    }

    /// What was done, as far as this viewer has seen it.
    pub fn seen(&self, viewer: Viewer) -> impl Iterator<Item = (Actor, Option<G::Action>)> {
        self.log.iter().map(move |entry| (entry.by, entry.seen(viewer)))
    }

    /// Goes through the positions from the one after `ply` actions on, each with what was done there, as far as this
    /// viewer has seen it. The positions are the full ones.
    ///
    /// # Panics
    /// If fewer actions were made.
    pub fn replay(&self, viewer: Viewer, ply: usize, mut visit: impl FnMut(&G, Actor, Option<G::Action>)) {
        let mut position = self.at(ply);
        for entry in &self.log[ply..] {
            visit(&position, entry.by, entry.seen(viewer));
            position.play(entry.by, entry.action);
        }
    }

    /// The log as this viewer may read it.
    pub fn log(&self, viewer: Viewer) -> Vec<Step> {
        self.log_from(0, viewer)
    }

    /// The log after the first `ply` actions, as this viewer may read it.
    pub fn log_from(&self, ply: usize, viewer: Viewer) -> Vec<Step> {
        let lines = self.log.iter().skip(ply);
        lines.map(|entry| Step { by: entry.by, action: entry.text(viewer) }).collect()
    }

    /// The position in the JSON shape that all programs share.
    pub fn to_json(&self, viewer: Viewer) -> Position {
        Position::of(&self.position, self.log.len(), viewer)
    }

    /// The game as a record, everything shown.
    pub fn record(&self) -> Record {
        Record {
            game: G::ID.to_owned(),
            seats: self.position.seats(),
            options: given_options::<G>(&self.options),
            headers: self.headers.clone(),
            result: self.position.outcome().map(OutcomeJson::from).into(),
            scores: Some(scores(&self.position)),
            steps: self.log(Viewer::Everything),
            places: Places::default(),
        }
    }
}

impl<A: Copy + ToString> Entry<A> {
    fn is_hidden_from(&self, viewer: Viewer) -> bool {
        self.hidden_from.0 & Audience::bit(viewer) != 0
    }

    fn seen(&self, viewer: Viewer) -> Option<A> {
        (!self.is_hidden_from(viewer)).then_some(self.action)
    }

    fn text(&self, viewer: Viewer) -> String {
        match self.redacted {
            Some(text) if self.is_hidden_from(viewer) => text.to_owned(),
            _ => self.action.to_string(),
        }
    }
}

pub(crate) fn no_such_seats<G: Game>(seats: u64) -> SetupError {
    SetupError::Seats { game: G::TITLE, seats, allowed: G::SEATS }
}

/// The options that differ from the defaults, for people to read.
fn given_options<G: Game>(options: &G::Options) -> serde_json::Map<String, serde_json::Value> {
    let object = |options: &G::Options| match serde_json::to_value(options) {
        Ok(serde_json::Value::Object(object)) => object,
        other => unreachable!("options are a struct, not {other:?}"),
    };
    let defaults = object(&G::Options::default());
    let mut given = object(options);
    given.retain(|name, value| defaults.get(name) != Some(value));
    given
}

/// The beginning of a text that may be very long, for an error message.
pub(crate) fn excerpt(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}
