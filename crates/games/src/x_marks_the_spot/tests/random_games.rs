//! Random games: the fast code against the slow one, and what holds in every position.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use quincunx_core::{Actor, Game, Scratch, Seat, Session, Turn, Viewer, perft};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{
    super::{
        Action, Card, Direction, Icon, Options, Pirate, Square, View, XMarksTheSpot,
        action::Gift,
        card::{Cards, KINDS},
        phase::Phase,
    },
    options,
    reference::Reference,
    texts,
};

/// Tables that reach all corners of the rules: (seats, options, games).
pub(super) const TABLES: [(u8, &str, u64); 16] = [
    (2, "{}", 2),
    (3, r#"{"turn_limit":90}"#, 3),
    (4, r#"{"turn_limit":90}"#, 3),
    (2, r#"{"turn_limit":1}"#, 20),
    (3, r#"{"turn_limit":2,"doubloons":1}"#, 20),
    // Few cards, most of them action cards: empty piles and hands, parlays, plunders of plunders.
    (2, r#"{"deck":{"cr":4,"gk":2,"cannon":3,"heading":3,"parlay":3,"plunder":4},"turn_limit":60}"#, 20),
    (3, r#"{"deck":{"cr":4,"go":3,"aa":2,"cannon":3,"heading":3,"parlay":4,"plunder":4},"turn_limit":60}"#, 20),
    (4, r#"{"deck":{"cr":4,"go":3,"gk":2,"cannon":3,"heading":4,"parlay":5,"plunder":5},"turn_limit":60}"#, 20),
    // No tile card at all.
    (3, r#"{"deck":{"cannon":6,"heading":6,"parlay":6,"plunder":6},"turn_limit":30}"#, 20),
    // Many X's, several at once, for several players.
    (2, r#"{"deck":{"cg":8,"go":8,"gk":4,"rg":8,"cannon":3,"heading":3},"doubloons":9}"#, 6),
    (4, r#"{"deck":{"cg":8,"rg":8,"ag":8,"wg":8,"go":6,"cannon":2,"heading":4},"turn_limit":90}"#, 6),
    (3, r#"{"deck":{"cg":20,"rg":20,"ag":10},"doubloons":1}"#, 20),
    (2, r#"{"deck":{"cc":8,"rr":8,"aa":4,"go":4,"cannon":6,"heading":6},"doubloons":2}"#, 8),
    // Two ghost ships, krakens, open waters on a card.
    (3, r#"{"deck":{"gg":6,"kk":6,"oo":6,"cr":6,"cannon":3,"heading":4,"parlay":3,"plunder":3},"turn_limit":60}"#, 8),
    (2, r#"{"deck":{"gg":12,"kk":3,"oo":3,"gk":2,"heading":4,"cannon":2},"doubloons":9}"#, 6),
    // The table is shot empty again and again.
    (2, r#"{"deck":{"cr":3,"aw":2,"cannon":12,"plunder":2},"turn_limit":60}"#, 10),
];

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Calls `visit` with every position of random games, the last one of each included.
pub(super) fn visit_positions(
    seats: u8,
    options: &Options,
    games: u64,
    mut visit: impl FnMut(&XMarksTheSpot, &mut Xoshiro256PlusPlus),
) {
    let mut scratch = Scratch::default();
    for seed in 0..games {
        let mut rng = rng(seed);
        let mut game = XMarksTheSpot::new(seats, options).unwrap();
        loop {
            visit(&game, &mut rng);
            let Some(actor) = game.turn().actor() else { break };
            let action = game.random(actor, &mut rng, &mut scratch);
            game.play(actor, action);
        }
    }
}

/// A card's text, its squares in order, and whether it is covered.
type LaidText = (String, [(i64, i64); 2], bool);

/// All that a position consists of, in a form that the reference can be brought to as well.
#[derive(PartialEq, Debug)]
struct Content {
    turn: Turn,
    result: Option<(Vec<usize>, &'static str)>,
    hands: Vec<Vec<String>>,
    pile: Vec<Vec<String>>,
    discard: Vec<String>,
    table: Vec<LaidText>,
    icons: BTreeMap<(i64, i64), String>,
    doubloons: Vec<(i64, i64, usize)>,
    scores: Vec<usize>,
}

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort();
    items
}

fn content(game: &XMarksTheSpot) -> Content {
    let view = game.view(Viewer::Everything);
    let names = |cards: &[Card]| sorted(cards.iter().map(ToString::to_string));
    let stack = |stack: &super::super::Stack| vec![stack.card.to_string(); usize::from(stack.copies)];
    let halves = || view.chart.iter().flat_map(|card| card.halves.iter());
    let at = |half: &super::super::HalfView| (i64::from(half.x), i64::from(half.y));
    Content {
        turn: game.turn(),
        result: game.outcome().map(|outcome| (outcome.winners.iter().map(Seat::index).collect(), outcome.reason)),
        hands: view.players.iter().map(|player| names(player.hand.as_ref().unwrap())).collect(),
        pile: view.segments.iter().flatten().map(|segment| sorted(segment.iter().flat_map(stack))).collect(),
        discard: sorted(view.discard.iter().flat_map(stack)),
        table: sorted(
            view.chart.iter().map(|card| (card.card.to_string(), card.halves.each_ref().map(at), card.covered)),
        ),
        icons: halves().filter(|half| half.top).map(|half| (at(half), half.icon.letter().to_string())).collect(),
        doubloons: sorted(
            view.doubloons.iter().map(|coin| (i64::from(coin.x), i64::from(coin.y), usize::from(coin.seat))),
        ),
        scores: Seat::all(game.seats()).map(|seat| usize::try_from(game.score(seat)).unwrap()).collect(),
    }
}

fn content_of(reference: &Reference) -> Content {
    let wide = |(x, y): (i32, i32)| (i64::from(x), i64::from(y));
    let laid = |(number, laid): (usize, &super::reference::Laid)| {
        (laid.card.clone(), laid.squares.map(wide), reference.is_covered(number))
    };
    let squares = reference.table.iter().flat_map(|laid| laid.squares);
    Content {
        turn: reference.turn(),
        result: reference.result.clone(),
        hands: reference.hands.iter().map(|hand| sorted(hand.clone())).collect(),
        pile: reference.pile.iter().map(|segment| sorted(segment.clone())).collect(),
        discard: sorted(reference.discard.clone()),
        table: sorted(reference.table.iter().enumerate().map(laid)),
        icons: squares.map(|at| (wide(at), reference.icon_at(at).unwrap().to_string())).collect(),
        doubloons: sorted(reference.spent.iter().map(|&(at, seat)| {
            let (x, y) = wide(at);
            (x, y, seat)
        })),
        scores: (0..reference.hands.len()).map(|seat| reference.score(seat)).collect(),
    }
}

#[test]
fn random_games_go_as_in_the_slow_and_obvious_code() {
    for (seats, json, games) in TABLES {
        let options = options(json);
        let mut scratch = Scratch::default();
        for seed in 0..games {
            let mut rng = rng(1000 + seed);
            let mut game = XMarksTheSpot::new(seats, &options).unwrap();
            let mut reference = Reference::new(seats, &options);
            loop {
                assert_eq!(content(&game), content_of(&reference));
                assert_eq!(texts(&game), reference.legal(), "{}", game.view(Viewer::Everything));
                let Some(actor) = game.turn().actor() else { break };
                let action = game.random(actor, &mut rng, &mut scratch);
                game.play(actor, action);
                reference.apply(&action.to_string());
            }
        }
    }
}

#[test]
fn the_random_games_reach_every_way_to_end_and_every_kind_of_action() {
    let mut reasons = BTreeSet::new();
    let mut verbs = BTreeSet::new();
    let (mut several_at_once, mut coins_before) = (false, 0);
    for (seats, json, games) in TABLES {
        visit_positions(seats, &options(json), games, |game, _| {
            reasons.extend(game.outcome().map(|outcome| outcome.reason));
            let word = |text: &String| text.split([' ', ':']).next().unwrap().trim_matches(char::is_numeric).to_owned();
            verbs.extend(texts(game).iter().map(word).filter(|word| !word.starts_with('+')));
            let coins = game.chart.doubloons().len();
            several_at_once |= coins >= coins_before + 2;
            coins_before = coins;
        });
    }
    assert_eq!(Vec::from_iter(reasons), ["stalemate", "three-doubloons", "turn-limit"]);
    let all = "accept cannon counter decline draw flag force give heading offer open parlay pass place plunder scuttle \
               steal take";
    assert_eq!(Vec::from_iter(verbs).join(" "), all);
    assert!(several_at_once);
}

/// Any action at all, legal or not.
fn any_action(game: &XMarksTheSpot, rng: &mut Xoshiro256PlusPlus) -> Action {
    let card = Card::all().nth(rng.random_range(0..KINDS)).unwrap();
    let seat = Seat::new(rng.random_range(0..Seat::MAX));
    let number = rng.random_range(0..=u8::MAX) % 9;
    let near = game.chart.cards().get(rng.random_range(0..10)).map_or(Square::ORIGIN, |laid| laid.at);
    let mut coordinate = |middle: i32| match rng.random_range(0..20) {
        0 => i32::MAX,
        1 => i32::MIN,
        _ => middle + rng.random_range(-2..=2),
    };
    let at = Square { x: coordinate(near.x), y: coordinate(near.y) };
    let direction = Direction::ALL[rng.random_range(0..4)];
    let gift: Gift = sorted((0..rng.random_range(1..4)).map(|_| Card::all().nth(rng.random_range(0..KINDS)).unwrap()))
        .into_iter()
        .collect();
    match rng.random_range(0..20) {
        0 => Action::Flag(Pirate::ALL[rng.random_range(0..4)]),
        1 => Action::Drawn(card),
        2 => Action::Draw,
        3 => Action::Scuttle,
        4 => Action::Pass,
        5 | 6 => Action::Place { card, at, direction },
        7 => Action::Cannon(at),
        8 | 9 => Action::Heading { at, card, direction },
        10 => Action::Parlay { target: seat, cards: number },
        11 => Action::Accept,
        12 => Action::Counter(number),
        13 => Action::Force,
        14 => Action::Open,
        15 => Action::Offer(number),
        16 => Action::Take(seat),
        17 => Action::Give(gift),
        18 => [Action::Plunder(seat), Action::PlunderDiscard(card)][rng.random_range(0..2)],
        _ => [Action::Steal(card), Action::Decline][rng.random_range(0..2)],
    }
}

#[test]
fn an_action_is_refused_exactly_if_it_is_not_listed() {
    for (seats, json, games) in TABLES {
        visit_positions(seats, &options(json), games.min(4), |game, rng| {
            let mut listed = Vec::new();
            let mut chances = Vec::new();
            for seat in Seat::all(seats) {
                let before = listed.len();
                let mut own = Vec::new();
                game.actions(seat, &mut own);
                assert!(own.is_empty() || game.turn() == Turn::Seat(seat));
                listed.extend(own.into_iter().map(|action| (Actor::Seat(seat), action)));
                let different: std::collections::HashSet<_> =
                    listed[before..].iter().map(|(_, action)| action).collect();
                assert_eq!(different.len(), listed.len() - before, "an action is listed twice");
            }
            if game.turn() == Turn::Chance {
                game.chances(&mut chances);
                listed.extend(chances.iter().map(|&(action, _)| (Actor::Chance, action)));
            }
            assert_eq!(listed.is_empty(), game.turn() == Turn::Over);
            for &(actor, action) in &listed {
                assert_eq!(game.check(actor, action), Ok(()), "{action}");
                assert_eq!(action.to_string().parse(), Ok(action));
            }
            for _ in 0..40 {
                let action = any_action(game, rng);
                for actor in Seat::all(Seat::MAX).map(Actor::Seat).chain([Actor::Chance]) {
                    assert_eq!(game.check(actor, action).is_ok(), listed.contains(&(actor, action)), "{action}");
                }
            }
        });
    }
}

#[test]
fn no_card_is_ever_lost_and_nobody_holds_more_than_six() {
    for (seats, json, games) in TABLES {
        let options = options(json);
        let deck = options.deck.cards(seats).unwrap();
        visit_positions(seats, &options, games, |game, _| {
            let mut all: Cards = game.chart.cards().iter().map(|laid| laid.card).collect();
            all.extend(game.hands.iter().flat_map(Cards::iter));
            all.extend(game.discard.iter());
            all.extend(game.pile.segments().flat_map(|segment| segment.cards.iter()));
            // The plunder card lies on the table while its player looks at a hand.
            all.extend(matches!(game.phase, Phase::Steal(_)).then_some(Card::PLUNDER));
            assert_eq!(all, deck);
            assert!(game.hands.iter().all(|hand| hand.total() <= 6));
            assert_eq!(game.pile.total(), game.pile.segments().map(|segment| segment.cards.total()).sum::<u16>());
        });
    }
}

#[test]
fn the_key_that_is_kept_is_the_key_computed_anew_and_differs_between_positions() {
    let mut seen: HashMap<u64, XMarksTheSpot> = HashMap::new();
    for (seats, json, _) in TABLES {
        visit_positions(seats, &options(json), 1, |game, _| {
            assert_eq!(game.key(), game.key_from_scratch());
            if let Some(other) = seen.insert(game.key(), game.clone()) {
                assert!(other == *game, "two positions have the same key");
            }
        });
    }
}

#[test]
fn a_record_replays_to_an_equal_position_and_undo_goes_back() {
    for (seats, json, _) in TABLES {
        let mut rng = rng(5);
        let mut scratch = Scratch::default();
        let mut session: Session<XMarksTheSpot> = Session::new(seats, options(json)).unwrap();
        let mut positions = vec![session.game().clone()];
        while let Some(actor) = session.game().turn().actor() {
            let action = session.game().random(actor, &mut rng, &mut scratch);
            session.apply_by(actor, &action.to_string()).unwrap();
            positions.push(session.game().clone());
        }
        let record = quincunx_core::Record::parse(&session.record().to_text()).unwrap();
        let mut again: Session<XMarksTheSpot> = Session::new(seats, options(json)).unwrap();
        for step in &record.steps {
            again.apply_by(step.by, &step.action).unwrap();
        }
        assert!(again.game() == session.game());
        for back in [1, 7, 30] {
            let ply = again.ply().saturating_sub(back);
            again.undo((again.ply() - ply) as u64).unwrap();
            assert!(*again.game() == positions[ply]);
            assert_eq!(again.game().key(), positions[ply].key());
        }
    }
}

#[test]
fn random_picks_every_legal_action_equally_often() {
    let mut looked_at = 0;
    for (seats, json, _) in TABLES {
        let mut met = 0;
        visit_positions(seats, &options(json), 1, |game, rng| {
            let Turn::Seat(seat) = game.turn() else { return };
            let mut legal = Vec::new();
            game.actions(seat, &mut legal);
            met += 1;
            if legal.len() < 2 || met % 23 != 0 {
                return;
            }
            looked_at += 1;
            let each = if legal.len() > 200 { 60 } else { 400 };
            let mut counts: HashMap<Action, u32> = legal.into_iter().map(|action| (action, 0)).collect();
            let mut scratch = Scratch::default();
            for _ in 0..each * counts.len() {
                let action = game.random(Actor::Seat(seat), rng, &mut scratch);
                *counts.get_mut(&action).expect("only legal actions come out") += 1;
            }
            let expected = each as f64;
            let chi_square: f64 = counts.values().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
            let freedom = (counts.len() - 1) as f64;
            assert!(chi_square < freedom + 6.0 * (2.0 * freedom).sqrt() + 6.0, "{chi_square} for {freedom}");
        });
    }
    assert!(looked_at > 40, "{looked_at}");
}

#[test]
fn chance_draws_by_the_copies_left() {
    let game = XMarksTheSpot::new(2, &options(r#"{"deck":{"cr":1,"go":2,"cannon":30}}"#)).unwrap();
    let mut game = game;
    for flag in [Pirate::Wynn, Pirate::Avery] {
        game.play(Actor::Chance, Action::Flag(flag));
    }
    assert_eq!(texts(&game), ["+cannon x30", "+cr x1", "+go x2"]);
    let mut rng = rng(3);
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..33_000 {
        *counts.entry(game.random(Actor::Chance, &mut rng, &mut Scratch::default()).to_string()).or_default() += 1;
    }
    for (card, expected) in [("+cr", 1000.0), ("+go", 2000.0), ("+cannon", 30_000.0)] {
        let off = f64::from(counts[card]) - expected;
        assert!(off.abs() < 5.0 * f64::sqrt(expected), "{card}: {counts:?}");
    }
}

/// The number of sequences of actions, counted with the slow code.
fn slow_perft(reference: &Reference, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let next = |text: String| {
        let mut next = reference.clone();
        next.apply(text.rsplit_once(" x").map_or(text.as_str(), |(outcome, _)| outcome));
        slow_perft(&next, depth - 1)
    };
    reference.legal().into_iter().map(next).sum()
}

/// How deep the slow code can go in a test, in sequences.
const SLOW: u64 = 25_000;

#[test]
fn the_numbers_of_sequences_agree_with_the_slow_code() {
    let lines = include_str!("../../../perft/x-marks-the-spot.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let [seats, json, depth, _] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (seats, options) = (seats.parse().unwrap(), options(json));
        let start = XMarksTheSpot::new(seats, &options).unwrap();
        let depths = 1..=depth.parse().unwrap();
        let Some((depth, fast)) =
            depths.map(|depth| (depth, perft(&start, depth))).take_while(|&(_, count)| count <= SLOW).last()
        else {
            panic!("{line} grows too fast")
        };
        assert!(fast > 0, "{line} ends before");
        assert_eq!(fast, slow_perft(&Reference::new(seats, &options), depth), "{line} at depth {depth}");
    }
}

#[test]
fn a_view_is_read_back_from_its_json_as_it_was() {
    for (seats, json, games) in TABLES {
        let viewers = || Seat::all(seats).map(Viewer::Seat).chain([Viewer::Spectator, Viewer::Everything]);
        visit_positions(seats, &options(json), games.min(2), |game, rng| {
            if rng.random_range(0..8) > 0 && game.turn() != Turn::Over {
                return;
            }
            for view in viewers().map(|viewer| game.view(viewer)) {
                let json = serde_json::to_string(&view).unwrap();
                assert_eq!(serde_json::from_str::<View>(&json).unwrap(), view);
            }
        });
    }
}

#[test]
fn what_is_no_card_no_icon_no_flag_and_no_direction_is_refused_with_a_reason() {
    let why = |error: serde_json::Error| error.to_string();
    assert!(serde_json::from_str::<Card>("\"rc\"").map_err(why).unwrap_err().contains("in the order c r a w g k o"));
    assert!(serde_json::from_str::<Icon>("\"x\"").map_err(why).unwrap_err().contains("c r a w g k o"));
    assert!(serde_json::from_str::<Pirate>("\"g\"").map_err(why).unwrap_err().contains("Condent"));
    assert!(serde_json::from_str::<Direction>("1").is_err());
}
