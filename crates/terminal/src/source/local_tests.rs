//! Tables in this process.

use std::sync::mpsc;

use quincunx_core::find;
use quincunx_games::GAMES;
use serde_json::{Value, json};

use super::*;
use crate::event::Event as Any;
use crate::files;
use crate::host::Sitter;

/// A table in this process and what its background reports.
struct Room {
    source: Source,
    events: Receiver<Any>,
}

fn table(game: &str, seats: usize, options: &Value) -> Box<dyn DynSession> {
    find(GAMES, game).unwrap().start(Some(seats as u64), options).unwrap()
}

impl Room {
    fn new(game: &str, options: &Value, sitters: &[&str]) -> Self {
        Self::open(table(game, sitters.len(), options), sitters, None, None)
    }

    fn open(
        table: Box<dyn DynSession>,
        sitters: &[&str],
        file: Option<std::path::PathBuf>,
        shelf: Option<Shelf>,
    ) -> Self {
        let (sender, events) = mpsc::channel();
        let sitter = |name: &&str| match *name {
            "person" => Sitter::Person,
            player => Sitter::Engine(player.parse().unwrap()),
        };
        let opening = Opening { table, sitters: sitters.iter().map(sitter).collect(), file };
        Self { source: Source::here(opening, shelf, Reporter(sender)).unwrap(), events }
    }

    /// Takes news until something is so.
    #[track_caller]
    fn until(&mut self, is_so: impl Fn(&mut Source) -> bool) {
        while !is_so(&mut self.source) {
            let event = self.events.recv_timeout(Duration::from_mins(1)).expect("something happens");
            let Any::News(news) = event else { panic!("{event:?}") };
            let mut news = Some(news);
            self.source.hear(&mut news);
            assert!(news.is_none(), "it is taken");
        }
    }

    fn ply(&self) -> usize {
        self.source.moment().ply
    }

    /// Does something that the rules refuse; gives why.
    fn refused(&mut self, action: &str) -> String {
        let why = self.source.act(action).err().or_else(|| self.source.notice());
        why.filter(|why| !why.is_empty()).expect("a reason")
    }
}

#[test]
fn an_engine_answers_and_its_answer_is_taken_back_with_the_move() {
    let mut room = Room::new("trexo", &json!({}), &["person", "novice"]);
    assert!(room.source.moment().is_ours());
    room.source.act("e5f5").unwrap();
    room.until(|source| source.moment().ply == 2);
    room.source.command("u").unwrap();
    assert_eq!((room.ply(), room.source.moment().is_ours()), (0, true));
    assert_eq!(room.source.notice().as_deref(), Some("Taken back."));
    room.source.command("u").unwrap();
    assert_eq!(room.source.notice().as_deref(), Some("There is no move of yours to take back."));
}

#[test]
fn what_is_taken_back_while_an_engine_thinks_is_not_answered() {
    let mut room = Room::new("trexo", &json!({}), &["person", "master@60000ms"]);
    room.source.act("e5f5").unwrap();
    assert_eq!(room.source.players()[1].note.as_deref(), Some("thinks"));
    room.source.command("u").unwrap();
    assert_eq!(room.ply(), 0);
    room.source.act("a1b1").unwrap();
    assert_eq!(room.source.players()[1].note.as_deref(), Some("thinks"), "it thinks about the other move");
    assert_eq!(room.ply(), 1);
}

#[test]
fn an_illegal_action_is_refused_in_the_words_of_the_rules() {
    let mut room = Room::new("trexo", &json!({}), &["person", "person"]);
    room.refused("a1c1");
    room.refused("1: a1b1");
    assert_eq!(room.ply(), 0);
}

#[test]
fn seats_of_engines_cannot_be_played_by_hand() {
    let mut room = Room::new("mod-x", &json!({}), &["novice@1nodes", "person"]);
    assert_eq!(room.refused("0: c3"), "Seat 0 is played by an engine.");
    assert_eq!(room.refused("7: c3"), "Seat 7 is not yours.");
}

