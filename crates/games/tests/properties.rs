//! What always holds, over random games of every game, option set and number of seats.

mod cases;

use std::collections::HashSet;

use cases::{Case, for_every_game};
use quincunx_core::{
    Actor, Codes, Game, GameKind, Of, Position, Reason, Record, Scratch, Seat, Session, Turn, Viewer, all_codes,
    any_step, perft, strip,
};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::Value;

type Rng = Xoshiro256PlusPlus;

/// No random game of any option set takes longer.
const LONGEST: usize = 300_000;

/// Random games of a case: from each seed one game, with actions picked among those of all actors.
fn for_random_games<G: Game>(case: &Case, games: u64, mut at_each: impl FnMut(&Session<G>, &mut Rng)) {
    for seed in 0..games {
        let mut rng = Rng::seed_from_u64(seed);
        let mut session = case.session::<G>();
        // What a failing test prints, to repeat it.
        println!("{}, {} seats, options {}, seed {seed}", G::ID, case.seats, case.options);
        loop {
            at_each(&session, &mut rng);
            let Some((actor, action)) = any_step(session.game(), &mut rng) else { break };
            let text = action.to_string();
            println!("  {actor:?} {text}");
            session.apply_by(actor, &text).unwrap_or_else(|error| panic!("a listed action is refused: {error}"));
            assert!(session.ply() < LONGEST, "the game does not end");
        }
    }
}

fn viewers(seats: u8) -> impl Iterator<Item = Viewer> {
    Seat::all(seats).map(Viewer::Seat).chain([Viewer::Spectator])
}

fn actors(seats: u8) -> impl Iterator<Item = Actor> {
    Seat::all(seats).map(Actor::Seat).chain([Actor::Chance])
}

fn legal<G: Game>(game: &G, by: Actor) -> Vec<G::Action> {
    let mut scratch = Scratch::default();
    match by {
        Actor::Seat(seat) => game.actions(seat, &mut scratch.actions),
        Actor::Chance => game.chances(&mut scratch.chances),
    }
    scratch.actions.extend(scratch.chances.iter().map(|&(action, _)| action));
    scratch.actions
}

fn bytes<G: Game>(game: &G, viewer: Viewer) -> String {
    serde_json::to_string(&Position::of(game, 0, viewer)).unwrap()
}

/// A text near a legal one: characters dropped, changed or put in.
fn mutated(text: &str, rng: &mut Rng) -> String {
    const ALPHABET: [char; 17] =
        ['a', 'c', 'k', '0', '1', '3', '9', '-', '+', '*', '!', ' ', ',', 'n', 'e', '\u{e9}', '?'];
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..3) {
        let at = rng.random_range(0..=characters.len());
        let new = ALPHABET[rng.random_range(0..ALPHABET.len())];
        match rng.random_range(0..3) {
            0 if at < characters.len() => drop(characters.remove(at)),
            1 if at < characters.len() => characters[at] = new,
            _ => characters.insert(at, new),
        }
    }
    characters.into_iter().collect()
}

/// When a check that takes long is made: at the start, at the end and here and there.
fn now_and_then<G: Game>(session: &Session<G>, rng: &mut Rng) -> bool {
    session.ply() < 4 || session.game().turn() == Turn::Over || rng.random_range(0..24) == 0
}

fn listed_actions_are_accepted_and_all_other_texts_refused<G: Game>(case: &Case) {
    let mut seen: Vec<String> = ["", "?", "pass", "swap", "done", "draw", "a1", "0", "\u{1f980}", "+", "*", "!", "-"]
        .map(str::to_owned)
        .to_vec();
    let codes = all_codes(&[const { &Of::<G>::NEW }]);
    for_random_games::<G>(case, case.games, |session, rng| {
        if !now_and_then(session, rng) {
            return;
        }
        let before = bytes(session.game(), Viewer::Everything);
        let mut tried = session.clone();
        for by in actors(session.game().seats()) {
            let actions = legal(session.game(), by);
            let texts: HashSet<String> = actions.iter().map(ToString::to_string).collect();
            assert_eq!(texts.len(), actions.len(), "two actions of one actor have the same text");
            for &action in &actions {
                assert_eq!(action.to_string().parse(), Ok(action), "an action is read as it is written");
                assert_eq!(session.game().check(by, action), Ok(()), "{action} is listed");
            }
            // Some are played to see; the walk itself goes on with one of them.
            for _ in 0..actions.len().min(4) {
                let action = actions[rng.random_range(0..actions.len())];
                let mut next = session.clone();
                next.apply_by(by, &action.to_string()).unwrap();
                seen.push(action.to_string());
            }
            for _ in 0..24 {
                let near = &seen[rng.random_range(0..seen.len())];
                let text = if rng.random_range(0..3) == 0 { near.clone() } else { mutated(near, rng) };
                if !texts.contains(&text) {
                    let error = tried.apply_by(by, &text).err();
                    let error = error.unwrap_or_else(|| panic!("{by:?} {text:?} is not listed and was accepted"));
                    assert_is_listed(&error.into(), &codes);
                }
            }
        }
        assert!(tried.game() == session.game() && tried.ply() == session.ply(), "a refusal changed something");
        assert_eq!(bytes(tried.game(), Viewer::Everything), before);
    });
}

