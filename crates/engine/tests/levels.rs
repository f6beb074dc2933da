//! Levels: what a seat overlooks, and that every player plays with what it sees.

mod common;

use common::{GO, Ticking};
use quincunx_core::{Actor, Game, Scratch, Seat, Session, Turn, options_from_json};
use quincunx_engine::{
    AtLevel, Budget, CastleBuildersPlayer, Control, FiguresPlayer, Greedy, Knowledge, Level, Mcts, ModXPlayer, Player,
    Random, TrexoPlayer,
};
use quincunx_games::{CastleBuilders, Figures, ModX, Trexo, XMarksTheSpot, trexo::Action};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::{Value, json};

fn seen_actions<G: Game>(known: &Knowledge<'_, G>) -> Vec<G::Action> {
    let mut seen = Vec::new();
    known.actions(&mut seen);
    seen
}

/// Lets a player play all seats of a game for some actions, overlooking most of what there is, and looks at each answer.
fn plays_what_it_sees<G: Game>(mut player: impl Player<G>, seats: u8, options: &Value) {
    let mut game = G::new(seats, &options_from_json(options).unwrap()).unwrap();
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut overlooked = 0;
    for ply in 0..60 {
        let action = match game.turn() {
            Turn::Over => break,
            Turn::Chance => game.random(Actor::Chance, &mut draws, &mut Scratch::default()),
            Turn::Seat(seat) => {
                let all = seen_actions(&Knowledge::new(&game, seat));
                let known = Knowledge::new(&game, seat).overlooking(0.9, ply);
                let seen = seen_actions(&known);
                assert!(!seen.is_empty());
                assert!(seen.iter().all(|action| all.contains(action) && known.sees(*action)));
                overlooked += all.len() - seen.len();
                let clock = Ticking::default();
                let control = Control::new(Budget::nodes(100), ply, &clock, &GO);
                let action = player.think(&known, &control).action;
                assert!(seen.contains(&action), "{action} at ply {ply} of {}", G::ID);
                action
            }
        };
        game.play(game.turn().actor().unwrap(), action);
    }
    assert!(overlooked > 20, "{overlooked}");
}

#[test]
fn no_player_plays_what_is_overlooked() {
    plays_what_it_sees(TrexoPlayer::default(), 2, &json!({}));
    plays_what_it_sees(TrexoPlayer::default(), 2, &json!({"swap": true, "size": 6}));
    for seats in 2..=4 {
        plays_what_it_sees(ModXPlayer::default(), seats, &json!({}));
        plays_what_it_sees::<XMarksTheSpot>(Mcts::default(), seats, &json!({}));
    }
    plays_what_it_sees(ModXPlayer::default(), 4, &json!({"teams": true, "claims": "manual"}));
    plays_what_it_sees(FiguresPlayer::default(), 2, &json!({}));
    plays_what_it_sees(FiguresPlayer::default(), 4, &json!({"target": 15}));
    plays_what_it_sees(CastleBuildersPlayer::default(), 2, &json!({}));
    plays_what_it_sees::<ModX>(Mcts::default(), 3, &json!({}));
    plays_what_it_sees::<Figures>(Greedy, 2, &json!({}));
    plays_what_it_sees::<CastleBuilders>(Random, 2, &json!({}));
}

#[test]
fn each_action_is_overlooked_as_often_as_it_should_be_and_anew_at_every_decision() {
    let game = Trexo::new(2, &options_from_json(&json!({})).unwrap()).unwrap();
    let known = Knowledge::new(&game, Seat::new(0));
    let all = seen_actions(&known);
    let mut last_seen = Vec::new();
    let mut times_seen = vec![0; all.len()];
    for seed in 0..200 {
        let seen = seen_actions(&known.overlooking(0.4, seed));
        assert_eq!(seen, seen_actions(&known.overlooking(0.4, seed)), "one decision");
        let share = seen.len() as f32 / all.len() as f32;
        // Five times what 360 draws deviate by.
        assert!((share - 0.6).abs() < 0.13, "{share}");
        assert!(seen != last_seen, "the next decision");
        for (action, times) in all.iter().zip(&mut times_seen) {
            *times += u32::from(seen.contains(action));
        }
        last_seen = seen;
    }
    // 120 of 200, give or take five deviations.
    assert!(times_seen.iter().all(|times| (85..=155).contains(times)), "{times_seen:?}");
}

