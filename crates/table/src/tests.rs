//! Tables from their commands, and from their logs.

mod logs;
mod recent;

use quincunx_core::{Actor, Seat, Turn, Viewer};
use quincunx_games::GAMES;
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::json;

use crate::{
    Command, Decision, Entry, Millis, Person, Refusal, Request, Setup, State, Status, TableId, UserId, UserKind,
};

/// A table with its log, and a clock that goes on by a second with every command.
struct Hall {
    state: State,
    log: Vec<Entry>,
    now: Millis,
    rng: Xoshiro256PlusPlus,
}

const NAMES: [&str; 5] = ["Ada", "Bo", "Cy", "Di", "Eve"];

fn user(number: usize) -> UserId {
    UserId(100 + number as i64)
}

fn person(number: usize) -> Person {
    Person { id: user(number), name: NAMES[number].to_owned(), kind: UserKind::Account }
}

impl Hall {
    fn new(setup: serde_json::Value) -> Self {
        Self::try_new(setup).expect("a valid set-up")
    }

    fn try_new(setup: serde_json::Value) -> Result<Self, Refusal> {
        let setup: Setup = serde_json::from_value(setup).expect("a set-up");
        let host = person(0);
        let request = Request { person: &host, seat: None, command: None, at: 0 };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        setup.check(GAMES)?;
        let (state, log) = State::create(GAMES, TableId("t".to_owned()), setup, "key".to_owned(), request, &mut rng)?;
        Ok(Self { state, log, now: 0, rng })
    }

    fn say(&mut self, who: usize, command: serde_json::Value) -> Result<(), Refusal> {
        let command: Command = serde_json::from_value(command).expect("a command");
        self.now += 1000;
        let person = person(who);
        let request = Request { person: &person, seat: None, command: None, at: self.now };
        let decision = self.state.decide(&command, request, &mut self.rng)?;
        assert!(!decision.entries.is_empty());
        self.log.extend(decision.entries);
        Ok(())
    }

    fn act(&mut self, who: usize, action: &str) -> Result<(), Refusal> {
        self.say(who, json!({"type": "act", "action": action}))
    }

    /// Everybody sits down on the seats in order.
    fn seated(mut self) -> Self {
        for seat in 0..self.state.seats.len() {
            if self.state.seats[seat].engine.is_none() {
                self.say(seat, json!({"type": "sit", "seat": seat, "invitation": "key"})).unwrap();
            }
        }
        self
    }

    /// The log told again leads to the same table.
    fn check_replay(&self) {
        let told = State::replay(GAMES, TableId("t".to_owned()), &self.log).expect("the log fits");
        let (a, b) = (&self.state, &told);
        assert_eq!((a.version, a.status, &a.seats, &a.ending), (b.version, b.status, &b.seats, &b.ending));
        assert_eq!((a.clocks, a.draw_offer, &a.undo), (b.clocks, b.draw_offer, &b.undo));
        assert_eq!(a.game.position(Viewer::Everything), b.game.position(Viewer::Everything));
        assert_eq!(a.listing(5), b.listing(5));
    }
}

fn open(game: &str, seats: usize) -> serde_json::Value {
    json!({"game": game, "seats": vec![json!({"kind": "open"}); seats]})
}

