//! A table on a server as it is played here.

mod face;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quincunx_core::{Actor, DynSession, GameKind, OutcomeJson, Seat, TurnJson, find};
use quincunx_engine::Thought;
use quincunx_games::GAMES;
use serde_json::{Value, json};

use super::link::{Link, Wish};
use super::place::Place;
use super::told::{Ending, Present, Remark, SeatPlan, Seated, Snapshot, Status, Undo};
use super::{Done, Welcome, What, sentence};
use crate::event::Reporter;
use crate::moment::{Moment, Said};
use crate::source::{Spoken, Stage};

/// How long whoever has pressed a key that ends something has time to press it again.
const SURE: Duration = Duration::from_secs(4);

/// A table on a server.
#[derive(Debug)]
pub struct Online {
    link: Link,
    reporter: Reporter,
    welcome: Welcome,
    place: Place,
    told: Snapshot,
    moment: Moment,
    talk: Vec<Spoken>,
    /// The number of the last remark.
    heard: i64,
    /// Who is there, once that was told.
    present: Option<Present>,
    lost: Option<Lost>,
    /// The action that is on its way.
    acting: Option<Acting>,
    /// What else is on its way, by its id.
    asked: BTreeMap<String, Asked>,
    /// A key that was pressed once and does something if it is pressed again.
    unsure: Option<(&'static str, Instant)>,
    /// Tells the advice for this table from that for another one.
    party: u64,
    hint: Advice,
    notice: Option<String>,
}

/// There is no connection; when it is tried again.
#[derive(Debug)]
struct Lost {
    next: Instant,
}

#[derive(Debug)]
struct Acting {
    id: String,
    /// The version at which it is done.
    done: Option<u64>,
}

/// What is on its way, for those answers that mean more than that it was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    Rematch,
    Other,
}

#[derive(Debug)]
enum Advice {
    None,
    Thinking,
    Given(Thought<String>),
}

impl Online {
    /// Sits before a table of which the server has told.
    pub fn new(link: Link, reporter: Reporter, welcome: Welcome, place: Place, told: Snapshot) -> Self {
        /// Games at this machine are counted from the other end.
        static PARTIES: AtomicU64 = AtomicU64::new(1 << 63);
        let mut online = Self {
            link,
            reporter,
            welcome,
            place,
            moment: Moment::default(),
            told,
            talk: Vec::new(),
            heard: 0,
            present: None,
            lost: None,
            acting: None,
            asked: BTreeMap::new(),
            unsure: None,
            party: PARTIES.fetch_add(1, Ordering::Relaxed),
            hint: Advice::None,
            notice: None,
        };
        online.look();
        online
    }

    /// Sits down on the first seat that may be taken, if one may.
    pub fn sit_anywhere(&mut self) {
        let kept = (0..self.told.seats.len()).find(|&seat| self.keeps_for_me(seat));
        let seat = kept.or_else(|| (0..self.told.seats.len()).find(|&seat| self.may_sit(seat)));
        if let Some(seat) = seat.filter(|_| self.my_seat().is_none() && self.told.status == Status::Open) {
            self.sit(seat as u8);
        }
    }

    fn my_seat(&self) -> Option<u8> {
        self.told.seat_of(self.welcome.id())
    }

    /// Whether somebody, not the engine, plays for my seat.
    fn plays(&self) -> bool {
        let seated = self.my_seat().and_then(|seat| self.told.seats.get(usize::from(seat)));
        self.told.status == Status::Playing && seated.is_some_and(|seated| seated.engine.is_none())
    }

    fn is_host(&self) -> bool {
        self.welcome.id() == Some(self.told.host)
    }

    fn keeps_for_me(&self, seat: usize) -> bool {
        let plan = self.told.setup.seats.get(seat);
        matches!(plan, Some(SeatPlan::Player { user }) if self.welcome.id() == Some(*user))
    }

    /// Whether a seat may be tried; the server decides.
    fn may_sit(&self, seat: usize) -> bool {
        let free = self.told.seats.get(seat).is_some_and(|seated| seated.user.is_none() && seated.engine.is_none());
        free && match self.told.setup.seats.get(seat) {
            Some(SeatPlan::Open) => true,
            Some(SeatPlan::Invited) => self.is_host() || self.place.invitation.is_some(),
            Some(SeatPlan::Player { .. }) => self.keeps_for_me(seat),
            _ => false,
        }
    }