#[test]
fn people_who_share_a_screen_are_called_to_it_before_a_hand_is_shown() {
    let mut room = Room::new("castle-builders", &json!({}), &["person", "person"]);
    assert_eq!(room.source.stage(), Stage::Covered(0));
    room.source.uncover();
    assert_eq!(room.source.stage(), Stage::Playing);
    assert_eq!(room.source.moment().viewer, Some(0));
    // Some actions let the same player go on: it is over when the other one is on turn.
    while room.source.stage() == Stage::Playing {
        let action = room.source.moment().offers[0].clone();
        room.source.act(&action).unwrap();
    }
    assert_eq!(room.source.stage(), Stage::Covered(1));
    room.source.uncover();
    assert_eq!(room.source.moment().viewer, Some(1));
    assert!(room.source.moment().view["players"][0]["hand"].is_null(), "the first hand is hidden now");
}

#[test]
fn nobody_is_called_where_nothing_is_hidden_or_one_plays_alone() {
    assert_eq!(Room::new("trexo", &json!({}), &["person", "person"]).source.stage(), Stage::Playing);
    assert_eq!(Room::new("castle-builders", &json!({}), &["person", "novice"]).source.stage(), Stage::Playing);
}

#[test]
fn engines_that_are_asked_out_of_turn_leave_the_game_whole() {
    // With manual claims engines are asked out of turn too.
    let mut room =
        Room::new("mod-x", &json!({"claims": "manual"}), &["novice@50nodes", "novice@50nodes", "novice@50nodes"]);
    for said in ["A move every 0.25 s", "A move every 0.125 s", "As fast as they think."] {
        assert!(room.source.command("+").unwrap().unwrap().starts_with(said));
    }
    room.until(|source| source.moment().ply > 20);
    assert!(room.source.record().unwrap().replay(GAMES).is_ok());
}

#[test]
fn engines_that_are_watched_wait_while_they_are_paused() {
    let mut room = Room::new("mod-x", &json!({}), &["novice@1nodes", "novice@1nodes"]);
    assert_eq!(room.source.command(" ").unwrap().as_deref(), Some("Paused; Space goes on."));
    let ply = room.ply();
    room.source.command(".").unwrap();
    room.until(|source| source.moment().ply > ply);
    assert!(room.source.moment().viewer.is_none() && room.source.command("u").unwrap().is_none());
    room.source.command(" ").unwrap();
    room.until(|source| source.moment().ply > ply + 1);
}

#[test]
fn a_hint_is_about_the_position_that_it_was_asked_for() {
    let mut room = Room::new("castle-builders", &json!({}), &["person", "novice@1nodes"]);
    room.source.ask_hint().unwrap();
    assert!(matches!(room.source.hint(), Hint::Thinking));
    room.until(|source| matches!(source.hint(), Hint::Given(_)));
    let Hint::Given(thought) = room.source.hint() else { panic!("{:?}", room.source.hint()) };
    assert!(room.source.moment().offers.contains(&thought.action));
    let action = thought.action.clone();
    room.source.act(&action).unwrap();
    assert!(matches!(room.source.hint(), Hint::None), "it was about another position");
}

/// A table whose clocks show a millisecond.
fn in_a_hurry(game: &str, seats: usize) -> Box<dyn DynSession> {
    let mut table = table(game, seats, &json!({}));
    let left = vec!["1"; seats].join(" ");
    table.set_headers([("Clock".to_owned(), "60+0".to_owned()), ("Left".to_owned(), left)].into());
    table
}

#[test]
fn a_flag_that_falls_ends_a_game_between_two_sides() {
    let mut room = Room::open(in_a_hurry("trexo", 2), &["person", "person"], None, None);
    room.until(|source| matches!(source.stage(), Stage::Over(_)));
    assert_eq!(room.source.stage(), Stage::Over("Seat 1 wins: on time. M plays again.".to_owned()));
    assert!(room.source.act("e5f5").is_err() && room.source.moment().offers.is_empty());
    assert_eq!(room.source.pace(), None);
}