#[test]
fn a_game_begins_when_all_seats_are_taken() {
    let mut hall = Hall::new(open("trexo", 2));
    assert_eq!(hall.act(0, "e5f5"), Err(Refusal::NotBegun));
    hall.say(1, json!({"type": "sit", "seat": 1})).unwrap();
    assert_eq!(hall.state.status, Status::Open);
    assert_eq!(hall.say(0, json!({"type": "sit", "seat": 1})), Err(Refusal::SeatTaken { seat: 1 }));
    assert_eq!(hall.say(1, json!({"type": "sit", "seat": 0})), Err(Refusal::SitsAlready));
    assert_eq!(hall.say(0, json!({"type": "sit", "seat": 2})), Err(Refusal::NoSuchSeat { seat: 2 }));
    hall.say(1, json!({"type": "leave"})).unwrap();
    hall.say(0, json!({"type": "sit", "seat": 1})).unwrap();
    hall.say(1, json!({"type": "sit", "seat": 0})).unwrap();
    assert_eq!(hall.state.status, Status::Playing);
    assert_eq!(hall.say(0, json!({"type": "leave"})), Err(Refusal::Begun));
    assert_eq!(hall.say(2, json!({"type": "resign"})), Err(Refusal::NotAPlayer));
    hall.act(1, "e5f5").unwrap();
    assert!(matches!(hall.act(1, "a1b1"), Err(Refusal::Illegal { .. })), "it is the other's turn");
    hall.check_replay();
}

#[test]
fn only_who_has_the_invitation_may_take_a_kept_seat() {
    let mut hall = Hall::new(json!({"game": "trexo", "seats": [{"kind": "invited"}, {"kind": "open"}]}));
    assert_eq!(hall.say(1, json!({"type": "sit", "seat": 0})), Err(Refusal::NotInvited { seat: 0 }));
    assert_eq!(
        hall.say(1, json!({"type": "sit", "seat": 0, "invitation": "guess"})),
        Err(Refusal::NotInvited { seat: 0 })
    );
    hall.say(1, json!({"type": "sit", "seat": 0, "invitation": "key"})).unwrap();
}

#[test]
fn a_seat_for_somebody_or_the_engine_is_for_nobody_else() {
    let seats = json!([{"kind": "player", "user": user(3)}, {"kind": "engine", "level": "club"}, {"kind": "open"}]);
    let mut hall = Hall::new(json!({"game": "mod-x", "seats": seats}));
    assert_eq!(hall.say(1, json!({"type": "sit", "seat": 0})), Err(Refusal::NotInvited { seat: 0 }));
    assert_eq!(hall.say(1, json!({"type": "sit", "seat": 1})), Err(Refusal::NotInvited { seat: 1 }));
    hall.say(3, json!({"type": "sit", "seat": 0})).unwrap();
    hall.say(1, json!({"type": "sit", "seat": 2})).unwrap();
    assert_eq!(hall.state.status, Status::Playing);
}

#[test]
fn a_private_table_welcomes_those_for_whom_it_keeps_a_seat() {
    let seats = json!([{"kind": "open"}, {"kind": "player", "user": user(3)}]);
    let mut hall = Hall::new(json!({"game": "trexo", "seats": seats, "public": false}));
    assert!(hall.state.welcomes(Some(user(3)), None));
    assert!(!hall.state.welcomes(Some(user(1)), None) && !hall.state.welcomes(None, None));
    let summary = hall.state.listing(0);
    assert_eq!((summary.kept.as_slice(), summary.users()), (&[None, Some(user(3))][..], vec![user(0), user(3)]));
    hall.say(3, json!({"type": "sit", "seat": 1})).unwrap();
    let summary = hall.state.listing(0);
    assert_eq!((summary.kept.as_slice(), summary.users()), (&[None, None][..], vec![user(0), user(3)]));
    hall.say(3, json!({"type": "leave"})).unwrap();
    assert_eq!(hall.say(1, json!({"type": "decline"})), Err(Refusal::NoSuchTable));
    hall.say(3, json!({"type": "decline"})).unwrap();
    assert!(!hall.state.welcomes(Some(user(3)), None), "the seat is for somebody with the invitation now");
    assert_eq!(hall.state.listing(0).kept, [None, None]);
    hall.say(0, json!({"type": "abort"})).unwrap();
    assert_eq!(hall.state.listing(0).kept, [None, None], "what is given up waits for nobody");
}

