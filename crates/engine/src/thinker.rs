//! Players behind the object-safe face of a game: texts in, texts out.

use std::{fmt, marker::PhantomData, str::FromStr};

use quincunx_core::{DynSession, Game, Seat, Session, Step};
use quincunx_games::{CastleBuilders, Figures, ModX, Trexo, XMarksTheSpot};

use crate::{
    AtLevel, Budget, CastleBuildersPlayer, Control, FiguresPlayer, Greedy, Knowledge, Level, Mcts, ModXPlayer, Player,
    Random, Thought, TrexoPlayer, XMarksTheSpotGreedy, XMarksTheSpotPlayer,
};

/// A player for a game that is not known when the program is compiled.
pub trait Thinker: Send {
    /// An action for a seat that has one: on turn always, out of turn only if it does not rather wait.
    ///
    /// # Panics
    /// If the table is of another game than the thinker.
    fn think(&mut self, table: &dyn DynSession, seat: Seat, control: &Control<'_>) -> Option<Thought>;
}

/// A [`Player`] of one game as a [`Thinker`].
struct Of<G, P> {
    player: P,
    game: PhantomData<fn() -> G>,
}

impl<G: Game, P: Player<G>> Thinker for Of<G, P> {
    fn think(&mut self, table: &dyn DynSession, seat: Seat, control: &Control<'_>) -> Option<Thought> {
        let session: &Session<G> = table.as_any().downcast_ref().expect("a thinker plays its own game");
        let known = Knowledge::of(session, seat);
        let thought = if table.turn() == quincunx_core::Turn::Seat(seat) {
            self.player.think(&known, control)
        } else {
            self.player.interject(&known, control)?
        };
        Some(Thought {
            action: thought.action.to_string(),
            expected: thought.expected,
            line: thought.line.into_iter().map(|Step { by, action }| Step { by, action: action.to_string() }).collect(),
            nodes: thought.nodes,
        })
    }
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
    /// What the engine may use for a move if nothing else is said.
    pub const fn budget(self) -> Budget {
        match self {
            Self::Level(level) => level.budget(),
            Self::Mcts | Self::Greedy | Self::Random => Level::Club.budget(),
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