#[test]
fn what_was_overlooked_once_is_found_the_next_time() {
    let mut session: Session<Trexo> = Session::new(2, options_from_json(&json!({})).unwrap()).unwrap();
    for action in ["a5a6", "b5b4", "c5c6", "d5d4"] {
        session.apply(None, action).unwrap();
    }
    let (game, seat) = (session.game(), Seat::new(0));
    let wins = |action| {
        let mut after = game.clone();
        after.play(Actor::Seat(seat), action);
        after.outcome().is_some_and(|outcome| outcome.winners.contains(seat))
    };
    let known = Knowledge::new(game, seat);
    let mut player = TrexoPlayer::default();
    let mut missed = 0;
    for seed in 0..30 {
        let clock = Ticking::default();
        let control = Control::new(Budget::nodes(400), seed, &clock, &GO);
        let blinkered = known.overlooking(0.8, seed);
        let sees_win = seen_actions(&blinkered).into_iter().any(wins);
        assert_eq!(wins(player.think(&blinkered, &control).action), sees_win, "it plays well with what it sees");
        missed += u32::from(!sees_win);
        assert!(wins(player.think(&known, &control).action));
    }
    assert!(missed > 3, "{missed}");
}

#[test]
fn a_claim_out_of_turn_is_overlooked_by_chance_and_by_a_master_never() {
    let mut session: Session<ModX> = Session::new(3, options_from_json(&json!({"claims": "manual"})).unwrap()).unwrap();
    let actions = "*a8; *c8; *e8; *g8; *h6; a3; done; a4; done; a1; done; c3; done; c4; done; b1; done; e3; done; e5; \
                   done; c1; done; g3; done; g4; done; d1; done; h1; done; a6; done; e1; done";
    for action in actions.split("; ") {
        session.apply(None, action).unwrap();
    }
    let known = Knowledge::new(session.game(), Seat::new(2));
    let claims = |level, player| {
        let mut player = AtLevel { level, player };
        let claimed = (0..60).filter(|&seed| {
            let clock = Ticking::default();
            player.interject(&known, &Control::new(Budget::nodes(300), seed, &clock, &GO)).is_some()
        });
        claimed.count()
    };
    assert_eq!(claims(Level::Master, ModXPlayer::default()), 60);
    let novice = claims(Level::Novice, ModXPlayer::default());
    assert!((1..40).contains(&novice), "{novice}");
}

#[test]
fn a_higher_level_has_more_time_and_sees_more() {
    for [lower, higher] in Level::ALL.windows(2).map(|pair| [pair[0], pair[1]]) {
        assert!(lower.budget().time < higher.budget().time);
        assert!(lower.oversight() > higher.oversight());
    }
    assert!(Level::Master.oversight() <= 0.0, "a master overlooks nothing");
}

#[test]
fn a_player_of_trexo_who_sees_nothing_but_the_swap_swaps() {
    let mut session: Session<Trexo> = Session::new(2, options_from_json(&json!({"swap": true})).unwrap()).unwrap();
    session.apply(None, "e5e6").unwrap();
    let known = Knowledge::new(session.game(), Seat::new(1));
    let only_swap = |known: &Knowledge<'_, Trexo>| seen_actions(known) == [Action::Swap];
    // One of 360 actions is left, about each as often: some seed leaves the swap.
    let blinkered = (0..10_000).map(|seed| known.overlooking(1.0, seed)).find(only_swap).unwrap();
    let clock = Ticking::default();
    let control = Control::new(Budget::nodes(100), 1, &clock, &GO);
    assert_eq!(TrexoPlayer::default().think(&blinkered, &control).action, Action::Swap);
}