#[test]
fn guests_do_not_sit_at_rated_tables() {
    for rated in [false, true] {
        let mut setup = open("trexo", 2);
        (setup["rated"], setup["clock"]) = (json!(rated), json!({"kind": "correspondence", "days": 1}));
        let mut hall = Hall::new(setup);
        let guest = Person { kind: UserKind::Guest, ..person(1) };
        let request = Request { person: &guest, seat: None, command: None, at: 0 };
        let sit = Command::Sit { seat: 1, invitation: None };
        let answer = hall.state.decide(&sit, request, &mut hall.rng).map(|_| ());
        assert_eq!(answer, if rated { Err(Refusal::NoGuests) } else { Ok(()) });
    }
}

#[test]
fn a_set_up_that_does_not_fit_is_refused_with_the_reason() {
    let refused = |setup: serde_json::Value, part: &str| {
        let why = Hall::try_new(setup).err().expect("refused").to_string();
        assert!(why.contains(part), "{why}");
    };
    refused(open("chess", 2), "chess");
    refused(open("trexo", 3), "Trexo");
    let mut odd = open("trexo", 2);
    odd["options"] = json!({"no-such": 1});
    refused(odd, "no-such");
    let mut clock = open("trexo", 2);
    clock["clock"] = json!({"kind": "real_time", "seconds": 0, "increment": 0});
    refused(clock, "clock");
    refused(json!({"game": "trexo", "seats": vec![json!({"kind": "engine", "level": "club"}); 2]}), "person");
    refused(json!({"game": "trexo", "seats": [{"kind": "engine", "level": "great"}, {"kind": "open"}]}), "novice");
    refused(
        json!({"game": "trexo", "rated": true, "seats": [{"kind": "engine", "level": "club"}, {"kind": "open"}]}),
        "rated",
    );
    refused(json!({"game": "trexo", "rated": true, "seats": vec![json!({"kind": "open"}); 2]}), "needs a clock");
    refused(json!({"game": "trexo", "seats": vec![json!({"kind": "player", "user": user(1)}); 2]}), "two seats");
}

#[test]
fn a_table_can_be_given_up_by_its_host_before_the_game() {
    let mut hall = Hall::new(open("trexo", 2));
    assert_eq!(hall.say(1, json!({"type": "abort"})), Err(Refusal::NotTheHost));
    hall.say(0, json!({"type": "abort"})).unwrap();
    assert_eq!(hall.say(0, json!({"type": "sit", "seat": 0})), Err(Refusal::Over));
    hall.check_replay();
}

#[test]
fn who_resigns_against_one_other_side_has_lost() {
    let mut hall = Hall::new(open("trexo", 2)).seated();
    hall.say(1, json!({"type": "resign"})).unwrap();
    let ending = hall.state.ending.clone().unwrap();
    assert_eq!((ending.winners, ending.reason.as_str()), (vec![0], "resigned"));
    assert_eq!(hall.act(0, "e5f5"), Err(Refusal::Over));
    hall.check_replay();
}

#[test]
fn a_team_loses_with_the_partner_who_resigns() {
    let mut setup = open("mod-x", 4);
    setup["options"] = json!({"teams": true});
    let mut hall = Hall::new(setup).seated();
    hall.say(0, json!({"type": "resign"})).unwrap();
    assert_eq!(hall.state.ending.clone().unwrap().winners, [1, 3]);
}

#[test]
fn with_three_sides_the_engine_takes_the_seat_of_who_resigns() {
    let mut hall = Hall::new(open("mod-x", 3)).seated();
    hall.say(1, json!({"type": "resign"})).unwrap();
    assert_eq!(hall.state.status, Status::Playing);
    assert!(hall.state.seats[1].taken_over && hall.state.is_engine(Seat::new(1)));
    assert_eq!(hall.say(1, json!({"type": "resign"})), Err(Refusal::TakenOver));
    hall.check_replay();
}

