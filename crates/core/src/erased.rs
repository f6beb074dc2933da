//! Games behind object-safe traits, with texts and JSON: what the command line, the server, the browser and Python use.

use std::{any::Any, fmt::Debug, marker::PhantomData};

use rand::Rng;
use serde_json::Value;

use crate::{
    ActionError, Actor, Credits, Game, Outcome, Position, Record, Seat, Session, SetupError, Step, Turn, UndoError,
    Viewer, options_from_json,
    position::scores,
    record::Headers,
    session::{excerpt, no_such_seats},
};

#[cfg(feature = "tools")]
use {
    crate::{Codes, Playouts, Scratch, codes, perft, playout, playout::for_each_action},
    rand::{SeedableRng, rngs::Xoshiro256PlusPlus},
    schemars::generate::SchemaSettings,
};

/// A game being played: a [`Session`] whose game is not known when the program is compiled.
pub trait DynSession: Debug + Send + Sync {
    fn kind(&self) -> &'static dyn GameKind;
    fn seats(&self) -> u8;
    fn ply(&self) -> usize;
    fn turn(&self) -> Turn;
    fn outcome(&self) -> Option<Outcome>;
    /// The side a seat plays for: partners have the same number.
    fn side(&self, seat: Seat) -> u8;
    fn headers(&self) -> &Headers;
    fn set_headers(&mut self, headers: Headers);

    /// Makes the action with this text, by the given seat, or by whoever is on turn.
    fn apply(&mut self, seat: Option<u64>, text: &str) -> Result<(), ActionError>;
    /// Makes the action with this text by exactly this actor.
    fn apply_by(&mut self, by: Actor, text: &str) -> Result<(), ActionError>;
    /// Whether exactly this actor may make the action with this text now.
    fn check(&self, by: Actor, text: &str) -> Result<(), ActionError>;
    /// At a chance turn, picks an outcome by weight, without making it, and gives its text.
    fn pick(&self, rng: &mut dyn Rng) -> Result<String, ActionError>;
    /// At a chance turn, draws an outcome by weight and gives its text.
    fn draw(&mut self, rng: &mut dyn Rng) -> Result<String, ActionError>;
    /// Takes back the last `count` actions.
    fn undo(&mut self, count: u64) -> Result<(), UndoError>;

    /// The position as this viewer may see it.
    fn position(&self, viewer: Viewer) -> Position;
    /// What this viewer may see of the position, as JSON: the `view` of [`position`](Self::position), without its cost.
    fn view_json(&self, viewer: Viewer) -> String;
    /// Each seat's own points.
    fn scores(&self) -> Vec<i32>;
    /// The legal actions of a seat.
    fn actions(&self, seat: Seat) -> Vec<String>;
    /// The legal actions of a seat that may be offered to a person: without those he has to notice himself.
    fn offers(&self, seat: Seat) -> Vec<String>;
    /// The position as text, with colours if asked for.
    fn picture(&self, viewer: Viewer, colours: bool) -> String;
    /// What happened so far, as this viewer may read it.
    fn log(&self, viewer: Viewer) -> Vec<Step>;
    /// What happened after the first `ply` actions, as this viewer may read it.
    fn log_from(&self, ply: usize, viewer: Viewer) -> Vec<Step>;
    /// The game as a record, everything shown.
    fn record(&self) -> Record;

    #[cfg(feature = "tools")]
    /// The number of sequences of `depth` actions from here; `progress` hears now and then how many first actions are done,
    /// with the number of them, and stops the count by answering `false`.
    fn perft(&self, depth: u32, progress: &mut dyn FnMut(usize, usize) -> bool) -> Option<u64>;
    #[cfg(feature = "tools")]
    /// Plays random games from here, until `go_on` says no (it is asked after each batch of some thousand actions).
    fn playouts(&self, seed: u64, go_on: &mut dyn FnMut(Playouts) -> bool) -> Playouts;

