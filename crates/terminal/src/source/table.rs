//! What happens at a table, and what its keys ask for.

use std::time::{Duration, Instant};

use quincunx_client::{Done, Event, sentence};
use quincunx_core::{DynSession, find};
use quincunx_games::GAMES;
use quincunx_table::protocol::{Remark, Snapshot};
use quincunx_table::{Command, SeatPlan, Seated, Status, TableId, Undo};
use serde_json::Value;

use super::place::Place;
use super::{Asked, Hint, Source, Stage, clock_in_words};
use crate::moment::Moment;

/// For how long a key that ends something can be pressed again.
const SURE: Duration = Duration::from_secs(4);

impl Source {
    /// Sits down on the first seat that may be taken, if one may.
    pub fn sit_anywhere(&mut self) {
        let kept = (0..self.snapshot.seats.len()).find(|&seat| self.keeps_for_me(seat));
        let seat = kept.or_else(|| (0..self.snapshot.seats.len()).find(|&seat| self.may_sit(seat)));
        if let Some(seat) = seat.filter(|_| !self.sits() && self.snapshot.status == Status::Open) {
            self.sit(seat as u8);
        }
    }

    /// The seats that are played from here: one, or at a screen that several share more.
    fn my_seats(&self) -> impl Iterator<Item = u8> {
        let me = self.welcome.id();
        let mine = move |(_, seated): &(u8, &Seated)| me.is_some() && seated.user == me;
        (0..).zip(&self.snapshot.seats).filter(mine).map(|(seat, _)| seat)
    }

    pub(super) fn is_mine(&self, seat: u8) -> bool {
        self.my_seats().any(|mine| mine == seat)
    }

    pub(super) fn sits(&self) -> bool {
        self.my_seats().next().is_some()
    }

    /// The seats for which somebody here, not the engine, plays.
    fn played(&self) -> impl Iterator<Item = u8> {
        let played = |&seat: &u8| self.snapshot.seats[usize::from(seat)].engine.is_none();
        self.my_seats().filter(|_| self.snapshot.status == Status::Playing).filter(played)
    }

    pub(super) fn plays(&self) -> bool {
        self.played().next().is_some()
    }

    pub(super) fn is_host(&self) -> bool {
        self.welcome.id() == Some(self.snapshot.host)
    }

    fn keeps_for_me(&self, seat: usize) -> bool {
        let plan = self.snapshot.setup.seats.get(seat);
        matches!(plan, Some(SeatPlan::Player { user }) if self.welcome.id() == Some(*user))
    }

    /// Whether a seat is kept for me that I have not taken.
    pub(super) fn may_decline(&self) -> bool {
        !self.sits() && (0..self.snapshot.setup.seats.len()).any(|seat| self.keeps_for_me(seat))
    }

    /// Whether a seat may be tried; the server decides.
    fn may_sit(&self, seat: usize) -> bool {
        let free = self.snapshot.seats.get(seat).is_some_and(|seated| seated.user.is_none() && seated.engine.is_none());
        free && match self.snapshot.setup.seats.get(seat) {
            Some(SeatPlan::Open) => true,
            Some(SeatPlan::Invited) => self.is_host() || self.place.invitation.is_some(),
            Some(SeatPlan::Player { .. }) => self.keeps_for_me(seat),
            _ => false,
        }
    }

    fn sit(&mut self, seat: u8) {
        let invitation = self.place.invitation.clone();
        self.ask(Command::Sit { seat, invitation }, Asked::Other);
    }

    pub(super) fn ask(&mut self, command: Command, asked: Asked) {
        let id = self.connection.command(&self.snapshot.table, None, command);
        self.asked.insert(id, asked);
        self.say_if_lost();
        self.settle();
    }

    pub(super) fn say_if_lost(&mut self) {
        if self.lost.is_some() {
            self.notice = Some("The connection is lost; this is sent as soon as it is back.".to_owned());
        }
    }

    /// Another snapshot is known: the moment follows from it.
    pub(super) fn look(&mut self) {
        let moment = Moment::of_snapshot(&self.snapshot);
        if self.moment.ply != moment.ply {
            self.hint = Hint::None;
        }
        self.moment = moment;
    }

    /// Takes what the host in this process has told by now; says whether there was anything.
    pub(super) fn settle(&mut self) -> bool {
        let Some((here, events)) = &self.here else { return false };
        let events: Vec<Event> = events.try_iter().collect();
        let notices = here.notices();
        let any = !events.is_empty() || !notices.is_empty();
        for event in events {
            self.take(event);
        }
        if let Some(notice) = notices.into_iter().next_back() {
            self.notice = Some(notice);
        }
        any
    }

