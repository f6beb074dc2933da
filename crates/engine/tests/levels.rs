//! Levels: what they see, what they overlook, and that a game with one seed is one game.

mod common;
#[path = "common/suite.rs"]
mod suite;

use common::{GO, Ticking};
use quincunx_core::{Actor, DynSession, Seat, Session, Turn, find, options_from_json};
use quincunx_engine::{AtLevel, Budget, Control, Engine, Knowledge, Level, Line, ModXPlayer, Player, Thought};
use quincunx_games::{GAMES, ModX};
use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::json;
use suite::{Theme, missed, problems};

#[test]
fn levels_have_names_that_are_read_again_and_a_sentence_each() {
    for level in Level::ALL {
        assert_eq!(level.name().parse::<Level>(), Ok(level));
        assert!(level.about().ends_with('.') && level.about().len() < 100, "{}", level.about());
    }
    let why = "grandmaster".parse::<Level>().unwrap_err();
    assert!(why.contains("beginner, novice, casual, club, strong, expert, master"), "{why}");
}

#[test]
fn a_higher_level_looks_further() {
    for kind in GAMES {
        for pair in Level::ALL.windows(2) {
            let [lower, higher] = [pair[0], pair[1]].map(|level| level.budget(kind.id()));
            assert!(lower.nodes < higher.nodes && higher.time.is_none(), "{} in {}", pair[1], kind.id());
        }
    }
}

/// The share that a level misses, in percent.
fn misses(game: &str, level: Level, theme: Theme) -> u32 {
    let (missed, shown) = missed(level, &problems(game), theme, 12);
    assert!(shown >= 100, "{shown}");
    100 * missed / shown
}

#[test]
fn wins_are_seen_by_casual_players_always_and_by_novices_mostly() {
    for game in ["trexo", "mod-x"] {
        let [beginner, novice, casual, club] =
            [Level::Beginner, Level::Novice, Level::Casual, Level::Club].map(|level| misses(game, level, Theme::Win));
        assert!((8..=22).contains(&novice), "{game}: {novice} %");
        assert!(beginner > novice, "{game}: {beginner} % and {novice} %");
        assert_eq!((casual, club), (0, 0), "{game}");
    }
}

#[test]
fn threats_are_met_by_club_players_always_and_by_others_the_less_the_lower() {
    for game in ["trexo", "mod-x"] {
        let [beginner, novice, casual, club, strong] =
            [Level::Beginner, Level::Novice, Level::Casual, Level::Club, Level::Strong]
                .map(|level| misses(game, level, Theme::Threat));
        assert!((28..=50).contains(&novice), "{game}: {novice} %");
        assert!((6..=24).contains(&casual), "{game}: {casual} %");
        assert!(beginner > novice, "{game}: {beginner} % and {novice} %");
        assert_eq!((club, strong), (0, 0), "{game}");
    }
}

/// What is played when all seats are of these levels in turn, with one seed, until so many actions were made.
fn played(game: &str, levels: [Level; 2], seed: u64, plies: usize, fresh: bool) -> Box<dyn DynSession> {
    played_on(find(GAMES, game).unwrap().start(None, &json!({})).unwrap(), levels, seed, plies, fresh)
}

fn played_on(
    mut table: Box<dyn DynSession>,
    levels: [Level; 2],
    seed: u64,
    plies: usize,
    fresh: bool,
) -> Box<dyn DynSession> {
    let game = table.kind().id();
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(seed);
    let thinkers = || levels.map(|level| Engine::Level(level).thinker(game).unwrap());
    let mut kept = thinkers();
    while table.ply() < plies {
        match table.turn() {
            Turn::Over => break,
            Turn::Chance => drop(table.draw(&mut draws).unwrap()),
            Turn::Seat(seat) => {
                if fresh {
                    kept = thinkers();
                }
                let number = seat.index() % 2;
                let clock = Ticking::default();
                let control = Control::new(levels[number].budget(game), seed, &clock, &GO);
                let action = kept[number].think(&*table, seat, &control).unwrap().action;
                table.apply(None, &action).unwrap();
            }
        }
    }
    table
}

