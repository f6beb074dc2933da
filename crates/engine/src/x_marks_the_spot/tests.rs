//! The player of X Marks the Spot: what it reckons against slow and obvious code, what it believes, and what it does in
//! positions where the right thing is plain.

mod beliefs;
mod concealment;
mod greedy;
mod hidden;
mod player;
mod policy;
mod sea;
mod trading;

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use quincunx_core::{Actor, Game, Scratch, Seat, Session, Turn, options_from_json};
use quincunx_games::x_marks_the_spot::{Action, Card, Options, Pirate, Square, XMarksTheSpot};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    policy::{Mind, Policy},
    settings::Settings,
};
use crate::{Budget, Clock, Control, Knowledge, Player, Thought};

/// A deck in which whatever a test wants to draw is there.
const PLENTY: &str = r#"{"deck":{"cc":40,"rr":40,"aa":40,"ww":40,"cr":40,"ca":40,"cw":40,"ra":40,"rw":40,"aw":40,"cg":40,
    "rg":40,"ag":40,"wg":40,"co":40,"ro":40,"ao":40,"wo":40,"ck":40,"rk":40,"ak":40,"wk":40,"gk":40,"go":40,"ko":40,
    "cannon":40,"heading":40,"parlay":40,"plunder":40},"doubloons":2}"#;

/// Options that lead to unusual positions.
const ODD_OPTIONS: [&str; 8] = [
    // The table is empty again and again.
    r#"{"deck":{"cr":8,"rg":4,"wo":4,"cannon":30,"heading":20,"plunder":8,"parlay":4}}"#,
    // Hardly a card besides those in the hands.
    r#"{"deck":{"cg":9,"rk":9,"aw":8}}"#,
    // Nobody can play anything but talk and plunder.
    r#"{"deck":{"cannon":10,"heading":10,"parlay":10,"plunder":10},"turn_limit":30}"#,
    r#"{"deck":{"cr":2,"gk":2,"parlay":30,"plunder":30},"turn_limit":60}"#,
    r#"{"doubloons":1}"#,
    r#"{"doubloons":9,"deck":{"cc":40,"rr":40,"aa":40,"ww":40,"go":40}}"#,
    r#"{"turn_limit":3}"#,
    // Two ghost ships, krakens, open waters on a card.
    r#"{"deck":{"gg":9,"kk":6,"oo":6,"cr":9,"aw":6,"ck":3,"cannon":5,"heading":5,"plunder":3,"parlay":3}}"#,
];

fn options(json: &str) -> Options {
    options_from_json(&serde_json::from_str(json).unwrap()).unwrap()
}

/// Time stands still.
struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

static GO: AtomicBool = AtomicBool::new(false);

/// What a player answers for the seat on turn, who has seen the whole game.
fn think(
    player: &mut impl Player<XMarksTheSpot>,
    session: &Session<XMarksTheSpot>,
    nodes: u64,
    seed: u64,
) -> Thought<Action> {
    let Turn::Seat(seat) = session.game().turn() else { panic!("nobody is to think") };
    assert!(!GO.load(Ordering::Relaxed));
    player.think(&Knowledge::of(session, seat), &Control::new(Budget::nodes(nodes), seed, &Still, &GO))
}

/// A hand that is of no use to anybody.
const FILL: &str = "ko ko ko ko";

/// A game driven by texts.
struct Table(Session<XMarksTheSpot>);

impl Table {
    /// A table with plenty of all cards, after these flags (`"cr"`) and hands of four were dealt. Two doubloons win.
    fn dealt(flags: &str, hands: &[&str]) -> Self {
        let mut table = Self(Session::new(hands.len() as u8, options(PLENTY)).unwrap());
        for flag in flags.chars() {
            table.does(&format!("flag:{flag}"));
        }
        for hand in hands {
            table.draws(hand);
        }
        table
    }

