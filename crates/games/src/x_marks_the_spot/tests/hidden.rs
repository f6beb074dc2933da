//! What a seat sees, what it reads in the log, and positions that it cannot tell apart.

use std::collections::HashSet;

use quincunx_core::{Actor, Game, Scratch, Seat, Turn, Viewer, playout};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::json;

use super::{
    super::{Action, XMarksTheSpot, card::Cards, phase::Phase},
    FILL, Table, options,
    random_games::{TABLES, visit_positions},
    scoring::ALMOST_SHARED,
    seat, texts,
};

fn viewers(seats: u8) -> impl Iterator<Item = Viewer> {
    Seat::all(seats).map(Viewer::Seat).chain([Viewer::Spectator])
}

fn json(game: &XMarksTheSpot, viewer: Viewer) -> String {
    serde_json::to_string(&game.view(viewer)).unwrap()
}

#[test]
fn a_seat_sees_its_own_flag_and_hand_and_of_others_only_the_size_of_the_hand() {
    let table = Table::dealt("cra", &["cc cr cannon parlay", FILL, FILL]);
    let view = table.view(seat(0));
    assert_eq!(view["players"][0]["hand"], json!(["cc", "cr", "cannon", "parlay"]));
    assert_eq!(view["players"][0]["flag"], "c");
    for other in [1, 2] {
        let player =
            json!({"seat": other, "flag": null, "revealed": false, "hand_size": 4, "hand": null, "doubloons": 0});
        assert_eq!(view["players"][other], player);
    }
    assert_eq!(view["pile"], 1280 - 12);
    let text = view.to_string();
    assert!(!text.contains("segments") && !text.contains("unused"));
}

#[test]
fn a_spectator_sees_no_hand_and_no_flag_that_is_not_revealed() {
    let table = Table::dealt("cr", &["cc cr cannon parlay", FILL]);
    let view = table.view(Viewer::Spectator);
    assert_eq!(view["viewer"], json!(null));
    for player in view["players"].as_array().unwrap() {
        assert_eq!((&player["hand"], &player["flag"]), (&json!(null), &json!(null)));
    }
}

#[test]
fn everything_shows_all_hands_flags_and_segments() {
    let mut table = Table::dealt("cr", &["cc cr cannon parlay", FILL]);
    table.does("scuttle");
    let view = table.everything();
    assert_eq!(view["players"][1]["hand"], json!(["ko", "ko", "ko", "ko"]));
    assert_eq!(view["unused_flags"], json!(["a", "w"]));
    assert_eq!(view["segments"].as_array().unwrap().len(), 2);
}

/// The last line of the log, as each seat and then a spectator reads it.
fn last_line(table: &Table) -> Vec<String> {
    viewers(table.game().seats()).map(|viewer| table.0.log(viewer).pop().unwrap().action).collect()
}

#[test]
fn flags_and_drawn_cards_are_read_by_who_gets_them() {
    let mut table = Table::with_options(3, "{}");
    table.does("flag:c");
    assert_eq!(last_line(&table), ["flag:c", "flag:?", "flag:?", "flag:?"]);
    table.does("flag:w");
    assert_eq!(last_line(&table), ["flag:?", "flag:w", "flag:?", "flag:?"]);
    table.does("flag:a; +cr");
    assert_eq!(last_line(&table), ["+cr", "+?", "+?", "+?"]);
    table.draws("cr cr cr cannon");
    assert_eq!(last_line(&table), ["+?", "+cannon", "+?", "+?"]);
    table.draws("cannon cannon cannon cw cw cw cw").does("draw").draws("plunder");
    assert_eq!(last_line(&table), ["+plunder", "+?", "+?", "+?"]);
    table.draws("go").does("scuttle").draws("ko");
    assert_eq!(last_line(&table), ["+ko", "+?", "+?", "+?"]);
    assert_eq!(table.0.log(Viewer::Everything).pop().unwrap().action, "+ko");
}

#[test]
fn a_gift_is_read_by_the_giver_and_a_theft_by_thief_and_victim() {
    let mut table = Table::dealt("cra", &[FILL, FILL, FILL]);
    table.does("draw").draws("parlay plunder").does("parlay 1 n1; accept; give ko");
    assert_eq!(last_line(&table), ["give ?", "give ko", "give ?", "give ?"]);
    table.does("give ko");
    assert_eq!(last_line(&table), ["give ko", "give ?", "give ?", "give ?"]);
    table.does("plunder 2");
    assert_eq!(last_line(&table), ["plunder 2"; 4]);
    table.does("steal ko");
    assert_eq!(last_line(&table), ["steal ko", "steal ?", "steal ko", "steal ?"]);
    table.does("place ko 0,0 n");
    assert_eq!(last_line(&table), ["place ko 0,0 n"; 4]);
}

