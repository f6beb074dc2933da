//! Pebbles, a made-up game besides the five: the browser's tests show that a game needs no change to the client.

use std::{fmt, str::FromStr};

use quincunx_core::{
    Actor, Credits, Fold, Game, GameKind, Of, Outcome, Reason, Reasons, Seat, SetupError, Turn, Viewer, Within,
};
use quincunx_engine::{Engine, generic};
use quincunx_rpc::Engines;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const OURS: &[&dyn GameKind] = quincunx_games::GAMES;

/// The five games, and Pebbles.
pub static GAMES: &[&dyn GameKind] = &{
    let mut games: [&dyn GameKind; OURS.len() + 1] = [&Of::<Pebbles>::NEW; OURS.len() + 1];
    let mut at = 0;
    while at < OURS.len() {
        games[at] = OURS[at];
        at += 1;
    }
    games
};

/// Pebbles has no engine of its own: the generic one plays it.
pub const ENGINES: Engines = Engines(|level, game| match game {
    Pebbles::ID => Some(generic::<Pebbles>(level)),
    _ => Engine::Level(level).thinker(game),
});

/// The most that a player takes at once.
const HANDFUL: u32 = 3;
/// The most that the waves add.
const WAVES: u32 = 3;

/// A heap of pebbles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pebbles {
    left: u32,
    /// Whether the waves have added theirs.
    begun: bool,
    /// Who is on turn next.
    next: Seat,
    taken: [u32; 2],
}

/// The options of Pebbles.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Pebbles on the heap before the waves add some.
    pebbles: Within<1, 99>,
}

impl Default for Options {
    fn default() -> Self {
        Self { pebbles: Within::literal(21) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// The waves add so many.
    Add(u32),
    Take(u32),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add(pebbles) => write!(f, "+{pebbles}"),
            Self::Take(pebbles) => write!(f, "take {pebbles}"),
        }
    }
}

impl FromStr for Action {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let (make, number): (fn(u32) -> Self, _) = match (text.strip_prefix('+'), text.strip_prefix("take ")) {
            (Some(number), _) => (Self::Add, number),
            (_, Some(number)) => (Self::Take, number),
            _ => return Err(Refusal::Form { most: HANDFUL }),
        };
        number.parse().map(make).map_err(|_| Refusal::NoNumber { text: number.to_owned() })
    }
}

/// Why an action is refused.
#[derive(PartialEq, Debug, thiserror::Error, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Refusal {
    #[error("an action is take 1 to take {most}")]
    Form { most: u32 },
    #[error("{text:?} is not a number of pebbles")]
    NoNumber { text: String },
    #[error("the waves add 0 to {most} pebbles")]
    Waves { most: u32 },
    #[error("only {left} pebbles are left")]
    Left { left: u32 },
    #[error("a player takes 1 to {most} pebbles")]
    Handful { most: u32 },
}

impl Reasons for Refusal {
    const AREA: &'static str = Pebbles::ID;
}

/// What everybody sees.
#[derive(Serialize, JsonSchema)]
pub struct View {
    /// Pebbles on the heap.
    left: u32,
    /// Pebbles that each seat has taken.
    taken: [u32; 2],
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ROW: u32 = 10;
        for row in 0..self.left.div_ceil(ROW) {
            writeln!(f, "{}", "o".repeat((self.left - row * ROW).min(ROW) as usize))?;
        }
        write!(f, "{} left; taken {} and {}", self.left, self.taken[0], self.taken[1])
    }
}

impl Game for Pebbles {
    const ID: &'static str = "pebbles";
    const TITLE: &'static str = "Pebbles";
    const CREDITS: Credits = Credits { by: "the tests", also: "" };
    const RULES: &'static str = "# Pebbles\n\nThe waves add up to three pebbles to a heap. Then two players take one, two or three \
                                 of them in turn. Whoever takes the last one wins.\n";
    const SEATS: &'static [u8] = &[2];
    type Options = Options;
    type Action = Action;
    type View = View;
    type Refusal = Refusal;

    fn new(_: u8, options: &Options) -> Result<Self, SetupError> {
        Ok(Self { left: options.pebbles.get(), begun: false, next: Seat::new(0), taken: [0; 2] })
    }

    fn seats(&self) -> u8 {
        2
    }

    fn turn(&self) -> Turn {
        match self {
            Self { begun: false, .. } => Turn::Chance,
            Self { left: 0, .. } => Turn::Over,
            Self { next, .. } => Turn::Seat(*next),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.turn() == Turn::Over).then(|| Outcome::win([self.next.next(2)], "last-pebble"))
    }

    fn score(&self, seat: Seat) -> i32 {
        self.taken[seat.index()].cast_signed()
    }

    fn actions(&self, seat: Seat, out: &mut Vec<Action>) {
        if self.turn() == Turn::Seat(seat) {
            out.extend((1..=HANDFUL.min(self.left)).map(Action::Take));
        }
    }

    fn chances(&self, out: &mut Vec<(Action, u32)>) {
        if self.turn() == Turn::Chance {
            out.extend((0..=WAVES).map(|pebbles| (Action::Add(pebbles), 1)));
        }
    }

