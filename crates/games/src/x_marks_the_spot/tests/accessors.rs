//! The position in pieces, against the view and the legal actions.

use quincunx_core::{Actor, Game, Scratch, Seat};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    super::{Action, Card, Icon, Pirate, Square, Surface, XMarksTheSpot},
    FILL, Table, options, play,
};

const FIRST: Seat = Seat::new(0);
const SECOND: Seat = Seat::new(1);
const THIRD: Seat = Seat::new(2);

fn cards(game: &XMarksTheSpot, seat: Seat) -> String {
    game.hand_of(seat).map(Card::name).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_turn_has_a_player_and_a_first_action() {
    let mut table = Table::dealt_with("cr", &[FILL, FILL], r#""doubloons":5"#);
    assert_eq!(table.game().doubloons_to_win(), 5);
    assert!(table.game().is_first_action() && !table.game().is_time_to_act() && table.game().is_table_empty());
    table.does("draw");
    assert_eq!(table.game().player(), FIRST, "also while chance draws");
    table.draws("cr aw");
    assert!(table.game().is_time_to_act());
    assert_eq!(cards(table.game(), FIRST), "cr aw ko ko ko ko");
    table.does("place cr 0,0 e");
    assert!(!table.game().is_first_action() && table.game().is_time_to_act() && !table.game().is_table_empty());
    assert_eq!(table.game().hand_size(FIRST), 5);
    table.does("place aw 0,1 e");
    assert!(table.game().is_first_action() && !table.game().is_time_to_act());
    assert_eq!(table.game().player(), SECOND);
}

#[test]
fn a_flag_is_known_when_it_has_an_x_and_others_are_ruled_out() {
    let mut table = Table::dealt("crw", &[FILL, FILL, FILL]);
    assert_eq!(table.game().flag(SECOND), Some(Pirate::Rackham));
    let may = |table: &Table, seat: Seat| Pirate::ALL.map(|pirate| table.game().may_have_flag(seat, pirate));
    assert_eq!(may(&table, SECOND), [true; 4]);
    table.lays("rr 0,0 e; rk -1,0 w; rk 0,1 n; rk 0,-1 s");
    assert!(table.game().is_revealed(SECOND) && !table.game().is_revealed(FIRST));
    assert_eq!(may(&table, SECOND), [false, true, false, false]);
    // Nobody has Avery, or would have claimed the X. That Rackham is another seat's is for the caller to see.
    table.lays("aa 2,0 e; ak 4,0 e; ak 3,1 n; ak 3,-1 s");
    assert_eq!(may(&table, FIRST), [true, true, false, true]);
}

#[test]
fn a_trade_has_two_sides_and_offers_on_the_table() {
    let mut table = Table::dealt("crw", &["cc cc ko ko", "aa aa aa aa", "ww ww ww ww"]);
    table.does("draw").draws("parlay rr");
    assert_eq!(table.game().offered(), None);
    assert_eq!(table.game().partners().collect::<Vec<_>>(), [SECOND, THIRD]);
    table.does("parlay 1 n3");
    assert_eq!((table.game().offered(), table.game().offer_of(SECOND)), (Some(3), None));
    table.does("counter n2");
    assert_eq!((table.game().offered(), table.game().offer_of(SECOND)), (Some(2), Some(2)));
    table.does("open; offer n4");
    assert_eq!((table.game().offer_of(THIRD), table.game().offer_of(FIRST)), (Some(4), None));
    assert_eq!(table.game().trades_with(FIRST), None, "nothing is agreed yet");
    table.does("take 2");
    assert_eq!(table.game().trades_with(FIRST), Some(THIRD));
    assert_eq!(table.game().trades_with(THIRD), Some(FIRST));
}

#[test]
fn a_plundered_card_is_known_until_it_is_played() {
    let mut table = Table::dealt("cr", &["plunder plunder cannon cannon", "aa aa aa aa"]);
    table.does("draw").draws("cr cr").does("place cr 0,0 e");
    assert_eq!(table.game().plundered(), None);
    table.does("plunder 1; steal aa");
    assert_eq!(table.game().plundered(), Some("aa".parse().unwrap()));
    assert!(!table.game().is_time_to_act());
    let mut game = table.game().clone();
    play(&mut game, "place aa 0,1 e");
    assert_eq!(game.plundered(), None);
    // A plunder card is never taken from the discard pile.
    assert_eq!(game.plunder_from_discard().count(), 0);
}

#[test]
fn a_target_shows_what_lies_below() {
    let mut table = Table::dealt("cr", &[FILL, FILL]);
    table.lays("co 0,0 e; rk 1,0 n");
    let targets: Vec<_> = table.game().targets().collect();
    let [target] = targets[..] else { panic!("{targets:?}") };
    let square = |x, y| Square { x, y };
    assert_eq!((target.card.name(), target.squares), ("rk", [square(1, 0), square(1, 1)]));
    assert_eq!(target.below, [Surface::Icon(Icon::OpenWater), Surface::Bare]);
}

#[test]
fn targets_and_squares_are_those_of_the_rules() {
    for seed in 0..6 {
        let mut game = XMarksTheSpot::new(2 + seed as u8 % 3, &options("{}")).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut scratch = Scratch::default();
        for _ in 0..300 {
            let Some(actor) = game.turn().actor() else { break };
            if let Actor::Seat(seat) = actor {
                let mut actions = Vec::new();
                game.actions(seat, &mut actions);
                let shots = actions.iter().filter_map(|action| match action {
                    Action::Cannon(at) => Some(*at),
                    _ => None,
                });
                let shots: Vec<Square> = shots.collect();
                let targets: Vec<Square> = game.targets().map(|target| target.squares[0]).collect();
                assert!(shots.is_empty() || shots == targets);
                for target in game.targets().filter(|_| !shots.is_empty()) {
                    let mut after = game.clone();
                    after.play(actor, Action::Cannon(target.squares[0]));
                    for (square, below) in target.squares.into_iter().zip(target.below) {
                        let now = after.squares_near_cards().find(|&(near, _)| near == square);
                        let now = now.map_or(Surface::Bare, |(_, surface)| surface);
                        // An X may have come to light, with a doubloon in its middle.
                        assert!(now == below || now == Surface::Spent);
                    }
                }
                assert_eq!(game.is_table_empty(), game.squares_near_cards().next().is_none());
                assert!(game.partners().all(|other| other != game.player() && game.hand_size(other) > 0));
                assert_eq!(game.hand_of(seat).count(), usize::from(game.hand_size(seat)));
            }
            let action = game.random(actor, &mut rng, &mut scratch);
            game.play(actor, action);
        }
    }
}