#[test]
fn a_line_once_shown_redacted_stays_so() {
    let mut table = Table::dealt("cr", &[FILL, FILL]);
    table.lays("cc 0,0 n; cr -1,0 w; cr 1,0 e; cr 0,-1 s");
    assert_eq!(table.view(seat(1))["players"][0]["flag"], "c");
    assert_eq!(table.0.log(seat(1))[0].action, "flag:?");
}

#[test]
fn views_of_positions_that_differ_in_what_is_hidden_are_the_same() {
    let play = |flags: &str, hand: &str, drawn: &str, given: &str| {
        let mut table = Table::dealt(flags, &["parlay ko ko ko", hand, FILL]);
        table.does("draw").draws("cr aw").does("place cr 0,0 e; parlay 1 n1; accept");
        table.does(&format!("give {given}; give ko")).does("draw").draws(drawn);
        table
    };
    let one = play("cra", "cc cc cannon rr", "ww ww", "rr");
    let other = play("cwr", "plunder parlay go go", "ao co", "go");
    for viewer in [seat(2), Viewer::Spectator] {
        let same = json(one.game(), viewer) == json(other.game(), viewer);
        assert_eq!(same, viewer == Viewer::Spectator, "seat 2 sees its own flag");
    }
    let third = play("cwa", "plunder parlay go go", "ao co", "go");
    assert_eq!(json(one.game(), seat(2)), json(third.game(), seat(2)));
    assert_ne!(json(one.game(), seat(0)), json(third.game(), seat(0)), "seat 0 has got another card");
}

/// What a seat can find out by asking: its actions, and why others are refused.
fn answers(game: &XMarksTheSpot, viewer: Viewer) -> Vec<String> {
    let Viewer::Seat(seat) = viewer else { return Vec::new() };
    let mut actions = Vec::new();
    game.actions(seat, &mut actions);
    let mut answers: Vec<String> = actions.iter().map(ToString::to_string).collect();
    answers.sort();
    let asked = "draw; scuttle; pass; place cr 0,0 e; place go 1,1 n; cannon 0,0; heading 0,0 cr n; parlay 0 n1; parlay 1 n2; \
                 parlay 2 n6; accept; counter n1; counter n3; force; open; offer n2; decline; take 1; give cr; give cannon; \
                 plunder 0; plunder 1; plunder discard cr; steal cr; steal plunder; +cr; flag:c";
    for text in asked.split(';') {
        let action: Action = text.trim().parse().unwrap();
        answers.push(format!("{text}: {:?}", game.check(Actor::Seat(seat), action)));
    }
    answers
}

/// What is remembered must be so.
fn assert_memories_are_true(game: &XMarksTheSpot) {
    for observer in viewers(game.seats()) {
        for holder in Seat::all(game.seats()).filter(|&holder| !observer.sees_hand_of(holder)) {
            let known = game.memory.holds(observer, holder);
            assert!(game.hand(holder).includes(known), "{observer} thinks {known:?} of seat {holder}");
        }
        for holder in Seat::all(game.seats()) {
            let flag = game.flags[holder.index()];
            assert!(flag.is_none_or(|flag| game.memory.may_have_flag(holder, flag)));
        }
    }
}

#[test]
fn a_sampled_position_looks_the_same_and_can_be_played_on() {
    let mut secrets = [false; 3];
    for (seats, json_options, games) in TABLES {
        let options = options(json_options);
        let deck = options.deck.cards(seats).unwrap();
        let mut number = 0;
        visit_positions(seats, &options, games.min(3), |game, rng| {
            assert_memories_are_true(game);
            number += 1;
            let special = match game.phase {
                Phase::PlayerGives(..) => Some(0),
                Phase::Plundered(_, Some(_)) => Some(1),
                Phase::Steal(_) => Some(2),
                _ => None,
            };
            if special.is_none() && number % 5 != 0 {
                return;
            }
            if let Some(special) = special {
                secrets[special] = true;
            }
            for viewer in viewers(seats) {
                let mut world = game.sample(viewer, rng);
                assert_eq!(json(&world, viewer), json(game, viewer));
                assert_eq!(world.turn(), game.turn());
                assert_eq!(answers(&world, viewer), answers(game, viewer));
                assert_eq!(world.key(), world.key_from_scratch());
                assert_memories_are_true(&world);
                let mut all: Cards = world.chart.cards().iter().map(|laid| laid.card).collect();
                all.extend(world.hands.iter().flat_map(Cards::iter));
                all.extend(world.discard.iter());
                all.extend(world.pile.segments().flat_map(|segment| segment.cards.iter()));
                all.extend(matches!(world.phase, Phase::Steal(_)).then_some(super::super::Card::PLUNDER));
                assert_eq!(all, deck);
                assert!(world.turn() == Turn::Over || !texts(&world).is_empty());
                // Sampling from what another viewer sees in the sampled position must be possible too.
                let inner = world.sample(Viewer::Seat(Seat::new(0)), rng);
                assert_eq!(json(&inner, seat(0)), json(&world, seat(0)));
                if number % 20 == 0 || special.is_some() {
                    playout(&mut world, rng, &mut Scratch::default());
                }
            }
        });
    }
    assert_eq!(secrets, [true; 3]);
}