#[test]
fn among_more_than_two_sides_the_engine_plays_on() {
    let mut room = Room::open(in_a_hurry("mod-x", 3), &["person", "person", "person"], None, None);
    room.until(|source| source.players()[0].name == "club for Seat 0");
    assert_eq!(room.source.stage(), Stage::Playing);
}

#[test]
fn a_program_that_ends_leaves_its_seat_to_the_people_who_are_there() {
    let mut room = Room::new("trexo", &json!({}), &["cmd:echo ready; read hello; read game@10ms", "person"]);
    room.until(|source| source.notice().is_some_and(|notice| notice.contains("its seat is yours now")));
    room.source.act("e5f5").unwrap();
    assert_eq!(room.ply(), 1);
}

#[test]
fn a_draw_is_agreed_at_one_screen_and_declined_by_an_engine() {
    let mut room = Room::new("trexo", &json!({}), &["person", "person"]);
    room.source.command("D").unwrap();
    assert_eq!(room.source.notice().as_deref(), Some("Seat 0 offers a draw: y accepts, n declines."));
    room.source.command("n").unwrap();
    assert_eq!(room.source.notice().as_deref(), Some("The draw was declined."));
    room.source.command("D").unwrap();
    room.source.command("y").unwrap();
    assert_eq!(room.source.stage(), Stage::Over("A draw: by agreement. M plays again.".to_owned()));
    let mut alone = Room::new("trexo", &json!({}), &["person", "novice"]);
    alone.source.command("D").unwrap();
    assert_eq!(alone.source.notice().as_deref(), Some("The draw was declined."));
}

#[test]
fn a_game_that_was_resigned_is_played_again_with_the_seats_changed() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = Shelf::at(folder.path());
    let file = shelf.new_file("trexo");
    let mut trexo = table("trexo", 2, &json!({}));
    trexo.set_headers([("Player 0".to_owned(), "Ann".to_owned()), ("Event".to_owned(), "A party".to_owned())].into());
    let mut room = Room::open(trexo, &["person", "novice"], file.clone(), Some(shelf.clone()));
    for _ in 0..2 {
        room.source.command("X").unwrap();
    }
    assert_eq!(room.source.stage(), Stage::Over("novice wins: by resignation. M plays again.".to_owned()));
    let kept = std::fs::read_to_string(file.unwrap()).unwrap();
    assert!(kept.contains("Ending: 1 resigned") && kept.contains("Event: A party"), "{kept}");
    room.source.command("M").unwrap();
    assert_eq!(room.source.stage(), Stage::Playing);
    assert_eq!(room.source.players()[1].name, "Ann");
    room.until(|source| source.moment().ply == 1);
    assert_eq!(shelf.games().len(), 2, "the next game has a file of its own");
}

#[test]
fn every_action_is_in_the_file_at_once_and_the_clocks_when_it_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    let mut trexo = table("trexo", 2, &json!({}));
    trexo.set_headers([("Clock".to_owned(), "60+5".to_owned())].into());
    let mut room = Room::open(trexo, &["person", "person"], Some(file.clone()), None);
    for (count, action) in ["e5f5", "a1b1"].into_iter().enumerate() {
        room.source.act(action).unwrap();
        assert_eq!(files::replay(&file.to_string_lossy()).unwrap().ply(), count + 1);
    }
    drop(room);
    let kept = files::replay(&file.to_string_lossy()).unwrap();
    let left = kept.headers()["Left"].clone();
    let resumed = Room::open(kept, &["person", "person"], None, None);
    let clocks: Vec<_> = resumed.source.players().into_iter().filter_map(|player| player.clock).collect();
    assert!(clocks[1] > Duration::from_mins(1) && left.ends_with(&clocks[1].as_millis().to_string()), "{left}");
}