    fn sit(&mut self, seat: u8) {
        let invitation = &self.place.invitation;
        self.ask(json!({"type": "sit", "seat": seat, "invitation": invitation}), Asked::Other);
    }

    fn ask(&mut self, command: Value, asked: Asked) {
        let id = self.link.command(&self.told.table, command);
        self.asked.insert(id, asked);
        self.say_if_lost();
    }

    fn say_if_lost(&mut self) {
        if self.lost.is_some() {
            self.notice = Some("The connection is lost; this is sent as soon as it is back.".to_owned());
        }
    }

    /// The server has told of the table: the moment follows from it.
    fn look(&mut self) {
        let told = &self.told;
        let position = &told.position;
        let viewer = self.my_seat().filter(|_| told.status == Status::Playing);
        // A game may also end before its rules end it.
        let ended = told.ending.clone().map(|Ending { winners, reason }| OutcomeJson { winners, reason });
        let moment = Moment {
            game: told.setup.game.clone(),
            seats: position.seats,
            ply: position.ply,
            viewer,
            // A table that waits, or where somebody has resigned, has a position in which somebody would be on turn.
            turn: Some(if told.status == Status::Playing { position.turn } else { TurnJson::Over }),
            offers: viewer.map_or_else(Vec::new, |seat| self.offers(seat)),
            scores: position.scores.clone(),
            outcome: ended.or_else(|| position.outcome.clone()),
            view: position.view.clone(),
            last: told.log.last().cloned(),
        };
        if self.moment.ply != moment.ply {
            self.hint = Advice::None;
        }
        self.moment = moment;
    }

    /// What a seat may do. Where nothing is hidden a server leaves that to the rules here; if they cannot tell, it is asked.
    fn offers(&self, seat: u8) -> Vec<String> {
        let told = &self.told;
        if !self.plays() {
            return Vec::new();
        }
        let hidden = find(GAMES, &told.setup.game).is_ok_and(GameKind::hidden_information);
        if hidden || !told.position.actions.is_empty() {
            return told.position.actions.iter().map(|offer| offer.action.clone()).collect();
        }
        if let Ok(table) = self.replayed() {
            return Seat::at_table(seat.into(), table.seats()).map_or_else(Vec::new, |seat| table.offers(seat));
        }
        self.link.wish(Wish::Ask { place: self.place.clone(), version: told.version });
        Vec::new()
    }

    /// The server tells of the table anew.
    fn table(&mut self, mut told: Snapshot) {
        let same = self.told.table == told.table;
        if same && told.version < self.told.version {
            return;
        }
        if same && told.version == self.told.version && told.position.actions.is_empty() {
            told.position.actions = std::mem::take(&mut self.told.position.actions);
        }
        let before = std::mem::replace(&mut self.told, told);
        if self.acting.as_ref().is_some_and(|acting| acting.done.is_some_and(|version| version <= self.told.version)) {
            self.acting = None;
        }
        if before.version != self.told.version {
            self.notice = Some(self.change_since(&before).unwrap_or_default());
        }
        self.look();
    }

    /// What has changed at the table that somebody should be told of.
    fn change_since(&self, before: &Snapshot) -> Option<String> {
        let (now, mine) = (&self.told, self.my_seat());
        if now.table != before.table {
            return None;
        }
        if now.status != before.status {
            return (now.status == Status::Playing).then(|| "The game begins.".to_owned());
        }
        if let Some(seat) = now.draw_offer.filter(|_| before.draw_offer.is_none()) {
            let what = if mine == Some(seat) { "; the others have to agree" } else { ": y accepts, n declines" };
            return Some(format!("{} a draw{what}.", self.does(seat, "offer")));
        }
        if let Some(Undo { seat, .. }) = now.undo.as_ref().filter(|_| before.undo.is_none()) {
            let what = if mine == Some(*seat) { "; the others have to agree" } else { ": y grants it, n does not" };
            return Some(format!("{} to take back a move{what}.", self.does(*seat, "ask")));
        }
        if before.undo.is_some() && now.undo.is_none() {
            let word = if now.log.len() < before.log.len() { "Taken back." } else { "The move stays." };
            return Some(word.to_owned());
        }
        if before.draw_offer.is_some() && now.draw_offer.is_none() && now.log.len() == before.log.len() {
            return Some("The draw was declined.".to_owned());
        }
        let fresh = |(seat, seated): (usize, &Seated)| {
            let before = before.seats.get(seat).is_some_and(|before| before.taken_over);
            (seated.taken_over && !before).then(|| seated.name.clone().unwrap_or_default())
        };
        if let Some(name) = now.seats.iter().enumerate().find_map(fresh) {
            return Some(format!("From now on the engine plays for {name}."));
        }
        let again = now.rematch.is_some() && before.rematch.is_none() && mine.is_some();
        again.then(|| "Somebody wants to play again: M joins.".to_owned())
    }

