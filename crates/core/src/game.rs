//! The word "game" as a trait.

use std::{
    fmt::{Debug, Display},
    hash::Hash,
    str::FromStr,
};

use rand::{Rng, RngExt};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use crate::{Actor, Outcome, Reason, Reasons, Seat, SetupError, Turn, Viewer};

/// What a viewer may see of a position: JSON for drawing the table, and a text picture of it.
///
/// `Display` draws the picture, with colours in the alternate form (`{:#}`); both are made from the view alone, so
/// neither can show more than the viewer may see.
pub trait View: Serialize + JsonSchema + Display {}

impl<T: Serialize + JsonSchema + Display> View for T {}

/// Who made a game, as its rulebook says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Credits {
    /// The author or authors, or who publishes it where no author is named.
    pub by: &'static str,
    /// What else there is to tell: licence, publisher, artwork, translators, ages, minutes. Empty if there is nothing.
    pub also: &'static str,
}

/// A position of one game, with the rules to go on from it.
///
/// A value is a whole position, hidden cards included: cheap to clone, without I/O, clock, global state or random
/// generator. Whatever is hidden from a viewer is left out by [`view`](Self::view), by
/// [`redacted`](Self::redacted) and by what [`check`](Self::check) says.
pub trait Game: Clone + PartialEq + Debug + Send + Sync + Sized + 'static {
    /// The id in records and on the command line, such as `mod-x`.
    const ID: &'static str;
    /// The name for people.
    const TITLE: &'static str;
    /// Who made it.
    const CREDITS: Credits;
    /// The rules as this implementation plays them, as Markdown.
    const RULES: &'static str;
    /// The numbers of seats it can be played with, smallest first.
    const SEATS: &'static [u8];
    /// Whether some see more than others: what one viewer is shown does not follow from the actions that he may read.
    const HIDDEN_INFORMATION: bool = false;

    /// What a table agrees on before play. Read from JSON: unknown names and values out of range are errors.
    type Options: Serialize + DeserializeOwned + JsonSchema + Default + Clone + PartialEq + Debug + Send + Sync;
    /// One step, by a seat or by chance. The text (`Display`, `FromStr`) is the one of the rules page; reading
    /// needs no position, and what is read but written otherwise is refused for all games in [`Session`](crate::Session).
    type Action: Copy + Eq + Hash + Debug + Display + FromStr<Err = Self::Refusal> + Send + Sync;
    type View: View;
    /// Why an action or a table of this game is refused, with [`ID`](Self::ID) as the area of the codes.
    type Refusal: Reasons + PartialEq + Debug;

    /// The start position, for a number of seats out of [`SEATS`](Self::SEATS). Checks what single options cannot:
    /// how they fit each other and the seats.
    fn new(seats: u8, options: &Self::Options) -> Result<Self, SetupError>;

    fn seats(&self) -> u8;

    /// The side a seat plays for: partners have the same number.
    fn side(&self, seat: Seat) -> u8 {
        seat.number()
    }

    fn turn(&self) -> Turn;

    /// The result, exactly when [`turn`](Self::turn) is [`Turn::Over`].
    fn outcome(&self) -> Option<Outcome>;

    /// A seat's own points, also before the end.
    fn score(&self, seat: Seat) -> i32;

    /// Appends every legal action of this seat, in turn or out of turn, each once. The order means nothing.
    fn actions(&self, seat: Seat, out: &mut Vec<Self::Action>);

    /// At a chance turn, appends every possible outcome, each once, with its weight above 0.
    fn chances(&self, _out: &mut Vec<(Self::Action, u32)>) {}

    /// Whether the action is legal now, and if not, why: agrees with [`actions`](Self::actions) and
    /// [`chances`](Self::chances). For a seat the reason uses only what that seat knows.
    fn check(&self, by: Actor, action: Self::Action) -> Result<(), Reason>;

    /// Makes a legal action, without looking whether it is: for search. What happens otherwise is not defined (it may
    /// panic), so what comes from outside goes through [`try_play`](Self::try_play).
    fn play(&mut self, by: Actor, action: Self::Action);

    /// Makes an action if it is legal; otherwise the position stays as it was.
    fn try_play(&mut self, by: Actor, action: Self::Action) -> Result<(), Reason> {
        self.check(by, action)?;
        self.play(by, action);
        Ok(())
    }

    /// A random action of the actor on turn: uniform among a seat's legal actions, by weight among chance outcomes.
    /// Games that can do better than listing them all override this; the distribution must be the same.
    ///
    /// # Panics
    /// If the actor has no action.
    #[inline]
    fn random<R: Rng + ?Sized>(&self, by: Actor, rng: &mut R, scratch: &mut Scratch<Self::Action>) -> Self::Action {
        match by {
            Actor::Seat(seat) => {
                scratch.actions.clear();
                self.actions(seat, &mut scratch.actions);
                scratch.actions[rng.random_range(0..scratch.actions.len())]
            }
            Actor::Chance => {
                scratch.chances.clear();
                self.chances(&mut scratch.chances);
                let total = scratch.chances.iter().map(|&(_, weight)| weight).sum();
                let mut at = rng.random_range(0..total);
                let drawn = scratch.chances.iter().find(|&&(_, weight)| {
                    let here = at < weight;
                    at = at.wrapping_sub(weight);
                    here
                });
                drawn.expect("a number below the total falls on an outcome").0
            }
        }
    }

    /// Whether a player has to notice this action himself: it is legal and listed, but what people see must not
    /// offer it, count it or point at it.
    fn must_be_noticed(_action: Self::Action) -> bool {
        false
    }

    /// The text this viewer gets instead of the action's own, if its content is secret from him; asked of the
    /// position before the action.
    fn redacted(&self, _by: Actor, _action: Self::Action, _viewer: Viewer) -> Option<&'static str> {
        None
    }

    fn view(&self, viewer: Viewer) -> Self::View;

    /// A full position drawn at random from those that this viewer cannot tell from the true one, which is itself
    /// among them. With nothing hidden that is the position itself.
    #[must_use]
    fn sample<R: Rng + ?Sized>(&self, _viewer: Viewer, _rng: &mut R) -> Self {
        self.clone()
    }

    /// A 64-bit hash of the position: of all that matters for how the game goes on.
    fn key(&self) -> u64;

    /// The same hash, computed anew: what an incrementally kept [`key`](Self::key) is tested against.
    fn key_from_scratch(&self) -> u64 {
        self.key()
    }
}

/// Buffers for lists of actions, kept by the caller so that walking through games does not allocate.
#[derive(Clone, Debug)]
pub struct Scratch<A> {
    pub actions: Vec<A>,
    pub chances: Vec<(A, u32)>,
}

impl<A> Default for Scratch<A> {
    fn default() -> Self {
        Self { actions: Vec::new(), chances: Vec::new() }
    }
}