    /// Makes actions, separated by semicolons, each by whoever is on turn.
    #[track_caller]
    fn does(&mut self, actions: &str) -> &mut Self {
        for action in actions.split(';').map(str::trim) {
            if let Err(error) = self.0.apply(None, action) {
                panic!("{action}: {error}");
            }
        }
        self
    }

    #[track_caller]
    fn draws(&mut self, cards: &str) -> &mut Self {
        for card in cards.split_whitespace() {
            self.does(&format!("+{card}"));
        }
        self
    }

    /// Lays cards such as `"cr 0,0 e; aw 0,1 n"`, two in a turn, each drawn just before.
    #[track_caller]
    fn lays(&mut self, places: &str) -> &mut Self {
        let places: Vec<&str> = places.split(';').map(str::trim).collect();
        for pair in places.chunks(2) {
            self.does("draw");
            for place in pair {
                self.draws(place.split(' ').next().unwrap());
            }
            for place in pair {
                self.does(&format!("place {place}"));
            }
        }
        self
    }

    fn game(&self) -> &XMarksTheSpot {
        self.0.game()
    }

    /// The text of what a player answers here.
    fn answer(&self, player: &mut impl Player<XMarksTheSpot>, nodes: u64, seed: u64) -> String {
        think(player, &self.0, nodes, seed).action.to_string()
    }
}

fn card(name: &str) -> Card {
    name.parse().unwrap()
}

fn seat(number: u8) -> Seat {
    Seat::new(number)
}

/// What somebody wishes who fears all other flags alike.
fn wary(flag: Pirate) -> Mind {
    let mut wishes = [-0.4; 4];
    wishes[flag as usize] = 1.0;
    Mind { flag, wishes }
}

/// Plays a game, half of it at random and half at a glance so that there are X's, and shows every position in which
/// somebody is to act.
fn stroll(seats: u8, options: &Options, seed: u64, plies: usize, mut visit: impl FnMut(&XMarksTheSpot, Seat)) {
    let mut game = XMarksTheSpot::new(seats, options).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut scratch = Scratch::default();
    let mut policy = Policy::new(Settings::default());
    for _ in 0..plies {
        let Some(actor) = game.turn().actor() else { return };
        let mut action = game.random(actor, &mut rng, &mut scratch);
        if let Actor::Seat(seat) = actor {
            visit(&game, seat);
            if rng.random() {
                action = policy.choose(&game, seat, &wary(game.flag(seat).unwrap()));
            }
        }
        assert_eq!(game.check(actor, action), Ok(()), "{action}");
        game.play(actor, action);
    }
}

fn legal(game: &XMarksTheSpot, seat: Seat) -> Vec<Action> {
    let mut actions = Vec::new();
    game.actions(seat, &mut actions);
    actions
}

/// Lays cards one after another, each where this is highest, with players that scuttle nothing and shoot nothing.
fn spread(seats: u8, options: &Options, cards: usize, far: impl Fn(Square) -> i32) -> XMarksTheSpot {
    let mut game = XMarksTheSpot::new(seats, options).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut scratch = Scratch::default();
    let mut laid = 0;
    while laid < cards || game.turn() == Turn::Chance {
        let actor = game.turn().actor().expect("there are cards and turns enough");
        let farthest = match actor {
            Actor::Seat(seat) => {
                let places = legal(&game, seat).into_iter().filter_map(|action| match action {
                    Action::Place { at, direction, .. } => Some((far(at) + far(at.step(direction)), action)),
                    _ => None,
                });
                places.max_by_key(|&(far, _)| far).map(|(_, action)| action)
            }
            Actor::Chance => None,
        };
        laid += usize::from(farthest.is_some());
        let action = farthest.unwrap_or_else(|| match actor {
            Actor::Seat(seat) => legal(&game, seat)[0],
            Actor::Chance => game.random(actor, &mut rng, &mut scratch),
        });
        game.play(actor, action);
    }
    game
}