    /// Somebody and what he does, in the right form.
    fn does(&self, seat: u8, verb: &str) -> String {
        if self.my_seat() == Some(seat) { format!("You {verb}") } else { format!("{} {verb}s", self.name(seat)) }
    }

    fn name(&self, seat: u8) -> String {
        self.told.seats.get(usize::from(seat)).map_or_else(|| format!("Seat {seat}"), |_| self.seat_name(seat.into()))
    }

    fn seat_name(&self, seat: usize) -> String {
        let Some(seated) = self.told.seats.get(seat) else { return String::new() };
        match (&seated.engine, &seated.name) {
            (Some(level), Some(name)) if seated.taken_over => format!("{level} for {name}"),
            (Some(level), _) => format!("engine {level}"),
            (None, Some(name)) => name.clone(),
            (None, None) => match self.told.setup.seats.get(seat) {
                Some(SeatPlan::Player { .. }) if self.keeps_for_me(seat) => "kept for you".to_owned(),
                Some(SeatPlan::Player { .. }) => "kept for somebody".to_owned(),
                Some(SeatPlan::Invited) => "free, by invitation".to_owned(),
                _ => "free".to_owned(),
            },
        }
    }

    /// What is known of whoever sits somewhere, besides the name.
    fn note(&self, seat: usize, seated: &Seated) -> Option<String> {
        let here = u8::try_from(seat).ok();
        let undo = self.told.undo.as_ref().map(|undo| undo.seat);
        let present = self.present.as_ref().filter(|_| self.lost.is_none() && seated.engine.is_none());
        let away = present.zip(seated.user).is_some_and(|(present, user)| !present.seated.contains(&user));
        let note = if self.told.draw_offer == here && here.is_some() {
            "offers a draw"
        } else if undo == here && here.is_some() {
            "asks to take back"
        } else if self.acting.is_some() && here == self.my_seat() {
            "sends .."
        } else if seated.engine.is_some() && self.moment.on_turn() == here && self.told.status == Status::Playing {
            "thinks"
        } else if away && here != self.my_seat() && self.told.status != Status::Finished {
            "away"
        } else {
            return None;
        };
        Some(note.to_owned())
    }

    fn answered(&mut self, id: &str, answer: Result<Done, String>) -> bool {
        if let Some(acting) = self.acting.as_mut().filter(|acting| acting.id == id) {
            match answer {
                // Until the table is told as it is then, no other action can follow.
                Ok(done) => acting.done = done.version.filter(|&version| version > self.told.version),
                Err(why) => {
                    self.acting = None;
                    self.notice = Some(why);
                    return true;
                }
            }
            if acting.done.is_none() {
                self.acting = None;
            }
            return true;
        }
        let Some(asked) = self.asked.remove(id) else { return false };
        match (asked, answer) {
            (_, Err(why)) => self.notice = Some(why),
            (Asked::Rematch, Ok(Done { table: Some(table), .. })) => self.go_to(&table),
            (_, Ok(_)) => {}
        }
        true
    }

    /// Goes to the table where the same people play again.
    fn go_to(&mut self, table: &str) {
        self.link.wish(Wish::Unwatch { table: self.told.table.clone() });
        self.place = Place::of(table);
        self.link.wish(Wish::Watch(self.place.clone()));
        self.notice = Some("To the next game ..".to_owned());
    }

