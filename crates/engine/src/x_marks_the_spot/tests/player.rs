//! What the player does where the right thing is plain, and in whole games.

use quincunx_core::{Actor, Game, Scratch, Session, Step, Turn};
use quincunx_games::x_marks_the_spot::{Action, Direction, Pirate, XMarksTheSpot};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    super::{Settings, XMarksTheSpotGreedy, XMarksTheSpotPlayer, policy::Policy},
    FILL, GO, ODD_OPTIONS, Still, Table, card, legal, options, seat, think, wary,
};
use crate::{Budget, Control, Knowledge, Player, Thought, player::Sight};

/// Seat 1, Rackham, has a doubloon at 0,0 and needs another one. Of a second X, around 3,0, only the square 4,0 is missing.
/// Seat 0 is to draw two cards.
///
/// ```text
///  k . . k
///  r . . r
/// rDrrr .
///  r . . r
///  k . . k
/// ```
fn rackham_lacks_a_square(hands: [&str; 2]) -> Table {
    let mut table = Table::dealt("cr", &hands);
    table.lays("rr 0,0 e; rk -1,0 w; rk 0,1 n; rk 0,-1 s");
    assert!(table.game().is_revealed(seat(1)) && table.game().score(seat(1)) == 1);
    table.lays("rr 2,0 e; rk 3,1 n; rk 3,-1 s; ko -2,1 w");
    table
}

/// Plays on until somebody else is to act, and gives all that was done.
fn finish_turn(table: &mut Table, player: &mut impl Player<XMarksTheSpot>, nodes: u64, seed: u64) -> Vec<String> {
    let Turn::Seat(seat) = table.game().turn() else { unreachable!() };
    let mut done = Vec::new();
    while table.game().turn() == Turn::Seat(seat) && table.game().player() == seat && done.len() < 2 {
        let action = table.answer(player, nodes, seed);
        table.does(&action);
        done.push(action);
    }
    done
}

#[test]
fn it_draws_before_it_would_scuttle() {
    let table = Table::dealt("cr", &[FILL, FILL]);
    assert_eq!(table.answer(&mut XMarksTheSpotPlayer::default(), 100, 1), "draw");
}

#[test]
fn it_lays_the_last_doubloon_at_once() {
    for seed in 0..5 {
        let mut table = rackham_lacks_a_square([FILL, FILL]);
        table.does("draw").draws("ck cc").does("place cc -4,1 n; place ck -4,3 n");
        table.does("draw").draws("cr ck");
        let thought = think(&mut XMarksTheSpotPlayer::default(), &table.0, 200, seed);
        assert_eq!(thought.expected, [0.0, 1.0]);
        table.does(&thought.action.to_string());
        assert_eq!(table.game().turn(), Turn::Over);
        assert_eq!(table.game().score(seat(1)), 2);
    }
}

#[test]
fn it_wins_also_with_an_action_that_looks_bad() {
    // Who fears others so much does not like to lay anything of use to them, and looks at one action only.
    let fearful = Settings { caution: 1000.0, candidates: 1, ..Settings::default() };
    let mut table = rackham_lacks_a_square([FILL, FILL]);
    table.does("draw").draws("ck cc").does("place cc 4,2 n; place ck 5,1 n");
    table.does("draw").draws("cr ck");
    table.does(&table.answer(&mut XMarksTheSpotPlayer::new(fearful), 200, 1));
    assert_eq!(table.game().turn(), Turn::Over);
}

#[test]
fn it_does_not_make_the_last_x_of_somebody_else() {
    for seed in 0..5 {
        let mut table = rackham_lacks_a_square(["rr rk ra ra", FILL]);
        table.does("draw").draws("rw rr");
        finish_turn(&mut table, &mut XMarksTheSpotPlayer::default(), 200, seed);
        assert_ne!(table.game().turn(), Turn::Over);
    }
}

/// Whether the seat to act could make an X of Rackham with a card that has no ghost ship, which lies on anything.
fn rackham_could_finish(table: &Table) -> bool {
    let mut policy = Policy::new(Settings::default());
    let game = table.game();
    policy.look_at(game, [0.0; 4]);
    let squares: Vec<_> = game.squares_near_cards().collect();
    let mut places = ["rr", "ro", "rk", "cr", "ra", "rw"].into_iter().flat_map(|name| {
        let [first, second] = card(name).icons().unwrap();
        let squares = squares.clone();
        squares.clone().into_iter().flat_map(move |(at, surface)| {
            let squares = squares.clone();
            Direction::ALL.into_iter().filter_map(move |direction| {
                let next = at.step(direction);
                let there = squares.iter().find(|(square, _)| *square == next);
                let takes = surface.takes(first) && there.is_none_or(|(_, surface)| surface.takes(second));
                takes.then_some(Action::Place { card: card(name), at, direction })
            })
        })
    });
    places.any(|action| policy.makes_an_x(action, Pirate::Rackham))
}