    fn boxed_clone(&self) -> Box<dyn DynSession>;
    /// A table that goes on from a position which this viewer cannot tell from the true one. It has no history.
    fn imagined(&self, viewer: Viewer, rng: &mut dyn Rng) -> Box<dyn DynSession>;
    /// The [`Session`] itself, for callers that know its game.
    fn as_any(&self) -> &dyn Any;
}

impl<G: Game> DynSession for Session<G> {
    fn kind(&self) -> &'static dyn GameKind {
        const { &Of::<G>::NEW }
    }

    fn seats(&self) -> u8 {
        self.game().seats()
    }

    fn ply(&self) -> usize {
        Session::ply(self)
    }

    fn turn(&self) -> Turn {
        self.game().turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game().outcome()
    }

    fn side(&self, seat: Seat) -> u8 {
        self.game().side(seat)
    }

    fn headers(&self) -> &Headers {
        Session::headers(self)
    }

    fn set_headers(&mut self, headers: Headers) {
        Session::set_headers(self, headers);
    }

    fn apply(&mut self, seat: Option<u64>, text: &str) -> Result<(), ActionError> {
        Session::apply(self, seat, text)
    }

    fn apply_by(&mut self, by: Actor, text: &str) -> Result<(), ActionError> {
        Session::apply_by(self, by, text)
    }

    fn check(&self, by: Actor, text: &str) -> Result<(), ActionError> {
        Session::check(self, by, text).map(|_| ())
    }

    fn pick(&self, rng: &mut dyn Rng) -> Result<String, ActionError> {
        Session::pick(self, rng).map(|outcome| outcome.to_string())
    }

    fn draw(&mut self, rng: &mut dyn Rng) -> Result<String, ActionError> {
        Session::draw(self, rng)
    }

    fn undo(&mut self, count: u64) -> Result<(), UndoError> {
        Session::undo(self, count)
    }

    fn position(&self, viewer: Viewer) -> Position {
        self.to_json(viewer)
    }

    fn view_json(&self, viewer: Viewer) -> String {
        serde_json::to_string(&self.game().view(viewer)).expect("a view is plain data with text keys")
    }

    fn scores(&self) -> Vec<i32> {
        scores(self.game())
    }

    fn actions(&self, seat: Seat) -> Vec<String> {
        let mut actions = Vec::new();
        self.game().actions(seat, &mut actions);
        actions.iter().map(ToString::to_string).collect()
    }

    fn offers(&self, seat: Seat) -> Vec<String> {
        let mut actions = Vec::new();
        self.game().actions(seat, &mut actions);
        actions.retain(|&action| !G::must_be_noticed(action));
        actions.iter().map(ToString::to_string).collect()
    }

    fn picture(&self, viewer: Viewer, colours: bool) -> String {
        let view = self.game().view(viewer);
        if colours { format!("{view:#}") } else { view.to_string() }
    }

    fn log(&self, viewer: Viewer) -> Vec<Step> {
        Session::log(self, viewer)
    }

    fn log_from(&self, ply: usize, viewer: Viewer) -> Vec<Step> {
        Session::log_from(self, ply, viewer)
    }

    fn record(&self) -> Record {
        Session::record(self)
    }

    #[cfg(feature = "tools")]
    fn perft(&self, depth: u32, progress: &mut dyn FnMut(usize, usize) -> bool) -> Option<u64> {
        let Some(below) = depth.checked_sub(1) else { return Some(1) };
        let first = successors(self.game());
        let mut count = 0;
        for (done, next) in first.iter().enumerate() {
            match below.checked_sub(1) {
                // What follows one action of a long sequence can take minutes.
                Some(deeper) if below > 2 => {
                    for later in successors(next) {
                        count += perft(&later, deeper);
                        if !progress(done, first.len()) {
                            return None;
                        }
                    }
                }
                _ => count += perft(next, below),
            }
            if !progress(done + 1, first.len()) {
                return None;
            }
        }
        Some(count)
    }

    #[cfg(feature = "tools")]
    fn playouts(&self, seed: u64, go_on: &mut dyn FnMut(Playouts) -> bool) -> Playouts {
        const BATCH: u64 = 4096;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut scratch = Scratch::default();
        let mut done = Playouts::default();
        let mut position = self.game().clone();
        while go_on(done) {
            let batch_end = done.actions + BATCH;
            while done.actions < batch_end {
                position.clone_from(self.game());
                done.actions += playout(&mut position, &mut rng, &mut scratch);
                done.games += 1;
                if done.actions == 0 {
                    return done;
                }
            }
        }
        done
    }

    fn boxed_clone(&self) -> Box<dyn DynSession> {
        Box::new(self.clone())
    }

    fn imagined(&self, viewer: Viewer, rng: &mut dyn Rng) -> Box<dyn DynSession> {
        Box::new(Session::imagined(self, viewer, rng))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The positions after each action that somebody may take.
#[cfg(feature = "tools")]
fn successors<G: Game>(game: &G) -> Vec<G> {
    let mut positions = Vec::new();
    for_each_action(game, |actor, action| {
        let mut next = game.clone();
        next.play(actor, action);
        positions.push(next);
    });
    positions
}

/// A game as the registry lists it.
pub trait GameKind: Debug + Send + Sync {
    fn id(&self) -> &'static str;
    fn title(&self) -> &'static str;
    /// Who made it.
    fn credits(&self) -> Credits;
    /// The rules page, as Markdown.
    #[cfg(feature = "tools")]
    fn rules(&self) -> &'static str;
    fn seats(&self) -> &'static [u8];
    /// Whether some see more than others.
    fn hidden_information(&self) -> bool;
    /// The JSON Schema of the options.
    fn options_schema(&self) -> Value;
    /// The JSON Schema of the `view` of a position.
    #[cfg(feature = "tools")]
    fn view_schema(&self) -> Value;
    /// The codes of all that only this game refuses.
    #[cfg(feature = "tools")]
    fn codes(&self) -> Codes;
    /// A new game; without a number of seats, for the smallest.
    fn start(&self, seats: Option<u64>, options: &Value) -> Result<Box<dyn DynSession>, SetupError>;
}

/// The [`GameKind`] of a [`Game`].
#[derive(Debug)]
pub struct Of<G>(PhantomData<fn() -> G>);

impl<G> Of<G> {
    pub const NEW: Self = Self(PhantomData);
}

impl<G: Game> GameKind for Of<G> {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn title(&self) -> &'static str {
        G::TITLE
    }

    fn credits(&self) -> Credits {
        G::CREDITS
    }

    #[cfg(feature = "tools")]
    fn rules(&self) -> &'static str {
        G::RULES
    }

    fn seats(&self) -> &'static [u8] {
        G::SEATS
    }

    fn hidden_information(&self) -> bool {
        G::HIDDEN_INFORMATION
    }

    fn options_schema(&self) -> Value {
        schemars::schema_for!(G::Options).to_value()
    }

    #[cfg(feature = "tools")]
    fn view_schema(&self) -> Value {
        // Views are only ever written: a member that may be null is there all the same.
        let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        generator.root_schema_for::<G::View>().to_value()
    }

    #[cfg(feature = "tools")]
    fn codes(&self) -> Codes {
        codes::<G::Refusal>()
    }

    fn start(&self, seats: Option<u64>, options: &Value) -> Result<Box<dyn DynSession>, SetupError> {
        let seats = seats.unwrap_or_else(|| u64::from(G::SEATS[0]));
        let known = u8::try_from(seats).map_err(|_| no_such_seats::<G>(seats))?;
        Ok(Box::new(Session::<G>::new(known, options_from_json(options)?)?))
    }
}

/// The game with this id.
pub fn find(games: &[&'static dyn GameKind], id: &str) -> Result<&'static dyn GameKind, SetupError> {
    games
        .iter()
        .copied()
        .find(|game| game.id() == id)
        .ok_or_else(|| SetupError::Game { asked: excerpt(id), known: games.iter().map(|game| game.id()).collect() })
}
