//! What the screen sees of a table, and what it asks of it.

use std::time::{Duration, Instant};

use quincunx_client::local_time;
use quincunx_core::{Record, Step, Turn, find};
use quincunx_games::GAMES;
use quincunx_table::protocol::Remark;
use quincunx_table::{Command, Seated, Status};

use super::place::short;
use super::{Acting, Asked, Hint, Player, Source, Stage, advise};
use crate::app::Key;
use crate::event::News;
use crate::moment::Moment;

impl Source {
    /// A few words for the top of the screen, such as the game and where it is played.
    pub fn title(&self) -> String {
        let game = &self.snapshot.setup.game;
        let title = find(GAMES, game).map_or(game.as_str(), |kind| kind.title());
        if self.here.is_some() {
            return title.to_owned();
        }
        let server = short(self.connection.address());
        if let Some(next) = &self.lost {
            let pause = next.saturating_duration_since(Instant::now()).as_secs() + 1;
            return format!("{title} at {server} - not connected, next try in {pause} s");
        }
        let watchers = match self.present.as_ref().map_or(0, |(_, others)| *others) {
            0 => String::new(),
            1 => ", one watches".to_owned(),
            several => format!(", {several} watch"),
        };
        format!("{title} at {server} - {}{watchers}", self.agreed())
    }

    pub fn moment(&self) -> &Moment {
        &self.moment
    }

    pub fn log(&self) -> &[Step] {
        &self.snapshot.log
    }

    pub fn players(&self) -> Vec<Player> {
        let now = local_time().saturating_add(self.welcome.ahead);
        let clock = |seat: usize| self.snapshot.clocks.as_ref()?.left_at(seat, now);
        let player = |(seat, seated): (usize, &Seated)| Player {
            name: self.seat_name(seat),
            note: self.note(seat, seated),
            clock: clock(seat).map(|left| Duration::from_millis(left.max(0) as u64)),
        };
        self.snapshot.seats.iter().enumerate().map(player).collect()
    }

    pub fn stage(&self) -> Stage {
        match self.snapshot.status {
            Status::Open => self.waiting(),
            Status::Playing => self.snapshot.hand_over.map_or(Stage::Playing, Stage::Covered),
            Status::Finished if self.sits() => Stage::Over(format!("{} M plays again.", self.over())),
            Status::Finished => Stage::Over(self.over()),
            Status::Aborted => Stage::Over("The table was closed before the game began.".to_owned()),
        }
    }

    /// Does something in the words of the game. An error is a sentence for people.
    pub fn act(&mut self, action: &str) -> Result<(), String> {
        match self.snapshot.status {
            Status::Open => return Err("The game has not begun.".to_owned()),
            Status::Finished | Status::Aborted => return Err("The game is over.".to_owned()),
            Status::Playing => {}
        }
        if !self.sits() {
            return Err("You only watch here.".to_owned());
        }
        if self.acting.is_some() {
            return Err("Your last action is still on its way.".to_owned());
        }
        // An action out of turn is typed with its seat, as in the log: `2: claim c3`.
        let labelled = action.split_once(": ").and_then(|(seat, action)| Some((seat.parse::<u8>().ok()?, action)));
        let (seat, action) = labelled.map_or((self.moment.viewer, action), |(seat, action)| (Some(seat), action));
        if let Some(seat) = seat.filter(|&seat| !self.is_mine(seat)) {
            let engine = self.snapshot.seats.get(usize::from(seat)).is_some_and(|seated| seated.engine.is_some());
            return Err(format!("Seat {seat} is {}.", if engine { "played by an engine" } else { "not yours" }));
        }
        let command = Command::Act { action: action.to_owned(), ply: Some(self.moment.ply as u64) };
        let id = self.connection.command(&self.snapshot.table, seat, command);
        self.acting = Some(Acting { id, done: None });
        self.say_if_lost();
        self.settle();
        Ok(())
    }

    /// The player who was called to the screen has come.
    pub fn uncover(&mut self) {
        if let Some(seat) = self.snapshot.hand_over {
            let id = self.connection.look(&self.snapshot.table, seat);
            self.asked.insert(id, Asked::Other);
            self.settle();
        }
    }

    /// What can be done at the table besides playing, each by a key.
    pub fn commands(&self) -> Vec<Key> {
        match self.snapshot.status {
            Status::Open => {
                let mut keys = if self.sits() {
                    vec![("L", "stand up")]
                } else {
                    vec![("Enter", "sit down"), ("0 1 ..", "on this seat")]
                };
                if self.may_decline() {
                    keys.push(("D", "decline the seat"));
                }
                if self.is_host() {
                    keys.push(("A A", "close the table"));
                }
                keys
            }
            Status::Playing if self.is_watched() => {
                vec![("Space", "pause, go on"), ("+ -", "faster, slower"), (".", "one move, while it is paused")]
            }
            Status::Playing if self.plays() => vec![
                (
                    "u",
                    if self.here.is_some() { "take back your last action" } else { "ask to take back your last move" },
                ),
                ("D", "offer a draw, or accept it"),
                ("y n", "answer what you are asked"),
                ("X X", "resign"),
            ],
            Status::Finished if self.sits() && self.here.is_some() => {
                vec![("u", "take back your last action"), ("M", "play again, with seats changed")]
            }
            Status::Finished if self.sits() => vec![("M", "play again, with the same people")],
            Status::Playing | Status::Finished | Status::Aborted => Vec::new(),
        }
    }