#[test]
fn one_seed_is_one_game_whether_players_are_kept_or_made_anew() {
    for kind in GAMES {
        let levels = [Level::Casual, Level::Strong];
        let actions = |seed, fresh| played(kind.id(), levels, seed, 40, fresh).record().steps;
        assert_eq!(actions(1, false), actions(1, true), "{}", kind.id());
        assert!(actions(1, false) != actions(2, false), "{}", kind.id());
    }
}

/// Games of the levels, as they have to come out on every platform: game, seats, level of all seats, seed and actions, those of
/// chance after a `~`. The browser's engine is tested with the same file. `WRITE_SUITE=1` writes it anew.
#[test]
fn the_games_of_the_levels_come_out_as_they_are_written() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/suites/levels.txt");
    let mut lines = Vec::new();
    for (number, kind) in GAMES.iter().enumerate() {
        for (level, seats) in [(Level::Novice, kind.seats()[0]), (Level::Club, *kind.seats().last().unwrap())] {
            let seed = 10 + number as u64;
            let table = find(GAMES, kind.id()).unwrap().start(Some(seats.into()), &json!({})).unwrap();
            let steps = played_on(table, [level; 2], seed, 24, true).record().steps;
            let actions = steps.iter().map(|step| match step.by {
                Actor::Seat(_) => step.action.clone(),
                Actor::Chance => format!("~{}", step.action),
            });
            let actions: Vec<String> = actions.collect();
            lines.push(format!("{} | {seats} | {level} | {seed} | {}", kind.id(), actions.join("; ")));
        }
    }
    let text = lines.join("\n") + "\n";
    if std::env::var_os("WRITE_SUITE").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), text, "written anew by WRITE_SUITE=1");
}

#[test]
fn nobody_puts_the_hand_back_by_a_throw_of_dice() {
    // What a master does not do in a first turn, no level does.
    let mut scuttled = [0; 7];
    for seed in 0..30 {
        for (level, times) in Level::ALL.into_iter().zip(&mut scuttled) {
            let table = played("x-marks-the-spot", [level; 2], seed, 14, true);
            *times += table.record().steps.iter().filter(|step| step.action == "scuttle").count();
        }
    }
    assert!(scuttled.iter().all(|&times| times <= scuttled[6] + 3), "{scuttled:?}");
}

#[test]
fn a_level_tells_the_lines_it_is_asked_for_and_plays_a_legal_action() {
    for kind in GAMES {
        for level in Level::ALL {
            let table = played(kind.id(), [Level::Beginner; 2], 3, 24, true);
            let Turn::Seat(seat) = table.turn() else { continue };
            let clock = Ticking::default();
            let control = Control::new(Budget::nodes(200), 1, &clock, &GO).with_lines(3);
            let mut thinker = Engine::Level(level).thinker(kind.id()).unwrap();
            let thought = thinker.think(&*table, seat, &control).unwrap();
            assert!(table.check(Actor::Seat(seat), &thought.action).is_ok());
            let legal = table.actions(seat).len();
            assert!(thought.lines.len() <= 3 && (!thought.lines.is_empty() || legal == 1), "{level} in {}", kind.id());
            sorted(&thought, seat);
        }
    }
}

/// Lines are told best first; a proven one and a searched one may be as good.
fn sorted(thought: &Thought, seat: Seat) {
    let own = |line: &Line| line.expected[seat.index()];
    for line in &thought.lines {
        assert!(line.expected.iter().all(|share| (0.0..=1.0).contains(share)), "{line:?}");
        assert!(!line.steps.is_empty());
    }
    if let [first, .., last] = &thought.lines[..] {
        assert!(own(first) > own(last) - 0.2, "{thought:?}");
    }
}

#[test]
fn a_claim_out_of_turn_is_overlooked_by_novices_and_by_a_master_never() {
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
    assert!((20..=52).contains(&novice), "{novice}");
}