#[test]
fn a_game_that_no_person_plays_any_more_is_broken_off() {
    let seats = json!([{"kind": "open"}, {"kind": "engine", "level": "club"}, {"kind": "open"}]);
    let mut hall =
        Hall::new(json!({"game": "mod-x", "seats": seats, "clock": {"kind": "correspondence", "days": 1}})).seated();
    hall.say(2, json!({"type": "resign"})).unwrap();
    assert_eq!(hall.state.status, Status::Playing, "somebody plays on");
    assert_eq!(hall.state.deserted(hall.now), Decision::default());
    let (_, deadline) = hall.state.clocks.deadline().unwrap();
    hall.log.extend(hall.state.fell(deadline).entries);
    let ending = hall.state.ending.clone().unwrap();
    assert_eq!((hall.state.status, ending.winners, ending.reason.as_str()), (Status::Finished, vec![], "unfinished"));
    hall.check_replay();
    // As versions before this one left it: engines play for nobody.
    let last = hall.log.pop().unwrap();
    assert!(last.event.contains("broken_off"), "{last:?}");
    let mut old = State::replay(GAMES, TableId("t".to_owned()), &hall.log).unwrap();
    assert_eq!(old.status, Status::Playing, "a log means what it meant");
    assert_eq!(old.deserted(deadline).entries, [last]);
}

#[test]
fn engines_play_on_at_a_screen_of_ones_own() {
    let seats = json!([{"kind": "person", "name": "Ada"}, {"kind": "engine", "level": "club"}, {"kind": "engine", "level": "club"}]);
    let setup: Setup = serde_json::from_value(json!({"game": "mod-x", "seats": seats})).unwrap();
    let (host, mut rng) = (person(0), Xoshiro256PlusPlus::seed_from_u64(1));
    let request = Request { person: &host, seat: None, command: None, at: 0 };
    let (mut state, _) =
        State::create(GAMES, TableId("t".to_owned()), setup, "key".to_owned(), request, &mut rng).unwrap();
    state.decide(&Command::Resign, request, &mut rng).unwrap();
    assert_eq!((state.status, state.seats[0].taken_over), (Status::Playing, true));
}

#[test]
fn it_is_known_who_has_moved_and_when_the_game_ended() {
    let mut setup = open("mod-x", 3);
    setup["clock"] = json!({"kind": "correspondence", "days": 1});
    let mut hall = Hall::new(setup).seated();
    while hall.state.game.turn() == Turn::Seat(Seat::new(0)) {
        let actions = hall.state.game.actions(Seat::new(0));
        hall.act(0, &actions[0]).unwrap();
    }
    hall.say(1, json!({"type": "resign"})).unwrap();
    let actions = hall.state.game.actions(Seat::new(1));
    let played = hall.state.engine_acts(Seat::new(1), &actions[0], hall.now, &mut hall.rng).unwrap();
    hall.log.extend(played.entries);
    assert_eq!([0, 1, 2].map(|seat| hall.state.has_moved(Seat::new(seat))), [true, false, false]);
    assert_eq!(hall.state.ended, None);
    hall.say(2, json!({"type": "resign"})).unwrap();
    hall.say(0, json!({"type": "resign"})).unwrap();
    let ended = hall.now;
    hall.say(0, json!({"type": "rematch"})).unwrap();
    let told = State::replay(GAMES, TableId("t".to_owned()), &hall.log).unwrap();
    assert_eq!((hall.state.ended, told.ended), (Some(ended), Some(ended)));
    assert!(told.has_moved(Seat::new(0)) && !told.has_moved(Seat::new(1)));
}