    /// There is a newer snapshot of the table.
    fn table(&mut self, snapshot: Snapshot) {
        if self.snapshot.table == snapshot.table && snapshot.version < self.snapshot.version {
            return;
        }
        let before = std::mem::replace(&mut self.snapshot, snapshot);
        let version = self.snapshot.version;
        if self.acting.as_ref().is_some_and(|acting| acting.done.is_some_and(|done| done <= version)) {
            self.acting = None;
        }
        if before.version != version || before.table != self.snapshot.table {
            self.notice = Some(self.change_since(&before).unwrap_or_default());
        }
        self.look();
    }

    /// What has changed at the table that somebody should be told of.
    fn change_since(&self, before: &Snapshot) -> Option<String> {
        let now = &self.snapshot;
        if now.table != before.table {
            return None;
        }
        if now.log.len() < before.log.len() {
            return Some("Taken back.".to_owned());
        }
        if now.status != before.status {
            return (now.status == Status::Playing).then(|| "The game begins.".to_owned());
        }
        if let Some(seat) = now.draw_offer.filter(|_| before.draw_offer.is_none()) {
            let asked = self.question().is_some();
            let what = if asked { ": y accepts, n declines" } else { "; the others have to agree" };
            return Some(format!("{} a draw{what}.", self.does(seat, "offer")));
        }
        if let Some(Undo { seat, .. }) = now.undo.as_ref().filter(|_| before.undo.is_none()) {
            let asked = self.question().is_some();
            let what = if asked { ": y grants it, n does not" } else { "; the others have to agree" };
            return Some(format!("{} to take back a move{what}.", self.does(*seat, "ask")));
        }
        if before.undo.is_some() && now.undo.is_none() {
            return Some("The move stays.".to_owned());
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
        let again = now.rematch.is_some() && before.rematch.is_none() && self.sits();
        again.then(|| "Somebody wants to play again: M joins.".to_owned())
    }

    /// Somebody and what they do, in the right form. At a screen that several share, everybody is called by name.
    fn does(&self, seat: u8, verb: &str) -> String {
        if self.my_seats().eq([seat]) { format!("You {verb}") } else { format!("{} {verb}s", self.name(seat)) }
    }

    fn name(&self, seat: u8) -> String {
        self.snapshot
            .seats
            .get(usize::from(seat))
            .map_or_else(|| format!("Seat {seat}"), |_| self.seat_name(seat.into()))
    }

    pub(super) fn seat_name(&self, seat: usize) -> String {
        let Some(seated) = self.snapshot.seats.get(seat) else { return String::new() };
        match (&seated.engine, &seated.name) {
            (Some(level), Some(name)) if seated.taken_over => format!("{level} for {name}"),
            (Some(level), _) if self.here.is_some() => level.clone(),
            (Some(level), _) => format!("engine {level}"),
            (None, Some(name)) => name.clone(),
            (None, None) => match self.snapshot.setup.seats.get(seat) {
                Some(SeatPlan::Player { .. }) if self.keeps_for_me(seat) => "kept for you".to_owned(),
                Some(SeatPlan::Player { .. }) => "kept for somebody".to_owned(),
                Some(SeatPlan::Invited) => "free, by invitation".to_owned(),
                _ => "free".to_owned(),
            },
        }
    }

    /// What is known of a player, besides the name.
    pub(super) fn note(&self, seat: usize, seated: &Seated) -> Option<String> {
        let here = u8::try_from(seat).ok();
        let undo = self.snapshot.undo.as_ref().map(|undo| undo.seat);
        let present = self.present.as_ref().filter(|_| self.lost.is_none() && seated.engine.is_none());
        let away = present.zip(seated.user).is_some_and(|((seated, _), user)| !seated.contains(&user));
        let mine = here.is_some_and(|seat| self.is_mine(seat));
        let paused = self.here.as_ref().is_some_and(|(host, _)| host.is_paused());
        let thinks = seated.engine.is_some() && self.moment.on_turn() == here && !paused;
        let note = if self.snapshot.draw_offer == here && here.is_some() {
            "offers a draw"
        } else if undo == here && here.is_some() {
            "asks to take back"
        } else if self.acting.is_some() && mine {
            "sends .."
        } else if thinks && self.snapshot.status == Status::Playing {
            "thinks"
        } else if away && !mine && self.snapshot.status != Status::Finished {
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
                Ok(done) => acting.done = done.version.filter(|&version| version > self.snapshot.version),
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
            // An engine answers at once.
            (Asked::Draw, Ok(_)) if self.plays() && self.snapshot.draw_offer.is_none() => {
                self.notice = Some("The draw was declined.".to_owned());
            }
            (_, Ok(_)) => {}
        }
        true
    }

    /// Goes to the table where the same people play again.
    fn go_to(&mut self, table: &TableId) {
        self.connection.unwatch(&self.snapshot.table);
        self.place = Place::of(table);
        self.connection.watch(table, None);
        self.notice = Some("To the next game ..".to_owned());
        self.settle();
    }

    /// Takes an event, if it is for this table.
    pub(super) fn take(&mut self, event: Event) -> Option<Event> {
        match event {
            Event::Table(snapshot) if snapshot.table == self.place.table => {
                if self.snapshot.table != snapshot.table {
                    (self.talk, self.acting, self.present) = (Vec::new(), None, None);
                }
                self.table(*snapshot);
            }
            Event::Denied { table, why } if table == self.place.table => self.notice = Some(why),
            Event::Said { table, remarks } if table == self.place.table => self.said(remarks),
            Event::Present { table, seated, others } if table == self.place.table => {
                self.present = Some((seated, others));
            }
            Event::Answered { id, answer } => {
                if !self.answered(&id, answer.clone()) {
                    return Some(Event::Answered { id, answer });
                }
            }
            other => return Some(other),
        }
        None
    }

    /// Hears what all have to know; says whether anything is different now.
    pub(super) fn overhear(&mut self, event: &Event) -> bool {
        match event {
            Event::Connected(welcome) => {
                let back = self.lost.take().is_some();
                self.welcome = welcome.clone();
                self.notice = match (&welcome.user, back) {
                    (None, _) => Some("The server does not know you any more: leave, and come in again.".to_owned()),
                    (_, true) => Some("The connection is back.".to_owned()),
                    (_, false) => None,
                };
                true
            }
            Event::Lost { why, pause } => {
                if self.lost.is_none() {
                    // The title says that there is no connection: here is room for the rest.
                    let why = why.strip_prefix("The server cannot be reached: ").unwrap_or(why);
                    self.notice = Some(format!("What you do is kept. {}", sentence(why)));
                }
                self.lost = Some(Instant::now() + *pause);
                true
            }
            _ => false,
        }
    }

    fn said(&mut self, remarks: Vec<Remark>) {
        // What spectators said during the game comes after its end, with earlier numbers.
        let known = |remark: &Remark| self.talk.iter().any(|heard| heard.number == remark.number);
        let fresh: Vec<Remark> = remarks.into_iter().filter(|remark| !known(remark)).collect();
        // What was said before one came is read in its place.
        let before = self.talk.is_empty() && fresh.len() > 1;
        if let Some(last) = fresh.last().filter(|last| !before && Some(last.user) != self.welcome.id()) {
            self.notice = Some(format!("{} says: {}", last.name, last.text));
        }
        self.talk.extend(fresh);
        self.talk.sort_by_key(|remark| remark.number);
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

    /// What waits for an answer from here: a draw, or moves to be taken back.
    fn question(&self) -> Option<Question> {
        let by_others = |by: u8| self.played().any(|seat| seat != by);
        let undo = self
            .snapshot
            .undo
            .as_ref()
            .filter(|undo| self.played().any(|seat| seat != undo.seat && !undo.granted.contains(&seat)));
        if self.snapshot.draw_offer.is_some_and(by_others) {
            Some(Question::Draw)
        } else {
            undo.map(|_| Question::Undo)
        }
    }

    fn answer(&mut self, yes: bool) -> Result<Option<String>, String> {
        let command = match self.question().ok_or("Nobody has asked you anything.")? {
            Question::Draw => Command::AnswerDraw { accept: yes },
            Question::Undo => Command::AnswerUndo { grant: yes },
        };
        self.ask(command, Asked::Other);
        Ok(None)
    }

    pub(super) fn while_waiting(&mut self, key: &str) -> Result<Option<String>, String> {
        match key {
            "Enter" if !self.sits() => {
                let free = (0..self.snapshot.seats.len()).any(|seat| self.may_sit(seat));
                if !free {
                    return Err("There is no seat that you may take.".to_owned());
                }
                self.sit_anywhere();
            }
            "L" if self.sits() => self.ask(Command::Leave, Asked::Other),
            "D" if self.may_decline() => self.ask(Command::Decline, Asked::Other),
            "A" if self.is_host() => {
                if !self.is_sure("A") {
                    return Ok(Some("Press A again to close the table.".to_owned()));
                }
                self.ask(Command::Abort, Asked::Other);
            }
            _ => match key.parse::<u8>() {
                Ok(seat) if usize::from(seat) < self.snapshot.seats.len() => self.sit(seat),
                _ => {}
            },
        }
        Ok(None)
    }

    pub(super) fn while_playing(&mut self, key: &str) -> Result<Option<String>, String> {
        match key {
            "y" => return self.answer(true),
            "n" => return self.answer(false),
            "X" | "D" | "u" if !self.plays() => return Err("You do not play at this table.".to_owned()),
            "X" if self.is_sure("X") => self.ask(Command::Resign, Asked::Other),
            "X" => return Ok(Some("Press X again to resign.".to_owned())),
            "D" => self.ask(Command::OfferDraw, Asked::Draw),
            "u" => self.ask(Command::AskUndo { count: 1 }, Asked::Other),
            _ => {}
        }
        Ok(None)
    }

    /// The game as the rules here play it, if nothing of it is hidden from us.
    pub(super) fn replayed(&self) -> Result<Box<dyn DynSession>, String> {
        let setup = &self.snapshot.setup;
        let kind = find(GAMES, &setup.game).map_err(|unknown| unknown.to_string())?;
        if kind.hidden_information() && self.snapshot.status != Status::Finished {
            return Err("While cards are hidden, nobody sees the whole game.".to_owned());
        }
        let seats = self.snapshot.position.seats;
        let options = Value::Object(setup.options.clone());
        quincunx_core::replay(GAMES, kind.id(), seats.into(), &options, &self.snapshot.log)
            .map_err(|why| format!("The rules here are other ones: {why}"))
    }

    /// What lets somebody come to this table.
    fn invitation_link(&self) -> String {
        let invited = !self.snapshot.setup.public || self.snapshot.setup.seats.contains(&SeatPlan::Invited);
        let key = self.snapshot.invitation.clone().or_else(|| self.place.invitation.clone());
        Place { table: self.snapshot.table.clone(), invitation: key.filter(|_| invited) }
            .link(self.connection.address())
    }

    pub(super) fn waiting(&self) -> Stage {
        let free = self.snapshot.seats.iter().filter(|seated| seated.user.is_none() && seated.engine.is_none()).count();
        let mut why = vec![
            format!("Waiting for {}.", if free == 1 { "one player".to_owned() } else { format!("{free} players") }),
            String::new(),
            self.agreed(),
        ];
        if !self.snapshot.setup.options.is_empty() {
            why.push(Value::Object(self.snapshot.setup.options.clone()).to_string());
        }
        why.push(String::new());
        for seat in 0..self.snapshot.seats.len() {
            let you = if u8::try_from(seat).is_ok_and(|seat| self.is_mine(seat)) { " (you)" } else { "" };
            let way = if !self.sits() && self.may_sit(seat) { " - sit down" } else { "" };
            why.push(format!("{seat}  {}{you}{way}", self.seat_name(seat)));
        }
        Stage::Waiting { why, link: Some(self.invitation_link()) }
    }

    /// What the table agreed on, in a few words.
    pub(super) fn agreed(&self) -> String {
        let setup = &self.snapshot.setup;
        let who = if setup.public { "public" } else { "by invitation" };
        let rated = if setup.rated { ", rated" } else { "" };
        format!("{who}, {}{rated}", clock_in_words(setup.clock))
    }

    pub(super) fn over(&self) -> String {
        let Some(ending) = &self.snapshot.ending else { return "The game is over.".to_owned() };
        let names: Vec<String> = (0..self.snapshot.seats.len()).map(|seat| self.seat_name(seat)).collect();
        in_words(&ending.winners, &ending.reason, &names)
    }
}

/// What may be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    Draw,
    Undo,
}

/// How a game ended between those who play it.
pub fn in_words(winners: &[u8], reason: &str, names: &[impl AsRef<str>]) -> String {
    let name = |&seat: &u8| names.get(usize::from(seat)).map(AsRef::as_ref);
    let winners: Vec<&str> = winners.iter().filter_map(name).collect();
    let why = match reason {
        "unfinished" => return "The game was broken off.".to_owned(),
        "resigned" => "by resignation".to_owned(),
        "time" => "on time".to_owned(),
        "agreed" => "by agreement".to_owned(),
        "left" => "the other side has left".to_owned(),
        other => other.replace('-', " "),
    };
    match winners.as_slice() {
        [] => format!("A draw: {why}."),
        [one] => format!("{one} wins: {why}."),
        several => format!("{} win: {why}.", several.join(" and ")),
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.connection.unwatch(&self.place.table);
    }
}