#[test]
fn it_stops_somebody_who_needs_a_last_card() {
    let mut table = rackham_lacks_a_square([FILL, FILL]);
    assert!(rackham_could_finish(&table));
    table.does("draw").draws("co ko");
    for seed in 0..5 {
        let mut table = Table(table.0.clone());
        let done = finish_turn(&mut table, &mut XMarksTheSpotPlayer::default(), 400, seed);
        assert!(!rackham_could_finish(&table), "{done:?}");
    }
}

#[test]
fn the_same_seed_and_nodes_give_the_same_answer_whenever_it_began_to_watch() {
    let mut steady = XMarksTheSpotPlayer::default();
    let mut session = Session::<XMarksTheSpot>::new(3, options("{}")).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for number in 0..60 {
        match session.game().turn() {
            Turn::Seat(_) => {
                let thought = think(&mut steady, &session, 40, number);
                assert_eq!(thought, think(&mut XMarksTheSpotPlayer::default(), &session, 40, number));
                session.apply(None, &thought.action.to_string()).unwrap();
            }
            Turn::Chance => drop(session.draw(&mut rng).unwrap()),
            Turn::Over => unreachable!(),
        }
    }
}

#[test]
fn whole_games_with_all_numbers_of_seats_and_odd_options_are_legal() {
    for seats in 2..=4 {
        for json in ODD_OPTIONS.into_iter().chain(["{}"]) {
            let mut session = Session::<XMarksTheSpot>::new(seats, options(json)).unwrap();
            let mut players = vec![XMarksTheSpotPlayer::default(); seats.into()];
            let mut greedy = XMarksTheSpotGreedy::default();
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seats.into());
            for number in 0..250 {
                match session.game().turn() {
                    Turn::Over => break,
                    Turn::Chance => drop(session.draw(&mut rng).unwrap()),
                    Turn::Seat(seat) => {
                        let thought = think(&mut players[seat.index()], &session, 20, number);
                        assert!(thought.nodes <= 20);
                        assert_eq!(thought.line[0], Step { by: Actor::Seat(seat), action: thought.action });
                        let actor = Actor::Seat(seat);
                        assert_eq!(session.game().check(actor, think(&mut greedy, &session, 1, number).action), Ok(()));
                        session.apply(None, &thought.action.to_string()).unwrap();
                    }
                }
            }
        }
    }
}

#[test]
fn a_line_is_what_the_seat_can_really_do() {
    for number in 0..12 {
        let seats = 2 + number % 3;
        let mut session = Session::<XMarksTheSpot>::new(seats as u8, options("{}")).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
        let mut scratch = Scratch::default();
        for _ in 0..120 {
            let Some(actor) = session.game().turn().actor() else { break };
            if let Actor::Seat(_) = actor {
                let thought = think(&mut XMarksTheSpotPlayer::default(), &session, 4, number);
                let mut game = session.game().clone();
                for Step { by, action } in thought.line {
                    assert_eq!(game.check(by, action), Ok(()), "{action}");
                    game.play(by, action);
                }
            }
            let action = session.game().random(actor, &mut rng, &mut scratch);
            session.apply_by(actor, &action.to_string()).unwrap();
        }
    }
}

#[test]
fn without_a_simulation_it_does_what_looks_best() {
    let table = {
        let mut table = Table::dealt("cr", &["cc cg rk rk", FILL]);
        table.does("draw").draws("ko ko").does("place ko 0,0 e");
        table
    };
    let action = think(&mut XMarksTheSpotPlayer::default(), &table.0, 0, 1).action;
    let mut policy = Policy::new(Settings::default());
    let mind = wary(Pirate::Condent);
    policy.look_at(table.game(), mind.wishes);
    let best = legal(table.game(), seat(0))
        .into_iter()
        .map(|action| policy.score(table.game(), seat(0), &mind, action))
        .fold(f32::MIN, f32::max);
    assert!(policy.score(table.game(), seat(0), &mind, action) >= best - 1e-4);
}

