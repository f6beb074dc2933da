use std::sync::mpsc::{self, Receiver};

use quincunx_core::find;
use quincunx_games::GAMES;
use serde_json::{Value, json};

use super::*;
use crate::event::Event;
use crate::files;

/// A game at this machine and what its background reports.
struct Room {
    local: Local,
    events: Receiver<Event>,
}

impl Room {
    fn new(game: &str, options: &Value, sitters: &[&str]) -> Self {
        let table = find(GAMES, game).unwrap().start(Some(sitters.len() as u64), options).unwrap();
        Self::open(table, sitters, None, None)
    }

    fn open(
        table: Box<dyn DynSession>,
        sitters: &[&str],
        clock: Option<TimeControl>,
        file: Option<std::path::PathBuf>,
    ) -> Self {
        let (sender, events) = mpsc::channel();
        let sitter = |name: &&str| match *name {
            "person" => Sitter::Person,
            player => Sitter::Engine(player.parse().unwrap()),
        };
        let opening = Opening { table, sitters: sitters.iter().map(sitter).collect(), clock, file };
        Self { local: Local::new(opening, Reporter(sender)).unwrap(), events }
    }

    /// Takes one piece of news.
    fn hear(&mut self) {
        let event = self.events.recv_timeout(Duration::from_mins(1)).expect("somebody thinks");
        let Event::News(news) = event else { panic!("{event:?}") };
        let mut news = Some(news);
        assert!(self.local.hear(&mut news));
        assert!(news.is_none(), "it is taken");
    }

    fn ply(&self) -> usize {
        self.local.moment().ply
    }
}

#[test]
fn an_engine_answers_and_its_answer_is_taken_back_with_the_move() {
    let mut room = Room::new("trexo", &json!({}), &["person", "novice"]);
    assert!(room.local.moment().is_ours());
    room.local.act("e5f5").unwrap();
    assert!(!room.local.moment().is_ours());
    assert_eq!(room.local.players()[1].note.as_deref(), Some("thinks"));
    room.hear();
    assert_eq!(room.ply(), 2);
    room.local.command("u").unwrap();
    assert_eq!((room.ply(), room.local.moment().is_ours()), (0, true));
    assert_eq!(room.local.command("u"), Err("There is nothing to take back.".to_owned()));
}

#[test]
fn what_is_taken_back_while_an_engine_thinks_is_not_answered() {
    let mut room = Room::new("trexo", &json!({}), &["person", "master@60000ms"]);
    room.local.act("e5f5").unwrap();
    room.local.command("u").unwrap();
    // The engine has been stopped long before its time.
    room.hear();
    assert_eq!(room.ply(), 0);
    room.local.act("a1b1").unwrap();
    assert_eq!(room.local.players()[1].note.as_deref(), Some("thinks"), "it thinks about the other move");
}

#[test]
fn an_illegal_action_is_refused_in_the_words_of_the_rules() {
    let mut room = Room::new("trexo", &json!({}), &["person", "person"]);
    let why = room.local.act("a1c1").unwrap_err();
    assert!(!why.is_empty());
    assert_eq!(room.ply(), 0);
    assert_eq!(room.local.act("1: a1b1").map_err(|why| why.is_empty()), Err(false), "it is not the turn of seat 1");
}

#[test]
fn seats_of_engines_cannot_be_played_by_hand() {
    let mut room = Room::new("mod-x", &json!({}), &["novice@1nodes", "person"]);
    assert_eq!(room.local.act("0: c3"), Err("Seat 0 is played by an engine.".to_owned()));
}

#[test]
fn people_who_share_a_screen_are_called_to_it_before_a_hand_is_shown() {
    let mut room = Room::new("castle-builders", &json!({}), &["person", "person"]);
    assert_eq!(room.local.stage(), Stage::Covered(0));
    room.local.uncover();
    assert_eq!(room.local.stage(), Stage::Playing);
    assert_eq!(room.local.moment().viewer, Some(0));
    // Some actions let the same player go on: it is over when the other one is on turn.
    while room.local.moment().viewer == Some(0) {
        assert_ne!(room.local.stage(), Stage::Covered(0), "whoever is there needs not be called");
        let action = room.local.moment().offers[0].clone();
        room.local.act(&action).unwrap();
    }
    assert_eq!(room.local.stage(), Stage::Covered(1));
    assert!(room.local.moment().view["players"][0]["hand"].is_null(), "the first hand is hidden now");
}

