//! The players that need no knowledge of a game, on the real games.

mod common;

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use common::{GO, Ticking, midgame};
use quincunx_core::{Actor, Game, Scratch, Seat, Session, Step, Turn, options_from_json};
use quincunx_engine::{Budget, Control, Greedy, Knowledge, Mcts, Player, Random, Thought};
use quincunx_games::{CastleBuilders, Figures, ModX, Trexo, XMarksTheSpot};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

fn session<G: Game>(seats: u8, options: &Value, actions: &str) -> Session<G> {
    let mut session = Session::new(seats, options_from_json(options).unwrap()).unwrap();
    for action in actions.split(';').map(str::trim).filter(|action| !action.is_empty()) {
        session.apply(None, action).unwrap();
    }
    session
}

fn start<G: Game>(seats: u8) -> G {
    G::new(seats, &G::Options::default()).unwrap()
}

fn think<G: Game>(player: &mut impl Player<G>, game: &G, nodes: u64, seed: u64) -> Thought<G::Action> {
    let Turn::Seat(seat) = game.turn() else { panic!("nobody is to think") };
    let clock = Ticking::default();
    player.think(&Knowledge::new(game, seat), &Control::new(Budget::nodes(nodes), seed, &clock, &GO))
}

fn every_player_answers_with_a_legal_action<G: Game>(seats: u8) {
    for seed in 0..6 {
        let game: G = midgame(seats, seed, 7 * seed as usize);
        let Turn::Seat(seat) = game.turn() else { unreachable!() };
        let thoughts = [
            think(&mut Mcts::default(), &game, 300, seed),
            think(&mut Greedy, &game, 1, seed),
            think(&mut Random, &game, 1, seed),
        ];
        for thought in thoughts {
            assert_eq!(game.check(Actor::Seat(seat), thought.action), Ok(()));
            assert_eq!(
                thought.line[0],
                Step { by: Actor::Seat(seat), action: thought.action },
                "the line begins with the action"
            );
        }
    }
}

#[test]
fn every_player_answers_with_a_legal_action_in_every_game() {
    every_player_answers_with_a_legal_action::<Trexo>(2);
    every_player_answers_with_a_legal_action::<CastleBuilders>(2);
    for seats in 2..=4 {
        every_player_answers_with_a_legal_action::<ModX>(seats);
        every_player_answers_with_a_legal_action::<XMarksTheSpot>(seats);
    }
    every_player_answers_with_a_legal_action::<Figures>(2);
    every_player_answers_with_a_legal_action::<Figures>(4);
}

#[test]
fn a_search_with_the_same_seed_and_nodes_gives_the_same_answer_twice() {
    fn twice<G: Game>(seats: u8) {
        let game: G = midgame(seats, 3, 20);
        let search = |seed| think(&mut Mcts::default(), &game, 2000, seed);
        assert_eq!(search(1), search(1));
        assert_eq!(search(1).nodes, 2000);
    }
    twice::<Trexo>(2);
    twice::<ModX>(4);
    twice::<Figures>(2);
    twice::<CastleBuilders>(2);
    twice::<XMarksTheSpot>(3);
}

#[test]
fn an_action_is_not_the_best_one_for_being_asked_about() {
    let game = session::<Trexo>(2, &json!({}), "a5a6; j1j2; b5b4; j4j5; c5c6; i9j9; d5d4").game().clone();
    let seat = Seat::new(1);
    let asked = "h1h2".parse().unwrap();
    let clock = Ticking::default();
    let control = Control::new(Budget::nodes(4000), 1, &clock, &GO);
    let thought = Mcts::default().think(&Knowledge::new(&game, seat).asking(asked), &control);
    assert!(thought.action != asked, "it lets the other side win");
    let line = thought.lines.iter().find(|line| line.action() == asked).unwrap();
    assert!(line.visits >= 900 && line.expected[1] < thought.expected[1], "{line:?}");
}

#[test]
fn without_any_node_there_is_still_an_answer() {
    let game = start::<Trexo>(2);
    assert_eq!(game.check(Actor::Seat(Seat::new(0)), think(&mut Mcts::default(), &game, 0, 1).action), Ok(()));
}

#[test]
fn a_search_ends_when_its_time_is_over_or_when_it_is_stopped() {
    let game: XMarksTheSpot = midgame(2, 1, 100);
    let Turn::Seat(seat) = game.turn() else { unreachable!() };
    let known = Knowledge::new(&game, seat);
    let clock = Ticking::default();
    let control = Control::new(Budget::time(Duration::from_millis(20)), 1, &clock, &GO);
    let nodes = Mcts::default().think(&known, &control).nodes;
    assert!((16..=512).contains(&nodes), "looks at the clock every 16 nodes: {nodes}");
    let stop = AtomicBool::new(true);
    let control = Control::new(Budget::time(Duration::from_secs(1000)), 1, &clock, &stop);
    assert_eq!(Mcts::default().think(&known, &control).nodes, 0);
}