    /// Takes what comes from the server, if it is for this table.
    fn take(&mut self, what: What) -> Option<What> {
        match what {
            What::Table(told) if told.table == self.place.table => {
                if self.told.table != told.table {
                    (self.talk, self.heard, self.acting, self.present) = (Vec::new(), 0, None, None);
                }
                self.table(*told);
            }
            What::Denied { table, why } if table == self.place.table => self.notice = Some(why),
            What::Said { table, remarks } if table == self.place.table => self.said(remarks),
            What::Present { table, present } if table == self.place.table => self.present = Some(present),
            What::Answered { id, answer } => {
                if !self.answered(&id, answer.clone()) {
                    return Some(What::Answered { id, answer });
                }
            }
            other => return Some(other),
        }
        None
    }

    /// Hears what all have to know; says whether anything is different now.
    fn overhear(&mut self, what: &What) -> bool {
        match what {
            What::Connected(welcome) => {
                let back = self.lost.take().is_some();
                self.welcome = welcome.clone();
                self.notice = match (&welcome.user, back) {
                    (None, _) => Some("The server does not know you any more: leave, and come in again.".to_owned()),
                    (_, true) => Some("The connection is back.".to_owned()),
                    (_, false) => None,
                };
                true
            }
            What::Lost { why, pause } => {
                if self.lost.is_none() {
                    // The title says that there is no connection: here is room for the rest.
                    let why = why.strip_prefix("The server cannot be reached: ").unwrap_or(why);
                    self.notice = Some(format!("What you do is kept. {}", sentence(why)));
                }
                self.lost = Some(Lost { next: Instant::now() + *pause });
                true
            }
            _ => false,
        }
    }

    fn said(&mut self, remarks: Vec<Remark>) {
        let fresh: Vec<Remark> = remarks.into_iter().filter(|remark| remark.number > self.heard).collect();
        let first = self.heard == 0 && fresh.len() > 1;
        if let Some(last) = fresh.last() {
            self.heard = last.number;
            // What was said before one came is read in its place.
            if !first && Some(last.user) != self.welcome.id() {
                self.notice = Some(format!("{} says: {}", last.name, last.text));
            }
        }
        self.talk.extend(fresh.into_iter().map(|Remark { name, text, .. }| Spoken { name, text }));
    }

    /// Whether a key that ends something was pressed before, a moment ago.
    fn is_sure(&mut self, key: &'static str) -> bool {
        let before = self.unsure.take();
        if before.is_some_and(|(pressed, at)| pressed == key && at.elapsed() < SURE) {
            return true;
        }
        self.unsure = Some((key, Instant::now()));
        false
    }

    /// What waits for my answer: a draw, or moves to be taken back.
    fn question(&self) -> Option<Question> {
        let mine = self.my_seat().filter(|_| self.plays())?;
        let undo = self.told.undo.as_ref().filter(|undo| undo.seat != mine && !undo.granted.contains(&mine));
        if self.told.draw_offer.is_some_and(|seat| seat != mine) {
            Some(Question::Draw)
        } else {
            undo.map(|_| Question::Undo)
        }
    }

    fn answer(&mut self, yes: bool) -> Result<Option<String>, String> {
        let command = match self.question().ok_or("Nobody has asked you anything.")? {
            Question::Draw => json!({"type": "answer_draw", "accept": yes}),
            Question::Undo => json!({"type": "answer_undo", "grant": yes}),
        };
        self.ask(command, Asked::Other);
        Ok(None)
    }

    fn while_waiting(&mut self, key: &str) -> Result<Option<String>, String> {
        match key {
            "Enter" if self.my_seat().is_none() => {
                let free = (0..self.told.seats.len()).any(|seat| self.may_sit(seat));
                if !free {
                    return Err("There is no seat that you may take.".to_owned());
                }
                self.sit_anywhere();
            }
            "L" if self.my_seat().is_some() => self.ask(json!({"type": "leave"}), Asked::Other),
            "A" if self.is_host() => {
                if !self.is_sure("A") {
                    return Ok(Some("Press A again to close the table.".to_owned()));
                }
                self.ask(json!({"type": "abort"}), Asked::Other);
            }
            _ => match key.parse::<u8>() {
                Ok(seat) if usize::from(seat) < self.told.seats.len() => self.sit(seat),
                _ => {}
            },
        }
        Ok(None)
    }

