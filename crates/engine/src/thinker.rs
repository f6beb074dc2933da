//! Players behind the object-safe face of a game: texts in, texts out.

use std::{fmt, marker::PhantomData, str::FromStr, time::Duration};

use quincunx_core::{Actor, DynSession, Game, Seat, Session, Turn};
use quincunx_games::{CastleBuilders, Figures, ModX, Trexo, XMarksTheSpot};

use crate::{
    AtLevel, Budget, CastleBuildersPlayer, Control, FiguresPlayer, Greedy, Knowledge, Level, Mcts, ModXPlayer, Player,
    Random, Thought, TrexoPlayer, XMarksTheSpotGreedy, XMarksTheSpotPlayer, calibration::Correction,
};

/// A player for a game that is not known when the program is compiled.
pub trait Thinker: Send {
    /// An action for a seat that has one: on turn always, out of turn only if it does not rather wait.
    ///
    /// # Panics
    /// If the table is of another game than the thinker.
    fn think(&mut self, table: &dyn DynSession, seat: Seat, control: &Control<'_>) -> Option<Thought>;

    /// The same for the seat on turn, with a line for this action as well, whether it is good or not. Nothing if it is not legal.
    ///
    /// # Panics
    /// If the table is of another game than the thinker.
    fn judge(&mut self, table: &dyn DynSession, action: &str, control: &Control<'_>) -> Option<Thought>;
}

/// A [`Player`] of one game as a [`Thinker`].
struct Of<G, P> {
    player: P,
    game: PhantomData<fn() -> G>,
}

impl<G: Game, P: Player<G>> Of<G, P> {
    /// What the player makes of it, in texts. Compiled once for both ways to ask.
    #[inline(never)]
    fn ask(&mut self, known: &Knowledge<'_, G>, on_turn: bool, control: &Control<'_>) -> Option<Thought> {
        let mut thought =
            if on_turn { self.player.think(known, control) } else { self.player.interject(known, control)? };
        let correction = Correction::of(known);
        correction.apply(known, &mut thought.expected);
        for line in &mut thought.lines {
            correction.apply(known, &mut line.expected);
        }
        Some(thought.map(|action| action.to_string()))
    }
}

impl<G: Game, P: Player<G>> Thinker for Of<G, P> {
    fn think(&mut self, table: &dyn DynSession, seat: Seat, control: &Control<'_>) -> Option<Thought> {
        let session = session::<G>(table);
        let on_turn = table.turn() == Turn::Seat(seat);
        self.ask(&Knowledge::of(session, seat), on_turn, &control.at_ply(session.ply()))
    }

    fn judge(&mut self, table: &dyn DynSession, action: &str, control: &Control<'_>) -> Option<Thought> {
        let session = session::<G>(table);
        let Turn::Seat(seat) = session.game().turn() else { return None };
        let action = session.check(Actor::Seat(seat), action).ok()?;
        self.ask(&Knowledge::of(session, seat).asking(action), true, &control.at_ply(session.ply()))
    }
}

fn session<G: Game>(table: &dyn DynSession) -> &Session<G> {
    table.as_any().downcast_ref().expect("a thinker plays its own game")
}

/// The generic search at a level, for a game of which no engine knows more than its rules.
pub fn generic<G: Game>(level: Level) -> Box<dyn Thinker> {
    Box::new(Of { player: AtLevel { level, player: Mcts::default() }, game: PhantomData::<fn() -> G> })
}

/// Who thinks, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// The strongest there is for the game, at a level.
    Level(Level),
    /// The generic search, without any knowledge of the game.
    Mcts,
    Greedy,
    Random,
}

impl Engine {
    /// What the engine may use for a move in this game if nothing else is said.
    pub fn budget(self, game: &str) -> Budget {
        match self {
            Self::Level(level) => level.budget(game),
            Self::Mcts | Self::Greedy | Self::Random => Budget::time(Duration::from_millis(80)),
        }
    }

    /// The thinker for a game, by the id of the game. `None` if no engine knows it.
    pub fn thinker(self, game: &str) -> Option<Box<dyn Thinker>> {
        match game {
            Trexo::ID => Some(self.seated::<Trexo, TrexoPlayer, Greedy>()),
            ModX::ID => Some(self.seated::<ModX, ModXPlayer, Greedy>()),
            Figures::ID => Some(self.seated::<Figures, FiguresPlayer, Greedy>()),
            CastleBuilders::ID => Some(self.seated::<CastleBuilders, CastleBuildersPlayer, Greedy>()),
            // Scores alone tell next to nothing here: an X takes several turns.
            XMarksTheSpot::ID => Some(self.seated::<XMarksTheSpot, XMarksTheSpotPlayer, XMarksTheSpotGreedy>()),
            _ => None,
        }
    }

    /// The thinker for a game whose strongest player is `P`, and whose greedy one is `Q`.
    fn seated<G: Game, P: Player<G> + Default + 'static, Q: Player<G> + Default + 'static>(self) -> Box<dyn Thinker> {
        fn boxed<G: Game>(player: impl Player<G> + 'static) -> Box<dyn Thinker> {
            Box::new(Of { player, game: PhantomData::<fn() -> G> })
        }
        match self {
            Self::Level(level) => boxed::<G>(AtLevel { level, player: P::default() }),
            Self::Mcts => boxed::<G>(Mcts::default()),
            Self::Greedy => boxed::<G>(Q::default()),
            Self::Random => boxed::<G>(Random),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Level(level) => level.name(),
            Self::Mcts => "mcts",
            Self::Greedy => "greedy",
            Self::Random => "random",
        })
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "mcts" => Ok(Self::Mcts),
            "greedy" => Ok(Self::Greedy),
            "random" => Ok(Self::Random),
            _ => text.parse().map(Self::Level).map_err(|levels| format!("{levels}; besides mcts, greedy and random")),
        }
    }
}