/// What a player answers with so many lines.
fn lines_of(table: &Table, lines: usize, asked: Option<Action>, nodes: u64) -> Thought<Action> {
    let Turn::Seat(seat) = table.game().turn() else { panic!("nobody is to think") };
    let known = Knowledge::of(&table.0, seat);
    let known = match asked {
        Some(action) => known.asking(action),
        None => known,
    };
    let control = Control::new(Budget::nodes(nodes), 3, &Still, &GO).with_lines(lines);
    XMarksTheSpotPlayer::default().think(&known, &control)
}

#[test]
fn a_level_gets_a_line_for_each_action_and_those_that_were_tried_first() {
    let mut table = Table::dealt("cr", &["cc cg rk rk", FILL]);
    table.does("draw").draws("ko ko").does("place ko 0,0 e");
    let actions = legal(table.game(), seat(0));
    for nodes in [0, 8, 64, 400] {
        let thought = lines_of(&table, usize::MAX, None, nodes);
        assert_eq!(thought.lines.len(), actions.len());
        assert!(actions.iter().all(|action| thought.lines.iter().any(|line| line.action() == *action)));
        assert!(thought.lines.is_sorted_by_key(|line| line.visits == 0) || nodes == 0);
        assert!(thought.lines.iter().all(|line| (line.visits > 0) == (line.depth > 0)));
        assert_eq!(thought.lines.iter().map(|line| line.visits).sum::<u64>(), thought.nodes);
        for line in &thought.lines {
            assert!((line.expected.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{line:?}");
            assert!(line.expected.iter().chain([&line.glance]).all(|&share| share > 0.0 && share < 1.0), "{line:?}");
        }
    }
}

#[test]
fn what_is_asked_about_is_tried_in_as_many_worlds_as_the_best_action() {
    let mut table = Table::dealt("cr", &["cc cg rk rk", FILL]);
    table.does("draw").draws("ko ko").does("place ko 0,0 e");
    for &asked in legal(table.game(), seat(0)).iter().step_by(40) {
        let thought = lines_of(&table, 1, Some(asked), 200);
        let line = thought.lines.iter().find(|line| line.action() == asked).unwrap();
        assert!(line.visits + 1 >= thought.lines[0].visits, "{line:?}");
        assert!(line.expected[0] <= thought.expected[0] + 1e-5);
    }
    // Whoever is to draw is asked about scuttling.
    let table = Table::dealt("cr", &[FILL, FILL]);
    let thought = lines_of(&table, 1, Some(Action::Scuttle), 40);
    assert_eq!(thought.lines.len(), 2);
    assert!(thought.lines[1].visits >= 20, "{thought:?}");
}

#[test]
fn chances_are_told_in_the_order_of_the_seats() {
    // Seat 1 needs one card more, and seat 0 has nothing.
    let mut table = rackham_lacks_a_square([FILL, FILL]);
    table.does("draw").draws("ck cc");
    let first = think(&mut XMarksTheSpotPlayer::default(), &table.0, 100, 1).expected;
    assert!(first[1] > first[0], "{first:?}");
    table.does("place cc -4,1 n; place ck -4,3 n").does("draw").draws("ck ck");
    let second = think(&mut XMarksTheSpotPlayer::default(), &table.0, 100, 1).expected;
    assert!(second[1] > 0.6, "{second:?}");
}

#[test]
fn games_are_played_on_until_each_seat_had_a_turn() {
    for seats in 2..=4_u8 {
        let mut table = Table::dealt(&"craw"[..seats.into()], &vec![FILL; seats.into()]);
        table.does("draw").draws("ck cc");
        let thought = lines_of(&table, 1, None, 20);
        assert_eq!(thought.lines[0].depth, 1 + u32::from(seats));
    }
}

#[test]
fn a_win_is_told_beside_other_lines() {
    let mut table = rackham_lacks_a_square([FILL, FILL]);
    table.does("draw").draws("ck cc").does("place cc -4,1 n; place ck -4,3 n").does("draw").draws("cr ck");
    let thought = lines_of(&table, usize::MAX, None, 64);
    let wins = thought.lines.iter().filter(|line| line.sight == Sight::Wins).count();
    assert!(wins > 0 && thought.lines[0].sight == Sight::Wins);
    for line in &thought.lines[..wins] {
        assert_eq!(line.expected, [0.0, 1.0]);
    }
    assert!(thought.lines[wins..].iter().all(|line| line.expected[1] < 1.0));
    assert!(thought.lines[wins..].iter().any(|line| line.visits > 0));
}
