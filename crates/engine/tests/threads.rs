//! Searches with several hands: as many nodes, answers that keep to the rules, and with one hand the same as ever.

mod common;

use common::{GO, Scoped, Ticking, midgame};
use quincunx_core::{Actor, Game, Step, Turn};
use quincunx_engine::{
    Budget, CastleBuildersPlayer, Control, Crew, FiguresPlayer, Greedy, Knowledge, Mcts, ModXPlayer, Player, Thought,
    TrexoPlayer, XMarksTheSpotPlayer,
};
use quincunx_games::{CastleBuilders, Figures, ModX, Trexo, XMarksTheSpot};

fn think<G: Game>(mut player: impl Player<G>, game: &G, nodes: u64, crew: Option<&dyn Crew>) -> Thought<G::Action> {
    let Turn::Seat(seat) = game.turn() else { panic!("nobody is to think") };
    let clock = Ticking::default();
    let mut control = Control::new(Budget::nodes(nodes), 1, &clock, &GO);
    if let Some(crew) = crew {
        control = control.with_crew(crew);
    }
    player.think(&Knowledge::new(game, seat), &control)
}

fn several_hands_keep_to_the_rules<G: Game, P: Player<G>>(player: impl Fn() -> P, seats: u8) {
    for seed in 0..4 {
        let game: G = midgame(seats, seed, 6 * seed as usize);
        let Turn::Seat(seat) = game.turn() else { unreachable!() };
        let alone = think(player(), &game, 700, None);
        assert_eq!(think(player(), &game, 700, Some(&Scoped(1))), alone, "one hand is no other than none");
        for hands in [2, 3] {
            let thought = think(player(), &game, 700, Some(&Scoped(hands)));
            assert_eq!(game.check(Actor::Seat(seat), thought.action), Ok(()));
            assert_eq!(thought.line[0], Step { by: Actor::Seat(seat), action: thought.action });
            assert!(thought.nodes <= 700, "{} nodes of {}", thought.nodes, G::ID);
            assert!(thought.expected.iter().all(|share| (0.0..=1.0).contains(share)), "{:?}", thought.expected);
        }
    }
}

#[test]
fn several_hands_give_legal_answers_within_their_nodes_in_every_game() {
    several_hands_keep_to_the_rules::<Trexo, _>(TrexoPlayer::default, 2);
    several_hands_keep_to_the_rules::<CastleBuilders, _>(CastleBuildersPlayer::default, 2);
    several_hands_keep_to_the_rules::<Figures, _>(FiguresPlayer::default, 2);
    several_hands_keep_to_the_rules::<Figures, _>(FiguresPlayer::default, 4);
    several_hands_keep_to_the_rules::<Figures, _>(|| Greedy, 2);
    for seats in 2..=4 {
        several_hands_keep_to_the_rules::<ModX, _>(ModXPlayer::default, seats);
        several_hands_keep_to_the_rules::<XMarksTheSpot, _>(XMarksTheSpotPlayer::default, seats);
        several_hands_keep_to_the_rules::<XMarksTheSpot, _>(Mcts::default, seats);
    }
}

#[test]
fn the_nodes_are_shared_out_and_all_are_used() {
    let trexo: Trexo = midgame(2, 1, 10);
    let mod_x: ModX = midgame(2, 1, 12);
    for hands in [1, 2, 3] {
        let crew = Scoped(hands);
        assert_eq!(think(Mcts::default(), &trexo, 1000, Some(&crew)).nodes, 1000);
        assert_eq!(think(TrexoPlayer::default(), &trexo, 1000, Some(&crew)).nodes, 1000);
        assert_eq!(think(ModXPlayer::default(), &mod_x, 1000, Some(&crew)).nodes, 1000);
    }
}

#[test]
fn the_generic_search_comes_out_the_same_twice_with_several_hands() {
    // Each hand has its own tree and its own seed: it does not matter which one is quicker.
    let mod_x: ModX = midgame(3, 2, 14);
    let crew: &dyn Crew = &Scoped(2);
    let search = || think(Mcts::default(), &mod_x, 600, Some(crew));
    assert_eq!(search(), search());
}

#[test]
fn an_end_that_is_searched_through_has_the_same_value_with_any_number_of_hands() {
    let mut solved = 0;
    for seed in 0..40 {
        let game: CastleBuilders = midgame(2, seed, 70);
        let alone = think(CastleBuildersPlayer::default(), &game, 200_000, None);
        if alone.nodes == 200_000 {
            continue;
        }
        let together = think(CastleBuildersPlayer::default(), &game, 2_000_000, Some(&Scoped(3)));
        let near = |one: &f32, other: &f32| (one - other).abs() < 1e-5;
        assert!(alone.expected.iter().zip(&together.expected).all(|(one, other)| near(one, other)), "seed {seed}");
        solved += 1;
    }
    assert!(solved > 10, "{solved}");
}