/// A reason has one of the codes, with exactly its arguments, and so have the reasons in it.
fn assert_is_listed(reason: &Reason, codes: &Codes) {
    let args: Vec<&String> = reason.args.keys().collect();
    assert_eq!(codes.get(&reason.code).map(|args| args.iter().collect()), Some(args), "{reason:?}");
    assert!(!reason.text.is_empty(), "{reason:?}");
    if let Some(why) = reason.args.get("why") {
        assert_is_listed(&serde_json::from_value(why.clone()).expect("a reason"), codes);
    }
}

fn records_json_and_undo_give_the_same_game_back<G: Game>(case: &Case) {
    let games: &[&'static dyn GameKind] = &[const { &Of::<G>::NEW }];
    let mut positions: Vec<G> = Vec::new();
    for_random_games::<G>(case, case.games, |session, rng| {
        positions.truncate(session.ply());
        positions.push(session.game().clone());
        if !now_and_then(session, rng) {
            return;
        }
        let record = session.record();
        let text = record.to_text();
        let again = Record::parse(&text).unwrap().replay(games).unwrap();
        assert_eq!(again.record().to_text(), text);
        assert_eq!(again.position(Viewer::Everything), session.to_json(Viewer::Everything));
        let json = record.to_json();
        let again = Record::from_json(&json.to_string()).unwrap().replay(games).unwrap();
        assert_eq!(again.record().to_json(), json);
        for viewer in viewers(session.game().seats()) {
            assert_eq!(again.position(viewer), session.to_json(viewer));
            assert_eq!(again.log(viewer), session.log(viewer));
        }
        let mut undone = session.clone();
        let count = rng.random_range(0..=session.ply());
        undone.undo(count as u64).unwrap();
        assert!(undone.game() == &positions[session.ply() - count], "undo gives another position");
        for step in &record.steps[undone.ply()..] {
            undone.apply_by(step.by, &step.action).unwrap();
        }
        assert!(undone.game() == session.game(), "the same actions lead to another position");
        assert_eq!(undone.game().key(), session.game().key());
    });
}

fn the_kept_hash_equals_the_recomputed_one<G: Game>(case: &Case) {
    for_random_games::<G>(case, case.games, |session, rng| {
        assert_eq!(session.game().key(), session.game().key_from_scratch());
        if let Some((actor, action)) = any_step(session.game(), rng) {
            let mut next = session.game().clone();
            next.play(actor, action);
            assert_ne!(next.key(), session.game().key(), "{action} changes the position and not the hash");
        }
    });
}

fn turn_actions_and_outcome_agree<G: Game>(case: &Case) {
    let mut scratch = Scratch::default();
    for_random_games::<G>(case, case.games, |session, rng| {
        let game = session.game();
        let seats = game.seats();
        assert_eq!(game.outcome().is_some(), game.turn() == Turn::Over);
        match game.turn() {
            Turn::Over => {
                assert!(actors(seats).all(|by| legal(game, by).is_empty()), "nobody acts after the end");
                let winners = game.outcome().unwrap().winners;
                let sides: HashSet<u8> = winners.iter().map(|seat| game.side(seat)).collect();
                assert!(sides.len() <= 1, "one side wins");
                for seat in Seat::all(seats) {
                    assert_eq!(winners.contains(seat), sides.contains(&game.side(seat)), "a side wins as a whole");
                }
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chances(&mut outcomes);
                assert!(!outcomes.is_empty() && outcomes.iter().all(|&(_, weight)| weight > 0));
                assert!(Seat::all(seats).all(|seat| legal(game, Actor::Seat(seat)).is_empty()), "chance comes first");
            }
            Turn::Seat(seat) => {
                assert!(!legal(game, Actor::Seat(seat)).is_empty(), "who is on turn has an action");
                assert!(legal(game, Actor::Chance).is_empty());
            }
        }
        if let Some(actor) = game.turn().actor() {
            let action = game.random(actor, rng, &mut scratch);
            assert_eq!(game.check(actor, action), Ok(()), "a random action is legal");
        }
    });
}

fn what_a_seat_cannot_tell_apart_looks_the_same_to_it<G: Game>(case: &Case) {
    for_random_games::<G>(case, case.games, |session, rng| {
        if !now_and_then(session, rng) {
            return;
        }
        let game = session.game();
        for viewer in viewers(game.seats()) {
            let seen = bytes(game, viewer);
            for _ in 0..3 {
                let sampled = game.sample(viewer, rng);
                assert_eq!(bytes(&sampled, viewer), seen, "the sampler changed what {viewer} sees");
                assert_eq!(sampled.view(viewer).to_string(), game.view(viewer).to_string());
                assert_eq!(sampled.key(), sampled.key_from_scratch());
                let Viewer::Seat(seat) = viewer else { continue };
                let by = Actor::Seat(seat);
                for action in legal(game, by) {
                    assert_eq!(sampled.check(by, action), Ok(()));
                    for other in viewers(game.seats()) {
                        let messages = [game, &sampled].map(|game| game.redacted(by, action, other));
                        assert_eq!(messages[0], messages[1], "the message about {action} tells positions apart");
                    }
                }
                // Refusals are messages too. Actions of other seats and of chance are what people try.
                for action in actors(game.seats()).flat_map(|by| legal(&sampled, by)).take(400) {
                    assert_eq!(sampled.check(by, action), game.check(by, action), "{action}");
                }
            }
        }
        assert!(&game.sample(Viewer::Everything, rng) == game, "who sees everything has nothing to guess");
    });
}

fn the_true_position_can_come_out_of_the_sampler<G: Game>(case: &Case) {
    if !case.few_hidden {
        return;
    }
    for_random_games::<G>(case, 2, |session, rng| {
        if session.ply() % 7 != 0 {
            return;
        }
        for viewer in viewers(session.game().seats()) {
            let found = (0..1_000_000).any(|_| &session.game().sample(viewer, rng) == session.game());
            assert!(found, "{viewer}: the true position never came out");
        }
    });
}

fn logs_show_a_line_whole_or_redacted_and_to_its_actor_whole<G: Game>(case: &Case) {
    for_random_games::<G>(case, case.games.min(4), |session, _| {
        if session.game().turn() != Turn::Over {
            return;
        }
        let whole = session.log(Viewer::Everything);
        for viewer in viewers(session.game().seats()) {
            for (line, full) in session.log(viewer).iter().zip(&whole) {
                assert_eq!(line.by, full.by);
                let own = matches!((viewer, line.by), (Viewer::Seat(seat), Actor::Seat(actor)) if seat == actor);
                assert!(
                    line.action == full.action || line.action.ends_with('?') && !own,
                    "{viewer} reads {}",
                    line.action
                );
            }
        }
    });
}

fn views_differ_exactly_in_games_that_hide_something<G: Game>(case: &Case) {
    let mut differ = false;
    for_random_games::<G>(case, 2, |session, _| {
        let all = session.game().view(Viewer::Everything);
        let all = serde_json::to_value(all).unwrap();
        let mut views = viewers(case.seats).map(|viewer| serde_json::to_value(session.game().view(viewer)).unwrap());
        differ |= views.any(|view| view != all);
    });
    assert_eq!(differ, G::HIDDEN_INFORMATION);
}

fn pictures_are_the_same_with_and_without_colours<G: Game>(case: &Case) {
    let properties = Of::<G>::NEW.view_schema()["properties"].as_object().expect("a view is an object").clone();
    for_random_games::<G>(case, 2, |session, rng| {
        if !now_and_then(session, rng) {
            return;
        }
        for viewer in viewers(session.game().seats()).chain([Viewer::Everything]) {
            let view = session.game().view(viewer);
            let plain = view.to_string();
            assert!(plain.lines().count() > 2, "a picture of the table: {plain}");
            assert!(!plain.contains('\u{1b}'));
            assert_eq!(strip(&format!("{view:#}")), plain);
            let json = serde_json::to_value(view).unwrap();
            for name in json.as_object().expect("a view is an object").keys() {
                assert!(properties.contains_key(name), "{name} is not in the schema of the view");
            }
        }
    });
}

for_every_game! {
    listed_actions_are_accepted_and_all_other_texts_refused,
    records_json_and_undo_give_the_same_game_back,
    the_kept_hash_equals_the_recomputed_one,
    turn_actions_and_outcome_agree,
    what_a_seat_cannot_tell_apart_looks_the_same_to_it,
    the_true_position_can_come_out_of_the_sampler,
    logs_show_a_line_whole_or_redacted_and_to_its_actor_whole,
    views_differ_exactly_in_games_that_hide_something,
    pictures_are_the_same_with_and_without_colours,
}

/// Lines `seats | options | depth | sequences` of a data file.
fn perft_numbers<G: Game>(file: &str) {
    let mut lines = 0;
    for line in file.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let [seats, options, depth, sequences] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("not a line of perft numbers: {line}");
        };
        let options: Value = serde_json::from_str(options).unwrap();
        let start = Case::new(seats.parse().unwrap(), options).session::<G>();
        assert_eq!(perft(start.game(), depth.parse().unwrap()), sequences.parse::<u64>().unwrap(), "{line}");
        lines += 1;
    }
    assert!(lines >= 4, "the numbers are there");
}

macro_rules! perft_files {
    ($($name:ident: $game:ty = $file:literal),* $(,)?) => {
        mod perft_numbers_of_the_data_files {
            $(#[test]
            fn $name() {
                super::perft_numbers::<$game>(include_str!(concat!("../perft/", $file)));
            })*
        }
    };
}

perft_files! {
    trexo: quincunx_games::trexo::Trexo = "trexo.txt",
    mod_x: quincunx_games::mod_x::ModX = "mod-x.txt",
    figures: quincunx_games::figures::Figures = "figures.txt",
    castle_builders: quincunx_games::castle_builders::CastleBuilders = "castle-builders.txt",
    x_marks_the_spot: quincunx_games::x_marks_the_spot::XMarksTheSpot = "x-marks-the-spot.txt",
}