#[test]
fn everything_is_not_sampled() {
    let table = Table::dealt("cr", &["cc cr cannon parlay", FILL]);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    assert!(table.game().sample(Viewer::Everything, &mut rng) == *table.game());
}

fn samples(table: &Table, viewer: Viewer) -> Vec<XMarksTheSpot> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    (0..400).map(|_| table.game().sample(viewer, &mut rng)).collect()
}

#[test]
fn sampling_varies_all_that_is_hidden_and_the_true_position_can_come_out() {
    let mut table =
        Table::with_options(2, r#"{"deck":{"cr":8,"cannon":10}}"#).deal("cr", &["cr cr cr cr", "cr cr cannon cannon"]);
    table.does("scuttle").draws("cr cr cannon cannon");
    table.does("draw").draws("cannon cannon");
    for viewer in [seat(0), seat(1), Viewer::Spectator] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let worlds: Vec<XMarksTheSpot> = (0..10_000).map(|_| table.game().sample(viewer, &mut rng)).collect();
        assert!(worlds.iter().any(|world| world == table.game()), "{viewer}");
        let flags: HashSet<_> = worlds.iter().map(|world| world.flags).collect();
        let hands: HashSet<_> = worlds.iter().map(|world| format!("{:?}", world.hands)).collect();
        assert_eq!(flags.len(), if viewer == Viewer::Spectator { 12 } else { 3 });
        assert!(hands.len() > 2, "{viewer}");
    }
}