    fn check(&self, by: Actor, action: Action) -> Result<(), Reason> {
        self.turn().admit(by)?;
        match (by, action) {
            (Actor::Chance, Action::Add(0..=WAVES)) => Ok(()),
            (Actor::Chance, _) => Err(Refusal::Waves { most: WAVES }.into()),
            (Actor::Seat(_), Action::Take(pebbles)) if pebbles > self.left => {
                Err(Refusal::Left { left: self.left }.into())
            }
            (Actor::Seat(_), Action::Take(1..=HANDFUL)) => Ok(()),
            (Actor::Seat(_), _) => Err(Refusal::Handful { most: HANDFUL }.into()),
        }
    }

    fn play(&mut self, _: Actor, action: Action) {
        match action {
            Action::Add(pebbles) => {
                self.left += pebbles;
                self.begun = true;
            }
            Action::Take(pebbles) => {
                self.left -= pebbles;
                self.taken[self.next.index()] += pebbles;
                self.next = self.next.next(2);
            }
        }
    }

    fn view(&self, _: Viewer) -> View {
        View { left: self.left, taken: self.taken }
    }

    fn key(&self) -> u64 {
        let words = [self.left, u32::from(self.begun), u32::from(self.next.number()), self.taken[0], self.taken[1]];
        Fold::default().words(words.map(u64::from)).key()
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicU64, Ordering},
        time::Duration,
    };

    use quincunx_core::{Session, any_step};
    use quincunx_engine::Clock;
    use quincunx_rpc::Rpc;
    use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
    use serde_json::{Value, json};

    use super::*;

    fn play(pebbles: u32, actions: &[&str]) -> Session<Pebbles> {
        let options = serde_json::from_value(json!({ "pebbles": pebbles })).expect("a heap");
        let mut session = Session::<Pebbles>::new(2, options).expect("a game");
        for action in actions {
            session.apply(None, action).expect("a legal action");
        }
        session
    }

    #[test]
    fn whoever_takes_the_last_pebble_wins() {
        let session = play(4, &["+1", "take 3", "take 1", "take 1"]);
        let game = session.game();
        assert_eq!(game.outcome(), Some(Outcome::win([Seat::new(0)], "last-pebble")));
        assert_eq!(Seat::all(2).map(|seat| game.score(seat)).collect::<Vec<_>>(), [4, 1]);
        assert_eq!(game.view(Viewer::Spectator).to_string(), "0 left; taken 4 and 1");
    }

    #[test]
    fn a_player_takes_one_to_three_of_what_is_left() {
        let mut session = play(2, &["+0"]);
        for (text, why) in [
            ("take 3", "only 2 pebbles are left"),
            ("take 0", "a player takes 1 to 3"),
            ("+1", "a player takes"),
            ("take 01", "is written"),
            ("take x", "not a number"),
            ("give 1", "an action is"),
        ] {
            let refused = session.apply(None, text).expect_err(text).to_string();
            assert!(refused.contains(why), "{text}: {refused}");
        }
        assert_eq!(session.game().view(Viewer::Spectator).to_string(), "oo\n2 left; taken 0 and 0");
    }

    #[test]
    fn what_is_listed_is_what_is_legal() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
        for pebbles in 1..=30 {
            let mut game = play(pebbles, &[]).game().clone();
            while let Some((actor, action)) = any_step(&game, &mut rng) {
                let mut listed = Vec::new();
                match actor {
                    Actor::Seat(seat) => game.actions(seat, &mut listed),
                    Actor::Chance => {
                        let mut outcomes = Vec::new();
                        game.chances(&mut outcomes);
                        listed.extend(outcomes.iter().map(|&(outcome, _)| outcome));
                    }
                }
                for action in (0..9).flat_map(|number| [Action::Add(number), Action::Take(number)]) {
                    assert_eq!(game.check(actor, action).is_ok(), listed.contains(&action), "{action} in {game:?}");
                    assert_eq!(action.to_string().parse(), Ok(action));
                }
                game.play(actor, action);
            }
            assert!(game.outcome().is_some());
        }
    }

    /// A clock that goes on by a millisecond each time somebody looks at it.
    #[derive(Default)]
    struct Ticking(AtomicU64);

    impl Clock for Ticking {
        fn now(&self) -> Duration {
            Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
        }
    }

    #[test]
    fn it_stands_beside_the_five_games_and_the_generic_engine_plays_it() {
        let rng = Box::new(Xoshiro256PlusPlus::seed_from_u64(6));
        let mut rpc = Rpc::new(GAMES, rng, Box::new(Ticking::default())).with_engines(ENGINES);
        let mut ask = |method: &str, params: Value| {
            let line = json!({"id": 1, "method": method, "params": params}).to_string();
            let answer: Value = serde_json::from_str(&rpc.line(&line).expect("an answer")).expect("JSON");
            answer.get("result").cloned().unwrap_or_else(|| panic!("{answer}"))
        };
        assert_eq!(ask("games", json!({})).as_array().map(Vec::len), Some(OURS.len() + 1));
        for game in GAMES {
            assert_eq!(ask("about", json!({"game": game.id()}))["engine"], true, "{}", game.id());
        }
        let record = "Game: pebbles\nSeats: 2\nOptions: {\"pebbles\":5}\n\n(+2)\n0: take 2\n1: take 2\n";
        let session = ask("load", json!({ "record": record }))["session"].take();
        let thought = ask("bestmove", json!({"session": session, "level": "master"}));
        assert_eq!(thought["action"], "take 3", "it takes the last ones");
    }
}