#[test]
fn a_draw_needs_both_sides() {
    let mut hall = Hall::new(open("trexo", 2)).seated();
    assert_eq!(hall.say(1, json!({"type": "answer_draw", "accept": true})), Err(Refusal::NoOffer));
    hall.say(0, json!({"type": "offer_draw"})).unwrap();
    assert_eq!(hall.say(0, json!({"type": "offer_draw"})), Err(Refusal::OfferedAlready));
    assert_eq!(hall.say(0, json!({"type": "answer_draw", "accept": true})), Err(Refusal::NoOffer));
    hall.say(1, json!({"type": "answer_draw", "accept": false})).unwrap();
    hall.say(0, json!({"type": "offer_draw"})).unwrap();
    // One's own move leaves the offer standing, the other's declines it.
    hall.act(0, "e5f5").unwrap();
    assert!(hall.state.draw_offer.is_some());
    hall.act(1, "a1b1").unwrap();
    assert_eq!(hall.say(1, json!({"type": "answer_draw", "accept": true})), Err(Refusal::NoOffer));
    hall.say(0, json!({"type": "offer_draw"})).unwrap();
    hall.say(1, json!({"type": "offer_draw"})).unwrap();
    let ending = hall.state.ending.clone().unwrap();
    assert_eq!((ending.winners, ending.reason.as_str()), (vec![], "agreed"));
    hall.check_replay();
}

#[test]
fn three_sides_cannot_agree_on_a_draw() {
    let mut hall = Hall::new(open("mod-x", 3)).seated();
    assert_eq!(hall.say(0, json!({"type": "offer_draw"})), Err(Refusal::NotTwoSides));
}

#[test]
fn a_move_is_taken_back_when_all_others_agree_and_stays_in_the_log() {
    let mut hall = Hall::new(open("trexo", 2)).seated();
    assert_eq!(hall.say(0, json!({"type": "ask_undo"})), Err(Refusal::NothingToUndo));
    hall.act(0, "e5f5").unwrap();
    hall.act(1, "a1b1").unwrap();
    hall.say(0, json!({"type": "ask_undo"})).unwrap();
    assert_eq!(hall.say(0, json!({"type": "answer_undo", "grant": true})), Err(Refusal::NotAsked));
    assert_eq!(hall.say(1, json!({"type": "ask_undo"})), Err(Refusal::AskedAlready));
    let lines = hall.log.len();
    hall.say(1, json!({"type": "answer_undo", "grant": true})).unwrap();
    assert_eq!((hall.state.game.ply(), hall.log.len()), (0, lines + 2));
    hall.act(0, "c3c4").unwrap();
    hall.say(0, json!({"type": "ask_undo"})).unwrap();
    hall.say(1, json!({"type": "answer_undo", "grant": false})).unwrap();
    assert_eq!(hall.state.game.ply(), 1);
    hall.check_replay();
}

#[test]
fn the_engine_always_agrees_to_take_back_a_move() {
    let seats = json!([{"kind": "open"}, {"kind": "engine", "level": "club"}]);
    let mut hall = Hall::new(json!({"game": "trexo", "seats": seats})).seated();
    hall.act(0, "e5f5").unwrap();
    hall.say(0, json!({"type": "ask_undo"})).unwrap();
    assert_eq!(hall.state.game.ply(), 0);
}

#[test]
fn nothing_is_taken_back_where_that_was_agreed() {
    let mut setup = open("trexo", 2);
    setup["undo"] = json!("never");
    let mut hall = Hall::new(setup).seated();
    hall.act(0, "e5f5").unwrap();
    assert_eq!(hall.say(0, json!({"type": "ask_undo"})), Err(Refusal::NoUndo));
}

#[test]
fn what_has_shown_hidden_cards_is_not_taken_back() {
    for game in ["castle-builders", "x-marks-the-spot"] {
        let mut hall = Hall::new(open(game, 2)).seated();
        let mut acted = 0;
        while acted < 12 && hall.state.status == Status::Playing {
            let Turn::Seat(seat) = hall.state.game.turn() else { panic!("chance is drawn at once") };
            let actions = hall.state.game.actions(seat);
            let action = actions[hall.rng.random_range(0..actions.len())].clone();
            hall.act(seat.index(), &action).unwrap();
            acted += 1;
            // To say `draw` with a full hand, or to begin to trade, shows nothing; all else does.
            let tells_nothing =
                ["draw", "parlay", "accept", "counter", "force"].iter().any(|word| action.starts_with(word));
            let made = hall.state.game.log(Viewer::Everything);
            let drawn = made.last().is_some_and(|line| line.by == Actor::Chance);
            if drawn || !tells_nothing {
                for _ in 0..3 {
                    let asked = hall.say(seat.index(), json!({"type": "ask_undo"}));
                    assert_eq!(asked, Err(Refusal::CameToLight), "however often it is asked for: {action}");
                }
            }
        }
    }
}