#[test]
fn progress_can_be_watched_and_used_to_stop() {
    let game: CastleBuilders = midgame(2, 1, 10);
    let Turn::Seat(seat) = game.turn() else { unreachable!() };
    let clock = Ticking::default();
    let stop = AtomicBool::new(false);
    let seen = Mutex::new(Vec::new());
    let watch = |progress: quincunx_engine::Progress| {
        seen.lock().unwrap().push(progress);
        if progress.nodes >= 8192 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let control = Control::new(Budget::nodes(1_000_000), 1, &clock, &stop).watched_by(&watch);
    let nodes = Mcts::default().think(&Knowledge::new(&game, seat), &control).nodes;
    assert_eq!(nodes, 8192);
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.iter().map(|progress| progress.nodes).collect::<Vec<_>>(), [4096, 8192, 8192]);
    assert!(seen.iter().all(|progress| (0.0..=1.0).contains(&progress.value) && progress.depth > 0));
}

#[test]
fn memory_bounds_the_tree_and_the_search_goes_on() {
    let game = start::<Trexo>(2);
    let clock = Ticking::default();
    let budget = Budget { memory: 10_000, ..Budget::nodes(3000) };
    let control = Control::new(budget, 1, &clock, &GO);
    let thought = Mcts::default().think(&Knowledge::new(&game, Seat::new(0)), &control);
    assert_eq!(thought.nodes, 3000);
}

#[test]
fn a_five_in_reach_is_taken() {
    let four = "a5a6; b5b4; c5c6; d5d4";
    let game: Session<Trexo> = session(2, &json!({}), four);
    let won = think(&mut Greedy, game.game(), 1, 1).action;
    let mut after = game.game().clone();
    after.play(Actor::Seat(Seat::new(0)), won);
    assert_eq!(after.outcome().unwrap().reason, "five-in-a-row");
    let searched = think(&mut Mcts::default(), game.game(), 20_000, 1);
    let mut after = game.game().clone();
    after.play(Actor::Seat(Seat::new(0)), searched.action);
    assert!(after.outcome().is_some_and(|outcome| outcome.winners.contains(Seat::new(0))), "{}", searched.action);
    assert!(searched.expected[0] > 0.95 && searched.expected[1] < 0.05, "{:?}", searched.expected);
}

#[test]
fn a_search_knows_only_what_its_seat_knows() {
    // Seat 0 is on turn and cannot tell these apart: the hand of seat 1 differs.
    let deal = |other: &str| -> Session<CastleBuilders> { session(2, &json!({}), &format!("+O; +R; {other}")) };
    let [one, other] = [deal("+C; +K"), deal("+S; +O")];
    assert!(one.game() != other.game());
    let answer = |session: &Session<CastleBuilders>| think(&mut Mcts::default(), session.game(), 3000, 5);
    assert_eq!(answer(&one), answer(&other));
}

#[test]
fn an_overlooked_pattern_is_claimed_out_of_turn() {
    // Seat 0 has completed a row of five and said done without claiming it.
    let mut game: Session<ModX> = session(
        3,
        &json!({"claims": "manual"}),
        "*a8; *c8; *e8; *g8; *h6; a3; done; a4; done; a1; done; c3; done; c4; done; b1; done; e3; done; e5; done; c1; \
         done; g3; done; g4; done; d1; done; h1; done; a6; done; e1; done",
    );
    let clock = Ticking::default();
    let control = Control::new(Budget::nodes(6000), 1, &clock, &GO);
    let claimant = Seat::new(2);
    let thought = Mcts::default().interject(&Knowledge::new(game.game(), claimant), &control).expect("five points");
    assert!(thought.action.to_string().starts_with('!'), "{}", thought.action);
    game.apply(Some(2), &thought.action.to_string()).unwrap();
    assert_eq!(game.game().score(claimant), 5);
}

#[test]
fn simulation_beats_chance() {
    // Ten games of Castle Builders with the seats in turn.
    let mut won = 0;
    for round in 0..10 {
        let mut game = start::<CastleBuilders>(2);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(round);
        let clever = Seat::new((round % 2) as u8);
        let mut ply = 0;
        while let Some(actor) = game.turn().actor() {
            ply += 1;
            let action = match actor {
                Actor::Seat(seat) if seat == clever => {
                    think(&mut Mcts::default(), &game, 1000, round * 1000 + ply).action
                }
                _ => game.random(actor, &mut rng, &mut Scratch::default()),
            };
            game.play(actor, action);
        }
        won += u32::from(game.outcome().unwrap().winners.contains(clever));
    }
    assert!(won >= 8, "{won} of 10");
}