    fn while_playing(&mut self, key: &str) -> Result<Option<String>, String> {
        match key {
            "y" => return self.answer(true),
            "n" => return self.answer(false),
            "X" | "D" | "u" if !self.plays() => return Err("You do not play at this table.".to_owned()),
            "X" if self.is_sure("X") => self.ask(json!({"type": "resign"}), Asked::Other),
            "X" => return Ok(Some("Press X again to resign.".to_owned())),
            "D" => self.ask(json!({"type": "offer_draw"}), Asked::Other),
            "u" => self.ask(json!({"type": "ask_undo"}), Asked::Other),
            _ => {}
        }
        Ok(None)
    }

    /// The game as the rules here play it, if nothing of it is hidden from us.
    fn replayed(&self) -> Result<Box<dyn DynSession>, String> {
        let setup = &self.told.setup;
        let kind = find(GAMES, &setup.game).map_err(|unknown| unknown.to_string())?;
        if kind.hidden_information() && self.told.status != Status::Finished {
            return Err("While cards are hidden, nobody sees the whole game.".to_owned());
        }
        let seats = self.told.position.seats;
        let options = Value::Object(setup.options.clone());
        let mut table = kind.start(Some(seats.into()), &options).map_err(|why| why.to_string())?;
        for Said { seat, action } in &self.told.log {
            let by = match seat {
                None => Actor::Chance,
                Some(number) => Actor::Seat(Seat::at_table((*number).into(), seats).ok_or("There is no such seat.")?),
            };
            table.apply_by(by, action).map_err(|why| format!("The rules here are other ones: {why}"))?;
        }
        Ok(table)
    }

    /// What lets somebody come to this table.
    fn invitation_link(&self) -> String {
        let invited = !self.told.setup.public || self.told.setup.seats.contains(&SeatPlan::Invited);
        let key = self.told.invitation.clone().or_else(|| self.place.invitation.clone());
        Place { table: self.told.table.clone(), invitation: key.filter(|_| invited) }.link(self.link.server())
    }

    fn waiting(&self) -> Stage {
        let free = self.told.seats.iter().filter(|seated| seated.user.is_none() && seated.engine.is_none()).count();
        let mut why = vec![
            format!("Waiting for {}.", if free == 1 { "one player".to_owned() } else { format!("{free} players") }),
            String::new(),
            self.agreed(),
        ];
        if !self.told.setup.options.is_empty() {
            why.push(Value::Object(self.told.setup.options.clone()).to_string());
        }
        why.push(String::new());
        for seat in 0..self.told.seats.len() {
            let you = if self.my_seat() == u8::try_from(seat).ok() { " (you)" } else { "" };
            let way = if self.my_seat().is_none() && self.may_sit(seat) { " - sit down" } else { "" };
            why.push(format!("{seat}  {}{you}{way}", self.seat_name(seat)));
        }
        Stage::Waiting { why, link: Some(self.invitation_link()) }
    }

    /// What the table agreed on, in a few words.
    fn agreed(&self) -> String {
        let setup = &self.told.setup;
        let who = if setup.public { "public" } else { "by invitation" };
        let rated = if setup.rated { ", rated" } else { "" };
        format!("{who}, {}{rated}", setup.clock.words())
    }

    fn over(&self) -> String {
        let Some(ending) = &self.told.ending else { return "The game is over.".to_owned() };
        let names: Vec<String> = ending.winners.iter().map(|&seat| self.name(seat)).collect();
        let reason = in_words(&ending.reason);
        match names.as_slice() {
            _ if ending.reason == "unfinished" => "The game was broken off.".to_owned(),
            [] => format!("A draw: {reason}."),
            [one] => format!("{one} wins: {reason}."),
            several => format!("{} win: {reason}.", several.join(" and ")),
        }
    }
}

/// What may be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    Draw,
    Undo,
}

/// Why a game has ended.
fn in_words(reason: &str) -> String {
    match reason {
        "resigned" => "by resignation".to_owned(),
        "time" => "on time".to_owned(),
        "agreed" => "by agreement".to_owned(),
        other => other.replace('-', " "),
    }
}

impl Drop for Online {
    fn drop(&mut self) {
        self.link.wish(Wish::Unwatch { table: self.place.table.clone() });
    }
}