#[test]
fn a_late_action_does_not_hit_another_position() {
    let mut hall = Hall::new(open("trexo", 2)).seated();
    hall.say(0, json!({"type": "act", "action": "e5f5", "ply": 0})).unwrap();
    hall.act(1, "a1b1").unwrap();
    let late = hall.say(0, json!({"type": "act", "action": "c3c4", "ply": 0}));
    assert_eq!(late, Err(Refusal::Changed { now: 2, then: 0 }));
}

#[test]
fn a_command_is_known_again_also_after_the_log_was_read_anew() {
    let mut hall = Hall::new(open("trexo", 2)).seated();
    let ada = person(0);
    let request = Request { person: &ada, seat: None, command: Some("c-17"), at: 9000 };
    let act: Command = serde_json::from_value(json!({"type": "act", "action": "e5f5"})).unwrap();
    hall.log.extend(hall.state.decide(&act, request, &mut hall.rng).unwrap().entries);
    let told = State::replay(GAMES, TableId("t".to_owned()), &hall.log).unwrap();
    for state in [&hall.state, &told] {
        assert!(state.has_done(user(0), "c-17"));
        assert!(!state.has_done(user(1), "c-17") && !state.has_done(user(0), "c-18"));
    }
}

#[test]
fn a_flag_falls_when_the_time_is_up_and_not_before() {
    let mut setup = open("trexo", 2);
    setup["clock"] = json!({"kind": "real_time", "seconds": 60, "increment": 0});
    let mut hall = Hall::new(setup).seated();
    hall.act(0, "e5f5").unwrap();
    let (seat, deadline) = hall.state.clocks.deadline().unwrap();
    assert_eq!((seat, deadline), (Seat::new(1), hall.now + 60_000));
    assert_eq!(hall.state.fell(deadline - 1), Decision::default());
    let fallen = hall.state.fell(deadline);
    hall.log.extend(fallen.entries);
    let ending = hall.state.ending.clone().unwrap();
    assert_eq!((ending.winners, ending.reason.as_str()), (vec![0], "time"));
    assert_eq!(hall.state.fell(deadline + 1), Decision::default());
    hall.check_replay();
}

#[test]
fn with_three_sides_the_engine_plays_on_for_who_is_out_of_time() {
    let mut setup = open("mod-x", 3);
    setup["clock"] = json!({"kind": "correspondence", "days": 1});
    let mut hall = Hall::new(setup).seated();
    let (seat, deadline) = hall.state.clocks.deadline().unwrap();
    hall.log.extend(hall.state.fell(deadline).entries);
    assert_eq!(hall.state.status, Status::Playing);
    assert!(hall.state.is_engine(seat));
    assert_eq!(hall.state.clocks.deadline(), None, "the engine needs no clock");
    hall.check_replay();
}

#[test]
fn a_seat_sees_its_own_hand_and_everybody_sees_everything_when_the_game_is_over() {
    let mut hall = Hall::new(open("castle-builders", 2)).seated();
    assert_eq!(hall.state.viewer(Some(user(1))), Viewer::Seat(Seat::new(1)));
    assert_eq!(hall.state.viewer(Some(user(4))), Viewer::Spectator);
    assert_eq!(hall.state.viewer(None), Viewer::Spectator);
    hall.say(0, json!({"type": "resign"})).unwrap();
    assert_eq!(hall.state.viewer(None), Viewer::Everything);
}