#[test]
fn each_way_to_deal_the_hidden_cards_is_equally_likely() {
    // Of two cr and sixteen cannons seat 0 holds four cannons; seat 1's hand has no, one or two cr.
    let table = Table::with_options(2, r#"{"deck":{"cr":2,"cannon":16}}"#)
        .deal("cr", &["cannon cannon cannon cannon", "cannon cannon cannon cannon"]);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let mut counts = [0.0; 3];
    let draws = 20_000;
    for _ in 0..draws {
        let world = table.game().sample(seat(0), &mut rng);
        counts[usize::from(world.hands[1].copies("cr".parse().unwrap()))] += 1.0;
    }
    // Hypergeometric: 4 of 14 cards, two of them cr.
    for (count, chance) in counts.into_iter().zip([45.0 / 91.0, 40.0 / 91.0, 6.0 / 91.0]) {
        let expected = f64::from(draws) * chance;
        assert!((count - expected).abs() < 5.0 * expected.sqrt(), "{counts:?}");
    }
}

#[test]
fn an_x_that_nobody_claims_tells_whose_flag_it_is_not() {
    let mut table = Table::dealt("awr", &[FILL, FILL, FILL]);
    table.lays("cc 0,0 n; cr -1,0 w; cr 1,0 e; cr 0,-1 s");
    let worlds = samples(&table, seat(0));
    let flags: HashSet<_> = worlds.iter().map(|world| world.flags).collect();
    // Condent is nobody's: the others are Rackham and Wynn in either order.
    assert_eq!(flags.len(), 2);
}

#[test]
fn who_is_looked_at_before_the_one_who_claims_has_none_of_the_flags_that_stood_there() {
    let mut table = Table::dealt("wra", &[FILL, FILL, FILL]);
    table.lays(ALMOST_SHARED).does("scuttle").draws(FILL).does("scuttle").draws(FILL).lays("ca 1,0 n");
    // Seat 1 laid an X of Avery and one of Condent and claimed neither; seat 2 claimed the one, and so the other one
    // was spent before seat 0 was looked at, who may still be Condent.
    assert_eq!(table.doubloons(), [(0, 0, 2)]);
    let flags: HashSet<_> = samples(&table, Viewer::Spectator).into_iter().map(|world| world.flags).collect();
    let letters = |flags: [Option<super::super::Pirate>; 4]| flags.iter().flatten().map(|flag| flag.letter()).collect();
    let mut ways: Vec<String> = flags.into_iter().map(letters).collect();
    ways.sort();
    assert_eq!(ways, ["cra", "cwa", "rwa", "wra"]);
}

/// In how many of the sampled positions the seat holds this card.
fn holds(table: &Table, viewer: Viewer, holder: usize, card: &str) -> usize {
    let card = card.parse().unwrap();
    samples(table, viewer).iter().filter(|world| world.hands[holder].contains(card)).count()
}

#[test]
fn a_plunderer_remembers_the_hand_that_he_has_seen() {
    let mut table = Table::dealt("cra", &["plunder ko ko ko", "cc rr gk go", FILL]);
    table.turn("cr cr", "plunder 1; steal cc");
    for card in ["rr", "gk", "go"] {
        assert_eq!(holds(&table, seat(0), 1, card), 400);
        assert!(holds(&table, seat(2), 1, card) < 200);
    }
    assert_eq!(holds(&table, seat(1), 0, "cc"), 400, "the victim knows what was stolen");
    table.does("place cc 0,0 n; place cr 1,0 e");
    table.turn("aa aa aa", "place rr 2,0 n; place aa 3,0 n");
    assert!(holds(&table, seat(0), 1, "rr") < 200, "it was played");
    assert_eq!(holds(&table, seat(0), 1, "gk"), 400);
    table.does("scuttle").draws(FILL).does("scuttle").draws(FILL);
    table.does("scuttle").draws(FILL);
    assert!(holds(&table, seat(0), 1, "gk") < 200, "it was scuttled");
}

#[test]
fn traders_remember_what_they_gave_and_others_forget_what_they_knew() {
    let mut table = Table::dealt("cra", &["parlay plunder ko ko", "rr rr gk go", FILL]);
    table.turn("cr cr", "plunder 1; steal gk; place gk 0,0 n");
    table.does("parlay 1 n2; accept; give rr go; give cr cr");
    assert_eq!(holds(&table, seat(0), 1, "cr"), 400);
    assert_eq!(holds(&table, seat(0), 1, "rr"), 400);
    assert_eq!(holds(&table, seat(1), 0, "go"), 400);
    assert!(holds(&table, seat(2), 1, "cr") < 200);
    // Seat 1 trades with seat 2: seat 0 no longer knows what seat 1 has.
    table.turn("parlay aw aw", "parlay 2 n1; accept; give ko; give cr");
    assert!(holds(&table, seat(0), 1, "rr") < 200);
    assert_eq!(holds(&table, seat(1), 2, "cr"), 400);
}

#[test]
fn what_is_taken_before_all_eyes_is_known_to_all() {
    let mut table = Table::dealt("cra", &["heading ko ko ko", FILL, FILL]);
    table.turn("gk aw", "place gk 0,0 n; heading 0,0 aw n");
    for viewer in [seat(1), seat(2), Viewer::Spectator] {
        assert_eq!(holds(&table, viewer, 0, "gk"), 400);
    }
}

#[test]
fn a_scuttled_hand_is_known_to_who_put_it_there_until_another_draws_from_it() {
    let mut table = Table::with_options(2, r#"{"deck":{"cr":4,"cannon":14}}"#)
        .deal("cr", &["cr cr cr cr", "cannon cannon cannon cannon"]);
    table.does("scuttle").draws("cannon cannon cannon cannon");
    let last = |table: &Table, viewer: Viewer| {
        let all =
            |world: &XMarksTheSpot| world.pile.segments().last().unwrap().cards.copies("cr".parse().unwrap()) == 4;
        samples(table, viewer).iter().filter(|world| all(world)).count()
    };
    assert_eq!(last(&table, seat(0)), 400);
    assert!(last(&table, seat(1)) < 200);
    table.does("draw").draws("cannon cannon").does("scuttle").draws("cannon cannon cannon cannon cr cr");
    let kept =
        samples(&table, seat(0)).iter().filter(|world| world.pile.next().copies("cr".parse().unwrap()) == 2).count();
    assert!(kept < 400);
}

#[test]
fn a_choice_made_in_secret_is_drawn_anew_for_who_has_not_seen_it() {
    let mut table = Table::dealt("cra", &["parlay ko ko ko", "cc rr gk go", FILL]);
    table.turn("aw aw", "parlay 1 n1; accept; give gk");
    let given = |viewer: Viewer| {
        let gift = |world: &XMarksTheSpot| match world.phase {
            Phase::PlayerGives(.., gift) => gift,
            _ => panic!("the player is to give"),
        };
        samples(&table, viewer).iter().map(gift).collect::<HashSet<_>>().len()
    };
    assert_eq!(given(seat(1)), 1);
    assert!(given(seat(0)) > 10 && given(seat(2)) > 10);
    let mut table = Table::dealt("cra", &["plunder ko ko ko", "cc rr gk go", FILL]);
    table.turn("aw aw", "plunder 1; steal gk");
    let stolen = |viewer: Viewer| {
        let card = |world: &XMarksTheSpot| match world.phase {
            Phase::Plundered(card, _) => card,
            _ => panic!("the stolen card is to be played"),
        };
        samples(&table, viewer).iter().map(card).collect::<HashSet<_>>().len()
    };
    assert_eq!((stolen(seat(0)), stolen(seat(1))), (1, 1));
    assert!(stolen(seat(2)) > 10);
}