    /// Does one of these; gives what to say about it, if anything.
    pub fn command(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.snapshot.status {
            Status::Open => self.while_waiting(key),
            Status::Playing if self.is_watched() => Ok(self.while_watching(key)),
            Status::Playing => self.while_playing(key),
            Status::Finished if key == "M" && self.sits() => {
                self.ask(Command::Rematch, Asked::Rematch);
                Ok(None)
            }
            Status::Finished if key == "u" && self.here.is_some() => {
                self.ask(Command::AskUndo { count: 1 }, Asked::Other);
                Ok(None)
            }
            Status::Finished | Status::Aborted => Ok(None),
        }
    }

    /// Whether engines play here among themselves.
    fn is_watched(&self) -> bool {
        self.here.as_ref().is_some_and(|(here, _)| here.is_watched())
    }

    fn while_watching(&mut self, key: &str) -> Option<String> {
        let (here, _) = self.here.as_ref()?;
        match key {
            " " => {
                let paused = !here.is_paused();
                here.pause(paused);
                Some(if paused { "Paused; Space goes on." } else { "" }.to_owned())
            }
            "." if here.is_paused() => {
                here.step();
                None
            }
            "+" | "=" | "-" => Some(match here.hurry(key != "-").as_secs_f64() {
                0.0 => "As fast as they think.".to_owned(),
                seconds => format!("A move every {seconds} s, if they are quick enough."),
            }),
            _ => None,
        }
    }

    /// Asks the engine for advice, which comes later.
    pub fn ask_hint(&mut self) -> Result<(), String> {
        if self.snapshot.setup.rated && self.snapshot.status == Status::Playing {
            return Err("A rated game is played without help.".to_owned());
        }
        let whole = self.here.as_ref().and_then(|(here, _)| here.session(&self.snapshot.table));
        let table = match whole {
            Some(whole) => whole,
            None => self.replayed().map_err(|why| format!("There is no hint here. {why}"))?,
        };
        match table.turn() {
            Turn::Seat(seat) if self.moment.viewer == Some(seat.number()) => {
                let seed = local_time() as u64;
                advise(table, seat, seed, self.session_id, self.reporter.clone())?;
                self.hint = Hint::Thinking;
                Ok(())
            }
            _ => Err("A hint is for the player on turn.".to_owned()),
        }
    }

    pub fn hint(&self) -> &Hint {
        &self.hint
    }

    /// Takes what is meant for it; says whether anything is different now.
    pub fn hear(&mut self, news: &mut Option<News>) -> bool {
        match news.take() {
            Some(News::Woken { session_id }) if session_id == self.session_id => self.settle(),
            Some(News::Hinted { session_id, ply, thought }) if session_id == self.session_id => {
                if ply == self.moment.ply {
                    self.hint = thought.map_or(Hint::None, Hint::Given);
                }
                true
            }
            Some(News::Online(quincunx_client::News { connection, event }))
                if connection == self.connection.number() =>
            {
                let changed = self.overhear(&event);
                *news = self.take(event).map(|event| News::Online(quincunx_client::News { connection, event }));
                changed || news.is_none()
            }
            other => {
                *news = other;
                false
            }
        }
    }

    pub fn pace(&self) -> Option<Duration> {
        let running = self.snapshot.clocks.as_ref().is_some_and(|face| face.running.is_some());
        if running && self.snapshot.status == Status::Playing {
            Some(Duration::from_millis(100))
        } else {
            self.lost.as_ref().map(|_| Duration::from_millis(500))
        }
    }

    /// What there is to tell that nobody has asked for, such as that the connection is lost; once each.
    pub fn notice(&mut self) -> Option<String> {
        self.notice.take()
    }

    /// The game as a record, if it may be seen.
    pub fn record(&mut self) -> Result<Record, String> {
        if self.snapshot.status == Status::Open {
            return Err("The game has not begun.".to_owned());
        }
        if let Some(record) = self.here.as_ref().and_then(|(here, _)| here.record(&self.snapshot.table)) {
            return Ok(record);
        }
        let mut record = self.replayed()?.record();
        for seat in 0..self.snapshot.seats.len() {
            record.headers.insert(format!("Player {seat}"), self.seat_name(seat));
        }
        Ok(record)
    }

    /// What was said at the table; nothing where nobody can talk.
    pub fn talk(&self) -> Option<&[Remark]> {
        self.here.is_none().then_some(&self.talk)
    }

    pub fn say(&mut self, text: &str) -> Result<(), String> {
        let id = self.connection.say(&self.snapshot.table, text);
        self.asked.insert(id, Asked::Other);
        self.say_if_lost();
        Ok(())
    }
}