#[test]
fn nobody_is_called_where_nothing_is_hidden_or_one_plays_alone() {
    assert_eq!(Room::new("trexo", &json!({}), &["person", "person"]).local.stage(), Stage::Playing);
    assert_eq!(Room::new("castle-builders", &json!({}), &["person", "novice"]).local.stage(), Stage::Playing);
}

#[test]
fn engines_that_are_asked_out_of_turn_leave_the_game_whole() {
    // With manual claims engines are asked out of turn too.
    let mut room =
        Room::new("mod-x", &json!({"claims": "manual"}), &["novice@50nodes", "novice@50nodes", "novice@50nodes"]);
    room.local.command("+").unwrap();
    room.local.command("+").unwrap();
    room.local.command("+").unwrap();
    for _ in 0..60 {
        room.local.tick();
        if room.local.thinking.is_some() {
            room.hear();
        }
    }
    assert!(room.ply() > 20, "{}", room.ply());
    let record = room.local.record().unwrap();
    assert!(record.replay(GAMES).is_ok());
}

#[test]
fn a_hint_is_about_the_position_that_it_was_asked_for() {
    let mut room = Room::new("castle-builders", &json!({}), &["person", "novice@1nodes"]);
    room.local.ask_hint().unwrap();
    assert!(matches!(room.local.hint(), Hint::Thinking));
    room.hear();
    let Hint::Given(thought) = room.local.hint() else { panic!("{:?}", room.local.hint()) };
    assert!(room.local.moment().offers.contains(&thought.action));
    let action = thought.action.clone();
    room.local.act(&action).unwrap();
    assert!(matches!(room.local.hint(), Hint::None), "it was about another position");
}

#[test]
fn a_flag_that_falls_ends_a_game_between_two_sides() {
    let table = find(GAMES, "trexo").unwrap().start(None, &json!({})).unwrap();
    let clock = TimeControl { time: Duration::from_millis(1), increment: Duration::ZERO };
    let mut room = Room::open(table, &["person", "person"], Some(clock), None);
    while !matches!(room.local.stage(), Stage::Over(_)) {
        thread::sleep(Duration::from_millis(1));
        room.local.tick();
    }
    assert_eq!(room.local.stage(), Stage::Over("Seat 0 is out of time.".to_owned()));
    assert!(room.local.act("e5f5").is_err() && room.local.moment().offers.is_empty());
    assert_eq!(room.local.pace(), None);
}

#[test]
fn among_more_than_two_sides_the_engine_plays_on() {
    let table = find(GAMES, "mod-x").unwrap().start(Some(3), &json!({})).unwrap();
    let clock = TimeControl { time: Duration::from_millis(1), increment: Duration::ZERO };
    let mut room = Room::open(table, &["person", "person", "person"], Some(clock), None);
    while room.local.notice().is_none() {
        thread::sleep(Duration::from_millis(1));
        room.local.tick();
    }
    assert_eq!(room.local.players()[0].name, "Seat 0 (engine)");
    assert_eq!(room.local.stage(), Stage::Playing);
}

#[test]
fn a_program_that_ends_leaves_its_seat_to_whoever_is_there() {
    let mut room = Room::new("trexo", &json!({}), &["cmd:echo ready; read hello; read game@10ms", "person"]);
    // It is noticed when it sits down or when it has to decide.
    room.hear();
    assert!(room.local.notice().unwrap().contains("its seat is yours now"));
    room.local.act("e5f5").unwrap();
    assert_eq!(room.ply(), 1);
}

#[test]
fn every_action_is_in_the_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    let table = find(GAMES, "trexo").unwrap().start(None, &json!({})).unwrap();
    let mut room = Room::open(table, &["person", "person"], None, Some(file.clone()));
    for (count, action) in ["e5f5", "a1b1"].into_iter().enumerate() {
        room.local.act(action).unwrap();
        assert_eq!(files::replay(&file.to_string_lossy()).unwrap().ply(), count + 1);
    }
}
